//! Commands of a script, with resolved names.

use ramsey_core::logic::{SortId, SymId, TermId};

/// A command. Declarations, definitions, assertions and changes of the assertion stack have already been applied when
/// it is returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `assert`. The formula is the last of [`super::Frontend::assertions`] that is not implicit.
    Assert,
    /// `check-sat`, also `check-sat-using`.
    CheckSat,
    /// `check-sat-assuming`, or `check-sat` with assumptions, an extension of Z3.
    CheckSatAssuming(Vec<SourceTerm>),
    /// `declare-sort`, `declare-fun`, `declare-const`, `declare-datatype`, `declare-datatypes`.
    Declared,
    /// `define-sort`, `define-fun`, `define-const`, `define-fun-rec`, `define-funs-rec`.
    Defined,
    /// `echo`, with the text of the string.
    Echo(String),
    /// `eval`, an extension of Z3: the value of one term.
    Eval(SourceTerm),
    /// `exit`.
    Exit,
    /// `get-assertions`.
    GetAssertions,
    /// `get-assignment`.
    GetAssignment,
    /// `get-info`, with the keyword and its colon.
    GetInfo(String),
    /// `get-model`.
    GetModel,
    /// `get-option`, with the keyword and its colon.
    GetOption(String),
    /// `get-proof`.
    GetProof,
    /// `get-unsat-assumptions`.
    GetUnsatAssumptions,
    /// `get-unsat-core`.
    GetUnsatCore,
    /// `get-value`.
    GetValue(Vec<SourceTerm>),
    /// `pop`, with the number of levels.
    Pop(usize),
    /// `push`, with the number of levels.
    Push(usize),
    /// `reset`. Signature and arena are unchanged but contain nothing live; [`super::Frontend::compact`] empties them.
    Reset,
    /// `reset-assertions`.
    ResetAssertions,
    /// `set-info`.
    SetInfo {
        /// The keyword with its colon.
        keyword: String,
        /// The new value.
        value: Value,
    },
    /// `set-logic`, for a logic with uninterpreted functions or enumerations.
    SetLogic(String),
    /// `set-option`.
    SetOption {
        /// The keyword with its colon.
        keyword: String,
        /// The new value.
        value: Value,
    },
    /// A command, logic or argument that is not supported, as described by the text. The command has no effect.
    Unsupported(String),
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// No value.
    None,
    /// A symbol; `true` and `false` are symbols.
    Symbol(String),
    /// A string without quotation marks.
    String(String),
    /// A numeral, as written.
    Numeral(String),
    /// Any other value, as written.
    Other(String),
}

/// A term with its source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceTerm {
    /// The term.
    pub term: TermId,
    /// The source text.
    pub text: Box<str>,
}

/// A live assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// The formula, which is closed.
    pub formula: TermId,
    /// The name of the whole formula given by `(! .. :named ..)`.
    pub name: Option<Box<str>>,
    /// Whether it results from a declaration (of an enumeration, or of a function with arguments of sort `Bool`) and
    /// not from an `assert`.
    pub implicit: bool,
    /// The source text; empty for implicit assertions.
    pub text: Box<str>,
}

/// A sort in scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveSort<'a> {
    /// The sort.
    pub sort: SortId,
    /// The constructors, if the sort is a datatype.
    pub constructors: &'a [SymId],
}

/// A declared function symbol in scope, other than a constructor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveSymbol<'a> {
    /// The name, without bars.
    pub name: &'a str,
    /// The symbol.
    pub sym: SymId,
}

/// The sort whose two elements represent truth values as arguments of functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoolElements {
    /// The sort.
    pub sort: SortId,
    /// The constant for `true`.
    pub tru: SymId,
    /// The constant for `false`.
    pub fals: SymId,
}
