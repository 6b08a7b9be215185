//! Executions of bounded length: the transition relation is unrolled step by step in one solver.
//!
//! Each step has a selector per transition, a relation without arguments that is true if the transition is taken, and
//! constants for parameters. Transitions with parameters of the same sorts share these constants, since only one
//! transition is taken. The effect of a transition on its two states, in the normal form of [`Action`], holds under
//! its selector. A symbol that some transitions do not modify is unchanged unless one of its modifiers is taken, which
//! is one condition per symbol and step. At most one selector of a step is true: with two, a symbol that only one of
//! the transitions changes could change, contrary to the frame of the other one.

use std::sync::Arc;

use super::canonical::renamed;
use super::fragment::{Cycle, Dependencies, cycle_of};
use ramsey_circuit::finite;
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{
    Elem, Signature, SortId, Structure, SymId, Symbol, SymbolKind, SyntaxMut, TermId, Terms, VarId,
};
use ramsey_core::system::{System, Transition};
use ramsey_kernel::obligations::HypothesisOrigin;
use ramsey_kernel::obligations::plain::step_formula;
use ramsey_solver::ask::{Context, Failure, Size, evaluation_budget, holds, measures};
use ramsey_solver::epr::Clock;

/// Start of the executions of an [`Unrolling`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// An initial state.
    Initial,
    /// Any state.
    Any,
}

/// An application of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Index into [`ramsey_core::system::System::transitions`].
    pub transition: usize,
    /// The values of its parameters, in order.
    pub args: Vec<Elem>,
}

impl From<finite::Step> for Call {
    fn from(step: finite::Step) -> Call {
        Call { transition: step.transition, args: step.args }
    }
}

/// A sequence of states with the transitions between them, confirmed by evaluation.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Over the system's signature.
    pub structure: Structure,
    /// `calls[i]` leads from state `i` to state `i + 1`.
    pub calls: Vec<Call>,
}

/// All executions with a given number of steps, as assertions in a solver.
#[derive(Clone, Debug)]
pub struct Unrolling {
    system: Arc<System>,
    /// The system's signature, extended by selectors and parameters.
    sig: Signature,
    context: Context,
    start: Start,
    depth: u16,
    /// Per transition, its selector: true at a step in which the transition is taken.
    selectors: Vec<SymId>,
    /// Per transition, the constants of its parameters; their values differ from step to step.
    params: Vec<Vec<SymId>>,
    /// Per transition, its effect on the two states of a step, over steps 0 and 1.
    effects: Vec<Vec<TermId>>,
    /// Frame conditions.
    frames: Vec<Frame>,
    /// Per transition, its normal form with derived relations, used to substitute the effects of the last step.
    actions: Vec<Action>,
    /// For relaxed systems: per sort, the relation that holds for the present elements.
    active: Option<IdVec<SortId, Option<SymId>>>,
    /// Per transition, body and frame conditions, free in its parameters: the condition that a step must satisfy.
    plain: Vec<TermId>,
}

/// Condition that a symbol is unchanged.
#[derive(Clone, Debug)]
struct Frame {
    /// Transitions that may change the symbol, in order.
    modifiers: Vec<usize>,
    vars: Vec<VarId>,
    /// `symbol'(vars) = symbol(vars)`.
    equation: TermId,
}

/// Returns the formulas that hold in a single state: axioms, axioms of derived relations, and for an initial state the
/// initial conditions.
pub(super) fn state_hypotheses(system: &System, is_initial: bool) -> Vec<(TermId, HypothesisOrigin)> {
    let System { axioms, derived, inits, .. } = system;
    let axioms = axioms.iter().enumerate().map(|(at, it)| (it.formula, HypothesisOrigin::Axiom(at)));
    let derived = derived.iter().enumerate().map(|(at, it)| (it.axiom, HypothesisOrigin::Derived(at, 0)));
    let inits = inits.iter().enumerate().map(|(at, it)| (it.formula, HypothesisOrigin::Init(at)));
    axioms.chain(derived).chain(inits.filter(|_| is_initial)).collect()
}

impl Unrolling {
    /// Creates the executions without steps.
    pub fn new(system: Arc<System>, start: Start, seed: u64, clock: Option<Clock>) -> Unrolling {
        let mut sig = system.sig.clone();
        let mut terms = system.terms.clone();
        let selectors: Vec<SymId> = system
            .transitions
            .iter()
            .map(|transition| push_symbol(&mut sig, &transition.name, SortId::BOOL, SymbolKind::Choice))
            .collect();
        let params = shared_params(&system, &mut sig);
        let (effects, frames) = effects_and_frames(&system, terms.over_mut(&sig), &params);
        let actions = system
            .transitions
            .iter()
            .zip(&params)
            .map(|(transition, params)| {
                let params = constants(terms.over_mut(&sig), params);
                Action::of_transition(&system, terms.over_mut(&sig), transition, &params)
            })
            .collect();
        let plain = system
            .transitions
            .iter()
            .map(|transition| step_formula(terms.over_mut(&system.sig), transition))
            .collect();
        let mut context = Context::new(sig.clone(), terms, seed, clock);
        let budget = &mut Budget::unlimited();
        for (formula, _) in state_hypotheses(&system, start == Start::Initial) {
            context.assume(formula, budget);
        }
        Unrolling {
            system,
            sig,
            context,
            start,
            depth: 0,
            selectors,
            params,
            effects,
            frames,
            actions,
            active: None,
            plain,
        }
    }

    /// Returns whether the system is relaxed.
    pub fn is_relaxed(&self) -> bool {
        self.active.is_some()
    }

    /// Has searches decide which transitions are taken before anything else. Must be called before there are steps. Most long
    /// executions are searched in less time then; relaxed ones are not.
    pub fn decide_transitions_first(&mut self) {
        self.context.decide_first(&self.selectors);
    }

    /// Marks the system as relaxed, with these relations (see [`ramsey_kernel::obligations::Relaxed`]). Executions then get defined
    /// values at absent elements.
    pub fn set_active(&mut self, active: IdVec<SortId, Option<SymId>>) {
        self.active = Some(active);
    }

    /// Returns the relations of a relaxed system that hold for the present elements.
    pub fn active(&self) -> Option<&IdVec<SortId, Option<SymId>>> {
        self.active.as_ref()
    }

    /// Returns the number of steps, which is also the index of the last state.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// Returns the system.
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// Returns the context, for questions about the states so far.
    pub fn context_mut(&mut self) -> &mut Context {
        &mut self.context
    }

    /// Returns the context, for its statistics.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Adds a step by any transition, and the state after it.
    pub fn extend(&mut self, budget: &mut Budget) {
        let all: Vec<usize> = (0..self.system.transitions.len()).collect();
        self.extend_by(&all, budget);
    }

    /// Adds a step by one of these transitions, given in ascending order, and the state after it.
    pub fn extend_by(&mut self, transitions: &[usize], budget: &mut Budget) {
        let taken: Vec<TermId> = transitions.iter().map(|&index| self.taken(index, 0)).collect();
        let mut formulas = vec![self.context.terms_mut().or(&taken)];
        for (&index, &taken) in transitions.iter().zip(&taken) {
            for &effect in &self.effects[index] {
                // With a single transition, the selector would be a redundant literal in every clause.
                formulas.push(match transitions {
                    [_] => effect,
                    _ => self.context.terms_mut().implies(taken, effect),
                });
            }
        }
        for (at, &first) in taken.iter().enumerate() {
            for &second in &taken[at + 1..] {
                let terms = self.context.terms_mut();
                let both = terms.and(&[first, second]);
                formulas.push(terms.not(both));
            }
        }
        for frame in &self.frames {
            let modifies = |&(index, _): &(&usize, _)| frame.modifiers.contains(index);
            let mut parts: Vec<TermId> =
                transitions.iter().zip(&taken).filter(modifies).map(|(_, &taken)| taken).collect();
            if parts.len() < transitions.len() {
                parts.push(frame.equation);
                let kept = self.context.terms_mut().or(&parts);
                formulas.push(self.context.terms_mut().forall(&frame.vars, kept));
            }
        }
        for formula in formulas {
            let formula = self.at(formula, self.depth);
            self.context.assume(formula, budget);
        }
        self.depth += 1;
        for index in 0..self.system.derived.len() {
            let axiom = self.system.derived[index].axiom;
            let formula = self.at(axiom, self.depth);
            self.context.assume(formula, budget);
        }
    }

    /// Returns closed formulas that are jointly satisfiable if the transition leads from the last state to a state in
    /// which `formula` (over step 0) is false. The effects of the transition are substituted, so that most formulas
    /// refer to the last state alone.
    pub fn violation_conditions(&mut self, transition: usize, formula: TermId) -> Vec<TermId> {
        let terms = self.context.terms_mut();
        let action = &self.actions[transition];
        let next = terms.shift(&self.sig, formula, 1);
        let next = action.post(terms.over_mut(&self.sig), next);
        let negated = terms.not(next);
        let conjuncts: Vec<TermId> =
            action.guard.iter().chain(&action.residual).copied().chain([negated]).collect();
        conjuncts.into_iter().map(|conjunct| self.at(conjunct, self.depth)).collect()
    }

    /// Returns a cycle that takes questions about executions with steps by these transitions out of stratified EPR, if
    /// there is one. Without transitions, the questions are about a single state. `claims` are asserted of some
    /// states, true or negated (formulas over step 0).
    pub fn cycle(&self, transitions: &[usize], claims: &[(TermId, bool)]) -> Option<Cycle> {
        let mut terms = self.context.terms().clone();
        let hypotheses = self.hypotheses(&mut terms, transitions);
        cycle_of(terms.over_mut(&self.sig), &hypotheses, claims)
    }

    /// Returns the dependencies among sorts in such questions, without claims.
    pub(super) fn dependencies(&self, transitions: &[usize]) -> Dependencies<'_> {
        let mut terms = self.context.terms().clone();
        let hypotheses = self.hypotheses(&mut terms, transitions);
        Dependencies::new(&self.sig, terms, hypotheses.into_iter().map(|it| it.0))
    }

    /// Returns what is assumed of a state, and of a step by these transitions if there are any.
    fn hypotheses(&self, terms: &mut Terms, transitions: &[usize]) -> Vec<(TermId, HypothesisOrigin)> {
        let mut formulas = state_hypotheses(&self.system, self.start == Start::Initial);
        for &transition in transitions {
            let origin = HypothesisOrigin::Transition(transition);
            formulas.extend(self.effects[transition].iter().map(|&effect| (effect, origin)));
        }
        for frame in self.frames.iter().filter(|_| !transitions.is_empty()) {
            let kept = terms.forall(&frame.vars, frame.equation);
            formulas.push((kept, HypothesisOrigin::Step(0)));
        }
        formulas
    }

    /// Returns `formula`, which belongs to the system or to the solver's arena, shifted by `step` states.
    pub fn at(&mut self, formula: TermId, step: u16) -> TermId {
        self.context.terms_mut().shift(&self.sig, formula, step)
    }

    /// Returns the formula that the transition is one of those taken from the state of `step`.
    pub fn taken(&mut self, transition: usize, step: u16) -> TermId {
        self.context.terms_mut().app(&self.sig, self.selectors[transition], step, &[])
    }

    /// Returns the value of a parameter of the transition when it is taken from the state of `step`.
    pub fn param(&mut self, transition: usize, index: usize, step: u16) -> TermId {
        self.context.terms_mut().app(&self.sig, self.params[transition][index], step, &[])
    }

    /// Returns the execution found by a search with the answer `Sat`, with few elements and then few tuples if
    /// `minimize` is set. `allowed` determines which transitions, with the values of their parameters, may be reported
    /// for a step.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, or if evaluation contradicts the search.
    pub fn execution(
        &mut self,
        minimize: bool,
        allowed: &mut dyn FnMut(&Structure, u16, &Call) -> bool,
        budget: &mut Budget,
    ) -> Result<Execution, Failure> {
        let states = self.depth + 1;
        let measures = minimize.then(|| measures(&self.system.sig, states).list());
        let found = self.context.structure(&[], states, Size::by(measures.as_deref()), budget).structure;
        let found = renamed(&self.system, &self.sig, &found);
        let mut structure = found.reduct(&self.system.sig);
        let mut budget = evaluation_budget(budget);
        if let Some(active) = &self.active {
            reset_absent(&self.system.sig, &mut structure, active, &mut budget)?;
        }
        self.check_states(&structure, &mut budget)?;
        let mut calls = Vec::new();
        for step in 0..self.depth {
            let call = self.call(&found, &structure, step, allowed, &mut budget)?;
            calls.push(call.ok_or_else(|| {
                Failure::Internal(format!(
                    "no transition leads from state {step} of an execution to the next"
                ))
            })?);
        }
        Ok(Execution { structure, calls })
    }

    /// Evaluates axioms, axioms of derived relations, and initial conditions.
    fn check_states(&mut self, structure: &Structure, budget: &mut Budget) -> Result<(), Failure> {
        let system = Arc::clone(&self.system);
        let mut formulas: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
        if self.start == Start::Initial {
            formulas.extend(system.inits.iter().map(|init| init.formula));
        }
        for step in 0..=self.depth {
            formulas.extend(system.derived.iter().map(|derived| self.at(derived.axiom, step)));
        }
        for formula in formulas {
            if !holds(self.context.terms().over(&system.sig), structure, &Map::default(), formula, budget)? {
                return Err(Failure::Internal("an execution does not satisfy what is assumed of it".into()));
            }
        }
        Ok(())
    }

    /// Returns the first transition taken at `step` that, in its original form, leads to the next state.
    fn call(
        &mut self,
        found: &Structure,
        structure: &Structure,
        step: u16,
        allowed: &mut dyn FnMut(&Structure, u16, &Call) -> bool,
        budget: &mut Budget,
    ) -> Result<Option<Call>, Failure> {
        let system = Arc::clone(&self.system);
        for (index, transition) in system.transitions.iter().enumerate() {
            let value = |sym: &SymId| found.interpretation(&self.sig, *sym, step.into()).get(&[]);
            if value(&self.selectors[index]) == 0 {
                continue;
            }
            let args = self.params[index].iter().map(value).collect();
            let call = Call { transition: index, args };
            if !allowed(structure, step, &call) {
                continue;
            }
            let formula = self.at(self.plain[index], step);
            let env = transition.params.iter().copied().zip(call.args.iter().copied()).collect();
            if holds(self.context.terms().over(&system.sig), structure, &env, formula, budget)? {
                return Ok(Some(call));
            }
        }
        Ok(None)
    }
}

/// Sets mutable symbols to the value of the previous state wherever an argument is absent. No formula of a relaxed
/// system distinguishes these values; the printed execution does.
fn reset_absent(
    sig: &Signature,
    structure: &mut Structure,
    active: &IdVec<SortId, Option<SymId>>,
    budget: &mut Budget,
) -> Result<(), Failure> {
    let mutable = |&(sym, symbol): &(SymId, &Symbol)| {
        symbol.kind.is_mutable() && !symbol.args.is_empty() && !active.iter().any(|it| *it == Some(sym))
    };
    for (sym, symbol) in sig.symbols.iter_enumerated().filter(mutable) {
        for step in 0..structure.states() {
            for args in structure.tuples(&symbol.args) {
                budget.spend(1)?;
                let is_there = |(&arg, &sort): (&u32, &SortId)| {
                    active[sort].is_none_or(|it| structure.interpretation(sig, it, step).get(&[arg]) != 0)
                };
                if args.iter().zip(&symbol.args).all(is_there) {
                    continue;
                }
                let before = step.checked_sub(1);
                let value = before.map_or(0, |before| structure.interpretation(sig, sym, before).get(&args));
                structure.interpretation_mut(sig, sym, step).set(&args, value);
            }
        }
    }
    Ok(())
}

fn push_symbol(sig: &mut Signature, name: &str, result: SortId, kind: SymbolKind) -> SymId {
    sig.symbols.push(Symbol::new(name, Vec::new(), result, kind))
}

/// Creates constants for the parameters of all transitions, shared among the transitions: for each sort, the maximum
/// number that a transition needs.
fn shared_params(system: &System, sig: &mut Signature) -> Vec<Vec<SymId>> {
    let mut pool: Map<SortId, Vec<SymId>> = Map::default();
    let mut params = Vec::new();
    for transition in &system.transitions {
        let mut used: Map<SortId, usize> = Map::default();
        let mut of_transition = Vec::new();
        for &param in &transition.params {
            let info = system.terms.var_info(param);
            let next = used.entry(info.sort).or_default();
            let known = pool.entry(info.sort).or_default();
            if *next == known.len() {
                known.push(push_symbol(sig, &info.name, info.sort, SymbolKind::Mutable));
            }
            of_transition.push(known[*next]);
            *next += 1;
        }
        params.push(of_transition);
    }
    params
}

/// Returns the effect of each transition in normal form, and the frame conditions.
fn effects_and_frames(
    system: &System,
    syntax: SyntaxMut<'_>,
    params: &[Vec<SymId>],
) -> (Vec<Vec<TermId>>, Vec<Frame>) {
    let SyntaxMut { sig, terms } = syntax;
    let mutable = || system.sig.symbols.iter_enumerated().filter(|(_, it)| it.kind == SymbolKind::Mutable);
    let mut modifiers: Map<SymId, Vec<usize>> = Map::default();
    let mut effects = Vec::new();
    for (index, transition) in system.transitions.iter().enumerate() {
        let action = action(system, terms.over_mut(sig), transition, &params[index]);
        let mut conjuncts: Vec<TermId> = action.guard.iter().chain(&action.residual).copied().collect();
        for (sym, symbol) in system.sig.symbols.iter_enumerated() {
            // A derived relation has no frame condition: what the body implies for it must be stated here, even if it
            // is unchanged.
            let is_derived = symbol.kind == SymbolKind::Derived;
            match action.update(sym) {
                Update::Unchanged if is_derived => {
                    let (vars, equation) = unchanged(terms.over_mut(sig), sym);
                    conjuncts.push(terms.forall(&vars, equation));
                }
                Update::Definition { vars, value } => {
                    let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
                    let next = terms.app(sig, sym, 1, &args);
                    let equal = terms.eq(next, *value);
                    conjuncts.push(terms.forall(vars, equal));
                }
                Update::Unchanged | Update::Free => {}
            }
            if symbol.kind == SymbolKind::Mutable && !matches!(action.update(sym), Update::Unchanged) {
                modifiers.entry(sym).or_default().push(index);
            }
        }
        effects.push(conjuncts);
    }
    let frames = mutable()
        .map(|(sym, _)| {
            let (vars, equation) = unchanged(terms.over_mut(sig), sym);
            Frame { modifiers: modifiers.remove(&sym).unwrap_or_default(), vars, equation }
        })
        .collect();
    (effects, frames)
}

/// Returns `symbol'(vars) = symbol(vars)`, with fresh variables.
fn unchanged(syntax: SyntaxMut<'_>, sym: SymId) -> (Vec<VarId>, TermId) {
    let SyntaxMut { sig, terms } = syntax;
    let vars: Vec<VarId> = sig.symbols[sym].args.iter().map(|&sort| terms.new_var("X", sort)).collect();
    let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
    let (next, now) = (terms.app(sig, sym, 1, &args), terms.app(sig, sym, 0, &args));
    let equation = terms.eq(next, now);
    (vars, equation)
}

fn constants(syntax: SyntaxMut<'_>, symbols: &[SymId]) -> Vec<TermId> {
    let SyntaxMut { sig, terms } = syntax;
    symbols.iter().map(|&sym| terms.app(sig, sym, 0, &[])).collect()
}

fn action(system: &System, mut syntax: SyntaxMut<'_>, transition: &Transition, params: &[SymId]) -> Action {
    let params = constants(syntax.reborrow(), params);
    Action::without_derived(system, syntax, transition, &params)
}
