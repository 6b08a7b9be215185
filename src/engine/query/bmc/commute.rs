//! Steps that may change places, so that fewer executions have to be searched.
//!
//! Two neighbouring steps may change places if in every state in which the first and then the second can be taken, they can
//! be taken the other way round as well, and lead to the same state. Of each two transitions one has to come first where its steps
//! may. If an execution ends in a violation, so does one of the same length in which no two neighbours are out of order: as long as
//! there are such neighbours, they change places. The last state stays as it is, and two steps change places at most once, so that
//! this comes to an end. Executions with neighbours out of order are therefore left out.
//!
//! What was shown for shorter lengths in this way is true for executions in any order, and may be assumed.

use super::Bmc;
use crate::query::unroll::state_hypotheses;
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{SymId, Symbol, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::System;
use ramsey_solver::ask::{Context, HypothesisId};

/// Work units for executions with which [`Options::order_after`](super::Options::order_after) begins. Short searches need no help.
pub(super) const MIN_SPENT: u64 = 100_000;
/// Maximum number of work units to find that out. Steps of which it is not known stay where they are.
const MAX_WORK: u64 = 500_000;
/// Maximum number of work units for a question about two transitions.
const PAIR_WORK: u64 = 20_000;

/// Parameters of a first and of a second step, by pairs.
type Parameters = Vec<(usize, usize)>;

/// Neighbouring steps that are out of order.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Disorder {
    /// The transition of the first step.
    first: usize,
    /// The transition of the second step.
    second: usize,
    /// The steps are in order if the values of one of these pairs are equal.
    unless_equal: Parameters,
}

/// Which neighbouring steps are out of order.
#[derive(Debug)]
pub(super) struct Commuting(Vec<Disorder>);

impl Commuting {
    /// Finds out which steps may change places.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    fn new(system: &System, budget: &mut Budget) -> Result<Commuting, Exhausted> {
        let count = system.transitions.len();
        // By the transitions of a first and of a second step: pairs of parameters with different values if the steps change places.
        let mut table: Vec<Vec<Option<Parameters>>> = vec![vec![None; count]; count];
        let mut part = budget.part(MAX_WORK);
        let filled = fill(system, &mut table, &mut part);
        budget.absorb(&part)?;
        if let Err(exhausted) = filled
            && exhausted != Exhausted::Work
        {
            return Err(exhausted);
        }
        // How much is left out by the order.
        let gain = |first: usize, second: usize| match table[first][second].as_deref() {
            None => 0,
            Some([_, ..]) => 1,
            Some([]) => 2,
        };
        let score = |it: usize| -> i32 { (0..count).map(|other| gain(other, it) - gain(it, other)).sum() };
        let scores: Vec<i32> = (0..count).map(score).collect();
        let rank = |first: usize, second: usize| (gain(first, second), scores[second], first);
        let mut disorders = Vec::new();
        for (first, row) in table.iter().enumerate() {
            for (second, entry) in row.iter().enumerate() {
                if rank(first, second) > rank(second, first)
                    && let Some(unless_equal) = entry.clone()
                {
                    disorders.push(Disorder { first, second, unless_equal });
                }
            }
        }
        Ok(Commuting(disorders))
    }
}

/// Asks about all pairs of transitions.
fn fill(
    system: &System,
    table: &mut [Vec<Option<Parameters>>],
    budget: &mut Budget,
) -> Result<(), Exhausted> {
    let mut pairs = Pairs::new(system);
    for (first, row) in table.iter_mut().enumerate() {
        for (second, entry) in row.iter_mut().enumerate() {
            if first != second {
                let before = pairs.context.terms().len();
                *entry = pairs.change_places(first, second, budget)?;
                let made = pairs.context.terms().len().saturating_sub(before);
                budget.spend(1 + made as u64)?;
            }
        }
    }
    Ok(())
}

/// The normal form of a step.
struct Step {
    params: Vec<TermId>,
    action: Action,
}

/// Questions about two steps.
struct Pairs<'s> {
    system: &'s System,
    context: Context,
    /// The steps by each transition that come first and second. They have parameters of their own; those that do not define the next
    /// state are left out.
    steps: [Vec<Option<Step>>; 2],
}

impl<'s> Pairs<'s> {
    fn new(system: &'s System) -> Pairs<'s> {
        let mut sig = system.sig.clone();
        let mut terms = system.terms.clone();
        let steps = [(); 2].map(|()| {
            let steps = system.transitions.iter().map(|transition| {
                let mut params = Vec::with_capacity(transition.params.len());
                for &param in &transition.params {
                    let info = terms.var_info(param);
                    let constant = Symbol::new(&*info.name, Vec::new(), info.sort, SymbolKind::Immutable);
                    let constant = sig.symbols.push(constant);
                    params.push(terms.app(&sig, constant, 0, &[]));
                }
                let action = Action::of_transition(system, terms.over_mut(&sig), transition, &params);
                defines_next(system, &terms, &action).then_some(Step { params, action })
            });
            steps.collect()
        });
        let hypotheses = state_hypotheses(system, false);
        let formulas = hypotheses.iter().map(|&(formula, _)| formula);
        let context = Context::of((&sig, &terms), formulas, &mut Budget::unlimited());
        Pairs { system, context, steps }
    }

    /// Returns pairs of parameters such that a step by `first` and one by `second` after it may change places if the values in each
    /// pair are different; `None` if it is not known that they may.
    fn change_places(
        &mut self,
        first: usize,
        second: usize,
        budget: &mut Budget,
    ) -> Result<Option<Parameters>, Exhausted> {
        let [first, second] = [&self.steps[0][first], &self.steps[1][second]];
        let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
        let (a, b) = (&first.action, &second.action);
        let sig = self.context.signature().clone();
        let terms = self.context.terms_mut();
        // What a formula about the next state says before a step.
        let before = |terms: &mut Terms, action: &Action, formula: TermId| {
            let next = terms.shift(&sig, formula, 1);
            action.post(terms.over_mut(&sig), next)
        };
        let mut posed = a.guard.clone();
        posed.extend(b.guard.iter().map(|&it| before(terms, a, it)));
        let mut goals = b.guard.clone();
        goals.extend(a.guard.iter().map(|&it| before(terms, b, it)));
        for (sym, symbol) in self.system.sig.symbols.iter_enumerated() {
            let is_kept = |action: &Action| matches!(action.update(sym), Update::Unchanged);
            // Derived relations follow from the others.
            if symbol.kind != SymbolKind::Mutable || is_kept(a) && is_kept(b) {
                continue;
            }
            let vars: Vec<VarId> = symbol.args.iter().map(|&sort| terms.new_var("X", sort)).collect();
            let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
            let value = terms.app(&sig, sym, 0, &args);
            let [there, swapped] = [(a, b), (b, a)].map(|(one, other)| {
                let value = before(terms, other, value);
                before(terms, one, value)
            });
            if !terms.alpha_equal(there, swapped) {
                let equal = terms.eq(there, swapped);
                goals.push(terms.forall(&vars, equal));
            }
        }
        goals.retain(|&goal| !posed.iter().any(|&known| terms.alpha_equal(known, goal)));
        if goals.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let goal = terms.and(&goals);
        posed.push(terms.not(goal));
        let mut different = Vec::new();
        for (of_first, &param) in first.params.iter().enumerate() {
            for (of_second, &other) in second.params.iter().enumerate() {
                if terms.sort(param) == terms.sort(other) {
                    different.push(((of_first, of_second), terms.distinct(&[param, other])));
                }
            }
        }
        let add = |(pair, formula)| (pair, self.context.add(formula, &mut Budget::unlimited()));
        let different: Vec<((usize, usize), HypothesisId)> = different.into_iter().map(add).collect();
        self.context.pose(&posed, budget);
        let all: Vec<HypothesisId> = different.iter().map(|&(_, id)| id).collect();
        let core = self.core(&all, budget);
        all.iter().for_each(|&id| self.context.retire(id));
        let Some(core) = core? else { return Ok(None) };
        let is_needed = |(_, id): &&((usize, usize), HypothesisId)| core.contains(id);
        Ok(Some(different.iter().filter(is_needed).map(|&(pair, _)| pair).collect()))
    }

    /// Returns some of the hypotheses that contradict what is posed, if they do. None can be left out, as far as that is known.
    fn core(
        &mut self,
        all: &[HypothesisId],
        budget: &mut Budget,
    ) -> Result<Option<Vec<HypothesisId>>, Exhausted> {
        let Some(mut core) = self.refuted(all, budget)? else { return Ok(None) };
        for &id in all {
            if core.contains(&id) {
                let fewer: Vec<HypothesisId> = core.iter().copied().filter(|&it| it != id).collect();
                core = self.refuted(&fewer, budget)?.unwrap_or(core);
            }
        }
        Ok(Some(core))
    }

    /// Returns those of the hypotheses that suffice to contradict what is posed, if a small search finds out that they do.
    fn refuted(
        &mut self,
        hypotheses: &[HypothesisId],
        budget: &mut Budget,
    ) -> Result<Option<Vec<HypothesisId>>, Exhausted> {
        let mut part = budget.part(PAIR_WORK);
        let answer = self.context.search(hypotheses, &mut part);
        budget.absorb(&part)?;
        match answer {
            Ok(false) => Ok(Some(self.context.needed(hypotheses))),
            Ok(true) | Err(Exhausted::Work | Exhausted::FormulaSize) => Ok(None),
            Err(exhausted) => Err(exhausted),
        }
    }
}

/// Checks whether the parameters and the state before an action define the state after it, wherever its guard is true.
fn defines_next(system: &System, terms: &Terms, action: &Action) -> bool {
    let is_choice =
        |sym: &SymId| system.sig.symbols.get(*sym).is_some_and(|it| it.kind == SymbolKind::Choice);
    let is_determined = |term: TermId| !terms.symbols(term).iter().any(is_choice);
    let is_defined = |sym: SymId| match action.update(sym) {
        Update::Unchanged => true,
        Update::Definition { value, .. } => is_determined(*value),
        Update::Free => false,
    };
    action.residual.is_empty()
        && action.guard.iter().all(|&it| is_determined(it))
        && system.sig.symbols.iter_enumerated().all(|(sym, _)| is_defined(sym))
}

impl Bmc {
    /// Finds out which steps may change places, once that is worth its cost, and assumes of the steps so far that they are in
    /// order.
    pub(super) fn order_steps(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        if self.commuting.is_none() && self.proof.executions() >= self.options.order_after {
            self.commuting = Some(Commuting::new(self.unrolling.system(), budget)?);
            for step in 0..self.unrolling.depth() {
                self.assume_order(step, budget);
            }
        }
        Ok(())
    }

    /// Assumes that the step from the state of this number and the one before are in order.
    pub(super) fn assume_order(&mut self, step: u16, budget: &mut Budget) {
        for formula in self.order_before(None, step) {
            self.unrolling.context_mut().assume(formula, budget);
        }
    }

    /// Returns that the step from the state of this number and the one before are in order. If a transition is given, it is known to be the
    /// one that is taken from there.
    pub(super) fn order_before(&mut self, transition: Option<usize>, step: u16) -> Vec<TermId> {
        let Bmc { unrolling, commuting, .. } = self;
        let (Some(before), Some(Commuting(disorders))) = (step.checked_sub(1), commuting) else {
            return Vec::new();
        };
        let mut formulas = Vec::new();
        for Disorder { first, second, unless_equal } in disorders {
            let mut taken = vec![unrolling.taken(*first, before)];
            match transition {
                None => taken.push(unrolling.taken(*second, step)),
                Some(transition) if transition == *second => {}
                Some(_) => continue,
            }
            let mut equal = Vec::new();
            for &(of_first, of_second) in &*unless_equal {
                let earlier = unrolling.param(*first, of_first, before);
                let later = unrolling.param(*second, of_second, step);
                equal.push(unrolling.context_mut().terms_mut().eq(earlier, later));
            }
            let terms = unrolling.context_mut().terms_mut();
            let (taken, equal) = (terms.and(&taken), terms.or(&equal));
            formulas.push(terms.implies(taken, equal));
        }
        formulas
    }
}
