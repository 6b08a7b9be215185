//! Tests of errors: positions, messages and hints.

use super::{Session, file, problem};
use ramsey_core::base::span::line_column;

const VOCABULARY: &str =
    "(declare-sort S 0)(declare-fun p (S) Bool)(declare-fun vote (S S) Bool)(declare-const a S)
    (declare-const q Bool)(declare-sort P 1)(define-fun m ((x S) (b Bool)) Bool (or b (p x)))
    (declare-datatype E ((red) (green)))(define-sort D (X) (P X))";

#[test]
fn errors_have_positions() {
    // Command, text at the position, message.
    let cases = [
        ("(assert (vote a))", "(vote a)", "`vote` takes 2 arguments, not 1"),
        ("(assert (vote a a a))", "(vote a a a)", "`vote` takes 2 arguments, not 3"),
        ("(assert (m a))", "(m a)", "`m` takes 2 arguments, not 1"),
        ("(assert (p q))", "q", "expected sort `S`, found `Bool`"),
        ("(assert (and q a))", "a", "expected sort `Bool`, found `S`"),
        ("(assert (m q q))", "q", "expected sort `S`, found `Bool`"),
        ("(assert a)", "a", "expected sort `Bool`, found `S`"),
        ("(assert (= a q))", "q", "expected sort `S`, found `Bool`"),
        ("(assert (= a))", "(= a)", "`=` takes at least 2 arguments, not 1"),
        ("(assert (not q q))", "(not q q)", "`not` takes 1 argument, not 2"),
        ("(assert (ite q a q))", "q", "expected sort `S`, found `Bool`"),
        ("(assert (and))", "(and)", "`and` takes at least 1 argument, not 0"),
        ("(assert and)", "and", "`and` takes arguments, and here it has none"),
        ("(assert (true))", "(true)", "`true` takes no arguments"),
        ("(assert (q))", "(q)", "`q` takes no arguments"),
        ("(assert (q a))", "(q a)", "`q` takes no arguments"),
        ("(assert p)", "p", "`p` takes 1 argument, and here it has none"),
        ("(assert (votes a a))", "votes", "`votes` is not declared"),
        ("(assert (vote a b))", "b", "`b` is not declared"),
        ("(assert (forall ((x S)) (x a)))", "x", "the variable `x` is applied to arguments"),
        ("(assert (forall ((x S) (x S)) q))", "x", "`x` is bound twice here"),
        ("(assert (let ((x a) (x a)) q))", "x", "`x` is bound twice here"),
        ("(assert (forall () q))", ")", "a quantifier binds at least one variable"),
        ("(assert (forall ((x T)) q))", "T", "the sort `T` is not declared"),
        ("(assert (forall ((x P)) q))", "P", "the sort symbol `P` takes 1 argument, not 0"),
        ("(assert (forall ((x (S S))) q))", "S", "the sort symbol `S` takes no arguments, not 1"),
        (
            "(assert (forall ((x S)) (! (p x) :named n)))",
            "(p x)",
            "a term with a name has no free variables, but `x` is free in this one",
        ),
        ("(assert (! q :named a))", "a", "`a` is declared already"),
        ("(assert (! q))", ")", "expected an attribute, found `)`"),
        ("(assert (! q :named))", ")", "expected the name of the term, found `)`"),
        ("(assert (as a E))", "a", "`a` is of sort `S`, not `E`"),
        ("(assert ((_ is a) red))", "a", "`a` is no constructor"),
        ("(assert ((_ is red) a))", "a", "expected sort `E`, found `S`"),
        ("(assert (match a ((x q))))", "a", "expected a datatype, found sort `S`"),
        ("(assert (match red ((red q) (green a))))", "a", "expected sort `Bool`, found `S`"),
        ("(assert (let))", ")", "expected the bindings of `let` in parentheses, found `)`"),
        ("(assert (let (x) q))", "x", "expected a binding or `)`, found `x`"),
        ("(assert let)", "let", "expected a term, found `let`"),
        ("(assert)", ")", "expected a term, found `)`"),
        ("(assert q q)", "q", "expected `)`, found `q`"),
        ("(assert (+ a 1))", "+", "`+` is of the theory of arithmetic, which is not supported"),
        ("(assert (= a 1))", "1", "`1` is of the theory of arithmetic, which is not supported"),
        ("(assert (= a 1.50))", "1.50", "`1.50` is of the theory of arithmetic, which is not supported"),
        ("(assert (= a #b01))", "#b01", "`#b01` is of the theory of bit vectors, which is not supported"),
        ("(assert (= a \"x\"))", "\"x\"", "`\"x\"` is of the theory of strings, which is not supported"),
        (
            "(assert (= a (_ bv1 8)))",
            "(_ bv1",
            "`(_ bv1 ..)` is of the theory of bit vectors, which is not supported",
        ),
        ("(assert (select a a))", "select", "`select` is of the theory of arrays, which is not supported"),
        (
            "(declare-const i Int)",
            "Int",
            "`Int` is a sort of the theory of arithmetic, which is not supported",
        ),
        (
            "(declare-const i (_ BitVec 8))",
            "(_ BitVec",
            "`(_ BitVec ..)` is of the theory of bit vectors, which is not supported",
        ),
        ("(declare-const a S)", "a", "`a` is declared already"),
        ("(declare-const and S)", "and", "`and` is a function of the core theory"),
        ("(declare-const let S)", "let", "expected the name of the constant, found `let`"),
        ("(declare-const 1x S)", "1x", "`1x` is neither a number nor a symbol"),
        ("(declare-sort S 0)", "S", "the sort `S` is declared already"),
        ("(declare-sort Bool 0)", "Bool", "the sort `Bool` is declared already"),
        ("(declare-sort T -1)", "-1", "expected the number of arguments of the sort, found `-1`"),
        ("(define-fun f () S q)", "q", "expected sort `S`, found `Bool`"),
        ("(define-fun f ((x S)) S (f x))", "f", "`f` is not declared"),
        ("(define-fun-rec f ((x S)) S (f x))", "f", "the definition of `f` uses itself"),
        (
            "(define-funs-rec ((f () Bool) (g () Bool)) ((not g) (not f)))",
            "f",
            "the definition of `f` uses itself",
        ),
        (
            "(declare-datatype L ((nil) (cons (head S))))",
            "cons",
            "the constructor `cons` has fields, which is not supported",
        ),
        ("(declare-datatype L ())", "L", "a datatype has at least one constructor"),
        ("(declare-datatype L ((a)))", "a", "`a` is declared already"),
        ("(declare-datatype L ((c) (c)))", "c", "`c` is bound twice here"),
        ("(declare-datatype L (par (X) ((c))))", "par", "a datatype with parameters is not supported"),
        ("(pop)", "pop", "cannot pop 1: no level has been pushed"),
        ("(pop 7)", "7", "cannot pop 7: no level has been pushed"),
        (
            "(push 99999999999999999999999)",
            "99999999999999999999999",
            "`99999999999999999999999` is too large",
        ),
        ("(push a)", "a", "expected a number of levels, found `a`"),
        ("(echo a)", "a", "expected a string, found `a`"),
        ("(get-value ())", ")", "expected a term, found `)`"),
        ("(get-info name)", "name", "expected a keyword, found `name`"),
        ("(get-model q)", "q", "expected `)`, found `q`"),
        ("()", ")", "expected the name of a command, found `)`"),
        ("(assert é)", "é", "unexpected character `é`"),
        ("(assert |a\\b|)", "\\", "a quoted symbol contains `\\`"),
    ];
    let mut session = Session::after(VOCABULARY);
    let mut wrong = String::new();
    for (text, place, message) in cases {
        let (found, said, _) = session.error(text);
        if (&*found, &*said) != (place, message) {
            wrong += &format!("{text}: {found:?} {said:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn errors_have_hints() {
    let cases = [
        ("(assert (vots a a))", "did you mean `vote`?"),
        ("(assert (forall ((voter S)) (p vter)))", "did you mean `voter`?"),
        ("(assert (= a undeclared-thing))", "declare it before: `(declare-fun undeclared-thing (..) ..)`"),
        ("(declare-const c Bol)", "did you mean `Bool`?"),
        ("(declare-const c |A sort|)", "declare it: `(declare-sort |A sort| 0)`"),
        ("(assert (q))", "write `q` without parentheses"),
        ("(assert p)", "an application looks like `(p ..)`"),
        ("(declare-const 1 S)", "with bars it is a symbol: `|1|`"),
        (
            "(assert (< a a))",
            "there are uninterpreted sorts only: declare a sort and functions, and assert what has to be known of them",
        ),
    ];
    let mut session = Session::after(VOCABULARY);
    for (text, expected) in cases {
        assert_eq!(session.error(text).2, expected, "{text}");
    }
}

#[test]
fn positions_refer_to_the_script() {
    let text = "; a comment\n(declare-sort S 0)\n\n  (declare-const é S)(assert (and\n    (= a b)))\nx ) (check-sat)\n(assert |q\n";
    let (problem, diagnostics) = problem(file(), text);
    assert!(problem.is_none());
    let found: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            let span = diagnostic.primary.as_ref().expect("a place").span;
            let (line, column) = line_column(text, span.start as usize);
            format!("{line}:{column} {}", diagnostic.message)
        })
        .collect();
    assert_eq!(
        found,
        [
            "4:18 unexpected character `é`",
            "5:8 `a` is not declared",
            "6:1 a command is expected here",
            "6:3 this `)` closes nothing",
            "7:1 a quoted symbol in this command has no end",
        ]
    );
}
