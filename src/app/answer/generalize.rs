//! Generalization of a state while facts are left out and kept.

use super::context::{Asked, Context, Failed};
use super::counterexamples::{before, counterexample};
use super::scenes;
use crate::reply::{self, LeftOut};
use ramsey_core::logic::Structure;
use ramsey_engine::query::generalize::{Generalization, Generalizer, Options, generalize};
use ramsey_report::generalize::conjecture_formula;
use ramsey_services::workbench::{Items, Selection, select};
use ramsey_solver::formulas::{ElementNames, Fact, Partial};

/// A state with the facts that take part in its generalization.
pub(super) struct Chosen {
    pub(super) names: ElementNames,
    /// The facts that are not left out.
    pub(super) selection: Selection,
    /// All facts.
    all: Partial,
    /// Those that are not about variables that nothing reads.
    read: Partial,
    /// The state.
    structure: Structure,
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
    let all = select(&[], &scenes::dead(context))?.upper;
    let read = select(&[], &[])?.upper;
    Ok(Chosen { names, selection, all, read, structure })
}

pub(super) fn answer(context: &Context<'_>, asked: &Asked) -> Result<reply::Generalization, Failed> {
    let chosen = chosen(context, asked)?;
    let Chosen { names, selection, .. } = &chosen;
    let (system, limits) = (context.system, context.limits);
    let options = Options { bound: asked.bound, ..Options::default() };
    let found = generalize(system, &selection.upper, &selection.kept, &options, limits, &mut |_| ());
    let upper = scenes::texts(&system.sig, names, &selection.upper);
    match found {
        Generalization::Conjecture(found) => Ok(reply::Generalization::Conjecture {
            formula: conjecture_formula(&found),
            bound: found.bound,
            upper,
            needed: scenes::texts(&system.sig, names, &found.partial),
            svg: scenes::partial(context, names, &found.partial, "g"),
            minimal: found.is_minimal,
        }),
        Generalization::Reachable(execution, with_formula) => {
            let shown = counterexample(context, with_formula.syntax(), &execution, "r")?;
            Ok(reply::Generalization::Reached {
                reached: execution.calls.len(),
                upper,
                execution: Box::new(shown),
                lacks: lacks(context, asked, &chosen)?,
                left_out: left_out(context, &chosen),
                whole: chosen.is_whole(),
                larger: larger(context, &chosen, &execution.structure),
            })
        }
        Generalization::Known(_) => Err(Failed::Internal("a state was known that nobody named".to_owned())),
        Generalization::Unknown(exhausted) => Err(exhausted.into()),
        Generalization::InternalError(what) => Err(Failed::Internal(what)),
    }
}

impl Chosen {
    /// Returns whether no fact is left out, by whomever.
    fn is_whole(&self) -> bool {
        self.all.facts.iter().all(|fact| self.selection.upper.facts.contains(fact))
    }
}

/// Returns the variables that nothing reads, with their facts, where these take no part in the generalization.
fn left_out(context: &Context<'_>, chosen: &Chosen) -> Vec<LeftOut> {
    let sig = &context.system.sig;
    let texts = scenes::texts(sig, &chosen.names, &chosen.all);
    let facts_of = |name: &String| -> Vec<String> {
        let is_out = |fact: &Fact| {
            fact.symbol().is_some_and(|sym| sig.symbols[sym].name == *name)
                && !chosen.selection.upper.facts.contains(fact)
        };
        chosen
            .all
            .facts
            .iter()
            .zip(&texts)
            .filter(|(fact, _)| is_out(fact))
            .map(|(_, text)| text.clone())
            .collect()
    };
    let dead = scenes::dead(context);
    let list = dead.into_iter().map(|symbol| LeftOut { facts: facts_of(&symbol), symbol });
    list.filter(|it| !it.facts.is_empty()).collect()
}

/// Returns the sorts of which a state that is reached has more elements than the one that is to be excluded, with both
/// numbers.
fn larger(context: &Context<'_>, chosen: &Chosen, reached: &Structure) -> Vec<(String, u32, u32)> {
    let sig = &context.system.sig;
    let sizes =
        sig.uninterpreted_sorts().map(|sort| (sort, chosen.structure.sizes[sort], reached.sizes[sort]));
    let larger = sizes.filter(|(_, here, there)| there > here);
    larger.map(|(sort, here, there)| (sig.sorts[sort].name.clone(), here, there)).collect()
}

/// Returns what the state that is reached lacks, if possible of the facts that something reads.
fn lacks(context: &Context<'_>, asked: &Asked, chosen: &Chosen) -> Result<Vec<Vec<String>>, Failed> {
    let lacks = lacking(context, asked, chosen, &chosen.read)?;
    if lacks.is_empty() { lacking(context, asked, chosen, &chosen.all) } else { Ok(lacks) }
}

/// Returns the facts that were left out and without which the state is reached: each of them, kept, excludes it. If no
/// single one does, those that do so together.
fn lacking(
    context: &Context<'_>,
    asked: &Asked,
    chosen: &Chosen,
    all: &Partial,
) -> Result<Vec<Vec<String>>, Failed> {
    let (system, limits) = (context.system, context.limits);
    let options = Options { bound: asked.bound, ..Options::default() };
    let mut generalizer = Generalizer::new(system, all, &options, limits)?;
    let indices: Vec<usize> = (0..all.facts.len()).collect();
    let (upper, rest): (Vec<usize>, Vec<usize>) =
        indices.iter().partition(|&&at| chosen.selection.upper.facts.contains(&all.facts[at]));
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
    let texts = scenes::texts(&system.sig, &chosen.names, all);
    Ok(lacks.into_iter().map(|facts| facts.into_iter().map(|fact| texts[fact].clone()).collect()).collect())
}
