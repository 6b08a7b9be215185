//! Text output of `ramsey cti`.

use std::fmt::Write as _;

use super::Palette;
use super::finding::{Claim, Question};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::logic::Signature;
use ramsey_core::system::System;
use ramsey_engine::query::cti::{Measure, MeasuredValue};
use ramsey_kernel::obligations::Origin;

/// Returns a measure in the syntax of the command line.
pub fn measure_text(sig: &Signature, measure: Measure) -> String {
    match measure {
        Measure::Elements => "elements".to_owned(),
        Measure::Size(sort) => format!("sort:{}", sig.sorts[sort].name),
        Measure::Positive(sym, _) => format!("pos:{}", sig.symbols[sym].name),
        Measure::Negative(sym, _) => format!("neg:{}", sig.symbols[sym].name),
    }
}

/// Returns the measures with their values, minimal ones on one line and the others on another; empty if there are
/// none.
pub fn measures_text(sig: &Signature, reached: &[MeasuredValue], palette: Palette) -> String {
    let mut text = String::new();
    for (is_minimal, heading) in [(true, "minimal:"), (false, "not proved minimal:")] {
        let of_kind = reached.iter().filter(|it| it.is_minimal == is_minimal);
        let items: Vec<String> =
            of_kind.map(|it| format!("{} = {}", measure_text(sig, it.measure), it.value)).collect();
        if !items.is_empty() {
            let _ = writeln!(text, "  {}\n    {}", palette.bold(heading), items.join(", "));
        }
    }
    text
}

/// Returns one line for each obligation without an answer.
pub fn unknown_text(system: &System, unknown: &[(Origin, Exhausted)], palette: Palette) -> String {
    let mut text = String::new();
    for &(origin, exhausted) in unknown {
        let word = palette.caution(&format!("unknown ({exhausted})"));
        let _ = writeln!(text, "{}: {word}", origin_text(system, origin));
    }
    text
}

/// Returns the line for a model without a counterexample to induction, or without one besides those already known.
pub fn inductive_text(name: &str, are_known: bool, palette: Palette) -> String {
    if are_known {
        return format!("{}: there is no other counterexample to induction\n", palette.bold(name));
    }
    format!(
        "{}: {}, there is no counterexample to induction\n",
        palette.bold(name),
        palette.good("inductive")
    )
}

/// Returns a short description of an obligation: `transition send, invariant mutex`.
pub fn origin_text(system: &System, origin: Origin) -> String {
    let claim = Claim::of_origin(system, origin);
    let label = &claim.label;
    match claim.question {
        Question::Initiation => format!("init, invariant {label}"),
        Question::Consecution => {
            format!("transition {}, invariant {label}", claim.transition.unwrap_or_default())
        }
        Question::Assertion | Question::Theorem => format!("{} {label}", claim.subject.noun()),
        // `cti` has no obligations of proofs and about executions.
        Question::Proof | Question::Bounded | Question::Trace | Question::Query => "execution".to_owned(),
    }
}
