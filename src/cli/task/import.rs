//! `ramsey task import`: what follows from the results of a round, and the tasks of the next one.

use std::io;

use super::model::model_of;
use super::parts::parts;
use super::results::Given;
use super::round::{MANIFEST, MAX_MANIFEST, Round, Written};
use super::{bounded, infer, instance};
use crate::args::{ImportArgs, OutputFormat};
use crate::files::{check_parent, check_parents};
use crate::limits::reading;
use crate::output::{print_diagnostics, stderr_palette, tell};
use crate::shared::Model;
use crate::sources::{display, in_document, read_text};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_report::Verdict;
use ramsey_report::json::task::{self, Kind as _, Manifest, Plan, Question, Task};

/// What is known of a round before its results are read.
struct Asked {
    manifest: Manifest,
    model: task::Model,
    parts: Vec<Question>,
}

/// Checks the results of a round.
pub(super) fn run(args: &ImportArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let told = |errors: &[Diagnostic], sources: &Sources| {
        print_diagnostics(errors, sources, stderr_palette(args.form.color));
        Ok(Verdict::BadInput)
    };
    let asked = match asked(args, &mut sources)? {
        Ok(asked) => asked,
        Err(errors) => return told(&errors, &sources),
    };
    let Asked { manifest, model, parts } = asked;
    let mut given = Given::of(&args.folder, &manifest.tasks);
    let works: Vec<u64> = manifest.tasks.iter().map(|it| it.work).collect();
    let work = works.iter().copied().max().unwrap_or(1);
    let (verdict, plan) = match &manifest.plan {
        Plan::Infer(plan) => infer::import(args, plan, work, &mut given)?,
        Plan::Bmc(plan) => {
            let verdict = bounded::import(args, (plan, work), &parts, &mut given)?;
            (verdict, (verdict == Verdict::Unknown).then(|| manifest.plan.clone()))
        }
        Plan::Instance(_) => {
            let verdict = instance::import(args, &parts, &mut given)?;
            (verdict, (verdict == Verdict::Unknown).then(|| manifest.plan.clone()))
        }
    };
    let Some((folder, plan)) = args.next.as_deref().zip(plan) else { return Ok(verdict) };
    let mut sources = Sources::new();
    let parts = match plan {
        Plan::Infer(_) => {
            let mut model =
                Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading());
            match self::parts(&plan, &mut model, &mut sources) {
                Ok(parts) => parts,
                Err(error) => return told(&[error], &sources),
            }
        }
        Plan::Bmc(_) | Plan::Instance(_) => parts,
    };
    let answered: &[_] = if matches!(plan, Plan::Infer(_)) { &[] } else { given.answered() };
    let is_answered = |at: usize| answered.get(at).is_some_and(Option::is_some);
    let work = |at: usize, work: u64| if is_answered(at) { work } else { work.saturating_mul(2) };
    let parts = parts.into_iter().zip(&works).enumerate();
    let parts = parts.map(|(at, (question, &before))| (question, work(at, before))).collect();
    let (number, command) = (manifest.round.saturating_add(1), manifest.command);
    match (Round { number, command, plan, parts }).write(folder, &model, answered)? {
        Ok(Written { tasks, bytes }) => {
            let plural = if tasks == 1 { "" } else { "s" };
            tell(&format!("{tasks} task{plural} in {}, {bytes} bytes\n", display(folder)));
            Ok(verdict)
        }
        Err(error) => told(&[error], &sources),
    }
}

/// Reads the manifest, and makes sure that it is about this model and its tasks are those that follow from it.
fn asked(args: &ImportArgs, sources: &mut Sources) -> io::Result<Result<Asked, Vec<Diagnostic>>> {
    let one = |error: Diagnostic| Ok(Err(vec![error]));
    let mut errors = check_parents([&args.out, &args.certify]);
    errors.extend(args.next.as_deref().and_then(|path| check_parent(path).err()));
    if !errors.is_empty() {
        return Ok(Err(errors));
    }
    let path = args.folder.join(MANIFEST);
    if std::fs::metadata(&path).is_ok_and(|data| data.len() > MAX_MANIFEST) {
        return one(Diagnostic::error_nowhere(
            Code::Document,
            format!("`{}` is larger than {} MB", display(&path), MAX_MANIFEST >> 20),
        ));
    }
    let manifest = match read_text(&path).and_then(|text| Manifest::read(&text)) {
        Ok(manifest) => manifest,
        Err(error) => return one(in_document(&path, error)),
    };
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), sources, reading());
    let errors: Vec<Diagnostic> =
        model.diagnostics.iter().filter(|it| it.severity == Severity::Error).cloned().collect();
    let data = model_of(model.input(), !args.form.strictness.no_strict, sources);
    let Some(data) = data.filter(|_| errors.is_empty() && model.system.is_some()) else {
        return Ok(Err(errors));
    };
    let wrong = |what: String| Diagnostic::error_nowhere(Code::Document, what);
    let version = env!("CARGO_PKG_VERSION");
    if manifest.version != version {
        let what = format!("`{}` is of version {}, and this is {version}", display(&path), manifest.version);
        return one(wrong(what).help("the program that has written the tasks imports their results"));
    }
    if manifest.model != data.digest {
        let what = format!("`{}` is about another model than `{}`", display(&path), display(&args.path));
        return one(wrong(what).help("results are about the model as it was when the tasks were written"));
    }
    if matches!(manifest.plan, Plan::Instance(ref plan) if plan.sizes.len() > 1 || plan.per_claim)
        && args.form.results.format != OutputFormat::Text
    {
        let what = "--format: there is a document for each instance, and these are several";
        return one(Diagnostic::error_nowhere(Code::Usage, what));
    }
    let parts = match parts(&manifest.plan, &mut model, sources) {
        Ok(parts) => parts,
        Err(error) => return one(error),
    };
    let damaged = || wrong(format!("the tasks in `{}` are not those of its plan", display(&path)));
    if parts.len() != manifest.tasks.len() {
        return one(damaged());
    }
    for (question, entry) in parts.iter().zip(&manifest.tasks) {
        if Task::new(data.clone(), question.clone(), entry.work)?.id != entry.id {
            return one(damaged().help("options such as `--isolate` and `--no-strict` belong to the tasks"));
        }
    }
    Ok(Ok(Asked { manifest, model: data, parts }))
}
