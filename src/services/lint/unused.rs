//! R044: unused declarations.

use super::formulas::never_used;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::FileId;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::fol::ast::{Annotation, Expr, ExprKind, Ident, SortName, SortRef, SortedVar, TraceStep};
use ramsey_lang::program::ast::{self as rml, Command, CommandKind, Item, ItemKind, for_each_command};
use ramsey_lang::pyv::ast::{self, DeclKind, DefinitionKind};

/// Kind of a declaration.
#[derive(Clone, Copy)]
pub(super) enum Declared<'a> {
    Sort,
    /// Any other kind, by its keyword.
    Other(&'a str),
}

/// Declared names and used names.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// Declarations to be reported if unused: kind and name.
    pub(super) declared: Vec<(Declared<'a>, &'a Ident)>,
    /// All names except those of sorts.
    pub(super) all: Set<&'a str>,
    pub(super) sorts: Set<&'a str>,
    pub(super) used: Set<&'a str>,
    /// Whether names have parts, each of which is a use, of a sort as well.
    pub(super) is_composed: bool,
}

impl<'a> Names<'a> {
    pub(super) fn declare(&mut self, what: &'a str, name: &'a Ident) {
        self.declared.push((Declared::Other(what), name));
        self.all.insert(&name.name);
    }

    pub(super) fn name(&mut self, name: &'a str) {
        if self.is_composed {
            let words = || name.split(|c: char| !c.is_alphanumeric() && c != '_');
            self.used.extend(words());
            self.sorts.extend(words());
        } else {
            self.used.insert(name);
        }
    }

    pub(super) fn sort(&mut self, sort: &'a SortRef) {
        match &sort.name {
            SortName::Named(name) if self.is_composed => self.name(name),
            SortName::Named(name) => drop(self.sorts.insert(name)),
            _ => {}
        }
    }

    pub(super) fn vars(&mut self, vars: &'a [SortedVar]) {
        vars.iter().filter_map(|var| var.sort.as_ref()).for_each(|sort| self.sort(sort));
    }

    fn annotations(&mut self, annotations: &'a [Annotation]) {
        self.used.extend(annotations.iter().flat_map(|it| &it.args).map(|arg| &*arg.name));
    }

    pub(super) fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Ref { name, .. } => self.name(&name.name),
            ExprKind::Quantifier { vars, .. } => self.vars(vars),
            ExprKind::Let { var, .. } => self.vars(std::slice::from_ref(&**var)),
            _ => {}
        }
        expr.for_each_child(|child| self.expr(child));
    }

    fn trace(&mut self, steps: &'a [TraceStep]) {
        for step in steps {
            match step {
                TraceStep::Assert(formula) => self.expr(formula),
                TraceStep::Calls(calls) => {
                    for call in calls {
                        self.used.insert(&call.name.name);
                        call.args.iter().flatten().flatten().for_each(|arg| self.expr(arg));
                    }
                }
                _ => {}
            }
        }
    }

    /// Reports unused declarations, except in files for which `is_quiet` is true.
    pub(super) fn report(&self, is_quiet: impl Fn(FileId) -> bool, found: &mut Vec<Diagnostic>) {
        for &(kind, name) in &self.declared {
            let (what, used) = match kind {
                Declared::Sort => ("sort", &self.sorts),
                Declared::Other(what) => (what, &self.used),
            };
            // Modules and schemata compose names with subscripts.
            let is_composed = self.is_composed && name.name.contains('[');
            let is_quiet = is_composed || name.name.starts_with('_') || is_quiet(name.span().file);
            if used.contains(&*name.name) || is_quiet {
                continue;
            }
            found.push(
                Diagnostic::warning(
                    Code::Unused,
                    name.span(),
                    format!("the {what} `{}` is never used", name.name),
                )
                .label("nothing mentions it")
                .help("remove it, or say something of it"),
            );
        }
    }
}

/// Reports unused declarations of a `.pyv` file. Returns all names except sorts.
pub(super) fn of_pyv<'a>(program: &'a ast::Program, found: &mut Vec<Diagnostic>) -> Set<&'a str> {
    let mut names = Names::default();
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Sort { name, annotations } => {
                names.declared.push((Declared::Sort, name));
                names.annotations(annotations);
            }
            DeclKind::Symbol(symbol) => {
                names.declare(symbol.form.keyword(), &symbol.name);
                symbol.args.iter().chain(&symbol.result).for_each(|sort| names.sort(sort));
                names.annotations(&symbol.annotations);
                if let Some(axiom) = &symbol.axiom {
                    // Occurrences in the symbol's own axiom are not uses.
                    let known = names.used.contains(&*symbol.name.name);
                    names.expr(axiom);
                    if !known {
                        names.used.remove(&*symbol.name.name);
                    }
                }
            }
            DeclKind::Formula { name, .. } | DeclKind::Theorem { name, .. } => {
                names.all.extend(name.iter().map(|name| &*name.name));
                decl.for_each_formula(|formula| names.expr(formula));
            }
            DeclKind::Definition(definition) => {
                match definition.kind {
                    DefinitionKind::Definition(_) => names.declare("definition", &definition.name),
                    DefinitionKind::Transition => {
                        names.all.insert(&definition.name.name);
                    }
                }
                for param in &definition.params {
                    let name = &param.name;
                    if !name.name.starts_with('_') && !super::formulas::mentions(&definition.body, &name.name)
                    {
                        found.push(never_used(name.span(), &name.name));
                    }
                }
                names.vars(&definition.params);
                names.expr(&definition.body);
            }
            DeclKind::Trace { steps, .. } => names.trace(steps),
            DeclKind::Fbii(steps) => {
                steps.iter().flat_map(|step| &step.prophecy).for_each(|vars| names.vars(vars));
                decl.for_each_formula(|formula| names.expr(formula));
            }
            DeclKind::Broken(_) => {}
        }
    }
    names.report(|_| false, found);
    names.all
}

/// Reports unused declarations in the files of a program. Returns all names except sorts. Modules declare names for
/// other files.
pub(super) fn of_programs<'a>(
    programs: &'a [rml::Program],
    is_quiet: impl Fn(FileId) -> bool,
    found: &mut Vec<Diagnostic>,
) -> Set<&'a str> {
    let mut names = Names::default();
    for (at, program) in programs.iter().enumerate() {
        items(&program.items, false, &mut names);
        // A module that is not used says nothing, whatever it claims. Libraries have modules for others.
        if at == 0 {
            for item in &program.items {
                if let ItemKind::Module(module) = &item.kind {
                    names.declared.push((Declared::Other("module"), &module.name));
                }
            }
        }
    }
    let has_loop =
        |program: &rml::Program| program.items.iter().any(|item| matches!(item.kind, ItemKind::While(_)));
    // A program without a loop declares names for the files that include it.
    if programs.iter().any(has_loop) {
        names.report(is_quiet, found);
    }
    names.all
}

fn items<'a>(list: &'a [Item], in_module: bool, names: &mut Names<'a>) {
    for item in list {
        match &item.kind {
            ItemKind::Sort { name, annotations } => {
                if !in_module {
                    names.declared.push((Declared::Sort, name));
                }
                names.annotations(annotations);
            }
            ItemKind::Symbol(symbol) => {
                for name in symbol.names.iter().filter(|_| !in_module) {
                    names.declare(symbol.form.keyword(), name);
                }
                symbol.args.iter().chain(&symbol.result).for_each(|sort| names.sort(sort));
                names.annotations(&symbol.annotations);
            }
            ItemKind::Formula { name, formula, proof, .. } => {
                names.all.extend(name.iter().map(|name| &*name.name));
                names.expr(formula);
                proof.iter().for_each(|proof| proof.for_each_expr(|expr| names.expr(expr)));
            }
            ItemKind::Macro { name, params, body } => {
                if !in_module {
                    names.declare("macro", name);
                }
                names.vars(params);
                names.expr(body);
            }
            ItemKind::Use { module, args, .. } => {
                names.used.insert(&module.name);
                names.used.extend(args.iter().map(|arg| &*arg.name));
                names.sorts.extend(args.iter().map(|arg| &*arg.name));
            }
            ItemKind::Module(module) => items(&module.items, true, names),
            ItemKind::Trace { steps, .. } => names.trace(steps),
            ItemKind::While(body) => commands(body, names),
            ItemKind::Command(command) | ItemKind::Unused(command) => {
                commands(std::slice::from_ref(command), names)
            }
            ItemKind::Include { .. } | ItemKind::Interpreted(_) | ItemKind::Broken(_) => {}
        }
    }
}

fn commands<'a>(list: &'a [Command], names: &mut Names<'a>) {
    for_each_command(list, |command| {
        names.used.extend(command.target().map(|target| &*target.name));
        command.for_each_expr(|expr| names.expr(expr));
        match &command.kind {
            CommandKind::Assert { proof: Some(proof), .. } => proof.for_each_expr(|expr| names.expr(expr)),
            CommandKind::Local(vars) => names.vars(vars),
            CommandKind::Choice(branches) => branches.iter().for_each(|branch| names.vars(&branch.params)),
            _ => {}
        }
    });
}
