//! Symbolic execution of commands, on syntax trees: what an execution assumes and asserts, and the new value of each
//! symbol, as formulas over the state before. `system::program::compose` does the same with terms; here names of
//! variables and macros are kept, because people read the result.

use std::collections::BTreeMap;

use super::exprs::{
    Name, and, apply, binary, choose, constant, constants, free, ident, implies, not, or, plain, quantified,
    rewrite, simplified, substitute, truth, unsorted,
};
use super::infer::with_following_sorts;
use super::names::numbered;
use super::table::{Sorts, Table, is_bool};
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use crate::program::ast::{Branch, Command, CommandKind};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;

/// Maximum number of nodes of a value.
const MAX_SIZE: usize = 20_000;

/// Maximum height of a formula. The parser of the result has a limit of 400.
pub(super) const MAX_HEIGHT: u32 = 380;

/// Maximum size of a condition that is repeated. A parameter stands for a larger one, and for one with quantifiers.
const MAX_CONDITION: usize = 30;

/// Maximum number of assumptions and assertions before an assertion, whose claim repeats them.
const MAX_ASSUMED: usize = 1_000;

/// The value of a symbol: `symbol(heads) := body`.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) heads: Vec<Name>,
    pub(super) body: Expr,
}

impl Value {
    /// Returns the value at these arguments.
    pub(super) fn at(&self, args: Vec<Expr>) -> Expr {
        substitute(&self.body, &self.heads.iter().cloned().zip(args).collect())
    }

    /// Returns the arguments of the symbol that this is a value of.
    pub(super) fn args(&self) -> Vec<Expr> {
        constants(&self.heads, self.body.span())
    }
}

/// The meaning of a list of commands.
pub(super) struct Effect {
    /// Declared parameters, and further ones that are mentioned: local variables, values of `havoc`, choices.
    pub(super) params: Vec<SortedVar>,
    /// What is assumed; assertions are assumed as well.
    pub(super) assumptions: Vec<Expr>,
    /// The new values of the symbols that change.
    pub(super) updates: Vec<(Name, Value)>,
    /// One formula per assertion: it holds if it is reached.
    pub(super) assertions: Vec<(Expr, Span)>,
}

/// The command at which a formula grows too large.
#[derive(Clone, Copy)]
pub(super) struct TooLarge(pub(super) Span);

/// Executes commands with these parameters. `axioms` hold again after each change of one of their symbols. New names are
/// none of `taken`.
pub(super) fn execute(
    table: &Table,
    axioms: &[Expr],
    taken: &Set<Name>,
    params: &[SortedVar],
    commands: &[&Command],
) -> Result<Effect, TooLarge> {
    let mut executor = Executor {
        table,
        axioms: axioms.iter().map(|axiom| (axiom, table.reads(axiom))).collect(),
        taken,
        used: table.declared(),
        params: Vec::new(),
        sorts: Map::default(),
        scope: Vec::new(),
        state: BTreeMap::new(),
        path: vec![Vec::new()],
        assertions: Vec::new(),
    };
    for param in with_following_sorts(params) {
        let name = param.name.name.clone();
        executor.used.insert(name.clone());
        executor.add_param(&name, param.sort, param.name.span());
        executor.scope.push((name.clone(), name));
    }
    for command in commands {
        executor.command(command)?;
    }
    Ok(executor.finish(params.len()))
}

struct Executor<'a> {
    table: &'a Table,
    axioms: Vec<(&'a Expr, Set<Name>)>,
    /// Names that invented parameters must not have.
    taken: &'a Set<Name>,
    /// Names that no further parameter must have.
    used: Set<Name>,
    params: Vec<SortedVar>,
    /// The sorts of parameters.
    sorts: Map<Name, Option<SortRef>>,
    /// Variables in scope, with the parameters that are their initial values.
    scope: Vec<(Name, Name)>,
    /// The values of what has changed. A variable has the name of its parameter.
    state: BTreeMap<Name, Value>,
    /// Assumptions: first those outside of all branches, then those of each enclosing branch, its condition first.
    path: Vec<Vec<Expr>>,
    assertions: Vec<(Expr, Span)>,
}

impl Executor<'_> {
    fn finish(self, declared: usize) -> Effect {
        let assumptions: Vec<Expr> = self.path.into_iter().flatten().map(|it| simplified(&it)).collect();
        let mut updates = Vec::new();
        for name in &self.table.order {
            let Some(value) = self.state.get(name) else { continue };
            let value = Value { heads: value.heads.clone(), body: simplified(&value.body) };
            // What is kept for `old` alone is written before it is read.
            if value.body != apply(name, 0, value.args(), value.body.span())
                && !self.table.copies.contains_key(name)
            {
                updates.push((name.clone(), value));
            }
        }
        let assertions: Vec<(Expr, Span)> = self
            .assertions
            .iter()
            .map(|(formula, span)| (simplified(formula), *span))
            .filter(|(formula, span)| *formula != truth(true, *span))
            .collect();
        let formulas = assumptions.iter().chain(updates.iter().map(|(_, value)| &value.body));
        let mentioned: Set<Name> =
            formulas.chain(assertions.iter().map(|(formula, _)| formula)).flat_map(free).collect();
        let params = self.params.into_iter().enumerate();
        let params = params
            .filter(|(at, param)| *at < declared || mentioned.contains(&param.name.name))
            .map(|(_, param)| param)
            .collect();
        Effect { params, assumptions, updates, assertions }
    }

    /// Returns a name for a parameter. The name of a variable of the source is kept if possible.
    fn fresh(&mut self, plain: &str, is_source: bool) -> Name {
        let is_taken = |name: &Name| {
            self.used.contains(name) || (!is_source || **name != *plain) && self.taken.contains(name)
        };
        let name = numbered(plain, &is_taken);
        self.used.insert(name.clone());
        name
    }

    fn add_param(&mut self, name: &Name, sort: Option<SortRef>, span: Span) {
        self.sorts.insert(name.clone(), sort.clone());
        self.params.push(SortedVar { name: ident(name, span), sort });
    }

    fn any(&mut self, plain: &str, sort: Option<SortRef>, span: Span) -> Expr {
        let name = self.fresh(plain, false);
        let sort = sort.or(Some(SortRef { name: SortName::Bool, place: Place(span) }));
        self.add_param(&name, sort, span);
        constant(&name, span)
    }

    fn in_scope(&self, name: &Name) -> Option<&Name> {
        param_of(&self.scope, name)
    }

    /// Rewrites an expression over the state before.
    fn read(&self, expr: &Expr) -> Expr {
        self.read_in(&self.scope, expr)
    }

    fn read_in(&self, scope: &[(Name, Name)], expr: &Expr) -> Expr {
        let avoid: Set<Name> = self.params.iter().map(|param| param.name.name.clone()).collect();
        rewrite(expr, &avoid, &mut |leaf| {
            let local = if leaf.args.is_none() { param_of(scope, &leaf.name.name) } else { None };
            let name = local.unwrap_or(&leaf.name.name).clone();
            if let Some(value) = self.state.get(&name) {
                return value.at(leaf.args.unwrap_or_default());
            }
            if let Some(definition) = self.table.definitions.get(&name)
                && self.table.reads(&definition.body).iter().any(|symbol| self.state.contains_key(symbol))
            {
                return self.expanded(&definition.params, &definition.body, leaf.args.unwrap_or_default());
            }
            if local.is_some() { constant(&name, leaf.span) } else { leaf.unchanged() }
        })
    }

    /// Expands a definition in this state. The arguments are over the state before already.
    fn expanded(&self, params: &[SortedVar], body: &Expr, args: Vec<Expr>) -> Expr {
        let span = body.span();
        let inner = |param: &SortedVar| Name::from(format!("{}@", param.name.name));
        let renamed: Map<Name, Expr> =
            params.iter().map(|param| (param.name.name.clone(), constant(&inner(param), span))).collect();
        let body = self.read_in(&[], &substitute(body, &renamed));
        substitute(&body, &params.iter().map(inner).zip(args).collect())
    }

    /// Reads a formula with its implicit quantifiers.
    fn read_closed(&self, formula: &Expr) -> Expr {
        let params: Vec<SortedVar> =
            self.scope.iter().map(|(source, _)| unsorted(source, formula.span())).collect();
        self.read(&self.table.closed(formula, &params))
    }

    fn assume(&mut self, formula: Expr) {
        let items = super::exprs::conjuncts(&formula).into_iter().cloned().collect::<Vec<_>>();
        if let Some(path) = self.path.last_mut() {
            path.extend(items.into_iter().filter(|item| *item != truth(true, item.span())));
        }
    }

    fn assert(&mut self, formula: Expr, span: Span) -> Result<(), TooLarge> {
        let reached: Vec<Expr> = self.path.iter().flatten().cloned().collect();
        if reached.len() + self.assertions.len() > MAX_ASSUMED {
            return Err(TooLarge(span));
        }
        self.assertions.push((implies(and(reached, span), formula.clone()), span));
        self.assume(formula);
        Ok(())
    }

    /// Executes commands in a scope of their own.
    fn list(&mut self, commands: &[Command]) -> Result<(), TooLarge> {
        let outside = self.scope.len();
        for command in commands {
            self.command(command)?;
        }
        for (_, param) in self.scope.drain(outside..) {
            self.state.remove(&param);
        }
        Ok(())
    }

    #[inline(never)]
    fn command(&mut self, command: &Command) -> Result<(), TooLarge> {
        let span = command.span();
        match &command.kind {
            CommandKind::Skip | CommandKind::Broken => {}
            CommandKind::Abort => self.assert(truth(false, span), span)?,
            CommandKind::Assume(formula) => {
                let formula = self.read_closed(formula);
                self.assume(formula);
            }
            CommandKind::Assert { formula, .. } => {
                let formula = self.read_closed(formula);
                self.assert(formula, span)?;
            }
            CommandKind::Local(vars) => {
                for var in with_following_sorts(vars) {
                    let name = self.fresh(&var.name.name, true);
                    self.add_param(&name, var.sort, var.name.span());
                    self.scope.push((var.name.name, name));
                }
            }
            CommandKind::Havoc(target) => {
                let (name, sort) = self.target(target);
                let source = self.table.copies.get(&target.name).unwrap_or(&target.name);
                let plain = source.rsplit('.').next().unwrap_or_default();
                let body = self.any(&format!("new_{plain}"), sort, span);
                self.set(name, Value { heads: Vec::new(), body })?;
            }
            CommandKind::Assign { target, args, value } => {
                let (name, sort) = self.target(target);
                let outside = self.scope.len();
                let (heads, points) = self.heads(&name, args.as_deref().unwrap_or_default());
                let value = self.read(value);
                self.scope.truncate(outside);
                let before = at_heads(&name, self.state.get(&name), &heads, span);
                let body = choose(and(points, span), value, before, is_bool(sort.as_ref()));
                self.set(name, Value { heads, body })?;
            }
            CommandKind::Update { target, insert, args, condition } => {
                let (name, _) = self.target(target);
                let outside = self.scope.len();
                let (heads, mut points) = self.heads(&name, args);
                points.extend(condition.iter().map(|condition| self.read(condition)));
                self.scope.truncate(outside);
                let these = and(points, span);
                let before = at_heads(&name, self.state.get(&name), &heads, span);
                let body =
                    if *insert { or(vec![before, these], span) } else { and(vec![before, not(these)], span) };
                self.set(name, Value { heads, body })?;
            }
            CommandKind::If { condition, then, otherwise } => {
                let condition = match condition {
                    Some(condition) => self.read_closed(condition),
                    None => self.any("choice", None, span),
                };
                self.branches(vec![condition], &[then, otherwise], span)?;
            }
            CommandKind::Choice(branches) => {
                let bodies: Vec<&[Command]> = branches.iter().map(|it: &Branch| &*it.body).collect();
                let bits = (1..bodies.len()).map(|_| self.any("choice", None, span)).collect();
                self.branches(bits, &bodies, span)?;
            }
        }
        let path = self.path.last().map(Vec::as_slice).unwrap_or_default();
        path.last().map_or(Ok(()), |formula| check_size(formula, span))
    }

    /// Returns the name in the state of what a command assigns to, and the sort of its value.
    fn target(&self, target: &Ident) -> (Name, Option<SortRef>) {
        if let Some(param) = self.in_scope(&target.name) {
            return (param.clone(), self.sorts.get(param).cloned().flatten());
        }
        let sort = self.table.symbols.get(&target.name).and_then(|sorts| sorts.result.clone());
        (target.name.clone(), sort)
    }

    /// Returns the variables over which the new value is written, and what they have to be equal to. Brings logical
    /// variables of the update into scope.
    fn heads(&mut self, name: &Name, args: &[Expr]) -> (Vec<Name>, Vec<Expr>) {
        let table = self.table;
        let sorts = table.symbols.get(name);
        let is_logical = |name: &Name| {
            self.in_scope(name).is_none()
                && !table.symbols.contains_key(name)
                && !table.definitions.contains_key(name)
        };
        let logical: Vec<Option<Name>> =
            args.iter().map(|arg| plain(arg).filter(|name| is_logical(name)).cloned()).collect();
        let mut heads: Vec<Name> = Vec::new();
        let mut points = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            if let Some(Some(name)) = logical.get(at) {
                let is_param = self.params.iter().any(|param| param.name.name == *name);
                let head = if is_param { self.fresh(name, false) } else { name.clone() };
                self.used.insert(head.clone());
                self.scope.push((name.clone(), head.clone()));
                heads.push(head);
                continue;
            }
            let is_used = |name: &Name| {
                heads.contains(name)
                    || logical.iter().flatten().any(|other| other == name)
                    || self.table.symbols.contains_key(name)
                    || self.table.definitions.contains_key(name)
                    || self.params.iter().any(|param| param.name.name == *name)
            };
            let head = variable_of(sorts, at, &is_used);
            self.used.insert(head.clone());
            let term = self.read(arg);
            points.push(binary(BinaryOp::Equal, [constant(&head, arg.span()), term], arg.span()));
            heads.push(head);
        }
        (heads, points)
    }

    /// Changes the state, and assumes the axioms about what has changed.
    fn set(&mut self, name: Name, value: Value) -> Result<(), TooLarge> {
        check_size(&value.body, value.body.span())?;
        self.state.insert(name.clone(), value);
        let again: Vec<&Expr> =
            self.axioms.iter().filter(|(_, reads)| reads.contains(&name)).map(|(axiom, _)| *axiom).collect();
        for axiom in again {
            let formula = self.read(axiom);
            self.assume(formula);
        }
        Ok(())
    }

    /// Executes one of several bodies: the first whose condition holds, or the last.
    fn branches(&mut self, conditions: Vec<Expr>, bodies: &[&[Command]], span: Span) -> Result<(), TooLarge> {
        let conditions: Vec<Expr> = conditions
            .into_iter()
            .map(|condition| {
                let is_quantifier = |it: &Expr| matches!(it.kind, ExprKind::Quantifier { .. });
                if condition.nodes().nth(MAX_CONDITION - 1).is_none() && !condition.nodes().any(is_quantifier)
                {
                    return condition;
                }
                let named = self.any("condition", None, span);
                self.assume(binary(BinaryOp::Iff, [named.clone(), condition], span));
                named
            })
            .collect();
        let start = self.state.clone();
        let mut states = Vec::new();
        let mut earlier = Vec::new();
        for (at, body) in bodies.iter().enumerate() {
            let mut here = earlier.clone();
            if let Some(condition) = conditions.get(at) {
                here.push(condition.clone());
                earlier.push(not(condition.clone()));
            }
            let here = and(here, span);
            self.state = start.clone();
            self.path.push(vec![here.clone()]);
            self.list(body)?;
            let assumed = self.path.pop().unwrap_or_default();
            for formula in assumed.into_iter().skip(1) {
                self.assume(implies(here.clone(), formula));
            }
            states.push(std::mem::take(&mut self.state));
        }
        let mut merged = states.pop().unwrap_or_default();
        for (condition, state) in conditions.iter().zip(states).rev() {
            let names: Set<&Name> = state.keys().chain(merged.keys()).collect();
            let mut names: Vec<Name> = names.into_iter().cloned().collect();
            names.sort();
            for name in names {
                let value = self.merged(&name, condition, state.get(&name), merged.get(&name));
                check_size(&value.body, span)?;
                merged.insert(name, value);
            }
        }
        self.state = merged;
        Ok(())
    }

    fn merged(&self, name: &Name, condition: &Expr, a: Option<&Value>, b: Option<&Value>) -> Value {
        let span = condition.span();
        let heads = a.or(b).map(|value| value.heads.clone()).unwrap_or_default();
        let [then, otherwise] = [a, b].map(|value| at_heads(name, value, &heads, span));
        let is_formula = match self.sorts.get(name) {
            Some(sort) => is_bool(sort.as_ref()),
            None => self.table.is_formula(name),
        };
        Value { heads, body: choose(condition.clone(), then, otherwise, is_formula) }
    }
}

/// Returns the parameter that a variable in scope began with.
fn param_of<'s>(scope: &'s [(Name, Name)], name: &Name) -> Option<&'s Name> {
    scope.iter().rev().find(|(source, _)| source == name).map(|(_, param)| param)
}

/// Returns the value of a symbol at these variables. Without one it is what it was before.
fn at_heads(name: &Name, value: Option<&Value>, heads: &[Name], span: Span) -> Expr {
    let args = constants(heads, span);
    match value {
        Some(value) => value.at(args),
        None => apply(name, 0, args, span),
    }
}

fn check_size(formula: &Expr, span: Span) -> Result<(), TooLarge> {
    let is_too_large = formula.height > MAX_HEIGHT || formula.nodes().nth(MAX_SIZE - 1).is_some();
    if is_too_large { Err(TooLarge(span)) } else { Ok(()) }
}

/// Returns a variable for an argument of a symbol: the first letter of its sort.
pub(super) fn variable_of(sorts: Option<&Sorts>, at: usize, is_used: &dyn Fn(&Name) -> bool) -> Name {
    let sort = sorts.and_then(|sorts| sorts.args.get(at)).map(|sort| &sort.name);
    let letter = match sort {
        Some(SortName::Named(name)) => {
            let last = name.rsplit('.').next().unwrap_or(name);
            last.chars().find(char::is_ascii_alphabetic).unwrap_or('x').to_ascii_uppercase()
        }
        _ => 'X',
    };
    let plain = Name::from(letter.to_string());
    if !is_used(&plain) {
        return plain;
    }
    (2..).map(|count| Name::from(format!("{letter}{count}"))).find(|name| !is_used(name)).unwrap_or(plain)
}

/// Returns the formula of an assertion over all values of its parameters.
pub(super) fn for_all(params: &[SortedVar], formula: Expr) -> Expr {
    quantified(true, params.to_vec(), formula)
}
