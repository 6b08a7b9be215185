//! Items with other names or formulas.

use super::exprs::Name;
use crate::fol::ast::{Expr, ExprKind, SortName, SortRef, SortedVar, TraceStep};
use crate::program::ast::{Branch, Command, CommandKind, Item, ItemKind};
use ramsey_core::base::hash::Map;

/// Returns the symbols that the source does not declare, each with the name of what it stands for: what another one was
/// before, or a part of a statement.
pub(super) fn copies(items: &[Item]) -> Map<Name, Name> {
    let mut found = Map::default();
    for item in items {
        if let ItemKind::Symbol(symbol) = &item.kind
            && let Some(source) = &symbol.source
        {
            found.extend(symbol.names.iter().map(|name| (name.name.clone(), source.clone())));
        }
    }
    found
}

/// A change of the names and formulas of items. What is not implemented stays; proofs go.
pub(super) trait Change {
    /// Changes the name of a symbol, definition, action or variable.
    fn value(&mut self, _: &mut Name) {}

    /// Changes the name of a sort.
    fn sort(&mut self, _: &mut Name) {}

    /// Changes a formula, in which free names are quantified implicitly if `is_closed`, or a term.
    fn formula(&mut self, formula: &mut Expr, is_closed: bool);

    fn sort_ref(&mut self, sort: &mut SortRef) {
        if let SortName::Named(name) = &mut sort.name {
            self.sort(name);
        }
    }

    fn vars(&mut self, vars: &mut [SortedVar]) {
        for var in vars {
            self.value(&mut var.name.name);
            var.sort.iter_mut().for_each(|sort| self.sort_ref(sort));
        }
    }

    fn item(&mut self, item: &mut Item) {
        match &mut item.kind {
            ItemKind::Sort { name, annotations } => {
                self.sort(&mut name.name);
                annotations.iter_mut().flat_map(|it| &mut it.args).for_each(|it| self.value(&mut it.name));
            }
            ItemKind::Symbol(symbol) => {
                symbol.names.iter_mut().for_each(|it| self.value(&mut it.name));
                symbol.args.iter_mut().chain(&mut symbol.result).for_each(|it| self.sort_ref(it));
            }
            ItemKind::Formula { name, formula, proof, .. } => {
                name.iter_mut().for_each(|it| self.value(&mut it.name));
                self.formula(formula, true);
                *proof = None;
            }
            ItemKind::Macro { name, params, body } => {
                self.value(&mut name.name);
                self.vars(params);
                self.formula(body, true);
            }
            ItemKind::Trace { steps, .. } => {
                for step in steps {
                    match step {
                        TraceStep::Assert(formula) => self.formula(formula, true),
                        TraceStep::Calls(calls) => {
                            for call in calls {
                                self.value(&mut call.name.name);
                                let args = call.args.iter_mut().flatten().flatten();
                                args.for_each(|arg| self.formula(arg, false));
                            }
                        }
                        TraceStep::AssertInit | TraceStep::AnyTransition(_) => {}
                    }
                }
            }
            ItemKind::Command(command) => self.command(command),
            ItemKind::While(body) => self.commands(body),
            // Expanded or left out before.
            ItemKind::Include { .. }
            | ItemKind::Module(_)
            | ItemKind::Use { .. }
            | ItemKind::Interpreted(_)
            | ItemKind::Unused(_)
            | ItemKind::Broken(_) => {}
        }
    }

    fn commands(&mut self, commands: &mut [Command]) {
        commands.iter_mut().for_each(|command| self.command(command));
    }

    #[inline(never)]
    fn command(&mut self, command: &mut Command) {
        match &mut command.kind {
            CommandKind::Skip | CommandKind::Abort | CommandKind::Broken => {}
            CommandKind::Assume(formula) => self.formula(formula, true),
            CommandKind::Assert { formula, proof } => {
                self.formula(formula, true);
                *proof = None;
            }
            CommandKind::Local(vars) => self.vars(vars),
            CommandKind::Havoc(target) => self.value(&mut target.name),
            CommandKind::Assign { target, args, value } => {
                self.value(&mut target.name);
                args.iter_mut().flatten().chain([value]).for_each(|it| self.formula(it, false));
            }
            CommandKind::Update { target, args, condition, .. } => {
                self.value(&mut target.name);
                args.iter_mut().chain(condition).for_each(|it| self.formula(it, false));
            }
            CommandKind::If { condition, then, otherwise } => {
                condition.iter_mut().for_each(|it| self.formula(it, false));
                self.commands(then);
                self.commands(otherwise);
            }
            CommandKind::Choice(branches) => {
                branches.iter_mut().for_each(|branch| self.branch(branch));
            }
        }
    }

    fn branch(&mut self, branch: &mut Branch) {
        branch.name.iter_mut().for_each(|it| self.value(&mut it.name));
        self.vars(&mut branch.params);
        self.commands(&mut branch.body);
    }
}

/// Returns an expression with changed names.
pub(super) fn renamed(change: &mut (impl Change + ?Sized), expr: &Expr) -> Expr {
    let mut kind = expr.map_children(|child| renamed(change, child));
    match &mut kind {
        ExprKind::Ref { name, .. } => change.value(&mut name.name),
        ExprKind::Quantifier { vars, .. } => change.vars(vars),
        ExprKind::Let { var, .. } => change.vars(std::slice::from_mut(var)),
        _ => {}
    }
    Expr::new(kind, expr.span())
}

/// Changes formulas alone.
struct Formulas<F>(F);

impl<F: FnMut(&Expr, bool) -> Expr> Change for Formulas<F> {
    fn formula(&mut self, formula: &mut Expr, is_closed: bool) {
        *formula = (self.0)(formula, is_closed);
    }
}

/// Replaces the formulas of items. `change` is told whether free names are quantified implicitly.
pub(super) fn change_formulas(items: &mut [Item], change: impl FnMut(&Expr, bool) -> Expr) {
    let mut change = Formulas(change);
    items.iter_mut().for_each(|item| change.item(item));
}
