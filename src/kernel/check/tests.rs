//! Random proofs: every accepted clause is true in the structures where it must be.

#[path = "../../../tests/common/formulas.rs"]
#[allow(dead_code, unreachable_pub, reason = "another test crate uses the rest")]
mod formulas;

use formulas::{Generator, Structures, Vocabulary};

use super::{Names, Proof, congruence};
use crate::check::format::Step;
use crate::check::normal::normalize;
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{Evaluator, Node, SymId, Syntax, TermId, Terms};

/// Accessors for the tests.
impl Proof<'_> {
    fn syntax(&self) -> Syntax<'_> {
        self.terms.over(self.sig)
    }

    /// Returns an approximate number of items that lines can refer to.
    fn lines(&self) -> usize {
        self.named.len().max(self.formulas.len()).max(self.ends.len())
    }

    /// Returns the clauses, as formulas with their signs.
    fn clauses(&self) -> Vec<Vec<(TermId, bool)>> {
        let mut start = 0;
        let mut clauses = Vec::new();
        for &end in &self.ends {
            let literal = |&literal: &i32| (self.formulas[literal.unsigned_abs() as usize - 1], literal > 0);
            clauses.push(self.literals[start..end].iter().map(literal).collect());
            start = end;
        }
        clauses
    }

    /// Returns the existential formulas with their witnesses, in the order of their creation.
    fn witnessed(&self) -> Vec<(TermId, Vec<SymId>)> {
        let constant = |&term: &TermId| match self.terms.node(term) {
            Node::App { sym, .. } => sym,
            _ => unreachable!("witnesses are constants"),
        };
        let mut found: Vec<(TermId, Vec<SymId>)> = self
            .witnesses
            .iter()
            .map(|(&formula, terms)| (formula, terms.iter().map(constant).collect()))
            .collect();
        found.sort_by_key(|(_, constants)| constants[0]);
        found
    }
}

/// Returns a line of a random kind with numbers that often exist.
fn random_step(rng: &mut Rng, symbols: &[String], lines: usize) -> Step {
    let number = |rng: &mut Rng| rng.below(lines / 2 + 2) as u32;
    let some =
        |rng: &mut Rng, most: usize| -> Vec<u32> { (0..rng.below(most + 1)).map(|_| number(rng)).collect() };
    let literals = |rng: &mut Rng, most: usize| -> Vec<i32> {
        let signed = |rng: &mut Rng| (number(rng) as i32 + 1) * if rng.one_in(2) { 1 } else { -1 };
        (0..rng.below(most + 1)).map(|_| signed(rng)).collect()
    };
    match rng.below(20) {
        0 | 1 => Step::Term { symbol: symbols[rng.below(symbols.len())].clone(), args: some(rng, 2) },
        2 => Step::Witness { formula: number(rng), index: rng.below(2) as u32 },
        3 => Step::Default { sort: ["a", "b"][rng.below(2)].into() },
        4 => Step::Input { index: rng.below(3) as u32 },
        5 | 6 => Step::And { formula: number(rng), child: rng.below(3) as u32 },
        7 => Step::Or { formula: number(rng) },
        8..=11 => Step::Forall { formula: number(rng), terms: some(rng, 2) },
        12 => Step::Exists { formula: number(rng) },
        13..=17 => Step::Equality { literals: literals(rng, 3) },
        _ => Step::Derived { literals: literals(rng, 2), hints: some(rng, 4) },
    }
}

/// Returns the rule that made a clause.
fn kind(step: &Step) -> usize {
    match step {
        Step::Input { .. } => 0,
        Step::And { .. } => 1,
        Step::Or { .. } => 2,
        Step::Forall { .. } => 3,
        Step::Exists { .. } => 4,
        Step::Equality { .. } => 5,
        _ => 6,
    }
}

#[test]
fn clauses_are_true_once_witnesses_are_chosen() {
    let (mut made, mut refuted, mut satisfied) = ([0; 7], 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::random(&mut rng);
        let mut terms = Terms::new();
        let mut inputs = Vec::new();
        for _ in 0..3 {
            let formula = Generator::new(&vocabulary, &mut terms, &mut rng).formula(3);
            inputs.push(normalize(&mut terms, formula, true).expect("a small formula"));
        }
        let names = Names::new(&vocabulary.sig);
        let symbols: Vec<String> = vocabulary.sig.symbols.iter().map(|symbol| symbol.name.clone()).collect();
        let mut sig = vocabulary.sig.clone();
        let mut proof = Proof::new(&names, &mut sig, 1, &mut terms, &inputs);
        let mut kinds = Vec::new();
        for _ in 0..600 {
            let lines = proof.lines();
            let step = random_step(&mut rng, &symbols, lines);
            let (kind, before) = (kind(&step), proof.clauses().len());
            let taken = proof.step(step).is_ok();
            if proof.clauses().len() > before {
                assert!(taken);
                kinds.push(kind);
                made[kind] += 1;
            }
        }
        refuted += usize::from(proof.is_complete());
        let sizes = vocabulary.sorts.map(|sort| (sort, 1 + rng.below(2) as u32));
        let all = Structures::new(proof.syntax().sig, &sizes);
        for _ in 0..40 {
            let mut structure = all.random(&mut rng);
            // Earlier witnesses may occur in the formulas of later ones.
            for (formula, witnesses) in proof.witnessed() {
                let Node::Exists(vars, body) = proof.syntax().terms.node(formula) else {
                    panic!("existential")
                };
                let values = Evaluator::new(proof.syntax(), &structure).witness(vars, body, true);
                let values = values.unwrap_or_else(|| vec![0; witnesses.len()]);
                for (&witness, value) in witnesses.iter().zip(values) {
                    let sym: SymId = witness;
                    structure.interpretation_mut(proof.syntax().sig, sym, 0).set(&[], value);
                }
            }
            let mut evaluator = Evaluator::new(proof.syntax(), &structure);
            let inputs_hold = inputs.iter().all(|&input| evaluator.holds(input));
            satisfied += usize::from(inputs_hold);
            assert!(!(inputs_hold && proof.is_complete()), "seed {seed}: a refutation of what has a model");
            for (clause, &kind) in proof.clauses().iter().zip(&kinds) {
                let needs_inputs = matches!(kind, 0 | 6);
                let holds = clause.iter().any(|&(formula, positive)| evaluator.holds(formula) == positive);
                assert!(holds || (needs_inputs && !inputs_hold), "seed {seed}: rule {kind}");
            }
        }
    }
    assert!(made.iter().all(|&count| count > 100), "every rule is tried: {made:?}");
    assert!(refuted > 10 && satisfied > 1_000, "{refuted} refuted, {satisfied} satisfied");
}

#[test]
fn lemmas_are_accepted_where_no_small_structure_refutes_them() {
    let (mut accepted, mut refutable, mut missed) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::random(&mut rng);
        let mut terms = Terms::new();
        let mut atoms = Vec::new();
        for _ in 0..60 {
            let formula = Generator::new(&vocabulary, &mut terms, &mut rng).formula(0);
            let has_if = |terms: &Terms, formula| {
                let mut stack = vec![formula];
                std::iter::from_fn(|| {
                    let next = stack.pop()?;
                    stack.extend(terms.children(next));
                    Some(next)
                })
                .any(|term| matches!(terms.node(term), Node::Ite(..)))
            };
            if matches!(terms.node(formula), Node::App { .. } | Node::Eq(..)) && !has_if(&terms, formula) {
                atoms.push((formula, rng.one_in(2)));
            }
            if atoms.len() == 4 {
                break;
            }
        }
        let found = congruence::contradicts(&terms, &atoms).unwrap_or_else(|reason| panic!("{reason}"));
        let sizes = vocabulary.sorts.map(|sort| (sort, 3));
        let structures = Structures::new(&vocabulary.sig, &sizes);
        let mut refuted = false;
        for _ in 0..2_000 {
            let structure = structures.random(&mut rng);
            let mut evaluator = Evaluator::new(terms.over(&vocabulary.sig), &structure);
            refuted |= atoms.iter().all(|&(atom, holds)| evaluator.holds(atom) == holds);
            if refuted {
                break;
            }
        }
        assert!(!(found && refuted), "seed {seed}: a lemma that is not valid");
        accepted += usize::from(found);
        refutable += usize::from(refuted);
        missed += usize::from(!found && !refuted);
    }
    // Random structures do not satisfy every consistent set of atoms, but enough to show that few contradictions are
    // missed.
    assert!(accepted > 100 && refutable > 20 * missed, "{accepted} accepted, {refutable}, {missed}");
}
