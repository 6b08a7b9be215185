//! `ramsey solve`: output and exit codes of the SAT competition.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use super::args::SolveArgs;
use super::output::{Status, print_diagnostics, stderr_palette, stdout};
use super::sources::{display, read_text};
use crate::base::budget::Exhausted;
use crate::base::span::{Source, Sources};
use crate::diag::Diagnostic;

/// Columns of a line of values.
const WIDTH: usize = 78;

/// The answer to a SAT problem.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    /// With a value for each variable.
    Satisfiable(Vec<bool>),
    Unsatisfiable,
    Unknown(Exhausted),
}

impl Answer {
    fn code(&self) -> u8 {
        match self {
            Answer::Satisfiable(_) => 10,
            Answer::Unsatisfiable => 20,
            Answer::Unknown(_) => 0,
        }
    }

    fn text(&self, with_values: bool) -> String {
        match self {
            Answer::Satisfiable(values) if with_values => {
                format!("s SATISFIABLE\n{}", value_lines(values))
            }
            Answer::Satisfiable(_) => "s SATISFIABLE\n".to_owned(),
            Answer::Unsatisfiable => "s UNSATISFIABLE\n".to_owned(),
            Answer::Unknown(exhausted) => format!("c the {exhausted} ran out\ns UNKNOWN\n"),
        }
    }
}

/// Solves the problem and prints the answer.
pub(super) fn run(args: &SolveArgs) -> io::Result<u8> {
    let mut sources = Sources::new();
    let answer = read_text(&args.path).map_err(|error| vec![error]).and_then(|text| {
        let file = sources.push(Source { name: display(&args.path), text });
        answer(args, &sources, file)
    });
    match answer {
        Err(found) => {
            print_diagnostics(&found, &sources, stderr_palette(args.color));
            Ok(Status::BadInput.code())
        }
        Ok(answer) => {
            let mut out = stdout();
            out.write_all(answer.text(!args.quiet).as_bytes())?;
            out.flush()?;
            Ok(answer.code())
        }
    }
}

/// STUB (the solver comes with merging).
fn answer(
    _args: &SolveArgs,
    _sources: &Sources,
    _file: crate::base::span::FileId,
) -> Result<Answer, Vec<Diagnostic>> {
    Ok(Answer::Unknown(Exhausted::Cancelled))
}

/// `v` lines: the literals that are true, and a 0 at the end.
fn value_lines(values: &[bool]) -> String {
    let literals = values.iter().enumerate().map(|(at, &value)| {
        let sign = if value { "" } else { "-" };
        format!("{sign}{}", at + 1)
    });
    let mut text = String::new();
    let mut column = 0;
    for literal in literals.chain(["0".to_owned()]) {
        if column > 0 && column + 1 + literal.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push('v');
            column = 1;
        }
        let _ = write!(text, " {literal}");
        column += 1 + literal.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_wrapped_and_end_in_zero() {
        assert_eq!(value_lines(&[]), "v 0\n");
        assert_eq!(value_lines(&[true, false]), "v 1 -2 0\n");
        let text = value_lines(&[false; 1000]);
        assert!(
            text.lines().all(|line| line.len() <= WIDTH && line.starts_with("v -") || line.ends_with(" 0"))
        );
        let back: Vec<i64> =
            text.split_ascii_whitespace().filter(|word| *word != "v").flat_map(str::parse).collect();
        assert_eq!(back, (1..=1000).map(|var| -var).chain([0]).collect::<Vec<_>>());
    }

    #[test]
    fn codes_are_those_of_the_competition() {
        assert_eq!(Answer::Satisfiable(vec![]).code(), 10);
        assert_eq!(Answer::Unsatisfiable.code(), 20);
        assert_eq!(Answer::Unknown(Exhausted::Work).code(), 0);
        assert_eq!(Answer::Unknown(Exhausted::Work).text(true), "c the work budget ran out\ns UNKNOWN\n");
    }
}
