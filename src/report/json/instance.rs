//! JSON output of `ramsey instance`, as specified in `spec/instance.schema.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::dto::{BoundedProperty, BoundedViolation};
use crate::outcome::{InstanceOutcome, Vacuous};
use crate::words::words;
use ramsey_circuit::hwmc::Circuit;

/// Content of the output of `ramsey instance --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct InstanceContent {
    /// The model's path as given.
    pub path: String,
    /// The number of elements of each sort.
    pub sizes: Vec<Size>,
    /// Properties that are checked in every state.
    pub properties: Vec<BoundedProperty>,
    /// The circuit, if it was made.
    pub circuit: Option<CircuitSize>,
    /// What is fixed up to isomorphism.
    pub symmetry: Vec<Fixed>,
    /// Why the claims are true of nothing, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<Vacuous>,
    /// The answer, if there is one.
    pub outcome: Option<InstanceOutcome>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For `unknown`: no execution of at most so many steps ends in a violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<usize>,
    /// For `safe`: the invariant of the circuit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<InvariantSize>,
    /// Violation of a property, if found.
    pub violation: Option<BoundedViolation>,
    /// With `--states`: the reachable states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<States>,
    /// With `--show`: the variables of a state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<Vec<String>>,
    /// With `--show`: facts with the same value in all structures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<FactValue>>,
    /// With `--certify`: a line about the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// With `--stats`: names of counters and their values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<BTreeMap<String, u64>>,
}

/// The size of a sort.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Size {
    /// The sort.
    pub sort: String,
    /// Its number of elements.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub size: u32,
}

/// Size of a circuit.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct CircuitSize {
    /// Number of latches.
    pub latches: usize,
    /// Number of inputs.
    pub inputs: usize,
    /// Number of gates.
    pub gates: usize,
    /// Number of constraints.
    pub constraints: usize,
}

impl From<&Circuit> for CircuitSize {
    fn from(circuit: &Circuit) -> Self {
        CircuitSize {
            latches: circuit.latches().len(),
            inputs: circuit.num_inputs(),
            gates: circuit.num_gates(),
            constraints: circuit.constraints().len(),
        }
    }
}

/// An order or constants that are fixed.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Fixed {
    /// The sort.
    pub sort: String,
    /// What fixes it.
    pub kind: FixedBy,
    /// The relation, or the constants.
    pub symbols: Vec<String>,
}

words! {
    /// What fixes the elements of a sort up to isomorphism.
    pub enum FixedBy {
        /// A total order.
        Order = "order",
        /// Constants.
        Constants = "constants",
    }
}

/// Size of an invariant of a circuit.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct InvariantSize {
    /// Number of clauses.
    pub clauses: usize,
    /// Number of steps over which the property is inductive with them; 0 if they imply it.
    pub induction: usize,
    /// With `--invariant`: the clauses, each a list of facts of which one has this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<Vec<Vec<FactValue>>>,
}

/// A fact with its value.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct FactValue {
    /// The fact.
    pub fact: String,
    /// Its value.
    pub value: bool,
}

/// Counts of reachable states.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct States {
    /// Whether all reachable states were counted.
    pub complete: bool,
    /// Whether states that differ in the names of elements alone count once.
    pub up_to_isomorphism: bool,
    /// Number of states.
    pub states: usize,
    /// Number of initial states.
    pub initial: usize,
    /// Number of states that violate a property.
    pub violating: usize,
    /// Number of states in which no transition can be taken. Without meaning if not complete.
    pub stuck: usize,
    /// Number of steps between them, by transition.
    pub steps: usize,
    /// Largest number of steps that a state needs.
    pub depth: usize,
}
