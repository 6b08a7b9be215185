//! Search for the part of a formula that determines its value.

use super::judge::evaluation_budget;
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::{Elem, Evaluator, Node, Structure, Syntax, TermId, VarId};

/// The part of a claim that is false in a counterexample (or, for an evaluated formula, the part that makes it true).
#[derive(Clone, Debug)]
pub struct Falsification {
    /// The smallest subformula that determines the value, without the quantifiers that `bindings` instantiate.
    pub formula: TermId,
    /// Whether the subformula occurs under an odd number of negations, so that its negation was claimed.
    pub is_negated: bool,
    /// Values of variables for which it is false, outermost first: of variables bound by `forall`, and of those bound
    /// by `exists` under a negation.
    pub bindings: Vec<(VarId, Elem)>,
    /// The quantified formulas inside `formula` whose variables are assigned in `bindings`.
    pub opened: Vec<TermId>,
}

/// Returns the part of a formula that makes it false in a structure; the whole formula if the budget does not suffice.
pub fn blame(syntax: Syntax<'_>, structure: &Structure, formula: TermId, budget: &Budget) -> Falsification {
    let mut eval = Evaluator::new(syntax, structure);
    eval.budget = evaluation_budget(budget);
    let found = find_falsification(&mut eval, formula, false);
    match eval.exhausted {
        None => found,
        Some(_) => Falsification { formula, is_negated: false, bindings: Vec::new(), opened: Vec::new() },
    }
}

/// Descends to the part of a closed formula that determines its value. The formula must have the given value. Polarity
/// decides: a false conjunction is false because of one conjunct, a true disjunction is true because of one disjunct.
pub fn find_falsification(eval: &mut Evaluator<'_>, mut formula: TermId, mut value: bool) -> Falsification {
    let terms = eval.syntax.terms;
    let mut found = Falsification { formula, is_negated: false, bindings: Vec::new(), opened: Vec::new() };
    loop {
        match (terms.node(formula), value) {
            (Node::Not(inner), _) => {
                (formula, value) = (inner, !value);
                found.is_negated = !found.is_negated;
            }
            (Node::And(args), false) | (Node::Or(args), true) => {
                let items = terms.args(args);
                let Some(&item) = items.iter().find(|&&item| eval.holds(item) == value) else { break };
                formula = item;
            }
            (Node::Implies(premise, conclusion), true) => {
                if eval.holds(conclusion) {
                    formula = conclusion;
                } else {
                    (formula, value) = (premise, false);
                    found.is_negated = !found.is_negated;
                }
            }
            (Node::Forall(vars, body), false) | (Node::Exists(vars, body), true) => {
                let Some(values) = eval.witness(vars, body, value) else { break };
                bind(eval, &mut found.bindings, terms.bound_vars(vars).collect(), values);
                formula = body;
            }
            _ => break,
        }
    }
    found.formula = formula;
    open(eval, formula, value, &mut found);
    found
}

fn bind(eval: &mut Evaluator<'_>, bindings: &mut Vec<(VarId, Elem)>, vars: Vec<VarId>, values: Vec<Elem>) {
    for (var, value) in vars.into_iter().zip(values) {
        eval.env.insert(var, value);
        bindings.push((var, value));
    }
}

/// Finds values for quantifiers inside a formula all parts of which are relevant.
fn open(eval: &mut Evaluator<'_>, formula: TermId, value: bool, found: &mut Falsification) {
    let terms = eval.syntax.terms;
    match terms.node(formula) {
        Node::Not(inner) => open(eval, inner, !value, found),
        Node::And(args) | Node::Or(args) => {
            for &item in terms.args(args) {
                if eval.holds(item) == value {
                    open(eval, item, value, found);
                }
            }
        }
        Node::Implies(premise, conclusion) => {
            if eval.holds(premise) != value {
                open(eval, premise, !value, found);
            }
            if eval.holds(conclusion) == value {
                open(eval, conclusion, value, found);
            }
        }
        Node::Ite(condition, a, b) => {
            let taken = if eval.holds(condition) { a } else { b };
            open(eval, taken, value, found);
        }
        Node::Forall(vars, body) | Node::Exists(vars, body) => {
            let is_forall = matches!(terms.node(formula), Node::Forall(..));
            let vars_here: Vec<VarId> = terms.bound_vars(vars).collect();
            let name = |var: VarId| &terms.var_info(var).name;
            // Two values for the same name would be ambiguous to the reader.
            let is_known = |&var: &VarId| found.bindings.iter().any(|&(other, _)| name(other) == name(var));
            if is_forall == value || vars_here.iter().any(is_known) {
                return;
            }
            let Some(values) = eval.witness(vars, body, value) else { return };
            bind(eval, &mut found.bindings, vars_here, values);
            found.opened.push(formula);
            open(eval, body, value, found);
        }
        _ => {}
    }
}
