//! Tests of the grammar, by printing formulas in the syntax of `.pyv`.

use super::{accept, goal, hypotheses};
use ramsey_lang::tptp::{Role, included};

/// Returns a first-order formula as printed.
fn fof(formula: &str) -> String {
    hypotheses(&format!("fof(a, axiom, {formula})."))[0].clone()
}

#[test]
fn connectives() {
    let cases = [
        ("p & q & r", "p & q & r"),
        ("p | (q | r)", "p | (q | r)"),
        ("p => q", "p -> q"),
        ("p <= q", "q -> p"),
        ("p <=> q", "p <-> q"),
        ("p <~> q", "!(p <-> q)"),
        ("p ~& q", "!(p & q)"),
        ("p ~| q", "!(p | q)"),
        ("~ ~ p", "!!p"),
        ("~p & q", "!p & q"),
        ("~(p & q)", "!(p & q)"),
        ("$true & $false", "true & false"),
        ("((p))", "p"),
        ("p => (q => r)", "p -> q -> r"),
        ("(p => q) => r", "(p -> q) -> r"),
    ];
    for (text, expected) in cases {
        assert_eq!(fof(text), expected, "{text}");
    }
}

#[test]
fn quantifiers_bind_one_unit() {
    assert_eq!(fof("! [X] : p(X) & q"), "(forall X:$i. p(X)) & q");
    assert_eq!(fof("! [X] : (p(X) & q)"), "forall X:$i. p(X) & q");
    assert_eq!(fof("~ ! [X,Y] : ? [Z] : ~ r(X,Y,Z)"), "!(forall X:$i, Y:$i. exists Z:$i. !r(X, Y, Z))");
    assert_eq!(fof("?[X]:X=a"), "exists X:$i. X = a");
    assert_eq!(fof("! [X] : X != f(X) => p"), "(forall X:$i. X != f(X)) -> p");
}

#[test]
fn equations_are_atoms() {
    assert_eq!(fof("~ a = b"), "a != b");
    assert_eq!(fof("a = b & f(a,b) != c"), "a = b & f(a, b) != c");
    assert_eq!(fof("p(a) | (g(a) = a)"), "p(a) | g(a) = a");
    assert_eq!(fof("! [X] : (X = a | a = X)"), "forall X:$i. X = a | a = X");
}

#[test]
fn clauses_bind_their_variables() {
    let cnf = |text: &str| hypotheses(&format!("cnf(a, axiom, {text})."))[0].clone();
    assert_eq!(cnf("p(X) | ~ q(X,Y)"), "forall X:$i, Y:$i. p(X) | !q(X, Y)");
    assert_eq!(cnf("(p(X) | Y != X)"), "forall X:$i, Y:$i. p(X) | Y != X");
    assert_eq!(cnf("$false"), "false");
    assert_eq!(cnf("p"), "p");
    assert_eq!(cnf("~ (p)"), "!p");
    let twice = hypotheses("cnf(a, axiom, p(X)). cnf(b, negated_conjecture, ~ q(X)).");
    assert_eq!(twice, ["forall X:$i. p(X)", "forall X:$i. !q(X)"]);
}

#[test]
fn typed_formulas() {
    let text = "tff(s_type, type, s: $tType).\n\
        tff('t type', type, ( 't t': $tType )).\n\
        tff(c, type, c: s).\n\
        tff(f, type, f: (s * 't t') > s).\n\
        tff(g, type, (g: (((s) > ('t t'))))).\n\
        tff(r, type, r: (s * s * 't t') > $o).\n\
        tff(o, type, o: $o).\n\
        tff(a, axiom, ! [X: s, Y: 't t'] : (r(f(X,Y),c,Y) & o)).\n\
        tff(b, axiom, ? [X, Y: $i] : (X = Y & p(X,k))).\n\
        tff(d, axiom, g(c) = g(f(c,g(c)))).\n\
        tcf(e, axiom, ! [X: s] : (~ r(X,c,g(X)) | Z = k)).\n";
    assert_eq!(
        hypotheses(text),
        [
            "forall X:s, Y:'t t'. r(f(X, Y), c, Y) & o",
            "exists X:$i, Y:$i. X = Y & p(X, k)",
            "g(c) = g(f(c, g(c)))",
            "forall Z:$i. forall X:s. !r(X, c, g(X)) | Z = k",
        ]
    );
}

#[test]
fn conditionals_are_terms_and_formulas() {
    let types =
        "tff(s, type, s: $tType). tff(c, type, c: s). tff(f, type, f: s > s). tff(q, type, q: s > $o).";
    let tff = |text: &str| hypotheses(&format!("{types} tff(a, axiom, {text})."))[0].clone();
    assert_eq!(tff("$ite(q(c) & p, c, f(c)) = c"), "(if q(c) & p then c else f(c)) = c");
    assert_eq!(tff("c = $ite(p, c, f($ite(~p, c, c)))"), "c = (if p then c else f(if !p then c else c))");
    assert_eq!(tff("$ite(d = e, d, e) = d"), "(if d = e then d else e) = d");
    assert_eq!(
        tff("$ite($ite(p, d, e) != d, $ite(p, d, e) = e, p)"),
        "if (if p then d else e) != d then (if p then d else e) = e else p"
    );
    assert_eq!(tff("$ite(p, q(c) | p, c = c) & p"), "(if p then q(c) | p else c = c) & p");
    assert_eq!(tff("$ite(p, $ite(p, c, c), c) != c"), "(if p then if p then c else c else c) != c");
    assert_eq!(
        tff("~ $ite(p, (q(c) => p), ! [X: s] : q(X))"),
        "!(if p then q(c) -> p else forall X:s. q(X))"
    );
    assert_eq!(tff("! [X: s] : $ite(p, X, c) = X"), "forall X:s. (if p then X else c) = X");
}

#[test]
fn names_are_distinguished_by_arity_and_kind() {
    let loaded = accept("fof(a, axiom, p & p(a) & p(a,a) & p(p) & p = 'p' & p(p(a))).");
    let names: Vec<_> = loaded.problem.sig.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names.iter().filter(|&&name| name == "p").count(), 5, "{names:?}");
    let loaded = accept("fof(a, axiom, 'p'('X y') & p('X y') & 'P'('abc') & p(abc)).");
    let names: Vec<_> = loaded.problem.sig.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["'X y'", "p", "abc", "'P'"]);
}

#[test]
fn distinct_objects_are_different() {
    let text = "fof(a, axiom, p(\"a b\", \"c\")). fof(b, axiom, p(\"c\", \"d\")). fof(c, conjecture, \"c\" != \"d\").";
    let loaded = accept(text);
    assert_eq!(loaded.hypotheses.len(), 2);
    assert_eq!(hypotheses(text)[2], "distinct(\"a b\", \"c\", \"d\")");
    assert_eq!(hypotheses("fof(a, axiom, p(\"a\"))."), ["p(\"a\")"]);
    assert_eq!(fof("$distinct(a,b,f(c))"), "distinct(a, b, f(c))");
    assert_eq!(fof("~ $distinct(a,b)"), "!(a != b)");
    assert_eq!(fof("$distinct(a)"), "true");
}

#[test]
fn roles_determine_the_query() {
    let text = "fof(one, axiom, p). fof(two, conjecture, q). fof('the third', hypothesis, r).\n\
        cnf(4, negated_conjecture, ~ s). fof(five, conjecture, t).";
    let loaded = accept(text);
    let names: Vec<_> = loaded.hypotheses.iter().map(|statement| statement.name.as_str()).collect();
    assert_eq!(names, ["one", "'the third'", "4"]);
    assert!(loaded.has_conjecture() && loaded.has_negated_conjecture());
    assert_eq!(loaded.conjectures.len(), 2);
    let span = loaded.hypotheses[1].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "fof('the third', hypothesis, r).");
    assert_eq!(loaded.problem.queries[0].line, 1);
    assert_eq!(goal(text), "q & t");
    let loaded = accept("\n\nfof(a, axiom, p).");
    assert!(!loaded.has_conjecture() && !loaded.has_negated_conjecture());
    assert_eq!(goal("fof(a, axiom, p)."), "false");
    assert_eq!(goal("fof(a, conjecture, p)."), "p");
    assert_eq!(accept("\n\nfof(a, conjecture, p).").problem.queries[0].line, 3);
    for role in [
        "axiom",
        "hypothesis",
        "definition",
        "assumption",
        "lemma",
        "theorem",
        "corollary",
        "plain",
        "interpretation",
        "fi_domain",
        "fi_functors",
        "fi_predicates",
    ] {
        let loaded = accept(&format!("fof(a, {role}, p)."));
        assert_eq!(loaded.hypotheses[0].role, Role::Axiom);
    }
    let empty = accept(" % nothing\n");
    assert!(empty.problem.queries[0].hypotheses.is_empty());
}

#[test]
fn annotations_are_ignored() {
    let annotations = [
        "unknown",
        "file('a b.p', x)",
        "inference(res, [status(thm), assumptions([])], [a, b:[bind(X, $fot(f(Y, g))), c], 1.5])",
        "introduced(definition), [description('x'), \"y\", Z, -1/2, $fof(! [X] : (p(X) & q))]",
        "theory(equality, [symmetry]), []",
        "a:b:c(d):[e]",
    ];
    for annotation in annotations {
        accept(&format!("fof(a, axiom, p, {annotation}). cnf(b, axiom, q, {annotation})."));
        accept(&format!("tff(s, type, s: $tType, {annotation})."));
    }
}

#[test]
fn a_problem_may_mix_dialects() {
    let text = "tff(p, type, p: $i > $o). fof(a, axiom, p(c)). cnf(b, axiom, p(X) | c = X). tff(c, conjecture, p(c)).";
    let loaded = accept(text);
    assert_eq!(loaded.problem.sig.symbols.len(), 2);
    assert_eq!(loaded.problem.sig.sorts.len(), 2);
    // Declarations may be repeated, as in files that are included twice.
    accept(
        "tff(s, type, s: $tType). tff(p, type, p: s > $o). tff(s, type, s: $tType). tff(p, type, p: s > $o).",
    );
}

#[test]
fn shadowing_binds_another_variable() {
    assert_eq!(
        fof("! [X] : (p(X) & ? [X] : q(X) & p(X))"),
        "forall X:$i. p(X) & (exists X_1:$i. q(X_1)) & p(X)"
    );
}

#[test]
fn files_that_a_text_includes() {
    let text = "% include('no').\ninclude( 'a/b.ax' ).\nfof(a, axiom, include('x')). include('it\\'s',[a]).\n include(no).";
    assert_eq!(included(text), ["a/b.ax", "it's"]);
    assert!(included("fof(include, axiom, p).").is_empty());
}
