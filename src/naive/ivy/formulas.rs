//! Formulas of the program: names resolved, free variables bound, definitions of functions and calls expanded.

use std::rc::Rc;

use super::expr::MODULE_OPERATORS;
use super::state::{Context, Found, Known, MAX_NODES, Program, once, parameter};
use super::tokens::{is_number, is_variable};
use super::tree::{Binder, Expr, Kind, Name};
use crate::program::term::{Term, What, applied_name, block, node, operator, variable};
use crate::program::tree::{Command, Role, Variable};
use crate::refusal::{Result, refuse, uncovered};

/// How deep definitions may be in each other.
const MAX_OPEN: usize = 100;

/// Returns the sign of what a module has as an argument that is no name, and how many operands it has.
fn argument_sign(text: &str) -> Option<(&'static str, usize)> {
    match text {
        "true" => Some(("&", 0)),
        "false" => Some(("|", 0)),
        _ => MODULE_OPERATORS.into_iter().find(|sign| *sign == text).map(|sign| (sign, 2)),
    }
}

impl<'d> Program<'d> {
    /// Returns a formula below quantifiers over its free variables, and over the parameters of the objects around it.
    pub(super) fn closed(&mut self, formula: &Expr, context: &Context) -> Result<(Term, Vec<Command>)> {
        let mut context = context.clone();
        let mut vars = self.scope_vars(&mut context);
        let mut found = Found::default();
        let body = self.expr(formula, &mut context, &mut found)?;
        vars.retain(|var| body.has(&|what| *what == What::Variable(*var)));
        vars.append(&mut found.free);
        Ok((block("!", vars, body), found.before))
    }

    /// Returns a term or formula whose free variables have been found before.
    pub(super) fn right_side(
        &mut self,
        expr: &Expr,
        context: &mut Context,
        found: &mut Found,
    ) -> Result<Term> {
        let known = found.free.len();
        let term = self.expr(expr, context, found)?;
        if found.free.len() > known { refuse(expr.at, "a variable here is bound nowhere") } else { Ok(term) }
    }

    /// Returns a term or formula without free variables.
    pub(super) fn bound_expr(
        &mut self,
        expr: &Expr,
        context: &Context,
        out: &mut Vec<Command>,
    ) -> Result<Term> {
        let mut found = Found::default();
        let term = self.right_side(expr, &mut context.clone(), &mut found)?;
        out.append(&mut found.before);
        Ok(term)
    }

    /// Brings the parameters of the objects around into scope, as new variables, unless they are known already.
    pub(super) fn scope_vars(&mut self, context: &mut Context) -> Vec<usize> {
        let mut vars = Vec::new();
        for (at, param) in self.scopes.params(context.scope).into_iter().enumerate() {
            if context.get(&parameter(at)).is_none() {
                let source = param.name.text.clone();
                let var = self.bound(param);
                context.bind(parameter(at), var);
                // A variable of the formula with this name is another one.
                if !is_variable(&source) {
                    context.bind(source, var);
                }
                vars.push(var);
            }
        }
        vars
    }

    pub(super) fn expr(&mut self, expr: &Expr, context: &mut Context, found: &mut Found) -> Result<Term> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return refuse(expr.at, "the program is too large");
        }
        match &expr.kind {
            Kind::Name { text, sort, is_old } => {
                let sort = sort.as_ref().map(|sort| self.scopes.sort(context.scope, sort));
                let name = Name { text: text.clone(), at: expr.at };
                if *is_old {
                    return self.old_name(&name, &expr.parts, context, found);
                }
                if is_number(text) {
                    let sort = sort.filter(|sort| **sort != *"bool");
                    return Ok(self.overload(Binder { name, sort }, Vec::new()));
                }
                self.name(&name, sort, &expr.parts, context, found)
            }
            Kind::Block(sign, vars) => {
                let (outside, is_bound) = (context.known.len(), context.is_bound);
                let mut bound = Vec::new();
                once(vars)?;
                for var in vars {
                    let new = self.scopes.typed(context.scope, var);
                    let new = self.bound(new);
                    context.bind(var.name.text.clone(), new);
                    bound.push(new);
                }
                context.is_bound = true;
                let body = self.expr(&expr.parts[0], context, found)?;
                context.is_bound = is_bound;
                context.known.truncate(outside);
                block(sign, bound, body).sized(expr.at)
            }
            Kind::Operator(sign) => self.operation(sign, &expr.parts, expr.at, context, found),
        }
    }

    fn operation(
        &mut self,
        sign: &'static str,
        parts: &[Expr],
        at: usize,
        context: &mut Context,
        found: &mut Found,
    ) -> Result<Term> {
        if matches!(sign, "<=" | ">" | ">=") && self.version < 6 {
            return refuse(at, "nothing relates this order to `<` in this version");
        }
        let parts = self.list(parts, context, found)?;
        let term = match sign {
            "+" | "-" | "*" | "/" => return uncovered(at, "arithmetic"),
            "->" => operator(">", parts),
            "~=" => operator("~", vec![operator("=", parts)]),
            "<" | ">" | "<=" | ">=" => self.comparison(sign, at, parts),
            sign => operator(sign, parts),
        };
        term.sized(at)
    }

    /// Returns an order or numeral, whose type may be open.
    fn overload(&mut self, binder: Binder, args: Vec<Term>) -> Term {
        let var = self.bound(binder);
        node(What::Overload(var), args)
    }

    fn comparison(&mut self, sign: &str, at: usize, mut sides: Vec<Term>) -> Term {
        let less = Binder { name: Name { text: "<".into(), at }, sort: None };
        if sign == ">" {
            sides.reverse();
        }
        if matches!(sign, "<" | ">") {
            return self.overload(less, sides);
        }
        // Both sides occur twice.
        let side = || Binder { name: Name { text: "side".into(), at }, sort: None };
        let vars = [self.bound(side()), self.bound(side())];
        let mut read = vars.map(variable);
        let equal = operator("=", read.to_vec());
        if sign == ">=" {
            read.reverse();
        }
        let either = operator("|", vec![self.overload(less, read.to_vec()), equal]);
        let right = sides.remove(1);
        let inner = node(What::Let(vars[1]), vec![right, either]);
        node(What::Let(vars[0]), vec![sides.remove(0), inner])
    }

    fn list(&mut self, exprs: &[Expr], context: &mut Context, found: &mut Found) -> Result<Vec<Term>> {
        exprs.iter().map(|expr| self.expr(expr, context, found)).collect()
    }

    /// Makes sure that a variable has a type that is given where it occurs.
    fn give(&mut self, var: usize, sort: Option<Rc<str>>, at: usize) -> Result<()> {
        let Some(sort) = sort else { return Ok(()) };
        let known = self.variables[var].sort.get_or_insert_with(|| Name { text: sort.clone(), at });
        if known.text == sort { Ok(()) } else { refuse(at, "the variable has another type elsewhere") }
    }

    fn name(
        &mut self,
        name: &Name,
        sort: Option<Rc<str>>,
        args: &[Expr],
        context: &mut Context,
        found: &mut Found,
    ) -> Result<Term> {
        let known = context.get(&name.text).cloned();
        match known {
            Some(Known::Variable(var)) if args.is_empty() => {
                self.give(var, sort, name.at)?;
                return Ok(variable(var));
            }
            Some(Known::Symbol(text)) => {
                let args = self.list(args, context, found)?;
                return Ok(applied_name(Name { text, at: name.at }, args));
            }
            Some(Known::Free(text)) if args.is_empty() => {
                return self.free(Name { text, at: name.at }, sort, found);
            }
            _ if is_variable(&name.text) => return self.free(name.clone(), sort, found),
            _ => {}
        }
        // The argument of an instance may be an operator, or a value of `bool`.
        let meant = self.scopes.resolve(context.scope, &name.text).0;
        if let Some((sign, count)) = argument_sign(&meant).filter(|_| sort.is_none())
            && args.len() == count
        {
            return self.operation(sign, args, name.at, context, found);
        }
        let args = self.list(args, context, found)?;
        let (full, mut all) = self.global(name, context, found)?;
        // The argument of an instance may be a numeral.
        if is_number(&full) && args.is_empty() {
            return Ok(self.overload(Binder { name: Name { text: full, at: name.at }, sort: None }, args));
        }
        all.extend(args.iter().cloned());
        if self.actions.contains_key(&full) {
            return self.called_value(&full, all, name.at, context, found);
        }
        if self.functions.contains_key(&full) {
            return self.defined_function(&full, all, name.at, context, found);
        }
        if !self.globals.contains(&full) {
            if let Some(path) = self.path(name, &args, context, found)? {
                return Ok(path.read());
            }
            if let Some((action, value)) = self.method(name, context, found)? {
                let args = std::iter::once(value).chain(args).collect();
                return self.called_value(&action, args, name.at, context, found);
            }
            if let Some((function, args)) = self.applied(name, &args, context, found)? {
                if self.functions.contains_key(&function) {
                    return self.defined_function(&function, args, name.at, context, found);
                }
                return Ok(applied_name(Name { text: function, at: name.at }, args));
            }
            let params = self.scopes.params(context.scope);
            let at = params.iter().position(|param| is_variable(&full) && param.name.text == full);
            return match at.and_then(|at| context.get(&parameter(at)).cloned()) {
                // The argument of an instance that is a parameter of the instance.
                Some(Known::Variable(var)) if all.is_empty() => Ok(variable(var)),
                Some(Known::Free(text)) if all.is_empty() => {
                    self.free(Name { text, at: name.at }, None, found)
                }
                _ => unknown(name),
            };
        }
        if !self.symbols.contains_key(&full) && !self.defined.contains(&full) {
            return refuse(name.at, format!("`{}` is the name of a claim", name.text));
        }
        Ok(applied_name(Name { text: full, at: name.at }, all))
    }

    /// Returns a variable that is not bound.
    fn free(&mut self, name: Name, sort: Option<Rc<str>>, found: &mut Found) -> Result<Term> {
        let at = name.at;
        let is_it = |var: &&usize| self.variables[**var].name.text == name.text;
        let known = found.free.iter().find(is_it).copied();
        let var = known.unwrap_or_else(|| self.bound(Binder { name, sort: None }));
        if known.is_none() {
            found.free.push(var);
        }
        self.give(var, sort, at).map(|()| variable(var))
    }

    /// Returns a name of the program, with the parameters of the objects that declare it as arguments.
    pub(super) fn global(
        &mut self,
        name: &Name,
        context: &Context,
        found: &mut Found,
    ) -> Result<(Rc<str>, Vec<Term>)> {
        let (full, params) = self.scopes.resolve(context.scope, &name.text);
        let hidden = name.text.split_once('.').and_then(|(first, _)| context.get(first));
        if hidden.is_some() && self.globals.contains(&full) {
            return refuse(name.at, "a variable hides the object with this name");
        }
        let mut args = Vec::new();
        for at in 0..params {
            match context.get(&parameter(at)).cloned() {
                Some(Known::Variable(var)) => args.push(variable(var)),
                Some(Known::Free(text)) => args.push(self.free(Name { text, at: name.at }, None, found)?),
                _ => {}
            }
        }
        Ok((full, args))
    }

    /// Returns what a symbol or a parameter was before the action.
    fn old_name(
        &mut self,
        name: &Name,
        args: &[Expr],
        context: &mut Context,
        found: &mut Found,
    ) -> Result<Term> {
        if context.get(&name.text).is_none() {
            let (full, mut all) = self.global(name, context, found)?;
            // An action is executed where the call stands.
            if self.actions.contains_key(&full) {
                all.extend(self.list(args, context, found)?);
                return self.called_value(&full, all, name.at, context, found);
            }
        }
        let Some(action) = context.action.clone() else {
            return refuse(name.at, "there is no state before");
        };
        let args = self.list(args, context, found)?;
        match context.get(&name.text) {
            Some(Known::Variable(var)) if args.is_empty() => return self.old_variable(*var, name.at),
            // A parameter of a macro may stand for a symbol of the program.
            Some(Known::Symbol(symbol)) if !self.is_helper(symbol) => {
                let text = self.kept_before(&symbol.clone(), &action);
                return Ok(applied_name(Name { text, at: name.at }, args));
            }
            Some(_) => return refuse(name.at, "this was nothing before the action"),
            None => {}
        }
        let (full, mut all) = self.global(name, context, found)?;
        if !self.symbols.contains_key(&full) {
            let Some(mut path) = self.path(name, &args, context, found)? else {
                return unknown(name);
            };
            // The field of what its value was.
            match path.var {
                Some(var) => {
                    let before = self.old_variable(var, name.at)?;
                    path.var = if let What::Variable(var) = before.what { Some(var) } else { None };
                }
                None => {
                    path.name.text = self.kept_before(&path.name.text, &action);
                    path.expanded = None;
                }
            }
            return Ok(path.read());
        }
        all.extend(args);
        let text = self.kept_before(&full, &action);
        Ok(applied_name(Name { text, at: name.at }, all))
    }

    /// Returns the symbol that keeps what another one was before an action.
    fn kept_before(&mut self, symbol: &Rc<str>, action: &Rc<str>) -> Rc<str> {
        self.old.entry(action.clone()).or_default().insert(symbol.clone());
        let kept: Rc<str> = format!("{symbol}@{action}").into();
        let sorts = self.symbols[symbol].clone();
        self.symbols.insert(kept.clone(), sorts);
        kept
    }

    fn old_variable(&mut self, var: usize, at: usize) -> Result<Term> {
        let Some(local) = self.locals.iter().find(|local| local.var == var) else {
            // A variable of the formula is in no state.
            return Ok(variable(var));
        };
        let is_assigned = local.is_assigned;
        let Some(call) = self.calling.last().filter(|call| call.params.contains(&var)) else {
            return refuse(at, "this was nothing before the action");
        };
        if !is_assigned {
            return Ok(variable(var));
        }
        if let Some((_, copy)) = call.old.iter().find(|(known, _)| *known == var) {
            return Ok(variable(*copy));
        }
        let source = &self.variables[var];
        let name = Name { text: format!("{}@old", source.name.text).into(), at };
        let sort = source.sort.clone();
        self.variables.push(Variable { name, sort, role: Role::Slot(0) });
        let copy = self.variables.len() - 1;
        self.calling.last_mut().into_iter().for_each(|call| call.old.push((var, copy)));
        Ok(variable(copy))
    }

    /// Returns the value of a function with a definition.
    pub(super) fn defined_function(
        &mut self,
        full: &Rc<str>,
        args: Vec<Term>,
        at: usize,
        context: &Context,
        found: &mut Found,
    ) -> Result<Term> {
        let function = self.functions[full];
        if self.open.contains(full) || self.open.len() == MAX_OPEN {
            return refuse(at, "the definition uses itself, or uses are nested too deep");
        }
        let mut params = self.scopes.params(function.scope);
        let outer = params.len();
        let declared = self.symbols[full].args.clone();
        for param in function.params {
            let mut param = self.scopes.typed(function.scope, param);
            param.sort = param.sort.or_else(|| declared.get(params.len()).cloned());
            params.push(param);
        }
        if params.len() != args.len() {
            return refuse(at, format!("`{full}` has another number of arguments"));
        }
        let mut inside = Context { scope: function.scope, known: Vec::new(), ..context.clone() };
        let mut lets = Vec::new();
        for (number, (param, value)) in params.into_iter().zip(args).enumerate() {
            let source = param.name.text.clone();
            let var = self.bound(param);
            if number < outer {
                inside.bind(parameter(number), var);
            }
            inside.bind(source, var);
            lets.push((var, value));
        }
        self.open.push(full.clone());
        let mut own = Found::default();
        let body = self.right_side(function.value, &mut inside, &mut own)?;
        found.before.append(&mut own.before);
        self.open.pop();
        let within = |body, (var, value)| node(What::Let(var), vec![value, body]);
        lets.into_iter().rev().fold(body, within).sized(at)
    }

    /// Executes a call before the command with the expression, and returns its result.
    fn called_value(
        &mut self,
        full: &Rc<str>,
        args: Vec<Term>,
        at: usize,
        context: &Context,
        found: &mut Found,
    ) -> Result<Term> {
        if !context.calls || context.is_bound {
            return refuse(at, format!("the action `{full}` cannot be called here"));
        }
        self.call_for_value(full, args, at, context, &mut found.before)
    }
}

/// Refuses a name that nothing has. With several parts, it may be a member of a value, which is not covered.
pub(super) fn unknown<T>(name: &Name) -> Result<T> {
    if name.text.contains('.') {
        return uncovered(name.at, "members of values");
    }
    refuse(name.at, format!("`{}` is not declared", name.text))
}
