//! Declarations on one line.

use crate::lang::fol::ast::{Expr, Ident, SortName, SortRef, SortedVar};
use crate::lang::print;

/// Maximum length of the text of a declaration in bytes, without the sign that it was shortened.
const LIMIT: usize = 200;

/// The text of a declaration. At most one byte more than [`LIMIT`] is kept, so that long names and lists cost nothing
/// for each name that they stand at.
pub(super) struct Text(String);

impl Text {
    /// Starts with a keyword.
    pub(super) fn new(keyword: &str) -> Text {
        Text(String::new()).word(keyword)
    }

    fn is_full(&self) -> bool {
        self.0.len() > LIMIT
    }

    pub(super) fn word(mut self, text: &str) -> Text {
        let room = (LIMIT + 1).saturating_sub(self.0.len());
        self.0.extend(text.chars().take(room));
        self
    }

    fn separated<T>(mut self, items: &[T], each: impl Fn(Text, &T) -> Text) -> Text {
        for (index, item) in items.iter().enumerate() {
            if self.is_full() {
                break;
            }
            self = each(if index > 0 { self.word(", ") } else { self }, item);
        }
        self
    }

    pub(super) fn sort(self, sort: &SortRef) -> Text {
        self.word(match &sort.name {
            SortName::Bool => "bool",
            SortName::Int => "int",
            SortName::Named(name) => name,
        })
    }

    pub(super) fn var(self, var: &SortedVar) -> Text {
        let text = self.word(&var.name.name);
        match &var.sort {
            Some(sort) => text.word(": ").sort(sort),
            None => text,
        }
    }

    pub(super) fn sorts(self, sorts: &[SortRef]) -> Text {
        self.separated(sorts, Text::sort)
    }

    pub(super) fn vars(self, vars: &[SortedVar]) -> Text {
        self.separated(vars, Text::var)
    }

    /// Adds names in parentheses, unless there are none.
    pub(super) fn names(self, names: &[Ident]) -> Text {
        if names.is_empty() {
            return self;
        }
        self.word("(").separated(names, |text, name| text.word(&name.name)).word(")")
    }

    pub(super) fn formula(self, formula: &Expr) -> Text {
        let room = (LIMIT + 1).saturating_sub(self.0.len());
        self.word(&print::formula(formula, room))
    }

    pub(super) fn finish(mut self) -> String {
        if self.is_full() {
            while self.0.len() > LIMIT {
                self.0.pop();
            }
            self.0.push('…');
        }
        self.0
    }
}
