//! Invariants of circuits as formulas of the system.
//!
//! Each latch stands for a formula ([`Fact`]), and tracked constants for any elements. So the clauses of an invariant,
//! with universal variables for these constants, hold in all reachable states as long as the claims do. What a circuit
//! excludes in a step, the decision procedure can exclude too: the claims and these formulas are inductive together.

use super::build::Abstraction;
use super::fact::Fact;
use crate::hwmc::Clause;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SymId, TermId, VarId};

impl Abstraction {
    /// Returns the clauses of an invariant of the circuit as closed formulas in [`Self::terms`], and what they take for
    /// granted: the values of symbols that no transition changes.
    pub fn lemmas(&mut self, invariant: &[Clause]) -> Vec<TermId> {
        let mut lemmas = self.fixed.clone();
        let vars = self.variables();
        for clause in invariant {
            if let Some(lemma) = self.lemma(clause, &vars)
                && !lemmas.contains(&lemma)
            {
                lemmas.push(lemma);
            }
        }
        lemmas
    }

    /// Returns a variable for each tracked constant that is not one of the system.
    fn variables(&mut self) -> Map<SymId, VarId> {
        let mut names: Set<String> = self.sig.symbols.iter().map(|symbol| symbol.name.clone()).collect();
        let mut vars = Map::default();
        for &constant in &self.tracked {
            let Node::App { sym, .. } = self.terms.node(constant) else { continue };
            let symbol = &self.sig.symbols[sym];
            let plain = symbol.name.split('.').next().unwrap_or_default().to_owned();
            // The constant itself has its name in no formula any more.
            if plain == symbol.name {
                names.remove(&plain);
            }
            let mut name = plain.clone();
            let mut count = 1;
            while !names.insert(name.clone()) {
                count += 1;
                name = format!("{plain}_{count}");
            }
            vars.insert(sym, self.terms.new_var(name.as_str(), symbol.result));
        }
        vars
    }

    /// Returns the formula of a clause; `None` if it is about initial states alone, of which the initial conditions say
    /// more.
    fn lemma(&mut self, clause: &Clause, vars: &Map<SymId, VarId>) -> Option<TermId> {
        let mut parts = Vec::new();
        for &(latch, value) in clause {
            let part = match *self.latches.get(latch)? {
                Fact::First if value => self.initial,
                Fact::First => return None,
                fact => {
                    let formula = self.formula(fact);
                    if value { formula } else { self.terms.not(formula) }
                }
            };
            parts.push(part);
        }
        let body = self.terms.or(&parts);
        let body = self.generalized(body, vars, &mut Map::default());
        let free = self.terms.free_vars(body);
        Some(self.terms.forall(&free, body))
    }

    /// Returns the formula of a fact about a state that is not whether it is initial.
    fn formula(&mut self, fact: Fact) -> TermId {
        match fact {
            Fact::Truth(formula) => formula,
            Fact::First => self.initial,
            Fact::Is(term, constant) => {
                let sort = self.terms.sort(constant);
                let mut parts = vec![self.terms.eq(term, constant)];
                // The elements of an enumeration are different in any case.
                if !self.finite.contains(&sort) {
                    let constants = self.constants.get(&sort).cloned().unwrap_or_default();
                    for earlier in constants.into_iter().take_while(|&it| it != constant) {
                        let equal = self.terms.eq(term, earlier);
                        parts.push(self.terms.not(equal));
                    }
                }
                self.terms.and(&parts)
            }
            Fact::Below(term, constant) => {
                let Some(&order) = self.orders.get(&self.terms.sort(constant)) else {
                    return self.terms.tru();
                };
                if order.is_strict {
                    self.terms.app(&self.sig, order.sym, 0, &[term, constant])
                } else {
                    let above = self.terms.app(&self.sig, order.sym, 0, &[constant, term]);
                    self.terms.not(above)
                }
            }
        }
    }

    /// Replaces tracked constants by variables.
    fn generalized(
        &mut self,
        term: TermId,
        vars: &Map<SymId, VarId>,
        done: &mut Map<TermId, TermId>,
    ) -> TermId {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        let var = match self.terms.node(term) {
            Node::App { sym, .. } => vars.get(&sym).copied(),
            _ => None,
        };
        let result = match var {
            Some(var) => self.terms.var(var),
            None => {
                let children: Vec<TermId> = self.terms.children(term).collect();
                let children: Vec<TermId> =
                    children.into_iter().map(|child| self.generalized(child, vars, done)).collect();
                self.terms.rebuild(term, &children)
            }
        };
        done.insert(term, result);
        result
    }
}
