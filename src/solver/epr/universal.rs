//! Universal clauses, compiled for the search for violated instances.

use super::bank::{Bank, Head, Pattern, SlotId};
use super::clause::{PatternAtom, PatternClause};
use super::symbols::{Fun, Rel};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::SortId;
use ramsey_core::typed_id;

typed_id! {
    /// A universal clause.
    pub(crate) struct UniversalId;
    /// A function application that contains variables, numbered within the clause.
    pub(crate) struct CompoundId;
    /// A literal of a universal clause, numbered within the clause.
    pub(crate) struct LiteralId;
}

/// An argument of a literal or function application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arg {
    /// The value of a variable.
    Slot(SlotId),
    /// The value of a function application, by index into [`UniversalClause::compounds`].
    Compound(CompoundId),
    /// The value of a ground term, by index into [`UniversalClause::grounds`].
    Ground(u32),
}

/// A function application that contains variables.
#[derive(Clone, Debug)]
pub(crate) struct Compound {
    pub(crate) fun: Fun,
    pub(crate) args: Box<[Arg]>,
    /// Variables that must be bound before it can be computed.
    pub(crate) slots: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum LitKind {
    Rel(Rel, Box<[Arg]>),
    Eq(Arg, Arg),
}

#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub(crate) positive: bool,
    pub(crate) kind: LitKind,
    /// The variables that occur in it.
    pub(crate) slots: u64,
    /// The compounds that it reads, transitively.
    pub(crate) compounds: u64,
}

/// `forall slots. l1 | .. | ln`.
#[derive(Clone, Debug)]
pub(crate) struct UniversalClause {
    pub(crate) slots: Box<[SortId]>,
    pub(crate) literals: Box<[Literal]>,
    /// Inner applications come before outer ones.
    pub(crate) compounds: Box<[Compound]>,
    /// The maximal ground terms in it.
    pub(crate) grounds: Box<[Pattern]>,
    /// The clause over patterns, from which instances are made.
    pub(crate) pattern: PatternClause,
    /// Index of the open scope in which it is asserted; `None` outside of all scopes.
    pub(crate) scope: Option<usize>,
}

/// Maximum number of slots and of compounds, because sets of them are single words.
pub(crate) const MAX_SLOTS: usize = 64;

impl UniversalClause {
    /// Compiles a clause. Returns `None` if it has more variables or function applications than fit in a word.
    pub(crate) fn new(bank: &Bank, pattern: PatternClause, scope: Option<usize>) -> Option<UniversalClause> {
        UniversalClause::compile(bank, pattern, scope, false)
    }

    /// Like [`Self::new`], but decomposes ground terms like other terms, so that no [`Arg::Ground`] occurs.
    pub(crate) fn flattened(bank: &Bank, pattern: PatternClause) -> Option<UniversalClause> {
        UniversalClause::compile(bank, pattern, None, true)
    }

    fn compile(
        bank: &Bank,
        pattern: PatternClause,
        scope: Option<usize>,
        flatten: bool,
    ) -> Option<UniversalClause> {
        let mut compiler = Compiler { flatten, ..Compiler::default() };
        let mut literals = Vec::new();
        for lit in &pattern {
            let args: Vec<Arg> =
                lit.atom.args().iter().map(|&arg| compiler.compile_term(bank, arg)).collect();
            let mut slot_set = 0;
            let mut compound_set = 0;
            for &arg in &args {
                if compiler.compounds.len() > MAX_SLOTS || compiler.slots.len() > MAX_SLOTS {
                    return None;
                }
                slot_set |= compiler.slots_of(arg);
                compound_set |= compiler.compounds_of(arg);
            }
            let kind = match &lit.atom {
                PatternAtom::Rel(rel, _) => LitKind::Rel(*rel, args.into()),
                PatternAtom::Eq(..) => LitKind::Eq(args[0], args[1]),
            };
            literals.push(Literal { positive: lit.positive, kind, slots: slot_set, compounds: compound_set });
        }
        Some(UniversalClause {
            slots: compiler.slots.into(),
            literals: literals.into(),
            compounds: compiler.compounds.into_iter().map(|(_, compound)| compound).collect(),
            grounds: compiler.grounds.into(),
            pattern,
            scope,
        })
    }
}

/// State of the compilation of one clause.
#[derive(Default)]
struct Compiler {
    slots: Vec<SortId>,
    compounds: Vec<(Pattern, Compound)>,
    /// By compound, the set of itself and its transitive arguments.
    below: Vec<u64>,
    grounds: Vec<Pattern>,
    /// Whether ground terms are decomposed.
    flatten: bool,
}

impl Compiler {
    fn compile_term(&mut self, bank: &Bank, term: Pattern) -> Arg {
        if bank.is_ground(term) && !self.flatten {
            let index = self.grounds.iter().position(|&known| known == term).unwrap_or_else(|| {
                self.grounds.push(term);
                self.grounds.len() - 1
            });
            return Arg::Ground(index as u32);
        }
        match bank.head(term) {
            Head::Slot(slot) => {
                let index = slot.index();
                if self.slots.len() <= index {
                    self.slots.resize(index + 1, SortId::BOOL);
                }
                self.slots[index] = bank.sort(term);
                Arg::Slot(slot)
            }
            Head::Fun(fun) => {
                // A clause with too many compounds is rejected in any case.
                let is_enough = self.compounds.len() > MAX_SLOTS;
                let known = self.compounds.iter().position(|(known, _)| *known == term);
                if let Some(index) = known.or(is_enough.then_some(0)) {
                    return Arg::Compound(CompoundId::new(index));
                }
                let args: Vec<Arg> =
                    bank.args(term).iter().map(|&arg| self.compile_term(bank, arg)).collect();
                let slots = args.iter().fold(0, |set, &arg| set | self.slots_of(arg));
                let inner = args.iter().fold(0, |set, &arg| set | self.compounds_of(arg));
                self.below.push(inner | bit(self.compounds.len()));
                self.compounds.push((term, Compound { fun, args: args.into(), slots }));
                Arg::Compound(CompoundId::new(self.compounds.len() - 1))
            }
        }
    }

    fn slots_of(&self, arg: Arg) -> u64 {
        match arg {
            Arg::Slot(slot) => bit(slot.index()),
            Arg::Compound(index) => self.compounds[index.index()].1.slots,
            Arg::Ground(_) => 0,
        }
    }

    fn compounds_of(&self, arg: Arg) -> u64 {
        match arg {
            Arg::Compound(index) => self.below[index.index()],
            _ => 0,
        }
    }
}

/// Bits beyond the word are ignored, because the clause is rejected in any case.
fn bit(index: usize) -> u64 {
    1u64.checked_shl(index as u32).unwrap_or(0)
}
