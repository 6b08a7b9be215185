//! Claims about what a transition does not change: proved and certified without search.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::common::models;
use ramsey::base::rng::Rng;
use ramsey::check;
use ramsey::obligations::{Origin, Question};
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Outcome, Plan, Verification};
use ramsey::system::System;

const MODEL: &str = "sort s
sort t
immutable constant a: s
mutable constant c: s
mutable constant d: t
mutable function f(s): t
mutable function g(s, t): t
immutable function h(s): t
mutable relation p(s)
mutable relation q(s, t)
immutable relation r(t)
mutable relation z
mutable relation y
mutable relation touched(s)
init z & !z
";

/// A transition without parameters, one with some, and one whose frame condition is all that there is of it.
const TRANSITIONS: &str =
    "transition touch(n: s) modifies touched & (forall X. touched'(X) <-> touched(X) | X = n)
transition settle() modifies touched & (forall X. !touched'(X))
transition havoc(n: s, m: t) modifies touched & p(n) & q(n, m) & (touched'(n) | z)
";

fn load(text: &str) -> Arc<System> {
    let (system, diagnostics) = models::load("model.pyv", text);
    Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}")))
}

/// Certifies a model, and has the certificate checked.
fn certified(text: &str) -> Verification {
    let system = load(text);
    let options = Options { all: true, certify: true, ..Options::default() };
    let mut verification = Plan::new(Arc::clone(&system), options).run(&Limits::default());
    let accepted = of_verification(&system, text, &Question::Verify, &mut verification, false);
    let bytes = accepted.expect("the kernel accepts it").expect("everything is answered").bytes;
    check::check(&system, text, &*bytes).unwrap_or_else(|rejection| panic!("{rejection}\n{text}"));
    verification
}

/// Random formulas in which the binders of `t` are below those of `s`, so that they are stratified.
struct Writer<'r> {
    rng: &'r mut Rng,
    /// Whether they read what the transitions change.
    reads_all: bool,
}

impl Writer<'_> {
    fn one_of<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.rng.below(items.len())]
    }

    fn of_s(&mut self, is_bound: bool) -> String {
        let items: &[&str] = if is_bound { &["a", "c", "X", "X"] } else { &["a", "c"] };
        self.one_of(items).to_owned()
    }

    fn of_t(&mut self, bound: [bool; 2], depth: usize) -> String {
        let kind = self.rng.below(if depth == 0 { 2 } else { 6 });
        match kind {
            0 => "d".to_owned(),
            1 if bound[1] => "T".to_owned(),
            1 | 2 => format!("f({})", self.of_s(bound[0])),
            3 => format!("h({})", self.of_s(bound[0])),
            4 => format!("g({}, {})", self.of_s(bound[0]), self.of_t(bound, depth - 1)),
            _ => {
                let [one, other] = [0, 1].map(|_| self.of_t(bound, depth - 1));
                format!("(if {} then {one} else {other})", self.atom(bound, 0))
            }
        }
    }

    fn atom(&mut self, bound: [bool; 2], depth: usize) -> String {
        match self.rng.below(if self.reads_all { 10 } else { 8 }) {
            8.. => format!("touched({})", self.of_s(bound[0])),
            0 => "z".to_owned(),
            1 => "y".to_owned(),
            2 => format!("p({})", self.of_s(bound[0])),
            3 => format!("r({})", self.of_t(bound, depth)),
            4 => format!("({} = {})", self.of_s(bound[0]), self.of_s(bound[0])),
            5 => format!("({} != {})", self.of_t(bound, depth), self.of_t(bound, depth)),
            6 => format!("distinct({}, d, {})", self.of_t(bound, depth), self.of_t(bound, depth)),
            _ => format!("q({}, {})", self.of_s(bound[0]), self.of_t(bound, depth)),
        }
    }

    /// Returns a closed formula that reads the state.
    fn claim(&mut self, depth: usize) -> String {
        loop {
            let claim = self.formula([false, false], depth);
            let mut words = claim.split(|letter: char| !letter.is_alphanumeric());
            if words.any(|word| ["c", "d", "f", "g", "p", "q", "y", "z"].contains(&word)) {
                return claim;
            }
        }
    }

    fn formula(&mut self, bound: [bool; 2], depth: usize) -> String {
        if depth == 0 {
            return self.atom(bound, 2);
        }
        let quantifier = self.one_of(&["forall", "exists"]);
        match self.rng.below(9) {
            0 | 1 if bound == [false, false] => {
                format!("({quantifier} X:s. {})", self.formula([true, false], depth - 1))
            }
            0..=2 if !bound[1] => {
                format!("({quantifier} T:t. {})", self.formula([bound[0], true], depth - 1))
            }
            3 => format!("!{}", self.formula(bound, depth - 1)),
            4 => {
                let [a, b, c] = [0, 1, 2].map(|_| self.formula(bound, depth - 1));
                format!("(if {a} then {b} else {c})")
            }
            kind => {
                let connective = ["&", "|", "->", "<->"][kind % 4];
                let [a, b] = [0, 1].map(|_| self.formula(bound, depth - 1));
                format!("({a} {connective} {b})")
            }
        }
    }
}

#[test]
fn claims_that_no_transition_changes_take_no_search() {
    let mut rng = Rng::new(17);
    for depth in 0..30 {
        let mut text = format!("{MODEL}{TRANSITIONS}");
        for at in 0..8 {
            let claim = Writer { rng: &mut rng, reads_all: false }.claim(1 + depth % 5);
            let _ = writeln!(text, "invariant [claim{at}] {claim}");
        }
        let verification = certified(&text);
        for result in &verification.results {
            assert!(matches!(result.outcome, Outcome::Holds { .. }), "{:?}\n{text}", result.origin);
            if let Origin::Consecution { .. } = result.origin {
                assert_eq!(result.statistics.queries, 0, "{:?}\n{text}", result.origin);
            }
        }
    }
}

/// Search reads in the state before what does not change, beside what does.
#[test]
fn claims_of_which_some_part_changes_are_certified() {
    let mut rng = Rng::new(5);
    for depth in 0..30 {
        let mut text = format!("{MODEL}{TRANSITIONS}");
        for at in 0..8 {
            let claim = Writer { rng: &mut rng, reads_all: true }.claim(1 + depth % 4);
            let _ = writeln!(text, "invariant [claim{at}] {claim}");
        }
        certified(&text);
    }
}

/// A claim that reads what changes, however deep inside, is searched, as is one about a derived relation.
#[test]
fn claims_about_what_changes_are_searched() {
    let model =
        MODEL.replace("init z & !z", "derived relation w(s): w(X) <-> touched(X) & p(X)\ninit !touched(X)");
    let text = format!(
        "{model}{TRANSITIONS}invariant [kept] p(X) -> p(X)\n\
         invariant [none] forall X. exists T. q(X, T) & (touched(X) -> g(X, f(X)) = T) | !touched(a)\n\
         invariant [derived_relation] w(X) -> w(X) & p(X)\n"
    );
    let verification = certified(&text);
    let mut failed = Vec::new();
    for result in &verification.results {
        let Origin::Consecution { transition, invariant } = result.origin else { continue };
        assert_eq!(result.statistics.queries > 0, invariant > 0, "{:?}", result.origin);
        if matches!(result.outcome, Outcome::Fails(_)) {
            failed.push((transition, invariant));
        }
    }
    assert_eq!(failed, [(0, 1), (2, 1)], "`settle` alone leaves `a` untouched");
}
