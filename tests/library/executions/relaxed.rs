//! Searches for lemmas of relaxed systems.

use std::sync::Arc;

use crate::common::models;
use ramsey::base::budget::Budget;
use ramsey::infer::lemmas;
use ramsey::obligations::Relaxed;
use ramsey::query::bmc::LemmaAnswer;

/// Actions with a result, a local relation and a value before the action: symbols that the model does not declare.
const MARKS: &str = "\
#lang ivy1.7
type node
relation marked(X:node)
after init {
    marked(X) := false
}
action mark(n: node) returns (m: node) = {
    var seen(X:node) : bool;
    require ~marked(n);
    seen(X) := marked(X) | X = n;
    m := n;
    marked(X) := seen(X);
    ensure old marked(X) -> marked(X)
}
export mark
invariant marked(X) & marked(Y) -> X = Y
";

/// What an action leaves in its own variables follows from the state before it, in a relaxed system as well.
#[test]
fn lemma_searches_confirm_executions_of_programs() {
    let relaxed = Arc::new(Relaxed::new(&models::system("marks.ivy", MARKS)).system);
    assert!(relaxed.auxiliary().any(|sym| relaxed.sig.symbols[sym].args.is_empty()));
    assert!(relaxed.auxiliary().any(|sym| !relaxed.sig.symbols[sym].args.is_empty()));
    let targets = [relaxed.invariants[0].formula];
    let mut search = lemmas(&relaxed, &targets, 0, None).expect("few choices");
    match search.advance(&mut Budget::unlimited()).expect("an answer") {
        LemmaAnswer::Violation(0, found) => assert_eq!(found.calls.len(), 2),
        other => panic!("{other:?}"),
    }
}
