//! Tests of modules, included files, and the prelude.

use super::{load, load_files, render, system};
use ramsey_solver::formulas::Pretty;

/// Returns the axioms of a program as text.
fn axioms(text: &str) -> Vec<String> {
    let system = system(text);
    system.axioms.iter().map(|axiom| Pretty::new(system.syntax(), axiom.formula).to_string()).collect()
}

#[test]
fn use_instantiates_the_module() {
    let module = "module sym(s, r) { axiom forall x: s, y: s. r(x, y) -> r(y, x) } sort node relation link(node, node) ";
    assert_eq!(
        axioms(&format!("{module} use sym(node, link)")),
        axioms("sort node relation link(node, node) axiom forall x: node, y: node. link(x, y) -> link(y, x)")
    );
}

#[test]
fn variables_of_a_module_are_hidden_from_its_user() {
    let text = "module refl(s, r) { axiom forall x: s. r(x, x) }\nsort node relation x(node, node) use refl(node, x)";
    assert_eq!(axioms(text), ["forall x_:node. x(x_, x_)"]);
    let text = "module refl(s, r) { axiom forall x: s. r(x, x) }\nsort node relation r(node, node) variable x: node use refl(node, r)";
    assert_eq!(axioms(text), ["forall x_:node. r(x_, x_)"]);
}

#[test]
fn variables_of_a_module_may_have_names_of_actions_and_of_other_modules() {
    let text = "module refl(s, r) { axiom forall x: s, y: s, body: s. r(x, x) & r(y, body) }
        sort node relation le(node, node) use refl(node, le) use other(node)
        module other(m) { relation y(m) axiom forall y: m. y = y }";
    let formula = "forall x_:node, y_:node, body_:node. le(x_, x_) & le(y_, body_)";
    assert_eq!(
        axioms(&format!("{text} while * {{ action x {{ skip }} | action body {{ skip }} }}"))[0],
        formula
    );
    assert_eq!(axioms(&format!("{text} while * {{ skip }}"))[0], formula.replace("x_", "x"));
}

/// A variable with a new name must not be one that the formula has already.
#[test]
fn new_names_of_variables_are_those_of_no_others() {
    let vocabulary = "sort t relation p(t) variable a: t variable b: t relation r(t, t)\n";
    for (axiom, expected) in [
        (
            "forall p_: t. p_ = p_ & (forall p: t. q(p, p_))",
            "forall p_: t. p_ = p_ & (forall p__: t. r(p__, p_))",
        ),
        (
            "forall p: t. p = p & (forall p_: t. q(p, p_))",
            "forall p__: t. p__ = p__ & (forall p_: t. r(p__, p_))",
        ),
        ("let p_: t = a in let p: t = b in q(p, p_)", "let p_: t = a in (let p__: t = b in r(p__, p_))"),
    ] {
        let module = axioms(&format!("{vocabulary}module m(q) {{ axiom {axiom} }} use m(r)"));
        let plain = axioms(&format!("{vocabulary}axiom {expected}"));
        assert_eq!(module, plain);
    }
}

/// A sort and a symbol may have one name.
#[test]
fn what_a_module_declares_is_renamed_as_what_it_is() {
    let vocabulary = "sort t relation p(t) variable k: t variable n_k: t sort h\n";
    let text = format!("{vocabulary}module m(q) {{ sort k axiom q(k) }} use m(p) as n");
    assert_eq!(axioms(&text), axioms(&format!("{vocabulary}axiom p(k)")));
    let text =
        format!("{vocabulary}module m(q) {{ variable h: t axiom exists x: h. x = x & q(h) }} use m(p) as n");
    let plain = format!("{vocabulary}variable n_h: t axiom exists x: h. x = x & p(n_h)");
    assert_eq!(axioms(&text), axioms(&plain));
    // Which one an argument is, nothing tells.
    let inner = "module i(s) { axiom forall x: s. x = x }\n";
    let ambiguous = format!("{vocabulary}{inner}module m(q) {{ sort k use i(k) }} use m(p) as n");
    let (_, diagnostics) = load(&ambiguous);
    assert!(diagnostics.contains("a sort and a symbol"), "{diagnostics}");
    let plain = ambiguous.replace("sort k use i(k)", "sort j use i(j)");
    assert_eq!(axioms(&plain).len(), 1);
}

#[test]
fn names_that_a_module_declares_can_have_a_prefix() {
    let module = "module m(s) { relation q(s) macro two(x: s, y: s) = q(x) & q(y) axiom [ax] two(X, X) }\nsort a sort b\n";
    assert_eq!(
        axioms(&format!("{module} use m(a) as left use m(b) as right axiom left_two(X, X) & right_q(Y)")),
        [
            "forall X:a. left_q(X) & left_q(X)",
            "forall X:b. right_q(X) & right_q(X)",
            "forall X:a, Y:b. (left_q(X) & left_q(X)) & right_q(Y)",
        ]
    );
    let (_, diagnostics) = load(&format!("{module} use m(a) use m(b)"));
    assert!(diagnostics.contains("the name `q` is declared twice"), "{diagnostics}");
}

#[test]
fn a_module_includes_no_file() {
    let text = "sort s relation p(s) module m(q) { include \"order\" axiom q(X) } use m(p) while * { skip } safety false";
    let (system, diagnostics) = load(text);
    assert!(system.is_none());
    assert!(diagnostics.contains("a file is included inside of a module"), "{diagnostics}");
}

#[test]
fn the_prelude_has_orders_and_rings() {
    for name in ["order", "ring"] {
        let (_, diagnostics) = load(&format!("include \"{name}\""));
        assert_eq!(diagnostics, "", "{name}");
    }
    let text = "include \"order\" include \"ring\" sort id sort node relation le(id, id) relation btw(node, node, node)
        use total_order(id, le) use ring(node, btw) theorem next(X, Y) & next(X, Z) & X != Y & X != Z -> Y = Z";
    let system = system(text);
    assert_eq!(system.axioms.len(), 8);
    let order = "include \"order\" sort id relation le(id, id) use total_order(id, le)";
    assert_eq!(axioms(order)[3], "forall x:id, y:id. le(x, y) | le(y, x)");
}

#[test]
fn files_are_included_once_with_positions() {
    let main = "include \"b\"\ninclude \"c\"\naxiom p & q & missing\n";
    let files = [("a", main), ("b", "include \"c\"\nrelation p\n"), ("c", "relation q\nsort 1\n")];
    let (system, diagnostics, sources) = load_files(&files);
    let shown = render(&sources, &diagnostics);
    assert!(system.is_none());
    assert!(shown.contains("c:2:6 error[R003]"), "{shown}");
    assert!(shown.contains("a:3:15 error[R006]: `missing` is not declared"), "{shown}");
    assert_eq!(diagnostics.len(), 2, "{shown}");
}

#[test]
fn files_that_include_each_other_are_refused() {
    let files = [("a", "include \"b\"\n"), ("b", "include \"c\"\n"), ("c", "sort s\ninclude \"b\"\n")];
    let (system, diagnostics, sources) = load_files(&files);
    let shown = render(&sources, &diagnostics);
    assert!(system.is_none());
    assert!(shown.contains("c:2:9 error[R024]: the files include each other"), "{shown}");
    assert!(diagnostics[0].notes[0].ends_with("`b` -> `c` -> `b`"), "{diagnostics:?}");
}

#[test]
fn mistakes_about_modules_are_explained() {
    for (text, expected) in [
        ("include \"ordr\"", "did you mean the library's `order`?"),
        ("include \"nothing\"", "error[R024]: the file `nothing` cannot be included: there is no such file"),
        ("include \"order\" use totl_order(a, b)", "did you mean `total_order`?"),
        ("use total_order(a, b)", "error[R024]: the module `total_order` is not declared"),
        ("include \"order\" sort s use total_order(s)", "`total_order` takes 2 arguments, but 1 are given"),
        ("include \"order\" sort s use total_order(s, le)", "`le` is not declared"),
        ("module m(a, a) { }", "the parameter `a` is declared twice"),
        ("module m { } module m { }", "the module `m` is declared twice"),
        ("module m { use n } module n { use m } use m", "error[R012]: the module `m` uses itself"),
        ("module m { skip }", "error[R023]: a module holds declarations only"),
    ] {
        let (system, diagnostics) = load(text);
        assert!(
            system.is_none() && diagnostics.contains(expected),
            "{text}\nwanted: {expected}\n{diagnostics}"
        );
    }
}

#[test]
fn exponential_modules_are_rejected() {
    let mut text = "module m0 { axiom true }\n".to_owned();
    for level in 1..60 {
        text += &format!("module m{level} {{ use m{0} use m{0} }}\n", level - 1);
    }
    let (system, diagnostics) = load(&format!("{text} use m59\n"));
    assert!(
        system.is_none() && diagnostics.contains("error[R004]: the program grows too large"),
        "{diagnostics}"
    );
}
