//! Kernel on problems without a model: certificates that it accepts and must reject, and acceptance of the answers of
//! search.

use crate::common::effort::cases;
use crate::common::formulas::{Generator, Structures, Vocabulary, symbol};
use ramsey::base::rng::Rng;
use ramsey::check::format::{self, Claim};
use ramsey::check::{Closed, MAX_DEPTH, Rejection, Summary, check};
use ramsey::core::document;
use ramsey::elaborate::{self, Certificate};
use ramsey::logic::{Evaluator, Problem, Query, Signature, Sort, SortId, SymId, TermId, Terms};
use ramsey::obligations::{Origin, Question, Subject};
use ramsey::query::Limits;
use ramsey::query::certify::of_queries;
use ramsey::query::problem::{Options, Outcome, QueryResult, QueryRunner, answers};

const SOURCE: &str = "what the problem was read from";

/// A sort with two constants, a function and a relation.
struct Words {
    sig: Signature,
    sort: SortId,
    a: SymId,
    b: SymId,
    f: SymId,
    p: SymId,
}

fn declare(sig: &mut Signature, name: &str) -> SortId {
    sig.sorts.push(Sort::new(name))
}

/// Returns the vocabulary with these names, in the order sort, constants, function, relation.
fn words(names: [&str; 5]) -> Words {
    let mut sig = Signature::new();
    let sort = declare(&mut sig, names[0]);
    let a = sig.symbols.push(symbol(names[1], &[], sort));
    let b = sig.symbols.push(symbol(names[2], &[], sort));
    let f = sig.symbols.push(symbol(names[3], &[sort], sort));
    let p = sig.symbols.push(symbol(names[4], &[sort], SortId::BOOL));
    Words { sig, sort, a, b, f, p }
}

/// Returns five queries: a theorem, a false claim, and three sets of formulas, of which the second is satisfiable.
fn problem_named(names: [&str; 5]) -> Problem {
    let Words { sig, sort, a, b, f, p } = words(names);
    let mut terms = Terms::new();
    let constant = |terms: &mut Terms, sym| terms.app(&sig, sym, 0, &[]);
    let (a, b) = (constant(&mut terms, a), constant(&mut terms, b));
    let equal = terms.eq(a, b);
    let (fa, fb) = (terms.app(&sig, f, 0, &[a]), terms.app(&sig, f, 0, &[b]));
    let images = terms.eq(fa, fb);
    let var = terms.new_var("x", sort);
    let x = terms.var(var);
    let px = terms.app(&sig, p, 0, &[x]);
    let (all, some) = (terms.forall(&[var], px), terms.exists(&[var], px));
    let pa = terms.app(&sig, p, 0, &[a]);
    let (not_pa, not_pfa) = (terms.not(pa), {
        let pfa = terms.app(&sig, p, 0, &[fa]);
        terms.not(pfa)
    });
    let fals = terms.fals();
    let query = |hypotheses: &[TermId], goal, line| Query::new(hypotheses.to_vec(), goal, line);
    let queries = vec![
        query(&[equal], images, 3),
        query(&[images], equal, 5),
        query(&[all, not_pa], fals, 7),
        query(&[some, not_pa], fals, 7),
        query(&[all, not_pfa], fals, 20),
    ];
    Problem { sig, terms, queries }
}

fn problem() -> Problem {
    problem_named(["s", "a", "b", "f", "p"])
}

const NAMES: [&str; 5] = ["query 1 3", "query 2 5", "query 3 7", "query 4 7", "query 5 20"];

/// Evidence for each answer, of a certificate about this query alone.
const EVIDENCE: [&[&str]; 5] = [
    &["i 0 0", "i 0 1", "f 2 1", "q 0 1"],
    &["s 0", "size 0 2", "value 0 1 1", "end"],
    &["i 0 0", "t A 0 0 0", "u 1 0", "q 0 1"],
    &["s 0", "size 0 2", "true 0 0 1", "end"],
    &["i 0 0", "t A 0 0 0", "t A 0 2 1 0", "u 1 1", "q 0 1"],
];

/// Evidence for all answers, with one list of terms, formulas and clauses.
const ALL: [&[&str]; 5] = [
    EVIDENCE[0],
    &["s 1", "size 0 2", "value 0 1 1", "end"],
    &["i 2 0", "t A 0 0 0", "u 3 0", "q 2 2"],
    &["s 3", "size 0 2", "true 0 0 1", "end"],
    &["t A 0 2 1 0", "u 3 1", "q 4 3"],
];

fn certificate(claim: &str, lines: &[&str]) -> String {
    let digest = format::sha256(SOURCE);
    let head =
        format!("{}\n{}{digest}\n{}{digest}\nclaim {claim}\n", format::HEADER, format::SOURCE, format::CORE);
    head + &lines.iter().map(|line| format!("{line}\n")).collect::<String>() + "end\n"
}

/// Returns the certificate about one query (from 0).
fn single(query: usize) -> String {
    certificate(&format!("queries {} answered", query + 1), EVIDENCE[query])
}

fn whole() -> String {
    certificate("queries 1 2 3 4 5 answered", &ALL.concat())
}

fn run(problem: &Problem, certificate: &str) -> Result<Summary, Rejection> {
    check(problem, SOURCE, certificate.as_bytes())
}

#[track_caller]
fn accepts(problem: &Problem, certificate: &str) -> Summary {
    run(problem, certificate).unwrap_or_else(|rejection| panic!("{rejection}"))
}

#[track_caller]
fn rejects(problem: &Problem, certificate: &str, reason: &str) {
    let rejection = run(problem, certificate).expect_err("a certificate that is not right");
    assert!(rejection.to_string().contains(reason), "{rejection}");
}

#[test]
fn every_query_has_the_answer_that_the_summary_tells() {
    let summary = accepts(&problem(), &whole());
    assert_eq!((summary.obligations, summary.proofs, summary.counterexamples), (5, 3, 2));
    assert_eq!(
        summary.to_string(),
        "5 obligations, 3 proved in 13 steps, 2 refuted\n\
         query 1 (line 3): theorem\n\
         query 2 (line 5): counter-satisfiable\n\
         query 3 (line 7): unsatisfiable\n\
         query 4 (line 7): satisfiable\n\
         query 5 (line 20): unsatisfiable"
    );
    assert_eq!(summary.claim.to_string(), "claim queries 1 2 3 4 5 answered");
    assert!(summary.same_source);
    // The order of answers is free, and that of the summary is not.
    let last = ["i 2 0", "t A 0 0 0", "t A 0 2 1 0", "u 1 1", "q 2 1"];
    let first = ["s 0", "size 0 2", "value 0 1 1", "end", "s 1", "size 0 2", "true 0 0 1", "end"];
    let three = certificate("queries 2 4 5 answered", &[&last[..], &first].concat());
    let summary = accepts(&problem(), &three);
    assert_eq!(
        summary.to_string(),
        "3 obligations, 1 proved in 7 steps, 2 refuted\n\
         query 2 (line 5): counter-satisfiable\n\
         query 4 (line 7): satisfiable\n\
         query 5 (line 20): unsatisfiable"
    );
    let other =
        check(&problem(), "another text", whole().as_bytes()).expect("the claim is true all the same");
    assert!(!other.same_source);
}

#[test]
fn a_claim_says_exactly_which_queries_it_is_about() {
    let problem = problem();
    let all = ALL.concat();
    let not_a_claim = "not a claim that can be made of the model";
    for claim in [
        "proved",
        "refuted",
        "answered",
        "queries answered",
        "queries  answered",
        "queries 0 answered",
        "queries 6 answered",
        "queries 1 2 3 4 5 6 answered",
        "queries 1 2 3 5 4 answered",
        "queries 1 1 answered",
        "queries 01 answered",
        "queries -1 answered",
        "queries 4294967296 answered",
        "queries 1 2 3 4 5 proved",
        "queries 1 2 3 4 5 refuted",
        "queries 1 2 3 4 5",
        "queries 1 2 3 4 5 answered ",
        "theorem proved",
        "trace 1 proved",
        "bmc 1 invariant:0 proved",
    ] {
        rejects(&problem, &certificate(claim, &all), not_a_claim);
    }
    // What is claimed has to be there, and nothing else.
    let missing = "the claim has another answer, or there is none";
    let less = whole().replace("q 2 2\n", "");
    rejects(&problem, &less, &format!("{}: {missing}", NAMES[2].replace(' ', "%20.")));
    let nothing = certificate("queries 1 3 answered", &[]);
    rejects(&problem, &nothing, &format!("{}: {missing}", NAMES[0].replace(' ', "%20.")));
    assert!(run(&problem, &certificate("queries 1 2 4 5 answered", &all)).is_err());
    let twice = certificate("queries 3 answered", &[EVIDENCE[2], &["q 0 1"]].concat());
    rejects(&problem, &twice, "a second answer");
    // A system has no queries, and other claims no answers.
    let text = "sort s\nimmutable relation p(s)\ntheorem [t] true\n";
    let (system, _) = ramsey::lang::pyv::load(ramsey::base::ids::Id::new(0), text);
    let system = system.expect("a model without errors");
    let refused = check(&system, SOURCE, single(0).as_bytes());
    assert_eq!(refused.expect_err("of a system").reason, not_a_claim);
    let refused = check(&system, SOURCE, certificate("answered", &[]).as_bytes());
    assert_eq!(refused.expect_err("no question").reason, not_a_claim);
}

#[test]
fn an_obligation_has_the_name_of_its_query_and_its_line() {
    let problem = problem();
    let queries = Question::Queries((0..5).collect());
    let closed = Closed::new(&problem, &queries).expect("it has a closed form");
    let text = document(&closed.lowering.core);
    for (name, line) in NAMES.iter().zip(text.lines().filter(|line| line.starts_with("query "))) {
        assert!(line.starts_with(&format!("query 1 open {} ", name.replace(' ', "%20."))), "{line}");
    }
    for (from, to, reason) in [
        ("q 2 2", "q 5 2", "no such obligation"),
        ("q 2 2", "q 02 2", "not a number"),
        ("q 2 2", "q 0 2", "a second answer"),
        ("q 2 2", "q 1 2", "a second answer"),
        ("q 2 2", "q 4 2", "says something else"),
        ("q 2 2", "q 2", "lacks a word"),
        ("q 2 2", "q 2 2 ", "more words"),
        ("q 2 2", "query 3 7", "unknown kind"),
    ] {
        let text = whole().replace(from, to);
        assert!(run(&problem, &text).is_err(), "{to}");
        let _ = reason;
    }
}

#[test]
fn evidence_is_about_its_own_query() {
    let problem = problem();
    for query in 0..EVIDENCE.len() {
        for (of, lines) in EVIDENCE.iter().enumerate() {
            let text = certificate(&format!("queries {} answered", query + 1), lines);
            assert_eq!(run(&problem, &text).is_ok(), query == of, "query {query} with evidence {of}");
        }
    }
    // Hypotheses of other queries, and the goals of others, are none.
    let text = single(2);
    rejects(&problem, &text.replace("i 0 0\n", "i 0 3\n"), "no such hypothesis");
    rejects(&problem, &text.replace("i 0 0\n", "i 1 0\n"), "no such obligation");
    // The goal `false` is no universal formula.
    rejects(&problem, &text.replace("i 0 0\n", "i 0 2\n"), "fewer variables");
    rejects(&problem, &text.replace("t A 0 0 0\n", "t A 1 0 0\n"), "not read in this state");
    rejects(&problem, &text.replace("t A 0 0 0\n", "t A 0 1 0\n"), "says something else");
    let text = single(3);
    rejects(&problem, &text.replace("true 0 0 1\n", "true 0 0 0\n"), "a hypothesis is false");
    rejects(&problem, &text.replace("true 0 0 1\n", ""), "a hypothesis is false");
    rejects(&problem, &text.replace("true 0 0 1\n", "true 1 0 1\n"), "not read in this state");
    let text = single(1);
    rejects(&problem, &text.replace("value 0 1 1\n", ""), "the goal is true");
    rejects(
        &problem,
        &text.replace("value 0 1 1\n", "value 0 2 1 1\nvalue 0 1 1\n"),
        "a hypothesis is false",
    );
}

/// Names of symbols stand in the closed form alone, and mean nothing there.
#[test]
fn names_that_cannot_stand_in_a_line_are_numbers() {
    let names_of = |problem: &Problem| -> Vec<String> {
        let queries = Question::Queries((0..5).collect());
        let closed = Closed::new(problem, &queries).expect("it has a closed form");
        let text = document(&closed.lowering.core);
        let is_declaration =
            |line: &&str| ["sort ", "function ", "relation "].iter().any(|word| line.starts_with(word));
        let name = |line: &str| line.split(' ').nth(2).expect("a name").to_owned();
        text.lines().filter(is_declaration).map(name).collect()
    };
    let odd =
        ["a b", "a\nb", "a'", "'", "\"", "|", "\\", "@0", "@3", "", "\u{e4}", "\u{7f}", "c", "%", "%20."];
    let plain: [[&str; 5]; 4] = [
        ["s", "s", "t", "=", "0"],
        ["a@", "a'b", "-", "end", "proof"],
        ["bool", "<=", "#", "x.y", "$i"],
        ["s", "a b", "b", "f", "p"],
    ];
    for names in plain.into_iter().chain(odd.map(|odd| [odd; 5])) {
        let problem = problem_named(names);
        assert_eq!(accepts(&problem, &whole()).proofs, 3, "{names:?}");
        let is_plain = |name: &str| {
            let is_odd = |it: char| !it.is_ascii_graphic() || "'\"|\\".contains(it);
            !name.is_empty() && !name.contains(is_odd) && !name.starts_with('@')
        };
        for (at, (name, said)) in names.iter().zip(names_of(&problem)).enumerate() {
            let is_taken = match at {
                0 => *name == "bool",
                _ => names[1..].iter().filter(|it| *it == name).count() > 1,
            };
            let number = if at == 0 { 1 } else { at - 1 };
            let expected =
                if is_plain(name) && !is_taken { (*name).to_owned() } else { format!("@{number}") };
            assert_eq!(said, expected.replace('%', "%25."), "{names:?}");
        }
    }
}

#[test]
fn formulas_that_are_open_or_too_deep_are_refused() {
    let mut open = problem();
    let sort = open.sig.uninterpreted_sorts().next().expect("a sort");
    let var = open.terms.new_var("y", sort);
    let y = open.terms.var(var);
    let trivial = open.terms.eq(y, y);
    open.queries[0].hypotheses.push(trivial);
    rejects(&open, &whole(), "closed systems have no");
    open.queries[0].hypotheses.pop();
    open.queries[1].hypotheses.push(trivial);
    rejects(&open, &whole(), "closed systems have no");

    let mut deep = problem();
    let mut formula = deep.queries[0].hypotheses[0];
    for _ in 0..=MAX_DEPTH {
        formula = deep.terms.not(formula);
    }
    deep.queries[0].hypotheses.push(formula);
    rejects(&deep, &whole(), "too deep");
    // Search knows that.
    let results = answers(&deep, &Options::default(), &Limits::default());
    assert!(matches!(results[0].outcome, Outcome::Unknown(_)), "{:?}", results[0].outcome);
    assert!(results[1..].iter().all(|result| result.certificate.is_some()));
}

/// A term with shared parts may be exponential as a tree.
#[test]
fn shared_terms_are_not_walked_as_trees() {
    let mut sig = Signature::new();
    let sort = declare(&mut sig, "s");
    let c = sig.symbols.push(symbol("c", &[], sort));
    let g = sig.symbols.push(symbol("g", &[sort, sort], sort));
    let mut terms = Terms::new();
    let mut tower = terms.app(&sig, c, 0, &[]);
    for _ in 0..200 {
        tower = terms.app(&sig, g, 0, &[tower, tower]);
    }
    let c = terms.app(&sig, c, 0, &[]);
    let same = terms.eq(tower, c);
    let goal = terms.fals();
    let problem = Problem { sig, terms, queries: vec![Query::new(vec![same], goal, 1)] };
    for lines in [&["s 0", "size 0 1", "end"][..], &["i 0 0", "q 0 0"]] {
        rejects(&problem, &certificate("queries 1 answered", lines), "too large");
    }
    let results = answers(&problem, &Options::default(), &Limits::default());
    assert!(matches!(results[0].outcome, Outcome::Unknown(_)), "{:?}", results[0].outcome);
}

/// Returns random hypotheses and goals over one vocabulary; some queries begin like the one before.
fn random_problem(seed: u64) -> (Vocabulary, Problem) {
    let mut rng = Rng::new(seed);
    let vocabulary = Vocabulary::random(&mut rng);
    let mut terms = Terms::new();
    let mut queries: Vec<Query> = Vec::new();
    for line in 1..=4 {
        let mut hypotheses = match queries.last() {
            Some(last) => last.hypotheses[..rng.below(last.hypotheses.len() + 1)].to_vec(),
            None => Vec::new(),
        };
        for _ in 0..rng.below(4) {
            hypotheses.push(Generator::new(&vocabulary, &mut terms, &mut rng).formula(2));
        }
        let goal = if rng.one_in(2) {
            terms.fals()
        } else {
            Generator::new(&vocabulary, &mut terms, &mut rng).formula(2)
        };
        queries.push(Query::new(hypotheses, goal, line));
    }
    (vocabulary.clone(), Problem { sig: vocabulary.sig, terms, queries })
}

fn origin(result: &QueryResult) -> Origin {
    Origin::Query { query: result.query, line: result.line }
}

#[test]
fn what_search_answers_is_accepted() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..cases(75) {
        let (vocabulary, mut problem) = random_problem(seed);
        if seed % 3 == 0 {
            // Names of which no line can be made.
            problem.sig.symbols.iter_mut().for_each(|symbol| symbol.name = "a name".into());
            problem.sig.sorts.iter_mut().for_each(|sort| sort.name = "a sort".into());
        }
        let limits = Limits { work: Some(2_000_000), ..Limits::default() };
        let mut results = answers(&problem, &Options::default(), &limits);
        let accepted = of_queries(&problem, SOURCE, &mut results, seed % 2 == 0);
        for result in &results {
            let Query { hypotheses, goal, .. } = &problem.queries[result.query];
            let refutes = |structure: &_| {
                let mut eval = Evaluator::new(problem.syntax(), structure);
                hypotheses.iter().all(|&hypothesis| eval.holds(hypothesis)) && !eval.holds(*goal)
            };
            match &result.outcome {
                Outcome::Proved => {
                    proved += 1;
                    let sizes = vocabulary.sorts.map(|sort| (sort, 2));
                    let structures = Structures::new(&problem.sig, &sizes);
                    let mut rng = Rng::new(seed);
                    assert!((0..500).all(|_| !refutes(&structures.random(&mut rng))), "seed {seed}");
                }
                Outcome::Refuted(structure) => {
                    refuted += 1;
                    assert!(refutes(structure), "seed {seed}");
                }
                Outcome::Unknown(_) => continue,
                Outcome::InternalError(what) => panic!("seed {seed}: {what}"),
            }
            assert!(result.certificate.is_some(), "seed {seed}");
        }
        let bytes = accepted.expect("the kernel accepts it").expect("something is answered").bytes;
        let summary = check(&problem, SOURCE, bytes.as_slice()).expect("accepted before");
        assert_eq!(summary.answers.len(), results.iter().filter(|it| it.certificate.is_some()).count());
        // A query does not depend on those before it.
        let mut alone = QueryRunner::new(&problem, Options::default());
        let last = alone.answer(3, &limits).expect("the last query");
        let kind = |result: &QueryResult| std::mem::discriminant(&result.outcome);
        assert_eq!(kind(&last), kind(&results[3]), "seed {seed}");
    }
    assert!(proved > 100 && refuted > 100, "{proved} proved, {refuted} refuted");
}

#[test]
fn a_budget_of_one_query_is_not_that_of_others() {
    let (_, mut problem) = random_problem(1);
    let count = problem.queries.len();
    for query in &mut problem.queries {
        query.hypotheses.truncate(1);
    }
    let mut answering = QueryRunner::new(&problem, Options::default());
    let none = Limits { work: Some(0), ..Limits::default() };
    for query in 0..count {
        let stopped = answering.answer(query, &none).expect("a query");
        assert!(matches!(stopped.outcome, Outcome::Unknown(_)), "{:?}", stopped.outcome);
        assert!(stopped.certificate.is_none());
        let result = answering.answer(query, &Limits::default()).expect("a query");
        assert!(!matches!(result.outcome, Outcome::Unknown(_)), "{:?}", result.outcome);
    }
    assert!(answering.answer(count, &Limits::default()).is_none());
    // Of nothing there is no certificate.
    let mut stopped = answers(&problem, &Options::default(), &none);
    assert!(of_queries(&problem, SOURCE, &mut stopped, false).is_ok_and(|it| it.is_none()));
}

/// A wrong answer does not get into a file.
#[test]
fn the_kernel_has_the_last_word() {
    let problem = problem();
    let options = Options { export: true, ..Options::default() };
    let results = answers(&problem, &options, &Limits::default());
    let text_of = |blocks: &[(usize, usize)]| {
        let queries = blocks.iter().map(|&(query, _)| query).collect();
        let claim = Claim { question: Question::Queries(queries), beside: None, proved: true };
        let blocks: Vec<_> = blocks
            .iter()
            .filter_map(|&(query, of)| Some((origin(&results[query]), results[of].certificate.as_ref()?)))
            .collect();
        elaborate::text(&problem, SOURCE, &claim, &blocks)
    };
    let good = text_of(&[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]).expect("proofs");
    accepts(&problem, &good);
    // The lines of another proof make none, or one of something else.
    for wrong in [&[(0, 0), (1, 0)][..], &[(2, 4)]] {
        assert!(text_of(wrong).map_or(true, |text| run(&problem, &text).is_err()), "{wrong:?}");
    }
    let mut swapped = results.clone();
    swapped[2].certificate = results[3].certificate.clone();
    assert!(of_queries(&problem, SOURCE, &mut swapped, false).is_err());
    let is_internal = |it: &&QueryResult| matches!(&it.outcome, Outcome::InternalError(what) if what.contains("certificate"));
    assert_eq!(swapped.iter().filter(is_internal).count(), 1, "{swapped:?}");
    assert!(matches!(swapped[4].outcome, Outcome::Proved), "the others stay");
    let exports = results.iter().filter(|it| matches!(&it.certificate, Some(Certificate::Proof(_, Some(_)))));
    assert_eq!(exports.count(), 3);
    assert_eq!(format::obligation(&problem, origin(&results[4])), "obligation query 5 20");
    assert!(Claim::parse(Subject::Problem(&problem), "claim queries 5 answered").is_some());
}

/// Exports write shared terms once.
#[test]
fn exports_of_shared_terms_stay_small() {
    let mut sig = Signature::new();
    let sort = declare(&mut sig, "s");
    let c = sig.symbols.push(symbol("c", &[], sort));
    let g = sig.symbols.push(symbol("g", &[sort, sort], sort));
    let p = sig.symbols.push(symbol("p", &[sort], SortId::BOOL));
    let mut terms = Terms::new();
    let mut tower = terms.app(&sig, c, 0, &[]);
    for _ in 0..16 {
        tower = terms.app(&sig, g, 0, &[tower, tower]);
    }
    let holds = terms.app(&sig, p, 0, &[tower]);
    let fails = terms.not(holds);
    let goal = terms.fals();
    let problem = Problem { sig, terms, queries: vec![Query::new(vec![holds, fails], goal, 1)] };
    let options = Options { export: true, ..Options::default() };
    let results = answers(&problem, &options, &Limits::default());
    let Some(Certificate::Proof(_, Some(export))) = &results[0].certificate else {
        panic!("a proof: {:?}", results[0].outcome)
    };
    assert!(export.smtlib.len() < 3_000, "{} bytes", export.smtlib.len());
    assert!(export.smtlib.contains("(declare-fun |g@0| (|s| |s|) |s|)"), "{}", export.smtlib);
    let file = ramsey::base::ids::Id::new(0);
    let (back, diagnostics) = ramsey::lang::smtlib::problem(file, &export.smtlib);
    let back = back.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let again = answers(&back, &Options::default(), &Limits::default());
    assert!(matches!(again[0].outcome, Outcome::Proved));
}
