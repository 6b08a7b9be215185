//! What the solver refuses.

use std::fmt;

/// A call that has no meaning. The solver is as it was before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misuse {
    /// A handle is not of this solver.
    Foreign,
    /// Something is declared twice.
    Declared(String),
    /// A symbol is applied to the wrong number of arguments.
    Arity {
        /// The symbol.
        symbol: String,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A term has another sort than its place demands.
    Sort {
        /// The name of the sort that fits.
        expected: String,
        /// The name of its own.
        found: String,
    },
    /// A formula is an argument or a value of an argument sort; formulas have no place there.
    FormulaAsArgument,
    /// A quantifier without variables, or with one twice.
    Binder,
    /// A variable is bound again inside the scope of its own quantifier.
    Rebound(String),
    /// A formula that has to be closed has this variable free.
    Free(String),
    /// A term is nested deeper than [`crate::solver::Solver::MAX_DEPTH`].
    TooDeep,
    /// A scope is closed and none is open.
    NoScope,
    /// A model is asked for, and the last check did not find one, or something was asserted or declared since.
    NoModel,
    /// A core is asked for, and the last check did not find one, or something was asserted or declared since.
    NoCore,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Foreign => f.write_str("a handle of another solver"),
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
