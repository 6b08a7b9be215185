//! The decision procedure against brute force over small structures.

use std::sync::Arc;

use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures, Vocabulary};
use ramsey::base::budget::{Budget, Exhausted};
use ramsey::base::rng::Rng;
use ramsey::check::check;
use ramsey::epr::{Answer, Measures, Solver};
use ramsey::logic::{Evaluator, Signature, Sort, SortId, Structure, Symbol, SymbolKind, TermId, Terms};
use ramsey::obligations::Question;
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Outcome, Plan};
use ramsey::system::System;

/// Returns a structure with at most two elements per sort that satisfies all formulas, if there is one; sizes with too
/// many structures are omitted.
fn small_model(vocabulary: &Vocabulary, terms: &Terms, formulas: &[TermId]) -> Option<Structure> {
    let [a, b] = vocabulary.sorts;
    [(1, 1), (1, 2), (2, 1), (2, 2)].into_iter().find_map(|(m, n)| {
        let mut structures = Structures::new(&vocabulary.sig, &[(a, m), (b, n)]);
        if structures.count_all() > 2048 {
            return None;
        }
        structures.find(|structure| {
            let mut eval = Evaluator::new(terms.over(&vocabulary.sig), structure);
            formulas.iter().all(|&formula| eval.holds(formula))
        })
    })
}

/// Enumerates all models of these sizes.
fn small_models<'a>(
    vocabulary: &'a Vocabulary,
    terms: &'a Terms,
    formulas: &'a [TermId],
    [m, n]: [u32; 2],
) -> impl Iterator<Item = Structure> + 'a {
    let [a, b] = vocabulary.sorts;
    Structures::new(&vocabulary.sig, &[(a, m), (b, n)])
        .filter(move |structure| satisfies(vocabulary, terms, structure, formulas))
}

fn satisfies(vocabulary: &Vocabulary, terms: &Terms, structure: &Structure, formulas: &[TermId]) -> bool {
    let mut eval = Evaluator::new(terms.over(&vocabulary.sig), structure);
    formulas.iter().all(|&formula| eval.holds(formula))
}

#[derive(Default, Debug)]
struct Tally {
    sat: usize,
    unsat: usize,
    unknown: usize,
    /// Number of minimal models whose tuple count was compared with brute force.
    compared: usize,
}

/// Fresh solvers on random sets of formulas. Half of them record the origins of clauses, for which Skolem functions are
/// arbitrary choices.
#[test]
fn answers_agree_with_small_structures() {
    let mut tally = Tally::default();
    for seed in 0..cases(600) {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::random(&mut rng);
        let mut terms = Terms::new();
        let formulas: Vec<TermId> = (0..2 + rng.below(3))
            .map(|_| Generator::new(&vocabulary, &mut terms, &mut rng).formula(3))
            .collect();
        let mut solver = Solver::new(vocabulary.sig.clone(), terms.clone(), seed);
        if seed % 2 == 1 {
            solver.keep_record();
        }
        for &formula in &formulas {
            solver.assert(formula);
        }
        match solver.check(&[], &mut Budget::new(Some(2_000_000), None)) {
            Ok(Answer::Sat) => {
                tally.sat += 1;
                let structure = solver.structure(1);
                assert!(satisfies(&vocabulary, &terms, &structure, &formulas), "seed {seed}: no model");
            }
            Ok(Answer::Unsat) => {
                tally.unsat += 1;
                let model = small_model(&vocabulary, &terms, &formulas);
                assert!(model.is_none(), "seed {seed}: {model:?} is a model");
            }
            // Alternating quantifiers may leave the fragment; then there may be no end.
            Err(exhausted) => {
                assert_eq!(exhausted, Exhausted::Work, "seed {seed}");
                tally.unknown += 1;
            }
        }
    }
    assert!(tally.sat > 250 && tally.unsat > 250, "both answers occur often: {tally:?}");
    assert!(tally.unknown < 20, "budgets run out rarely: {tally:?}");
}

/// One solver, many goals: every answer equals that of a fresh solver; labels work; minimal models are minimal.
#[test]
fn incremental_answers_equal_fresh_ones() {
    let mut tally = Tally::default();
    for seed in 0..cases(75) {
        let mut rng = Rng::new(1_000_000 + seed);
        let vocabulary = Vocabulary::random(&mut rng);
        let mut terms = Terms::new();
        let mut formula = |depth| Generator::new(&vocabulary, &mut terms, &mut rng).formula(depth);
        let base = formula(2);
        let labelled: Vec<TermId> = (0..3).map(|_| formula(2)).collect();
        let goals: Vec<TermId> = (0..8).map(|_| formula(3)).collect();
        let mut solver = Solver::new(vocabulary.sig.clone(), terms.clone(), seed);
        if seed % 2 == 1 {
            solver.keep_record();
        }
        if seed % 4 >= 2 {
            solver.focus_always();
        }
        solver.assert(base);
        let labels: Vec<_> = labelled.iter().map(|&formula| solver.assert_labelled(formula)).collect();
        for (index, &goal) in goals.iter().enumerate() {
            let chosen: Vec<usize> = (0..3).filter(|i| index >> i & 1 == 1).collect();
            let assumed: Vec<_> = chosen.iter().map(|&i| labels[i]).collect();
            let mut asserted = vec![base, goal];
            asserted.extend(chosen.iter().map(|&i| labelled[i]));
            solver.pop_to(0);
            solver.push();
            solver.assert(goal);
            let mut budget = Budget::new(Some(2_000_000), None);
            let Ok(answer) = solver.check(&assumed, &mut budget) else {
                tally.unknown += 1;
                continue;
            };
            match answer {
                Answer::Sat => {
                    tally.sat += 1;
                    let structure = solver.structure(1);
                    assert!(
                        satisfies(&vocabulary, &terms, &structure, &asserted),
                        "seed {seed}, goal {index}"
                    );
                    let relations = vocabulary.sig.symbols.iter_enumerated().filter(|(_, s)| s.is_relation());
                    let first = relations
                        .map(|(sym, _)| (sym, 0))
                        .find(|(sym, _)| !vocabulary.sig.symbols[*sym].args.is_empty());
                    let measures = Measures { relations: first.into_iter().collect() };
                    let small = solver.minimize(&assumed, &measures, 1, &mut budget);
                    assert!(satisfies(&vocabulary, &terms, &small, &asserted), "seed {seed}, goal {index}");
                    if let Some(model) = small_model(&vocabulary, &terms, &asserted) {
                        let sizes = |s: &Structure| vocabulary.sorts.map(|sort| s.sizes[sort]);
                        let total = |s: &Structure| sizes(s).iter().sum::<u32>();
                        assert!(
                            (total(&small), sizes(&small)) <= (total(&model), sizes(&model)),
                            "seed {seed}, goal {index}: not minimal"
                        );
                        let (sym, _) = measures.relations[0];
                        let tuples = |s: &Structure| {
                            let entries = &s.interpretation(&vocabulary.sig, sym, 0).entries;
                            entries.values().filter(|&&value| value != 0).count()
                        };
                        if sizes(&small) == sizes(&model) {
                            let least = small_models(&vocabulary, &terms, &asserted, sizes(&model))
                                .map(|model| tuples(&model))
                                .min();
                            tally.compared += 1;
                            assert_eq!(Some(tuples(&small)), least, "seed {seed}, goal {index}");
                        }
                    }
                }
                Answer::Unsat => {
                    tally.unsat += 1;
                    let core: Vec<TermId> = labels
                        .iter()
                        .zip(&labelled)
                        .filter(|(label, _)| solver.core().contains(label))
                        .map(|(_, &formula)| formula)
                        .chain([base, goal])
                        .collect();
                    let model = small_model(&vocabulary, &terms, &core);
                    assert!(model.is_none(), "seed {seed}, goal {index}: {model:?} satisfies the core");
                    if seed % 2 == 1 {
                        let refutation = solver.refutation(&assumed, &mut budget).expect("it was found");
                        assert!(refutation.is_some(), "seed {seed}, goal {index}: no refutation");
                    }
                }
            }
        }
    }
    assert!(tally.sat > 200 && tally.unsat > 200, "both answers occur often: {tally:?}");
    assert!(tally.unknown < 20, "budgets run out rarely: {tally:?}");
    assert!(tally.compared > 100, "minimality is compared: {tally:?}");
}

/// With a record, all clauses about the choice of an element are instantiated at the same term, also where an equation
/// determines it: `forall x. exists y. (x = b -> y ~= c) & (y = c | r(x, y))` excludes `forall x, y. r(x, y) -> y = c`,
/// even if `b` is equal to a simpler term.
#[test]
fn choices_are_of_one_instance() {
    let mut sig = Signature::new();
    let sort = sig.sorts.push(Sort::new("s"));
    let mut symbol = |name: &str, args: Vec<SortId>, result| {
        sig.symbols.push(Symbol::new(name, args, result, SymbolKind::Immutable))
    };
    let [a, b, c] = ["a", "b", "c"].map(|name| symbol(name, vec![], sort));
    let r = symbol("r", vec![sort, sort], SortId::BOOL);
    let mut terms = Terms::new();
    let [a, b, c] = [a, b, c].map(|constant| terms.app(&sig, constant, 0, &[]));
    let [x, y] = ["x", "y"].map(|name| terms.new_var(name, sort));
    let (at_x, at_y) = (terms.var(x), terms.var(y));
    let related = terms.app(&sig, r, 0, &[at_x, at_y]);
    let (is_b, is_c) = (terms.eq(at_x, b), terms.eq(at_y, c));
    let other = terms.not(is_c);
    let (first, second) = (terms.implies(is_b, other), terms.or(&[is_c, related]));
    let both = terms.and(&[first, second]);
    let some = terms.exists(&[y], both);
    let choices = terms.forall(&[x], some);
    let only = terms.implies(related, is_c);
    let only = terms.forall(&[x, y], only);
    let equal = terms.eq(a, b);
    let formulas = [equal, choices, only];
    for keeps_record in [false, true] {
        let mut solver = Solver::new(sig.clone(), terms.clone(), 0);
        if keeps_record {
            solver.keep_record();
        }
        for formula in formulas {
            solver.assert(formula);
        }
        assert_eq!(solver.check(&[], &mut Budget::unlimited()), Ok(Answer::Unsat), "record: {keeps_record}");
    }
}

/// A universal clause with more literals than a word has bits, of which only the last can be true.
#[test]
fn long_clauses_are_read_to_the_end() {
    use crate::common::formulas::symbol;
    use ramsey::logic::{Signature, Sort, SortId};
    let mut sig = Signature::new();
    let sort = sig.sorts.push(Sort::new("s"));
    let relations: Vec<_> =
        (0..100).map(|index| sig.symbols.push(symbol(&format!("r{index}"), &[sort], SortId::BOOL))).collect();
    let mut terms = Terms::new();
    let x = terms.new_var("x", sort);
    let tx = terms.var(x);
    let atoms: Vec<TermId> = relations.iter().map(|&r| terms.app(&sig, r, 0, &[tx])).collect();
    let some = terms.or(&atoms);
    let some = terms.forall(&[x], some);
    let none = |terms: &mut Terms, atoms: &[TermId]| {
        let any = terms.or(atoms);
        let none = terms.not(any);
        terms.forall(&[x], none)
    };
    let but_last = none(&mut terms, &atoms[..99]);
    let last = none(&mut terms, &atoms[99..]);
    let mut solver = Solver::new(sig.clone(), terms, 0);
    solver.assert(some);
    solver.assert(but_last);
    let mut budget = Budget::new(Some(1_000_000), None);
    assert_eq!(solver.check(&[], &mut budget), Ok(Answer::Sat));
    for structure in [solver.structure(1), solver.minimize(&[], &Measures::default(), 1, &mut budget)] {
        let mut eval = Evaluator::new(solver.terms().over(&sig), &structure);
        assert!(eval.holds(some) && eval.holds(but_last));
    }
    solver.assert(last);
    assert_eq!(solver.check(&[], &mut budget), Ok(Answer::Unsat));
}

/// Two colours suffice for a graph in which every node has an edge, and the decision procedure has to find that although
/// its terms have no end.
#[test]
fn a_bounded_sort_does_not_hide_small_models() {
    let text = "
        sort node
        sort color
        immutable constant red: color
        immutable constant green: color
        immutable relation edge(node, node)
        immutable function paint(node): color
        axiom red != green
        axiom forall C:color. C = red | C = green
        theorem !((forall X:node. exists Y:node. edge(X,Y)) & (forall X:node,Y:node. edge(X,Y) -> paint(X) != paint(Y)))
    ";
    let (system, _) = ramsey::lang::pyv::load(ramsey::base::ids::Id::new(0), text);
    let system = system.expect("a system");
    let mut solver = Solver::new(system.sig.clone(), system.terms.clone(), 0);
    for axiom in &system.axioms {
        solver.assert(axiom.formula);
    }
    let theorem = system.theorems[0].formula;
    let negated = solver.terms_mut().not(theorem);
    solver.assert(negated);
    assert_eq!(solver.check(&[], &mut Budget::new(Some(1_000_000), None)), Ok(Answer::Sat));
}

/// Checks that the first theorem of a system fails in a structure, which is evaluated, and that the second one holds. Returns the number of
/// candidates of the second search.
fn answers(system: &System, budget: &mut Budget) -> u64 {
    let axioms = || system.axioms.iter().map(|axiom| axiom.formula);
    let mut rounds = 0;
    for (theorem, answer) in system.theorems.iter().zip([Answer::Sat, Answer::Unsat]) {
        let mut solver = Solver::new(system.sig.clone(), system.terms.clone(), 0);
        axioms().for_each(|axiom| solver.assert(axiom));
        let negated = solver.terms_mut().not(theorem.formula);
        solver.assert(negated);
        assert_eq!(solver.check(&[], budget), Ok(answer));
        if answer == Answer::Sat {
            let structure = solver.structure(1);
            let mut eval = Evaluator::new(solver.syntax(), &structure);
            assert!(axioms().chain([negated]).all(|formula| eval.holds(formula)));
        }
        rounds = solver.stats().rounds;
    }
    rounds
}

/// Sorts in a row, each element with one of the next sort that it hands a property on to. Only what the one constant asks for is needed:
/// an element that nothing asks for would ask for a row of its own in all sorts behind it.
#[test]
fn long_searches_have_no_elements_that_nothing_asks_for() {
    const SORTS: usize = 150;
    let lines = |line: &dyn Fn(usize) -> String| (0..SORTS).map(line).collect::<Vec<_>>().join("\n");
    let sorts = lines(&|at| format!("sort s{at}\nimmutable relation p{at}(s{at})"));
    let edges = lines(&|at| {
        let next = at + 1;
        format!(
            "immutable relation e{at}(s{at}, s{next})\naxiom forall X:s{at}. exists Y. e{at}(X, Y)\n\
             axiom forall X:s{at}, Y. p{at}(X) & e{at}(X, Y) -> p{next}(Y)"
        )
    });
    let text = format!(
        "sort s{SORTS}\nimmutable relation p{SORTS}(s{SORTS})\n{sorts}\n{edges}\nimmutable constant c: s0\n\
         theorem !p0(c)\ntheorem p0(c) -> exists X:s{SORTS}. p{SORTS}(X)\n"
    );
    let (system, diagnostics) = ramsey::lang::pyv::load(ramsey::base::ids::Id::new(0), &text);
    let system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
    answers(&system, &mut Budget::new(Some(1_500_000), None));
}

/// A disjunction of steps, each of which changes two relations and leaves the others as they are, and a claim about each pair of
/// relations. Every step excludes every violation of a claim, and it does so in one candidate and not one by one.
#[test]
fn long_searches_instantiate_parts_of_disjunctions_at_once() {
    const STEPS: usize = 40;
    let lines = |line: &dyn Fn(usize) -> String, separator: &str| {
        (0..STEPS).map(line).collect::<Vec<_>>().join(separator)
    };
    let names =
        |at| ["p", "q", "pn", "qn"].map(|name| format!("immutable relation {name}{at}(s)")).join("\n");
    let is_kept = |at: usize| format!("(forall Y:s. (pn{at}(Y) <-> p{at}(Y)) & (qn{at}(Y) <-> q{at}(Y)))");
    let step = |at: usize| {
        let others = (0..STEPS).filter(|&other| other != at).map(is_kept).collect::<Vec<_>>().join(" & ");
        format!(
            "(exists X:s. !p{at}(X) & (forall Y:s. qn{at}(Y) <-> q{at}(Y) | Y = X) & (forall Y:s. pn{at}(Y) <-> p{at}(Y)) & {others})"
        )
    };
    let names = lines(&names, "\n");
    let claims = lines(&|at| format!("axiom forall X:s. !(p{at}(X) & q{at}(X))"), "\n");
    let steps = lines(&step, " | ");
    let broken = lines(&|at| format!("(exists X:s. pn{at}(X) & qn{at}(X))"), " | ");
    let text = format!("sort s\n{names}\n{claims}\ntheorem !({steps})\ntheorem ({steps}) -> !({broken})\n");
    let (system, diagnostics) = ramsey::lang::pyv::load(ramsey::base::ids::Id::new(0), &text);
    let system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
    // One by one they take a candidate for each pair.
    let rounds = answers(&system, &mut Budget::unlimited());
    assert!(rounds < (STEPS * STEPS / 2) as u64, "{rounds}");
    let system = Arc::new(system);
    let options = Options { certify: true, ..Options::default() };
    let mut verification = Plan::new(Arc::clone(&system), options).run(&Limits::default());
    let outcomes: Vec<_> = verification.results.iter().map(|result| &result.outcome).collect();
    assert!(matches!(outcomes[..], [Outcome::Fails(_), Outcome::Holds { .. }]), "{outcomes:?}");
    let accepted = of_verification(&system, &text, &Question::Verify, &mut verification, false);
    let certificate = accepted.expect("the checker accepts it").expect("everything is answered").bytes;
    let summary =
        check(&system, &text, certificate.as_slice()).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert_eq!((summary.proofs, summary.counterexamples), (1, 1));
}

/// Among 600 tuples, two that differ in the last place alone are found by the three others, in whichever order these are.
#[test]
fn long_scans_find_the_tuples_that_agree_in_several_places() {
    let names = |of: char, count: usize| (0..count).map(move |at| format!("{of}{at}"));
    let declared = |of: char, count: usize| {
        let constants =
            names(of, count).map(|it| format!("immutable constant {it}: {of}\n")).collect::<String>();
        let all = names(of, count).collect::<Vec<_>>().join(", ");
        format!("sort {of}\n{constants}axiom distinct({all})\n")
    };
    let mut rng = Rng::new(7);
    let mut facts = String::new();
    for (x, y, z) in (0..10).flat_map(|x| (0..10).flat_map(move |y| (0..6).map(move |z| (x, y, z)))) {
        // The last value is at one place alone.
        let value = if (x, y, z) == (3, 7, 2) { 4 } else { rng.below(4) };
        facts += &format!("axiom r(a{x}, b{y}, v{value}, c{z})\n");
    }
    let text = format!(
        "{}{}{}{}immutable relation r(a, b, v, c)\n{facts}axiom r(X, Y, V, Z) & r(X, Y, W, Z) -> V = W\n\
         theorem [open] r(a3, b7, v0, c2)\ntheorem [unique] r(a3, b7, V, c2) -> V = v4\n",
        declared('a', 10),
        declared('b', 10),
        declared('c', 6),
        declared('v', 5)
    );
    let (system, diagnostics) = ramsey::lang::pyv::load(ramsey::base::ids::Id::new(0), &text);
    let system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
    answers(&system, &mut Budget::new(Some(100_000_000), None));
}
