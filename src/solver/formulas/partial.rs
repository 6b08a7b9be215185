//! Partial structures, their diagrams, and the conjectures that exclude them (Ivy, PLDI 2016, section 4.4).

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::SyntaxMut;
use ramsey_core::logic::sig::{Signature, SortId, SymId, SymbolKind};
use ramsey_core::logic::structure::{Elem, Structure, Tuples};
use ramsey_core::logic::term::{TermId, VarId};

/// A fact of a partial structure: a literal of its diagram.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fact {
    /// The truth value of a relation at a tuple.
    Relation {
        /// The relation.
        sym: SymId,
        /// One element per argument.
        args: Vec<Elem>,
        /// Whether it is true at the tuple.
        positive: bool,
    },
    /// A value that a function or constant has, or does not have, at a tuple.
    Value {
        /// The function.
        sym: SymId,
        /// One element per argument.
        args: Vec<Elem>,
        /// The value.
        value: Elem,
        /// Whether the function has this value.
        positive: bool,
    },
    /// A disequality of two elements of a sort; the first is the smaller one.
    Distinct {
        /// Their sort.
        sort: SortId,
        /// The elements.
        pair: [Elem; 2],
    },
}

impl Fact {
    /// Returns the elements in the fact, with their sorts and possibly with repetitions.
    pub fn elements(&self, sig: &Signature) -> Vec<(SortId, Elem)> {
        match self {
            Fact::Relation { sym, args, .. } => {
                sig.symbols[*sym].args.iter().copied().zip(args.iter().copied()).collect()
            }
            Fact::Value { sym, args, value, .. } => {
                let symbol = &sig.symbols[*sym];
                let sorts = symbol.args.iter().copied().chain([symbol.result]);
                sorts.zip(args.iter().copied().chain([*value])).collect()
            }
            Fact::Distinct { sort, pair } => pair.iter().map(|&elem| (*sort, elem)).collect(),
        }
    }

    /// Returns the symbol of the fact, or `None` for a disequality of elements.
    pub fn symbol(&self) -> Option<SymId> {
        match self {
            Fact::Relation { sym, .. } | Fact::Value { sym, .. } => Some(*sym),
            Fact::Distinct { .. } => None,
        }
    }

    /// Replaces the symbol of the fact by the symbol of its previous value according to `before`. Returns whether the
    /// fact then has only immutable symbols.
    pub fn rewind(&mut self, sig: &Signature, before: &[(SymId, SymId)]) -> bool {
        match self {
            Fact::Relation { sym, .. } | Fact::Value { sym, .. } => {
                if let Some(&(_, earlier)) = before.iter().find(|(now, _)| now == sym) {
                    *sym = earlier;
                }
                !sig.symbols[*sym].kind.is_mutable()
            }
            Fact::Distinct { .. } => true,
        }
    }

    /// Checks whether the fact is true in a state of the images of its elements.
    fn holds(
        &self,
        sig: &Signature,
        structure: &Structure,
        step: usize,
        image: impl Fn(SortId, Elem) -> Option<Elem>,
    ) -> bool {
        let images: Option<Vec<Elem>> =
            self.elements(sig).into_iter().map(|(sort, elem)| image(sort, elem)).collect();
        let Some(images) = images else { return false };
        match self {
            Fact::Relation { sym, positive, .. } => {
                (structure.interpretation(sig, *sym, step).get(&images) != 0) == *positive
            }
            Fact::Value { sym, args, positive, .. } => {
                let (args, value) = images.split_at(args.len());
                (value == [structure.interpretation(sig, *sym, step).get(args)]) == *positive
            }
            Fact::Distinct { .. } => images[0] != images[1],
        }
    }

    /// Checks whether the literal is not negated.
    pub fn is_positive(&self) -> bool {
        match self {
            Fact::Relation { positive, .. } | Fact::Value { positive, .. } => *positive,
            Fact::Distinct { .. } => false,
        }
    }

    /// Returns the literal at `step`, over terms that stand for the elements.
    pub fn literal(
        &self,
        syntax: SyntaxMut<'_>,
        step: u16,
        name: &impl Fn(SortId, Elem) -> TermId,
    ) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        let elements: Vec<TermId> =
            self.elements(sig).into_iter().map(|(sort, elem)| name(sort, elem)).collect();
        let atom = match self {
            Fact::Relation { sym, .. } => terms.app(sig, *sym, step, &elements),
            Fact::Value { sym, args, .. } => {
                let application = terms.app(sig, *sym, step, &elements[..args.len()]);
                terms.eq(application, elements[args.len()])
            }
            Fact::Distinct { .. } => terms.eq(elements[0], elements[1]),
        };
        if self.is_positive() { atom } else { terms.not(atom) }
    }
}

/// Facts about some elements of a structure: Definition 2, with disequalities of elements as separate facts. The domain
/// is the set of elements that occur in the facts, as in Definition 4.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Partial {
    /// In the order of [`Partial::of_state`], without repetitions.
    pub facts: Vec<Fact>,
}

/// Maximum number of facts. The diagram of a larger structure would be unreadable and useless.
pub const MAX_FACTS: u64 = 100_000;

impl Partial {
    /// Returns all facts of a state about declared symbols: relations symbol by symbol, then functions, then
    /// disequalities of elements. Values that a function does *not* have are listed too; see
    /// [`Partial::without_implied`].
    ///
    /// # Errors
    /// Returns the number of facts if it exceeds [`MAX_FACTS`].
    pub fn of_state(sig: &Signature, structure: &Structure, step: usize) -> Result<Partial, u64> {
        let symbols = || {
            let declared = sig.symbols.iter_enumerated().filter(|(_, symbol)| symbol.is_declared());
            declared.filter(|(_, symbol)| symbol.kind != SymbolKind::Parameter)
        };
        let mut count: u64 = 0;
        for (_, symbol) in symbols() {
            let result = (!symbol.is_relation()).then_some(symbol.result);
            let sizes: Vec<u32> =
                symbol.args.iter().chain(&result).map(|&sort| structure.sizes[sort]).collect();
            count = count.saturating_add(Tuples::count_all(&sizes));
        }
        for sort in sig.uninterpreted_sorts() {
            count = count.saturating_add(u64::from(structure.sizes[sort]).saturating_pow(2) / 2);
        }
        if count > MAX_FACTS {
            return Err(count);
        }
        let mut facts = Vec::new();
        for (sym, symbol) in symbols().filter(|(_, symbol)| symbol.is_relation()) {
            for args in structure.tuples(&symbol.args) {
                let positive = structure.interpretation(sig, sym, step).get(&args) != 0;
                facts.push(Fact::Relation { sym, args, positive });
            }
        }
        for (sym, symbol) in symbols().filter(|(_, symbol)| !symbol.is_relation()) {
            for args in structure.tuples(&symbol.args) {
                let actual = structure.interpretation(sig, sym, step).get(&args);
                for value in 0..structure.sizes[symbol.result] {
                    facts.push(Fact::Value { sym, args: args.clone(), value, positive: value == actual });
                }
            }
        }
        for sort in sig.uninterpreted_sorts() {
            for a in 0..structure.sizes[sort] {
                facts.extend((a + 1..structure.sizes[sort]).map(|b| Fact::Distinct { sort, pair: [a, b] }));
            }
        }
        Ok(Partial { facts })
    }

    /// Removes facts about values that a function does not have where another fact gives its value.
    #[must_use]
    pub fn without_implied(mut self) -> Partial {
        let known: Vec<(SymId, Vec<Elem>)> = self
            .facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::Value { sym, args, positive: true, .. } => Some((*sym, args.clone())),
                _ => None,
            })
            .collect();
        self.facts.retain(|fact| match fact {
            Fact::Value { sym, args, positive: false, .. } => {
                !known.iter().any(|(other, tuple)| other == sym && tuple == args)
            }
            _ => true,
        });
        self
    }

    /// Removes disequalities of elements that occur in no fact about a symbol.
    #[must_use]
    pub fn without_strays(mut self, sig: &Signature) -> Partial {
        let named = self.facts.iter().filter(|fact| fact.symbol().is_some());
        let mut used: Vec<(SortId, Elem)> = named.flat_map(|fact| fact.elements(sig)).collect();
        used.sort_unstable_by_key(|&(sort, elem)| (sort.index(), elem));
        used.dedup();
        self.facts.retain(|fact| match fact {
            Fact::Distinct { .. } => fact.elements(sig).iter().all(|element| used.contains(element)),
            _ => true,
        });
        self
    }

    /// Returns the elements in the facts, by sort and number.
    pub fn elements(&self, sig: &Signature) -> Vec<(SortId, Elem)> {
        let mut elements: Vec<(SortId, Elem)> = self
            .facts
            .iter()
            .flat_map(|fact| fact.elements(sig))
            .filter(|&(sort, _)| sort != SortId::BOOL)
            .collect();
        elements.sort_unstable_by_key(|&(sort, elem)| (sort.index(), elem));
        elements.dedup();
        elements
    }

    /// Checks whether a state contains the partial structure: whether it has elements of which all facts are true.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn is_in(
        &self,
        sig: &Signature,
        structure: &Structure,
        step: usize,
        budget: &mut Budget,
    ) -> Result<bool, Exhausted> {
        let elements = self.elements(sig);
        let place = |element: &(SortId, Elem)| elements.iter().position(|other| other == element);
        // By number of elements with an image: the facts about these that are not about fewer.
        let mut facts: Vec<Vec<&Fact>> = vec![Vec::new(); elements.len() + 1];
        for fact in &self.facts {
            let last = fact.elements(sig).iter().filter_map(place).max();
            facts[last.map_or(0, |last| last + 1)].push(fact);
        }
        let mut images: Vec<Elem> = Vec::new();
        let mut next: Elem;
        loop {
            budget.spend(1 + facts[images.len()].len() as u64)?;
            let image = |sort: SortId, elem: Elem| {
                if sort == SortId::BOOL { Some(elem) } else { place(&(sort, elem)).map(|at| images[at]) }
            };
            if facts[images.len()].iter().all(|fact| fact.holds(sig, structure, step, image)) {
                if images.len() == elements.len() {
                    return Ok(true);
                }
                next = 0;
            } else if let Some(last) = images.pop() {
                next = last + 1;
            } else {
                return Ok(false);
            }
            // The next image of the next element, or of one before it.
            while next >= structure.sizes[elements[images.len()].0] {
                let Some(last) = images.pop() else { return Ok(false) };
                next = last + 1;
            }
            images.push(next);
        }
    }

    /// Returns the diagram (Definition 4) over step 0: there are elements that satisfy all facts. `names` returns the
    /// names of the variables.
    pub fn diagram(&self, syntax: SyntaxMut<'_>, names: impl Fn(SortId, Elem) -> String) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        let (vars, literals) = self.matrix(terms.over_mut(sig), names);
        let body = terms.and(&literals);
        terms.exists(&vars, body)
    }

    /// Returns the variables of the diagram, and its literals in the order of the facts.
    pub(super) fn matrix(
        &self,
        syntax: SyntaxMut<'_>,
        names: impl Fn(SortId, Elem) -> String,
    ) -> (Vec<VarId>, Vec<TermId>) {
        let SyntaxMut { sig, terms } = syntax;
        let elements = self.elements(sig);
        let mut vars = Vec::new();
        let mut value: Map<(SortId, Elem), TermId> = Map::default();
        for (sort, elem) in elements {
            let var = terms.new_var(names(sort, elem), sort);
            value.insert((sort, elem), terms.var(var));
            vars.push(var);
        }
        let name = |sort: SortId, elem: Elem| value[&(sort, elem)];
        let literals = self.facts.iter().map(|fact| fact.literal(terms.over_mut(sig), 0, &name)).collect();
        (vars, literals)
    }
}
