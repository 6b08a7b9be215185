//! Models of a run of `ramsey verify`.

use std::sync::Arc;
use std::time::Instant;

use rayon::ThreadPool;

use crate::args::VerifyArgs;
use crate::sources::Input;
use ramsey_app::models::{Insistence, ModelText, Policy};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Diagnostic;
use ramsey_core::system::System;
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;
use ramsey_report::json::dto;

/// A file of the run with its results.
pub(super) struct Model {
    pub(super) name: String,
    /// Files of a directory that it includes.
    pub(super) parts: Vec<String>,
    /// Its certificate, once written.
    pub(super) certificate: Option<dto::Certificate>,
    /// The text, if it could be read.
    pub(super) text: Option<Arc<ModelText>>,
    pub(super) system: Option<Arc<System>>,
    /// Whether all obligations are known to lie in the fragment.
    pub(super) is_inside: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Number of diagnostics already printed.
    pub(super) printed: usize,
}

impl Model {
    pub(super) fn verdict(&self) -> Verdict {
        Verdict::of_diagnostics(&self.diagnostics)
    }
}

/// Loads the texts of the files as models, in parallel.
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
    let policy = Policy { has_lints: true, fragment, ..args.form.strictness.into() };
    let load_one = |input: Input| {
        let mut reading = args.limits.reading(start);
        let (system, diagnostics) = input.read(&policy, sources, &mut reading);
        let is_good = Verdict::of_diagnostics(&diagnostics) == Verdict::Ok;
        Model {
            name: input.name,
            parts: input.parts,
            certificate: None,
            text: input.text.ok(),
            system: system.filter(|_| is_good),
            is_inside: policy.inside(input.language).is_some(),
            diagnostics,
            printed: 0,
        }
    };
    match pool {
        Some(pool) => {
            use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
            pool.install(|| inputs.into_par_iter().map(load_one).collect())
        }
        None => inputs.into_iter().map(load_one).collect(),
    }
}
