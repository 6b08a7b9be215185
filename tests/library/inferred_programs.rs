//! `ramsey::infer` on random programs: the executions that it finds, against the plain formulas of transitions.

use std::sync::Arc;

use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::base::rng::Rng;
use ramsey::formulas::Pretty;
use ramsey::infer::{Answer, Counts, Event, Method, Observer, Options, RelaxedExecution, infer};
use ramsey::lang::Language;
use ramsey::logic::{Evaluator, SortId, Structure, Syntax, TermId};
use ramsey::obligations::Property;
use ramsey::obligations::plain::transition_formula;
use ramsey::query::Counterexample;
use ramsey::system::System;
use ramsey::workbench::{Changes, revise};

use crate::common::models;

/// Writes random programs in `.ivy`: objects, calls and monitors, branches without `else`, and variables in them.
struct Writer<'a> {
    rng: &'a mut Rng,
    /// The variables of sort `t` in scope.
    scope: Vec<String>,
    /// The actions that may be called.
    callable: usize,
    /// Whether `old` is possible.
    has_old: bool,
    fresh: usize,
    out: String,
}

impl Writer<'_> {
    fn pick<'b>(&mut self, items: &[&'b str]) -> &'b str {
        items[self.rng.below(items.len())]
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn term(&mut self, depth: usize) -> String {
        match self.rng.below(if depth > 0 { 8 } else { 4 }) {
            0 if self.has_old => "(old c)".to_owned(),
            0 | 1 => self.pick(&["c", "zero", "one"]).to_owned(),
            2 | 3 if !self.scope.is_empty() => self.scope[self.rng.below(self.scope.len())].clone(),
            2 | 3 => "c".to_owned(),
            4 | 5 => {
                let (then, condition) = (self.term(0), self.formula(depth - 1));
                format!("({then} if {condition} else {})", self.term(0))
            }
            6 => format!("f({})", self.term(depth - 1)),
            _ => self.term(0),
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        match self.rng.below(if depth > 0 { 10 } else { 5 }) {
            0 => "b".to_owned(),
            1 | 2 => format!("r({})", self.term(0)),
            3 => format!("{} = {}", self.term(0), self.term(0)),
            4 if self.has_old => format!("old r({})", self.term(0)),
            4 => format!("o.p({})", self.term(0)),
            5 => format!("~({})", self.formula(depth - 1)),
            6 => "(exists Z:t. r(Z))".to_owned(),
            kind => {
                let operator = [" & ", " | ", " -> "][kind - 7];
                format!("({}{operator}{})", self.formula(depth - 1), self.formula(depth - 1))
            }
        }
    }

    fn block(&mut self, depth: usize, indent: &str) {
        let known = self.scope.len();
        for _ in 0..1 + self.rng.below(3) {
            self.statement(depth, indent);
        }
        self.scope.truncate(known);
    }

    fn statement(&mut self, depth: usize, indent: &str) {
        let kind = self.rng.below(if depth > 0 { 16 } else { 10 });
        let text = match kind {
            0 | 1 => {
                let value = if self.rng.one_in(3) { "*".to_owned() } else { self.formula(1) };
                format!("r({}) := {value}", self.term(1))
            }
            2 => format!("r(X) := (X = {} | {})", self.term(0), self.formula(1)),
            3 => format!("c := {}", if self.rng.one_in(3) { "*".to_owned() } else { self.term(1) }),
            4 => format!("b := {}", if self.rng.one_in(3) { "*".to_owned() } else { self.formula(1) }),
            5 => format!("o.p({}) := {}", self.term(0), self.formula(1)),
            6 if self.callable > 0 => {
                let action = self.rng.below(self.callable);
                match self.rng.below(3) {
                    depth @ (0 | 1) => format!("c := a{action}({})", self.term(depth)),
                    _ => {
                        let name = self.name("w");
                        let text = format!("var {name} := a{action}({})", self.term(0));
                        self.scope.push(name);
                        text
                    }
                }
            }
            7 if !self.scope.is_empty() => {
                let variable = self.scope[self.rng.below(self.scope.len())].clone();
                let value = if self.rng.one_in(3) { "*".to_owned() } else { self.term(1) };
                format!("{variable} := {value}")
            }
            8 => format!("assume {}", self.formula(1)),
            _ if depth == 0 || kind < 13 => {
                let name = self.name("v");
                let text = match self.rng.below(2) {
                    0 => format!("var {name}:t"),
                    _ => format!("var {name}:t := {}", self.term(1)),
                };
                self.scope.push(name);
                text
            }
            _ => return self.branches(depth, indent),
        };
        self.out.push_str(&format!("{indent}{text};\n"));
    }

    /// Writes `if` with any number of further branches, the last of which is often missing.
    fn branches(&mut self, depth: usize, indent: &str) {
        let inner = format!("{indent}  ");
        self.out.push_str(indent);
        let others = self.rng.below(3);
        let mut is_any = false;
        for at in 0..=others {
            let known = self.scope.len();
            let kind = self.rng.below(4);
            is_any = kind == 0;
            let condition = match kind {
                0 => "*".to_owned(),
                1 => {
                    let name = self.name("k");
                    self.scope.push(name.clone());
                    format!("some {name}:t. {}", self.formula(1))
                }
                _ => self.formula(1),
            };
            let word = if at == 0 { "if" } else { "} else if" };
            self.out.push_str(&format!("{word} {condition} {{\n"));
            self.block(depth - 1, &inner);
            self.scope.truncate(known);
            self.out.push_str(indent);
        }
        if is_any || self.rng.one_in(3) {
            self.out.push_str("} else {\n");
            self.block(depth - 1, &inner);
            self.out.push_str(indent);
        }
        self.out.push_str("};\n");
    }

    /// Writes declarations and the initial part.
    fn beginning(&mut self) {
        self.out.push_str(
            "#lang ivy1.7\ntype t\nindividual zero:t\nindividual one:t\nindividual b:bool\nindividual c:t\n\
             relation r(X:t)\nfunction f(X:t):t\nobject o(self:t) = {\n  individual p:bool\n}\n",
        );
        if self.rng.one_in(2) {
            self.out.push_str("axiom X = zero | X = one\n");
        }
        self.out.push_str("after init {\n  r(X) := X = zero;\n  o.p(X) := false;\n");
        self.block(1, "  ");
        self.out.push_str("}\n");
        self.scope.clear();
    }

    /// Returns a program that is safe because there always is a value that is not marked, and does random things beside.
    fn safe_program(mut self) -> String {
        self.beginning();
        self.out.push_str("type u\nrelation marked(X:t, U:u)\nindividual bad:bool\n");
        self.out.push_str("after init { marked(X, U) := false; bad := false }\n");
        self.has_old = true;
        for (head, tail) in [
            ("mark(x:t, v:u, w:u) = {\n  require v ~= w & ~marked(x, w);\n", "  marked(x, v) := true;\n"),
            ("check(x:t) = {\n  require forall U. marked(x, U);\n", "  bad := true;\n"),
        ] {
            self.out.push_str(&format!("action {head}  if * {{\n"));
            self.scope = vec!["x".to_owned()];
            let first = self.out.len();
            self.block(2, "    ");
            // The first parameter decides about safety.
            let block = self.out.split_off(first).replace(" x := ", " c := ");
            self.out.push_str(&format!("{block}  }} else {{ }};\n{tail}}}\n"));
        }
        self.out.push_str("export mark\nexport check\ninvariant [safety] ~bad\n");
        self.out
    }

    fn program(mut self) -> String {
        self.beginning();
        let actions = 1 + self.rng.below(3);
        for action in 0..actions {
            self.scope = vec!["x".to_owned(), "y".to_owned()];
            self.has_old = true;
            self.callable = action;
            self.out.push_str(&format!("action a{action}(x:t) returns (y:t) = {{\n"));
            self.block(2, "  ");
            // What follows makes a step of an execution that takes no branch.
            self.statement(0, "  ");
            self.scope.truncate(2);
            self.out.push_str("}\n");
            for moment in ["before", "after"] {
                if self.rng.one_in(3) {
                    self.out.push_str(&format!("{moment} a{action}(x:t) returns (y:t) {{\n"));
                    self.block(1, "  ");
                    self.out.push_str("}\n");
                }
            }
        }
        for action in 0..actions {
            if action + 1 == actions || self.rng.one_in(2) {
                self.out.push_str(&format!("export a{action}\n"));
            }
        }
        (self.scope, self.has_old) = (Vec::new(), false);
        for _ in 0..1 + self.rng.below(2) {
            let formula = self.formula(2);
            self.out.push_str(&format!("invariant {formula}\n"));
        }
        self.out
    }
}

fn writer(rng: &mut Rng) -> Writer<'_> {
    Writer { rng, scope: Vec::new(), callable: 0, has_old: false, fresh: 0, out: String::new() }
}

struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Syntax<'_>, _: &Event, _: &Counts) {}
}

fn holds(system: &System, structure: &Structure, formula: TermId) -> bool {
    Evaluator::new(system.syntax(), structure).holds(formula)
}

/// Checks that a state satisfies what is assumed of all states, and the initial conditions if it is initial.
fn check_state(system: &System, state: &Structure, is_initial: bool) {
    let inits = system.inits.iter().filter(|_| is_initial).map(|it| it.formula);
    let axioms = system.axioms.iter().map(|it| it.formula);
    let derived = system.derived.iter().map(|it| it.axiom);
    assert!(inits.chain(axioms).chain(derived).all(|formula| holds(system, state, formula)));
}

/// Checks that a transition leads from one state to the other.
fn check_step(system: &System, transition: usize, before: &Structure, after: &Structure) {
    let mut system = system.without_proofs();
    let mut both = before.clone();
    both.push_state(&system.sig, after, 0);
    let transition = system.transitions[transition].clone();
    let formula = transition_formula(system.syntax_mut(), &transition);
    assert!(holds(&system, &both, formula), "{}", transition.name);
}

fn check_violation(system: &System, property: Property, last: &Structure) {
    assert!(!holds(system, last, property.formula(system)));
}

/// Checks an execution of the system, state by state.
fn check_execution(system: &System, property: Property, found: &Counterexample) {
    let states: Vec<Structure> =
        (0..found.structure.states()).map(|step| found.structure.state(&system.sig, step)).collect();
    assert_eq!(states.len(), found.calls.len() + 1);
    check_state(system, &states[0], true);
    states.iter().for_each(|state| check_state(system, state, false));
    for (step, call) in found.calls.iter().enumerate() {
        check_step(system, call.transition, &states[step], &states[step + 1]);
    }
    check_violation(system, property, &states[states.len() - 1]);
}

/// Returns the present part of a state of a relaxed execution, over the original signature.
fn present(system: &System, found: &RelaxedExecution, state: &Structure) -> Structure {
    let relaxed = &found.relaxed;
    let mut part = Structure::new(&system.sig, 1);
    let mut names: Vec<Map<u32, u32>> = Vec::new();
    for sort in system.sig.sorts.ids() {
        let is_there = |elem: &u32| {
            relaxed.active[sort]
                .is_none_or(|active| state.interpretation(&relaxed.system.sig, active, 0).get(&[*elem]) != 0)
        };
        let elements: Vec<u32> = (0..state.sizes[sort]).filter(is_there).collect();
        part.sizes[sort] = elements.len() as u32;
        names.push(elements.into_iter().zip(0..).collect());
    }
    let name = |sort: SortId, elem: u32| {
        use ramsey::base::ids::Id as _;
        names[sort.index()].get(&elem).copied()
    };
    for (sym, symbol) in system.sig.symbols.iter_enumerated() {
        for args in state.tuples(&symbol.args) {
            let places: Option<Vec<u32>> =
                args.iter().zip(&symbol.args).map(|(&arg, &sort)| name(sort, arg)).collect();
            let Some(places) = places else { continue };
            let value = state.interpretation(&relaxed.system.sig, sym, 0).get(&args);
            let is_of_init = !symbol.kind.is_mutable() && !symbol.is_declared();
            let value =
                name(symbol.result, value).or(is_of_init.then_some(0)).expect("closed under functions");
            part.interpretation_mut(&system.sig, sym, 0).set(&places, value);
        }
    }
    part
}

/// Checks a relaxed execution by the formulas of the system itself: each step is one of the part that is present.
fn check_relaxed(system: &System, found: &RelaxedExecution) {
    let Counterexample { structure, calls, .. } = &found.counterexample;
    let sig = &found.relaxed.system.sig;
    let parts: Vec<Structure> =
        (0..structure.states()).map(|step| present(system, found, &structure.state(sig, step))).collect();
    check_state(system, &parts[0], true);
    parts.iter().for_each(|part| check_state(system, part, false));
    let mut relaxations = 0;
    for (step, call) in calls.iter().enumerate() {
        if call.transition == found.relaxed.relaxation {
            relaxations += 1;
            assert!(
                system.sig.sorts.ids().all(|sort| parts[step + 1].sizes[sort] <= parts[step].sizes[sort])
            );
            // What the model declares stays as it is.
            for (sym, symbol) in system.sig.symbols.iter_enumerated() {
                if symbol.is_declared() && symbol.kind.is_mutable() {
                    let [before, after] =
                        [step, step + 1].map(|step| structure.interpretation(sig, sym, step).clone());
                    assert!(structure.tuples(&symbol.args).all(|args| before.get(&args) == after.get(&args)));
                }
            }
        } else {
            check_step(system, call.transition, &parts[step], &parts[step + 1]);
        }
    }
    assert!(relaxations > 0);
    check_violation(system, found.property, &parts[parts.len() - 1]);
}

/// Searches in random programs and checks the executions that are found: of the system, and relaxed ones. Returns their
/// numbers.
fn check_programs(seeds: std::ops::Range<u64>, write: fn(Writer<'_>) -> String) -> [usize; 2] {
    let mut found = [0; 2];
    for seed in seeds {
        let text = write(writer(&mut Rng::new(seed)));
        let (system, diagnostics) = models::load("random.ivy", &text);
        let Some(system) = system else { panic!("seed {seed}: {diagnostics:?}\n{text}") };
        let system = Arc::new(system);
        for method in [Method::SEPARATION, Method::UPDR] {
            let options = Options { method, seed, ..Options::default() };
            let mut budget = Budget::new(Some(3_000_000), None);
            let inference = infer(&system, &options, &mut budget, &mut Silent);
            let own = &*inference.system;
            match &inference.answer {
                Answer::Unsafe(property, _) if property.is_before_init(own) => {}
                Answer::Unsafe(property, execution) => {
                    found[0] += 1;
                    check_execution(own, *property, execution);
                }
                Answer::NoUniversal(execution) => {
                    found[1] += 1;
                    check_relaxed(own, execution);
                }
                Answer::InternalError(what) => panic!("seed {seed}, {method:?}: {what}\n{text}"),
                Answer::Invariant(_) | Answer::Unknown { .. } => {}
            }
        }
    }
    found
}

#[test]
fn executions_of_random_programs_are_executions() {
    let [concrete, _] = check_programs(0..40, |writer| writer.program());
    assert!(concrete > 30, "{concrete}");
}

/// The initial part chooses, and the first transition is not found by enumerating what it may choose.
#[test]
fn initial_states_keep_the_choices_that_led_to_them() {
    let [concrete, _] = check_programs(1091..1092, |writer| writer.program());
    assert_eq!(concrete, 2);
}

#[test]
fn relaxed_executions_of_random_programs_consist_of_steps() {
    let [_, relaxed] = check_programs(0..12, |writer| writer.safe_program());
    assert!(relaxed > 4, "{relaxed}");
}

/// Assertions of programs as claims of the model: their variables stand for those of commands, which share names.
#[test]
fn assertions_of_random_programs_are_read_back() {
    let mut added = 0;
    for seed in 0..40 {
        let text = writer(&mut Rng::new(seed)).program().replace("assume ", "ensure ");
        let load = |text: &str| models::load("random.ivy", text);
        let (system, diagnostics) = load(&text);
        let Some(system) = system else { panic!("seed {seed}: {diagnostics:?}\n{text}") };
        let is_declared = |formula: TermId| {
            system.terms.symbols(formula).into_iter().all(|sym| system.sig.symbols[sym].is_declared())
        };
        let assertions = system.assertions.iter().filter(|it| is_declared(it.formula));
        let formulas: Vec<(Option<String>, String)> =
            assertions.map(|it| (None, Pretty::new(system.syntax(), it.formula).to_string())).collect();
        added += formulas.len();
        let changes = Changes { removed: &[], added: &formulas };
        let revised = revise(&text, Language::Ivy, &system, changes, &mut |text| {
            let (system, found) = load(text);
            (system.map(Arc::new), found)
        });
        assert!(revised.is_ok(), "seed {seed}: {revised:?} {formulas:?}\n{text}");
    }
    assert!(added > 20, "{added}");
}
