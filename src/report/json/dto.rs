//! Data of the JSON documents, as specified by the schemas in `spec/`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::mc::Checked;
use crate::Verdict;
use crate::finding::{HypothesisKind, PartKind, Question, Status};
use crate::outcome::{DepthOutcome, TraceAnswer};
use crate::words::words;
use ramsey_engine::cache;

/// Content of the output of `ramsey verify --format json`.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct VerifyContent {
    /// Results per file, in the order of the command line.
    pub files: Vec<File>,
    /// Counts over all files.
    pub summary: Summary,
    /// With `--stats`: cost over all files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
    /// With `--stats`, if there is a cache: what it was good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheStats>,
}

/// What a cache was good for.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct CacheStats {
    /// Number of questions that were answered by entries, all of which were checked.
    pub hits: u64,
    /// Number of questions without an entry.
    pub misses: u64,
    /// Number of questions with an entry that is not valid.
    pub rejected: u64,
    /// Number of entries that were written.
    pub kept: u64,
    /// Bytes of entries that were read.
    pub bytes_read: u64,
    /// Bytes of entries that were written.
    pub bytes_written: u64,
    /// Time until entries had been read, of all threads together.
    pub read_seconds: f64,
    /// Time in which entries were checked, of all threads together.
    pub check_seconds: f64,
}

impl From<cache::Tally> for CacheStats {
    fn from(tally: cache::Tally) -> CacheStats {
        let seconds = |nanoseconds: u64| nanoseconds as f64 / 1e9;
        CacheStats {
            hits: tally.hits,
            misses: tally.misses,
            rejected: tally.rejected,
            kept: tally.kept,
            bytes_read: tally.bytes_read,
            bytes_written: tally.bytes_written,
            read_seconds: seconds(tally.fetch_time),
            check_seconds: seconds(tally.check_time),
        }
    }
}

/// Result for one file.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct File {
    /// The path as given or found.
    pub path: String,
    /// The isolate of the program that this is about, if it is not the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolate: Option<String>,
    /// Files of a directory that this one includes and that are not models of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// The most severe answer.
    pub verdict: Verdict,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Obligations in the order of the source.
    pub obligations: Vec<Obligation>,
    /// The answers about its invariants and assertions, if it tells how these are decided. Then there are no obligations about
    /// them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
    /// Counts of answers.
    pub summary: Summary,
    /// With `--certify`: the certificate, if written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// With `--stats`: cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// Certificate that was written.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Certificate {
    /// Path of the certificate.
    pub path: String,
    /// Number of obligations proved.
    pub proofs: usize,
    /// Number of obligations refuted.
    pub counterexamples: usize,
    /// Number of its lines between the claim and the end.
    pub steps: usize,
    /// Size of its text, in bytes.
    pub text_bytes: usize,
    /// Size of the file, in bytes.
    pub file_bytes: usize,
    /// Whether the file is compressed.
    pub compressed: bool,
}

impl Certificate {
    /// Returns a one-line summary of the contents.
    pub fn text(&self) -> String {
        let Certificate { path, proofs, counterexamples, steps, text_bytes, file_bytes, .. } = self;
        let structures = match counterexamples {
            0 => String::new(),
            1 => ", 1 counterexample".to_owned(),
            count => format!(", {count} counterexamples"),
        };
        let compressed =
            if self.compressed { format!(", compressed to {file_bytes} bytes") } else { String::new() };
        format!(
            "  certificate {path}: {proofs} proofs in {steps} steps and {text_bytes} bytes{structures}{compressed}\n"
        )
    }
}

/// How the answers differ from those of an earlier run.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Comparison {
    /// The file with the earlier answers, as given.
    pub path: String,
    /// Number of answers that are not as they should be and were so before.
    pub known: usize,
    /// Number of those that were not so before. The exit code is about these.
    pub new: usize,
    /// What was not as it should be and is so no more, or is not asked any more: a sentence for each.
    pub absent: Vec<String>,
    /// Number of claims that were not asked about because of a known answer. The exit code is 3 if there are some and nothing is new.
    pub unasked: usize,
}

/// Counts of answers.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Summary {
    /// Number of all obligations, and of claims that are decided in another way.
    pub obligations: usize,
    /// Number proved.
    pub ok: usize,
    /// Number refuted.
    pub failed: usize,
    /// Number without an answer because a budget ran out.
    pub unknown: usize,
    /// Number not checked.
    pub skipped: usize,
    /// Number with an internal inconsistency.
    pub internal_errors: usize,
}

/// Obligation with its answer.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Obligation {
    /// The question.
    pub kind: Question,
    /// Name of the transition (`consecution`, `assertion` inside one, and `fbii` of one).
    pub transition: Option<String>,
    /// The part of a proof (`fbii`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofPart>,
    /// The invariant (`initiation`, `consecution`), or the assertion; what is claimed by a part of a proof (`fbii`).
    pub invariant: Option<Claim>,
    /// The theorem (`theorem`).
    pub theorem: Option<Claim>,
    /// Number that stays the same while the model around the claim changes: 16 hexadecimal digits.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{16}$")))]
    pub fingerprint: String,
    /// The answer.
    pub outcome: Status,
    /// Budget that ran out, or description of the internal error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With `--cores`: sufficient hypotheses (`ok`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<Vec<Hypothesis>>,
    /// Counterexample (`failed`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// With `--stats`: cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// Part of a proof.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct ProofPart {
    /// Line of the proof, from 1.
    pub line: usize,
    /// Column of the proof in characters, from 1.
    pub column: usize,
    /// The step; `null` for the safety property at the end.
    pub step: Option<Claim>,
    /// The direction of the step; `null` for the safety property at the end.
    pub direction: Option<Direction>,
    /// The kind of the part.
    pub part: PartKind,
}

words! {
    /// Direction of a step of a proof.
    pub enum Direction {
        /// From initial states on.
        Forward = "forward",
        /// From states that violate the safety property back.
        Backward = "backward",
    }
}

/// Declared formula.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Claim {
    /// Name, if any.
    pub name: Option<String>,
    /// Name, or `L` and the line.
    pub label: String,
    /// Line of the declaration, from 1.
    pub line: usize,
    /// Column of the declaration in characters, from 1.
    pub column: usize,
}

/// Hypothesis of a core.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Hypothesis {
    /// What it is.
    pub kind: HypothesisKind,
    /// Name or label.
    pub label: String,
    /// State to which the axiom of a derived relation or an invariant of a proof applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u16>,
    /// Line of the declaration, from 1.
    pub line: usize,
}

/// Structure that refutes an obligation.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Counterexample {
    /// The structure.
    #[serde(flatten)]
    pub execution: Execution,
    /// The formula that is false.
    pub violated: Violated,
}

/// States, with the transitions between them if any.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "an execution")]
pub struct Execution {
    /// Elements by sort.
    pub universes: Vec<Universe>,
    /// Facts that hold in all states.
    #[serde(default)]
    pub immutable: Vec<Fact>,
    /// Values of prophecy variables, if the claim is of a proof.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prophecy: Vec<Fact>,
    /// Facts per state.
    pub states: Vec<State>,
    /// Execution of the initial part, if state 0 is initial and the model has commands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<Statement>,
    /// The transitions from each state to the next; empty where no transition is taken.
    #[serde(default)]
    pub transitions: Vec<Step>,
}

/// Elements of a sort.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a universe")]
pub struct Universe {
    /// Name of the sort.
    pub sort: String,
    /// Names of its elements.
    pub elements: Vec<String>,
    /// Display names in state 0, by `@printed_by` or a total order, if different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Vec<String>>,
}

/// Facts of one state.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a state")]
pub struct State {
    /// Facts about mutable symbols.
    pub facts: Vec<Fact>,
    /// Viable values of prophecy variables, if the claim is of a prophecy step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prophecy: Vec<Fact>,
}

/// Value of a symbol at a tuple.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a fact")]
pub struct Fact {
    /// The symbol.
    pub symbol: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its value.
    pub value: Value,
}

/// Truth value or element.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "`true`, `false` or the name of an element is expected here")]
pub enum Value {
    /// Of a relation.
    Bool(bool),
    /// Of a function or constant.
    Element(String),
}

/// Transition taken, with its arguments.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a transition")]
pub struct Step {
    /// Name of the transition.
    pub name: String,
    /// Parameters with their values.
    pub params: Vec<Binding>,
    /// Instances of the guard that enabled the transition, if the model has no commands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Execution of its command, if the model has commands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
}

/// Executed statement.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a statement")]
pub struct Statement {
    /// Line of the statement, from 1.
    pub line: usize,
    /// Column of the statement in characters, from 1.
    pub column: usize,
    /// What it is.
    pub kind: StatementKind,
    /// Value of the formula (`if`, `assume`, `assert`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<bool>,
    /// Index of the branch taken, from 0 (`choice`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<usize>,
    /// Name of the branch (`choice`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// New values that differ from the old ones (`assign`, which includes `havoc`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Fact>>,
}

words! {
    /// Kind of an executed statement.
    pub enum StatementKind {
        /// Condition of a branch.
        If = "if",
        /// Choice of a branch.
        Choice = "choice",
        /// Assumption.
        Assume = "assume",
        /// Assertion.
        Assert = "assert",
        /// Assignment, or `havoc`.
        Assign = "assign",
    }
}

/// Variable with its value.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(expecting = "a variable with its value")]
pub struct Binding {
    /// The variable.
    pub name: String,
    /// The element.
    pub value: String,
}

/// False formula with its bindings.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Violated {
    /// In the syntax of `.pyv`.
    pub formula: String,
    /// State in which the formula is evaluated.
    pub state: usize,
    /// Values of its variables.
    pub bindings: Vec<Binding>,
    /// Execution from that state that violates the assertion, if the claim is an assertion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
}

/// Cost of an answer.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Stats {
    /// Number of satisfiability queries.
    pub queries: u64,
    /// Number of rounds of candidate structures.
    pub rounds: u64,
    /// Number of instances of universal clauses.
    pub instances: u64,
    /// Number of conflicts in the SAT solver.
    pub conflicts: u64,
    /// Number of congruence lemmas.
    pub lemmas: u64,
    /// Number of ground terms.
    pub terms: u64,
    /// Work units.
    pub work: u64,
    /// Seconds in the SAT solver.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub sat_seconds: f64,
    /// Seconds spent building candidate structures.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub candidate_seconds: f64,
    /// Seconds spent searching for violated instances.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub join_seconds: f64,
    /// Total seconds.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub total_seconds: f64,
}

/// Source range in a file.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// First line, from 1.
    pub line: usize,
    /// First column, from 1, in characters.
    pub column: usize,
    /// Line after the last character.
    pub end_line: usize,
    /// Column after the last character.
    pub end_column: usize,
    /// Byte offset of the start.
    pub start: u32,
    /// Byte offset of the end, exclusive.
    pub end: u32,
}

/// Source range with a text.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Label {
    /// The source range.
    #[serde(flatten)]
    pub place: Place,
    /// The text.
    pub text: String,
}

/// Diagnostic as JSON data.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Diagnostic {
    /// Diagnostic code, as listed in `spec/diagnostics.md`.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^R[0-9]{3}$")))]
    pub code: Cow<'static, str>,
    /// Severity.
    pub severity: Severity,
    /// Message, one sentence.
    pub message: String,
    /// Main label.
    pub primary: Option<Label>,
    /// Other labels.
    pub secondary: Vec<Label>,
    /// Additional notes.
    pub notes: Vec<String>,
    /// Suggested remedy.
    pub help: Option<String>,
}

words! {
    /// Severity of a diagnostic.
    pub enum Severity {
        /// Only worth knowing.
        Note = "note",
        /// Probably not what is meant.
        Warning = "warning",
        /// There is no answer.
        Error = "error",
    }
}

/// Content of the output of `ramsey bmc --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct BoundedContent {
    /// The model's path as given.
    pub path: String,
    /// Whether elements may disappear between states.
    pub relaxed: bool,
    /// Maximum number of steps requested.
    pub depth: u16,
    /// Properties that are checked in every state.
    pub properties: Vec<BoundedProperty>,
    /// Answers in order of increasing length, up to and including the first that is not `ok`.
    pub depths: Vec<BoundedDepth>,
    /// Whether the properties are part of an inductive invariant, of the model or with lemmas that were found, and so hold at every
    /// depth.
    pub by_induction: bool,
    /// Whether no violation has fewer steps than the one that was found. If it is false, the numbers of steps between the last
    /// answer `ok` and the last one are open.
    pub is_shortest: bool,
    /// Violation of a property, if found.
    pub violation: Option<BoundedViolation>,
}

/// Property that is checked in every state.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BoundedProperty {
    /// What it is.
    pub kind: PropertyKind,
    /// The declaration; `None` for a formula of the command line.
    pub claim: Option<Claim>,
    /// Number that stays the same while the model around the claim changes: 16 hexadecimal digits.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{16}$")))]
    pub fingerprint: String,
    /// The formula in the syntax of `.pyv`.
    pub formula: String,
}

words! {
    /// Kind of a property that is checked in every state.
    pub enum PropertyKind {
        /// Safety property or invariant.
        Invariant = "invariant",
        /// Assertion of a program.
        Assertion = "assertion",
        /// Formula of the command line.
        Formula = "formula",
        /// Absence of deadlocks.
        Deadlock = "deadlock",
    }
}

/// Answer for executions of one length.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct BoundedDepth {
    /// Number of steps; `null` for the part before the initial states.
    pub steps: Option<u16>,
    /// The answer.
    pub outcome: DepthOutcome,
    /// Budget that ran out, or description of the internal error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With `--stats`: cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// Execution that violates a property.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct BoundedViolation {
    /// The property.
    pub property: BoundedProperty,
    /// The execution, and the formula that is false in its last state.
    pub counterexample: Counterexample,
    /// For a deadlock: reason why each transition is disabled in the last state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Vec<BlockedStep>>,
}

/// Content of the output of `ramsey trace --format json`.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct TraceContent {
    /// The model's path as given.
    pub path: String,
    /// Answers in the order of the source.
    pub traces: Vec<Trace>,
}

/// Trace block with its answer.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Trace {
    /// Line of the block, from 1.
    pub line: usize,
    /// Column of the block in characters, from 1.
    pub column: usize,
    /// Number that stays the same while the model around the claim changes: 16 hexadecimal digits.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{16}$")))]
    pub fingerprint: String,
    /// Answer declared in the model: `sat` or `unsat`.
    pub expected: TraceAnswer,
    /// The answer.
    pub answer: TraceAnswer,
    /// Budget that ran out, or description of the internal error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Execution that matches the block (`sat`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// With `--stats`: cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// Reason why a transition is disabled.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct BlockedStep {
    /// The transition.
    pub name: String,
    /// Parameter values that come closest to enabling it; `null` if they do not matter.
    pub params: Option<Vec<Binding>>,
    /// The false condition; `null` if the guard is true and there is no next state, or if nothing was tried.
    pub formula: Option<String>,
    /// Values of its variables.
    pub bindings: Vec<Binding>,
}
