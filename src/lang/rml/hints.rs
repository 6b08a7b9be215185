//! Syntax of other languages and its equivalents in `.rml`, for error messages. The accepted language does not depend
//! on this module.

use crate::fol::parser::foreign;

/// Returns help for characters that start no token.
pub(super) fn for_characters(text: &str) -> Option<&'static str> {
    let first = text.chars().next()?;
    Some(match first {
        '\'' | '’' | '′' => "there are no primes: commands tell how the state changes",
        '"' => "a string ends on the line that it begins on",
        '\\' => return foreign::command(text),
        '<' if text.starts_with("<-") => "an assignment is written `:=`",
        '<' if text.starts_with("<>") => "inequality is written `!=`",
        '?' => "a choice between two values is written `if a then b else c`",
        '/' => "conjunction is written `&`, disjunction `|`, comments start with `#` or `//`",
        '-' if text.starts_with("----") => {
            "this looks like a module in TLA+, which is no language that ramsey reads"
        }
        '-' => "implication is written `->`",
        '<' | '>' | '≤' | '≥' => "there are no numbers; for an order, declare a relation: `le(x, y)`",
        '+' | '%' | '^' => "there is no arithmetic",
        _ if first.is_alphanumeric() => "names consist of the letters a to z and A to Z, digits and `_`",
        _ => return None,
    })
}

/// Returns a hint for a word that begins a declaration or command in other languages.
pub(super) fn command_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "type" | "sorts" | "class" | "datatype" => "a sort is declared by `sort name`",
        "individual" | "constant" | "const" | "var" => {
            "a constant is declared by `variable name: sort`, a variable of a block by `local name: sort`"
        }
        "mutable" | "immutable" => {
            "leave it out, as in `relation r(s)`: what no command changes is immutable"
        }
        "derived" | "predicate" | "define" | "def" | "fun" => {
            "give the formula a name by `macro name(x: sort) = ..`"
        }
        "property" | "claim" | "lemma" => "a claim about all states is declared by `conjecture` or `safety`",
        "require" | "requires" | "guard" | "when" => "a condition of an action is written `assume`",
        "ensure" | "ensures" => "what must hold at a place is written `assert`",
        "instantiate" | "instance" => "a module is used by `use name(arguments)`",
        "object" => "a module is declared by `module name(parameters) { .. }`",
        "havoc" => "any value is assigned by `v := *`",
        "insert" | "add" => "a tuple is inserted by `r.insert(x)`",
        "remove" | "delete" => "a tuple is removed by `r.remove(x)`",
        "after" | "initially" | "initial" => {
            "the commands before `while * { .. }` lead to the initial states: write them there, without braces"
        }
        "export" | "isolate" => "leave it out: each action of the loop may be taken at any time",
        "method" | "procedure" | "rule" | "process" | "atomic" => {
            "a step of the system is `action name(parameters) { .. }` inside of `while * { .. }`"
        }
        "import" => "another file is read by `include \"name\"`",
        "call" => "actions are not called; a formula that is used twice gets a name by `macro`",
        _ => return None,
    })
}

/// Returns a hint for an undeclared name that is part of other languages.
pub(super) fn name(word: &str) -> Option<&'static str> {
    Some(match word {
        "next" | "prime" => "commands tell how the state changes: `r(x) := ..`",
        "old" | "pre" => {
            "there is no `old`: keep the value in a variable of the block, `local v: sort`, before it changes"
        }
        _ => return foreign::name(word),
    })
}
