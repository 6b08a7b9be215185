//! Syntax of other languages and its equivalents in `.pyv`, for error messages. The accepted language does not depend
//! on this module.

use crate::fol::parser::foreign;

/// Returns help for characters that start no token.
pub(super) fn for_characters(text: &str) -> Option<&'static str> {
    let first = text.chars().next()?;
    Some(match first {
        ';' => "declarations and formulas are not terminated by `;`",
        '/' if text.starts_with("//") => "comments start with `#`",
        '/' if text.starts_with("/\\") => "conjunction is written `&`",
        '\\' if text.starts_with("\\/") => "disjunction is written `|`",
        '\\' => return foreign::command(text),
        '/' => "conjunction is written `&`, disjunction `|`, comments start with `#`",
        '∧' => "conjunction is written `&`",
        '∨' => "disjunction is written `|`",
        '¬' => "negation is written `!`",
        '∀' => "universal quantification is written `forall x. ..`",
        '∃' => "existential quantification is written `exists x. ..`",
        '→' | '⇒' => "implication is written `->`",
        '↔' | '⇔' => "equivalence is written `<->`",
        '≠' => "inequality is written `!=`",
        '≤' => "less or equal is written `<=`",
        '≥' => "greater or equal is written `>=`",
        '’' | '‘' | '′' => "a prime is the plain apostrophe `'`",
        '"' => "there are no strings in this language",
        '?' => "a choice between two values is written `if a then b else c`",
        '%' | '^' | '$' | '`' => return None,
        _ if first.is_alphanumeric() => "names consist of the letters a to z and A to Z, digits and `_`",
        _ => return None,
    })
}

/// Returns a hint for a word that begins a declaration in other languages.
pub(super) fn declaration(word: &str) -> Option<&'static str> {
    Some(match word {
        "type" | "sorts" | "class" | "datatype" => "a sort is declared by `sort name`",
        "property" | "conjecture" | "claim" | "lemma" | "ensures" => {
            "a claim about all states is declared by `invariant` or `safety`"
        }
        "assume" | "assumption" | "ASSUME" => "what is true in all structures is declared by `axiom`",
        "action" | "method" | "procedure" | "rule" | "next" | "process" => {
            "a step of the system is declared by `transition name(parameters)`"
        }
        "individual" | "var" | "variable" | "const" | "VARIABLE" | "VARIABLES" => {
            "use `mutable constant name: sort`, or `immutable constant name: sort` for what never changes"
        }
        "CONSTANT" | "CONSTANTS" => {
            "a set is declared by `sort name`, a value by `immutable constant name: sort`"
        }
        "predicate" | "rel" => {
            "use `mutable relation name(sorts)`, or `definition name(x: sort) = ..` for an abbreviation"
        }
        "macro" | "define" | "def" | "fun" | "let" => {
            "a formula gets a name by `definition name(parameters) = ..`"
        }
        "after" | "initially" | "initial" => "the initial states are described by `init` and a formula",
        "require" | "requires" | "guard" => "a condition of a transition is a conjunct of its formula",
        "while" | "local" | "skip" | "havoc" => {
            "commands belong to programs, in files with the extension `.rml`"
        }
        "include" | "import" | "module" | "object" | "instance" | "instantiate" | "use" | "EXTENDS" => {
            "there are no modules: a model is one file"
        }
        "export" | "isolate" => "leave it out: transitions may be taken at any time, in any order",
        _ => return None,
    })
}

/// Returns a hint for an undeclared name that is part of other languages.
pub(super) fn name(word: &str) -> Option<&'static str> {
    Some(match word {
        "next" | "prime" => "the next state's value is `r'(x)`, or `new(..)` for a whole formula",
        "old" => "`old` takes what is read in the old state in parentheses: `old(p(x))`",
        "pre" => "there is no `pre`: a symbol without prime or `new` is read in the old state",
        _ => return foreign::name(word),
    })
}
