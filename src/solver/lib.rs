//! A SAT solver, and the decision procedure for effectively propositional logic over it.

pub mod ask;
pub mod epr;
pub mod formulas;
pub mod sat;
pub mod solver;
pub mod telemetry;
