//! Any bytes: reading a formula never panics, places of errors are in the text, and what is read is consistent.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::lang::dimacs;

fuzz_target!(|text: &[u8]| {
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
