//! The formulas that a search for lemmas with witnesses may find, however long it takes.

use std::sync::Arc;

use super::asked::asked;
use super::blocks::{Blocks, Limits};
use super::formula::Alternation;
use super::{Inside, LIMITS_OF_ASKED, Level, Ordering, Prototype, given_levels, orderings};
use crate::infer::language::variables;
use crate::infer::outcome::QuantifierPrefix;
use crate::infer::prover::Prover;
use crate::infer::state::Literal;
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{SortId, TermId};

/// The numbers of variables and literals of a formula with the prefix forall-exists-forall.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::infer) struct Profile {
    /// The outer variables, by the index of the sort.
    pub(in crate::infer) outer: Vec<u32>,
    /// Those of them that a literal about a witness or an inner variable mentions.
    pub(in crate::infer) bound: Vec<u32>,
    pub(in crate::infer) witnesses: Vec<u32>,
    pub(in crate::infer) inner: Vec<u32>,
    /// Number of literals about outer variables alone.
    pub(in crate::infer) outside: usize,
    /// Number of other literals.
    pub(in crate::infer) inside: usize,
    /// Whether the other literals are a conjunction of several ones.
    pub(in crate::infer) is_cube: bool,
}

impl Profile {
    /// Returns the numbers of a universal clause.
    pub(in crate::infer) fn universal(outer: Vec<u32>, literals: usize) -> Profile {
        let none = vec![0; outer.len()];
        let (bound, witnesses, inner) = (none.clone(), none.clone(), none);
        Profile { outer, bound, witnesses, inner, outside: literals, inside: 0, is_cube: false }
    }

    /// Returns the numbers of a formula about this number of sorts.
    pub(super) fn of(it: &Alternation, sorts: usize) -> Profile {
        let count = |range: std::ops::Range<usize>, is_counted: &dyn Fn(usize) -> bool| {
            let mut counts = vec![0; sorts];
            range.filter(|&var| is_counted(var)).for_each(|var| counts[it.sorts[var].index()] += 1);
            counts
        };
        let inner = it.outer + it.witnesses;
        let is_outside = |literal: &&Literal| literal.last_variable() < it.outer;
        let inside: Vec<&Literal> =
            it.clause.iter().filter(|literal| !is_outside(literal)).chain(&it.cube).collect();
        let is_bound = |var: usize| {
            inside.iter().any(|literal| {
                let mut is_used = false;
                literal.atom.variables(|used| is_used |= usize::from(used) == var);
                is_used
            })
        };
        Profile {
            outer: count(0..it.outer, &|_| true),
            bound: count(0..it.outer, &is_bound),
            witnesses: count(it.outer..inner, &|_| true),
            inner: count(inner..it.sorts.len(), &|_| true),
            outside: it.clause.iter().filter(is_outside).count(),
            inside: inside.len(),
            is_cube: it.cube.len() > 1,
        }
    }

    /// Checks whether no literal is about a witness.
    pub(in crate::infer) fn is_universal(&self) -> bool {
        self.inside == 0
    }
}

/// Which formulas there are in all levels together.
#[derive(Debug)]
pub(in crate::infer) enum Grammar {
    /// Those with given prefixes.
    Given(Vec<Level>),
    /// Those with any numbers of variables and literals whose witnesses depend on variables of earlier sorts or of their own.
    Ordered {
        /// Orders of the sorts.
        orders: Vec<Ordering>,
        /// The variables of formulas about pairs of elements that guards relate.
        asked: Vec<Blocks>,
    },
}

impl Grammar {
    /// Returns the formulas that a [`Source`](super::Source) of the same arguments has.
    pub(in crate::infer) fn new(
        prover: &Prover,
        properties: &[TermId],
        prefixes: &[QuantifierPrefix],
    ) -> Grammar {
        if !prefixes.is_empty() {
            let levels = given_levels(variables(prover.system(), properties), prefixes);
            return Grammar::Given(levels.into());
        }
        Grammar::Ordered { orders: orderings(prover, properties), asked: asked(prover.system()) }
    }

    /// Returns the formulas in which sorts are called otherwise: by the index of the sort, the new one, out of `count`.
    pub(in crate::infer) fn renamed(self, count: usize, name: &dyn Fn(SortId) -> SortId) -> Grammar {
        let counts = |from: &Vec<u32>| {
            let mut to = vec![0; count];
            from.iter().enumerate().for_each(|(at, &number)| to[name(SortId::new(at)).index()] = number);
            to
        };
        let renamed = |Blocks { outer, local, witnesses, inner }: &Blocks| {
            let [outer, local, witnesses, inner] = [outer, local, witnesses, inner].map(counts);
            Blocks { outer, local, witnesses, inner }
        };
        match self {
            Grammar::Given(mut levels) => {
                for level in &mut levels {
                    level.universal.variables = counts(&level.universal.variables);
                    level.shapes.iter_mut().for_each(|it| it.blocks = renamed(&it.blocks));
                }
                Grammar::Given(levels)
            }
            Grammar::Ordered { orders, asked } => {
                let orders = orders.iter().map(|Ordering { sorts, latest, edges, alternating }| {
                    let edges = edges.iter().map(|&(from, to)| (name(from), name(to)));
                    Ordering {
                        sorts: sorts.iter().map(|&sort| name(sort)).collect(),
                        latest: name(*latest),
                        edges: Arc::new(edges.collect()),
                        alternating: alternating.iter().map(|&sort| name(sort)).collect(),
                    }
                });
                Grammar::Ordered { orders: orders.collect(), asked: asked.iter().map(renamed).collect() }
            }
        }
    }

    /// Checks whether formulas with these numbers are among them.
    pub(in crate::infer) fn has(&self, profile: &Profile) -> bool {
        match self {
            Grammar::Given(levels) => levels.iter().any(|level| is_of_level(profile, level)),
            Grammar::Ordered { .. } if profile.is_universal() => true,
            Grammar::Ordered { orders, asked } => {
                orders.iter().any(|order| is_ordered(profile, &order.sorts, &order.edges))
                    || asked.iter().any(|blocks| is_asked(profile, blocks))
            }
        }
    }
}

fn is_within(counts: &[u32], most: &[u32]) -> bool {
    counts.iter().zip(most).all(|(count, most)| count <= most)
}

fn is_of_level(profile: &Profile, Level { universal, limits, shapes, .. }: &Level) -> bool {
    let Profile { outer, witnesses, inner, outside, inside, is_cube, .. } = profile;
    if profile.is_universal() {
        return *outside <= universal.literals && is_within(outer, &universal.variables);
    }
    let Limits { outside: most_outside, inside: most_inside, clause } = *limits;
    shapes.iter().any(|Prototype { blocks, inside: kind, .. }| {
        let is_sized = match kind {
            // A cube has any number of literals.
            Inside::Cube => *inside == 1 || *is_cube,
            Inside::Clause => !is_cube && *inside <= most_inside && outside + inside <= clause,
        };
        is_sized
            && *outside <= most_outside
            && is_within(outer, &blocks.outer)
            && is_within(witnesses, &blocks.witnesses)
            && is_within(inner, &blocks.inner)
    })
}

/// Checks whether a formula is one about pairs of elements that guards relate.
fn is_asked(profile: &Profile, blocks: &Blocks) -> bool {
    is_within(&profile.outer, &blocks.outer)
        && is_within(&profile.witnesses, &blocks.witnesses)
        && is_within(&profile.inner, &blocks.inner)
        && (profile.inside == 1 || profile.is_cube)
        && profile.outside <= LIMITS_OF_ASKED.outside
}

/// Checks whether a formula has the witnesses of one of the shapes of an order of the sorts ([`super::shapes`]).
fn is_ordered(profile: &Profile, order: &[SortId], edges: &Set<(SortId, SortId)>) -> bool {
    let count = |counts: &[u32], sort: SortId| counts[sort.index()];
    let with = |counts: &[u32]| -> Vec<usize> {
        (0..order.len()).filter(|&at| count(counts, order[at]) > 0).collect()
    };
    let (witnesses, inner) = (with(&profile.witnesses), with(&profile.inner));
    let Some(&first) = witnesses.first() else { return false };
    let is_before = |at: usize| at <= first;
    let is_single = witnesses.len() == 1;
    let local: Vec<SortId> =
        with(&profile.outer).into_iter().filter(|&at| !is_before(at)).map(|at| order[at]).collect();
    let is_local = |&sort: &SortId| count(&profile.bound, sort) == 0 && count(&profile.outer, sort) == 1;
    let last = witnesses.last().copied().unwrap_or(first);
    let is_led = |at: usize| witnesses.iter().any(|&from| edges.contains(&(order[from], order[at])));
    let is_inner = |&at: &usize| at > last && (is_single && local.is_empty() || is_led(at));
    witnesses.iter().all(|&at| count(&profile.witnesses, order[at]) == 1)
        && (local.is_empty() || (is_single || !inner.is_empty()) && local.iter().all(is_local))
        && (inner.is_empty() || witnesses.len() <= 2 && !profile.is_cube && inner.iter().all(is_inner))
}
