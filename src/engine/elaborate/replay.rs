//! Proofs about normal forms done again, with a clause of the calculus of certificates for each of their clauses.

use crate::prove::lines::Step as Line;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, TermId};

use ramsey_kernel::core::{Literal, negated};

use super::emitter::Emitter;
use super::failure::Failure;
use super::normal::Values;

/// A clause of the proof about normal forms.
struct Clause {
    /// The clause of the new proof; none for inputs, which are no clauses there. Two for a part of an input: that the normal form
    /// implies it, and that the input does.
    made: Vec<usize>,
    /// The inputs that it depends on, ascending.
    inputs: Vec<usize>,
}

/// A formula, its sign, and values of its free variables.
#[derive(Clone)]
struct Source {
    formula: TermId,
    positive: bool,
    values: Values,
}

/// The proof of one obligation.
pub(super) struct Replay<'a> {
    emitter: &'a mut Emitter,
    hypotheses: &'a [TermId],
    goal: TermId,
    /// By place among the hypotheses, the normal form; behind them, that of the negated goal.
    inputs: Map<usize, TermId>,
    /// Normal forms that are conjunctions, with what they are normal forms of. A part of one follows from that.
    sources: Map<TermId, Source>,
    /// Existential normal forms whose witnesses are those of an input, which has the same variables.
    existentials: Map<TermId, usize>,
    named: Vec<TermId>,
    numbered: Vec<TermId>,
    numbers: Map<TermId, i32>,
    clauses: Vec<Clause>,
    /// By number, the formulas with witnesses. Some differ in nothing but variables, and have witnesses of their own in the
    /// certificate.
    witnessed: Map<u32, Vec<TermId>>,
    is_partial: bool,
}

impl<'a> Replay<'a> {
    /// Begins a proof of the goal from the hypotheses; `is_partial` if witnesses of normal forms may be those of inputs.
    pub(super) fn new(
        emitter: &'a mut Emitter,
        hypotheses: &'a [TermId],
        goal: TermId,
        is_partial: bool,
    ) -> Replay<'a> {
        let (named, numbered, clauses) = (Vec::new(), Vec::new(), Vec::new());
        let (inputs, sources, existentials) = (Map::default(), Map::default(), Map::default());
        let (numbers, witnessed) = (Map::default(), Map::default());
        Replay {
            emitter,
            hypotheses,
            goal,
            inputs,
            sources,
            existentials,
            named,
            numbered,
            numbers,
            clauses,
            witnessed,
            is_partial,
        }
    }

    /// Returns the formula of an input, and whether it is a hypothesis.
    fn formula_of(&self, input: usize) -> Result<(TermId, bool), Failure> {
        match self.hypotheses.get(input) {
            Some(&formula) => Ok((formula, true)),
            None if input == self.hypotheses.len() => Ok((self.goal, false)),
            None => Err(Failure::Certificate),
        }
    }

    fn input(&mut self, input: usize) -> Result<TermId, Failure> {
        if let Some(&known) = self.inputs.get(&input) {
            return Ok(known);
        }
        let (formula, is_hypothesis) = self.formula_of(input)?;
        let normal = self.emitter.normalized(formula, is_hypothesis)?;
        self.inputs.insert(input, normal);
        Ok(normal)
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
                self.literal(equation);
            }
            Line::Input { index } => {
                let input = self.input(index as usize)?;
                self.literal(input);
                self.note(input, index as usize)?;
                self.clauses.push(Clause { made: Vec::new(), inputs: vec![index as usize] });
            }
            Line::And { formula, child } => {
                let (formula, child) = (self.formula(formula)?, child as usize);
                let Node::And(items) = self.emitter.terms.node(formula) else {
                    return Err(Failure::Certificate);
                };
                let item = self.emitter.terms.args(items).get(child).copied();
                let item = item.ok_or(Failure::Certificate)?;
                let mut made = vec![self.emitter.each_of(formula, child)?];
                if let Some(Source { formula, positive, values }) = self.sources.get(&formula).cloned() {
                    let normal = self.emitter.normalized(formula, positive)?;
                    // The item under its binders, where substitution leaves the items as they are.
                    if let Node::And(open) = self.emitter.terms.node(normal)
                        && open.len() == items.len()
                    {
                        let open = self.emitter.terms.args(open)[child];
                        made.extend(self.emitter.component(formula, positive, open, &values)?);
                    }
                }
                self.consequence(formula, &[item], made);
            }
            Line::Or { formula } => {
                let formula = self.formula(formula)?;
                let items = match self.emitter.terms.node(formula) {
                    Node::Or(items) => self.emitter.terms.args(items).to_vec(),
                    _ => Vec::new(),
                };
                let made = vec![self.emitter.one_of(formula)?];
                self.consequence(formula, &items, made);
            }
            Line::Forall { formula, ref terms } => {
                let (formula, terms) = (self.formula(formula)?, self.terms(terms)?);
                let made = vec![self.emitter.instance(formula, &terms)?];
                let body = self.emitter.body(formula, &terms)?;
                self.consequence(formula, &[body], made);
            }
            Line::Exists { formula } => {
                let formula = self.formula(formula)?;
                let (constants, made) = self.witness(formula)?;
                let body = self.emitter.body(formula, &constants)?;
                if let Some(source) = self.body_of(formula, &constants)? {
                    self.sources.insert(body, source);
                }
                self.consequence(formula, &[body], vec![made]);
            }
            Line::Equality { ref literals } => {
                let clause = self.clause(literals)?;
                let mut atoms = Vec::with_capacity(literals.len());
                for &literal in literals {
                    atoms.push((self.formula(literal.unsigned_abs())?, literal < 0));
                }
                let made = self.emitter.lemma(&clause, &atoms)?;
                self.clauses.push(Clause { made: vec![made], inputs: Vec::new() });
            }
            Line::Derived { ref literals, ref hints } => return self.derived(literals, hints),
        }
        Ok(None)
    }

    /// Notes that an input with this normal form is used.
    fn note(&mut self, normal: TermId, input: usize) -> Result<(), Failure> {
        let (formula, positive) = self.formula_of(input)?;
        match (self.emitter.terms.node(normal), self.emitter.terms.node(formula), positive) {
            (Node::And(_), ..) => {
                self.sources.insert(normal, Source { formula, positive, values: Values::default() });
            }
            (Node::Exists(vars, inner), Node::Exists(own, body), true)
            | (Node::Exists(vars, inner), Node::Forall(own, body), false)
                if self.is_partial =>
            {
                let is_alike = self.emitter.terms.bound_vars(vars).eq(self.emitter.terms.bound_vars(own));
                if is_alike
                    && matches!(self.emitter.terms.node(inner), Node::And(_))
                    && self.emitter.normalized(body, positive)? == inner
                {
                    self.existentials.insert(normal, input);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns what the body of an existential normal form is the normal form of, for its witnesses.
    fn body_of(&self, normal: TermId, witnesses: &[TermId]) -> Result<Option<Source>, Failure> {
        let Some(&input) = self.existentials.get(&normal) else { return Ok(None) };
        let (formula, positive) = self.formula_of(input)?;
        let (Node::Exists(vars, body) | Node::Forall(vars, body)) = self.emitter.terms.node(formula) else {
            return Err(Failure::Shape);
        };
        let values = self.emitter.terms.bound_vars(vars).zip(witnesses.iter().copied()).collect();
        Ok(Some(Source { formula: body, positive, values }))
    }

    /// Returns the witnesses of a formula, and the clause about them.
    fn witness(&mut self, formula: TermId) -> Result<(Vec<TermId>, usize), Failure> {
        if let Some(&input) = self.existentials.get(&formula) {
            let (formula, _) = self.formula_of(input)?;
            return self.emitter.witness(formula);
        }
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
            candidates.extend(&clause.made);
        }
        inputs.sort_unstable();
        inputs.dedup();
        let mut clause = self.clause(literals)?;
        // Parts of normal forms follow from the inputs, and other normal forms as a whole.
        for &input in &inputs {
            let (formula, is_hypothesis) = self.formula_of(input)?;
            clause.push(self.emitter.denied(formula, is_hypothesis)?);
            let normal = self.input(input)?;
            if !self.sources.contains_key(&normal) && !self.existentials.contains_key(&normal) {
                candidates.extend(self.emitter.input(formula, is_hypothesis)?);
            }
        }
        let made = match self.emitter.derive(&clause, &candidates) {
            Err(Failure::NoDerivation) => {
                for &input in &inputs {
                    let (formula, is_hypothesis) = self.formula_of(input)?;
                    candidates.extend(self.emitter.input(formula, is_hypothesis)?);
                }
                for Source { formula, positive, values } in self.sources.values() {
                    candidates.extend(self.emitter.prove(*formula, *positive, values)?);
                }
                self.emitter.derive(&clause, &candidates)?
            }
            made => made?,
        };
        if literals.is_empty() {
            return Ok(Some(made));
        }
        self.clauses.push(Clause { made: vec![made], inputs });
        Ok(None)
    }

    /// Adds the clause that `formula` is false or one of `items` true, whose formulas get numbers in this order.
    fn consequence(&mut self, formula: TermId, items: &[TermId], made: Vec<usize>) {
        self.literal(formula);
        for &item in items {
            self.literal(item);
        }
        self.clauses.push(Clause { made, inputs: Vec::new() });
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

    /// Returns the number of a formula in the certificate, negative for a negation.
    fn literal(&mut self, formula: TermId) -> i32 {
        let terms = &mut self.emitter.terms;
        if let Node::Not(atom) = terms.node(formula) {
            return -self.literal(atom);
        }
        let formula = match terms.node(formula) {
            Node::Eq(a, b) if b < a => terms.eq(b, a),
            _ => formula,
        };
        *self.numbers.entry(formula).or_insert_with(|| {
            self.numbered.push(formula);
            self.numbered.len() as i32
        })
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
