//! AIGER, the format of hardware model checking: and-inverter graphs with latches (A. Biere, K. Heljanko, S. Wieringa:
//! AIGER 1.9 And Beyond, 2011).
//!
//! Both encodings are read and written, ASCII (`aag`) and binary (`aig`). A circuit in memory is always numbered as in
//! the binary encoding: variable 0 is the constant false, and then come inputs, latches and gates, each gate after its
//! operands. Justice properties and fairness constraints are refused.

mod ascii;
mod binary;
mod circuit;
mod parse;
mod reader;
mod symbols;
mod writer;

pub use super::shared::Error;
pub use circuit::{Circuit, Latch, Lit, Symbol, SymbolKind};
pub use parse::{parse, parse_within};
pub use writer::{write_ascii, write_binary};
