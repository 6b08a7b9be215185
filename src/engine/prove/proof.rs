//! Proofs as data, and their output formats: certificates, and exports for independent checkers.

use std::fmt::Write as _;

use super::expand::{Constant, Expansion};
use super::lines::Step;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Node, SortId, TermId};

/// A line of a proof that adds a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A step of the calculus, with its clause.
    Step { clause: Vec<i32>, is_lemma: bool },
    /// A clause derived from others.
    Derived { lits: Vec<i32>, hints: Vec<usize> },
}

/// A proof of one obligation about normal forms.
#[derive(Clone, Debug)]
pub struct Proof {
    steps: Vec<Step>,
}

/// A proof with the data needed for exports.
#[derive(Debug)]
pub(super) struct Derivation {
    /// The steps.
    pub(super) steps: Vec<Step>,
    /// The lines that add clauses, in order.
    pub(super) lines: Vec<Line>,
    /// The formula of each number, starting at 1.
    pub(super) formulas: Vec<TermId>,
}

/// A proof in the formats of other checkers.
#[derive(Clone, Debug)]
pub struct Export {
    /// The ground instances in SMT-LIB, over uninterpreted functions, to be refuted; lemmas of equality are left to
    /// the checker.
    pub smtlib: String,
    /// The clauses of all steps in DIMACS.
    pub dimacs: String,
    /// Their refutation in LRAT.
    pub lrat: String,
}

impl Proof {
    /// Returns its steps.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }
}

impl Derivation {
    /// Discards the data for exports.
    pub(super) fn proof(self) -> Proof {
        Proof { steps: self.steps }
    }

    /// Exports the proof for other checkers. `expansion` is its source.
    pub(super) fn export(&self, expansion: &Expansion) -> Export {
        let clauses: Vec<&Vec<i32>> = self
            .lines
            .iter()
            .filter_map(|line| match line {
                Line::Step { clause, .. } => Some(clause),
                _ => None,
            })
            .collect();
        let mut dimacs = format!("p cnf {} {}\n", self.formulas.len(), clauses.len());
        for clause in &clauses {
            for lit in *clause {
                let _ = write!(dimacs, "{lit} ");
            }
            dimacs.push_str("0\n");
        }
        Export { smtlib: self.smtlib(expansion), dimacs, lrat: self.lrat(clauses.len()) }
    }

    /// Writes the derived clauses in LRAT. A proof may interleave steps and derived clauses; DIMACS numbers all steps
    /// first.
    fn lrat(&self, steps: usize) -> String {
        let mut text = String::new();
        let mut numbers = vec![0];
        let (mut next_step, mut next_derived) = (1, steps + 1);
        for line in &self.lines {
            match line {
                Line::Step { .. } => {
                    numbers.push(next_step);
                    next_step += 1;
                }
                Line::Derived { lits, hints } => {
                    let _ = write!(text, "{next_derived}");
                    for lit in lits {
                        let _ = write!(text, " {lit}");
                    }
                    text.push_str(" 0");
                    for &hint in hints {
                        let _ = write!(text, " {}", numbers.get(hint).copied().unwrap_or(0));
                    }
                    text.push_str(" 0\n");
                    numbers.push(next_derived);
                    next_derived += 1;
                }
            }
        }
        text
    }

    fn smtlib(&self, expansion: &Expansion) -> String {
        let sig = &expansion.vocabulary.sig;
        let (declared, defined) = (Set::default(), Map::default());
        let mut writer = SmtWriter { expansion, declared, defined, declarations: String::new() };
        for id in sig.uninterpreted_sorts() {
            let _ = writeln!(writer.declarations, "(declare-sort {} 0)", writer.sort(id));
        }
        let mut names = vec![String::new()];
        for (index, &formula) in self.formulas.iter().enumerate() {
            let name = match expansion.vocabulary.terms.node(formula) {
                Node::App { .. } | Node::Eq(..) => writer.term(formula),
                _ => {
                    let name = format!("|formula {}|", index + 1);
                    let _ = writeln!(writer.declarations, "(declare-const {name} Bool)");
                    name
                }
            };
            names.push(name);
        }
        let mut text = format!("(set-logic QF_UF)\n{}", writer.declarations);
        for line in &self.lines {
            let Line::Step { clause, is_lemma: false } = line else { continue };
            text.push_str("(assert (or false");
            for &lit in clause {
                let name = &names[lit.unsigned_abs() as usize];
                let _ = if lit > 0 { write!(text, " {name}") } else { write!(text, " (not {name})") };
            }
            text.push_str("))\n");
        }
        text.push_str("(check-sat)\n");
        text
    }
}

/// Maximum size of terms written inline; larger ones are defined by name, so that shared subterms are written once.
const MAX_INLINE_SIZE: u32 = 100;

/// Writes terms in SMT-LIB. Symbols are quoted; names generated for the proof contain blanks, unlike those of a model.
struct SmtWriter<'a> {
    expansion: &'a Expansion,
    declared: Set<String>,
    /// Names of large terms.
    defined: Map<TermId, String>,
    declarations: String,
}

impl SmtWriter<'_> {
    fn sort(&self, sort: SortId) -> String {
        match sort {
            SortId::BOOL => String::from("Bool"),
            _ => format!("|{}|", self.expansion.vocabulary.sig.sorts[sort].name),
        }
    }

    fn term(&mut self, term: TermId) -> String {
        let terms = &self.expansion.vocabulary.terms;
        if terms.tree_size(term) <= MAX_INLINE_SIZE {
            return self.written(term);
        }
        if let Some(name) = self.defined.get(&term) {
            return name.clone();
        }
        let (name, sort) = (format!("|term {}|", term.index()), self.sort(terms.sort(term)));
        let text = self.written(term);
        let _ = writeln!(self.declarations, "(define-fun {name} () {sort} {text})");
        self.defined.insert(term, name.clone());
        name
    }

    fn written(&mut self, term: TermId) -> String {
        let expansion = self.expansion;
        match expansion.vocabulary.terms.node(term) {
            Node::App { sym, step, args } => {
                let symbol = &expansion.vocabulary.sig.symbols[sym];
                let name = match expansion.vocabulary.constants.get(&sym) {
                    Some(Constant::Witness(formula, index)) => {
                        format!("|witness {} {index}|", formula.index())
                    }
                    Some(Constant::Default(sort)) => {
                        format!("|some {}|", expansion.vocabulary.sig.sorts[*sort].name)
                    }
                    // The step also distinguishes names that some solvers reserve.
                    None => format!("|{}@{step}|", symbol.name),
                };
                if self.declared.insert(name.clone()) {
                    let args: Vec<String> = symbol.args.iter().map(|&arg| self.sort(arg)).collect();
                    let result = self.sort(symbol.result);
                    let _ = writeln!(self.declarations, "(declare-fun {name} ({}) {result})", args.join(" "));
                }
                let args = expansion.vocabulary.terms.args(args).to_vec();
                if args.is_empty() {
                    return name;
                }
                let args: Vec<String> = args.into_iter().map(|arg| self.term(arg)).collect();
                format!("({name} {})", args.join(" "))
            }
            Node::Eq(a, b) => format!("(= {} {})", self.term(a), self.term(b)),
            // Ground terms and atoms have no other form.
            _ => String::from("true"),
        }
    }
}
