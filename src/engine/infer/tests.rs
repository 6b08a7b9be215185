//! Matching, separation and enumeration against brute force over small random states.

use std::sync::Arc;

use super::language::{Language, variables};
use super::outcome::Method;
use super::prover::shrink::candidates;
use super::separate::{Separation, Separator};
use super::state::{Atom, Literal, Matcher, Pattern, State, Vocabulary};
use super::table::Table;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{Sort, SortId, Structure, SymId, Symbol, SymbolKind, Tuples};
use ramsey_core::system::System;

/// Returns a system with a sort, a relation of two arguments, a relation of one argument and a function.
fn system() -> System {
    let mut system = System::new();
    let sort = system.sig.sorts.push(Sort::new("s"));
    for (name, args, result) in [("r", 2, SortId::BOOL), ("p", 1, SortId::BOOL), ("f", 1, sort)] {
        system.sig.symbols.push(Symbol::new(name, vec![sort; args], result, SymbolKind::Mutable));
    }
    system
}

fn random_state(system: &System, vocabulary: &Vocabulary, size: u32, rng: &mut Rng) -> State {
    let mut structure = Structure::new(&system.sig, 1);
    structure.sizes[SortId::new(1)] = size;
    for (sym, symbol) in system.sig.symbols.iter_enumerated() {
        let values = structure.sizes[symbol.result] as usize;
        for args in structure.tuples(&symbol.args) {
            let value = rng.below(values) as u32;
            structure.interpretation_mut(&system.sig, sym, 0).set(&args, value);
        }
    }
    State::new(vocabulary, &system.sig, &structure, 0)
}

fn matches(pattern: &Pattern, state: &State, values: &[u16]) -> bool {
    pattern.literals.iter().all(|literal| literal.atom.holds(state, values) == literal.positive)
}

/// Checks whether some assignment of the variables makes all literals true.
fn occurs(pattern: &Pattern, state: &State) -> bool {
    let sizes = pattern.sorts.iter().map(|sort| state.sizes[sort.index()]).collect();
    Tuples::new(sizes).any(|tuple| {
        let values: Vec<u16> = tuple.iter().map(|&elem| elem as u16).collect();
        matches(pattern, state, &values)
    })
}

/// Returns all literals over this many variables.
fn literals(variables: u8) -> Vec<Literal> {
    let mut atoms = Vec::new();
    for a in 0..variables {
        atoms.push(Atom::Relation(1, vec![a]));
        for b in 0..variables {
            atoms.push(Atom::Relation(0, vec![a, b]));
            atoms.push(Atom::Value(2, vec![a], b));
            if a < b {
                atoms.push(Atom::Equal(a, b));
            }
        }
    }
    let both = |atom: Atom| [true, false].map(|positive| Literal { atom: atom.clone(), positive });
    atoms.into_iter().flat_map(both).collect()
}

#[test]
fn matching_agrees_with_all_assignments() {
    let system = system();
    let vocabulary = Vocabulary::new(&system);
    let mut rng = Rng::new(1);
    let all = literals(3);
    let mut found = 0;
    for _ in 0..2_000 {
        let size = 1 + rng.below(3) as u32;
        let state = random_state(&system, &vocabulary, size, &mut rng);
        let count = 1 + rng.below(5);
        let literals = (0..count).map(|_| all[rng.below(all.len())].clone()).collect();
        let pattern = Pattern { sorts: vec![SortId::new(1); 3], literals };
        let values = Matcher::new(&pattern).find(&state, &mut 0);
        assert_eq!(values.is_some(), occurs(&pattern, &state), "{pattern:?}");
        if let Some(mut values) = values {
            // Variables that occur in no literal have no value.
            values.iter_mut().filter(|value| **value == u16::MAX).for_each(|value| *value = 0);
            assert!(matches(&pattern, &state, &values), "{pattern:?}");
            found += 1;
        }
        let normalized = pattern.clone().normalized();
        assert_eq!(occurs(&normalized, &state), occurs(&pattern, &state), "{pattern:?}");
    }
    assert!((200..1_800).contains(&found), "{found}");
}

#[test]
fn an_element_goes_with_another_value_of_the_functions() {
    let system = system();
    let sort = SortId::new(1);
    let [_, _, image] = [0, 1, 2].map(SymId::new);
    let mut structure = Structure::new(&system.sig, 1);
    structure.sizes[sort] = 3;
    for (arg, value) in [(0, 2), (1, 0), (2, 1)] {
        structure.interpretation_mut(&system.sig, image, 0).set(&[arg], value);
    }
    let images = |elem| -> Vec<Vec<u32>> {
        candidates(&system.sig, &structure, sort, elem)
            .map(|smaller| {
                assert_eq!(smaller.sizes[sort], 2);
                (0..2).map(|arg| smaller.interpretation(&system.sig, image, 0).get(&[arg])).collect()
            })
            .collect()
    };
    assert_eq!(images(2), [[0, 0], [1, 0]]);
    assert_eq!(images(1), [[1, 0], [1, 1]]);
    structure.interpretation_mut(&system.sig, image, 0).set(&[0], 1);
    let images: Vec<Structure> = candidates(&system.sig, &structure, sort, 2).collect();
    assert_eq!(images.len(), 1, "no other element has this value");
}

#[test]
fn separators_are_smallest_clauses() {
    let system = system();
    let vocabulary = Vocabulary::new(&system);
    let mut rng = Rng::new(2);
    let (mut clauses, mut embedded) = (0, 0);
    for _ in 0..150 {
        let mut separator = Separator::default();
        let others: Vec<Arc<State>> = (0..1 + rng.below(6))
            .map(|_| {
                let size = 1 + rng.below(3) as u32;
                Arc::new(random_state(&system, &vocabulary, size, &mut rng))
            })
            .collect();
        let size = 1 + rng.below(2) as u32;
        let state = random_state(&system, &vocabulary, size, &mut rng);
        let mut budget = Budget::unlimited();
        let separation = separator.separate(&vocabulary, &state, &others, &[], None, &mut budget);
        // The literals that are true in the state if each variable is an element of its own.
        let identity: Vec<u16> = (0..size as u16).collect();
        let all: Vec<Literal> = literals(size as u8)
            .into_iter()
            .filter(|it| it.atom.holds(&state, &identity) == it.positive)
            .collect();
        let separates = |literals: &[Literal]| {
            let pattern = Pattern { sorts: vec![SortId::new(1); size as usize], literals: literals.to_vec() };
            separates_all(&pattern, &others)
        };
        match separation.expect("an unlimited budget") {
            Separation::Clause(pattern) => {
                clauses += 1;
                assert!(occurs(&pattern, &state), "the clause is false in the state");
                assert!(separates_all(&pattern, &others), "and true in the others");
                let smaller = pattern.literals.len() - 1;
                assert!(!subsets(&all, smaller).any(|subset| separates(&subset)), "{pattern:?}");
            }
            Separation::Embedded(at, values) => {
                embedded += 1;
                assert!(!separates(&all), "no clause separates");
                let pattern = Pattern { sorts: vec![SortId::new(1); size as usize], literals: all };
                assert!(matches(&pattern, &others[at], &values));
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(clauses > 20 && embedded > 20, "{clauses} {embedded}");
}

#[test]
fn separators_within_limits_are_found_if_there_are_any() {
    let system = system();
    let vocabulary = Vocabulary::new(&system);
    let mut rng = Rng::new(5);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..200 {
        let others: Vec<Arc<State>> = (0..1 + rng.below(8))
            .map(|_| {
                let size = 1 + rng.below(3) as u32;
                Arc::new(random_state(&system, &vocabulary, size, &mut rng))
            })
            .collect();
        let state = random_state(&system, &vocabulary, 2, &mut rng);
        let all: Vec<Literal> =
            literals(2).into_iter().filter(|it| it.atom.holds(&state, &[0, 1]) == it.positive).collect();
        for (variables, most) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
            let language = Language { variables: vec![variables; vocabulary.sorts()], literals: most };
            let is_within = |literals: &[Literal]| {
                let mut used = [false; 2];
                literals.iter().for_each(|it| it.atom.variables(|var| used[usize::from(var)] = true));
                literals.len() <= most && used.iter().filter(|it| **it).count() <= variables as usize
            };
            let separates = |literals: &Vec<Literal>| {
                let pattern = Pattern { sorts: vec![SortId::new(1); 2], literals: literals.clone() };
                separates_all(&pattern, &others)
            };
            let exists = (0..=most).any(|count| {
                subsets(&all, count).any(|literals| is_within(&literals) && separates(&literals))
            });
            let mut budget = Budget::unlimited();
            let separation = Separator::default().separate(
                &vocabulary,
                &state,
                &others,
                &[],
                Some(&language),
                &mut budget,
            );
            match separation.expect("an unlimited budget") {
                Separation::Clause(pattern) => {
                    inside += 1;
                    assert!(exists && is_within(&pattern.literals), "{pattern:?}");
                    assert!(occurs(&pattern, &state), "the clause is false in the state");
                    assert!(separates_all(&pattern, &others), "and true in the others");
                }
                Separation::Embedded(..) | Separation::Outside => {
                    outside += 1;
                    assert!(!exists, "{language:?}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(inside > 50 && outside > 50, "{inside} {outside}");
}

/// Checks whether the clause that excludes the pattern is true in all states.
fn separates_all(pattern: &Pattern, states: &[Arc<State>]) -> bool {
    !states.iter().any(|state| occurs(pattern, state))
}

/// Returns the subsets with this many elements.
fn subsets(items: &[Literal], count: usize) -> impl Iterator<Item = Vec<Literal>> + '_ {
    (0..1_u32 << items.len()).filter(move |bits| bits.count_ones() as usize == count).map(|bits| {
        items.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, it)| it.clone()).collect()
    })
}

#[test]
fn the_strongest_clauses_are_all_minimal_true_ones() {
    let system = system();
    let vocabulary = Vocabulary::new(&system);
    let mut rng = Rng::new(3);
    for _ in 0..40 {
        let states: Vec<State> =
            (0..1 + rng.below(4)).map(|_| random_state(&system, &vocabulary, 2, &mut rng)).collect();
        let mut table = Table::new(&vocabulary, &[2, 2]).expect("a small prefix");
        let mut budget = Budget::unlimited();
        states.iter().for_each(|state| table.add(state, &mut budget).expect("an unlimited budget"));
        let (found, is_complete) = table.strongest(2, 10_000, &mut budget).expect("an unlimited budget");
        assert!(is_complete);
        let is_true = |pattern: &Pattern| !states.iter().any(|state| occurs(pattern, state));
        let pattern = |literals: Vec<Literal>| Pattern { sorts: vec![SortId::new(1); 2], literals };
        for pattern in &found {
            assert!(is_true(pattern), "{pattern:?}");
            for at in 0..pattern.literals.len() {
                let mut part = pattern.clone();
                part.literals.remove(at);
                assert!(!is_true(&part), "{pattern:?}");
            }
        }
        // Every true clause contains one of them, up to the names of variables. A positive equality of variables is not
        // in the language: what it says is said with fewer variables.
        let all: Vec<Literal> = literals(2)
            .into_iter()
            .filter(|it| !matches!(it.atom, Atom::Equal(..)) || !it.positive)
            .collect();
        for a in &all {
            for b in &all {
                let clause = pattern(vec![a.clone(), b.clone()]);
                if !is_true(&clause) {
                    continue;
                }
                if a.atom == b.atom {
                    continue;
                }
                let parts = [vec![a.clone()], vec![b.clone()], vec![a.clone(), b.clone()]];
                let is_covered = parts.into_iter().any(|part| {
                    let swapped = part
                        .iter()
                        .map(|it| Literal { atom: it.atom.renamed(|var| 1 - var), positive: it.positive });
                    let swapped = pattern(swapped.collect()).normalized();
                    found.contains(&pattern(part).normalized()) || found.contains(&swapped)
                });
                assert!(is_covered, "{clause:?}");
            }
        }
    }
}

#[test]
fn every_method_has_a_row_and_a_name_of_its_own() {
    let named = [
        Method::AUTO,
        Method::HOUDINI,
        Method::UPDR,
        Method::SEPARATION,
        Method::PRIMAL_DUAL,
        Method::FINITE,
        Method::EXISTS,
    ];
    for method in named.into_iter().chain(Method::all()) {
        assert_eq!(method.row().method, method);
        assert_eq!(Method::all().filter(|other| *other == method).count(), 1, "{method:?}");
        assert!(method.parts().iter().all(|part| part.parts() == [*part]), "{method:?}");
    }
}

/// Copies of a formula have variables of their own in prenex form, whatever these are called, unless they can share them.
#[test]
fn variables_are_counted_in_prenex_form() {
    let mut system = system();
    let (sort, r) = (SortId::new(1), SymId::new(0));
    let System { sig, terms, .. } = &mut system;
    let [x, y] = ["X", "Y"].map(|name| terms.new_var(name, sort));
    let [vx, vy] = [x, y].map(|var| terms.var(var));
    let [there, back] = [[vx, vy], [vy, vx]].map(|args| terms.app(sig, r, 0, &args));
    let [all_there, all_back] = [there, back].map(|it| terms.forall(&[y], it));
    let [some_there, some_back] = [there, back].map(|it| terms.exists(&[y], it));
    let (either, both) = (terms.or(&[all_there, all_back]), terms.and(&[all_there, all_back]));
    let (some, some_both) = (terms.or(&[some_there, some_back]), terms.and(&[some_there, some_back]));
    for (body, expected) in [(either, 3), (both, 2), (some, 2), (some_both, 3)] {
        let formula = system.terms.forall(&[x], body);
        assert_eq!(variables(&system, &[formula])[1], expected);
    }
}

/// Lemmas about elements that are compared speak of two of them, also where no property does.
#[test]
fn elements_that_are_compared_have_two_variables() {
    let mut system = system();
    let sort = SortId::new(1);
    assert_eq!(variables(&system, &[])[1], 1);
    for (kind, expected) in [(SymbolKind::Mutable, 1), (SymbolKind::Immutable, 2)] {
        system.sig.symbols.push(Symbol::new("compared", vec![sort; 2], SortId::BOOL, kind));
        assert_eq!(variables(&system, &[])[1], expected, "{kind:?}");
    }
}
