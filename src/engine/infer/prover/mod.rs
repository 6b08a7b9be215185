//! Questions about single states and single transitions.
//!
//! Each transition has a context of its own, in which axioms and guard are asserted once. Lemmas are hypotheses, loaded
//! when a question first names them. Every structure is evaluated against the plain formulas before it is returned.

mod edges;
pub(super) mod shrink;

use std::sync::Arc;

use self::shrink::Tests;
use super::claim::{Claim, Cti, Found, LemmaId};
use super::relational::Function;
use super::state::{Atom, Literal, Matcher, State, Vocabulary};
use super::store::Lemmas;
use crate::query::Call;
use ramsey_circuit::finite::enumerations;
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, Syntax, TermId, Terms};
use ramsey_core::system::{System, Transition};
use ramsey_kernel::obligations::{Obligations, plain};
use ramsey_solver::ask::{Context, Failure, HypothesisId, Size, Statistics, evaluation_budget, holds};
use ramsey_solver::epr::{Clock, Measure};
use ramsey_solver::formulas::{Partial, Pretty};

/// Answer to a question about a transition.
#[derive(Clone, Debug)]
pub(super) enum Consecution {
    /// The claim is preserved; these hypotheses suffice.
    Preserved(Vec<LemmaId>),
    /// The claim is not preserved.
    Violated(Box<Cti>),
}

#[derive(Debug)]
struct Step {
    context: Context,
    action: Action,
    /// Body and frame conditions over the parameter constants, in the terms of the obligations.
    plain: TermId,
    hypotheses: Map<LemmaId, HypothesisId>,
    /// Per goal, the negation in the next state, with updates substituted.
    goals: Map<LemmaId, TermId>,
}

/// Tree size that is counted at most for the cost of a formula: parts that it shares are made once.
const MAX_COST: u32 = 10_000;

/// Number of elements of a sort beyond which a counterexample is minimized before it is evaluated.
const LARGE: u32 = 8;

/// The same number where lemmas have witnesses. Each value of the outer variables may have a witness of its own in the
/// structures that the search finds first, although few elements suffice.
const LARGE_WITH_WITNESSES: u32 = 6;

/// Work units for the least number of elements in all. Where that takes more, each sort gets few by itself.
const LEAST: u64 = 2_000_000;

/// Proves that claims hold initially and are preserved, or finds states and steps that refute them.
#[derive(Debug)]
pub(super) struct Prover {
    system: Arc<System>,
    vocabulary: Vocabulary,
    /// The signature of all contexts: the system's, with a constant per parameter.
    sig: Signature,
    /// The arena in which structures are evaluated.
    terms: Terms,
    params: Vec<Vec<SymId>>,
    steps: Vec<Step>,
    initial: Context,
    /// Formulas of lemmas in `terms`.
    evaluated: Map<LemmaId, TermId>,
    /// Axioms and axioms of derived relations.
    state_conditions: Vec<TermId>,
    init_conditions: Vec<TermId>,
    /// Sorts whose elements the axioms name one by one, so that none of them can be removed.
    enumerated: Set<SortId>,
    /// Functions that relations stand for.
    functions: Vec<Function>,
    /// Number of questions asked.
    questions: u64,
}

impl Prover {
    pub(super) fn new(system: &Arc<System>, seed: u64, clock: Option<Clock>) -> Prover {
        let Obligations { sig, mut terms, params, .. } = Obligations::none(system);
        let axioms = system.axioms.iter().map(|axiom| axiom.formula);
        let state_conditions: Vec<TermId> =
            axioms.chain(system.derived.iter().map(|derived| derived.axiom)).collect();
        let init_conditions: Vec<TermId> = system.inits.iter().map(|init| init.formula).collect();
        let mut prepared = Vec::new();
        for (transition, params) in system.transitions.iter().zip(&params) {
            let constants: Vec<TermId> = params.iter().map(|&param| terms.app(&sig, param, 0, &[])).collect();
            let action = Action::of_transition(system, terms.over_mut(&sig), transition, &constants);
            prepared.push((action, constants));
        }
        // There is a context for each transition. What steps keep unchanged, which they say of each symbol, is not copied to all.
        let known = terms.clone();
        let plain = |(transition, constants): (&Transition, &Vec<TermId>)| {
            let formula = plain::step_formula(terms.over_mut(&sig), transition);
            let map = transition.params.iter().copied().zip(constants.iter().copied()).collect();
            terms.substitute(formula, &map)
        };
        let constants = prepared.iter().map(|(_, constants)| constants);
        let plain: Vec<TermId> = system.transitions.iter().zip(constants).map(plain).collect();
        let budget = &mut Budget::unlimited();
        let mut states = Context::new(sig.clone(), known, seed, clock);
        state_conditions.iter().for_each(|&formula| states.assume(formula, budget));
        let mut initial = states.clone();
        init_conditions.iter().for_each(|&formula| initial.assume(formula, budget));
        let steps = prepared
            .into_iter()
            .zip(plain)
            .map(|((action, _), plain)| {
                let mut context = states.clone();
                let conditions = action.guard.iter().chain(&action.residual);
                conditions.for_each(|&formula| context.assume(formula, budget));
                Step { context, action, plain, hypotheses: Map::default(), goals: Map::default() }
            })
            .collect();
        Prover {
            system: Arc::clone(system),
            vocabulary: Vocabulary::new(system),
            sig,
            terms,
            params,
            steps,
            initial,
            evaluated: Map::default(),
            state_conditions,
            init_conditions,
            enumerated: enumerations(system).into_iter().map(|it| it.sort).collect(),
            functions: Vec::new(),
            questions: 0,
        }
    }

    /// Returns the system.
    pub(super) fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// Returns the sorts of the values of functions that relations stand for.
    pub(super) fn sorts_of_values(&self) -> Vec<SortId> {
        let mut sorts: Vec<SortId> = self.functions.iter().map(|function| function.value).collect();
        sorts.sort_unstable();
        sorts.dedup();
        sorts
    }

    /// Has steps give values to these functions, as far as they can.
    pub(super) fn prefer_values(&mut self, functions: Vec<Function>) {
        self.functions = functions;
    }

    /// Returns the symbols that lemmas may mention.
    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the number of questions asked.
    pub(super) fn questions(&self) -> u64 {
        self.questions
    }

    /// Returns the number of transitions.
    pub(super) fn transitions(&self) -> usize {
        self.steps.len()
    }

    /// Returns the cost of all questions.
    pub(super) fn statistics(&self) -> Statistics {
        let mut all = self.initial.statistics();
        self.steps.iter().for_each(|step| all.add(&step.context.statistics()));
        all
    }

    /// Reads a state of a structure over the system's signature or the contexts'.
    pub(super) fn found(&self, structure: &Structure, step: usize) -> Found {
        let single = structure.state(&self.sig, step).reduct(&self.system.sig);
        let state = State::new(&self.vocabulary, &self.system.sig, &single, 0);
        Found { state: Arc::new(state), structure: Arc::new(single) }
    }

    /// Returns the formula of a claim in an arena over the system's signature.
    pub(super) fn formula(&self, claim: &Claim, terms: &mut Terms) -> TermId {
        formula(&self.vocabulary, &self.system.sig, claim, terms)
    }

    /// Evaluates a formula of the system in a state.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn holds(&self, formula: TermId, found: &Found, budget: &mut Budget) -> Result<bool, Failure> {
        holds(self.terms.over(&self.system.sig), &found.structure, &Map::default(), formula, budget)
    }

    /// Asks whether all initial states satisfy a claim. Returns one that does not.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn initiation(
        &mut self,
        claim: &Claim,
        budget: &mut Budget,
    ) -> Result<Option<Found>, Failure> {
        self.questions += 1;
        let terms = self.initial.terms_mut();
        let wanted = formula(&self.vocabulary, &self.system.sig, claim, terms);
        let negated = terms.not(wanted);
        budget.check()?;
        budget.spend(cost(self.initial.terms(), negated))?;
        self.initial.pose(&[negated], &mut Budget::unlimited());
        if !self.initial.search(&[], budget)? {
            return Ok(None);
        }
        let found = self.initial.structure(&[], 1, Size::AsFound, budget).structure;
        let mut conditions: Vec<TermId> =
            self.init_conditions.iter().chain(&self.state_conditions).copied().collect();
        let mut tests = Tests::default();
        match claim {
            Claim::Excludes(pattern) => tests.matched = Some((Matcher::new(pattern), 0)),
            Claim::Alternates(alternation) => tests.alternations.push((alternation, 0, false)),
            Claim::Formula(formula) => conditions.push(self.terms.not(*formula)),
        }
        let structure = self.shrunk(found, &conditions, &tests, &mut evaluation_budget(budget))?;
        Ok(Some(self.found(&structure, 0)))
    }

    /// Asks whether a transition preserves a lemma if the assumed ones hold before it.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, or if evaluation contradicts the search.
    pub(super) fn consecution(
        &mut self,
        lemmas: &Lemmas,
        (goal, transition): (LemmaId, usize),
        assumed: &[LemmaId],
        budget: &mut Budget,
    ) -> Result<Consecution, Failure> {
        self.questions += 1;
        let claim = |id: LemmaId| (id, &lemmas[id].claim);
        let goal = claim(goal);
        let assumed: Vec<(LemmaId, &Claim)> = assumed.iter().map(|&id| claim(id)).collect();
        let step = &mut self.steps[transition];
        let (system, loaded) = (&self.system, &mut step.hypotheses);
        let hypotheses = load(&self.vocabulary, system, &mut step.context, loaded, &assumed, budget)?;
        let negated = match step.goals.get(&goal.0) {
            Some(&negated) => negated,
            None => {
                let terms = step.context.terms_mut();
                let wanted = formula(&self.vocabulary, &self.system.sig, goal.1, terms);
                let next = terms.shift(&self.sig, wanted, 1);
                let next = step.action.post(terms.over_mut(&self.sig), next);
                let negated = terms.not(next);
                step.goals.insert(goal.0, negated);
                negated
            }
        };
        budget.check()?;
        budget.spend(cost(step.context.terms(), negated))?;
        step.context.pose(&[negated], &mut Budget::unlimited());
        if !step.context.search(&hypotheses, budget)? {
            let needed = step.context.needed(&hypotheses);
            let pairs = assumed.iter().zip(&hypotheses);
            let core = pairs.filter(|(_, id)| needed.contains(id)).map(|((lemma, _), _)| *lemma);
            return Ok(Consecution::Preserved(core.collect()));
        }
        let mut found = step.context.structure(&hypotheses, 2, Size::AsFound, budget).structure;
        let has_witnesses = assumed.iter().any(|(_, claim)| matches!(claim, Claim::Alternates(_)));
        let limit = if has_witnesses { LARGE_WITH_WITNESSES } else { LARGE };
        let is_large =
            |found: &Structure| self.system.sig.uninterpreted_sorts().any(|sort| found.sizes[sort] > limit);
        if is_large(&found) {
            let least = Size::Small(&[Measure::Elements], LEAST);
            found = step.context.structure(&hypotheses, 2, least, budget).structure;
            if is_large(&found) {
                found = step.context.structure(&hypotheses, 2, Size::shrunk(), budget).structure;
            }
        }
        let mut evaluation = evaluation_budget(budget);
        let cti = self.cti(transition, found, goal, &assumed, &mut evaluation)?;
        budget.spend(evaluation.spent())?;
        Ok(Consecution::Violated(Box::new(cti)))
    }

    /// Completes and shrinks a step, and evaluates it.
    fn cti(
        &mut self,
        transition: usize,
        mut found: Structure,
        goal: (LemmaId, &Claim),
        assumed: &[(LemmaId, &Claim)],
        budget: &mut Budget,
    ) -> Result<Cti, Failure> {
        let mut conditions = vec![self.steps[transition].plain];
        let mut tests = Tests::default();
        match goal.1 {
            Claim::Excludes(pattern) => tests.matched = Some((Matcher::new(pattern), 1)),
            Claim::Alternates(alternation) => tests.alternations.push((alternation, 1, false)),
            Claim::Formula(_) => {
                let wanted = self.evaluated(goal);
                let next = self.terms.shift(&self.sig, wanted, 1);
                conditions.push(self.terms.not(next));
            }
        }
        for &(lemma, claim) in assumed {
            match claim {
                Claim::Excludes(pattern) => tests.absent.push(Matcher::new(pattern)),
                Claim::Alternates(alternation) => tests.alternations.push((alternation, 0, true)),
                Claim::Formula(_) => conditions.push(self.evaluated((lemma, claim))),
            }
        }
        conditions.extend(&self.state_conditions);
        for derived in &self.system.derived {
            conditions.push(self.terms.shift(&self.sig, derived.axiom, 1));
        }
        let step = &self.steps[transition];
        step.action.apply(step.context.terms().over(&self.sig), &mut found, budget)?;
        let pre = State::new(&self.vocabulary, &self.sig, &found, 0);
        let mut work = 0;
        let is_false = tests.absent.iter().any(|clause| clause.find(&pre, &mut work).is_some());
        budget.spend(work)?;
        if is_false {
            return Err(Failure::Internal("a state that was found does not satisfy a lemma".to_owned()));
        }
        let mut structure = self.shrunk(found, &conditions, &tests, budget)?;
        match self.complete(transition, &mut structure, &conditions, &tests, budget) {
            // What there is will do.
            Ok(()) | Err(Failure::Exhausted(Exhausted::Work)) => {}
            Err(failure) => return Err(failure),
        }
        let value = |sym: &SymId| structure.interpretation(&self.sig, *sym, 0).get(&[]);
        let args: Vec<Elem> = self.params[transition].iter().map(value).collect();
        Ok(Cti {
            pre: self.found(&structure, 0),
            post: self.found(&structure, 1),
            call: Call { transition, args },
        })
    }

    /// Returns the signature and the terms that events refer to.
    pub(super) fn syntax(&self) -> Syntax<'_> {
        self.terms.over(&self.system.sig)
    }

    /// Returns the formula of a lemma, with the signature and the terms that it belongs to.
    pub(super) fn shown(&mut self, lemma: (LemmaId, &Claim)) -> (Syntax<'_>, TermId) {
        let formula = self.evaluated(lemma);
        (self.terms.over(&self.system.sig), formula)
    }

    /// Returns the formula of a lemma in the arena in which structures are evaluated.
    fn evaluated(&mut self, (lemma, claim): (LemmaId, &Claim)) -> TermId {
        let Prover { evaluated, vocabulary, system, terms, .. } = self;
        *evaluated.entry(lemma).or_insert_with(|| formula(vocabulary, &system.sig, claim, terms))
    }

    /// Evaluates all conditions.
    ///
    /// # Errors
    /// Returns an error if one of them is false, or if the budget runs out.
    fn confirm(
        &self,
        structure: &Structure,
        conditions: &[TermId],
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        for &condition in conditions {
            if !holds(self.terms.over(&self.sig), structure, &Map::default(), condition, budget)? {
                let what = Pretty::new(self.terms.over(&self.sig), condition);
                return Err(Failure::Internal(format!("a structure that was found does not satisfy {what}")));
            }
        }
        Ok(())
    }

    /// Gives functions values where relations stand for them and have none, as far as all conditions stay true. A step that
    /// is possible with values is one of the protocol; others are excluded by lemmas that say nothing.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; the structure then satisfies the conditions all the same.
    fn complete(
        &self,
        transition: usize,
        structure: &mut Structure,
        conditions: &[TermId],
        tests: &Tests<'_>,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        if self.functions.is_empty() {
            return Ok(());
        }
        let mut conditions: Vec<TermId> =
            conditions.iter().flat_map(|&it| self.terms.conjuncts(it)).collect();
        let Step { action, context, .. } = &self.steps[transition];
        for table in &self.functions {
            for without in table.without_value(&self.sig, structure) {
                for value in 0..structure.sizes[table.value] {
                    let mut other = structure.clone();
                    table.give(&self.sig, &mut other, &without, value);
                    action.apply(context.terms().over(&self.sig), &mut other, budget)?;
                    if self.satisfies(&other, &mut conditions, tests, budget)? {
                        *structure = other;
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Retires a lemma in all contexts.
    pub(super) fn retire(&mut self, lemma: LemmaId) {
        for step in &mut self.steps {
            if let Some(id) = step.hypotheses.remove(&lemma) {
                step.context.retire(id);
            }
            step.goals.remove(&lemma);
        }
        self.evaluated.remove(&lemma);
    }

    /// Checks whether a transition leaves all symbols of a claim unchanged, so that it preserves the claim.
    pub(super) fn is_unchanged(&self, transition: usize, claim: &Claim) -> bool {
        let action = &self.steps[transition].action;
        let is_kept = |sym: SymId| matches!(action.update(sym), Update::Unchanged);
        let is_literal_kept = |literal: &Literal| match &literal.atom {
            Atom::Relation(symbol, _) | Atom::Value(symbol, _, _) => {
                is_kept(self.vocabulary.symbols[*symbol].sym)
            }
            Atom::Equal(..) => true,
        };
        match claim {
            Claim::Excludes(pattern) => pattern.literals.iter().all(is_literal_kept),
            Claim::Alternates(it) => it.clause.iter().chain(&it.cube).all(is_literal_kept),
            Claim::Formula(formula) => self.terms.symbols(*formula).into_iter().all(is_kept),
        }
    }
}

/// Returns the hypotheses of lemmas in a context. Adds those that are not loaded.
///
/// Assertions are made without a budget: one that is left unfinished would make the context useless, while searches can
/// be repeated with a larger budget. The formulas are small.
fn load(
    vocabulary: &Vocabulary,
    system: &System,
    context: &mut Context,
    loaded: &mut Map<LemmaId, HypothesisId>,
    assumed: &[(LemmaId, &Claim)],
    budget: &mut Budget,
) -> Result<Vec<HypothesisId>, Exhausted> {
    let mut hypotheses = Vec::with_capacity(assumed.len());
    for (lemma, claim) in assumed {
        if let Some(&id) = loaded.get(lemma) {
            hypotheses.push(id);
            continue;
        }
        let formula = formula(vocabulary, &system.sig, claim, context.terms_mut());
        budget.spend(cost(context.terms(), formula))?;
        let id = context.add(formula, &mut Budget::unlimited());
        loaded.insert(*lemma, id);
        hypotheses.push(id);
    }
    Ok(hypotheses)
}

/// Returns the work of making a formula and its clauses. Those of the diagram of a state take longer than most searches.
fn cost(terms: &Terms, formula: TermId) -> u64 {
    8 * u64::from(terms.tree_size(formula).min(MAX_COST))
}

/// Returns the formula of a claim in terms over the signature of the system.
pub(super) fn formula(vocabulary: &Vocabulary, sig: &Signature, claim: &Claim, terms: &mut Terms) -> TermId {
    match claim {
        Claim::Formula(formula) => *formula,
        Claim::Alternates(alternation) => alternation.term(vocabulary, sig, terms),
        Claim::Excludes(pattern) => {
            Partial { facts: pattern.facts(vocabulary) }.conjecture(terms.over_mut(sig))
        }
    }
}
