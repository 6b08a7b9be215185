//! R048: transitions that are used as formulas, without what their `modifies` lists say of the other symbols.

use super::formulas::is_transition;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::fol::ast::{Expr, ExprKind, Ident};
use ramsey_lang::pyv::ast::{self, DeclKind, DefinitionDecl, Mutability};

/// Checks the formulas of a `.pyv` file. In a transition, its own list frames what it does not change, so only symbols in that
/// list matter.
pub(super) fn missing(program: &ast::Program, found: &mut Vec<Diagnostic>) {
    let mut model = Model { mutable: Vec::new(), transitions: Map::default() };
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Symbol(symbol) if symbol.mutability == Mutability::Mutable => {
                model.mutable.push(&symbol.name);
            }
            DeclKind::Definition(definition) if is_transition(definition) => {
                model.transitions.insert(&definition.name.name, definition);
            }
            _ => {}
        }
    }
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Theorem { formula, .. } => model.uses(formula, None, found),
            DeclKind::Definition(definition) => {
                let changed = is_transition(definition).then(|| changed(definition));
                model.uses(&definition.body, changed.as_ref(), found);
            }
            _ => {}
        }
    }
}

/// Returns the symbols that a transition may change.
fn changed(transition: &DefinitionDecl) -> Set<&str> {
    transition.modifies.iter().flatten().map(|name| &*name.name).collect()
}

struct Model<'a> {
    mutable: Vec<&'a Ident>,
    transitions: Map<&'a str, &'a DefinitionDecl>,
}

impl Model<'_> {
    /// Reports transitions in a formula. `may_change` has the symbols that are not framed around it; `None` for all.
    fn uses(&self, expr: &Expr, may_change: Option<&Set<&str>>, found: &mut Vec<Diagnostic>) {
        if let ExprKind::Ref { name, .. } = &expr.kind
            && let Some(transition) = self.transitions.get(&*name.name)
        {
            let kept = changed(transition);
            let is_open = |symbol: &&&Ident| {
                !kept.contains(&*symbol.name)
                    && may_change.is_none_or(|changed| changed.contains(&*symbol.name))
            };
            let open: Vec<String> =
                self.mutable.iter().filter(is_open).map(|symbol| format!("`{}`", symbol.name)).collect();
            if let Some(first) = open.first() {
                let rest = match open.len() {
                    1 => " stays as it is".to_owned(),
                    count => format!(" and {} more stay as they are", count - 1),
                };
                found.push(
                    Diagnostic::warning(
                        Code::Frameless,
                        name.span(),
                        format!("`{}` as a formula does not say that {first}{rest}", name.name),
                    )
                    .label("the formula of the transition alone")
                    .also(
                        transition.name.span(),
                        "its list is about steps by this transition, and no part of the formula",
                    )
                    .help("say what stays as it is, or ask about steps by a trace: `sat trace { .. }`"),
                );
            }
        }
        expr.for_each_child(|child| self.uses(child, may_change, found));
    }
}
