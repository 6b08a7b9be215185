//! Parser of sorts, sort symbols with arguments, and sort definitions.

use super::failure::Failure;
use super::failure::{Result, UNINTERPRETED};
use super::families::Definition;
use super::families::Expr;
use super::families::Instance;
use super::lexer::{Place, Token};
use super::names::{Name, Sort, quote};
use super::script::Script;
use super::state::Declared;
use super::state::Frontend;
use super::theories::theory_of_sort;
use ramsey_core::diag::Code;
use ramsey_core::logic::{Signature, SortId};

/// Maximum nesting depth of sorts, and of sort definitions in definitions.
const MAX_DEPTH: usize = 100;

/// Maximum length of the name of an instance of a sort symbol.
const MAX_NAME: usize = 10_000;

/// Maximum number of arguments of a sort symbol.
const MAX_ARITY: usize = 1_000;

impl Frontend {
    /// Returns the instance of a sort symbol at these arguments; `None` if its name would be too long.
    fn instance(&mut self, sig: &mut Signature, family: usize, args: Vec<SortId>) -> Option<SortId> {
        let key = (family, args);
        if let Some(&sort) = self.sorts.known.get(&key) {
            return Some(sort);
        }
        let mut name = format!("({}", quote(self.names.text(self.sorts.families[family].0)));
        for &arg in &key.1 {
            name.push(' ');
            name += &self.spelling(sig, arg);
            if name.len() > MAX_NAME {
                return None;
            }
        }
        name.push(')');
        let sort = sig.sorts.push(ramsey_core::logic::Sort::new(name));
        self.sorts.add_instance(Instance { family, args: key.1, sort });
        Some(sort)
    }
}

impl<'a> Script<'a> {
    /// Reads a sort.
    pub(super) fn sort(&mut self) -> Result<SortId> {
        let token = self.lexer.next()?;
        if let Token::Symbol(text) | Token::Quoted(text) = token {
            let name = self.front.names.intern(text);
            // Fast path for the most common case.
            if let Sort::Plain(sort) = self.front.names.entries[name].sort {
                return Ok(sort);
            }
        }
        let start = self.lexer.place();
        let expr = self.sort_expr(token, &[], 0)?;
        let place = start.to(self.lexer.place());
        self.sort_value(&expr, &[], place)
    }

    /// Reads a sort expression that starts with `token`.
    fn sort_expr(&mut self, token: Token<'a>, params: &[Name], depth: usize) -> Result<Expr> {
        let start = self.lexer.place();
        if depth > MAX_DEPTH {
            return Err(start.error(Code::TooDeep, "this sort is nested too deep", ""));
        }
        match token {
            Token::Symbol(_) | Token::Quoted(_) => {
                let name = self.symbol_of(token, "a sort")?;
                if let Some(index) = params.iter().position(|&param| param == name) {
                    return Ok(Expr::Param(index));
                }
                self.applied_sort(name, start, Vec::new())
            }
            Token::Open => {
                let head = self.lexer.next()?;
                if head == Token::Symbol("_") {
                    return Err(self.indexed(start, true));
                }
                let name = self.symbol_of(head, "a sort symbol")?;
                let place = self.lexer.place();
                let mut args = Vec::new();
                loop {
                    match self.lexer.next()? {
                        Token::Close => break,
                        token => args.push(self.sort_expr(token, params, depth + 1)?),
                    }
                }
                if args.is_empty() {
                    let place = start.to(self.lexer.place());
                    let message = "these parentheses apply a sort symbol to nothing";
                    return Err(place.error(Code::Syntax, message, "write the sort without parentheses"));
                }
                self.applied_sort(name, place, args)
            }
            _ => Err(self.expected("a sort", "")),
        }
    }

    fn applied_sort(&mut self, name: Name, place: Place, args: Vec<Expr>) -> Result<Expr> {
        let given = args.len();
        let sort = self.front.names.entries[name].sort;
        let (arity, expr) = match sort {
            Sort::None => return Err(self.undeclared_sort(name, place)),
            Sort::Plain(sort) => (0, Expr::Sort(sort)),
            Sort::Family(index) => (self.front.sorts.families[index].1, Expr::Family(index, args)),
            Sort::Definition(index) => {
                (self.front.sorts.definitions[index].arity, Expr::Definition(index, args))
            }
        };
        if arity == given {
            return Ok(expr);
        }
        let shown = quote(self.front.names.text(name));
        let message = format!("the sort symbol `{shown}` takes {}, not {given}", count(arity));
        Err(place.error(Code::Arity, message, ""))
    }

    fn undeclared_sort(&mut self, name: Name, place: Place) -> Failure {
        let text = self.front.names.text(name);
        if let Some(theory) = theory_of_sort(text) {
            let message = format!("`{text}` is a sort of the theory of {theory}, which is not supported");
            return place.error(Code::OutsideLogic, message, UNINTERPRETED);
        }
        let shown = quote(text);
        let hint = match self.suggestion(name, |entry| entry.sort != Sort::None) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("declare it: `(declare-sort {shown} 0)`"),
        };
        place.error(Code::Undeclared, format!("the sort `{shown}` is not declared"), hint)
    }

    /// Evaluates `expr` for the parameters `args`.
    fn sort_value(&mut self, expr: &Expr, args: &[SortId], place: Place) -> Result<SortId> {
        self.work(1, place)?;
        let (index, exprs, is_family) = match expr {
            Expr::Sort(sort) => return Ok(*sort),
            Expr::Param(index) => return Ok(args[*index]),
            Expr::Family(index, exprs) => (*index, exprs, true),
            Expr::Definition(index, exprs) => (*index, exprs, false),
        };
        let mut values = Vec::with_capacity(exprs.len());
        for expr in exprs {
            values.push(self.sort_value(expr, args, place)?);
        }
        if is_family {
            let sort = self.front.instance(self.sig, index, values);
            return sort.ok_or_else(|| place.error(Code::TooDeep, "this sort is nested too deep", ""));
        }
        let body = self.front.sorts.definitions[index].body.clone();
        self.sort_value(&body, &values, place)
    }

    /// Reads the arguments of `declare-sort`.
    pub(super) fn declare_sort(&mut self) -> Result<()> {
        let (name, _) = self.new_sort_name()?;
        let arity = match self.lexer.peek()? {
            Token::Close => 0,
            _ => self.numeral("the number of arguments of the sort")?,
        };
        if arity > MAX_ARITY {
            let message = format!("a sort of {arity} arguments is too large");
            return Err(self.lexer.place().error(Code::Syntax, message, format!("there may be {MAX_ARITY}")));
        }
        self.end()?;
        let sort = match arity {
            0 => Sort::Plain(self.plain_sort(name)),
            _ => Sort::Family(self.front.sorts.family(name, arity)),
        };
        self.bind_sort(name, sort);
        Ok(())
    }

    /// Reads the arguments of `define-sort`.
    pub(super) fn define_sort(&mut self) -> Result<()> {
        let (name, place) = self.new_sort_name()?;
        self.open("the parameters in parentheses")?;
        let mut params = Vec::new();
        loop {
            match self.lexer.next()? {
                Token::Close => break,
                token => {
                    let param = self.symbol_of(token, "a parameter or `)`")?;
                    if params.contains(&param) {
                        return Err(self.bound_twice(param, self.lexer.place()));
                    }
                    params.push(param);
                }
            }
        }
        let token = self.lexer.next()?;
        let body = self.sort_expr(token, &params, 0)?;
        self.end()?;
        let depth = self.front.sorts.depth(&body);
        if depth > MAX_DEPTH {
            return Err(place.error(Code::TooDeep, "definitions of sorts are nested too deep here", ""));
        }
        let sorts = &mut self.front.sorts;
        sorts.definitions.push(Definition { arity: params.len(), body, depth });
        let index = sorts.definitions.len() - 1;
        self.bind_sort(name, Sort::Definition(index));
        Ok(())
    }

    /// Reads the name of a sort to be declared.
    pub(super) fn new_sort_name(&mut self) -> Result<(Name, Place)> {
        let (name, place) = self.symbol("the name of the sort")?;
        self.check_new_sort(name, place)?;
        Ok((name, place))
    }

    /// Checks that no sort of this name is in scope.
    pub(super) fn check_new_sort(&self, name: Name, place: Place) -> Result<()> {
        if self.front.names.entries[name].sort == Sort::None {
            return Ok(());
        }
        let shown = quote(self.front.names.text(name));
        let hint = "choose another name, or declare it between `(push)` and `(pop)`";
        Err(place.error(Code::Duplicate, format!("the sort `{shown}` is declared already"), hint))
    }

    /// Returns the sort without arguments of this name. The last sort with this name is reused, if there was one.
    pub(super) fn plain_sort(&mut self, name: Name) -> SortId {
        if let Some(sort) = self.front.names.entries[name].last_sort {
            return sort;
        }
        let text = self.front.names.text(name).to_owned();
        let sort = self.sig.sorts.push(ramsey_core::logic::Sort::new(text));
        self.front.names.entries[name].last_sort = Some(sort);
        sort
    }

    /// Brings a sort into scope.
    pub(super) fn bind_sort(&mut self, name: Name, sort: Sort) {
        self.front.names.entries[name].sort = sort;
        self.front.declared.push(Declared::Sort(name));
    }
}

/// Returns a number of arguments in words.
pub(super) fn count(arity: usize) -> String {
    match arity {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{arity} arguments"),
    }
}
