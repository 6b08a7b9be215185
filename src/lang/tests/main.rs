//! The languages as their users have them. What only the inside of a module shows is tested there.

mod aiger;
mod core;
mod ivy;
mod pyv;
mod rml;
mod smtlib;
mod tptp;
