//! The course of an inference: what is tried, in which order, with how much work.

use std::sync::Arc;

use super::canonical::{Canonical, Retold};
use super::choices::for_all_choices;
use super::claim::{Claim, Cti, LemmaId};
use super::engine::{Engine, Goal, Question};
use super::executions::{Execution, execution};
use super::minimize::minimize;
use super::outcome::{Answer, Counts, Event, Inference, Language, Lemma, Observer, Open, Options, Reason};
use super::schedule::{End, Executor, PARTIAL, Player, Players};
use super::search::{Search, Verdict, Violation};
use crate::query::bmc::{self, Bmc, Target};
use crate::query::canonical::Renaming;
use crate::query::{Counterexample, Limits};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{TermId, Terms};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Property;
use ramsey_solver::ask::{Context, Failure, Statistics, blame};
use ramsey_solver::formulas::Partial;

/// Work units for an invariant with quantifiers of both kinds, where the plan finds that there is no universal one.
const EXISTS: u64 = 4_000_000_000;
/// Work units for a concrete execution, once a relaxed one is known.
const BOUNDED_WORK: u64 = 3_000_000;
/// Maximum length of such an execution.
const MAX_DEPTH: u16 = 16;
/// Work units for the minimization of an invariant.
const MINIMIZE: u64 = 200_000_000;
/// Work units for what holds initially, likewise.
const INITIAL: u64 = 500_000;

/// A question.
pub(super) enum Posed {
    /// It needs no search.
    Answered(Box<Inference>),
    /// It is a search on the canonical form.
    Open(Box<Canonical>),
}

/// Runs an inference.
pub(super) fn run(
    system: &Arc<System>,
    options: &Options,
    executor: &dyn Executor,
    budget: &mut Budget,
    observer: &mut dyn Observer,
) -> Inference {
    match pose(system, options) {
        Posed::Answered(found) => *found,
        Posed::Open(canonical) => {
            let found = search(&canonical, executor, budget, observer);
            canonical.inference(found)
        }
    }
}

/// Prepares a search.
pub(super) fn pose(system: &Arc<System>, options: &Options) -> Posed {
    // Lemmas are further terms, which the vocabulary of proofs would not have.
    let system = &System::sharing_without_proofs(system);
    let (before, properties): (Vec<Property>, Vec<Property>) =
        Property::safety(system).into_iter().partition(|property| property.is_before_init(system));
    // No lemma makes a difference to the part before the initial states.
    let answer = (!before.is_empty()).then(|| shortest(system, &before, 0, options.seed)).flatten();
    if let Some(answer) = answer {
        return Posed::Answered(Box::new(without_search(system, options, answer)));
    }
    let mut extended = (**system).clone();
    let claims: Option<Vec<TermId>> = properties
        .iter()
        .map(|property| for_all_choices(system, &mut extended.terms, property.formula(system)))
        .collect();
    let Some(claims) = claims else {
        let reason = Reason::Exhausted(Exhausted::FormulaSize);
        let answer = Answer::Unknown { reason, lemmas: Vec::new(), open: Vec::new() };
        return Posed::Answered(Box::new(without_search(system, options, answer)));
    };
    let system = Arc::new(extended);
    Posed::Open(Box::new(Canonical::new(&system, &properties, &claims, options)))
}

/// Searches on a canonical form. The answer is about that, and the observer is told of the original.
pub(super) fn search(
    canonical: &Canonical,
    executor: &dyn Executor,
    budget: &mut Budget,
    observer: &mut dyn Observer,
) -> Inference {
    let question = Question::new(&canonical.system);
    // Whether that was too much is found out by the first turn.
    let _ = budget.spend(question.suggested.work);
    let mut retold = Retold { canonical, observer };
    question.goal(&canonical.options).pursue(executor, &mut retold, budget)
}

/// Returns the answer where no universal invariant exists, and `other` is that of the search for another one.
fn with_witnesses(found: Inference, mut other: Inference) -> Inference {
    let is_cut_off = match other.answer {
        Answer::Invariant(_) | Answer::Unsafe(..) | Answer::InternalError(_) => return other,
        Answer::Unknown { reason: Reason::Exhausted(_), .. } => true,
        Answer::Unknown { .. } | Answer::NoUniversal(_) => false,
    };
    match found.answer {
        Answer::NoUniversal(execution) if is_cut_off => {
            other.no_universal = Some(execution);
            other
        }
        // The search has ended by itself, so that no limit is to blame.
        answer => Inference { answer, languages: other.languages, ..found },
    }
}

impl Goal<'_> {
    /// Runs a method, or several in turns.
    fn pursue(&self, executor: &dyn Executor, observer: &mut dyn Observer, budget: &mut Budget) -> Inference {
        let method = self.options.method;
        let instead = method.instead();
        let mut players = Players::new(method, self);
        let (winner, end) = players.take_turns(self, executor, observer, budget);
        let found = self.found(&mut players, winner, end, observer, budget);
        let Some(instead) = instead.filter(|_| matches!(found.answer, Answer::NoUniversal(_))) else {
            return found;
        };
        if let Err(Failure::Internal(what) | Failure::Misuse(what)) =
            players.leave_only(instead, self, winner, observer, budget)
        {
            return Inference { answer: Answer::InternalError(what), ..found };
        }
        let mut part = budget.part(if self.options.until_stopped { u64::MAX } else { EXISTS });
        let (winner, end) = players.take_turns(self, executor, observer, &mut part);
        let other = self.found(&mut players, winner, end, observer, &mut part);
        // What a limit ended says so in its answer.
        let _ = budget.absorb(&part);
        with_witnesses(found, other)
    }

    /// Returns how a search of the methods ended.
    fn found(
        &self,
        players: &mut Players,
        winner: usize,
        end: End,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Inference {
        // Of a relational form, only an invariant says something about the system.
        let is_answer = matches!(end, Ok(Verdict::Inductive(_)));
        let winner = if is_answer { winner } else { players.reporting(winner) };
        // Turns after that of the winner may have been cancelled anywhere.
        let mut statistics = Statistics::default();
        let others = players.list.iter().enumerate().filter(|(at, _)| *at != winner);
        others.for_each(|(_, player)| statistics.add(&player.statistics));
        let languages = players.list.iter().flat_map(|player| {
            player.languages.iter().map(|it| Language { method: player.method, ..it.clone() })
        });
        let languages = languages.collect();
        let Player { method, engine, relational, .. } = &mut players.list[winner];
        let own = relational.as_ref().map(|it| it.goal());
        let Goal { system, properties, claims, options, .. } = *own.as_ref().unwrap_or(self);
        let mut run = Run { system: (**system).clone(), properties, claims, seed: options.seed };
        let answer = run.answer(engine.as_mut(), end, observer, budget);
        let search = engine.search();
        statistics.add(&search.prover.statistics());
        let (system, counts) = (Arc::new(run.system), search.counts);
        let languages = match answer {
            Answer::Unknown { .. } | Answer::NoUniversal(_) => languages,
            Answer::Invariant(_) | Answer::Unsafe(..) | Answer::InternalError(_) => Vec::new(),
        };
        let (no_universal, method) = (None, *method);
        let found = Inference { answer, no_universal, languages, system, method, counts, statistics };
        match relational {
            Some(relational) if is_answer => relational.inference(found),
            _ => found,
        }
    }
}

/// Returns an answer for which no method was needed.
fn without_search(system: &Arc<System>, options: &Options, answer: Answer) -> Inference {
    Inference {
        answer,
        no_universal: None,
        languages: Vec::new(),
        system: Arc::clone(system),
        method: options.method,
        counts: Counts::default(),
        statistics: Statistics::default(),
    }
}

/// Returns a shortest execution that violates a property, if one of at most `steps` steps is found soon.
pub(super) fn shortest(system: &System, properties: &[Property], steps: u16, seed: u64) -> Option<Answer> {
    let targets = properties.iter().map(|&property| Target::Model(property)).collect();
    let options = bmc::Options { seed, ..bmc::Options::new(targets, steps.min(MAX_DEPTH)) };
    let limits = Limits { work: Some(BOUNDED_WORK), ..Limits::default() };
    let mut bmc = Bmc::new(Arc::new(system.clone()), options);
    let mut work = 0;
    while let Some(depth) = bmc.advance(&limits) {
        work += depth.statistics.work;
        if work > BOUNDED_WORK {
            return None;
        }
        if let bmc::Outcome::Violated(violation) = depth.outcome {
            let Target::Model(property) = violation.target else { return None };
            return Some(Answer::Unsafe(property, Box::new(violation.counterexample)));
        }
    }
    None
}

struct Run<'a> {
    system: System,
    properties: &'a [Property],
    /// The formulas of the properties, for all values of their choices.
    claims: &'a [TermId],
    seed: u64,
}

impl Run<'_> {
    fn answer(
        &mut self,
        engine: &mut dyn Engine,
        found: Result<Verdict, Failure>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Answer {
        let search = engine.search();
        search.lemmas.assume_from(0);
        match found {
            Ok(Verdict::Inductive(mut needed)) => {
                // A set that could not be minimized within the budget is inductive all the same.
                match minimize(search, &mut needed, &mut budget.part(MINIMIZE)) {
                    Ok(()) | Err(Failure::Exhausted(_)) => {}
                    Err(failure) => return self.unknown(engine, failure, observer),
                }
                let mut lemmas = needed.iter().filter_map(|&id| self.lemma(search, id)).collect();
                self.add_assertions(&mut lemmas, &mut budget.part(MINIMIZE));
                Answer::Invariant(self.about_states(lemmas))
            }
            Ok(Verdict::Violated(property, state)) => {
                match self.violated(engine, (property, state), budget) {
                    Ok(answer) => answer,
                    Err(failure) => self.unknown(engine, failure, observer),
                }
            }
            Ok(Verdict::Stuck(reason)) => {
                // A search that excludes states one by one never follows an execution to a violation.
                let shortest = (reason == Reason::NoInvariant)
                    .then(|| shortest(&self.system, self.properties, MAX_DEPTH, self.seed));
                shortest.flatten().unwrap_or_else(|| self.partial(engine, reason, observer))
            }
            Err(failure) => self.unknown(engine, failure, observer),
        }
    }

    fn unknown(&mut self, engine: &mut dyn Engine, failure: Failure, observer: &mut dyn Observer) -> Answer {
        match failure {
            Failure::Exhausted(exhausted) => self.partial(engine, Reason::Exhausted(exhausted), observer),
            Failure::Internal(what) | Failure::Misuse(what) => Answer::InternalError(what),
        }
    }

    /// Returns the answer for a state of the store in which a property is false.
    fn violated(
        &self,
        engine: &mut dyn Engine,
        (property, state): Violation,
        budget: &Budget,
    ) -> Result<Answer, Failure> {
        engine.settle_origin(state);
        let property = self.properties[property];
        let (found, steps) = match execution(engine.search(), property, state, budget)? {
            Execution::Concrete(found) => {
                let steps = found.calls.len();
                (Answer::Unsafe(property, found), steps)
            }
            Execution::Relaxed(found) => {
                let steps = found.counterexample.calls.len();
                (Answer::NoUniversal(found), steps)
            }
        };
        let shortest = shortest(&self.system, self.properties, steps as u16, self.seed);
        Ok(shortest.unwrap_or(found))
    }

    /// Returns the best partial result.
    fn partial(&mut self, engine: &mut dyn Engine, reason: Reason, observer: &mut dyn Observer) -> Answer {
        let mut finish = Budget::new(Some(INITIAL), None);
        let answer = match engine.search().settle_initiation(observer, &mut finish) {
            Ok(Some(violation)) => self.violated(engine, violation, &finish).map(Some),
            Ok(None) => Ok(None),
            Err(failure) => Err(failure),
        };
        match answer {
            Ok(Some(answer)) => return answer,
            Ok(None) | Err(Failure::Exhausted(_)) => {}
            Err(Failure::Internal(what) | Failure::Misuse(what)) => return Answer::InternalError(what),
        }
        let search = engine.search();
        let open = search.lemmas.open();
        let open = open.into_iter().map(|(id, transition)| self.open(search, id, transition)).collect();
        search.tell(observer, &Event::Stopped);
        // It is spent after the budget ran out too.
        let mut finish = Budget::new(Some(PARTIAL), None);
        let lemmas = match search.inductive_subset(observer, &mut finish) {
            Ok(lemmas) => lemmas.into_iter().filter_map(|id| self.lemma(search, id)).collect(),
            Err(Failure::Exhausted(_)) => Vec::new(),
            Err(Failure::Internal(what) | Failure::Misuse(what)) => return Answer::InternalError(what),
        };
        Answer::Unknown { reason, lemmas, open }
    }

    /// Returns a lemma of the search; `None` for a property.
    fn lemma(&mut self, search: &Search, id: LemmaId) -> Option<Lemma> {
        let it = &search.lemmas[id];
        if it.is_property() {
            return None;
        }
        let formula = search.prover.formula(&it.claim, &mut self.system.terms);
        let excluded = match &it.claim {
            Claim::Excludes(pattern) => Some(Partial { facts: pattern.facts(search.prover.vocabulary()) }),
            Claim::Formula(_) | Claim::Alternates(_) => None,
        };
        Some(Lemma { name: it.name.clone(), formula, excluded })
    }

    /// Adds the assertions that do not follow from the lemmas and the other properties. The search shows that every property
    /// is preserved and assumes them all, but what a model assumes of a state are its claims and not its assertions.
    fn add_assertions(&self, lemmas: &mut Vec<Lemma>, budget: &mut Budget) {
        let System { sig, terms, axioms, derived, .. } = &self.system;
        let mut context = Context::new(sig.clone(), terms.clone(), self.seed, None);
        let axioms = axioms.iter().map(|axiom| axiom.formula);
        let properties = self.properties.iter().zip(self.claims);
        let (assertions, claims): (Vec<_>, Vec<_>) =
            properties.partition(|it| matches!(it.0, Property::Assertion(_)));
        let known = axioms.chain(derived.iter().map(|derived| derived.axiom));
        let known = known.chain(claims.into_iter().map(|(_, &claim)| claim));
        let known: Vec<TermId> = known.chain(lemmas.iter().map(|lemma| lemma.formula)).collect();
        known.into_iter().for_each(|formula| context.assume(formula, budget));
        for (_, &claim) in assertions {
            let negated = context.terms_mut().not(claim);
            context.pose(&[negated], budget);
            // If that cannot be decided, a lemma too many does no harm.
            if context.search(&[], budget) != Ok(false) {
                context.assume(claim, budget);
                lemmas.push(Lemma { name: None, formula: claim, excluded: None });
            }
        }
    }

    /// Joins lemmas about immutable symbols alone to another lemma, or to a property: languages have no place for claims
    /// about states that no transition can change.
    fn about_states(&mut self, lemmas: Vec<Lemma>) -> Vec<Lemma> {
        let System { sig, terms, .. } = &mut self.system;
        let is_fixed = |terms: &Terms, formula: TermId| {
            !terms.symbols(formula).into_iter().any(|sym| sig.symbols[sym].kind.is_mutable())
        };
        let (fixed, mut lemmas): (Vec<Lemma>, Vec<Lemma>) =
            lemmas.into_iter().partition(|lemma| is_fixed(terms, lemma.formula));
        if fixed.is_empty() {
            return lemmas;
        }
        let mut conjuncts: Vec<TermId> = fixed.iter().map(|lemma| lemma.formula).collect();
        let other = (!lemmas.is_empty()).then(|| lemmas.remove(0).formula);
        conjuncts.extend(other.or(self.claims.iter().copied().find(|&claim| !is_fixed(terms, claim))));
        let formula = self.system.terms.and(&conjuncts);
        lemmas.insert(0, Lemma { name: None, formula, excluded: None });
        lemmas
    }

    fn open(&mut self, search: &Search, id: LemmaId, transition: Option<usize>) -> Open {
        let it = &search.lemmas[id];
        let formula = search.prover.formula(&it.claim, &mut self.system.terms);
        let cti = transition.and_then(|transition| it.cti(transition));
        let counterexample = cti.map(|cti| Box::new(self.counterexample(cti, formula)));
        Open { formula, name: it.name.clone(), transition, counterexample }
    }

    fn counterexample(&self, cti: &Cti, formula: TermId) -> Counterexample {
        let syntax = self.system.syntax();
        let mut structure = (*cti.pre.structure).clone();
        structure.push_state(syntax.sig, &cti.post.structure, 0);
        let renaming = Renaming::new(&self.system, syntax.sig, &structure);
        let structure = renaming.structure(syntax.sig, &structure);
        let falsification = blame(syntax, &structure.state(syntax.sig, 1), formula, &Budget::unlimited());
        Counterexample { structure, calls: vec![renaming.call(&self.system, &cti.call)], falsification }
    }
}
