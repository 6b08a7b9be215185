//! Queries about commands: certified answers, and commands with many statements.

use std::sync::Arc;

use super::at;
use crate::common::formulas::symbol;
use ramsey::check;
use ramsey::logic::{Sort, SortId, SymId, Symbol, SymbolKind, TermId, VarId};
use ramsey::obligations::Question;
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Outcome, Plan};
use ramsey::system::program::compose::{Names, compose};
use ramsey::system::program::{Part, Program, build, choice_bit};
use ramsey::system::{Assignment, Branch, Choice, ChoiceForm, Command, CommandKind, Invariant, System};

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
        let sort = Sort { span: Some(at(0)), ..Sort::new("node") };
        let node = system.sig.sorts.push(sort);
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
        let bits = (1..commands.len()).map(|_| choice_bit(&mut self.system.sig, "choice")).collect();
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
    check::check(&broken, "", proof.as_bytes()).expect_err("of another system");

    let (answers, structures) = certify(&broken);
    assert_eq!(answers, [true, true, true, false], "the action ends where the assertion fails");
    let summary = check::check(&broken, "", structures.as_bytes()).expect("accepted");
    assert!(!summary.claim.proved);
    assert_eq!(summary.counterexamples, 1);
    assert!(check::check(&sound, "", structures.as_bytes()).is_err());
    // The choice that was made is part of the evidence.
    let closed = check::Closed::new(&*broken, &Question::Verify).expect("it has a closed form");
    let core = ramsey::core::document(&closed.lowering.core);
    let choices: Vec<&str> = core
        .lines()
        .filter(|line| line.starts_with("relation ") && line.contains(" choice@"))
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    let is_choice = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        words[0] == "true" && choices.contains(&words[2])
    };
    let without: Vec<&str> = structures.lines().filter(|line| !is_choice(line)).collect();
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
