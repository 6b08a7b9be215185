//! Proofs as data, step by step as clauses of the calculus.

use crate::prove::lines::Step as Line;
use crate::prove::standing::proposition;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, TermId};

use ramsey_kernel::core::{Literal, negated};

use super::emitter::Emitter;
use super::failure::Failure;

/// A clause of the proof as data.
struct Clause {
    /// The clause of the new proof; none for an input, which is no clause there.
    made: Option<usize>,
    /// The inputs that it depends on, ascending.
    inputs: Vec<usize>,
}

/// The proof of one obligation.
pub(super) struct Replay<'a> {
    emitter: &'a mut Emitter,
    hypotheses: &'a [TermId],
    goal: TermId,
    named: Vec<TermId>,
    numbered: Vec<TermId>,
    numbers: Map<TermId, i32>,
    clauses: Vec<Clause>,
    /// By number, the formulas with witnesses. Some differ in nothing but variables, and have witnesses of their own in the
    /// certificate.
    witnessed: Map<u32, Vec<TermId>>,
}

impl<'a> Replay<'a> {
    /// Begins a proof of the goal from the hypotheses.
    pub(super) fn new(emitter: &'a mut Emitter, hypotheses: &'a [TermId], goal: TermId) -> Replay<'a> {
        let (named, numbered, clauses) = (Vec::new(), Vec::new(), Vec::new());
        let (numbers, witnessed) = (Map::default(), Map::default());
        Replay { emitter, hypotheses, goal, named, numbered, numbers, clauses, witnessed }
    }

    /// Does a step. Returns the clause that the hypotheses imply the goal, once there is one.
    pub(super) fn step(&mut self, step: &Line) -> Result<Option<usize>, Failure> {
        match *step {
            Line::Term { sym, state, ref args } => {
                let args = self.terms(args)?;
                let term = self.emitter.terms.app(&self.emitter.sig, sym, state, &args);
                self.named.push(term);
            }
            Line::Witness { formula, index } => {
                let formula = self.formula(formula)?;
                let (constants, _) = self.witness(formula)?;
                self.named.push(*constants.get(index as usize).ok_or(Failure::Certificate)?);
            }
            Line::Default { sort } => {
                let constant = self.emitter.default(sort)?;
                self.named.push(constant);
            }
            Line::Equation { left, right } => {
                let terms = self.terms(&[left, right])?;
                let equation = self.emitter.terms.eq(terms[0], terms[1]);
                self.number(equation);
            }
            Line::Input { index } => {
                let input = self.input(index as usize)?;
                self.number(input);
                self.clauses.push(Clause { made: None, inputs: vec![index as usize] });
            }
            Line::Part { formula, at } => {
                let (formula, at) = (self.formula(formula)?, at as usize);
                let made = match self.emitter.terms.node(formula) {
                    Node::And(_) => self.emitter.each_of(formula, at)?,
                    Node::Or(_) => self.emitter.part_of(formula, at)?,
                    Node::Implies(..) => self.emitter.implication(formula, at + 1)?,
                    _ => return Err(Failure::Certificate),
                };
                let part = *self.parts(formula)?.get(at).ok_or(Failure::Certificate)?;
                self.consequence(formula, &[part], made);
            }
            Line::Parts { formula } => {
                let formula = self.formula(formula)?;
                let made = match self.emitter.terms.node(formula) {
                    Node::And(_) | Node::True => self.emitter.all_of(formula)?,
                    Node::Or(_) | Node::False => self.emitter.one_of(formula)?,
                    Node::Implies(..) => self.emitter.implication(formula, 0)?,
                    _ => return Err(Failure::Certificate),
                };
                let parts = self.parts(formula)?;
                self.consequence(formula, &parts, made);
            }
            Line::Iff { formula, at } => {
                let formula = self.formula(formula)?;
                let made = self.emitter.equivalence(formula, at as usize)?;
                let parts = self.parts(formula)?;
                self.consequence(formula, &parts, made);
            }
            Line::Instance { formula, ref terms } => {
                let (formula, terms) = (self.formula(formula)?, self.terms(terms)?);
                let (made, body) = self.emitter.instance(formula, &terms)?;
                self.consequence(formula, &[body], made);
            }
            Line::Witnesses { formula } => {
                let formula = self.formula(formula)?;
                let (constants, made) = self.witness(formula)?;
                let body = self.emitter.witnessed(formula, &constants)?;
                self.consequence(formula, &[body], made);
            }
            Line::Equality { ref literals } => {
                let clause = self.clause(literals)?;
                let mut atoms = Vec::with_capacity(literals.len());
                for &literal in literals {
                    atoms.push((self.formula(literal.unsigned_abs())?, literal < 0));
                }
                let made = self.emitter.lemma(&clause, &atoms)?;
                self.clauses.push(Clause { made: Some(made), inputs: Vec::new() });
            }
            Line::Derived { ref literals, ref hints } => return self.derived(literals, hints),
        }
        Ok(None)
    }

    /// Returns the formula of an input: the hypotheses, and behind them the goal.
    fn input(&self, input: usize) -> Result<TermId, Failure> {
        match self.hypotheses.get(input) {
            Some(&formula) => Ok(formula),
            None if input == self.hypotheses.len() => Ok(self.goal),
            None => Err(Failure::Certificate),
        }
    }

    /// Returns the parts that a formula is made of.
    fn parts(&self, formula: TermId) -> Result<Vec<TermId>, Failure> {
        match self.emitter.terms.node(formula) {
            Node::And(items) | Node::Or(items) => Ok(self.emitter.terms.args(items).to_vec()),
            Node::Implies(a, b) | Node::Iff(a, b) => Ok(vec![a, b]),
            Node::True | Node::False => Ok(Vec::new()),
            _ => Err(Failure::Certificate),
        }
    }

    /// Returns the witnesses of a formula, and the clause about them.
    fn witness(&mut self, formula: TermId) -> Result<(Vec<TermId>, usize), Failure> {
        let alike = self.witnessed.entry(self.emitter.number(formula)?).or_default();
        let at = alike.iter().position(|&other| other == formula).unwrap_or_else(|| {
            alike.push(formula);
            alike.len() - 1
        });
        self.emitter.witness_again(formula, at)
    }

    fn derived(&mut self, literals: &[i32], hints: &[u32]) -> Result<Option<usize>, Failure> {
        let (mut inputs, mut candidates) = (Vec::new(), Vec::new());
        for &hint in hints {
            let clause = (hint as usize).checked_sub(1).and_then(|at| self.clauses.get(at));
            let clause = clause.ok_or(Failure::Certificate)?;
            inputs.extend(&clause.inputs);
            candidates.extend(clause.made);
        }
        inputs.sort_unstable();
        inputs.dedup();
        // That an input has the other value takes the place of its unit clause.
        let mut clause = self.clause(literals)?;
        for &input in &inputs {
            let literal = self.emitter.literal(self.input(input)?)?;
            clause.push(if input < self.hypotheses.len() { negated(literal) } else { literal });
        }
        let made = self.emitter.derive(&clause, &candidates)?;
        if literals.is_empty() {
            return Ok(Some(made));
        }
        self.clauses.push(Clause { made: Some(made), inputs });
        Ok(None)
    }

    /// Adds a clause about `formula` and `parts`, which get numbers in this order.
    fn consequence(&mut self, formula: TermId, parts: &[TermId], made: usize) {
        self.number(formula);
        for &part in parts {
            self.number(part);
        }
        self.clauses.push(Clause { made: Some(made), inputs: Vec::new() });
    }

    /// Returns literals of the certificate as those of the new proof.
    fn clause(&mut self, literals: &[i32]) -> Result<Vec<Literal>, Failure> {
        let mut clause = Vec::with_capacity(literals.len());
        for &literal in literals {
            let formula = self.formula(literal.unsigned_abs())?;
            let positive = self.emitter.literal(formula)?;
            clause.push(if literal < 0 { negated(positive) } else { positive });
        }
        Ok(clause)
    }

    /// Gives the proposition of a formula its number.
    fn number(&mut self, formula: TermId) {
        let (_, formula) = proposition(&mut self.emitter.terms, formula);
        self.numbers.entry(formula).or_insert_with(|| {
            self.numbered.push(formula);
            self.numbered.len() as i32
        });
    }

    fn formula(&self, number: u32) -> Result<TermId, Failure> {
        let at = (number as usize).checked_sub(1).ok_or(Failure::Certificate)?;
        self.numbered.get(at).copied().ok_or(Failure::Certificate)
    }

    fn terms(&self, numbers: &[u32]) -> Result<Vec<TermId>, Failure> {
        let term = |&number: &u32| self.named.get(number as usize).copied().ok_or(Failure::Certificate);
        numbers.iter().map(term).collect()
    }
}
