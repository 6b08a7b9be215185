//! From a system to its circuit.
//!
//! Each bit of the state is a latch. In each step, inputs choose a transition, the values of its parameters, and the
//! choices of its command; constraints say that its guard holds. No transition at all may be chosen, and then the state
//! stays as it is: a state without successors has to be a state of an execution too, and constraints hold in the last
//! step.
//!
//! Bits with the same value in all initial states have that value at reset. If the initial conditions say more than that,
//! an execution has one step before its first state: a latch tells that it is over, all bits that may change are false
//! until then, inputs choose the first state, and a constraint says that it is an initial one. So an invariant holds in
//! initial states because a step leads there, and what it says while that latch is true is a formula about the state.

use super::definitions::Definitions;
use super::expand::{Expander, World};
use super::initial::{Initial, Leaf, analyze, immutable};
use super::layout::{Layout, Sizes, Table, Value, any, bits_for, check_size, matches, row_of, tuples};
use super::options::{Options, Part};
use super::refusal::{Refusal, Stop};
use super::symmetry::{Fixed, break_edges, fix, functional};
use super::wires::{Input, LatchKind};
use crate::hwmc::graph::Edge;
use crate::hwmc::{Circuit, Latch};
use crate::transition::{Action, Update};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, Signature, SortId, SymId, Symbol, SymbolKind, TermId, Terms};
use ramsey_core::system::System;

/// A transition in normal form.
struct Prepared {
    action: Action,
    /// The constants for its parameters, each with its place among the parameters of its sort.
    params: Vec<(SymId, (SortId, usize))>,
}

/// The signature and terms of the system with constants for parameters, and the transitions over them.
struct Vocabulary {
    sig: Signature,
    terms: Terms,
    transitions: Vec<Prepared>,
}

impl Vocabulary {
    fn new(system: &System, part: Part) -> Vocabulary {
        let (mut sig, mut terms) = (system.sig.clone(), system.terms.clone());
        let mut transitions = Vec::new();
        for transition in system.transitions.iter().filter(|_| part == Part::Loop) {
            let mut places: Map<SortId, usize> = Map::default();
            let mut params = Vec::new();
            for &param in &transition.params {
                let info = terms.var_info(param);
                let place = places.entry(info.sort).or_default();
                let symbol = Symbol::parameter(&*info.name, info.sort);
                params.push((sig.symbols.push(symbol), (info.sort, *place)));
                *place += 1;
            }
            let constants: Vec<TermId> =
                params.iter().map(|&(sym, _)| terms.app(&sig, sym, 0, &[])).collect();
            let action = Action::without_derived(system, terms.over_mut(&sig), transition, &constants);
            transitions.push(Prepared { action, params });
        }
        Vocabulary { sig, terms, transitions }
    }
}

/// A circuit with what its parts stand for.
pub(super) struct Built {
    /// The derived relations that are not stored.
    pub(super) definitions: Definitions,
    /// The bits of a state.
    pub(super) layout: Layout,
    /// What is known of them.
    pub(super) fixed: Fixed,
    /// The circuit.
    pub(super) circuit: Circuit,
    /// What its latches stand for.
    pub(super) latches: Vec<LatchKind>,
    /// What its inputs stand for.
    pub(super) inputs: Vec<Input>,
    /// The latches of immutable symbols.
    pub(super) immutable: Vec<usize>,
    /// The names of the targets.
    pub(super) targets: Vec<String>,
}

/// Builds the circuit of a part of the system.
///
/// # Errors
/// Returns why there is none.
pub(super) fn build(
    system: &System,
    sizes: &Sizes,
    options: &Options,
    budget: &mut Budget,
) -> Result<Built, Refusal> {
    let mut sizes = sizes.clone();
    sizes.grow_to(system.sig.sorts.len(), || 0);
    sizes[SortId::BOOL] = 2;
    let sizes = &sizes;
    // Edges have 32 bits.
    let options = &Options { max_nodes: options.max_nodes.min(1 << 29), ..options.clone() };
    for sort in system.sig.sorts.ids() {
        if sizes.get(sort).is_none_or(|&size| size == 0) {
            return Err(Refusal::NoElement(system.sig.sorts[sort].name.clone()));
        }
    }
    let definitions = Definitions::new(system);
    let Vocabulary { sig, terms, transitions } = Vocabulary::new(system, options.part);
    let is_stored = |sym: SymId| match sig.symbols[sym].kind {
        SymbolKind::Immutable | SymbolKind::Mutable => true,
        SymbolKind::Derived => definitions.get(sym).is_none(),
        SymbolKind::Parameter | SymbolKind::Choice => false,
    };
    let layout = Layout::new(&sig, sizes, options.encoding, is_stored)
        .map_err(|sym| Refusal::TooLarge(format!("the tuples of `{}`", sig.symbols[sym].name)))?;
    let syntax = terms.over(&sig);
    let forever = forever(system, options.part);
    let fixed = {
        let mut expander = Expander::new(syntax, sizes, &definitions, options.max_nodes, budget);
        fix(&mut expander, &layout, &forever, system.axioms.len(), options)?
    };
    let mut expander = Expander::new(syntax, sizes, &definitions, options.max_nodes, budget);
    let mut latches = Vec::new();
    let mut kinds = vec![None];
    let mut bits = Vec::new();
    for (at, (atom, known)) in layout.atoms.iter().zip(&fixed.known).enumerate() {
        bits.push(match known {
            Some(value) => Edge::FALSE.negated_if(*value),
            None => {
                latches.push(LatchKind::Bit(at));
                let is_immutable = sig.symbols[atom.sym].kind == SymbolKind::Immutable;
                kinds.push(Some(if is_immutable { Leaf::Immutable } else { Leaf::Mutable(at) }));
                expander.graph.leaf()
            }
        });
    }
    for sym in sig.symbols.ids().filter(|&sym| layout.start(sym).is_some()) {
        let table = layout.table(&sig, &mut expander.graph, sym, &bits);
        expander.set_now(sym, table);
    }
    kinds.resize(expander.graph.len(), None);
    let builder = Builder {
        system,
        options,
        sig: &sig,
        layout: &layout,
        expander,
        fixed: &fixed,
        bits,
        latches,
        kinds,
        inputs: Vec::new(),
        slots: Map::default(),
        next: Map::default(),
        constraints: Vec::new(),
        is_started: Edge::TRUE,
        updates: Map::default(),
    };
    let (circuit, latches, inputs) = builder.run(&transitions)?;
    let immutable = latches.iter().enumerate().filter(|(_, kind)| match kind {
        LatchKind::Bit(at) => sig.symbols[layout.atoms[*at].sym].kind == SymbolKind::Immutable,
        LatchKind::Started => false,
    });
    let immutable = immutable.map(|(latch, _)| latch).collect();
    let targets = options.targets.iter().map(|(name, _)| name.clone()).collect();
    Ok(Built { definitions, layout, fixed, circuit, latches, inputs, immutable, targets })
}

/// Returns whether a formula is about immutable symbols alone.
pub fn is_immutable(system: &System, formula: TermId) -> bool {
    system.terms.symbols(formula).iter().all(|&sym| system.sig.symbols[sym].kind == SymbolKind::Immutable)
}

/// Returns the formulas about immutable symbols alone that hold in all structures of interest, each with its name.
fn forever(system: &System, part: Part) -> Vec<(TermId, String)> {
    let axioms = system.axioms.iter().map(|axiom| (axiom.formula, name_of("axiom", axiom.name.as_deref())));
    let inits = system.inits.iter().filter(|init| part == Part::Loop && is_immutable(system, init.formula));
    let inits = inits.map(|init| (init.formula, name_of("initial condition", init.name.as_deref())));
    axioms.chain(inits).collect()
}

fn name_of(kind: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{kind} `{name}`"),
        None => format!("an {kind}"),
    }
}

/// A circuit in the making.
struct Builder<'a> {
    system: &'a System,
    options: &'a Options,
    sig: &'a Signature,
    layout: &'a Layout,
    expander: Expander<'a>,
    fixed: &'a Fixed,
    /// The bits of the state.
    bits: Vec<Edge>,
    latches: Vec<LatchKind>,
    /// What leaves stand for, by node.
    kinds: Vec<Option<Leaf>>,
    inputs: Vec<(Edge, Input)>,
    /// Values of parameters, by place.
    slots: Map<(SortId, usize), Value>,
    /// Values of symbols that inputs choose for the next state.
    next: Map<SymId, Table>,
    constraints: Vec<Edge>,
    /// Whether the first state was reached.
    is_started: Edge,
    /// For each symbol, new values of its bits, each with the condition that they are taken.
    updates: Map<SymId, Vec<(Edge, Vec<Edge>)>>,
}

impl Builder<'_> {
    fn run(mut self, transitions: &[Prepared]) -> Result<(Circuit, Vec<LatchKind>, Vec<Input>), Refusal> {
        self.choices();
        let always = self.state_constraints()?;
        let values = self.initial(&always)?;
        // Before the first state, symbols that never change have values as well, which choose that state.
        let is_immutable = immutable(&self.expander.graph, &|node| self.kinds.get(node).copied().flatten());
        for edge in always {
            let is_kept = is_immutable[edge.node()];
            let edge = if is_kept { edge } else { self.expander.graph.or(!self.is_started, edge) };
            self.constraints.push(edge);
        }
        self.transitions(transitions)?;
        let bad = self.bad()?;
        let nexts = self.next_values()?;
        let latches = self.latches.iter().zip(nexts).map(|(kind, next)| match *kind {
            LatchKind::Bit(at) => {
                let is_immutable = self.kinds[self.bits[at].node()] == Some(Leaf::Immutable);
                let reset = if is_immutable { None } else { values[at] };
                (self.bits[at], Latch { next, reset })
            }
            LatchKind::Started => (self.is_started, Latch { next: Edge::TRUE, reset: Some(false) }),
        });
        let latches: Vec<(Edge, Latch)> = latches.collect();
        self.constraints.sort_unstable();
        self.constraints.dedup();
        self.constraints.retain(|&edge| edge != Edge::TRUE);
        let inputs = self.inputs.iter().map(|&(leaf, _)| leaf);
        let circuit = Circuit::new(&self.expander.graph, inputs, &latches, &bad, &self.constraints);
        let circuit = circuit.ok_or_else(|| Refusal::TooLarge("the number of gates".into()))?;
        Ok((circuit, self.latches, self.inputs.into_iter().map(|(_, input)| input).collect()))
    }

    fn input(&mut self, input: Input) -> Edge {
        let leaf = self.expander.graph.leaf();
        self.kinds.resize(leaf.node(), None);
        self.kinds.push(Some(Leaf::Input));
        self.inputs.push((leaf, input));
        leaf
    }

    /// Returns a value of a sort that inputs choose.
    fn chosen(&mut self, sort: SortId, input: impl Fn(u32) -> Input) -> Value {
        let size = self.layout.sizes[sort];
        let bits: Vec<Edge> = (0..bits_for(size)).map(|bit| self.input(input(bit))).collect();
        match sort {
            SortId::BOOL => Value::Formula(bits.first().copied().unwrap_or(Edge::FALSE)),
            _ => Value::Term(row_of(&mut self.expander.graph, &bits, size)),
        }
    }

    /// Makes inputs for the choices of commands.
    fn choices(&mut self) {
        for sym in self.sig.symbols.ids().filter(|&sym| self.sig.symbols[sym].kind == SymbolKind::Choice) {
            let symbol = &self.sig.symbols[sym];
            let values: Vec<Value> = tuples(&self.layout.sizes, &symbol.args)
                .map(|args| self.chosen(symbol.result, |bit| Input::Choice(sym, args.as_slice().into(), bit)))
                .collect();
            self.expander.set_now(sym, values.into());
        }
    }

    /// Returns the values of a symbol that inputs choose for the next state.
    fn free_table(&mut self, sym: SymId) -> Result<Table, Refusal> {
        if let Some(table) = self.next.get(&sym) {
            return Ok(Table::clone(table));
        }
        let symbol = &self.sig.symbols[sym];
        let mut values = Vec::new();
        for args in tuples(&self.layout.sizes, &symbol.args) {
            let value = self.chosen(symbol.result, |bit| Input::Next(sym, args.as_slice().into(), bit));
            values.push(value);
            self.check(|| format!("the next values of `{}`", symbol.name))?;
        }
        let table: Table = values.into();
        self.next.insert(sym, Table::clone(&table));
        Ok(table)
    }

    fn check(&self, what: impl Fn() -> String) -> Result<(), Refusal> {
        check_size(&self.expander.graph, self.options.max_nodes).map_err(|stop| stop.at(what()))
    }

    /// Returns what holds in all states.
    fn state_constraints(&mut self) -> Result<Vec<Edge>, Refusal> {
        if self.fixed.is_empty {
            return Ok(vec![Edge::FALSE]);
        }
        let mut edges = functional(&mut self.expander, self.layout, |_| true);
        for (formula, name) in forever(self.system, self.options.part) {
            edges.push(self.formula(formula, 0, &name)?);
        }
        let breaks = break_edges(&mut self.expander, &self.fixed.breaks);
        edges.extend(breaks.map_err(|stop| stop.at("the axioms"))?);
        let derived = self.system.derived.iter().enumerate();
        for (index, derived) in derived.filter(|_| self.options.part == Part::Loop) {
            if !self.expander.definitions.is_definition(index) {
                edges.push(self.formula(derived.axiom, 0, &format!("axiom `{}`", derived.label))?);
            }
        }
        Ok(edges)
    }

    fn formula(&mut self, formula: TermId, base: u16, what: &str) -> Result<Edge, Refusal> {
        self.expander.formula(formula, base).map_err(|stop| stop.at(what))
    }

    /// Constrains initial states. Returns the values of bits at reset.
    fn initial(&mut self, always: &[Edge]) -> Result<Vec<Option<bool>>, Refusal> {
        let mut values = vec![None; self.bits.len()];
        if self.options.part == Part::BeforeInit {
            return Ok(values);
        }
        let mut conditions = Vec::new();
        for init in &self.system.inits {
            if self.options.inductive && is_immutable(self.system, init.formula) {
                // It is among what holds in all states.
                continue;
            }
            let what = name_of("initial condition", init.name.as_deref());
            conditions.push(self.formula(init.formula, 0, &what)?);
        }
        self.kinds.resize(self.expander.graph.len(), None);
        let kinds = &self.kinds;
        let leaf = |node: usize| kinds.get(node).copied().flatten();
        let Initial { values: found, others } = analyze(&mut self.expander.graph, &conditions, always, &leaf);
        for (bit, value) in found {
            values[bit] = Some(value);
        }
        if others.iter().all(|&(_, is_immutable)| is_immutable && !self.options.inductive) {
            self.constraints.extend(others.into_iter().map(|(edge, _)| edge));
            return Ok(values);
        }
        self.first_step(&values)?;
        Ok(vec![Some(false); self.bits.len()])
    }

    /// Adds the step that leads to the first state. `values` are known of that state.
    fn first_step(&mut self, values: &[Option<bool>]) -> Result<(), Refusal> {
        self.is_started = self.expander.graph.leaf();
        self.latches.push(LatchKind::Started);
        let mut world: World = IdVec::filled(self.sig.symbols.len(), None);
        for sym in self.sig.symbols.ids() {
            match self.sig.symbols[sym].kind {
                SymbolKind::Choice => world[sym] = self.expander.table(0, sym).cloned(),
                SymbolKind::Mutable | SymbolKind::Derived => {
                    let Some(start) = self.layout.start(sym) else { continue };
                    let free = self.free_table(sym)?;
                    let mut bits = Vec::new();
                    for value in free.iter() {
                        bits.extend(self.layout.bits(&mut self.expander.graph, value));
                    }
                    for (bit, known) in bits.iter_mut().zip(&values[start..]) {
                        if let Some(value) = *known {
                            // The input that chooses another value contradicts the initial conditions.
                            let right = bit.negated_if(!value);
                            let right = self.expander.graph.or(self.is_started, right);
                            let is_relation = self.sig.symbols[sym].is_relation();
                            if !is_relation {
                                self.constraints.push(right);
                            }
                            *bit = Edge::FALSE.negated_if(value);
                        }
                    }
                    let mut padded = vec![Edge::FALSE; start];
                    padded.extend(&bits);
                    world[sym] = Some(self.layout.table(self.sig, &mut self.expander.graph, sym, &padded));
                    self.updates.entry(sym).or_default().push((!self.is_started, bits));
                }
                SymbolKind::Immutable | SymbolKind::Parameter => {}
            }
        }
        self.expander.set_next(world);
        for init in &self.system.inits {
            let what = name_of("initial condition", init.name.as_deref());
            let edge = self.formula(init.formula, 1, &what)?;
            let edge = self.expander.graph.or(self.is_started, edge);
            self.constraints.push(edge);
        }
        Ok(())
    }

    fn transitions(&mut self, transitions: &[Prepared]) -> Result<(), Refusal> {
        let count = bits_for(transitions.len() as u32 + 1);
        let selector: Vec<Edge> = (0..count).map(|bit| self.input(Input::Selector(bit))).collect();
        for (index, prepared) in transitions.iter().enumerate() {
            let is_chosen = matches(&mut self.expander.graph, &selector, index as u32 + 1);
            let is_chosen = self.expander.graph.and(is_chosen, self.is_started);
            let what = format!("transition `{}`", self.system.transitions[index].name);
            self.transition(prepared, is_chosen, &what)?;
        }
        Ok(())
    }

    fn transition(&mut self, prepared: &Prepared, is_chosen: Edge, what: &str) -> Result<(), Refusal> {
        for &(sym, place) in &prepared.params {
            let value = match self.slots.get(&place) {
                Some(value) => value.clone(),
                None => {
                    let value = self.chosen(place.0, |bit| Input::Parameter(place.0, place.1, bit));
                    self.slots.insert(place, value.clone());
                    value
                }
            };
            self.expander.set_now(sym, [value].into());
        }
        let mut required = Vec::new();
        for &guard in &prepared.action.guard {
            required.push(self.formula(guard, 0, what)?);
        }
        let mut world: World = IdVec::filled(self.sig.symbols.len(), None);
        let mut defined = Vec::new();
        for (sym, symbol) in self.sig.symbols.iter_enumerated() {
            if !matches!(symbol.kind, SymbolKind::Mutable | SymbolKind::Derived) {
                continue;
            }
            let is_stored = self.layout.start(sym).is_some();
            let table = match prepared.action.update(sym) {
                Update::Unchanged => self.all_now(sym, what)?,
                Update::Free if !is_stored => continue,
                Update::Free => self.free_table(sym)?,
                Update::Definition { vars, value } => {
                    let mut values = Vec::new();
                    for args in tuples(&self.layout.sizes, &symbol.args) {
                        let value = self.expander.value_at(*value, vars, &args);
                        values.push(value.map_err(|stop| stop.at(what))?);
                    }
                    values.into()
                }
            };
            if !is_stored {
                defined.push((sym, table));
                continue;
            }
            if !matches!(prepared.action.update(sym), Update::Unchanged) {
                let mut bits = Vec::new();
                for value in table.iter() {
                    bits.extend(self.layout.bits(&mut self.expander.graph, value));
                }
                self.updates.entry(sym).or_default().push((is_chosen, bits));
            }
            world[sym] = Some(table);
        }
        self.expander.set_next(world);
        for &residual in &prepared.action.residual {
            required.push(self.formula(residual, 0, what)?);
        }
        // What the transition says of a defined relation has to fit its definition.
        for (sym, table) in defined {
            let args = tuples(&self.layout.sizes, &self.sig.symbols[sym].args);
            for (args, value) in args.zip(table.iter()) {
                let next = self.expander.lookup(sym, 1, &args).map_err(|stop| stop.at(what))?;
                required.push(self.expander.equal(&next, value).map_err(|stop| stop.at(what))?);
            }
        }
        let required = self.expander.graph.all(required);
        let constraint = self.expander.graph.or(!is_chosen, required);
        self.constraints.push(constraint);
        self.check(|| what.to_owned())
    }

    /// Returns the values of a symbol in the current state.
    fn all_now(&mut self, sym: SymId, what: &str) -> Result<Table, Refusal> {
        if let Some(table) = self.expander.table(0, sym) {
            return Ok(Table::clone(table));
        }
        let args = tuples(&self.layout.sizes, &self.sig.symbols[sym].args);
        let values: Result<Vec<Value>, Stop> = args.map(|args| self.expander.lookup(sym, 0, &args)).collect();
        Ok(values.map_err(|stop| stop.at(what))?.into())
    }

    /// Returns, for each target, that it is violated.
    fn bad(&mut self) -> Result<Vec<Edge>, Refusal> {
        let mut bad = Vec::new();
        for (name, target) in &self.options.targets {
            let holds = self.formula(*target, 0, &format!("property `{name}`"))?;
            bad.push(self.expander.graph.and(self.is_started, !holds));
        }
        let definitions = self.expander.definitions;
        for definition in definitions.iter().filter(|_| self.options.definitions) {
            let symbol = &self.sig.symbols[definition.sym];
            for args in tuples(&self.layout.sizes, &symbol.args) {
                let what = || format!("`{}`", symbol.name);
                match self.expander.lookup(definition.sym, 0, &args).map_err(|stop| stop.at(what()))? {
                    Value::Formula(edge) => bad.push(edge),
                    Value::Term(_) => return Err(Refusal::Unexpected(what())),
                }
            }
        }
        Ok(bad)
    }

    /// Returns the next value of each latch.
    fn next_values(&mut self) -> Result<Vec<Edge>, Refusal> {
        let mut nexts = Vec::new();
        for kind in self.latches.clone() {
            let LatchKind::Bit(at) = kind else {
                nexts.push(Edge::TRUE);
                continue;
            };
            let sym = self.layout.atoms[at].sym;
            let within = at - self.layout.start(sym).unwrap_or(0);
            let mut values: Vec<(Edge, Edge)> = Vec::new();
            let mut is_changed = Edge::FALSE;
            let graph = &mut self.expander.graph;
            for (condition, bits) in self.updates.get(&sym).map_or(&[][..], Vec::as_slice) {
                let Some(&new) = bits.get(within) else { continue };
                is_changed = graph.or(is_changed, *condition);
                match values.iter_mut().find(|(value, _)| *value == new) {
                    Some((_, either)) => *either = graph.or(*either, *condition),
                    None => values.push((new, *condition)),
                }
            }
            let kept = graph.and(!is_changed, self.bits[at]);
            let taken: Vec<Edge> =
                values.into_iter().map(|(value, condition)| graph.and(value, condition)).collect();
            nexts.push(any(graph, taken.into_iter().chain([kept])));
            self.check(|| format!("the next values of `{}`", self.sig.symbols[sym].name))?;
        }
        Ok(nexts)
    }
}

/// Returns the element that bits of an input stand for, where too large numbers stand for the last element.
pub(super) fn decoded(bits: u32, size: u32) -> Elem {
    bits.min(size.saturating_sub(1))
}
