//! Lemmas, properties, and their proofs.

use std::cmp::Reverse;
use std::ops::Index;

use crate::infer::claim::{Claim, Cti, LemmaId};
use crate::infer::state::{Matcher, Pattern, State};
use ramsey_core::base::hash::Set;

/// Number of often used lemmas that are assumed from the start.
const FAVOURITES: usize = 6;

/// What a claim is in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::infer) enum Role {
    /// It has to hold. It is never dropped.
    Property,
    /// It was proposed, and holds as far as known.
    Lemma,
    /// It is the goal of a question, a candidate that was not looked at, or the initial condition.
    Goal,
}

/// A lemma to be proved, initially or after the transition of this number.
pub(in crate::infer) type Obligation = (LemmaId, Option<usize>);

/// A lemma, candidate or property. It is written by [`Lemmas`] alone, which gives out shared references.
#[derive(Debug)]
pub(in crate::infer) struct Lemma {
    pub(in crate::infer) claim: Claim,
    /// Its name, if it was given with one.
    pub(in crate::infer) name: Option<String>,
    /// The pattern that the claim excludes, if it excludes one.
    pub(in crate::infer) matcher: Option<Matcher>,
    role: Role,
    /// The number of the last frame that it belongs to, for methods with frames.
    pub(in crate::infer) level: u32,
    /// Whether it was not dropped; properties are not.
    pub(in crate::infer) is_alive: bool,
    /// Whether all initial states are known to satisfy it.
    pub(in crate::infer) is_initial: bool,
    /// Per transition, the lemmas that imply it afterwards, once proved. They are alive.
    pub(in crate::infer) proofs: Vec<Option<Vec<LemmaId>>>,
    /// Per transition, the hypotheses of the last attempt.
    tried: Vec<Vec<LemmaId>>,
    /// Number of proofs that were found with it.
    pub(in crate::infer) used: u32,
    /// Per transition, the last counterexample to induction.
    ctis: Vec<Option<Box<Cti>>>,
}

impl Lemma {
    /// Checks whether it has to hold.
    pub(in crate::infer) fn is_property(&self) -> bool {
        self.role == Role::Property
    }

    /// Checks whether it is a goal that is not dropped.
    pub(in crate::infer) fn is_goal(&self) -> bool {
        self.is_alive && self.role == Role::Goal
    }

    /// Checks whether it is a lemma that is not dropped.
    pub(in crate::infer) fn is_lemma(&self) -> bool {
        self.is_alive && self.role == Role::Lemma
    }

    /// Checks whether it is a property, or a lemma that is not dropped.
    pub(in crate::infer) fn is_claimed(&self) -> bool {
        self.is_alive && self.role != Role::Goal
    }

    /// Returns the last counterexample to its consecution by a transition.
    pub(in crate::infer) fn cti(&self, transition: usize) -> Option<&Cti> {
        self.ctis[transition].as_deref()
    }

    /// Checks whether it is a found one and false in a state. Adds the number of tests to `work`.
    pub(in crate::infer) fn excludes(&self, state: &State, work: &mut u64) -> bool {
        match (&self.matcher, &self.claim) {
            (Some(matcher), _) => matcher.find(state, work).is_some(),
            (None, Claim::Alternates(it)) => it.refutation(state, work).is_some(),
            (None, Claim::Formula(_) | Claim::Excludes(_)) => false,
        }
    }
}

/// The lemmas of a search by number. Numbers are not used again.
#[derive(Debug)]
pub(in crate::infer) struct Lemmas {
    all: Vec<Lemma>,
    /// The patterns of all claims, those that were dropped as well.
    known: Set<Pattern>,
    /// The least level of lemmas that questions may assume.
    floor: u32,
    /// Number of transitions.
    transitions: usize,
}

impl Index<LemmaId> for Lemmas {
    type Output = Lemma;

    fn index(&self, id: LemmaId) -> &Lemma {
        &self.all[id]
    }
}

impl Lemmas {
    /// Creates a store for a system with this number of transitions.
    pub(in crate::infer) fn new(transitions: usize) -> Lemmas {
        Lemmas { all: Vec::new(), known: Set::default(), floor: 0, transitions }
    }

    /// Adds a claim, and returns its number.
    pub(in crate::infer) fn add(&mut self, claim: Claim, name: Option<String>, role: Role) -> LemmaId {
        let matcher = match &claim {
            Claim::Excludes(pattern) => {
                self.known.insert(pattern.clone());
                Some(Matcher::new(pattern))
            }
            Claim::Formula(_) | Claim::Alternates(_) => None,
        };
        self.all.push(Lemma {
            claim,
            name,
            matcher,
            role,
            level: u32::MAX,
            is_alive: true,
            is_initial: false,
            proofs: vec![None; self.transitions],
            tried: vec![Vec::new(); self.transitions],
            used: 0,
            ctis: vec![None; self.transitions],
        });
        self.all.len() - 1
    }

    /// Drops a lemma, and all proofs that use it.
    pub(in crate::infer) fn drop(&mut self, dropped: LemmaId) {
        self.all[dropped].is_alive = false;
        for proof in self.all.iter_mut().flat_map(|lemma| &mut lemma.proofs) {
            if proof.as_ref().is_some_and(|core| core.contains(&dropped)) {
                *proof = None;
            }
        }
    }

    /// Returns the number of lemmas, those that were dropped as well.
    pub(in crate::infer) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns all lemmas, those that were dropped as well, in the order of their numbers.
    pub(in crate::infer) fn iter(&self) -> impl Iterator<Item = &Lemma> {
        self.all.iter()
    }

    /// Returns the numbers of some lemmas.
    pub(in crate::infer) fn which(&self, is_wanted: impl Fn(&Lemma) -> bool) -> Vec<LemmaId> {
        (0..self.all.len()).filter(|&id| is_wanted(&self.all[id])).collect()
    }

    /// Returns the number of a clause that is not dropped.
    pub(in crate::infer) fn clause(&self, pattern: &Pattern) -> Option<LemmaId> {
        let is_same = |claim: &Claim| matches!(claim, Claim::Excludes(other) if other == pattern);
        self.all.iter().position(|lemma| lemma.is_alive && is_same(&lemma.claim))
    }

    /// Checks whether a clause is or was a lemma.
    pub(in crate::infer) fn is_known(&self, pattern: &Pattern) -> bool {
        self.known.contains(pattern)
    }

    /// Sets the least level of lemmas that questions may assume.
    pub(in crate::infer) fn assume_from(&mut self, level: u32) {
        self.floor = level;
    }

    /// Checks whether the level of a lemma that is not dropped is high enough for questions to assume it.
    pub(in crate::infer) fn is_in_frame(&self, id: LemmaId) -> bool {
        self.all[id].is_alive && self.all[id].level >= self.floor
    }

    /// Checks whether questions may assume a lemma.
    pub(in crate::infer) fn is_assumable(&self, id: LemmaId) -> bool {
        self.all[id].is_property() || self.is_in_frame(id)
    }

    /// Sets the number of the last frame that a lemma belongs to.
    pub(in crate::infer) fn set_level(&mut self, id: LemmaId, level: u32) {
        self.all[id].level = level;
    }

    /// Sets what a lemma is in the search.
    pub(in crate::infer) fn set_role(&mut self, id: LemmaId, role: Role) {
        self.all[id].role = role;
    }

    /// Notes that all initial states satisfy a lemma.
    pub(in crate::infer) fn holds_initially(&mut self, id: LemmaId) {
        self.all[id].is_initial = true;
    }

    /// Notes a proof of consecution: the lemmas that imply this one after a transition.
    pub(in crate::infer) fn prove(&mut self, id: LemmaId, transition: usize, core: Vec<LemmaId>) {
        self.all[id].proofs[transition] = Some(core);
    }

    /// Notes a proof that was found by a question, whose lemmas are the first ones to be assumed in other questions.
    pub(in crate::infer) fn learn(&mut self, id: LemmaId, transition: usize, core: Vec<LemmaId>) {
        core.iter().for_each(|&used| self.all[used].used += 1);
        self.all[id].tried[transition].clone_from(&core);
        self.prove(id, transition, core);
    }

    /// Notes the hypotheses that did not suffice for consecution.
    pub(in crate::infer) fn set_tried(&mut self, id: LemmaId, transition: usize, assumed: &[LemmaId]) {
        self.all[id].tried[transition] = assumed.to_vec();
    }

    /// Notes a counterexample to consecution.
    pub(in crate::infer) fn set_cti(&mut self, id: LemmaId, transition: usize, cti: Box<Cti>) {
        self.all[id].ctis[transition] = Some(cti);
    }

    /// Forgets all proofs.
    pub(in crate::infer) fn forget_proofs(&mut self) {
        self.all.iter_mut().for_each(|lemma| lemma.proofs.fill(None));
    }

    /// Lets the proofs of some lemmas use a stronger one instead of another.
    pub(in crate::infer) fn strengthen(&mut self, lemmas: &[LemmaId], weaker: LemmaId, stronger: LemmaId) {
        for &id in lemmas {
            let used = self.all[id].proofs.iter_mut().flatten().flatten();
            used.filter(|it| **it == weaker).for_each(|it| *it = stronger);
        }
    }

    /// Returns the hypotheses of the first question: the lemma, safety, those of the last attempt, and often used ones.
    pub(in crate::infer) fn first_hypotheses(&self, lemma: LemmaId, transition: usize) -> Vec<LemmaId> {
        let mut assumed = vec![lemma];
        let mut include = |id: LemmaId| {
            if self.is_assumable(id) && !assumed.contains(&id) {
                assumed.push(id);
            }
        };
        self.which(Lemma::is_property).into_iter().for_each(&mut include);
        self.all[lemma].tried[transition].iter().copied().for_each(&mut include);
        let mut favourites = self.which(|lemma| lemma.is_alive && lemma.used > 0);
        favourites.sort_by_key(|&id| Reverse(self.all[id].used));
        favourites.into_iter().take(FAVOURITES).for_each(&mut include);
        assumed
    }

    /// Returns the lemmas that safety needs as far as known, and those of their obligations that have no proof.
    pub(in crate::infer) fn needed(&self) -> (Vec<LemmaId>, Vec<Obligation>) {
        let mut needed = self.which(Lemma::is_property);
        let mut is_needed: Vec<bool> = self.all.iter().map(Lemma::is_property).collect();
        let mut open = Vec::new();
        let mut next = 0;
        while let Some(&id) = needed.get(next) {
            next += 1;
            if !self.all[id].is_initial {
                open.push((id, None));
            }
            for (transition, proof) in self.all[id].proofs.iter().enumerate() {
                let Some(core) = proof else {
                    open.push((id, Some(transition)));
                    continue;
                };
                for &other in core {
                    if !std::mem::replace(&mut is_needed[other], true) {
                        needed.push(other);
                    }
                }
            }
        }
        (needed, open)
    }

    /// Returns the obligations without proof of the lemmas that safety needs as far as known.
    pub(in crate::infer) fn open(&self) -> Vec<Obligation> {
        self.needed().1
    }

    /// Returns the first obligation without a proof that uses lemmas alone: safety may not be assumed where it is not
    /// proved.
    pub(in crate::infer) fn open_without_safety(&self) -> Option<Obligation> {
        let is_proved = |proof: &Option<Vec<LemmaId>>| {
            proof.as_ref().is_some_and(|core| !core.iter().any(|&it| self.all[it].is_property()))
        };
        self.all.iter().enumerate().filter(|(_, lemma)| lemma.is_lemma()).find_map(|(id, lemma)| {
            if !lemma.is_initial {
                return Some((id, None));
            }
            lemma.proofs.iter().position(|proof| !is_proved(proof)).map(|at| (id, Some(at)))
        })
    }

    /// Returns the lemmas that are inductive together with the properties as far as these are proved.
    pub(in crate::infer) fn proved(&self) -> Vec<LemmaId> {
        let is_proved = |lemma: &Lemma| {
            lemma.is_alive
                && !lemma.is_property()
                && lemma.is_initial
                && lemma.proofs.iter().all(Option::is_some)
        };
        self.closed(self.which(is_proved), Lemma::is_property)
    }

    /// Returns the found lemmas that are not among the proved ones. Given candidates are not among them.
    pub(in crate::infer) fn unproved(&self) -> Vec<LemmaId> {
        let proved = self.proved();
        let is_found = |lemma: &Lemma| !matches!(lemma.claim, Claim::Formula(_));
        let mut found = self.which(|lemma| lemma.is_alive && is_found(lemma));
        found.retain(|id| !proved.contains(id));
        found
    }

    /// Lets exactly those lemmas be assumed that are of level 1, and those that follow from them by known proofs.
    pub(in crate::infer) fn assume_proved(&mut self) {
        let is_proved = |lemma: &Lemma| lemma.proofs.iter().all(Option::is_some);
        let others = self.which(|it| it.is_alive && !it.is_property() && it.level == 0 && is_proved(it));
        let is_assumable = |lemma: &Lemma| lemma.is_property() || lemma.is_alive && lemma.level >= self.floor;
        self.closed(others, is_assumable).into_iter().for_each(|id| self.all[id].level = 1);
    }

    /// Returns the greatest set of these lemmas whose proofs use each other and others that are true alone.
    fn closed(&self, mut lemmas: Vec<LemmaId>, is_true: impl Fn(&Lemma) -> bool) -> Vec<LemmaId> {
        loop {
            let known: Set<LemmaId> = lemmas.iter().copied().collect();
            let is_closed = |id: &LemmaId| {
                let mut used = self.all[*id].proofs.iter().flatten().flatten();
                used.all(|it| known.contains(it) || is_true(&self.all[*it]))
            };
            lemmas.retain(is_closed);
            if lemmas.len() == known.len() {
                return lemmas;
            }
        }
    }
}
