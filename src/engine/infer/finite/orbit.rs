//! From ground clauses to universal ones.
//!
//! The elements of a clause become variables. The clause is claimed for elements that are distinct where these are, and
//! of which the same is true as far as the instance fixes it: orders, constants, and what else follows from the axioms.

use crate::infer::state::{Atom, Literal, Pattern, Vocabulary};
use ramsey_circuit::finite::{Atom as Ground, Break, Instance, Meaning};
use ramsey_circuit::hwmc::Clause;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Elem, SortId, SymId};

/// Maximum number of elements of a clause.
const MAX_ELEMENTS: usize = 16;

/// Maximum number of clauses that one clause is split into.
const MAX_VARIANTS: usize = 24;

/// An element of a sort.
type Element = (SortId, Elem);

/// Makes universal clauses of clauses of an instance.
pub(super) struct Generalizer<'a> {
    instance: &'a Instance,
    symbols: Map<SymId, usize>,
    /// What the instance fixes, without what is true of all other elements as well.
    facts: Vec<(Ground, bool)>,
    /// Elements that every clause is about.
    common: Vec<Element>,
    /// Whether facts follow from no others.
    is_reduced: bool,
}

impl<'a> Generalizer<'a> {
    /// Prepares for clauses of an instance.
    pub(super) fn new(instance: &'a Instance, vocabulary: &Vocabulary) -> Generalizer<'a> {
        let symbols: Map<SymId, usize> =
            vocabulary.symbols.iter().enumerate().map(|(at, symbol)| (symbol.sym, at)).collect();
        let all: Vec<(Ground, bool)> = instance.facts().map(|(atom, value)| (atom.clone(), value)).collect();
        let mut generalizer =
            Generalizer { instance, symbols, facts: Vec::new(), common: Vec::new(), is_reduced: false };
        // By shape, which values occur and how often.
        let mut shapes: Map<(SymId, Vec<usize>), (u64, u64)> = Map::default();
        for (atom, value) in &all {
            let entry = shapes.entry(generalizer.shape(atom)).or_default();
            let count = if *value { &mut entry.0 } else { &mut entry.1 };
            *count += 1;
        }
        let is_telling = |atom: &Ground| {
            let shape = generalizer.shape(atom);
            let total = generalizer.total(&shape.1, atom);
            shapes.get(&shape).is_none_or(|&(yes, no)| yes != total && no != total)
        };
        let facts = all.into_iter().filter(|(atom, _)| is_telling(atom)).collect();
        generalizer.facts = facts;
        generalizer
    }

    /// Lets every clause be about all elements of these sorts, with all facts about them, of which those in `facts` imply
    /// the others.
    pub(super) fn with_all(mut self, sorts: &[SortId], facts: Vec<(Ground, bool)>) -> Generalizer<'a> {
        let elements = |&sort: &SortId| (0..self.instance.sizes()[sort]).map(move |elem| (sort, elem));
        self.common = sorts.iter().filter(|&&sort| sort != SortId::BOOL).flat_map(elements).collect();
        self.facts = facts;
        self.is_reduced = true;
        self
    }

    /// Returns what the instance fixes.
    pub(super) fn facts(&self) -> &[(Ground, bool)] {
        &self.facts
    }

    /// Returns the sorts and elements of an atom, arguments first.
    fn elements(&self, atom: &Ground) -> Vec<Element> {
        let symbol = &self.instance.system().sig.symbols[atom.sym];
        let mut elements: Vec<Element> = symbol.args.iter().copied().zip(atom.args.iter().copied()).collect();
        if let Meaning::Is(value) = atom.meaning {
            elements.push((symbol.result, value));
        }
        elements
    }

    /// Returns which elements of an atom are the same.
    fn shape(&self, atom: &Ground) -> (SymId, Vec<usize>) {
        let elements = self.elements(atom);
        let first = |element: &Element| elements.iter().position(|it| it == element).unwrap_or(0);
        (atom.sym, elements.iter().map(first).collect())
    }

    /// Returns the number of atoms of a shape.
    fn total(&self, shape: &[usize], atom: &Ground) -> u64 {
        let mut used: Map<SortId, u64> = Map::default();
        let mut total = 1;
        for (at, (sort, _)) in self.elements(atom).into_iter().enumerate() {
            if shape.get(at) == Some(&at) {
                let used = used.entry(sort).or_default();
                total *= u64::from(self.instance.sizes()[sort]).saturating_sub(*used);
                *used += 1;
            }
        }
        total
    }

    /// Returns the clauses of the system for clauses over latches.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(super) fn patterns(
        &self,
        clauses: &[Clause],
        budget: &mut Budget,
    ) -> Result<Vec<Pattern>, Exhausted> {
        let mut patterns = Vec::new();
        let mut seen = Set::default();
        for clause in clauses {
            let Some(atoms) = self.instance.clause(clause) else { continue };
            for variant in self.variants(atoms) {
                budget.spend((variant.len() + self.facts.len()) as u64)?;
                if let Some(pattern) = self.pattern(&variant)
                    && seen.insert(pattern.clone())
                {
                    patterns.push(pattern);
                }
            }
        }
        Ok(patterns)
    }

    /// Returns what an instance fixes, as conditions of which proofs use some: what holds first, and of a total order that the
    /// smaller elements are below the larger ones.
    pub(super) fn conditions(&self) -> Vec<(Ground, bool)> {
        let is_condition = |atom: &Ground, value: bool| match (self.order(atom), &*atom.args) {
            (Some(_), &[below, above]) => value && below < above,
            _ => true,
        };
        let facts = self.instance.facts().filter(|(atom, value)| is_condition(atom, *value));
        let mut facts: Vec<(Ground, bool)> = facts.map(|(atom, value)| (atom.clone(), value)).collect();
        facts.sort_by_key(|(_, value)| !value);
        facts
    }

    /// Returns the sort of which a symbol is the total order that the instance fixes.
    fn order(&self, atom: &Ground) -> Option<SortId> {
        self.instance.breaks().iter().find_map(|it| match it {
            Break::Order { sym, sort, .. } if *sym == atom.sym => Some(*sort),
            _ => None,
        })
    }

    /// Returns the clauses of the system for a clause over latches that needs these facts, of which those about other
    /// elements are left out.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(super) fn patterns_with(
        &self,
        clause: &Clause,
        facts: &[(Ground, bool)],
        budget: &mut Budget,
    ) -> Result<Vec<Pattern>, Exhausted> {
        let mut patterns = Vec::new();
        let Some(atoms) = self.instance.clause(clause) else { return Ok(patterns) };
        for variant in self.variants(atoms) {
            budget.spend((variant.len() + facts.len()) as u64)?;
            let elements: Vec<Element> = variant.iter().flat_map(|(atom, _)| self.elements(atom)).collect();
            let is_own = |(atom, _): &&(Ground, bool)| {
                self.elements(atom).iter().all(|element| elements.contains(element))
            };
            let kept: Vec<(Ground, bool)> = facts.iter().filter(is_own).cloned().collect();
            patterns.extend(self.about(&variant, &kept));
        }
        Ok(patterns)
    }

    /// Returns the clause for all elements that are like those of the ground clause as far as these facts say.
    fn about(&self, clause: &[(Ground, bool)], facts: &[(Ground, bool)]) -> Option<Pattern> {
        let elements = clause.iter().flat_map(|(atom, _)| self.elements(atom)).collect();
        let elements = self.distinct(elements)?;
        let mut literals = self.literals(clause, &elements)?;
        for (atom, value) in facts {
            literals.push(Literal { atom: self.lifted(atom, &elements)?, positive: *value });
        }
        Some(closed(&elements, literals))
    }

    /// Returns the negated literals of a clause over the variables that elements became.
    fn literals(&self, clause: &[(Ground, bool)], elements: &[Element]) -> Option<Vec<Literal>> {
        let literal = |(atom, value): &(Ground, bool)| {
            Some(Literal { atom: self.lifted(atom, elements)?, positive: !value })
        };
        clause.iter().map(literal).collect()
    }

    /// Returns elements in order, each once; `None` if they are too many, or truth values.
    fn distinct(&self, mut elements: Vec<Element>) -> Option<Vec<Element>> {
        elements.sort_unstable();
        elements.dedup();
        let is_about_truth = elements.iter().any(|&(sort, _)| sort == SortId::BOOL);
        (elements.len() <= MAX_ELEMENTS && !is_about_truth).then_some(elements)
    }

    /// Returns a clause, and the clauses that together mean the same in the instance where it has values that a function
    /// does not have: each of them has another value that the function has. Among more elements they say less, but more of
    /// it is true: that the value is not the largest one may stand for its being smaller.
    fn variants(&self, clause: Vec<(Ground, bool)>) -> Vec<Vec<(Ground, bool)>> {
        let mut excluded: Vec<(SymId, Box<[Elem]>)> = Vec::new();
        for (atom, value) in &clause {
            let is_value = matches!(atom.meaning, Meaning::Is(_));
            let place = (atom.sym, atom.args.clone());
            if is_value && *value && !excluded.contains(&place) {
                excluded.push(place);
            }
        }
        let is_at = |atom: &Ground, place: &(SymId, Box<[Elem]>)| atom.sym == place.0 && atom.args == place.1;
        let is_known =
            |place: &(SymId, Box<[Elem]>)| clause.iter().any(|(atom, value)| !value && is_at(atom, place));
        excluded.retain(|place| !is_known(place));
        if excluded.is_empty() {
            return vec![clause];
        }
        let rest = clause.iter().filter(|(atom, _)| !excluded.iter().any(|place| is_at(atom, place)));
        let mut split: Vec<Vec<(Ground, bool)>> = vec![rest.cloned().collect()];
        for (sym, args) in &excluded {
            let size = self.instance.sizes()[self.instance.system().sig.symbols[*sym].result];
            let atom = |value: Elem| Ground { sym: *sym, args: args.clone(), meaning: Meaning::Is(value) };
            let values: Vec<Ground> =
                (0..size).map(atom).filter(|atom| !clause.contains(&(atom.clone(), true))).collect();
            if values.len().saturating_mul(split.len()) > MAX_VARIANTS {
                return vec![clause];
            }
            let with = |clause: &Vec<(Ground, bool)>| {
                let clause = clause.clone();
                let values = values.iter().cloned();
                values.map(move |value| clause.iter().cloned().chain([(value, false)]).collect())
            };
            split = split.iter().flat_map(with).collect::<Vec<Vec<(Ground, bool)>>>();
        }
        split.push(clause);
        split
    }

    /// Returns the clause for all elements that are like those of the ground clause; `None` if it is about too many, or
    /// about symbols that no lemma mentions.
    fn pattern(&self, clause: &[(Ground, bool)]) -> Option<Pattern> {
        let mut elements: Vec<Element> = self.common.clone();
        for (atom, _) in clause {
            elements.extend(self.elements(atom));
        }
        let elements = self.distinct(elements)?;
        let mut literals = self.literals(clause, &elements)?;
        for (atom, value) in &self.facts {
            if self.is_needed(atom, *value, &elements)
                && let Some(atom) = self.lifted(atom, &elements)
            {
                literals.push(Literal { atom, positive: *value });
            }
        }
        Some(closed(&elements, literals))
    }

    /// Checks whether a fact belongs to the condition of a clause with these elements.
    fn is_needed(&self, atom: &Ground, value: bool, elements: &[Element]) -> bool {
        let own = self.elements(atom);
        if !own.iter().all(|element| elements.contains(element)) {
            return false;
        }
        if self.is_reduced {
            return true;
        }
        if let (Some(sort), Some(&[below, above])) =
            (self.order(atom), atom.args.get(..2).and_then(|it| it.first_chunk::<2>()))
        {
            // Neighbours suffice.
            return value && below < above && !(below + 1..above).any(|it| elements.contains(&(sort, it)));
        }
        if let (Meaning::Is(_), false) = (atom.meaning, value) {
            // That the value is another element of the clause says more.
            let result = self.instance.system().sig.symbols[atom.sym].result;
            let is_value = |other: &Ground| {
                other.sym == atom.sym
                    && other.args == atom.args
                    && matches!(other.meaning, Meaning::Is(elem) if elements.contains(&(result, elem)))
            };
            return !self.facts.iter().any(|(other, value)| *value && is_value(other));
        }
        true
    }

    /// Returns an atom over the variables that elements became.
    fn lifted(&self, atom: &Ground, elements: &[Element]) -> Option<Atom> {
        let symbol = *self.symbols.get(&atom.sym)?;
        let var = |element: Element| Some(elements.binary_search(&element).ok()? as u8);
        let declared = &self.instance.system().sig.symbols[atom.sym];
        let args = declared.args.iter().copied().zip(atom.args.iter().copied());
        let args: Option<Vec<u8>> = args.map(var).collect();
        match atom.meaning {
            Meaning::Holds => Some(Atom::Relation(symbol, args?)),
            Meaning::Is(value) => Some(Atom::Value(symbol, args?, var((declared.result, value))?)),
            Meaning::Bit(_) => None,
        }
    }
}

/// Returns the clause that literals over distinct elements are false.
fn closed(elements: &[Element], mut literals: Vec<Literal>) -> Pattern {
    for (at, first) in elements.iter().enumerate() {
        for (other, second) in elements.iter().enumerate().skip(at + 1) {
            if first.0 == second.0 {
                literals.push(Literal { atom: Atom::Equal(at as u8, other as u8), positive: false });
            }
        }
    }
    let sorts = elements.iter().map(|(sort, _)| *sort).collect();
    Pattern { sorts, literals }.normalized()
}
