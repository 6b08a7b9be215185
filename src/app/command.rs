//! Commands of a session.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a person tells a session. Facts are in the syntax of [`ramsey_services::workbench::Selector`], formulas in the language of
/// the model; claims and transitions are called by their labels and names.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Adds a claim.
    Add {
        /// The formula.
        formula: String,
        /// Its name; without it, one that is free.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Where it comes from: `suggestion`, `own`, `inference`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
    /// Takes a claim out of the model.
    Remove {
        /// The claim.
        claim: String,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Replaces the formula of a claim.
    Edit {
        /// The claim.
        claim: String,
        /// The new formula.
        formula: String,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Gives a claim another name.
    Rename {
        /// The claim.
        claim: String,
        /// The new name.
        name: String,
    },
    /// Shows a counterexample to an obligation. Facts that were left out of or kept in another one are forgotten.
    Select {
        /// The claim.
        claim: String,
        /// The transition, or `init`.
        action: String,
        /// The number of the counterexample, from 1.
        #[serde(default = "first")]
        number: usize,
    },
    /// Leaves facts of the shown state out of its generalization.
    Drop {
        /// A fact, relation, element or the like.
        fact: String,
    },
    /// Keeps facts of the shown state in its generalization.
    Keep {
        /// A fact, relation, element or the like.
        fact: String,
    },
    /// Leaves it to the search whether facts are needed.
    Release {
        /// What was left out or kept.
        fact: String,
    },
    /// Sets the number of steps within which generalizations hold.
    Bound {
        /// The number of steps.
        steps: u16,
    },
    /// Begins a walk in an initial state.
    Start {
        /// Numbers of elements of sorts.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        sizes: BTreeMap<String, u32>,
    },
    /// Takes a transition in the walk.
    Take {
        /// The call.
        #[serde(flatten)]
        call: Call,
    },
    /// Goes back to an earlier state of the walk.
    Back {
        /// The number of transitions of the walk that stay.
        steps: usize,
    },
    /// Shows the value of a formula in each state.
    Watch {
        /// The formula.
        formula: String,
    },
    /// No longer shows the value of a formula.
    Unwatch {
        /// The formula.
        formula: String,
    },
    /// Draws a relation with elements at some places: `btw(node0,_,_)`.
    Project {
        /// The projection.
        projection: String,
    },
    /// No longer draws a projection.
    Unproject {
        /// The projection.
        projection: String,
    },
    /// Draws a relation that is defined: `behind(x: node, y: node) = exists z. btw(x, z, y)`.
    Define {
        /// The definition.
        definition: String,
    },
    /// No longer draws a defined relation.
    Undefine {
        /// The definition.
        definition: String,
    },
    /// Leaves a symbol out of pictures.
    Hide {
        /// The symbol.
        symbol: String,
    },
    /// Draws a hidden symbol again.
    Show {
        /// The symbol.
        symbol: String,
    },
    /// Remarks something.
    Note {
        /// The remark.
        text: String,
    },
}

fn first() -> usize {
    1
}

/// A transition with values of its parameters.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Call {
    /// The transition.
    pub action: String,
    /// An element per parameter, `_` for any.
    #[serde(default)]
    pub args: Vec<String>,
}
