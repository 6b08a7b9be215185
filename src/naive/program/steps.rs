//! Commands as changes of symbols.

use std::rc::Rc;

use super::check::Kind;
use super::meaning::System;
use super::term::{Term, Values, applied, joined, not, operator, variable};
use super::tree::{Change, Command, Role, Variable};
use crate::refusal::Result;

/// A command about symbols alone. A change gives a symbol a value with its own variables.
pub(crate) enum Step {
    Assume(Term),
    Assert(Term, usize),
    Set(usize, Term),
    If(Term, Vec<Step>, Vec<Step>),
    /// The symbols that choose, one for each branch but the last, and the branches.
    Choice(Vec<usize>, Vec<Vec<Step>>),
}

/// A part of a program: the variables for values that are not told, with their names, the values of slots by their
/// variables, and its steps.
#[derive(Default)]
pub(crate) struct Section {
    pub(crate) params: Vec<usize>,
    pub(crate) names: Vec<String>,
    pub(super) values: Values,
    pub(crate) steps: Vec<Step>,
    /// How many values that the steps read have names.
    pub(super) named: usize,
}

impl System<'_> {
    /// Returns a part of a program with these parameters, whose commands are in several lists.
    pub(crate) fn section(&mut self, params: &[usize], lists: &[&[&Command]]) -> Result<Section> {
        let mut section = Section::default();
        params.iter().for_each(|var| self.declare(*var, true, &mut section));
        lists.iter().try_for_each(|list| self.list(list, &mut section)).map(|()| section)
    }

    /// Adds a variable for a value that is not told.
    pub(super) fn param(&mut self, name: &str, sort: Option<usize>, section: &mut Section) -> Term {
        let number = |count: usize| if count == 1 { name.to_owned() } else { format!("{name}.{count}") };
        section.names.push((1..).map(number).find(|it| !section.names.contains(it)).unwrap_or_default());
        section.params.push(self.sorts.len());
        self.sorts.push(sort);
        variable(self.sorts.len() - 1)
    }

    /// Gives a parameter, or a local variable, any value.
    fn declare(&mut self, var: usize, is_param: bool, section: &mut Section) {
        let (name, sort) = (Rc::clone(&self.model.variables[var].name.text), self.sorts[var]);
        let value = match sort {
            None if !is_param => applied(self.bit(&name), Vec::new()),
            _ => self.param(&name, sort, section),
        };
        if self.model.assigned.contains(&var) {
            let symbol = self.store(var, section);
            section.steps.push(Step::Set(symbol, value));
        } else {
            section.values.insert(var, value);
        }
    }

    /// Returns the symbol of the value of a slot that is assigned.
    fn store(&mut self, var: usize, section: &mut Section) -> usize {
        let Variable { name, role, .. } = &self.model.variables[var];
        let number = if let Role::Slot(number) = role { *number } else { 0 };
        let symbol = match self.stores.get(&var) {
            Some(known) => *known,
            None => self.add(format!("{}@{number}", name.text), Vec::new(), self.sorts[var], Kind::Mutable),
        };
        self.stores.insert(var, symbol);
        section.values.insert(var, applied(symbol, Vec::new()));
        symbol
    }

    pub(crate) fn list(&mut self, commands: &[&Command], section: &mut Section) -> Result<()> {
        for (at, command) in commands.iter().enumerate() {
            match (command, commands.get(at + 1)) {
                // Its value before the assignment does not count.
                (Command::Local(vars), Some(Command::Change(_, target, _, _, false)))
                    if vars.len() == 1 && target.slot == Some(vars[0]) =>
                {
                    self.store(vars[0], section);
                }
                _ => self.command(command, section)?,
            }
        }
        Ok(())
    }

    /// Returns the steps of a block.
    fn steps(&mut self, commands: &[Command], section: &mut Section) -> Result<Vec<Step>> {
        let outside = std::mem::take(&mut section.steps);
        self.list(&commands.iter().collect::<Vec<_>>(), section)?;
        Ok(std::mem::replace(&mut section.steps, outside))
    }

    /// Returns a formula or term of a command with definitions expanded and the values of slots.
    fn part(&mut self, term: &Term, section: &Section) -> Result<Term> {
        let expanded = self.expanded(term)?;
        self.rewritten(&expanded, &section.values, &Values::new())
    }

    fn command(&mut self, command: &Command, section: &mut Section) -> Result<()> {
        let step = match command {
            Command::Skip => return Ok(()),
            Command::Assume(formula) => Step::Assume(self.part(formula, section)?),
            Command::Assert(formula, at) => {
                self.at = *at;
                Step::Assert(self.part(formula, section)?, *at)
            }
            Command::Local(vars) => {
                vars.iter().for_each(|var| self.declare(*var, false, section));
                return Ok(());
            }
            Command::Any(target) => {
                let symbol = match target.slot {
                    Some(var) => self.store(var, section),
                    None => self.model.changed(&target.name)?,
                };
                let value = match self.model.symbols[symbol].result {
                    None => applied(self.bit("choice"), Vec::new()),
                    sort => self.param(&target.name.text, sort, section),
                };
                Step::Set(symbol, value)
            }
            Command::Change(change, target, args, value, _) => {
                let symbol = match target.slot {
                    Some(var) => self.store(var, section),
                    None => self.model.changed(&target.name)?,
                };
                let mut these = Vec::new();
                for (head, arg) in self.heads[symbol].clone().into_iter().zip(args) {
                    match self.model.logical(arg) {
                        Some(var) => _ = section.values.insert(var, variable(head)),
                        None => these.push(operator("=", vec![variable(head), self.part(arg, section)?])),
                    }
                }
                let mut these = if these.is_empty() { these } else { vec![joined("&", these)] };
                let value = value.as_ref().map(|value| self.part(value, section)).transpose()?;
                let before = self.read(symbol);
                let value = match (change, value) {
                    (Change::Assign, Some(value)) => match these.pop() {
                        Some(these) => operator("if", vec![these, value, before]),
                        None => value,
                    },
                    (_, value) => {
                        these.extend(value);
                        let these = joined("&", these);
                        let is_insert = *change == Change::Insert;
                        if is_insert {
                            operator("|", vec![before, these])
                        } else {
                            operator("&", vec![before, not(&these)])
                        }
                    }
                };
                Step::Set(symbol, value.sized(self.at)?)
            }
            Command::If(condition, a, b) => {
                let condition = condition.as_ref().map(|it| self.part(it, section)).transpose()?;
                let (a, b) = (self.steps(a, section)?, self.steps(b, section)?);
                match condition {
                    Some(condition) => Step::If(condition, a, b),
                    None => Step::Choice(vec![self.bit("choice")], vec![a, b]),
                }
            }
            Command::Choice(branches) => {
                if let [only] = &branches[..] {
                    return self.list(&only.body.iter().collect::<Vec<_>>(), section);
                }
                let mut blocks = Vec::new();
                for branch in branches {
                    blocks.push(self.steps(&branch.body, section)?);
                }
                Step::Choice(branches[1..].iter().map(|_| self.bit("choice")).collect(), blocks)
            }
        };
        section.steps.push(step);
        Ok(())
    }
}
