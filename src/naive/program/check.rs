//! What names mean, and what sorts variables have.

use std::collections::{BTreeMap, BTreeSet};

use super::commands::Parts;
use super::term::{Term, What};
use super::tree::{Command, Component, Formula, Item, Name, Role, Target, Variable};
use crate::refusal::{Result, refuse, uncovered};

/// A sort by its number, or none for that of formulas; or the one of a variable, which is to be inferred.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Known(Option<usize>),
    Of(usize),
}

/// The sort of formulas.
const BOOL: Sort = Sort::Known(None);

/// How many steps a trace may have.
const MAX_STEPS: usize = 1_000;

/// How a symbol changes: not at all; by commands alone; or it may be anything in each state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Rigid,
    Mutable,
    Free,
}

/// A relation, function or constant. Relations have no sort of values.
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) args: Vec<usize>,
    pub(crate) result: Option<usize>,
    pub(crate) kind: Kind,
}

/// What a name means: a symbol, a formula or an action, by its number.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    Symbol(usize),
    Formula(usize),
    Action(usize),
}

/// What is known of a program.
pub(crate) struct Model<'m> {
    pub(crate) sorts: Vec<&'m str>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) formulas: Vec<&'m Formula>,
    names: BTreeMap<&'m str, Meaning>,
    pub(crate) variables: &'m [Variable],
    /// By variable, what is known of its sort.
    known: Vec<Sort>,
    /// The slots that are assigned, by their variables.
    pub(crate) assigned: BTreeSet<usize>,
    /// The names that commands change, also those that nothing executes.
    pub(crate) changing: BTreeSet<&'m str>,
    /// The place of the formula that is checked.
    at: usize,
}

/// Calls `visit` with each change of these commands.
fn changes<'m>(commands: &'m [Command], visit: &mut dyn FnMut(&'m Target)) {
    for command in commands {
        match command {
            Command::Any(target) | Command::Change(_, target, ..) => visit(target),
            Command::If(_, a, b) => [a, b].iter().for_each(|side| changes(side, visit)),
            Command::Choice(branches) => branches.iter().for_each(|it| changes(&it.body, visit)),
            _ => {}
        }
    }
}

impl<'m> Model<'m> {
    /// Checks a program with these variables.
    pub(crate) fn new(items: &'m [Item], variables: &'m [Variable], parts: &'m Parts<'m>) -> Result<Self> {
        let known = (0..variables.len()).map(Sort::Of).collect();
        let (sorts, names) = (Vec::new(), BTreeMap::new());
        let (symbols, formulas, assigned) = (Vec::new(), Vec::new(), BTreeSet::new());
        let changing = BTreeSet::new();
        let mut model =
            Model { sorts, symbols, formulas, names, variables, known, assigned, changing, at: 0 };
        let mut executed = BTreeSet::new();
        for item in items {
            let mut changed = BTreeSet::new();
            let mut visit = |target: &'m Target| match target.slot {
                Some(slot) => _ = model.assigned.insert(slot),
                None => _ = changed.insert(&*target.name.text),
            };
            match item {
                Item::Sort(name) if model.sorts.contains(&&*name.text) => return twice(name),
                Item::Sort(name) => model.sorts.push(&name.text),
                Item::Command(command) => changes(std::slice::from_ref(command), &mut visit),
                Item::While(commands, _) | Item::Unused(commands) => changes(commands, &mut visit),
                _ => {}
            }
            model.changing.extend(&changed);
            if !matches!(item, Item::Unused(_)) {
                executed.extend(changed);
            }
        }
        for item in items {
            let (is_chosen, names, args, result) = match item {
                Item::Symbol(names, args, result) => (false, names, args, result),
                Item::Chosen(names, args, result) => (true, names, args, result),
                _ => continue,
            };
            for name in names {
                let kind = match (is_chosen, executed.contains(&*name.text)) {
                    (true, _) => Kind::Free,
                    (_, true) => Kind::Mutable,
                    (_, false) => Kind::Rigid,
                };
                let sort_of = |arg| model.sort_named(arg)?.map_or_else(|| twice(arg), Ok);
                let args: Result<Vec<usize>> = args.iter().map(sort_of).collect();
                let symbol = Symbol {
                    name: name.text.to_string(),
                    args: args?,
                    result: model.sort_named(result)?,
                    kind,
                };
                model.declare(name, Meaning::Symbol(model.symbols.len()))?;
                model.symbols.push(symbol);
            }
        }
        for formula in
            items.iter().filter_map(|item| if let Item::Formula(it) = item { Some(it) } else { None })
        {
            let meaning = Meaning::Formula(model.formulas.len());
            formula.name.iter().try_for_each(|name| model.declare(name, meaning))?;
            model.formulas.push(formula);
        }
        for (index, action) in parts.actions.iter().enumerate() {
            if action.is_named || !model.names.contains_key(&*action.name.text) {
                model.declare(&action.name, Meaning::Action(index))?;
            }
        }
        for (index, Variable { name, sort, role }) in variables.iter().enumerate() {
            if matches!(role, Role::Bound | Role::Slot(_)) && model.names.contains_key(&*name.text) {
                return twice(name);
            }
            if let Some(sort) = sort {
                model.known[index] = Sort::Known(model.sort_named(sort)?);
            }
        }
        for index in 0..model.formulas.len() {
            let formula = model.formulas[index];
            model.formula(&formula.body, formula.word.at)?;
        }
        for item in items {
            match item {
                Item::Command(command) => model.command(command)?,
                Item::While(commands, _) | Item::Unused(commands) => {
                    commands.iter().try_for_each(|command| model.command(command))?;
                }
                Item::Trace(components) => model.trace(components, parts)?,
                _ => {}
            }
        }
        Ok(model)
    }

    /// Returns the sorts of all variables, or none for truth values.
    pub(crate) fn settled(&self) -> Result<Vec<Option<usize>>> {
        let mut sorts = Vec::new();
        for (var, Variable { name, role, .. }) in self.variables.iter().enumerate() {
            match self.resolved(Sort::Of(var)) {
                Sort::Known(sort) => sorts.push(sort),
                Sort::Of(_) if matches!(role, Role::Logical | Role::Unread) => sorts.push(None),
                Sort::Of(_) => return refuse(name.at, "nothing tells the sort of this variable"),
            }
        }
        Ok(sorts)
    }

    fn declare(&mut self, name: &'m Name, meaning: Meaning) -> Result<()> {
        match self.names.insert(&name.text, meaning) {
            Some(_) => twice(name),
            None => Ok(()),
        }
    }

    fn sort_named(&self, name: &Name) -> Result<Option<usize>> {
        let found = self.sorts.iter().position(|sort| **sort == *name.text);
        if found.is_none() && &*name.text != "bool" {
            return refuse(name.at, format!("the sort `{}` is not declared", name.text));
        }
        Ok(found)
    }

    /// Returns what a name, or a variable with the name of something declared, means.
    pub(crate) fn meaning(&self, what: &What) -> Option<Meaning> {
        let name = match what {
            What::Name(name) => name,
            What::Variable(var) if self.variables.get(*var)?.role == Role::Logical => {
                &self.variables[*var].name
            }
            _ => return None,
        };
        self.names.get(&*name.text).copied()
    }

    /// Returns the symbol that a command changes.
    pub(crate) fn changed(&self, name: &Name) -> Result<usize> {
        match self.names.get(&*name.text) {
            Some(Meaning::Symbol(symbol)) => Ok(*symbol),
            None if name.text.contains('.') => uncovered(name.at, "members of values"),
            _ => refuse(name.at, format!("`{}` is nothing that changes", name.text)),
        }
    }

    /// Returns the logical variable that an argument of a change is.
    pub(crate) fn logical(&self, arg: &Term) -> Option<usize> {
        let What::Variable(var) = arg.what else { return None };
        let is_logical = self.variables[var].role == Role::Logical && self.meaning(&arg.what).is_none();
        is_logical.then_some(var)
    }

    /// Checks a formula at a place.
    fn formula(&mut self, formula: &Term, at: usize) -> Result<()> {
        self.at = at;
        self.unify(BOOL, formula)
    }

    fn command(&mut self, command: &Command) -> Result<()> {
        match command {
            Command::Skip | Command::Local(_) => Ok(()),
            Command::Assume(formula) => self.unify(BOOL, formula),
            Command::Assert(formula, at) => self.formula(formula, *at),
            Command::Any(Target { slot: Some(_), .. }) => Ok(()),
            Command::Any(Target { name, .. }) => {
                let symbol = self.changed(name)?;
                if self.symbols[symbol].args.is_empty() {
                    return Ok(());
                }
                refuse(name.at, "only variables can take any value")
            }
            Command::Change(change, Target { name, slot }, args, value, _) => {
                self.at = name.at;
                let is_update = *change != super::tree::Change::Assign;
                let (sorts, result) = match slot {
                    Some(slot) => (Vec::new(), Sort::Of(*slot)),
                    None => {
                        let Symbol { args, result, .. } = &self.symbols[self.changed(name)?];
                        (args.clone(), Sort::Known(*result))
                    }
                };
                if args.len() != sorts.len() || is_update && (slot.is_some() || result != BOOL) {
                    return refuse(name.at, format!("`{}` is not changed so", name.text));
                }
                let mut logical = BTreeSet::new();
                for (arg, sort) in args.iter().zip(sorts) {
                    if let Some(var) = self.logical(arg)
                        && !logical.insert(&*self.variables[var].name.text)
                    {
                        return twice(&self.variables[var].name);
                    }
                    self.unify(Sort::Known(Some(sort)), arg)?;
                }
                value.iter().try_for_each(|value| self.unify(result, value))
            }
            Command::If(condition, a, b) => {
                condition.iter().try_for_each(|condition| self.unify(BOOL, condition))?;
                a.iter().chain(b).try_for_each(|command| self.command(command))
            }
            Command::Choice(branches) => {
                branches.iter().flat_map(|it| &it.body).try_for_each(|command| self.command(command))
            }
        }
    }

    fn trace(&mut self, components: &[Component], parts: &Parts<'_>) -> Result<()> {
        let is_assertion = |it: &Component| &*it.name.text == "assert";
        let inits = components.iter().filter(|it| is_assertion(it) && it.args.is_none()).count();
        let is_implicit = components.first().is_none_or(|first| !is_assertion(first));
        let steps = components.iter().filter(|it| !is_assertion(it) && !it.is_other).count();
        for Component { name, args, .. } in components {
            if inits + usize::from(is_implicit) > 1 || steps > MAX_STEPS {
                return refuse(name.at, "this trace has several beginnings, or too many steps");
            }
            self.at = name.at;
            match (&*name.text, self.names.get(&*name.text), args) {
                ("assert", ..) => {
                    args.iter().flatten().flatten().try_for_each(|formula| self.unify(BOOL, formula))?;
                }
                ("any", ..) | (_, Some(Meaning::Action(_)), None) => {}
                (_, Some(Meaning::Action(action)), Some(args))
                    if parts.actions[*action].params.len() == args.len() =>
                {
                    for (arg, param) in args.iter().zip(parts.actions[*action].params) {
                        arg.iter().try_for_each(|arg| self.unify(Sort::Of(*param), arg))?;
                    }
                }
                _ => return refuse(name.at, format!("`{}` is no action that takes this", name.text)),
            }
        }
        Ok(())
    }

    /// Returns what is known of a sort.
    fn resolved(&self, mut sort: Sort) -> Sort {
        while let Sort::Of(variable) = sort
            && self.known[variable] != sort
        {
            sort = self.known[variable];
        }
        sort
    }

    /// Checks a term or formula of this sort.
    fn unify(&mut self, sort: Sort, term: &Term) -> Result<()> {
        let found = self.sort(term)?;
        match (self.resolved(sort), self.resolved(found)) {
            (a, b) if a == b => Ok(()),
            (Sort::Of(variable), sort) | (sort, Sort::Of(variable)) => {
                self.known[variable] = sort;
                Ok(())
            }
            _ => refuse(self.at, "something has another sort than is expected here"),
        }
    }

    /// Checks terms or formulas of one sort, and returns it.
    fn alike(&mut self, terms: &[Term]) -> Result<Sort> {
        let sort = self.sort(&terms[0])?;
        terms[1..].iter().try_for_each(|term| self.unify(sort, term)).map(|()| sort)
    }

    fn sort(&mut self, term: &Term) -> Result<Sort> {
        let parts = &term.parts;
        if let What::Name(name) = &term.what {
            self.at = name.at;
        }
        let (sorts, result) = match (&term.what, self.meaning(&term.what)) {
            (_, Some(Meaning::Symbol(symbol))) => {
                let Symbol { args, result, .. } = &self.symbols[symbol];
                (args.iter().map(|sort| Sort::Known(Some(*sort))).collect(), Sort::Known(*result))
            }
            (_, Some(Meaning::Formula(formula))) => {
                (self.formulas[formula].params.iter().copied().map(Sort::Of).collect(), BOOL)
            }
            (What::Variable(var), None) => (Vec::new(), Sort::Of(*var)),
            (What::Overload(var), None) => {
                let result = if parts.is_empty() { Sort::Of(*var) } else { BOOL };
                (vec![Sort::Of(*var); parts.len()], result)
            }
            (What::Let(var), _) => {
                self.unify(Sort::Of(*var), &parts[0])?;
                return self.sort(&parts[1]);
            }
            (What::Operator("if"), _) => {
                self.unify(BOOL, &parts[0])?;
                return self.alike(&parts[1..]);
            }
            (What::Operator("distinct"), _) => return self.alike(parts).map(|_| BOOL),
            (What::Operator("="), _) => return self.alike(parts).map(|_| BOOL),
            (What::Operator("&" | "|" | "~" | ">" | "<->") | What::Block(..), _) => {
                (vec![BOOL; parts.len()], BOOL)
            }
            (What::Name(name), None) if *name.text == *"safety" => (Vec::new(), BOOL),
            _ => return refuse(self.at, "something here is not declared"),
        };
        if sorts.len() != parts.len() {
            return refuse(self.at, "something has another number of arguments");
        }
        parts.iter().zip(sorts).try_for_each(|(part, sort)| self.unify(sort, part)).map(|()| result)
    }
}

fn twice<T>(name: &Name) -> Result<T> {
    refuse(name.at, format!("`{}` cannot be declared or bound here", name.text))
}
