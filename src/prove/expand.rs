//! From the instances that search used to steps of the kernel's calculus.

use crate::base::hash::{Map, Set};
use crate::epr::{GroundTerm, LemmaAtom, Refutation};
use crate::logic::{Node, Signature, SortId, SymId, Symbol, SymbolKind, TermId, Terms, VarId};

/// A step, over closed formulas and ground terms of the arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Input(usize),
    And(TermId, usize),
    Or(TermId),
    Forall(TermId, Vec<TermId>),
    Exists(TermId),
    Equality,
}

/// A literal: its sign, and a formula that is no negation.
pub(super) type Literal = (bool, TermId);

/// A constant that the proof introduces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constant {
    /// For a variable of a closed existential formula.
    Witness(TermId, usize),
    /// Of a sort.
    Default(SortId),
}

/// At most this many tuples of values are tried for one block of variables by one instance.
const MAX_TUPLES: usize = 64;

/// Values for variables; several where a variable is bound at several places.
type Values = Vec<(VarId, TermId)>;

pub(super) struct Expansion {
    pub(super) sig: Signature,
    pub(super) terms: Terms,
    /// The kernel's inputs; the last is the negated goal.
    inputs: Vec<TermId>,
    /// The number by which search knows the negated goal.
    goal: usize,
    /// Steps with their clauses.
    pub(super) steps: Vec<(Step, Vec<Literal>)>,
    done: Set<(TermId, Vec<TermId>)>,
    witnesses: Map<TermId, Vec<SymId>>,
    defaults: Map<SortId, SymId>,
    pub(super) constants: Map<SymId, Constant>,
}

impl Expansion {
    pub(super) fn new(sig: Signature, terms: Terms, inputs: Vec<TermId>, goal: usize) -> Self {
        Expansion {
            sig,
            terms,
            inputs,
            goal,
            steps: Vec::new(),
            done: Set::default(),
            witnesses: Map::default(),
            defaults: Map::default(),
            constants: Map::default(),
        }
    }

    /// Makes the steps of a refutation.
    pub(super) fn expand(&mut self, refutation: &Refutation) {
        let mut terms: Vec<TermId> = Vec::new();
        let mut values: Vec<Vec<Values>> = vec![Vec::new(); self.inputs.len()];
        for term in &refutation.terms {
            let term = match term {
                GroundTerm::App { sym, step, args } => {
                    let args: Vec<TermId> = args.iter().map(|&arg| terms[arg]).collect();
                    self.terms.app(&self.sig, *sym, *step, &args)
                }
                GroundTerm::Witness { assertion, formula, index, env } => match self.input(*assertion) {
                    Some(input) => {
                        let env: Values = env.iter().map(|&(var, value)| (var, terms[value])).collect();
                        let map = env.iter().copied().collect();
                        let closed = self.terms.substitute(*formula, &map);
                        // The formula has to be reached before it can be named.
                        values[input].push(env);
                        self.witness(closed, *index)
                    }
                    // A constant left over from another goal: any element will do.
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
                values[input]
                    .push(instance.bindings.iter().map(|&(var, value)| (var, terms[value])).collect());
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
                self.walk(formula, instance, instances);
            }
        }
        for lemma in &refutation.lemmas {
            let clause = lemma
                .iter()
                .map(|(positive, atom)| {
                    let atom = match atom {
                        LemmaAtom::Rel(sym, step, args) => {
                            let args: Vec<TermId> = args.iter().map(|&arg| terms[arg]).collect();
                            self.terms.app(&self.sig, *sym, *step, &args)
                        }
                        LemmaAtom::Eq(a, b) => self.terms.eq(terms[*a], terms[*b]),
                    };
                    (*positive, self.oriented(atom))
                })
                .collect();
            self.steps.push((Step::Equality, clause));
        }
        self.reflexivity();
    }

    /// `t = t` for every such atom in a clause.
    fn reflexivity(&mut self) {
        let mut trivial: Vec<TermId> = Vec::new();
        for (_, clause) in &self.steps {
            for &(_, atom) in clause {
                if let Node::Eq(a, b) = self.terms.node(atom)
                    && a == b
                    && !trivial.contains(&atom)
                {
                    trivial.push(atom);
                }
            }
        }
        self.steps.extend(trivial.into_iter().map(|atom| (Step::Equality, vec![(true, atom)])));
    }

    /// The kernel's input that search knows as this assertion.
    fn input(&self, assertion: usize) -> Option<usize> {
        let goal = self.inputs.len() - 1;
        if assertion == self.goal { Some(goal) } else { (assertion < goal).then_some(assertion) }
    }

    fn literal(&mut self, formula: TermId) -> Literal {
        match self.terms.node(formula) {
            Node::Not(inner) => (false, self.oriented(inner)),
            _ => (true, self.oriented(formula)),
        }
    }

    /// `a = b` and `b = a` share a number: one of them stands for both.
    fn oriented(&mut self, formula: TermId) -> TermId {
        match self.terms.node(formula) {
            Node::Eq(a, b) if b < a => self.terms.eq(b, a),
            _ => formula,
        }
    }

    fn sort_of_witness(&self, formula: TermId, index: usize) -> SortId {
        match self.terms.node(formula) {
            Node::Exists(vars, _) => {
                let var = self.terms.bound_vars(vars).nth(index);
                var.map_or(SortId::BOOL, |var| self.terms.var_info(var).sort)
            }
            _ => SortId::BOOL,
        }
    }

    fn constant(&mut self, sort: SortId, constant: Constant) -> SymId {
        let sym = self.sig.symbols.push(Symbol {
            name: String::new(),
            args: Vec::new(),
            result: sort,
            kind: SymbolKind::Parameter,
            annotations: Vec::new(),
            span: None,
        });
        self.constants.insert(sym, constant);
        sym
    }

    fn default(&mut self, sort: SortId) -> TermId {
        let sym = match self.defaults.get(&sort) {
            Some(&sym) => sym,
            None => {
                let sym = self.constant(sort, Constant::Default(sort));
                self.defaults.insert(sort, sym);
                sym
            }
        };
        self.terms.app(&self.sig, sym, 0, &[])
    }

    fn witness(&mut self, closed: TermId, index: usize) -> TermId {
        let syms = self.witnesses_of(closed);
        match syms.get(index) {
            Some(&sym) => self.terms.app(&self.sig, sym, 0, &[]),
            None => closed,
        }
    }

    fn witnesses_of(&mut self, closed: TermId) -> Vec<SymId> {
        if let Some(known) = self.witnesses.get(&closed) {
            return known.clone();
        }
        let Node::Exists(vars, _) = self.terms.node(closed) else { return Vec::new() };
        let sorts: Vec<SortId> =
            self.terms.bound_vars(vars).map(|var| self.terms.var_info(var).sort).collect();
        let syms: Vec<SymId> = sorts
            .into_iter()
            .enumerate()
            .map(|(index, sort)| self.constant(sort, Constant::Witness(closed, index)))
            .collect();
        self.witnesses.insert(closed, syms.clone());
        syms
    }

    /// Takes a closed formula apart, with the values of one instance where variables are bound, and those of `all`
    /// that agree with it where it has none.
    fn walk(&mut self, formula: TermId, values: &Values, all: &[Values]) {
        let mut pending: Vec<(TermId, Values)> = vec![(formula, values.clone())];
        let mut seen: Set<(TermId, Values)> = Set::default();
        while let Some((formula, values)) = pending.pop() {
            if !seen.insert((formula, values.clone())) {
                continue;
            }
            let this = (false, formula);
            match self.terms.node(formula) {
                Node::And(args) => {
                    let children = self.terms.args(args).to_vec();
                    let new = self.done.insert((formula, Vec::new()));
                    for (index, child) in children.into_iter().enumerate() {
                        if new {
                            let literal = self.literal(child);
                            self.steps.push((Step::And(formula, index), vec![this, literal]));
                        }
                        pending.push((child, values.clone()));
                    }
                }
                Node::Or(args) => {
                    let children = self.terms.args(args).to_vec();
                    if self.done.insert((formula, Vec::new())) {
                        let mut clause = vec![this];
                        for &child in &children {
                            clause.push(self.literal(child));
                        }
                        self.steps.push((Step::Or(formula), clause));
                    }
                    pending.extend(children.into_iter().map(|child| (child, values.clone())));
                }
                Node::False => {
                    if self.done.insert((formula, Vec::new())) {
                        self.steps.push((Step::Or(formula), vec![this]));
                    }
                }
                Node::Exists(vars, body) => {
                    let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                    let constants: Vec<TermId> =
                        (0..vars.len()).map(|index| self.witness(formula, index)).collect();
                    let body = self.terms.substitute(body, &vars.into_iter().zip(constants).collect());
                    if self.done.insert((formula, Vec::new())) {
                        let literal = self.literal(body);
                        self.steps.push((Step::Exists(formula), vec![this, literal]));
                    }
                    pending.push((body, values));
                }
                Node::Forall(vars, body) => {
                    let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                    for (tuple, values) in self.tuples(&vars, &values, all) {
                        let map = vars.iter().copied().zip(tuple.iter().copied()).collect();
                        let instance = self.terms.substitute(body, &map);
                        if self.done.insert((formula, tuple.clone())) {
                            let literal = self.literal(instance);
                            self.steps.push((Step::Forall(formula, tuple), vec![this, literal]));
                        }
                        pending.push((instance, values));
                    }
                }
                _ => {}
            }
        }
    }

    /// Tuples of values for a block of variables, each with what is known of all variables then.
    fn tuples(&mut self, vars: &[VarId], values: &Values, all: &[Values]) -> Vec<(Vec<TermId>, Values)> {
        if vars.iter().any(|&var| values.iter().any(|&(known, _)| known == var)) {
            let tuples = self.product(vars, values);
            return tuples.into_iter().map(|tuple| (tuple, values.clone())).collect();
        }
        let mut result: Vec<(Vec<TermId>, Values)> = Vec::new();
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
                    result.push((tuple, values));
                }
            }
        }
        if result.is_empty() {
            let tuple = self.product(vars, &Vec::new());
            result.extend(tuple.into_iter().map(|tuple| (tuple, values.clone())));
        }
        result
    }

    /// All combinations of the values of each variable; the sort's default where there is none.
    fn product(&mut self, vars: &[VarId], values: &Values) -> Vec<Vec<TermId>> {
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for &var in vars {
            let mut choices: Vec<TermId> = Vec::new();
            for &(known, value) in values {
                if known == var && !choices.contains(&value) {
                    choices.push(value);
                }
            }
            if choices.is_empty() {
                let sort = self.terms.var_info(var).sort;
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
