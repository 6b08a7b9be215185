//! What expansion leaves behind, as a person would write it.

use super::exprs::{opened, without_lets};
use super::infer::Scope;
use super::items::with_formulas;
use super::orders;
use super::table::Table;
use crate::fol::ast::{Expr, ExprKind};
use crate::program::ast::{Branch, Command, CommandKind, Item, ItemKind, Program, Role};

/// Returns an expanded program of Ivy without what only Ivy has: orders and numerals of each type, explicit quantifiers
/// where others are implicit, blocks that were calls.
pub(super) fn from_ivy(program: &Program) -> Vec<Item> {
    let items = orders::with_symbols(&program.items);
    let table = Table::of(&items);
    let is_declared = |name: &str| table.symbols.contains_key(name);
    let items = with_formulas(&items, &mut |formula, is_closed| {
        let formula = without_sorts(&table, without_lets(formula));
        if is_closed { opened(formula, &is_declared) } else { formula }
    });
    let mut items: Vec<Item> = items.into_iter().flat_map(|item| without_block(&item)).collect();
    add_loop(&mut items);
    items
}

/// Leaves out the sorts of the outermost variables if their uses tell them.
fn without_sorts(table: &Table, formula: Expr) -> Expr {
    let span = formula.span();
    let kind = match formula.kind {
        ExprKind::Quantifier { universal, mut vars, body } => {
            let mut plain = vars.clone();
            plain.iter_mut().for_each(|var| var.sort = None);
            let mut scope = Scope::default();
            scope.bind(table, &plain, &[&body]);
            for var in &mut vars {
                if var.sort.as_ref().is_some_and(|sort| scope.of(&var.name.name).as_ref() == Some(&sort.name))
                {
                    var.sort = None;
                }
            }
            ExprKind::Quantifier { universal, vars, body }
        }
        kind => kind,
    };
    Expr::new(kind, span)
}

/// Opens blocks that declare nothing.
fn without_block(item: &Item) -> Vec<Item> {
    let kind = match &item.kind {
        ItemKind::Command(command) => {
            let commands = without_blocks(std::slice::from_ref(command), false);
            let items = commands.into_iter();
            return items.map(|it| Item { place: it.place, kind: ItemKind::Command(it) }).collect();
        }
        ItemKind::While(body) => {
            let body = body.iter().map(|command| match &command.kind {
                CommandKind::Choice(branches) => {
                    let branches = branches
                        .iter()
                        .map(|it| Branch { body: without_blocks(&it.body, true), ..it.clone() });
                    Command { kind: CommandKind::Choice(branches.collect()), place: command.place }
                }
                _ => command.clone(),
            });
            ItemKind::While(body.collect())
        }
        other => other.clone(),
    };
    vec![Item { kind, place: item.place }]
}

/// Opens blocks that declare nothing, and one that is everything if the commands have a scope of their own.
fn without_blocks(commands: &[Command], is_scope: bool) -> Vec<Command> {
    let declares =
        |body: &[Command]| body.iter().any(|command| matches!(command.kind, CommandKind::Local(_)));
    let mut opened = Vec::new();
    for command in commands {
        let kind = match &command.kind {
            CommandKind::Choice(branches) => {
                if let [only] = branches.as_slice()
                    && only.name.is_none()
                {
                    let body = without_blocks(&only.body, false);
                    if !declares(&body) || is_scope && commands.len() == 1 {
                        opened.extend(body);
                        continue;
                    }
                    CommandKind::Choice(vec![Branch { body, ..only.clone() }])
                } else {
                    let branches = branches
                        .iter()
                        .map(|it| Branch { body: without_blocks(&it.body, true), ..it.clone() });
                    CommandKind::Choice(branches.collect())
                }
            }
            CommandKind::If { condition, then, otherwise } => CommandKind::If {
                condition: condition.clone(),
                then: without_blocks(then, true),
                otherwise: without_blocks(otherwise, true),
            },
            other => other.clone(),
        };
        opened.push(Command { kind, place: command.place });
    }
    opened
}

/// Adds a loop that does nothing to a program without actions.
pub(super) fn add_loop(items: &mut Vec<Item>) {
    let belongs = |item: &Item| match &item.kind {
        ItemKind::Command(_) => true,
        ItemKind::Formula { role, .. } => matches!(role, Role::Conjecture | Role::Safety),
        _ => false,
    };
    if items.iter().any(|item| matches!(item.kind, ItemKind::While(_))) || !items.iter().any(belongs) {
        return;
    }
    if let Some(place) = items.last().map(|item| item.place) {
        let skip = Command { kind: CommandKind::Skip, place };
        items.push(Item { kind: ItemKind::While(vec![skip]), place });
    }
}

/// Returns the items in an order in which everything is declared before it is used, if they are not in one already.
pub(super) fn declared_first(items: Vec<Item>) -> Vec<Item> {
    let table = Table::of(&items);
    let rank = |item: &Item| match &item.kind {
        ItemKind::Sort { .. } => 0,
        ItemKind::Symbol(_) => 1,
        ItemKind::Macro { .. } => 2,
        _ => 3,
    };
    let mut symbols = ramsey_core::base::hash::Set::default();
    let mut is_ordered = true;
    let mut last_sort = 0;
    for (at, item) in items.iter().enumerate() {
        match &item.kind {
            ItemKind::Sort { .. } => last_sort = at,
            ItemKind::Symbol(symbol) => {
                symbols.extend(symbol.names.iter().map(|name| name.name.clone()));
            }
            ItemKind::Macro { body, .. } => {
                is_ordered &= table.reads(body).iter().all(|name| symbols.contains(name));
            }
            ItemKind::Formula { formula, .. } => {
                is_ordered &= table.reads(formula).iter().all(|name| symbols.contains(name));
            }
            _ => {}
        }
    }
    is_ordered &= !items.iter().take(last_sort).any(|item| rank(item) > 0);
    if is_ordered {
        return items;
    }
    let mut items = items;
    items.sort_by_key(rank);
    items
}
