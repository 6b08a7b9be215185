//! The checker of proofs about closed systems: the program of `spec/rocq/Check.v`, which is proved right there.
//!
//! Every clause is true in all structures, once the constants of proofs are chosen. A proof ends with clauses that say of
//! each claim that its hypotheses imply it.

use std::fmt;

use super::{Core, Literal, Named, Node, NodeId, Pool, Proof, Step, negated};
use ramsey_core::base::hash::{Map, Set};

/// Why a proof is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// The step, from 1; 0 if all steps are right and a claim is not shown.
    pub step: usize,
    /// What is wrong, as a sentence without capital letter and full stop.
    pub reason: &'static str,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            0 => f.write_str(self.reason),
            step => write!(f, "step {step}: {}", self.reason),
        }
    }
}

impl std::error::Error for Rejected {}

type Checked<T = ()> = Result<T, &'static str>;

/// Checks that the steps are right and show everything that the closed system claims.
///
/// # Errors
/// A step is wrong, or a claim is not shown.
pub fn check(proof: &Proof) -> Result<(), Rejected> {
    let mut checker = Checker {
        core: &proof.core,
        pool: proof.core.pool.clone(),
        formulas: Map::default(),
        clauses: Vec::new(),
        next: 1,
        constants: Map::default(),
    };
    for (at, step) in proof.steps.iter().enumerate() {
        checker.step(step).map_err(|reason| Rejected { step: at + 1, reason })?;
    }
    checker.claims(proof).map_err(|reason| Rejected { step: 0, reason })
}

struct Checker<'a> {
    core: &'a Core,
    pool: Pool,
    /// Formulas by number.
    formulas: Map<u32, NodeId>,
    /// Clauses. The first has number 1.
    clauses: Vec<Vec<Literal>>,
    /// The number of the next constant. All constants of formulas are below it.
    next: usize,
    /// By term or formula, one more than the greatest number of a constant in it.
    constants: Map<NodeId, usize>,
}

impl Checker<'_> {
    fn step(&mut self, step: &Step) -> Checked {
        let clause = match step {
            &Step::Define(number, node) => return self.claim(number, node),
            &Step::AndElim(n, at, l) => {
                let child = *self.conjuncts(n)?.get(at).ok_or("the conjunction has fewer parts")?;
                self.literal(l, child)?;
                vec![2 * n + 1, l]
            }
            Step::AndIntro(n, all) => {
                let items = self.conjuncts(*n)?;
                self.literals(all, &items)?;
                [2 * n].into_iter().chain(all.iter().map(|&l| negated(l))).collect()
            }
            Step::OrElim(n, all) => {
                let items = self.disjuncts(*n)?;
                self.literals(all, &items)?;
                [2 * n + 1].into_iter().chain(all.iter().copied()).collect()
            }
            &Step::OrIntro(n, at, l) => {
                let child = *self.disjuncts(n)?.get(at).ok_or("the disjunction has fewer parts")?;
                self.literal(l, child)?;
                vec![2 * n, negated(l)]
            }
            &Step::ImpliesElim(n, a, b) => {
                self.implication(n, a, b)?;
                vec![2 * n + 1, negated(a), b]
            }
            &Step::ImpliesIntro(n, a, b, by_premise) => {
                self.implication(n, a, b)?;
                if by_premise { vec![2 * n, a] } else { vec![2 * n, negated(b)] }
            }
            &Step::Iff(n, a, b, at) => {
                let &Node::Iff(f, g) = self.pool.node(self.formula(n)?) else {
                    return Err("not an equivalence");
                };
                self.literals(&[a, b], &[f, g])?;
                match at {
                    0 => vec![2 * n + 1, negated(a), b],
                    1 => vec![2 * n + 1, a, negated(b)],
                    2 => vec![2 * n, a, b],
                    _ => vec![2 * n, negated(a), negated(b)],
                }
            }
            Step::Instance(n, values, l) => {
                if !values.iter().all(|&value| self.is_ground(value)) {
                    return Err("a value has variables");
                }
                let (body, is_universal) = self.instance(*n, values)?;
                self.literal(*l, body)?;
                if is_universal { vec![2 * n + 1, *l] } else { vec![2 * n, negated(*l)] }
            }
            &Step::Witness(n, first, count, l) => {
                if first != self.next {
                    return Err("constants are not the next ones");
                }
                let values = self.witnesses(n, count)?;
                let (body, is_universal) = self.instance(n, &values)?;
                self.next += values.len();
                self.literal(l, body)?;
                if is_universal { vec![2 * n, negated(l)] } else { vec![2 * n + 1, l] }
            }
            &Step::Reflexive(n) => match self.pool.node(self.formula(n)?) {
                Node::Eq(_, a, b) if a == b => vec![2 * n],
                _ => return Err("not an equation of a term with itself"),
            },
            &Step::Transitive(a, b, c) => {
                let nodes = [a, b, c].map(|n| self.formula(n).map(|id| self.pool.node(id).clone()));
                let [Ok(Node::Eq(sort, x, y)), Ok(f), Ok(g)] = nodes else { return Err("not an equation") };
                if !is_chain(sort, x, y, &f, &g) && !is_chain(sort, y, x, &f, &g) {
                    return Err("the equations make no chain");
                }
                vec![2 * a + 1, 2 * b + 1, 2 * c]
            }
            Step::Function(n, equations) => {
                let &Node::Eq(_, x, y) = self.pool.node(self.formula(*n)?) else {
                    return Err("not an equation");
                };
                let (Node::App(s, f, xs), Node::App(t, g, ys)) = (self.pool.node(x), self.pool.node(y))
                else {
                    return Err("not an equation of applications");
                };
                if (s, f) != (t, g) {
                    return Err("two functions");
                }
                let sorts = &self.core.functions.get(*f).ok_or("no such function")?.0.args;
                let mut clause = vec![2 * n];
                clause.extend(self.equations(sorts, xs, ys, equations)?);
                clause
            }
            Step::Relation(a, b, equations) => {
                let (Node::Rel(s, f, xs), Node::Rel(t, g, ys)) =
                    (self.pool.node(self.formula(*a)?), self.pool.node(self.formula(*b)?))
                else {
                    return Err("not an atom of a relation");
                };
                if (s, f) != (t, g) {
                    return Err("two relations");
                }
                let sorts = &self.core.relations.get(*f).ok_or("no such relation")?.args;
                let mut clause = vec![2 * a + 1, 2 * b];
                clause.extend(self.equations(sorts, xs, ys, equations)?);
                clause
            }
            Step::Derived(clause, hints) => {
                self.derive(clause, hints)?;
                clause.clone()
            }
        };
        self.clauses.push(clause);
        Ok(())
    }

    fn formula(&self, number: u32) -> Checked<NodeId> {
        self.formulas.get(&number).copied().ok_or("no such formula")
    }

    fn conjuncts(&self, number: u32) -> Checked<Vec<NodeId>> {
        match self.pool.node(self.formula(number)?) {
            Node::And(items) => Ok(items.to_vec()),
            _ => Err("not a conjunction"),
        }
    }

    fn disjuncts(&self, number: u32) -> Checked<Vec<NodeId>> {
        match self.pool.node(self.formula(number)?) {
            Node::Or(items) => Ok(items.to_vec()),
            _ => Err("not a disjunction"),
        }
    }

    fn implication(&mut self, number: u32, a: Literal, b: Literal) -> Checked {
        let &Node::Implies(f, g) = self.pool.node(self.formula(number)?) else {
            return Err("not an implication");
        };
        self.literals(&[a, b], &[f, g])
    }

    /// Returns whether two formulas are one proposition: the same, or an equation and its mirror image.
    fn same(&self, f: NodeId, g: NodeId) -> bool {
        f == g || is_mirrored(self.pool.node(f), self.pool.node(g))
    }

    /// Makes sure that a number is that of a formula.
    fn claim(&mut self, number: u32, formula: NodeId) -> Checked {
        match self.formulas.get(&number).copied() {
            Some(known) if self.same(known, formula) => Ok(()),
            Some(_) => Err("the number is that of another formula"),
            None if number == 0 => Err("formulas are counted from 1"),
            None if self.bound(formula) > self.next => Err("a constant that is not introduced yet"),
            None => {
                self.formulas.insert(number, formula);
                Ok(())
            }
        }
    }

    /// Makes sure that a literal is that of a formula.
    fn literal(&mut self, mut literal: Literal, mut formula: NodeId) -> Checked {
        while let &Node::Not(inner) = self.pool.node(formula) {
            (literal, formula) = (negated(literal), inner);
        }
        if literal % 2 == 1 {
            return Err("the literal has the wrong sign");
        }
        self.claim(literal / 2, formula)
    }

    fn literals(&mut self, literals: &[Literal], formulas: &[NodeId]) -> Checked {
        if literals.len() != formulas.len() {
            return Err("not a literal for each part");
        }
        literals.iter().zip(formulas).try_for_each(|(&literal, &formula)| self.literal(literal, formula))
    }

    /// Returns one more than the greatest number of a constant in a term or formula.
    fn bound(&mut self, id: NodeId) -> usize {
        if let Some(&known) = self.constants.get(&id) {
            return known;
        }
        let parts = match self.pool.node(id) {
            &Node::Constant(_, number) => return number + 1,
            node => children(node),
        };
        let bound = parts.into_iter().map(|part| self.bound(part)).max().unwrap_or(0);
        self.constants.insert(id, bound);
        bound
    }

    fn is_ground(&self, term: NodeId) -> bool {
        match self.pool.node(term) {
            Node::Constant(..) => true,
            Node::App(_, _, args) => args.iter().all(|&arg| self.is_ground(arg)),
            _ => false,
        }
    }

    /// Returns the body of a block of quantifiers of one kind with closed terms for its variables, and whether it is universal.
    fn instance(&mut self, number: u32, values: &[NodeId]) -> Checked<(NodeId, bool)> {
        let mut body = self.formula(number)?;
        let is_universal = match self.pool.node(body) {
            Node::Forall(..) => true,
            Node::Exists(..) => false,
            _ => return Err("not a quantified formula"),
        };
        for &value in values {
            let sort = match *self.pool.node(body) {
                Node::Forall(sort, inner) if is_universal => {
                    body = inner;
                    sort
                }
                Node::Exists(sort, inner) if !is_universal => {
                    body = inner;
                    sort
                }
                _ => return Err("the formula has fewer variables"),
            };
            let of_value = match self.pool.node(value) {
                Node::App(_, function, _) => self.core.functions.get(*function).map(|(_, result)| *result),
                Node::Constant(sort, _) => Some(*sort),
                _ => None,
            };
            if of_value != Some(sort) {
                return Err("a value of another sort");
            }
        }
        let mut done = Map::default();
        Ok((self.substitute(body, 0, values, &mut done), is_universal))
    }

    /// Replaces the variables that are bound `depth` binders further out, or more, by closed terms: the last value is that of
    /// the innermost one.
    fn substitute(
        &mut self,
        id: NodeId,
        depth: usize,
        values: &[NodeId],
        done: &mut Map<(NodeId, usize), NodeId>,
    ) -> NodeId {
        if let Some(&known) = done.get(&(id, depth)) {
            return known;
        }
        let mut list = |checker: &mut Self, items: &[NodeId]| -> Box<[NodeId]> {
            items.iter().map(|&item| checker.substitute(item, depth, values, done)).collect()
        };
        let node = match self.pool.node(id).clone() {
            Node::Var(at) if at < depth => Node::Var(at),
            Node::Var(at) => match values.len().checked_sub(at - depth + 1) {
                Some(place) => return values[place],
                None => Node::Var(at - values.len()),
            },
            Node::Constant(sort, number) => Node::Constant(sort, number),
            Node::App(state, function, args) => Node::App(state, function, list(self, &args)),
            Node::Rel(state, relation, args) => Node::Rel(state, relation, list(self, &args)),
            Node::And(items) => Node::And(list(self, &items)),
            Node::Or(items) => Node::Or(list(self, &items)),
            Node::Eq(sort, a, b) => {
                let parts = list(self, &[a, b]);
                Node::Eq(sort, parts[0], parts[1])
            }
            Node::Implies(a, b) => {
                let parts = list(self, &[a, b]);
                Node::Implies(parts[0], parts[1])
            }
            Node::Iff(a, b) => {
                let parts = list(self, &[a, b]);
                Node::Iff(parts[0], parts[1])
            }
            Node::Not(a) => Node::Not(self.substitute(a, depth, values, done)),
            Node::Forall(sort, body) => Node::Forall(sort, self.substitute(body, depth + 1, values, done)),
            Node::Exists(sort, body) => Node::Exists(sort, self.substitute(body, depth + 1, values, done)),
        };
        let new = self.pool.intern(node);
        done.insert((id, depth), new);
        new
    }

    /// Returns the next constants, for so many variables of a quantified formula.
    fn witnesses(&mut self, number: u32, count: usize) -> Checked<Vec<NodeId>> {
        let mut body = self.formula(number)?;
        let mut constants = Vec::new();
        for at in 0..count {
            let (&Node::Forall(sort, inner) | &Node::Exists(sort, inner)) = self.pool.node(body) else {
                return Err("the formula has fewer variables");
            };
            body = inner;
            constants.push(self.pool.intern(Node::Constant(sort, self.next + at)));
        }
        Ok(constants)
    }

    /// Returns the literals that arguments are not equal, pair by pair, where they are not the same.
    fn equations(
        &self,
        sorts: &[usize],
        xs: &[NodeId],
        ys: &[NodeId],
        equations: &[Option<u32>],
    ) -> Checked<Vec<Literal>> {
        let count = sorts.len();
        if xs.len() != count || ys.len() != count || equations.len() != count {
            return Err("not an equation for each argument");
        }
        let mut literals = Vec::new();
        for at in 0..count {
            match equations[at] {
                None if xs[at] == ys[at] => {}
                None => return Err("arguments are not the same"),
                Some(number) => {
                    let wanted = Node::Eq(sorts[at], xs[at], ys[at]);
                    let known = self.pool.node(self.formula(number)?);
                    if *known != wanted && !is_mirrored(known, &wanted) {
                        return Err("an equation of other terms");
                    }
                    literals.push(2 * number + 1);
                }
            }
        }
        Ok(literals)
    }

    /// Checks that a clause follows by unit propagation.
    fn derive(&self, clause: &[Literal], hints: &[usize]) -> Checked {
        let mut is_false: Set<Literal> = clause.iter().copied().collect();
        for &hint in hints {
            let known = hint.checked_sub(1).and_then(|at| self.clauses.get(at)).ok_or("no such clause")?;
            let mut open: Option<Literal> = None;
            for literal in known {
                if is_false.contains(literal) || open == Some(*literal) {
                    continue;
                }
                if open.replace(*literal).is_some() {
                    return Err("a hint has two literals that are not false");
                }
            }
            match open {
                None => return Ok(()),
                Some(literal) => is_false.insert(negated(literal)),
            };
        }
        Err("the hints lead to no contradiction")
    }

    /// Checks that each claim has its clause.
    fn claims(&mut self, proof: &Proof) -> Checked {
        let core = self.core;
        let all = |list: &[Named]| -> Vec<NodeId> { list.iter().map(|it| it.formula).collect() };
        let lists = [&core.axioms, &core.inits, &core.transitions, &core.invariants, &core.assertions];
        let theorems = core.theorems.iter().map(|it| it.claim.formula);
        let formulas: Vec<NodeId> = lists.iter().flat_map(|list| all(list)).chain(theorems).collect();
        if formulas.into_iter().any(|formula| self.bound(formula) > 0) {
            return Err("a formula of the system has a constant of the proof");
        }
        let axioms = [self.at_state(&all(&core.axioms), 0), self.at_state(&all(&core.axioms), 1)];
        let invariants = [self.at_state(&all(&core.invariants), 0), self.at_state(&all(&core.invariants), 1)];
        let inits = self.at_state(&all(&core.inits), 0);
        let initially = [axioms[0].as_slice(), &inits].concat();
        self.entailed(&initially, &invariants[0], &proof.initially)?;
        if proof.preserved.len() != core.transitions.len() {
            return Err("not a list of clauses for each transition");
        }
        for (transition, clauses) in core.transitions.iter().zip(&proof.preserved) {
            let hypotheses =
                [&[transition.formula], axioms[0].as_slice(), &axioms[1], &invariants[0]].concat();
            self.entailed(&hypotheses, &invariants[1], clauses)?;
        }
        let assertions = self.at_state(&all(&core.assertions), 0);
        self.entailed(&[axioms[0].as_slice(), &invariants[0]].concat(), &assertions, &proof.asserted)?;
        if proof.theorems.len() != core.theorems.len() {
            return Err("not a clause for each theorem");
        }
        for (theorem, &clause) in core.theorems.iter().zip(&proof.theorems) {
            let (rigid, of_states) = core.axioms.split_at(core.immutable.min(core.axioms.len()));
            let mut hypotheses = all(rigid);
            let states = if theorem.is_about_states { theorem.states } else { 0 };
            for state in 0..states {
                hypotheses.extend(self.at_state(&all(of_states), state));
            }
            self.entailed(&hypotheses, &[theorem.claim.formula], &[clause])?;
        }
        Ok(())
    }

    /// Checks that the hypotheses imply each goal, by its clause.
    fn entailed(&mut self, hypotheses: &[NodeId], goals: &[NodeId], clauses: &[usize]) -> Checked {
        if goals.len() != clauses.len() {
            return Err("not a clause for each claim");
        }
        for (goal, clause) in goals.iter().zip(clauses) {
            if hypotheses.contains(goal) {
                continue;
            }
            let clause = clause.checked_sub(1).and_then(|at| self.clauses.get(at)).ok_or("no such clause")?;
            let is_shown = |&literal: &Literal| {
                self.is_literal(literal, *goal)
                    || hypotheses.iter().any(|&it| self.is_literal(negated(literal), it))
            };
            if !clause.iter().all(is_shown) {
                return Err("a clause does not show its claim");
            }
        }
        Ok(())
    }

    fn is_literal(&self, mut literal: Literal, mut formula: NodeId) -> bool {
        while let &Node::Not(inner) = self.pool.node(formula) {
            (literal, formula) = (negated(literal), inner);
        }
        let known = self.formulas.get(&(literal / 2));
        literal.is_multiple_of(2) && known.is_some_and(|&known| self.same(known, formula))
    }

    /// Returns formulas about one state, read in another one.
    fn at_state(&mut self, formulas: &[NodeId], state: u16) -> Vec<NodeId> {
        let mut done = Map::default();
        formulas.iter().map(|&formula| self.moved(formula, state, &mut done)).collect()
    }

    fn moved(&mut self, id: NodeId, state: u16, done: &mut Map<NodeId, NodeId>) -> NodeId {
        if let Some(&known) = done.get(&id) {
            return known;
        }
        let mut node = self.pool.node(id).clone();
        if let Node::App(at, ..) | Node::Rel(at, ..) = &mut node {
            *at = at.map(|_| state);
        }
        match &mut node {
            Node::Var(_) | Node::Constant(..) => {}
            Node::App(_, _, items) | Node::Rel(_, _, items) | Node::And(items) | Node::Or(items) => {
                items.iter_mut().for_each(|item| *item = self.moved(*item, state, done));
            }
            Node::Eq(_, a, b) | Node::Implies(a, b) | Node::Iff(a, b) => {
                *a = self.moved(*a, state, done);
                *b = self.moved(*b, state, done);
            }
            Node::Not(a) | Node::Forall(_, a) | Node::Exists(_, a) => *a = self.moved(*a, state, done),
        }
        let new = self.pool.intern(node);
        done.insert(id, new);
        new
    }
}

/// Returns whether one is the mirror image of the other, which is an equation.
fn is_mirrored(f: &Node, g: &Node) -> bool {
    matches!((f, g), (Node::Eq(s, a, b), Node::Eq(t, x, y)) if (s, a, b) == (t, y, x))
}

/// Returns whether `f` is y = z and `g` is x = z, for some z.
fn is_chain(sort: usize, x: NodeId, y: NodeId, f: &Node, g: &Node) -> bool {
    let &Node::Eq(_, u, v) = g else { return false };
    let z = if u == x { v } else { u };
    let is = |node: &Node, a, b| {
        let wanted = Node::Eq(sort, a, b);
        *node == wanted || is_mirrored(node, &wanted)
    };
    is(f, y, z) && is(g, x, z)
}

fn children(node: &Node) -> Vec<NodeId> {
    match node {
        Node::Var(_) | Node::Constant(..) => Vec::new(),
        Node::App(_, _, items) | Node::Rel(_, _, items) | Node::And(items) | Node::Or(items) => {
            items.to_vec()
        }
        &Node::Eq(_, a, b) | &Node::Implies(a, b) | &Node::Iff(a, b) => vec![a, b],
        &Node::Not(a) | &Node::Forall(_, a) | &Node::Exists(_, a) => vec![a],
    }
}
