//! Enumerations: datatypes whose constructors have no fields.

use super::failure::{Failure, Result};
use super::lexer::{Place, Token};
use super::names::{Function, Name, Sort, quote};
use super::script::Script;
use super::stack::{Frame, Match, Value};
use ramsey_core::base::hash::Set;
use ramsey_core::diag::Code;
use ramsey_core::logic::{SortId, SymId, TermId};

const ONLY_ENUMERATIONS: &str = "of the datatypes there are enumerations only, whose constructors have no fields; declare a sort and functions";

impl<'a> Script<'a> {
    /// Reads the arguments of `declare-datatype`.
    pub(super) fn declare_datatype(&mut self) -> Result<()> {
        let (name, place) = self.new_sort_name()?;
        self.open("the constructors in parentheses")?;
        let constructors = self.constructors(&mut Set::default(), place)?;
        self.end()?;
        self.bind_datatype(name, &constructors);
        Ok(())
    }

    /// Reads the arguments of `declare-datatypes`, also in the syntax of earlier versions of the language: `() ((color
    /// red green) ..)`.
    pub(super) fn declare_datatypes(&mut self) -> Result<()> {
        let mut names: Vec<(Name, Place)> = Vec::new();
        let mut known = Set::default();
        self.open("the sorts in parentheses")?;
        loop {
            match self.lexer.next()? {
                Token::Close => break,
                Token::Open => {}
                _ => {
                    return Err(
                        self.expected("a sort with its number of parameters", "it looks like `(s 0)`")
                    );
                }
            }
            let (name, place) = self.new_sort_name()?;
            if !known.insert(name) {
                return Err(self.bound_twice(name, place));
            }
            if self.numeral("the number of parameters")? > 0 {
                return Err(self.parametric());
            }
            self.close()?;
            names.push((name, place));
        }
        self.open("the datatypes in parentheses")?;
        let mut seen = Set::default();
        let mut found: Vec<Vec<Name>> = Vec::new();
        if names.is_empty() {
            loop {
                match self.lexer.next()? {
                    Token::Close => break,
                    Token::Open => {}
                    _ => return Err(self.expected("a datatype", "it looks like `(color red green)`")),
                }
                let (name, place) = self.new_sort_name()?;
                if !known.insert(name) {
                    return Err(self.bound_twice(name, place));
                }
                names.push((name, place));
                found.push(self.constructors(&mut seen, place)?);
            }
        } else {
            for &(_, place) in &names {
                self.open("the constructors in parentheses")?;
                found.push(self.constructors(&mut seen, place)?);
            }
            self.close()?;
        }
        self.end()?;
        for (&(name, _), constructors) in names.iter().zip(&found) {
            self.bind_datatype(name, constructors);
        }
        Ok(())
    }

    fn parametric(&self) -> Failure {
        let message = "a datatype with parameters is not supported";
        self.lexer.place().error(Code::OutsideLogic, message, ONLY_ENUMERATIONS)
    }

    /// Reads constructors up to the closing parenthesis. `seen` contains the constructors of the same command.
    fn constructors(&mut self, seen: &mut Set<Name>, datatype: Place) -> Result<Vec<Name>> {
        let mut names = Vec::new();
        loop {
            let token = self.lexer.next()?;
            let name = match token {
                Token::Close => break,
                Token::Open => self.symbol("a constructor")?.0,
                Token::Symbol("par") => return Err(self.parametric()),
                _ => self.symbol_of(token, "a constructor")?,
            };
            let place = self.lexer.place();
            self.check_new_function(name, place)?;
            if !seen.insert(name) {
                return Err(self.bound_twice(name, place));
            }
            if token == Token::Open && self.lexer.next()? != Token::Close {
                let shown = quote(self.front.names.text(name));
                let message = format!("the constructor `{shown}` has fields, which is not supported");
                return Err(place.error(Code::OutsideLogic, message, ONLY_ENUMERATIONS));
            }
            names.push(name);
        }
        if names.is_empty() {
            let message = "a datatype has at least one constructor";
            return Err(datatype.error(Code::Syntax, message, "sorts are not empty"));
        }
        Ok(names)
    }

    /// Brings an enumeration into scope: its sort, a constant for each constructor, and their axioms.
    fn bind_datatype(&mut self, name: Name, constructors: &[Name]) {
        let sort = self.plain_sort(name);
        self.bind_sort(name, Sort::Plain(sort));
        let mut syms = Vec::with_capacity(constructors.len());
        let mut constants = Vec::with_capacity(constructors.len());
        for &constructor in constructors {
            let sym = self.symbol_with(constructor, Vec::new(), sort);
            self.bind_function(constructor, Function::Constructor(sym));
            syms.push(sym);
            constants.push(self.terms.app(self.sig, sym, 0, &[]));
        }
        self.front.datatypes.insert(sort, syms);
        let mut axioms = vec![self.cover(sort, &constants)];
        if constants.len() > 1 {
            axioms.insert(0, self.terms.distinct(&constants));
        }
        for axiom in axioms {
            self.front.assert_implicitly(axiom, self.front.has_global_declarations);
        }
    }

    /// Returns the formula that each element of a sort is one of these constants.
    pub(super) fn cover(&mut self, sort: SortId, constants: &[TermId]) -> TermId {
        let name = self.front.names.intern("x");
        let var = self.front.variables.bind(self.terms, name, "x", sort);
        self.front.variables.release(var);
        let x = self.terms.var(var);
        let cases: Vec<TermId> = constants.iter().map(|&constant| self.terms.eq(x, constant)).collect();
        let any = self.terms.or(&cases);
        self.terms.forall(&[var], any)
    }

    /// Returns the constructor tested by a name like `is-red`.
    pub(super) fn tester(&mut self, name: Name) -> Option<SymId> {
        let constructor = self.front.names.text(name).strip_prefix("is-")?.to_owned();
        let constructor = self.front.names.intern(&constructor);
        match self.front.names.entries[constructor].function {
            Function::Constructor(sym) => Some(sym),
            _ => None,
        }
    }

    /// Returns the formula that the only argument, on the stack of values from `first` on, is this constructor.
    pub(super) fn test(&mut self, sym: SymId, first: usize, place: Place) -> Result<TermId> {
        let given = self.stack.values.len() - first;
        if given != 1 {
            return Err(place.error(Code::Arity, format!("a tester takes 1 argument, not {given}"), ""));
        }
        let value = self.stack.values[first];
        self.check_sort(value, self.sig.symbols[sym].result, self.stack.places[first])?;
        let constant = self.terms.app(self.sig, sym, 0, &[]);
        Ok(self.terms.eq(value, constant))
    }

    /// Reads the rest of a `match` after its scrutinee, up to the result of its first case.
    pub(super) fn first_case(&mut self, value: Value, start: Place, mark: usize) -> Result<()> {
        self.front.variables.hold();
        let sort = self.terms.sort(value.term);
        if !self.front.datatypes.contains_key(&sort) {
            let message =
                format!("expected a datatype, found sort `{}`", self.front.spelling(self.sig, sort));
            return Err(value.place.error(Code::SortMismatch, message, ""));
        }
        self.open("the cases in parentheses")?;
        self.open("a case")?;
        self.case(Match { start, scrutinee: value.term, mark, first: self.stack.cases.len() })
    }

    /// Reads a pattern.
    fn case(&mut self, of: Match) -> Result<()> {
        let locals = self.stack.locals.len();
        let constructor = match self.lexer.next()? {
            Token::Symbol("_") => None,
            Token::Open => {
                return Err(self.expected("a constructor or a variable", ONLY_ENUMERATIONS));
            }
            token => {
                let name = self.symbol_of(token, "a constructor or a variable")?;
                match self.front.names.entries[name].function {
                    Function::Constructor(sym) if self.is_of(sym, of.scrutinee) => Some(sym),
                    Function::Constructor(sym) => {
                        let constant = self.terms.app(self.sig, sym, 0, &[]);
                        self.check_sort(constant, self.terms.sort(of.scrutinee), self.lexer.place())?;
                        None
                    }
                    _ => {
                        self.bind(name, of.scrutinee, self.lexer.place(), locals)?;
                        None
                    }
                }
            }
        };
        self.stack.frames.push(Frame::Case { of, constructor, locals });
        Ok(())
    }

    fn is_of(&self, constructor: SymId, scrutinee: TermId) -> bool {
        self.sig.symbols[constructor].result == self.terms.sort(scrutinee)
    }

    /// Continues after a case. Returns the value of the whole `match` after the last case.
    pub(super) fn next_case(
        &mut self,
        of: Match,
        constructor: Option<SymId>,
        result: Value,
    ) -> Result<Option<Value>> {
        if let Some(&(_, first)) = self.stack.cases.get(of.first) {
            self.check_sort(result.term, self.terms.sort(first), result.place)?;
        }
        self.stack.cases.push((constructor, result.term));
        match self.lexer.next()? {
            Token::Open => {
                self.case(of)?;
                return Ok(None);
            }
            Token::Close => {}
            _ => return Err(self.expected("a case or `)`", "it looks like `(red x)`")),
        }
        self.close()?;
        let place = of.start.to(self.lexer.place());
        let mut cases: Vec<(Option<SymId>, TermId)> = self.stack.cases.drain(of.first..).collect();
        self.front.variables.leave(of.mark);
        match cases.iter().position(|(constructor, _)| constructor.is_none()) {
            // Cases after a catch-all are unreachable.
            Some(last) => cases.truncate(last + 1),
            None => self.check_all_there(of, &cases, place)?,
        }
        let mut cases = cases.into_iter().rev();
        let mut term = cases.next().map_or(of.scrutinee, |(_, last)| last);
        for (constructor, result) in cases {
            if let Some(sym) = constructor {
                let constant = self.terms.app(self.sig, sym, 0, &[]);
                let is_it = self.terms.eq(of.scrutinee, constant);
                term = self.terms.ite(is_it, result, term);
            }
        }
        let value = Value { term, place };
        let value = self.limit_depth(value)?;
        Ok(Some(value))
    }

    fn check_all_there(&self, of: Match, cases: &[(Option<SymId>, TermId)], place: Place) -> Result<()> {
        let there: Set<SymId> = cases.iter().filter_map(|&(constructor, _)| constructor).collect();
        let all = self.front.datatypes.get(&self.terms.sort(of.scrutinee));
        match all.into_iter().flatten().find(|sym| !there.contains(sym)) {
            None => Ok(()),
            Some(&missing) => {
                let shown = quote(&self.sig.symbols[missing].name);
                let hint = "each constructor needs a case, unless there is one for a variable";
                Err(place.error(Code::Syntax, format!("this `match` has no case for `{shown}`"), hint))
            }
        }
    }
}
