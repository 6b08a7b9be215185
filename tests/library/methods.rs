//! `ramsey::infer`: what each method finds, verified by the plain obligations; relaxed executions, evaluated.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use ramsey::base::budget::{Budget, Exhausted};
use ramsey::base::hash::Map;
use ramsey::formulas::Pretty;
use ramsey::infer::{
    Answer, Counts, Event, Executor, InOrder, Inference, Job, Method, Observer, Options, Reason, Template,
    infer, infer_on,
};
use ramsey::logic::{Evaluator, SymId, Syntax};
use ramsey::obligations::plain::transition_formula;
use ramsey::system::System;

use crate::common::effort::{cases, is_long};
use crate::common::skip::skipped;
use crate::lemmas::{is_inductive, system, with_lemmas};

const LOCK: &str = include_str!("../../examples/lock_server.pyv");
const COMMIT: &str = include_str!("../../examples/two_phase_commit.pyv");
const RING: &str = include_str!("../../examples/ring_leader.pyv");
const PROGRAM: &str = include_str!("../../examples/lock_server.rml");
const TOY: &str = include_str!("../../examples/toy_consensus.pyv");
const CHAIN: &str = include_str!("../../examples/chain_replication.rml");
const BROKEN: &str = include_str!("../../examples/two_phase_commit_broken.pyv");

/// Nodes write in the epoch that they have reached. An epoch starts when a quorum has reached it and has written in none
/// before, and no epoch before one that has started is committed.
const EPOCHS: &str = "
sort node
sort quorum
sort epoch

immutable relation member(node, quorum)
immutable relation before(epoch, epoch)
axiom forall Q1, Q2. exists N. member(N, Q1) & member(N, Q2)
axiom forall X. !before(X, X)
axiom forall X, Y, Z. before(X, Y) & before(Y, Z) -> before(X, Z)
axiom forall X, Y. before(X, Y) | X = Y | before(Y, X)

mutable function latest(node): epoch
mutable relation wrote(node, epoch)
mutable relation started(epoch)
mutable relation committed(epoch)

init forall N, E. !wrote(N, E)
init forall E. !started(E) & !committed(E)

transition advance(n: node, e: epoch)
  modifies latest
  before(latest(n), e) &
  (forall N. new(latest(N)) = (if N = n then e else latest(N)))

transition start(e: epoch, q: quorum)
  modifies started
  (forall N. member(N, q) -> !before(latest(N), e)) &
  (forall N, E. member(N, q) & before(E, e) -> !wrote(N, E)) &
  (forall E. new(started(E)) <-> started(E) | E = e)

transition write(n: node, e: epoch)
  modifies wrote
  latest(n) = e &
  (forall N, E. new(wrote(N, E)) <-> wrote(N, E) | N = n & E = e)

transition commit(e: epoch, q: quorum)
  modifies committed
  (forall N. member(N, q) -> wrote(N, e)) &
  (forall E. new(committed(E)) <-> committed(E) | E = e)

safety [order] committed(E1) & started(E2) -> !before(E1, E2)
";

/// Work units of a search for lemmas about epochs. One that finds nothing ends with them.
const WORK: u64 = 100_000_000;

/// The methods that find lemmas by themselves.
const METHODS: [Method; 6] =
    [Method::SEPARATION, Method::UPDR, Method::PRIMAL_DUAL, Method::FINITE, Method::EXISTS, Method::AUTO];

/// Counts events.
#[derive(Default)]
struct Events {
    all: u64,
    widened: u64,
    started: Vec<Method>,
}

impl Observer for Events {
    fn event(&mut self, _: Syntax<'_>, event: &Event, _: &Counts) {
        self.all += 1;
        self.widened += u64::from(matches!(event, Event::Widened { .. }));
        if let Event::Started(method) = event {
            self.started.push(*method);
        }
    }
}

fn options(method: Method, seed: u64) -> Options {
    Options { method, seed, ..Options::default() }
}

fn run(system: &Arc<System>, options: &Options) -> Inference {
    let mut events = Events::default();
    let inference = infer(system, options, &mut Budget::unlimited(), &mut events);
    assert!(events.all > 0);
    inference
}

#[test]
fn invariants_are_inductive_and_no_lemma_is_redundant() {
    for (name, text) in [("lock.pyv", LOCK), ("commit.pyv", COMMIT), ("lock.rml", PROGRAM)] {
        let (system, _) = system(name, text);
        for method in METHODS {
            let inference = run(&system, &options(method, 0));
            let Answer::Invariant(lemmas) = &inference.answer else {
                panic!("{name}, {method:?}: {:?}", inference.answer)
            };
            assert!(is_inductive(with_lemmas(&inference, lemmas, true)), "{name}, {method:?}");
            assert!(!lemmas.is_empty());
            for at in 0..lemmas.len() {
                let mut fewer = lemmas.clone();
                fewer.remove(at);
                assert!(
                    !is_inductive(with_lemmas(&inference, &fewer, true)),
                    "{name}, {method:?}: lemma {at}"
                );
            }
        }
    }
}

#[test]
fn every_seed_finds_an_invariant_and_the_same_one_again() {
    for (name, text) in [("lock.pyv", LOCK), ("commit.pyv", COMMIT)] {
        let (system, _) = system(name, text);
        for seed in 0..cases(1) {
            let formulas = |method: Method| {
                let inference = run(&system, &options(method, seed));
                let Answer::Invariant(lemmas) = &inference.answer else { panic!("{name}, seed {seed}") };
                let formulas: Vec<_> = lemmas.iter().map(|it| it.formula).collect();
                (formulas, inference.counts)
            };
            for method in [Method::AUTO, Method::PRIMAL_DUAL, Method::FINITE, Method::EXISTS] {
                assert_eq!(formulas(method), formulas(method), "{name}, {method:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn limits_of_clauses_are_widened_until_there_is_an_invariant() {
    // Safety has no variable that lies between two others on the ring, and the invariant needs one.
    let (system, _) = system("ring.pyv", RING);
    for seed in 0..3 {
        let mut events = Events::default();
        let options = options(Method::SEPARATION, seed);
        let inference = infer(&system, &options, &mut Budget::unlimited(), &mut events);
        let Answer::Invariant(lemmas) = &inference.answer else { panic!("seed {seed}") };
        assert!(events.widened > 0, "seed {seed}");
        assert_eq!(inference.counts.widened, events.widened);
        assert!(is_inductive(with_lemmas(&inference, lemmas, true)), "seed {seed}");
    }
}

#[test]
fn houdini_takes_candidates_and_templates() {
    let (system, candidates) = system("lock.pyv", LOCK);
    assert!(!candidates.is_empty());
    let given = Options { candidates, ..options(Method::HOUDINI, 0) };
    let inference = run(&system, &given);
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
    let inference = run(&system, &options(Method::HOUDINI, 0));
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
    // Clauses of one literal do not suffice.
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    let template = Some(Template { variables: vec![(sort, 1)], literals: 1, symbols: None });
    let inference = run(&system, &Options { template, ..options(Method::HOUDINI, 0) });
    let Answer::Unknown { reason: Reason::NoSubset, lemmas, open } = &inference.answer else {
        panic!("{:?}", inference.answer)
    };
    assert!(is_inductive(with_lemmas(&inference, lemmas, false)));
    assert!(open.iter().any(|it| it.name.is_some() && it.counterexample.is_some()), "{open:?}");
    // The lemmas have the symbols of the template alone.
    let usable = Template::usable(&system);
    let named = |names: &[&str]| -> Vec<SymId> {
        let is_named = |sym: &&SymId| names.contains(&system.sig.symbols[**sym].name.as_str());
        usable.iter().filter(is_named).copied().collect()
    };
    let with = |symbols: Vec<SymId>| {
        let template = Some(Template { variables: vec![(sort, 2)], literals: 3, symbols: Some(symbols) });
        run(&system, &Options { template, ..options(Method::HOUDINI, 0) })
    };
    let symbols = named(&["holds", "granted", "returned", "free"]);
    assert_eq!(symbols.len(), 4);
    let inference = with(symbols.clone());
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    for lemma in lemmas {
        let found = inference.system.terms.symbols(lemma.formula);
        assert!(found.iter().all(|sym| symbols.contains(sym)), "{found:?}");
    }
    let inference = with(named(&["holds", "granted"]));
    assert!(matches!(inference.answer, Answer::Unknown { reason: Reason::NoSubset, .. }));
}

#[test]
fn a_relaxed_execution_is_an_execution_of_the_relaxed_system() {
    let (system, _) = system("toy.pyv", TOY);
    for method in [Method::SEPARATION, Method::UPDR, Method::PRIMAL_DUAL] {
        let inference = run(&system, &options(method, 0));
        let Answer::NoUniversal(found) = &inference.answer else { panic!("{:?}", inference.answer) };
        let mut relaxed = found.relaxed.system.clone();
        let structure = &found.counterexample.structure;
        let calls = &found.counterexample.calls;
        assert_eq!(structure.states(), calls.len() + 1);
        assert!(calls.iter().any(|call| call.transition == found.relaxed.relaxation), "elements disappear");
        let sig = relaxed.sig.clone();
        let mut conditions: Vec<_> = relaxed.axioms.iter().map(|it| (it.formula, Map::default())).collect();
        conditions.extend(relaxed.inits.iter().map(|it| (it.formula, Map::default())));
        for step in 0..structure.states() as u16 {
            let axioms: Vec<_> = relaxed.derived.iter().map(|it| it.axiom).collect();
            conditions
                .extend(axioms.into_iter().map(|it| (relaxed.terms.shift(&sig, it, step), Map::default())));
        }
        for (step, call) in calls.iter().enumerate() {
            let transition = relaxed.transitions[call.transition].clone();
            let formula = transition_formula(relaxed.terms.over_mut(&sig), &transition);
            let formula = relaxed.terms.shift(&sig, formula, step as u16);
            let env = transition.params.iter().copied().zip(call.args.iter().copied()).collect();
            conditions.push((formula, env));
        }
        for (formula, env) in conditions {
            let mut eval = Evaluator::new(relaxed.terms.over(&sig), structure);
            eval.env = env;
            assert!(eval.holds(formula));
        }
        let claim = found.property.formula(&relaxed);
        let claim = relaxed.terms.shift(&sig, claim, calls.len() as u16);
        assert!(
            !Evaluator::new(relaxed.terms.over(&sig), structure).holds(claim),
            "the property is violated"
        );
    }
}

#[test]
fn violations_are_executions_of_the_system() {
    let (system, _) = system("broken.pyv", BROKEN);
    for method in METHODS {
        let inference = run(&system, &options(method, 0));
        let Answer::Unsafe(property, found) = &inference.answer else {
            panic!("{method:?}: {:?}", inference.answer)
        };
        let last = found.structure.state(&system.sig, found.calls.len());
        assert!(!Evaluator::new(system.syntax(), &last).holds(property.formula(&system)));
    }
}

#[test]
fn methods_take_turns() {
    let (system, _) = system("chain.rml", CHAIN);
    let mut events = Events::default();
    let mut budget = Budget::new(Some(20_000_000), None);
    infer(&system, &options(Method::AUTO, 0), &mut budget, &mut events);
    assert_eq!(events.started, [Method::SEPARATION, Method::UPDR, Method::FINITE]);
}

/// Keeps all that an observer is told.
#[derive(Default)]
struct Told(Vec<String>);

impl Observer for Told {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, counts: &Counts) {
        let formula = match event {
            Event::Proposed { formula, .. } => Pretty::new(syntax, *formula).to_string(),
            _ => String::new(),
        };
        self.0.push(format!("{event:?} {formula} {counts:?}"));
    }
}

/// Runs the last job first, so that all turns but the first end before those that count before them.
struct Backwards;

impl Executor for Backwards {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        jobs.into_iter().rev().for_each(|job| job());
    }
}

/// Runs each job on a thread of its own.
struct AtOnce;

impl Executor for AtOnce {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        thread::scope(|scope| {
            for job in jobs {
                scope.spawn(job);
            }
        });
    }
}

#[test]
fn the_order_of_turns_changes_nothing() {
    let searches = [
        ("commit.pyv", COMMIT, &[u64::MAX, 100_000][..]),
        ("broken.pyv", BROKEN, &[u64::MAX]),
        ("toy.pyv", TOY, &[u64::MAX]),
        ("chain.rml", CHAIN, if is_long() { &[1_000, 17_000_000, 60_000_000] } else { &[1_000, 2_000_000] }),
    ];
    for (name, text, limits) in searches {
        let (system, _) = system(name, text);
        for &work in limits {
            let [expected, backwards, at_once] = [&InOrder as &dyn Executor, &Backwards, &AtOnce].map(|it| {
                let (mut told, mut budget) = (Told::default(), Budget::new(Some(work), None));
                let inference = infer_on(it, &system, &options(Method::AUTO, 1), &mut budget, &mut told);
                let Inference { answer, method, languages, counts, statistics, .. } = inference;
                let spent = budget.spent();
                (told.0, format!("{answer:?} {method:?} {languages:?} {counts:?} {statistics:?} {spent}"))
            });
            assert!(!expected.0.is_empty());
            assert_eq!(expected, backwards, "{name}, {work}: backwards");
            assert_eq!(expected, at_once, "{name}, {work}: at once");
        }
    }
}

/// Runs the first job when all others are about to wait for it in the probe of the budget.
struct FirstWhenOthersWait<'a> {
    waiting: &'a AtomicUsize,
    is_over: &'a AtomicBool,
}

impl Executor for FirstWhenOthersWait<'_> {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        thread::scope(|scope| {
            let mut jobs = jobs.into_iter();
            let first = jobs.next().expect("a job");
            let others = jobs.len();
            for job in jobs {
                let thread = thread::Builder::new().name("other".to_owned());
                thread.spawn_scoped(scope, job).expect("a thread");
            }
            while self.waiting.load(Ordering::SeqCst) < others {
                thread::yield_now();
            }
            first();
            self.is_over.store(true, Ordering::SeqCst);
        });
    }
}

#[test]
fn turns_that_do_not_count_are_cancelled() {
    let (system, _) = system("commit.pyv", COMMIT);
    let (asked, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let probe = {
        let (asked, is_over) = (Arc::clone(&asked), Arc::clone(&is_over));
        move || {
            if thread::current().name() == Some("other") {
                asked.fetch_add(1, Ordering::SeqCst);
                while !is_over.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
            }
            None
        }
    };
    let mut budget = Budget::new(None, Some(Arc::new(probe)));
    let executor = FirstWhenOthersWait { waiting: &asked, is_over: &is_over };
    let mut told = Told::default();
    let inference = infer_on(&executor, &system, &options(Method::AUTO, 0), &mut budget, &mut told);
    assert!(matches!(inference.answer, Answer::Invariant(_)), "{:?}", inference.answer);
    assert_eq!(inference.method, Method::SEPARATION);
    // One call each, which waited for the answer; the next one would have been after it.
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[test]
fn a_limit_of_the_caller_ends_turns_at_the_same_time() {
    let (system, _) = system("commit.pyv", COMMIT);
    let mut told = Told::default();
    let mut budget = Budget::new(None, Some(Arc::new(|| Some(Exhausted::RunTime))));
    let inference = infer_on(&AtOnce, &system, &options(Method::AUTO, 0), &mut budget, &mut told);
    let Answer::Unknown { reason, .. } = &inference.answer else { panic!("{:?}", inference.answer) };
    assert_eq!(*reason, Reason::Exhausted(Exhausted::RunTime));
    let started = told.0.iter().filter(|it| it.starts_with("Started")).count();
    assert_eq!(started, 1, "{:?}", told.0);
}

/// Items of stores move in letters with numbers that are not used again; letters are sent again until they are answered.
const LETTERS: &str = "
sort store
sort item
sort number

mutable relation holds(store, item)
mutable relation sent(store, store, item, number)
mutable relation open(store, store, item, number)
mutable relation seen(store, store, number)
mutable relation answered(store, store, number)
mutable relation used(store, number)

init holds(S, I) & holds(T, I) -> S = T
init !sent(S, T, I, N)
init !open(S, T, I, N)
init !seen(S, T, N)
init !answered(S, T, N)
init !used(S, N)

transition move(s: store, t: store, i: item, n: number)
  modifies holds, sent, open, used
  holds(s, i) & !used(s, n) & s != t &
  (used'(S, N) <-> used(S, N) | S = s & N = n) &
  (holds'(S, I) <-> holds(S, I) & !(S = s & I = i)) &
  (sent'(S, T, I, N) <-> sent(S, T, I, N) | S = s & T = t & I = i & N = n) &
  (open'(S, T, I, N) <-> open(S, T, I, N) | S = s & T = t & I = i & N = n)

transition again(s: store, t: store, i: item, n: number)
  modifies sent
  open(s, t, i, n) &
  (sent'(S, T, I, N) <-> sent(S, T, I, N) | S = s & T = t & I = i & N = n)

transition lose(s: store, t: store, i: item, n: number)
  modifies sent
  (sent'(S, T, I, N) <-> sent(S, T, I, N) & !(S = s & T = t & I = i & N = n))

transition receive(s: store, t: store, i: item, n: number)
  modifies holds, seen, answered
  sent(s, t, i, n) & !seen(t, s, n) &
  (seen'(S, T, N) <-> seen(S, T, N) | S = t & T = s & N = n) &
  (answered'(S, T, N) <-> answered(S, T, N) | S = s & T = t & N = n) &
  (holds'(S, I) <-> holds(S, I) | S = t & I = i)

transition close(s: store, t: store, n: number)
  modifies open
  answered(s, t, n) &
  (open'(S, T, I, N) <-> open(S, T, I, N) & !(S = s & T = t & N = n))

safety holds(S, I) & holds(T, I) -> S = T
";

#[test]
fn clauses_beyond_small_languages_are_read_from_steps() {
    let (system, _) = system("letters.pyv", LETTERS);
    for seed in 0..3 {
        let mut budget = Budget::new(Some(20_000_000), None);
        let options = options(Method::SEPARATION, seed);
        let inference = infer(&system, &options, &mut budget, &mut Events::default());
        let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
        assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
    }
}

#[test]
fn a_budget_that_runs_out_leaves_lemmas_that_are_inductive() {
    let (system, _) = system("commit.pyv", COMMIT);
    let mut has_lemmas = false;
    for work in [0, 1_000, 50_000, 100_000, 200_000, 300_000, 400_000] {
        for method in METHODS {
            let mut budget = Budget::new(Some(work), None);
            let inference = infer(&system, &options(method, 0), &mut budget, &mut Events::default());
            match &inference.answer {
                Answer::Invariant(lemmas) => assert!(is_inductive(with_lemmas(&inference, lemmas, true))),
                Answer::Unknown { reason: Reason::Exhausted(Exhausted::Work), lemmas, .. } => {
                    has_lemmas |= !lemmas.is_empty();
                    assert!(lemmas.is_empty() || is_inductive(with_lemmas(&inference, lemmas, false)));
                }
                other => panic!("{work}, {method:?}: {other:?}"),
            }
        }
    }
    assert!(has_lemmas);
}

/// Notes the symbols that proposed lemmas have.
#[derive(Default)]
struct Proposed {
    symbols: Vec<String>,
}

impl Observer for Proposed {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, _: &Counts) {
        if let Event::Proposed { formula, .. } = event {
            let symbols = syntax.terms.symbols(*formula).into_iter();
            self.symbols.extend(symbols.map(|sym| syntax.sig.symbols[sym].name.clone()));
        }
    }
}

/// For every epoch that has not started there is a node of each quorum that is beyond it and has not written in it: the
/// epoch of a node is a function, and nodes depend on epochs.
#[test]
fn lemmas_with_witnesses_are_about_functions() {
    let system = epochs_with(&[]);
    for method in [Method::AUTO, Method::EXISTS] {
        let (lemmas, proposed) = found_lemmas(&system, method);
        assert!(lemmas.iter().any(|it| it.contains("exists") && it.contains("latest(N)")), "{lemmas:?}");
        assert!(lemmas.iter().all(|it| !it.contains("!!")), "{lemmas:?}");
        assert!(proposed.symbols.iter().any(|name| name == "latest"));
    }
}

/// Returns the model of epochs with parts of its text replaced.
fn epochs_with(changes: &[(&str, &str)]) -> Arc<System> {
    let text = changes.iter().fold(EPOCHS.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    system("epochs.pyv", &text).0
}

/// Searches for an invariant with witnesses, within a limit. Returns the lemmas as text, and what was proposed.
fn found_lemmas(system: &Arc<System>, method: Method) -> (Vec<String>, Proposed) {
    let (mut proposed, mut budget) = (Proposed::default(), Budget::new(Some(WORK), None));
    let inference = infer(system, &options(method, 0), &mut budget, &mut proposed);
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    assert_eq!(inference.method, Method::EXISTS);
    assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
    assert_eq!(inference.system.sig, system.sig);
    let is_declared = |name: &String| system.sig.symbols.iter().any(|symbol| symbol.name == *name);
    assert!(proposed.symbols.iter().all(is_declared), "{:?}", proposed.symbols);
    let shown = |formula| Pretty::new(inference.system.syntax(), formula).to_string();
    (lemmas.iter().map(|lemma| shown(lemma.formula)).collect(), proposed)
}

/// The same with a relation: a node may join epochs in any order, writes in one if it has joined no later one, and an epoch may start
/// once a quorum has joined a later one. That a node has joined some later epoch depends on a node, and nodes depend on epochs.
#[test]
fn lemmas_with_witnesses_are_about_what_exceeds_a_bound() {
    let system = epochs_with(&[
        ("mutable function latest(node): epoch", "mutable relation joined(node, epoch)"),
        ("init forall N, E. !wrote(N, E)", "init forall N, E. !wrote(N, E)\ninit forall N, E. !joined(N, E)"),
        ("modifies latest\n  before(latest(n), e) &", "modifies joined"),
        (
            "(forall N. new(latest(N)) = (if N = n then e else latest(N)))",
            "(forall N, E. new(joined(N, E)) <-> joined(N, E) | N = n & E = e)",
        ),
        ("transition start(e: epoch, q", "transition start(e: epoch, f: epoch, q"),
        (
            "(forall N. member(N, q) -> !before(latest(N), e))",
            "!before(f, e) & (forall N. member(N, q) -> joined(N, f))",
        ),
        ("latest(n) = e &", "joined(n, e) & (forall E. joined(n, E) -> !before(e, E)) &"),
    ]);
    for method in [Method::AUTO, Method::EXISTS] {
        let (lemmas, _) = found_lemmas(&system, method);
        assert!(lemmas.iter().any(|it| it.contains("(exists X:epoch. ")), "{lemmas:?}");
    }
}

/// A transition has epochs depend on nodes, and the lemma that is missing has nodes depend on epochs. A question with both is outside
/// of stratified EPR.
#[test]
fn witnesses_may_depend_on_what_transitions_have_depend_on_them() {
    let join = "\ntransition advance(n: node, e: epoch)\n  modifies latest\n  before(latest(n), e) &\n  \
                (forall N. new(latest(N)) = (if N = n then e else latest(N)))\n";
    let promise = "\ntransition promise(n: node, e: epoch, f: epoch)\n  modifies joined, promised\n  \
                   (forall N, E. new(joined(N, E)) <-> joined(N, E) | N = n & E = e) &\n  \
                   (forall N, E, F. new(promised(N, E, F)) <-> promised(N, E, F) | N = n & E = e & F = f)\n";
    let system = epochs_with(&[
        (join, promise),
        (
            "mutable function latest(node): epoch",
            "mutable relation joined(node, epoch)\nmutable relation promised(node, epoch, epoch)",
        ),
        (
            "init forall N, E. !wrote(N, E)",
            "init forall N, E. !wrote(N, E) & !joined(N, E)\ninit forall N, E, F. !promised(N, E, F)",
        ),
        ("!before(latest(N), e)", "exists F. promised(N, e, F)"),
        ("latest(n) = e &", "(forall E. joined(n, E) -> !before(e, E)) &"),
    ]);
    for method in [Method::AUTO, Method::EXISTS] {
        let (lemmas, _) = found_lemmas(&system, method);
        assert!(lemmas.iter().any(|it| it.contains("exists N:node")), "{lemmas:?}");
    }
}

/// Lamport's protocols, with their functions.
#[test]
fn protocols_with_functions_are_proved() {
    if !is_long() {
        return skipped("protocols with functions, which take long");
    }
    let protocols = [
        ("voting.ivy", include_str!("../../benches/protocols/voting.ivy")),
        ("paxos_simple.ivy", include_str!("../../benches/protocols/paxos_simple.ivy")),
        ("paxos.ivy", include_str!("../../benches/protocols/paxos.ivy")),
    ];
    for (name, text) in protocols {
        let (system, _) = system(name, text);
        let inference = run(&system, &options(Method::AUTO, 0));
        let Answer::Invariant(lemmas) = &inference.answer else { panic!("{name}: {:?}", inference.answer) };
        assert!(is_inductive(with_lemmas(&inference, lemmas, true)), "{name}");
        let symbols = lemmas.iter().flat_map(|lemma| inference.system.terms.symbols(lemma.formula));
        let names: Vec<&str> = symbols.map(|sym| &*inference.system.sig.symbols[sym].name).collect();
        assert!(names.contains(&"maxBal"), "{name}: {names:?}");
    }
}

/// Where a node may write in any epoch, the property is false, and that is said: an execution of the relational form is not
/// shown, one of the system is.
#[test]
fn violations_are_executions_with_functions() {
    let broken = EPOCHS.replace("latest(n) = e &\n  (forall N, E. new(wrote", "(forall N, E. new(wrote");
    assert_ne!(broken, EPOCHS);
    let (system, _) = system("epochs.pyv", &broken);
    for method in [Method::AUTO, Method::EXISTS] {
        let inference = run(&system, &options(method, 0));
        let Answer::Unsafe(_, found) = &inference.answer else { panic!("{:?}", inference.answer) };
        assert_eq!(inference.system.sig, system.sig);
        for (at, call) in found.calls.iter().enumerate() {
            let system = &mut (*inference.system).clone();
            let transition = system.transitions[call.transition].clone();
            let step = transition_formula(system.syntax_mut(), &transition);
            let states = found.structure.states();
            let mut two = found.structure.state(&system.sig, at);
            assert!(at + 1 < states);
            two.push_state(&system.sig, &found.structure, at + 1);
            assert!(Evaluator::new(system.syntax(), &two).holds(step), "step {at}");
        }
    }
}
