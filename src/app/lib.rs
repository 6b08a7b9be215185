//! Interactive sessions: a person looks at counterexamples to induction of a model and changes its claims until they are
//! inductive (Ivy, PLDI 2016, sections 2 to 5).
//!
//! A session is a log of commands. What it shows is a function of the log: [`State`] is a fold of it, and answers to
//! questions are functions of the state's model, kept in a cache. Undoing moves within the log, so it asks nothing.
//! [`message`] has what clients say and hear: a web page, an editor, a replay.
//!
//! There are no files, threads or clocks here. A caller hands the model's text over, and decides where questions are
//! answered and when they are cancelled.

mod answer;
mod command;
pub mod config;
mod definition;
mod findings;
mod log;
pub mod message;
pub mod models;
mod replay;
pub mod reply;
mod report;
mod session;
mod state;

pub use answer::{Asked, Failed, Progress, Question, answer};
pub use command::{Call, Command};
pub use findings::{Executions, Findings};
pub use log::{Entry, Log, Move, Opening, line};
pub use replay::replay;
pub use report::{Report, report};
pub use session::{Misfit, Session};
pub use state::{Drawing, Origin, Selected, State, Walk};
