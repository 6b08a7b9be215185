//! Questions about sets of facts, on solvers that are kept between them.

use std::sync::Arc;

use super::{Options, Stage, cycles};
use crate::query::unroll::{Start, Unrolling};
use crate::query::verify::Limits;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Elem, SortId, Structure, SymId, Symbol, TermId, element_name};
use ramsey_core::system::System;
use ramsey_solver::ask::{Failure, HypothesisId};
use ramsey_solver::formulas::{Fact, Partial};

/// What is known of the states with some of the facts.
pub(super) enum Verdict {
    /// No state has all facts; these facts suffice to exclude it.
    Excluded(Vec<usize>),
    /// A state may have the facts after this number of steps.
    Reached(u16),
    /// The state with this index in [`Options::reached`] has the facts.
    Known(usize),
}

/// The solvers of a generalization.
pub(super) struct Run {
    /// By number of steps: the unrolling, and the hypothesis of each fact.
    depths: Vec<(Unrolling, Vec<HypothesisId>)>,
    /// The unrolling of the last of these, without the facts.
    longest: Unrolling,
    /// The facts.
    facts: Vec<Fact>,
    /// The facts, as literals over constants.
    literals: Vec<TermId>,
    /// [`Options::reached`].
    reached: Vec<Structure>,
    /// Whether questions about initial states, and about later states, lie outside stratified EPR.
    is_outside: [bool; 2],
}

impl Run {
    /// Returns the budget of a question about the states after `depth` steps.
    fn budget(&self, depth: usize, limits: &Limits) -> Budget {
        limits.budget_of(self.is_outside[depth.min(1)])
    }

    /// Creates the solvers for up to [`Options::bound`] steps.
    pub(super) fn new(
        system: &System,
        upper: &Partial,
        options: &Options,
        limits: &Limits,
    ) -> Result<Run, Failure> {
        let mut system = system.clone();
        let mut constants: Map<(SortId, Elem), TermId> = Map::default();
        for (sort, elem) in upper.elements(&system.sig) {
            let symbol = Symbol::parameter(element_name(&system.sig, sort, elem), sort);
            let sym: SymId = system.sig.symbols.push(symbol);
            constants.insert((sort, elem), system.terms.app(&system.sig, sym, 0, &[]));
        }
        let name = |sort: SortId, elem: Elem| constants[&(sort, elem)];
        let literal = |fact: &Fact| fact.literal(system.syntax_mut(), 0, &name);
        let literals: Vec<TermId> = upper.facts.iter().map(literal).collect();
        let longest = Unrolling::new(Arc::new(system), Start::Initial, options.seed, options.clock);
        let bound = options.bound.max(options.deepen);
        let is_outside = cycles(&longest, &literals, bound).map(|cycle| cycle.is_some());
        let facts = upper.facts.clone();
        let reached = options.reached.clone();
        let mut run = Run { depths: Vec::new(), longest, facts, literals, reached, is_outside };
        let mut budget = limits.budget();
        for depth in 0..=options.bound {
            budget.check()?;
            if depth > 0 {
                run.longest.extend(&mut budget);
            }
            run.add_depth(&mut budget);
        }
        Ok(run)
    }

    /// Adds the facts to a copy of the longest unrolling.
    fn add_depth(&mut self, budget: &mut Budget) {
        let mut here = self.longest.clone();
        let depth = here.depth();
        let hypotheses = self
            .literals
            .iter()
            .map(|&literal| {
                let literal = here.at(literal, depth);
                here.context_mut().add(literal, budget)
            })
            .collect();
        self.depths.push((here, hypotheses));
    }

    /// Adds executions of one more step.
    pub(super) fn extend(&mut self, budget: &mut Budget) {
        self.longest.extend(budget);
        self.add_depth(budget);
    }

    /// Checks whether no state after exactly `depth` steps has these facts.
    pub(super) fn excludes_at(
        &mut self,
        depth: u16,
        facts: &[usize],
        limits: &Limits,
    ) -> Result<bool, Exhausted> {
        Ok(self.needed_at(depth.into(), facts, limits)?.is_some())
    }

    /// Continues with executions of one more step. If a state with the facts is reached, takes back as few of the facts
    /// below `all` as exclude it, and returns them; `None` if a state with all facts is reached.
    pub(super) fn deepen(
        &mut self,
        facts: &mut Vec<usize>,
        all: usize,
        limits: &Limits,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        self.extend(&mut limits.budget());
        let depth = self.depths.len() - 1;
        if self.needed_at(depth, facts, limits)?.is_some() {
            return Ok(Some(Vec::new()));
        }
        let everything: Vec<usize> = (0..all).collect();
        let Some(core) = self.needed_at(depth, &everything, limits)? else { return Ok(None) };
        let mut more: Vec<usize> = core.into_iter().filter(|fact| !facts.contains(fact)).collect();
        // Later facts are those that are dropped late otherwise.
        for fact in more.clone() {
            let rest: Vec<usize> = more.iter().copied().filter(|&other| other != fact).collect();
            if !more.contains(&fact) {
                continue;
            }
            if let Some(core) = self.needed_at(depth, &[&facts[..], &rest[..]].concat(), limits)? {
                more = rest.into_iter().filter(|fact| core.contains(fact)).collect();
            }
        }
        facts.extend(&more);
        facts.sort_unstable();
        Ok(Some(more))
    }

    /// Returns the facts without this one, or all of them if the others do not suffice within `bound` steps.
    pub(super) fn drop(
        &mut self,
        facts: &[usize],
        fact: usize,
        bound: u16,
        limits: &Limits,
    ) -> Result<Vec<usize>, Exhausted> {
        let rest: Vec<usize> = facts.iter().copied().filter(|&other| other != fact).collect();
        if self.known(&rest, limits)?.is_some() {
            return Ok(facts.to_vec());
        }
        for depth in 0..=usize::from(bound) {
            if self.needed_at(depth, &rest, limits)?.is_none() {
                return Ok(facts.to_vec());
            }
        }
        Ok(rest)
    }

    /// Returns a known state that has these facts.
    fn known(&self, facts: &[usize], limits: &Limits) -> Result<Option<usize>, Exhausted> {
        if self.reached.is_empty() {
            return Ok(None);
        }
        let mut budget = limits.budget();
        let partial = Partial { facts: facts.iter().map(|&fact| self.facts[fact].clone()).collect() };
        let sig = &self.longest.system().sig;
        for (index, state) in self.reached.iter().enumerate() {
            if partial.is_in(sig, state, 0, &mut budget)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Returns those of the facts that suffice to exclude a state after `depth` steps, or `None` if one is reached.
    fn needed_at(
        &mut self,
        depth: usize,
        facts: &[usize],
        limits: &Limits,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        let mut budget = self.budget(depth, limits);
        let (unrolling, hypotheses) = &mut self.depths[depth];
        let wanted: Vec<HypothesisId> = facts.iter().map(|&fact| hypotheses[fact]).collect();
        let context = unrolling.context_mut();
        budget.check()?;
        if context.search(&wanted, &mut budget)? {
            return Ok(None);
        }
        let needed = context.needed(&wanted);
        Ok(Some(facts.iter().copied().filter(|&fact| needed.contains(&hypotheses[fact])).collect()))
    }

    /// Checks whether no state within the bound has these facts.
    pub(super) fn excludes(&mut self, facts: &[usize], limits: &Limits) -> Result<Verdict, Exhausted> {
        if let Some(index) = self.known(facts, limits)? {
            return Ok(Verdict::Known(index));
        }
        let mut core: Vec<usize> = Vec::new();
        for depth in 0..self.depths.len() {
            match self.needed_at(depth, facts, limits)? {
                Some(needed) => core.extend(needed),
                None => return Ok(Verdict::Reached(depth as u16)),
            }
        }
        core.sort_unstable();
        core.dedup();
        if self.known(&core, limits)?.is_some() {
            // The core is about executions alone.
            core = facts.to_vec();
        }
        Ok(Verdict::Excluded(core))
    }

    /// Drops facts of the core while the others exclude the same states. Also returns the budget that ran out, if
    /// facts may be left that could be dropped. The facts at the indices `fixed` stay, and are included even if the
    /// core lacks them.
    ///
    /// Whole elements are tried first, which leaves few variables. Negative facts are tried next, since positive ones
    /// are more readable. Disequalities of elements are tried late; among them, those of elements that are the value
    /// of a function come first, because such elements do not become variables.
    pub(super) fn shrink(
        &mut self,
        upper: &Partial,
        core: Vec<usize>,
        fixed: &[usize],
        limits: &Limits,
        begins: &mut dyn FnMut(Stage),
    ) -> (Vec<usize>, Option<Exhausted>) {
        let with_fixed = |mut core: Vec<usize>| {
            core.extend(fixed);
            core.sort_unstable();
            core.dedup();
            core
        };
        let mut kept = with_fixed(core);
        let sig = self.depths[0].0.system().sig.clone();
        let mut elements = upper.elements(&sig);
        elements.reverse();
        let all = elements.len() + kept.len();
        let mut tried = 0;
        for element in elements {
            begins(Stage::Shrinking { kept: kept.len(), tried, all });
            tried += 1;
            let mentions = |index: &usize| {
                !fixed.contains(index) && upper.facts[*index].elements(&sig).contains(&element)
            };
            if !kept.iter().any(mentions) {
                continue;
            }
            let rest: Vec<usize> = kept.iter().copied().filter(|index| !mentions(index)).collect();
            if let Ok(Verdict::Excluded(core)) = self.excludes(&rest, limits) {
                kept = with_fixed(core);
            }
        }
        let is_value = |element: &(SortId, Elem)| {
            upper.facts.iter().any(|fact| match fact {
                Fact::Value { sym, value, positive: true, .. } => {
                    (sig.symbols[*sym].result, *value) == *element
                }
                _ => false,
            })
        };
        let rank = |index: &usize| {
            let fact = &upper.facts[*index];
            match fact {
                // The value of a program variable is rarely relevant.
                Fact::Value { sym, args, .. } if args.is_empty() && sig.symbols[*sym].kind.is_mutable() => 0,
                Fact::Relation { positive: false, .. } | Fact::Value { positive: false, .. } => 1,
                Fact::Relation { .. } => 2,
                Fact::Distinct { .. } if fact.elements(&sig).iter().any(is_value) => 3,
                Fact::Distinct { .. } => 4,
                // An element that is the value of a function does not become a variable.
                Fact::Value { .. } => 5,
            }
        };
        let mut order = kept.clone();
        order.sort_by_key(|index| (rank(index), *index));
        let mut exhausted = None;
        let all = tried + order.len();
        for index in order {
            begins(Stage::Shrinking { kept: kept.len(), tried, all });
            tried += 1;
            if fixed.contains(&index) || !kept.contains(&index) {
                continue;
            }
            let rest: Vec<usize> = kept.iter().copied().filter(|&other| other != index).collect();
            match self.excludes(&rest, limits) {
                Ok(Verdict::Excluded(core)) => kept = with_fixed(core),
                Ok(Verdict::Reached(_) | Verdict::Known(_)) => {}
                Err(reason) => exhausted = exhausted.or(Some(reason)),
            }
        }
        (kept, exhausted)
    }
}
