//! Static checks of traces: names and sorts.

use super::expr::Reason;
use super::names::wrong_count;
use super::{Checker, Context};
use crate::fol::ast;
use crate::fol::typed::{Body, UnitId};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::MAX_STEPS;

/// A checked trace query.
pub(crate) struct Trace {
    pub(crate) expect_sat: bool,
    pub(crate) steps: Vec<TraceStep>,
    pub(crate) span: Span,
}

/// A component of a checked trace query.
pub(crate) enum TraceStep {
    AssertInit,
    Assert(Body),
    AnyTransition,
    /// The transitions with their arguments.
    Calls(Vec<(UnitId, Vec<Option<Body>>)>),
}

impl Checker<'_, '_> {
    /// Checks the components of a trace. If there are too many transitions, none is checked.
    pub(crate) fn trace_steps(&mut self, steps: &[ast::TraceStep]) -> Vec<TraceStep> {
        let place = |step: &ast::TraceStep| match step {
            ast::TraceStep::AnyTransition(place) => Some(place.0),
            ast::TraceStep::Calls(calls) => calls.first().map(|call| call.place.0),
            ast::TraceStep::AssertInit | ast::TraceStep::Assert(_) => None,
        };
        if let Some(beyond) = steps.iter().filter_map(place).nth(MAX_STEPS.into()) {
            let message = format!("the trace has more than {MAX_STEPS} transitions");
            self.report.push(
                Diagnostic::error(Code::TraceLength, beyond, message)
                    .label("the first one beyond")
                    .help("a claim about the states after any number of transitions is an `invariant`"),
            );
            return Vec::new();
        }
        steps.iter().filter_map(|step| self.trace_step(step)).collect()
    }

    fn trace_step(&mut self, step: &ast::TraceStep) -> Option<TraceStep> {
        Some(match step {
            ast::TraceStep::AssertInit => TraceStep::AssertInit,
            ast::TraceStep::AnyTransition(_) => TraceStep::AnyTransition,
            ast::TraceStep::Assert(formula) => {
                self.enter(Context::closed(1, "an assertion in a trace"));
                TraceStep::Assert(self.closed(formula, &[], Reason::Formula("an assertion")))
            }
            ast::TraceStep::Calls(calls) => {
                TraceStep::Calls(calls.iter().filter_map(|call| self.trace_call(call)).collect())
            }
        })
    }

    fn trace_call(&mut self, call: &ast::TraceCall) -> Option<(UnitId, Vec<Option<Body>>)> {
        let unit = self.transition(&call.name)?;
        let sorts = self.param_sorts[unit].clone();
        let Some(args) = &call.args else { return Some((unit, sorts.iter().map(|_| None).collect())) };
        let decl = self.globals.units[unit].name_span();
        if args.len() != sorts.len() {
            self.report.push(
                wrong_count(&call.name, call.place.0, args.len(), sorts.len(), decl)
                    .help("write `*` for an argument that may be anything, or leave the whole list out"),
            );
            return None;
        }
        let mut checked = Vec::new();
        for (arg, ty) in args.iter().zip(sorts) {
            checked.push(arg.as_ref().map(|arg| {
                self.enter(Context {
                    unclosed: Some("an argument is one value; write `*` where it may be anything"),
                    ..Context::closed(1, "an argument in a trace")
                });
                let (expr, _) = self.expr(arg, Some((ty, Reason::Argument(decl))));
                self.body.expr = Some(expr);
                std::mem::take(&mut self.body)
            }));
        }
        Some((unit, checked))
    }

    /// Resolves the sorts of all variables of a trace and reports those that could not be inferred.
    pub(crate) fn settle_trace(&mut self, trace: &mut Trace) {
        for step in &mut trace.steps {
            match step {
                TraceStep::Assert(body) => self.settle(body),
                TraceStep::Calls(calls) => {
                    for body in calls.iter_mut().flat_map(|(_, args)| args).flatten() {
                        self.settle(body);
                    }
                }
                TraceStep::AssertInit | TraceStep::AnyTransition => {}
            }
        }
    }
}
