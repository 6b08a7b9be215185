//! `ramsey eval`: evaluation of a formula in a state.

use super::args::{EvalArgs, How};
use std::io;
use std::time::Instant;

use super::select::listed;
use super::shared::Model;
use super::sources::{in_document, read_text};
use ramsey_app::models::Policy;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::{Elem, SortId, Structure, TermId};
use ramsey_core::system::System;
use ramsey_engine::query::evaluate::{Evaluation, evaluate};
use ramsey_lang::FormulaKind;
use ramsey_report::Names;
use ramsey_report::Verdict;
use ramsey_report::eval::{Found, Report};
use ramsey_report::json::{States, read_nth_counterexample};
use ramsey_report::render::Shown;

/// Source name of the formula.
const FORMULA: &str = "<formula>";

/// Evaluates a formula in a state.
pub(super) fn run(args: &EvalArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model = Model::read(
        &args.model,
        (&args.language, Policy::LENIENT),
        How::plain(args.format, args.color),
        &mut sources,
        reading,
    );
    let found = match model.system.take() {
        Some(system) => answer(args, &mut model, &system, &mut sources, start),
        None => None,
    };
    model.diagnostics.retain(|it| it.severity == Severity::Error);
    let report = Report { path: &model.name.clone(), formula: &args.formula, state: args.state, found };
    model.answer(&report, (Shown::default(), Vec::new(), None), &sources)
}

/// Evaluates the formula. If there is no value, an error is added to the model's diagnostics.
fn answer(
    args: &EvalArgs,
    model: &mut Model,
    system: &System,
    sources: &mut Sources,
    start: Instant,
) -> Option<Found> {
    let read = read_text(&args.document).and_then(|text| {
        read_nth_counterexample(system, &text, args.number)
            .map_err(|error| in_document(&args.document, error))
    });
    let states = match read {
        Ok(states) => states,
        Err(error) => {
            model.diagnostics.push(error);
            return None;
        }
    };
    let count = states.structure.states();
    if args.state >= count {
        let what = format!("--state: there is no state {}, only 0 to {}", args.state, count - 1);
        model.diagnostics.push(Diagnostic::error_nowhere(Code::Usage, what));
        return None;
    }
    let names = [
        Names::new(system, &system.sig, &states.structure, args.state),
        Names::plain(&system.sig, &states.structure),
    ];
    let used: Vec<String> = sources.ids().flat_map(|file| words(&sources[file].text)).collect();
    let elements = elements(&args.formula, system, &states, &names, &used);
    let (formula, elements) = named(&args.formula, elements, &used);
    let constants: Vec<(String, String)> =
        elements.iter().map(|(name, sort, _)| (name.clone(), system.sig.sorts[*sort].name.clone())).collect();
    let kind =
        FormulaKind::Question { states: if args.state + 1 < count { 2 } else { 1 }, constants: &constants };
    let Some((system, formula)) = model.with_formula(FORMULA, &formula, kind, sources) else {
        let known = shown_elements(system, &states, &names[0]);
        for error in model.diagnostics.iter_mut().filter(|it| it.code == Code::Undeclared) {
            let is_element = |help: &String| help.starts_with("variables are bound by");
            if error.help.as_ref().is_some_and(is_element) {
                error.help = Some(format!("the elements of the state are {known}"));
            }
        }
        return None;
    };
    let structure = expand(&system, &states, args.state, &elements);
    let value = value(&system, &structure, formula, args, start);
    let [shown, plain] = names;
    Some(Found { system, value, shown, plain })
}

fn value(
    system: &System,
    structure: &Structure,
    formula: TermId,
    args: &EvalArgs,
    start: Instant,
) -> Result<Evaluation, Exhausted> {
    let budget = args.limits.limits(start).budget();
    budget.check()?;
    evaluate(system.syntax(), structure, formula, budget)
}

/// Lists the first elements of a state, for messages.
fn shown_elements(system: &System, states: &States, names: &Names) -> String {
    let sorts = system.sig.uninterpreted_sorts();
    let elements = sorts.flat_map(|sort| (0..states.structure.sizes[sort]).map(move |elem| (sort, elem)));
    let elements: Vec<&str> = elements.map(|(sort, elem)| names.name(sort, elem)).collect();
    listed(&elements)
}

/// Checks whether a name may have this character.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the words of a text that begin with a letter.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !is_part(c));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())).map(str::to_owned).collect()
}

/// Returns the elements that the formula names, except names that occur in the model.
fn elements(
    formula: &str,
    system: &System,
    states: &States,
    names: &[Names; 2],
    used: &[String],
) -> Vec<(String, SortId, Elem)> {
    let bound = bound_names(formula);
    let mut found: Vec<(String, SortId, Elem)> = Vec::new();
    for word in words(formula) {
        if used.contains(&word)
            || bound.contains(&word.as_str())
            || found.iter().any(|(name, ..)| *name == word)
        {
            continue;
        }
        // Displayed names take precedence: plain names may be those of other elements.
        let element = names.iter().find_map(|names| {
            system.sig.uninterpreted_sorts().find_map(|sort| {
                let size = states.structure.sizes[sort];
                (0..size).find(|&elem| names.name(sort, elem) == word).map(|elem| (sort, elem))
            })
        });
        found.extend(element.map(|(sort, elem)| (word, sort, elem)));
    }
    found
}

/// Gives elements with names in capital letters, which are those of variables, names in small letters, of the same length so that
/// places of errors stay. Returns the formula with these.
fn named(
    formula: &str,
    mut elements: Vec<(String, SortId, Elem)>,
    used: &[String],
) -> (String, Vec<(String, SortId, Elem)>) {
    let mut text = formula.to_owned();
    for (name, ..) in &mut elements {
        let mut small = name.clone();
        if let Some(first) = small.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        let places: Vec<usize> = text
            .match_indices(name.as_str())
            .map(|(at, _)| at)
            .filter(|&at| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
            .collect();
        let is_taken = used.contains(&small) || words(&text).contains(&small);
        if small != *name && !is_taken {
            places.into_iter().for_each(|at| text.replace_range(at..at + 1, &small[..1]));
            *name = small;
        }
    }
    (text, elements)
}

/// Returns the names bound by quantifiers of a formula: `forall X:node, Y. ..` and the like.
fn bound_names(formula: &str) -> Vec<&str> {
    let binders = ["forall", "exists", "\u{2200}", "\u{2203}"];
    let starts = binders.iter().flat_map(|binder| formula.match_indices(binder));
    let is_whole = |at: usize, binder: &str| {
        !binder.is_ascii()
            || !formula[..at].ends_with(is_part) && !formula[at + binder.len()..].starts_with(is_part)
    };
    let lists = starts.filter(|&(at, binder)| is_whole(at, binder)).filter_map(|(at, binder)| {
        let rest = &formula[at + binder.len()..];
        rest.split_once('.').map(|(variables, _)| variables)
    });
    let variables = lists.flat_map(|list| list.split(','));
    variables.map(|variable| variable.split(':').next().unwrap_or_default().trim()).collect()
}

/// Builds a structure of the state and the next one, over a system extended by a constant for each of the elements.
fn expand(system: &System, states: &States, state: usize, elements: &[(String, SortId, Elem)]) -> Structure {
    let sig = &system.sig;
    let count = (states.structure.states() - state).min(2);
    let mut structure = Structure::new(sig, count);
    structure.sizes = states.structure.sizes.clone();
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        for step in 0..count {
            let known = states.interpretation(&symbol.name, state + step);
            if let Some(known) = known {
                *structure.interpretation_mut(sig, sym, step) = known.clone();
            } else if let Some((_, _, elem)) = elements.iter().find(|(name, ..)| *name == symbol.name) {
                structure.interpretation_mut(sig, sym, step).set(&[], *elem);
            }
        }
    }
    structure
}
