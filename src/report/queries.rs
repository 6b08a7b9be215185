//! Structures that refute queries of problems, as text.

use super::Palette;
use super::trace::{TraceStyle, execution_text};
use ramsey_core::logic::{Problem, Structure};
use ramsey_core::system::System;

/// Returns a structure over the signature of a problem as text, state by state, each line indented by two spaces.
pub fn structure_text(problem: &Problem, structure: &Structure) -> String {
    // States have no names in a problem, and what is between them is a formula.
    let system = System { sig: problem.sig.clone(), ..System::new() };
    let style = TraceStyle { palette: Palette::PLAIN, negative: false, sources: None };
    execution_text(&system, &problem.sig, structure, &[], style)
}
