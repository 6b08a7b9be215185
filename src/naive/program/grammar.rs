//! What grammars of programs have in common.

use super::tree::Name;
use crate::refusal::{Result, refuse};

/// How deep expressions and blocks may be nested, operators and parentheses included.
const MAX_NESTING: usize = 250;

/// The tokens of a text, the last of which is empty, the next one, and how deep this is.
#[derive(Default)]
pub(crate) struct Tokens {
    pub(crate) all: Vec<Name>,
    pub(crate) next: usize,
    pub(crate) nesting: usize,
}

/// A grammar that reads tokens.
pub(crate) trait Grammar: Sized {
    fn tokens(&self) -> &Tokens;

    fn tokens_mut(&mut self) -> &mut Tokens;

    fn ahead(&self, count: usize) -> Name {
        let tokens = self.tokens();
        tokens.all[(tokens.next + count).min(tokens.all.len() - 1)].clone()
    }

    fn peek(&self) -> Name {
        self.ahead(0)
    }

    fn is(&self, text: &str) -> bool {
        *self.peek().text == *text
    }

    fn take(&mut self) -> Name {
        let token = self.peek();
        self.tokens_mut().next += 1;
        token
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.tokens_mut().next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { refuse(self.peek().at, format!("expected `{text}`")) }
    }

    /// Reads one or more items with commas between them.
    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads items like [`Self::list`], or none, in parentheses; nothing without parentheses.
    fn group<T>(&mut self, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        if !self.eat("(") || self.eat(")") {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(")").map(|()| items)
    }

    fn enter(&mut self) -> Result<()> {
        self.tokens_mut().nesting += 1;
        if self.tokens().nesting > MAX_NESTING { refuse(self.peek().at, "nested too deep") } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.tokens_mut().nesting -= 1;
    }
}
