//! Models of a run of `ramsey verify`.

use std::sync::Arc;
use std::time::Instant;

use rayon::ThreadPool;

use crate::args::VerifyArgs;
use crate::claims::{has_claims, nothing_to_check};
use crate::sources::Input;
use ramsey_app::models::{Insistence, Meaning, Methods, ModelText, Policy};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_core::system::{Method, System};
use ramsey_kernel::obligations::Question;
use ramsey_lang::prophecy::Prophecies;
use ramsey_report::Verdict;
use ramsey_report::json::dto;

/// A file of the run, or an isolate of it, with its results.
pub(super) struct Model {
    pub(super) name: String,
    /// The isolate, if it is not the whole file.
    pub(super) isolate: Option<Arc<str>>,
    /// Files of a directory that it includes.
    pub(super) parts: Vec<String>,
    /// Its certificate, once written.
    pub(super) certificate: Option<dto::Certificate>,
    /// The text, if it could be read.
    pub(super) text: Option<Arc<ModelText>>,
    pub(super) system: Option<Arc<System>>,
    /// Whether its claims are decided as it wants.
    pub(super) follows_methods: bool,
    /// What the proofs of its claims name, if these are decided by executions of any length.
    pub(super) prophecies: Option<Prophecies>,
    /// Whether all obligations are known to lie in the fragment.
    pub(super) is_inside: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Number of diagnostics already printed.
    pub(super) printed: usize,
}

impl Model {
    /// Returns how its claims about states are decided, unless they are to be shown to be inductive.
    pub(super) fn method(&self) -> Option<Method> {
        let (method, _) = self.system.as_ref()?.method?;
        self.follows_methods.then_some(method)
    }

    pub(super) fn verdict(&self) -> Verdict {
        Verdict::of_diagnostics(&self.diagnostics)
    }

    /// Returns how answers call it.
    pub(super) fn title(&self) -> String {
        match &self.isolate {
            Some(isolate) => format!("{}, isolate {isolate}", self.name),
            None => self.name.clone(),
        }
    }

    /// Returns the name from which those of its files are made.
    pub(super) fn stem(&self) -> String {
        match &self.isolate {
            Some(isolate) => format!("{}.{isolate}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Loads the texts of the files as models, in parallel. A program with isolates becomes one model for each.
pub(super) fn load(
    inputs: Vec<Input>,
    args: &VerifyArgs,
    question: &Question,
    sources: &Sources,
    pool: Option<&ThreadPool>,
    start: Instant,
) -> Vec<Model> {
    let insistence = if args.strict { Insistence::Everybody } else { Insistence::Promised };
    let fragment = Some((question.clone(), insistence));
    let follows_methods = *question == Question::Verify && !args.inductive;
    let methods = if follows_methods { Methods::Followed } else { Methods::Ignored };
    let policy = Policy { has_lints: true, methods, fragment, ..args.form.strictness.into() };
    let load_one = |input: Input| {
        let mut reading = args.limits.reading(start);
        let is_inside = policy.inside(input.language).is_some();
        let model = |text: Option<Arc<ModelText>>, (system, diagnostics): Meaning| {
            let is_good = Verdict::of_diagnostics(&diagnostics) == Verdict::Ok;
            Model {
                name: input.name.clone(),
                isolate: text.as_ref().and_then(|text| text.isolate().cloned()),
                parts: input.parts.clone(),
                certificate: None,
                text,
                system: system.filter(|_| is_good),
                follows_methods,
                prophecies: None,
                is_inside,
                diagnostics,
                printed: 0,
            }
        };
        let isolates = match &input.text {
            Ok(text) if !args.whole => Isolates::read(text, sources, &mut reading),
            _ => None,
        };
        let Some(isolates) = isolates else {
            let meaning = input.read(&policy, sources, &mut reading);
            return vec![model(input.text.clone().ok(), meaning)];
        };
        let mut models = Vec::new();
        let mut told = isolates.diagnostics;
        if Verdict::of_diagnostics(&told) == Verdict::Ok && isolates.texts.is_empty() {
            // All isolates are trusted.
            told.push(nothing_to_check(&input.name, question, args.strict));
        }
        if Verdict::of_diagnostics(&told) != Verdict::Ok || isolates.texts.is_empty() {
            return vec![model(input.text.clone().ok(), (None, told))];
        }
        for text in isolates.texts {
            let policy = Policy { has_lints: false, ..policy.clone() };
            let (system, mut found) = text.read(&policy, sources, &mut reading);
            found.retain(|it| !told.contains(it));
            found.splice(0..0, std::mem::take(&mut told));
            models.push(model(Some(Arc::new(text)), (system, found)));
        }
        without_empty(models, question)
    };
    match pool {
        Some(pool) => {
            use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
            pool.install(|| inputs.into_par_iter().map(load_one).collect::<Vec<_>>())
                .into_iter()
                .flatten()
                .collect()
        }
        None => inputs.into_iter().flat_map(load_one).collect(),
    }
}

/// The isolates of a program, with what is said of the whole one.
struct Isolates {
    texts: Vec<ModelText>,
    diagnostics: Vec<Diagnostic>,
}

impl Isolates {
    /// Reads the isolates of a program; `None` if it has none, or cannot be read.
    fn read(text: &ModelText, sources: &Sources, budget: &mut Budget) -> Option<Isolates> {
        let (texts, uncovered) = text.isolates(sources, budget);
        if texts.is_none() && uncovered.is_empty() {
            return None;
        }
        let texts = texts.unwrap_or_default();
        // Whether the whole program is in the fragment does not matter where its parts are.
        let policy = Policy { has_lints: true, ..Policy::LENIENT };
        let (_, mut diagnostics) = text.read(&policy, sources, budget);
        diagnostics.retain(|it| it.severity == Severity::Error || !it.code.concerns_decidability());
        diagnostics.extend(uncovered);
        Some(Isolates { texts, diagnostics })
    }
}

/// Leaves out isolates in which there is nothing to show, unless that is so in all.
fn without_empty(mut models: Vec<Model>, question: &Question) -> Vec<Model> {
    let is_empty = |model: &Model| model.system.as_ref().is_some_and(|system| !has_claims(system, question));
    if models.iter().all(is_empty) {
        models.truncate(1);
        models.iter_mut().for_each(|model| model.isolate = None);
        return models;
    }
    let mut told = Vec::new();
    models.retain_mut(|model| {
        let is_kept = !is_empty(model);
        if !is_kept {
            told.append(&mut model.diagnostics);
        }
        is_kept
    });
    if let Some(first) = models.first_mut() {
        first.diagnostics.splice(0..0, told);
    }
    models
}
