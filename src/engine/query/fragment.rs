//! `fragment`: analysis of which obligations lie in stratified EPR.
//!
//! Obligations are analysed in the form used for search: updates substituted, quantifiers miniscoped.

use ramsey_circuit::transition::Reduced;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::logic::{Signature, SortId, SymId, SyntaxMut, TermId, Terms};
use ramsey_core::system::System;
use ramsey_kernel::obligations::{Group, HypothesisOrigin, Obligations, Origin};
use ramsey_solver::formulas::{Cause, Edge, Normalizer, SortGraph};

/// Origin of an edge of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeOrigin {
    /// A hypothesis of the obligation.
    Hypothesis(HypothesisOrigin),
    /// The negated claim.
    Claim,
}

/// Reason why terms of one sort generate terms of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EdgeCause {
    /// A function of the model.
    Function(SymId),
    /// An existential variable in the scope of a universal one.
    Alternation {
        /// Name of the universal variable.
        universal: String,
        /// Name of the existential variable.
        existential: String,
        /// Source location of the binder of the existential variable, if it occurs in a source.
        span: Option<Span>,
    },
}

/// Edge of a cycle among sorts: terms of sort `from` generate terms of sort `to`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CycleEdge {
    /// The sort whose terms generate others.
    pub from: SortId,
    /// The sort of the generated terms.
    pub to: SortId,
    /// The reason.
    pub cause: EdgeCause,
    /// The formula that contains it.
    pub origin: EdgeOrigin,
}

impl CycleEdge {
    /// `origins` holds the origins of the hypotheses, by index of formula.
    fn new(terms: &Terms, edge: Edge, origins: &[HypothesisOrigin]) -> CycleEdge {
        let cause = match edge.cause {
            Cause::Function(sym) => EdgeCause::Function(sym),
            Cause::Alternation(universal, existential) => EdgeCause::Alternation {
                universal: terms.var_info(universal).name.to_string(),
                existential: terms.var_info(existential).name.to_string(),
                span: terms.var_info(existential).span,
            },
        };
        let origin = origins.get(edge.formula).map_or(EdgeOrigin::Claim, |&it| EdgeOrigin::Hypothesis(it));
        CycleEdge { from: edge.from, to: edge.to, cause, origin }
    }
}

/// A cycle among sorts that takes an obligation out of the fragment; each edge starts where the previous one ends.
pub type Cycle = Vec<CycleEdge>;

/// Returns a shortest cycle of formulas that are asserted together: hypotheses with their origins, then claims, true
/// or negated. Returns `None` if they lie in the fragment. Formulas whose normal forms are too large are analysed as
/// written.
pub(super) fn cycle_of(
    syntax: SyntaxMut<'_>,
    hypotheses: &[(TermId, HypothesisOrigin)],
    claims: &[(TermId, bool)],
) -> Option<Cycle> {
    let SyntaxMut { sig, terms } = syntax;
    let mut graph = SortGraph::new();
    let mut normalizer = Normalizer::default();
    let hypotheses_only = hypotheses.iter().map(|&(formula, _)| (formula, true));
    let formulas = hypotheses_only.chain(claims.iter().copied()).enumerate();
    // Most formulas have no cycle as written, and then none in normal form.
    let mut written = SortGraph::new();
    for (index, (formula, positive)) in formulas.clone() {
        written.add_as_written(terms.over(sig), formula, positive, index);
    }
    written.cycle()?;
    for (index, formula) in formulas {
        add_normal(&mut graph, &mut normalizer, terms.over_mut(sig), formula, index);
    }
    let origins: Vec<HypothesisOrigin> = hypotheses.iter().map(|&(_, origin)| origin).collect();
    Some(graph.cycle()?.into_iter().map(|edge| CycleEdge::new(terms, edge, &origins)).collect())
}

/// Adds a formula, asserted true or negated, to a graph: its normal form, or as written if that is too large.
fn add_normal(
    graph: &mut SortGraph,
    normalizer: &mut Normalizer,
    syntax: SyntaxMut<'_>,
    (formula, positive): (TermId, bool),
    index: usize,
) {
    let SyntaxMut { sig, terms } = syntax;
    let mut budget = Budget::new(Some(NORMAL_FORM_WORK), None);
    match normalizer.within(terms, formula, positive, &mut budget) {
        Ok(normal) => graph.add(terms.over(sig), normal, index),
        Err(_) => graph.add_as_written(terms.over(sig), formula, positive, index),
    }
}

/// The dependencies among sorts in formulas that are asserted together, to which further ones are added.
#[derive(Clone, Debug)]
pub(super) struct Dependencies<'a> {
    sig: &'a Signature,
    terms: Terms,
    normalizer: Normalizer,
    graph: SortGraph,
}

impl<'a> Dependencies<'a> {
    /// Creates the dependencies of formulas that are asserted true.
    pub(super) fn new(
        sig: &'a Signature,
        terms: Terms,
        formulas: impl Iterator<Item = TermId>,
    ) -> Dependencies<'a> {
        let (normalizer, graph) = (Normalizer::default(), SortGraph::new());
        let mut new = Dependencies { sig, terms, normalizer, graph };
        for formula in formulas {
            add_normal(&mut new.graph, &mut new.normalizer, new.terms.over_mut(sig), (formula, true), 0);
        }
        new
    }

    /// Checks whether the formulas lie outside the fragment.
    pub(super) fn are_cyclic(&self) -> bool {
        self.graph.cycle().is_some()
    }

    /// Adds each of further formulas, asserted true or negated, with which all still lie in the fragment. Returns these, and the
    /// others.
    pub(super) fn admit(&mut self, formulas: &[TermId], positive: bool) -> (Vec<TermId>, Vec<TermId>) {
        formulas.iter().partition(|&&formula| {
            let mut graph = self.graph.clone();
            let syntax = self.terms.over_mut(self.sig);
            add_normal(&mut graph, &mut self.normalizer, syntax, (formula, positive), 0);
            let is_admitted = graph.cycle().is_none();
            if is_admitted {
                self.graph = graph;
            }
            is_admitted
        })
    }

    /// Adds those of further formulas that are asserted true and make no terms from others, wherever the others lie. Returns them.
    pub(super) fn admit_without_terms(&self, formulas: &[TermId]) -> Vec<TermId> {
        let is_admitted = |formula: &TermId| {
            let mut graph = SortGraph::new();
            graph.add_as_written(self.terms.over(self.sig), *formula, true, 0);
            graph.pairs().is_empty()
        };
        formulas.iter().copied().filter(is_admitted).collect()
    }
}

/// Work units for a normal form that is used for analysis only.
const NORMAL_FORM_WORK: u64 = 1_000_000;

/// Cached analysis of the sort graphs of groups of obligations.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    terms: Terms,
    normalizer: Normalizer,
    /// Whether the formulas of all groups together have no cycle, so that no group has one.
    is_inside: bool,
    /// Hypotheses shared by many groups as a prefix, and their graph; empty if no group has a cycle.
    shared: (Vec<TermId>, SortGraph),
    /// A shortest cycle of the shared graph.
    shared_cycle: Option<Vec<Edge>>,
}

impl Analysis {
    /// Analyses the formulas of all groups together. If they have a cycle, also analyses the axioms, derived relations
    /// and invariants of the system by themselves, which most groups have among their hypotheses.
    pub(super) fn new(system: &System, obligations: &Obligations, budget: &Budget) -> Analysis {
        let mut analysis = Analysis {
            terms: obligations.terms.clone(),
            normalizer: Normalizer::default(),
            is_inside: false,
            shared: (Vec::new(), SortGraph::new()),
            shared_cycle: None,
        };
        analysis.is_inside = analysis.has_no_cycle(obligations, budget);
        if analysis.is_inside {
            return analysis;
        }
        let axioms = system.axioms.iter().map(|it| it.formula);
        let derived = system.derived.iter().map(|it| it.axiom);
        let shared: Vec<TermId> =
            axioms.chain(derived).chain(system.invariants.iter().map(|it| it.formula)).collect();
        let mut graph = SortGraph::new();
        for (index, &formula) in shared.iter().enumerate() {
            analysis.add(&obligations.sig, &mut graph, (formula, true), index, budget);
        }
        analysis.shared_cycle = graph.cycle();
        analysis.shared = (shared, graph);
        analysis
    }

    /// Checks whether all formulas together have no cycle, first as written and then in normal form. Substituting
    /// updates joins edges to paths and adds no cycle, so the obligations then have none either in the form used for
    /// search. This costs little per formula and nothing per obligation, and applies to most models.
    fn has_no_cycle(&mut self, obligations: &Obligations, budget: &Budget) -> bool {
        let sig = &obligations.sig;
        let mut formulas: Vec<(TermId, bool)> = Vec::new();
        let mut seen: Set<(TermId, bool)> = Set::default();
        for group in &obligations.groups {
            let hypotheses = group.hypotheses.iter().map(|hypothesis| (hypothesis.formula, true));
            let goals = group.goals.iter().map(|goal| (goal.formula, false));
            formulas.extend(hypotheses.chain(goals).filter(|&formula| seen.insert(formula)));
        }
        let mut written = SortGraph::new();
        for &(formula, positive) in &formulas {
            written.add_as_written(self.terms.over(sig), formula, positive, 0);
        }
        if written.cycle().is_none() {
            return true;
        }
        let mut normal = SortGraph::new();
        formulas.into_iter().for_each(|formula| self.add(sig, &mut normal, formula, 0, budget));
        normal.cycle().is_none()
    }

    /// Adds the edges of a formula, asserted true or negated; a formula with too large a normal form is analysed as
    /// written.
    fn add(
        &mut self,
        sig: &Signature,
        graph: &mut SortGraph,
        (formula, positive): (TermId, bool),
        index: usize,
        budget: &Budget,
    ) {
        let mut budget = budget.grace(NORMAL_FORM_WORK);
        match self.normalizer.within(&mut self.terms, formula, positive, &mut budget) {
            Ok(normal) => graph.add(self.terms.over(sig), normal, index),
            Err(Exhausted::FormulaSize | Exhausted::Work) => {
                graph.add_as_written(self.terms.over(sig), formula, positive, index);
            }
            // The run's time is over.
            Err(_) => {}
        }
    }

    /// Returns the cycle of the shared hypotheses if this group has the hypotheses that cause it.
    fn cycle_of_hypotheses(&self, group: &Group) -> Option<Cycle> {
        let edges = self.shared_cycle.as_ref()?;
        let is_shared = |edge: &Edge| {
            let hypothesis = group.hypotheses.get(edge.formula);
            hypothesis.map(|it| it.formula) == self.shared.0.get(edge.formula).copied()
        };
        let origins: Vec<HypothesisOrigin> = group.hypotheses.iter().map(|it| it.origin).collect();
        let new = |edge: &Edge| CycleEdge::new(&self.terms, *edge, &origins);
        edges.iter().all(is_shared).then(|| edges.iter().map(new).collect())
    }

    /// Returns, for each goal of a group in order, a cycle, or `None` if the obligation lies in the fragment: a
    /// shortest cycle of the shared hypotheses if they have one, otherwise of the whole obligation. Only the probe of
    /// the budget is used.
    pub(super) fn cycles(
        &self,
        system: &System,
        obligations: &Obligations,
        group: &Group,
        budget: &Budget,
    ) -> Vec<Option<Cycle>> {
        if self.is_inside {
            return vec![None; group.goals.len()];
        }
        if let Some(cycle) = self.cycle_of_hypotheses(group) {
            return vec![Some(cycle); group.goals.len()];
        }
        let mut analysis = self.clone();
        let reduced = Reduced::new(system, obligations, &mut analysis.terms, group);
        let known = self.shared.0.len();
        let begins_with = |shared: &[TermId]| {
            let begin = reduced.hypotheses.get(..shared.len());
            begin.is_some_and(|begin| begin.iter().map(|it| it.0).eq(shared.iter().copied()))
        };
        let (skip, mut hypotheses) =
            if begins_with(&self.shared.0) { (known, self.shared.1.clone()) } else { (0, SortGraph::new()) };
        for (index, &(formula, _)) in reduced.hypotheses.iter().enumerate().skip(skip) {
            analysis.add(&obligations.sig, &mut hypotheses, (formula, true), index, budget);
        }
        let origins: Vec<HypothesisOrigin> = reduced.hypotheses.iter().map(|&(_, origin)| origin).collect();
        let mut cycle = |&goal: &TermId| {
            let mut graph = hypotheses.clone();
            analysis.add(&obligations.sig, &mut graph, (goal, false), reduced.hypotheses.len(), budget);
            let cycle = graph.cycle()?;
            Some(cycle.into_iter().map(|edge| CycleEdge::new(&analysis.terms, edge, &origins)).collect())
        };
        reduced.goals.iter().map(&mut cycle).collect()
    }
}

/// Returns, for each obligation in order, a shortest cycle, or `None` if it lies in the fragment.
pub fn fragment(system: &System, obligations: &Obligations) -> Vec<(Origin, Option<Cycle>)> {
    let budget = Budget::unlimited();
    let analysis = Analysis::new(system, obligations, &budget);
    let mut result = Vec::new();
    for group in &obligations.groups {
        let cycles = analysis.cycles(system, obligations, group, &budget);
        result.extend(group.goals.iter().map(|goal| goal.origin).zip(cycles));
    }
    result
}
