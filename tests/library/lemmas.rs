//! Models without their lemmas, and the plain obligations of what an inference finds.

use std::sync::Arc;

use ramsey::base::span::{Source, Sources};
use ramsey::infer::{Candidate, Inference, Lemma};
use ramsey::lang::{Language, Unread, load};
use ramsey::query::verify::{Options, Plan};
use ramsey::query::{Limits, Outcome};
use ramsey::system::{Invariant, System};

/// Returns the system with its safety properties alone, and the other invariants as candidates.
pub(crate) fn system(name: &str, text: &str) -> (Arc<System>, Vec<Candidate>) {
    let mut sources = Sources::new();
    let language = Language::of_name(name);
    let file = sources.push(Source::new(name.to_owned(), text.to_owned()));
    let includes = language.format().gather(file, &mut sources, &mut |_, _| Err(Unread::missing("no file")));
    let (system, diagnostics) = load(language, file, &sources, &includes);
    let mut system = system.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"));
    let candidates = system
        .invariants
        .iter()
        .filter(|it| !it.is_safety)
        .map(|it| Candidate { name: it.name.clone(), formula: it.formula });
    let candidates = candidates.collect();
    system.invariants.retain(|it| it.is_safety);
    (Arc::new(system), candidates)
}

/// Returns the system with these lemmas as invariants.
pub(crate) fn with_lemmas(inference: &Inference, lemmas: &[Lemma], has_safety: bool) -> System {
    let mut system = (*inference.system).clone();
    let span = system.transitions[0].span;
    if !has_safety {
        system.invariants.clear();
        system.assertions.clear();
    }
    for (at, lemma) in lemmas.iter().enumerate() {
        let label = format!("lemma_{at}");
        let formula = lemma.formula;
        system.invariants.push(Invariant { name: None, label, formula, is_safety: false, span });
    }
    system
}

/// Checks whether all obligations of a system hold.
pub(crate) fn is_inductive(system: System) -> bool {
    let verification = Plan::new(Arc::new(system), Options::default()).run(&Limits::default());
    verification.results.iter().all(|result| matches!(result.outcome, Outcome::Holds { .. }))
}
