//! Formulas with a quantifier alternation: evaluation in states, and their terms.

use crate::infer::state::{Atom, Literal, State, Vocabulary};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Signature, SortId, SymbolOrigin, TermId, Terms, VarId};
use ramsey_solver::formulas::variable_name;

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
    /// Returns which variables literals mention.
    pub(super) fn used(&self) -> Vec<bool> {
        let mut is_used = vec![false; self.sorts.len()];
        for literal in self.clause.iter().chain(&self.cube) {
            literal.atom.variables(|var| is_used[usize::from(var)] = true);
        }
        is_used
    }

    /// Returns the formula without variables that no literal mentions, and with sorted literals.
    pub(in crate::infer) fn normalized(mut self) -> Alternation {
        self.clause.sort();
        self.cube.sort();
        let is_used = self.used();
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
        self.evaluator().refutation(state, work)
    }

    /// Returns an evaluator, for many states.
    pub(super) fn evaluator(&self) -> Evaluator<'_> {
        let by_level = |literals: &'_ [Literal]| {
            let mut levels = vec![Vec::new(); self.sorts.len() + 1];
            for (at, literal) in literals.iter().enumerate() {
                let mut level = 0;
                literal.atom.variables(|var| level = level.max(usize::from(var) + 1));
                levels[level].push(at);
            }
            levels
        };
        Evaluator { formula: self, clause: by_level(&self.clause), cube: by_level(&self.cube) }
    }

    /// Returns the formula over step 0. A variable that has the value of a term about what an axiom says exists is that term there, so
    /// that witnesses do not depend on it.
    pub(in crate::infer) fn term(
        &self,
        vocabulary: &Vocabulary,
        sig: &Signature,
        terms: &mut Terms,
    ) -> TermId {
        let values = self.values(vocabulary, sig);
        let is_value_of = |var: usize| values.iter().any(|&at| self.clause[at].atom.value() == Some(var));
        let free: Vec<usize> = (0..self.sorts.len()).filter(|&var| !is_value_of(var)).collect();
        let sorts: Vec<SortId> = free.iter().map(|&var| self.sorts[var]).collect();
        let vars: Vec<VarId> = sorts
            .iter()
            .enumerate()
            .map(|(at, &sort)| terms.new_var(variable_name(sig, &sorts, at), sort))
            .collect();
        let mut uses = vec![terms.tru(); self.sorts.len()];
        for (&var, &own) in free.iter().zip(&vars) {
            uses[var] = terms.var(own);
        }
        for &at in &values {
            if let Atom::Value(symbol, args, value) = &self.clause[at].atom {
                let args: Vec<TermId> = args.iter().map(|&arg| uses[usize::from(arg)]).collect();
                uses[usize::from(*value)] = terms.app(sig, vocabulary.symbols[*symbol].sym, 0, &args);
            }
        }
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
        let others = self.clause.iter().enumerate().filter(|(at, _)| !values.contains(at));
        for (_, it) in others {
            if it.last_variable() < self.outer && !it.positive {
                premises.push(atom(terms, it));
            } else {
                rest.push((it.last_variable() < self.outer, literal(terms, it)));
            }
        }
        let outer = self.outer - values.len();
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for (is_outer, term) in rest {
            if is_outer { outside.push(term) } else { inside.push(term) }
        }
        if !cube.is_empty() {
            inside.push(terms.and(&cube));
        }
        if !inside.is_empty() {
            let matrix = terms.or(&inside);
            let (witnesses, inner) = vars[outer..].split_at(self.witnesses);
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
        terms.forall(&vars[..outer], body)
    }

    /// Returns the literals of the clause by which outer variables have the values of constants for what axioms say exists, and of
    /// functions of such values, in an order in which each term is known once its arguments are.
    fn values(&self, vocabulary: &Vocabulary, sig: &Signature) -> Vec<usize> {
        let is_witness = |symbol: usize| {
            let sym = vocabulary.symbols[symbol].sym;
            sig.symbols[sym].origin == SymbolOrigin::Witness
        };
        let mut values: Vec<usize> = Vec::new();
        let mut is_ground = vec![false; self.sorts.len()];
        loop {
            let next = self.clause.iter().position(|it| match &it.atom {
                Atom::Value(symbol, args, value) => {
                    let value = usize::from(*value);
                    let is_known = match args[..] {
                        [] => is_witness(*symbol),
                        _ => args.iter().all(|&arg| is_ground[usize::from(arg)]),
                    };
                    !it.positive && is_known && value < self.outer && !is_ground[value]
                }
                Atom::Relation(..) | Atom::Equal(..) => false,
            });
            let Some(next) = next else { return values };
            if let Some(value) = self.clause[next].atom.value() {
                is_ground[value] = true;
            }
            values.push(next);
        }
    }
}

/// A formula with its literals in the order in which assignments decide them.
pub(super) struct Evaluator<'a> {
    formula: &'a Alternation,
    /// By number of variables, the literals of the clause that these decide and fewer do not.
    clause: Vec<Vec<usize>>,
    /// The same for the cube.
    cube: Vec<Vec<usize>>,
}

/// An evaluation in one state.
struct Run<'a> {
    of: &'a Evaluator<'a>,
    state: &'a State,
    values: Vec<u16>,
    work: u64,
}

impl Evaluator<'_> {
    /// Finds values of the outer variables for which the formula is false. Adds the number of tests to `work`.
    pub(super) fn refutation(&self, state: &State, work: &mut u64) -> Option<Vec<u16>> {
        let mut run = Run { of: self, state, values: vec![0; self.formula.sorts.len()], work: 0 };
        let is_refuted = run.is_refuted(0, !self.formula.cube.is_empty());
        *work += run.work;
        is_refuted.then(|| {
            run.values.truncate(self.formula.outer);
            run.values
        })
    }
}

impl Run<'_> {
    /// Whether a literal of the clause that `var` variables decide is true.
    fn is_satisfied(&mut self, var: usize) -> bool {
        self.work += 1;
        let Run { of, state, values, .. } = self;
        of.clause[var].iter().any(|&at| is_true(&of.formula.clause[at], state, values))
    }

    /// Whether all literals of the cube that `var` variables decide are true.
    fn has_cube(&mut self, var: usize) -> bool {
        let Run { of, state, values, .. } = self;
        of.cube[var].iter().all(|&at| is_true(&of.formula.cube[at], state, values))
    }

    /// Returns the elements that a variable ranges over.
    fn range(&self, var: usize) -> std::ops::Range<u16> {
        0..self.state.sizes[self.of.formula.sorts[var].index()] as u16
    }

    /// Whether some values of the outer variables from `var` on make the formula false, where the literals of the cube
    /// that are decided are true if `cube`.
    fn is_refuted(&mut self, var: usize, cube: bool) -> bool {
        if self.is_satisfied(var) {
            return false;
        }
        let cube = cube && self.has_cube(var);
        if var == self.of.formula.outer {
            return !self.is_witnessed(var, cube);
        }
        self.range(var).any(|value| {
            self.values[var] = value;
            self.is_refuted(var + 1, cube)
        })
    }

    /// Whether some values of the witnesses from `var` on make the matrix true.
    fn is_witnessed(&mut self, var: usize, cube: bool) -> bool {
        if var == self.of.formula.outer + self.of.formula.witnesses {
            return self.holds_for_all(var, cube);
        }
        self.range(var).any(|value| {
            self.values[var] = value;
            self.is_satisfied(var + 1) || {
                let cube = cube && self.has_cube(var + 1);
                self.is_witnessed(var + 1, cube)
            }
        })
    }

    /// Whether all values of the inner variables from `var` on make the matrix true.
    fn holds_for_all(&mut self, var: usize, cube: bool) -> bool {
        if var == self.of.formula.sorts.len() {
            return cube;
        }
        self.range(var).all(|value| {
            self.values[var] = value;
            self.is_satisfied(var + 1) || {
                let cube = cube && self.has_cube(var + 1);
                self.holds_for_all(var + 1, cube)
            }
        })
    }
}

fn is_true(literal: &Literal, state: &State, values: &[u16]) -> bool {
    literal.atom.holds(state, values) == literal.positive
}
