//! Sort checking of expressions.

use super::Checker;
use crate::fol::ast::{self, BinaryOp, ExprKind};
use crate::fol::sorts::Ty;
use crate::fol::typed::{Expr, Kind, LocalId};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Reason why a sort is expected.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    /// This kind of declaration contains a formula.
    Formula(&'static str),
    /// The operator (or other construct) there takes formulas.
    Connective(Span),
    /// The operator there takes integers.
    Arithmetic(Span),
    /// The symbol or definition declared there has an argument of this sort.
    Argument(Span),
    /// Both sides must have the same sort; this is the other side.
    SameAs(Span),
    /// The variable there is declared with the sort.
    Variable(Span),
}

/// An expected sort with the reason.
pub(crate) type Expected = Option<(Ty, Reason)>;

/// Describes the number of states that a formula of kind `what` mentions, as a sentence.
pub(crate) fn states_note(what: &str, states: u16) -> String {
    match states {
        0 => format!("{what} speaks of no state, only of immutable symbols"),
        1 => format!("{what} speaks of one state"),
        count => format!("{what} speaks of {count} states: unprimed symbols are read in the first"),
    }
}

impl Checker<'_, '_> {
    /// Checks `expr` against the sort `expected`.
    pub(crate) fn expr(&mut self, expr: &ast::Expr, expected: Expected) -> (Expr, Ty) {
        let span = expr.span();
        if !self.report.spend(1) {
            return (Expr { kind: Kind::Error, span }, Ty::Unknown);
        }
        match &expr.kind {
            ExprKind::Bool(value) => self.finish_expr(Kind::Bool(*value), Ty::Bool, span, expected),
            ExprKind::Int(text) if self.globals.overloads => self.numeral(text, span, expected),
            ExprKind::Int(_) => {
                self.globals.arithmetic.push(span);
                self.finish_expr(Kind::Arithmetic(Vec::new()), Ty::Int, span, expected)
            }
            ExprKind::Ref { name, primes, args } => {
                let (kind, ty) = self.reference(name, *primes, args.as_deref(), span);
                self.finish_expr(kind, ty, span, expected)
            }
            ExprKind::Safety { primes } => {
                let kind = self.safety(*primes, span);
                self.finish_expr(kind, Ty::Bool, span, expected)
            }
            ExprKind::New(inner) => self.new_state(inner, span, expected),
            ExprKind::Not(inner) => {
                let inner = self.operand(inner, span);
                self.finish_expr(Kind::Not(Box::new(inner)), Ty::Bool, span, expected)
            }
            ExprKind::And(items) => {
                let items = self.operands(items, span);
                self.finish_expr(Kind::And(items), Ty::Bool, span, expected)
            }
            ExprKind::Or(items) => {
                let items = self.operands(items, span);
                self.finish_expr(Kind::Or(items), Ty::Bool, span, expected)
            }
            ExprKind::Distinct(items) => self.distinct(items, span, expected),
            ExprKind::Binary { op, op_place, sides } => self.binary(*op, op_place.0, sides, span, expected),
            ExprKind::Quantifier { universal, vars, body } => {
                self.quantifier(*universal, vars, body, span, expected)
            }
            ExprKind::Ite(parts) => self.if_then_else(parts, span, expected),
            ExprKind::Let { var, parts } => self.let_in(var, parts, span, expected),
        }
    }

    #[inline(never)]
    fn distinct(&mut self, items: &[ast::Expr], span: Span, expected: Expected) -> (Expr, Ty) {
        let mut same: Expected = None;
        let mut checked = Vec::with_capacity(items.len());
        for item in items {
            let (item, ty) = self.expr(item, same);
            same = same.or(Some((ty, Reason::SameAs(item.span))));
            checked.push(item);
        }
        self.finish_expr(Kind::Distinct(checked), Ty::Bool, span, expected)
    }

    #[inline(never)]
    fn quantifier(
        &mut self,
        universal: bool,
        vars: &[ast::SortedVar],
        body: &ast::Expr,
        span: Span,
        expected: Expected,
    ) -> (Expr, Ty) {
        let locals = self.bind_all(vars);
        let body = Box::new(self.operand(body, span));
        for var in vars {
            self.unbind(&var.name.name);
        }
        self.finish_expr(Kind::Quantifier { universal, vars: locals, body }, Ty::Bool, span, expected)
    }

    #[inline(never)]
    fn bind_all(&mut self, vars: &[ast::SortedVar]) -> Vec<LocalId> {
        let binder_at = self.body.locals.len();
        let mut locals = Vec::with_capacity(vars.len());
        for var in vars {
            let ty = self.declared_sort(var);
            locals.push(self.bind(&var.name, ty, binder_at));
        }
        locals
    }

    #[inline(never)]
    fn if_then_else(&mut self, parts: &[ast::Expr; 3], span: Span, expected: Expected) -> (Expr, Ty) {
        let condition = self.operand(&parts[0], span);
        let (then, ty) = self.expr(&parts[1], expected);
        let why = expected.map_or(Reason::SameAs(then.span), |(_, why)| why);
        let (otherwise, other) = self.expr(&parts[2], Some((ty, why)));
        let ty = if ty == Ty::Unknown { other } else { ty };
        (Expr { kind: Kind::Ite(Box::new([condition, then, otherwise])), span }, ty)
    }

    #[inline(never)]
    fn let_in(
        &mut self,
        var: &ast::SortedVar,
        parts: &[ast::Expr; 2],
        span: Span,
        expected: Expected,
    ) -> (Expr, Ty) {
        let ty = self.declared_sort(var);
        let (value, _) = self.expr(&parts[0], Some((ty, Reason::Variable(var.name.span()))));
        let local = self.bind(&var.name, ty, self.body.locals.len());
        let (body, ty) = self.expr(&parts[1], expected);
        self.unbind(&var.name.name);
        (Expr { kind: Kind::Let { var: local, parts: Box::new([value, body]) }, span }, ty)
    }

    /// Checks operands of the construct at `of`, which must be formulas.
    #[inline(never)]
    fn operands(&mut self, items: &[ast::Expr], of: Span) -> Vec<Expr> {
        let mut checked = Vec::with_capacity(items.len());
        for item in items {
            checked.push(self.operand(item, of));
        }
        checked
    }

    /// Checks an operand of the construct at `of`, which must be a formula.
    #[inline(never)]
    fn operand(&mut self, expr: &ast::Expr, of: Span) -> Expr {
        self.expr(expr, Some((Ty::Bool, Reason::Connective(of)))).0
    }

    #[inline(never)]
    fn binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        sides: &[ast::Expr; 2],
        span: Span,
        expected: Expected,
    ) -> (Expr, Ty) {
        let [left, right] = sides;
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (left, ty) = self.expr(left, None);
                let (right, _) = self.expr(right, Some((ty, Reason::SameAs(left.span))));
                let sides = Box::new([left, right]);
                let kind = if op == BinaryOp::Equal { Kind::Equal(sides) } else { Kind::NotEqual(sides) };
                self.finish_expr(kind, Ty::Bool, span, expected)
            }
            BinaryOp::Iff | BinaryOp::Implies => {
                let mut side = |side| self.expr(side, Some((Ty::Bool, Reason::Connective(op_span)))).0;
                let sides = Box::new([side(left), side(right)]);
                let kind = if op == BinaryOp::Iff { Kind::Equal(sides) } else { Kind::Implies(sides) };
                self.finish_expr(kind, Ty::Bool, span, expected)
            }
            _ if op.is_order() && self.globals.overloads => self.order(op, left, right, span, expected),
            _ if op.is_operation() && self.globals.overloads => {
                self.operation(op, left, right, span, expected)
            }
            BinaryOp::PointsTo => self.points_to(left, right, span, expected),
            _ => {
                self.globals.arithmetic.push(op_span);
                let mut side = |side| self.expr(side, Some((Ty::Int, Reason::Arithmetic(op_span)))).0;
                let sides = vec![side(left), side(right)];
                let ty = if op.is_operation() { Ty::Int } else { Ty::Bool };
                self.finish_expr(Kind::Arithmetic(sides), ty, span, expected)
            }
        }
    }

    #[inline(never)]
    fn new_state(&mut self, inner: &ast::Expr, span: Span, expected: Expected) -> (Expr, Ty) {
        if self.state + 1 < self.context.states {
            self.state += 1;
            let result = self.expr(inner, expected);
            self.state -= 1;
            return result;
        }
        if !self.in_rejected_new {
            self.reject_new(span);
        }
        let before = std::mem::replace(&mut self.in_rejected_new, true);
        let result = self.expr(inner, expected);
        self.in_rejected_new = before;
        result
    }

    #[cold]
    #[inline(never)]
    fn reject_new(&mut self, span: Span) {
        let error = Diagnostic::error(Code::State, span, "`new` goes beyond the last state")
            .label("there is no next state here")
            .note(self.states_of_context());
        self.report.push(error);
    }

    /// Describes the number of states that the current formula mentions, as a sentence.
    pub(crate) fn states_of_context(&self) -> String {
        states_note(self.context.what, self.context.states)
    }

    /// Completes the check of an expression of sort `ty`.
    #[inline(never)]
    pub(super) fn finish_expr(&mut self, kind: Kind, ty: Ty, span: Span, expected: Expected) -> (Expr, Ty) {
        let local = if let Kind::Local(local) = kind { Some(local) } else { None };
        let Some((wanted, why)) = expected else { return (Expr { kind, span }, ty) };
        if self.sorts.unify(wanted, ty, span) {
            let ty = if ty == Ty::Unknown { wanted } else { ty };
            return (Expr { kind, span }, ty);
        }
        self.mismatch(local, wanted, ty, why, span);
        (Expr { kind, span }, wanted)
    }

    /// Reports an expression of sort `ty` where `wanted` is expected.
    #[cold]
    #[inline(never)]
    fn mismatch(&mut self, local: Option<LocalId>, wanted: Ty, ty: Ty, why: Reason, span: Span) {
        let (to, from) = (self.sorts.resolve(wanted), self.sorts.resolve(ty));
        let (to, from) = (self.globals.sort_name(to), self.globals.sort_name(from));
        let mut error =
            Diagnostic::error(Code::SortMismatch, span, format!("expected sort `{to}`, found `{from}`"))
                .label(if to == "bool" {
                    "not a formula".to_string()
                } else {
                    format!("this has sort `{from}`")
                });
        error = match why {
            Reason::Formula(what) => error.note(format!("{what} is a formula, of sort `bool`")),
            Reason::Connective(span) => error.also(span, "this works on formulas"),
            Reason::Arithmetic(span) => error
                .also(span, "this works on integers")
                .help("for an order on an uninterpreted sort, declare a relation with axioms: `le(x, y)`"),
            Reason::Argument(span) => {
                error.also(span, format!("declared here with an argument of sort `{to}`"))
            }
            Reason::SameAs(span) => error.also(span, format!("this has sort `{to}`")),
            Reason::Variable(span) => error.also(span, format!("this variable has sort `{to}`")),
        };
        if let Some(origin) = self.sorts.origin(wanted).filter(|&origin| origin != span) {
            error = error.also(origin, format!("sort `{to}` is inferred from this"));
        }
        if let Some(local) = local {
            let local = &self.body.locals[local];
            let name = local.name.clone();
            error = match self.sorts.origin(ty) {
                Some(origin) if origin != span => {
                    error.also(origin, format!("`{name}` has sort `{from}` because of this"))
                }
                _ => error.also(local.span, format!("`{name}` is bound here")),
            };
        }
        self.report.push(error);
    }
}
