//! A finished proof: what it needs of the steps that were made, with numbers without gaps.

use ramsey_core::base::hash::{Map, Set};
use ramsey_kernel::core::{Core, Literal, Node, NodeId, Pool, Proof, Step};

use super::emitter::Emitter;
use super::failure::Failure;
use super::merge::merge;

/// New numbers.
struct Numbering<'a> {
    core: Core,
    formulas: Map<u32, u32>,
    /// The formulas that steps have looked at, with their old numbers.
    defined: Set<u32>,
    clauses: Map<usize, usize>,
    constants: Map<usize, usize>,
    /// Terms and formulas with new numbers of constants.
    nodes: Map<NodeId, NodeId>,
    /// By term or formula that was looked at, whether it has constants.
    has_constants: &'a mut Map<NodeId, bool>,
}

/// What is shown of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// Nothing.
    Nothing,
    /// Its goal is one of its hypotheses.
    Assumed,
    /// It is proved by a clause, given as its place among those that were made.
    By(usize),
}

/// Returns the proof of what is shown of each obligation, without what that does not depend on; and its formulas by number.
///
/// It takes the closed system of the emitter, which can do nothing before it gets that back.
pub(super) fn proof(emitter: &mut Emitter, shown: &[Shown]) -> Result<(Proof, Vec<NodeId>), Failure> {
    merge(emitter, shown);
    let kept = needed(emitter, shown);
    let Emitter { formulas, made, lowering, has_constants, .. } = emitter;
    let mut numbering = Numbering {
        core: std::mem::take(&mut lowering.core),
        formulas: Map::default(),
        defined: Set::default(),
        clauses: Map::default(),
        constants: Map::default(),
        nodes: Map::default(),
        has_constants,
    };
    let mut steps = Vec::new();
    for at in kept {
        let each = &made[at];
        if let Step::Witness(_, first, count, _) = each.step {
            for constant in first..first + count {
                let number = numbering.constants.len() + 1;
                numbering.constants.insert(constant, number);
            }
        }
        for &formula in &each.needs {
            if numbering.defined.insert(formula) {
                let node = formulas[formula as usize - 1];
                let (number, node) = (numbering.formula(formula), numbering.node(node)?);
                steps.push(Step::Define(number, node));
            }
        }
        if !matches!(each.step, Step::Derived(..)) {
            numbering.defined.extend(each.clause.iter().map(|literal| literal / 2));
        }
        let step = numbering.step(&each.step)?;
        steps.push(step);
        let number = numbering.clauses.len() + 1;
        numbering.clauses.insert(at, number);
    }
    let clauses = shown.iter().map(|it| match it {
        Shown::Nothing => Ok(None),
        Shown::Assumed => Ok(Some(0)),
        Shown::By(at) => numbering.clauses.get(at).copied().ok_or(Failure::Shape).map(Some),
    });
    let clauses = clauses.collect::<Result<_, _>>()?;
    let mut numbered: Vec<(u32, u32)> = numbering.formulas.iter().map(|(&old, &new)| (new, old)).collect();
    numbered.sort_unstable();
    let nodes = numbered.into_iter().map(|(_, old)| numbering.node(formulas[old as usize - 1]));
    let nodes = nodes.collect::<Result<_, _>>()?;
    Ok((Proof { core: numbering.core, steps, clauses }, nodes))
}

/// Returns the places of the steps that the goals depend on, ascending.
fn needed(emitter: &mut Emitter, shown: &[Shown]) -> Vec<usize> {
    let Emitter { formulas, made, lowering, has_constants, constants: count, .. } = emitter;
    let mut is_needed = vec![false; made.len()];
    let mut has_constant = vec![false; *count + 1];
    for it in shown {
        if let Shown::By(at) = *it {
            is_needed[at] = true;
        }
    }
    let mut constants = Constants { pool: &lowering.core.pool, known: has_constants, seen: Set::default() };
    for at in (0..made.len()).rev() {
        let made = &made[at];
        if let Step::Witness(_, first, count, _) = made.step {
            is_needed[at] |= has_constant[first..first + count].contains(&true);
        }
        if !is_needed[at] {
            continue;
        }
        let mut mark = |node: NodeId| constants.mark(node, &mut has_constant);
        for formula in made.needs.iter().copied().chain(made.clause.iter().map(|literal| literal / 2)) {
            mark(formulas[formula as usize - 1]);
        }
        match &made.step {
            Step::Derived(_, hints) => hints.iter().for_each(|&hint| is_needed[hint] = true),
            Step::Instance(_, values, _) => values.iter().copied().for_each(mark),
            _ => {}
        }
    }
    (0..is_needed.len()).filter(|&at| is_needed[at]).collect()
}

/// Search for the constants of formulas, each of which is looked at once.
struct Constants<'a> {
    pool: &'a Pool,
    /// By term or formula, whether it has constants.
    known: &'a mut Map<NodeId, bool>,
    seen: Set<NodeId>,
}

impl Constants<'_> {
    fn mark(&mut self, node: NodeId, has_constant: &mut [bool]) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if !has_constants(self.pool, self.known, node) || !self.seen.insert(node) {
                continue;
            }
            match self.pool.node(node) {
                &Node::Constant(_, number) => has_constant[number] = true,
                node => open.extend(node.children()),
            }
        }
    }
}

/// Returns whether a term or formula has constants. `known` has those that were looked at.
fn has_constants(pool: &Pool, known: &mut Map<NodeId, bool>, node: NodeId) -> bool {
    if let Some(&found) = known.get(&node) {
        return found;
    }
    let found = match pool.node(node) {
        Node::Constant(..) => true,
        node => node.children().into_iter().any(|child| has_constants(pool, known, child)),
    };
    known.insert(node, found);
    found
}

impl Numbering<'_> {
    fn formula(&mut self, old: u32) -> u32 {
        let next = self.formulas.len() as u32 + 1;
        *self.formulas.entry(old).or_insert(next)
    }

    fn literal(&mut self, old: Literal) -> Literal {
        2 * self.formula(old / 2) + old % 2
    }

    fn literals(&mut self, old: &[Literal]) -> Vec<Literal> {
        old.iter().map(|&literal| self.literal(literal)).collect()
    }

    fn equations(&mut self, old: &[Option<u32>]) -> Vec<Option<u32>> {
        old.iter().map(|it| it.map(|number| self.formula(number))).collect()
    }

    fn step(&mut self, old: &Step) -> Result<Step, Failure> {
        Ok(match old {
            &Step::Define(number, node) => Step::Define(self.formula(number), self.node(node)?),
            &Step::AndElim(n, at, l) => Step::AndElim(self.formula(n), at, self.literal(l)),
            Step::AndIntro(n, all) => Step::AndIntro(self.formula(*n), self.literals(all)),
            Step::OrElim(n, all) => Step::OrElim(self.formula(*n), self.literals(all)),
            &Step::OrIntro(n, at, l) => Step::OrIntro(self.formula(n), at, self.literal(l)),
            &Step::ImpliesElim(n, a, b) => {
                Step::ImpliesElim(self.formula(n), self.literal(a), self.literal(b))
            }
            &Step::ImpliesIntro(n, a, b, by_premise) => {
                Step::ImpliesIntro(self.formula(n), self.literal(a), self.literal(b), by_premise)
            }
            &Step::Iff(n, a, b, at) => Step::Iff(self.formula(n), self.literal(a), self.literal(b), at),
            Step::Instance(n, values, l) => {
                let values = values.iter().map(|&value| self.node(value)).collect::<Result<_, _>>()?;
                Step::Instance(self.formula(*n), values, self.literal(*l))
            }
            &Step::Witness(n, first, count, l) => {
                let first = *self.constants.get(&first).ok_or(Failure::Shape)?;
                Step::Witness(self.formula(n), first, count, self.literal(l))
            }
            &Step::Reflexive(n) => Step::Reflexive(self.formula(n)),
            &Step::Transitive(a, b, c) => Step::Transitive(self.formula(a), self.formula(b), self.formula(c)),
            Step::Function(n, equations) => Step::Function(self.formula(*n), self.equations(equations)),
            Step::Relation(p, q, equations) => {
                Step::Relation(self.formula(*p), self.formula(*q), self.equations(equations))
            }
            Step::Derived(clause, hints) => {
                let hints: Option<Vec<usize>> =
                    hints.iter().map(|it| self.clauses.get(it).copied()).collect();
                // A formula that no step has looked at is in no hint, so the clause follows without it.
                let seen = clause.iter().filter(|&literal| self.defined.contains(&(literal / 2)));
                let seen: Vec<Literal> = seen.copied().collect();
                Step::Derived(self.literals(&seen), hints.ok_or(Failure::Shape)?)
            }
        })
    }

    /// Returns a term or formula with the new numbers of constants.
    fn node(&mut self, old: NodeId) -> Result<NodeId, Failure> {
        if let Some(&known) = self.nodes.get(&old) {
            return Ok(known);
        }
        // A transition says something of each symbol, and most of that is the same in all proofs.
        if !has_constants(&self.core.pool, self.has_constants, old) {
            return Ok(old);
        }
        let node = match self.core.pool.node(old).clone() {
            Node::Var(at) => Node::Var(at),
            Node::Constant(sort, number) => {
                Node::Constant(sort, *self.constants.get(&number).ok_or(Failure::Shape)?)
            }
            Node::App(state, at, args) => Node::App(state, at, self.nodes(&args)?),
            Node::Rel(state, at, args) => Node::Rel(state, at, self.nodes(&args)?),
            Node::And(items) => Node::And(self.nodes(&items)?),
            Node::Or(items) => Node::Or(self.nodes(&items)?),
            Node::Eq(sort, a, b) => Node::Eq(sort, self.node(a)?, self.node(b)?),
            Node::Not(a) => Node::Not(self.node(a)?),
            Node::Implies(a, b) => Node::Implies(self.node(a)?, self.node(b)?),
            Node::Iff(a, b) => Node::Iff(self.node(a)?, self.node(b)?),
            Node::Forall(sort, body) => Node::Forall(sort, self.node(body)?),
            Node::Exists(sort, body) => Node::Exists(sort, self.node(body)?),
        };
        let new = self.core.pool.intern(node);
        self.nodes.insert(old, new);
        Ok(new)
    }

    fn nodes(&mut self, old: &[NodeId]) -> Result<Box<[NodeId]>, Failure> {
        old.iter().map(|&node| self.node(node)).collect()
    }
}
