//! Certificates as text, as `spec/certificate.md` describes it.

use std::fmt::Write as _;

use super::failure::Failure;
use super::{Elaborated, elaborate};
use crate::prove::lines::Step as Line;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Structure, SymbolKind};
use ramsey_kernel::check::Closed;
use ramsey_kernel::core::{Literal, Node, NodeId, Step};
use ramsey_kernel::obligations::Origin;

/// Number of clauses from which on those that are not needed any more are deleted.
const MANY: usize = 50_000;

/// Number of clauses that one line deletes.
const BATCH: usize = 1_000;

/// What shows the answer to an obligation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer<'a> {
    /// A proof that it holds: its steps about normal forms.
    Proof(&'a [Line]),
    /// A structure that satisfies the hypotheses, and not the goal.
    Structure(&'a Structure),
}

/// Returns the lines of a certificate between its claim and its end. Nobody has checked them.
///
/// # Errors
/// A proof is none.
pub(super) fn certificate(closed: Closed, answers: &[(Origin, Answer<'_>)]) -> Result<String, Failure> {
    let mut refuted = String::new();
    let mut proofs = Vec::new();
    for &(origin, answer) in answers {
        match answer {
            Answer::Proof(steps) => proofs.push((origin, steps)),
            Answer::Structure(structure) => {
                let number = closed.origins.iter().position(|&other| other == origin);
                let _ = writeln!(refuted, "s {}", number.ok_or(Failure::Certificate)?);
                let theorem = match origin {
                    Origin::Theorem { theorem } => closed.lowering.core.theorems.get(theorem),
                    _ => None,
                };
                // A theorem may be about no state at all, and a structure has one.
                let states = theorem.map_or(structure.states(), |it| usize::from(it.states));
                values(&mut refuted, &closed, structure, states);
                refuted.push_str("end\n");
            }
        }
    }
    let mut text = lines(&elaborate(closed, &proofs)?)?;
    text.push_str(&refuted);
    Ok(text)
}

/// Returns the lines of a proof.
///
/// # Errors
/// It is none.
pub(super) fn lines(elaborated: &Elaborated) -> Result<String, Failure> {
    let mut writer = Writer {
        elaborated,
        text: String::new(),
        formulas: Map::default(),
        nodes: Map::default(),
        terms: Map::default(),
        constants: Map::default(),
        counts: [0; 3],
    };
    writer.steps()?;
    Ok(writer.text)
}

/// Writes the sizes of sorts and the values of symbols that are not 0, in so many states.
fn values(text: &mut String, closed: &Closed, structure: &Structure, states: usize) {
    let sig = &closed.obligations.sig;
    for (number, sort) in sig.uninterpreted_sorts().enumerate() {
        let _ = writeln!(text, "size {number} {}", structure.sizes[sort]);
    }
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let Some(number) = closed.lowering.number(sym).filter(|_| symbol.kind != SymbolKind::Parameter)
        else {
            continue;
        };
        let is_mutable = symbol.kind.is_mutable();
        let steps = if is_mutable { structure.states().min(states) } else { 1 };
        for step in 0..steps {
            let state = if is_mutable { step + 1 } else { 0 };
            for (args, &value) in &structure.interpretation(sig, sym, step).entries {
                if value == 0 {
                    continue;
                }
                let word = if symbol.is_relation() { "true" } else { "value" };
                let _ = write!(text, "{word} {state} {number}");
                args.iter().for_each(|arg| {
                    let _ = write!(text, " {arg}");
                });
                if !symbol.is_relation() {
                    let _ = write!(text, " {value}");
                }
                text.push('\n');
            }
        }
    }
}

/// A text with the numbers that its reader gives to formulas, terms and clauses.
struct Writer<'a> {
    elaborated: &'a Elaborated,
    text: String,
    /// By number in the proof, the number in the text.
    formulas: Map<u32, u32>,
    /// Formulas that are no equations, with their numbers in the text.
    nodes: Map<NodeId, u32>,
    /// Terms that were written.
    terms: Map<NodeId, u32>,
    /// Constants of the proof, with their numbers as terms.
    constants: Map<usize, u32>,
    /// The numbers of formulas, terms and clauses so far.
    counts: [u32; 3],
}

impl Writer<'_> {
    fn steps(&mut self) -> Result<(), Failure> {
        let proof = &self.elaborated.proof;
        let mut shows: Map<usize, Vec<usize>> = Map::default();
        for (obligation, clause) in proof.clauses.iter().enumerate() {
            match clause {
                None => {}
                Some(0) => {
                    let _ = writeln!(self.text, "q {obligation} 0");
                }
                Some(clause) => shows.entry(*clause).or_default().push(obligation),
            }
        }
        let last = last_uses(&proof.steps);
        let mut dead = Vec::new();
        for step in &proof.steps {
            self.step(step)?;
            if matches!(step, Step::Define(..)) {
                continue;
            }
            self.counts[2] += 1;
            let clause = self.counts[2] as usize;
            for obligation in shows.remove(&clause).unwrap_or_default() {
                let _ = writeln!(self.text, "q {obligation} {clause}");
            }
            if last.len() <= MANY {
                continue;
            }
            if let Step::Derived(_, hints) = step {
                dead.extend(hints.iter().filter(|&&hint| last[hint - 1] == clause).map(|&hint| hint as u32));
            }
            if dead.len() >= BATCH {
                self.line("-", &dead);
                dead.clear();
            }
        }
        Ok(())
    }

    fn line(&mut self, word: &str, numbers: &[u32]) {
        self.text.push_str(word);
        for number in numbers {
            let _ = write!(self.text, " {number}");
        }
        self.text.push('\n');
    }

    /// Returns the number of a formula that has one.
    fn known(&self, number: u32) -> Result<u32, Failure> {
        self.formulas.get(&number).copied().ok_or(Failure::Shape)
    }

    /// Gives the formulas of literals their numbers, in this order.
    fn see(&mut self, literals: &[Literal]) {
        for literal in literals {
            let next = self.counts[0] + 1;
            if *self.formulas.entry(literal / 2).or_insert(next) == next {
                self.counts[0] = next;
                let pool = &self.elaborated.proof.core.pool;
                let node = self.elaborated.formulas.get(*literal as usize / 2 - 1);
                // The number of an equation may stand for its mirror image.
                if let Some(&node) = node.filter(|&&node| !matches!(pool.node(node), Node::Eq(..))) {
                    self.nodes.insert(node, next);
                }
            }
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Failure> {
        match step {
            &Step::Define(number, node) => self.define(number, node)?,
            &Step::AndElim(n, at, l) => {
                self.line("a", &[self.known(n)?, at as u32]);
                self.see(&[l]);
            }
            Step::AndIntro(n, all) => {
                self.line("A", &[self.known(*n)?]);
                self.see(all);
            }
            Step::OrElim(n, all) => {
                self.line("o", &[self.known(*n)?]);
                self.see(all);
            }
            &Step::OrIntro(n, at, l) => {
                self.line("O", &[self.known(n)?, at as u32]);
                self.see(&[l]);
            }
            &Step::ImpliesElim(n, a, b) => {
                self.line("p", &[self.known(n)?, 0]);
                self.see(&[a, b]);
            }
            &Step::ImpliesIntro(n, a, b, by_premise) => {
                self.line("p", &[self.known(n)?, if by_premise { 1 } else { 2 }]);
                self.see(&[a, b]);
            }
            &Step::Iff(n, a, b, at) => {
                self.line("e", &[self.known(n)?, at as u32]);
                self.see(&[a, b]);
            }
            Step::Instance(n, values, l) => {
                let mut line = vec![self.known(*n)?];
                for &value in values {
                    line.push(self.term(value)?);
                }
                self.line("u", &line);
                self.see(&[*l]);
            }
            &Step::Witness(n, first, count, l) => {
                self.line("w", &[self.known(n)?, count as u32]);
                for number in first..first + count {
                    self.constants.insert(number, self.counts[1]);
                    self.counts[1] += 1;
                }
                self.see(&[l]);
            }
            &Step::Reflexive(n) => self.line("x", &[self.known(n)?]),
            &Step::Transitive(a, b, c) => self.line("y", &[self.known(a)?, self.known(b)?, self.known(c)?]),
            Step::Function(n, equations) => {
                let line = [vec![self.known(*n)?], self.equations(equations)?].concat();
                self.line("f", &line);
            }
            Step::Relation(a, b, equations) => {
                let line = [vec![self.known(*a)?, self.known(*b)?], self.equations(equations)?].concat();
                self.line("r", &line);
            }
            Step::Derived(clause, hints) => {
                let mut line = String::from("c");
                for literal in clause {
                    let number = self.known(literal / 2)?;
                    let sign = if literal % 2 == 1 { "-" } else { "" };
                    let _ = write!(line, " {sign}{number}");
                }
                line.push_str(" 0");
                for hint in hints {
                    let _ = write!(line, " {hint}");
                }
                self.text.push_str(&line);
                self.text.push('\n');
            }
        }
        Ok(())
    }

    fn equations(&self, equations: &[Option<u32>]) -> Result<Vec<u32>, Failure> {
        equations.iter().map(|it| it.map_or(Ok(0), |number| self.known(number))).collect()
    }

    /// Gives a formula its number: by its place among the hypotheses and goals, or by its words.
    fn define(&mut self, number: u32, node: NodeId) -> Result<(), Failure> {
        if !self.formulas.contains_key(&number) {
            match self.elaborated.inputs.get(&node) {
                Some(&(obligation, at)) => self.line("i", &[obligation, at]),
                None => {
                    let mut line = String::from("d");
                    self.words(&mut line, node)?;
                    self.text.push_str(&line);
                    self.text.push('\n');
                }
            }
            self.see(&[2 * number]);
        }
        Ok(())
    }

    /// Returns the number of a closed term, which gets one if it has none.
    fn term(&mut self, term: NodeId) -> Result<u32, Failure> {
        if let Some(&known) = self.terms.get(&term) {
            return Ok(known);
        }
        let number = match self.elaborated.proof.core.pool.node(term) {
            Node::Constant(_, constant) => *self.constants.get(constant).ok_or(Failure::Shape)?,
            Node::App(state, function, args) => {
                let mut line = format!("t A {} {function} {}", word(*state), args.len());
                for &arg in args {
                    let _ = write!(line, " {}", self.term(arg)?);
                }
                self.text.push_str(&line);
                self.text.push('\n');
                self.counts[1] += 1;
                self.counts[1] - 1
            }
            _ => return Err(Failure::Shape),
        };
        self.terms.insert(term, number);
        Ok(number)
    }

    /// Adds the words of a term or formula to a line. Terms of closed ones get lines of their own before it.
    fn words(&mut self, line: &mut String, node: NodeId) -> Result<(), Failure> {
        let pool = &self.elaborated.proof.core.pool;
        if let Some(number) = self.nodes.get(&node) {
            let _ = write!(line, " {number}");
            return Ok(());
        }
        let parts = match pool.node(node) {
            Node::Var(at) => {
                let _ = write!(line, " V {at}");
                return Ok(());
            }
            Node::App(state, function, args) if !self.is_closed(node) => {
                let _ = write!(line, " A {} {function} {}", word(*state), args.len());
                args.to_vec()
            }
            Node::App(..) | Node::Constant(..) => {
                let _ = write!(line, " {}", self.term(node)?);
                return Ok(());
            }
            Node::Rel(state, relation, args) => {
                let _ = write!(line, " R {} {relation} {}", word(*state), args.len());
                args.to_vec()
            }
            other => {
                let _ = match other {
                    Node::Eq(sort, ..) => write!(line, " E {sort}"),
                    Node::Not(_) => write!(line, " ~"),
                    Node::And(items) => write!(line, " & {}", items.len()),
                    Node::Or(items) => write!(line, " | {}", items.len()),
                    Node::Implies(..) => write!(line, " >"),
                    Node::Iff(..) => write!(line, " ="),
                    Node::Forall(sort, _) => write!(line, " ! {sort}"),
                    Node::Exists(sort, _) => write!(line, " ? {sort}"),
                    Node::Var(_) | Node::App(..) | Node::Rel(..) | Node::Constant(..) => Ok(()),
                };
                other.children()
            }
        };
        parts.into_iter().try_for_each(|part| self.words(line, part))
    }

    /// Returns whether a term has no variables.
    fn is_closed(&self, term: NodeId) -> bool {
        match self.elaborated.proof.core.pool.node(term) {
            Node::App(_, _, args) => args.iter().all(|&arg| self.is_closed(arg)),
            Node::Constant(..) => true,
            _ => false,
        }
    }
}

/// Returns the word for the state in which a symbol is read.
fn word(state: Option<u16>) -> u32 {
    state.map_or(0, |state| u32::from(state) + 1)
}

/// Returns for each clause the number of the last one that is derived from it; 0 if none is.
fn last_uses(steps: &[Step]) -> Vec<usize> {
    let mut last = Vec::new();
    for step in steps.iter().filter(|step| !matches!(step, Step::Define(..))) {
        last.push(0);
        if let Step::Derived(_, hints) = step {
            hints.iter().for_each(|&hint| last[hint - 1] = last.len());
        }
    }
    last
}
