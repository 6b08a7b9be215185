//! Static checks of the formulas of a file: names, sorts and states.

use super::ast::{self, DeclKind};
use super::proofs::CheckedProofs;
use crate::fol::lower::Checked;
use crate::fol::names::{Global, Globals, Unit};
use crate::fol::statics::Checker;
use crate::fol::statics::names::NamePosition;
use crate::fol::statics::trace::Trace;
use crate::fol::typed::{Body, UnitId};
use crate::shared::report::Report;
use ramsey_core::base::ids::IdVec;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SymbolKind;

/// Checks all formulas.
pub(super) fn check<'p>(
    program: &'p ast::Program,
    globals: &mut Globals<'_>,
    report: &mut Report,
) -> (Checked, CheckedProofs<'p>) {
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
        if let DeclKind::Trace { expect_sat, steps } = &decl.kind {
            let steps = checker.trace_steps(steps);
            traces.push(Trace { expect_sat: *expect_sat, steps, span: decl.span() });
        }
    }
    let mut proofs = CheckedProofs::check(&mut checker, program);
    for body in bodies.iter_mut() {
        if !checker.report.is_full() {
            checker.settle(body);
        }
    }
    for trace in &mut traces {
        checker.settle_trace(trace);
    }
    proofs.settle(&mut checker);
    (Checked { bodies, traces }, proofs)
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
