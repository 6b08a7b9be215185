//! Independent DRAT reader and forward checker by unit propagation. It is deliberately simple and slow: all clauses are
//! scanned until a fixed point.

use std::collections::{BTreeMap, BTreeSet};

use ramsey::lang::dimacs::Cnf;

/// A step of a proof, as in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Add(Vec<i64>),
    Delete(Vec<i64>),
}

/// Parses the text format.
pub fn text(proof: &[u8]) -> Vec<Step> {
    let proof = std::str::from_utf8(proof).expect("ASCII");
    assert!(proof.ends_with("0\n"));
    let step = |line: &str| {
        let (deletes, rest) = line.strip_prefix("d ").map_or((false, line), |rest| (true, rest));
        let mut lits: Vec<i64> = rest.split(' ').map(|word| word.parse().expect("a number")).collect();
        assert_eq!(lits.pop(), Some(0));
        assert!(!lits.contains(&0));
        if deletes { Step::Delete(lits) } else { Step::Add(lits) }
    };
    proof.lines().map(step).collect()
}

/// Parses the binary format.
pub fn binary(proof: &[u8]) -> Vec<Step> {
    let mut bytes = proof.iter().copied();
    let mut steps = Vec::new();
    while let Some(kind) = bytes.next() {
        let mut lits = Vec::new();
        loop {
            let (mut number, mut shift) = (0u64, 0);
            loop {
                let byte = bytes.next().expect("more bytes");
                number |= u64::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            match number {
                0 => break,
                1 => panic!("there is no -0"),
                _ => lits.push(if number & 1 == 1 { -((number >> 1) as i64) } else { (number >> 1) as i64 }),
            }
        }
        steps.push(match kind {
            b'a' => Step::Add(lits),
            b'd' => Step::Delete(lits),
            _ => panic!("{kind:#x} starts no step"),
        });
    }
    steps
}

/// Checks that `proof` refutes `cnf`, or returns the reason why it does not.
pub fn check(cnf: &Cnf, proof: &[Step]) -> Result<(), String> {
    let mut clauses: BTreeMap<BTreeSet<i64>, usize> = BTreeMap::new();
    for clause in cnf.clauses() {
        *clauses.entry(clause.iter().copied().map(i64::from).collect()).or_default() += 1;
    }
    for (at, step) in proof.iter().enumerate() {
        match step {
            Step::Add(lits) => {
                let lits: BTreeSet<i64> = lits.iter().copied().collect();
                if !is_implied(&clauses, &lits) {
                    return Err(format!("step {at}: {lits:?} does not follow by unit propagation"));
                }
                if lits.is_empty() {
                    return if at + 1 == proof.len() { Ok(()) } else { Err("steps after the end".into()) };
                }
                *clauses.entry(lits).or_default() += 1;
            }
            Step::Delete(lits) => {
                let lits: BTreeSet<i64> = lits.iter().copied().collect();
                match clauses.get_mut(&lits) {
                    Some(count) if *count > 1 => *count -= 1,
                    Some(_) => _ = clauses.remove(&lits),
                    None => return Err(format!("step {at}: there is no {lits:?}")),
                }
            }
        }
    }
    Err("no empty clause".into())
}

/// Checks whether unit propagation yields a conflict once all of `lits` are false.
fn is_implied(clauses: &BTreeMap<BTreeSet<i64>, usize>, lits: &BTreeSet<i64>) -> bool {
    let mut truths: BTreeSet<i64> = lits.iter().map(|lit| -lit).collect();
    if truths.iter().any(|lit| truths.contains(&-lit)) {
        return true;
    }
    loop {
        let mut changed = false;
        for clause in clauses.keys() {
            if clause.iter().any(|lit| truths.contains(lit)) {
                continue;
            }
            let mut open = clause.iter().filter(|&lit| !truths.contains(&-lit));
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&unit), None) => changed |= truths.insert(unit),
                _ => {}
            }
        }
        if !changed {
            return false;
        }
    }
}
