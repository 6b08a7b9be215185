//! The SAT solver on one hard formula, and on many tiny changes of a larger one.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ramsey::base::budget::Budget;
use ramsey::base::ids::Id;
use ramsey::base::rng::Rng;
use ramsey::sat::{Lit, Solver, Var};

fn random_clause(rng: &mut Rng, vars: usize) -> [Lit; 3] {
    [(); 3].map(|()| Var::new(rng.below(vars)).literal(rng.one_in(2)))
}

fn random_formula(vars: usize, clauses: usize, seed: u64) -> Solver {
    let mut rng = Rng::new(seed);
    let mut solver = Solver::new();
    (0..vars).for_each(|_| _ = solver.new_var());
    (0..clauses).for_each(|_| solver.add_clause(&random_clause(&mut rng, vars)));
    solver
}

fn hard(criterion: &mut Criterion) {
    let solver = random_formula(150, 645, 1);
    criterion.bench_function("sat/random 3-SAT 150", |bencher| {
        bencher.iter(|| solver.clone().solve(&[], &mut Budget::unlimited()));
    });
}

fn incremental(criterion: &mut Criterion) {
    let vars = 5000;
    let solver = random_formula(vars, 15_000, 2);
    criterion.bench_function("sat/clone 15000 clauses", |bencher| bencher.iter(|| black_box(solver.clone())));
    criterion.bench_function("sat/100 small changes", |bencher| {
        bencher.iter(|| {
            let mut solver = solver.clone();
            let mut rng = Rng::new(3);
            let goal = solver.new_var().positive();
            for _ in 0..100 {
                let [a, b, c] = random_clause(&mut rng, vars);
                solver.add_clause(&[!goal, a, b, c]);
                black_box(solver.solve(&[goal], &mut Budget::unlimited())).expect("an unlimited budget");
            }
        });
    });
}

criterion_group!(benches, hard, incremental);
criterion_main!(benches);
