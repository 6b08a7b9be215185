//! Reachable states of small instances: many more than the store holds, kept to refute clauses.
//!
//! A clause that is true in the few states of the store may be far from invariant. Before one becomes a lemma it is
//! evaluated in all states explored, and one that refutes it is added to the store. The states are those of finite
//! instances, the immutable symbols of which are fixed (`world`), and are evaluated many at a time (`columns`).

mod columns;
pub(super) mod explorer;
pub(super) mod reach;
#[cfg(test)]
mod tests;
mod world;

use std::sync::Arc;

use self::explorer::{Explorer, Place};
use self::world::World;
use super::oracle::{Claim, Found, LemmaId};
use super::outcome::Observer;
use super::search::{Origin, Search, StateId, Step};
use crate::query::simulate::Simulator;
use crate::query::{Call, Limits};
use ramsey_circuit::finite::{self, Instance, Sizes};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{Signature, SortId, Structure, SymId, Symbol, SymbolKind, TermId, Tuples};
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;

/// Maximum number of worlds.
const WORLDS: usize = 12;
/// Number of ways in which the sizes of the sorts are chosen, in turn.
const KINDS: usize = 4;
/// Work of the search per work of exploring.
const SHARE: u64 = 4;
/// Steps of all executions of a world at a time.
const STEPS: u64 = 1_000;
/// The same once there are all worlds.
const MORE_STEPS: u64 = 4_000;
/// Work units of each query for an initial state.
const WORK: u64 = 200_000;
/// Maximum number of gates of a world.
const MAX_GATES: usize = 60_000;
/// Number of interpretations of immutable symbols that are tried for a world.
const TRIES: usize = 8;
/// Steps of all executions for a trial of a world.
const TRIAL: u64 = 200;
/// Initial states of a world.
const ROOTS: usize = 16;
/// Maximum number of tuples of a symbol whose interpretation is chosen at random.
const MAX_TUPLES: u64 = 512;

/// Number of constants of a sort that make it larger.
const MAX_CONSTANTS: usize = 2;

impl Search {
    /// Explores more states if it is time. Returns a property and a state that violates it, if one is reached.
    pub(super) fn explored(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<(LemmaId, StateId)>, Failure> {
        let Some(mut explorer) = self.explorer.take() else { return Ok(None) };
        let result = self.explore(&mut explorer, observer, budget);
        self.explorer = Some(explorer);
        result
    }

    fn explore(
        &mut self,
        explorer: &mut Explorer,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<(LemmaId, StateId)>, Failure> {
        if self.work + budget.spent() < explorer.next {
            return Ok(None);
        }
        let start = budget.spent();
        let mut rng = Rng::new(self.seed ^ (explorer.next << 8) ^ explorer.turn as u64);
        if explorer.tried < WORLDS {
            let number = explorer.tried;
            explorer.tried += 1;
            if let Some(world) = self.world(number, &mut rng, budget)? {
                explorer.worlds.push(world);
                explorer.turn = explorer.worlds.len() - 1;
            }
        }
        let at = explorer.turn;
        explorer.turn = (at + 1) % explorer.worlds.len().max(1);
        let mut violated = None;
        if let Some(world) = explorer.worlds.get_mut(at) {
            let before = world.tabulated();
            let steps = if explorer.tried < WORLDS { STEPS } else { MORE_STEPS };
            let bad = world.run(steps, &mut rng);
            let mut work = steps * world.step_work() + world.tabulate();
            let mut refuting: Vec<usize> = bad.into_iter().collect();
            for lemma in
                self.lemmas.iter().filter(|lemma| lemma.is_alive && !lemma.is_safety && !lemma.is_frame)
            {
                refuting.extend(world.refuting(&lemma.claim, before, &mut work));
            }
            refuting.dedup();
            self.counts.explored += (world.tabulated() - before) as u64;
            budget.spend(work)?;
            for state in refuting {
                let found = self.oracle.found(&world.state(state), 0);
                let origin = Origin::Explored(Place { world: at, state });
                let (state, property) = self.allow(found, origin, observer, budget)?;
                violated = violated.or(property.map(|property| (property, state)));
            }
        }
        explorer.next = self.work + budget.spent() + SHARE * (budget.spent() - start);
        Ok(violated)
    }

    /// Adds a state explored that refutes a claim to the store. Returns whether there is one, and a property with the
    /// state if that violates it.
    pub(super) fn refuted_by_exploration(
        &mut self,
        claim: &Claim,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<(StateId, Option<LemmaId>)>, Failure> {
        let Some(explorer) = &mut self.explorer else { return Ok(None) };
        let mut work = 1;
        let mut worlds = explorer.worlds.iter_mut().enumerate();
        let found = worlds.find_map(|(world, it)| Some((world, it.refuting(claim, 0, &mut work)?)));
        budget.spend(work)?;
        let Some((world, state)) = found else { return Ok(None) };
        let structure = explorer.worlds[world].state(state);
        let found = self.oracle.found(&structure, 0);
        let origin = Origin::Explored(Place { world, state });
        self.allow(found, origin, observer, budget).map(Some)
    }

    /// Makes a world of this number: of a few with different immutable symbols, the one in which the most transitions
    /// are taken.
    fn world(&self, number: usize, rng: &mut Rng, budget: &mut Budget) -> Result<Option<World>, Failure> {
        let system = Arc::clone(&self.oracle.system);
        let limits = Limits { work: Some(WORK), outside: None, probe: None };
        let mut simulator = Simulator::new(Arc::clone(&system), rng.next_u64(), limits);
        let sizes = sizes(&system, number, rng);
        budget.spend(WORK / 8)?;
        match simulator.start(&sizes) {
            Ok(true) => {}
            Ok(false) | Err(Failure::Exhausted(_) | Failure::Misuse(_)) => return Ok(None),
            Err(failure) => return Err(failure),
        }
        let Some(found) = simulator.structure() else { return Ok(None) };
        let found = self.oracle.found(&found, 0).structure;
        let mut best: Option<World> = None;
        for tried in 0..TRIES {
            let mut root = (*found).clone();
            let mut is_other = tried == 0;
            for sym in self.symbols(SymbolKind::Immutable) {
                for _ in 0..4 {
                    let Some(other) = scattered(&system.sig, &root, sym, rng).filter(|_| tried > 0) else {
                        break;
                    };
                    if self.is_initial(&other, budget)? {
                        root = other;
                        is_other = true;
                        break;
                    }
                }
            }
            if !is_other {
                break;
            }
            let Some(mut world) = self.world_of(root, budget)? else { continue };
            self.add_roots(&mut world, rng, budget)?;
            let bad = world.run(TRIAL, rng);
            budget.spend(TRIAL * world.step_work())?;
            if bad.is_some() || best.as_ref().is_none_or(|best| best.score() < world.score()) {
                best = Some(world);
            }
            let transitions = system.transitions.len();
            if bad.is_some() || tried > 0 && best.as_ref().is_some_and(|best| best.score().0 == transitions) {
                break;
            }
        }
        Ok(best)
    }

    /// Makes a world with the immutable symbols of an initial state, its only one.
    fn world_of(&self, root: Structure, budget: &mut Budget) -> Result<Option<World>, Failure> {
        let system = &self.oracle.system;
        let immutable = self.symbols(SymbolKind::Immutable);
        let fixed = immutable.map(|sym| (sym, root.interpretation(&system.sig, sym, 0).clone()));
        let claims = self.lemmas.iter().filter(|lemma| lemma.is_safety);
        let targets = claims.filter_map(|lemma| match lemma.claim {
            Claim::Formula(formula) => Some(("safety".to_owned(), formula)),
            Claim::Excludes(_) | Claim::Alternates(_) => None,
        });
        let targets: Vec<(String, TermId)> = targets.collect();
        let count = targets.len();
        let options = finite::Options {
            break_symmetry: false,
            fixed: fixed.collect(),
            targets,
            definitions: true,
            max_nodes: 8 * MAX_GATES,
            ..finite::Options::default()
        };
        let mut all: Sizes = root.sizes.clone();
        all.grow_to(system.sig.sorts.len(), || 0);
        let instance = match Instance::new(Arc::clone(system), &all, &options, budget) {
            Ok(instance) if instance.is_empty() || instance.circuit().num_gates() > MAX_GATES => {
                return Ok(None);
            }
            Ok(instance) => instance,
            Err(finite::Refusal::Exhausted(exhausted, _)) if exhausted != Exhausted::FormulaSize => {
                return Err(exhausted.into());
            }
            Err(_) => return Ok(None),
        };
        let mut world = World::new(instance, &self.oracle.vocabulary, count);
        world.add_root(root);
        Ok(Some(world))
    }

    /// Adds initial states in which symbols that initial conditions leave open have other values.
    fn add_roots(&self, world: &mut World, rng: &mut Rng, budget: &mut Budget) -> Result<(), Failure> {
        let sig = &self.oracle.system.sig;
        let root = world.root().clone();
        let mut free: Vec<SymId> = self.symbols(SymbolKind::Mutable).collect();
        for round in 0..ROOTS {
            let mut other = root.clone();
            let mut kept = Vec::new();
            for &sym in &free {
                let Some(tried) = scattered(sig, &other, sym, rng) else { continue };
                // Derived relations follow.
                let tried = with_choices(sig, world.instance.state(&world.latches(&tried)), &root);
                if self.is_initial(&tried, budget)? {
                    other = tried;
                    kept.push(sym);
                }
            }
            if round >= 2 {
                free = kept;
            }
            if free.is_empty() {
                break;
            }
            world.add_root(other);
        }
        Ok(())
    }

    fn symbols(&self, kind: SymbolKind) -> impl Iterator<Item = SymId> + use<> {
        let symbols = self.oracle.system.sig.symbols.iter_enumerated();
        let found: Vec<SymId> =
            symbols.filter(|(_, symbol)| symbol.kind == kind).map(|(sym, _)| sym).collect();
        found.into_iter()
    }

    /// Evaluates axioms and initial conditions.
    fn is_initial(&self, structure: &Structure, budget: &mut Budget) -> Result<bool, Failure> {
        let system = &self.oracle.system;
        let axioms = system.axioms.iter().map(|axiom| axiom.formula);
        let derived = system.derived.iter().map(|derived| derived.axiom);
        let found = Found {
            state: Arc::clone(&self.oracle.found(structure, 0).state),
            structure: Arc::new(structure.clone()),
        };
        for formula in axioms.chain(system.inits.iter().map(|init| init.formula)).chain(derived) {
            if !self.oracle.holds(formula, &found, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the execution to a state of a world.
    fn path(&self, world: &World, state: usize) -> finite::Path {
        let (witness, initial) = world.execution(state);
        let mut path = world.instance.path(&witness);
        if let Some(initial) = initial {
            let sig = &self.oracle.system.sig;
            let in_init = |sym: SymId| {
                let terms = &self.oracle.system.terms;
                self.oracle.system.inits.iter().any(|init| terms.symbols(init.formula).contains(&sym))
            };
            for sym in self.symbols(SymbolKind::Choice).filter(|&sym| in_init(sym)) {
                *path.structure.interpretation_mut(sig, sym, 0) = initial.interpretation(sig, sym, 0).clone();
            }
        }
        path
    }

    /// Gives the origin of a state as steps if it was explored.
    pub(super) fn settle_origin(&mut self, state: StateId) {
        let mut root = state;
        while let Origin::Step(step) = &self.origins[root] {
            root = step.parent;
        }
        let (Origin::Explored(place), Some(explorer)) = (&self.origins[root], &self.explorer) else { return };
        let path = self.path(&explorer.worlds[place.world], place.state);
        let last = path.structure.states() - 1;
        let mut before: Option<(StateId, Found)> = None;
        for step in 0..=last {
            let found = self.oracle.found(&path.structure, step);
            let origin = match (before, step.checked_sub(1).and_then(|at| path.steps.get(at))) {
                (Some((parent, pre)), Some(step)) => {
                    let call = Call { transition: step.transition, args: step.args.clone() };
                    Origin::Step(Box::new(Step::whole(parent, pre, call)))
                }
                _ => Origin::Initial,
            };
            let id = if step == last {
                self.origins[root] = origin;
                self.allowed[root] = found.clone();
                root
            } else {
                // A state may be in the store with another origin, which would not do: there would be circles.
                self.is_reachable.push(true);
                self.is_bounded.push(false);
                self.tables.push(Arc::clone(&found.state));
                self.allowed.push(found.clone());
                self.origins.push(origin);
                self.allowed.len() - 1
            };
            before = Some((id, found));
        }
    }
}

/// Returns the sizes of the sorts of a world.
fn sizes(system: &System, number: usize, rng: &mut Rng) -> Vec<(SortId, u32)> {
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let larger = sorts.get(rng.below(sorts.len())).copied();
    let single = sorts.get(number / KINDS % sorts.len().max(1)).copied().filter(|_| sorts.len() > 1);
    let immutable = |symbol: &&Symbol| symbol.kind == SymbolKind::Immutable && !symbol.is_relation();
    let is_record =
        |sort: SortId| system.sig.symbols.iter().filter(immutable).any(|it| it.args.first() == Some(&sort));
    let size = |&sort: &SortId| {
        let size = match number % KINDS {
            0 => 2,
            1 => 3,
            // A formula may say that there is an element like no other, and hold only because there are enough of them.
            2 if single == Some(sort) => 1,
            2 => 2 + rng.below(2),
            _ => 1 + rng.below(3).max(rng.below(3)) + if larger == Some(sort) { 3 } else { 0 },
        };
        // A constant may be an element like no other.
        let is_constant = |symbol: &&Symbol| symbol.result == sort && symbol.args.is_empty();
        let constants = system.sig.symbols.iter().filter(immutable).filter(is_constant).count();
        // Transitions ask for elements with certain values of functions.
        let records = if is_record(sort) && !number.is_multiple_of(KINDS) { rng.below(4) } else { 0 };
        (sort, (size + constants.min(MAX_CONSTANTS) + records) as u32)
    };
    sorts.iter().map(size).collect()
}

/// Returns a structure with a random interpretation of a symbol; `None` if it has too many tuples. Values are often
/// those of constants, or the same for tuples that begin with the same element.
fn scattered(sig: &Signature, structure: &Structure, sym: SymId, rng: &mut Rng) -> Option<Structure> {
    let symbol = &sig.symbols[sym];
    let dims: Vec<u32> = symbol.args.iter().map(|&sort| structure.sizes[sort]).collect();
    if Tuples::count_all(&dims) > MAX_TUPLES {
        return None;
    }
    let size = if symbol.is_relation() { 2 } else { structure.sizes[symbol.result] };
    // Transitions often ask for values that constants have.
    let is_constant = |sym: &SymId| {
        let it = &sig.symbols[*sym];
        !it.is_relation()
            && it.args.is_empty()
            && it.result == symbol.result
            && it.kind == SymbolKind::Immutable
    };
    let constants: Vec<SymId> = sig.symbols.ids().filter(|sym| is_constant(sym)).collect();
    let constant = |sym: &SymId| structure.interpretation(sig, *sym, 0).get(&[]);
    let constants: Vec<u32> = constants.iter().map(constant).collect();
    let value = |rng: &mut Rng| match constants.get(rng.below(2 * constants.len())) {
        Some(&value) => value,
        None => rng.below(size as usize) as u32,
    };
    let has_rows = rng.one_in(2);
    let mut row: Option<(u32, Option<u32>)> = None;
    let mut other = structure.clone();
    for args in Tuples::new(dims) {
        let first = args.first().copied().unwrap_or_default();
        if row.is_none_or(|(of, _)| of != first) {
            row = Some((first, (has_rows && !rng.one_in(3)).then(|| value(rng))));
        }
        let value = row.and_then(|(_, value)| value).unwrap_or_else(|| value(rng));
        other.interpretation_mut(sig, sym, 0).set(&args, value);
    }
    Some(other)
}

/// Gives the choices the values that they have in another structure.
fn with_choices(sig: &Signature, mut structure: Structure, other: &Structure) -> Structure {
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        if symbol.kind == SymbolKind::Choice {
            *structure.interpretation_mut(sig, sym, 0) = other.interpretation(sig, sym, 0).clone();
        }
    }
    structure
}
