//! Expansion of the instances found by search to steps of the kernel's calculus.

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, Signature, SortId, SymId, Symbol, TermId, Terms, VarId};
use ramsey_solver::epr::{Answer, GroundTerm, LemmaAtom, Refutation, Solver};
use smallvec::SmallVec;

/// A step of the kernel's calculus, over closed formulas and ground terms of the arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Input(usize),
    And(TermId, usize),
    Or(TermId),
    Forall(TermId, Vec<TermId>),
    Exists(TermId),
    Equality,
}

/// A literal: its sign, and a formula that is not a negation.
pub(super) type Literal = (bool, TermId);

/// A constant introduced by the proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constant {
    /// The witness for a variable of a closed existential formula, by index of the variable.
    Witness(TermId, usize),
    /// The default element of a sort.
    Default(SortId),
}

/// Maximum number of tuples of values that one instance tries for one block of variables.
const MAX_TUPLES: usize = 64;

/// Values of variables; a variable bound at several places may have several.
type Values = Vec<(VarId, TermId)>;

/// The vocabulary of proofs: the arena of their formulas, and the constants that they introduce. Shared by all proofs
/// of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) sig: Signature,
    pub(super) terms: Terms,
    witnesses: Map<TermId, Vec<SymId>>,
    defaults: Map<SortId, SymId>,
    pub(super) constants: Map<SymId, Constant>,
    /// Bodies of quantified formulas instantiated with these terms.
    opened: Map<(TermId, Vec<TermId>), TermId>,
}

impl Vocabulary {
    pub(super) fn new(sig: Signature, terms: Terms) -> Self {
        Vocabulary { sig, terms, ..Vocabulary::default() }
    }
}

/// Returns an unnamed constant of a sort, or an unnamed proposition.
fn parameter(sort: SortId) -> Symbol {
    Symbol::parameter("", sort)
}

pub(super) struct Expansion {
    pub(super) vocabulary: Vocabulary,
    /// The kernel's inputs, ending with the negated goal.
    inputs: Vec<TermId>,
    /// The assertion number of the negated goal in the search.
    goal: usize,
    /// Steps, each with its clause.
    pub(super) steps: Vec<(Step, Vec<Literal>)>,
    done: Set<(TermId, Vec<TermId>)>,
}

impl Expansion {
    pub(super) fn new(vocabulary: Vocabulary, inputs: Vec<TermId>, goal: usize) -> Self {
        Expansion { vocabulary, inputs, goal, steps: Vec::new(), done: Set::default() }
    }

    /// Adds the steps of a refutation. The steps of the individual instances usually suffice; a thorough expansion
    /// also combines instances that agree with each other.
    pub(super) fn expand(&mut self, refutation: &Refutation, is_thorough: bool) {
        let mut terms: Vec<TermId> = Vec::new();
        let mut values: Vec<Vec<Values>> = vec![Vec::new(); self.inputs.len()];
        let mut reached: Set<(usize, Values)> = Set::default();
        for term in &refutation.terms {
            let term = match term {
                GroundTerm::App { sym, step, args } => {
                    let args: Vec<TermId> = args.iter().map(|&arg| terms[arg]).collect();
                    self.vocabulary.terms.app(&self.vocabulary.sig, *sym, *step, &args)
                }
                GroundTerm::Witness { assertion, formula, index, env } => match self.input(*assertion) {
                    Some(input) => {
                        let env: Values = env.iter().map(|&(var, value)| (var, terms[value])).collect();
                        let map = env.iter().copied().collect();
                        let closed = self.vocabulary.terms.substitute(*formula, &map);
                        // The formula must be reached before it can be named.
                        if reached.insert((input, env.clone())) {
                            values[input].push(env);
                        }
                        self.witness(closed, *index)
                    }
                    // A constant left over from another goal: any element suffices.
                    None => {
                        let sort = self.sort_of_witness(*formula, *index);
                        self.default(sort)
                    }
                },
                GroundTerm::Any(sort) => self.default(*sort),
            };
            terms.push(term);
        }
        for instance in &refutation.instances {
            if let Some(input) = self.input(instance.assertion) {
                let instance: Values =
                    instance.bindings.iter().map(|&(var, value)| (var, terms[value])).collect();
                if !values[input].contains(&instance) {
                    values[input].push(instance);
                }
            }
        }
        for (input, instances) in values.iter().enumerate() {
            if instances.is_empty() {
                continue;
            }
            let formula = self.inputs[input];
            let literal = self.literal(formula);
            self.steps.push((Step::Input(input), vec![literal]));
            for instance in instances {
                let is_partial = is_thorough || reached.contains(&(input, instance.clone()));
                self.walk(formula, instance, instances, is_partial);
            }
        }
        self.lemmas(refutation, &terms);
    }

    /// Adds the equality lemmas of a refutation, over these terms, and trivial equalities.
    fn lemmas(&mut self, refutation: &Refutation, terms: &[TermId]) {
        for lemma in &refutation.lemmas {
            let clause = lemma
                .iter()
                .map(|(positive, atom)| {
                    let atom = match atom {
                        LemmaAtom::Rel(sym, step, args) => {
                            let args: Vec<TermId> = args.iter().map(|&arg| terms[arg]).collect();
                            self.vocabulary.terms.app(&self.vocabulary.sig, *sym, *step, &args)
                        }
                        LemmaAtom::Eq(a, b) => self.vocabulary.terms.eq(terms[*a], terms[*b]),
                    };
                    (*positive, self.oriented(atom))
                })
                .collect();
            self.steps.push((Step::Equality, clause));
        }
        self.reflexivity();
    }

    /// Adds the equality lemmas that refute the steps. Returns `false` if there are none.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn complete(&mut self, budget: &mut Budget) -> Result<bool, Exhausted> {
        let (mut sig, mut terms) = (self.vocabulary.sig.clone(), self.vocabulary.terms.clone());
        // Formulas that are not atoms are abstracted to propositions.
        let mut propositions: Map<TermId, TermId> = Map::default();
        let mut clauses: Vec<TermId> = Vec::with_capacity(self.steps.len());
        for (_, clause) in &self.steps {
            let mut literals = Vec::with_capacity(clause.len());
            for &(positive, formula) in clause {
                let atom = match terms.node(formula) {
                    Node::App { .. } | Node::Eq(..) => formula,
                    _ => *propositions.entry(formula).or_insert_with(|| {
                        let sym = sig.symbols.push(parameter(SortId::BOOL));
                        terms.app(&sig, sym, 0, &[])
                    }),
                };
                literals.push(if positive { atom } else { terms.not(atom) });
            }
            clauses.push(terms.or(&literals));
        }
        let mut solver = Solver::new(sig, terms, 0);
        solver.keep_record();
        solver.within(budget, |solver| clauses.iter().for_each(|&clause| solver.assert(clause)));
        if solver.check(&[], budget)? == Answer::Sat {
            return Ok(false);
        }
        let Some(refutation) = solver.refutation(&[], budget)? else { return Ok(false) };
        let mut ground: Vec<TermId> = Vec::with_capacity(refutation.terms.len());
        for term in &refutation.terms {
            // Clauses without quantifiers have no other terms.
            let GroundTerm::App { sym, step, args } = term else { return Ok(false) };
            let args: Vec<TermId> = args.iter().map(|&arg| ground[arg]).collect();
            ground.push(self.vocabulary.terms.app(&self.vocabulary.sig, *sym, *step, &args));
        }
        self.lemmas(&refutation, &ground);
        Ok(true)
    }

    /// Adds `t = t` for every such atom in a clause.
    fn reflexivity(&mut self) {
        let mut trivial: Vec<TermId> = Vec::new();
        for (_, clause) in &self.steps {
            for &(_, atom) in clause {
                if let Node::Eq(a, b) = self.vocabulary.terms.node(atom)
                    && a == b
                    && !trivial.contains(&atom)
                {
                    trivial.push(atom);
                }
            }
        }
        self.steps.extend(trivial.into_iter().map(|atom| (Step::Equality, vec![(true, atom)])));
    }

    /// Returns the index of the kernel's input for an assertion of the search.
    fn input(&self, assertion: usize) -> Option<usize> {
        let goal = self.inputs.len() - 1;
        if assertion == self.goal { Some(goal) } else { (assertion < goal).then_some(assertion) }
    }

    fn literal(&mut self, formula: TermId) -> Literal {
        match self.vocabulary.terms.node(formula) {
            Node::Not(inner) => (false, self.oriented(inner)),
            _ => (true, self.oriented(formula)),
        }
    }

    /// Orients an equality: `a = b` and `b = a` share a number, and one of them represents both.
    fn oriented(&mut self, formula: TermId) -> TermId {
        match self.vocabulary.terms.node(formula) {
            Node::Eq(a, b) if b < a => self.vocabulary.terms.eq(b, a),
            _ => formula,
        }
    }

    fn sort_of_witness(&self, formula: TermId, index: usize) -> SortId {
        match self.vocabulary.terms.node(formula) {
            Node::Exists(vars, _) => {
                let var = self.vocabulary.terms.bound_vars(vars).nth(index);
                var.map_or(SortId::BOOL, |var| self.vocabulary.terms.var_info(var).sort)
            }
            _ => SortId::BOOL,
        }
    }

    fn constant(&mut self, sort: SortId, constant: Constant) -> SymId {
        let sym = self.vocabulary.sig.symbols.push(parameter(sort));
        self.vocabulary.constants.insert(sym, constant);
        sym
    }

    fn default(&mut self, sort: SortId) -> TermId {
        let sym = match self.vocabulary.defaults.get(&sort) {
            Some(&sym) => sym,
            None => {
                let sym = self.constant(sort, Constant::Default(sort));
                self.vocabulary.defaults.insert(sort, sym);
                sym
            }
        };
        self.vocabulary.terms.app(&self.vocabulary.sig, sym, 0, &[])
    }

    fn witness(&mut self, closed: TermId, index: usize) -> TermId {
        let syms = self.witnesses_of(closed);
        match syms.get(index) {
            Some(&sym) => self.vocabulary.terms.app(&self.vocabulary.sig, sym, 0, &[]),
            None => closed,
        }
    }

    fn witnesses_of(&mut self, closed: TermId) -> Vec<SymId> {
        if let Some(known) = self.vocabulary.witnesses.get(&closed) {
            return known.clone();
        }
        let Node::Exists(vars, _) = self.vocabulary.terms.node(closed) else { return Vec::new() };
        let sorts: Vec<SortId> = self
            .vocabulary
            .terms
            .bound_vars(vars)
            .map(|var| self.vocabulary.terms.var_info(var).sort)
            .collect();
        let syms: Vec<SymId> = sorts
            .into_iter()
            .enumerate()
            .map(|(index, sort)| self.constant(sort, Constant::Witness(closed, index)))
            .collect();
        self.vocabulary.witnesses.insert(closed, syms.clone());
        syms
    }

    /// Decomposes a closed formula, with the values of one instance for bound variables. For variables without a
    /// value, a partial instance continues with those of `all` that agree with it, or else with any values; a complete
    /// one stops there.
    fn walk(&mut self, formula: TermId, values: &Values, all: &[Values], is_partial: bool) {
        // The values of variables on the way down, referred to by index.
        let mut known: Vec<Values> = vec![values.clone()];
        let mut pending: Vec<(TermId, usize)> = vec![(formula, 0)];
        let mut seen: Set<(TermId, usize)> = Set::default();
        while let Some((formula, at)) = pending.pop() {
            let node = self.vocabulary.terms.node(formula);
            let is_leaf = !matches!(
                node,
                Node::And(_) | Node::Or(_) | Node::False | Node::Exists(..) | Node::Forall(..)
            );
            if is_leaf || !seen.insert((formula, at)) {
                continue;
            }
            let this = (false, formula);
            match node {
                Node::And(args) | Node::Or(args) => {
                    let new = self.done.insert((formula, Vec::new()));
                    if !new && !self.vocabulary.terms.has_vars(formula) {
                        // Decomposed before, and nothing below depends on the values.
                        continue;
                    }
                    let children: SmallVec<[TermId; 8]> = self.vocabulary.terms.args(args).into();
                    pending.extend(children.iter().map(|&child| (child, at)));
                    if !new {
                        continue;
                    }
                    if matches!(node, Node::Or(_)) {
                        let mut clause = vec![this];
                        clause.extend(children.into_iter().map(|child| self.literal(child)));
                        self.steps.push((Step::Or(formula), clause));
                    } else {
                        for (index, child) in children.into_iter().enumerate() {
                            let literal = self.literal(child);
                            self.steps.push((Step::And(formula, index), vec![this, literal]));
                        }
                    }
                }
                Node::False if self.done.insert((formula, Vec::new())) => {
                    self.steps.push((Step::Or(formula), vec![this]));
                }
                Node::Exists(vars, body) => {
                    let vars: Vec<VarId> = self.vocabulary.terms.bound_vars(vars).collect();
                    let constants: Vec<TermId> =
                        (0..vars.len()).map(|index| self.witness(formula, index)).collect();
                    let body = self.open(formula, &vars, constants, body);
                    if self.done.insert((formula, Vec::new())) {
                        let literal = self.literal(body);
                        self.steps.push((Step::Exists(formula), vec![this, literal]));
                    }
                    pending.push((body, at));
                }
                Node::Forall(vars, body) => {
                    let vars: Vec<VarId> = self.vocabulary.terms.bound_vars(vars).collect();
                    for (tuple, values) in self.tuples(&vars, &known[at], all, is_partial) {
                        let at = match values {
                            None => at,
                            Some(values) => {
                                known.iter().position(|other| *other == values).unwrap_or_else(|| {
                                    known.push(values);
                                    known.len() - 1
                                })
                            }
                        };
                        let instance = self.open(formula, &vars, tuple.clone(), body);
                        if self.done.insert((formula, tuple.clone())) {
                            let literal = self.literal(instance);
                            self.steps.push((Step::Forall(formula, tuple), vec![this, literal]));
                        }
                        pending.push((instance, at));
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the body of a quantified formula instantiated with these terms.
    fn open(&mut self, formula: TermId, vars: &[VarId], tuple: Vec<TermId>, body: TermId) -> TermId {
        let terms = &mut self.vocabulary.terms;
        let map = |tuple: &[TermId]| vars.iter().copied().zip(tuple.iter().copied()).collect();
        match self.vocabulary.opened.entry((formula, tuple)) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(slot) => {
                let instance = terms.substitute(body, &map(&slot.key().1));
                *slot.insert(instance)
            }
        }
    }

    /// Returns tuples of values for a block of variables, each with the extended values of all variables, if they are
    /// extended.
    fn tuples(
        &mut self,
        vars: &[VarId],
        values: &Values,
        all: &[Values],
        is_partial: bool,
    ) -> Vec<(Vec<TermId>, Option<Values>)> {
        if vars.iter().any(|&var| values.iter().any(|&(known, _)| known == var)) {
            return self.product(vars, values).into_iter().map(|tuple| (tuple, None)).collect();
        }
        if !is_partial {
            return Vec::new();
        }
        let mut result: Vec<(Vec<TermId>, Option<Values>)> = Vec::new();
        for other in all {
            let binds = vars.iter().any(|&var| other.iter().any(|&(known, _)| known == var));
            let agrees = other.iter().all(|&(var, value)| {
                let mut known = values.iter().filter(|&&(other, _)| other == var).peekable();
                known.peek().is_none() || known.any(|&(_, other)| other == value)
            });
            if !binds || !agrees {
                continue;
            }
            for tuple in self.product(vars, other) {
                if result.iter().all(|(known, _)| *known != tuple) && result.len() < MAX_TUPLES {
                    let mut values = values.clone();
                    values.extend(vars.iter().copied().zip(tuple.iter().copied()));
                    result.push((tuple, Some(values)));
                }
            }
        }
        if result.is_empty() {
            let tuples = self.product(vars, &Vec::new());
            result.extend(tuples.into_iter().map(|tuple| (tuple, None)));
        }
        result
    }

    /// Returns all combinations of the values of each variable; a variable without a value gets the default of its
    /// sort.
    fn product(&mut self, vars: &[VarId], values: &Values) -> Vec<Vec<TermId>> {
        let mut single: Vec<TermId> = Vec::with_capacity(vars.len());
        for &var in vars {
            let mut known = values.iter().filter(|&&(known, _)| known == var);
            match (known.next(), known.next()) {
                (Some(&(_, value)), None) => single.push(value),
                _ => break,
            }
        }
        if single.len() == vars.len() {
            return vec![single];
        }
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for &var in vars {
            let mut choices: Vec<TermId> = Vec::new();
            for &(known, value) in values {
                if known == var && !choices.contains(&value) {
                    choices.push(value);
                }
            }
            if choices.is_empty() {
                let sort = self.vocabulary.terms.var_info(var).sort;
                choices.push(self.default(sort));
            }
            tuples = tuples
                .iter()
                .flat_map(|tuple| {
                    choices.iter().map(move |&choice| {
                        let mut longer = tuple.clone();
                        longer.push(choice);
                        longer
                    })
                })
                .take(MAX_TUPLES)
                .collect();
        }
        tuples
    }
}
