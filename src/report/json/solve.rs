//! JSON output of `ramsey solve`, as specified in `spec/solve.schema.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::words::words;
use ramsey_services::script::{Model, Response};

/// Content of the output of `ramsey solve --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct SolveContent {
    /// Path of the problem.
    pub path: String,
    /// The language of the input; `null` if it is not recognized.
    pub language: Option<Language>,
    /// Answers in the order of the queries.
    pub answers: Vec<Answer>,
    /// Whether a signal ended the run.
    pub interrupted: bool,
    /// With `--certify` or `--export`: the files written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certified: Option<String>,
    /// With `--stats`: names of counters and their values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<BTreeMap<String, u64>>,
}

words! {
    /// Language of a problem.
    pub enum Language {
        /// SAT problem.
        Dimacs = "dimacs",
        /// Circuit.
        Aiger = "aiger",
        /// Script.
        Smtlib = "smtlib",
        /// Problem of the TPTP library.
        Tptp = "tptp",
        /// Closed form with queries.
        Core = "core",
    }
}

words! {
    /// What is answered: queries, and commands of scripts.
    #[derive(Default)]
    pub enum AnswerKind {
        /// A query.
        #[default]
        Check = "check",
        /// The command was executed.
        Success = "success",
        /// The command is not supported.
        Unsupported = "unsupported",
        /// The command is wrong.
        Error = "error",
        /// A text to repeat.
        Echo = "echo",
        /// A model.
        Model = "model",
        /// The value of a term.
        Value = "value",
        /// Values of terms.
        Values = "values",
        /// Names of assertions.
        Names = "names",
        /// Assertions.
        Formulas = "formulas",
        /// Values of named formulas.
        Assignment = "assignment",
        /// Information about the solver.
        Info = "info",
        /// The value of an option.
        Setting = "setting",
    }
}

words! {
    /// Answer to a query.
    pub enum Decision {
        /// There is a model.
        Satisfiable = "satisfiable",
        /// There is none.
        Unsatisfiable = "unsatisfiable",
        /// No reachable state of the circuit violates the property.
        Safe = "safe",
        /// One does.
        Unsafe = "unsafe",
        /// The hypotheses of a query in closed form imply its goal.
        Holds = "holds",
        /// They do not.
        Fails = "fails",
        /// A budget ran out.
        Unknown = "unknown",
    }
}

/// Answer to a command. Fields that do not apply to its kind are absent.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Answer {
    /// What is answered.
    pub kind: AnswerKind,
    /// Line of the command in a script, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Name of a query in closed form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The answer to a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Decision>,
    /// Position of the property of a circuit that was asked about, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<usize>,
    /// Reason for the answer `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// SZS status of a TPTP problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub szs: Option<Cow<'static, str>>,
    /// Literals of a model of a SAT problem, in the order of variables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literals: Option<Vec<i32>>,
    /// Number of variables without an occurrence that are omitted from the literals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    /// Assumptions of a SAT query that suffice for its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Vec<i32>>,
    /// Model of a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelDto>,
    /// Text of the answer; for TPTP the model as annotated formulas, for a closed form the structure state by state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Names or formulas; for a circuit that is unsafe the lines of the witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<String>>,
    /// Terms, names or keywords with their values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
}

/// Term, name or keyword with its value.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Value {
    /// The term as entered, or the name.
    pub of: String,
    /// The value in SMT-LIB syntax.
    pub value: String,
}

/// Model of a script. Texts are in SMT-LIB syntax.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Model"))]
pub struct ModelDto {
    /// Universes in the order of declaration, without enumerations.
    pub universes: Vec<Universe>,
    /// Definitions in the order of declaration.
    pub definitions: Vec<Definition>,
}

/// Elements of a sort.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Universe {
    /// Name of the sort.
    pub sort: String,
    /// Names of its elements, at least one.
    pub elements: Vec<String>,
}

/// Interpretation of a symbol.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Definition {
    /// Name of the symbol.
    pub name: String,
    /// Its argument sorts.
    pub args: Vec<String>,
    /// Its result sort.
    pub result: String,
    /// Value at all arguments without a case.
    pub default: String,
    /// Values at arguments.
    pub cases: Vec<Case>,
}

/// Value at one tuple of arguments.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Case {
    /// The arguments.
    pub args: Vec<String>,
    /// The value.
    pub value: String,
}

impl Answer {
    /// Creates the answer to a query.
    pub fn check(answer: Decision) -> Answer {
        Answer { answer: Some(answer), ..Answer::default() }
    }

    /// Creates the answer to the command at `line` of a script; `None` if the response is empty. `reason` is the
    /// reason for the answer `unknown`.
    pub fn of_response(response: &Response, line: usize, reason: Option<String>) -> Option<Answer> {
        let of = |kind| Answer { kind, ..Answer::default() };
        let pair = |(of, value): &(String, String)| Value { of: of.clone(), value: value.clone() };
        let answer = match response {
            Response::Silent | Response::Exit => return None,
            Response::Success => of(AnswerKind::Success),
            Response::Unsupported(what) => Answer { text: Some(what.clone()), ..of(AnswerKind::Unsupported) },
            Response::Error(message) => Answer { text: Some(message.clone()), ..of(AnswerKind::Error) },
            Response::Sat => Answer::check(Decision::Satisfiable),
            Response::Unsat => Answer::check(Decision::Unsatisfiable),
            Response::Unknown => Answer { reason, ..Answer::check(Decision::Unknown) },
            Response::Echo(text) => Answer { text: Some(text.clone()), ..of(AnswerKind::Echo) },
            Response::Model(model) => Answer { model: Some(model_dto(model)), ..of(AnswerKind::Model) },
            Response::Value(value) => Answer { text: Some(value.clone()), ..of(AnswerKind::Value) },
            Response::Values(values) => {
                Answer { values: Some(values.iter().map(pair).collect()), ..of(AnswerKind::Values) }
            }
            Response::Names(names) => Answer { items: Some(names.clone()), ..of(AnswerKind::Names) },
            Response::Formulas(formulas) => {
                Answer { items: Some(formulas.clone()), ..of(AnswerKind::Formulas) }
            }
            Response::Assignment(values) => {
                let value = |(of, value): &(String, bool)| Value { of: of.clone(), value: value.to_string() };
                Answer { values: Some(values.iter().map(value).collect()), ..of(AnswerKind::Assignment) }
            }
            Response::Info(rows) => {
                Answer { values: Some(rows.iter().map(pair).collect()), ..of(AnswerKind::Info) }
            }
            Response::Setting(value) => Answer { text: Some(value.clone()), ..of(AnswerKind::Setting) },
        };
        Some(Answer { line: Some(line), ..answer })
    }
}

fn model_dto(model: &Model) -> ModelDto {
    let universes = model.universes.iter();
    let definitions = model.definitions.iter().map(|definition| Definition {
        name: definition.name.clone(),
        args: definition.args.clone(),
        result: definition.result.clone(),
        default: definition.default.clone(),
        cases: (definition.cases.iter())
            .map(|(args, value)| Case { args: args.clone(), value: value.clone() })
            .collect(),
    });
    ModelDto {
        universes: universes
            .map(|it| Universe { sort: it.sort.clone(), elements: it.elements.clone() })
            .collect(),
        definitions: definitions.collect(),
    }
}
