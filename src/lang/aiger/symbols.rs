//! The symbol table and the comments behind it.

use super::circuit::{Circuit, Symbol, SymbolKind};
use super::reader::{Reader, Stop};

/// Reads the rest of the text.
pub(super) fn read(reader: &mut Reader<'_, '_>, circuit: &mut Circuit) -> Result<(), Stop> {
    while reader.at < reader.text.len() {
        let start = reader.at;
        let rest = &reader.text[start..];
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        reader.at = (start + end + 1).min(reader.text.len());
        reader.charge()?;
        if line == b"c" {
            circuit.comments = reader.text[reader.at..].to_vec();
            reader.at = reader.text.len();
            reader.charge()?;
            break;
        }
        if line.is_empty() {
            continue;
        }
        let symbol = symbol(line).ok_or_else(|| {
            let hint = "a line of the symbol table is like `i0 name`, and `c` alone starts comments";
            reader.error(start, "this line is no symbol", hint)
        })?;
        let count = match symbol.kind {
            SymbolKind::Input => circuit.num_inputs,
            SymbolKind::Latch => circuit.latches.len(),
            SymbolKind::Output => circuit.outputs.len(),
            SymbolKind::Bad => circuit.bad.len(),
            SymbolKind::Constraint => circuit.constraints.len(),
        };
        if symbol.index >= count {
            let message = format!("there is no {}{}", symbol.kind.letter(), symbol.index);
            return Err(reader.error(start, &message, "positions are counted from 0").into());
        }
        circuit.symbols.push(symbol);
    }
    Ok(())
}

/// Reads a line of the symbol table.
fn symbol(line: &[u8]) -> Option<Symbol> {
    let (&letter, rest) = line.split_first()?;
    let kind = SymbolKind::LETTERS.iter().find(|row| row.0 == letter)?.1;
    let space = rest.iter().position(|&byte| byte == b' ')?;
    let (digits, name) = rest.split_at(space);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |value: usize, digit: &u8| value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
    let index = digits.iter().fold(0, add);
    Some(Symbol { kind, index, name: String::from_utf8_lossy(&name[1..]).into_owned() })
}
