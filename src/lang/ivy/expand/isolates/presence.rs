//! What the declarations of a program are in an isolate: verified there, seen, or neither.

/// What a declaration is in an isolate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::ivy::expand) enum Presence {
    /// The isolate does not see it.
    Absent,
    /// It counts, and what it claims is assumed.
    Assumed,
    /// It counts, and what it claims is shown.
    Verified,
}

impl Presence {
    pub(super) fn of(is_verified: bool, is_present: bool) -> Presence {
        match (is_verified, is_present) {
            (true, _) => Presence::Verified,
            (false, true) => Presence::Assumed,
            (false, false) => Presence::Absent,
        }
    }
}

/// Whether an object is private, and why: what is around it decides who sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(in crate::ivy::expand) enum Privacy {
    #[default]
    Public,
    /// `private name` says so: what lists it sees it, and nothing else does.
    Listed,
    /// It has the name `impl`: what verifies the object right around it by name verifies it as well, and nothing else sees it.
    Name,
    /// It stands in a section: it belongs to what is around it, up to an isolate.
    Section,
}
