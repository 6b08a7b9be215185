//! Names and what they stand for.

use std::borrow::Cow;

use std::hash::Hasher as _;

use hashbrown::HashTable;

use super::lexer::is_simple;
use super::theories::Builtin;
use crate::base::hash::Hasher;
use crate::base::ids::IdVec;
use crate::logic::{SortId, SymId, TermId};
use crate::typed_id;

typed_id! {
    /// A name that occurred.
    pub(super) struct Name;
}

/// All names that occurred, each with what it stands for at present.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The texts of all names, one behind the other.
    text: String,
    /// Where each name starts and ends there.
    places: IdVec<Name, (usize, usize)>,
    pub(super) entries: IdVec<Name, Entry>,
    table: HashTable<Name>,
}

/// What a name stands for. Functions and sorts have names of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Bound by `let`, a quantifier, a parameter or a pattern.
    pub(super) local: Option<Local>,
    pub(super) function: Function,
    pub(super) sort: Sort,
    /// The symbol of this name that was made last, which may be out of scope.
    pub(super) last_symbol: Option<SymId>,
    /// The sort of this name that was made last, which may be out of scope.
    pub(super) last_sort: Option<SortId>,
    /// Whether it is a reserved word where it has no bars.
    pub(super) reserved: Option<Reserved>,
}

/// The innermost binding of a name inside of a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) term: TermId,
    /// How many bindings there were before.
    pub(super) at: usize,
}

/// What a name stands for as a function symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    None,
    Builtin(Builtin),
    Symbol(SymId),
    Constructor(SymId),
    /// By its number.
    Macro(usize),
}

/// What a name stands for as a sort symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    None,
    /// Of arity 0.
    Plain(SortId),
    /// Of another arity; by its number.
    Family(usize),
    /// By its number.
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

/// Whether `name` needs bars to be a symbol, though its characters do not.
fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|&(word, _)| word == name)
}

/// The spelling of a symbol in a script, with bars where it needs them.
pub fn quote(name: &str) -> Cow<'_, str> {
    if is_simple(name) && !is_reserved(name) { Cow::Borrowed(name) } else { Cow::Owned(format!("|{name}|")) }
}

impl Names {
    /// Reserved words, built-in functions and `Bool`.
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

    /// The name with this text.
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

    /// The text of a name.
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
