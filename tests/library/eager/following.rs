//! Every execution of a model is one of the circuit, fact by fact.

use super::*;

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
        let inputs: Vec<bool> = abstraction.inputs.iter().map(|&input| moment.input(input)).collect();
        let values = circuit.values(&state, &inputs);
        let is_bad = circuit.bad()[0].of(&values);
        let single = all.state(&system.sig, step);
        let is_violated = claims.iter().any(|claim| {
            claim.place == Place::State && !Evaluator::new(system.syntax(), &single).holds(claim.formula)
        });
        if !is_violated || is_bad {
            for constraint in circuit.constraints() {
                assert!(constraint.of(&values), "step {step}: a constraint is false");
            }
        }
        if is_violated || is_bad {
            return is_bad;
        }
        before = Some(circuit.next(&values));
    }
    false
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
    let (steps, told) = follow_all(SERVICE, 20);
    assert!(steps > 100 && told == 0, "{steps} steps, {told} violations");
    let broken = SERVICE.replace(" & forall M. ph(M) ~= busy", "");
    let (steps, told) = follow_all(&broken, 40);
    assert!(steps > 100 && told > 0, "{steps} steps, {told} violations");
}

/// A total order that is reflexive, derived relations, values that a transition leaves open, and initial conditions
/// that are no definitions. Of the colors no term has a name but a parameter, so that instances tell little of quantifiers.
const RELATIONS: &str = "\
#lang ivy1.6
include order
type node
relation le(X:node, Y:node)
axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)
relation r(N:node)
relation has(N:node, M:node)
relation some_r
definition some_r = exists N. r(N)
var low : node
type color
relation painted(C:color)
individual full : bool
function next(N:node) : node
init le(low, N) & (r(N) -> N = low) & ~painted(C) & ~full
action move(n:node) = {
    assume r(n) | ~some_r;
    r(N) := N = next(n);
    has(n, next(n)) := *;
    low := next(low) if le(next(low), n) else low
}
action link(n:node, m:node) = {
    assume le(n, m) & n ~= m;
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
conjecture r(N) & r(M) -> N = M
conjecture has(N, M) -> le(low, N)
conjecture full -> le(low, low)
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
    function back(X:key) : a
    property back(to(X)) = X
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
