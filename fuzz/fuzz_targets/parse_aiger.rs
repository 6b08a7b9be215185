//! Any bytes: reading a circuit never panics, places of errors are in the file, and a circuit is written and read back in
//! both encodings.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::lang::aiger::{parse, write_ascii, write_binary};

fuzz_target!(|bytes: &[u8]| {
    let circuit = match parse(bytes) {
        Ok(circuit) => circuit,
        Err(error) => {
            assert!(error.start <= error.end && error.end <= bytes.len(), "{error:?}");
            return;
        }
    };
    for (own, &[left, right]) in (circuit.first_gate()..).zip(circuit.gates()) {
        assert!(left.var() < own && right.var() < own, "operands come before their gate");
    }
    let (mut ascii, mut binary) = (Vec::new(), Vec::new());
    write_ascii(&circuit, &mut ascii).expect("memory does not fail");
    write_binary(&circuit, &mut binary).expect("memory does not fail");
    assert_eq!(parse(&ascii).as_ref(), Ok(&circuit));
    assert_eq!(parse(&binary).as_ref(), Ok(&circuit));
});
