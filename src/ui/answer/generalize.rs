//! Generalization of a state while facts are left out and kept.

use serde_json::{Value, json};

use super::context::{Asked, Context, Failed};
use super::counterexamples::{before, counterexample};
use super::scenes;
use crate::forms::{ElementNames, Partial};
use crate::query::generalize::{Generalization, Generalizer, Options, generalize};
use crate::report::generalize::conjecture_formula;
use crate::workbench::{Items, Selection, select};

/// A state with the facts that take part in its generalization.
pub(super) struct Chosen {
    pub(super) names: ElementNames,
    /// The facts that are not left out.
    pub(super) selection: Selection,
    /// All facts.
    pub(super) all: Partial,
}

/// Returns the state before the transition of a counterexample, with the chosen facts.
pub(super) fn chosen(context: &Context<'_>, asked: &Asked) -> Result<Chosen, Failed> {
    let (structure, names) = before(context, &asked.claim, &asked.action, asked.number)?;
    let system = context.system;
    let select = |drop: &[String], keep: &[String]| {
        let items = Items { only: Vec::new(), drop: drop.to_vec(), keep: keep.to_vec() };
        let selected = select(system, &structure, &names, 0, &items, ["keep-only", "drop", "keep"]);
        selected.map_err(|errors| Failed::unfit(&errors))
    };
    let selection = select(&asked.dropped, &asked.kept)?;
    let all = select(&[], &[])?.upper;
    Ok(Chosen { names, selection, all })
}

pub(super) fn answer(context: &Context<'_>, asked: &Asked) -> Result<Value, Failed> {
    let chosen = chosen(context, asked)?;
    let Chosen { names, selection, .. } = &chosen;
    let (system, limits) = (context.system, context.limits);
    let options = Options { bound: asked.bound, ..Options::default() };
    let found = generalize(system, &selection.upper, &selection.kept, &options, limits, &mut |_| ());
    let upper = scenes::texts(&system.sig, names, &selection.upper);
    match found {
        Generalization::Conjecture(found) => Ok(json!({
            "formula": conjecture_formula(&found),
            "bound": found.bound,
            "upper": upper,
            "needed": scenes::texts(&system.sig, names, &found.partial),
            "svg": scenes::partial(context, names, &found.partial, "g"),
            "minimal": found.is_minimal,
        })),
        Generalization::Reachable(execution, with_formula) => {
            let steps = execution.calls.len();
            let syntax = with_formula.syntax();
            let shown = counterexample(context, syntax, &execution, "r")?;
            let lacks = lacking(context, asked, &chosen)?;
            Ok(json!({ "reached": steps, "upper": upper, "execution": shown, "lacks": lacks }))
        }
        Generalization::Known(_) => Err(Failed::Internal("a state was known that nobody named".to_owned())),
        Generalization::Unknown(exhausted) => Err(exhausted.into()),
        Generalization::InternalError(what) => Err(Failed::Internal(what)),
    }
}

/// Returns the facts that were left out and without which the state is reached: each of them, kept, excludes it. If no
/// single one does, those that do so together.
fn lacking(context: &Context<'_>, asked: &Asked, chosen: &Chosen) -> Result<Vec<Value>, Failed> {
    let (system, limits) = (context.system, context.limits);
    let options = Options { bound: asked.bound, ..Options::default() };
    let mut generalizer = Generalizer::new(system, &chosen.all, &options, limits)?;
    let indices: Vec<usize> = (0..chosen.all.facts.len()).collect();
    let (upper, rest): (Vec<usize>, Vec<usize>) =
        indices.iter().partition(|&&at| chosen.selection.upper.facts.contains(&chosen.all.facts[at]));
    let mut lacks = Vec::new();
    for &fact in &rest {
        let with: Vec<usize> = upper.iter().copied().chain([fact]).collect();
        if generalizer.is_excluded(&with, limits)? {
            lacks.push(vec![fact]);
        }
    }
    if lacks.is_empty()
        && let Some(core) = generalizer.generalize(&indices, &upper, limits)?
    {
        lacks.push(core.into_iter().filter(|fact| rest.contains(fact)).collect());
    }
    let texts = scenes::texts(&system.sig, &chosen.names, &chosen.all);
    Ok(lacks
        .into_iter()
        .map(|facts| facts.into_iter().map(|fact| texts[fact].clone()).collect::<Vec<_>>())
        .map(|facts| json!(facts))
        .collect())
}
