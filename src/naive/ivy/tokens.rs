//! Tokens, and the version of the language.

use super::tree::Name;
use crate::refusal::{Result, refuse, uncovered};

/// The words that are no names, after the version that reserves them first.
const RESERVED: &[(u32, &str)] = &[
    (
        1,
        "action assert assume axiom bool call conjecture constant derived else exists extract false forall function if \
         individual init instance instantiate interpret let local macro mixord module old progress relation rely schema \
         true type update",
    ),
    (2, "after before delegate export import include isolate mixin returns with"),
    (
        5,
        "alias attribute definition destructor ghost implement invariant object private proof property scenario some \
         struct this trusted var while",
    ),
    (6, "eventually globally temporal"),
    (
        7,
        "around autoinstance constructor ensure explicit finite implementation parameter require safety specification \
         theorem",
    ),
    (8, "template"),
    // These have a place where they are no names, and are no names elsewhere either.
    (3, "concept defergoal entry from in minimizing modifies params"),
    (5, "class execute fresh maximizing named using"),
    (6, "of"),
    (7, "apply decreases forget showgoals spoil tactic thunk unfold"),
    (
        8,
        "common debug field for global process subclass trigger unprovable whenfirst whenlast whennext whenprev",
    ),
];

/// Words that are no names before this version.
const FREED: (u32, &[&str]) = (8, &["ensures", "requires"]);

/// The words that begin declarations, as far as they are reserved, and end a proof.
const DECLARATIONS: &str = "action after alias around attribute axiom before conjecture constant definition derived \
    destructor export extract finite function ghost implement implementation import include individual init instance \
    instantiate interpret invariant isolate macro module object parameter private property relation safety schema \
    specification theorem trusted type var";

/// Signs, longer ones before those that they begin with.
const SIGNS: &[&str] = &[
    "<->", "->", "~=", ":=", "<=", ">=", "<", ">", "=", "(", ")", "[", "]", "{", "}", ".", ":", ";", "~",
    "|", "&", "+", "-", "*", ",",
];

/// Returns the number after `1.` of the version that the first line of a text gives.
pub(super) fn version(text: &str) -> Result<u32> {
    let line = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    let Some(given) = line.strip_prefix("#lang").filter(|rest| !rest.starts_with(char::is_alphanumeric))
    else {
        return Ok(7);
    };
    let number = given.trim().strip_prefix("ivy").map(str::trim_start);
    match number {
        Some("") => Ok(8),
        Some("1.1" | "1.2") => uncovered(0, "versions 1.1 and 1.2"),
        _ => match number.and_then(|it| it.strip_prefix("1.")?.parse().ok()) {
            Some(minor @ 3..=8) => Ok(minor),
            _ => refuse(0, "the first line gives no version of the language that is read"),
        },
    }
}

/// Returns whether a word is a name in a version.
pub(super) fn is_name(text: &str, version: u32) -> bool {
    let reserved = RESERVED.iter().filter(|(since, _)| *since <= version);
    let is_word = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && !is_number(text);
    let is_word = is_word && (version >= FREED.0 || !FREED.1.contains(&text));
    is_word && reserved.flat_map(|(_, words)| words.split_whitespace()).all(|word| word != text)
}

/// Returns whether a word begins a declaration in a version.
pub(super) fn is_declaration(text: &str, version: u32) -> bool {
    DECLARATIONS.split_whitespace().any(|word| word == text) && !is_name(text, version)
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a name is that of a variable.
pub(super) fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Returns the tokens of a text whose first place is `base`, and an empty one for its end.
pub(super) fn tokens(text: &str, base: usize) -> Result<Vec<Name>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let end_of = |ends: &dyn Fn(char) -> bool| rest.find(ends).unwrap_or(rest.len());
        let is_blank = " \t\n\r\u{feff}".contains(first);
        let len = match first {
            _ if is_blank => first.len_utf8(),
            '#' => end_of(&|c| c == '\n' || c == '\r'),
            c if c.is_ascii_alphanumeric() || c == '_' => end_of(&|c| !c.is_ascii_alphanumeric() && c != '_'),
            '"' => return uncovered(base + at, "texts in quotes"),
            '/' => return uncovered(base + at, "arithmetic"),
            '^' => return uncovered(base + at, "parameters that stand before a dot"),
            _ if rest.starts_with("*>") => return uncovered(base + at, "variants"),
            _ if rest.starts_with("<<<") => return uncovered(base + at, "text of another language"),
            _ if rest.starts_with("<<") => return uncovered(base + at, "arithmetic"),
            _ => SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(0, |sign| sign.len()),
        };
        if len == 0 {
            return refuse(base + at, "a character that starts no token");
        }
        if !is_blank && first != '#' {
            tokens.push(Name { text: rest[..len].into(), at: base + at });
        }
        at += len;
    }
    tokens.push(Name { text: "".into(), at: base + at });
    Ok(tokens)
}

/// The words of parts of the language that are not covered, after the version that reserves them first.
const UNCOVERED: &[(u32, &str)] = &[
    (1, "progress rely"),
    (2, "delegate mixin"),
    (5, "scenario"),
    (6, "eventually globally temporal variant"),
    (7, "constructor isa"),
    (8, "wire"),
];

/// Refuses tokens of parts of the language that are not covered.
pub(super) fn check_covered(tokens: &[Name], version: u32) -> Result<()> {
    let is_word = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    for (at, token) in tokens.iter().enumerate() {
        let text = |ahead: usize| tokens.get(at + ahead).map_or("", |token| &*token.text);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |token| &*token.text);
        let is_uncovered = UNCOVERED
            .iter()
            .any(|(since, words)| *since <= version && words.split(' ').any(|word| *word == *token.text));
        let touches = tokens.get(at + 1).is_some_and(|next| next.at == token.at + token.text.len());
        let what = match &*token.text {
            _ if is_uncovered => "this word",
            "unprovable" | "debug" | "for" | "class" | "subclass" | "field" | "global" | "common"
            | "process"
                if version == 8 && is_word(text(1)) =>
            {
                "this statement"
            }
            "common" if version == 8 && text(1) == "{" => "this statement",
            "method" if version >= 5 && is_word(text(1)) && !matches!(before, "attribute" | ".") => {
                "this statement"
            }
            "module" if text(1) == "object" => "this form",
            "ensures" if version < 7 && (is_word(text(1)) || text(1) == "[") => "this statement",
            "relation" | "function" | "individual" | "definition" | "derived" if text(1) == "(" => {
                "operators"
            }
            "definition" if matches!(text(1), "{" | "[") && (text(1) == "{" || text(4) == "(") => "this form",
            "bfe" if touches && text(1) == "[" => "arithmetic",
            "=" if text(1) == "*" => "crashes",
            "if" if is_word(text(1)) && text(2) == ":" => "variants",
            "bool" if matches!(before, "(" | ",") => "formulas as arguments of modules",
            name if before != "autoinstance"
                && touches
                && text(1) == "["
                && is_name(name, version)
                && is_name(text(2), version) =>
            {
                "names with brackets"
            }
            _ => continue,
        };
        return uncovered(token.at, what);
    }
    Ok(())
}
