//! Sorts.

use super::read::Reader;
use crate::refusal::{Result, refuse};

/// A sort as it is written, in which definitions are expanded.
#[derive(Clone)]
pub(super) enum Written<'t> {
    Bool,
    /// A parameter of a definition.
    Parameter(usize),
    Applied(&'t str, Vec<Written<'t>>),
}

/// What the name of a sort means: a symbol with so many arguments, or a definition with so many parameters.
#[derive(Clone)]
pub(super) enum Meaning<'t> {
    Declared(usize),
    Defined(usize, Written<'t>),
}

impl<'t> Written<'t> {
    fn with(&self, args: &[Written<'t>]) -> Written<'t> {
        match self {
            Written::Bool => Written::Bool,
            Written::Parameter(index) => args[*index].clone(),
            Written::Applied(name, parts) => {
                Written::Applied(name, parts.iter().map(|part| part.with(args)).collect())
            }
        }
    }

    fn size(&self) -> usize {
        match self {
            Written::Applied(_, parts) => 1 + parts.iter().map(Written::size).sum::<usize>(),
            _ => 1,
        }
    }
}

impl<'t> Reader<'t> {
    /// Reads a sort below the parameters of a definition.
    pub(super) fn written(&mut self, params: &[&'t str]) -> Result<Written<'t>> {
        self.deeper()?;
        let is_applied = self.eat("(");
        let at = self.peek().at;
        let name = self.symbol()?;
        let mut args = Vec::new();
        while is_applied && (args.is_empty() || !self.eat(")")) {
            args.push(self.written(params)?);
        }
        self.nesting -= 1;
        let written = match (params.iter().position(|param| *param == name), self.sorts.get(name)) {
            (Some(index), _) if !is_applied => Written::Parameter(index),
            (None, _) if !is_applied && name == "Bool" => Written::Bool,
            (None, Some(Meaning::Declared(count))) if *count == args.len() => Written::Applied(name, args),
            (None, Some(Meaning::Defined(count, body))) if *count == args.len() => body.with(&args),
            _ => return refuse(at, format!("there is no sort `{name}` with so many arguments")),
        };
        self.budget.spend(written.size())?;
        Ok(written)
    }

    /// Reads a sort, and returns its number; none for `Bool`.
    pub(super) fn sort(&mut self) -> Result<Option<usize>> {
        let written = self.written(&[])?;
        Ok(self.number(&written))
    }

    fn number(&mut self, sort: &Written<'t>) -> Option<usize> {
        let Written::Applied(name, args) = sort else { return None };
        let args = args.iter().map(|arg| self.number(arg)).collect();
        Some(self.sort_number(name, args))
    }

    /// Returns the number of a declared sort with arguments.
    pub(super) fn sort_number(&mut self, name: &'t str, args: Vec<Option<usize>>) -> usize {
        let shown = if args.is_empty() { name.to_owned() } else { format!("({name} ..)") };
        let problem = &mut self.problem;
        *self.known.sorts.entry((name, args)).or_insert_with(|| problem.sort(&shown))
    }
}
