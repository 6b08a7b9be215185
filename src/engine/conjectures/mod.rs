//! Conjectures that exclude a state, ranked.
//!
//! Upper bounds of the generalization are the facts of the state without those about up to two relations, and those about
//! up to two of the relations that change, at several numbers of steps; executions are unrolled once for all of them.
//! What is true for few steps and false after some more, or in an execution of a small instance, is refuted. The others are
//! ranked: those that complete the proof first, then inductive ones, then those that exclude all counterexamples, that have
//! few relations that change, and few facts.

mod candidate;
mod subsets;

use std::fmt;
use std::sync::Arc;

use crate::infer::Exploration;
use crate::query::cti::{with_invariant, without_invariants};
use crate::query::generalize::{Generalizer, Options, check_induction, conjecture};
use crate::query::verify;
use crate::query::{Limits, Outcome, Plan, implies};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Structure, TermId};
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;
use ramsey_solver::formulas::Partial;

use candidate::rank;
use subsets::subsets;

pub use candidate::{Candidate, Merit};

/// Maximum number of suggestions.
const MAX: usize = 12;
/// Maximum number of steps for which those that one more step refutes are generalized again.
const MAX_AGAIN: u16 = 3;
/// Number of steps that suggestions survive.
const SURVIVED: u16 = 6;
/// Maximum number of claims of which it is asked whether a conjecture makes them unnecessary: each takes all obligations.
const MOST_UNNECESSARY: usize = 40;
/// Work units for exploring small instances of a model, by whose states conjectures are refuted.
pub const EXPLORATION: u64 = 200_000_000;
/// Work units of a question about more steps than the caller asked for.
const DEEPER: u64 = 3_000_000;

/// Suggestions in progress. After each step the candidates are ranked by what is known by then.
pub struct Suggester<'a> {
    system: &'a System,
    /// The facts of the state, and the indices of those that stay.
    upper: &'a Partial,
    kept: &'a [usize],
    /// The number of steps within which conjectures are true at first.
    bound: u16,
    limits: &'a Limits,
    generalizer: Generalizer,
    candidates: Vec<Candidate>,
    /// Each upper bound with what it was generalized to.
    cores: Vec<(Vec<usize>, Vec<usize>)>,
    /// The formulas of all candidates.
    seen: Set<String>,
}

impl fmt::Debug for Suggester<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suggester").field("candidates", &self.candidates).finish_non_exhaustive()
    }
}

impl<'a> Suggester<'a> {
    /// Generalizes a state with these facts, of which those at the indices `kept` stay: finds candidates that are true within
    /// this number of steps.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn new(
        system: &'a System,
        (upper, kept): (&'a Partial, &'a [usize]),
        bound: u16,
        limits: &'a Limits,
    ) -> Result<Suggester<'a>, Failure> {
        let options = Options { bound, ..Options::default() };
        let generalizer = Generalizer::new(system, upper, &options, limits)?;
        let (candidates, cores, seen) = (Vec::new(), Vec::new(), Set::default());
        let mut suggester =
            Suggester { system, upper, kept, bound, limits, generalizer, candidates, cores, seen };
        for all in subsets(upper, kept, system) {
            if let Some(core) = suggester.generalizer.generalize(&all, kept, limits)? {
                suggester.add(core.clone());
                suggester.cores.push((all, core));
            }
        }
        rank(&mut suggester.candidates);
        Ok(suggester)
    }

    /// Returns the candidates that are not refuted, as many as are suggested, the best first.
    pub fn suggestions(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|it| it.refuted.is_none()).take(MAX)
    }

    /// Returns all candidates, the best first.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns the number of steps that were looked at.
    fn depth(&self) -> u16 {
        self.generalizer.bound()
    }

    fn add(&mut self, facts: Vec<usize>) {
        let partial = self.generalizer.partial(&facts).without_strays(&self.system.sig);
        let candidate = Candidate::new(self.system, facts, partial, self.generalizer.bound());
        if self.seen.insert(candidate.formula.clone()) {
            self.candidates.push(candidate);
        }
    }

    /// Refutes and refines candidates by the states explored and by executions of more steps, and asks which of the suggestions
    /// are inductive. After each of these `tell` is called, and has the number of steps that were looked at if these are more.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, or if evaluation contradicts the search.
    pub fn improve(
        &mut self,
        exploration: &Exploration,
        tell: &mut dyn FnMut(&Suggester<'_>, Option<u16>),
    ) -> Result<(), Failure> {
        self.explore(exploration)?;
        tell(self, None);
        self.refine(exploration)?;
        tell(self, None);
        while self.deepen(exploration)? {
            tell(self, Some(self.depth()));
        }
        self.settle()?;
        tell(self, None);
        Ok(())
    }

    /// Refutes candidates that are false in a state explored.
    fn explore(&mut self, exploration: &Exploration) -> Result<(), Failure> {
        for candidate in self.candidates.iter_mut().filter(|it| it.refuted.is_none()) {
            let (with_formula, formula) = conjecture(self.system, &candidate.partial);
            let budget = &mut self.limits.budget();
            if let Some(found) = exploration.reach(&with_formula, &candidate.partial, formula, budget)? {
                candidate.refuted = u16::try_from(found.calls.len()).ok();
                candidate.explored = true;
            }
        }
        rank(&mut self.candidates);
        Ok(())
    }

    /// Adds candidates with more facts where states explored refute the ones with few.
    fn refine(&mut self, exploration: &Exploration) -> Result<(), Failure> {
        for at in 0..self.cores.len() {
            let (all, core) = self.cores[at].clone();
            if let Some(facts) = self.refined(exploration, &all, &core)? {
                self.add(facts.clone());
                self.cores[at].1 = facts;
            }
        }
        rank(&mut self.candidates);
        Ok(())
    }

    /// Looks at executions of one more step, and generalizes once more what the first such step refutes. Returns `false` once
    /// enough steps were looked at, or more would take too much work.
    fn deepen(&mut self, exploration: &Exploration) -> Result<bool, Failure> {
        if self.depth() >= SURVIVED {
            return Ok(false);
        }
        let work = self.limits.work.map_or(DEEPER, |work| work.min(DEEPER));
        let shallow = Limits { work: Some(work), ..self.limits.clone() };
        let sets: Vec<Vec<usize>> = self.candidates.iter().map(|it| it.facts.clone()).collect();
        let excluded = match self.generalizer.extend(&sets, &shallow) {
            Ok(excluded) => excluded,
            Err(Exhausted::Cancelled) => return Err(Exhausted::Cancelled.into()),
            // What is known of fewer steps has to do.
            Err(_) => return Ok(false),
        };
        let depth = self.depth();
        for (candidate, is_excluded) in self.candidates.iter_mut().zip(excluded) {
            candidate.judge(is_excluded, depth);
        }
        if depth == self.bound + 1 && self.bound <= MAX_AGAIN {
            let refuted = self.candidates.iter().filter(|it| it.refuted.is_some());
            let refuted: Vec<Vec<usize>> = refuted.map(|it| it.facts.clone()).collect();
            for (all, _) in self.cores.clone().iter().filter(|(_, core)| refuted.contains(core)) {
                if let Some(core) = self.generalizer.generalize(all, self.kept, self.limits)? {
                    let facts = self.refined(exploration, all, &core)?;
                    self.add(facts.unwrap_or(core));
                }
            }
            self.explore(exploration)?;
        }
        rank(&mut self.candidates);
        Ok(true)
    }

    /// Removes candidates that the axioms make equivalent to others, and asks which of the suggestions are inductive.
    fn settle(&mut self) -> Result<(), Failure> {
        self.merge()?;
        let Suggester { system, limits, candidates, .. } = self;
        for candidate in good(candidates) {
            let (with_formula, formula) = conjecture(system, &candidate.partial);
            candidate.inductive = check_induction(&with_formula, formula, 0, limits).unless_cancelled()?;
        }
        rank(candidates);
        Ok(())
    }

    /// Asks what the suggestions would do, among others for these counterexamples to an obligation.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn judge(&mut self, counterexamples: &[&Structure]) -> Result<(), Failure> {
        let Suggester { system, limits, candidates, .. } = self;
        for candidate in good(candidates) {
            candidate.merit = Some(merit(system, &candidate.partial, counterexamples, limits)?);
        }
        rank(candidates);
        Ok(())
    }

    /// Removes candidates that the axioms make equivalent to another one with fewer facts.
    fn merge(&mut self) -> Result<(), Failure> {
        let mut with_all = self.system.clone();
        let candidates = &mut self.candidates;
        let formulas = candidates.iter().map(|it| it.partial.conjecture(with_all.syntax_mut()));
        let formulas: Vec<TermId> = formulas.collect();
        let mut redundant = vec![false; candidates.len()];
        for at in 0..candidates.len().min(MAX) {
            for before in 0..at {
                if redundant[before] || redundant[at] || candidates[before].refuted != candidates[at].refuted
                {
                    continue;
                }
                let implied = |a, b| implies(&with_all, a, b, self.limits);
                redundant[at] =
                    implied(formulas[before], formulas[at])? && implied(formulas[at], formulas[before])?;
            }
        }
        let mut flags = redundant.into_iter();
        candidates.retain(|_| !flags.next().unwrap_or(false));
        Ok(())
    }

    /// Returns some of the facts at the indices `all`, which no state explored has and no state within the bound, and
    /// without each of which there is one that has them. `core` is what excludes the states within the bound. `None` if it
    /// excludes all states, or a state has all facts.
    fn refined(
        &mut self,
        exploration: &Exploration,
        all: &[usize],
        core: &[usize],
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        let Suggester { system, upper, kept, limits, generalizer, .. } = self;
        let has = |facts: &[usize]| {
            let facts = facts.iter().map(|&fact| upper.facts[fact].clone()).collect();
            exploration.has(system, &Partial { facts }, &mut limits.budget())
        };
        if !has(core)? || has(all)? {
            return Ok(None);
        }
        // Relations that change are dispensable first, disequalities last: most are gone with their elements.
        let mut order: Vec<usize> = all.iter().copied().filter(|fact| !kept.contains(fact)).collect();
        order.sort_by_key(|&fact| {
            let symbol = upper.facts[fact].symbol();
            let kind = symbol.map_or(2, |sym| u8::from(!system.sig.symbols[sym].kind.is_mutable()));
            (core.contains(&fact), kind)
        });
        let mut facts = all.to_vec();
        for dropped in order {
            let rest: Vec<usize> = facts.iter().copied().filter(|&fact| fact != dropped).collect();
            let needs_core = core.contains(&dropped);
            if !has(&rest)? && (!needs_core || generalizer.is_excluded(&rest, limits)?) {
                facts = rest;
            }
        }
        Ok(Some(facts))
    }
}

/// Returns those that are not refuted, as many as are suggested.
fn good(candidates: &mut [Candidate]) -> impl Iterator<Item = &mut Candidate> {
    candidates.iter_mut().filter(|it| it.refuted.is_none()).take(MAX)
}

/// Returns what a conjecture would do.
fn merit(
    system: &System,
    partial: &Partial,
    counterexamples: &[&Structure],
    limits: &Limits,
) -> Result<Merit, Failure> {
    let mut excludes = 0;
    for structure in counterexamples {
        excludes += usize::from(partial.is_in(&system.sig, structure, 0, &mut limits.budget())?);
    }
    let (with_formula, formula) = conjecture(system, partial);
    let fails = failures(&with_formula, formula, &[], limits);
    let mut unnecessary = Vec::new();
    if fails == 0 && system.invariants.len() <= MOST_UNNECESSARY {
        for (index, invariant) in system.invariants.iter().enumerate().filter(|(_, it)| !it.is_safety) {
            if failures(&with_formula, formula, &[index], limits) == 0 {
                unnecessary.push(invariant.label.clone());
            }
        }
    }
    Ok(Merit { excludes, of: counterexamples.len(), fails, unnecessary })
}

/// Returns the number of obligations that do not hold with another claim and without some.
fn failures(system: &System, added: TermId, removed: &[usize], limits: &Limits) -> usize {
    let system = without_invariants(&with_invariant(system, added), removed);
    let options = verify::Options { all: true, minimize: false, ..verify::Options::default() };
    let verification = Plan::new(Arc::new(system), options).run(limits);
    let holds = |outcome: &Outcome| matches!(outcome, Outcome::Holds { .. });
    verification.results.iter().filter(|result| !holds(&result.outcome)).count()
}
