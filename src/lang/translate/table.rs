//! The declared names of a program without modules.

use super::execute::MAX_HEIGHT;
use super::exprs::{Name, free, implicit, quantified};
use super::items::copies;
use crate::fol::ast::{Expr, SortName, SortRef, SortedVar};
use crate::program::ast::{CommandKind, Item, ItemKind, Role, assigned, commands_of, for_each_command};
use ramsey_core::base::hash::{Map, Set};

/// The sorts of a symbol.
pub(super) struct Sorts {
    pub(super) args: Vec<SortRef>,
    /// The sort of the value; `None` for relations.
    pub(super) result: Option<SortRef>,
}

impl Sorts {
    pub(super) fn is_formula(&self) -> bool {
        is_bool(self.result.as_ref())
    }
}

/// Returns whether the values of this sort are those of formulas.
pub(super) fn is_bool(sort: Option<&SortRef>) -> bool {
    sort.is_none_or(|sort| sort.name == SortName::Bool)
}

/// A macro or a named formula.
pub(super) struct Definition {
    pub(super) params: Vec<SortedVar>,
    /// The formula, with all implicit quantifiers.
    pub(super) body: Expr,
}

/// The declared names of a program.
#[derive(Default)]
pub(super) struct Table {
    pub(super) symbols: Map<Name, Sorts>,
    /// The symbols in the order of their declarations.
    pub(super) order: Vec<Name>,
    pub(super) definitions: Map<Name, Definition>,
    /// The symbols that commands change.
    pub(super) changed: Set<Name>,
    /// What [`copies`] returns.
    pub(super) copies: Map<Name, Name>,
    /// The names of actions.
    actions: Set<Name>,
}

impl Table {
    pub(super) fn of(items: &[Item]) -> Table {
        let mut table = Table { changed: assigned(items), copies: copies(items), ..Table::default() };
        for_each_command(commands_of(items), |command| {
            if let CommandKind::Choice(branches) = &command.kind {
                let names = branches.iter().filter_map(|branch| branch.name.as_ref());
                table.actions.extend(names.map(|name| name.name.clone()));
            }
        });
        for item in items {
            if let ItemKind::Symbol(symbol) = &item.kind {
                for name in &symbol.names {
                    table.declare(&name.name, &symbol.args, symbol.result.as_ref());
                }
            }
        }
        for item in items {
            let (name, params, body) = match &item.kind {
                ItemKind::Macro { name, params, body } => (name, params.clone(), body),
                ItemKind::Formula { name: Some(name), formula, .. } => (name, Vec::new(), formula),
                _ => continue,
            };
            let body = table.closed(body, &params);
            table.definitions.insert(name.name.clone(), Definition { params, body });
        }
        table
    }

    /// Returns whether the values of a symbol are those of formulas.
    pub(super) fn is_formula(&self, name: &Name) -> bool {
        self.symbols.get(name).is_some_and(Sorts::is_formula)
    }

    /// Adds a symbol.
    pub(super) fn declare(&mut self, name: &Name, args: &[SortRef], result: Option<&SortRef>) {
        self.order.push(name.clone());
        self.symbols.insert(name.clone(), Sorts { args: args.to_vec(), result: result.cloned() });
    }

    /// Adds a definition, in the place of a symbol if there is one of this name.
    pub(super) fn define(&mut self, name: &Name, definition: Definition) {
        if self.symbols.remove(name).is_some() {
            self.order.retain(|symbol| symbol != name);
        }
        self.definitions.insert(name.clone(), definition);
    }

    /// Returns the declared names, those of sorts excepted.
    pub(super) fn declared(&self) -> Set<Name> {
        self.symbols.keys().chain(self.definitions.keys()).chain(&self.actions).cloned().collect()
    }

    /// Returns a formula with its implicit quantifiers.
    pub(super) fn closed(&self, formula: &Expr, params: &[SortedVar]) -> Expr {
        let is_declared = |name: &str| {
            self.symbols.contains_key(name) || params.iter().any(|param| &*param.name.name == name)
        };
        quantified(true, implicit(formula, &is_declared), formula.clone())
    }

    /// Returns the symbols that a formula reads, also by way of definitions.
    pub(super) fn reads(&self, formula: &Expr) -> Set<Name> {
        self.reached(formula).0
    }

    /// Returns the definitions that a formula uses, also by way of others.
    pub(super) fn uses(&self, formula: &Expr) -> Set<Name> {
        self.reached(formula).1
    }

    fn reached(&self, formula: &Expr) -> (Set<Name>, Set<Name>) {
        let mut found = Set::default();
        let mut open: Vec<Name> = free(formula).into_iter().collect();
        let mut seen: Set<Name> = Set::default();
        while let Some(name) = open.pop() {
            if self.symbols.contains_key(&name) {
                found.insert(name);
            } else if let Some(definition) = self.definitions.get(&name)
                && seen.insert(name)
            {
                open.extend(free(&definition.body));
            }
        }
        (found, seen)
    }

    /// Returns a formula that is too high once the definitions in it are expanded, of these and the table's. What
    /// expands them recurses, so a translation ends there.
    pub(super) fn too_high<'a>(
        &'a self,
        more: impl Iterator<Item = (&'a Name, &'a Expr)>,
    ) -> Option<&'a Expr> {
        let own = self.definitions.iter().map(|(name, definition)| (name, &definition.body));
        let is_known = |(name, _): &(&Name, &Expr)| !self.symbols.contains_key(*name);
        let bodies: Map<&Name, &Expr> = own.chain(more).filter(is_known).collect();
        let mut heights: Map<&Name, u32> = Map::default();
        let mut open: Vec<(&Name, bool)> = bodies.keys().map(|&name| (name, false)).collect();
        while let Some((name, are_used_known)) = open.pop() {
            let Some(body) = bodies.get(name) else { continue };
            let free = free(body);
            let used = free.iter().filter_map(|name| bodies.get_key_value(name)).map(|(&name, _)| name);
            if are_used_known {
                let height = body.height + used.filter_map(|name| heights.get(name)).max().unwrap_or(&0);
                if height > MAX_HEIGHT {
                    return Some(body);
                }
                heights.insert(name, height);
            } else if !heights.contains_key(name) {
                heights.insert(name, body.height);
                open.push((name, true));
                open.extend(used.map(|name| (name, false)));
            }
        }
        None
    }

    /// Returns whether the truth of a formula depends on the state.
    pub(super) fn changes(&self, formula: &Expr) -> bool {
        self.reads(formula).iter().any(|name| self.changed.contains(name))
    }

    /// Returns the axioms about what changes, with all quantifiers.
    pub(super) fn axioms_of_states(&self, items: &[Item]) -> Vec<Expr> {
        let axioms = items.iter().filter_map(|item| match &item.kind {
            ItemKind::Formula { role: Role::Axiom, formula, .. } => Some(self.closed(formula, &[])),
            _ => None,
        });
        axioms.filter(|axiom| self.changes(axiom)).collect()
    }
}
