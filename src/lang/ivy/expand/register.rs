//! Names of declarations in the tables: sorts, symbols, fields and definitions.

use std::sync::Arc;

use super::declarations::{is_bool, untyped};
use super::flat::Flat;
use super::formulas::is_variable;
use super::operators::is_operator;
use super::scopes::ScopeId;
use super::state::{Expander, Field, Function, Macro, Symbol};
use crate::ivy::ast::{
    Bound, DeclKind, Expr, ExprKind, Interpretation, SortName, SortRef, SortedVar, SymbolDecl, TypeBody,
};
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Adds the names of a declaration to the tables.
    pub(super) fn register(&mut self, flat: Flat<'a>) {
        let scope = flat.scope;
        match &flat.decl.kind {
            DeclKind::Type { name, of, body } => {
                let sort = self.sort_named(scope, name);
                if let SortName::Named(name) = &sort.name {
                    self.sorts.insert(name.clone());
                    if *body != TypeBody::Uninterpreted {
                        self.structured.insert(name.clone());
                    }
                }
                if let Some(of) = of {
                    self.register_variant(scope, &sort, of);
                }
                match body {
                    TypeBody::Uninterpreted => {}
                    TypeBody::Enumerated(values) => {
                        for value in values {
                            let symbol = Symbol::new(Vec::new(), Some(sort.clone()));
                            self.values.insert(self.scopes.full(scope, &value.name));
                            self.add_symbol(scope, value, symbol);
                        }
                    }
                    TypeBody::Struct(fields) => {
                        for field in fields {
                            let mut args = vec![sort.clone()];
                            args.extend(self.sorts(scope, &field.params));
                            let result = field.result.as_ref().map(|sort| self.scopes.sort(scope, sort));
                            self.add_symbol(scope, &field.name, Symbol::new(args, result));
                            let full = self.scopes.full(scope, &field.name.name);
                            let fields = self.fields.entry(self.scopes.full(scope, &name.name)).or_default();
                            let (name, span) = (field.name.name.clone(), field.name.span());
                            fields.push(Field { name, function: full, span });
                        }
                    }
                }
            }
            DeclKind::Symbols { keyword, symbols } => {
                for symbol in symbols {
                    if is_operator(&symbol.name.name) {
                        self.register_operator(
                            scope,
                            &symbol.name,
                            &symbol.params,
                            symbol.definition.as_ref(),
                        );
                        continue;
                    }
                    if **keyword == *"wire" {
                        self.register_wire(scope, symbol);
                    }
                    self.register_symbol(scope, keyword, symbol);
                    if **keyword == *"destructor" {
                        self.register_destructor(scope, symbol);
                    }
                }
            }
            DeclKind::Definition { name, params, body, .. } if is_operator(&name.name) => {
                self.register_operator(scope, name, params, Some(body));
            }
            DeclKind::Choice(choice) => self.register_selection(scope, choice),
            DeclKind::Definition { name, recursion: Some(_), .. } => {
                let full = self.scopes.resolve(scope, &name.name).name;
                if !self.is_hidden(&full) {
                    self.recursive.insert(full);
                }
            }
            DeclKind::Definition { keyword, label, name, params, body, .. } => {
                // Isolates may list it.
                self.globals.extend(label.iter().map(|label| self.scopes.full(scope, &label.name)));
                for param in params.iter().filter(|it| it.sort.is_none() && !is_variable(&it.name.name)) {
                    // A constant would be hidden by it.
                    self.report.push(untyped(param));
                }
                let full = self.scopes.resolve(scope, &name.name).name;
                let place = name.span();
                let is_hidden = self.is_hidden(&full);
                if is_hidden && **keyword == *"definition" {
                    return;
                }
                // An abbreviation has a value before an action as well.
                if **keyword != *"definition" && params.iter().all(|param| param.sort.is_some()) {
                    let around = self.scopes.params(scope).into_iter().filter_map(|param| param.sort);
                    let args = around.chain(self.sorts(scope, params)).collect();
                    self.symbols.entry(full.clone()).or_insert(Symbol::new(args, None));
                }
                if is_hidden {
                    self.globals.insert(full);
                    return;
                }
                if self.symbols.get(&full).is_some_and(|it| !is_bool(it.result.as_ref())) {
                    self.register_function(full.clone(), Function { scope, params, body, place });
                }
                self.defined.insert(full.clone());
                self.globals.insert(full);
            }
            DeclKind::Macro { name, params, body } => {
                let full = self.scopes.full(scope, &name.name);
                self.macros.insert(full, Macro { scope, params, body, place: name.span() });
            }
            DeclKind::Update(update) => self.updates.push((scope, update)),
            DeclKind::Theorem(theorem) => {
                let full = self.scopes.full(self.scopes.around(scope), &theorem.name.name);
                self.labels.insert(full);
            }
            DeclKind::Formula { label: Some(label), .. } => {
                let full = self.scopes.full(scope, &label.name);
                self.labels.insert(full.clone());
                self.globals.insert(full);
            }
            DeclKind::Interpret { name, meaning, .. } => {
                let sort = SortRef { name: SortName::Named(name.name.clone()), place: name.place };
                let sort = self.scopes.sort(scope, &sort);
                match meaning {
                    Interpretation::Integers | Interpretation::Naturals | Interpretation::Bits(_) => {
                        if let SortName::Named(sort) = &sort.name {
                            self.numbers.insert(sort.clone(), meaning.clone());
                        }
                    }
                    Interpretation::Range(low, high) => self.register_bounds(scope, &sort, [low, high]),
                    Interpretation::Enumerated(values) => {
                        for value in values {
                            let symbol = Symbol::new(Vec::new(), Some(sort.clone()));
                            self.values.insert(self.scopes.full(scope, &value.name));
                            self.add_symbol(scope, value, symbol);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Adds the ends of a range that have names. Others may have declared them.
    fn register_bounds(&mut self, scope: ScopeId, sort: &SortRef, bounds: [&Bound; 2]) {
        for bound in bounds {
            if let Bound::Name(name) = bound
                && !self.symbols.contains_key(&self.scopes.full(scope, &name.name))
            {
                self.add_symbol(scope, name, Symbol::new(Vec::new(), Some(sort.clone())));
            }
        }
    }

    fn register_symbol(&mut self, scope: ScopeId, keyword: &str, decl: &'a SymbolDecl) {
        let mut args: Vec<SortRef> =
            self.scopes.params(scope).into_iter().filter_map(|param| param.sort).collect();
        args.extend(self.sorts(scope, &decl.params));
        let result = decl.result.as_ref().map(|sort| self.scopes.sort(scope, sort));
        let value = decl.definition.as_ref().filter(|_| result.is_none() && keyword != "relation");
        let result = result.or_else(|| self.sort_of_value(scope, &decl.params, value?));
        let full = self.scopes.full(scope, &decl.name.name);
        if let Some(body) = &decl.definition
            && !self.is_hidden(&full)
        {
            if is_bool(result.as_ref()) {
                self.derived.insert(full);
            } else if keyword != "wire" {
                let function = Function { scope, params: &decl.params, body, place: decl.name.span() };
                self.register_function(full, function);
            }
        }
        self.add_symbol(scope, &decl.name, Symbol::new(args, result));
    }

    /// Adds the definition of a function. It has one: of two, one would not count.
    fn register_function(&mut self, full: Arc<str>, function: Function<'a>) {
        let place = function.place;
        if let Some(first) = self.functions.insert(full.clone(), function) {
            let message = format!("`{full}` is defined twice");
            self.report.push(
                Diagnostic::error(Code::Duplicate, place, message)
                    .label("defined again here")
                    .also(first.place, "first defined here"),
            );
        }
    }

    /// Returns the sort of the value of a definition, if its outermost name tells it and it is no formula.
    fn sort_of_value(&self, scope: ScopeId, params: &[SortedVar], value: &Expr) -> Option<SortRef> {
        match &value.kind {
            ExprKind::Ref { name, .. } => {
                if let Some(param) = params.iter().find(|param| param.name.name == name.name) {
                    return param.sort.as_ref().map(|sort| self.scopes.sort(scope, sort));
                }
                if let Some((_, sort)) = name.name.split_once(':') {
                    let sort = SortRef { name: SortName::Named(sort.into()), place: name.place };
                    return Some(self.scopes.sort(scope, &sort));
                }
                self.symbols.get(&self.scopes.resolve(scope, &name.name).name)?.result.clone()
            }
            ExprKind::Ite(parts) => {
                let sort = |at: usize| self.sort_of_value(scope, params, &parts[at]);
                sort(1).or_else(|| sort(2))
            }
            ExprKind::Binary { op, sides, .. } if op.is_operation() => {
                let sort = |at: usize| self.sort_of_value(scope, params, &sides[at]);
                sort(0).or_else(|| sort(1))
            }
            _ => None,
        }
    }

    /// Makes a function a field of the type of its first argument.
    fn register_destructor(&mut self, scope: ScopeId, decl: &'a SymbolDecl) {
        if let Some(value) = &decl.definition {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    value.span(),
                    format!("the destructor `{}` has a definition", decl.name.name),
                )
                .label("a field has the values that it is given")
                .help("declare it as a function or relation"),
            );
        }
        let function = self.scopes.full(scope, &decl.name.name);
        let of = self.symbols.get(&function).and_then(|it| it.args.first()).map(|sort| &sort.name);
        match of {
            Some(SortName::Named(sort)) => {
                let sort = sort.clone();
                let (name, span) = (decl.name.name.clone(), decl.name.span());
                let field = Field { name, function, span };
                self.fields.entry(sort).or_default().push(field);
            }
            _ => self.report.push(
                Diagnostic::error(
                    Code::Arity,
                    decl.name.span(),
                    format!(
                        "the first argument of the destructor `{}` is no value of a type",
                        decl.name.name
                    ),
                )
                .label("not a field of a type")
                .help("write `destructor f(X:t) : u` for a field of `t`"),
            ),
        }
    }
}
