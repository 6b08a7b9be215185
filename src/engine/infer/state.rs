//! States as dense tables, and partial structures compiled for matching in them.

use crate::query::dead_variables;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind, SymbolOrigin, TermId};
use ramsey_core::system::System;
use ramsey_solver::formulas::{Fact, Partial};

/// The symbols that lemmas may mention: those of the system that the model declares.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    /// The symbols, relations first.
    pub(super) symbols: Vec<VocabularySymbol>,
    /// Number of sorts of the signature.
    sorts: usize,
}

/// A symbol of a [`Vocabulary`].
#[derive(Clone, Debug)]
pub(super) struct VocabularySymbol {
    pub(super) sym: SymId,
    pub(super) args: Vec<SortId>,
    /// The result sort of a function or constant; `None` for a relation.
    pub(super) result: Option<SortId>,
    /// Whether the symbol is a program variable that is never read before it is written, or occurs in axioms alone. No lemma
    /// needs it.
    pub(super) is_dead: bool,
}

impl Vocabulary {
    /// Returns the declared symbols of a system.
    pub(super) fn new(system: &System) -> Vocabulary {
        let sig = &system.sig;
        let mut dead = dead_variables(system);
        dead.extend(only_in_axioms(system));
        let mut symbols: Vec<VocabularySymbol> = sig
            .symbols
            .iter_enumerated()
            .filter(|(_, symbol)| {
                let is_state =
                    matches!(symbol.kind, SymbolKind::Immutable | SymbolKind::Mutable | SymbolKind::Derived);
                is_state && symbol.is_declared()
            })
            .map(|(sym, symbol)| VocabularySymbol {
                sym,
                args: symbol.args.clone(),
                result: (!symbol.is_relation()).then_some(symbol.result),
                is_dead: dead.contains(&sym),
            })
            .collect();
        symbols.sort_by_key(|symbol| symbol.result.is_some());
        Vocabulary { symbols, sorts: sig.sorts.len() }
    }

    /// Returns the number of sorts.
    pub(super) fn sorts(&self) -> usize {
        self.sorts
    }
}

/// Returns the symbols that axioms mention, and neither initial conditions and transitions nor claims. What stands for something
/// that an axiom says exists is none of them: axioms alone mention it, and it is there for lemmas.
fn only_in_axioms(system: &System) -> Vec<SymId> {
    let mut formulas: Vec<TermId> = system.inits.iter().map(|it| it.formula).collect();
    formulas.extend(system.derived.iter().map(|it| it.axiom));
    formulas.extend(system.invariants.iter().map(|it| it.formula));
    formulas.extend(system.assertions.iter().map(|it| it.formula));
    formulas.extend(system.transitions.iter().map(|it| it.body));
    let mut is_used: IdVec<SymId, bool> = IdVec::filled(system.sig.symbols.len(), false);
    let modified = system.transitions.iter().flat_map(|it| it.modifies.iter().copied());
    let used = formulas.into_iter().flat_map(|formula| system.terms.symbols(formula)).chain(modified);
    used.for_each(|sym| is_used[sym] = true);
    let axioms = system.axioms.iter().flat_map(|it| system.terms.symbols(it.formula));
    axioms.filter(|&sym| !is_used[sym] && system.sig.symbols[sym].origin != SymbolOrigin::Witness).collect()
}

/// A state as dense tables, for fast evaluation of partial structures.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    /// Size of each sort, by its index.
    pub(super) sizes: Vec<u32>,
    /// Values by symbol of the vocabulary, in lexicographic order of the arguments.
    pub(super) tables: Vec<Box<[u16]>>,
    /// By symbol of the vocabulary, the distance in its table of neighbouring values of each argument.
    strides: Vec<Box<[usize]>>,
}

impl State {
    /// Reads the state of `step`.
    pub(super) fn new(vocabulary: &Vocabulary, sig: &Signature, structure: &Structure, step: usize) -> State {
        let sizes: Vec<u32> =
            sig.sorts.ids().take(vocabulary.sorts).map(|sort| structure.sizes[sort]).collect();
        let table = |symbol: &VocabularySymbol| {
            let dims: Vec<usize> = symbol.args.iter().map(|sort| sizes[sort.index()] as usize).collect();
            let meaning = structure.interpretation(sig, symbol.sym, step);
            let mut table = vec![meaning.default as u16; dims.iter().product()];
            for (args, &value) in &meaning.entries {
                let mut at = 0;
                for (&arg, dim) in args.iter().zip(&dims) {
                    at = at * dim + arg as usize;
                }
                if let Some(cell) = table.get_mut(at) {
                    *cell = value as u16;
                }
            }
            table.into_boxed_slice()
        };
        let tables = vocabulary.symbols.iter().map(table).collect();
        let strides = vocabulary.symbols.iter().map(|symbol| {
            let mut strides = vec![1; symbol.args.len()];
            for at in (1..strides.len()).rev() {
                strides[at - 1] = strides[at] * sizes[symbol.args[at].index()] as usize;
            }
            strides.into_boxed_slice()
        });
        let strides = strides.collect();
        State { sizes, tables, strides }
    }
}

impl State {
    /// Returns each element, sort by sort.
    pub(super) fn identity(&self) -> Vec<u16> {
        self.sizes.iter().skip(1).flat_map(|&size| 0..size as u16).collect()
    }

    /// Returns the value of a symbol, by its number in the vocabulary, at elements.
    #[inline]
    pub(super) fn value(&self, symbol: usize, args: impl Iterator<Item = u16>) -> u16 {
        let mut place = 0;
        for (arg, &stride) in args.zip(&*self.strides[symbol]) {
            place += usize::from(arg) * stride;
        }
        self.tables[symbol][place]
    }
}

/// A literal over numbered variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Literal {
    pub(super) atom: Atom,
    pub(super) positive: bool,
}

impl Literal {
    /// Returns the largest variable.
    pub(super) fn last_variable(&self) -> usize {
        let mut last = 0;
        self.atom.variables(|var| last = last.max(usize::from(var)));
        last
    }
}

/// An atom over numbered variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Atom {
    /// A relation, by its index in the vocabulary.
    Relation(usize, Vec<u8>),
    /// A function, by its index in the vocabulary, and its value.
    Value(usize, Vec<u8>, u8),
    /// Equality of two variables, the first of which has the smaller number.
    Equal(u8, u8),
}

impl Atom {
    /// Calls `visit` with every variable of the atom.
    pub(super) fn variables(&self, mut visit: impl FnMut(u8)) {
        match self {
            Atom::Relation(_, args) => args.iter().for_each(|&var| visit(var)),
            Atom::Value(_, args, value) => {
                args.iter().for_each(|&var| visit(var));
                visit(*value);
            }
            Atom::Equal(a, b) => {
                visit(*a);
                visit(*b);
            }
        }
    }

    /// Returns the variable that has the value of a function.
    pub(super) fn value(&self) -> Option<usize> {
        match self {
            Atom::Value(_, _, value) => Some(usize::from(*value)),
            Atom::Relation(..) | Atom::Equal(..) => None,
        }
    }

    /// Returns the atom with the variables renamed.
    pub(super) fn renamed(&self, map: impl Fn(u8) -> u8) -> Atom {
        match self {
            Atom::Relation(symbol, args) => {
                Atom::Relation(*symbol, args.iter().map(|&var| map(var)).collect())
            }
            Atom::Value(symbol, args, value) => {
                Atom::Value(*symbol, args.iter().map(|&var| map(var)).collect(), map(*value))
            }
            Atom::Equal(a, b) => {
                let (a, b) = (map(*a), map(*b));
                Atom::Equal(a.min(b), a.max(b))
            }
        }
    }

    /// Evaluates the atom. All of its variables have values.
    pub(super) fn holds(&self, state: &State, values: &[u16]) -> bool {
        match self {
            Atom::Relation(symbol, args) => lookup(state, *symbol, args, values) != 0,
            Atom::Value(symbol, args, value) => {
                lookup(state, *symbol, args, values) == values[usize::from(*value)]
            }
            Atom::Equal(a, b) => values[usize::from(*a)] == values[usize::from(*b)],
        }
    }
}

/// Returns the value of a symbol at variables.
#[inline]
fn lookup(state: &State, symbol: usize, args: &[u8], values: &[u16]) -> u16 {
    state.value(symbol, args.iter().map(|&var| values[usize::from(var)]))
}

/// A conjunction of literals over numbered variables, whose negation is a universal clause. Two variables may have the
/// same value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Pattern {
    /// The sort of each variable, ascending.
    pub(super) sorts: Vec<SortId>,
    /// The literals.
    pub(super) literals: Vec<Literal>,
}

impl Pattern {
    /// Returns the same pattern without unused variables, with the others numbered sort by sort in the order in which
    /// the sorted literals mention them.
    pub(super) fn normalized(mut self) -> Pattern {
        // Renumbering changes the order of the literals, so it is repeated until nothing changes, or a few times.
        for _ in 0..4 {
            let before = self.clone();
            self.literals.sort();
            self.literals.dedup();
            let mut first: Vec<u8> = Vec::new();
            for literal in &self.literals {
                literal.atom.variables(|var| {
                    if !first.contains(&var) {
                        first.push(var);
                    }
                });
            }
            first.sort_by_key(|&var| self.sorts[usize::from(var)]);
            let place = |var: u8| first.iter().position(|&other| other == var).unwrap_or(0) as u8;
            let literals = self
                .literals
                .iter()
                .map(|literal| Literal { atom: literal.atom.renamed(place), positive: literal.positive })
                .collect();
            self =
                Pattern { sorts: first.iter().map(|&var| self.sorts[usize::from(var)]).collect(), literals };
            if self == before {
                break;
            }
        }
        self.literals.sort();
        self
    }

    /// Returns the pattern with facts as literals; `None` if they are about symbols that the vocabulary does not have.
    pub(super) fn of_facts(partial: &Partial, sig: &Signature, vocabulary: &Vocabulary) -> Option<Pattern> {
        let elements = partial.elements(sig);
        u8::try_from(elements.len()).ok()?;
        let sorts = elements.iter().map(|&(sort, _)| sort).collect();
        let var = |sort: SortId, elem: Elem| {
            elements.iter().position(|&element| element == (sort, elem)).map(|at| at as u8)
        };
        let literal = |fact: &Fact| {
            let (atom, positive) = match fact {
                Fact::Relation { sym, args, positive } => {
                    let symbol = vocabulary.symbols.iter().position(|it| it.sym == *sym)?;
                    let sorts = &vocabulary.symbols[symbol].args;
                    let args = sorts.iter().zip(args).map(|(&sort, &arg)| var(sort, arg));
                    (Atom::Relation(symbol, args.collect::<Option<_>>()?), *positive)
                }
                Fact::Value { sym, args, value, positive } => {
                    let symbol = vocabulary.symbols.iter().position(|it| it.sym == *sym)?;
                    let VocabularySymbol { args: sorts, result, .. } = &vocabulary.symbols[symbol];
                    let args = sorts.iter().zip(args).map(|(&sort, &arg)| var(sort, arg));
                    let value = var((*result)?, *value)?;
                    (Atom::Value(symbol, args.collect::<Option<_>>()?, value), *positive)
                }
                Fact::Distinct { sort, pair: [a, b] } => {
                    let (a, b) = (var(*sort, *a)?, var(*sort, *b)?);
                    (Atom::Equal(a.min(b), a.max(b)), false)
                }
            };
            Some(Literal { atom, positive })
        };
        let literals = partial.facts.iter().map(literal).collect::<Option<_>>()?;
        Some(Pattern { sorts, literals })
    }

    /// Returns the literals as facts about elements, which stand for the variables.
    pub(super) fn facts(&self, vocabulary: &Vocabulary) -> Vec<Fact> {
        let mut next = vec![0; vocabulary.sorts];
        let elements: Vec<Elem> = self
            .sorts
            .iter()
            .map(|sort| {
                let elem = next[sort.index()];
                next[sort.index()] += 1;
                elem
            })
            .collect();
        let elem = |var: &u8| elements[usize::from(*var)];
        let mut literals: Vec<&Literal> = self.literals.iter().collect();
        literals.sort_by_key(|literal| matches!(literal.atom, Atom::Equal(..)));
        let fact = |literal: &&Literal| {
            let positive = literal.positive;
            Some(match &literal.atom {
                Atom::Relation(symbol, args) => Fact::Relation {
                    sym: vocabulary.symbols[*symbol].sym,
                    args: args.iter().map(elem).collect(),
                    positive,
                },
                Atom::Value(symbol, args, value) => Fact::Value {
                    sym: vocabulary.symbols[*symbol].sym,
                    args: args.iter().map(elem).collect(),
                    value: elem(value),
                    positive,
                },
                Atom::Equal(..) if positive => return None,
                Atom::Equal(a, b) => {
                    let (a, b) = (elem(a), elem(b));
                    Fact::Distinct {
                        sort: self.sorts[usize::from(self.first(literal))],
                        pair: [a.min(b), a.max(b)],
                    }
                }
            })
        };
        literals.iter().filter_map(fact).collect()
    }

    fn first(&self, literal: &Literal) -> u8 {
        let mut first = 0;
        literal.atom.variables(|var| first = var);
        first
    }
}

/// A test of a [`Matcher`], checked as soon as its variables have values.
#[derive(Clone, Debug)]
struct Test {
    atom: Atom,
    positive: bool,
}

/// How a [`Matcher`] assigns a variable.
#[derive(Clone, Debug)]
struct Place {
    var: u8,
    sort: SortId,
    /// A function with assigned arguments that has this variable as its value.
    value: Option<(usize, Vec<u8>)>,
    /// The tests that mention this variable, and else only earlier ones.
    tests: Vec<Test>,
}

/// A [`Pattern`] compiled for matching.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    places: Vec<Place>,
    /// Tests without variables.
    ground: Vec<Test>,
    vars: usize,
}

impl Matcher {
    /// Compiles a pattern.
    pub(super) fn new(pattern: &Pattern) -> Matcher {
        Matcher::of_literals(&pattern.sorts, pattern.literals.iter())
    }

    /// Compiles literals over variables of these sorts. Variables that no literal mentions are not assigned.
    pub(super) fn of_literals<'a>(sorts: &[SortId], literals: impl Iterator<Item = &'a Literal>) -> Matcher {
        let literals: Vec<&Literal> = literals.collect();
        let variables: Vec<Vec<u8>> = literals
            .iter()
            .map(|literal| {
                let mut vars = Vec::new();
                literal.atom.variables(|var| vars.push(var));
                vars
            })
            .collect();
        let mut open: Vec<u8> = Vec::new();
        for &var in variables.iter().flatten() {
            if !open.contains(&var) {
                open.push(var);
            }
        }
        let mut is_done = vec![false; literals.len()];
        let test = |at: usize| Test { atom: literals[at].atom.clone(), positive: literals[at].positive };
        let ground = (0..literals.len()).filter(|&at| variables[at].is_empty()).map(test).collect();
        let mut assigned: Vec<u8> = Vec::new();
        let mut places = Vec::new();
        while !open.is_empty() {
            // A variable that is the value of a function costs nothing; otherwise the one with the most tests is next.
            let value_of = |var: u8| {
                literals.iter().find_map(|literal| match &literal.atom {
                    Atom::Value(symbol, args, value)
                        if literal.positive
                            && *value == var
                            && args.iter().all(|arg| assigned.contains(arg)) =>
                    {
                        Some((*symbol, args.clone()))
                    }
                    _ => None,
                })
            };
            let completes = |var: u8| {
                let is_complete = |at: &usize| {
                    !is_done[*at]
                        && variables[*at].contains(&var)
                        && variables[*at].iter().all(|other| *other == var || assigned.contains(other))
                };
                (0..literals.len()).filter(is_complete).collect::<Vec<usize>>()
            };
            let mentions = |var: u8| variables.iter().filter(|vars| vars.contains(&var)).count();
            let best = (0..open.len())
                .max_by_key(|&at| {
                    let var = open[at];
                    (value_of(var).is_some(), completes(var).len(), mentions(var), usize::MAX - at)
                })
                .unwrap_or(0);
            let var = open[best];
            let value = value_of(var);
            let tests = completes(var);
            tests.iter().for_each(|&at| is_done[at] = true);
            places.push(Place {
                var,
                sort: sorts[usize::from(var)],
                value,
                tests: tests.into_iter().map(test).collect(),
            });
            assigned.push(var);
            open.remove(best);
        }
        Matcher { places, ground, vars: sorts.len() }
    }

    /// Finds values of the variables for which all literals are true. Variables that no literal mentions are
    /// `u16::MAX`. Adds the number of tests to `work`.
    pub(super) fn find(&self, state: &State, work: &mut u64) -> Option<Vec<u16>> {
        let mut values = vec![u16::MAX; self.vars];
        let is_true = |test: &Test| test.atom.holds(state, &values) == test.positive;
        if !self.ground.iter().all(is_true) {
            return None;
        }
        self.assign(0, state, &mut values, work).then_some(values)
    }

    fn assign(&self, at: usize, state: &State, values: &mut Vec<u16>, work: &mut u64) -> bool {
        let Some(place) = self.places.get(at) else { return true };
        let range = match &place.value {
            Some((symbol, args)) => {
                let value = lookup(state, *symbol, args, values);
                value..value + 1
            }
            None => 0..state.sizes[place.sort.index()] as u16,
        };
        for value in range {
            values[usize::from(place.var)] = value;
            // Most tests are not reached, but of a large pattern still many.
            *work += 1 + place.tests.len() as u64 / 8;
            let is_true = |test: &Test| test.atom.holds(state, values) == test.positive;
            if place.tests.iter().all(is_true) && self.assign(at + 1, state, values, work) {
                return true;
            }
        }
        values[usize::from(place.var)] = u16::MAX;
        false
    }
}
