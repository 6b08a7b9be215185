//! `--prefix`: a quantifier prefix of lemmas as text: `forall round round value exists node`.

use crate::select::not_declared;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SortId;
use ramsey_core::system::System;
use ramsey_engine::infer::QuantifierPrefix;

/// Maximum number of variables of a prefix.
const MAX_VARIABLES: usize = 16;
/// The form of a prefix.
const FORM: &str =
    "write `forall SORT ..`, `exists SORT ..` or `forall SORT .. exists SORT .. forall SORT ..`";

/// Reads a prefix: `forall` and `exists` in turn, each followed by the sort of each of its variables.
///
/// # Errors
/// Returns an error that tells at which character of the text something else was expected.
pub(crate) fn prefix(system: &System, text: &str) -> Result<QuantifierPrefix, Diagnostic> {
    let mut prefix = QuantifierPrefix::default();
    // 0 before the first quantifier, 1 among outer variables, 2 among witnesses, 3 among inner variables.
    let mut block = 0;
    // Whether the last quantifier has no variable.
    let mut is_open = true;
    let mut count = 0;
    for (at, word) in words(text) {
        let next = match (word, block) {
            ("forall", 0) => Some(1),
            ("exists", 0 | 1) => Some(2),
            ("forall", 2) => Some(3),
            ("forall" | "exists", _) => return Err(wrong(at, "a sort, or the end of the prefix")),
            _ => None,
        };
        if let Some(next) = next {
            if is_open && block > 0 {
                return Err(wrong(at, "the sort of a variable"));
            }
            (block, is_open) = (next, true);
            continue;
        }
        let list = match block {
            0 => return Err(wrong(at, "`forall` or `exists`")),
            1 => &mut prefix.outer,
            2 => &mut prefix.witnesses,
            _ => &mut prefix.inner,
        };
        count += 1;
        if count > MAX_VARIABLES {
            return Err(wrong(at, &format!("at most {MAX_VARIABLES} variables")));
        }
        list.push(sort(system, word, at)?);
        is_open = false;
    }
    let end = text.chars().count();
    match (block, is_open) {
        (0, _) => Err(wrong(end, "`forall` or `exists`")),
        (_, true) => Err(wrong(end, "the sort of a variable")),
        (_, false) => Ok(prefix),
    }
}

/// Returns the words of a text, each with the number of characters before it.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut at = 0;
    for part in text.split(char::is_whitespace) {
        if !part.is_empty() {
            words.push((at, part));
        }
        at += part.chars().count() + 1;
    }
    words
}

fn sort(system: &System, name: &str, at: usize) -> Result<SortId, Diagnostic> {
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let found = sorts.iter().copied().find(|&sort| system.sig.sorts[sort].name == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = sorts.iter().map(|&sort| system.sig.sorts[sort].name.as_str()).collect();
        not_declared(&option(at), "sort", name, &known)
    })
}

fn option(at: usize) -> String {
    format!("--prefix, character {}", at + 1)
}

fn wrong(at: usize, expected: &str) -> Diagnostic {
    let error = Diagnostic::error_nowhere(Code::Usage, format!("{}: expected {expected}", option(at)));
    error.help(FORM)
}
