//! Counterexamples about numbers: whether a finite structure is part of one with all of them.
//!
//! A sort may stand for a large set of numbers or texts ([`Universe`]). A claim that is false in a small structure can be true of the
//! whole set: that there is a greater number, say. So the structure is extended by what it lacks: numbers between two numerals, and up
//! to the ends of a range, or where there is no end numbers behind all others, and of integers also before them. All new ones are alike: relations and functions have the
//! values at them that they have at one of the elements that there are, or relations are false. Of this structure the
//! formulas are evaluated, by as many of its numbers as they can tell apart.
//!
//! How many these are follows from the game of Ehrenfeucht and Fraïssé on orders. Call two distances *alike from `t` on* if they are
//! equal, or both at least `t`. A formula without quantifiers tells orders of elements apart: `t` is 1. Before a quantifier of `k`
//! variables, whose body tells apart distances below `t`, it is `(k + 1) t`: of the `k + 1` parts of a distance, each shorter than
//! `t` is kept, and the longest ones make up for the others. So of an endless sequence a quantifier of `k` variables ranges over `k t`
//! elements more than those around it.

use super::unroll::Call;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{
    Elem, Interpretation, Node, Signature, SortId, Structure, SymId, Symbol, SymbolKind, SymbolOrigin,
    Syntax, TermId, Terms, Tuples, Universe, VarId,
};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Relaxed;
use ramsey_kernel::obligations::plain::step_formula;
use ramsey_solver::ask::holds;

/// Maximum number of new elements of a sort.
const MAX_NEW: usize = 256;
/// Maximum number of new argument tuples of a symbol.
const MAX_TUPLES: u64 = 1 << 17;
/// Maximum number of extensions that are tried by elements that the new ones are like.
const MAX_TRIED: usize = 48;
/// Work units for the evaluation of all extensions.
const WORK: u64 = 20_000_000;

/// A formula with its value in a counterexample.
#[derive(Clone, Debug)]
pub(crate) struct Valued {
    /// The formula.
    pub(crate) formula: TermId,
    /// Its value.
    pub(crate) value: bool,
    /// Values of its free variables.
    pub(crate) env: Map<VarId, Elem>,
}

impl Valued {
    /// A closed formula with its value.
    pub(crate) fn closed(formula: TermId, value: bool) -> Valued {
        Valued { formula, value, env: Map::default() }
    }
}

/// Returns whether a signature has interpreted sorts.
fn has_interpreted(sig: &Signature) -> bool {
    sig.sorts.iter().any(|sort| sort.universe.is_some())
}

/// Checks whether an execution that ends in a violation of a property, a formula over step 0, is found to be part of one with all
/// elements of interpreted sorts. The part that leads to the initial states need not end in one.
///
/// # Errors
/// Returns [`Exhausted::Numbers`] if none is found, and another reason if the probe of the budget says to stop.
pub(crate) fn execution_extends(
    system: &System,
    (structure, calls): (&Structure, &[Call]),
    property: TermId,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let sig = &system.sig;
    // A relaxed execution is none of the model.
    if !has_interpreted(sig) || !Relaxed::activity(system).is_empty() {
        return Ok(());
    }
    let mut terms = system.terms.clone();
    let mut formulas: Vec<Valued> = Vec::new();
    let inits = system.inits.iter().map(|init| Valued::closed(init.formula, true));
    let mut work = budget.grace(WORK);
    formulas.extend(inits.filter(|it| it.is_true_in(system.syntax(), structure, &mut work)));
    formulas.extend(system.axioms.iter().map(|axiom| Valued::closed(axiom.formula, true)));
    for step in 0..=calls.len() as u16 {
        let derived = system.derived.iter();
        formulas.extend(derived.map(|it| Valued::closed(terms.shift(sig, it.axiom, step), true)));
    }
    for (step, call) in calls.iter().enumerate() {
        let transition = &system.transitions[call.transition];
        let body = step_formula(terms.over_mut(sig), transition);
        let formula = terms.shift(sig, body, step as u16);
        let env = transition.params.iter().copied().zip(call.args.iter().copied()).collect();
        formulas.push(Valued { formula, value: true, env });
    }
    formulas.push(Valued::closed(terms.shift(sig, property, calls.len() as u16), false));
    extends(terms.over(sig), structure, formulas, budget)
}

/// Checks whether a structure in which formulas have these values is found to be part of one with all elements of interpreted sorts, in
/// which they have them too.
///
/// # Errors
/// Returns [`Exhausted::Numbers`] if none is found, and another reason if the probe of the budget says to stop.
pub(crate) fn extends(
    syntax: Syntax<'_>,
    structure: &Structure,
    formulas: impl IntoIterator<Item = Valued>,
    budget: &Budget,
) -> Result<(), Exhausted> {
    if !has_interpreted(syntax.sig) {
        return Ok(());
    }
    let (mut sig, mut terms) = (syntax.sig.clone(), syntax.terms.clone());
    let mut guards = Guards::new(&sig);
    let mut open = Vec::new();
    for it in formulas {
        let formula = guards.guarded(&mut sig, &mut terms, it.formula);
        // A formula that quantifies over no interpreted sort has the value that it has.
        if formula != it.formula {
            open.push(Valued { formula, ..it });
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    let mut structure = structure.clone();
    structure.grow_to(&sig);
    let structure = &structure;
    let mut layouts = Vec::new();
    for (place, &sort) in guards.sorts.iter().enumerate() {
        match Layout::new(&sig, structure, sort, [guards.ranks[place], guards.beyond[place]]) {
            Some(layout) => layouts.push(layout),
            None => return Err(Exhausted::Numbers),
        }
    }
    let extension = Extension { sig: &sig, guards: &guards, structure, layouts: &layouts };
    let mut work = budget.grace(WORK);
    for likeness in extension.likenesses() {
        budget.check()?;
        let Some(extended) = extension.with(&likeness) else { break };
        let syntax = terms.over(&sig);
        if open.iter().all(|it| it.is_true_in(syntax, &extended, &mut work)) {
            return Ok(());
        }
    }
    Err(Exhausted::Numbers)
}

impl Valued {
    /// Returns whether the formula is found to have its value in another structure within the budget.
    fn is_true_in(&self, syntax: Syntax<'_>, structure: &Structure, budget: &mut Budget) -> bool {
        holds(syntax, structure, &self.env, self.formula, budget).is_ok_and(|value| value == self.value)
    }
}

/// Restricts quantifiers over interpreted sorts to elements that are enough of them.
struct Guards {
    /// The interpreted sorts. Vectors beside this one have a number for each.
    sorts: Vec<SortId>,
    /// The greatest distances told apart by a formula.
    ranks: Vec<usize>,
    /// The most elements beyond those of the structure over which a quantifier ranges.
    beyond: Vec<usize>,
    /// For an interpreted sort, the relation that is true of the elements of the structure, of those between numerals, and of so many
    /// beyond.
    relations: Map<(usize, usize), SymId>,
    /// The distances that subformulas tell apart.
    known: Map<TermId, Vec<usize>>,
    /// Subformulas, below quantifiers that range over so many elements beyond, with their guards.
    guarded: Map<(TermId, Vec<usize>), TermId>,
}

impl Guards {
    fn new(sig: &Signature) -> Guards {
        let sorts = sig.sorts.iter_enumerated().filter(|(_, sort)| sort.universe.is_some());
        let sorts: Vec<SortId> = sorts.map(|(sort, _)| sort).collect();
        Guards {
            ranks: vec![1; sorts.len()],
            beyond: vec![0; sorts.len()],
            sorts,
            relations: Map::default(),
            known: Map::default(),
            guarded: Map::default(),
        }
    }

    /// Returns the formula with guards of its quantifiers over interpreted sorts: the formula itself if it has none.
    fn guarded(&mut self, sig: &mut Signature, terms: &mut Terms, formula: TermId) -> TermId {
        let ranks = self.ranks_of(terms, formula);
        for (most, rank) in self.ranks.iter_mut().zip(ranks) {
            *most = (*most).max(rank);
        }
        let beyond = vec![0; self.sorts.len()];
        self.within(sig, terms, formula, &beyond)
    }

    /// Returns, for each interpreted sort, from which distance on all are alike to a formula.
    fn ranks_of(&mut self, terms: &Terms, term: TermId) -> Vec<usize> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let mut ranks = vec![1; self.sorts.len()];
        for child in terms.children(term) {
            for (most, rank) in ranks.iter_mut().zip(self.ranks_of(terms, child)) {
                *most = (*most).max(rank);
            }
        }
        if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term) {
            for (rank, count) in ranks.iter_mut().zip(self.counts(terms, terms.bound_vars(vars))) {
                *rank = rank.saturating_mul(count + 1);
            }
        }
        self.known.insert(term, ranks.clone());
        ranks
    }

    /// Counts the variables of each interpreted sort.
    fn counts(&self, terms: &Terms, vars: impl Iterator<Item = VarId>) -> Vec<usize> {
        let mut counts = vec![0; self.sorts.len()];
        for var in vars {
            let sort = terms.var_info(var).sort;
            if let Some(place) = self.sorts.iter().position(|&it| it == sort) {
                counts[place] += 1;
            }
        }
        counts
    }

    fn within(&mut self, sig: &mut Signature, terms: &mut Terms, term: TermId, beyond: &[usize]) -> TermId {
        let key = (term, beyond.to_vec());
        if let Some(&done) = self.guarded.get(&key) {
            return done;
        }
        let children: Vec<TermId> = terms.children(term).collect();
        let result = match terms.node(term) {
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let is_universal = matches!(terms.node(term), Node::Forall(..));
                let vars: Vec<VarId> = terms.bound_vars(vars).collect();
                let counts = self.counts(terms, vars.iter().copied());
                let ranks = self.ranks_of(terms, body);
                let mut inner = beyond.to_vec();
                for (place, (count, rank)) in counts.into_iter().zip(ranks).enumerate() {
                    inner[place] = inner[place].saturating_add(rank.saturating_mul(count));
                    self.beyond[place] = self.beyond[place].max(inner[place]);
                }
                let body = self.within(sig, terms, body, &inner);
                let mut parts = Vec::new();
                for &var in &vars {
                    let sort = terms.var_info(var).sort;
                    let Some(place) = self.sorts.iter().position(|&it| it == sort) else { continue };
                    let relation = self.relation(sig, place, inner[place]);
                    let value = terms.var(var);
                    parts.push(terms.app(sig, relation, 0, &[value]));
                }
                match (parts.is_empty(), is_universal) {
                    (true, true) => terms.forall(&vars, body),
                    (true, false) => terms.exists(&vars, body),
                    (false, true) => {
                        let guard = terms.and(&parts);
                        let body = terms.implies(guard, body);
                        terms.forall(&vars, body)
                    }
                    (false, false) => {
                        parts.push(body);
                        let body = terms.and(&parts);
                        terms.exists(&vars, body)
                    }
                }
            }
            _ => {
                let children: Vec<TermId> =
                    children.into_iter().map(|child| self.within(sig, terms, child, beyond)).collect();
                terms.rebuild(term, &children)
            }
        };
        self.guarded.insert(key, result);
        result
    }

    fn relation(&mut self, sig: &mut Signature, place: usize, beyond: usize) -> SymId {
        let sort = self.sorts[place];
        *self.relations.entry((place, beyond)).or_insert_with(|| {
            let name = format!("{}+{beyond}", sig.sorts[sort].name);
            let symbol = Symbol::new(name, vec![sort], SortId::BOOL, SymbolKind::Immutable);
            sig.symbols.push(Symbol { origin: SymbolOrigin::Internal, ..symbol })
        })
    }
}

/// The elements of an interpreted sort in an extension.
struct Layout {
    sort: SortId,
    /// Number of elements before.
    old: u32,
    /// All elements, in their order. The elements before keep their numbers.
    order: Vec<Elem>,
    /// For each element, how many new ones are between it and those between numerals: 0 for these, and those before.
    beyond: Vec<usize>,
}

impl Layout {
    /// Lays out the elements of a sort with as many new ones as formulas tell apart that have this rank, and whose quantifiers range
    /// over so many elements beyond. `None` if the structure has numbers between numerals that have fewer between them, and if there
    /// are too many new ones.
    fn new(
        sig: &Signature,
        structure: &Structure,
        sort: SortId,
        [rank, beyond]: [usize; 2],
    ) -> Option<Layout> {
        let universe = sig.sorts[sort].universe?;
        let old = structure.sizes[sort];
        let mut elements: Vec<Elem> = (0..old).collect();
        let order = sig.symbols.iter_enumerated().find(|(_, symbol)| is_order(symbol, sort));
        if let Some((order, _)) = order {
            let less = structure.interpretation(sig, order, 0);
            elements.sort_by_key(|&it| elements_below(less, it, old));
        }
        let mut layout = Layout { sort, old, order: Vec::new(), beyond: vec![0; old as usize] };
        // Without the order nothing tells what is between numerals.
        let mut values: Map<Elem, u64> = Map::default();
        for (sym, symbol) in sig.symbols.iter_enumerated().filter(|_| order.is_some()) {
            if let SymbolOrigin::Numeral(value) = symbol.origin
                && symbol.result == sort
            {
                let element = structure.interpretation(sig, sym, 0).get(&[]);
                if values.insert(element, value).is_some_and(|other| other != value) {
                    return None;
                }
            }
        }
        // The elements since the last numeral, and the first number that they may be.
        let (least, greatest) = match universe {
            Universe::Naturals => (Some(0), None),
            Universe::Range(least, greatest) => (Some(least), Some(greatest)),
            Universe::Integers | Universe::Texts => (None, None),
        };
        let (mut since, mut first) = (0, least);
        for element in elements {
            if let Some(&value) = values.get(&element) {
                if let Some(first) = first {
                    layout.fill(value.checked_sub(first)?.checked_sub(since)?, rank)?;
                }
                (since, first) = (0, Some(value.checked_add(1)?));
            } else {
                since += 1;
            }
            layout.order.push(element);
        }
        if let (Some(first), Some(greatest)) = (first, greatest) {
            layout.fill(greatest.checked_add(1)?.checked_sub(first)?.checked_sub(since)?, rank)?;
            return Some(layout);
        }
        for place in 1..=beyond {
            layout.add(place)?;
        }
        if universe == Universe::Integers && order.is_some() {
            for place in (1..=beyond).rev() {
                layout.add(place)?;
            }
            layout.order.rotate_right(beyond);
        }
        Some(layout)
    }

    /// Adds so many elements that belong to those between numerals, or as many as can be told apart; `None` if there are too many.
    fn fill(&mut self, count: u64, rank: usize) -> Option<()> {
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(rank);
        (0..count).try_for_each(|_| self.add(0))
    }

    /// Adds a new element behind the others; `None` if there are too many.
    fn add(&mut self, beyond: usize) -> Option<()> {
        let element = self.beyond.len() as Elem;
        self.beyond.push(beyond);
        self.order.push(element);
        (self.beyond.len() - self.old as usize <= MAX_NEW).then_some(())
    }
}

/// Returns whether a symbol is the order of a sort.
fn is_order(symbol: &Symbol, sort: SortId) -> bool {
    symbol.origin == SymbolOrigin::Order && symbol.args == [sort, sort]
}

/// Returns how many elements are below one.
fn elements_below(less: &Interpretation, element: Elem, size: u32) -> usize {
    (0..size).filter(|&other| less.get(&[other, element]) != 0).count()
}

/// How the new elements of each interpreted sort are.
#[derive(Clone, Debug)]
struct Likeness {
    /// The elements of the structure that they are like.
    elements: Vec<Elem>,
    /// The value that relations have of them nevertheless.
    relations: Option<bool>,
    /// Whether functions nevertheless have the last new argument as value, if it is of their sort.
    is_identity: bool,
}

/// The extensions of a structure.
struct Extension<'a> {
    sig: &'a Signature,
    guards: &'a Guards,
    structure: &'a Structure,
    layouts: &'a [Layout],
}

impl Extension<'_> {
    /// Returns the extensions to try: new elements of which relations have one value, and those that are like the last elements, the
    /// last but one, and so on.
    fn likenesses(&self) -> Vec<Likeness> {
        let last: Vec<Elem> = self.layouts.iter().map(|layout| layout.old - 1).collect();
        let simple = [(false, false), (false, true), (true, false), (true, true)];
        let simple = simple.map(|(value, is_identity)| Likeness {
            elements: last.clone(),
            relations: Some(value),
            is_identity,
        });
        let mut found = Vec::from(simple);
        let sizes: Vec<u32> = self.layouts.iter().map(|layout| layout.old).collect();
        let tuples = Tuples::new(sizes.clone());
        found.extend(tuples.take(MAX_TRIED).map(|places| {
            let elements = sizes.iter().zip(places).map(|(size, place)| size - 1 - place).collect();
            Likeness { elements, relations: None, is_identity: false }
        }));
        found
    }

    /// Builds an extension; `None` if it is too large.
    fn with(&self, likeness: &Likeness) -> Option<Structure> {
        let mut extended = self.structure.clone();
        extended.grow_to(self.sig);
        for layout in self.layouts {
            extended.sizes[layout.sort] = layout.order.len() as u32;
        }
        for (sym, symbol) in self.sig.symbols.iter_enumerated() {
            if let Some(layout) = self.layouts.iter().find(|layout| is_order(symbol, layout.sort)) {
                let interpretation = extended.interpretation_mut(self.sig, sym, 0);
                for (at, &greater) in layout.order.iter().enumerate() {
                    for &less in &layout.order[..at] {
                        interpretation.set(&[less, greater], 1);
                    }
                    for &other in &layout.order[at..] {
                        interpretation.set(&[other, greater], 0);
                    }
                }
                continue;
            }
            self.extend_symbol(&mut extended, sym, symbol, likeness)?;
        }
        for (&(place, beyond), &relation) in &self.guards.relations {
            let interpretation = extended.interpretation_mut(self.sig, relation, 0);
            for (element, &at) in self.layouts[place].beyond.iter().enumerate() {
                interpretation.set(&[element as Elem], (at <= beyond).into());
            }
        }
        Some(extended)
    }

    /// Gives a symbol its values at tuples with new elements; `None` if they are too many.
    fn extend_symbol(
        &self,
        extended: &mut Structure,
        sym: SymId,
        symbol: &Symbol,
        likeness: &Likeness,
    ) -> Option<()> {
        let of_args: Vec<Option<usize>> = symbol
            .args
            .iter()
            .map(|&sort| self.layouts.iter().position(|layout| layout.sort == sort))
            .collect();
        if of_args.iter().all(Option::is_none) {
            return Some(());
        }
        let sizes: Vec<u32> = symbol.args.iter().map(|&sort| extended.sizes[sort]).collect();
        if Tuples::count_all(&sizes) > MAX_TUPLES {
            return None;
        }
        let states = if symbol.kind.is_mutable() { self.structure.states() } else { 1 };
        for state in 0..states {
            let before = self.structure.interpretation(self.sig, sym, state);
            let meaning = extended.interpretation_mut(self.sig, sym, state);
            for tuple in Tuples::new(sizes.clone()) {
                let mut like = tuple.clone();
                let mut last_new = None;
                for (place, elem) in of_args.iter().zip(&mut like) {
                    if let &Some(place) = place
                        && *elem >= self.layouts[place].old
                    {
                        last_new = Some((self.layouts[place].sort, *elem));
                        *elem = likeness.elements[place];
                    }
                }
                let Some((sort, new)) = last_new else { continue };
                let value = match likeness.relations {
                    Some(value) if symbol.is_relation() => value.into(),
                    _ if likeness.is_identity && symbol.result == sort => new,
                    _ => before.get(&like),
                };
                if value != meaning.default {
                    meaning.set(&tuple, value);
                }
            }
        }
        Some(())
    }
}
