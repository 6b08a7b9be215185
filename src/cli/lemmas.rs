//! An inductive invariant of a model from proofs by eager abstraction.

use std::path::Path;
use std::time::Instant;

use super::args::McArgs;
use super::files::replace;
use super::mark::marked;
use super::revision::{Failure, Revised};
use super::shared::Model;
use super::sources::display;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Diagnostic;
use ramsey_core::logic::Symbol;
use ramsey_engine::query::mc::Outcome;
use ramsey_engine::query::verify::Limits;
use ramsey_lang::Language;
use ramsey_report::json::mc::McInvariant;
use ramsey_report::mc::{Answered, Found, Lifting};
use ramsey_services::workbench::Changes;
use ramsey_solver::formulas::Pretty;

/// Writes the model with the lemmas of the answers, after verifying it.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub(super) fn lift(
    args: &McArgs,
    path: &Path,
    model: &Model,
    found: &Found<'_>,
    sources: &Sources,
    start: Instant,
) -> Result<Lifting, Diagnostic> {
    let refused = |why: &str| Ok(Lifting::Refused(format!("`{}` is not written: {why}", display(path))));
    if !found.is_joint {
        return refused("not all claims are proved");
    }
    let (lemmas, are_all) = lemmas(found, model.language());
    match written(args, path, model, (found, lemmas), sources, start) {
        Ok(written) => Ok(written),
        Err(Failure::Rejected(_)) if !are_all => refused(
            "a lemma is about values that the language has no name for, such as those before a statement, or about what never changes",
        ),
        Err(Failure::Exhausted(exhausted)) => {
            refused(&format!("the lemmas could not be verified ({exhausted})"))
        }
        Err(Failure::Undecidable(falsification)) => {
            refused(&format!("the model may not claim the lemmas without `--no-strict`: {falsification}"))
        }
        Err(Failure::Rejected(what)) => Ok(Lifting::InternalError(what)),
        Err(Failure::Output(error)) => Err(error),
    }
}

/// Returns the lemmas of the answers as text, and whether these are all: no text mentions what statements introduce to say what they
/// mean, and in `.pyv` an invariant is about what changes.
fn lemmas(found: &Found<'_>, language: Language) -> (Vec<String>, bool) {
    let (mut lemmas, mut are_all): (Vec<String>, bool) = (Vec::new(), true);
    for Answered { answer, .. } in &found.answers {
        let (Outcome::Safe { lemmas: found, .. }, Some(abstraction)) = (&answer.outcome, &answer.abstraction)
        else {
            continue;
        };
        for &lemma in found {
            let symbols = abstraction.terms.symbols(lemma);
            let mut symbols = symbols.iter().map(|&sym| &abstraction.sig.symbols[sym]);
            let is_claim = language != Language::Pyv || symbols.clone().any(|it| it.kind.is_mutable());
            if !is_claim || !symbols.all(Symbol::is_declared) {
                are_all = false;
                continue;
            }
            let syntax = abstraction.terms.over(&abstraction.sig);
            let text = Pretty::new(syntax, lemma).to_string();
            if !lemmas.contains(&text) {
                lemmas.push(text);
            }
        }
    }
    (lemmas, are_all)
}

fn written(
    args: &McArgs,
    path: &Path,
    model: &Model,
    (found, lemmas): (&Found<'_>, Vec<String>),
    sources: &Sources,
    start: Instant,
) -> Result<Lifting, Failure> {
    let probe = args.limits.clocks(start).factory();
    let limits = Limits { work: args.limits.work, probe: Some(probe), ..Limits::default() };
    let added: Vec<(Option<String>, String)> = lemmas.iter().map(|lemma| (None, lemma.clone())).collect();
    let revised = Revised {
        path,
        language: model.language(),
        part: model.part(),
        strictness: args.form.strictness,
        text: model.file.map_or("", |file| sources[file].text.as_str()),
        model: found.system,
        seed: args.seed,
        cache: None,
        jobs: None,
        limits: &limits,
        finish: marked,
    };
    let changes = Changes { removed: &[], added: &added };
    let mut verified = revised.verify(changes, args.certify.is_some())?;
    verified.check()?;
    let certificate = verified.write(path, args.certify.as_deref(), |text| replace(path, text.as_bytes()))?;
    let invariant = McInvariant { path: display(path), lemmas, certificate };
    Ok(Lifting::Written { invariant, obligations: verified.verification.results.len() })
}
