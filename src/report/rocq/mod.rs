//! Theorems of the proof assistant Rocq (Coq): what a certificate proves, in ordinary words, and the proof.
//!
//! A folder holds a theory that is the same for all models (`spec/rocq`: what a closed system means, a checker, and the proof
//! that the checker is right), the closed system with the steps of its proof (`Proof.v`), and a page to read (`Theorem.v`).

mod deep;
mod page;
mod words;

use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_kernel::core::Proof;

/// The files that are the same for all models.
const THEORY: [(&str, &str); 4] = [
    ("Core.v", include_str!("../../../spec/rocq/Core.v")),
    ("Check.v", include_str!("../../../spec/rocq/Check.v")),
    ("Sound.v", include_str!("../../../spec/rocq/Sound.v")),
    ("Short.v", include_str!("../../../spec/rocq/Short.v")),
];

/// How the theory is compiled.
const MAKEFILE: &str = include_str!("../../../spec/rocq/Makefile");

/// How the proof and the page are compiled. The page ends with the axioms that its theorems depend on.
const RULES: &str = "\
all: Theorem.vo
Proof.vo: Proof.v Sound.vo Short.vo
\t$(COQC) Proof.v
Theorem.vo: Theorem.v Proof.vo
\t$(COQC) Theorem.v
";

/// Returns the files of the folder, each with its name.
pub fn files(system: &System, sources: &Sources, model: &str, proof: &Proof) -> Vec<(&'static str, String)> {
    let mut files: Vec<(&str, String)> = THEORY.map(|(name, text)| (name, text.to_owned())).into();
    files.push(("Proof.v", deep::text(proof)));
    files.push(("Theorem.v", page::text(system, sources, model)));
    files.push(("Makefile", format!("{MAKEFILE}{RULES}")));
    files
}
