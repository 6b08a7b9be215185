//! Programs with names that are still to be resolved, whatever language they are written in, and their closed systems.

mod capture;
mod check;
mod close;
mod commands;
mod execution;
pub(crate) mod grammar;
mod meaning;
mod numbers;
mod overloads;
mod steps;
pub(crate) mod term;
pub(crate) mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::refusal::Result;
use check::Model;
use commands::Parts;
use meaning::System;
use tree::{Axioms, Item, Variable};

/// Returns the lines of the closed system of a program with these variables. `line` returns the line of a place.
pub(crate) fn closed(
    items: Vec<Item>,
    mut variables: Vec<Variable>,
    axioms: Axioms,
    line: &dyn Fn(usize) -> usize,
) -> Result<String> {
    let items = with_numbers(items, &mut variables)?;
    let parts = Parts::new(&items)?;
    let model = Model::new(&items, &variables, &parts)?;
    let system = System::new(model, &items, &parts, axioms, line)?;
    close::document(&system, parts.actions.iter().map(|it| &it.name), line)
}

/// Returns a program with the axioms about the numbers of its sorts. They depend on what it mentions of the sorts.
fn with_numbers(items: Vec<Item>, variables: &mut Vec<Variable>) -> Result<Vec<Item>> {
    if !items.iter().any(|item| matches!(item, Item::Numbers(..))) {
        return Ok(items);
    }
    let mut used: BTreeMap<String, BTreeSet<Rc<str>>> = BTreeMap::new();
    {
        let parts = Parts::new(&items)?;
        let model = Model::new(&items, variables, &parts)?;
        let sorts = model.settled()?;
        for (var, _) in overloads::found(&model.formulas, &items) {
            if let Some(sort) = sorts[var] {
                used.entry(model.sorts[sort].to_owned())
                    .or_default()
                    .insert(variables[var].name.text.clone());
            }
        }
    }
    let mut all = Vec::new();
    for item in items {
        match item {
            Item::Numbers(sort, ends) => {
                let used: Vec<Rc<str>> = used.get(&*sort.text).into_iter().flatten().cloned().collect();
                all.extend(numbers::axioms(&sort, &ends, &used, variables));
            }
            item => all.push(item),
        }
    }
    Ok(all)
}
