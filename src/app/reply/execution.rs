//! Executions as pages show them.

use serde::Serialize;

use ramsey_report::json::dto;
use ramsey_report::json::scene::SceneDto;

/// An execution whose last state, or last step, violates something.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Counterexample {
    /// The states.
    #[serde(flatten)]
    pub states: States,
    /// What is false.
    pub violated: Violated,
    /// What the first transition did.
    pub statements: Vec<Statement>,
    /// The execution as other commands write it.
    pub document: dto::Execution,
    /// Whether a conjecture can exclude its first state; only among the counterexamples to an obligation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excludable: Option<bool>,
}

/// States with pictures.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct States {
    /// The states.
    pub states: Vec<State>,
    /// What the pictures have, as data.
    pub scene: SceneDto,
}

/// A state.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct State {
    /// Its picture.
    pub svg: String,
    /// The transition that leads to it.
    pub action: Option<Taken>,
    /// Its facts.
    pub facts: Vec<Fact>,
}

/// A transition that was taken.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Taken {
    /// Its name.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// Its parameters with their values.
    pub params: Vec<(String, String)>,
}

/// A fact of a state.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Fact {
    /// Its text, by which pictures, tables and commands refer to it.
    pub id: String,
    /// The symbol.
    pub symbol: String,
    /// The arguments.
    pub args: Vec<String>,
    /// The value of a function; truth of a relation.
    pub value: dto::Value,
    /// Whether the symbol never changes.
    pub immutable: bool,
}

/// A false formula.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Violated {
    /// The formula.
    pub formula: String,
    /// Its variables with their values.
    pub bindings: Vec<(String, String)>,
    /// Its atoms.
    pub atoms: Vec<Atom>,
}

/// An atom of a false formula.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Atom {
    /// Its text.
    pub text: String,
    /// Whether it is true.
    pub value: bool,
}

/// A statement that was executed, or a condition of a transition.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Statement {
    /// Its line, from 1.
    pub line: Option<usize>,
    /// Its text.
    pub text: String,
    /// What it did.
    pub effect: Effect,
}

/// What a statement did.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Effect {
    /// A condition of a transition without commands, which holds.
    Condition(&'static str),
    /// The value of a condition.
    Is {
        /// The value.
        is: bool,
    },
    /// The value of what is assumed or asserted.
    Holds {
        /// The value.
        holds: bool,
    },
    /// A choice.
    Chosen {
        /// The branch, from 1.
        branch: usize,
        /// Its name.
        name: Option<String>,
    },
    /// New values.
    Changes {
        /// The facts that are new.
        changes: Vec<String>,
    },
}
