//! Lexicographic minima against brute force over small structures.

use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures, Vocabulary, symbol};
use ramsey::base::budget::Budget;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::{FileId, Span};
use ramsey::epr::{Answer, Measure, Solver, counted_sorts};
use ramsey::logic::{Annotation, Evaluator, Signature, Sort, SortId, Structure, TermId, Terms};

/// Returns all models with at most two elements per sort; sizes with too many structures are omitted.
fn small_models(vocabulary: &Vocabulary, terms: &Terms, formulas: &[TermId]) -> Vec<Structure> {
    let [a, b] = vocabulary.sorts;
    let mut models = Vec::new();
    for (m, n) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let structures = Structures::new(&vocabulary.sig, &[(a, m), (b, n)]);
        if structures.count_all() <= 4096 {
            models.extend(structures.filter(|structure| satisfies(vocabulary, terms, structure, formulas)));
        }
    }
    models
}

fn satisfies(vocabulary: &Vocabulary, terms: &Terms, structure: &Structure, formulas: &[TermId]) -> bool {
    let mut eval = Evaluator::new(terms.over(&vocabulary.sig), structure);
    formulas.iter().all(|&formula| eval.holds(formula))
}

/// Returns a few distinct measures in random order.
fn measures(vocabulary: &Vocabulary, rng: &mut Rng) -> Vec<Measure> {
    let mut all = vec![Measure::Elements];
    all.extend(vocabulary.sorts.map(Measure::Size));
    for (sym, symbol) in vocabulary.sig.symbols.iter_enumerated() {
        if symbol.is_relation() {
            all.extend([Measure::Positive(sym, 0), Measure::Negative(sym, 0)]);
        }
    }
    let count = 1 + rng.below(4);
    (0..count.min(all.len())).map(|_| all.swap_remove(rng.below(all.len()))).collect()
}

/// Returns the values of the measures, and for all elements together also the sizes of the counted sorts, which decide
/// among equal sums.
fn values(vocabulary: &Vocabulary, measures: &[Measure], structure: &Structure) -> Vec<u64> {
    let mut values = Vec::new();
    for measure in measures {
        values.push(measure.of(&vocabulary.sig, structure));
        if *measure == Measure::Elements {
            values.extend(counted_sorts(&vocabulary.sig).map(|sort| u64::from(structure.sizes[sort])));
        }
    }
    values
}

#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    tuples_first: usize,
    /// Cases in which elements were counted, and of one sort alone.
    one_sort: usize,
    unproved: usize,
}

#[test]
fn minima_are_lexicographic() {
    let mut tally = Tally::default();
    for seed in 0..cases(700) {
        let mut rng = Rng::new(5_000_000 + seed);
        let mut vocabulary = Vocabulary::random(&mut rng);
        for sort in vocabulary.sorts {
            if rng.one_in(5) {
                let span = Span { file: FileId::new(0), start: 0, end: 0 };
                let mark = Annotation { name: "no_minimize".into(), args: Vec::new(), span };
                vocabulary.sig.sorts[sort].annotations.push(mark);
            }
        }
        let mut terms = Terms::new();
        let formulas: Vec<TermId> = (0..1 + rng.below(3))
            .map(|_| Generator::new(&vocabulary, &mut terms, &mut rng).formula(3))
            .collect();
        let mut solver = Solver::new(vocabulary.sig.clone(), terms.clone(), seed);
        solver.assert(formulas[0]);
        solver.pop_to(0);
        solver.push();
        for &formula in &formulas[1..] {
            solver.assert(formula);
        }
        if solver.check(&[], &mut Budget::new(Some(1_000_000), None)) != Ok(Answer::Sat) {
            continue;
        }
        let list = measures(&vocabulary, &mut rng);
        let mut budget = Budget::new(Some(3_000_000), None);
        let minimum = solver.minimize_by(&[], &list, 1, u64::MAX, &mut budget);
        let least = &minimum.structure;
        assert!(satisfies(&vocabulary, &terms, least, &formulas), "seed {seed}: no model");
        assert!(minimum.proved <= list.len());
        if minimum.proved < list.len() {
            tally.unproved += 1;
        }
        let proved = &list[..minimum.proved];
        let value = values(&vocabulary, proved, least);
        for model in small_models(&vocabulary, &terms, &formulas) {
            let other = values(&vocabulary, proved, &model);
            assert!(value <= other, "seed {seed}: {proved:?} {value:?} is not minimal, {other:?} is less");
        }
        if vocabulary.sorts.iter().all(|&sort| least.sizes[sort] <= 2) {
            tally.compared += 1;
        }
        if proved.contains(&Measure::Elements) && counted_sorts(&vocabulary.sig).count() == 1 {
            tally.one_sort += 1;
        }
        if matches!(proved.first(), Some(Measure::Positive(..) | Measure::Negative(..))) {
            tally.tuples_first += 1;
        }
        // The solver goes on as before.
        solver.pop_to(0);
        solver.push();
        assert!(
            solver.check(&[], &mut Budget::new(Some(1_000_000), None)) != Ok(Answer::Unsat),
            "seed {seed}"
        );
    }
    assert!(tally.compared > 200 && tally.tuples_first > 80, "{tally:?}");
    assert!(tally.one_sort > 20, "{tally:?}");
    assert!(tally.unproved < 20, "budgets run out rarely: {tally:?}");
}

#[test]
fn sorts_shrink_one_after_the_other() {
    let (mut smaller, mut compared) = (0, 0);
    for seed in 0..cases(500) {
        let mut rng = Rng::new(7_000_000 + seed);
        let vocabulary = Vocabulary::random(&mut rng);
        let mut terms = Terms::new();
        let formulas: Vec<TermId> = (0..1 + rng.below(3))
            .map(|_| Generator::new(&vocabulary, &mut terms, &mut rng).formula(4))
            .collect();
        let mut solver = Solver::new(vocabulary.sig.clone(), terms.clone(), seed);
        formulas.iter().for_each(|&formula| solver.assert(formula));
        if solver.check(&[], &mut Budget::new(Some(1_000_000), None)) != Ok(Answer::Sat) {
            continue;
        }
        let found = solver.structure(1);
        let few = solver.shrink(&[], 1, u64::MAX, &mut Budget::new(Some(3_000_000), None));
        assert!(satisfies(&vocabulary, &terms, &few, &formulas), "seed {seed}: no model");
        let sizes = |it: &Structure| vocabulary.sorts.map(|sort| it.sizes[sort]);
        let (before, after) = (sizes(&found), sizes(&few));
        assert!(after[0] <= before[0] && after[1] <= before[1], "seed {seed}: {before:?} {after:?}");
        smaller += usize::from(after != before);
        // Nothing changes after the last sort, the one that had fewest.
        let last = usize::from(before[0] >= before[1]);
        for model in small_models(&vocabulary, &terms, &formulas) {
            let other = sizes(&model);
            let is_beside = other[1 - last] == after[1 - last];
            assert!(!is_beside || other[last] >= after[last], "seed {seed}: {after:?} {other:?}");
            compared += usize::from(is_beside);
        }
        // The structure found is the smallest one known where there is no work for others.
        let mut solver = Solver::new(vocabulary.sig.clone(), terms.clone(), seed);
        formulas.iter().for_each(|&formula| solver.assert(formula));
        if solver.check(&[], &mut Budget::new(Some(1_000_000), None)) == Ok(Answer::Sat) {
            let same = solver.shrink(&[], 1, 1, &mut Budget::unlimited());
            assert!(satisfies(&vocabulary, &terms, &same, &formulas), "seed {seed}: no model");
        }
    }
    assert!(smaller > 50 && compared > 500, "{smaller} {compared}");
}

#[test]
fn without_budget_the_best_so_far_is_reported_as_unproved() {
    let mut some = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(9_000_000 + seed);
        let vocabulary = Vocabulary::random(&mut rng);
        let mut terms = Terms::new();
        let formula = Generator::new(&vocabulary, &mut terms, &mut rng).formula(4);
        let mut solver = Solver::new(vocabulary.sig.clone(), terms.clone(), seed);
        solver.assert(formula);
        if solver.check(&[], &mut Budget::new(Some(1_000_000), None)) != Ok(Answer::Sat) {
            continue;
        }
        let list = measures(&vocabulary, &mut rng);
        let minimum = solver.minimize_by(&[], &list, 1, 1, &mut Budget::unlimited());
        assert!(satisfies(&vocabulary, &terms, &minimum.structure, &[formula]), "seed {seed}: no model");
        some += usize::from(minimum.proved < list.len());
    }
    assert!(some > 20, "{some}");
}

/// Whether twelve elements have room in eleven places is hard to decide by cases.
#[test]
fn elements_that_differ_bound_the_sizes() {
    let mut sig = Signature::new();
    let sort = |sig: &mut Signature, name: &str| sig.sorts.push(Sort::new(name));
    let (node, place) = (sort(&mut sig, "node"), sort(&mut sig, "place"));
    let at = sig.symbols.push(symbol("at", &[node, place], SortId::BOOL));
    let mut terms = Terms::new();
    let mut some = |sort: SortId, count: usize| {
        let vars: Vec<_> = (0..count).map(|_| terms.new_var("x", sort)).collect();
        let values: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let distinct = terms.distinct(&values);
        terms.exists(&vars, distinct)
    };
    let (nodes, places) = (some(node, 12), some(place, 3));
    let (x, y) = (terms.new_var("x", node), terms.new_var("y", place));
    let (tx, ty) = (terms.var(x), terms.var(y));
    let atom = terms.app(&sig, at, 0, &[tx, ty]);
    let somewhere = terms.exists(&[y], atom);
    let everywhere = terms.forall(&[x], somewhere);
    let formulas = [nodes, places, everywhere];
    for seed in 0..4 {
        let mut solver = Solver::new(sig.clone(), terms.clone(), seed);
        formulas.iter().for_each(|&formula| solver.assert(formula));
        let mut budget = Budget::new(Some(3_000_000), None);
        assert_eq!(solver.check(&[], &mut budget), Ok(Answer::Sat));
        let mut list = vec![Measure::Size(node), Measure::Size(place), Measure::Positive(at, 0)];
        if seed % 2 == 1 {
            list.insert(0, Measure::Elements);
        }
        let minimum = solver.minimize_by(&[], &list, 1, u64::MAX, &mut budget);
        assert_eq!(minimum.proved, list.len(), "seed {seed}");
        // That there are enough elements is what their numbers say.
        let mut eval = Evaluator::new(solver.terms().over(&sig), &minimum.structure);
        assert!(eval.holds(everywhere), "seed {seed}");
        let values: Vec<u64> = list.iter().map(|it| it.of(&sig, &minimum.structure)).collect();
        assert_eq!(values[values.len() - 3..], [12, 3, 12], "seed {seed}");
    }
}
