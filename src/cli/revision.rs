//! Models with further claims, which are verified from scratch before anything is shown or written.

use std::path::Path;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::args::StrictArgs;
use super::certify::{names_gzip, write_certificate};
use super::sources::{Part, display, models_at};
use super::threads::pool;
use ramsey_app::models::{Model, Policy, outside_fragment};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::system::System;
use ramsey_engine::cache::Cache;
use ramsey_engine::elaborate::Accepted;
use ramsey_engine::query::certify::of_verification;
use ramsey_engine::query::verify::{Limits, Options, Plan};
use ramsey_engine::query::{ObligationResult, Outcome, Verification, describe};
use ramsey_kernel::obligations::{Origin, Question};
use ramsey_lang::Language;
use ramsey_report::json::dto;
use ramsey_services::workbench::{Changes, revise};

/// Why a model is not revised.
pub(super) enum Failure {
    /// The claims could not be verified within the limits.
    Exhausted(Exhausted),
    /// The language does not allow the claims: with them the model leaves the decidable fragment.
    Undecidable(String),
    /// The claims are wrong.
    Rejected(String),
    /// The claims are right, and cannot be written.
    Output(Diagnostic),
}

/// A model that is revised.
pub(super) struct Revised<'a> {
    /// The file that the new text is for.
    pub(super) path: &'a Path,
    /// The language of the model.
    pub(super) language: Language,
    /// What is meant of it.
    pub(super) part: Part,
    /// What programs may do.
    pub(super) strictness: StrictArgs,
    /// The text of the model.
    pub(super) text: &'a str,
    /// The meaning of the text.
    pub(super) model: &'a System,
    /// Seed of the search for proofs.
    pub(super) seed: u64,
    /// Where answers to obligations are kept, if anywhere.
    pub(super) cache: Option<&'a Arc<Cache>>,
    /// Number of threads; `None` for one per processor.
    pub(super) jobs: Option<u16>,
    /// Limits of each obligation.
    pub(super) limits: &'a Limits,
    /// What becomes of the changed text before it is read and written. It has the same meaning.
    pub(super) finish: fn(&str) -> String,
}

/// A model as text, with the answers to its obligations.
pub(super) struct Verified {
    /// The names of the added claims.
    pub(super) names: Vec<String>,
    /// The model.
    pub(super) model: Arc<Model>,
    /// Its meaning.
    system: Arc<System>,
    /// The answers.
    pub(super) verification: Verification,
}

impl Revised<'_> {
    /// Changes the claims of the model, and asks whether it holds then.
    ///
    /// # Errors
    /// Returns why there is no such model.
    pub(super) fn verify(&self, changes: Changes<'_>, certify: bool) -> Result<Verified, Failure> {
        let policy = Policy::from(self.strictness);
        let is_bound = policy.binds(self.language);
        let models = models_at(self.path, self.language, self.part.clone(), policy);
        let mut loaded = None;
        let mut load = |text: &str| loaded.insert(models.load(&(self.finish)(text))).meaning();
        let revised = revise(self.text, self.language, self.model, changes, &mut load);
        let revision = revised.map_err(|what| {
            match loaded.as_ref().and_then(|model| only_undecidable(&model.diagnostics)) {
                Some(falsification) => Failure::Undecidable(falsification),
                None => Failure::Rejected(format!("the model cannot be written with the lemmas: {what}")),
            }
        })?;
        let read = loaded.and_then(|model| Some((model.system.clone()?, model)));
        let Some((system, model)) = read else {
            return Err(Failure::Rejected("the model with the lemmas was not read".to_owned()));
        };
        if is_bound
            && let Some(falsification) =
                first_outside(&system).filter(|_| first_outside(self.model).is_none())
        {
            return Err(Failure::Undecidable(falsification));
        }
        let (seed, cache) = (self.seed, self.cache.cloned());
        let options = Options { all: true, minimize: false, certify, seed, cache, ..Options::default() };
        let plan = Plan::new(Arc::clone(&system), options);
        let run = |group| plan.run_group(group, self.limits);
        let groups = match pool(self.jobs, plan.groups()) {
            Some(pool) => pool.install(|| (0..plan.groups()).into_par_iter().map(run).collect()),
            None => (0..plan.groups()).map(run).collect(),
        };
        let verification = plan.finish(groups);
        Ok(Verified { names: revision.names, model, system, verification })
    }
}

/// Returns the first error if no error is about anything but decidability.
fn only_undecidable(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut errors = diagnostics.iter().filter(|it| it.severity == Severity::Error).peekable();
    let first = errors.peek()?.message.clone();
    errors.all(|it| it.code.concerns_decidability()).then_some(first)
}

/// Returns what leads an obligation of a model out of the decidable fragment, if there is one.
fn first_outside(system: &System) -> Option<String> {
    outside_fragment(system, &Question::Verify).into_iter().next().map(|it| it.message)
}

impl Verified {
    /// Returns the most steps that an obligation took.
    pub(super) fn work(&self) -> u64 {
        self.verification.results.iter().map(|result| result.statistics.work).max().unwrap_or(0)
    }

    /// Checks that all obligations hold, those of theorems and proofs aside: these do not depend on the lemmas.
    ///
    /// # Errors
    /// Returns the obligation that does not, or the budget that was exhausted.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let is_aside = |result: &&ObligationResult| {
            matches!(result.origin, Origin::Theorem { .. } | Origin::Proof { .. })
        };
        let mut exhausted = None;
        for result in self.verification.results.iter().filter(|result| !is_aside(result)) {
            match &result.outcome {
                Outcome::Holds { .. } => {}
                Outcome::Unknown(reason) => exhausted = exhausted.or(Some(*reason)),
                outcome => {
                    let what = describe(&self.system, result.origin);
                    return Err(Failure::Rejected(format!("it is not true {what}: {outcome}")));
                }
            }
        }
        exhausted.map_or(Ok(()), |exhausted| Err(Failure::Exhausted(exhausted)))
    }

    /// Writes the model by `write` and, if a path is given for it, its certificate, which the checker has accepted.
    ///
    /// # Errors
    /// Returns why nothing was written, or the certificate not.
    pub(super) fn write(
        &mut self,
        path: &Path,
        certificate: Option<&Path>,
        write: impl FnOnce(&str) -> Result<(), Diagnostic>,
    ) -> Result<Option<dto::Certificate>, Failure> {
        if let Some((what, help)) = self.open_part() {
            let message =
                format!("`{}` is not written: `verify` does not accept it, since {what}", display(path));
            return Err(Failure::Output(Diagnostic::error_nowhere(Code::Usage, message).help(help)));
        }
        let accepted = match certificate {
            Some(path) => self.certificate(names_gzip(path))?.map(|accepted| (path, accepted)),
            None => None,
        };
        write(self.model.text()).map_err(Failure::Output)?;
        let Some((path, accepted)) = accepted else { return Ok(None) };
        let written = write_certificate(path, &accepted, names_gzip(path));
        written.map(Some).map_err(Failure::Output)
    }

    /// Returns the certificate of the model, which the checker has accepted.
    fn certificate(&mut self, is_compressed: bool) -> Result<Option<Accepted>, Failure> {
        let Verified { model, system, verification, .. } = self;
        of_verification(system, &model.source_text(), &Question::Verify, verification, is_compressed).map_err(
            |rejected| Failure::Rejected(format!("the certificate is rejected: {}", rejected.message)),
        )
    }

    /// Says of a theorem that is not proved, or of a proof that is not right, that it is so, and how to go on.
    fn open_part(&self) -> Option<(String, &'static str)> {
        let Verified { system, verification, .. } = self;
        let open = verification.results.iter().find(|it| !matches!(it.outcome, Outcome::Holds { .. }))?;
        let part = describe(system, open.origin);
        let is_false = matches!(open.outcome, Outcome::Fails(_));
        Some(match open.origin {
            Origin::Proof { .. } if is_false => (
                format!("it is not true {part}"),
                "`ramsey verify` shows what is wrong with the `fbii` proof",
            ),
            Origin::Proof { .. } => (
                format!("it is not shown within the limits {part}"),
                "`ramsey verify` checks the `fbii` proofs of a model",
            ),
            _ => (
                format!("{part} is not {}", if is_false { "valid" } else { "proved within the limits" }),
                "`ramsey theorem` checks the theorems of a model alone",
            ),
        })
    }
}
