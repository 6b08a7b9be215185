//! Kernel on problems without a model: certificates that it accepts and must reject, and acceptance of the answers of
//! search.

use crate::common::effort::cases;
use std::fmt::Write as _;

use crate::common::formulas::{Generator, Structures, Vocabulary, symbol};
use ramsey::base::rng::Rng;
use ramsey::check::format::{self, Claim};
use ramsey::check::{MAX_DEPTH, Rejection, Summary, check};
use ramsey::logic::{Evaluator, Problem, Query, Signature, Sort, SortId, SymId, TermId, Terms};
use ramsey::obligations::{Origin, Question, Subject};
use ramsey::prove;
use ramsey::prove::Certificate;
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
    sig.sorts.push(Sort { name: name.into(), annotations: vec![], span: None })
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
    let query = |hypotheses: &[TermId], goal, line| Query { hypotheses: hypotheses.to_vec(), goal, line };
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

const LINES: [&str; 5] = ["1 3", "2 5", "3 7", "4 7", "5 20"];

/// Evidence for each answer; the first line names its kind.
const BLOCKS: [&[&str]; 5] = [
    &["proof", "i 0", "i 1", "q -1 2", "r 0 1 2 3"],
    &["counterexample", "size s 2", "v b = 1"],
    &["proof", "i 0", "i 1", "t a", "u 1 0", "r 0 1 2 3"],
    &["counterexample", "size s 2", "v p 1 = 1"],
    &["proof", "i 0", "i 1", "t a", "t f 0", "u 1 1", "r 0 1 2 3"],
];

fn head(claim: &str) -> String {
    format!("{}\nsource {}\nclaim {claim}\n", format::HEADER, format::sha256(SOURCE))
}

fn block(obligation: &str, lines: &[&str]) -> String {
    format!("obligation query {obligation}\n{}\nend\n", lines.join("\n"))
}

/// Returns the certificate of these queries (from 0), in this order.
fn with(claim: &str, queries: &[usize]) -> String {
    queries.iter().fold(head(claim), |text, &query| text + &block(LINES[query], BLOCKS[query]))
}

fn whole() -> String {
    with("queries 1 2 3 4 5 answered", &[0, 1, 2, 3, 4])
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
        "5 obligations, 3 proved in 15 steps, 2 refuted\n\
         query 1 (line 3): theorem\n\
         query 2 (line 5): counter-satisfiable\n\
         query 3 (line 7): unsatisfiable\n\
         query 4 (line 7): satisfiable\n\
         query 5 (line 20): unsatisfiable"
    );
    assert_eq!(summary.claim.to_string(), "claim queries 1 2 3 4 5 answered");
    assert!(summary.same_source);
    // The order of blocks is free, and that of the summary is not.
    let summary = accepts(&problem(), &with("queries 2 4 5 answered", &[4, 1, 3]));
    assert_eq!(
        summary.to_string(),
        "3 obligations, 1 proved in 6 steps, 2 refuted\n\
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
    let all = [0, 1, 2, 3, 4];
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
        rejects(&problem, &with(claim, &all), not_a_claim);
    }
    // What is claimed has to be there, and nothing else.
    let missing = "query 3 7: the certificate ends without a block";
    rejects(&problem, &with("queries 1 2 3 4 5 answered", &[0, 1, 3, 4]), missing);
    rejects(&problem, &with("queries 1 3 answered", &[]), "query 1 3: the certificate ends without a block");
    rejects(&problem, &with("queries 1 2 4 5 answered", &all), "`obligation query 3 7` is not an obligation");
    rejects(&problem, &with("queries 3 answered", &[2, 2]), "treated twice");
    // A system has no queries, and other claims no answers.
    let text = "sort s\nimmutable relation p(s)\ntheorem [t] true\n";
    let (system, _) = ramsey::lang::pyv::load(ramsey::base::ids::Id::new(0), text);
    let system = system.expect("a model without errors");
    let refused = check(&system, SOURCE, with("queries 1 answered", &[0]).as_bytes());
    assert_eq!(refused.expect_err("of a system").reason, not_a_claim);
    let refused = check(&system, SOURCE, head("answered").as_bytes());
    assert_eq!(refused.expect_err("no question").reason, not_a_claim);
}

#[test]
fn an_obligation_names_its_query_and_its_line() {
    for (from, to) in [
        ("query 3 7", "query 3 8"),
        ("query 3 7", "query 03 7"),
        ("query 3 7", "query 2 7"),
        ("query 3 7", "query 3"),
        ("query 3 7", "query 3 7 "),
        ("query 1 3", "query 0 3"),
        ("query 1 3", "theorem 0 L3"),
        ("query 1 3", "trace 0"),
    ] {
        rejects(&problem(), &whole().replace(from, to), "is not an obligation of the model");
    }
}

#[test]
fn evidence_is_about_its_own_query() {
    for (query, line) in LINES.iter().enumerate() {
        for (evidence, lines) in BLOCKS.iter().enumerate() {
            let claim = format!("queries {} answered", query + 1);
            let text = head(&claim) + &block(line, lines);
            let accepted = run(&problem(), &text).is_ok();
            assert_eq!(accepted, query == evidence, "query {query} with evidence {evidence}");
        }
    }
    // Hypotheses of other queries, and the goals of others, are no inputs.
    let text = with("queries 3 answered", &[2]);
    rejects(&problem(), &text.replace("i 1\n", "i 3\n"), "fewer inputs");
    // An empty goal adds nothing: its negation is `true`.
    rejects(&problem(), &text.replace("i 1\n", "i 2\n"), "hint");
    rejects(&problem(), &text.replace("t a\n", "t a'\n"), "too many primes");
    rejects(&problem(), &text.replace("t a\n", "t b\n"), "not falsified");
    let text = with("queries 4 answered", &[3]);
    rejects(&problem(), &text.replace("v p 1 = 1\n", "v p 0 = 1\n"), "violates hypothesis 1");
    rejects(&problem(), &text.replace("v p 1 = 1\n", ""), "violates hypothesis 0");
    rejects(&problem(), &text.replace("v p 1 = 1\n", "v p' 1 = 1\n"), "too many primes");
    let text = with("queries 2 answered", &[1]);
    rejects(&problem(), &text.replace("v b = 1\n", ""), "satisfies the goal");
    rejects(&problem(), &text.replace("v b = 1\n", "v f 1 = 1\nv b = 1\n"), "violates hypothesis 0");
}

/// Returns the certificate with other names of declarations, in the order of [`words`].
fn renamed(names: [&str; 5]) -> String {
    let mut text = String::new();
    for line in whole().lines() {
        let mut fields: Vec<&str> = line.split(' ').collect();
        let is_of_proof = matches!(fields[0], "t" | "v" | "size");
        if is_of_proof {
            let at = ["s", "a", "b", "f", "p"].iter().position(|name| *name == fields[1]);
            fields[1] = names[at.expect("a declared name")];
        }
        let _ = writeln!(text, "{}", fields.join(" "));
    }
    text
}

#[test]
fn names_that_cannot_stand_in_a_line_are_numbers() {
    let plain = [
        // Sorts and symbols are kept apart; so are arguments.
        ["s", "s", "t", "=", "0"],
        ["a@", "a'b", "-", "end", "proof"],
        ["bool", "<=", "#", "x.y", "$i"],
    ];
    accepts(&problem_named(plain[0]), &renamed(plain[0]));
    // A `'` counts states.
    rejects(&problem_named(plain[1]), &renamed(plain[1]), "no symbol");
    accepts(&problem_named(plain[1]), &renamed(["a@", "@0", "-", "end", "proof"]));
    // The sort of formulas is called `bool`.
    rejects(&problem_named(plain[2]), &renamed(plain[2]), "no sort");
    accepts(&problem_named(plain[2]), &renamed(["@1", "<=", "#", "x.y", "$i"]));
    // None of these can be said: blanks, line ends, primes, quotes, what looks like a number of this kind, nothing, and
    // names that two symbols have.
    let numbers = ["@1", "@0", "@1", "@2", "@3"];
    for odd in ["a b", "a\nb", "a'", "'", "\"", "|", "\\", "@0", "@3", "", "\u{e4}", "\u{7f}", "c"] {
        let problem = problem_named([odd, odd, odd, odd, odd]);
        let summary = if odd == "c" {
            // One sort of that name.
            accepts(&problem, &renamed(["c", "@0", "@1", "@2", "@3"]))
        } else {
            accepts(&problem, &renamed(numbers))
        };
        assert_eq!(summary.proofs, 3);
        let line = renamed([numbers[0], odd, odd, odd, odd]);
        assert!(run(&problem, &line).is_err(), "{odd:?} names two things");
    }
    // A plain name has no number beside it.
    rejects(&problem(), &renamed(["s", "@0", "b", "f", "p"]), "no symbol `@0`");
    rejects(&problem(), &renamed(["@1", "a", "b", "f", "p"]), "no sort `@1`");
    rejects(&problem_named(["s", "a b", "b", "f", "p"]), &renamed(["s", "@00", "b", "f", "p"]), "no symbol");
    rejects(&problem_named(["s", "a b", "b", "f", "p"]), &renamed(["s", "@4", "b", "f", "p"]), "no symbol");
}

#[test]
fn formulas_that_are_open_or_too_deep_are_refused() {
    let mut open = problem();
    let sort = open.sig.uninterpreted_sorts().next().expect("a sort");
    let var = open.terms.new_var("y", sort);
    let y = open.terms.var(var);
    let trivial = open.terms.eq(y, y);
    open.queries[0].hypotheses.push(trivial);
    rejects(&open, &whole(), "query 1 3: a formula of the model has a free variable");
    open.queries[0].hypotheses.pop();
    open.queries[1].hypotheses.push(trivial);
    rejects(&open, &whole(), "query 2 5: a formula of the model has a free variable");

    let mut deep = problem();
    let mut formula = deep.queries[0].hypotheses[0];
    for _ in 0..=MAX_DEPTH {
        formula = deep.terms.not(formula);
    }
    deep.queries[0].hypotheses.push(formula);
    rejects(&deep, &whole(), "query 1 3: a formula of the model is nested too deep");
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
    let problem = Problem { sig, terms, queries: vec![Query { hypotheses: vec![same], goal, line: 1 }] };
    let text = head("queries 1 answered") + &block("1 1", &["counterexample", "size s 1"]);
    rejects(&problem, &text, "too large to be evaluated");
    let text = head("queries 1 answered") + &block("1 1", &["proof", "i 0"]);
    rejects(&problem, &text, "too large for the normal form");
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
        queries.push(Query { hypotheses, goal, line });
    }
    (vocabulary.clone(), Problem { sig: vocabulary.sig, terms, queries })
}

fn origin(result: &QueryResult) -> Origin {
    Origin::Query { query: result.query, line: result.line }
}

#[test]
fn what_search_answers_is_accepted() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..cases(150) {
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
        let claim = Claim { question: Question::Queries(queries), proved: true };
        let blocks: Vec<_> = blocks
            .iter()
            .filter_map(|&(query, of)| Some((origin(&results[query]), results[of].certificate.as_ref()?)))
            .collect();
        prove::text(&problem, SOURCE, &claim, &blocks)
    };
    accepts(&problem, &text_of(&[(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]));
    rejects(&problem, &text_of(&[(0, 0), (1, 0)]), "query 2 5");
    rejects(&problem, &text_of(&[(2, 4)]), "query 3 7");
    let mut swapped = results.clone();
    swapped[2].certificate = results[3].certificate.clone();
    assert!(of_queries(&problem, SOURCE, &mut swapped, false).is_err());
    assert!(
        matches!(&swapped[2].outcome, Outcome::InternalError(what) if what.contains("the kernel rejects"))
    );
    assert!(matches!(swapped[0].outcome, Outcome::Proved), "the others stay");
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
    let problem =
        Problem { sig, terms, queries: vec![Query { hypotheses: vec![holds, fails], goal, line: 1 }] };
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
