//! The refutation of an obligation: the steps of the certificate that it needs, with the rules of the format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ramsey_core::base::hash::{Map, Set};
use ramsey_kernel::core::{Literal, Node, NodeId, Step};

use super::clauses::{Clause, needed};
use super::names::Names;
use super::obligation::Obligation;
use super::printer::Printer;
use super::reading::Reading;

/// The name of a step.
type Id = String;

/// A formula that stands in a clause, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Atom {
    /// It may begin with negations.
    formula: NodeId,
    is_negated: bool,
}

fn yes(formula: NodeId) -> Atom {
    Atom { formula, is_negated: false }
}

fn no(formula: NodeId) -> Atom {
    Atom { formula, is_negated: true }
}

/// Writes one proof.
struct Writer<'a> {
    reading: &'a mut Reading,
    printer: Printer<'a>,
    text: String,
    /// Parts that have the names they need.
    ready: Set<NodeId>,
    /// The number of names of formulas.
    names: usize,
    /// The number of steps.
    steps: usize,
    /// By existential formula, the step that it is true, or the universal one of its negated body is.
    duals: Map<NodeId, Id>,
    /// By formula without negations, the step that so many negations more than two imply two less.
    doubles: Map<(NodeId, usize), Id>,
    /// By equation, the step that it is equivalent to its mirror image.
    mirrors: Map<NodeId, Id>,
}

/// Returns the proof that the hypotheses of an obligation and its negated goal contradict each other, by this clause; 0 where the goal
/// is a hypothesis. `None` if the clause does not show it.
pub(super) fn text(
    reading: &mut Reading,
    names: &Names,
    obligation: &Obligation,
    clause: usize,
) -> Option<String> {
    let clauses = if clause == 0 { BTreeMap::new() } else { needed(reading, clause)? };
    let mut writer = Writer {
        reading,
        printer: Printer::new(names),
        text: String::new(),
        ready: Set::default(),
        names: 0,
        steps: 0,
        duals: Map::default(),
        doubles: Map::default(),
        mirrors: Map::default(),
    };
    let assumed = match clauses.get(&clause) {
        None => vec![yes(obligation.goal), no(obligation.goal)],
        Some(last) => {
            let mut assumed = Vec::with_capacity(last.literals.len());
            for &literal in &last.literals {
                assumed.push(writer.assumption(obligation, literal)?);
            }
            assumed
        }
    };
    let mut premises = Vec::new();
    for (at, &atom) in assumed.iter().enumerate() {
        let text = writer.raw(atom);
        let _ = writeln!(writer.text, "(assume h{at} {text})");
        premises.push(format!("h{at}"));
    }
    for (premise, &atom) in premises.iter_mut().zip(&assumed) {
        *premise = writer.standing(std::mem::take(premise), &[atom]);
    }
    let mut made: Map<usize, Id> = Map::default();
    for (&number, needed) in &clauses {
        let id = match writer.reading.steps.get(number - 1)?.clone() {
            Step::Derived(..) => writer.derived(needed, &made)?,
            step => writer.step(&step, needed)?,
        };
        made.insert(number, id);
    }
    match (made.get(&clause), premises.is_empty()) {
        (Some(_), true) => {}
        (last, _) => {
            premises.extend(last.cloned());
            writer.resolution(&premises, &[]);
        }
    }
    Some(writer.text)
}

impl Writer<'_> {
    /// Returns the hypothesis, or the negated goal, that contradicts a literal.
    fn assumption(&mut self, obligation: &Obligation, literal: Literal) -> Option<Atom> {
        let (formula, is_negated) = (self.reading.formula(literal / 2)?, literal % 2 == 1);
        let hypotheses = obligation.hypotheses.iter().map(|&hypothesis| yes(hypothesis));
        hypotheses.chain([no(obligation.goal)]).find(|&atom| {
            let (standing, negations) = self.form(atom);
            standing == formula && (negations % 2 == 1) != is_negated
        })
    }

    /// Returns the formula that stands for an atom, and the number of negations in front of it.
    fn form(&mut self, atom: Atom) -> (NodeId, usize) {
        let (formula, negations) = self.reading.unsigned(atom.formula);
        (self.reading.standing(formula), negations + usize::from(atom.is_negated))
    }

    /// Returns the text of an atom as it is.
    fn raw(&mut self, atom: Atom) -> String {
        let (formula, negations) = self.reading.unsigned(atom.formula);
        let name = self.name(formula);
        negation(&name, negations + usize::from(atom.is_negated))
    }

    /// Returns the name of a closed formula. It is defined if it is not yet.
    fn name(&mut self, formula: NodeId) -> String {
        if let Some(name) = self.printer.defined.get(&formula) {
            return name.clone();
        }
        for part in self.reading.core.pool.node(formula).children() {
            self.prepare(part);
        }
        let text = self.printer.text(&self.reading.core.pool, formula);
        self.names += 1;
        let name = format!("f{}", self.names);
        let _ = writeln!(self.text, "(define-fun {name} () Bool {text})");
        self.printer.defined.insert(formula, name.clone());
        name
    }

    /// Defines the names that the text of a part has.
    fn prepare(&mut self, part: NodeId) {
        if !self.ready.insert(part) {
            return;
        }
        if let Node::Constant(sort, number) = *self.reading.core.pool.node(part) {
            self.constant(part, sort, number);
        } else if self.reading.numbered.contains(&part) {
            self.name(part);
        } else {
            for child in self.reading.core.pool.node(part).children() {
                self.prepare(child);
            }
        }
    }

    /// Defines a constant as a term of which the body of its formula is true, or false, if it is of any.
    fn constant(&mut self, constant: NodeId, sort: usize, number: usize) {
        let quantified = number.checked_sub(1).and_then(|at| self.reading.witnesses.get(at)).copied();
        // The reading has a formula for each constant.
        let Some(quantified) = quantified else { return };
        let Some((_, body, is_universal)) = self.reading.quantifier(quantified) else { return };
        self.prepare(body);
        let (variable, text) = self.open(quantified, body);
        let text = negation(&text, usize::from(is_universal));
        let (sort, name) = (self.printer.sort(sort), format!("c{number}"));
        let _ = writeln!(self.text, "(define-fun {name} () {sort} (choice (({variable} {sort})) {text}))");
        self.printer.defined.insert(constant, name);
    }

    /// Returns the variable of a quantified formula, and its body with this variable.
    fn open(&mut self, quantified: NodeId, body: NodeId) -> (String, String) {
        let pool = &self.reading.core.pool;
        (self.printer.variable(pool, quantified), self.printer.body(pool, quantified, body))
    }

    /// Writes a step with a clause as text, and returns its name.
    fn write(&mut self, rule: &str, clause: &str, premises: &[Id], args: &str) -> Id {
        self.steps += 1;
        let id = format!("t{}", self.steps);
        let _ = write!(self.text, "(step {id} (cl{clause}) :rule {rule}");
        if !premises.is_empty() {
            let _ = write!(self.text, " :premises ({})", premises.join(" "));
        }
        if !args.is_empty() {
            let _ = write!(self.text, " :args ({args})");
        }
        self.text.push_str(")\n");
        id
    }

    /// Writes a step of a rule. Returns the name of a step with the formulas that stand for those in its clause.
    fn rule(&mut self, rule: &str, clause: &[Atom], premises: &[Id], args: &str) -> Id {
        let texts: String = clause.iter().map(|&atom| format!(" {}", self.raw(atom))).collect();
        let id = self.write(rule, &texts, premises, args);
        self.standing(id, clause)
    }

    /// Returns the name of a step that has the formulas that stand for those in the clause of this one: without double negations,
    /// and one equation for both directions.
    fn standing(&mut self, id: Id, clause: &[Atom]) -> Id {
        let mut premises = Vec::new();
        for &atom in clause {
            let (formula, mut negations) = self.reading.unsigned(atom.formula);
            negations += usize::from(atom.is_negated);
            while negations >= 2 {
                premises.push(self.double(formula, negations));
                negations -= 2;
            }
            let standing = self.reading.standing(formula);
            if standing != formula {
                let same = self.mirror(formula, standing);
                let (rule, clause) = match negations {
                    0 => ("equiv1", [no(formula), yes(standing)]),
                    _ => ("equiv2", [yes(formula), no(standing)]),
                };
                let texts: String = clause.iter().map(|&atom| format!(" {}", self.raw(atom))).collect();
                premises.push(self.write(rule, &texts, &[same], ""));
            }
        }
        if premises.is_empty() {
            return id;
        }
        premises.insert(0, id);
        self.resolution(&premises, clause)
    }

    /// Returns the step that so many negations imply two less.
    fn double(&mut self, formula: NodeId, negations: usize) -> Id {
        if let Some(known) = self.doubles.get(&(formula, negations)) {
            return known.clone();
        }
        let name = self.name(formula);
        let clause = format!(" {} {}", negation(&name, negations + 1), negation(&name, negations - 2));
        let id = self.write("not_not", &clause, &[], "");
        self.doubles.insert((formula, negations), id.clone());
        id
    }

    /// Returns the step that an equation is equivalent to its mirror image.
    fn mirror(&mut self, formula: NodeId, image: NodeId) -> Id {
        if let Some(known) = self.mirrors.get(&formula) {
            return known.clone();
        }
        let clause = format!(" (= {} {})", self.name(formula), self.name(image));
        let id = self.write("eq_symmetric", &clause, &[], "");
        self.mirrors.insert(formula, id.clone());
        id
    }

    /// Writes a step of resolution. Its clause has the formulas that stand for these.
    fn resolution(&mut self, premises: &[Id], clause: &[Atom]) -> Id {
        let mut texts: Vec<String> = Vec::new();
        for &atom in clause {
            let (formula, negations) = self.form(atom);
            let text = negation(&self.name(formula), negations % 2);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let texts: String = texts.into_iter().map(|text| format!(" {text}")).collect();
        self.write("resolution", &texts, premises, "")
    }

    /// Returns the formulas of a clause of the certificate.
    fn atoms(&self, literals: &[Literal]) -> Option<Vec<Atom>> {
        let atom = |&literal: &Literal| {
            let formula = self.reading.formula(literal / 2)?;
            Some(Atom { formula, is_negated: literal % 2 == 1 })
        };
        literals.iter().map(atom).collect()
    }

    fn derived(&mut self, clause: &Clause, made: &Map<usize, Id>) -> Option<Id> {
        let premises: Option<Vec<Id>> = clause.premises.iter().map(|it| made.get(it).cloned()).collect();
        let premises = premises?;
        if let [same] = premises.as_slice() {
            return Some(same.clone());
        }
        let atoms = self.atoms(&clause.literals)?;
        Some(self.resolution(&premises, &atoms))
    }

    /// Writes a step of the certificate other than a derived clause.
    fn step(&mut self, step: &Step, clause: &Clause) -> Option<Id> {
        let formula = |number: u32| self.reading.formula(number);
        let parts = |number: u32| Some(self.reading.core.pool.node(formula(number)?).children());
        Some(match *step {
            Step::AndElim(n, at, _) => {
                let clause = [no(formula(n)?), yes(*parts(n)?.get(at)?)];
                self.rule("and_pos", &clause, &[], &at.to_string())
            }
            Step::OrIntro(n, at, _) => {
                let clause = [yes(formula(n)?), no(*parts(n)?.get(at)?)];
                self.rule("or_neg", &clause, &[], &at.to_string())
            }
            Step::AndIntro(n, _) => {
                let (formula, parts) = (formula(n)?, parts(n)?);
                let rule = if parts.is_empty() { "true" } else { "and_neg" };
                let clause: Vec<Atom> = [yes(formula)].into_iter().chain(parts.into_iter().map(no)).collect();
                self.rule(rule, &clause, &[], "")
            }
            Step::OrElim(n, _) => {
                let (formula, parts) = (formula(n)?, parts(n)?);
                let rule = if parts.is_empty() { "false" } else { "or_pos" };
                let clause: Vec<Atom> = [no(formula)].into_iter().chain(parts.into_iter().map(yes)).collect();
                self.rule(rule, &clause, &[], "")
            }
            Step::ImpliesElim(n, ..) => {
                let [a, b] = *parts(n)? else { return None };
                self.rule("implies_pos", &[no(formula(n)?), no(a), yes(b)], &[], "")
            }
            Step::ImpliesIntro(n, _, _, by_premise) => {
                let [a, b] = *parts(n)? else { return None };
                let (rule, part) =
                    if by_premise { ("implies_neg1", yes(a)) } else { ("implies_neg2", no(b)) };
                self.rule(rule, &[yes(formula(n)?), part], &[], "")
            }
            Step::Iff(n, _, _, at) => {
                let [a, b] = *parts(n)? else { return None };
                let n = formula(n)?;
                let (rule, clause) = match at {
                    0 => ("equiv_pos2", [no(n), no(a), yes(b)]),
                    1 => ("equiv_pos1", [no(n), yes(a), no(b)]),
                    2 => ("equiv_neg2", [yes(n), yes(a), yes(b)]),
                    _ => ("equiv_neg1", [yes(n), no(a), no(b)]),
                };
                self.rule(rule, &clause, &[], "")
            }
            Step::Instance(n, ref values, _) => {
                let n = formula(n)?;
                self.instance(n, values)?
            }
            Step::Witness(n, first, count, _) => {
                let n = formula(n)?;
                self.witness(n, first, count)?
            }
            // A clause of one literal is that a term is equal to itself.
            Step::Reflexive(n) | Step::Transitive(_, _, n) | Step::Function(n, _)
                if clause.literals.len() == 1 =>
            {
                self.rule("eq_reflexive", &[yes(formula(n)?)], &[], "")
            }
            Step::Transitive(..) => {
                let atoms = self.atoms(&clause.literals)?;
                self.rule("eq_transitive", &atoms, &[], "")
            }
            Step::Function(n, ref equations) => {
                let n = formula(n)?;
                let Node::Eq(_, applied, _) = *self.reading.core.pool.node(n) else { return None };
                self.congruence("eq_congruent", applied, equations, &[yes(n)], clause)?
            }
            Step::Relation(a, b, ref equations) => {
                let (a, b) = (formula(a)?, formula(b)?);
                self.congruence("eq_congruent_pred", a, equations, &[no(a), yes(b)], clause)?
            }
            Step::Reflexive(_) | Step::Define(..) | Step::Derived(..) => return None,
        })
    }

    /// Writes that a function has equal values for equal arguments, or a relation. The rule wants an equation for each argument.
    fn congruence(
        &mut self,
        rule: &str,
        applied: NodeId,
        equations: &[Option<u32>],
        ends: &[Atom],
        clause: &Clause,
    ) -> Option<Id> {
        let core = &self.reading.core;
        let (args, sorts) = match core.pool.node(applied) {
            Node::App(_, function, args) => (args.clone(), core.functions.get(*function)?.0.args.clone()),
            Node::Rel(_, relation, args) => (args.clone(), core.relations.get(*relation)?.args.clone()),
            _ => return None,
        };
        let (mut atoms, mut same) = (Vec::new(), Vec::new());
        for ((&arg, sort), equation) in args.iter().zip(sorts).zip(equations) {
            let equation = match *equation {
                Some(number) => self.reading.formula(number)?,
                None => {
                    let itself = self.reading.core.pool.intern(Node::Eq(sort, arg, arg));
                    same.push(itself);
                    itself
                }
            };
            atoms.push(no(equation));
        }
        atoms.extend(ends);
        let mut premises = vec![self.rule(rule, &atoms, &[], "")];
        if same.is_empty() {
            return premises.pop();
        }
        for itself in same {
            premises.push(self.rule("eq_reflexive", &[yes(itself)], &[], ""));
        }
        let atoms = self.atoms(&clause.literals)?;
        Some(self.resolution(&premises, &atoms))
    }

    /// Writes that a universal formula implies its body for these terms, or the body for them an existential one: variable by
    /// variable.
    fn instance(&mut self, formula: NodeId, values: &[NodeId]) -> Option<Id> {
        let (_, _, is_universal) = self.reading.quantifier(formula)?;
        let (mut now, mut premises) = (formula, Vec::new());
        for &value in values {
            let (sort, body, _) = self.reading.quantifier(now)?;
            let next = self.reading.instance(body, value);
            let (universal, part) = if is_universal {
                (now, next)
            } else {
                premises.push(self.dual(now, sort, body));
                let pool = &mut self.reading.core.pool;
                let negated = pool.intern(Node::Not(body));
                (pool.intern(Node::Forall(sort, negated)), pool.intern(Node::Not(next)))
            };
            self.prepare(value);
            let value = self.printer.text(&self.reading.core.pool, value);
            let clause = format!(" (or {} {})", self.raw(no(universal)), self.raw(yes(part)));
            let instance = self.write("forall_inst", &clause, &[], &value);
            premises.push(self.rule("or", &[no(universal), yes(part)], &[instance], ""));
            now = next;
        }
        let clause = if is_universal { [no(formula), yes(now)] } else { [yes(formula), no(now)] };
        Some(self.chain(premises, &clause))
    }

    /// Returns the only step, or the resolvent of several.
    fn chain(&mut self, mut premises: Vec<Id>, clause: &[Atom]) -> Id {
        match premises.pop() {
            Some(only) if premises.is_empty() => only,
            last => {
                premises.extend(last);
                self.resolution(&premises, clause)
            }
        }
    }

    /// Writes that an existential formula is true, or the universal one of its negated body.
    fn dual(&mut self, exists: NodeId, sort: usize, body: NodeId) -> Id {
        if let Some(known) = self.duals.get(&exists) {
            return known.clone();
        }
        let pool = &mut self.reading.core.pool;
        let once = pool.intern(Node::Not(body));
        let twice = pool.intern(Node::Not(once));
        let forall = pool.intern(Node::Forall(sort, once));
        let doubled = pool.intern(Node::Exists(sort, twice));
        let not_doubled = pool.intern(Node::Not(doubled));
        let (left, right) = (self.name(doubled), self.name(exists));
        self.prepare(body);
        let (variable, text) = self.open(exists, body);
        let binding = format!("({variable} {})", self.printer.sort(sort));
        let inner = format!("(= {} {text})", negation(&text, 2));
        let args = format!("{binding} (:= {binding} {variable})");
        let outer = format!(" (= {left} {right})");
        let same = self.anchored(&args, &inner, "not_simplify", &outer, "bind");
        let first = self.rule("equiv1", &[no(doubled), yes(exists)], &[same], "");
        let clause = format!(" (= {} {})", self.name(forall), negation(&left, 1));
        let definition = self.write("connective_def", &clause, &[], "");
        let second = self.rule("equiv2", &[yes(forall), no(not_doubled)], &[definition], "");
        let id = self.resolution(&[second, first], &[yes(exists), yes(forall)]);
        self.duals.insert(exists, id.clone());
        id
    }

    /// Writes that an existential formula implies its body for its constants, or the body for them a universal one.
    fn witness(&mut self, formula: NodeId, first: usize, count: usize) -> Option<Id> {
        let (_, _, is_universal) = self.reading.quantifier(formula)?;
        let (mut now, mut premises) = (formula, Vec::new());
        for number in first..first + count {
            let (sort, body, _) = self.reading.quantifier(now)?;
            let constant = self.reading.core.pool.intern(Node::Constant(sort, number));
            let next = self.reading.instance(body, constant);
            self.prepare(constant);
            self.prepare(body);
            let (left, right) = (self.name(now), self.raw(yes(next)));
            let (variable, text) = self.open(now, body);
            let args = format!("(:= ({variable} {}) c{number})", self.printer.sort(sort));
            let rule = if is_universal { "sko_forall" } else { "sko_ex" };
            let (inner, outer) = (format!("(= {text} {right})"), format!(" (= {left} {right})"));
            let same = self.anchored(&args, &inner, "refl", &outer, rule);
            premises.push(if is_universal {
                self.rule("equiv2", &[yes(now), no(next)], &[same], "")
            } else {
                self.rule("equiv1", &[no(now), yes(next)], &[same], "")
            });
            now = next;
        }
        let clause = if is_universal { [yes(formula), no(now)] } else { [no(formula), yes(now)] };
        Some(self.chain(premises, &clause))
    }

    /// Writes a step about quantified formulas with the step about their bodies before it.
    fn anchored(&mut self, args: &str, inner: &str, by: &str, outer: &str, rule: &str) -> Id {
        let id = format!("t{}", self.steps + 1);
        let _ =
            writeln!(self.text, "(anchor :step {id} :args ({args}))\n(step {id}.t1 (cl {inner}) :rule {by})");
        self.write(rule, outer, &[], "")
    }
}

/// Returns the text of a formula with so many negations in front of it.
fn negation(text: &str, negations: usize) -> String {
    format!("{}{text}{}", "(not ".repeat(negations), ")".repeat(negations))
}
