//! What a command has found out about a model.

use serde::Serialize;

use ramsey_core::system::System;
use ramsey_engine::query::Verification;
use ramsey_engine::query::bmc::Depth;
use ramsey_report::Verdict;

/// What executions were looked for.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Executions {
    /// The number of steps.
    pub depth: u16,
    /// The claims that they were to violate, one of them; all if there are none.
    pub claims: Vec<String>,
    /// A formula that they were to violate instead.
    pub formula: Option<String>,
}

/// What a command has found out about a model. A report shows this, and asks nothing of it again.
#[derive(Debug)]
pub struct Findings<'a> {
    /// Answers to obligations: to all that were asked, or counterexamples to some of them.
    pub verification: Option<&'a Verification>,
    /// The executions that were looked for, the system whose executions they are, and the answers.
    pub executions: Option<(Executions, &'a System, &'a [Depth])>,
    /// Whether only some of the obligations were asked, so that the claims may be false although these hold.
    pub is_part: bool,
    /// The answer of the command in one line.
    pub told: String,
    /// The verdict of the command.
    pub verdict: Verdict,
}
