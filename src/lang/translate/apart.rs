//! Parameters and local variables with names of their own. What all actions begin and end with stands outside of an
//! action: a name in capital letters there is a logical variable, whatever the variables of the action are called. The
//! translation of an action contains these commands, so its variables must not have names of logical variables.

use super::exprs::{Name, constant, free, rewrite};
use super::items::Change;
use super::names::{all_names, numbered};
use super::table::Table;
use crate::Language;
use crate::fol::ast::{Expr, SortedVar};
use crate::fol::is_capital;
use crate::program::actions;
use crate::program::ast::{Branch, Command, Item, ItemKind};
use crate::shared::report::Report;
use ramsey_core::base::hash::Set;

/// Gives parameters and local variables names that no logical variable has in the same action, or anywhere in the
/// model for Ivy, where capital letters alone tell the two apart.
pub(super) fn variables_apart(items: &mut [Item], to: Language) {
    let mut variables = Variables {
        table: &Table::of(items),
        taken: all_names(items),
        renamed: Set::default(),
        scope: Vec::new(),
        found: Set::default(),
    };
    if to == Language::Ivy {
        variables.items(&mut items.to_vec());
    } else if let Some(action) = actions::parts(items, &mut Report::default()).actions.first() {
        for command in action.before.iter().chain(action.after) {
            variables.command(&mut command.clone());
        }
        variables.scope.clear();
    }
    variables.renamed = std::mem::take(&mut variables.found);
    variables.items(items);
}

struct Variables<'a> {
    table: &'a Table,
    taken: Set<Name>,
    /// The names that variables in scope must not have.
    renamed: Set<Name>,
    /// Variables in scope with their new names.
    scope: Vec<(Name, Name)>,
    /// Names of logical variables.
    found: Set<Name>,
}

impl Variables<'_> {
    fn items(&mut self, items: &mut [Item]) {
        for item in items {
            match &mut item.kind {
                ItemKind::Command(command) => self.command(command),
                ItemKind::While(body) => {
                    // The variables of the commands before the loop end there.
                    self.scope.clear();
                    self.commands(body);
                }
                ItemKind::Macro { params, body, .. } => {
                    let outside = std::mem::take(&mut self.scope);
                    self.scope.extend(params.iter().map(|it| (it.name.name.clone(), it.name.name.clone())));
                    self.formula(body, true);
                    self.scope = outside;
                }
                ItemKind::Formula { formula, .. } => {
                    let outside = std::mem::take(&mut self.scope);
                    self.formula(formula, true);
                    self.scope = outside;
                }
                _ => {}
            }
        }
    }

    fn in_scope(&self, name: &Name) -> Option<&Name> {
        self.scope.iter().rev().find(|(old, _)| old == name).map(|(_, new)| new)
    }
}

impl Change for Variables<'_> {
    fn value(&mut self, name: &mut Name) {
        if let Some(new) = self.in_scope(name) {
            *name = new.clone();
        }
    }

    fn vars(&mut self, vars: &mut [SortedVar]) {
        for var in vars {
            let old = var.name.name.clone();
            if self.renamed.contains(&old) {
                var.name.name = numbered(&old, &|name| self.taken.contains(name));
                self.taken.insert(var.name.name.clone());
            }
            self.scope.push((old, var.name.name.clone()));
        }
    }

    fn formula(&mut self, formula: &mut Expr, _: bool) {
        let free = free(formula);
        let is_logical = |name: &Name| {
            is_capital(name)
                && self.in_scope(name).is_none()
                && !self.table.symbols.contains_key(name)
                && !self.table.definitions.contains_key(name)
        };
        let logical: Vec<Name> = free.iter().filter(|name| is_logical(name)).cloned().collect();
        self.found.extend(logical);
        let renamed = |name: &Name| self.in_scope(name).filter(|new| *new != name);
        let avoid = free.iter().filter_map(renamed).cloned().collect();
        *formula = rewrite(formula, &avoid, &mut |leaf| match renamed(&leaf.name.name) {
            Some(new) if leaf.args.is_none() => constant(new, leaf.span),
            _ => leaf.unchanged(),
        });
    }

    fn commands(&mut self, commands: &mut [Command]) {
        let outside = self.scope.len();
        commands.iter_mut().for_each(|command| self.command(command));
        self.scope.truncate(outside);
    }

    fn branch(&mut self, branch: &mut Branch) {
        let outside = self.scope.len();
        self.vars(&mut branch.params);
        self.commands(&mut branch.body);
        self.scope.truncate(outside);
    }
}
