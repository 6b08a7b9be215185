//! `explain`: which claims of an inductive invariant need which others, and what each one is there for.
//!
//! Every obligation gets a minimal set of invariants and axioms that suffice for its proof (an unsatisfiable core). The
//! invariants that safety needs, directly or through others, are inductive by themselves. For each of them it is tried
//! whether the others suffice, and the state that it excludes is searched: a counterexample to induction without it.

use std::sync::Arc;

use super::cti::{self, without_invariants};
use super::outcome::{Needs, describe};
use super::verify::{self, GroupRun, Limits, Plan};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::hash::Map;
use ramsey_core::system::System;
use ramsey_kernel::obligations::{Group, GroupKind, HypothesisOrigin, Origin, Property};
use ramsey_solver::telemetry::{QUERY, event};

/// Options of an explanation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The claims to be proved, for which the others are there; if empty, safety properties and assertions, or all
    /// invariants of a model that has neither.
    pub goals: Vec<Property>,
    /// Indices of the invariants of which it is asked what they are there for; if empty, all.
    pub invariants: Vec<usize>,
    /// Whether proofs alone are asked for, and nothing that takes claims away.
    pub only_proofs: bool,
    /// Seed of the search.
    pub seed: u64,
}

/// Answer to an obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is proved from these hypotheses.
    Proved(Needs),
    /// All invariants together do not suffice.
    Refuted,
    /// A budget ran out.
    Unknown(Exhausted),
}

/// An obligation with the hypotheses that it needs.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The obligation: initiation, consecution or an assertion.
    pub origin: Origin,
    /// The claim that it is part of.
    pub property: Property,
    /// What is known of it.
    pub answer: Answer,
    /// Whether the transition changes no symbol of the claim.
    pub is_unchanged: bool,
}

/// Part of a claim in the proof of safety.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is to be proved: see [`Options::goals`].
    Goal,
    /// The goals need it, directly or through others.
    Needed,
    /// The goals need it as far as the proofs found go, and have a proof without it.
    Replaceable {
        /// The invariants that this proof needs, ascending.
        by: Vec<usize>,
    },
    /// The proofs of the goals do without it.
    Unneeded,
    /// The goals are not proved, or it was not asked.
    Open,
    /// A budget ran out.
    Unknown(Exhausted),
}

/// A state that an invariant excludes.
#[derive(Debug)]
pub struct Excluded {
    /// The obligation that fails without the invariant.
    pub origin: Origin,
    /// The system without the invariant.
    pub system: Arc<System>,
    /// The counterexample to induction in that system.
    pub answer: cti::Answer,
}

impl Excluded {
    /// Returns whether the tool contradicted itself: the obligation fails, and is proved as well.
    pub fn has_internal_error(&self) -> bool {
        let cti::Answer { verification, unknown, .. } = &self.answer;
        self.answer.has_internal_error() || verification.results.is_empty() && unknown.is_empty()
    }
}

/// What is known of a claim.
#[derive(Debug)]
pub struct Entry {
    /// The claim.
    pub property: Property,
    /// Its part in the proof of safety.
    pub standing: Standing,
    /// A state that it excludes; `None` for a goal, for an invariant without which all others are still inductive, and where
    /// a budget ran out.
    pub excluded: Option<Excluded>,
}

/// Explanation of the claims of a model.
#[derive(Debug)]
pub struct Explanation {
    /// The obligations, in the order of the source.
    pub proofs: Vec<Proof>,
    /// The claims: invariants, then assertions.
    pub claims: Vec<Entry>,
}

impl Explanation {
    /// Returns whether all obligations are proved.
    pub fn is_inductive(&self) -> bool {
        self.proofs.iter().all(|proof| matches!(proof.answer, Answer::Proved(_)))
    }

    /// Returns the obligations of a claim that need an invariant.
    pub fn needed_by(&self, invariant: usize) -> impl Iterator<Item = &Proof> {
        let is_needed =
            move |proof: &&Proof| proof.needs().is_some_and(|it| it.invariants.contains(&invariant));
        self.proofs.iter().filter(is_needed).filter(move |it| it.property != Property::Invariant(invariant))
    }
}

impl Proof {
    /// Returns what the obligation needs, if it is proved.
    pub fn needs(&self) -> Option<&Needs> {
        match &self.answer {
            Answer::Proved(needs) => Some(needs),
            Answer::Refuted | Answer::Unknown(_) => None,
        }
    }
}

/// What an explanation has come to, for its observer.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// An obligation is asked.
    Proving(Origin),
    /// Proofs without an invariant are searched, and a state that it excludes.
    Without(usize),
}

/// Explains the claims of a system. Theorems and proofs by forward and backward induction have no part in it.
pub fn explain(
    system: &Arc<System>,
    options: &Options,
    limits: &Limits,
    progress: &mut dyn FnMut(Progress),
) -> Explanation {
    let options_of_plan = verify::Options {
        all: true,
        minimize: false,
        cores: true,
        seed: options.seed,
        ..verify::Options::default()
    };
    let plan = Plan::new(Arc::new(system.without_proofs()), options_of_plan);
    let mut search = Search::new(system, options, &plan, limits);
    let needed = search.prove_all(progress);
    let is_proved = needed.iter().all(|&property| search.is_proved(property));
    let properties: Vec<Property> = search.properties().collect();
    let is_asked = |invariant: usize| {
        !options.only_proofs && (options.invariants.is_empty() || options.invariants.contains(&invariant))
    };
    let mut claims = Vec::new();
    for property in properties {
        let (standing, excluded) = match property {
            _ if search.goals.contains(&property) => (Standing::Goal, None),
            Property::Assertion(_) if is_proved => (Standing::Unneeded, None),
            Property::Assertion(_) => (Standing::Open, None),
            Property::Invariant(invariant) => {
                let is_asked = is_asked(invariant);
                if is_asked {
                    progress(Progress::Without(invariant));
                }
                let standing = match (is_proved, needed.contains(&property)) {
                    (true, false) => Standing::Unneeded,
                    (true, true) if is_asked => search.standing(invariant),
                    _ => Standing::Open,
                };
                let excluded = if is_asked { search.excluded(invariant, options) } else { None };
                (standing, excluded)
            }
        };
        claims.push(Entry { property, standing, excluded });
    }
    search.finish(claims)
}

/// The hypotheses with which an obligation was tried.
struct Tried {
    /// Indices of the invariants that were left out.
    without: Vec<usize>,
    answer: Answer,
}

/// An obligation of the plan.
struct Obligation {
    group: usize,
    /// Index among the goals of the group.
    goal: usize,
    origin: Origin,
    property: Property,
    tried: Vec<Tried>,
}

/// A search in progress.
struct Search<'a> {
    system: &'a Arc<System>,
    plan: &'a Plan,
    limits: &'a Limits,
    /// The groups of the plan that were asked.
    runs: Map<usize, GroupRun<'a>>,
    obligations: Vec<Obligation>,
    goals: Vec<Property>,
    /// The claims that goals are known to need, with the goals. Proofs prefer them.
    preferred: Vec<Property>,
}

impl<'a> Search<'a> {
    fn new(system: &'a Arc<System>, options: &Options, plan: &'a Plan, limits: &'a Limits) -> Search<'a> {
        let is_inductive = |group: &&Group| {
            matches!(group.kind, GroupKind::Init | GroupKind::Transition(_) | GroupKind::Assertions(_))
        };
        let groups = plan.obligations().groups.iter().enumerate().filter(|(_, group)| is_inductive(group));
        let of_group = |(at, group): (usize, &Group)| {
            let obligation = |(goal, origin): (usize, Origin)| {
                let property = match origin {
                    Origin::Initiation { invariant } | Origin::Consecution { invariant, .. } => {
                        Property::Invariant(invariant)
                    }
                    Origin::Assertion { assertion } => Property::Assertion(assertion),
                    _ => return None,
                };
                Some(Obligation { group: at, goal, origin, property, tried: Vec::new() })
            };
            let origins = group.goals.iter().map(|goal| goal.origin).enumerate();
            origins.filter_map(obligation).collect::<Vec<_>>()
        };
        let obligations = groups.flat_map(of_group).collect();
        let mut goals = options.goals.clone();
        if goals.is_empty() {
            goals = Property::safety(system);
        }
        if goals.is_empty() {
            goals = (0..system.invariants.len()).map(Property::Invariant).collect();
        }
        let preferred = goals.clone();
        Search { system, plan, limits, runs: Map::default(), obligations, goals, preferred }
    }

    /// Returns the claims: invariants, then assertions.
    fn properties(&self) -> impl Iterator<Item = Property> + use<> {
        let System { invariants, assertions, .. } = &**self.system;
        let invariants = (0..invariants.len()).map(Property::Invariant);
        invariants.chain((0..assertions.len()).map(Property::Assertion))
    }

    /// Returns the indices of the obligations of a claim.
    fn of(&self, property: Property) -> Vec<usize> {
        (0..self.obligations.len()).filter(|&at| self.obligations[at].property == property).collect()
    }

    /// Checks whether all obligations of a claim were proved.
    fn is_proved(&self, property: Property) -> bool {
        let is_proved = |at: usize| {
            matches!(self.obligations[at].tried.first(), Some(Tried { answer: Answer::Proved(_), .. }))
        };
        self.of(property).into_iter().all(is_proved)
    }

    /// Answers all obligations, those first that the goals need. Returns the claims that the goals need.
    fn prove_all(&mut self, progress: &mut dyn FnMut(Progress)) -> Vec<Property> {
        let mut next = 0;
        let mut needed = None;
        let mut order = self.goals.clone();
        loop {
            let Some(&property) = order.get(next) else {
                // The goals come first with what they need; the claims left are asked afterwards.
                needed.get_or_insert_with(|| order.clone());
                let Some(other) = self.properties().find(|it| !order.contains(it)) else { break };
                order.push(other);
                continue;
            };
            next += 1;
            for at in self.of(property) {
                progress(Progress::Proving(self.obligations[at].origin));
                let Answer::Proved(needs) = self.answer(at, &[]) else { continue };
                for invariant in needs.invariants.into_iter().map(Property::Invariant) {
                    if !order.contains(&invariant) {
                        order.push(invariant);
                        self.preferred.push(invariant);
                    }
                }
            }
        }
        needed.unwrap_or(order)
    }

    /// Answers an obligation without some invariants.
    fn answer(&mut self, at: usize, without: &[usize]) -> Answer {
        let Search { plan, limits, runs, obligations, preferred, .. } = self;
        let Obligation { group, goal, origin, property, ref tried, .. } = obligations[at];
        for known in tried {
            let is_answer = match &known.answer {
                // A proof stays one if hypotheses that it does not need are left out.
                Answer::Proved(needs) => !needs.invariants.iter().any(|it| without.contains(it)),
                Answer::Refuted => known.without.iter().all(|it| without.contains(it)),
                Answer::Unknown(_) => known.without == without,
            };
            if is_answer {
                return known.answer.clone();
            }
        }
        let is_outside = plan.cycles(group, limits).get(goal).is_some_and(Option::is_some);
        let run = runs
            .entry(group)
            .or_insert_with(|| GroupRun::new(plan, &plan.obligations().groups[group], limits));
        let mut budget = limits.budget_of(is_outside);
        let rank = |hypothesis: HypothesisOrigin| match hypothesis {
            HypothesisOrigin::Invariant(invariant) => {
                let other = Property::Invariant(invariant);
                let rank = if other == property { 0 } else { 3 - u32::from(preferred.contains(&other)) };
                (!without.contains(&invariant)).then_some(rank)
            }
            _ => Some(1),
        };
        let answer = budget.check().and_then(|()| run.needs(goal, &rank, &mut budget));
        let answer = match answer {
            Ok(Some(needs)) => Answer::Proved(needs),
            Ok(None) => Answer::Refuted,
            Err(exhausted) => Answer::Unknown(exhausted),
        };
        event!(Info, QUERY, "{} without {without:?}: {answer:?}", describe(plan.system(), origin));
        self.obligations[at].tried.push(Tried { without: without.to_vec(), answer: answer.clone() });
        answer
    }

    /// Returns whether the goals have a proof without an invariant that the proofs found need.
    fn standing(&mut self, invariant: usize) -> Standing {
        let mut without = vec![invariant];
        'again: loop {
            let mut needed = self.goals.clone();
            let mut next = 0;
            while let Some(&property) = needed.get(next) {
                next += 1;
                for at in self.of(property) {
                    let needs = match (self.answer(at, &without), property) {
                        (Answer::Proved(needs), _) => needs,
                        (Answer::Unknown(exhausted), _) => return Standing::Unknown(exhausted),
                        (Answer::Refuted, Property::Invariant(other)) if !self.goals.contains(&property) => {
                            without.push(other);
                            without.sort_unstable();
                            continue 'again;
                        }
                        (Answer::Refuted, _) => return Standing::Needed,
                    };
                    let others = needs.invariants.into_iter().map(Property::Invariant);
                    let others: Vec<Property> = others.filter(|it| !needed.contains(it)).collect();
                    needed.extend(others);
                }
            }
            let others = needed.into_iter().filter_map(|it| match it {
                Property::Invariant(other) => Some(other),
                Property::Assertion(_) => None,
            });
            let mut by: Vec<usize> = others.collect();
            by.sort_unstable();
            return Standing::Replaceable { by };
        }
    }

    /// Searches for an obligation of another claim that fails without an invariant alone, and for a smallest state from
    /// which it does. Claims that the goals need come first.
    fn excluded(&mut self, invariant: usize, options: &Options) -> Option<Excluded> {
        let properties: Vec<Property> = self.preferred.iter().copied().chain(self.properties()).collect();
        let others = properties.into_iter().filter(|&it| it != Property::Invariant(invariant));
        let obligations: Vec<usize> = others.flat_map(|property| self.of(property)).collect();
        let is_needed = |search: &Self, at: usize| match search.obligations[at].tried.first() {
            Some(Tried { answer: Answer::Proved(needs), .. }) => needs.invariants.contains(&invariant),
            _ => false,
        };
        let found = obligations
            .into_iter()
            .find(|&at| is_needed(self, at) && self.answer(at, &[invariant]) == Answer::Refuted)?;
        let origin = self.obligations[found].origin;
        let rest = Arc::new(without_invariants(self.system, &[invariant]));
        let renumbered = |other: usize| if other > invariant { other - 1 } else { other };
        let obligation = match origin {
            Origin::Consecution { transition, invariant } => {
                Origin::Consecution { transition, invariant: renumbered(invariant) }
            }
            other => other,
        };
        let options = cti::Options {
            obligation: Some(obligation),
            measures: cti::complete(&rest.sig, &[]),
            seed: options.seed,
            ..cti::Options::default()
        };
        let answer = cti::cti(Arc::clone(&rest), &options, self.limits);
        Some(Excluded { origin, system: rest, answer })
    }

    fn finish(self, claims: Vec<Entry>) -> Explanation {
        let Search { obligations, mut runs, .. } = self;
        let proof = |obligation: Obligation| {
            let Obligation { group, goal, origin, property, tried } = obligation;
            let is_unchanged = runs.get_mut(&group).is_some_and(|run| run.is_unchanged(goal));
            let answer = tried.into_iter().next().map(|it| it.answer);
            // Every obligation was asked once.
            let answer = answer.unwrap_or(Answer::Unknown(Exhausted::Cancelled));
            Proof { origin, property, answer, is_unchanged }
        };
        Explanation { proofs: obligations.into_iter().map(proof).collect(), claims }
    }
}
