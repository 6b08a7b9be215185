//! Answers to the obligations of a group, looked up and kept.

use std::cell::OnceCell;
use std::sync::{Mutex, PoisonError};

use super::canonical::{Canonical, CanonicalGoal, Loose, Words};
use super::entry::{self, Kind, Said};
use super::structures;
use super::{Cache, Read, Rejected};
use crate::elaborate::Elaboration;
use crate::prove::Proof;
use ramsey_core::logic::{Elem, Structure};
use ramsey_core::system::System;
use ramsey_kernel::check::{Closed, ObligationChecker, Subject};
use ramsey_kernel::obligations::{Group, Obligations};

/// An answer of the cache, which has been checked.
#[derive(Clone, Debug)]
pub enum Known<T> {
    /// The obligation holds, by a proof that the checker has accepted.
    Holds,
    /// It does not, by a structure that the caller has accepted.
    Fails(T),
}

/// Obligations in closed form, with what judges answers to them. All threads of a run share it.
#[derive(Debug)]
pub struct Prepared {
    closed: Closed,
    /// What decides a counterexample beside the obligation.
    head: String,
    loose: Loose,
    /// By number in the closed form, the words of a hypothesis.
    words: Vec<Words>,
    /// By group, the number of the obligation of its first goal.
    firsts: Vec<usize>,
    /// Checkers that nobody is using.
    checkers: Mutex<Vec<ObligationChecker>>,
}

impl Prepared {
    /// Prepares all groups of `obligations`. What decides a counterexample beside the obligation is told in `head`.
    ///
    /// Returns `None` if they have no closed form, so that nothing can be checked.
    pub fn new(system: &System, obligations: Obligations, head: String) -> Option<Prepared> {
        let closed = Closed::of_obligations(Subject::System(system), obligations).ok()?;
        let checkers = Mutex::new(vec![ObligationChecker::new(&closed).ok()?]);
        let core = &closed.lowering.core;
        let sig = &closed.obligations.sig;
        let is_loose = |sort| sig.sorts[sort].annotation("no_minimize").is_some();
        let mut loose = Loose {
            sorts: sig.uninterpreted_sorts().map(is_loose).collect(),
            relations: vec![false; core.relations.len()],
        };
        for (sym, symbol) in sig.symbols.iter_enumerated().filter(|(_, symbol)| symbol.is_relation()) {
            let number = closed.lowering.number(sym);
            if let Some(relation) = number.and_then(|number| loose.relations.get_mut(number)) {
                *relation = symbol.has_annotation("no_minimize");
            }
        }
        let words = core.hypotheses.iter().map(|(_, it)| Words::new(core, it.formula)).collect();
        let mut firsts = Vec::with_capacity(closed.obligations.groups.len());
        let mut next = 0;
        for group in &closed.obligations.groups {
            firsts.push(next);
            next += group.goals.len();
        }
        Some(Prepared { closed, head, loose, words, firsts, checkers })
    }

    /// Checks evidence for the obligation with this number.
    fn proves(&self, obligation: usize, evidence: &[u8]) -> Result<(), String> {
        let checkers = || self.checkers.lock().unwrap_or_else(PoisonError::into_inner);
        let free = checkers().pop();
        let mut checker = match free {
            Some(checker) => checker,
            None => ObligationChecker::new(&self.closed).map_err(|rejection| rejection.to_string())?,
        };
        let checked = checker.proves(obligation, evidence);
        checkers().push(checker);
        checked.map_err(|rejection| rejection.to_string())
    }
}

/// The answers to the obligations of a group, in a cache.
#[derive(Debug)]
pub struct GroupCache<'a> {
    cache: &'a Cache,
    prepared: &'a Prepared,
    /// The index of the group.
    index: usize,
    /// The group, whose formulas have no quantifiers over `bool`.
    group: &'a Group,
    /// The number of the obligation of its first goal.
    first: usize,
    /// The hypotheses in canonical form.
    form: Canonical<'a>,
    /// The goals in canonical form, made when they are asked for. Behind them comes that the hypotheses contradict each other.
    goals: Vec<OnceCell<CanonicalGoal>>,
    /// Proofs that are written, once there is one.
    elaboration: Option<Elaboration>,
    /// Entries that are not valid.
    pub rejected: Vec<Rejected>,
}

impl<'a> GroupCache<'a> {
    /// Looks for answers to the group with this index; `None` if there is no such group.
    pub fn new(cache: &'a Cache, prepared: &'a Prepared, index: usize) -> Option<GroupCache<'a>> {
        let Prepared { closed, head, loose, words, firsts, .. } = prepared;
        let (group, &first) = (closed.obligations.groups.get(index)?, firsts.get(index)?);
        let core = &closed.lowering.core;
        let hypotheses = closed.hypotheses.get(index)?;
        let form = Canonical::new(core, loose, head, words, hypotheses);
        let goals = (0..=group.goals.len()).map(|_| OnceCell::new()).collect();
        let (elaboration, rejected) = (None, Vec::new());
        Some(GroupCache { cache, prepared, index, group, first, form, goals, elaboration, rejected })
    }

    fn canonical(&self, goal: usize) -> &CanonicalGoal {
        self.goals[goal].get_or_init(|| {
            let queries = &self.prepared.closed.lowering.core.queries;
            let is_contradiction = goal == self.contradiction();
            let formula = (!is_contradiction).then(|| queries[self.first + goal].goal.formula);
            self.form.goal(self.group.states, formula)
        })
    }

    /// Returns the number that stands for the goal that hypotheses contradict each other.
    pub fn contradiction(&self) -> usize {
        self.group.goals.len()
    }

    /// Returns the digest of an obligation.
    pub fn digest(&self, goal: usize) -> &str {
        &self.canonical(goal).digest
    }

    /// Looks up the answer to an obligation. A proof is checked; a structure, which comes with values for the parameters of the
    /// group's transition, is handed to `judge`, which says what is wrong with it.
    ///
    /// Whatever is not valid is no answer, and is among [`Self::rejected`].
    pub fn answer<T>(
        &mut self,
        goal: usize,
        judge: impl FnOnce(Structure, Vec<Elem>) -> Result<T, String>,
    ) -> Option<Known<T>> {
        let digest = self.canonical(goal).digest.clone();
        match self.cache.answer(&digest, |bytes| self.read(goal, bytes, judge)) {
            Read::Absent => None,
            Read::Valid(known) => Some(known),
            Read::Rejected(rejected) => {
                self.rejected.push(rejected);
                None
            }
        }
    }

    fn read<T>(
        &self,
        goal: usize,
        bytes: &[u8],
        judge: impl FnOnce(Structure, Vec<Elem>) -> Result<T, String>,
    ) -> Result<Known<T>, String> {
        let CanonicalGoal { numbering, digest, order } = self.canonical(goal);
        let text = entry::text(bytes)?;
        match entry::said(&text, digest)? {
            Said::Proof(_) if goal == self.contradiction() => {
                Err("it is a proof where a structure is expected".to_owned())
            }
            Said::Proof(lines) => {
                let count = order.places.len() as u32;
                let number = |kind: Kind, number: u32| match kind {
                    Kind::Sort => numbering.sorts.original(number),
                    Kind::Function => numbering.functions.original(number),
                    Kind::Relation => numbering.relations.original(number),
                    Kind::Obligation => (number == 0).then_some((self.first + goal) as u32),
                    // The goal comes behind the hypotheses.
                    Kind::Hypothesis if number as usize == order.order.len() => Some(count),
                    Kind::Hypothesis => order.order.get(number as usize).map(|&place| place as u32),
                };
                let lines = entry::renumbered(lines, &number).ok_or("it is no proof of the obligation")?;
                self.prepared.proves(self.first + goal, lines.as_bytes()).map(|()| Known::Holds)
            }
            Said::Structure(lines) => {
                let (structure, params) =
                    structures::structure(&self.prepared.closed, numbering, self.group.states, lines)?;
                judge(structure, params).map(Known::Fails)
            }
        }
    }

    /// Keeps a proof of an obligation, if the checker accepts it.
    pub fn keep_proof(&mut self, goal: usize, proof: &Proof) {
        if self.elaboration.is_none() {
            self.elaboration = Elaboration::new(&self.prepared.closed, self.index).ok();
        }
        let lines = self.elaboration.as_mut().and_then(|it| it.evidence(goal, proof).ok());
        let Some(lines) = lines else {
            // It may have been left in the middle.
            self.elaboration = None;
            return;
        };
        let CanonicalGoal { numbering, digest, order } = self.canonical(goal);
        let number = |kind: Kind, number: u32| match kind {
            Kind::Sort => numbering.sorts.canonical(number as usize),
            Kind::Function => numbering.functions.canonical(number as usize),
            Kind::Relation => numbering.relations.canonical(number as usize),
            Kind::Obligation => Some(number),
            Kind::Hypothesis if number as usize == order.places.len() => Some(order.order.len() as u32),
            Kind::Hypothesis => order.places.get(number as usize).copied(),
        };
        let lines = entry::renumbered(&lines, &number);
        let Some(bytes) = lines.and_then(|lines| entry::stored(digest, &Said::Proof(&lines))) else { return };
        // What is kept is what was read and accepted.
        if let Ok(Known::Holds) = self.read(goal, &bytes, |_, _| Err::<(), String>(String::new())) {
            self.put(goal, &bytes);
        }
    }

    /// Keeps a structure that satisfies the hypotheses and not the goal, with the values of the parameters of the group's transition, if
    /// `judge` accepts what is read of it. Returns what `judge` does.
    pub fn keep_structure<T>(
        &mut self,
        goal: usize,
        structure: &Structure,
        params: &[Elem],
        judge: impl FnOnce(Structure, Vec<Elem>) -> Result<T, String>,
    ) -> Option<T> {
        let numbering = &self.canonical(goal).numbering;
        let lines = structures::written(&self.prepared.closed, numbering, structure, params)?;
        let bytes = entry::stored(&self.canonical(goal).digest, &Said::Structure(&lines))?;
        match self.read(goal, &bytes, judge) {
            Ok(Known::Fails(read)) => {
                self.put(goal, &bytes);
                Some(read)
            }
            Ok(Known::Holds) | Err(_) => None,
        }
    }

    fn put(&self, goal: usize, bytes: &[u8]) {
        self.cache.put(&self.canonical(goal).digest, bytes);
    }
}
