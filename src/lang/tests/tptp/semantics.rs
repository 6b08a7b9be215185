//! Tests of the meaning of formulas, by evaluation on all small structures.

use super::accept;
use ramsey_core::logic::{Evaluator, Structure, TermId, Tuples};
use ramsey_lang::tptp::Loaded;

/// Calls `visit` with every structure of the problem whose sorts have at most `size` elements.
fn structures(loaded: &Loaded, size: u32, visit: &mut dyn FnMut(&Structure)) {
    let sig = &loaded.problem.sig;
    let sorts: Vec<_> = sig.uninterpreted_sorts().collect();
    for sizes in Tuples::new(vec![size; sorts.len()]) {
        let mut structure = Structure::new(sig, 1);
        for (&sort, size) in sorts.iter().zip(sizes) {
            structure.sizes[sort] = size + 1;
        }
        // Argument tuples of functions and relations, each with the number of possible values.
        let mut places = Vec::new();
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            for args in structure.tuples(&symbol.args) {
                places.push((sym, args, structure.sizes[symbol.result]));
            }
        }
        let count: u64 = places.iter().map(|&(_, _, values)| u64::from(values)).product();
        assert!(count <= 1 << 16, "{count} structures are too many for a test");
        for number in 0..count {
            let mut rest = number;
            for (sym, args, values) in &places {
                let value = (rest % u64::from(*values)) as u32;
                rest /= u64::from(*values);
                structure.interpretation_mut(sig, *sym, 0).set(args, value);
            }
            visit(&structure);
        }
    }
}

fn holds(loaded: &Loaded, structure: &Structure, formula: TermId) -> bool {
    Evaluator::new(loaded.problem.syntax(), structure).holds(formula)
}

/// Returns whether a structure with at most three elements satisfies all hypotheses but not the goal.
fn is_refuted(text: &str) -> bool {
    let loaded = accept(text);
    let query = loaded.problem.queries[0].clone();
    let mut found = false;
    structures(&loaded, 3, &mut |structure| {
        found |= !holds(&loaded, structure, query.goal)
            && query.hypotheses.iter().all(|&formula| holds(&loaded, structure, formula));
    });
    found
}

/// The value of a formula, given those of `p` and `q`.
type Table = fn(bool, bool) -> bool;

#[test]
fn connectives_have_their_tables() {
    let tables: &[(&str, Table)] = &[
        ("p & q", |p, q| p && q),
        ("p | q", |p, q| p || q),
        ("p => q", |p, q| !p || q),
        ("p <= q", |p, q| p || !q),
        ("p <=> q", |p, q| p == q),
        ("p <~> q", |p, q| p != q),
        ("p ~& q", |p, q| !(p && q)),
        ("p ~| q", |p, q| !(p || q)),
        ("~ p | q", |p, q| !p || q),
        ("~ (p | q)", |p, q| !(p || q)),
        ("(~ p & $true) | (q & $false)", |p, _| !p),
    ];
    for (text, table) in tables {
        // Both symbols occur in reverse order first, so that their order does not matter.
        let loaded = accept(&format!("fof(a, axiom, q | p). fof(b, axiom, {text})."));
        let formula = loaded.problem.queries[0].hypotheses[1];
        let sig = &loaded.problem.sig;
        let value = |structure: &Structure, name: &str| {
            let sym =
                sig.symbols.iter_enumerated().find(|(_, symbol)| symbol.name == name).expect("a symbol").0;
            structure.interpretation(sig, sym, 0).get(&[]) == 1
        };
        let mut count = 0;
        structures(&loaded, 1, &mut |structure| {
            count += 1;
            let expected = table(value(structure, "p"), value(structure, "q"));
            assert_eq!(holds(&loaded, structure, formula), expected, "{text}");
        });
        assert_eq!(count, 4);
    }
}

#[test]
fn small_theorems_have_no_small_countermodels() {
    let theorems = [
        "fof(a, axiom, ! [X] : (p(X) => q(X))). fof(b, axiom, p(c)). fof(c, conjecture, q(c)).",
        "fof(c, conjecture, (? [X] : ! [Y] : r(X,Y)) => (! [Y] : ? [X] : r(X,Y))).",
        "fof(c, conjecture, ? [X] : (p(X) => ! [Y] : p(Y))).",
        "fof(a, axiom, f(a) = b). fof(b, axiom, a = b). fof(c, conjecture, f(f(a)) = a).",
        "cnf(a, axiom, p(X) | q(Y)). cnf(b, axiom, ~ p(a)). cnf(c, negated_conjecture, ~ q(b)).",
        "cnf(a, axiom, X = Y). cnf(b, negated_conjecture, a != b).",
        "fof(a, conjecture, $distinct(\"a\",\"b\")).",
        "fof(a, axiom, ! [X] : (X = \"a\" | X = \"b\")). fof(b, axiom, p(\"a\") & p(\"b\")). fof(c, conjecture, ! [X] : p(X)).",
        "fof(a, axiom, p). fof(b, conjecture, p). fof(c, conjecture, p | q).",
        "fof(a, axiom, ~ p <= q). fof(b, axiom, q). fof(c, conjecture, ~ p).",
        "tff(s, type, s: $tType). tff(t, type, t: $tType). tff(a, type, a: s). tff(b, type, b: t).\n\
         tff(f, type, f: s > t). tff(x, axiom, ! [X: t] : X = b). tff(y, conjecture, f(a) = b).",
        "tff(a, type, a: $i). tff(b, type, b: $i). tff(c, conjecture, $ite(p, a, b) = a <= p).",
        "tff(x, axiom, $ite(a = b, a, b) = a). tff(c, conjecture, a = b).",
        "tff(x, axiom, $ite(p, $ite(q, a, b), b) != b). tff(c, conjecture, p & q & a != b).",
        "tff(x, axiom, $ite(p, $ite(q, a, b) = c, r)). tff(y, axiom, p & q). tff(c, conjecture, a = c).",
        "tff(x, axiom, f($ite(p, a, b)) = $ite(p, f(a), c)). tff(c, conjecture, p | f(b) = c).",
        "tff(a, axiom, $ite(p, q, r)). tff(b, axiom, ~ p). tff(c, conjecture, r).",
        "tcf(a, axiom, ! [X: $i] : (p(X) | q(Y))). cnf(b, axiom, ~ q(c)). tff(c, conjecture, ! [X] : p(X)).",
    ];
    for text in theorems {
        assert!(!is_refuted(text), "{text}");
    }
}

#[test]
fn non_theorems_have_small_countermodels() {
    let others = [
        "fof(a, axiom, ! [X] : (p(X) => q(X))). fof(b, axiom, q(c)). fof(c, conjecture, p(c)).",
        "fof(c, conjecture, (! [Y] : ? [X] : r(X,Y)) => (? [X] : ! [Y] : r(X,Y))).",
        "fof(c, conjecture, a = b).",
        "fof(a, axiom, p). fof(b, conjecture, p). fof(c, conjecture, q).",
        "cnf(a, axiom, p(X) | q(X)). cnf(b, axiom, ~ p(a)). cnf(c, negated_conjecture, ~ q(b)).",
        // Types have separate equalities, and names with different arities are different.
        "tff(s, type, s: $tType). tff(a, type, a: s). tff(b, type, b: s). tff(x, axiom, ! [X,Y] : X = Y).\n\
         tff(y, conjecture, a = b).",
        "fof(a, axiom, p(a)). fof(b, conjecture, p(a,a)).",
        "fof(a, axiom, p). fof(b, conjecture, p = q).",
        "fof(a, axiom, ~ a = b). fof(b, axiom, p(a)). fof(c, conjecture, p(b)).",
        // The quantifier ends before the `|`.
        "fof(a, axiom, ! [X] : p(X) | q). fof(b, axiom, ~ p(c)). fof(c, conjecture, p(d)).",
        "fof(a, axiom, \"a\" != b).",
    ];
    for text in others {
        assert!(is_refuted(text), "{text}");
    }
}
