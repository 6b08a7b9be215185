//! Proofs from frame conditions: that what a transition does not change has the same value in the next state.
//!
//! That a claim about nothing else stays true needs no search: it says of the next state what it says of this one. From a part of
//! the claim follows the same part about the next state, from the atoms upward, with the witnesses of one as the values of the other.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Node, SortId, TermId, Terms};
use ramsey_solver::sat::{RefutationStep, Var};

use super::emit;
use super::expand::{Expansion, Literal, Step};
use super::frames::Frames;
use super::proof::Derivation;
use super::standing::{Shape, shape};
use super::walk::Part;

/// Returns a proof of the goal, the last input, from the hypothesis `claim`, which says the same of the state before; `None` if it does not,
/// or if they differ in more than symbols with frame conditions.
pub(super) fn derivation(expansion: &mut Expansion, frames: &Frames, claim: usize) -> Option<Derivation> {
    let goal = expansion.inputs.len() - 1;
    let (now, next) = (expansion.inputs[claim], expansion.inputs[goal]);
    let is_short = expansion.vocabulary.terms.tree_size(now) <= MAX_FLAT;
    let attempt = |is_flat| {
        expansion.clear();
        let mut builder = Builder::new(expansion, frames, is_flat);
        let shown = builder.follows((now, true), (next, true))?;
        builder.conclude((claim, now), (goal, next), shown)
    };
    [true, false].into_iter().filter(|&is_flat| is_short || !is_flat).find_map(attempt)
}

/// Size of a claim up to which a proof without clauses for its parts is tried first.
const MAX_FLAT: u32 = 500;

/// Clauses from which it follows that a part has its value in the next state if it has it now, and the frame conditions
/// that this takes.
#[derive(Clone, Default)]
pub(super) struct Shown {
    hints: Vec<usize>,
    pub(super) conditions: Vec<TermId>,
}

impl Shown {
    fn add(&mut self, other: Shown) {
        self.hints.extend(other.hints);
        self.conditions.extend(other.conditions);
    }

    /// Returns the literals that the conditions do not hold.
    fn literals(&mut self) -> impl Iterator<Item = Literal> {
        self.conditions.sort_unstable();
        self.conditions.dedup();
        self.conditions.iter().map(|&condition| (false, condition))
    }
}

/// A proof in the making.
pub(super) struct Builder<'a> {
    pub(super) expansion: &'a mut Expansion,
    pub(super) frames: &'a Frames,
    /// Whether parts have no clauses of their own: often unit propagation does without, and the proof is shorter.
    is_flat: bool,
    /// The clauses, with how they came about.
    made: Vec<(Vec<Literal>, Made)>,
    /// What follows from what, by parts that had been looked at.
    known: Map<(Part, Part), Option<Shown>>,
}

/// How a clause came about.
enum Made {
    /// By the step of the expansion with this index.
    Given(usize),
    /// By unit propagation along these clauses.
    Derived(Vec<usize>),
}

impl<'a> Builder<'a> {
    pub(super) fn new(expansion: &'a mut Expansion, frames: &'a Frames, is_flat: bool) -> Builder<'a> {
        Builder { expansion, frames, is_flat, made: Vec::new(), known: Map::default() }
    }

    pub(super) fn terms(&self) -> &Terms {
        &self.expansion.vocabulary.terms
    }

    pub(super) fn step(&mut self, step: Step, clause: Vec<Literal>) -> usize {
        self.expansion.steps.push((step, clause.clone()));
        self.made.push((clause, Made::Given(self.expansion.steps.len() - 1)));
        self.made.len() - 1
    }

    /// Adds the steps that some part of a formula has a value if it has this one, and returns their clauses.
    pub(super) fn alternatives(&mut self, (formula, value): Part) -> Vec<usize> {
        let (first, shape) = (self.expansion.steps.len(), shape(self.terms(), formula, value));
        self.expansion.alternatives((!value, formula), &shape);
        for at in first..self.expansion.steps.len() {
            self.made.push((self.expansion.steps[at].1.clone(), Made::Given(at)));
        }
        (self.made.len() + first - self.expansion.steps.len()..self.made.len()).collect()
    }

    /// Adds the steps that each part of a formula has a value if it has this one, and returns their clauses.
    fn each(&mut self, (formula, value): Part, parts: &[Part]) -> Vec<usize> {
        let mut clauses = Vec::with_capacity(parts.len());
        for (at, &part) in parts.iter().enumerate() {
            let clause = vec![(!value, formula), self.expansion.literal(part)];
            clauses.push(self.step(Step::Part(formula, at), clause));
        }
        clauses
    }

    /// Derives a clause by unit propagation along others, in whatever order. Returns `None` if it does not follow like that.
    fn derive(&mut self, clause: Vec<Literal>, hints: &[usize]) -> Option<usize> {
        let mut values: Map<TermId, bool> = Map::default();
        for &(positive, formula) in &clause {
            if values.insert(formula, !positive) == Some(positive) {
                return None;
            }
        }
        let mut left: Vec<usize> = hints.to_vec();
        let mut reasons: Map<TermId, usize> = Map::default();
        let mut conflict = None;
        let mut trail = Vec::with_capacity(left.len());
        while conflict.is_none() {
            let before = left.len();
            left.retain(|&hint| {
                let (clause, _) = &self.made[hint];
                let is_open = |&(positive, formula): &Literal| values.get(&formula) != Some(&!positive);
                let mut open = clause.iter().copied().filter(is_open);
                let unit = open.next();
                let has_one = open.all(|other| Some(other) == unit);
                let is_true = unit.is_some_and(|(positive, formula)| values.get(&formula) == Some(&positive));
                if conflict.is_some() || !has_one || is_true {
                    return !is_true;
                }
                trail.push(hint);
                match unit {
                    Some((positive, formula)) => {
                        values.insert(formula, positive);
                        reasons.insert(formula, hint);
                    }
                    None => conflict = Some(hint),
                }
                false
            });
            if left.len() == before && conflict.is_none() {
                return None;
            }
        }
        // What the conflict did not need is left out.
        let mut needed: Set<usize> = conflict.into_iter().collect();
        for hint in trail.iter().rev() {
            if needed.contains(hint) {
                let reasons = self.made[*hint].0.iter().filter_map(|(_, formula)| reasons.get(formula));
                needed.extend(reasons);
            }
        }
        trail.retain(|hint| needed.contains(hint));
        self.made.push((clause, Made::Derived(trail)));
        Some(self.made.len() - 1)
    }

    /// Concludes that if one part has its value, so has the other one. What it takes gets a clause of its own if it may be needed.
    fn shown(&mut self, now: Part, next: Part, mut shown: Shown) -> Option<Shown> {
        if !self.is_flat {
            let (now, next) = (self.expansion.literal((now.0, !now.1)), self.expansion.literal(next));
            let mut clause = vec![now, next];
            clause.extend(shown.literals());
            shown.hints = vec![self.derive(clause, &shown.hints)?];
        }
        Some(shown)
    }

    /// Shows that a part has its value in the next state if it has it now.
    pub(super) fn follows(&mut self, now: Part, next: Part) -> Option<Shown> {
        let (now, next) = (self.expansion.unsigned(now), self.expansion.unsigned(next));
        if now == next {
            return Some(Shown::default());
        }
        if now.1 != next.1 {
            return None;
        }
        if let Some(known) = self.known.get(&(now, next)) {
            return known.clone();
        }
        let found = self.new_consequence(now, next);
        self.known.insert((now, next), found.clone());
        found
    }

    fn new_consequence(&mut self, now: Part, next: Part) -> Option<Shown> {
        let ((before, value), (after, _)) = (now, next);
        let shown = match (shape(self.terms(), before, value), shape(self.terms(), after, value)) {
            (Shape::All(parts), Shape::All(others)) => {
                let mut shown = Shown { hints: self.each(now, &parts), ..Shown::default() };
                self.parts_follow(&parts, &others, &mut shown)?;
                shown.hints.extend(self.alternatives((after, !value)));
                shown
            }
            (Shape::Some(parts), Shape::Some(others)) => {
                let opposite: Vec<Part> = others.iter().map(|&(part, value)| (part, !value)).collect();
                let mut shown = Shown { hints: self.each((after, !value), &opposite), ..Shown::default() };
                self.parts_follow(&parts, &others, &mut shown)?;
                shown.hints.extend(self.alternatives(now));
                shown
            }
            (Shape::Same(a, b), Shape::Same(c, d)) => self.both_sides(now, next, [a, b], [c, d])?,
            (Shape::Every, Shape::Every) => self.instance(now, next, false)?,
            (Shape::Any, Shape::Any) => self.instance(now, next, true)?,
            (Shape::Atom, Shape::Atom) => self.atom(now, next)?,
            _ => return None,
        };
        self.shown(now, next, shown)
    }

    fn parts_follow(&mut self, parts: &[Part], others: &[Part], shown: &mut Shown) -> Option<()> {
        if parts.len() != others.len() {
            return None;
        }
        for (&part, &other) in parts.iter().zip(others) {
            shown.add(self.follows(part, other)?);
        }
        Some(())
    }

    /// Shows that an equivalence has the same value if both sides have. It takes a case distinction about the first side.
    fn both_sides(
        &mut self,
        now: Part,
        next: Part,
        sides: [TermId; 2],
        others: [TermId; 2],
    ) -> Option<Shown> {
        let ([a, b], [c, d], value) = (sides, others, now.1);
        let mut shown = Shown::default();
        for first in [false, true] {
            shown.add(self.follows((a, first), (c, first))?);
            shown.add(self.follows((b, first), (d, first))?);
        }
        shown.hints.extend(self.alternatives(now));
        shown.hints.extend(self.alternatives((next.0, !value)));
        let mut clause = vec![(!value, now.0), (value, next.0), self.expansion.literal((a, true))];
        clause.extend(shown.literals());
        let first = self.derive(clause, &shown.hints)?;
        shown.hints.insert(0, first);
        Some(shown)
    }

    /// Shows that a quantified formula has the same value if its body has, for witnesses of one of both.
    fn instance(&mut self, now: Part, next: Part, is_witnessed_now: bool) -> Option<Shown> {
        let ((before, value), (after, _)) = (now, next);
        let sorts = |builder: &Self, formula: TermId| {
            let vars = builder.expansion.block(formula).into_iter();
            vars.map(|var| builder.terms().var_info(var).sort).collect::<Vec<SortId>>()
        };
        if sorts(self, before) != sorts(self, after) {
            return None;
        }
        let tuple = self.expansion.witnesses_of(if is_witnessed_now { before } else { after });
        let mut shown = Shown::default();
        let mut bodies = [before; 2];
        for (body, (formula, value), has_witness) in
            [(0, now, is_witnessed_now), (1, (after, !value), !is_witnessed_now)]
        {
            bodies[body] = self.expansion.open(formula, tuple.clone());
            let clause = vec![(!value, formula), self.expansion.literal((bodies[body], value))];
            let step =
                if has_witness { Step::Witness(formula) } else { Step::Instance(formula, tuple.clone()) };
            shown.hints.push(self.step(step, clause));
        }
        shown.add(self.follows((bodies[0], value), (bodies[1], value))?);
        Some(shown)
    }

    fn atom(&mut self, now: Part, next: Part) -> Option<Shown> {
        let ((before, value), (after, _)) = (now, next);
        match (self.terms().node(before), self.terms().node(after)) {
            (Node::Eq(a, b), Node::Eq(c, d)) => {
                let mut shown = Shown::default();
                let mut lemma = vec![];
                for (now, next) in [(a, c), (b, d)] {
                    self.equal(now, next, &mut shown, &mut lemma)?;
                }
                lemma.extend([
                    self.expansion.literal((before, !value)),
                    self.expansion.literal((after, value)),
                ]);
                shown.hints.push(self.step(Step::Equality, lemma));
                Some(shown)
            }
            (Node::App { sym, .. }, Node::App { sym: other, .. }) if sym == other => {
                let mut shown = Shown::default();
                let mut lemma = vec![];
                let between = self.moved(before, after, &mut shown, &mut lemma)?;
                if between != after {
                    let (from, to) =
                        (self.expansion.literal((between, !value)), self.expansion.literal(next));
                    lemma.extend([from, to]);
                    shown.hints.push(self.step(Step::Equality, lemma));
                }
                Some(shown)
            }
            _ => None,
        }
    }

    /// Shows that two terms have the same value, and adds the literal that they have not to `lemma` unless they are one.
    pub(super) fn equal(
        &mut self,
        now: TermId,
        next: TermId,
        shown: &mut Shown,
        lemma: &mut Vec<Literal>,
    ) -> Option<()> {
        if now == next {
            return Some(());
        }
        let (Node::App { sym, .. }, Node::App { sym: other, .. }) =
            (self.terms().node(now), self.terms().node(next))
        else {
            return None;
        };
        if sym != other {
            return None;
        }
        let mut below = vec![];
        let between = self.moved(now, next, shown, &mut below)?;
        let equation = self.expansion.vocabulary.terms.eq(now, next);
        if between != next {
            if between != now {
                let first = self.expansion.vocabulary.terms.eq(now, between);
                below.push(self.expansion.literal((first, false)));
            }
            below.push(self.expansion.literal((equation, true)));
            shown.hints.push(self.step(Step::Equality, below));
        }
        lemma.push(self.expansion.literal((equation, false)));
        Some(())
    }

    /// Shows that an application has the same value in the next state with the same arguments, and that the arguments of `next` have
    /// the same values, with the literals that they have not in `lemma`. Returns the application in the next state with the
    /// arguments of `now`.
    fn moved(
        &mut self,
        now: TermId,
        next: TermId,
        shown: &mut Shown,
        lemma: &mut Vec<Literal>,
    ) -> Option<TermId> {
        let (Node::App { sym, step, args }, Node::App { step: later, args: others, .. }) =
            (self.terms().node(now), self.terms().node(next))
        else {
            return None;
        };
        let (args, others) = (self.terms().args(args).to_vec(), self.terms().args(others).to_vec());
        for (&arg, &other) in args.iter().zip(&others) {
            self.equal(arg, other, shown, lemma)?;
        }
        if step == later {
            return Some(now);
        }
        if (step, later) != (0, 1) {
            return None;
        }
        let condition = self.frames.condition(sym)?;
        let (_, proposition) = self.expansion.literal((condition, true));
        let mut moved = Shown { hints: Vec::new(), conditions: vec![proposition] };
        let mut equation = condition;
        if let Node::Forall(..) = self.terms().node(condition) {
            equation = self.expansion.open(condition, args.clone());
            let clause = vec![(false, condition), self.expansion.literal((equation, true))];
            moved.hints.push(self.step(Step::Instance(condition, args.clone()), clause));
        }
        if let Node::Iff(..) = self.terms().node(equation) {
            moved.hints.extend(self.alternatives((equation, true)));
        }
        shown.add(moved);
        let vocabulary = &mut self.expansion.vocabulary;
        Some(vocabulary.terms.app(&vocabulary.sig, sym, 1, &args))
    }

    /// Completes the proof, with what was shown of the claim and the goal.
    fn conclude(
        mut self,
        claim: (usize, TermId),
        goal: (usize, TermId),
        mut shown: Shown,
    ) -> Option<Derivation> {
        // What is shown of the claim is the same for all transitions with these conditions.
        let mut lemma =
            vec![self.expansion.literal((claim.1, false)), self.expansion.literal((goal.1, true))];
        lemma.extend(shown.literals());
        let mut hints = self.premises(&shown.conditions);
        for (input, part) in [(claim.0, (claim.1, true)), (goal.0, (goal.1, false))] {
            let unit = self.expansion.literal(part);
            hints.push(self.step(Step::Input(input), vec![unit]));
        }
        if claim.1 != goal.1 {
            hints.push(self.derive(lemma, &shown.hints)?);
        }
        self.derive(Vec::new(), &hints)?;
        let (steps, formulas) = refutation(self.made);
        emit::written(self.expansion, &steps, &formulas)
    }
}

/// Returns the clauses that the last one depends on as a refutation, with the formulas of its variables.
fn refutation(made: Vec<(Vec<Literal>, Made)>) -> (Vec<RefutationStep>, Vec<TermId>) {
    let mut is_needed = vec![false; made.len()];
    if let Some(last) = is_needed.last_mut() {
        *last = true;
    }
    for (at, (_, made)) in made.iter().enumerate().rev() {
        if let (true, Made::Derived(hints)) = (is_needed[at], made) {
            hints.iter().for_each(|&hint| is_needed[hint] = true);
        }
    }
    let mut vars: Map<TermId, Var> = Map::default();
    let mut formulas: Vec<TermId> = Vec::new();
    let mut literal = |&(positive, formula): &Literal| {
        let var = *vars.entry(formula).or_insert_with(|| {
            formulas.push(formula);
            Var::new(formulas.len() - 1)
        });
        var.literal(positive)
    };
    let mut steps = Vec::new();
    let mut numbers = vec![0; made.len()];
    for (at, (clause, made)) in made.into_iter().enumerate().filter(|&(at, _)| is_needed[at]) {
        numbers[at] = steps.len();
        steps.push(match made {
            Made::Given(index) => RefutationStep::Given(index),
            Made::Derived(hints) => RefutationStep::Derived {
                lits: clause.iter().map(&mut literal).collect(),
                antecedents: hints.into_iter().map(|hint| numbers[hint]).collect(),
            },
        });
    }
    (steps, formulas)
}
