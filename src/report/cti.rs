//! The answers of `ramsey cti` as text for people.

use std::fmt::Write as _;

use super::Palette;
use crate::base::budget::Exhausted;
use crate::logic::Signature;
use crate::query::cti::{Measure, MeasuredValue};
use crate::system::System;
use crate::vc::Origin;

/// A measure as it is written on the command line.
pub fn measure_text(sig: &Signature, measure: Measure) -> String {
    match measure {
        Measure::Elements => "elements".to_owned(),
        Measure::Size(sort) => format!("sort:{}", sig.sorts[sort].name),
        Measure::Positive(sym, _) => format!("pos:{}", sig.symbols[sym].name),
        Measure::Negative(sym, _) => format!("neg:{}", sig.symbols[sym].name),
    }
}

/// The measures with their values, a line for those that are minimal and one for the others; nothing if there are none.
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

/// The obligations whose answer did not come in time, a line each.
pub fn unknown_text(system: &System, unknown: &[(Origin, Exhausted)], palette: Palette) -> String {
    let mut text = String::new();
    for &(origin, exhausted) in unknown {
        let word = palette.open(&format!("unknown ({exhausted})"));
        let _ = writeln!(text, "{}: {word}", origin_text(system, origin));
    }
    text
}

/// The line for a model without counterexample to induction; without one besides those that are known, if there are such.
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

/// An obligation in a few words: `transition send, invariant mutex`.
pub fn origin_text(system: &System, origin: Origin) -> String {
    match origin {
        Origin::Initiation { invariant } => format!("init, invariant {}", system.invariants[invariant].label),
        Origin::Consecution { transition, invariant } => format!(
            "transition {}, invariant {}",
            system.transitions[transition].name, system.invariants[invariant].label
        ),
        Origin::Assertion { assertion } => format!("assertion {}", system.assertions[assertion].label),
        Origin::Theorem { theorem } => format!("theorem {}", system.theorems[theorem].label),
        // Nothing is asked of executions here.
        Origin::Bounded { .. } | Origin::Trace { .. } | Origin::Query { .. } => "execution".to_owned(),
    }
}
