//! Assertions: conversion of formulas into active clauses.

use super::atoms::{AtomKind, GroundId};
use super::bank::Pattern;
use super::clause::{Clause, PatternAtom, PatternLit};
use super::clausify::Clausifier;
use super::solver::{Label, Solver};
use super::universal::UniversalClause;
use crate::sat::Lit;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::logic::TermId;

/// Maximum number of literals in the clauses of one assertion, intermediate clauses included.
const MAX_LITERALS: u64 = 4_000_000;

impl Solver {
    /// Asserts a closed formula in the innermost scope. If the formula is too large or the budget does not suffice (see
    /// [`Self::within`]), this is recorded (see [`Self::unfinished`]).
    pub fn assert(&mut self, formula: TermId) {
        self.assert_under(formula, self.guard());
    }

    /// Asserts a closed formula that is active only in checks that name its label.
    pub fn assert_labelled(&mut self, formula: TermId) -> Label {
        let label = self.fresh_literal();
        if let Some(scope) = self.scopes.last_mut() {
            scope.labels.push(label);
        }
        self.assert_under(formula, Some(label));
        Label(label)
    }

    /// Returns the normal form in which a formula is asserted: miniscoped negation normal form.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn normal_form(&mut self, formula: TermId) -> Result<TermId, Exhausted> {
        self.normalizer.within(&mut self.terms, formula, true, &mut self.budget)
    }

    /// Like [`Self::assert`], for a formula that is already in miniscoped negation normal form; it is not changed.
    pub fn assert_normal(&mut self, formula: TermId) {
        self.assert_clauses(formula, self.guard());
    }

    fn assert_under(&mut self, formula: TermId, guard: Option<Lit>) {
        match self.normal_form(formula) {
            Ok(normal) => self.assert_clauses(normal, guard),
            Err(exhausted) => {
                // This assertion is numbered as well.
                if let Some(record) = &mut self.record {
                    record.start_assertion();
                }
                self.set_unfinished(exhausted);
            }
        }
    }

    /// Records that an assertion is missing.
    fn set_unfinished(&mut self, exhausted: Exhausted) {
        self.unfinished.get_or_insert((exhausted, self.scopes.len()));
    }

    fn assert_clauses(&mut self, normal: TermId, guard: Option<Lit>) {
        self.assertions = self.assertions.saturating_add(1);
        let origins = self.record.as_mut().map(|record| record.start_assertion());
        let clauses = self.budget.at_most(MAX_LITERALS, |budget| {
            let (symbols, bank) = (&mut self.symbols, &mut self.bank);
            Clausifier::new(self.terms.over(&self.sig), symbols, bank, origins, budget).clauses(normal)
        });
        match clauses {
            Ok(clauses) => clauses.into_iter().for_each(|clause| self.add_clause(clause, guard)),
            Err(exhausted) => self.set_unfinished(exhausted),
        }
    }

    fn add_clause(&mut self, clause: Clause, guard: Option<Lit>) {
        let Clause { lits: mut pattern, bindings } = clause;
        // Without that of the guard, which is true in every candidate.
        let proposition = pattern.iter().find_map(PatternLit::proposition);
        if let Some(guard) = guard
            && let AtomKind::Rel(rel) = self.atoms.kind(guard.var())
        {
            let atom = PatternAtom::Rel(rel, smallvec::SmallVec::new());
            pattern.push(PatternLit { positive: guard.is_negative(), atom });
        }
        let is_ground = pattern.iter().all(|lit| lit.atom.args().iter().all(|&arg| self.bank.is_ground(arg)));
        if is_ground {
            let clause = self.add_ground(&pattern, &[]);
            if let Some(record) = &mut self.record {
                record.ground_clause(clause, bindings);
            }
            match self.scopes.last_mut() {
                None => self.ground.base.push(clause),
                Some(scope) => scope.clauses.push(clause),
            }
            return;
        }
        let scope = self.scopes.len().checked_sub(1);
        let id = self.universals.push(UniversalClause::new(&self.bank, pattern, scope, self.assertions));
        if let Some(record) = &mut self.record {
            record.universal(bindings);
        }
        self.settled.push(&self.universals[id], |function| self.symbols.funs[function].result);
        let relations = self.universals[id].pattern.iter().filter_map(PatternLit::negated_relation);
        self.active.push(id, proposition, relations);
        for lit in &self.universals[id].pattern {
            if let (PatternAtom::Rel(relation, _), true) = (&lit.atom, lit.positive) {
                self.active.assert(*relation);
            }
        }
    }

    /// Adds the instance of a clause at these terms to the SAT solver. Returns its id among the ground clauses.
    pub(super) fn add_ground(&mut self, pattern: &[PatternLit], map: &[Pattern]) -> GroundId {
        let mut lits: smallvec::SmallVec<[Lit; 12]> = smallvec::SmallVec::new();
        for lit in pattern {
            let mut args = lit.atom.args();
            for arg in &mut args {
                *arg = self.bank.instantiate(&self.symbols, *arg, map);
            }
            let kind = match lit.atom {
                PatternAtom::Eq(..) if args[0] == args[1] => {
                    if lit.positive {
                        // The clause is trivially true.
                        return self.ground.push_true();
                    }
                    continue;
                }
                PatternAtom::Eq(..) => AtomKind::Eq,
                PatternAtom::Rel(rel, _) => AtomKind::Rel(rel),
            };
            let ground = self.literal(kind, &args, lit.positive);
            if !lits.contains(&ground) {
                lits.push(ground);
            }
        }
        self.sat.add_clause(&lits);
        self.ground.push(&lits)
    }

    /// Returns the literal of an atom, which becomes a variable of the SAT solver if it is new.
    pub(super) fn literal(&mut self, kind: AtomKind, args: &[Pattern], positive: bool) -> Lit {
        let (var, new) = self.atoms.intern(kind, args);
        if new {
            let made = self.sat.new_var();
            debug_assert_eq!(made, var, "atoms are the variables of the SAT solver");
            if let AtomKind::Rel(rel) = kind
                && self.symbols.is_first(rel)
            {
                self.sat.decide_first(var);
            }
        }
        var.literal(positive)
    }

    /// Returns the literal of a new atom that names no formula.
    pub(super) fn fresh_literal(&mut self) -> Lit {
        let rel = self.symbols.fresh_name();
        self.literal(AtomKind::Rel(rel), &[], true)
    }
}
