//! Eager abstraction: verdicts of small models.

mod following;

use std::sync::Arc;

use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::base::rng::Rng;
use ramsey::base::span::{Source, Sources};
use ramsey::diag::{Diagnostic, Severity};
use ramsey::eager::{Abstraction, Claim, Fact, GENERATIONS, Input, Options, Order, Place, Scope, Theory};
use ramsey::lang::prophecy::{Prophecies, prophecies};
use ramsey::lang::{Language, Unread, parse_within};
use ramsey::logic::{Elem, Evaluator, Node, SortId, Structure, SymbolKind, TermId};
use ramsey::query::mc::{Claims, Options as Answering, Outcome, Replay};
use ramsey::query::simulate::Simulator;
use ramsey::query::verify::Limits;
use ramsey::system::{Site, System};

use crate::common::models::{INVERSE, LOSSY};

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
action drop(n:node) = {
    mark(n, K) := mark(n, K) & exists M. M ~= n & count(M) < K
}
export ask
export enter
export leave
export bump
export drop
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
    let includes = language.format().gather(file, &mut sources, &mut |_, path| Err(Unread::missing(path)));
    let budget = &mut Budget::unlimited();
    let (trees, mut found) = parse_within(language, file, &sources, &includes, budget).expect("no limit");
    let (prophecies, more) = prophecies(&trees, &sources, &includes, budget).expect("no limit");
    // Goals are those of trees without errors.
    let is_parsed = !found.iter().any(|it| it.severity == Severity::Error);
    found.extend(more);
    (prophecies.filter(|_| is_parsed), found)
}

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

/// Returns all tuples below these sizes.
fn tuples(sizes: &[u32]) -> Vec<Vec<Elem>> {
    sizes.iter().fold(vec![Vec::new()], |tuples, &size| {
        let longer = tuples.iter().flat_map(|tuple: &Vec<Elem>| {
            (0..size).map(|value| tuple.iter().copied().chain([value]).collect::<Vec<Elem>>())
        });
        longer.collect()
    })
}

/// Answers for all claims of a model.
fn answers(text: &str) -> Vec<Outcome> {
    answers_with(text, GENERATIONS)
}

fn answers_with(text: &str, generations: usize) -> Vec<Outcome> {
    let model = load(text);
    let mut sources = Sources::new();
    let file = sources.push(Source::new("model.ivy".to_owned(), text.to_owned()));
    let includes =
        Language::Ivy.format().gather(file, &mut sources, &mut |_, path| Err(Unread::missing(path)));
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
    let found = answers(LOSSY);
    let is_spurious = |outcome: &Outcome| match outcome {
        Outcome::Violated(execution) => !matches!(execution.replay, Replay::Real(_)),
        _ => false,
    };
    assert!(found.iter().all(is_spurious), "{found:?}");
    let helped =
        LOSSY.replace("invariant r(a)", "invariant r(a)\nproof let A = a\ninvariant r(b)\nproof let B = b");
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
        ("proof let A < top", "expected `=`"),
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
