//! Circuits as text.

use std::io::{self, Write};

use super::circuit::{Circuit, Lit};

/// Writes a circuit in the ASCII encoding.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_ascii(circuit: &Circuit, out: &mut impl Write) -> io::Result<()> {
    header(circuit, "aag", out)?;
    for index in 0..circuit.num_inputs {
        writeln!(out, "{}", Lit::positive(1 + index).code())?;
    }
    latches(circuit, true, out)?;
    lists(circuit, out)?;
    for (index, [left, right]) in circuit.gates.iter().enumerate() {
        let own = Lit::positive(circuit.first_gate() + index);
        writeln!(out, "{} {} {}", own.code(), left.code(), right.code())?;
    }
    tail(circuit, out)
}

/// Writes a circuit in the binary encoding.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_binary(circuit: &Circuit, out: &mut impl Write) -> io::Result<()> {
    header(circuit, "aig", out)?;
    latches(circuit, false, out)?;
    lists(circuit, out)?;
    for (index, &[left, right]) in circuit.gates.iter().enumerate() {
        let own = Lit::positive(circuit.first_gate() + index);
        let (large, small) = (left.max(right), left.min(right));
        delta(own.code() - large.code(), out)?;
        delta(large.code() - small.code(), out)?;
    }
    tail(circuit, out)
}

fn header(circuit: &Circuit, word: &str, out: &mut impl Write) -> io::Result<()> {
    let Circuit { num_inputs, latches, gates, outputs, bad, constraints, .. } = circuit;
    let (latches, outputs, gates) = (latches.len(), outputs.len(), gates.len());
    write!(out, "{word} {} {num_inputs} {latches} {outputs} {gates}", circuit.num_vars() - 1)?;
    match (bad.len(), constraints.len()) {
        (0, 0) => writeln!(out),
        (bad, 0) => writeln!(out, " {bad}"),
        (bad, constraints) => writeln!(out, " {bad} {constraints}"),
    }
}

fn latches(circuit: &Circuit, with_names: bool, out: &mut impl Write) -> io::Result<()> {
    for (index, latch) in circuit.latches.iter().enumerate() {
        let own = Lit::positive(circuit.first_latch() + index).code();
        if with_names {
            write!(out, "{own} ")?;
        }
        write!(out, "{}", latch.next.code())?;
        match latch.reset {
            Some(false) => writeln!(out)?,
            Some(true) => writeln!(out, " 1")?,
            None => writeln!(out, " {own}")?,
        }
    }
    Ok(())
}

fn lists(circuit: &Circuit, out: &mut impl Write) -> io::Result<()> {
    let lits = circuit.outputs.iter().chain(&circuit.bad).chain(&circuit.constraints);
    lits.into_iter().try_for_each(|lit| writeln!(out, "{}", lit.code()))
}

fn delta(mut value: u32, out: &mut impl Write) -> io::Result<()> {
    while value >= 0x80 {
        out.write_all(&[value as u8 | 0x80])?;
        value >>= 7;
    }
    out.write_all(&[value as u8])
}

fn tail(circuit: &Circuit, out: &mut impl Write) -> io::Result<()> {
    for symbol in &circuit.symbols {
        writeln!(out, "{}{} {}", symbol.kind.letter(), symbol.index, symbol.name)?;
    }
    if !circuit.comments.is_empty() {
        out.write_all(b"c\n")?;
        out.write_all(&circuit.comments)?;
    }
    Ok(())
}
