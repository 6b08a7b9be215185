//! Checked expressions, with resolved names, inferred sorts and absolute states.

use std::sync::Arc;

use super::sorts::Ty;
use ramsey_core::base::span::Span;
use ramsey_core::logic::SymId;
use ramsey_core::typed_id;

typed_id! {
    /// A declaration that contains a formula: axiom, init, invariant, theorem, transition, definition, derived
    /// relation.
    pub(crate) struct UnitId;
    /// A variable of one [`Body`].
    pub(crate) struct LocalId;
}

/// A variable: bound by a quantifier or `let`, a parameter, or an implicitly quantified capital letter.
#[derive(Debug)]
pub(crate) struct Local {
    pub(crate) name: Arc<str>,
    pub(crate) ty: Ty,
    /// The binder, or the first use if it is bound implicitly.
    pub(crate) span: Span,
}

/// An expression with its variables.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// All variables of the expression.
    pub(crate) locals: ramsey_core::base::ids::IdVec<LocalId, Local>,
    /// The parameters.
    pub(crate) params: Vec<LocalId>,
    /// Free capital letters, bound by an outermost `forall`.
    pub(crate) closure: Vec<LocalId>,
    /// Whether the expression may contain [`Kind::Overloaded`].
    pub(crate) has_overloads: bool,
    /// The sorts of values and of what is compared with them as a variant, with the place of the value.
    pub(crate) variants: Vec<(Ty, Ty, Span)>,
    /// The expression; `None` before it is checked.
    pub(crate) expr: Option<Expr>,
}

/// A checked expression.
#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Bool(bool),
    Local(LocalId),
    /// A symbol in a state.
    App {
        sym: SymId,
        state: u16,
        args: Vec<Expr>,
    },
    /// A unit's formula, evaluated from a state on.
    Call {
        unit: UnitId,
        state: u16,
        args: Vec<Expr>,
    },
    /// The conjunction of all safety properties in a state.
    Safety {
        state: u16,
    },
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Distinct(Vec<Expr>),
    Implies(Box<[Expr; 2]>),
    /// Equality of any sort, including `bool`.
    Equal(Box<[Expr; 2]>),
    NotEqual(Box<[Expr; 2]>),
    Quantifier {
        universal: bool,
        vars: Vec<LocalId>,
        body: Box<Expr>,
    },
    Ite(Box<[Expr; 3]>),
    Let {
        var: LocalId,
        parts: Box<[Expr; 2]>,
    },
    /// An order or a numeral of the sort `ty`, or a function from `from` to it. It is replaced by an application when these sorts
    /// are known.
    Overloaded {
        name: Arc<str>,
        ty: Ty,
        from: Option<Ty>,
        state: u16,
        args: Vec<Expr>,
    },
    /// Arithmetic, whose operands are kept for subsequent checks.
    Arithmetic(Vec<Expr>),
    /// An expression with a reported error.
    Error,
}

/// Calls `$visit` with each direct subexpression of a kind of expression in source order. `$iter` is the iterator over a
/// list of them, which tells whether they can be changed.
macro_rules! visit_children {
    ($kind:expr, $iter:ident, $visit:ident) => {
        match $kind {
            Kind::Bool(_) | Kind::Local(_) | Kind::Safety { .. } | Kind::Error => {}
            Kind::App { args: items, .. }
            | Kind::Call { args: items, .. }
            | Kind::And(items)
            | Kind::Or(items)
            | Kind::Distinct(items)
            | Kind::Overloaded { args: items, .. }
            | Kind::Arithmetic(items) => items.$iter().for_each($visit),
            Kind::Not(body) | Kind::Quantifier { body, .. } => $visit(body),
            Kind::Implies(parts) | Kind::Equal(parts) | Kind::NotEqual(parts) | Kind::Let { parts, .. } => {
                parts.$iter().for_each($visit);
            }
            Kind::Ite(parts) => parts.$iter().for_each($visit),
        }
    };
}

impl Expr {
    /// Calls `visit` with each direct subexpression in source order.
    pub(crate) fn for_each_child_mut(&mut self, mut visit: impl FnMut(&mut Expr)) {
        visit_children!(&mut self.kind, iter_mut, visit);
    }

    /// Calls `visit` with each direct subexpression in source order.
    pub(crate) fn for_each_child<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        visit_children!(&self.kind, iter, visit);
    }
}
