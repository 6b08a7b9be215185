//! Tests of lowering: each derived form is translated to the core command given in the paper, or an equivalent one.

use super::system;
use ramsey_core::logic::SymbolKind;
use ramsey_core::system::{Command, CommandKind, Site, System};
use ramsey_solver::formulas::Pretty;

const VOCABULARY: &str = "
sort node
sort value
relation p
relation r: node
relation link: node, node
variable cur, other: node
variable b: bool
function val: node -> value
";

fn text(system: &System, term: ramsey_core::logic::TermId) -> String {
    Pretty::new(system.syntax(), term).to_string()
}

/// Returns a command as text in core RML.
fn show(system: &System, command: &Command) -> String {
    match &command.kind {
        CommandKind::Skip => "skip".into(),
        CommandKind::Assume(formula) => format!("assume {}", text(system, *formula)),
        CommandKind::Assert(formula) => format!("assert {}", text(system, *formula)),
        CommandKind::Assign(assignment) => {
            let vars: Vec<&str> =
                assignment.vars.iter().map(|&var| &*system.terms.var_info(var).name).collect();
            let name = &system.sig.symbols[assignment.sym].name;
            let value = text(system, assignment.value);
            if vars.is_empty() {
                format!("{name} := {value}")
            } else {
                format!("{name}({}) := {value}", vars.join(", "))
            }
        }
        CommandKind::Havoc(havoc) => {
            let value = &system.terms.var_info(havoc.value).name;
            format!("{} := *{value}", system.sig.symbols[havoc.sym].name)
        }
        CommandKind::Seq(commands) => {
            commands.iter().map(|command| show(system, command)).collect::<Vec<_>>().join("; ")
        }
        CommandKind::If(condition, a, b) => {
            format!(
                "if {} {{ {} }} else {{ {} }}",
                text(system, *condition),
                show(system, a),
                show(system, b)
            )
        }
        CommandKind::Choice(choice) => {
            assert_eq!(choice.bits.len() + 1, choice.branches.len());
            for &bit in &choice.bits {
                assert_eq!(system.sig.symbols[bit].kind, SymbolKind::Choice);
            }
            let branches: Vec<String> = choice
                .branches
                .iter()
                .map(|branch| format!("{{ {} }}", show(system, &branch.command)))
                .collect();
            branches.join(" | ")
        }
    }
}

/// Returns the commands of the only action, in core RML.
#[track_caller]
fn core(commands: &str) -> String {
    let system = system(&format!("{VOCABULARY}while * {{ {commands} }}"));
    let [transition] = system.transitions.as_slice() else { panic!("one action") };
    show(&system, transition.command.as_ref().expect("a command"))
}

#[test]
fn sugar_is_core_commands() {
    for (commands, expected) in [
        ("skip", "skip"),
        ("abort", "assert false"),
        ("r(X) := link(X, cur)", "r(X) := link(X, cur)"),
        ("val(X) := val(cur)", "val(X) := val(cur)"),
        ("cur := other", "cur := other"),
        ("p := r(cur)", "p := r(cur)"),
        ("cur := *", "cur := *cur"),
        ("cur := *; cur := *", "cur := *cur; cur := *cur.2"),
        ("assume r(X)", "assume forall X:node. r(X)"),
        ("r.insert(cur)", "r(X0) := r(X0) | X0 = cur"),
        ("r.remove(cur)", "r(X0) := r(X0) & X0 != cur"),
        ("link.insert(cur, other)", "link(X0, X1) := link(X0, X1) | X0 = cur & X1 = other"),
        ("r.insert(X | link(X, cur))", "r(X) := r(X) | link(X, cur)"),
        ("r.remove(X | link(X, cur) | p)", "r(X) := r(X) & !(link(X, cur) | p)"),
        ("link.insert(cur, Y | r(Y))", "link(X0, Y) := link(X0, Y) | X0 = cur & r(Y)"),
        ("val(cur) := val(other)", "val(X0) := if X0 = cur then val(other) else val(X0)"),
        ("r(cur) := p", "r(X0) := if X0 = cur then p else r(X0)"),
        ("link(cur, Y) := r(Y)", "link(X0, Y) := if X0 = cur then r(Y) else link(X0, Y)"),
        ("if p { cur := other }", "if p { cur := other } else { skip }"),
        ("{ skip } | { cur := other; skip }", "{ skip } | { cur := other; skip }"),
        ("{ cur := other; p := b }", "cur := other; p := b"),
        ("if p { skip } else if b { abort }", "if p { skip } else { if b { assert false } else { skip } }"),
        ("assert r(X) skip", "assert forall X:node. r(X); skip"),
    ] {
        // A choice at the top level would create several actions.
        let choice = commands.contains("} | {");
        let wrapped = if choice { format!("if p {{ {commands} }}") } else { commands.to_owned() };
        let expected =
            if choice { format!("if p {{ {expected} }} else {{ skip }}") } else { expected.to_owned() };
        assert_eq!(core(&wrapped), expected, "{commands}");
    }
}

#[test]
fn booleans_are_havocked_by_a_choice_of_their_own() {
    let shown = core("p := *; b := *");
    let bits: Vec<&str> = shown.split("; ").filter_map(|command| command.split(" := ").nth(1)).collect();
    assert!(
        bits.len() == 2 && bits[0] != bits[1] && bits.iter().all(|bit| bit.starts_with("choice")),
        "{shown}"
    );
    assert!(core("if * { skip } else { abort }").starts_with("{ skip } | {"));
}

#[test]
fn locals_are_parameters_unless_they_change() {
    let system = system(&format!(
        "{VOCABULARY}while * {{ local x: node; action a(y: node) {{ r.insert(y) }} | action c(z: node) {{ local y: node; y := x; z := *; r.insert(y); r.insert(z) }} }}"
    ));
    let params = |at: usize| -> Vec<&str> {
        system.transitions[at].params.iter().map(|&var| &*system.terms.var_info(var).name).collect()
    };
    assert_eq!(params(0), ["y", "x"]);
    // `y` is assigned to before anything reads it.
    assert_eq!(params(1), ["z", "x", "z.2"]);
    let command = system.transitions[1].command.as_ref().expect("a command");
    let shown = show(&system, command);
    let scratch = |name: &str| {
        let symbols = &system.sig.symbols;
        let found =
            symbols.iter().find(|symbol| symbol.name.starts_with(&format!("{name}@"))).expect("a symbol");
        assert!(found.kind == SymbolKind::Mutable && found.has_annotation("no_print"));
        found.name.clone()
    };
    let (y, z) = (scratch("y"), scratch("z"));
    assert_eq!(
        shown,
        format!("{z} := z; {y} := x; {z} := *z.2; r(X0) := r(X0) | X0 = {y}; r(X0) := r(X0) | X0 = {z}")
    );
}

#[test]
fn actions_include_surrounding_commands() {
    let system = system(&format!(
        "{VOCABULARY}while * {{ assume p; action one {{ cur := * }} | {{ skip }}; p := false }}"
    ));
    let shown: Vec<(&str, String)> = system
        .transitions
        .iter()
        .map(|it| (it.name.as_str(), show(&system, it.command.as_ref().expect("a command"))))
        .collect();
    assert_eq!(
        shown,
        [
            ("one", "assume p; cur := *cur; p := false".to_owned()),
            ("branch2", "assume p; skip; p := false".to_owned())
        ]
    );
}

#[test]
fn symbols_never_assigned_are_immutable() {
    let system = system(&format!("{VOCABULARY}p := true\nwhile * {{ r.insert(cur) }}\nb := p"));
    let kinds: Vec<(&str, bool)> = system
        .sig
        .symbols
        .iter()
        .filter(|symbol| symbol.span.is_some())
        .map(|symbol| (symbol.name.as_str(), symbol.kind.is_mutable()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("p", true),
            ("r", true),
            ("link", false),
            ("cur", false),
            ("other", false),
            ("b", true),
            ("val", false)
        ]
    );
}

#[test]
fn axioms_about_mutable_symbols_hold_in_every_state() {
    let system = system(&format!(
        "{VOCABULARY}axiom link(X, X)\naxiom [named] r(cur)\naxiom r(X)\nwhile * {{ r.insert(cur) }}"
    ));
    assert_eq!(system.axioms.len(), 1);
    let derived: Vec<(&str, bool)> =
        system.derived.iter().map(|it| (it.label.as_str(), it.sym.is_none())).collect();
    assert_eq!(derived, [("named", true), ("L12", true)]);
}

#[test]
fn claims_and_assertions_have_positions() {
    let system = system(&format!(
        "{VOCABULARY}assert p | !p\nwhile * {{ assert b; {{ r.insert(cur) }} | {{ abort }} }}\nassert p\nsafety [s] p\nconjecture r(cur)\ntheorem [t] link(X, X) -> link(X, X)\ntheorem [u] r(X) -> r(X)"
    ));
    let sites: Vec<(&str, Site)> =
        system.assertions.iter().map(|assertion| (assertion.label.as_str(), assertion.site)).collect();
    assert_eq!(
        sites,
        [
            ("L10", Site::Init),
            ("L11", Site::Transition(0)),
            ("L11.2", Site::Transition(1)),
            ("L12", Site::Final)
        ]
    );
    let claims: Vec<(&str, bool)> =
        system.invariants.iter().map(|claim| (claim.label.as_str(), claim.is_safety)).collect();
    assert_eq!(claims, [("s", true), ("L14", false)]);
    assert_eq!(system.theorems.iter().map(|theorem| theorem.states).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn unnamed_trace_parameters_are_arbitrary() {
    let system = system(&format!(
        "{VOCABULARY}while * {{ local l: node; action a(x: node) {{ r.insert(x); cur := * }} | action c {{ skip }} }}\nsat trace {{ assert init a(other) | c a }}"
    ));
    let ramsey_core::system::TraceStep::Transitions(calls) = &system.traces[0].steps[1] else {
        panic!("calls")
    };
    let shape: Vec<(usize, Vec<bool>)> =
        calls.iter().map(|call| (call.transition, call.args.iter().map(Option::is_some).collect())).collect();
    assert_eq!(shape, [(0, vec![true, false, false]), (1, vec![false])]);
}
