//! Orders, operations and numerals that every sort has, in languages with such symbols. `<` on the sort `s` is the relation `<:s`, `+`
//! the function `+:s`, and the numeral `0` of the sort is the constant `0:s`. The other orders are written by `<` and equality. A
//! program may define `<:s`. Where `s` is a variant, it declares the relation `*>:s`.

use std::sync::Arc;

use super::Checker;
use super::expr::{Expected, Reason};
use super::names::literal;
use crate::fol::ast::{self, BinaryOp, Ident};
use crate::fol::names::Global;
use crate::fol::sorts::Ty;
use crate::fol::typed::{Expr, Kind, Local, LocalId};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SymId;

impl Checker<'_, '_> {
    /// Checks a numeral, whose sort is inferred.
    pub(super) fn numeral(&mut self, text: &Arc<str>, span: Span, expected: Expected) -> (Expr, Ty) {
        let ty = self.sorts.fresh();
        let kind = self.overloaded(text, ty, Vec::new());
        self.finish_expr(kind, ty, span, expected)
    }

    /// Returns what has this name for the sort `ty`, which is known when all sorts are.
    fn overloaded(&mut self, name: &str, ty: Ty, args: Vec<Expr>) -> Kind {
        self.body.has_overloads = true;
        Kind::Overloaded { name: name.into(), ty, from: None, state: self.state, args }
    }

    /// Checks the bits of a number, `bfe[0][3](x)`, which are one of any sort, or of that which the name has: `bfe[0][3]:s`.
    pub(super) fn extraction(&mut self, name: &str, sort: Option<&str>, arg: &ast::Expr) -> (Kind, Ty) {
        let (arg, from) = self.expr(arg, None);
        let given = sort.and_then(|sort| self.globals.sort_id(sort)).map(Ty::Sort);
        let ty = given.unwrap_or_else(|| self.sorts.fresh());
        self.body.has_overloads = true;
        let (name, from, args) = (name.into(), Some(from), vec![arg]);
        (Kind::Overloaded { name, ty, from, state: self.state, args }, ty)
    }

    /// Returns the constant that a numeral, or a text, with its sort is.
    pub(super) fn numeral_of_sort(&mut self, name: &Ident) -> Option<SymId> {
        if !self.globals.overloads {
            return None;
        }
        let (numeral, sort) = literal(&name.name)?;
        let sort = self.globals.sort_id(sort?)?;
        Some(self.globals.overload(numeral, sort, 0, name.span()))
    }

    /// Checks a comparison by an order.
    #[inline(never)]
    pub(super) fn order(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        expected: Expected,
    ) -> (Expr, Ty) {
        let (left, ty) = self.expr(left, None);
        let (right, _) = self.expr(right, Some((ty, Reason::SameAs(left.span))));
        let kind = match op {
            BinaryOp::Less => self.overloaded("<", ty, vec![left, right]),
            BinaryOp::Greater => self.overloaded("<", ty, vec![right, left]),
            _ => {
                // Both sides occur twice.
                let mut new = |side: &Expr| {
                    self.body.locals.push(Local { name: Arc::from("side"), ty, span: side.span })
                };
                let vars: [LocalId; 2] = [new(&left), new(&right)];
                let read = |at: usize| Expr { kind: Kind::Local(vars[at]), span };
                let sides = if op == BinaryOp::LessEqual { [0, 1] } else { [1, 0] };
                let less = Expr { kind: self.overloaded("<", ty, sides.map(read).into()), span };
                let equal = Expr { kind: Kind::Equal(Box::new([read(0), read(1)])), span };
                let either = Expr { kind: Kind::Or(vec![less, equal]), span };
                let inner = Kind::Let { var: vars[1], parts: Box::new([right, either]) };
                Kind::Let { var: vars[0], parts: Box::new([left, Expr { kind: inner, span }]) }
            }
        };
        self.finish_expr(kind, Ty::Bool, span, expected)
    }

    /// Checks an operation, whose value is of the sort of its arguments.
    #[inline(never)]
    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        expected: Expected,
    ) -> (Expr, Ty) {
        let (left, ty) = self.expr(left, None);
        let (right, _) = self.expr(right, Some((ty, Reason::SameAs(left.span))));
        let kind = self.overloaded(op.text(), ty, vec![left, right]);
        self.finish_expr(kind, ty, span, expected)
    }

    /// Checks that a value is one as which another one is a variant: the sort of that tells the relation.
    #[inline(never)]
    pub(super) fn points_to(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        expected: Expected,
    ) -> (Expr, Ty) {
        let (left, value) = self.expr(left, None);
        let (right, variant) = self.expr(right, None);
        self.body.variants.push((value, variant, left.span));
        let kind = self.overloaded(BinaryOp::PointsTo.text(), variant, vec![left, right]);
        self.finish_expr(kind, Ty::Bool, span, expected)
    }

    /// Gives values the sorts whose variants they are compared with. They may be of variants themselves.
    pub(super) fn settle_variants(&mut self, variants: &[(Ty, Ty, Span)]) {
        let mut open = variants.to_vec();
        loop {
            let known = |it: &(Ty, Ty, Span)| matches!(self.sorts.resolve(it.1), Ty::Sort(_));
            let (now, later): (Vec<_>, Vec<_>) = open.into_iter().partition(known);
            if now.is_empty() {
                return;
            }
            open = later;
            for (value, variant, span) in now {
                self.settle_variant(value, variant, span);
            }
        }
    }

    fn settle_variant(&mut self, value: Ty, variant: Ty, span: Span) {
        if let Ty::Sort(sort) = self.sorts.resolve(variant)
            && let Some(Global::Symbol(relation)) = self.globals.overloading(BinaryOp::PointsTo.text(), sort)
            && let Some(&of) = self.globals.symbols[relation].args.first()
            && !self.sorts.unify(value, of, span)
        {
            let (of, found) = (self.globals.sort_name(of), self.sorts.resolve(value));
            let (variant, found) = (&self.globals.sig.sorts[sort].name, self.globals.sort_name(found));
            self.report.push(
                Diagnostic::error(Code::SortMismatch, span, format!("`{variant}` is a variant of `{of}`"))
                    .label(format!("this has sort `{found}`")),
            );
        }
    }

    /// Replaces orders, operations and numerals by the symbols of their sorts.
    pub(super) fn settle_overloads(&mut self, expr: &mut Expr) {
        expr.for_each_child_mut(|child| self.settle_overloads(child));
        let Kind::Overloaded { name, ty, from, state, args } = &mut expr.kind else { return };
        let from = from.map(|from| self.sorts.resolve(from));
        expr.kind = match self.sorts.resolve(*ty) {
            Ty::Sort(sort) if let Some(Ty::Sort(from)) = from => {
                let sym = self.globals.conversion(name, from, sort, expr.span);
                Kind::App { sym, state: *state, args: std::mem::take(args) }
            }
            // What the argument is has been reported, or is not known.
            _ if from == Some(Ty::Unknown) => Kind::Error,
            Ty::Sort(sort) if from.is_none() => {
                let (state, args) = (*state, std::mem::take(args));
                match self.globals.overloading(name, sort) {
                    Some(Global::Unit(unit)) => Kind::Call { unit, state, args },
                    None if **name == *BinaryOp::PointsTo.text() => {
                        let sort = &self.globals.sig.sorts[sort].name;
                        self.report.push(
                            Diagnostic::error(
                                Code::SortMismatch,
                                expr.span,
                                format!("`{sort}` is no variant"),
                            )
                            .label("of which type?")
                            .help(format!("declare it: `variant {sort} of t`")),
                        );
                        Kind::Error
                    }
                    _ => Kind::App {
                        sym: self.globals.overload(name, sort, args.len(), expr.span),
                        state,
                        args,
                    },
                }
            }
            Ty::Unknown => Kind::Error,
            known => {
                let known = from.filter(|from| !matches!(from, Ty::Sort(_))).unwrap_or(known);
                let (code, problem) = match known {
                    Ty::Var(_) => (Code::SortUnknown, format!("the type of `{name}` cannot be inferred")),
                    _ => (
                        Code::SortMismatch,
                        format!("`{name}` is of no type `{}`", self.globals.sort_name(known)),
                    ),
                };
                let error = Diagnostic::error(code, expr.span, problem).label("of which type?");
                self.report.push(error.help("give the type of a variable: `X:t`"));
                self.sorts.unify(*ty, Ty::Unknown, expr.span);
                Kind::Error
            }
        };
    }
}
