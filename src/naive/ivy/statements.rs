//! Statements as commands.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::actions::Results;
use super::fields::Path;
use super::scopes::Flat;
use super::state::{
    Context, Found, Helper, Known, MAX_NODES, Program, Sorts, assign, block, no_bool, parameter, symbol,
};
use super::tokens::is_variable;
use super::tree::{Binder, Condition, DeclKind, Expr, Kind, Name, Stmt, StmtKind};
use crate::program::term::{Term, What, applied_name, block as quantified, node, variable};
use crate::program::tree::{Command, Item, Role, Target as Changed, Variable};
use crate::refusal::{Result, refuse, uncovered};

/// Who executes an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// The environment, which keeps to what the action requires.
    Environment,
    /// An initializer, which owes nothing but what is trusted and the library.
    Initializer,
    /// Another action, which owes what the action requires.
    Program,
    /// An action of a trusted isolate, which is trusted to satisfy it.
    Trusted,
}

/// The place of statements, and whether they come before those of the action.
pub(super) struct Frame {
    pub(super) context: Context,
    pub(super) caller: Caller,
    pub(super) is_before: bool,
}

/// The left side of an assignment: a variable or symbol with arguments, or a field, and the variables among the arguments.
pub(super) struct Target {
    place: Place,
    found: Found,
}

enum Place {
    Symbol(Name, Option<usize>, Vec<Term>),
    Field(Path),
}

/// Returns a term with other variables.
fn with_variables(term: &Term, renamed: &BTreeMap<usize, usize>) -> Term {
    match term.what {
        What::Variable(var) => variable(renamed.get(&var).copied().unwrap_or(var)),
        _ => node(term.what.clone(), term.parts.iter().map(|it| with_variables(it, renamed)).collect()),
    }
}

impl<'d> Program<'d> {
    /// Adds what leads to the initial states: what is assumed of them, then what initializers do.
    pub(super) fn initial(&mut self, flat: &[Flat<'d>], items: &mut Vec<Item>) -> Result<()> {
        for Flat { decl, scope, .. } in flat {
            let DeclKind::Formula(word, _, formula) = &decl.kind else { continue };
            if &*word.text == "init" {
                if self.version >= 7 {
                    return refuse(decl.at, "formulas about initial states are of versions up to 1.6");
                }
                let formula = self.closed(formula, &Context::of(*scope))?.0;
                items.push(Item::Command(Command::Assume(formula)));
            }
        }
        for Flat { decl, scope, is_trusted } in flat {
            let DeclKind::Init(stmts) = &decl.kind else { continue };
            self.locals.clear();
            let mut context = Context::of(*scope);
            context.calls = true;
            context.is_trusted = *is_trusted;
            // The parameters of objects are variables of each update.
            for (at, param) in self.scopes.params(*scope).into_iter().enumerate() {
                let known = Known::Free(parameter(at));
                context.known.push((parameter(at), known.clone()));
                if !is_variable(&param.name.text) {
                    context.known.push((param.name.text, known));
                }
                if stmts.iter().any(|stmt| !matches!(stmt.kind, StmtKind::Assign(..))) {
                    return refuse(
                        decl.at,
                        "an initializer of an object with parameters has assignments alone",
                    );
                }
            }
            let mut frame = Frame { context, caller: Caller::Environment, is_before: false };
            let mut commands = Vec::new();
            self.stmts(stmts, &mut frame, &mut commands)?;
            items.push(Item::Command(block(commands)));
        }
        Ok(())
    }

    /// Executes statements in a scope of their own.
    pub(super) fn stmts(
        &mut self,
        stmts: &'d [Stmt],
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        let (known, locals) = (frame.context.known.len(), self.locals.len());
        let changed = self.assigned(stmts, &frame.context);
        let mut commands = Vec::new();
        for stmt in stmts {
            self.nodes += 1;
            if self.nodes > MAX_NODES {
                return refuse(stmt.at, "the program is too large");
            }
            self.stmt(stmt, &changed, frame, &mut commands)?;
        }
        let declares = self.locals.len() > locals;
        frame.context.known.truncate(known);
        self.locals.truncate(locals);
        if declares {
            out.push(block(commands))
        } else {
            out.append(&mut commands)
        }
        Ok(())
    }

    /// Executes one of the statements of a block, which assign to these names.
    fn stmt(
        &mut self,
        stmt: &'d Stmt,
        changed: &BTreeSet<Rc<str>>,
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        match &stmt.kind {
            StmtKind::Check(word, formula) => {
                let start = self.variables.len();
                let (formula, mut before) = self.closed(formula, &frame.context)?;
                out.append(&mut before);
                // What the caller owes.
                let is_required = *word == "require" || *word == "assert" && frame.is_before;
                // The library, and what is trusted, rely on it.
                let is_owed = frame.caller == Caller::Initializer
                    && (frame.context.is_trusted || self.is_of_library(stmt.at));
                if is_required && frame.caller == Caller::Initializer && !is_owed {
                    self.forget(start);
                    return Ok(());
                }
                let is_assumed = match *word {
                    "assume" => true,
                    _ if is_required => frame.caller != Caller::Program && !is_owed,
                    _ => frame.context.is_trusted,
                };
                out.push(if is_assumed {
                    Command::Assume(formula)
                } else {
                    Command::Assert(formula, stmt.at)
                });
            }
            StmtKind::Assign(targets, value) => match (&targets[..], value) {
                ([target], Some(value)) => {
                    let mut target = self.target(target, &frame.context, out)?;
                    let value = self.right_side(value, &mut frame.context.clone(), &mut target.found)?;
                    out.append(&mut target.found.before);
                    self.assign_to(target, value, out)?;
                }
                (_, Some(call)) => self.call_statement(call, targets, &frame.context, out)?,
                (_, None) => {
                    for target in targets {
                        let target = self.target(target, &frame.context, out)?;
                        self.any(target, stmt.at, out)?;
                    }
                }
            },
            StmtKind::Call(call) => self.call_statement(call, &[], &frame.context, out)?,
            StmtKind::Var(var, params, None) if !params.is_empty() => {
                self.local_symbol(var, params, frame, out)?;
            }
            StmtKind::Var(var, params, Some(_)) if !params.is_empty() => {
                return refuse(var.name.at, "a local relation or function has no first value");
            }
            StmtKind::Var(var, _, value) => {
                let value = value.as_ref().map(|value| self.bound_expr(value, &frame.context, out));
                let value = value.transpose()?;
                if let Some(&Known::Variable(hidden)) = frame.context.get(&var.name.text)
                    && !self.is_of_action(hidden)
                    && value.as_ref().is_some_and(|value| value.has(&|what| *what == What::Variable(hidden)))
                {
                    return refuse(
                        var.name.at,
                        "its first value mentions a variable with the name, which it hides",
                    );
                }
                let given = self.scopes.typed(frame.context.scope, var).sort;
                let sort = given.or_else(|| self.sort_of(value.as_ref()?));
                let is_assigned = value.is_some() || changed.contains(&var.name.text);
                self.check_argument(&var.name, &frame.context)?;
                let local = self.local(&var.name, sort, is_assigned)?;
                frame.context.bind(var.name.text.clone(), local);
                out.push(Command::Local(vec![local]));
                out.extend(value.map(|value| assign(self.slot(local), Vec::new(), value)));
            }
            StmtKind::Local(vars, body) => {
                let (known, locals) = (frame.context.known.len(), self.locals.len());
                let mut commands = Vec::new();
                self.declare(vars, body, frame, &mut commands)?;
                self.stmts(body, frame, &mut commands)?;
                frame.context.known.truncate(known);
                self.locals.truncate(locals);
                out.push(block(commands));
            }
            StmtKind::Block(body) => self.stmts(body, frame, out)?,
            StmtKind::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise, frame, out)?;
            }
            StmtKind::Instantiate(name, args) => self.instantiate(name, args, frame, out)?,
            StmtKind::Rest => return refuse(stmt.at, "`...` stands in `around`"),
        }
        Ok(())
    }

    /// Declares local variables, which these statements may assign to. A type is that of the variables before it which
    /// have none.
    fn declare(
        &mut self,
        vars: &[Binder],
        body: &[Stmt],
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) -> Result<Vec<usize>> {
        let changed = self.assigned(body, &frame.context);
        let mut declared = Vec::new();
        for (at, var) in vars.iter().enumerate() {
            let sort = vars[at..].iter().find_map(|var| var.sort.as_ref());
            let sort = sort.map(|sort| self.scopes.sort(frame.context.scope, sort));
            self.check_argument(&var.name, &frame.context)?;
            let local = self.local(&var.name, sort, changed.contains(&var.name.text))?;
            frame.context.bind(var.name.text.clone(), local);
            declared.push(local);
        }
        out.push(Command::Local(declared.clone()));
        Ok(declared)
    }

    /// Returns the type of a term or formula, if its outermost part tells it.
    fn sort_of(&self, term: &Term) -> Option<Rc<str>> {
        match &term.what {
            What::Variable(var) => {
                let is_old = self.calling.last().is_some_and(|it| it.old.iter().any(|(_, copy)| copy == var));
                let is_local = is_old || self.locals.iter().any(|local| local.var == *var);
                let sort = self.variables[*var].sort.as_ref().filter(|_| is_local)?;
                Some(sort.text.clone())
            }
            What::Name(name) => {
                let sorts = self.symbols.get(&*name.text)?;
                Some(sorts.result.clone().unwrap_or_else(|| "bool".into()))
            }
            What::Operator("if") => self.sort_of(&term.parts[1]).or_else(|| self.sort_of(&term.parts[2])),
            What::Let(_) => self.sort_of(&term.parts[1]),
            What::Overload(_) if term.parts.is_empty() => None,
            _ => Some("bool".into()),
        }
    }

    /// Declares a local relation or function, which has any value here.
    fn local_symbol(
        &mut self,
        var: &Binder,
        params: &[Binder],
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        self.check_argument(&var.name, &frame.context)?;
        let scope = frame.context.scope;
        let mut args = Vec::new();
        for param in params {
            let Some(sort) = self.scopes.typed(scope, param).sort else {
                return refuse(param.name.at, "the parameter has no type");
            };
            args.push(sort);
        }
        let sorts = Sorts { args, result: no_bool(self.scopes.typed(scope, var).sort) };
        let any = self.helper(&var.name, sorts.clone(), true);
        let name = self.helper(&var.name, sorts, false);
        let mut vars = Vec::new();
        for number in 1..=params.len() {
            vars.push(variable(self.logical(&format!("X{number}"), var.name.at)));
        }
        frame.context.known.push((var.name.text.clone(), Known::Symbol(name.text.clone())));
        out.push(assign(symbol(name), vars.clone(), applied_name(any, vars)));
        Ok(())
    }

    /// Refuses a variable that a macro declares, if it has the name of a variable that is an argument of the macro.
    fn check_argument(&self, name: &Name, context: &Context) -> Result<()> {
        let is_hidden = |known: &Known| match known {
            Known::Variable(var) => {
                let mut locals = self.locals.iter();
                !self.is_of_action(*var) && locals.any(|local| local.var == *var && local.source == name.text)
            }
            Known::Symbol(text) => {
                self.helpers.iter().any(|helper| helper.name == *text && helper.plain == name.text)
            }
            Known::Free(_) => false,
        };
        let mut others = context.known.iter().filter(|(text, _)| *text != name.text);
        if !self.open.is_empty() && others.any(|(_, known)| is_hidden(known)) {
            return refuse(name.at, "an argument of the macro is another variable with the name");
        }
        Ok(())
    }

    /// Returns whether a variable is a parameter or result of the action whose statements are being executed.
    fn is_of_action(&self, var: usize) -> bool {
        self.calling.last().is_some_and(|call| call.params.contains(&var))
    }

    /// Returns a new symbol that stands for a part of a statement.
    pub(super) fn helper(&mut self, source: &Name, sorts: Sorts, is_chosen: bool) -> Name {
        let known = self.helpers.iter().find(|helper| helper.name == source.text);
        let plain = known.map_or(&source.text, |helper| &helper.plain).clone();
        let text: Rc<str> = format!("{plain}@{}", self.helpers.len() + 1).into();
        self.globals.insert(text.clone());
        self.symbols.insert(text.clone(), sorts.clone());
        self.helpers.push(Helper { name: text.clone(), plain, sorts, is_chosen });
        Name { text, at: source.at }
    }

    /// Resolves the left side of an assignment.
    fn target(&mut self, expr: &Expr, context: &Context, out: &mut Vec<Command>) -> Result<Target> {
        let Kind::Name { text, is_old: false, .. } = &expr.kind else {
            return refuse(expr.at, "only names are assigned to");
        };
        if let Some((path, found)) = self.field_target(expr, context, out)? {
            self.mark_logical(&found);
            return Ok(Target { place: Place::Field(path), found });
        }
        let name = Name { text: text.clone(), at: expr.at };
        let mut found = Found::default();
        let (name, slot, mut args) = match context.get(text) {
            Some(Known::Variable(var)) if expr.parts.is_empty() => {
                (self.variables[*var].name.clone(), Some(*var), Vec::new())
            }
            Some(Known::Symbol(text)) => (Name { text: text.clone(), at: name.at }, None, Vec::new()),
            _ => {
                let (full, args) = self.global(&name, context, &mut found)?;
                (Name { text: full, at: name.at }, None, args)
            }
        };
        let is_slot = slot.is_none_or(|var| matches!(self.variables[var].role, Role::Slot(_)));
        let full = &name.text;
        self.check_kept(full, name.at)?;
        let is_fixed =
            self.actions.contains_key(full) || self.functions.contains_key(full) || self.is_field(full);
        if !is_slot || slot.is_none() && (is_fixed || self.values.contains(full)) {
            return refuse(name.at, format!("`{}` cannot be changed", name.text));
        }
        for arg in &expr.parts {
            args.push(self.expr(arg, &mut context.clone(), &mut found)?);
        }
        out.append(&mut found.before);
        let is_free = |what: &What| matches!(what, What::Variable(var) if found.free.contains(var));
        if args.iter().any(|arg| !is_free(&arg.what) && arg.has(&is_free)) {
            return refuse(expr.at, "a variable left of `:=` stands for an argument");
        }
        self.mark_logical(&found);
        Ok(Target { place: Place::Symbol(name, slot, args), found })
    }

    /// Assigns a value to what the left side of an assignment is.
    pub(super) fn assign_to(&mut self, target: Target, value: Term, out: &mut Vec<Command>) -> Result<()> {
        match target.place {
            Place::Symbol(name, slot, args) => {
                out.push(assign(Changed { name, slot }, args, value));
                Ok(())
            }
            Place::Field(path) => self.assign_field(path, &target.found.free, &value, out),
        }
    }

    /// Gives any value to a variable, or to a relation or function at some points.
    fn any(&mut self, target: Target, at: usize, out: &mut Vec<Command>) -> Result<()> {
        let Target { place, found } = target;
        let Place::Symbol(name, slot, args) = place else { return uncovered(at, "fields with any values") };
        if args.is_empty() {
            out.push(Command::Any(Changed { name, slot }));
            return Ok(());
        }
        let Some(sorts) = self.symbols.get(&name.text).cloned() else {
            return refuse(name.at, format!("`{}` is not declared", name.text));
        };
        if !found.free.is_empty() {
            let any = self.helper(&name, sorts, true);
            out.push(assign(symbol(name), args.clone(), applied_name(any, args)));
            return Ok(());
        }
        let outside = self.locals.len();
        let any = Name { text: "any".into(), at: name.at };
        let var = self.local(&any, sorts.result.or_else(|| Some("bool".into())), false)?;
        let commands = vec![Command::Local(vec![var]), assign(symbol(name), args, variable(var))];
        self.locals.truncate(outside);
        out.push(block(commands));
        Ok(())
    }

    /// Executes a call whose results go to these places.
    fn call_statement(
        &mut self,
        call: &Expr,
        targets: &[Expr],
        context: &Context,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        let Kind::Name { text, is_old: false, .. } = &call.kind else {
            return refuse(call.at, "expected the call of an action");
        };
        let name = Name { text: text.clone(), at: call.at };
        let mut found = Found::default();
        let (mut full, mut args) = self.global(&name, context, &mut found)?;
        if !self.globals.contains(&full)
            && let Some((action, value)) = self.method(&name, context, &mut found)?
        {
            full = action;
            args.push(value);
        }
        if !self.actions.contains_key(&full) {
            if text.contains('.') {
                return uncovered(call.at, "members of values");
            }
            return refuse(call.at, format!("`{text}` is not an action"));
        }
        for arg in &call.parts {
            args.push(self.bound_expr(arg, context, out)?);
        }
        let mut places = Vec::new();
        for target in targets {
            places.push(self.target(target, context, out)?);
        }
        self.call(&full, args, Results::Targets(places), call.at, context, out)
    }

    fn choice(
        &mut self,
        condition: &'d Condition,
        then: &'d [Stmt],
        otherwise: &'d [Stmt],
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let condition = match condition {
            Condition::Any => None,
            Condition::Formula(formula) if self.version < 5 => {
                let (condition, mut before) = self.closed(formula, &frame.context)?;
                out.append(&mut before);
                Some(condition)
            }
            Condition::Formula(formula) => Some(self.bound_expr(formula, &frame.context, out)?),
            Condition::Some(vars, formula) => {
                let (known, locals) = (frame.context.known.len(), self.locals.len());
                let declared = self.declare(vars, then, frame, &mut yes)?;
                let mut context = frame.context.clone();
                context.is_bound = true;
                let witness = self.bound_expr(formula, &context, &mut yes)?;
                let (mut bound, mut renamed) = (Vec::new(), BTreeMap::new());
                for local in declared {
                    let Variable { name, sort, .. } = &self.variables[local];
                    let sort = sort.as_ref().map(|sort| sort.text.clone());
                    let var = self.bound(Binder { name: name.clone(), sort });
                    renamed.insert(local, var);
                    bound.push(var);
                }
                let exists = with_variables(&witness, &renamed);
                yes.push(Command::Assume(witness));
                self.stmts(then, frame, &mut yes)?;
                frame.context.known.truncate(known);
                self.locals.truncate(locals);
                self.stmts(otherwise, frame, &mut no)?;
                out.push(Command::If(Some(quantified("?", bound, exists)), yes, no));
                return Ok(());
            }
        };
        self.stmts(then, frame, &mut yes)?;
        self.stmts(otherwise, frame, &mut no)?;
        out.push(Command::If(condition, yes, no));
        Ok(())
    }

    /// Executes the statements of a macro, which may assign to its arguments.
    fn instantiate(
        &mut self,
        name: &Name,
        args: &[Expr],
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) -> Result<()> {
        let full = self.scopes.resolve(frame.context.scope, &name.text).0;
        let Some((scope, it)) =
            self.macros.get(&full).copied().filter(|(_, it)| it.params.len() == args.len())
        else {
            return refuse(name.at, "there is no such macro with so many parameters");
        };
        if self.open.contains(&full) {
            return refuse(name.at, "the macro uses itself");
        }
        let mut context = Context { scope, known: Vec::new(), ..frame.context.clone() };
        for at in 0..self.scopes.params(scope).len() {
            let known = frame.context.get(&parameter(at)).cloned();
            context.known.extend(known.map(|known| (parameter(at), known)));
        }
        for (param, arg) in it.params.iter().zip(args) {
            let Target { place: Place::Symbol(name, slot, args), .. } =
                self.target(arg, &frame.context, out)?
            else {
                return refuse(arg.at, "arguments of macros are names");
            };
            if !args.is_empty() {
                return refuse(arg.at, "arguments of macros are names without arguments");
            }
            let known = slot.map_or(Known::Symbol(name.text), Known::Variable);
            context.known.push((param.text.clone(), known));
        }
        self.open.push(full);
        let mut frame = Frame { context, caller: frame.caller, is_before: frame.is_before };
        self.stmts(&it.body, &mut frame, out)?;
        self.open.pop();
        Ok(())
    }
}
