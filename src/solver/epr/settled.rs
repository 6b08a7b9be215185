//! Clauses that no candidate since the last search of them can violate.
//!
//! Most candidates differ from the one before in few relations. Whether a clause is violated depends on the relations, functions
//! and universes that it speaks of, and on the values of its ground terms. Their contents are compared by their *prints*, hashes
//! over terms and not over elements, whose numbers change from one candidate to the next. Equal prints of different contents are
//! as good as impossible, and would show where the structure is judged.

use super::bank::{Pattern, SlotId};
use super::join::{CandidateView, Undefined};
use super::symbols::{Fun, Rel};
use super::universal::{Arg, LitKind, SlotSet, UniversalClause, UniversalId};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::SortId;

/// A hash of a set or sequence of terms, long enough that equal ones stand for equal contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Print(u128);

impl Print {
    /// Returns the print of this sequence with one more number.
    #[inline]
    pub(crate) fn then(self, number: usize) -> Print {
        self.mix(number as u128 + 1)
    }

    /// Returns the print of this sequence with one more part.
    #[inline]
    fn and(self, part: Print) -> Print {
        self.mix(part.0)
    }

    #[inline]
    fn mix(self, part: u128) -> Print {
        let sum = (self.0.rotate_left(41) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let sum = (sum ^ sum >> 71).wrapping_mul(0xD1B5_4A32_D192_ED03_8CB9_2BA7_2F3D_8DD7);
        Print(sum ^ sum >> 67)
    }

    /// Adds a member to the set of which this is the print.
    #[inline]
    pub(crate) fn add(&mut self, member: Print) {
        self.0 = self.0.wrapping_add(member.0);
    }
}

/// Something that a clause speaks of.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Part {
    Relation(Rel),
    /// A function with its result sort, whose first element is its default.
    Function(Fun, SortId),
    /// The universe of variables that no negative literal limits to tuples of a relation.
    Universe(SortId),
    /// The number of elements of other variables' sorts, by which searches are planned: so a search of the same contents takes the same
    /// work.
    Size(SortId),
}

/// Where a search for violations found none.
#[derive(Clone, Copy, Debug)]
struct Search {
    print: Print,
    /// The work that it took, which counts again where it is spared: budgets and answers do not depend on what was asked before.
    work: u64,
}

/// What is known of all universal clauses.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    parts: Vec<Part>,
    /// By clause, the end of its part of `parts`.
    ends: IdVec<UniversalId, u32>,
    /// By clause, the last search without violations, with either treatment of undefined applications.
    searches: IdVec<UniversalId, [Option<Search>; 2]>,
}

impl Settled {
    /// Adds the next clause. `result` returns the result sort of a function.
    pub(super) fn push(&mut self, clause: &UniversalClause, result: impl Fn(Fun) -> SortId) {
        let start = self.parts.len();
        let mut limited = SlotSet::default();
        for literal in &clause.literals {
            let LitKind::Rel(relation, args) = &literal.kind else { continue };
            self.add(start, Part::Relation(*relation));
            for &arg in args {
                if let (Arg::Slot(slot), false) = (arg, literal.positive) {
                    limited.insert(slot);
                }
            }
        }
        for compound in &clause.compounds {
            self.add(start, Part::Function(compound.fun, result(compound.fun)));
        }
        for (slot, &sort) in clause.slots.iter().enumerate() {
            let is_limited = limited.contains(SlotId::new(slot));
            self.add(start, if is_limited { Part::Size(sort) } else { Part::Universe(sort) });
        }
        self.ends.push(self.parts.len() as u32);
        self.searches.push([None; 2]);
    }

    fn add(&mut self, start: usize, part: Part) {
        if !self.parts[start..].contains(&part) {
            self.parts.push(part);
        }
    }

    /// Returns the print of everything on which violations of a clause depend.
    pub(super) fn print(
        &self,
        id: UniversalId,
        clause: &UniversalClause,
        view: CandidateView<'_>,
        undefined: Undefined,
    ) -> Print {
        let CandidateView { bank, candidate, congruence } = view;
        let number = |term: Option<Pattern>| term.map_or(0, |term| term.index() + 1);
        let start = id.index().checked_sub(1).map_or(0, |before| self.ends[UniversalId::new(before)]);
        let mut print = Print::default();
        for &part in &self.parts[start as usize..self.ends[id] as usize] {
            print = match part {
                Part::Relation(relation) => print.and(candidate.relation_print(relation)),
                Part::Function(function, sort) => {
                    let print = print.and(candidate.function_print(function));
                    match undefined {
                        Undefined::Prune => print,
                        Undefined::Default => print.then(number(candidate.term(sort, 0))),
                    }
                }
                Part::Universe(sort) => print.and(candidate.universe_print(sort)),
                Part::Size(sort) => print.then(candidate.size(sort)),
            };
        }
        for &term in &clause.grounds {
            let value = candidate.value(bank, congruence, term, undefined == Undefined::Default);
            print = match value {
                Some(value) => print.then(number(candidate.term(bank.sort(term), value)) + 1),
                None => print.then(0),
            };
        }
        print
    }

    /// Returns whether the last search of a clause found no violations where everything had this print. It is paid for again: a search
    /// for which the budget does not suffice takes place, and ends where it would have ended without the one before.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    #[inline]
    pub(super) fn spares(
        &self,
        id: UniversalId,
        undefined: Undefined,
        print: Print,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        match self.searches[id][undefined as usize] {
            Some(search) if search.print == print && search.work < budget.left() => {
                budget.spend(search.work)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Notes that a search found no violations.
    pub(super) fn note(&mut self, id: UniversalId, undefined: Undefined, print: Print, work: u64) {
        self.searches[id][undefined as usize] = Some(Search { print, work });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epr::congruence::Congruence;
    use crate::epr::finite::FiniteSearch;
    use crate::epr::join::{Join, Reach};
    use crate::epr::{Answer, Solver};
    use ramsey_core::base::rng::Rng;
    use ramsey_core::logic::{Elem, Evaluator, Signature, Sort, SortId, Symbol, SymbolKind, TermId, Terms};

    /// Returns the number of searches that the last candidate spares. Checks that none of them would find anything.
    fn spared(solver: &mut Solver) -> usize {
        let mut spared = 0;
        for id in solver.active.iter() {
            let clause = &solver.universals[id];
            let (candidate, congruence) = (&solver.candidate, &solver.congruence);
            let view = CandidateView { bank: &solver.bank, candidate, congruence };
            let mut relations = clause.pattern.iter().filter_map(|lit| lit.negated_relation());
            if !relations.all(|relation| candidate.has_tuples[relation]) {
                continue;
            }
            for undefined in [Undefined::Prune, Undefined::Default] {
                let print = solver.settled.print(id, clause, view, undefined);
                let unlimited = &mut Budget::unlimited();
                spared += usize::from(solver.settled.spares(id, undefined, print, unlimited) == Ok(true));
                let found =
                    solver.join.run(clause, view, (undefined, Reach::Elements), 1, &mut Budget::unlimited());
                assert_eq!((found, solver.join.count), (Ok(()), 0), "{clause:?}");
            }
        }
        spared
    }

    /// Searches models of fixed sizes while more and more tuples of unary relations are fixed, by one search and by a new one for each
    /// tuple. Returns the number of models. Checks that both agree, and that no model violates a clause.
    fn finite_models(solver: &Solver, unary: &[Rel], rng: &mut Rng) -> usize {
        let clauses = solver.finite_clauses(&[]);
        let mut sizes = IdVec::filled(solver.sig.sorts.len(), 2);
        solver.sig.uninterpreted_sorts().skip(1).for_each(|sort| sizes[sort] = 3);
        let new = || {
            let mut search = FiniteSearch::new(&solver.symbols, &solver.bank, &clauses, sizes.clone());
            search.name_elements();
            search
        };
        let (mut search, mut fixed, mut models) = (new(), Vec::new(), 0);
        for _ in 0..6 {
            let tuple = (unary[rng.below(unary.len())], [rng.below(2) as Elem], rng.below(2) == 0);
            fixed.push(tuple);
            search.prefer_tuple(tuple.0, &tuple.1, tuple.2, true);
            let mut other = new();
            fixed.iter().for_each(|(rel, tuple, value)| other.prefer_tuple(*rel, tuple, *value, true));
            let found = search.solve(&[], &mut Budget::unlimited());
            assert_eq!(found, other.solve(&[], &mut Budget::unlimited()));
            if found != Ok(true) {
                break;
            }
            models += 1;
            let (mut join, congruence) = (Join::default(), Congruence::default());
            let view =
                CandidateView { bank: &solver.bank, candidate: &search.candidate, congruence: &congruence };
            let mut supported = Vec::new();
            clauses.active.supported(|relation| search.candidate.has_tuples[relation], &mut supported);
            for id in supported {
                let (clause, all) = (&clauses.clauses[id], (Undefined::Default, Reach::Elements));
                let searched = join.run(clause, view, all, 1, &mut Budget::unlimited());
                assert_eq!((searched, join.count), (Ok(()), 0), "{clause:?}");
            }
        }
        models
    }

    /// Random clauses with functions between two sorts, asserted and retracted in scopes: what a candidate satisfies is found by
    /// the search that spares nothing. Every other solver has relations that are true by default.
    #[test]
    fn no_clause_is_violated_where_searches_are_spared() {
        let mut sig = Signature::new();
        let mut sort = |name: &str| sig.sorts.push(Sort::new(name));
        let sorts = [sort("s"), sort("t")];
        let mut symbol = |name: String, args: &[SortId], result| {
            sig.symbols.push(Symbol::new(name, args.to_vec(), result, SymbolKind::Immutable))
        };
        let constants = [0, 1].map(|of| [0, 1, 2].map(|at| symbol(format!("c{of}{at}"), &[], sorts[of])));
        let f = symbol("f".into(), &sorts[..1], sorts[1]);
        let unary = [0, 1].map(|of| symbol(format!("p{of}"), &sorts[of..=of], SortId::BOOL));
        let binary = symbol("r".into(), &sorts, SortId::BOOL);
        let mut rng = Rng::new(11);
        let (mut answers, mut in_all, mut full, mut models) = ([0; 2], 0, 0, 0);
        for number in 0..300 {
            let mut terms = Terms::new();
            let vars = [0, 1].map(|of| [0, 1].map(|at| terms.new_var(format!("x{at}"), sorts[of])));
            let mut clause = |rng: &mut Rng, open: bool| {
                let mut term = |rng: &mut Rng, of: usize| match rng.below(if of == 1 { 4 } else { 2 }) {
                    0 if open => terms.var(vars[of][rng.below(2)]),
                    2 if open => {
                        let inner = terms.var(vars[0][rng.below(2)]);
                        terms.app(&sig, f, 0, &[inner])
                    }
                    3 => {
                        let inner = terms.app(&sig, constants[0][rng.below(3)], 0, &[]);
                        terms.app(&sig, f, 0, &[inner])
                    }
                    _ => terms.app(&sig, constants[of][rng.below(3)], 0, &[]),
                };
                let literals: Vec<(TermId, Option<TermId>, usize, bool)> = (0..1 + rng.below(3))
                    .map(|_| {
                        let of = rng.below(2);
                        let kind = rng.below(3);
                        let a = term(rng, if kind == 2 { 0 } else { of });
                        let b = (kind > 0).then(|| term(rng, if kind == 2 { 1 } else { of }));
                        (a, b, kind, rng.below(2) == 0)
                    })
                    .collect();
                let literals: Vec<TermId> = literals
                    .into_iter()
                    .map(|(a, b, kind, positive)| {
                        let of = usize::from(terms.sort(a) == sorts[1]);
                        let atom = match (kind, b) {
                            (1, Some(b)) => terms.eq(a, b),
                            (2, Some(b)) => terms.app(&sig, binary, 0, &[a, b]),
                            _ => terms.app(&sig, unary[of], 0, &[a]),
                        };
                        if positive { atom } else { terms.not(atom) }
                    })
                    .collect();
                let body = terms.or(&literals);
                terms.forall(&vars.concat(), body)
            };
            let permanent: Vec<TermId> = (0..6).map(|at| clause(&mut rng, at < 3)).collect();
            let scoped: Vec<[TermId; 2]> =
                (0..3).map(|_| [true, false].map(|open| clause(&mut rng, open))).collect();
            let mut solver = Solver::new(sig.clone(), terms, 0);
            solver.is_generous = number % 2 == 1;
            permanent.iter().for_each(|&formula| solver.assert(formula));
            for formulas in scoped {
                solver.push();
                formulas.iter().for_each(|&formula| solver.assert(formula));
                let answer = solver.check(&[], &mut Budget::unlimited()).expect("no limit");
                answers[usize::from(answer == Answer::Sat)] += 1;
                if answer == Answer::Sat {
                    let structure = solver.structure(1);
                    let mut eval = Evaluator::new(solver.syntax(), &structure);
                    assert!(permanent.iter().chain(&formulas).all(|&formula| eval.holds(formula)));
                    full += solver.active.positive().filter(|&rel| solver.candidate.is_full(rel)).count();
                }
                if answer == Answer::Sat && !solver.candidate.elements[sorts[0]].is_empty() {
                    in_all += spared(&mut solver);
                }
                let known: Vec<Rel> =
                    unary.iter().filter_map(|&symbol| solver.symbols.known_rel(symbol, 0)).collect();
                if !known.is_empty() {
                    models += finite_models(&solver, &known, &mut rng);
                }
                solver.pop();
            }
        }
        assert!(
            answers.iter().all(|&count| count > 50) && in_all > 500 && full > 50 && models > 500,
            "{answers:?} {in_all} {full} {models}"
        );
    }
}
