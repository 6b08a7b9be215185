//! Steps of the calculus on formulas as they stand, each made once, with their clauses.

use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, Signature, SortId, Symbol, TermId, Terms, VarId};
use ramsey_kernel::core::{self, Literal, Lowering, NodeId, Step, Unsupported, negated};

use super::failure::Failure;
use crate::prove::normal::TooLarge;
use crate::prove::standing::without_choices;

/// A clause with the step that makes it.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) step: Step,
    /// Formulas that have to be known before the step, which looks at them.
    pub(super) needs: Vec<u32>,
    /// The clause, ascending and without repetitions.
    pub(super) clause: Box<[Literal]>,
}

/// Proof under construction. Every clause in it is true in all structures, whatever the obligation.
#[derive(Debug)]
pub(super) struct Emitter {
    pub(super) sig: Signature,
    pub(super) terms: Terms,
    pub(super) lowering: Lowering,
    /// By formula, with equalities oriented, its number.
    numbers: Map<NodeId, u32>,
    /// The formulas by number. The first has number 1.
    pub(super) formulas: Vec<NodeId>,
    /// The clauses. Steps use earlier ones alone.
    pub(super) made: Vec<Made>,
    /// By step, its clause.
    known: Map<Step, usize>,
    /// By clause, the derived one.
    derived: Map<Box<[Literal]>, usize>,
    /// By quantified formula, length of its block and copy: constants for the variables, and the clause about them.
    witnesses: Map<(u32, usize, usize), (Vec<TermId>, usize)>,
    /// By quantified formula and witnesses, its body with them. Each obligation about a transition has the same witnesses of its
    /// parameters.
    bodies: Map<(TermId, Vec<TermId>), TermId>,
    /// By quantified formula and values, the clause about the instance, and the instance.
    instances: Map<(TermId, Vec<TermId>), (usize, TermId)>,
    /// By formula, what proofs have in its place: groups have hypotheses in common.
    without_choices: Map<TermId, TermId>,
    /// By sort, an element.
    defaults: Map<SortId, TermId>,
    /// Number of constants so far.
    pub(super) constants: usize,
    /// By term or formula that was looked at, whether it has constants.
    pub(super) has_constants: Map<NodeId, bool>,
    /// That `true` is true and `false` is false.
    basics: [usize; 2],
}

impl Emitter {
    /// Creates an empty proof about the formulas of an arena.
    pub(super) fn new(sig: Signature, terms: Terms, lowering: Lowering) -> Result<Emitter, Failure> {
        let mut emitter = Emitter {
            sig,
            terms,
            lowering,
            numbers: Map::default(),
            formulas: Vec::new(),
            made: Vec::new(),
            known: Map::default(),
            derived: Map::default(),
            witnesses: Map::default(),
            bodies: Map::default(),
            instances: Map::default(),
            without_choices: Map::default(),
            defaults: Map::default(),
            constants: 0,
            has_constants: Map::default(),
            basics: [0; 2],
        };
        let (yes, no) = (emitter.terms.tru(), emitter.terms.fals());
        emitter.basics = [emitter.all_of(yes)?, emitter.one_of(no)?];
        Ok(emitter)
    }

    /// Returns a closed formula in the closed system.
    pub(super) fn node(&mut self, formula: TermId) -> Result<NodeId, Failure> {
        Ok(self.lowering.formula(&mut self.terms, formula)?)
    }

    /// Returns a hypothesis or goal as proofs have it.
    pub(super) fn without_choices(&mut self, formula: TermId) -> Result<TermId, Failure> {
        if let Some(&known) = self.without_choices.get(&formula) {
            return Ok(known);
        }
        let found = without_choices(&mut self.terms, formula);
        let found = found.map_err(|TooLarge| Failure::Model(Unsupported::Size))?;
        self.without_choices.insert(formula, found);
        Ok(found)
    }

    /// Returns a formula without the negations in front of it.
    pub(super) fn unsigned(&self, mut node: NodeId) -> NodeId {
        while let &core::Node::Not(inner) = self.lowering.core.pool.node(node) {
            node = inner;
        }
        node
    }

    /// Returns the number of a formula of the closed system.
    fn numbered(&mut self, node: NodeId) -> u32 {
        let pool = &mut self.lowering.core.pool;
        // An equality and its mirror image are one proposition.
        let key = match pool.node(node) {
            &core::Node::Eq(sort, a, b) if b < a => pool.intern(core::Node::Eq(sort, b, a)),
            _ => node,
        };
        *self.numbers.entry(key).or_insert_with(|| {
            self.formulas.push(node);
            self.formulas.len() as u32
        })
    }

    /// Returns the number of a closed formula that is no negation.
    pub(super) fn number(&mut self, formula: TermId) -> Result<u32, Failure> {
        let node = self.lowering.formula(&mut self.terms, formula)?;
        Ok(self.numbered(node))
    }

    /// Returns the literal of a closed formula.
    pub(super) fn literal(&mut self, formula: TermId) -> Result<Literal, Failure> {
        let mut node = self.lowering.formula(&mut self.terms, formula)?;
        let mut sign = 0;
        while let &core::Node::Not(inner) = self.lowering.core.pool.node(node) {
            (node, sign) = (inner, sign ^ 1);
        }
        Ok(2 * self.numbered(node) + sign)
    }

    fn literals(&mut self, formulas: &[TermId]) -> Result<Vec<Literal>, Failure> {
        formulas.iter().map(|&formula| self.literal(formula)).collect()
    }

    /// Adds a step, unless there is one like it, and returns its clause.
    pub(super) fn add(&mut self, step: Step, needs: &[u32], clause: Vec<Literal>) -> usize {
        if let Some(&known) = self.known.get(&step) {
            return known;
        }
        let at = self.push(step.clone(), needs, clause);
        self.known.insert(step, at);
        at
    }

    fn push(&mut self, step: Step, needs: &[u32], mut clause: Vec<Literal>) -> usize {
        clause.sort_unstable();
        clause.dedup();
        self.made.push(Made { step, needs: needs.to_vec(), clause: clause.into() });
        self.made.len() - 1
    }

    /// Returns the children of a conjunction or disjunction; `true` and `false` have none.
    fn items(&self, formula: TermId) -> Vec<TermId> {
        match self.terms.node(formula) {
            Node::And(items) | Node::Or(items) => self.terms.args(items).to_vec(),
            _ => Vec::new(),
        }
    }

    /// A conjunction implies each child.
    pub(super) fn each_of(&mut self, formula: TermId, child: usize) -> Result<usize, Failure> {
        let item = *self.items(formula).get(child).ok_or(Failure::Shape)?;
        let (number, literal) = (self.number(formula)?, self.literal(item)?);
        let clause = vec![2 * number + 1, literal];
        Ok(self.add(Step::AndElim(number, child, literal), &[number], clause))
    }

    /// Each child implies a disjunction.
    pub(super) fn part_of(&mut self, formula: TermId, child: usize) -> Result<usize, Failure> {
        let item = *self.items(formula).get(child).ok_or(Failure::Shape)?;
        let (number, literal) = (self.number(formula)?, self.literal(item)?);
        let clause = vec![2 * number, negated(literal)];
        Ok(self.add(Step::OrIntro(number, child, literal), &[number], clause))
    }

    /// All children together imply a conjunction.
    pub(super) fn all_of(&mut self, formula: TermId) -> Result<usize, Failure> {
        let items = self.items(formula);
        let (number, literals) = (self.number(formula)?, self.literals(&items)?);
        let mut clause = vec![2 * number];
        clause.extend(literals.iter().map(|&literal| negated(literal)));
        Ok(self.add(Step::AndIntro(number, literals), &[number], clause))
    }

    /// A disjunction implies one of its children.
    pub(super) fn one_of(&mut self, formula: TermId) -> Result<usize, Failure> {
        let items = self.items(formula);
        let (number, literals) = (self.number(formula)?, self.literals(&items)?);
        let mut clause = vec![2 * number + 1];
        clause.extend(&literals);
        Ok(self.add(Step::OrElim(number, literals), &[number], clause))
    }

    /// Returns one of the three clauses of an implication: that the premise is false or the conclusion true if it is true, that it is
    /// true if the premise is false, and if the conclusion is true.
    pub(super) fn implication(&mut self, formula: TermId, at: usize) -> Result<usize, Failure> {
        let Node::Implies(a, b) = self.terms.node(formula) else { return Err(Failure::Shape) };
        let (n, a, b) = (self.number(formula)?, self.literal(a)?, self.literal(b)?);
        let (step, clause) = match at {
            0 => (Step::ImpliesElim(n, a, b), vec![2 * n + 1, negated(a), b]),
            1 => (Step::ImpliesIntro(n, a, b, true), vec![2 * n, a]),
            2 => (Step::ImpliesIntro(n, a, b, false), vec![2 * n, negated(b)]),
            _ => return Err(Failure::Shape),
        };
        Ok(self.add(step, &[n], clause))
    }

    /// Returns one of the four clauses of an equivalence.
    pub(super) fn equivalence(&mut self, formula: TermId, at: usize) -> Result<usize, Failure> {
        let Node::Iff(a, b) = self.terms.node(formula) else { return Err(Failure::Shape) };
        let (n, a, b) = (self.number(formula)?, self.literal(a)?, self.literal(b)?);
        let (yes, no) = (2 * n, 2 * n + 1);
        let clause = match at {
            0 => vec![no, negated(a), b],
            1 => vec![no, a, negated(b)],
            2 => vec![yes, a, b],
            3 => vec![yes, negated(a), negated(b)],
            _ => return Err(Failure::Shape),
        };
        Ok(self.add(Step::Iff(n, a, b, at), &[n], clause))
    }

    /// Returns the variables and the body of a quantified formula, and whether it is universal.
    fn quantified(&self, formula: TermId) -> Result<(Vec<VarId>, TermId, bool), Failure> {
        match self.terms.node(formula) {
            Node::Forall(vars, body) => Ok((self.terms.bound_vars(vars).collect(), body, true)),
            Node::Exists(vars, body) => Ok((self.terms.bound_vars(vars).collect(), body, false)),
            _ => Err(Failure::Shape),
        }
    }

    /// Returns the body of a quantified formula with closed terms for its variables.
    fn body(&mut self, formula: TermId, values: &[TermId]) -> Result<TermId, Failure> {
        let (vars, body, _) = self.quantified(formula)?;
        if vars.len() != values.len() {
            return Err(Failure::Shape);
        }
        let map = vars.into_iter().zip(values.iter().copied()).collect();
        Ok(self.terms.substitute(body, &map))
    }

    /// Returns the body of a quantified formula with its witnesses.
    pub(super) fn witnessed(&mut self, formula: TermId, constants: &[TermId]) -> Result<TermId, Failure> {
        let key = (formula, constants.to_vec());
        if let Some(&known) = self.bodies.get(&key) {
            return Ok(known);
        }
        let body = self.body(formula, constants)?;
        self.bodies.insert(key, body);
        Ok(body)
    }

    /// A universal formula implies its instances, and they imply an existential one. Returns the instance as well.
    pub(super) fn instance(
        &mut self,
        formula: TermId,
        values: &[TermId],
    ) -> Result<(usize, TermId), Failure> {
        let key = (formula, values.to_vec());
        if let Some(&known) = self.instances.get(&key) {
            return Ok(known);
        }
        let (_, _, is_universal) = self.quantified(formula)?;
        let body = self.body(formula, values)?;
        let (number, literal) = (self.number(formula)?, self.literal(body)?);
        let clause =
            if is_universal { vec![2 * number + 1, literal] } else { vec![2 * number, negated(literal)] };
        let mut nodes = Vec::with_capacity(values.len());
        for &value in values {
            nodes.push(self.lowering.formula(&mut self.terms, value)?);
        }
        let made = (self.add(Step::Instance(number, nodes, literal), &[number], clause), body);
        self.instances.insert(key, made);
        Ok(made)
    }

    /// Returns constants for which an existential formula has a true body if it is true, and a universal one a false body
    /// if it is false; and the clause that says so.
    pub(super) fn witness(&mut self, formula: TermId) -> Result<(Vec<TermId>, usize), Failure> {
        self.witness_again(formula, 0)
    }

    /// Like [`Self::witness`], with other constants for each `copy`.
    pub(super) fn witness_again(
        &mut self,
        formula: TermId,
        copy: usize,
    ) -> Result<(Vec<TermId>, usize), Failure> {
        let (vars, _, is_universal) = self.quantified(formula)?;
        let number = self.number(formula)?;
        let key = (number, vars.len(), copy);
        if let Some(known) = self.witnesses.get(&key) {
            return Ok(known.clone());
        }
        let mut constants = Vec::with_capacity(vars.len());
        let first = self.constants + 1;
        for &var in &vars {
            let sort = self.terms.var_info(var).sort;
            constants.push(self.constant(sort));
        }
        let body = self.witnessed(formula, &constants)?;
        let literal = self.literal(body)?;
        let clause =
            if is_universal { vec![2 * number, negated(literal)] } else { vec![2 * number + 1, literal] };
        let at = self.push(Step::Witness(number, first, vars.len(), literal), &[number], clause);
        self.witnesses.insert(key, (constants.clone(), at));
        Ok((constants, at))
    }

    fn constant(&mut self, sort: SortId) -> TermId {
        self.constants += 1;
        let sym = self.sig.symbols.push(Symbol::parameter("", sort));
        self.lowering.declare(sym, self.constants);
        self.terms.app(&self.sig, sym, 0, &[])
    }

    /// Returns an element of a sort.
    pub(super) fn default(&mut self, sort: SortId) -> Result<TermId, Failure> {
        if let Some(&known) = self.defaults.get(&sort) {
            return Ok(known);
        }
        let var = self.terms.new_var("X", sort);
        let value = self.terms.var(var);
        let same = self.terms.eq(value, value);
        let exists = self.terms.exists(&[var], same);
        let (constants, _) = self.witness(exists)?;
        let constant = *constants.first().ok_or(Failure::Shape)?;
        self.defaults.insert(sort, constant);
        Ok(constant)
    }

    /// Returns a clause that follows from `candidates` by unit propagation, or one of them that is part of it.
    pub(super) fn derive(&mut self, clause: &[Literal], candidates: &[usize]) -> Result<usize, Failure> {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        if let Some(pair) = clause.windows(2).find(|pair| pair[0] == negated(pair[1])) {
            return Ok(self.excluded_middle(pair[0] / 2));
        }
        if let Some(&known) = self.derived.get(clause.as_slice()) {
            return Ok(known);
        }
        let candidates: Vec<usize> = candidates.iter().chain(&self.basics).copied().collect();
        let is_part = |at: &usize| self.made[*at].clause.iter().all(|it| clause.binary_search(it).is_ok());
        if let Some(part) = candidates.iter().copied().find(is_part) {
            return Ok(part);
        }
        let hints = self.hints(&clause, &candidates).ok_or(Failure::NoDerivation)?;
        let at = self.push(Step::Derived(clause.clone(), hints), &[], clause.clone());
        self.derived.insert(clause.into(), at);
        Ok(at)
    }

    /// Returns the clause that a formula is true or false, by the implication from it to itself.
    fn excluded_middle(&mut self, number: u32) -> usize {
        let (yes, no) = (2 * number, 2 * number + 1);
        if let Some(&known) = self.derived.get([yes, no].as_slice()) {
            return known;
        }
        let node = self.formulas[number as usize - 1];
        let itself = self.lowering.core.pool.intern(core::Node::Implies(node, node));
        let n = self.numbered(itself);
        let first = self.add(Step::ImpliesIntro(n, yes, yes, true), &[n], vec![2 * n, yes]);
        let second = self.add(Step::ImpliesElim(n, yes, yes), &[n], vec![2 * n + 1, no, yes]);
        let at = self.push(Step::Derived(vec![yes, no], vec![first, second]), &[], vec![yes, no]);
        self.derived.insert([yes, no].into(), at);
        at
    }

    /// Returns the clauses that refute a clause by unit propagation, in order.
    fn hints(&self, clause: &[Literal], candidates: &[usize]) -> Option<Vec<usize>> {
        // False literals, each with the place in `trail` of the clause that makes it false.
        let mut values: Map<Literal, Option<usize>> = clause.iter().map(|&literal| (literal, None)).collect();
        let mut trail: Vec<usize> = Vec::new();
        loop {
            let before = trail.len();
            for &at in candidates {
                let mut open = self.made[at].clause.iter().filter(|it| !values.contains_key(it));
                match (open.next(), open.next()) {
                    (None, _) => {
                        trail.push(at);
                        return Some(self.needed(&trail, &values));
                    }
                    (Some(&unit), None) if !values.contains_key(&negated(unit)) => {
                        values.insert(negated(unit), Some(trail.len()));
                        trail.push(at);
                    }
                    _ => {}
                }
            }
            if trail.len() == before {
                return None;
            }
        }
    }

    /// Returns the clauses of a trail that its last one, which is false, depends on.
    fn needed(&self, trail: &[usize], values: &Map<Literal, Option<usize>>) -> Vec<usize> {
        let mut is_needed = vec![false; trail.len()];
        if let Some(last) = is_needed.last_mut() {
            *last = true;
        }
        for at in (0..trail.len()).rev() {
            if is_needed[at] {
                for literal in &self.made[trail[at]].clause {
                    match values.get(literal) {
                        Some(&Some(reason)) if reason < at => is_needed[reason] = true,
                        _ => {}
                    }
                }
            }
        }
        trail.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed).map(|(&at, _)| at).collect()
    }
}
