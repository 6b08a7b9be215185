//! The order of declarations: what declarations mention that only later ones declare.

use std::sync::Arc;

use super::flat::Flat;
use super::formulas::{is_variable, split_sort};
use super::operators::is_operator;
use super::state::Expander;
use crate::ivy::ast::{
    Bound, DeclKind, Expr, ExprKind, Ident, Interpretation, Premise, Role, SortName, SortRef, SortedVar,
    SymbolDecl, Theorem, TypeBody,
};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Where a program declares its types and symbols: the position of the first declaration, and the place.
#[derive(Default)]
struct Declared {
    sorts: Map<Arc<str>, (usize, Span)>,
    symbols: Map<Arc<str>, (usize, Span)>,
}

/// The parts of a declaration that mention others.
#[derive(Default)]
struct Parts<'a> {
    formulas: Vec<&'a Expr>,
    sorts: Vec<&'a SortRef>,
    /// Symbols that are mentioned apart from formulas.
    symbols: Vec<&'a Ident>,
    /// Types that are mentioned by their names alone.
    types: Vec<&'a Ident>,
    /// Names of its own.
    own: Set<&'a str>,
}

impl<'a> Parts<'a> {
    fn params(&mut self, params: &'a [SortedVar]) {
        for param in params {
            self.sorts.extend(&param.sort);
            self.own.insert(&param.name.name);
        }
    }

    fn symbol(&mut self, symbol: &'a SymbolDecl) {
        self.params(&symbol.params);
        self.sorts.extend(&symbol.result);
        self.formulas.extend(&symbol.definition);
    }

    /// Adds what a rule mentions but for what it declares itself.
    fn rule(&mut self, rule: &'a Theorem) {
        for decl in &rule.decls {
            match &decl.kind {
                DeclKind::Type { name, .. } => _ = self.own.insert(&name.name),
                DeclKind::Symbols { symbols, .. } => {
                    self.own.extend(symbols.iter().map(|it| &*it.name.name));
                    symbols.iter().for_each(|it| self.symbol(it));
                }
                _ => {}
            }
        }
        for premise in &rule.premises {
            if let Premise::Rule(rule) = premise {
                self.rule(rule);
            }
        }
    }

    /// Returns the parts that Ivy reads where the declaration stands. Those of statements, and of claims about states, it reads after
    /// all declarations.
    fn of(kind: &'a DeclKind) -> Parts<'a> {
        let mut parts = Parts::default();
        match kind {
            DeclKind::Type { of, body, .. } => {
                parts.types.extend(of);
                if let TypeBody::Struct(fields) = body {
                    fields.iter().for_each(|field| parts.symbol(field));
                }
            }
            DeclKind::Symbols { symbols, .. } => symbols.iter().for_each(|it| parts.symbol(it)),
            DeclKind::Definition { keyword, name, params, body, .. } => {
                if **keyword == *"definition" && !is_operator(&name.name) {
                    parts.symbols.push(name);
                }
                parts.params(params);
                parts.formulas.push(body);
            }
            DeclKind::Choice(choice) => {
                parts.params(&choice.params);
                parts.sorts.extend(&choice.result);
                let (var, formula) = &choice.chosen;
                parts.params(std::slice::from_ref(var));
                parts.formulas.push(formula);
                parts.formulas.extend(choice.value.iter().flat_map(|(value, other)| [value, other]));
            }
            DeclKind::Formula { role: Role::Axiom | Role::Property, formula, .. } => {
                parts.formulas.push(formula);
            }
            DeclKind::Unchecked { keyword, formula, .. } if keyword.ends_with("property") => {
                parts.formulas.push(formula);
            }
            DeclKind::Theorem(theorem) | DeclKind::Rule(theorem) => {
                parts.rule(theorem);
                parts.formulas = theorem.formulas();
            }
            DeclKind::Schema(schema) => {
                parts.own.extend(schema.sorts.iter().map(|it| &*it.name));
                for (_, symbol) in &schema.symbols {
                    parts.own.insert(&symbol.name.name);
                    parts.symbol(symbol);
                }
                parts.formulas.push(&schema.formula);
            }
            DeclKind::Interpret { name, meaning, .. } => {
                parts.types.push(name);
                if let Interpretation::By(other) = meaning {
                    parts.types.push(other);
                }
            }
            _ => {}
        }
        parts
    }
}

impl<'a> Expander<'a, '_> {
    /// Reports declarations that mention what is declared after them. In the library none does.
    pub(super) fn check_order(&mut self, flat: &[Flat<'a>]) {
        let mut declared = Declared::default();
        for flat in flat {
            self.declared_by(flat, &mut declared);
        }
        let mut told: Set<Span> = Set::default();
        for flat in flat {
            if !self.report.spend(1) {
                return;
            }
            if self.is_of_library(flat.decl.span()) {
                continue;
            }
            let parts = Parts::of(&flat.decl.kind);
            let mut early = Vec::new();
            let has_params = match &flat.decl.kind {
                DeclKind::Symbols { symbols, .. } => !symbols.iter().any(|it| is_operator(&it.name.name)),
                DeclKind::Formula { role, .. } => matches!(role, Role::Axiom | Role::Property),
                _ => false,
            };
            if has_params {
                for sort in self.scopes.params(flat.scope).iter().filter_map(|it| it.sort.as_ref()) {
                    let SortName::Named(meant) = &sort.name else { continue };
                    if let Some((_, of)) = declared.sorts.get(meant).filter(|(at, _)| *at > flat.at) {
                        early.push(self.early_error(flat, meant, sort.place.0, *of, "the type "));
                    }
                }
            }
            for &sort in &parts.sorts {
                early.extend(self.early_sort(flat, sort, &parts, &declared));
            }
            for &name in &parts.types {
                early.extend(self.early_name(flat, name, &declared.sorts, "the type "));
            }
            for &name in &parts.symbols {
                early.extend(self.early_name(flat, name, &declared.symbols, ""));
            }
            for &formula in &parts.formulas {
                self.early_in(flat, formula, &parts, &declared, &mut early);
            }
            // Once for each name, and once for the text that instances of a module have in common.
            early.retain(|error: &Diagnostic| error.secondary.iter().all(|it| told.insert(it.span)));
            early.into_iter().for_each(|error| self.report.push(error));
        }
    }

    /// Adds the names that a declaration declares.
    fn declared_by(&self, flat: &Flat<'a>, declared: &mut Declared) {
        let at = flat.at;
        let add = |to: &mut Map<Arc<str>, (usize, Span)>, name: &Ident| {
            to.entry(self.scopes.full(flat.scope, &name.name)).or_insert((at, name.span()));
        };
        let bounds = |declared: &mut Declared, bounds: [&Bound; 2]| {
            for bound in bounds {
                if let Bound::Name(name) = bound {
                    add(&mut declared.symbols, name);
                }
            }
        };
        match &flat.decl.kind {
            DeclKind::Type { name, body, .. } => {
                add(&mut declared.sorts, name);
                match body {
                    TypeBody::Uninterpreted => {}
                    TypeBody::Enumerated(values) => {
                        values.iter().for_each(|it| add(&mut declared.symbols, it));
                    }
                    TypeBody::Struct(fields) => {
                        fields.iter().for_each(|it| add(&mut declared.symbols, &it.name));
                    }
                }
            }
            DeclKind::Alias { name, .. } => add(&mut declared.sorts, name),
            DeclKind::Symbols { symbols, .. } => {
                symbols.iter().for_each(|it| add(&mut declared.symbols, &it.name));
            }
            DeclKind::Definition { keyword, name, .. } if **keyword != *"definition" => {
                add(&mut declared.symbols, name);
            }
            DeclKind::Choice(choice) if *choice.keyword != *"definition" => {
                add(&mut declared.symbols, &choice.name);
            }
            DeclKind::Interpret { meaning: Interpretation::Enumerated(values), .. } => {
                values.iter().for_each(|it| add(&mut declared.symbols, it));
            }
            DeclKind::Interpret { meaning: Interpretation::Range(low, high), .. } => {
                bounds(declared, [low, high]);
            }
            DeclKind::Formula { named: Some((name, _)), .. }
            | DeclKind::Unchecked { named: Some((name, _)), .. } => add(&mut declared.symbols, name),
            _ => {}
        }
    }

    /// Adds the errors for what a formula mentions.
    fn early_in(
        &self,
        flat: &Flat<'a>,
        formula: &Expr,
        parts: &Parts<'_>,
        declared: &Declared,
        early: &mut Vec<Diagnostic>,
    ) {
        let bound: Set<&str> = formula.nodes().filter_map(let_bound).collect();
        for part in formula.nodes() {
            match &part.kind {
                ExprKind::Ref { name, .. } => {
                    let (plain, sort) = split_sort(name);
                    if let Some(sort) = sort {
                        early.extend(self.early_sort(flat, &sort, parts, declared));
                    }
                    if is_variable(&plain) || parts.own.contains(&*plain) || bound.contains(&*plain) {
                        continue;
                    }
                    let name = Ident { name: plain, place: name.place };
                    early.extend(self.early_name(flat, &name, &declared.symbols, ""));
                }
                ExprKind::Quantifier { vars, .. } => {
                    for sort in vars.iter().filter_map(|it| it.sort.as_ref()) {
                        early.extend(self.early_sort(flat, sort, parts, declared));
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the error for a type that is declared later, or an alias, or one that an alias stands for.
    fn early_sort(
        &self,
        flat: &Flat<'a>,
        sort: &SortRef,
        parts: &Parts<'_>,
        declared: &Declared,
    ) -> Option<Diagnostic> {
        let SortName::Named(name) = &sort.name else { return None };
        if parts.own.contains(&**name) {
            return None;
        }
        let name = Ident { name: name.clone(), place: sort.place };
        self.early_name(flat, &name, &declared.sorts, "the type ").or_else(|| {
            let SortName::Named(meant) = self.scopes.sort(flat.scope, sort).name else { return None };
            let (_, of) = declared.sorts.get(&meant).filter(|(at, _)| *at > flat.at)?;
            Some(self.early_error(flat, &meant, name.span(), *of, "the type "))
        })
    }

    fn early_name(
        &self,
        flat: &Flat<'a>,
        name: &Ident,
        declared: &Map<Arc<str>, (usize, Span)>,
        what: &str,
    ) -> Option<Diagnostic> {
        let full = self.scopes.resolve(flat.scope, &name.name).name;
        let (_, of) = declared.get(&full).filter(|(at, _)| *at > flat.at)?;
        Some(self.early_error(flat, &full, name.span(), *of, what))
    }

    fn early_error(&self, flat: &Flat<'a>, name: &str, span: Span, of: Span, what: &str) -> Diagnostic {
        let help = match &flat.decl.kind {
            DeclKind::Formula { .. } | DeclKind::Unchecked { .. } => {
                "declare it first; only statements, and claims about states, mention what is declared later"
            }
            _ => "declare it first",
        };
        Diagnostic::error(Code::Undeclared, span, format!("{what}`{name}` is declared after this"))
            .label("not declared yet")
            .also(of, "declared here")
            .help(help)
    }
}

/// Returns the name that a `let` binds, if an expression is one.
fn let_bound(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Let { var, .. } => Some(&var.name.name),
        _ => None,
    }
}
