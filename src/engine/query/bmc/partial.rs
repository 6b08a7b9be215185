//! Executions of the part of a system that the targets depend on, as executions of the whole system.
//!
//! What is left out has values in each state of such an execution, whatever they are: the whole system has an execution with the same
//! steps. It is searched with these steps alone, and judged like any other.

use std::sync::Arc;

use super::{Bmc, Options, Violation, violation};
use crate::query::unroll::{Call, Start, Unrolling};
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::{Structure, TermId};
use ramsey_solver::ask::Failure;

impl Bmc {
    /// Returns whether the targets depend on a part of the system only.
    pub(super) fn is_partial(&self) -> bool {
        !Arc::ptr_eq(&self.system, self.unrolling.system())
    }

    /// Returns an execution of the whole system that ends in a violation and takes the same transitions as one of the part that the
    /// targets depend on.
    pub(super) fn completed(&self, calls: &[Call], budget: &mut Budget) -> Result<Violation, Failure> {
        let Options { seed, clock, minimize, .. } = self.options;
        let mut whole = Unrolling::new(Arc::clone(&self.system), Start::Initial, seed, clock);
        if let Some(active) = self.unrolling.active() {
            whole.set_active(active.clone());
        }
        for call in calls {
            whole.extend_by(&[call.transition], budget);
        }
        let claims: Vec<TermId> = self.targets.iter().map(|it| it.formula(&self.system)).collect();
        let claim = whole.context_mut().terms_mut().and(&claims);
        let here = whole.at(claim, whole.depth());
        let negated = whole.context_mut().terms_mut().not(here);
        whole.context_mut().pose(&[negated], budget);
        if !whole.context_mut().search(&[], budget)? {
            return Err(Failure::Internal(
                "the whole system has no execution with the steps of its part".into(),
            ));
        }
        let mut is_same = |_: &Structure, step: u16, call: &Call| {
            calls.get(usize::from(step)).is_some_and(|it| it.transition == call.transition)
        };
        let execution = whole.execution(minimize, &mut is_same, budget)?;
        violation(&self.system, &self.targets, execution, budget)
    }
}
