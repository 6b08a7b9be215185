//! Models of a session, loaded from text.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::infer::Exploration;
use ramsey_engine::query::cti;
use ramsey_lang::{self as lang, FormulaKind, Language};
use ramsey_report::picture::Theme;

/// Returns the text of an included file, from the name of the including file and the path as written.
pub type ReadIncluded = dyn Fn(&str, &str) -> Result<Source, String> + Send + Sync;

/// Judges a model that was read by its diagnostics and its meaning: some of what is a warning to the reader of a language
/// is an error to a command. A model with errors is dropped.
pub type Judge = dyn Fn(Option<System>, Vec<Diagnostic>) -> (Option<System>, Vec<Diagnostic>) + Send + Sync;

/// Loads the texts of a session's model.
pub struct Loader {
    name: String,
    language: Language,
    /// The text of a theme file, by which pictures are drawn.
    theme: String,
    read: Box<ReadIncluded>,
    judge: Box<Judge>,
}

impl std::fmt::Debug for Loader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loader")
            .field("name", &self.name)
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

impl Loader {
    /// Creates the loader of a model with the name of its file.
    pub fn new(name: &str, language: Language, read: Box<ReadIncluded>) -> Loader {
        let judge = Box::new(|system, diagnostics| (system, diagnostics));
        Loader { name: name.to_owned(), language, theme: String::new(), read, judge }
    }

    /// Judges models by a function; without it, they are as the front end of their language has them.
    #[must_use]
    pub fn with_judge(self, judge: Box<Judge>) -> Loader {
        Loader { judge, ..self }
    }

    /// Draws pictures by a theme file with this text.
    #[must_use]
    pub fn with_theme(self, text: String) -> Loader {
        Loader { theme: text, ..self }
    }

    /// Returns how pictures are drawn. Lines of the theme file that do not fit the system say nothing.
    pub(super) fn theme(&self, system: &System) -> Theme {
        let mut theme = Theme::PLAIN;
        for line in self.theme.lines() {
            // The caller has reported misfits; a model that has changed since may have others.
            let _ = theme.add_file(system, line);
        }
        theme
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the language.
    pub fn language(&self) -> Language {
        self.language
    }

    fn gather(&self, text: &str) -> (Sources, FileId, ramsey_lang::Includes) {
        let mut sources = Sources::new();
        let file = sources.push(Source::new(self.name.clone(), text.to_owned()));
        let includes =
            self.language.format().gather(file, &mut sources, &mut |from, path| (self.read)(from, path));
        (sources, file, includes)
    }

    /// Loads a text.
    pub fn load(&self, text: &str) -> Model {
        let (sources, file, includes) = self.gather(text);
        let (system, diagnostics) = lang::load(self.language, file, &sources, &includes);
        let (system, diagnostics) = (self.judge)(system, diagnostics);
        Model::new(self.language, (sources, file), system.map(Arc::new), diagnostics)
    }

    /// Loads a text together with a formula. Diagnostics are those of the formula.
    pub fn load_with_formula(
        &self,
        text: &str,
        formula: &str,
        kind: FormulaKind<'_>,
    ) -> Result<(System, TermId), FormulaError> {
        let (mut sources, file, includes) = self.gather(text);
        let formula = sources.push(Source::new("<formula>".to_owned(), formula.to_owned()));
        let mut budget = Budget::unlimited();
        let loaded =
            lang::load_with_formula(self.language, file, formula, kind, &sources, &includes, &mut budget);
        let (found, diagnostics) = loaded.unwrap_or_default();
        let (_, mut diagnostics) = (self.judge)(None, diagnostics);
        let found = found.filter(|_| !diagnostics.iter().any(|it| it.severity == Severity::Error));
        diagnostics.retain(|it| it.severity == Severity::Error);
        found.ok_or(FormulaError { diagnostics, sources })
    }
}

/// Errors in a formula.
#[derive(Debug)]
pub struct FormulaError {
    /// The errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that they refer to.
    pub sources: Sources,
}

impl FormulaError {
    /// Returns the first error on a line, with its column in the formula and a hint.
    pub fn text(&self) -> String {
        self.text_at(|column| column)
    }

    /// Returns the same with the column that `place` has for that in the formula.
    pub(super) fn text_at(&self, place: impl Fn(usize) -> usize) -> String {
        let Some(first) = self.diagnostics.first() else {
            return "this is no formula about the model".to_owned();
        };
        let column = first.primary.as_ref().and_then(|label| {
            let source = self.sources.get(label.span.file)?;
            (source.name == "<formula>").then(|| source.line_column(label.span.start).1)
        });
        let place = column.map_or(String::new(), |column| format!("column {}: ", place(column)));
        let help = first.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{place}{}{help}", first.message)
    }
}

/// Counterexamples to an obligation, with the signature and terms that they are over.
pub(super) type Ctis = Arc<cti::Answer>;

/// A model of a session.
#[derive(Debug)]
pub struct Model {
    /// Its text.
    pub text: String,
    /// Its language.
    pub language: Language,
    /// Its meaning, if it has no error.
    pub system: Option<Arc<System>>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that diagnostics and the system refer to.
    pub sources: Sources,
    /// The model's own text among these.
    pub file: FileId,
    /// Counterexamples found so far, by claim, transition, and whether they are all of the smallest ones. Questions about
    /// one of them need it again.
    pub(super) ctis: Mutex<Map<(String, String, bool), Ctis>>,
    /// Names of the variables that nothing reads.
    pub(super) unread: OnceLock<Vec<String>>,
    /// Reachable states of small instances, once a question needs them.
    exploration: Mutex<Option<Arc<Exploration>>>,
}

impl Model {
    /// Returns a model that was read from a file among these sources.
    pub fn new(
        language: Language,
        (sources, file): (Sources, FileId),
        system: Option<Arc<System>>,
        diagnostics: Vec<Diagnostic>,
    ) -> Model {
        Model {
            text: sources[file].text.clone(),
            language,
            system,
            diagnostics,
            sources,
            file,
            ctis: Mutex::default(),
            unread: OnceLock::new(),
            exploration: Mutex::default(),
        }
    }

    /// Returns the states explored, if there are any. Nothing waits for an exploration here.
    pub(super) fn explored(&self) -> Option<Arc<Exploration>> {
        self.exploration.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps states explored, which are those of all models with the same transitions.
    pub(super) fn keep(&self, explored: &Arc<Exploration>) {
        *self.exploration.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(explored));
    }

    /// Returns the line of a place in the model's own text, from 1; `None` for places in other files.
    pub(super) fn line(&self, span: ramsey_core::base::span::Span) -> Option<usize> {
        (span.file == self.file).then(|| self.sources[self.file].line_column(span.start).0)
    }
}
