//! Goals of claims in `.pyv`.

use super::goal::goal;
use crate::fol::ast::Role;
use crate::pyv::ast::{Decl, DeclKind, Program};
use ramsey_core::diag::Diagnostic;

/// Returns a program with goals after the claims that have proofs. Proofs by forward and backward induction, which say
/// nothing of these, are left out.
pub(super) fn with_goals(program: Program, diagnostics: &mut Vec<Diagnostic>) -> Program {
    let mut decls = Vec::new();
    for mut decl in program.decls {
        let mut after = None;
        match &mut decl.kind {
            DeclKind::Fbii(_) => continue,
            DeclKind::Formula { formula, proof, .. } => {
                let goal = proof.take().and_then(|proof| goal(formula, &proof, diagnostics));
                after = goal.map(|formula| {
                    let kind = DeclKind::Formula { role: Role::Goal, name: None, formula, proof: None };
                    Decl { kind, place: decl.place }
                });
            }
            _ => {}
        }
        decls.push(decl);
        decls.extend(after);
    }
    Program { decls, ..program }
}
