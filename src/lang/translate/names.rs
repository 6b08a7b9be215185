//! Names that the target accepts. Equal names stay equal and different ones different, so nothing else changes.

use super::exprs::{Name, ident, plain};
use super::items::{Change, copies, renamed};
use crate::Language;
use crate::fol::ast::{Expr, Ident};
use crate::program::actions::Action;
use crate::program::ast::{CommandKind, Item, ItemKind, commands_of, for_each_command};
use ramsey_core::base::hash::{Map, Set};

/// Returns the first of `plain`, `plain_2`, `plain_3`, .. that is not taken.
pub(super) fn numbered(plain: &str, is_taken: &dyn Fn(&Name) -> bool) -> Name {
    let mut name = Name::from(plain);
    let mut count = 1;
    while is_taken(&name) {
        count += 1;
        name = format!("{plain}_{count}").into();
    }
    name
}

/// Returns the first of `plain`, `plain_`, `plain__`, .. that is not taken.
pub(super) fn underscored(plain: &str, is_taken: impl Fn(&str) -> bool) -> Name {
    let mut name = plain.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name.into()
}

/// Returns the name of an action. One that the source does not give is none of `declared`.
pub(super) fn action_name(action: &Action<'_>, declared: &Set<Name>) -> Ident {
    match action.is_named {
        true => action.name.clone(),
        false => ident(&numbered(&action.name.name, &|name| declared.contains(name)), action.name.span()),
    }
}

/// Collects names.
#[derive(Default)]
struct Seen {
    values: Set<Name>,
    sorts: Set<Name>,
}

impl Change for Seen {
    fn value(&mut self, name: &mut Name) {
        self.values.insert(name.clone());
    }

    fn sort(&mut self, name: &mut Name) {
        self.sorts.insert(name.clone());
    }

    fn formula(&mut self, formula: &mut Expr, _: bool) {
        renamed(self, formula);
    }
}

impl Seen {
    fn of(items: &[Item]) -> Seen {
        let mut seen = Seen::default();
        items.to_vec().iter_mut().for_each(|item| seen.item(item));
        seen
    }
}

/// New names of values and sorts, for those that get another one.
#[derive(Default)]
pub(super) struct NewNames {
    pub(super) values: Map<Name, Name>,
    pub(super) sorts: Map<Name, Name>,
}

impl Change for NewNames {
    fn value(&mut self, name: &mut Name) {
        if let Some(new) = self.values.get(name) {
            name.clone_from(new);
        }
    }

    fn sort(&mut self, name: &mut Name) {
        if let Some(new) = self.sorts.get(name) {
            name.clone_from(new);
        }
    }

    fn formula(&mut self, formula: &mut Expr, _: bool) {
        *formula = renamed(self, formula);
    }
}

/// Returns all names that occur in a program, except those of sorts.
pub(super) fn all_names(items: &[Item]) -> Set<Name> {
    Seen::of(items).values
}

/// Gives everything a name that the target accepts.
pub(super) fn accepted(items: &mut [Item], to: Language) {
    let Seen { values, sorts } = Seen::of(items);
    let declared = declared(items);
    let sorted = |names: &Set<Name>| {
        let mut names: Vec<Name> = names.iter().cloned().collect();
        names.sort();
        names
    };
    // Types of Ivy share their names with symbols.
    let mut taken = values.clone();
    if to == Language::Ivy {
        taken.extend(sorts.iter().cloned());
    }
    let logical = logical(items, &declared);
    let copies = &copies(items);
    let map = Map::default();
    let mut renaming = Renaming { to, map, taken, declared: &declared, logical: &logical, copies };
    sorted(&values).iter().for_each(|name| renaming.add(name, false));
    let of_values = std::mem::take(&mut renaming.map);
    if to != Language::Ivy {
        renaming.taken = sorts.clone();
    }
    for name in sorted(&sorts) {
        renaming.add(&name, to == Language::Ivy && declared.contains(&name));
    }
    let mut names = NewNames { values: of_values, sorts: renaming.map };
    items.iter_mut().for_each(|item| names.item(item));
}

/// Returns the names of symbols, actions and their variables.
fn declared(items: &[Item]) -> Set<Name> {
    let mut found: Set<Name> = Set::default();
    for item in items {
        match &item.kind {
            ItemKind::Symbol(symbol) => found.extend(symbol.names.iter().map(|name| name.name.clone())),
            ItemKind::Macro { name, .. } => drop(found.insert(name.name.clone())),
            _ => {}
        }
    }
    for_each_command(commands_of(items), |command| match &command.kind {
        CommandKind::Local(vars) => found.extend(vars.iter().map(|var| var.name.name.clone())),
        CommandKind::Choice(branches) => {
            for branch in branches {
                found.extend(branch.params.iter().map(|var| var.name.name.clone()));
                found.extend(branch.name.iter().map(|name| name.name.clone()));
            }
        }
        _ => {}
    });
    found
}

/// Returns the names of logical variables: those that are arguments left of `:=`, and not declared.
fn logical(items: &[Item], declared: &Set<Name>) -> Set<Name> {
    let mut found = Set::default();
    for_each_command(commands_of(items), |command| {
        if let CommandKind::Assign { args: Some(args), .. }
        | CommandKind::Update { args, condition: Some(_), .. } = &command.kind
        {
            found.extend(args.iter().filter_map(plain).filter(|name| !declared.contains(*name)).cloned());
        }
    });
    found
}

struct Renaming<'a> {
    to: Language,
    map: Map<Name, Name>,
    taken: Set<Name>,
    /// Names that must not look like variables.
    declared: &'a Set<Name>,
    /// Names that have to look like variables.
    logical: &'a Set<Name>,
    /// Symbols that are not the source's.
    copies: &'a Map<Name, Name>,
}

impl Renaming<'_> {
    fn add(&mut self, name: &Name, clashes: bool) {
        if self.to == Language::Pyv && self.copies.contains_key(name) {
            // Formulas over two states do without it.
            return;
        }
        let mut new: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        // Labels of other tools may be numbers.
        if new.starts_with(|c: char| c.is_ascii_digit()) {
            new.insert_str(0, "claim_");
        }
        if self.to == Language::Ivy && self.declared.contains(name) {
            let start = new.trim_start_matches('_');
            let start = if start.is_empty() { "x" } else { start };
            new = match start.strip_prefix(|c: char| c.is_ascii_uppercase()) {
                // A word in capital letters stays readable in small ones.
                Some(_) if !start.contains(|c: char| c.is_ascii_lowercase()) => start.to_ascii_lowercase(),
                Some(rest) => format!("{}{rest}", start[..1].to_ascii_lowercase()),
                None => start.to_owned(),
            };
        }
        if self.to == Language::Rml && self.logical.contains(name) {
            new = new.to_ascii_uppercase();
        }
        if *new == **name && !clashes && !self.to.reserves(name) {
            return;
        }
        let new = underscored(&new, |new| self.taken.contains(new) || self.to.reserves(new));
        self.taken.insert(new.clone());
        self.map.insert(name.clone(), new);
    }
}
