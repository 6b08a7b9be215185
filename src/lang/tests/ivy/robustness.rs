//! Adversarial input: no panic, no overflow, few diagnostics.

use proptest::prelude::*;

use super::load;
use ramsey_lang::Language;

const VOCABULARY: &str = "#lang ivy1.7\ntype t\nrelation r(X:t)\nrelation p\nindividual c : t\n";

/// Parts nested in themselves: text before, innermost part, text after.
const NESTINGS: &[(&str, &str, &str)] = &[
    ("object o = { ", "relation q", " }"),
    ("module m = { ", "relation q", " }"),
    ("isolate o = { ", "relation q", " }"),
    ("specification { ", "relation q", " }"),
    ("invariant ~", "p", ""),
    ("axiom ", "p", ""),
    ("private ", "relation q", ""),
    ("ghost ", "relation q", ""),
    ("explicit ", "property p", ""),
];

/// The same in an action.
const STATEMENTS: &[(&str, &str, &str)] = &[
    ("{ ", "p := true", " }"),
    ("if p { ", "p := true", " }"),
    ("if p { } else if p { ", "p := true", " }"),
    ("if p { } else ", "p := true", ""),
    ("local x:t { ", "p := true", " }"),
    ("p := (", "p", ")"),
    ("p := ~", "p", ""),
    ("p := p -> ", "p", ""),
    ("p := p if p else ", "p", ""),
    ("r(c if p else ", "c", ") := p"),
    ("r(", "c", ")"),
];

#[test]
fn deep_nesting_is_refused_and_never_overflows() {
    for times in [1, 50, 99, 100, 101, 400, 5_000, 100_000] {
        for (open, inside, close) in NESTINGS {
            let (_, found) =
                load(&format!("{VOCABULARY}{}{inside}{}\n", open.repeat(times), close.repeat(times)));
            assert!(found.len() < 110, "{open} {times}");
        }
        for (open, inside, close) in STATEMENTS {
            let (open, close) = (open.repeat(times), close.repeat(times));
            let (_, found) = load(&format!("{VOCABULARY}action a = {{ {open}{inside}{close} }}\nexport a\n"));
            assert!(found.len() < 110, "{open:.20} {times}");
        }
    }
}

#[test]
fn expansion_has_limits() {
    let mut chain = format!("{VOCABULARY}module m0 = {{ relation q }}\n");
    let mut doubling = format!("{VOCABULARY}action a0 = {{ r(c) := p }}\n");
    let mut functions =
        String::from("#lang ivy1.7\ntype t\nrelation r(X:t, Y:t)\nfunction f0(X:t) : bool = r(X, X)\n");
    for at in 1..200 {
        let last = at - 1;
        chain += &format!("module m{at} = {{ instance o : m{last} }}\n");
        doubling += &format!("action a{at} = {{ call a{last}; call a{last} }}\n");
        functions += &format!("relation f{at}(X:t) = f{last}(X) & f{last}(X)\n");
    }
    let (system, found) = load(&format!("{chain}instance o : m199\n"));
    assert!(system.is_none() && found[0].contains("R004"), "{found:?}");
    let (system, found) = load(&format!("{doubling}export a199\n"));
    assert!(
        system.is_none() && found.iter().any(|it| it.contains("R004") || it.contains("R012")),
        "{found:?}"
    );
    let (system, found) = load(&format!("{functions}invariant f199(X)\n"));
    assert!(system.is_none() && found.iter().any(|it| it.contains("R004")), "{found:?}");
    let mut terms =
        String::from("#lang ivy1.7\ntype t\nfunction g(X:t, Y:t) : t\nfunction f0(X:t) : t = g(X, X)\n");
    for at in 1..100 {
        let last = at - 1;
        terms += &format!("function f{at}(X:t) : t = g(f{last}(X), f{last}(X))\n");
    }
    let (system, found) = load(&format!("{terms}invariant f99(X) = X\n"));
    assert!(system.is_none() && found.iter().any(|it| it.contains("R004")), "{found:?}");
    // An instance that doubles at each level.
    let mut modules = format!("{VOCABULARY}module m0 = {{ relation q }}\n");
    for at in 1..60 {
        let last = at - 1;
        modules += &format!("module m{at} = {{ instance x : m{last} instance y : m{last} }}\n");
    }
    let (system, found) = load(&format!("{modules}instance o : m59\n"));
    assert!(system.is_none() && found.iter().any(|it| it.contains("R004")), "{found:?}");
}

#[test]
fn truncated_texts_are_read() {
    for text in [
        include_str!("../../../../examples/ring_leader.ivy"),
        include_str!("../../../../examples/bounded_service.ivy"),
    ] {
        for (end, _) in text.char_indices().step_by(7) {
            load(&text[..end]);
        }
    }
}

proptest! {
    #[test]
    fn any_words_are_read(words in proptest::collection::vec(prop::sample::select(words()), 0..60)) {
        load(&format!("{VOCABULARY}{}", words.join(" ")));
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}") {
        load(&text);
    }
}

/// Words and signs of programs.
fn words() -> Vec<&'static str> {
    let others = [
        "order", "other", "X", "Y", "t", "r", "p", "c", "a", "m", "o", "0", "1", "(", ")", "{", "}", "[",
        "]", ".", ":", ";", ",", "=", "~=", ":=", "*", "~", "&", "|", "->", "<->", "<", "<=", ">", "+",
        "...", "\n", "#",
    ];
    Language::Ivy.reserved_words().chain(others).collect()
}
