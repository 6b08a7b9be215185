//! Finite structures that refute obligations.

use crate::core::{Core, Obligation};
use crate::formula::{Id, Node};
use crate::words::{Vocabulary, Words};
use crate::{Checked, Map};

/// Maximum number of elements of a sort.
const MAX_ELEMENTS: u32 = 1 << 16;

/// Maximum number of nodes that are looked at to evaluate formulas.
const MAX_WORK: u64 = 1 << 33;

/// A structure, as far as it is read. Elements of a sort are numbers from 0.
#[derive(Debug)]
pub(crate) struct Structure<'a> {
    pub(crate) core: &'a Core,
    obligation: &'a Obligation,
    /// The number of elements of each sort.
    pub(crate) sizes: Vec<u32>,
    /// By state, function and arguments, its value; elsewhere it is 0.
    functions: Map<Vec<u32>, u32>,
    /// By state, relation and arguments, where it is true.
    relations: Map<Vec<u32>, u32>,
    pub(crate) work: u64,
    /// Values of constants of proofs, which formulas of closed systems do not have.
    #[cfg(test)]
    pub(crate) constants: Map<u32, u32>,
}

impl<'a> Structure<'a> {
    /// Begins a structure for the obligation with this number.
    pub(crate) fn new(core: &'a Core, number: usize) -> Checked<Structure<'a>> {
        let obligation = core.obligations.get(number).ok_or("no such obligation")?;
        Ok(Structure {
            core,
            obligation,
            sizes: Vec::new(),
            functions: Map::new(),
            relations: Map::new(),
            work: MAX_WORK,
            #[cfg(test)]
            constants: Map::new(),
        })
    }

    /// Reads a line: the size of the next sort, a value of a function, or where a relation is true.
    pub(crate) fn line(&mut self, line: &str) -> Checked {
        let mut words = Words::new(line);
        let word = words.word()?;
        let vocabulary = &self.core.vocabulary;
        if word == "size" {
            let (sort, size) = (words.number()?, words.number()?);
            if sort as usize != self.sizes.len() || sort >= vocabulary.sorts {
                return Err("not the next sort");
            }
            if size == 0 || size > MAX_ELEMENTS {
                return Err("a sort has 1 to 65536 elements");
            }
            self.sizes.push(size);
            return words.end();
        }
        if self.sizes.len() != vocabulary.sorts as usize {
            return Err("a value before the sizes of all sorts");
        }
        let (symbols, table) = match word {
            "value" => (&vocabulary.functions, &mut self.functions),
            "true" => (&vocabulary.relations, &mut self.relations),
            _ => return Err("neither a size nor a value"),
        };
        let (state, number) = (words.number()?, words.number()?);
        let symbol = Vocabulary::symbol(symbols, number, state, self.obligation.states)?;
        let mut key = vec![state, number];
        let mut elements = words.numbers()?;
        let sorts = symbol.args.iter().chain(&symbol.result);
        if elements.len() != symbol.args.len() + usize::from(symbol.result.is_some()) {
            return Err("not an element for each argument");
        }
        if sorts.zip(&elements).any(|(&sort, &element)| element >= self.sizes[sort as usize]) {
            return Err("no such element");
        }
        let value = symbol.result.and_then(|_| elements.pop()).unwrap_or(1);
        key.extend(elements);
        match table.insert(key, value) {
            None => Ok(()),
            Some(_) => Err("a second value"),
        }
    }

    /// Makes sure that the structure satisfies the hypotheses of its obligation, and not the goal.
    pub(crate) fn judge(mut self) -> Checked {
        if self.sizes.len() != self.core.vocabulary.sorts as usize {
            return Err("a sort without size");
        }
        for &hypothesis in &self.obligation.hypotheses.clone()[..] {
            if !self.holds(hypothesis, &mut Vec::new())? {
                return Err("a hypothesis is false in the structure");
            }
        }
        match self.holds(self.obligation.goal, &mut Vec::new())? {
            false => Ok(()),
            true => Err("the goal is true in the structure"),
        }
    }

    /// Evaluates a formula for values of the variables around it, that of the innermost one last.
    pub(crate) fn holds(&mut self, formula: Id, values: &mut Vec<u32>) -> Checked<bool> {
        self.work = self.work.checked_sub(1).ok_or("the formulas take too long to evaluate")?;
        let core = self.core;
        match core.pool.node(formula) {
            Node::Rel(state, relation, args) => {
                let key = self.elements(*state, *relation, args, values)?;
                Ok(self.relations.contains_key(&key))
            }
            &Node::Eq(_, a, b) => Ok(self.element(a, values)? == self.element(b, values)?),
            &Node::Not(a) => Ok(!self.holds(a, values)?),
            Node::And(items) => self.is_each(items, true, values),
            Node::Or(items) => Ok(!self.is_each(items, false, values)?),
            &Node::Implies(a, b) => Ok(!self.holds(a, values)? || self.holds(b, values)?),
            &Node::Iff(a, b) => Ok(self.holds(a, values)? == self.holds(b, values)?),
            &Node::Forall(sort, body) => self.is_everywhere(sort, body, true, values),
            &Node::Exists(sort, body) => Ok(!self.is_everywhere(sort, body, false, values)?),
            Node::Var(_) | Node::App(..) | Node::Constant(..) => Err("a term where a formula is expected"),
        }
    }

    fn is_each(&mut self, formulas: &[Id], wanted: bool, values: &mut Vec<u32>) -> Checked<bool> {
        for &formula in formulas {
            if self.holds(formula, values)? != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_everywhere(&mut self, sort: u32, body: Id, wanted: bool, values: &mut Vec<u32>) -> Checked<bool> {
        for element in 0..self.sizes[sort as usize] {
            values.push(element);
            let is = self.holds(body, values)?;
            values.pop();
            if is != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn element(&mut self, term: Id, values: &mut Vec<u32>) -> Checked<u32> {
        self.work = self.work.checked_sub(1).ok_or("the formulas take too long to evaluate")?;
        let core = self.core;
        match core.pool.node(term) {
            Node::Var(at) => values.iter().rev().nth(*at as usize).copied().ok_or("a variable without value"),
            Node::App(state, function, args) => {
                let key = self.elements(*state, *function, args, values)?;
                Ok(self.functions.get(&key).copied().unwrap_or(0))
            }
            #[cfg(test)]
            Node::Constant(_, number) => {
                self.constants.get(number).copied().ok_or("a constant without value")
            }
            _ => Err("not a term of a closed system"),
        }
    }

    /// Returns the place of a value: state, symbol, and arguments.
    fn elements(&mut self, state: u32, symbol: u32, args: &[Id], values: &mut Vec<u32>) -> Checked<Vec<u32>> {
        let mut key = Vec::with_capacity(args.len() + 2);
        key.extend([state, symbol]);
        for &arg in args {
            key.push(self.element(arg, values)?);
        }
        Ok(key)
    }
}
