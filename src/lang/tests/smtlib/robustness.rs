//! Adversarial scripts: no panic, no overflow, short running time.

use std::time::{Duration, Instant};

use super::{Reader, Session};
use ramsey_core::base::rng::Rng;

const VOCABULARY: &str = "(declare-sort S 0)(declare-fun p (S) Bool)(declare-fun f (S) S)(declare-const a S)
    (declare-const q Bool)(declare-fun g (Bool) S)(declare-datatype E ((red) (green)))
    (define-fun m ((x Bool)) Bool (not x))(define-fun k () Bool (exists ((x S)) (p x)))";

/// Terms nested in themselves: text before, innermost term, text after.
const NESTINGS: &[(&str, &str, &str)] = &[
    ("(not ", "q", ")"),
    ("(and q ", "q", ")"),
    ("(=> ", "q", " q)"),
    ("(m ", "q", ")"),
    ("(ite q q ", "q", ")"),
    ("(p (g ", "q", "))"),
    ("(forall ((x S)) ", "(p x)", ")"),
    ("(exists ((y Bool)) (and y ", "y", "))"),
    ("(! ", "q", " :pattern (q))"),
    ("(let ((x q)) ", "x", ")"),
    ("(let ((x ", "q", ")) x)"),
    ("(let ((x k)) (and x ", "x", "))"),
    ("(match red ((green q) (x ", "q", ")))"),
    ("(match (ite ", "q", " red green) ((green q) (x q)))"),
];

fn nested((open, inside, close): (&str, &str, &str), times: usize) -> String {
    format!("(assert {}{inside}{})", open.repeat(times), close.repeat(times))
}

/// The depth beyond which what recurses over terms might need more stack than threads have.
const MAX_DEPTH: usize = 2_000;

#[test]
fn deep_nesting_never_overflows() {
    for &shape in NESTINGS {
        for times in [100, 600, 2_500, 50_000] {
            let mut session = Session::after(VOCABULARY);
            let start = Instant::now();
            let result = session.command(&nested(shape, times));
            assert!(result.is_ok(), "{shape:?} {times}: {result:?}");
            for assertion in session.front.assertions() {
                assert!(session.terms.depth(assertion.formula) <= MAX_DEPTH, "{shape:?} {times}");
            }
            assert!(start.elapsed() < Duration::from_secs(5), "{shape:?} {times}: {:?}", start.elapsed());
        }
    }
}

#[test]
fn shared_terms_may_be_huge_as_trees() {
    let mut session = Session::after(VOCABULARY);
    let lets: String = (1..900).map(|at| format!("(let ((x{at} (and x{0} (not x{0})))) ", at - 1)).collect();
    session.run(&format!("(assert (let ((x0 k)) {lets} x899{}))", ")".repeat(899)));
    let definitions: String =
        (1..300).map(|at| format!("(define-fun d{at} ((x Bool)) Bool (d{0} (d{0} x)))", at - 1)).collect();
    session.run("(define-fun d0 ((x Bool)) Bool (and x (not x)))");
    let mut reader = Reader::new();
    reader.feed(definitions.as_bytes());
    let mut errors = 0;
    while let Some(form) = reader.next_form() {
        errors += usize::from(session.command(&form.text).is_err());
    }
    assert!(errors > 250, "a depth of 2^n is refused");
    assert!(session.terms.len() < 100_000);
}

#[test]
fn copies_of_definitions_are_limited() {
    let mut session = Session::after(VOCABULARY);
    let body: String = (0..20_000).map(|at| format!("(= x c{at})")).collect();
    let constants: String = (0..20_000).map(|at| format!("(declare-const c{at} S)")).collect();
    session.run(&constants);
    session.run(&format!("(define-fun large ((x S)) Bool (or {body}))"));
    let uses: String = (0..5_000).map(|at| format!("(large c{at})")).collect();
    let (_, message, _) = session.error(&format!("(assert (and {uses}))"));
    assert_eq!(message, "this command grows too large when definitions are expanded");
}

#[test]
fn long_flat_scripts_take_little_time() {
    let mut session = Session::after(VOCABULARY);
    let check = |session: &mut Session, text: String| {
        let start = Instant::now();
        let result = session.command(&text);
        // The limit allows for slow and busy machines.
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{}: {:?}",
            text.get(..60).unwrap_or(&text),
            start.elapsed()
        );
        result.map_err(|error| error.message)
    };
    for unit in [" q", " (p a)", " (exists ((x S)) (p x))", " k", " (m q)", " (let ((x k)) x)", " (! q :w 1)"]
    {
        let text = format!("(assert (and{}))", unit.repeat(50_000));
        assert!(check(&mut session, text).is_ok(), "{unit}");
    }
    let text = format!(
        "(assert (let ((v (and{}))) (forall ((x S)) v)))",
        " (let ((w (exists ((x S)) (p x)))) w)".repeat(30_000)
    );
    assert!(check(&mut session, text).is_ok());
    let lets = "(let ((v (exists ((x S)) (p x)))) (and v ".repeat(500)
        + "(let ((v (let ((v (exists ((x S)) (p x)))) v))) v)";
    assert!(check(&mut session, format!("(assert {lets}{})", "))".repeat(500))).is_ok());
    let values = "(let ((v ".repeat(30_000) + "(exists ((x S)) (p x))" + &")) v)".repeat(30_000);
    assert!(check(&mut session, format!("(assert {values})")).is_ok());
    assert!(check(&mut session, format!("(declare-fun h ({}) S)", "S ".repeat(50_000))).is_ok());
    let definitions: String = (0..2_000).map(|at| format!("(u{at} () Bool)")).collect();
    let bodies: String = (0..2_000).map(|at| format!("(not u{})", at + 1)).collect();
    let bodies = bodies.replace("u2000)", "q)");
    let result = check(&mut session, format!("(define-funs-rec ({definitions}) ({bodies}))"));
    assert!(result.is_ok(), "{result:?}");
    let params = "(forall ((x S)) ".repeat(60) + &"(not ".repeat(3_000) + "q" + &")".repeat(3_060);
    assert!(check(&mut session, format!("(assert {params})")).is_ok());
    let bools =
        "(define-fun deep ((x Bool)) Bool ".to_owned() + &"(not ".repeat(3_000) + "x" + &")".repeat(3_001);
    assert_eq!(check(&mut session, bools), Err("this term is nested too deep: more than 2000 levels".into()));
    assert!(check(&mut session, "(define-sort D0 (X) X)".into()).is_ok());
    let mut failures = 0;
    for at in 1..300 {
        failures += usize::from(
            check(&mut session, format!("(define-sort D{at} (X) (D{0} (D{0} X)))", at - 1)).is_err(),
        );
    }
    assert!(failures > 190, "definitions of sorts are nested at most 100 deep");
    let message = check(&mut session, "(declare-const z (D60 S))".into());
    assert_eq!(message, Err("this command grows too large when definitions are expanded".into()));
}

/// Fragments of scripts.
const PIECES: &[&str] = &[
    "(",
    ")",
    "(assert",
    "(declare-fun",
    "(declare-sort",
    "(define-fun",
    "(define-funs-rec",
    "(declare-datatype",
    "(declare-datatypes",
    "(let",
    "(forall",
    "(exists",
    "(!",
    "(match",
    "(_",
    "(as",
    "(and",
    "(not",
    "(=",
    "(distinct",
    "((x S))",
    "((x Bool))",
    "((x q))",
    "(x S)",
    "x",
    "y",
    "p",
    "f",
    "a",
    "q",
    "k",
    "m",
    "(m",
    "(p",
    "(g",
    "red",
    "S",
    "E",
    "Bool",
    "true",
    ":named",
    ":pattern",
    "n",
    "|n m|",
    "1",
    "1.5",
    "#b1",
    "\"s\"",
    "is",
    "()",
    "(push)",
    "(pop)",
    "(push 2)",
    "(check-sat)",
    "(check-sat-assuming",
    "(get-value",
    "(reset)",
    "(reset-assertions)",
    "é",
    "|",
    "\"",
    ";",
    "\n",
    "T",
    "(define-sort",
    "(par",
    "0",
    "2",
    "(set-option :global-declarations true)",
    "(define-const",
    "(declare-const",
];

fn survive(script: &str) {
    let mut session = Session::default();
    let mut reader = Reader::new();
    reader.feed(script.as_bytes());
    let mut forms = Vec::new();
    while let Some(form) = reader.next_form() {
        forms.push((form.text.into_owned(), form.error.is_some()));
    }
    while let Some(form) = reader.finish() {
        forms.push((form.text.into_owned(), form.error.is_some()));
    }
    for (text, _) in forms {
        if let Err(error) = session.command(&text) {
            assert!(error.start <= error.end && error.end <= text.len(), "{text}: {error:?}");
            assert!(
                text.is_char_boundary(error.start) && text.is_char_boundary(error.end),
                "{text}: {error:?}"
            );
        }
        for assertion in session.front.assertions() {
            assert!(session.terms.free_vars(assertion.formula).is_empty(), "{script}");
        }
    }
    session.front.compact(&mut session.sig, &mut session.terms);
}

#[test]
fn soups_of_tokens_never_panic() {
    let mut rng = Rng::new(5);
    for _ in 0..20_000 {
        let mut script = String::from(if rng.one_in(4) { "" } else { VOCABULARY });
        for _ in 0..rng.below(40) {
            script += PIECES[rng.below(PIECES.len())];
            script.push(if rng.one_in(30) { '(' } else { ' ' });
        }
        script += &")".repeat(rng.below(8));
        survive(&script);
    }
}

#[test]
fn cut_and_changed_scripts_never_panic() {
    let script = format!(
        "{VOCABULARY}(push)(assert (! (forall ((x S) (b Bool)) (let ((v (exists ((x S)) (p x))) (w (m b))) (=> (p x) v w k)))
         :named n))(declare-sort P 2)(define-sort D (X) (P X X))(declare-const u (D Bool))
         (assert (match red ((green n) (c (= c red)))))(check-sat-assuming (n (not n)))(get-value (u (g n)))(pop)
         (define-funs-rec ((r1 ((x S)) Bool) (r2 ((x S)) Bool)) ((r2 (f x)) (p x)))(assert (r1 a))(echo \"a\"\"b\")"
    );
    survive(&script);
    for end in 0..script.len() {
        survive(&script[..end]);
    }
    let mut rng = Rng::new(6);
    for _ in 0..3_000 {
        let mut bytes = script.clone().into_bytes();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len());
            match rng.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = b"()|\";x1: !"[rng.below(10)],
                _ => {
                    let other = rng.below(bytes.len());
                    bytes.swap(at, other);
                }
            }
        }
        survive(&String::from_utf8(bytes).expect("ASCII"));
    }
}
