//! The meaning of random commands, by the rules of the literature and by their executions.

use super::{Model, Seen, all_bits, choices, conditions, havocs, part_of, system_of};
use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures};
use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::base::rng::Rng;
use ramsey::logic::{Elem, Evaluator, Node, SortId, Structure, SymId, SymbolKind, SyntaxMut, TermId, VarId};
use ramsey::obligations::plain::frame;
use ramsey::system::program::compose::{Composition, substitute};
use ramsey::system::program::{Program, build};
use ramsey::system::{Assignment, Command, CommandKind, Site};
use ramsey::transition::interpret::{Context, DecisionEnumerator, End, EventKind, RecordedDecisions};
use ramsey::transition::{Action, Update};

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
    for seed in 0..cases(750) {
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
    for seed in 0..cases(750) {
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

#[test]
fn initial_states_are_those_that_executions_lead_to() {
    let (mut initial, mut asserted) = (Seen::default(), Seen::default());
    let mut ghosts = 0;
    for seed in 0..cases(750) {
        let mut rng = Rng::new(seed);
        let model = Model::random(&mut rng);
        let mut system = system_of(&model);
        system.axioms_after_changes = rng.one_in(2);
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
                let axioms = system.axioms_of_changes();
                let context = Context { syntax: system.syntax(), axioms: &axioms };
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
            let after = model.axioms.iter().all(|&axiom| holds(&structure, axiom));
            let is_initial = cases.iter().any(satisfied) && after;
            let led_to = allowed
                && after
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
