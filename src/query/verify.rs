//! STUB (dropped on merging): brute force over tiny structures behind the interface of the real thing.
#![allow(missing_docs)]

use std::sync::Arc;

use super::outcome::*;
use crate::base::budget::{Budget, Exhausted, Probe};
use crate::base::hash::Map;
use crate::logic::*;
use crate::system::System;
use crate::vc::*;

pub type ProbeFactory = Arc<dyn Fn() -> Probe + Send + Sync>;

#[derive(Clone, Default)]
pub struct Limits {
    pub work: Option<u64>,
    pub probe: Option<ProbeFactory>,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub transitions: Vec<usize>,
    pub invariants: Vec<usize>,
    pub all: bool,
    pub minimize: bool,
    pub seed: u64,
    pub clock: Option<fn() -> u64>,
}

pub struct Plan {
    obligations: Obligations,
    options: Options,
}

impl Plan {
    pub fn new(system: &System, options: &Options) -> Plan {
        let wanted = |list: &[usize], at| list.is_empty() || list.contains(&at);
        let mut sig = system.sig.clone();
        let mut terms = system.terms.clone();
        let mut params = Vec::new();
        let mut groups = vec![Group {
            kind: GroupKind::Init,
            states: 1,
            hypotheses: system
                .inits
                .iter()
                .enumerate()
                .map(|(at, init)| Hypothesis { formula: init.formula, origin: HypothesisOrigin::Init(at) })
                .collect(),
            goals: (0..system.invariants.len())
                .filter(|&at| wanted(&options.invariants, at))
                .map(|invariant| Goal {
                    origin: Origin::Initiation { invariant },
                    formula: system.invariants[invariant].formula,
                })
                .collect(),
        }];
        for (index, transition) in system.transitions.iter().enumerate() {
            let mut map = Map::default();
            let mut symbols = Vec::new();
            for &var in &transition.params {
                let info = terms.var_info(var).clone();
                let sym = sig.symbols.push(Symbol {
                    name: format!("{}.{}", transition.name, info.name),
                    args: vec![],
                    result: info.sort,
                    kind: SymbolKind::Parameter,
                    annotations: vec![],
                    span: None,
                });
                symbols.push(sym);
                map.insert(var, terms.app(&sig, sym, 0, &[]));
            }
            params.push(symbols);
            if !wanted(&options.transitions, index) {
                continue;
            }
            let body = terms.substitute(transition.body, &map);
            let mut hypotheses: Vec<Hypothesis> = system
                .invariants
                .iter()
                .enumerate()
                .map(|(at, it)| Hypothesis { formula: it.formula, origin: HypothesisOrigin::Invariant(at) })
                .collect();
            hypotheses.push(Hypothesis { formula: body, origin: HypothesisOrigin::Transition(index) });
            let goals = (0..system.invariants.len())
                .filter(|&at| wanted(&options.invariants, at))
                .map(|invariant| Goal {
                    origin: Origin::Consecution { transition: index, invariant },
                    formula: terms.shift(&sig, system.invariants[invariant].formula, 1),
                })
                .collect();
            groups.push(Group { kind: GroupKind::Transition(index), states: 2, hypotheses, goals });
        }
        Plan { obligations: Obligations { sig, terms, params, groups }, options: options.clone() }
    }

    pub fn groups(&self) -> usize {
        self.obligations.groups.len()
    }

    pub fn run_group(&self, group: usize, limits: &Limits) -> Vec<ObligationResult> {
        let group = &self.obligations.groups[group];
        let mut failed = false;
        let mut results = Vec::new();
        for goal in &group.goals {
            let probe = limits.probe.as_ref().map(|make| make());
            let mut budget = Budget::new(limits.work, probe);
            let outcome = if failed && !self.options.all {
                Outcome::Skipped
            } else {
                match self.search(group, goal, &mut budget) {
                    Err(exhausted) => Outcome::Unknown(exhausted),
                    Ok(Some(found)) => {
                        failed = true;
                        Outcome::Fails(Box::new(found))
                    }
                    Ok(None) => {
                        Outcome::Holds { core: group.hypotheses.iter().map(|it| it.origin).collect() }
                    }
                }
            };
            let statistics = Statistics { queries: 1, work: budget.spent(), ..Statistics::default() };
            results.push(ObligationResult { origin: goal.origin, outcome, statistics });
        }
        results
    }

    fn search(
        &self,
        group: &Group,
        goal: &Goal,
        budget: &mut Budget,
    ) -> Result<Option<Counterexample>, Exhausted> {
        let Obligations { sig, terms, .. } = &self.obligations;
        for size in 1..=2 {
            let mut places = Vec::new();
            let mut structure = Structure::new(sig, group.states.into());
            for sort in sig.uninterpreted_sorts() {
                structure.sizes[sort] = size;
            }
            for (sym, symbol) in sig.symbols.iter_enumerated() {
                for step in 0..if symbol.kind.is_mutable() { group.states } else { 1 } {
                    for args in structure.tuples(&symbol.args) {
                        places.push((sym, usize::from(step), args, structure.sizes[symbol.result]));
                    }
                }
            }
            for values in Tuples::new(places.iter().map(|place| place.3).collect()) {
                budget.spend(1000)?;
                for ((sym, step, args, _), value) in places.iter().zip(&values) {
                    structure.interpretation_mut(sig, *sym, *step).set(args, *value);
                }
                let mut eval = Evaluator::new(sig, terms, &structure);
                if group.hypotheses.iter().all(|it| eval.holds(it.formula)) && !eval.holds(goal.formula) {
                    let breach = breach(&mut eval, goal.formula, vec![]);
                    let transition = match group.kind {
                        GroupKind::Transition(at) => {
                            let value = |&sym: &SymId| (sym, structure.interpretation(sig, sym, 0).get(&[]));
                            Some((at, self.obligations.params[at].iter().map(value).collect()))
                        }
                        _ => None,
                    };
                    return Ok(Some(Counterexample { structure, transition, breach }));
                }
            }
        }
        Ok(None)
    }

    pub fn finish(self, results: Vec<Vec<ObligationResult>>) -> Verification {
        let results: Vec<ObligationResult> = results.into_iter().flatten().collect();
        let mut statistics = Statistics::default();
        for result in &results {
            statistics.add(&result.statistics);
        }
        Verification { obligations: self.obligations, results, statistics }
    }
}

fn breach(eval: &mut Evaluator<'_>, formula: TermId, mut bindings: Vec<(VarId, Elem)>) -> Breach {
    match eval.terms.node(formula) {
        Node::Forall(vars, body) => {
            let values = eval.witness(vars, body, false).unwrap_or_default();
            let bound: Vec<(VarId, Elem)> = eval.terms.bound_vars(vars).zip(values).collect();
            eval.env.extend(bound.iter().copied());
            bindings.extend(bound);
            breach(eval, body, bindings)
        }
        _ => Breach { formula, bindings },
    }
}
