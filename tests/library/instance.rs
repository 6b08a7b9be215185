//! Finite instances of systems: their circuits against reachability by evaluation of formulas on all structures.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use crate::common::bounded::safety;
use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures, Vocabulary};
use crate::common::models::load;
use crate::common::skip::skipped;
use crate::normal_form::random_system;
use ramsey::base::budget::Budget;
use ramsey::base::ids::IdVec;
use ramsey::base::rng::Rng;
use ramsey::check::circuit;
use ramsey::finite::{Atom, Break, Encoding, Instance, Meaning, Options, Path, Place, Refusal, Sizes, Step};
use ramsey::formulas::Canonical;
use ramsey::hwmc::{self, Method, certificate};
use ramsey::lang::aiger::{parse, write_binary};
use ramsey::logic::{Evaluator, Interpretation, SortId, Structure, SymId, TermId, Terms};
use ramsey::obligations::Property;
use ramsey::obligations::plain::{step_formula, transition_formula};
use ramsey::query::Limits;
use ramsey::query::bmc::{self, Bmc, Violation};
use ramsey::query::instance::{self as query, Check, Instances, Limit, Outcome, has_initial_state, states};
use ramsey::system::System;

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
        let options = hwmc::Options { method, ..hwmc::Options::default() };
        hwmc::check(circuit, 0, &options, &mut Budget::unlimited()).expect("a property").0
    };
    let mut bytes = Vec::new();
    let file = instance.file().expect("a file");
    write_binary(&file, &mut bytes).expect("a circuit");
    assert_eq!(parse(&bytes).expect("what was written"), file, "{what}");
    let outcome = search(Method::All);
    let text = certificate(&file, &bytes, std::slice::from_ref(&outcome), &mut Budget::unlimited());
    let text = text.unwrap_or_else(|error| panic!("{what}: {error}"));
    let summary = circuit::check(&file, &bytes, &text[..]).unwrap_or_else(|error| panic!("{what}: {error}"));
    match outcome {
        hwmc::Outcome::Unsafe(witness) => {
            assert_eq!(summary.violated.len(), 1);
            assert_execution(system, &instance.path(&witness), target, what);
            let hwmc::Outcome::Unsafe(shortest) = search(Method::Bounded) else {
                panic!("{what}: two answers")
            };
            let path = instance.path(&shortest);
            assert_execution(system, &path, target, what);
            Some(path.steps.len())
        }
        hwmc::Outcome::Safe(proof) => {
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
        let enumerate = |up_to_isomorphism, most| {
            let limit = Limit { states: most, up_to_isomorphism };
            states(&instance, limit, &mut Budget::unlimited()).expect("no limit")
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
    for seed in 0..cases(200) {
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

/// Searches the instance of the model's safety properties and assertions.
fn search(system: &Arc<System>, sizes: &Sizes, encoding: Encoding, work: Option<u64>) -> Option<Check> {
    let targets = safety(system);
    let options = query::Options {
        sizes: sizes.clone(),
        targets,
        encoding,
        break_symmetry: true,
        inductive: false,
        max_nodes: 1_000_000,
        seed: 0,
    };
    let instances = Instances::new(system, &options, &mut Budget::unlimited()).ok()?;
    let check = instances.check(&mut Budget::new(work, None));
    if let Some(outcome @ hwmc::Outcome::Safe(_)) = &check.circuit {
        let (file, list) = (instances.main().file().expect("a file"), std::slice::from_ref(outcome));
        let text = certificate(&file, b"", list, &mut Budget::unlimited()).expect("a certificate");
        assert_eq!(circuit::check(&file, b"", &text[..]).expect("accepted").safe, [0]);
    }
    Some(check)
}

/// Returns the violation that bounded model checking finds, with the number of its steps, and the number of steps for which
/// there is an answer.
fn bounded(
    system: &Arc<System>,
    depth: u16,
    work: Option<u64>,
) -> (Option<(Option<u16>, Violation)>, Option<u16>) {
    let limits = Limits { work, ..Limits::default() };
    let mut bmc = Bmc::new(Arc::clone(system), bmc::Options::new(safety(system), depth));
    let mut known = None;
    while let Some(answer) = bmc.advance(&limits) {
        match answer.outcome {
            bmc::Outcome::Holds => known = answer.steps,
            bmc::Outcome::Violated(violation) => return (Some((answer.steps, *violation)), known),
            _ => break,
        }
    }
    (None, known)
}

/// Checks that instances of the sizes of the shortest violation have one of the same length.
fn assert_same_depth(system: &Arc<System>, found: &(Option<u16>, Violation), what: &str) {
    let (steps, violation) = found;
    for encoding in ENCODINGS {
        let check =
            search(system, &violation.counterexample.structure.sizes, encoding, None).expect("a circuit");
        let Outcome::Violated(other, is_before) = check.outcome else {
            panic!("{what}, {encoding:?}: {:?}", check.outcome)
        };
        assert_eq!(is_before, steps.is_none(), "{what}");
        assert_eq!(other.counterexample.calls.len(), steps.map_or(0, usize::from), "{what}, {encoding:?}");
        if is_before {
            continue;
        }
        let path = Path {
            steps: other
                .counterexample
                .calls
                .iter()
                .map(|call| Step { transition: call.transition, args: call.args.clone() })
                .collect(),
            structure: other.counterexample.structure.clone(),
        };
        assert_execution(system, &path, other.target.formula(system), what);
    }
}

fn example(name: &str) -> Arc<System> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    let (system, diagnostics) = load(name, &fs::read_to_string(path).expect("an example"));
    Arc::new(system.unwrap_or_else(|| panic!("{name}: {diagnostics:?}")))
}

#[test]
fn examples_are_safe_at_small_sizes() {
    for (name, size) in [
        ("lock_server.pyv", 3),
        ("ring_leader.pyv", 3),
        ("toy_consensus.pyv", 3),
        ("paxos.pyv", 2),
        ("chain_replication.rml", 2),
        ("chord.rml", 3),
        ("distributed_lock.rml", 2),
        ("leader_election_start.rml", 3),
        ("learning_switch.rml", 2),
        ("bounded_service.ivy", 2),
        ("lock_server.ivy", 3),
        ("ring_leader.ivy", 3),
    ] {
        let system = example(name);
        let mut sizes = sizes(&system, &[]);
        system.sig.uninterpreted_sorts().for_each(|sort| sizes[sort] = size);
        for encoding in ENCODINGS {
            let check = search(&system, &sizes, encoding, None).expect("a circuit");
            assert!(matches!(check.outcome, Outcome::Safe), "{name}: {:?}", check.outcome);
        }
    }
}

#[test]
fn violations_are_as_short_as_those_of_bounded_model_checking() {
    for (name, depth) in [
        ("lock_server_broken.pyv", 8),
        ("ring_leader_broken.pyv", 6),
        ("distributed_lock_bug.rml", 4),
        ("learning_switch_bug.rml", 3),
        ("lock_server_bug.rml", 6),
    ] {
        let system = example(name);
        let (found, _) = bounded(&system, depth, None);
        let found = found.unwrap_or_else(|| panic!("{name} is violated within {depth} steps"));
        assert_eq!(found.0, Some(depth), "{name}");
        assert_same_depth(&system, &found, name);
    }
}

/// Choices, locals, and assertions before and in the loop of a program. The first state depends on a choice.
const PROGRAM: &str = "\
sort node
relation r : node
relation done
variable n : node
variable m : node
assume !done
assume !r(N)
{ r.insert(n) } | { skip }
assert START
while * {
  n := *
  { r.insert(n) } | { assume r(n) done := true } | { r.remove(n) }
  assert LOOP
}
";

#[test]
fn assertions_of_programs_are_targets() {
    for (start, inside, depth) in [
        ("true", "true", None),
        ("forall N. !r(N)", "true", Some(None)),
        ("true", "!done", Some(Some(0))),
        ("true", "!(done & (exists N, M. N ~= M & r(N) & r(M)))", Some(Some(1))),
        ("true", "!(done & (forall N. !r(N)))", Some(Some(1))),
    ] {
        let text = PROGRAM.replace("START", start).replace("LOOP", inside).replace("~=", "!=");
        let (system, diagnostics) = load("model.rml", &text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{inside}: {diagnostics:?}")));
        let (found, _) = bounded(&system, 4, None);
        assert_eq!(found.as_ref().map(|found| found.0), depth, "{start}, {inside}");
        match found {
            Some(found) => assert_same_depth(&system, &found, inside),
            None => {
                let check = search(&system, &sizes(&system, &[]), Encoding::OneHot, None).expect("a circuit");
                assert!(matches!(check.outcome, Outcome::Safe), "{:?}", check.outcome);
            }
        }
    }
}

#[test]
fn values_that_a_command_chooses_for_all_elements_are_inputs() {
    let text = "#lang ivy1.7
type t
type s
destructor g(S:s) : t
individual c : t
function f(X:t) : s
after init { f(X).g := c }
action a = { f(X).g := NEXT }
export a
invariant f(X).g = c
";
    for (next, depth) in [("c", None), ("X", Some(1))] {
        let (system, diagnostics) = load("model.ivy", &text.replace("NEXT", next));
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:?}")));
        for size in [2, 3] {
            let all: Vec<(SortId, u32)> = system.sig.uninterpreted_sorts().map(|it| (it, size)).collect();
            let target = system.invariants[0].formula;
            assert_eq!(decide(&system, &sizes(&system, &all), target, next), depth, "{next}");
        }
    }
}

#[test]
fn orders_and_constants_are_fixed_and_can_be_given() {
    let text = "sort s\nsort t\nimmutable relation le(s, s)\nimmutable constant a: t\nimmutable constant b: t\n\
                immutable constant least: s\nmutable relation r(s, t)\n\
                axiom le(X, X)\naxiom le(X, Y) & le(Y, Z) -> le(X, Z)\naxiom le(X, Y) & le(Y, X) -> X = Y\n\
                axiom le(X, Y) | le(Y, X)\naxiom le(least, X)\naxiom a != b\ninit !r(X, Y)\n\
                transition t(x: s)\n  modifies r\n  & (new(r(X, Y)) <-> r(X, Y) | X = x & Y = a)\n\
                safety r(X, Y) -> Y != b\n";
    let (system, diagnostics) = load("model.pyv", text);
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:?}")));
    let target = system.invariants[0].formula;
    let symbol = |name: &str| system.sig.symbols.ids().find(|&sym| system.sig.symbols[sym].name == name);
    let (le, a) = (symbol("le").expect("le"), symbol("a").expect("a"));
    let sizes = sizes(&system, &[(system.sig.symbols[le].args[0], 3)]);
    let make = |options: &Options| {
        Instance::new(Arc::clone(&system), &sizes, options, &mut Budget::unlimited()).expect("a circuit")
    };
    let instance = make(&options(target, Encoding::OneHot, true));
    assert_eq!(instance.breaks().len(), 2);
    assert!(matches!(&instance.breaks()[0], Break::Order { sym, is_strict: false, .. } if *sym == le));
    assert!(instance.immutable().is_empty(), "all immutable symbols are known");
    let fact = |meaning, sym, args: &[u32]| Atom { sym, args: args.into(), meaning };
    assert_eq!(instance.place(&fact(Meaning::Holds, le, &[0, 2])), Some(Place::Known(true)));
    assert_eq!(instance.place(&fact(Meaning::Holds, le, &[2, 0])), Some(Place::Known(false)));
    assert_eq!(instance.place(&fact(Meaning::Is(0), a, &[])), Some(Place::Known(true)));
    assert_eq!(instance.place(&fact(Meaning::Is(7), a, &[])), None);
    let open = make(&options(target, Encoding::OneHot, false));
    assert!(open.breaks().is_empty() && open.immutable().len() > 9);
    let mut given = options(target, Encoding::Binary, true);
    given.fixed = vec![(a, Interpretation { default: 1, ..Interpretation::default() })];
    let instance = make(&given);
    assert_eq!(instance.breaks().len(), 1, "elements of `t` are named by the caller");
    assert_eq!(instance.place(&fact(Meaning::Bit(0), a, &[])), Some(Place::Known(true)));
    let mut small = options(target, Encoding::OneHot, true);
    small.max_nodes = 20;
    let refusal = Instance::new(Arc::clone(&system), &sizes, &small, &mut Budget::unlimited()).err();
    assert!(matches!(refusal, Some(Refusal::TooLarge(_))), "{refusal:?}");
    let spent = Instance::new(Arc::clone(&system), &sizes, &given, &mut Budget::new(Some(5), None)).err();
    assert!(matches!(spent, Some(Refusal::Exhausted(..))), "{spent:?}");
}

/// Models of a corpus, if present: set RAMSEY_CORPUS, or put it at ../shared/corpus.
#[test]
fn instances_of_a_corpus_agree_with_bounded_model_checking() {
    let root = std::env::var_os("RAMSEY_CORPUS").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        std::path::PathBuf::from,
    );
    let folder = root.join("pyv");
    let Ok(table) = fs::read_to_string(folder.join("expected.tsv")) else {
        skipped(format_args!("no corpus of models at {} (set RAMSEY_CORPUS)", folder.display()));
        return;
    };
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let mut names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    names.dedup();
    let (mut safe, mut violated) = (0, 0);
    for name in names {
        let text = fs::read_to_string(folder.join(name)).expect("a model");
        let Some(system) = load(name, &text).0.map(Arc::new) else { continue };
        if Property::safety(&system).is_empty() {
            continue;
        }
        let (found, known) = bounded(&system, 3, Some(2_000_000));
        if let Some(found) = found {
            violated += 1;
            assert_same_depth(&system, &found, name);
            continue;
        }
        let sizes = sizes(&system, &[]);
        let Some(check) = search(&system, &sizes, Encoding::OneHot, Some(20_000_000)) else { continue };
        let is_inductive = rows.iter().filter(|row| row[0] == name).all(|row| row[3] == "holds");
        match check.outcome {
            Outcome::Safe => safe += 1,
            Outcome::Violated(violation, _) => {
                let steps = violation.counterexample.calls.len();
                assert!(!is_inductive, "{name} has an inductive invariant");
                assert!(known.is_none_or(|known| steps > known.into()), "{name}: {steps} steps");
            }
            Outcome::Unknown { .. } => {}
            Outcome::InternalError(what) => panic!("{name}: {what}"),
        }
    }
    assert!(safe > 10 && violated > 0, "{safe} safe, {violated} violated");
}
