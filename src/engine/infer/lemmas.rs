//! Lemmas for bounded model checking: an inference that can be suspended and resumed, so that its caller controls the cost.

use std::sync::Arc;

use super::canonical::Canonical;
use super::choices::for_all_choices;
use super::claim::LemmaId;
use super::engine::Question;
use super::executions::{Execution, execution};
use super::outcome::{Event, Method, Observer, Options};
use super::schedule::{Player, Players, TURN, is_from_outside};
use super::search::Verdict;
use crate::query::bmc::{LemmaAnswer, LemmaSearch, Lemmas};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{Syntax, TermId};
use ramsey_core::system::{Invariant, System};
use ramsey_kernel::obligations::Property;
use ramsey_solver::ask::Failure;
use ramsey_solver::epr::Clock;

/// Prepares a search for lemmas with which `targets` are inductive, by [`Method::AUTO`]. Targets are formulas over step 0.
/// Returns `None` if they are about too many choices of commands.
pub fn lemmas(
    system: &Arc<System>,
    targets: &[TermId],
    seed: u64,
    clock: Option<Clock>,
) -> Option<Box<dyn LemmaSearch>> {
    let mut claimed = system.without_proofs();
    // What the model itself claims makes no difference, and the targets need not be claims of it.
    let span = Span { file: FileId::new(0), start: 0, end: 0 };
    let claim =
        |&formula: &TermId| Invariant { name: None, label: String::new(), formula, is_safety: true, span };
    claimed.invariants = targets.iter().map(claim).collect();
    claimed.goals.clear();
    claimed.assertions.clear();
    let properties = Property::safety(&claimed);
    let mut claims = Vec::with_capacity(targets.len());
    for &target in targets {
        claims.push(for_all_choices(system, &mut claimed.terms, target)?);
    }
    let options = Options { seed, clock, ..Options::default() };
    let canonical = Canonical::new(&Arc::new(claimed), &properties, &claims, &options);
    let question = Question::new(&canonical.system);
    let players = Players::new(Method::AUTO, &question.goal(&canonical.options));
    // Clauses of small instances are found early or late, and what they do not suffice for takes the others long as well.
    let first = players.list.iter().position(|player| player.method == Method::FINITE).unwrap_or(0);
    let turn = Turn { player: first, left: TURN / players.list[first].share, length: TURN, first };
    Some(Box::new(Inferring { canonical, question, players, turn }))
}

/// Work units of a part of a turn that no question takes to begin with.
const MIN_GIVEN: u64 = 1_000_000;

/// The search.
#[derive(Debug)]
struct Inferring {
    /// The model, with the targets as its claims.
    canonical: Canonical,
    question: Question,
    /// The methods, which take turns as in [`schedule`](super::schedule), one after the other. The first round begins with
    /// [`Method::FINITE`].
    players: Players,
    turn: Turn,
}

/// A turn of a method.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// The number of the method.
    player: usize,
    /// Work units that it has left.
    left: u64,
    /// Work units of the whole turn of a method with a share of 1.
    length: u64,
    /// The number of the method with which the round began.
    first: usize,
}

impl Inferring {
    /// Returns lemmas of the method whose turn it is, as formulas of a system that has more terms.
    fn found(&mut self, needed: &[LemmaId]) -> Lemmas {
        let Inferring { canonical, question, players, turn, .. } = self;
        let Player { engine, relational, .. } = &mut players.list[turn.player];
        let search = engine.search();
        let is_lemma = |id: &LemmaId| !search.lemmas[*id].is_property();
        let lemmas: Vec<LemmaId> = needed.iter().copied().filter(is_lemma).collect();
        let (form, formulas) = match relational {
            Some(relational) => relational.formulas(search, &lemmas),
            None => search.formulas(&question.system, &lemmas),
        };
        let mut system = canonical.extension();
        let formulas =
            formulas.iter().map(|&formula| canonical.formula(&form.terms, formula, &mut system)).collect();
        // Properties have the first numbers, in the order of the targets.
        let mut all: Vec<LemmaId> = (0..question.properties.len()).collect();
        all.sort_by_key(|&id| canonical.number(id));
        all.extend(lemmas);
        let places: Map<LemmaId, usize> = all.iter().copied().zip(0..).collect();
        let hint =
            |core: &Option<Vec<LemmaId>>| core.as_ref()?.iter().map(|id| places.get(id).copied()).collect();
        let hints = all.iter().map(|&id| {
            let proofs = &search.lemmas[id].proofs;
            let mut of_original = vec![None; proofs.len()];
            // The relational form has its own order of transitions.
            if relational.is_none() {
                let proofs = proofs.iter().enumerate();
                proofs.for_each(|(at, core)| of_original[canonical.transition(at)] = hint(core));
            }
            of_original
        });
        let hints = hints.collect();
        Lemmas { system: Arc::new(system), formulas, hints }
    }

    /// Goes on with the next method, the first one behind the last.
    fn next_turn(&mut self) {
        let Inferring { canonical, question, players, turn } = self;
        turn.player = (turn.player + 1) % players.list.len();
        if turn.player == turn.first {
            (turn.player, turn.first) = (0, 0);
            turn.length = turn.length.saturating_mul(2);
            players.join_if_expected(&question.goal(&canonical.options));
        }
        turn.left = turn.length / players.list[turn.player].share;
    }

    /// Continues the turn. Returns how the search ended, if it did.
    fn take_turn(&mut self, budget: &mut Budget) -> Result<Option<Verdict>, Failure> {
        let player = &mut self.players.list[self.turn.player];
        let given = self.turn.left.min(budget.left());
        let mut part = budget.part(given);
        let end = player.advance(&mut Unobserved, &mut part);
        player.engine.search().end_turn(&part);
        self.turn.left = self.turn.left.saturating_sub(part.spent());
        budget.absorb(&part)?;
        match end {
            Ok(Verdict::Stuck(reason)) => player.end(reason),
            Ok(verdict) => return Ok(Some(verdict)),
            Err(Failure::Exhausted(exhausted)) if !is_from_outside(exhausted) => {
                // A method that met a limit of its own would meet it again.
                if exhausted != Exhausted::Work || given >= MIN_GIVEN && part.spent() < given / 2 {
                    player.failed = Some(Failure::Exhausted(exhausted));
                }
            }
            Err(failure) => return Err(failure),
        }
        Ok(None)
    }
}

impl LemmaSearch for Inferring {
    fn advance(&mut self, budget: &mut Budget) -> Result<LemmaAnswer, Failure> {
        loop {
            budget.check()?;
            if self.players.are_through() {
                return Ok(LemmaAnswer::Nothing);
            }
            if self.turn.left == 0 || self.players.list[self.turn.player].failed.is_some() {
                self.next_turn();
                continue;
            }
            match self.take_turn(budget)? {
                None | Some(Verdict::Stuck(_)) => {}
                Some(Verdict::Inductive(needed)) => return Ok(LemmaAnswer::Lemmas(self.found(&needed))),
                Some(Verdict::Violated(target, state)) => {
                    let Inferring { canonical, question, players, turn } = self;
                    let engine = &mut players.list[turn.player].engine;
                    engine.settle_origin(state);
                    let property = question.properties[target];
                    match execution(engine.search(), property, state, budget)? {
                        Execution::Concrete(found) => {
                            let sig = &question.system.sig;
                            let found = canonical.execution(sig, property, &found)?;
                            return Ok(LemmaAnswer::Violation(canonical.number(target), Box::new(found)));
                        }
                        // There is no universal invariant.
                        Execution::Relaxed(_) => {
                            let goal = question.goal(&canonical.options);
                            match Method::AUTO.instead() {
                                Some(instead) if players.list[turn.player].method != instead => {
                                    players.leave_only(
                                        instead,
                                        &goal,
                                        turn.player,
                                        &mut Unobserved,
                                        budget,
                                    )?;
                                    (turn.player, turn.first) = (0, 0);
                                    turn.left = turn.length / players.list[0].share;
                                }
                                _ => return Ok(LemmaAnswer::Nothing),
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The observer of a search that nobody watches.
struct Unobserved;

impl Observer for Unobserved {
    fn event(&mut self, _: Syntax<'_>, _: &Event, _: &super::Counts) {}
}
