//! Formulas with a quantifier alternation: evaluation in states, and their terms.

use crate::base::ids::Id as _;
use crate::forms::variable_name;
use crate::infer::state::{Atom, Literal, State, Vocabulary};
use crate::logic::{Signature, SortId, TermId, Terms};

/// A formula with the prefix forall-exists-forall whose matrix is a clause or a cube.
///
/// For all values of the outer variables, some value of the witnesses makes the matrix true for all values of the inner
/// variables. The matrix is true if the clause or the cube is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::infer) struct Alternation {
    /// The sort of each variable: outer ones first, then witnesses, then inner ones.
    pub(in crate::infer) sorts: Vec<SortId>,
    /// Number of outer variables.
    pub(in crate::infer) outer: usize,
    /// Number of witnesses.
    pub(in crate::infer) witnesses: usize,
    /// Literals one of which suffices.
    pub(in crate::infer) clause: Vec<Literal>,
    /// Literals that suffice together; without any, the cube is false.
    pub(in crate::infer) cube: Vec<Literal>,
}

impl Alternation {
    /// Returns the formula without variables that no literal mentions, and with sorted literals.
    pub(in crate::infer) fn normalized(mut self) -> Alternation {
        self.clause.sort();
        self.cube.sort();
        let mut is_used = vec![false; self.sorts.len()];
        for literal in self.clause.iter().chain(&self.cube) {
            literal.atom.variables(|var| is_used[usize::from(var)] = true);
        }
        let mut places = Vec::new();
        let mut next = 0_u8;
        for used in &is_used {
            places.push(next);
            next += u8::from(*used);
        }
        let renamed = |literal: &Literal| Literal {
            atom: literal.atom.renamed(|var| places[usize::from(var)]),
            positive: literal.positive,
        };
        let count = |range: std::ops::Range<usize>| is_used[range].iter().filter(|used| **used).count();
        let inner = self.outer + self.witnesses;
        let (outer, witnesses) = match count(self.outer..inner) {
            // Without witnesses, inner variables are outer ones.
            0 => (usize::from(next), 0),
            witnesses => (count(0..self.outer), witnesses),
        };
        let sorts = self.sorts.iter().zip(&is_used).filter(|(_, used)| **used).map(|(&sort, _)| sort);
        Alternation {
            sorts: sorts.collect(),
            outer,
            witnesses,
            clause: self.clause.iter().map(renamed).collect(),
            cube: self.cube.iter().map(renamed).collect(),
        }
    }

    /// Finds values of the outer variables for which the formula is false. Adds the number of tests to `work`.
    pub(in crate::infer) fn refutation(&self, state: &State, work: &mut u64) -> Option<Vec<u16>> {
        let mut values = vec![0; self.sorts.len()];
        self.refuted(0, state, &mut values, work).then(|| {
            values.truncate(self.outer);
            values
        })
    }

    /// Returns the elements that a variable ranges over.
    fn range(&self, var: usize, state: &State) -> std::ops::Range<u16> {
        0..state.sizes[self.sorts[var].index()] as u16
    }

    /// Whether some values of the outer variables from `var` on make the formula false.
    fn refuted(&self, var: usize, state: &State, values: &mut Vec<u16>, work: &mut u64) -> bool {
        // A literal that is decided by the outer variables so far ends the branch.
        if self
            .clause
            .iter()
            .any(|literal| literal.last_variable() < var && is_true(literal, state, values, work))
        {
            return false;
        }
        if var == self.outer {
            return !self.witnessed(var, state, values, work);
        }
        for value in self.range(var, state) {
            values[var] = value;
            if self.refuted(var + 1, state, values, work) {
                return true;
            }
        }
        false
    }

    fn witnessed(&self, var: usize, state: &State, values: &mut Vec<u16>, work: &mut u64) -> bool {
        if var == self.outer + self.witnesses {
            return self.holds_for_all(var, state, values, work);
        }
        for value in self.range(var, state) {
            values[var] = value;
            if self.witnessed(var + 1, state, values, work) {
                return true;
            }
        }
        false
    }

    fn holds_for_all(&self, var: usize, state: &State, values: &mut Vec<u16>, work: &mut u64) -> bool {
        if var == self.sorts.len() {
            return self.clause.iter().any(|literal| is_true(literal, state, values, work))
                || (!self.cube.is_empty()
                    && self.cube.iter().all(|literal| is_true(literal, state, values, work)));
        }
        for value in self.range(var, state) {
            values[var] = value;
            if !self.holds_for_all(var + 1, state, values, work) {
                return false;
            }
        }
        true
    }

    /// Returns the formula over step 0.
    pub(in crate::infer) fn term(
        &self,
        vocabulary: &Vocabulary,
        sig: &Signature,
        terms: &mut Terms,
    ) -> TermId {
        let names = (0..self.sorts.len()).map(|at| variable_name(sig, &self.sorts, at));
        let vars: Vec<_> =
            self.sorts.iter().zip(names).map(|(&sort, name)| terms.new_var(name, sort)).collect();
        let uses: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let atom = |terms: &mut Terms, literal: &Literal| {
            let args = |args: &[u8]| args.iter().map(|&var| uses[usize::from(var)]).collect::<Vec<TermId>>();
            match &literal.atom {
                Atom::Relation(symbol, vars) => {
                    terms.app(sig, vocabulary.symbols[*symbol].sym, 0, &args(vars))
                }
                Atom::Value(symbol, vars, value) => {
                    let applied = terms.app(sig, vocabulary.symbols[*symbol].sym, 0, &args(vars));
                    terms.eq(applied, uses[usize::from(*value)])
                }
                Atom::Equal(a, b) => terms.eq(uses[usize::from(*a)], uses[usize::from(*b)]),
            }
        };
        let literal = |terms: &mut Terms, it: &Literal| {
            let atom = atom(terms, it);
            if it.positive { atom } else { terms.not(atom) }
        };
        let cube: Vec<TermId> = self.cube.iter().map(|it| literal(terms, it)).collect();
        // What the outer variables decide is a premise of the rest.
        let (mut premises, mut rest) = (Vec::new(), Vec::new());
        for it in &self.clause {
            if it.last_variable() < self.outer && !it.positive {
                premises.push(atom(terms, it));
            } else {
                rest.push((it.last_variable() < self.outer, literal(terms, it)));
            }
        }
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for (is_outer, term) in rest {
            if is_outer { outside.push(term) } else { inside.push(term) }
        }
        if !cube.is_empty() {
            inside.push(terms.and(&cube));
        }
        if !inside.is_empty() {
            let matrix = terms.or(&inside);
            let (witnesses, inner) = vars[self.outer..].split_at(self.witnesses);
            let matrix = terms.forall(inner, matrix);
            outside.push(terms.exists(witnesses, matrix));
        }
        let conclusion = terms.or(&outside);
        let body = if premises.is_empty() {
            conclusion
        } else {
            let premises = terms.and(&premises);
            terms.implies(premises, conclusion)
        };
        terms.forall(&vars[..self.outer], body)
    }
}

fn is_true(literal: &Literal, state: &State, values: &[u16], work: &mut u64) -> bool {
    *work += 1;
    literal.atom.holds(state, values) == literal.positive
}
