//! Semantics of commands against the rules of the literature, and against execution.

use crate::common::effort::cases;
use std::sync::Arc;

use crate::common::formulas::{Generator, Structures, Vocabulary, symbol};
use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::{FileId, Span};
use ramsey::check;
use ramsey::logic::{
    Elem, Evaluator, Node, Signature, SortId, Structure, SymId, Symbol, SymbolKind, SyntaxMut, TermId, Terms,
    VarId,
};
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Outcome, Plan};
use ramsey::step::interpret::{Context, DecisionEnumerator, End, EventKind, Execution, RecordedDecisions};
use ramsey::step::{Action, Update};
use ramsey::system::program::compose::{Composition, Names, compose, substitute};
use ramsey::system::program::{Part, Program, build, choice_bit};
use ramsey::system::{
    Assignment, Branch, Choice, ChoiceForm, Command, CommandKind, Derived, Havoc, Invariant, Site, System,
};
use ramsey::vc::{Question, plain::frame};

/// Number of occurrences of each truth value.
#[derive(Default, Debug)]
struct Seen([usize; 2]);

impl Seen {
    fn note(&mut self, value: bool) -> bool {
        self.0[usize::from(value)] += 1;
        value
    }

    fn assert_both(&self, least: usize) {
        assert!(self.0.iter().all(|&count| count >= least), "both truth values occur often: {self:?}");
    }
}

fn at(place: usize) -> Span {
    Span { file: FileId::new(0), start: place as u32, end: place as u32 + 1 }
}

/// A random command with its declarations. Each statement has a span of its own.
#[derive(Clone)]
struct Model {
    /// Vocabulary without symbols of choices.
    vocabulary: Vocabulary,
    sig: Signature,
    terms: Terms,
    axioms: Vec<TermId>,
    params: Vec<VarId>,
    bits: Vec<SymId>,
    command: Command,
}

struct Maker<'a> {
    vocabulary: &'a Vocabulary,
    rng: &'a mut Rng,
    terms: Terms,
    sig: Signature,
    params: Vec<VarId>,
    bits: Vec<SymId>,
    places: usize,
}

impl Maker<'_> {
    fn formula(&mut self, vars: &[VarId], depth: usize) -> TermId {
        let Maker { vocabulary, rng, terms, params, .. } = self;
        Generator::new(vocabulary, terms, rng).in_scope(params).in_scope(vars).formula(depth)
    }

    fn mutable(&mut self) -> SymId {
        let all = self.vocabulary.of_kind(SymbolKind::Mutable);
        all[self.rng.below(all.len())]
    }

    /// Returns `symbol(vars) := value`, often in the form of insertions and point updates.
    fn assignment(&mut self) -> CommandKind {
        let sym = self.mutable();
        let Symbol { args: sorts, result, .. } = self.vocabulary.sig.symbols[sym].clone();
        let vars: Vec<VarId> = sorts.iter().map(|&sort| self.terms.new_var("V", sort)).collect();
        let args: Vec<TermId> = vars.iter().map(|&var| self.terms.var(var)).collect();
        let old = self.terms.app(&self.vocabulary.sig, sym, 0, &args);
        let condition = self.formula(&vars, 1);
        let form = self.rng.below(4);
        let value = if result == SortId::BOOL {
            match form {
                0 => self.terms.or(&[old, condition]),
                1 => self.terms.and(&[old, condition]),
                2 => {
                    // Values with quantifiers of their own, around what is there already.
                    let var = self.terms.new_var("Z", self.vocabulary.sorts[0]);
                    let inner = self.formula(&[var], 1);
                    let both = self.terms.and(&[old, inner]);
                    let exists = self.terms.exists(&[var], both);
                    self.terms.or(&[condition, exists])
                }
                _ => self.formula(&vars, 2),
            }
        } else {
            let Maker { vocabulary, rng, terms, params, .. } = self;
            let mut generator = Generator::new(vocabulary, terms, rng).in_scope(params).in_scope(&vars);
            let new = generator.value(result, 2).unwrap_or(old);
            if form < 3 { self.terms.ite(condition, new, old) } else { new }
        };
        CommandKind::Assign(Assignment { sym, vars, value })
    }

    fn command(&mut self, depth: usize) -> Command {
        let leaf = depth == 0;
        let kind = match self.rng.below(if leaf { 11 } else { 20 }) {
            0 => CommandKind::Skip,
            1 | 2 => CommandKind::Assume(self.formula(&[], 1)),
            3 => CommandKind::Assert(self.formula(&[], 1)),
            4 => match self.havoc() {
                Some(havoc) => CommandKind::Havoc(havoc),
                None => self.assignment(),
            },
            5..=10 => self.assignment(),
            11..=15 => {
                CommandKind::Seq((0..2 + self.rng.below(2)).map(|_| self.command(depth - 1)).collect())
            }
            16 | 17 => {
                let condition = self.formula(&[], 1);
                let (a, b) = (self.command(depth - 1), self.command(depth - 1));
                CommandKind::If(condition, Box::new(a), Box::new(b))
            }
            _ => {
                let count = 1 + self.rng.below(3);
                let bits: Vec<SymId> = (1..count).map(|_| choice_bit(&mut self.sig)).collect();
                self.bits.extend(&bits);
                let branches =
                    (0..count).map(|_| Branch { name: None, command: self.command(depth - 1) }).collect();
                CommandKind::Choice(Choice { form: ChoiceForm::Branches, branches, bits })
            }
        };
        self.places += 1;
        Command { kind, span: at(self.places) }
    }

    fn havoc(&mut self) -> Option<Havoc> {
        let symbols = &self.vocabulary.sig.symbols;
        let constants = self.vocabulary.of_kind(SymbolKind::Mutable).into_iter();
        let sym = constants
            .into_iter()
            .find(|&sym| symbols[sym].args.is_empty() && symbols[sym].result != SortId::BOOL)?;
        let value = self.terms.new_var("h", symbols[sym].result);
        // Nothing else reads the variable, so it comes last, when all formulas are there.
        Some(Havoc { sym, value })
    }
}

fn havocs(command: &Command, found: &mut Vec<VarId>) {
    match &command.kind {
        CommandKind::Havoc(havoc) => found.push(havoc.value),
        CommandKind::Seq(commands) => commands.iter().for_each(|command| havocs(command, found)),
        CommandKind::If(_, a, b) => [a, b].into_iter().for_each(|command| havocs(command, found)),
        CommandKind::Choice(choice) => {
            choice.branches.iter().for_each(|branch| havocs(&branch.command, found));
        }
        _ => {}
    }
}

impl Model {
    fn random(rng: &mut Rng) -> Model {
        let mut vocabulary = Vocabulary::of_states(rng);
        for symbol in vocabulary.sig.symbols.iter_mut() {
            if symbol.kind == SymbolKind::Derived {
                symbol.kind = SymbolKind::Mutable;
            }
        }
        let mut terms = Terms::new();
        let params: Vec<VarId> =
            (0..rng.below(3)).map(|_| terms.new_var("n", vocabulary.sorts[rng.below(2)])).collect();
        let sig = vocabulary.sig.clone();
        let mut maker =
            Maker { vocabulary: &vocabulary, rng, terms, sig, params, bits: Vec::new(), places: 0 };
        let command = maker.command(3);
        let params = std::mem::take(&mut maker.params);
        let axioms = (0..maker.rng.below(3) / 2).map(|_| maker.formula(&[], 1)).collect();
        let Maker { terms, sig, bits, .. } = maker;
        let mut model = Model { vocabulary, sig, terms, axioms, params, bits, command };
        havocs(&model.command, &mut model.params);
        model
    }

    fn compose(&mut self) -> Composition {
        let Model { sig, terms, axioms, command, .. } = self;
        compose(sig, terms, &mut Names::default(), axioms, command).expect("a small command")
    }

    fn context(&self) -> Context<'_> {
        Context { syntax: self.terms.over(&self.sig), axioms: &self.axioms }
    }

    fn sizes(&self, rng: &mut Rng) -> Vec<(SortId, u32)> {
        self.vocabulary.sorts.iter().map(|&sort| (sort, 1 + u32::from(!rng.one_in(4)))).collect()
    }

    /// Returns random values for the parameters.
    fn env(&self, structure: &Structure, rng: &mut Rng) -> Map<VarId, Elem> {
        let value = |&var: &VarId| {
            let size = structure.sizes[self.terms.var_info(var).sort];
            (var, rng.below(size as usize) as Elem)
        };
        self.params.iter().map(value).collect()
    }

    fn holds(&self, structure: &Structure, env: &Map<VarId, Elem>, formula: TermId) -> bool {
        let mut eval = Evaluator::new(self.terms.over(&self.sig), structure);
        eval.env.clone_from(env);
        eval.holds(formula)
    }

    fn satisfies_axioms(&self, structure: &Structure) -> bool {
        self.axioms.iter().all(|&axiom| self.holds(structure, &Map::default(), axiom))
    }

    /// Runs the command with these parameters, and the choices of the structure's first state.
    fn run(&self, structure: &Structure, env: &Map<VarId, Elem>) -> Execution {
        let sig = &self.sig;
        let mut oracle = RecordedDecisions { sig, structure, step: 0, env };
        let state = structure.state(sig, 0);
        let run =
            self.context().run(&self.command, state, env.clone(), &mut oracle, &mut Budget::unlimited());
        run.expect("no limit")
    }

    /// Checks whether the states are equal up to choices.
    fn same(&self, a: (&Structure, usize), b: (&Structure, usize)) -> bool {
        let sig = &self.sig;
        sig.symbols.iter_enumerated().filter(|(_, symbol)| symbol.kind == SymbolKind::Mutable).all(
            |(sym, symbol)| {
                let [a_here, b_here] =
                    [a, b].map(|(structure, step)| structure.interpretation(sig, sym, step));
                a.0.tuples(&symbol.args).all(|args| a_here.get(&args) == b_here.get(&args))
            },
        )
    }

    /// Sets the second state of a structure with two.
    fn set_next(&self, structure: &mut Structure, next: &Structure) {
        let sig = &self.sig;
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind.is_mutable() {
                *structure.interpretation_mut(sig, sym, 1) = next.interpretation(sig, sym, 0).clone();
            }
        }
    }
}

/// Returns the weakest precondition by Figure 13, rule by rule; `if` and `assert` by Figure 12.
fn literal_wp(model: &mut Model, command: &Command, post: TermId) -> TermId {
    match &command.kind {
        CommandKind::Skip => post,
        CommandKind::Assume(formula) => model.terms.implies(*formula, post),
        CommandKind::Assert(formula) => {
            // { assume !formula; abort } | skip
            let negated = model.terms.not(*formula);
            let abort = model.terms.fals();
            let left = model.terms.implies(negated, abort);
            model.terms.and(&[left, post])
        }
        CommandKind::Assign(Assignment { sym, vars, value }) => {
            let post = guarded(model, post);
            replace(model, post, *sym, vars, *value)
        }
        CommandKind::Havoc(havoc) => {
            let post = guarded(model, post);
            let fresh = model.terms.copy_var(havoc.value);
            let value = model.terms.var(fresh);
            let body = replace(model, post, havoc.sym, &[], value);
            model.terms.forall(&[fresh], body)
        }
        CommandKind::Seq(commands) => {
            commands.iter().rev().fold(post, |post, command| literal_wp(model, command, post))
        }
        CommandKind::If(condition, a, b) => {
            let negated = model.terms.not(*condition);
            let sides = [(*condition, a), (negated, b)].map(|(assumed, command)| {
                let inner = literal_wp(model, command, post);
                model.terms.implies(assumed, inner)
            });
            model.terms.and(&sides)
        }
        CommandKind::Choice(choice) => {
            let sides: Vec<TermId> =
                choice.branches.iter().map(|branch| literal_wp(model, &branch.command, post)).collect();
            model.terms.and(&sides)
        }
    }
}

/// Returns `axioms -> post`.
fn guarded(model: &mut Model, post: TermId) -> TermId {
    let axioms = model.terms.and(&model.axioms);
    model.terms.implies(axioms, post)
}

/// Returns `term[value(s) / sym(s)]`.
fn replace(model: &mut Model, term: TermId, sym: SymId, vars: &[VarId], value: TermId) -> TermId {
    let children: Vec<TermId> = model.terms.children(term).collect();
    let children: Vec<TermId> =
        children.into_iter().map(|child| replace(model, child, sym, vars, value)).collect();
    match model.terms.node(term) {
        Node::App { sym: head, .. } if head == sym => {
            let map = vars.iter().copied().zip(children).collect();
            model.terms.substitute(value, &map)
        }
        _ => model.terms.rebuild(term, &children),
    }
}

/// Returns the symbols of choices and conditions.
fn choices(sig: &Signature) -> Vec<SymId> {
    sig.symbols.ids().filter(|&sym| sig.symbols[sym].kind == SymbolKind::Choice).collect()
}

/// Returns the symbols of conditions, given those of choices.
fn conditions(sig: &Signature, bits: &[SymId]) -> Vec<SymId> {
    choices(sig).into_iter().filter(|sym| !bits.contains(sym)).collect()
}

/// Enumerates all values of the given symbols without arguments, in a structure with one state.
fn all_bits(sig: &Signature, structure: &Structure, bits: &[SymId]) -> Vec<Structure> {
    (0..1_u32 << bits.len())
        .map(|number| {
            let mut structure = structure.clone();
            for (index, &bit) in bits.iter().enumerate() {
                structure.interpretation_mut(sig, bit, 0).set(&[], number >> index & 1);
            }
            structure
        })
        .collect()
}

/// Returns the weakest precondition of `post` (Ivy, PLDI 2016, Figure 13): executions from a state that satisfies it violate
/// no assertion, and end in states that satisfy `post` if they end. Choices are free symbols here, while the figure has a
/// conjunction over them, and states are assumed to satisfy the axioms. Returns `None` if the formula becomes too large.
fn wp(
    composition: &Composition,
    mut syntax: SyntaxMut<'_>,
    params: &[VarId],
    post: TermId,
) -> Option<TermId> {
    let post = substitute(syntax.reborrow(), &composition.updates, post)?;
    let assumed = syntax.terms.and(&composition.assumptions);
    let mut parts: Vec<TermId> = composition.assertions.iter().map(|&(formula, _)| formula).collect();
    parts.push(syntax.terms.implies(assumed, post));
    let all = syntax.terms.and(&parts);
    Some(syntax.terms.forall(params, all))
}

#[test]
fn weakest_preconditions_are_those_of_the_literature_and_of_all_executions() {
    let mut seen = Seen::default();
    let mut ends = [0; 3];
    for seed in 0..cases(1_500) {
        let mut rng = Rng::new(seed);
        let mut model = Model::random(&mut rng);
        let composition = model.compose();
        let bits = choices(&model.sig);
        if bits.len() > 6 {
            continue;
        }
        let post = {
            let Model { vocabulary, terms, .. } = &mut model;
            Generator::new(vocabulary, terms, &mut rng).formula(2)
        };
        let sig = model.sig.clone();
        let (params, command) = (model.params.clone(), model.command.clone());
        let wp = wp(&composition, model.terms.over_mut(&sig), &params, post).expect("a small formula");
        let literal = literal_wp(&mut model, &command, post);
        let literal = model.terms.forall(&params, literal);
        assert!(model.terms.free_vars(wp).is_empty() && model.terms.max_step(wp) == 0, "seed {seed}");
        let sizes = model.sizes(&mut rng);
        let mut havoced = Vec::new();
        havocs(&command, &mut havoced);
        let given: Vec<VarId> = params.iter().copied().filter(|param| !havoced.contains(param)).collect();
        for _ in 0..12 {
            let structure = Structures::new(&sig, &sizes).random(&mut rng);
            if !model.satisfies_axioms(&structure) {
                continue;
            }
            let none = Map::default();
            let ours = all_bits(&sig, &structure, &bits).iter().all(|state| model.holds(state, &none, wp));
            let theirs = model.holds(&structure, &none, literal);
            let sorts: Vec<SortId> = given.iter().map(|&param| model.terms.var_info(param).sort).collect();
            let mut executed = true;
            for values in structure.tuples(&sorts) {
                let env: Map<VarId, Elem> = given.iter().copied().zip(values).collect();
                let mut decisions = DecisionEnumerator::default();
                loop {
                    let (state, mut budget) = (structure.clone(), Budget::unlimited());
                    let run = model.context().run(&command, state, env.clone(), &mut decisions, &mut budget);
                    let run = run.expect("no limit");
                    ends[run.end as usize] += 1;
                    executed &= match run.end {
                        End::Completed => model.holds(&run.state, &none, post),
                        End::Blocked => true,
                        End::Aborted => false,
                    };
                    if !decisions.advance() {
                        break;
                    }
                }
            }
            assert_eq!((ours, theirs), (executed, executed), "seed {seed}");
            seen.note(executed);
        }
    }
    seen.assert_both(1_000);
    assert!(ends.iter().all(|&count| count > 1_000), "executions end in all ways: {ends:?}");
}

#[test]
fn the_relation_of_a_command_is_that_of_its_executions() {
    let (mut reached, mut asserted) = (Seen::default(), Seen::default());
    let mut named = 0;
    for seed in 0..cases(1_500) {
        let mut rng = Rng::new(seed);
        let mut model = Model::random(&mut rng);
        let composition = model.compose();
        let sig = model.sig.clone();
        let conditions = conditions(&sig, &model.bits);
        named += conditions.len();
        let body = composition.body(model.terms.over_mut(&sig));
        let args: Vec<TermId> = model.params.iter().map(|&param| model.terms.var(param)).collect();
        let mut system = system_of(&model);
        let program = Program { init: None, actions: vec![part_of(&model)], last: None };
        build(&mut system, program, |span| format!("L{}", span.start)).expect("a small command");
        let transition = &system.transitions[0];
        assert_eq!(transition.modifies, composition.modifies());

        // The normal form has nothing but a guard and updates.
        let mut action_system = system.clone();
        action_system.derived.clear();
        let mut terms = action_system.terms.clone();
        let action = Action::of_transition(&action_system, terms.over_mut(&sig), transition, &args);
        assert!(action.residual.is_empty(), "seed {seed}");
        let is_defined = |&sym: &SymId| matches!(action.update(sym), Update::Definition { .. });
        assert!(composition.modifies().iter().all(is_defined), "seed {seed}");

        let frame = frame(model.terms.over_mut(&sig), transition);
        let sizes = model.sizes(&mut rng);
        for _ in 0..12 {
            let space = Structures::with_states(&sig, &sizes, 2);
            let mut structure = space.random(&mut rng);
            if !model.satisfies_axioms(&structure.state(&sig, 0)) {
                continue;
            }
            let env = model.env(&structure, &mut rng);
            let mut run = model.run(&structure, &env);
            if run.end == End::Blocked && rng.one_in(2) {
                continue;
            }
            model.set_next(&mut structure, &run.state);
            if rng.one_in(3) {
                space.disturb(&mut structure, &mut rng);
                run = model.run(&structure, &env);
            }
            if !model.satisfies_axioms(&structure.state(&sig, 0)) {
                continue;
            }
            let cases = all_bits(&sig, &structure, &conditions);
            let related = cases.iter().any(|structure| model.holds(structure, &env, body))
                && frame.iter().all(|&formula| model.holds(&structure, &env, formula));
            let executed = run.end == End::Completed && model.same((&structure, 1), (&run.state, 0));
            assert_eq!(related, executed, "seed {seed}");
            reached.note(executed);

            let failed = run.events.iter().find(|event| event.kind == EventKind::Asserted(false));
            for &(formula, span) in &composition.assertions {
                let holds = cases.iter().all(|structure| model.holds(structure, &env, formula));
                asserted.note(holds);
                assert_eq!(holds, failed.is_none_or(|event| event.span != span), "seed {seed}");
            }
        }
    }
    assert!(named > 20, "symbols stand for conditions: {named}");
    reached.assert_both(1_500);
    asserted.assert_both(300);
}

/// Returns a system with the model's signature, formulas and axioms.
fn system_of(model: &Model) -> System {
    let mut system = System::new();
    (system.sig, system.terms) = (model.sig.clone(), model.terms.clone());
    let axiom = |(index, &axiom)| Derived { sym: None, label: format!("{index}"), axiom, span: at(0) };
    system.derived = model.axioms.iter().enumerate().map(axiom).collect();
    system
}

fn part_of(model: &Model) -> Part {
    Part { name: "act".into(), params: model.params.clone(), command: model.command.clone(), span: at(0) }
}

#[test]
fn initial_states_are_those_that_executions_lead_to() {
    let (mut initial, mut asserted) = (Seen::default(), Seen::default());
    let mut ghosts = 0;
    for seed in 0..cases(1_500) {
        let mut rng = Rng::new(seed);
        let model = Model::random(&mut rng);
        let mut system = system_of(&model);
        let program = Program { init: Some(part_of(&model)), actions: vec![], last: None };
        build(&mut system, program, |span| format!("L{}", span.start)).expect("a small command");
        let changed = model.clone().compose().modifies();
        ghosts += system.init_before.len();
        assert!(system.init_before.iter().all(|(sym, _)| changed.contains(sym)));
        let sizes = model.sizes(&mut rng);
        let space = Structures::new(&system.sig, &sizes);
        for _ in 0..12 {
            // Over all symbols: the state before, with its symbols where they are.
            let mut structure = space.random(&mut rng);
            let before = |structure: &Structure| {
                let mut state = structure.clone();
                for &(sym, ghost) in &system.init_before {
                    let meaning = structure.interpretation(&system.sig, ghost, 0).clone();
                    *state.interpretation_mut(&system.sig, sym, 0) = meaning;
                }
                state
            };
            let execute = |structure: &Structure| {
                let value = |&(param, constant): &(VarId, SymId)| {
                    (param, structure.interpretation(&system.sig, constant, 0).get(&[]))
                };
                let env: Map<VarId, Elem> = system.init_params.iter().map(value).collect();
                let context = Context { syntax: system.syntax(), axioms: &model.axioms };
                let mut oracle = RecordedDecisions { sig: &system.sig, structure, step: 0, env: &env };
                let (state, mut budget) = (before(structure), Budget::unlimited());
                let run = context.run(&model.command, state, env.clone(), &mut oracle, &mut budget);
                run.expect("no limit")
            };
            let run = execute(&structure);
            for &sym in &changed {
                let meaning = run.state.interpretation(&system.sig, sym, 0).clone();
                *structure.interpretation_mut(&system.sig, sym, 0) = meaning;
            }
            if rng.one_in(3) {
                space.disturb(&mut structure, &mut rng);
            }
            let run = execute(&structure);
            let holds = |structure: &Structure, formula: TermId| {
                Evaluator::new(system.syntax(), structure).holds(formula)
            };
            let allowed = model.axioms.iter().all(|&axiom| holds(&before(&structure), axiom));
            let cases = all_bits(&system.sig, &structure, &conditions(&system.sig, &model.bits));
            let satisfied = |case: &Structure| system.inits.iter().all(|init| holds(case, init.formula));
            let is_initial =
                cases.iter().any(satisfied) && model.axioms.iter().all(|&axiom| holds(&structure, axiom));
            let led_to = allowed
                && run.end == End::Completed
                && system
                    .sig
                    .symbols
                    .iter_enumerated()
                    .filter(|(_, symbol)| symbol.kind == SymbolKind::Mutable)
                    .all(|(sym, symbol)| {
                        let [here, there] = [&structure, &run.state]
                            .map(|structure| structure.interpretation(&system.sig, sym, 0));
                        structure.tuples(&symbol.args).all(|args| here.get(&args) == there.get(&args))
                    });
            assert_eq!(is_initial, led_to, "seed {seed}");
            initial.note(led_to);
            let failed = run.events.iter().find(|event| event.kind == EventKind::Asserted(false));
            for assertion in &system.assertions {
                assert_eq!(assertion.site, Site::Init);
                // Read in the state before, or where the ghosts are, which is the same to it.
                let holds = cases.iter().all(|case| holds(&before(case), assertion.formula));
                asserted.note(holds);
                let goes_wrong = allowed && failed.is_some_and(|event| event.span == assertion.span);
                assert_eq!(holds, !goes_wrong, "seed {seed}");
            }
        }
    }
    initial.assert_both(1_500);
    asserted.assert_both(300);
    assert!(ghosts > 300, "old values are spoken of: {ghosts}");
}

/// A sort `node`, mutable relations `r(node)` and `q(node)`, and a system over them.
struct Small {
    system: System,
    node: SortId,
    r: SymId,
    q: SymId,
    places: usize,
}

impl Small {
    fn new() -> Small {
        let mut system = System::new();
        let node = system.sig.sorts.push(ramsey::logic::Sort {
            name: "node".into(),
            annotations: vec![],
            span: Some(at(0)),
        });
        let [r, q] = ["r", "q"].map(|name| {
            let relation = symbol(name, &[node], SortId::BOOL);
            system.sig.symbols.push(Symbol { kind: SymbolKind::Mutable, span: Some(at(0)), ..relation })
        });
        Small { system, node, r, q, places: 0 }
    }

    fn var(&mut self, name: &str) -> VarId {
        self.system.terms.new_var(name, self.node)
    }

    fn atom(&mut self, sym: SymId, var: VarId) -> TermId {
        let var = self.system.terms.var(var);
        self.system.terms.app(&self.system.sig, sym, 0, &[var])
    }

    fn of(&mut self, kind: CommandKind) -> Command {
        self.places += 1;
        Command { kind, span: at(self.places) }
    }

    /// Returns `sym.insert(at)` or `sym.remove(at)`.
    fn point(&mut self, sym: SymId, at: VarId, value: bool) -> Command {
        let head = self.var("X");
        let old = self.atom(sym, head);
        let [x, n] = [head, at].map(|var| self.system.terms.var(var));
        let here = self.system.terms.eq(x, n);
        let value = if value {
            self.system.terms.or(&[old, here])
        } else {
            let elsewhere = self.system.terms.not(here);
            self.system.terms.and(&[old, elsewhere])
        };
        self.of(CommandKind::Assign(Assignment { sym, vars: vec![head], value }))
    }

    fn choice(&mut self, commands: Vec<Command>) -> Command {
        let bits = (1..commands.len()).map(|_| choice_bit(&mut self.system.sig)).collect();
        let branches = commands.into_iter().map(|command| Branch { name: None, command }).collect();
        self.of(CommandKind::Choice(Choice { form: ChoiceForm::Branches, branches, bits }))
    }

    /// Returns `forall X. r(X) -> q(X)`.
    fn inclusion(&mut self) -> TermId {
        let x = self.var("X");
        let [r, q] = [self.r, self.q].map(|sym| self.atom(sym, x));
        let terms = &mut self.system.terms;
        let inside = terms.implies(r, q);
        terms.forall(&[x], inside)
    }

    /// Returns a part that empties both relations.
    fn clear(&mut self) -> Part {
        let commands = [self.r, self.q]
            .map(|sym| {
                let (head, value) = (self.var("X"), self.system.terms.fals());
                self.of(CommandKind::Assign(Assignment { sym, vars: vec![head], value }))
            })
            .to_vec();
        let command = self.of(CommandKind::Seq(commands));
        Part { name: "init".into(), params: vec![], command, span: at(0) }
    }

    fn claim(&mut self, formula: TermId) {
        let label = format!("I{}", self.system.invariants.len());
        let span = at(0);
        self.system.invariants.push(Invariant { name: None, label, formula, is_safety: true, span });
    }

    fn build(&mut self, init: Part, actions: Vec<Part>) {
        let program = Program { init: Some(init), actions, last: None };
        build(&mut self.system, program, |span| format!("L{}", span.start)).expect("a small command");
    }
}

#[test]
fn many_branches_one_after_the_other_stay_small() {
    let mut small = Small::new();
    let inclusion = small.inclusion();
    small.claim(inclusion);
    let init = small.clear();
    let params: Vec<VarId> = (0..8).map(|index| small.var(&format!("n{index}"))).collect();
    let mut commands = Vec::new();
    for index in 0..40 {
        let (a, b) = (params[index % 8], params[(index * 3 + 1) % 8]);
        let insert = [small.point(small.q, a, true), small.point(small.r, a, true)].to_vec();
        let remove = [small.point(small.r, b, false), small.point(small.q, b, false)].to_vec();
        let sides = [insert, remove].map(|commands| small.of(CommandKind::Seq(commands)));
        if index % 2 == 0 {
            let condition = small.atom(small.r, b);
            let [then, otherwise] = sides.map(Box::new);
            commands.push(small.of(CommandKind::If(condition, then, otherwise)));
        } else {
            commands.push(small.choice(sides.to_vec()));
        }
    }
    let command = small.of(CommandKind::Seq(commands));
    let before = small.system.terms.len();
    small.build(init, vec![Part { name: "act".into(), params, command, span: at(0) }]);
    let size = small.system.terms.len() - before;
    assert!(size < 20_000, "{size}");
    let plan = Plan::new(Arc::new(small.system), Options::default());
    let verification = plan.run(&Limits { work: Some(1_000_000), ..Limits::default() });
    for result in &verification.results {
        assert!(matches!(result.outcome, Outcome::Holds { .. }), "{:?}", result.outcome);
    }
}

/// Returns a system whose only action inserts into `q` and then into `r` (into `r` alone if `broken`), or removes from
/// both, and asserts in between that no element is in `r` alone.
fn certifiable(broken: bool) -> System {
    let mut small = Small::new();
    let inclusion = small.inclusion();
    small.claim(inclusion);
    let mut init = small.clear();
    // The relation is empty, after having been copied: old values are spoken of.
    let (head, other) = (small.var("X"), small.var("Y"));
    let copied = small.atom(small.r, head);
    let moved = small.of(CommandKind::Assign(Assignment { sym: small.q, vars: vec![head], value: copied }));
    let old = small.atom(small.q, other);
    let old = small.system.terms.not(old);
    let old = small.system.terms.forall(&[other], old);
    let assumed = small.of(CommandKind::Assume(old));
    let kept = small.of(CommandKind::Seq(vec![assumed, moved]));
    init.command = small.of(CommandKind::Seq(vec![kept, init.command]));
    let params = vec![small.var("n"), small.var("m")];
    let claim = small.inclusion();
    let mut insert = vec![small.point(small.q, params[0], true), small.point(small.r, params[0], true)];
    if broken {
        insert.remove(0);
    }
    let insert = small.of(CommandKind::Seq(insert));
    let condition = small.atom(small.q, params[1]);
    let remove = small.point(small.r, params[1], false);
    let asserted = small.of(CommandKind::Assert(claim));
    let more = small.point(small.q, params[1], false);
    let remove = small.of(CommandKind::Seq(vec![remove, asserted, more]));
    let nothing = small.of(CommandKind::Skip);
    let remove = small.of(CommandKind::If(condition, Box::new(remove), Box::new(nothing)));
    let choice = small.choice(vec![insert, remove]);
    let claim = small.inclusion();
    let last = small.of(CommandKind::Assert(claim));
    let command = small.of(CommandKind::Seq(vec![choice, last]));
    small.build(init, vec![Part { name: "act".into(), params, command, span: at(0) }]);
    small.system
}

fn certify(system: &Arc<System>) -> (Vec<bool>, String) {
    let options = Options { all: true, certify: true, ..Options::default() };
    let mut verification = Plan::new(Arc::clone(system), options).run(&Limits::default());
    let answers: Vec<bool> = verification
        .results
        .iter()
        .map(|result| match result.outcome {
            Outcome::Holds { .. } => true,
            Outcome::Fails(_) => false,
            ref other => panic!("{:?}: {other:?}", result.origin),
        })
        .collect();
    let accepted = of_verification(system, "", &Question::Verify, &mut verification, false);
    let bytes = accepted.expect("the kernel accepts it").expect("everything is answered").bytes;
    (answers, String::from_utf8(bytes).expect("text"))
}

#[test]
fn answers_about_commands_are_certified() {
    let [sound, broken] = [false, true].map(|broken| Arc::new(certifiable(broken)));
    // Initiation, consecution, two assertions.
    let (answers, proof) = certify(&sound);
    assert_eq!(answers, [true; 4]);
    let summary = check::check(&sound, "", proof.as_bytes()).expect("accepted");
    assert!(summary.claim.proved);
    assert_eq!(summary.proofs, 4);
    let rejection = check::check(&broken, "", proof.as_bytes()).expect_err("of another system");
    assert!(rejection.obligation.is_some(), "{rejection}");

    let (answers, structures) = certify(&broken);
    assert_eq!(answers, [true, true, true, false], "the action ends where the assertion fails");
    let summary = check::check(&broken, "", structures.as_bytes()).expect("accepted");
    assert!(!summary.claim.proved);
    assert_eq!(summary.counterexamples, 1);
    assert!(check::check(&sound, "", structures.as_bytes()).is_err());
    // The choice that was made is part of the evidence.
    let without: Vec<&str> = structures.lines().filter(|line| !line.contains("choice@")).collect();
    assert!(without.len() < structures.lines().count());
    assert!(check::check(&broken, "", format!("{}\n", without.join("\n")).as_bytes()).is_err());
}

#[test]
fn long_commands_have_a_meaning_or_are_too_large() {
    for count in [300, 30_000] {
        let mut small = Small::new();
        let n = small.var("n");
        let mut commands = Vec::new();
        for _ in 0..count {
            let formula = small.atom(small.q, n);
            commands.push(small.of(CommandKind::Assert(formula)));
            commands.push(small.point(small.r, n, true));
            let (insert, nothing) = (small.point(small.r, n, true), small.of(CommandKind::Skip));
            commands.push(small.choice(vec![insert, nothing]));
        }
        let wide: Vec<Command> = (0..count).map(|at| small.point(small.r, n, at % 2 == 0)).collect();
        let [long, wide] = [small.of(CommandKind::Seq(commands)), small.choice(wide)];
        for command in [long, wide] {
            let Small { system, .. } = &mut small;
            let before = system.terms.len();
            let meaning = compose(&mut system.sig, &mut system.terms, &mut Names::default(), &[], &command);
            assert_eq!(meaning.is_ok(), count == 300, "{:?}", meaning.err());
            assert!(system.terms.len() - before < 600_000);
        }
    }
}
