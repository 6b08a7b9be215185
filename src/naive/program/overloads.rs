//! Orders and numerals, which every sort has: `<` on the sort `s` is the relation `<:s`, and the numeral `0` of the sort is
//! the constant `0:s`. Their first use declares them, after all symbols that the program declares.

use super::check::Kind;
use super::meaning::System;
use super::term::{Term, What};
use super::tree::{Command, Formula, Item};
use crate::refusal::{Result, refuse};

/// Calls `visit` with the terms of commands in their order.
fn terms<'c>(commands: &'c [Command], visit: &mut dyn FnMut(&'c Term)) {
    for command in commands {
        match command {
            Command::Skip | Command::Local(_) | Command::Any(_) => {}
            Command::Assume(formula) | Command::Assert(formula, _) => visit(formula),
            Command::Change(_, _, args, value, _) => args.iter().chain(value).for_each(&mut *visit),
            Command::If(condition, a, b) => {
                condition.iter().for_each(&mut *visit);
                terms(a, visit);
                terms(b, visit);
            }
            Command::Choice(branches) => branches.iter().for_each(|it| terms(&it.body, visit)),
        }
    }
}

/// Calls `visit` with the orders and numerals in a term, those in their arguments first.
fn overloads(term: &Term, visit: &mut dyn FnMut(usize, usize)) {
    term.parts.iter().for_each(|part| overloads(part, visit));
    if let What::Overload(var) = term.what {
        visit(var, term.parts.len());
    }
}

/// Returns the variables of the orders and numerals in a program, in their order, with how many arguments they have.
pub(crate) fn found(formulas: &[&Formula], items: &[Item]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut visit = |term: &Term| overloads(term, &mut |var, args| found.push((var, args)));
    formulas.iter().for_each(|it| visit(&it.body));
    let lists: [fn(&Item) -> &[Command]; 3] = [
        |item| if let Item::Command(command) = item { std::slice::from_ref(command) } else { &[] },
        |item| if let Item::While(body, _) = item { body } else { &[] },
        |item| if let Item::Unused(commands) = item { commands } else { &[] },
    ];
    for list in lists {
        items.iter().for_each(|item| terms(list(item), &mut visit));
    }
    found
}

impl System<'_> {
    /// Declares the orders and numerals of a program: first the numerals with a sort, in their order, then the others.
    pub(crate) fn declare_overloads(&mut self, items: &[Item]) -> Result<()> {
        let found = found(&self.model.formulas, items);
        let has_sort = |var: usize| self.model.variables[var].sort.is_some();
        let (given, inferred): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(var, args)| *args == 0 && has_sort(*var));
        for (var, args) in given.into_iter().chain(inferred) {
            let name = &self.model.variables[var].name;
            let Some(sort) = self.sorts[var] else {
                return refuse(name.at, format!("nothing tells the sort of `{}`", name.text));
            };
            let full = format!("{}:{}", name.text, self.model.sorts[sort]);
            let known = self.model.symbols.iter().position(|symbol| symbol.name == full);
            let result = (args == 0).then_some(sort);
            let symbol = known.unwrap_or_else(|| self.add(full, vec![sort; args], result, Kind::Rigid));
            self.overloads.insert(var, symbol);
        }
        Ok(())
    }
}
