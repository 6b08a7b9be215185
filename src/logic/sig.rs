//! Sorts and symbols.

use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::typed_id;

typed_id! {
    /// A sort. [`SortId::BOOL`] is the sort of formulas, all others are uninterpreted.
    pub struct SortId;
    /// A relation, function or constant.
    pub struct SymId;
}

impl SortId {
    /// The sort of formulas; always the first sort of a signature.
    pub const BOOL: SortId = SortId(0);
}

/// A mark on a declaration: `@name(args)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The name without `@`.
    pub name: String,
    /// The arguments, identifiers all.
    pub args: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// A sort: a non-empty set, otherwise arbitrary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    /// The name in the source.
    pub name: String,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Where it is declared; `None` for `bool` and for sorts that no source declares.
    pub span: Option<Span>,
}

/// Where the meaning of a symbol comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// The same in every state.
    Immutable,
    /// Changed by transitions.
    Mutable,
    /// Mutable, but never changed directly: fixed in every state by its defining axiom.
    Derived,
    /// A constant that stands for a transition's parameter; made by the tool, not declared.
    Parameter,
    /// A relation without arguments that stands for a choice that an action makes, anew in each step; made by the
    /// tool, not declared. Nothing constrains it and it has no frame condition.
    Choice,
}

impl SymbolKind {
    /// Whether the symbol may differ between states.
    pub fn is_mutable(self) -> bool {
        matches!(self, SymbolKind::Mutable | SymbolKind::Derived | SymbolKind::Choice)
    }
}

/// A relation (result `bool`), function, or constant (no arguments).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name in the source.
    pub name: String,
    /// Argument sorts; never `bool`.
    pub args: Vec<SortId>,
    /// Result sort; `bool` for relations (a constant of sort `bool` is a relation without arguments).
    pub result: SortId,
    /// Where its meaning comes from.
    pub kind: SymbolKind,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Where it is declared; `None` where no source declares it.
    pub span: Option<Span>,
}

impl Symbol {
    /// Whether the model declares it. What front ends add has an `@` in its name, which no identifier has.
    pub fn is_declared(&self) -> bool {
        !self.name.contains('@')
    }

    /// Whether it is a relation (of any arity).
    pub fn is_relation(&self) -> bool {
        self.result == SortId::BOOL
    }

    /// Whether it carries the annotation `name`.
    pub fn has_annotation(&self, name: &str) -> bool {
        self.annotations.iter().any(|annotation| annotation.name == name)
    }
}

impl Sort {
    /// The annotation `name`, if it carries one.
    pub fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations.iter().find(|annotation| annotation.name == name)
    }
}

/// All sorts and symbols, in the order of their declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The first is `bool`.
    pub sorts: IdVec<SortId, Sort>,
    /// All symbols; names are unique among declared symbols.
    pub symbols: IdVec<SymId, Symbol>,
}

impl Signature {
    /// The signature with `bool` alone.
    pub fn new() -> Self {
        let mut sorts = IdVec::new();
        sorts.push(Sort { name: "bool".into(), annotations: Vec::new(), span: None });
        Signature { sorts, symbols: IdVec::new() }
    }

    /// The uninterpreted sorts in declaration order.
    pub fn uninterpreted_sorts(&self) -> impl DoubleEndedIterator<Item = SortId> + use<> {
        self.sorts.ids().skip(1)
    }
}

impl Default for Signature {
    fn default() -> Self {
        Self::new()
    }
}
