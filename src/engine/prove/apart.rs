//! Variables of their own for quantified formulas that are different.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, TermId, Terms, VarId};

/// Renames bound variables so that no two different formulas bind the same one. Equal formulas stay equal.
#[derive(Debug, Default)]
pub(super) struct Apart {
    done: Map<TermId, TermId>,
    /// The variables that some formula binds.
    bound: Set<VarId>,
}

impl Apart {
    /// Returns a formula with variables of its own.
    pub(super) fn of(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        if !terms.has_vars(formula) {
            return formula;
        }
        if let Some(&known) = self.done.get(&formula) {
            return known;
        }
        let children: Vec<TermId> = terms.children(formula).collect();
        let renamed: Vec<TermId> = children.iter().map(|&child| self.of(terms, child)).collect();
        let mut result = if renamed == children { formula } else { terms.rebuild(formula, &renamed) };
        let node = terms.node(result);
        if let Node::Forall(vars, body) | Node::Exists(vars, body) = node {
            let vars: Vec<VarId> = terms.bound_vars(vars).collect();
            if vars.iter().any(|var| self.bound.contains(var)) {
                let copies: Vec<VarId> = vars.iter().map(|&var| terms.copy_var(var)).collect();
                let values: Vec<TermId> = copies.iter().map(|&var| terms.var(var)).collect();
                let body = terms.substitute(body, &vars.into_iter().zip(values).collect());
                let is_universal = matches!(node, Node::Forall(..));
                result = if is_universal { terms.forall(&copies, body) } else { terms.exists(&copies, body) };
                self.bound.extend(copies);
            } else {
                self.bound.extend(vars);
            }
        }
        self.done.insert(formula, result);
        result
    }
}
