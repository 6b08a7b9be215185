//! Proofs from searches that do without frame conditions.

use super::{Certified, Certifier, frames};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::{Source, Sources};
use ramsey_kernel::obligations::{Obligations, Question};
use ramsey_lang::{Includes, Language, load};

const MODEL: &str = "sort s
sort t
mutable constant c: s
mutable constant d: t
mutable function f(s): t
mutable function g(s, t): t
mutable relation q(s, t)
mutable relation touched(s)
mutable relation late(s)
mutable relation marked(s)
mutable relation ended
derived relation w(s): w(X) <-> touched(X) & q(X, d)
init !touched(X)
init !late(X)
init !marked(X)
init !ended
transition touch(n: s) modifies touched, late, marked, ended
  & (q(n, g(c, f(n))) & (n = c -> f(n) = d))
  & ((forall X. touched'(X) <-> (if X = n then q(n, d) <-> q(n, d) else touched(X)))
    & (forall X. late'(X) <-> touched'(X) & q(X, g(c, f(X)))) & ended')
  & (forall X. marked'(X) <-> marked(X) | X = n & exists T. q(X, T))
invariant touched(X) -> q(X, g(c, f(X)))
invariant touched(c) -> f(c) = d
invariant touched(X) -> exists T. q(X, T) & (T = g(c, f(X)) | T = d)
invariant late(X) -> touched(X) & ended
invariant w(X) -> touched(X) & q(X, g(c, f(X)))
invariant (exists X. touched(X) & f(X) = d) -> exists X. q(X, g(c, d)) & touched(X)
invariant marked(X) -> touched(X)
";

/// Returns the obligations of a model about what follows from its steps.
fn of_model(text: &str) -> Obligations {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("model.pyv".to_owned(), text.to_owned()));
    let (system, diagnostics) = load(Language::Pyv, file, &sources, &Includes::new());
    let system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
    Obligations::of_question(&system, &Question::Verify)
}

/// Proves the goals after the first transition. Returns the names of the symbols that search reads in the next state of each.
fn read_of_goals(obligations: &Obligations) -> Vec<Vec<&str>> {
    let group = obligations.groups.iter().find(|group| group.kind.transition().is_some());
    let group = group.expect("the transition has obligations");
    let budget = &mut Budget::unlimited();
    let mut certifier = Certifier::new(obligations, group, None, 0, None, budget);
    let goals = 0..group.goals.len();
    let read = goals.map(|goal| {
        let (_, negated) = certifier.goals[goal].expect("it is small");
        let next = frames::read_next(certifier.solver.terms(), negated);
        let answer = certifier.try_answer(goal, false, budget);
        assert!(matches!(answer, Ok(Certified::Proof(..))), "goal {goal}: {answer:?}");
        next.iter().map(|&sym| obligations.sig.symbols[sym].name.as_str()).collect()
    });
    read.collect()
}

#[test]
fn searches_without_frame_conditions_and_definitions_become_proofs() {
    let obligations = of_model(MODEL);
    for (goal, names) in read_of_goals(&obligations).into_iter().enumerate() {
        // The definition of `marked` has a quantifier, and `w` is no symbol of the transition.
        let expected: &[&str] = match goal {
            4 => &["w"],
            6 => &["marked"],
            _ => &[],
        };
        assert_eq!(names, expected, "goal {goal}");
    }
}

/// A definition may take the place of what it defines many times, so a large one does not.
#[test]
fn large_definitions_stay_where_they_are() {
    let read = |parts: usize| {
        let definition: String = (0..parts).map(|at| format!(" | X = c{at} & q(X, c{at})")).collect();
        let constants: String = (0..parts).map(|at| format!("immutable constant c{at}: s\n")).collect();
        let model = format!(
            "sort s\nimmutable relation q(s, s)\nmutable relation r(s)\n{constants}init !r(X)\n\
             transition step() modifies r & forall X. r'(X) <-> r(X){definition}\n\
             invariant r(X) -> q(X, X)\n"
        );
        read_of_goals(&of_model(&model)).into_iter().flatten().map(str::to_owned).collect::<Vec<String>>()
    };
    assert!(read(10).is_empty());
    assert_eq!(read(40), ["r"]);
}
