//! Assertions: from formulas to the clauses that count.

use super::atoms::AtomKind;
use super::bank::Gt;
use super::clausify::{Clause, Clausifier, DraftAtom, DraftLit};
use super::solver::{Label, Solver};
use super::universal::Universal;
use crate::base::budget::Exhausted;
use crate::logic::TermId;
use crate::sat::Lit;

/// How many literals the clauses of one assertion may have, those on the way to them included.
const MAX_LITERALS: u64 = 4_000_000;

impl Solver {
    /// Asserts a closed formula in the innermost scope. Where the formula is too large, or the budget does not suffice
    /// (see [`Self::within`]), that is remembered (see [`Self::unfinished`]).
    pub fn assert(&mut self, formula: TermId) {
        self.assert_under(formula, self.guard());
    }

    /// Asserts a closed formula that counts only in checks that name its label.
    pub fn assert_labelled(&mut self, formula: TermId) -> Label {
        let label = self.fresh_literal();
        if let Some(scope) = self.scopes.last_mut() {
            scope.labels.push(label);
        }
        self.assert_under(formula, Some(label));
        Label(label)
    }

    /// The normal form in which a formula is asserted: negation normal form, miniscoped.
    ///
    /// # Errors
    /// The budget that ran out.
    pub fn normal_form(&mut self, formula: TermId) -> Result<TermId, Exhausted> {
        self.normalizer.within(&mut self.terms, formula, true, &mut self.budget)
    }

    /// The same for a formula that is in negation normal form and miniscoped already, and stays as it is.
    pub fn assert_normal(&mut self, formula: TermId) {
        self.assert_clauses(formula, self.guard());
    }

    fn assert_under(&mut self, formula: TermId, guard: Option<Lit>) {
        match self.normal_form(formula) {
            Ok(normal) => self.assert_clauses(normal, guard),
            Err(exhausted) => {
                // Assertions are numbered, this one too.
                if let Some(record) = &mut self.record {
                    record.start_assertion();
                }
                self.give_up(exhausted);
            }
        }
    }

    /// Remembers that an assertion is not there.
    fn give_up(&mut self, exhausted: Exhausted) {
        self.unfinished.get_or_insert((exhausted, self.scopes.len()));
    }

    fn assert_clauses(&mut self, normal: TermId, guard: Option<Lit>) {
        let origins = self.record.as_mut().map(|record| record.start_assertion());
        let clauses = self.budget.at_most(MAX_LITERALS, |budget| {
            let (symbols, bank) = (&mut self.symbols, &mut self.bank);
            Clausifier::new(&self.sig, &self.terms, symbols, bank, origins, budget).clauses(normal)
        });
        match clauses {
            Ok(clauses) => clauses.into_iter().for_each(|clause| self.add(clause, guard)),
            Err(exhausted) => self.give_up(exhausted),
        }
    }

    fn add(&mut self, clause: Clause, guard: Option<Lit>) {
        let Clause { lits: mut draft, bindings } = clause;
        if let Some(guard) = guard
            && let AtomKind::Rel(rel) = self.atoms.kind(guard.var())
        {
            let atom = DraftAtom::Rel(rel, smallvec::SmallVec::new());
            draft.push(DraftLit { positive: guard.is_negative(), atom });
        }
        let is_ground = draft.iter().all(|lit| lit.atom.args().iter().all(|&arg| self.bank.is_ground(arg)));
        if is_ground {
            let clause = self.add_ground(&draft, &[]);
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
        match Universal::new(&self.bank, draft, scope) {
            Some(universal) => {
                let index = self.universals.len() as u32;
                self.universals.push(universal);
                if let Some(record) = &mut self.record {
                    record.universal(bindings);
                }
                self.active.push(index);
            }
            None => {
                self.incomplete.get_or_insert(self.scopes.len());
            }
        }
    }

    /// Adds the instance of a draft at these terms to the SAT solver; its number among the ground clauses.
    pub(super) fn add_ground(&mut self, draft: &[DraftLit], map: &[Gt]) -> u32 {
        let mut lits: smallvec::SmallVec<[Lit; 12]> = smallvec::SmallVec::new();
        for lit in draft {
            let mut args = lit.atom.args();
            for arg in &mut args {
                *arg = self.bank.instantiate(&self.symbols, *arg, map);
            }
            let kind = match lit.atom {
                DraftAtom::Eq(..) if args[0] == args[1] => {
                    if lit.positive {
                        // True: the clause says nothing.
                        return self.ground.push_true();
                    }
                    continue;
                }
                DraftAtom::Eq(..) => AtomKind::Eq,
                DraftAtom::Rel(rel, _) => AtomKind::Rel(rel),
            };
            let ground = self.literal(kind, &args, lit.positive);
            if !lits.contains(&ground) {
                lits.push(ground);
            }
        }
        self.sat.add_clause(&lits);
        self.ground.push(&lits)
    }

    fn literal(&mut self, kind: AtomKind, args: &[Gt], positive: bool) -> Lit {
        let (var, new) = self.atoms.intern(kind, args);
        if new {
            let made = self.sat.new_var();
            debug_assert_eq!(made, var, "atoms are the variables of the SAT solver");
        }
        var.literal(positive)
    }

    /// A new atom without meaning of its own.
    pub(super) fn fresh_literal(&mut self) -> Lit {
        let rel = self.symbols.name();
        self.literal(AtomKind::Rel(rel), &[], true)
    }
}
