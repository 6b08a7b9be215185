//! What is left of a program in an isolate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Presence;
use ramsey_core::base::hash::Set;

/// An invariant of another isolate, which holds wherever none of that one's actions is being executed.
pub(in crate::ivy::expand) struct Assumption {
    /// Its position among the declarations.
    pub(in crate::ivy::expand) at: usize,
    /// The actions that keep it. After a call of one it holds.
    pub(in crate::ivy::expand) kept_by: BTreeSet<Arc<str>>,
    /// The actions of the other isolate, of which it sees a part. In their middle the invariant need not hold.
    pub(in crate::ivy::expand) seen: BTreeSet<Arc<str>>,
    /// The actions of this isolate that those of the other one call where this one does not see it, or that initializers call
    /// there. Where one of these begins, the invariant need not hold.
    pub(in crate::ivy::expand) called_inside: BTreeSet<Arc<str>>,
    /// Whether it is assumed at the end of actions as well: it stands before the first invariant of this isolate.
    pub(in crate::ivy::expand) is_first: bool,
}

/// What is left of a program in an isolate.
#[derive(Default)]
pub(in crate::ivy::expand) struct Cut {
    /// By declaration, what it is.
    pub(in crate::ivy::expand) presence: Vec<Presence>,
    /// The actions that the environment calls: what is exported, and what the rest of the program calls.
    pub(in crate::ivy::expand) exports: Vec<Arc<str>>,
    /// Those of them that change or show something here, or whose statements are exported and seen.
    pub(in crate::ivy::expand) transitions: Vec<Arc<str>>,
    pub(in crate::ivy::expand) assumptions: Vec<Assumption>,
    /// The positions of properties of other isolates whose turn is after one which is shown here. They are assumed for what comes
    /// after them: otherwise two isolates could show each other's properties.
    pub(in crate::ivy::expand) late: Vec<usize>,
    /// The positions of explicit axioms that the isolate names after `with`: they are assumed as others are.
    pub(in crate::ivy::expand) named: Vec<usize>,
    /// The positions of the invariants that are shown.
    pub(in crate::ivy::expand) shown: Vec<usize>,
    /// By the position of a part that is absent, the symbols that it may change by calling this isolate back.
    pub(in crate::ivy::expand) called_back: BTreeMap<usize, BTreeSet<Arc<str>>>,
    /// The symbols that statements of the whole program change, or whose definitions are absent.
    pub(in crate::ivy::expand) changing: Set<Arc<str>>,
    /// The symbols whose definitions are absent.
    pub(in crate::ivy::expand) hidden: Set<Arc<str>>,
}
