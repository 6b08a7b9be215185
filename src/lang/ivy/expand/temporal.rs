//! Claims that are not checked: temporal properties, which are about executions without end, and those with proofs by tactics that
//! are not read. Their names and types are checked. What they claim is a symbol of which nothing is known, so that it is never
//! shown.

use std::sync::Arc;

use super::commands::command;
use super::declarations::renamed;
use super::exprs::reference;
use super::formulas::Context;
use super::scopes::ScopeId;
use super::state::Expander;
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, Proof, Skipped};
use crate::program::ast::{Annotation, Command, CommandKind, Item, ItemKind, Role, SymbolDecl, SymbolForm};
use ramsey_core::base::span::Span;
use ramsey_core::logic::Unchecked;

/// Returns a formula without its temporal operators.
fn plain(formula: &Expr) -> Expr {
    if let ExprKind::Ref { name, args: Some(args), .. } = &formula.kind
        && matches!(&*name.name, "globally" | "eventually")
        && let [inner] = args.as_slice()
    {
        return plain(inner);
    }
    Expr::new(formula.map_children(plain), formula.span())
}

impl Expander<'_, '_> {
    /// Returns what such a claim means: one that is not shown, and that nothing assumes.
    pub(super) fn unchecked(
        &mut self,
        reason: Unchecked,
        label: Option<&Ident>,
        formula: &Expr,
        text: &Skipped,
        scope: ScopeId,
    ) -> Vec<ItemKind> {
        let span = formula.span();
        let (checked, _) = self.closed(&plain(formula), &Context::of(scope));
        let checked = ItemKind::Unused(command(CommandKind::Assume(checked), span));
        let name = label.map(|label| self.full(scope, label));
        let [symbol, claim] = self.unknown_claim(reason, name, &text.text, span);
        vec![symbol, checked, claim]
    }

    /// Returns a claim under this name of a symbol of which nothing is known, with the symbol.
    pub(super) fn unknown_claim(
        &mut self,
        reason: Unchecked,
        name: Option<Ident>,
        text: &str,
        span: Span,
    ) -> [ItemKind; 2] {
        let mut unique: Arc<str> = text.into();
        while self.globals.contains(&unique) {
            unique = format!("{unique} ").into();
        }
        self.globals.insert(unique.clone());
        let claim = reference(unique.clone(), Vec::new(), span);
        let annotation = Annotation { name: "no_print".into(), args: Vec::new(), place: Place(span) };
        let symbol = SymbolDecl {
            form: SymbolForm::Relation,
            names: vec![renamed(unique, span)],
            args: Vec::new(),
            result: None,
            annotations: vec![annotation],
            source: None,
            is_chosen: false,
            is_recursive: false,
            unchecked: Some(reason),
        };
        let theorem = ItemKind::Formula { role: Role::Theorem, name, formula: claim, proof: None };
        [ItemKind::Symbol(symbol), theorem]
    }

    /// Reports a proof by a tactic that is not read.
    pub(super) fn ignore_tactic(&mut self, span: Span) {
        let note = "its tactic is not read: the claim is neither checked nor assumed";
        self.report.ignore("proof", span, note);
    }

    /// Adds an assertion whose proof is by a tactic that is not read: its names and types are checked, and nothing assumes it. Where
    /// it would be shown, it is a claim that is not checked, once for all executions of the statement.
    pub(super) fn unchecked_assertion(
        &mut self,
        proof: &Proof,
        whole: Expr,
        span: Span,
        is_shown: bool,
        out: &mut Vec<Command>,
    ) {
        let any = Expr::new(ExprKind::Or(vec![Expr::new(ExprKind::Bool(true), span), whole]), span);
        out.push(command(CommandKind::Assume(any), span));
        if is_shown && self.probe.is_none() && !self.unread.iter().any(|item| item.place.0 == span) {
            self.ignore_tactic(proof.span());
            let items = self.unknown_claim(Unchecked::Tactic, None, &proof.claim, span);
            self.unread.extend(items.map(|kind| Item { kind, place: Place(span) }));
        }
    }
}
