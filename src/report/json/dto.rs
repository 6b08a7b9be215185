//! The documents' data, field by field as `spec/verify.schema.json` describes them.

use serde::Serialize;

/// `ramsey verify --format json`.
#[derive(Serialize, Debug)]
pub struct Document {
    /// Name and version of the form.
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The most severe answer.
    pub verdict: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// Diagnostics of no file in particular.
    pub diagnostics: Vec<Diagnostic>,
    /// Per file, in the order of the command line.
    pub files: Vec<File>,
    /// Counts over all files.
    pub summary: Summary,
    /// What to do about obligations without an answer, where the answers do not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<String>,
    /// With `--stats`: cost over all files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
    /// With `--stats`: wall-clock time of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A file of a run.
#[derive(Serialize, Debug)]
pub struct File {
    /// The path as it was given, or found.
    pub path: String,
    /// Files of a directory that this one includes, and that are no models of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// The most severe answer.
    pub verdict: &'static str,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// In the order of the source.
    pub obligations: Vec<Obligation>,
    /// Counts.
    pub summary: Summary,
    /// With `--certify`, if it was written: the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// With `--stats`: cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// A certificate that was written.
#[derive(Serialize, Debug)]
pub struct Certificate {
    /// Where it is.
    pub path: String,
    /// How many obligations it proves.
    pub proofs: usize,
    /// How many obligations it refutes.
    pub counterexamples: usize,
    /// Lines of all proofs.
    pub steps: usize,
    /// Bytes of these lines, as text.
    pub proof_bytes: usize,
    /// Bytes of the file.
    pub file_bytes: usize,
    /// Whether the file is compressed.
    pub compressed: bool,
}

/// Counts of answers.
#[derive(Serialize, Debug)]
pub struct Summary {
    /// All obligations.
    pub obligations: usize,
    /// Proved.
    pub ok: usize,
    /// Refuted.
    pub failed: usize,
    /// A budget ran out.
    pub unknown: usize,
    /// Not asked.
    pub skipped: usize,
    /// The tool contradicted itself.
    pub internal_errors: usize,
}

/// An obligation with its answer.
#[derive(Serialize, Debug)]
pub struct Obligation {
    /// `initiation`, `consecution`, `assertion` or `theorem`.
    pub kind: &'static str,
    /// The transition's name (`consecution`, and `assertion` inside one).
    pub transition: Option<String>,
    /// The invariant (`initiation`, `consecution`), or the assertion.
    pub invariant: Option<Claim>,
    /// The theorem (`theorem`).
    pub theorem: Option<Claim>,
    /// `ok`, `failed`, `unknown`, `skipped` or `internal-error`.
    pub outcome: &'static str,
    /// Which budget ran out, or what went wrong inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With `--cores`: hypotheses that suffice (`ok`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core: Option<Vec<Hypothesis>>,
    /// What refutes it (`failed`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// With `--stats`: cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// A declared formula.
#[derive(Serialize, Debug)]
pub struct Claim {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The name, or `L` and the line.
    pub label: String,
    /// Line of the declaration, from 1.
    pub line: usize,
    /// Column of the declaration in characters, from 1.
    pub column: usize,
}

/// A hypothesis of a core.
#[derive(Serialize, Debug)]
pub struct Hypothesis {
    /// `axiom`, `derived`, `init`, `invariant` or `transition`.
    pub kind: &'static str,
    /// Name or label.
    pub label: String,
    /// The state that a derived relation's axiom speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u16>,
    /// Line of the declaration, from 1.
    pub line: usize,
}

/// A structure that refutes an obligation.
#[derive(Serialize, Debug)]
pub struct Counterexample {
    /// The structure.
    #[serde(flatten)]
    pub execution: Execution,
    /// What is false.
    pub violated: Violated,
}

/// States, with the transitions between them where there are some.
#[derive(Serialize, Debug)]
pub struct Execution {
    /// Elements by sort.
    pub universes: Vec<Universe>,
    /// Facts that hold in all states.
    pub immutable: Vec<Fact>,
    /// Facts per state.
    pub states: Vec<State>,
    /// What the initial part did, where state 0 is initial and the model has commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub initial: Vec<Statement>,
    /// The transitions from each state to the next; empty where no transition is taken.
    pub transitions: Vec<Step>,
}

/// The elements of a sort.
#[derive(Serialize, Debug)]
pub struct Universe {
    /// The sort.
    pub sort: String,
    /// Its elements.
    pub elements: Vec<String>,
    /// How people see them in state 0, by `@printed_by` or a total order, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Vec<String>>,
}

/// A state.
#[derive(Serialize, Debug)]
pub struct State {
    /// Facts about mutable symbols.
    pub facts: Vec<Fact>,
}

/// The value of a symbol at a tuple.
#[derive(Serialize, Debug)]
pub struct Fact {
    /// The symbol.
    pub symbol: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its value.
    pub value: Value,
}

/// A truth value or an element.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub enum Value {
    /// Of a relation.
    Bool(bool),
    /// Of a function or constant.
    Element(String),
}

/// A transition that was taken.
#[derive(Serialize, Debug)]
pub struct Step {
    /// The transition.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Binding>,
    /// The instances of its guard that made it possible, where the model has no commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// What its command did, where the model has commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
}

/// A statement that was executed.
#[derive(Serialize, Debug)]
pub struct Statement {
    /// Line of the statement, from 1.
    pub line: usize,
    /// Column of the statement in characters, from 1.
    pub column: usize,
    /// `if`, `choice`, `assume`, `assert` or `assign`.
    pub kind: &'static str,
    /// The value of the formula (`if`, `assume`, `assert`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<bool>,
    /// Which branch was taken, from 0 (`choice`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<usize>,
    /// The name of the branch (`choice`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// New values, where they differ from the old ones (`assign`, which `havoc` counts as).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Fact>>,
}

/// A variable with its value.
#[derive(Serialize, Debug)]
pub struct Binding {
    /// The variable.
    pub name: String,
    /// The element.
    pub value: String,
}

/// The formula that is false.
#[derive(Serialize, Debug)]
pub struct Violated {
    /// In the syntax of `.pyv`.
    pub formula: String,
    /// The state it speaks of.
    pub state: usize,
    /// Values of its variables.
    pub bindings: Vec<Binding>,
    /// The execution from that state that violates the assertion, where the claim is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Statement>,
}

/// Cost of an answer.
#[derive(Serialize, Debug)]
pub struct Stats {
    /// Satisfiability queries.
    pub queries: u64,
    /// Rounds of candidate structures.
    pub rounds: u64,
    /// Instances of universal clauses.
    pub instances: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Congruence lemmas.
    pub lemmas: u64,
    /// Ground terms.
    pub terms: u64,
    /// Work units.
    pub work: u64,
    /// Seconds in the SAT solver.
    pub sat_seconds: f64,
    /// Seconds in building candidate structures.
    pub candidate_seconds: f64,
    /// Seconds in the search for violated instances.
    pub join_seconds: f64,
    /// Seconds in all.
    pub total_seconds: f64,
}

/// A place in a file.
#[derive(Serialize, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// Line behind the last character.
    pub end_line: usize,
    /// Column behind the last character.
    pub end_column: usize,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

/// A place with a remark.
#[derive(Serialize, Debug)]
pub struct Label {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// What.
    pub text: String,
}

/// A diagnostic.
#[derive(Serialize, Debug)]
pub struct Diagnostic {
    /// Its code.
    pub code: &'static str,
    /// `warning` or `error`.
    pub severity: &'static str,
    /// One sentence.
    pub message: String,
    /// The main place.
    pub primary: Option<Label>,
    /// Other places.
    pub secondary: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

/// `ramsey bmc --format json`.
#[derive(Serialize, Debug)]
pub struct BoundedDocument {
    /// Name and version of the form.
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The answer.
    pub verdict: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// The model's path as it was given.
    pub path: String,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What to do about questions without an answer, where the answers do not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<String>,
    /// Whether elements may disappear between states.
    pub relaxed: bool,
    /// Steps of the longest executions that were asked for.
    pub depth: u16,
    /// What is claimed of every state.
    pub properties: Vec<BoundedProperty>,
    /// The answers, shortest executions first; those after the first that is not `ok` are not there.
    pub depths: Vec<BoundedDepth>,
    /// Whether the properties are part of an inductive invariant of the model: they then hold at every depth.
    pub by_induction: bool,
    /// What violates the property, if something does.
    pub violation: Option<BoundedViolation>,
    /// With `--stats`: wall-clock time of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A claim about every state.
#[derive(Serialize, Debug)]
pub struct BoundedProperty {
    /// `invariant`, `assertion`, or `formula` for one that the command line gives.
    pub kind: &'static str,
    /// The declaration; none for a formula.
    pub claim: Option<Claim>,
    /// The formula, in the syntax of `.pyv`.
    pub formula: String,
}

/// The answer for executions of one length.
#[derive(Serialize, Debug)]
pub struct BoundedDepth {
    /// How many steps; `null` for what comes before the initial states.
    pub steps: Option<u16>,
    /// `ok`, `violated`, `unknown` or `internal-error`.
    pub outcome: &'static str,
    /// Which budget ran out, or what went wrong inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With `--stats`: cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}

/// An execution that violates a property.
#[derive(Serialize, Debug)]
pub struct BoundedViolation {
    /// The property.
    pub property: BoundedProperty,
    /// The execution, and what is false in its last state.
    pub counterexample: Counterexample,
    /// Of a deadlock, why each transition cannot be taken in the last state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Vec<super::simulate::BlockedStep>>,
}

/// `ramsey trace --format json`.
#[derive(Serialize, Debug)]
pub struct TraceDocument {
    /// Name and version of the form.
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The most severe answer.
    pub verdict: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// The model's path as it was given.
    pub path: String,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What to do about questions without an answer, where the answers do not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<String>,
    /// In the order of the source.
    pub traces: Vec<Trace>,
    /// With `--stats`: wall-clock time of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A trace block with its answer.
#[derive(Serialize, Debug)]
pub struct Trace {
    /// Line of the block, from 1.
    pub line: usize,
    /// Column of the block in characters, from 1.
    pub column: usize,
    /// `sat` or `unsat`, as the model says.
    pub expected: &'static str,
    /// `sat`, `unsat`, `unknown` or `internal-error`.
    pub answer: &'static str,
    /// Which budget ran out, or what went wrong inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// An execution of this shape (`sat`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// With `--stats`: cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<Stats>,
}
