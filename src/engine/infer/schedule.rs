//! Methods in turns of counted work, at the same time where the caller has threads.
//!
//! What a method does in its turn depends on no other turn of the round. Turns are *settled* in the order of the plan: one
//! counts once all turns before it have ended without an answer. So the first method of the plan that answers ends the
//! search, turns after it count for nothing and are cancelled, and all that the observer sees is as if the turns had been
//! taken one after the other.

use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::claim::Claim;
use super::engine::{Engine, Goal, Kind, Refutes};
use super::exists::alternates;
use super::outcome::{Counts, Event, Language, Method, Observer, Reason};
use super::relational::{Encoded, Relational};
use super::search::Verdict;
use ramsey_core::base::budget::{Budget, Cancel, Exhausted};
use ramsey_core::logic::Syntax;
use ramsey_solver::ask::{Failure, Statistics};

/// Work units of the first turn of a method; every turn has twice as many as the one before.
pub(super) const TURN: u64 = 16_000_000;

/// Divisor of the turn of those that search for an execution once there is no universal invariant.
const AFTERWARDS: u64 = 4;

/// Work units for an inductive subset of the lemmas of a search that is over.
pub(super) const PARTIAL: u64 = 5_000_000;

/// A part of a computation that depends on no other part.
pub type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs the parts of a computation: on the threads of a caller that has any.
pub trait Executor {
    /// Runs all jobs, at the same time or one after the other, and returns once they have ended. The answer does not depend
    /// on the order, but the first jobs are better started first: they count first, and may cancel the others.
    fn run<'a>(&self, jobs: Vec<Job<'a>>);
}

/// Runs jobs one after the other on the thread of the caller.
#[derive(Clone, Copy, Debug, Default)]
pub struct InOrder;

impl Executor for InOrder {
    fn run<'a>(&self, jobs: Vec<Job<'a>>) {
        jobs.into_iter().for_each(|job| job());
    }
}

/// How a method ended.
pub(super) type End = Result<Verdict, Failure>;

/// A method that takes turns.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) method: Method,
    pub(super) engine: Box<dyn Engine>,
    /// Cost of its questions in the turns that count.
    pub(super) statistics: Statistics,
    /// Divisor of its turns.
    pub(super) share: u64,
    /// What its engine is about, if that is not the system itself.
    pub(super) relational: Option<Arc<Relational>>,
    /// The languages that it had searched when its last turn that counts was over.
    pub(super) languages: Vec<Language>,
    /// Why it takes no more turns.
    pub(super) failed: Option<Failure>,
    /// Why it has nothing left to try, if that is so.
    stuck: Option<Reason>,
    /// Whether it takes a single turn, beside others.
    is_companion: bool,
}

impl Player {
    /// Starts a method; `None` if it consists of turns of others.
    pub(super) fn new(method: Method, goal: &Goal<'_>) -> Option<Player> {
        let Kind::Engine { begin, share } = method.row().kind else { return None };
        let statistics = Statistics::default();
        Some(Player {
            method,
            engine: begin(goal),
            statistics,
            share,
            relational: None,
            languages: Vec::new(),
            failed: None,
            stuck: None,
            is_companion: false,
        })
    }

    /// Starts the search for lemmas with witnesses in the relational form of the system; `None` if it has none.
    fn encoded(&mut self, goal: &Goal<'_>) -> Option<Player> {
        let edges = self.engine.search().prover.sort_edges(goal.claims);
        let relational = Relational::new(goal, &edges)?;
        let (engine, statistics) = (Encoded::begin(&relational), Statistics::default());
        let Player { method, share, is_companion, .. } = *self;
        let (relational, languages) = (Some(relational), Vec::new());
        Some(Player {
            engine,
            statistics,
            relational,
            languages,
            failed: None,
            stuck: None,
            method,
            share,
            is_companion,
        })
    }

    /// Ends its turns, since it has nothing left to try.
    pub(super) fn end(&mut self, reason: Reason) {
        self.stuck = Some(reason);
        self.failed = Some(Failure::Exhausted(Exhausted::Work));
    }

    /// Notes what it has done, after a turn that counts.
    fn note(&mut self) {
        self.statistics = self.engine.search().prover.statistics();
        self.languages = self.engine.languages();
    }

    pub(super) fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> End {
        self.engine.search().tell(observer, &Event::Started(self.method));
        self.engine.advance(observer, budget)
    }
}

/// The methods of a search, with what they have done.
#[derive(Debug)]
pub(super) struct Players {
    pub(super) list: Vec<Player>,
    /// Work units of the next turn of a method with a share of 1.
    length: u64,
    /// A method that joins later, see [`Kind::Turns`].
    waiting: Option<Method>,
}

impl Players {
    /// Starts a method, or those of which it consists.
    pub(super) fn new(method: Method, goal: &Goal<'_>) -> Players {
        let list = method.parts().iter().filter_map(|&part| Player::new(part, goal)).collect();
        let mut players = Players { list, length: TURN, waiting: method.instead() };
        players.encode(goal);
        players
    }

    /// Has the search for lemmas with witnesses be one in the relational form, if there is one.
    fn encode(&mut self, goal: &Goal<'_>) {
        let Some(player) = self.list.iter_mut().find(|player| player.method == Method::EXISTS) else {
            return;
        };
        let Some(encoded) = player.encoded(goal) else { return };
        // With functions in the way, lemmas with witnesses are outside of the fragment.
        player.end(Reason::NoInvariant);
        self.list.insert(0, encoded);
    }

    /// Returns the method that tells how far a search has come that this one ended.
    pub(super) fn reporting(&self, winner: usize) -> usize {
        let is_own = |&at: &usize| self.list[at].relational.is_none();
        [winner].into_iter().chain(0..self.list.len()).find(is_own).unwrap_or(winner)
    }

    /// Checks whether no method takes turns any more, but for companions.
    pub(super) fn are_through(&self) -> bool {
        let is_over = |player: &Player| player.is_companion || player.failed.is_some();
        self.waiting.is_none() && self.list.iter().all(is_over)
    }

    /// Returns how a search ends whose methods are all through. Where that with the largest languages has tried them all, no
    /// limit is to blame.
    fn end(&mut self) -> End {
        let mut largest = self.list.iter().filter(|player| player.method == Method::EXISTS).peekable();
        let first = largest.peek().and_then(|player| player.stuck);
        match first.filter(|_| largest.all(|player| player.stuck.is_some())) {
            Some(reason) => Ok(Verdict::Stuck(reason)),
            None => {
                let failed = self.list.iter_mut().find_map(|player| player.failed.take());
                Err(failed.unwrap_or(Failure::Exhausted(Exhausted::Work)))
            }
        }
    }

    /// Has the waiting method join, with the lemmas that the first `count` methods have proved.
    fn join(&mut self, goal: &Goal<'_>, count: usize) {
        let Some(waiting) = self.waiting.take() else { return };
        let mut known: Vec<Claim> = Vec::new();
        for player in self.list.iter_mut().take(count) {
            let lemmas = &player.engine.search().lemmas;
            known.extend(lemmas.proved().into_iter().map(|id| lemmas[id].claim.clone()));
        }
        let goal = Goal { known: &known, ..*goal };
        // Where it is wanted at all, it is the likeliest to find something.
        self.list.splice(0..0, Player::new(waiting, &goal));
        self.encode(&goal);
    }

    /// Has the waiting method join if the system has quantifier alternations, or if all others are through.
    pub(super) fn join_if_expected(&mut self, goal: &Goal<'_>) {
        let is_expected = |player: &mut Player| {
            player.failed.is_some() || alternates(&player.engine.search().prover, goal.claims)
        };
        if self.waiting.is_some() && self.list.iter_mut().all(is_expected) {
            self.join(goal, self.list.len());
        }
    }

    /// Ends the turns of all methods but this one, which joins if it has not yet, and those that search for executions, which
    /// begin again and have one turn. `winner` has ended the search: what methods
    /// after it have done in this round depends on when they were cancelled.
    ///
    /// # Errors
    /// Returns an error if evaluation contradicts the search.
    pub(super) fn leave_only(
        &mut self,
        method: Method,
        goal: &Goal<'_>,
        winner: usize,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        if self.waiting.is_some() {
            // The search was not over with all lemmas that can be proved. Where a limit ends this, fewer of them are handed on, and
            // whoever goes on meets the limit.
            let mut part = budget.part(PARTIAL);
            let subset = self.list[winner].engine.search().inductive_subset(observer, &mut part);
            let _ = budget.absorb(&part);
            match subset {
                Ok(_) | Err(Failure::Exhausted(_)) => {}
                Err(failure) => return Err(failure),
            }
        }
        self.join(goal, winner + 1);
        for player in self.list.iter_mut().filter(|player| player.method != method) {
            player.failed.get_or_insert(Failure::Exhausted(Exhausted::Work));
        }
        // A relaxed execution is often like one of the system. Whoever searches for those begins again, as what it has done in
        // this round may not count.
        let others = goal.options.method.parts().iter().filter(|part| part.refutes() == Refutes::Executions);
        let others = others.filter_map(|&part| Player::new(part, goal));
        let companion = |player| Player { share: AFTERWARDS, is_companion: true, ..player };
        self.list.extend(others.map(companion));
        Ok(())
    }

    /// Gives each method a turn of counted work, then twice as much. Returns the method that ended the search, and how.
    pub(super) fn take_turns(
        &mut self,
        goal: &Goal<'_>,
        executor: &dyn Executor,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> (usize, End) {
        while !self.are_through() {
            let mut left = (0..self.list.len()).filter(|&at| self.list[at].failed.is_none());
            if let (Some(only), None, None) = (left.next(), left.next(), self.waiting) {
                let player = &mut self.list[only];
                let end = player.advance(observer, budget);
                player.note();
                return (only, end);
            }
            if let Some(end) = round(&mut self.list, self.length, executor, observer, budget) {
                return end;
            }
            self.length = self.length.saturating_mul(2);
            self.join_if_expected(goal);
        }
        (0, self.end())
    }
}

/// Gives each method one turn. Returns the method that ended the search, and how.
fn round(
    players: &mut [Player],
    length: u64,
    executor: &dyn Executor,
    observer: &mut dyn Observer,
    budget: &mut Budget,
) -> Option<(usize, End)> {
    let cancel = Cancel::new();
    let (whole, cancelled) = (budget.clone(), cancel.probe());
    let probe: Arc<_> = Arc::new(move || cancelled().or_else(|| whole.check().err()));
    // All shares are known before the first turn, so they do not depend on what the turns before leave.
    let mut left = budget.left();
    let mut turns = Vec::new();
    for (number, player) in players.iter_mut().enumerate().filter(|(_, player)| player.failed.is_none()) {
        let share = length / player.share;
        let part = Budget::new(Some(share.min(left)), Some(probe.clone()));
        // The first turn is taken whatever is left, since somebody has to find out that nothing is.
        if left > 0 || turns.is_empty() {
            turns.push((number, player, share, part));
        }
        left = left.saturating_sub(share);
    }
    let kept = turns.iter().map(|_| Vec::new()).collect();
    let ended = turns.iter().map(|_| None).collect();
    let round = Round { observer, budget, cancel, kept, ended, settled: 0, end: None };
    let round = Mutex::new(round);
    let jobs = turns.into_iter().enumerate().map(|(turn, (number, player, share, mut part))| {
        let relay = Relay { round: &round, turn };
        let job: Job<'_> = Box::new(move || {
            if relay.round().end.is_some() {
                return;
            }
            let mut relay = relay;
            let end = player.advance(&mut relay, &mut part);
            player.engine.search().end_turn(&part);
            let mut round = relay.round();
            if let Some(ended) = round.ended.get_mut(turn) {
                *ended = Some(Ended { number, player, share, part, end });
            }
            round.settle();
        });
        job
    });
    executor.run(jobs.collect());
    round.into_inner().unwrap_or_else(PoisonError::into_inner).end
}

/// A round of turns. All lists are by turn, in the order of the plan.
struct Round<'a> {
    observer: &'a mut dyn Observer,
    budget: &'a mut Budget,
    /// Ends turns that do not count any more.
    cancel: Cancel,
    /// Events of a turn that came before all earlier turns were settled.
    kept: Vec<Vec<(Event, Counts)>>,
    /// Turns that have ended and are not settled.
    ended: Vec<Option<Ended<'a>>>,
    /// Number of turns that are settled.
    settled: usize,
    /// The method that ended the search, and how.
    end: Option<(usize, End)>,
}

/// A turn that has ended.
struct Ended<'a> {
    /// The number of the method in the plan.
    number: usize,
    player: &'a mut Player,
    share: u64,
    /// What it was given of the budget.
    part: Budget,
    end: End,
}

impl Round<'_> {
    /// Settles turns up to the first one that has not ended.
    fn settle(&mut self) {
        while self.end.is_none()
            && let Some(ended) = self.ended.get_mut(self.settled).and_then(Option::take)
        {
            let Ended { number, player, share, part, end } = ended;
            self.tell_kept(self.settled, player.engine.syntax());
            self.settled += 1;
            player.note();
            let stopped = self.budget.absorb(&part).and_then(|()| self.budget.check());
            match end {
                // It has nothing left to try; other methods go on.
                Ok(Verdict::Stuck(reason)) => player.end(reason),
                Err(Failure::Exhausted(exhausted)) => {
                    let end = if is_from_outside(exhausted) { Some(exhausted) } else { stopped.err() };
                    self.end = end.map(|exhausted| (number, Err(exhausted.into())));
                    // A method that met a limit of its own would meet it again. That its turn is over may show a little
                    // before the end.
                    if part.spent() < share / 2 || player.is_companion {
                        player.failed = Some(Failure::Exhausted(exhausted));
                    }
                }
                end => self.end = Some((number, end)),
            }
        }
        if self.end.is_some() {
            self.cancel.cancel();
        }
    }

    /// Tells the events that were kept of a turn.
    fn tell_kept(&mut self, turn: usize, syntax: Syntax<'_>) {
        for (event, counts) in self.kept.get_mut(turn).map(take).unwrap_or_default() {
            self.observer.event(syntax, &event, &counts);
        }
    }
}

/// Checks whether a limit ends all methods, as clocks, memory and signals do.
pub(super) fn is_from_outside(exhausted: Exhausted) -> bool {
    use Exhausted::{Cancelled, Memory, QueryTime, RunTime};
    matches!(exhausted, Cancelled | Memory | QueryTime | RunTime)
}

/// The observer of a turn. Events go on as they come once all turns before it are settled, and are kept until then.
struct Relay<'a, 'r> {
    round: &'a Mutex<Round<'r>>,
    turn: usize,
}

impl<'r> Relay<'_, 'r> {
    fn round(&self) -> MutexGuard<'_, Round<'r>> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Relay<'_, '_> {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, counts: &Counts) {
        let round = &mut *self.round();
        if round.settled == self.turn && round.end.is_none() {
            // The terms of a search are never removed.
            round.tell_kept(self.turn, syntax);
            round.observer.event(syntax, event, counts);
        } else if let Some(kept) = round.kept.get_mut(self.turn) {
            kept.push((event.clone(), *counts));
        }
    }
}
