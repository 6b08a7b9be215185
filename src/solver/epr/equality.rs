//! Lemmas of equality: clauses that exclude contradictions between the literals of a candidate and congruence.
//!
//! A contradiction is explained by the equality literals that lead to it. As long as there are few, this clause is the lemma. Many
//! of them are often the same chain with other detours, of which there are exponentially many. The explanation is then a chain
//! of short lemmas about equations of its own, which the SAT solver derives from each detour and learns once; these equations
//! are what dynamic Ackermannization introduces (de Moura and Bjørner, 2009).

use std::hash::{Hash as _, Hasher as _};

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;
use smallvec::SmallVec;

use super::atoms::{AtomKind, GroundId};
use super::bank::Pattern;
use super::congruence::Batch;
use super::detours::Equations;
use super::solver::Solver;
use crate::sat::Lit;
use crate::telemetry::{ENGINE, event};
use ramsey_core::base::hash::Hasher;

/// Minimum number of equality literals in an explanation that is written as a chain.
const MIN_CHAIN: usize = 3;

/// A contradiction: these pairs of terms are equal in the candidate, and then one of the literals has to be true.
struct Conflict<'r> {
    pairs: BumpVec<'r, (Pattern, Pattern)>,
    conclusion: SmallVec<[Lit; 2]>,
}

impl Solver {
    /// Begins to count the literals in the lemmas of a query, and its contradictions.
    pub(super) fn begin_lemmas(&mut self) {
        self.batch = Batch::default();
        self.chains.left = self.chains.patience;
        self.chains.equations = Equations::default();
    }

    /// Adds lemmas that exclude contradictions between the relevant literals and equality, where these clauses are live. Returns
    /// whether there were any.
    pub(super) fn exclude_conflicts(&mut self, live: &[GroundId], round: &Bump) -> bool {
        let conflicts = self.conflicts(round);
        self.batch.note(conflicts.len());
        if conflicts.is_empty() {
            return false;
        }
        event!(Debug, ENGINE, "round {}: {} conflicts with equality", self.stats.rounds, conflicts.len());
        for conflict in &conflicts {
            let lemma = self.explanation(conflict, round);
            let is_short = lemma.len() - conflict.conclusion.len() < MIN_CHAIN;
            if is_short || self.chains.left > 0 {
                self.chains.left = self.chains.left.saturating_sub(lemma.len() as u64);
                self.add_lemma(lemma);
            } else {
                self.add_chain(conflict, live, round);
            }
        }
        true
    }

    fn add_lemma(&mut self, lemma: &[Lit]) {
        self.stats.lemmas += 1;
        self.focus.add(lemma);
        self.sat.add_clause(lemma);
        if let Some(record) = &mut self.record {
            record.lemmas.push(lemma.to_vec());
        }
    }

    /// Adds the lemmas that exclude a conflict link by link. At least one of them is new: otherwise the SAT solver would have found
    /// the conflict by propagation.
    fn add_chain(&mut self, conflict: &Conflict<'_>, live: &[GroundId], round: &Bump) {
        let mut links = BumpVec::new_in(round);
        for &(a, b) in &conflict.pairs {
            self.congruence.chain(&self.bank, a, b, &mut links, round);
        }
        self.chains.equations.extend(&self.atoms, &self.ground, live);
        self.chains.equations.detours(&mut links, round);
        let mut lemma = BumpVec::new_in(round);
        for link in links {
            let is_new = self.chains.known.insert(link);
            if !is_new && !self.focus.is_on {
                continue;
            }
            lemma.clear();
            let ([a, b], premises) = link.equations(&self.bank);
            for [a, b] in premises {
                let premise = !self.literal(AtomKind::Eq, &[a, b], true);
                if a != b && !lemma.contains(&premise) {
                    lemma.push(premise);
                }
            }
            lemma.push(self.literal(AtomKind::Eq, &[a, b], true));
            if is_new {
                self.add_lemma(&lemma);
            } else {
                // Its equations need not occur in the query otherwise.
                self.focus.add(&lemma);
            }
        }
        lemma.clear();
        for &(a, b) in &conflict.pairs {
            if a != b {
                lemma.push(!self.literal(AtomKind::Eq, &[a, b], true));
            }
        }
        // The equation may be the conclusion itself.
        if conflict.conclusion.iter().all(|&lit| !lemma.contains(&!lit)) {
            lemma.extend_from_slice_copy(&conflict.conclusion);
            self.add_lemma(&lemma);
        }
    }

    /// Returns contradictions between the relevant literals and equality.
    fn conflicts<'r>(&self, round: &'r Bump) -> BumpVec<'r, Conflict<'r>> {
        let mut conflicts = BumpVec::new_in(round);
        let lits = &self.implicant.lits;
        // At most half full.
        let seen: &mut [u32] = round.alloc_slice_fill_copy((2 * lits.len()).next_power_of_two(), 0);
        for (index, &lit) in lits.iter().enumerate() {
            if conflicts.len() >= self.batch.limit {
                break;
            }
            let args = self.atoms.args(lit.var());
            match self.atoms.kind(lit.var()) {
                AtomKind::Eq => {
                    if lit.is_negative() && self.congruence.find(args[0]) == self.congruence.find(args[1]) {
                        let pairs = bumpalo::vec![in round; (args[0], args[1])];
                        conflicts.push(Conflict { pairs, conclusion: SmallVec::from_slice(&[!lit]) });
                    }
                }
                AtomKind::Rel(_) if args.is_empty() => {}
                AtomKind::Rel(_) => {
                    let other = self.first_equal(seen, index);
                    if other.is_negative() != lit.is_negative() {
                        let mut pairs = BumpVec::new_in(round);
                        pairs.extend(self.atoms.args(other.var()).iter().copied().zip(args.iter().copied()));
                        conflicts.push(Conflict { pairs, conclusion: SmallVec::from_slice(&[!lit, !other]) });
                    }
                }
            }
        }
        conflicts
    }

    /// Returns the first relevant literal whose atom is equal to that of literal `index` in the candidate. `seen` is a
    /// hash table with open addressing of these first literals: 0 if empty, otherwise the index of the literal plus
    /// one. The length is a power of two.
    fn first_equal(&self, seen: &mut [u32], index: usize) -> Lit {
        let lits = &self.implicant.lits;
        let (kind, args) = (self.atoms.kind(lits[index].var()), self.atoms.args(lits[index].var()));
        let is_equal = |other: Lit| {
            self.atoms.kind(other.var()) == kind && self.are_equal(self.atoms.args(other.var()), args)
        };
        let mask = seen.len() - 1;
        let mut at = self.hash_of_classes(kind, args) & mask;
        loop {
            match seen[at] {
                0 => {
                    seen[at] = index as u32 + 1;
                    return lits[index];
                }
                found if is_equal(lits[found as usize - 1]) => return lits[found as usize - 1],
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Returns a hash of an atom that depends on the classes of its arguments only.
    fn hash_of_classes(&self, kind: AtomKind, args: &[Pattern]) -> usize {
        let mut hasher = Hasher::default();
        kind.hash(&mut hasher);
        for &arg in args {
            self.congruence.find(arg).hash(&mut hasher);
        }
        hasher.finish() as usize
    }

    /// Checks whether terms are pairwise equal in the candidate.
    fn are_equal(&self, a: &[Pattern], b: &[Pattern]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(&a, &b)| self.congruence.find(a) == self.congruence.find(b))
    }

    /// Returns the clause that concludes from the literals that imply the equality of the pairs.
    fn explanation<'r>(&self, conflict: &Conflict<'_>, round: &'r Bump) -> &'r [Lit] {
        let mut lits = BumpVec::new_in(round);
        self.congruence.explain(&self.bank, &conflict.pairs, &mut lits, round);
        for lit in &mut lits {
            *lit = !*lit;
        }
        lits.extend_from_slice_copy(&conflict.conclusion);
        lits.into_bump_slice()
    }
}

#[cfg(test)]
mod tests {
    use ramsey_core::base::budget::Budget;
    use ramsey_core::base::rng::Rng;
    use ramsey_core::logic::{Evaluator, Signature, Sort, SortId, Symbol, SymbolKind, TermId, Terms};

    use crate::epr::{Answer, Solver};

    /// Each of many equal pairs contradicts the values with which decisions begin.
    #[test]
    fn many_contradictions_need_few_candidates() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let mut declare = |name: &str, args: &[SortId], value| {
            sig.symbols.push(Symbol::new(name, args.to_vec(), value, SymbolKind::Immutable))
        };
        let p = declare("p", &[sort], SortId::BOOL);
        let pairs: Vec<_> = (0..2_000)
            .map(|at| {
                let [a, b] = ["a", "b"].map(|name| declare(&format!("{name}{at}"), &[], sort));
                (a, b, declare(&format!("q{at}"), &[], SortId::BOOL))
            })
            .collect();
        let mut terms = Terms::new();
        let mut facts = Vec::new();
        for (a, b, q) in pairs {
            let [a, b] = [a, b].map(|it| terms.app(&sig, it, 0, &[]));
            let [of_a, of_b] = [a, b].map(|it| terms.app(&sig, p, 0, &[it]));
            let q = terms.app(&sig, q, 0, &[]);
            let negated = terms.not(of_b);
            facts.extend([of_a, terms.eq(a, b), terms.or(&[negated, q])]);
        }
        let mut solver = Solver::new(sig, terms, 0);
        facts.iter().for_each(|&fact| solver.assert(fact));
        assert_eq!(solver.check(&[], &mut Budget::unlimited()), Ok(Answer::Sat));
        assert!((2..=12).contains(&solver.stats.rounds), "{}", solver.stats.rounds);
    }

    /// Random ground clauses, with chains from the first lemma and without any, with every query limited to the atoms that
    /// concern it, and with decisions limited to what its clauses need.
    #[test]
    fn chains_change_no_answer() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let kind = SymbolKind::Immutable;
        let constants: Vec<_> =
            (0..7).map(|at| sig.symbols.push(Symbol::new(format!("c{at}"), vec![], sort, kind))).collect();
        let f = sig.symbols.push(Symbol::new("f", vec![sort, sort], sort, kind));
        let p = sig.symbols.push(Symbol::new("p", vec![sort], SortId::BOOL, kind));
        let mut rng = Rng::new(3);
        let (mut answers, mut links) = ([0; 2], 0);
        for _ in 0..400 {
            let mut terms = Terms::new();
            let mut known: Vec<TermId> = constants.iter().map(|&sym| terms.app(&sig, sym, 0, &[])).collect();
            for _ in 0..6 {
                let args = [known[rng.below(known.len())], known[rng.below(known.len())]];
                known.push(terms.app(&sig, f, 0, &args));
            }
            let clauses: Vec<TermId> = (0..34)
                .map(|_| {
                    let literals: Vec<TermId> = (0..2)
                        .map(|_| {
                            let (a, b) = (known[rng.below(known.len())], known[rng.below(known.len())]);
                            let atom =
                                if rng.below(4) == 0 { terms.app(&sig, p, 0, &[a]) } else { terms.eq(a, b) };
                            if rng.below(3) == 0 { terms.not(atom) } else { atom }
                        })
                        .collect();
                    terms.or(&literals)
                })
                .collect();
            let never = usize::MAX;
            let [with, focused, covered, without] =
                [(0, false, never), (0, true, never), (0, false, 0), (u64::MAX, false, never)].map(
                    |(patience, focus, min_covered)| {
                        let mut solver = Solver::new(sig.clone(), terms.clone(), 0);
                        solver.chains.patience = patience;
                        solver.focus.always = focus;
                        solver.focus.min_covered = min_covered;
                        // The second query meets lemmas of the first, about equations that do not concern it otherwise.
                        solver.push();
                        clauses.iter().skip(6).for_each(|&clause| solver.assert(clause));
                        solver.check(&[], &mut Budget::unlimited()).expect("no limit");
                        solver.pop();
                        clauses.iter().for_each(|&clause| solver.assert(clause));
                        let answer = solver.check(&[], &mut Budget::unlimited()).expect("no limit");
                        if answer == Answer::Sat {
                            let structure = solver.structure(1);
                            let mut eval = Evaluator::new(terms.over(&sig), &structure);
                            assert!(clauses.iter().all(|&clause| eval.holds(clause)));
                        }
                        links += solver.chains.known.len();
                        answer
                    },
                );
            assert_eq!([with, focused, covered], [without; 3]);
            answers[usize::from(with == Answer::Sat)] += 1;
        }
        assert!(answers.iter().all(|&count| count > 40) && links > 1_000, "{answers:?} {links}");
    }
}
