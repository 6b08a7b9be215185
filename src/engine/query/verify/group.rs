//! Answers for one group of obligations: search, certificates, and confirmation of counterexamples.

use super::{Base, Limits, Options, Plan, VACUITY_SHARE, VACUITY_WORK};
use crate::elaborate::Certificate;
use crate::prove::{Certified, Certifier};
use crate::query::canonical::renamed;
use crate::query::known::KnownState;
use crate::query::outcome::{Counterexample, Needs, ObligationResult, Outcome};
use crate::query::unroll::Call;
use crate::query::vacuity::{self, Vacuity};
use ramsey_circuit::transition::Reduced;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Structure, SymId, SymbolKind, TermId};
use ramsey_core::system::Site;
use ramsey_kernel::obligations::{Group, GroupKind, HypothesisOrigin, Origin, ProofPart};
use ramsey_solver::ask::{self, Failure, Found, HypothesisId, Judged, Meter, Size, Statistics, blame, judge};
use ramsey_solver::epr::{Measure, Measures, PATIENCE};

/// Work units for a proof from preferred hypotheses alone.
const STAGE: u64 = 2_000_000;

/// Answers the obligations of one group.
pub(in crate::query) struct GroupRun<'a> {
    plan: &'a Plan,
    pub(in crate::query) group: &'a Group,
    /// The usual search, once it is needed. Where everything is proved by the certifier, it is not.
    usual: Option<UsualSearch>,
    /// Proves the plain obligations, if certificates are requested or kept in a cache.
    certifier: Option<Certifier>,
    /// Whether invariants are among the hypotheses.
    is_inductive: bool,
    /// Counters of contexts that others have taken the place of.
    former: Statistics,
    limits: Limits,
    /// The measures of counterexamples, once they were needed. Listing them takes as long as the signature is.
    measures: Option<Vec<Measure>>,
}

/// The search for answers to the reduced obligations.
struct UsualSearch {
    reduced: Reduced,
    /// The reduced hypotheses, each with the origin of the first that has this formula. A goal that is among them needs no
    /// search: nothing that it speaks of has changed.
    assumed: Map<TermId, HypothesisOrigin>,
    base: Base,
}

impl UsualSearch {
    /// Asserts the hypotheses of a group, with a budget like that of a query.
    fn new(plan: &Plan, group: &Group, is_inductive: bool, limits: &Limits) -> UsualSearch {
        let Plan { system, obligations, options, .. } = plan;
        let mut base = plan.start(is_inductive, limits);
        let reduced = Reduced::new(system, obligations, base.context.terms_mut(), group);
        let skip = if is_inductive { reduced.shared } else { system.axioms.len() };
        let hypotheses = reduced.hypotheses[skip..].iter().copied();
        base.assert_all(hypotheses, options.cores, &mut limits.budget());
        let assumed = reduced.hypotheses.iter().rev().copied().collect();
        UsualSearch { reduced, assumed, base }
    }
}

impl<'a> GroupRun<'a> {
    /// Prepares a group, with a budget like that of a query.
    pub(in crate::query) fn new(plan: &'a Plan, group: &'a Group, limits: &Limits) -> Self {
        let is_inductive = matches!(
            group.kind,
            GroupKind::Transition(_) | GroupKind::Assertions(Site::Transition(_) | Site::Final)
        );
        let Options { seed, clock, .. } = plan.options;
        let certifier = plan.makes_proofs().then(|| {
            let mut budget = limits.budget();
            let foundation = plan.foundation(limits);
            Certifier::new(&plan.obligations, group, foundation, seed, clock, &mut budget)
        });
        let mut run = GroupRun {
            plan,
            group,
            usual: None,
            certifier,
            is_inductive,
            former: Statistics::default(),
            limits: limits.clone(),
            measures: None,
        };
        if run.certifier.is_none() {
            run.usual();
        }
        run
    }

    /// Returns the usual search.
    fn usual(&mut self) -> &mut UsualSearch {
        let GroupRun { plan, group, is_inductive, limits, usual, .. } = self;
        usual.get_or_insert_with(|| UsualSearch::new(plan, group, *is_inductive, limits))
    }

    /// Returns the obligations of the usual search.
    pub(in crate::query) fn reduced(&mut self) -> &Reduced {
        &self.usual().reduced
    }

    /// Excludes counterexamples whose first state counts as the same as one of these.
    pub(in crate::query) fn exclude(&mut self, known: &[KnownState], budget: &mut Budget) {
        let Plan { system, obligations, .. } = self.plan;
        let sig = &obligations.sig;
        // These obligations have separate symbols for the state that is shown.
        let is_before = self.group.kind == GroupKind::Assertions(Site::Init);
        let context = &mut self.usual().base.context;
        let before = is_before.then_some(&system.init_before[..]);
        for state in known {
            let formula = state.others(context.terms_mut().over_mut(sig), before);
            context.assume(formula, budget);
        }
    }

    /// Answers an obligation, which is outside of the decidable fragment or not.
    pub(super) fn answer(
        &mut self,
        (index, is_outside): (usize, bool),
        budget: Budget,
    ) -> (Outcome, Option<Certificate>, Statistics) {
        let (answer, statistics) = self.measured(budget, |run, budget| {
            budget.check()?;
            let answer = if run.plan.options.certify {
                run.certify(index, budget)
            } else if run.certifier.is_some() {
                run.prove(index, budget, is_outside)
            } else {
                run.search(index, budget).map(|outcome| (outcome, None))
            };
            if let Some(retired) = run.certifier.as_mut().and_then(Certifier::retired) {
                run.former.add(&Statistics::of_solver(&retired));
            }
            answer
        });
        let (outcome, certificate) = answer.unwrap_or_else(|exhausted| (Outcome::Unknown(exhausted), None));
        (outcome, certificate, statistics)
    }

    /// Checks whether the hypotheses are unsatisfiable, after these answers. Puts a structure that satisfies them into `shown` if the
    /// certifier finds one.
    pub(super) fn vacuity(
        &mut self,
        results: &[ObligationResult],
        shown: &mut Option<Structure>,
    ) -> (Option<Vacuity>, Statistics) {
        let Some(what) = self.plan.vacuous_part(self.group) else { return Default::default() };
        let spent: u64 = results.iter().map(|result| result.statistics.work).sum();
        let budget = self.limits.budget().part(VACUITY_WORK + spent / VACUITY_SHARE);
        let (found, statistics) = self.measured(budget, |run, budget| {
            budget.check()?;
            if let Some(certifier) = &mut run.certifier
                && certifier.is_consistent(budget)?
            {
                *shown = Some(certifier.structure(run.group.states, &[], budget));
                return Ok(None);
            }
            let sig = &run.plan.obligations.sig;
            let UsualSearch { reduced, base, .. } = run.usual();
            let labelled = base.labelled();
            vacuity::vacuity(what, sig, &reduced.hypotheses, &mut base.context, &labelled, budget)
        });
        (found.unwrap_or_default(), statistics)
    }

    /// Runs `ask`, and measures its cost.
    fn measured<T>(
        &mut self,
        mut budget: Budget,
        ask: impl FnOnce(&mut Self, &mut Budget) -> T,
    ) -> (T, Statistics) {
        let meter = Meter::start(self.statistics(), self.plan.options.clock);
        let answer = ask(self, &mut budget);
        let statistics = meter.read(&self.statistics(), budget.spent());
        (answer, statistics)
    }

    /// Returns the counters of the group's solvers.
    fn statistics(&self) -> Statistics {
        let mut statistics = self.former;
        if let Some(usual) = &self.usual {
            statistics.add(&usual.base.context.statistics());
        }
        if let Some(certifier) = &self.certifier {
            statistics.add(&Statistics::of_solver(certifier.solver()));
        }
        statistics
    }

    /// Answers an obligation with a certificate: a proof of the plain obligation, or the counterexample found by the
    /// usual search.
    fn certify(
        &mut self,
        index: usize,
        budget: &mut Budget,
    ) -> Result<(Outcome, Option<Certificate>), Exhausted> {
        let Some(certifier) = &mut self.certifier else { return Ok((self.search(index, budget)?, None)) };
        match certifier.answer(index, self.plan.options.export, budget)? {
            Certified::Proof(proof, export) => {
                let outcome = if self.plan.options.cores {
                    self.search(index, budget)?
                } else {
                    Outcome::Holds { core: Vec::new() }
                };
                Ok((outcome, Some(Certificate::Proof(proof, export))))
            }
            Certified::NoProof => {
                let message = "the refutation could not be written as a proof";
                Ok((Outcome::InternalError(message.into()), None))
            }
            Certified::Refuted => match self.search(index, budget)? {
                Outcome::Fails(counterexample) => {
                    let structure = counterexample.structure.clone();
                    Ok((Outcome::Fails(counterexample), Some(Certificate::Structure(structure))))
                }
                Outcome::Holds { .. } => {
                    let message = "two searches disagree about the obligation";
                    Ok((Outcome::InternalError(message.into()), None))
                }
                other => Ok((other, None)),
            },
        }
    }

    /// Answers an obligation with a proof for the cache where there is one, and otherwise as the usual search does.
    fn prove(
        &mut self,
        index: usize,
        budget: &mut Budget,
        is_outside: bool,
    ) -> Result<(Outcome, Option<Certificate>), Exhausted> {
        let proved = self.certifier.as_mut().map(|certifier| certifier.answer(index, false, budget));
        if let Some(Ok(Certified::Proof(proof, _))) = proved {
            return Ok((Outcome::Holds { core: Vec::new() }, Some(Certificate::Proof(proof, None))));
        }
        // A counterexample must not depend on which other obligations the cache has answered.
        if let Some(usual) = self.usual.take() {
            self.former.add(&usual.base.context.statistics());
        }
        // Nor must an answer be lost that there is without a cache.
        let mut again = self.limits.budget_of(is_outside);
        let outcome = self.search(index, &mut again);
        // This is the cost of an answer that there is.
        let _ = budget.absorb(&again);
        match (proved, outcome?) {
            (Some(Ok(Certified::Refuted)), Outcome::Holds { .. }) => {
                let message = "two searches disagree about the obligation";
                Ok((Outcome::InternalError(message.into()), None))
            }
            (_, outcome) => Ok((outcome, None)),
        }
    }

    fn search(&mut self, index: usize, budget: &mut Budget) -> Result<Outcome, Exhausted> {
        if !self.plan.options.minimize {
            return Ok(self.refute(index, None, PATIENCE, budget)?.0);
        }
        let measures = self.measures.take().unwrap_or_else(|| self.measures().list());
        let answer = self.refute(index, Some(&measures), PATIENCE, budget);
        self.measures = Some(measures);
        Ok(answer?.0)
    }

    /// Answers an obligation. With measures, a counterexample is minimized by them within `patience`; the returned
    /// number is the count of measures with a provably least value.
    pub(in crate::query) fn refute(
        &mut self,
        index: usize,
        measures: Option<&[Measure]>,
        patience: u64,
        budget: &mut Budget,
    ) -> Result<(Outcome, usize), Exhausted> {
        let (plan, group) = (self.plan, self.group);
        let UsualSearch { reduced, assumed, base } = self.usual();
        if let Some(&origin) = assumed.get(&reduced.goals[index]) {
            let core = if plan.options.cores { self.core([origin]) } else { Vec::new() };
            return Ok((Outcome::Holds { core }, 0));
        }
        let labelled = base.labelled();
        let negated = &[base.context.terms_mut().not(reduced.goals[index])];
        let size = measures.map_or(Size::AsFound, |measures| Size::Small(measures, patience));
        let question = ask::Question { hypotheses: &labelled, negated, states: group.states, size };
        let judge = |found: Found<'_>| {
            let Found { mut structure, proved, terms, mut budget } = found;
            reduced.complete(terms.over(&plan.obligations.sig), &mut structure, &mut budget)?;
            Ok((counterexample(plan, group, index, structure, &mut budget)?, proved))
        };
        match base.context.ask(&question, budget, judge) {
            Ok(Judged::Proved(needed)) => {
                let labels = base.labels.iter().filter(|(label, _)| needed.contains(label));
                let used: Vec<HypothesisOrigin> = labels.map(|&(_, origin)| origin).collect();
                let core = if plan.options.cores { self.core(used) } else { Vec::new() };
                Ok((Outcome::Holds { core }, 0))
            }
            Ok(Judged::Refuted((found, proved))) => Ok((Outcome::Fails(Box::new(found)), proved)),
            Err(Failure::Exhausted(exhausted)) => Err(exhausted),
            Err(Failure::Internal(what) | Failure::Misuse(what)) => Ok((Outcome::InternalError(what), 0)),
        }
    }

    /// Returns invariants and axioms that suffice for an obligation together with the other hypotheses; `None` if no
    /// permitted ones do. `rank` permits a hypothesis, and those of greater rank are left out first. A plan for this
    /// question names hypotheses ([`Options::cores`]).
    pub(in crate::query) fn needs(
        &mut self,
        index: usize,
        rank: &dyn Fn(HypothesisOrigin) -> Option<u32>,
        budget: &mut Budget,
    ) -> Result<Option<Needs>, Exhausted> {
        let UsualSearch { reduced, base: Base { context, labels }, .. } = self.usual();
        let negated = context.terms_mut().not(reduced.goals[index]);
        context.pose(&[negated], budget);
        let is_optional = |origin: HypothesisOrigin| {
            matches!(origin, HypothesisOrigin::Invariant(_) | HypothesisOrigin::Axiom(_))
        };
        let fixed = labels.iter().filter(|&&(_, origin)| !is_optional(origin)).map(|&(id, _)| id);
        let fixed: Vec<HypothesisId> = fixed.collect();
        let mut kept: Vec<(u32, HypothesisId, HypothesisOrigin)> = labels
            .iter()
            .filter(|&&(_, origin)| is_optional(origin))
            .filter_map(|&(id, origin)| Some((rank(origin)?, id, origin)))
            .collect();
        kept.sort_by_key(|&(rank, ..)| std::cmp::Reverse(rank));
        let mut refuted = |tried: &[(u32, HypothesisId, HypothesisOrigin)], budget: &mut Budget| {
            let ids: Vec<HypothesisId> =
                fixed.iter().copied().chain(tried.iter().map(|&(_, id, _)| id)).collect();
            let is_refuted = !context.search(&ids, budget)?;
            let needed = context.needed(&ids);
            let core = tried.iter().filter(|(_, id, _)| needed.contains(id)).copied();
            Ok(is_refuted.then(|| core.collect::<Vec<_>>()))
        };
        let mut ranks: Vec<u32> = kept.iter().map(|&(rank, ..)| rank).collect();
        ranks.dedup();
        let mut first = None;
        // Hypotheses of less rank are tried alone, since a core of all is any one.
        while ranks.len() > 1 && first.is_none() {
            let most = ranks.pop();
            let of_less: Vec<_> = kept.iter().filter(|it| Some(it.0) <= most).copied().collect();
            let mut part = budget.part(STAGE);
            first = refuted(&of_less, &mut part).ok().flatten();
            budget.absorb(&part)?;
        }
        let first = match first {
            Some(core) => Some(core),
            None => refuted(&kept, budget)?,
        };
        let Some(core) = first else { return Ok(None) };
        // Those of least rank may replace others of the core.
        let least = kept.last().map(|&(rank, ..)| rank);
        kept.retain(|it| Some(it.0) == least || core.contains(it));
        let mut is_minimal = true;
        let mut at = 0;
        while at < kept.len() {
            let mut others = kept.clone();
            others.remove(at);
            match refuted(&others, budget) {
                Ok(Some(core)) => kept = core,
                Ok(None) => at += 1,
                Err(_) => {
                    is_minimal = false;
                    break;
                }
            }
        }
        let mut needs = Needs { is_minimal, ..Needs::default() };
        for (.., origin) in kept {
            match origin {
                HypothesisOrigin::Invariant(invariant) => needs.invariants.push(invariant),
                HypothesisOrigin::Axiom(axiom) => needs.axioms.push(axiom),
                _ => {}
            }
        }
        needs.invariants.sort_unstable();
        needs.axioms.sort_unstable();
        Ok(Some(needs))
    }

    /// Checks whether the transition changes no symbol of a claim.
    pub(in crate::query) fn is_unchanged(&mut self, index: usize) -> bool {
        match self.group.goals[index].origin {
            Origin::Consecution { invariant, .. } => {
                let formula = self.plan.system.invariants[invariant].formula;
                self.reduced().goals[index] == formula
            }
            _ => false,
        }
    }

    /// Returns the hypotheses of a proof that needed these. Updates are substituted into the goal, so the formulas that define them
    /// count as used: the transition, and derived relations after it.
    fn core(&self, needed: impl Into<Vec<HypothesisOrigin>>) -> Vec<HypothesisOrigin> {
        let mut core: Vec<HypothesisOrigin> = needed.into();
        if let Some(index) = self.group.kind.transition() {
            core.extend((0..self.plan.system.derived.len()).map(|index| HypothesisOrigin::Derived(index, 1)));
            core.push(HypothesisOrigin::Transition(index));
        }
        core.sort_unstable();
        core.dedup();
        core
    }

    /// Returns the tuples of relations, state by state, as measures; relations annotated `no_minimize` are left out.
    fn measures(&mut self) -> Measures {
        let (sig, states) = (&self.plan.obligations.sig, self.group.states);
        let declared = self.plan.system.sig.symbols.len();
        let is_proof = matches!(self.group.kind, GroupKind::Proof { .. });
        let relations: Vec<(SymId, SymbolKind)> = sig
            .symbols
            .iter_enumerated()
            // The symbols of proofs are in no other obligation.
            .filter(|(sym, _)| is_proof || sym.index() < declared)
            .filter(|(_, symbol)| symbol.is_relation() && !symbol.args.is_empty())
            .filter(|(_, symbol)| !symbol.has_annotation("no_minimize"))
            .map(|(sym, symbol)| (sym, symbol.kind))
            .collect();
        let mut measures = Measures::default();
        for &(sym, kind) in &relations {
            if !kind.is_mutable() {
                measures.relations.push((sym, 0));
            }
        }
        let reduced = self.reduced();
        for step in 0..states {
            for &(sym, kind) in &relations {
                if kind.is_mutable() && reduced.is_searched(sym, step) {
                    measures.relations.push((sym, step));
                }
            }
        }
        measures
    }
}

/// Evaluates a structure against the plain obligation. Only a confirmed structure is a counterexample.
pub(super) fn counterexample(
    plan: &Plan,
    group: &Group,
    index: usize,
    structure: Structure,
    budget: &mut Budget,
) -> Result<Counterexample, Failure> {
    let Plan { system, obligations, .. } = plan;
    let mut structure = renamed(system, &obligations.sig, &structure);
    let goal = &group.goals[index];
    let assumed = group.hypotheses.iter().map(|hypothesis| hypothesis.formula);
    let what = |at: usize| format!("the hypothesis {:?}", group.hypotheses[at].origin);
    judge(obligations.syntax(), &structure, assumed, goal.formula, budget, what)?;
    // The invariant is reported as written, without primes, and evaluated in the last state.
    let (claim, view) = match goal.origin {
        Origin::Consecution { invariant, .. }
        | Origin::Proof { part: ProofPart::Safety, claim: invariant, .. } => {
            (system.invariants[invariant].formula, structure.state(&obligations.sig, 1))
        }
        Origin::Proof { proof, part: ProofPart::Transition { step, .. }, claim } => {
            let step = &system.proofs.list[proof].steps[step];
            let state = if step.forward { 1 } else { 0 };
            (step.inductive()[claim].formula, structure.state(&obligations.sig, state))
        }
        _ => (goal.formula, structure.clone()),
    };
    let falsification = blame(obligations.syntax(), &view, claim, budget);
    if group.kind == GroupKind::Assertions(Site::Init) {
        // What has changed since does not occur in the obligation.
        system.rewind(&obligations.sig, &mut structure);
    }
    let mut calls = Vec::new();
    if let Some(transition) = group.kind.transition() {
        let value = |&param| structure.interpretation(&obligations.sig, param, 0).get(&[]);
        calls.push(Call { transition, args: obligations.params[transition].iter().map(value).collect() });
    }
    Ok(Counterexample { structure, calls, falsification })
}
