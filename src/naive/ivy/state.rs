//! What is known of a program, and of the place of an expression in it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use super::scopes::Scopes;
use super::tree::{Action, Binder, Expr, Macro, Meaning, Name, Stmt};
use crate::program::term::{Term, What};
use crate::program::tree::{Branch, Change, Command, Role, Target as Changed, Variable};
use crate::refusal::{Result, refuse};

/// How many nodes of formulas and statements a program may have.
pub(super) const MAX_NODES: usize = 1_000_000;

/// The types of the arguments of a symbol, and that of its values; relations have none.
#[derive(Clone)]
pub(super) struct Sorts {
    pub(super) args: Vec<Rc<str>>,
    pub(super) result: Option<Rc<str>>,
}

/// A function with a definition.
#[derive(Clone, Copy)]
pub(super) struct Function<'d> {
    pub(super) scope: usize,
    pub(super) params: &'d [Binder],
    pub(super) value: &'d Expr,
}

/// A part of an action in its scope, with the statements that count.
#[derive(Clone, Copy)]
pub(super) struct Part<'d> {
    pub(super) scope: usize,
    pub(super) action: &'d Action,
    pub(super) body: &'d [Stmt],
    pub(super) is_trusted: bool,
}

/// An action: its declaration, and its parts.
#[derive(Clone)]
pub(super) struct Parts<'d> {
    pub(super) declared: Part<'d>,
    pub(super) before: Vec<Part<'d>>,
    pub(super) own: Option<Part<'d>>,
    pub(super) after: Vec<Part<'d>>,
}

/// A parameter or local variable of commands that is in scope.
#[derive(Clone)]
pub(super) struct Local {
    pub(super) var: usize,
    /// Its name in the program.
    pub(super) source: Rc<str>,
    pub(super) is_assigned: bool,
}

/// A symbol that stands for a part of a statement: its name, that of what it is for, and whether it has any value in each
/// state.
pub(super) struct Helper {
    pub(super) name: Rc<str>,
    pub(super) plain: Rc<str>,
    pub(super) sorts: Sorts,
    pub(super) is_chosen: bool,
}

/// An action that is being executed: its parameters and results, and those of which it reads the value before, with the
/// variables that keep these.
pub(super) struct Call {
    pub(super) action: Rc<str>,
    pub(super) params: Vec<usize>,
    pub(super) old: Vec<(usize, usize)>,
}

/// A program that is made of declarations.
pub(super) struct Program<'d> {
    pub(super) version: u32,
    /// The places that are in the library.
    pub(super) library: Vec<Range<usize>>,
    /// The symbols that the library declares.
    pub(super) kept: BTreeSet<Rc<str>>,
    /// The types with a least and a greatest element.
    pub(super) limited: BTreeSet<Rc<str>>,
    pub(super) scopes: Scopes<'d>,
    pub(super) variables: Vec<Variable>,
    /// The names that no variable of commands has.
    pub(super) globals: BTreeSet<Rc<str>>,
    pub(super) sorts: BTreeSet<Rc<str>>,
    pub(super) interpreted: BTreeMap<Rc<str>, &'d Meaning>,
    /// The ends of ranges that have been declared.
    pub(super) ends: BTreeSet<Rc<str>>,
    pub(super) symbols: BTreeMap<Rc<str>, Sorts>,
    pub(super) functions: BTreeMap<Rc<str>, Function<'d>>,
    /// What a definition apart from its declaration gives a value.
    pub(super) defined: BTreeSet<Rc<str>>,
    /// By type, its fields.
    pub(super) fields: BTreeMap<Rc<str>, Vec<Field>>,
    /// The values of enumerations.
    pub(super) values: BTreeSet<Rc<str>>,
    pub(super) macros: BTreeMap<Rc<str>, (usize, &'d Macro)>,
    pub(super) actions: BTreeMap<Rc<str>, Parts<'d>>,
    /// The actions in the order of their declarations, and the exported ones.
    pub(super) order: Vec<Rc<str>>,
    pub(super) exported: Vec<Rc<str>>,
    /// The invariants of trusted isolates, which are assumed where a transition begins.
    pub(super) trusted: Vec<(usize, &'d Expr)>,
    /// The actions that are called.
    pub(super) called: BTreeSet<Rc<str>>,
    /// Symbols that stand for parts of statements.
    pub(super) helpers: Vec<Helper>,
    /// By action, the symbols of which it reads the state before.
    pub(super) old: BTreeMap<Rc<str>, BTreeSet<Rc<str>>>,
    pub(super) locals: Vec<Local>,
    pub(super) calling: Vec<Call>,
    /// The definitions and macros that are being expanded.
    pub(super) open: Vec<Rc<str>>,
    /// How many nodes of formulas and statements there are.
    pub(super) nodes: usize,
}

/// A field of a type: its name, and the function that it is.
#[derive(Clone)]
pub(super) struct Field {
    pub(super) name: Rc<str>,
    pub(super) function: Rc<str>,
}

/// Returns the type of values, if they are no truth values.
pub(super) fn no_bool(sort: Option<Rc<str>>) -> Option<Rc<str>> {
    sort.filter(|sort| **sort != *"bool")
}

/// What a name is that is no declaration: a variable, a symbol, or a variable of an update.
#[derive(Clone)]
pub(super) enum Known {
    Variable(usize),
    Symbol(Rc<str>),
    Free(Rc<str>),
}

/// The place of an expression: its scope, and what is known in it.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) scope: usize,
    /// The names that are known, innermost last. A parameter of the objects around has the name [`parameter`], too.
    pub(super) known: Vec<(Rc<str>, Known)>,
    /// Whether a quantifier is around.
    pub(super) is_bound: bool,
    /// The action of which `old` reads the state before, if there is one.
    pub(super) action: Option<Rc<str>>,
    /// Whether actions can be called.
    pub(super) calls: bool,
    /// Whether it stands in a trusted isolate.
    pub(super) is_trusted: bool,
}

/// What is found in expressions.
#[derive(Default)]
pub(super) struct Found {
    /// The variables that are not bound.
    pub(super) free: Vec<usize>,
    /// The commands that come before the one with the expression.
    pub(super) before: Vec<Command>,
}

/// Returns the name under which a parameter of the objects around is known, by its position from the outermost one.
pub(super) fn parameter(at: usize) -> Rc<str> {
    format!("@{at}").into()
}

/// Makes sure that variables of one binder have different names.
pub(super) fn once(vars: &[Binder]) -> Result<()> {
    for (at, Binder { name, .. }) in vars.iter().enumerate() {
        if vars[..at].iter().any(|other| other.name.text == name.text) {
            return refuse(name.at, format!("`{}` is bound twice", name.text));
        }
    }
    Ok(())
}

impl Context {
    /// Returns the place of a declared formula.
    pub(super) fn of(scope: usize) -> Context {
        Context { scope, known: Vec::new(), is_bound: false, action: None, calls: false, is_trusted: false }
    }

    pub(super) fn bind(&mut self, name: Rc<str>, var: usize) {
        self.known.push((name, Known::Variable(var)));
    }

    pub(super) fn get(&self, name: &str) -> Option<&Known> {
        self.known.iter().rev().find(|(known, _)| **known == *name).map(|(_, it)| it)
    }
}

/// Returns a symbol as what a command changes.
pub(super) fn symbol(name: Name) -> Changed {
    Changed { name, slot: None }
}

/// Returns the command that assigns a value.
pub(super) fn assign(target: Changed, args: Vec<Term>, value: Term) -> Command {
    let is_it = |what: &What| target.slot.is_some_and(|slot| *what == What::Variable(slot));
    let has_target = value.has(&is_it);
    Command::Change(Change::Assign, target, args, Some(value), has_target)
}

/// Returns commands in a block of their own.
pub(super) fn block(body: Vec<Command>) -> Command {
    Command::Choice(vec![Branch { name: None, params: Vec::new(), body }])
}

impl<'d> Program<'d> {
    pub(super) fn new(version: u32, library: Vec<Range<usize>>, scopes: Scopes<'d>) -> Program<'d> {
        Program {
            version,
            library,
            kept: BTreeSet::new(),
            limited: BTreeSet::new(),
            scopes,
            variables: Vec::new(),
            globals: BTreeSet::new(),
            sorts: BTreeSet::new(),
            interpreted: BTreeMap::new(),
            ends: BTreeSet::new(),
            symbols: BTreeMap::new(),
            functions: BTreeMap::new(),
            defined: BTreeSet::new(),
            fields: BTreeMap::new(),
            values: BTreeSet::new(),
            macros: BTreeMap::new(),
            actions: BTreeMap::new(),
            order: Vec::new(),
            exported: Vec::new(),
            trusted: Vec::new(),
            called: BTreeSet::new(),
            helpers: Vec::new(),
            old: BTreeMap::new(),
            locals: Vec::new(),
            calling: Vec::new(),
            open: Vec::new(),
            nodes: 0,
        }
    }

    /// Returns a new variable of a formula.
    pub(super) fn bound(&mut self, Binder { name, sort }: Binder) -> usize {
        let sort = sort.map(|text| Name { text, at: name.at });
        self.variables.push(Variable { name, sort, role: Role::Hidden });
        self.variables.len() - 1
    }

    /// Returns a new variable of an update.
    pub(super) fn logical(&mut self, name: &str, at: usize) -> usize {
        self.variables.push(Variable {
            name: Name { text: name.into(), at },
            sort: None,
            role: Role::Logical,
        });
        self.variables.len() - 1
    }

    /// Returns a variable of commands as what a command changes.
    pub(super) fn slot(&self, var: usize) -> Changed {
        Changed { name: self.variables[var].name.clone(), slot: Some(var) }
    }

    /// Forgets the variables from this one on, which are of something that is not part of the program.
    pub(super) fn forget(&mut self, start: usize) {
        let unread =
            |it: &&mut Variable| matches!(it.role, Role::Hidden | Role::Logical) && it.sort.is_none();
        self.variables[start..].iter_mut().filter(unread).for_each(|it| it.role = Role::Unread);
    }

    /// Returns whether a symbol stands for a part of a statement.
    pub(super) fn is_helper(&self, symbol: &str) -> bool {
        self.helpers.iter().any(|helper| *helper.name == *symbol)
    }
}
