//! Commands applied to what a script has declared, defined and asserted so far.

use super::state::Declared;
use super::state::Frontend;
use super::state::Level;
use std::borrow::Cow;

use super::command::{Assertion, BoolElements, Command, LiveSort, LiveSymbol};
use super::failure::Error;
use super::lexer::{Lexer, Token};
use super::names::{Function, Sort, quote};
use super::script::Script;
use crate::base::budget::Budget;
use crate::diag::Code;
use crate::logic::{Signature, SortId, TermId, Terms};

/// Whether commands of this name say that something is true. Soft constraints do not.
pub(super) fn asserts(name: &str) -> bool {
    name.starts_with("assert") && name != "assert-soft"
}

impl Frontend {
    /// Reads one command and applies what it says about declarations, definitions and assertions.
    ///
    /// # Errors
    /// The first mistake. Nothing has changed then, but that the signature and the arena may have grown, and that
    /// [`Self::lacks_assertions`] may say so.
    pub fn command(&mut self, sig: &mut Signature, terms: &mut Terms, text: &str) -> Result<Command, Error> {
        self.command_within(sig, terms, text, &mut Budget::unlimited())
    }

    /// The same within a budget, of which a token takes a unit.
    ///
    /// # Errors
    /// As [`Self::command`]; also where the budget ran out.
    pub fn command_within(
        &mut self,
        sig: &mut Signature,
        terms: &mut Terms,
        text: &str,
        budget: &mut Budget,
    ) -> Result<Command, Error> {
        let result = self.read(sig, terms, text, budget);
        if result.is_err() {
            self.note_refusal(text);
        }
        result
    }

    fn read(
        &mut self,
        sig: &mut Signature,
        terms: &mut Terms,
        text: &str,
        budget: &mut Budget,
    ) -> Result<Command, Error> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error {
                code: Code::TooDeep,
                start: 0,
                end: 1,
                message: "this command is too long".into(),
                hint: "commands have less than 4 GiB".into(),
            });
        }
        let (declared, assertions) = (self.declared.len(), self.assertions.len());
        let parts = self.parts.list.len();
        let stack = std::mem::take(&mut self.stack);
        let mut script = Script::new(self, sig, terms, Lexer::new(text), stack, budget);
        let mut result = script.command();
        let mut stack = script.into_stack();
        if let Ok(Command::GetValue(_) | Command::Eval(_)) = result
            && self.parts.list.len() > parts
        {
            // The model is of what was asserted before.
            let message = "this term is nested too deep for the model to have a value for it";
            let hint = "define it before the check, and ask for what was defined";
            result = Err(Box::new(Error {
                code: Code::TooDeep,
                start: 0,
                end: text.len(),
                message: message.into(),
                hint: hint.into(),
            }));
        }
        if result.is_err() {
            stack.unwind(&mut self.names, &mut self.variables);
            self.variables.reset();
            self.forget_declarations(declared);
            self.assertions.truncate(assertions);
            self.parts.truncate(parts);
        } else {
            self.assert_parts(parts);
        }
        self.stack = stack;
        result.map_err(|error| *error)
    }

    /// Records that text was refused that may have been an assertion.
    fn note_refusal(&mut self, text: &str) {
        let mut lexer = Lexer::new(text);
        let name = match (lexer.next(), lexer.next()) {
            (Ok(Token::Open), Ok(Token::Symbol(name) | Token::Quoted(name))) => name,
            _ => return self.note_unreadable(),
        };
        match name {
            // What comes next would be asserted at another level than it is.
            "push" => self.refuse_below(0),
            _ if asserts(name) => self.note_unreadable(),
            _ => {}
        }
    }

    /// Records that text outside of commands, or a command that cannot be read, was left out: it may have been an assertion.
    pub fn note_unreadable(&mut self) {
        self.refuse_below(self.levels.len());
    }

    fn refuse_below(&mut self, levels: usize) {
        if let Err(at) = self.refused.binary_search(&levels) {
            self.refused.insert(at, levels);
        }
    }

    /// Whether an assertion was refused at a level that is still there, so that a model of what is asserted says nothing
    /// about what the script asserts.
    pub fn lacks_assertions(&self) -> bool {
        !self.refused.is_empty()
    }

    /// Forgets all refusals.
    pub(super) fn forget_refusals(&mut self) {
        self.refused.clear();
    }

    /// The live assertions in order. Implicit ones that belong to no level of their own come before the first level that
    /// was pushed.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// How many levels have been pushed and not popped.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// How many of the live assertions come before those of a level, the first one pushed being 0.
    pub fn level_begin(&self, level: usize) -> usize {
        self.levels.get(level).map_or(self.assertions.len(), |level| level.assertions)
    }

    /// The live sorts in the order of declaration; `Bool` is not among them.
    pub fn sorts(&self) -> impl Iterator<Item = LiveSort<'_>> {
        let declared = self.declared.iter().filter_map(|declared| match *declared {
            Declared::Sort(name) => match self.names.entries[name].sort {
                Sort::Plain(sort) => Some(sort),
                Sort::None | Sort::Family(_) | Sort::Definition(_) => None,
            },
            Declared::Function(_) | Declared::Label(_) => None,
        });
        let plain: Vec<SortId> = declared.collect();
        let instances = self.sorts.live_instances(&self.names, &plain);
        plain.into_iter().chain(instances).map(|sort| LiveSort {
            sort,
            constructors: self.datatypes.get(&sort).map_or(&[], |constructors| constructors),
        })
    }

    /// The live functions, relations and constants that were declared, in the order of declaration. Constructors and what
    /// was defined are not among them.
    pub fn symbols(&self) -> impl Iterator<Item = LiveSymbol<'_>> {
        self.declared.iter().filter_map(|declared| match *declared {
            Declared::Function(name) => match self.names.entries[name].function {
                Function::Symbol(sym) => Some(LiveSymbol { name: self.names.text(name), sym }),
                _ => None,
            },
            Declared::Sort(_) | Declared::Label(_) => None,
        })
    }

    /// The live terms that have names by `(! .. :named ..)`, in the order of their naming.
    pub fn labels(&self) -> impl Iterator<Item = (&str, TermId)> {
        self.declared.iter().filter_map(|declared| match *declared {
            Declared::Label(name) => match self.names.entries[name].function {
                Function::Macro(index) => Some((self.names.text(name), self.macros[index].body)),
                _ => None,
            },
            Declared::Sort(_) | Declared::Function(_) => None,
        })
    }

    /// The sort that stands for `Bool` where it is the sort of an argument, if there is such a function.
    pub fn bool_elements(&self) -> Option<BoolElements> {
        self.bools
    }

    /// A sort as scripts write it.
    pub fn spelling<'a>(&self, sig: &'a Signature, sort: SortId) -> Cow<'a, str> {
        if sort == SortId::BOOL || self.bools.is_some_and(|bools| bools.sort == sort) {
            return Cow::Borrowed("Bool");
        }
        let name = sig.sorts[sort].name.as_str();
        // The name of an instance is a list.
        if self.sorts.is_instance(sort) { Cow::Borrowed(name) } else { quote(name) }
    }

    /// Takes the declarations behind the first `count` out of scope.
    pub(super) fn forget_declarations(&mut self, count: usize) {
        while self.declared.len() > count
            && let Some(declared) = self.declared.pop()
        {
            match declared {
                Declared::Sort(name) => {
                    let sort = &mut self.names.entries[name].sort;
                    match *sort {
                        Sort::Plain(sort) => _ = self.datatypes.remove(&sort),
                        Sort::Definition(index) => self.sorts.forget_definitions(index),
                        Sort::None | Sort::Family(_) => {}
                    }
                    *sort = Sort::None;
                }
                Declared::Function(name) | Declared::Label(name) => {
                    let function = &mut self.names.entries[name].function;
                    if let Function::Macro(index) = *function {
                        self.macros.truncate(index);
                    }
                    *function = Function::None;
                }
            }
        }
    }

    /// Begins `count` levels.
    pub(super) fn push(&mut self, count: usize) {
        let level = Level { declared: self.declared.len(), assertions: self.assertions.len() };
        self.levels.extend(std::iter::repeat_n(level, count));
    }

    /// Ends `count` levels, of which there are so many.
    pub(super) fn pop(&mut self, count: usize) {
        let left = self.levels.len().saturating_sub(count);
        if let Some(&level) = self.levels.get(left) {
            self.assertions.truncate(level.assertions);
            if !self.has_global_declarations {
                self.forget_declarations(level.declared);
            }
        }
        self.levels.truncate(left);
        self.refused.retain(|&levels| levels <= left);
    }

    /// Adds an implicit assertion, at the bottom of the stack or on top of it.
    pub(super) fn assert_implicitly(&mut self, formula: TermId, at_bottom: bool) {
        let assertion = Assertion { formula, name: None, implicit: true, text: Box::default() };
        match self.levels.first() {
            Some(level) if at_bottom => {
                self.assertions.insert(level.assertions, assertion);
                for level in &mut self.levels {
                    level.assertions += 1;
                }
            }
            _ => self.assertions.push(assertion),
        }
    }
}
