//! Sorts and symbols.

use std::sync::Arc;

use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::typed_id;

typed_id! {
    /// A sort. [`SortId::BOOL`] is the sort of formulas; all others are uninterpreted.
    pub struct SortId;
    /// A relation, function or constant.
    pub struct SymId;
}

impl SortId {
    /// The sort of formulas; always the first sort of a signature.
    pub const BOOL: SortId = SortId(0);
}

/// An annotation of a declaration: `@name(args)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The name without `@`.
    pub name: String,
    /// The arguments; all are identifiers.
    pub args: Vec<String>,
    /// The position in the source.
    pub span: Span,
}

/// A large set that a text says the elements of a sort to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Universe {
    /// The natural numbers, in their order.
    Naturals,
    /// The integers, in their order.
    Integers,
    /// The natural numbers between two, which belong to them.
    Range(u64, u64),
    /// Texts, in an order with a least one and without a greatest one. What is between two is not told.
    Texts,
}

/// A sort, interpreted as an arbitrary non-empty set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    /// The name in the source.
    pub name: String,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// What its elements are, if that is a large set. Proofs do not use it: what holds in every set holds in this one. A
    /// counterexample may have fewer elements, and be none with all elements of the set.
    pub universe: Option<Universe>,
    /// The declaration; `None` for `bool` and for sorts not declared in a source.
    pub span: Option<Span>,
}

/// Kind of a symbol, which determines where its interpretation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// Has the same interpretation in every state.
    Immutable,
    /// Changed by transitions.
    Mutable,
    /// Mutable but never assigned: determined in every state by its defining axiom.
    Derived,
    /// A constant that stands for a transition's parameter. Introduced internally.
    Parameter,
    /// A relation that is chosen anew in each state and has no frame condition. Introduced internally: for a
    /// nondeterministic choice of an action (nullary and unconstrained), and for the viable values of a prophecy.
    Choice,
}

impl SymbolKind {
    /// Returns whether the interpretation may differ between states.
    pub fn is_mutable(self) -> bool {
        matches!(self, SymbolKind::Mutable | SymbolKind::Derived | SymbolKind::Choice)
    }
}

/// Why a claim is not checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unchecked {
    /// It is about executions without end.
    Temporal,
    /// Its proof is by a tactic that is not read.
    Tactic,
}

/// Where a symbol comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolOrigin {
    /// A text, or whoever builds the signature, has given it its name.
    Declared,
    /// The order of a sort, which a text uses without a declaration. It is written between its arguments.
    Order,
    /// What relates the values of a sort to what they are as values of a variant of it. It is written between its arguments.
    Variant,
    /// An operation of a sort, `+`, `-` or `*`, which a text uses without a declaration: any function, or what axioms tell. It is written between its
    /// arguments, as this text.
    Operation(&'static str),
    /// Such an operation on numbers, of which only a part of what is true is known. What holds whatever it is holds of numbers; a
    /// structure may be wrong about them.
    Arithmetic(&'static str),
    /// A function or relation that is defined by recursion over numbers, of which only instances are known that proofs name. A
    /// structure may be wrong about it.
    Recursive,
    /// A numeral of a sort whose elements are all numbers of a large set.
    Numeral(u64),
    /// A numeral beyond the numbers of its sort, which stands for one of these: for which one is not known. A structure may be wrong
    /// about it.
    Beyond,
    /// Stands for a claim that is not checked, of which nothing is known: a structure in which it is false says nothing.
    Unchecked(Unchecked),
    /// A constant that stands for something that an axiom says exists. This is introduced by searches, and no answer mentions it.
    Witness,
    /// Introduced by a relaxation: true of the elements that have not disappeared.
    Activity,
    /// A variable of a command, or what the same name stands for in another place. This is the name in the source, which
    /// several have; that of the symbol is unique.
    Local(Arc<str>),
    /// Introduced to say what a text means, which does not mention it: a choice, a value before, a part of a formula.
    Internal,
}

/// A relation (result `bool`), function, or constant (no arguments).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name. Nothing reads from it what [`Symbol::origin`] says.
    pub name: String,
    /// Where it comes from.
    pub origin: SymbolOrigin,
    /// Argument sorts; never `bool`.
    pub args: Vec<SortId>,
    /// Result sort; `bool` for relations (a constant of sort `bool` is a nullary relation).
    pub result: SortId,
    /// Determines where the interpretation comes from.
    pub kind: SymbolKind,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// The declaration; `None` if the symbol is not declared in a source.
    pub span: Option<Span>,
}

impl Symbol {
    /// Creates a symbol that is declared in no source, without annotations.
    pub fn new(name: impl Into<String>, args: Vec<SortId>, result: SortId, kind: SymbolKind) -> Symbol {
        let (annotations, span) = (Vec::new(), None);
        Symbol { name: name.into(), origin: SymbolOrigin::Declared, args, result, kind, annotations, span }
    }

    /// Creates a constant that stands for a parameter.
    pub fn parameter(name: impl Into<String>, sort: SortId) -> Symbol {
        Symbol::new(name, Vec::new(), sort, SymbolKind::Parameter)
    }

    /// Returns whether answers mention the symbol by its name: it is neither local nor internal.
    pub fn is_declared(&self) -> bool {
        !matches!(self.origin, SymbolOrigin::Local(_) | SymbolOrigin::Internal)
    }

    /// Returns whether only a part is known of what is true of the symbol: what holds whatever it is holds of numbers, and a structure
    /// in which a claim is false says nothing.
    pub fn is_of_numbers(&self) -> bool {
        matches!(self.origin, SymbolOrigin::Arithmetic(_) | SymbolOrigin::Recursive | SymbolOrigin::Beyond)
    }

    /// Returns the operator that is written between its arguments, if it is an order or an operation.
    pub fn operator(&self) -> Option<&'static str> {
        match self.origin {
            SymbolOrigin::Order => Some("<"),
            SymbolOrigin::Variant => Some("*>"),
            SymbolOrigin::Operation(op) | SymbolOrigin::Arithmetic(op) => Some(op),
            _ => None,
        }
    }

    /// Returns whether the symbol is a relation (of any arity).
    pub fn is_relation(&self) -> bool {
        self.result == SortId::BOOL
    }

    /// Returns whether the symbol has the annotation `name`.
    pub fn has_annotation(&self, name: &str) -> bool {
        self.annotations.iter().any(|annotation| annotation.name == name)
    }
}

impl Sort {
    /// Creates a sort of any elements that is declared in no source, without annotations.
    pub fn new(name: impl Into<String>) -> Sort {
        Sort { name: name.into(), annotations: Vec::new(), universe: None, span: None }
    }

    /// Returns the annotation `name`, if the sort has it.
    pub fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations.iter().find(|annotation| annotation.name == name)
    }
}

/// All sorts and symbols, in declaration order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The first is `bool`.
    pub sorts: IdVec<SortId, Sort>,
    /// All symbols; names are unique among declared symbols.
    pub symbols: IdVec<SymId, Symbol>,
    /// The syntax in which formulas are shown.
    pub notation: Notation,
}

/// A syntax in which formulas are shown to readers. No meaning depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// That of `.pyv` and `.rml`.
    #[default]
    Pyv,
    /// That of `.ivy`.
    Ivy,
}

impl Signature {
    /// Creates the signature that contains only `bool`.
    pub fn new() -> Self {
        let mut sorts = IdVec::new();
        sorts.push(Sort::new("bool"));
        Signature { sorts, symbols: IdVec::new(), notation: Notation::Pyv }
    }

    /// Returns the uninterpreted sorts in declaration order.
    pub fn uninterpreted_sorts(&self) -> impl DoubleEndedIterator<Item = SortId> + use<> {
        self.sorts.ids().skip(1)
    }
}

impl Default for Signature {
    fn default() -> Self {
        Self::new()
    }
}
