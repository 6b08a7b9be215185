//! Rules of Ivy about numbers: what is known of sums, differences and orders.

use std::sync::Arc;

use crate::common::models::load;
use crate::ivy::{expect, failures};
use ramsey::base::budget::Exhausted;
use ramsey::query::{Limits, Options, Outcome, Plan};

/// Verifies a property of a type that is interpreted in this way, after some declarations.
fn verified(meaning: &str, declarations: &str, formula: &str) -> &'static str {
    let text =
        format!("#lang ivy1.7\ntype t\ninterpret t -> {meaning}\n{declarations}\nproperty {formula}\n");
    let (system, diagnostics) = load("model.ivy", &text);
    let system = system.unwrap_or_else(|| panic!("{diagnostics:#?}"));
    let outcome =
        Plan::new(Arc::new(system), Options::default()).run(&Limits::default()).results.remove(0).outcome;
    match outcome {
        Outcome::Holds { .. } => "ok",
        Outcome::Fails(_) => "failed",
        Outcome::Unknown(Exhausted::Numbers) => "open",
        _ => "unknown",
    }
}

/// Of at most 8 numbers from 0 on it is known what every sum, difference and product is.
#[test]
fn operations_on_few_numbers_are_known() {
    let constants = "individual c : t\nindividual d : t";
    for (meaning, formula, expected) in [
        ("bv[2]", "c + 1 ~= c & (c + 1) - 1 = c", "ok"),
        ("bv[2]", "X:t + Y = Y + X & X * Y = Y * X & X * 2 = X + X", "ok"),
        ("bv[3]", "X:t - Y + Y = X", "ok"),
        ("bv[3]", "(c + d) * 3 = c * 3 + d * 3", "ok"),
        ("bv[2]", "X:t + Y >= X", "failed"),
        ("bv[2]", "c * c = c", "failed"),
        ("bv[2]", "c / 1 = c", "unknown"),
        ("bv[4]", "c + d = d + c", "unknown"),
        ("{0..3}", "X:t + 3 = 3 & X - 3 = 0 & X * 3 <= 3 & X + Y >= X & (X + Y) - Y <= X", "ok"),
        ("{0..3}", "X:t * 3 = 3 | X = 0", "ok"),
        ("{0..3}", "(X:t + Y) - Y = X", "failed"),
        ("{1..3}", "c + d = d + c", "unknown"),
        ("{0..8}", "c + d = d + c", "unknown"),
    ] {
        assert_eq!(verified(meaning, constants, formula), expected, "{meaning}: {formula}");
    }
}

/// A structure is finite, and a claim that is false in it may be true of all numbers.
#[test]
fn counterexamples_are_part_of_ones_with_all_numbers() {
    let symbols = "relation r(X:t)\nrelation p(X:t, Y:t)\nfunction f(X:t) : t\nindividual c : t";
    for (meaning, formula, expected) in [
        // There is a greater number, and no greatest one.
        ("nat", "exists Y:t. X < Y", "open"),
        ("int", "exists Y:t. Y < X", "open"),
        ("nat", "exists Y:t. Y < X", "failed"),
        ("int", "~exists X:t. forall Y:t. Y <= X", "open"),
        ("nat", "forall X:t, Y:t, Z:t. exists W:t. W ~= X & W ~= Y & W ~= Z", "open"),
        ("strlit", "exists Y:t. Y ~= X", "open"),
        ("strlit", "exists Y:t. Y < X", "failed"),
        ("nat", "exists X:t, Y:t. X < Y & c < X", "open"),
        ("nat", "exists X:t. ~r(X) | X > c", "open"),
        ("nat", "exists X:t. f(X) = c | f(X) < X | X = X", "ok"),
        // Which numbers these are is not known.
        ("int", "c = 0x10 -> c > 9", "unknown"),
        ("int", "c > 18446744073709551616 -> c > 3", "unknown"),
        ("nat", "c < 3 -> c < 18446744073709551616", "unknown"),
        ("bv[128]", "c <= 340282366920938463463374607431768211455", "unknown"),
        ("int", "c > 18446744073709551615 -> c > 3", "ok"),
        // There are as many numbers between numerals as there are.
        ("nat", "X:t < 1 -> X = 0", "ok"),
        ("nat", "X:t < 3 -> X = 0 | X = 1 | X = 2", "ok"),
        ("nat", "X:t < 3 -> X = 0 | X = 2", "failed"),
        ("int", "4 < X:t & X < 6 -> X = 5", "ok"),
        ("int", "X:t < 5 -> X < 4", "failed"),
        ("int", "exists X:t. 10 < X & X < 12", "ok"),
        ("int", "exists X:t. 10 < X & X < 20", "open"),
        ("int", "exists X:t. 10 < X & X < 20 & r(X)", "failed"),
        ("nat", "exists X:t. X < 20", "open"),
        ("nat", "exists X:t. 0 < X & X < 20", "open"),
        ("nat", "exists X:t, Y:t, Z:t. 20 < X & X < Y & Y < Z & Z < 24", "ok"),
        ("int", "forall X:t, Y:t, Z:t. 100 < X & X < Y & Y < Z & Z < 110 -> false", "failed"),
        // Of a range there are as many as it has.
        ("bv[8]", "exists Y:t. Y ~= X", "open"),
        ("bv[8]", "exists Y:t. Y < X", "failed"),
        ("bv[8]", "exists Y:t, Z:t. 250 < Y & Y < Z", "open"),
        ("bv[4]", "15:t = 15 -> exists Y:t, Z:t. 13 < Y & Y < Z", "ok"),
        ("bv[8]", "255:t = 0 | exists Y:t, Z:t. 254 < Y & Y < Z", "failed"),
        ("{2..20}", "exists X:t, Y:t, Z:t. X ~= Y & Y ~= Z & X ~= Z", "open"),
        ("{2..20}", "exists X:t. 5 < X & X < c", "failed"),
        ("{0..top}", "exists X:t, Y:t. X ~= Y", "failed"),
        // What does not depend on this is refuted.
        ("nat", "r(X) & r(Y) -> X = Y", "failed"),
        ("nat", "exists X:t. r(X)", "failed"),
        ("int", "exists X:t. r(X) & ~r(Y)", "failed"),
        ("int", "exists X:t. p(X,Y)", "failed"),
        ("int", "exists X:t, Y:t. f(X) < f(Y)", "failed"),
        ("nat", "exists X:t. f(X) < X", "failed"),
        ("nat", "exists X:t. f(X) < X | ~r(X)", "failed"),
        ("nat", "forall X:t. exists Y:t. X < Y & p(X,Y)", "failed"),
    ] {
        assert_eq!(verified(meaning, symbols, formula), expected, "{meaning}: {formula}");
    }
}

#[test]
fn operations_on_numerals_have_values() {
    let holds = |meaning: &str, formula: &str| verified(meaning, "", formula);
    for (meaning, formula, expected) in [
        ("int", "2:t + 2 = 4", "ok"),
        ("int", "2:t + 2 = 5", "failed"),
        ("int", "2 + 2:t < 5", "ok"),
        ("int", "(2:t + 2) * 3 = 12 & 10:t - 3 - 2 = 5", "ok"),
        ("int", "7:t / 2 = 3 & 7:t / 8 = 0", "ok"),
        // No numeral is its value, or it is not known.
        ("int", "2:t - 3 < 0", "unknown"),
        ("int", "7:t / 0 = 0", "unknown"),
        ("int", "18446744073709551615:t + 1 = 0", "unknown"),
        ("nat", "2:t - 3 = 0", "ok"),
        ("nat", "2:t - 3 + 1 = 0", "failed"),
        ("bv[2]", "3:t + 1 = 0 & 1:t - 2 = 3 & 3:t * 3 = 1", "ok"),
        ("bv[2]", "3:t + 1 = 3", "failed"),
        ("bv[2]", "3:t / 2 = 1", "unknown"),
        ("bv[2]", "5:t + 1 = 2", "unknown"),
        ("bv[8]", "200:t + 100 = 44", "ok"),
        ("bv[64]", "1:t + 1 = 2", "unknown"),
        // These are numbers of so many bits, whatever a program that runs shows.
        ("strbv[2]", "forall X:t. X = 0 | X = 1 | X = 2 | X = 3", "ok"),
        ("strbv[2]", "1:t < 2 & 3:t + 1 = 0 & ~(exists X:t. X > 3)", "ok"),
        ("strbv[8]", "X:t < Y | X = Y | Y < X", "ok"),
        ("strbv[8]", "exists X:t. X < 0", "failed"),
        ("strbv", "X:t < Y | X = Y | Y < X", "failed"),
        ("strbv[2][2]", "1:t < 2", "failed"),
        ("intbv[0][3][2]", "forall X:t. X = 0 | X = 1 | X = 2 | X = 3", "ok"),
        ("intbv[2][5][4]", "2:t < 3 & 2:t + 1 = 3 & 15:t + 1 = 0 & 0:t <= X", "ok"),
        ("intbv[2][5][4]", "X:t >= 2", "failed"),
        ("intbv[0][2][2]", "X:t <= 2", "failed"),
        ("intbv[2]", "0:t <= X", "failed"),
        ("{0..3}", "3:t + 1 = 3 & 2:t + 1 = 3 & 1:t - 2 = 0", "ok"),
        ("{0..3}", "2:t * 2 = 3 & 2:t * 1 = 2", "ok"),
        ("{0..9}", "2:t * 5 = 9", "unknown"),
        ("{2..5}", "2:t + 1 = 3", "unknown"),
        ("{0..max}", "0:t + 1 = 1", "unknown"),
        // Numerals that the type does not have.
        ("bv[2]", "5:t = 1", "unknown"),
        ("bv[2]", "5:t <= 3 & (5:t = 1 | ~(5:t = 1))", "ok"),
        ("{2..4}", "5:t = 4", "unknown"),
        ("{2..4}", "1:t < 2", "unknown"),
        ("{2..4}", "18446744073709551616:t = 4", "unknown"),
        ("nat", "18446744073709551615:t = 4", "failed"),
    ] {
        assert_eq!(holds(meaning, formula), expected, "{meaning}: {formula}");
    }
    // On other types it is any function.
    let text = "#lang ivy1.7\ntype t\nproperty 2:t + 2 = 4\n";
    assert_eq!(failures(&Arc::new(load("model.ivy", text).0.expect("it is read"))).len(), 1);
    // A statement has the value, too, and an isolate that does not see the interpretation does not.
    let text = "#lang ivy1.7
isolate a = {
  type t
  implementation { interpret t -> nat }
}
isolate b = {
  property [sum] 1:a.t + 1 = 2
} with a
";
    let names = crate::ivy_isolates::verdicts(text);
    assert!(names.contains(&("b".to_owned(), "theorem/b.sum".to_owned())), "{names:?}");
    expect(
        "#lang ivy1.7
type t
interpret t -> nat
var v : t
after init { v := 1:t + 1 }
action set = { v := 2 * 1:t }
export set
invariant [two] v = 2
",
        &[],
    );
}

/// Of what statements compute, the next number and the one before are known. What does not follow is unknown, not false.
#[test]
fn sums_and_differences_with_one() {
    let answers = |kind: &str, claim: &str| {
        let text =
            format!("#lang ivy1.7\ntype t\n{kind}\naction a(x:t, y:t) = {{ assert {claim} }}\nexport a\n");
        let (system, diagnostics) = load("model.ivy", &text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
        let options = Options { all: true, ..Options::default() };
        let verification = Plan::new(system, options).run(&Limits::default());
        let [result] = &verification.results[..] else { panic!("one assertion") };
        match &result.outcome {
            Outcome::Holds { .. } => "holds",
            Outcome::Fails(_) => "fails",
            Outcome::Unknown(Exhausted::Arithmetic) => "unknown",
            other => panic!("{other:?}"),
        }
    };
    let [int, nat, bits, range, named] = ["int", "nat", "bv[2]", "{0..3}", "{0..top}"]
        .map(|kind| move |claim: &str| answers(&format!("interpret t -> {kind}"), claim));
    for holds in
        ["x < x + 1", "x - 1 < x", "(x + 1) - 1 = x", "y < x + 1 <-> y <= x", "x = y -> x + 1 = y + 1"]
    {
        assert_eq!(int(holds), "holds", "{holds}");
    }
    for holds in ["x < x + 1", "0 < x + 1", "x = 0 -> x - 1 = 0", "x ~= 0 -> (x - 1) + 1 = x", "x - 1 <= x"] {
        assert_eq!(nat(holds), "holds", "{holds}");
    }
    for holds in ["x ~= 3 -> x < x + 1", "x = 3 -> x + 1 = 0", "x = 0 -> x - 1 = 3", "(x + 1) - 1 = x"] {
        assert_eq!(bits(holds), "holds", "{holds}");
    }
    for holds in ["x <= x + 1", "x = 3 -> x + 1 = 3", "x = 0 -> x - 1 = 0", "x ~= 3 -> (x + 1) - 1 = x"] {
        assert_eq!(range(holds), "holds", "{holds}");
        assert_eq!(named(&holds.replace('3', "top")), "holds", "{holds}");
    }
    for holds in ["x < x + 2", "x - 3 < x"] {
        assert_eq!(int(holds), "holds", "{holds}");
    }
    for holds in [
        "x < x + 2",
        "0 < x -> x - 3 < x",
        "x = 0 -> x - 3 = 0",
        "x <= x + y & y <= x + y",
        "x - y <= x",
        "x + y = 0 -> x = 0",
    ] {
        assert_eq!(nat(holds), "holds", "{holds}");
    }
    // These are false of the numbers, and have to be left open.
    for wrong in ["x + 2 < x", "x < x - 2", "x + 2 < y", "x <= x + y", "x - y <= x"] {
        assert_eq!(int(wrong), "unknown", "{wrong}");
    }
    for wrong in ["x - 2 < x", "x < x + y", "y <= x - y"] {
        assert_eq!(nat(wrong), "unknown", "{wrong}");
    }
    for wrong in ["x < x + 2", "x - 2 < x"] {
        assert_eq!([bits(wrong), range(wrong)], ["fails"; 2], "{wrong}");
    }
    for wrong in ["x <= x + y", "x - y <= x"] {
        assert_eq!([bits(wrong), range(wrong)], ["fails", "holds"], "{wrong}");
    }
    for wrong in ["x + 1 < x", "x + 1 = x", "x + 1 = y", "x < y - 1"] {
        assert_eq!(int(wrong), "unknown", "{wrong}");
    }
    for wrong in ["x - 1 < x", "(x - 1) + 1 = x", "x - 1 = y - 1 -> x = y"] {
        assert_eq!(nat(wrong), "unknown", "{wrong}");
    }
    for wrong in ["x < x + 1", "x - 1 <= x", "x + 1 <= 2"] {
        assert_eq!(bits(wrong), "fails", "{wrong}");
    }
    for wrong in ["x < x + 1", "(x + 1) - 1 = x", "x + 1 = 0"] {
        assert_eq!(range(wrong), "fails", "{wrong}");
    }
    // A named end is that of the type, whatever else has the name; and it may be 0.
    let far = "object o = { type u interpret u -> {0..hi} }\nindividual hi : o.u\nindividual z : o.u";
    let far = |claim: &str| answers(far, &format!("z = o.hi -> {claim}"));
    assert_eq!([far("z + 1 = o.hi"), far("z + 1 = hi")], ["holds", "unknown"]);
    assert_eq!([named("0:t ~= 1:t"), named("0:t <= x"), named("x + 1 ~= 0")], ["fails", "holds", "unknown"]);
    // Of other sums nothing is known; what has no arithmetic is false as before.
    assert_eq!(int("x + y = y + x"), "unknown");
    assert_eq!(int("x + 2 = x + 2"), "holds");
    assert_eq!(int("x < y"), "fails");
    // Without numbers it is any function.
    assert_eq!(answers("", "x < x + 1"), "fails");
    assert_eq!(answers("", "x = y -> x + y = y + x"), "holds");
}

#[test]
fn numbers_are_ordered() {
    let text = "#lang ivy1.7
type t
interpret t -> int
individual x : t
after init { x := 1 }
action up(y:t) = { require x < y; x := y }
export up
invariant [positive] 0 < x
";
    expect(text, &[]);
    expect(
        &text.replace("invariant [positive] 0 < x", "invariant [least] X:t = X -> 0 <= X"),
        &[("init", "least")],
    );
    let natural = text
        .replace("-> int", "-> nat")
        .replace("invariant [positive] 0 < x", "invariant [least] X:t = X -> 0 <= X");
    expect(&natural, &[]);
    expect(&text.replace("interpret t -> int\n", ""), &[("init", "positive"), ("up", "positive")]);
    // Two lines on one.
    expect(
        &text.replace("interpret t -> int\n", "interpret t -> int invariant [wrong] x = 1\n"),
        &[("up", "wrong")],
    );
    let range = "#lang ivy1.7
type t = {0..3}
individual x : t
after init { x := 0 }
action a(y:t) = { x := y; assert x = 0 | x = 1 | x = 2 | x = 3 }
export a
invariant [below] x < 3
";
    expect(range, &[("a", "below")]);
    expect(&range.replace("x < 3", "x <= 3"), &[]);
}
