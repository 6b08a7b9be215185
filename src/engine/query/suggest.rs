//! Prophecy variables that make an abstraction less coarse.
//!
//! A claim `forall X. φ` is equivalent to `forall X, V. V = t -> φ` for each term `t` over `X` (McMillan, CAV 2018,
//! Theorem 4), and the circuit of the latter tracks the value of `t` as well. So a circuit without an execution to a
//! violation proves the claim, whichever terms are chosen. They are chosen by trial: values of functions and constants
//! that the execution of the abstraction depends on, at variables of the claim.

use std::collections::BTreeSet;

use super::mc::{Answer, Claims, Options, Outcome, Replay};
use ramsey_circuit::eager::{Abstraction, Claim, Known, Place, Scope};
use ramsey_circuit::hwmc;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SortId, SymId, Symbol, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::System;
use ramsey_solver::formulas::Pretty;

/// Work units of the search for each goal that is tried.
const WORK: u64 = 5_000_000;

/// Maximum number of terms that are tried.
const MAX_TERMS: usize = 24;

/// Maximum number of arguments of functions in terms that are tried.
const MAX_ARGS: usize = 3;

/// Maximum number of prophecy variables of one goal, and number of goals with one variable less that are extended.
const MAX_VARIABLES: usize = 3;
const MAX_EXTENDED: usize = 4;

/// Maximum number of suggestions that prove nothing.
const MAX_OPEN: usize = 3;

/// Prophecy variables of a claim.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The variables with their terms, in the syntax of the model: `let V = t, W = u`.
    pub proof: String,
    /// The circuit of the claim with these, and the proof, if it has no execution to a violation. Otherwise its
    /// execution is a longer one.
    pub proved: Option<(Box<Abstraction>, Outcome)>,
}

/// A goal that was tried.
struct Trial {
    system: System,
    claim: Claim,
    names: Vec<(String, String)>,
    terms: Vec<usize>,
    /// Length of the execution of its circuit.
    steps: usize,
}

impl Claims {
    /// Returns prophecy variables for a claim that the abstraction is too coarse for: those that prove it, or else
    /// those that exclude the execution that was found. One variable is tried at a time, and `with_more` together with
    /// others. Each trial has a budget of its own.
    pub fn suggestions(
        &self,
        answer: &Answer,
        with_more: bool,
        options: &Options,
        budget: &Budget,
    ) -> Vec<Suggestion> {
        let Outcome::Violated(execution) = &answer.outcome else { return Vec::new() };
        let (Some(abstraction), false) = (&answer.abstraction, matches!(execution.replay, Replay::Real(_)))
        else {
            return Vec::new();
        };
        let Some((_, claim)) = self.claims.iter().find(|(other, _)| *other == answer.property) else {
            return Vec::new();
        };
        // What the execution takes for granted comes first, then what it does not track, then what it reads.
        let mut scores: Vec<Set<SymId>> = vec![Set::default(); 3];
        for (step, matters) in execution.steps.iter().zip(&execution.relevant) {
            let symbols = |term: TermId| abstraction.terms.symbols(term);
            scores[0].extend(matters.assumed.iter().flat_map(|&(term, _)| symbols(term)));
            for (term, known) in step.state.iter().filter(|(term, _)| matters.state.contains(term)) {
                scores[if *known == Known::Other { 1 } else { 2 }].extend(symbols(*term));
            }
        }
        let first = Trial {
            system: self.system.clone(),
            claim: claim.clone(),
            names: Vec::new(),
            terms: Vec::new(),
            steps: execution.steps.len(),
        };
        let mut system = first.system.clone();
        let mut terms = self.terms(&mut system, claim);
        terms.sort_by_cached_key(|&term| {
            let symbols = system.terms.symbols(term);
            let points = |score: &Set<SymId>| symbols.iter().filter(|sym| score.contains(sym)).count();
            let score = 2 * points(&scores[0]) + 3 * points(&scores[1]) + points(&scores[2]);
            (std::cmp::Reverse(score), system.terms.tree_size(term))
        });
        terms.truncate(MAX_TERMS);
        let first = Trial { system, ..first };
        let mut open: Vec<Trial> = vec![first];
        let mut found: Vec<Suggestion> = Vec::new();
        let mut hints: Vec<Suggestion> = Vec::new();
        let mut tried: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
        for _ in 0..if with_more { MAX_VARIABLES } else { 1 } {
            let mut next: Vec<Trial> = Vec::new();
            for trial in &open {
                for (at, &term) in terms.iter().enumerate() {
                    let all: BTreeSet<usize> = trial.terms.iter().copied().chain([at]).collect();
                    if trial.terms.contains(&at) || budget.check().is_err() || !tried.insert(all) {
                        continue;
                    }
                    let extended = trial.extended(at, term);
                    match self.try_goal(&extended, options, budget) {
                        Some((abstraction, Ok(outcome))) => {
                            let proved = Some((Box::new(abstraction), outcome));
                            found.push(Suggestion { proof: extended.proof(), proved });
                            if with_more {
                                return found;
                            }
                        }
                        Some((_, Err(steps))) => next.push(Trial { steps, ..extended }),
                        None => {}
                    }
                }
            }
            if !found.is_empty() {
                return found;
            }
            next.sort_by_key(|trial| std::cmp::Reverse(trial.steps));
            next.truncate(MAX_EXTENDED);
            if hints.is_empty() {
                let longer = next.iter().filter(|trial| trial.steps > execution.steps.len());
                let longer = longer.take(MAX_OPEN);
                hints = longer.map(|it| Suggestion { proof: it.proof(), proved: None }).collect();
            }
            open = next;
        }
        hints
    }

    /// Returns the circuit of a goal, with the proof or else the number of states of its execution.
    fn try_goal(
        &self,
        trial: &Trial,
        options: &Options,
        budget: &Budget,
    ) -> Option<(Abstraction, Result<Outcome, usize>)> {
        let widest = (Scope::Model, options.generations);
        let mut part = budget.grace(WORK);
        let attempt = self.attempt(&trial.system, &trial.claim, widest, options, &mut part).ok()?;
        let mut abstraction = attempt.abstraction;
        match attempt.found {
            hwmc::Outcome::Safe(proof) => {
                let proof = (&mut abstraction, &proof);
                let outcome = self.proved(&trial.system, &trial.claim, proof, options, &mut part);
                Some((abstraction, Ok(outcome)))
            }
            hwmc::Outcome::Unsafe(witness) => Some((abstraction, Err(witness.inputs.len()))),
            hwmc::Outcome::Unknown { .. } | hwmc::Outcome::Defect => None,
        }
    }

    /// Returns terms that a prophecy variable of a claim may stand for.
    fn terms(&self, system: &mut System, claim: &Claim) -> Vec<TermId> {
        let (vars, body) = outermost(&system.terms, claim.goal);
        let is_open = |sort: SortId| sort != SortId::BOOL && !self.theory.enumerations.contains_key(&sort);
        let params: &[VarId] = match claim.place {
            Place::Step(transition) => {
                system.transitions.get(transition).map(|it| it.params.as_slice()).unwrap_or_default()
            }
            Place::Before | Place::State => &[],
        };
        // What a step has changed before it comes to the assertion has another value there.
        let changed: &[SymId] = match claim.place {
            Place::Step(transition) => {
                system.transitions.get(transition).map(|it| it.modifies.as_slice()).unwrap_or_default()
            }
            Place::Before | Place::State => &[],
        };
        let (sig, terms) = (&system.sig, &mut system.terms);
        let mut found: Vec<TermId> = Vec::new();
        let mut known: Vec<TermId> = Vec::new();
        for &var in &vars {
            if is_open(terms.var_info(var).sort) {
                let term = terms.var(var);
                known.push(term);
                if params.contains(&var) {
                    found.push(term);
                }
            }
        }
        let in_goal = terms.symbols(claim.goal);
        let usable: Vec<SymId> = sig
            .symbols
            .iter_enumerated()
            .filter(|(sym, symbol)| {
                let is_state = matches!(symbol.kind, SymbolKind::Mutable | SymbolKind::Immutable);
                is_state
                    && symbol.is_declared()
                    && is_open(symbol.result)
                    && symbol.args.len() <= MAX_ARGS
                    && !changed.contains(sym)
            })
            .map(|(sym, _)| sym)
            .collect();
        for &sym in usable.iter().filter(|&&sym| sig.symbols[sym].args.is_empty()) {
            let term = terms.app(sig, sym, 0, &[]);
            if sig.symbols[sym].kind == SymbolKind::Mutable {
                found.push(term);
            } else if in_goal.contains(&sym) {
                known.push(term);
            }
        }
        for &sym in usable.iter().filter(|&&sym| !sig.symbols[sym].args.is_empty()) {
            let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
            for &sort in &sig.symbols[sym].args {
                let choices: Vec<TermId> =
                    known.iter().copied().filter(|&term| terms.sort(term) == sort).collect();
                tuples = tuples
                    .iter()
                    .flat_map(|tuple| choices.iter().map(|&it| [tuple.as_slice(), &[it]].concat()))
                    .collect();
            }
            found.extend(tuples.into_iter().map(|tuple| terms.app(sig, sym, 0, &tuple)));
        }
        // What has a name already needs no other one.
        let mut named: Set<TermId> = Set::default();
        let mut left = body;
        while let Node::Implies(condition, rest) = terms.node(left) {
            for part in terms.conjuncts(condition) {
                if let Node::Eq(a, b) = terms.node(part) {
                    named.extend([a, b]);
                }
            }
            left = rest;
        }
        found
            .retain(|term| !named.contains(term) || params.iter().any(|&it| terms.as_var(*term) == Some(it)));
        found
    }
}

impl Trial {
    /// Adds a prophecy variable for a term.
    fn extended(&self, at: usize, term: TermId) -> Trial {
        let mut system = self.system.clone();
        let (mut vars, body) = outermost(&system.terms, self.claim.goal);
        let taken = |name: &str| {
            vars.iter().any(|&var| system.terms.var_info(var).name[..] == *name)
                || system.sig.symbols.iter().any(|symbol| symbol.name == name)
        };
        let text = self.text(&system, term);
        let plain = match system.terms.node(term) {
            Node::App { sym, .. } => system.sig.symbols[sym].name.as_str(),
            _ => text.as_str(),
        };
        let last = plain.rsplit('.').next().unwrap_or(plain);
        let initial = last.chars().find(char::is_ascii_alphabetic).unwrap_or('V').to_ascii_uppercase();
        let mut name = initial.to_string();
        let mut number = 1;
        while taken(&name) {
            number += 1;
            name = format!("{initial}{number}");
        }
        let var = system.terms.new_var(name.as_str(), system.terms.sort(term));
        let value = system.terms.var(var);
        let equation = system.terms.eq(value, term);
        let body = system.terms.implies(equation, body);
        vars.push(var);
        let goal = system.terms.forall(&vars, body);
        let mut names = self.names.clone();
        names.push((name, text));
        let mut terms = self.terms.clone();
        terms.push(at);
        Trial { system, claim: Claim { goal, ..self.claim.clone() }, names, terms, steps: self.steps }
    }

    /// Returns a term as it stands in the model, where parameters of actions are no variables.
    fn text(&self, system: &System, term: TermId) -> String {
        let (mut sig, mut terms) = (system.sig.clone(), system.terms.clone());
        let mut map = Map::default();
        if let Place::Step(transition) = self.claim.place
            && let Some(transition) = system.transitions.get(transition)
        {
            for &param in &transition.params {
                let info = terms.var_info(param);
                let sym = sig.symbols.push(Symbol::parameter(&*info.name, info.sort));
                map.insert(param, terms.app(&sig, sym, 0, &[]));
            }
        }
        let term = terms.substitute(term, &map);
        Pretty::new(terms.over(&sig), term).to_string()
    }

    fn proof(&self) -> String {
        let all: Vec<String> = self.names.iter().map(|(name, term)| format!("{name} = {term}")).collect();
        format!("let {}", all.join(", "))
    }
}

/// Returns the outermost universal variables of a formula and what they are about.
fn outermost(terms: &Terms, formula: TermId) -> (Vec<VarId>, TermId) {
    let (mut all, mut body) = (Vec::new(), formula);
    while let Node::Forall(vars, inner) = terms.node(body) {
        all.extend(terms.bound_vars(vars));
        body = inner;
    }
    (all, body)
}
