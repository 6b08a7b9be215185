//! The part of a formula that its value comes from.

use super::judge::evaluation_budget;
use crate::base::budget::Budget;
use crate::logic::{Elem, Evaluator, Node, Signature, Structure, TermId, Terms, VarId};

/// The part of a claim that a counterexample makes false (or, of a formula that is evaluated, that makes it true).
#[derive(Clone, Debug)]
pub struct Breach {
    /// The smallest subformula that is to blame, without the quantifiers that `bindings` instantiate.
    pub formula: TermId,
    /// Whether it stands under an odd number of negations: then its negation is what was claimed.
    pub is_negated: bool,
    /// Values of variables, outermost first, that make it false: of those bound by `forall`, and of those bound by `exists`
    /// under a negation.
    pub bindings: Vec<(VarId, Elem)>,
    /// The quantified formulas inside `formula` whose variables have values in `bindings`.
    pub opened: Vec<TermId>,
}

/// What is to blame if a formula is false in a structure: the formula as a whole where the budget does not suffice to find
/// out.
pub fn blame(
    sig: &Signature,
    terms: &Terms,
    structure: &Structure,
    formula: TermId,
    budget: &Budget,
) -> Breach {
    let mut eval = Evaluator::new(sig, terms, structure);
    eval.budget = evaluation_budget(budget);
    let found = breach(&mut eval, formula, false);
    match eval.exhausted {
        None => found,
        Some(_) => Breach { formula, is_negated: false, bindings: Vec::new(), opened: Vec::new() },
    }
}

/// Descends to the part of a closed formula that gives it this value, which it has: of a false one, the part that is to
/// blame. Polarity decides: a false conjunction is that for one conjunct, a true disjunction for one disjunct.
pub fn breach(eval: &mut Evaluator<'_>, mut formula: TermId, mut value: bool) -> Breach {
    let mut found = Breach { formula, is_negated: false, bindings: Vec::new(), opened: Vec::new() };
    loop {
        match (eval.terms.node(formula), value) {
            (Node::Not(inner), _) => {
                (formula, value) = (inner, !value);
                found.is_negated = !found.is_negated;
            }
            (Node::And(args), false) | (Node::Or(args), true) => {
                let items = eval.terms.args(args);
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
                bind(eval, &mut found.bindings, eval.terms.bound_vars(vars).collect(), values);
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

/// Finds values for quantifiers inside a formula of which every part matters.
fn open(eval: &mut Evaluator<'_>, formula: TermId, value: bool, found: &mut Breach) {
    match eval.terms.node(formula) {
        Node::Not(inner) => open(eval, inner, !value, found),
        Node::And(args) | Node::Or(args) => {
            for &item in eval.terms.args(args) {
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
            let is_forall = matches!(eval.terms.node(formula), Node::Forall(..));
            let vars_here: Vec<VarId> = eval.terms.bound_vars(vars).collect();
            let terms = eval.terms;
            let name = |var: VarId| &terms.var_info(var).name;
            // Two values for one name would not be readable.
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
