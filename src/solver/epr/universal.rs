//! Universal clauses, compiled for the search for violated instances.

use std::iter::repeat;

use smallvec::SmallVec;

use super::bank::{Bank, Head, Pattern, SlotId};
use super::clause::{PatternAtom, PatternClause};
use super::symbols::{Fun, Rel};
use ramsey_core::base::hash::Map;
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
    pub(crate) slots: SlotSet,
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
    pub(crate) slots: SlotSet,
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
    /// The number of its assertion.
    pub(crate) assertion: u32,
}

/// A set of variables of a clause.
#[derive(Clone, Default, Debug)]
pub(crate) struct SlotSet {
    /// Bit `n` of word `w` is set for variable `64 w + n`. Most clauses have one word.
    words: SmallVec<[u64; 1]>,
}

impl SlotSet {
    pub(crate) fn insert(&mut self, slot: SlotId) {
        let (word, bit) = (slot.index() / 64, slot.index() % 64);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    pub(crate) fn extend(&mut self, other: &SlotSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn contains(&self, slot: SlotId) -> bool {
        self.words.get(slot.index() / 64).is_some_and(|word| word >> (slot.index() % 64) & 1 == 1)
    }

    pub(crate) fn is_within(&self, other: &SlotSet) -> bool {
        let others = other.words.iter().copied().chain(repeat(0));
        self.words.iter().zip(others).all(|(word, other)| word & !other == 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl UniversalClause {
    /// Compiles a clause.
    pub(crate) fn new(
        bank: &Bank,
        pattern: PatternClause,
        scope: Option<usize>,
        assertion: u32,
    ) -> UniversalClause {
        UniversalClause { scope, assertion, ..UniversalClause::compile(bank, pattern, false) }
    }

    /// Like [`Self::new`], but decomposes ground terms like other terms, so that no [`Arg::Ground`] occurs.
    pub(crate) fn flattened(bank: &Bank, pattern: PatternClause) -> UniversalClause {
        UniversalClause::compile(bank, pattern, true)
    }

    fn compile(bank: &Bank, pattern: PatternClause, flatten: bool) -> UniversalClause {
        let mut compiler = Compiler { flatten, ..Compiler::default() };
        let mut literals = Vec::new();
        for lit in &pattern {
            let args: Vec<Arg> =
                lit.atom.args().iter().map(|&arg| compiler.compile_term(bank, arg)).collect();
            let mut slots = SlotSet::default();
            args.iter().for_each(|&arg| compiler.add_slots(arg, &mut slots));
            let kind = match &lit.atom {
                PatternAtom::Rel(rel, _) => LitKind::Rel(*rel, args.into()),
                PatternAtom::Eq(..) => LitKind::Eq(args[0], args[1]),
            };
            literals.push(Literal { positive: lit.positive, kind, slots });
        }
        UniversalClause {
            slots: compiler.slots.into(),
            literals: literals.into(),
            compounds: compiler.compounds.into(),
            grounds: compiler.grounds.into(),
            pattern,
            scope: None,
            assertion: 0,
        }
    }
}

/// State of the compilation of one clause.
#[derive(Default)]
struct Compiler {
    slots: Vec<SortId>,
    compounds: Vec<Compound>,
    grounds: Vec<Pattern>,
    /// What the terms seen so far are.
    known: Map<Pattern, Arg>,
    /// Whether ground terms are decomposed.
    flatten: bool,
}

impl Compiler {
    fn compile_term(&mut self, bank: &Bank, term: Pattern) -> Arg {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let arg = self.new_term(bank, term);
        self.known.insert(term, arg);
        arg
    }

    fn new_term(&mut self, bank: &Bank, term: Pattern) -> Arg {
        if bank.is_ground(term) && !self.flatten {
            self.grounds.push(term);
            return Arg::Ground(self.grounds.len() as u32 - 1);
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
                let args: Vec<Arg> =
                    bank.args(term).iter().map(|&arg| self.compile_term(bank, arg)).collect();
                let mut slots = SlotSet::default();
                args.iter().for_each(|&arg| self.add_slots(arg, &mut slots));
                self.compounds.push(Compound { fun, args: args.into(), slots });
                Arg::Compound(CompoundId::new(self.compounds.len() - 1))
            }
        }
    }

    fn add_slots(&self, arg: Arg, slots: &mut SlotSet) {
        match arg {
            Arg::Slot(slot) => slots.insert(slot),
            Arg::Compound(index) => slots.extend(&self.compounds[index.index()].slots),
            Arg::Ground(_) => {}
        }
    }
}
