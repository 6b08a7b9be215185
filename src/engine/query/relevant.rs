//! The facts of an execution that its violation depends on, found backwards from the violation.

use std::collections::BTreeSet;

use super::Counterexample;
use super::bmc::{Target, Violation};
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Elem, Node, Signature, SortId, Structure, SymId, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::System;

/// Maximum number of subformulas and terms that are evaluated.
const WORK: u64 = 3_000_000;

/// Maximum size of a formula as a tree.
const MAX_SIZE: u32 = 20_000;

/// A symbol at a tuple of arguments.
pub type Point = (SymId, Vec<Elem>);

/// The values that matter, of mutable symbols and of all others.
#[derive(Clone, Debug)]
pub struct Relevant {
    /// Those of mutable symbols, for each state.
    pub states: Vec<Set<Point>>,
    /// Those of immutable symbols.
    pub immutable: Set<Point>,
}

/// Returns values from which the violation follows: each is read by the claim in the last state, by the guard of a
/// transition that is taken, or by an update of a value that matters. Of parts that make a formula true or false by
/// themselves, the one that reads least is chosen. Returns `None` where this is not known: for updates that are no
/// definitions, derived relations, and formulas that are too large.
pub fn relevant(system: &System, violation: &Violation) -> Option<Relevant> {
    let Target::Model(property) = violation.target else { return None };
    let Counterexample { structure, calls, .. } = &violation.counterexample;
    let last = structure.states().checked_sub(1)?;
    if last != calls.len() || property.is_before_init(system) {
        return None;
    }
    let mut terms = system.terms.clone();
    let mut actions = Vec::new();
    for call in calls {
        let transition = system.transitions.get(call.transition)?;
        let params: Vec<TermId> = transition.params.iter().map(|&param| terms.var(param)).collect();
        actions.push(Action::without_derived(system, terms.over_mut(&system.sig), transition, &params));
    }
    let (env, chosen) = (Map::default(), Map::default());
    let sig = &system.sig;
    let mut reader = Reader { terms: &terms, sig, structure, state: last, env, chosen, work: WORK };
    let mut found = Relevant { states: vec![Set::default(); last + 1], immutable: Set::default() };
    let (value, reads) = reader.whole(property.formula(system))?;
    if value != 0 {
        return None;
    }
    found.add(last, reads);
    for (state, (call, action)) in calls.iter().zip(&actions).enumerate().rev() {
        reader.state = state;
        let params = &system.transitions.get(call.transition)?.params;
        let env: Map<VarId, Elem> = params.iter().copied().zip(call.args.iter().copied()).collect();
        // The execution does not say what was chosen within the step.
        let choices = reader.choices(action, &found.states[state + 1]);
        let sorts: Vec<SortId> = choices.iter().map(|&sym| system.sig.symbols[sym].result).collect();
        let mut all = structure.tuples(&sorts);
        let reads = loop {
            reader.chosen = choices.iter().copied().zip(all.next()?).collect();
            if let Some(reads) = reader.step(action, &env, &found.states[state + 1])? {
                break reads;
            }
        };
        found.add(state, reads);
    }
    Some(found)
}

/// What is read, each with its step.
type Reads = Set<(usize, Point)>;

impl Relevant {
    fn add(&mut self, state: usize, reads: Reads) {
        for (step, point) in reads {
            match step {
                IMMUTABLE => self.immutable.insert(point),
                step => self.states.get_mut(state + step).is_some_and(|state| state.insert(point)),
            };
        }
    }
}

/// The step of what no step changes.
const IMMUTABLE: usize = usize::MAX;

/// Evaluates formulas, with what their values depend on.
struct Reader<'a> {
    terms: &'a Terms,
    sig: &'a Signature,
    structure: &'a Structure,
    /// The state that step 0 of formulas is.
    state: usize,
    env: Map<VarId, Elem>,
    /// What is chosen within the step.
    chosen: Map<SymId, Elem>,
    work: u64,
}

impl Reader<'_> {
    /// Returns the choices that a step may depend on.
    fn choices(&self, action: &Action, after: &Set<Point>) -> Vec<SymId> {
        let values = after.iter().filter_map(|(sym, _)| match action.update(*sym) {
            Update::Definition { value, .. } => Some(value),
            Update::Unchanged | Update::Free => None,
        });
        let all = action.guard.iter().chain(&action.residual).chain(values);
        let all: BTreeSet<SymId> = all.flat_map(|&part| self.terms.symbols(part)).collect();
        let is_choice = |sym: &SymId| {
            let symbol = &self.sig.symbols[*sym];
            symbol.kind == SymbolKind::Choice && symbol.args.is_empty()
        };
        all.into_iter().filter(is_choice).collect()
    }

    /// Returns what a step depends on that leads to these values, and `Some(None)` if it does not lead to them.
    fn step(&mut self, action: &Action, env: &Map<VarId, Elem>, after: &Set<Point>) -> Option<Option<Reads>> {
        let mut found = Reads::default();
        for &part in action.guard.iter().chain(&action.residual) {
            self.env.clone_from(env);
            let (value, reads) = self.whole(part)?;
            if value == 0 {
                return Some(None);
            }
            found.extend(reads);
        }
        for (sym, args) in after {
            if self.sig.symbols[*sym].kind != SymbolKind::Mutable {
                return None;
            }
            match action.update(*sym) {
                Update::Unchanged => {
                    found.insert((0, (*sym, args.clone())));
                }
                Update::Definition { vars, value } => {
                    self.env.clone_from(env);
                    self.env.extend(vars.iter().copied().zip(args.iter().copied()));
                    let (value, reads) = self.whole(*value)?;
                    if value != self.structure.interpretation(self.sig, *sym, self.state + 1).get(args) {
                        return Some(None);
                    }
                    found.extend(reads);
                }
                // The residual, which has been read, is all that is known of it.
                Update::Free => {}
            }
        }
        Some(Some(found))
    }

    /// Returns the value of a formula or term and what it depends on.
    fn whole(&mut self, term: TermId) -> Option<(Elem, Reads)> {
        (self.terms.tree_size(term) <= MAX_SIZE).then(|| self.read(term)).flatten()
    }

    fn read(&mut self, term: TermId) -> Option<(Elem, Reads)> {
        self.work = self.work.checked_sub(1)?;
        Some(match self.terms.node(term) {
            Node::True => (1, Reads::default()),
            Node::False => (0, Reads::default()),
            Node::Var(var) => (self.env.get(&var).copied()?, Reads::default()),
            Node::App { sym, step, args } => {
                let mut reads = Reads::default();
                let mut values = Vec::new();
                for &arg in self.terms.args(args) {
                    let (value, more) = self.read(arg)?;
                    values.push(value);
                    reads.extend(more);
                }
                if let Some(&value) = self.chosen.get(&sym) {
                    return Some((value, reads));
                }
                let step = usize::from(step);
                let value = self.structure.interpretation(self.sig, sym, self.state + step).get(&values);
                let is_mutable = self.sig.symbols[sym].kind.is_mutable();
                reads.insert((if is_mutable { step } else { IMMUTABLE }, (sym, values)));
                (value, reads)
            }
            Node::Eq(a, b) | Node::Iff(a, b) => {
                let ((a, mut reads), (b, more)) = (self.read(a)?, self.read(b)?);
                reads.extend(more);
                (u32::from(a == b), reads)
            }
            Node::Distinct(args) => {
                let all = self.terms.args(args).iter().map(|&arg| self.read(arg));
                let all: Vec<(Elem, Reads)> = all.collect::<Option<_>>()?;
                let different: Set<Elem> = all.iter().map(|&(value, _)| value).collect();
                let value = u32::from(different.len() == all.len());
                (value, all.into_iter().flat_map(|(_, reads)| reads).collect())
            }
            Node::Not(inner) => {
                let (value, reads) = self.read(inner)?;
                (u32::from(value == 0), reads)
            }
            Node::And(args) | Node::Or(args) => {
                let is_or = matches!(self.terms.node(term), Node::Or(_));
                let mut choice = Choice::new(is_or);
                for &arg in self.terms.args(args) {
                    choice.add(self.read(arg)?);
                }
                choice.end()
            }
            Node::Implies(a, b) => {
                let (condition, reads) = self.read(a)?;
                let mut choice = Choice::new(true);
                choice.add((u32::from(condition == 0), reads));
                choice.add(self.read(b)?);
                choice.end()
            }
            Node::Ite(condition, a, b) => {
                let (value, mut reads) = self.read(condition)?;
                let (value, more) = self.read(if value == 0 { b } else { a })?;
                reads.extend(more);
                (value, reads)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let mut choice = Choice::new(matches!(self.terms.node(term), Node::Exists(..)));
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                let sorts: Vec<_> = vars.iter().map(|&var| self.terms.var_info(var).sort).collect();
                let outside = self.env.clone();
                for values in self.structure.tuples(&sorts) {
                    self.env.extend(vars.iter().copied().zip(values));
                    choice.add(self.read(body)?);
                }
                self.env = outside;
                choice.end()
            }
        })
    }
}

/// The value of a conjunction or disjunction in the making.
struct Choice {
    is_or: bool,
    /// What the part that decides the value reads.
    decides: Option<Reads>,
    /// What all others read.
    all: Reads,
}

impl Choice {
    fn new(is_or: bool) -> Choice {
        Choice { is_or, decides: None, all: Reads::default() }
    }

    fn add(&mut self, (value, reads): (Elem, Reads)) {
        if (value != 0) != self.is_or {
            if self.decides.is_none() {
                self.all.extend(reads);
            }
        } else if self.decides.as_ref().is_none_or(|known| reads.len() < known.len()) {
            self.decides = Some(reads);
        }
    }

    fn end(self) -> (Elem, Reads) {
        match self.decides {
            Some(reads) => (u32::from(self.is_or), reads),
            None => (u32::from(!self.is_or), self.all),
        }
    }
}
