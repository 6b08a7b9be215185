//! What is searched: the properties of a model that are to be shown, and candidates for lemmas.

use std::path::Path;
use std::sync::Arc;

use super::checkpoint::Keeper;
use super::prefix::prefix;
use super::template::template;
use crate::args::{InferArgs, LanguageArgs};
use crate::shared::Model;
use crate::sources::{display, in_document, is_model, read_one_model, read_source, read_text};
use ramsey_app::models::Policy;
use ramsey_core::base::span::{FileId, Source, Sources};
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::TermId;
use ramsey_core::system::{Invariant, System};
use ramsey_engine::infer::{Candidate, QuantifierPrefix, Template};
use ramsey_kernel::obligations::Property;
use ramsey_report::json::infer::{Skipped, read_lemmas};
use ramsey_solver::formulas::Pretty;

/// Source name of the lemmas of an earlier version or run.
const EARLIER: &str = "<earlier>";

/// The question of a run.
pub(crate) struct Task {
    /// The model as it was read.
    pub(crate) model: Arc<System>,
    /// The system that is searched, in which the invariants are those that are to be shown.
    pub(crate) system: Arc<System>,
    /// The invariants of the model in its order, in the terms of `system`.
    pub(super) given: Vec<Invariant>,
    /// The candidates, in the terms of `system`.
    pub(crate) candidates: Vec<Candidate>,
    /// The clauses that Houdini tries, if they are given.
    pub(crate) template: Option<Template>,
    pub(crate) prefixes: Vec<QuantifierPrefix>,
    /// Lemmas of an earlier version that do not fit the model.
    pub(super) skipped: Vec<Skipped>,
    /// The file of checkpoints.
    pub(super) keeper: Option<Keeper>,
}

impl Task {
    /// Returns the question that the arguments ask. Such of the lemmas as fit the model are candidates as well. If the arguments do
    /// not fit the model, errors are added to its diagnostics.
    pub(crate) fn new(
        args: &InferArgs,
        lemmas: &[String],
        model: &mut Model,
        sources: &mut Sources,
    ) -> Option<Task> {
        let original = model.system.take()?;
        match Task::read((args, lemmas), model, &original, sources) {
            Ok(task) => task,
            Err(errors) => {
                model.diagnostics.extend(errors);
                None
            }
        }
    }

    fn read(
        (args, lemmas): (&InferArgs, &[String]),
        model: &mut Model,
        original: &Arc<System>,
        sources: &mut Sources,
    ) -> Result<Option<Task>, Vec<Diagnostic>> {
        if args.template.is_some() && !args.method.takes_template() {
            let error = Diagnostic::error_nowhere(Code::Usage, "--template: this method has no use for it");
            return Err(vec![error.help("`--method houdini` tries the clauses of a template")]);
        }
        let template = args.template.as_deref().map(|text| template(original, text)).transpose();
        let template = template.map_err(|error| vec![error])?;
        if !args.prefix.is_empty() && !args.method.takes_prefixes() {
            let error = Diagnostic::error_nowhere(Code::Usage, "--prefix: this method has no use for it");
            return Err(vec![
                error.help("`--method exists` and `auto` find lemmas with existential quantifiers"),
            ]);
        }
        let prefixes: Result<Vec<QuantifierPrefix>, Diagnostic> =
            args.prefix.iter().map(|text| prefix(original, text)).collect();
        let prefixes = prefixes.map_err(|error| vec![error])?;
        let hints = args.hints.as_deref().map(|path| hints(path, sources)).transpose()?;
        let (mut earlier, skipped) = match &args.from {
            Some(path) => earlier(path, &args.form.language, model, original, sources)?,
            None => Default::default(),
        };
        let keeper = args
            .checkpoint
            .as_deref()
            .map(|path| Keeper::open(path, &model.source_text(sources), args.method));
        let keeper = keeper.transpose().map_err(|error| vec![error])?;
        if let Some(keeper) = &keeper {
            let refusals = model.refusals(EARLIER, keeper.formulas().iter(), sources);
            let refused = refusals.iter().enumerate().find_map(|(at, reason)| Some((at, reason.as_ref()?)));
            if let Some((at, reason)) = refused {
                return Err(vec![keeper.unfit(at, reason)]);
            }
            earlier.extend(keeper.formulas().iter().map(|formula| (None, formula.clone())));
        }
        let refusals = model.refusals(EARLIER, lemmas.iter(), sources);
        let fitting = lemmas.iter().zip(refusals).filter(|(_, refusal)| refusal.is_none());
        earlier.extend(fitting.map(|(formula, _)| (None, formula.clone())));
        let earlier_text: String =
            earlier.iter().map(|(_, formula)| format!("{} {formula}\n", model.keyword())).collect();
        let earlier_file =
            (!earlier.is_empty()).then(|| sources.push(Source::new(EARLIER.to_owned(), earlier_text)));
        let claims: Vec<FileId> = hints.into_iter().chain(earlier_file).collect();
        let mut system = if claims.is_empty() {
            System::clone(original)
        } else {
            let Some(system) = model.with_claims(&claims, sources) else { return Ok(None) };
            System::clone(&system)
        };
        if !has_only_more_claims(original, &system) {
            let what = format!(
                "`{}` declares more than claims",
                args.hints.as_deref().map(display).unwrap_or_default()
            );
            let help =
                "a file of hints has declarations of invariants in the language of the model, nothing else";
            return Err(vec![Diagnostic::error_nowhere(Code::Usage, what).help(help)]);
        }
        let (given, more): (Vec<Invariant>, Vec<Invariant>) =
            system.invariants.drain(..).partition(|it| !claims.contains(&it.span.file));
        // Invariants of included files cannot be left out, so they are to be shown as well.
        let is_property = |it: &&Invariant| it.is_safety || Some(it.span.file) != model.file;
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut add = |name: Option<String>, formula: TermId| candidates.push(Candidate { name, formula });
        if args.use_invariants {
            given.iter().filter(|it| !is_property(it)).for_each(|it| add(it.name.clone(), it.formula));
        }
        let mut names = earlier.into_iter().map(|(name, _)| name);
        for it in more {
            let is_earlier = Some(it.span.file) == earlier_file;
            add(if is_earlier { names.next().flatten() } else { it.name }, it.formula);
        }
        let properties = given.iter().filter(is_property).cloned();
        system.invariants = properties.map(|it| Invariant { is_safety: true, ..it }).collect();
        if Property::safety(&system).is_empty() {
            let error = Diagnostic::error_nowhere(Code::Usage, "the model has no safety property to show");
            return Err(vec![error.help("declare one with `safety`: invariants are what is looked for")]);
        }
        let (model, system) = (Arc::clone(original), Arc::new(system));
        Ok(Some(Task { model, system, given, candidates, template, prefixes, skipped, keeper }))
    }
}

/// Reads a file of hints as a source.
fn hints(path: &Path, sources: &mut Sources) -> Result<FileId, Vec<Diagnostic>> {
    let text = read_source(path).map_err(|error| vec![error])?;
    Ok(sources.push(Source::new(display(path), text)))
}

/// Checks whether a system with further declarations differs from the original in its claims alone.
fn has_only_more_claims(original: &System, system: &System) -> bool {
    let counts = |it: &System| {
        let declared =
            [it.sig.sorts.len(), it.sig.symbols.len(), it.axioms.len(), it.derived.len(), it.inits.len()];
        let parts = [it.transitions.len(), it.assertions.len(), it.theorems.len(), it.traces.len()];
        (declared, parts, it.init_command.is_some(), it.final_command.is_some())
    };
    counts(original) == counts(system)
}

/// Lemmas of an earlier version, each with its name: those that fit the model, and the others.
type Earlier = (Vec<(Option<String>, String)>, Vec<Skipped>);

/// Reads the lemmas of an earlier version from a model or a document.
fn earlier(
    path: &Path,
    language: &LanguageArgs,
    model: &mut Model,
    system: &System,
    sources: &mut Sources,
) -> Result<Earlier, Vec<Diagnostic>> {
    let lemmas = if is_model(path) {
        of_model(path, language, model, sources)?
    } else {
        let lemmas = read_text(path).and_then(|text| read_lemmas(&text));
        let lemmas = lemmas.map_err(|error| vec![in_document(path, error)])?;
        lemmas.into_iter().map(|it| (it.name, it.formula)).collect()
    };
    let text = |formula: TermId| Pretty::new(system.syntax(), formula).to_string();
    let properties: Vec<String> =
        system.invariants.iter().filter(|it| it.is_safety).map(|it| text(it.formula)).collect();
    let (mut fitting, mut skipped) = Earlier::default();
    let lemmas: Vec<(Option<String>, String)> =
        lemmas.into_iter().filter(|(_, formula)| !properties.contains(formula)).collect();
    let refusals = model.refusals(EARLIER, lemmas.iter().map(|(_, formula)| formula), sources);
    for ((name, formula), refusal) in lemmas.into_iter().zip(refusals) {
        match refusal {
            None => fitting.push((name, formula)),
            Some(reason) => skipped.push(Skipped { name, formula, reason }),
        }
    }
    Ok((fitting, skipped))
}

/// Returns the claims of an earlier version of the model, safety properties included.
fn of_model(
    path: &Path,
    language: &LanguageArgs,
    model: &mut Model,
    sources: &mut Sources,
) -> Result<Vec<(Option<String>, String)>, Vec<Diagnostic>> {
    let input = read_one_model(path, language, sources);
    let (system, diagnostics) = input.read(&Policy::LENIENT, sources, model.reading());
    let Some(system) = system else {
        return Err(diagnostics.into_iter().filter(|it| it.severity == Severity::Error).collect());
    };
    let text = |it: &Invariant| (it.name.clone(), Pretty::new(system.syntax(), it.formula).to_string());
    Ok(system.invariants.iter().map(text).collect())
}
