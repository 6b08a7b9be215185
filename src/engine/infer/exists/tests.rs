//! The strongest formulas against all formulas, over small random states.

use std::sync::Arc;

use super::best_first::BestFirst;
use super::blocks::{Blocks, Ground, Limits};
use super::formula::Alternation;
use super::guess::Guesses;
use super::orders::{is_reached, orders};
use super::shape::{Inside, Shape};
use super::{Grammar, Ordering, Profile, Prototype, SCHEDULE, Schedule, orderings};
use crate::infer::prover::Prover;
use crate::infer::state::{Atom, Literal, State, Vocabulary};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::rng::Rng;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{Sort, SortId, Structure, Symbol, SymbolKind, SymbolOrigin, TermId, Tuples, VarId};
use ramsey_core::system::{Init, System};
use ramsey_solver::ask::holds;

const A: usize = 1;
const B: usize = 2;

/// Returns a system with two sorts, a relation between them, and a relation of one argument on each.
fn system() -> System {
    let mut system = System::new();
    let sorts = ["a", "b"].map(|name| system.sig.sorts.push(Sort::new(name)));
    for (name, args) in [("r", vec![sorts[0], sorts[1]]), ("p", vec![sorts[0]]), ("q", vec![sorts[1]])] {
        system.sig.symbols.push(Symbol::new(name, args, SortId::BOOL, SymbolKind::Mutable));
    }
    system
}

fn random_structure(system: &System, rng: &mut Rng) -> Structure {
    let mut structure = Structure::new(&system.sig, 1);
    structure.sizes[SortId::new(A)] = 1 + rng.below(2) as u32;
    structure.sizes[SortId::new(B)] = 1 + rng.below(3) as u32;
    for (sym, symbol) in system.sig.symbols.iter_enumerated() {
        for args in structure.tuples(&symbol.args) {
            structure.interpretation_mut(&system.sig, sym, 0).set(&args, rng.below(2) as u32);
        }
    }
    structure
}

/// Evaluates a formula by its definition.
fn is_true(formula: &Alternation, state: &State) -> bool {
    let inner = formula.outer + formula.witnesses;
    let tuples = |range: std::ops::Range<usize>| -> Vec<Vec<u32>> {
        Tuples::new(formula.sorts[range].iter().map(|sort| state.sizes[sort.index()]).collect()).collect()
    };
    let literal = |it: &Literal, values: &[u16]| it.atom.holds(state, values) == it.positive;
    tuples(0..formula.outer).iter().all(|x| {
        tuples(formula.outer..inner).iter().any(|y| {
            tuples(inner..formula.sorts.len()).iter().all(|z| {
                let values: Vec<u16> = x.iter().chain(y).chain(z).map(|&elem| elem as u16).collect();
                formula.clause.iter().any(|it| literal(it, &values))
                    || !formula.cube.is_empty() && formula.cube.iter().all(|it| literal(it, &values))
            })
        })
    })
}

/// Proposes formulas until one is true in the states, or has no witness. The shape learns from those that are false.
fn excluding(shape: &mut Shape, target: &State, states: &[Arc<State>]) -> Option<Alternation> {
    let budget = &mut Budget::unlimited();
    let types = shape.types(target, budget).expect("there is no limit").expect("the state is small");
    let mut search = BestFirst::new(shape, types, budget).expect("there is no limit");
    while let Some(formula) = search.next(usize::MAX) {
        let (alternation, variables) = search.shape.alternation(&formula);
        let found = states.iter().find_map(|state| Some((state, alternation.refutation(state, &mut 0)?)));
        let Some((state, values)) = found else {
            if search.shape.has_witness(&formula) {
                return Some(alternation);
            }
            continue;
        };
        let found = search.shape.type_at(state, &variables, &values).expect("the state is small");
        assert!(search.shape.is_refuted(&formula, &found), "{alternation:?}");
        search.learn(&found, budget).expect("there is no limit");
    }
    None
}

/// The blocks, what is inside, and the sorts of the variables: outer ones, a witness, inner ones.
fn shapes() -> Vec<(Blocks, Inside, Vec<usize>)> {
    let blocks = |outer, inner| Blocks {
        outer: vec![0, outer, 0],
        local: vec![0; 3],
        witnesses: vec![0, 0, 1],
        inner: vec![0, inner, 0],
    };
    vec![
        (blocks(2, 0), Inside::Cube, vec![A, A, B]),
        (blocks(2, 0), Inside::Clause, vec![A, A, B]),
        (blocks(1, 1), Inside::Clause, vec![A, B, A]),
        (blocks(0, 2), Inside::Clause, vec![B, A, A]),
        // All permutations of four variables are considered, and none of five.
        (blocks(4, 0), Inside::Cube, vec![A, A, A, A, B]),
        (blocks(5, 0), Inside::Cube, vec![A, A, A, A, A, B]),
    ]
}

const LIMITS: Limits = Limits { outside: 1, inside: 2, clause: 2 };

/// Returns all formulas of a shape within the limits, with at most two literals in a cube.
fn all(blocks: &Blocks, inside: Inside, sorts: &[usize]) -> Vec<Alternation> {
    let outer = blocks.outer[A] as usize;
    let of = |sort: usize| (0..sorts.len() as u8).filter(move |&var| sorts[usize::from(var)] == sort);
    let mut atoms: Vec<Atom> =
        of(A).flat_map(|a| of(B).map(move |b| Atom::Relation(0, vec![a, b]))).collect();
    atoms.extend(of(A).map(|a| Atom::Relation(1, vec![a])));
    atoms.extend(of(B).map(|b| Atom::Relation(2, vec![b])));
    atoms.extend(of(A).flat_map(|a| of(A).filter(move |&b| a < b).map(move |b| Atom::Equal(a, b))));
    let both = |atom: Atom| [true, false].map(|positive| Literal { atom: atom.clone(), positive });
    let literals: Vec<Literal> = atoms.into_iter().flat_map(both).collect();
    let is_outside = |literal: &&Literal| {
        let mut is_outside = true;
        literal.atom.variables(|var| is_outside &= usize::from(var) < outer);
        is_outside
    };
    let outside: Vec<Literal> = literals.iter().filter(is_outside).cloned().collect();
    let within: Vec<Literal> = literals.iter().filter(|it| !is_outside(it)).cloned().collect();
    let mut parts: Vec<Vec<Literal>> = vec![Vec::new()];
    parts.extend(within.iter().map(|it| vec![it.clone()]));
    for (at, a) in within.iter().enumerate() {
        parts.extend(within[at + 1..].iter().map(|b| vec![a.clone(), b.clone()]));
    }
    let mut formulas = Vec::new();
    for before in std::iter::once(None).chain(outside.iter().map(Some)) {
        for part in &parts {
            let mut clause: Vec<Literal> = before.into_iter().cloned().collect();
            let mut cube = Vec::new();
            match inside {
                Inside::Cube => cube.clone_from(part),
                Inside::Clause if clause.len() + part.len() > LIMITS.clause => continue,
                Inside::Clause => clause.extend(part.iter().cloned()),
            }
            let sorts = sorts.iter().map(|&sort| SortId::new(sort)).collect();
            formulas.push(Alternation { sorts, outer, witnesses: 1, clause, cube });
        }
    }
    formulas
}

fn mentions_witness(formula: &Alternation) -> bool {
    let mut is_found = false;
    for literal in formula.clause.iter().chain(&formula.cube) {
        literal.atom.variables(|var| is_found |= usize::from(var) == formula.outer);
    }
    is_found
}

#[test]
fn formulas_with_many_literals_are_true_in_the_states_learned() {
    let system = system();
    let vocabulary = Vocabulary::new(&system);
    let mut rng = Rng::new(9);
    let mut proposed = 0;
    for (blocks, inside, _) in shapes() {
        let limits = Limits { outside: 3, inside: 2, clause: 4 };
        for _ in 0..20 {
            let mut shape =
                Shape::new(&vocabulary, &blocks, &[], inside, limits).ok().flatten().expect("a shape");
            let mut state = || {
                let structure = random_structure(&system, &mut rng);
                Arc::new(State::new(&vocabulary, &system.sig, &structure, 0))
            };
            let states = [state(), state()];
            for _ in 0..4 {
                let target = state();
                let found = excluding(&mut shape, &target, &states);
                proposed += usize::from(found.is_some());
                if let Some(formula) = found {
                    assert!(!is_true(&formula, &target), "{formula:?}");
                    assert!(states.iter().all(|state| is_true(&formula, state)), "{formula:?}");
                }
            }
        }
    }
    assert!(proposed > 100, "{proposed}");
}

#[test]
fn formulas_that_exclude_a_state_are_found_if_there_are_any() {
    let system = system();
    let vocabulary = Vocabulary::new(&system);
    let mut rng = Rng::new(7);
    let mut outcomes = [0; 2];
    for (blocks, inside, sorts) in shapes() {
        let formulas = all(&blocks, inside, &sorts);
        for _ in 0..40 {
            let mut shape =
                Shape::new(&vocabulary, &blocks, &[], inside, LIMITS).ok().flatten().expect("a shape");
            let count = 1 + rng.below(6);
            let mut states = Vec::new();
            for _ in 0..count {
                let structure = random_structure(&system, &mut rng);
                states.push(Arc::new(State::new(&vocabulary, &system.sig, &structure, 0)));
            }
            // What the shape learned for another state stays true.
            let mut target = || {
                let structure = random_structure(&system, &mut rng);
                State::new(&vocabulary, &system.sig, &structure, 0)
            };
            excluding(&mut shape, &target(), &states);
            let target = target();
            let found = excluding(&mut shape, &target, &states);
            let types = shape.types(&target, &mut Budget::unlimited()).ok().flatten().expect("small");
            let found_about = excluding(&mut shape.about(&types), &target, &states);
            let separates =
                |it: &&Alternation| !is_true(it, &target) && states.iter().all(|state| is_true(it, state));
            let expected: Vec<&Alternation> = formulas.iter().filter(separates).collect();
            for found in [&found, &found_about] {
                assert!(found.iter().all(|it| separates(&it)), "{found:?}");
                // A universal formula may be stronger than all others, and is not returned.
                if expected.iter().all(|it| mentions_witness(it)) {
                    assert!(expected.is_empty() || found.is_some(), "{inside:?} {:?}", expected.first());
                }
            }
            outcomes[usize::from(found.is_none())] += 1;
        }
    }
    assert!(outcomes.iter().all(|&count| count > 20), "{outcomes:?}");
}

#[test]
fn evaluation_agrees_with_the_definition_and_with_the_term() {
    let mut system = system();
    let vocabulary = Vocabulary::new(&system);
    let mut rng = Rng::new(8);
    for (blocks, inside, sorts) in shapes() {
        for (at, formula) in
            all(&blocks, inside, &sorts).into_iter().enumerate().filter(|(at, _)| at % 7 == 0)
        {
            let formula = if at % 2 == 0 { formula } else { formula.normalized() };
            let term = formula.term(&vocabulary, &system.sig, &mut system.terms);
            for _ in 0..6 {
                let structure = random_structure(&system, &mut rng);
                let state = State::new(&vocabulary, &system.sig, &structure, 0);
                let expected = is_true(&formula, &state);
                assert_eq!(formula.refutation(&state, &mut 0).is_none(), expected, "{formula:?}");
                let mut budget = Budget::unlimited();
                let value = holds(system.syntax(), &structure, &Map::default(), term, &mut budget);
                assert_eq!(value.ok(), Some(expected), "{formula:?}");
            }
        }
    }
}

/// Formulas may be about a constant and a value of a function at no charge: no variable, no literal, and no witness that
/// depends on it.
#[test]
fn terms_without_variables_stand_for_themselves() {
    let mut system = system();
    let [a, b] = [A, B].map(SortId::new);
    let mut symbol = |name: &str, args: &[SortId], result| {
        let symbol = Symbol::new(name, args.to_vec(), result, SymbolKind::Immutable);
        system.sig.symbols.push(Symbol { origin: SymbolOrigin::Witness, ..symbol })
    };
    let (first, image) = (symbol("first", &[], a), symbol("image", &[a], b));
    let vocabulary = Vocabulary::new(&system);
    let place = |sym| vocabulary.symbols.iter().position(|it| it.sym == sym).expect("it is declared");
    let grounds = [
        Ground { sort: a, symbol: place(first), args: Vec::new() },
        Ground { sort: b, symbol: place(image), args: vec![0] },
    ];
    let blocks = Blocks { outer: vec![0; 3], local: vec![0; 3], witnesses: vec![0, 1, 0], inner: vec![0; 3] };
    let limits = Limits { outside: 1, inside: 1, clause: 2 };
    let mut rng = Rng::new(10);
    let mut structure = |system: &System| {
        let mut structure = random_structure(system, &mut rng);
        for sym in [first, image] {
            let symbol = &system.sig.symbols[sym];
            for args in structure.tuples(&symbol.args) {
                let value = rng.below(structure.sizes[symbol.result] as usize) as u32;
                structure.interpretation_mut(&system.sig, sym, 0).set(&args, value);
            }
        }
        structure
    };
    let r = system.sig.symbols.ids().find(|&it| system.sig.symbols[it].name == "r").expect("it is declared");
    let (mut found_of_terms, mut expected_of_terms) = (0, 0);
    for _ in 0..60 {
        let mut shape = Shape::new(&vocabulary, &blocks, &grounds, Inside::Clause, limits)
            .ok()
            .flatten()
            .expect("a shape");
        let (target, other) = (structure(&system), structure(&system));
        let state = |it: &Structure| State::new(&vocabulary, &system.sig, it, 0);
        let states = [Arc::new(state(&other))];
        let found = excluding(&mut shape, &state(&target), &states);
        // Whether "r(X, image(first)) for some X" excludes it.
        let holds_in = |it: &Structure| {
            let value = |sym, args: &[u32]| it.interpretation(&system.sig, sym, 0).get(args);
            let image = value(image, &[value(first, &[])]);
            (0..it.sizes[a]).any(|x| value(r, &[x, image]) == 1)
        };
        let is_expected = !holds_in(&target) && holds_in(&other);
        expected_of_terms += usize::from(is_expected);
        let Some(formula) = found else {
            assert!(!is_expected);
            continue;
        };
        let term = formula.term(&vocabulary, &system.sig, &mut system.terms);
        found_of_terms += usize::from(system.terms.symbols(term).contains(&first));
        // Nothing is left of the variables that stand for terms.
        let is_witness = |&var: &VarId| system.terms.var_info(var).sort == a;
        assert!(system.terms.bound_below(term).iter().all(is_witness), "{formula:?}");
        for it in [&target, &other] {
            let expected = is_true(&formula, &State::new(&vocabulary, &system.sig, it, 0));
            let mut budget = Budget::unlimited();
            let value = holds(system.syntax(), it, &Map::default(), term, &mut budget);
            assert_eq!(value.ok(), Some(expected), "{formula:?}");
            assert_eq!(expected, it == &other, "{formula:?}");
        }
    }
    assert!(found_of_terms > 10 && expected_of_terms > 5, "{found_of_terms} {expected_of_terms}");
}

#[test]
fn levels_grow_without_end() {
    let sorts: Vec<SortId> = [A, B].map(SortId::new).to_vec();
    let edges: Set<(SortId, SortId)> = [(sorts[0], sorts[1])].into_iter().collect();
    let (latest, edges, alternating) = (sorts[1], Arc::new(edges), sorts.clone().into());
    let order = Ordering { sorts: sorts.clone(), latest, edges, alternating };
    let (orders, least, values) = (vec![order], vec![1; 3], Vec::new());
    let mut schedule = Schedule { sorts, least, orders, values, place: 0, asked: Vec::new() };
    let mut sizes = Vec::new();
    while schedule.place < 3 * SCHEDULE.len() {
        let levels = schedule.next();
        assert!(!levels.is_empty(), "place {}", schedule.place);
        if schedule.place > SCHEDULE.len() {
            sizes.extend(levels.iter().map(|it| (it.limits.clause, it.universal.variables[A])));
        }
    }
    assert!(sizes.windows(2).all(|pair| pair[0] <= pair[1]), "{sizes:?}");
    assert!(sizes.len() > SCHEDULE.len() && sizes[0].0 + 10 < sizes[sizes.len() - 1].0, "{sizes:?}");
}

/// What a search found is admitted to another one.
#[test]
fn formulas_of_all_levels_are_in_the_grammar() {
    let sorts: Vec<SortId> = (1..5).map(SortId::new).collect();
    let edges = [(0, 2), (1, 3), (2, 3)].map(|(a, b)| (sorts[a], sorts[b]));
    let edges: Set<(SortId, SortId)> = edges.into_iter().collect();
    let (edges, alternating) = (Arc::new(edges), sorts.clone().into());
    let orders = vec![Ordering { sorts: sorts.clone(), latest: sorts[3], edges, alternating }];
    let asked = Blocks {
        outer: vec![0, 1, 0, 0, 2],
        local: vec![0; 5],
        witnesses: vec![0, 1, 0, 0, 0],
        inner: vec![0; 5],
    };
    let asked = vec![asked];
    let grammar = Grammar::Ordered { orders: orders.clone(), asked: asked.clone() };
    let mut schedule = Schedule { sorts, least: vec![1; 5], orders, values: Vec::new(), place: 0, asked };
    let (mut with_both, mut with_premises) = (0, 0);
    while schedule.place < SCHEDULE.len() {
        for Prototype { blocks, inside, .. } in schedule.next().into_iter().flat_map(|level| level.shapes) {
            with_both += usize::from(blocks.has_witnesses_and_inner());
            let has_premises = blocks.local.iter().any(|&count| count > 0);
            with_premises += usize::from(has_premises && blocks.has_witnesses_and_inner());
            let Blocks { outer: bound, local, witnesses, inner } = blocks;
            let outer = bound.iter().zip(&local).map(|(a, b)| a + b).collect();
            let is_cube = inside == Inside::Cube;
            let profile = Profile { outer, bound, witnesses, inner, outside: 1, inside: 2, is_cube };
            assert!(grammar.has(&profile), "{profile:?}");
        }
    }
    assert!(with_premises > 0 && with_both > with_premises);
}

/// An initial condition says that there is a value for each node, which leaves nodes that depend on values where they were.
#[test]
fn initial_conditions_do_not_order_sorts() {
    let mut system = system();
    let [node, value] = [A, B].map(SortId::new);
    let System { sig, terms, inits, .. } = &mut system;
    let has = sig.symbols.ids().next().expect("a relation between the sorts");
    let [one, other] = [node, value].map(|sort| terms.new_var("X", sort));
    let args = [one, other].map(|var| terms.var(var));
    let body = terms.app(sig, has, 0, &args);
    let body = terms.exists(&[other], body);
    let formula = terms.forall(&[one], body);
    let span = Span { file: FileId::new(0), start: 0, end: 0 };
    inits.push(Init { name: None, formula, span });
    let prover = Prover::new(&Arc::new(system), 0, None);
    assert!(prover.sort_edges(&[]).contains(&(node, value)) && prover.step_edges(&[]).is_empty());
    let orders: Vec<Vec<SortId>> = orderings(&prover, &[]).into_iter().map(|it| it.sorts).collect();
    assert!(orders.contains(&vec![node, value]) && orders.contains(&vec![value, node]), "{orders:?}");
}

/// Each sort has an order in which it comes as late as the edges allow, so that its witnesses depend on what they can depend on.
#[test]
fn witnesses_of_each_sort_may_depend_on_all_sorts_that_do_not_depend_on_it() {
    let sorts: Vec<SortId> = (1..6).map(SortId::new).collect();
    let mut rng = Rng::new(5);
    let (mut more, mut fewer) = (0, 0);
    for _ in 0..300 {
        let mut edges: Set<(SortId, SortId)> = Set::default();
        (0..rng.below(8)).for_each(|_| {
            let (a, b) = (rng.below(5), rng.below(5));
            edges.extend((a < b).then(|| (sorts[a], sorts[b])));
        });
        let orders = orders(&sorts, &edges);
        let place = |order: &[SortId], sort: SortId| order.iter().position(|&it| it == sort);
        for (_, order) in &orders {
            assert!(order.len() == sorts.len() && sorts.iter().all(|sort| order.contains(sort)));
            assert!(edges.iter().all(|&(from, to)| place(order, from) < place(order, to)), "{order:?}");
        }
        for (&sort, &other) in sorts.iter().flat_map(|a| sorts.iter().map(move |b| (a, b))) {
            let is_before = orders.iter().any(|(_, order)| place(order, other) < place(order, sort));
            assert_eq!(is_before, !is_reached(&edges, sort, other), "{orders:?}");
        }
        let is_last = |&&sort: &&SortId| !edges.iter().any(|edge| edge.0 == sort);
        let lasts = sorts.iter().filter(is_last).count();
        more += usize::from(orders.len() > lasts);
        fewer += usize::from(orders.len() < sorts.len());
    }
    assert!(more > 50 && fewer > 50, "{more} {fewer}");
}

/// Guesses that take long have a share of the work that the search for other formulas takes.
#[test]
fn guesses_have_a_share_of_the_work() {
    let mut system = system();
    let vars = [A, B].map(|sort| system.terms.new_var("X", SortId::new(sort)));
    let args = vars.map(|var| system.terms.var(var));
    let symbols: Vec<_> = system.sig.symbols.iter_enumerated().map(|(sym, _)| sym).collect();
    let of = [&args[..], &args[..1], &args[1..]];
    let literals: Vec<TermId> =
        symbols.iter().zip(of).map(|(&sym, args)| system.terms.app(&system.sig, sym, 0, args)).collect();
    let other = system.terms.new_var("Y", SortId::new(B));
    let other_term = system.terms.var(other);
    let equal = system.terms.eq(args[1], other_term);
    let body = system.terms.or(&[&literals[..], &[equal]].concat());
    let clause = system.terms.forall(&[vars[0], vars[1], other], body);
    let prover = Prover::new(&Arc::new(system), 0, None);
    let mut guesses = Guesses::of(&prover, &[clause], &|_| true);
    let mut structure = Structure::new(&prover.system().sig, 1);
    [A, B].iter().for_each(|&sort| structure.sizes[SortId::new(sort)] = 2);
    let empty = Arc::new(State::new(prover.vocabulary(), &prover.system().sig, &structure, 0));
    for &sym in &symbols {
        for args in structure.tuples(&prover.system().sig.symbols[sym].args) {
            structure.interpretation_mut(&prover.system().sig, sym, 0).set(&args, 1);
        }
    }
    let full = Arc::new(State::new(prover.vocabulary(), &prover.system().sig, &structure, 0));
    // The clause is false in the empty state, and no step makes it false.
    let steps = vec![(Arc::clone(&full), full); 20_000];
    let mut budget = Budget::unlimited();
    let found = |guesses: &mut Guesses, budget: &mut Budget| {
        guesses.excluding(&empty, &[], &steps, budget).expect("there is no limit")
    };
    let _ = found(&mut guesses, &mut budget);
    assert!(guesses.work() > 20_000, "{}", guesses.work());
    for _ in 0..100 {
        let _ = found(&mut guesses, &mut budget);
    }
    let most = budget.spent();
    assert!((1_000_000..2_000_000).contains(&most), "{most}");
    assert_eq!(guesses.work(), most);
    assert!(found(&mut guesses, &mut budget).is_none());
    assert_eq!(budget.spent(), most);
    guesses.searched(8 * most);
    let _ = found(&mut guesses, &mut budget);
    assert!(budget.spent() > most);
}
