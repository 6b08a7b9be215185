//! `ramsey solve` on SMT-LIB scripts: interaction over pipes, errors, exit codes, models as text.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::common::binary::{Dir, ramsey_binary};

/// The binary, connected by two pipes.
struct Conversation {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    fn start() -> Conversation {
        let mut child = Command::new(ramsey_binary())
            .args(["solve", "--input", "smtlib", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Conversation { child, input, output }
    }

    /// Sends a command and reads a line of response, before anything else is sent.
    #[track_caller]
    fn ask(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}").expect("the binary listens");
        self.input.flush().expect("the binary listens");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        line.trim_end().to_owned()
    }

    fn end(mut self) -> Option<i32> {
        drop(self.input);
        self.child.wait().expect("the binary ends").code()
    }
}

#[test]
fn each_answer_arrives_before_the_next_command_is_sent() {
    let mut solver = Conversation::start();
    for command in [
        "(set-option :print-success true)",
        "(set-option :diagnostic-output-channel \"stdout\")",
        "(set-option :produce-models true)",
        "(set-option :produce-unsat-cores true)",
        "(set-logic UF)",
        "(declare-sort S 0)",
        "(declare-fun p (S) Bool)",
        "(declare-const a S)",
        "(assert (! (forall ((x S)) (p x)) :named every))",
        "(push 1)",
    ] {
        assert_eq!(solver.ask(command), "success", "{command}");
    }
    assert_eq!(solver.ask("(check-sat)"), "sat");
    assert_eq!(solver.ask("(get-value ((p a) (not (p a))))"), "(((p a) true)");
    assert_eq!(solver.ask(""), " ((not (p a)) false))");
    assert_eq!(solver.ask("(assert (! (not (p a)) :named not-a))"), "success");
    assert_eq!(solver.ask("(check-sat)"), "unsat");
    assert_eq!(solver.ask("(get-unsat-core)"), "(every not-a)");
    assert_eq!(solver.ask("(pop 1)"), "success");
    assert_eq!(solver.ask("(check-sat-assuming ((not (p a))))"), "unsat");
    assert_eq!(solver.ask("(get-unsat-assumptions)"), "((not (p a)))");
    assert_eq!(solver.ask("(check-sat)"), "sat");
    assert_eq!(solver.ask("(echo \"bye\")"), "bye");
    assert_eq!(solver.end(), Some(0));
}

#[test]
fn sessions_survive_errors() {
    let mut solver = Conversation::start();
    let deep = format!("(define-fun d ((x Bool)) Bool {}x{})", "(not ".repeat(100_000), ")".repeat(100_000));
    let opened = format!("(assert {}{})", "(".repeat(100_000), ")".repeat(100_000));
    let cases = [
        ("(assert p)", "9: `p` is not declared"),
        (")", "1: this `)` closes nothing"),
        ("word", "1: a command is expected here"),
        ("(push 1000000000)", "18: there would be more than 1000000 levels"),
        ("(pop 1)", "6: cannot pop 1: no level has been pushed"),
        ("(pop 99999999999999999999999)", "6: `99999999999999999999999` is too large"),
        ("(get-model)", "1: there is no model"),
        ("(assert\0true)", "8: unexpected character"),
        (&deep, ""),
        (&opened, ""),
        ("(declare-const x Int)", "18: `Int` is a sort of the theory of arithmetic"),
        ("()", "2: expected the name of a command"),
    ];
    for (index, (command, message)) in cases.into_iter().enumerate() {
        let answer = solver.ask(command);
        // The commands between occupy lines of their own.
        let expected = format!("(error \"line {} column {message}", 2 * index + 1);
        assert!(answer.starts_with(&expected), "{answer}\n{expected}");
        assert_eq!(solver.ask("(echo \"here\")"), "here");
    }
    assert_eq!(solver.ask("(frobnicate)"), "unsupported");
    assert_eq!(solver.ask("(check-sat)"), "; the command `frobnicate`");
    assert_eq!(solver.end(), Some(2));
}

#[test]
fn checks_claim_nothing_of_refused_assertions() {
    let mut solver = Conversation::start();
    writeln!(solver.input, "(declare-const p Bool)(assert p)(push)").expect("the binary listens");
    let check = |solver: &mut Conversation, expected: &str| assert_eq!(solver.ask("(check-sat)"), expected);
    check(&mut solver, "sat");
    assert!(solver.ask("(assert (not undeclared))").starts_with("(error"));
    check(&mut solver, "unknown");
    assert_eq!(solver.ask("(get-info :reason-unknown)"), "(:reason-unknown \"an assertion was refused\")");
    assert!(solver.ask("(get-model)").starts_with("(error"));
    assert_eq!(solver.ask("(check-sat-assuming ((not p)))"), "unsat");
    assert_eq!(solver.ask("(push)(check-sat)(pop)"), "unknown");
    assert_eq!(solver.ask("(pop)(check-sat)"), "sat");
    assert!(solver.ask("assert").starts_with("(error"));
    check(&mut solver, "unknown");
    assert_eq!(solver.ask("(reset-assertions)(check-sat)"), "sat");
    assert_eq!(solver.end(), Some(2));
}

/// Terms that are deep because definitions are shared.
#[test]
fn shared_definitions_may_be_deep() {
    let dir = Dir::new();
    let define = |at: usize| match at {
        0 => "(define-fun t0 () Bool (p a))\n".to_owned(),
        _ => format!("(define-fun t{at} () Bool (xor (and t{0} (p b)) (or t{0} (p c))))\n", at - 1),
    };
    let declared = "(declare-sort U 0)(declare-fun p (U) Bool)(declare-fun f (U) U)
        (declare-const a U)(declare-const b U)(declare-const c U)\n";
    let definitions: String = (0..3_000).map(define).collect();
    let lets: String = (0..5_000).map(|at| format!("(let ((x{0} (f x{at}))) ", at + 1)).collect();
    let lets = format!("(let ((x0 x)) {lets} (p x5000){}", ")".repeat(5_001));
    // With `p b` and not `p c` a definition is the conjunction of `t` and its negation, which is false; with `p c` it
    // is not `t`.
    let script = format!(
        "{declared}{definitions}(assert (p b))(assert (not (p c)))(check-sat)
        (push)(assert t2999)(check-sat)(pop)(assert (not t2999))(check-sat)(get-value (t2999 t2998))
        (assert (forall ((x U)) (not (p (f x)))))(assert (exists ((x U)) {lets}))(check-sat)\n"
    );
    dir.file("deep.smt2", &script);
    let run = dir.run(&["solve", "deep.smt2"]).ends_with(0);
    assert!(run.out.starts_with("sat\nunsat\nsat\n((t2999 false)\n (t2998 false))\nunsat\n"), "{}", run.out);
    // Certificates cover them, too.
    let lets = lets.replace("(x0 x)", "(x0 a)");
    let script =
        format!("{declared}(assert {lets})(check-sat)(assert (forall ((x U)) (not (p (f x)))))(check-sat)");
    dir.file("chain.smt2", &script);
    dir.run(&["solve", "chain.smt2", "--certify", "chain.cert"]).ends_with(0).prints("sat\nunsat\n");
    let run = dir.run(&["check", "chain.smt2", "chain.cert"]).ends_with(0);
    run.prints("query 1 (line 3): satisfiable").prints("query 2 (line 3): unsatisfiable");
    // Scripts with a refused assertion are not certified.
    dir.file("bad.smt2", format!("{declared}(assert (p d))(check-sat)"));
    let run = dir.run(&["solve", "bad.smt2", "--certify", "bad.cert"]).ends_with(2).prints("unknown\n");
    assert!(!run.out.contains("certificate"), "{}", run.out);
    assert!(!dir.0.join("bad.cert").exists());
    dir.file("other.smt2", format!("{declared}(assert-not (p a))(check-sat)"));
    dir.run(&["solve", "other.smt2", "--certify", "bad.cert"]).ends_with(2).prints("unknown\n");
}

#[test]
fn models_are_in_the_form_of_z3() {
    let script = "(declare-sort S 0)(declare-datatype E ((red) (green)))
        (declare-const a S)(declare-fun p (S) Bool)(declare-fun of (S Bool) E)
        (assert (not (p a)))(assert (exists ((x S)) (p x)))(assert (= (of a true) green))(assert (= (of a false) red))
        (set-option :minimize-models true)(check-sat)(get-model)(exit)(check-sat)";
    let dir = Dir::new();
    let run = dir.run_with(&["solve", "--input", "smtlib", "-"], script).ends_with(0).silent_on_stderr();
    let lines: Vec<&str> = run.out.lines().map(str::trim).collect();
    assert_eq!(lines[0], "sat", "{}", run.out);
    assert_eq!(lines.iter().filter(|line| **line == "sat").count(), 1, "nothing is read behind `exit`");
    for line in [
        ";; universe for S:",
        "(declare-fun S!val!0 () S)",
        "(declare-fun S!val!1 () S)",
        "(forall ((x S)) (or (= x S!val!0) (= x S!val!1)))",
        "(define-fun a () S",
        "(define-fun p ((x!0 S)) Bool",
        "(define-fun of ((x!0 S) (x!1 Bool)) E",
    ] {
        assert!(lines.contains(&line), "no {line:?} in\n{}", run.out);
    }
}

#[test]
fn names_in_models_stand_for_one_thing() {
    let dir = Dir::new();
    let model = |script: &str| {
        dir.file("a.smt2", script);
        dir.run(&["solve", "a.smt2"]).ends_with(0).out
    };
    // A constructor may have the name of a parameter.
    let found = model(
        "(declare-datatype E ((x!0) (x!1)))(declare-fun g (E) E)
        (assert (= (g x!0) x!1))(assert (= (g x!1) x!0))(check-sat)(get-model)",
    );
    assert_eq!(found, "sat\n(\n  (define-fun g ((xx!0 E)) E\n    (ite (= xx!0 x!0) x!1\n    x!0))\n)\n");
    // A constant may have the name of an element.
    let found = model(
        "(declare-sort S 0)(declare-const a S)(declare-const S!val!0 S)(declare-const S!val!b S)
        (assert (distinct a S!val!0))(check-sat)(get-value (a S!val!0 (= a S!val!0)))(get-model)",
    );
    assert!(found.contains("((a S!!val!0)\n (S!val!0 S!!val!1)\n ((= a S!val!0) false))"), "{found}");
    assert!(found.contains("(declare-fun S!!val!0 () S)\n"), "{found}");
    assert!(found.contains("(define-fun S!val!0 () S\n    S!!val!1)"), "{found}");
    // So may a definition, and a term.
    let found = model(
        "(declare-sort S 0)(declare-const a S)(declare-const b S)(define-fun S!val!0 () S a)
        (assert (! (distinct a b) :named S!!val!0))(check-sat)(get-value (a b S!val!0 S!!val!0))",
    );
    assert_eq!(found, "sat\n((a S!!!val!0)\n (b S!!!val!1)\n (S!val!0 S!!!val!0)\n (S!!val!0 true))\n");
    // Names of sorts with arguments have blanks, bars, and the form that names of other sorts may have.
    let found = model(
        "(declare-sort P 1)(declare-sort |a b| 0)(declare-sort |(P a b)| 0)
        (declare-const c (P |a b|))(declare-const d |(P a b)|)(check-sat)(get-value (c d))",
    );
    assert_eq!(found, "sat\n((c |(P a b)!!val!0|)\n (d |(P a b)!val!0|))\n");
}

#[test]
fn exit_codes_tell_of_errors_and_not_of_answers() {
    let dir = Dir::new();
    dir.file("sat.smt2", "(check-sat)\n").file("unsat.smt2", "(assert false)(check-sat)\n");
    dir.file("bad.smt2", "(assert p)\n(check-sat)\n").file("open.smt2", "(check-sat)(assert (and true\n");
    dir.file("latin.smt2", b"(echo \"\xE4\")\n(check-sat)\n");
    assert_eq!(dir.run(&["solve", "sat.smt2"]).ends_with(0).out, "sat\n");
    assert_eq!(dir.run(&["solve", "unsat.smt2"]).ends_with(0).out, "unsat\n");
    dir.run(&["solve", "bad.smt2"]).ends_with(2).prints("(error \"line 1 column 9: ").prints("\nunknown\n");
    let open = "sat\n(error \"line 1 column 12: the script ends before this command does; several `)` are missing\")";
    dir.run(&["solve", "open.smt2"]).ends_with(2).prints(open);
    dir.run(&["solve", "latin.smt2"]).ends_with(2).prints("this is not UTF-8 text").prints("\nunknown\n");
    dir.run(&["solve", "none.smt2"]).ends_with(2).complains("none.smt2");
}

#[test]
fn statistics_and_limits() {
    let dir = Dir::new();
    let rows =
        dir.run_with(&["solve", "--stats", "--input", "smtlib", "-"], "(check-sat)(check-sat)").ends_with(0);
    let rows = rows
        .prints("sat\nsat\n; checks       2\n")
        .prints("; rounds")
        .prints("; instances")
        .prints("; seconds");
    assert!(rows.out.lines().skip(2).all(|line| line.starts_with("; ")), "{}", rows.out);
    // A linear order without a last element has no finite model.
    let endless = "(declare-sort S 0)(declare-fun le (S S) Bool)
        (assert (forall ((x S) (y S) (z S)) (=> (and (le x y) (le y z)) (le x z))))
        (assert (forall ((x S)) (not (le x x))))(assert (forall ((x S)) (exists ((y S)) (le x y))))
        (check-sat)(get-info :reason-unknown)(push)(assert false)(check-sat)(pop)(check-sat-assuming (false))";
    let answers = "unknown\n(:reason-unknown \"max. resource limit exceeded\")\nunsat\nunsat\n";
    let args = ["solve", "--work", "200000", "--input", "smtlib", "-"];
    assert_eq!(dir.run_with(&args, endless).ends_with(0).out, answers);
    let timed = endless.replace("(check-sat)(get-info", "(set-option :timeout 300)(check-sat)(get-info");
    let answers = "unknown\n(:reason-unknown \"timeout\")\nunsat\nunsat\n";
    assert_eq!(dir.run_with(&["solve", "--input", "smtlib", "-"], &timed).ends_with(0).out, answers);
}
