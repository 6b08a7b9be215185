//! Proofs by forward and backward induction: right ones are certified, wrong steps are refuted, and what is proved is true of
//! executions.

use std::sync::Arc;

use crate::common::bounded::{safety, violation};
use crate::common::models;
use ramsey::base::rng::Rng;
use ramsey::check;
use ramsey::logic::Evaluator;
use ramsey::obligations::{Origin, ProofPart, Question};
use ramsey::query::bmc;
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Outcome, Plan, Verification};
use ramsey::system::System;

/// Lamps burn out, each with an alarm. The safety property is true, and so is its proof.
const LAMPS: &str = "sort lamp
mutable relation burning(lamp)
mutable relation alarm
init !alarm
transition burn_out(l: lamp)
  modifies burning, alarm
  burning(l) & (forall L. new(burning(L)) <-> burning(L) & L != l) & alarm'
safety alarm -> exists L. !burning(L)
";

/// Boxes are emptied, but those that are locked.
const BOXES: &str = "sort box
immutable relation locked(box)
mutable relation full(box)
derived relation open(box): open(B) <-> !locked(B) | !full(B)
axiom exists B. locked(B)
init full(B)
transition empty(b: box)
  modifies full
  !locked(b) & (forall B. new(full(B)) <-> full(B) & B != b)
transition refill(b: box)
  modifies full
  (forall B. new(full(B)) <-> full(B) | B = b)
safety exists B. full(B)
";

/// The same backwards in time.
const REVERSED: &str = "sort box
immutable relation locked(box)
mutable relation full(box)
axiom exists B. locked(B)
init !full(B)
transition fill(b: box)
  modifies full
  !locked(b) & (forall B. new(full(B)) <-> full(B) | B = b)
safety exists B. !full(B)
";

const LAMPS_PROOF: &str =
    "fbii { backward [all] { invariant burning(L) } forward [none] { invariant !alarm } }";
const BOXES_PROOF: &str = "fbii { forward [choose] prophecy w: box { invariant locked(w) } backward [drained] { invariant !full(w) } }";
const REVERSED_PROOF: &str = "fbii { backward [choose] prophecy w: box { invariant locked(w) } forward [never] { invariant !full(w) } }";

fn load(model: &str, proof: &str) -> Arc<System> {
    let (system, diagnostics) = models::load("proof.pyv", &format!("{model}{proof}\n"));
    Arc::new(system.unwrap_or_else(|| panic!("{proof}: {diagnostics:?}")))
}

fn verify(system: &Arc<System>, certify: bool) -> Verification {
    let options = Options { all: true, certify, ..Options::default() };
    Plan::new(Arc::clone(system), options).run(&Limits::default())
}

/// Returns the parts of proofs that fail. Counterexamples and certificates are checked.
fn failing(model: &str, proof: &str) -> Vec<String> {
    let system = load(model, proof);
    let mut verification = verify(&system, true);
    let mut failing = Vec::new();
    for result in &verification.results {
        let Origin::Proof { part, claim, .. } = result.origin else { continue };
        match &result.outcome {
            Outcome::Holds { .. } => continue,
            Outcome::Fails(found) => {
                let obligations = &verification.obligations;
                let of_goal = |goal: &&ramsey::obligations::Goal| goal.origin == result.origin;
                let group = obligations.groups.iter().find(|group| group.goals.iter().any(|it| of_goal(&it)));
                let group = group.expect("a group");
                let goal = group.goals.iter().find(of_goal).expect("a goal");
                assert_eq!(found.structure.states(), usize::from(group.states), "{proof}");
                let mut eval = Evaluator::new(obligations.syntax(), &found.structure);
                for hypothesis in &group.hypotheses {
                    assert_eq!(eval.eval(hypothesis.formula), 1, "{proof}: {:?}", hypothesis.origin);
                }
                assert_eq!(eval.eval(goal.formula), 0, "{proof}");
            }
            other => panic!("{proof}: {other}"),
        }
        failing.push(match part {
            ProofPart::Start { step } => format!("start {step} {claim}"),
            ProofPart::Transition { step, transition } => {
                format!("{} {step} {claim}", system.transitions[transition].name)
            }
            ProofPart::Witness { step } => format!("witness {step}"),
            ProofPart::Safety => "safety".to_owned(),
        });
    }
    let text = format!("{model}{proof}");
    let accepted = of_verification(&system, &text, &Question::Verify, &mut verification, false);
    let accepted = accepted.expect("the kernel accepts it").expect("everything is answered");
    let fails = verification.results.iter().filter(|it| matches!(it.outcome, Outcome::Fails(_))).count();
    let summary = check::check(&system, &text, accepted.bytes.as_slice()).expect("accepted");
    assert_eq!(summary.counterexamples, fails);
    assert_eq!(summary.proofs + fails, verification.results.len());
    failing
}

#[test]
fn right_proofs_are_certified() {
    for (model, proof) in [
        (LAMPS, LAMPS_PROOF),
        (BOXES, BOXES_PROOF),
        (REVERSED, REVERSED_PROOF),
        // A prophecy without variables is an invariant.
        (
            BOXES,
            "fbii { forward prophecy { invariant exists B. locked(B) } forward { invariant exists B. locked(B) & full(B) } }",
        ),
        // All ways to write down the same prophecy invariant.
        (
            BOXES,
            "fbii { forward prophecy w { invariant locked(w) } by { proph_default } backward { invariant !full(w) } }",
        ),
        (
            BOXES,
            "fbii { forward prophecy w { invariant locked(w) } by { proph_select true } backward { invariant !full(w) } }",
        ),
        (
            BOXES,
            "fbii { forward prophecy w { invariant locked(w) } by { invariant [some] exists W. __M_P(W) & __INV_P(W) } backward { invariant !full(w) } }",
        ),
        (
            REVERSED,
            "fbii { backward prophecy w { invariant locked(w) } by { invariant exists W. __INV_P(W) & !__M_P(W) } forward { invariant !full(w) } }",
        ),
        // Which values are viable matters only once a box is full.
        (
            REVERSED,
            "fbii { forward prophecy w { invariant (exists B. full(B)) -> locked(w) } by { proph_select exists B. full(B) } forward { invariant locked(w) -> !full(w) } }",
        ),
        // Two proofs, and two prophecies of one.
        (
            BOXES,
            "fbii { forward prophecy w: box, v: box { invariant locked(w) & v = w } backward prophecy u: box { invariant u = v & !full(u) } } fbii { forward prophecy w: box { invariant locked(w) } forward { invariant full(w) } }",
        ),
    ] {
        assert_eq!(failing(model, proof), Vec::<String>::new(), "{proof}");
    }
}

#[test]
fn each_kind_of_wrong_step_is_refuted() {
    let cases: [(&str, &str, &[&str]); 15] = [
        // Plain steps.
        (LAMPS, "fbii { backward { invariant burning(L) } forward { invariant alarm } }", &["start 1 0"]),
        (LAMPS, "fbii { forward { invariant !alarm } }", &["burn_out 0 0"]),
        (
            LAMPS,
            "fbii { backward { invariant !burning(L) } forward { invariant !alarm } }",
            &["start 0 0", "burn_out 0 0"],
        ),
        (LAMPS, "fbii { backward { invariant alarm } forward { invariant !alarm } }", &["burn_out 0 0"]),
        (LAMPS, "fbii { forward { invariant burning(L) | !burning(L) } }", &["safety"]),
        (LAMPS, "fbii { }", &["safety"]),
        // The order of the steps matters.
        (LAMPS, "fbii { forward { invariant !alarm } backward { invariant burning(L) } }", &["burn_out 0 0"]),
        // Prophecy.
        (
            BOXES,
            "fbii { forward prophecy w { invariant !locked(w) } backward { invariant !full(w) } }",
            &["start 0 0", "empty 1 0"],
        ),
        (
            BOXES,
            "fbii { forward prophecy w { invariant full(w) } backward { invariant !full(w) } }",
            &["empty 0 0"],
        ),
        (
            BOXES,
            "fbii { forward prophecy w { invariant locked(w) } by { } forward { invariant full(w) } }",
            &["witness 0"],
        ),
        (
            BOXES,
            "fbii { forward prophecy w { invariant locked(w) } by { invariant full(W) -> __M_P(W) | !__INV_P(W) } forward { invariant full(w) } }",
            &["refill 0 0", "witness 0"],
        ),
        (
            BOXES,
            "fbii { forward prophecy w { invariant locked(w) } by { proph_select false } forward { invariant full(w) } }",
            &["start 0 0", "empty 0 0", "refill 0 0"],
        ),
        (BOXES, "fbii { forward prophecy w: box { } backward { invariant !full(w) } }", &["empty 1 0"]),
        (
            REVERSED,
            "fbii { backward prophecy w { invariant locked(w) } by { invariant exists W. __INV_P(W) & __M_P(W) } forward { invariant !full(w) } }",
            &["start 0 0", "fill 0 0", "witness 0"],
        ),
        (
            REVERSED,
            "fbii { backward prophecy w { invariant full(w) } forward { invariant !full(w) } }",
            &["fill 0 0"],
        ),
    ];
    for (model, proof, expected) in cases {
        assert_eq!(failing(model, proof), expected, "{proof}");
    }
}

/// Random models with random proofs.
struct Random(Rng);

impl Random {
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.0.below(items.len())]
    }

    fn literal(&mut self, term: &str) -> String {
        format!("{}{}({term})", self.pick(&["", "!"]), self.pick(&["a", "p", "q"]))
    }

    /// Returns a closed formula over the variables of these names and perhaps a relation of viable values.
    fn formula(&mut self, vars: &[String], others: &[&str]) -> String {
        let term = match vars {
            [] => "X".to_owned(),
            _ if self.0.one_in(3) => "X".to_owned(),
            _ => vars[self.0.below(vars.len())].clone(),
        };
        let first = self.literal(&term);
        let second = match others {
            [] => self.literal(&term),
            _ => format!("{}(X)", self.pick(others)),
        };
        let body = match self.0.below(4) {
            0 => first,
            1 => format!("{first} | {second}"),
            2 => format!("{first} & {second}"),
            _ => format!("({first} -> {second})"),
        };
        format!("{} X:s. {body}", self.pick(&["forall", "exists"]))
    }

    fn transition(&mut self, index: usize) -> String {
        let (changed, value) = (self.pick(&["p", "q"]), self.pick(&["| X = x", "& X != x"]));
        let (first, second) = (self.literal("x"), self.literal("x"));
        format!(
            "transition t{index}(x: s) modifies {changed} {first} & {second} & (forall X. new({changed}(X)) <-> {changed}(X) {value})\n"
        )
    }

    fn model(&mut self) -> String {
        let mut text =
            "sort s\nimmutable relation a(s)\nmutable relation p(s)\nmutable relation q(s)\n".to_owned();
        for _ in 0..2 {
            let init = self.formula(&[], &[]);
            text += &format!("init (forall X. p(X) <-> p(X)) & {init}\n");
        }
        for index in 0..1 + self.0.below(2) {
            text += &self.transition(index);
        }
        let safety = self.formula(&[], &[]);
        text += &format!("safety (forall X. p(X) <-> p(X)) & {safety}\n");
        text
    }

    fn proof(&mut self) -> String {
        let mut vars: Vec<String> = Vec::new();
        let mut text = "fbii {\n".to_owned();
        for step in 0..1 + self.0.below(3) {
            let direction = self.pick(&["forward", "backward"]);
            let known = vars.clone();
            let has_prophecy = self.0.one_in(2);
            let mut invariants = String::new();
            if has_prophecy {
                vars.push(format!("w{step}"));
                text += &format!("{direction} prophecy w{step}: s");
            } else {
                text += direction;
            }
            for _ in 0..1 + self.0.below(2) {
                // Most invariants are about the newest variable.
                let newest = if self.0.one_in(4) { &vars[..] } else { &vars[vars.len().saturating_sub(1)..] };
                let newest = newest.to_vec();
                let invariant = match newest.last() {
                    Some(var) if self.0.one_in(2) => self.literal(var),
                    _ => self.formula(&newest, &[]),
                };
                invariants += &format!(" invariant {invariant}");
            }
            text += &format!(" {{{invariants} }}");
            if has_prophecy && self.0.one_in(3) {
                let item = match self.0.below(3) {
                    0 => "proph_default".to_owned(),
                    1 => format!("proph_select {}", self.formula(&known, &[])),
                    _ => {
                        let formula = self.formula(&known, &["__M_P", "!__M_P", "__INV_P"]);
                        format!("proph_default invariant {formula}")
                    }
                };
                text += &format!(" by {{ {item} }}");
            }
            text += "\n";
        }
        text + "}"
    }
}

/// Checks that every execution of at most `depth` steps satisfies the safety properties.
fn is_safe_within(system: &Arc<System>, depth: u16) -> bool {
    let options = bmc::Options { minimize: false, ..bmc::Options::new(safety(system), depth) };
    violation(system, options).is_none()
}

#[test]
fn what_random_proofs_prove_is_true_of_executions() {
    let mut random = Random(Rng::new(20));
    let (mut proved, mut with_prophecy, mut unsafe_models) = (0, 0, 0);
    for _ in 0..2_000 {
        let (model, proof) = (random.model(), random.proof());
        let system = load(&model, &proof);
        let options = Options { minimize: false, ..Options::default() };
        let verification = Plan::new(Arc::clone(&system), options).run(&Limits::default());
        let of_proof = |origin| matches!(origin, Origin::Proof { .. });
        let mut parts = verification.results.iter().filter(|it| of_proof(it.origin));
        let holds = parts.all(|it| matches!(it.outcome, Outcome::Holds { .. }));
        let is_safe = is_safe_within(&system, 3);
        unsafe_models += usize::from(!is_safe);
        if holds {
            assert!(is_safe, "{model}{proof}");
            proved += 1;
            with_prophecy += usize::from(proof.contains("prophecy"));
        }
    }
    assert!(
        proved > 50 && with_prophecy > 10 && unsafe_models > 100,
        "{proved} {with_prophecy} {unsafe_models}"
    );
}
