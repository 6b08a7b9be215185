//! Static checks of a program: names and sorts of all formulas and commands.

use super::actions::Parts;
use super::ast::{self, Item, ItemKind};
use super::statements::CommandChecker;
use super::typed::{Cmd, Commands, Section};
use crate::fol::statics::Checker;
use crate::fol::statics::trace::Trace;
use crate::fol::typed::{Body, UnitId};
use crate::shared::report::Report;
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// A checked program.
pub(super) struct Checked {
    /// Bodies of macros, axioms, claims, theorems and (with a trivial formula) actions.
    pub(super) bodies: IdVec<UnitId, Body>,
    /// Commands before the loop.
    pub(super) init: Vec<Cmd>,
    /// Commands with which all actions begin.
    pub(super) before: Vec<Cmd>,
    /// Commands of each action between `before` and `after`.
    pub(super) actions: Vec<Section>,
    /// Commands with which all actions end.
    pub(super) after: Vec<Cmd>,
    /// Commands after the loop.
    pub(super) last: Vec<Cmd>,
    /// The formulas and variables of the sections.
    pub(super) commands: Commands,
    /// Traces in source order.
    pub(super) traces: Vec<Trace>,
}

/// Checks the whole program. `is_variable` tells which names are variables left of `:=`.
pub(super) fn check(
    checker: &mut Checker<'_, '_>,
    items: &[Item],
    parts: &Parts<'_>,
    is_variable: fn(&str) -> bool,
) -> Checked {
    let mut bodies = IdVec::new();
    for unit in checker.globals.units.ids() {
        let body = if checker.report.is_full() { Body::default() } else { checker.unit(unit) };
        bodies.push(body);
    }
    let mut commands = CommandChecker::new(checker, is_variable);
    let init = commands.outside(&parts.init);
    let (before, actions, after) = commands.actions(&parts.actions);
    let last = commands.outside(&parts.last);
    for item in items {
        if let ItemKind::Unused(command) = &item.kind {
            commands.outside(&[command]);
        }
    }
    let mut commands = commands.commands;
    let mut traces = Vec::new();
    for item in items {
        if let ItemKind::Trace { expect_sat, steps } = &item.kind {
            let steps: &[ast::TraceStep] = steps;
            reject_second_init(steps, item.span(), checker.report);
            let steps = checker.trace_steps(steps);
            traces.push(Trace { expect_sat: *expect_sat, steps, span: item.span() });
        }
    }
    let of_commands = commands.parts.iter_mut().map(|part| &mut part.body);
    for body in bodies.iter_mut().chain(of_commands) {
        if !checker.report.is_full() {
            checker.settle(body);
        }
    }
    for trace in &mut traces {
        checker.settle_trace(trace);
    }
    Checked { bodies, init, before, actions, after, last, commands, traces }
}

/// Reports traces with several initial states. The values before the initial part have one symbol each, so an execution
/// has one initial state. A trace that does not begin with an assertion implicitly begins with `assert init`.
fn reject_second_init(steps: &[ast::TraceStep], span: Span, report: &mut Report) {
    let is_implicit = !matches!(steps.first(), Some(ast::TraceStep::Assert(_) | ast::TraceStep::AssertInit));
    let explicit = steps.iter().filter(|step| matches!(step, ast::TraceStep::AssertInit)).count();
    if explicit + usize::from(is_implicit) > 1 {
        report.push(
            Diagnostic::error(Code::Program, span, "the trace asks for two initial states")
                .label("an execution of a program begins once")
                .help(
                    "keep one `assert init`; a trace that begins with a transition begins in an initial state",
                ),
        );
    }
}
