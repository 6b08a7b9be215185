//! The model with the lemmas that were found. It is verified from scratch before anything is shown or written.

use std::cell::RefCell;
use std::sync::Arc;

use super::candidates::Task;
use crate::args::InferArgs;
use crate::cache;
use crate::files::replace;
use crate::mark::marked;
use crate::revision::{Failure, Revised, Verified};
use crate::shared::{Model, replace_unchanged};
use crate::sources::display;
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Terms;
use ramsey_core::system::System;
use ramsey_engine::cache::{Cache, Rejected};
use ramsey_engine::infer::{self, Answer, Inference, Reason};
use ramsey_engine::query::verify::Limits;
use ramsey_lang::Language;
use ramsey_report::Tally;
use ramsey_report::json::dto;
use ramsey_report::json::infer::Lemma;
use ramsey_services::workbench::Changes;
use ramsey_solver::formulas::Pretty;

/// What became of an answer.
#[derive(Default)]
pub(super) struct Resulting {
    /// The lemmas in the language of the model.
    pub(super) lemmas: Vec<Lemma>,
    /// Answers to the obligations of the resulting model.
    pub(super) verified: Option<Tally>,
    /// The certificate, once written.
    pub(super) certificate: Option<dto::Certificate>,
    /// The file to which the lemmas were written.
    pub(super) written: Option<String>,
    /// Why the language does not allow the model to claim the lemmas.
    pub(super) falsification: Option<String>,
    /// The model with the lemmas, once verified.
    pub(super) model: Option<Verified>,
}

/// Verifies what an inference found, and writes what the arguments ask for. An answer that is not verified is replaced
/// in `inference`. Answers to obligations may come from a cache.
pub(super) fn resulting(
    (args, cache): (&InferArgs, Option<&Arc<Cache>>),
    model: &mut Model,
    task: &Task,
    inference: &mut Inference,
    sources: &Sources,
    limits: &Limits,
) -> Resulting {
    let (Answer::Invariant(found) | Answer::Unknown { lemmas: found, .. }) = &inference.answer else {
        return Resulting::default();
    };
    let system = &*inference.system;
    let mut terms = system.terms.clone();
    let lemmas = found.iter().map(|lemma| shown(system, &mut terms, lemma)).collect();
    let mut result = Resulting { lemmas, ..Resulting::default() };
    if !matches!(inference.answer, Answer::Invariant(_)) {
        return result;
    }
    let work = Work { args, cache, rejected: RefCell::default(), model, task, sources, limits };
    let declared: Vec<Option<usize>> = found.iter().map(|lemma| work.declared(system, lemma)).collect();
    let finished = work.finish(&declared, &mut result);
    let warnings = cache::rejected(&work.rejected.take());
    model.diagnostics.extend(warnings);
    match finished {
        Ok(()) => {}
        Err(Failure::Exhausted(exhausted)) => {
            let reason = Reason::Exhausted(exhausted);
            inference.answer = Answer::Unknown { reason, lemmas: Vec::new(), open: Vec::new() };
        }
        Err(Failure::Undecidable(falsification)) => {
            let reason = Reason::Undecidable;
            inference.answer = Answer::Unknown { reason, lemmas: Vec::new(), open: Vec::new() };
            result.falsification = Some(falsification);
        }
        Err(Failure::Rejected(what)) => {
            inference.answer = Answer::InternalError(what);
            result = Resulting::default();
        }
        Err(Failure::Output(error)) => model.diagnostics.push(error),
    }
    result
}

/// Returns a lemma in the language of the model. `terms` are those of `system`, and may have more.
pub(crate) fn shown(system: &System, terms: &mut Terms, lemma: &infer::Lemma) -> Lemma {
    let formula = match &lemma.excluded {
        Some(partial) => partial.conjecture(terms.over_mut(&system.sig)),
        None => lemma.formula,
    };
    let formula = Pretty::new(terms.over(&system.sig), formula).to_string();
    Lemma { name: lemma.name.clone(), formula, declared: false }
}

struct Work<'a> {
    args: &'a InferArgs,
    cache: Option<&'a Arc<Cache>>,
    /// Entries of the cache that are not valid.
    rejected: RefCell<Vec<Rejected>>,
    model: &'a Model,
    task: &'a Task,
    sources: &'a Sources,
    limits: &'a Limits,
}

impl Work<'_> {
    /// Returns the invariant of the model's own text that a lemma is, if it is one.
    fn declared(&self, system: &System, lemma: &infer::Lemma) -> Option<usize> {
        let is_lemma = |at: &usize| {
            let given = &self.task.given[*at];
            self.is_own(*at) && system.terms.alpha_equal(given.formula, lemma.formula)
        };
        (0..self.task.given.len()).find(is_lemma)
    }

    /// Checks whether an invariant is no safety property and declared in the model's own text.
    fn is_own(&self, invariant: usize) -> bool {
        let given = &self.task.given[invariant];
        !given.is_safety && Some(given.span.file) == self.model.file
    }

    /// Checks whether an invariant has a proof in Ivy's language. What that assumes is assumed of the transitions, so it stays.
    fn has_proof(&self, invariant: usize) -> bool {
        let span = self.task.given[invariant].span;
        let text =
            self.sources.get(span.file).and_then(|it| it.text.get(span.start as usize..span.end as usize));
        let is_word = |word: &str| word == "proof";
        self.model.language() == Language::Ivy
            && text.is_some_and(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(is_word))
    }

    /// Verifies the lemmas and writes them.
    fn finish(&self, declared: &[Option<usize>], result: &mut Resulting) -> Result<(), Failure> {
        // A declaration in a module may stand for several invariants.
        let stays = |at: usize| {
            let span = self.task.given[at].span;
            let mut same = (0..self.task.given.len()).filter(|&other| self.task.given[other].span == span);
            same.all(|other| declared.contains(&Some(other)))
        };
        let open: Vec<usize> =
            (0..self.task.given.len()).filter(|&at| self.is_own(at) && !stays(at)).collect();
        let (proved, removed): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|&at| self.has_proof(at));
        let kept: Vec<Option<usize>> =
            declared.iter().map(|at| at.filter(|at| !removed.contains(at))).collect();
        let is_extended = self.args.add && !removed.is_empty();
        let certify = self.args.certify.is_some();
        let mut verified = self.verify(&kept, &removed, certify && !is_extended, result)?;
        result.verified = Some(Tally::of(&verified.verification.results));
        let output = |error: &dyn Fn(&str) -> Diagnostic, failure: Failure| match failure {
            Failure::Rejected(what) => Failure::Output(error(&what)),
            other => other,
        };
        let has_proofs = !proved.is_empty();
        let staying = |what: &str| self.staying(what);
        verified.check().map_err(|failure| if has_proofs { output(&staying, failure) } else { failure })?;
        if is_extended {
            verified = self.verify(declared, &[], certify, result)?;
            verified.check().map_err(|failure| output(&|what| self.prevented(what), failure))?;
        }
        let written = self.write(&mut verified, result);
        result.model = Some(verified);
        written
    }

    /// Verifies the model with the lemmas that it does not declare, and without some of its invariants. Gives the lemmas
    /// the names and the formulas that they have in it.
    fn verify(
        &self,
        declared: &[Option<usize>],
        removed: &[usize],
        certify: bool,
        result: &mut Resulting,
    ) -> Result<Verified, Failure> {
        let new = || result.lemmas.iter().zip(declared).filter(|(_, declared)| declared.is_none());
        let added: Vec<(Option<String>, String)> =
            new().map(|(lemma, _)| (lemma.name.clone(), lemma.formula.clone())).collect();
        let revised = Revised {
            path: self.args.out.as_deref().unwrap_or(&self.args.path),
            language: self.model.language(),
            part: self.model.part(),
            strictness: self.args.form.strictness,
            text: self.model.file.map_or("", |file| self.sources[file].text.as_str()),
            model: &self.task.model,
            seed: self.args.seed,
            cache: self.cache,
            jobs: self.args.jobs,
            limits: self.limits,
            finish: if self.args.out.is_some() { marked } else { str::to_owned },
        };
        let verified = revised.verify(Changes { removed, added: &added }, certify)?;
        self.rejected.borrow_mut().extend(verified.verification.rejected.iter().cloned());
        let mut names = verified.names.iter();
        let written = self.written_formulas(declared.iter().flatten().copied().collect());
        for (lemma, declared) in result.lemmas.iter_mut().zip(declared) {
            match declared {
                Some(at) => {
                    let formula = written.get(at).unwrap_or(&lemma.formula).clone();
                    *lemma = Lemma { name: self.task.given[*at].name.clone(), formula, declared: true };
                }
                None => *lemma = Lemma { name: names.next().cloned(), declared: false, ..lemma.clone() },
            }
        }
        Ok(verified)
    }

    /// Returns the formula of an invariant as the model has it, on one line, unless there is a comment in it.
    fn written_formula(&self, invariant: usize) -> Option<String> {
        let span = self.task.given[invariant].span;
        let declared = self.sources.get(span.file)?.text.get(span.start as usize..span.end as usize)?;
        let (_, formula) = declared.split_once(']').or_else(|| declared.split_once([' ', '\t']))?;
        let words: Vec<&str> = formula.split_whitespace().collect();
        (!formula.contains('#') && !formula.contains("//")).then(|| words.join(" "))
    }

    /// Returns invariants as the model has them, as far as these texts are the formulas outside of their declarations too: in
    /// objects and modules, names may mean something else.
    fn written_formulas(&self, invariants: Vec<usize>) -> Map<usize, String> {
        let texts = |at: usize| Some((at, self.written_formula(at)?));
        let texts: Vec<(usize, String)> = invariants.into_iter().filter_map(texts).collect();
        let shown = |system: &System, formula| Pretty::new(system.syntax(), formula).to_string();
        let read = self.model.read_back(texts.iter().map(|(_, text)| text), self.sources, &shown);
        let is_same = |at: usize, read: Option<String>| {
            read.is_some_and(|read| read == shown(&self.task.system, self.task.given[at].formula))
        };
        let same = texts.into_iter().zip(read).filter(|((at, _), read)| is_same(*at, read.clone()));
        same.map(|(written, _)| written).collect()
    }

    /// Returns the error for a model whose invariants with proofs are not inductive with the lemmas.
    fn staying(&self, what: &str) -> Diagnostic {
        let path = display(&self.args.path);
        let message =
            format!("invariants of `{path}` with proofs are not inductive with the lemmas ({what})");
        Diagnostic::error_nowhere(Code::Usage, message)
            .note("they stay, since the transitions assume what their proofs do")
            .help("remove them from the model, or make them safety properties")
    }

    /// Returns the error for a model whose own invariants are not inductive with the lemmas.
    fn prevented(&self, what: &str) -> Diagnostic {
        let message = format!(
            "--add: `{}` stays as it is: its own invariants are not inductive with the lemmas ({what})",
            display(&self.args.path)
        );
        Diagnostic::error_nowhere(Code::Usage, message)
            .help("`--out FILE` writes the model without the invariants that the proof does not need")
    }

    /// Writes the model and its certificate, as far as the arguments ask for them.
    fn write(&self, verified: &mut Verified, result: &mut Resulting) -> Result<(), Failure> {
        let Some(path) = self.args.out.as_deref().or_else(|| self.args.add.then_some(&*self.args.path))
        else {
            return Ok(());
        };
        let write = |new: &str| {
            if self.args.add {
                let text = self.model.file.map_or("", |file| self.sources[file].text.as_str());
                replace_unchanged("--add", path, text, new)
            } else {
                replace(path, new.as_bytes())
            }
        };
        let certificate = verified.write(path, self.args.certify.as_deref(), write)?;
        result.written = Some(display(path));
        result.certificate = certificate;
        Ok(())
    }
}
