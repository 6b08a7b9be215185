//! Tasks for many machines, results of them, and the manifest of a round, as specified in `spec/tasks.md`.
//!
//! All three are read as the bytes of strangers: nothing in them is more than a proposal.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schemas")]
use serde_json::Value;

pub use super::file::Kind;
use super::infer::MethodName;
#[cfg(feature = "schemas")]
use super::schema;
use super::structure::Values;
use ramsey_core::base::digest::sha256;

/// Returns the names and the schemas of these files.
#[cfg(feature = "schemas")]
pub fn schemas() -> [(&'static str, Value); 3] {
    [schema::of_file::<Task>(), schema::of_file::<TaskResult>(), schema::of_file::<Manifest>()]
}

/// A piece of work that needs nothing but the program and this file.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// [`Kind::SCHEMA`].
    pub schema: String,
    /// SHA-256 of the task as compact JSON, with this field empty.
    pub id: String,
    /// The version of the program that it is for.
    pub version: String,
    /// What is asked.
    pub question: Question,
    /// Work units after which the search ends.
    pub work: u64,
    /// The model.
    pub model: Model,
}

impl Kind for Task {
    const SCHEMA: &'static str = "ramsey/task/1";
    const WHAT: &'static str = "a task";
}

impl Task {
    /// Creates a task of this version of the program.
    ///
    /// # Errors
    /// Returns an error if the writer of JSON refuses the data, which it never does.
    pub fn new(model: Model, question: Question, work: u64) -> serde_json::Result<Task> {
        let (schema, version) = (Self::SCHEMA.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let mut task = Task { schema, id: String::new(), version, question, work, model };
        task.id = task.digest()?;
        Ok(task)
    }

    /// Returns the digest of the content.
    ///
    /// # Errors
    /// Returns an error if the writer of JSON refuses the data, which it never does.
    pub fn digest(&self) -> serde_json::Result<String> {
        let task = Task { id: String::new(), ..self.clone() };
        Ok(sha256(&serde_json::to_string(&task)?))
    }
}

/// The text of a model with all that it includes.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The name of the language, as in `--language`.
    pub language: String,
    /// The isolate that is meant, if it is not the whole program.
    pub isolate: Option<String>,
    /// Whether the rules that keep the language decidable bind the model.
    pub strict: bool,
    /// SHA-256 of the text from which the digests of certificates are computed.
    pub digest: String,
    /// The files: first the model itself.
    pub files: Vec<File>,
    /// Which file is meant where one includes another.
    pub inclusions: Vec<Inclusion>,
}

/// A file of a model.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The name in messages, without folders.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A file that another one includes.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Inclusion {
    /// The including file, by its place in the list.
    pub from: usize,
    /// The path as it is written there.
    pub path: String,
    /// The included file, by its place in the list.
    pub file: usize,
}

/// What a task asks.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// An inductive invariant that implies the safety properties.
    Infer(InferQuestion),
    /// Whether executions of these lengths, which begin so, violate a claim.
    Bmc(BmcQuestion),
    /// Whether a claim holds with so many elements of each sort.
    Instance(InstanceQuestion),
}

/// A search for an inductive invariant.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InferQuestion {
    /// The method.
    pub method: MethodName,
    /// Quantifier prefixes of lemmas, as in `--prefix`.
    pub prefixes: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// Whether the model's invariants that are no safety properties are candidates.
    pub use_invariants: bool,
    /// Lemmas that other tasks have found: candidates, in the language of the model.
    pub lemmas: Vec<String>,
}

/// Executions of some lengths that begin in one way.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BmcQuestion {
    /// The claims, as in `--property`; the safety properties and assertions of the model if there are none.
    pub properties: Vec<String>,
    /// The shortest length.
    pub from: u16,
    /// The longest length.
    pub to: u16,
    /// The first transitions, by name.
    pub first: Vec<String>,
    /// The seed.
    pub seed: u64,
}

/// A finite instance.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InstanceQuestion {
    /// The claims, as in `--property`; the safety properties and assertions of the model if there are none.
    pub properties: Vec<String>,
    /// The sizes of sorts, as arguments of `instance`: `node=3`.
    pub sizes: Vec<String>,
    /// The seed.
    pub seed: u64,
}

/// What a worker says of a task.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskResult {
    /// [`Kind::SCHEMA`].
    pub schema: String,
    /// The id of the task.
    pub task: String,
    /// The version of the program that ran it.
    pub version: String,
    /// The answer.
    pub answer: Answer,
}

impl Kind for TaskResult {
    const SCHEMA: &'static str = "ramsey/task-result/1";
    const WHAT: &'static str = "the result of a task";
}

impl TaskResult {
    /// Creates the result of a task.
    pub fn new(task: &Task, answer: Answer) -> TaskResult {
        let (schema, version) = (Self::SCHEMA.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        TaskResult { schema, task: task.id.clone(), version, answer }
    }
}

/// An answer, with what shows it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Answer {
    /// The safety properties are inductive together with lemmas.
    Invariant {
        /// The lemmas, in the language of the model.
        lemmas: Vec<String>,
    },
    /// An execution violates a safety property.
    Violation {
        /// The execution.
        execution: Execution,
    },
    /// An execution in which elements disappear violates a safety property, so that no universal invariant implies it.
    NoUniversalInvariant {
        /// The execution, of the relaxed form of the model.
        execution: Execution,
    },
    /// There is no answer to a search for an invariant.
    Unknown {
        /// Why.
        reason: String,
        /// Lemmas that are inductive together.
        lemmas: Vec<String>,
    },
    /// Executions of the shortest lengths of the task do not violate the claim.
    Bounded {
        /// The number of lengths.
        lengths: u16,
        /// The certificate of it; none if there is no such length.
        certificate: Option<String>,
        /// An execution of the next length that does.
        violation: Option<Execution>,
        /// Why the next length has no answer, if there is none.
        reason: Option<String>,
    },
    /// Certificates about the circuits of an instance: that of the part before the initial states, if a claim is about it, and
    /// that of the states, as far as they are decided. The last one may have an execution.
    Instance {
        /// The certificates.
        certificates: Vec<String>,
        /// Why the next circuit has no answer, if there is none.
        reason: Option<String>,
    },
}

/// States and the transitions between them, with all that they depend on.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// Number of elements of each sort, in the order of the model.
    pub sizes: Vec<Size>,
    /// The value of each symbol, in the order of the model.
    pub symbols: Vec<SymbolValues>,
    /// The transitions.
    pub calls: Vec<TaskCall>,
}

/// Number of elements of a sort.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// The sort.
    pub sort: String,
    /// The number.
    pub size: u32,
}

/// Values of a symbol.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SymbolValues {
    /// The symbol.
    pub symbol: String,
    /// Its values in each state; once if they are the same in all.
    pub states: Vec<Values>,
}

/// A transition with the values of its parameters.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskCall {
    /// The transition.
    pub transition: String,
    /// The values: numbers of elements.
    pub args: Vec<u32>,
}

/// The tasks of a round.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`Kind::SCHEMA`].
    pub schema: String,
    /// The version of the program.
    pub version: String,
    /// The number of the round, from 1.
    pub round: u32,
    /// The command line that asked.
    pub command: Vec<String>,
    /// SHA-256 of the text from which the digests of certificates are computed.
    pub model: String,
    /// What is asked in all.
    pub plan: Plan,
    /// The tasks.
    pub tasks: Vec<Entry>,
}

impl Kind for Manifest {
    const SCHEMA: &'static str = "ramsey/task-manifest/1";
    const WHAT: &'static str = "a manifest of tasks";
}

/// A task of a round.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of its file, and of that of its result.
    pub file: String,
    /// Its id.
    pub id: String,
    /// Its limit of work.
    pub work: u64,
}

/// What is asked in all, from which the tasks follow.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Plan {
    /// An inductive invariant that implies the safety properties.
    Infer(InferPlan),
    /// Whether executions up to a length violate a claim.
    Bmc(BmcPlan),
    /// Whether claims hold with some numbers of elements.
    Instance(InstancePlan),
}

/// Searches for an inductive invariant, one per method, prefix and seed.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InferPlan {
    /// The methods.
    pub methods: Vec<MethodName>,
    /// Quantifier prefixes: each is a search of its own for the methods that take one.
    pub prefixes: Vec<String>,
    /// The first seed.
    pub first_seed: u64,
    /// The number of seeds.
    pub seeds: u64,
    /// Whether the model's invariants that are no safety properties are candidates.
    pub use_invariants: bool,
    /// Lemmas of the rounds before, which are inductive together.
    pub lemmas: Vec<String>,
}

/// Bounded model checking.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BmcPlan {
    /// The claims, as in `--property`; the safety properties and assertions of the model if there are none.
    pub properties: Vec<String>,
    /// Whether each claim has tasks of its own.
    pub per_claim: bool,
    /// The longest length.
    pub depth: u16,
    /// The number of lengths in a task.
    pub lengths: u16,
    /// The number of first transitions that tasks are split by.
    pub split: u16,
    /// The seed.
    pub seed: u64,
}

/// Finite instances.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InstancePlan {
    /// The claims, as in `--property`; the safety properties and assertions of the model if there are none.
    pub properties: Vec<String>,
    /// Whether each claim has tasks of its own.
    pub per_claim: bool,
    /// The sizes, as arguments of `instance`, of each instance.
    pub sizes: Vec<Vec<String>>,
    /// The seed.
    pub seed: u64,
}
