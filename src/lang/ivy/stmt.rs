//! Statements of the syntax tree.

use super::ast::{Expr, Ident, Place, Skipped, SortedVar};
use super::proof::Proof;
use ramsey_core::base::span::Span;

/// What a binary relation relates an object to after `x.f := ..`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldValue {
    /// Nothing: `null` or `false`.
    Nothing,
    /// One value.
    One(Expr),
    /// All that another relation relates a value to: `y.g`.
    Copy(Expr, Ident),
}

impl FieldValue {
    /// Returns the expression in it.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            FieldValue::Nothing => None,
            FieldValue::One(value) | FieldValue::Copy(value, _) => Some(value),
        }
    }
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// The kind of statement, with its parts.
    pub kind: StmtKind,
    /// The position, from the first token to the last.
    pub place: Place,
}

/// What the name of the variable ends with that holds the end of `for i, x in c { .. }`. No name of a program has such a character.
pub const END_OF_LOOP: &str = "'end";

/// The kinds of statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// `assume`, `assert`, `require` or `ensure`.
    Check {
        /// The keyword.
        kind: Check,
        /// The name in brackets.
        label: Option<Ident>,
        /// The formula.
        formula: Expr,
        /// Its proof.
        proof: Option<Box<Proof>>,
    },
    /// `targets := value`, where the value is a call if there are several targets.
    Assign {
        /// Symbols with arguments, or variables.
        targets: Vec<Expr>,
        /// The value; `None` for `*`.
        value: Option<Expr>,
    },
    /// `x.f := y`, up to version 1.2: the binary relation `f` relates `x` to `y` alone.
    Field {
        /// The first argument of the relation.
        object: Expr,
        /// The relation.
        field: Ident,
        /// What it is related to.
        value: FieldValue,
    },
    /// `call a(x)`, or `a(x)`.
    Call(Expr),
    /// `var x : t`, or `var x := value`: a variable up to the end of the block. `var r(X:t) : bool` is a local relation,
    /// `var f(X:t) : u` a local function.
    Var {
        /// The variable.
        var: SortedVar,
        /// The parameters of a relation or function.
        params: Vec<SortedVar>,
        /// The value; `None` for any.
        value: Option<Expr>,
    },
    /// `local x:t, .. { .. }`.
    Local {
        /// The variables.
        vars: Vec<SortedVar>,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// `if condition { .. } else { .. }`.
    If {
        /// The condition.
        condition: Condition,
        /// Statements executed if it holds.
        then: Vec<Stmt>,
        /// Statements executed otherwise.
        otherwise: Vec<Stmt>,
    },
    /// `while condition invariant .. decreases term { .. }`.
    While(Box<Loop>),
    /// `instantiate m(args)`: the statements of a macro.
    Instantiate {
        /// The macro.
        name: Ident,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `{ .. }`.
    Block(Vec<Stmt>),
    /// `*` in the place of the statements of an action: the symbols of the object have any values afterwards.
    Crash,
    /// Text in another language.
    Native(Skipped),
    /// A statement that is read and means nothing here, as `unprovable assert`.
    Ignored(Skipped),
    /// `debug "text" with x = e, ..`, with the values. Actions that are called in them are executed.
    Debug(Skipped, Vec<Expr>),
    /// `...` in `around`.
    Rest,
    /// Text with a syntax error.
    Broken,
}

/// The keyword of a statement with a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// `assume`.
    Assume,
    /// `assert`.
    Assert,
    /// `require`.
    Require,
    /// `ensure`.
    Ensure,
}

impl Check {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Check::Assume => "assume",
            Check::Assert => "assert",
            Check::Require => "require",
            Check::Ensure => "ensure",
        }
    }
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Whether there is another turn.
    pub condition: Condition,
    /// What holds before each turn and at the end.
    pub invariants: Vec<LoopInvariant>,
    /// What becomes less in each turn, and is not negative.
    pub decreases: Option<Expr>,
    /// The statements of a turn.
    pub body: Vec<Stmt>,
}

/// `invariant [name] φ proof { .. }` of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The name in brackets.
    pub label: Option<Ident>,
    /// The formula.
    pub formula: Expr,
    /// What tells how it is shown.
    pub proof: Option<Box<Proof>>,
}

/// The condition of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `*`.
    Any,
    /// A formula.
    Formula(Expr),
    /// `some x:t. formula`: whether there are such values, for which the variables stand.
    Some {
        /// The variables.
        vars: Vec<SortedVar>,
        /// The formula.
        formula: Expr,
        /// Of which term they have the least or greatest value: `minimizing t`, `maximizing t`.
        extremum: Option<(Extremum, Expr)>,
    },
}

/// Which value of a term is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extremum {
    /// One than which no other is less.
    Least,
    /// One which is less than no other.
    Greatest,
}

impl Extremum {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Extremum::Least => "minimizing",
            Extremum::Greatest => "maximizing",
        }
    }
}

impl Condition {
    /// Returns the expressions in it.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let (formula, extremum) = match self {
            Condition::Any => (None, None),
            Condition::Formula(formula) => (Some(formula), None),
            Condition::Some { formula, extremum, .. } => (Some(formula), extremum.as_ref()),
        };
        formula.into_iter().chain(extremum.map(|(_, term)| term))
    }
}

impl Stmt {
    /// Returns the position, from the first token to the last.
    pub fn span(&self) -> Span {
        self.place.0
    }

    /// Calls `visit` with the statement and all statements inside of it in source order.
    pub fn for_each<'a>(&'a self, visit: &mut impl FnMut(&'a Stmt)) {
        visit(self);
        match &self.kind {
            StmtKind::Local { body, .. } | StmtKind::Block(body) => {
                body.iter().for_each(|it| it.for_each(visit))
            }
            StmtKind::If { then, otherwise, .. } => {
                then.iter().chain(otherwise).for_each(|it| it.for_each(visit))
            }
            StmtKind::While(it) => it.body.iter().for_each(|it| it.for_each(visit)),
            _ => {}
        }
    }

    /// Calls `visit` with the expressions of the statement itself in source order.
    pub fn for_each_expr<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match &self.kind {
            StmtKind::Check { formula, .. } => visit(formula),
            StmtKind::Assign { targets, value } => targets.iter().chain(value).for_each(visit),
            StmtKind::Field { object, value, .. } => {
                std::iter::once(object).chain(value.expr()).for_each(visit);
            }
            StmtKind::Call(call) => visit(call),
            StmtKind::Var { value, .. } => value.iter().for_each(visit),
            StmtKind::If { condition, .. } => condition.exprs().for_each(visit),
            StmtKind::While(it) => {
                let invariants = it.invariants.iter().map(|it| &it.formula);
                it.condition.exprs().chain(invariants).chain(&it.decreases).for_each(visit);
            }
            StmtKind::Instantiate { args: exprs, .. } | StmtKind::Debug(_, exprs) => {
                exprs.iter().for_each(visit);
            }
            _ => {}
        }
    }
}
