//! Tests of the grammar: precedence, forms of declarations, syntax errors and their hints.

use super::{file, load, render};
use ramsey_lang::fol::ast::{Expr, ExprKind};
use ramsey_lang::pyv::ast::DeclKind;

/// Returns the expression with its structure made explicit by brackets.
fn shape(expr: &Expr) -> String {
    let list = |items: &[Expr], operator: &str| {
        let items: Vec<String> = items.iter().map(shape).collect();
        format!("[{}]", items.join(operator))
    };
    match &expr.kind {
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(text) => text.to_string(),
        ExprKind::Ref { name, primes, args } => {
            let args = args.as_ref().map_or(String::new(), |args| list(args, ","));
            format!("{}{}{args}", name.name, "'".repeat(*primes as usize))
        }
        ExprKind::Safety { primes } => format!("safety{}", "'".repeat(*primes as usize)),
        ExprKind::New(inner) => format!("new[{}]", shape(inner)),
        ExprKind::Not(inner) => format!("![{}]", shape(inner)),
        ExprKind::Distinct(items) => format!("distinct{}", list(items, ",")),
        ExprKind::And(items) => list(items, "&"),
        ExprKind::Or(items) => list(items, "|"),
        ExprKind::Binary { op, sides, .. } => list(&**sides, op.text()),
        ExprKind::Quantifier { universal, vars, body } => {
            let vars: Vec<&str> = vars.iter().map(|var| &*var.name.name).collect();
            let word = if *universal { "forall" } else { "exists" };
            format!("{word} {}[{}]", vars.join(","), shape(body))
        }
        ExprKind::Ite(parts) => format!("if{}", list(&**parts, ";")),
        ExprKind::Let { var, parts } => format!("let {}{}", var.name.name, list(&**parts, ";")),
    }
}

/// Returns the structure of an expression.
fn parsed(expr: &str) -> String {
    let text = format!("axiom {expr}");
    let (program, diagnostics) = ramsey_lang::pyv::parse(file(), &text);
    match &program.decls[..] {
        [decl] if diagnostics.is_empty() => match &decl.kind {
            DeclKind::Formula { formula, .. } => shape(formula),
            other => format!("{other:?}"),
        },
        _ => render(&text, &diagnostics),
    }
}

#[test]
fn operators_bind_as_in_the_table() {
    for (text, expected) in [
        ("a & b | c & d", "[[a&b]|[c&d]]"),
        ("a | b -> c | d", "[[a|b]->[c|d]]"),
        ("a -> b -> c", "[a->[b->c]]"),
        ("a -> b <-> c -> d", "[[a->b]<->[c->d]]"),
        ("a & b & c", "[a&b&c]"),
        ("(a & b) & c", "[a&b&c]"),
        ("a & (b & c)", "[a&[b&c]]"),
        ("a | b | c", "[a|b|c]"),
        ("!a = b", "[![a]=b]"),
        ("!a & b", "[![a]&b]"),
        ("~a ~= b", "[![a]!=b]"),
        ("a = b & c != d", "[[a=b]&[c!=d]]"),
        ("a + b * c - d", "[[a+[b*c]]-d]"),
        ("a + b < c * d", "[[a+b]<[c*d]]"),
        ("p & forall X. q & r", "[p&forall X[[q&r]]]"),
        ("!forall X. q & r", "![forall X[[q&r]]]"),
        ("forall X, Y:s. q <-> r", "forall X,Y[[q<->r]]"),
        ("p & if a then b else c & d", "[p&if[a;b;[c&d]]]"),
        ("a = if p then b else c", "[a=if[p;b;c]]"),
        ("p & let x = a & b in x | c", "[p&let x[[a&b];[x|c]]]"),
        ("& a | b", "[a|b]"),
        ("& a & b & c", "[a&b&c]"),
        ("a | & b & c", "[a|[b&c]]"),
        ("| a & b | c", "[[a&b]|c]"),
        ("a & | b | c", "[[a&b]|c]"),
        ("a -> & b & c", "[a->[b&c]]"),
        ("a = & b = c", "[a=[b=c]]"),
        ("f'(x)", "f'[x]"),
        ("f''(g'(x), y)", "f''[g'[x],y]"),
        ("x'' = new(new(x))", "[x''=new[new[x]]]"),
        ("safety' & distinct(a, b, c)", "[safety'&distinct[a,b,c]]"),
        ("r() & true", "[r[]&true]"),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn comparisons_and_equivalences_do_not_chain() {
    assert!(parsed("a <-> b <-> c").contains("`<->` and `<->` cannot be chained"));
    assert!(parsed("a = b = c").contains("help: join two comparisons with `&`"));
    assert!(parsed("a < b != c").contains("`<` and `!=` cannot be chained"));
}

#[test]
fn every_form_of_declaration_is_parsed() {
    let text = "
sort s @a @b-1(x, y)
mutable relation r0
mutable relation r1() @no_print
immutable relation r2(s, s)
derived relation r3(s) @c: r3(X) <-> r0
immutable constant c: s
mutable constant b: bool
mutable function f(s, s): s @d
axiom [name] r2(c, c)
init r0
invariant [inv] r0
safety [saf] r1
transition t(x: s, y) modifies r0, r1 r0' & r1' & r2(x, y)
transition u() = r0
definition d(x) = r2(x, c)
zerostate definition e() = r2(c, c)
onestate theorem [th] r0
twostate theorem r0 -> r0'
theorem r0
sat trace { assert init t(*, c) | u any transition assert r0 }
unsat trace { }
fbii { forward [one] prophecy w: s { invariant [i] r2(w, c) } by { proph_default proph_select r0 safety r0 }
       backward { } forward prophecy { } }
";
    let (program, diagnostics) = ramsey_lang::pyv::parse(file(), text);
    assert!(diagnostics.is_empty(), "{}", render(text, &diagnostics));
    assert_eq!(program.decls.len(), 22);
    super::assert_round_trip(text, "all declarations");
}

#[test]
fn contextual_words_are_names_elsewhere() {
    let (system, diagnostics) = load("sort old\nmutable relation forward(old)\ninit forward(PROPH)\n");
    assert!(system.is_some() && diagnostics.is_empty(), "{diagnostics}");
}

#[test]
fn common_mistakes_get_their_hint() {
    for (text, expected) in [
        ("axiom a == b", "there is no operator `==`"),
        ("axiom a => b", "help: implication is written `->`"),
        ("axiom a && b", "warning[R003]: `&&` means the same as `&`"),
        ("axiom a || b", "warning[R003]: `||` means the same as `|`"),
        ("axiom a ! = b", "inequality is written `!=`"),
        ("axiom a /\\ b", "conjunction is written `&`"),
        ("axiom ∀x. a", "universal quantification is written `forall x. ..`"),
        ("axiom a; axiom b", "not terminated by `;`"),
        ("// text", "comments start with `#`"),
        ("axiom r(x)'", "help: write `r'(x)`, or `new(r(x))`"),
        ("axiom (a & b)'", "help: write `new(a & b)`"),
        ("axiom new x", "help: write `new(x)`"),
        ("axiom forall x:s, y r(x, y)", "help: a `.` ends the variables: `forall x:s, y. ..`"),
        ("axiom forall x y. r(x, y)", "help: separate variables by commas: `forall x, y. ..`"),
        ("axiom if a then b", "an `if` always needs its `else`"),
        ("axiom a b", "help: is an operator such as `&` missing before this?"),
        ("axiom (a", "to close this parenthesis"),
        ("axiom a)", "there is no parenthesis open here"),
        ("axiom -1 = a", "there is no unary minus"),
        ("transition t modifies a a", "parentheses are needed even without parameters: `transition t()`"),
        ("transition t() a", "help: write `modifies`"),
        ("relation r(s)", "help: say whether it may change: `mutable relation` or `immutable relation`"),
        ("sort init", "`init` is a reserved word and cannot be a name"),
        ("invarant a", "help: did you mean `invariant`?"),
        ("mutable relatoin r", "help: did you mean `relation`?"),
        ("immutable constant c(s): s", "a constant with arguments is declared by `function`"),
        ("immutable function f: s", "a function without arguments is declared by `constant`"),
        ("derived function f(s): s", "only relations can be derived"),
        ("trace { }", "`sat trace` or `unsat trace`"),
        ("sat trace { init }", "help: write `assert init`"),
        ("type t", "a sort is declared by `sort name`"),
        ("fbii { forward { } by { } }", "`by` needs a step with `prophecy`"),
    ] {
        let (_, diagnostics) = ramsey_lang::pyv::parse(file(), text);
        let shown = render(text, &diagnostics);
        assert!(shown.contains(expected), "{text}\nwanted: {expected}\n{shown}");
        assert_eq!(diagnostics.len(), 1, "{text}\n{shown}");
    }
}

#[test]
fn each_broken_declaration_is_reported() {
    let text = "sort 1\ninit\naxiom a &\nsat trace { any any transition t }\ninvariant a b\nsort s\n";
    let (program, diagnostics) = ramsey_lang::pyv::parse(file(), text);
    assert_eq!(diagnostics.len(), 5, "{}", render(text, &diagnostics));
    assert!(matches!(program.decls.last().map(|decl| &decl.kind), Some(DeclKind::Sort { .. })));
}
