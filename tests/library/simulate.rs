//! `ramsey simulate`: every state and step of a walk against the formulas, dead ends against all possible next states.

use std::process::Command;
use std::sync::Arc;

use crate::common::binary::ramsey_binary;
use crate::common::models::system;
use crate::common::schema;

use ramsey::ask::Failure;
use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::logic::{Elem, Evaluator, SortId, Structure, Symbol, SymbolKind, TermId, Terms, VarId};
use ramsey::obligations::plain::transition_formula;
use ramsey::query::simulate::{Claim, End, Simulator, StepRequest};
use ramsey::query::verify::Limits;
use ramsey::system::{Site, System, Transition};
use ramsey::transition::interpret::{Context, DecisionEnumerator, End as RunEnd, Execution};
use serde_json::Value;

fn load(text: &str) -> Arc<System> {
    Arc::new(system("model.pyv", text))
}

/// Updates that are definitions, updates that are underspecified, a function, and an axiom of each kind.
const MIXED: &str = "\
sort node
immutable relation le(node, node)
mutable relation r(node)
mutable constant at: node
mutable function f(node): node
derived relation some: some <-> exists N. r(N)
axiom le(X, X)
axiom le(X, Y) & le(Y, X) -> X = Y
init !r(N)
transition define(n: node)
  modifies r, at
  !r(n) & (new(r(N)) <-> r(N) | N = n) & new(at) = n
transition open(n: node)
  modifies r, f
  le(at, n) & (forall N. r(N) -> new(r(N))) & (exists N. new(r(N)) & new(f(N)) = n)
transition forget()
  modifies r, f
  (forall N. r(N)) & (forall N. new(f(N)) = N) & (exists N. !new(r(N)))
safety [never] !(exists N, M. N != M & r(N) & r(M))
";

/// Returns two states as one structure.
fn pair(system: &System, all: &Structure, step: usize) -> Structure {
    let mut both = all.state(&system.sig, step);
    both.push_state(&system.sig, all, step + 1);
    both
}

fn holds(system: &System, terms: &Terms, structure: &Structure, formula: TermId) -> bool {
    Evaluator::new(terms.over(&system.sig), structure).holds(formula)
}

/// Checks whether the structure of a walk is an execution with these transitions, including parameters.
fn check_walk(system: &System, simulator: &Simulator) {
    let all = simulator.structure().expect("a walk");
    assert_eq!(all.states(), simulator.calls().len() + 1);
    let mut terms = system.terms.clone();
    for init in &system.inits {
        assert!(holds(system, &terms, &all.state(&system.sig, 0), init.formula));
    }
    for step in 0..all.states() {
        let state = all.state(&system.sig, step);
        assert!(system.axioms.iter().all(|axiom| holds(system, &terms, &state, axiom.formula)));
        assert!(system.derived.iter().all(|derived| holds(system, &terms, &state, derived.axiom)));
        for (index, invariant) in system.invariants.iter().enumerate() {
            let told = |at: usize| {
                let mut here = simulator.violations().iter().filter(|it| it.state == at);
                here.any(|it| it.claim == Claim::Invariant(index))
            };
            let is_false = |at: usize| !holds(system, &terms, &all.state(&system.sig, at), invariant.formula);
            assert_eq!(told(step), is_false(step) && (step == 0 || !is_false(step - 1)));
        }
    }
    for (step, call) in simulator.calls().iter().enumerate() {
        let transition = &system.transitions[call.transition];
        let formula = transition_formula(terms.over_mut(&system.sig), transition);
        let both = pair(system, &all, step);
        assert!(holds(system, &terms, &both, formula), "step {step} is one");
        let mut eval = Evaluator::new(terms.over(&system.sig), &both);
        eval.env.extend(transition.params.iter().copied().zip(call.args.iter().copied()));
        assert!(eval.holds(transition.body), "with the parameters that are told");
    }
}

#[test]
fn walks_are_executions_and_differ_by_seed_alone() {
    let system = load(MIXED);
    let mut seen = Vec::new();
    let mut taken = [0; 3];
    for seed in 0..40 {
        let walk = |seed| {
            let mut simulator = Simulator::new(Arc::clone(&system), seed, Limits::default());
            assert_eq!(simulator.start(&[]), Ok(true));
            assert!(simulator.walk(&[], 6, None).is_ok());
            simulator
        };
        let simulator = walk(seed);
        check_walk(&system, &simulator);
        simulator.calls().iter().for_each(|call| taken[call.transition] += 1);
        let structure = simulator.structure();
        assert_eq!(structure, walk(seed).structure(), "the same seed");
        let start = structure.map(|all| all.state(&system.sig, 0));
        if !seen.contains(&start) {
            seen.push(start);
        }
    }
    assert!(seen.len() > 20, "{} initial states", seen.len());
    assert!(taken.iter().all(|&count| count > 5), "{taken:?}");
}

/// Returns every structure of two states that extends the last state by any next one, for sorts of two elements.
fn every_next(system: &System, now: &Structure) -> Vec<Structure> {
    let mut all = vec![{
        let mut both = now.state(&system.sig, 0);
        both.push_state(&system.sig, now, 0);
        both
    }];
    for (sym, symbol) in system.sig.symbols.iter_enumerated().filter(|(_, it)| it.kind.is_mutable()) {
        for args in now.tuples(&symbol.args) {
            let values = 0..now.sizes[symbol.result];
            let with = |both: &Structure, value| {
                let mut both = both.clone();
                both.interpretation_mut(&system.sig, sym, 1).set(&args, value);
                both
            };
            all = all
                .iter()
                .flat_map(|both| values.clone().map(|value| with(both, value)).collect::<Vec<_>>())
                .collect();
        }
    }
    all
}

#[test]
fn what_cannot_be_taken_has_no_next_state() {
    let system = load(MIXED);
    let node = system.sig.uninterpreted_sorts().next().expect("a sort");
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..6 {
        for transition in 0..system.transitions.len() {
            let mut simulator = Simulator::new(Arc::clone(&system), seed, Limits::default());
            assert_eq!(simulator.start(&[(node, 2)]), Ok(true));
            assert!(simulator.walk(&[], (seed % 3) as usize, None).is_ok());
            let now = simulator.state().expect("a state").clone();
            let mut terms = system.terms.clone();
            let formula = transition_formula(terms.over_mut(&system.sig), &system.transitions[transition]);
            let derived = terms.shift(&system.sig, system.derived[0].axiom, 1);
            let possible = every_next(&system, &now)
                .iter()
                .any(|both| holds(&system, &terms, both, formula) && holds(&system, &terms, both, derived));
            let blocked = simulator.step(&StepRequest { transition, args: None }).expect("no limit");
            assert_eq!(blocked.is_none(), possible);
            check_walk(&system, &simulator);
            if possible { accepted += 1 } else { refused += 1 }
        }
    }
    assert!(refused > 3 && accepted > 3, "{refused} {accepted}");
}

#[test]
fn many_parameters_are_searched_and_not_enumerated() {
    let params: Vec<String> = (0..12).map(|at| format!("p{at}: node")).collect();
    let system = load(&format!(
        "sort node\nimmutable relation e(node, node)\nmutable relation r(node)\ninit !r(N)\n\
         transition t({})\n  modifies r\n  p0 != p11 & !r(p3) & (new(r(N)) <-> r(N) | N = p3)\n",
        params.join(", ")
    ));
    let mut simulator = Simulator::new(Arc::clone(&system), 1, Limits::default());
    assert_eq!(simulator.start(&[]), Ok(true));
    assert!(matches!(simulator.walk(&[], 10, None), Ok(End::Deadlock(_))));
    assert_eq!(simulator.calls().len(), 3, "once for each node");
    check_walk(&system, &simulator);
}

#[test]
fn sizes_adapt_to_the_model_or_are_refused() {
    let system =
        load("sort s\nmutable relation r(s)\naxiom exists A:s, B, C, D. distinct(A, B, C, D)\ninit !r(X)\n");
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    let mut simulator = Simulator::new(Arc::clone(&system), 0, Limits::default());
    assert_eq!(simulator.start(&[]), Ok(true));
    assert_eq!(simulator.state().map(|state| state.sizes[sort]), Some(4));
    assert_eq!(simulator.start(&[(sort, 6)]), Ok(true));
    assert_eq!(simulator.state().map(|state| state.sizes[sort]), Some(6));
    assert_eq!(simulator.start(&[(sort, 3)]), Ok(false));
}

#[test]
fn what_the_walk_does_not_have_is_an_error() {
    let system = load(LOCK);
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    let mut simulator = Simulator::new(Arc::clone(&system), 0, Limits::default());
    let is_misuse = |told: &StepRequest, simulator: &mut Simulator| {
        matches!(simulator.step(told), Err(Failure::Misuse(_))) && simulator.calls().is_empty()
    };
    let told = |transition, args| StepRequest { transition, args };
    assert!(is_misuse(&told(0, None), &mut simulator), "before the first state");
    assert!(matches!(simulator.walk(&[], 1, None), Ok(End::NoInitialState)));
    for sizes in [(sort, 0), (ramsey::logic::SortId::BOOL, 2), (ramsey::base::ids::Id::new(9), 2)] {
        assert!(matches!(simulator.start(&[sizes]), Err(Failure::Misuse(_))), "{sizes:?}");
    }
    assert_eq!(simulator.start(&[(sort, 2)]), Ok(true));
    for wrong in
        [told(7, None), told(0, Some(vec![])), told(0, Some(vec![Some(2)])), told(1, Some(vec![None; 2]))]
    {
        assert!(is_misuse(&wrong, &mut simulator), "{wrong:?}");
    }
    assert!(matches!(simulator.step(&told(0, Some(vec![Some(1)]))), Ok(None)));
}

/// Runs the binary on a model of this text; returns the exit code and output. `.pyv` is appended to `name` unless it
/// ends in `.rml`.
fn run(name: &str, text: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let name = if name.ends_with(".rml") { name.to_owned() } else { format!("{name}.pyv") };
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("simulate-{name}"));
    std::fs::write(&path, text).expect("a file for the test");
    let output = Command::new(ramsey_binary())
        .arg("simulate")
        .args(args)
        .arg(&path)
        .output()
        .expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const LOCK: &str = "\
sort node
mutable relation held(node)
init !held(N)
transition acquire(n: node)
  modifies held
  new(held(N)) <-> held(N) | N = n
transition release(n: node)
  modifies held
  held(n) & (new(held(N)) <-> held(N) & N != n)
safety [mutex] held(N1) & held(N2) -> N1 = N2
";

#[test]
fn told_transitions_are_taken_and_violations_are_told() {
    let (code, out, _) = run("told", LOCK, &["--actions", "acquire(node1),release,acquire(node0)"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("transition acquire(n = node1)\n  state 1:\n  + held(node1)\n"), "{out}");
    assert!(out.contains("transition release(n = node1)\n  state 2:\n  - held(node1)\n"), "{out}");
    let (code, out, _) = run("bad", LOCK, &["--actions", "acquire(node0), acquire( node2 ) , release(_)"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("violated: safety property `mutex` in state 2:"), "{out}");
    assert!(out.ends_with("3 steps; a claim is violated\n"), "{out}");
    // An invariant that is no safety property is a remark.
    let weak = LOCK.replace("safety", "invariant");
    let (code, out, _) = run("weak", &weak, &["--actions", "acquire(node0),acquire(node2)"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("violated: invariant `mutex` in state 2:"), "{out}");
    let (code, out, _) = run("until", LOCK, &["--until", "release", "--steps", "100"]);
    assert!(out.contains("steps: stopped at a violation") || out.contains("was taken"), "{code:?} {out}");
}

#[test]
fn what_cannot_be_is_explained() {
    let (code, out, _) = run("disabled", LOCK, &["--actions", "acquire(node0),release(node1)"]);
    assert_eq!(code, Some(1));
    assert!(
        out.ends_with(
            "1 step, then transition `release` cannot be taken\n  release(n = node1): false: held(n)\n"
        ),
        "{out}"
    );
    let dead =
        LOCK.replace("  new(held(N)) <-> held(N) | N = n", "  !held(n) & (new(held(N)) <-> held(N) | N = n)");
    let dead = dead.replace("  held(n) & (new", "  held(n) & !held(n) & (new");
    let (code, out, _) = run("dead", &dead.replace("safety", "invariant"), &["--size", "node=2"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("2 steps, then a deadlock"), "{out}");
    for (args, what) in [
        (["--actions", "aquire"], "there is no transition `aquire`"),
        (["--actions", "acquire(node7)"], "there is no element `node7` of sort `node`"),
        (["--actions", "acquire(node0,node1)"], "has 1 parameters, not 2"),
        (["--size", "nod=2"], "there is no sort `nod`"),
        (["--size", "node=0"], "no number from 1 to 1000"),
        (["--until", "x"], "there is no transition `x`"),
    ] {
        let (code, out, err) = run("usage", LOCK, &args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(err.contains("R017") && err.contains(what), "{err}");
    }
    let none = LOCK.replace("init !held(N)", "init !held(N) & held(N)");
    let (code, out, _) = run("none", &none, &[]);
    assert_eq!(code, Some(1));
    assert!(out.contains("there is no initial state"), "{out}");
    let (code, _, _) = run("budget", LOCK, &["--work", "1"]);
    assert_eq!(code, Some(3));
}

#[test]
fn documents_fit_the_schema() {
    for (name, text, args) in [
        ("random", LOCK, vec!["--seed", "3"]),
        ("disabled-json", LOCK, vec!["--actions", "release"]),
        ("error", "sort", vec![]),
        ("limit", LOCK, vec!["--work", "1"]),
        ("usage-json", LOCK, vec!["--size", "x"]),
        ("program.rml", PROGRAM, vec!["--seed", "1"]),
        ("before.rml", GOES_WRONG, vec![]),
    ] {
        let mut all = vec!["--format", "json"];
        all.extend(args);
        let (code, out, err) = run(name, text, &all);
        assert_eq!(err, "");
        let document: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(schema::check(&document), Ok(()), "{out}");
        assert_eq!(document["exit_code"], code.expect("a code"));
        assert_eq!(document["schema"], "ramsey/simulate/1");
    }
}

#[test]
fn elements_are_told_by_the_names_that_they_are_shown_by() {
    let text = "\
sort set @printed_by(set_printer, member)
sort node
immutable relation member(node, set)
mutable relation done(set)
mutable function of(node): set
axiom exists S, T, N:node, M. N != M & (forall X. !member(X, S)) & (forall X. member(X, T))
init !done(S)
transition take(s: set)
  modifies done
  !done(s) & (new(done(S)) <-> done(S) | S = s)
";
    let sizes = ["--size", "set=2,node=2", "--actions"];
    let take = |actions: &'static str| run("shown", text, &[sizes[0], sizes[1], sizes[2], actions]);
    let (code, out, err) = take("take({}), take({node0,node1})");
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("transition take(s = {})") && out.contains("take(s = {node0, node1})"), "{out}");
    let (code, out, _) = take("take(set0), take(set0)");
    assert_eq!(code, Some(1), "by number as well: {out}");
    let (code, _, err) = take("take({node1})");
    assert_eq!(code, Some(2));
    assert!(err.contains("no element `{node1}`") && err.contains("its elements are: {"), "{err}");
}

/// Parameters, local variables, arbitrary values, choices, and assertions that can be violated.
const PROGRAM: &str = "\
sort node
relation r: node
relation s: node, node
variable at: node

assume !r(X)
{
  s(X, Y) := X = Y
} | {
  assume !s(X, Y)
}

while * {
  action pick(n: node) {
    assume !r(n)
    {
      r.insert(n)
      at := *
    } | {
      assume s(at, n)
      r.insert(at)
      assert at != n
    }
    s.insert(n, at)
  }
| action go {
    local m: node
    assume s(at, m)
    if r(m) {
      r.remove(m)
      at := m
    } else {
      assert exists X. r(X)
      {
        s.remove(at, m)
      } | {
        skip
      }
    }
  }
}
";

/// The initial part can fail, but also succeed.
const GOES_WRONG: &str = "\
sort node
relation r: node
variable at: node
{
  r(X) := X = at
} | {
  skip
}
assert r(at)
while * {
  action go {
    at := *
  }
}
";

fn load_program(text: &str) -> Arc<System> {
    Arc::new(system("program.rml", text))
}

/// Returns all executions of a transition from a state, for all values of its variables and all choices.
fn executions(system: &System, transition: &Transition, state: &Structure) -> Vec<Execution> {
    let command = transition.command.as_deref().expect("a program");
    let sorts: Vec<SortId> = transition.params.iter().map(|&it| system.terms.var_info(it).sort).collect();
    let context = Context { syntax: system.syntax(), axioms: &[] };
    let mut all = Vec::new();
    for values in state.tuples(&sorts) {
        let env: Map<VarId, Elem> = transition.params.iter().copied().zip(values).collect();
        let mut decisions = DecisionEnumerator::default();
        loop {
            let run =
                context.run(command, state.clone(), env.clone(), &mut decisions, &mut Budget::unlimited());
            all.push(run.expect("no limit"));
            if !decisions.advance() {
                break;
            }
        }
    }
    all
}

/// Checks whether two structures of one state agree on all symbols that transitions change.
fn same_state(system: &System, a: &Structure, b: &Structure) -> bool {
    let mutable = |symbol: &Symbol| symbol.kind == SymbolKind::Mutable;
    system.sig.symbols.iter_enumerated().filter(|(_, symbol)| mutable(symbol)).all(|(sym, symbol)| {
        let [a_here, b_here] = [a, b].map(|state| state.interpretation(&system.sig, sym, 0));
        a.tuples(&symbol.args).all(|args| a_here.get(&args) == b_here.get(&args))
    })
}

#[test]
fn steps_of_programs_are_executions_of_their_commands() {
    let system = load_program(PROGRAM);
    let node = system.sig.uninterpreted_sorts().next().expect("a sort");
    let (mut steps, mut refused, mut violated, mut fine) = (0, 0, 0, 0);
    for seed in 0..40 {
        let mut simulator = Simulator::new(Arc::clone(&system), seed, Limits::default());
        assert_eq!(simulator.start(&[(node, 2)]), Ok(true));
        let end = simulator.walk(&[], 5, None).expect("no limit");
        let all = simulator.structure().expect("a walk");
        let states: Vec<Structure> = (0..all.states()).map(|step| all.state(&system.sig, step)).collect();
        let mut before: Vec<usize> = Vec::new();
        for (step, state) in states.iter().enumerate() {
            let runs: Vec<Vec<Execution>> =
                system.transitions.iter().map(|transition| executions(&system, transition, state)).collect();
            if let Some(call) = simulator.calls().get(step) {
                let params = &system.transitions[call.transition].params;
                let is_it = |run: &&Execution| {
                    run.end == RunEnd::Completed
                        && params.iter().zip(&call.args).all(|(param, arg)| run.env[param] == *arg)
                        && same_state(&system, &run.state, &states[step + 1])
                };
                assert!(runs[call.transition].iter().any(|run| is_it(&run)), "seed {seed}, step {step}");
                steps += 1;
            } else if matches!(end, End::Deadlock(_)) {
                assert!(runs.iter().flatten().all(|run| run.end != RunEnd::Completed));
                refused += 1;
            }
            // What goes wrong in a state is told there, unless it was told of the state before.
            let mut wrong: Vec<usize> = Vec::new();
            for (index, assertion) in system.assertions.iter().enumerate() {
                let Site::Transition(transition) = assertion.site else { panic!("{assertion:?}") };
                let goes_wrong = runs[transition].iter().any(|run| {
                    run.end == RunEnd::Aborted
                        && run.events.last().is_some_and(|it| it.span == assertion.span)
                });
                let mut here = simulator.violations().iter().filter(|it| it.state == step);
                let told = here.any(|it| it.claim == Claim::Assertion(index));
                assert_eq!(told, goes_wrong && !before.contains(&index), "seed {seed}, step {step}");
                if goes_wrong {
                    wrong.push(index);
                    violated += 1;
                } else {
                    fine += 1;
                }
            }
            before = wrong;
        }
    }
    assert!(steps > 80 && violated > 20 && fine > 20, "{steps} {refused} {violated} {fine}");
}

#[test]
fn a_transition_of_a_program_is_refused_if_no_execution_comes_through() {
    let system = load_program(PROGRAM);
    let node = system.sig.uninterpreted_sorts().next().expect("a sort");
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..30 {
        for transition in 0..system.transitions.len() {
            let mut simulator = Simulator::new(Arc::clone(&system), seed, Limits::default());
            assert_eq!(simulator.start(&[(node, 2)]), Ok(true));
            assert!(simulator.walk(&[], (seed % 4) as usize, None).is_ok());
            let now = simulator.state().expect("a state").state(&system.sig, 0);
            let runs = executions(&system, &system.transitions[transition], &now);
            let possible = runs.iter().any(|run| run.end == RunEnd::Completed);
            let blocked = simulator.step(&StepRequest { transition, args: None }).expect("no limit");
            assert_eq!(blocked.is_none(), possible, "seed {seed}");
            if possible { accepted += 1 } else { refused += 1 }
        }
    }
    assert!(refused > 3 && accepted > 3, "{refused} {accepted}");
}

#[test]
fn violated_assertions_are_told_statement_by_statement() {
    let (code, out, _) = run("wrong.rml", PROGRAM, &["--size", "node=2", "--steps", "20", "--until", "none"]);
    assert_eq!(code, Some(2), "{out}");
    let (code, out, err) = run("wrong.rml", PROGRAM, &["--size", "node=2", "--steps", "20"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("violated: assertion `L") && out.contains(" by an execution from state "), "{out}");
    assert!(out.contains("| assert ") && out.contains("violated\n"), "{out}");
    // Local variables may be left out.
    let (code, out, _) = run("local.rml", PROGRAM, &["--actions", "pick(node1),pick(node0),go()"]);
    assert!(code == Some(0) || code == Some(1), "{out}");
    assert!(out.contains("pick(n = node1"), "{out}");
}

#[test]
fn an_initial_part_that_goes_wrong_is_a_violation() {
    let (code, out, _) = run("before.rml", GOES_WRONG, &["--steps", "1"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("violated before the initial states: assertion `L9`"), "{out}");
    assert!(out.contains("9 | assert r(at)") && out.contains("1 step; a claim is violated"), "{out}");
    let never = GOES_WRONG.replace("assert r(at)", "assert r(at) & !r(at)");
    let (code, out, _) = run("never.rml", &never, &["--steps", "1"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("violated before") && out.contains("there is no initial state"), "{out}");
    let right = GOES_WRONG.replace("  skip\n", "  r.insert(at)\n");
    let (code, out, _) = run("right.rml", &right, &["--steps", "1"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(!out.contains("violated"), "{out}");
}
