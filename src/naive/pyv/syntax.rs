//! The syntax tree of a model.

/// A declaration, with the place where it begins in the text.
pub(super) struct Decl<'t> {
    pub(super) at: usize,
    pub(super) kind: DeclKind<'t>,
}

pub(super) enum DeclKind<'t> {
    Sort(Name<'t>),
    Symbol {
        kind: SymbolKind,
        name: Name<'t>,
        args: Vec<SortName<'t>>,
        result: SortName<'t>,
        meaning: Option<Expr<'t>>,
    },
    Formula {
        role: Role,
        name: Option<Name<'t>>,
        formula: Expr<'t>,
    },
    /// A transition or a definition.
    Macro {
        role: Role,
        name: Name<'t>,
        params: Vec<Binder<'t>>,
        modifies: Option<Vec<Name<'t>>>,
        body: Expr<'t>,
    },
    Trace(Vec<Component<'t>>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SymbolKind {
    Immutable,
    Mutable,
    Derived,
}

/// What a formula is. Theorems and definitions have a number of states.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Axiom,
    /// The meaning of the derived relation with this number.
    Derived(usize),
    Init,
    Transition,
    Invariant,
    Safety,
    Theorem(usize),
    Definition(usize),
}

/// A component of a trace that has formulas or names.
pub(super) enum Component<'t> {
    Assert(Expr<'t>),
    /// A transition with its arguments, if there are any; `None` is `*`.
    Call(Name<'t>, Option<Vec<Option<Expr<'t>>>>),
}

/// A name with its place in the text.
#[derive(Clone, Copy)]
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

pub(super) enum SortName<'t> {
    Bool,
    Named(Name<'t>),
}

/// A variable where it is bound.
pub(super) struct Binder<'t> {
    pub(super) name: Name<'t>,
    pub(super) sort: Option<SortName<'t>>,
}

pub(super) struct Expr<'t> {
    pub(super) at: usize,
    /// How many levels of expressions it has.
    pub(super) height: usize,
    pub(super) kind: Kind<'t>,
}

pub(super) enum Kind<'t> {
    Truth(bool),
    /// A name, or the word `safety`; the number of primes after it; arguments in parentheses.
    Name(Name<'t>, usize, Option<Vec<Expr<'t>>>),
    New(Box<Expr<'t>>),
    Not(Box<Expr<'t>>),
    And(Vec<Expr<'t>>),
    Or(Vec<Expr<'t>>),
    Distinct(Vec<Expr<'t>>),
    Implies(Box<[Expr<'t>; 2]>),
    Iff(Box<[Expr<'t>; 2]>),
    Equal(Box<[Expr<'t>; 2]>),
    NotEqual(Box<[Expr<'t>; 2]>),
    /// `forall` if the first part is true, otherwise `exists`.
    Quantifier(bool, Vec<Binder<'t>>, Box<Expr<'t>>),
    If(Box<[Expr<'t>; 3]>),
    /// The variable; its value and the expression that it is for.
    Let(Binder<'t>, Box<[Expr<'t>; 2]>),
}

impl<'t> Kind<'t> {
    /// The direct parts, from left to right.
    pub(super) fn parts(&self) -> &[Expr<'t>] {
        match self {
            Kind::Truth(_) | Kind::Name(_, _, None) => &[],
            Kind::Name(_, _, Some(items)) | Kind::And(items) | Kind::Or(items) | Kind::Distinct(items) => {
                items
            }
            Kind::New(part) | Kind::Not(part) | Kind::Quantifier(_, _, part) => std::slice::from_ref(part),
            Kind::Implies(sides) | Kind::Iff(sides) | Kind::Equal(sides) | Kind::NotEqual(sides) => &**sides,
            Kind::If(parts) => &**parts,
            Kind::Let(_, parts) => &**parts,
        }
    }
}

impl<'t> Decl<'t> {
    /// The name that is declared, unless it is that of a sort.
    pub(super) fn name(&self) -> Option<Name<'t>> {
        match self.kind {
            DeclKind::Symbol { name, .. } | DeclKind::Macro { name, .. } => Some(name),
            DeclKind::Formula { name, .. } => name,
            DeclKind::Sort(_) | DeclKind::Trace(_) => None,
        }
    }
}
