//! Reachable states of small instances: many more than the store holds, kept to refute clauses.
//!
//! A clause that is true in the few states of the store may be far from invariant. Before one becomes a lemma it is
//! evaluated in all states explored, and one that refutes it is added to the store. The states are those of finite
//! instances, the immutable symbols of which are fixed (`world`), and are evaluated many at a time (`columns`).

mod columns;
pub(super) mod reach;
#[cfg(test)]
mod tests;
mod world;

use std::collections::VecDeque;
use std::sync::Arc;

use self::world::World;
use super::claim::{Claim, Found, LemmaId};
use super::outcome::Observer;
use super::prover::Prover;
use super::search::{Search, Violation};
use super::store::{Origin, Place, StateId};
use crate::query::simulate::Simulator;
use crate::query::{Call, Limits};
use ramsey_circuit::finite::{self, Instance, Sizes};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::{Signature, SortId, Structure, SymId, Symbol, SymbolKind, TermId, Tuples};
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;

/// Work of the search before anything is explored.
const START: u64 = 2_000_000;
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

/// Maximum number of symbols of a world that get random interpretations, each of which is judged in a copy of the state.
const MAX_SCATTERED: usize = 128;
/// Number of constants of a sort that make it larger.
const MAX_CONSTANTS: usize = 2;

/// States of small instances, to refute claims before they become lemmas.
#[derive(Debug)]
pub(super) struct Explorer {
    worlds: Vec<World>,
    /// Number of worlds that were tried.
    tried: usize,
    /// The world that is explored next.
    turn: usize,
    /// The work after which more is explored.
    next: u64,
    /// States that refute something and are not in the store yet. A budget may run out before they are.
    pending: VecDeque<Place>,
    /// The work when the last exploration began.
    begun: u64,
}

impl Default for Explorer {
    fn default() -> Explorer {
        Explorer { worlds: Vec::new(), tried: 0, turn: 0, next: START, pending: VecDeque::new(), begun: 0 }
    }
}

impl Explorer {
    /// Explores more states if it is time. Returns a property and a state that violates it, if one is reached.
    pub(super) fn explore(
        &mut self,
        search: &mut Search,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        if self.pending.is_empty() {
            if search.work(budget) < self.next {
                return Ok(None);
            }
            self.run(search, budget)?;
        }
        let mut violated = None;
        while let Some(&place) = self.pending.front() {
            let found = search.prover.found(&self.worlds[place.world].state(place.state), 0);
            let (state, property) = search.allow(found, Origin::Explored(place), observer, budget)?;
            self.pending.pop_front();
            violated = violated.or(property.map(|property| (property, state)));
            if violated.is_some() {
                break;
            }
        }
        let now = search.work(budget);
        self.next = now + SHARE * (now - self.begun);
        Ok(violated)
    }

    /// Explores more states of a world, or of a new one.
    fn run(&mut self, search: &mut Search, budget: &mut Budget) -> Result<(), Failure> {
        self.begun = search.work(budget);
        let mut rng = Rng::new(search.seed() ^ (self.next << 8) ^ self.turn as u64);
        if self.tried < WORLDS {
            let world = Maker::of_search(search).world(self.tried, &mut rng, budget)?;
            self.tried += 1;
            if let Some(world) = world {
                self.worlds.push(world);
                self.turn = self.worlds.len() - 1;
            }
        }
        let at = self.turn;
        self.turn = (at + 1) % self.worlds.len().max(1);
        let Some(world) = self.worlds.get_mut(at) else { return Ok(()) };
        let before = world.tabulated();
        let steps = if self.tried < WORLDS { STEPS } else { MORE_STEPS };
        let bad = world.run(steps, &mut rng);
        let mut work = steps * world.step_work() + world.tabulate();
        let mut refuting: Vec<usize> = bad.into_iter().collect();
        for lemma in search.lemmas.iter().filter(|lemma| lemma.is_lemma()) {
            refuting.extend(world.refuting(&lemma.claim, before, &mut work));
        }
        refuting.dedup();
        search.counts.explored += (world.tabulated() - before) as u64;
        self.pending = refuting.into_iter().map(|state| Place { world: at, state }).collect();
        Ok(budget.spend(work)?)
    }

    /// Adds a state explored that refutes a claim to the store. Returns whether there is one, and a property with the
    /// state if that violates it.
    pub(super) fn refute(
        &mut self,
        search: &mut Search,
        claim: &Claim,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<(StateId, Option<LemmaId>)>, Failure> {
        let mut work = 1;
        let mut worlds = self.worlds.iter().enumerate();
        let found = worlds.find_map(|(world, it)| Some((world, it.refuting(claim, 0, &mut work)?)));
        budget.spend(work)?;
        let Some((world, state)) = found else { return Ok(None) };
        let structure = self.worlds[world].state(state);
        let found = search.prover.found(&structure, 0);
        let origin = Origin::Explored(Place { world, state });
        search.allow(found, origin, observer, budget).map(Some)
    }

    /// Gives the origin of a state as steps if it was explored.
    pub(super) fn settle_origin(&self, search: &mut Search, state: StateId) {
        let root = search.states.root(state);
        let Origin::Explored(place) = search.states[root].origin else { return };
        let (structure, calls) = path(search.prover.system(), &self.worlds[place.world], place.state);
        let execution = (0..structure.states()).map(|step| search.prover.found(&structure, step)).collect();
        search.states.settle(root, execution, &calls);
    }
}

/// Makes worlds of a system.
struct Maker<'a> {
    prover: &'a Prover,
    /// Formulas that no state is to violate.
    claims: Vec<TermId>,
}

impl<'a> Maker<'a> {
    /// Returns the maker for a system with the properties of a search.
    fn of_search(search: &'a Search) -> Maker<'a> {
        let properties = search.lemmas.iter().filter(|lemma| lemma.is_property());
        let claims = properties.filter_map(|lemma| match lemma.claim {
            Claim::Formula(formula) => Some(formula),
            Claim::Excludes(_) | Claim::Alternates(_) => None,
        });
        Maker { prover: &search.prover, claims: claims.collect() }
    }

    /// Makes a world of this number: of a few with different immutable symbols, the one in which the most transitions
    /// are taken.
    fn world(&self, number: usize, rng: &mut Rng, budget: &mut Budget) -> Result<Option<World>, Failure> {
        let system = Arc::clone(self.prover.system());
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
        let found = self.prover.found(&found, 0).structure;
        let mut best: Option<World> = None;
        for tried in 0..TRIES {
            let mut root = (*found).clone();
            let mut is_other = tried == 0;
            for sym in some_symbols(&system, SymbolKind::Immutable, rng) {
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
        let system = self.prover.system();
        let immutable = symbols(system, SymbolKind::Immutable);
        let fixed = immutable.map(|sym| (sym, root.interpretation(&system.sig, sym, 0).clone()));
        let targets = self.claims.iter().map(|&claim| ("safety".to_owned(), claim));
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
        let mut world = World::new(instance, self.prover.vocabulary(), count);
        world.add_root(root);
        Ok(Some(world))
    }

    /// Adds initial states in which symbols that initial conditions leave open have other values.
    fn add_roots(&self, world: &mut World, rng: &mut Rng, budget: &mut Budget) -> Result<(), Failure> {
        let sig = &self.prover.system().sig;
        let root = world.root().clone();
        let mut free = some_symbols(self.prover.system(), SymbolKind::Mutable, rng);
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

    /// Evaluates axioms and initial conditions.
    fn is_initial(&self, structure: &Structure, budget: &mut Budget) -> Result<bool, Failure> {
        let system = self.prover.system();
        let axioms = system.axioms.iter().map(|axiom| axiom.formula);
        let derived = system.derived.iter().map(|derived| derived.axiom);
        let found = Found {
            state: Arc::clone(&self.prover.found(structure, 0).state),
            structure: Arc::new(structure.clone()),
        };
        for formula in axioms.chain(system.inits.iter().map(|init| init.formula)).chain(derived) {
            if !self.prover.holds(formula, &found, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the symbols of a kind.
fn symbols(system: &System, kind: SymbolKind) -> impl Iterator<Item = SymId> {
    let symbols = system.sig.symbols.iter_enumerated();
    symbols.filter(move |(_, symbol)| symbol.kind == kind).map(|(sym, _)| sym)
}

/// Returns the symbols of a kind, in order; some of them if there are very many.
fn some_symbols(system: &System, kind: SymbolKind, rng: &mut Rng) -> Vec<SymId> {
    let mut found: Vec<SymId> = symbols(system, kind).collect();
    while found.len() > MAX_SCATTERED {
        found.swap_remove(rng.below(found.len()));
    }
    found.sort_unstable();
    found
}

/// Returns the states and calls of the execution to a state of a world.
fn path(system: &System, world: &World, state: usize) -> (Structure, Vec<Call>) {
    let (witness, initial) = world.execution(state);
    let finite::Path { mut structure, steps } = world.instance.path(&witness);
    if let Some(initial) = initial {
        let in_init =
            |sym: &SymId| system.inits.iter().any(|init| system.terms.symbols(init.formula).contains(sym));
        for sym in symbols(system, SymbolKind::Choice).filter(in_init) {
            *structure.interpretation_mut(&system.sig, sym, 0) =
                initial.interpretation(&system.sig, sym, 0).clone();
        }
    }
    (structure, steps.into_iter().map(Call::from).collect())
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
