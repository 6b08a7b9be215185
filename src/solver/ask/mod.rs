//! Questions and their judged answers.
//!
//! A [`Context`] has a base of assumptions, and hypotheses that a [`Question`] activates. The answer is *judged*:
//! proved, with the hypotheses used; or a structure, completed and evaluated by the caller's judge; or the exhausted
//! budget. The costs of all questions are counted uniformly ([`Statistics`]).

mod context;
mod cost;
mod falsification;
mod judge;
mod measures;
#[cfg(test)]
mod tests;

pub use context::{Context, Found, HypothesisId, Judged, Question, Size};
pub use cost::{Failure, Meter, Statistics};
pub use falsification::{Falsification, blame, find_falsification};
pub use judge::{evaluation_budget, holds, judge};
pub use measures::measures;
