//! DIMACS CNF, the format of SAT solvers.
//!
//! Comment lines start with `c`, the header is `p cnf VARIABLES CLAUSES`, and a clause is a sequence of numbers
//! terminated by 0, with arbitrary line breaks. The header may be missing, but if present it must be correct.
//! [`Incremental`] reads the format for clauses interleaved with queries.

mod incremental;
mod variables;

pub use incremental::{Incremental, Item};
pub use variables::Variables;

pub use super::shared::Error;

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::is_line_end;
use ramsey_core::diag::Code;

/// A formula in conjunctive normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    num_vars: usize,
    /// The literals of all clauses: variables are numbered from 1, negative numbers are negations.
    lits: Vec<i32>,
    /// The end of each clause in `lits`.
    ends: Vec<usize>,
}

/// The largest variable. Literals of a solver have 32 bits including the sign.
const MAX_VAR: u64 = i32::MAX as u64 - 1;

impl Cnf {
    /// Returns the number of variables: that of the header, or the largest variable that occurs.
    pub fn num_vars(&self) -> usize {
        self.num_vars
    }

    /// Returns the variables that occur in clauses, in ascending order.
    pub fn variables(&self) -> Variables {
        Variables::ascending(&self.lits)
    }

    /// Returns the number of clauses.
    pub fn num_clauses(&self) -> usize {
        self.ends.len()
    }

    /// Returns the clauses in order.
    pub fn clauses(&self) -> impl Iterator<Item = &[i32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.lits[start..end];
            start = end;
            clause
        })
    }

    /// Returns the last clause, if there is one.
    pub fn last(&self) -> Option<&[i32]> {
        let (&end, before) = self.ends.split_last()?;
        Some(&self.lits[before.last().copied().unwrap_or(0)..end])
    }

    /// Returns whether every clause is true under `holds`, which gives the value of each variable (from 1).
    pub fn is_satisfied(&self, holds: impl Fn(usize) -> bool) -> bool {
        self.clauses().all(|clause| clause.iter().any(|&lit| holds(lit.unsigned_abs() as usize) == (lit > 0)))
    }
}

/// Parses a formula.
///
/// # Errors
/// Returns the first error.
pub fn parse(text: &[u8]) -> Result<Cnf, Error> {
    match parse_within(text, &mut Budget::unlimited()) {
        Ok(result) => result,
        // An unlimited budget is never exhausted.
        Err(_) => Ok(Cnf::default()),
    }
}

/// Parses a formula within a budget: each byte costs one unit. Returns the formula or the first error.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_within(text: &[u8], budget: &mut Budget) -> Result<Result<Cnf, Error>, Exhausted> {
    match (Parser { text, at: text_start(text) }).formula(budget) {
        Ok(cnf) => Ok(Ok(cnf)),
        Err(Stop::Mistake(error)) => Ok(Err(error)),
        Err(Stop::Exhausted(exhausted)) => Err(exhausted),
    }
}

/// Reason to stop parsing.
enum Stop {
    Mistake(Error),
    Exhausted(Exhausted),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Mistake(error)
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

/// The header, with the position of each number.
struct Header {
    vars: (u64, usize, usize),
    clauses: (u64, usize, usize),
}

impl<'a> Parser<'a> {
    fn formula(mut self, budget: &mut Budget) -> Result<Cnf, Stop> {
        let mut cnf = Cnf::default();
        let mut header: Option<Header> = None;
        let mut open: Option<usize> = None;
        let mut max_var = 0;
        let mut counted = 0;
        loop {
            self.skip_space();
            budget.spend((self.at - counted) as u64).map_err(Stop::Exhausted)?;
            counted = self.at;
            let Some(&byte) = self.text.get(self.at) else { break };
            match byte {
                b'c' if self.is_line_start() => self.skip_line(),
                b'p' if header.is_some() => {
                    let error = self.error_here("a second header", "a file has one `p cnf` line");
                    return Err(error.into());
                }
                b'p' if !cnf.ends.is_empty() || open.is_some() => {
                    let hint = "the `p cnf` line comes before all clauses";
                    return Err(self.error_here("the header comes after a clause", hint).into());
                }
                b'p' => {
                    let found = self.header()?;
                    cnf.num_vars = found.vars.0 as usize;
                    header = Some(found);
                }
                // SATLIB benchmarks end with `%`.
                b'%' if open.is_none() && self.text.get(self.at + 1).is_none_or(u8::is_ascii_whitespace) => {
                    break;
                }
                _ => {
                    let start = self.at;
                    let lit = self.literal()?;
                    if lit == 0 {
                        cnf.ends.push(cnf.lits.len());
                        open = None;
                        continue;
                    }
                    let var = lit.unsigned_abs() as usize;
                    if let Some(header) = &header
                        && var as u64 > header.vars.0
                    {
                        let message = format!("variable {var} is beyond the {} of the header", header.vars.0);
                        let hint = format!("the header must say at least `p cnf {var} ...`");
                        return Err(self.error(start, message, hint).into());
                    }
                    max_var = max_var.max(var);
                    cnf.lits.push(lit);
                    open = Some(start);
                }
            }
        }
        if let Some(start) = open {
            return Err(Error {
                code: Code::Syntax,
                start,
                end: self.at,
                message: "the last clause has no end".into(),
                hint: "end it with 0".into(),
            }
            .into());
        }
        match header {
            None => cnf.num_vars = max_var,
            Some(Header { clauses: (count, start, end), .. }) if count != cnf.ends.len() as u64 => {
                return Err(Error {
                    code: Code::Syntax,
                    start,
                    end,
                    message: format!(
                        "the header announces {count} clauses, but there are {}",
                        cnf.ends.len()
                    ),
                    hint: format!("write {} here, or see whether the file is cut off", cnf.ends.len()),
                }
                .into());
            }
            Some(_) => {}
        }
        Ok(cnf)
    }

    fn header(&mut self) -> Result<Header, Error> {
        let start = self.at;
        let line = self.line();
        let mut words = words(line).map(|(from, to)| (&line[from..to], start + from, start + to));
        let bad = |message: &str| Error {
            code: Code::Syntax,
            start,
            end: start + line.len(),
            message: message.into(),
            hint: "a header looks like `p cnf 20 91`: 20 variables, 91 clauses".into(),
        };
        if words.next().map(|word| word.0) != Some(b"p") || words.next().map(|word| word.0) != Some(b"cnf") {
            return Err(bad("this header is not `p cnf`"));
        }
        let mut number = |what: &str, max: u64| {
            let (word, from, to) =
                words.next().ok_or_else(|| bad(&format!("the header lacks the number of {what}")))?;
            let value = natural(word).ok_or_else(|| bad(&format!("the number of {what} is not a number")))?;
            if value > max {
                return Err(bad(&format!("too many {what}: at most {max} are supported")));
            }
            Ok((value, from, to))
        };
        let vars = number("variables", MAX_VAR)?;
        let clauses = number("clauses", u64::MAX)?;
        if words.next().is_some() {
            return Err(bad("the header has too many words"));
        }
        self.skip_line();
        Ok(Header { vars, clauses })
    }

    fn literal(&mut self) -> Result<i32, Error> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        let (negative, digits) = match word {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        match natural(digits) {
            Some(0) if negative => Err(self.error(
                start,
                "zero has no negation".into(),
                "a clause ends with 0, which has no sign".into(),
            )),
            Some(number) if number <= MAX_VAR => {
                let number = number as i32;
                Ok(if negative { -number } else { number })
            }
            Some(_) => Err(self.error(
                start,
                "this variable is too large".into(),
                format!("variables go up to {MAX_VAR}"),
            )),
            None => {
                let shown: String = String::from_utf8_lossy(word).chars().take(20).collect();
                let hint = if word == b"a" {
                    "a line of assumptions starts with `a`, in a file with the header `p inccnf`"
                } else {
                    "a literal is a number like 3 or -3; a clause ends with 0; comment lines start with `c`"
                };
                Err(self.error(start, format!("`{}` is not a literal", shown.escape_debug()), hint.into()))
            }
        }
    }

    fn error(&self, start: usize, message: String, hint: String) -> Error {
        Error { code: Code::Syntax, start, end: self.at, message, hint }
    }

    /// Returns an error about the rest of this line.
    fn error_here(&self, message: &str, hint: &str) -> Error {
        let end = self.at + self.line().len();
        Error { code: Code::Syntax, start: self.at, end, message: message.into(), hint: hint.into() }
    }

    /// Returns the rest of this line.
    fn line(&self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
        rest[..end].trim_ascii_end()
    }

    fn skip_line(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| !is_line_end(byte)) {
            self.at += 1;
        }
    }

    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn is_line_start(&self) -> bool {
        let before = &self.text[text_start(self.text)..self.at];
        before.iter().rev().take_while(|&&byte| !is_line_end(byte)).all(u8::is_ascii_whitespace)
    }
}

/// Returns the offset at which a text begins, after a byte order mark.
fn text_start(text: &[u8]) -> usize {
    let mark = "\u{feff}".as_bytes();
    if text.starts_with(mark) { mark.len() } else { 0 }
}

/// Returns the positions of the words of `line`.
fn words(line: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let len = line[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(line.len() - start);
        at = start + len;
        Some((start, at))
    })
}

/// Returns the value of a sequence of digits, saturating.
fn natural(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| {
        digit.is_ascii_digit().then(|| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> Vec<Vec<i32>> {
        let cnf = parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error:?}"));
        cnf.clauses().map(<[i32]>::to_vec).collect()
    }

    fn error(text: &str) -> (String, String) {
        let error = parse(text.as_bytes()).expect_err(text);
        (text[error.start..error.end].to_string(), error.message)
    }

    #[test]
    fn clauses_may_be_broken_into_lines_in_any_way() {
        assert_eq!(clauses("c hi\np cnf 3 3\n1 -2 0 3\n0\nc there\n0\n"), [vec![1, -2], vec![3], vec![]]);
        assert_eq!(clauses(" \r\n  c x\r\np cnf 2 1\r\n1\t2 0\r\n"), [[1, 2]]);
        assert_eq!(clauses("\u{feff}c x\rp cnf 2 1\rc 1 0\r1 2 0\r"), [[1, 2]]);
        assert_eq!(clauses("p cnf 1 1\n1 0\n%\n0\n"), [[1]]);
        assert_eq!(clauses(""), Vec::<Vec<i32>>::new());
    }

    #[test]
    fn header_may_be_missing() {
        let cnf = parse(b"1 -7 0\n2 0").expect("a formula");
        assert_eq!((cnf.num_vars(), cnf.num_clauses()), (7, 2));
        assert!(cnf.is_satisfied(|var| var == 1 || var == 2));
        assert!(!cnf.is_satisfied(|var| var == 7));
    }

    #[test]
    fn errors_have_positions() {
        let cases = [
            ("p cnf 3 2\n1 0\n", "2", "the header announces 2 clauses, but there are 1"),
            ("p cnf 3 1\n1 -4 0\n", "-4", "variable 4 is beyond the 3 of the header"),
            ("p cnf 3 1\n1 2", "2", "the last clause has no end"),
            ("p cnf 3 1\n1 x 0", "x", "`x` is not a literal"),
            ("p cnf 3 1\n1 -0", "-0", "zero has no negation"),
            ("p cnf 3 1\n1 - 0", "-", "`-` is not a literal"),
            ("1 0\np cnf 1 1\n", "p cnf 1 1", "the header comes after a clause"),
            ("p cnf 1 0\np cnf 1 0\n", "p cnf 1 0", "a second header"),
            ("p dnf 1 0\n", "p dnf 1 0", "this header is not `p cnf`"),
            ("p cnf 1\n", "p cnf 1", "the header lacks the number of clauses"),
            ("p cnf 1 1 1\n", "p cnf 1 1 1", "the header has too many words"),
            ("p cnf 1 -1\n", "p cnf 1 -1", "the number of clauses is not a number"),
            ("%x\n1 0\n", "%x", "`%x` is not a literal"),
            ("1 0\n%1 0\n", "%1", "`%1` is not a literal"),
            ("99999999999999999999999 0", "99999999999999999999999", "this variable is too large"),
        ];
        for (text, place, message) in cases {
            assert_eq!(error(text), (place.to_string(), message.to_string()), "{text:?}");
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic() {
        let mut rng = ramsey_core::base::rng::Rng::new(7);
        let alphabet = b"p cnf 0123456789-\n\r\t%cx\xff\x00";
        for _ in 0..20_000 {
            let text: Vec<u8> = (0..rng.below(40)).map(|_| alphabet[rng.below(alphabet.len())]).collect();
            if let Err(error) = parse(&text) {
                assert!(error.start <= error.end && error.end <= text.len(), "{text:?}: {error:?}");
            }
        }
    }
}
