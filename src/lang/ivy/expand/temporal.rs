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
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, Skipped};
use crate::program::ast::{Annotation, CommandKind, ItemKind, Role, SymbolDecl, SymbolForm};
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
        let mut name: Arc<str> = text.text.clone();
        while self.globals.contains(&name) {
            name = format!("{name} ").into();
        }
        self.globals.insert(name.clone());
        let claim = reference(name.clone(), Vec::new(), span);
        let annotation = Annotation { name: "no_print".into(), args: Vec::new(), place: Place(span) };
        let symbol = SymbolDecl {
            form: SymbolForm::Relation,
            names: vec![renamed(name, span)],
            args: Vec::new(),
            result: None,
            annotations: vec![annotation],
            source: None,
            is_chosen: false,
            unchecked: Some(reason),
        };
        let name = label.map(|label| self.full(scope, label));
        let theorem = ItemKind::Formula { role: Role::Theorem, name, formula: claim, proof: None };
        vec![ItemKind::Symbol(symbol), checked, theorem]
    }
}
