//! The calculus. Every clause is true in all structures, once the constants of proofs are chosen: `spec/certificate.md` has the
//! argument, and `spec/rocq/Sound.v` the proof.

use crate::core::Core;
use crate::formula::{Id, Node};
use crate::words::{Scope, Words};
use crate::{Checked, Map};

/// A proof, as far as it is read. A literal is twice the number of a formula, and one more for its negation.
#[derive(Debug)]
pub(crate) struct Proof {
    pub(crate) core: Core,
    /// Closed terms. The first has number 0.
    pub(crate) terms: Vec<Id>,
    /// Closed formulas that are no negations. The first has number 1.
    pub(crate) formulas: Vec<Id>,
    /// By formula, its number. An equation has that of its mirror image.
    numbers: Map<Id, u32>,
    /// Clauses; none for those that were deleted. The first has number 1.
    pub(crate) clauses: Vec<Option<Box<[u32]>>>,
    /// The number of constants that were introduced.
    pub(crate) constants: u32,
    /// By literal, the last derivation in which it was false.
    is_false: Vec<usize>,
    derivations: usize,
    /// What may be done for it, as [`Pool`](crate::formula::Pool) counts.
    limit: u64,
}

impl Proof {
    /// Begins a proof, which may take as long as it does.
    pub(crate) fn new(core: Core) -> Proof {
        Proof {
            core,
            terms: Vec::new(),
            formulas: Vec::new(),
            numbers: Map::new(),
            clauses: Vec::new(),
            constants: 0,
            is_false: vec![0; 2],
            derivations: 0,
            limit: u64::MAX,
        }
    }

    /// Begins another proof about the same closed system, which has so many terms and formulas. It takes no more than `limit`.
    pub(crate) fn restart(&mut self, size: usize, limit: u64) {
        self.core.pool.truncate(size);
        self.core.pool.work = 0;
        self.limit = limit;
        self.terms.clear();
        self.formulas.clear();
        self.numbers.clear();
        self.clauses.clear();
        self.constants = 0;
        self.is_false = vec![0; 2];
        self.derivations = 0;
    }

    /// Reads the line of a step. Each kind of step is what the table of `spec/certificate.md` says.
    pub(crate) fn step(&mut self, line: &str) -> Checked {
        let mut words = Words::new(line);
        let clause = match words.word()? {
            "t" => {
                let (core, terms, formulas) = (&mut self.core, &self.terms, &self.formulas);
                let scope = Scope { vocabulary: &core.vocabulary, states: core.states, terms, formulas };
                let term = words.term(&mut core.pool, scope)?;
                self.terms.push(term);
                return words.end();
            }
            "d" => {
                let (core, terms, formulas) = (&mut self.core, &self.terms, &self.formulas);
                let scope = Scope { vocabulary: &core.vocabulary, states: core.states, terms, formulas };
                let formula = words.formula(&mut core.pool, scope)?;
                self.literal(formula);
                return words.end();
            }
            "i" => {
                let obligation =
                    self.core.obligations.get(words.number()? as usize).ok_or("no such obligation")?;
                let at = words.number()? as usize;
                let goal = (at == obligation.hypotheses.len()).then_some(obligation.goal);
                let formula = obligation.hypotheses.get(at).copied().or(goal).ok_or("no such hypothesis")?;
                self.literal(formula);
                return words.end();
            }
            "-" => {
                for number in words.numbers()? {
                    let clause = (number as usize).checked_sub(1).and_then(|at| self.clauses.get_mut(at));
                    clause.and_then(Option::take).ok_or("no such clause")?;
                }
                return Ok(());
            }
            "a" => {
                let (n, at) = (words.number()?, words.number()? as usize);
                let Node::And(items) = self.node(n)? else { return Err("not a conjunction") };
                let child = *items.get(at).ok_or("the conjunction has fewer parts")?;
                vec![2 * n + 1, self.literal(child)]
            }
            "A" => {
                let n = words.number()?;
                let Node::And(items) = self.node(n)? else { return Err("not a conjunction") };
                let mut clause = vec![2 * n];
                for child in items.clone() {
                    clause.push(self.literal(child) ^ 1);
                }
                clause
            }
            "o" => {
                let n = words.number()?;
                let Node::Or(items) = self.node(n)? else { return Err("not a disjunction") };
                let mut clause = vec![2 * n + 1];
                for child in items.clone() {
                    clause.push(self.literal(child));
                }
                clause
            }
            "O" => {
                let (n, at) = (words.number()?, words.number()? as usize);
                let Node::Or(items) = self.node(n)? else { return Err("not a disjunction") };
                let child = *items.get(at).ok_or("the disjunction has fewer parts")?;
                vec![2 * n, self.literal(child) ^ 1]
            }
            "p" => {
                let (n, kind) = (words.number()?, words.number()?);
                let &Node::Implies(a, b) = self.node(n)? else { return Err("not an implication") };
                let (a, b) = (self.literal(a), self.literal(b));
                match kind {
                    0 => vec![2 * n + 1, a ^ 1, b],
                    1 => vec![2 * n, a],
                    2 => vec![2 * n, b ^ 1],
                    _ => return Err("an implication has clauses 0 to 2"),
                }
            }
            "e" => {
                let (n, kind) = (words.number()?, words.number()?);
                let &Node::Iff(a, b) = self.node(n)? else { return Err("not an equivalence") };
                let (a, b) = (self.literal(a), self.literal(b));
                match kind {
                    0 => vec![2 * n + 1, a ^ 1, b],
                    1 => vec![2 * n + 1, a, b ^ 1],
                    2 => vec![2 * n, a, b],
                    3 => vec![2 * n, a ^ 1, b ^ 1],
                    _ => return Err("an equivalence has clauses 0 to 3"),
                }
            }
            "u" => {
                let n = words.number()?;
                let values = words.numbers()?;
                return self.instance(n, &values);
            }
            "w" => {
                let (n, count) = (words.number()?, words.number()?);
                self.witness(n, count)?
            }
            "x" => {
                let n = words.number()?;
                match self.node(n)? {
                    Node::Eq(_, a, b) if a == b => vec![2 * n],
                    _ => return Err("not an equation of a term with itself"),
                }
            }
            "y" => {
                let (a, b, c) = (words.number()?, words.number()?, words.number()?);
                let [(r, x, y), (s, u, v), (t, p, q)] =
                    [self.equation(a)?, self.equation(b)?, self.equation(c)?];
                let is_chain = |x, y| {
                    let links = |z| is_pair((u, v), (y, z)) && is_pair((p, q), (x, z));
                    links(p) || links(q)
                };
                if r != s || r != t || !is_chain(x, y) && !is_chain(y, x) {
                    return Err("the equations make no chain");
                }
                vec![2 * a + 1, 2 * b + 1, 2 * c]
            }
            "f" => {
                let n = words.number()?;
                let (_, x, y) = self.equation(n)?;
                let (Node::App(s, f, xs), Node::App(t, g, ys)) =
                    (self.core.pool.node(x), self.core.pool.node(y))
                else {
                    return Err("not an equation of applications");
                };
                if (s, f) != (t, g) {
                    return Err("two functions");
                }
                let mut clause = vec![2 * n];
                clause.extend(self.equations(xs, ys, &words.numbers()?)?);
                return self.add(clause);
            }
            "r" => {
                let (a, b) = (words.number()?, words.number()?);
                let (Node::Rel(s, f, xs), Node::Rel(t, g, ys)) = (self.node(a)?, self.node(b)?) else {
                    return Err("not an atom of a relation");
                };
                if (s, f) != (t, g) {
                    return Err("two relations");
                }
                let mut clause = vec![2 * a + 1, 2 * b];
                clause.extend(self.equations(xs, ys, &words.numbers()?)?);
                return self.add(clause);
            }
            "c" => {
                let clause = words.literals()?;
                let hints = words.numbers()?;
                self.derive(&clause, &hints)?;
                return self.add(clause);
            }
            _ => return Err("an unknown kind of line"),
        };
        words.end()?;
        self.add(clause)
    }

    /// Makes sure that a clause says that the hypotheses of an obligation imply its goal. If the goal is one of them there is none.
    pub(crate) fn shows(&mut self, obligation: usize, clause: u32) -> Checked {
        let obligation = self.core.obligations.get(obligation).ok_or("no such obligation")?;
        if clause == 0 && obligation.hypotheses.contains(&obligation.goal) {
            return Ok(());
        }
        let (goal, hypotheses) = (obligation.goal, std::sync::Arc::clone(&obligation.hypotheses));
        let clause = self.clause(clause)?.to_vec();
        let mut shown = Vec::with_capacity(hypotheses.len() + 1);
        for (&formula, is_hypothesis) in hypotheses.iter().map(|it| (it, true)).chain([(&goal, false)]) {
            let (formula, is_negated) = self.core.pool.unsigned(formula);
            shown.push((self.core.pool.proposition(formula), is_negated != is_hypothesis));
        }
        for literal in clause {
            let formula = self.formula(literal / 2)?;
            if !shown.contains(&(self.core.pool.proposition(formula), literal % 2 == 1)) {
                return Err("the clause says something else");
            }
        }
        Ok(())
    }

    fn add(&mut self, clause: Vec<u32>) -> Checked {
        if self.core.pool.len() > 1 << 30 || self.clauses.len() > 1 << 30 {
            return Err("too much for one proof");
        }
        self.spend(clause.len() + 1)?;
        self.clauses.push(Some(clause.into()));
        Ok(())
    }

    /// Counts steps, and makes sure that there are not too many.
    fn spend(&mut self, steps: usize) -> Checked {
        self.core.pool.work += steps as u64;
        if self.core.pool.work > self.limit { Err("the proof takes too long") } else { Ok(()) }
    }

    fn formula(&self, number: u32) -> Checked<Id> {
        let at = (number as usize).checked_sub(1);
        at.and_then(|at| self.formulas.get(at)).copied().ok_or("no such formula")
    }

    fn node(&self, number: u32) -> Checked<&Node> {
        self.formula(number).map(|formula| self.core.pool.node(formula))
    }

    fn clause(&self, number: u32) -> Checked<&[u32]> {
        let clause = (number as usize).checked_sub(1).and_then(|at| self.clauses.get(at));
        clause.and_then(Option::as_deref).ok_or("no such clause")
    }

    /// Returns the literal of a closed formula, which gets the next number if it has none.
    fn literal(&mut self, formula: Id) -> u32 {
        let (formula, is_negated) = self.core.pool.unsigned(formula);
        let next = self.formulas.len() as u32 + 1;
        let number = *self.numbers.entry(self.core.pool.proposition(formula)).or_insert(next);
        if number == next {
            self.formulas.push(formula);
            self.is_false.extend([0; 2]);
        }
        2 * number + u32::from(is_negated)
    }

    fn equation(&self, number: u32) -> Checked<(u32, Id, Id)> {
        match *self.node(number)? {
            Node::Eq(sort, a, b) => Ok((sort, a, b)),
            _ => Err("not an equation"),
        }
    }

    /// Returns the sorts of the first variables of a quantified formula, the body under them, and whether it is universal.
    fn block(&self, number: u32, count: usize) -> Checked<(Vec<u32>, Id, bool)> {
        let mut body = self.formula(number)?;
        let is_universal = matches!(self.core.pool.node(body), Node::Forall(..));
        let mut sorts = Vec::new();
        if count == 0 {
            return Err("a step about no variables");
        }
        for _ in 0..count {
            match *self.core.pool.node(body) {
                Node::Forall(sort, inner) if is_universal => (body, _) = (inner, sorts.push(sort)),
                Node::Exists(sort, inner) if !is_universal => (body, _) = (inner, sorts.push(sort)),
                _ => return Err("the formula has fewer variables"),
            }
        }
        Ok((sorts, body, is_universal))
    }

    /// A universal formula implies its body for any terms, and the body for any terms an existential one.
    fn instance(&mut self, number: u32, terms: &[u32]) -> Checked {
        let (sorts, body, is_universal) = self.block(number, terms.len())?;
        let mut values = Vec::with_capacity(terms.len());
        for (at, &sort) in sorts.iter().enumerate() {
            let value =
                terms.get(at).and_then(|&term| self.terms.get(term as usize)).ok_or("no such term")?;
            if self.core.vocabulary.sort(self.core.pool.node(*value)) != Some(sort) {
                return Err("a term of another sort");
            }
            values.push(*value);
        }
        let instance = self.core.pool.instance(body, &values);
        let literal = self.literal(instance);
        self.add(if is_universal { vec![2 * number + 1, literal] } else { vec![2 * number, literal ^ 1] })
    }

    /// New constants, for which the body is true if an existential formula is, and false if a universal one is. They are the
    /// next terms.
    fn witness(&mut self, number: u32, count: u32) -> Checked<Vec<u32>> {
        let (sorts, body, is_universal) = self.block(number, count as usize)?;
        let mut values = Vec::with_capacity(sorts.len());
        for sort in sorts {
            values.push(self.core.pool.intern(Node::Constant(sort, self.constants)));
            self.constants += 1;
        }
        self.spend(8 * values.len())?;
        self.terms.extend(&values);
        let instance = self.core.pool.instance(body, &values);
        let literal = self.literal(instance);
        Ok(if is_universal { vec![2 * number, literal ^ 1] } else { vec![2 * number + 1, literal] })
    }

    /// Returns the literals that arguments are not equal, pair by pair: by the numbers of equations, 0 where they are the same.
    fn equations(&self, xs: &[Id], ys: &[Id], equations: &[u32]) -> Checked<Vec<u32>> {
        if xs.len() != ys.len() || xs.len() != equations.len() {
            return Err("not an equation for each argument");
        }
        let mut literals = Vec::new();
        for ((&x, &y), &number) in xs.iter().zip(ys).zip(equations) {
            if number != 0 {
                let (_, a, b) = self.equation(number)?;
                if !is_pair((a, b), (x, y)) {
                    return Err("an equation of other terms");
                }
                literals.push(2 * number + 1);
            } else if x != y {
                return Err("arguments are not the same");
            }
        }
        Ok(literals)
    }

    /// Makes sure that a clause follows from others by unit propagation, in their order.
    fn derive(&mut self, clause: &[u32], hints: &[u32]) -> Checked {
        self.derivations += 1;
        for &literal in clause {
            self.formula(literal / 2)?;
            self.is_false[literal as usize] = self.derivations;
        }
        for &hint in hints {
            self.spend(self.clause(hint)?.len() + 1)?;
            let mut open = None;
            for &literal in self.clause(hint)? {
                if self.is_false[literal as usize] != self.derivations && open != Some(literal) {
                    if open.is_some() {
                        return Err("a hint has two literals that are not false");
                    }
                    open = Some(literal);
                }
            }
            match open {
                None => return Ok(()),
                Some(literal) => self.is_false[literal as usize ^ 1] = self.derivations,
            }
        }
        Err("the hints lead to no contradiction")
    }
}

/// Returns whether both have the same two terms.
fn is_pair((a, b): (Id, Id), (x, y): (Id, Id)) -> bool {
    (a, b) == (x, y) || (a, b) == (y, x)
}
