//! Copies of items with other names or formulas.

use super::exprs::{Name, ident};
use crate::fol::ast::{Expr, ExprKind, Ident, SortName, SortRef, SortedVar, TraceStep};
use crate::program::ast::{Branch, Command, CommandKind, Item, ItemKind};

/// A change of the names and formulas of items. What is not implemented stays.
pub(super) trait Change {
    /// Returns the new name of a symbol, definition, action or variable.
    fn value(&mut self, name: &Name) -> Name {
        name.clone()
    }

    /// Returns the new name of a sort.
    fn sort(&mut self, name: &Name) -> Name {
        name.clone()
    }

    /// Returns the new form of a formula, in which free names are quantified implicitly if `is_closed`, or of a term.
    fn formula(&mut self, formula: &Expr, is_closed: bool) -> Expr;

    fn ident(&mut self, name: &Ident) -> Ident {
        ident(&self.value(&name.name), name.span())
    }

    fn sort_ref(&mut self, sort: &SortRef) -> SortRef {
        let name = match &sort.name {
            SortName::Named(name) => SortName::Named(self.sort(name)),
            other => other.clone(),
        };
        SortRef { name, place: sort.place }
    }

    fn vars(&mut self, vars: &[SortedVar]) -> Vec<SortedVar> {
        vars.iter()
            .map(|var| SortedVar {
                name: self.ident(&var.name),
                sort: var.sort.as_ref().map(|sort| self.sort_ref(sort)),
            })
            .collect()
    }

    fn terms(&mut self, items: &[Expr]) -> Vec<Expr> {
        items.iter().map(|item| self.formula(item, false)).collect()
    }

    fn item(&mut self, item: &Item) -> Item {
        let kind = match &item.kind {
            ItemKind::Sort { name, annotations } => {
                let mut annotations = annotations.clone();
                for name in annotations.iter_mut().flat_map(|it| &mut it.args) {
                    *name = self.ident(name);
                }
                ItemKind::Sort { name: ident(&self.sort(&name.name), name.span()), annotations }
            }
            ItemKind::Symbol(symbol) => {
                let mut symbol = symbol.clone();
                symbol.names = symbol.names.iter().map(|name| self.ident(name)).collect();
                symbol.args = symbol.args.iter().map(|sort| self.sort_ref(sort)).collect();
                symbol.result = symbol.result.as_ref().map(|sort| self.sort_ref(sort));
                ItemKind::Symbol(symbol)
            }
            ItemKind::Formula { role, name, formula, .. } => ItemKind::Formula {
                role: *role,
                name: name.as_ref().map(|name| self.ident(name)),
                formula: self.formula(formula, true),
                proof: None,
            },
            ItemKind::Macro { name, params, body } => ItemKind::Macro {
                name: self.ident(name),
                params: self.vars(params),
                body: self.formula(body, true),
            },
            ItemKind::Trace { expect_sat, steps } => {
                let mut steps = steps.clone();
                for step in &mut steps {
                    match step {
                        TraceStep::Assert(formula) => *formula = self.formula(formula, true),
                        TraceStep::Calls(calls) => {
                            for call in calls {
                                call.name = self.ident(&call.name);
                                let args = call.args.iter_mut().flatten().flatten();
                                args.for_each(|arg| *arg = self.formula(arg, false));
                            }
                        }
                        TraceStep::AssertInit | TraceStep::AnyTransition(_) => {}
                    }
                }
                ItemKind::Trace { expect_sat: *expect_sat, steps }
            }
            ItemKind::Command(command) => ItemKind::Command(self.command(command)),
            ItemKind::While(body) => ItemKind::While(self.commands(body)),
            // Expanded or left out before.
            ItemKind::Include { .. }
            | ItemKind::Module(_)
            | ItemKind::Use { .. }
            | ItemKind::Interpreted(_)
            | ItemKind::Unused(_)
            | ItemKind::Broken(_) => item.kind.clone(),
        };
        Item { kind, place: item.place }
    }

    fn commands(&mut self, commands: &[Command]) -> Vec<Command> {
        commands.iter().map(|command| self.command(command)).collect()
    }

    #[inline(never)]
    fn command(&mut self, command: &Command) -> Command {
        let kind = match &command.kind {
            CommandKind::Skip => CommandKind::Skip,
            CommandKind::Abort => CommandKind::Abort,
            CommandKind::Broken => CommandKind::Broken,
            CommandKind::Assume(formula) => CommandKind::Assume(self.formula(formula, true)),
            CommandKind::Assert { formula, .. } => {
                CommandKind::Assert { formula: self.formula(formula, true), proof: None }
            }
            CommandKind::Local(vars) => CommandKind::Local(self.vars(vars)),
            CommandKind::Havoc(target) => CommandKind::Havoc(self.ident(target)),
            CommandKind::Assign { target, args, value } => CommandKind::Assign {
                target: self.ident(target),
                args: args.as_ref().map(|args| self.terms(args)),
                value: self.formula(value, false),
            },
            CommandKind::Update { target, insert, args, condition } => CommandKind::Update {
                target: self.ident(target),
                insert: *insert,
                args: self.terms(args),
                condition: condition.as_ref().map(|condition| self.formula(condition, false)),
            },
            CommandKind::If { condition, then, otherwise } => CommandKind::If {
                condition: condition.as_ref().map(|condition| self.formula(condition, false)),
                then: self.commands(then),
                otherwise: self.commands(otherwise),
            },
            CommandKind::Choice(branches) => CommandKind::Choice(
                branches
                    .iter()
                    .map(|branch| Branch {
                        name: branch.name.as_ref().map(|name| self.ident(name)),
                        params: self.vars(&branch.params),
                        body: self.commands(&branch.body),
                        place: branch.place,
                    })
                    .collect(),
            ),
        };
        Command { kind, place: command.place }
    }
}

/// Returns an expression with changed names.
pub(super) fn renamed(change: &mut (impl Change + ?Sized), expr: &Expr) -> Expr {
    let mut kind = expr.map_children(|child| renamed(change, child));
    match &mut kind {
        ExprKind::Ref { name, .. } => *name = change.ident(name),
        ExprKind::Quantifier { vars, .. } => *vars = change.vars(vars),
        ExprKind::Let { var, .. } => {
            if let Some(renamed) = change.vars(std::slice::from_ref(var)).pop() {
                **var = renamed;
            }
        }
        _ => {}
    }
    Expr::new(kind, expr.span())
}

/// Changes formulas alone.
struct Formulas<'a> {
    change: &'a mut dyn FnMut(&Expr, bool) -> Expr,
}

impl Change for Formulas<'_> {
    fn formula(&mut self, formula: &Expr, is_closed: bool) -> Expr {
        (self.change)(formula, is_closed)
    }
}

/// Returns the items with other formulas. `change` is told whether free names are quantified implicitly.
pub(super) fn with_formulas(items: &[Item], change: &mut dyn FnMut(&Expr, bool) -> Expr) -> Vec<Item> {
    let mut change = Formulas { change };
    items.iter().map(|item| change.item(item)).collect()
}
