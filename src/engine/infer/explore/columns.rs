//! Facts about many states of the same sizes, by columns: a bit per state.

use crate::infer::exists::Alternation;
use crate::infer::state::{Atom, Literal, Pattern, Vocabulary};
use ramsey_circuit::finite::{self, Instance, Meaning, Place};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::Tuples;

/// Where the values of a fact come from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Known(bool),
    Latch(usize),
    /// A property of the circuit.
    Property(usize),
}

/// The facts about a symbol.
#[derive(Clone, Debug)]
struct Table {
    /// Its first column.
    first: usize,
    /// By argument, and last the value of a function: the distance of neighbouring columns.
    strides: Vec<usize>,
}

/// The columns of all facts.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    sizes: Vec<u32>,
    tables: Vec<Table>,
    sources: Vec<Source>,
    /// By fact, the states in which it is true.
    words: Vec<Vec<u64>>,
    states: usize,
}

impl Columns {
    /// Creates columns without states. The circuit has this number of targets.
    pub(super) fn new(instance: &Instance, vocabulary: &Vocabulary, targets: usize) -> Columns {
        let sizes: Vec<u32> = instance.sizes().iter().copied().collect();
        let mut sources = Vec::new();
        let mut tables = Vec::new();
        for symbol in &vocabulary.symbols {
            let dims: Vec<u32> =
                symbol.args.iter().copied().chain(symbol.result).map(|sort| sizes[sort.index()]).collect();
            let mut strides = vec![1; dims.len()];
            for at in (1..dims.len()).rev() {
                strides[at - 1] = strides[at] * dims[at] as usize;
            }
            let first = sources.len();
            tables.push(Table { first, strides });
            for mut tuple in Tuples::new(dims) {
                let meaning = match symbol.result {
                    None => Meaning::Holds,
                    Some(_) => Meaning::Is(tuple.pop().unwrap_or_default()),
                };
                let is_single = symbol.result.is_some_and(|sort| sizes[sort.index()] == 1);
                let atom = finite::Atom { sym: symbol.sym, args: tuple.as_slice().into(), meaning };
                sources.push(match instance.place(&atom) {
                    Some(Place::Latch(latch)) => Source::Latch(latch),
                    Some(Place::Known(value)) => Source::Known(value),
                    None => Source::Known(is_single),
                });
            }
        }
        let mut property = targets;
        for sym in instance.defined() {
            let Some(at) = vocabulary.symbols.iter().position(|symbol| symbol.sym == sym) else { continue };
            let dims = vocabulary.symbols[at].args.iter().map(|sort| sizes[sort.index()]).collect();
            for (rank, _) in Tuples::new(dims).enumerate() {
                sources[tables[at].first + rank] = Source::Property(property);
                property += 1;
            }
        }
        let words = vec![Vec::new(); sources.len()];
        Columns { sizes, tables, sources, words, states: 0 }
    }

    /// Returns the number of states.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// Returns the number of words that are full.
    pub(super) fn complete_words(&self) -> usize {
        self.states / 64
    }

    /// Sets the word of `count` states, for which the circuit has these values.
    pub(super) fn set(&mut self, block: usize, count: usize, values: &[u64], instance: &Instance) {
        let circuit = instance.circuit();
        let mask = u64::MAX >> (64 - count);
        for (source, words) in self.sources.iter().zip(&mut self.words) {
            let word = match *source {
                Source::Known(value) => {
                    if value {
                        u64::MAX
                    } else {
                        0
                    }
                }
                Source::Latch(latch) => circuit.latch(latch).of(values),
                Source::Property(property) => circuit.bad()[property].of(values),
            };
            words.resize(block, 0);
            words.push(word & mask);
        }
        self.states = block * 64 + count;
    }

    /// Returns the states from this one on, after so many words that are left out; `None` if there are none.
    fn states_from(&self, from: usize) -> Option<(usize, Vec<u64>)> {
        if from >= self.states {
            return None;
        }
        let skipped = from / 64;
        let mut all = vec![u64::MAX; self.states.div_ceil(64) - skipped];
        all[0] &= u64::MAX << (from % 64);
        if !self.states.is_multiple_of(64) {
            *all.last_mut()? &= u64::MAX >> (64 - self.states % 64);
        }
        Some((skipped, all))
    }

    /// Returns a state in which a formula with witnesses is false, from this one on. Adds the number of words looked at to
    /// `work`.
    pub(super) fn refuting(&self, formula: &Alternation, from: usize, work: &mut u64) -> Option<usize> {
        let (skipped, all) = self.states_from(from)?;
        let values = vec![0; formula.sorts.len()];
        let states = Refuter { columns: self, formula, skipped, values, work }.refuted(0, &all)?;
        let word = states.iter().position(|&word| word != 0)?;
        Some((skipped + word) * 64 + states[word].trailing_zeros() as usize)
    }

    /// Returns a state in which a pattern occurs, from this one on. Adds the number of words looked at to `work`.
    pub(super) fn find(&self, pattern: &Pattern, from: usize, work: &mut u64) -> Option<usize> {
        let (skipped, all) = self.states_from(from)?;
        let mut open: Vec<&Literal> = pattern.literals.iter().collect();
        let mut order: Vec<u8> = Vec::new();
        let mut tests: Vec<Vec<&Literal>> = vec![Vec::new()];
        // The variable that completes the most literals is next. That a value of a function determines a variable is of no
        // use here, unlike in `Matcher`: it is another one in each state.
        loop {
            let is_complete = |literal: &Literal, order: &[u8], more: Option<u8>| {
                let mut is_complete = true;
                literal.atom.variables(|var| is_complete &= order.contains(&var) || more == Some(var));
                is_complete
            };
            let (ready, rest): (Vec<&Literal>, Vec<&Literal>) =
                open.into_iter().partition(|literal| is_complete(literal, &order, None));
            if let Some(last) = tests.last_mut() {
                last.extend(ready);
            }
            open = rest;
            let next = (0..pattern.sorts.len() as u8).filter(|var| !order.contains(var)).max_by_key(|&var| {
                let completed = open.iter().filter(|literal| is_complete(literal, &order, Some(var))).count();
                (completed, u8::MAX - var)
            });
            let Some(next) = next.filter(|_| !open.is_empty()) else { break };
            order.push(next);
            tests.push(Vec::new());
        }
        let sizes = order.iter().map(|&var| self.sizes[pattern.sorts[usize::from(var)].index()]).collect();
        let mut finder = Finder {
            columns: self,
            order,
            sizes,
            tests,
            skipped,
            values: vec![0; pattern.sorts.len()],
            work,
        };
        Some(finder.assign(0, &all)? + skipped * 64)
    }

    /// Returns in which states a literal is true under an assignment.
    fn truth(&self, literal: &Literal, values: &[u32], skipped: usize) -> Truth<'_> {
        let value = |var: &u8| values[usize::from(*var)] as usize;
        let (symbol, args, last) = match &literal.atom {
            Atom::Relation(symbol, args) => (symbol, args, None),
            Atom::Value(symbol, args, last) => (symbol, args, Some(last)),
            Atom::Equal(a, b) => return Truth::Known((value(a) == value(b)) == literal.positive),
        };
        let Table { first, strides } = &self.tables[*symbol];
        let places = args.iter().chain(last).zip(strides).map(|(var, stride)| value(var) * stride);
        let column = first + places.sum::<usize>();
        match self.sources[column] {
            Source::Known(value) => Truth::Known(value == literal.positive),
            _ => Truth::Words(&self.words[column][skipped..], if literal.positive { 0 } else { u64::MAX }),
        }
    }
}

/// The states in which a literal is true.
#[derive(Clone, Copy, Debug)]
enum Truth<'a> {
    /// All or none.
    Known(bool),
    /// Those of these words, with the bits flipped that are set in the mask.
    Words(&'a [u64], u64),
}

impl Truth<'_> {
    /// Returns those of the given states in which the literal has a truth value.
    fn among(self, states: &[u64], value: bool, work: &mut u64) -> Vec<u64> {
        match self {
            Truth::Known(known) if known == value => states.to_vec(),
            Truth::Known(_) => vec![0; states.len()],
            Truth::Words(words, flip) => {
                *work += 1 + states.len() as u64 / 8;
                let flip = if value { flip } else { !flip };
                states.iter().zip(words).map(|(state, word)| state & (word ^ flip)).collect()
            }
        }
    }
}

fn is_empty(states: &[u64]) -> bool {
    states.iter().all(|&word| word == 0)
}

/// A search for a pattern, variable by variable.
struct Finder<'a> {
    columns: &'a Columns,
    /// The variables in the order in which they get values, and the numbers of these.
    order: Vec<u8>,
    sizes: Vec<u32>,
    /// By number of variables with values, the literals that are evaluated then.
    tests: Vec<Vec<&'a Literal>>,
    /// Number of words that are left out.
    skipped: usize,
    values: Vec<u32>,
    work: &'a mut u64,
}

impl Finder<'_> {
    /// Returns one of the given states in which the pattern occurs with the values of the first variables.
    fn assign(&mut self, depth: usize, states: &[u64]) -> Option<usize> {
        let mut left: Option<Vec<u64>> = None;
        for literal in &self.tests[depth] {
            let truth = self.columns.truth(literal, &self.values, self.skipped);
            if let Truth::Known(true) = truth {
                continue;
            }
            let after = truth.among(left.as_deref().unwrap_or(states), true, self.work);
            if is_empty(&after) {
                return None;
            }
            left = Some(after);
        }
        let states = left.as_deref().unwrap_or(states);
        let Some(&var) = self.order.get(depth) else {
            let word = states.iter().position(|&word| word != 0)?;
            return Some(word * 64 + states[word].trailing_zeros() as usize);
        };
        (0..self.sizes[depth]).find_map(|value| {
            self.values[usize::from(var)] = value;
            *self.work += 1;
            self.assign(depth + 1, states)
        })
    }
}

/// An evaluation of a formula with witnesses in many states, variable by variable.
struct Refuter<'a> {
    columns: &'a Columns,
    formula: &'a Alternation,
    /// Number of words that are left out.
    skipped: usize,
    values: Vec<u32>,
    work: &'a mut u64,
}

impl Refuter<'_> {
    /// Returns the elements that a variable ranges over.
    fn range(&self, var: usize) -> std::ops::Range<u32> {
        0..self.columns.sizes[self.formula.sorts[var].index()]
    }

    fn among(&mut self, literal: &Literal, states: &[u64], value: bool) -> Vec<u64> {
        self.columns.truth(literal, &self.values, self.skipped).among(states, value, self.work)
    }

    /// Returns some of the given states in which the formula is false for values of the outer variables from `var` on;
    /// `None` if there are none.
    fn refuted(&mut self, var: usize, states: &[u64]) -> Option<Vec<u64>> {
        let formula = self.formula;
        let mut left = states.to_vec();
        // The literals of the clause that the last variable decides.
        for literal in formula.clause.iter().filter(|it| it.last_variable() + 1 == var) {
            left = self.among(literal, &left, false);
        }
        if var == formula.outer {
            let witnessed = self.witnessed(var, &left);
            left.iter_mut().zip(witnessed).for_each(|(word, witnessed)| *word &= !witnessed);
            return (!is_empty(&left)).then_some(left);
        }
        if is_empty(&left) {
            return None;
        }
        self.range(var).find_map(|value| {
            self.values[var] = value;
            *self.work += 1;
            self.refuted(var + 1, &left)
        })
    }

    /// Returns those of the given states in which some witnesses from `var` on make the matrix true.
    fn witnessed(&mut self, var: usize, states: &[u64]) -> Vec<u64> {
        if var == self.formula.outer + self.formula.witnesses {
            return self.holds_for_all(var, states);
        }
        let mut open = states.to_vec();
        for value in self.range(var) {
            if is_empty(&open) {
                break;
            }
            self.values[var] = value;
            *self.work += 1;
            let found = self.witnessed(var + 1, &open);
            open.iter_mut().zip(found).for_each(|(word, found)| *word &= !found);
        }
        states.iter().zip(open).map(|(state, open)| state & !open).collect()
    }

    /// Returns those of the given states in which the matrix is true for all values of the inner variables from `var` on.
    /// Literals of the clause that the outer variables decide are false.
    fn holds_for_all(&mut self, var: usize, states: &[u64]) -> Vec<u64> {
        let formula = self.formula;
        let mut left = states.to_vec();
        if var < formula.sorts.len() {
            for value in self.range(var) {
                if is_empty(&left) {
                    break;
                }
                self.values[var] = value;
                *self.work += 1;
                left = self.holds_for_all(var + 1, &left);
            }
            return left;
        }
        let mut open = states.to_vec();
        for literal in formula.clause.iter().filter(|it| it.last_variable() >= formula.outer) {
            open = self.among(literal, &open, false);
        }
        let mut cube = if formula.cube.is_empty() { vec![0; open.len()] } else { open.clone() };
        for literal in &formula.cube {
            cube = self.among(literal, &cube, true);
        }
        let is_false = open.into_iter().zip(cube).map(|(open, cube)| open & !cube);
        left.iter_mut().zip(is_false).for_each(|(word, is_false)| *word &= !is_false);
        left
    }
}
