//! Instances of the clauses of a part at the terms of atoms, in long searches.
//!
//! The parts of a disjunction have names. A candidate satisfies few of them, and at few places: a violation of a part shows that this part
//! and what asks for the place exclude each other, one pair per round. In a long search all clauses of a part that is violated are
//! instantiated at once, wherever an atom of a live clause matches a literal with all their variables (E-matching with such literals as
//! patterns). The SAT solver then excludes the part with all that it is incompatible with. No term is new, so there are no more instances
//! than pairs of a clause and an atom.

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};

use super::atoms::{AtomKind, Atoms, GroundClauses, GroundId};
use super::bank::{Pattern, SlotId};
use super::search::Query;
use super::solver::Solver;
use super::symbols::Rel;
use super::universal::{Arg, LitKind, LiteralId, UniversalClause, UniversalId};
use crate::sat::Var;

/// The atoms of the live clauses of a query.
#[derive(Default)]
pub(super) struct Matching {
    /// Number of live clauses whose atoms are listed.
    seen: usize,
    /// By atom, whether it is listed.
    is_listed: Vec<bool>,
    /// By relation, its atoms, each with the number of those that are listed before it.
    lists: IdVec<Rel, Vec<(usize, Var)>>,
    /// Number of atoms that are listed.
    count: usize,
    /// By name, what happened to the part.
    parts: Map<Rel, Part>,
}

#[derive(Clone, Copy, Default)]
struct Part {
    /// Number of candidates that have violated it.
    violations: u32,
    /// Number of atoms at which its clauses have been instantiated.
    done: usize,
}

/// Number of candidates that violate a part before all its clauses are instantiated at once.
const VIOLATIONS: u32 = 6;

impl Matching {
    /// Lists the atoms of the live clauses that were not seen.
    fn extend(&mut self, atoms: &Atoms, ground: &GroundClauses, live: &[GroundId]) {
        self.is_listed.resize(atoms.len(), false);
        for &clause in &live[std::mem::replace(&mut self.seen, live.len())..] {
            for var in ground.lits(clause).iter().map(|lit| lit.var()) {
                if let AtomKind::Rel(relation) = atoms.kind(var)
                    && !std::mem::replace(&mut self.is_listed[var.index()], true)
                {
                    self.lists.grow_to(relation.index() + 1, Vec::new);
                    self.lists[relation].push((self.count, var));
                    self.count += 1;
                }
            }
        }
    }

    /// Returns the atoms of a relation that were not among the first `done`.
    fn since(&self, relation: Rel, done: usize) -> impl Iterator<Item = Var> + '_ {
        let list = self.lists.get(relation).map_or(&[][..], Vec::as_slice);
        let start = list.partition_point(|&(number, _)| number < done);
        list[start..].iter().map(|&(_, var)| var)
    }

    /// Calls `found` with the terms of the variables of a clause, for each atom after the first `done` that matches a literal with all of
    /// them.
    fn matches(
        &self,
        clause: &UniversalClause,
        atoms: &Atoms,
        done: usize,
        mut found: impl FnMut(&[Pattern]) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let mut terms: Vec<Pattern> = Vec::new();
        for (number, literal) in clause.literals.iter().enumerate() {
            let LitKind::Rel(relation, _) = literal.kind else { continue };
            if literal.slots.len() < clause.slots.len() {
                continue;
            }
            for var in self.since(relation, done) {
                terms.clear();
                if terms_at(clause, LiteralId::new(number), atoms.args(var), &mut terms) {
                    found(&terms)?;
                }
            }
        }
        Ok(())
    }
}

/// Appends the terms of the variables of a clause with which one of its literals, about a relation and with all variables, has these
/// arguments. Returns `false` if there are none; what is appended then means nothing.
pub(super) fn terms_at(
    clause: &UniversalClause,
    literal: LiteralId,
    found: &[Pattern],
    terms: &mut Vec<Pattern>,
) -> bool {
    let LitKind::Rel(_, args) = &clause.literals[literal.index()].kind else { return false };
    let of_slot = |slot| args.iter().position(|&arg| arg == Arg::Slot(slot)).map(|at| found[at]);
    let fits = args.iter().zip(found).all(|(&arg, &term)| match arg {
        Arg::Slot(slot) => of_slot(slot) == Some(term),
        Arg::Ground(index) => clause.grounds[index as usize] == term,
        Arg::Compound(_) => false,
    });
    terms.extend((0..clause.slots.len()).map_while(|number| of_slot(SlotId::new(number))));
    fits
}

impl Solver {
    /// Adds the instances of the clauses of the parts with these names at the terms of live atoms. Clauses with functions of variables are
    /// left out: their instances may have new terms.
    pub(super) fn instantiate_parts(
        &mut self,
        query: &mut Query,
        names: &[Rel],
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let mut matching = std::mem::take(&mut query.matching);
        matching.extend(&self.atoms, &self.ground, &query.live);
        let mut found: Vec<Pattern> = Vec::new();
        for &name in names {
            let part = matching.parts.entry(name).or_default();
            part.violations += 1;
            if part.violations < VIOLATIONS {
                continue;
            }
            let done = std::mem::replace(&mut part.done, matching.count);
            let named = self.active.named(name).filter(|&id| !self.resting.contains(id));
            let clauses: Vec<UniversalId> = named.collect();
            for id in clauses {
                let clause = &self.universals[id];
                if !clause.compounds.is_empty() {
                    continue;
                }
                found.clear();
                matching.matches(clause, &self.atoms, done, |terms| {
                    budget.spend(1)?;
                    if self.instances.get(id, terms).is_none() {
                        found.extend_from_slice(terms);
                    }
                    Ok(())
                })?;
                let slots = clause.slots.len();
                let pattern = std::mem::take(&mut self.universals[id].pattern);
                found.chunks_exact(slots).for_each(|terms| self.add_instance(query, id, &pattern, terms));
                self.universals[id].pattern = pattern;
            }
        }
        query.matching = matching;
        Ok(())
    }
}
