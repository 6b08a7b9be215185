//! The example of embedding the library runs as documented.

#[path = "../../examples/embed.rs"]
#[allow(dead_code, reason = "`main` is for who runs the example")]
mod embed;

use ramsey::base::budget::{Cancel, Exhausted};
use ramsey::solver::Answer;

#[test]
fn handing_over_keeps_the_lock_exclusive() {
    let (answer, core) = embed::check(&Cancel::new()).expect("no misuse");
    assert_eq!(answer, Answer::Unsat);
    assert_eq!(core.len(), 1, "the step alone suffices");
}

/// A token that is pulled before the search stops it at the first question of the budget; a search this short may end
/// before that.
#[test]
fn a_cancelled_search_is_no_answer() {
    let cancel = Cancel::new();
    cancel.cancel();
    let (answer, _) = embed::check(&cancel).expect("no misuse");
    assert!(matches!(answer, Answer::Unsat | Answer::Unknown(Exhausted::Cancelled)), "{answer:?}");
}
