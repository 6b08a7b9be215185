//! Instances of a guard that enabled a transition, for transitions given as formulas. For programs, the executed
//! statements are printed instead (see [`super::replay`]).

use super::Names;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Elem, Evaluator, Node, Signature, Structure, TermId, VarId};
use ramsey_core::system::System;
use ramsey_engine::query::Call;
use ramsey_solver::formulas::Pretty;

/// Work units for re-evaluating a transition.
const BUDGET: u64 = 10_000_000;
/// Maximum number of nodes of a printed formula.
const MAX_SIZE: u32 = 2_000;

/// Returns the conjuncts of a transition's formula over the pre-state alone, with parameters and variables under
/// `exists` replaced by the elements that make them true; of a disjunction, the first true part. Empty for a
/// transition with a command.
pub fn needs(
    system: &System,
    sig: &Signature,
    structure: &Structure,
    step: usize,
    call: &Call,
    names: &Names,
) -> Vec<String> {
    let Some(transition) = system.transitions.get(call.transition) else { return Vec::new() };
    if transition.command.is_some() {
        return Vec::new();
    }
    let mut pair = structure.state(sig, step);
    pair.push_state(sig, structure, step + 1);
    let mut eval = Evaluator::new(system.terms.over(sig), &pair);
    eval.budget = Budget::new(Some(BUDGET), None);
    eval.env = transition.params.iter().copied().zip(call.args.iter().copied()).collect();
    let mut reader = Reader { eval, found: Vec::new() };
    reader.read(transition.body);
    if reader.eval.exhausted.is_some() || reader.found.is_empty() {
        return Vec::new();
    }
    let found = reader.found;
    let mut terms = system.terms.clone();
    let mut texts: Vec<String> = Vec::new();
    for (formula, values) in found {
        let mut map: Map<VarId, TermId> = Map::default();
        for (var, value) in values {
            let sort = terms.var_info(var).sort;
            let element = terms.new_var(names.name(sort, value), sort);
            map.insert(var, terms.var(element));
        }
        let instance = terms.substitute(formula, &map);
        let text = Pretty::new(terms.over(sig), instance).to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

struct Reader<'a> {
    eval: Evaluator<'a>,
    /// Conjuncts, each with the values of the variables in scope.
    found: Vec<(TermId, Vec<(VarId, Elem)>)>,
}

impl Reader<'_> {
    /// Collects the conjuncts of a true formula.
    fn read(&mut self, formula: TermId) {
        let terms = self.eval.syntax.terms;
        let is_guard = terms.max_step(formula) == 0;
        match terms.node(formula) {
            Node::True => {}
            Node::And(args) => terms.args(args).iter().for_each(|&part| self.read(part)),
            Node::Or(args) if is_guard => {
                let part = terms.args(args).iter().copied().find(|&part| self.eval.holds(part));
                part.into_iter().for_each(|part| self.read(part));
            }
            Node::Exists(vars, body) => {
                let Some(values) = self.eval.witness(vars, body, true) else { return };
                let vars: Vec<VarId> = terms.bound_vars(vars).collect();
                self.eval.env.extend(vars.into_iter().zip(values));
                self.read(body);
            }
            _ if is_guard && terms.tree_size(formula) <= MAX_SIZE => {
                let mut values: Vec<(VarId, Elem)> =
                    self.eval.env.iter().map(|(&var, &value)| (var, value)).collect();
                values.sort_unstable();
                self.found.push((formula, values));
            }
            _ => {}
        }
    }
}
