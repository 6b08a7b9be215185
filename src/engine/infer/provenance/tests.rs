//! Normal forms of random formulas, and claims made of them, evaluated.

use super::claims;
use super::reduce::{Reduce, implications};
use crate::infer::claim::Claim;
use crate::infer::state::{Matcher, State, Vocabulary};
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{
    Evaluator, Node, Signature, Sort, SortId, Structure, SymId, Symbol, SymbolKind, TermId, Terms, VarId,
};
use ramsey_core::system::System;

struct Maker {
    rng: Rng,
    sig: Signature,
    terms: Terms,
    sort: SortId,
    /// Of two arguments, one and none.
    relations: [SymId; 3],
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut sig = Signature::new();
        let sort = sig.sorts.push(Sort::new("s"));
        let relations = [("r", 2), ("p", 1), ("flag", 0)].map(|(name, args)| {
            sig.symbols.push(Symbol::new(name, vec![sort; args], SortId::BOOL, SymbolKind::Mutable))
        });
        Maker { rng: Rng::new(seed), sig, terms: Terms::new(), sort, relations }
    }

    fn atom(&mut self, vars: &[VarId]) -> TermId {
        let mut some = || self.terms.var(vars[self.rng.below(vars.len())]);
        let (a, b) = (some(), some());
        let args = [a, b];
        match self.rng.below(5) {
            0 => self.terms.eq(a, b),
            1 => self.terms.distinct(&[a, b, a][..self.rng.below(2) + 2]),
            kind => {
                let args = &args[..[2, 1, 0][kind - 2]];
                self.terms.app(&self.sig, self.relations[kind - 2], 0, args)
            }
        }
    }

    fn formula(&mut self, vars: &[VarId], depth: u32) -> TermId {
        if depth == 0 {
            return self.atom(vars);
        }
        let kind = self.rng.below(9);
        if kind >= 7 {
            let var = self.terms.new_var("X", self.sort);
            let body = self.formula(&[vars, &[var]].concat(), depth - 1);
            return if kind == 7 { self.terms.forall(&[var], body) } else { self.terms.exists(&[var], body) };
        }
        let [a, b, c] = std::array::from_fn(|_| self.formula(vars, depth - 1));
        match kind {
            0 => self.terms.not(a),
            1 => self.terms.and(&[a, b, c]),
            2 => self.terms.or(&[a, b, c]),
            3 => self.terms.implies(a, b),
            4 => self.terms.iff(a, b),
            5 => self.terms.ite(a, b, c),
            _ => {
                if self.rng.below(2) == 0 {
                    self.terms.tru()
                } else {
                    self.terms.fals()
                }
            }
        }
    }

    fn structure(&mut self) -> Structure {
        let mut structure = Structure::new(&self.sig, 1);
        structure.sizes[self.sort] = 1 + self.rng.below(3) as u32;
        for sym in self.relations {
            for args in structure.tuples(&self.sig.symbols[sym].args) {
                let value = self.rng.below(2) as u32;
                structure.interpretation_mut(&self.sig, sym, 0).set(&args, value);
            }
        }
        structure
    }
}

/// Formulas, their negations, and formulas in which an atom has a value.
#[test]
fn normal_forms_mean_the_same() {
    let mut values = [0; 2];
    for seed in 0..2_000 {
        let mut maker = Maker::new(seed);
        let var = maker.terms.new_var("X", maker.sort);
        let body = maker.formula(&[var], 4);
        let flag = maker.terms.app(&maker.sig, maker.relations[2], 0, &[]);
        let flag_value = (seed % 3 > 0).then_some(seed % 3 == 1);
        let is_positive = maker.rng.below(2) == 0;
        let known = |atom| flag_value.filter(|_| atom == flag);
        let normal = Reduce::new(&mut maker.terms, &known).of(body, is_positive);
        let written = implications(&mut maker.terms, normal);
        if flag_value.is_some() {
            assert!(!maker.terms.symbols(normal).contains(&maker.relations[2]), "seed {seed}");
        }
        let closed = [body, normal, written].map(|it| maker.terms.forall(&[var], it));
        let negated = maker.terms.not(body);
        let negated = maker.terms.forall(&[var], negated);
        for _ in 0..8 {
            let mut structure = maker.structure();
            if let Some(value) = flag_value {
                let flag = structure.interpretation_mut(&maker.sig, maker.relations[2], 0);
                flag.set(&[], u32::from(value));
            }
            let mut evaluator = Evaluator::new(maker.terms.over(&maker.sig), &structure);
            let [whole, normal, written] = closed.map(|it| evaluator.holds(it));
            let expected = if is_positive { whole } else { evaluator.holds(negated) };
            assert_eq!((normal, written), (expected, expected), "seed {seed}");
            values[usize::from(expected)] += 1;
        }
        assert!(is_normal(&maker.terms, normal), "seed {seed}");
    }
    assert!(values.iter().all(|&count| count > 1_000), "{values:?}");
}

/// Checks whether negations are of atoms alone, and no other connective than conjunction and disjunction is left.
fn is_normal(terms: &Terms, formula: TermId) -> bool {
    let is_atom = |term: TermId| matches!(terms.node(term), Node::App { .. } | Node::Eq(..));
    match terms.node(formula) {
        Node::Not(atom) => is_atom(atom),
        Node::And(_) | Node::Or(_) => terms.children(formula).all(|it| is_normal(terms, it)),
        Node::Forall(_, body) | Node::Exists(_, body) => is_normal(terms, body),
        Node::True | Node::False => true,
        _ => is_atom(formula),
    }
}

/// What follows from a formula is true where it is; all parts of it together are as true as the formula.
#[test]
fn claims_mean_what_their_formulas_do() {
    let (mut alternating, mut values) = (0, [0; 2]);
    for seed in 0..4_000 {
        let mut maker = Maker::new(seed);
        let vars = [0, 1].map(|_| maker.terms.new_var("X", maker.sort));
        let witness = maker.terms.new_var("Y", maker.sort);
        let (outside, inside) = (maker.formula(&vars, 1), maker.formula(&[vars[0], witness], 2));
        let inside = maker.terms.exists(&[witness], inside);
        let body = maker.terms.or(&[outside, inside]);
        let formula = maker.terms.forall(&vars, body);
        let mut system = System::new();
        system.sig = maker.sig.clone();
        let vocabulary = Vocabulary::new(&system);
        let claims = claims(&vocabulary, formula, &mut maker.terms);
        let normal = Reduce::new(&mut maker.terms, &|_| None).of(formula, true);
        let is_whole = claims.len() == maker.terms.conjuncts(normal).len();
        for _ in 0..8 {
            let structure = maker.structure();
            let state = State::new(&vocabulary, &maker.sig, &structure, 0);
            let expected = Evaluator::new(maker.terms.over(&maker.sig), &structure).holds(formula);
            let is_true = claims.iter().all(|claim| match claim {
                Claim::Excludes(pattern) => Matcher::new(pattern).find(&state, &mut 0).is_none(),
                Claim::Alternates(it) => it.refutation(&state, &mut 0).is_none(),
                Claim::Formula(_) => false,
            });
            assert!(is_true || !expected, "seed {seed}");
            if is_whole && !claims.is_empty() {
                assert_eq!(is_true, expected, "seed {seed}");
                values[usize::from(expected)] += 1;
                alternating += usize::from(claims.iter().any(|it| matches!(it, Claim::Alternates(_))));
            }
        }
    }
    assert!(alternating > 1_000 && values.iter().all(|&count| count > 1_000), "{alternating} {values:?}");
}
