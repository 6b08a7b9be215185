//! Adversarial input: no panic, no overflow, few diagnostics, short running time.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::corpus::{problems, skipped};
use super::{accept, load};
use ramsey_core::base::rng::Rng;

/// Formulas nested in themselves: text before, innermost formula, text after.
const NESTINGS: &[(&str, &str, &str)] = &[
    ("~ ", "p", ""),
    ("~ (", "p", ")"),
    ("p => (", "p", ")"),
    ("(", "p", " => p)"),
    ("p & (p | (", "p", "))"),
    ("! [X] : ", "p", ""),
    ("! [X] : ? [X] : (", "p", " <=> p)"),
    ("p(", "a", ")"),
    ("a = f(b,", "a", ",c)"),
    ("~ ~ $distinct(a, f(", "a", "))"),
    ("$ite(p, ", "p", ", q)"),
    ("$ite(", "p", ", q, r)"),
];

fn nested((open, inside, close): (&str, &str, &str), times: usize) -> String {
    let open = if open.starts_with("p(") && times > 1 {
        format!("p({}", "f(".repeat(times - 1))
    } else {
        open.repeat(times)
    };
    format!("tff(a, axiom, {open}{inside}{}).\n", close.repeat(times))
}

#[test]
fn deep_nesting_is_refused_and_never_overflows() {
    for &shape in NESTINGS {
        for times in [1, 10, 600, 2_000, 300_000] {
            let (loaded, text) = load(&nested(shape, times));
            if times >= 2_000 {
                assert!(loaded.is_none(), "{shape:?} {times}: {text}");
            }
            assert!(text.len() < 10_000, "{shape:?} {times}");
        }
    }
    let (_, text) = load(&nested(("~ ", "p", ""), 2_000));
    assert!(text.contains("1:17 error[R004]: the formula is nested more than 1999 levels deep"), "{text}");
    accept(&nested(("~ ", "p", ""), 1_998));
    accept(&nested(("p => (", "p", ")"), 1_998));
}

#[test]
fn parentheses_and_long_chains_are_not_deep() {
    accept(&nested(("(", "p", ")"), 500_000));
    for chain in [" & p(X)", " | p(f(X))"] {
        let loaded = accept(&format!("fof(a, conjecture, ! [X] : (p(X){})).", chain.repeat(200_000)));
        assert!(loaded.problem.terms.depth(loaded.problem.queries[0].goal) < 10);
    }
    accept(&format!("cnf(a, axiom, {}).", vec!["p(X)"; 100_000].join(" | ")));
    let vars: Vec<String> = (0..50_000).map(|at| format!("X{at}")).collect();
    accept(&format!("fof(a, axiom, ! [{0}] : p({0})).", vars.join(",")));
    accept(&format!("fof(a, axiom, p, {}{}).", "f(".repeat(100_000), "x".to_owned() + &")".repeat(100_000)));
    let (_, text) = load(&format!("tff(a, type, f: {}$i{}).", "(".repeat(100_000), ")".repeat(100_000)));
    assert!(text.contains("error[R004]: types are nested"), "{text}");
}

#[test]
fn errors_are_limited_in_number() {
    let (_, text) = load(&"fof(a, axiom, p(X)).\n".repeat(10_000));
    assert_eq!(text.matches("error[").count(), 100);
    let (_, text) = load(&"fof(a, axiom, p(1)).\n".repeat(10_000));
    assert_eq!(text.matches("error[").count(), 1, "arithmetic is reported once");
}

#[test]
fn large_invalid_files_are_fast() {
    let units = [
        "a",
        "(",
        ")",
        "'",
        "\"",
        "& ",
        ".",
        "a.",
        "fof(",
        "fof(a,axiom,",
        "fof(a,axiom,p",
        "include('x').",
        "/*",
        "%",
        "\0",
        "\u{1F980}",
        "~",
        "! [X] :",
        "f(",
        "[",
        "\\",
        "$ite(",
        "1",
        "tff(a,type,a:",
        "cnf(a,axiom,p(X)).",
        "X",
    ];
    for unit in units {
        for prefix in ["", "fof(a, axiom, ", "tff(a, axiom, ", "tff(a, type, a: ", "fof(a, axiom, p, "] {
            let text = format!("{prefix}{}", unit.repeat((1 << 20) / unit.len()));
            let start = Instant::now();
            let (_, printed) = load(&text);
            let took = start.elapsed();
            assert!(printed.len() < 100_000, "{prefix:?} {unit:?}");
            // The limit allows for slow and busy machines.
            assert!(took < Duration::from_secs(10), "{prefix:?} {unit:?}: {took:?}");
        }
    }
}

/// A text with every construct.
const ALL: &str = "%comment\n/* another */\n\
    tff(s, type, s: $tType). tff(f, type, f: (s * $i) > s). tff(q, type, (q: s > $o)).\n\
    tff(a, axiom, ! [X: s, Y] : (q(f(X, Y)) <=> ? [Z] : (Z = Y & p(Z)))).\n\
    fof(b, hypothesis, (p(a) => $true) <~> ~ (p('b c') ~| $distinct(a, \"x\", \"y\")), file('x', y), [z:1]).\n\
    cnf(c, negated_conjecture, p(X) | ~ r(X, f(a)) | X != a).\n\
    tcf(d, axiom, ! [X: s] : (q(X) | ~ p(Y))).\n\
    tff(e, conjecture, $ite(p(a), q(f(X1, a)), ~ $false) ~& p(b)).\n";

#[test]
fn truncated_and_mutated_problems_never_panic() {
    let mut texts = vec![ALL.to_owned()];
    let corpus = problems();
    if corpus.is_empty() {
        skipped();
    }
    texts.extend(corpus.into_iter().map(|(_, text)| text).filter(|text| text.len() < 3_000).take(10));
    let mut rng = Rng::new(3);
    let pieces = [
        "(", ")", "[", "]", ",", ".", ":", "~", "&", "'", "\"", "=", "X", "$", "a", "é", "fof(", "/*", "%",
        "1",
    ];
    for text in &texts {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for &end in &ends {
            load(&text[..end]);
        }
        for _ in 0..1_000 {
            let (at, to) = (ends[rng.below(ends.len())], ends[rng.below(ends.len())]);
            let piece = if rng.one_in(2) {
                pieces[rng.below(pieces.len())]
            } else {
                &text[at.min(to)..at.max(to).min(at.min(to) + 20)]
            };
            let skipped = if rng.one_in(2) { piece.len().min(1) } else { 0 };
            load(&format!("{}{piece}{}", &text[..to], &text[to..][skipped.min(text.len() - to)..]));
        }
    }
}

/// Short sequences of tokens that occur in problems.
fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "fof(",
        "cnf(",
        "tff(",
        "tcf(",
        "thf(",
        "include(",
        "'f'",
        "\"d\"",
        "axiom",
        "conjecture",
        "type",
        ",",
        ".",
        ").",
        "(",
        ")",
        "[",
        "]",
        ":",
        "~",
        "&",
        "|",
        "=>",
        "<=",
        "<=>",
        "<~>",
        "~|",
        "~&",
        "!",
        "?",
        "=",
        "!=",
        ">",
        "*",
        "!>",
        "$true",
        "$i",
        "$o",
        "$tType",
        "$int",
        "$ite(",
        "$distinct(",
        "$let(",
        "$$x",
        "X",
        "Y",
        "p",
        "q",
        "a",
        "f(",
        "p(X)",
        "1",
        "-1.5",
        "%",
        "/*",
        "*/",
        "'",
        "é",
        "\n",
        "! [X] :",
        "? [X: s] :",
        "fof(a, axiom, ",
        "tff(b, type, ",
        "s: $tType).",
        "f: (s * s) > s).",
        "cnf(c, axiom, ",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn token_soup_never_panics(tokens in prop::collection::vec(token(), 0..60)) {
        load(&tokens.join(" "));
        load(&format!("tff(a, axiom, {}", tokens.concat()));
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,80}") {
        load(&text);
        load(&format!("fof(a, axiom, {text}"));
    }
}
