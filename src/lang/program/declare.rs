//! The names declared by a program, in the form required to check formulas.

use std::sync::Arc;

use super::actions::Parts;
use super::ast::{self, Item, ItemKind, Role};
use crate::fol::ast as formula;
use crate::fol::names::{Global, Globals, NewSymbol, Terminology, Unit, UnitKind};
use crate::shared::report::Report;
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::SymbolKind;

/// The declarations of a program.
pub(super) struct Declarations<'a> {
    items: &'a [Item],
    parts: &'a Parts<'a>,
    /// The names that commands assign to.
    assigned: Set<Arc<str>>,
    /// The formula in place of an action's, which is derived from its commands.
    truth: formula::Expr,
}

impl<'a> Declarations<'a> {
    /// Collects the names that commands assign to.
    pub(super) fn new(items: &'a [Item], parts: &'a Parts<'a>) -> Declarations<'a> {
        // Never shown, because the formula has no errors.
        let nowhere = Span { file: FileId::new(0), start: 0, end: 0 };
        let truth = formula::Expr::new(formula::ExprKind::Bool(true), nowhere);
        Declarations { items, parts, assigned: ast::assigned(items), truth }
    }

    /// Collects all names. Units are ordered: macros, axioms, claims and theorems in source order, then the actions.
    pub(super) fn collect(&'a self, terminology: Terminology, report: &mut Report) -> Globals<'a> {
        let mut globals = Globals::new(terminology);
        for item in self.items {
            match &item.kind {
                ItemKind::Sort { name, annotations } => globals.add_sort(name, annotations, report),
                ItemKind::Broken(names) => globals.broken.extend(names.iter().cloned()),
                _ => {}
            }
        }
        for item in self.items {
            if let ItemKind::Symbol(symbol) = &item.kind {
                self.symbols(symbol, &mut globals, report);
            }
        }
        let plain = |kind, what, states, name, params, formula, item: &Item| Unit {
            kind,
            what,
            states,
            name,
            params,
            modifies: None,
            formula,
            span: item.span(),
        };
        for item in self.items {
            let unit = match &item.kind {
                ItemKind::Macro { name, params, body } => {
                    plain(UnitKind::Definition, "a macro", 1, Some(name), params, body, item)
                }
                ItemKind::Formula { role, name, formula, .. } => {
                    let kind = match role {
                        Role::Axiom => UnitKind::Formula(formula::Role::Axiom),
                        Role::Conjecture => UnitKind::Formula(formula::Role::Invariant),
                        Role::Safety => UnitKind::Formula(formula::Role::Safety),
                        Role::Goal => UnitKind::Formula(formula::Role::Goal),
                        Role::Theorem => UnitKind::Theorem,
                        Role::Instance(parts) => UnitKind::Instance(*parts),
                    };
                    let what = match kind {
                        UnitKind::Formula(role) => role.what(),
                        _ => "a theorem",
                    };
                    plain(kind, what, 1, name.as_ref(), &[], formula, item)
                }
                _ => continue,
            };
            globals.add_unit(unit, report);
        }
        for action in &self.parts.actions {
            let id = globals.units.push(Unit {
                kind: UnitKind::Transition,
                what: "an action",
                states: 2,
                name: Some(&action.name),
                params: action.params,
                modifies: None,
                formula: &self.truth,
                span: action.span,
            });
            // A generated name does not conflict with declared names.
            if action.is_named || globals.get(&action.name.name).is_none() {
                globals.add_name(&action.name, Global::Unit(id), report);
            }
        }
        globals
    }

    fn symbols(&self, decl: &ast::SymbolDecl, globals: &mut Globals<'a>, report: &mut Report) {
        for name in &decl.names {
            let is_assigned = self.assigned.contains(&name.name);
            let symbol = NewSymbol {
                name,
                noun: match decl.form {
                    ast::SymbolForm::Relation => "relation",
                    ast::SymbolForm::Function => "function",
                    ast::SymbolForm::Variable => "constant",
                },
                unchecked: decl.unchecked,
                is_recursive: decl.is_recursive,
                source: decl.source.as_ref(),
                kind: match (decl.is_chosen, is_assigned) {
                    (true, _) => SymbolKind::Choice,
                    (_, true) => SymbolKind::Mutable,
                    (_, false) => SymbolKind::Immutable,
                },
                args: &decl.args,
                result: decl.result.as_ref(),
                annotations: &decl.annotations,
            };
            globals.add_symbol(&symbol, report);
        }
    }
}
