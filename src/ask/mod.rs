//! Questions and their judged answers.
//!
//! A [`Context`] has a base of assumptions, and hypotheses that a [`Question`] switches on. The answer is *judged*: proved,
//! with the hypotheses that it needed, or a structure that has been completed and evaluated by whoever asked, or the budget
//! that ran out. What all questions cost is counted in one way ([`Statistics`]).

mod breach;
mod context;
mod cost;
mod judge;
mod measures;
#[cfg(test)]
mod tests;

pub use breach::{Breach, blame, breach};
pub use context::{Context, Found, HypothesisId, Judged, Question, Size};
pub use cost::{Failure, Meter, Statistics};
pub use judge::{evaluation_budget, holds, judge};
pub use measures::measures;
