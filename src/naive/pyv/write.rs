//! The text of a closed system.

use std::fmt::Write as _;

use super::close::{Closing, Formula};
use super::model::{Model, Sort, Unit};
use super::syntax::{Role, SymbolKind};
use crate::digest::sha256;
use crate::refusal::Refused;

/// Writes a model as a closed system. `line` returns the line of a place in its text.
pub(super) fn document(model: &Model<'_>, line: impl Fn(usize) -> usize) -> Result<String, Refused> {
    let mut text = String::from("ramsey-core 1\n");
    for (number, name) in model.sorts.iter().enumerate() {
        let _ = writeln!(text, "sort {number} {name}");
    }
    for is_relation in [false, true] {
        let word = if is_relation { "relation" } else { "function" };
        for symbol in model.symbols.iter().filter(|symbol| (symbol.result == Sort::Bool) == is_relation) {
            let kind = if symbol.kind == SymbolKind::Immutable { "rigid" } else { "mutable" };
            let _ = write!(text, "{word} {} {} {kind} {}", symbol.number, symbol.name, symbol.args.len());
            symbol.args.iter().for_each(|sort| push(&mut text, *sort));
            if let Sort::Declared(sort) = symbol.result {
                push(&mut text, sort);
            }
            text.push('\n');
        }
    }
    // The kinds of lines, in their order: each with its word, and what its formulas are.
    type IsMeant = fn(Role) -> bool;
    let kinds: [(&str, IsMeant); 6] = [
        ("axiom rigid", |role| role == Role::Axiom),
        ("axiom state", |role| matches!(role, Role::Derived(_))),
        ("init", |role| role == Role::Init),
        ("transition", |role| role == Role::Transition),
        ("invariant", |role| matches!(role, Role::Invariant | Role::Safety)),
        ("theorem", |role| matches!(role, Role::Theorem(_))),
    ];
    for (word, is_meant) in kinds {
        for (place, unit) in model.units.iter().filter(|unit| is_meant(unit.role)).enumerate() {
            text.push_str(word);
            if let Role::Theorem(states) = unit.role {
                push(&mut text, states);
            }
            let _ = write!(text, " {}", name(unit, place + 1, line(unit.at)));
            write_formula(&mut text, &Closing::new(model).unit(unit)?, 0);
            text.push('\n');
        }
    }
    let digest = sha256(&text);
    let _ = writeln!(text, "digest {digest}");
    Ok(text)
}

/// What a formula is called: without a name, an axiom or initial condition by its place among them, and a claim by its line.
fn name(unit: &Unit<'_>, place: usize, line: usize) -> String {
    match (unit.name, unit.role) {
        (Some(name), _) => name.to_owned(),
        (None, Role::Axiom | Role::Init) => place.to_string(),
        (None, _) => format!("L{line}"),
    }
}

/// Writes a number.
fn push(text: &mut String, number: usize) {
    let _ = write!(text, " {number}");
}

/// Writes a formula or term below so many binders.
fn write_formula(text: &mut String, formula: &Formula, binders: usize) {
    let all = |text: &mut String, parts: &[Formula]| {
        parts.iter().for_each(|part| write_formula(text, part, binders))
    };
    let mut head = |word: &str, numbers: &[usize]| {
        text.push_str(word);
        numbers.iter().for_each(|number| push(text, *number));
    };
    match formula {
        Formula::Variable { binder, .. } => head(" V", &[binders - 1 - binder]),
        Formula::Apply { is_relation, number, state, args, .. } => {
            head(if *is_relation { " R" } else { " A" }, &[*state, *number, args.len()]);
            all(text, args);
        }
        Formula::Equal(sort, sides) => {
            head(" E", &[*sort]);
            all(text, &**sides);
        }
        Formula::Not(inner) => {
            head(" ~", &[]);
            write_formula(text, inner, binders);
        }
        Formula::And(items) => {
            head(" &", &[items.len()]);
            all(text, items);
        }
        Formula::Or(items) => {
            head(" |", &[items.len()]);
            all(text, items);
        }
        Formula::Implies(sides) => {
            head(" >", &[]);
            all(text, &**sides);
        }
        Formula::Iff(sides) => {
            head(" =", &[]);
            all(text, &**sides);
        }
        Formula::Quantifier { is_universal, sort, body } => {
            head(if *is_universal { " !" } else { " ?" }, &[*sort]);
            write_formula(text, body, binders + 1);
        }
        // Every choice between terms has become one between formulas.
        Formula::If(parts) => all(text, &**parts),
    }
}
