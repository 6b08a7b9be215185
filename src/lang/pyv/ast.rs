//! The syntax tree of a `.pyv` file, before name resolution.

use std::sync::Arc;

use crate::base::span::{FileId, Span};
use crate::lang::fol::ast::{Annotation, Expr, Ident, Place, Role, SortRef, SortedVar, TraceStep};

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The declarations in source order.
    pub decls: Vec<Decl>,
    /// The file.
    pub file: FileId,
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
}

/// An item of the `by` block of an `fbii` step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FbiiItem {
    /// An invariant.
    Invariant(FbiiInvariant),
    /// `proph_select expr`.
    Select(Expr),
    /// `proph_default`.
    Default,
}
