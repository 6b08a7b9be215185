//! What transitions suggest: which formulas `infer` begins with, and that only those are kept that are inductive.

use ramsey::base::budget::Budget;
use ramsey::formulas::Pretty;
use ramsey::infer::{Answer, Counts, Event, Inference, Method, Observer, Options, infer};
use ramsey::logic::Syntax;

use crate::lemmas::{is_inductive, system, with_lemmas};

/// Nodes vote in rounds, always for the same value; a quorum of votes in a round decides it at some node.
const DECISIONS: &str = "\
sort node
sort quorum
sort round
sort value
immutable relation faulty(node)
immutable relation member(node, quorum)
axiom forall A, B. exists N. member(N, A) & member(N, B)
mutable relation announced(round)
mutable relation vote(node, round, value)
mutable relation decided(node, value)
mutable relation awake(node)
init !announced(R)
init !vote(N, R, V)
init !decided(N, V)
init awake(N)
transition announce(r: round)
  modifies announced
  & (announced'(R) <-> announced(R) | R = r)
transition cast(n: node, r: round, v: value)
  modifies vote
  & awake(n) & announced(r) & (forall R, V. vote(n, R, V) -> V = v)
  & (vote'(N, R, V) <-> vote(N, R, V) | N = n & R = r & V = v)
transition decide(n: node, q: quorum, r: round, v: value)
  modifies decided
  & awake(n) & (forall N. member(N, q) -> vote(N, r, v))
  & (decided'(N, V) <-> decided(N, V) | N = n & V = v)
transition sleep(n: node)
  modifies awake
  & faulty(n)
  & (awake'(N) <-> awake(N) & N != n)
safety decided(N, V) & decided(M, W) -> V = W
";

/// A transition that takes votes away, of which it says too much.
const FORGET: &str = "\
transition forget(n: node)
  modifies vote
  & (vote'(N, R, V) -> vote(N, R, V)) & (N != n -> (vote'(N, R, V) <-> vote(N, R, V)))
";

/// Notes the formulas that are proposed for no obligation, before all others.
#[derive(Default)]
struct Suggested {
    formulas: Vec<String>,
    is_over: bool,
}

impl Observer for Suggested {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, _: &Counts) {
        if let Event::Proposed { formula, goal, .. } = event {
            self.is_over |= goal.is_some();
            if !self.is_over {
                self.formulas.push(Pretty::new(syntax, *formula).to_string());
            }
        }
    }
}

/// Returns what is suggested in a model, and the answer.
fn run(text: &str, work: u64) -> (Vec<String>, Inference) {
    let (system, _) = system("model.pyv", text);
    let options = Options { method: Method::EXISTS, ..Options::default() };
    let mut suggested = Suggested::default();
    let inference = infer(&system, &options, &mut Budget::new(Some(work), None), &mut suggested);
    (suggested.formulas, inference)
}

#[test]
fn what_was_so_when_a_tuple_came_in_is_suggested_as_far_as_it_stays_so() {
    let (suggested, inference) = run(DECISIONS, 400_000_000);
    let decided =
        "decided(N, V) -> (exists Q:quorum, R:round. forall N_1:node. member(N_1, Q) -> vote(N_1, R, V))";
    assert_eq!(suggested, [format!("forall N:node, V:value. {decided}")]);
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
}

/// Votes of faulty nodes disappear, or of any.
#[test]
fn what_may_become_false_is_suggested_with_its_exceptions() {
    let of_faulty = FORGET.replace("  & (vote'", "  & faulty(n) & (vote'");
    let (suggested, _) = run(&[DECISIONS, &of_faulty].concat(), 4_000_000);
    let votes =
        "(exists Q:quorum, R:round. forall N_1:node. member(N_1, Q) -> vote(N_1, R, V) | faulty(N_1))";
    assert_eq!(suggested, [format!("forall N:node, V:value. decided(N, V) -> {votes}")]);
    let (suggested, _) = run(&[DECISIONS, FORGET].concat(), 4_000_000);
    assert_eq!(suggested, Vec::<String>::new());
}

/// Of several ways each is told, and what is so initially.
#[test]
fn tuples_that_come_in_in_several_ways_have_one_formula() {
    let several = "\
immutable constant first: round
init announced(R) <-> R = first
transition vouch(n: node, r: round)
  modifies announced
  & faulty(n)
  & (announced'(R) <-> announced(R) | R = r)
transition announce(r: round)
  modifies announced
  & (exists N, V. decided(N, V))
";
    let text = DECISIONS
        .replace("init !announced(R)\n", "")
        .replace("transition announce(r: round)\n  modifies announced\n", several);
    let (suggested, _) = run(&text, 4_000_000);
    let ways = "first = R | (exists N:node. faulty(N)) | (exists V:value, N:node. decided(N, V))";
    assert!(suggested.contains(&format!("forall R:round. announced(R) -> {ways}")), "{suggested:?}");
}

/// Learners hear of votes. That each of a quorum has been heard of would need a quorum for each learner, where there is a node for
/// two quorums; that each of it has voted says nothing of the learner.
#[test]
fn what_follows_is_suggested_where_it_stays_in_the_fragment() {
    let text = DECISIONS
        .replace(
            "init awake(N)\n",
            "init awake(N)
mutable relation heard(node, node, round, value)
init !heard(N, M, R, V)
transition hear(n: node, m: node, r: round, v: value)
  modifies heard
  & vote(m, r, v)
  & (heard'(N, M, R, V) <-> heard(N, M, R, V) | N = n & M = m & R = r & V = v)
",
        )
        .replace("member(N, q) -> vote(N, r, v)", "member(N, q) -> heard(n, N, r, v)");
    let (suggested, inference) = run(&text, 400_000_000);
    let decided =
        "decided(N, V) -> (exists Q:quorum, R:round. forall N_1:node. member(N_1, Q) -> vote(N_1, R, V))";
    let heard = "forall N1:node, N2:node, R:round, V:value. heard(N1, N2, R, V) -> vote(N2, R, V)";
    assert_eq!(suggested, [format!("forall N:node, V:value. {decided}"), heard.to_owned()]);
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
}

/// A quorum for each node, where there is a node for two quorums: questions with both would be outside of stratified EPR.
#[test]
fn what_would_leave_the_fragment_is_not_suggested() {
    let text = DECISIONS.replace(
        "init awake(N)\n",
        "init awake(N)
mutable relation told(node, node)
mutable relation informed(node)
init !told(N, M)
init !informed(N)
transition tell(n: node, m: node)
  modifies told
  & (told'(N, M) <-> told(N, M) | N = n & M = m)
transition hear(n: node, q: quorum)
  modifies informed
  & (forall N. member(N, q) -> told(N, n))
  & (informed'(N) <-> informed(N) | N = n)
",
    );
    let (suggested, _) = run(&text, 4_000_000);
    assert!(suggested.iter().any(|it| it.contains("decided(N, V) ->")), "{suggested:?}");
    assert!(!suggested.iter().any(|it| it.contains("informed")), "{suggested:?}");
}

/// A round is skipped when a quorum has left it without votes. That none of it has voted stays so since it has left: of a node that
/// may come back, it does not.
#[test]
fn what_something_else_keeps_true_is_suggested_with_it() {
    let text = DECISIONS
        .replace("  & awake(n) & announced(r)", "  & !left(n, r) & awake(n) & announced(r)")
        .replace(
            "init awake(N)\n",
            "init awake(N)
mutable relation left(node, round)
mutable relation skipped(round)
init !left(N, R)
init !skipped(R)
mutable relation missed(round)
init !missed(R)
transition miss(n: node, r: round, v: value)
  modifies missed
  & left(n, r) & !vote(n, r, v)
  & (missed'(R) <-> missed(R) | R = r)
transition leave(n: node, r: round)
  modifies left
  & (left'(N, R) <-> left(N, R) | N = n & R = r)
transition skip(r: round, q: quorum)
  modifies skipped
  & (forall N, V. member(N, q) -> left(N, r) & !vote(N, r, V))
  & (skipped'(R) <-> skipped(R) | R = r)
",
        );
    let skipped = |suggested: &[String]| -> Vec<String> {
        suggested.iter().filter(|it| it.contains("skipped(R) ->")).cloned().collect()
    };
    let (suggested, _) = run(&text, 4_000_000);
    let quorum = "(exists Q:quorum. forall N:node, V:value. member(N, Q) -> left(N, R) & !vote(N, R, V))";
    assert_eq!(skipped(&suggested), [format!("forall R:round. skipped(R) -> {quorum}")]);
    let missed = |suggested: &[String]| {
        let mut about = suggested.iter().filter(|it| it.contains("missed(R) ->"));
        about.any(|it| it.contains("left(N, R)") && it.contains("!vote(N, R, V)"))
    };
    assert!(missed(&suggested), "{suggested:?}");
    let back = "\
transition come_back(n: node, r: round)
  modifies left
  & (left'(N, R) <-> left(N, R) & !(N = n & R = r))
";
    let (suggested, _) = run(&[text.as_str(), back].concat(), 4_000_000);
    assert_eq!(skipped(&suggested), Vec::<String>::new());
    assert!(!missed(&suggested), "{suggested:?}");
}

/// Views change in two phases: nodes report what they accepted last, and accept nothing in earlier views from then on. A quorum decides.
const VIEWS: &str = "\
sort node
sort quorum
sort view
sort value
immutable relation le(view, view)
axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)
immutable relation member(node, quorum)
axiom forall A, B. exists N. member(N, A) & member(N, B)
mutable relation left(node, view)
mutable relation report(node, view, view, value)
mutable relation report_none(node, view)
mutable relation proposed(view, value)
mutable relation accepted(node, view, value)
init !left(N, V)
init !report(N, V, W, X)
init !report_none(N, V)
init !proposed(V, X)
init !accepted(N, V, X)
transition leave_without(n: node, v: view)
  modifies left, report_none
  & !left(n, v) & (forall V, X. !accepted(n, V, X) | le(v, V))
  & (report_none'(N, V) <-> report_none(N, V) | N = n & V = v)
  & (left'(N, V) <-> left(N, V) | N = n & le(V, v) & V != v)
transition leave(n: node, v: view, w: view, x: value)
  modifies left, report
  & !left(n, v) & accepted(n, w, x) & le(w, v) & w != v
  & (forall V, X. accepted(n, V, X) & le(V, v) & V != v -> le(V, w))
  & (report'(N, V, W, X) <-> report(N, V, W, X) | N = n & V = v & W = w & X = x)
  & (left'(N, V) <-> left(N, V) | N = n & le(V, v) & V != v)
transition propose_any(v: view, q: quorum, x: value)
  modifies proposed
  & (forall X. !proposed(v, X)) & (forall N. member(N, q) -> report_none(N, v))
  & (proposed'(V, X) <-> proposed(V, X) | V = v & X = x)
transition propose_last(v: view, q: quorum, k: node, w: view, x: value)
  modifies proposed
  & (forall X. !proposed(v, X)) & member(k, q) & report(k, v, w, x)
  & (forall N. member(N, q) -> report_none(N, v) | (exists W, X. report(N, v, W, X)))
  & (forall N, W, X. member(N, q) & report(N, v, W, X) -> le(W, w))
  & (proposed'(V, X) <-> proposed(V, X) | V = v & X = x)
transition accept(n: node, v: view, x: value)
  modifies accepted
  & proposed(v, x) & !left(n, v)
  & (accepted'(N, V, X) <-> accepted(N, V, X) | N = n & V = v & X = x)
safety [agree] (forall N. member(N, A) -> accepted(N, V, X)) & (forall N. member(N, B) -> accepted(N, W, Y)) -> X = Y
";

/// Notes the formulas that are proposed.
#[derive(Default)]
struct Proposed(Vec<String>);

impl Observer for Proposed {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, _: &Counts) {
        if let Event::Proposed { formula, .. } = event {
            self.0.push(Pretty::new(syntax, *formula).to_string());
        }
    }
}

/// Returns the answer, and the formulas that are proposed.
fn proposed_until(text: &str, work: u64) -> (Inference, Vec<String>) {
    let (system, _) = system("model.pyv", text);
    let options = Options { method: Method::EXISTS, ..Options::default() };
    let mut proposed = Proposed::default();
    let inference = infer(&system, &options, &mut Budget::new(Some(work), None), &mut proposed);
    (inference, proposed.0)
}

/// Returns the formulas that are proposed until an invariant is found, which is verified.
fn proposed(text: &str) -> Vec<String> {
    let (inference, proposed) = proposed_until(text, 40_000_000);
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{proposed:#?}") };
    assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
    proposed
}

/// What can be decided no more in an earlier view. Without this guess, the search takes eight times as much work.
#[test]
fn what_can_be_decided_no_more_is_guessed() {
    let proposed = proposed(VIEWS);
    let never = "exists N:node. member(N, Q) & !accepted(N, VI1, VA1) & left(N, VI1)";
    assert!(proposed.iter().any(|it| it.contains(never)), "{proposed:#?}");
}

/// The same where the order of the views is strict.
#[test]
fn what_can_be_decided_no_more_is_guessed_of_strict_orders() {
    let mut text = VIEWS.replace("relation le(", "relation lt(");
    let names = ["v", "w", "V", "W", "X", "Y", "Z"];
    for (a, b) in names.iter().flat_map(|a| names.iter().map(move |b| (a, b))) {
        text = text.replace(&format!("le({a}, {b})"), &format!("!lt({b}, {a})"));
    }
    assert!(!text.contains("le("), "{text}");
    let proposed = proposed(&text);
    let never = "lt(VI1, VI2) & proposed(VI2, VA2) -> VA1 = VA2 | (exists N:node. member(N, Q) & !accepted(N, VI1, VA1) & ";
    assert!(proposed.iter().any(|it| it.contains(never)), "{proposed:#?}");
}

/// Of several reasons why an acceptance comes no more, each is guessed: that a node has crashed does not help here.
#[test]
fn every_reason_why_nothing_is_decided_is_guessed() {
    let text = VIEWS
        .replace(
            "init !left(N, V)\n",
            "init !left(N, V)
mutable relation crashed(node)
init !crashed(N)
transition crash(n: node)
  modifies crashed
  & (crashed'(N) <-> crashed(N) | N = n)
",
        )
        .replace("  & proposed(v, x) & !left(n, v)", "  & !crashed(n) & proposed(v, x) & !left(n, v)");
    let proposed = proposed(&text);
    let never = "exists N:node. member(N, Q) & !accepted(N, VI1, VA2) & left(N, VI1)";
    assert!(proposed.iter().any(|it| it.contains(never)), "{proposed:#?}");
}

/// The property does not speak of views: the one in which something is decided no more is that of the guard.
#[test]
fn what_can_be_decided_no_more_is_about_rounds_of_the_guard() {
    let (text, _) = VIEWS.split_once("safety").expect("there is a property");
    let decide = "
mutable relation decided(value)
init !decided(X)
transition decide(v: view, x: value)
  modifies decided
  & (exists Q. forall N. member(N, Q) -> accepted(N, v, x))
  & (decided'(X) <-> decided(X) | X = x)
safety decided(X) & decided(Y) -> X = Y
";
    let proposed = proposed(&[text, decide].concat());
    let never =
        "proposed(VI1, VA2) -> le(VI1, VI2) | VA1 = VA2 | (exists N:node. member(N, Q) & left(N, VI2) & ";
    assert!(proposed.iter().any(|it| it.contains(never)), "{proposed:#?}");
}

/// Faulty nodes take back that they have left a view: the others do not.
#[test]
fn what_lasts_for_all_but_faulty_nodes_is_guessed_of_those() {
    let text = VIEWS
        .replace("member(N, B)\n", "member(N, B) & !faulty(N)\n")
        .replace("immutable relation member", "immutable relation faulty(node)\nimmutable relation member")
        .replace("& report(k, v, w, x)", "& !faulty(k) & report(k, v, w, x)")
        .replace("report_none(N, v) |", "faulty(N) | report_none(N, v) |")
        .replace("& report(N, v, W, X) -> le", "& !faulty(N) & report(N, v, W, X) -> le")
        .replace(
            "safety",
            "transition lie(n: node)
  modifies left, accepted
  & faulty(n)
  & (N != n -> (left'(N, V) <-> left(N, V)))
  & (N != n -> (accepted'(N, V, X) <-> accepted(N, V, X)))
safety",
        );
    let proposed = proposed_until(&text, 40_000_000).1;
    let never = "!faulty(N) & member(N, Q) & !accepted(N, VI2, VA1) & left(N, VI2)";
    assert!(proposed.iter().any(|it| it.contains(never)), "{proposed:#?}");
}

/// Each of two tuples stays in its relation as long as the other one does. The question whether they stay there comes back to itself.
const IN_TURN: &str = "\
sort node
mutable relation owner(node)
mutable relation guest(node)
mutable relation served(node)
init !owner(N)
init !guest(N)
init !served(N)
transition enter(n: node)
  modifies owner
  & (owner'(N) <-> owner(N) | N = n)
transition serve(n: node)
  modifies owner, guest, served
  & owner(n)
  & (owner'(N) <-> owner(N) | N = n)
  & (guest'(N) <-> guest(N) | N = n)
  & (served'(N) <-> served(N) | N = n)
transition close(n: node)
  modifies owner
  & !guest(n)
  & (owner'(N) <-> owner(N) & N != n)
transition leave(n: node)
  modifies guest
  & !owner(n)
  & (guest'(N) <-> guest(N) & N != n)
safety served(N) -> owner(N)
";

#[test]
fn what_keeps_each_other_true_is_no_endless_question() {
    let (_, inference) = run(IN_TURN, 4_000_000);
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    assert!(is_inductive(with_lemmas(&inference, lemmas, true)));
    // Tuples of further elements, without end.
    let chain = IN_TURN
        .replace(
            "sort node\n",
            "sort node\nimmutable function next(node): node\nimmutable relation near(node, node)\n",
        )
        .replace("guest(N) | N = n", "guest(N) | near(n, N)")
        .replace(
            "(owner'(N) <-> owner(N) | N = n)\n  & (guest'",
            "(owner'(N) <-> owner(N) | near(n, N))\n  & (guest'",
        )
        .replace("& !guest(n)", "& !guest(next(n))")
        .replace("& !owner(n)", "& !owner(next(n))");
    let (suggested, _) = run(&chain, 100_000);
    assert_eq!(suggested, Vec::<String>::new());
}

/// Returns a model whose transitions change all of many relations, and read all of them.
fn many_relations(relations: usize, transitions: usize) -> String {
    let mut text = "sort node\n".to_owned();
    for it in 0..relations {
        text += &format!("mutable relation r{it}(node)\ninit !r{it}(N)\n");
    }
    for at in 0..transitions {
        let names: Vec<String> = (0..relations).map(|it| format!("r{it}")).collect();
        text += &format!("transition t{at}(n: node)\n  modifies {}\n", names.join(", "));
        for it in 0..relations {
            // Neither all in one direction nor all in the same one as in another transition.
            let (sign, is_added) = (if it * it % 7 % (at + 2) == 0 { "!" } else { "" }, (it + at) % 3 > 0);
            let change = if is_added { "| N = n" } else { "& N != n" };
            text += &format!("  & {sign}r{it}(n) & (r{it}'(N) <-> r{it}(N) {change})\n");
        }
    }
    text + "safety !r0(N) | !r1(N)\n"
}

/// What transitions suggest is read with counted work, of which there is a limit.
#[test]
fn reading_transitions_is_work_with_a_limit() {
    const LIMIT: u64 = 3_000_000;
    let spent = |text: &str| {
        let (system, _) = system("model.pyv", text);
        let options = Options { method: Method::EXISTS, ..Options::default() };
        let mut budget = Budget::new(Some(1), None);
        infer(&system, &options, &mut budget, &mut Suggested::default());
        budget.spent()
    };
    let (few, many) = (spent(VIEWS), spent(&many_relations(100, 6)));
    assert!((1_000..LIMIT / 20).contains(&few), "{few}");
    assert!((LIMIT..LIMIT + LIMIT / 2).contains(&many), "{many}");
}
