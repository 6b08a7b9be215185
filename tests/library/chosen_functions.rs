//! Functions and relations of which a command gives any values to all points at once: what walks, replays and deadlocks say of
//! random programs, against the enumeration of all these values and of all next states.

use std::sync::Arc;

use crate::common::effort::{Seen, cases};
use crate::common::models;
use ramsey::base::budget::Budget;
use ramsey::base::rng::Rng;
use ramsey::logic::{Elem, Evaluator, Interpretation, SortId, Structure, SymId, SymbolKind, TermId, Tuples};
use ramsey::query::Call;
use ramsey::query::deadlock::DeadlockFreedom;
use ramsey::query::simulate::{Claim, End, Simulator};
use ramsey::query::verify::Limits;
use ramsey::system::{Site, System};

const FORMULAS: [&str; 9] = [
    "p(a)",
    "~p(b)",
    "forall X. p(X)",
    "exists X. p(X) & f(X) = X",
    "f(a) = b",
    "forall X. f(X) ~= X",
    "forall X,Y. f(X) = f(Y) -> X = Y",
    "exists X. ~p(X)",
    "forall X. p(X) <-> p(f(X))",
];

/// Returns a formula: one of the list, or a combination.
fn formula(rng: &mut Rng) -> String {
    let one = |rng: &mut Rng| FORMULAS[rng.below(FORMULAS.len())];
    match rng.below(4) {
        0 => format!("({}) & ({})", one(rng), one(rng)),
        1 => format!("~({})", one(rng)),
        _ => one(rng).to_owned(),
    }
}

/// Returns statements with at most `chosen` functions and relations of any values, which are counted down.
fn statements(rng: &mut Rng, chosen: &mut usize, depth: usize) -> String {
    let count = 1 + rng.below(3);
    let statement = |_| match rng.below(9) {
        at @ 0..=2 if *chosen > 0 => {
            *chosen -= 1;
            ["p(X) := *", "f(X) := *", "p(X) := *"][at].to_owned()
        }
        0..=2 => "f(X) := a".to_owned(),
        3 => "a := f(a)".to_owned(),
        4 => format!("p(X) := p(f(X)) & ({})", formula(rng)),
        5 => "p(a) := true".to_owned(),
        6 => format!("assert {}", formula(rng)),
        7 if depth > 0 => {
            let [yes, no] = [0; 2].map(|_| statements(rng, chosen, depth - 1));
            let condition = if rng.one_in(2) { "*".to_owned() } else { formula(rng) };
            format!("if {condition} {{ {yes} }} else {{ {no} }}")
        }
        _ => format!("assume {}", formula(rng)),
    };
    (0..count).map(statement).collect::<Vec<String>>().join("; ")
}

fn program(rng: &mut Rng) -> String {
    let start = ["", "; p(X) := *; assume ~p(b)", "; f(X) := *; assume f(a) ~= a"][rng.below(3)];
    let mut text = format!(
        "#lang ivy1.7\ntype t\nindividual a:t\nindividual b:t\nrelation p(X:t)\nfunction f(X:t):t\n\
         after init {{ p(X) := X = b; f(X) := X{start} }}\n"
    );
    for name in ["go", "move(x:t)"] {
        let body = statements(rng, &mut 2, 1);
        let param = if name.contains('x') && rng.one_in(2) { "assume p(x) | f(x) = a; " } else { "" };
        let bare = name.split('(').next().unwrap_or_default();
        text += &format!("action {name} = {{ {param}{body} }}\nexport {bare}\n");
    }
    text
}

/// A point of a symbol in a state, and the number of its values.
type Point = (SymId, Vec<Elem>, usize, u32);

/// Returns the points of symbols in a state.
fn points(system: &System, state: &Structure, symbols: &[SymId], step: usize) -> Vec<Point> {
    let of = |&sym: &SymId| {
        let symbol = &system.sig.symbols[sym];
        let size = state.sizes[symbol.result];
        state.tuples(&symbol.args).map(move |args| (sym, args, step, size))
    };
    symbols.iter().flat_map(of).collect()
}

/// Calls `visit` with the structure for all values of these points.
fn for_all_values(
    system: &System,
    structure: &Structure,
    points: &[Point],
    mut visit: impl FnMut(&Structure),
) {
    let mut structure = structure.clone();
    for values in Tuples::new(points.iter().map(|it| it.3).collect()) {
        for ((sym, args, step, _), value) in points.iter().zip(values) {
            structure.interpretation_mut(&system.sig, *sym, *step).set(args, value);
        }
        visit(&structure);
    }
}

fn choices(system: &System, formula: TermId) -> Vec<SymId> {
    let is_choice = |sym: &SymId| system.sig.symbols[*sym].kind == SymbolKind::Choice;
    system.terms.symbols(formula).into_iter().filter(is_choice).collect()
}

/// Returns all steps of a transition from a state, as arguments and next states.
fn steps(system: &System, transition: usize, state: &Structure) -> Vec<(Vec<Elem>, Structure)> {
    let transition = &system.transitions[transition];
    let mut both = state.clone();
    both.push_state(&system.sig, state, 0);
    let mut open = points(system, state, &choices(system, transition.body), 0);
    open.extend(points(system, state, &transition.modifies, 1));
    let sorts: Vec<SortId> = transition.params.iter().map(|&it| system.terms.var_info(it).sort).collect();
    let mut found: Vec<(Vec<Elem>, Structure)> = Vec::new();
    for args in state.tuples(&sorts) {
        for_all_values(system, &both, &open, |both| {
            let mut eval = Evaluator::new(system.syntax(), both);
            eval.env.extend(transition.params.iter().copied().zip(args.iter().copied()));
            if eval.holds(transition.body) {
                let next = without_choices(system, both.state(&system.sig, 1));
                if !found.iter().any(|(known, it)| *known == args && is_same(system, it, &next)) {
                    found.push((args.clone(), next));
                }
            }
        });
    }
    found
}

/// Removes what documents do not tell.
fn without_choices(system: &System, mut structure: Structure) -> Structure {
    for (sym, symbol) in system.sig.symbols.iter_enumerated() {
        for step in 0..structure.states() {
            if symbol.kind == SymbolKind::Choice {
                *structure.interpretation_mut(&system.sig, sym, step) = Interpretation::default();
            }
        }
    }
    structure
}

fn is_same(system: &System, a: &Structure, b: &Structure) -> bool {
    let mut symbols = system.sig.symbols.iter_enumerated();
    symbols.all(|(sym, symbol)| {
        let [a_here, b_here] = [a, b].map(|state| state.interpretation(&system.sig, sym, 0));
        symbol.kind == SymbolKind::Choice
            || a.tuples(&symbol.args).all(|args| a_here.get(&args) == b_here.get(&args))
    })
}

#[test]
fn walks_replays_and_deadlocks_are_those_of_all_values() {
    let (mut enabled, mut broken, mut followed, mut uneven) =
        (Seen::default(), Seen::default(), Seen::default(), 0);
    for seed in 0..cases(300) {
        let rng = &mut Rng::new(seed);
        let text = program(rng);
        let system = Arc::new(models::system("m.ivy", &text));
        let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
        let mut walk = Simulator::new(Arc::clone(&system), seed, Limits::default());
        if !walk.start(&[(sort, 2)]).expect("no limit") {
            continue;
        }
        let freedom = DeadlockFreedom::new(&system);
        for _ in 0..3 {
            let state = walk.state().expect("a state").reduct(&system.sig);
            let all: Vec<_> = (0..2).map(|transition| steps(&system, transition, &state)).collect();
            for (transition, steps) in all.iter().enumerate() {
                let found = walk.possibilities(transition, 1_000).expect("no limit");
                assert!(!found.has_more);
                assert_eq!(enabled.note(!steps.is_empty()), !found.steps.is_empty(), "{text}");
                for (args, both) in &found.steps {
                    let next = both.state(walk.sig(), 1).reduct(&system.sig);
                    assert!(steps.iter().any(|(it, to)| it == args && is_same(&system, to, &next)), "{text}");
                }
                let mut other: Vec<&Vec<Elem>> = steps.iter().map(|it| &it.0).collect();
                other.retain(|args| !found.steps.iter().any(|(it, _)| it == *args));
                assert!(other.is_empty(), "{other:?} of {transition} in\n{text}");
            }
            let budget = &mut Budget::unlimited();
            let first = freedom.enabled_transition(&state, budget).expect("no limit");
            assert_eq!(first, all.iter().position(|steps| !steps.is_empty()), "{text}");
            let mut extended = state.clone();
            extended.grow_to(&freedom.system.sig);
            let is_free = Evaluator::new(freedom.system.syntax(), &extended).holds(freedom.formula);
            assert!(first.is_some() || !is_free, "{text}");
            assert!(first.is_none() || is_free || !freedom.undecided.is_empty(), "{text}");

            for (index, assertion) in system.assertions.iter().enumerate() {
                if assertion.site == Site::Init {
                    continue;
                }
                let open = points(&system, &state, &choices(&system, assertion.formula), 0);
                let mut is_broken = false;
                for_all_values(&system, &state, &open, |state| {
                    is_broken |= !Evaluator::new(system.syntax(), state).holds(assertion.formula);
                });
                let told = walk.broken().contains(&Claim::Assertion(index));
                assert_eq!(broken.note(is_broken), told, "{index} of\n{text}");
            }

            // A step to a next state is followed, and one to another state is not.
            let transition = rng.below(2);
            if let Some((args, next)) = all[transition].get(rng.below(all[transition].len().max(1))) {
                let before = without_choices(&system, walk.structure().expect("a walk").reduct(&system.sig));
                let mut changed = next.clone();
                let open = points(&system, next, &system.transitions[transition].modifies, 0);
                if let Some((sym, tuple, _, size)) = open.get(rng.below(open.len().max(1))) {
                    let value = changed.interpretation_mut(&system.sig, *sym, 0);
                    let other = (value.get(tuple) + 1) % size;
                    value.set(tuple, other);
                }
                for end in [next, &changed] {
                    let mut execution = before.clone();
                    execution.push_state(&system.sig, end, 0);
                    let mut calls = walk.calls().to_vec();
                    calls.push(Call { transition, args: args.clone() });
                    let mut replay = Simulator::new(Arc::clone(&system), 0, Limits::default());
                    let is_followed = matches!(replay.retrace(&execution, &calls), Ok(End::Steps));
                    let is_step = all[transition].iter().any(|(_, it)| is_same(&system, it, end));
                    assert_eq!(followed.note(is_step), is_followed, "{text}");
                }
            }
            let end = walk.walk(&[], walk.calls().len() + 1, None).expect("no limit");
            let image = walk.state().expect("a state").interpretation(walk.sig(), function(&system), 0);
            uneven += usize::from(image.get(&[0]) != image.get(&[1]));
            if !matches!(end, End::Steps) {
                break;
            }
        }
    }
    enabled.assert_both(20);
    broken.assert_both(10);
    followed.assert_both(10);
    assert!(uneven > 10, "{uneven} functions have two values");
}

fn function(system: &System) -> SymId {
    let mut symbols = system.sig.symbols.iter_enumerated();
    symbols.find(|(_, it)| it.name == "f").expect("a function").0
}
