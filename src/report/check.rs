//! Answers of `ramsey check`: verdict, text and data of the document.

use super::Verdict;
use super::json::check::{Accepted, CheckContent, CheckVerdict, Rejected};
use super::render::{Render, Shown};
#[cfg(feature = "cli")]
use super::{
    finding::{Rule, Status},
    results::Entry,
};

/// The checker's answer about a certificate.
#[derive(Debug)]
pub struct Report {
    /// The model's path as given.
    pub model: String,
    /// The certificate's path as given.
    pub certificate: String,
    /// What certificates are for another version of, in words.
    pub subject: &'static str,
    /// What the second front does not cover, if the model was read by one front alone for this.
    pub uncovered: Option<String>,
    /// The answer, with its line in text; `None` if there is none.
    pub answer: Option<(String, Result<Accepted, Rejected>)>,
}

impl Render for Report {
    type Content = CheckContent;

    fn verdict(&self) -> Option<Verdict> {
        let (_, answer) = self.answer.as_ref()?;
        Some(if answer.is_ok() { Verdict::Ok } else { Verdict::Counterexample })
    }

    fn text(&self, Shown { palette, .. }: Shown) -> String {
        let Some((line, answer)) = &self.answer else { return String::new() };
        let (word, same_source) = match answer {
            Ok(accepted) => (palette.good(CheckVerdict::Accepted.word()), Some(accepted.same_source)),
            Err(rejected) => (palette.bad(CheckVerdict::Rejected.word()), rejected.same_source),
        };
        let note = match same_source {
            Some(false) => format!("note: the certificate was made for another {}\n", self.subject),
            _ => String::new(),
        };
        let uncovered = self.uncovered.as_ref().map_or(String::new(), |what| {
            format!("note: the model was read by one front alone; the second one does not cover {what}\n")
        });
        format!("{word}: {line}\n{note}{uncovered}")
    }

    #[cfg(feature = "cli")]
    fn entries(&self, _: Shown) -> Vec<Entry> {
        let Some((line, answer)) = &self.answer else { return Vec::new() };
        let (status, word) = match answer {
            Ok(_) => (Status::Holds, CheckVerdict::Accepted.word()),
            Err(_) => (Status::Violated, CheckVerdict::Rejected.word()),
        };
        let asked = format!("certificate `{}` proves what it claims", self.certificate);
        let message = format!("certificate `{}` is {word}: {line}", self.certificate);
        vec![Entry::of_question(&self.model, Rule::Certificate, status, &asked, message)]
    }

    fn content(&self, _: Shown) -> CheckContent {
        let (accepted, rejected) = match &self.answer {
            Some((_, Ok(accepted))) => (Some(accepted.clone()), None),
            Some((_, Err(rejected))) => (None, Some(rejected.clone())),
            None => (None, None),
        };
        let (model, certificate) = (self.model.clone(), self.certificate.clone());
        CheckContent { model, certificate, uncovered: self.uncovered.clone(), accepted, rejected }
    }
}
