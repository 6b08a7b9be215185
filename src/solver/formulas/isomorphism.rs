//! States up to the names of their elements: a canonical form, and the formula of all other states.
//!
//! The canonical form is found by partition refinement and individualization (McKay, "Practical graph isomorphism",
//! 1981). Elements have colours; the colour of an element is refined by the colours in the facts about it until
//! nothing changes. Where a colour has several elements, each of them in turn gets a colour of its own. Of the
//! numberings at the leaves of this search, the one with the least facts is the canonical form. Elements that an
//! automorphism takes to one that was tried before are left out. Elements the exchange of which changes nothing are
//! numbered all at once.

use std::ops::Range;

use super::partial::Partial;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::SyntaxMut;
use ramsey_core::logic::sig::{Signature, SortId, SymId};
use ramsey_core::logic::structure::{Elem, Structure};
use ramsey_core::logic::term::{TermId, VarId};

/// A state up to the names of its elements: two states have the same form if and only if they are isomorphic.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Canonical {
    /// The size of each sort.
    sizes: Vec<u32>,
    /// The true tuples of relations and the graphs of functions, sorted; elements are numbered through all sorts.
    facts: Vec<(usize, Vec<usize>)>,
}

impl Canonical {
    /// Returns the canonical form of state `step` of a structure, in which the given symbols count.
    ///
    /// # Errors
    /// Returns an error if the budget runs out. A state with many elements that no fact tells apart, and that are not
    /// interchangeable either, can take exponential time.
    pub fn of_state(
        sig: &Signature,
        structure: &Structure,
        step: usize,
        symbols: &[SymId],
        budget: &mut Budget,
    ) -> Result<Canonical, Exhausted> {
        let state = State::new(sig, structure, step..step + 1, symbols, budget)?;
        let mut search =
            Search { state: &state, best: None, automorphisms: Vec::new(), path: Vec::new(), budget };
        let mut colours = state.sorts.clone();
        search.refine(&mut colours)?;
        search.visit(colours)?;
        let facts = search.best.map(|best| best.facts).unwrap_or_default();
        let sizes = sig.uninterpreted_sorts().map(|sort| structure.sizes[sort]).collect();
        Ok(Canonical { sizes, facts })
    }
}

/// Returns the elements of each sort in an order that depends on ranks and facts alone, not on their names: first by
/// rank, then by a canonical numbering of all states together.
///
/// # Errors
/// Returns an error if the budget runs out.
pub fn canonical_order(
    sig: &Signature,
    structure: &Structure,
    ranks: &IdVec<SortId, Vec<u32>>,
    budget: &mut Budget,
) -> Result<IdVec<SortId, Vec<Elem>>, Exhausted> {
    let symbols: Vec<SymId> = sig.symbols.ids().collect();
    let mut state = State::new(sig, structure, 0..structure.states().max(1), &symbols, budget)?;
    let mut elements: Vec<(SortId, Elem)> = Vec::new();
    for sort in sig.uninterpreted_sorts() {
        elements.extend((0..structure.sizes[sort]).map(|elem| (sort, elem)));
    }
    let mut keys: Vec<(SortId, u32)> =
        elements.iter().map(|&(sort, elem)| (sort, ranks[sort][elem as usize])).collect();
    let all = keys.clone();
    keys.sort_unstable();
    keys.dedup();
    state.sorts = all.iter().map(|key| keys.partition_point(|other| other < key)).collect();
    let mut colours = state.sorts.clone();
    let mut search =
        Search { state: &state, best: None, automorphisms: Vec::new(), path: Vec::new(), budget };
    search.refine(&mut colours)?;
    search.visit(colours)?;
    let mut order: IdVec<SortId, Vec<Elem>> = IdVec::filled(sig.sorts.len(), Vec::new());
    for element in search.best.map(|best| best.elements).unwrap_or_default() {
        let (sort, elem) = elements[element];
        order[sort].push(elem);
    }
    Ok(order)
}

/// A fact: the index of its symbol, different in each state, and its elements.
type Tuple = (usize, Vec<usize>);

/// A state as a coloured hypergraph. Elements are numbered through all sorts.
struct State {
    /// By element: the number of its sort.
    sorts: Vec<usize>,
    /// Sorted.
    facts: Vec<Tuple>,
    /// By element: the indices of the facts about it, each with the place of the element there.
    places: Vec<Vec<(usize, usize)>>,
}

impl State {
    fn new(
        sig: &Signature,
        structure: &Structure,
        steps: Range<usize>,
        symbols: &[SymId],
        budget: &mut Budget,
    ) -> Result<State, Exhausted> {
        let mut sorts = Vec::new();
        let mut first: IdVec<SortId, usize> = IdVec::filled(sig.sorts.len(), 0);
        for sort in sig.uninterpreted_sorts() {
            first[sort] = sorts.len();
            sorts.resize(sorts.len() + structure.sizes[sort] as usize, sort.index());
        }
        let mut facts: Vec<Tuple> = Vec::new();
        let of_sym = |&sym: &SymId| {
            let count = if sig.symbols[sym].kind.is_mutable() { steps.len() } else { 1 };
            steps.clone().take(count).map(move |step| (sym, step))
        };
        for (sym, step) in symbols.iter().flat_map(of_sym) {
            let symbol = &sig.symbols[sym];
            let meaning = structure.interpretation(sig, sym, step);
            let key = sym.index() + (step - steps.start) * sig.symbols.len();
            for args in structure.tuples(&symbol.args) {
                budget.spend(1)?;
                let value = meaning.get(&args);
                let number = |(&sort, &elem): (&SortId, &Elem)| {
                    // Values of sort bool have no other names.
                    if sort == SortId::BOOL {
                        sorts.len() + elem as usize
                    } else {
                        first[sort] + elem as usize
                    }
                };
                let mut tuple: Vec<usize> = symbol.args.iter().zip(&args).map(number).collect();
                if !symbol.is_relation() {
                    tuple.push(number((&symbol.result, &value)));
                } else if value == 0 {
                    continue;
                }
                facts.push((key, tuple));
            }
        }
        facts.sort_unstable();
        let mut places = vec![Vec::new(); sorts.len()];
        for (at, (_, tuple)) in facts.iter().enumerate() {
            for (place, &element) in tuple.iter().enumerate() {
                if let Some(of_element) = places.get_mut(element) {
                    of_element.push((at, place));
                }
            }
        }
        Ok(State { sorts, facts, places })
    }

    /// Checks whether the facts stay the same when two elements are exchanged.
    fn is_exchangeable(&self, a: usize, b: usize) -> bool {
        if self.sorts[a] != self.sorts[b] || self.places[a].len() != self.places[b].len() {
            return false;
        }
        let exchange = |&element: &usize| match element {
            it if it == a => b,
            it if it == b => a,
            it => it,
        };
        // Facts about neither of them stay as they are.
        let mut about: Vec<usize> =
            self.places[a].iter().chain(&self.places[b]).map(|&(fact, _)| fact).collect();
        about.sort_unstable();
        about.dedup();
        let mut renamed: Vec<(usize, Vec<usize>)> = about
            .iter()
            .map(|&fact| (self.facts[fact].0, self.facts[fact].1.iter().map(exchange).collect()))
            .collect();
        renamed.sort_unstable();
        renamed.iter().zip(&about).all(|(renamed, &fact)| *renamed == self.facts[fact])
    }

    /// Returns the facts with other numbers for the elements, sorted.
    fn renamed(&self, number: &[usize]) -> Vec<Tuple> {
        let rename = |&element: &usize| number.get(element).copied().unwrap_or(element);
        let mut facts: Vec<Tuple> =
            self.facts.iter().map(|(sym, tuple)| (*sym, tuple.iter().map(rename).collect())).collect();
        facts.sort_unstable();
        facts
    }

    fn size(&self) -> u64 {
        (self.sorts.len() + self.facts.iter().map(|(_, tuple)| 1 + tuple.len()).sum::<usize>()) as u64
    }
}

/// The best leaf of the search.
struct Leaf {
    facts: Vec<Tuple>,
    /// By number: the element.
    elements: Vec<usize>,
}

struct Search<'a> {
    state: &'a State,
    best: Option<Leaf>,
    /// Permutations of the elements that preserve all facts.
    automorphisms: Vec<Vec<usize>>,
    /// The elements with a colour of their own by choice.
    path: Vec<usize>,
    budget: &'a mut Budget,
}

impl Search<'_> {
    /// Refines the colours until elements of one colour occur equally in facts. Colours are numbers without gaps, in
    /// an order that does not depend on the names of elements and continues the one before.
    fn refine(&mut self, colours: &mut Vec<usize>) -> Result<(), Exhausted> {
        let mut known = compress(colours);
        loop {
            self.budget.spend(self.state.size())?;
            let signature = |element: usize| {
                let seen = |&(at, place): &(usize, usize)| {
                    let (sym, tuple) = &self.state.facts[at];
                    let colour = |&other: &usize| (colours.get(other).copied(), other == element);
                    (*sym, place, tuple.iter().map(colour).collect::<Vec<_>>())
                };
                let mut seen: Vec<_> = self.state.places[element].iter().map(seen).collect();
                seen.sort_unstable();
                (colours[element], seen)
            };
            let signatures: Vec<_> = (0..colours.len()).map(signature).collect();
            let mut order: Vec<usize> = (0..colours.len()).collect();
            order.sort_unstable_by(|&a, &b| signatures[a].cmp(&signatures[b]));
            let mut refined = vec![0; colours.len()];
            let mut last = 0;
            for (at, &element) in order.iter().enumerate() {
                if at > 0 && signatures[order[at - 1]] != signatures[element] {
                    last += 1;
                }
                refined[element] = last;
            }
            *colours = refined;
            if last < known {
                return Ok(());
            }
            known = last + 1;
        }
    }

    fn visit(&mut self, colours: Vec<usize>) -> Result<(), Exhausted> {
        let Some(cell) = first_open_cell(&colours) else { return self.leaf(&colours) };
        if self.are_exchangeable(&cell)? {
            // All ways to number them lead to the same facts.
            let count = cell.len();
            let mut finer: Vec<usize> = colours.iter().map(|colour| count * colour).collect();
            cell.iter().enumerate().for_each(|(at, &element)| finer[element] += at);
            self.refine(&mut finer)?;
            self.path.extend(&cell);
            let answer = self.visit(finer);
            self.path.truncate(self.path.len() - count);
            return answer;
        }
        let mut tried: Vec<usize> = Vec::new();
        for &element in &cell {
            if self.is_equivalent(element, &tried)? {
                continue;
            }
            // The element comes before the others of its colour.
            let mut finer: Vec<usize> = colours.iter().map(|colour| 2 * colour + 1).collect();
            finer[element] -= 1;
            self.refine(&mut finer)?;
            self.path.push(element);
            let answer = self.visit(finer);
            self.path.pop();
            answer?;
            tried.push(element);
        }
        Ok(())
    }

    /// Checks whether all elements of a cell can be exchanged with each other.
    fn are_exchangeable(&mut self, cell: &[usize]) -> Result<bool, Exhausted> {
        let Some((&first, rest)) = cell.split_first() else { return Ok(true) };
        for &other in rest {
            self.budget.spend(1 + 2 * self.state.places[other].len() as u64)?;
            // That is an equivalence relation.
            if !self.state.is_exchangeable(first, other) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Checks whether a known automorphism that fixes the path takes one of the tried elements to this one, or else
    /// the exchange of the two is one.
    fn is_equivalent(&mut self, element: usize, tried: &[usize]) -> Result<bool, Exhausted> {
        let count = self.state.sorts.len();
        let mut orbit: Vec<usize> = (0..count).collect();
        for automorphism in &self.automorphisms {
            if self.path.iter().any(|&fixed| automorphism[fixed] != fixed) {
                continue;
            }
            for (from, &to) in automorphism.iter().enumerate() {
                let (a, b) = (root(&orbit, from), root(&orbit, to));
                orbit[a.max(b)] = a.min(b);
            }
        }
        if tried.iter().any(|&other| root(&orbit, other) == root(&orbit, element)) {
            return Ok(true);
        }
        for &other in tried {
            self.budget.spend(1 + 2 * self.state.places[other].len() as u64)?;
            if self.state.is_exchangeable(element, other) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Compares a numbering, in which each element has a colour of its own, with the best one.
    fn leaf(&mut self, number: &[usize]) -> Result<(), Exhausted> {
        self.budget.spend(self.state.size())?;
        let facts = self.state.renamed(number);
        let mut elements = vec![0; number.len()];
        for (element, &number) in number.iter().enumerate() {
            elements[number] = element;
        }
        match &self.best {
            Some(best) if best.facts == facts => {
                let automorphism = number.iter().map(|&number| best.elements[number]).collect();
                self.automorphisms.push(automorphism);
            }
            Some(best) if best.facts < facts => {}
            _ => self.best = Some(Leaf { facts, elements }),
        }
        Ok(())
    }
}

/// Renumbers colours without gaps, and returns how many there are.
fn compress(colours: &mut [usize]) -> usize {
    let mut used = colours.to_vec();
    used.sort_unstable();
    used.dedup();
    for colour in colours {
        *colour = used.partition_point(|other| other < colour);
    }
    used.len()
}

/// Returns the elements of the first colour that has several, in order.
fn first_open_cell(colours: &[usize]) -> Option<Vec<usize>> {
    let mut count: Map<usize, usize> = Map::default();
    for &colour in colours {
        *count.entry(colour).or_default() += 1;
    }
    let open = colours.iter().copied().filter(|colour| count[colour] > 1).min()?;
    Some((0..colours.len()).filter(|&element| colours[element] == open).collect())
}

fn root(orbit: &[usize], mut element: usize) -> usize {
    while orbit[element] != element {
        element = orbit[element];
    }
    element
}

impl Partial {
    /// Returns the formula over step 0 that is false in exactly the states with universes of these sizes that contain
    /// the partial structure. Of all facts of a state and the sizes of its universes, it is false in exactly the
    /// isomorphic states. It is a universal formula or the existence of more elements, and so brings no new function
    /// between sorts into a search.
    pub fn other_states(&self, sizes: &IdVec<SortId, u32>, syntax: SyntaxMut<'_>) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        let mut cases = vec![self.conjecture(terms.over_mut(sig))];
        for sort in sig.uninterpreted_sorts() {
            let more: Vec<VarId> =
                (0..=sizes[sort]).map(|number| terms.new_var(format!("MORE{number}"), sort)).collect();
            let values: Vec<TermId> = more.iter().map(|&var| terms.var(var)).collect();
            let differ = terms.distinct(&values);
            cases.push(terms.exists(&more, differ));
        }
        terms.or(&cases)
    }
}
