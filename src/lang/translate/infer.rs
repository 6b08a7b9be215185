//! Sorts of variables and terms, as far as the names around them tell. The model has been checked, so what is found
//! first is right.

use super::exprs::{Name, plain, reference};
use super::table::Table;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, SortName, SortRef, SortedVar};
use ramsey_core::base::hash::Map;

/// Variables in scope with their sorts, as far as known.
#[derive(Clone, Default)]
pub(super) struct Scope {
    sorts: Map<Name, Option<SortName>>,
}

impl Scope {
    /// Brings variables into scope. Unknown sorts are looked for in `body`.
    pub(super) fn bind(&mut self, table: &Table, vars: &[SortedVar], body: &[&Expr]) {
        for var in vars {
            self.sorts.insert(var.name.name.clone(), var.sort.as_ref().map(|sort| sort.name.clone()));
        }
        // One variable may tell the sort of another.
        for _ in vars {
            for var in vars {
                if self.sorts.get(&var.name.name).is_some_and(Option::is_none) {
                    let found = body.iter().find_map(|body| self.search(table, &var.name.name, body));
                    self.sorts.insert(var.name.name.clone(), found);
                }
            }
        }
    }

    /// Brings a variable of this sort into scope.
    pub(super) fn insert(&mut self, name: &Name, sort: Option<SortName>) {
        self.sorts.insert(name.clone(), sort);
    }

    /// Brings declared variables into scope.
    pub(super) fn declare(&mut self, vars: &[SortedVar]) {
        for var in with_following_sorts(vars) {
            self.insert(&var.name.name, var.sort.map(|sort| sort.name));
        }
    }

    /// Returns the sort of a variable.
    pub(super) fn of(&self, name: &Name) -> Option<SortName> {
        self.sorts.get(name).cloned().flatten()
    }

    /// Returns the sort of an expression.
    pub(super) fn sort_of(&self, table: &Table, expr: &Expr) -> Option<SortName> {
        match &expr.kind {
            ExprKind::Ref { name, .. } => {
                if let Some(sort) = self.sorts.get(&name.name) {
                    return sort.clone();
                }
                if let Some((_, sort)) = name.name.split_once(':') {
                    return Some(SortName::Named(sort.into()));
                }
                let symbol = table.symbols.get(&name.name)?;
                Some(symbol.result.as_ref().map_or(SortName::Bool, |sort| sort.name.clone()))
            }
            ExprKind::Ite(parts) => self.sort_of(table, &parts[1]).or_else(|| self.sort_of(table, &parts[2])),
            ExprKind::Let { parts, .. } => self.sort_of(table, &parts[1]),
            ExprKind::New(inner) => self.sort_of(table, inner),
            ExprKind::Int(_) => None,
            _ => Some(SortName::Bool),
        }
    }

    /// Looks for the sort of a variable where it is an argument, or equal to something.
    fn search(&self, table: &Table, name: &Name, expr: &Expr) -> Option<SortName> {
        let is_var = |expr: &Expr| plain(expr) == Some(name);
        let mut found = None;
        match &expr.kind {
            ExprKind::Ref { .. } => {
                let (symbol, _, args) = reference(expr)?;
                let at = args.iter().position(is_var);
                if let Some(at) = at {
                    let sorts = table.symbols.get(&symbol.name).and_then(|it| it.args.get(at));
                    let params = || {
                        let definition = table.definitions.get(&symbol.name)?;
                        let param = definition.params.get(at)?;
                        definition.params[at..].iter().find_map(|param| param.sort.as_ref()).map_or_else(
                            || {
                                let mut scope = Scope::default();
                                scope.bind(table, &definition.params, &[&definition.body]);
                                scope.of(&param.name.name)
                            },
                            |sort| Some(sort.name.clone()),
                        )
                    };
                    found = sorts.map(|sort| sort.name.clone()).or_else(params);
                }
            }
            ExprKind::Binary { op, sides, .. } if !matches!(op, BinaryOp::Iff | BinaryOp::Implies) => {
                for (one, other) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
                    if is_var(one) {
                        found = found.or_else(|| self.sort_of(table, other));
                    }
                }
            }
            ExprKind::Distinct(items) if items.iter().any(is_var) => {
                found = items.iter().find_map(|item| self.sort_of(table, item));
            }
            ExprKind::Quantifier { vars, .. } if vars.iter().any(|var| var.name.name == *name) => {
                return None;
            }
            _ => {}
        }
        expr.for_each_child(|child| found = found.take().or_else(|| self.search(table, name, child)));
        found
    }
}

/// Returns declared variables with the sorts that are left to those after them.
pub(super) fn with_following_sorts(vars: &[SortedVar]) -> Vec<SortedVar> {
    let sort_of = |at: usize| vars[at..].iter().find_map(|var| var.sort.clone());
    vars.iter().enumerate().map(|(at, var)| SortedVar { name: var.name.clone(), sort: sort_of(at) }).collect()
}

/// Returns the variables with the sorts that their uses tell.
pub(super) fn with_sorts(table: &Table, vars: &[SortedVar], body: &Expr) -> Vec<SortedVar> {
    let mut scope = Scope::default();
    scope.bind(table, vars, &[body]);
    vars.iter()
        .map(|var| {
            let found = scope.of(&var.name.name).map(|name| SortRef { name, place: var.name.place });
            SortedVar { name: var.name.clone(), sort: var.sort.clone().or(found) }
        })
        .collect()
}
