//! The names declared by a file.

use super::ast::{self, Decl, DeclKind, DefinitionKind, Mutability};
use super::hints;
use crate::fol::ast::Ident;
use crate::fol::names::{Global, Globals, NewSymbol, Terminology, Unit, UnitKind};
use crate::shared::report::Report;
use ramsey_core::logic::SymbolKind;

/// Terminology for messages.
const TERMINOLOGY: Terminology = Terminology {
    sort: "sort",
    constant: "a constant",
    transition: "transition",
    local: "a parameter",
    foreign: hints::name,
};

/// Collects all declarations.
pub(super) fn collect<'a>(program: &'a ast::Program, report: &mut Report) -> Globals<'a> {
    let mut globals = Globals::new(TERMINOLOGY);
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Sort { name, annotations } => globals.add_sort(name, annotations, report),
            DeclKind::Broken(names) => globals.broken.extend(names.iter().cloned()),
            _ => {}
        }
    }
    for decl in &program.decls {
        if !report.spend(1) {
            break;
        }
        if let DeclKind::Symbol(symbol) = &decl.kind {
            let kind = match symbol.mutability {
                Mutability::Immutable => SymbolKind::Immutable,
                Mutability::Mutable => SymbolKind::Mutable,
                Mutability::Derived => SymbolKind::Derived,
            };
            let symbol = NewSymbol {
                name: &symbol.name,
                noun: symbol.form.keyword(),
                source: None,
                unchecked: None,
                is_recursive: false,
                kind,
                args: &symbol.args,
                result: symbol.result.as_ref(),
                annotations: &symbol.annotations,
            };
            globals.add_symbol(&symbol, report);
        }
    }
    for decl in &program.decls {
        if !report.spend(1) {
            break;
        }
        if let Some(unit) = unit(&globals, decl) {
            globals.add_unit(unit, report);
        }
    }
    globals
}

/// Returns the unit of a declaration, if it contains a formula.
fn unit<'a>(globals: &Globals<'a>, decl: &'a Decl) -> Option<Unit<'a>> {
    let (states, what) = decl.kind.states();
    let plain = |kind, name: &'a Option<Ident>, formula| Unit {
        kind,
        what,
        states,
        name: name.as_ref(),
        params: &[],
        modifies: None,
        formula,
        span: decl.span(),
    };
    let unit = match &decl.kind {
        DeclKind::Formula { role, name, formula, .. } => plain(UnitKind::Formula(*role), name, formula),
        DeclKind::Theorem { name, formula, .. } => plain(UnitKind::Theorem, name, formula),
        DeclKind::Definition(definition) => Unit {
            kind: match definition.kind {
                DefinitionKind::Transition => UnitKind::Transition,
                DefinitionKind::Definition(_) => UnitKind::Definition,
            },
            what,
            states,
            name: Some(&definition.name),
            params: &definition.params,
            modifies: definition.modifies.as_deref(),
            formula: &definition.body,
            span: decl.span(),
        },
        DeclKind::Symbol(ast::SymbolDecl { axiom: Some(formula), name, .. }) => {
            let (Global::Symbol(sym), _) = globals.get(&name.name)? else { return None };
            let mut unit = plain(UnitKind::Derived(sym), &None, formula);
            unit.name = Some(name);
            unit
        }
        _ => return None,
    };
    Some(unit)
}
