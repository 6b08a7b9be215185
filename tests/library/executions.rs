//! Executions: bounded model checking, traces and relaxed executions against brute-force reachability and the plain
//! formulas; their certificates against the kernel.

mod certified;
mod claims;
mod commuting;
mod induction;
mod partial;
mod progress;
mod relaxed;

use crate::common::bounded::safety;
use crate::common::effort::cases;
use std::path::Path;
use std::sync::Arc;

use crate::common::formulas::Structures;
use crate::common::models;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::check::check;
use ramsey::check::format::Claim;
use ramsey::elaborate::{self, Certificate};
use ramsey::logic::{Evaluator, Structure, SymbolKind, TermId};
use ramsey::obligations::Relaxed;
use ramsey::obligations::plain::{frame, transition_formula};
use ramsey::obligations::{Obligations, Origin, Property, Question};
use ramsey::query::bmc::{self, Bmc, Depth, Target, question};
use ramsey::query::{Call, Limits, trace};
use ramsey::system::System;

fn load(text: &str) -> System {
    models::system("model.pyv", text)
}

fn example(name: &str) -> (String, System) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    let text = std::fs::read_to_string(path).expect("an example");
    let system = load(&text);
    (text, system)
}

fn options(system: &System, depth: u16, seed: u64) -> bmc::Options {
    bmc::Options { induction: true, seed, ..bmc::Options::new(safety(system), depth) }
}

/// Returns all answers.
fn run(mut bmc: Bmc) -> Vec<Depth> {
    std::iter::from_fn(|| bmc.advance(&Limits::default())).collect()
}

/// Returns the shortest violation, with its number of steps. Panics if there is no answer.
fn violation(depths: Vec<Depth>) -> Option<(u16, bmc::Violation)> {
    let last = depths.into_iter().last().expect("an answer");
    match last.outcome {
        bmc::Outcome::Holds => None,
        bmc::Outcome::Violated(violation) => Some((last.steps.expect("a state"), *violation)),
        other => panic!("{other:?}"),
    }
}

fn holds(system: &System, structure: &Structure, formula: TermId) -> bool {
    Evaluator::new(system.syntax(), structure).holds(formula)
}

/// Returns a new structure of the two states, over the universes and immutable symbols of `first`.
fn pair(system: &System, first: &Structure, second: &Structure) -> Structure {
    let sig = &system.sig;
    let mut joined = Structure::new(sig, 2);
    joined.sizes = first.sizes.clone();
    for sym in sig.symbols.ids() {
        for (step, state) in [first, second].into_iter().enumerate() {
            *joined.interpretation_mut(sig, sym, step) = state.interpretation(sig, sym, 0).clone();
        }
    }
    joined
}

fn is_legal(system: &System, state: &Structure) -> bool {
    let axioms = system.axioms.iter().map(|it| it.formula);
    axioms.chain(system.derived.iter().map(|it| it.axiom)).all(|it| holds(system, state, it))
}

fn is_initial(system: &System, state: &Structure) -> bool {
    system.inits.iter().all(|it| holds(system, state, it.formula))
}

/// Checks whether a call leads from one state to the other, by the transition as written, including its frame.
fn leads(system: &System, call: &Call, first: &Structure, second: &Structure) -> bool {
    let transition = &system.transitions[call.transition];
    let mut terms = system.terms.clone();
    let mut conjuncts = vec![transition.body];
    conjuncts.extend(frame(terms.over_mut(&system.sig), transition));
    let joined = pair(system, first, second);
    let mut eval = Evaluator::new(terms.over(&system.sig), &joined);
    eval.env.extend(transition.params.iter().copied().zip(call.args.iter().copied()));
    conjuncts.into_iter().all(|conjunct| eval.holds(conjunct))
}

/// Checks an execution step by step; returns its states.
fn states(system: &System, structure: &Structure, calls: &[Call]) -> Vec<Structure> {
    let states: Vec<Structure> =
        (0..structure.states()).map(|step| structure.state(&system.sig, step)).collect();
    assert_eq!(states.len(), calls.len() + 1);
    assert!(states.iter().all(|state| is_legal(system, state)));
    for (step, call) in calls.iter().enumerate() {
        assert!(leads(system, call, &states[step], &states[step + 1]), "step {step}");
    }
    states
}

/// Generator of the text of random systems over one sort.
struct Writer<'r>(&'r mut Rng);

impl Writer<'_> {
    fn one_of<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.0.below(items.len())]
    }

    fn atom(&mut self, terms: &[&str]) -> String {
        let (one, other) = (self.one_of(terms), self.one_of(terms));
        match self.0.below(6) {
            0 => "z".to_owned(),
            1 => format!("{one} = {other}"),
            2 => format!("q({one})"),
            3 => format!("d({one})"),
            _ => format!("r({one})"),
        }
    }

    /// Returns a formula over these terms; `fresh` is the number of the next variable.
    fn formula(&mut self, terms: &[&str], depth: usize, fresh: usize) -> String {
        if depth == 0 || self.0.one_in(4) {
            let atom = self.atom(terms);
            return if self.0.one_in(2) { atom } else { format!("!({atom})") };
        }
        match self.0.below(4) {
            0 | 1 => {
                let name = format!("V{fresh}");
                let body = self.formula(&[terms, &[name.as_str()]].concat(), depth - 1, fresh + 1);
                format!("({} {name}: s. {body})", if self.0.one_in(2) { "forall" } else { "exists" })
            }
            kind => {
                let [a, b] = [0, 1].map(|_| self.formula(terms, depth - 1, fresh));
                format!("({a} {} {b})", if kind == 2 { "&" } else { "|" })
            }
        }
    }

    fn transition(&mut self, number: usize) -> String {
        let has_param = self.0.one_in(2);
        let terms: &[&str] = if has_param { &["a", "c", "p"] } else { &["a", "c"] };
        let mut modified = Vec::new();
        let mut body = String::from("true");
        let mut conjunct = |text: String| body.push_str(&format!("\n  & ({text})"));
        if self.0.one_in(2) {
            conjunct(self.formula(terms, 2, 0));
        }
        if self.0.one_in(2) {
            modified.push("r");
            let value = self.formula(&[terms, &["X"]].concat(), 1, 0);
            match self.0.below(5) {
                0 => conjunct("forall X. new(r(X)) | !new(r(X))".to_owned()),
                1 => conjunct(format!("forall X. ({value}) -> (new(r(X)) <-> r(X))")),
                _ => conjunct(format!("forall X. new(r(X)) <-> ({value})")),
            }
        }
        if self.0.one_in(2) {
            modified.push("c");
            match self.0.below(4) {
                0 => conjunct("new(c) = new(c)".to_owned()),
                1 => conjunct("new(c) != c".to_owned()),
                2 => conjunct("new(d(c))".to_owned()),
                _ => conjunct(format!("new(c) = {}", self.one_of(terms))),
            }
        }
        if modified.is_empty() || self.0.one_in(2) {
            modified.push("z");
            match self.0.below(4) {
                0 => conjunct("new(z) | !new(z)".to_owned()),
                1 => conjunct("new(z) <-> !z".to_owned()),
                2 => conjunct("new(z) <-> new(d(a))".to_owned()),
                _ => conjunct(format!("new(z) <-> {}", self.formula(terms, 1, 0))),
            }
        }
        let params = if has_param { "p: s" } else { "" };
        format!("transition t{number}({params})\n  modifies {}\n  {body}\n", modified.join(", "))
    }

    fn trace(&mut self) -> String {
        let mut text = format!("{} trace {{\n", if self.0.one_in(2) { "sat" } else { "unsat" });
        for _ in 0..1 + self.0.below(3) {
            match self.0.below(5) {
                0 => text += "  any transition\n",
                1 => text += "  t0 | t1\n",
                2 => text += &format!("  assert c = c & {}\n", self.formula(&["a", "c"], 1, 0)),
                _ => text += self.one_of(&["  t0\n", "  t1\n"]),
            }
        }
        text + "}\n"
    }

    fn system(&mut self) -> String {
        let mut text = "sort s\nimmutable constant a: s\nimmutable relation q(s)\n\
            mutable constant c: s\nmutable relation r(s)\nmutable relation z()\n"
            .to_owned();
        text += &format!(
            "derived relation d(s): forall X. d(X) <-> r(X) & {}\n",
            self.one_of(&["q(X)", "z", "X != c"])
        );
        if self.0.one_in(3) {
            text += &format!("axiom exists X. {}\n", self.one_of(&["q(X)", "!q(X)", "X != a"]));
        }
        text += &format!("init c = c & {}\ninit forall X. !r(X)\n", self.formula(&["a", "c"], 1, 0));
        for number in 0..2 {
            text += &self.transition(number);
        }
        text += &format!("safety c = c & {}\n", self.formula(&["a", "c"], 2, 0));
        text + &self.trace() + &self.trace()
    }
}

/// Returns all legal states with a universe of this size.
fn legal_states(system: &System, size: u32) -> Vec<Structure> {
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    Structures::new(&system.sig, &[(sort, size)]).filter(|state| is_legal(system, state)).collect()
}

/// Returns for each transition the pairs of states that it connects. Immutable symbols agree.
fn edges(system: &System, states: &[Structure]) -> Vec<Vec<(usize, usize)>> {
    let sig = &system.sig;
    let mut terms = system.terms.clone();
    let formulas: Vec<TermId> =
        system.transitions.iter().map(|it| transition_formula(terms.over_mut(sig), it)).collect();
    let mut edges = vec![Vec::new(); formulas.len()];
    for (from, first) in states.iter().enumerate() {
        for (to, second) in states.iter().enumerate() {
            let agree = sig.symbols.iter_enumerated().all(|(sym, symbol)| {
                symbol.kind != SymbolKind::Immutable
                    || first.interpretation(sig, sym, 0) == second.interpretation(sig, sym, 0)
            });
            if !agree {
                continue;
            }
            let joined = pair(system, first, second);
            let mut eval = Evaluator::new(terms.over(sig), &joined);
            for (index, &formula) in formulas.iter().enumerate() {
                if eval.holds(formula) {
                    edges[index].push((from, to));
                }
            }
        }
    }
    edges
}

/// Returns the states reached by one step from `now` along these edges.
fn step<'e>(now: &[bool], edges: impl Iterator<Item = &'e (usize, usize)>) -> Vec<bool> {
    let mut next = vec![false; now.len()];
    edges.filter(|(from, _)| now[*from]).for_each(|(_, to)| next[*to] = true);
    next
}

const DEPTH: u16 = 3;

#[test]
fn bounded_model_checking_agrees_with_reachability() {
    let (mut violated, mut safe, mut later) = (0, 0, 0);
    for seed in 0..cases(150) {
        let mut rng = Rng::new(seed);
        let text = Writer(&mut rng).system();
        let system = Arc::new(load(&text));
        let claim = system.invariants[0].formula;
        let mut shortest: Option<(u16, u32)> = None;
        for size in 1..=2 {
            let all = legal_states(&system, size);
            let edges = edges(&system, &all);
            let mut now: Vec<bool> = all.iter().map(|state| is_initial(&system, state)).collect();
            for steps in 0..=DEPTH {
                let is_bad =
                    |(state, &reached): (&Structure, &bool)| reached && !holds(&system, state, claim);
                if all.iter().zip(&now).any(is_bad) {
                    shortest = shortest.into_iter().chain([(steps, size)]).min();
                    break;
                }
                now = step(&now, edges.iter().flatten());
            }
        }
        let found = violation(run(Bmc::new(Arc::clone(&system), options(&system, DEPTH, seed))));
        let found = found.map(|(steps, violation)| {
            let counterexample = &violation.counterexample;
            let states = states(&system, &counterexample.structure, &counterexample.calls);
            assert_eq!(states.len(), usize::from(steps) + 1);
            assert!(is_initial(&system, &states[0]), "seed {seed}");
            assert!(!holds(&system, &states[usize::from(steps)], claim), "seed {seed}");
            let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
            (steps, counterexample.structure.sizes[sort])
        });
        match (found, shortest) {
            (None, None) => safe += 1,
            (Some(found), Some(shortest)) => {
                assert!(found <= shortest, "seed {seed}: {found:?} {shortest:?}\n{text}");
                assert!(found == shortest || found.1 > 2, "seed {seed}: {found:?} {shortest:?}\n{text}");
                violated += 1;
                later += usize::from(found.0 > 0);
            }
            (Some((_, size)), None) => assert!(size > 2, "seed {seed}: {found:?}\n{text}"),
            (None, Some(_)) => panic!("seed {seed}: a violation is missed: {shortest:?}\n{text}"),
        }
    }
    assert!(
        violated >= 30 && safe >= 20 && later >= 10,
        "{violated} violated, {later} after a step, {safe} safe"
    );
}

fn trace_options(certify: bool) -> trace::Options {
    trace::Options { minimize: true, certify, seed: 0, clock: None }
}

/// Returns the execution of a trace, checked against the plain obligation, or `None` if there is none.
fn execution(system: &Arc<System>, index: usize) -> Option<ramsey::query::unroll::Execution> {
    match trace::trace(system, index, &trace_options(false), &Limits::default()).outcome {
        trace::Outcome::Unsat => None,
        trace::Outcome::Sat(execution) => {
            states(system, &execution.structure, &execution.calls);
            let obligations = Obligations::of_question(system, &Question::Traces(vec![index]));
            let group = &obligations.groups[0];
            let mut eval = Evaluator::new(obligations.syntax(), &execution.structure);
            assert!(group.hypotheses.iter().all(|it| eval.holds(it.formula)));
            assert!(!eval.holds(group.goals[0].formula));
            Some(*execution)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn traces_agree_with_reachability() {
    use ramsey::system::TraceStep;
    let mut answers = [0, 0];
    for seed in 0..cases(60) {
        let mut rng = Rng::new(1_000 + seed);
        let text = Writer(&mut rng).system();
        let system = Arc::new(load(&text));
        let graphs: Vec<_> = (1..=2)
            .map(|size| {
                let all = legal_states(&system, size);
                let edges = edges(&system, &all);
                (all, edges)
            })
            .collect();
        for index in 0..system.traces.len() {
            let exists = graphs.iter().any(|(all, edges)| {
                let mut now = vec![true; all.len()];
                for part in &system.traces[index].steps {
                    let keep = |now: Vec<bool>, wanted: &dyn Fn(&Structure) -> bool| -> Vec<bool> {
                        now.into_iter().zip(all).map(|(reached, state)| reached && wanted(state)).collect()
                    };
                    now = match part {
                        TraceStep::AssertInit => keep(now, &|state| is_initial(&system, state)),
                        TraceStep::Assert(formula) => keep(now, &|state| holds(&system, state, *formula)),
                        TraceStep::AnyTransition => step(&now, edges.iter().flatten()),
                        TraceStep::Transitions(calls) => {
                            step(&now, calls.iter().flat_map(|call| &edges[call.transition]))
                        }
                    };
                }
                now.contains(&true)
            });
            let found = execution(&system, index);
            let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
            match &found {
                None => assert!(!exists, "seed {seed}: an execution is missed\n{text}"),
                Some(found) => {
                    assert!(exists || found.structure.sizes[sort] > 2, "seed {seed}\n{text}");
                }
            }
            answers[usize::from(found.is_some())] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count >= 20), "{answers:?}");
}

#[test]
fn traces_of_the_examples_are_as_declared() {
    let mut count = 0;
    for name in ["lock_server", "lock_server_broken", "ring_leader", "toy_consensus", "two_phase_commit"] {
        let (_, system) = example(&format!("{name}.pyv"));
        let system = Arc::new(system);
        for index in 0..system.traces.len() {
            assert_eq!(
                execution(&system, index).is_some(),
                system.traces[index].expect_sat,
                "{name} {index}"
            );
            count += 1;
        }
    }
    assert!(count >= 6);
}

/// Arguments of calls in traces are those of the execution.
#[test]
fn traces_take_the_arguments_they_are_given() {
    let text = "sort s\nimmutable constant a: s\nimmutable constant b: s\nmutable relation r(s)\n\
        init !r(X)\naxiom a != b\n\
        transition add(x: s, y: s)\n  modifies r\n  x != y & (new(r(X)) <-> r(X) | X = x)\n\
        sat trace {\n  add(a, *)\n  add(b, a)\n  assert r(a) & r(b)\n}\n\
        unsat trace {\n  add(a, a)\n}\n\
        unsat trace {\n  add(*, b)\n  assert r(b)\n}\n";
    let system = Arc::new(load(text));
    let found = execution(&system, 0).expect("an execution");
    let value = |name: &str| {
        let sym = system.sig.symbols.iter_enumerated().find(|(_, it)| it.name == name).expect("declared").0;
        found.structure.interpretation(&system.sig, sym, 0).get(&[])
    };
    assert_eq!(found.calls[0].args[0], value("a"));
    assert_eq!(found.calls[1].args, [value("b"), value("a")]);
    assert!(execution(&system, 1).is_none() && execution(&system, 2).is_none());
}

/// Two transitions with incomparable changes are not taken in one step.
#[test]
fn steps_are_taken_one_at_a_time() {
    let text = "mutable relation x()\nmutable relation y()\ninit !x & !y\n\
        transition set_x()\n  modifies x\n  new(x)\n\
        transition set_y()\n  modifies y\n  new(y)\n\
        safety !(x & y)\n";
    let system = Arc::new(load(text));
    let found = violation(run(Bmc::new(Arc::clone(&system), options(&system, 4, 0))));
    assert_eq!(found.map(|(steps, _)| steps), Some(2));
}

/// Returns the present part of a state of a relaxed execution, over the original signature.
fn substructure(original: &System, relaxed: &Relaxed, state: &Structure) -> Structure {
    let sig = &original.sig;
    let mut part = Structure::new(sig, 1);
    let mut renamed: Vec<Vec<Option<u32>>> = Vec::new();
    for sort in sig.sorts.ids() {
        let size = state.sizes[sort];
        let is_there = |elem: u32| match relaxed.active[sort] {
            Some(active) => state.interpretation(&relaxed.system.sig, active, 0).get(&[elem]) != 0,
            None => true,
        };
        let mut next = 0;
        let names: Vec<Option<u32>> = (0..size)
            .map(|elem| {
                let name = is_there(elem).then_some(next);
                next += u32::from(name.is_some());
                name
            })
            .collect();
        assert!(next > 0, "no sort is empty");
        part.sizes[sort] = next;
        renamed.push(names);
    }
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        for args in state.tuples(&symbol.args) {
            let renamed_args: Option<Vec<u32>> = args
                .iter()
                .zip(&symbol.args)
                .map(|(&arg, sort)| renamed[sort.index()][arg as usize])
                .collect();
            let Some(renamed_args) = renamed_args else { continue };
            let value = state.interpretation(&relaxed.system.sig, sym, 0).get(&args);
            let value = renamed[symbol.result.index()][value as usize].expect("closed under functions");
            part.interpretation_mut(sig, sym, 0).set(&renamed_args, value);
        }
    }
    part
}

/// Each state of a relaxed execution is a substructure of the one before, and what is not a relaxation is a step of the
/// original system.
#[test]
fn relaxed_executions_consist_of_steps_and_substructures() {
    let (_, original) = example("toy_consensus.pyv");
    let relaxed = Relaxed::new(&original);
    let options = options(&relaxed.system, 5, 0);
    let (steps, violation) = violation(run(Bmc::relaxed(&relaxed, options))).expect("a violation");
    assert_eq!(steps, 5, "vote, decide, lose the quorum, vote, decide");
    let counterexample = &violation.counterexample;
    let whole = states(&relaxed.system, &counterexample.structure, &counterexample.calls);
    let parts: Vec<Structure> = whole.iter().map(|it| substructure(&original, &relaxed, it)).collect();
    assert!(is_initial(&original, &parts[0]));
    assert!(parts.iter().all(|part| is_legal(&original, part)));
    let last = &parts[usize::from(steps)];
    assert!(original.invariants.iter().any(|it| it.is_safety && !holds(&original, last, it.formula)));
    let mut relaxations = 0;
    for (at, call) in counterexample.calls.iter().enumerate() {
        if call.transition == relaxed.relaxation {
            relaxations += 1;
            let smaller = |sort| parts[at + 1].sizes[sort] <= parts[at].sizes[sort];
            assert!(original.sig.sorts.ids().all(smaller));
        } else {
            let mut terms = original.terms.clone();
            let formula =
                transition_formula(terms.over_mut(&original.sig), &original.transitions[call.transition]);
            let joined = pair(&original, &parts[at], &parts[at + 1]);
            assert!(Evaluator::new(terms.over(&original.sig), &joined).holds(formula), "step {at}");
        }
    }
    assert_eq!(relaxations, 1);
}

/// Where a universally quantified invariant proves the property there is no relaxed violation; and relaxed executions
/// include the ordinary ones.
#[test]
fn relaxed_executions_respect_universal_invariants() {
    let (_, original) = example("lock_server.pyv");
    let relaxed = Relaxed::new(&original);
    assert!(violation(run(Bmc::relaxed(&relaxed, options(&relaxed.system, 4, 0)))).is_none());
    let mut compared = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(5_000 + seed);
        let system = Arc::new(load(&Writer(&mut rng).system()));
        let plain = violation(run(Bmc::new(Arc::clone(&system), options(&system, 2, 0))));
        let relaxed = Relaxed::new(&system);
        let found = violation(run(Bmc::relaxed(&relaxed, options(&relaxed.system, 2, 0))));
        let found = found.map(|(steps, _)| steps);
        if let Some((steps, _)) = plain {
            assert!(found.is_some_and(|found| found <= steps), "seed {seed}: {steps} {found:?}");
            compared += 1;
        }
    }
    assert!(compared >= 5, "{compared}");
}

/// Returns the certificate of a check, and its claim.
fn certified(text: &str, system: &Arc<System>, depth: u16) -> (String, bool) {
    let options = bmc::Options { certify: true, ..options(system, depth, 0) };
    let question = question(system, (depth, false), &options.targets);
    let depths = run(Bmc::new(Arc::clone(system), options));
    let proved = match &depths.last().expect("an answer").outcome {
        bmc::Outcome::Holds => true,
        bmc::Outcome::Violated(_) => false,
        other => panic!("{other:?}"),
    };
    let blocks: Vec<(Origin, &Certificate)> =
        depths.iter().flat_map(|it| &it.certificates).map(|(origin, it)| (*origin, it)).collect();
    let certificate = elaborate::text(&**system, text, &Claim { question, beside: None, proved }, &blocks);
    (certificate.expect("proofs"), proved)
}

fn rejects(system: &System, certificate: &str, reason: &str) {
    let rejection = check(system, "", certificate.as_bytes()).expect_err(reason);
    assert!(rejection.to_string().contains(reason), "{rejection} ({reason})");
}

#[test]
fn certificates_of_bounded_checks() {
    let (text, system) = example("lock_server.pyv");
    let system = Arc::new(system);
    let (good, proved) = certified(&text, &system, 2);
    assert!(proved && good.contains("claim bmc 2 invariant:0 proved\n"));
    let summary = check(&system, &text, good.as_bytes()).expect("accepted");
    assert_eq!((summary.obligations, summary.proofs, summary.counterexamples), (3, 3, 0));

    // Every depth has to be there, and not only those that are.
    for missing in 0..3 {
        let without: String =
            good.split_inclusive('\n').filter(|line| !line.starts_with(&format!("q {missing} "))).collect();
        rejects(&system, &without, &format!("bmc%20.{missing}%20.invariant:0"));
    }
    rejects(&system, &good.replace("claim bmc 2", "claim bmc 3"), "bmc%20.3%20.invariant:0");
    // A proof for one depth is none for another.
    rejects(&system, &good.replace("claim bmc 2", "claim bmc 1"), "no such obligation");
    let swapped = good.replace("\nq 2 ", "\nq 9 ").replace("\nq 1 ", "\nq 2 ").replace("\nq 9 ", "\nq 1 ");
    assert!(swapped != good && check(&system, &text, swapped.as_bytes()).is_err());
    // Nor for another property, or another question.
    let other = good.replace("invariant:0 proved", "invariant:1 proved");
    assert!(check(&system, &text, other.as_bytes()).is_err(), "proofs of another property");
    let both = good.replace("invariant:0 proved", "invariant:0 invariant:1 proved");
    assert!(check(&system, &text, both.as_bytes()).is_err(), "proofs of one property for two");
    let verify = good.replace("claim bmc 2 invariant:0 proved", "claim proved");
    assert!(check(&system, &text, verify.as_bytes()).is_err());
    rejects(&system, &good.replace("proved", "refuted"), "no obligation has another answer");
    for claim in [
        "claim bmc proved",
        "claim bmc 2 proved",
        "claim bmc 2 invariant:9 proved",
        "claim bmc 02 invariant:0 proved",
        "claim bmc 2 invariant:0 invariant:0 proved",
        "claim bmc 2 invariant:1 invariant:0 proved",
        "claim bmc 1001 invariant:0 proved",
        "claim bmc 70000 invariant:0 proved",
        "claim bmc 2 invariant:0  proved",
        "claim bmc 2 assertion:0 proved",
        "claim trace 7 proved",
        "claim cti 1 proved",
    ] {
        rejects(&system, &good.replace("claim bmc 2 invariant:0 proved", claim), "not a claim");
    }
    // Nor of another model.
    let changed = text.replace("  & free & requested(c)\n", "  & requested(c)\n");
    assert_ne!(changed, text);
    assert!(check(&load(&changed), &changed, good.as_bytes()).is_err(), "the guard is needed");
}

#[test]
fn certificates_of_violations() {
    let text = "sort s\nmutable relation r(s)\ninit !r(X)\n\
        transition add(x: s)\n  modifies r\n  new(r(X)) <-> r(X) | X = x\n\
        safety [few] forall X, Y. r(X) & r(Y) -> X = Y\n";
    let system = Arc::new(load(text));
    let (good, proved) = certified(text, &system, 4);
    assert!(!proved && good.contains("claim bmc 4 invariant:0 refuted\n"));
    let summary = check(&system, text, good.as_bytes()).expect("accepted");
    assert_eq!((summary.proofs, summary.counterexamples), (2, 1), "depths 0 and 1 are proved");
    rejects(&system, &good.replace("refuted", "proved"), "has another answer");
    // The relation is true of an element in the last of three states, and of one in the state before.
    assert!(good.contains("true 3 0 0\n"), "{good}");
    rejects(&system, &good.replace("true 3 0 0\n", ""), "a hypothesis is false");
    rejects(&system, &good.replace("true 2 0", "true 4 0"), "not read in this state");
    rejects(&system, &good.replace("\ns 2\n", "\ns 3\n"), "hypothesis");
}

#[test]
fn certificates_of_traces() {
    let (text, system) = example("lock_server.pyv");
    let system = Arc::new(system);
    let all: Vec<usize> = (0..system.traces.len()).collect();
    let results: Vec<trace::TraceResult> = all
        .iter()
        .map(|&index| trace::trace(&system, index, &trace_options(true), &Limits::default()))
        .collect();
    let text_of = |claim: &Claim| {
        let blocks: Vec<_> = results
            .iter()
            .filter_map(|it| Some((Origin::Trace { trace: it.trace }, it.certificate.as_ref()?)))
            .collect();
        elaborate::text(&system, &text, claim, &blocks).expect("proofs")
    };
    let good = text_of(&Claim { question: Question::Traces(all.clone()), beside: None, proved: true });
    let summary = check(&system, &text, good.as_bytes()).expect("accepted");
    assert_eq!((summary.proofs, summary.counterexamples), (1, 1), "an unsat trace and a sat trace");
    let bad = text_of(&Claim { question: Question::Traces(all), beside: None, proved: false });
    rejects(&system, &bad, "no obligation has another answer");
    assert!(check(&system, &text, good.replace("trace 0 1 proved", "trace 0 proved").as_bytes()).is_err());
    // The same answers to a model that expects others.
    let changed =
        text.replace("unsat trace", "some").replace("sat trace", "unsat trace").replace("some", "sat trace");
    rejects(&load(&changed), &good, "has another answer");
    let refuted = good.replace("trace 0 1 proved", "trace 0 1 refuted");
    assert!(check(&load(&changed), &changed, refuted.as_bytes()).is_ok());
}
