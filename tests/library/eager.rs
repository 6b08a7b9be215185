//! Eager abstraction: every execution of a model is one of the circuit, fact by fact; verdicts of small models.

use std::sync::Arc;

use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::base::rng::Rng;
use ramsey::base::span::{Source, Sources};
use ramsey::diag::Diagnostic;
use ramsey::eager::{Abstraction, Claim, Fact, GENERATIONS, Input, Options, Order, Place, Scope, Theory};
use ramsey::lang::Language;
use ramsey::lang::prophecy::{Prophecies, prophecies};
use ramsey::logic::{Elem, Evaluator, Node, SortId, Structure, SymbolKind, TermId};
use ramsey::query::mc::{Claims, Options as Answering, Outcome, Replay};
use ramsey::query::simulate::Simulator;
use ramsey::query::verify::Limits;
use ramsey::system::{Site, System};

/// Elements that are counted, ordered and enumerated; quantified guards, choices of values, prophecy variables.
const SERVICE: &str = "\
#lang ivy1.7
include mc_schemata
type node
type num
instantiate total_order_schemata(num)
type phase = {idle, waiting, busy}
var ph(N:node) : phase
var holder : node
var best : node
var count(N:node) : num
var top : num
relation mark(N:node, K:num)
axiom 0:num <= X
after init {
    ph(N) := idle;
    mark(N, K) := false;
    count(N) := 0;
    top := count(holder)
}
action ask(n:node) = { require ph(n) = idle; ph(n) := waiting }
action enter(n:node) = {
    require ph(n) = waiting & forall M. ph(M) ~= busy;
    ph(n) := busy;
    holder := n
}
action leave(n:node) = {
    require ph(n) = busy & n = holder;
    ph(n) := idle;
    holder := *
}
action bump(n:node, k:num) = {
    require count(n) < k;
    count(n) := k;
    mark(n, k) := true;
    if top < k { top := k; best := n } else { best := holder if ph(holder) = busy else best };
    assert ~(top < count(n))
}
action forget(n:node) = {
    mark(n, K) := mark(n, K) & exists M. M ~= n & count(M) < K
}
export ask
export enter
export leave
export bump
export forget
invariant [one] ph(N) = busy & ph(M) = busy -> N = M
proof let H = holder
invariant [held] ph(N) = busy -> N = holder
proof let H = holder, C = count(H)
invariant [high] mark(N, K) -> K <= count(N)
invariant [above] count(N) <= top
proof if ph(N) = busy { let B = best, T = top } else { let T = top, C = count(holder) }
";

fn load(text: &str) -> Prophecies {
    let (found, diagnostics) = try_load(text);
    found.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn try_load(text: &str) -> (Option<Prophecies>, Vec<Diagnostic>) {
    try_load_in(Language::Ivy, text)
}

fn try_load_in(language: Language, text: &str) -> (Option<Prophecies>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("model".to_owned(), text.to_owned()));
    let includes = language.format().gather(file, &mut sources, &mut |_, path| Err(path.to_owned()));
    prophecies(language, file, &sources, &includes, &mut Budget::unlimited()).expect("no limit")
}

fn claims_of(model: &Prophecies) -> Vec<Claim> {
    let invariants = model.system.invariants.iter().enumerate().map(|(index, it)| Claim {
        formula: it.formula,
        goal: model.goals.get(&index).copied().unwrap_or(it.formula),
        place: Place::State,
    });
    let assertions = model.system.assertions.iter().filter_map(|it| match it.site {
        Site::Transition(index) => {
            Some(Claim { formula: it.formula, goal: it.formula, place: Place::Step(index) })
        }
        _ => None,
    });
    invariants.chain(assertions).collect()
}

/// A step of an execution, over the symbols of an abstraction.
struct Moment<'a> {
    abstraction: &'a Abstraction,
    orders: &'a Map<SortId, Order>,
    structure: Structure,
    transition: usize,
}

impl Moment<'_> {
    fn eval(&self, term: TermId) -> Elem {
        Evaluator::new(self.abstraction.terms.over(&self.abstraction.sig), &self.structure).eval(term)
    }

    /// Returns the number of the first tracked constant that a term is equal to.
    fn index(&self, term: TermId) -> usize {
        let constants = &self.abstraction.constants[&self.abstraction.terms.sort(term)];
        let value = self.eval(term);
        constants.iter().position(|&constant| self.eval(constant) == value).unwrap_or(constants.len())
    }

    /// Returns whether a value of a sort is strictly below another one.
    fn is_less(&self, sort: SortId, a: Elem, b: Elem) -> bool {
        let order = self.orders[&sort];
        let relation = self.structure.interpretation(&self.abstraction.sig, order.sym, 0);
        if order.is_strict { relation.get(&[a, b]) != 0 } else { relation.get(&[b, a]) == 0 }
    }

    /// Returns the number of the first one of the greatest tracked constants below a term.
    fn greatest_below(&self, term: TermId) -> usize {
        let sort = self.abstraction.terms.sort(term);
        let constants = &self.abstraction.constants[&sort];
        let value = self.eval(term);
        let values: Vec<Elem> = constants.iter().map(|&constant| self.eval(constant)).collect();
        let is_greatest = |&at: &usize| {
            let between =
                |&other: &Elem| self.is_less(sort, values[at], other) && self.is_less(sort, other, value);
            self.is_less(sort, values[at], value) && !values.iter().any(between)
        };
        (0..values.len()).find(is_greatest).unwrap_or(values.len())
    }

    fn fact(&self, fact: Fact, is_first: bool) -> bool {
        match fact {
            Fact::Truth(formula) => self.eval(formula) != 0,
            Fact::Is(term, constant) => {
                let constants = &self.abstraction.constants[&self.abstraction.terms.sort(term)];
                constants.get(self.index(term)) == Some(&constant)
            }
            Fact::Below(term, constant) => {
                self.is_less(self.abstraction.terms.sort(term), self.eval(term), self.eval(constant))
            }
            Fact::First => is_first,
        }
    }

    fn input(&self, input: Input) -> bool {
        match input {
            Input::Fact(fact) => self.fact(fact, false),
            Input::Index(term, bit) => self.index(term) >> bit & 1 == 1,
            Input::Above(term, bit) => self.greatest_below(term) >> bit & 1 == 1,
            Input::Transition(bit) => self.transition >> bit & 1 == 1,
        }
    }
}

/// Follows an execution in the circuit of a claim, with these values of the tracked constants. Returns whether the
/// circuit tells a violation, up to the first state in which some claim is violated.
fn follow(
    system: &System,
    theory: &Theory,
    claims: &[Claim],
    abstraction: &Abstraction,
    all: &Structure,
    calls: &[(usize, Vec<Elem>)],
    values: &[Elem],
) -> bool {
    let circuit = &abstraction.circuit;
    let sig = &abstraction.sig;
    let set = |structure: &mut Structure, term: TermId, value: Elem| {
        let Node::App { sym, .. } = abstraction.terms.node(term) else { panic!("a constant") };
        structure.interpretation_mut(sig, sym, 0).default = value;
    };
    let mut before: Option<Vec<bool>> = None;
    for step in 0..all.states() {
        let mut structure = all.state(&system.sig, step);
        structure.push_state(&system.sig, all, (step + 1).min(all.states() - 1));
        structure.grow_to(sig);
        for (sym, symbol) in system.sig.symbols.iter_enumerated() {
            if symbol.kind == SymbolKind::Mutable && sig.symbols[sym].kind == SymbolKind::Immutable {
                let value = all.interpretation(&system.sig, sym, step).clone();
                *structure.interpretation_mut(sig, sym, 0) = value;
            }
        }
        abstraction.tracked.iter().zip(values).for_each(|(&term, &value)| set(&mut structure, term, value));
        let call = calls.get(step);
        if let Some((transition, args)) = call {
            abstraction.arguments[*transition].iter().zip(args).for_each(|(&term, &arg)| {
                set(&mut structure, term, arg);
            });
        }
        let transition = call.map_or(0, |(transition, _)| transition + 1);
        let moment = Moment { abstraction, orders: &theory.orders, structure, transition };
        let state: Vec<bool> = abstraction.latches.iter().map(|&fact| moment.fact(fact, step == 0)).collect();
        if let Some(before) = before {
            for ((now, next), fact) in state.iter().zip(&before).zip(&abstraction.latches) {
                assert_eq!(now, next, "step {step}: {fact:?}");
            }
        }
        for (latch, &now) in circuit.latches().iter().zip(&state).filter(|_| step == 0) {
            assert!(latch.reset.is_none_or(|reset| reset == now));
        }
        let mut wires = vec![false];
        wires.extend(abstraction.inputs.iter().map(|&input| moment.input(input)));
        wires.extend(&state);
        for &[left, right] in circuit.gates() {
            let value = |lit: ramsey::lang::aiger::Lit| wires[lit.var()] != lit.is_negated();
            let gate = value(left) && value(right);
            wires.push(gate);
        }
        let value = |lit: ramsey::lang::aiger::Lit| wires[lit.var()] != lit.is_negated();
        let is_bad = value(circuit.properties()[0]);
        let single = all.state(&system.sig, step);
        let is_violated = claims.iter().any(|claim| {
            claim.place == Place::State && !Evaluator::new(system.syntax(), &single).holds(claim.formula)
        });
        if !is_violated || is_bad {
            for &constraint in circuit.constraints() {
                assert!(value(constraint), "step {step}: a constraint is false");
            }
        }
        if is_violated || is_bad {
            return is_bad;
        }
        before = Some(circuit.latches().iter().map(|latch| value(latch.next)).collect());
    }
    false
}

/// Returns all tuples below these sizes.
fn tuples(sizes: &[u32]) -> Vec<Vec<Elem>> {
    sizes.iter().fold(vec![Vec::new()], |tuples, &size| {
        let longer = tuples.iter().flat_map(|tuple: &Vec<Elem>| {
            (0..size).map(|value| tuple.iter().copied().chain([value]).collect::<Vec<Elem>>())
        });
        longer.collect()
    })
}

/// Follows random executions of a model in the circuits of all of its claims. Returns the number of steps, and of
/// violations that circuits told.
fn follow_all(text: &str, walks: u64) -> (usize, usize) {
    follow_with(text, walks, GENERATIONS)
}

fn follow_with(text: &str, walks: u64, generations: usize) -> (usize, usize) {
    let model = load(text);
    let system = &model.system;
    let mut budget = Budget::unlimited();
    let theory = Theory::new(system, &mut budget).with_instances(system, &model.instances, &mut budget);
    let claims = claims_of(&model);
    let scopes = [Scope::Claim, Scope::Model];
    let both = claims.iter().flat_map(|claim| scopes.map(|scope| (claim, scope)));
    let abstractions: Vec<(&Claim, Abstraction)> = both
        .map(|(claim, scope)| {
            let options = Options { scope, generations, ..Options::default() };
            let made = Abstraction::new(system, &theory, &claims, claim, &options);
            (claim, made.expect("a circuit"))
        })
        .collect();
    let (mut steps, mut told) = (0, 0);
    for seed in 0..walks {
        let mut rng = Rng::new(seed);
        let sizes: Vec<(SortId, u32)> = system
            .sig
            .uninterpreted_sorts()
            .map(|sort| match theory.enumerations.get(&sort) {
                Some(elements) => (sort, elements.len() as u32),
                None => (sort, 1 + rng.below(3) as u32),
            })
            .collect();
        let mut simulator = Simulator::new(Arc::new(system.clone()), seed, Limits::default());
        if !simulator.start(&sizes).expect("a start") {
            continue;
        }
        simulator.walk(&[], 12, None).expect("a walk");
        let all = simulator.structure().expect("a walk").reduct(&system.sig);
        let calls: Vec<(usize, Vec<Elem>)> =
            simulator.calls().iter().map(|call| (call.transition, call.args.clone())).collect();
        steps += calls.len();
        for (claim, abstraction) in &abstractions {
            let sizes: Vec<u32> =
                abstraction.tracked.iter().map(|&it| all.sizes[abstraction.terms.sort(it)]).collect();
            let mut is_told = false;
            for values in tuples(&sizes).into_iter().take(100) {
                is_told |= follow(system, &theory, &claims, abstraction, &all, &calls, &values);
            }
            told += usize::from(is_told);
            // The first violation of all is told for some values.
            let is_false = |at: usize, claim: &Claim| {
                let state = all.state(&system.sig, at);
                !Evaluator::new(system.syntax(), &state).holds(claim.formula)
            };
            let first = (0..all.states())
                .find(|&at| claims.iter().any(|it| it.place == Place::State && is_false(at, it)));
            if let Some(first) = first
                && claim.place == Place::State
                && is_false(first, claim)
                && tuples(&sizes).len() <= 100
            {
                assert!(is_told, "seed {seed}: {claim:?} is violated in state {first}");
            }
        }
    }
    (steps, told)
}

#[test]
fn executions_are_those_of_the_circuits() {
    let (steps, told) = follow_all(SERVICE, 40);
    assert!(steps > 100 && told == 0, "{steps} steps, {told} violations");
    let broken = SERVICE.replace(" & forall M. ph(M) ~= busy", "");
    let (steps, told) = follow_all(&broken, 80);
    assert!(steps > 100 && told > 0, "{steps} steps, {told} violations");
}

/// A total order that is reflexive, derived relations, values that a transition leaves open, and initial conditions
/// that are no definitions. Of the colors no term has a name but a parameter, so that instances tell little of quantifiers.
const RELATIONS: &str = "\
#lang ivy1.7
include order
type node
relation le(X:node, Y:node)
instantiate total_order(le)
relation r(N:node)
relation has(N:node, M:node)
definition some_r = exists N. r(N)
var low : node
type color
relation painted(C:color)
individual full : bool
function next(N:node) : node
init le(low, N) & (r(N) -> N = low) & ~painted(C) & ~full
action move(n:node) = {
    require r(n) | ~some_r;
    r(N) := N = next(n);
    has(n, next(n)) := *;
    low := next(low) if le(next(low), n) else low
}
action link(n:node, m:node) = {
    require le(n, m) & n ~= m;
    next(n) := m;
    has(N, M) := has(N, M) & le(N, n)
}
action paint(c:color) = { painted(c) := ~painted(c) }
action look = { full := forall C. painted(C) }
action glance = { full := exists C. painted(C) & full }
export move
export link
export paint
export look
export glance
invariant r(N) & r(M) -> N = M
invariant has(N, M) -> le(low, N)
invariant full -> le(low, low)
";

#[test]
fn relations_and_functions_are_followed() {
    let (steps, _) = follow_all(RELATIONS, 40);
    assert!(steps > 100, "{steps} steps");
}

/// Schemata over immutable and mutable symbols, with triggers of one term and of two, and axioms with functions.
const SCHEMATA: &str = "\
#lang ivy1.7
type node
type key
function key_of(N:node) : key
function owner(K:key) : node
function next(N:node) : node
function label(N:node) : key
function at(K:key, N:node) : node
relation has(N:node, K:key)
relation mark(K:key)
var first : node
axiom next(next(next(X))) = next(X)
axiom [owners] owner(K) = N & owner(L) = N -> K = L
schema inverse = {
    type a
    function to(X:a) : key
    function from(X:key) : a
    property from(to(X)) = X
    trigger to(X)
}
schema injective = {
    function f(X:node) : key
    property f(X) = f(Y) & f(X) = key_of(Z) -> X = Y | X ~= Z
    trigger f(X), f(Y), key_of(Z)
}
schema congruence = {
    type b
    type c
    function f(X:b) : c
    property X = Y -> f(X) = f(Y)
}
schema related = {
    type b
    type c
    individual x : b
    relation r(X:b, Y:c)
    property x = X & Y = Z -> (r(x, Y) <-> r(X, Z))
    trigger r(X, Y), Y = Z
}
schema pair = { function f(K:key, N:node) : node  property K = L -> f(K, N) = f(L, N)  trigger f(K, N), f(L, N) }
after init {
    has(N, K) := false;
    mark(K) := false;
    label(N) := key_of(N);
    at(K, N) := owner(K)
}
action take(n:node, k:key) = {
    require owner(k) ~= next(n);
    has(next(n), key_of(next(n))) := true;
    mark(label(next(n))) := true;
    label(first) := key_of(next(next(n)))
}
action move(n:node, k:key) = {
    require has(n, k) & label(n) = label(first);
    at(k, n) := at(label(n), next(first));
    first := owner(label(first));
    has(next(first), k) := has(first, label(n))
}
export take
export move
invariant has(N, K) -> mark(K) | label(N) = K
proof let L = label(first)
invariant at(K, N) = owner(K) | has(N, K)
invariant mark(K) -> owner(K) = owner(label(owner(K)))
";

#[test]
fn instances_of_schemata_are_true_in_every_step() {
    let model = load(SCHEMATA);
    let mut budget = Budget::unlimited();
    let theory = Theory::new(&model.system, &mut budget);
    let axioms = theory.patterns.len();
    let theory = theory.with_instances(&model.system, &model.instances, &mut budget);
    // What is no consequence of the axioms for symbols that change is not used.
    assert!(theory.patterns.len() > axioms && theory.patterns.len() < axioms + model.instances.len());
    for generations in [1, 2] {
        let (steps, told) = follow_with(SCHEMATA, 80, generations);
        assert!(steps > 100 && told > 0, "{steps} steps, {told} violations");
    }
}

/// What is taken is marked. Nothing is tracked of `next(x)` but what the axiom says.
const INVERSE: &str = "\
#lang ivy1.7
type t
type u
function f(X:t) : u
function g(X:u) : t
function next(X:t) : t
relation r(X:t)
relation s(X:t)
schema inverse = { type a  type b  function to(X:a) : b  function from(X:b) : a  property from(to(X)) = X }
after init { r(X) := false; s(X) := false }
action take(x:t) = { r(g(f(next(x)))) := true; s(next(x)) := true }
export take
invariant r(X) -> s(X)
";

/// Returns whether all claims of a model are proved.
fn is_proved(text: &str, generations: usize) -> bool {
    answers_with(text, generations).iter().all(|it| matches!(it, Outcome::Safe { .. }))
}

#[test]
fn schemata_are_instantiated_for_terms_that_occur() {
    assert!(is_proved(INVERSE, 1));
    assert!(!is_proved(INVERSE, 0));
    let without: String =
        INVERSE.lines().filter(|line| !line.starts_with("schema")).map(|it| format!("{it}\n")).collect();
    assert!(!is_proved(&without, 1));
    // An axiom of the model has a trigger too.
    assert!(is_proved(&format!("{without}axiom g(f(X)) = X\n"), 1));
}

#[test]
fn a_valid_schema_is_a_hint_about_symbols_that_change() {
    let text = "\
#lang ivy1.7
type t
relation q(X:t)
var a : t
var b : t
schema congruence = { type t  relation p(X:t)  property X = Y -> (p(X) <-> p(Y)) }
after init { q(X) := true }
action change(x:t) = { q(x) := *; a := *; b := * }
action look = { require a = b & q(a); assert q(b) }
export change
export look
";
    assert!(is_proved(text, 1));
    assert!(!is_proved(text, 0));
    assert!(!is_proved(&text.replace("X = Y -> (p(X) <-> p(Y))", "X = Y & p(X) & p(Y) -> p(Y)"), 1));
    // Equations are matched both ways round.
    let one_way = text.replace("X = Y -> (p(X) <-> p(Y))", "X = Y & p(X) -> p(Y)");
    assert!(is_proved(&one_way, 1));
    assert!(is_proved(&one_way.replace("a = b & q(a); assert q(b)", "a = b & q(b); assert q(a)"), 1));
    // What is not valid is assumed of symbols that do not change, and of no others.
    let broken = text.replace("X = Y -> (p(X) <-> p(Y))", "p(X) <-> p(Y)").replace("a = b & q(a)", "q(a)");
    assert!(!is_proved(&broken, 1));
}

#[test]
fn a_trigger_says_where_an_axiom_counts() {
    let text = "\
#lang ivy1.7
type t
type u
function f(X:t) : u
function next(X:t) : t
relation p(U:u)
relation s(X:t)
schema injective = { function h(X:t) : u  property h(X) = h(Y) -> X = Y  trigger h(X), h(Y) }
after init { p(U) := false; s(X) := false }
action put(x:t) = { p(f(next(x))) := true; s(next(x)) := true }
export put
invariant p(f(X)) -> s(X)
proof let U = f(X)
";
    assert!(is_proved(text, 1));
    assert!(!is_proved(&text.replace("  trigger h(X), h(Y)", ""), 1));
    assert!(!is_proved(text, 0));
}

/// Answers for all claims of a model.
fn answers(text: &str) -> Vec<Outcome> {
    answers_with(text, GENERATIONS)
}

fn answers_with(text: &str, generations: usize) -> Vec<Outcome> {
    let model = load(text);
    let mut sources = Sources::new();
    let file = sources.push(Source::new("model.ivy".to_owned(), text.to_owned()));
    let includes = Language::Ivy.format().gather(file, &mut sources, &mut |_, path| Err(path.to_owned()));
    let (plain, _) = ramsey::lang::load(Language::Ivy, file, &sources, &includes);
    let plain = Arc::new(plain.expect("a model"));
    let mut budget = Budget::unlimited();
    let claims = Claims::new(plain, model.system, &model.goals, &model.instances, &mut budget);
    let options = Answering { max_nodes: 1_000_000, generations, seed: 0, replay: 10_000_000, lemmas: false };
    claims
        .properties()
        .into_iter()
        .map(|property| claims.answer(property, &options, &mut budget).outcome)
        .collect()
}

#[test]
fn claims_are_proved_together() {
    for outcome in answers(SERVICE) {
        assert!(matches!(outcome, Outcome::Safe { .. }), "{outcome:?}");
    }
}

#[test]
fn violations_are_replayed() {
    let found = answers(&SERVICE.replace(" & forall M. ph(M) ~= busy", ""));
    let is_real = |outcome: &Outcome| match outcome {
        Outcome::Violated(execution) => matches!(execution.replay, Replay::Real(_)),
        _ => false,
    };
    assert!(found.iter().any(is_real), "{found:?}");
    // Without a prophecy variable the abstraction knows too little of the third node.
    let lossy = "\
#lang ivy1.7
type node
relation r(N:node)
var a : node
var b : node
after init { r(N) := true }
action move = { a := b }
action drop(n:node) = { require n ~= a & n ~= b; r(n) := false }
export move
export drop
invariant r(a)
";
    let found = answers(lossy);
    let is_spurious = |outcome: &Outcome| match outcome {
        Outcome::Violated(execution) => !matches!(execution.replay, Replay::Real(_)),
        _ => false,
    };
    assert!(found.iter().all(is_spurious), "{found:?}");
    let helped =
        lossy.replace("invariant r(a)", "invariant r(a)\nproof let A = a\ninvariant r(b)\nproof let B = b");
    for outcome in answers(&helped) {
        assert!(matches!(outcome, Outcome::Safe { .. }), "{outcome:?}");
    }
}

#[test]
fn an_order_counts_as_far_as_the_axioms_make_it_one() {
    let partial = "axiom X:num < Y & Y < Z -> X < Z\naxiom ~(X:num < X)\n";
    let text = SERVICE.replace("instantiate total_order_schemata(num)\n", partial);
    let model = load(&text);
    assert!(Theory::new(&model.system, &mut Budget::unlimited()).orders.is_empty());
    assert!(answers(&text).iter().any(|it| !matches!(it, Outcome::Safe { .. })));
    let model = load(SERVICE);
    let theory = Theory::new(&model.system, &mut Budget::unlimited());
    assert_eq!(theory.orders.len(), 1);
    assert!(theory.orders.values().all(|order| order.is_strict && order.least.is_some()));
    assert_eq!(theory.enumerations.values().map(Vec::len).collect::<Vec<_>>(), [3]);
}

#[test]
fn proofs_name_terms_once() {
    let first = "invariant [high] mark(N, K) -> K <= count(N)";
    for (proof, error) in [
        ("proof let N = holder", "occurs before it has a value"),
        ("proof let A = count(B), B = holder", "occurs before it has a value"),
        ("proof let A = A", "occurs before it has a value"),
        ("proof let A = holder, A = best", "occurs before it has a value"),
        ("proof let holder = best", "a prophecy variable is a variable"),
        ("proof let A = ph(holder) & true", "stands for a term"),
        ("proof let A < top", "stands for a term"),
        ("proof if top < top let A = top", "expected"),
        ("proof { let A = holder assume A }", "expected"),
    ] {
        let text = SERVICE.replace(first, &format!("{first}\n{proof}"));
        let (found, diagnostics) = try_load(&text);
        assert!(found.is_none(), "{proof}");
        assert!(diagnostics.iter().any(|it| it.message.contains(error)), "{proof}: {diagnostics:?}");
    }
}

/// A model whose claim needs its prophecy variable.
const WALK: &str = "\
sort node
sort item
mutable relation r(node)
mutable constant a: node
mutable constant b: node
mutable function of(item): node
init forall N. r(N)
transition move(i: item)
  modifies a
  of(i) != a & a' = b
transition drop(n: node)
  modifies r
  n != a & n != b & (forall N. r'(N) <-> r(N) & N != n)
invariant [claim] forall N: node, I: item. N = a & of(I) = b -> r(N)
";

#[test]
fn proofs_name_terms_once_in_all_languages() {
    let of_assertion = |proof: &str| {
        format!(
            "sort node sort item relation r: node variable a: node function of: item -> node\n\
             while * {{ action move(n: node) {{ local m: node; a := n;\n\
             assert forall N: node, I: item. N = a & of(I) = m -> r(N)\n{proof} a := m }} }}\nconjecture r(a)"
        )
    };
    let cases = [
        ("proof let H = of(I), K = a", ""),
        ("proof let h: node = of(I), K: item = I", ""),
        ("proof if N = a { let H = N } else if r(N) { let H = a let K = I } else { }", ""),
        ("proof { let H = a if r(H) { let K: node = H } else { let K = N } }", ""),
        ("proof let N = a", "occurs before it has a value"),
        ("proof let H = K, K = a", "occurs before it has a value"),
        ("proof let H = H", "occurs before it has a value"),
        ("proof let H = a, H = N", "occurs before it has a value"),
        ("proof if r(H) { let H = a }", "occurs before it has a value"),
        ("proof let H = r(N) & r(a)", "stands for a term"),
        ("proof let H = a = N", "stands for a term"),
        ("proof let H = forall X: node. r(X)", "stands for a term"),
        ("proof let H: item = a", "expected sort `item`, found `node`"),
        ("proof if r(a) { let H: item = I } else { let H: node = a }", "has two sorts"),
        ("proof let H = c", "`c` is not declared"),
        ("proof let H: nod = a", "`nod` is not declared"),
        ("proof let H", "expected `=`"),
        ("proof if r(a) let H = a", "expected `{`"),
        ("proof { let H = a assume r(H) }", "expected"),
    ];
    for (proof, error) in cases {
        let claim = format!("{WALK}{proof}\n");
        for (language, text) in [(Language::Pyv, claim), (Language::Rml, of_assertion(proof))] {
            let (found, diagnostics) = try_load_in(language, &text);
            assert_eq!(found.is_some(), error.is_empty(), "{proof}: {diagnostics:?}");
            let is_told = diagnostics.iter().any(|it| it.message.contains(error));
            assert!(is_told || error.is_empty(), "{proof}: {diagnostics:?}");
        }
    }
    assert!(try_load_in(Language::Pyv, &format!("{WALK}proof let b = a")).0.is_none());
    for word in ["init", "axiom"] {
        let text =
            WALK.replace("init forall N. r(N)", &format!("{word} forall N: node. N = N proof let H = N"));
        assert!(try_load_in(Language::Pyv, &text).0.is_none(), "{word}");
    }
}

/// The goal of a claim is equivalent to it, whatever its proof says.
#[test]
fn goals_are_equivalent_to_their_claims() {
    for proof in [
        "proof let H = of(I), K = a, L = b",
        "proof if N = a { let H = N } else if r(N) { let H = a let K = I } else { }",
        "proof { let H = a if r(H) { let K: node = H } else { let K = N } let L = of(I) }",
    ] {
        let text = format!("{WALK}{proof}\ninvariant r(b) proof let H = b");
        let model = try_load_in(Language::Pyv, &text).0.expect("a model");
        let system = &model.system;
        assert_eq!((system.invariants.len(), model.goals.len()), (2, 2));
        let (mut holds, mut fails) = (0, 0);
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut structure = Structure::new(&system.sig, 1);
            for sort in system.sig.uninterpreted_sorts() {
                structure.sizes[sort] = 1 + rng.below(3) as u32;
            }
            for (sym, symbol) in system.sig.symbols.iter_enumerated() {
                let sizes: Vec<u32> = symbol.args.iter().map(|&sort| structure.sizes[sort]).collect();
                let values = structure.sizes[symbol.result] as usize;
                let interpretation = structure.interpretation_mut(&system.sig, sym, 0);
                for tuple in tuples(&sizes) {
                    interpretation.set(&tuple, rng.below(values) as Elem);
                }
            }
            let evaluate = |formula| Evaluator::new(system.syntax(), &structure).holds(formula);
            for (index, invariant) in system.invariants.iter().enumerate() {
                let expected = evaluate(invariant.formula);
                assert_eq!(evaluate(model.goals[&index]), expected, "{proof}, seed {seed}");
                if expected { holds += 1 } else { fails += 1 }
            }
        }
        assert!(holds > 20 && fails > 20);
    }
}
