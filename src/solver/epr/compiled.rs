//! Clauses as the search for finite models has them.

use std::cmp::Reverse;

use super::active::Active;
use super::atoms::{AtomKind, Atoms};
use super::bank::{Bank, Pattern};
use super::clause::{PatternAtom, PatternClause, PatternLit};
use super::settled::Settled;
use super::symbols::{Rel, Symbols};
use super::universal::{UniversalClause, UniversalId};
use crate::sat::Lit;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::SortId;

/// The clauses of a query, compiled for the search for finite models.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledClauses {
    pub(super) clauses: IdVec<UniversalId, UniversalClause>,
    /// All of them, by what they need to be violated.
    pub(super) active: Active,
    /// What each of them depends on. No search is noted here.
    pub(super) settled: Settled,
    /// Assumed truth values of relations without arguments.
    pub(super) assumed: Vec<(Rel, bool)>,
    /// Sorts with a number of elements that each model has at least.
    pub(super) least: Map<SortId, u32>,
}

impl CompiledClauses {
    /// Compiles clauses under these assumptions.
    pub(crate) fn new<'a>(
        symbols: &Symbols,
        bank: &Bank,
        atoms: &Atoms,
        patterns: impl Iterator<Item = &'a PatternClause>,
        ground: impl Iterator<Item = &'a [Lit]>,
        assumptions: &[Lit],
    ) -> CompiledClauses {
        let (mut clauses, mut active) = (IdVec::new(), Active::default());
        let mut settled = Settled::default();
        let mut add = |pattern: PatternClause| {
            let proposition = pattern.iter().find_map(PatternLit::proposition);
            let id = clauses.push(UniversalClause::flattened(bank, pattern));
            settled.push(&clauses[id], |function| symbols.funs[function].result);
            let relations = clauses[id].pattern.iter().filter_map(PatternLit::negated_relation);
            active.push(id, proposition, relations);
        };
        for pattern in patterns {
            add(pattern.clone());
        }
        let mut different = Different::default();
        let assumed_lits: Set<Lit> = assumptions.iter().copied().collect();
        for lits in ground {
            let mut open = lits.iter().filter(|&&lit| !assumed_lits.contains(&!lit));
            if let (Some(&lit), None) = (open.next(), open.next())
                && lit.is_negative()
                && let (AtomKind::Eq, &[a, b]) = (atoms.kind(lit.var()), atoms.args(lit.var()))
            {
                different.add(a, b);
            }
            // Clauses without literals are trivially true here, because a false one would have ended the query.
            if !lits.is_empty() {
                add(lits.iter().map(|&lit| pattern_literal(atoms, lit)).collect());
            }
        }
        let assumed = assumptions
            .iter()
            .filter_map(|lit| match atoms.kind(lit.var()) {
                AtomKind::Rel(rel) => Some((rel, !lit.is_negative())),
                AtomKind::Eq => None,
            })
            .collect();
        CompiledClauses { clauses, active, settled, assumed, least: different.least(bank) }
    }
}

/// Pairs of ground terms with different values.
#[derive(Default)]
struct Different {
    pairs: Set<(Pattern, Pattern)>,
    /// By term, the number of pairs.
    counts: Map<Pattern, u32>,
}

impl Different {
    fn add(&mut self, a: Pattern, b: Pattern) {
        if self.pairs.insert((a.min(b), a.max(b))) {
            *self.counts.entry(a).or_default() += 1;
            *self.counts.entry(b).or_default() += 1;
        }
    }

    /// Returns numbers of terms that are different from each other, by sort. They are chosen greedily, those first that differ from
    /// the most.
    fn least(self, bank: &Bank) -> Map<SortId, u32> {
        let mut terms: Vec<(u32, Pattern)> =
            self.counts.iter().map(|(&term, &count)| (count, term)).collect();
        terms.sort_unstable_by_key(|&(count, term)| (Reverse(count), term));
        let mut chosen: Map<SortId, Vec<Pattern>> = Map::default();
        for (_, term) in terms {
            let others = chosen.entry(bank.sort(term)).or_default();
            if others.iter().all(|&other| self.pairs.contains(&(term.min(other), term.max(other)))) {
                others.push(term);
            }
        }
        chosen.into_iter().map(|(sort, terms)| (sort, terms.len() as u32)).collect()
    }
}

fn pattern_literal(atoms: &Atoms, lit: Lit) -> PatternLit {
    let args = atoms.args(lit.var());
    let atom = match atoms.kind(lit.var()) {
        AtomKind::Rel(rel) => PatternAtom::Rel(rel, args.into()),
        AtomKind::Eq => PatternAtom::Eq(args[0], args[1]),
    };
    PatternLit { positive: !lit.is_negative(), atom }
}
