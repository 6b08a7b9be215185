//! Claims that are decided by executions, where the model wants it so.

use std::sync::Arc;
use std::time::Instant;

use super::model::Model;
use crate::args::VerifyArgs;
use crate::mc::{Search, claims};
use crate::progress::Progress;
use crate::select::all_named;
use crate::shared::prophecies;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::{Method, System};
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{Bmc, Depth, Options, Outcome, Target};
use ramsey_engine::query::mc;
use ramsey_engine::query::vacuity::no_initial_state;
use ramsey_kernel::obligations::Property;
use ramsey_report::Verdict;
use ramsey_report::checked::{Bounded, Checked};
use ramsey_report::mc::Found;
use ramsey_report::vacuity;
use ramsey_solver::ask::Statistics;

const INDUCTIVE: &str = "`--inductive` asks whether they are inductive";

/// Returns errors for options that have no meaning for models whose claims are decided by executions.
pub(super) fn refusals(args: &VerifyArgs, models: &[Model]) -> Vec<Diagnostic> {
    let options = [
        ("--check-transition", !args.check_transition.is_empty(), "executions have all transitions"),
        ("--html", args.report.html.is_some(), "a report shows obligations"),
    ];
    let mut errors = Vec::new();
    for model in models.iter().filter(|model| model.method().is_some()) {
        for (option, _, why) in options.iter().filter(|(_, is_given, _)| *is_given) {
            let what =
                format!("{option}: the claims of `{}` are decided by executions: {why}", model.title());
            let place = model.system.as_ref().and_then(|system| system.method);
            errors.extend(place.map(|(_, span)| {
                Diagnostic::error(Code::Usage, span, what).label("told here").help(INDUCTIVE)
            }));
        }
    }
    errors
}

/// Returns the error for certificates that are asked for and that there are none of.
pub(super) fn no_certificate(args: &VerifyArgs, title: &str) -> Option<Diagnostic> {
    let options = [
        ("--certify", args.certify.is_some()),
        ("--export", args.export.is_some()),
        ("--rocq", args.rocq.is_some()),
    ];
    let (option, _) = options.into_iter().find(|(_, is_given)| *is_given)?;
    let what = format!("{option}: claims of `{title}` are decided by executions, which has no certificate");
    Some(Diagnostic::error_nowhere(Code::Usage, what).help(INDUCTIVE).note(
        "`ramsey mc --lemmas FILE --certify FILE` makes an inductive invariant of a proof, and its certificate",
    ))
}

/// Reads what the proofs of claims name that are decided by executions of any length. A model without it has no system.
pub(super) fn read(args: &VerifyArgs, models: &mut [Model], sources: &Sources, start: Instant) {
    for model in models.iter_mut().filter(|model| model.method() == Some(Method::Unbounded)) {
        let Some(text) = model.text.clone() else { continue };
        let mut reading = args.limits.reading(start);
        model.prophecies = prophecies(&text, &mut model.diagnostics, sources, &mut reading);
        if model.prophecies.is_none() && model.verdict() == Verdict::Ok {
            // What has not been asked about is no answer.
            let what = format!("the claims of `{}` have not been read", model.title());
            model.diagnostics.push(Diagnostic::error_nowhere(Code::Limit, what));
        }
        let is_good = model.verdict() == Verdict::Ok;
        model.system.take_if(|_| !is_good);
    }
}

/// Answers the claims of a model; `None` if none is asked about.
pub(super) fn answers<'a>(
    (args, method): (&VerifyArgs, Method),
    model: &mut Model,
    system: &'a Arc<System>,
    start: Instant,
    limits: &Limits,
    progress: &Progress,
) -> Option<Checked<'a>> {
    // What is selected is no claim of another model.
    let (wanted, _) = all_named(system, "--check-invariant", &args.check_invariant);
    let is_asked = |it: &Property| args.check_invariant.is_empty() || wanted.contains(it);
    let checked = match method {
        Method::Unbounded => {
            let read = model.prophecies.take()?;
            let budget = || Budget::new(args.limits.limits.work, limits.probe.as_ref().map(|make| make()));
            let claims = claims(system, read, &mut budget());
            let asked: Vec<Property> = claims.properties().into_iter().filter(is_asked).collect();
            let options = mc::Options::new(args.seed);
            let search = Search { options, auto_prophecy: false, limits: args.limits.limits, start };
            let (answers, is_joint) = search.answers(system, &claims, &asked, progress);
            Checked::Unbounded(Found { system, answers, is_joint, lifting: None })
        }
        Method::Bounded(steps) => {
            // Assertions of the step after the last one are checked as well.
            let steps = steps.saturating_add(1);
            let invariants = (0..system.invariants.len()).map(Property::Invariant);
            let assertions = (0..system.assertions.len()).map(Property::Assertion);
            let asked = invariants.chain(assertions).filter(is_asked);
            let answers = asked.map(|it| {
                progress.say(|| format!("executions of at most {steps} steps for {}", it.label(system)));
                (it, bounded((args, steps), system, it, limits))
            });
            Checked::Bounded(Bounded { system, steps, answers: answers.collect() })
        }
    };
    progress.clear();
    let is_empty = checked.tally().total() == 0;
    if !is_empty && let Some(found) = no_initial_state(system, &limits.budget()) {
        model.diagnostics.push(vacuity::diagnostic(system, &found));
    }
    (!is_empty).then_some(checked)
}

/// Returns the answer for the last length that was searched.
fn bounded((args, steps): (&VerifyArgs, u16), system: &Arc<System>, it: Property, limits: &Limits) -> Depth {
    let options = Options {
        minimize: !args.no_minimize,
        seed: args.seed,
        ..Options::new(vec![Target::Model(it)], steps)
    };
    let mut bmc = Bmc::new(Arc::clone(system), options);
    let mut last = None;
    while let Some(depth) = bmc.advance(limits) {
        let is_open = matches!(depth.outcome, Outcome::Holds);
        last = Some(depth);
        if !is_open {
            break;
        }
    }
    last.unwrap_or_else(|| Depth {
        steps: None,
        outcome: Outcome::InternalError("no length of executions was searched".to_owned()),
        by_induction: None,
        is_shortest: true,
        certificates: Vec::new(),
        statistics: Statistics::default(),
    })
}
