//! Certificates as wholes: their frame, the model that they are about, mutants, and the binary.

use super::{
    ALL, NAMES, PROOFS, THEOREMS, accepts, certificate, model, model_of, mutants, rejects, run, whole,
};

#[test]
fn the_frame_of_a_certificate() {
    let (model, good) = (model(), whole());
    for (from, to, reason) in [
        ("ramsey-certificate 2", "ramsey-certificate 1", "first line"),
        ("ramsey-certificate 2", "ramsey-certificate 20", "first line"),
        ("source ", "digest ", "not the digest of a source"),
        ("source ", "source 0", "not the digest of a source"),
        ("source ", "source  ", "not the digest of a source"),
        ("core ", "kern ", "not the digest of a closed form"),
        ("core ", "core 0", "not the digest of a closed form"),
        ("claim proved", "claim true", "not a claim"),
        ("claim proved", "claim proved ", "not a claim"),
        ("claim proved", "claim  proved", "not a claim"),
        ("claim proved", "claim answered", "not a claim"),
        ("claim proved", "claim refuted", "no obligation has another answer than it should"),
        ("claim proved\n", "", "not a claim"),
        ("q 0 3", "q 3 3", "theorem cong: the clause says something else"),
        ("q 0 3", "q 1 3", "theorem nonempty: the clause says something else"),
        ("q 0 3", "q 4 3", "no such obligation"),
        ("q 0 3", "q 00 3", "not a number"),
        ("q 0 3", "q 0 2", "the clause says something else"),
        ("q 0 3", "q 0 0", "no such clause"),
        ("q 0 3", "q 0 4", "no such clause"),
        ("q 0 3", "q 0", "lacks a word"),
        ("q 0 3", "q 0 3 0", "more words"),
        ("q 0 3", "qq 0 3", "unknown kind"),
        ("q 0 3", "init 0 prop", "unknown kind"),
        ("q 0 3", "query 0 3", "unknown kind"),
        ("q 0 3", "s 0 3", "more words"),
        ("q 0 3", "s 0", "a value before the sizes"),
        ("q 0 3", "s 0\nend", "theorem prop: a sort without size"),
        ("q 0 3\n", "q 0 3\nq 0 3\n", "a second answer"),
        ("i 0 3\n", "z 0 3\n", "unknown kind"),
        ("i 0 3\n", "\n", "lacks a word"),
        ("i 0 3\n", " i 0 3\n", "lacks a word"),
        ("i 0 3\n", "i 0 3 \n", "more words"),
        ("i 0 3\n", "i 0 3\r\n", "not a number"),
        ("i 0 3\n", "i 0 3\r", "not a number"),
        ("i 0 3\n", "i\t0 3\n", "unknown kind"),
        ("i 0 3\n", "\u{feff}i 0 3\n", "unknown kind"),
        ("i 0 3\n", "i 0 3 # the goal\n", "more words"),
        ("i 0 3\n", "\0\n", "unknown kind"),
        ("end\n", "End\n", "unknown kind"),
        ("end\n", "end \n", "unknown kind"),
        ("end\n", "end\nend\n", "a line after the end"),
        ("end\n", "end\n\n", "a line after the end"),
        ("end\n", "", "ends too early"),
        ("end\n", "end", "no end"),
    ] {
        assert!(good.contains(from));
        let changed = match good.rsplit_once(from) {
            Some((front, back)) if from.starts_with("end") => format!("{front}{to}{back}"),
            _ => good.replacen(from, to, 1),
        };
        rejects(&model, changed, reason);
    }
    accepts(&model, format!("\u{feff}{good}"));
    rejects(&model, format!("\u{feff}\u{feff}{good}"), "first line");
    rejects(&model, good.replace('\n', "\r\n"), "first line");
    rejects(&model, good.replacen('\n', "\r\n", 7), "first line");
    rejects(&model, format!("{good}trailing\n"), "a line after the end");
    rejects(&model, format!("{good}trailing"), "no end");
    rejects(&model, format!("{good}{good}"), "a line after the end");
    rejects(&model, "", "ends");
    let mut bytes = good.clone().into_bytes();
    bytes[200] = 0xff;
    rejects(&model, bytes, "UTF-8");
    for (missing, name) in NAMES.iter().enumerate() {
        let answer = ALL[missing].last().expect("a line");
        let rejection = run(&model, good.replace(&format!("{answer}\n"), "")).expect_err("no answer");
        let expected = format!("theorem {name}: the claim has another answer, or there is none");
        assert!(rejection.to_string().contains(&expected), "{rejection}");
    }
    for length in 0..good.len() {
        assert!(run(&model, &good[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn proofs_of_one_obligation_are_not_proofs_of_another() {
    for (of, lines) in PROOFS.iter().enumerate() {
        for other in 0..THEOREMS.len() {
            let accepted = run(&model_of(other), certificate("proved", lines)).is_ok();
            assert_eq!(accepted, of == other, "{of} for {other}");
        }
    }
    for of in 0..ALL.len() {
        for other in (0..ALL.len()).filter(|&other| other != of) {
            let (from, to) = (format!("q {of} "), format!("q {other} "));
            assert!(run(&model(), whole().replacen(&from, &to, 1)).is_err(), "{of} for {other}");
        }
    }
}

#[test]
fn certificates_are_of_one_model() {
    let model = model();
    for (from, to) in [
        ("axiom [same] a = b\n", ""),
        ("axiom [same] a = b", "axiom [same] a = c"),
        ("axiom [same] a = b", "axiom [same] a != b"),
        ("axiom [common] exists V. forall X. q(X, V)\n", ""),
        ("exists V. forall X. q(X, V)", "exists V. exists X. q(X, V)"),
        ("exists V. forall X. q(X, V)", "forall V. exists X. q(X, V)"),
        ("forall X. exists V. q(X, V)", "forall X. forall V. q(X, V)"),
        ("(forall X. p(X))", "(exists X. p(f(X)))"),
        ("(exists X. p(X))", "(forall X. p(f(X)))"),
        ("z | !z", "z | z"),
        ("f(a) = f(b)", "f(a) = f(c)"),
        ("f(a) = f(b)", "f(a) != f(b)"),
    ] {
        assert!(model.contains(from));
        assert!(run(&model.replace(from, to), whole()).is_err(), "{from} -> {to}");
    }
    rejects(&format!("{model}theorem [more] true\n"), whole(), "theorem more: the claim has another answer");
    // Names mean nothing.
    let renamed = accepts(&model.replace("theorem [cong]", "theorem [named]"), whole());
    assert!(!renamed.same_source && renamed.proofs == 4);
}

#[test]
fn no_mutant_proves_what_does_not_hold() {
    let (mut accepted, mut rejected) = (0, 0);
    let model = model();
    let wrong = model.replace("theorem [cong] f(a) = f(b)", "theorem [cong] f(a) = f(c)");
    let weaker = model.replace("exists V. forall X. q(X, V)", "exists X. forall V. q(X, V)");
    for mutant in mutants(&whole()) {
        match run(&model, &mutant) {
            Ok(_) => accepted += 1,
            Err(_) => rejected += 1,
        }
        for model in [&wrong, &weaker] {
            assert!(run(model, &mutant).is_err(), "{mutant}");
        }
    }
    assert!(accepted > 10 && rejected > 5 * accepted, "{accepted} accepted, {rejected} rejected");
}

/// The order of proofs is free, if their steps have the right numbers.
#[test]
fn answers_are_in_any_order() {
    let lines = ["i 3 3", "i 0 0", "f 1 2", "q 3 1", "i 0 3", "O 3 0", "O 3 1", "c 3 0 2 3", "q 0 4"];
    let rest = ["i 1 3", "p 5 1", "p 5 2", "t A 0 0 0", "u 6 0", "u 7 0", "c 5 0 5 6 7 8"];
    let last = ["i 2 3", "w 9 1", "i 0 2", "w 11 1", "u 12 1", "u 10 2", "c 9 -11 0 10 11 12 13", "q 2 14"];
    accepts(&model(), certificate("proved", &[&lines, &rest[..], &last, &["q 1 9"]].concat()));
}

#[test]
fn the_binary_tells_by_its_exit_code() {
    let folder = std::env::temp_dir().join(format!("ramsey-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.into_os_string()
    };
    let model = file("model.pyv", model().as_bytes());
    let broken = file("broken.pyv", b"sort s\naxiom p(X)\n");
    let good = file("good", whole().as_bytes());
    let bad = file("bad", whole().replace("i 0 3", "i 0 4").as_bytes());
    let binary = file("binary", &[0xff, 0xfe, b'\n']);
    let absent = folder.join("absent").into_os_string();
    for (arguments, code, said) in [
        (vec![&model, &good], 0, "accepted, claim proved: 4 obligations, 4 proved in 25 steps, 0 refuted"),
        (vec![&model, &bad], 1, "line 5: no such hypothesis"),
        (vec![&model, &binary], 1, "line 1: the line is not UTF-8"),
        (vec![&broken, &good], 2, "broken.pyv:2:7: "),
        (vec![&binary, &good], 2, "unexpected characters"),
        (vec![&absent, &good], 2, "cannot be read"),
        (vec![&model, &absent], 2, "cannot be read"),
        (vec![&model], 2, "usage"),
        (vec![&model, &good, &good], 2, "usage"),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
            .args(&arguments)
            .output()
            .expect("the binary runs");
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.contains(said), "{text}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
}
