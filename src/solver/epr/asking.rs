//! Instances that the literals of a candidate ask for, in long searches.
//!
//! A clause whose variables no negative literal binds is violated by default at all elements: that a relation is reflexive at the start
//! of an execution, at each element of each candidate. What follows from these instances is mostly of no concern. A literal of the
//! candidate that makes a literal of a clause with all its variables false asks for what the rest of the clause says at its
//! terms: a tuple that is not in a relation after a step, for whether it is there before the step, and so on to the start. Such
//! instances come before those at all elements (E-matching as in Simplify: Detlefs, Nelson and Saxe, JACM 2005). No term is
//! new, so there are no more of them than pairs of a clause and an atom; what they do not exclude is searched in full afterwards.

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::Id as _;

use super::atoms::AtomKind;
use super::bank::Pattern;
use super::matching::terms_at;
use super::search::Query;
use super::solver::Solver;
use super::symbols::Rel;
use super::universal::{LitKind, LiteralId, UniversalId};

/// By relation and sign, literals of clauses.
type Literals = Map<(Rel, bool), Vec<(UniversalId, LiteralId)>>;

/// Clauses, and the terms of their variables.
#[derive(Default)]
struct Instances {
    /// The clauses, each with the end of its terms in `terms`.
    clauses: Vec<(UniversalId, usize)>,
    /// The terms of all instances, one after the other.
    terms: Vec<Pattern>,
}

/// What the literals of the candidates of a query have asked for.
#[derive(Default)]
pub(super) struct Asking {
    /// The literals with all variables of their clause; `None` before they are needed.
    literals: Option<Literals>,
    /// By literal of the SAT solver, whether it has asked.
    has_asked: Vec<bool>,
}

impl Solver {
    /// Adds the instances that literals of the candidate ask for which have not asked before. Returns whether there are any. Clauses with
    /// functions of variables are left out: their instances may have new terms.
    pub(super) fn answer_literals(
        &mut self,
        query: &mut Query,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let mut asking = std::mem::take(&mut query.asking);
        let found = self.asked(&mut asking, budget);
        query.asking = asking;
        let Instances { clauses, terms } = found?;
        let mut start = 0;
        for &(id, end) in &clauses {
            let pattern = std::mem::take(&mut self.universals[id].pattern);
            self.add_instance(query, id, &pattern, &terms[start..end]);
            self.universals[id].pattern = pattern;
            start = end;
        }
        Ok(!clauses.is_empty())
    }

    /// Returns the instances that literals ask for which have not asked before.
    fn asked(&self, asking: &mut Asking, budget: &mut Budget) -> Result<Instances, Exhausted> {
        let literals = asking.literals.get_or_insert_with(|| self.literals_with_all_variables());
        asking.has_asked.resize(2 * self.atoms.len(), false);
        let Instances { mut clauses, mut terms } = Instances::default();
        for &lit in &self.implicant.lits {
            let AtomKind::Rel(relation) = self.atoms.kind(lit.var()) else { continue };
            if std::mem::replace(&mut asking.has_asked[lit.index()], true) {
                continue;
            }
            // The literals that it makes false have the other sign.
            let Some(falsified) = literals.get(&(relation, lit.is_negative())) else { continue };
            budget.spend(falsified.len() as u64)?;
            for &(id, literal) in falsified {
                let start = terms.len();
                let clause = &self.universals[id];
                if terms_at(clause, literal, self.atoms.args(lit.var()), &mut terms)
                    && self.instances.get(id, &terms[start..]).is_none()
                {
                    clauses.push((id, terms.len()));
                } else {
                    terms.truncate(start);
                }
            }
        }
        Ok(Instances { clauses, terms })
    }

    fn literals_with_all_variables(&self) -> Literals {
        let mut literals = Literals::default();
        for id in self.awake() {
            let clause = &self.universals[id];
            if clause.slots.is_empty() || !clause.compounds.is_empty() {
                continue;
            }
            for (number, literal) in clause.literals.iter().enumerate() {
                if let LitKind::Rel(relation, _) = literal.kind
                    && literal.slots.len() == clause.slots.len()
                {
                    let of_relation = literals.entry((relation, literal.positive)).or_default();
                    of_relation.push((id, LiteralId::new(number)));
                }
            }
        }
        literals
    }
}

#[cfg(test)]
mod tests {
    use ramsey_core::base::budget::Budget;
    use ramsey_core::base::rng::Rng;
    use ramsey_core::logic::{Evaluator, Signature, Sort, SortId, Symbol, SymbolKind, TermId, Terms};

    use crate::epr::{Answer, Solver};

    /// A relation that is reflexive at first stays as it is in each of many steps. It is asked for one pair at the end.
    #[test]
    fn only_what_is_asked_for_is_instantiated() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let mut declare = |name: String, args: &[SortId], result| {
            sig.symbols.push(Symbol::new(name, args.to_vec(), result, SymbolKind::Immutable))
        };
        let steps: Vec<_> = (0..9).map(|at| declare(format!("r{at}"), &[sort; 2], SortId::BOOL)).collect();
        let constants: Vec<_> = (0..30).map(|at| declare(format!("c{at}"), &[], sort)).collect();
        let mut terms = Terms::new();
        let vars = ["X", "Y"].map(|name| terms.new_var(name, sort));
        let [x, y] = vars.map(|var| terms.var(var));
        let mut facts = Vec::new();
        let at_first = terms.app(&sig, steps[0], 0, &[x, x]);
        facts.push(terms.forall(&vars, at_first));
        for pair in steps.windows(2) {
            let [before, after] = [pair[0], pair[1]].map(|step| terms.app(&sig, step, 0, &[x, y]));
            let same = terms.iff(before, after);
            facts.push(terms.forall(&vars, same));
        }
        let elements: Vec<TermId> = constants.iter().map(|&it| terms.app(&sig, it, 0, &[])).collect();
        for (at, &a) in elements.iter().enumerate() {
            for &b in &elements[..at] {
                let same = terms.eq(a, b);
                facts.push(terms.not(same));
            }
        }
        let at_last = terms.app(&sig, steps[8], 0, &[elements[7], elements[7]]);
        facts.push(terms.not(at_last));
        let mut solver = Solver::new(sig, terms, 0);
        solver.first_slice = 1;
        facts.iter().for_each(|&fact| solver.assert(fact));
        assert_eq!(solver.check(&[], &mut Budget::unlimited()), Ok(Answer::Unsat));
        assert!(solver.stats.instances <= 20, "{} instances", solver.stats.instances);
    }

    /// Random clauses with quantifiers, in long searches and in short ones. Some long ones add all instances at once.
    #[test]
    fn long_searches_have_the_same_answers() {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let mut declare = |name: &str, arity: usize, result| {
            sig.symbols.push(Symbol::new(name, vec![sort; arity], result, SymbolKind::Immutable))
        };
        let constants = ["a", "b", "c"].map(|name| declare(name, 0, sort));
        let relations = [("p", 1), ("q", 1), ("r", 2), ("t", 2)]
            .map(|(name, arity)| (declare(name, arity, SortId::BOOL), arity));
        let mut rng = Rng::new(17);
        let (mut answers, mut instances) = ([0; 2], 0);
        for _ in 0..600 {
            let mut terms = Terms::new();
            let vars = ["X", "Y", "Z"].map(|name| terms.new_var(name, sort));
            let clauses: Vec<TermId> = (0..9)
                .map(|_| {
                    let literals: Vec<TermId> = (0..1 + rng.below(3))
                        .map(|_| {
                            let mut arg = |terms: &mut Terms| match rng.below(5) {
                                0 | 1 => terms.app(&sig, constants[rng.below(3)], 0, &[]),
                                _ => terms.var(vars[rng.below(3)]),
                            };
                            let args = [arg(&mut terms), arg(&mut terms)];
                            let atom = match rng.below(6) {
                                0 => terms.eq(args[0], args[1]),
                                _ => {
                                    let (relation, arity) = relations[rng.below(4)];
                                    terms.app(&sig, relation, 0, &args[..arity])
                                }
                            };
                            if rng.below(2) == 0 { terms.not(atom) } else { atom }
                        })
                        .collect();
                    let clause = terms.or(&literals);
                    terms.forall(&vars, clause)
                })
                .collect();
            let kinds = [(u64::MAX / 16, u64::MAX), (1, u64::MAX), (1, 0)];
            let [short, long, grounded] = kinds.map(|(first_slice, work_per_instance)| {
                let mut solver = Solver::new(sig.clone(), terms.clone(), 0);
                solver.first_slice = first_slice;
                solver.work_per_instance = work_per_instance;
                clauses.iter().for_each(|&clause| solver.assert(clause));
                let answer = solver.check(&[], &mut Budget::unlimited()).expect("no limit");
                if answer == Answer::Sat {
                    let structure = solver.structure(1);
                    let mut eval = Evaluator::new(terms.over(&sig), &structure);
                    assert!(clauses.iter().all(|&clause| eval.holds(clause)));
                }
                if solver.is_long {
                    instances += solver.stats.instances;
                }
                answer
            });
            assert_eq!([long, grounded], [short; 2]);
            answers[usize::from(long == Answer::Sat)] += 1;
        }
        assert!(answers.iter().all(|&count| count > 100) && instances > 1_000, "{answers:?} {instances}");
    }
}
