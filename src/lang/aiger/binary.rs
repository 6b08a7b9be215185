//! The binary encoding: implicit numbers, and gates as differences.

use super::circuit::{Circuit, Latch, Lit};
use super::reader::{Header, Reader, Stop};
use crate::shared::Error;

/// Reads what is between the header and the symbol table.
pub(super) fn read(reader: &mut Reader<'_, '_>, header: &Header) -> Result<Circuit, Stop> {
    let mut circuit = Circuit { num_inputs: header.inputs as usize, ..Circuit::default() };
    for index in 0..header.latches {
        let own = Lit::positive((1 + header.inputs + index) as usize);
        let start = reader.at;
        let next = reader.number("the latches")?;
        let next = header.literal(reader, next, start)?;
        let reset = reset(reader, own)?;
        reader.line_end()?;
        circuit.latches.push(Latch { next, reset });
    }
    let Circuit { outputs, bad, constraints, .. } = &mut circuit;
    let parts = [
        (header.outputs, outputs, "the outputs"),
        (header.bad, bad, "the bad states"),
        (header.constraints, constraints, "the constraints"),
    ];
    for (count, lits, part) in parts {
        for _ in 0..count {
            lits.push(reader.literal_line(part, header)?.0);
        }
    }
    for index in 0..header.gates {
        let own = 2 * (1 + header.inputs + header.latches + index);
        let start = reader.at;
        let left = own.checked_sub(delta(reader)?).filter(|&left| left < own);
        let right = match left {
            Some(left) => left.checked_sub(delta(reader)?),
            None => None,
        };
        let (Some(left), Some(right)) = (left, right) else {
            let message = format!("byte {start}: the operands of gate {own} do not come before it");
            return Err(at_bytes(reader, start, message).into());
        };
        reader.charge()?;
        circuit.gates.push([Lit(left as u32), Lit(right as u32)]);
    }
    Ok(circuit)
}

/// Reads the reset value of the latch `own`, which may be missing.
pub(super) fn reset(reader: &mut Reader<'_, '_>, own: Lit) -> Result<Option<bool>, Stop> {
    if reader.is_line_end() {
        return Ok(Some(false));
    }
    let start = reader.at;
    match reader.number("the latches")? {
        0 => Ok(Some(false)),
        1 => Ok(Some(true)),
        number if number == u64::from(own.code()) => Ok(None),
        _ => {
            let hint = format!("it is 0, 1, or {} if the initial value is arbitrary", own.code());
            Err(reader.error(start, "not a reset value of this latch", &hint).into())
        }
    }
}

/// Reads a difference: groups of seven bits, the lowest first; all bytes but the last have the highest bit set.
fn delta(reader: &mut Reader<'_, '_>) -> Result<u64, Stop> {
    let start = reader.at;
    let mut value = 0_u64;
    for shift in (0..35).step_by(7) {
        let Some(byte) = reader.byte() else {
            let message = format!("byte {}: the text ends in the gates", reader.at);
            let hint = "see whether the file is cut off".into();
            return Err(Error { hint, ..at_bytes(reader, start, message) }.into());
        };
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    let message = format!("byte {start}: this number of a gate is too large");
    Err(at_bytes(reader, start, message).into())
}

fn at_bytes(reader: &Reader<'_, '_>, start: usize, message: String) -> Error {
    Error { end: reader.at, ..reader.error(start, &message, "") }
}
