//! Columns against matching state by state, the origins of states as executions, and executions to states with facts.

use std::sync::Arc;

use super::*;
use crate::infer::executions::{Execution, execution};
use crate::infer::exists::Alternation;
use crate::infer::outcome::Event;
use crate::infer::state::{Atom, Literal, Matcher, Pattern};
use crate::infer::store::Role;
use crate::infer::{Counts, Exploration};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{Sort, Syntax};
use ramsey_core::system::{Derived, Init, Invariant, Transition};
use ramsey_kernel::obligations::Property;
use ramsey_solver::formulas::{Fact, Partial};

struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Syntax<'_>, _: &Event, _: &Counts) {}
}

/// Returns a system that marks elements one by one; two of them are never to be marked. Initially a function has any
/// values, and a derived relation tells the marked elements that it maps to themselves.
fn system() -> Arc<System> {
    let mut system = System::new();
    let span = Span { file: FileId::new(0), start: 0, end: 0 };
    let sort = system.sig.sorts.push(Sort::new("s"));
    let mut symbol =
        |name: &str, result, kind| system.sig.symbols.push(Symbol::new(name, vec![sort], result, kind));
    let marked = symbol("marked", SortId::BOOL, SymbolKind::Mutable);
    let image = symbol("image", sort, SymbolKind::Mutable);
    let fixed = symbol("fixed", SortId::BOOL, SymbolKind::Derived);
    let (sig, terms) = (&system.sig, &mut system.terms);
    let [x, y, n] = ["X", "Y", "n"].map(|name| terms.new_var(name, sort));
    let [at_x, at_y, at_n] = [x, y, n].map(|var| terms.var(var));
    let [is_x, is_y, is_n] = [at_x, at_y, at_n].map(|at| terms.app(sig, marked, 0, &[at]));

    let unmarked = terms.not(is_x);
    let formula = terms.forall(&[x], unmarked);
    system.inits.push(Init { name: None, formula, span });

    let image_of_x = terms.app(sig, image, 0, &[at_x]);
    let same = terms.eq(image_of_x, at_x);
    let value = terms.and(&[is_x, same]);
    let head = terms.app(sig, fixed, 0, &[at_x]);
    let definition = terms.iff(head, value);
    let axiom = terms.forall(&[x], definition);
    system.derived.push(Derived { sym: Some(fixed), label: "fixed".into(), axiom, span });

    let guard = terms.not(is_n);
    let is_new = terms.eq(at_x, at_n);
    let after = terms.app(sig, marked, 1, &[at_x]);
    let either = terms.or(&[is_x, is_new]);
    let update = terms.iff(after, either);
    let update = terms.forall(&[x], update);
    let body = terms.and(&[guard, update]);
    let (name, params, modifies) = ("mark".into(), vec![n], vec![marked]);
    system.transitions.push(Transition { name, params, modifies, body, command: None, effect: None, span });

    let both = terms.and(&[is_x, is_y]);
    let equal = terms.eq(at_x, at_y);
    let single = terms.implies(both, equal);
    let formula = terms.forall(&[x, y], single);
    system.invariants.push(Invariant { name: None, label: "L1".into(), formula, is_safety: true, span });
    Arc::new(system)
}

/// Returns a search for an invariant that implies the property of the system, or one without properties.
fn search(has_property: bool) -> Search {
    let system = system();
    let mut search = Search::new(Prover::new(&system, 0, None), 0);
    if has_property {
        search.lemmas.add(Claim::Formula(system.invariants[0].formula), None, Role::Property);
    }
    search
}

#[test]
fn a_violation_that_is_explored_has_an_execution() {
    let mut search = search(true);
    let mut explorer = Explorer { next: 0, ..Explorer::default() };
    let mut budget = Budget::unlimited();
    let (_, state) =
        explorer.explore(&mut search, &mut Silent, &mut budget).expect("no failure").expect("a violation");
    assert!(search.states[state].is_reachable);
    explorer.settle_origin(&mut search, state);
    let property = Property::safety(search.prover.system())[0];
    match execution(&search, property, state, &budget).expect("an execution") {
        Execution::Concrete(found) => assert_eq!(found.calls.len(), 2),
        Execution::Relaxed(_) => panic!("a relaxed execution"),
    }
}

#[test]
fn clauses_are_evaluated_before_they_become_lemmas() {
    let mut search = search(false);
    let mut explorer = Explorer { next: 0, ..Explorer::default() };
    let mut budget = Budget::unlimited();
    while explorer.tried < 4 {
        explorer.next = 0;
        explorer.explore(&mut search, &mut Silent, &mut budget).expect("no failure");
    }
    let explored: usize = explorer.worlds.iter().map(World::tabulated).sum();
    assert_eq!(search.counts.explored, explored as u64);
    let vocabulary = search.prover.vocabulary();
    let place = |name: &str| {
        let sym = |at: &usize| search.prover.system().sig.symbols[vocabulary.symbols[*at].sym].name == name;
        (0..3).find(sym).expect("a symbol")
    };
    let literal = |name: &str, positive| Literal { atom: Atom::Relation(place(name), vec![0]), positive };
    let excludes = |literals| Claim::Excludes(Pattern { sorts: vec![SortId::new(1)], literals });
    // An element is fixed, and one is fixed without being marked.
    let possible = excludes(vec![literal("fixed", true)]);
    let impossible = excludes(vec![literal("fixed", true), literal("marked", false)]);
    let refuted = explorer.refute(&mut search, &possible, &mut Silent, &mut budget).expect("no failure");
    assert!(refuted.is_some_and(|(state, violated)| search.states[state].is_reachable && violated.is_none()));
    assert!(!search.states.satisfy(&possible, &mut budget).expect("no limit"));
    let refuted = explorer.refute(&mut search, &impossible, &mut Silent, &mut budget).expect("no failure");
    assert!(refuted.is_none());
}

/// Returns a random literal over so many variables.
fn literal(search: &Search, variables: usize, rng: &mut Rng) -> Literal {
    let vocabulary = search.prover.vocabulary();
    let symbol = rng.below(vocabulary.symbols.len() + 1);
    let [a, b] = [rng.below(variables) as u8, rng.below(variables) as u8];
    let atom = match vocabulary.symbols.get(symbol).map(|it| it.result.is_some()) {
        Some(true) => Atom::Value(symbol, vec![a], b),
        Some(false) => Atom::Relation(symbol, vec![a]),
        None => Atom::Equal(a.min(b), a.max(b)),
    };
    Literal { atom, positive: rng.one_in(2) }
}

#[test]
fn columns_agree_with_matching_state_by_state() {
    let search = search(false);
    let mut rng = Rng::new(3);
    let mut found = 0;
    for number in 0..4 {
        let mut world = Maker::of_search(&search)
            .world(number, &mut rng, &mut Budget::unlimited())
            .expect("no failure")
            .expect("a world");
        world.run(300, &mut rng);
        world.tabulate();
        let states: Vec<Found> =
            (0..world.tabulated()).map(|at| search.prover.found(&world.state(at), 0)).collect();
        assert!(states.len() > 4, "{}", states.len());
        for _ in 0..300 {
            let literals = (0..1 + rng.below(5)).map(|_| literal(&search, 3, &mut rng)).collect();
            let pattern = Pattern { sorts: vec![SortId::new(1); 3], literals };
            let matcher = Matcher::new(&pattern);
            let claim = Claim::Excludes(pattern);
            let matching: Vec<bool> =
                states.iter().map(|it| matcher.find(&it.state, &mut 0).is_some()).collect();
            for from in [0, 1, states.len() / 2, states.len()] {
                let expected = (from..states.len()).find(|&at| matching[at]);
                let at = world.refuting(&claim, from, &mut 0);
                assert_eq!(at.is_some(), expected.is_some(), "{claim:?}");
                assert!(at.is_none_or(|at| at >= from && matching[at]), "{claim:?}");
                found += usize::from(at.is_some());
            }
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn formulas_by_columns_agree_with_evaluation_state_by_state() {
    let search = search(false);
    let mut rng = Rng::new(4);
    let mut counts = [0; 2];
    for number in 0..4 {
        let mut world = Maker::of_search(&search)
            .world(number, &mut rng, &mut Budget::unlimited())
            .expect("no failure")
            .expect("a world");
        world.run(100, &mut rng);
        world.tabulate();
        let states: Vec<Found> =
            (0..world.tabulated()).map(|at| search.prover.found(&world.state(at), 0)).collect();
        for _ in 0..300 {
            let [outer, witnesses, inner] = [rng.below(3), rng.below(3), rng.below(2)];
            let sorts = vec![SortId::new(1); 1 + outer + witnesses + inner];
            let literals = |rng: &mut Rng, most: usize| -> Vec<Literal> {
                (0..rng.below(most)).map(|_| literal(&search, sorts.len(), rng)).collect()
            };
            let (clause, cube) = (literals(&mut rng, 4), literals(&mut rng, 4));
            let formula = Alternation { sorts, outer: 1 + outer, witnesses, clause, cube };
            let is_false: Vec<bool> =
                states.iter().map(|it| formula.refutation(&it.state, &mut 0).is_some()).collect();
            let claim = Claim::Alternates(formula);
            for from in [0, 1, states.len() / 2, states.len()] {
                let expected = (from..states.len()).any(|at| is_false[at]);
                let at = world.refuting(&claim, from, &mut 0);
                assert_eq!(at.is_some(), expected, "{claim:?}");
                assert!(at.is_none_or(|at| at >= from && is_false[at]), "{claim:?}");
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn facts_as_patterns_are_the_same_facts() {
    let search = search(false);
    let sig = &search.prover.system().sig;
    let mut rng = Rng::new(5);
    for _ in 0..500 {
        let literals = (0..1 + rng.below(5)).map(|_| literal(&search, 3, &mut rng));
        // A partial structure has different elements, and says so of some of them.
        let literals = literals.filter(|it| !(matches!(it.atom, Atom::Equal(a, b) if it.positive || a == b)));
        let pattern = Pattern { sorts: vec![SortId::new(1); 3], literals: literals.collect() }.normalized();
        let partial = Partial { facts: pattern.facts(search.prover.vocabulary()) };
        let again = Pattern::of_facts(&partial, sig, search.prover.vocabulary()).expect("a pattern");
        assert_eq!(again.normalized(), pattern);
    }
}

#[test]
fn states_with_facts_are_reached_by_executions() {
    let system = system();
    let mut budget = Budget::unlimited();
    let exploration = Exploration::new(&system, 0, &mut budget).expect("no failure");
    assert!(exploration.states() > 20);
    let [marked, fixed] = ["marked", "fixed"].map(|name| {
        system.sig.symbols.ids().find(|&sym| system.sig.symbols[sym].name == name).expect("a symbol")
    });
    let fact = |sym, elem, positive| Fact::Relation { sym, args: vec![elem], positive };
    let mut reach = |facts: Vec<Fact>| {
        let partial = Partial { facts };
        let mut with_formula = (*system).clone();
        let formula = partial.conjecture(with_formula.syntax_mut());
        let found = exploration.reach(&with_formula, &partial, formula, &mut budget).expect("no failure");
        assert_eq!(exploration.has(&system, &partial, &mut budget).expect("no limit"), found.is_some());
        found.map(|found| {
            let last = found.calls.len();
            assert!(partial.is_in(&system.sig, &found.structure, last, &mut budget).expect("no limit"));
            last
        })
    };
    assert_eq!(reach(vec![]), Some(0));
    assert_eq!(reach(vec![fact(fixed, 0, true)]), Some(1));
    let distinct = Fact::Distinct { sort: SortId::new(1), pair: [0, 1] };
    assert_eq!(reach(vec![fact(marked, 0, true), fact(marked, 1, true), distinct.clone()]), Some(2));
    assert_eq!(reach(vec![fact(marked, 0, true), fact(marked, 1, false), distinct]), Some(1));
    assert_eq!(reach(vec![fact(fixed, 0, true), fact(marked, 0, false)]), None);
}

#[test]
fn an_exploration_depends_on_its_seed_alone() {
    let states = |seed| {
        let exploration = Exploration::new(&system(), seed, &mut Budget::new(Some(3_000_000), None));
        exploration.expect("no failure").states()
    };
    assert_eq!(states(1), states(1));
}

/// A relation loses elements, but never the value of a constant, which the body of the transition does not say.
#[test]
fn explored_states_satisfy_what_is_assumed_of_every_state() {
    let mut system = System::new();
    let span = Span { file: FileId::new(0), start: 0, end: 0 };
    let sort = system.sig.sorts.push(Sort::new("s"));
    let mut symbol = |name: &str, args, result| {
        system.sig.symbols.push(Symbol::new(name, args, result, SymbolKind::Mutable))
    };
    let present = symbol("present", vec![sort], SortId::BOOL);
    let first = symbol("first", vec![], sort);
    let (sig, terms) = (&system.sig, &mut system.terms);
    let x = terms.new_var("X", sort);
    let (at_x, at_first) = (terms.var(x), terms.app(sig, first, 0, &[]));
    let [now, next] = [0, 1].map(|step| terms.app(sig, present, step, &[at_x]));
    let formula = terms.forall(&[x], now);
    system.inits.push(Init { name: None, formula, span });
    let axiom = terms.app(sig, present, 0, &[at_first]);
    system.derived.push(Derived { sym: None, label: "closed".into(), axiom, span });
    let kept = terms.implies(next, now);
    let body = terms.forall(&[x], kept);
    let (name, params, modifies) = ("lose".into(), vec![], vec![present]);
    system.transitions.push(Transition { name, params, modifies, body, command: None, effect: None, span });

    let mut search = Search::new(Prover::new(&Arc::new(system), 0, None), 0);
    search.lemmas.add(Claim::Formula(axiom), None, Role::Property);
    let mut explorer = Explorer::default();
    for _ in 0..4 {
        explorer.next = 0;
        let found = explorer.explore(&mut search, &mut Silent, &mut Budget::unlimited()).expect("no failure");
        assert!(found.is_none());
    }
    assert!(explorer.worlds.iter().any(|world| world.tabulated() > 1));
}
