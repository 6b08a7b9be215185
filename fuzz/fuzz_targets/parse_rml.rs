//! Any text: reading a program never panics, and printing what was read gives an equal program.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::lang::{Language, print, rml};
use ramsey_fuzz::programs;

fuzz_target!(|text: &str| {
    programs::read_and_print(Language::Rml, text, rml::parse, print::program);
});
