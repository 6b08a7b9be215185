//! R047: arguments of definitions that mypyvy evaluates in another state.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::fol::ast::{Expr, ExprKind};
use ramsey_lang::pyv::ast::{self, DeclKind, DefinitionDecl, Mutability};

pub(super) fn by_name(program: &ast::Program, found: &mut Vec<Diagnostic>) {
    let mut model = Model::default();
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Symbol(symbol) if symbol.mutability != Mutability::Immutable => {
                model.mutable.insert(&symbol.name.name);
            }
            DeclKind::Definition(definition) => {
                model.definitions.insert(&definition.name.name, definition);
            }
            _ => {}
        }
    }
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Symbol(ast::SymbolDecl { axiom: Some(formula), .. })
            | DeclKind::Formula { formula, .. }
            | DeclKind::Theorem { formula, .. } => model.calls(formula, found),
            DeclKind::Definition(definition) => model.calls(&definition.body, found),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Model<'a> {
    mutable: Set<&'a str>,
    definitions: Map<&'a str, &'a DefinitionDecl>,
}

impl Model<'_> {
    fn calls(&self, expr: &Expr, found: &mut Vec<Diagnostic>) {
        if let ExprKind::Ref { name, args: Some(args), .. } = &expr.kind
            && let Some(definition) = self.definitions.get(&*name.name)
        {
            for (arg, param) in args.iter().zip(&definition.params) {
                let Some(place) = in_new(&definition.body, &param.name.name, false) else { continue };
                if !self.depends_on_state(arg) {
                    continue;
                }
                found.push(
                    Diagnostic::warning(
                        Code::ByName,
                        arg.span(),
                        format!(
                            "mypyvy reads this argument of `{}` in another state: it puts it inside of `new(..)`",
                            name.name
                        ),
                    )
                    .label("its value here is passed, read in the state of the call")
                    .also(place.span(), format!("`{}` is used inside of `new(..)` here", param.name.name))
                    .help(format!(
                        "where both tools are used, name the value first: `exists V. V = .. & {}(V)`",
                        name.name
                    )),
                );
            }
        }
        expr.for_each_child(|child| self.calls(child, found));
    }

    fn depends_on_state(&self, expr: &Expr) -> bool {
        let here = match &expr.kind {
            ExprKind::Ref { name, .. } => {
                self.mutable.contains(&*name.name) || self.definitions.contains_key(&*name.name)
            }
            ExprKind::Safety { .. } | ExprKind::New(_) => true,
            _ => false,
        };
        let mut any = here;
        expr.for_each_child(|child| any |= self.depends_on_state(child));
        any
    }
}

/// Returns the occurrence of `name` inside `new(..)`, if there is one.
fn in_new<'a>(expr: &'a Expr, name: &str, inside: bool) -> Option<&'a Expr> {
    match &expr.kind {
        ExprKind::Ref { name: known, args: None, .. } if inside && *known.name == *name => Some(expr),
        ExprKind::New(inner) => in_new(inner, name, true),
        _ => {
            let mut found = None;
            expr.for_each_child(|child| found = found.or_else(|| in_new(child, name, inside)));
            found
        }
    }
}
