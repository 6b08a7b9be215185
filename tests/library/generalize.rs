//! Partial structures and conjectures as formulas, and generalizations against bounded model checking.

use crate::common::bounded::violation;
use crate::common::effort::cases;
use std::sync::Arc;

use crate::common::formulas::{Structures, Vocabulary, symbol};
use ramsey::base::budget::{Budget, Exhausted};
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::FileId;
use ramsey::formulas::{Fact, Partial, Pretty};
use ramsey::lang::pyv;
use ramsey::logic::{Evaluator, Signature, Structure, SymbolKind, Terms};
use ramsey::obligations::{Origin, Property};
use ramsey::query::bmc::{self, Target};
use ramsey::query::cti::{complete, cti};
use ramsey::query::generalize::{
    Conjecture, Generalization, InductionCheck, Options, check_induction, false_after_step, generalize,
    is_whole,
};
use ramsey::query::triage;
use ramsey::query::{Limits, Outcome};
use ramsey::system::System;

/// Returns the declarations of all sorts and symbols of a vocabulary.
fn declarations(sig: &Signature) -> String {
    let mut text = String::new();
    for sort in sig.uninterpreted_sorts() {
        text.push_str(&format!("sort {}\n", sig.sorts[sort].name));
    }
    for symbol in sig.symbols.iter() {
        let args: Vec<&str> = symbol.args.iter().map(|&sort| sig.sorts[sort].name.as_str()).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        let result = &sig.sorts[symbol.result].name;
        text.push_str(&if symbol.is_relation() {
            format!("mutable relation {}{args}\n", symbol.name)
        } else if args.is_empty() {
            format!("mutable constant {}: {result}\n", symbol.name)
        } else {
            format!("mutable function {}{args}: {result}\n", symbol.name)
        });
    }
    text
}

/// Returns a random part of the facts of a state.
fn random_part(partial: &Partial, sig: &Signature, rng: &mut Rng) -> Partial {
    let odds = 2 + rng.below(6);
    let facts = partial.facts.iter().filter(|_| rng.one_in(odds)).cloned().collect();
    let partial = Partial { facts };
    match rng.below(3) {
        0 => partial,
        1 => partial.without_implied(),
        _ => partial.without_implied().without_strays(sig),
    }
}

#[test]
fn conjectures_are_negated_diagrams() {
    let seeds = cases(250);
    let (mut compared, mut violated, mut parsed) = (0, 0, 0);
    for seed in 0..seeds {
        let mut rng = Rng::new(77_000 + seed);
        let mut vocabulary = Vocabulary::random(&mut rng);
        let [_, b] = vocabulary.sorts;
        vocabulary.sig.symbols.push(symbol("h", &[b], b));
        for symbol in vocabulary.sig.symbols.iter_mut() {
            symbol.kind = SymbolKind::Mutable;
        }
        let sig = &vocabulary.sig;
        let [a, b] = vocabulary.sorts;
        let sizes = [(a, 1 + rng.below(3) as u32), (b, 1 + rng.below(3) as u32)];
        let state = Structures::new(sig, &sizes).random(&mut rng);
        let all = Partial::of_state(sig, &state, 0).expect("few facts");
        let partial = random_part(&all, sig, &mut rng);
        let mut terms = Terms::new();
        let diagram = partial.diagram(terms.over_mut(sig), |sort, elem| format!("x{}_{elem}", sort.index()));
        let conjecture = partial.conjecture(terms.over_mut(sig));

        // Printed, parsed back.
        let text = Pretty::new(terms.over(sig), conjecture).to_string();
        // An invariant has to speak of the state, which a conjecture about different elements does not.
        let model = format!("{}invariant ({text}) & (forall Z:a. s(Z) | true)\n", declarations(sig));
        let (system, diagnostics) = pyv::load(FileId::new(0), &model);
        let system = system.unwrap_or_else(|| panic!("seed {seed}: {text}\n{diagnostics:?}"));
        assert_eq!(system.sig.symbols.len(), sig.symbols.len());
        let read = system.invariants[0].formula;
        parsed += 1;

        assert!(
            !Evaluator::new(terms.over(sig), &state).holds(conjecture),
            "seed {seed}: {text} holds of its state"
        );
        for _ in 0..40 {
            let sizes = [(a, 1 + rng.below(3) as u32), (b, 1 + rng.below(3) as u32)];
            let structures = Structures::new(sig, &sizes);
            let mut other = if sizes[0].1 == state.sizes[a] && sizes[1].1 == state.sizes[b] && rng.one_in(2) {
                state.clone()
            } else {
                structures.random(&mut rng)
            };
            for _ in 0..rng.below(4) {
                structures.disturb(&mut other, &mut rng);
            }
            let expected = !Evaluator::new(terms.over(sig), &other).holds(diagram);
            assert_eq!(
                Evaluator::new(terms.over(sig), &other).holds(conjecture),
                expected,
                "seed {seed}: {text}"
            );
            let is_in = partial.is_in(sig, &other, 0, &mut Budget::unlimited());
            assert_eq!(is_in, Ok(!expected), "seed {seed}: {text}");
            let back = Evaluator::new(system.syntax(), &other).holds(read);
            assert_eq!(back, expected, "seed {seed}: {text} as it is read back");
            compared += 1;
            violated += u64::from(!expected);
        }
    }
    assert!(compared == 40 * seeds && parsed == seeds);
    assert!(violated > 6 * seeds && violated < 34 * seeds, "{violated}");
}

/// A state contains itself: Lemma 4.2, for the whole and for a part.
#[test]
fn conjectures_read_well() {
    let model = include_str!("../models/leader_election.pyv");
    let (system, _) = pyv::load(FileId::new(0), model);
    let mut system = system.expect("a model");
    let sig = system.sig.clone();
    let sym = |name: &str| sig.symbols.ids().find(|&sym| sig.symbols[sym].name == name).expect("declared");
    let (idn, le, leader, pnd) = (sym("idn"), sym("le"), sym("leader"), sym("pnd"));
    let node = sig.symbols[leader].args[0];
    let relation = |sym, args: &[u32], positive| Fact::Relation { sym, args: args.to_vec(), positive };
    let value = |elem| Fact::Value { sym: idn, args: vec![elem], value: elem, positive: true };
    let differ = Fact::Distinct { sort: node, pair: [0, 1] };
    let cases = [
        (
            vec![
                relation(le, &[0, 1], true),
                relation(pnd, &[0, 0], true),
                value(0),
                value(1),
                differ.clone(),
            ],
            "forall N1:node, N2:node. le(idn(N1), idn(N2)) & pnd(idn(N1), N1) -> N1 = N2",
        ),
        (vec![relation(leader, &[1], false)], "forall N:node. leader(N)"),
        (vec![relation(leader, &[1], true)], "forall N:node. !leader(N)"),
        (
            vec![relation(pnd, &[1, 0], true), relation(leader, &[0], true)],
            "forall N:node, I:id. !(pnd(I, N) & leader(N))",
        ),
        (vec![differ], "forall N1:node, N2:node. N1 = N2"),
        (Vec::new(), "false"),
    ];
    for (facts, expected) in cases {
        let formula = Partial { facts }.conjecture(system.terms.over_mut(&sig));
        assert_eq!(Pretty::new(system.terms.over(&sig), formula).to_string(), expected);
    }
}

/// Sorts with the same first letter, one of them all of another's name.
#[test]
fn variables_are_called_after_their_sorts() {
    let model = "sort thread\nsort ticket\nsort node\nsort nodes\nimmutable constant T: thread\n\
                 mutable relation has(thread, ticket)\nmutable relation in(node, nodes)\nmutable relation on(thread)\n";
    let (system, _) = pyv::load(FileId::new(0), &model.replace("in(", "inside("));
    let mut system = system.expect("a model");
    let sig = system.sig.clone();
    let fact = |name: &str, args: &[u32]| {
        let sym = sig.symbols.ids().find(|&sym| sig.symbols[sym].name == name).expect("declared");
        Fact::Relation { sym, args: args.to_vec(), positive: true }
    };
    let cases = [
        (vec![fact("has", &[0, 0])], "forall TH:thread, TI:ticket. !has(TH, TI)"),
        (vec![fact("inside", &[0, 0])], "forall NODE:node, NODES:nodes. !inside(NODE, NODES)"),
        (vec![fact("on", &[0])], "forall TH:thread. !on(TH)"),
    ];
    for (facts, expected) in cases {
        let formula = Partial { facts }.conjecture(system.terms.over_mut(&sig));
        assert_eq!(Pretty::new(system.terms.over(&sig), formula).to_string(), expected);
    }
}

fn holds_within(system: &System, formula: ramsey::logic::TermId, depth: u16) -> bool {
    let options =
        bmc::Options { minimize: false, ..bmc::Options::new(vec![Target::Formula(formula)], depth) };
    violation(&Arc::new(system.clone()), options).is_none()
}

/// Returns models without their invariants other than safety properties.
fn weakened() -> Vec<System> {
    let texts = [
        include_str!("../../examples/lock_server.pyv"),
        include_str!("../../examples/ring_leader.pyv"),
        include_str!("../../examples/toy_consensus.pyv"),
        include_str!("../../examples/two_phase_commit.pyv"),
    ];
    texts
        .iter()
        .map(|text| {
            let (system, _) = pyv::load(FileId::new(0), text);
            let mut system = system.expect("an example");
            system.invariants.retain(|invariant| invariant.is_safety);
            system
        })
        .collect()
}

/// A conjecture holds as far as the bound goes, and none of its facts can be left out.
#[test]
fn generalizations_are_minimal() {
    let (mut conjectures, mut reached) = (0, 0);
    for (number, system) in weakened().into_iter().enumerate() {
        let options = ramsey::query::cti::Options {
            measures: complete(&system.sig, &[]),
            ..ramsey::query::cti::Options::default()
        };
        let answer = cti(Arc::new(system.clone()), &options, &Limits::default());
        let result = answer.verification.results.first();
        let Some(Outcome::Fails(found)) = result.map(|result| &result.outcome) else { continue };
        assert!(answer.reached.iter().flatten().all(|reached| reached.is_minimal));
        let state = found.structure.state(&answer.verification.obligations.sig, 0).reduct(&system.sig);
        let all = Partial::of_state(&system.sig, &state, 0).expect("few facts");
        for seed in 0..12 {
            // Some symbols say nothing, and of the others some facts are not told.
            let mut rng = Rng::new(number as u64 * 100 + seed);
            let silent: Vec<bool> = system.sig.symbols.iter().map(|_| seed > 0 && rng.one_in(4)).collect();
            let told = |fact: &&Fact| {
                fact.symbol().is_none_or(|sym| !silent[sym.index()]) && (seed < 6 || !rng.one_in(8))
            };
            let upper = Partial { facts: all.facts.iter().filter(told).cloned().collect() }
                .without_implied()
                .without_strays(&system.sig);
            let bound = 1 + (seed % 3) as u16;
            let options = Options { bound, seed, ..Options::default() };
            // Some facts have to stay.
            let kept: Vec<usize> = (0..upper.facts.len()).filter(|_| seed >= 6 && rng.one_in(20)).collect();
            match generalize(&system, &upper, &kept, &options, &Limits::default(), &mut |_| ()) {
                Generalization::Conjecture(conjecture) => {
                    conjectures += 1;
                    let kept: Vec<&Fact> = kept.iter().map(|&at| &upper.facts[at]).collect();
                    check_conjecture(&system, &state, &upper, &kept, bound, &conjecture);
                }
                Generalization::Reachable(found, system) => {
                    reached += 1;
                    // The last state has what the conjecture of the upper bound excludes.
                    let last = found.structure.state(&system.sig, found.calls.len());
                    let mut terms = system.terms.clone();
                    let formula = upper.conjecture(terms.over_mut(&system.sig));
                    assert!(!Evaluator::new(terms.over(&system.sig), &last).holds(formula));
                    assert!(found.calls.len() <= bound.into());
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(conjectures >= 20 && reached >= 5, "{conjectures} conjectures, {reached} executions");
}

fn check_conjecture(
    system: &System,
    state: &Structure,
    upper: &Partial,
    kept: &[&Fact],
    bound: u16,
    found: &Conjecture,
) {
    assert!(found.is_minimal);
    assert!(kept.iter().all(|&fact| found.partial.facts.contains(fact)));
    assert!(found.partial.facts.iter().all(|fact| upper.facts.contains(fact)));
    assert!(holds_within(&found.system, found.formula, bound));
    // The state that was generalized is excluded.
    assert!(!Evaluator::new(found.system.terms.over(&system.sig), state).holds(found.formula));
    for left_out in 0..found.partial.facts.len() {
        if kept.contains(&&found.partial.facts[left_out]) {
            continue;
        }
        let mut weaker = found.partial.clone();
        weaker.facts.remove(left_out);
        let mut system = system.clone();
        let formula = weaker.conjecture(system.syntax_mut());
        assert!(!holds_within(&system, formula, bound), "{:?}", found.partial.facts[left_out]);
    }
    // Initiation is the bound 0.
    let induction = check_induction(&found.system, found.formula, 0, &Limits::default());
    assert!(matches!(induction.obligations[0].1, Outcome::Holds { .. }));
}

/// Returns the first counterexample to induction of a system, over its signature.
fn first_counterexample(system: &System) -> Option<(Origin, Structure)> {
    let options = ramsey::query::cti::Options {
        measures: complete(&system.sig, &[]),
        ..ramsey::query::cti::Options::default()
    };
    let answer = cti(Arc::new(system.clone()), &options, &Limits::default());
    let result = answer.verification.results.into_iter().next()?;
    let Outcome::Fails(found) = result.outcome else { return None };
    Some((result.origin, found.structure.reduct(&system.sig)))
}

/// A conjecture that was deepened holds as far as the larger bound goes, and none of its facts can be left out.
#[test]
fn deepened_conjectures_are_minimal() {
    let (mut conjectures, mut deepened) = (0, 0);
    for system in weakened() {
        let Some((_, states)) = first_counterexample(&system) else { continue };
        let state = states.state(&system.sig, 0);
        let upper = Partial::of_state(&system.sig, &state, 0).expect("few facts").without_implied();
        for seed in 0..4 {
            let options = Options { bound: 0, deepen: 3, seed, ..Options::default() };
            let answer = generalize(&system, &upper, &[], &options, &Limits::default(), &mut |_| ());
            let Generalization::Conjecture(conjecture) = answer else { continue };
            assert_eq!(conjecture.bound, 3);
            check_conjecture(&system, &state, &upper, &[], 3, &conjecture);
            for (steps, fact) in &conjecture.taken_back {
                assert!((1..=3).contains(steps) && conjecture.partial.facts.contains(fact));
            }
            conjectures += 1;
            deepened += usize::from(!conjecture.taken_back.is_empty());
        }
    }
    assert!(conjectures >= 8 && deepened >= 4, "{conjectures} conjectures, {deepened} deepened");
}

/// A conjecture holds in the states that are given as reached, or one of these has all facts.
#[test]
fn conjectures_hold_in_known_states() {
    let (mut kept, mut known) = (0, 0);
    for system in weakened() {
        let Some((_, states)) = first_counterexample(&system) else { continue };
        let sig = &system.sig;
        let state = states.state(sig, 0);
        let upper = Partial::of_state(sig, &state, 0).expect("few facts").without_implied();
        let sizes: Vec<_> = sig.uninterpreted_sorts().map(|sort| (sort, state.sizes[sort])).collect();
        let structures = Structures::new(sig, &sizes);
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut disturbed = |times: usize| {
                let mut other = state.clone();
                (0..times).for_each(|_| structures.disturb(&mut other, &mut rng));
                other
            };
            let reached: Vec<Structure> = (0..4).map(|at| disturbed(at + seed as usize % 4)).collect();
            let options = Options { bound: 1, reached: reached.clone(), ..Options::default() };
            match generalize(&system, &upper, &[], &options, &Limits::default(), &mut |_| ()) {
                Generalization::Conjecture(found) => {
                    let syntax = || found.system.terms.over(sig);
                    assert!(reached.iter().all(|it| Evaluator::new(syntax(), it).holds(found.formula)));
                    assert!(holds_within(&found.system, found.formula, 1));
                    kept += 1;
                }
                Generalization::Known(index) => {
                    let is_in = upper.is_in(sig, &reached[index], 0, &mut Budget::unlimited());
                    assert_eq!(is_in, Ok(true));
                    known += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(kept >= 10 && known >= 10, "{kept} conjectures, {known} known states");
}

/// One step after the state of a counterexample to induction, the invariant that is not preserved is false.
#[test]
fn invariants_are_false_after_a_step() {
    let mut count = 0;
    for system in weakened() {
        let Some((Origin::Consecution { invariant, .. }, states)) = first_counterexample(&system) else {
            continue;
        };
        let refuted = |states: &Structure| {
            false_after_step(&system, states, &mut Budget::unlimited()).expect("an answer")
        };
        assert!(refuted(&states).contains(&invariant));
        // Back from the state behind the transition no step leads to one without the invariants.
        let mut back = states.state(&system.sig, 1);
        back.push_state(&system.sig, &states, 0);
        assert!(refuted(&back).is_empty());
        assert!(refuted(&states.state(&system.sig, 0)).is_empty());
        let mut all = Partial::of_state(&system.sig, &states, 0).expect("few facts").without_implied();
        assert!(is_whole(&system, &all, &states, 0));
        all.facts.pop();
        assert!(!is_whole(&system, &all, &states, 0));
        count += 1;
    }
    assert!(count >= 3, "{count}");
}

/// Claims are refuted after as few steps as each is by itself.
#[test]
fn triage_refutes_what_single_searches_refute() {
    let texts = [
        include_str!("../../examples/lock_server_broken.pyv"),
        include_str!("../../examples/lock_server.pyv"),
    ];
    let (mut refuted, mut others) = (0, 0);
    for text in texts {
        // Some claims are false after 0, 2 and 3 steps.
        let more =
            "\ninvariant [busy] !free\ninvariant [none] !owns(C)\ninvariant [idle] holds(C) -> !owns(C)\n";
        let (system, _) = pyv::load(FileId::new(0), &format!("{text}{more}"));
        let system = Arc::new(system.expect("an example"));
        let bound = 4;
        let properties: Vec<Property> = (0..system.invariants.len()).map(Property::Invariant).collect();
        let search = triage::Search::new(
            Arc::clone(&system),
            &properties,
            bound,
            Some(ramsey::infer::lemmas),
            0,
            None,
        );
        let triage = search.run(&Limits::default(), &mut |_, _| ());
        assert!(triage.exhausted.is_none() && triage.internal_error.is_none());
        assert!(triage.refuted.is_sorted_by_key(|it| it.steps));
        for &property in &properties {
            let options = bmc::Options::new(vec![Target::Model(property)], bound);
            let expected = violation(&system, bmc::Options { minimize: false, ..options }).map(|it| it.0);
            let found = triage.refuted.iter().find(|it| it.property == property);
            assert_eq!(found.map(|it| it.steps), expected, "{}", property.label(&system));
            let Some(found) = found else {
                others += 1;
                continue;
            };
            let execution = &found.violation.counterexample;
            let last = execution.structure.state(&system.sig, execution.calls.len());
            assert!(!Evaluator::new(system.syntax(), &last).holds(property.formula(&system)));
            refuted += 1;
        }
    }
    assert!(refuted >= 5 && others >= 5, "{refuted} refuted, {others} not");
}

#[test]
fn without_budget_there_is_no_answer() {
    let system = weakened().remove(0);
    let mut terms = system.terms.clone();
    let structure = ramsey::logic::Structure::new(&system.sig, 1);
    let upper = Partial::of_state(&system.sig, &structure, 0).expect("few facts");
    let _ = upper.conjecture(terms.over_mut(&system.sig));
    let limits = Limits { work: Some(1), ..Limits::default() };
    let options = Options { bound: 3, ..Options::default() };
    let answer = generalize(&system, &upper, &[], &options, &limits, &mut |_| ());
    assert!(matches!(answer, Generalization::Unknown(_)));
}

#[test]
fn induction_without_an_answer_is_neither() {
    let origin = Origin::Initiation { invariant: 0 };
    let holds = || (origin, Outcome::Holds { core: Vec::new() });
    let unknown = (origin, Outcome::Unknown(Exhausted::Work));
    let inductive = |obligations| InductionCheck { obligations }.is_inductive();
    assert_eq!(inductive(vec![holds()]), Some(true));
    assert_eq!(inductive(vec![holds(), unknown]), None);
}
