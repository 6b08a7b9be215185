//! Any bytes: reading a script never panics, errors have a place in the command, assertions are closed formulas, a second
//! reading gives the same terms, and compaction keeps what is live.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::lang::smtlib::{Command, Frontend, Reader};
use ramsey::logic::{Signature, SortId, Terms};

/// All forms, fed in pieces whose sizes the input chooses.
fn forms(bytes: &[u8]) -> Vec<String> {
    let size = bytes.first().map_or(1, |&byte| 1 + usize::from(byte));
    let mut reader = Reader::new();
    let mut found = Vec::new();
    for piece in bytes.chunks(size) {
        reader.feed(piece);
        while let Some(form) = reader.next_form() {
            found.push(form.text.into_owned());
        }
    }
    while let Some(form) = reader.finish() {
        found.push(form.text.into_owned());
    }
    found
}

fuzz_target!(|bytes: &[u8]| {
    let (mut sig, mut terms, mut frontend) = (Signature::new(), Terms::new(), Frontend::new());
    for text in forms(bytes) {
        let before = frontend.assertions().to_vec();
        match frontend.command(&mut sig, &mut terms, &text) {
            Err(error) => {
                assert!(text.is_char_boundary(error.start) && text.is_char_boundary(error.end), "{error:?}");
                assert!(error.start <= error.end && !error.message.is_empty(), "{error:?}");
                assert_eq!(frontend.assertions(), before, "an error changes nothing: {text}");
            }
            Ok(Command::Assert) => {
                let asserted = frontend.assertions().last().expect("it was just made").formula;
                assert_eq!(terms.sort(asserted), SortId::BOOL);
                assert!(terms.free_vars(asserted).is_empty(), "{text}");
                if !text.contains(":named") {
                    let size = terms.len();
                    frontend.command(&mut sig, &mut terms, &text).expect("it was right before");
                    let again = frontend.assertions().last().expect("it was just made").formula;
                    assert_eq!((asserted, size), (again, terms.len()), "{text}");
                }
            }
            Ok(_) => {}
        }
    }
    let depths: Vec<usize> = frontend.assertions().iter().map(|it| terms.depth(it.formula)).collect();
    let symbols = frontend.symbols().count();
    frontend.compact(&mut sig, &mut terms);
    let after: Vec<usize> = frontend.assertions().iter().map(|it| terms.depth(it.formula)).collect();
    assert_eq!((depths, symbols), (after, frontend.symbols().count()));
});
