//! Syntax of other languages (first-order provers, Ivy, TLA+, Dafny, programming languages) and its equivalents, for
//! error messages. The accepted language does not depend on this module.

/// Foreign operators, with a hint.
const SIGNS: &[(&str, &str)] = &[
    ("<=>", "equivalence is written `<->`"),
    ("<==>", "equivalence is written `<->`"),
    ("<-->", "equivalence is written `<->`"),
    ("=>", "implication is written `->`, greater or equal `>=`"),
    ("==>", "implication is written `->`"),
    ("-->", "implication is written `->`"),
    ("<-", "implication is written from left to right: `b -> a`"),
    ("<==", "implication is written from left to right: `b -> a`"),
    ("==", "equality is written `=`"),
    ("===", "equality is written `=`"),
    ("!==", "inequality is written `!=`"),
    ("<>", "inequality is written `!=`"),
];

/// Returns the foreign operator at the start of `text`, if there is one, with a hint.
pub(super) fn sign(text: &str) -> Option<(&'static str, &'static str)> {
    let end = text.find(|c| !matches!(c, '<' | '>' | '=' | '-' | '!')).unwrap_or(text.len());
    SIGNS.iter().copied().find(|&(sign, _)| sign == &text[..end])
}

/// Returns a hint for a word that is an operator in other languages.
pub(crate) fn operator(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "and" | "land" => "conjunction is written `&`",
        "or" | "lor" => "disjunction is written `|`",
        "not" | "neg" | "lnot" => "negation is written `!`",
        "iff" | "equiv" => "equivalence is written `<->`",
        "implies" => "implication is written `->`",
        "xor" => "`a xor b` is written `!(a <-> b)`",
        "forall" | "all" => "universal quantification is written `forall x. ..`",
        "exists" | "exist" | "some" => "existential quantification is written `exists x. ..`",
        _ => return None,
    })
}

/// Returns a hint for a command of LaTeX or TLA+, which begins with a backslash.
pub(crate) fn command(text: &str) -> Option<&'static str> {
    Some(match text.strip_prefix('\\')? {
        "A" => "universal quantification is written `forall x. ..`",
        "E" => "existential quantification is written `exists x. ..`",
        "in" => "the sort of a variable follows `:`, as in `forall x:s. ..`; a set is a relation: `r(x)`",
        "neq" | "ne" => "inequality is written `!=`",
        "to" | "rightarrow" | "Rightarrow" => "implication is written `->`",
        "leftrightarrow" | "Leftrightarrow" => "equivalence is written `<->`",
        "" => "conjunction is written `&`, disjunction `|`, comments start with `#`",
        word => return operator(word),
    })
}

/// Returns a hint for an undeclared name that is part of other languages.
pub(crate) fn name(word: &str) -> Option<&'static str> {
    Some(match word {
        "True" | "top" => "write `true`",
        "False" | "bottom" => "write `false`",
        _ => return operator(word),
    })
}
