//! Emission of the lines of a proof: a propositional refutation of the steps, trimmed to the required ones, in an
//! order in which every formula is introduced before its use.

use super::expand::{Constant, Expansion, Literal, Step};
use super::lines;
use super::order::{introduced_literals, introductions};
use super::proof::{Derivation, Line};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Node, TermId};
use ramsey_solver::sat::{Lit, RefutationStep, Var, refute};

/// Returns the proof; `None` if the steps are not refutable.
pub(super) fn derivation(
    expansion: &Expansion,
    budget: &mut Budget,
) -> Result<Option<Derivation>, Exhausted> {
    let mut vars: Map<TermId, Var> = Map::default();
    vars.reserve(expansion.steps.len());
    let mut formulas: Vec<TermId> = Vec::new();
    let mut lits: Vec<Lit> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    for (_, clause) in &expansion.steps {
        for &(positive, formula) in clause {
            let var = *vars.entry(formula).or_insert_with(|| {
                formulas.push(formula);
                Var::new(formulas.len() - 1)
            });
            lits.push(var.literal(positive));
        }
        ends.push(lits.len());
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let clauses: Vec<&[Lit]> = starts.zip(&ends).map(|(start, &end)| &lits[start..end]).collect();
    let Some(needed) = refute(&clauses, budget)? else { return Ok(None) };
    // Steps that the refutation needs are preferred for introducing formulas.
    let mut used = vec![false; expansion.steps.len()];
    for step in &needed {
        if let RefutationStep::Given(index) = step {
            used[*index] = true;
        }
    }
    Ok(with_introductions(expansion, used, &needed, &formulas))
}

/// Returns a refutation of the steps of an expansion as a proof; `None` if a formula cannot be introduced.
pub(super) fn written(
    expansion: &Expansion,
    refutation: &[RefutationStep],
    formulas: &[TermId],
) -> Option<Derivation> {
    with_introductions(expansion, vec![true; expansion.steps.len()], refutation, formulas)
}

fn with_introductions(
    expansion: &Expansion,
    used: Vec<bool>,
    needed: &[RefutationStep],
    formulas: &[TermId],
) -> Option<Derivation> {
    let mut direct = Emitter::new(expansion, used.clone());
    direct.find_introductions(true);
    if let Some(derivation) = write(direct, needed, formulas) {
        return Some(derivation);
    }
    // The first step that introduces a formula may require the formula's own witnesses.
    let mut ordered = Emitter::new(expansion, used);
    ordered.introduction = introductions(expansion, &ordered.used);
    ordered.has_all = true;
    write(ordered, needed, formulas)
}

/// Writes the needed steps as lines; returns `None` if a formula cannot be introduced.
fn write(mut emitter: Emitter<'_>, needed: &[RefutationStep], formulas: &[TermId]) -> Option<Derivation> {
    let mut numbers: Vec<usize> = Vec::with_capacity(needed.len());
    for step in needed {
        let number = match step {
            RefutationStep::Given(index) => emitter.step(*index),
            RefutationStep::Derived { lits, antecedents } => {
                let lits: Vec<Literal> =
                    lits.iter().map(|lit| (!lit.is_negative(), formulas[lit.var().index()])).collect();
                let hints = antecedents.iter().map(|&antecedent| numbers[antecedent]).collect();
                emitter.derived(&lits, hints)
            }
        };
        numbers.push(number);
        if emitter.is_incomplete {
            return None;
        }
    }
    let Emitter { steps, lines, order: formulas, .. } = emitter;
    Some(Derivation { steps, lines, formulas })
}

struct Emitter<'a> {
    expansion: &'a Expansion,
    steps: Vec<lines::Step>,
    /// The clauses, in order.
    lines: Vec<Line>,
    /// Formulas in the order of their numbers.
    order: Vec<TermId>,
    /// Numbers of formulas, starting at 1.
    formulas: Map<TermId, u32>,
    /// Numbers of terms, starting at 0.
    terms: Map<TermId, u32>,
    /// By step, the number of its clause if it is written; clauses are numbered from 1.
    written: Vec<Option<usize>>,
    clauses: usize,
    /// Per step, whether the refutation needs it.
    used: Vec<bool>,
    /// By formula, the step that introduces it.
    introduction: Map<TermId, usize>,
    /// Whether `introduction` includes steps that the refutation does not need.
    has_all: bool,
    /// Steps in the process of being written, to detect circular introductions.
    open: Set<usize>,
    /// Whether some formula is introduced by no step, or only by one that requires the formula itself.
    is_incomplete: bool,
}

impl<'a> Emitter<'a> {
    fn new(expansion: &'a Expansion, used: Vec<bool>) -> Self {
        Emitter {
            expansion,
            steps: Vec::new(),
            lines: Vec::new(),
            order: Vec::new(),
            formulas: Map::default(),
            terms: Map::default(),
            written: vec![None; expansion.steps.len()],
            clauses: 0,
            used,
            introduction: Map::default(),
            has_all: false,
            open: Set::default(),
            is_incomplete: false,
        }
    }

    fn find_introductions(&mut self, wanted: bool) {
        for (index, (step, clause)) in self.expansion.steps.iter().enumerate() {
            if self.used[index] == wanted {
                for &(_, formula) in introduced_literals(step, clause) {
                    self.introduction.entry(formula).or_insert(index);
                }
            }
        }
    }

    /// Writes a step, after its dependencies, unless it is written already; returns the number of its clause.
    fn step(&mut self, index: usize) -> usize {
        if let Some(clause) = self.written[index] {
            return clause;
        }
        let expansion = self.expansion;
        let (step, clause) = &expansion.steps[index];
        let made = match step {
            Step::Input(input) => lines::Step::Input { index: *input as u32 },
            &Step::Part(formula, at) => lines::Step::Part { formula: self.formula(formula), at: at as u32 },
            Step::Parts(formula) => lines::Step::Parts { formula: self.formula(*formula) },
            &Step::Iff(formula, at) => lines::Step::Iff { formula: self.formula(formula), at: at as u32 },
            Step::Witness(formula) => lines::Step::Witnesses { formula: self.formula(*formula) },
            Step::Instance(formula, tuple) => {
                let formula = self.formula(*formula);
                lines::Step::Instance { formula, terms: tuple.iter().map(|&term| self.term(term)).collect() }
            }
            Step::Equality => lines::Step::Equality { literals: self.literals(clause) },
        };
        for &(_, formula) in clause {
            if !self.formulas.contains_key(&formula) {
                self.order.push(formula);
                self.formulas.insert(formula, self.order.len() as u32);
            }
        }
        self.steps.push(made);
        let clause = self.literals(clause);
        self.lines.push(Line::Step { clause, is_lemma: *step == Step::Equality });
        self.clauses += 1;
        self.written[index] = Some(self.clauses);
        self.clauses
    }

    fn derived(&mut self, lits: &[Literal], hints: Vec<usize>) -> usize {
        let lits = self.literals(lits);
        let numbers = hints.iter().map(|&hint| hint as u32).collect();
        self.steps.push(lines::Step::Derived { literals: lits.clone(), hints: numbers });
        self.lines.push(Line::Derived { lits, hints });
        self.clauses += 1;
        self.clauses
    }

    fn literals(&mut self, literals: &[Literal]) -> Vec<i32> {
        let literal = |&(positive, formula): &Literal| {
            let number = self.formula(formula) as i32;
            if positive { number } else { -number }
        };
        literals.iter().map(literal).collect()
    }

    /// Returns the number of a formula; writes the step that introduces it if it has none yet.
    fn formula(&mut self, formula: TermId) -> u32 {
        if let Some(&number) = self.formulas.get(&formula) {
            return number;
        }
        if !self.introduction.contains_key(&formula) && !self.has_all {
            self.has_all = true;
            self.find_introductions(false);
        }
        if let Some(&index) = self.introduction.get(&formula)
            && !self.is_incomplete
            && self.open.insert(index)
        {
            self.step(index);
            self.open.remove(&index);
        }
        if let Some(&number) = self.formulas.get(&formula) {
            return number;
        }
        // An equation that lemmas alone are about.
        if let Node::Eq(left, right) = self.expansion.vocabulary.terms.node(formula) {
            let (left, right) = (self.term(left), self.term(right));
            self.steps.push(lines::Step::Equation { left, right });
            self.order.push(formula);
            self.formulas.insert(formula, self.order.len() as u32);
            return self.order.len() as u32;
        }
        self.is_incomplete = true;
        0
    }

    fn term(&mut self, term: TermId) -> u32 {
        if let Some(&number) = self.terms.get(&term) {
            return number;
        }
        let vocabulary = &self.expansion.vocabulary;
        let made = match vocabulary.terms.node(term) {
            Node::App { sym, step: state, args } => match vocabulary.constants.get(&sym) {
                Some(&Constant::Witness(formula, index)) => {
                    lines::Step::Witness { formula: self.formula(formula), index: index as u32 }
                }
                Some(&Constant::Default(sort)) => lines::Step::Default { sort },
                None => {
                    let args = vocabulary.terms.args(args).iter().map(|&arg| self.term(arg)).collect();
                    lines::Step::Term { sym, state, args }
                }
            },
            // Ground terms are applications.
            _ => {
                self.is_incomplete = true;
                return 0;
            }
        };
        self.steps.push(made);
        let number = self.terms.len() as u32;
        self.terms.insert(term, number);
        number
    }
}
