//! Tests of includes, with and without selections.

use super::{load_files, print};

/// Returns the hypotheses of the first file, in the syntax of `.pyv`.
fn hypotheses(files: &[(&str, &str)]) -> Vec<String> {
    let (loaded, diagnostics) = load_files(files);
    assert_eq!(diagnostics, "");
    let loaded = loaded.expect("a problem");
    loaded.problem.queries[0].hypotheses.iter().map(|&formula| print(&loaded, formula)).collect()
}

#[test]
fn included_formulas_stand_where_the_include_does() {
    let files = [
        ("main", "fof(a, axiom, a). include('b'). fof(c, axiom, c). include('b'). fof(d, axiom, d)."),
        ("b", "fof(b1, axiom, b1). include('c'). fof(b2, axiom, b2)."),
        ("c", "tff(s, type, s: $tType). tff(k, type, k: s). tff(q, axiom, k = k)."),
    ];
    assert_eq!(hypotheses(&files), ["a", "b1", "k = k", "b2", "c", "d"]);
}

#[test]
fn selections_reach_through_includes() {
    let b =
        "fof(b1, axiom, b1). include('c', [c1,c2]). fof('b2', axiom, b2). fof(b3, axiom, (& include(p))).";
    let c = "fof(c1, axiom, c1). fof(c2, axiom, c2). fof(c3, axiom, c3). cnf(4, axiom, c4).";
    let with = |main: &str| hypotheses(&[("main", main), ("b", b), ("c", c)]);
    assert_eq!(with("include('b', [b2, c2])."), ["c2", "b2"]);
    assert_eq!(with("include('b', [b1]). include('c', ['c1', 4])."), ["b1", "c1", "c4"]);
    assert_eq!(with("include('c', *). include('c', [c1])."), ["c1", "c2", "c3", "c4", "c1"]);
    let (_, text) =
        load_files(&[("main", "include('c', [c1, c5]). include('b', [b1,\n c3])."), ("b", b), ("c", c)]);
    assert_eq!(
        text,
        "1:19 error[R006]: `c` has no formula `c5`\n    `c5`: selected here\n\
         2:2 error[R006]: `b` has no formula `c3`\n    `c3`: selected here\n"
    );
}

#[test]
fn skipped_formulas_may_have_lines_like_statements() {
    let b = "fof(b1, axiom, p &\n include('x')).\nfof(b2, axiom, q).";
    assert_eq!(hypotheses(&[("main", "include('b', [b2])."), ("b", b)]), ["q"]);
}

/// What is left out has an end, or what comes next would go with it.
#[test]
fn skipped_statements_have_an_end() {
    let read = |bad: &str| {
        let b = format!("fof(good, axiom, q).\n{bad}\nfof(good, axiom, ~ q).");
        load_files(&[("main", "include('b', [good])."), ("b", &b)])
    };
    for bad in [
        "fof(bad, axiom, p)",
        "fof(bad, axiom, p",
        "fof(bad, axiom",
        "fof(bad, axiom).",
        "fof(bad, axiom, 'p).",
        "fof(bad, axiom, p)).",
        "fof(bad, axiom-local, p).",
        "fof(bad, axiom, #).",
        "thf(bad, axiom, p).",
    ] {
        let (loaded, text) = read(bad);
        assert!(loaded.is_none(), "{bad}");
        assert_eq!(text.matches("error[").count(), 1, "{bad}: {text}");
        assert!(text.starts_with("b "), "{bad}: {text}");
    }
    for skipped in
        ["fof(bad, unknown, p).", "cnf(bad, conjecture, p('(')).", "fof(bad, type, \".\" & (p) % )\n)."]
    {
        let (loaded, text) = read(skipped);
        assert_eq!(
            (loaded.map(|it| it.problem.queries[0].hypotheses.len()), text.as_str()),
            (Some(2), ""),
            "{skipped}"
        );
    }
}

#[test]
fn failed_includes_are_reported() {
    let main = "include('no').\nfof(a, axiom, p).\ninclude('b').\ninclude('c'). fof(b, axiom, q(X)).";
    let (loaded, text) = load_files(&[("main", main), ("b", "include('main')."), ("c", "fof(x, axiom, &).")]);
    assert!(loaded.is_none());
    assert_eq!(
        text,
        "1:9 error[R024]: the file `no` cannot be included: there is no such file\n    `'no'`: included here\n\
         4:31 error[R006]: the variable `X` is not bound here\n    `X`: no quantifier binds it\n    \
         help: formulas are closed: `! [X] : ( .. )` is about all `X`, `? [X] : ( .. )` about some\n\
         b 1:9 error[R024]: the file `main` cannot be included: it includes this one\n    `'main'`: included here\n\
         c 1:15 error[R003]: expected a formula, found `&`\n    `&`: expected a formula\n"
    );
}

#[test]
fn includes_end() {
    // Each file includes the next one twice with a selection, so it is read each time.
    let files: Vec<(String, String)> = (0..40)
        .map(|at| {
            (
                format!("f{at}"),
                format!("include('f{0}', [a]). include('f{0}', [a]). fof(a, axiom, p).", at + 1),
            )
        })
        .chain([("f40".to_owned(), "fof(a, axiom, p).".to_owned())])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (loaded, text) = load_files(&files);
    assert!(loaded.is_none() && text.contains("more than 1000 files are read"), "{text}");
    // A long chain.
    let files: Vec<(String, String)> =
        (0..500).map(|at| (format!("f{at}"), format!("include('f{}').", at + 1))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (loaded, text) = load_files(&files);
    assert!(loaded.is_none() && text.contains("error[R004]"), "{text}");
}
