//! Errors of calls that the solver rejects.

use std::fmt;

/// An invalid call. It leaves the solver unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misuse {
    /// A handle that this solver has not given. One of another solver is noticed only if none here has its number: otherwise it is
    /// that one.
    Foreign,
    /// A name that is already declared.
    Declared(String),
    /// A symbol applied to the wrong number of arguments.
    Arity {
        /// The symbol.
        symbol: String,
        /// The expected number of arguments.
        expected: usize,
        /// The actual number of arguments.
        found: usize,
    },
    /// A term of the wrong sort.
    Sort {
        /// The name of the expected sort.
        expected: String,
        /// The name of the actual sort.
        found: String,
    },
    /// A formula used as an argument or as the value of an argument sort, which is not allowed.
    FormulaAsArgument,
    /// A quantifier without variables, or with repeated ones.
    Binder,
    /// A variable bound again inside the scope of its own quantifier.
    Rebound(String),
    /// A free variable in a formula that must be closed.
    Free(String),
    /// A term nested deeper than [`crate::solver::Solver::MAX_DEPTH`].
    TooDeep,
    /// An attempt to close a scope while none is open.
    NoScope,
    /// A request for a model when the last check did not find one, or after a later assertion or declaration.
    NoModel,
    /// A request for a core when the last check did not find one, or after a later assertion or declaration.
    NoCore,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Foreign => f.write_str("a handle that this solver has not given"),
            Misuse::Declared(name) => write!(f, "`{name}` is declared twice"),
            Misuse::Arity { symbol, expected, found } => {
                write!(f, "`{symbol}` takes {expected} arguments, and there are {found}")
            }
            Misuse::Sort { expected, found } => {
                write!(f, "a term of sort {found} where {expected} is expected")
            }
            Misuse::FormulaAsArgument => f.write_str("a formula cannot be an argument"),
            Misuse::Binder => f.write_str("a quantifier needs variables, each once"),
            Misuse::Rebound(name) => write!(f, "the variable `{name}` is bound again in its own scope"),
            Misuse::Free(name) => {
                write!(f, "the variable `{name}` is free in a formula that has to be closed")
            }
            Misuse::TooDeep => f.write_str("a term is nested too deep"),
            Misuse::NoScope => f.write_str("no scope is open"),
            Misuse::NoModel => f.write_str(
                "there is no model: the last check did not find one, or something was changed since",
            ),
            Misuse::NoCore => f.write_str(
                "there is no core: the last check did not find one, or something was changed since",
            ),
        }
    }
}

impl std::error::Error for Misuse {}
