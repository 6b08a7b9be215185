//! Actions: their monitors, the transitions of the program, and calls, which are executed in their places.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::scopes::Flat;
use super::state::{Call, Context, Found, Local, Part, Parts, Program, assign, block, parameter, symbol};
use super::statements::{Caller, Frame, Target};
use super::tokens::is_variable;
use super::tree::{Action, Binder, DeclKind, Kind, Name, Stmt, StmtKind, When};
use crate::program::term::{Term, What, applied_name, variable};
use crate::program::tree::{Branch, Command, Item, Role, Variable};
use crate::refusal::{Result, refuse, uncovered};

/// How deep calls may be in each other.
const MAX_CALLS: usize = 100;

/// Where the results of a call go: to places, or the only one to a new variable.
pub(super) enum Results {
    Targets(Vec<Target>),
    Variable(usize),
}

impl<'d> Program<'d> {
    pub(super) fn declare_action(&mut self, Flat { decl, scope, is_trusted }: Flat<'d>) -> Result<()> {
        let DeclKind::Action(action) = &decl.kind else { return Ok(()) };
        let full = self.scopes.resolve(scope, &action.name.text).0;
        let declared = Part { scope, action, body: action.body.as_deref().unwrap_or_default(), is_trusted };
        let own = action.body.is_some().then_some(declared);
        let parts = Parts { declared, before: Vec::new(), own, after: Vec::new() };
        if self.actions.insert(full.clone(), parts).is_some() {
            return refuse(action.name.at, "the action is declared twice");
        }
        self.globals.insert(full.clone());
        self.order.push(full);
        Ok(())
    }

    /// Adds monitors and marks to actions.
    pub(super) fn attach(&mut self, Flat { decl, scope, is_trusted }: Flat<'d>) -> Result<()> {
        let name = match &decl.kind {
            DeclKind::Export(name) | DeclKind::Import(name) => name,
            DeclKind::Monitor(_, action) => &action.name,
            _ => return Ok(()),
        };
        let full = self.scopes.resolve(scope, &name.text).0;
        let Some(parts) = self.actions.get_mut(&full) else {
            return refuse(name.at, format!("the action `{}` is not declared", name.text));
        };
        match &decl.kind {
            DeclKind::Export(_) if !self.exported.contains(&full) => self.exported.push(full),
            DeclKind::Monitor(when, action) => {
                let count =
                    |scope, it: &Action| self.scopes.params(scope).len() + it.params.iter().flatten().count();
                let declared = &parts.declared;
                let has_params = count(scope, action) >= count(declared.scope, declared.action);
                let has_results = action.results.len() >= declared.action.results.len();
                let of = (&*full, declared.scope);
                let is_whole = has_params && has_results;
                if !is_whole && !self.scopes.gives_params(scope, &name.text, of, has_params) {
                    return refuse(name.at, "the parameters of the action are not known here");
                }
                let is_of_action = self.scopes.is_argument(scope, &name.text);
                let is_trusted = if is_of_action { declared.is_trusted } else { is_trusted };
                let body = action.body.as_deref().unwrap_or_default();
                let part = |body| Part { scope, action, body, is_trusted };
                match when {
                    // An empty block may be all that a declaration has.
                    When::Implement
                        if parts.own.as_ref().is_some_and(|own| {
                            !(own.body.is_empty() && std::ptr::eq(own.action, parts.declared.action))
                        }) =>
                    {
                        return refuse(name.at, "the action has statements already");
                    }
                    When::Implement => parts.own = Some(part(body)),
                    When::Before => parts.before.push(part(body)),
                    When::After => parts.after.push(part(body)),
                    When::Around => match body.iter().position(|stmt| matches!(stmt.kind, StmtKind::Rest)) {
                        Some(at) if at > 0 && at + 1 < body.len() => {
                            parts.before.push(part(&body[..at]));
                            parts.after.push(part(&body[at + 1..]));
                        }
                        _ => return refuse(name.at, "`around` has statements on both sides of `...`"),
                    },
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the loop, whose branches are the exported actions, and the actions that nothing executes.
    pub(super) fn transitions(&mut self, is_closed: bool, items: &mut Vec<Item>) -> Result<()> {
        let mut exported = self.exported.clone();
        let mut caller = Caller::Environment;
        if exported.is_empty() && self.version < 7 && !is_closed {
            exported.clone_from(&self.order);
            // Where nothing is exported, nobody is said to keep to what actions require.
            caller = Caller::Program;
        }
        let mut branches = Vec::new();
        for name in &exported {
            self.check_growth(name, &self.actions[name])?;
            branches.push(self.transition(name, caller)?);
        }
        let at = branches.first().and_then(|it| it.name.as_ref()).map(|name| name.at);
        let mut unused = Vec::new();
        for name in self.order.clone() {
            if !exported.contains(&name) && !self.called.contains(&name) {
                let branch = self.transition(&name, Caller::Environment)?;
                unused.push(Command::Choice(vec![Branch { name: None, ..branch }]));
            }
        }
        items.push(Item::Unused(unused));
        items.extend(at.map(|at| Item::While(vec![Command::Choice(branches)], at)));
        self.number(items);
        Ok(())
    }

    /// Numbers parameters and local variables in the order of the program.
    fn number(&mut self, items: &[Item]) {
        fn vars(commands: &[Command], found: &mut Vec<usize>) {
            for command in commands {
                match command {
                    Command::Local(vars) => found.extend(vars),
                    Command::If(_, a, b) => [a, b].iter().for_each(|side| vars(side, found)),
                    Command::Choice(branches) => branches.iter().for_each(|branch| {
                        found.extend(&branch.params);
                        vars(&branch.body, found);
                    }),
                    _ => {}
                }
            }
        }
        let mut found = [Vec::new(), Vec::new(), Vec::new()];
        for item in items {
            match item {
                Item::Command(command) => vars(std::slice::from_ref(command), &mut found[0]),
                Item::While(commands, _) => vars(commands, &mut found[1]),
                Item::Unused(commands) => vars(commands, &mut found[2]),
                _ => {}
            }
        }
        for (number, var) in found.into_iter().flatten().enumerate() {
            self.variables[var].role = Role::Slot(number);
        }
    }

    /// Returns the transition that is an action.
    fn transition(&mut self, full: &Rc<str>, caller: Caller) -> Result<Branch> {
        let parts = self.actions[full].clone();
        self.locals.clear();
        let changed = self.changed_in(&parts);
        let mut params = Vec::new();
        for Binder { name, sort } in self.formals(parts.declared) {
            params.push(self.local(&name, sort, changed.contains(&name.text))?);
        }
        let mut body = Vec::new();
        for (scope, formula) in self.trusted.clone() {
            body.push(Command::Assume(self.closed(formula, &Context::of(scope))?.0));
        }
        let results = self.results(parts.declared, &params, &changed, &mut body)?;
        self.execute(full, &parts, &params, &results, caller, &mut body)?;
        let name = Name { text: full.clone(), at: parts.declared.action.name.at };
        Ok(Branch { name: Some(name), params, body })
    }

    /// Returns the parameters of an action, after those of the objects around it. A type is that of the variables before it
    /// which have none.
    fn formals(&self, Part { scope, action, .. }: Part<'d>) -> Vec<Binder> {
        let mut formals = self.scopes.params(scope);
        formals.extend(action.params.iter().flatten().map(|param| self.scopes.typed(scope, param)));
        let mut sort = None;
        for formal in formals.iter_mut().rev() {
            sort = formal.sort.clone().or(sort);
            formal.sort.clone_from(&sort);
        }
        formals
    }

    /// Declares the results of an action. One with the name of a parameter has the value of that at first.
    fn results(
        &mut self,
        declared: Part<'d>,
        params: &[usize],
        changed: &BTreeSet<Rc<str>>,
        out: &mut Vec<Command>,
    ) -> Result<Vec<usize>> {
        let formals = self.formals(declared);
        let mut results = Vec::new();
        for result in &declared.action.results {
            let Binder { name, sort } = self.scopes.typed(declared.scope, result);
            let same = formals.iter().position(|formal| formal.name.text == name.text);
            let var = self.local(&name, sort, same.is_some() || changed.contains(&name.text))?;
            results.push(var);
            out.push(Command::Local(vec![var]));
            if let Some(param) = same {
                out.push(assign(self.slot(var), Vec::new(), variable(params[param])));
            }
        }
        Ok(results)
    }

    /// Brings a parameter or local variable of commands into scope, under a name that nothing else in scope has.
    pub(super) fn local(&mut self, name: &Name, sort: Option<Rc<str>>, is_assigned: bool) -> Result<usize> {
        let Some(sort) = sort else {
            return refuse(name.at, format!("nothing tells the type of `{}`", name.text));
        };
        let plain =
            if is_variable(&name.text) { name.text.to_ascii_lowercase().into() } else { name.text.clone() };
        let in_scope: BTreeSet<&Rc<str>> =
            self.locals.iter().map(|local| &self.variables[local.var].name.text).collect();
        let mut text: Rc<str> = plain.clone();
        let mut count = 0;
        while self.globals.contains(&text) || in_scope.contains(&text) {
            count += 1;
            text = format!("{plain}_{count}").into();
        }
        let var = self.variables.len();
        let sort = Some(Name { text: sort, at: name.at });
        self.variables.push(Variable { name: Name { text, at: name.at }, sort, role: Role::Slot(0) });
        self.locals.push(Local { var, source: name.text.clone(), is_assigned });
        Ok(var)
    }

    /// Executes all parts of an action.
    fn execute(
        &mut self,
        full: &Rc<str>,
        parts: &Parts<'d>,
        params: &[usize],
        results: &[usize],
        caller: Caller,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        let own = params.iter().chain(results).copied().collect();
        self.calling.push(Call { action: full.clone(), params: own, old: Vec::new() });
        let mut body = Vec::new();
        let all = [(&parts.before, true), (&parts.own.into_iter().collect(), false), (&parts.after, false)];
        for (list, is_before) in all {
            for part in list {
                let context = self.context_of(full, parts, *part, params, results)?;
                self.stmts(part.body, &mut Frame { context, caller, is_before }, &mut body)?;
            }
        }
        // What is kept of the state before, and of parameters, each in front of what was before it.
        let at = parts.declared.action.name.at;
        for (param, copy) in self.calling.pop().map(|call| call.old).unwrap_or_default().into_iter().rev() {
            out.push(Command::Local(vec![copy]));
            out.push(assign(self.slot(copy), Vec::new(), variable(param)));
        }
        for old in self.old.get(full).cloned().into_iter().flatten().rev() {
            let mut vars = Vec::new();
            for number in 1..=self.symbols[&old].args.len() {
                vars.push(self.logical(&format!("X{number}"), at));
            }
            let args: Vec<Term> = vars.into_iter().map(variable).collect();
            let value = if self.functions.contains_key(&old) {
                let context = Context::of(0);
                self.defined_function(&old, args.clone(), at, &context, &mut Found::default())?
            } else {
                applied_name(Name { text: old.clone(), at }, args.clone())
            };
            let name = Name { text: format!("{old}@{full}").into(), at };
            out.push(assign(symbol(name), args, value));
        }
        out.append(&mut body);
        Ok(())
    }

    /// Returns the place of the statements of a part of an action.
    fn context_of(
        &mut self,
        full: &Rc<str>,
        parts: &Parts<'d>,
        part: Part<'d>,
        params: &[usize],
        results: &[usize],
    ) -> Result<Context> {
        let Part { scope, action: declared, .. } = parts.declared;
        let mut context = Context::of(part.scope);
        context.action = Some(full.clone());
        context.calls = true;
        context.is_trusted = part.is_trusted;
        let outer = self.scopes.params(scope);
        let around = self.scopes.params(part.scope);
        let sort = |it: &Binder| it.sort.clone();
        let is_same = |(a, b): (&Binder, &Binder)| a.name.text == b.name.text && sort(a) == sort(b);
        if around.len() != outer.len() || !around.iter().zip(&outer).all(is_same) {
            return uncovered(part.action.name.at, "monitors in objects with other parameters");
        }
        for (at, (param, var)) in outer.iter().zip(params).enumerate() {
            context.bind(parameter(at), *var);
            if !is_variable(&param.name.text) {
                context.bind(param.name.text.clone(), *var);
            }
        }
        let expected = declared.params.as_deref().unwrap_or_default();
        let params_named = expected;
        let own_params = part.action.params.as_deref();
        let own_results = Some(&part.action.results[..]).filter(|results| !results.is_empty());
        let lists =
            [(own_params, expected, &params[outer.len()..]), (own_results, &declared.results, results)];
        for (own, expected, vars) in lists {
            if own.is_some_and(|own| own.len() != expected.len()) {
                return refuse(part.action.name.at, "this takes another number of parameters or results");
            }
            for ((own, known), var) in own.unwrap_or(expected).iter().zip(expected).zip(vars) {
                let is_own = !std::ptr::eq(own, known);
                let is_named = |vars: &[Binder]| vars.iter().any(|var| var.name.text == known.name.text);
                if own.name.text != known.name.text && is_named(params_named) && is_named(&declared.results) {
                    return refuse(own.name.at, "what is a parameter and a result has no other name");
                }
                if let (true, Some(given), Some(sort)) = (is_own, &own.sort, &known.sort)
                    && self.scopes.sort(part.scope, given) != self.scopes.sort(scope, sort)
                {
                    return refuse(own.name.at, "the parameter has another type in the action");
                }
                context.bind(own.name.text.clone(), *var);
            }
        }
        Ok(context)
    }

    /// Executes a call in an expression. Returns the variable with its result.
    pub(super) fn call_for_value(
        &mut self,
        full: &Rc<str>,
        args: Vec<Term>,
        at: usize,
        context: &Context,
        out: &mut Vec<Command>,
    ) -> Result<Term> {
        let parts = self.actions[full].clone();
        let [result] = &parts.declared.action.results[..] else {
            return refuse(at, format!("the action `{full}` returns no single value"));
        };
        let Binder { name, sort } = self.scopes.typed(parts.declared.scope, result);
        let same = self.formals(parts.declared).iter().any(|formal| formal.name.text == name.text);
        let is_assigned = same || self.changed_in(&parts).contains(&name.text);
        let var = self.local(&name, sort, is_assigned)?;
        out.push(Command::Local(vec![var]));
        self.call(full, args, Results::Variable(var), at, context, out)?;
        Ok(variable(var))
    }

    /// Executes a call: the parts of the action, with its parameters and results as local variables.
    pub(super) fn call(
        &mut self,
        full: &Rc<str>,
        args: Vec<Term>,
        wanted: Results,
        at: usize,
        context: &Context,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        let parts = self.actions[full].clone();
        self.called.insert(full.clone());
        if self.calling.iter().any(|call| call.action == *full) || self.calling.len() >= MAX_CALLS {
            return refuse(at, format!("`{full}` is called while it is executed"));
        }
        let formals = self.formals(parts.declared);
        let count = parts.declared.action.results.len();
        let is_other = |targets: &Vec<Target>| targets.len() != count;
        if formals.len() != args.len() || matches!(&wanted, Results::Targets(targets) if is_other(targets)) {
            return refuse(at, format!("`{full}` takes another number of arguments or results"));
        }
        self.check_growth(full, &parts)?;
        let outside = self.locals.len();
        let changed = self.changed_in(&parts);
        let (mut body, mut params) = (Vec::new(), Vec::new());
        for (Binder { name, sort }, arg) in formals.iter().zip(args) {
            match self.constant(&arg, sort.as_ref()) {
                Some(same) if !changed.contains(&name.text) => params.push(same),
                _ => {
                    let var = self.local(name, sort.clone(), true)?;
                    params.push(var);
                    body.push(Command::Local(vec![var]));
                    body.push(assign(self.slot(var), Vec::new(), arg));
                }
            }
        }
        let (results, targets) = match wanted {
            Results::Variable(var) => {
                let result = &parts.declared.action.results[0].name.text;
                if let Some(param) = formals.iter().position(|formal| formal.name.text == *result) {
                    body.push(assign(self.slot(var), Vec::new(), variable(params[param])));
                }
                (vec![var], Vec::new())
            }
            Results::Targets(targets) => {
                (self.results(parts.declared, &params, &changed, &mut body)?, targets)
            }
        };
        let caller = match (&context.action, context.is_trusted) {
            (None, _) => Caller::Initializer,
            (Some(_), true) => Caller::Trusted,
            (Some(_), false) => Caller::Program,
        };
        self.execute(full, &parts, &params, &results, caller, &mut body)?;
        for (target, result) in targets.into_iter().zip(results) {
            self.assign_to(target, variable(result), &mut body)?;
        }
        self.locals.truncate(outside);
        out.push(block(body));
        Ok(())
    }

    /// Returns the variable of this type that a term is, if its value never changes.
    fn constant(&self, term: &Term, sort: Option<&Rc<str>>) -> Option<usize> {
        let What::Variable(var) = term.what else { return None };
        let is_it = |local: &&Local| local.var == var && !local.is_assigned;
        self.locals.iter().find(is_it)?;
        let known = self.variables[var].sort.as_ref().map(|name| &name.text);
        (known == sort).then_some(var)
    }

    /// Returns the names in an action of what its parts assign to, under those that the declaration gives.
    fn changed_in(&self, parts: &Parts<'d>) -> BTreeSet<Rc<str>> {
        let mut changed = BTreeSet::new();
        let declared = parts.declared.action;
        for Part { action, body, scope, .. } in parts.own.iter().chain(&parts.before).chain(&parts.after) {
            let of_part = self.assigned(body, &Context::of(*scope));
            let params = action.params.iter().flatten().zip(declared.params.iter().flatten());
            let results = action.results.iter().zip(&declared.results);
            let pairs = params.chain(results).filter(|(own, _)| of_part.contains(&own.name.text));
            changed.extend(pairs.map(|(_, known)| known.name.text.clone()));
            changed.extend(of_part);
        }
        changed
    }

    /// Returns the first parts of the names that statements assign to.
    pub(super) fn assigned(&self, stmts: &[Stmt], context: &Context) -> BTreeSet<Rc<str>> {
        let mut found = BTreeSet::new();
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign(targets, _) | StmtKind::Instantiate(_, targets) => {
                    for mut target in targets {
                        while let Kind::Name { text, .. } = &target.kind {
                            // Of a field, what has it changes.
                            if self.is_field(&self.function_named(text, context))
                                && let Some(value) = target.parts.first()
                            {
                                target = value;
                                continue;
                            }
                            found.insert(text.split('.').next().unwrap_or_default().into());
                            break;
                        }
                    }
                }
                StmtKind::Local(_, body) | StmtKind::Block(body) => {
                    found.extend(self.assigned(body, context))
                }
                StmtKind::If(_, then, otherwise) => {
                    found.extend(self.assigned(then, context));
                    found.extend(self.assigned(otherwise, context));
                }
                _ => {}
            }
        }
        found
    }
}
