//! The table of methods. A new one is a file with an [`Engine`](super::engine::Engine), and a row here.

use std::slice;

use super::directed::Directed;
use super::engine::{Input, Kind, Refutes, Row};
use super::finite::Finite;
use super::houdini::Houdini;
use super::outcome::Method;
use super::primal_dual::PrimalDual;
use super::updr::Updr;

/// All methods. The first one is the default.
static METHODS: [Row; 7] = [
    Row {
        method: Method::AUTO,
        help: "separation, updr, finite and exists in turns",
        kind: Kind::Turns {
            parts: &[Method::SEPARATION, Method::UPDR, Method::FINITE],
            instead: Method::EXISTS,
        },
        input: Input::Prefixes,
        // A relaxed execution has it look for lemmas with witnesses.
        refutes: Refutes::Executions,
    },
    Row {
        method: Method::HOUDINI,
        help: "the candidates and the clauses of a template, as far as safety needs them",
        kind: Kind::Engine { begin: Houdini::begin, share: 1 },
        input: Input::Template,
        refutes: Refutes::Nothing,
    },
    Row {
        method: Method::UPDR,
        help: "lemmas by frames that approximate the states after each number of steps",
        // It finds fewer invariants, and an unsafe or relaxed execution early if at all.
        kind: Kind::Engine { begin: Updr::begin, share: 8 },
        input: Input::Nothing,
        refutes: Refutes::RelaxedExecutions,
    },
    Row {
        method: Method::SEPARATION,
        help: "lemmas that exclude counterexamples to induction",
        kind: Kind::Engine { begin: Directed::with_clauses, share: 1 },
        input: Input::Nothing,
        refutes: Refutes::RelaxedExecutions,
    },
    Row {
        method: Method::PRIMAL_DUAL,
        help: "primal-dual Houdini: lemmas that are proved together",
        kind: Kind::Engine { begin: PrimalDual::begin, share: 1 },
        input: Input::Nothing,
        refutes: Refutes::RelaxedExecutions,
    },
    Row {
        method: Method::FINITE,
        help: "lemmas from the invariants of small finite instances",
        // Instances are soon decided if they are small enough to help.
        kind: Kind::Engine { begin: Finite::begin, share: 2 },
        input: Input::Nothing,
        refutes: Refutes::Executions,
    },
    Row {
        method: Method::EXISTS,
        help: "lemmas with existential quantifiers",
        kind: Kind::Engine { begin: Directed::with_formulas, share: 1 },
        input: Input::Prefixes,
        refutes: Refutes::Executions,
    },
];

impl Default for Method {
    fn default() -> Method {
        METHODS[0].method
    }
}

impl Method {
    /// [`Self::SEPARATION`], [`Self::UPDR`] and [`Self::FINITE`] in turns of counted work, and [`Self::EXISTS`] as well where
    /// the system has quantifier alternations, with what the others have proved; where there is no universal invariant, it
    /// goes on after one more turn of [`Self::FINITE`].
    pub const AUTO: Method = Method("auto");
    /// The greatest inductive subset of candidates and of the clauses of a template, as far as safety needs it (Flanagan
    /// and Leino, FME 2001).
    pub const HOUDINI: Method = Method("houdini");
    /// Primal-dual Houdini: Houdini over lemmas, and in turn a dual search for clauses that exclude open states and follow
    /// from lemmas that are true in all others (Padon et al., POPL 2022).
    pub const PRIMAL_DUAL: Method = Method("pd");
    /// Property-directed search with diagrams and frames (Karbyshev et al., CAV 2015).
    pub const UPDR: Method = Method("updr");
    /// The invariants of small finite instances, with variables in place of elements (Ma et al., I4, SOSP 2019).
    pub const FINITE: Method = Method("finite");
    /// Property-directed search with separators: clauses that are true in all states seen and false in a
    /// counterexample to induction, found as minimum hitting sets.
    pub const SEPARATION: Method = Method("separation");
    /// The same search with formulas that have a quantifier alternation: the strongest ones that are true in all states seen
    /// (compare Frenkel et al., CAV 2024). Where functions make such formulas undecidable, relations stand for them.
    pub const EXISTS: Method = Method("exists");

    /// Returns all methods, the default first.
    pub fn all() -> impl Iterator<Item = Method> {
        METHODS.iter().map(|row| row.method)
    }

    /// Returns what it does, in a few words.
    pub fn help(self) -> &'static str {
        self.row().help
    }

    /// Returns the methods that take turns, in the order in which their answers count; itself alone for all but one.
    pub fn parts(self) -> &'static [Method] {
        match &self.row().kind {
            Kind::Engine { .. } => slice::from_ref(&self.row().method),
            Kind::Turns { parts, .. } => parts,
        }
    }

    /// Returns the method that joins the parts later, if there is one.
    pub(super) fn instead(self) -> Option<Method> {
        match self.row().kind {
            Kind::Engine { .. } => None,
            Kind::Turns { instead, .. } => Some(instead),
        }
    }

    /// Checks whether [`Options::template`](super::Options::template) is for it.
    pub fn takes_template(self) -> bool {
        self.row().input == Input::Template
    }

    /// Checks whether [`Options::prefixes`](super::Options::prefixes) are for it.
    pub fn takes_prefixes(self) -> bool {
        self.row().input == Input::Prefixes
    }

    /// Returns what it goes on to where there is no invariant.
    pub(super) fn refutes(self) -> Refutes {
        self.row().refutes
    }

    /// Checks whether an answer of this method may be that of another one: of itself, or of one that it gives turns to.
    pub(super) fn answers_by(self, other: Method) -> bool {
        self.parts().contains(&other) || self.instead() == Some(other)
    }

    /// Returns its row. Each method has one, which is a test.
    pub(super) fn row(self) -> &'static Row {
        METHODS.iter().find(|row| row.method == self).unwrap_or(&METHODS[0])
    }
}
