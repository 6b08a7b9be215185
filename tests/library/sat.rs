//! The SAT solver on files: every model is evaluated, and every refutation is checked, also in its text form.

use crate::common::effort::{cases, is_long};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::skip::skipped;
use crate::common::{drat, lrat};
use ramsey::base::budget::Budget;
use ramsey::base::ids::Id;
use ramsey::base::rng::Rng;
use ramsey::lang::dimacs::{self, Cnf};
use ramsey::sat::drat::Drat;
use ramsey::sat::lrat::Checker;
use ramsey::sat::proof::{Encoding, Recorder, Step};
use ramsey::sat::{Answer, ClauseId, Config, Lit, Observer, Silent, Solver, Var};

fn literals(clause: &[i32]) -> Vec<Lit> {
    clause.iter().map(|&number| Lit::from_dimacs(number).expect("a literal")).collect()
}

fn load<O: Observer>(cnf: &Cnf, observer: O) -> Solver<O> {
    let mut solver = Solver::with_config(Config::default(), observer);
    for _ in 0..cnf.num_vars() {
        solver.new_var();
    }
    cnf.clauses().for_each(|clause| solver.add_clause(&literals(clause)));
    solver
}

/// Solves with the checker as observer.
fn solve_checked(name: &str, cnf: &Cnf) -> Answer {
    let mut solver = load(cnf, Checker::new());
    let answer = solver.solve(&[], &mut Budget::unlimited()).expect("an unlimited budget");
    assert_eq!(solver.observer().flaw(), None, "{name}");
    match answer {
        Answer::Sat => {
            assert!(cnf.is_satisfied(|var| solver.value(Var::new(var - 1).positive())), "{name}: no model");
        }
        Answer::Unsat => {
            let empty = solver.core_clause().and_then(|id| solver.observer().clause(id));
            assert_eq!(empty, Some(&[][..]), "{name}");
        }
    }
    answer
}

/// Returns the corpus of CNF files, or reports that it is missing.
fn corpus() -> Option<PathBuf> {
    let root = std::env::var_os("RAMSEY_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from)
        .join("cnf");
    if !root.is_dir() {
        skipped(format_args!("no corpus of CNF files at {} (set RAMSEY_CORPUS)", root.display()));
        return None;
    }
    Some(root)
}

#[test]
fn the_small_files_of_the_corpus_are_solved() {
    let Some(root) = corpus() else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("small"))
        .expect("a readable directory")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cnf"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut counts = (0, 0);
    for path in files.into_iter().step_by(if is_long() { 1 } else { 3 }) {
        let name = path.display().to_string();
        let cnf = dimacs::parse(&std::fs::read(&path).expect("a readable file")).expect(&name);
        match solve_checked(&name, &cnf) {
            Answer::Sat => counts.0 += 1,
            Answer::Unsat => counts.1 += 1,
        }
    }
    assert!(counts.0 > 0 && counts.1 > 0, "{counts:?}");
}

#[test]
fn the_quicker_files_of_the_corpus_have_the_expected_answers() {
    let Some(root) = corpus() else { return };
    let files = [("mult6", Answer::Unsat), ("col3_500", Answer::Sat), ("php8", Answer::Unsat)];
    for (name, expected) in files.into_iter().take(if is_long() { 3 } else { 1 }) {
        let packed = root.join(format!("{name}.cnf.xz"));
        let text = match Command::new("xz").arg("-dc").arg(&packed).output() {
            Ok(output) if output.status.success() => output.stdout,
            _ => {
                skipped(format_args!("cannot run xz on {}", packed.display()));
                return;
            }
        };
        assert_eq!(solve_checked(name, &dimacs::parse(&text).expect(name)), expected, "{name}");
    }
}

/// Returns the pigeonhole principle with `n + 1` pigeons and `n` holes, and some clauses that are simplified when they
/// are added.
fn pigeonhole(holes: i32) -> Cnf {
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let extra = at(holes, holes - 1) + 1;
    let mut text = format!("{extra} 0\n-{extra} {extra} 0\n");
    for pigeon in 0..=holes {
        (0..holes).for_each(|hole| text += &format!("{} ", at(pigeon, hole)));
        text += &format!("-{extra} {} 0\n", at(pigeon, 0));
        for (other, hole) in (0..pigeon).flat_map(|other| (0..holes).map(move |hole| (other, hole))) {
            text += &format!("-{} -{} 0\n", at(pigeon, hole), at(other, hole));
        }
    }
    dimacs::parse(text.as_bytes()).expect("a formula")
}

#[test]
fn proofs_survive_being_written() {
    let cnf = pigeonhole(6);
    let mut solver = load(&cnf, Recorder::new());
    assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
    let goal = solver.core_clause().expect("the empty clause");
    let recorder = solver.into_observer();
    Checker::new().check(recorder.steps()).expect("a derivation");
    let needed = recorder.needed_for(goal);
    assert!(needed.len() < recorder.len());
    Checker::new().check(needed).expect("a derivation");

    let mut text = Vec::new();
    recorder.write_lrat(&mut text).expect("memory does not fail");
    let text = String::from_utf8(text).expect("ASCII");
    let mut checker = Checker::new();
    let id = |number: &i32| ClauseId::new(usize::try_from(*number).expect("a positive number"));
    for (at, clause) in cnf.clauses().enumerate() {
        let step = Step::Original { id: ClauseId::new(at + 1), lits: &literals(clause) };
        checker.step(step).expect("an original clause");
    }
    let mut last = None;
    for line in text.lines() {
        let deletion = line.contains(" d ");
        let numbers: Vec<i32> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        let (first, rest) = numbers.split_first().expect("an id");
        if deletion {
            rest.iter().filter(|&&number| number != 0).for_each(|number| {
                checker.step(Step::Deleted { id: id(number) }).expect(line);
            });
            continue;
        }
        let end = rest.iter().position(|&number| number == 0).expect("the end of the clause");
        let lits = literals(&rest[..end]);
        let antecedents: Vec<ClauseId> = rest[end + 1..rest.len() - 1].iter().map(id).collect();
        checker.step(Step::Learned { id: id(first), lits: &lits, antecedents: &antecedents }).expect(line);
        last = Some(lits);
    }
    assert_eq!(last, Some(Vec::new()), "the proof ends with the empty clause");
}

/// Checks the trimmed proof of the refuted `solver` in both encodings. Returns the number of clauses that it derives.
#[track_caller]
fn check_trimmed(cnf: &Cnf, solver: Solver<Recorder>) -> usize {
    let goal = solver.core_clause().expect("the empty clause");
    let recorder = solver.into_observer();
    let write = |encoding| {
        let mut proof = Vec::new();
        recorder.write_trimmed_lrat(goal, encoding, &mut proof).expect("memory does not fail");
        proof
    };
    let text = write(Encoding::Text);
    let lines = lrat::text(&text);
    lrat::check(cnf, &lines);
    let binary = write(Encoding::Binary);
    assert_eq!(lrat::binary(&binary), lines);
    assert!(binary.len() <= text.len());
    lines.iter().filter(|line| matches!(line, lrat::Line::Add { .. })).count()
}

#[track_caller]
fn refute(text: &str) -> usize {
    let cnf = dimacs::parse(text.as_bytes()).expect("a formula");
    let mut solver = load(&cnf, Recorder::new());
    assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat), "{text}");
    check_trimmed(&cnf, solver)
}

/// Returns parity constraints: three neighbours in a circle have an even sum, except those at the start, whose sum is
/// odd. If `vars` is a multiple of three, the circle splits into triples in three ways, with contradictory total sums.
fn parity(vars: i32) -> String {
    let mut text = String::new();
    for at in 0..vars {
        let lits = [0, 1, 2].map(|offset| (at + offset) % vars + 1);
        let odd = at == 0;
        for signs in 0..8_i32 {
            if (signs.count_ones() % 2 == 0) == odd {
                let signed = |place: usize| if signs >> place & 1 == 1 { -lits[place] } else { lits[place] };
                text += &format!("{} {} {} 0\n", signed(0), signed(1), signed(2));
            }
        }
    }
    text
}

/// Returns clauses of three random literals, including repeated and contradictory ones.
fn random(rng: &mut Rng, vars: usize, clauses: usize) -> String {
    let mut lit = || rng.below(vars) as i32 + 1;
    let mut texts: Vec<String> = (0..clauses).map(|_| format!("{} {} {} 0\n", lit(), lit(), lit())).collect();
    for text in &mut texts {
        let signed =
            |word: &str| if word != "0\n" && rng.one_in(2) { format!("-{word}") } else { word.into() };
        *text = text.split(' ').map(signed).collect::<Vec<String>>().join(" ");
    }
    texts.concat()
}

#[test]
fn trimmed_proofs_are_proofs() {
    for holes in 1..=6 {
        let cnf = pigeonhole(holes);
        let mut solver = load(&cnf, Recorder::new());
        assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
        let learned = solver.observer().steps().filter(|step| matches!(step, Step::Learned { .. })).count();
        let derived = check_trimmed(&cnf, solver);
        assert!(derived < learned || holes < 4, "{derived} of {learned} clauses for {holes} holes");
    }
    for vars in [3, 6, 9, 12] {
        refute(&parity(vars));
    }
    let mut rng = Rng::new(20);
    let mut refuted = 0;
    for round in 0..200 {
        let vars = 5 + round % 60;
        let text = random(&mut rng, vars, 6 * vars);
        let cnf = dimacs::parse(text.as_bytes()).expect("a formula");
        let mut solver = load(&cnf, Recorder::new());
        let mut silent = load(&cnf, Silent);
        let answer = solver.solve(&[], &mut Budget::unlimited());
        assert_eq!(answer, silent.solve(&[], &mut Budget::unlimited()));
        assert_eq!(solver.stats(), silent.stats(), "recording changes nothing");
        if answer == Ok(Answer::Unsat) {
            refuted += 1;
            check_trimmed(&cnf, solver);
        }
    }
    assert!(refuted > 50, "{refuted}");
}

#[test]
fn trimmed_proofs_of_peculiar_formulas() {
    assert_eq!(refute("0\n"), 1, "the empty clause alone");
    assert_eq!(refute("p cnf 3 4\n1 2 0\n0\n-1 3 0\n0\n"), 1, "empty clauses among others");
    assert_eq!(refute("1 0 -1 0"), 1, "a conflict of units");
    assert_eq!(refute("1 0 -1 0 0 2 0"), 1, "clauses after the conflict");
    refute("1 1 0 -1 -1 -1 0");
    refute("1 -1 0 2 2 -2 0 1 2 1 0 1 -2 0 -1 2 2 0 3 -3 1 0 -1 -2 -1 0");
    refute("1 0 -1 2 0 -2 3 0 -3 -1 -2 0");
}

#[test]
fn clauses_after_an_answer_are_numbered_like_the_others() {
    let cnf = pigeonhole(5);
    let mut solver = Solver::with_config(Config::default(), Recorder::new());
    for _ in 0..cnf.num_vars() {
        solver.new_var();
    }
    for (at, clause) in cnf.clauses().enumerate() {
        solver.add_clause(&literals(clause));
        if at % 7 == 0 {
            solver.solve(&[], &mut Budget::unlimited()).expect("an unlimited budget");
        }
    }
    assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
    check_trimmed(&cnf, solver);
}

#[test]
fn the_checker_is_strict() {
    let cnf = pigeonhole(3);
    let mut solver = load(&cnf, Recorder::new());
    assert_eq!(solver.solve(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
    let recorder = solver.into_observer();
    let steps: Vec<Step<'_>> = recorder.steps().collect();
    let mut rejected = 0;
    for (at, step) in steps.iter().enumerate() {
        let Step::Learned { id, lits, antecedents } = *step else { continue };
        for dropped in 0..antecedents.len() {
            let fewer = [&antecedents[..dropped], &antecedents[dropped + 1..]].concat();
            let mut tampered = steps.clone();
            tampered[at] = Step::Learned { id, lits, antecedents: &fewer };
            assert!(Checker::new().check(tampered).is_err(), "step {at} without antecedent {dropped}");
            rejected += 1;
        }
    }
    assert!(rejected > 10);
}

/// Reductions, vivification and subsumption as often as can be, so that proofs have all kinds of steps.
#[test]
fn drat_proofs_of_random_formulas_are_checked_forward() {
    let config = Config {
        mode_interval: 10,
        reduce_interval: 5,
        rephase_interval: 7,
        vivify_interval: 5,
        vivify_percent: 1000,
        subsume_interval: 5,
        subsume_percent: 1000,
        ..Config::default()
    };
    let (mut refuted, mut deletions) = (0, 0);
    for seed in 0..cases(30) {
        let mut rng = Rng::new(seed);
        let vars = 10 + rng.below(15);
        let mut text = String::new();
        for _ in 0..5 * vars {
            let literals: Vec<String> = (0..2 + rng.below(3))
                .map(|_| format!("{}{}", if rng.one_in(2) { "-" } else { "" }, 1 + rng.below(vars)))
                .collect();
            text += &format!("{} 0\n", literals.join(" "));
        }
        let cnf = dimacs::parse(text.as_bytes()).expect("a formula");
        for encoding in [Encoding::Text, Encoding::Binary] {
            let mut solver = Solver::with_config(Config { seed, ..config }, Drat::new(Vec::new(), encoding));
            solver.new_vars(cnf.num_vars());
            cnf.clauses().for_each(|clause| solver.add_clause(&literals(clause)));
            if solver.solve(&[], &mut Budget::unlimited()) != Ok(Answer::Unsat) {
                continue;
            }
            let proof = solver.into_observer().finish().expect("a vector takes everything");
            let steps = if encoding == Encoding::Text { drat::text(&proof) } else { drat::binary(&proof) };
            assert_eq!(drat::check(&cnf, &steps), Ok(()), "seed {seed}");
            refuted += 1;
            deletions += steps.iter().filter(|step| matches!(step, drat::Step::Delete(_))).count();
        }
    }
    assert!(refuted > 40 && deletions > 1000, "{refuted} refutations, {deletions} deletions");
}
