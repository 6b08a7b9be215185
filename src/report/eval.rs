//! Answers of `ramsey eval`: verdict, text and data of the document.

use std::fmt::Write as _;

use super::json::bindings_dto;
use super::json::eval::EvalContent;
use super::render::{Render, Shown};
use super::trace::falsification_parts;
use super::{Names, Verdict};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::system::System;
use ramsey_engine::query::evaluate::Evaluation;

/// The value of a formula in a state.
#[derive(Debug)]
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// The formula as given.
    pub formula: &'a str,
    /// Number of the state.
    pub state: usize,
    /// The value; `None` if there is no such formula or state.
    pub found: Option<Found>,
}

/// A value, or the limit that was reached.
#[derive(Debug)]
pub struct Found {
    /// The system that holds the terms of the formula.
    pub system: System,
    /// The value.
    pub value: Result<Evaluation, Exhausted>,
    /// Names of elements in text.
    pub shown: Names,
    /// Names of elements in documents.
    pub plain: Names,
}

impl Render for Report<'_> {
    type Content = EvalContent;

    fn verdict(&self) -> Option<Verdict> {
        Some(match self.found.as_ref()?.value {
            Err(_) => Verdict::Unknown,
            Ok(Evaluation { value: true, .. }) => Verdict::Ok,
            Ok(_) => Verdict::Counterexample,
        })
    }

    fn text(&self, Shown { palette, .. }: Shown) -> String {
        let Some(Found { system, value, shown: names, .. }) = &self.found else { return String::new() };
        let evaluation = match value {
            Ok(evaluation) => evaluation,
            Err(exhausted) => return format!("{}\n", palette.caution(&format!("unknown ({exhausted})"))),
        };
        let word = if evaluation.value { palette.good("true") } else { palette.bad("false") };
        let mut text = format!("{word}\n");
        let (part, bindings) = falsification_parts(system.syntax(), names, &evaluation.shown);
        if !evaluation.value || !bindings.is_empty() {
            let _ = writeln!(text, "  {part}");
        }
        if !bindings.is_empty() {
            let values: Vec<String> =
                bindings.iter().map(|(var, value)| format!("{var} = {value}")).collect();
            let _ = writeln!(text, "  for {}", values.join(", "));
        }
        text
    }

    fn content(&self, _: Shown) -> EvalContent {
        let mut content = EvalContent {
            model: self.path.to_owned(),
            formula: self.formula.to_owned(),
            state: self.state,
            ..EvalContent::default()
        };
        let Some(Found { system, value, plain: names, .. }) = &self.found else { return content };
        match value {
            Ok(evaluation) => {
                let (part, bindings) = falsification_parts(system.syntax(), names, &evaluation.shown);
                content.value = Some(evaluation.value);
                content.part = Some(part);
                content.bindings = bindings_dto(bindings);
            }
            Err(exhausted) => content.reason = Some(exhausted.to_string()),
        }
        content
    }
}
