//! Ramsey: safety of distributed protocols in first-order logic, decided without an external solver.
//!
//! A model is a transition system over uninterpreted sorts. Three things are asked of its invariants: every
//! initial state satisfies them, every transition preserves them, and what else is claimed (theorems) is
//! valid. Each question becomes one or more *obligations*, and each obligation is either proved or refuted by a
//! finite structure, which is evaluated against the formulas as they were written before anybody sees it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use ramsey::base::ids::Id as _;
//! use ramsey::base::span::FileId;
//! use ramsey::lang::pyv;
//! use ramsey::query::{Limits, Options, Outcome, Plan};
//!
//! let text = "
//!     sort node
//!     mutable relation holds(node)
//!
//!     init !holds(N)
//!
//!     transition acquire(n: node)
//!       modifies holds
//!       & (forall M. !holds(M))
//!       & (forall M. new(holds(M)) <-> M = n)
//!
//!     transition steal(n: node)
//!       modifies holds
//!       & (forall M. new(holds(M)) <-> holds(M) | M = n)
//!
//!     safety [mutex] holds(A) & holds(B) -> A = B
//! ";
//! // Text to a transition system. Diagnostics are data: here there are none.
//! let (system, diagnostics) = pyv::load(FileId::new(0), text);
//! assert!(diagnostics.is_empty());
//! let system = Arc::new(system.expect("a system, since there is no error"));
//!
//! // A budget in steps that are the same on every machine; there is no clock in here.
//! let limits = Limits { work: Some(1_000_000), ..Limits::default() };
//! let verification = Plan::new(system, Options::default()).run(&limits);
//!
//! // One answer per obligation, in the order of the source: `init`, then transition by transition.
//! let [init, acquire, steal] = &verification.results[..] else { panic!("three obligations") };
//! assert!(matches!(init.outcome, Outcome::Holds { .. }));
//! assert!(matches!(acquire.outcome, Outcome::Holds { .. }));
//!
//! // `steal` ignores the lock: two nodes suffice to show it, one of them with the lock already.
//! let Outcome::Fails(counterexample) = &steal.outcome else { panic!("a counterexample") };
//! let node = verification.obligations.sig.uninterpreted_sorts().next().expect("a sort");
//! assert_eq!(counterexample.structure.sizes[node], 2);
//! ```
//!
//! # Where to go from here
//!
//! | module | for |
//! |---|---|
//! | [`lang`] | text to [`system::System`], and back |
//! | [`query`] | the questions: [`query::Plan`] (verify), [`query::fragment()`] |
//! | [`epr`] | the decision procedure alone: assert formulas, check, read the structure |
//! | [`sat`] | the SAT solver alone, with checkable proofs |
//! | [`logic`] | formulas, structures, evaluation |
//! | [`check`] | whether a certificate is right about a system |
//! | [`checker`] | the same for a closed form, without anything else of this library |
//! | [`obligations`] | what exactly is claimed when an obligation is `ok` |
//! | [`report`] | answers as text and (with the feature `json`) JSON |
//! | [`ask`] | questions about formulas, with judged answers |
//! | [`cache`] | answers kept for later runs, and checked there |
//! | [`infer`] | inductive invariants, found |
//! | [`conjectures`] | conjectures that exclude a state, ranked |
//! | [`finite`] | circuits of systems with given numbers of elements |
//! | [`eager`] | circuits that abstract systems with any number of elements |
//! | [`workbench`] | facts of a state selected, claims added to the text of a model |
//! | `ui` (with the feature `json`) | interactive sessions as a log of commands, and the answers that pages show |
//!
//! There is no global state, except that events go to the logger of the crate `log`, if the feature `log` is on and the
//! program has installed one. Without its default feature `cli` the library knows no files, threads or clocks, and
//! builds for `wasm32-unknown-unknown`. Every search takes a [`base::budget::Budget`].

#[cfg(feature = "json")]
pub use ramsey_app as ui;
pub use ramsey_checker as checker;
pub use ramsey_circuit::{eager, finite, hwmc, transition};
#[cfg(feature = "cli")]
pub use ramsey_cli as cli;
pub use ramsey_core::{base, diag, logic, system, typed_id};
pub use ramsey_engine::{cache, conjectures, elaborate, infer, prove, query};
pub use ramsey_kernel::{check, core, obligations};
pub use ramsey_lang as lang;
pub use ramsey_report as report;
pub use ramsey_services::{lint, script, workbench};
pub use ramsey_solver::{ask, epr, formulas, sat, solver, telemetry};
