//! Tests of model checking against all executions of small circuits, which an evaluator of the tests computes from the file.

use super::{Circuit as Graph, *};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::rng::Rng;
use ramsey_kernel::check::circuit as kernel;
use ramsey_lang::aiger::{Circuit, Lit, parse};

/// Decides a property of a circuit in a file.
fn check(
    circuit: &Circuit,
    property: usize,
    options: &Options,
    budget: &mut Budget,
) -> Option<(Outcome, Stats)> {
    super::check(&Graph::from(circuit), property, options, budget)
}

/// Returns a random circuit with few latches and inputs.
fn random(seed: u64) -> Circuit {
    let mut rng = Rng::new(seed);
    let (inputs, latches, gates) = (rng.below(4), 1 + rng.below(6), 1 + rng.below(25));
    let total = inputs + latches + gates;
    let lit = |rng: &mut Rng, below: usize| 2 * rng.below(below + 1) + rng.below(2);
    // Gates near the end depend on many things, and make better properties.
    let late = |rng: &mut Rng| 2 * (total - rng.below(gates.min(8))) + rng.below(2);
    let (bad, constraints) = (1 + rng.below(2), rng.below(5).saturating_sub(2));
    let mut text = format!("aag {total} {inputs} {latches} 0 {gates} {bad} {constraints}\n");
    (0..inputs).for_each(|at| text += &format!("{}\n", 2 * (1 + at)));
    for at in 0..latches {
        let own = 2 * (1 + inputs + at);
        // Some latches never change.
        let next = match rng.below(16) {
            0 => own,
            1..5 => lit(&mut rng, total),
            _ => late(&mut rng),
        };
        let reset = [0, 0, 1, own][rng.below(4)];
        text += &format!("{own} {next} {reset}\n");
    }
    (0..bad).for_each(|_| text += &format!("{}\n", late(&mut rng)));
    // Some constraints are about latches alone.
    (0..constraints).for_each(|_| {
        let below = if rng.one_in(2) { total } else { inputs + latches };
        text += &format!("{}\n", lit(&mut rng, below));
    });
    for at in inputs + latches..total {
        text += &format!("{} {} {}\n", 2 * (1 + at), lit(&mut rng, at), lit(&mut rng, at));
    }
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Returns the values of all variables in a state with these inputs, given as bits. The oracle evaluates the circuit of the
/// file, and not with `Graph::evaluate`, which it judges.
fn values(circuit: &Circuit, state: usize, inputs: usize) -> Vec<bool> {
    let mut values = vec![false];
    values.extend((0..circuit.num_inputs()).map(|at| inputs >> at & 1 == 1));
    values.extend((0..circuit.latches().len()).map(|at| state >> at & 1 == 1));
    for [left, right] in circuit.gates() {
        values.push(value(&values, *left) && value(&values, *right));
    }
    values
}

fn value(values: &[bool], lit: Lit) -> bool {
    values[lit.var()] != lit.is_negated()
}

/// Returns the reachable states, and the least number of steps to a bad state.
fn reachable(circuit: &Circuit, property: usize) -> (Vec<bool>, Option<usize>) {
    let latches = circuit.latches();
    let mut known = vec![false; 1 << latches.len()];
    let is_initial = |state: usize| {
        let mut resets = latches.iter().enumerate();
        resets.all(|(at, latch)| latch.reset.is_none_or(|reset| reset == (state >> at & 1 == 1)))
    };
    let mut front: Vec<usize> = (0..known.len()).filter(|&state| is_initial(state)).collect();
    front.iter().for_each(|&state| known[state] = true);
    let (mut depth, mut bad) = (0, None);
    while !front.is_empty() {
        let mut next = Vec::new();
        for &state in &front {
            for inputs in 0..1 << circuit.num_inputs() {
                let values = values(circuit, state, inputs);
                if !circuit.constraints().iter().all(|&lit| value(&values, lit)) {
                    continue;
                }
                if value(&values, circuit.properties()[property]) {
                    bad = bad.or(Some(depth));
                }
                let after = latches.iter().enumerate();
                let after =
                    after.map(|(at, latch)| usize::from(value(&values, latch.next)) << at).sum::<usize>();
                if !std::mem::replace(&mut known[after], true) {
                    next.push(after);
                }
            }
        }
        front = next;
        depth += 1;
    }
    (known, bad)
}

/// Checks a proof by evaluation in all states.
fn check_proof(circuit: &Circuit, property: usize, proof: &Proof) {
    let (known, _) = reachable(circuit, property);
    let holds = |state: usize| {
        proof
            .invariant
            .iter()
            .all(|clause| clause.iter().any(|&(latch, value)| (state >> latch & 1 == 1) == value))
    };
    for (state, _) in known.iter().enumerate().filter(|(_, known)| **known) {
        assert!(holds(state), "a reachable state violates the invariant");
    }
    for state in (0..known.len()).filter(|&state| holds(state)) {
        for inputs in 0..1 << circuit.num_inputs() {
            let values = values(circuit, state, inputs);
            if !circuit.constraints().iter().all(|&lit| value(&values, lit)) {
                continue;
            }
            let is_bad = value(&values, circuit.properties()[property]);
            assert!(!is_bad || proof.induction > 0, "the invariant has a bad state");
            let after = circuit.latches().iter().enumerate();
            let after = after.map(|(at, latch)| usize::from(value(&values, latch.next)) << at).sum::<usize>();
            assert!(holds(after), "the invariant is not inductive");
        }
    }
}

fn agree(method: Method, count: u64) {
    let (mut safe, mut deep) = (0, 0);
    for seed in 0..count {
        let circuit = random(seed);
        for property in 0..circuit.properties().len() {
            let (_, bad) = reachable(&circuit, property);
            let options = Options { method, seed: seed % 3 };
            let mut budget = Budget::new((method == Method::Bounded).then_some(20_000), None);
            let (outcome, _) = check(&circuit, property, &options, &mut budget).expect("a property");
            match outcome {
                Outcome::Safe(proof) => {
                    assert_eq!(bad, None, "seed {seed}: {circuit:?}");
                    check_proof(&circuit, property, &proof);
                    safe += u64::from(!proof.invariant.is_empty() || proof.induction > 0);
                }
                Outcome::Unsafe(witness) => {
                    assert_eq!(Some(witness.inputs.len() - 1), bad, "seed {seed}: {circuit:?}");
                    deep += u64::from(bad > Some(1));
                }
                Outcome::Unknown { .. } => {
                    assert!(method == Method::Bounded && bad.is_none(), "seed {seed}: {circuit:?}");
                    safe += 1;
                }
                Outcome::Defect => panic!("seed {seed}: no execution: {circuit:?}"),
            }
        }
    }
    assert!(safe > count / 10 && deep >= count / 125, "{safe} {deep} of {count}");
}

#[test]
fn all_methods_agree_with_all_executions() {
    agree(Method::All, 1500);
}

#[test]
fn reachability_agrees_with_all_executions() {
    agree(Method::Reachability, 3000);
}

#[test]
fn bounded_model_checking_agrees_with_all_executions() {
    agree(Method::Bounded, 500);
}

/// A circuit whose latches take each other's values in turns.
fn rotating(seed: u64) -> Circuit {
    let mut rng = Rng::new(seed);
    let (latches, gates) = (3 + rng.below(4), 1 + rng.below(3));
    let own = |at: usize| 2 * (1 + at % latches);
    let shift = 1 + rng.below(latches - 1);
    let mut text = format!("aag {} 0 {latches} 0 {gates} 1\n", latches + gates);
    for at in 0..latches {
        let is_negated = usize::from(rng.one_in(8));
        text += &format!("{} {} {}\n", own(at), own(at + shift) + is_negated, rng.below(2));
    }
    text += &format!("{}\n", 2 * (latches + gates));
    for gate in 0..gates {
        let lit = |rng: &mut Rng| 2 * (1 + rng.below(latches + gate)) + usize::from(rng.one_in(8));
        let left = if gate > 0 { 2 * (latches + gate) } else { lit(&mut rng) };
        text += &format!("{} {left} {}\n", 2 * (1 + latches + gate), lit(&mut rng));
    }
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Lemmas of higher levels may be all that makes two levels equal.
#[test]
fn reachability_ends() {
    let mut safe = 0;
    for seed in 0..2_000 {
        let circuit = rotating(seed);
        let options = Options { method: Method::Reachability, seed: 0 };
        let (outcome, _) =
            check(&circuit, 0, &options, &mut Budget::new(Some(1_000_000), None)).expect("a property");
        let (_, bad) = reachable(&circuit, 0);
        match outcome {
            Outcome::Safe(proof) => {
                assert_eq!(bad, None, "seed {seed}: {circuit:?}");
                check_proof(&circuit, 0, &proof);
                safe += 1;
            }
            Outcome::Unsafe(witness) => assert_eq!(Some(witness.inputs.len() - 1), bad, "seed {seed}"),
            other => panic!("seed {seed}: {other:?}: {circuit:?}"),
        }
    }
    assert!(safe > 200, "{safe}");
}

/// A counter of so many bits that is bad at its greatest value, and counts while its input is true.
fn counter(bits: usize, is_bad: bool) -> Circuit {
    let mut gates = Vec::new();
    let (mut carry, mut free) = (2, 2 * (2 + bits));
    let mut nexts = Vec::new();
    let mut and = |left: usize, right: usize| {
        gates.push(format!("{free} {left} {right}\n"));
        free += 2;
        free - 2
    };
    for bit in 0..bits {
        let own = 2 * (2 + bit);
        let both = and(own, carry);
        let neither = and(own ^ 1, carry ^ 1);
        nexts.push(and(both ^ 1, neither ^ 1));
        carry = both;
    }
    let full = (0..bits).fold(1, |full, bit| and(full, 2 * (2 + bit)));
    let bad = if is_bad { full } else { and(full, 3) };
    let mut text = format!("aag {} 1 {bits} 0 {} 1\n2\n", 1 + bits + gates.len(), gates.len());
    nexts.iter().enumerate().for_each(|(bit, next)| text += &format!("{} {next}\n", 2 * (2 + bit)));
    text += &format!("{bad}\n{}", gates.concat());
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

#[test]
fn a_counter_reaches_its_end() {
    let (outcome, stats) =
        check(&counter(5, true), 0, &Options::default(), &mut Budget::unlimited()).expect("a property");
    let Outcome::Unsafe(witness) = outcome else { panic!("{outcome:?}") };
    assert_eq!(witness.inputs.len(), 32);
    assert_eq!(stats.latches, 5);
}

#[test]
fn searches_end_with_their_budget_and_tell_what_they_know() {
    let circuit = counter(40, true);
    let (outcome, _) =
        check(&circuit, 0, &Options::default(), &mut Budget::new(Some(3_000_000), None)).expect("a property");
    let Outcome::Unknown { exhausted, bound } = outcome else { panic!("{outcome:?}") };
    assert_eq!(exhausted, Exhausted::Work);
    assert!(bound > Some(3), "{bound:?}");
}

#[test]
fn searches_repeat() {
    for seed in 0..50 {
        let circuit = random(seed);
        let run = || check(&circuit, 0, &Options::default(), &mut Budget::unlimited());
        assert_eq!(run(), run());
    }
}

#[test]
fn an_interrupted_search_goes_on() {
    let long = (4..7).map(|bits| (counter(bits, true), true));
    let short = (0..100).map(|at| (random(at), false)).chain([(counter(6, false), false)]);
    for (circuit, is_long) in long.chain(short) {
        let (_, bad) = reachable(&circuit, 0);
        let graph = Graph::from(&circuit);
        let mut search = Reachability::new(&graph, 0, 0).expect("a property");
        let mut turn = 0;
        let outcome = loop {
            let mut budget = Budget::new(Some(20 + turn), None);
            match search.advance(&graph, &mut budget) {
                Ok(outcome) => break outcome,
                Err(exhausted) => assert_eq!(exhausted, Exhausted::Work),
            }
            turn += 1;
            assert!(turn < 100_000, "there is progress");
        };
        assert!(turn > 2 || !is_long, "a long execution takes more than {turn} turns");
        match outcome {
            Outcome::Safe(proof) => {
                assert_eq!(bad, None);
                check_proof(&circuit, 0, &proof);
            }
            Outcome::Unsafe(_) => assert!(bad.is_some()),
            other => panic!("{other:?}"),
        }
    }
    assert!(Reachability::new(&Graph::from(&random(0)), 7, 0).is_none());
}

#[test]
fn there_may_be_no_property() {
    let circuit = parse(b"aag 1 1 0 0 0\n2\n").expect("a circuit");
    assert_eq!(check(&circuit, 0, &Options::default(), &mut Budget::unlimited()), None);
}

/// Returns the answers to all properties with a certificate.
fn certified(circuit: &Circuit, method: Method) -> (Vec<Outcome>, String) {
    let options = Options { method, seed: 0 };
    let work = (method == Method::Induction).then_some(100_000);
    let properties = 0..circuit.properties().len();
    let outcomes: Vec<Outcome> = properties
        .filter_map(|property| check(circuit, property, &options, &mut Budget::new(work, None)))
        .map(|(outcome, _)| outcome)
        .collect();
    let text = certificate(circuit, b"", &outcomes, &mut Budget::unlimited()).expect("a certificate");
    (outcomes, String::from_utf8(text).expect("text"))
}

/// Checks that what an accepted certificate claims is true. Returns whether it is accepted.
fn accepted(circuit: &Circuit, text: &str) -> bool {
    let Ok(summary) = kernel::check(circuit, b"", text.as_bytes()) else { return false };
    for &property in &summary.safe {
        assert_eq!(reachable(circuit, property).1, None, "{text}");
    }
    for &(property, steps) in &summary.violated {
        assert!(reachable(circuit, property).1.is_some_and(|least| least <= steps), "{text}");
    }
    true
}

#[test]
fn certificates_are_accepted() {
    for seed in 0..600 {
        let circuit = random(seed);
        let (outcomes, text) = certified(&circuit, Method::All);
        let summary =
            kernel::check(&circuit, b"", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(summary.same_source);
        assert_eq!(summary.safe.len() + summary.violated.len(), outcomes.len());
        assert!(accepted(&circuit, &text));
    }
}

#[test]
fn certificates_of_induction_are_accepted() {
    let mut deep = 0;
    for seed in 0..600 {
        let circuit = random(seed);
        let (outcomes, text) = certified(&circuit, Method::Induction);
        if outcomes.iter().any(|it| !matches!(it, Outcome::Unknown { .. })) {
            assert!(accepted(&circuit, &text), "{text}");
        }
        deep +=
            outcomes.iter().filter(|it| matches!(it, Outcome::Safe(proof) if proof.induction > 1)).count();
    }
    assert!(deep > 3, "{deep}");
}

/// A bad state that is reached refutes induction of any depth, also where the constraints let no execution go on from it.
#[test]
fn induction_does_not_pass_over_the_end_of_an_execution() {
    let mut ends = 0;
    for seed in 0..600 {
        let circuit = random(seed);
        let Some(steps) = reachable(&circuit, 0).1 else { continue };
        for induction in 1..=steps + 3 {
            let proof = Proof { invariant: Vec::new(), induction };
            let written = certificate(&circuit, b"", &[Outcome::Safe(proof)], &mut Budget::unlimited());
            assert_eq!(written, Err(NoCertificate::Defect(0)), "{seed}: bad after {steps} steps");
            ends += usize::from(induction > steps);
        }
    }
    assert!(ends > 100, "{ends}");
}

/// Returns the values of all variables for these of inputs and latches.
fn values_of(circuit: &Circuit, leaves: &[bool]) -> Vec<bool> {
    let mut values = vec![false];
    values.extend(leaves);
    for [left, right] in circuit.gates() {
        values.push(value(&values, *left) && value(&values, *right));
    }
    values
}

/// The property of a witness circuit is inductive, which the kernel is asked, and implies that of the circuit, whose inputs, latches and
/// constraints it has.
#[test]
fn witness_circuits_are_inductive() {
    let (mut flat, mut deep) = (0, 0);
    for seed in 0..300 {
        let circuit = random(seed);
        for method in [Method::All, Method::Induction] {
            for (property, outcome) in certified(&circuit, method).0.into_iter().enumerate() {
                let Outcome::Safe(proof) = outcome else { continue };
                *if proof.induction > 0 { &mut deep } else { &mut flat } += 1;
                let witness = witness_circuit(&circuit, property, &proof).expect("a witness");
                let inductive = Outcome::Safe(Proof { invariant: Vec::new(), induction: 1 });
                let text = certificate(&witness, b"", &[inductive], &mut Budget::unlimited());
                let text = text.unwrap_or_else(|error| panic!("{seed}, {property}: {error}"));
                let summary = kernel::check(&witness, b"", text.as_slice()).expect("it is inductive");
                assert_eq!(summary.safe, [0]);
                let alone = property_circuit(&circuit, property).expect("the property");
                assert_eq!(alone.properties(), [circuit.properties()[property]]);
                simulates(&circuit, property, &witness, seed);
            }
        }
    }
    assert!(flat > 50 && deep > 20, "{flat} {deep}");
}

/// Checks on random states that a witness circuit has what its circuit has.
fn simulates(circuit: &Circuit, property: usize, witness: &Circuit, seed: u64) {
    let (inputs, latches) = (circuit.num_inputs(), circuit.latches().len());
    let resets =
        |circuit: &Circuit| circuit.latches()[..latches].iter().map(|it| it.reset).collect::<Vec<_>>();
    assert_eq!(resets(circuit), resets(witness));
    assert_eq!(inputs, witness.num_inputs());
    let mut rng = Rng::new(seed);
    for _ in 0..50 {
        let leaves: Vec<bool> = (0..inputs + witness.latches().len()).map(|_| rng.one_in(2)).collect();
        let (small, large) = (values_of(circuit, &leaves[..inputs + latches]), values_of(witness, &leaves));
        for (one, other) in circuit.latches().iter().zip(witness.latches()) {
            assert_eq!(value(&small, one.next), value(&large, other.next));
        }
        for (&one, &other) in circuit.constraints().iter().zip(witness.constraints()) {
            assert_eq!(value(&small, one), value(&large, other));
        }
        assert!(!value(&small, circuit.properties()[property]) || value(&large, witness.properties()[0]));
    }
}

/// Changes that leave a certificate right are rare, so most mutants are rejected, and no claim of an accepted one is wrong.
#[test]
fn mutants_of_certificates_claim_nothing_wrong() {
    let (mut rejected, mut all) = (0, 0);
    for seed in 0..800 {
        let mut rng = Rng::new(seed);
        let circuit = random(seed);
        let method = if seed % 3 == 0 { Method::Induction } else { Method::All };
        let (_, text) = certified(&circuit, method);
        let lines: Vec<&str> = text.lines().collect();
        for _ in 0..6 {
            let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            let at = rng.below(lines.len());
            let words: Vec<&str> = text.lines().nth(at).unwrap_or("").split(' ').collect();
            let word = rng.below(words.len());
            let change = match words[word].parse::<i64>() {
                Ok(number) => [-number, number + 1, number - 1, 0][rng.below(4)].to_string(),
                Err(_) => String::new(),
            };
            let replaced = |new: &str| {
                let mut words: Vec<&str> = words.clone();
                words[word] = new;
                words.join(" ")
            };
            match rng.below(5) {
                0 => drop(lines.remove(at)),
                1 => lines[at] = replaced(&change),
                2 => lines.truncate(at),
                3 => {
                    let other = rng.below(lines.len().min(at + 2));
                    lines.swap(at, other);
                }
                _ if words[0] == "safe" || words[0] == "violated" => {
                    lines[at] = format!("{} {}", ["safe", "violated"][rng.below(2)], rng.below(3));
                }
                _ => lines[at] = replaced(["safe", "clause", "induction", "1", "d"][rng.below(5)]),
            }
            let mutant: String = lines.iter().map(|line| format!("{line}\n")).collect();
            if mutant != text {
                all += 1;
                rejected += u64::from(!accepted(&circuit, &mutant));
            }
        }
        // A certificate about another circuit.
        let other = random(seed + 1);
        let _ = accepted(&other, &text);
    }
    assert!(rejected * 10 > all * 8, "{rejected} of {all}");
}

#[test]
fn wrong_certificates_are_rejected_for_their_reason() {
    // One latch that stays false, and the property that it is true; an input is another property.
    let circuit = parse(b"aag 2 1 1 0 0 2\n2\n4 4\n4\n2\n").expect("a circuit");
    let head = format!("{}\nsource {}\n", kernel::HEADER, ramsey_core::base::digest::sha256(b""));
    let reason = |body: &str| {
        let text = format!("{head}{body}");
        kernel::check(&circuit, b"", text.as_bytes()).map_err(|rejection| rejection.reason)
    };
    let accepted = reason("violated 1\nstate 0\ninputs 1\nend\n").expect("accepted");
    assert_eq!((accepted.violated, accepted.safe), (vec![(1, 0)], vec![]));
    let (_, whole) = certified(&parse(b"aag 2 1 1 0 0 1\n2\n4 4\n4\n").expect("a circuit"), Method::All);
    assert!(whole.contains("safe 0\n"), "{whole}");
    let cases = [
        ("", "the certificate claims nothing"),
        ("sound 0\n", "neither `safe` nor `violated` with a property"),
        ("safe x\n", "not the position of a property"),
        ("safe 2\n", "the circuit has no such property"),
        ("safe 0\nclause 1 0\n", "the clause is false in an initial state"),
        ("safe 0\nclause 2 0\n", "there is no latch 2"),
        ("safe 0\nclause -1\n", "the clause ends without a 0"),
        ("safe 0\nclause -1 0 1\n", "the line goes on after its end"),
        ("safe 0\nclause a 0\n", "not a number of a latch"),
        ("safe 0\ninduction -1\n", "not a number of steps"),
        ("safe 0\nstep\n", "neither a clause nor `induction` with a number"),
        ("safe 0\ninduction 0\nbase\n", "the line is not `step`"),
        ("safe 0\ninduction 99999999999\nbase\n", "the question has too many steps"),
        ("safe 0\ninduction 0\nstep\nend\n", "the refutation ends without the empty clause"),
        ("safe 0\ninduction 0\nstep\n9 0 1 2 0\n", "the clause does not follow from its hints"),
        ("safe 0\ninduction 0\nstep\n9 0 7 0\n", "there is no clause 7"),
        ("safe 0\ninduction 0\nstep\n1 1 0 1 0\n", "clause 1 does not have a new number"),
        ("safe 0\ninduction 0\nstep\n9 77 0 1 0\n", "there is no variable 77"),
        ("safe 0\ninduction 0\nstep\n9 0 -1 0\n", "not a number of a clause or a literal"),
        ("safe 0\ninduction 0\nstep\n9 d 5 0\n", "there is no clause 5"),
        ("safe 0\ninduction 0\nstep\n9 0 1\n", "the line ends without a 0"),
        ("violated 0\nstate 1\n", "latch 1 does not have its initial value"),
        ("violated 0\nstate 01\n", "2 digits for 1 latches"),
        ("violated 0\nstate x\n", "a value is neither 0 nor 1"),
        ("violated 0\nstate 0\ninputs \n", "0 digits for 1 inputs"),
        ("violated 0\nstate 0\ninputs 1\nend\n", "the execution does not end in a bad state"),
        ("violated 0\nstate 0\nend\n", "the execution does not end in a bad state"),
        ("violated 1\nstate 0\ninputs 1\n", "the certificate ends where inputs should be"),
        ("violated 1\nstate 0\ninputs 1\nend\nviolated 1\n", "the property is treated twice"),
    ];
    for (body, expected) in cases {
        assert_eq!(reason(body), Err(expected.to_owned()), "{body}");
    }
}
