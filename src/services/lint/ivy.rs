//! What lints read of `.ivy` files: the trees as written, before objects, modules and calls are expanded.

use std::borrow::Cow;

use super::formulas::{Formula, Update, never_used};
use super::unused::{Declared, Names};
use super::{Subject, is_prelude};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::{FileId, Sources};
use ramsey_core::diag::Diagnostic;
use ramsey_lang::fol::ast::{Expr, ExprKind, Ident, SortedVar};
use ramsey_lang::ivy::Model;
use ramsey_lang::ivy::ast::{Condition, Decl, DeclKind, Skipped, Stmt, StmtKind, SymbolDecl, TypeBody};
use ramsey_lang::ivy::is_variable;

/// A model with the texts of its files.
pub(super) struct Ivy<'a> {
    pub(super) model: &'a Model,
    pub(super) sources: &'a Sources,
}

impl<'a> Subject<'a> for Ivy<'a> {
    fn unused(&self, found: &mut Vec<Diagnostic>) -> Set<&'a str> {
        let names = Names { is_composed: true, ..Names::default() };
        let mut uses = Uses { names, has_actions: false };
        for (at, file) in self.model.files.iter().enumerate() {
            uses.decls(&file.decls, false);
            // A module without instances says nothing, whatever it claims. Libraries have modules for others.
            if at == 0 {
                for decl in &file.decls {
                    if let DeclKind::Module(module) = &decl.kind {
                        uses.names.declared.push((Declared::Other("module"), &module.name));
                    }
                }
            }
        }
        // Without actions, the file declares names for those that include it.
        if uses.has_actions {
            uses.names.report(|file| is_prelude(self.sources, file), found);
        }
        uses.names.all
    }

    fn formulas(&self, found: &mut Vec<Diagnostic>) -> (Vec<Formula<'a>>, Vec<Update<'a>>) {
        let mut walk = Walk { text: "", formulas: Vec::new(), updates: Vec::new(), found };
        for file in self.model.files.iter().filter(|it| !is_prelude(self.sources, it.file)) {
            walk.text = self.text(file.file);
            walk.decls(&file.decls);
        }
        (walk.formulas, walk.updates)
    }

    fn pointwise(&self, _: &mut Vec<Diagnostic>) {
        // Assignments keep what they do not mention.
    }

    fn by_name(&self, _: &mut Vec<Diagnostic>) {
        // No definition reads another state than that of its use.
    }

    fn frameless(&self, _: &mut Vec<Diagnostic>) {
        // An action is no formula.
    }
}

impl<'a> Ivy<'a> {
    fn text(&self, file: FileId) -> &'a str {
        &self.sources[file].text
    }
}

/// Returns an expression in which names have no sorts and no `old`.
fn plain(expr: &Expr) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Ref { name, primes, args } => {
            let before = name.name.strip_prefix("(old ").map(|rest| rest.replace(')', ""));
            let short = before.as_deref().or_else(|| name.name.strip_prefix("old ")).unwrap_or(&name.name);
            let short = short.split_once(':').map_or(short, |(short, _)| short);
            let args = args.as_ref().map(|args| args.iter().map(plain).collect());
            ExprKind::Ref { name: Ident { name: short.into(), place: name.place }, primes: *primes, args }
        }
        _ => expr.map_children(plain),
    };
    Expr::new(kind, expr.span())
}

/// Collects what is declared, and all words that occur elsewhere. Names in different objects are not told apart, so a
/// declaration counts as used if anything of its name is.
struct Uses<'a> {
    names: Names<'a>,
    has_actions: bool,
}

impl<'a> Uses<'a> {
    fn skipped(&mut self, text: Option<&'a Skipped>) {
        text.into_iter().for_each(|it| self.names.name(&it.text));
    }

    fn symbol(&mut self, symbol: &'a SymbolDecl) {
        self.names.vars(&symbol.params);
        symbol.result.iter().for_each(|sort| self.names.sort(sort));
        symbol.definition.iter().for_each(|value| self.names.expr(value));
    }

    fn decls(&mut self, decls: &'a [Decl], in_module: bool) {
        for decl in decls {
            self.decl(decl, in_module);
        }
    }

    fn decl(&mut self, decl: &'a Decl, in_module: bool) {
        match &decl.kind {
            DeclKind::Include(_) | DeclKind::Broken(_) => {}
            DeclKind::Type { name, of, body } => {
                of.iter().for_each(|of| self.names.name(&of.name));
                if !in_module && &*name.name != "this" {
                    self.names.declared.push((Declared::Other("type"), name));
                }
                match body {
                    TypeBody::Uninterpreted => {}
                    TypeBody::Enumerated(values) => {
                        self.names.all.extend(values.iter().map(|value| &*value.name));
                    }
                    TypeBody::Struct(fields) => fields.iter().for_each(|field| self.symbol(field)),
                }
            }
            DeclKind::Symbols { keyword, symbols } => {
                for symbol in symbols {
                    if !in_module {
                        self.names.declare(keyword, &symbol.name);
                    }
                    self.symbol(symbol);
                }
            }
            DeclKind::Definition { params, body, name, .. } => {
                self.names.all.insert(&name.name);
                self.names.vars(params);
                self.names.expr(body);
            }
            DeclKind::Formula { formula, with, proof, .. } => {
                self.names.expr(formula);
                self.skipped(with.as_ref().map(|it| &it.text));
                self.skipped(proof.as_ref().map(|it| &it.text));
            }
            DeclKind::Object { params, decls, with, .. } => {
                self.names.vars(params);
                self.skipped(with.as_ref().map(|it| &it.text));
                self.decls(decls, in_module);
            }
            DeclKind::Section { decls, .. } => self.decls(decls, in_module),
            DeclKind::Module(module) => {
                self.skipped(module.with.as_ref().map(|it| &it.text));
                self.decls(&module.decls, true);
            }
            DeclKind::Instance { params, module, args, .. } => {
                self.names.vars(params);
                self.names.name(&module.name);
                args.iter().for_each(|arg| self.names.name(&arg.name));
            }
            DeclKind::Macro { body, name, .. } => {
                if !in_module {
                    self.names.declare("macro", name);
                }
                self.stmts(body);
            }
            DeclKind::Action(action) | DeclKind::Monitor { action, .. } => {
                self.has_actions = true;
                self.names.vars(action.params.as_deref().unwrap_or_default());
                self.names.vars(&action.returns);
                self.stmts(action.body.as_deref().unwrap_or_default());
            }
            DeclKind::Init { params, body } => {
                self.names.vars(params);
                self.stmts(body);
            }
            DeclKind::Export(_) | DeclKind::Import(_) => {}
            DeclKind::Mixin { mixer, action, .. } => {
                self.names.name(&mixer.name);
                self.names.name(&action.name);
            }
            DeclKind::Delegate(names) | DeclKind::Private(names) => {
                names.iter().for_each(|name| self.names.name(&name.name))
            }
            DeclKind::Autoinstance(instance) => {
                self.names.name(&instance.module.name);
                instance.args.iter().for_each(|arg| self.names.name(&arg.name));
            }
            DeclKind::Choice(choice) => {
                self.names.all.insert(&choice.name.name);
                self.names.vars(&choice.params);
                choice.result.iter().for_each(|sort| self.names.sort(sort));
                self.names.vars(std::slice::from_ref(&choice.chosen.0));
                self.names.expr(&choice.chosen.1);
                choice.value.iter().for_each(|(value, other)| {
                    self.names.expr(value);
                    self.names.expr(other);
                });
            }
            DeclKind::Unchecked { formula, proof, .. } => {
                self.names.expr(formula);
                self.skipped(proof.as_ref());
            }
            DeclKind::Native { text, .. } => self.skipped(Some(text)),
            DeclKind::Alias { sort, .. } => self.names.sort(sort),
            DeclKind::Scheme(scheme) => self.names.expr(&scheme.formula),
            DeclKind::Update(update) => {
                update.defined.iter().chain(&update.sources).for_each(|name| self.names.name(&name.name));
                for pattern in &update.patterns {
                    self.stmts(std::slice::from_ref(&pattern.stmt));
                    pattern.requires.iter().chain([&pattern.ensures]).for_each(|it| self.names.expr(it));
                }
            }
            DeclKind::Schema(schema) => {
                schema.symbols.iter().for_each(|(_, symbol)| self.symbol(symbol));
                self.names.expr(&schema.formula);
                schema.triggers.iter().flat_map(|it| &it.terms).for_each(|term| self.names.expr(term));
            }
            DeclKind::Theorem(theorem) | DeclKind::Rule(theorem) => {
                self.decls(&theorem.decls, true);
                theorem.formulas().into_iter().for_each(|formula| self.names.expr(formula));
                self.skipped(theorem.proof.as_ref().map(|it| &it.text));
            }
            DeclKind::Proof(proof) => self.skipped(Some(&proof.text)),
            DeclKind::Interpret { text, .. }
            | DeclKind::Isolate { text, .. }
            | DeclKind::Attribute { text, .. }
            | DeclKind::Ignored { text, .. } => self.skipped(Some(text)),
        }
    }

    fn stmts(&mut self, stmts: &'a [Stmt]) {
        let mut visit = |stmt: &'a Stmt| {
            stmt.for_each_expr(|expr| self.names.expr(expr));
            match &stmt.kind {
                StmtKind::Check { proof, .. } => self.skipped(proof.as_ref().map(|it| &it.text)),
                StmtKind::Ignored(text) | StmtKind::Debug(text, _) => self.skipped(Some(text)),
                StmtKind::Var { var, params, .. } => {
                    self.names.vars(params);
                    self.names.vars(std::slice::from_ref(var));
                }
                StmtKind::Local { vars, .. }
                | StmtKind::If { condition: Condition::Some { vars, .. }, .. } => self.names.vars(vars),
                StmtKind::While(it) => {
                    let proofs = it.invariants.iter().filter_map(|it| it.proof.as_ref());
                    proofs.for_each(|it| self.skipped(Some(&it.text)));
                    if let Condition::Some { vars, .. } = &it.condition {
                        self.names.vars(vars);
                    }
                }
                StmtKind::Instantiate { name, .. } => self.names.name(&name.name),
                StmtKind::Field { field, .. } => self.names.name(&field.name),
                _ => {}
            }
        };
        stmts.iter().for_each(|stmt| stmt.for_each(&mut visit));
    }
}

/// Collects formulas and updates, and reports unused variables of statements.
struct Walk<'a, 'f> {
    text: &'a str,
    formulas: Vec<Formula<'a>>,
    updates: Vec<Update<'a>>,
    found: &'f mut Vec<Diagnostic>,
}

impl<'a> Walk<'a, '_> {
    fn add(&mut self, expr: &Expr, scope: &[&'a Ident], closed: bool) {
        let (expr, scope) = (Cow::Owned(plain(expr)), scope.to_vec());
        self.formulas.push(Formula { expr, text: self.text, scope, closed, is_variable, has_capitals: true });
    }

    fn decls(&mut self, decls: &'a [Decl]) {
        for decl in decls {
            match &decl.kind {
                DeclKind::Symbols { symbols, .. } => {
                    for symbol in symbols {
                        symbol
                            .definition
                            .iter()
                            .for_each(|value| self.add(value, &idents(&symbol.params), false));
                    }
                }
                DeclKind::Definition { params, body, .. } => self.add(body, &idents(params), false),
                DeclKind::Formula { formula, .. } => self.add(formula, &[], true),
                DeclKind::Scheme(scheme) => {
                    self.add(&scheme.formula, &scheme.params.iter().collect::<Vec<_>>(), true);
                }
                DeclKind::Update(update) => {
                    for pattern in &update.patterns {
                        let scope: Vec<&Ident> = pattern.params.iter().collect();
                        let formulas = pattern.requires.iter().chain([&pattern.ensures]);
                        formulas.for_each(|formula| self.add(formula, &scope, true));
                    }
                }
                DeclKind::Theorem(theorem) => {
                    theorem.formulas().into_iter().for_each(|formula| self.add(formula, &[], true));
                }
                DeclKind::Object { decls, .. } | DeclKind::Section { decls, .. } => self.decls(decls),
                DeclKind::Module(module) => self.decls(&module.decls),
                DeclKind::Macro { params, body, .. } => self.stmts(body, &mut params.iter().collect()),
                DeclKind::Action(action) | DeclKind::Monitor { action, .. } => {
                    let params = action.params.as_deref().unwrap_or_default();
                    let mut scope = idents(params);
                    scope.extend(idents(&action.returns));
                    self.stmts(action.body.as_deref().unwrap_or_default(), &mut scope);
                }
                DeclKind::Init { body, .. } => self.stmts(body, &mut Vec::new()),
                _ => {}
            }
        }
    }

    /// Adds a condition, whose variables come into scope.
    fn condition(&mut self, condition: &'a Condition, scope: &mut Vec<&'a Ident>) {
        if let Condition::Some { vars, .. } = condition {
            scope.extend(idents(vars));
        }
        condition.exprs().for_each(|expr| self.add(expr, scope, false));
    }

    fn stmts(&mut self, stmts: &'a [Stmt], scope: &mut Vec<&'a Ident>) {
        let outside = scope.len();
        for (at, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Check { formula, .. } => self.add(formula, scope, true),
                StmtKind::Assign { targets, value } => {
                    value.iter().for_each(|value| self.add(value, scope, false));
                    if let ([Expr { kind: ExprKind::Ref { args: Some(args), .. }, .. }], Some(value)) =
                        (targets.as_slice(), value)
                    {
                        let args = args.iter().map(plain).collect();
                        let value = Cow::Owned(plain(value));
                        let scope = scope.iter().map(|name| &*name.name).collect();
                        self.updates.push(Update { args, value, scope, is_variable });
                    }
                }
                StmtKind::Var { var, value, .. } => {
                    match value {
                        // The value may be a call, of which the result is not wanted.
                        Some(value) => self.add(value, scope, false),
                        None => self.unused(&var.name, &stmts[at + 1..]),
                    }
                    scope.push(&var.name);
                }
                StmtKind::Local { vars, body } => {
                    let here = scope.len();
                    for var in vars {
                        self.unused(&var.name, body);
                        scope.push(&var.name);
                    }
                    self.stmts(body, scope);
                    scope.truncate(here);
                }
                StmtKind::If { condition, then, otherwise } => {
                    let here = scope.len();
                    self.condition(condition, scope);
                    self.stmts(then, scope);
                    scope.truncate(here);
                    self.stmts(otherwise, scope);
                }
                StmtKind::While(it) => {
                    it.invariants.iter().for_each(|it| self.add(&it.formula, scope, true));
                    it.decreases.iter().for_each(|term| self.add(term, scope, false));
                    let here = scope.len();
                    self.condition(&it.condition, scope);
                    self.stmts(&it.body, scope);
                    scope.truncate(here);
                }
                StmtKind::Block(body) => self.stmts(body, scope),
                StmtKind::Field { .. }
                | StmtKind::Call(_)
                | StmtKind::Instantiate { .. }
                | StmtKind::Rest
                | StmtKind::Crash
                | StmtKind::Native(_)
                | StmtKind::Ignored(_)
                | StmtKind::Debug(..)
                | StmtKind::Broken => {}
            }
        }
        scope.truncate(outside);
    }

    fn unused(&mut self, name: &Ident, stmts: &[Stmt]) {
        if !name.name.starts_with('_') && !stmts.iter().any(|stmt| touches(stmt, &name.name)) {
            self.found.push(never_used(name.span(), &name.name));
        }
    }
}

fn idents(vars: &[SortedVar]) -> Vec<&Ident> {
    vars.iter().map(|var| &var.name).collect()
}

/// Returns whether a statement mentions the variable `name`, or a field of it.
fn touches(stmt: &Stmt, name: &str) -> bool {
    let mut is_touched = false;
    stmt.for_each(&mut |stmt| {
        stmt.for_each_expr(|expr| is_touched |= has_variable(expr, name));
        is_touched |= match &stmt.kind {
            StmtKind::Check { proof: Some(proof), .. } => proof.text.text.contains(name),
            StmtKind::While(it) => {
                let mut proofs = it.invariants.iter().filter_map(|it| it.proof.as_ref());
                proofs.any(|it| it.text.text.contains(name))
            }
            kind => matches!(kind, StmtKind::Rest | StmtKind::Broken),
        };
    });
    is_touched
}

fn has_variable(expr: &Expr, name: &str) -> bool {
    plain(expr).nodes().any(|expr| match &expr.kind {
        ExprKind::Ref { name: found, .. } => found.name.split('.').next() == Some(name),
        _ => false,
    })
}
