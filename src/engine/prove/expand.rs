//! Expansion of the instances found by search to steps of the calculus of certificates.
//!
//! Search knows hypotheses in a normal form, whose binders are those of the hypotheses: values of variables in it are
//! values of variables in them (`walk`), and a witness of a subformula of it is one of the quantifier in the hypothesis
//! that binds the same variable (`witness`).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::frames::Frames;
use super::standing::proposition;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, Signature, SortId, SymId, Symbol, TermId, Terms, VarId};
use ramsey_solver::epr::{Answer, GroundTerm, LemmaAtom, Refutation, Solver};

/// A step of the calculus of certificates, over closed formulas and ground terms of the arena. A clause begins with the
/// formula that its step is about; hypotheses and lemmas are about none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Input(usize),
    /// The formula has the other value, or this part the value that it follows from.
    Part(TermId, usize),
    /// The formula has the other value, or one of its parts has a value.
    Parts(TermId),
    /// One of the four clauses about an equivalence.
    Iff(TermId, usize),
    Instance(TermId, Vec<TermId>),
    Witness(TermId),
    Equality,
}

/// A literal: its sign, and a formula that is not a negation.
pub(super) type Literal = (bool, TermId);

/// A constant introduced by the proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constant {
    /// The witness for a variable of a closed quantified formula, by index of the variable.
    Witness(TermId, usize),
    /// The default element of a sort.
    Default(SortId),
}

/// Values of variables, by their places among the terms of the refutation. A variable bound at several places may have
/// several.
pub(super) type Places = Vec<(VarId, usize)>;

/// The vocabulary of proofs: the arena of their formulas, and the constants that they introduce. Shared by all proofs
/// of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) sig: Signature,
    pub(super) terms: Terms,
    witnesses: Map<TermId, Vec<TermId>>,
    defaults: Map<SortId, SymId>,
    pub(super) constants: Map<SymId, Constant>,
    /// Bodies of quantified formulas instantiated with these terms.
    opened: Map<(TermId, Vec<TermId>), TermId>,
    /// The variables that are bound below a formula, ascending, if there are any.
    pub(super) below: Map<TermId, Option<Arc<[VarId]>>>,
    /// By formula with many parts and variable, the parts below which the variable is bound.
    pub(super) parts_below: Map<TermId, Map<VarId, Vec<usize>>>,
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
    /// The hypotheses, and behind them the goal.
    pub(super) inputs: Vec<TermId>,
    /// By number of an assertion of the search, the input that it is.
    places: Arc<[usize]>,
    /// The assertion number of the negated goal in the search.
    goal: usize,
    /// By input, the values that instances give to variables of it.
    pub(super) instances: BTreeMap<usize, Vec<Places>>,
    /// By place in the refutation, the terms so far.
    pub(super) terms: Vec<TermId>,
    /// The number of terms that may take the place of values that are not known.
    pub(super) usable: usize,
    /// Witnesses that may have to stand in for one, which is among them.
    pub(super) others: Map<TermId, Vec<TermId>>,
    /// Steps, each with its clause.
    pub(super) steps: Vec<(Step, Vec<Literal>)>,
    /// The formulas with steps, and quantified ones with the values of an instance.
    pub(super) done: Set<(TermId, bool, Vec<TermId>)>,
    /// By symbol that stands for a parameter of the transition in what is searched, the witness for it.
    params: Map<SymId, TermId>,
    /// The parts of formulas with steps of their own, by their places.
    pub(super) parts: Set<(TermId, bool, usize)>,
}

impl Expansion {
    pub(super) fn new(
        vocabulary: Vocabulary,
        inputs: Vec<TermId>,
        places: &Arc<[usize]>,
        goal: usize,
    ) -> Self {
        let instances = BTreeMap::new();
        let (terms, others, steps, done) = (Vec::new(), Map::default(), Vec::new(), Set::default());
        Expansion {
            vocabulary,
            inputs,
            places: Arc::clone(places),
            goal,
            instances,
            terms,
            usable: 0,
            others,
            steps,
            done,
            params: Map::default(),
            parts: Set::default(),
        }
    }

    /// Returns the value of an input: hypotheses are true, and the goal is false.
    pub(super) fn value_of(&self, input: usize) -> bool {
        input + 1 < self.inputs.len()
    }

    /// Adds the steps of a refutation. The steps of the individual instances usually suffice; a thorough expansion
    /// also combines instances that agree with each other.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn expand(
        &mut self,
        refutation: &Refutation,
        is_thorough: bool,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        // A second expansion replaces the first one.
        self.clear();
        for instance in &refutation.instances {
            let Some(input) = self.input(instance.assertion) else { continue };
            let known = self.instances.entry(input).or_default();
            if !known.contains(&instance.bindings) {
                known.push(instance.bindings.clone());
            }
        }
        // What has to be reached before its witnesses can be named.
        let mut reached: Vec<(usize, Places, VarId, usize)> = Vec::new();
        for term in &refutation.terms {
            let term = match term {
                GroundTerm::App { sym, step, args } => self.application(*sym, *step, args),
                GroundTerm::Witness { assertion, formula, index, env } => {
                    match (self.input(*assertion), self.bound(*formula, *index)) {
                        (Some(input), Some(var)) => {
                            let (witness, values) = self.named(input, *formula, var, env, is_thorough);
                            reached.push((input, values, var, self.usable));
                            witness
                        }
                        // A constant left over from another goal: any element suffices.
                        (None, Some(var)) => {
                            let sort = self.vocabulary.terms.var_info(var).sort;
                            self.default(sort)
                        }
                        (_, None) => self.default(SortId::BOOL),
                    }
                }
                GroundTerm::Any(sort) => self.default(*sort),
            };
            self.terms.push(term);
            self.usable = self.terms.len();
        }
        let mut inputs: Vec<usize> = self.instances.keys().copied().collect();
        inputs.extend(reached.iter().map(|&(input, ..)| input));
        inputs.sort_unstable();
        inputs.dedup();
        for input in inputs {
            let instances = self.instances.get(&input).cloned().unwrap_or_default();
            let reached = || reached.iter().filter(|(other, ..)| *other == input);
            let (is_even, formula) = self.proposition(self.inputs[input]);
            self.steps.push((Step::Input(input), vec![(is_even == self.value_of(input), formula)]));
            // What has witnesses is reached by terms that were there before them, whatever else is tried.
            for &(_, ref values, var, usable) in reached() {
                self.usable = usable;
                self.walk(input, values, Some(var), false, budget)?;
            }
            self.usable = self.terms.len();
            for instance in &instances {
                self.walk(input, instance, None, is_thorough, budget)?;
            }
        }
        self.lemmas(refutation);
        Ok(())
    }

    /// Forgets the terms and steps so far.
    pub(super) fn clear(&mut self) {
        self.terms.clear();
        self.steps.clear();
        self.done.clear();
        self.parts.clear();
        self.usable = 0;
    }

    /// Puts the witnesses for the parameters of the transition in the place of their symbols.
    pub(super) fn place_params(&mut self, frames: &Frames) {
        if frames.has_definitions() {
            let witnesses = self.witnesses_of(self.inputs[frames.transition]);
            self.params = frames.params.iter().copied().zip(witnesses).collect();
        }
    }

    fn application(&mut self, sym: SymId, step: u16, args: &[usize]) -> TermId {
        if let Some(&witness) = self.params.get(&sym) {
            return witness;
        }
        let args: Vec<TermId> = args.iter().map(|&arg| self.terms[arg]).collect();
        self.vocabulary.terms.app(&self.vocabulary.sig, sym, step, &args)
    }

    /// Returns the variable with this index among those that a formula binds.
    fn bound(&self, formula: TermId, index: usize) -> Option<VarId> {
        match self.vocabulary.terms.node(formula) {
            Node::Forall(vars, _) | Node::Exists(vars, _) => {
                self.vocabulary.terms.bound_vars(vars).nth(index)
            }
            _ => None,
        }
    }

    /// Adds the equality lemmas of a refutation, over the terms, and trivial equalities.
    fn lemmas(&mut self, refutation: &Refutation) {
        for lemma in &refutation.lemmas {
            let clause = lemma
                .iter()
                .map(|(positive, atom)| {
                    let atom = match atom {
                        LemmaAtom::Rel(sym, step, args) => self.application(*sym, *step, args),
                        LemmaAtom::Eq(a, b) => self.vocabulary.terms.eq(self.terms[*a], self.terms[*b]),
                    };
                    (*positive, self.proposition(atom).1)
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
        self.terms.clear();
        for term in &refutation.terms {
            // Clauses without quantifiers have no other terms.
            let GroundTerm::App { sym, step, args } = term else { return Ok(false) };
            let term = self.application(*sym, *step, args);
            self.terms.push(term);
        }
        self.lemmas(&refutation);
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
        if assertion == self.goal { Some(self.inputs.len() - 1) } else { self.places.get(assertion).copied() }
    }

    fn proposition(&mut self, formula: TermId) -> Literal {
        proposition(&mut self.vocabulary.terms, formula)
    }

    /// Returns the literal that is true if a formula has this value.
    pub(super) fn literal(&mut self, (formula, value): (TermId, bool)) -> Literal {
        let (is_even, formula) = self.proposition(formula);
        (is_even == value, formula)
    }

    fn constant(&mut self, sort: SortId, constant: Constant) -> SymId {
        let sym = self.vocabulary.sig.symbols.push(parameter(sort));
        self.vocabulary.constants.insert(sym, constant);
        sym
    }

    pub(super) fn default(&mut self, sort: SortId) -> TermId {
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

    /// Returns the constants for the variables of a closed quantified formula.
    pub(super) fn witnesses_of(&mut self, closed: TermId) -> Vec<TermId> {
        if let Some(known) = self.vocabulary.witnesses.get(&closed) {
            return known.clone();
        }
        let terms = &self.vocabulary.terms;
        let (Node::Forall(vars, _) | Node::Exists(vars, _)) = terms.node(closed) else { return Vec::new() };
        let sorts: Vec<SortId> = terms.bound_vars(vars).map(|var| terms.var_info(var).sort).collect();
        let mut constants = Vec::with_capacity(sorts.len());
        for (index, sort) in sorts.into_iter().enumerate() {
            let sym = self.constant(sort, Constant::Witness(closed, index));
            constants.push(self.vocabulary.terms.app(&self.vocabulary.sig, sym, 0, &[]));
        }
        self.vocabulary.witnesses.insert(closed, constants.clone());
        constants
    }

    /// Returns the body of a quantified formula instantiated with these terms.
    pub(super) fn open(&mut self, formula: TermId, tuple: Vec<TermId>) -> TermId {
        let terms = &mut self.vocabulary.terms;
        let (Node::Forall(vars, body) | Node::Exists(vars, body)) = terms.node(formula) else {
            return formula;
        };
        match self.vocabulary.opened.entry((formula, tuple)) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(slot) => {
                let map = terms.bound_vars(vars).zip(slot.key().1.iter().copied()).collect();
                let instance = terms.substitute(body, &map);
                *slot.insert(instance)
            }
        }
    }
}
