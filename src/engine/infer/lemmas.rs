//! Lemmas for bounded model checking: an inference that can be suspended and resumed, so that its caller controls the cost.

use std::sync::Arc;

use super::claim::LemmaId;
use super::engine::{Goal, Kind};
use super::executions::{Execution, execution};
use super::outcome::{Event, Method, Observer, Options};
use super::plan::for_all_choices;
use super::schedule::{Player, TURN, is_from_outside};
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
    let inits: Vec<TermId> = claimed.inits.iter().map(|init| init.formula).collect();
    let (init, safety) = (claimed.terms.and(&inits), claimed.terms.and(&claims));
    let options = Options { seed, clock, ..Options::default() };
    let system = Arc::new(claimed);
    let (players, turn) = (Vec::new(), Turn { player: 0, left: 0, length: 0 });
    let mut search = Inferring { system, properties, claims, init, safety, options, players, turn };
    search.begin(Method::AUTO.parts());
    Some(Box::new(search))
}

/// Work units of a part of a turn that no question takes to begin with.
const MIN_GIVEN: u64 = 1_000_000;

/// The search.
#[derive(Debug)]
struct Inferring {
    /// The model, with the targets as its claims.
    system: Arc<System>,
    properties: Vec<Property>,
    /// The formulas of the properties, for all values of their choices.
    claims: Vec<TermId>,
    /// The conjunction of the initial conditions.
    init: TermId,
    /// The conjunction of the claims.
    safety: TermId,
    options: Options,
    /// The methods, which take turns as in [`schedule`](super::schedule), one after the other.
    players: Vec<Player>,
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
}

impl Inferring {
    /// Starts methods, in the place of others.
    fn begin(&mut self, methods: &[Method]) {
        let Inferring { system, properties, claims, init, safety, options, .. } = &*self;
        let goal = Goal { system, properties, claims, init: *init, safety: *safety, options };
        self.players = methods.iter().filter_map(|&method| Player::new(method, &goal)).collect();
        self.turn = Turn { player: 0, left: TURN, length: TURN };
    }

    /// Returns lemmas of the method whose turn it is, as formulas of a system that has more terms.
    fn found(&mut self, needed: &[LemmaId]) -> Lemmas {
        let search = self.players[self.turn.player].engine.search();
        let mut system = System::clone(&self.system);
        let is_lemma = |id: &LemmaId| !search.lemmas[*id].is_property();
        let lemmas: Vec<LemmaId> = needed.iter().copied().filter(is_lemma).collect();
        let formula = |&id| search.prover.formula(&search.lemmas[id].claim, &mut system.terms);
        let formulas = lemmas.iter().map(formula).collect();
        // Properties have the first numbers, in the order of the targets.
        let all: Vec<LemmaId> = (0..self.properties.len()).chain(lemmas).collect();
        let places: Map<LemmaId, usize> = all.iter().copied().zip(0..).collect();
        let hint =
            |core: &Option<Vec<LemmaId>>| core.as_ref()?.iter().map(|id| places.get(id).copied()).collect();
        let hints = all.iter().map(|&id| search.lemmas[id].proofs.iter().map(hint).collect()).collect();
        Lemmas { system: Arc::new(system), formulas, hints }
    }

    /// Goes on with the next method, the first one behind the last.
    fn next_turn(&mut self) {
        self.turn.player += 1;
        if self.turn.player >= self.players.len() {
            self.turn.player = 0;
            self.turn.length = self.turn.length.saturating_mul(2);
        }
        self.turn.left = self.turn.length / self.players[self.turn.player].share;
    }

    /// Continues the turn. Returns how the search ended, if it did.
    fn take_turn(&mut self, budget: &mut Budget) -> Result<Option<Verdict>, Failure> {
        let player = &mut self.players[self.turn.player];
        let given = self.turn.left.min(budget.left());
        let mut part = budget.part(given);
        let end = player.advance(&mut Unobserved, &mut part);
        player.engine.search().end_turn(&part);
        self.turn.left = self.turn.left.saturating_sub(part.spent());
        budget.absorb(&part)?;
        match end {
            Ok(Verdict::Stuck(_)) => player.failed = Some(Failure::Exhausted(Exhausted::Work)),
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
            if self.players.iter().all(|player| player.failed.is_some()) {
                return Ok(LemmaAnswer::Nothing);
            }
            if self.turn.left == 0 || self.players[self.turn.player].failed.is_some() {
                self.next_turn();
                continue;
            }
            match self.take_turn(budget)? {
                None | Some(Verdict::Stuck(_)) => {}
                Some(Verdict::Inductive(needed)) => return Ok(LemmaAnswer::Lemmas(self.found(&needed))),
                Some(Verdict::Violated(target, state)) => {
                    let engine = &mut self.players[self.turn.player].engine;
                    engine.settle_origin(state);
                    match (
                        execution(engine.search(), self.properties[target], state, budget)?,
                        &Method::AUTO.row().kind,
                    ) {
                        (Execution::Concrete(found), _) => return Ok(LemmaAnswer::Violation(target, found)),
                        // There is no universal invariant.
                        (Execution::Relaxed(_), Kind::Turns { instead, .. }) if self.players.len() > 1 => {
                            self.begin(instead.parts());
                        }
                        (Execution::Relaxed(_), _) => return Ok(LemmaAnswer::Nothing),
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
