//! The strongest formulas of one prefix that are true in all states seen.
//!
//! A state matters by its types: which literals about outer variables are true under some assignment of them, and for
//! each value of the witnesses, which other ones. A formula that a new type refutes is replaced by its minimal weakenings
//! that the type satisfies. Of two formulas, one of which implies the other literal by literal, only the stronger one is
//! kept, up to permutations of variables of the same sort. (Least fixed points of sets of strongest formulas:
//! Frenkel et al., CAV 2024. Cubes are unbounded here, and are made small when a formula is used.)

use std::sync::Arc;

use super::formula::Alternation;
use super::literals::{CAPACITY, Literals};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Set;
use crate::base::ids::Id as _;
use crate::infer::prefix::{Prefix, has};
use crate::infer::state::{Atom, Literal, State, Vocabulary};
use crate::logic::{SortId, Tuples};

/// Maximum number of formulas of a shape.
const MAX_FORMULAS: usize = 4_000;
/// Maximum number of assignments of the variables of a shape in one state.
const MAX_ASSIGNMENTS: u64 = 200_000;
/// Maximum number of permutations of variables that are considered.
const MAX_PERMUTATIONS: usize = 24;

/// What a formula says about the witnesses of some values of the outer variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inside {
    /// Some witnesses satisfy all of some literals.
    Cube,
    /// Some witnesses satisfy one of some literals for all values of the inner variables.
    Clause,
}

/// Maximum numbers of literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Limits {
    /// Of those about outer variables alone.
    pub(super) outside: usize,
    /// Of the others, in a clause.
    pub(super) inside: usize,
    /// Of both in a clause.
    pub(super) clause: usize,
}

/// The numbers of variables of each sort, by block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Blocks {
    pub(super) outer: Vec<u32>,
    pub(super) witnesses: Vec<u32>,
    pub(super) inner: Vec<u32>,
}

/// The formulas with one prefix.
#[derive(Debug)]
pub(super) struct Shape {
    prefix: Prefix,
    inside: Inside,
    limits: Limits,
    /// The variables of the prefix by block.
    blocks: [Vec<usize>; 3],
    /// The atoms about outer variables alone. The literals of atom `n` of the list have the numbers `2 * n`, negative, and
    /// `2 * n + 1`.
    outside: Vec<usize>,
    /// The other atoms.
    within: Vec<usize>,
    /// Per permutation of variables of the same block and sort, the literals that take the places of those outside and within.
    permutations: Vec<[Vec<usize>; 2]>,
    seen: Set<Type>,
    formulas: Vec<Formula>,
    /// Number of states whose types are known.
    states: usize,
    /// Whether there are too many formulas, or a state is too large. Formulas of the shape are then no longer proposed,
    /// since they may be false in states seen.
    is_full: bool,
}

/// The literals that are true under an assignment of the outer variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Type {
    outside: Literals,
    /// Per value of the witnesses, the other literals for each value of the inner variables, without repetitions.
    witnesses: Vec<Vec<Literals>>,
}

/// A formula: the literals outside, and the cube or clause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Formula {
    outside: Literals,
    /// A cube with all literals is false.
    within: Literals,
}

impl Shape {
    /// Creates a shape; `None` if no literal mentions a witness.
    ///
    /// # Errors
    /// Returns an error if there are too many literals.
    pub(super) fn new(
        vocabulary: &Vocabulary,
        counts: &Blocks,
        inside: Inside,
        limits: Limits,
    ) -> Result<Option<Shape>, Exhausted> {
        let sizes: Vec<u32> = (0..counts.outer.len())
            .map(|sort| counts.outer[sort] + counts.witnesses[sort] + counts.inner[sort])
            .collect();
        let prefix = Prefix::new(vocabulary, &sizes).ok_or(Exhausted::FormulaSize)?;
        let mut blocks = [Vec::new(), Vec::new(), Vec::new()];
        let mut block_of = Vec::new();
        let mut seen = vec![0; sizes.len()];
        for (var, sort) in prefix.sorts.iter().enumerate() {
            let at = seen[sort.index()];
            seen[sort.index()] += 1;
            let (outer, witnesses) = (counts.outer[sort.index()], counts.witnesses[sort.index()]);
            let block = usize::from(at >= outer) + usize::from(at >= outer + witnesses);
            blocks[block].push(var);
            block_of.push(block);
        }
        let (mut outside, mut within) = (Vec::new(), Vec::new());
        for (at, atom) in prefix.atoms.iter().enumerate().filter(|(at, _)| has(&prefix.useful, *at)) {
            let mut deepest = 0;
            atom.variables(|var| deepest = deepest.max(block_of[usize::from(var)]));
            if deepest == 0 { outside.push(at) } else { within.push(at) }
        }
        if 2 * outside.len() > CAPACITY || 2 * within.len() > CAPACITY {
            return Err(Exhausted::FormulaSize);
        }
        if within.is_empty() {
            return Ok(None);
        }
        let mut shape = Shape {
            prefix,
            inside,
            limits,
            blocks,
            outside,
            within,
            permutations: Vec::new(),
            seen: Set::default(),
            formulas: Vec::new(),
            states: 0,
            is_full: false,
        };
        shape.permutations = shape.permutations();
        let mut none = Formula { outside: Literals::default(), within: Literals::default() };
        if inside == Inside::Cube {
            none.within = shape.all();
        }
        shape.formulas.push(none);
        Ok(Some(shape))
    }

    /// Checks whether formulas of the shape are no longer proposed.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns all literals within.
    fn all(&self) -> Literals {
        (0..2 * self.within.len()).fold(Literals::default(), Literals::with)
    }

    /// Returns how permutations of variables of the same block and sort, the identity among them, permute the literals:
    /// all permutations of such variables, or none where these are too many. So there are inverses, which formulas that
    /// stand for their images rely on.
    fn permutations(&self) -> Vec<[Vec<usize>; 2]> {
        let sorts = &self.prefix.sorts;
        let mut orders: Vec<Vec<usize>> = vec![(0..sorts.len()).collect()];
        for same in self.blocks.iter().flat_map(|block| block.chunk_by(|&a, &b| sorts[a] == sorts[b])) {
            let count = (1..=same.len()).fold(orders.len(), usize::saturating_mul);
            if count > MAX_PERMUTATIONS {
                continue;
            }
            for (at, &var) in same.iter().enumerate() {
                let swapped = |order: &Vec<usize>, other: usize| {
                    let mut swapped = order.clone();
                    swapped.swap(var, other);
                    swapped
                };
                let others = &same[at + 1..];
                let more = orders.iter().flat_map(|order| others.iter().map(|&other| swapped(order, other)));
                let more: Vec<Vec<usize>> = more.collect();
                orders.extend(more);
            }
        }
        let place = |atoms: &[usize], order: &[usize]| {
            let images = atoms.iter().map(|&at| {
                let image = self.prefix.atoms[at].renamed(|var| order[usize::from(var)] as u8);
                let found = atoms.iter().position(|&other| self.prefix.atoms[other] == image);
                found.unwrap_or_default()
            });
            images.flat_map(|at| [2 * at, 2 * at + 1]).collect::<Vec<usize>>()
        };
        orders.iter().map(|order| [place(&self.outside, order), place(&self.within, order)]).collect()
    }

    /// Makes the formulas true in states, to which new ones are only ever added at the end.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; the shape continues with the same state.
    pub(super) fn learn(&mut self, states: &[Arc<State>], budget: &mut Budget) -> Result<(), Exhausted> {
        while let Some(state) = states.get(self.states).filter(|_| !self.is_full) {
            let Some(types) = self.types(state, budget)? else {
                self.is_full = true;
                break;
            };
            for found in types {
                if !self.seen.contains(&found) {
                    let orbit = self.orbit(&found);
                    // A formula may stand for an image that an earlier type of the orbit refutes.
                    while !self.is_full
                        && orbit.iter().any(|it| self.formulas.iter().any(|f| self.is_refuted(f, it)))
                    {
                        orbit.iter().try_for_each(|it| self.satisfy(it, budget))?;
                    }
                    self.seen.extend(orbit);
                }
            }
            self.states += 1;
        }
        Ok(())
    }

    /// Returns the types of the permuted assignments. A state with one of them has all of them.
    fn orbit(&self, found: &Type) -> Vec<Type> {
        let mut orbit: Vec<Type> = Vec::new();
        for [outside, within] in &self.permutations {
            let leaves = |leaves: &Vec<Literals>| {
                let mut leaves: Vec<Literals> = leaves.iter().map(|leaf| leaf.mapped(within)).collect();
                leaves.sort_unstable();
                leaves
            };
            let mut witnesses: Vec<Vec<Literals>> = found.witnesses.iter().map(leaves).collect();
            witnesses.sort_unstable();
            let image = Type { outside: found.outside.mapped(outside), witnesses };
            if !orbit.contains(&image) {
                orbit.push(image);
            }
        }
        orbit
    }

    /// Replaces the formulas that a type refutes by their minimal weakenings.
    fn satisfy(&mut self, found: &Type, budget: &mut Budget) -> Result<(), Exhausted> {
        budget.spend(self.formulas.len() as u64)?;
        let is_kept = |formula: &&Formula| !self.is_refuted(formula, found);
        let (mut kept, refuted): (Vec<&Formula>, Vec<&Formula>) = self.formulas.iter().partition(is_kept);
        if refuted.is_empty() {
            return Ok(());
        }
        let mut weaker = Vec::new();
        for formula in refuted {
            self.weaken(*formula, found, &mut weaker);
        }
        let size = |formula: &Formula| {
            let inside = formula.within.len();
            (formula.outside.len(), if self.inside == Inside::Cube { CAPACITY - inside } else { inside })
        };
        for formula in &mut weaker {
            *formula = self.canonical(*formula);
        }
        weaker.sort_unstable_by_key(|formula| (size(formula), *formula));
        weaker.dedup();
        let mut work = 0;
        for formula in &weaker {
            let images: Vec<Formula> = self.images(*formula).collect();
            work += (kept.len() * images.len()) as u64;
            if !kept.iter().any(|other| images.iter().any(|image| self.implies(other, image))) {
                kept.push(formula);
            }
            if kept.len() > MAX_FORMULAS {
                break;
            }
        }
        let is_full = kept.len() > MAX_FORMULAS;
        let formulas: Vec<Formula> = kept.into_iter().copied().collect();
        self.formulas = formulas;
        self.is_full = is_full;
        budget.spend(work / 4)
    }

    fn is_refuted(&self, formula: &Formula, found: &Type) -> bool {
        formula.outside.is_disjoint(&found.outside)
            && !found.witnesses.iter().any(|leaves| match self.inside {
                Inside::Cube => leaves.iter().all(|leaf| formula.within.is_subset(leaf)),
                Inside::Clause => leaves.iter().all(|leaf| !formula.within.is_disjoint(leaf)),
            })
    }

    fn implies(&self, formula: &Formula, other: &Formula) -> bool {
        formula.outside.is_subset(&other.outside)
            && match self.inside {
                Inside::Cube => other.within.is_subset(&formula.within),
                Inside::Clause => formula.within.is_subset(&other.within),
            }
    }

    /// Adds the minimal weakenings of a formula that a type satisfies.
    fn weaken(&self, formula: Formula, found: &Type, weaker: &mut Vec<Formula>) {
        let is_clause = self.inside == Inside::Clause;
        let count = formula.outside.len() + if is_clause { formula.within.len() } else { 0 };
        if formula.outside.len() < self.limits.outside && (!is_clause || count < self.limits.clause) {
            let outside = found.outside.iter().map(|at| formula.outside.with(at));
            weaker.extend(outside.map(|outside| Formula { outside, ..formula }));
        }
        for leaves in &found.witnesses {
            match self.inside {
                Inside::Cube => {
                    let within = leaves.iter().fold(formula.within, |cube, leaf| cube.intersection(leaf));
                    if !within.is_empty() {
                        weaker.push(Formula { within, ..formula });
                    }
                }
                Inside::Clause => self.hit(formula, leaves, weaker),
            }
        }
    }

    /// Adds the formulas with more literals in the clause such that each of the leaves satisfies one.
    fn hit(&self, formula: Formula, leaves: &[Literals], weaker: &mut Vec<Formula>) {
        let Some(open) = leaves.iter().find(|leaf| formula.within.is_disjoint(leaf)) else {
            weaker.push(formula);
            return;
        };
        let count = formula.outside.len() + formula.within.len();
        if formula.within.len() < self.limits.inside && count < self.limits.clause {
            for at in open.iter() {
                self.hit(Formula { within: formula.within.with(at), ..formula }, leaves, weaker);
            }
        }
    }

    /// Returns the formula under each permutation.
    fn images(&self, formula: Formula) -> impl Iterator<Item = Formula> {
        self.permutations.iter().map(move |[outside, within]| Formula {
            outside: formula.outside.mapped(outside),
            within: formula.within.mapped(within),
        })
    }

    fn canonical(&self, formula: Formula) -> Formula {
        self.images(formula).min().unwrap_or(formula)
    }

    /// Returns formulas that are true in all states learned, false in this one and about witnesses, each with as weak a
    /// cube as possible, those with few literals first.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn excluding(
        &self,
        state: &State,
        budget: &mut Budget,
    ) -> Result<Vec<(usize, Alternation)>, Exhausted> {
        if self.is_full {
            return Ok(Vec::new());
        }
        let types = self.types(state, budget)?.unwrap_or_default();
        let new: Vec<&Type> = types.iter().filter(|found| !self.seen.contains(*found)).collect();
        budget.spend((new.len() * self.formulas.len()) as u64)?;
        let mut found: Vec<Formula> = Vec::new();
        for formula in &self.formulas {
            let refuting = new.iter().filter(|it| self.is_refuted(formula, it));
            let weakest = refuting.map(|it| self.weakest(*formula, it)).min_by_key(|it| (self.size(it), *it));
            found.extend(weakest.filter(|it| self.has_witness(it)));
        }
        found.sort_unstable_by_key(|it| (self.size(it), *it));
        found.dedup();
        Ok(found.iter().map(|formula| (self.size(formula), self.alternation(formula))).collect())
    }

    /// Whether a formula mentions a witness. Others are universal.
    fn has_witness(&self, formula: &Formula) -> bool {
        if self.inside == Inside::Cube && formula.within == self.all() {
            return false;
        }
        let mut is_found = false;
        for at in formula.within.iter() {
            let atom = &self.prefix.atoms[self.within[at / 2]];
            atom.variables(|var| is_found |= self.blocks[1].contains(&usize::from(var)));
        }
        is_found
    }

    /// Returns the number of literals.
    fn size(&self, formula: &Formula) -> usize {
        formula.outside.len() + formula.within.len()
    }

    /// Drops literals of the cube while a type refutes the formula.
    fn weakest(&self, formula: Formula, found: &Type) -> Formula {
        let mut weaker = formula;
        if self.inside == Inside::Clause {
            return weaker;
        }
        // Literals that are easy to read stay: relations before equations, positive ones before negative ones.
        let mut order: Vec<usize> = formula.within.iter().collect();
        order.sort_by_key(|&at| {
            let is_relation = matches!(self.prefix.atoms[self.within[at / 2]], Atom::Relation(..));
            (is_relation, at % 2)
        });
        for at in order {
            let mut fewer = weaker;
            fewer.within.remove(at);
            if !fewer.within.is_empty() && self.is_refuted(&fewer, found) {
                weaker = fewer;
            }
        }
        weaker
    }

    /// Returns a formula over its own variables.
    fn alternation(&self, formula: &Formula) -> Alternation {
        let mut place = vec![0_u8; self.prefix.sorts.len()];
        for (at, &var) in self.blocks.iter().flatten().enumerate() {
            place[var] = at as u8;
        }
        let literals = |set: Literals, atoms: &[usize]| -> Vec<Literal> {
            let literal = |at: usize| Literal {
                atom: self.prefix.atoms[atoms[at / 2]].renamed(|var| place[usize::from(var)]),
                positive: at % 2 == 1,
            };
            set.iter().map(literal).collect()
        };
        let mut clause = literals(formula.outside, &self.outside);
        let within = literals(formula.within, &self.within);
        let cube = match self.inside {
            Inside::Clause => {
                clause.extend(within);
                Vec::new()
            }
            Inside::Cube => within,
        };
        let sorts: Vec<SortId> = self.blocks.iter().flatten().map(|&var| self.prefix.sorts[var]).collect();
        let [outer, witnesses, _] = &self.blocks;
        Alternation { sorts, outer: outer.len(), witnesses: witnesses.len(), clause, cube }.normalized()
    }

    /// Returns the types of a state; `None` if there are too many assignments.
    fn types(&self, state: &State, budget: &mut Budget) -> Result<Option<Vec<Type>>, Exhausted> {
        let size = |&var: &usize| state.sizes[self.prefix.sorts[var].index()];
        let [outer, witnesses, inner]: [Vec<u32>; 3] =
            std::array::from_fn(|block| self.blocks[block].iter().map(size).collect());
        let count =
            [&outer, &witnesses, &inner].iter().map(|sizes| Tuples::count_all(sizes)).product::<u64>();
        if count > MAX_ASSIGNMENTS {
            return Ok(None);
        }
        budget.spend(count * self.prefix.atoms.len() as u64 / 8)?;
        let mut values = vec![0_u16; self.prefix.sorts.len()];
        let assign = |values: &mut [u16], block: usize, tuple: &[u32]| {
            for (&var, &value) in self.blocks[block].iter().zip(tuple) {
                values[var] = value as u16;
            }
        };
        let mut types: Set<Type> = Set::default();
        let mut all = Vec::new();
        for tuple in Tuples::new(outer) {
            assign(&mut values, 0, &tuple);
            let outside = self.true_literals(&self.outside, state, &values);
            let mut options = Vec::new();
            for tuple in Tuples::new(witnesses.clone()) {
                assign(&mut values, 1, &tuple);
                let mut leaves = Vec::new();
                for tuple in Tuples::new(inner.clone()) {
                    assign(&mut values, 2, &tuple);
                    leaves.push(self.true_literals(&self.within, state, &values));
                }
                leaves.sort_unstable();
                leaves.dedup();
                options.push(leaves);
            }
            options.sort_unstable();
            options.dedup();
            let found = Type { outside, witnesses: options };
            if types.insert(found.clone()) {
                all.push(found);
            }
        }
        Ok(Some(all))
    }

    fn true_literals(&self, atoms: &[usize], state: &State, values: &[u16]) -> Literals {
        let mut literals = Literals::default();
        for (at, &atom) in atoms.iter().enumerate() {
            literals.insert(2 * at + usize::from(self.prefix.atoms[atom].holds(state, values)));
        }
        literals
    }
}
