//! Parser of commands.

use super::command::{Assertion, BoolElements, Command, SourceTerm, Value};
use super::failure::Result;
use super::frontend::asserts;
use super::lexer::{Token, shown};
use super::names::{Function, Name};
use super::script::Script;
use super::state::Frontend;
use super::theories::is_supported;
use ramsey_core::diag::Code;
use ramsey_core::logic::{Sort, SortId, SymId, Symbol, SymbolKind, SymbolOrigin};

/// Maximum number of levels of the assertion stack.
const MAX_LEVELS: usize = 1_000_000;

impl<'a> Script<'a> {
    /// Reads a command and applies it.
    pub(super) fn command(&mut self) -> Result<Command> {
        self.open("`(` and a command")?;
        let (Token::Symbol(name) | Token::Quoted(name)) = self.lexer.next()? else {
            return Err(self.expected("the name of a command", "a command looks like `(check-sat)`"));
        };
        match name {
            "assert" => return self.assert(),
            "check-sat" => return self.check_sat(),
            "check-sat-assuming" => return self.check_sat_assuming(),
            "check-sat-using" => {
                // Z3 tactics are ignored, because they do not change the answer.
                self.skip_tree("a tactic")?;
                self.end()?;
                return Ok(Command::CheckSat);
            }
            "declare-const" => self.declare_const()?,
            "declare-datatype" => self.declare_datatype()?,
            "declare-datatypes" => self.declare_datatypes()?,
            "declare-fun" => self.declare_fun()?,
            "declare-sort" => self.declare_sort()?,
            "define-const" => self.define_const()?,
            "define-fun" => self.define_fun(false)?,
            "define-fun-rec" => self.define_fun(true)?,
            "define-funs-rec" => self.define_funs()?,
            "define-sort" => self.define_sort()?,
            "echo" => return self.echo(),
            "eval" => return self.eval(),
            "get-info" => return Ok(Command::GetInfo(self.only_keyword()?)),
            "get-option" => return Ok(Command::GetOption(self.only_keyword()?)),
            "get-value" => return Ok(Command::GetValue(self.values()?)),
            "pop" => return self.pop(),
            "push" => return self.push(),
            "set-info" => {
                let (keyword, value) = self.attribute()?;
                return Ok(Command::SetInfo { keyword, value });
            }
            "set-logic" => return self.set_logic(),
            "set-option" => return self.set_option(),
            _ => return self.without_arguments(name),
        }
        Ok(if name.starts_with("declare") { Command::Declared } else { Command::Defined })
    }

    fn without_arguments(&mut self, name: &str) -> Result<Command> {
        let command = match name {
            "exit" => Command::Exit,
            "get-assertions" => Command::GetAssertions,
            "get-assignment" => Command::GetAssignment,
            "get-model" => Command::GetModel,
            "get-proof" => Command::GetProof,
            "get-unsat-assumptions" => Command::GetUnsatAssumptions,
            "get-unsat-core" => Command::GetUnsatCore,
            "reset" => Command::Reset,
            "reset-assertions" => Command::ResetAssertions,
            _ => {
                if asserts(name) {
                    self.front.note_unreadable();
                }
                return Ok(Command::Unsupported(format!("the command `{}`", shown(name))));
            }
        };
        self.end()?;
        match command {
            Command::Reset => *self.front = Frontend::new(),
            Command::ResetAssertions => self.reset_assertions(),
            _ => {}
        }
        Ok(command)
    }

    fn assert(&mut self) -> Result<Command> {
        let formula = self.formula()?;
        self.end()?;
        let name = self.label.map(|name| self.front.names.text(name).into());
        let text = self.text(formula.place).into();
        self.front.assertions.push(Assertion { formula: formula.term, name, implicit: false, text });
        Ok(Command::Assert)
    }

    /// Reads the rest of `check-sat`, which may contain assumptions, an extension of Z3.
    fn check_sat(&mut self) -> Result<Command> {
        let assumptions = self.assumptions()?;
        self.end()?;
        Ok(match assumptions.is_empty() {
            true => Command::CheckSat,
            false => Command::CheckSatAssuming(assumptions),
        })
    }

    fn check_sat_assuming(&mut self) -> Result<Command> {
        self.open("the assumptions in parentheses")?;
        let assumptions = self.assumptions()?;
        self.close()?;
        self.end()?;
        Ok(Command::CheckSatAssuming(assumptions))
    }

    /// Reads formulas up to a closing parenthesis, which is not consumed.
    fn assumptions(&mut self) -> Result<Vec<SourceTerm>> {
        let mut assumptions = Vec::new();
        while self.lexer.peek()? != Token::Close {
            let formula = self.formula()?;
            assumptions.push(self.source_term(formula.term, formula.place));
        }
        Ok(assumptions)
    }

    fn values(&mut self) -> Result<Vec<SourceTerm>> {
        self.open("the terms in parentheses")?;
        self.is_evaluated = true;
        let mut terms = Vec::new();
        loop {
            let value = self.term()?;
            terms.push(self.source_term(value.term, value.place));
            if self.lexer.peek()? == Token::Close {
                break;
            }
        }
        self.close()?;
        self.end()?;
        Ok(terms)
    }

    fn eval(&mut self) -> Result<Command> {
        self.is_evaluated = true;
        let value = self.term()?;
        // Options of the evaluation are ignored.
        while let Token::Keyword(_) = self.lexer.peek()? {
            self.lexer.next()?;
            self.skip_tree("the value of the option")?;
        }
        self.end()?;
        Ok(Command::Eval(self.source_term(value.term, value.place)))
    }

    fn echo(&mut self) -> Result<Command> {
        let Token::String(text) = self.lexer.next()? else {
            return Err(self.expected("a string", "strings are in quotation marks: `\"..\"`"));
        };
        self.end()?;
        Ok(Command::Echo(text.replace("\"\"", "\"")))
    }

    fn declare_fun(&mut self) -> Result<()> {
        let (name, place) = self.symbol("the name of the function")?;
        self.check_new_function(name, place)?;
        self.open("the sorts of the arguments in parentheses")?;
        let mut args = Vec::new();
        while self.lexer.peek()? != Token::Close {
            args.push(self.sort()?);
        }
        self.close()?;
        let result = self.sort()?;
        self.end()?;
        if args.contains(&SortId::BOOL) {
            let bools = self.bool_elements();
            for arg in &mut args {
                if *arg == SortId::BOOL {
                    *arg = bools.sort;
                }
            }
        }
        let sym = self.symbol_with(name, args, result);
        self.bind_function(name, Function::Symbol(sym));
        Ok(())
    }

    fn declare_const(&mut self) -> Result<()> {
        let (name, place) = self.symbol("the name of the constant")?;
        self.check_new_function(name, place)?;
        let sort = self.sort()?;
        self.end()?;
        let sym = self.symbol_with(name, Vec::new(), sort);
        self.bind_function(name, Function::Symbol(sym));
        Ok(())
    }

    /// Returns the symbol with this name and rank. A symbol that was in scope before is reused.
    pub(super) fn symbol_with(&mut self, name: Name, args: Vec<SortId>, result: SortId) -> SymId {
        let last = self.front.names.entries[name].last_symbol;
        if let Some(last) = last {
            let symbol = &self.sig.symbols[last];
            if symbol.args == args && symbol.result == result {
                return last;
            }
            if let Some(&sym) = self.front.former_symbols.get(&(name, args.clone(), result)) {
                return sym;
            }
            let symbol = (name, symbol.args.clone(), symbol.result);
            self.front.former_symbols.insert(symbol, last);
        }
        let symbol = Symbol::new(self.front.names.text(name), args, result, SymbolKind::Immutable);
        let sym = self.sig.symbols.push(symbol);
        self.front.names.entries[name].last_symbol = Some(sym);
        sym
    }

    /// Returns the sort of truth values as arguments, which is created on first use.
    fn bool_elements(&mut self) -> BoolElements {
        if let Some(bools) = self.front.bools {
            return bools;
        }
        let sort = self.sig.sorts.push(Sort::new("Bool@"));
        let [tru, fals] = ["true@", "false@"].map(|name| {
            let symbol = Symbol::new(name, Vec::new(), sort, SymbolKind::Immutable);
            self.sig.symbols.push(Symbol { origin: SymbolOrigin::Internal, ..symbol })
        });
        let bools = BoolElements { sort, tru, fals };
        self.front.bools = Some(bools);
        self.assert_about(bools);
        bools
    }

    /// Asserts that the two elements are distinct and that there are no others.
    fn assert_about(&mut self, bools: BoolElements) {
        let constants = [bools.tru, bools.fals].map(|sym| self.terms.app(self.sig, sym, 0, &[]));
        let axioms = [self.terms.distinct(&constants), self.cover(bools.sort, &constants)];
        for axiom in axioms {
            self.front.assert_implicitly(axiom, true);
        }
    }

    fn push(&mut self) -> Result<Command> {
        let count = self.levels()?;
        self.end()?;
        if count > MAX_LEVELS - self.front.levels() {
            let place = self.lexer.place();
            let message = format!("there would be more than {MAX_LEVELS} levels");
            return Err(place.error(Code::TooDeep, message, ""));
        }
        self.front.push(count);
        Ok(Command::Push(count))
    }

    fn pop(&mut self) -> Result<Command> {
        let count = self.levels()?;
        let place = self.lexer.place();
        self.end()?;
        let there = self.front.levels();
        if count > there {
            let message = match there {
                0 => format!("cannot pop {count}: no level has been pushed"),
                1 => format!("cannot pop {count}: there is 1 level"),
                _ => format!("cannot pop {count}: there are {there} levels"),
            };
            return Err(place.error(Code::Usage, message, ""));
        }
        self.front.pop(count);
        Ok(Command::Pop(count))
    }

    /// Reads a number of levels; the default is one.
    fn levels(&mut self) -> Result<usize> {
        match self.lexer.peek()? {
            Token::Close => Ok(1),
            _ => self.numeral("a number of levels"),
        }
    }

    fn reset_assertions(&mut self) {
        let front = &mut *self.front;
        front.levels.clear();
        front.clear_rejected();
        if front.has_global_declarations {
            front.assertions.retain(|assertion| assertion.implicit);
        } else {
            front.truncate_declarations(0);
            front.assertions.clear();
            front.parts.truncate(0);
            if let Some(bools) = front.bools {
                self.assert_about(bools);
            }
        }
    }

    fn set_logic(&mut self) -> Result<Command> {
        let token = self.lexer.next()?;
        let name = self.symbol_of(token, "the name of a logic")?;
        let place = self.lexer.place();
        self.end()?;
        if self.front.has_logic {
            let hint = "a script has one logic; `(reset)` starts anew";
            return Err(place.error(Code::Duplicate, "the logic is set already", hint));
        }
        let name = self.front.names.text(name).to_owned();
        if !is_supported(&name) {
            return Ok(Command::Unsupported(format!("the logic `{}`", shown(&name))));
        }
        self.front.has_logic = true;
        Ok(Command::SetLogic(name))
    }

    fn set_option(&mut self) -> Result<Command> {
        let (keyword, value) = self.attribute()?;
        if keyword == ":global-declarations" {
            let place = self.lexer.place();
            let is_global = match &value {
                Value::Symbol(symbol) if symbol == "true" => true,
                Value::Symbol(symbol) if symbol == "false" => false,
                _ => {
                    let message = "the value of `:global-declarations` is `true` or `false`";
                    return Err(place.error(Code::Usage, message, ""));
                }
            };
            let front = &mut *self.front;
            let is_fresh =
                front.declared.is_empty() && front.assertions.is_empty() && front.levels.is_empty();
            if is_global != front.has_global_declarations && !is_fresh {
                let message = "`:global-declarations` cannot be set any more";
                let hint = "set it before the first declaration and assertion";
                return Err(place.error(Code::Usage, message, hint));
            }
            front.has_global_declarations = is_global;
        }
        Ok(Command::SetOption { keyword, value })
    }

    fn only_keyword(&mut self) -> Result<String> {
        let keyword = self.keyword()?;
        self.end()?;
        Ok(keyword)
    }

    fn keyword(&mut self) -> Result<String> {
        match self.lexer.next()? {
            Token::Keyword(keyword) => Ok(keyword.to_owned()),
            _ => Err(self.expected("a keyword", "keywords start with a colon: `:status`")),
        }
    }

    /// Reads an attribute up to the end of the command.
    fn attribute(&mut self) -> Result<(String, Value)> {
        let keyword = self.keyword()?;
        let value = match self.lexer.peek()? {
            Token::Close => Value::None,
            token => {
                let place = self.skip_tree("the value of the attribute")?;
                match token {
                    Token::Symbol(text) | Token::Quoted(text) => Value::Symbol(text.to_owned()),
                    Token::String(text) => Value::String(text.replace("\"\"", "\"")),
                    Token::Numeral(text) => Value::Numeral(text.to_owned()),
                    _ => Value::Other(self.text(place).to_owned()),
                }
            }
        };
        self.end()?;
        Ok((keyword, value))
    }
}
