//! The strongest formulas of one prefix that are true under the types learned.
//!
//! A state matters by its types: which literals about outer variables are true under some assignment of them, and for
//! each value of the witnesses, which other ones. A formula that a new type refutes is replaced by its minimal weakenings
//! that the type satisfies. Of two formulas, one of which implies the other literal by literal, only the stronger one is
//! kept, up to permutations of variables of the same sort. (Least fixed points of sets of strongest formulas:
//! Frenkel et al., CAV 2024. Cubes are unbounded here, and are made small when a formula is used.)

use super::blocks::{Blocks, Ground, Limits};
use super::formula::Alternation;
use super::literals::{CAPACITY, Literals};
use crate::infer::prefix::{Prefix, has};
use crate::infer::state::{Atom, Literal, State, Vocabulary};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{SortId, Tuples};

/// Maximum number of formulas of a shape.
const MAX_FORMULAS: usize = 16_000;
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

/// The formulas with one prefix.
#[derive(Debug)]
pub(super) struct Shape {
    prefix: Prefix,
    /// Terms without variables: what values of the first outer variables have to be.
    grounds: Vec<Ground>,
    inside: Inside,
    limits: Limits,
    /// The variables of the prefix by block. The outer ones begin with those for terms without variables.
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
    /// The literals within all images of formulas, by those outside.
    index: Map<Literals, Vec<Literals>>,
    /// If there are any, only formulas that are false under one of these types are kept.
    about: Vec<Type>,
    /// Whether there are too many formulas, or a state is too large. Formulas of the shape are then no longer proposed,
    /// since they may be false under the types seen.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Formula {
    outside: Literals,
    /// A cube with all literals is false.
    within: Literals,
}

impl Shape {
    /// Creates a shape whose formulas may mention these terms; `None` if no literal mentions a witness.
    ///
    /// # Errors
    /// Returns an error if there are too many literals.
    pub(super) fn new(
        vocabulary: &Vocabulary,
        counts: &Blocks,
        grounds: &[Ground],
        inside: Inside,
        limits: Limits,
    ) -> Result<Option<Shape>, Exhausted> {
        let mut sizes: Vec<u32> = (0..counts.outer.len())
            .map(|sort| counts.outer[sort] + counts.local[sort] + counts.witnesses[sort] + counts.inner[sort])
            .collect();
        let own = sizes.clone();
        grounds.iter().for_each(|ground| sizes[ground.sort.index()] += 1);
        let prefix = Prefix::new(vocabulary, &sizes).ok_or(Exhausted::FormulaSize)?;
        let mut blocks = [Vec::new(), Vec::new(), Vec::new()];
        let mut block_of = Vec::new();
        let mut is_local = Vec::new();
        let mut seen = vec![0; sizes.len()];
        for (var, sort) in prefix.sorts.iter().enumerate() {
            let at = seen[sort.index()];
            seen[sort.index()] += 1;
            if at >= own[sort.index()] {
                block_of.push(0);
                is_local.push(false);
                continue;
            }
            let (outer, witnesses) = (counts.outer[sort.index()], counts.witnesses[sort.index()]);
            let before = outer + counts.local[sort.index()];
            let block = usize::from(at >= before) + usize::from(at >= before + witnesses);
            is_local.push(block == 0 && at >= outer);
            blocks[block].push(var);
            block_of.push(block);
        }
        let mut next = own;
        let of_grounds = grounds.iter().map(|ground| {
            let place = &mut next[ground.sort.index()];
            *place += 1;
            let mut of_sort = (0..prefix.sorts.len()).filter(|&var| prefix.sorts[var] == ground.sort);
            of_sort.nth(*place as usize - 1).unwrap_or_default()
        });
        let of_grounds: Vec<usize> = of_grounds.collect();
        blocks[0].splice(0..0, of_grounds.iter().copied());
        // That a variable has the value of such a term is said by an equation with the variable that stands for it.
        let is_value = |atom: &Atom| match atom {
            Atom::Value(symbol, args, _) => grounds.iter().any(|ground| {
                let of_ground = ground.args.iter().map(|&at| of_grounds[at]);
                ground.symbol == *symbol && of_ground.eq(args.iter().map(|&var| usize::from(var)))
            }),
            Atom::Relation(..) | Atom::Equal(..) => false,
        };
        let (mut outside, mut within) = (Vec::new(), Vec::new());
        let useful = prefix.atoms.iter().enumerate().filter(|(at, _)| has(&prefix.useful, *at));
        for (at, atom) in useful.filter(|(_, atom)| !is_value(atom)) {
            let (mut deepest, mut has_local) = (0, false);
            atom.variables(|var| {
                deepest = deepest.max(block_of[usize::from(var)]);
                has_local |= is_local[usize::from(var)];
            });
            match deepest {
                0 => outside.push(at),
                _ if has_local => {}
                _ => within.push(at),
            }
        }
        if 2 * outside.len() > CAPACITY || 2 * within.len() > CAPACITY {
            return Err(Exhausted::FormulaSize);
        }
        if within.is_empty() {
            return Ok(None);
        }
        let mut shape = Shape {
            prefix,
            grounds: grounds.to_vec(),
            inside,
            limits,
            blocks,
            outside,
            within,
            permutations: Vec::new(),
            seen: Set::default(),
            formulas: Vec::new(),
            index: Map::default(),
            about: Vec::new(),
            is_full: false,
        };
        shape.permutations = shape.permutations(&is_local);
        shape.forget();
        Ok(Some(shape))
    }

    /// Forgets all types: the strongest formula is false.
    fn forget(&mut self) {
        let within = if self.inside == Inside::Cube { self.all() } else { Literals::default() };
        let strongest = Formula { outside: Literals::default(), within };
        self.seen = Set::default();
        self.formulas = vec![strongest];
        self.index = Map::default();
        self.index.insert(strongest.outside, vec![strongest.within]);
        self.is_full = false;
    }

    /// Returns a shape with the formulas of this one that are false under one of some types of a state, which has learned
    /// nothing: there are far fewer of them than of all.
    pub(super) fn about(&self, types: &[Type]) -> Shape {
        let identity = [2 * self.outside.len(), 2 * self.within.len()].map(|count| (0..count).collect());
        let mut shape = Shape {
            prefix: self.prefix.clone(),
            grounds: self.grounds.clone(),
            blocks: self.blocks.clone(),
            outside: self.outside.clone(),
            within: self.within.clone(),
            // The image of a formula may be false under other types.
            permutations: vec![identity],
            seen: Set::default(),
            formulas: Vec::new(),
            index: Map::default(),
            about: types.to_vec(),
            ..*self
        };
        shape.forget();
        shape
    }

    /// Checks whether formulas of the shape are no longer proposed.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Proposes no more formulas.
    pub(super) fn close(&mut self) {
        self.is_full = true;
    }

    /// Returns all literals within.
    fn all(&self) -> Literals {
        (0..2 * self.within.len()).fold(Literals::default(), Literals::with)
    }

    /// Returns how permutations of variables of the same block and sort, the identity among them, permute the literals:
    /// all permutations of such variables, or none where these are too many. So there are inverses, which formulas that
    /// stand for their images rely on.
    fn permutations(&self, is_local: &[bool]) -> Vec<[Vec<usize>; 2]> {
        let sorts = &self.prefix.sorts;
        let mut orders: Vec<Vec<usize>> = vec![(0..sorts.len()).collect()];
        let is_same = |a: &usize, b: &usize| (sorts[*a], is_local[*a]) == (sorts[*b], is_local[*b]);
        let [outer, witnesses, inner] = &self.blocks;
        let blocks = [&outer[self.grounds.len()..], witnesses, inner];
        for same in blocks.into_iter().flat_map(|block| block.chunk_by(is_same)) {
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

    /// Makes the formulas true under a type, and under its permutations, which are returned with the formulas that are new.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; the shape continues with the same type.
    pub(super) fn learn(
        &mut self,
        found: &Type,
        budget: &mut Budget,
    ) -> Result<(Vec<Type>, Vec<Formula>), Exhausted> {
        let orbit = self.orbit(found);
        let mut new = Vec::new();
        // A formula may stand for an image that an earlier type of the orbit refutes.
        while !self.is_full && orbit.iter().any(|it| self.formulas.iter().any(|f| self.is_refuted(f, it))) {
            orbit.iter().try_for_each(|it| self.satisfy(it, &mut new, budget))?;
        }
        new.retain(|formula| !orbit.iter().any(|it| self.is_refuted(formula, it)));
        self.seen.extend(orbit.iter().cloned());
        Ok((orbit, new))
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

    /// Replaces the formulas that a type refutes by their minimal weakenings, which are added to `new`.
    fn satisfy(
        &mut self,
        found: &Type,
        new: &mut Vec<Formula>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        budget.spend(self.formulas.len() as u64 / 4)?;
        let is_refuted = |formula: &Formula| self.is_refuted(formula, found);
        let (refuted, mut kept): (Vec<Formula>, Vec<Formula>) =
            self.formulas.iter().copied().partition(is_refuted);
        if refuted.is_empty() {
            return Ok(());
        }
        let mut weaker = Vec::new();
        for &formula in &refuted {
            self.weaken(formula, found, &mut weaker);
            for image in self.images(formula) {
                if let Some(all) = self.index.get_mut(&image.outside) {
                    all.retain(|within| *within != image.within);
                }
            }
        }
        let size = |formula: &Formula| {
            let inside = formula.within.len();
            (formula.outside.len(), if self.inside == Inside::Cube { CAPACITY - inside } else { inside })
        };
        weaker.sort_unstable_by_key(|formula| (size(formula), *formula));
        weaker.dedup();
        budget.spend((weaker.len() * self.about.len().max(1)) as u64)?;
        for formula in weaker {
            let is_about =
                || self.about.is_empty() || self.about.iter().any(|it| self.is_refuted(&formula, it));
            if !is_about() || self.is_implied(&formula) {
                continue;
            }
            let images = self.images(formula);
            let formula = images.iter().copied().min().unwrap_or(formula);
            kept.push(formula);
            new.push(formula);
            for image in images {
                let all = self.index.entry(image.outside).or_default();
                if !all.contains(&image.within) {
                    all.push(image.within);
                }
            }
            if kept.len() > MAX_FORMULAS {
                self.is_full = true;
                break;
            }
        }
        self.formulas = kept;
        Ok(())
    }

    /// Whether a permutation of one of the formulas implies this one literal by literal.
    fn is_implied(&self, formula: &Formula) -> bool {
        let mut subsets = vec![Literals::default()];
        for at in formula.outside.iter() {
            let more: Vec<Literals> = subsets.iter().map(|subset| subset.with(at)).collect();
            subsets.extend(more);
        }
        let is_implied = |within: &Literals| match self.inside {
            Inside::Cube => formula.within.is_subset(within),
            Inside::Clause => within.is_subset(&formula.within),
        };
        subsets.iter().any(|subset| self.index.get(subset).is_some_and(|all| all.iter().any(is_implied)))
    }

    /// Whether a formula is false under a type.
    pub(super) fn is_refuted(&self, formula: &Formula, found: &Type) -> bool {
        formula.outside.is_disjoint(&found.outside)
            && !found.witnesses.iter().any(|leaves| match self.inside {
                Inside::Cube => leaves.iter().all(|leaf| formula.within.is_subset(leaf)),
                Inside::Clause => leaves.iter().all(|leaf| !formula.within.is_disjoint(leaf)),
            })
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
    fn images(&self, formula: Formula) -> Vec<Formula> {
        let image = |[outside, within]: &[Vec<usize>; 2]| Formula {
            outside: formula.outside.mapped(outside),
            within: formula.within.mapped(within),
        };
        self.permutations.iter().map(image).collect()
    }

    /// Returns the formulas.
    pub(super) fn formulas(&self) -> &[Formula] {
        &self.formulas
    }

    /// Checks whether a type was learned.
    pub(super) fn is_known(&self, found: &Type) -> bool {
        self.seen.contains(found)
    }

    /// Checks whether the formulas have cubes.
    pub(super) fn has_cubes(&self) -> bool {
        self.inside == Inside::Cube
    }

    /// Whether a formula mentions a witness. Others are universal.
    pub(super) fn has_witness(&self, formula: &Formula) -> bool {
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
    pub(super) fn size(&self, formula: &Formula) -> usize {
        formula.outside.len() + formula.within.len()
    }

    /// Returns a number of literals that the formula has at least once its cube is as weak as possible.
    pub(super) fn least_size(&self, formula: &Formula) -> usize {
        formula.outside.len() + 1
    }

    /// Drops literals of the cube while a type refutes the formula.
    pub(super) fn weakest(&self, formula: Formula, found: &Type) -> Formula {
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

    /// Returns a formula over its own variables, and for each of these its number among those of the shape.
    pub(super) fn alternation(&self, formula: &Formula) -> (Alternation, Vec<usize>) {
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
        let mut cube = Vec::new();
        match self.inside {
            Inside::Clause => clause.extend(literals(formula.within, &self.within)),
            Inside::Cube if formula.within == self.all() => {}
            Inside::Cube => cube = literals(formula.within, &self.within),
        }
        clause.extend(self.values_of_grounds(&clause, &cube));
        let sorts: Vec<SortId> = self.blocks.iter().flatten().map(|&var| self.prefix.sorts[var]).collect();
        let [outer, witnesses, _] = &self.blocks;
        let whole = Alternation { sorts, outer: outer.len(), witnesses: witnesses.len(), clause, cube };
        let used = whole.used();
        (whole.normalized(), (0..used.len()).filter(|&var| used[var]).collect())
    }

    /// Returns that the variables of terms without variables, as far as literals mention them, do not have their values.
    fn values_of_grounds(&self, clause: &[Literal], cube: &[Literal]) -> Vec<Literal> {
        let mut is_used = vec![false; self.blocks.iter().map(Vec::len).sum()];
        for literal in clause.iter().chain(cube) {
            literal.atom.variables(|var| is_used[usize::from(var)] = true);
        }
        let mut values = Vec::new();
        for (at, ground) in self.grounds.iter().enumerate().rev() {
            if is_used[at] {
                ground.args.iter().for_each(|&arg| is_used[arg] = true);
                let args = ground.args.iter().map(|&arg| arg as u8).collect();
                values.push(Literal { atom: Atom::Value(ground.symbol, args, at as u8), positive: false });
            }
        }
        values
    }

    /// Returns the type of an assignment of variables with these numbers; `None` if the state has too many others. The
    /// other outer variables have any values.
    pub(super) fn type_at(&self, state: &State, variables: &[usize], values: &[u16]) -> Option<Type> {
        let mut outer = vec![0; self.blocks[0].len()];
        for (&variable, &value) in variables.iter().zip(values) {
            if let Some(place) = outer.get_mut(variable) {
                *place = value;
            }
        }
        self.type_of(state, &outer[self.grounds.len()..])
    }

    /// Returns the types of a state; `None` if there are too many assignments.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn types(&self, state: &State, budget: &mut Budget) -> Result<Option<Vec<Type>>, Exhausted> {
        let mut sizes: [Vec<u32>; 3] = std::array::from_fn(|block| self.sizes(block, state));
        sizes[0].drain(..self.grounds.len());
        let count = sizes.iter().map(|sizes| Tuples::count_all(sizes)).product::<u64>();
        if count > MAX_ASSIGNMENTS {
            return Ok(None);
        }
        budget.spend(count * self.prefix.atoms.len() as u64 / 8)?;
        let [outer, ..] = sizes;
        let mut types: Set<Type> = Set::default();
        let mut all = Vec::new();
        for tuple in Tuples::new(outer) {
            let values: Vec<u16> = tuple.iter().map(|&value| value as u16).collect();
            let Some(found) = self.type_of(state, &values) else { return Ok(None) };
            if types.insert(found.clone()) {
                all.push(found);
            }
        }
        Ok(Some(all))
    }

    /// Returns the numbers of values of the variables of a block.
    fn sizes(&self, block: usize, state: &State) -> Vec<u32> {
        self.blocks[block].iter().map(|&var| state.sizes[self.prefix.sorts[var].index()]).collect()
    }

    /// Returns the type of an assignment of the outer variables that do not stand for terms; `None` if the others have too many.
    fn type_of(&self, state: &State, outer: &[u16]) -> Option<Type> {
        let [witnesses, inner]: [Vec<u32>; 2] = std::array::from_fn(|at| self.sizes(at + 1, state));
        if Tuples::count_all(&witnesses).saturating_mul(Tuples::count_all(&inner)) > MAX_ASSIGNMENTS {
            return None;
        }
        let mut values = vec![0_u16; self.prefix.sorts.len()];
        let assign = |values: &mut [u16], block: usize, tuple: &[u32]| {
            for (&var, &value) in self.blocks[block].iter().zip(tuple) {
                values[var] = value as u16;
            }
        };
        let (grounds, free) = self.blocks[0].split_at(self.grounds.len());
        for (&var, ground) in grounds.iter().zip(&self.grounds) {
            values[var] = state.value(ground.symbol, ground.args.iter().map(|&arg| values[grounds[arg]]));
        }
        free.iter().zip(outer).for_each(|(&var, &value)| values[var] = value);
        let outside = self.true_literals(&self.outside, state, &values);
        let mut options = Vec::new();
        for tuple in Tuples::new(witnesses) {
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
        Some(Type { outside, witnesses: options })
    }

    fn true_literals(&self, atoms: &[usize], state: &State, values: &[u16]) -> Literals {
        let mut literals = Literals::default();
        for (at, &atom) in atoms.iter().enumerate() {
            literals.insert(2 * at + usize::from(self.prefix.atoms[atom].holds(state, values)));
        }
        literals
    }
}
