//! Declarations of the flat program: sorts, symbols, macros, assumptions and claims.

use std::sync::Arc;

use super::before::copy_name;
use super::commands::command;
use super::exprs::reference;
use super::flat::Flat;
use super::formulas::{Context, parameter, spelled};
use super::isolates::Presence;
use super::operators::is_operator;
use super::scopes::{Resolved, ScopeId};
use super::state::{Expander, Field, Function, Helper, Symbol, Wanted};
use crate::fol::ast::BinaryOp;
use crate::fol::statics::names::is_extraction;
use crate::ivy::ast::{DeclKind, Expr, ExprKind, Ident, Listed, Place, Role, Skipped, TypeBody};
use crate::ivy::ast::{SortName, SortRef, SortedVar};
use crate::program::ast as program;
use crate::program::ast::{Annotation, CommandKind, Item, ItemKind, SymbolForm};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Unchecked;

/// How the keyword of what proofs alone assume begins.
pub(super) const EXPLICIT: &str = "explicit";

/// Returns whether a claim is marked as what is to be shown, by its name. Benchmarks of invariant inference mark the
/// property by the number 1000000.
fn is_marked(label: &str) -> bool {
    label == "1000000" || label.rsplit('.').next().is_some_and(|last| last.starts_with("safety"))
}

/// Returns which claims are to be shown: those that are marked, if there are any; otherwise those without a name, if there
/// are any.
pub(super) fn wanted<'a>(flat: impl Iterator<Item = &'a Flat<'a>>) -> Wanted {
    let mut wanted = Wanted::All;
    for flat in flat {
        match &flat.decl.kind {
            DeclKind::Formula { role: Role::Safety, .. } => return Wanted::Marked,
            DeclKind::Formula { role: Role::Invariant, label, .. } => match label {
                Some(label) if is_marked(&label.name) => return Wanted::Marked,
                Some(_) => {}
                None => wanted = Wanted::Unnamed,
            },
            _ => {}
        }
    }
    wanted
}

/// Returns whether the sort of a value is that of formulas.
pub(super) fn is_bool(sort: Option<&SortRef>) -> bool {
    sort.is_none_or(|sort| sort.name == SortName::Bool)
}

impl<'a> Expander<'a, '_> {
    pub(super) fn add_symbol(&mut self, scope: ScopeId, name: &Ident, symbol: Symbol) {
        let full = self.scopes.full(scope, &name.name);
        self.globals.insert(full.clone());
        let source = self.scopes.is_theorem(scope).then(|| name.name.clone());
        self.symbols.insert(full, Symbol { source, ..symbol });
    }

    /// Returns the sorts of parameters.
    pub(super) fn sorts(&self, scope: ScopeId, params: &[SortedVar]) -> Vec<SortRef> {
        params.iter().filter_map(|it| it.sort.as_ref()).map(|it| self.scopes.sort(scope, it)).collect()
    }

    pub(super) fn sort_named(&self, scope: ScopeId, name: &Ident) -> SortRef {
        SortRef { name: SortName::Named(self.scopes.full(scope, &name.name)), place: name.place }
    }

    /// Returns a declared name under its name in the flat program.
    pub(super) fn full(&self, scope: ScopeId, name: &Ident) -> Ident {
        Ident { name: self.scopes.full(scope, &name.name), place: name.place }
    }

    /// Adds the items that a declaration means.
    pub(super) fn items(&mut self, flat: Flat<'a>, items: &mut Vec<Item>) {
        let (scope, place) = (flat.scope, flat.decl.place);
        self.named_values(flat, items);
        if flat.presence == Presence::Absent {
            return self.items_of_absent(flat, items);
        }
        let mut push = |kind: ItemKind| items.push(Item { kind, place });
        match &flat.decl.kind {
            DeclKind::Type { name, of, body } => {
                push(ItemKind::Sort { name: self.full(scope, name), annotations: Vec::new() });
                if of.is_some() {
                    let sort = self.sort_named(scope, name);
                    self.variant(&sort).into_iter().for_each(&mut push);
                }
                match body {
                    TypeBody::Uninterpreted => {}
                    TypeBody::Enumerated(values) => {
                        let sort = self.sort_named(scope, name);
                        self.enumeration(scope, &sort, values, items);
                    }
                    TypeBody::Struct(fields) => {
                        for field in fields {
                            let full = self.full(scope, &field.name);
                            push(self.symbol_item(full, field.params.len() + 1, &field.params));
                        }
                        let sort = self.sort_named(scope, name);
                        self.extensionality(&sort, name.place).into_iter().for_each(&mut push);
                    }
                }
            }
            DeclKind::Symbols { symbols, .. } => {
                for symbol in symbols {
                    if is_operator(&symbol.name.name) {
                        let item =
                            self.operator(scope, &symbol.name, &symbol.params, symbol.definition.as_ref());
                        item.into_iter().for_each(&mut push);
                        continue;
                    }
                    if let Some(default) = &symbol.default {
                        let note = "the value is another one where a program is given one";
                        self.report.ignore("= ..", default.span(), note);
                    }
                    let full = self.full(scope, &symbol.name);
                    let relation = self.symbols.get(&full.name).is_some_and(|it| is_bool(it.result.as_ref()));
                    match &symbol.definition {
                        Some(body) if relation => {
                            push(self.macro_item(scope, full, &symbol.params, body));
                        }
                        Some(_) => {}
                        None if self.is_expanded(&full.name) => {}
                        None => {
                            let count = self.scopes.params(scope).len() + symbol.params.len();
                            push(self.symbol_item(full, count, &symbol.params));
                        }
                    }
                    // What holds of all fields of a type is said with the first one.
                    let name = self.scopes.full(scope, &symbol.name.name);
                    let is_first = |of: &Vec<Field>| of.first().is_some_and(|it| it.function == name);
                    if let Some((sort, _)) = self.fields.iter().find(|(_, of)| is_first(of)) {
                        let place = symbol.name.place;
                        let sort = SortRef { name: SortName::Named(sort.clone()), place };
                        self.extensionality(&sort, place).into_iter().for_each(&mut push);
                    }
                }
            }
            DeclKind::Definition { name, params, body, .. } if is_operator(&name.name) => {
                self.operator(scope, name, params, Some(body)).into_iter().for_each(&mut push);
            }
            DeclKind::Choice(choice) => self.selection(scope, choice, place, items),
            // What it defines is any function.
            DeclKind::Native { of: Some(_), .. } => {}
            DeclKind::Native { text, .. } => {
                let note = "text in other languages tells how the program is compiled";
                self.report.ignore("<<<", text.place.0, note);
            }
            DeclKind::Unchecked { reason, label, formula, text, proof, .. }
                if flat.presence == Presence::Verified =>
            {
                if let (Unchecked::Tactic, Some(proof)) = (reason, proof) {
                    self.ignore_tactic(proof.place.0);
                }
                let items_of = self.unchecked(*reason, label.as_ref(), formula, text, scope);
                items.extend(items_of.into_iter().map(|kind| Item { kind, place }));
            }
            DeclKind::Unchecked { .. } => {}
            DeclKind::Definition { name, params, recursion: Some(_), .. } => {
                let resolved = self.scopes.resolve(scope, &name.name);
                let error = self.check_defined(name, params, &resolved, scope);
                error.into_iter().for_each(|error| self.report.push(error));
            }
            DeclKind::Definition { keyword, name, params, body, .. } => {
                let resolved = self.scopes.resolve(scope, &name.name);
                if **keyword == *"definition"
                    && let Some(error) = self.check_defined(name, params, &resolved, scope)
                {
                    return self.report.push(error);
                }
                if self.explicit_definitions.contains_key(&resolved.name) {
                    self.explicit_definition(resolved.name, (name, params, body), scope);
                } else if !self.functions.contains_key(&resolved.name) {
                    let name = Ident { name: resolved.name, place: name.place };
                    items.push(Item { kind: self.macro_item(scope, name, params, body), place });
                }
            }
            DeclKind::Formula { keyword, role: Role::Axiom, formula, .. }
                if keyword.starts_with(EXPLICIT)
                    && !self.cut.as_ref().is_some_and(|cut| cut.named.contains(&flat.at)) =>
            {
                self.explicit_axiom(flat, formula);
            }
            DeclKind::Formula { role, label, formula, with, .. } => {
                let is_assumed = flat.presence == Presence::Assumed;
                // Claims that help are assumed with all others, or not at all.
                self.check_named(scope, with.as_ref());
                let proof = self.proof_of(flat);
                let role = match role {
                    Role::Axiom => program::Role::Axiom,
                    // What others claim is assumed.
                    Role::Property if is_assumed && self.is_late(flat.at) => return,
                    Role::Property if is_assumed => program::Role::Axiom,
                    Role::Safety | Role::Invariant if is_assumed => {
                        if self.cut.is_none() {
                            self.trusted.push((scope, formula));
                        }
                        return;
                    }
                    // It is claimed where executions are.
                    Role::Explicit => return,
                    Role::Invariant | Role::Safety if self.unfolded.contains(&flat.at) => return,
                    Role::Goal if is_assumed => return,
                    Role::Goal => program::Role::Goal,
                    Role::Property => program::Role::Theorem,
                    Role::Init => return,
                    Role::Safety => program::Role::Safety,
                    Role::Invariant => {
                        let is_wanted = match self.wanted {
                            Wanted::Marked => label.as_ref().is_some_and(|label| is_marked(&label.name)),
                            Wanted::Unnamed => label.is_none(),
                            Wanted::All => true,
                        };
                        if is_wanted { program::Role::Safety } else { program::Role::Conjecture }
                    }
                };
                let name = label.as_ref().map(|label| self.full(scope, label));
                if let Some(proof) = proof.filter(|_| role != program::Role::Axiom) {
                    return self.proved(flat, formula, (role, name), &proof.steps, items);
                }
                let is_axiom = role == program::Role::Axiom;
                let (mut formula, _) = self.closed(formula, &Context::of(scope));
                if is_axiom {
                    self.keep_assumed(flat.decl.span(), self.assumed_by(&formula));
                }
                if role == program::Role::Theorem {
                    formula = self.after_lemmas(flat.at, formula);
                }
                push(ItemKind::Formula { role, name, formula, proof: None });
            }
            DeclKind::Scheme(scheme) => {
                let (formula, _) = self.closed(&scheme.formula, &Context::of(scope));
                self.keep_assumed(flat.decl.span(), self.assumed_by(&formula));
                push(ItemKind::Formula { role: program::Role::Axiom, name: None, formula, proof: None });
            }
            DeclKind::Theorem(theorem) => self.theorem(flat, theorem, items),
            DeclKind::Rule(rule) => self.check_rule(scope, rule),
            DeclKind::Interpret { name, meaning, text } => {
                self.interpret(scope, name, meaning, text.place.0, items);
            }
            DeclKind::Attribute { .. } => self.attribute(flat),
            DeclKind::Ignored { text, .. } => self.ignored(text),
            DeclKind::Broken(names) => push(ItemKind::Broken(names.clone())),
            _ => {}
        }
    }

    /// Reports names in a list of claims that nothing has.
    fn check_named(&mut self, scope: ScopeId, claims: Option<&Listed>) {
        for name in claims.iter().flat_map(|it| &it.names) {
            let full = self.scopes.resolve(scope, &name.name).name;
            if self.globals.contains(&full)
                || self.scopes.is_object(&full)
                || self.broken.contains(&name.name)
            {
                continue;
            }
            self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("no claim has the name `{}`", name.name),
                )
                .label("unknown name"),
            );
        }
    }

    /// Reports what is read and means nothing here.
    pub(super) fn ignored(&mut self, text: &Skipped) {
        let keyword = text.text.split(' ').next().unwrap_or_default();
        self.report.ignore(keyword, text.place.0, what_for(keyword));
    }

    /// Returns whether a symbol has a definition that is put in its place.
    pub(super) fn is_expanded(&self, full: &Arc<str>) -> bool {
        self.functions.contains_key(full) || self.defined.contains(full)
    }

    /// Returns what is wrong with the symbol that a definition is of, or with the parameters of the definition.
    pub(super) fn check_defined(
        &self,
        name: &Ident,
        params: &[SortedVar],
        resolved: &Resolved,
        scope: ScopeId,
    ) -> Option<Diagnostic> {
        let symbol = &name.name;
        if self.broken.contains(symbol) {
            return None;
        }
        let around = self.scopes.params(scope).len();
        let Some(known) = self.symbols.get(&resolved.name) else {
            let message = format!("`{symbol}` is not declared");
            return Some(
                Diagnostic::error(Code::Undeclared, name.span(), message)
                    .label("defined here")
                    .help(format!("declare it: `relation {symbol}(X:t)` or `function {symbol}(X:t) : u`")),
            );
        };
        if resolved.params < around {
            let message = format!("`{symbol}` is declared outside of the object with this definition");
            return Some(
                Diagnostic::error(Code::Arity, name.span(), message)
                    .label("has not the object's parameters")
                    .help("define it where it is declared"),
            );
        }
        if known.args.len() != around + params.len() {
            let (wanted, found) = (known.args.len().saturating_sub(around), params.len());
            let plural = if wanted == 1 { "" } else { "s" };
            return Some(
                Diagnostic::error(
                    Code::Arity,
                    name.span(),
                    format!("`{symbol}` takes {wanted} argument{plural}, but is defined for {found}"),
                )
                .label("not as it is declared")
                .help("write one variable for each argument of the declaration"),
            );
        }
        params.iter().zip(&known.args[around..]).find_map(|(param, wanted)| {
            let found = self.scopes.sort(scope, param.sort.as_ref()?);
            let message = format!("expected sort `{}`, found `{}`", spelled(wanted), spelled(&found));
            (found.name != wanted.name).then(|| {
                Diagnostic::error(Code::SortMismatch, param.name.span(), message)
                    .label(format!("an argument of `{symbol}`, which is declared with another sort"))
            })
        })
    }

    pub(super) fn is_defined(&self, full: &Arc<str>) -> bool {
        self.is_expanded(full) || self.explicit_definitions.contains_key(full)
    }

    pub(super) fn symbol_item(&mut self, name: Ident, count: usize, params: &[SortedVar]) -> ItemKind {
        let Some(Symbol { args, result, source }) = self.symbols.get(&name.name).cloned() else {
            return ItemKind::Broken(vec![name.name]);
        };
        if args.len() != count
            && let Some(param) = params.iter().find(|param| param.sort.is_none())
        {
            self.report.push(untyped(param));
            return ItemKind::Broken(vec![name.name]);
        }
        let result = result.filter(|sort| sort.name != SortName::Bool);
        let is_recursive = self.recursive.contains(&name.name);
        let form = match (&result, args.is_empty()) {
            (None, _) => SymbolForm::Relation,
            (Some(_), false) => SymbolForm::Function,
            (Some(_), true) => SymbolForm::Variable,
        };
        ItemKind::Symbol(program::SymbolDecl {
            form,
            names: vec![name],
            args,
            result,
            annotations: Vec::new(),
            source,
            is_chosen: false,
            is_recursive,
            unchecked: None,
        })
    }

    /// Returns the macro that a definition is. What is not given of the sorts of its parameters is what was declared.
    fn macro_item(&mut self, scope: ScopeId, name: Ident, own: &[SortedVar], body: &Expr) -> ItemKind {
        let outer = self.scopes.params(scope).len();
        let declared = self.symbols.get(&name.name).map(|symbol| symbol.args.clone()).unwrap_or_default();
        let typed = own.iter().enumerate().map(|(at, var)| {
            let sort = var.sort.as_ref().map(|sort| self.scopes.sort(scope, sort));
            SortedVar { name: var.name.clone(), sort: sort.or_else(|| declared.get(outer + at).cloned()) }
        });
        let typed: Vec<SortedVar> = typed.collect();
        let context = self.in_definition(scope, own);
        self.macro_of(context, name, &typed, body)
    }

    /// Returns the context of the value of a definition. A parameter has members (`X.f`) where its sort is given.
    pub(super) fn in_definition(&self, scope: ScopeId, own: &[SortedVar]) -> Context {
        let mut context = Context::of(scope);
        for SortedVar { name, sort } in own {
            context.locals.push((name.name.clone(), name.name.clone()));
            let sort = sort.as_ref().map(|sort| self.scopes.sort(scope, sort));
            context.bound.extend(sort.map(|sort| (name.name.clone(), sort)));
        }
        context
    }

    /// Returns a macro whose parameters have sorts of the flat program.
    pub(super) fn macro_of(
        &mut self,
        mut context: Context,
        name: Ident,
        own: &[SortedVar],
        body: &Expr,
    ) -> ItemKind {
        let mut params = self.scope_vars(body, &mut context);
        for (at, param) in params.iter().enumerate() {
            context.locals.push((parameter(at), param.name.name.clone()));
        }
        params.extend(own.iter().cloned());
        let body = self.value(body, &params, &context);
        ItemKind::Macro { name, params, body }
    }

    /// Checks the values of functions and their sorts, used or not. They are translated wherever the functions are used, and
    /// what has an error here is not translated again. Sorts are right in the library.
    pub(super) fn check_functions(&mut self) {
        let mut names: Vec<(Span, Arc<str>)> =
            self.functions.iter().map(|(name, it)| (it.place, name.clone())).collect();
        names.sort_unstable();
        for (_, name) in names {
            let Some(Function { scope, params, body, place }) = self.functions.get(&name).cloned() else {
                continue;
            };
            let errors = self.report.errors();
            self.check_distinct(params);
            let mut context = self.in_definition(scope, params);
            let declared = self.symbols.get(&name).map(|symbol| symbol.args.clone()).unwrap_or_default();
            let outer = self.scopes.params(scope).len();
            let own = params.iter().enumerate().map(|(at, param)| SortedVar {
                name: param.name.clone(),
                sort: match &param.sort {
                    Some(sort) => Some(self.scopes.sort(scope, sort)),
                    None => declared.get(outer + at).cloned(),
                },
            });
            let mut all: Vec<SortedVar> = own.collect();
            all.extend(self.scope_vars(body, &mut context));
            let value = self.value(body, &all, &context);
            if self.report.errors() > errors {
                self.faulty.insert(name);
                continue;
            }
            let result = self.symbols.get(&name).and_then(|symbol| symbol.result.clone());
            if self.cut.is_none() && !self.is_of_library(place) && !is_extracted(&value) {
                let span = body.span();
                let checked = command(CommandKind::Assume(typed(all, value, result, span)), span);
                self.unread.push(Item { kind: ItemKind::Unused(checked), place: body.place });
            }
        }
    }

    /// Reports parameters of a definition that have the same name: it would say nothing of different arguments.
    pub(super) fn check_distinct(&mut self, params: &[SortedVar]) {
        for (at, param) in params.iter().enumerate() {
            let name = &param.name;
            if let Some(first) = params[..at].iter().find(|other| other.name.name == name.name) {
                self.report.push(
                    Diagnostic::error(
                        Code::Duplicate,
                        name.span(),
                        format!("the variable `{}` is bound twice", name.name),
                    )
                    .label("bound again here")
                    .also(first.name.span(), "first bound here"),
                );
            }
        }
    }

    /// Returns the declarations of the symbols that keep what others were before an action, and of those that stand for
    /// parts of statements.
    pub(super) fn copies(&self) -> Vec<Item> {
        let mut copies = Vec::new();
        for Helper { name, symbol, is_chosen } in &self.helpers {
            copies.push(helper_item(name.clone(), symbol.clone(), *is_chosen));
        }
        for action in &self.order {
            for symbol in self.old.get(action).into_iter().flatten() {
                let name = copy_name(symbol, action);
                let Some(symbol) = self.symbols.get(&name).cloned() else { continue };
                let Some(info) = self.actions.get(action) else { continue };
                let place = info.declared.action.name.place;
                copies.push(helper_item(Ident { name, place }, symbol, false));
            }
        }
        copies
    }
}

/// Returns the declaration of a symbol that is no part of a state.
fn helper_item(name: Ident, Symbol { args, result, source }: Symbol, is_chosen: bool) -> Item {
    let place = name.place;
    let result = result.filter(|sort| sort.name != SortName::Bool);
    let form = match (&result, args.is_empty()) {
        (None, _) => SymbolForm::Relation,
        (Some(_), false) => SymbolForm::Function,
        (Some(_), true) => SymbolForm::Variable,
    };
    let mark = |name: &str| Annotation { name: name.into(), args: Vec::new(), place };
    let annotations = vec![mark("no_print"), mark("no_minimize")];
    let decl = program::SymbolDecl {
        form,
        names: vec![name],
        args,
        result,
        annotations,
        source,
        is_chosen,
        is_recursive: false,
        unchecked: None,
    };
    Item { kind: ItemKind::Symbol(decl), place }
}

/// Returns what is done without a declaration that is ignored, as a sentence.
fn what_for(keyword: &str) -> &'static str {
    match keyword {
        "extract" => "it tells what is compiled, and nothing of it is verified there",
        "schema" => "instances of quantifiers are found without it",
        "unprovable" => "it is neither shown nor assumed",
        "debug" => "it tells what an execution prints",
        _ => "it tells other tools what to do",
    }
}

/// Returns the error about a parameter without a type.
pub(super) fn untyped(param: &SortedVar) -> Diagnostic {
    let Ident { name, .. } = &param.name;
    Diagnostic::error(Code::SortUnknown, param.name.span(), format!("the type of `{name}` is not given"))
        .label("expected `:` and the type")
        .help(format!("write `{name}:t`"))
}

/// Creates a name at the position of another.
pub(super) fn renamed(name: Arc<str>, at: Span) -> Ident {
    Ident { name, place: Place(at) }
}

/// Returns whether a value is bits of a number, which are of any type.
fn is_extracted(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Ref { name, .. } if is_extraction(&name.name))
}

/// Returns a formula whose sorts are right if a value with these variables is of this sort.
fn typed(mut vars: Vec<SortedVar>, value: Expr, sort: Option<SortRef>, span: Span) -> Expr {
    let mut body = value;
    if !is_bool(sort.as_ref()) {
        // No variable of the program has such a name.
        let name = renamed("@value".into(), span);
        let left = reference(name.name.clone(), Vec::new(), span);
        vars.push(SortedVar { name, sort });
        let (op, op_place) = (BinaryOp::Equal, Place(span));
        body = Expr::new(ExprKind::Binary { op, op_place, sides: Box::new([left, body]) }, span);
    }
    match vars.is_empty() {
        true => body,
        false => Expr::new(ExprKind::Quantifier { universal: true, vars, body: Box::new(body) }, span),
    }
}
