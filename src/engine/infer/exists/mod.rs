//! Separation by formulas with a quantifier alternation.
//!
//! A formula is to be false in one state, and true in the states seen. It has one of a few prefixes, which depend on an
//! order of the sorts: a witness depends on variables of earlier sorts only, so that all lemmas together are in the
//! decidable fragment, but for orders against the edges of a cycle or of transitions (see [`Ordering`]), and for witnesses that
//! depend on elements of their own sort, which come last unless guards relate pairs of such elements ([`asked()`]). Levels say how many variables and literals there are; a state that no formula of the level excludes is allowed by every invariant in this
//! language (compare [`super::language`]).

mod asked;
mod best_first;
mod blocks;
mod formula;
mod grammar;
mod guess;
mod literals;
mod orders;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use self::asked::asked;
use self::best_first::BestFirst;
use self::blocks::{Blocks, Ground, Limits};
pub(super) use self::formula::Alternation;
pub(super) use self::grammar::{Grammar, Profile};
use self::guess::Guesses;
use self::orders::{Ordering, orderings, sorts};
pub(super) use self::orders::{first_order, is_reached};
use self::shape::{Inside, Shape};
use super::claim::Claim;
use super::language::Language;
use super::outcome::QuantifierPrefix;
use super::prover::Prover;
use super::separate::{Edge, Separation, Separator};
use super::state::{State, Vocabulary, VocabularySymbol};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Signature, SortId, SymbolOrigin, TermId};

/// Per level, the number of outer variables of each sort beyond those that a property has, the number of inner variables
/// of each sort, and the numbers of literals.
const LEVELS: [(u32, u32, Limits); 7] = [
    (0, 1, Limits { outside: 3, inside: 3, clause: 4 }),
    (0, 2, Limits { outside: 3, inside: 3, clause: 4 }),
    (0, 1, Limits { outside: 4, inside: 3, clause: 5 }),
    (0, 1, Limits { outside: 5, inside: 3, clause: 6 }),
    (1, 1, Limits { outside: 3, inside: 3, clause: 4 }),
    (1, 2, Limits { outside: 4, inside: 3, clause: 5 }),
    (1, 2, Limits { outside: 5, inside: 4, clause: 6 }),
];

/// Returns the numbers of a level. Beyond [`LEVELS`] everything grows.
fn numbers(level: usize) -> (u32, u32, Limits) {
    LEVELS.get(level).copied().unwrap_or_else(|| {
        let beyond = level + 1 - LEVELS.len();
        let half = beyond.div_ceil(2);
        let limits = Limits { outside: 5 + half, inside: 4 + half, clause: 6 + beyond };
        (1 + half as u32, 2 + (beyond / 2) as u32, limits)
    })
}

/// Which witnesses formulas have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Witnesses {
    /// Those of sorts that a quantifier alternation in the model relates.
    Alternating,
    /// Those of all sorts.
    All,
    /// Those of all sorts, which depend on other elements of their sort as well.
    OfSameSort,
}

/// What premises speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Premises {
    /// The elements that the witness depends on.
    Outer,
    /// Others as well.
    Local,
}

/// The levels in the order in which they are tried. Those after them are without end ([`scheduled`]).
const SCHEDULE: [(Witnesses, Premises, usize); 20] = [
    (Witnesses::Alternating, Premises::Outer, 0),
    (Witnesses::Alternating, Premises::Outer, 1),
    (Witnesses::Alternating, Premises::Outer, 2),
    (Witnesses::Alternating, Premises::Outer, 4),
    (Witnesses::Alternating, Premises::Local, 0),
    (Witnesses::Alternating, Premises::Local, 2),
    (Witnesses::Alternating, Premises::Outer, 3),
    (Witnesses::Alternating, Premises::Local, 3),
    (Witnesses::All, Premises::Outer, 0),
    (Witnesses::Alternating, Premises::Outer, 5),
    (Witnesses::All, Premises::Outer, 1),
    (Witnesses::All, Premises::Local, 0),
    (Witnesses::All, Premises::Outer, 2),
    (Witnesses::All, Premises::Local, 2),
    (Witnesses::Alternating, Premises::Outer, 6),
    (Witnesses::All, Premises::Outer, 4),
    (Witnesses::All, Premises::Outer, 5),
    (Witnesses::All, Premises::Outer, 6),
    (Witnesses::OfSameSort, Premises::Outer, 0),
    (Witnesses::OfSameSort, Premises::Outer, 2),
];

/// Returns the level that is tried at this place.
fn scheduled(place: usize) -> (Witnesses, Premises, usize) {
    SCHEDULE.get(place).copied().unwrap_or_else(|| {
        let beyond = place - SCHEDULE.len();
        let level = LEVELS.len() + beyond / 3;
        match beyond % 3 {
            0 => (Witnesses::All, Premises::Local, level - 1),
            1 => (Witnesses::OfSameSort, Premises::Local, level - 1),
            _ => (Witnesses::All, Premises::Outer, level),
        }
    })
}

/// The formulas that are tried at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// The clauses without witnesses.
    universal: Language,
    /// More of them, for states that nothing else excludes: a lemma with a witness may rest on a clause with one variable more
    /// than the properties have, and is given up with the state that this clause excludes. `None` if the prefixes are given, or
    /// values of functions have variables.
    wide: Option<Language>,
    limits: Limits,
    shapes: Vec<Prototype>,
}

/// What a shape is made from.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Prototype {
    blocks: Blocks,
    inside: Inside,
    /// Whether its formulas are tried only if no other ones exclude a state.
    is_late: bool,
}

/// Numbers of states, in the order in which they are tried.
#[derive(Debug, Default)]
struct Recent(Vec<usize>);

impl Recent {
    /// Puts the states that are new in front, where there are `count` in all.
    fn extend(&mut self, count: usize) {
        for at in self.0.len()..count {
            self.0.insert(0, at);
        }
    }

    /// Returns the first state for which `find` returns something, and puts it in front.
    fn find<T>(&mut self, mut find: impl FnMut(usize) -> Option<T>) -> Option<(usize, T)> {
        let (place, found) = self.0.iter().enumerate().find_map(|(place, &at)| Some((place, find(at)?)))?;
        self.0[..=place].rotate_right(1);
        Some((self.0[0], found))
    }
}

/// The levels of a system, one after the other.
#[derive(Debug)]
struct Schedule {
    sorts: Vec<SortId>,
    /// Per sort, the number of variables that a property has.
    least: Vec<u32>,
    orders: Vec<Ordering>,
    /// The sorts of values of functions that relations stand for. A value that a universal clause is about takes a variable
    /// and a literal.
    values: Vec<SortId>,
    /// The place in the schedule of the next levels.
    place: usize,
    /// The variables of formulas about pairs of elements that guards relate ([`asked()`]).
    asked: Vec<Blocks>,
}

/// How many places later a level has orders in which a sort comes late that is not the last one. They are seldom the right ones.
const LATER: usize = 4;

/// The place in the schedule before which formulas about pairs of elements that guards relate are tried.
const ASKED: usize = 1;
/// Their numbers of literals: two functions, and what tells which elements it is so for.
const LIMITS_OF_ASKED: Limits = Limits { outside: 4, inside: 3, clause: 5 };

/// Number of levels without any formula after which there are no more levels.
const MAX_EMPTY: usize = 15;

impl Schedule {
    /// Returns the next levels: one for each order of sorts.
    fn next(&mut self) -> Vec<Level> {
        for _ in 0..MAX_EMPTY {
            let places = [(Some(self.place), false), (self.place.checked_sub(LATER), true)];
            let mut levels: Vec<Level> = Vec::new();
            if self.place == ASKED {
                levels.extend(self.asked_level());
            }
            self.place += 1;
            for (place, is_late) in places {
                let Some(entry @ (witnesses, _, _)) = place.map(scheduled) else { continue };
                let depends_on_itself =
                    |sort: &SortId| self.orders.iter().all(|it| it.edges.contains(&(*sort, *sort)));
                if witnesses == Witnesses::OfSameSort && self.sorts.iter().all(depends_on_itself) {
                    continue;
                }
                let is_meant = |order: &&Ordering| {
                    order.is_late() == is_late
                        && (witnesses != Witnesses::Alternating || order.alternating.contains(&order.latest))
                };
                for order in self.orders.iter().filter(is_meant) {
                    let level = self.level(entry, order);
                    if !level.shapes.is_empty() && !levels.contains(&level) {
                        levels.push(level);
                    }
                }
            }
            if !levels.is_empty() {
                return levels;
            }
        }
        Vec::new()
    }

    /// Returns the level about pairs of elements that guards relate, if there are any.
    fn asked_level(&self) -> Option<Level> {
        let limits = LIMITS_OF_ASKED;
        let (universal, wide) = self.clauses(self.least.clone(), limits.outside);
        let shape =
            |blocks: &Blocks| Prototype { blocks: blocks.clone(), inside: Inside::Cube, is_late: false };
        let shapes: Vec<Prototype> = self.asked.iter().map(shape).collect();
        (!shapes.is_empty()).then_some(Level { universal, wide, limits, shapes })
    }

    /// Returns the clauses of a level with so many variables of each sort, and more of them.
    fn clauses(&self, mut variables: Vec<u32>, literals: usize) -> (Language, Option<Language>) {
        self.values.iter().for_each(|sort| variables[sort.index()] += 1);
        let wide = Language { variables: variables.iter().map(|count| count + 1).collect(), literals };
        (Language { variables, literals }, self.values.is_empty().then_some(wide))
    }

    fn level(&self, (witnesses, premises, at): (Witnesses, Premises, usize), order: &Ordering) -> Level {
        let (more, inner, mut limits) = numbers(at);
        limits.outside += usize::from(!self.values.is_empty());
        let outer: Vec<u32> = self.least.iter().map(|least| least + more).collect();
        let Ordering { sorts, edges, alternating, latest: _ } = order;
        let mut edges = Arc::clone(edges);
        let witnesses = match witnesses {
            Witnesses::Alternating => &alternating[..],
            Witnesses::All => &self.sorts,
            Witnesses::OfSameSort => {
                Arc::make_mut(&mut edges).extend(self.sorts.iter().map(|&sort| (sort, sort)));
                &self.sorts
            }
        };
        let mut shapes = shapes((sorts, witnesses, premises), &edges, &outer, inner);
        if !self.values.is_empty() {
            // With variables for values of functions as well, there are too many of these.
            shapes.retain(|it| !it.blocks.has_witnesses_and_inner());
        }
        let (universal, wide) = self.clauses(outer, limits.outside);
        Level { universal, wide, limits, shapes }
    }
}

/// Finds formulas that exclude a state.
#[derive(Debug)]
pub(super) struct Source {
    /// The levels to be tried next; the first one is in use.
    levels: VecDeque<Level>,
    /// The shapes of the first level, those that are tried late marked so.
    shapes: Vec<(Shape, bool)>,
    /// The levels after those. `None` if the prefixes are given, so that none may be left out for its size.
    schedule: Option<Schedule>,
    /// Whether formulas with a given prefix have too many literals.
    is_too_large: bool,
    /// The states seen; those that refuted a formula last are first.
    states: Recent,
    /// Terms without variables about which formulas are.
    grounds: Vec<Ground>,
    /// Formulas that transitions suggest. They come before all others.
    guesses: Guesses,
}

impl Source {
    /// Returns the levels of a system with these properties, with the given prefixes if there are any.
    pub(super) fn new(
        prover: &Prover,
        properties: &[TermId],
        prefixes: &[QuantifierPrefix],
        guesses: &[TermId],
    ) -> Source {
        let least = super::language::variables(prover.system(), properties);
        if !prefixes.is_empty() {
            return Source::with_levels(prover, given_levels(least, prefixes), None);
        }
        let sorts = sorts(&prover.system().sig);
        let values = prover.sorts_of_values();
        let asked = asked(prover.system());
        let orders = orderings(prover, properties);
        let schedule = Schedule { orders, sorts, least, values, place: 0, asked };
        let mut source = Source::with_levels(prover, VecDeque::new(), Some(schedule));
        let grammar = Grammar::new(prover, properties, &[]);
        let count = prover.system().sig.sorts.len();
        source.guesses = Guesses::of(prover, guesses, &|it| grammar.has(&Profile::of(it, count)));
        source
    }

    fn with_levels(prover: &Prover, levels: VecDeque<Level>, schedule: Option<Schedule>) -> Source {
        let (shapes, states) = (Vec::new(), Recent::default());
        let grounds = grounds(prover);
        let (is_too_large, guesses) = (false, Guesses::default());
        let mut source = Source { levels, schedule, shapes, is_too_large, states, grounds, guesses };
        source.open(prover.vocabulary());
        source
    }

    /// Opens the first level, or the next ones of the schedule up to one that has formulas.
    fn open(&mut self, vocabulary: &Vocabulary) {
        self.states = Recent::default();
        self.guesses.reset();
        for _ in 0..MAX_EMPTY {
            self.shapes.clear();
            if self.levels.is_empty()
                && let Some(schedule) = &mut self.schedule
            {
                self.levels.extend(schedule.next());
            }
            let Some(Level { limits, shapes, .. }) = self.levels.front() else { return };
            for Prototype { blocks, inside, is_late } in shapes {
                let shape = Shape::new(vocabulary, blocks, &self.grounds, *inside, *limits);
                // With these terms there may be too many literals.
                match shape.or_else(|_| Shape::new(vocabulary, blocks, &[], *inside, *limits)) {
                    Ok(shape) => self.shapes.extend(shape.map(|shape| (shape, *is_late))),
                    Err(_) => self.is_too_large |= self.schedule.is_none(),
                }
            }
            self.shapes.sort_by_key(|(_, is_late)| *is_late);
            if !self.shapes.is_empty() || self.schedule.is_none() {
                return;
            }
            self.levels.pop_front();
        }
        self.levels.clear();
    }

    /// Returns the clauses of the level in use, its prefixes with witnesses, and its number of literals; `None` if there is none.
    pub(super) fn language(&self) -> Option<(&Language, Vec<QuantifierPrefix>, usize)> {
        let level = self.levels.front()?;
        let blocks = || level.shapes.iter().map(|shape| &shape.blocks);
        let mut largest: Vec<&Blocks> = Vec::new();
        for own in blocks() {
            let is_part = |it: &Blocks| own.is_part_of(it) && !it.is_part_of(own);
            let is_known = largest.iter().any(|it| own.is_part_of(it) && it.is_part_of(own));
            if !blocks().any(is_part) && !is_known {
                largest.push(own);
            }
        }
        Some((&level.universal, largest.into_iter().map(Blocks::prefix).collect(), level.limits.all()))
    }

    /// Goes on with the next level, and forgets all states. Returns its number of literals; `None` if there is none.
    pub(super) fn widen(&mut self, vocabulary: &Vocabulary) -> Option<usize> {
        self.levels.pop_front();
        self.open(vocabulary);
        self.levels.front().map(|level| level.limits.all())
    }

    /// Returns a claim of the level with few literals that is false in `state`, true in `others`, to which states are
    /// only ever added at the end, and true after each step before which it is true.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, or formulas with a given prefix are too large.
    pub(super) fn separate(
        &mut self,
        (separator, vocabulary): (&mut Separator, &Vocabulary),
        state: &State,
        others: &[Arc<State>],
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Claim>, Exhausted> {
        if self.levels.is_empty() {
            return Ok(None);
        }
        if self.is_too_large {
            return Err(Exhausted::FormulaSize);
        }
        if let Some(claim) = self.guesses.excluding(state, others, steps, budget)? {
            return Ok(Some(claim));
        }
        let begun = budget.spent();
        let found = self.enumerated((separator, vocabulary), state, (others, steps), budget);
        self.guesses.searched(budget.spent() - begun);
        found
    }

    /// Returns the work units that evaluating guesses has taken.
    pub(super) fn guessing(&self) -> u64 {
        self.guesses.work()
    }

    /// Returns such a claim that is no guess.
    fn enumerated(
        &mut self,
        (separator, vocabulary): (&mut Separator, &Vocabulary),
        state: &State,
        (others, steps): (&[Arc<State>], &[Edge]),
        budget: &mut Budget,
    ) -> Result<Option<Claim>, Exhausted> {
        let Some(level) = self.levels.front() else { return Ok(None) };
        let mut clause = |language: &Language, budget: &mut Budget| {
            let found = separator.separate(vocabulary, state, others, steps, Some(language), budget)?;
            Ok(match found {
                Separation::Clause(pattern) => Some((pattern.literals.len(), Claim::Excludes(pattern))),
                _ => None,
            })
        };
        let mut best: Option<(usize, Claim)> = clause(&level.universal, budget)?;
        let Source { shapes, states, schedule, .. } = self;
        states.extend(others.len());
        for (shape, is_late) in &mut *shapes {
            if *is_late && best.is_some() {
                break;
            }
            let most = best.as_ref().map_or(usize::MAX, |(least, _)| *least);
            if let Some(found) = shape_excluding(shape, state, (others, steps), states, most, budget)? {
                best = Some(found);
            }
        }
        if let (None, Some(wide)) = (&best, &level.wide) {
            best = clause(wide, budget)?;
        }
        // Where a shape has too many formulas, there may be few that are false in this state.
        for (shape, _) in shapes.iter().filter(|(shape, _)| shape.is_full()) {
            if best.is_some() {
                break;
            }
            let mut is_complete = false;
            if let Some(types) = shape.types(state, budget)? {
                let mut own = shape.about(&types);
                best = shape_excluding(&mut own, state, (others, steps), states, usize::MAX, budget)?;
                is_complete = !own.is_full();
            }
            if schedule.is_none() && best.is_none() && !is_complete {
                return Err(Exhausted::FormulaSize);
            }
        }
        Ok(best.map(|(_, claim)| claim))
    }
}

/// Returns a formula of a shape with fewer than `most` literals and its size. It is false in `state`, true in `others` and
/// after each step before which it is true. The shape learns from the states that refute formulas, and only from these.
fn shape_excluding(
    shape: &mut Shape,
    state: &State,
    (others, steps): (&[Arc<State>], &[Edge]),
    order: &mut Recent,
    most: usize,
    budget: &mut Budget,
) -> Result<Option<(usize, Claim)>, Exhausted> {
    let Some(types) = shape.types(state, budget)? else { return Ok(None) };
    let mut search = BestFirst::new(shape, types, budget)?;
    while let Some(formula) = search.next(most) {
        let (alternation, variables) = search.shape.alternation(&formula);
        let evaluator = alternation.evaluator();
        let mut work = 1;
        if let Some((at, values)) = order.find(|at| evaluator.refutation(&others[at], &mut work)) {
            budget.spend(work)?;
            match search.shape.type_at(&others[at], &variables, &values) {
                Some(found) => search.learn(&found, budget)?,
                None => search.shape.close(),
            }
            continue;
        }
        let is_respected = |(before, after): &Edge| {
            evaluator.refutation(after, &mut work).is_none()
                || evaluator.refutation(before, &mut work).is_some()
        };
        let is_respected = search.shape.has_witness(&formula) && steps.iter().all(is_respected);
        budget.spend(work)?;
        if is_respected {
            return Ok(Some((search.shape.size(&formula), Claim::Alternates(alternation))));
        }
    }
    Ok(None)
}

/// Returns the constants for what axioms say exists, and the values of functions of them. Constants of the model are
/// none of them: most lemmas are not about these, and with them formulas with as many variables are too many.
fn grounds(prover: &Prover) -> Vec<Ground> {
    let sig = &prover.system().sig;
    let symbols = &prover.vocabulary().symbols;
    let all = || symbols.iter().enumerate().filter_map(|(at, symbol)| Some((at, symbol, symbol.result?)));
    let is_constant = |symbol: &VocabularySymbol| sig.symbols[symbol.sym].origin == SymbolOrigin::Witness;
    let constants = all().filter(|(_, symbol, _)| is_constant(symbol));
    let mut grounds: Vec<Ground> =
        constants.map(|(symbol, _, sort)| Ground { sort, symbol, args: Vec::new() }).collect();
    for place in 0..grounds.len() {
        let of_constant = grounds[place].sort;
        let functions = all().filter(|(_, it, _)| it.args == [of_constant] && !it.is_dead);
        grounds.extend(functions.map(|(symbol, _, sort)| Ground { sort, symbol, args: vec![place] }));
    }
    grounds
}

/// Returns levels with these prefixes, one for each numbers of literals. Universal formulas have the variables of prefixes
/// without witnesses, and at least those of the properties.
fn given_levels(least: Vec<u32>, prefixes: &[QuantifierPrefix]) -> VecDeque<Level> {
    let of = |sorts: &[SortId]| {
        let mut counts = vec![0; least.len()];
        sorts.iter().for_each(|sort| counts[sort.index()] += 1);
        counts
    };
    let (universal, others): (Vec<&QuantifierPrefix>, Vec<&QuantifierPrefix>) =
        prefixes.iter().partition(|prefix| prefix.witnesses.is_empty());
    let variables = universal.into_iter().fold(least.clone(), |most, prefix| {
        most.iter().zip(of(&prefix.outer)).map(|(&most, count)| most.max(count)).collect()
    });
    let shapes = others.into_iter().flat_map(|QuantifierPrefix { outer, witnesses, inner }| {
        let (local, inner_counts) = (vec![0; least.len()], of(inner));
        let blocks = Blocks { outer: of(outer), local, witnesses: of(witnesses), inner: inner_counts };
        let shape = move |inside| Prototype { blocks: blocks.clone(), inside, is_late: false };
        // With inner variables a cube says the same of all their values, which is seldom true.
        let kinds = if inner.is_empty() { &[Inside::Cube, Inside::Clause][..] } else { &[Inside::Clause] };
        kinds.iter().copied().map(shape)
    });
    let shapes: Vec<Prototype> = shapes.collect();
    let mut limits: Vec<Limits> = LEVELS.iter().map(|&(_, _, limits)| limits).collect();
    limits.sort_by_key(|limits| limits.clause);
    limits.dedup();
    let level = |limits: Limits| Level {
        universal: Language { variables: variables.clone(), literals: limits.outside },
        wide: None,
        limits,
        shapes: shapes.clone(),
    };
    limits.into_iter().map(level).collect()
}

/// Checks whether an axiom, a transition or a property of a system says that there is a value for every other one: what
/// proves these properties may have to say so as well.
pub(super) fn alternates(prover: &Prover, properties: &[TermId]) -> bool {
    !alternating(&prover.system().sig, &prover.sort_edges(properties)).is_empty()
}

/// Returns the sorts that edges relate which do not come from functions.
pub(super) fn alternating(sig: &Signature, edges: &Set<(SortId, SortId)>) -> Vec<SortId> {
    let functions = sig.symbols.iter().filter(|symbol| !symbol.is_relation());
    let values: Set<(SortId, SortId)> =
        functions.flat_map(|symbol| symbol.args.iter().map(|&arg| (arg, symbol.result))).collect();
    let sorts = sig.uninterpreted_sorts();
    sorts
        .filter(|&sort| edges.iter().any(|it| !values.contains(it) && (it.0 == sort || it.1 == sort)))
        .collect()
}

/// Returns the shapes of an order of the sorts: for each of some of them, formulas with a witness of it and outer variables
/// of earlier sorts; if there are later sorts, also with inner variables or more witnesses of these, or both. Formulas with one
/// witness, and inner variables of sorts to which an edge leads from its sort, are tried first.
fn shapes(
    (order, witnesses, premises): (&[SortId], &[SortId], Premises),
    edges: &Set<(SortId, SortId)>,
    outer: &[u32],
    inner: u32,
) -> Vec<Prototype> {
    let none = || vec![0; outer.len()];
    let of = |sorts: &[SortId], count: u32| {
        let mut counts = none();
        sorts.iter().for_each(|sort| counts[sort.index()] = count);
        counts
    };
    let mut shapes = Vec::new();
    for (at, &sort) in order.iter().enumerate().rev().filter(|(_, sort)| witnesses.contains(sort)) {
        let mut before = none();
        order[..at].iter().for_each(|sort| before[sort.index()] = outer[sort.index()]);
        if edges.contains(&(sort, sort)) {
            // The model itself has values of the sort that require others.
            before[sort.index()] = outer[sort.index()];
        }
        let mut add = |witnesses: &[SortId], last: &[SortId], inside: Inside, is_late: bool| {
            let (outer, local) = (before.clone(), none());
            let blocks = Blocks { outer, local, witnesses: of(witnesses, 1), inner: of(last, inner) };
            shapes.push(Prototype { blocks, inside, is_late });
        };
        add(&[sort], &[], Inside::Cube, false);
        let later: Vec<SortId> =
            order[at + 1..].iter().copied().filter(|sort| witnesses.contains(sort)).collect();
        let led: Vec<SortId> = later.iter().copied().filter(|&to| edges.contains(&(sort, to))).collect();
        add(&[sort], &led, Inside::Clause, false);
        // For some round and some quorum, something is true of all nodes.
        let pairs = later.iter().enumerate().map(|(place, &second)| {
            let is_led = |to: &SortId| [sort, second].iter().any(|&from| edges.contains(&(from, *to)));
            (second, later[place + 1..].iter().copied().filter(is_led).collect())
        });
        let pairs: Vec<(SortId, Vec<SortId>)> =
            pairs.filter(|(_, led): &(_, Vec<_>)| !led.is_empty()).collect();
        if !later.is_empty() {
            if led != later {
                add(&[sort], &later, Inside::Clause, true);
            }
            let all: Vec<SortId> = std::iter::once(sort).chain(later.iter().copied()).collect();
            add(&all, &[], Inside::Cube, true);
            add(&all, &[], Inside::Clause, true);
            pairs.iter().for_each(|(second, led)| add(&[sort, *second], led, Inside::Clause, true));
        }
        if premises == Premises::Outer {
            continue;
        }
        // What a premise says of elements that the witness does not depend on: forall X. (exists Y. ..) -> exists Z. ..
        let mut local = none();
        order[at..].iter().filter(|it| before[it.index()] == 0).for_each(|it| local[it.index()] = 1);
        let mut add = |witnesses: &[SortId], last: &[SortId], inside: Inside| {
            let (outer, local) = (before.clone(), local.clone());
            let blocks = Blocks { outer, local, witnesses: of(witnesses, 1), inner: of(last, inner) };
            shapes.push(Prototype { blocks, inside, is_late: true });
        };
        add(&[sort], &[], Inside::Cube);
        add(&[sort], &led, Inside::Clause);
        pairs.iter().for_each(|(second, led)| add(&[sort, *second], led, Inside::Clause));
    }
    shapes
}
