//! The normal form of formulas.

use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures, Vocabulary};
use ramsey::base::rng::Rng;
use ramsey::logic::{Evaluator, Node, TermId, Terms};
use ramsey::prove::normal::{Normalizer, normalize};

/// Checks the normal form: literals without `if`, flat conjunctions and disjunctions, and quantifiers moved inwards as
/// far as possible.
fn is_normal(terms: &Terms, formula: TermId) -> bool {
    match terms.node(formula) {
        Node::And(items) | Node::Or(items) => {
            let conjunction = matches!(terms.node(formula), Node::And(_));
            let items = terms.args(items).to_vec();
            let flat = items.iter().enumerate().all(|(at, &item)| {
                let other_kind = match terms.node(item) {
                    Node::And(_) => !conjunction,
                    Node::Or(_) => conjunction,
                    Node::True | Node::False => false,
                    _ => true,
                };
                other_kind && !items[..at].contains(&item)
            });
            flat && items.iter().all(|&item| is_normal(terms, item))
        }
        Node::Forall(vars, body) | Node::Exists(vars, body) => {
            let universal = matches!(terms.node(formula), Node::Forall(..));
            let vars: Vec<_> = terms.bound_vars(vars).collect();
            let free = terms.free_vars(body);
            let pushed = match terms.node(body) {
                Node::And(_) | Node::Forall(..) => !universal,
                Node::Or(_) | Node::Exists(..) => universal,
                Node::True | Node::False => false,
                _ => true,
            };
            pushed && vars.iter().all(|var| free.contains(var)) && is_normal(terms, body)
        }
        Node::Not(atom) => is_atom(terms, atom),
        Node::True | Node::False => false,
        _ => is_atom(terms, formula),
    }
}

fn is_atom(terms: &Terms, atom: TermId) -> bool {
    fn is_plain(terms: &Terms, term: TermId) -> bool {
        matches!(terms.node(term), Node::App { .. } | Node::Var(_))
            && terms.children(term).all(|child| is_plain(terms, child))
    }
    match terms.node(atom) {
        Node::App { .. } => is_plain(terms, atom),
        Node::Eq(a, b) => a != b && is_plain(terms, a) && is_plain(terms, b),
        _ => false,
    }
}

#[test]
fn normal_forms_keep_the_value() {
    let mut seen = [0; 2];
    for seed in 0..cases(200) {
        let mut rng = Rng::new(seed);
        let vocabulary =
            if rng.one_in(2) { Vocabulary::of_states(&mut rng) } else { Vocabulary::random(&mut rng) };
        let sig = &vocabulary.sig;
        let mut terms = Terms::new();
        let formula = Generator::new(&vocabulary, &mut terms, &mut rng).over_steps(2).formula(4);
        let mut normalizer = Normalizer::default();
        let forms =
            [true, false].map(|positive| normalize(&mut terms, formula, positive).expect("a small formula"));
        for (form, positive) in forms.into_iter().zip([true, false]) {
            let constant = matches!(terms.node(form), Node::True | Node::False);
            assert!(constant || is_normal(&terms, form), "seed {seed}");
            assert!(terms.free_vars(form).is_empty());
            assert_eq!(normalizer.of(&mut terms, formula, positive), Ok(form), "a memory changes nothing");
            assert_eq!(
                normalize(&mut terms, form, true),
                Ok(form),
                "seed {seed}: normal forms are their own"
            );
        }
        let sizes = vocabulary.sorts.map(|sort| (sort, if rng.one_in(4) { 1 } else { 2 }));
        let structures = Structures::with_states(sig, &sizes, 2);
        let structures: Vec<_> = if structures.count_all() <= 256 {
            structures.collect()
        } else {
            (0..100).map(|_| structures.random(&mut rng)).collect()
        };
        for structure in structures {
            let value = Evaluator::new(terms.over(sig), &structure).holds(formula);
            seen[usize::from(value)] += 1;
            let found = forms.map(|form| Evaluator::new(terms.over(sig), &structure).holds(form));
            assert_eq!(found, [value, !value], "seed {seed}");
        }
    }
    assert!(seen.iter().all(|&count| count > 5_000), "both values occur: {seen:?}");
}
