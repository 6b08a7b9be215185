//! Tests of the reader and the writer.

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::rng::Rng;
use ramsey_core::diag::Code;
use ramsey_lang::aiger::*;

/// A toggle with a reset, an enabled output and names.
const TOGGLE: &str =
    "aag 5 1 1 0 3 1 1\n2\n4 10 1\n8\n2\n6 4 3\n8 4 2\n10 7 9\ni0 enable\nb0 on\nc\nmade by hand\n";

fn read(text: &str) -> Circuit {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn ascii(circuit: &Circuit) -> String {
    let mut out = Vec::new();
    write_ascii(circuit, &mut out).expect("memory does not fail");
    String::from_utf8(out).expect("text")
}

fn binary(circuit: &Circuit) -> Vec<u8> {
    let mut out = Vec::new();
    write_binary(circuit, &mut out).expect("memory does not fail");
    out
}

/// Returns a random circuit, as text with shuffled definitions.
fn random_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let (inputs, latches, gates) = (rng.below(4), rng.below(5), rng.below(12));
    let total = inputs + latches + gates;
    let mut names: Vec<usize> = (1..=total).collect();
    for at in (1..total).rev() {
        names.swap(at, rng.below(at + 1));
    }
    let lit = |rng: &mut Rng, below: usize| {
        let var = rng.below(below + 1);
        2 * if var == 0 { 0 } else { names[var - 1] } + rng.below(2)
    };
    let (outputs, bad, constraints) = (rng.below(3), rng.below(3), rng.below(3));
    let mut text = format!("aag {total} {inputs} {latches} {outputs} {gates} {bad} {constraints}\n");
    for name in &names[..inputs] {
        text += &format!("{}\n", 2 * name);
    }
    for name in &names[inputs..inputs + latches] {
        let own = 2 * name;
        text += &format!("{own} {}", lit(&mut rng, total));
        text += &["\n".to_owned(), " 0\n".into(), " 1\n".into(), format!(" {own}\n")][rng.below(4)];
    }
    for _ in 0..outputs + bad + constraints {
        text += &format!("{}\n", lit(&mut rng, total));
    }
    let mut lines: Vec<String> = (inputs + latches..total)
        .map(|var| format!("{} {} {}\n", 2 * names[var], lit(&mut rng, var), lit(&mut rng, var)))
        .collect();
    for at in (1..lines.len()).rev() {
        lines.swap(at, rng.below(at + 1));
    }
    text + &lines.concat()
}

#[test]
fn sections_are_read() {
    let circuit = read(TOGGLE);
    assert_eq!((circuit.num_inputs(), circuit.num_vars()), (1, 6));
    assert_eq!(circuit.latches(), [Latch { next: Lit::positive(5), reset: Some(true) }]);
    assert_eq!(circuit.gates()[1], [Lit::positive(2), Lit::positive(1)]);
    assert_eq!(
        (circuit.properties(), circuit.constraints()),
        (&[Lit::positive(4)][..], &[Lit::positive(1)][..])
    );
    assert_eq!(circuit.name(SymbolKind::Input, 0), Some("enable"));
    assert_eq!(circuit.property_name(0), Some("on"));
    assert_eq!(circuit.comments(), b"made by hand\n");
}

#[test]
fn outputs_are_bad_states_where_no_others_are() {
    assert_eq!(read("aag 1 1 0 1 0\n2\n3\n").properties(), [!Lit::positive(1)]);
    assert_eq!(read("aag 1 1 0 1 0 1\n2\n3\n2\n").properties(), [Lit::positive(1)]);
}

#[test]
fn definitions_may_come_in_any_order() {
    let circuit = read("aag 4 1 0 1 3\n8\n2\n2 4 6\n4 6 8\n6 8 9\n");
    assert_eq!(circuit.gates().len(), 3);
    assert_eq!(circuit.gates()[0], [!Lit::positive(1), Lit::positive(1)]);
    assert_eq!(circuit.outputs(), [Lit::positive(4)]);
}

#[test]
fn texts_read_back_are_the_same() {
    for seed in 0..2_000 {
        let text = random_text(seed);
        let circuit = read(&text);
        assert_eq!(read(&ascii(&circuit)), circuit, "{text}");
        assert_eq!(parse(&binary(&circuit)).as_ref(), Ok(&circuit), "{text}");
    }
    let circuit = read(TOGGLE);
    assert_eq!(read(&ascii(&circuit)), circuit);
    assert_eq!(parse(&binary(&circuit)), Ok(circuit));
}

#[test]
fn large_differences_have_several_bytes() {
    let mut bytes = b"aig 301 300 0 1 1\n602\n".to_vec();
    // 602 - 300 = 302, and 300 - 2 = 298.
    bytes.extend([0xAE, 0x02, 0xAA, 0x02]);
    let circuit = parse(&bytes).expect("a circuit");
    assert_eq!(circuit.gates(), [[Lit::positive(150), Lit::positive(1)]]);
    assert_eq!(binary(&circuit), bytes);
}

#[test]
fn errors_have_places() {
    let cases = [
        ("p cnf 1 1\n", "p", "this is no header of AIGER"),
        ("aag 1 1 0\n", "aag", "the header has too few numbers"),
        ("aag 1 1 0 0 0 0 0 0 0 0\n", "0", "the header has too many numbers"),
        ("aag x 1 0 0 0\n", "x", "not a number, in the header"),
        ("aag 1 1 1 0 0\n", "1", "the header announces 1 variables, but 2 are defined"),
        ("aig 2 1 0 0 0\n", "2", "the header announces 2 variables, but 1 are defined"),
        ("aag 9999999999 1 0 0 0\n", "9999999999", "the header announces too many variables"),
        ("aag 1 1 0 0 0\n3\n", "3", "literal 3 is negated where a variable is defined"),
        ("aag 1 1 0 0 0\n4\n", "4", "literal 4 is beyond the 1 variables of the header"),
        ("aag 1 1 0 0 0\n0\n", "0", "the constant is defined already"),
        ("aag 2 2 0 0 0\n2\n2\n", "2", "literal 2 is defined already"),
        ("aag 2 0 1 1 0\n2 2 3\n2\n", "3", "not a reset value of this latch"),
        ("aag 2 1 0 1 0\n2\n4\n", "4", "literal 4 is not defined"),
        ("aag 2 0 0 0 2\n2 4 1\n4 3 1\n", "3", "the gate depends on itself"),
        ("aag 1 0 0 0 1\n2 2 1\n", "2", "the gate depends on itself"),
        ("aag 2 0 0 0 1\n2 4 1\n", "4", "literal 4 is not defined"),
        ("aag 1 1 0 0 0\n2 1\n", "1", "the line has too many words"),
        ("aag 1 1 0 1 0\n2\n", "", "the text ends in the outputs"),
        ("aag 1 1 0 0 0\n2\nhello\n", "hello", "this line is no symbol"),
        ("aag 1 1 0 0 0\n2\ni1 x\n", "i1", "there is no i1"),
        ("aig 1 0 0 0 1\n\u{5}\0", "\u{5}", "byte 14: the operands of gate 2 do not come before it"),
        ("aig 1 0 0 0 1\n\0\0", "\0", "byte 14: the operands of gate 2 do not come before it"),
        ("aig 1 0 0 0 1\n\u{2}", "", "byte 15: the text ends in the gates"),
        ("aig 99999999 99999999 0 0 0\n", "99999999", "a file of this size cannot use 99999999 inputs"),
    ];
    for (text, place, message) in cases {
        let error = parse(text.as_bytes()).expect_err(text);
        assert_eq!((&text[error.start..error.end], error.message.as_str()), (place, message), "{text:?}");
        assert_eq!(error.code, Code::Syntax);
    }
}

#[test]
fn liveness_is_refused_by_name() {
    let error = parse(b"aag 1 1 0 0 0 0 0 1\n2\n1\n2\n").expect_err("justice");
    assert_eq!((error.code, error.message.as_str()), (Code::Liveness, "the circuit has justice properties"));
    let error = parse(b"aig 1 1 0 0 0 0 0 0 2\n2\n3\n").expect_err("fairness");
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::Liveness, "the circuit has fairness constraints")
    );
    assert_eq!((error.start, error.end), (20, 21));
}

#[test]
fn headers_that_promise_too_much_cost_nothing() {
    for text in [
        "aag 536870912 536870912 0 0 0\n2\n",
        "aig 536870912 0 536870912 0 0\n0\n",
        "aig 536870912 0 0 0 536870912\n",
        "aag 0 0 0 99999999999999999999 0\n",
    ] {
        assert!(parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn damaged_texts_never_panic() {
    let mut rng = Rng::new(5);
    for seed in 0..3_000 {
        let circuit = read(&random_text(seed));
        let mut bytes = if seed % 2 == 0 { ascii(&circuit).into_bytes() } else { binary(&circuit) };
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(3) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b"0123456789 \nc"[rng.below(13)]),
            }
        }
        if let Err(error) = parse(&bytes) {
            assert!(error.start <= error.end && error.end <= bytes.len(), "{error:?}");
        }
    }
}

#[test]
fn reading_has_a_budget() {
    let mut budget = Budget::new(Some(10), None);
    assert_eq!(parse_within(TOGGLE.as_bytes(), &mut budget), Err(Exhausted::Work));
}
