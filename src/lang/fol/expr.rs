//! Expressions of syntax trees.

use std::sync::Arc;

use super::ast::{Ident, Place, SortedVar};
use ramsey_core::base::span::Span;

/// An expression. Parentheses and leading `&` or `|` are not represented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// The kind of expression, with its parts.
    pub kind: ExprKind,
    /// The position, without enclosing parentheses.
    pub place: Place,
    /// Length of the longest path to a leaf; 1 for leaves.
    pub height: u32,
}

impl Expr {
    /// Returns the position, without enclosing parentheses.
    pub fn span(&self) -> Span {
        self.place.0
    }

    /// Creates the expression `kind` at `span`.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let mut expr = Expr { kind, place: Place(span), height: 1 };
        let mut below = 0;
        expr.for_each_child(|child| below = below.max(child.height));
        expr.height += below;
        expr
    }

    /// Calls `visit` with each direct subexpression in source order.
    pub fn for_each_child<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Safety { .. } => {}
            ExprKind::Ref { args, .. } => args.iter().flatten().for_each(visit),
            ExprKind::New(a) | ExprKind::Not(a) | ExprKind::Quantifier { body: a, .. } => visit(a),
            ExprKind::Distinct(items) | ExprKind::And(items) | ExprKind::Or(items) => {
                items.iter().for_each(visit);
            }
            ExprKind::Binary { sides, .. } => sides.iter().for_each(visit),
            ExprKind::Ite(parts) => parts.iter().for_each(visit),
            ExprKind::Let { parts, .. } => parts.iter().for_each(visit),
        }
    }

    /// Iterates over the expression and all of its subexpressions.
    pub fn nodes(&self) -> impl Iterator<Item = &Expr> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            next.for_each_child(|child| open.push(child));
            Some(next)
        })
    }

    /// Returns the kind of expression with the results of `map` in place of the direct subexpressions, which are visited in
    /// source order. Names and bound variables stay.
    pub fn map_children<'a>(&'a self, mut map: impl FnMut(&'a Expr) -> Expr) -> ExprKind {
        match &self.kind {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Safety { .. } => self.kind.clone(),
            ExprKind::Ref { name, primes, args } => {
                let args = args.as_ref().map(|args| args.iter().map(map).collect());
                ExprKind::Ref { name: name.clone(), primes: *primes, args }
            }
            ExprKind::New(inner) => ExprKind::New(Box::new(map(inner))),
            ExprKind::Not(inner) => ExprKind::Not(Box::new(map(inner))),
            ExprKind::Distinct(items) => ExprKind::Distinct(items.iter().map(map).collect()),
            ExprKind::And(items) => ExprKind::And(items.iter().map(map).collect()),
            ExprKind::Or(items) => ExprKind::Or(items.iter().map(map).collect()),
            ExprKind::Binary { op, op_place, sides } => {
                let sides = Box::new(sides.each_ref().map(map));
                ExprKind::Binary { op: *op, op_place: *op_place, sides }
            }
            ExprKind::Quantifier { universal, vars, body } => {
                ExprKind::Quantifier { universal: *universal, vars: vars.clone(), body: Box::new(map(body)) }
            }
            ExprKind::Ite(parts) => ExprKind::Ite(Box::new(parts.each_ref().map(map))),
            ExprKind::Let { var, parts } => {
                ExprKind::Let { var: var.clone(), parts: Box::new(parts.each_ref().map(map)) }
            }
        }
    }
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// `true` or `false`.
    Bool(bool),
    /// An integer literal, as written.
    Int(Arc<str>),
    /// A name, optionally with primes and arguments.
    Ref {
        /// The name.
        name: Ident,
        /// The number of primes after the name.
        primes: u32,
        /// The arguments, if parentheses are present.
        args: Option<Vec<Expr>>,
    },
    /// `safety`: the conjunction of all safety properties.
    Safety {
        /// The number of primes.
        primes: u32,
    },
    /// `new(e)`.
    New(Box<Expr>),
    /// `!e`.
    Not(Box<Expr>),
    /// `distinct(..)`.
    Distinct(Vec<Expr>),
    /// `a & b & ..` with at least two operands.
    And(Vec<Expr>),
    /// `a | b | ..` with at least two operands.
    Or(Vec<Expr>),
    /// Any other infix operator.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The position of the operator.
        op_place: Place,
        /// The left and the right operand.
        sides: Box<[Expr; 2]>,
    },
    /// `forall` or `exists`.
    Quantifier {
        /// Whether it is `forall`.
        universal: bool,
        /// The variables, at least one.
        vars: Vec<SortedVar>,
        /// The body.
        body: Box<Expr>,
    },
    /// `if a then b else c`.
    Ite(Box<[Expr; 3]>),
    /// `let x = value in body`.
    Let {
        /// The variable.
        var: Box<SortedVar>,
        /// The value and the body.
        parts: Box<[Expr; 2]>,
    },
}

/// Infix operators other than `&` and `|`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `<->`.
    Iff,
    /// `->`.
    Implies,
    /// `=`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Times,
    /// `/`.
    Divide,
    /// `*>`, which relates a value to what it is as one of a variant.
    PointsTo,
}

impl BinaryOp {
    /// Returns the name of the operator on a sort.
    pub fn on(self, sort: &str) -> Arc<str> {
        format!("{}:{sort}", self.text()).into()
    }

    /// Returns the operator as written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Iff => "<->",
            BinaryOp::Implies => "->",
            BinaryOp::Equal => "=",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Plus => "+",
            BinaryOp::Minus => "-",
            BinaryOp::Times => "*",
            BinaryOp::Divide => "/",
            BinaryOp::PointsTo => "*>",
        }
    }

    /// Returns whether it is an operation on numbers, whose value is of the sort of its operands.
    pub fn is_operation(self) -> bool {
        matches!(self, BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Times | BinaryOp::Divide)
    }

    /// Returns whether it is an order.
    pub fn is_order(self) -> bool {
        matches!(self, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual)
    }

    /// Returns the binding strength.
    pub fn level(self) -> Level {
        match self {
            BinaryOp::Iff => Level::Iff,
            BinaryOp::Implies => Level::Implies,
            BinaryOp::Plus | BinaryOp::Minus => Level::Sum,
            BinaryOp::Times | BinaryOp::Divide => Level::Product,
            _ => Level::Equality,
        }
    }
}

/// Binding strengths, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Quantifiers, `if` and `let`, which extend as far to the right as possible.
    Open,
    /// `<->`, not associative.
    Iff,
    /// `->`, right-associative.
    Implies,
    /// `|`, flattened.
    Or,
    /// `&`, flattened.
    And,
    /// `=`, `!=` and the orders, not associative.
    Equality,
    /// `a if c else b`, left-associative.
    Choice,
    /// `+` and `-`, left-associative.
    Sum,
    /// `*`, left-associative.
    Product,
    /// `!`, and all expressions that never need parentheses.
    Unary,
}

impl Level {
    /// Returns the next stronger level.
    pub fn tighter(self) -> Level {
        match self {
            Level::Open => Level::Iff,
            Level::Iff => Level::Implies,
            Level::Implies => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Equality,
            Level::Equality => Level::Choice,
            Level::Choice => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product | Level::Unary => Level::Unary,
        }
    }
}
