//! Independent LRAT reader and checker against the clauses of a DIMACS file.

use ramsey::base::ids::Id;
use ramsey::lang::dimacs::Cnf;
use ramsey::sat::lrat::Checker;
use ramsey::sat::proof::Step;
use ramsey::sat::{ClauseId, Lit};

/// A step of a proof, as in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    Add { id: i64, lits: Vec<i64>, hints: Vec<i64> },
    Delete(Vec<i64>),
}

fn addition(id: i64, numbers: &[i64]) -> Line {
    let mut parts = numbers.split(|&number| number == 0).map(<[i64]>::to_vec);
    let (lits, hints) = (parts.next().expect("literals"), parts.next().expect("hints"));
    assert_eq!((parts.next(), parts.next()), (Some(vec![]), None), "two zeros, the second at the end");
    Line::Add { id, lits, hints }
}

fn deletion(numbers: &[i64]) -> Line {
    let (end, ids) = numbers.split_last().expect("a zero");
    assert!(*end == 0 && !ids.is_empty() && !ids.contains(&0));
    Line::Delete(ids.to_vec())
}

/// Parses the text format.
pub fn text(proof: &[u8]) -> Vec<Line> {
    let proof = std::str::from_utf8(proof).expect("ASCII");
    assert!(proof.ends_with(" 0\n"));
    let numbers =
        |words: &[&str]| -> Vec<i64> { words.iter().map(|word| word.parse().expect("a number")).collect() };
    let mut last = None;
    let step = |line: &str| match *line.split(' ').collect::<Vec<_>>() {
        [after, "d", ref ids @ ..] => {
            assert_eq!(last, after.parse().ok(), "deletions bear the number of the clause before them");
            deletion(&numbers(ids))
        }
        [id, ref rest @ ..] => {
            last = id.parse::<i64>().ok();
            addition(last.expect("a number"), &numbers(rest))
        }
        [] => panic!("an empty line"),
    };
    proof.lines().map(step).collect()
}

/// Parses the binary format.
pub fn binary(proof: &[u8]) -> Vec<Line> {
    let mut bytes = proof.iter();
    let mut lines = Vec::new();
    while let Some(&kind) = bytes.next() {
        let mut zeros = match kind {
            b'a' => 2,
            b'd' => 1,
            _ => panic!("{kind:#x} starts no step"),
        };
        let mut numbers: Vec<i64> = Vec::new();
        while zeros > 0 {
            let (mut number, mut shift) = (0, 0);
            loop {
                let byte = *bytes.next().expect("more bytes");
                number |= u64::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    assert!(byte != 0 || shift == 7, "no more bytes than needed");
                    break;
                }
            }
            assert_ne!(number, 1, "there is no -0");
            let size = (number >> 1) as i64;
            numbers.push(if number & 1 == 1 { -size } else { size });
            zeros -= i32::from(number == 0);
        }
        lines.push(match kind {
            b'a' => addition(numbers[0], &numbers[1..]),
            _ => deletion(&numbers),
        });
    }
    lines
}

/// Checks that `proof` refutes `cnf`, is numbered without gaps, and has no unused clause.
#[track_caller]
pub fn check(cnf: &Cnf, proof: &[Line]) {
    let literals = |numbers: &[i64]| -> Vec<Lit> {
        let lit = |&number: &i64| i32::try_from(number).ok().and_then(Lit::from_dimacs).expect("a literal");
        numbers.iter().map(lit).collect()
    };
    let clause = |number: i64| ClauseId::new(usize::try_from(number).expect("a positive number"));
    let mut checker = Checker::new();
    let mut next = 1;
    for lits in cnf.clauses() {
        let lits: Vec<i64> = lits.iter().copied().map(i64::from).collect();
        checker.step(Step::Original { id: clause(next), lits: &literals(&lits) }).expect("a fresh number");
        next += 1;
    }
    let mut unused = Vec::new();
    for (at, line) in proof.iter().enumerate() {
        match line {
            Line::Add { id, lits, hints } => {
                assert_eq!(*id, next, "{line:?}");
                assert_eq!(lits.is_empty(), at + 1 == proof.len(), "the empty clause is the last step");
                let antecedents: Vec<ClauseId> = hints.iter().map(|&hint| clause(hint)).collect();
                let step =
                    Step::Learned { id: clause(*id), lits: &literals(lits), antecedents: &antecedents };
                checker.step(step).unwrap_or_else(|flaw| panic!("{line:?}: {flaw:?}"));
                unused.retain(|id| !hints.contains(id));
                unused.push(next);
                next += 1;
            }
            Line::Delete(ids) => {
                for &id in ids {
                    checker.step(Step::Deleted { id: clause(id) }).expect("a clause that is there");
                    assert!(!unused.contains(&id), "{id} is deleted before it is used");
                }
            }
        }
    }
    assert_eq!(unused, [next - 1], "every clause but the last is used");
}
