//! The header and what both encodings share: numbers, lines, errors.

use super::circuit::Lit;
use crate::shared::Error;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::diag::Code;

/// The largest number of a variable.
const MAX_VAR: u64 = 1 << 29;

/// Number of inputs that a binary file may have beyond its size in bytes. Inputs take no space in a binary file.
const FREE_INPUTS: u64 = 1 << 20;

/// Reason to stop reading.
pub(super) enum Stop {
    Mistake(Error),
    Exhausted(Exhausted),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Mistake(error)
    }
}

/// The counts of the first line.
#[derive(Default)]
pub(super) struct Header {
    pub(super) is_binary: bool,
    pub(super) max_var: u64,
    pub(super) inputs: u64,
    pub(super) latches: u64,
    pub(super) outputs: u64,
    pub(super) gates: u64,
    pub(super) bad: u64,
    pub(super) constraints: u64,
}

impl Header {
    /// Reads the first line.
    pub(super) fn read(reader: &mut Reader<'_, '_>) -> Result<Header, Stop> {
        let is_binary = match reader.text.get(..3) {
            Some(b"aig") => true,
            Some(b"aag") => false,
            _ => {
                let hint = "a circuit starts with `aag` (ASCII) or `aig` (binary)";
                return Err(reader.error(0, "this is no header of AIGER", hint).into());
            }
        };
        reader.at = 3;
        let mut counts = [0; 9];
        let mut places = [0; 9];
        let mut count = 0;
        while !reader.is_line_end() {
            if count == counts.len() {
                let hint = "it is `aag M I L O A`, and `B C J F` behind them";
                return Err(reader.error(reader.at, "the header has too many numbers", hint).into());
            }
            places[count] = reader.at;
            counts[count] = reader.number("the header")?;
            count += 1;
        }
        if count < 5 {
            let hint = "it is `aag M I L O A`: variables, inputs, latches, outputs, gates";
            return Err(reader.error(0, "the header has too few numbers", hint).into());
        }
        reader.line_end()?;
        let [max_var, inputs, latches, outputs, gates, bad, constraints, justice, fairness] = counts;
        let refused =
            [(justice, places[7], "justice properties"), (fairness, places[8], "fairness constraints")];
        if let Some((_, place, what)) = refused.into_iter().find(|row| row.0 > 0) {
            let hint = "only bad states and invariant constraints are checked";
            let error = reader.error(place, &format!("the circuit has {what}"), hint);
            return Err(Error { code: Code::Liveness, ..error }.into());
        }
        let defined = inputs.saturating_add(latches).saturating_add(gates);
        let place = places[0];
        if max_var > MAX_VAR {
            let hint = format!("variables go up to {MAX_VAR}");
            return Err(reader.error(place, "the header announces too many variables", &hint).into());
        }
        if defined > max_var || is_binary && defined < max_var {
            let message = format!("the header announces {max_var} variables, but {defined} are defined");
            let hint = "the first number is the largest variable: inputs, latches and gates together";
            return Err(reader.error(place, &message, hint).into());
        }
        if is_binary && inputs > FREE_INPUTS.saturating_add(reader.text.len() as u64) {
            let message = format!("a file of this size cannot use {inputs} inputs");
            return Err(reader.error(places[1], &message, "see whether the file is cut off").into());
        }
        Ok(Header { is_binary, max_var, inputs, latches, outputs, gates, bad, constraints })
    }

    /// Returns the literal with this number.
    ///
    /// # Errors
    /// Returns an error about the word at `start` if the variable is beyond those of the header.
    pub(super) fn literal(&self, reader: &Reader<'_, '_>, number: u64, start: usize) -> Result<Lit, Stop> {
        if number / 2 > self.max_var {
            let message = format!("literal {number} is beyond the {} variables of the header", self.max_var);
            return Err(reader.error(start, &message, "").into());
        }
        Ok(Lit(number as u32))
    }
}

/// A text with a position in it.
pub(super) struct Reader<'t, 'b> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    /// The bytes that the budget was charged for.
    charged: usize,
    budget: &'b mut Budget,
}

impl<'t, 'b> Reader<'t, 'b> {
    /// Creates a reader at the start of the text.
    pub(super) fn new(text: &'t [u8], budget: &'b mut Budget) -> Self {
        Reader { text, at: 0, charged: 0, budget }
    }

    /// Charges the budget for what was read.
    pub(super) fn charge(&mut self) -> Result<(), Stop> {
        let read = self.at - self.charged;
        self.charged = self.at;
        self.budget.spend(read as u64).map_err(Stop::Exhausted)
    }

    /// Returns an error about the word at `start`, or behind the spaces there.
    pub(super) fn error(&self, start: usize, message: &str, hint: &str) -> Error {
        let rest = self.text.get(start..).unwrap_or(&[]);
        let spaces = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        let start = start.min(self.text.len()) + spaces;
        Error {
            code: Code::Syntax,
            start,
            end: self.end_of_word(start),
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Returns the end of the word that starts at `start`.
    fn end_of_word(&self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or(&[]);
        start + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())
    }

    /// Checks whether only spaces are left before the end of the line or text.
    pub(super) fn is_line_end(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or(&[]);
        let next = rest.iter().find(|&&byte| byte != b' ' && byte != b'\t');
        next.is_none_or(|&byte| byte == b'\n' || byte == b'\r')
    }

    /// Skips the end of a line, with spaces before it. The end of the text counts as one.
    pub(super) fn line_end(&mut self) -> Result<(), Stop> {
        if !self.is_line_end() {
            return Err(self.error(self.at, "the line has too many words", "").into());
        }
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    break;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                _ => break,
            }
        }
        self.charge()
    }

    /// Reads a number in this line, with spaces before it.
    pub(super) fn number(&mut self, part: &str) -> Result<u64, Stop> {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let start = self.at;
        let mut value = 0_u64;
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let is_word = self.text.get(self.at).is_none_or(u8::is_ascii_whitespace);
        if start == self.at || !is_word {
            if self.text.get(start).is_none() {
                let message = format!("the text ends in {part}");
                return Err(self.error(start, &message, "see whether the file is cut off").into());
            }
            let message = format!("not a number, in {part}");
            return Err(self.error(start, &message, "").into());
        }
        Ok(value)
    }

    /// Reads a line that consists of a literal.
    pub(super) fn literal_line(&mut self, part: &str, header: &Header) -> Result<(Lit, usize), Stop> {
        let start = self.at;
        let number = self.number(part)?;
        let lit = header.literal(self, number, start)?;
        self.line_end()?;
        Ok((lit, start))
    }

    /// Returns the next byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }
}
