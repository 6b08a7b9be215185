//! Executions with the places of what happens in them.

use crate::finding::Refutation;
use crate::json::diagnostics::span_dto;
use crate::json::dto::{Binding, Execution, Fact, Place, Step, Value, Violated};
use crate::json::itf::{self, Declared};
use crate::json::{self, View};
use ramsey_core::base::span::Sources;
use ramsey_core::logic::Structure;
use ramsey_core::system::System;
use ramsey_engine::query::Call;

/// Execution with the places of its transitions.
#[derive(Debug)]
pub struct Flow {
    /// States and transitions.
    pub execution: Execution,
    /// Place of the declaration of each transition.
    pub places: Vec<Option<Place>>,
    /// The formula that is false in one of the states, if the execution violates a claim.
    pub violated: Option<Violated>,
    /// Whether state 0 is an initial state.
    pub is_initial: bool,
    /// Symbols that the model declares.
    pub symbols: Vec<Declared>,
}

impl Flow {
    /// Returns the execution of a counterexample.
    pub(super) fn of_refutation(refutation: Refutation<'_>, sources: &Sources, negative: bool) -> Flow {
        let Refutation { system, found, known, .. } = refutation;
        let found_dto = json::counterexample(refutation, sources, negative);
        let flow = Flow::new(system, found_dto.execution, &found.calls, sources);
        Flow { violated: Some(found_dto.violated), is_initial: known.is_initial, ..flow }
    }

    /// Returns an execution that violates nothing.
    pub(super) fn of_execution(
        system: &System,
        structure: &Structure,
        calls: &[Call],
        sources: &Sources,
        negative: bool,
    ) -> Flow {
        let view = View { system, sig: &system.sig, sources, prophecy: &[], negative, is_initial: false };
        Flow::new(system, view.execution(structure, calls), calls, sources)
    }

    /// Returns an execution over the signature of the system, with the places of the transitions.
    pub fn new(system: &System, execution: Execution, calls: &[Call], sources: &Sources) -> Flow {
        let place = |call: &Call| span_dto(system.transitions.get(call.transition)?.span, sources);
        Flow {
            places: calls.iter().map(place).collect(),
            execution,
            violated: None,
            is_initial: false,
            symbols: itf::declared(system),
        }
    }

    /// Returns the transition to a state as text: `send(n=node0)`; `None` for the first state.
    pub(super) fn transition_text(&self, state: usize) -> Option<String> {
        let Step { name, params, .. } = self.execution.transitions.get(state.checked_sub(1)?)?;
        Some(format!("{name}({})", bindings_text(params)))
    }

    /// Returns the false formula with the values of its variables.
    pub(super) fn violated_text(&self) -> Option<String> {
        let Violated { formula, bindings, .. } = self.violated.as_ref()?;
        let with =
            if bindings.is_empty() { String::new() } else { format!(" for {}", bindings_text(bindings)) };
        Some(format!("false: {formula}{with}"))
    }
}

fn bindings_text(bindings: &[Binding]) -> String {
    let texts: Vec<String> = bindings.iter().map(|it| format!("{}={}", it.name, it.value)).collect();
    texts.join(", ")
}

/// Returns the application that a fact is about, and its value, as text.
pub(super) fn fact_texts(Fact { symbol, args, value }: &Fact) -> (String, String) {
    let value = match value {
        Value::Bool(value) => value.to_string(),
        Value::Element(name) => name.clone(),
    };
    let term = if args.is_empty() { symbol.clone() } else { format!("{symbol}({})", args.join(", ")) };
    (term, value)
}
