//! Syntax of other languages and its equivalents in `.ivy`, for error messages. The accepted language does not depend
//! on this module.

use crate::fol::parser::foreign;

/// Returns help for characters that start no token.
pub(super) fn for_characters(text: &str) -> Option<&'static str> {
    let first = text.chars().next()?;
    Some(match first {
        '!' if text.starts_with("!=") => "inequality is written `~=`",
        '!' => "negation is written `~`",
        '\'' | '’' | '′' => "there are no primes: actions tell how the state changes",
        '"' => "file names and labels are written without quotes",
        '\\' => return foreign::command(text),
        '/' => "comments start with `#` and end with the line",
        '?' => "a choice between two values is written `a if c else b`",
        '∀' => "written `forall X. ..`",
        '∃' => "written `exists X. ..`",
        '¬' => "written `~`",
        '∧' => "written `&`",
        '∨' => "written `|`",
        '≠' => "written `~=`",
        '@' => "there are no annotations; `attribute` is read, and nothing follows from it",
        ':' => "`x :: y`, bits after bits, is not supported: declare `function concat(X:t, Y:t) : u`",
        '$' => "binders with names are not supported: declare a relation or function with a definition",
        '%' => "there is no arithmetic",
        _ => return None,
    })
}

/// Returns a hint for a word that begins a declaration or statement in other languages.
pub(super) fn word(word: &str) -> Option<&'static str> {
    Some(match word {
        "sort" => "a sort is declared by `type name`",
        "mutable" | "immutable" => "leave it out: what no action changes never changes",
        "const" | "variable" => "a constant is declared by `individual name : type`",
        "transition" => "a step of the system is `action name(x:t) = { .. }`, with `export name`",
        "theorem" | "lemma" | "claim" => "a claim about all states is declared by `invariant [name] ..`",
        "requires" | "guard" | "when" => "a condition of an action is written `require`",
        "ensures" => "what must hold at a place is written `ensure`",
        "use" => "a module is instantiated by `instance name : module(arguments)`",
        "skip" => "an action that does nothing has an empty block: `{ }`",
        "havoc" => "any value is assigned by `x := *`",
        "end" | "fi" | "od" => "blocks end with `}`",
        "fun" | "def" | "define" => "a derived relation is declared by `relation r(X:t) = ..`",
        _ => return None,
    })
}

/// Returns a hint for an undeclared name that is part of other languages.
pub(super) fn name(word: &str) -> Option<&'static str> {
    Some(match word {
        "this" => "`this` is the type of the object around it: declare it by `type this`",
        "nat" | "int" | "bv" => "types are uninterpreted: declare `type t`, and its order by a module",
        _ => return foreign::name(word),
    })
}
