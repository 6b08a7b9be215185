//! Generalization of a state conjectured to be unreachable (Ivy, PLDI 2016, section 4.5): a smallest partial structure
//! that no state reached within a bounded number of steps contains.
//!
//! The facts of the upper bound are literals over constants that stand for the elements, and each has a label. For
//! every number of steps up to the bound there is a solver with the executions of that length and the literals
//! evaluated in the last state; a set of labels is excluded if it is excluded at every length. The facts of a first
//! core are then dropped one by one while the others suffice. The solvers are kept between these questions.
//!
//! Such a conjecture may be false of states that take more steps to reach. Deepening looks for these, one number of
//! steps after the other, and takes as few of the dropped facts back as exclude them. It asks far fewer questions about
//! long executions than a generalization within their length.

use std::sync::Arc;

use super::fragment::Cycle;
use super::outcome::{Counterexample, Outcome};
use super::unread::unread_variables;
use super::unroll::{Start, Unrolling, state_hypotheses};
use super::verify::{self, Limits, Plan};
use crate::ask::{Failure, HypothesisId, blame, evaluation_budget, holds, judge};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::base::ids::Id as _;
use crate::base::span::{FileId, Span};
use crate::epr::{Clock, Fixed, Solver};
use crate::forms::{Fact, Partial};
use crate::logic::{Elem, SortId, Structure, SymId, Symbol, SymbolKind, TermId, element_name};
use crate::system::{Invariant, System};
use crate::vc::Origin;
use crate::vc::plain::transition_formula;

/// Options of a generalization.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The number of steps within which the states must not be reachable.
    pub bound: u16,
    /// The number of steps up to which the conjecture is checked then, and weakened where it is false. At most `bound`
    /// for no such check.
    pub deepen: u16,
    /// States, over the system's signature, in which the conjecture has to hold as well. Only the first state of each
    /// structure counts.
    pub reached: Vec<Structure>,
    /// Seed of the search.
    pub seed: u64,
    /// Clock for time measurements.
    pub clock: Option<Clock>,
}

/// Conjecture that holds in all states reached within the bound.
#[derive(Clone, Debug)]
pub struct Conjecture {
    /// The partial structure that it excludes.
    pub partial: Partial,
    /// The formula, over step 0, in the terms of `system`.
    pub formula: TermId,
    /// The number of steps within which it holds.
    pub bound: u16,
    /// Those of the facts that were dropped at first and taken back, each with the number of steps after which a state
    /// without it is reached.
    pub taken_back: Vec<(u16, Fact)>,
    /// Whether no fact of the partial structure can be dropped, except those that must be kept; `false` if a budget
    /// ran out during the search.
    pub is_minimal: bool,
    /// The first budget that ran out.
    pub exhausted: Option<Exhausted>,
    /// The system with the formula among its terms.
    pub system: Arc<System>,
}

/// Result of generalizing an upper bound.
#[derive(Clone, Debug)]
pub enum Generalization {
    /// The generalized conjecture.
    Conjecture(Box<Conjecture>),
    /// A state with these facts is reachable. The structure is over the signature of the accompanying system; the
    /// breach refers to its terms.
    Reachable(Box<Counterexample>, Arc<System>),
    /// The state with this index in [`Options::reached`] has these facts.
    Known(usize),
    /// A budget ran out first.
    Unknown(Exhausted),
    /// Internal inconsistency of the tool.
    InternalError(String),
}

/// Stage of a generalization, for progress reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Checks whether a state with all facts is reached in this number of steps.
    Unrolling(u16),
    /// Checks whether a state with the facts that are left is reached in this number of steps, and takes facts back.
    Deepening(u16),
    /// Drops facts.
    Shrinking {
        /// Number of facts left.
        kept: usize,
        /// Number of facts and elements tried so far.
        tried: usize,
        /// Number of facts and elements to try in total.
        all: usize,
    },
}

/// Generalizes `upper`, a partial structure over the system's signature, and calls `begins` with each stage. The facts
/// at the indices `kept` stay, even if they are not needed.
pub fn generalize(
    system: &System,
    upper: &Partial,
    kept: &[usize],
    options: &Options,
    limits: &Limits,
    begins: &mut dyn FnMut(Stage),
) -> Generalization {
    begins(Stage::Unrolling(options.bound));
    let mut run = match Run::new(system, upper, options, limits) {
        Ok(run) => run,
        Err(failure) => return failed(failure),
    };
    let all: Vec<usize> = (0..upper.facts.len()).collect();
    let core = match run.excludes(&all, limits) {
        Ok(Verdict::Excluded(core)) => core,
        Ok(Verdict::Known(index)) => return Generalization::Known(index),
        Ok(Verdict::Reached(depth)) => {
            let found = reachable_execution(system, upper, depth, options, limits);
            return found.map_or_else(failed, |(found, system)| Generalization::Reachable(found, system));
        }
        Err(exhausted) => return failed(exhausted.into()),
    };
    let (mut facts, mut exhausted) = run.shrink(upper, core, kept, limits, begins);
    let mut bound = options.bound;
    let mut taken_back = Vec::new();
    while bound < options.deepen {
        begins(Stage::Deepening(bound + 1));
        match run.deepen(&mut facts, upper.facts.len(), limits) {
            Ok(None) => {
                let found = reachable_execution(system, upper, bound + 1, options, limits);
                return found.map_or_else(failed, |(found, system)| Generalization::Reachable(found, system));
            }
            Ok(Some(more)) => taken_back.extend(more.into_iter().map(|fact| (bound + 1, fact))),
            Err(reason) => {
                exhausted = exhausted.or(Some(reason));
                break;
            }
        }
        bound += 1;
    }
    if !taken_back.is_empty() {
        // With these, others may no longer be needed.
        for fact in facts.clone() {
            if kept.contains(&fact) {
                continue;
            }
            match run.drop(&facts, fact, bound, limits) {
                Ok(rest) => facts = rest,
                Err(reason) => exhausted = exhausted.or(Some(reason)),
            }
        }
        taken_back.retain(|(_, fact)| facts.contains(fact));
    }
    let partial = Partial { facts: facts.into_iter().map(|index| upper.facts[index].clone()).collect() };
    let mut system = system.clone();
    let formula = partial.conjecture(system.syntax_mut());
    let taken_back = taken_back.into_iter().map(|(steps, fact)| (steps, upper.facts[fact].clone())).collect();
    Generalization::Conjecture(Box::new(Conjecture {
        partial,
        formula,
        bound,
        taken_back,
        is_minimal: exhausted.is_none(),
        exhausted,
        system: Arc::new(system),
    }))
}

fn failed(failure: Failure) -> Generalization {
    match failure {
        Failure::Exhausted(exhausted) => Generalization::Unknown(exhausted),
        Failure::Internal(what) | Failure::Misuse(what) => Generalization::InternalError(what),
    }
}

enum Verdict {
    /// No state has all facts; these facts suffice to exclude it.
    Excluded(Vec<usize>),
    /// A state may have the facts after this number of steps.
    Reached(u16),
    /// The state with this index in [`Options::reached`] has the facts.
    Known(usize),
}

struct Run {
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

    fn new(system: &System, upper: &Partial, options: &Options, limits: &Limits) -> Result<Run, Failure> {
        let mut system = system.clone();
        let mut constants: Map<(SortId, Elem), TermId> = Map::default();
        for (sort, elem) in upper.elements(&system.sig) {
            let symbol = Symbol {
                name: element_name(&system.sig, sort, elem),
                args: Vec::new(),
                result: sort,
                kind: SymbolKind::Parameter,
                annotations: Vec::new(),
                span: None,
            };
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

    /// Continues with executions of one more step. If a state with the facts is reached, takes back as few of the facts
    /// below `all` as exclude it, and returns them; `None` if a state with all facts is reached.
    fn deepen(
        &mut self,
        facts: &mut Vec<usize>,
        all: usize,
        limits: &Limits,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        let mut budget = limits.budget();
        self.longest.extend(&mut budget);
        self.add_depth(&mut budget);
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
    fn drop(
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
    fn excludes(&mut self, facts: &[usize], limits: &Limits) -> Result<Verdict, Exhausted> {
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
    fn shrink(
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

/// Returns the cycles that take questions about initial states, and about later states within the bound, out of
/// stratified EPR. `facts` are quantifier-free, or a conjecture.
fn cycles(unrolling: &Unrolling, facts: &[TermId], bound: u16) -> [Option<Cycle>; 2] {
    let claims: Vec<(TermId, bool)> = facts.iter().map(|&fact| (fact, false)).collect();
    let all: Vec<usize> = (0..unrolling.system().transitions.len()).collect();
    let later = if bound == 0 { None } else { unrolling.cycle(&all, &claims) };
    [unrolling.cycle(&[], &claims), later]
}

/// Returns a cycle that takes questions about states with these facts out of stratified EPR, if there is one, with the
/// smallest number of steps that it affects.
pub fn cycle(system: &System, upper: &Partial, bound: u16) -> Option<(u16, Cycle)> {
    let mut system = system.clone();
    let formula = upper.conjecture(system.syntax_mut());
    let unrolling = Unrolling::new(Arc::new(system), Start::Initial, 0, None);
    let cycles = cycles(&unrolling, &[formula], bound);
    (0..).zip(cycles).find_map(|(steps, cycle)| Some((steps, cycle?)))
}

/// Returns a shortest execution to a state with all facts; an execution with `depth` steps is known to exist.
fn reachable_execution(
    system: &System,
    upper: &Partial,
    depth: u16,
    options: &Options,
    limits: &Limits,
) -> Result<(Box<Counterexample>, Arc<System>), Failure> {
    let mut system = system.clone();
    let formula = upper.conjecture(system.syntax_mut());
    let system = Arc::new(system);
    let mut unrolling = Unrolling::new(Arc::clone(&system), Start::Initial, options.seed, options.clock);
    let [initial, later] = cycles(&unrolling, &[formula], depth);
    let mut budget = limits.budget_of(if depth == 0 { initial.is_some() } else { later.is_some() });
    for _ in 0..depth {
        unrolling.extend(&mut budget);
    }
    let claim = unrolling.at(formula, depth);
    let context = unrolling.context_mut();
    let negated = context.terms_mut().not(claim);
    context.pose(&[negated], &mut budget);
    if !context.search(&[], &mut budget)? {
        return Err(Failure::Internal("two searches disagree about an execution".into()));
    }
    let execution = unrolling.execution(true, &mut |_, _, _| true, &mut budget)?;
    let last = execution.structure.state(&system.sig, depth.into());
    judge(system.syntax(), &last, [], formula, &mut evaluation_budget(&budget), |_| String::new())?;
    let breach = blame(system.syntax(), &last, formula, &budget);
    let found = Counterexample { structure: execution.structure, calls: execution.calls, breach };
    Ok((Box::new(found), system))
}

/// Checks whether a partial structure has all facts of a state, but those about variables that nothing reads.
pub fn is_whole(system: &System, partial: &Partial, structure: &Structure, step: usize) -> bool {
    let unread = unread_variables(system);
    Partial::of_state(&system.sig, structure, step).is_ok_and(|all| {
        let is_said = |fact: &Fact| {
            fact.symbol().is_some_and(|sym| unread.contains(&sym)) || partial.facts.contains(fact)
        };
        all.without_implied().facts.iter().all(is_said)
    })
}

/// Returns the indices of the invariants that are false in the second state of a structure, if a transition leads there
/// from the first one and both satisfy the axioms; otherwise none. If the first state is (part of) a reachable one, no
/// inductive invariant (that is universally quantified) contains them.
///
/// # Errors
/// Returns an error if the budget runs out.
pub fn false_after_step(
    system: &System,
    structure: &Structure,
    budget: &mut Budget,
) -> Result<Vec<usize>, Failure> {
    if structure.states() < 2 {
        return Ok(Vec::new());
    }
    let mut system = system.clone();
    let steps: Vec<TermId> = (0..system.transitions.len())
        .map(|index| {
            let System { sig, terms, transitions, .. } = &mut system;
            transition_formula(terms.over_mut(sig), &transitions[index])
        })
        .collect();
    let states = [structure.state(&system.sig, 0), structure.state(&system.sig, 1)];
    let is_true = |structure: &Structure, formula: TermId, budget: &mut Budget| {
        holds(system.syntax(), structure, &Map::default(), formula, budget)
    };
    for (formula, _) in state_hypotheses(&system, false) {
        for state in &states {
            if !is_true(state, formula, budget)? {
                return Ok(Vec::new());
            }
        }
    }
    let mut pair = states[0].clone();
    pair.push_state(&system.sig, &states[1], 0);
    if !is_step(&system, &pair, &steps, budget)? {
        return Ok(Vec::new());
    }
    let mut refuted = Vec::new();
    for (index, invariant) in system.invariants.iter().enumerate() {
        if !is_true(&states[1], invariant.formula, budget)? {
            refuted.push(index);
        }
    }
    Ok(refuted)
}

/// Checks whether one of these two-state formulas is true of two states, for some values of the choices.
fn is_step(
    system: &System,
    states: &Structure,
    formulas: &[TermId],
    budget: &mut Budget,
) -> Result<bool, Failure> {
    let is_given = |sym: SymId, _: u16| system.sig.symbols[sym].kind != SymbolKind::Choice;
    for &formula in formulas {
        let mut solver = Solver::new(system.sig.clone(), system.terms.clone(), 0);
        solver.assert(formula);
        let fixed = Fixed { structure: states, is_given: &is_given };
        let found = solver.sample(&states.sizes, Some(fixed), 2, 0, budget)?;
        if let Some(found) = found
            && holds(system.syntax(), &found, &Map::default(), formula, budget)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Result of checking whether a conjecture is inductive.
#[derive(Debug)]
pub struct InductionCheck {
    /// Initiation and consecution of the conjecture, in the order of the source; consecution assumes the system's
    /// invariants and the conjecture itself.
    pub obligations: Vec<(Origin, Outcome)>,
}

impl InductionCheck {
    /// Returns whether all obligations hold; `None` if none fails and one has no answer.
    pub fn is_inductive(&self) -> Option<bool> {
        let mut outcomes = self.obligations.iter().map(|(_, outcome)| outcome);
        if outcomes.clone().any(|outcome| matches!(outcome, Outcome::Fails(_))) {
            return Some(false);
        }
        outcomes.all(|outcome| matches!(outcome, Outcome::Holds { .. })).then_some(true)
    }
}

/// Checks whether a formula (over step 0, in the terms of `system`) is inductive together with the invariants.
pub fn check_induction(system: &System, formula: TermId, seed: u64, limits: &Limits) -> InductionCheck {
    let mut system = system.without_proofs();
    let added = system.invariants.len();
    // No result refers to the location.
    let span = Span { file: FileId::new(0), start: 0, end: 0 };
    system.invariants.push(Invariant { name: None, label: String::new(), formula, is_safety: false, span });
    let options = verify::Options { invariants: vec![added], seed, minimize: false, ..Default::default() };
    let verification = Plan::new(Arc::new(system), options).run(limits);
    let answers = verification.results.into_iter().map(|result| (result.origin, result.outcome));
    InductionCheck { obligations: answers.collect() }
}
