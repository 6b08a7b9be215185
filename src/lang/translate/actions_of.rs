//! Formulas over two states as commands. What defines the new value of a symbol is an assignment; of the rest, a choice
//! between formulas is one between commands. A symbol that nothing defines gets any value that the formula allows: for
//! a constant that is a local variable, and for a relation or function it is a row of a further symbol, whose first
//! argument is a local variable of a sort of its own. Every value is a row in some structure, so nothing is lost.

use super::execute::Value;
use super::exprs::{
    Name, and, apply, binary, constant, constants, distributed, free, ident, not, quantified, reference,
    rewrite, same, substitute, unsorted,
};
use super::infer::with_sorts;
use super::names::{numbered, underscored};
use super::points::assignment;
use super::table::Table;
use super::updates::{Elsewhere, definition, has_primes, point_definition};
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Place, SortName, SortRef, SortedVar};
use crate::program::ast::{Branch, Command, CommandKind, for_each_command};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;

/// The sort and the symbol for arbitrary values of a relation or function.
pub(super) struct Choice {
    pub(super) sort: Name,
    pub(super) symbol: Name,
    pub(super) place: Place,
}

/// The symbols with arbitrary values.
#[derive(Default)]
pub(super) struct Wild {
    pub(super) known: Vec<(Name, Choice)>,
}

/// Commands of one part of an action: what they read and change.
struct Unit {
    commands: Vec<Command>,
    reads: Set<Name>,
    writes: Set<Name>,
    /// The definition that the commands are, if they are one.
    defines: Option<(Name, Value)>,
}

/// Translates a transition.
pub(super) struct Actions<'a> {
    table: &'a Table,
    /// Names that occur in the model.
    taken: &'a Set<Name>,
    /// Names of parameters and local variables of the action.
    locals: Set<Name>,
    wild: &'a mut Wild,
}

impl<'a> Actions<'a> {
    pub(super) fn new(table: &'a Table, taken: &'a Set<Name>, wild: &'a mut Wild) -> Actions<'a> {
        Actions { table, taken, locals: Set::default(), wild }
    }

    /// Returns the commands of a transition that changes `symbols`.
    pub(super) fn action(
        &mut self,
        body: &Expr,
        params: &[SortedVar],
        symbols: Vec<Name>,
        span: Span,
    ) -> Vec<Command> {
        self.locals.extend(params.iter().map(|param| param.name.name.clone()));
        let locals = self.locals.clone();
        let structured = self.block(vec![body.clone()], &symbols, true, span);
        structured.unwrap_or_else(|| {
            self.locals = locals;
            self.block(vec![body.clone()], &symbols, false, span).unwrap_or_default()
        })
    }

    /// Returns commands that lead from the old state to exactly those new ones that satisfy the formulas, of which
    /// symbols not in `symbols` are not part. Returns `None` if that takes values that only further symbols can
    /// choose, and `structured` does not allow it.
    fn block(
        &mut self,
        formulas: Vec<Expr>,
        symbols: &[Name],
        structured: bool,
        span: Span,
    ) -> Option<Vec<Command>> {
        let mut pending: Vec<Expr> = formulas.iter().flat_map(distributed).collect();
        pending = merged(pending);
        let mut guards: Vec<Expr> = Vec::new();
        let mut defined: Vec<(Name, Value)> = Vec::new();
        loop {
            let mut found = false;
            let mut rest = Vec::new();
            for formula in pending {
                let formula = self.with_values(&formula, &defined);
                if !has_primes(&formula) {
                    guards.push(formula);
                    continue;
                }
                let value = definition(self.table, &formula, 1).filter(|(name, _)| {
                    symbols.contains(name) && defined.iter().all(|(known, _)| known != name)
                });
                match value {
                    Some(value) => {
                        defined.push(value);
                        found = true;
                    }
                    None => rest.push(formula),
                }
            }
            if let Some((name, value, used)) = point_definition(self.table, &rest)
                && symbols.contains(&name)
                && defined.iter().all(|(known, _)| *known != name)
            {
                rest.retain(|formula| !used.contains(formula));
                defined.push((name, value));
                found = true;
            }
            pending = rest;
            if !found {
                break;
            }
        }
        let mut commands: Vec<Command> = guards.into_iter().map(assume).collect();
        self.arbitrary_points(&mut pending, &mut defined, symbols, &mut commands);
        let mut units: Vec<Unit> = Vec::new();
        let mut open: Vec<Name> =
            symbols.iter().filter(|name| defined.iter().all(|(known, _)| known != *name)).cloned().collect();
        if structured {
            let mut rest = Vec::new();
            for formula in pending {
                // Only this formula tells what becomes of the symbols.
                let mine: Vec<Name> =
                    open.iter().filter(|name| primed(&formula).contains(*name)).cloned().collect();
                let is_alone = |other: &Expr| primed(other).iter().all(|name| !mine.contains(name));
                match self.structure(&formula, &mine, span) {
                    Some(body) if rest.iter().all(is_alone) => {
                        open.retain(|name| !mine.contains(name));
                        units.push(self.unit(body));
                    }
                    _ => rest.push(formula),
                }
            }
            pending = rest;
            if pending.iter().any(|formula| !primed(formula).iter().all(|name| open.contains(name))) {
                return None;
            }
        }
        for (name, value) in defined {
            let command = assignment(self.table, &name, &value);
            let mut unit = self.unit(command.into_iter().collect());
            if !unit.commands.is_empty() {
                unit.defines = Some((name, value));
                units.push(unit);
            }
        }
        let mut arbitrary: Vec<(Name, Value)> = Vec::new();
        for name in open {
            arbitrary.push(self.any_value(&name, span, &mut commands));
        }
        commands.extend(pending.iter().map(|formula| assume(self.with_values(formula, &arbitrary))));
        for (name, value) in &arbitrary {
            let unit = self.unit(assignment(self.table, name, value).into_iter().collect());
            units.push(unit);
        }
        self.in_order(units, commands, span)
    }

    /// Turns formulas that say everything of a symbol but its value at one point into definitions.
    fn arbitrary_points(
        &mut self,
        pending: &mut Vec<Expr>,
        defined: &mut Vec<(Name, Value)>,
        symbols: &[Name],
        commands: &mut Vec<Command>,
    ) {
        let mut at = 0;
        while let Some(formula) = pending.get(at) {
            let place = formula.place;
            let elsewhere = Elsewhere::of(self.table, formula).filter(|it| {
                let is_mine = |other: &Expr| other == formula || !primed(other).contains(&it.name);
                it.is_single()
                    && symbols.contains(&it.name)
                    && defined.iter().all(|(known, _)| *known != it.name)
                    && pending.iter().all(is_mine)
            });
            let Some(elsewhere) = elsewhere else {
                at += 1;
                continue;
            };
            pending.remove(at);
            let sort = self.table.symbols.get(&elsewhere.name).and_then(|it| it.result.clone());
            let sort = sort.unwrap_or(SortRef { name: SortName::Bool, place });
            let local = self.local(&format!("new_{}", elsewhere.name));
            let var = SortedVar { name: ident(&local, place.0), sort: Some(sort) };
            commands.push(Command { kind: CommandKind::Local(vec![var]), place });
            let value = elsewhere.with(self.table, constant(&local, place.0));
            defined.push((elsewhere.name, value));
        }
    }

    fn unit(&self, commands: Vec<Command>) -> Unit {
        let (mut reads, mut writes) = (Set::default(), Set::default());
        for_each_command(&commands, |command| {
            writes.extend(command.target().map(|target| target.name.clone()));
            command.for_each_expr(|expr| reads.extend(self.table.reads(expr)));
        });
        Unit { commands, reads, writes, defines: None }
    }

    /// Appends the units in an order in which nothing is read after it was changed.
    fn in_order(
        &mut self,
        mut units: Vec<Unit>,
        mut commands: Vec<Command>,
        span: Span,
    ) -> Option<Vec<Command>> {
        let mut last: Vec<Command> = Vec::new();
        while !units.is_empty() {
            let is_free = |at: usize| {
                units.iter().enumerate().all(|(other, unit)| {
                    other == at || units.get(at).is_none_or(|it| it.writes.is_disjoint(&unit.reads))
                })
            };
            if let Some(at) = (0..units.len()).find(|&at| is_free(at)) {
                last.extend(units.remove(at).commands);
                continue;
            }
            // One value is chosen before anything changes.
            let at = units.iter().position(|unit| unit.defines.is_some())?;
            let (name, value) = units.remove(at).defines?;
            let (_, any) = self.any_value(&name, span, &mut commands);
            let body = value.at(constants(&any.heads, span));
            let heads = any.heads.iter().map(|head| unsorted(head, span)).collect();
            let equation = same(any.body.clone(), body, self.table.is_formula(&name));
            commands.push(assume(quantified(true, heads, equation)));
            let unit = self.unit(assignment(self.table, &name, &any).into_iter().collect());
            units.push(unit);
        }
        commands.extend(last);
        Some(commands)
    }

    /// Declares an arbitrary value of a symbol.
    fn any_value(&mut self, name: &Name, span: Span, commands: &mut Vec<Command>) -> (Name, Value) {
        let place = Place(span);
        let Some(sorts) = self.table.symbols.get(name) else {
            return (name.clone(), Value { heads: Vec::new(), body: constant(name, span) });
        };
        let mut local = |this: &mut Self, plain: &str, sort: SortRef| {
            let local = this.local(plain);
            let var = SortedVar { name: ident(&local, span), sort: Some(sort) };
            commands.push(Command { kind: CommandKind::Local(vec![var]), place });
            local
        };
        if sorts.args.is_empty() {
            let sort = sorts.result.clone().unwrap_or(SortRef { name: SortName::Bool, place });
            let value = local(self, &format!("new_{name}"), sort);
            return (name.clone(), Value { heads: Vec::new(), body: constant(&value, span) });
        }
        let mut heads: Vec<Name> = Vec::new();
        for at in 0..sorts.args.len() {
            let is_used = |name: &Name| heads.contains(name) || self.table.symbols.contains_key(name);
            heads.push(super::execute::variable_of(Some(sorts), at, &is_used));
        }
        let (sort, symbol) = self.choice(name, place);
        let row = local(self, &format!("new_{name}"), SortRef { name: SortName::Named(sort), place });
        let mut args = vec![constant(&row, span)];
        args.extend(constants(&heads, span));
        (name.clone(), Value { heads, body: apply(&symbol, 0, args, span) })
    }

    /// Returns the sort and the symbol for arbitrary values of a symbol.
    fn choice(&mut self, name: &Name, place: Place) -> (Name, Name) {
        if let Some((_, choice)) = self.wild.known.iter().find(|(known, _)| known == name) {
            return (choice.sort.clone(), choice.symbol.clone());
        }
        let fresh = |plain: &str| underscored(plain, |name| self.taken.contains(name));
        let (sort, symbol) = (fresh(&format!("{name}_choice")), fresh(&format!("{name}_chosen")));
        let choice = Choice { sort: sort.clone(), symbol: symbol.clone(), place };
        self.wild.known.push((name.clone(), choice));
        (sort, symbol)
    }

    /// Returns a name for a local variable.
    fn local(&mut self, plain: &str) -> Name {
        let name = numbered(plain, &|name| self.taken.contains(name) || self.locals.contains(name));
        self.locals.insert(name.clone());
        name
    }

    /// Replaces what symbols are in the new state by their values.
    fn with_values(&self, formula: &Expr, values: &[(Name, Value)]) -> Expr {
        if values.is_empty() {
            return formula.clone();
        }
        let avoid: Set<Name> = values
            .iter()
            .flat_map(|(_, value)| {
                free(&value.body).into_iter().filter(|name| !value.heads.contains(name)).collect::<Vec<_>>()
            })
            .collect();
        rewrite(formula, &avoid, &mut |leaf| {
            let known = values.iter().find(|(name, _)| *name == leaf.name.name && leaf.primes > 0);
            match known {
                Some((_, value)) => value.at(leaf.args.unwrap_or_default()),
                None => leaf.unchanged(),
            }
        })
    }

    /// Returns the commands of a formula that chooses between formulas, if each of them tells what becomes of `symbols`.
    fn structure(&mut self, formula: &Expr, symbols: &[Name], span: Span) -> Option<Vec<Command>> {
        if primed(formula).iter().any(|name| !symbols.contains(name)) {
            return None;
        }
        let place = formula.place;
        let kind = match &formula.kind {
            ExprKind::Ite(parts) if !has_primes(&parts[0]) => {
                let then = self.complete(&parts[1], symbols, span)?;
                let otherwise = self.complete(&parts[2], symbols, span)?;
                let condition = Some(parts[0].clone());
                if then.is_empty() {
                    let condition = condition.map(not);
                    CommandKind::If { condition, then: otherwise, otherwise: then }
                } else {
                    CommandKind::If { condition, then, otherwise }
                }
            }
            ExprKind::Or(items) => {
                let mut branches = Vec::new();
                for item in items {
                    let body = self.complete(item, symbols, span)?;
                    branches.push(Branch { name: None, params: Vec::new(), body, place });
                }
                CommandKind::Choice(branches)
            }
            ExprKind::Quantifier { universal: false, vars, body } => {
                let mut map = Map::default();
                let mut locals = Vec::new();
                for var in with_sorts(self.table, vars, body) {
                    var.sort.as_ref()?;
                    let name = self.local(&var.name.name.to_ascii_lowercase());
                    map.insert(var.name.name.clone(), constant(&name, span));
                    locals.push(SortedVar { name: ident(&name, var.name.span()), sort: var.sort });
                }
                let mut commands = vec![Command { kind: CommandKind::Local(locals), place }];
                commands.extend(self.complete(&substitute(body, &map), symbols, span)?);
                return Some(commands);
            }
            _ => return None,
        };
        Some(vec![Command { kind, place }])
    }

    /// Returns the commands of a formula that defines all of these symbols.
    fn complete(&mut self, formula: &Expr, symbols: &[Name], span: Span) -> Option<Vec<Command>> {
        let primed = primed(formula);
        if symbols.iter().any(|name| !primed.contains(name)) {
            return None;
        }
        let (known, locals) = (self.wild.known.len(), self.locals.clone());
        let commands = self.block(vec![formula.clone()], symbols, true, span);
        if commands.is_none() || self.wild.known.len() > known {
            self.wild.known.truncate(known);
            self.locals = locals;
            return None;
        }
        commands
    }
}

fn assume(formula: Expr) -> Command {
    let place = formula.place;
    Command { kind: CommandKind::Assume(formula), place }
}

/// Returns the symbols that are read in the new state.
fn primed(formula: &Expr) -> Set<Name> {
    let primed = formula.nodes().filter_map(reference).filter(|&(_, primes, _)| primes > 0);
    primed.map(|(name, ..)| name.name.clone()).collect()
}

/// Joins `c -> A` and `!c -> B` to `if c then A else B`, where they speak of the new state.
fn merged(formulas: Vec<Expr>) -> Vec<Expr> {
    let implication = |formula: &Expr| match &formula.kind {
        ExprKind::Binary { op: BinaryOp::Implies, sides, .. }
            if has_primes(formula) && !has_primes(&sides[0]) =>
        {
            Some((sides[0].clone(), sides[1].clone()))
        }
        _ => None,
    };
    let mut result: Vec<Expr> = Vec::new();
    let mut rest: Vec<Option<Expr>> = formulas.into_iter().map(Some).collect();
    for at in 0..rest.len() {
        let Some(formula) = rest.get_mut(at).and_then(Option::take) else { continue };
        let Some((condition, then)) = implication(&formula) else {
            result.push(formula);
            continue;
        };
        let negated = not(condition.clone());
        let mut branches: [Vec<Expr>; 2] = [vec![then], Vec::new()];
        for other in rest.iter_mut().skip(at + 1) {
            let Some((same, body)) = other.as_ref().and_then(implication) else { continue };
            let branch = if same == condition {
                0
            } else if same == negated {
                1
            } else {
                continue;
            };
            branches[branch].push(body);
            *other = None;
        }
        let span = formula.span();
        let [then, otherwise] = branches;
        if otherwise.is_empty() {
            result.extend(
                then.into_iter().map(|body| binary(BinaryOp::Implies, [condition.clone(), body], span)),
            );
        } else {
            let parts = Box::new([condition, and(then, span), and(otherwise, span)]);
            result.push(Expr::new(ExprKind::Ite(parts), span));
        }
    }
    result
}
