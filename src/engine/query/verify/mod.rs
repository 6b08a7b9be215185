//! `verify`: verification of initiation, consecution and theorems.
//!
//! A [`Plan`] is immutable; its groups can be run in any order and on any thread, with the same answers. Within a
//! group, axioms, invariants and transition are asserted once, and each negated goal is pushed and popped on top of
//! them.

mod cached;
mod group;

use std::sync::{Arc, OnceLock};

use super::fragment::{Analysis, Cycle};
use super::numbers::{Valued, extends};
use super::outcome::{GroupResult, ObligationResult, Outcome, Verification, describe};
use super::vacuity::{Vacuity, VacuousPart};
use crate::cache::{Cache, GroupCache, Prepared};
use crate::prove::Foundation;
use cached::LazyRun;
pub(super) use group::GroupRun;
use ramsey_core::base::budget::{Budget, Exhausted, Probe};
use ramsey_core::logic::{Signature, Structure, SymId, Symbol, SymbolOrigin, TermId, Terms, Unchecked};
use ramsey_core::system::{Site, System};
use ramsey_kernel::obligations::{
    Goal, Group, GroupKind, HypothesisOrigin, Obligations, Origin, Question, plain,
};
use ramsey_solver::ask::{Context, HypothesisId, Statistics};
use ramsey_solver::epr::Clock;
use ramsey_solver::telemetry::{QUERY, event};

/// Options of a verification.
#[derive(Clone, Debug)]
pub struct Options {
    /// [`Question::Verify`], or [`Question::Theorems`].
    pub question: Question,
    /// Indices of the transitions to check; all if empty. If given, initiation is left out.
    pub transitions: Vec<usize>,
    /// Indices of the invariants to check; all if empty.
    pub invariants: Vec<usize>,
    /// Leave out claims about executions without end, which have no answer.
    pub safety_only: bool,
    /// Continue after the first failure of a group.
    pub all: bool,
    /// Minimize counterexamples.
    pub minimize: bool,
    /// All obligations are known to lie in stratified EPR: nothing is analysed.
    pub is_inside: bool,
    /// Report which hypotheses suffice, at some cost in time.
    pub cores: bool,
    /// Make a certificate of each answer.
    pub certify: bool,
    /// With certificates, also export proofs for other checkers.
    pub export: bool,
    /// Cache in which answers are looked up and kept, unless hypotheses are reported. With certificates, they are kept alone.
    pub cache: Option<Arc<Cache>>,
    /// Seed of the search.
    pub seed: u64,
    /// Clock for time measurements; without it times are 0.
    pub clock: Option<Clock>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            question: Question::Verify,
            transitions: Vec::new(),
            invariants: Vec::new(),
            safety_only: false,
            all: false,
            minimize: true,
            is_inside: false,
            cores: false,
            certify: false,
            export: false,
            cache: None,
            seed: 0,
            clock: None,
        }
    }
}

/// Work units for the question whether a group's hypotheses are satisfiable.
const VACUITY_WORK: u64 = 10_000;
/// One additional unit for that question per this number of units spent on the group's obligations.
const VACUITY_SHARE: u64 = 20;

/// Creates the probe of a query, which starts at the time of the call.
pub type ProbeFactory = Arc<dyn Fn() -> Probe + Send + Sync>;

/// Limits of each query.
#[derive(Clone, Default)]
pub struct Limits {
    /// Deterministic work units per query.
    pub work: Option<u64>,
    /// Deterministic work units per query outside stratified EPR if `work` has no limit: such a query may not
    /// terminate.
    pub outside: Option<u64>,
    /// Creates the probe of each query.
    pub probe: Option<ProbeFactory>,
}

impl Limits {
    /// Returns the budget of a query that starts now and terminates in finite time.
    pub fn budget(&self) -> Budget {
        Budget::new(self.work, self.probe.as_ref().map(|make| make()))
    }

    /// Returns the budget of a query that starts now and may lie outside stratified EPR.
    pub fn budget_of(&self, is_outside: bool) -> Budget {
        match (self.work, self.outside) {
            (None, Some(units)) if is_outside => {
                let probe = self.probe.as_ref().map(|make| make());
                Budget::new(Some(units), probe).reported_as(Exhausted::DefaultWork)
            }
            _ => self.budget(),
        }
    }
}

/// A prepared verification.
#[derive(Debug)]
pub struct Plan {
    system: Arc<System>,
    obligations: Obligations,
    /// Groups without goals, for a system that has only assertions.
    unclaimed: Vec<Group>,
    options: Options,
    /// Context with the axioms, created on demand.
    base: OnceLock<Base>,
    /// Context with axioms, derived relations and invariants, created on demand.
    inductive: OnceLock<Base>,
    /// Fragment analysis shared by all groups, created on demand.
    analysis: OnceLock<Analysis>,
    /// Per group and obligation, a cycle that takes it out of stratified EPR, computed on demand.
    cycles: Vec<OnceLock<Vec<Option<Cycle>>>>,
    /// Shared hypotheses of the proofs of consecution, created on demand for certificates.
    foundation: OnceLock<Option<Arc<Foundation>>>,
    /// The obligations as a cache has them, created on demand; `None` if they have no closed form.
    prepared: OnceLock<Option<Prepared>>,
}

/// A context from which groups start. If cores are requested, its assumptions are hypotheses, so that answers can name
/// them.
#[derive(Clone, Debug)]
struct Base {
    context: Context,
    labels: Vec<(HypothesisId, HypothesisOrigin)>,
}

impl Base {
    fn assert_all(
        &mut self,
        hypotheses: impl IntoIterator<Item = (TermId, HypothesisOrigin)>,
        labelled: bool,
        budget: &mut Budget,
    ) {
        for (formula, origin) in hypotheses {
            if labelled {
                self.labels.push((self.context.add(formula, budget), origin));
            } else {
                self.context.assume(formula, budget);
            }
        }
    }

    /// Returns the hypotheses that every question uses.
    fn labelled(&self) -> Vec<HypothesisId> {
        self.labels.iter().map(|&(label, _)| label).collect()
    }
}

impl Plan {
    /// Prepares the verification of `system`.
    pub fn new(system: Arc<System>, options: Options) -> Plan {
        let mut obligations = Obligations::of_question(&system, &options.question);
        let asserts = options.question == Question::Verify && !system.assertions.is_empty();
        let unclaimed = if asserts { plain::without_goals(&system, &mut obligations) } else { Vec::new() };
        select(&mut obligations, &options);
        let cycles = obligations.groups.iter().map(|_| OnceLock::new()).collect();
        Plan {
            system,
            obligations,
            unclaimed,
            options,
            base: OnceLock::new(),
            inductive: OnceLock::new(),
            analysis: OnceLock::new(),
            cycles,
            foundation: OnceLock::new(),
            prepared: OnceLock::new(),
        }
    }

    /// Returns the shared hypotheses of the proofs of consecution.
    fn foundation(&self, limits: &Limits) -> Option<&Arc<Foundation>> {
        let consecution = |group: &&Group| matches!(group.kind, GroupKind::Transition(_));
        let make = || {
            let first = self.obligations.groups.iter().find(consecution)?;
            // What says nothing about the next state.
            let is_next =
                |origin| matches!(origin, HypothesisOrigin::Transition(_) | HypothesisOrigin::Derived(_, 1));
            let hypotheses = first.hypotheses.iter().enumerate().filter(|(_, it)| !is_next(it.origin));
            let Options { seed, clock, .. } = self.options;
            let budget = &mut limits.budget();
            let foundation = Foundation::new(&self.obligations, hypotheses, seed, clock, budget);
            Some(Arc::new(foundation.with_negations()))
        };
        self.foundation.get_or_init(make).as_ref()
    }

    fn empty(&self) -> Base {
        let Obligations { sig, terms, .. } = &self.obligations;
        let context = Context::new(sig.clone(), terms.clone(), self.options.seed, self.options.clock);
        Base { context, labels: Vec::new() }
    }

    /// Returns the context from which the search of a group starts. The part shared by all groups has a budget like
    /// that of a query.
    fn start(&self, is_inductive: bool, limits: &Limits) -> Base {
        let labelled = self.options.cores;
        let base = self.base.get_or_init(|| {
            let mut base = self.empty();
            let axioms = self.system.axioms.iter().enumerate();
            let axioms = axioms.map(|(index, axiom)| (axiom.formula, HypothesisOrigin::Axiom(index)));
            base.assert_all(axioms, labelled, &mut limits.budget());
            base
        });
        if !is_inductive {
            return base.clone();
        }
        let inductive = self.inductive.get_or_init(|| {
            let mut inductive = base.clone();
            let derived = self.system.derived.iter().enumerate();
            let derived = derived.map(|(index, it)| (it.axiom, HypothesisOrigin::Derived(index, 0)));
            let invariants = self.system.invariants.iter().enumerate();
            let invariants = invariants.map(|(index, it)| (it.formula, HypothesisOrigin::Invariant(index)));
            inductive.assert_all(derived.chain(invariants), labelled, &mut limits.budget());
            inductive
        });
        inductive.clone()
    }

    /// Returns, for each obligation of a group in order, a cycle that takes it out of stratified EPR, if there is one;
    /// empty for an index out of range. Of `limits`, only the probe is used. The result is cached.
    pub fn cycles(&self, group: usize, limits: &Limits) -> &[Option<Cycle>] {
        let (Some(cell), Some(known)) = (self.cycles.get(group), self.obligations.groups.get(group)) else {
            return &[];
        };
        cell.get_or_init(|| {
            if self.options.is_inside {
                return vec![None; known.goals.len()];
            }
            let budget = Limits { work: None, ..limits.clone() }.budget();
            let new = || Analysis::new(&self.system, &self.obligations, &budget);
            self.analysis.get_or_init(new).cycles(&self.system, &self.obligations, known, &budget)
        })
    }

    /// Returns whether proofs are searched that can be written down.
    fn makes_proofs(&self) -> bool {
        self.options.certify || self.uses_cache()
    }

    /// Returns whether answers are kept in a cache. It has no hypotheses that suffice.
    fn uses_cache(&self) -> bool {
        self.options.cache.is_some() && !self.options.cores
    }

    /// Returns what a cache has about the obligations of the group with this number, behind which come those without goals. `None` without a
    /// cache, or if there is no closed form.
    fn known(&self, group: usize) -> Option<GroupCache<'_>> {
        let cache = self.options.cache.as_deref().filter(|_| self.uses_cache())?;
        let prepared = self.prepared.get_or_init(|| {
            let Options { minimize, seed, .. } = self.options;
            // What decides which counterexample is shown.
            let head = format!("{} seed {seed}", if minimize { "small" } else { "first" });
            let mut obligations = self.obligations.clone();
            for group in &mut obligations.groups {
                let mut sought = cached::sought(&self.system, group).into_iter();
                group.goals.retain(|_| sought.next() == Some(true));
            }
            obligations.groups.extend(self.unclaimed.iter().cloned());
            Prepared::new(&self.system, obligations, head)
        });
        GroupCache::new(cache, prepared.as_ref()?, group)
    }

    pub(in crate::query) fn system(&self) -> &System {
        &self.system
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.obligations.groups.len()
    }

    /// Returns the obligations to be answered.
    pub fn obligations(&self) -> &Obligations {
        &self.obligations
    }

    /// Answers the obligations of one group, in order. The result is empty for an index out of range.
    pub fn run_group(&self, group: usize, limits: &Limits) -> GroupResult {
        let cycles = self.cycles(group, limits);
        let mut known = self.known(group);
        let Some(group) = self.obligations.groups.get(group) else { return GroupResult::default() };
        let mut run = LazyRun::new(self, group, limits);
        let mut results = Vec::new();
        let mut failed = false;
        let Obligations { sig, terms, .. } = &self.obligations;
        let [may_be_unchecked, has_numbers] = [has_unchecked(sig), has_numbers(sig)];
        for (index, goal) in group.goals.iter().enumerate() {
            let origin = goal.origin;
            let cycle = cycles.get(index).cloned().flatten();
            if failed && !self.options.all {
                results.push(ObligationResult {
                    origin,
                    outcome: Outcome::Skipped,
                    certificate: None,
                    cycle,
                    statistics: Statistics::default(),
                });
                continue;
            }
            if self.is_admitted(origin) {
                let outcome = Outcome::Unknown(Exhausted::Admitted);
                let statistics = Statistics::default();
                results.push(ObligationResult { origin, outcome, certificate: None, cycle, statistics });
                continue;
            }
            let budget = limits.budget_of(cycle.is_some());
            event!(Info, QUERY, "asking {}", describe(&self.system, origin));
            let (outcome, certificate, statistics) =
                cached::answer(&mut known, &mut run, (index, cycle.is_some()), budget);
            let is_failure = matches!(outcome, Outcome::Fails(_));
            let unchecked = if is_failure && may_be_unchecked { unchecked(sig, terms, goal) } else { None };
            let (outcome, certificate) = match (outcome, unchecked) {
                (Outcome::Fails(_), Some(Unchecked::Temporal)) => {
                    (Outcome::Unknown(Exhausted::Temporal), None)
                }
                (Outcome::Fails(_), Some(Unchecked::Tactic)) => (Outcome::Unknown(Exhausted::Tactic), None),
                (Outcome::Fails(_), None) if has_numbers && self.has_arithmetic(group, goal) => {
                    (Outcome::Unknown(Exhausted::Arithmetic), None)
                }
                (Outcome::Fails(found), None) => match self.extends(group, goal, &found.structure, limits) {
                    Ok(()) => (Outcome::Fails(found), certificate),
                    Err(exhausted) => (Outcome::Unknown(exhausted), None),
                },
                (outcome, _) => (outcome, certificate),
            };
            event!(
                Info,
                QUERY,
                "{}: {outcome}; {} queries, {} steps of work",
                describe(&self.system, origin),
                statistics.queries,
                statistics.work
            );
            failed |= matches!(outcome, Outcome::Fails(_));
            results.push(ObligationResult { origin, outcome, certificate, cycle, statistics });
        }
        let (mut vacuity, mut statistics) =
            if failed { Default::default() } else { cached::vacuity(&mut known, &mut run, &results) };
        let mut rejected = known.map_or_else(Vec::new, |known| known.rejected);
        for (index, unclaimed) in self.unclaimed_of(group) {
            if failed && unclaimed.kind != GroupKind::Init {
                continue;
            }
            let (mut run, mut known) = (LazyRun::new(self, unclaimed, limits), self.known(index));
            let (found, spent) = cached::vacuity(&mut known, &mut run, &results);
            statistics.add(&spent);
            vacuity = vacuity.or(found);
            rejected.extend(known.map_or_else(Vec::new, |known| known.rejected));
        }
        GroupResult { results, vacuity, statistics, rejected }
    }

    /// Returns whether an obligation mentions an operation on numbers, of which only a part is known: then a structure in which it
    /// fails says nothing of numbers.
    fn has_arithmetic(&self, group: &Group, goal: &Goal) -> bool {
        let Obligations { sig, terms, .. } = &self.obligations;
        let is_arithmetic = |sym: SymId| sig.symbols[sym].is_of_numbers();
        let hypotheses = group.hypotheses.iter().map(|it| it.formula);
        hypotheses.chain([goal.formula]).any(|it| terms.symbols(it).into_iter().any(is_arithmetic))
    }

    /// Checks whether a counterexample of an obligation is found to be part of one with all elements of interpreted sorts.
    ///
    /// # Errors
    /// Returns the reason if it is not.
    pub(super) fn extends(
        &self,
        group: &Group,
        goal: &Goal,
        structure: &Structure,
        limits: &Limits,
    ) -> Result<(), Exhausted> {
        let Obligations { sig, terms, .. } = &self.obligations;
        let hypotheses = group.hypotheses.iter().map(|it| Valued::closed(it.formula, true));
        let formulas = hypotheses.chain([Valued::closed(goal.formula, false)]);
        extends(terms.over(sig), structure, formulas, &limits.budget())
    }

    /// Returns whether an obligation is about a claim that the model admits.
    fn is_admitted(&self, origin: Origin) -> bool {
        let System { invariants, assertions, theorems, admitted, .. } = &*self.system;
        let span = match origin {
            Origin::Initiation { invariant } | Origin::Consecution { invariant, .. } => {
                invariants[invariant].span
            }
            Origin::Assertion { assertion } => assertions[assertion].span,
            Origin::Theorem { theorem } => theorems[theorem].span,
            Origin::Proof { .. } | Origin::Bounded { .. } | Origin::Trace { .. } | Origin::Query { .. } => {
                return false;
            }
        };
        admitted.contains(&span)
    }

    /// Returns the groups without goals to be checked together with this group: its transition, and for the first
    /// group also the initial states. They come with numbers behind those of groups with goals.
    fn unclaimed_of(&self, group: &Group) -> impl Iterator<Item = (usize, &Group)> {
        let kind = group.kind;
        let is_first = self.obligations.groups.first().is_some_and(|first| first.kind == kind);
        let numbered = (self.obligations.groups.len()..).zip(&self.unclaimed);
        numbered.filter(move |(_, unclaimed)| match unclaimed.kind {
            GroupKind::Init => is_first,
            GroupKind::Transition(index) => kind == GroupKind::Assertions(Site::Transition(index)),
            _ => false,
        })
    }

    /// Returns what is vacuous if the hypotheses of this group are unsatisfiable; `None` if other groups cover it.
    fn vacuous_part(&self, group: &Group) -> Option<VacuousPart> {
        match group.kind {
            GroupKind::Init => Some(VacuousPart::Initial),
            GroupKind::Transition(index) => Some(VacuousPart::Transition(index)),
            GroupKind::Assertions(_)
            | GroupKind::Bounded(_)
            | GroupKind::Trace(_)
            | GroupKind::Query(_)
            // Formulas of a proof may contradict each other: that is how it excludes executions.
            | GroupKind::Proof { .. } => None,
            // All theorems have the same axioms, which are among the hypotheses of all other groups.
            GroupKind::Theorem(_) => {
                let first = self.obligations.groups.first().map(|first| first.kind);
                (first == Some(group.kind)).then_some(VacuousPart::Axioms)
            }
        }
    }

    /// Combines the answers of all groups, given in the order of the groups.
    pub fn finish(self, groups: Vec<GroupResult>) -> Verification {
        let mut results: Vec<ObligationResult> = Vec::new();
        let mut vacuities: Vec<Vacuity> = Vec::new();
        let mut statistics = Statistics::default();
        let mut rejected = Vec::new();
        for group in groups {
            group.results.iter().for_each(|result| statistics.add(&result.statistics));
            statistics.add(&group.statistics);
            results.extend(group.results);
            rejected.extend(group.rejected);
            let known = |found: &Vacuity| vacuities.iter().any(|vacuity| vacuity.what == found.what);
            vacuities.extend(group.vacuity.filter(|found| !known(found)));
        }
        // What violates an assertion of a part executes, until there: what follows says nothing of the part.
        let violates = |site: Site| {
            results.iter().any(|result| match (result.origin, &result.outcome) {
                (Origin::Assertion { assertion }, Outcome::Fails(_)) => {
                    self.system.assertions[assertion].site == site
                }
                _ => false,
            })
        };
        vacuities.retain(|vacuity| match vacuity.what {
            VacuousPart::Initial => !violates(Site::Init),
            VacuousPart::Transition(index) => !violates(Site::Transition(index)),
            VacuousPart::Axioms | VacuousPart::Invariants => true,
        });
        // If there is no state at all, the other vacuities follow.
        if vacuities.iter().any(|vacuity| vacuity.what == VacuousPart::Axioms) {
            vacuities.retain(|vacuity| vacuity.what == VacuousPart::Axioms);
        }
        Verification { obligations: self.obligations, results, vacuities, statistics, rejected }
    }

    /// Runs all groups sequentially.
    pub fn run(self, limits: &Limits) -> Verification {
        let groups = (0..self.groups()).map(|group| self.run_group(group, limits)).collect();
        self.finish(groups)
    }
}

/// Returns why a symbol stands for something that is not checked, if it does.
fn unchecked_symbol(symbol: &Symbol) -> Option<Unchecked> {
    match symbol.origin {
        SymbolOrigin::Unchecked(reason) => Some(reason),
        _ => None,
    }
}

/// Returns whether an obligation may be a claim that is not checked.
fn has_unchecked(sig: &Signature) -> bool {
    sig.symbols.iter().any(|symbol| unchecked_symbol(symbol).is_some())
}

/// Returns whether an obligation may mention an operation on numbers.
fn has_numbers(sig: &Signature) -> bool {
    sig.symbols.iter().any(Symbol::is_of_numbers)
}

/// Returns why an obligation is not checked, if it is a claim that is not.
fn unchecked(sig: &Signature, terms: &Terms, goal: &Goal) -> Option<Unchecked> {
    terms.symbols(goal.formula).iter().find_map(|&sym| unchecked_symbol(&sig.symbols[sym]))
}

/// Returns whether an obligation is a claim about executions without end.
fn is_temporal(sig: &Signature, terms: &Terms, goal: &Goal) -> bool {
    unchecked(sig, terms, goal) == Some(Unchecked::Temporal)
}

/// Removes the obligations that the options exclude.
fn select(obligations: &mut Obligations, options: &Options) {
    if options.safety_only {
        let Obligations { sig, terms, groups, .. } = &mut *obligations;
        if has_unchecked(sig) {
            groups.iter_mut().for_each(|group| group.goals.retain(|goal| !is_temporal(sig, terms, goal)));
        }
        groups.retain(|group| !group.goals.is_empty());
    }
    if !options.transitions.is_empty() {
        obligations.groups.retain(|group| {
            matches!(
                group.kind,
                GroupKind::Transition(index) | GroupKind::Assertions(Site::Transition(index))
                    if options.transitions.contains(&index)
            )
        });
    }
    if options.invariants.is_empty() {
        return;
    }
    for group in &mut obligations.groups {
        group.goals.retain(|goal| match goal.origin {
            Origin::Initiation { invariant } | Origin::Consecution { invariant, .. } => {
                options.invariants.contains(&invariant)
            }
            _ => false,
        });
    }
    obligations.groups.retain(|group| !group.goals.is_empty());
}
