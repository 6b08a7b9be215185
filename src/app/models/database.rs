//! Models by their texts.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::memo::Memo;
use super::policy::Policy;
use super::text::{Meaning, ModelText};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::digest::sha256;
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::{FileId, Source, Sources, Span};
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::infer::Exploration;
use ramsey_engine::query::cti;
use ramsey_lang::{FormulaKind, Language, Unread};

/// Returns the text of an included file, from the name of the including file and the path as written.
pub type ReadIncluded = dyn Fn(&str, &str) -> Result<Source, Unread> + Send + Sync;

/// Number of models from which on those that nobody has are dropped.
const MANY: usize = 32;

/// The models that stand at one place, by their texts: the one that is there, and those that are put in its place. Each is
/// read once.
pub struct Database {
    name: String,
    language: Language,
    policy: Policy,
    /// The isolate that is meant, if it is not the whole program.
    isolate: Option<Arc<str>>,
    /// The text of a theme file, by which pictures are drawn.
    theme: String,
    read: Box<ReadIncluded>,
    /// Models by the digests and names of all their files.
    models: Mutex<Map<String, Arc<Model>>>,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database")
            .field("name", &self.name)
            .field("language", &self.language)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl Database {
    /// Creates the database of a place, which is the name of a file. All models have to keep the rules of the policy.
    pub fn new(name: &str, language: Language, policy: Policy, read: Box<ReadIncluded>) -> Database {
        let (name, theme) = (name.to_owned(), String::new());
        Database { name, language, policy, isolate: None, theme, read, models: Mutex::default() }
    }

    /// Restricts all models to the isolate of this name, if there is one.
    #[must_use]
    pub fn in_isolate(self, isolate: Option<Arc<str>>) -> Database {
        Database { isolate, ..self }
    }

    /// Draws pictures by a theme file with this text.
    #[must_use]
    pub fn with_theme(self, text: String) -> Database {
        Database { theme: text, ..self }
    }

    /// Returns the text of the theme file.
    pub fn theme(&self) -> &str {
        &self.theme
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Returns the model with this text. Included files are read each time, and a model with others is another one.
    pub fn load(&self, text: &str) -> Arc<Model> {
        let mut sources = Sources::new();
        let file = sources.push(Source::new(self.name.clone(), text.to_owned()));
        let includes =
            self.language.format().gather(file, &mut sources, &mut |from, path| (self.read)(from, path));
        let text = Arc::new(ModelText::new(self.language, file, includes).in_isolate(self.isolate.clone()));
        let of_source = |source: &Source| format!("{} {}\n", sha256(&source.text), source.name);
        let digest: String = sources.iter().map(of_source).collect();
        if let Some(known) = self.models.lock().unwrap_or_else(PoisonError::into_inner).get(&digest) {
            return Arc::clone(known);
        }
        let meaning = text.read(&self.policy, &sources, &mut Budget::unlimited());
        let model = Arc::new(Model::new(text, sources, self.policy.clone(), meaning));
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        if models.len() >= MANY {
            models.retain(|_, model| Arc::strong_count(model) > 1);
        }
        // Another thread may have read it meanwhile.
        Arc::clone(models.entry(digest).or_insert(model))
    }
}

/// A model with what was found out about it.
#[derive(Debug)]
pub struct Model {
    /// Its meaning, if it has no error.
    pub system: Option<Arc<System>>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that diagnostics and the system refer to.
    pub sources: Sources,
    text: Arc<ModelText>,
    policy: Policy,
    /// Counterexamples found so far, by claim, transition, and whether they are all of the smallest ones. Questions about
    /// one of them need it again.
    pub(crate) ctis: Memo<(String, String, bool), cti::Answer>,
    /// Names of the variables that nothing reads.
    pub(crate) dead: OnceLock<Vec<String>>,
    /// Reachable states of small instances, once a question needs them. They are those of all models with the same
    /// transitions.
    pub(crate) exploration: Memo<(), Exploration>,
}

impl Model {
    /// Returns a model that was read by a policy.
    pub fn new(text: Arc<ModelText>, sources: Sources, policy: Policy, meaning: Meaning) -> Model {
        let (system, diagnostics) = meaning;
        Model {
            system,
            diagnostics,
            sources,
            text,
            policy,
            ctis: Memo::default(),
            dead: OnceLock::new(),
            exploration: Memo::default(),
        }
    }

    /// Returns its meaning with its errors and warnings.
    pub fn meaning(&self) -> Meaning {
        (self.system.clone(), self.diagnostics.clone())
    }

    /// Returns its own text.
    pub fn text(&self) -> &str {
        &self.sources[self.file()].text
    }

    /// Returns the digest of its text and of all that it includes, which certificates have too.
    pub fn digest(&self) -> String {
        sha256(self.source_text().as_bytes())
    }

    /// Returns the text from which a certificate's digest is computed.
    pub fn source_text(&self) -> std::borrow::Cow<'_, str> {
        self.text.source_text(&self.sources)
    }

    /// Returns its language.
    pub fn language(&self) -> Language {
        self.text.language()
    }

    /// Returns the names of the isolates that `verify` checks one by one where this is the whole program; none if it has none.
    pub fn parts(&self, budget: &mut Budget) -> Vec<Arc<str>> {
        let texts = self.text.isolates(&self.sources, budget).0.unwrap_or_default();
        texts.iter().filter_map(|it| it.isolate().cloned()).collect()
    }

    /// Returns the isolate that is meant, if it is not the whole program.
    pub fn isolate(&self) -> Option<Arc<str>> {
        self.text.isolate().cloned()
    }

    /// Returns its own text among the sources.
    pub fn file(&self) -> FileId {
        self.text.file()
    }

    /// Returns the line of a place in the model's own text, from 1; `None` for places in other files.
    pub fn line(&self, span: Span) -> Option<usize> {
        (span.file == self.file()).then(|| self.sources[span.file].line_column(span.start).0)
    }

    /// Returns the system together with a formula. A claim has to keep the rules that claims of the model have to keep.
    ///
    /// # Errors
    /// Returns the errors in the formula.
    pub fn with_formula(
        &self,
        formula: &str,
        kind: FormulaKind<'_>,
    ) -> Result<(System, TermId), FormulaError> {
        let mut sources = self.sources.clone();
        let file = sources.push(Source::new("<formula>".to_owned(), formula.to_owned()));
        let policy = if kind == FormulaKind::Claim { &self.policy } else { &Policy::LENIENT };
        let (found, mut diagnostics) =
            self.text.with_formulas((&[file], kind), policy, &sources, &mut Budget::unlimited());
        diagnostics.retain(|it| it.severity == Severity::Error);
        let found = found.and_then(|(system, formulas)| Some((system, *formulas.first()?)));
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
    pub(crate) fn text_at(&self, place: impl Fn(usize) -> usize) -> String {
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
