//! Fields of structures: `x.f` is `f(x)`, and `x.f := v` gives `x` the value that differs from it in this field alone.

use std::sync::Arc;

use super::actions::{block, command};
use super::declarations::renamed;
use super::formulas::{Context, reference};
use super::state::{Expander, Field};
use crate::base::span::Span;
use crate::lang::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use crate::lang::program::ast::{BinaryOp, Command, CommandKind};

/// A name with its arguments.
type Base = (Arc<str>, Vec<Expr>);

/// A value with fields after it.
pub(super) struct Path {
    /// The value.
    base: Base,
    sort: SortRef,
    /// The functions that are the fields, each of the value before it.
    fields: Vec<Arc<str>>,
    /// The arguments that the last field has apart from its value.
    rest: Vec<Expr>,
}

impl Expander<'_, '_> {
    /// Returns the fields that a dotted name with these arguments reads.
    pub(super) fn path(&self, name: &str, args: &[Expr], span: Span, context: &Context) -> Option<Path> {
        let dots: Vec<usize> = name.match_indices('.').map(|(at, _)| at).collect();
        dots.into_iter().rev().find_map(|at| {
            let (base, sort, rest) = self.base(&name[..at], args, span, context)?;
            let mut last = sort.clone();
            let mut fields = Vec::new();
            for field in name[at + 1..].split('.') {
                let SortName::Named(named) = &last.name else { return None };
                let found = self.fields.get(named)?.iter().find(|known| *known.name == *field)?;
                fields.push(found.function.clone());
                last = self.symbols.get(&found.function)?.result.clone()?;
            }
            Some(Path { base, sort, fields, rest })
        })
    }

    /// Returns what is before the fields: a variable, or a symbol with its arguments. The other arguments remain.
    fn base(
        &self,
        name: &str,
        args: &[Expr],
        span: Span,
        context: &Context,
    ) -> Option<(Base, SortRef, Vec<Expr>)> {
        if let Some(local) = context.local(name) {
            let sort = self.locals.iter().find(|it| it.name == *local)?.sort.clone()?;
            return Some(((local.clone(), Vec::new()), sort, args.to_vec()));
        }
        let (full, mut all) = self.global(name, span, context);
        let symbol = self.symbols.get(&full)?;
        let own = symbol.args.len().checked_sub(all.len())?;
        let (own, rest) = args.split_at_checked(own)?;
        all.extend_from_slice(own);
        Some(((full, all), symbol.result.clone()?, rest.to_vec()))
    }

    /// Returns the value of a field.
    pub(super) fn read_field(&self, path: Path, span: Span) -> Expr {
        let (name, args) = path.base;
        let mut value = reference(name, args, span);
        let count = path.fields.len();
        for (at, field) in path.fields.into_iter().enumerate() {
            let mut args = vec![value];
            if at + 1 == count {
                args.extend(path.rest.iter().cloned());
            }
            value = reference(field, args, span);
        }
        value
    }

    /// Changes a field: the value becomes another one, whose other fields are those that it had. Returns whether this is
    /// possible, which it is for one field without arguments.
    pub(super) fn assign_field(
        &mut self,
        path: Path,
        value: Expr,
        span: Span,
        out: &mut Vec<Command>,
    ) -> bool {
        let ([changed], true) = (path.fields.as_slice(), path.rest.is_empty()) else { return false };
        let SortName::Named(sort) = &path.sort.name else { return false };
        let all = self.fields.get(sort).cloned().unwrap_or_default();
        let locals = self.locals.len();
        let name = renamed("changed".into(), span);
        let var = self.new_local(&SortedVar { name, sort: Some(path.sort.clone()) }, false);
        let after = reference(var.name.name.clone(), Vec::new(), span);
        let mut body = vec![command(CommandKind::Local(vec![var]), span)];
        for Field { function: field, .. } in all {
            let more = self.symbols.get(&field).map_or(0, |symbol| symbol.args.len().saturating_sub(1));
            let vars: Vec<Arc<str>> = (1..=more).map(|at| format!("X{at}").into()).collect();
            let read = |of: Expr| {
                let others = vars.iter().map(|var| reference(var.clone(), Vec::new(), span));
                reference(field.clone(), std::iter::once(of).chain(others).collect(), span)
            };
            let (name, args) = path.base.clone();
            let wanted = if field == *changed { value.clone() } else { read(reference(name, args, span)) };
            let sides = Box::new([read(after.clone()), wanted]);
            let kind = ExprKind::Binary { op: BinaryOp::Equal, op_place: Place(span), sides };
            let mut formula = Expr::new(kind, span);
            if !vars.is_empty() {
                let bind = |name: &Arc<str>| {
                    let name = Ident { name: name.clone(), place: Place(span) };
                    SortedVar { name, sort: None }
                };
                let vars = vars.iter().map(bind).collect();
                let kind = ExprKind::Quantifier { universal: true, vars, body: Box::new(formula) };
                formula = Expr::new(kind, span);
            }
            body.push(command(CommandKind::Assume(formula), span));
        }
        let (name, args) = path.base;
        let args = if args.is_empty() { None } else { Some(args) };
        body.push(command(CommandKind::Assign { target: renamed(name, span), args, value: after }, span));
        self.locals.truncate(locals);
        out.push(block(body, span));
        true
    }
}
