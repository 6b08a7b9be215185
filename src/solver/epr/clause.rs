//! Clauses whose terms may contain slots, and their simplification.

use smallvec::SmallVec;

use super::bank::{Bank, Head, Pattern, SlotId};
use super::symbols::{Rel, Symbols};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{SortId, VarId};

/// Maximum length of clauses in which duplicates are searched linearly.
const MAX_LINEAR_SEARCH: usize = 24;

/// An atom whose arguments may contain slots.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub(super) enum PatternAtom {
    /// A relation.
    Rel(Rel, SmallVec<[Pattern; 4]>),
    /// An equality.
    Eq(Pattern, Pattern),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PatternLit {
    pub(super) positive: bool,
    pub(super) atom: PatternAtom,
}

impl PatternLit {
    /// Returns the relation, if the literal is that a tuple is not in it.
    pub(super) fn negated_relation(&self) -> Option<Rel> {
        match self.atom {
            PatternAtom::Rel(rel, _) if !self.positive => Some(rel),
            _ => None,
        }
    }

    /// Returns the proposition, if the literal is that it is false.
    pub(super) fn proposition(&self) -> Option<Rel> {
        self.negated_relation().filter(|_| self.atom.args().is_empty())
    }
}

impl PatternAtom {
    pub(super) fn args(&self) -> SmallVec<[Pattern; 4]> {
        match self {
            PatternAtom::Rel(_, args) => args.clone(),
            PatternAtom::Eq(a, b) => SmallVec::from_slice(&[*a, *b]),
        }
    }
}

pub(super) type PatternClause = Vec<PatternLit>;

/// Values of universal variables of the formula, as patterns over the slots of a clause.
pub(super) type Bindings = Vec<(VarId, Pattern)>;

/// A clause, with the values of the formula's universal variables for which it was made. The values are kept only if
/// refutations are to be explained.
#[derive(Clone, Debug, Default)]
pub(super) struct Clause {
    pub(super) lits: PatternClause,
    pub(super) bindings: Bindings,
}

impl Clause {
    /// Returns whether it has no slot and no values of variables.
    pub(super) fn is_ground(&self, bank: &Bank) -> bool {
        let is_ground = |lit: &PatternLit| lit.atom.args().iter().all(|&arg| bank.is_ground(arg));
        self.bindings.is_empty() && self.lits.iter().all(is_ground)
    }

    /// Adds the literals and bindings of another clause.
    pub(super) fn extend(&mut self, other: &Clause) {
        self.lits.extend(other.lits.iter().cloned());
        for binding in &other.bindings {
            if !self.bindings.contains(binding) {
                self.bindings.push(*binding);
            }
        }
    }
}

/// Removes duplicate literals, trivial equalities, and variables determined by an equality (destructive equality
/// resolution). Returns `None` for tautologies.
///
/// If Skolem functions are arbitrary choices, no term replaces a variable in their arguments: all clauses about a choice
/// must be about the same instance, and instances are made of one term per element.
pub(super) fn simplify(
    symbols: &Symbols,
    bank: &mut Bank,
    clause: Clause,
    skolems_are_choices: bool,
) -> Option<Clause> {
    let Clause { lits: mut clause, mut bindings } = clause;
    loop {
        let mut chosen = Vec::new();
        if skolems_are_choices {
            let mut seen = Set::default();
            for arg in clause.iter().flat_map(|lit| lit.atom.args()) {
                bank.collect_skolem_slots(symbols, arg, &mut chosen, &mut seen);
            }
        }
        let solve = |bank: &Bank, slot, value| {
            solve_for_slot(bank, slot, value)
                .filter(|(number, _)| !chosen.contains(number) || matches!(bank.head(value), Head::Slot(_)))
        };
        let mut kept: PatternClause = Vec::with_capacity(clause.len());
        // In long clauses, the signs of the atoms seen so far.
        let mut signs: Map<PatternAtom, bool> = Map::default();
        let is_long = clause.len() > MAX_LINEAR_SEARCH;
        let mut binding = None;
        for lit in clause {
            if let PatternAtom::Eq(a, b) = lit.atom {
                if a == b {
                    if lit.positive {
                        return None;
                    }
                    continue;
                }
                if !lit.positive && binding.is_none() {
                    binding = solve(bank, a, b).or_else(|| solve(bank, b, a));
                    if binding.is_some() {
                        continue;
                    }
                }
            }
            let known = if is_long {
                signs.get(&lit.atom).copied()
            } else {
                kept.iter().find(|other| other.atom == lit.atom).map(|other| other.positive)
            };
            match known {
                Some(positive) if positive != lit.positive => return None,
                Some(_) => {}
                None => {
                    if is_long {
                        signs.insert(lit.atom.clone(), lit.positive);
                    }
                    kept.push(lit);
                }
            }
        }
        let Some((slot, value)) = binding else { return Some(Clause { lits: kept, bindings }) };
        for (_, term) in &mut bindings {
            *term = bank.replace_slot(symbols, *term, slot, value);
        }
        clause = kept
            .into_iter()
            .map(|lit| {
                let mut subst = |term| bank.replace_slot(symbols, term, slot, value);
                let atom = match lit.atom {
                    PatternAtom::Eq(a, b) => {
                        let (a, b) = (subst(a), subst(b));
                        PatternAtom::Eq(a.min(b), a.max(b))
                    }
                    PatternAtom::Rel(rel, args) => {
                        PatternAtom::Rel(rel, args.into_iter().map(subst).collect())
                    }
                };
                PatternLit { positive: lit.positive, atom }
            })
            .collect();
    }
}

/// Solves the literal `slot != value` for `slot`: in a clause, `slot` can be replaced by `value` if it does not occur
/// in `value`.
fn solve_for_slot(bank: &Bank, slot: Pattern, value: Pattern) -> Option<(SlotId, Pattern)> {
    let Head::Slot(number) = bank.head(slot) else { return None };
    let mut inside = Vec::new();
    bank.collect_slots(value, &mut inside);
    (!inside.contains(&number)).then_some((number, value))
}

/// Renumbers the slots of a clause from 0 in order of occurrence. Slots that were eliminated may have any value: in
/// bindings they are replaced by the constant that fills their sort. Counts the clauses in which a slot occurs in `uses`.
pub(super) fn renumber(
    symbols: &mut Symbols,
    bank: &mut Bank,
    sorts: &IdVec<SlotId, SortId>,
    uses: &mut IdVec<SlotId, u32>,
    clause: Clause,
) -> Clause {
    let Clause { lits, mut bindings } = clause;
    let mut order = Vec::new();
    for lit in &lits {
        for arg in lit.atom.args() {
            bank.collect_slots(arg, &mut order);
        }
    }
    let count = order.len();
    for &slot in &order {
        uses[slot] += 1;
    }
    // Eliminated slots, which only bindings have, come behind.
    for &(_, term) in &bindings {
        bank.collect_slots(term, &mut order);
    }
    let mut values: Vec<Pattern> = Vec::with_capacity(order.len());
    for (number, &slot) in order.iter().enumerate() {
        let sort = sorts[slot];
        values.push(if number < count {
            bank.slot(SlotId::new(number), sort)
        } else {
            let filler = symbols.filler(sort);
            bank.app(symbols, filler, &[])
        });
    }
    let mut rename = |term| {
        let by = |slot, term| order.iter().position(|&other| other == slot).map_or(term, |at| values[at]);
        bank.map_slots(symbols, term, &by, &mut Map::default())
    };
    for (_, term) in &mut bindings {
        *term = rename(*term);
    }
    let lits = lits
        .into_iter()
        .map(|lit| {
            let atom = match lit.atom {
                PatternAtom::Eq(a, b) => PatternAtom::Eq(rename(a), rename(b)),
                PatternAtom::Rel(rel, args) => {
                    PatternAtom::Rel(rel, args.into_iter().map(&mut rename).collect())
                }
            };
            PatternLit { positive: lit.positive, atom }
        })
        .collect();
    Clause { lits, bindings }
}
