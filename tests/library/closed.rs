//! Closed systems: what their formulas mean, and that proofs about one are no proofs about another.

use std::sync::Arc;

use crate::common::effort::{Seen, cases};
use crate::common::formulas::{Generator, Structures, Vocabulary};
use crate::common::models;
use crate::normal_form::random_system;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::check::Closed;
use ramsey::checker;
use ramsey::core::{self, Core, Lowering, NodeId, spelled_out};
use ramsey::logic::{Elem, Evaluator, Signature, SortId, Structure, SymId, Terms};
use ramsey::obligations::{Obligations, Question};
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Plan};
use ramsey::system::System;

/// Evaluation of closed formulas, by their definition in `spec/core.md`.
struct Meaning<'a> {
    core: &'a Core,
    sig: &'a Signature,
    structure: &'a Structure,
    /// Functions and relations by their numbers.
    functions: Vec<SymId>,
    relations: Vec<SymId>,
}

impl<'a> Meaning<'a> {
    fn new(core: &'a Core, sig: &'a Signature, structure: &'a Structure) -> Self {
        let (relations, functions) = sig.symbols.ids().partition(|&sym| sig.symbols[sym].is_relation());
        Meaning { core, sig, structure, functions, relations }
    }

    fn apply(&self, sym: SymId, state: Option<u16>, args: &[NodeId], values: &[Elem]) -> Elem {
        assert_eq!(
            state.is_some(),
            self.sig.symbols[sym].kind.is_mutable(),
            "a state is named where it matters"
        );
        let args: Vec<Elem> = args.iter().map(|&arg| self.value(arg, values)).collect();
        self.structure.interpretation(self.sig, sym, state.unwrap_or(0).into()).get(&args)
    }

    /// Returns the value of a term or formula, where the last value is that of the innermost variable.
    fn value(&self, id: NodeId, values: &[Elem]) -> Elem {
        let holds = |id: NodeId| self.value(id, values) == 1;
        let all = |sort: usize, wanted: bool, body: NodeId| {
            let size = self.structure.sizes[SortId::new(sort + 1)];
            (0..size).any(|value| (self.value(body, &[values, &[value]].concat()) == 1) == wanted)
        };
        let truth = match self.core.pool.node(id) {
            core::Node::Var(at) => return values[values.len() - 1 - at],
            core::Node::App(state, function, args) => {
                return self.apply(self.functions[*function], *state, args, values);
            }
            core::Node::Rel(state, relation, args) => {
                self.apply(self.relations[*relation], *state, args, values) == 1
            }
            core::Node::Constant(..) => panic!("no constants of proofs"),
            core::Node::Eq(_, a, b) => self.value(*a, values) == self.value(*b, values),
            core::Node::Not(a) => !holds(*a),
            core::Node::And(items) => items.iter().all(|&item| holds(item)),
            core::Node::Or(items) => items.iter().any(|&item| holds(item)),
            core::Node::Implies(a, b) => !holds(*a) || holds(*b),
            core::Node::Iff(a, b) => holds(*a) == holds(*b),
            core::Node::Forall(sort, body) => !all(*sort, false, *body),
            core::Node::Exists(sort, body) => all(*sort, true, *body),
        };
        truth.into()
    }
}

#[test]
fn closed_formulas_keep_the_value() {
    let mut seen = Seen::default();
    for seed in 0..cases(200) {
        let mut rng = Rng::new(seed);
        let vocabulary =
            if rng.one_in(2) { Vocabulary::of_states(&mut rng) } else { Vocabulary::random(&mut rng) };
        let mut terms = Terms::new();
        let formula = Generator::new(&vocabulary, &mut terms, &mut rng).over_steps(2).formula(4);
        let system = System { sig: vocabulary.sig.clone(), ..System::new() };
        let sig = &vocabulary.sig;
        let mut lowering = Lowering::new(&system, terms.over_mut(sig)).expect("nothing is in the way");
        let plain = spelled_out(&mut terms, formula).expect("it is small");
        let lowered = lowering.formula(&mut terms, plain).expect("it has a closed form");
        let sizes = vocabulary.sorts.map(|sort| (sort, 1 + rng.below(2) as u32));
        let all = Structures::with_states(sig, &sizes, 2);
        for _ in 0..24 {
            let structure = all.random(&mut rng);
            let value = Evaluator::new(terms.over(sig), &structure).holds(formula);
            let meaning = Meaning::new(&lowering.core, sig, &structure);
            assert_eq!(meaning.value(lowered, &[]) == 1, seen.note(value), "seed {seed}");
        }
    }
    seen.assert_both(1_000);
}

/// Returns the closed form of a system whose claims hold, with the certificate of them; `None` if one does not hold.
pub(crate) fn proof(system: &Arc<System>) -> Option<(Core, String)> {
    let options = Options { all: true, certify: true, ..Options::default() };
    let mut verification = Plan::new(Arc::clone(system), options).run(&Limits::default());
    let accepted = of_verification(system, "", &Question::Verify, &mut verification, false);
    let accepted = accepted.expect("the checker accepts it")?;
    let text = String::from_utf8(accepted.bytes).expect("text");
    let closed = Closed::new(&**system, &Question::Verify).expect("it has a closed form");
    accepted.summary.claim.proved.then_some((closed.lowering.core, text))
}

fn check(core: &Core, certificate: &str) -> Result<checker::Summary, checker::Rejection> {
    let core = checker::Core::read(&core::document(core)).expect("a closed form");
    checker::check(core, certificate.as_bytes())
}

#[test]
fn certificates_of_random_systems_have_proofs() {
    let mut proofs = 0;
    for seed in 0..cases(150) {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::of_states(&mut rng);
        let mut system = random_system(&vocabulary, &mut rng);
        // One claim is proved more often than two.
        system.invariants.truncate(1);
        if let Some((core, certificate)) = proof(&Arc::new(system)) {
            proofs += 1;
            let summary =
                check(&core, &certificate).unwrap_or_else(|rejection| panic!("seed {seed}: {rejection}"));
            assert!(summary.is_made_for && summary.answers.iter().all(|answer| *answer == Some(true)));
        }
    }
    assert!(proofs >= 40, "{proofs} systems are proved");
}

#[test]
fn hypotheses_that_contradict_each_other_prove_everything() {
    // As they stand: no step of the certificate is needed but that one is the negation of the other.
    let model = "sort t\nimmutable relation p\nmutable relation r(t)\naxiom p\naxiom !p\ninit r(X)\n\
                 transition a(x: t)\n  modifies r\n  & (new(r(X)) <-> X != x)\nsafety r(X)\ntheorem p & !p\n";
    let system = Arc::new(models::system("none.pyv", model));
    let (core, certificate) = proof(&system).expect("it is proved");
    check(&core, &certificate).unwrap_or_else(|rejection| panic!("{rejection}"));
}

/// Examples in each language, one with functions and one with a theorem.
pub(crate) const EXAMPLES: [(&str, &str); 4] = [
    ("toy_consensus.pyv", include_str!("../../examples/toy_consensus.pyv")),
    ("ring_leader.pyv", include_str!("../../examples/ring_leader.pyv")),
    ("lock_server.rml", include_str!("../../examples/lock_server.rml")),
    ("bounded_service.ivy", include_str!("../../examples/bounded_service.ivy")),
];

#[test]
fn a_proof_does_not_fit_a_changed_system() {
    for it in EXAMPLES {
        let system = Arc::new(models::system(it.0, it.1));
        let (whole, certificate) = proof(&system).expect("it is proved");
        check(&whole, &certificate).expect("it is right");
        let refuses = |change: &dyn Fn(&mut Core, NodeId, NodeId)| {
            let mut changed = whole.clone();
            let yes = changed.pool.intern(core::Node::And(Box::default()));
            let no = changed.pool.intern(core::Node::Or(Box::default()));
            change(&mut changed, yes, no);
            check(&changed, &certificate).is_err()
        };
        let Core { inits, transitions, invariants, assertions, theorems, .. } = &whole;
        for at in 0..invariants.len() {
            assert!(refuses(&|core, _, no| core.invariants[at].formula = no), "{}: invariant {at}", it.0);
            assert!(refuses(&|core, _, _| drop(core.invariants.remove(at))), "{}: invariant {at}", it.0);
        }
        for at in 0..assertions.len() {
            assert!(refuses(&|core, _, no| core.assertions[at].formula = no), "{}: assertion {at}", it.0);
        }
        for at in 0..theorems.len() {
            assert!(refuses(&|core, _, no| core.theorems[at].claim.formula = no), "{}: theorem {at}", it.0);
        }
        for at in 0..transitions.len() {
            assert!(refuses(&|core, yes, _| core.transitions[at].formula = yes), "{}: transition {at}", it.0);
            assert!(refuses(&|core, _, _| core.transitions.push(core.transitions[at].clone())), "{}", it.0);
        }
        let weaker = |at: usize| refuses(&|core, yes, _| core.inits[at].formula = yes);
        assert!((0..inits.len()).any(weaker), "{}: an initial condition is needed", it.0);
    }
}

#[test]
fn closed_systems_are_written_alike() {
    for (name, text) in EXAMPLES {
        let document = || {
            let system = models::system(name, text);
            let lowering = Lowering::new(&system, Obligations::new(&system).syntax_mut());
            core::document(&lowering.expect("it has a closed form").core)
        };
        let first = document();
        assert_eq!(first, document(), "{name}");
        let (body, digest) = first.trim_end().rsplit_once('\n').expect("several lines");
        assert!(body.starts_with("ramsey-core 1\nsort 0 "), "{body}");
        let expected = ramsey::base::digest::sha256(format!("{body}\n"));
        assert_eq!(digest, format!("digest {expected}"), "{name}");
    }
}

/// An axiom about `if` terms that differ in the names of their bound variables alone speaks of two cases, not of four.
#[test]
fn choices_with_other_bound_variables_are_one() {
    let text = "\
sort s
immutable relation p(s)
immutable relation r(s, s)
immutable constant a: s
immutable constant b: s
axiom r((if (forall x. p(x)) then a else b), (if (forall y. p(y)) then a else b))
zerostate theorem r(a, a) | r(b, b)
";
    let system = Arc::new(models::system("choices.pyv", text));
    assert!(proof(&system).is_some(), "it has a certificate");
    let lowering = Lowering::new(&system, Obligations::new(&system).syntax_mut()).expect("a closed form");
    let text = core::document(&lowering.core);
    let condition = "! 0 R 0 0 1 V 0";
    let case = |constant: usize| format!("R 0 1 2 A 0 {constant} 0 A 0 {constant} 0");
    let axiom = format!("axiom rigid 1 & 2 > {condition} {} > ~ {condition} {}\n", case(0), case(1));
    assert!(text.contains(&axiom), "{text}");
}
