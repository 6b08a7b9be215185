//! Application of commands to the declarations, definitions and assertions of a script.

use super::state::Declared;
use super::state::Frontend;
use super::state::Level;
use std::borrow::Cow;

use super::command::{Assertion, BoolElements, Command, LiveSort, LiveSymbol};
use super::failure::Error;
use super::lexer::{Lexer, Token};
use super::names::{Function, Sort, quote};
use super::script::Script;
use ramsey_core::base::budget::Budget;
use ramsey_core::diag::Code;
use ramsey_core::logic::{Signature, SortId, TermId, Terms};

/// Returns whether commands of this name assert a formula. Soft constraints do not.
pub(super) fn asserts(name: &str) -> bool {
    name.starts_with("assert") && name != "assert-soft"
}

impl Frontend {
    /// Reads a command and applies its declarations, definitions and assertions.
    ///
    /// # Errors
    /// Returns the first error. The state is then unchanged, except that the signature and the arena may have grown,
    /// and that [`Self::lacks_assertions`] may become true.
    pub fn command(&mut self, sig: &mut Signature, terms: &mut Terms, text: &str) -> Result<Command, Error> {
        self.command_within(sig, terms, text, &mut Budget::unlimited())
    }

    /// Like [`Self::command`], within a budget: each token costs one unit.
    ///
    /// # Errors
    /// As for [`Self::command`]; also if the budget is exhausted.
    pub fn command_within(
        &mut self,
        sig: &mut Signature,
        terms: &mut Terms,
        text: &str,
        budget: &mut Budget,
    ) -> Result<Command, Error> {
        let result = self.read(sig, terms, text, budget);
        if result.is_err() {
            self.note_rejected(text);
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
            // The model was computed for the assertions before.
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
            self.truncate_declarations(declared);
            self.assertions.truncate(assertions);
            self.parts.truncate(parts);
        } else {
            self.assert_parts(parts);
        }
        self.stack = stack;
        result.map_err(|error| *error)
    }

    /// Records that a rejected text may have been an assertion.
    fn note_rejected(&mut self, text: &str) {
        let mut lexer = Lexer::new(text);
        let name = match (lexer.next(), lexer.next()) {
            (Ok(Token::Open), Ok(Token::Symbol(name) | Token::Quoted(name))) => name,
            _ => return self.note_unreadable(),
        };
        match name {
            // The following commands would apply to another level than intended.
            "push" => self.note_rejected_below(0),
            _ if asserts(name) => self.note_unreadable(),
            _ => {}
        }
    }

    /// Records that text outside of commands, or a command that cannot be read, was skipped and may have been an
    /// assertion.
    pub fn note_unreadable(&mut self) {
        self.note_rejected_below(self.levels.len());
    }

    fn note_rejected_below(&mut self, levels: usize) {
        if let Err(at) = self.rejected.binary_search(&levels) {
            self.rejected.insert(at, levels);
        }
    }

    /// Returns whether an assertion was rejected at a level that still exists. A model of the assertions is then not
    /// necessarily a model of the script.
    pub fn lacks_assertions(&self) -> bool {
        !self.rejected.is_empty()
    }

    /// Clears the record of rejected assertions.
    pub(super) fn clear_rejected(&mut self) {
        self.rejected.clear();
    }

    /// Returns the live assertions in order. Implicit ones that belong to no level come before those of the first level
    /// pushed.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// Returns the number of levels.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Returns the number of live assertions before those of a level. Levels are numbered from 0.
    pub fn level_begin(&self, level: usize) -> usize {
        self.levels.get(level).map_or(self.assertions.len(), |level| level.assertions)
    }

    /// Returns the live sorts in order of declaration, except `Bool`.
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

    /// Returns the names of all functions in scope, those that are defined and those of terms included.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.declared.iter().filter_map(|declared| match *declared {
            Declared::Function(name) | Declared::Label(name) => Some(self.names.text(name)),
            Declared::Sort(_) => None,
        })
    }

    /// Returns the declared functions, relations and constants in scope, in order of declaration, except constructors
    /// and definitions.
    pub fn symbols(&self) -> impl Iterator<Item = LiveSymbol<'_>> {
        self.declared.iter().filter_map(|declared| match *declared {
            Declared::Function(name) => match self.names.entries[name].function {
                Function::Symbol(sym) => Some(LiveSymbol { name: self.names.text(name), sym }),
                _ => None,
            },
            Declared::Sort(_) | Declared::Label(_) => None,
        })
    }

    /// Returns the terms in scope named by `(! .. :named ..)`, in the order of their naming.
    pub fn labels(&self) -> impl Iterator<Item = (&str, TermId)> {
        self.declared.iter().filter_map(|declared| match *declared {
            Declared::Label(name) => match self.names.entries[name].function {
                Function::Macro(index) => Some((self.names.text(name), self.macros[index].body)),
                _ => None,
            },
            Declared::Sort(_) | Declared::Function(_) => None,
        })
    }

    /// Returns the sort that represents `Bool` as an argument sort, if there is a function with such an argument.
    pub fn bool_elements(&self) -> Option<BoolElements> {
        self.bools
    }

    /// Returns a sort in the syntax of scripts.
    pub fn spelling<'a>(&self, sig: &'a Signature, sort: SortId) -> Cow<'a, str> {
        if sort == SortId::BOOL || self.bools.is_some_and(|bools| bools.sort == sort) {
            return Cow::Borrowed("Bool");
        }
        let name = sig.sorts[sort].name.as_str();
        // The name of an instance is a parenthesized list.
        if self.sorts.is_instance(sort) { Cow::Borrowed(name) } else { quote(name) }
    }

    /// Removes all declarations but the first `count` from scope.
    pub(super) fn truncate_declarations(&mut self, count: usize) {
        while self.declared.len() > count
            && let Some(declared) = self.declared.pop()
        {
            match declared {
                Declared::Sort(name) => {
                    let sort = &mut self.names.entries[name].sort;
                    match *sort {
                        Sort::Plain(sort) => _ = self.datatypes.remove(&sort),
                        Sort::Definition(index) => self.sorts.truncate_definitions(index),
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

    /// Pushes `count` levels.
    pub(super) fn push(&mut self, count: usize) {
        let level = Level { declared: self.declared.len(), assertions: self.assertions.len() };
        self.levels.extend(std::iter::repeat_n(level, count));
    }

    /// Pops `count` levels, which must exist.
    pub(super) fn pop(&mut self, count: usize) {
        let left = self.levels.len().saturating_sub(count);
        if let Some(&level) = self.levels.get(left) {
            self.assertions.truncate(level.assertions);
            if !self.has_global_declarations {
                self.truncate_declarations(level.declared);
            }
        }
        self.levels.truncate(left);
        self.rejected.retain(|&levels| levels <= left);
    }

    /// Adds an implicit assertion, at the bottom or at the top of the stack.
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
