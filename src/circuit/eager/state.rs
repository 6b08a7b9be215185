//! The state of an abstraction: latches for what is known of symbols at tracked constants.

use super::fact::{Fact, Input};
use super::refusal::Refusal;
use super::row::{Domain, Row, Value};
use super::vocabulary::Vocabulary;
use crate::hwmc::graph::{Edge, Graph};
use crate::transition::Update;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{SortId, SymId, TermId};

/// A latch in the making.
#[derive(Clone, Debug)]
pub(super) struct Latch {
    pub(super) leaf: Edge,
    pub(super) fact: Fact,
    /// The value in the next state. That of a latch without one is kept.
    pub(super) next: Option<Edge>,
    pub(super) reset: Option<bool>,
}

/// A symbol at a tuple of tracked constants.
pub(super) type Key = (SymId, Vec<usize>);

/// What latches say of a symbol at a tuple.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) value: Value,
    /// The latches, first the equations, then the comparisons.
    pub(super) latches: Vec<usize>,
}

/// An abstraction in the making.
pub(super) struct Builder<'a> {
    pub(super) vocabulary: &'a mut Vocabulary,
    pub(super) graph: Graph,
    pub(super) max_nodes: usize,
    /// The tracked constants by sort.
    pub(super) domains: IdVec<SortId, Domain>,
    /// The terms that quantifiers are instantiated by.
    pub(super) named: IdVec<SortId, Vec<TermId>>,
    pub(super) latches: Vec<Latch>,
    pub(super) inputs: Vec<(Edge, Input)>,
    /// What holds in each step by the theory of equality and order.
    pub(super) constraints: Vec<Edge>,
    /// Values of formulas, of terms, of equations, of comparisons.
    pub(super) formulas: Map<TermId, Edge>,
    pub(super) rows: Map<TermId, Row>,
    pub(super) equalities: Map<(TermId, TermId), Edge>,
    pub(super) comparisons: Map<(TermId, TermId), Edge>,
    /// Leaves for formulas of which nothing is known.
    pub(super) unknowns: Map<TermId, Edge>,
    pub(super) cells: Map<Key, Cell>,
    /// Cells of mutable symbols, in the order of their creation.
    pub(super) pending: Vec<Key>,
    /// How many of them have their next and initial values.
    pub(super) settled: usize,
    nexts: Map<Key, Value>,
    /// For each transition, whether it is taken.
    pub(super) taken: Vec<Edge>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(vocabulary: &'a mut Vocabulary, max_nodes: usize) -> Builder<'a> {
        let sorts = vocabulary.sig.sorts.len();
        Builder {
            vocabulary,
            graph: Graph::new(),
            max_nodes,
            domains: IdVec::filled(sorts, Domain::default()),
            named: IdVec::filled(sorts, Vec::new()),
            latches: Vec::new(),
            inputs: Vec::new(),
            constraints: Vec::new(),
            formulas: Map::default(),
            rows: Map::default(),
            equalities: Map::default(),
            comparisons: Map::default(),
            unknowns: Map::default(),
            cells: Map::default(),
            pending: Vec::new(),
            settled: 0,
            nexts: Map::default(),
            taken: Vec::new(),
        }
    }

    pub(super) fn check_size(&self) -> Result<(), Refusal> {
        if self.graph.len() > self.max_nodes { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    pub(super) fn input(&mut self, input: Input) -> Edge {
        let leaf = self.graph.leaf();
        self.inputs.push((leaf, input));
        leaf
    }

    pub(super) fn latch(&mut self, fact: Fact) -> Edge {
        let leaf = self.graph.leaf();
        self.latches.push(Latch { leaf, fact, next: None, reset: None });
        leaf
    }

    /// Returns the domain of the sort of a term.
    pub(super) fn domain_of(&self, term: TermId) -> &Domain {
        self.domain(self.vocabulary.terms.sort(term))
    }

    /// Returns the row of a term if it is a tracked constant.
    pub(super) fn tracked_row(&self, term: TermId) -> Option<Row> {
        let domain = self.domain_of(term);
        domain.rows.get(*domain.places.get(&term)?).cloned()
    }

    /// Returns the terms that variables of a sort are instantiated by.
    pub(super) fn named(&self, sort: SortId) -> &[TermId] {
        &self.named[sort]
    }

    /// Returns the tracked constants of a sort; for `bool`, its values.
    pub(super) fn tracked(&self, sort: SortId) -> Vec<TermId> {
        if sort == SortId::BOOL { self.named[sort].clone() } else { self.domain(sort).constants.clone() }
    }

    /// Returns the value of a symbol at a tuple of tracked constants in a step.
    pub(super) fn at(&mut self, sym: SymId, step: u16, tuple: &[usize]) -> Result<Value, Refusal> {
        let is_mutable = self.vocabulary.sig.symbols[sym].kind.is_mutable();
        if step == 1 && is_mutable {
            return self.next(&(sym, tuple.to_vec()));
        }
        Ok(self.cell(&(sym, tuple.to_vec())).value)
    }

    /// Returns the term of a symbol at a tuple of tracked constants.
    pub(super) fn term_at(&mut self, (sym, tuple): &Key, step: u16) -> TermId {
        let sorts = &self.vocabulary.sig.symbols[*sym].args;
        let constants = sorts.iter().zip(tuple).map(|(&sort, &place)| self.domains[sort].constants[place]);
        let constants: Vec<TermId> = constants.collect();
        self.vocabulary.terms.app(&self.vocabulary.sig, *sym, step, &constants)
    }

    pub(super) fn cell(&mut self, key: &Key) -> Cell {
        if let Some(cell) = self.cells.get(key) {
            return cell.clone();
        }
        let term = self.term_at(key, 0);
        let cell = match self.vocabulary.terms.sort(term) {
            SortId::BOOL => {
                let at = self.latches.len();
                Cell { value: Value::Formula(self.latch(Fact::Truth(term))), latches: vec![at] }
            }
            _ => {
                let (row, latches) = self.latch_row(term);
                Cell { value: Value::Term(row), latches }
            }
        };
        self.cells.insert(key.clone(), cell.clone());
        if self.vocabulary.sig.symbols[key.0].kind.is_mutable() {
            self.pending.push(key.clone());
        }
        cell
    }

    /// Returns the value of a symbol at a tuple of tracked constants in the next state.
    pub(super) fn next(&mut self, key: &Key) -> Result<Value, Refusal> {
        if let Some(value) = self.nexts.get(key) {
            return Ok(value.clone());
        }
        let mut value = self.cell(key).value;
        // What every transition leaves open is one unknown, since only one transition is taken.
        let mut free: Option<Value> = None;
        for index in 0..self.taken.len() {
            let taken = self.taken[index];
            if taken == Edge::FALSE {
                continue;
            }
            let update = self.vocabulary.actions[index].update(key.0).clone();
            let new = match update {
                Update::Unchanged => continue,
                Update::Definition { vars, value } => {
                    let sorts = self.vocabulary.sig.symbols[key.0].args.clone();
                    let constants =
                        sorts.iter().zip(&key.1).map(|(&sort, &place)| self.domains[sort].constants[place]);
                    let map = vars.iter().copied().zip(constants).collect();
                    let value = self.vocabulary.terms.substitute(value, &map);
                    self.value(value)?
                }
                Update::Free => match &free {
                    Some(free) => free.clone(),
                    None => {
                        let term = self.term_at(key, 1);
                        let value = self.unknown_value(term);
                        free = Some(value.clone());
                        value
                    }
                },
            };
            value = self.choose(taken, &new, &value)?;
        }
        self.nexts.insert(key.clone(), value.clone());
        Ok(value)
    }

    /// Returns the edges of a value in the order of the latches of a cell.
    pub(super) fn edges(value: &Value, domain: Option<&Domain>) -> Vec<Edge> {
        match value {
            Value::Formula(edge) => vec![*edge],
            Value::Term(row) => {
                // The least element has no latch for what is below it.
                let order = domain.and_then(|domain| domain.order);
                let constants = domain.map(|domain| domain.constants.as_slice()).unwrap_or_default();
                let below = row.below.iter().zip(constants);
                let below = below.filter(|(_, constant)| order.and_then(|it| it.least) != Some(**constant));
                row.at.iter().copied().chain(below.map(|(&edge, _)| edge)).collect()
            }
        }
    }
}
