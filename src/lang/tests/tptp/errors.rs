//! Tests of errors: positions and messages.

use super::load;

/// Texts with an error each: the first line printed, and a part of the following text.
const ERRORS: &[(&str, &str, &str)] = &[
    (
        "fof(a, axiom, p",
        "1:15 error[R003]: expected a connective or `)`, found the end of the file",
        "`p`: expected a connective or `)` behind this",
    ),
    (
        "fof(a, axiom, p)\nfof(b, axiom, q).",
        "1:16 error[R003]: expected `.` at the end of the statement, found `fof`",
        "`)`: expected `.` at the end of the statement behind this",
    ),
    (
        "fof(a, axiom, p & q | r).",
        "1:21 error[R003]: parentheses are needed where `|` follows another connective",
        "help: only `&` with `&` and `|` with `|` go without: `(a & b) => c`",
    ),
    (
        "fof(a, axiom, p => q => r).",
        "1:22 error[R003]: `=>` takes two formulas, so parentheses are needed here",
        "help: only `&` with `&` and `|` with `|` go without: `(a & b) => c`",
    ),
    ("fof(a, axiom, p & ).", "1:19 error[R003]: expected a formula, found `)`", "`)`: expected a formula"),
    (
        "fof(a, axiom, p && q).",
        "1:18 error[R003]: expected a formula, found `&`",
        "help: conjunction is written `&`",
    ),
    (
        "fof(a, axiom, p == q).",
        "1:18 error[R003]: expected a term, found `=`",
        "help: equality is written `=`",
    ),
    (
        "fof(a, axiom, p -> q).",
        "1:17 error[R002]: unexpected character `-`",
        "help: implication is written `=>`",
    ),
    (
        "fof(a, axiom, p <-> q).",
        "1:17 error[R002]: unexpected character `<`",
        "help: equivalence is written `<=>`; there are no numbers",
    ),
    (
        "fof(a, axiom, a /\\ b).",
        "1:17 error[R002]: unexpected character `/`",
        "help: conjunction is written `&`, disjunction `|`; comments start with `%`",
    ),
    (
        "fof(a, axiom, ! [X] : p(X) & q(X)).",
        "1:32 error[R006]: the variable `X` is not bound here",
        "help: put parentheses around what it is about: `! [X] : ( .. )`",
    ),
    (
        "fof(a, axiom, p(X)).",
        "1:17 error[R006]: the variable `X` is not bound here",
        "help: formulas are closed: `! [X] : ( .. )` is about all `X`, `? [X] : ( .. )` about some",
    ),
    (
        "fof(a, axiom, P(x)).",
        "1:15 error[R003]: `P` is a variable and takes no arguments",
        "help: names of functions and relations begin with a lower-case letter, or are in single quotes",
    ),
    (
        "fof(a, axiom, ! [x] : p(x)).",
        "1:18 error[R003]: expected a variable, found `x`",
        "help: variables begin with a capital letter",
    ),
    (
        "fof(a, axiom, ! X : p(X)).",
        "1:17 error[R003]: expected `[` and variables, found `X`",
        "help: words with a capital letter are variables",
    ),
    ("fof(a, axiom, ! [X] p(X)).", "1:21 error[R003]: expected `:`, found `p`", "`p`: expected `:`"),
    (
        "fof(a, axiom, forall X: p(X)).",
        "1:22 error[R003]: expected a connective or `)`, found `X`",
        "help: `for all` is written `! [X] : ( .. )`",
    ),
    (
        "fof(a, axiom, p and q).",
        "1:17 error[R003]: expected a connective or `)`, found `and`",
        "help: conjunction is written `&`",
    ),
    (
        "fof(a, axiom, not p).",
        "1:19 error[R003]: expected a connective or `)`, found `p`",
        "help: negation is written `~`",
    ),
    (
        "fof(a, axiom, ! [X: s] : p(X)).",
        "1:19 error[R003]: expected `,` or `]`, found `:`",
        "help: variables have types in `tff` only",
    ),
    (
        "fof(a, axiom, (p & q).",
        "1:22 error[R003]: expected a connective or `)`, found `.`",
        "`.`: expected a connective or `)`",
    ),
    (
        "fof(a, axiom, p & q)).",
        "1:21 error[R003]: expected `.` at the end of the statement, found `)`",
        "`)`: expected `.` at the end of the statement",
    ),
    ("fof(a, axiom, p(a,)).", "1:19 error[R003]: expected a term, found `)`", "`)`: expected a term"),
    ("fof(a, axiom, f(a) = ).", "1:22 error[R003]: expected a term, found `)`", "`)`: expected a term"),
    (
        "fof(a, axiom, a = b = c).",
        "1:21 error[R003]: expected a connective or `)`, found `=`",
        "`=`: expected a connective or `)`",
    ),
    (
        "fof(a, axiom, p(q & r)).",
        "1:19 error[R003]: expected `,` or `)`, found `&`",
        "help: formulas as arguments, and equality of formulas, are not supported; equivalence is `<=>`",
    ),
    (
        "fof(a, axiom, p(~ q)).",
        "1:17 error[R003]: expected a term, found `~`",
        "help: formulas as arguments, and equality of formulas, are not supported; equivalence is `<=>`",
    ),
    (
        "fof(a, axiom, p($true)).",
        "1:17 error[R003]: expected a term, found `$true`",
        "help: formulas as arguments, and equality of formulas, are not supported; equivalence is `<=>`",
    ),
    (
        "fof(a, axiom, X).",
        "1:15 error[R006]: the variable `X` is not bound here",
        "help: formulas are closed: `! [X] : ( .. )` is about all `X`, `? [X] : ( .. )` about some",
    ),
    (
        "fof(a, axiom, ! [X] : X).",
        "1:23 error[R008]: a term of type `$i` where a formula is expected",
        "`X`: not a formula",
    ),
    (
        "fof(a, axiom, ! [X] : X & p).",
        "1:23 error[R008]: a term of type `$i` where a formula is expected",
        "`X`: not a formula",
    ),
    (
        "fof(a, axiom, $tru).",
        "1:15 error[R006]: `$tru` is not a word of TPTP that is known here",
        "help: did you mean `$true`?",
    ),
    (
        "fof(a, axiom, $foo(a)).",
        "1:15 error[R006]: `$foo` is not a word of TPTP that is known here",
        "`$foo`: unknown",
    ),
    (
        "fof(a, axiom, $less(1,2)).",
        "1:15 error[R013]: integer arithmetic is outside first-order logic with uninterpreted sorts",
        "help: model numbers by an uninterpreted sort with a relation `le` and axioms that make it a total order",
    ),
    (
        "fof(a, axiom, p(1)).",
        "1:17 error[R013]: integer arithmetic is outside first-order logic with uninterpreted sorts",
        "help: model numbers by an uninterpreted sort with a relation `le` and axioms that make it a total order",
    ),
    (
        "fof(a, axiom, $$x(a)).",
        "1:15 error[R013]: words that begin with `$$` belong to other systems",
        "`$$x`: outside many-sorted first-order logic",
    ),
    (
        "fof(a, axiom, [p] --> [q]).",
        "1:15 error[R003]: expected a formula, found `[`",
        "`[`: expected a formula",
    ),
    (
        "fof(a, axiom, p @ q).",
        "1:17 error[R002]: unexpected character `@`",
        "help: this is higher-order; functions are applied as in `f(X)`",
    ),
    ("fof(a, axim, p).", "1:8 error[R003]: `axim` is not a role", "help: did you mean `axiom`?"),
    (
        "fof(a, question, p).",
        "1:8 error[R003]: `question` is not a role",
        "help: formulas are `axiom`, `hypothesis`, `conjecture`, `negated_conjecture` and the like",
    ),
    (
        "fof(a, unknown, p).",
        "1:8 error[R003]: formulas of the role `unknown` have no meaning",
        "`unknown`: neither taken as true nor to be proved",
    ),
    (
        "fof(a, logic, p).",
        "1:8 error[R003]: formulas of the role `logic` have no meaning",
        "`logic`: neither taken as true nor to be proved",
    ),
    (
        "fof(A, axiom, p).",
        "1:5 error[R003]: expected a name of the formula, found `A`",
        "help: words with a capital letter are variables",
    ),
    (
        "fof(a, axiom).",
        "1:13 error[R003]: expected `,` and a formula, found `)`",
        "`)`: expected `,` and a formula",
    ),
    (
        "fof(a axiom, p).",
        "1:7 error[R003]: expected `,` and a role, found `axiom`",
        "`axiom`: expected `,` and a role",
    ),
    ("fof a, axiom, p).", "1:5 error[R003]: expected `(`, found `a`", "`a`: expected `(`"),
    (
        "foff(a, axiom, p).",
        "1:1 error[R003]: expected a statement, found `foff`",
        "help: did you mean `fof`?",
    ),
    (
        "tpi(a, axiom, p).",
        "1:1 error[R003]: expected a statement, found `tpi`",
        "help: statements are `cnf`, `fof`, `tff` and `tcf` with a name, a role and a formula, and `include`",
    ),
    (
        "p(a).",
        "1:1 error[R003]: expected a statement, found `p`",
        "help: statements are `cnf`, `fof`, `tff` and `tcf` with a name, a role and a formula, and `include`",
    ),
    (
        "cnf(a, axiom, p & q).",
        "1:17 error[R003]: this is not a clause",
        "help: formulas are written `fof(name, role, ..)`",
    ),
    (
        "cnf(a, axiom, ! [X] : p(X)).",
        "1:15 error[R003]: this is not a clause",
        "help: formulas are written `fof(name, role, ..)`",
    ),
    (
        "cnf(a, conjecture, p).",
        "1:8 error[R003]: a clause cannot be a conjecture",
        "help: clauses of the negated conjecture have the role `negated_conjecture`; conjectures are written in `fof` or `tff`",
    ),
    (
        "tcf(a, axiom, ? [X] : p(X)).",
        "1:15 error[R003]: this is not a clause",
        "help: formulas are written `fof(name, role, ..)`",
    ),
    (
        "tcf(a, axiom, p | ! [X] : p(X)).",
        "1:19 error[R003]: this is not a clause",
        "help: formulas are written `fof(name, role, ..)`",
    ),
    (
        "thf(a, axiom, p @ q).",
        "1:1 error[R013]: higher-order formulas (`thf`) are not supported",
        "`thf`: outside many-sorted first-order logic",
    ),
    (
        "fof(a, type, p: $i).",
        "1:8 error[R003]: types are declared in `tff` only",
        "help: write `tff(name, type, symbol: type).`",
    ),
    (
        "tff(a, type, p: s).",
        "1:17 error[R006]: the type `s` is not declared",
        "help: declare it before: `tff(s_type, type, s: $tType).`",
    ),
    (
        "tff(a, type, s: $tType). tff(b, type, p: S > $o).",
        "1:42 error[R003]: expected a type, found `S`",
        "help: words with a capital letter are variables",
    ),
    (
        "tff(a, type, node: $tType). tff(b, type, p: nodes > $o).",
        "1:45 error[R006]: the type `nodes` is not declared",
        "help: did you mean `node`?",
    ),
    (
        "tff(a, type, p: $i > $i > $i).",
        "1:17 error[R013]: functions of functions are not supported",
        "help: a symbol with two arguments has a type like `(a * b) > c`",
    ),
    (
        "tff(a, type, p: $i * $i).",
        "1:17 error[R003]: expected `>` behind the types of the arguments",
        "help: a symbol with two arguments has a type like `(a * b) > c`",
    ),
    ("tff(a, type, p: $i * $i > ).", "1:27 error[R003]: expected a type, found `)`", "`)`: expected a type"),
    (
        "tff(a, type, p: ($i > $i) > $i).",
        "1:17 error[R013]: functions of functions are not supported",
        "help: a symbol with two arguments has a type like `(a * b) > c`",
    ),
    (
        "tff(a, type, p: $o > $o).",
        "1:17 error[R013]: formulas as arguments are not supported",
        "`$o`: outside many-sorted first-order logic",
    ),
    (
        "tff(a, type, p: $tType > $tType).",
        "1:17 error[R013]: types with arguments are not supported",
        "`$tType`: outside many-sorted first-order logic",
    ),
    (
        "tff(a, type, p: !> [A: $tType] : A > $o).",
        "1:17 error[R013]: polymorphic types are not supported",
        "`!>`: outside many-sorted first-order logic",
    ),
    (
        "tff(a, type, p: [$i, $i]).",
        "1:17 error[R013]: types of tuples are not supported",
        "`[`: outside many-sorted first-order logic",
    ),
    (
        "tff(a, type, p: $int > $o).",
        "1:17 error[R013]: integer arithmetic is outside first-order logic with uninterpreted sorts",
        "help: model numbers by an uninterpreted sort with a relation `le` and axioms that make it a total order",
    ),
    (
        "tff(a, type, p: $ttype).",
        "1:17 error[R006]: `$ttype` is not a type of TPTP",
        "help: did you mean `$tType`?",
    ),
    (
        "tff(a, type, p).",
        "1:15 error[R003]: expected `:` and a type, found `)`",
        "`)`: expected `:` and a type",
    ),
    (
        "tff(a, type, P: $i).",
        "1:14 error[R003]: expected the name that is declared, found `P`",
        "help: words with a capital letter are variables",
    ),
    (
        "tff(a, type, s: $tType). tff(b, type, s: $i).",
        "1:39 error[R005]: `s` is declared twice, with different types",
        "1:14: first declared here",
    ),
    (
        "tff(a, type, c: $i). tff(b, type, c: $i > $i).",
        "1:35 error[R005]: `c` is declared twice, with different types",
        "1:14: first declared here",
    ),
    (
        "fof(a, axiom, p(c)). tff(b, type, c: $i).",
        "1:35 error[R005]: `c` is declared after it was used",
        "help: move the declaration before the first use",
    ),
    (
        "tff(a, type, s: $tType). tff(b, type, c: s). tff(d, axiom, p(c)).",
        "1:62 error[R008]: argument 1 of `p` is of type `s`, and `$i` is expected",
        "note: `p` is not declared, so it is over `$i`; declarations come before uses",
    ),
    (
        "tff(a, type, s: $tType). tff(b, type, c: s). tff(d, axiom, c = d).",
        "1:64 error[R008]: `s` is expected, and this is of type `$i`",
        "note: both sides of an equation are of one type",
    ),
    (
        "tff(a, type, s: $tType). tff(b, axiom, s = s).",
        "1:40 error[R008]: `s` is a type",
        "1:14: declared here",
    ),
    (
        "tff(a, type, f: $i > $i). tff(b, axiom, f(a,b) = a).",
        "1:41 error[R007]: `f` takes 1 argument, and there are 2",
        "1:14: declared here",
    ),
    (
        "tff(a, type, f: $i > $i). tff(b, axiom, f(a)).",
        "1:41 error[R008]: `f` is of type `$i`",
        "1:14: declared here",
    ),
    (
        "tff(a, type, p: $i > $o). tff(b, axiom, p(a) = p(b)).",
        "1:41 error[R008]: `p` is a relation",
        "help: formulas as arguments, and equality of formulas, are not supported; equivalence is `<=>`",
    ),
    (
        "tff(a, type, p: $i > $o). tff(b, axiom, q(p(a))).",
        "1:43 error[R008]: `p` is a relation",
        "help: formulas as arguments, and equality of formulas, are not supported; equivalence is `<=>`",
    ),
    (
        "tff(a, type, c: s). tff(b, axiom, c = c).",
        "1:17 error[R006]: the type `s` is not declared",
        "help: declare it before: `tff(s_type, type, s: $tType).`",
    ),
    (
        "tff(a, axiom, ! [X: $o] : p(X)).",
        "1:21 error[R013]: variables that stand for formulas are not supported",
        "`$o`: outside many-sorted first-order logic",
    ),
    (
        "tff(a, axiom, ! [X: $tType] : p(X)).",
        "1:21 error[R013]: variables that stand for types are not supported",
        "`$tType`: outside many-sorted first-order logic",
    ),
    (
        "tff(a, axiom, ! [X: list($i)] : p(X)).",
        "1:21 error[R006]: the type `list` is not declared",
        "help: declare it before: `tff(list_type, type, list: $tType).`",
    ),
    (
        "tff(a, axiom, $ite(a)).",
        "1:21 error[R003]: expected `,`: a condition and two values, found `)`",
        "`)`: expected `,`: a condition and two values",
    ),
    (
        "tff(a, axiom, $let(c: $i, c := a, p(c))).",
        "1:15 error[R013]: `$let` is not supported",
        "`$let`: outside many-sorted first-order logic",
    ),
    (
        "fof(a, axiom, $ite(p, q, r)).",
        "1:15 error[R003]: expected a formula, found `$ite`",
        "help: `$ite` belongs to `tff`",
    ),
    (
        "tff(a, axiom, $distinct(a, 1)).",
        "1:28 error[R013]: integer arithmetic is outside first-order logic with uninterpreted sorts",
        "help: model numbers by an uninterpreted sort with a relation `le` and axioms that make it a total order",
    ),
    (
        "fof(a, axiom, 'p).",
        "1:15 error[R003]: the quote is not closed on its line",
        "help: within quotes, `\\'` stands for a quote",
    ),
    (
        "fof(a, axiom, p('a\\b')).",
        "1:17 error[R003]: a backslash that stands for nothing",
        "help: within quotes, a backslash comes before a quote or another backslash",
    ),
    ("fof(a, axiom, p). /* b", "1:19 error[R003]: the comment has no end", "help: it ends with `*/`"),
    ("fof(a, axiom, p, file(x).", "1:25 error[R003]: expected `)`, found `.`", "`.`: expected `)`"),
    (
        "fof(a, axiom, p, &).",
        "1:18 error[R003]: expected an annotation, found `&`",
        "`&`: expected an annotation",
    ),
    ("fof(a, axiom, p, x, [y], z).", "1:24 error[R003]: expected `)`, found `,`", "`,`: expected `)`"),
    (
        "fof(a, axiom, p).)",
        "1:18 error[R003]: expected a statement: `cnf(`, `fof(`, `tff(`, `tcf(` or `include(`, found `)`",
        "`)`: expected a statement: `cnf(`, `fof(`, `tff(`, `tcf(` or `include(`",
    ),
    (
        "fof(a, axiom, größe).",
        "1:17 error[R002]: unexpected character `ö`",
        "help: names with other characters than letters, digits and `_` are written in quotes: `'..'`",
    ),
    (
        "include('a'",
        "1:9 error[R003]: expected `)`, found the end of the file",
        "`'a'`: expected `)` behind this",
    ),
    (
        "include(\"a\").",
        "1:9 error[R003]: expected the name of a file in single quotes, found `\"a\"`",
        "`\"a\"`: expected the name of a file in single quotes",
    ),
    (
        "fof(a, axiom, p ! q).",
        "1:17 error[R003]: expected a connective or `)`, found `!`",
        "`!`: expected a connective or `)`",
    ),
    (
        "fof(a, axiom, f(X) = a & p).",
        "1:17 error[R006]: the variable `X` is not bound here",
        "help: formulas are closed: `! [X] : ( .. )` is about all `X`, `? [X] : ( .. )` about some",
    ),
];

#[test]
fn errors_have_a_place_and_a_hint() {
    let mut wrong = String::new();
    for (text, line, remark) in ERRORS {
        let (_, printed) = load(text);
        let mut lines = printed.lines();
        let first = lines.next().unwrap_or_default();
        let rest: Vec<&str> = lines.collect();
        let only_one = printed.matches("error[").count() == 1;
        if first != *line || !only_one || !rest.iter().any(|line| line.contains(remark)) {
            wrong += &format!("{text}\n{printed}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
