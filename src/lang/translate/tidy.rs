//! What expansion leaves behind, as a person would write it.

use super::exprs::{Name, opened, without_lets};
use super::infer::Scope;
use super::items::change_formulas;
use super::orders;
use super::table::Table;
use crate::fol::ast::{Expr, ExprKind};
use crate::program::ast::{Command, CommandKind, Item, ItemKind, Program, Role};
use ramsey_core::base::hash::Set;

/// Returns an expanded program of Ivy without what only Ivy has: orders and numerals of each type, explicit quantifiers
/// where others are implicit, blocks that were calls.
pub(super) fn from_ivy(program: &Program) -> Vec<Item> {
    let mut items = orders::with_symbols(&program.items);
    let table = Table::of(&items);
    let is_declared = |name: &str| table.symbols.contains_key(name);
    change_formulas(&mut items, |formula, is_closed| {
        let formula = without_sorts(&table, without_lets(formula));
        if is_closed { opened(formula, &is_declared) } else { formula }
    });
    let mut items: Vec<Item> = items.into_iter().flat_map(without_block).collect();
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
fn without_block(item: Item) -> Vec<Item> {
    let place = item.place;
    match item.kind {
        ItemKind::Command(command) => {
            let commands = without_blocks(vec![command], false).into_iter();
            commands.map(|it| Item { place: it.place, kind: ItemKind::Command(it) }).collect()
        }
        ItemKind::While(body) => vec![Item { kind: ItemKind::While(without_blocks(body, false)), place }],
        kind => vec![Item { kind, place }],
    }
}

/// Opens blocks that declare nothing, and one that is everything if the commands have a scope of their own.
fn without_blocks(commands: Vec<Command>, is_scope: bool) -> Vec<Command> {
    let declares =
        |body: &[Command]| body.iter().any(|command| matches!(command.kind, CommandKind::Local(_)));
    let is_only = commands.len() == 1;
    let mut opened = Vec::new();
    for mut command in commands {
        match &mut command.kind {
            CommandKind::Choice(branches) => {
                let is_block = matches!(&branches[..], [only] if only.name.is_none());
                for branch in &mut *branches {
                    branch.body = without_blocks(std::mem::take(&mut branch.body), !is_block);
                }
                if let [only] = &mut branches[..]
                    && is_block
                    && (!declares(&only.body) || is_scope && is_only)
                {
                    opened.append(&mut only.body);
                    continue;
                }
            }
            CommandKind::If { then, otherwise, .. } => {
                for body in [then, otherwise] {
                    *body = without_blocks(std::mem::take(body), true);
                }
            }
            _ => {}
        }
        opened.push(command);
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
pub(super) fn declared_first(mut items: Vec<Item>) -> Vec<Item> {
    let table = Table::of(&items);
    let rank = |item: &Item| match &item.kind {
        ItemKind::Sort { .. } => 0,
        ItemKind::Symbol(_) => 1,
        ItemKind::Macro { .. } => 2,
        _ => 3,
    };
    let mut symbols: Set<Name> = Set::default();
    let mut macros: Set<Name> = Set::default();
    let all_macros: Set<Name> = items.iter().filter_map(macro_name).cloned().collect();
    let is_known = |formula: &Expr, symbols: &Set<Name>, macros: &Set<Name>| {
        table.reads(formula).iter().all(|name| symbols.contains(name))
            && table.uses(formula).iter().all(|name| macros.contains(name) || !all_macros.contains(name))
    };
    let mut is_ordered = true;
    let mut last_sort = 0;
    for (at, item) in items.iter().enumerate() {
        match &item.kind {
            ItemKind::Sort { .. } => last_sort = at,
            ItemKind::Symbol(symbol) => {
                symbols.extend(symbol.names.iter().map(|name| name.name.clone()));
            }
            ItemKind::Macro { name, body: formula, .. } => {
                is_ordered &= is_known(formula, &symbols, &macros);
                macros.insert(name.name.clone());
            }
            ItemKind::Formula { formula, .. } => is_ordered &= is_known(formula, &symbols, &macros),
            _ => {}
        }
    }
    is_ordered &= !items.iter().take(last_sort).any(|item| rank(item) > 0);
    if !is_ordered {
        // What a macro uses uses less.
        items.sort_by_cached_key(|item| match &item.kind {
            ItemKind::Macro { body, .. } => (rank(item), table.uses(body).len()),
            _ => (rank(item), 0),
        });
    }
    items
}

fn macro_name(item: &Item) -> Option<&Name> {
    match &item.kind {
        ItemKind::Macro { name, .. } => Some(&name.name),
        _ => None,
    }
}
