//! The model with the lemmas that were found. It is verified from scratch before anything is shown or written.

use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::candidates::Task;
use crate::base::budget::Exhausted;
use crate::base::span::Sources;
use crate::cli::args::InferArgs;
use crate::cli::certify::{Written, names_gzip};
use crate::cli::files::write_whole;
use crate::cli::shared::{Model, load_in_place, replace_unchanged};
use crate::cli::sources::display;
use crate::cli::threads::pool;
use crate::diag::{Code, Diagnostic};
use crate::forms::Pretty;
use crate::infer::{self, Answer, Inference, Reason};
use crate::logic::Terms;
use crate::prove::Accepted;
use crate::query::certify::of_verification;
use crate::query::verify::{Limits, Options, Plan};
use crate::query::{ObligationResult, Outcome, Verification, describe};
use crate::report::Tally;
use crate::report::json::infer::Lemma;
use crate::system::System;
use crate::vc::{Origin, Question};
use crate::workbench::{Changes, revise};

/// What became of an answer.
#[derive(Default)]
pub(super) struct Resulting {
    /// The lemmas in the language of the model.
    pub(super) lemmas: Vec<Lemma>,
    /// Answers to the obligations of the resulting model.
    pub(super) verified: Option<Tally>,
    /// The certificate, once written.
    pub(super) certificate: Option<Written>,
    /// The file to which the lemmas were written.
    pub(super) written: Option<String>,
}

/// Verifies what an inference found, and writes what the arguments ask for. An answer that is not verified is replaced
/// in `inference`.
pub(super) fn resulting(
    args: &InferArgs,
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
    let work = Work { args, model, task, sources, limits };
    let declared: Vec<Option<usize>> = found.iter().map(|lemma| work.declared(system, lemma)).collect();
    match work.finish(&declared, &mut result) {
        Ok(()) => {}
        Err(Failure::Exhausted(exhausted)) => {
            let reason = Reason::Exhausted(exhausted);
            inference.answer = Answer::Unknown { reason, lemmas: Vec::new(), open: Vec::new() };
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
fn shown(system: &System, terms: &mut Terms, lemma: &infer::Lemma) -> Lemma {
    let formula = match &lemma.excluded {
        Some(partial) => partial.conjecture(terms.over_mut(&system.sig)),
        None => lemma.formula,
    };
    let formula = Pretty::new(terms.over(&system.sig), formula).to_string();
    Lemma { name: lemma.name.clone(), formula, declared: false }
}

/// Why an answer does not become a result.
enum Failure {
    /// The answer could not be verified within the limits.
    Exhausted(Exhausted),
    /// The answer is wrong.
    Rejected(String),
    /// The answer is right, and cannot be written.
    Output(Diagnostic),
}

/// A model as text, with the answers to its obligations.
struct Verified {
    text: String,
    system: System,
    /// The text from which a certificate's digest is computed.
    source: String,
    verification: Verification,
}

struct Work<'a> {
    args: &'a InferArgs,
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

    /// Verifies the lemmas and writes them.
    fn finish(&self, declared: &[Option<usize>], result: &mut Resulting) -> Result<(), Failure> {
        // A declaration in a module may stand for several invariants.
        let stays = |at: usize| {
            let span = self.task.given[at].span;
            let mut same = (0..self.task.given.len()).filter(|&other| self.task.given[other].span == span);
            same.all(|other| declared.contains(&Some(other)))
        };
        let removed: Vec<usize> =
            (0..self.task.given.len()).filter(|&at| self.is_own(at) && !stays(at)).collect();
        let kept: Vec<Option<usize>> =
            declared.iter().map(|at| at.filter(|at| !removed.contains(at))).collect();
        let is_extended = self.args.add && !removed.is_empty();
        let certify = self.args.certify.is_some();
        let mut verified = self.verify(&kept, &removed, certify && !is_extended, result)?;
        result.verified = Some(Tally::of(&verified.verification.results));
        checked(&verified)?;
        if is_extended {
            verified = self.verify(declared, &[], certify, result)?;
            checked(&verified).map_err(|failure| match failure {
                Failure::Rejected(what) => Failure::Output(self.prevented(&what)),
                other => other,
            })?;
        }
        self.write(verified, result)
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
        let path = self.args.out.as_deref().unwrap_or(&self.args.path);
        let text = self.model.file.map_or("", |file| self.sources[file].text.as_str());
        let new = || result.lemmas.iter().zip(declared).filter(|(_, declared)| declared.is_none());
        let added: Vec<(Option<String>, String)> =
            new().map(|(lemma, _)| (lemma.name.clone(), lemma.formula.clone())).collect();
        let changes = Changes { removed, added: &added };
        let mut loaded = None;
        let mut load = |text: &str| {
            let (system, diagnostics, source) =
                load_in_place(path, self.model.language(), self.args.strictness, text);
            loaded = system.clone().map(|system| (system, source));
            (system, diagnostics)
        };
        let revised = revise(text, self.model.language(), &self.task.model, changes, &mut load);
        let revision = revised.map_err(|what| {
            Failure::Rejected(format!("the model cannot be written with the lemmas: {what}"))
        })?;
        let Some((system, source)) = loaded else {
            return Err(Failure::Rejected("the model with the lemmas was not read".to_owned()));
        };
        let mut names = revision.names.into_iter();
        for (lemma, declared) in result.lemmas.iter_mut().zip(declared) {
            match declared {
                Some(at) => {
                    let formula = self.written_formula(*at).unwrap_or_else(|| lemma.formula.clone());
                    *lemma = Lemma { name: self.task.given[*at].name.clone(), formula, declared: true };
                }
                None => *lemma = Lemma { name: names.next(), declared: false, ..lemma.clone() },
            }
        }
        let options =
            Options { all: true, minimize: false, certify, seed: self.args.seed, ..Options::default() };
        let plan = Plan::new(Arc::new(system.clone()), options);
        let run = |group| plan.run_group(group, self.limits);
        let groups = match pool(self.args.jobs, plan.groups()) {
            Some(pool) => pool.install(|| (0..plan.groups()).into_par_iter().map(run).collect()),
            None => (0..plan.groups()).map(run).collect(),
        };
        let verification = plan.finish(groups);
        Ok(Verified { text: revision.text, system, source, verification })
    }

    /// Returns the formula of an invariant as the model has it, on one line, unless there is a comment in it.
    fn written_formula(&self, invariant: usize) -> Option<String> {
        let span = self.task.given[invariant].span;
        let declared = self.sources.get(span.file)?.text.get(span.start as usize..span.end as usize)?;
        let (_, formula) = declared.split_once(']').or_else(|| declared.split_once([' ', '\t']))?;
        let words: Vec<&str> = formula.split_whitespace().collect();
        (!formula.contains('#') && !formula.contains("//")).then(|| words.join(" "))
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
    fn write(&self, mut verified: Verified, result: &mut Resulting) -> Result<(), Failure> {
        let Some(path) = self.args.out.as_deref().or_else(|| self.args.add.then_some(&*self.args.path))
        else {
            return Ok(());
        };
        if let Some(theorem) = open_theorem(&verified) {
            let message =
                format!("`{}` is not written: `verify` does not accept it, since {theorem}", display(path));
            let error = Diagnostic::error_nowhere(Code::Usage, message);
            return Err(Failure::Output(error.help("`ramsey theorem` checks the theorems of a model alone")));
        }
        let accepted = self.certificate(&mut verified)?;
        let written = if self.args.add {
            let text = self.model.file.map_or("", |file| self.sources[file].text.as_str());
            replace_unchanged("--add", path, text, &verified.text)
        } else {
            write_whole(path, verified.text.as_bytes())
        };
        written.map_err(Failure::Output)?;
        result.written = Some(display(path));
        if let (Some(path), Some(accepted)) = (&self.args.certify, accepted) {
            let results = &verified.verification.results;
            let written = Written::write(path.clone(), &accepted.bytes, names_gzip(path), results);
            result.certificate = Some(written.map_err(Failure::Output)?);
        }
        Ok(())
    }

    /// Returns the certificate that the arguments ask for, which the kernel has accepted.
    fn certificate(&self, verified: &mut Verified) -> Result<Option<Accepted>, Failure> {
        let Some(path) = &self.args.certify else { return Ok(None) };
        let Verified { system, source, verification, .. } = verified;
        of_verification(system, source, &Question::Verify, verification, names_gzip(path)).map_err(
            |rejected| Failure::Rejected(format!("the certificate is rejected: {}", rejected.message)),
        )
    }
}

/// Checks that all obligations hold, those of theorems aside: these do not depend on the lemmas.
fn checked(verified: &Verified) -> Result<(), Failure> {
    let is_theorem = |result: &&ObligationResult| matches!(result.origin, Origin::Theorem { .. });
    let mut exhausted = None;
    for result in verified.verification.results.iter().filter(|result| !is_theorem(result)) {
        match &result.outcome {
            Outcome::Holds { .. } => {}
            Outcome::Unknown(reason) => exhausted = exhausted.or(Some(*reason)),
            outcome => {
                let what = describe(&verified.system, result.origin);
                return Err(Failure::Rejected(format!("it is not true {what}: {outcome}")));
            }
        }
    }
    exhausted.map_or(Ok(()), |exhausted| Err(Failure::Exhausted(exhausted)))
}

/// Says of a theorem without a proof that it has none.
fn open_theorem(verified: &Verified) -> Option<String> {
    let Verified { system, verification, .. } = verified;
    let open = verification.results.iter().find(|it| !matches!(it.outcome, Outcome::Holds { .. }))?;
    let theorem = describe(system, open.origin);
    Some(match open.outcome {
        Outcome::Fails(_) => format!("{theorem} is not valid"),
        _ => format!("{theorem} is not proved within the limits"),
    })
}
