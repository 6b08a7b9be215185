//! Static checks of the formulas of a file: names, sorts and states.

use super::ast::{self, DeclKind};
use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
use crate::lang::fol::ast::{Expr, Ident};
use crate::lang::fol::check::expr::Reason;
use crate::lang::fol::check::names::NamePosition;
use crate::lang::fol::check::trace::Trace;
use crate::lang::fol::check::{Checker, Context};
use crate::lang::fol::lower::Checked;
use crate::lang::fol::names::{Global, Globals, Unit};
use crate::lang::fol::sorts::Ty;
use crate::lang::fol::typed::{Body, UnitId};
use crate::lang::shared::report::Report;
use crate::logic::SymbolKind;

/// Checks all formulas.
pub(super) fn check(program: &ast::Program, globals: &mut Globals<'_>, report: &mut Report) -> Checked {
    let mut checker = Checker::new(globals, report);
    let mut bodies = IdVec::new();
    for unit in checker.globals.units.ids() {
        if checker.report.is_full() {
            bodies.push(Body::default());
            continue;
        }
        bodies.push(checker.unit(unit));
        modifies(&mut checker, unit);
    }
    let mut traces = Vec::new();
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Trace { expect_sat, steps } => {
                let steps = checker.trace_steps(steps);
                traces.push(Trace { expect_sat: *expect_sat, steps, span: decl.span() });
            }
            DeclKind::Fbii(steps) => fbii(&mut checker, steps, decl.span()),
            _ => {}
        }
    }
    for body in bodies.iter_mut() {
        if !checker.report.is_full() {
            checker.settle(body);
        }
    }
    for trace in &mut traces {
        checker.settle_trace(trace);
    }
    Checked { bodies, traces }
}

/// Checks that the names after `modifies` are symbols that can change.
fn modifies(checker: &mut Checker<'_, '_>, unit: UnitId) {
    let Unit { states, modifies, .. } = checker.globals.units[unit];
    if let Some([first, ..]) = modifies
        && states < 2
    {
        checker.report.push(
            Diagnostic::error(
                Code::Modifies,
                first.span(),
                "only definitions over two states can modify symbols",
            )
            .label("no next state here")
            .help("declare it as a `twostate definition`, or write `=` before the formula"),
        );
    }

    for name in modifies.unwrap_or_default() {
        match checker.globals.get(&name.name) {
            Some((Global::Symbol(sym), span)) => {
                let symbol = &checker.globals.sig.symbols[sym];
                let problem = match symbol.kind {
                    SymbolKind::Mutable => continue,
                    SymbolKind::Derived => "derived",
                    _ => "immutable",
                };
                let error = Diagnostic::error(
                    Code::Modifies,
                    name.span(),
                    format!("`{}` is {problem} and cannot be modified", name.name),
                )
                .label(format!("{problem} symbol in `modifies`"))
                .also(span, "declared here");
                checker.report.push(if problem == "derived" {
                    error.note("a derived relation follows the symbols in its axiom by itself")
                } else {
                    error
                });
            }
            Some((global, span)) => checker.report.push(
                Diagnostic::error(
                    Code::Modifies,
                    name.span(),
                    format!("`{}` is {} and cannot be modified", name.name, checker.globals.describe(global)),
                )
                .label("not a mutable symbol")
                .also(span, "declared here"),
            ),
            None => checker.undeclared(name, NamePosition::Symbol),
        }
    }
}

/// Checks the names and sorts of an `fbii` proof.
fn fbii(checker: &mut Checker<'_, '_>, steps: &[ast::FbiiStep], span: Span) {
    checker.report.push(
        Diagnostic::warning(Code::Unchecked, span, "the `fbii` proof is not checked")
            .label("names and sorts are checked, the proof is not")
            .note("the invariants and safety properties outside of it are checked as usual"),
    );
    let mut prophecy: Vec<(Ident, Ty)> = Vec::new();
    let mut bodies = Vec::new();
    for step in steps {
        for var in step.prophecy.iter().flatten() {
            let ty = checker.declared_sort(var);
            prophecy.push((var.name.clone(), ty));
        }
        for invariant in &step.invariants {
            bodies.push(fbii_formula(checker, &invariant.formula, &prophecy, false));
        }
        for item in step.by.iter().flatten() {
            match item {
                ast::FbiiItem::Invariant(invariant) => {
                    bodies.push(fbii_formula(checker, &invariant.formula, &prophecy, true));
                }
                ast::FbiiItem::Select(formula) => {
                    bodies.push(fbii_formula(checker, formula, &prophecy, true));
                }
                ast::FbiiItem::Default => {}
            }
        }
    }
    for body in &mut bodies {
        checker.settle(body);
    }
}

fn fbii_formula(
    checker: &mut Checker<'_, '_>,
    formula: &Expr,
    prophecy: &[(Ident, Ty)],
    generated_names: bool,
) -> Body {
    checker.enter(Context::closed(1, "a formula of an `fbii` proof"));
    checker.generated_names = generated_names;
    for (name, ty) in prophecy {
        checker.bind(name, *ty, usize::MAX);
    }
    let body = checker.closed(formula, &[], Reason::Formula("an invariant"));
    checker.generated_names = false;
    body
}
