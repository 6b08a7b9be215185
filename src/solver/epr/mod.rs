//! Decision procedure for stratified EPR; outside this fragment an incomplete search.
//!
//! Formulas are converted to ground clauses, which are passed to the SAT solver, and universal clauses, of which the
//! SAT solver gets only instances. Each model of the ground clauses is reduced to few literals, closed under congruence
//! and read as a finite structure (`candidate`). A join finds universal clauses that are false in it, and their
//! instances over the terms of the structure are added. If none is false, the structure is a model. Stratified EPR has
//! finitely many ground terms, so the procedure terminates. Outside of it, the procedure may find a refutation or a
//! small model, or not terminate.
//!
//! In long searches, and to minimize a model, models of given sizes are searched by SAT alone (`finite`).
//!
//! The scheme is model-based quantifier instantiation (Ge and de Moura, CAV 2009). The model check is done by joins
//! over the finite candidate instead of a solver.

mod active;
mod asking;
mod assert;
mod assertions;
mod atoms;
mod bank;
mod candidate;
mod clause;
mod clausify;
mod compiled;
mod congruence;
mod detours;
mod dormant;
mod equality;
mod finite;
mod focus;
mod grounding;
mod implicant;
mod instances;
mod join;
mod matching;
mod minimize;
mod model;
mod outside;
mod refutation;
mod resting;
mod sample;
mod scopes;
mod search;
mod settled;
mod simplest;
mod sizes;
mod solver;
mod symbols;
mod table;
mod universal;

pub use assertions::{AssertionId, Assertions};
pub use minimize::{Measure, Measures, Minimum, PATIENCE, counted_sorts};
pub use refutation::{GroundTerm, Instance, LemmaAtom, LemmaLiteral, Refutation};
pub use sample::Fixed;
pub use solver::{Answer, Clock, Label, Solver, Stats};
