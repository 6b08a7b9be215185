//! Closed forms: what is read, and the first error of what is not.

use std::sync::Arc;

use ramsey_core::base::budget::Budget;
use ramsey_core::base::digest::sha256;
use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::Severity;
use ramsey_core::system::System;
use ramsey_lang::core::*;
use ramsey_lang::{Format, FormulaKind, Includes, Language, Loaded, load};

/// Returns the lines as a closed form.
fn closed(lines: &str) -> String {
    let text = format!("ramsey-core 1\n{lines}");
    let digest = sha256(&text);
    format!("{text}digest {digest}\n")
}

/// Reads a text. Returns what it is, or the first error with its place and what helps.
fn read(text: &str) -> Result<Loaded, String> {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("a.core".into(), text.into()));
    let (loaded, found) = Format::Core.load(file, &sources, &Includes::new());
    let first = found.into_iter().find(|it| it.severity == Severity::Error);
    match (loaded, first) {
        (Some(loaded), None) => Ok(loaded),
        (None, Some(error)) => {
            let place = error.primary.as_ref().map_or((0, 0), |it| sources[file].line_column(it.span.start));
            let help = error.help.unwrap_or_default();
            Err(format!("{}:{}: {} [{}] {help}", place.0, place.1, error.message, error.code.text()))
        }
        (loaded, first) => panic!("{loaded:?} and {first:?}"),
    }
}

fn system(text: &str) -> Arc<System> {
    match read(text) {
        Ok(Loaded::System(system)) => system,
        other => panic!("{other:?}"),
    }
}

const SORTS: &str = "\
sort 0 node
sort 1 epoch
function 0 first rigid 0 0
function 1 at mutable 1 0 1
relation 0 locked mutable 2 1 0
relation 1 le rigid 2 1 1
";

#[test]
fn a_model_is_read_with_names_for_variables() {
    let text = closed(&format!(
        "{SORTS}\
        axiom rigid 1 ! 1 R 0 1 2 V 0 V 0\n\
        axiom state owner ? 0 R 1 0 2 A 1 1 1 V 0 V 0\n\
        init a%20.b ! 1 ! 0 ~ R 1 0 2 V 1 V 0\n\
        transition grant ? 0 ? 0 & 2 ~ E 0 V 0 V 1 = R 2 0 2 A 1 1 1 V 1 V 0 | 0\n\
        invariant L7 ! 0 ! 1 > R 1 0 2 V 0 V 1 ? 0 E 0 V 0 A 0 0 0\n\
        assertion L9 & 0\n\
        theorem 2 t ! 0 E 1 A 1 1 1 V 0 A 2 1 1 V 0\n\
        initial 1 L1 & 0\n"
    ));
    let system = system(&text);
    let names = |vars: &[ramsey_core::logic::VarId]| -> Vec<String> {
        vars.iter().map(|&var| system.terms.var_info(var).name.to_string()).collect()
    };
    assert_eq!(names(&system.transitions[0].params), ["N", "N1"]);
    assert_eq!(system.inits[0].name.as_deref(), Some("a b"));
    let invariant = &system.invariants[0];
    assert!(invariant.is_safety && invariant.label == "L7");
    let all: Vec<String> = (0..system.terms.var_count())
        .map(|at| names(&[ramsey_core::base::ids::Id::new(at)]).remove(0))
        .collect();
    assert_eq!(all, ["E", "N", "E", "N", "N", "N1", "N", "E", "N1", "N"]);
    assert_eq!(system.axioms.len() + system.derived.len(), 2);
    let sites: Vec<_> = system.assertions.iter().map(|it| it.site).collect();
    assert_eq!(sites, [ramsey_core::system::Site::Init, ramsey_core::system::Site::Final]);
    assert_eq!(system.theorems[0].states, 2);
}

#[test]
fn queries_are_a_problem() {
    let text = closed(&format!(
        "{SORTS}hypothesis 2 0 E 1 A 1 1 1 A 0 0 0 A 2 1 1 A 0 0 0\nquery 2 holds a 1 0 & 0\nquery 3 open b 2 0 0 | 0\n"
    ));
    let Ok(Loaded::Problem(problem)) = read(&text) else { panic!("no problem") };
    assert!(problem.is_closed() && problem.has_claims());
    let shape = |query: &ramsey_core::logic::Query| {
        (query.name.clone().unwrap_or_default(), query.states, query.hypotheses.len(), query.line)
    };
    let shapes: Vec<_> = problem.queries.iter().map(shape).collect();
    assert_eq!(shapes, [("a".to_owned(), 2, 1, 9), ("b".to_owned(), 3, 2, 10)]);
    let mut sources = Sources::new();
    let file = sources.push(Source::new("a.core".into(), text));
    let (system, found) = load(Language::Core, file, &sources, &Includes::new());
    assert!(system.is_none() && found[0].message.contains("has queries"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let cases = [
        ("sort 1 a", "2:6: the sort has the number 1, and by its place it has 0 [R003]"),
        ("sort 0 a b", "2:10: `b` follows where the line should end"),
        ("sort 0 a ", "2:10: a blank at the end of the line"),
        ("sort  0 a", "2:6: there is no word where the number of the sort should be"),
        ("sort 00 a", "2:6: `00` is no number, and the number of the sort should be here"),
        ("sort 0 %41.", "2:8: `%41.` is not how a name is written"),
        ("function 0 f rigid 0", "2:21: the line ends where the sort of the values should follow"),
        ("relation 0 r fixed 0", "2:14: `fixed` is neither `rigid` nor `mutable`"),
        ("relation 0 r rigid 1 0", "2:22: there is no sort with the number 0 [R006] there is no sort"),
        ("relation 0 r rigid 4000000000", "2:20: `4000000000` is no number"),
        ("relation 0 r rigid 0\nsort 0 a", "3:1: a line `sort` after a line `relation`"),
        ("claim a & 0", "2:1: no line begins with `claim` [R003] lines begin with one of sort,"),
        ("invariants a & 0", "2:1: no line begins with `invariants` [R003] did you mean `invariant`?"),
        ("sort 0 a\r", "2:8: `a\r` is not how a name is written"),
        ("\nsort 0 a", "2:1: a line that begins with no word"),
        ("axiom state a & 0\naxiom rigid b & 0", "3:7: an axiom about rigid symbols after one about states"),
        ("axiom a & 0", "2:7: `a` is neither `rigid` nor `state`"),
        ("theorem 3 a & 0", "2:9: a theorem about 3 states [R010]"),
        ("initial 0 a & 0", "2:9: what is asserted before the first state is about 0 states"),
        (
            "invariant a & 0\nquery 1 holds b 0 & 0",
            "3:1: a line `query` after a line `invariant` [R003] a closed form has",
        ),
        ("query 1 true b 0 & 0", "2:9: `true` is not what is claimed of a query"),
        ("query 0 holds b 0 & 0", "2:7: a formula about 0 states"),
        ("query 1 holds b 1 0 & 0", "2:19: there is no hypothesis with the number 0"),
        (
            "hypothesis 2 0 & 0\nquery 1 holds b 1 0 & 0",
            "3:7: the query is about 1 states, and hypothesis 0 about 2",
        ),
        ("invariant a", "2:12: the line ends where a formula should follow"),
        ("invariant a & 1 & 0", "2:15: a conjunction of one formula"),
        ("invariant a & 2 & 0", "2:20: the line ends where a formula should follow"),
        ("invariant a & 0 & 0", "2:17: `&` follows where the line should end"),
        ("invariant a forall", "2:13: `forall` begins no formula [R003] a formula begins with R"),
        ("invariant a V 0", "2:13: `V` begins a term, and a formula should be here [R008]"),
        ("sort 0 s\ninvariant a ! 0 E 0 V 0 V 1", "3:27: there is no variable around it with the number 1"),
        ("sort 0 s\ninvariant a ! 0 E 0 V 0 & 0", "3:25: `&` begins no term"),
        (
            "sort 0 s\nsort 1 t\ninvariant a ! 0 E 1 V 0 V 0",
            "4:21: a term of sort `s`, and one of `t` should be here [R008]",
        ),
        ("relation 0 r rigid 0\ninvariant a R 1 0 0", "3:15: `r` is rigid, and is read in state 1 [R010]"),
        (
            "relation 0 r mutable 0\ninvariant a R 0 0 0",
            "3:15: `r` is mutable, and is not read in state 0 here",
        ),
        (
            "relation 0 r mutable 0\ninvariant a R 2 0 0",
            "3:15: `r` is mutable, and is not read in state 2 here",
        ),
        (
            "relation 0 r mutable 0\naxiom rigid a R 1 0 0",
            "3:17: `r` is mutable, and is not read in state 1 here",
        ),
        ("relation 0 r rigid 0\ninvariant a R 0 0 1", "3:19: `r` has 0 arguments, and 1 are given [R007]"),
        ("relation 0 r rigid 0\ninvariant a R 0 1 0", "3:17: there is no relation with the number 1"),
        ("function 0 f rigid 0 0", "2:22: there is no sort with the number 0"),
    ];
    for (lines, expected) in cases {
        let error = read(&closed(&format!("{lines}\n"))).expect_err(lines);
        assert!(error.starts_with(expected), "{lines:?}: {error}");
    }
}

#[test]
fn the_frame_of_a_text_is_read() {
    let good = closed("sort 0 s\n");
    assert!(read(&good).is_ok());
    let cases = [
        (String::new(), "1:1: the text ends without a digest"),
        ("sort 0 s\n".into(), "1:1: the first line of a closed form is `ramsey-core 1`"),
        (good.replace("core 1", "core 2"), "1:1: the first line of a closed form is"),
        (good.replace(" s\n", " t\n"), "3:1: the digest is not that of the lines before it"),
        (good.trim_end().into(), "3:72: the last line has no line feed at its end"),
        (format!("{good}sort 1 t\n"), "4:1: a line after the digest"),
        (good.replace("digest ", "digest  "), "3:1: the digest is not"),
        (good.split_inclusive('\n').take(2).collect(), "3:1: the text ends without a digest"),
        (good.replace('\n', "\r\n"), "1:1: the first line of a closed form is"),
    ];
    for (text, expected) in cases {
        let error = read(&text).expect_err(&text);
        assert!(error.starts_with(expected), "{text:?}: {error}");
    }
}

#[test]
fn formulas_have_a_maximum_depth() {
    let nested = |depth: usize| closed(&format!("invariant a {}& 0\n", "~ ".repeat(depth)));
    assert!(read(&nested(1_999)).is_ok());
    let error = read(&nested(2_000)).expect_err("too deep");
    assert!(error.contains("more than 2000 levels deep [R004]"), "{error}");
    let many = closed(&format!("sort 0 s\ninvariant a {}& 0\n", "! 0 ".repeat(1_999)));
    assert!(read(&many).is_ok());
    let error = read(&closed(&format!("sort 0 s\ninvariant a {}& 0\n", "! 0 ".repeat(2_000))));
    assert!(error.expect_err("too deep").contains("levels deep"));
    let chain = closed(&format!(
        "sort 0 s\nfunction 0 c rigid 0 0\nfunction 1 f rigid 1 0 0\ninvariant a E 0 A 0 0 0 {}A 0 0 0\n",
        "A 0 1 1 ".repeat(2_000)
    ));
    assert!(read(&chain).expect_err("too deep").contains("levels deep"));
}

#[test]
fn formulas_beside_a_model_are_in_prefix_form() {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("a.core".into(), closed(SORTS)));
    let budget = &mut Budget::unlimited();
    let (lines, found) = parse_within(file, &sources[file].text, budget).expect("no limit");
    assert!(found.is_empty(), "{found:?}");
    let mut ask = |text: &str, kind| {
        let formula = sources.push(Source::new("formula".into(), text.into()));
        let read = lower_with_formulas(&lines, &[formula], kind, &sources, &mut Budget::unlimited());
        let (read, found) = read.expect("no limit");
        (read.is_some(), found.first().map(|it| it.message.clone()).unwrap_or_default())
    };
    assert!(ask(" ! 1 R 0 1 2 V 0 V 0\n", FormulaKind::Claim).0);
    let (is_read, message) = ask("forall X. le(X, X)", FormulaKind::Claim);
    assert!(!is_read && message == "`forall` begins no formula", "{message}");
    let constants = [("x".to_owned(), "node".to_owned())];
    let (is_read, message) = ask("& 0", FormulaKind::Question { states: 1, constants: &constants });
    assert!(!is_read && message.contains("no name for the element `x`"), "{message}");
    assert!(
        ask("E 1 A 1 1 1 A 0 0 0 A 2 1 1 A 0 0 0", FormulaKind::Question { states: 2, constants: &[] }).0
    );
}
