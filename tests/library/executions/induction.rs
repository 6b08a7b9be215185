//! Proofs by induction within bounded model checking: against the greatest inductive subset on small structures, and
//! without hiding violations.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::effort::cases;
use ramsey::ask::Failure;
use ramsey::base::budget::{Budget, Exhausted};
use ramsey::epr::Clock;
use ramsey::logic::TermId;
use ramsey::query::Counterexample;
use ramsey::query::inductive::Induction;

use super::*;

/// Returns the members of the greatest inductive subset of all invariants, over universes of these sizes.
fn greatest_subset(system: &System, sizes: std::ops::RangeInclusive<u32>) -> Vec<bool> {
    let mut kept = vec![true; system.invariants.len()];
    let graphs: Vec<_> = sizes
        .map(|size| {
            let all = legal_states(system, size);
            let edges: Vec<(usize, usize)> = edges(system, &all).into_iter().flatten().collect();
            let values: Vec<Vec<bool>> = all
                .iter()
                .map(|state| system.invariants.iter().map(|it| holds(system, state, it.formula)).collect())
                .collect();
            (all, edges, values)
        })
        .collect();
    for (all, _, values) in &graphs {
        for (state, values) in all.iter().zip(values) {
            if is_initial(system, state) {
                kept.iter_mut().zip(values).for_each(|(kept, holds)| *kept &= holds);
            }
        }
    }
    loop {
        let before = kept.clone();
        for (_, edges, values) in &graphs {
            for &(from, to) in edges {
                if kept.iter().zip(&values[from]).all(|(kept, holds)| !kept || *holds) {
                    kept.iter_mut().zip(&values[to]).for_each(|(kept, holds)| *kept &= holds);
                }
            }
        }
        if kept == before {
            return kept;
        }
    }
}

/// Returns the answer, computed in steps of `portion` units of work if given.
fn is_inductive(system: &Arc<System>, portion: Option<u64>) -> bool {
    let mut induction = Induction::new(system, &[system.invariants[0].formula], 0, None);
    let mut units = portion;
    for _ in 0..10_000 {
        match induction.advance(&mut Budget::new(units, None)) {
            Ok(answer) => return answer,
            Err(exhausted) => assert_eq!(exhausted, Exhausted::Work),
        }
        units = units.map(|units| units + 100);
    }
    panic!("no answer");
}

#[test]
fn proofs_agree_with_the_greatest_inductive_subset() {
    let (mut proved, mut refuted, mut larger, mut with_help) = (0, 0, 0, 0);
    for seed in 0..cases(75) {
        let mut rng = Rng::new(9_000 + seed);
        let mut text = Writer(&mut rng).system();
        for _ in 0..3 {
            text += &format!("invariant c = c & {}\n", Writer(&mut rng).formula(&["a", "c"], 2, 0));
        }
        let system = Arc::new(load(&text));
        let expected = greatest_subset(&system, 1..=2)[0];
        let answer = is_inductive(&system, None);
        assert_eq!(is_inductive(&system, Some(100)), answer, "seed {seed}: the answer in portions\n{text}");
        match (answer, expected) {
            (true, true) => {
                proved += 1;
                let mut alone = System::clone(&system);
                alone.invariants.truncate(1);
                with_help += usize::from(!is_inductive(&Arc::new(alone), None));
            }
            (false, false) => refuted += 1,
            (false, true) => larger += 1,
            (true, false) => panic!("seed {seed}: it is not inductive\n{text}"),
        }
    }
    assert!(
        proved >= 20 && refuted >= 50 && larger <= 15 && with_help >= 1,
        "{proved} proved, {with_help} of them with others, {refuted} refuted, {larger} by larger structures"
    );
}

/// Returns the ring, with additional flags that are raised one after the other.
fn ring_with_flags(flags: usize) -> Arc<System> {
    let (mut text, _) = example("ring_leader.pyv");
    for flag in 0..flags {
        text += &format!("mutable relation flag{flag}()\ninit !flag{flag}\n");
        let before = if flag == 0 { "true".to_owned() } else { format!("flag{}", flag - 1) };
        text +=
            &format!("transition raise{flag}()\n  modifies flag{flag}\n  & {before}\n  & new(flag{flag})\n");
    }
    text += &format!("safety [low] !flag{}\n", flags - 1);
    // Not inductive, violated, and no part of any proof.
    text += "invariant [no_flag] !flag0\ninvariant [nothing_sent] !pending(I, N)\n";
    Arc::new(load(&text))
}

fn depths(system: &Arc<System>, name: &str, depth: u16, induction: bool) -> Vec<Depth> {
    let index = system.invariants.iter().position(|it| it.label == name).expect("an invariant");
    let targets = vec![Target::Model(Property::Invariant(index))];
    let options = bmc::Options { targets, induction, minimize: false, ..options(system, depth, 0) };
    run(Bmc::new(Arc::clone(system), options))
}

/// The property of the ring is proved although other invariants of the model are violated; so is no property that is
/// violated after some steps, and the violation is found at its depth.
#[test]
fn induction_hides_no_violation() {
    let system = ring_with_flags(5);
    let proved = depths(&system, "one_leader", 8, true);
    assert_eq!(proved.len(), 9);
    assert!(proved.iter().all(|it| matches!(it.outcome, bmc::Outcome::Holds)));
    assert!(proved[8].by_induction.is_some() && proved[0].by_induction.is_none());
    let mut targets = options(&system, 8, 0);
    targets.minimize = false;
    let (steps, found) = violation(run(Bmc::new(Arc::clone(&system), targets))).expect("a violation");
    assert_eq!(steps, 5);
    states(&system, &found.counterexample.structure, &found.counterexample.calls);
    for induction in [false, true] {
        let found = violation(depths(&system, "low", 6, induction)).map(|(steps, _)| steps);
        assert_eq!(found, Some(5));
    }
    let unrolled = depths(&system, "one_leader", 3, false);
    assert!(unrolled.iter().all(|it| it.by_induction.is_none() && matches!(it.outcome, bmc::Outcome::Holds)));
}

fn depths_with(system: &Arc<System>, name: &str, depth: u16, lemmas: bmc::LemmaSource) -> Vec<Depth> {
    let index = system.invariants.iter().position(|it| it.label == name).expect("an invariant");
    let targets = vec![Target::Model(Property::Invariant(index))];
    let lemmas = Some(lemmas);
    let options =
        bmc::Options { targets, induction: false, lemmas, minimize: false, ..options(system, depth, 0) };
    run(Bmc::new(Arc::clone(system), options))
}

/// The ring without the invariants that its proof needs.
fn bare_ring(flags: usize) -> Arc<System> {
    let mut system = System::clone(&ring_with_flags(flags));
    system.invariants.retain(|it| ["one_leader", "low"].contains(&it.label.as_str()));
    Arc::new(system)
}

#[test]
fn lemmas_that_are_found_prove_all_lengths() {
    let proved = depths_with(&bare_ring(3), "one_leader", 20, ramsey::infer::lemmas);
    assert_eq!(proved.len(), 21);
    assert!(proved.iter().all(|it| matches!(it.outcome, bmc::Outcome::Holds)));
    assert!(proved[0].by_induction.is_none() && proved[20].by_induction == Some(bmc::Basis::Lemmas));
}

/// Small instances of chain replication have the lemmas at once; the other methods would take a long turn before that.
#[test]
fn lemmas_of_small_instances_are_found_first() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/chain_replication.rml");
    let text = std::fs::read_to_string(path).expect("an example");
    let mut system = models::system("model.rml", &text);
    system.invariants.retain(|it| it.is_safety);
    let lemmas: Option<bmc::LemmaSource> = Some(ramsey::infer::lemmas);
    let options = bmc::Options { lemmas, ..bmc::Options::new(safety(&system), 20) };
    let depths = run(Bmc::new(Arc::new(system), options));
    assert_eq!(depths.last().expect("an answer").by_induction, Some(bmc::Basis::Lemmas));
    let work: u64 = depths.iter().map(|it| it.statistics.work).sum();
    assert!(work < 8_000_000, "{work}");
}

#[test]
fn lemmas_that_are_found_hide_no_violation() {
    let found = violation(depths_with(&bare_ring(6), "low", 8, ramsey::infer::lemmas));
    let (steps, found) = found.expect("a violation");
    assert_eq!(steps, 6);
    states(&bare_ring(6), &found.counterexample.structure, &found.counterexample.calls);
}

/// Lemmas with which everything could be proved: contradictory ones, each of which is said to follow from the others.
#[derive(Debug)]
struct Contradiction(Option<bmc::Lemmas>);

/// How often such lemmas were asked for.
static ASKED: AtomicUsize = AtomicUsize::new(0);

impl bmc::LemmaSearch for Contradiction {
    fn advance(&mut self, _: &mut Budget) -> Result<bmc::LemmaAnswer, Failure> {
        ASKED.fetch_add(1, Ordering::Relaxed);
        Ok(self.0.take().map_or(bmc::LemmaAnswer::Nothing, bmc::LemmaAnswer::Lemmas))
    }
}

fn contradiction(
    system: &Arc<System>,
    targets: &[TermId],
    _: u64,
    _: Option<Clock>,
) -> Option<Box<dyn bmc::LemmaSearch>> {
    let mut system = System::clone(system);
    let negations: Vec<TermId> = targets.iter().map(|&target| system.terms.not(target)).collect();
    let formulas = [negations, vec![system.terms.fals()]].concat();
    let all: Vec<usize> = (0..targets.len() + formulas.len()).collect();
    let hints = vec![vec![Some(all.clone()); system.transitions.len()]; all.len()];
    Some(Box::new(Contradiction(Some(bmc::Lemmas { system: Arc::new(system), formulas, hints }))))
}

#[test]
fn wrong_lemmas_prove_nothing() {
    let system = bare_ring(6);
    let found = violation(depths_with(&system, "low", 8, contradiction)).map(|(steps, _)| steps);
    assert_eq!(found, Some(6));
    let unproved = depths_with(&system, "one_leader", 5, contradiction);
    assert!(unproved.iter().all(|it| matches!(it.outcome, bmc::Outcome::Holds) && it.by_induction.is_none()));
    assert!(ASKED.load(Ordering::Relaxed) > 0, "the lengths were over before the lemmas were asked for");
}

/// A search that knows an execution that violates its first target.
#[derive(Debug)]
struct Longer(Box<Counterexample>);

impl bmc::LemmaSearch for Longer {
    fn advance(&mut self, _: &mut Budget) -> Result<bmc::LemmaAnswer, Failure> {
        Ok(bmc::LemmaAnswer::Violation(0, self.0.clone()))
    }
}

/// Prepares it with an execution that violates `low` and repeats its first state until it has this number of steps.
fn longer(system: &Arc<System>, steps: usize) -> Option<Box<dyn bmc::LemmaSearch>> {
    let (_, found) = violation(depths(system, "low", 6, false))?;
    let mut known = found.counterexample;
    let states: Vec<Structure> =
        (0..known.structure.states()).map(|step| known.structure.state(&system.sig, step)).collect();
    known.structure = states[0].clone();
    while known.calls.len() < steps {
        known.structure.push_state(&system.sig, &states[0], 0);
        known.calls.insert(0, known.calls[0].clone());
    }
    for state in &states[1..] {
        known.structure.push_state(&system.sig, state, 0);
    }
    Some(Box::new(Longer(Box::new(known))))
}

#[test]
fn a_known_violation_does_not_replace_a_shorter_one() {
    let depths = depths_with(&bare_ring(6), "low", 8, |system, _, _, _| longer(system, 7));
    assert!(depths.last().expect("an answer").is_shortest);
    let (steps, found) = violation(depths).expect("a violation");
    assert_eq!(steps, 6);
    states(&bare_ring(6), &found.counterexample.structure, &found.counterexample.calls);
}

/// That the ring has one leader takes long to show, and what is said to violate it is shown after a while. The claim mentions the
/// flag, so that it depends on what the execution does.
#[test]
fn a_known_violation_is_shown_where_shorter_ones_take_too_long() {
    let mut system = System::clone(&bare_ring(1));
    let [one_leader, low] = [0, 1].map(|at| system.invariants[at].formula);
    let either = [system.terms.not(low), low];
    let either = system.terms.or(&either);
    system.invariants[0].formula = system.terms.and(&[one_leader, either]);
    let found = depths_with(&Arc::new(system), "one_leader", 20, |system, _, _, _| longer(system, 20));
    let last = found.last().expect("an answer");
    assert!(matches!(last.outcome, bmc::Outcome::Violated(_)), "{}", last.outcome);
    assert!(!last.is_shortest && last.steps == Some(20), "{:?}", last.steps);
    assert!(found.len() < 20);
}

/// Returns the work units to show that 8 steps of Paxos violate nothing, with steps in order after so many units.
fn work_with_order(order_after: u64) -> u64 {
    let (_, system) = example("paxos.pyv");
    let options = bmc::Options { order_after, ..bmc::Options::new(safety(&system), 8) };
    let depths = run(Bmc::new(Arc::new(system), options));
    assert!(depths.iter().all(|it| matches!(it.outcome, bmc::Outcome::Holds)), "{depths:?}");
    depths.iter().map(|it| it.statistics.work).sum()
}

#[test]
fn executions_in_another_order_are_left_out() {
    let [ordered, all] = [0, u64::MAX].map(work_with_order);
    assert!(2 * ordered < all, "{ordered} {all}");
}
