//! Certificates as wholes: their frame, the model that they are about, mutants, steps as text, and the binary.

use super::{MODEL, NAMES, PROOFS, PROP, mutants, proof, rejects, run, whole, with};
use ramsey::check::format::Step;

#[test]
fn the_frame_of_a_certificate() {
    let good = whole();
    for (from, to, reason) in [
        ("ramsey-certificate 1", "ramsey-certificate 2", "first line"),
        ("ramsey-certificate 1", "ramsey-certificate 10", "first line"),
        ("source ", "digest ", "digest"),
        ("source ", "source 0", "digest"),
        ("claim proved", "claim true", "not a claim"),
        ("claim proved", "claim refuted", "no obligation is refuted"),
        ("claim proved\n", "", "not a claim"),
        ("obligation theorem 0 prop", "obligation theorem 0 cong", "not an obligation"),
        ("obligation theorem 0 prop", "obligation theorem 4 prop", "not an obligation"),
        ("obligation theorem 0 prop", "obligation theorem 00 prop", "not an obligation"),
        ("obligation theorem 0 prop", "obligation init 0 prop", "not an obligation"),
        ("obligation theorem 0 prop", "obligation theorem 1 nonempty", "i"),
        ("proof\n", "proof \n", "neither"),
        ("proof\n", "counterexample\n", "not a proof"),
        ("i 3\n", "x 3\n", "unknown kind"),
        ("i 3\n", "\n", "unknown kind"),
        ("i 3\n", " i 3\n", "unknown kind"),
        ("i 3\n", "i 3\r\r\n", "not a number"),
        ("i 3\n", "i 3\r", "not a number"),
        ("i 3\n", "\u{feff}i 3\n", "unknown kind"),
        ("i 3\n", "i 3 # the goal\n", "more fields"),
        ("end\n", "End\n", "unknown kind"),
        ("end\n", "end\nend\n", "not an obligation"),
        ("end\n", "end\n\n", "not an obligation"),
        ("end\n", "", "unknown kind"),
    ] {
        assert!(good.contains(from));
        rejects(MODEL, good.replacen(from, to, 1), reason);
    }
    for same in [good.replace('\n', "\r\n"), format!("\u{feff}{good}"), good.replacen('\n', "\r\n", 7)] {
        run(MODEL, same).expect("the same certificate, as other tools write it");
    }
    rejects(MODEL, format!("{good}trailing\n"), "not an obligation");
    rejects(MODEL, format!("{good}trailing"), "no end");
    rejects(MODEL, format!("{good}{}", proof("theorem 0 prop", PROP)), "twice");
    rejects(MODEL, "", "ends");
    let mut bytes = good.clone().into_bytes();
    bytes[200] = 0xff;
    rejects(MODEL, bytes, "UTF-8");
    rejects(MODEL, good.replacen("i 3", "\0", 1), "unknown kind");
    for missing in 0..4 {
        let block = proof(&format!("theorem {missing} {}", NAMES[missing]), PROOFS[missing]);
        let rejection = run(MODEL, good.replace(&block, "")).expect_err("an obligation is missing");
        assert!(
            rejection.to_string().contains(&format!("theorem {missing} {}", NAMES[missing])),
            "{rejection}"
        );
    }
    for length in 0..good.len() {
        assert!(run(MODEL, &good[..length]).is_err(), "cut at {length}");
    }
}

#[test]
fn proofs_of_one_obligation_are_not_proofs_of_another() {
    for (of, lines) in PROOFS.iter().enumerate() {
        for other in (0..4).filter(|&other| other != of) {
            assert!(run(MODEL, with(other, lines)).is_err(), "{of} for {other}");
        }
    }
}

#[test]
fn certificates_are_of_one_model() {
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
        ("theorem [cong]", "theorem [named]"),
    ] {
        assert!(MODEL.contains(from));
        assert!(run(&MODEL.replace(from, to), whole()).is_err(), "{from} -> {to}");
    }
    rejects(&format!("{MODEL}theorem [more] true\n"), whole(), "theorem 4 more");
}

#[test]
fn no_mutant_proves_what_does_not_hold() {
    let (mut accepted, mut rejected) = (0, 0);
    let wrong = MODEL.replace("theorem [cong] f(a) = f(b)", "theorem [cong] f(a) = f(c)");
    let weaker = MODEL.replace("exists V. forall X. q(X, V)", "exists X. forall V. q(X, V)");
    for mutant in mutants(&whole()) {
        match run(MODEL, &mutant) {
            Ok(_) => accepted += 1,
            Err(_) => rejected += 1,
        }
        for model in [&wrong, &weaker] {
            assert!(run(model, &mutant).is_err(), "{mutant}");
        }
    }
    assert!(accepted > 10 && rejected > 20 * accepted, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn steps_are_written_as_they_are_read() {
    let lines = "t f' 0 12|t a|w 3 0|d node|i 0|a 1 2|o 7|u 3|u 3 1 2|e 4|q|q -1 2|r 0|r 1 -2 0 3 4|r 0 1";
    for line in lines.split('|') {
        assert_eq!(Step::parse(line).map(|step| step.to_string()), Ok(line.to_owned()));
    }
    for line in
        ["", "t", "w 1", "w 1 2 3", "i", "a 1", "o", "o x", "u", "e", "q 0", "q x", "r 1 0 -1", "end", "tt a"]
    {
        assert!(Step::parse(line).is_err(), "{line}");
    }
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
    let model = file("model.pyv", MODEL.as_bytes());
    let broken = file("broken.pyv", b"sort s\naxiom p(X)\n");
    let good = file("good", whole().as_bytes());
    let bad = file("bad", whole().replace("i 3", "i 4").as_bytes());
    let binary = file("binary", &[0xff, 0xfe, b'\n']);
    let absent = folder.join("absent").into_os_string();
    for (arguments, code, text) in [
        (vec![&model, &good], 0, "accepted, claim proved: 4 obligations, 4 proved in 25 steps, 0 refuted"),
        (vec![&model, &bad], 1, "line 6: obligation theorem 0 prop: there are fewer inputs"),
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
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(text), "{said}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
}
