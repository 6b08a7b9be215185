//! `ramsey::infer` by formulas with a quantifier alternation: what is found, verified by the plain obligations.

use std::sync::Arc;

use ramsey::base::budget::Budget;
use ramsey::base::ids::Id as _;
use ramsey::infer::{Answer, Counts, Event, Inference, Lemma, Method, Observer, Options, Reason, infer};
use ramsey::logic::{Evaluator, Syntax};
use ramsey::system::System;

use crate::lemmas::{is_inductive, system, with_lemmas};

/// Nodes vote for values, and a quorum of votes elects one: a quorum exists for each elected value.
const ELECTION: &str = "\
sort node
sort group
sort value
immutable relation belongs(node, group)
axiom forall G, H. exists N. belongs(N, G) & belongs(N, H)
mutable relation ballot(node, value)
mutable relation has_voted(node)
mutable relation elected(value)
init !ballot(N, V)
init !has_voted(N)
init !elected(V)
transition vote(n: node, v: value)
  modifies ballot, has_voted
  & !has_voted(n)
  & (ballot'(N, V) <-> ballot(N, V) | N = n & V = v)
  & (has_voted'(N) <-> has_voted(N) | N = n)
transition elect(g: group, v: value)
  modifies elected
  & (forall N. belongs(N, g) -> ballot(N, v))
  & (elected'(V) <-> elected(V) | V = v)
safety elected(V) & elected(W) -> V = W
";

/// Copies of cells in caches: somebody has the latest value of each cell, or the memory has it. Values depend on caches and on
/// cells, and caches on cells.
const COPIES: &str = "\
sort cache
sort cell
sort value
mutable relation dirty(cache, cell)
mutable relation valid(cache, cell)
mutable function copy(cache, cell): value
mutable function memory(cell): value
mutable function latest(cell): value
init !dirty(C, X)
init !valid(C, X)
init memory(X) = latest(X)
transition read(c: cache, x: cell)
  modifies valid, copy
  & (forall C. !dirty(C, x))
  & (valid'(C, X) <-> valid(C, X) | C = c & X = x)
  & copy'(C, X) = (if C = c & X = x then memory(x) else copy(C, X))
transition write(c: cache, x: cell, v: value)
  modifies valid, dirty, copy, latest
  & (dirty'(C, X) <-> dirty(C, X) & X != x | C = c & X = x)
  & (valid'(C, X) <-> valid(C, X) & X != x)
  & copy'(C, X) = (if C = c & X = x then v else copy(C, X))
  & latest'(X) = (if X = x then v else latest(X))
transition flush(c: cache, x: cell)
  modifies dirty, memory
  & dirty(c, x)
  & (dirty'(C, X) <-> dirty(C, X) & !(C = c & X = x))
  & memory'(X) = (if X = x then copy(c, x) else memory(X))
safety valid(C, X) -> copy(C, X) = latest(X)
";

/// Each answer was caused by a question that was asked; answers are stored before they are given.
const ANSWERS: &str = "\
sort client
sort question
sort answer
immutable relation fits(question, answer)
mutable relation asked(client, question)
mutable relation stored(client, answer)
mutable relation answered(client, answer)
init !asked(C, Q)
init !stored(C, A)
init !answered(C, A)
transition ask(c: client, q: question)
  modifies asked
  & (asked'(C, Q) <-> asked(C, Q) | C = c & Q = q)
transition reply(c: client, q: question, a: answer)
  modifies stored
  & asked(c, q) & fits(q, a)
  & (stored'(C, A) <-> stored(C, A) | C = c & A = a)
transition give(c: client, a: answer)
  modifies answered
  & stored(c, a)
  & (answered'(C, A) <-> answered(C, A) | C = c & A = a)
safety answered(C, A) -> exists Q. fits(Q, A) & asked(C, Q)
";

/// Each item is in a box or on the way to one: two kinds of witnesses.
const ITEMS: &str = "\
sort item
sort box
mutable relation inside(box, item)
mutable relation sent(box, item)
init exists B. inside(B, I)
init !sent(B, I)
transition send(i: item, b: box, c: box)
  modifies inside, sent
  & inside(b, i)
  & (inside'(B, I) <-> inside(B, I) & !(B = b & I = i))
  & (sent'(B, I) <-> sent(B, I) | B = c & I = i)
transition arrive(i: item, b: box)
  modifies inside, sent
  & sent(b, i)
  & (sent'(B, I) <-> sent(B, I) & !(B = b & I = i))
  & (inside'(B, I) <-> inside(B, I) | B = b & I = i)
safety (exists B, I. sent(B, I)) | (forall I. exists B. inside(B, I))
";

/// A token goes down from the greatest node and back, past nodes at rest, and gathers whether one of them was black: has woken another
/// node. Nobody is active once it has found none.
const TERMINATION: &str = "\
sort node
immutable relation le(node, node)
axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)
immutable constant top: node
immutable constant zero: node
axiom le(N, top) & le(zero, N)
mutable relation active(node)
mutable relation black(node)
mutable relation token(node)
mutable relation tainted
mutable relation ended
init token(N) <-> N = top
init tainted
init !ended
transition wake(n: node, m: node)
  modifies active, black
  & active(n)
  & (active'(N) <-> active(N) | N = m)
  & (black'(N) <-> black(N) | N = n)
transition rest(n: node)
  modifies active
  & (active'(N) <-> active(N) & N != n)
transition pass(n: node, m: node)
  modifies token, tainted, black
  & token(n) & !active(n) & !le(n, m) & (forall K. le(n, K) | le(K, m))
  & (token'(N) <-> N = m)
  & (tainted' <-> tainted | black(n))
  & (black'(N) <-> black(N) & N != n)
transition again()
  modifies token, tainted, black
  & token(zero) & !active(zero) & (black(zero) | tainted)
  & (token'(N) <-> N = top)
  & !tainted'
  & (black'(N) <-> black(N) & N != zero)
transition end()
  modifies ended
  & token(zero) & !active(zero) & !black(zero) & !tainted
  & ended'
safety ended -> !active(N)
";

/// Nodes ask, and requests are carried upwards: the greatest node is served as soon as a request of its own reaches it. A lemma
/// is about this node, of which an axiom says that it exists.
pub(crate) const UPWARDS: &str = "\
sort node
immutable relation le(node, node)
axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)
axiom exists N. forall M. le(M, N)
mutable relation asked(node)
mutable relation carried(node, node)
mutable relation served(node)
init !asked(N)
init !carried(I, M)
init !served(N)
transition ask(n: node, m: node)
  modifies asked, carried
  & (asked'(N) <-> asked(N) | N = n)
  & (carried'(I, M) <-> carried(I, M) | I = n & M = m)
transition pass(o: node, n: node, m: node)
  modifies carried
  & carried(o, n) & le(n, o)
  & (carried'(I, M) <-> carried(I, M) & !(I = o & M = n) | I = o & M = m)
transition refuse(o: node, n: node)
  modifies carried
  & carried(o, n) & !le(n, o)
  & (carried'(I, M) <-> carried(I, M) & !(I = o & M = n))
transition serve(o: node)
  modifies carried, served
  & carried(o, o)
  & (served'(N) <-> served(N) | N = o)
  & (carried'(I, M) <-> carried(I, M) & !(I = o & M = o))
safety (exists N. !asked(N)) | (exists N. served(N)) | (exists I, M. carried(I, M))
";

/// The same with numbers of nodes, which requests carry.
pub(crate) fn numbered() -> String {
    let numbered = UPWARDS
        .replace("sort node\n", "sort node\nsort number\nimmutable function no(node): number\n")
        .replace("relation le(node, node)", "relation le(number, number)")
        .replace("le(M, N)", "le(no(M), no(N))")
        .replace("relation carried(node, node)", "relation carried(number, node)")
        .replace("I = n & M = m", "I = no(n) & M = m")
        .replace("pass(o: node,", "pass(o: number,")
        .replace("refuse(o: node,", "refuse(o: number,")
        .replace("le(n, o)", "le(no(n), o)")
        .replace("carried(o, o)", "carried(no(o), o)")
        .replace("I = o & M = o", "I = no(o) & M = o");
    assert!(numbered.contains("carried(no(o), o)"), "{numbered}");
    numbered
}

/// What is announced was decided: in some round, by all nodes of some group.
const DECISIONS: &str = "\
sort round
sort node
sort group
sort value
immutable relation belongs(node, group)
axiom forall G. exists N. belongs(N, G)
mutable relation accepted(node, round, value)
mutable relation decided(value)
mutable relation announced(value)
init !accepted(N, R, V)
init !decided(V)
init !announced(V)
transition accept(n: node, r: round, v: value)
  modifies accepted
  & (accepted'(N, R, V) <-> accepted(N, R, V) | N = n & R = r & V = v)
transition decide(v: value)
  modifies decided
  & (exists R, G. forall N. belongs(N, G) -> accepted(N, R, v))
  & (decided'(V) <-> decided(V) | V = v)
transition announce(v: value)
  modifies announced
  & decided(v)
  & (announced'(V) <-> announced(V) | V = v)
safety announced(V) -> exists R, G. forall N. belongs(N, G) -> accepted(N, R, V)
";

/// A token goes from node to node, and a property speaks of no two of them.
const TOKEN: &str = "\
sort node
mutable relation holds(node)
mutable relation failed()
init exists N. forall M. holds(M) <-> M = N
init !failed
transition pass(n: node, m: node)
  modifies holds
  & holds(n)
  & (holds'(N) <-> N != n & holds(N) | N = m)
transition fail(a: node, b: node, c: node)
  modifies failed
  & holds(a) & holds(b) & holds(c) & a != b & b != c & a != c
  & failed'
safety !failed
";

/// Fast votes decide if a fast quorum agrees. Else a value is proposed that, as reports say, no other one can have been decided
/// against; but some nodes report what they like.
const LIARS: &str = "\
sort node
sort fquorum
sort cquorum
sort value
immutable relation byz(node)
immutable relation fmember(node, fquorum)
immutable relation cmember(node, cquorum)
axiom forall C1: cquorum, C2: cquorum. exists N. cmember(N, C1) & cmember(N, C2) & !byz(N)
axiom forall F1: fquorum, F2: fquorum, C: cquorum. exists N. fmember(N, F1) & fmember(N, F2) & cmember(N, C) & !byz(N)
mutable relation fast_vote(node, value)
mutable relation report(node, value)
mutable relation closed(node)
mutable relation proposed(value)
mutable relation classic_vote(node, value)
mutable relation decided(value)
init !fast_vote(N, V)
init !report(N, V)
init !closed(N)
init !proposed(V)
init !classic_vote(N, V)
init !decided(V)
transition vote_fast(n: node, v: value)
  modifies fast_vote
  & !closed(n) & (forall V. !fast_vote(n, V))
  & (forall N, V. new(fast_vote(N, V)) <-> fast_vote(N, V) | N = n & V = v)
transition close(n: node)
  modifies closed, report
  & (forall N. new(closed(N)) <-> closed(N) | N = n)
  & (forall N, V. new(report(N, V)) <-> report(N, V) | N = n & fast_vote(n, V))
transition propose(v: value, c: cquorum)
  modifies proposed
  & (forall V. !proposed(V))
  & (forall N. cmember(N, c) -> closed(N))
  & (forall W: value, F: fquorum. W != v -> exists N. cmember(N, c) & fmember(N, F) & !report(N, W))
  & (forall V. new(proposed(V)) <-> proposed(V) | V = v)
transition vote_classic(n: node, v: value)
  modifies classic_vote
  & closed(n) & proposed(v)
  & (forall N, V. new(classic_vote(N, V)) <-> classic_vote(N, V) | N = n & V = v)
transition decide_fast(v: value)
  modifies decided
  & (exists F: fquorum. forall N. fmember(N, F) -> fast_vote(N, v))
  & (forall V. new(decided(V)) <-> decided(V) | V = v)
transition decide_classic(v: value)
  modifies decided
  & (exists C: cquorum. forall N. cmember(N, C) -> classic_vote(N, v))
  & (forall V. new(decided(V)) <-> decided(V) | V = v)
transition lie(n: node)
  modifies fast_vote, report, closed, classic_vote
  & byz(n)
  & (forall N, V. N != n -> (new(fast_vote(N, V)) <-> fast_vote(N, V)))
  & (forall N, V. N != n -> (new(report(N, V)) <-> report(N, V)))
  & (forall N. N != n -> (new(closed(N)) <-> closed(N)))
  & (forall N, V. N != n -> (new(classic_vote(N, V)) <-> classic_vote(N, V)))
safety decided(V) & decided(W) -> V = W
";

/// What is sent late comes after a marker on the same way, so that what has been taken before a marker was sent early.
const MARKERS: &str = "\
sort letter
sort place
immutable relation le(letter, letter)
axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)
immutable function origin(letter): place
immutable function goal(letter): place
mutable relation sent(letter)
mutable relation marker(letter)
mutable relation early(letter)
mutable relation closed(place)
mutable relation noted(place)
mutable relation taken(letter)
init !sent(L) & !marker(L) & !early(L) & !taken(L)
init !closed(K) & !noted(K)
transition send(m: letter)
  modifies sent, early
  & !sent(m) & !marker(m)
  & (closed(origin(m)) -> exists L. marker(L) & origin(L) = origin(m) & goal(L) = goal(m))
  & (forall L. origin(L) = origin(m) & goal(L) = goal(m) & (sent(L) | marker(L)) -> le(L, m))
  & (sent'(L) <-> sent(L) | L = m)
  & (early'(L) <-> early(L) | L = m & !closed(origin(m)))
transition close(k: place)
  modifies closed
  & (closed'(K) <-> closed(K) | K = k)
transition mark(m: letter)
  modifies marker
  & closed(origin(m)) & !sent(m) & !marker(m)
  & (forall L. origin(L) = origin(m) & goal(L) = goal(m) & (sent(L) | marker(L)) -> le(L, m))
  & (marker'(L) <-> marker(L) | L = m)
transition note(k: place)
  modifies noted
  & (noted'(K) <-> noted(K) | K = k)
transition take(m: letter)
  modifies taken
  & sent(m)
  & (forall L. origin(L) = origin(m) & goal(L) = goal(m) & marker(L) & le(L, m) -> noted(goal(m)))
  & (taken'(L) <-> taken(L) | L = m & !noted(goal(m)))
safety taken(L) -> early(L)
";

#[derive(Default)]
struct Quiet;

impl Observer for Quiet {
    fn event(&mut self, _: Syntax<'_>, _: &Event, _: &Counts) {}
}

fn run(system: &Arc<System>, method: Method, seed: u64) -> Inference {
    let options = Options { method, seed, ..Options::default() };
    infer(system, &options, &mut Budget::unlimited(), &mut Quiet)
}

/// Checks whether the lemmas that were found are inductive with the properties, without the one that is left out.
fn is_proof(inference: &Inference, left_out: Option<usize>) -> bool {
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    let kept = lemmas.iter().enumerate().filter(|(at, _)| Some(*at) != left_out);
    let kept: Vec<Lemma> = kept.map(|(_, lemma)| lemma.clone()).collect();
    is_inductive(with_lemmas(inference, &kept, true))
}

#[test]
fn invariants_with_witnesses_are_found_and_no_lemma_is_redundant() {
    for (name, text) in [("election", ELECTION), ("answers", ANSWERS), ("items", ITEMS)] {
        let (system, _) = system("model.pyv", text);
        for seed in 0..5 {
            let inference = run(&system, Method::EXISTS, seed);
            let Answer::Invariant(lemmas) = &inference.answer else {
                panic!("{name}, seed {seed}: {:?}", inference.answer)
            };
            assert!(!lemmas.is_empty(), "{name}, seed {seed}: safety alone is not inductive");
            assert!(is_proof(&inference, None), "{name}, seed {seed}");
            for at in 0..lemmas.len() {
                assert!(!is_proof(&inference, Some(at)), "{name}, seed {seed}: lemma {at}");
            }
            assert_eq!(run(&system, Method::EXISTS, seed).counts, inference.counts, "{name}, seed {seed}");
        }
    }
}

#[test]
fn without_a_universal_invariant_one_with_witnesses_is_tried() {
    for (name, text) in [("election", ELECTION), ("answers", ANSWERS), ("items", ITEMS)] {
        let (system, _) = system("model.pyv", text);
        let universal = run(&system, Method::SEPARATION, 0);
        assert!(matches!(universal.answer, Answer::NoUniversal(_)), "{name}: {:?}", universal.answer);
        let inference = run(&system, Method::AUTO, 0);
        assert_eq!(inference.method, Method::EXISTS, "{name}");
        assert!(is_proof(&inference, None), "{name}");
    }
}

/// A lemma about what an axiom says exists is told with quantifiers, and verified so. Where each number is one of a node as well,
/// relations stand for the function, whose values for nodes that steps mention exist.
#[test]
fn lemmas_are_about_what_axioms_say_exists() {
    let onto =
        numbered().replace("mutable relation asked", "axiom exists N. no(N) = I\nmutable relation asked");
    for (name, text) in [("nodes", UPWARDS.to_owned()), ("numbers", numbered()), ("onto", onto)] {
        let (system, _) = system("model.pyv", &text);
        for method in [Method::EXISTS, Method::AUTO] {
            let inference = run(&system, method, 0);
            assert!(is_proof(&inference, None), "{name}, {method:?}");
            let Answer::Invariant(lemmas) = &inference.answer else { panic!("{name}") };
            assert!(!is_proof(&inference, Some(0)), "{name}: safety alone is not inductive");
            assert_eq!(inference.system.sig, system.sig, "{name}: there are no further symbols");
            let le = system.sig.symbols.ids().find(|&sym| system.sig.symbols[sym].name == "le");
            let is_about_order = |lemma: &Lemma| {
                inference.system.terms.symbols(lemma.formula).contains(&le.expect("it is declared"))
            };
            assert!(lemmas.iter().any(is_about_order), "{name}, {method:?}");
        }
    }
}

/// Nothing of a constant for what an axiom says exists is in an execution, or in what is open.
#[test]
fn constants_of_searches_are_in_no_answer() {
    // Requests get lost.
    let broken = UPWARDS.replace("carried(o, n) & !le(n, o)", "carried(o, n)");
    let (system, _) = system("model.pyv", &broken);
    let inference = run(&system, Method::AUTO, 0);
    let Answer::Unsafe(property, found) = &inference.answer else { panic!("{:?}", inference.answer) };
    let last = found.structure.state(&system.sig, found.calls.len());
    assert!(!Evaluator::new(system.syntax(), &last).holds(property.formula(&system)));
    // Beside it, the same without a greatest element, of which nothing is found.
    let mut both = UPWARDS.replace("axiom exists N. forall M. le(M, N)\n", "");
    for (name, other) in [
        ("node", "thing"),
        ("le(", "above("),
        ("asked", "wanted"),
        ("carried", "moved"),
        ("served", "given"),
        ("transition ", "transition other_"),
    ] {
        both = both.replace(name, other);
    }
    let (system, _) = crate::lemmas::system("model.pyv", &format!("{UPWARDS}{both}"));
    let le = system.sig.symbols.ids().find(|&sym| system.sig.symbols[sym].name == "le").expect("declared");
    let (mut formulas, mut about_order) = (0, 0);
    for work in [100_000, 1_000_000, 5_000_000] {
        let options = Options { method: Method::EXISTS, ..Options::default() };
        let inference = infer(&system, &options, &mut Budget::new(Some(work), None), &mut Quiet);
        assert_eq!(inference.system.sig, system.sig, "{work}");
        let Answer::Unknown { lemmas, open, .. } = &inference.answer else { continue };
        for formula in lemmas.iter().map(|it| it.formula).chain(open.iter().map(|it| it.formula)) {
            let symbols = inference.system.terms.symbols(formula);
            assert!(symbols.iter().all(|&sym| sym.index() < system.sig.symbols.len()), "{work}");
            formulas += 1;
            about_order += usize::from(symbols.contains(&le));
        }
    }
    assert!(formulas > 0 && about_order > 0, "{formulas} {about_order}");
}

/// Each method that widens its language says which one it has searched to the end, and in which one a limit ended the search.
#[test]
fn what_a_limit_ended_says_what_was_searched() {
    // Without a greatest node, no formula tells why.
    let endless = UPWARDS.replace("axiom exists N. forall M. le(M, N)\n", "");
    let mut exhausted = 0;
    for (name, text) in [("upwards", UPWARDS), ("endless", &endless), ("items", ITEMS)] {
        let (system, _) = system("model.pyv", text);
        for method in [Method::SEPARATION, Method::EXISTS, Method::AUTO] {
            for work in [1_000, 300_000, 3_000_000, 20_000_000] {
                let mut budget = Budget::new(Some(work), None);
                let options = Options { method, ..Options::default() };
                let found = infer(&system, &options, &mut budget, &mut Quiet);
                let is_open = matches!(found.answer, Answer::Unknown { .. } | Answer::NoUniversal(_));
                assert!(is_open || found.languages.is_empty(), "{name}, {method:?}, {work}");
                let is_unknown = matches!(found.answer, Answer::Unknown { reason: Reason::Exhausted(_), .. });
                assert!(!is_unknown || !found.languages.is_empty(), "{name}, {method:?}, {work}");
                for pair in found.languages.windows(2).filter(|pair| pair[1].is_exhausted) {
                    assert_ne!(pair[0].method, pair[1].method, "the one after it comes last: {pair:?}");
                }
                exhausted += found.languages.iter().filter(|it| it.is_exhausted).count();
                let prefixes = found.languages.iter().flat_map(|it| &it.prefixes);
                let sorts = prefixes.flat_map(|it| it.outer.iter().chain(&it.witnesses).chain(&it.inner));
                assert!(sorts.into_iter().all(|&sort| found.system.sig.sorts.get(sort).is_some()));
            }
        }
    }
    assert!(exhausted > 2, "{exhausted}");
}

/// Something is true of all of a sort, for a witness of another one together with a second witness.
#[test]
fn two_witnesses_may_be_of_sorts_between_which_nothing_leads() {
    let (system, _) = system("model.pyv", DECISIONS);
    for method in [Method::EXISTS, Method::AUTO] {
        let inference = run(&system, method, 0);
        assert!(is_proof(&inference, None) && !is_proof(&inference, Some(0)), "{method:?}");
    }
}

/// That a token has passed an active node implies that a node before it is black: a witness depends on elements of its own sort,
/// though nothing in the model does. There are too many formulas with all of these variables, and few about a state.
#[test]
fn witnesses_depend_on_elements_of_their_own_sort() {
    let (system, _) = system("model.pyv", TERMINATION);
    let inference = run(&system, Method::EXISTS, 0);
    assert!(is_proof(&inference, None) && !is_proof(&inference, Some(0)));
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    assert!(lemmas.iter().any(|lemma| lemma.excluded.is_none()), "{lemmas:?}");
}

/// A guard asks for a letter with the same values of two functions, of a sort that no property mentions.
#[test]
fn what_a_guard_asks_for_another_element_of_a_sort_is_a_lemma() {
    let (system, _) = system("model.pyv", MARKERS);
    let options = Options { method: Method::EXISTS, ..Options::default() };
    let inference = infer(&system, &options, &mut Budget::new(Some(200_000_000), None), &mut Quiet);
    assert!(is_proof(&inference, None) && !is_proof(&inference, Some(0)));
}

/// A clause with one variable more than the properties have excludes what nothing else does, without a larger language.
#[test]
fn clauses_have_one_variable_more_where_nothing_else_helps() {
    #[derive(Default)]
    struct Widenings(usize);
    impl Observer for Widenings {
        fn event(&mut self, _: Syntax<'_>, event: &Event, _: &Counts) {
            self.0 += usize::from(matches!(event, Event::Widened { .. }));
        }
    }
    let (system, _) = system("model.pyv", TOKEN);
    let options = Options { method: Method::EXISTS, ..Options::default() };
    let mut widenings = Widenings::default();
    let inference = infer(&system, &options, &mut Budget::unlimited(), &mut widenings);
    assert!(is_proof(&inference, None) && !is_proof(&inference, Some(0)));
    assert_eq!(widenings.0, 0);
}

/// Where a relaxed execution is found first, one of the system is found as well.
#[test]
fn executions_are_found_where_no_universal_invariant_exists() {
    let (system, _) = system("model.pyv", LIARS);
    let relaxed = run(&system, Method::SEPARATION, 0);
    assert!(matches!(relaxed.answer, Answer::NoUniversal(_)), "{:?}", relaxed.answer);
    let options = Options { method: Method::AUTO, ..Options::default() };
    let inference = infer(&system, &options, &mut Budget::new(Some(400_000_000), None), &mut Quiet);
    let Answer::Unsafe(property, found) = &inference.answer else { panic!("{:?}", inference.answer) };
    let last = found.structure.state(&system.sig, found.calls.len());
    assert!(!Evaluator::new(system.syntax(), &last).holds(property.formula(&system)));
}

#[test]
fn witnesses_of_a_sort_before_others_depend_on_those_beside_it() {
    let of_all = COPIES.replace("safety valid(C, X) ->", "safety valid(C, X) | dirty(C, X) ->");
    for (text, method) in
        [(COPIES, Method::EXISTS), (COPIES, Method::AUTO), (&of_all, Method::EXISTS), (&of_all, Method::AUTO)]
    {
        let (system, _) = system("model.pyv", text);
        let options = Options { method, ..Options::default() };
        let inference = infer(&system, &options, &mut Budget::new(Some(400_000_000), None), &mut Quiet);
        assert!(is_proof(&inference, None), "{:?}", inference.answer);
    }
}

#[test]
fn violations_are_executions_of_the_system() {
    // Groups need not have a node in common.
    let broken = ELECTION.replace("axiom forall G, H. exists N. belongs(N, G) & belongs(N, H)\n", "");
    let (system, _) = system("model.pyv", &broken);
    for seed in 0..3 {
        let inference = run(&system, Method::EXISTS, seed);
        let Answer::Unsafe(property, found) = &inference.answer else { panic!("{:?}", inference.answer) };
        let last = found.structure.state(&system.sig, found.calls.len());
        assert!(!Evaluator::new(system.syntax(), &last).holds(property.formula(&system)));
    }
}

#[test]
fn a_budget_ends_the_search() {
    let (system, _) = system("model.pyv", ELECTION);
    let options = Options {
        method: Method::EXISTS,
        candidates: Vec::new(),
        template: None,
        prefixes: Vec::new(),
        until_stopped: false,
        seed: 0,
        clock: None,
    };
    for work in [0, 100, 1_000, 10_000] {
        let inference = infer(&system, &options, &mut Budget::new(Some(work), None), &mut Quiet);
        match &inference.answer {
            Answer::Unknown { .. } => {}
            Answer::Invariant(_) => assert!(is_proof(&inference, None)),
            other => panic!("{other:?}"),
        }
    }
}
