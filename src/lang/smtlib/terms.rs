//! Parser of terms, which creates them directly in the arena.
//!
//! It uses an explicit stack, because scripts nest `let` tens of thousands of levels deep.

use super::failure::{Failure, Result, UNINTERPRETED};
use super::lexer::{Literal, Place, Token};
use super::names::{Function, Name, Reserved, quote};
use super::script::Script;
use super::stack::{Frame, Head, Value};
use super::state::Declared;
use super::theories::theory_of_function;
use ramsey_core::diag::Code;
use ramsey_core::logic::{SortId, TermId};

impl<'a> Script<'a> {
    /// Reads a term.
    pub(super) fn term(&mut self) -> Result<Value> {
        self.label = None;
        loop {
            self.spend()?;
            let token = self.lexer.next()?;
            let value = match token {
                Token::Symbol(text) => self.constant(text, true)?,
                Token::Quoted(text) => self.constant(text, false)?,
                Token::Open => match self.opened()? {
                    Some(value) => value,
                    None => continue,
                },
                Token::Close => self.application()?,
                _ => return Err(self.not_a_term(token)),
            };
            if let Some(value) = self.deliver(value)? {
                return Ok(value);
            }
        }
    }

    /// Reads a formula.
    pub(super) fn formula(&mut self) -> Result<Value> {
        let value = self.term()?;
        self.check_sort(value.term, SortId::BOOL, value.place)?;
        Ok(value)
    }

    /// Passes a value to the innermost incomplete part, repeatedly while that becomes complete. Returns the value of
    /// the whole term if it is complete.
    fn deliver(&mut self, mut value: Value) -> Result<Option<Value>> {
        loop {
            let Some(frame) = self.stack.frames.last() else { return Ok(Some(value)) };
            match *frame {
                Frame::Application { .. } => {
                    self.stack.values.push(value.term);
                    self.stack.places.push(value.place);
                    return Ok(None);
                }
                Frame::Let { start, name, at, first, mark } => {
                    self.stack.bindings.push((name, value.term, at));
                    self.close()?;
                    self.stack.frames.pop();
                    self.next_binding(start, first, mark)?;
                    return Ok(None);
                }
                Frame::Body { start, locals, mark } => {
                    self.close()?;
                    value.place = start.to(self.lexer.place());
                    self.stack.unbind(&mut self.front.names, locals);
                    self.front.variables.leave(mark);
                }
                Frame::Quantifier { start, universal, bound, locals } => {
                    self.check_sort(value.term, SortId::BOOL, value.place)?;
                    self.close()?;
                    value.place = start.to(self.lexer.place());
                    let vars = &self.stack.bound[bound..];
                    value.term = if universal {
                        self.terms.forall(vars, value.term)
                    } else {
                        self.terms.exists(vars, value.term)
                    };
                    for var in self.stack.bound.drain(bound..) {
                        self.front.variables.release(var);
                    }
                    self.stack.unbind(&mut self.front.names, locals);
                    value = self.limit_depth(value)?;
                }
                Frame::Annotation { start } => {
                    let label = self.annotations(value)?;
                    value.place = start.to(self.lexer.place());
                    if self.stack.frames.len() == 1 {
                        self.label = label;
                    }
                }
                Frame::Scrutinee { start, mark } => {
                    self.stack.frames.pop();
                    self.first_case(value, start, mark)?;
                    return Ok(None);
                }
                Frame::Case { of, constructor, locals } => {
                    self.close()?;
                    self.stack.unbind(&mut self.front.names, locals);
                    self.stack.frames.pop();
                    match self.next_case(of, constructor, value)? {
                        // Its frame has already been removed.
                        Some(whole) => {
                            value = whole;
                            continue;
                        }
                        None => return Ok(None),
                    }
                }
            }
            self.stack.frames.pop();
        }
    }

    /// Continues after `(`. Returns a value if one is complete.
    fn opened(&mut self) -> Result<Option<Value>> {
        let start = self.lexer.place();
        let token = self.lexer.next()?;
        let (text, is_quoted) = match token {
            Token::Symbol(text) => (text, false),
            Token::Quoted(text) => (text, true),
            Token::Open => {
                let head = self.compound_head()?;
                self.push_application(head, start);
                return Ok(None);
            }
            _ => return Err(self.expected("a function symbol", "an application looks like `(f x)`")),
        };
        let name = self.front.names.intern(text);
        let entry = &self.front.names.entries[name];
        if let Some(reserved) = entry.reserved
            && !is_quoted
        {
            return self.reserved(reserved, start);
        }
        let head = match entry.function {
            _ if entry.local.is_some() => None,
            Function::Builtin(builtin) => Some(Head::Builtin(builtin, name)),
            Function::Symbol(sym) | Function::Constructor(sym) => Some(Head::Symbol(sym)),
            Function::Macro(index) => Some(Head::Macro(index, name)),
            Function::None => None,
        };
        let head = match head {
            Some(head) => head,
            None => self.unusual_head(name)?,
        };
        self.push_application(head, start);
        Ok(None)
    }

    fn push_application(&mut self, head: Head, start: Place) {
        let mark = if let Head::Macro(..) = head { self.front.variables.enter() } else { 0 };
        let first = self.stack.values.len();
        self.stack.frames.push(Frame::Application { head, start, first, mark });
    }

    /// Handles the head of an application that is not a function.
    fn unusual_head(&mut self, name: Name) -> Result<Head> {
        let place = self.lexer.place();
        let shown = quote(self.front.names.text(name));
        if self.front.names.entries[name].local.is_some() {
            let hint = format!("write `{shown}` without parentheses");
            return Err(place.error(
                Code::Arity,
                format!("the variable `{shown}` is applied to arguments"),
                hint,
            ));
        }
        match self.tester(name) {
            Some(sym) => Ok(Head::Tester(sym)),
            None => Err(self.undeclared(name, place)),
        }
    }

    /// Continues after a reserved word.
    fn reserved(&mut self, word: Reserved, start: Place) -> Result<Option<Value>> {
        match word {
            Reserved::Let => {
                self.open("the bindings of `let` in parentheses")?;
                let first = self.stack.bindings.len();
                let mark = self.front.variables.enter();
                self.next_binding(start, first, mark)?;
                Ok(None)
            }
            Reserved::Forall | Reserved::Exists => {
                self.quantifier(word == Reserved::Forall, start)?;
                Ok(None)
            }
            Reserved::Annotation => {
                self.stack.frames.push(Frame::Annotation { start });
                Ok(None)
            }
            Reserved::Match => {
                let mark = self.front.variables.enter();
                self.stack.frames.push(Frame::Scrutinee { start, mark });
                Ok(None)
            }
            Reserved::As => {
                let (name, place) = self.qualified()?;
                Ok(Some(self.named_constant(name, start.to(self.lexer.place()), place)?))
            }
            Reserved::Underscore => Err(self.indexed(start, false)),
            Reserved::Other => Err(self.expected("a function symbol", "this is a reserved word")),
        }
    }

    /// Reads the next binding of a `let` up to its value, or the `)` after the last one.
    fn next_binding(&mut self, start: Place, first: usize, mark: usize) -> Result<()> {
        match self.lexer.next()? {
            Token::Open => {
                let (name, at) = self.symbol("the name of a variable")?;
                self.stack.frames.push(Frame::Let { start, name, at, first, mark });
                Ok(())
            }
            Token::Close => {
                self.front.variables.hold();
                let locals = self.stack.locals.len();
                for index in first..self.stack.bindings.len() {
                    let (name, term, place) = self.stack.bindings[index];
                    self.bind(name, term, place, locals)?;
                }
                self.stack.bindings.truncate(first);
                self.stack.frames.push(Frame::Body { start, locals, mark });
                Ok(())
            }
            _ => Err(self.expected("a binding or `)`", "a binding looks like `(x (f y))`")),
        }
    }

    /// Reads the variables of a quantifier.
    fn quantifier(&mut self, universal: bool, start: Place) -> Result<()> {
        self.open("the variables of the quantifier in parentheses")?;
        let (bound, locals) = (self.stack.bound.len(), self.stack.locals.len());
        self.variables(locals)?;
        if self.stack.bound.len() == bound {
            let place = self.lexer.place();
            return Err(place.error(Code::Syntax, "a quantifier binds at least one variable", ""));
        }
        self.stack.frames.push(Frame::Quantifier { start, universal, bound, locals });
        Ok(())
    }

    /// Reads variables with sorts up to the closing parenthesis, and binds them.
    pub(super) fn variables(&mut self, group: usize) -> Result<()> {
        loop {
            match self.lexer.next()? {
                Token::Close => return Ok(()),
                Token::Open => {}
                _ => return Err(self.expected("a variable with its sort or `)`", "it looks like `(x s)`")),
            }
            let (name, place) = self.symbol("the name of a variable")?;
            let sort = self.sort()?;
            self.close()?;
            let front = &mut *self.front;
            let var = front.variables.bind(self.terms, name, front.names.text(name), sort);
            self.stack.bound.push(var);
            let term = self.terms.var(var);
            self.bind(name, term, place, group)?;
        }
    }

    /// Reads `f s)` after `(as`. Returns the position of `f`.
    fn qualified(&mut self) -> Result<(Name, Place)> {
        let (name, place) = self.symbol("a function symbol")?;
        let sort = self.sort()?;
        self.close()?;
        let result = match self.front.names.entries[name].function {
            Function::Symbol(sym) | Function::Constructor(sym) => self.sig.symbols[sym].result,
            Function::Macro(index) => self.terms.sort(self.front.macros[index].body),
            Function::Builtin(_) => SortId::BOOL,
            Function::None => return Err(self.undeclared(name, place)),
        };
        if result != sort {
            let (shown, found) = (quote(self.front.names.text(name)), self.front.spelling(self.sig, result));
            let message =
                format!("`{shown}` is of sort `{found}`, not `{}`", self.front.spelling(self.sig, sort));
            return Err(place.error(Code::SortMismatch, message, ""));
        }
        Ok((name, place))
    }

    /// Reads `as f s)` or `_ is c)` after `((`.
    fn compound_head(&mut self) -> Result<Head> {
        let start = self.lexer.place();
        match self.lexer.next()? {
            Token::Symbol("as") => {
                let (name, place) = self.qualified()?;
                match self.front.names.entries[name].function {
                    Function::Symbol(sym) | Function::Constructor(sym) => Ok(Head::Symbol(sym)),
                    Function::Macro(index) => Ok(Head::Macro(index, name)),
                    Function::Builtin(builtin) => Ok(Head::Builtin(builtin, name)),
                    Function::None => Err(self.undeclared(name, place)),
                }
            }
            Token::Symbol("_") => {
                if self.lexer.peek()? != Token::Symbol("is") {
                    return Err(self.indexed(start, false));
                }
                self.lexer.next()?;
                let (name, place) = self.symbol("a constructor")?;
                self.close()?;
                match self.front.names.entries[name].function {
                    Function::Constructor(sym) => Ok(Head::Tester(sym)),
                    Function::None => Err(self.undeclared(name, place)),
                    _ => {
                        let shown = quote(self.front.names.text(name));
                        let hint = "testers are there for the constructors of datatypes";
                        Err(place.error(Code::Undeclared, format!("`{shown}` is no constructor"), hint))
                    }
                }
            }
            _ => Err(self.expected("`_` or `as`", "an application looks like `(f x)`")),
        }
    }

    /// Returns the error about an indexed identifier, whose `_` was the last token.
    pub(super) fn indexed(&mut self, start: Place, is_sort: bool) -> Failure {
        let name = match self.lexer.next() {
            Ok(Token::Symbol(text) | Token::Quoted(text)) => text,
            Ok(_) => return self.expected("a symbol", "an indexed identifier looks like `(_ f 1)`"),
            Err(error) => return error,
        };
        let place = start.to(self.lexer.place());
        let theory = if is_sort { super::theories::theory_of_sort(name) } else { theory_of_function(name) };
        match theory {
            Some(theory) => {
                let message = format!("`(_ {name} ..)` is of the theory of {theory}, which is not supported");
                place.error(Code::OutsideLogic, message, UNINTERPRETED)
            }
            None => {
                let message =
                    format!("there is no indexed identifier `(_ {} ..)`", super::lexer::shown(name));
                place.error(Code::Undeclared, message, "the only one is `((_ is c) x)`, for constructors `c`")
            }
        }
    }

    /// Reads the attributes of a term. Returns its name, if there is one.
    fn annotations(&mut self, value: Value) -> Result<Option<Name>> {
        let mut label = None;
        let mut is_first = true;
        loop {
            match self.lexer.next()? {
                Token::Close if !is_first => return Ok(label),
                Token::Keyword(":named") => {
                    let (name, place) = self.symbol("the name of the term")?;
                    self.name_term(name, place, value)?;
                    label = Some(name);
                }
                Token::Keyword(":pattern") => {
                    if self.lexer.peek()? != Token::Open {
                        self.lexer.next()?;
                        return Err(self.expected("the terms of the pattern in parentheses", ""));
                    }
                    self.skip_tree("a pattern")?;
                }
                Token::Keyword(_) => match self.lexer.peek()? {
                    Token::Keyword(_) | Token::Close => {}
                    _ => _ = self.skip_tree("the value of the attribute")?,
                },
                _ => return Err(self.expected("an attribute", "it looks like `:named a`")),
            }
            is_first = false;
        }
    }

    fn name_term(&mut self, name: Name, place: Place, value: Value) -> Result<()> {
        self.check_new_function(name, place)?;
        if !self.stack.bound.is_empty() && self.terms.has_vars(value.term) {
            self.work(self.terms.tree_size(value.term) as usize, place)?;
            if let Some(&var) = self.terms.free_vars(value.term).first() {
                let message = format!(
                    "a term with a name has no free variables, but `{}` is free in this one",
                    quote(&self.terms.var_info(var).name)
                );
                let hint = "leave the name out, or name the formula with its quantifier";
                return Err(value.place.error(Code::Quantifiers, message, hint));
            }
        }
        let function = self.add_macro(Vec::new(), value.term);
        self.front.names.entries[name].function = function;
        self.front.declared.push(Declared::Label(name));
        Ok(())
    }

    /// Checks that a term has a sort.
    pub(super) fn check_sort(&self, term: TermId, wanted: SortId, place: Place) -> Result<()> {
        let found = self.terms.sort(term);
        if found == wanted {
            return Ok(());
        }
        let [wanted, found] = [wanted, found].map(|sort| self.front.spelling(self.sig, sort));
        let hint = if wanted == "Bool" { "a formula is needed here" } else { "" };
        Err(place.error(Code::SortMismatch, format!("expected sort `{wanted}`, found `{found}`"), hint))
    }

    /// Returns the error about a token that starts no term.
    fn not_a_term(&self, token: Token<'a>) -> Failure {
        let theory = match token {
            Token::Numeral(_) | Token::Literal(Literal::Decimal) => "arithmetic",
            Token::Literal(Literal::BitVector) => "bit vectors",
            Token::String(_) => "strings",
            _ => return self.expected("a term", ""),
        };
        let place = self.lexer.place();
        let shown = super::lexer::shown(self.text(place));
        let message = format!("`{shown}` is of the theory of {theory}, which is not supported");
        place.error(Code::OutsideLogic, message, UNINTERPRETED)
    }

    /// Returns the error about an undeclared function.
    pub(super) fn undeclared(&mut self, name: Name, place: Place) -> Failure {
        let text = self.front.names.text(name);
        let shown = quote(text);
        if let Some(theory) = theory_of_function(text) {
            let message = format!("`{shown}` is of the theory of {theory}, which is not supported");
            return place.error(Code::OutsideLogic, message, UNINTERPRETED);
        }
        if let Some(&index) = self.pending.get(&name) {
            self.needed = Some(index);
            let hint = "definitions are expanded; declare the function instead, and assert its equation";
            return place.error(Code::Recursive, format!("the definition of `{shown}` uses itself"), hint);
        }
        let meant = self.suggestion(name, |entry| entry.local.is_some() || entry.function != Function::None);
        let hint = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("declare it before: `(declare-fun {shown} (..) ..)`"),
        };
        place.error(Code::Undeclared, format!("`{shown}` is not declared"), hint)
    }
}
