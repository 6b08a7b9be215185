//! `--template`: the clauses that Houdini tries, as text: `node=2,value=1:3:holds,granted`.

use crate::select::not_declared;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SortId, SymId};
use ramsey_core::system::System;
use ramsey_engine::infer::Template;

/// Maximum number of variables of a sort, and of literals.
const MAX_NUMBER: usize = 16;
/// The form of a template.
const FORM: &str = "write SORT=VARIABLES,..:LITERALS or SORT=VARIABLES,..:LITERALS:SYMBOL,..";

/// Reads a template: the variables per sort, the maximum number of literals, and the symbols, if not all are meant.
///
/// # Errors
/// Returns an error that tells at which character of the text something else was expected.
pub(super) fn template(system: &System, text: &str) -> Result<Template, Diagnostic> {
    let mut parts = split(text, 0, ':').into_iter();
    let mut variables: Vec<(SortId, u32)> = Vec::new();
    for (at, item) in parts.next().map(|(at, part)| split(part, at, ',')).unwrap_or_default() {
        let (sort, count) = variable_count(system, item, at)?;
        if variables.iter().any(|&(other, _)| other == sort) {
            return Err(wrong(at, format!("a sort that is not listed yet, not `{}` again", name_of(item))));
        }
        variables.push((sort, count));
    }
    let end = text.chars().count();
    let (at, literals) = parts.next().ok_or_else(|| form(end, "`:` and the maximum number of literals"))?;
    let literals = number(literals, at, 1, "literals")?;
    let symbols = parts.next().map(|(at, part)| {
        let names = split(part, at, ',').into_iter();
        names.map(|(at, name)| symbol(system, name, at)).collect::<Result<Vec<SymId>, Diagnostic>>()
    });
    let symbols = symbols.transpose()?;
    match parts.next() {
        Some((at, _)) => Err(form(at - 1, "the end of the template")),
        None => Ok(Template { variables, literals, symbols }),
    }
}

/// Splits text at a separator. Each part comes with the number of characters before it.
fn split(text: &str, mut at: usize, separator: char) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    for part in text.split(separator) {
        parts.push((at, part));
        at += part.chars().count() + 1;
    }
    parts
}

/// Returns the place of the first character that is no blank.
fn place(text: &str, at: usize) -> usize {
    at + text.chars().take_while(|it| it.is_whitespace()).count()
}

fn name_of(item: &str) -> &str {
    item.split('=').next().unwrap_or_default().trim()
}

/// Reads a number of variables: `node=2`.
fn variable_count(system: &System, item: &str, at: usize) -> Result<(SortId, u32), Diagnostic> {
    let start = place(item, at);
    let Some((name, count)) = item.split_once('=') else {
        return Err(form(start, "SORT=VARIABLES").note(listed_sorts(system)));
    };
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let Some(sort) = sorts.iter().copied().find(|&sort| system.sig.sorts[sort].name == name.trim()) else {
        let known: Vec<&str> = sorts.iter().map(|&sort| system.sig.sorts[sort].name.as_str()).collect();
        return Err(not_declared(&option(start), "sort", name.trim(), &known));
    };
    let count = number(count, at + name.chars().count() + 1, 0, "variables")?;
    Ok((sort, count as u32))
}

fn number(text: &str, at: usize, least: usize, what: &str) -> Result<usize, Diagnostic> {
    match text.trim().parse() {
        Ok(number) if (least..=MAX_NUMBER).contains(&number) => Ok(number),
        _ => Err(form(place(text, at), &format!("a number of {what} from {least} to {MAX_NUMBER}"))),
    }
}

/// Returns a symbol of states by its name.
fn symbol(system: &System, name: &str, at: usize) -> Result<SymId, Diagnostic> {
    let symbols = Template::usable(system);
    let is_named = |&sym: &SymId| system.sig.symbols[sym].name == name.trim();
    symbols.iter().copied().find(is_named).ok_or_else(|| {
        let known: Vec<&str> = symbols.iter().map(|&sym| system.sig.symbols[sym].name.as_str()).collect();
        not_declared(&option(place(name, at)), "symbol", name.trim(), &known)
    })
}

fn listed_sorts(system: &System) -> String {
    let names: Vec<&str> =
        system.sig.uninterpreted_sorts().map(|sort| system.sig.sorts[sort].name.as_str()).collect();
    format!("the sorts of the model are {}", crate::select::listed(&names))
}

fn option(at: usize) -> String {
    format!("--template, character {}", at + 1)
}

fn wrong(at: usize, expected: String) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, format!("{}: expected {expected}", option(at)))
}

fn form(at: usize, expected: &str) -> Diagnostic {
    wrong(at, expected.to_owned()).help(FORM)
}
