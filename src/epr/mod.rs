//! The decision procedure for stratified EPR, which goes on beyond it as far as it can.
//!
//! Formulas become ground clauses, which the SAT solver gets, and universal clauses, which it never sees
//! but by instances. Each model of the ground clauses is shrunk to few literals, closed under congruence
//! and read as a finite structure (`candidate`); a join finds universal clauses that are false in it, and their instances
//! over the structure's terms are added. When none is false the structure is a model. In stratified
//! EPR there are finitely many ground terms, so that this ends; outside, it may find
//! a refutation or a small model, or never end.
//!
//! When a search takes long, and to make a model minimal, models of given sizes are looked for by SAT alone
//! (`finite`).
//!
//! Follows the scheme of model-based quantifier instantiation (Ge and de Moura, CAV 2009), with the model
//! check done by joins over the finite candidate instead of a solver.

mod assert;
mod atoms;
mod bank;
mod candidate;
mod clausify;
mod congruence;
mod dormant;
mod finite;
mod implicant;
mod instances;
mod join;
mod minimize;
mod model;
mod refutation;
mod sample;
mod scopes;
mod search;
mod solver;
mod symbols;
mod table;
mod universal;

pub use minimize::{Measure, Measures, Minimum, PATIENCE, counted_sorts};
pub use refutation::{GroundTerm, Instance, LemmaAtom, LemmaLiteral, Refutation};
pub use sample::Fixed;
pub use solver::{Answer, Clock, Label, Solver, Stats};
