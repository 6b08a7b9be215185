//! Certificates read again, line by line, with a clause of the new calculus for each of their clauses.

use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, SortId, SymId, SymbolKind, TermId};
use ramsey_kernel::check::format::{self, Step as Line};

use ramsey_kernel::core::{Literal, negated};

use super::emitter::Emitter;
use super::failure::Failure;

/// Declared sorts and symbols by name.
#[derive(Debug)]
pub(super) struct Names {
    sorts: Map<String, SortId>,
    symbols: Map<String, SymId>,
}

impl Names {
    pub(super) fn new(emitter: &Emitter) -> Names {
        let sig = &emitter.sig;
        let sorts = sig.uninterpreted_sorts().map(|sort| (sig.sorts[sort].name.clone(), sort)).collect();
        let declared = sig.symbols.iter_enumerated().filter(|(_, it)| it.kind != SymbolKind::Parameter);
        Names { sorts, symbols: declared.map(|(sym, it)| (it.name.clone(), sym)).collect() }
    }
}

/// A clause of the certificate.
struct Clause {
    /// The clause of the new proof; none for inputs, which are no clauses there.
    made: Option<usize>,
    /// The inputs that it depends on, ascending.
    inputs: Vec<usize>,
}

/// The proof of one obligation.
pub(super) struct Replay<'a> {
    emitter: &'a mut Emitter,
    names: &'a Names,
    /// Hypotheses and, last, the goal.
    formulas: &'a [TermId],
    /// The normal forms of the hypotheses and of the negated goal.
    inputs: Vec<TermId>,
    named: Vec<TermId>,
    numbered: Vec<TermId>,
    numbers: Map<TermId, i32>,
    clauses: Vec<Clause>,
    /// By number, the formulas with witnesses. Some differ in nothing but variables, and have witnesses of their own in the
    /// certificate.
    witnessed: Map<u32, Vec<TermId>>,
}

impl<'a> Replay<'a> {
    /// Begins a proof of the last formula from the others.
    pub(super) fn new(
        emitter: &'a mut Emitter,
        names: &'a Names,
        formulas: &'a [TermId],
    ) -> Result<Replay<'a>, Failure> {
        let mut inputs = Vec::with_capacity(formulas.len());
        for (at, &formula) in formulas.iter().enumerate() {
            inputs.push(emitter.normalized(formula, at + 1 < formulas.len())?);
        }
        let (named, numbered, clauses) = (Vec::new(), Vec::new(), Vec::new());
        let (numbers, witnessed) = (Map::default(), Map::default());
        Ok(Replay { emitter, names, formulas, inputs, named, numbered, numbers, clauses, witnessed })
    }

    /// Reads a line. Returns the clause that the hypotheses imply the goal, once there is one.
    pub(super) fn line(&mut self, line: &str) -> Result<Option<usize>, Failure> {
        let step = Line::parse(line).map_err(|_| Failure::Certificate)?;
        match step {
            Line::Term { symbol, args } => {
                let name = symbol.trim_end_matches('\'');
                let sym = *self.names.symbols.get(name).ok_or(Failure::Certificate)?;
                let state = (symbol.len() - name.len()) as u16;
                let args = self.terms(&args)?;
                let term = self.emitter.terms.app(&self.emitter.sig, sym, state, &args);
                self.named.push(term);
            }
            Line::Witness { formula, index } => {
                let formula = self.formula(formula)?;
                let (constants, _) = self.witness(formula)?;
                self.named.push(*constants.get(index as usize).ok_or(Failure::Certificate)?);
            }
            Line::Default { sort } => {
                let sort = *self.names.sorts.get(sort.as_str()).ok_or(Failure::Certificate)?;
                let constant = self.emitter.default(sort)?;
                self.named.push(constant);
            }
            Line::Input { index } => {
                let input = *self.inputs.get(index as usize).ok_or(Failure::Certificate)?;
                self.literal(input);
                self.clauses.push(Clause { made: None, inputs: vec![index as usize] });
            }
            Line::And { formula, child } => {
                let (formula, child) = (self.formula(formula)?, child as usize);
                let Node::And(items) = self.emitter.terms.node(formula) else {
                    return Err(Failure::Certificate);
                };
                let item = self.emitter.terms.args(items).get(child).copied();
                let item = item.ok_or(Failure::Certificate)?;
                let made = self.emitter.each_of(formula, child)?;
                self.consequence(formula, &[item], made);
            }
            Line::Or { formula } => {
                let formula = self.formula(formula)?;
                let items = match self.emitter.terms.node(formula) {
                    Node::Or(items) => self.emitter.terms.args(items).to_vec(),
                    _ => Vec::new(),
                };
                let made = self.emitter.one_of(formula)?;
                self.consequence(formula, &items, made);
            }
            Line::Forall { formula, terms } => {
                let (formula, terms) = (self.formula(formula)?, self.terms(&terms)?);
                let made = self.emitter.instance(formula, &terms)?;
                let body = self.emitter.body(formula, &terms)?;
                self.consequence(formula, &[body], made);
            }
            Line::Exists { formula } => {
                let formula = self.formula(formula)?;
                let (constants, made) = self.witness(formula)?;
                let body = self.emitter.body(formula, &constants)?;
                self.consequence(formula, &[body], made);
            }
            Line::Equality { literals } => {
                let clause = self.clause(&literals)?;
                let mut atoms = Vec::with_capacity(literals.len());
                for &literal in &literals {
                    atoms.push((self.formula(literal.unsigned_abs())?, literal < 0));
                }
                let made = self.emitter.lemma(&clause, &atoms)?;
                self.clauses.push(Clause { made: Some(made), inputs: Vec::new() });
            }
            Line::Derived { literals, hints } => return self.derived(literals, &hints),
        }
        Ok(None)
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

    fn derived(&mut self, literals: Vec<i32>, hints: &[u32]) -> Result<Option<usize>, Failure> {
        let (mut inputs, mut candidates) = (Vec::new(), Vec::new());
        for &hint in hints {
            let clause = (hint as usize).checked_sub(1).and_then(|at| self.clauses.get(at));
            let clause = clause.ok_or(Failure::Certificate)?;
            inputs.extend(&clause.inputs);
            candidates.extend(clause.made);
        }
        inputs.sort_unstable();
        inputs.dedup();
        let mut clause = self.clause(&literals)?;
        for &input in &inputs {
            clause.push(self.emitter.denied(self.inputs[input])?);
        }
        let made = self.emitter.derive(&clause, &candidates)?;
        if literals.is_empty() {
            return self.finish(&inputs, made).map(Some);
        }
        self.clauses.push(Clause { made: Some(made), inputs });
        Ok(None)
    }

    /// Returns the clause about the formulas themselves, from the one about their normal forms.
    fn finish(&mut self, inputs: &[usize], made: usize) -> Result<usize, Failure> {
        let goal = self.formulas.len() - 1;
        let (mut clause, mut candidates) = (Vec::new(), vec![made]);
        for &input in inputs {
            let (formula, is_hypothesis) = (self.formulas[input], input < goal);
            candidates.extend(self.emitter.input(formula, is_hypothesis)?);
            let literal = self.emitter.literal(formula)?;
            clause.push(if is_hypothesis { negated(literal) } else { literal });
        }
        self.emitter.derive(&clause, &candidates)
    }

    /// Adds the clause that `formula` is false or one of `items` true, whose formulas get numbers in this order.
    fn consequence(&mut self, formula: TermId, items: &[TermId], made: usize) {
        self.literal(formula);
        for &item in items {
            self.literal(item);
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

/// The lines of the proofs of a certificate, by the line that says what they are about.
pub(super) fn proofs(certificate: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    let mut lines = certificate.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("obligation ") && lines.next() == Some(format::PROOF) {
            found.push((line, lines.by_ref().take_while(|&line| line != format::END).collect()));
        }
    }
    found
}
