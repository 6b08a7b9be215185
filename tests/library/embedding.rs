//! The example of embedding the library runs as documented.

#[path = "../../examples/embed.rs"]
#[allow(dead_code, reason = "`main` is for who runs the example")]
mod embed;

use ramsey::base::budget::{Budget, Cancel, Exhausted};
use ramsey::solver::{Answer, Misuse, Solver};

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

/// The deepest terms that can be made are asserted and checked by a thread with the usual stack.
#[test]
fn a_usual_stack_is_enough_for_the_deepest_terms() {
    let run = || {
        let mut solver = Solver::new();
        let [truth, bottom] = ["truth", "bottom"].map(|name| {
            let symbol = solver.relation(name, &[]).expect("a new name");
            solver.apply(symbol, &[]).expect("a proposition")
        });
        let mut term = bottom;
        let mut levels = 0;
        let last = loop {
            let next = solver.eq(term, truth).and_then(|same| solver.ite(same, truth, term));
            match next {
                Ok(next) => (term, levels) = (next, levels + 2),
                Err(misuse) => break misuse,
            }
        };
        solver.assert(term).expect("a formula");
        (last, levels, solver.check(&mut Budget::unlimited()))
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    let (last, levels, answer) = thread.join().expect("it ends");
    assert_eq!(last, Misuse::TooDeep);
    assert!(levels >= Solver::MAX_DEPTH - 2, "{levels}");
    assert_eq!(answer, Answer::Sat);
}
