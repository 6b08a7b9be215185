//! Property directed reachability (A. Bradley: SAT-Based Model Checking without Unrolling, VMCAI 2011) with
//! counterexamples to generalization (Z. Hassan, A. Bradley, F. Somenzi: Better Generalization in IC3, FMCAD 2013).
//!
//! Proof obligations are cubes that reach a bad state; the lowest level is treated first. An excluded obligation goes on
//! to the next level, so that it is not found again.

mod context;
mod frames;
mod generalize;
mod net;
mod preserved;
mod question;

use std::collections::BTreeSet;

use super::outcome::{Stats, Trace};
use super::system::System;
use frames::{Frames, Level};
use net::{Cube, Net};
use question::Reached;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::Lit;

/// Bytes that a clause takes in a solver, about.
const CLAUSE: usize = 64;

/// Bytes that an obligation takes beside its literals and values, about.
const OBLIGATION: usize = 128;

/// Number of new levels after which lemmas of all levels are pushed, and not only those from the lowest level with a new one on.
const ALL_LEVELS: usize = 8;

/// Answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// No bad state is reachable: these clauses over latches (by position and value) are inductive and exclude all.
    Safe(Vec<Vec<(usize, bool)>>),
    /// A bad state is reachable.
    Unsafe(Trace),
}

/// A cube that reaches a bad state.
struct Obligation {
    cube: Cube,
    /// The inputs with which all states of the cube step to the successor's, or are bad.
    inputs: Vec<bool>,
    successor: Option<usize>,
    /// Number of steps to a bad state.
    depth: usize,
    /// How often it was treated.
    tries: u32,
}

/// A search that can be continued.
pub(super) struct Pdr {
    net: Net,
    frames: Frames,
    obligations: Vec<Obligation>,
    /// Obligations that are open: level, depth, position.
    queue: BTreeSet<(usize, usize, usize)>,
    /// By latch: how often its literals are in lemmas, with less weight for old ones.
    activity: Vec<f64>,
    bump: f64,
    stats: Stats,
    scratch: question::Scratch,
}

impl Pdr {
    pub(super) fn new(system: &System, seed: u64) -> Pdr {
        let net = Net::new(system);
        Pdr {
            frames: Frames::new(&net, seed),
            obligations: Vec::new(),
            queue: BTreeSet::new(),
            activity: vec![0.0; net.num_latches],
            bump: 1.0,
            stats: Stats::default(),
            scratch: question::Scratch::default(),
            net,
        }
    }

    /// Returns the statistics of the search.
    pub(super) fn stats(&self) -> Stats {
        Stats {
            level: self.frames.top() as u64,
            infinite: self.frames.infinite().len() as u64,
            gates: (self.net.num_vars() - 1 - self.net.num_latches - self.net.num_inputs) as u64,
            conflicts: self.frames.conflicts(),
            ..self.stats
        }
    }

    /// Returns the number of steps in which no bad state is reachable, if any is known.
    pub(super) fn bound(&self) -> Option<usize> {
        self.frames.top().checked_sub(1)
    }

    /// Returns about how many bytes the search takes: a solver per frame, and the obligations.
    pub(super) fn memory(&self) -> usize {
        let Pdr { net, frames, obligations, .. } = self;
        let solvers = (frames.top() + 3).saturating_mul(net.encoder.num_clauses());
        let state = 2 * net.num_latches + net.num_inputs;
        solvers.saturating_mul(CLAUSE).saturating_add(obligations.len().saturating_mul(OBLIGATION + state))
    }

    /// Searches until the budget has spent `until` units; `None` if there is no answer yet.
    ///
    /// # Errors
    /// Returns the budget that was exhausted. The search can be continued with another one.
    pub(super) fn advance(&mut self, until: u64, budget: &mut Budget) -> Result<Option<Answer>, Exhausted> {
        loop {
            if let Some((level, depth, at)) = self.queue.pop_first() {
                match self.discharge(level, at, budget) {
                    Ok(None) => {}
                    Ok(Some(trace)) => return Ok(Some(Answer::Unsafe(trace))),
                    Err(exhausted) => {
                        self.queue.insert((level, depth, at));
                        return Err(exhausted);
                    }
                }
            } else if let Some(reached) = self.reach_bad(budget)? {
                if let Some(trace) = self.oblige(reached, None, self.frames.top()) {
                    return Ok(Some(Answer::Unsafe(trace)));
                }
            } else {
                if self.frames.top() > 0
                    && let Some(level) = self.propagate(budget)?
                {
                    return Ok(Some(Answer::Safe(self.invariant(level))));
                }
                // Lemmas go into the solvers of all levels below.
                budget.spend(self.frames.top() as u64)?;
                self.frames.push(&self.net);
            }
            if budget.spent() >= until {
                return Ok(None);
            }
        }
    }

    /// Adds an obligation. Returns an execution if an initial state is in its cube.
    fn oblige(&mut self, reached: Reached, successor: Option<usize>, level: usize) -> Option<Trace> {
        let Reached { cube, latches, inputs } = reached;
        let depth = successor.and_then(|at| self.obligations.get(at)).map_or(0, |it| it.depth + 1);
        let meets_init = level == 0 || self.net.meets_init(&cube);
        self.stats.obligations += 1;
        let at = self.obligations.len();
        if meets_init {
            let of_cube =
                |latch| cube.iter().find(|lit| lit.var() == Net::latch(latch)).map(|lit| !lit.is_negative());
            let reset = |(latch, value): (usize, bool)| {
                self.net.reset[latch].unwrap_or_else(|| of_cube(latch).unwrap_or(value))
            };
            let state = latches.into_iter().enumerate().map(reset).collect();
            self.obligations.push(Obligation { cube, inputs, successor, depth, tries: 0 });
            return Some(self.trace(state, at));
        }
        self.obligations.push(Obligation { cube, inputs, successor, depth, tries: 0 });
        self.queue.insert((level, depth, at));
        None
    }

    /// Returns the execution from an initial state along the successors of an obligation.
    fn trace(&self, state: Vec<bool>, first: usize) -> Trace {
        let chain = std::iter::successors(self.obligations.get(first), |it| {
            it.successor.and_then(|at| self.obligations.get(at))
        });
        Trace { state, inputs: chain.map(|it| it.inputs.clone()).collect() }
    }

    /// Treats an obligation: excludes its cube at the level, or makes an obligation of a predecessor.
    fn discharge(
        &mut self,
        level: usize,
        at: usize,
        budget: &mut Budget,
    ) -> Result<Option<Trace>, Exhausted> {
        let obligation = &mut self.obligations[at];
        obligation.tries += 1;
        let (cube, depth, tries) = (obligation.cube.clone(), obligation.depth, obligation.tries);
        let top = self.frames.top();
        match self.frames.excluding(&cube, level) {
            Some(Level::Infinite) => return Ok(None),
            Some(Level::At(known)) => {
                if known < top {
                    self.queue.insert((known + 1, depth, at));
                }
                return Ok(None);
            }
            None => {}
        }
        match self.predecessor(Level::At(level - 1), &cube, budget)? {
            Err(reached) => {
                self.queue.insert((level, depth, at));
                Ok(self.oblige(reached, Some(at), level - 1))
            }
            Ok(core) => {
                let level = self.learn(level, core, tries, budget)?;
                if let Level::At(level) = level
                    && level < top
                {
                    self.queue.insert((level + 1, depth, at));
                }
                Ok(None)
            }
        }
    }

    /// Pushes lemmas to higher levels. Returns a level whose frame is the same as the next one, if there is one.
    fn propagate(&mut self, budget: &mut Budget) -> Result<Option<usize>, Exhausted> {
        let top = self.frames.top();
        // Lemmas of higher levels may have replaced all that were at a level before.
        if let Some(level) = (1..top).find(|&level| self.frames.lemmas(level).is_empty()) {
            return Ok(Some(level));
        }
        // A lemma strengthens all frames up to its level, and lemmas of lower levels may follow from it. Few do.
        let first = if top.is_multiple_of(ALL_LEVELS) { 1 } else { self.frames.earliest.max(1) };
        for level in first..=top {
            let mut cubes: Vec<Cube> = self.frames.lemmas(level).iter().map(|it| it.cube.clone()).collect();
            cubes.sort_by_key(Vec::len);
            for cube in cubes {
                if !self.frames.has(&cube, level) {
                    continue;
                }
                if level == top {
                    if let Some(core) = self.consecution(Level::Infinite, &cube, budget)? {
                        self.frames.exclude(core, 0, Level::Infinite);
                    }
                } else if let Some(core) = self.consecution(Level::At(level), &cube, budget)? {
                    let known = if core.len() == cube.len() { level } else { 0 };
                    self.frames.exclude(core, known, Level::At(level + 1));
                }
            }
            if self.frames.lemmas(level).is_empty() {
                return Ok(Some(level));
            }
        }
        self.frames.earliest = top;
        Ok(None)
    }

    /// Returns the invariant of a level whose frame is the same as the next one: clauses by latch and value.
    fn invariant(&self, level: usize) -> Vec<Vec<(usize, bool)>> {
        let levels = (level + 1..=self.frames.top()).flat_map(|at| self.frames.lemmas(at));
        let lemmas = levels.chain(self.frames.infinite());
        let literal = |lit: &Lit| (lit.var().index() - 1, lit.is_negative());
        lemmas.map(|lemma| lemma.cube.iter().map(literal).collect()).collect()
    }
}
