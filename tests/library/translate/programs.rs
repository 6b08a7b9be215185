//! Random programs and their translations: whether the same is violated, after as many steps.

use std::sync::Arc;

use super::{Pair, limits, translated};
use crate::common::bounded::safety;
use crate::common::effort::{Seen, cases};
use crate::common::models::{load, system};
use ramsey::base::budget::Budget;
use ramsey::base::ids::IdVec;
use ramsey::base::rng::Rng;
use ramsey::finite::Encoding;
use ramsey::lang::Language;
use ramsey::query::bmc::{Bmc, Options, Outcome};
use ramsey::query::instance::{self, Instances, Limit, states};
use ramsey::system::System;

/// Returns the numbers of reachable states of two elements, of initial ones, of those that violate what is to be shown and of
/// those without a successor, and of steps. Returns `None` without an answer.
fn reachable(system: System) -> Option<[usize; 5]> {
    let targets = safety(&system);
    let options = instance::Options {
        sizes: IdVec::filled(system.sig.sorts.len(), 2),
        targets,
        encoding: Encoding::OneHot,
        break_symmetry: false,
        inductive: false,
        max_nodes: 1_000_000,
        seed: 0,
    };
    let instances = Instances::new(&Arc::new(system), &options, &mut Budget::unlimited()).ok()?;
    let limit = Limit { states: 2_000, up_to_isomorphism: false };
    let (graph, is_complete) = states(instances.main(), limit, &mut Budget::unlimited()).ok()?;
    is_complete.then(|| [graph.states.len(), graph.initial(), graph.bad(), graph.stuck(), graph.steps.len()])
}

/// Returns the fewest steps, up to 2, after which a safety property or an assertion is violated, and whether that is before
/// the initial states. Returns `None` without an answer, and if there is nothing to be shown.
fn violation(system: System) -> Option<Option<(u16, bool)>> {
    let targets = safety(&system);
    if targets.is_empty() {
        return None;
    }
    let options = Options { minimize: false, ..Options::new(targets, 2) };
    let mut bmc = Bmc::new(Arc::new(system), options);
    while let Some(answer) = bmc.advance(&limits()) {
        match answer.outcome {
            Outcome::Holds => {}
            Outcome::Violated(_) => return Some(Some((answer.steps.unwrap_or(0), answer.steps.is_none()))),
            _ => return None,
        }
    }
    Some(None)
}

/// Returns what differs between a program and its translation, or why there is none. Returns no answer about a program that
/// is wrong, or has nothing to be shown.
fn differences(text: &str, to: Language) -> Option<(bool, Result<Vec<String>, String>)> {
    load("program.rml", text).0?;
    let expected = violation(system("program.rml", text))?;
    let result = match translated("program.rml", text, to) {
        Ok(result) => result,
        Err(said) => return Some((expected.is_some(), Err(said))),
    };
    let name = format!("translation.{}", to.extension());
    let pair = Pair { source: ("program.rml", text), target: (&name, &result) };
    let mut found = pair.differences(1);
    // An assertion before the loop is a theorem in `.pyv`, which is no question about executions.
    let is_theorem = to == Language::Pyv && expected.is_some_and(|(_, is_before)| is_before);
    if let Some(actual) = violation(system(&name, &result))
        && actual != expected
        && !is_theorem
    {
        found.push(format!("violated: {expected:?} and {actual:?}\n{result}"));
    }
    // What a symbol was before is declared in `.pyv`, and tells states apart.
    if !result.contains("_before") {
        let [expected, actual] = [pair.source, pair.target].map(|it| reachable(system(it.0, it.1)));
        if expected != actual {
            found.push(format!("reachable: {expected:?} and {actual:?}\n{result}"));
        }
    }
    Some((expected.is_some(), Ok(found)))
}

/// Compares a program with its translations.
#[track_caller]
fn compare(text: &str, is_violated: bool) {
    for to in [Language::Pyv, Language::Ivy] {
        let found = differences(text, to);
        assert_eq!(found, Some((is_violated, Ok(Vec::new()))), "to {to:?}\n{text}");
    }
}

const RELATIONS: &str =
    "sort s\nrelation p: s\nrelation q: s\nrelation b\np(X) := false\nq(X) := false\nb := false\n";

#[test]
fn variables_of_actions_do_not_capture_those_of_shared_commands() {
    for (commands, is_violated) in [
        ("q(Y) := true action step(Y: s) { p(Y) := true } | action other { p(X) := true }", true),
        ("action step(Y: s) { p(Y) := true } q(Y) := true", true),
        ("assume q(Y) | !q(Y) q(Y) := !p(Y) action step(Y: s) { p(Y) := true }", true),
        ("{ local Y: s p(Y) := true } | { p(X) := true } q(Y) := p(Y)", false),
        ("{ local Y: s p(Y) := true } | { p(X) := true } q(Y) := !p(Y)", true),
        (
            "local Y: s q(Y) := p(Y) action one(X: s) { p(X) := true } | action two(Z: s) { p(Z) := q(Y) }",
            false,
        ),
        ("action step(Y: s) { p(Y) := true } assert p(Y) -> b", true),
    ] {
        compare(
            &format!("{RELATIONS}while * {{ {commands} }}\nsafety q(X) & q(Y) -> p(X) | p(Y)\n"),
            is_violated,
        );
    }
}

#[test]
fn safety_is_what_the_program_says() {
    for (text, is_violated) in [
        (
            "p(X) := true b := true assert safety b := false p(X) := false while * { q(X) := true } safety [one] b | !p(X)",
            false,
        ),
        ("p(X) := true while * { p(X) := false p(X) := true assert safety } safety p(X)", false),
        ("p(X) := true while * { p(X) := b assert safety p(X) := true } safety p(X)", true),
        ("while * { p(X) := b assert !b } conjecture safety | p(X) safety [one] !p(X) safety !b", false),
        ("assert b -> safety while * { b := true } safety p(X)", true),
    ] {
        compare(&format!("{RELATIONS}{text}\n"), is_violated);
    }
}

#[test]
fn questions_are_about_the_same_claims() {
    for (text, is_violated) in [
        ("while * { skip } assert p(X) safety !b", true),
        ("while * { p(X) := true } assert p(X) -> !b safety [one] !b conjecture q(X)", false),
        ("while * { b := true assert b } conjecture p(X)", false),
        ("while * { b := true assert b } conjecture [safety_2] p(X) conjecture [lemma] q(X)", false),
        ("while * { b := true } assert b conjecture [safety_2] p(X)", true),
        ("while * { b := true } safety [one] !q(X) conjecture [safety_2] p(X)", false),
        ("while * { b := true } safety [safety_1] !b conjecture p(X)", true),
    ] {
        compare(&format!("{RELATIONS}{text}\n"), is_violated);
    }
}

#[test]
fn assertions_about_what_never_changes_are_about_reachable_states() {
    for (text, is_violated) in [
        ("relation rigid assume rigid while * { assert rigid b := false } safety !b", false),
        ("relation rigid axiom rigid while * { assert rigid b := false } safety !b", false),
        ("relation rigid relation other axiom rigid -> other while * { assert other } safety !b", true),
        ("while * { b := true if b { abort } } safety !b", true),
        ("while * { if b { abort } } safety !q(X)", false),
        ("while * { abort } safety !q(X)", true),
        ("relation rigid axiom rigid while * { skip } assert rigid safety rigid", false),
        ("relation rigid assume !rigid while * { b := true } safety rigid | b | !rigid", false),
    ] {
        compare(&format!("{RELATIONS}{text}\n"), is_violated);
    }
    let still = "sort s\nrelation le: s, s\naxiom le(X, X)\nwhile * { assert le(X, X) }\n";
    let said = translated("still.rml", still, Language::Pyv).expect_err("no state to speak of");
    assert!(said.contains("nothing changes"), "{said}");
}

#[test]
fn definitions_are_read_where_they_stand() {
    for text in [
        "macro some = exists x: s. p(x) assume some p(X) := !some while * { skip } safety !p(X)",
        "macro all(x: s) = p(x) & q(Z) assume all(Y) q(X) := all(X) p(X) := false while * { skip } safety q(X)",
    ] {
        let text = format!("sort s\nrelation p: s\nrelation q: s\n{text}\n");
        compare(&text, false);
    }
}

#[test]
fn what_the_target_can_say_is_not_refused() {
    for text in [
        // What tells the sort of a variable is left out.
        "macro m(x: s) = let y = q(Z) in q(x) while * { assume m(X) } safety !q(X) | m(X)",
        "while * { if b { p(X) := true } assume forall x: s, y: s. let z = y in b | x = x } safety b | !p(X) | p(X)",
        // Quantifiers in each other.
        "sort t relation r: t while * { assume forall X: s. forall X: t. r(X) } safety !b",
        // Parameters that differ in the case of a letter alone.
        "macro m(x: s, X: s) = p(x) while * { assume !m(Y, Z) p(X) := false } safety !b",
        "while * { skip } safety true",
        "while * { skip } safety true | q(X)",
        // Macros before what they use.
        "macro m = n & !b macro n = o macro o = p(X) while * { b := m } safety !b",
    ] {
        compare(&format!("{RELATIONS}{text}\n"), false);
    }
    let axiom = "variable c: bool\nvariable d: bool\naxiom c -> d\nassert d | !d\nif * { abort }\n\
                 while * { c := false }\nsafety d | !c\n";
    translated("axiom.rml", axiom, Language::Pyv).expect("a theorem about states");
    // Names that the source does not give.
    for (name, commands) in [("body", "p(X) := body"), ("branch2", "{ skip } | { p(X) := branch2 }")] {
        let text = format!("{RELATIONS}relation {name} while * {{ {commands} }} safety {name} | !p(X)\n");
        for to in [Language::Pyv, Language::Ivy] {
            let result = translated("program.rml", &text, to).expect("a translation");
            assert!(result.contains(&format!("{name}_2")), "{result}");
            assert_eq!(violation(system(&format!("translation.{}", to.extension()), &result)), Some(None));
        }
    }
}

/// Writes random programs in `.rml`. Variables of all kinds have few names, in capital letters most of them.
struct Writer<'a> {
    rng: &'a mut Rng,
    /// The variables in scope.
    scope: Vec<&'static str>,
    /// Whether names in capital letters may be free.
    is_closed: bool,
    /// Whether `safety` is possible.
    has_safety: bool,
}

const VARIABLES: [&str; 5] = ["X", "Y", "Z", "n", "W"];

impl Writer<'_> {
    fn pick<'b>(&mut self, items: &[&'b str]) -> &'b str {
        items[self.rng.below(items.len())]
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.rng.below(VARIABLES.len())]
    }

    fn term(&mut self) -> &'static str {
        match self.rng.below(4) {
            0 | 1 if !self.scope.is_empty() => self.scope[self.rng.below(self.scope.len())],
            2 if self.is_closed => ["X", "Y", "Z"][self.rng.below(3)],
            3 => "c",
            _ => "a",
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 7 } else { 11 }) {
            0 => "b".to_owned(),
            1 => "rigid".to_owned(),
            2 | 3 => format!("p({})", self.term()),
            4 => format!("q({})", self.term()),
            5 => format!("{} = {}", self.term(), self.term()),
            6 if self.has_safety && self.rng.one_in(2) => "safety".to_owned(),
            6 => format!("some_p({})", self.term()),
            7 => format!("!({})", self.formula(depth - 1)),
            8 => {
                let variable = self.variable();
                self.scope.push(variable);
                let body = self.formula(depth - 1);
                self.scope.pop();
                format!("({} {variable}: s. {body})", self.pick(&["forall", "exists"]))
            }
            _ => {
                let operator = self.pick(&["&", "|", "->"]);
                format!("({} {operator} {})", self.formula(depth - 1), self.formula(depth - 1))
            }
        }
    }

    fn closed(&mut self, depth: usize) -> String {
        self.is_closed = true;
        let formula = self.formula(depth);
        self.is_closed = false;
        formula
    }

    /// Returns a command, after which its local variable is in scope.
    fn command(&mut self, depth: usize) -> String {
        match self.rng.below(if depth == 0 { 11 } else { 14 }) {
            0 => format!("assume {}", self.closed(1)),
            1 => format!("assert {}", self.closed(1)),
            2..5 => {
                let target = self.pick(&["p", "q"]);
                let head = ["X", "Y", "Z"][self.rng.below(3)];
                self.scope.push(head);
                let value = self.formula(1);
                self.scope.pop();
                format!("{target}({head}) := {value}")
            }
            5 => format!("{}.{}({})", self.pick(&["p", "q"]), self.pick(&["insert", "remove"]), self.term()),
            6 => format!("{}({}) := {}", self.pick(&["p", "q"]), self.term(), self.formula(1)),
            7 => format!("b := {}", self.formula(1)),
            8 => "a := *".to_owned(),
            9 => format!("a := {}", self.term()),
            10 => {
                let variable = self.variable();
                if self.scope.contains(&variable) {
                    return "skip".to_owned();
                }
                self.scope.push(variable);
                format!("local {variable}: s")
            }
            11 => format!("if {} {{ abort }}", self.formula(1)),
            _ => format!("if {} {{ {} }}", self.formula(1), self.block(depth - 1)),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let outside = self.scope.len();
        let commands: Vec<String> = (0..1 + self.rng.below(2)).map(|_| self.command(depth)).collect();
        self.scope.truncate(outside);
        commands.join("\n    ")
    }

    fn commands(&mut self, count: usize) -> String {
        (0..self.rng.below(count + 1)).map(|_| self.command(1) + "\n").collect()
    }

    fn program(mut self) -> String {
        let mut text = "sort s\nrelation p: s\nrelation q: s\nrelation b\nrelation rigid\nvariable a: s\n\
                        variable c: s\nmacro some_p(x: s) = p(x) | p(Z)\n"
            .to_owned();
        let mut claims = String::new();
        for keyword in ["safety", "safety", "conjecture", "conjecture"] {
            if self.rng.one_in(2) {
                let name = format!("[{}{}] ", self.pick(&["one", "safety_"]), claims.len());
                let name = if self.rng.one_in(2) { &name } else { "" };
                claims += &format!("{keyword} {name}b | {}\n", self.closed(1));
            }
        }
        self.has_safety = claims.contains("safety ");
        if self.rng.one_in(3) {
            text += "axiom rigid\n";
        }
        text += &self.commands(3);
        text += "p(X) := X = a\nq(X) := p(X)\nb := true\n";
        text += &self.commands(2);
        self.scope.clear();
        text += "while * {\n";
        text += &self.commands(2);
        let mut actions = Vec::new();
        for number in 0..1 + self.rng.below(2) {
            let outside = self.scope.len();
            let param = Some(self.variable()).filter(|it| !self.scope.contains(it));
            self.scope.extend(param);
            let params = param.map(|name| format!("({name}: s)")).unwrap_or_default();
            actions.push(format!("  action go{number}{params} {{\n    {}\n  }}", self.block(1)));
            self.scope.truncate(outside);
        }
        text += &(actions.join(" |\n") + "\n");
        text += &self.commands(2);
        self.scope.clear();
        text += "}\n";
        text += &self.commands(1);
        text + &claims
    }
}

fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    Writer { rng: &mut rng, scope: Vec::new(), is_closed: false, has_safety: false }.program()
}

#[test]
fn random_programs_mean_the_same_in_every_language() {
    let count = cases(120);
    let mut violated = Seen::default();
    let mut refused = Vec::new();
    for seed in 0..count {
        let text = program(seed);
        for to in [Language::Pyv, Language::Ivy] {
            let Some((is_violated, found)) = differences(&text, to) else { continue };
            violated.note(is_violated);
            match found {
                Ok(found) => assert!(found.is_empty(), "seed {seed} to {to:?}: {found:#?}\n{text}"),
                Err(said) => refused.push(format!("seed {seed} to {to:?}: {said}")),
            }
        }
    }
    violated.assert_both(count as usize / 4);
    assert!(refused.len() as u64 * 10 < count, "{refused:#?}");
}
