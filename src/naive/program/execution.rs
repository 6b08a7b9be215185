//! The meaning of commands: what is assumed about the state before them, and the values of symbols after them.

use std::rc::Rc;

use super::meaning::System;
use super::steps::{Section, Step};
use super::term::{Term, Values, What, applied, is_same, joined, not, operator};
use super::tree::Axioms;
use crate::refusal::Result;

/// How large a condition may be that is written wherever it counts.
const MAX_INLINE: usize = 20;

/// How many assumptions, or conditions of branches before one, stand by themselves.
const MAX_SEPARATE: usize = 64;

/// How large the meaning of a part may be, as trees, without names for what the part reads.
const MAX_PLAIN: usize = 20_000;

/// What a part of a program means.
pub(crate) struct Outcome {
    pub(crate) params: Vec<usize>,
    pub(crate) assumptions: Vec<Term>,
    /// By symbol that has changed, its value with its own variables.
    pub(crate) updates: Values,
    /// The claims that no assertion goes wrong, each with its place.
    pub(crate) assertions: Vec<(Term, usize)>,
}

impl Outcome {
    /// Returns the number of nodes of all formulas and terms.
    fn size(&self) -> usize {
        let claims = self.assertions.iter().map(|(claim, _)| claim);
        let all = self.assumptions.iter().chain(self.updates.values()).chain(claims);
        all.map(|term| term.size).fold(0, usize::saturating_add)
    }
}

impl System<'_> {
    /// Executes a part of a program. `conditions` are symbols for large conditions, which other parts use as well. If its
    /// meaning is large, the part gets names for what it reads where they make it smaller.
    pub(crate) fn outcome(&mut self, section: &mut Section, conditions: &mut Vec<usize>) -> Result<Outcome> {
        let nodes = self.nodes;
        let plain = self.executed(section, conditions);
        let size = plain.as_ref().map_or(usize::MAX, Outcome::size);
        if size <= MAX_PLAIN {
            return plain;
        }
        if plain.is_err() {
            self.nodes = nodes;
        }
        let named = self.captured(section);
        match self.executed(&named, conditions) {
            Ok(outcome) if outcome.size() < size => {
                *section = named;
                Ok(outcome)
            }
            _ => plain,
        }
    }

    fn executed(&mut self, section: &Section, conditions: &mut Vec<usize>) -> Result<Outcome> {
        let axioms = if self.axioms == Axioms::OfChanges { self.state_axioms() } else { Vec::new() };
        let mut execution = Execution {
            system: self,
            axioms,
            conditions,
            used: 0,
            state: Values::new(),
            path: vec![Vec::new()],
            assertions: Vec::new(),
        };
        execution.steps(&section.steps)?;
        let Execution { mut state, path, assertions, .. } = execution;
        state.retain(|symbol, value| !is_same(value, &self.read(*symbol), &mut Vec::new()));
        let assumptions = path.into_iter().flatten().collect();
        Ok(Outcome { params: section.params.clone(), assumptions, updates: state, assertions })
    }
}

/// An execution of steps.
struct Execution<'s, 'm> {
    system: &'s mut System<'m>,
    /// The axioms that hold after each change.
    axioms: Vec<Term>,
    conditions: &'s mut Vec<usize>,
    /// How many of the conditions are used.
    used: usize,
    state: Values,
    /// What is assumed: outside of all branches, then in each branch that this is in, whose condition is first.
    path: Vec<Vec<Term>>,
    assertions: Vec<(Term, usize)>,
}

impl Execution<'_, '_> {
    fn steps(&mut self, steps: &[Step]) -> Result<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    /// Returns a formula or term as it is in the state here, about the state before.
    pub(crate) fn read(&mut self, term: &Term) -> Result<Term> {
        self.system.rewritten(term, &Values::new(), &self.state)
    }

    fn push(&mut self, assumption: Term) {
        self.path.last_mut().into_iter().for_each(|path| path.push(Rc::clone(&assumption)));
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Assume(formula) => {
                let formula = self.read(formula)?;
                self.push(formula);
            }
            Step::Assert(formula, at) => {
                for assumed in self.path.iter_mut().filter(|assumed| assumed.len() > MAX_SEPARATE) {
                    let rest = joined("&", assumed.split_off(1));
                    assumed.push(rest);
                }
                let reached: Vec<Term> = self.path.iter().flatten().cloned().collect();
                let formula = self.read(formula)?;
                self.push(Rc::clone(&formula));
                let claim = match &reached[..] {
                    [] => formula,
                    _ => operator(">", vec![joined("&", reached), formula]),
                };
                self.assertions.push((claim.sized(*at)?, *at));
            }
            Step::Set(symbol, value) => {
                let value = self.read(value)?;
                self.state.insert(*symbol, value);
                for axiom in self.axioms.clone() {
                    if axiom.has(&|what| *what == What::Symbol(*symbol)) {
                        let axiom = self.read(&axiom)?;
                        self.push(axiom);
                    }
                }
            }
            Step::If(condition, a, b) => {
                let mut condition = self.read(condition)?;
                if condition.size > MAX_INLINE {
                    if self.used == self.conditions.len() {
                        self.conditions.push(self.system.bit("choice"));
                    }
                    let bit = applied(self.conditions[self.used], Vec::new());
                    self.used += 1;
                    self.push(operator("=", vec![Rc::clone(&bit), condition]));
                    condition = bit;
                }
                self.branches(&[condition], &[a, b])?;
            }
            Step::Choice(bits, branches) => {
                let bits: Vec<Term> = bits.iter().map(|bit| applied(*bit, Vec::new())).collect();
                self.branches(&bits, &branches.iter().collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    /// Executes the branch whose condition is the first one to hold, or the last one if none holds.
    fn branches(&mut self, conditions: &[Term], branches: &[&Vec<Step>]) -> Result<()> {
        let before = self.state.clone();
        let (mut ends, mut others) = (Vec::new(), Vec::new());
        for (index, branch) in branches.iter().enumerate() {
            let condition = conditions.get(index);
            let taken = joined("&", others.iter().chain(condition).cloned().collect());
            self.path.push(vec![Rc::clone(&taken)]);
            self.steps(branch)?;
            let assumed = self.path.pop().unwrap_or_default();
            ends.push((taken, assumed, std::mem::replace(&mut self.state, before.clone())));
            others.extend(condition.map(not));
            if others.len() > MAX_SEPARATE {
                others = vec![joined("&", others)];
            }
        }
        for (index, (taken, assumed, state)) in ends.into_iter().enumerate().rev() {
            if assumed.len() > 1 {
                self.push(operator(">", vec![taken, joined("&", assumed[1..].to_vec())]));
            }
            self.state = match conditions.get(index) {
                Some(condition) => self.merged(condition, &state)?,
                None => state,
            };
        }
        Ok(())
    }

    /// Returns a state that is `other` where the condition holds, and this one elsewhere.
    fn merged(&mut self, condition: &Term, other: &Values) -> Result<Values> {
        let mut merged = Values::new();
        for symbol in other.keys().chain(self.state.keys()) {
            let value =
                |state: &Values| state.get(symbol).cloned().unwrap_or_else(|| self.system.read(*symbol));
            let value = conditional(self.system, condition, value(other), value(&self.state));
            merged.insert(*symbol, value.sized(self.system.at)?);
        }
        Ok(merged)
    }
}

/// Returns a value that is `a` where the condition holds, and `b` elsewhere.
///
/// Both extend other values: `old | ..`, `old & ..` or `if .. then .. else old`. From the last one that they have in common
/// on, the extensions are made under their conditions, those of `b` first.
fn conditional(system: &System<'_>, condition: &Term, a: Term, b: Term) -> Term {
    let (a, b) = (extended(a), extended(b));
    let is_same = |a: &Term, b: &Term| is_same(a, b, &mut Vec::new());
    let common = a.iter().enumerate().find_map(|(at, a)| Some((at, b.iter().position(|b| is_same(a, b))?)));
    let otherwise = not(condition);
    let Some((at, other)) = common else {
        let [a, b] = [&a[0], &b[0]].map(Rc::clone);
        if !system.is_formula(&a) {
            return operator("if", vec![Rc::clone(condition), a, b]);
        }
        let sides = [(condition, a), (&otherwise, b)];
        return operator("|", sides.map(|(it, side)| operator("&", vec![Rc::clone(it), side])).to_vec());
    };
    let mut value = Rc::clone(&a[at]);
    for (condition, extensions) in [(&otherwise, &b[..other]), (condition, &a[..at])] {
        for extension in extensions.iter().rev() {
            value = under(condition, extension, value);
        }
    }
    value
}

/// Returns a value, the one that it extends, and so on.
fn extended(value: Term) -> Vec<Term> {
    let mut values = vec![value];
    while let Some(last) = values.last()
        && let Some(old) = match last.what {
            What::Operator("&" | "|") => last.parts.first(),
            What::Operator("if") => last.parts.last(),
            _ => None,
        }
    {
        let old = Rc::clone(old);
        values.push(old);
    }
    values
}

/// Returns the value that extends `old` as the extension extends another one where the condition holds, and `old`
/// elsewhere.
fn under(condition: &Term, extension: &Term, old: Term) -> Term {
    let condition = Rc::clone(condition);
    let rest = |sign| joined(sign, extension.parts[1..].to_vec());
    match extension.what {
        What::Operator("|") => operator("|", vec![old, operator("&", vec![condition, rest("|")])]),
        What::Operator("&") => operator("&", vec![old, operator(">", vec![condition, rest("&")])]),
        _ => {
            let both = operator("&", vec![condition, Rc::clone(&extension.parts[0])]);
            operator("if", vec![both, Rc::clone(&extension.parts[1]), old])
        }
    }
}
