//! Frames: over-approximations of the states that are reachable in at most so many steps, as excluded cubes.
//!
//! A cube is kept at the highest level at which it is known to be excluded, and excluded at all levels below (the delta
//! encoding of N. Eén, A. Mishchenko, R. Brayton: Efficient Implementation of Property Directed Reachability, FMCAD
//! 2011). The infinite frame has cubes that are excluded at every level.

use super::context::Context;
use super::net::{Cube, Net, is_subset};
use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::Lit;

/// An excluded cube.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) cube: Cube,
    /// A bit for each literal, so that most subset tests need no look at the literals.
    signature: u64,
}

impl Lemma {
    fn new(cube: Cube) -> Lemma {
        Lemma { signature: signature(&cube), cube }
    }

    fn covers(&self, cube: &[Lit], signature: u64) -> bool {
        self.signature & !signature == 0 && is_subset(&self.cube, cube)
    }
}

fn signature(cube: &[Lit]) -> u64 {
    cube.iter().fold(0, |bits, lit| bits | 1 << (lit.index() % 64))
}

/// A level: a frame, or the infinite one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    At(usize),
    Infinite,
}

/// The frames with their solvers.
pub(super) struct Frames {
    /// A context of the transition relation alone.
    base: Context,
    contexts: Vec<Context>,
    /// The lemmas whose highest level is this one.
    lemmas: Vec<Vec<Lemma>>,
    infinite: Vec<Lemma>,
    infinite_context: Context,
    /// The lowest level whose lemmas changed since the last propagation.
    pub(super) earliest: usize,
    /// Conflicts of solvers that were made anew.
    retired_conflicts: u64,
}

impl Frames {
    /// Creates the frame of the initial states.
    pub(super) fn new(net: &Net, seed: u64) -> Frames {
        let base = Context::new(net, seed);
        let mut frames = Frames {
            infinite_context: base.clone(),
            base,
            contexts: Vec::new(),
            lemmas: Vec::new(),
            infinite: Vec::new(),
            earliest: 1,
            retired_conflicts: 0,
        };
        frames.push(net);
        frames
    }

    /// Returns the highest level.
    pub(super) fn top(&self) -> usize {
        self.contexts.len().saturating_sub(1)
    }

    /// Opens the next level.
    pub(super) fn push(&mut self, net: &Net) {
        self.lemmas.push(Vec::new());
        let context = self.fresh(net, self.lemmas.len() - 1);
        self.contexts.push(context);
    }

    /// Returns a new solver for a frame.
    fn fresh(&self, net: &Net, level: usize) -> Context {
        let mut context = self.base.clone();
        if level == 0 {
            let resets = net.reset.iter().enumerate();
            resets
                .filter_map(|(at, reset)| Some(Net::latch(at).literal((*reset)?)))
                .for_each(|it| context.fix(it));
        }
        self.infinite.iter().for_each(|lemma| context.exclude(&lemma.cube));
        for lemmas in self.lemmas.get(level.max(1)..).unwrap_or_default() {
            lemmas.iter().for_each(|lemma| context.exclude(&lemma.cube));
        }
        context
    }

    /// Returns the solver of a frame, made anew if it is worn.
    pub(super) fn context(&mut self, net: &Net, level: Level) -> &mut Context {
        let is_worn = match level {
            Level::At(at) => self.contexts[at].is_worn(),
            Level::Infinite => self.infinite_context.is_worn(),
        };
        if is_worn {
            let fresh = match level {
                Level::At(at) => self.fresh(net, at),
                Level::Infinite => self.fresh(net, usize::MAX),
            };
            let old = std::mem::replace(self.current(level), fresh);
            self.retired_conflicts += old.conflicts();
        }
        self.current(level)
    }

    /// Returns the solver that a frame has now.
    pub(super) fn current(&mut self, level: Level) -> &mut Context {
        match level {
            Level::At(at) => &mut self.contexts[at],
            Level::Infinite => &mut self.infinite_context,
        }
    }

    /// Returns the conflicts of all solvers.
    pub(super) fn conflicts(&self) -> u64 {
        let contexts = self.contexts.iter().chain([&self.infinite_context]);
        self.retired_conflicts + contexts.map(Context::conflicts).sum::<u64>()
    }

    /// Excludes a cube at a level and at all below it. Lemmas that it makes superfluous are dropped. The solvers up to the
    /// level `known` exclude it already.
    pub(super) fn exclude(&mut self, cube: Cube, known: usize, level: Level) {
        let lemma = Lemma::new(cube);
        let last = match level {
            Level::At(at) => at,
            Level::Infinite => self.top(),
        };
        for context in self.contexts.iter_mut().take(last + 1).skip(1 + known) {
            context.exclude(&lemma.cube);
        }
        for lemmas in self.lemmas.iter_mut().take(last + 1).skip(1) {
            lemmas.retain(|old| !lemma.covers(&old.cube, old.signature));
        }
        match level {
            Level::At(at) => {
                self.earliest = self.earliest.min(at);
                self.lemmas[at].push(lemma);
            }
            Level::Infinite => {
                self.contexts[0].exclude(&lemma.cube);
                self.infinite_context.exclude(&lemma.cube);
                self.infinite.retain(|old| !lemma.covers(&old.cube, old.signature));
                self.infinite.push(lemma);
            }
        }
    }

    /// Returns a level of at least `level` at which a lemma excludes the cube, if there is one.
    pub(super) fn excluding(&self, cube: &[Lit], level: usize) -> Option<Level> {
        let signature = signature(cube);
        let covers = |lemmas: &[Lemma]| lemmas.iter().any(|lemma| lemma.covers(cube, signature));
        if covers(&self.infinite) {
            return Some(Level::Infinite);
        }
        (level..self.lemmas.len()).rev().find(|&at| covers(&self.lemmas[at])).map(Level::At)
    }

    /// Returns the lemmas whose highest level is this one.
    pub(super) fn lemmas(&self, level: usize) -> &[Lemma] {
        self.lemmas.get(level).map_or(&[], Vec::as_slice)
    }

    /// Checks whether the lemma with this cube is still there.
    pub(super) fn has(&self, cube: &[Lit], level: usize) -> bool {
        self.lemmas(level).iter().any(|lemma| lemma.cube == cube)
    }

    /// Returns the lemmas of the infinite frame.
    pub(super) fn infinite(&self) -> &[Lemma] {
        &self.infinite
    }
}
