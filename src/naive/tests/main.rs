//! The second reading of each language. That both readings agree is tested with the first one.

mod ivy;
mod pyv;
mod rml;
mod smtlib;
mod tptp;
