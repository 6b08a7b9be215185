//! Selection of obligations by the names on the command line.

use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Property;

/// The transitions and invariants to check; an empty list selects all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Selection {
    pub(super) transitions: Vec<usize>,
    pub(super) invariants: Vec<usize>,
}

/// Returns the selection by `--check-transition` and `--check-invariant` in a system, or `None` if a nonempty list
/// matches nothing in the system.
pub(super) fn select(system: &System, transitions: &[String], invariants: &[String]) -> Option<Selection> {
    let find = |names: &[String], labels: &[&str]| -> Option<Vec<usize>> {
        let chosen: Vec<usize> =
            (0..labels.len()).filter(|&at| names.iter().any(|name| name == labels[at])).collect();
        (names.is_empty() || !chosen.is_empty()).then_some(chosen)
    };
    Some(Selection {
        transitions: find(transitions, &transition_names(system))?,
        invariants: find(invariants, &invariant_labels(system))?,
    })
}

/// Returns errors for names that are declared in none of the systems; the options are `--`, prefix, kind.
pub(super) fn unknown_names<'a>(
    systems: impl IntoIterator<Item = &'a System>,
    prefix: &str,
    transitions: &[String],
    invariants: &[String],
) -> Vec<Diagnostic> {
    let (mut known_transitions, mut known_invariants) = (Vec::new(), Vec::new());
    for system in systems {
        known_transitions.extend(transition_names(system));
        known_invariants.extend(invariant_labels(system));
    }
    let mut errors = Vec::new();
    let kinds = [("transition", transitions, known_transitions), ("invariant", invariants, known_invariants)];
    for (kind, names, known) in kinds {
        for name in names.iter().filter(|name| !known.contains(&name.as_str())) {
            errors.push(not_declared(&format!("--{prefix}{kind}"), kind, name, &known));
        }
    }
    errors
}

/// Returns the invariants and assertions with this label.
pub(super) fn named(system: &System, label: &str) -> Vec<Property> {
    let invariants = (0..system.invariants.len()).map(Property::Invariant);
    let assertions = (0..system.assertions.len()).map(Property::Assertion);
    invariants.chain(assertions).filter(|property| property.label(system) == label).collect()
}

/// Returns the error for a label that no invariant or assertion has; `rest` ends the sentence.
pub(super) fn not_claimed(system: &System, option: &str, name: &str, rest: &str) -> Diagnostic {
    let known = system.invariants.iter().map(|it| it.label.as_str());
    let known: Vec<&str> = known.chain(system.assertions.iter().map(|it| it.label.as_str())).collect();
    let what = format!("{option}: there is no invariant or assertion `{name}`{rest}");
    let error = Diagnostic::error_nowhere(Code::Usage, what);
    match nearest(name, known) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// Returns the error for a name that is not declared, with what is.
pub(super) fn not_declared(option: &str, kind: &str, name: &str, known: &[&str]) -> Diagnostic {
    let error = Diagnostic::error_nowhere(Code::Usage, format!("{option}: there is no {kind} `{name}`"));
    match nearest(name, known.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => error.note(format!("no {kind} is declared at all")),
        None => error.help(format!("declared: {}", listed(known))),
    }
}

/// Returns the first names of a list as text.
pub(super) fn listed(names: &[&str]) -> String {
    const MAX_NAMES: usize = 12;
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > MAX_NAMES { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn transition_names(system: &System) -> Vec<&str> {
    system.transitions.iter().map(|transition| transition.name.as_str()).collect()
}

fn invariant_labels(system: &System) -> Vec<&str> {
    system.invariants.iter().map(|invariant| invariant.label.as_str()).collect()
}

/// Returns the claims with these names, each once. What names none is an error about the option.
pub(super) fn all_named(system: &System, option: &str, names: &[String]) -> (Vec<Property>, Vec<Diagnostic>) {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for name in names {
        let named = named(system, name);
        if named.is_empty() {
            errors.push(not_claimed(system, option, name, ""));
        }
        named.into_iter().for_each(|it| {
            if !found.contains(&it) {
                found.push(it)
            }
        });
    }
    (found, errors)
}
