//! Instances of schemata with their triggers.

use ramsey_core::base::span::Span;
use ramsey_core::logic::{Node, TermId, Terms, VarId};
use ramsey_core::system;

/// An instance of a schema. It is an axiom if no step changes its symbols, and otherwise of use where it is implied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// The formula, closed and universal.
    pub formula: TermId,
    /// The number of its variables, the first ones, that stand for parameters of the schema and not for its variables.
    pub constants: usize,
    /// The terms and formulas over the variables whose occurrences call for it. If there are none, they are to be
    /// chosen.
    pub trigger: Vec<TermId>,
    /// The schema.
    pub span: Span,
}

/// Reads an instance of a schema, whose first conditions are parts of a trigger.
pub(super) fn instance(terms: &mut Terms, found: &system::Instance) -> Option<Instance> {
    let system::Instance { formula, parts, span } = *found;
    let (mut vars, mut body): (Vec<VarId>, TermId) = match terms.node(formula) {
        Node::Forall(vars, body) => (terms.bound_vars(vars).collect(), body),
        _ => (Vec::new(), formula),
    };
    let values = vars.split_off(vars.len().checked_sub(parts.values)?);
    let mut trigger = Vec::new();
    for _ in 0..parts.conditions {
        let Node::Implies(part, rest) = terms.node(body) else { return None };
        body = rest;
        // A term is equated with a variable that occurs nowhere else.
        let value = match terms.node(part) {
            Node::Eq(a, b) if terms.as_var(b).is_some_and(|it| values.contains(&it)) => Some(a),
            _ => None,
        };
        trigger.push(value.unwrap_or(part));
    }
    Some(Instance { formula: terms.forall(&vars, body), constants: parts.constants, trigger, span })
}
