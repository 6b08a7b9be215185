//! Conversion of the last candidate into a structure over the signature.

use super::candidate::Candidate;
use super::solver::Solver;
use super::table::Table;
use ramsey_core::logic::{Interpretation, Structure};

impl Solver {
    /// Returns the structure found by the last answer `Sat`, with `states` states.
    pub fn structure(&self, states: u16) -> Structure {
        let candidate: &Candidate = &self.candidate;
        let mut structure = Structure::new(&self.sig, usize::from(states.max(1)));
        for sort in self.sig.uninterpreted_sorts() {
            structure.sizes[sort] = candidate.size(sort).max(1) as u32;
        }
        for (sym, symbol) in self.sig.symbols.iter_enumerated() {
            let steps = if symbol.kind.is_mutable() { states.max(1) } else { 1 };
            for step in 0..steps {
                let meaning = if symbol.is_relation() {
                    let rel = self.symbols.known_rel(sym, step);
                    rel.and_then(|rel| Some(relation(candidate.rels.get(rel)?, candidate.is_full(rel))))
                } else {
                    let fun = self.symbols.known_fun(sym, step);
                    fun.and_then(|fun| Some(function(candidate.funs.get(fun)?)))
                };
                if let Some(meaning) = meaning {
                    *structure.interpretation_mut(&self.sig, sym, step.into()) = meaning;
                }
            }
        }
        structure
    }
}

fn relation(table: &Table, is_full: bool) -> Interpretation {
    let mut interpretation = Interpretation { default: is_full.into(), ..Interpretation::default() };
    for index in 0..table.len() {
        interpretation.set(table.tuple(index), (!is_full).into());
    }
    interpretation
}

fn function(table: &Table) -> Interpretation {
    let mut interpretation = Interpretation::default();
    for index in 0..table.len() {
        interpretation.set(table.tuple(index), table.value(index));
    }
    interpretation
}

#[cfg(test)]
mod tests {
    use ramsey_core::base::budget::Budget;
    use ramsey_core::logic::{Evaluator, Signature, Sort, SortId, Symbol, SymbolKind, TermId, Terms};

    use crate::epr::{Answer, Solver};

    /// Each two of many quorums have a node in common, and no other axiom says of which nodes they consist.
    #[test]
    fn a_model_needs_no_node_for_each_pair_of_quorums() {
        let mut sig = Signature::new();
        let mut sort = |name: &str| sig.sorts.push(Sort::new(name));
        let (node, quorum) = (sort("node"), sort("quorum"));
        let mut symbol = |name: String, args: Vec<SortId>, result| {
            sig.symbols.push(Symbol::new(name, args, result, SymbolKind::Immutable))
        };
        let member = symbol("member".into(), vec![node, quorum], SortId::BOOL);
        let quorums: Vec<_> = (0..60).map(|at| symbol(format!("q{at}"), vec![], quorum)).collect();
        let mut terms = Terms::new();
        let vars = [("N", node), ("Q", quorum), ("R", quorum)].map(|(name, sort)| terms.new_var(name, sort));
        let [n, q, r] = vars.map(|var| terms.var(var));
        let both = [q, r].map(|quorum| terms.app(&sig, member, 0, &[n, quorum]));
        let both = terms.and(&both);
        let some = terms.exists(&vars[..1], both);
        let quorums: Vec<TermId> = quorums.into_iter().map(|sym| terms.app(&sig, sym, 0, &[])).collect();
        let none = terms.app(&sig, member, 0, &[n, quorums[0]]);
        let none = terms.not(none);
        let formulas =
            [terms.forall(&vars[1..], some), terms.distinct(&quorums), terms.exists(&vars[..1], none)];
        let mut solver = Solver::new(sig.clone(), terms, 0);
        formulas.iter().for_each(|&formula| solver.assert(formula));
        assert_eq!(solver.check(&[], &mut Budget::unlimited()), Ok(Answer::Sat));
        let structure = solver.structure(1);
        let mut eval = Evaluator::new(solver.syntax(), &structure);
        assert!(formulas.iter().all(|&formula| eval.holds(formula)));
        assert!(structure.sizes[node] < 2_500 && solver.stats().instances < 4_000, "{:?}", solver.stats());
    }
}
