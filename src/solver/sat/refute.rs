//! Refutation of a fixed set of clauses, reduced to the needed steps.

use super::config::Config;
use super::lit::{Lit, Var};
use super::proof::{Recorder, Step};
use super::solver::{Answer, Solver};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id;

/// A step of a refutation. Steps refer to earlier steps by index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefutationStep {
    /// The given clause with this index.
    Given(usize),
    /// A clause that follows by unit propagation along its antecedents, in their order.
    Derived {
        /// Its literals; empty in the last step.
        lits: Vec<Lit>,
        /// Indices of earlier steps.
        antecedents: Vec<usize>,
    },
}

/// Number of given clauses above which a refutation is searched again among them.
const SHRINK_ABOVE: usize = 48;
/// Maximum number of such repetitions.
const MAX_ROUNDS: usize = 4;

/// Refutes `clauses`. Returns the steps needed to derive the empty clause, which is the last one, or `None` if the
/// clauses are satisfiable.
///
/// A refutation that needs many clauses is repeated on those clauses alone, as long as this removes a tenth of them.
///
/// # Errors
/// Returns an error if the budget is exhausted.
pub fn refute(clauses: &[&[Lit]], budget: &mut Budget) -> Result<Option<Vec<RefutationStep>>, Exhausted> {
    let Some(mut steps) = refute_once(clauses, budget)? else { return Ok(None) };
    for _ in 0..MAX_ROUNDS {
        let given: Vec<usize> = steps.iter().filter_map(given).collect();
        if given.len() <= SHRINK_ABOVE {
            break;
        }
        let fewer: Vec<&[Lit]> = given.iter().map(|&index| clauses[index]).collect();
        let Some(mut again) = refute_once(&fewer, budget)? else { break };
        let left = again.iter().filter_map(self::given).count();
        if left >= given.len() {
            break;
        }
        for step in &mut again {
            if let RefutationStep::Given(index) = step {
                *index = given[*index];
            }
        }
        steps = again;
        if 10 * left > 9 * given.len() {
            break;
        }
    }
    Ok(Some(steps))
}

fn given(step: &RefutationStep) -> Option<usize> {
    match step {
        RefutationStep::Given(index) => Some(*index),
        RefutationStep::Derived { .. } => None,
    }
}

/// Refutes the clauses once. Unit propagation alone refutes most sets of instances, without a search.
fn refute_once(clauses: &[&[Lit]], budget: &mut Budget) -> Result<Option<Vec<RefutationStep>>, Exhausted> {
    let occurrences = Occurrences::new(clauses);
    budget.spend(clauses.len() as u64)?;
    if let Some(used) = propagate(clauses, &occurrences) {
        let mut steps: Vec<RefutationStep> = used.into_iter().map(RefutationStep::Given).collect();
        let antecedents = (0..steps.len()).collect();
        steps.push(RefutationStep::Derived { lits: Vec::new(), antecedents });
        return Ok(Some(steps));
    }
    search(clauses, &occurrences, budget)
}

/// Searches for a refutation, after clauses with pure literals are dropped repeatedly. These clauses cannot take part
/// in a refutation. Dropping them saves most of the time if few of many clauses are needed.
fn search(
    clauses: &[&[Lit]],
    occurrences: &Occurrences,
    budget: &mut Budget,
) -> Result<Option<Vec<RefutationStep>>, Exhausted> {
    let kept = without_pure(clauses, occurrences);
    let width =
        clauses.iter().flat_map(|lits| lits.iter()).map(|lit| lit.var().index() + 1).max().unwrap_or(0);
    // Maps from variables of the caller to variables of the solver and back.
    let mut inner: Vec<Option<Var>> = vec![None; width];
    let mut outer: Vec<Var> = Vec::new();
    for lit in kept.iter().flat_map(|&index| clauses[index]) {
        inner[lit.var().index()].get_or_insert_with(|| {
            outer.push(lit.var());
            Var::new(outer.len() - 1)
        });
    }
    let mut solver = Solver::with_config(Config::default(), Recorder::new());
    solver.new_vars(outer.len());
    let mut clause: Vec<Lit> = Vec::new();
    for &index in &kept {
        clause.clear();
        let translated = clauses[index]
            .iter()
            .filter_map(|lit| Some(inner[lit.var().index()]?.literal(!lit.is_negative())));
        clause.extend(translated);
        solver.add_clause(&clause);
    }
    if solver.solve(&[], budget)? == Answer::Sat {
        return Ok(None);
    }
    let Some(goal) = solver.core_clause() else { return Ok(None) };
    let derivation = solver.into_observer();
    // Given clauses are numbered in the order of addition; derived clauses are numbered when they are added.
    let mut step_of: Vec<usize> = Vec::new();
    let set = |map: &mut Vec<usize>, id: usize, value: usize| {
        if map.len() <= id {
            map.resize(id + 1, 0);
        }
        map[id] = value;
    };
    let mut given_index: Vec<usize> = Vec::new();
    let originals = derivation.steps().filter(|step| matches!(step, Step::Original { .. }));
    for (step, &index) in originals.zip(&kept) {
        set(&mut given_index, step.id().index(), index);
    }
    let mut steps: Vec<RefutationStep> = Vec::new();
    for step in derivation.needed_for(goal) {
        let needed = match step {
            Step::Original { id, .. } => RefutationStep::Given(given_index[id.index()]),
            Step::Learned { lits, antecedents, .. } => RefutationStep::Derived {
                lits: lits.iter().map(|lit| outer[lit.var().index()].literal(!lit.is_negative())).collect(),
                antecedents: antecedents.iter().map(|antecedent| step_of[antecedent.index()]).collect(),
            },
            Step::Deleted { .. } => continue,
        };
        // Only after the antecedents are looked up, because a clause may replace an antecedent under the same id.
        set(&mut step_of, step.id().index(), steps.len());
        steps.push(needed);
    }
    if let Some(&RefutationStep::Given(_)) = steps.last() {
        // The empty clause is one of the given clauses.
        let antecedents = vec![steps.len() - 1];
        steps.push(RefutationStep::Derived { lits: Vec::new(), antecedents });
    }
    Ok(Some(steps))
}

/// Occurrence lists of all literals.
struct Occurrences {
    /// Per literal, the start of its clauses in `members`; one more entry for the end.
    start: Vec<usize>,
    members: Vec<u32>,
}

impl Occurrences {
    fn new(clauses: &[&[Lit]]) -> Self {
        let lits = || clauses.iter().flat_map(|lits| lits.iter());
        let width = lits().map(|lit| lit.index() + 2).max().unwrap_or(0).next_multiple_of(2);
        let mut start = vec![0_usize; width + 1];
        for lit in lits() {
            start[lit.index() + 1] += 1;
        }
        for index in 0..width {
            start[index + 1] += start[index];
        }
        let mut members = vec![0_u32; start[width]];
        let mut next = start.clone();
        for (at, lits) in clauses.iter().enumerate() {
            for lit in *lits {
                members[next[lit.index()]] = at as u32;
                next[lit.index()] += 1;
            }
        }
        Occurrences { start, members }
    }

    fn width(&self) -> usize {
        self.start.len() - 1
    }

    fn of(&self, lit: Lit) -> &[u32] {
        &self.members[self.start[lit.index()]..self.start[lit.index() + 1]]
    }
}

/// If unit propagation refutes the clauses, returns the clauses that it uses in the order in which they become unit.
/// The last one is the clause that becomes false.
fn propagate(clauses: &[&[Lit]], occurrences: &Occurrences) -> Option<Vec<usize>> {
    let mut propagation = Propagation {
        is_false: vec![false; occurrences.width()],
        reason: vec![0; occurrences.width() / 2],
        trail: Vec::new(),
    };
    // Per clause, the number of its literals that are not false.
    let mut open: Vec<u32> = clauses.iter().map(|lits| lits.len() as u32).collect();
    let mut conflict = clauses.iter().position(|lits| lits.is_empty());
    for (at, lits) in clauses.iter().enumerate().filter(|(_, lits)| lits.len() == 1) {
        propagation.assign(at, lits);
    }
    let mut head = 0;
    while conflict.is_none() && head < propagation.trail.len() {
        let lit = !propagation.trail[head];
        head += 1;
        for &at in occurrences.of(lit) {
            let at = at as usize;
            open[at] -= 1;
            match open[at] {
                0 => conflict = conflict.or(Some(at)),
                1 => propagation.assign(at, clauses[at]),
                _ => {}
            }
        }
    }
    let conflict = conflict?;
    let Propagation { reason, trail, .. } = propagation;
    let mut needed = vec![false; reason.len()];
    let mut used = vec![conflict];
    clauses[conflict].iter().for_each(|lit| needed[lit.var().index()] = true);
    for var in trail.iter().rev().map(|lit| lit.var().index()) {
        if needed[var] {
            let at = reason[var] as usize;
            used.push(at);
            clauses[at].iter().for_each(|lit| needed[lit.var().index()] = true);
        }
    }
    used.reverse();
    Some(used)
}

/// Assignment of unit propagation.
struct Propagation {
    /// Per literal, whether it is false.
    is_false: Vec<bool>,
    /// Per assigned variable, the clause that implies its value.
    reason: Vec<u32>,
    /// The true literals in order of assignment.
    trail: Vec<Lit>,
}

impl Propagation {
    /// Assigns the only literal of a clause that is not false.
    fn assign(&mut self, clause: usize, lits: &[Lit]) {
        let free = lits.iter().find(|lit| !self.is_false[lit.index()]);
        if let Some(&lit) = free.filter(|lit| !self.is_false[(!**lit).index()]) {
            self.is_false[(!lit).index()] = true;
            self.reason[lit.var().index()] = clause as u32;
            self.trail.push(lit);
        }
    }
}

/// Returns the indices of the clauses that remain after repeated removal of clauses with pure literals.
fn without_pure(clauses: &[&[Lit]], occurrences: &Occurrences) -> Vec<usize> {
    let width = occurrences.width();
    // Per literal: the number of remaining clauses that contain it.
    let mut count: Vec<usize> = occurrences.start.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let mut dropped = vec![false; clauses.len()];
    let mut pure: Vec<Lit> =
        (0..width / 2).map(Var::new).flat_map(|var| [var.positive(), !var.positive()]).collect();
    pure.retain(|&lit| count[(!lit).index()] == 0);
    while let Some(lit) = pure.pop() {
        for &at in occurrences.of(lit) {
            if std::mem::replace(&mut dropped[at as usize], true) {
                continue;
            }
            for &other in clauses[at as usize] {
                count[other.index()] -= 1;
                if count[other.index()] == 0 && other != lit {
                    pure.push(!other);
                }
            }
        }
    }
    (0..clauses.len()).filter(|&at| !dropped[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::rng::Rng;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Var::new(n.unsigned_abs() as usize).literal(n > 0)).collect()
    }

    #[test]
    fn clauses_that_cannot_take_part_are_dropped() {
        let clauses = [[1, 2].as_slice(), &[-2, 3], &[-3, 4], &[5], &[-5, 6], &[-6], &[-6, -5, 7]].map(lits);
        let clauses: Vec<&[Lit]> = clauses.iter().map(Vec::as_slice).collect();
        // Literal 4 is pure, then 3, 2 and 1; so is 7.
        assert_eq!(without_pure(&clauses, &Occurrences::new(&clauses)), [3, 4, 5]);
        let steps = refute(&clauses, &mut Budget::unlimited()).expect("no limit").expect("a refutation");
        assert!(matches!(steps.last(), Some(RefutationStep::Derived { lits, .. }) if lits.is_empty()));
    }

    #[test]
    fn an_empty_clause_is_a_refutation() {
        let steps = refute(&[&[]], &mut Budget::unlimited()).expect("no limit").expect("a refutation");
        assert_eq!(
            steps,
            [RefutationStep::Given(0), RefutationStep::Derived { lits: vec![], antecedents: vec![0] }]
        );
        assert_eq!(refute(&[], &mut Budget::unlimited()), Ok(None));
    }

    /// Every derived clause follows by unit propagation along its antecedents, and answers agree with brute force.
    #[test]
    fn refutations_are_right() {
        let (mut refuted, mut satisfied) = (0, 0);
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let clauses: Vec<Vec<Lit>> = (0..14)
                .map(|_| {
                    let len = 1 + rng.below(3);
                    (0..len).map(|_| Var::new(rng.below(6)).literal(rng.below(2) == 0)).collect()
                })
                .collect();
            let given: Vec<&[Lit]> = clauses.iter().map(Vec::as_slice).collect();
            let has_model = (0..64_u32).any(|model| {
                let holds = |lit: &Lit| (model >> lit.var().index() & 1 == 1) != lit.is_negative();
                given.iter().all(|lits| lits.iter().any(holds))
            });
            let Some(steps) = refute(&given, &mut Budget::unlimited()).expect("no limit") else {
                assert!(has_model, "seed {seed}");
                satisfied += 1;
                continue;
            };
            assert!(!has_model, "seed {seed}");
            refuted += 1;
            let mut known: Vec<Vec<Lit>> = Vec::new();
            for step in &steps {
                let clause = match step {
                    RefutationStep::Given(index) => clauses[*index].clone(),
                    RefutationStep::Derived { lits, antecedents } => {
                        let mut falsified = lits.clone();
                        let mut is_closed = false;
                        for &antecedent in antecedents {
                            let open: Vec<Lit> = known[antecedent]
                                .iter()
                                .copied()
                                .filter(|lit| !falsified.contains(lit))
                                .collect();
                            match open[..] {
                                [] => is_closed = true,
                                [first, ref rest @ ..] => {
                                    assert!(rest.iter().all(|&lit| lit == first), "seed {seed}: not unit");
                                    falsified.push(!first);
                                }
                            }
                        }
                        assert!(is_closed, "seed {seed}: {step:?} does not follow");
                        lits.clone()
                    }
                };
                known.push(clause);
            }
            assert_eq!(known.last(), Some(&Vec::new()), "seed {seed}");
        }
        assert!(refuted > 100 && satisfied > 50, "{refuted} {satisfied}");
    }
}
