//! Any text: reading a program never panics, and printing what was read gives an equal program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::base::budget::Budget;
use ramsey::lang::{Language, ivy, print};
use ramsey_fuzz::programs;

fuzz_target!(|text: &str| {
    let parse = |file, text: &str| ivy::parse_within(file, text, &mut Budget::unlimited()).expect("no limit");
    programs::read_and_print(Language::Ivy, text, parse, print::ivy);
});
