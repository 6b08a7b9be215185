//! Bounded model checking.

use std::sync::Arc;

use ramsey::obligations::Property;
use ramsey::query::Limits;
use ramsey::query::bmc::{Bmc, Options, Outcome, Target, Violation};
use ramsey::system::System;

/// Returns the safety properties and assertions of a system.
pub fn safety(system: &System) -> Vec<Target> {
    Property::safety(system).into_iter().map(Target::Model).collect()
}

/// Returns the shortest violation, with its number of steps. Panics if there is no answer.
pub fn violation(system: &Arc<System>, options: Options) -> Option<(Option<u16>, Violation)> {
    let mut bmc = Bmc::new(Arc::clone(system), options);
    while let Some(answer) = bmc.advance(&Limits::default()) {
        match answer.outcome {
            Outcome::Holds => {}
            Outcome::Violated(violation) => return Some((answer.steps, *violation)),
            other => panic!("{other:?}"),
        }
    }
    None
}
