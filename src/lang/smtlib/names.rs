//! Interned names and their meanings.

use std::borrow::Cow;

use std::hash::Hasher as _;

use hashbrown::HashTable;

use super::lexer::is_simple;
use super::theories::Builtin;
use ramsey_core::base::hash::Hasher;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{SortId, SymId, TermId};
use ramsey_core::typed_id;

typed_id! {
    /// An interned name.
    pub(super) struct Name;
}

/// All names with their current meanings.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The concatenated texts of all names.
    text: String,
    /// The start and end of each name in `text`.
    places: IdVec<Name, (usize, usize)>,
    pub(super) entries: IdVec<Name, Entry>,
    table: HashTable<Name>,
}

/// The meaning of a name. Functions and sorts are separate namespaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Meaning as a variable bound by `let`, a quantifier, a parameter or a pattern.
    pub(super) local: Option<Local>,
    pub(super) function: Function,
    pub(super) sort: Sort,
    /// The last symbol created with this name, possibly out of scope.
    pub(super) last_symbol: Option<SymId>,
    /// The last sort created with this name, possibly out of scope.
    pub(super) last_sort: Option<SortId>,
    /// The reserved word that it is when written without bars.
    pub(super) reserved: Option<Reserved>,
}

/// The innermost binding of a name in a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) term: TermId,
    /// The number of bindings before it.
    pub(super) at: usize,
}

/// The meaning of a name as a function symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    None,
    Builtin(Builtin),
    Symbol(SymId),
    Constructor(SymId),
    /// A definition, by number.
    Macro(usize),
}

/// The meaning of a name as a sort symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    None,
    /// A sort symbol of arity 0.
    Plain(SortId),
    /// A sort symbol of another arity, by number.
    Family(usize),
    /// A definition, by number.
    Definition(usize),
}

/// Reserved words that may start a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reserved {
    Let,
    Forall,
    Exists,
    Annotation,
    Match,
    As,
    Underscore,
    Other,
}

const RESERVED: &[(&str, Reserved)] = &[
    ("let", Reserved::Let),
    ("forall", Reserved::Forall),
    ("exists", Reserved::Exists),
    ("!", Reserved::Annotation),
    ("match", Reserved::Match),
    ("as", Reserved::As),
    ("_", Reserved::Underscore),
    ("par", Reserved::Other),
    ("NUMERAL", Reserved::Other),
    ("DECIMAL", Reserved::Other),
    ("STRING", Reserved::Other),
    ("BINARY", Reserved::Other),
    ("HEXADECIMAL", Reserved::Other),
];

/// Returns whether `name` needs bars because it is a reserved word.
fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|&(word, _)| word == name)
}

/// Returns a symbol in the syntax of scripts, with bars if necessary.
pub fn quote(name: &str) -> Cow<'_, str> {
    if is_simple(name) && !is_reserved(name) { Cow::Borrowed(name) } else { Cow::Owned(format!("|{name}|")) }
}

impl Names {
    /// Creates a table with reserved words, built-in functions and `Bool`.
    pub(super) fn new() -> Names {
        let mut names = Names {
            text: String::new(),
            places: IdVec::new(),
            entries: IdVec::new(),
            table: HashTable::with_capacity(256),
        };
        for &(word, reserved) in RESERVED {
            let name = names.intern(word);
            names.entries[name].reserved = Some(reserved);
        }
        for &(word, builtin) in Builtin::ALL {
            let name = names.intern(word);
            names.entries[name].function = Function::Builtin(builtin);
        }
        let name = names.intern("Bool");
        names.entries[name].sort = Sort::Plain(SortId::BOOL);
        names
    }

    /// Returns the name with this text.
    pub(super) fn intern(&mut self, text: &str) -> Name {
        let hash = hash(text);
        if let Some(&name) = self.table.find(hash, |&name| self.text(name) == text) {
            return name;
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.places.push((start, self.text.len()));
        let name = self.entries.push(Entry {
            local: None,
            function: Function::None,
            sort: Sort::None,
            last_symbol: None,
            last_sort: None,
            reserved: None,
        });
        let mut table = std::mem::take(&mut self.table);
        table.insert_unique(hash, name, |&other| self::hash(self.text(other)));
        self.table = table;
        name
    }

    /// Returns the text of a name.
    pub(super) fn text(&self, name: Name) -> &str {
        let (start, end) = self.places[name];
        &self.text[start..end]
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = Hasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
