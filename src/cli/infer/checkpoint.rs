//! `--checkpoint`: the lemmas of a search in progress, with which a later run begins.

use std::path::{Path, PathBuf};

use crate::files::write_whole;
use crate::sources::{display, in_document, read_text};
use ramsey_core::base::digest::sha256;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Syntax;
use ramsey_engine::infer::{Counts, Event, Method};
use ramsey_report::json::infer::{CHECKPOINT, Checkpoint};
use ramsey_solver::formulas::Pretty;

/// Number of questions between two writes.
const INTERVAL: u64 = 2_000;

/// A file of checkpoints, with what is in it.
pub(super) struct Keeper {
    path: PathBuf,
    content: Checkpoint,
    /// The lemmas that are not refuted, by the method and the number that they have there.
    lemmas: Vec<(Method, usize, String)>,
    method: Method,
    /// Questions of the other methods of this run, and of the current one.
    questions: Vec<(Method, u64)>,
    /// Questions of the runs before.
    before: u64,
    next: u64,
    /// Whether the search is over. A lemma that is not inductive by then may become so in a later run.
    is_over: bool,
    error: Option<Diagnostic>,
}

impl Keeper {
    /// Reads the file, if it exists. `model` is the text of the model, with all included files.
    ///
    /// # Errors
    /// Returns an error if the file is no checkpoint, or one of another model or method.
    pub(super) fn open(path: &Path, model: &str, method: Method) -> Result<Keeper, Diagnostic> {
        let new = Checkpoint {
            schema: CHECKPOINT.into(),
            model: sha256(model),
            method: method.name().to_owned(),
            runs: 0,
            questions: 0,
            lemmas: Vec::new(),
        };
        let content = if path.exists() {
            let found = read_text(path).and_then(|text| Checkpoint::read(&text));
            let found = found.map_err(|error| in_document(path, error))?;
            let differs = |what: String| {
                let message = format!("--checkpoint: `{}` is of another search: {what}", display(path));
                let error = Diagnostic::error_nowhere(Code::Usage, message);
                error.help("remove the file to begin anew, or name another one")
            };
            if found.model != new.model {
                let error = differs("the text of the model is a different one".to_owned());
                return Err(error.note("`--from` takes the lemmas of an earlier version of the model"));
            }
            if found.method != new.method {
                return Err(differs(format!("it has `--method {}`", found.method)));
            }
            found
        } else {
            new
        };
        let before = content.questions;
        Ok(Keeper {
            path: path.to_owned(),
            content,
            lemmas: Vec::new(),
            method,
            questions: Vec::new(),
            before,
            next: INTERVAL,
            is_over: false,
            error: None,
        })
    }

    /// Returns the formulas of the lemmas in the file.
    pub(super) fn formulas(&self) -> &[String] {
        &self.content.lemmas
    }

    /// Returns the error for a formula of the file that does not fit the model.
    pub(super) fn unfit(&self, at: usize, reason: &str) -> Diagnostic {
        let error =
            Diagnostic::error_nowhere(Code::Document, format!("this is no claim of the model: {reason}"));
        in_document(&self.path, error.note(format!("at `/lemmas/{at}` of the document")))
    }

    /// Takes note of an event, and writes the file after a number of questions.
    pub(super) fn event(&mut self, syntax: Syntax<'_>, event: &Event, counts: &Counts) {
        match *event {
            Event::Started(method) => self.method = method,
            Event::Proposed { lemma, formula, .. } => {
                self.lemmas.push((self.method, lemma, Pretty::new(syntax, formula).to_string()));
            }
            Event::Refuted { lemma, .. } if !self.is_over => {
                self.lemmas.retain(|&(method, number, _)| (method, number) != (self.method, lemma));
            }
            Event::Stopped => {
                self.is_over = true;
                self.write();
            }
            Event::Refuted { .. }
            | Event::Preserved { .. }
            | Event::Widened { .. }
            | Event::Instance { .. }
            | Event::Outgrown { .. } => {}
        }
        match self.questions.iter_mut().find(|(method, _)| *method == self.method) {
            Some((_, questions)) => *questions = counts.questions,
            None => self.questions.push((self.method, counts.questions)),
        }
        if self.asked() >= self.next {
            self.next = self.asked() + INTERVAL;
            self.write();
        }
    }

    fn asked(&self) -> u64 {
        self.questions.iter().map(|(_, questions)| questions).sum()
    }

    /// Writes the file, unless writing has failed before.
    fn write(&mut self) {
        if self.error.is_some() {
            return;
        }
        let mut content = self.content.clone();
        content.runs = content.runs.saturating_add(1);
        content.questions = self.before.saturating_add(self.asked());
        // What an earlier run had proposed comes first, as it was tried first.
        for (_, _, formula) in &self.lemmas {
            if !content.lemmas.contains(formula) {
                content.lemmas.push(formula.clone());
            }
        }
        self.error = match content.text() {
            Ok(text) => write_whole(&self.path, text.as_bytes()).err(),
            Err(error) => Some(Diagnostic::error_nowhere(Code::Document, error.to_string())),
        };
    }

    /// Writes the file at the end of a run. Returns the error that ended writing, if there is one.
    pub(super) fn finish(mut self) -> Option<Diagnostic> {
        self.write();
        self.error
    }
}
