//! `ramsey verify`: inductive invariants and theorems.

mod checked;
mod jobs;
mod model;
mod writer;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::VerifyArgs;
use super::cache;
use super::certify::{certificate_path, export, is_compressed, no_certificate, write_certificate};
use super::claims::{has_claims, nothing_to_check};
use super::files::check_parents;
use super::output::print_part;
use super::rocq::write_theorems;
use super::select::unknown_names;
use super::signals;
use super::sources::read_models_of;
use super::threads::pool;
use super::ui::{Subject, told_of_obligations, with_report};
use jobs::Jobs;
use model::{Model, load};
use ramsey_app::Findings;
use ramsey_app::models::{self as ui, Policy};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_engine::query::certify::of_verification;
use ramsey_engine::query::verify::{Limits, Plan};
use ramsey_engine::query::{self, Verification};
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;
use ramsey_report::listing::Listing;
use ramsey_report::{Tally, fragment, unknown, vacuity};
use writer::Writer;

/// Answers `question`, which is about the invariants or the theorems, for every model.
pub(super) fn run(args: &VerifyArgs, question: &Question) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let inputs = read_models_of((&args.paths, &args.found), &args.form.language, &mut sources);
    let mut usage = Vec::new();
    let baseline = args.form.results.prepare(&mut sources, &mut usage);
    let readers = pool(args.jobs, inputs.len());
    let mut models = load(inputs, args, question, &sources, readers.as_ref(), start);
    drop(readers);
    checked::read(args, &mut models, &sources, start);
    let named = models.iter().filter_map(|model| Some((model.system.as_deref()?, &model.name)));
    let systems = named.clone().map(|(system, _)| system);
    usage.extend(unknown_names(systems, "check-", &args.check_transition, &args.check_invariant));
    usage.extend(named.filter_map(|(system, name)| args.pictures.gallery(system, name).err()).flatten());
    let opened = cache::open(&args.cache, None).unwrap_or_else(|error| {
        usage.push(error);
        None
    });
    usage.extend(check_parents([&args.certify, &args.export, &args.rocq]));
    if let Some(out) = args.certify.as_ref().filter(|out| models.len() > 1 && out.is_file()) {
        let what = format!("--certify: `{}` is a file, and several models need a folder", out.display());
        usage.push(Diagnostic::error_nowhere(Code::Usage, what));
    }
    // An error in an option is the same for every model.
    let mut seen: Set<String> = Set::default();
    usage.retain(|error| seen.insert(error.message.clone()));
    usage.extend(checked::refusals(args, &models));
    let mut writer = Writer::new((args, question), &sources, models.len(), baseline, start);
    writer.parts(&models);
    if !usage.is_empty() {
        writer.usage(usage);
        models.iter_mut().for_each(|model| model.system = None);
    }
    warn_of_nothing(args, question, &mut models);
    if *question == Question::Verify {
        models.iter_mut().for_each(warn_of_traces);
    }

    signals::end_with_summary();
    let limits = args.limits.limits(start);
    if args.lint && *question == Question::Verify {
        models.iter_mut().for_each(|model| remark_on_implied(model, &limits));
    }
    let mut jobs = Jobs::new(&models, (args, opened.as_ref()), question, &limits);
    let pool = pool(args.jobs, jobs.total());
    jobs.analyse(pool.as_ref());
    for (at, model) in models.iter_mut().enumerate() {
        warn_of_fragment(model, jobs.plan(at), &limits);
        writer.before_search(model);
    }
    jobs.start(pool.as_ref());
    let single = models.len() == 1;
    let (mut pictures, mut verified) = (0, None);
    for (at, model) in models.iter_mut().enumerate() {
        let name = model.title();
        let system = model.system.clone();
        let method = model.method();
        let mut listing = jobs.plan(at).zip(system.as_deref()).and_then(|(plan, system)| {
            (writer.streams() && method.is_none())
                .then(|| Listing::new(&name, system, plan.obligations(), &sources, writer.style))
        });
        for group in 0..jobs.groups(at) {
            let Some(answers) = jobs.wait_for(at, group) else { break };
            if let Some(listing) = &mut listing {
                let lines = listing.group(&answers.results);
                jobs.progress.clear();
                print_part(&lines)?;
            }
        }
        let mut verification = jobs.finish(at);
        let checked = match (&system, method) {
            (Some(system), Some(method)) if verification.is_some() => {
                checked::answers((args, method), model, system, start, &limits, &jobs.progress)
            }
            _ => None,
        };
        jobs.progress.clear();
        if let Some(verification) = &mut verification {
            warn_of_vacuity(model, verification);
            model.diagnostics.extend(cache::rejected(&verification.rejected));
            match method {
                None => write_certificates(args, question, model, &sources, verification, single),
                Some(_) => model.diagnostics.extend(checked::no_certificate(args, &model.title())),
            }
            write_pictures(args, model, verification, &mut pictures);
        }
        writer.file(model, verification.as_ref(), checked, listing)?;
        verified = verification;
    }
    // A cache of several runs is closed by who has opened it.
    if let Some(opened) = opened.filter(|_| args.cache.opened.is_none()) {
        writer.cache(opened.close(), opened.tally());
    }
    let verdict = writer.finish()?;
    Ok(with_report(&args.report, args.form.color, verdict, || {
        report(args, &models, &sources, verified.as_ref(), limits)
    }))
}

/// Returns what the report of a run shows, which is about one model.
fn report<'a>(
    args: &'a VerifyArgs,
    models: &[Model],
    sources: &Sources,
    verified: Option<&'a Verification>,
    limits: Limits,
) -> Option<Subject<'a>> {
    let first = models.first()?;
    let (system, text) = (first.system.clone()?, first.text.clone()?);
    let path = match (args.paths.as_slice(), models) {
        ([path], [_]) => path.as_path(),
        // The reason is told where the file is not to be written.
        _ => Path::new("-"),
    };
    let tally = verified.map_or(Tally::default(), |it| Tally::of(&it.results));
    let verdict = Verdict::of_tally(tally);
    let is_part = !args.check_transition.is_empty() || !args.check_invariant.is_empty();
    let meaning = (Some(system), first.diagnostics.clone());
    Some(Subject {
        path,
        folders: &args.form.language.folders,
        model: Arc::new(ui::Model::new(text, sources.clone(), Policy::LENIENT, meaning)),
        lemmas: Vec::new(),
        findings: Findings {
            verification: verified,
            executions: None,
            is_part,
            told: if is_part && verdict == Verdict::Ok {
                of_those_asked(tally)
            } else {
                told_of_obligations(tally)
            },
            verdict,
        },
        limits,
    })
}

/// Returns the answer in one line where only some obligations were asked, which all hold.
fn of_those_asked(tally: Tally) -> String {
    match tally.total() {
        1 => "the obligation that was asked holds, and others were not asked".to_owned(),
        count => format!("the {count} obligations that were asked hold, and others were not asked"),
    }
}

/// Writes the certificates, once the checker has accepted them.
fn write_certificates(
    args: &VerifyArgs,
    question: &Question,
    model: &mut Model,
    sources: &Sources,
    verification: &mut Verification,
    single: bool,
) {
    let (Some(system), Some(text)) = (&model.system, &model.text) else { return };
    if args.certify.is_none() && args.export.is_none() && args.rocq.is_none() {
        return;
    }
    let compressed = is_compressed(args, single);
    let source = text.source_text(sources);
    let accepted = match of_verification(system, &source, question, verification, compressed) {
        Ok(Some(accepted)) => accepted,
        Ok(None) => return,
        Err(rejected) => {
            // A defect is an outcome, which is shown.
            model.diagnostics.extend((!rejected.is_defect).then(|| no_certificate(&rejected)));
            return;
        }
    };
    let mut errors: Vec<Diagnostic> = Vec::new();
    if let Some(out) = &args.certify {
        let written = certificate_path(out, &model.stem(), single, compressed)
            .and_then(|path| write_certificate(&path, &accepted, compressed));
        match written {
            Ok(written) => model.certificate = Some(written),
            Err(error) => errors.push(error),
        }
    }
    if let Some(folder) = &args.export {
        let certificates = verification.results.iter().map(|it| (it.origin, it.certificate.as_ref()));
        errors.extend(export(folder, (&**system).into(), &model.stem(), certificates).err());
    }
    if let Some(folder) = &args.rocq {
        errors.extend(
            write_theorems(folder, (&model.stem(), single), system, question, sources, &verification.results)
                .err(),
        );
    }
    model.diagnostics.extend(errors);
}

/// Draws the counterexamples; `count` is the number drawn so far.
fn write_pictures(args: &VerifyArgs, model: &mut Model, verification: &Verification, count: &mut usize) {
    let Some(system) = model.system.as_ref().filter(|_| args.pictures.is_some()) else { return };
    let Ok(mut gallery) = args.pictures.gallery(system, &model.name) else { return };
    gallery.count = *count;
    model.diagnostics.extend(gallery.failures(&model.name, system, verification).err());
    *count = gallery.count;
}

/// Warns that trace blocks are checked by another command.
fn warn_of_traces(model: &mut Model) {
    let Some(system) = &model.system else { return };
    let Some(first) = system.traces.first() else { return };
    let (what, them) = match system.traces.len() {
        1 => ("1 trace block is not checked here".to_owned(), "it"),
        count => (format!("{count} trace blocks are not checked here"), "them"),
    };
    let help = format!("`ramsey trace {}` checks {them}", model.name);
    let warning = Diagnostic::warning(Code::TraceElsewhere, first.span, what);
    model.diagnostics.push(warning.label("the first one").help(help));
}

/// Warns once of obligations outside the fragment.
fn warn_of_fragment(model: &mut Model, plan: Option<&Plan>, limits: &Limits) {
    let (Some(system), Some(plan)) = (&model.system, plan) else { return };
    let groups = plan.obligations().groups.iter().enumerate();
    let outside = groups.flat_map(|(index, group)| {
        let cycles = group.goals.iter().zip(plan.cycles(index, limits));
        cycles.filter_map(|(goal, cycle)| Some((goal.origin, cycle.as_deref()?)))
    });
    let first = fragment::diagnostics(system, outside, Severity::Warning).into_iter().next();
    model.diagnostics.extend(first.map(|warning| unknown::with_default_limit(warning, limits.outside)));
}

/// Reports models without claims to check. A model without theorems is not reported if another one of the run has some.
fn warn_of_nothing(args: &VerifyArgs, question: &Question, models: &mut [Model]) {
    let claims = |model: &Model| model.system.as_ref().is_some_and(|system| has_claims(system, question));
    if *question == Question::Theorems && models.iter().any(claims) {
        return;
    }
    for model in models.iter_mut().filter(|model| model.system.is_some() && !claims(model)) {
        model.diagnostics.push(nothing_to_check(&model.name, question, args.strict));
        model.system.take_if(|_| args.strict);
    }
}

/// Notes which invariants follow from the others.
fn remark_on_implied(model: &mut Model, limits: &Limits) {
    let Some(system) = &model.system else { return };
    let found = query::implied(system, limits);
    model.diagnostics.extend(found.iter().map(|it| vacuity::implied(system, it)));
}

/// Warns of claims that hold vacuously, because their conditions can never be satisfied.
fn warn_of_vacuity(model: &mut Model, verification: &Verification) {
    let Some(system) = &model.system else { return };
    let found = verification.vacuities.iter().map(|it| vacuity::diagnostic(system, it));
    model.diagnostics.extend(found);
}
