//! The SAT solver on files: every model is evaluated, every refutation is checked, its text form too.

// A test that cannot run says so.
#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::Command;

use ramsey::base::budget::Budget;
use ramsey::base::ids::Id;
use ramsey::lang::dimacs::{self, Cnf};
use ramsey::sat::lrat::Checker;
use ramsey::sat::proof::{Recorder, Step};
use ramsey::sat::{Answer, ClauseId, Config, Lit, Observer, Solver, Var};

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

/// Solves with the checker listening.
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

/// The corpus of CNF files, or `None` with a word about it.
fn corpus() -> Option<PathBuf> {
    let root = std::env::var_os("RAMSEY_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from)
        .join("cnf");
    if !root.is_dir() {
        eprintln!("skipped: no corpus at {} (set RAMSEY_CORPUS)", root.display());
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
    for path in files {
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
    for (name, expected) in [("php8", Answer::Unsat), ("mult6", Answer::Unsat), ("col3_500", Answer::Sat)] {
        let packed = root.join(format!("{name}.cnf.xz"));
        let text = match Command::new("xz").arg("-dc").arg(&packed).output() {
            Ok(output) if output.status.success() => output.stdout,
            _ => {
                eprintln!("skipped: cannot run xz on {}", packed.display());
                return;
            }
        };
        assert_eq!(solve_checked(name, &dimacs::parse(&text).expect(name)), expected, "{name}");
    }
}

/// `n + 1` pigeons do not fit into `n` holes; with some clauses that are shortened when they are added.
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
