//! Formulas and steps of random systems with functions and excesses, evaluated in structures and in their relational forms.

use super::build::{Form, build};
use super::cut::{Order, Table, read};
use super::excess::{Excess, Orders};
use super::in_the_way;
use crate::infer::engine::Question;
use crate::infer::outcome::{Candidate, Options};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::rng::Rng;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{
    Elem, Evaluator, Sort, SortId, Structure, SymId, Symbol, SymbolKind, Syntax, TermId, VarId,
};
use ramsey_core::system::{Assignment, Axiom, Init, Invariant, System, Transition};
use ramsey_kernel::obligations::plain::step_formula;
use ramsey_solver::ask::holds;

const SPAN: fn() -> Span = || Span { file: FileId::new(0), start: 0, end: 0 };

/// A system with nodes, numbers in a total order, and values.
struct Maker<'a> {
    rng: &'a mut Rng,
    system: System,
    is_strict: bool,
    node: SortId,
    number: SortId,
    value: SortId,
    before: SymId,
    /// From nodes to numbers, to values, and from values to nodes; all mutable but the last one.
    functions: [SymId; 3],
    relations: Vec<SymId>,
    constants: Vec<SymId>,
}

impl<'a> Maker<'a> {
    fn new(rng: &'a mut Rng, is_strict: bool) -> Maker<'a> {
        let mut system = System::new();
        let sorts = ["node", "number", "value"];
        let [node, number, value] = sorts.map(|name| system.sig.sorts.push(Sort::new(name)));
        let (mutable, immutable) = (SymbolKind::Mutable, SymbolKind::Immutable);
        let mut symbol = |name: &str, args: &[SortId], result: SortId, kind| {
            system.sig.symbols.push(Symbol::new(name, args.to_vec(), result, kind))
        };
        let before = symbol("before", &[number, number], SortId::BOOL, immutable);
        let functions = [
            symbol("last", &[node], number, mutable),
            symbol("choice", &[node], value, mutable),
            symbol("owner", &[value], node, immutable),
        ];
        let relations = vec![
            symbol("voted", &[node, number], SortId::BOOL, mutable),
            symbol("good", &[value], SortId::BOOL, mutable),
            symbol("chose", &[number, value, node], SortId::BOOL, mutable),
            before,
        ];
        let constants = vec![
            symbol("first", &[], number, immutable),
            symbol("leader", &[], node, mutable),
            symbol("default", &[], value, immutable),
        ];
        let mut maker =
            Maker { rng, system, is_strict, node, number, value, before, functions, relations, constants };
        let axiom = maker.total_order();
        maker.system.axioms.push(Axiom { name: None, formula: axiom, span: SPAN() });
        maker
    }

    fn app(&mut self, sym: SymId, step: u16, args: &[TermId]) -> TermId {
        self.system.terms.app(&self.system.sig, sym, step, args)
    }

    fn total_order(&mut self) -> TermId {
        let vars = ["X", "Y", "Z"].map(|name| self.system.terms.new_var(name, self.number));
        let [x, y, z] = vars.map(|var| self.system.terms.var(var));
        let [xx, xy, yx, yz, xz] =
            [(x, x), (x, y), (y, x), (y, z), (x, z)].map(|(a, b)| self.app(self.before, 0, &[a, b]));
        let terms = &mut self.system.terms;
        let (same, both, chain) = (terms.eq(x, y), terms.and(&[xy, yx]), terms.and(&[xy, yz]));
        let itself = if self.is_strict { terms.not(xx) } else { xx };
        let conditions =
            [itself, terms.implies(both, same), terms.implies(chain, xz), terms.or(&[xy, yx, same])];
        let all = terms.and(&conditions);
        terms.forall(&vars, all)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.below(items.len())]
    }

    /// Returns a term of a sort, with functions nested up to a depth.
    fn term(&mut self, sort: SortId, scope: &[VarId], step: u16, depth: usize) -> TermId {
        if depth > 0 && self.rng.below(5) == 0 {
            let [a, b] = [0, 1].map(|_| self.term(self.node, scope, step, depth - 1));
            let condition = self.system.terms.eq(a, b);
            let [a, b] = [0, 1].map(|_| self.term(sort, scope, step, depth - 1));
            return self.system.terms.ite(condition, a, b);
        }
        let function = self.functions.into_iter().find(|&it| self.system.sig.symbols[it].result == sort);
        if let Some(function) = function.filter(|_| depth > 0 && self.rng.below(3) > 0) {
            let arg = self.term(self.system.sig.symbols[function].args[0], scope, step, depth - 1);
            let step = if self.system.sig.symbols[function].kind.is_mutable() { step } else { 0 };
            return self.app(function, step, &[arg]);
        }
        let vars: Vec<VarId> =
            scope.iter().copied().filter(|&it| self.system.terms.var_info(it).sort == sort).collect();
        if !vars.is_empty() && self.rng.below(4) > 0 {
            let var = self.pick(&vars);
            return self.system.terms.var(var);
        }
        let constant = self.constants.iter().copied().find(|&it| self.system.sig.symbols[it].result == sort);
        let constant = constant.expect("every sort has a constant");
        let step = if self.system.sig.symbols[constant].kind.is_mutable() { step } else { 0 };
        self.app(constant, step, &[])
    }

    /// Returns that one number is less than another one.
    fn less(&mut self, less: TermId, greater: TermId) -> TermId {
        if self.is_strict {
            return self.app(self.before, 0, &[less, greater]);
        }
        let converse = self.app(self.before, 0, &[greater, less]);
        self.system.terms.not(converse)
    }

    /// Returns that a relation is true of a node and of some number greater than a bound, or the negation of it; with a bound
    /// that is reached, the same of numbers that are at least as great.
    fn exceeding(
        &mut self,
        [node, bound]: [TermId; 2],
        step: u16,
        has_value: bool,
        is_reached: bool,
    ) -> TermId {
        let number = self.system.terms.new_var("N", self.number);
        let value = self.system.terms.new_var("V", self.value);
        let [number_term, value_term] = [number, value].map(|var| self.system.terms.var(var));
        let greater = if is_reached {
            let less = self.less(number_term, bound);
            self.system.terms.not(less)
        } else {
            self.less(bound, number_term)
        };
        let (vars, atom) = if has_value {
            (vec![value, number], self.app(self.relations[2], step, &[number_term, value_term, node]))
        } else {
            (vec![number], self.app(self.relations[0], step, &[node, number_term]))
        };
        let kind = self.rng.below(3);
        let terms = &mut self.system.terms;
        if kind == 0 {
            let body = terms.and(&[atom, greater]);
            return terms.exists(&vars, body);
        }
        let not_greater = terms.not(greater);
        let body = if kind == 1 {
            terms.implies(atom, not_greater)
        } else {
            let not_atom = terms.not(atom);
            terms.or(&[not_greater, not_atom])
        };
        terms.forall(&vars, body)
    }

    /// Returns a value that a transition gives to a relation of nodes and numbers, whose excess has one without quantifiers.
    fn value_with_excess(&mut self, sym: SymId, vars: &[VarId], param: VarId) -> TermId {
        let places: Vec<TermId> = vars.iter().map(|&var| self.system.terms.var(var)).collect();
        let before = self.app(sym, 0, &places);
        let (node, number) = if sym == self.relations[0] { (0, 1) } else { (2, 0) };
        let param = self.system.terms.var(param);
        let bound = self.term(self.number, &[], 0, 1);
        let terms = &mut self.system.terms;
        let is_own = terms.eq(places[node], param);
        let is_bound = terms.eq(bound, places[number]);
        match self.rng.below(4) {
            0 => {
                let added = self.system.terms.and(&[is_bound, is_own]);
                self.system.terms.or(&[before, added])
            }
            1 => {
                let greater = self.less(bound, places[number]);
                let terms = &mut self.system.terms;
                let up_to = terms.not(greater);
                terms.ite(is_own, up_to, before)
            }
            2 => {
                let first = self.app(self.constants[0], 0, &[]);
                let least = self.less(first, places[number]);
                let greater = self.less(bound, places[number]);
                let terms = &mut self.system.terms;
                let up_to = terms.not(greater);
                let within = terms.and(&[up_to, least]);
                let not_own = terms.not(is_own);
                let kept = terms.and(&[not_own, before]);
                let own = terms.and(&[is_own, within]);
                terms.or(&[own, kept])
            }
            _ => {
                let not_own = terms.not(is_own);
                terms.and(&[before, not_own])
            }
        }
    }

    fn formula(&mut self, scope: &mut Vec<VarId>, step: u16, depth: usize) -> TermId {
        if depth == 0 {
            return match self.rng.below(4) {
                3 => {
                    let places = [self.node, self.number].map(|sort| self.term(sort, scope, step, 2));
                    let [has_value, is_reached] = [0, 1].map(|_| self.rng.below(2) == 0);
                    self.exceeding(places, step, has_value, is_reached)
                }
                0 => {
                    let sort = self.pick(&[self.node, self.number, self.value]);
                    let [a, b] = [0, 1].map(|_| self.term(sort, scope, step, 2));
                    self.system.terms.eq(a, b)
                }
                1 => {
                    let sort = self.pick(&[self.node, self.number, self.value]);
                    let parts = [0, 1, 2].map(|_| self.term(sort, scope, step, 1));
                    self.system.terms.distinct(&parts)
                }
                _ => {
                    let relations = self.relations.clone();
                    let relation = self.pick(&relations);
                    let Symbol { args, kind, .. } = self.system.sig.symbols[relation].clone();
                    let args: Vec<TermId> = args.iter().map(|&it| self.term(it, scope, step, 2)).collect();
                    self.app(relation, if kind.is_mutable() { step } else { 0 }, &args)
                }
            };
        }
        match self.rng.below(8) {
            kind @ (0 | 1) => {
                let sort = self.pick(&[self.node, self.number, self.value]);
                let var = self.system.terms.new_var("X", sort);
                scope.push(var);
                let body = self.formula(scope, step, depth - 1);
                scope.pop();
                let terms = &mut self.system.terms;
                if kind == 0 { terms.forall(&[var], body) } else { terms.exists(&[var], body) }
            }
            2 => {
                let a = self.formula(scope, step, depth - 1);
                self.system.terms.not(a)
            }
            kind => {
                let [a, b, c] = [0, 1, 2].map(|_| self.formula(scope, step, depth - 1));
                let terms = &mut self.system.terms;
                match kind {
                    3 => terms.and(&[a, b]),
                    4 => terms.or(&[a, b]),
                    5 => terms.implies(a, b),
                    6 => terms.iff(a, b),
                    _ => terms.ite(a, b, c),
                }
            }
        }
    }

    /// Adds a transition: a guard, definitions of some functions and relations at the next step, and perhaps a condition
    /// that defines none. Returns the definitions.
    fn transition(&mut self) -> Vec<Assignment> {
        let param = self.system.terms.new_var("P", self.node);
        let mut conjuncts = vec![self.formula(&mut vec![param], 0, 1)];
        let (mut modifies, mut updates) = (Vec::new(), Vec::new());
        let [voted, chose] = [self.relations[0], self.relations[2]];
        for sym in [self.functions[0], self.functions[1], voted, chose, self.constants[1]] {
            if self.rng.below(2) == 0 {
                continue;
            }
            modifies.push(sym);
            let Symbol { args, result, .. } = self.system.sig.symbols[sym].clone();
            let vars: Vec<VarId> = args.iter().map(|&it| self.system.terms.new_var("Y", it)).collect();
            let places: Vec<TermId> = vars.iter().map(|&var| self.system.terms.var(var)).collect();
            let after = self.app(sym, 1, &places);
            let mut scope: Vec<VarId> = vars.iter().copied().chain([param]).collect();
            let (value, defined) = if result == SortId::BOOL {
                let value = if self.rng.below(3) > 0 {
                    self.value_with_excess(sym, &vars, param)
                } else {
                    self.formula(&mut scope, 0, 1)
                };
                (value, self.system.terms.iff(after, value))
            } else {
                let value = self.term(result, &scope, 0, 2);
                (value, self.system.terms.eq(after, value))
            };
            conjuncts.push(self.system.terms.forall(&vars, defined));
            updates.push(Assignment { sym, vars, value });
        }
        if self.rng.below(3) == 0 {
            let step = u16::from(!modifies.is_empty());
            conjuncts.push(self.formula(&mut vec![param], step, 2));
        }
        let body = self.system.terms.and(&conjuncts);
        let (name, params, span) = ("step".to_owned(), vec![param], SPAN());
        let transition = Transition { name, params, modifies, body, command: None, effect: None, span };
        self.system.transitions.push(transition);
        updates
    }

    /// Returns a structure with a number of states that satisfies the axioms.
    fn structure(&mut self, states: usize) -> Structure {
        let sig = &self.system.sig;
        let mut structure = Structure::new(sig, states);
        for sort in [self.node, self.number, self.value] {
            structure.sizes[sort] = 1 + self.rng.below(3) as u32;
        }
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            for step in 0..if symbol.kind.is_mutable() { states } else { 1 } {
                for args in structure.tuples(&symbol.args) {
                    let value = match args[..] {
                        [a, b] if sym == self.before => {
                            Elem::from(if self.is_strict { a < b } else { a <= b })
                        }
                        _ => self.rng.below(structure.sizes[symbol.result] as usize) as Elem,
                    };
                    structure.interpretation_mut(sig, sym, step).set(&args, value);
                }
            }
        }
        structure
    }
}

/// Returns the relational form of a structure.
fn relational(form: &Form, original: &System, structure: &Structure) -> Structure {
    let sig = &form.system.sig;
    let mut result = structure.clone();
    result.grow_to(sig);
    for (&function, &table) in &form.tables {
        let kind = original.sig.symbols[function].kind;
        let steps = if kind.is_mutable() { structure.states() } else { 1 };
        for step in 0..steps {
            for args in structure.tuples(&sig.symbols[function].args) {
                let value = structure.interpretation(&original.sig, function, step).get(&args);
                for other in 0..structure.sizes[sig.symbols[function].result] {
                    let places: Vec<Elem> = args.iter().copied().chain([other]).collect();
                    let mut say = |relation, is_true| {
                        let to = result.interpretation_mut(sig, relation, step);
                        to.set(&places, Elem::from(is_true));
                    };
                    say(table.is(), value == other);
                    if let Table::Cut { reaches, exceeds, .. } = table {
                        // Numbers are in the order of their elements.
                        say(reaches, other <= value);
                        say(exceeds, other < value);
                    }
                }
            }
        }
    }
    for excess in &form.excesses {
        let places = sig.symbols[excess.sym].args.clone();
        for step in 0..structure.states() {
            for args in structure.tuples(&places) {
                let (&bound, others) = args.split_last().expect("there is a bound");
                let of = structure.interpretation(&original.sig, excess.of(), step);
                let sorts = &original.sig.symbols[excess.of()].args;
                let is_above = structure.tuples(sorts).any(|tuple| {
                    // Numbers are in the order of their elements.
                    let (number, node) =
                        if sorts.len() == 2 { (tuple[1], tuple[0]) } else { (tuple[0], tuple[2]) };
                    number > bound && others == [node] && of.get(&tuple) != 0
                });
                result.interpretation_mut(sig, excess.sym, step).set(&args, Elem::from(is_above));
            }
        }
    }
    result
}

fn is_true(syntax: Syntax<'_>, structure: &Structure, env: &Map<VarId, Elem>, formula: TermId) -> bool {
    holds(syntax, structure, env, formula, &mut Budget::unlimited()).expect("there is no limit")
}

/// Returns the relational form of a system with these candidates, where relations stand for all three functions.
fn form(system: &System, candidates: &[TermId]) -> Form {
    let question = Question::new(system);
    let candidates = candidates.iter().map(|&formula| Candidate { name: None, formula }).collect();
    let options = Options { candidates, ..Options::default() };
    let edges = [(1, 2), (2, 1), (1, 3), (3, 1)];
    let edges: Set<(SortId, SortId)> =
        edges.into_iter().map(|(from, to)| (SortId::new(from), SortId::new(to))).collect();
    let functions = in_the_way(&system.sig, &edges);
    assert_eq!(functions.len(), 3);
    let goal = question.goal(&options);
    let exceeding = Orders::new(goal.system, 0).exceeding();
    assert_eq!(exceeding.len(), 2);
    build(&goal, &functions, exceeding).expect("formulas are small")
}

/// Returns the system with a claim that speaks of the excess of two relations.
fn claimed(mut maker: Maker<'_>) -> System {
    let vars = [maker.node, maker.number].map(|sort| maker.system.terms.new_var("X", sort));
    let places = vars.map(|var| maker.system.terms.var(var));
    let both = [false, true].map(|has_value| maker.exceeding(places, 0, has_value, false));
    let mut system = maker.system;
    let formula = system.terms.and(&both);
    let formula = system.terms.forall(&vars, formula);
    system.invariants.push(Invariant {
        name: None,
        label: "claim".into(),
        formula,
        is_safety: true,
        span: SPAN(),
    });
    system
}

#[test]
fn formulas_have_the_same_value_in_relational_forms() {
    let mut rng = Rng::new(7);
    let (mut values, mut excesses) = ([0, 0], 0);
    for round in 0..300 {
        let mut maker = Maker::new(&mut rng, round % 2 == 0);
        let formulas: Vec<TermId> = (0..4).map(|_| maker.formula(&mut Vec::new(), 0, 3)).collect();
        let structures: Vec<Structure> = (0..6).map(|_| maker.structure(1)).collect();
        let system = claimed(maker);
        let mut form = form(&system, &formulas);
        for (at, &formula) in formulas.iter().enumerate() {
            let encoded = form.candidates[at].formula;
            let read = read((&form.tables, &form.excesses), form.system.syntax_mut(), encoded);
            let used = form.system.terms.symbols(encoded);
            assert!(!form.tables.keys().any(|function| used.contains(function)), "round {round}");
            excesses += usize::from(form.excesses.iter().any(|excess| used.contains(&excess.sym)));
            for structure in &structures {
                let image = relational(&form, &system, structure);
                let of = |formula| is_true(form.system.syntax(), &image, &Map::default(), formula);
                let value = is_true(system.syntax(), structure, &Map::default(), formula);
                assert_eq!([of(encoded), of(read)], [value, value], "round {round}");
                values[usize::from(value)] += 1;
            }
        }
        for structure in &structures {
            let image = relational(&form, &system, structure);
            let axioms = form.system.axioms.iter().map(|it| it.formula);
            let inits = form.system.inits.iter().map(|it| it.formula);
            let known = form.candidates[formulas.len()..].iter().map(|it| it.formula);
            for formula in axioms.chain(inits).chain(known) {
                assert!(is_true(form.system.syntax(), &image, &Map::default(), formula), "round {round}");
            }
        }
    }
    assert!(values[0] > 1_000 && values[1] > 1_000 && excesses > 200, "{values:?} {excesses}");
}

/// Sets the second state to that after the transition, where it defines it.
fn take(system: &System, structure: &mut Structure, env: &Map<VarId, Elem>, updates: &[Assignment]) {
    for sym in system.sig.symbols.ids().filter(|&sym| system.sig.symbols[sym].kind.is_mutable()) {
        let mut next = structure.interpretation(&system.sig, sym, 0).clone();
        if let Some(Assignment { vars, value, .. }) = updates.iter().find(|update| update.sym == sym) {
            for args in structure.tuples(&system.sig.symbols[sym].args) {
                let mut eval = Evaluator::new(system.syntax(), structure);
                eval.env.extend(env.iter().map(|(&var, &elem)| (var, elem)));
                eval.env.extend(vars.iter().copied().zip(args.iter().copied()));
                next.set(&args, eval.eval(*value));
            }
        }
        *structure.interpretation_mut(&system.sig, sym, 1) = next;
    }
}

#[test]
fn steps_are_steps_of_relational_forms() {
    let mut rng = Rng::new(11);
    let (mut values, mut exact) = ([0, 0], 0);
    for round in 0..300 {
        let mut maker = Maker::new(&mut rng, round % 2 == 0);
        let updates = maker.transition();
        let structures: Vec<Structure> = (0..6).map(|_| maker.structure(2)).collect();
        let mut system = claimed(maker);
        let mut form = form(&system, &[]);
        // The canonical form leaves the functions out, so that nothing keeps their values.
        form.tables.keys().for_each(|&it| form.system.sig.symbols[it].kind = SymbolKind::Immutable);
        let transition = system.transitions[0].clone();
        let plain = step_formula(system.syntax_mut(), &transition);
        let transition_encoded = form.system.transitions[0].clone();
        let effect = transition_encoded.effect.as_ref().expect("the relational form has one");
        let is_exact = |excess: &Excess| effect.updates.iter().any(|update| update.sym == excess.sym);
        exact += form.excesses.iter().filter(|excess| is_exact(excess)).count();
        let encoded = step_formula(form.system.syntax_mut(), &transition_encoded);
        for mut structure in structures {
            let env: Map<VarId, Elem> = [(transition.params[0], 0)].into_iter().collect();
            for is_taken in [false, true] {
                if is_taken {
                    take(&system, &mut structure, &env, &updates);
                }
                let image = relational(&form, &system, &structure);
                let value = is_true(system.syntax(), &structure, &env, plain);
                assert_eq!(is_true(form.system.syntax(), &image, &env, encoded), value, "round {round}");
                values[usize::from(value)] += 1;
            }
        }
    }
    assert!(values[0] > 500 && values[1] > 500 && exact > 100, "{values:?} {exact}");
}

#[test]
fn excesses_have_initial_values() {
    let mut rng = Rng::new(5);
    for round in 0..60 {
        let mut maker = Maker::new(&mut rng, round % 2 == 0);
        let vars = [maker.node, maker.number].map(|sort| maker.system.terms.new_var("Y", sort));
        let places = vars.map(|var| maker.system.terms.var(var));
        let voted = maker.app(maker.relations[0], 0, &places);
        let first = maker.app(maker.constants[0], 0, &[]);
        let greater = maker.less(first, places[1]);
        let terms = &mut maker.system.terms;
        let (value, formula) = match round % 3 {
            0 => (terms.fals(), terms.not(voted)),
            1 => {
                let value = terms.eq(places[1], first);
                (value, terms.iff(voted, value))
            }
            _ => {
                let value = terms.not(greater);
                (value, terms.iff(value, voted))
            }
        };
        let formula = terms.forall(&vars, formula);
        maker.system.inits.push(Init { name: None, formula, span: SPAN() });
        let structures: Vec<Structure> = (0..6).map(|_| maker.structure(1)).collect();
        let sym = maker.relations[0];
        let system = claimed(maker);
        let form = form(&system, &[]);
        let voted_exceeds = form.excesses.iter().find(|it| it.of() == sym).expect("the claim speaks of it");
        let is_about = |init: &&Init| form.system.terms.symbols(init.formula).contains(&voted_exceeds.sym);
        // Two of them are what is true of all excesses.
        assert_eq!(form.system.inits.iter().filter(is_about).count(), 3, "round {round}");
        for mut structure in structures {
            for args in structure.tuples(&system.sig.symbols[sym].args) {
                let mut eval = Evaluator::new(system.syntax(), &structure);
                eval.env.extend(vars.iter().copied().zip(args.iter().copied()));
                let is_voted = eval.eval(value);
                structure.interpretation_mut(&system.sig, sym, 0).set(&args, is_voted);
            }
            let image = relational(&form, &system, &structure);
            for init in &form.system.inits {
                assert!(
                    is_true(form.system.syntax(), &image, &Map::default(), init.formula),
                    "round {round}"
                );
            }
        }
    }
}

#[test]
fn total_orders_are_known_by_their_axioms() {
    let mut rng = Rng::new(3);
    for is_strict in [false, true] {
        let maker = Maker::new(&mut rng, is_strict);
        let order = Order::of(&maker.system, maker.number, 0).expect("numbers are in an order");
        assert_eq!((order.sym, order.is_strict), (maker.before, is_strict));
        assert!(Order::of(&maker.system, maker.value, 0).is_none());
        let partial = System { axioms: Vec::new(), ..maker.system };
        assert!(Order::of(&partial, maker.number, 0).is_none());
    }
}
