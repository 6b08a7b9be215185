//! `cti`: the first failing obligation of an inductive proof, with a minimal counterexample to induction (Ivy, PLDI
//! 2016, sections 4.2 and 4.3).

use std::sync::Arc;

use super::fragment::CycleEdge;
pub use super::known::{KnownState, Sameness};
use super::outcome::{ObligationResult, Outcome, Verification, describe};
use super::verify::{self, GroupRun, Limits, Plan};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{Signature, Structure, SymId, TermId};
use ramsey_core::system::{Invariant, System};
use ramsey_kernel::obligations::{Group, GroupKind, Origin};
use ramsey_solver::ask::Statistics;
pub use ramsey_solver::epr::Measure;
use ramsey_solver::epr::{Clock, counted_sorts};
use ramsey_solver::telemetry::{QUERY, event};

/// Work units after which minimization stops with the best counterexample found.
const MINIMIZATION_WORK: u64 = 500_000_000;

/// Options of the search.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Indices of the transitions to check; if empty, all, with initiation and assertions.
    pub transitions: Vec<usize>,
    /// Indices of the invariants to check; if empty, all, with assertions.
    pub invariants: Vec<usize>,
    /// The only obligation to check, if given.
    pub obligation: Option<Origin>,
    /// Measures to minimize, in order, evaluated in the state before the transition. See [`complete`].
    pub measures: Vec<Measure>,
    /// States that are not to be shown again as the state before the transition.
    pub known: Vec<KnownState>,
    /// Which states count as the same when several counterexamples are searched.
    pub sameness: Sameness,
    /// Number of counterexamples to search; 0 counts as 1.
    pub count: usize,
    /// Seed of the search.
    pub seed: u64,
    /// Clock for time measurements; without it times are 0.
    pub clock: Option<Clock>,
}

/// Value of a measure in a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeasuredValue {
    /// The measure.
    pub measure: Measure,
    /// Its value.
    pub value: u64,
    /// Whether this value is the least among counterexamples to the same obligation with the same values of the
    /// earlier measures.
    pub is_minimal: bool,
}

/// Result of the search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Verification with a result for each counterexample found (or internal error), in order. Several may be about
    /// the same obligation.
    pub verification: Verification,
    /// For each result, the requested measures with their values in the counterexample, in order.
    pub reached: Vec<Vec<MeasuredValue>>,
    /// Obligations before the last failing one (or all, if too few fail) whose answer exceeded a budget.
    pub unknown: Vec<(Origin, Exhausted)>,
}

impl Answer {
    /// Returns whether the tool contradicted itself.
    pub fn has_internal_error(&self) -> bool {
        self.verification.results.iter().any(|result| matches!(result.outcome, Outcome::InternalError(_)))
    }
}

/// Returns the chosen measures followed by the others in the default order: sizes of sorts, positive tuples of mutable
/// relations, positive tuples of immutable relations; each in the order of declaration. Sorts and relations annotated
/// `no_minimize` are left out of the default.
pub fn complete(sig: &Signature, chosen: &[Measure]) -> Vec<Measure> {
    let mut list: Vec<Measure> = Vec::new();
    let mut add = |measure: Measure| {
        let is_same = |known: &Measure| match (known, measure) {
            (
                Measure::Positive(a, i) | Measure::Negative(a, i),
                Measure::Positive(b, j) | Measure::Negative(b, j),
            ) => (*a, *i) == (b, j),
            (known, measure) => *known == measure,
        };
        // Only an explicit choice may measure a relation twice, positive and negative.
        if list.len() < chosen.len() || !list.iter().any(is_same) {
            list.push(measure);
        }
    };
    chosen.iter().copied().for_each(&mut add);
    counted_sorts(sig).map(Measure::Size).for_each(&mut add);
    let relations = |mutable: bool| {
        sig.symbols
            .iter_enumerated()
            .filter(|(_, symbol)| symbol.is_relation() && !symbol.args.is_empty())
            .filter(|(_, symbol)| !symbol.has_annotation("no_minimize"))
            .filter(move |(_, symbol)| symbol.kind.is_mutable() == mutable)
            .map(|(sym, _)| Measure::Positive(sym, 0))
    };
    relations(true).for_each(&mut add);
    relations(false).for_each(&mut add);
    list
}

/// Returns the system without these invariants. Proofs, which refer to invariants, are left out.
pub fn without_invariants(system: &System, removed: &[usize]) -> System {
    let mut rest = system.without_proofs();
    let kept = (0..rest.invariants.len()).filter(|index| !removed.contains(index));
    rest.invariants = kept.map(|index| system.invariants[index].clone()).collect();
    rest
}

/// Returns the system with a formula (over step 0, in its terms) as its last invariant. Proofs are left out.
pub fn with_invariant(system: &System, formula: TermId) -> System {
    let mut more = system.without_proofs();
    // No result refers to the location.
    let span = Span { file: FileId::new(0), start: 0, end: 0 };
    more.invariants.push(Invariant { name: None, label: String::new(), formula, is_safety: false, span });
    more
}

/// A prepared search for a counterexample to induction.
#[derive(Debug)]
pub struct Search {
    plan: Plan,
    options: Options,
}

impl Search {
    /// Prepares the search. Theorems and proofs are not searched.
    pub fn new(system: Arc<System>, options: &Options) -> Search {
        let plan = Plan::new(
            system,
            verify::Options {
                transitions: options.transitions.clone(),
                invariants: options.invariants.clone(),
                seed: options.seed,
                clock: options.clock,
                ..verify::Options::default()
            },
        );
        Search { plan, options: options.clone() }
    }

    fn is_asked(&self, origin: Origin) -> bool {
        self.options.obligation.is_none_or(|only| only == origin)
    }

    /// Returns the groups to search, in order, with their indices.
    fn groups(&self) -> impl Iterator<Item = (usize, &Group)> {
        let groups = self.plan.obligations().groups.iter().enumerate();
        groups
            .filter(|(_, group)| !matches!(group.kind, GroupKind::Theorem(_) | GroupKind::Proof { .. }))
            .filter(|(_, group)| group.goals.iter().any(|goal| self.is_asked(goal.origin)))
    }

    /// Returns the obligations outside stratified EPR, each with a cycle.
    pub fn outside(&self, limits: &Limits) -> Vec<(Origin, &[CycleEdge])> {
        let of_group = |(index, group): (usize, &Group)| {
            let goals: Vec<Origin> = group.goals.iter().map(|goal| goal.origin).collect();
            goals.into_iter().zip(self.plan.cycles(index, limits))
        };
        let all = self.groups().flat_map(of_group);
        all.filter_map(|(origin, cycle)| Some((origin, cycle.as_deref()?))).collect()
    }
}

/// Searches for the first counterexamples in the order of the source: initiation, then transition by transition;
/// assertions together with the part that contains them. Theorems and proofs are not searched. Several counterexamples
/// have different states before the transition.
pub fn cti(system: Arc<System>, options: &Options, limits: &Limits) -> Answer {
    Search::new(system, options).run(limits, &mut |_| ())
}

impl Search {
    /// Searches for counterexamples, and calls `begins` with each obligation before it is asked.
    pub fn run(&self, limits: &Limits, begins: &mut dyn FnMut(Origin)) -> Answer {
        let Search { plan, options } = self;
        let mut known: Vec<KnownState> = Vec::new();
        for state in &options.known {
            if !known.iter().any(|other| other.is_same(state)) {
                known.push(state.clone());
            }
        }
        let mut found = Found::default();
        for (place, group) in self.groups() {
            let mut run = GroupRun::new(plan, group, limits);
            run.exclude(&known, &mut limits.budget());
            let measures = self.measures(&mut run);
            for index in 0..group.goals.len() {
                let origin = group.goals[index].origin;
                if !self.is_asked(origin) {
                    continue;
                }
                let cycle = plan.cycles(place, limits).get(index).cloned().flatten();
                // One round per counterexample to this obligation.
                loop {
                    begins(origin);
                    let mut budget = limits.budget_of(cycle.is_some());
                    let answer = budget
                        .check()
                        .and_then(|()| run.refute(index, Some(&measures), MINIMIZATION_WORK, &mut budget));
                    let described = || match &answer {
                        Ok((outcome, _)) => outcome.to_string(),
                        Err(exhausted) => format!("unknown ({exhausted})"),
                    };
                    event!(Info, QUERY, "{}: {}", describe(plan.system(), origin), described());
                    let (mut outcome, proved) = match answer {
                        Ok((Outcome::Holds { .. } | Outcome::Unknown(_) | Outcome::Skipped, _)) => break,
                        Ok(answer) => answer,
                        Err(exhausted) => {
                            found.unknown.push((origin, exhausted));
                            break;
                        }
                    };
                    if let Outcome::Fails(it) = &outcome
                        && let Err(exhausted) =
                            plan.extends(group, &group.goals[index], &it.structure, limits)
                    {
                        found.unknown.push((origin, exhausted));
                        break;
                    }
                    let mut state = None;
                    if let Outcome::Fails(counterexample) = &outcome {
                        let structure = &counterexample.structure;
                        let new =
                            KnownState::new(plan.system(), structure, options.sameness, &mut limits.budget());
                        match new {
                            Ok(new) if known.iter().any(|other| other.is_same(&new)) => {
                                let what = "a counterexample that was to be left out was found again";
                                outcome = Outcome::InternalError(what.into());
                            }
                            new => {
                                state = new.ok();
                                found.reached.push(self.values(structure, proved));
                            }
                        }
                    }
                    let is_last = matches!(outcome, Outcome::InternalError(_));
                    let statistics = Statistics { work: budget.spent(), ..Statistics::default() };
                    let cycle = cycle.clone();
                    found.results.push(ObligationResult {
                        origin,
                        outcome,
                        certificate: None,
                        cycle,
                        statistics,
                    });
                    if is_last || found.results.len() >= options.count {
                        return self.answer(found);
                    }
                    let Some(state) = state else {
                        found.unknown.push((origin, Exhausted::FormulaSize));
                        return self.answer(found);
                    };
                    run.exclude(std::slice::from_ref(&state), &mut limits.budget());
                    known.push(state);
                }
            }
        }
        self.answer(found)
    }

    /// Returns the measures for a group. Relations of the next state that are left to the search are minimized as
    /// well.
    fn measures(&self, run: &mut GroupRun<'_>) -> Vec<Measure> {
        let mut measures = self.options.measures.clone();
        if matches!(run.group.kind, GroupKind::Transition(_)) {
            let sig = &self.plan.obligations().sig;
            let reduced = run.reduced();
            let is_open = |sym: &SymId| sig.symbols[*sym].kind.is_mutable() && reduced.is_searched(*sym, 1);
            let next = |measure: &Measure| match *measure {
                Measure::Positive(sym, 0) => Some(sym).filter(is_open).map(|sym| Measure::Positive(sym, 1)),
                _ => None,
            };
            measures.extend(self.options.measures.iter().filter_map(next));
        }
        measures
    }

    /// Returns the values of the measures, the first `proved` of which are minimal.
    fn values(&self, structure: &Structure, proved: usize) -> Vec<MeasuredValue> {
        let sig = &self.plan.obligations().sig;
        let measures = self.options.measures.iter().enumerate();
        measures
            .map(|(place, &measure)| MeasuredValue {
                measure,
                value: measure.of(sig, structure),
                is_minimal: place < proved,
            })
            .collect()
    }

    fn answer(&self, found: Found) -> Answer {
        let mut statistics = Statistics::default();
        found.results.iter().for_each(|result| statistics.add(&result.statistics));
        let verification = Verification {
            obligations: self.plan.obligations().clone(),
            results: found.results,
            vacuities: Vec::new(),
            rejected: Vec::new(),
            statistics,
        };
        Answer { verification, reached: found.reached, unknown: found.unknown }
    }
}

/// Results of a search in progress.
#[derive(Default)]
struct Found {
    results: Vec<ObligationResult>,
    reached: Vec<Vec<MeasuredValue>>,
    unknown: Vec<(Origin, Exhausted)>,
}
