//! Answers of model checking as data.

use ramsey_core::base::budget::Exhausted;
use ramsey_solver::telemetry::counters;

/// An execution to a bad state, by the latches and inputs of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Trace {
    /// The initial state: values by latch.
    pub(super) state: Vec<bool>,
    /// The inputs of each step, the last ones in the bad state.
    pub(super) inputs: Vec<Vec<bool>>,
}

/// A clause over latches of a circuit: one of these latches, by position, has this value.
pub type Clause = Vec<(usize, bool)>;

/// A reason why no bad state is reachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Clauses that hold initially and together after each step.
    pub invariant: Vec<Clause>,
    /// Number of steps without a bad state, in states of the invariant, that no bad state follows. The first so many
    /// states of an execution are not bad either.
    pub induction: usize,
}

/// An execution that ends in a bad state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The initial state: values of all latches of the circuit.
    pub state: Vec<bool>,
    /// The values of all inputs of the circuit in each step, the last ones in the bad state.
    pub inputs: Vec<Vec<bool>>,
}

/// The answer about one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No bad state is reachable.
    Safe(Proof),
    /// A bad state is reachable.
    Unsafe(Witness),
    /// A budget ran out.
    Unknown {
        /// The budget.
        exhausted: Exhausted,
        /// All states that are reachable in at most this number of steps are not bad; `None` if nothing is known.
        bound: Option<usize>,
    },
    /// The execution that was found is none.
    Defect,
}

counters! {
    /// Statistics of a search.
    pub struct Stats {
        /// Latches that the property depends on.
        latches => "latches",
        /// Inputs that the property depends on.
        inputs => "inputs",
        /// Gates that the property depends on, after simplification.
        gates => "gates",
        /// Latches that are constant.
        constants => "constants",
        /// Highest level of property directed reachability.
        level => "level",
        /// Questions of property directed reachability.
        questions => "questions",
        /// Lemmas learned.
        lemmas => "lemmas",
        /// Lemmas that hold at every level.
        infinite => "infinite",
        /// Proof obligations made.
        obligations => "obligations",
        /// Predecessors that were excluded during generalization.
        ctgs => "ctgs",
        /// Steps unrolled by bounded model checking.
        bmc => "bmc",
        /// Steps unrolled by induction.
        induction => "induction",
        /// Conflicts in all SAT solvers.
        conflicts => "conflicts",
    }
}
