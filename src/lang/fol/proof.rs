//! Proofs of claims by prophecy variables, as written after a claim.

use super::ast::{Expr, ExprKind, Place, SortedVar};

/// A proof: `proof let v = term`. It gives values of terms names, which only `ramsey mc` makes use of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Its steps.
    pub steps: Vec<ProofStep>,
    /// The position, from `proof` to the last token.
    pub place: Place,
}

/// A step of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofStep {
    /// `let v: s = term`.
    Let {
        /// The prophecy variable.
        var: SortedVar,
        /// Its value.
        term: Expr,
    },
    /// `if condition { .. } else { .. }`.
    If {
        /// The condition.
        condition: Expr,
        /// The steps if it holds.
        then: Vec<ProofStep>,
        /// The steps if it does not.
        otherwise: Vec<ProofStep>,
    },
}

impl Proof {
    /// Calls `visit` with each term and condition, in source order.
    pub fn for_each_expr<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        visit_steps(&self.steps, &mut |step| match step {
            ProofStep::Let { term, .. } => visit(term),
            ProofStep::If { condition, .. } => visit(condition),
        });
    }
}

fn visit_steps<'a>(steps: &'a [ProofStep], visit: &mut dyn FnMut(&'a ProofStep)) {
    for step in steps {
        visit(step);
        if let ProofStep::If { then, otherwise, .. } = step {
            visit_steps(then, visit);
            visit_steps(otherwise, visit);
        }
    }
}

/// Returns the variables of the outermost universal quantifiers of a claim, and what is below these.
pub(crate) fn outermost(claim: &Expr) -> (Vec<&[SortedVar]>, &Expr) {
    let (mut outer, mut body) = (Vec::new(), claim);
    while let ExprKind::Quantifier { universal: true, vars, body: inner } = &body.kind {
        outer.push(&vars[..]);
        body = inner;
    }
    (outer, body)
}
