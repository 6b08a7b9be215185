//! The syntax tree of a `.pyv` file, before name resolution.

use std::sync::Arc;

use crate::fol::ast::{Annotation, Expr, Ident, Place, Proof, Role, SortRef, SortedVar, TraceStep};
use ramsey_core::base::span::{FileId, Span};

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The declarations in source order.
    pub decls: Vec<Decl>,
    /// The file.
    pub file: FileId,
    /// The dialect that the formulas over two states are written in.
    pub dialect: Dialect,
}

/// How formulas over two states tell the states apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Primes and `new(..)` mark the new state; unmarked symbols are read in the old one.
    Newer,
    /// `old(..)` marks the old state, for the first time at this place; unmarked symbols are read in the new one.
    Older(Place),
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decl {
    /// The kind of declaration, with its parts.
    pub kind: DeclKind,
    /// The position, from the first token to the last.
    pub place: Place,
}

impl Decl {
    /// Returns the position, from the first token to the last.
    pub fn span(&self) -> Span {
        self.place.0
    }

    /// Returns the name of the declaration, unless it declares a sort.
    pub fn name(&self) -> Option<&Ident> {
        match &self.kind {
            DeclKind::Symbol(symbol) => Some(&symbol.name),
            DeclKind::Formula { name, .. } | DeclKind::Theorem { name, .. } => name.as_ref(),
            DeclKind::Definition(definition) => Some(&definition.name),
            DeclKind::Sort { .. } | DeclKind::Trace { .. } | DeclKind::Fbii(_) | DeclKind::Broken(_) => None,
        }
    }

    /// Calls `visit` with each formula of the declaration, and each argument of a trace, in source order.
    pub fn for_each_formula<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match &self.kind {
            DeclKind::Symbol(symbol) => symbol.axiom.iter().for_each(visit),
            DeclKind::Formula { formula, proof, .. } => {
                visit(formula);
                proof.iter().for_each(|proof| proof.for_each_expr(&mut visit));
            }
            DeclKind::Theorem { formula, .. } => visit(formula),
            DeclKind::Definition(definition) => visit(&definition.body),
            DeclKind::Trace { steps, .. } => {
                for step in steps {
                    match step {
                        TraceStep::Assert(formula) => visit(formula),
                        TraceStep::Calls(calls) => {
                            calls.iter().flat_map(|call| &call.args).flatten().flatten().for_each(&mut visit);
                        }
                        TraceStep::AssertInit | TraceStep::AnyTransition(_) => {}
                    }
                }
            }
            DeclKind::Fbii(steps) => {
                for step in steps {
                    step.invariants.iter().for_each(|it| visit(&it.formula));
                    for item in step.by.iter().flatten() {
                        match item {
                            FbiiItem::Invariant(it) => visit(&it.formula),
                            FbiiItem::Select(formula) => visit(formula),
                            FbiiItem::Default(_) => {}
                        }
                    }
                }
            }
            DeclKind::Sort { .. } | DeclKind::Broken(_) => {}
        }
    }
}

/// The kinds of declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeclKind {
    /// `sort name`.
    Sort {
        /// The name.
        name: Ident,
        /// The annotations.
        annotations: Vec<Annotation>,
    },
    /// A relation, constant or function.
    Symbol(SymbolDecl),
    /// `axiom`, `init`, `invariant` or `safety`.
    Formula {
        /// The kind of formula.
        role: Role,
        /// The name in brackets.
        name: Option<Ident>,
        /// The formula.
        formula: Expr,
        /// The proof after it; only of claims.
        proof: Option<Proof>,
    },
    /// `theorem`.
    Theorem {
        /// The number of states, if given.
        states: Option<States>,
        /// The name in brackets.
        name: Option<Ident>,
        /// The formula.
        formula: Expr,
    },
    /// `transition` or `definition`.
    Definition(DefinitionDecl),
    /// `sat trace { .. }` or `unsat trace { .. }`.
    Trace {
        /// Whether the keyword is `sat`.
        expect_sat: bool,
        /// The components.
        steps: Vec<TraceStep>,
    },
    /// `fbii { .. }`: a proof by forward and backward induction with prophecy.
    Fbii(Vec<FbiiStep>),
    /// Text with a syntax error, with all names in it.
    Broken(Vec<Arc<str>>),
}

impl DeclKind {
    /// Returns the number of states that the formulas of the declaration speak of, and the kind of declaration with an
    /// article, for messages.
    pub(super) fn states(&self) -> (u16, &'static str) {
        match self {
            DeclKind::Formula { role, .. } => (role.states(), role.what()),
            DeclKind::Theorem { states, .. } => (states.map_or(1, States::count), "a theorem"),
            DeclKind::Definition(definition) => match definition.kind {
                DefinitionKind::Transition => (2, "a transition"),
                DefinitionKind::Definition(states) => (states.map_or(1, States::count), "a definition"),
            },
            DeclKind::Symbol(_) => (1, "a derived relation"),
            DeclKind::Trace { .. } => (1, "a component of a trace"),
            DeclKind::Fbii(_) => (1, "a formula of an `fbii` proof"),
            DeclKind::Sort { .. } | DeclKind::Broken(_) => (0, "a declaration"),
        }
    }
}

/// The number of states of a definition or theorem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum States {
    /// `zerostate`.
    Zero,
    /// `onestate`.
    One,
    /// `twostate`.
    Two,
}

impl States {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            States::Zero => "zerostate",
            States::One => "onestate",
            States::Two => "twostate",
        }
    }

    /// Returns the number.
    pub fn count(self) -> u16 {
        match self {
            States::Zero => 0,
            States::One => 1,
            States::Two => 2,
        }
    }
}

/// Mutability of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutability {
    /// `immutable`.
    Immutable,
    /// `mutable`.
    Mutable,
    /// `derived`.
    Derived,
}

impl Mutability {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Mutability::Immutable => "immutable",
            Mutability::Mutable => "mutable",
            Mutability::Derived => "derived",
        }
    }
}

/// The declaration of a relation, constant or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDecl {
    /// The first keyword.
    pub mutability: Mutability,
    /// The second keyword.
    pub form: SymbolForm,
    /// The name.
    pub name: Ident,
    /// The argument sorts.
    pub args: Vec<SortRef>,
    /// The result sort; `None` for relations.
    pub result: Option<SortRef>,
    /// The annotations.
    pub annotations: Vec<Annotation>,
    /// The axiom of a derived relation.
    pub axiom: Option<Expr>,
}

/// The second keyword of a symbol's declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolForm {
    /// `relation`.
    Relation,
    /// `constant`.
    Constant,
    /// `function`.
    Function,
}

impl SymbolForm {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            SymbolForm::Relation => "relation",
            SymbolForm::Constant => "constant",
            SymbolForm::Function => "function",
        }
    }
}

/// The declaration of a transition or definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionDecl {
    /// The keyword or keywords.
    pub kind: DefinitionKind,
    /// The name.
    pub name: Ident,
    /// The parameters.
    pub params: Vec<SortedVar>,
    /// The symbols after `modifies`; `None` if the body follows `=`.
    pub modifies: Option<Vec<Ident>>,
    /// The body.
    pub body: Expr,
}

/// The kind of a [`DefinitionDecl`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// `transition`.
    Transition,
    /// `definition`, with the number of states if given.
    Definition(Option<States>),
}

/// A step of an `fbii` proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FbiiStep {
    /// Whether the keyword is `forward` rather than `backward`.
    pub forward: bool,
    /// The name in brackets.
    pub name: Option<Ident>,
    /// The variables after `prophecy`, if present.
    pub prophecy: Option<Vec<SortedVar>>,
    /// The invariants.
    pub invariants: Vec<FbiiInvariant>,
    /// The `by` block.
    pub by: Option<Vec<FbiiItem>>,
    /// The position, from the first token to the last.
    pub place: Place,
}

/// An invariant of an `fbii` step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FbiiInvariant {
    /// Whether the keyword is `safety`.
    pub is_safety: bool,
    /// The name in brackets.
    pub name: Option<Ident>,
    /// The formula.
    pub formula: Expr,
    /// The position, from the first token to the last.
    pub place: Place,
}

/// An item of the `by` block of an `fbii` step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FbiiItem {
    /// An invariant.
    Invariant(FbiiInvariant),
    /// `proph_select expr`.
    Select(Expr),
    /// `proph_default`.
    Default(Place),
}
