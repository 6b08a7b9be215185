//! Patterns: axioms whose instances are made where terms of a certain form occur (McMillan, CAV 2018, Section 3).
//!
//! A pattern comes from an axiom of the model, or from an instance of a schema over any symbols. The latter counts if
//! it follows from the axioms, so that each instance of a pattern is true in all structures that satisfy the axioms.

use super::theory::{Theory, is_implied};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::logic::{Node, SymId, TermId, Terms, VarId};
use ramsey_core::system::System;
use ramsey_lang::prophecy::Instance;
use ramsey_solver::ask::Context;

/// Maximum number of terms of a trigger that is not given.
const MAX_TERMS: usize = 3;

/// A formula with the terms that call for an instance of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The variables that occurrences of the trigger give values.
    pub vars: Vec<VarId>,
    /// Variables whose values are named terms, unless the trigger mentions them.
    pub constants: Vec<VarId>,
    /// The formula over the variables.
    pub body: TermId,
    /// Terms and formulas in which all of `vars` occur.
    pub trigger: Vec<TermId>,
    /// The declaration.
    pub span: Span,
}

impl Pattern {
    /// Reads a universal formula whose first variables are constants. A trigger without terms is chosen. Returns `None`
    /// if the formula has no variables that a trigger could give values, or too many.
    fn new(
        terms: &Terms,
        formula: TermId,
        constants: usize,
        trigger: &[TermId],
        span: Span,
    ) -> Option<Pattern> {
        let mut vars = Vec::new();
        let mut body = formula;
        while let Node::Forall(bound, inner) = terms.node(body) {
            vars.extend(terms.bound_vars(bound));
            body = inner;
        }
        let rest = vars.split_off(constants.min(vars.len()));
        let trigger = if trigger.is_empty() { chosen(terms, body, &rest)? } else { trigger.to_vec() };
        Some(Pattern { vars: rest, constants: vars, body, trigger, span })
    }
}

impl Theory {
    /// Reads the patterns of the axioms. Those that make an order or an enumeration are known already.
    pub(super) fn read_axioms(&mut self, system: &System) {
        for axiom in &system.axioms {
            if self.is_known(&system.terms, axiom.formula) {
                continue;
            }
            for part in system.terms.conjuncts(axiom.formula) {
                self.patterns.extend(Pattern::new(&system.terms, part, 0, &[], axiom.span));
            }
        }
    }

    /// Returns whether an axiom only says which sorts are ordered, or which elements sorts have.
    pub(super) fn is_known(&self, terms: &Terms, formula: TermId) -> bool {
        let symbols = terms.symbols(formula);
        let orders: Set<SymId> = self.orders.values().map(|order| order.sym).collect();
        let is_element = |sym: &SymId| self.enumerations.values().any(|elements| elements.contains(sym));
        !symbols.is_empty()
            && (symbols.iter().all(|sym| orders.contains(sym)) || symbols.iter().all(is_element))
    }

    /// Adds the instances of schemata that follow from the axioms. Where the budget does not suffice, fewer are known.
    pub fn with_instances(mut self, system: &System, instances: &[Instance], budget: &mut Budget) -> Theory {
        if instances.is_empty() {
            return self;
        }
        // The axioms that are instances themselves have the triggers of their schemata.
        let spans: Set<Span> = instances.iter().map(|instance| instance.span).collect();
        self.patterns.retain(|pattern| !spans.contains(&pattern.span));
        let mut context = Context::new(system.sig.clone(), system.terms.clone(), 0, None);
        for axiom in &system.axioms {
            context.assume(axiom.formula, budget);
        }
        for instance in instances {
            if !is_implied(&mut context, instance.formula, budget) {
                continue;
            }
            let Instance { formula, constants, span, .. } = *instance;
            self.patterns.extend(Pattern::new(&system.terms, formula, constants, &instance.trigger, span));
        }
        self
    }
}

/// Chooses a trigger: the first innermost term or atom that all variables occur in, or where there is none, the first
/// ones that together have all variables.
fn chosen(terms: &Terms, body: TermId, vars: &[VarId]) -> Option<Vec<TermId>> {
    let mut parts = Vec::new();
    let mut seen = Set::default();
    add_parts(terms, body, &mut seen, &mut parts);
    let occurring = |part: TermId| -> Set<VarId> { terms.free_vars(part).iter().copied().collect() };
    let all: Set<VarId> = vars.iter().copied().collect();
    if all.is_empty() {
        return None;
    }
    if let Some(&one) = parts.iter().find(|&&part| all.is_subset(&occurring(part))) {
        return Some(vec![one]);
    }
    let mut open = all;
    let mut trigger = Vec::new();
    for part in parts {
        let here = occurring(part);
        if open.iter().any(|var| here.contains(var)) {
            open.retain(|var| !here.contains(var));
            trigger.push(part);
        }
    }
    (open.is_empty() && trigger.len() <= MAX_TERMS).then_some(trigger)
}

/// Lists applications and equations outside of quantifiers, each after its own parts.
fn add_parts(terms: &Terms, term: TermId, seen: &mut Set<TermId>, parts: &mut Vec<TermId>) {
    if !terms.has_vars(term) || !seen.insert(term) {
        return;
    }
    let node = terms.node(term);
    if matches!(node, Node::Forall(..) | Node::Exists(..)) {
        return;
    }
    for child in terms.children(term) {
        add_parts(terms, child, seen, parts);
    }
    if matches!(node, Node::App { .. } | Node::Eq(..)) {
        parts.push(term);
    }
}
