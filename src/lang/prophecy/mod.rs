//! Prophecy variables of claims (McMillan, CAV 2018, Theorem 4): `proof let V = term` gives a term a name that is a
//! universal variable of the claim, so that the abstraction can track its value.
//!
//! A claim `φ` with such a proof becomes `V = term -> φ`, which is equivalent if `V` does not occur in `φ` and in terms
//! before it. The claim itself stays, as what may be assumed; the other formula is its *goal*. Within an action, the
//! goal is asserted on a branch of its own that then ends, and `φ` is assumed on the other one.

mod proof;

use std::sync::Arc;

use super::fol::ast::{BinaryOp, Expr, ExprKind, Ident};
use super::ivy;
use super::ivy::ast::{Check, Condition, Decl, DeclKind, File, Role, Skipped, Stmt, StmtKind};
use super::shared::Includes;
use super::{Language, load_within};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::base::span::{FileId, Sources, Span};
use crate::diag::{Code, Diagnostic, Severity};
use crate::logic::TermId;
use crate::system::System;
use proof::{Step, and, implies, read};

/// A model with the goals of its claims.
#[derive(Clone, Debug)]
pub struct Prophecies {
    /// The system, in which assertions are goals. Its invariants are those of the model.
    pub system: System,
    /// The goals of invariants that differ from them, by index.
    pub goals: Map<usize, TermId>,
}

/// How the name of the declaration of a goal begins. Names in files do not begin like this.
const GOAL: &str = "@goal";

/// Loads a model with the goals of its claims. Only models in `.ivy` have prophecy variables.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn prophecies(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<Prophecies>, Vec<Diagnostic>), Exhausted> {
    if language != Language::Ivy {
        let (system, diagnostics) = load_within(language, file, sources, includes, budget)?;
        return Ok((system.map(|system| Prophecies { system, goals: Map::default() }), diagnostics));
    }
    let (files, mut diagnostics) = ivy::parse_trees_within(file, sources, includes, budget)?;
    let mut transform = Transform { file: None, goals: 0, diagnostics: Vec::new() };
    let files: Vec<File> = files
        .into_iter()
        .map(|file| {
            transform.file = Some((file.version, &sources[file.file].text));
            let decls = transform.decls(file.decls);
            File { decls, ..file }
        })
        .collect();
    diagnostics.extend(transform.diagnostics);
    let (model, more) = ivy::expand_within(files, includes, budget)?;
    diagnostics.extend(more);
    let (system, more) = ivy::lower_within(&model, sources, includes, budget)?;
    diagnostics.extend(more);
    let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
    Ok((system.filter(|_| !has_errors).map(separate), diagnostics))
}

/// Takes the goals of invariants out of a system. Each follows its invariant, in the order of declarations.
fn separate(mut system: System) -> Prophecies {
    let mut goals = Map::default();
    let mut places: Map<(Span, usize), usize> = Map::default();
    let mut seen: [Map<Span, usize>; 2] = [Map::default(), Map::default()];
    let mut kept = Vec::new();
    let mut later = Vec::new();
    for invariant in std::mem::take(&mut system.invariants) {
        let is_goal = invariant.name.as_ref().is_some_and(|name| name.contains(GOAL));
        let count = seen[usize::from(is_goal)].entry(invariant.span).or_default();
        let place = (invariant.span, *count);
        *count += 1;
        if is_goal {
            later.push((place, invariant.formula));
        } else {
            places.insert(place, kept.len());
            kept.push(invariant);
        }
    }
    for (place, goal) in later {
        if let Some(&index) = places.get(&place) {
            goals.insert(index, goal);
        }
    }
    system.invariants = kept;
    Prophecies { system, goals }
}

/// The change of syntax trees.
struct Transform<'s> {
    /// The version and the text of the file.
    file: Option<(ivy::ast::Version, &'s str)>,
    /// Number of goals of invariants.
    goals: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Transform<'_> {
    fn decls(&mut self, decls: Vec<Decl>) -> Vec<Decl> {
        let mut changed = Vec::new();
        for decl in decls {
            let place = decl.place;
            let kind = match decl.kind {
                DeclKind::Formula { role, keyword, label, formula, proof: Some(proof) }
                    if matches!(role, Role::Invariant | Role::Safety) =>
                {
                    if let Some(goal) = self.goal(&proof, &formula) {
                        self.goals += 1;
                        let label = Some(Ident { name: format!("{GOAL}{}", self.goals).into(), place });
                        let (role, keyword) = (Role::Invariant, Arc::clone(&keyword));
                        let kind = DeclKind::Formula { role, keyword, label, formula: goal, proof: None };
                        changed.push(Decl { kind, place });
                    }
                    DeclKind::Formula { role, keyword, label, formula, proof: None }
                }
                DeclKind::Object { keyword, name, params, decls, with } => {
                    DeclKind::Object { keyword, name, params, decls: self.decls(decls), with }
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
                DeclKind::Init(body) => DeclKind::Init(self.stmts(body)),
                kind => kind,
            };
            changed.push(Decl { kind, place });
        }
        changed
    }

    fn stmts(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        stmts.into_iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: Stmt) -> Stmt {
        let place = stmt.place;
        let kind = match stmt.kind {
            StmtKind::Check { kind: Check::Assert, label, formula, proof: Some(proof) } => {
                match self.goal(&proof, &formula) {
                    Some(goal) => branches(label, formula, goal, stmt.place.0),
                    None => StmtKind::Check { kind: Check::Assert, label, formula, proof: None },
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                StmtKind::If { condition, then: self.stmts(then), otherwise: self.stmts(otherwise) }
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
        let steps = read(proof, text, version, &mut self.diagnostics)?;
        let mut names = Set::default();
        mentioned(formula, &mut names);
        let known = self.diagnostics.len();
        let condition = self.condition(&steps, &mut names, proof.place.0);
        (self.diagnostics.len() == known).then(|| implies(condition, formula.clone()))
    }

    /// Returns what the steps of a proof say. `names` are those that were mentioned before.
    fn condition(&mut self, steps: &[Step], names: &mut Set<Arc<str>>, span: Span) -> Expr {
        let mut parts = Vec::new();
        for step in steps {
            match step {
                Step::Let(equation) => {
                    self.equation(equation, names);
                    parts.push(equation.clone());
                }
                Step::If(condition, then, otherwise) => {
                    mentioned(condition, names);
                    let (mut yes, mut no) = (names.clone(), names.clone());
                    let then = self.condition(then, &mut yes, span);
                    let otherwise = self.condition(otherwise, &mut no, span);
                    let negated = Expr::new(ExprKind::Not(Box::new(condition.clone())), condition.span());
                    let then = and(vec![condition.clone(), then], span);
                    let otherwise = and(vec![negated, otherwise], span);
                    parts.push(Expr::new(ExprKind::Or(vec![then, otherwise]), span));
                    names.extend(yes);
                    names.extend(no);
                }
            }
        }
        and(parts, span)
    }

    /// Checks that an equation gives a name to a term.
    fn equation(&mut self, equation: &Expr, names: &mut Set<Arc<str>>) {
        let ExprKind::Binary { op: BinaryOp::Equal, sides, .. } = &equation.kind else {
            let error =
                Diagnostic::error(Code::Program, equation.span(), "a prophecy variable stands for a term")
                    .label("this is no equation of a variable and a term");
            self.diagnostics.push(error.help("write `let V = term`; a formula is no term"));
            return;
        };
        let [var, term] = &**sides;
        let name = match &var.kind {
            ExprKind::Ref { name, args: None, .. } if name.name.starts_with(char::is_uppercase) => name,
            _ => {
                let error = Diagnostic::error(Code::Program, var.span(), "a prophecy variable is a variable")
                    .label("expected a name that starts with a capital letter");
                self.diagnostics.push(error);
                return;
            }
        };
        // The sort may stand after the name.
        let plain: Arc<str> = name.name.split(':').next().unwrap_or_default().into();
        mentioned(term, names);
        if !names.insert(Arc::clone(&plain)) {
            let error = Diagnostic::error(
                Code::Program,
                name.span(),
                format!("the prophecy variable `{plain}` occurs before it has a value"),
            )
            .label("in the claim, in this term, or in an earlier part of the proof");
            self.diagnostics
                .push(error.help("a prophecy variable is a new name, and its term says nothing of itself"));
        }
    }
}

/// Returns the statement that asserts the goal of a formula where an execution may end, and assumes the formula
/// elsewhere.
fn branches(label: Option<Ident>, formula: Expr, goal: Expr, span: Span) -> StmtKind {
    let place = super::fol::ast::Place(span);
    let check = |kind, label, formula| {
        let kind = StmtKind::Check { kind, label, formula, proof: None };
        Stmt { kind, place }
    };
    let never = Expr::new(ExprKind::Bool(false), span);
    StmtKind::If {
        condition: Condition::Any,
        then: vec![check(Check::Assert, label, goal), check(Check::Assume, None, never)],
        otherwise: vec![check(Check::Assume, None, formula)],
    }
}

/// Adds the names in a formula.
fn mentioned(formula: &Expr, names: &mut Set<Arc<str>>) {
    match &formula.kind {
        ExprKind::Ref { name, .. } => {
            names.insert(name.name.split(':').next().unwrap_or_default().into());
        }
        ExprKind::Quantifier { vars, .. } => names.extend(vars.iter().map(|var| Arc::clone(&var.name.name))),
        _ => {}
    }
    formula.for_each_child(|child| mentioned(child, names));
}
