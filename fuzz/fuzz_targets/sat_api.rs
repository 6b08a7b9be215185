//! Sequences of calls of the SAT solver over few variables: every answer against all assignments, every
//! derivation against the checker.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::base::budget::{Budget, Exhausted};
use ramsey::base::ids::Id as _;
use ramsey::sat::lrat::Checker;
use ramsey::sat::{Answer, Config, Lit, Solver, Var};
use ramsey_fuzz::Choices;

const MAX_VARS: usize = 10;

/// Everything as often as possible, so that rare paths are common on small inputs.
fn hasty() -> Config {
    Config {
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
        ..Config::default()
    }
}

fn holds(clause: &[Lit], model: u32) -> bool {
    clause.iter().any(|lit| (model >> lit.var().index() & 1 == 1) != lit.is_negative())
}

fn has_model(clauses: &[Vec<Lit>], vars: usize, assumptions: &[Lit]) -> bool {
    (0..1u32 << vars).any(|model| {
        assumptions.iter().all(|lit| holds(&[*lit], model))
            && clauses.iter().all(|clause| holds(clause, model))
    })
}

fn lits(choices: &mut Choices<'_>, vars: usize, most: usize) -> Vec<Lit> {
    if vars == 0 {
        return Vec::new();
    }
    (0..choices.below(most + 1))
        .map(|_| {
            let choice = choices.below(2 * vars);
            Var::new(choice / 2).literal(choice.is_multiple_of(2))
        })
        .collect()
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let mut solver = Solver::with_config(hasty(), Checker::new());
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    while !choices.is_empty() {
        let vars = solver.num_vars();
        match choices.below(8) {
            0 | 1 if vars < MAX_VARS => _ = solver.new_var(),
            2 if vars > 0 => solver.set_phase(Var::new(choices.below(vars)), choices.flag()),
            3 => {
                let assumptions = lits(&mut choices, vars, 4);
                let work = 1 + choices.below(64) as u64;
                let tight = solver.solve(&assumptions, &mut Budget::new(Some(work), None));
                assert!(matches!(tight, Ok(_) | Err(Exhausted::Work)));
            }
            4 => {
                let assumptions = lits(&mut choices, vars, 4);
                let answer = solver.solve(&assumptions, &mut Budget::unlimited());
                match answer.expect("there is no limit") {
                    Answer::Sat => {
                        let is_true = |lit: &Lit| solver.value(*lit);
                        assert!(clauses.iter().all(|clause| clause.iter().any(is_true)));
                        assert!(assumptions.iter().all(is_true));
                    }
                    Answer::Unsat => {
                        assert!(solver.core().iter().all(|lit| assumptions.contains(lit)));
                        assert!(!has_model(&clauses, vars, solver.core()));
                    }
                }
            }
            _ => {
                let clause = lits(&mut choices, vars, 4);
                // The empty clause ends everything; it may come, but late.
                if !clause.is_empty() || clauses.len() > 20 {
                    solver.add_clause(&clause);
                    clauses.push(clause);
                }
            }
        }
        assert_eq!(solver.observer().flaw(), None);
    }
});
