//! Finite instances of systems: their circuits against reachability by evaluation of formulas on all structures.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures, Vocabulary};
use crate::normal_form::random_system;
use ramsey::base::budget::Budget;
use ramsey::base::ids::IdVec;
use ramsey::base::rng::Rng;
use ramsey::check::circuit;
use ramsey::finite::{Encoding, Instance, Options, Path, Place, Sizes};
use ramsey::forms::Canonical;
use ramsey::lang::aiger::{parse, write_binary};
use ramsey::logic::{Evaluator, SortId, Structure, SymId, TermId, Terms};
use ramsey::mc::{self, Method, Outcome, certificate};
use ramsey::query::instance::{Limit, has_initial_state, states};
use ramsey::system::System;
use ramsey::vc::plain::{step_formula, transition_formula};

/// Returns `size` elements for each sort.
fn sizes(system: &System, size: &[(SortId, u32)]) -> Sizes {
    let mut sizes: Sizes = IdVec::filled(system.sig.sorts.len(), 2);
    for &(sort, size) in size {
        sizes[sort] = size;
    }
    sizes
}

fn holds(system: &System, terms: &Terms, structure: &Structure, formula: TermId) -> bool {
    Evaluator::new(terms.over(&system.sig), structure).holds(formula)
}

/// The states and steps of a system at some sizes, by evaluation on all structures.
struct Oracle {
    states: Vec<Structure>,
    is_initial: Vec<bool>,
    next: Vec<Vec<usize>>,
}

impl Oracle {
    /// Returns `None` if there are too many structures.
    fn new(system: &System, sizes: &Sizes, most: u128) -> Option<Oracle> {
        let list: Vec<(SortId, u32)> = system.sig.uninterpreted_sorts().map(|it| (it, sizes[it])).collect();
        let all = Structures::new(&system.sig, &list);
        if all.count_all() > most {
            return None;
        }
        let mut terms = system.terms.clone();
        let assumed: Vec<TermId> = system
            .axioms
            .iter()
            .map(|it| it.formula)
            .chain(system.derived.iter().map(|it| it.axiom))
            .collect();
        let is_all = |structure: &Structure, formulas: &[TermId]| {
            formulas.iter().all(|&formula| holds(system, &system.terms, structure, formula))
        };
        let states: Vec<Structure> = all.filter(|structure| is_all(structure, &assumed)).collect();
        let inits: Vec<TermId> = system.inits.iter().map(|it| it.formula).collect();
        let is_initial = states.iter().map(|structure| is_all(structure, &inits)).collect();
        let steps: Vec<TermId> =
            system.transitions.iter().map(|it| transition_formula(terms.over_mut(&system.sig), it)).collect();
        let is_same = |a: &Structure, b: &Structure| {
            let immutable = system.sig.symbols.iter_enumerated().filter(|(_, it)| !it.kind.is_mutable());
            immutable.into_iter().all(|(sym, _)| {
                a.interpretation(&system.sig, sym, 0) == b.interpretation(&system.sig, sym, 0)
            })
        };
        let next = states
            .iter()
            .map(|from| {
                let to = states.iter().enumerate().filter(|(_, to)| {
                    is_same(from, to) && {
                        let mut pair = from.clone();
                        pair.push_state(&system.sig, to, 0);
                        steps.iter().any(|&step| holds(system, &terms, &pair, step))
                    }
                });
                to.map(|(index, _)| index).collect()
            })
            .collect();
        Some(Oracle { states, is_initial, next })
    }

    /// Returns the least number of steps to each state.
    fn depths(&self) -> Vec<Option<usize>> {
        let mut depths: Vec<Option<usize>> = self.is_initial.iter().map(|&it| it.then_some(0)).collect();
        let mut queue: Vec<usize> = (0..depths.len()).filter(|&at| self.is_initial[at]).collect();
        let mut done = 0;
        while done < queue.len() {
            let at = queue[done];
            done += 1;
            for &to in &self.next[at] {
                if depths[to].is_none() {
                    depths[to] = depths[at].map(|depth| depth + 1);
                    queue.push(to);
                }
            }
        }
        depths
    }

    /// Returns the least number of steps to a state in which the formula is false.
    fn violation(&self, system: &System, formula: TermId) -> Option<usize> {
        let depths = self.states.iter().zip(self.depths());
        let bad = depths.filter(|(state, _)| !holds(system, &system.terms, state, formula));
        bad.filter_map(|(_, depth)| depth).min()
    }
}

/// Checks by evaluation that the path is an execution whose last state violates the formula.
fn assert_execution(system: &System, path: &Path, target: TermId, what: &str) {
    let sig = &system.sig;
    let mut terms = system.terms.clone();
    assert_eq!(path.structure.states(), path.steps.len() + 1, "{what}");
    for at in 0..path.structure.states() {
        let state = path.structure.state(sig, at);
        let assumed =
            system.axioms.iter().map(|it| it.formula).chain(system.derived.iter().map(|it| it.axiom));
        for formula in assumed.chain(system.inits.iter().filter(|_| at == 0).map(|it| it.formula)) {
            assert!(holds(system, &terms, &state, formula), "{what}: state {at}");
        }
        let is_last = at + 1 == path.structure.states();
        assert!(!is_last || !holds(system, &terms, &state, target), "{what}: the last state");
        if let Some(step) = path.steps.get(at) {
            let transition = &system.transitions[step.transition];
            let formula = step_formula(terms.over_mut(sig), transition);
            let mut pair = state.clone();
            pair.push_state(sig, &path.structure, at + 1);
            let mut eval = Evaluator::new(terms.over(sig), &pair);
            eval.env = transition.params.iter().copied().zip(step.args.iter().copied()).collect();
            assert!(eval.holds(formula), "{what}: step {at}");
        }
    }
}

const ENCODINGS: [Encoding; 2] = [Encoding::OneHot, Encoding::Binary];

fn options(target: TermId, encoding: Encoding, break_symmetry: bool) -> Options {
    Options { encoding, break_symmetry, targets: vec![("target".into(), target)], ..Options::default() }
}

/// Decides the target by circuits with both encodings, with and without symmetries. Executions are replayed, certificates
/// checked, invariants evaluated in all reachable states. Returns the number of steps of the shortest violation.
fn decide(system: &Arc<System>, sizes: &Sizes, target: TermId, what: &str) -> Option<usize> {
    let mut answers = Vec::new();
    for encoding in ENCODINGS {
        for break_symmetry in [true, false] {
            let what = format!("{what}, {encoding:?}, {break_symmetry}");
            let options = options(target, encoding, break_symmetry);
            let mut budget = Budget::unlimited();
            let instance = Instance::new(Arc::clone(system), sizes, &options, &mut budget)
                .unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
            answers.push(answer(&instance, target, &what));
        }
    }
    assert!(answers.iter().all(|answer| answer == &answers[0]), "{what}: {answers:?}");
    answers[0]
}

fn answer(instance: &Instance, target: TermId, what: &str) -> Option<usize> {
    let system = instance.system();
    let circuit = instance.circuit();
    let search = |method| {
        let options = mc::Options { method, ..mc::Options::default() };
        mc::check(circuit, 0, &options, &mut Budget::unlimited()).expect("a property").0
    };
    let mut bytes = Vec::new();
    write_binary(circuit, &mut bytes).expect("a circuit");
    assert_eq!(&parse(&bytes).expect("what was written"), circuit, "{what}");
    let outcome = search(Method::All);
    let text = certificate(circuit, &bytes, std::slice::from_ref(&outcome), &mut Budget::unlimited());
    let text = text.unwrap_or_else(|error| panic!("{what}: {error}"));
    let summary =
        circuit::check(circuit, &bytes, &text[..]).unwrap_or_else(|error| panic!("{what}: {error}"));
    match outcome {
        Outcome::Unsafe(witness) => {
            assert_eq!(summary.violated.len(), 1);
            assert_execution(system, &instance.path(&witness), target, what);
            let Outcome::Unsafe(shortest) = search(Method::Bounded) else { panic!("{what}: two answers") };
            let path = instance.path(&shortest);
            assert_execution(system, &path, target, what);
            Some(path.steps.len())
        }
        Outcome::Safe(proof) => {
            assert_eq!(summary.safe, [0]);
            for clause in proof.invariant.iter().filter_map(|clause| instance.clause(clause)) {
                for (atom, _) in clause {
                    assert!(matches!(instance.place(&atom), Some(Place::Latch(_))), "{what}");
                }
            }
            None
        }
        other => panic!("{what}: {other:?}"),
    }
}

/// Counts the reachable states with the oracle, all of them and up to isomorphism.
fn count(system: &Arc<System>, sizes: &Sizes, oracle: &Oracle, what: &str) {
    let depths = oracle.depths();
    let reached: Vec<usize> = (0..depths.len()).filter(|&at| depths[at].is_some()).collect();
    let symbols: Vec<SymId> = system.sig.symbols.ids().collect();
    let form = |state: &Structure| {
        Canonical::of_state(&system.sig, state, 0, &symbols, &mut Budget::unlimited()).expect("a form")
    };
    let forms: BTreeSet<Canonical> = reached.iter().map(|&at| form(&oracle.states[at])).collect();
    let mut budget = Budget::unlimited();
    for (encoding, break_symmetry) in [(Encoding::OneHot, false), (Encoding::Binary, true)] {
        let options = Options { encoding, break_symmetry, ..Options::default() };
        let instance = Instance::new(Arc::clone(system), sizes, &options, &mut budget).expect("an instance");
        let mut enumerate = |up_to_isomorphism, most| {
            let limit = Limit { states: most, up_to_isomorphism };
            states(&instance, &[], limit, &mut Budget::unlimited()).expect("no limit")
        };
        let (graph, is_complete) = enumerate(true, 100_000);
        assert!(is_complete);
        assert_eq!(graph.states.len(), forms.len(), "{what}: classes, {break_symmetry}");
        assert_eq!(
            has_initial_state(&instance, &mut Budget::unlimited()),
            Ok(!reached.is_empty()),
            "{what}: {break_symmetry}"
        );
        if !break_symmetry {
            let (graph, is_complete) = enumerate(false, 100_000);
            assert!(is_complete);
            assert_eq!(graph.states.len(), reached.len(), "{what}: states");
            let steps: usize = reached.iter().map(|&at| oracle.next[at].len()).sum();
            assert_eq!(graph.steps.len(), steps, "{what}: steps");
            let stuck = reached.iter().filter(|&&at| oracle.next[at].is_empty()).count();
            assert_eq!(graph.stuck(), stuck, "{what}: states without a successor");
            assert_eq!(Some(graph.diameter()), depths.iter().flatten().max().copied().or(Some(0)), "{what}");
            if let Some(fewer) = reached.len().checked_sub(1) {
                assert!(!enumerate(false, fewer).1, "{what}: there is one more");
            }
        }
    }
}

#[test]
fn circuits_of_random_systems_agree_with_evaluation() {
    let (mut safe, mut initial, mut later) = (0, 0, 0);
    for seed in 0..cases(400) {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::of_states(&mut rng);
        let mut system = random_system(&vocabulary, &mut rng);
        // Initial states do not violate these targets, so that some violations are found later.
        let mut targets: Vec<TermId> = system.invariants.iter().map(|it| it.formula).collect();
        let init = system.inits[0].formula;
        for depth in 0..3 {
            let formula = Generator::new(&vocabulary, &mut system.terms, &mut rng).formula(depth);
            targets.push(system.terms.or(&[init, formula]));
        }
        let system = Arc::new(system);
        let list = vocabulary.sorts.map(|sort| (sort, if rng.one_in(3) { 1 } else { 2 }));
        let sizes = sizes(&system, &list);
        let Some(oracle) = Oracle::new(&system, &sizes, 300) else { continue };
        count(&system, &sizes, &oracle, &format!("seed {seed}"));
        for (index, &target) in targets.iter().enumerate() {
            let what = format!("seed {seed}, target {index}");
            let expected = oracle.violation(&system, target);
            assert_eq!(decide(&system, &sizes, target, &what), expected, "{what}");
            match expected {
                None => safe += 1,
                Some(0) => initial += 1,
                Some(_) => later += 1,
            }
        }
    }
    assert!(safe > 20 && initial > 20 && later > 5, "all answers occur: {safe}, {initial}, {later}");
}
