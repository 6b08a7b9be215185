//! JSON output of `ramsey solve`, as specified in `spec/solve.schema.json`.

use serde::{Deserialize, Serialize};

use super::document::Content;
use super::dto::Word;
use ramsey_services::session::{Model, Response};

/// Content of the output of `ramsey solve --format json`.
#[derive(Serialize, Deserialize, Debug, Default)]
pub struct SolveContent {
    /// Path of the problem.
    pub path: String,
    /// `dimacs`, `smtlib`, `tptp` or `aiger`; `null` if the language of the input is not recognized.
    pub language: Option<Word>,
    /// Answers in the order of the queries.
    pub answers: Vec<Answer>,
    /// Whether a signal ended the run.
    pub interrupted: bool,
    /// With `--certify` or `--export`: the files written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certified: Option<String>,
    /// With `--stats`: names of counters and their values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<std::collections::BTreeMap<Word, u64>>,
    /// With `--stats`: wall-clock time of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Answer to a command. Fields that do not apply to its kind are absent.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// `check` for answers to queries; for other commands of scripts `success`, `unsupported`, `error`, `echo`,
    /// `model`, `value`, `values`, `names`, `formulas`, `assignment`, `info` or `setting`.
    pub kind: Word,
    /// Line of the command in a script, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// `satisfiable`, `unsatisfiable` or `unknown`; for properties of circuits `safe`, `unsafe` or `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Word>,
    /// Position of the property of a circuit that was asked about, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<usize>,
    /// Reason for the answer `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// SZS status of a TPTP problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub szs: Option<Word>,
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
    /// Text of the answer; for TPTP the model as annotated formulas.
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
pub struct Value {
    /// The term as entered, or the name.
    pub of: String,
    /// The value in SMT-LIB syntax.
    pub value: String,
}

/// Model of a script. Texts are in SMT-LIB syntax.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct ModelDto {
    /// Universes in the order of declaration, without enumerations.
    pub universes: Vec<Universe>,
    /// Definitions in the order of declaration.
    pub definitions: Vec<Definition>,
}

/// Elements of a sort.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Universe {
    /// Name of the sort.
    pub sort: String,
    /// Names of its elements, at least one.
    pub elements: Vec<String>,
}

/// Interpretation of a symbol.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
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
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The arguments.
    pub args: Vec<String>,
    /// The value.
    pub value: String,
}

impl Content for SolveContent {
    const SCHEMA: &'static str = "ramsey/solve/1";
}

impl Answer {
    /// Creates the answer to a query.
    pub fn check(answer: &'static str) -> Answer {
        Answer { kind: "check".into(), answer: Some(answer.into()), ..Answer::default() }
    }

    /// Creates the answer to the command at `line` of a script; `None` if the response is empty. `reason` is the
    /// reason for the answer `unknown`.
    pub fn of_response(response: &Response, line: usize, reason: Option<String>) -> Option<Answer> {
        let of = |kind: &'static str| Answer { kind: kind.into(), ..Answer::default() };
        let pair = |(of, value): &(String, String)| Value { of: of.clone(), value: value.clone() };
        let answer = match response {
            Response::Silent | Response::Exit => return None,
            Response::Success => of("success"),
            Response::Unsupported(what) => Answer { text: Some(what.clone()), ..of("unsupported") },
            Response::Error(message) => Answer { text: Some(message.clone()), ..of("error") },
            Response::Sat => Answer::check("satisfiable"),
            Response::Unsat => Answer::check("unsatisfiable"),
            Response::Unknown => Answer { reason, ..Answer::check("unknown") },
            Response::Echo(text) => Answer { text: Some(text.clone()), ..of("echo") },
            Response::Model(model) => Answer { model: Some(model_dto(model)), ..of("model") },
            Response::Value(value) => Answer { text: Some(value.clone()), ..of("value") },
            Response::Values(values) => {
                Answer { values: Some(values.iter().map(pair).collect()), ..of("values") }
            }
            Response::Names(names) => Answer { items: Some(names.clone()), ..of("names") },
            Response::Formulas(formulas) => Answer { items: Some(formulas.clone()), ..of("formulas") },
            Response::Assignment(values) => {
                let value = |(of, value): &(String, bool)| Value { of: of.clone(), value: value.to_string() };
                Answer { values: Some(values.iter().map(value).collect()), ..of("assignment") }
            }
            Response::Info(rows) => Answer { values: Some(rows.iter().map(pair).collect()), ..of("info") },
            Response::Setting(value) => Answer { text: Some(value.clone()), ..of("setting") },
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
