//! What lints read of `.ivy` files: the trees as written, before objects, modules and calls are expanded.

use std::borrow::Cow;

use super::formulas::{Formula, Update, never_used};
use super::unused::{Declared, Names};
use super::{Subject, is_prelude};
use crate::base::hash::Set;
use crate::base::span::{FileId, Sources};
use crate::diag::Diagnostic;
use crate::lang::fol::ast::{Expr, ExprKind, Ident, SortName, SortRef, SortedVar};
use crate::lang::ivy::Model;
use crate::lang::ivy::ast::{Condition, Decl, DeclKind, Skipped, Stmt, StmtKind, SymbolDecl, TypeBody};
use crate::lang::ivy::is_variable;

/// A model with the texts of its files.
pub(super) struct Ivy<'a> {
    pub(super) model: &'a Model,
    pub(super) sources: &'a Sources,
}

impl<'a> Subject<'a> for Ivy<'a> {
    fn unused(&self, found: &mut Vec<Diagnostic>) -> Set<&'a str> {
        let mut uses = Uses::default();
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
            let short = name.name.strip_prefix("old ").unwrap_or(&name.name);
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
#[derive(Default)]
struct Uses<'a> {
    names: Names<'a>,
    has_actions: bool,
}

impl<'a> Uses<'a> {
    fn name(&mut self, name: &'a str) {
        let words = || name.split(|c: char| !c.is_alphanumeric() && c != '_');
        self.names.used.extend(words());
        self.names.sorts.extend(words());
    }

    fn skipped(&mut self, text: Option<&'a Skipped>) {
        text.into_iter().for_each(|it| self.name(&it.text));
    }

    fn sort(&mut self, sort: &'a SortRef) {
        if let SortName::Named(name) = &sort.name {
            self.name(name);
        }
    }

    fn vars(&mut self, vars: &'a [SortedVar]) {
        vars.iter().filter_map(|var| var.sort.as_ref()).for_each(|sort| self.sort(sort));
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Ref { name, .. } => self.name(&name.name),
            ExprKind::Quantifier { vars, .. } => self.vars(vars),
            ExprKind::Let { var, .. } => self.vars(std::slice::from_ref(&**var)),
            _ => {}
        }
        expr.for_each_child(|child| self.expr(child));
    }

    fn symbol(&mut self, symbol: &'a SymbolDecl) {
        self.vars(&symbol.params);
        symbol.result.iter().for_each(|sort| self.sort(sort));
        symbol.definition.iter().for_each(|value| self.expr(value));
    }

    fn decls(&mut self, decls: &'a [Decl], in_module: bool) {
        for decl in decls {
            self.decl(decl, in_module);
        }
    }

    fn decl(&mut self, decl: &'a Decl, in_module: bool) {
        match &decl.kind {
            DeclKind::Include(_) | DeclKind::Broken(_) => {}
            DeclKind::Type { name, body } => {
                if !in_module && &*name.name != "this" {
                    self.names.declared.push((Declared::Other("type"), name));
                }
                match body {
                    TypeBody::Uninterpreted | TypeBody::Range(..) => {}
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
                self.vars(params);
                self.expr(body);
            }
            DeclKind::Formula { formula, proof, .. } => {
                self.expr(formula);
                self.skipped(proof.as_ref());
            }
            DeclKind::Object { params, decls, with, .. } => {
                self.vars(params);
                self.skipped(with.as_ref());
                self.decls(decls, in_module);
            }
            DeclKind::Section { decls, .. } => self.decls(decls, in_module),
            DeclKind::Module(module) => self.decls(&module.decls, true),
            DeclKind::Instance { params, module, args, .. } => {
                self.vars(params);
                self.name(&module.name);
                args.iter().for_each(|arg| self.name(&arg.name));
            }
            DeclKind::Macro { body, name, .. } => {
                if !in_module {
                    self.names.declare("macro", name);
                }
                self.stmts(body);
            }
            DeclKind::Action(action) | DeclKind::Monitor { action, .. } => {
                self.has_actions = true;
                self.vars(action.params.as_deref().unwrap_or_default());
                self.vars(&action.returns);
                self.stmts(action.body.as_deref().unwrap_or_default());
            }
            DeclKind::Init(stmts) => self.stmts(stmts),
            DeclKind::Export(_) | DeclKind::Import(_) => {}
            DeclKind::Alias { sort, .. } => self.sort(sort),
            DeclKind::Schema(schema) => {
                schema.symbols.iter().for_each(|(_, symbol)| self.symbol(symbol));
                self.expr(&schema.formula);
                schema.triggers.iter().flat_map(|it| &it.terms).for_each(|term| self.expr(term));
            }
            DeclKind::Theorem(theorem) => {
                self.decls(&theorem.decls, true);
                theorem.premises.iter().for_each(|(_, premise)| self.expr(premise));
                self.expr(&theorem.conclusion);
                self.skipped(theorem.proof.as_ref());
            }
            DeclKind::Interpret { text, .. } | DeclKind::Ignored { text, .. } => self.skipped(Some(text)),
        }
    }

    fn stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Check { formula, proof, .. } => {
                    self.expr(formula);
                    self.skipped(proof.as_ref());
                }
                StmtKind::Assign { targets, value } => {
                    targets.iter().chain(value).for_each(|expr| self.expr(expr));
                }
                StmtKind::Call(call) => self.expr(call),
                StmtKind::Var { var, params, value } => {
                    self.vars(params);
                    self.vars(std::slice::from_ref(var));
                    value.iter().for_each(|value| self.expr(value));
                }
                StmtKind::Local { vars, body } => {
                    self.vars(vars);
                    self.stmts(body);
                }
                StmtKind::If { condition, then, otherwise } => {
                    match condition {
                        Condition::Any => {}
                        Condition::Formula(formula) => self.expr(formula),
                        Condition::Some { vars, formula } => {
                            self.vars(vars);
                            self.expr(formula);
                        }
                    }
                    self.stmts(then);
                    self.stmts(otherwise);
                }
                StmtKind::Instantiate { name, args } => {
                    self.name(&name.name);
                    args.iter().for_each(|arg| self.expr(arg));
                }
                StmtKind::Block(body) => self.stmts(body),
                StmtKind::Rest | StmtKind::Broken => {}
            }
        }
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
        self.formulas.push(Formula { expr, text: self.text, scope, closed, is_variable });
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
                DeclKind::Theorem(theorem) => {
                    let premises = theorem.premises.iter().map(|(_, premise)| premise);
                    premises.chain([&theorem.conclusion]).for_each(|formula| self.add(formula, &[], true));
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
                DeclKind::Init(stmts) => self.stmts(stmts, &mut Vec::new()),
                _ => {}
            }
        }
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
                    match condition {
                        Condition::Any => {}
                        Condition::Formula(formula) => self.add(formula, scope, false),
                        Condition::Some { vars, formula } => {
                            scope.extend(idents(vars));
                            self.add(formula, scope, false);
                        }
                    }
                    self.stmts(then, scope);
                    scope.truncate(here);
                    self.stmts(otherwise, scope);
                }
                StmtKind::Block(body) => self.stmts(body, scope),
                StmtKind::Call(_) | StmtKind::Instantiate { .. } | StmtKind::Rest | StmtKind::Broken => {}
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
    let within = |stmts: &[Stmt]| stmts.iter().any(|stmt| touches(stmt, name));
    let has = |expr: &Expr| has_variable(expr, name);
    match &stmt.kind {
        StmtKind::Check { formula, proof, .. } => {
            has(formula) || proof.as_ref().is_some_and(|it| it.text.contains(name))
        }
        StmtKind::Assign { targets, value } => targets.iter().chain(value).any(has),
        StmtKind::Call(call) => has(call),
        StmtKind::Var { value, .. } => value.iter().any(has),
        StmtKind::Local { body, .. } | StmtKind::Block(body) => within(body),
        StmtKind::If { condition, then, otherwise } => {
            let in_condition = match condition {
                Condition::Any => false,
                Condition::Formula(formula) | Condition::Some { formula, .. } => has(formula),
            };
            in_condition || within(then) || within(otherwise)
        }
        StmtKind::Instantiate { args, .. } => args.iter().any(has),
        StmtKind::Rest | StmtKind::Broken => true,
    }
}

fn has_variable(expr: &Expr, name: &str) -> bool {
    let expr = plain(expr);
    let mut open = vec![&expr];
    while let Some(expr) = open.pop() {
        if let ExprKind::Ref { name: found, .. } = &expr.kind
            && found.name.split('.').next() == Some(name)
        {
            return true;
        }
        expr.for_each_child(|child| open.push(child));
    }
    false
}
