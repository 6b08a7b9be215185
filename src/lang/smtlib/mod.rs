//! SMT-LIB 2.6 scripts over uninterpreted sorts. `spec/smtlib.md` defines the accepted language.
//!
//! [`Reader`] splits a script into commands as its bytes arrive. [`Frontend`] translates a command directly to terms,
//! without a syntax tree. [`problem()`] reads a whole script.

mod applications;
mod command;
mod commands;
mod compact;
mod datatypes;
mod failure;
mod families;
mod frontend;
mod lexer;
mod macros;
mod names;
mod parts;
mod problem;
mod reader;
mod script;
mod sorts;
mod stack;
mod state;
mod terms;
mod theories;
mod variables;

pub use command::{Assertion, BoolElements, Command, LiveSort, LiveSymbol, SourceTerm, Value};
pub use failure::Error;
pub use names::quote;
pub use problem::problem;
pub use reader::{Form, Reader};
pub use state::Frontend;
