//! Models with further claims, which are verified from scratch before anything is shown or written.

use std::path::Path;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::args::StrictArgs;
use super::certify::{Written, names_gzip};
use super::shared::load_in_place;
use super::sources::display;
use super::threads::pool;
use crate::base::budget::Exhausted;
use crate::diag::{Code, Diagnostic};
use crate::lang::Language;
use crate::prove::Accepted;
use crate::query::certify::of_verification;
use crate::query::verify::{Limits, Options, Plan};
use crate::query::{ObligationResult, Outcome, Verification, describe};
use crate::system::System;
use crate::vc::{Origin, Question};
use crate::workbench::{Changes, revise};

/// Why a model is not revised.
pub(super) enum Failure {
    /// The claims could not be verified within the limits.
    Exhausted(Exhausted),
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
    /// What programs may do.
    pub(super) strictness: StrictArgs,
    /// The text of the model.
    pub(super) text: &'a str,
    /// The meaning of the text.
    pub(super) model: &'a System,
    /// Seed of the search for proofs.
    pub(super) seed: u64,
    /// Number of threads; `None` for one per processor.
    pub(super) jobs: Option<u16>,
    /// Limits of each obligation.
    pub(super) limits: &'a Limits,
    /// What becomes of the changed text before it is read and written. It has the same meaning.
    pub(super) finish: fn(&str) -> String,
}

/// A model as text, with the answers to its obligations.
pub(super) struct Verified {
    /// The text.
    pub(super) text: String,
    /// The names of the added claims.
    pub(super) names: Vec<String>,
    system: System,
    /// The text from which a certificate's digest is computed.
    source: String,
    /// The answers.
    pub(super) verification: Verification,
}

impl Revised<'_> {
    /// Changes the claims of the model, and asks whether it holds then.
    ///
    /// # Errors
    /// Returns why there is no such model.
    pub(super) fn verify(&self, changes: Changes<'_>, certify: bool) -> Result<Verified, Failure> {
        let mut loaded = None;
        let mut load = |text: &str| {
            let (system, diagnostics, source) =
                load_in_place(self.path, self.language, self.strictness, &(self.finish)(text));
            loaded = system.clone().map(|system| (system, source));
            (system, diagnostics)
        };
        let revised = revise(self.text, self.language, self.model, changes, &mut load);
        let revision = revised.map_err(|what| {
            Failure::Rejected(format!("the model cannot be written with the lemmas: {what}"))
        })?;
        let Some((system, source)) = loaded else {
            return Err(Failure::Rejected("the model with the lemmas was not read".to_owned()));
        };
        let options = Options { all: true, minimize: false, certify, seed: self.seed, ..Options::default() };
        let plan = Plan::new(Arc::new(system.clone()), options);
        let run = |group| plan.run_group(group, self.limits);
        let groups = match pool(self.jobs, plan.groups()) {
            Some(pool) => pool.install(|| (0..plan.groups()).into_par_iter().map(run).collect()),
            None => (0..plan.groups()).map(run).collect(),
        };
        let verification = plan.finish(groups);
        let text = (self.finish)(&revision.text);
        Ok(Verified { text, names: revision.names, system, source, verification })
    }
}

impl Verified {
    /// Checks that all obligations hold, those of theorems aside: these do not depend on the lemmas.
    ///
    /// # Errors
    /// Returns the obligation that does not, or the budget that was exhausted.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let is_theorem = |result: &&ObligationResult| matches!(result.origin, Origin::Theorem { .. });
        let mut exhausted = None;
        for result in self.verification.results.iter().filter(|result| !is_theorem(result)) {
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

    /// Writes the model by `write` and, if a path is given for it, its certificate, which the kernel has accepted.
    ///
    /// # Errors
    /// Returns why nothing was written, or the certificate not.
    pub(super) fn write(
        &mut self,
        path: &Path,
        certificate: Option<&Path>,
        write: impl FnOnce(&str) -> Result<(), Diagnostic>,
    ) -> Result<Option<Written>, Failure> {
        if let Some(theorem) = self.open_theorem() {
            let message =
                format!("`{}` is not written: `verify` does not accept it, since {theorem}", display(path));
            let error = Diagnostic::error_nowhere(Code::Usage, message);
            return Err(Failure::Output(error.help("`ramsey theorem` checks the theorems of a model alone")));
        }
        let accepted = match certificate {
            Some(path) => self.certificate(names_gzip(path))?.map(|accepted| (path, accepted)),
            None => None,
        };
        write(&self.text).map_err(Failure::Output)?;
        let Some((path, accepted)) = accepted else { return Ok(None) };
        let results = &self.verification.results;
        let written = Written::write(path.to_owned(), &accepted.bytes, names_gzip(path), results);
        written.map(Some).map_err(Failure::Output)
    }

    /// Returns the certificate of the model, which the kernel has accepted.
    fn certificate(&mut self, is_compressed: bool) -> Result<Option<Accepted>, Failure> {
        let Verified { system, source, verification, .. } = self;
        of_verification(system, source, &Question::Verify, verification, is_compressed).map_err(|rejected| {
            Failure::Rejected(format!("the certificate is rejected: {}", rejected.message))
        })
    }

    /// Says of a theorem without a proof that it has none.
    fn open_theorem(&self) -> Option<String> {
        let Verified { system, verification, .. } = self;
        let open = verification.results.iter().find(|it| !matches!(it.outcome, Outcome::Holds { .. }))?;
        let theorem = describe(system, open.origin);
        Some(match open.outcome {
            Outcome::Fails(_) => format!("{theorem} is not valid"),
            _ => format!("{theorem} is not proved within the limits"),
        })
    }
}
