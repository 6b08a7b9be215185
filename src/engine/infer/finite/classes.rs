//! The structures of an instance up to isomorphism, as far as immutable symbols go.

use ramsey_circuit::finite::{Atom, Instance, Meaning, Place};
use ramsey_circuit::hwmc::questions::Questions;
use ramsey_circuit::hwmc::system::System;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Elem, Interpretation, SortId, SymId, SymbolKind};
use ramsey_solver::sat::{Answer, Config, Lit, Solver};

/// Maximum number of permutations that are looked at to recognize isomorphic structures.
const MAX_PERMUTATIONS: usize = 720;

/// An interpretation of all immutable symbols.
pub(super) type Class = Vec<(SymId, Interpretation)>;

/// The immutable symbols of an instance, as a propositional problem.
pub(super) struct Immutables<'a> {
    instance: &'a Instance,
    solver: Solver,
    /// The literal of each latch of an immutable symbol on which something depends, and its atom.
    atoms: Vec<(Atom, usize, Lit)>,
    places: Map<Atom, usize>,
}

impl<'a> Immutables<'a> {
    /// Loads the constraints of an instance. `None` if it has no property.
    pub(super) fn new(instance: &'a Instance, seed: u64) -> Option<Immutables<'a>> {
        let system = System::new(instance.circuit(), 0)?;
        let mut questions = Questions::new(Config { seed, ..Config::default() });
        let leaves = system.latches.iter().map(|latch| latch.leaf);
        questions.load(&system.graph, &[], system.constraints.iter().copied().chain(leaves));
        system.constraints.iter().for_each(|&edge| questions.require(edge));
        if let Some(started) = instance.started() {
            let started = system.latches.iter().find(|latch| latch.origin == started);
            started.iter().for_each(|latch| questions.require(latch.leaf));
        }
        let mut atoms = Vec::new();
        for latch in system.latches.iter().filter(|latch| instance.immutable().contains(&latch.origin)) {
            if let (Some(atom), Some(lit)) = (instance.atom(latch.origin), questions.known(latch.leaf)) {
                atoms.push((atom.clone(), latch.origin, lit));
            }
        }
        let places = atoms.iter().enumerate().map(|(at, (atom, ..))| (atom.clone(), at)).collect();
        Some(Immutables { instance, solver: questions.solver, atoms, places })
    }

    /// Checks whether immutable symbols vary.
    pub(super) fn vary(&self) -> bool {
        !self.atoms.is_empty()
    }

    /// Returns the sorts of which immutable symbols that vary say something.
    pub(super) fn sorts(&self) -> Vec<SortId> {
        let sig = &self.instance.system().sig;
        let mut sorts: Vec<SortId> = Vec::new();
        for (atom, ..) in &self.atoms {
            let symbol = &sig.symbols[atom.sym];
            sorts.extend(symbol.args.iter().chain((!symbol.is_relation()).then_some(&symbol.result)));
        }
        sorts.sort_unstable();
        sorts.dedup();
        sorts
    }

    /// Returns structures no two of which are isomorphic, at most `limit`.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(super) fn classes(&mut self, limit: usize, budget: &mut Budget) -> Result<Vec<Class>, Exhausted> {
        let permutations = self.permutations();
        let system = self.instance.system();
        let mut classes = Vec::new();
        while classes.len() < limit && self.solver.solve(&[], budget)? == Answer::Sat {
            let values: Vec<bool> = self.atoms.iter().map(|&(_, _, lit)| self.solver.value(lit)).collect();
            let mut latches = vec![false; self.instance.circuit().latches().len()];
            for ((_, latch, _), &value) in self.atoms.iter().zip(&values) {
                latches[*latch] = value;
            }
            let structure = self.instance.state(&latches);
            let immutable = system.sig.symbols.iter_enumerated();
            let immutable = immutable.filter(|(_, symbol)| symbol.kind == SymbolKind::Immutable);
            let class =
                immutable.map(|(sym, _)| (sym, structure.interpretation(&system.sig, sym, 0).clone()));
            classes.push(class.collect());
            for permutation in &permutations {
                budget.spend(self.atoms.len() as u64)?;
                if let Some(image) = self.image(&values, permutation) {
                    self.solver.add_clause(&image);
                }
            }
        }
        Ok(classes)
    }

    /// Returns a clause that excludes the image of a structure; `None` if the image is none of the instance's.
    fn image(&self, values: &[bool], permutation: &Map<SortId, Vec<Elem>>) -> Option<Vec<Lit>> {
        let sig = &self.instance.system().sig;
        let moved = |sort: SortId, elem: Elem| {
            permutation.get(&sort).and_then(|it| it.get(elem as usize)).copied().unwrap_or(elem)
        };
        let mut clause = Vec::new();
        for ((atom, ..), &value) in self.atoms.iter().zip(values) {
            let symbol = &sig.symbols[atom.sym];
            let args = atom.args.iter().zip(&symbol.args).map(|(&arg, &sort)| moved(sort, arg)).collect();
            let meaning = match atom.meaning {
                Meaning::Is(elem) => Meaning::Is(moved(symbol.result, elem)),
                other => other,
            };
            let image = Atom { sym: atom.sym, args, meaning };
            match self.places.get(&image) {
                Some(&at) => clause.push(signed(self.atoms[at].2, !value)),
                None => match self.instance.place(&image) {
                    Some(Place::Known(known)) if known != value => return None,
                    _ => {}
                },
            }
        }
        Some(clause)
    }

    /// Returns the permutations of the elements of sorts in which none is distinguished; the identity alone if these are
    /// too many.
    fn permutations(&self) -> Vec<Map<SortId, Vec<Elem>>> {
        let mut all: Vec<Map<SortId, Vec<Elem>>> = vec![Map::default()];
        let is_broken = |sort: SortId| self.instance.breaks().iter().any(|it| it.sort() == sort);
        for sort in self.sorts().into_iter().filter(|&sort| sort != SortId::BOOL && !is_broken(sort)) {
            let orders = orders(self.instance.sizes()[sort]);
            if orders.len().saturating_mul(all.len()) > MAX_PERMUTATIONS {
                continue;
            }
            all = all
                .iter()
                .flat_map(|permutation| {
                    orders.iter().map(|order| {
                        let mut permutation = permutation.clone();
                        permutation.insert(sort, order.clone());
                        permutation
                    })
                })
                .collect();
        }
        all
    }

    /// Returns facts from which the others follow. Values of functions are kept: some follow from the others only because
    /// there are so few elements.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(super) fn reduced(
        &mut self,
        mut facts: Vec<(Atom, bool)>,
        budget: &mut Budget,
    ) -> Result<Vec<(Atom, bool)>, Exhausted> {
        let lit = |this: &Self, fact: &(Atom, bool)| {
            this.places.get(&fact.0).map(|&at| signed(this.atoms[at].2, fact.1))
        };
        facts.retain(|(atom, value)| *value || atom.meaning == Meaning::Holds);
        // What is false follows from what is true more often than the other way round.
        facts.sort_by_key(|(_, value)| *value);
        let mut kept = facts;
        let mut at = 0;
        while let Some(fact) = kept.get(at) {
            if fact.0.meaning != Meaning::Holds {
                at += 1;
                continue;
            }
            let Some(own) = lit(self, fact) else {
                // It is the same in all structures.
                kept.remove(at);
                continue;
            };
            let mut assumed: Vec<Lit> = vec![!own];
            assumed.extend(
                kept.iter().enumerate().filter(|(other, _)| *other != at).filter_map(|(_, it)| lit(self, it)),
            );
            if self.solver.solve(&assumed, budget)? == Answer::Unsat {
                kept.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(kept)
    }
}

/// Returns the literal, negated if `value` is false.
fn signed(lit: Lit, value: bool) -> Lit {
    if value { lit } else { !lit }
}

/// Returns all permutations of so many elements; none if there are too many.
fn orders(size: u32) -> Vec<Vec<Elem>> {
    let mut all: Vec<Vec<Elem>> = vec![Vec::new()];
    for elem in 0..size {
        if all.len() > MAX_PERMUTATIONS {
            return vec![(0..size).collect()];
        }
        all = all
            .into_iter()
            .flat_map(|order| {
                (0..=order.len()).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, elem);
                    order
                })
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ramsey_circuit::finite::Options;
    use ramsey_core::base::ids::IdVec;
    use ramsey_core::logic::{Sort, Symbol};
    use ramsey_core::system::System as Model;

    /// Returns the number of classes of an immutable symbol with one argument over so many elements.
    fn count(is_function: bool, size: u32) -> usize {
        let mut model = Model::new();
        let sort = model.sig.sorts.push(Sort::new("s"));
        let result = if is_function { sort } else { SortId::BOOL };
        let symbol = model.sig.symbols.push(Symbol::new("f", vec![sort], result, SymbolKind::Immutable));
        // The property depends on the symbol.
        let var = model.terms.new_var("X", sort);
        let arg = model.terms.var(var);
        let value = model.terms.app(&model.sig, symbol, 0, &[arg]);
        let claim = if is_function { model.terms.eq(value, arg) } else { value };
        let claim = model.terms.forall(&[var], claim);
        let mut sizes = IdVec::filled(model.sig.sorts.len(), size);
        sizes[SortId::BOOL] = 2;
        let options = Options { targets: vec![("p".to_owned(), claim)], ..Options::default() };
        let instance = Instance::new(Arc::new(model), &sizes, &options, &mut Budget::unlimited());
        let instance = instance.expect("an instance");
        let mut immutables = Immutables::new(&instance, 0).expect("a property");
        immutables.classes(100, &mut Budget::unlimited()).expect("classes").len()
    }

    #[test]
    fn isomorphic_structures_are_one_class() {
        assert_eq!(count(false, 3), 4, "subsets, by size");
        assert_eq!(count(true, 2), 3, "maps of two elements");
        assert_eq!(count(true, 3), 7, "maps of three elements");
    }
}
