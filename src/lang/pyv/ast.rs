//! The syntax tree of a `.pyv` file: what was written, before any name is looked up.

use std::sync::Arc;

use crate::base::span::{FileId, Span};
use crate::lang::fol::ast::{Annotation, Expr, Ident, Place, Role, SortRef, SortedVar, TraceStep};

/// A whole file.
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
    /// What is declared.
    pub kind: DeclKind,
    /// From its first token to its last.
    pub place: Place,
}

impl Decl {
    /// From its first token to its last.
    pub fn span(&self) -> Span {
        self.place.0
    }
}

/// What a declaration declares.
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
        /// Which of them.
        role: Role,
        /// The name in brackets.
        name: Option<Ident>,
        /// The formula.
        formula: Expr,
    },
    /// `theorem`.
    Theorem {
        /// How many states it speaks of, where that is written.
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
        /// Whether it says `sat`.
        expect_sat: bool,
        /// The components.
        steps: Vec<TraceStep>,
    },
    /// `fbii { .. }`: a proof by forward and backward induction with prophecy.
    Fbii(Vec<FbiiStep>),
    /// Text that could not be parsed, with all names in it.
    Broken(Vec<Arc<str>>),
}

/// How many states a definition or theorem speaks of.
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
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            States::Zero => "zerostate",
            States::One => "onestate",
            States::Two => "twostate",
        }
    }

    /// The number.
    pub fn count(self) -> u16 {
        match self {
            States::Zero => 0,
            States::One => 1,
            States::Two => 2,
        }
    }
}

/// Who may change a symbol.
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
    /// The keyword.
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
    /// The keyword.
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
    /// The symbols after `modifies`; `None` where the body follows `=`.
    pub modifies: Option<Vec<Ident>>,
    /// The body.
    pub body: Expr,
}

/// What kind of macro a [`DefinitionDecl`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionKind {
    /// `transition`.
    Transition,
    /// `definition`, with the number of states where that is written.
    Definition(Option<States>),
}

/// A step of an `fbii` proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FbiiStep {
    /// `forward` or `backward`.
    pub forward: bool,
    /// The name in brackets.
    pub name: Option<Ident>,
    /// The variables after `prophecy`, if that is there.
    pub prophecy: Option<Vec<SortedVar>>,
    /// The invariants.
    pub invariants: Vec<FbiiInvariant>,
    /// The `by` block.
    pub by: Option<Vec<FbiiItem>>,
}

/// An invariant of an `fbii` step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FbiiInvariant {
    /// Whether it says `safety`.
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
