//! Parser state of one command.

use super::command::SourceTerm;
use super::failure::{Failure, Result};
use super::lexer::{Lexer, Place, Token, shown};
use super::names::{Entry, Local, Name, quote};
use super::stack::Stack;
use super::state::Frontend;
use crate::shared::report::suggest;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::diag::Code;
use ramsey_core::logic::{Signature, TermId, Terms};

/// Maximum work of a command beyond reading it, mainly terms copied in expansions.
const MAX_WORK: usize = 4_000_000;

/// Maximum number of names among which suggestions are searched.
const MAX_NAMES: usize = 2_000;

/// Parser of one command.
pub(super) struct Script<'a> {
    pub(super) front: &'a mut Frontend,
    pub(super) sig: &'a mut Signature,
    pub(super) terms: &'a mut Terms,
    pub(super) lexer: Lexer<'a>,
    pub(super) stack: Stack,
    /// The name given to the last term as a whole.
    pub(super) label: Option<Name>,
    /// Functions being defined that may refer to each other, with their numbers.
    pub(super) pending: Map<Name, usize>,
    /// The pending function that a term referred to.
    pub(super) needed: Option<usize>,
    /// Whether terms are evaluated in a model, so that it does not matter how large they are in closed form.
    pub(super) is_evaluated: bool,
    work: usize,
    /// The budget of the caller.
    budget: &'a mut Budget,
}

impl<'a> Script<'a> {
    pub(super) fn new(
        front: &'a mut Frontend,
        sig: &'a mut Signature,
        terms: &'a mut Terms,
        lexer: Lexer<'a>,
        stack: Stack,
        budget: &'a mut Budget,
    ) -> Self {
        let (label, pending, needed) = (None, Map::default(), None);
        Script {
            front,
            sig,
            terms,
            lexer,
            stack,
            label,
            pending,
            needed,
            is_evaluated: false,
            work: 0,
            budget,
        }
    }

    pub(super) fn into_stack(self) -> Stack {
        self.stack
    }

    /// Counts a token of a term.
    pub(super) fn spend(&mut self) -> Result<()> {
        self.budget.spend(1).map_err(|exhausted| {
            let message = format!("this command was not read to its end: {exhausted}");
            self.lexer.place().error(Code::TooDeep, message, "")
        })
    }

    /// Counts work.
    pub(super) fn work(&mut self, units: usize, place: Place) -> Result<()> {
        self.work = self.work.saturating_add(units);
        if self.work <= MAX_WORK {
            return Ok(());
        }
        let hint =
            "definitions are copied wherever they are used; declare functions, and assert what they are";
        Err(place.error(Code::TooDeep, "this command grows too large when definitions are expanded", hint))
    }

    /// Returns the error that `what` was expected instead of the last token.
    pub(super) fn expected(&self, what: &str, hint: impl Into<String>) -> Failure {
        let place = self.lexer.place();
        let text = &self.lexer.text[place.start as usize..place.end as usize];
        let found = if text.is_empty() { "the end".to_owned() } else { format!("`{}`", shown(text)) };
        place.error(Code::Syntax, format!("expected {what}, found {found}"), hint)
    }

    /// Reads `(`.
    pub(super) fn open(&mut self, what: &str) -> Result<()> {
        match self.lexer.next()? {
            Token::Open => Ok(()),
            _ => Err(self.expected(what, "")),
        }
    }

    /// Reads `)`.
    pub(super) fn close(&mut self) -> Result<()> {
        match self.lexer.next()? {
            Token::Close => Ok(()),
            _ => Err(self.expected("`)`", "")),
        }
    }

    /// Reads the `)` that ends the command.
    pub(super) fn end(&mut self) -> Result<()> {
        self.close()?;
        match self.lexer.next()? {
            Token::End => Ok(()),
            _ => {
                Err(self
                    .expected("the end of the command", "the command's parentheses are closed before this"))
            }
        }
    }

    /// Reads a symbol.
    pub(super) fn symbol(&mut self, what: &str) -> Result<(Name, Place)> {
        let token = self.lexer.next()?;
        let name = self.symbol_of(token, what)?;
        Ok((name, self.lexer.place()))
    }

    /// Returns the symbol of the last token.
    pub(super) fn symbol_of(&mut self, token: Token<'a>, what: &str) -> Result<Name> {
        match token {
            Token::Symbol(text) => {
                let name = self.front.names.intern(text);
                if self.front.names.entries[name].reserved.is_some() {
                    let hint = format!("`{text}` is a reserved word; with bars it is a symbol: `|{text}|`");
                    return Err(self.expected(what, hint));
                }
                Ok(name)
            }
            Token::Quoted(text) => Ok(self.front.names.intern(text)),
            Token::Numeral(text) => {
                Err(self.expected(what, format!("with bars it is a symbol: `|{}|`", shown(text))))
            }
            _ => Err(self.expected(what, "")),
        }
    }

    /// Reads a number.
    pub(super) fn numeral(&mut self, what: &str) -> Result<usize> {
        let Token::Numeral(text) = self.lexer.next()? else { return Err(self.expected(what, "")) };
        if text.len() > 1 && text.starts_with('0') {
            return Err(self.expected(what, "numerals do not start with 0"));
        }
        text.parse().map_err(|_| {
            self.lexer.place().error(Code::Syntax, format!("`{}` is too large", shown(text)), "")
        })
    }

    /// Skips an attribute value, which is any tree of tokens. Its first token is the next one.
    pub(super) fn skip_tree(&mut self, what: &str) -> Result<Place> {
        let mut depth = 0usize;
        let mut start = None;
        loop {
            let token = self.lexer.next()?;
            let place = self.lexer.place();
            let start = *start.get_or_insert(place);
            match token {
                Token::Open => depth += 1,
                Token::Close if depth > 0 => depth -= 1,
                Token::Close | Token::End => return Err(self.expected(what, "")),
                _ => {}
            }
            if depth == 0 {
                return Ok(start.to(place));
            }
        }
    }

    /// Returns the text at a position.
    pub(super) fn text(&self, place: Place) -> &'a str {
        &self.lexer.text[place.start as usize..place.end as usize]
    }

    /// Returns a term with its text.
    pub(super) fn source_term(&self, term: TermId, place: Place) -> SourceTerm {
        SourceTerm { term, text: self.text(place).into() }
    }

    /// Binds a name to a term, in the group of bindings after the first `group`.
    pub(super) fn bind(&mut self, name: Name, term: TermId, place: Place, group: usize) -> Result<()> {
        let entry = &mut self.front.names.entries[name];
        if entry.local.is_some_and(|local| local.at >= group) {
            return Err(self.bound_twice(name, place));
        }
        let local = Local { term, at: self.stack.locals.len() };
        self.stack.locals.push((name, entry.local.replace(local)));
        Ok(())
    }

    pub(super) fn bound_twice(&self, name: Name, place: Place) -> Failure {
        let shown = quote(self.front.names.text(name));
        place.error(Code::Duplicate, format!("`{shown}` is bound twice here"), "choose another name")
    }

    /// Returns a name in scope similar to `name`.
    pub(super) fn suggestion(&self, name: Name, fits: impl Fn(&Entry) -> bool) -> Option<String> {
        let names = &self.front.names;
        if names.entries.len() > MAX_NAMES {
            return None;
        }
        let fitting = names.entries.iter_enumerated().filter(|&(_, entry)| fits(entry));
        suggest(names.text(name), fitting.map(|(other, _)| names.text(other)))
            .map(|found| quote(found).into_owned())
    }
}
