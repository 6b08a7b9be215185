//! Asks the questions of consecution of a model again and again, each transition in one context with 50 lemmas.
//!
//! Reads paths of models from standard input. Writes for each the median and the largest time of a repeated question, and
//! the largest memory of the process during either half of the questions.

use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;
use std::time::Instant;

use ramsey::ask::{Context, HypothesisId};
use ramsey::base::budget::Budget;
use ramsey::base::rng::Rng;
use ramsey::base::span::{Source, Sources};
use ramsey::lang::{Language, Unread, load};
use ramsey::logic::TermId;
use ramsey::obligations::Obligations;
use ramsey::system::System;
use ramsey::transition::Action;

/// The allocator of the static binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of lemmas in each context.
const LEMMAS: usize = 50;
/// Number of questions.
const QUESTIONS: usize = 200_000;
/// Number of questions from one measurement of the memory to the next.
const INTERVAL: usize = 100;

/// A transition with the lemmas as hypotheses before it, and their negations after it.
struct Step {
    context: Context,
    lemmas: Vec<HypothesisId>,
    goals: Vec<TermId>,
}

/// Returns the invariants of a system, and disjunctions of them, which are inductive together with them.
fn lemmas(system: &mut System) -> Vec<TermId> {
    let own: Vec<TermId> = system.invariants.iter().map(|it| it.formula).collect();
    let (mut lemmas, mut next) = (own.clone(), 0);
    // Disjunctions of two come before those of three, and so on, up to the disjunction of all.
    while lemmas.len() < LEMMAS && next < lemmas.len() {
        for &other in &own {
            let either = system.terms.or(&[lemmas[next], other]);
            if lemmas.len() < LEMMAS && !lemmas.contains(&either) {
                lemmas.push(either);
            }
        }
        next += 1;
    }
    lemmas
}

fn steps(system: &System, lemmas: &[TermId]) -> Vec<Step> {
    let Obligations { sig, mut terms, params, .. } = Obligations::new(system);
    let budget = &mut Budget::unlimited();
    let mut steps = Vec::new();
    for (transition, params) in system.transitions.iter().zip(&params) {
        let constants: Vec<TermId> = params.iter().map(|&param| terms.app(&sig, param, 0, &[])).collect();
        let action = Action::of_transition(system, terms.over_mut(&sig), transition, &constants);
        let goals: Vec<TermId> = lemmas
            .iter()
            .map(|&lemma| {
                let next = terms.shift(&sig, lemma, 1);
                let next = action.post(terms.over_mut(&sig), next);
                terms.not(next)
            })
            .collect();
        let mut context = Context::new(sig.clone(), terms.clone(), 0, None);
        let axioms = system.axioms.iter().map(|it| it.formula);
        let axioms = axioms.chain(system.derived.iter().map(|it| it.axiom));
        axioms
            .chain(action.guard.iter().copied())
            .chain(action.residual.iter().copied())
            .for_each(|formula| context.assume(formula, budget));
        let lemmas = lemmas.iter().map(|&lemma| context.add(lemma, budget)).collect();
        steps.push(Step { context, lemmas, goals });
    }
    steps
}

/// Returns the resident memory of the process in MB, where the system tells.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<f64>().ok()? / 1024.0)
}

fn main() -> io::Result<()> {
    // `cargo bench` passes an argument that means nothing here.
    for path in io::stdin().lock().lines() {
        let path = path?;
        let mut sources = Sources::new();
        let language = Language::of_name(&path);
        let file = sources.push(Source::new(path.clone(), std::fs::read_to_string(&path)?));
        let includes = language.format().gather(file, &mut sources, &mut |_, _| Err(Unread::missing("")));
        let (Some(mut system), _) = load(language, file, &sources, &includes) else {
            return Err(io::Error::other(format!("{path} is no model")));
        };
        let lemmas = lemmas(&mut system);
        let system = Arc::new(system);
        let mut steps = steps(&system, &lemmas);
        let mut rng = Rng::new(1);
        let mut times = Vec::with_capacity(QUESTIONS);
        let (mut memories, mut satisfiable) = ([None::<f64>; 2], 0);
        for at in 0..QUESTIONS {
            let transition = rng.below(steps.len());
            let step = &mut steps[transition];
            let goal = step.goals[rng.below(step.goals.len())];
            let start = Instant::now();
            step.context.pose(&[goal], &mut Budget::unlimited());
            let answer = step.context.search(&step.lemmas, &mut Budget::unlimited());
            let time = start.elapsed().as_secs_f64() * 1e6;
            satisfiable += usize::from(answer.is_ok_and(|it| it));
            // Until then, most questions are asked for the first time.
            if at >= QUESTIONS / 10 {
                times.push(time);
            }
            if at % INTERVAL == 0 {
                let largest = &mut memories[2 * at / QUESTIONS];
                *largest = [*largest, memory()].into_iter().flatten().reduce(f64::max);
            }
        }
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        let worst = times.last().copied().unwrap_or_default();
        let shown = |memory: Option<f64>| memory.map_or("unknown".to_owned(), |mb| format!("{mb:.1} MB"));
        writeln!(
            io::stdout(),
            "{path}: {} lemmas, {QUESTIONS} questions, {satisfiable} satisfiable: median {median:.1} us, worst \
             {worst:.0} us; memory at most {} in the first half, {} in the second",
            lemmas.len(),
            shown(memories[0]),
            shown(memories[1]),
        )?;
    }
    Ok(())
}
