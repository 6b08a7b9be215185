//! Commands of a script, names resolved.

use crate::logic::{SortId, SymId, TermId};

/// One command. What declares, defines, asserts or changes the assertion stack has been applied already when it is
/// given out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `assert`: the last of [`super::Frontend::assertions`] that is not implicit.
    Assert,
    /// `check-sat`, also `check-sat-using`.
    CheckSat,
    /// `check-sat-assuming`, also `check-sat` with assumptions, as Z3 has it.
    CheckSatAssuming(Vec<Entered>),
    /// `declare-sort`, `declare-fun`, `declare-const`, `declare-datatype`, `declare-datatypes`.
    Declared,
    /// `define-sort`, `define-fun`, `define-const`, `define-fun-rec`, `define-funs-rec`.
    Defined,
    /// `echo`, with the text of the string.
    Echo(String),
    /// `eval`, as Z3 has it: the value of one term.
    Eval(Entered),
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
    GetValue(Vec<Entered>),
    /// `pop`, so many levels.
    Pop(usize),
    /// `push`, so many levels.
    Push(usize),
    /// `reset`. Signature and arena are as they were; nothing in them is live, and [`super::Frontend::compact`] empties them.
    Reset,
    /// `reset-assertions`.
    ResetAssertions,
    /// `set-info`.
    SetInfo {
        /// The keyword with its colon.
        keyword: String,
        /// What it is set to.
        value: Value,
    },
    /// `set-logic`, a logic with uninterpreted functions or enumerations.
    SetLogic(String),
    /// `set-option`.
    SetOption {
        /// The keyword with its colon.
        keyword: String,
        /// What it is set to.
        value: Value,
    },
    /// A command that is not supported, or a logic or another argument of one; the text says which. Nothing was done.
    Unsupported(String),
}

/// The value of an attribute, as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// There is none.
    None,
    /// A symbol; `true` and `false` are symbols.
    Symbol(String),
    /// A string without its quotation marks.
    String(String),
    /// A numeral, as written.
    Numeral(String),
    /// Anything else, as written.
    Other(String),
}

/// A term with its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entered {
    /// What it means.
    pub term: TermId,
    /// As it was written.
    pub text: Box<str>,
}

/// A live assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// A closed formula.
    pub formula: TermId,
    /// The name that `(! .. :named ..)` gives to the whole formula.
    pub name: Option<Box<str>>,
    /// Whether it comes with a declaration (an enumeration, a function with arguments of sort `Bool`) and not from an
    /// `assert`.
    pub implicit: bool,
    /// The formula as it was written; empty where it is implicit.
    pub text: Box<str>,
}

/// A live sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveSort<'a> {
    /// The sort.
    pub sort: SortId,
    /// The constructors, where it was declared as a datatype.
    pub constructors: &'a [SymId],
}

/// A live function symbol that was declared and is not a constructor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveSymbol<'a> {
    /// Its name, without bars.
    pub name: &'a str,
    /// The symbol.
    pub sym: SymId,
}

/// The sort whose two elements stand for truth values where these are arguments of functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoolElements {
    /// The sort.
    pub sort: SortId,
    /// The constant that stands for `true`.
    pub tru: SymId,
    /// The constant that stands for `false`.
    pub fals: SymId,
}
