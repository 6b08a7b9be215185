//! States as pictures and as lists of facts.

use super::context::{Context, Failed};
use super::verify;
use crate::definition;
use crate::reply::{Fact, State, States, Taken};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind};
use ramsey_engine::query::{Call, dead_variables};
use ramsey_report::Names;
use ramsey_report::json::dto::Value;
use ramsey_report::json::scene::scene_dto;
use ramsey_report::picture::{Picture, Theme, scene, svg_panel};
use ramsey_report::replay::unchosen;
use ramsey_report::trace::call_values;
use ramsey_solver::formulas::{ElementNames, Partial, applied, fact_text};

/// Maximum number of facts of a state of which the false ones are listed too.
const MAX_FACTS: usize = 4_000;

/// What is drawn.
pub(super) struct Shown<'a> {
    pub(super) sig: &'a Signature,
    pub(super) structure: &'a Structure,
    pub(super) calls: &'a [Call],
    /// Tags of elements in the last state.
    pub(super) witnesses: Vec<(String, SortId, Elem)>,
}

/// Returns the names of elements in facts, the same for all states.
pub(super) fn names(sig: &Signature, structure: &Structure) -> Names {
    Names::plain(sig, structure)
}

/// Returns names of elements in the form of facts.
pub(super) fn element_names(sig: &Signature, structure: &Structure, names: &Names) -> ElementNames {
    let of_sort = |sort: SortId| -> Vec<String> {
        (0..structure.sizes[sort]).map(|elem| names.name(sort, elem).to_owned()).collect()
    };
    let all: IdVec<SortId, Vec<String>> = sig.sorts.ids().map(of_sort).collect();
    all
}

/// Returns the theme: that of the file beside the model, and what the session asks for. What does not fit the model is left out.
fn theme(context: &Context<'_>) -> Theme {
    let mut theme = Theme::PLAIN;
    for line in context.models.theme().lines() {
        // The caller has reported misfits; a model that has changed since may have others.
        let _ = theme.add_file(context.system, line);
    }
    for projection in &context.state.drawing.projections {
        if let Ok(more) = Theme::new(context.system, std::slice::from_ref(projection), &[], &[]) {
            theme.projections.extend(more.projections);
        }
    }
    for symbol in &context.state.drawing.hidden {
        if let Ok(more) = Theme::new(context.system, &[], &[], std::slice::from_ref(symbol)) {
            theme.hidden.extend(more.hidden);
        }
    }
    theme
}

/// Returns the pictures and facts of all states. `prefix` begins the identifiers in the pictures, so that several fit on
/// one page.
pub(super) fn states(context: &Context<'_>, shown: &Shown<'_>, prefix: &str) -> Result<States, Failed> {
    let Shown { sig, structure, calls, .. } = *shown;
    let (system, model) = (context.system, context.model);
    let mut theme = theme(context);
    let (mut drawn_sig, mut drawn) = (sig.clone(), structure.clone());
    let definitions = &context.state.drawing.definitions;
    let both = (&mut drawn_sig, &mut drawn);
    theme.added = definition::extend(definitions, model, both, &context.limits.budget())?;
    let picture = Picture {
        system,
        sig: &drawn_sig,
        structure: &drawn,
        calls,
        title: "",
        violated: "",
        theme: &theme,
        witnesses: &shown.witnesses,
    };
    let scene = scene(&picture);
    let names = names(sig, structure);
    let elements = element_names(sig, structure, &names);
    let dead = dead(context);
    let mut states = Vec::new();
    for step in 0..structure.states().max(1) {
        let svg = svg_panel(&scene, step, &format!("{prefix}{step}"));
        let action = step.checked_sub(1).and_then(|before| Some((before, calls.get(before)?))).map(
            |(before, call)| {
                let omitted = unchosen(system, sig, structure, before, call);
                let (name, params) = call_values(system, &names, call, &omitted);
                let title = verify::title(model, &name, system.transitions[call.transition].span);
                Taken { name, title, params }
            },
        );
        let facts = facts(sig, structure, step, &elements, &dead);
        states.push(State { svg, action, facts });
    }
    Ok(States { states, scene: scene_dto(&scene) })
}

/// Returns the picture of a partial structure.
pub(super) fn partial(
    context: &Context<'_>,
    names: &ElementNames,
    partial: &Partial,
    prefix: &str,
) -> String {
    let scene = ramsey_report::picture::partial_scene(context.system, names, partial);
    svg_panel(&scene, 0, prefix)
}

/// Returns the names of variables that nothing reads.
pub(super) fn dead(context: &Context<'_>) -> Vec<String> {
    let names = || {
        let symbols = dead_variables(context.system);
        symbols.into_iter().map(|sym| context.system.sig.symbols[sym].name.clone()).collect()
    };
    context.model.dead.get_or_init(names).clone()
}

/// Returns the facts of a state: of a large one only those that are true.
fn facts(
    sig: &Signature,
    structure: &Structure,
    step: usize,
    elements: &ElementNames,
    dead: &[String],
) -> Vec<Fact> {
    let name = |sort: SortId, elem: Elem| -> String {
        elements.get(sort).and_then(|of_sort| of_sort.get(elem as usize)).cloned().unwrap_or_default()
    };
    let symbols = || {
        sig.symbols.iter_enumerated().filter(|(_, symbol)| {
            symbol.is_declared() && symbol.kind != SymbolKind::Parameter && !dead.contains(&symbol.name)
        })
    };
    let count: u64 = symbols()
        .map(|(_, it)| it.args.iter().map(|&sort| u64::from(structure.sizes[sort])).product::<u64>())
        .sum();
    let is_small = count <= MAX_FACTS as u64;
    let mut all = Vec::new();
    let mut add = |sym: SymId, args: &[Elem], value: Elem| {
        let symbol = &sig.symbols[sym];
        let args: Vec<String> = args.iter().zip(&symbol.args).map(|(&arg, &sort)| name(sort, arg)).collect();
        let atom = applied(symbol, &args);
        let (id, value) = if symbol.is_relation() {
            let text = if value != 0 { atom } else { ramsey_solver::formulas::negated(symbol, &atom) };
            (text, Value::Bool(value != 0))
        } else {
            let value = name(symbol.result, value);
            (format!("{atom} = {value}"), Value::Element(value))
        };
        let immutable = symbol.kind == SymbolKind::Immutable;
        all.push(Fact { id, symbol: symbol.name.clone(), args, value, immutable });
    };
    for (sym, symbol) in symbols() {
        let interpretation = structure.interpretation(sig, sym, step);
        if is_small {
            for args in structure.tuples(&symbol.args) {
                add(sym, &args, interpretation.get(&args));
            }
        } else {
            let mut entries: Vec<_> =
                interpretation.entries.iter().filter(|(_, value)| **value != 0).collect();
            entries.sort();
            entries.into_iter().for_each(|(args, &value)| add(sym, args, value));
        }
    }
    all
}

/// Returns the texts of facts.
pub(super) fn texts(sig: &Signature, names: &ElementNames, partial: &Partial) -> Vec<String> {
    partial.facts.iter().map(|fact| fact_text(sig, names, fact)).collect()
}
