//! What an isolate knows of the parts of the program that it does not see or does not verify.

use std::sync::Arc;

use super::commands::command;
use super::declarations::{renamed, untyped};
use super::exprs::{binary, reference, variables};
use super::flat::Flat;
use super::formulas::Context;
use super::isolates::{Assumption, FIRST_WITH_THIS, Isolate, Presence, THIS};
use super::operators::is_operator;
use super::state::{ActionInfo, Expander, Part};
use crate::ivy::ast::{Bound, DeclKind, Expr, Interpretation, Place, Stmt};
use crate::program::ast::{BinaryOp, Command, CommandKind, Item, ItemKind};
use crate::shared::report::suggest;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// A point of an execution at which the invariants of other isolates may hold.
#[derive(Clone, Copy)]
pub(super) enum Moment<'m> {
    /// An exported action begins.
    Start,
    /// An exported action ends.
    End,
    /// This action has been called, and is over.
    After(&'m Arc<str>),
}

impl<'a> Expander<'a, '_> {
    /// Returns whether a symbol has a definition that is not seen, or that proofs alone know.
    pub(super) fn is_hidden(&self, symbol: &Arc<str>) -> bool {
        self.explicit_definitions.contains_key(symbol)
            || self.cut.as_ref().is_some_and(|cut| cut.hidden.contains(symbol))
    }

    /// Adds what a declaration means where it is absent: its types and symbols, of which nothing is known.
    pub(super) fn items_of_absent(&mut self, flat: Flat<'a>, items: &mut Vec<Item>) {
        let (scope, place) = (flat.scope, flat.decl.place);
        match &flat.decl.kind {
            DeclKind::Type { .. } => self.items(Flat { presence: Presence::Assumed, ..flat }, items),
            // An abbreviation is everybody's.
            DeclKind::Definition { keyword, .. } if **keyword == *"macro" => {
                self.items(Flat { presence: Presence::Assumed, ..flat }, items);
            }
            // Whether its definition is seen or not, `derived` declares a relation.
            DeclKind::Definition { keyword, name, params, .. }
                if **keyword == *"derived" && !is_operator(&name.name) =>
            {
                match params.iter().find(|param| param.sort.is_none()) {
                    Some(param) => self.report.push(untyped(param)),
                    None => {
                        let count = self.scopes.params(scope).len() + params.len();
                        let full = self.full(scope, name);
                        items.push(Item { kind: self.symbol_item(full, count, params), place });
                    }
                }
            }
            DeclKind::Symbols { symbols, .. } => {
                // Whether its definition is seen or not, a symbol is one.
                if symbols.iter().all(|it| it.definition.is_none()) {
                    return self.items(Flat { presence: Presence::Assumed, ..flat }, items);
                }
                for symbol in symbols.iter().filter(|it| !is_operator(&it.name.name)) {
                    let count = self.scopes.params(scope).len() + symbol.params.len();
                    let full = self.full(scope, &symbol.name);
                    let kind = self.symbol_item(full, count, &symbol.params);
                    items.push(Item { kind, place });
                }
            }
            DeclKind::Choice(choice) if *choice.keyword != *"definition" => {
                let full = self.full(scope, &choice.name);
                let kind = self.symbol_item(full, choice.params.len(), &choice.params);
                items.push(Item { kind, place });
            }
            DeclKind::Interpret { meaning: Interpretation::Enumerated(values), .. } => {
                for value in values {
                    let kind = self.symbol_item(self.full(scope, value), 0, &[]);
                    items.push(Item { kind, place: value.place });
                }
            }
            DeclKind::Interpret { meaning: Interpretation::Range(low, high), .. } => {
                for bound in [low, high] {
                    let Bound::Name(name) = bound else { continue };
                    let full = self.full(scope, name);
                    if self.bounds.insert(full.name.clone()) {
                        let kind = self.symbol_item(full, 0, &[]);
                        items.push(Item { kind, place: name.place });
                    }
                }
            }
            _ => {}
        }
    }

    /// Assumes the invariants of other isolates that hold at a moment of the transition that is being made.
    pub(super) fn assume_others(&mut self, moment: Moment<'_>, span: Span, out: &mut Vec<Command>) {
        if matches!(moment, Moment::Start) {
            for at in self.lemmas().into_iter().chain(self.unfolded.clone()) {
                self.assume_claim(at, span, out);
            }
        }
        let (Some(cut), Some(transition)) = (&self.cut, &self.transition) else { return };
        let holds = |it: &&Assumption| {
            !it.called_inside.contains(transition)
                && match moment {
                    Moment::Start => true,
                    Moment::End => it.is_first,
                    // None of the actions around the call may be one in whose middle the invariant need not hold.
                    // Of actions that the environment calls here as well, it is what holds at the end of them.
                    Moment::After(called) => {
                        it.kept_by.contains(called)
                            && (it.is_first || !cut.exports.contains(called))
                            && !self.calling.iter().any(|call| it.seen.contains(&call.action))
                    }
                }
        };
        let positions: Vec<usize> = cut.assumptions.iter().filter(holds).map(|it| it.at).collect();
        for at in positions {
            self.assume_claim(at, span, out);
        }
    }

    fn claim(&mut self, at: usize) -> Option<Expr> {
        let &(scope, formula) = self.claims.get(&at)?;
        Some(self.of_state(|it| it.closed(formula, &Context::of(scope)).0))
    }

    fn assume_claim(&mut self, at: usize, span: Span, out: &mut Vec<Command>) {
        if let Some(formula) = self.claim(at) {
            out.push(command(CommandKind::Assume(formula), span));
        }
    }

    /// Returns whether a property of another isolate may depend on one that is shown here.
    pub(super) fn is_late(&self, at: usize) -> bool {
        self.cut.as_ref().is_some_and(|cut| cut.late.contains(&at))
    }

    /// Returns the positions of the properties that are assumed of all states, and by properties that are shown later, since
    /// these may need them: those of other isolates that may depend on what is shown here, and those with proofs by more than the
    /// axioms.
    fn lemmas(&self) -> Vec<usize> {
        let late = self.cut.iter().flat_map(|cut| &cut.late).copied();
        late.chain(self.lemmas.iter().map(|&(at, _)| at)).collect()
    }

    /// Returns that a property at a position holds if those do that come before it and that it may need.
    pub(super) fn after_lemmas(&mut self, at: usize, formula: Expr) -> Expr {
        let before = self.lemmas().into_iter().filter(|&lemma| self.turns.before(lemma, at));
        let before: Vec<usize> = before.collect();
        let premises: Vec<Expr> = before.into_iter().filter_map(|at| self.claim(at)).collect();
        let span = formula.span();
        premises
            .into_iter()
            .rev()
            .fold(formula, |formula, premise| binary(BinaryOp::Implies, &premise, &formula, span))
    }

    /// Assumes of the initial states what is assumed where transitions begin whatever was executed before.
    pub(super) fn assume_lemmas(&mut self, items: &mut Vec<Item>) {
        for at in self.lemmas() {
            if let Some(formula) = self.claim(at) {
                let place = Place(formula.span());
                let kind = ItemKind::Command(command(CommandKind::Assume(formula), place.0));
                items.push(Item { kind, place });
            }
        }
    }

    /// Adds what statements may do that the isolate does not see: they change nothing that it mentions, but where they call
    /// it back, and then its invariants have to hold. Parameters and results that they assign have any values.
    pub(super) fn absent(
        &mut self,
        part: Part<'a>,
        stmts: &'a [Stmt],
        info: &ActionInfo<'a>,
        (params, results): (&[Arc<str>], &[Arc<str>]),
        out: &mut Vec<Command>,
    ) {
        let span = part.action.name.span();
        let declared = info.declared.action;
        let own = self.names_in(part, &self.formals(info.declared));
        let changed = self.assigned(stmts, &Context::of(part.scope));
        let returns = if part.action.returns.is_empty() { &declared.returns } else { &part.action.returns };
        let names = own.iter().zip(params);
        let is_body = info.implemented.is_some_and(|body| body.at == part.at);
        for (var, name) in names.chain(returns.iter().zip(results)) {
            let is_result = results.contains(name);
            if changed.contains(&var.name.name) || is_body && is_result {
                out.push(command(CommandKind::Havoc(renamed(name.clone(), span)), span));
            }
        }
        let Some(cut) = &self.cut else { return };
        let Some(symbols) = cut.called_back.get(&part.at).cloned() else { return };
        let shown = cut.shown.clone();
        self.called_back.get_or_insert(span);
        for &at in &shown {
            if let Some(formula) = self.claim(at) {
                out.push(command(CommandKind::Assert { formula, proof: None }, span));
            }
        }
        for symbol in symbols {
            self.forget(&symbol, span, out);
        }
        for &at in &shown {
            self.assume_claim(at, span, out);
        }
    }

    /// Gives a symbol any value.
    pub(super) fn forget(&mut self, name: &Arc<str>, span: Span, out: &mut Vec<Command>) {
        let Some(symbol) = self.symbols.get(name).cloned() else { return };
        let target = renamed(name.clone(), span);
        if symbol.args.is_empty() {
            return out.push(command(CommandKind::Havoc(target), span));
        }
        let vars = variables(symbol.args.len(), span);
        let any = self.helper(&target, symbol, true);
        let value = reference(any, vars.clone(), span);
        out.push(command(CommandKind::Assign { target, args: Some(vars), value }, span));
    }

    /// Reports names in the lists of isolates that nothing has.
    pub(super) fn check_isolates(&mut self, isolates: &[Isolate<'a>]) {
        for (at, isolate) in isolates.iter().enumerate() {
            let same = isolates[..at].iter().find(|it| it.name == isolate.name);
            let is_this = &*isolate.name == THIS && self.version.minor >= FIRST_WITH_THIS;
            if same.is_some() || is_this {
                let error = Diagnostic::error(
                    Code::Duplicate,
                    isolate.span,
                    format!("there is another isolate `{}`", isolate.name),
                );
                self.report.push(match same {
                    Some(same) => error.label("declared again here").also(same.span, "first declared here"),
                    None => error.label("this name is that of all that no other isolate verifies"),
                });
            }
            let seen = isolate.seen;
            for name in seen.verified.iter().chain(seen.with) {
                let full = self.scopes.resolve(seen.scope, &name.name).name;
                let is_known = full.is_empty()
                    || self.globals.contains(&full)
                    || self.sorts.contains(&full)
                    || self.scopes.is_object(&full);
                if is_known || self.broken.contains(&name.name) {
                    continue;
                }
                let error = Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("`{}` is neither an object nor a declaration", name.name),
                )
                .label("unknown name");
                let known = self.globals.iter().map(|it| &**it).chain(self.scopes.objects());
                self.report.push(match suggest(&name.name, known) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help("isolates list objects, actions, types, definitions and claims"),
                });
            }
        }
    }
}
