//! Addition of claims to the text of a model; the rest of the text is preserved byte for byte.

use crate::diag::{Diagnostic, Severity};
use crate::forms::Pretty;
use crate::lang::Language;
use crate::logic::TermId;
use crate::system::System;

/// The text of a model with an added claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addition {
    /// The complete text.
    pub text: String,
    /// The name of the claim.
    pub name: String,
}

/// Result of loading a text: the system, if it is valid, and the diagnostics.
type Loaded = (Option<System>, Vec<Diagnostic>);

/// Appends a formula to the text of a model as an invariant, with the given or a generated name. `system` is the
/// meaning of the text. `load` reads a text in place of the model's; its result for the new text is compared with
/// `system`.
///
/// # Errors
/// Returns the reason why the formula cannot be added: the name is taken, or the text would have another meaning.
pub fn add_claim(
    text: &str,
    language: Language,
    system: &System,
    formula: &str,
    name: Option<&str>,
    load: &mut dyn FnMut(&str) -> Loaded,
) -> Result<Addition, String> {
    let is_used =
        |name: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
    let name = match name {
        Some(name) => {
            if let Some(known) = system.invariants.iter().find(|it| it.label == name) {
                let kind = if known.is_safety { "a safety property" } else { "an invariant" };
                return Err(format!("there is {kind} `{name}` already"));
            }
            name.to_owned()
        }
        None => (1..=u32::MAX)
            .map(|number| format!("conjecture_{number}"))
            .find(|name| !is_used(name))
            .unwrap_or_else(|| "conjecture".to_owned()),
    };
    let gap = if text.ends_with('\n') { "" } else { "\n" };
    let text = format!("{text}{gap}\n{} [{name}] {formula}\n", language.model().claim);
    let (after, diagnostics) = load(&text);
    let Some(after) = after else {
        let error = diagnostics.iter().find(|it| it.severity == Severity::Error);
        let reason = error.map_or("an error", |it| it.message.as_str());
        return Err(format!("with the conjecture it could not be read ({reason})"));
    };
    let mut meaning = formulas(system);
    meaning.push(format!("{name}: {formula}"));
    if formulas(&after) != meaning {
        return Err("with the conjecture it would mean something else".to_owned());
    }
    Ok(Addition { text, name })
}

/// Returns the formulas of a system as text, invariants last.
fn formulas(system: &System) -> Vec<String> {
    let text = |formula: TermId| Pretty::new(system.syntax(), formula).to_string();
    let mut formulas: Vec<String> = Vec::new();
    formulas.extend(system.axioms.iter().map(|it| text(it.formula)));
    formulas.extend(system.derived.iter().map(|it| text(it.axiom)));
    formulas.extend(system.inits.iter().map(|it| text(it.formula)));
    formulas.extend(system.transitions.iter().map(|it| format!("{}: {}", it.name, text(it.body))));
    formulas.extend(system.assertions.iter().map(|it| text(it.formula)));
    formulas.extend(system.theorems.iter().map(|it| text(it.formula)));
    formulas.extend(system.invariants.iter().map(|it| format!("{}: {}", it.label, text(it.formula))));
    formulas
}
