//! Implicit quantification of free names in capital letters.

use std::sync::Arc;

use super::ast::{Expr, ExprKind, Ident, SortedVar};
use ramsey_core::base::hash::{Map, Set};

/// Returns whether a free occurrence of `name` is quantified implicitly: it contains a letter, and all letters are
/// capitals.
pub fn is_capital(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase()) && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Returns the names in capital letters free in `formula`, except `params`, in the order of their first occurrence.
pub(crate) fn free_capitals<'a>(formula: &'a Expr, params: &'a [SortedVar]) -> Vec<&'a Ident> {
    let mut search = Search { bound: Map::default(), seen: Set::default(), found: Vec::new() };
    for param in params {
        search.bind(param);
    }
    search.expr(formula);
    search.found
}

struct Search<'a> {
    /// The number of enclosing binders of each name.
    bound: Map<&'a str, u32>,
    seen: Set<Arc<str>>,
    found: Vec<&'a Ident>,
}

impl<'a> Search<'a> {
    fn bind(&mut self, var: &'a SortedVar) {
        *self.bound.entry(&var.name.name).or_insert(0) += 1;
    }

    fn release(&mut self, var: &'a SortedVar) {
        if let Some(count) = self.bound.get_mut(&*var.name.name) {
            *count -= 1;
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Ref { name, args: None, .. } => {
                if is_capital(&name.name)
                    && self.bound.get(&*name.name).is_none_or(|&count| count == 0)
                    && self.seen.insert(name.name.clone())
                {
                    self.found.push(name);
                }
            }
            ExprKind::Quantifier { vars, body, .. } => {
                vars.iter().for_each(|var| self.bind(var));
                self.expr(body);
                vars.iter().for_each(|var| self.release(var));
            }
            ExprKind::Let { var, parts } => {
                self.expr(&parts[0]);
                self.bind(var);
                self.expr(&parts[1]);
                self.release(var);
            }
            _ => expr.for_each_child(|child| self.expr(child)),
        }
    }
}
