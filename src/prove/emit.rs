//! From steps to the lines of a proof: a propositional refutation, trimmed to what it needs, in an order in which
//! every formula is introduced before it is used.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;

use super::expand::{Constant, Expansion, Literal, Step};
use super::proof::{Line, Proof};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::base::ids::Id as _;
use crate::logic::{Node, TermId};
use crate::sat::{Lit, Needed, Var, refute};

/// The proof; `None` if the steps do not amount to a refutation.
pub(super) fn proof(expansion: &Expansion, budget: &mut Budget) -> Result<Option<Proof>, Exhausted> {
    let mut vars: Map<TermId, Var> = Map::default();
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
    // Which steps introduce a formula: those that the refutation needs are preferred.
    let mut used = vec![false; expansion.steps.len()];
    for step in &needed {
        if let Needed::Given(index) = step {
            used[*index] = true;
        }
    }
    let direct = first_introductions(expansion, &used);
    let proof = write(expansion, &needed, &formulas, direct).or_else(|| {
        let ordered = ordered_introductions(expansion, &used);
        write(expansion, &needed, &formulas, ordered)
    });
    Ok(proof)
}

/// The needed steps in lines, where `introduction` has a step for each formula; `None` if a formula is missing.
fn write(
    expansion: &Expansion,
    needed: &[Needed],
    formulas: &[TermId],
    introduction: Map<TermId, usize>,
) -> Option<Proof> {
    let mut emitter = Emitter::new(expansion, introduction);
    let mut numbers: Vec<usize> = Vec::with_capacity(needed.len());
    for step in needed {
        let number = match step {
            Needed::Given(index) => emitter.step(*index),
            Needed::Derived { lits, antecedents } => {
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
    Some(Proof { lines: emitter.lines, formulas: emitter.order })
}

/// What a step introduces: all but an input begin with the formula that they take apart.
fn introduced<'a>(step: &Step, clause: &'a [Literal]) -> &'a [Literal] {
    match step {
        Step::Input(_) => clause,
        Step::Equality => &[],
        _ => clause.get(1..).unwrap_or_default(),
    }
}

/// By formula the first step that introduces it, `used` ones before others. A step may need the witnesses of a formula
/// that it introduces here.
fn first_introductions(expansion: &Expansion, used: &[bool]) -> Map<TermId, usize> {
    let mut introduction = Map::default();
    for wanted in [true, false] {
        for (index, (step, clause)) in expansion.steps.iter().enumerate() {
            if used[index] == wanted {
                for &(_, formula) in introduced(step, clause) {
                    introduction.entry(formula).or_insert(index);
                }
            }
        }
    }
    introduction
}

/// By formula a step that introduces it and needs nothing but formulas that are introduced before: steps are taken as
/// soon as they can be written, `used` ones before others.
fn ordered_introductions(expansion: &Expansion, used: &[bool]) -> Map<TermId, usize> {
    let mut introduction: Map<TermId, usize> = Map::default();
    let mut waiting: Map<TermId, Vec<usize>> = Map::default();
    let mut missing: Vec<usize> = Vec::with_capacity(expansion.steps.len());
    let mut ready: BinaryHeap<Reverse<(bool, usize)>> = BinaryHeap::new();
    for (index, (step, clause)) in expansion.steps.iter().enumerate() {
        let mut needs: Vec<TermId> = Vec::new();
        if !matches!(step, Step::Input(_) | Step::Equality) {
            needs.extend(clause.first().map(|&(_, formula)| formula));
        }
        if let Step::Forall(_, tuple) = step {
            needs.extend(witnessed(expansion, tuple));
        }
        needs.sort_unstable();
        needs.dedup();
        missing.push(needs.len());
        if needs.is_empty() {
            ready.push(Reverse((!used[index], index)));
        }
        for formula in needs {
            waiting.entry(formula).or_default().push(index);
        }
    }
    while let Some(Reverse((_, index))) = ready.pop() {
        let (step, clause) = &expansion.steps[index];
        for &(_, formula) in introduced(step, clause) {
            if introduction.contains_key(&formula) {
                continue;
            }
            introduction.insert(formula, index);
            for waiter in waiting.remove(&formula).unwrap_or_default() {
                missing[waiter] -= 1;
                if missing[waiter] == 0 {
                    ready.push(Reverse((!used[waiter], waiter)));
                }
            }
        }
    }
    introduction
}

/// The formulas whose witnesses occur in these terms.
fn witnessed(expansion: &Expansion, tuple: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = tuple.to_vec();
    let mut seen: Set<TermId> = Set::default();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::App { sym, args, .. } = expansion.words.terms.node(term) {
            if let Some(&Constant::Witness(formula, _)) = expansion.words.constants.get(&sym) {
                found.push(formula);
            }
            pending.extend(expansion.words.terms.args(args));
        }
    }
    found
}

struct Emitter<'a> {
    expansion: &'a Expansion,
    lines: Vec<Line>,
    /// Formulas in the order of their numbers.
    order: Vec<TermId>,
    /// Numbers of formulas, from 1.
    formulas: Map<TermId, usize>,
    /// Numbers of terms, from 0.
    terms: Map<TermId, usize>,
    /// Numbers of steps that have been written, by index; clauses count from 1.
    written: Map<usize, usize>,
    clauses: usize,
    /// By formula, the step that introduces it.
    introduction: Map<TermId, usize>,
    /// Steps that are being written, whose formulas are sought.
    open: Set<usize>,
    /// A formula was needed that no step introduces, or only one that needs it itself.
    is_incomplete: bool,
}

impl<'a> Emitter<'a> {
    fn new(expansion: &'a Expansion, introduction: Map<TermId, usize>) -> Self {
        Emitter {
            expansion,
            lines: Vec::new(),
            order: Vec::new(),
            formulas: Map::default(),
            terms: Map::default(),
            written: Map::default(),
            clauses: 0,
            introduction,
            open: Set::default(),
            is_incomplete: false,
        }
    }

    /// Writes a step unless it is written, after what it depends on; the number of its clause.
    fn step(&mut self, index: usize) -> usize {
        if let Some(&clause) = self.written.get(&index) {
            return clause;
        }
        let expansion = self.expansion;
        let (step, clause) = &expansion.steps[index];
        let text = match step {
            Step::Input(input) => format!("i {input}"),
            Step::And(formula, child) => format!("a {} {child}", self.formula(*formula)),
            Step::Or(formula) => format!("o {}", self.formula(*formula)),
            Step::Exists(formula) => format!("e {}", self.formula(*formula)),
            Step::Forall(formula, tuple) => {
                let mut line = format!("u {}", self.formula(*formula));
                for &term in tuple {
                    let _ = write!(line, " {}", self.term(term));
                }
                line
            }
            Step::Equality => {
                let mut line = String::from("q");
                for &literal in clause {
                    let _ = write!(line, " {}", self.literal(literal));
                }
                line
            }
        };
        for &(_, formula) in clause {
            if !self.formulas.contains_key(&formula) {
                self.order.push(formula);
                self.formulas.insert(formula, self.order.len());
            }
        }
        let clause = clause.iter().map(|&literal| self.literal(literal)).collect();
        self.lines.push(Line::Step { text, clause, is_lemma: *step == Step::Equality });
        self.clauses += 1;
        self.written.insert(index, self.clauses);
        self.clauses
    }

    fn derived(&mut self, lits: &[Literal], hints: Vec<usize>) -> usize {
        let lits = lits.iter().map(|&literal| self.literal(literal)).collect();
        self.lines.push(Line::Derived { lits, hints });
        self.clauses += 1;
        self.clauses
    }

    fn literal(&mut self, (positive, formula): Literal) -> i64 {
        let number = self.formula(formula) as i64;
        if positive { number } else { -number }
    }

    /// The number of a formula, which some step introduces if it has none yet.
    fn formula(&mut self, formula: TermId) -> usize {
        if let Some(&number) = self.formulas.get(&formula) {
            return number;
        }
        if let Some(&index) = self.introduction.get(&formula)
            && !self.is_incomplete
            && self.open.insert(index)
        {
            self.step(index);
            self.open.remove(&index);
        }
        match self.formulas.get(&formula) {
            Some(&number) => number,
            None => {
                self.is_incomplete = true;
                0
            }
        }
    }

    fn term(&mut self, term: TermId) -> usize {
        if let Some(&number) = self.terms.get(&term) {
            return number;
        }
        let expansion = self.expansion;
        let line = match expansion.words.terms.node(term) {
            Node::App { sym, step, args } => match expansion.words.constants.get(&sym) {
                Some(&Constant::Witness(formula, index)) => {
                    let formula = self.formula(formula);
                    format!("w {formula} {index}")
                }
                Some(&Constant::Default(sort)) => format!("d {}", expansion.words.sig.sorts[sort].name),
                None => {
                    let mut line =
                        format!("t {}{}", expansion.words.sig.symbols[sym].name, "'".repeat(step.into()));
                    for &arg in expansion.words.terms.args(args) {
                        let arg = self.term(arg);
                        let _ = write!(line, " {arg}");
                    }
                    line
                }
            },
            // Ground terms are applications.
            _ => String::from("d"),
        };
        self.lines.push(Line::Term(line));
        let number = self.terms.len();
        self.terms.insert(term, number);
        number
    }
}
