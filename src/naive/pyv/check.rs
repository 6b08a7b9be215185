//! What names mean, in which state they are read, and what sorts variables have.

use std::collections::BTreeMap;

use super::tree::{Binder, Decl, Expr, Name};
use crate::refusal::{Result, refuse};

/// A sort by its name, or the one of a variable, which is to be inferred.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort<'t> {
    Known(&'t str),
    Of(usize),
}

/// The sort of formulas.
const BOOL: Sort<'static> = Sort::Known("bool");

/// What a name in a formula means. A state is counted from the first one that the formula speaks of.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    Variable(usize),
    /// A declaration, and the state that it is read in.
    Declared(usize, usize),
    /// All safety properties, and the state that they are read in.
    Safety(usize),
    /// `old(..)` of the older dialect.
    Old,
}

/// What is known of a model, and where its check is.
#[derive(Default)]
pub(super) struct Model<'m, 't> {
    pub(super) decls: &'m [Decl<'t>],
    /// Sorts with their numbers, and the declarations of all other names.
    pub(super) sorts: BTreeMap<&'t str, usize>,
    names: BTreeMap<&'t str, usize>,
    /// Variables by their numbers, and their sorts.
    binders: Vec<Binder<'t>>,
    variables: Vec<Sort<'t>>,
    /// By variable, the number of its sort in the end; `None` for `bool`.
    pub(super) numbers: Vec<Option<usize>>,
    /// By declaration, the variables in capital letters that are bound implicitly.
    pub(super) closures: Vec<Vec<Binder<'t>>>,
    /// By place in the text, what the name there means.
    pub(super) meanings: BTreeMap<usize, Meaning>,
    is_older: bool,
    /// The declaration that is checked, the state in which a symbol is read, and the variables in scope.
    here: usize,
    state: usize,
    in_old: bool,
    scope: Vec<Binder<'t>>,
    /// Its variables in capital letters so far; `None` where there are none.
    closure: Option<Vec<Binder<'t>>>,
}

impl<'m, 't> Model<'m, 't> {
    /// Checks declarations with these variables, in the older dialect or the newer one.
    pub(super) fn new(decls: &'m [Decl<'t>], binders: Vec<Binder<'t>>, is_older: bool) -> Result<Self> {
        let mut model = Model { decls, binders, is_older, ..Model::default() };
        for (index, decl) in decls.iter().enumerate() {
            let Some(name) = decl.name else { continue };
            let known = match decl.word {
                "sort" => model.sorts.insert(name.text, model.sorts.len()),
                _ => model.names.insert(name.text, index),
            };
            if known.is_some() {
                return refuse(name.at, format!("`{}` is declared twice", name.text));
            }
        }
        let sorts = model.binders.iter().filter_map(|binder| binder.sort);
        for sort in decls.iter().flat_map(|decl| decl.sorts.iter().copied()).chain(sorts) {
            if sort.text != "bool" && !model.sorts.contains_key(sort.text) {
                return refuse(sort.at, format!("the sort `{}` is not declared", sort.text));
            }
        }
        let sort = |var: &Binder<'t>| var.sort.map_or(Sort::Of(var.number), |sort| Sort::Known(sort.text));
        model.variables = model.binders.iter().map(sort).collect();
        for (index, decl) in decls.iter().enumerate() {
            model.here = index;
            let closure = model.decl(decl)?;
            model.closures.push(closure);
        }
        for variable in 0..model.variables.len() {
            let Sort::Known(sort) = model.resolved(Sort::Of(variable)) else {
                return refuse(model.binders[variable].name.at, "nothing tells the sort of this variable");
            };
            model.numbers.push(model.sorts.get(sort).copied());
        }
        Ok(model)
    }

    /// Brings the variables of a binder into scope.
    fn bind(&mut self, vars: &[Binder<'t>]) -> Result<()> {
        for (index, Binder { name, .. }) in vars.iter().enumerate() {
            if self.names.contains_key(name.text) {
                return refuse(name.at, format!("`{}` is declared, and no variable", name.text));
            }
            if vars[..index].iter().any(|other| other.name.text == name.text) {
                return refuse(name.at, format!("the variable `{}` is bound twice", name.text));
            }
        }
        self.scope.extend(vars);
        Ok(())
    }

    /// Checks a declaration. Returns the variables in capital letters of its formula.
    fn decl(&mut self, decl: &'m Decl<'t>) -> Result<Vec<Binder<'t>>> {
        for Name { text, at } in &decl.modifies {
            let is_mutable = self.names.get(text).is_some_and(|known| self.decls[*known].word == "mutable");
            if decl.states < 2 || !is_mutable {
                return refuse(*at, format!("`{text}` cannot be modified here"));
            }
        }
        for (name, args) in &decl.components {
            let called = self.names.get(name.text).map(|known| &self.decls[*known]);
            match (args, called) {
                (Some(formula), _) if name.text == "assert" => self.closed(&[], &formula[0]).map(|_| ())?,
                (None, Some(Decl { word: "transition", .. })) => {}
                (Some(args), Some(Decl { word: "transition", params, .. })) if params.len() == args.len() => {
                    let is_told = |(arg, _): &(&Expr<'_>, _)| arg.root.text != "*";
                    for (arg, param) in args.iter().zip(params).filter(is_told) {
                        self.scope.clear();
                        self.alike(std::slice::from_ref(arg), Some(Sort::Of(param.number)))?;
                    }
                }
                _ => return refuse(name.at, format!("`{}` is no transition that takes this", name.text)),
            }
        }
        decl.formula.as_ref().map_or(Ok(Vec::new()), |formula| self.closed(&decl.params, formula))
    }

    /// Checks a formula below parameters. Free names in capital letters are variables, which are returned.
    fn closed(&mut self, params: &[Binder<'t>], formula: &Expr<'t>) -> Result<Vec<Binder<'t>>> {
        self.closure = Some(Vec::new());
        self.scope.clear();
        self.bind(params)?;
        self.alike(std::slice::from_ref(formula), Some(BOOL))?;
        Ok(self.closure.take().unwrap_or_default())
    }

    /// Returns what is known of a sort.
    fn resolved(&self, mut sort: Sort<'t>) -> Sort<'t> {
        while let Sort::Of(variable) = sort
            && self.variables[variable] != sort
        {
            sort = self.variables[variable];
        }
        sort
    }

    /// Checks expressions of one sort, and returns it. It is `bool` if there are none.
    fn alike(&mut self, exprs: &[Expr<'t>], mut common: Option<Sort<'t>>) -> Result<Sort<'t>> {
        for expr in exprs {
            let found = self.expr(expr)?;
            match (self.resolved(found), self.resolved(*common.get_or_insert(found))) {
                (a, b) if a == b => {}
                (Sort::Of(variable), sort) | (sort, Sort::Of(variable)) => self.variables[variable] = sort,
                _ => return refuse(expr.root.at, "this has another sort than is expected here"),
            }
        }
        Ok(common.unwrap_or(BOOL))
    }

    fn expr(&mut self, expr: &Expr<'t>) -> Result<Sort<'t>> {
        let (parts, vars, outside) = (&expr.parts, &expr.vars, self.scope.len());
        let sort = match expr.root.text {
            "true" | "false" | "!" | "&" | "|" | "->" | "<->" => self.alike(parts, Some(BOOL))?,
            "=" | "!=" | "distinct" => self.alike(parts, None).map(|_| BOOL)?,
            "if" => {
                self.alike(&parts[..1], Some(BOOL))?;
                self.alike(&parts[1..], None)?
            }
            "forall" | "exists" => {
                self.bind(vars)?;
                self.alike(parts, Some(BOOL))?
            }
            "let" => {
                self.alike(&parts[..1], Some(Sort::Of(vars[0].number)))?;
                self.bind(vars)?;
                self.expr(&parts[1])?
            }
            "new" if self.state + 1 >= self.decls[self.here].states => {
                return refuse(expr.root.at, "there is no next state here");
            }
            "new" => {
                self.state += 1;
                let sort = self.expr(&parts[0])?;
                self.state -= 1;
                sort
            }
            _ => self.reference(expr)?,
        };
        self.scope.truncate(outside);
        Ok(sort)
    }

    /// Checks a name with its arguments, or `safety`.
    fn reference(&mut self, expr: &Expr<'t>) -> Result<Sort<'t>> {
        let Expr { root: Name { text, at }, primes, parts: args, .. } = expr;
        let here = &self.decls[self.here];
        if self.is_older && *text == "old" && !args.is_empty() {
            if here.states != 2 || self.in_old || args.len() != 1 {
                return refuse(*at, "`old` is for one expression, over two states, not in `old(..)` already");
            }
            self.meanings.insert(*at, Meaning::Old);
            self.in_old = true;
            let sort = self.expr(&args[0])?;
            self.in_old = false;
            return Ok(sort);
        }
        let is_capital = text.contains(char::is_uppercase) && !text.contains(char::is_lowercase);
        let mut bound = self.scope.iter().rev().chain(self.closure.iter().flatten());
        let mut var = bound.find(|var| var.name.text == *text).copied();
        if var.is_none() && is_capital && args.is_empty() && self.closure.is_some() {
            let new = Binder { name: expr.root, sort: None, number: self.variables.len() };
            self.bind(&[new])?;
            self.scope.pop();
            self.binders.push(new);
            self.variables.push(Sort::Of(new.number));
            self.closure.iter_mut().for_each(|closure| closure.push(new));
            var = Some(new);
        }
        if let Some(var) = var {
            if *primes > 0 || !args.is_empty() {
                return refuse(*at, "a variable has no primes and no arguments");
            }
            self.meanings.insert(*at, Meaning::Variable(var.number));
            return Ok(Sort::Of(var.number));
        }
        let known = self.names.get(text).copied();
        let Some(found) = known.map(|index| &self.decls[index]).or((*text == "safety").then_some(here))
        else {
            return refuse(*at, format!("`{text}` is not declared"));
        };
        // How many states it is about; in the older dialect, in which one of them what is about one is read.
        let states = match (known, found.word) {
            (_, "immutable") => 0,
            (None, _) => 1,
            _ => found.states,
        };
        let is_kept = (here.word, found.word) == ("transition", "mutable")
            && here.modifies.iter().all(|name| name.text != *text);
        let is_new = self.is_older && here.states == 2 && !self.in_old && states == 1 && !is_kept;
        let state = self.state + primes + usize::from(is_new);
        // What is about no state is the same in all; a formula about none can be primed where the state exists.
        let is_there = state + states.max(1) <= here.states || states == 0 && *primes == 0;
        if !is_there || found.word == "immutable" && *primes > 0 || self.in_old && states == 2 {
            return refuse(*at, "there is no such state here, or it makes no difference");
        }
        let Some(index) = known else {
            self.meanings.insert(*at, Meaning::Safety(state));
            return Ok(BOOL);
        };
        self.meanings.insert(*at, Meaning::Declared(index, state));
        let (sorts, result): (Vec<Sort<'t>>, _) = match found.sorts.split_last() {
            Some((result, args)) => (args.iter().map(|arg| Sort::Known(arg.text)).collect(), result.text),
            None => (found.params.iter().map(|param| Sort::Of(param.number)).collect(), "bool"),
        };
        if args.len() != sorts.len() {
            return refuse(*at, format!("`{text}` has another number of arguments"));
        }
        for (arg, sort) in args.iter().zip(sorts) {
            self.alike(std::slice::from_ref(arg), Some(sort))?;
        }
        Ok(Sort::Known(result))
    }
}
