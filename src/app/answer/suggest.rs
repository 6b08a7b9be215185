//! Conjectures that exclude a state, as the page shows them.

use super::context::{Asked, Context, Failed, Progress};
use super::generalize::chosen;
use super::{counterexamples, reach, scenes};
use crate::reply::{Answer, Merit, Refuted, Suggestion, Suggestions};
use ramsey_core::logic::Structure;
use ramsey_engine::conjectures::{Candidate, Suggester};
use ramsey_solver::formulas::ElementNames;

pub(super) fn answer(
    context: &Context<'_>,
    asked: &Asked,
    progress: Progress<'_>,
) -> Result<Suggestions, Failed> {
    let chosen = chosen(context, asked)?;
    let mut tell = |suggester: &Suggester<'_>, deepening: Option<u16>| {
        let told = told(context, &chosen.names, suggester, deepening, false);
        progress(Answer::Suggestions(told));
    };
    let facts = (&chosen.selection.upper, &chosen.selection.kept[..]);
    let mut suggester = Suggester::new(context.system, facts, asked.bound, context.limits)?;
    tell(&suggester, None);
    let exploration = reach::exploration(context)?;
    suggester.improve(&exploration, &mut tell)?;
    if suggester.suggestions().next().is_some() {
        let found = counterexamples::all(context, &asked.claim, &asked.action)?;
        let numbers = 1..=found.verification.results.len();
        let all = numbers.map(|number| Ok(&counterexamples::nth(&found, number)?.structure));
        suggester.judge(&all.collect::<Result<Vec<&Structure>, Failed>>()?)?;
    }
    Ok(told(context, &chosen.names, &suggester, None, true))
}

/// Returns the answer, as far as it is known. `deepening` is the number of steps that were looked at last.
fn told(
    context: &Context<'_>,
    names: &ElementNames,
    suggester: &Suggester<'_>,
    deepening: Option<u16>,
    is_complete: bool,
) -> Suggestions {
    let sig = &context.system.sig;
    let suggestion = |(at, candidate): (usize, &Candidate)| Suggestion {
        formula: candidate.formula.clone(),
        needed: scenes::texts(sig, names, &candidate.partial),
        bound: candidate.bound,
        inductive: candidate.inductive,
        svg: scenes::partial(context, names, &candidate.partial, &format!("p{at}")),
        merit: candidate.merit.as_ref().map(|merit| Merit {
            excludes: merit.excludes,
            of: merit.of,
            fails: merit.fails,
            unnecessary: merit.unnecessary.clone(),
        }),
    };
    let refuted = |it: &Candidate| {
        Some(Refuted {
            formula: it.formula.clone(),
            steps: it.refuted?,
            explored: it.explored,
            needed: scenes::texts(sig, names, &it.partial),
        })
    };
    Suggestions {
        suggestions: suggester.suggestions().enumerate().map(suggestion).collect(),
        refuted: suggester.candidates().iter().filter_map(refuted).collect(),
        deepening,
        complete: is_complete,
    }
}
