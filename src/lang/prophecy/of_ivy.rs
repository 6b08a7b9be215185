//! Goals of claims in `.ivy`.

use std::sync::Arc;

use super::goal::{condition, implies};
use super::proof::read;
use crate::fol::ast::{Expr, ExprKind, Ident, Place};
use crate::ivy::ast::{
    Check, Condition, Decl, DeclKind, File, Loop, LoopInvariant, Meaning, Role, Schema, Skipped, Stmt,
    StmtKind, Version,
};
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::Diagnostic;

/// Returns files with goals after the claims that have proofs.
pub(super) fn with_goals(
    files: Vec<File>,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<File> {
    let mut transform = Transform { file: None, diagnostics };
    let file = |file: File| {
        transform.file = Some((file.version, &sources[file.file].text));
        let decls = transform.decls(file.decls);
        File { decls, ..file }
    };
    files.into_iter().map(file).collect()
}

/// The change of syntax trees.
struct Transform<'s, 'd> {
    /// The version and the text of the file.
    file: Option<(Version, &'s str)>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Transform<'_, '_> {
    fn decls(&mut self, decls: Vec<Decl>) -> Vec<Decl> {
        let mut changed = Vec::new();
        for decl in decls {
            let place = decl.place;
            let mut after = None;
            let kind = match decl.kind {
                DeclKind::Schema(schema) => {
                    let hints = Schema { meaning: Meaning::Hints, ..(*schema).clone() };
                    let axioms = Schema { meaning: Meaning::Axioms, ..*schema };
                    changed.push(Decl { kind: DeclKind::Schema(Box::new(axioms)), place });
                    DeclKind::Schema(Box::new(hints))
                }
                DeclKind::Formula { role, keyword, label, formula, with, named, proof: Some(proof) }
                    if matches!(role, Role::Invariant | Role::Safety) =>
                {
                    after = self.goal(&proof.text, &formula).map(|formula| {
                        let (role, keyword) = (Role::Goal, Arc::clone(&keyword));
                        let (label, with, named, proof) = (None, None, None, None);
                        let kind = DeclKind::Formula { role, keyword, label, formula, with, named, proof };
                        Decl { kind, place }
                    });
                    DeclKind::Formula { role, keyword, label, formula, with, named, proof: None }
                }
                DeclKind::Object { keyword, name, params, is_continued, decls, with } => {
                    let decls = self.decls(decls);
                    DeclKind::Object { keyword, name, params, is_continued, decls, with }
                }
                DeclKind::Section { keyword, decls } => {
                    DeclKind::Section { keyword, decls: self.decls(decls) }
                }
                DeclKind::Module(mut module) => {
                    module.decls = self.decls(module.decls);
                    DeclKind::Module(module)
                }
                DeclKind::Macro { name, params, body } => {
                    DeclKind::Macro { name, params, body: self.stmts(body) }
                }
                DeclKind::Action(mut action) => {
                    action.body = action.body.map(|body| self.stmts(body));
                    DeclKind::Action(action)
                }
                DeclKind::Monitor { when, mut action } => {
                    action.body = action.body.map(|body| self.stmts(body));
                    DeclKind::Monitor { when, action }
                }
                DeclKind::Init { params, body } => DeclKind::Init { params, body: self.stmts(body) },
                kind => kind,
            };
            changed.push(Decl { kind, place });
            changed.extend(after);
        }
        changed
    }

    fn stmts(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        stmts.into_iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: Stmt) -> Stmt {
        let place = stmt.place;
        let kind = match stmt.kind {
            // What is required or ensured may be an assumption. The branches then say no more than the formula does.
            StmtKind::Check { kind, label, formula, proof: Some(proof) } => {
                match self.goal(&proof.text, &formula) {
                    Some(goal) => branches(kind, label, formula, goal, place.0),
                    None => StmtKind::Check { kind, label, formula, proof: None },
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                StmtKind::If { condition, then: self.stmts(then), otherwise: self.stmts(otherwise) }
            }
            StmtKind::While(it) => {
                let body = self.stmts(it.body);
                let invariants = it.invariants.into_iter();
                let invariants = invariants.map(|it| LoopInvariant { proof: None, ..it }).collect();
                StmtKind::While(Box::new(Loop { body, invariants, ..*it }))
            }
            StmtKind::Local { vars, body } => StmtKind::Local { vars, body: self.stmts(body) },
            StmtKind::Block(body) => StmtKind::Block(self.stmts(body)),
            kind => kind,
        };
        Stmt { kind, place }
    }

    /// Returns the goal of a claim with a proof; `None` if the proof has no prophecy variables.
    fn goal(&mut self, proof: &Skipped, formula: &Expr) -> Option<Expr> {
        let (version, text) = self.file?;
        let steps = read(proof, text, version, self.diagnostics)?;
        // Variables need no quantifiers: those of formulas are universal.
        let condition = condition(&steps, formula, proof.place.0, self.diagnostics)?;
        Some(implies(condition, formula.clone()))
    }
}

/// Returns the statement that asserts the goal of a formula where an execution may end, and assumes the formula
/// elsewhere.
fn branches(kind: Check, label: Option<Ident>, formula: Expr, goal: Expr, span: Span) -> StmtKind {
    let place = Place(span);
    let check = |kind, label, formula| {
        let kind = StmtKind::Check { kind, label, formula, proof: None };
        Stmt { kind, place }
    };
    let never = Expr::new(ExprKind::Bool(false), span);
    StmtKind::If {
        condition: Condition::Any,
        then: vec![check(kind, label, goal), check(Check::Assume, None, never)],
        otherwise: vec![check(Check::Assume, None, formula)],
    }
}
