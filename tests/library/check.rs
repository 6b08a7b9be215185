//! Kernel: certificates that it accepts and, mostly, certificates that it must reject.

use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures, Vocabulary};
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::FileId;
use ramsey::check::format::{self, Step};
use ramsey::check::normal::{Normalizer, normalize};
use ramsey::check::{Rejection, Summary, check};
use ramsey::lang::pyv;
use ramsey::logic::{Evaluator, Node, TermId, Terms};

/// Four theorems, one for each part of the calculus.
const MODEL: &str = "sort node
sort val
immutable constant a: node
immutable constant b: node
immutable constant c: node
immutable function f(node): node
immutable relation p(node)
immutable relation q(node, val)
immutable relation z()
axiom [same] a = b
axiom [closed] forall X. p(X) -> p(f(X))
axiom [common] exists V. forall X. q(X, V)
theorem [prop] z | !z
theorem [nonempty] (forall X. p(X)) -> (exists X. p(X))
theorem [swap] forall X. exists V. q(X, V)
theorem [cong] f(a) = f(b)
";

const PROP: &[&str] = &["i 3", "a 1 0", "a 1 1", "r 0 1 2 3"];
const NONEMPTY: &[&str] =
    &["i 3", "a 1 0", "a 1 1", "d node", "u 2 0", "u 3 0", "r 4 0 1 2 4", "r 0 1 3 5 6"];
const SWAP: &[&str] = &["i 3", "e 1", "i 2", "e 3", "w 1 0", "w 3 0", "u 2 1", "u 4 0", "r 0 1 2 3 4 5 6"];
const CONG: &[&str] = &["i 3", "i 0", "q -2 1", "r 0 1 2 3"];

const NAMES: [&str; 4] = ["prop", "nonempty", "swap", "cong"];
const PROOFS: [&[&str]; 4] = [PROP, NONEMPTY, SWAP, CONG];

/// A model with a transition and its proof: two states, primes, frame.
const STEPS: &str = "sort node
mutable relation m(node)
mutable constant k: node
init m(k)
transition stay()
  modifies m
  & (forall X. m(X) -> new(m(X)))
invariant [held] m(k)
";

/// Three theorems that do not hold.
const WRONG: &str = "sort node
immutable relation p(node)
immutable constant c: node
axiom exists X. p(X)
theorem [some] p(c)
theorem [all] forall X. p(X)
theorem [two] exists X: node, Y: node. X != Y
";

fn run(model: &str, certificate: impl AsRef<[u8]>) -> Result<Summary, Rejection> {
    let (system, diagnostics) = pyv::load(FileId::new(0), model);
    let system = system.unwrap_or_else(|| panic!("a model without errors: {diagnostics:?}"));
    check(&system, model, certificate.as_ref())
}

fn head(claim: &str) -> String {
    format!("{}\nsource {}\nclaim {claim}\n", format::HEADER, format::sha256(MODEL))
}

fn proof(obligation: &str, lines: &[&str]) -> String {
    let mut text = format!("obligation {obligation}\nproof\n");
    for line in lines {
        text += line;
        text.push('\n');
    }
    text + "end\n"
}

/// Returns a certificate of all four proofs.
fn whole() -> String {
    with(usize::MAX, &[])
}

/// Returns a certificate of all four proofs, one of them replaced.
fn with(replaced: usize, lines: &[&str]) -> String {
    let mut text = head("proved");
    for (index, name) in NAMES.iter().enumerate() {
        let lines = if index == replaced { lines } else { PROOFS[index] };
        text += &proof(&format!("theorem {index} {name}"), lines);
    }
    text
}

#[track_caller]
fn rejects(model: &str, certificate: impl AsRef<[u8]>, reason: &str) {
    let rejection = run(model, certificate).expect_err("a certificate that is not right");
    assert!(rejection.to_string().contains(reason), "{rejection}");
}

/// Asserts that the proof of one theorem with a line replaced is rejected at that line.
#[track_caller]
fn rejects_line(theorem: usize, line: usize, by: &str, reason: &str) {
    let mut lines = PROOFS[theorem].to_vec();
    lines[line] = by;
    let rejection = run(MODEL, with(theorem, &lines)).expect_err("a line that is not right");
    let before: usize = PROOFS[..theorem].iter().map(|lines| lines.len() + 3).sum();
    assert_eq!(rejection.line, 3 + before + 3 + line, "{rejection}");
    assert_eq!(
        rejection.obligation.as_deref(),
        Some(format!("obligation theorem {theorem} {}", NAMES[theorem]).as_str())
    );
    assert!(rejection.reason.contains(reason), "{rejection}");
}

#[test]
fn proofs_of_every_kind_are_accepted() {
    let summary = run(MODEL, whole()).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert_eq!((summary.proofs, summary.counterexamples, summary.obligations), (4, 0, 4));
    assert_eq!(summary.steps, PROOFS.iter().map(|lines| lines.len()).sum::<usize>());
    assert!(summary.same_source);
    // The order of obligations is free, and so is the layout of the source.
    let backwards: String =
        (0..4).rev().map(|i| proof(&format!("theorem {i} {}", NAMES[i]), PROOFS[i])).collect();
    assert!(run(MODEL, head("proved") + &backwards).is_ok());
    let summary =
        run(&format!("# a comment\n{MODEL}"), whole()).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert!(!summary.same_source, "the digest is for information");
}

/// Returns the proof of initiation and of consecution.
fn steps() -> String {
    let init = ["i 0", "i 1", "r 0 1 2"];
    // Hypotheses: the invariant, the transition; then the negated goal `!m'(k')`.
    let step = [
        "i 1",
        "a 1 0",
        "a 1 1",
        "i 0",
        "i 2",
        "t k",
        "t k'",
        "u 2 0",
        "o 6",
        "q -3 -7 5",
        "r 0 1 2 3 4 6 7 8 5",
    ];
    head("proved") + &proof("init 0 held", &init) + &proof("step 0 0 stay held", &step)
}

#[test]
fn transitions_are_about_two_states() {
    let accepted = run(STEPS, steps());
    assert!(accepted.is_ok(), "{}", accepted.unwrap_err());
    rejects(STEPS, steps().replace("t k'\n", "t k''\n"), "too many primes");
    rejects(STEPS, steps().replace("stay held", "go held"), "not an obligation");
    rejects(STEPS, steps().replace("step 0 0", "step 0 1"), "not an obligation");
    // A constant that may change is not the same in both states.
    let forgetful = STEPS.replace("modifies m\n", "modifies m, k\n  & new(k) = new(k)\n");
    rejects(&forgetful, steps(), "not a conjunction");
    // Only declared symbols that do not change go without a prime.
    rejects(&STEPS.replace("mutable constant", "immutable constant"), steps(), "not a conjunction");
}

#[test]
fn terms_are_sorted_and_of_declared_symbols() {
    let pad = |line: &'static str| {
        let mut lines = vec!["t a", "d val", "t f 0"];
        lines.push(line);
        lines.extend(PROP);
        with(0, &lines)
    };
    assert!(run(MODEL, pad("t f 2")).is_ok());
    for (line, reason) in [
        ("t f", "0 term(s) where 1 belong"),
        ("t f 0 0", "2 term(s) where 1 belong"),
        ("t f 1", "another sort"),
        ("t f 3", "no term 3 yet"),
        ("t f 4294967295", "no term"),
        ("t f 4294967296", "not a number"),
        ("t f 99999999999999999999999", "not a number"),
        ("t f -1", "not a number"),
        ("t f +1", "not a number"),
        ("t f 01", "not a number"),
        ("t f  0", "not a number"),
        ("t f 0 ", "not a number"),
        ("t p 0", "is a relation"),
        ("t z", "is a relation"),
        ("t a'", "too many primes"),
        ("t unknown", "no symbol"),
        ("t witness", "no symbol"),
        ("t", "fewer fields"),
        ("t ", "no symbol"),
        ("d nothing", "no sort"),
        ("d bool", "no sort"),
        ("d", "fewer fields"),
        ("d val val", "more fields"),
        ("w 1 0", "no formula 1 yet"),
    ] {
        rejects(MODEL, pad(line), reason);
    }
}

#[test]
fn inputs_conjunctions_and_disjunctions() {
    rejects_line(0, 0, "i 4", "fewer inputs");
    rejects_line(0, 0, "i 4294967295", "fewer inputs");
    rejects_line(0, 1, "a 1 2", "fewer children");
    rejects_line(0, 1, "a 2 0", "no formula 2 yet");
    rejects_line(0, 1, "a 0 0", "no formula 0 yet");
    rejects_line(0, 1, "a -1 0", "not a number");
    rejects_line(0, 1, "a 1", "fewer fields");
    rejects_line(0, 2, "a 2 0", "not a conjunction");
    rejects_line(0, 1, "o 1", "not a disjunction");
    rejects_line(0, 2, "o 2", "not a disjunction");
    // The other rules look at the kind of their formula as well.
    rejects_line(0, 1, "u 1", "not universal");
    rejects_line(0, 1, "e 1", "not existential");
    rejects_line(0, 1, "w 1 0", "not existential");
    // An instance of the axiom is a disjunction.
    let or = |line: &'static str| {
        let mut lines = vec!["i 1", "t a", "u 1 0", line];
        lines.extend(["i 3", "a 5 0", "a 5 1", "r 0 4 5 6"]);
        with(0, &lines)
    };
    let accepted = run(MODEL, or("o 2"));
    assert!(accepted.is_ok(), "{}", accepted.unwrap_err());
    rejects(MODEL, or("o 1"), "not a disjunction");
    rejects(MODEL, or("o 3"), "no formula 3 yet");
    rejects(MODEL, or("a 2 0"), "not a conjunction");
    // A disjunction without children is `false`.
    let trivial = "sort s\ntheorem [t] true\ntheorem [f] true\n";
    let lines = ["i 0", "o 1", "r 0 1 2"];
    let good = head("proved") + &proof("theorem 0 t", &lines) + &proof("theorem 1 f", &lines);
    assert!(run(trivial, &good).is_ok());
    rejects(&trivial.replace("[f] true", "[f] false"), &good, "not a disjunction");
}

#[test]
fn quantifiers() {
    // 4: `u 2 0`, 5: `u 3 0` of the theorem `nonempty`.
    rejects_line(1, 4, "u 2", "0 term(s) where 1 belong");
    rejects_line(1, 4, "u 2 0 0", "2 term(s) where 1 belong");
    rejects_line(1, 4, "u 2 1", "no term 1 yet");
    rejects_line(1, 4, "u 1 0", "not universal");
    rejects_line(1, 4, "u 9 0", "no formula 9 yet");
    rejects_line(1, 4, "w 2 0", "not existential");
    rejects_line(1, 4, "e 2", "not existential");
    // 1: `e 1`, 4: `w 1 0` and 6: `u 2 1` of `swap`.
    rejects_line(2, 1, "e 2", "no formula 2 yet");
    rejects_line(2, 1, "u 1", "not universal");
    rejects_line(2, 4, "w 1 1", "fewer variables");
    rejects_line(2, 4, "w 2 0", "not existential");
    rejects_line(2, 4, "w 1 -1", "not a number");
    rejects_line(2, 6, "u 2 0", "another sort");
    rejects_line(2, 7, "u 4 1", "another sort");
    // A witness of another formula of the same kind does not help.
    let wrong = "sort s\nimmutable relation p(s)\nimmutable relation q(s)\naxiom exists X. p(X)\n\
                 axiom exists X. q(X)\ntheorem [both] exists X. p(X) & q(X)\n";
    let lines = ["i 0", "e 1", "i 1", "e 3", "i 2", "w 1 0", "w 3 0", "u 5 0", "o 6", "r 0 1 2 3 4 5 6 7"];
    rejects(wrong, head("proved") + &proof("theorem 0 both", &lines), "not falsified");
}

#[test]
fn lemmas_of_equality() {
    let model = "sort s\nimmutable constant a: s\nimmutable constant b: s\nimmutable constant c: s
immutable function f(s): s\nimmutable function g(s, s): s\nimmutable relation p(s)\nimmutable relation q(s)
axiom forall X, Y. X = Y | p(X) | q(X) | f(X) = Y | g(X, Y) = X | f(f(f(X))) = Y | f(f(f(f(f(X))))) = Y
theorem [t] a = a\n";
    // Formulas 3, 4, .. are the disjuncts for the first pair of terms, and so on.
    let pairs = [(0, 0), (0, 1), (1, 2), (0, 2), (1, 0)];
    let mut prefix =
        vec!["i 1".to_owned(), "o 1".into(), "t a".into(), "t b".into(), "t c".into(), "i 0".into()];
    prefix.extend(pairs.iter().map(|(x, y)| format!("u 2 {x} {y}")));
    // The numbers of the atoms are found by a reader that has been told the order of the disjuncts.
    let mut atoms: Vec<String> = Vec::new();
    for (index, (x, y)) in pairs.iter().enumerate() {
        prefix.push(format!("o {}", 3 + index));
        let (x, y) = (["a", "b", "c"][*x], ["a", "b", "c"][*y]);
        for atom in [
            format!("{x}={y}"),
            format!("p({x})"),
            format!("q({x})"),
            format!("f{x}={y}"),
            format!("g{x}{y}={x}"),
            format!("fff{x}={y}"),
            format!("fffff{x}={y}"),
        ] {
            // `b = a` is `a = b`.
            if atom != "b=a" && !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
    }
    let number = |name: &str| {
        let (sign, name) = name.strip_prefix('!').map_or(("", name), |name| ("-", name));
        let index = atoms.iter().position(|atom| atom == name).unwrap_or_else(|| panic!("{name}"));
        format!("{sign}{}", index + 3 + pairs.len())
    };
    let certificate = |lemma: &str| {
        let mut lines = prefix.clone();
        let literals: Vec<String> = lemma.split_whitespace().map(number).collect();
        lines.push(["q"].into_iter().map(str::to_owned).chain(literals).collect::<Vec<_>>().join(" "));
        lines.push("r 0 1 2".into());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        head("proved") + &proof("theorem 0 t", &lines)
    };
    let valid = [
        "a=a",
        "!a=b !b=c a=c",
        "!a=b p(b) !p(a)",
        "!a=b !p(b) p(a)",
        "p(a) !p(a)",
        "!fffa=a !fffffa=a fa=a",
        "!a=b !b=c !fa=a fa=c",
        "!a=c !gac=a gaa=a",
        "!a=b !gab=a gba=b",
    ];
    for lemma in valid {
        let accepted = run(model, certificate(lemma));
        assert!(accepted.is_ok(), "{lemma}: {}", accepted.unwrap_err());
    }
    let invalid = [
        "",
        "a=b",
        "!a=a",
        "!a=b",
        "!a=b !b=c",
        "!a=b !b=c !a=c",
        "!a=b b=c",
        "!a=b p(a)",
        "!a=b p(b) p(a)",
        "!a=b p(b) !q(a)",
        "p(a) p(b)",
        "!fffa=a fa=a",
        "!fffffa=a fa=a",
        "!a=c !gac=a gba=b",
        "!gab=a gba=b",
        "!fa=b !fb=a fa=a",
    ];
    for lemma in invalid {
        rejects(model, certificate(lemma), "does not follow");
    }
    rejects_line(3, 2, "q -2 3", "no formula 3 yet");
    rejects_line(3, 2, "q 0", "not a literal");
    rejects_line(3, 2, "q --2 1", "not a number");
    rejects_line(3, 2, "q -2147483648", "not a literal");
    rejects_line(3, 2, "q 2 1", "does not follow");
    let compound = ["i 3", "q 1 -1", "a 1 0", "a 1 1", "r 0 1 3 4"];
    rejects(MODEL, with(0, &compound), "about atoms only");
}

#[test]
fn derived_clauses_are_strict_about_hints() {
    // Clauses of `prop`: 1: {1}, 2: {-1, -2}, 3: {-1, 2}.
    for (line, reason) in [
        ("r 0", "without hints"),
        ("r", "without hints"),
        ("r 0 2 1 3", "not unit"),
        ("r 0 1 2", "not falsified"),
        ("r 0 1", "not falsified"),
        ("r 0 1 1 2 3", "satisfied"),
        ("r 0 1 2 3 3", "falsified before the last"),
        ("r 0 1 2 4", "no clause 4 yet"),
        ("r 0 0 1 2 3", "no clause 0 yet"),
        ("r 0 1 2 4294967295", "no clause"),
        ("r 0 1 2 -3", "not a number"),
        ("r 3 0 1 2 3", "no formula 3 yet"),
        ("r 2 -2 0 1 2 3", "its negation"),
        ("r 2 0 2 1 3", "satisfied"),
        ("r 1 2", "without hints"),
    ] {
        rejects_line(0, 3, line, reason);
    }
    let longer = ["i 3", "a 1 0", "a 1 1", "r 2 0 1 3", "r -2 -2 0 1 2", "r 0 4 5"];
    assert!(run(MODEL, with(0, &longer)).is_ok());
    // A clause cannot be its own hint, nor a later one's.
    rejects(MODEL, with(0, &["i 3", "a 1 0", "a 1 1", "r 0 4"]), "no clause 4 yet");
    rejects(MODEL, with(0, &longer[..5]), "without the empty clause");
    rejects(MODEL, with(0, &["i 3", "a 1 0", "a 1 1", "r 0 1 2 3", "i 0"]), "after the empty clause");
    rejects(MODEL, with(0, &["i 3", "a 1 0", "a 1 1", "r 0 1 2 3", "r 0 1 2 3"]), "after the empty clause");
    rejects(MODEL, with(0, &[]), "without the empty clause");
}

#[test]
fn the_frame_of_a_certificate() {
    let good = whole();
    for (from, to, reason) in [
        ("ramsey-certificate 1", "ramsey-certificate 2", "first line"),
        ("ramsey-certificate 1", "ramsey-certificate 10", "first line"),
        ("source ", "digest ", "digest"),
        ("source ", "source 0", "digest"),
        ("claim proved", "claim true", "not a claim"),
        ("claim proved", "claim refuted", "no obligation is refuted"),
        ("claim proved\n", "", "not a claim"),
        ("obligation theorem 0 prop", "obligation theorem 0 cong", "not an obligation"),
        ("obligation theorem 0 prop", "obligation theorem 4 prop", "not an obligation"),
        ("obligation theorem 0 prop", "obligation theorem 00 prop", "not an obligation"),
        ("obligation theorem 0 prop", "obligation init 0 prop", "not an obligation"),
        ("obligation theorem 0 prop", "obligation theorem 1 nonempty", "i"),
        ("proof\n", "proof \n", "neither"),
        ("proof\n", "counterexample\n", "not a proof"),
        ("i 3\n", "x 3\n", "unknown kind"),
        ("i 3\n", "\n", "unknown kind"),
        ("i 3\n", " i 3\n", "unknown kind"),
        ("i 3\n", "i 3\r\r\n", "not a number"),
        ("i 3\n", "i 3\r", "not a number"),
        ("i 3\n", "\u{feff}i 3\n", "unknown kind"),
        ("i 3\n", "i 3 # the goal\n", "more fields"),
        ("end\n", "End\n", "unknown kind"),
        ("end\n", "end\nend\n", "not an obligation"),
        ("end\n", "end\n\n", "not an obligation"),
        ("end\n", "", "unknown kind"),
    ] {
        assert!(good.contains(from));
        rejects(MODEL, good.replacen(from, to, 1), reason);
    }
    for same in [good.replace('\n', "\r\n"), format!("\u{feff}{good}"), good.replacen('\n', "\r\n", 7)] {
        run(MODEL, same).expect("the same certificate, as other tools write it");
    }
    rejects(MODEL, format!("{good}trailing\n"), "not an obligation");
    rejects(MODEL, format!("{good}trailing"), "no end");
    rejects(MODEL, format!("{good}{}", proof("theorem 0 prop", PROP)), "twice");
    rejects(MODEL, "", "ends");
    let mut bytes = good.clone().into_bytes();
    bytes[200] = 0xff;
    rejects(MODEL, bytes, "UTF-8");
    rejects(MODEL, good.replacen("i 3", "\0", 1), "unknown kind");
    for missing in 0..4 {
        let block = proof(&format!("theorem {missing} {}", NAMES[missing]), PROOFS[missing]);
        let rejection = run(MODEL, good.replace(&block, "")).expect_err("an obligation is missing");
        assert!(
            rejection.to_string().contains(&format!("theorem {missing} {}", NAMES[missing])),
            "{rejection}"
        );
    }
    for length in 0..good.len() {
        assert!(run(MODEL, &good[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn proofs_of_one_obligation_are_not_proofs_of_another() {
    for (of, lines) in PROOFS.iter().enumerate() {
        for other in (0..4).filter(|&other| other != of) {
            assert!(run(MODEL, with(other, lines)).is_err(), "{of} for {other}");
        }
    }
}

#[test]
fn certificates_are_of_one_model() {
    for (from, to) in [
        ("axiom [same] a = b\n", ""),
        ("axiom [same] a = b", "axiom [same] a = c"),
        ("axiom [same] a = b", "axiom [same] a != b"),
        ("axiom [common] exists V. forall X. q(X, V)\n", ""),
        ("exists V. forall X. q(X, V)", "exists V. exists X. q(X, V)"),
        ("exists V. forall X. q(X, V)", "forall V. exists X. q(X, V)"),
        ("forall X. exists V. q(X, V)", "forall X. forall V. q(X, V)"),
        ("(forall X. p(X))", "(exists X. p(f(X)))"),
        ("(exists X. p(X))", "(forall X. p(f(X)))"),
        ("z | !z", "z | z"),
        ("f(a) = f(b)", "f(a) = f(c)"),
        ("f(a) = f(b)", "f(a) != f(b)"),
        ("theorem [cong]", "theorem [named]"),
    ] {
        assert!(MODEL.contains(from));
        assert!(run(&MODEL.replace(from, to), whole()).is_err(), "{from} -> {to}");
    }
    rejects(&format!("{MODEL}theorem [more] true\n"), whole(), "theorem 4 more");
}

/// Returns the certificate with one line dropped, duplicated or exchanged with the next, or one field changed.
fn mutants(certificate: &str) -> Vec<String> {
    let lines: Vec<&str> = certificate.lines().collect();
    let text = |lines: &[String]| lines.iter().fold(String::new(), |text, line| text + line + "\n");
    let mut found = Vec::new();
    for at in 0..lines.len() {
        let owned: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let mut dropped = owned.clone();
        dropped.remove(at);
        let mut doubled = owned.clone();
        doubled.insert(at, owned[at].clone());
        found.extend([text(&dropped), text(&doubled)]);
        for other in at + 1..lines.len() {
            let mut swapped = owned.clone();
            swapped.swap(at, other);
            found.push(text(&swapped));
        }
        let fields: Vec<&str> = lines[at].split(' ').collect();
        for field in 0..fields.len() {
            let number: Option<i64> = fields[field].parse().ok();
            let others = number
                .map_or_else(Vec::new, |n| vec![(n - 1).to_string(), (n + 1).to_string(), (-n).to_string()]);
            let kinds = ["t", "w", "d", "i", "a", "o", "u", "e", "q", "r"].map(str::to_owned);
            for new in
                others.into_iter().chain(kinds.into_iter().filter(|_| field == 0)).chain([String::new()])
            {
                let mut fields: Vec<String> = fields.iter().map(|&field| field.to_owned()).collect();
                if new.is_empty() {
                    fields.remove(field);
                } else {
                    fields[field] = new;
                }
                let mut changed = owned.clone();
                changed[at] = fields.join(" ");
                found.push(text(&changed));
            }
        }
    }
    found
}

#[test]
fn no_mutant_proves_what_does_not_hold() {
    let (mut accepted, mut rejected) = (0, 0);
    let wrong = MODEL.replace("theorem [cong] f(a) = f(b)", "theorem [cong] f(a) = f(c)");
    let weaker = MODEL.replace("exists V. forall X. q(X, V)", "exists X. forall V. q(X, V)");
    for mutant in mutants(&whole()) {
        match run(MODEL, &mutant) {
            Ok(_) => accepted += 1,
            Err(_) => rejected += 1,
        }
        for model in [&wrong, &weaker] {
            assert!(run(model, &mutant).is_err(), "{mutant}");
        }
    }
    assert!(accepted > 10 && rejected > 20 * accepted, "{accepted} accepted, {rejected} rejected");
}

fn counterexample(obligation: &str, lines: &[&str]) -> String {
    proof(obligation, lines).replacen("proof", "counterexample", 1)
}

fn refuted(lines: &[&str]) -> String {
    head("refuted") + &counterexample("theorem 0 some", lines)
}

#[test]
fn structures_are_judged() {
    let good = ["size node 2", "v p 0 = 1", "v c = 1"];
    let summary = run(WRONG, refuted(&good)).unwrap_or_else(|rejection| panic!("{rejection}"));
    assert_eq!((summary.proofs, summary.counterexamples, summary.obligations), (0, 1, 3));
    let all = refuted(&good)
        + &counterexample("theorem 1 all", &["size node 3", "v p 2 = 1"])
        + &counterexample("theorem 2 two", &["size node 1", "v p 0 = 1"]);
    assert_eq!(run(WRONG, all).map(|summary| summary.counterexamples), Ok(3));
    let cases: &[(&[&str], &str)] = &[
        (&["size node 2", "v c = 1"], "violates hypothesis 0"),
        (&["size node 2", "v p 0 = 1"], "satisfies the goal"),
        (&["size node 2", "v p 1 = 1", "v c = 1"], "satisfies the goal"),
        (&["size node 0"], "not empty"),
        (&["size node 65537"], "too large"),
        (&["size node 4294967296"], "not a number"),
        (&["size node"], "neither"),
        (&["size node 2 2"], "neither"),
        (&["size node 2", "size node 2"], "twice"),
        (&["size bool 2"], "no sort"),
        (&["size other 2"], "no sort"),
        (&["v p 0 = 1"], "is not given"),
        (&[], "is not given"),
        (&["size node 2", "v p 0 = 1", "size node 2"], "before values"),
        (&["size node 2", "v p 2 = 1"], "no element 2"),
        (&["size node 2", "v c = 2"], "no element 2"),
        (&["size node 2", "v p 0 = 2"], "no element 2"),
        (&["size node 2", "v p 0 = -1"], "not a number"),
        (&["size node 2", "v p = 1"], "takes 1 argument"),
        (&["size node 2", "v p 0 0 = 1"], "takes 1 argument"),
        (&["size node 2", "v p 0 = 1", "v p 0 = 0"], "twice"),
        (&["size node 2", "v p' 0 = 1"], "too many primes"),
        (&["size node 2", "v unknown 0 = 1"], "no symbol"),
        (&["size node 2", "v p 0 1"], "neither"),
        (&["size node 2", "v p 0 ="], "neither"),
        (&["size node 2", "v p 0 = 1 1"], "neither"),
        (&["size node 2", "w p 0 = 1"], "neither"),
        (&["size node 2", ""], "neither"),
    ];
    for (lines, reason) in cases {
        rejects(WRONG, refuted(lines), reason);
    }
    rejects(WRONG, refuted(&good).replace("refuted", "proved"), "not a proof");
    rejects(
        WRONG,
        refuted(&good) + &counterexample("theorem 1 all", &["size node 1", "v p 0 = 1"]),
        "satisfies",
    );
    rejects(
        WRONG,
        refuted(&good) + &refuted(&good).lines().skip(3).fold(String::new(), |t, l| t + l + "\n"),
        "twice",
    );
    rejects(WRONG, refuted(&good).replace("counterexample", "structure"), "neither");
    rejects(WRONG, refuted(&good).replace("end\n", ""), "ends where");
    rejects(WRONG, head("refuted"), "no obligation is refuted");
    // What holds has no counterexample, whatever the structure says.
    let right = WRONG.replace("[some] p(c)", "[some] p(c) | !p(c)");
    for mutant in mutants(&refuted(&good)) {
        assert!(run(&right, &mutant).is_err(), "{mutant}");
    }
    // A structure of large sorts is refused before it is evaluated.
    let wide = "sort s\nimmutable relation r(s, s, s)\ntheorem [t] forall X, Y, Z. r(X, Y, Z)\n";
    let large = head("refuted") + &counterexample("theorem 0 t", &["size s 65536"]);
    rejects(wide, large, "too large");
}

#[test]
fn counterexamples_of_transitions_have_two_states() {
    let model = STEPS.replace("m(X) -> new(m(X))", "new(m(X)) -> m(X)");
    let lost = ["size node 1", "v m 0 = 1"];
    let certificate = |lines: &[&str]| head("refuted") + &counterexample("step 0 0 stay held", lines);
    assert!(run(&model, certificate(&lost)).is_ok());
    rejects(STEPS, certificate(&lost), "violates hypothesis 1");
    rejects(&model, certificate(&["size node 1", "v m 0 = 1", "v m' 0 = 1"]), "satisfies the goal");
    rejects(&model, certificate(&["size node 1", "v m' 0 = 1"]), "violates hypothesis 0");
    rejects(&model, certificate(&["size node 2", "v m 0 = 1", "v k' = 1"]), "violates hypothesis 1");
    rejects(&model, certificate(&["size node 1", "v m 0 = 1", "v m'' 0 = 1"]), "too many primes");
}

#[test]
fn deep_terms_and_long_lines_are_no_danger() {
    let mut lines = vec!["t a".to_owned()];
    lines.extend((0..50_000).map(|at| format!("t f {at}")));
    lines.extend(["i 1".into(), "u 1 50000".into(), "u 1 49999".into(), "o 2".into(), "o 3".into()]);
    // Formulas 4, 5: p(f^50000 a), p(f^50001 a); 6: p(f^49999 a).
    let mut good = lines.clone();
    good.push("q 4 -4".into());
    good.extend(["i 3".into(), "a 7 0".into(), "a 7 1".into(), "r 0 7 8 9".into()]);
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    let accepted = run(MODEL, with(0, &good));
    assert!(accepted.is_ok(), "{}", accepted.unwrap_err());
    lines.push("q 4 -5".into());
    let bad: Vec<&str> = lines.iter().map(String::as_str).collect();
    rejects(MODEL, with(0, &bad), "does not follow");
    rejects(MODEL, with(0, &[&format!("r{}", " 1".repeat(1_000_000))]), "no formula 1 yet");
    rejects(MODEL, with(0, &["i 3", &format!("r 0{}", " 1".repeat(1_000_000))]), "satisfied");
    rejects(MODEL, with(0, &["x".repeat(10_000_000).as_str()]), "unknown kind");
    // Symbols have at most a step per state, whatever their name says.
    rejects(STEPS, steps().replace("t k'\n", &format!("t k{}\n", "'".repeat(65_537))), "too many primes");
}

#[test]
fn executions_beyond_what_steps_can_count_are_refused() {
    let model =
        "mutable relation r\ninit !r\ntransition t()\n  modifies r\n  & r'\nunsat trace {\nt\nassert r\n}\n";
    let (system, _) = pyv::load(FileId::new(0), model);
    let mut system = system.expect("a model without errors");
    let certificate =
        format!("{}obligation trace 0\nproof\ni 0\na 1 0\na 1 2\nr 0 1 2 3\nend\n", head("trace 0 proved"));
    for (steps, is_refused) in [(1, false), (1_000, false), (1_001, true), (65_535, true), (65_536, true)] {
        let trace = &mut system.traces[0];
        let (init, call, assert) =
            (trace.steps[0].clone(), trace.steps[1].clone(), trace.steps.last().cloned());
        trace.steps = std::iter::once(init).chain(vec![call; steps]).chain(assert).collect();
        let rejection = check(&system, model, certificate.as_bytes()).expect_err("a trace that exists");
        assert_eq!(rejection.line == 3, is_refused, "{steps} steps: {rejection}");
    }
}

#[test]
fn deep_formulas_are_refused() {
    let (system, _) =
        pyv::load(FileId::new(0), "sort s\nimmutable relation p(s)\ntheorem [t] forall X. p(X)\n");
    let mut system = system.expect("a model");
    let atom = system.theorems[0].formula;
    let certificate = head("refuted") + &counterexample("theorem 0 t", &["size s 1"]);
    for _ in 0..100 {
        let inner = system.theorems[0].formula;
        let negated = system.terms.not(inner);
        system.theorems[0].formula = system.terms.not(negated);
    }
    assert!(check(&system, "", certificate.as_bytes()).is_ok());
    for _ in 0..100_000 {
        let inner = system.theorems[0].formula;
        system.theorems[0].formula = system.terms.not(inner);
    }
    let rejection = check(&system, "", certificate.as_bytes()).expect_err("too deep");
    assert!(rejection.reason.contains("too deep"), "{rejection}");
    // A formula that is not closed says nothing.
    let Node::Forall(_, body) = system.terms.node(atom) else { panic!("as it was written") };
    system.theorems[0].formula = body;
    let rejection = check(&system, "", certificate.as_bytes()).expect_err("not closed");
    assert!(rejection.reason.contains("free variable"), "{rejection}");
}

#[test]
fn formulas_of_the_depth_that_is_allowed_do_not_exhaust_the_stack() {
    let (system, _) = pyv::load(
        FileId::new(0),
        "sort s\nimmutable relation p(s)\nimmutable constant c: s\ntheorem [t] forall X. p(X) | c = X\n",
    );
    let mut system = system.expect("a model");
    let Node::Forall(_, body) = system.terms.node(system.theorems[0].formula) else { panic!("a quantifier") };
    let parts: Vec<TermId> = system.terms.children(body).collect();
    let sort = system.sig.uninterpreted_sorts().next().expect("a sort");
    for shape in 0..3 {
        let mut formula = system.terms.fals();
        let mut level = 0;
        while system.terms.depth(formula) < 1_990 {
            level += 1;
            let terms = &mut system.terms;
            let var = terms.new_var("X", sort);
            let term = terms.var(var);
            let atom = terms.rebuild(parts[0], &[term]);
            formula = match shape {
                0 if level % 2 == 0 => terms.and(&[atom, formula]),
                0 => terms.or(&[atom, formula]),
                1 => terms.not(formula),
                _ => terms.iff(atom, formula),
            };
            let universal = level % 3 == 0;
            formula = if universal { terms.forall(&[var], formula) } else { terms.exists(&[var], formula) };
        }
        system.theorems[0].formula = formula;
        for body in [proof("theorem 0 t", &["i 0", "o 1"]), counterexample("theorem 0 t", &["size s 1"])] {
            let outcome = check(&system, "", (head("refuted") + &body).as_bytes());
            assert!(
                outcome.is_ok() || outcome.is_err_and(|rejection| !rejection.reason.contains("too deep"))
            );
        }
    }
}

#[test]
fn steps_are_written_as_they_are_read() {
    let lines = "t f' 0 12|t a|w 3 0|d node|i 0|a 1 2|o 7|u 3|u 3 1 2|e 4|q|q -1 2|r 0|r 1 -2 0 3 4|r 0 1";
    for line in lines.split('|') {
        assert_eq!(Step::parse(line).map(|step| step.to_string()), Ok(line.to_owned()));
    }
    for line in
        ["", "t", "w 1", "w 1 2 3", "i", "a 1", "o", "o x", "u", "e", "q 0", "q x", "r 1 0 -1", "end", "tt a"]
    {
        assert!(Step::parse(line).is_err(), "{line}");
    }
}

#[test]
fn the_binary_tells_by_its_exit_code() {
    let folder = std::env::temp_dir().join(format!("ramsey-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.into_os_string()
    };
    let model = file("model.pyv", MODEL.as_bytes());
    let broken = file("broken.pyv", b"sort s\naxiom p(X)\n");
    let good = file("good", whole().as_bytes());
    let bad = file("bad", whole().replace("i 3", "i 4").as_bytes());
    let binary = file("binary", &[0xff, 0xfe, b'\n']);
    let absent = folder.join("absent").into_os_string();
    for (arguments, code, text) in [
        (vec![&model, &good], 0, "accepted, claim proved: 4 obligations, 4 proved in 25 steps, 0 refuted"),
        (vec![&model, &bad], 1, "line 6: obligation theorem 0 prop: there are fewer inputs"),
        (vec![&model, &binary], 1, "line 1: the line is not UTF-8"),
        (vec![&broken, &good], 2, "broken.pyv:2:7: "),
        (vec![&binary, &good], 2, "cannot be read"),
        (vec![&absent, &good], 2, "cannot be read"),
        (vec![&model, &absent], 2, "cannot be read"),
        (vec![&model], 2, "usage"),
        (vec![&model, &good, &good], 2, "usage"),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
            .args(&arguments)
            .output()
            .expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(text), "{said}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
}

/// Checks the normal form: literals without `if`, flat conjunctions and disjunctions, and quantifiers moved inwards as
/// far as possible.
fn is_normal(terms: &Terms, formula: TermId) -> bool {
    match terms.node(formula) {
        Node::And(items) | Node::Or(items) => {
            let conjunction = matches!(terms.node(formula), Node::And(_));
            let items = terms.args(items).to_vec();
            let flat = items.iter().enumerate().all(|(at, &item)| {
                let other_kind = match terms.node(item) {
                    Node::And(_) => !conjunction,
                    Node::Or(_) => conjunction,
                    Node::True | Node::False => false,
                    _ => true,
                };
                other_kind && !items[..at].contains(&item)
            });
            flat && items.iter().all(|&item| is_normal(terms, item))
        }
        Node::Forall(vars, body) | Node::Exists(vars, body) => {
            let universal = matches!(terms.node(formula), Node::Forall(..));
            let vars: Vec<_> = terms.bound_vars(vars).collect();
            let free = terms.free_vars(body);
            let pushed = match terms.node(body) {
                Node::And(_) | Node::Forall(..) => !universal,
                Node::Or(_) | Node::Exists(..) => universal,
                Node::True | Node::False => false,
                _ => true,
            };
            pushed && vars.iter().all(|var| free.contains(var)) && is_normal(terms, body)
        }
        Node::Not(atom) => is_atom(terms, atom),
        Node::True | Node::False => false,
        _ => is_atom(terms, formula),
    }
}

fn is_atom(terms: &Terms, atom: TermId) -> bool {
    fn is_plain(terms: &Terms, term: TermId) -> bool {
        matches!(terms.node(term), Node::App { .. } | Node::Var(_))
            && terms.children(term).all(|child| is_plain(terms, child))
    }
    match terms.node(atom) {
        Node::App { .. } => is_plain(terms, atom),
        Node::Eq(a, b) => a != b && is_plain(terms, a) && is_plain(terms, b),
        _ => false,
    }
}

#[test]
fn normal_forms_keep_the_value() {
    let mut seen = [0; 2];
    for seed in 0..cases(400) {
        let mut rng = Rng::new(seed);
        let vocabulary =
            if rng.one_in(2) { Vocabulary::of_states(&mut rng) } else { Vocabulary::random(&mut rng) };
        let sig = &vocabulary.sig;
        let mut terms = Terms::new();
        let formula = Generator::new(&vocabulary, &mut terms, &mut rng).over_steps(2).formula(4);
        let mut normalizer = Normalizer::default();
        let forms =
            [true, false].map(|positive| normalize(&mut terms, formula, positive).expect("a small formula"));
        for (form, positive) in forms.into_iter().zip([true, false]) {
            let constant = matches!(terms.node(form), Node::True | Node::False);
            assert!(constant || is_normal(&terms, form), "seed {seed}");
            assert!(normalizer.is_closed(&terms, form));
            assert_eq!(normalizer.of(&mut terms, formula, positive), Ok(form), "a memory changes nothing");
            assert_eq!(
                normalize(&mut terms, form, true),
                Ok(form),
                "seed {seed}: normal forms are their own"
            );
        }
        let sizes = vocabulary.sorts.map(|sort| (sort, if rng.one_in(4) { 1 } else { 2 }));
        let structures = Structures::with_states(sig, &sizes, 2);
        let structures: Vec<_> = if structures.count_all() <= 256 {
            structures.collect()
        } else {
            (0..100).map(|_| structures.random(&mut rng)).collect()
        };
        for structure in structures {
            let value = Evaluator::new(terms.over(sig), &structure).holds(formula);
            seen[usize::from(value)] += 1;
            let found = forms.map(|form| Evaluator::new(terms.over(sig), &structure).holds(form));
            assert_eq!(found, [value, !value], "seed {seed}");
        }
    }
    assert!(seen.iter().all(|&count| count > 5_000), "both values occur: {seen:?}");
}
