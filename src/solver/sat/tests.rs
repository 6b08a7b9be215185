//! Random sequences of clauses, variables and solves, compared with brute force and the proof checker.

use super::lrat::Checker;
use super::{Answer, Config, Lit, Observer, Silent, Solver, Var};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id;
use ramsey_core::base::rng::Rng;

/// Returns a configuration with minimal intervals, so that rare paths are common on small inputs.
fn hasty(seed: u64) -> Config {
    Config {
        seed,
        restart_interval: 1,
        restart_margin: 0.5,
        reluctant_period: 2,
        mode_interval: 5,
        rephase_interval: 4,
        reduce_interval: 3,
        reduce_percent: 90,
        core_glue: 1,
        tier2_glue: 8,
        vivify_interval: 3,
        vivify_percent: 100_000,
        subsume_interval: 4,
        subsume_percent: 100_000,
    }
}

fn random_clause(rng: &mut Rng, vars: usize, max_len: usize) -> Vec<Lit> {
    let len = 1 + rng.below(max_len) + usize::from(!rng.one_in(4));
    (0..len).map(|_| Var::new(rng.below(vars)).literal(rng.one_in(2))).collect()
}

fn holds(clause: &[Lit], model: u32) -> bool {
    clause.iter().any(|lit| (model >> lit.var().index() & 1 == 1) != lit.is_negative())
}

fn has_model(clauses: &[Vec<Lit>], vars: usize, assumptions: &[Lit]) -> bool {
    (0..1u32 << vars).any(|model| {
        clauses.iter().all(|clause| holds(clause, model))
            && assumptions.iter().all(|lit| holds(&[*lit], model))
    })
}

fn check_answer(solver: &Solver<Checker>, clauses: &[Vec<Lit>], assumptions: &[Lit], answer: Answer) {
    assert_eq!(solver.observer().flaw(), None);
    let vars = solver.num_vars();
    assert_eq!(answer == Answer::Sat, has_model(clauses, vars, assumptions));
    if answer == Answer::Sat {
        assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| solver.value(lit))));
        assert!(assumptions.iter().all(|&lit| solver.value(lit)));
        assert!(
            (0..vars).map(Var::new).all(|var| solver.value(var.positive()) != solver.value(var.negative()))
        );
        return;
    }
    assert!(solver.core().iter().all(|lit| assumptions.contains(lit)));
    assert!(!has_model(clauses, vars, solver.core()), "the core suffices");
    let contradictory = solver.core().iter().any(|&lit| solver.core().contains(&!lit));
    match solver.core_clause() {
        None => assert!(contradictory, "only a tautology needs no derivation"),
        Some(id) => {
            let mut derived = solver.observer().clause(id).expect("the core clause").to_vec();
            let mut expected: Vec<Lit> = solver.core().iter().map(|&lit| !lit).collect();
            derived.sort_unstable();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(derived, expected);
        }
    }
}

/// Extends a formula clause by clause and solves in between.
fn random_session(seed: u64, config: Config) {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::with_config(config, Checker::new());
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let max_vars = 3 + rng.below(9);
    let max_len = 2 + rng.below(3);
    (0..1 + rng.below(max_vars)).for_each(|_| _ = solver.new_var());
    let mut assumptions: Vec<Lit> = Vec::new();
    for _ in 0..2 + rng.below(10) {
        if solver.num_vars() < max_vars && rng.one_in(2) {
            let var = solver.new_var();
            solver.set_phase(var, rng.one_in(2));
        }
        for _ in 0..rng.below(2 * max_vars) {
            let clause = random_clause(&mut rng, solver.num_vars(), max_len);
            solver.add_clause(&clause);
            clauses.push(clause);
        }
        if rng.one_in(2) {
            assumptions.truncate(rng.below(4));
            (0..rng.below(4)).for_each(|_| assumptions.extend(random_clause(&mut rng, solver.num_vars(), 1)));
        }
        if rng.one_in(5) {
            let before = solver.clone();
            let tight = solver.solve(&assumptions, &mut Budget::new(Some(1 + rng.below(50) as u64), None));
            assert!(matches!(tight, Ok(_) | Err(Exhausted::Work)));
            if rng.one_in(4) {
                solver = before;
            }
        }
        let answer = solver.solve(&assumptions, &mut Budget::unlimited()).expect("an unlimited budget");
        check_answer(&solver, &clauses, &assumptions, answer);
        for index in 0..solver.num_vars() {
            let lit = Var::new(index).positive();
            if let Some(value) = solver.fixed(lit) {
                let other = if value { !lit } else { lit };
                assert!(!has_model(&clauses, solver.num_vars(), &[other]));
            }
        }
    }
}

#[test]
fn random_sessions_agree_with_brute_force() {
    for seed in 0..1500 {
        random_session(seed, Config { seed, ..Config::default() });
    }
}

#[test]
fn random_sessions_in_haste_agree_with_brute_force() {
    for seed in 0..3000 {
        random_session(seed, hasty(seed));
    }
}

/// Pigeonhole clauses for `n + 1` pigeons in `n` holes. Each pigeon's clause is switched on by its own variable.
fn pigeons<O: Observer>(solver: &mut Solver<O>, holes: usize) -> Vec<Lit> {
    let at: Vec<Vec<Lit>> =
        (0..=holes).map(|_| (0..holes).map(|_| solver.new_var().positive()).collect()).collect();
    let switches: Vec<Lit> = (0..=holes).map(|_| solver.new_var().positive()).collect();
    for (row, &switch) in at.iter().zip(&switches) {
        let mut clause = row.clone();
        clause.push(!switch);
        solver.add_clause(&clause);
    }
    for (pigeon, row) in at.iter().enumerate() {
        for other in &at[..pigeon] {
            row.iter().zip(other).for_each(|(&here, &there)| solver.add_clause(&[!here, !there]));
        }
    }
    switches
}

#[test]
fn pigeonhole_refutations_are_checked() {
    for config in [Config::default(), hasty(1)] {
        for holes in 2..7 {
            let mut solver = Solver::with_config(config, Checker::new());
            let switches = pigeons(&mut solver, holes);
            let unlimited = &mut Budget::unlimited();
            assert_eq!(solver.solve(&switches[1..], unlimited), Ok(Answer::Sat));
            assert_eq!(solver.solve(&switches, unlimited), Ok(Answer::Unsat));
            assert_eq!(solver.core().len(), holes + 1, "every pigeon is needed");
            assert_eq!(solver.solve(&switches[..holes], unlimited), Ok(Answer::Sat));
            switches.iter().for_each(|&switch| solver.add_clause(&[switch]));
            assert_eq!(solver.solve(&[], unlimited), Ok(Answer::Unsat));
            assert!(solver.core().is_empty() && solver.is_refuted());
            assert_eq!(solver.observer().flaw(), None);
            let empty = solver.core_clause().and_then(|id| solver.observer().clause(id));
            assert_eq!(empty, Some(&[][..]));
        }
    }
}

/// Two chains of exclusive ors over the same variables in different orders, with different parities.
fn parity<O: Observer>(solver: &mut Solver<O>, size: usize, rng: &mut Rng) {
    let inputs: Vec<Lit> = (0..size).map(|_| solver.new_var().positive()).collect();
    for sum in [false, true] {
        let mut order = inputs.clone();
        (1..size).for_each(|at| order.swap(at, rng.below(at + 1)));
        let mut total = order[0];
        for &input in &order[1..] {
            let next = solver.new_var().positive();
            for bits in 0..4 {
                let (a, b) = (bits & 1 == 1, bits & 2 == 2);
                let flip = |lit: Lit, to: bool| if to { !lit } else { lit };
                solver.add_clause(&[flip(total, a), flip(input, b), flip(next, !(a ^ b))]);
            }
            total = next;
        }
        solver.add_clause(&[if sum { total } else { !total }]);
    }
}

#[test]
fn parity_refutations_are_checked() {
    for config in [Config::default(), hasty(2)] {
        for size in [4, 8, 10] {
            let mut solver = Solver::with_config(config, Checker::new());
            parity(&mut solver, size, &mut Rng::new(size as u64));
            assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
            assert_eq!(solver.observer().flaw(), None);
        }
    }
}

/// Random 3-clauses near the threshold, hard enough that every part of the solver runs.
fn random_3sat<O: Observer>(solver: &mut Solver<O>, vars: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    (0..vars).for_each(|_| _ = solver.new_var());
    for _ in 0..vars * 43 / 10 {
        let clause: Vec<Lit> = (0..3).map(|_| Var::new(rng.below(vars)).literal(rng.one_in(2))).collect();
        solver.add_clause(&clause);
    }
}

#[test]
fn hard_random_refutations_are_checked() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..12 {
        let config =
            Config { mode_interval: 100, vivify_interval: 100, subsume_interval: 150, ..Config::default() };
        let mut solver = Solver::with_config(config, Checker::new());
        random_3sat(&mut solver, 120, seed);
        match solver.solve(&[], &mut Budget::unlimited()) {
            Ok(Answer::Sat) => sat += 1,
            Ok(Answer::Unsat) => unsat += 1,
            Err(exhausted) => panic!("{exhausted}"),
        }
        assert_eq!(solver.observer().flaw(), None);
    }
    assert!(sat > 0 && unsat > 0, "{sat} with a model, {unsat} without");
}

#[test]
fn every_part_runs_in_haste() {
    let mut solver = Solver::with_config(hasty(3), Silent);
    random_3sat(&mut solver, 100, 5);
    solver.solve(&[], &mut Budget::unlimited()).expect("an unlimited budget");
    let stats = solver.stats();
    let counts = [
        stats.conflicts,
        stats.decisions,
        stats.restarts,
        stats.minimized_literals,
        stats.mode_switches,
        stats.rephases,
        stats.reduced,
        stats.collections,
        stats.vivified,
        stats.subsumed,
        stats.strengthened,
    ];
    assert!(counts.iter().all(|&count| count > 0), "{stats:?}");
}

#[test]
fn the_same_calls_give_the_same_run() {
    let run = || {
        let mut solver = Solver::with_config(hasty(4), Silent);
        random_3sat(&mut solver, 80, 9);
        let answers: Vec<_> = (0..80)
            .map(|index| solver.solve(&[Var::new(index).positive()], &mut Budget::unlimited()))
            .collect();
        (answers, *solver.stats())
    };
    assert_eq!(run(), run());
}

#[test]
fn observing_does_not_change_the_run() {
    let mut silent = Solver::with_config(hasty(4), Silent);
    let mut observed = Solver::with_config(hasty(4), Checker::new());
    random_3sat(&mut silent, 80, 9);
    random_3sat(&mut observed, 80, 9);
    let unlimited = &mut Budget::unlimited();
    assert_eq!(silent.solve(&[], unlimited), observed.solve(&[], unlimited));
    assert_eq!(silent.stats(), observed.stats());
}

#[test]
fn a_small_change_costs_a_small_amount_of_work() {
    let mut solver = Solver::new();
    let vars: Vec<Lit> = (0..20_000).map(|_| solver.new_var().positive()).collect();
    vars.windows(2).for_each(|pair| solver.add_clause(&[pair[0], !pair[1]]));
    let unlimited = &mut Budget::unlimited();
    assert_eq!(solver.solve(&[!vars[0]], unlimited), Ok(Answer::Sat));
    let before = *solver.stats();
    for _ in 0..100 {
        let extra = solver.new_var().positive();
        solver.add_clause(&[extra, vars[7]]);
        assert_eq!(solver.solve(&[!vars[0]], unlimited), Ok(Answer::Sat));
        assert!(solver.value(extra));
    }
    let work = solver.stats().propagations - before.propagations;
    assert!(work < 1000, "{work} literals propagated");
}

#[test]
fn a_budget_stops_the_search_and_leaves_it_usable() {
    let mut solver = Solver::new();
    let switches = pigeons(&mut solver, 7);
    let mut rounds = 0;
    let answer = loop {
        rounds += 1;
        match solver.solve(&switches, &mut Budget::new(Some(2000), None)) {
            Ok(answer) => break answer,
            Err(exhausted) => assert_eq!(exhausted, Exhausted::Work),
        }
    };
    assert_eq!(answer, Answer::Unsat);
    assert!(rounds > 2, "{rounds} rounds");
}

/// Clauses of a random circuit: the first variables are its leaves, all others conjunctions of two earlier literals.
fn random_circuit(rng: &mut Rng, leaves: usize, vars: usize) -> (Vec<Vec<Lit>>, Vec<[Lit; 2]>) {
    let (mut clauses, mut gates) = (Vec::new(), Vec::new());
    for var in leaves..vars {
        let own = Var::new(var).positive();
        let operands = [0; 2].map(|_| Var::new(rng.below(var)).literal(rng.one_in(2)));
        clauses.push(vec![!own, operands[0]]);
        clauses.push(vec![!own, operands[1]]);
        clauses.push(vec![own, !operands[0], !operands[1]]);
        gates.push(operands);
    }
    (clauses, gates)
}

#[test]
fn a_scope_changes_no_answer() {
    let mut answers = [0, 0];
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let (leaves, vars) = (4, 16);
        let (mut clauses, gates) = random_circuit(&mut rng, leaves, vars);
        let mut solver = Solver::with_config(hasty(seed), Checker::new());
        solver.new_vars(vars);
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        for _ in 0..20 {
            if rng.one_in(8) {
                let clause: Vec<Lit> =
                    (0..2).map(|_| Var::new(rng.below(leaves)).literal(rng.one_in(2))).collect();
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions: Vec<Lit> =
                (0..1 + rng.below(3)).map(|_| Var::new(rng.below(vars)).literal(rng.one_in(2))).collect();
            let mut scope: Vec<Var> = (0..leaves).map(Var::new).collect();
            let mut open: Vec<Var> = assumptions.iter().map(|lit| lit.var()).collect();
            while let Some(var) = open.pop() {
                if var.index() >= leaves && !scope.contains(&var) {
                    scope.push(var);
                    open.extend(gates[var.index() - leaves].iter().map(|lit| lit.var()));
                }
            }
            solver.set_scope((!rng.one_in(4)).then_some(scope.as_slice()));
            let answer = solver.solve(&assumptions, &mut Budget::unlimited()).expect("no limit");
            assert_eq!(solver.observer().flaw(), None, "seed {seed}");
            assert_eq!(answer == Answer::Sat, has_model(&clauses, vars, &assumptions), "seed {seed}");
            answers[usize::from(answer == Answer::Sat)] += 1;
            if answer == Answer::Sat {
                assert!(scope.iter().all(|var| solver.value(var.positive()) != solver.value(var.negative())));
                assert!(assumptions.iter().all(|&lit| solver.value(lit)));
            } else {
                assert!(!has_model(&clauses, vars, solver.core()), "seed {seed}");
            }
        }
    }
    assert!(answers[0] > 300 && answers[1] > 300, "{answers:?}");
}

#[test]
fn variables_are_decided_in_the_order_that_is_asked_for() {
    for (first, at) in [([0, 1], 1), ([1, 0], 0)] {
        let mut solver = Solver::new();
        let vars: Vec<Var> = (0..4).map(|_| solver.new_var()).collect();
        // Which of the two is false by its phase, and which is true by propagation, depends on which is decided first.
        vars.iter().for_each(|&var| solver.set_phase(var, false));
        solver.add_clause(&[vars[0].positive(), vars[1].positive()]);
        first.iter().for_each(|&at| solver.decide_first(vars[at]));
        for _ in 0..2 {
            assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Sat));
            assert!(solver.value(vars[at].positive()), "{first:?}");
            // Undoes the assignment.
            solver.set_scope(None);
        }
    }
}

/// Each decision looks at the whole clause, so following phases that all make it false would take as many looks as it has literals.
#[test]
fn a_wide_clause_of_the_cover_takes_few_decisions() {
    let mut solver = Solver::new();
    solver.new_vars(1_000);
    let clause: Vec<Lit> = (0..1_000).map(|at| Var::new(at).positive()).collect();
    solver.add_clause(&clause);
    solver.set_cover(true);
    solver.cover(&clause);
    assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Sat));
    assert!(solver.stats().decisions <= 2, "{:?}", solver.stats());
    assert_eq!(clause.iter().filter(|&&lit| solver.value(lit)).count(), 1);
}

/// Models of all clauses, of those of a cover, and again of all, with clauses that come in between.
#[test]
fn partial_models_satisfy_the_cover() {
    let mut partial = 0;
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let mut solver: Solver<Checker> = Solver::with_config(hasty(seed), Checker::new());
        let vars = 4 + rng.below(9);
        solver.new_vars(vars);
        // Two clauses of three concern half of the variables.
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..8 {
            let is_on = !rng.one_in(3);
            solver.set_cover(is_on);
            clauses.iter().for_each(|clause| solver.cover(clause));
            for _ in 0..1 + rng.below(3) {
                for _ in 0..rng.below(vars) {
                    let among = if rng.one_in(3) { vars } else { vars.div_ceil(2) };
                    let clause = random_clause(&mut rng, among, 3);
                    solver.add_clause(&clause);
                    solver.cover(&clause);
                    clauses.push(clause);
                }
                let assumptions: Vec<Lit> =
                    (0..rng.below(3)).flat_map(|_| random_clause(&mut rng, vars, 1)).collect();
                let answer = solver.solve(&assumptions, &mut Budget::unlimited()).expect("no limit");
                assert_eq!(solver.observer().flaw(), None);
                assert_eq!(answer == Answer::Sat, has_model(&clauses, vars, &assumptions));
                if answer == Answer::Sat {
                    assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| solver.value(lit))));
                    assert!(assumptions.iter().all(|&lit| solver.value(lit)));
                    let has_value = |var: Var| solver.value(var.positive()) || solver.value(var.negative());
                    let is_total = (0..vars).map(Var::new).all(has_value);
                    assert!(is_on || is_total);
                    partial += usize::from(!is_total);
                }
            }
        }
    }
    assert!(partial > 500, "{partial}");
}
