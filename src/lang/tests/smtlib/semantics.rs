//! Tests of the meaning of terms.

use super::Session;

const VOCABULARY: &str = "(declare-sort S 0)(declare-fun p (S) Bool)(declare-fun f (S) S)(declare-const a S)
    (declare-const b S)(declare-const q Bool)(declare-const r Bool)(declare-fun g (Bool S) S)";

fn formula(text: &str) -> String {
    let session = Session::after(&format!("{VOCABULARY}(assert {text})"));
    session.printed().remove(0)
}

#[test]
fn formulas_are_translated() {
    let cases = [
        ("true", "true"),
        ("(and q r q)", "q & r & q"),
        ("(and q)", "q"),
        ("(or (not q) false)", "!q | false"),
        ("(=> q r)", "q -> r"),
        ("(=> q r (p a))", "q & r -> p(a)"),
        ("(xor q r)", "!(q <-> r)"),
        ("(xor q r q)", "!(!(q <-> r) <-> q)"),
        ("(= a b)", "a = b"),
        ("(= q r)", "q <-> r"),
        ("(= a b (f a))", "a = b & b = f(a)"),
        ("(distinct a b)", "a != b"),
        ("(distinct a b (f a))", "distinct(a, b, f(a))"),
        ("(distinct q r q)", "false"),
        ("(ite q r (p a))", "if q then r else p(a)"),
        ("(p (ite q a b))", "p(if q then a else b)"),
        ("(forall ((x S) (y S)) (= x y))", "forall x:S, y:S. x = y"),
        ("(exists ((x Bool)) (= x q))", "exists x:bool. x <-> q"),
        ("(p (as a S))", "p(a)"),
        ("(p ((as f S) a))", "p(f(a))"),
        ("(|p| |a|)", "p(a)"),
        ("(! (p a) :pattern ((f a)) :weight 3 :note)", "p(a)"),
        ("(p (g r a))", "p(g(if r then true@ else false@, a))"),
    ];
    for (text, expected) in cases {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn names_mean_the_innermost_binding() {
    let cases = [
        ("(let ((x a) (y b)) (= x y))", "a = b"),
        ("(let ((a b) (b a)) (= a (f b)))", "b = f(a)"),
        ("(let ((x q)) (let ((x (not x))) x))", "!q"),
        ("(forall ((a S)) (p a))", "forall a_1:S. p(a_1)"),
        (
            "(forall ((x S)) (and (p x) (forall ((x S)) (p (f x))) (p x)))",
            "forall x:S. p(x) & (forall x_1:S. p(f(x_1))) & p(x)",
        ),
        (
            "(forall ((x S)) (let ((y (p x))) (exists ((x S)) (and y (p x)))))",
            "forall x:S. exists x_1:S. p(x) & p(x_1)",
        ),
        ("(let ((and q)) and)", "q"),
        ("(let ((|a b| q)) |a b|)", "q"),
    ];
    for (text, expected) in cases {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn a_value_below_a_binder_of_its_own_variable_is_renamed() {
    // The value binds an `x` and occurs below another one.
    let text = "(let ((v (exists ((x S)) (p x)))) (forall ((x S)) (and v (p (f x)))))";
    assert_eq!(formula(text), "forall x:S. (exists x_1:S. p(x_1)) & p(f(x))");
    let mut session = Session::after(VOCABULARY);
    session.run(&format!("(assert {text})(define-fun v () Bool (exists ((x S)) (p x)))"));
    session.run("(assert (forall ((x S)) (and v (p (f x)))))");
    let formulas = session.asserted();
    assert!(session.terms.alpha_equal(formulas[0], formulas[1]), "however it is written");
    assert_eq!(session.printed()[0], session.printed()[1]);
}

#[test]
fn definitions_are_expanded() {
    let mut session = Session::after(VOCABULARY);
    session.run(
        "(define-fun both ((x Bool) (y S)) Bool (and x (exists ((z S)) (= z y))))
         (define-fun twice ((x S)) S (f (f x)))
         (define-const c S (twice a))
         (define-fun-rec thrice ((x S)) S (f (twice x)))
         (define-funs-rec ((u ((x S)) Bool) (v ((x S)) Bool)) ((not (v x)) (p x)))
         (assert (both (p c) (thrice b)))
         (assert (forall ((z S)) (both q z)))
         (assert (u a))",
    );
    assert_eq!(
        session.printed(),
        ["p(f(f(a))) & (exists z:S. z = f(f(f(b))))", "forall z:S. q & (exists z_1:S. z_1 = z)", "!p(a)"]
    );
}

#[test]
fn named_terms_are_constants() {
    let mut session = Session::after(VOCABULARY);
    session.run("(assert (! (or (! q :named n) n) :named whole))(assert (! n :named other))");
    assert_eq!(session.printed(), ["q | q", "q"]);
    let names: Vec<Option<&str>> =
        session.front.assertions().iter().filter(|it| !it.implicit).map(|it| it.name.as_deref()).collect();
    assert_eq!(names, [Some("whole"), Some("other")]);
    let labels: Vec<&str> = session.front.labels().map(|(name, _)| name).collect();
    assert_eq!(labels, ["n", "whole", "other"]);
    session.run("(assert (! (! q :named inner) :pattern (q)))");
    let last = session.front.assertions().last().expect("an assertion");
    assert_eq!((last.name.as_deref(), &*last.text), (None, "(! (! q :named inner) :pattern (q))"));
}

#[test]
fn enumerations_are_sorts_with_their_constants() {
    let mut session = Session::after(
        "(declare-datatype Color ((red) (green) (blue)))
         (declare-datatypes ((One 0) (Two 0)) (((one)) ((left) (right))))
         (declare-datatypes () ((Old old1 old2)))
         (declare-const c Color)(declare-fun p (Color) Bool)
         (assert ((_ is red) c))(assert (is-green c))
         (assert (match c ((red true) (green (p c)) (blue false))))
         (assert (match c ((blue (p c)) (x (p x)))))
         (assert (p (match c ((red green) (_ red)))))",
    );
    assert_eq!(
        session.printed(),
        [
            "c = red",
            "c = green",
            "if c = red then true else if c = green then p(c) else false",
            "if c = blue then p(c) else p(c)",
            "p(if c = red then green else red)",
        ]
    );
    let implicit: Vec<String> =
        session.front.assertions()[..7].iter().map(|it| session.print(it.formula)).collect();
    assert_eq!(
        implicit,
        [
            "distinct(red, green, blue)",
            "forall x:Color. x = red | x = green | x = blue",
            "forall x:One. x = one",
            "left != right",
            "forall x:Two. x = left | x = right",
            "old1 != old2",
            "forall x:Old. x = old1 | x = old2",
        ]
    );
    assert!(session.front.assertions()[..7].iter().all(|it| it.implicit));
    let sorts: Vec<usize> = session.front.sorts().map(|live| live.constructors.len()).collect();
    assert_eq!(sorts, [3, 1, 2, 2]);
    let symbols: Vec<&str> = session.front.symbols().map(|live| live.name).collect();
    assert_eq!(symbols, ["c", "p"], "constructors are not among them");
    let (place, message, _) = session.error("(assert (match c ((red true) (blue true))))");
    assert_eq!(
        (&*place, &*message),
        ("(match c ((red true) (blue true)))", "this `match` has no case for `green`")
    );
}

#[test]
fn sorts_have_parameters_and_definitions() {
    let mut session = Session::after(
        "(declare-sort S 0)(declare-sort Pair 2)(define-sort Two (X) (Pair X X))(define-sort T () S)
         (declare-const u (Two S))(declare-const v (Pair T S))(declare-const |w w| (Two (Two Bool)))
         (assert (= u v))",
    );
    let sorts: Vec<String> = session
        .front
        .sorts()
        .map(|live| session.front.spelling(&session.sig, live.sort).into_owned())
        .collect();
    assert_eq!(sorts, ["S", "(Pair S S)", "(Pair Bool Bool)", "(Pair (Pair Bool Bool) (Pair Bool Bool))"]);
    let (_, message, _) = session.error("(assert (= u |w w|))");
    assert_eq!(message, "expected sort `(Pair S S)`, found `(Pair (Pair Bool Bool) (Pair Bool Bool))`");
}

#[test]
fn truth_values_as_arguments_are_elements_of_a_sort() {
    let session = Session::after(&format!("(push)(push){VOCABULARY}(pop)(assert true)(pop)"));
    let bools = session.front.bool_elements().expect("g has such an argument");
    assert_eq!(session.front.spelling(&session.sig, bools.sort), "Bool");
    let all: Vec<String> = session.front.assertions().iter().map(|it| session.print(it.formula)).collect();
    assert_eq!(all, ["true@ != false@", "forall x:Bool@. x = true@ | x = false@"], "pop keeps them");
    assert_eq!(session.front.sorts().count(), 0, "nobody declared that sort");
}
