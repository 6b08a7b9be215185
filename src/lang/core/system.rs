//! Closed forms of models.

use super::formula::Reader;
use super::lines::{Kind, Line, Lines};
use super::vocabulary::Numbers;
use super::words::Words;
use crate::shared::Error;
use crate::shared::report::Report;
use ramsey_core::diag::Code;
use ramsey_core::logic::{SymId, SymbolKind};
use ramsey_core::system::{Assertion, Axiom, Derived, Init, Invariant, Site, System, Theorem, Transition};

/// Reads the lines of a model.
pub(super) fn read(lines: &Lines, text: &str, report: &mut Report) -> Option<System> {
    let mut system = System::new();
    let mut numbers = Numbers::default();
    let mut initial = Vec::new();
    for line in &lines.lines {
        let read = match line.kind {
            Kind::Sort | Kind::Function | Kind::Relation => {
                if let Err(error) = numbers.declare(&mut system.sig, line, text) {
                    // What follows may need it.
                    report.push(error.diagnostic(lines.file, 0));
                    return None;
                }
                continue;
            }
            _ => line_of_model(&mut system, &mut initial, &numbers, line, text, report),
        };
        if let Err(error) = read {
            report.push(error.diagnostic(lines.file, 0));
        }
        if report.is_full() {
            return None;
        }
    }
    // Assertions are in the order of a program: what is before initial states comes first.
    initial.append(&mut system.assertions);
    system.assertions = initial;
    (!report.has_errors()).then_some(system)
}

/// Reads a line with a formula.
fn line_of_model(
    system: &mut System,
    initial: &mut Vec<Assertion>,
    numbers: &Numbers,
    line: &Line,
    text: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let mut words = Words::new(text, line.span.start as usize, line.span.end as usize);
    words.next("a line")?;
    let span = line.span;
    let states = match line.kind {
        Kind::Axiom => {
            let word = words.next("`rigid` or `state`")?;
            match word.text {
                "rigid" if system.derived.is_empty() => 0,
                "rigid" => {
                    let message = "an axiom about rigid symbols after one about states".to_owned();
                    return Err(word.error(Code::Syntax, message, "rigid ones come first"));
                }
                "state" => 1,
                other => {
                    let message = format!("`{other}` is neither `rigid` nor `state`");
                    let hint = "an axiom is about rigid symbols, or about each state";
                    return Err(word.error(Code::Syntax, message, hint));
                }
            }
        }
        Kind::Transition => 2,
        Kind::Theorem | Kind::Initial => {
            let (states, word) = words.number("the number of states")?;
            match (line.kind, states) {
                (Kind::Theorem, 0..=2) | (Kind::Initial, 1) => states as u16,
                (Kind::Theorem, _) => {
                    let message = format!("a theorem about {states} states");
                    return Err(word.error(Code::State, message, "theorems are about 0, 1 or 2 states"));
                }
                _ => {
                    let message = format!("what is asserted before the first state is about {states} states");
                    return Err(word.error(Code::State, message, "it is about 1"));
                }
            }
        }
        _ => 1,
    };
    let (label, _) = words.name()?;
    let mut reader = Reader::new(numbers, system.terms.over_mut(&system.sig), states, report);
    if line.kind == Kind::Transition {
        let (params, body) = reader.parts(&mut words)?;
        words.end()?;
        // Frame conditions are a part of the formula.
        let is_mutable = |sym: &SymId| system.sig.symbols[*sym].kind == SymbolKind::Mutable;
        let modifies = system.sig.symbols.ids().filter(is_mutable).collect();
        let (command, effect) = (None, None);
        system.transitions.push(Transition { name: label, params, modifies, body, command, effect, span });
        return Ok(());
    }
    let formula = reader.formula(&mut words)?;
    words.end()?;
    let name = Some(label.clone());
    match (line.kind, states) {
        (Kind::Axiom, 0) => system.axioms.push(Axiom { name, formula, span }),
        (Kind::Axiom, _) => system.derived.push(Derived { sym: None, label, axiom: formula, span }),
        (Kind::Init, _) => system.inits.push(Init { name, formula, span }),
        (Kind::Invariant, _) => {
            system.invariants.push(Invariant { name, label, formula, is_safety: true, span });
        }
        (Kind::Theorem, _) => system.theorems.push(Theorem { name, label, states, formula, span }),
        (Kind::Assertion, _) => system.assertions.push(Assertion { label, site: Site::Final, formula, span }),
        (Kind::Initial, _) => initial.push(Assertion { label, site: Site::Init, formula, span }),
        _ => {}
    }
    Ok(())
}
