//! States that every invariant in the language allows, and where they come from.

use std::ops::Index;
use std::sync::Arc;

use crate::infer::claim::{Claim, Found};
use crate::infer::state::{Matcher, State};
use crate::query::Call;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::Elem;

/// Number of a state in the store.
pub(in crate::infer) type StateId = usize;

/// A state explored: its world and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::infer) struct Place {
    pub(in crate::infer) world: usize,
    pub(in crate::infer) state: usize,
}

/// Where a state of the store comes from.
#[derive(Clone, Debug)]
pub(in crate::infer) enum Origin {
    /// It is initial.
    Initial,
    /// A call leads to it from a substructure of another state of the store.
    Step(Box<Step>),
    /// A random execution of a small instance leads to it.
    Explored(Place),
    /// A call leads to it from a state that no clause of the language excludes.
    Outside,
}

/// A step from a substructure of a state, which may be the whole state.
#[derive(Clone, Debug)]
pub(in crate::infer) struct Step {
    pub(in crate::infer) parent: StateId,
    /// Per element of the substructure, sort by sort, the element of the parent.
    pub(in crate::infer) elements: Vec<u16>,
    /// The substructure, with the choices of the step.
    pub(in crate::infer) pre: Found,
    pub(in crate::infer) call: Call,
}

impl Step {
    /// Returns the value that an element of the substructure has in the parent.
    pub(in crate::infer) fn parent_element(&self, sort: usize, elem: Elem) -> Elem {
        let before: u32 = self.pre.state.sizes.iter().take(sort).skip(1).sum();
        let value = self.elements.get((before + elem) as usize).copied().unwrap_or_default();
        // The single element of a sort that no symbol has stands for any one.
        if value == u16::MAX { 0 } else { value.into() }
    }
}

impl Origin {
    /// Returns the origin of a state of an execution: a call from the whole state before, if there is one.
    pub(in crate::infer) fn along(before: Option<(StateId, Found)>, call: Option<&Call>) -> Origin {
        let (Some((parent, pre)), Some(call)) = (before, call) else { return Origin::Initial };
        let elements = pre.state.identity();
        Origin::Step(Box::new(Step { parent, elements, pre, call: call.clone() }))
    }
}

/// A state of the store. It is written by [`States`] alone, which gives out shared references.
#[derive(Debug)]
pub(in crate::infer) struct Allowed {
    pub(in crate::infer) found: Found,
    pub(in crate::infer) origin: Origin,
    /// Whether the origins lead to an initial state without relaxed steps.
    pub(in crate::infer) is_reachable: bool,
    /// Whether it is allowed only by universal invariants in the language.
    pub(in crate::infer) is_bounded: bool,
}

/// The states of a search by number. A state is added once, unless an execution to it is told ([`Self::settle`]).
#[derive(Debug, Default)]
pub(in crate::infer) struct States {
    all: Vec<Allowed>,
    /// The states alone, in the same order.
    tables: Vec<Arc<State>>,
    /// The number of each state.
    numbers: Map<Arc<State>, StateId>,
}

impl Index<StateId> for States {
    type Output = Allowed;

    fn index(&self, id: StateId) -> &Allowed {
        &self.all[id]
    }
}

impl States {
    /// Returns the number of states.
    pub(in crate::infer) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the states without what is known of them, in the order of their numbers.
    pub(in crate::infer) fn tables(&self) -> &[Arc<State>] {
        &self.tables
    }

    /// Returns the number of a state.
    pub(in crate::infer) fn number(&self, state: &State) -> Option<StateId> {
        self.numbers.get(state).copied()
    }

    /// Adds a state. Returns its number, and whether it is new; otherwise it is known by the better origin from now on.
    pub(in crate::infer) fn add(&mut self, found: Found, origin: Origin) -> (StateId, bool) {
        let (is_reachable, is_bounded) = match &origin {
            Origin::Initial | Origin::Explored(_) => (true, false),
            Origin::Outside => (false, true),
            Origin::Step(step) => {
                let parent = &self.all[step.parent];
                let is_whole = parent.found.state.sizes == step.pre.state.sizes;
                (is_whole && parent.is_reachable, parent.is_bounded)
            }
        };
        let number = self.number(&found.state);
        let added = Allowed { found, origin, is_reachable, is_bounded };
        if let Some(number) = number {
            let known = &mut self.all[number];
            if is_reachable && !known.is_reachable || !is_bounded && known.is_bounded {
                // Variables of commands may have other values, which belong to the new origin.
                *known = added;
            }
            return (number, false);
        }
        self.numbers.insert(Arc::clone(&added.found.state), self.all.len());
        (self.push(added), true)
    }

    fn push(&mut self, added: Allowed) -> StateId {
        self.tables.push(Arc::clone(&added.found.state));
        self.all.push(added);
        self.all.len() - 1
    }

    /// Forgets the states that were allowed for want of clauses, and gives the others new numbers.
    pub(in crate::infer) fn forget_bounded(&mut self) {
        let mut kept = 0;
        let place = |state: &Allowed| {
            kept += usize::from(!state.is_bounded);
            kept.saturating_sub(1)
        };
        let places: Vec<StateId> = self.all.iter().map(place).collect();
        self.all.retain(|state| !state.is_bounded);
        for state in &mut self.all {
            if let Origin::Step(step) = &mut state.origin {
                step.parent = places[step.parent];
            }
        }
        self.tables = self.all.iter().map(|state| Arc::clone(&state.found.state)).collect();
        self.numbers = self.tables.iter().cloned().zip(0..).collect();
    }

    /// Checks whether all states satisfy a claim that was found.
    pub(in crate::infer) fn satisfy(&self, claim: &Claim, budget: &mut Budget) -> Result<bool, Exhausted> {
        let mut work = 1;
        let is_refuted = match claim {
            Claim::Excludes(pattern) => {
                let matcher = Matcher::new(pattern);
                self.tables.iter().any(|state| matcher.find(state, &mut work).is_some())
            }
            Claim::Alternates(it) => {
                self.tables.iter().any(|state| it.refutation(state, &mut work).is_some())
            }
            Claim::Formula(_) => false,
        };
        budget.spend(work)?;
        Ok(!is_refuted)
    }

    /// Returns the first state of the execution to a state, as far as it is known.
    pub(in crate::infer) fn root(&self, mut state: StateId) -> StateId {
        while let Origin::Step(step) = &self.all[state].origin {
            state = step.parent;
        }
        state
    }

    /// Gives the origin of a state as the steps of an execution to it. Its states before the last one are added even if they
    /// are in the store with another origin, which would not do: there would be circles.
    pub(in crate::infer) fn settle(&mut self, state: StateId, execution: Vec<Found>, calls: &[Call]) {
        let last = execution.len().saturating_sub(1);
        let mut before: Option<(StateId, Found)> = None;
        for (step, found) in execution.into_iter().enumerate() {
            let origin = Origin::along(before, step.checked_sub(1).and_then(|at| calls.get(at)));
            let id = if step == last {
                self.all[state].origin = origin;
                self.all[state].found = found.clone();
                state
            } else {
                self.push(Allowed { found: found.clone(), origin, is_reachable: true, is_bounded: false })
            };
            before = Some((id, found));
        }
    }
}
