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
