//! An inductive invariant of a model from proofs by eager abstraction.

use std::path::Path;

use super::args::McArgs;
use super::certify::Written;
use super::files::replace;
use super::mark::marked;
use super::revision::{Failure, Revised};
use super::shared::Model;
use super::sources::display;
use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_engine::query::mc::{Answer, Outcome};
use ramsey_engine::query::verify::Limits;
use ramsey_services::workbench::Changes;
use ramsey_solver::forms::Pretty;

/// A model with an inductive invariant, once written.
pub(super) struct Lifted {
    /// The lemmas, in the language of the model.
    pub(super) lemmas: Vec<String>,
    /// Number of obligations, which all hold.
    pub(super) obligations: usize,
    /// The certificate, if one was asked for.
    pub(super) certificate: Option<Written>,
}

/// Writes the model with the lemmas of the answers, after verifying it.
///
/// # Errors
/// Returns why nothing was written.
pub(super) fn lift(
    args: &McArgs,
    path: &Path,
    model: &Model,
    system: &System,
    answers: &[Answer],
    sources: &Sources,
    limits: &Limits,
) -> Result<Lifted, Failure> {
    let mut lemmas: Vec<String> = Vec::new();
    for answer in answers {
        if let (Outcome::Safe { lemmas: found, .. }, Some(abstraction)) =
            (&answer.outcome, &answer.abstraction)
        {
            for &lemma in found {
                let syntax = abstraction.terms.over(&abstraction.sig);
                let text = Pretty::new(syntax, lemma).to_string();
                if !lemmas.contains(&text) {
                    lemmas.push(text);
                }
            }
        }
    }
    let added: Vec<(Option<String>, String)> = lemmas.iter().map(|lemma| (None, lemma.clone())).collect();
    let revised = Revised {
        path,
        language: model.language(),
        strictness: args.strictness,
        text: model.file.map_or("", |file| sources[file].text.as_str()),
        model: system,
        seed: args.seed,
        jobs: None,
        limits,
        finish: marked,
    };
    let changes = Changes { removed: &[], added: &added };
    let mut verified = revised.verify(changes, args.certify.is_some())?;
    verified.check()?;
    let certificate = verified.write(path, args.certify.as_deref(), |text| replace(path, text.as_bytes()))?;
    Ok(Lifted { lemmas, obligations: verified.verification.results.len(), certificate })
}

impl Lifted {
    /// Returns the lines that tell of the files.
    pub(super) fn text(&self, path: &Path) -> String {
        let Lifted { lemmas, obligations, certificate } = self;
        let certificate = certificate.as_ref().map_or(String::new(), Written::text);
        let count = lemmas.len();
        let noun = if count == 1 { "lemma" } else { "lemmas" };
        format!(
            "  invariant {}: {count} {noun}, verified in {obligations} obligations\n{certificate}",
            display(path)
        )
    }
}
