//! Models read a second time.

use crate::core::{Lowering, document};
use crate::obligations::Obligations;
use ramsey_core::system::System;

/// Makes sure that the second front understands the text of a `.pyv` model as the first one did, which has made the system of it: both
/// have to make the same closed form. The second front knows no proofs by forward and backward induction, so that such a
/// model is read once.
///
/// # Errors
/// What the second front does not understand, with its line and column, or the first line that differs.
pub fn read_again(system: &System, text: &str) -> Result<(), String> {
    if !system.proofs.list.is_empty() {
        return Ok(());
    }
    let mut obligations = Obligations::new(system);
    let Ok(lowering) = Lowering::new(system, obligations.syntax_mut()) else {
        // It has no certificate.
        return Ok(());
    };
    let first = document(&lowering.core);
    let second = ramsey_naive::pyv::core(text).map_err(|it| {
        format!("{}:{}: {} (says the second front; the first accepts it)", it.line, it.column, it.what)
    })?;
    if first == second {
        return Ok(());
    }
    let differs = |(_, (a, b)): &(usize, (&str, &str))| a != b;
    let pairs = first.lines().zip(second.lines()).enumerate();
    let (at, (a, b)) = pairs.into_iter().find(differs).unwrap_or_default();
    Err(format!(" the two fronts make different closed forms of it; line {} is\n{a}\nor\n{b}", at + 1))
}
