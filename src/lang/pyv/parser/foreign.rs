//! What other languages write, and what is written here instead: first-order provers, Ivy, TLA+, Dafny, programming
//! languages. Nothing here decides what is accepted.

/// Operators in signs, with what is written here.
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

/// The operator of another language that `text` begins with, if it does, with what is written here.
pub(super) fn sign(text: &str) -> Option<(&'static str, &'static str)> {
    let end = text.find(|c| !matches!(c, '<' | '>' | '=' | '-' | '!')).unwrap_or(text.len());
    SIGNS.iter().copied().find(|&(sign, _)| sign == &text[..end])
}

/// What is written here for a word that is an operator in other languages.
pub(in crate::lang) fn operator(word: &str) -> Option<&'static str> {
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

/// What is written here for a command of LaTeX or TLA+, which begins with a backslash.
pub(in crate::lang) fn command(text: &str) -> Option<&'static str> {
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

/// What is written in `.pyv` for a word that other languages begin a declaration with.
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

/// What is written in `.rml` for a word that other languages begin a declaration or command with.
pub(in crate::lang) fn command_word(word: &str) -> Option<&'static str> {
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

/// What is written here for a name that is declared nowhere and means something in other languages.
pub(in crate::lang) fn name(word: &str, is_program: bool) -> Option<&'static str> {
    Some(match word {
        "next" | "prime" if is_program => "commands tell how the state changes: `r(x) := ..`",
        "next" | "prime" => "the next state's value is `r'(x)`, or `new(..)` for a whole formula",
        "old" | "pre" if is_program => {
            "there is no `old`: keep the value in a variable of the block, `local v: sort`, before it changes"
        }
        "old" | "pre" => "there is no `old`: a symbol without prime or `new` is read in the old state",
        "True" | "top" => "write `true`",
        "False" | "bottom" => "write `false`",
        _ => return operator(word),
    })
}
