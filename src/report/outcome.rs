//! Outcomes of questions without their data: one enum per question, with its words and the verdicts that they stand for.
//!
//! Outcomes of obligations are [`Status`].

use super::finding::Status;
use super::words::words;
use ramsey_engine::infer;
use ramsey_engine::query::simulate::End;
use ramsey_engine::query::{bmc, explain, instance, mc, trace};
use ramsey_solver::ask::Failure;

words! {
    /// Answer about executions of one length.
    pub enum DepthOutcome {
        /// None violates a property.
        Ok = "ok" => Ok,
        /// One violates a property.
        Violated = "violated" => Counterexample,
        /// A budget ran out, or the question cannot be decided.
        Unknown = "unknown" => Unknown,
        /// Internal inconsistency of the tool.
        InternalError = "internal-error" => InternalError,
    }
}

impl DepthOutcome {
    /// Returns the answer about a claim that is asked about alone.
    pub fn status(self) -> Status {
        match self {
            DepthOutcome::Ok => Status::Holds,
            DepthOutcome::Violated => Status::Violated,
            DepthOutcome::Unknown => Status::Unknown,
            DepthOutcome::InternalError => Status::InternalError,
        }
    }
}

impl From<&bmc::Outcome> for DepthOutcome {
    fn from(outcome: &bmc::Outcome) -> Self {
        match outcome {
            bmc::Outcome::Holds => DepthOutcome::Ok,
            bmc::Outcome::Violated(_) => DepthOutcome::Violated,
            bmc::Outcome::Unknown(_) | bmc::Outcome::Undecided(_) => DepthOutcome::Unknown,
            bmc::Outcome::InternalError(_) => DepthOutcome::InternalError,
        }
    }
}

words! {
    /// Answer to a trace block. Its verdict depends on the declared one: see [`trace_status`](super::finding::trace_status).
    pub enum TraceAnswer {
        /// There is an execution of this shape.
        Sat = "sat",
        /// There is none.
        Unsat = "unsat",
        /// A budget ran out.
        Unknown = "unknown",
        /// Internal inconsistency of the tool.
        InternalError = "internal-error",
    }
}

impl From<&trace::Outcome> for TraceAnswer {
    fn from(outcome: &trace::Outcome) -> Self {
        match outcome {
            trace::Outcome::Sat(_) => TraceAnswer::Sat,
            trace::Outcome::Unsat => TraceAnswer::Unsat,
            trace::Outcome::Unknown(_) => TraceAnswer::Unknown,
            trace::Outcome::InternalError(_) => TraceAnswer::InternalError,
        }
    }
}

words! {
    /// Answer about a claim by eager abstraction.
    pub enum McOutcome {
        /// No execution violates the claim.
        Proved = "proved" => Ok,
        /// No execution violates the claim unless another claim was violated before, or what a schema says is not true.
        Conditional = "conditional" => Unknown,
        /// An execution of the model violates the claim.
        Violated = "violated" => Counterexample,
        /// An execution of the abstraction violates the claim, and none of the model is known that does.
        Abstract = "abstract" => Unknown,
        /// No execution of at most so many steps violates the claim, and longer ones were not asked about.
        Bounded = "bounded" => Unknown,
        /// A budget ran out.
        Unknown = "unknown" => Unknown,
        /// There is no circuit.
        Refused = "refused" => Unknown,
        /// Internal inconsistency of the tool.
        InternalError = "internal-error" => InternalError,
    }
}

impl McOutcome {
    /// Returns the outcome of an answer. `is_joint` tells that all claims that were assumed are proved.
    pub fn new(outcome: &mc::Outcome, is_joint: bool) -> McOutcome {
        match outcome {
            mc::Outcome::Safe { .. } if is_joint && outcome.is_safe() => McOutcome::Proved,
            mc::Outcome::Safe { .. } => McOutcome::Conditional,
            mc::Outcome::Violated(execution) => match execution.replay {
                mc::Replay::Real(_) => McOutcome::Violated,
                _ => McOutcome::Abstract,
            },
            mc::Outcome::Unknown(_) => McOutcome::Unknown,
            mc::Outcome::Refused(_) => McOutcome::Refused,
            mc::Outcome::InternalError(_) => McOutcome::InternalError,
        }
    }

    /// Returns the answer about the claim.
    pub fn status(self) -> Status {
        match self {
            McOutcome::Proved => Status::Holds,
            McOutcome::Violated => Status::Violated,
            McOutcome::InternalError => Status::InternalError,
            McOutcome::Conditional
            | McOutcome::Abstract
            | McOutcome::Bounded
            | McOutcome::Unknown
            | McOutcome::Refused => Status::Unknown,
        }
    }
}

words! {
    /// Answer about a finite instance.
    pub enum InstanceOutcome {
        /// No reachable state violates a property.
        Safe = "safe" => Ok,
        /// An execution violates a property.
        Violated = "violated" => Counterexample,
        /// A budget ran out.
        Unknown = "unknown" => Unknown,
        /// Internal inconsistency of the tool.
        InternalError = "internal-error" => InternalError,
    }
}

impl InstanceOutcome {
    /// Returns the answer about a claim that is asked about alone.
    pub fn status(self) -> Status {
        match self {
            InstanceOutcome::Safe => Status::Holds,
            InstanceOutcome::Violated => Status::Violated,
            InstanceOutcome::Unknown => Status::Unknown,
            InstanceOutcome::InternalError => Status::InternalError,
        }
    }
}

impl From<&instance::Outcome> for InstanceOutcome {
    fn from(outcome: &instance::Outcome) -> Self {
        match outcome {
            instance::Outcome::Safe => InstanceOutcome::Safe,
            instance::Outcome::Violated(..) => InstanceOutcome::Violated,
            instance::Outcome::Unknown { .. } => InstanceOutcome::Unknown,
            instance::Outcome::InternalError(_) => InstanceOutcome::InternalError,
        }
    }
}

words! {
    /// Why the claims of an instance are true of nothing.
    pub enum Vacuous {
        /// No structure of these sizes satisfies the axioms.
        Axioms = "axioms",
        /// There is no initial state.
        InitialStates = "initial-states",
    }
}

words! {
    /// Answer of an inference.
    pub enum InferOutcome {
        /// An inductive invariant implies the properties.
        Invariant = "invariant" => Ok,
        /// An execution violates a property.
        Unsafe = "unsafe" => Counterexample,
        /// No universally quantified invariant implies the properties.
        NoUniversalInvariant = "no-universal-invariant" => Counterexample,
        /// Neither was found.
        Unknown = "unknown" => Unknown,
        /// Internal inconsistency of the tool.
        InternalError = "internal-error" => InternalError,
    }
}

impl From<&infer::Answer> for InferOutcome {
    fn from(answer: &infer::Answer) -> Self {
        match answer {
            infer::Answer::Invariant(_) => InferOutcome::Invariant,
            infer::Answer::Unsafe(..) => InferOutcome::Unsafe,
            infer::Answer::NoUniversal(_) => InferOutcome::NoUniversalInvariant,
            infer::Answer::Unknown { .. } => InferOutcome::Unknown,
            infer::Answer::InternalError(_) => InferOutcome::InternalError,
        }
    }
}

// The verdicts are those of the end alone: claims that are violated on the way count beside it.
words! {
    /// Why a walk ended.
    pub enum EndReason {
        /// It has the requested number of steps.
        Steps = "steps" => Ok,
        /// A state satisfies the requested formula.
        Reached = "reached" => Ok,
        /// A claim is violated.
        Violated = "violated" => Ok,
        /// No transition can be taken.
        Deadlock = "deadlock" => Ok,
        /// The requested transition cannot be taken.
        Disabled = "disabled" => Counterexample,
        /// The given execution is none of the model.
        Departed = "departed" => Counterexample,
        /// There is no initial state of the sizes that were tried.
        NoInitialState = "no-initial-state" => Counterexample,
        /// A budget ran out.
        Limit = "limit" => Unknown,
        /// Internal inconsistency of the tool.
        InternalError = "internal-error" => InternalError,
    }
}

impl From<&Result<End, Failure>> for EndReason {
    fn from(end: &Result<End, Failure>) -> Self {
        match end {
            Ok(End::Steps) => EndReason::Steps,
            Ok(End::Reached) => EndReason::Reached,
            Ok(End::Violated) => EndReason::Violated,
            Ok(End::Deadlock(_)) => EndReason::Deadlock,
            Ok(End::Disabled(_)) => EndReason::Disabled,
            Ok(End::NoInitialState) => EndReason::NoInitialState,
            Ok(End::Departed(_)) => EndReason::Departed,
            Err(Failure::Exhausted(_)) => EndReason::Limit,
            Err(Failure::Internal(_) | Failure::Misuse(_)) => EndReason::InternalError,
        }
    }
}

words! {
    /// What a claim is there for.
    pub enum Standing {
        /// It is to be proved.
        Goal = "goal",
        /// The goals need it.
        Needed = "needed",
        /// The goals need it as far as the proofs found go, and have a proof without it.
        Replaceable = "replaceable",
        /// The proofs of the goals do without it.
        Unneeded = "unneeded",
        /// The goals are not proved, or it was not asked.
        Open = "open",
        /// A budget ran out.
        Unknown = "unknown",
    }
}

impl From<&explain::Answer> for Status {
    fn from(answer: &explain::Answer) -> Self {
        match answer {
            explain::Answer::Proved(_) => Status::Holds,
            explain::Answer::Refuted => Status::Violated,
            explain::Answer::Unknown(_) => Status::Unknown,
        }
    }
}

impl From<&explain::Standing> for Standing {
    fn from(standing: &explain::Standing) -> Self {
        match standing {
            explain::Standing::Goal => Standing::Goal,
            explain::Standing::Needed => Standing::Needed,
            explain::Standing::Replaceable { .. } => Standing::Replaceable,
            explain::Standing::Unneeded => Standing::Unneeded,
            explain::Standing::Open => Standing::Open,
            explain::Standing::Unknown(_) => Standing::Unknown,
        }
    }
}
