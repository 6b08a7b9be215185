//! Eager abstraction: from a system with infinitely many states to a circuit (McMillan, CAV 2018).
//!
//! [`Abstraction::new`] takes one claim. Its universal variables become constants that no step changes (Theorem 3),
//! which the circuit *tracks*: of each term it knows which tracked constant it is equal to, and, where the sort has a
//! total order, which ones it is below. The other claims are assumed of the past (Theorem 5), and quantifiers are
//! replaced by instances over named terms.
//!
//! Each leaf of the circuit stands for a formula ([`Fact`]), and so does each edge: latches for facts about the state
//! and about what never changes, inputs for what the abstraction does not know. Given an execution of the system and
//! values of the tracked constants, the truth values of these formulas are an execution of the circuit, with the same
//! violation at its end. So a circuit without an execution to a bad state proves the claim. This is Theorem 1 for the
//! transition relation together with the instances of axioms of equality, congruence and order that Section 4 has
//! schemata for; here, terms are evaluated, and no instance of these needs to be written down. Axioms of the model and
//! schemata of its author are instantiated for the terms that occur ([`Pattern`]).

mod build;
mod claim;
mod evaluate;
mod fact;
mod goal;
mod lemma;
mod matching;
mod order;
mod path;
mod quantify;
mod refusal;
mod relevant;
mod row;
mod schema;
mod state;
mod theory;
mod vocabulary;

pub use build::{Abstraction, GENERATIONS, MAX_NODES, Options, Scope};
pub use claim::{Claim, Place};
pub use fact::{Fact, Input};
pub use path::{Known, Step};
pub use refusal::Refusal;
pub use relevant::Relevant;
pub use schema::Pattern;
pub use theory::{Order, Theory, is_implied};
