//! Any bytes: reading a formula never panics, places of errors are in the text, and what is read is consistent;
//! incremental problems are the same in pieces as in one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::lang::dimacs::{self, Error, Incremental, Item};

/// What an incremental problem has in it, read in pieces of so many bytes.
fn items(text: &[u8], size: usize) -> (Vec<Item>, Result<(), Error>) {
    let mut problem = Incremental::new();
    let mut items = Vec::new();
    let mut pieces = text.chunks(size).map(Some).chain([None]);
    loop {
        match problem.next_item() {
            Ok(Some(item)) => items.push(item),
            Err(error) => return (items, Err(error)),
            Ok(None) => match pieces.next() {
                Some(Some(piece)) => problem.feed(piece),
                Some(None) => problem.end(),
                None => return (items, problem.check_end()),
            },
        }
    }
}

fuzz_target!(|text: &[u8]| {
    assert_eq!(items(text, 3).0, items(text, text.len().max(1)).0);
    if let (_, Err(error)) = items(text, 7) {
        assert!(error.start <= error.end && error.end <= text.len(), "{error:?}");
    }
    let cnf = match dimacs::parse(text) {
        Ok(cnf) => cnf,
        Err(error) => {
            assert!(error.start <= error.end && error.end <= text.len(), "{error:?}");
            return;
        }
    };
    let mut printed = format!("p cnf {} {}\n", cnf.num_vars(), cnf.num_clauses());
    for clause in cnf.clauses() {
        for &lit in clause {
            assert!(lit != 0 && lit.unsigned_abs() as usize <= cnf.num_vars());
            printed += &format!("{lit} ");
        }
        printed += "0\n";
    }
    assert_eq!(dimacs::parse(printed.as_bytes()), Ok(cnf), "{printed}");
});
