//! Certificates of problems from their text: accepted for this text, and rejected for another.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::skip::skipped;
use ramsey::base::span::{Source, Sources};
use ramsey::check::{Summary, check};
use ramsey::lang::{Format, Loaded, Unread};
use ramsey::logic::Problem;
use ramsey::query::Limits;
use ramsey::query::certify::of_queries;
use ramsey::query::problem::{Options, Outcome, QueryResult, answers};
use ramsey::script::{Environment, Response, Session};

fn load(name: &str, text: &str) -> Option<Problem> {
    let mut sources = Sources::new();
    let format = Format::of_name(name).expect("a known extension");
    let file = sources.push(Source::new(name.to_owned(), text.to_owned()));
    let includes =
        format.gather(file, &mut sources, &mut |_, path| Err(Unread::missing(format!("{path} is not read"))));
    match format.load(file, &sources, &includes) {
        (Some(Loaded::Problem(problem)), _) => Some(problem),
        (Some(Loaded::System(_)), _) => panic!("{name} is a model"),
        (None, _) => None,
    }
}

/// Answers all queries, and checks the certificate with the kernel twice.
fn certified(name: &str, text: &str) -> (Vec<QueryResult>, Vec<u8>, Summary) {
    let problem = load(name, text).unwrap_or_else(|| panic!("{name} has errors"));
    let mut results = answers(&problem, &Options::default(), &Limits::default());
    let accepted = of_queries(&problem, text, &mut results, false).expect("the kernel accepts it");
    for result in &results {
        assert!(result.certificate.is_some(), "{name}: query {}: {:?}", result.query + 1, result.outcome);
    }
    let bytes = accepted.expect("a certificate").bytes;
    let summary = check(&problem, text, bytes.as_slice()).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert!(summary.same_source);
    (results, bytes, summary)
}

#[test]
fn conditions_in_conditions_take_no_exponential_certificate() {
    let nested = |count: usize| format!("{}p{}", "(f ".repeat(count), ")".repeat(count));
    let of_size = |count: usize| {
        let text = format!(
            "(set-logic UF)(declare-fun f (Bool) Bool)(declare-const p Bool)
            (assert {})(assert (not {}))(check-sat)(assert (= (f p) p))(check-sat)",
            nested(count),
            nested(count - 1),
        );
        let (results, bytes, _) = certified("a.smt2", &text);
        assert!(matches!(results[0].outcome, Outcome::Refuted(_)), "{:?}", results[0].outcome);
        assert!(matches!(results[1].outcome, Outcome::Proved), "{:?}", results[1].outcome);
        bytes.len()
    };
    let (less, more) = (of_size(20), of_size(80));
    assert!(more < 8 * less, "{less} and {more} bytes");
}

const SCRIPT: &str = "(set-logic UF)
(declare-sort |a sort| 0)
(declare-fun edge (|a sort| |a sort|) Bool)
(declare-const c |a sort|)
(assert (exists ((x |a sort|)) (edge x c)))
(push)
(declare-const |c'| |a sort|)
(declare-const d |a sort|)
(assert (forall ((x |a sort|)) (edge x |c'|)))
(assert (not (edge d |c'|)))
(check-sat)
(pop)
(push)
(declare-fun d (|a sort|) |a sort|)
(assert (forall ((x |a sort|)) (edge x (d x))))
(assert (forall ((x |a sort|)) (not (edge c x))))
(check-sat)
(declare-fun flag (Bool) |a sort|)
(declare-const same Bool)
(check-sat-assuming (same (not same)))
(pop)
(check-sat)
";

#[test]
fn the_queries_of_a_script_are_those_of_its_certificate() {
    let (_, bytes, summary) = certified("script.smt2", SCRIPT);
    assert_eq!(summary.claim.to_string(), "claim queries 1 2 3 4 answered");
    let answers: Vec<String> = summary.answers.values().map(ToString::to_string).collect();
    let expected = [
        " (line 11): unsatisfiable",
        " (line 17): unsatisfiable",
        " (line 20): unsatisfiable",
        " (line 22): satisfiable",
    ];
    assert_eq!(answers, expected);
    let text = String::from_utf8(bytes).expect("UTF-8");
    // Two symbols are called `d`, and the sort's name has a blank.
    assert!(!text.contains("a sort") && !text.contains(" d ") && text.contains("size 0 1"), "{text}");
    // Layout does not matter.
    let problem = load("script.smt2", &SCRIPT.replace(" c)", "  c)")).expect("no errors");
    assert!(!check(&problem, "", text.as_bytes()).expect("accepted").same_source);
    // Lines of queries are names, which mean nothing.
    let later = load("script.smt2", &format!("\n{SCRIPT}")).expect("no errors");
    assert!(!check(&later, "", text.as_bytes()).expect("accepted").same_source);
    // Without any of its assertions something else is true.
    let mut changed = 0;
    for (at, line) in SCRIPT.lines().enumerate() {
        if line.starts_with("(assert") {
            let lines = SCRIPT.lines().enumerate().map(|(index, line)| if index == at { "" } else { line });
            let without = lines.collect::<Vec<_>>().join("\n");
            let problem = load("script.smt2", &without).expect("no errors");
            let verdict = check(&problem, &without, text.as_bytes());
            // The first one serves no refutation, but inputs are numbered.
            assert!(verdict.is_err(), "accepted without line {}", at + 1);
            changed += 1;
        }
    }
    assert_eq!(changed, 5);
}

/// Returns the files of a corpus with the answers expected by its table, if present: set RAMSEY_CORPUS, or put it at
/// ../shared/corpus.
fn corpus(folder: &str) -> Vec<(PathBuf, String)> {
    let corpus = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let folder = corpus.join(folder);
    let Ok(table) = fs::read_to_string(folder.join("expected.tsv")) else {
        skipped(format_args!("no corpus of problems at {} (set RAMSEY_CORPUS)", folder.display()));
        return Vec::new();
    };
    let row = |line: &str| {
        let mut fields = line.split('\t');
        Some((folder.join(fields.next()?), fields.next()?.to_owned()))
    };
    table.lines().skip(1).filter_map(row).collect()
}

#[test]
fn answers_to_scripts_of_the_corpus_are_accepted() {
    for (path, expected) in corpus("smt2") {
        let text = fs::read_to_string(&path).expect("a script");
        let (results, ..) = certified(&path.to_string_lossy(), &text);
        let is_proved = matches!(results.last().map(|it| &it.outcome), Some(Outcome::Proved));
        let word = if is_proved { "unsat" } else { "sat" };
        // Some were too hard for who made the table.
        let agrees = expected == "?" || expected.split(' ').next() == Some(word);
        assert!(agrees, "{}: {word} where {expected} is expected", path.display());
    }
}

#[test]
fn answers_to_problems_of_tptp_are_accepted() {
    for (path, expected) in corpus("tptp") {
        let text = fs::read_to_string(&path).expect("a problem");
        let (_, _, summary) = certified(&path.to_string_lossy(), &text);
        let answers: Vec<String> = summary.answers.values().map(ToString::to_string).collect();
        let word = match expected.as_str() {
            "Theorem" => "theorem",
            "CounterSatisfiable" => "counter-satisfiable",
            "Satisfiable" => ": satisfiable",
            _ => "unsatisfiable",
        };
        assert!(answers.len() == 1 && answers[0].contains(word), "{}: {answers:?}", path.display());
    }
}

/// Each `x` equals the next one by one of two ways, and there are exponentially many ways from the first to the last.
#[test]
fn detours_are_explained_link_by_link() {
    let length = 40;
    let mut text = String::from(
        "(set-logic QF_UF)\n(declare-sort S 0)\n(declare-fun f (S S) S)\n(declare-fun p (S) Bool)\n(declare-const x0 S)\n",
    );
    for at in 0..length {
        let next = at + 1;
        text += &format!(
            "(declare-const x{next} S)(declare-const y{at} S)(declare-const z{at} S)\n\
             (assert (or (and (= x{at} y{at}) (= y{at} x{next})) (and (= x{at} z{at}) (= z{at} x{next}))))\n"
        );
    }
    text += &format!("(assert (p (f x0 x0)))\n(assert (not (p (f x{length} (f x0 x{length})))))\n");
    text += "(check-sat)\n(assert (= (f x0 x0) x0))\n(check-sat)\n";
    let (results, ..) = certified("detours.smt2", &text);
    assert!(matches!(results[0].outcome, Outcome::Refuted(_)), "{:?}", results[0].outcome);
    assert!(matches!(results[1].outcome, Outcome::Proved), "{:?}", results[1].outcome);
    // Without links there would be 2^40 lemmas.
    let mut session = Session::new(Environment::default());
    let answers: Vec<Response> =
        session.run(&text).into_iter().filter(|it| *it != Response::Silent).collect();
    assert_eq!(answers, [Response::Sat, Response::Unsat]);
    assert!(session.stats().lemmas < 10_000, "{:?}", session.stats());
}

/// Search knows the formulas in a normal form: without variables that do not occur, with quantifiers moved inwards, and with what is
/// the same there made one.
#[test]
fn proofs_are_about_formulas_as_they_stand() {
    let declarations = "(declare-sort s 0)(declare-sort t 0)(declare-fun p (s) Bool)(declare-fun q (t) Bool)
(declare-fun e (s t) Bool)(declare-const a s)(declare-const c t)(declare-const d t)(declare-fun f (t) s)
(define-fun m ((y s)) Bool (forall ((x s)) (or (p x) (distinct y x y))))\n";
    for assertions in [
        // One witness in the normal form, and one for each value of `x` as it stands.
        "(assert (forall ((x t)) (exists ((y s)) (or (p y) (q x)))))
         (assert (forall ((y s)) (not (p y))))(assert (or (not (q c)) (not (q d))))",
        // The value of `y` that matters is a witness of the same formula.
        "(assert (forall ((y s)) (exists ((x s)) (not (=> (p y) (p x))))))",
        // Instances that belong together have no variable in common in the normal form.
        "(assert (forall ((x s) (y s)) (or (p y) (p x))))
         (assert (= (exists ((x s)) (not (p x))) (exists ((x t)) (e a x))))
         (assert (ite (not (e a c)) (= (p a) false) true))",
        // Both sides have the same normal form, and witnesses of their own.
        "(assert (forall ((x t)) (= (not (m a)) (m (f x)))))",
        // A variable that does not occur.
        "(assert (forall ((x t)) (q x)))(assert (exists ((x t)) (and (forall ((y s)) (not (q x))) (p a))))",
        // A variable bound twice, once by each use of a definition.
        "(assert (exists ((x s) (y s)) (and (m x) (not (m y)))))",
        // Truth values and choices.
        "(assert (forall ((b Bool) (x t)) (or b (p (ite (q x) a (f x))))))
         (assert (exists ((x t)) (ite (q x) (not (p a)) (not (p (f x))))))",
    ] {
        let script = format!("{declarations}{assertions}\n(check-sat)\n");
        let (results, ..) = certified("a.smt2", &script);
        assert!(matches!(results[0].outcome, Outcome::Proved), "{script}: {:?}", results[0].outcome);
    }
}
