//! The clauses that a proof needs, each with the ones that it is resolved from.

use std::collections::BTreeMap;

use ramsey_core::base::hash::{Map, Set};
use ramsey_kernel::core::{Literal, Node, Step, negated};

use super::reading::Reading;

/// A clause that is needed.
pub(super) struct Clause {
    pub(super) literals: Vec<Literal>,
    /// The clauses that it is the resolvent of, in order; none for one that a rule makes.
    pub(super) premises: Vec<usize>,
}

/// Returns the clauses that this one needs, itself included, by their numbers. Derived clauses are the resolvents of their hints, which may
/// have fewer literals than the certificate says.
pub(super) fn needed(reading: &Reading, last: usize) -> Option<BTreeMap<usize, Clause>> {
    let step = |number: usize| reading.steps.get(number.checked_sub(1)?);
    let mut reached = Set::default();
    let mut open = vec![last];
    let mut order = Vec::new();
    while let Some(number) = open.pop() {
        if reached.insert(number) {
            order.push(number);
            if let Step::Derived(_, hints) = step(number)? {
                open.extend(hints);
            }
        }
    }
    order.sort_unstable();
    let mut all: Map<usize, Clause> = Map::default();
    for number in order {
        let clause = match step(number)? {
            Step::Derived(literals, hints) => resolvent(literals, hints, &all)?,
            step => Clause { literals: made(reading, step)?, premises: Vec::new() },
        };
        all.insert(number, clause);
    }
    let mut needed = BTreeMap::new();
    let mut open = vec![last];
    while let Some(number) = open.pop() {
        if let Some(clause) = all.remove(&number) {
            open.extend(&clause.premises);
            needed.insert(number, clause);
        }
    }
    Some(needed)
}

/// Returns the clause that is left of the last hint that unit propagation needs, after it is resolved with those before it, the latest
/// first.
fn resolvent(clause: &[Literal], hints: &[usize], known: &Map<usize, Clause>) -> Option<Clause> {
    let mut is_false: Set<Literal> = clause.iter().copied().collect();
    // Hints that make a literal true that was open, and which.
    let mut units: Vec<(usize, Literal)> = Vec::new();
    let mut contradiction = None;
    for &hint in hints {
        let literals = &known.get(&hint)?.literals;
        let Some(&unit) = literals.iter().find(|it| !is_false.contains(it)) else {
            contradiction = Some(hint);
            break;
        };
        if is_false.insert(negated(unit)) {
            units.push((hint, unit));
        }
    }
    let last = contradiction?;
    let mut literals: Vec<Literal> = Vec::new();
    let add = |literals: &mut Vec<Literal>, from: usize, but: Option<Literal>| -> Option<()> {
        for &literal in &known.get(&from)?.literals {
            if Some(literal) != but && !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        Some(())
    };
    add(&mut literals, last, None)?;
    let mut premises = vec![last];
    for &(hint, unit) in units.iter().rev() {
        if let Some(at) = literals.iter().position(|&it| it == negated(unit)) {
            literals.remove(at);
            add(&mut literals, hint, Some(unit))?;
            premises.push(hint);
        }
    }
    Some(Clause { literals, premises })
}

/// Returns the clause that a step makes by itself. An equation of a term with itself is a clause without others.
fn made(reading: &Reading, step: &Step) -> Option<Vec<Literal>> {
    let is_trivial = |number: u32| -> Option<bool> {
        Some(matches!(reading.core.pool.node(reading.formula(number)?), Node::Eq(_, a, b) if a == b))
    };
    let not_all = |literals: &[Literal]| -> Vec<Literal> { literals.iter().map(|&it| negated(it)).collect() };
    let different = |equations: &[Option<u32>]| -> Vec<Literal> {
        equations.iter().flatten().map(|number| 2 * number + 1).collect()
    };
    Some(match step {
        &Step::AndElim(n, _, l) => vec![2 * n + 1, l],
        Step::AndIntro(n, all) => [vec![2 * n], not_all(all)].concat(),
        Step::OrElim(n, all) => [&[2 * n + 1], all.as_slice()].concat(),
        &Step::OrIntro(n, _, l) => vec![2 * n, negated(l)],
        &Step::ImpliesElim(n, a, b) => vec![2 * n + 1, negated(a), b],
        &Step::ImpliesIntro(n, a, _, true) => vec![2 * n, a],
        &Step::ImpliesIntro(n, _, b, false) => vec![2 * n, negated(b)],
        &Step::Iff(n, a, b, 0) => vec![2 * n + 1, negated(a), b],
        &Step::Iff(n, a, b, 1) => vec![2 * n + 1, a, negated(b)],
        &Step::Iff(n, a, b, 2) => vec![2 * n, a, b],
        &Step::Iff(n, a, b, _) => vec![2 * n, negated(a), negated(b)],
        &Step::Instance(n, _, l) => match reading.quantifier(reading.formula(n)?)? {
            (_, _, true) => vec![2 * n + 1, l],
            (_, _, false) => vec![2 * n, negated(l)],
        },
        &Step::Witness(n, _, _, l) => match reading.quantifier(reading.formula(n)?)? {
            (_, _, true) => vec![2 * n, negated(l)],
            (_, _, false) => vec![2 * n + 1, l],
        },
        &Step::Reflexive(n) => vec![2 * n],
        &Step::Transitive(_, _, c) if is_trivial(c)? => vec![2 * c],
        &Step::Transitive(a, b, c) => vec![2 * a + 1, 2 * b + 1, 2 * c],
        &Step::Function(n, _) if is_trivial(n)? => vec![2 * n],
        Step::Function(n, equations) => [different(equations), vec![2 * n]].concat(),
        Step::Relation(a, b, equations) => [different(equations), vec![2 * a + 1, 2 * b]].concat(),
        Step::Define(..) | Step::Derived(..) => return None,
    })
}
