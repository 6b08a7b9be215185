//! The formulas of a model, with their source text and the variables in scope.

use std::borrow::Cow;

use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::fol::ast::{Expr, ExprKind, Ident, SortedVar, TraceStep};
use ramsey_lang::program::ast::{self as rml, Command, CommandKind, Item, ItemKind, for_each_command};
use ramsey_lang::pyv::ast::{self, DeclKind, DefinitionKind};

/// A formula or term with its context.
pub(super) struct Formula<'a> {
    pub(super) expr: Cow<'a, Expr>,
    /// The text of its file.
    pub(super) text: &'a str,
    /// Parameters and variables of commands in scope.
    pub(super) scope: Vec<&'a Ident>,
    /// Whether free capital letters are bound by an outermost `forall`.
    pub(super) closed: bool,
    /// Whether a name without arguments that is not bound is a variable.
    pub(super) is_variable: fn(&str) -> bool,
    /// Whether names that are bound begin with a capital letter.
    pub(super) has_capitals: bool,
}

/// A command that changes a symbol at some arguments.
pub(super) struct Update<'a> {
    /// The arguments.
    pub(super) args: Vec<Expr>,
    /// The new value, or the condition on the arguments.
    pub(super) value: Cow<'a, Expr>,
    /// Parameters and variables of commands in scope.
    pub(super) scope: Vec<&'a str>,
    /// Whether a name without arguments that is not declared stands for all elements.
    pub(super) is_variable: fn(&str) -> bool,
}

/// Returns whether an unbound name without arguments is a variable in formulas with implicit quantifiers.
pub(super) fn is_capital(name: &str) -> bool {
    ramsey_lang::fol::is_capital(name)
}

/// Returns whether `name` occurs free in `expr`.
pub(super) fn mentions(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Ref { name: found, args, .. } => {
            *found.name == *name || args.iter().flatten().any(|arg| mentions(arg, name))
        }
        ExprKind::Quantifier { vars, body, .. } => !binds(vars, name) && mentions(body, name),
        ExprKind::Let { var, parts } => {
            mentions(&parts[0], name) || (*var.name.name != *name && mentions(&parts[1], name))
        }
        _ => {
            let mut any = false;
            expr.for_each_child(|child| any |= mentions(child, name));
            any
        }
    }
}

fn binds(vars: &[SortedVar], name: &str) -> bool {
    vars.iter().any(|var| *var.name.name == *name)
}

fn idents(params: &[SortedVar]) -> Vec<&Ident> {
    params.iter().map(|param| &param.name).collect()
}

/// Returns the formulas of a `.pyv` file.
pub(super) fn of_pyv<'a>(program: &'a ast::Program, text: &'a str) -> Vec<Formula<'a>> {
    let mut found = Vec::new();
    let mut add = |expr, scope, closed| {
        found.push(Formula {
            expr: Cow::Borrowed(expr),
            text,
            scope,
            closed,
            is_variable: is_capital,
            has_capitals: false,
        });
    };
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Symbol(ast::SymbolDecl { axiom: Some(formula), .. })
            | DeclKind::Formula { formula, .. }
            | DeclKind::Theorem { formula, .. } => add(formula, Vec::new(), true),
            DeclKind::Definition(definition) => {
                // Unused parameters are not reported: definitions may have parameters for uniformity.
                add(&definition.body, idents(&definition.params), true);
            }
            DeclKind::Trace { steps, .. } => {
                for step in steps {
                    match step {
                        TraceStep::Assert(formula) => add(formula, Vec::new(), true),
                        TraceStep::Calls(calls) => {
                            for arg in calls.iter().flat_map(|call| call.args.iter().flatten()).flatten() {
                                add(arg, Vec::new(), false);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns whether the declaration is a transition.
pub(super) fn is_transition(definition: &ast::DefinitionDecl) -> bool {
    definition.kind == DefinitionKind::Transition
}

/// Returns the formulas and updates of an `.rml` file, and reports unused local variables and parameters.
pub(super) fn of_program<'a>(
    program: &'a rml::Program,
    text: &'a str,
    found: &mut Vec<Diagnostic>,
) -> (Vec<Formula<'a>>, Vec<Update<'a>>) {
    let mut walk = Walk { text, formulas: Vec::new(), updates: Vec::new(), found };
    walk.items(&program.items);
    (walk.formulas, walk.updates)
}

struct Walk<'a, 'f> {
    text: &'a str,
    formulas: Vec<Formula<'a>>,
    updates: Vec<Update<'a>>,
    found: &'f mut Vec<Diagnostic>,
}

impl<'a> Walk<'a, '_> {
    fn items(&mut self, items: &'a [Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Formula { formula, .. } => self.add(formula, &[], true),
                ItemKind::Macro { params, body, .. } => self.add(body, &idents(params), true),
                ItemKind::Command(command) => self.commands(std::slice::from_ref(command), &mut Vec::new()),
                ItemKind::While(body) => self.commands(body, &mut Vec::new()),
                ItemKind::Module(module) => self.items(&module.items),
                ItemKind::Trace { steps, .. } => {
                    for step in steps {
                        if let TraceStep::Assert(formula) = step {
                            self.add(formula, &[], true);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, expr: &'a Expr, scope: &[&'a Ident], closed: bool) {
        let (expr, scope, text) = (Cow::Borrowed(expr), scope.to_vec(), self.text);
        self.formulas.push(Formula {
            expr,
            text,
            scope,
            closed,
            is_variable: is_capital,
            has_capitals: false,
        });
    }

    fn commands(&mut self, commands: &'a [Command], scope: &mut Vec<&'a Ident>) {
        let outside = scope.len();
        for (at, command) in commands.iter().enumerate() {
            match &command.kind {
                CommandKind::Assume(formula) | CommandKind::Assert { formula, .. } => {
                    self.add(formula, scope, true);
                }
                CommandKind::Local(vars) => {
                    for var in vars {
                        self.unused_local(&var.name, &commands[at + 1..]);
                        scope.push(&var.name);
                    }
                }
                CommandKind::Assign { args, value, .. } => {
                    args.iter().flatten().for_each(|arg| self.add(arg, scope, false));
                    self.add(value, scope, false);
                    args.iter().for_each(|args| self.update(args, value, scope));
                }
                CommandKind::Update { args, condition, .. } => {
                    args.iter().chain(condition).for_each(|part| self.add(part, scope, false));
                    condition.iter().for_each(|condition| self.update(args, condition, scope));
                }
                CommandKind::If { condition, then, otherwise } => {
                    condition.iter().for_each(|part| self.add(part, scope, false));
                    self.commands(then, scope);
                    self.commands(otherwise, scope);
                }
                CommandKind::Choice(branches) => {
                    for branch in branches {
                        let here = scope.len();
                        for param in &branch.params {
                            // The command common to the ends of all actions may mention it, too.
                            self.unused_local(&param.name, &branch.body);
                            scope.push(&param.name);
                        }
                        self.commands(&branch.body, scope);
                        scope.truncate(here);
                    }
                }
                _ => {}
            }
        }
        scope.truncate(outside);
    }

    fn update(&mut self, args: &[Expr], value: &'a Expr, scope: &[&'a Ident]) {
        let scope = scope.iter().map(|name| &*name.name).collect();
        self.updates.push(Update {
            args: args.to_vec(),
            value: Cow::Borrowed(value),
            scope,
            is_variable: is_capital,
        });
    }

    fn unused_local(&mut self, name: &Ident, commands: &[Command]) {
        if !name.name.starts_with('_') && !commands.iter().any(|command| touches(command, &name.name)) {
            self.found.push(never_used(name.span(), &name.name));
        }
    }
}

/// Returns whether a command reads or changes the variable `name`.
fn touches(command: &Command, name: &str) -> bool {
    let mut is_touched = false;
    for_each_command([command], |command| {
        let mut visit = |expr: &Expr| is_touched |= mentions(expr, name);
        command.for_each_expr(&mut visit);
        if let CommandKind::Assert { proof: Some(proof), .. } = &command.kind {
            proof.for_each_expr(&mut visit);
        }
        is_touched |= command.target().is_some_and(|target| *target.name == *name);
    });
    is_touched
}

/// Returns the warning that a variable is never used, which may be called `_` and its name.
pub(super) fn never_used(span: Span, name: &str) -> Diagnostic {
    never_mentioned(span, name).help(format!(
        "remove it, or use it; where it has to be there, a `_` says that it is not used: `_{name}`"
    ))
}

/// Returns the warning that a variable is never used, without advice.
pub(super) fn never_mentioned(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(Code::Variable, span, format!("the variable `{name}` is never used"))
        .label("nothing mentions it")
}
