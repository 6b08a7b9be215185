//! Answers to questions, and what is known of them before they are complete.

mod execution;

use serde::Serialize;

pub use execution::{Atom, Counterexample, Effect, Fact, State, Statement, States, Taken, Violated};

use ramsey_report::json::dto;

/// An answer, or a part of one.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Answer {
    /// To [`Question::Check`](super::Question::Check).
    Check(Check),
    /// To [`Question::Counterexamples`](super::Question::Counterexamples).
    Counterexamples(Counterexamples),
    /// To [`Question::Generalize`](super::Question::Generalize).
    Generalization(Box<Generalization>),
    /// To [`Question::Suggest`](super::Question::Suggest).
    Suggestions(Suggestions),
    /// To [`Question::Bounded`](super::Question::Bounded) and [`Question::Early`](super::Question::Early).
    Bounded(Box<Bounded>),
    /// A number of steps for which safety properties hold: a part of the answer to
    /// [`Question::Early`](super::Question::Early).
    Safe {
        /// The number of steps; none for the part before the initial states.
        safety: Option<u16>,
    },
    /// To [`Question::Reach`](super::Question::Reach).
    Reach(Box<Reach>),
    /// To [`Question::Induction`](super::Question::Induction).
    Induction(Induction),
    /// To [`Question::Sufficient`](super::Question::Sufficient).
    Sufficient(Box<Sufficient>),
    /// To [`Question::Proof`](super::Question::Proof).
    Proof(Proof),
    /// To [`Question::Simulate`](super::Question::Simulate).
    Walk(Box<Walked>),
    /// To [`Question::Evaluate`](super::Question::Evaluate).
    Evaluation(Evaluation),
    /// To [`Question::Source`](super::Question::Source).
    Source(Source),
    /// To [`Question::Names`](super::Question::Names).
    Names(Names),
    /// To [`Question::Infer`](super::Question::Infer) and [`Question::Houdini`](super::Question::Houdini).
    Inference(Box<Inference>),
    /// How far an inference is.
    Searched {
        /// Number of lemmas.
        lemmas: u64,
        /// Number of formulas that are refuted.
        refuted: u64,
    },
}

/// What is known of an obligation.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CellOutcome {
    /// It holds.
    Ok,
    /// There is a counterexample.
    Failed,
    /// There is no answer.
    Unknown,
    /// Internal inconsistency of the tool.
    Error,
}

/// Which claims are preserved by which transitions.
#[derive(Serialize, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Check {
    /// Rows and columns of the table; only in the first part of an answer, and in the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heads: Option<Heads>,
    /// The answers to obligations.
    pub cells: Vec<Cell>,
    /// Counts and remarks, of a complete answer.
    #[serde(flatten)]
    pub totals: Option<Totals>,
}

/// Counts of the obligations of a table.
#[derive(Serialize, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Totals {
    /// Number of those that hold.
    pub ok: usize,
    /// Number of those with a counterexample.
    pub failed: usize,
    /// Number of those without an answer.
    pub unknown: usize,
    /// What holds only because its condition never does.
    pub vacuous: Vec<String>,
}

/// Rows and columns of a table of obligations.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Heads {
    /// The claims.
    pub claims: Vec<Claim>,
    /// The transitions, and the parts before and after.
    pub actions: Vec<Action>,
    /// That the model wants its claims decided in another way than by the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// Kind of a claim.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// A safety property.
    Safety,
    /// Another invariant.
    Invariant,
    /// An assertion of a program.
    Assertion,
    /// A theorem.
    Theorem,
}

/// A claim of the model.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Claim {
    /// Its name, or `L` and the line.
    pub label: String,
    /// Its kind.
    pub kind: ClaimKind,
    /// Its formula; the text of an assertion.
    pub formula: String,
    /// Its line, from 1.
    pub line: Option<usize>,
    /// Where it comes from, if it was not in the model at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// A transition of the model, or a part before or after.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Action {
    /// Its name.
    pub name: String,
    /// What is shown: the comment that begins its text, or the name.
    pub title: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// Its line, from 1.
    pub line: Option<usize>,
}

/// The answer to an obligation.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Cell {
    /// The claim.
    pub claim: String,
    /// The transition.
    pub action: String,
    /// The answer.
    pub outcome: CellOutcome,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Counterexamples to an obligation.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Counterexamples {
    /// The claim.
    pub claim: String,
    /// The transition, or `init`.
    pub action: String,
    /// The counterexamples, the smallest first.
    pub counterexamples: Vec<Counterexample>,
}

/// What excludes a state, or why nothing does.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Generalization {
    /// A conjecture.
    Conjecture {
        /// The formula.
        formula: String,
        /// The number of steps for which it holds.
        bound: u16,
        /// The facts that could be used.
        upper: Vec<String>,
        /// The facts that are used.
        needed: Vec<String>,
        /// Its picture.
        svg: String,
        /// Whether no fact is superfluous.
        minimal: bool,
    },
    /// A state with all the facts is reached.
    Reached {
        /// The number of steps.
        reached: usize,
        /// The facts.
        upper: Vec<String>,
        /// The execution.
        execution: Box<Counterexample>,
        /// Facts that were left out and exclude the state: each list does.
        lacks: Vec<Vec<String>>,
        /// Variables that nothing reads, and whose facts were left out.
        left_out: Vec<LeftOut>,
        /// Whether no fact is left out.
        whole: bool,
        /// Sorts of which the state that is reached has more elements: both numbers.
        larger: Vec<(String, u32, u32)>,
    },
}

/// A variable that nothing reads.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// The variable.
    pub symbol: String,
    /// Its facts.
    pub facts: Vec<String>,
}

/// Conjectures that exclude a state.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Suggestions {
    /// Those that are not refuted, the best first.
    pub suggestions: Vec<Suggestion>,
    /// Those that are.
    pub refuted: Vec<Refuted>,
    /// The number of steps that were looked at last.
    pub deepening: Option<u16>,
    /// Whether this is the whole answer.
    pub complete: bool,
}

/// A conjecture.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// The formula.
    pub formula: String,
    /// The facts that it excludes together.
    pub needed: Vec<String>,
    /// The number of steps for which it holds.
    pub bound: u16,
    /// Whether it is inductive together with the claims.
    pub inductive: bool,
    /// Its picture.
    pub svg: String,
    /// What it would do, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merit: Option<Merit>,
}

/// What a conjecture would do.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Merit {
    /// Number of smallest counterexamples to the obligation that it excludes.
    pub excludes: usize,
    /// Number of smallest counterexamples to the obligation.
    pub of: usize,
    /// Number of obligations that do not hold with it.
    pub fails: usize,
    /// Claims that it makes unnecessary.
    pub unnecessary: Vec<String>,
}

/// A conjecture that is false in some reachable state.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Refuted {
    /// The formula.
    pub formula: String,
    /// The number of steps after which it is false.
    pub steps: u16,
    /// Whether that is an execution of a small instance, and perhaps not the shortest one.
    pub explored: bool,
    /// The facts that it excludes together.
    pub needed: Vec<String>,
}

/// What is known of executions within a number of steps.
#[derive(Serialize, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Bounded {
    /// The largest number of steps for which nothing is violated.
    pub holds: Option<u16>,
    /// Whether a proof by induction shows that nothing is violated after any number of steps.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub always: bool,
    /// A violation.
    #[serde(flatten)]
    pub violation: Option<Violation>,
    /// The number of steps that was asked for, of a complete answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
}

/// An execution that violates something.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Violation {
    /// The claim; none for a formula.
    pub violated: Option<String>,
    /// Whether no transition is possible in the last state.
    pub stuck: bool,
    /// The number of steps; none for the part before the initial states.
    pub steps: Option<u16>,
    /// The execution.
    pub execution: Counterexample,
}

/// Whether facts occur in explored states.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Reach {
    /// The number of states that were explored.
    pub states: usize,
    /// The number of steps to a state with the facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// The execution to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Counterexample>,
}

/// Whether a formula is inductive together with the claims.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Induction {
    /// Whether it is.
    pub inductive: bool,
    /// The transitions that break it.
    pub failed: Vec<Broken>,
}

/// A transition that breaks a formula.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Broken {
    /// The transition, or `init`.
    pub action: String,
    /// A counterexample.
    pub counterexample: Counterexample,
}

/// Whether a formula excludes all counterexamples to an obligation.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Sufficient {
    /// Whether it does.
    pub sufficient: bool,
    /// A counterexample that is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
}

/// Which claims each proof uses.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Proof {
    /// The proofs.
    pub proofs: Vec<ProofRow>,
    /// What the claims are good for.
    pub claims: Vec<ClaimStanding>,
}

/// The proof of an obligation.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ProofRow {
    /// The claim.
    pub claim: String,
    /// The transition, or `init`.
    pub action: String,
    /// Whether there is a proof.
    pub outcome: CellOutcome,
    /// The claims that it uses.
    pub needs: Vec<String>,
    /// Whether the transition changes nothing that the claim is about.
    pub unchanged: bool,
}

/// What a claim is good for.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ClaimStanding {
    /// The claim.
    pub claim: String,
    /// What it is good for.
    pub standing: Standing,
}

/// What a claim is good for.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// It is what is to be shown.
    Goal,
    /// A proof uses it.
    Needed,
    /// No proof uses it.
    Unneeded,
    /// That is not known.
    Open,
}

/// Where a walk leads.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Walked {
    /// Whether there is an initial state with the numbers of elements.
    pub start: bool,
    /// The states, if so.
    #[serde(flatten)]
    pub path: Option<WalkedPath>,
}

/// The states of a walk, and what can be done next.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WalkedPath {
    /// The states.
    #[serde(flatten)]
    pub states: States,
    /// The step that cannot be taken, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stuck: Option<usize>,
    /// The transitions from the last state.
    pub actions: Vec<NextAction>,
    /// Claims that are false in a state.
    pub violations: Vec<FalseClaim>,
    /// Claims that the last step breaks.
    pub broken: Vec<String>,
    /// Values of formulas.
    pub watches: Vec<Evaluation>,
}

/// A transition from the last state of a walk.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NextAction {
    /// Its name.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// The ways to take it.
    pub ways: Vec<Way>,
    /// Whether there are more.
    pub more: bool,
    /// Why it cannot be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
}

/// A way to take a transition.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Way {
    /// The arguments.
    pub args: Vec<String>,
    /// The first facts that change.
    pub changes: Vec<String>,
}

/// Why a transition cannot be taken.
#[derive(Serialize, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Blocked {
    /// The arguments that come closest.
    pub args: Option<Vec<(String, String)>>,
    /// The false condition.
    pub formula: Option<String>,
    /// Its variables with their values.
    pub bindings: Option<Vec<(String, String)>>,
}

/// A claim that is false in a state.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FalseClaim {
    /// The state.
    pub state: usize,
    /// The claim.
    pub claim: String,
}

/// Values of a formula.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Evaluation {
    /// The formula.
    pub formula: String,
    /// Its value in each state.
    pub values: Vec<bool>,
}

/// The model as text.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Source {
    /// The path.
    pub path: String,
    /// The text.
    pub text: String,
    /// Errors and warnings.
    pub diagnostics: Vec<dto::Diagnostic>,
}

/// The names of a model.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Names {
    /// The symbols.
    pub symbols: Vec<SymbolName>,
    /// The sorts.
    pub sorts: Vec<String>,
}

/// A symbol of a model.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SymbolName {
    /// Its name.
    pub name: String,
    /// Sorts of its arguments.
    pub args: Vec<String>,
    /// Its sort.
    pub result: String,
    /// Whether it never changes.
    pub immutable: bool,
}

/// What an inference has found.
#[derive(Serialize, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Inference {
    /// Lemmas that are none of the claims yet.
    pub lemmas: Vec<String>,
    /// Whether they and the claims are inductive together.
    pub inductive: bool,
    /// Claims that fail with the lemmas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<Vec<String>>,
    /// Claims without an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Vec<String>>,
    /// Set to false if no universal formulas suffice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub universal: Option<bool>,
    /// A violation of a safety property.
    #[serde(flatten)]
    pub violation: Option<UnsafeExecution>,
}

/// An execution that violates a safety property.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct UnsafeExecution {
    /// The property.
    pub violated: String,
    /// The number of steps.
    pub steps: usize,
    /// The execution.
    pub execution: Counterexample,
}
