//! Circuits from text.

use super::circuit::Circuit;
use super::reader::{Header, Reader, Stop};
use super::{ascii, binary, symbols};
use crate::shared::Error;
use ramsey_core::base::budget::{Budget, Exhausted};

/// Parses a circuit in either encoding.
///
/// # Errors
/// Returns the first error.
pub fn parse(text: &[u8]) -> Result<Circuit, Error> {
    match parse_within(text, &mut Budget::unlimited()) {
        Ok(result) => result,
        // An unlimited budget is never exhausted.
        Err(_) => Ok(Circuit::default()),
    }
}

/// Parses a circuit within a budget: each byte costs one unit. Returns the circuit or the first error.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_within(text: &[u8], budget: &mut Budget) -> Result<Result<Circuit, Error>, Exhausted> {
    match read(&mut Reader::new(text, budget)) {
        Ok(circuit) => Ok(Ok(circuit)),
        Err(Stop::Mistake(error)) => Ok(Err(error)),
        Err(Stop::Exhausted(exhausted)) => Err(exhausted),
    }
}

fn read(reader: &mut Reader<'_, '_>) -> Result<Circuit, Stop> {
    let header = Header::read(reader)?;
    let mut circuit =
        if header.is_binary { binary::read(reader, &header)? } else { ascii::read(reader, &header)? };
    symbols::read(reader, &mut circuit)?;
    Ok(circuit)
}
