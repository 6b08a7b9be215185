//! Canonical forms of states, and formulas of all states but one, against all permutations of the elements.

use crate::common::effort::cases;
use crate::common::formulas::{Structures, Vocabulary, symbol};
use ramsey::base::budget::{Budget, Exhausted};
use ramsey::base::ids::{Id as _, IdVec};
use ramsey::base::rng::Rng;
use ramsey::formulas::{Canonical, Partial};
use ramsey::logic::{Elem, Evaluator, Signature, Sort, SortId, Structure, SymId, SymbolKind, Terms, Tuples};

type Permutation = IdVec<SortId, Vec<Elem>>;

/// Returns the structure with other names for its elements.
fn renamed(sig: &Signature, structure: &Structure, permutation: &Permutation) -> Structure {
    let mut other = structure.clone();
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let rename = |(&sort, &elem): (&SortId, &Elem)| permutation[sort][elem as usize];
        for args in structure.tuples(&symbol.args) {
            let value = structure.interpretation(sig, sym, 0).get(&args);
            let args: Vec<Elem> = symbol.args.iter().zip(&args).map(rename).collect();
            other.interpretation_mut(sig, sym, 0).set(&args, rename((&symbol.result, &value)));
        }
    }
    other
}

/// Returns the values of all symbols at all tuples.
fn content(sig: &Signature, structure: &Structure) -> Vec<Elem> {
    let mut values = Vec::new();
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let meaning = structure.interpretation(sig, sym, 0);
        values.extend(structure.tuples(&symbol.args).map(|args| meaning.get(&args)));
    }
    values
}

/// Returns all ways to rename the elements of a structure.
fn permutations(structure: &Structure) -> Vec<Permutation> {
    let mut all: Vec<Permutation> = vec![IdVec::new()];
    for (sort, &size) in structure.sizes.iter_enumerated() {
        let is_permutation = |images: &Vec<Elem>| (0..size).all(|elem| images.contains(&elem));
        let of_sort: Vec<Vec<Elem>> = if sort == SortId::BOOL {
            vec![vec![0, 1]]
        } else {
            Tuples::new(vec![size; size as usize]).filter(is_permutation).collect()
        };
        let extend = |known: &Permutation| -> Vec<Permutation> {
            let with = |images: &Vec<Elem>| {
                let mut longer = known.clone();
                longer.push(images.clone());
                longer
            };
            of_sort.iter().map(with).collect()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

fn are_isomorphic(sig: &Signature, a: &Structure, b: &Structure) -> bool {
    a.sizes == b.sizes
        && permutations(a)
            .iter()
            .any(|permutation| content(sig, &renamed(sig, a, permutation)) == content(sig, b))
}

fn canonical(sig: &Signature, structure: &Structure) -> Canonical {
    let symbols: Vec<SymId> = sig.symbols.ids().collect();
    Canonical::of_state(sig, structure, 0, &symbols, &mut Budget::unlimited()).expect("no limit")
}

#[test]
fn canonical_forms_are_equal_for_isomorphic_states_alone() {
    let (mut equal, mut different) = (0, 0);
    for seed in 0..cases(300) {
        let mut rng = Rng::new(31_000 + seed);
        let mut vocabulary = Vocabulary::random(&mut rng);
        for symbol in vocabulary.sig.symbols.iter_mut() {
            symbol.kind = SymbolKind::Mutable;
        }
        let sig = &vocabulary.sig;
        let [a, b] = vocabulary.sorts;
        let sizes = [(a, 1 + rng.below(4) as u32), (b, 1 + rng.below(3) as u32)];
        let structures = Structures::new(sig, &sizes);
        let state = structures.random(&mut rng);
        let form = canonical(sig, &state);
        let all = Partial::of_state(sig, &state, 0).expect("few facts").without_implied();
        let mut terms = Terms::new();
        let others = all.other_states(&state.sizes, terms.over_mut(sig));
        let permutations = permutations(&state);
        for _ in 0..12 {
            let mut other = renamed(sig, &state, &permutations[rng.below(permutations.len())]);
            for _ in 0..rng.below(3) {
                structures.disturb(&mut other, &mut rng);
            }
            if rng.one_in(6) {
                let sizes = [(a, 1 + rng.below(4) as u32), (b, 1 + rng.below(4) as u32)];
                other = Structures::new(sig, &sizes).random(&mut rng);
            }
            let expected = are_isomorphic(sig, &state, &other);
            assert_eq!(form == canonical(sig, &other), expected, "seed {seed}:\n{state:?}\n{other:?}");
            let is_other = Evaluator::new(terms.over(sig), &other).holds(others);
            assert_eq!(!is_other, expected, "seed {seed}:\n{state:?}\n{other:?}");
            *(if expected { &mut equal } else { &mut different }) += 1;
        }
    }
    assert!(equal > 1000 && different > 1000, "{equal} equal, {different} different");
}

/// Returns a signature with one sort and one binary relation, and a state with the given edges.
fn graph(nodes: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> (Signature, Structure) {
    let mut sig = Signature::new();
    let node = sig.sorts.push(Sort::new("node"));
    let edge = sig.symbols.push(symbol("edge", &[node, node], SortId::BOOL));
    let mut structure = Structure::new(&sig, 1);
    structure.sizes[node] = nodes;
    for (from, to) in edges {
        structure.interpretation_mut(&sig, edge, 0).set(&[from, to], 1);
    }
    (sig, structure)
}

#[test]
fn symmetric_states_take_little_time() {
    let cycles = |count: u32, length: u32| {
        let edges = (0..count).flat_map(move |cycle| {
            (0..length).map(move |at| (cycle * length + at, cycle * length + (at + 1) % length))
        });
        graph(count * length, edges)
    };
    let pairs = |count: u32, shift: u32| {
        graph(2 * count, (0..count).map(move |at| (at, count + (at + shift) % count)))
    };
    let form = |(sig, structure): (Signature, Structure)| {
        let symbols: Vec<SymId> = sig.symbols.ids().collect();
        let budget = &mut Budget::new(Some(20_000_000), None);
        Canonical::of_state(&sig, &structure, 0, &symbols, budget).expect("little time")
    };
    assert_eq!(form(graph(40, [])), form(graph(40, [])));
    assert_eq!(form(graph(1_000, [(3, 3)])), form(graph(1_000, [(7, 7)])));
    assert_eq!(form(cycles(1, 24)), form(cycles(1, 24)));
    assert_eq!(form(pairs(10, 0)), form(pairs(10, 3)));
    assert_ne!(form(cycles(2, 6)), form(cycles(3, 4)));
    assert_ne!(form(cycles(4, 3)), form(cycles(1, 12)));
}

/// The elements of the cycles of a permutation look alike and cannot be exchanged with each other.
#[test]
fn graphs_of_permutations_are_told_apart_by_their_cycles() {
    let mut rng = Rng::new(77);
    let random = |count: u32, rng: &mut Rng| {
        let mut images: Vec<u32> = (0..count).collect();
        (1..count as usize).for_each(|at| images.swap(at, rng.below(at + 1)));
        images
    };
    let cycles = |images: &[u32]| {
        let mut lengths = Vec::new();
        let mut is_seen = vec![false; images.len()];
        for start in 0..images.len() {
            let (mut at, mut length) = (start, 0);
            while !is_seen[at] {
                is_seen[at] = true;
                at = images[at] as usize;
                length += 1;
            }
            lengths.push(length);
        }
        lengths.sort_unstable();
        lengths
    };
    let (mut equal, mut different) = (0, 0);
    for _ in 0..cases(300) {
        let count = 2 + rng.below(5) as u32;
        let [a, b] = [random(count, &mut rng), random(count, &mut rng)];
        let form = |images: &[u32]| {
            let (sig, structure) = graph(count, images.iter().enumerate().map(|(at, &to)| (at as u32, to)));
            canonical(&sig, &structure)
        };
        let expected = cycles(&a) == cycles(&b);
        assert_eq!(form(&a) == form(&b), expected, "{a:?} {b:?}");
        *(if expected { &mut equal } else { &mut different }) += 1;
    }
    assert!(equal > 30 && different > 30, "{equal} equal, {different} different");
}

#[test]
fn a_canonical_form_has_a_limit() {
    let (sig, structure) = graph(40, []);
    let symbols: Vec<SymId> = sig.symbols.ids().collect();
    let form = Canonical::of_state(&sig, &structure, 0, &symbols, &mut Budget::new(Some(1000), None));
    assert_eq!(form, Err(Exhausted::Work));
}

#[test]
fn symbols_that_do_not_count_make_no_difference() {
    let (sig, empty) = graph(3, []);
    let (_, full) = graph(3, [(0, 1)]);
    let form = |structure, symbols: &[SymId]| {
        Canonical::of_state(&sig, structure, 0, symbols, &mut Budget::unlimited()).expect("no limit")
    };
    assert_eq!(form(&empty, &[]), form(&full, &[]));
    assert_ne!(form(&empty, &[SymId::new(0)]), form(&full, &[SymId::new(0)]));
}
