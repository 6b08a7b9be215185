//! Answers to SAT problems in the format of the SAT competition.

use std::io::{self, Write};

use ramsey_core::base::budget::Exhausted;
use ramsey_lang::dimacs::Variables;
use ramsey_report::Verdict;
use ramsey_report::json::solve as json;

/// Maximum columns of a line of values.
const WIDTH: usize = 78;

/// Maximum number of unused variables that are still given values.
const MAX_UNUSED: usize = 1_000_000;

/// The answer to a SAT problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// There is a model.
    Satisfiable {
        /// True literals, in the order of variables.
        literals: Vec<i32>,
        /// Number of variables of the header that are left out because they occur nowhere and are too many.
        left_out: usize,
    },
    /// With assumptions: the inconsistent subset of them.
    Unsatisfiable(Option<Vec<i32>>),
    Unknown(Exhausted),
    /// The model found does not satisfy the problem.
    Wrong,
}

/// Returns the model with these values of the variables that occur. Variables that are only `declared` are included
/// unless there are many.
pub(super) fn model(
    declared: Option<usize>,
    variables: &Variables,
    value: &dyn Fn(Option<usize>) -> bool,
) -> Answer {
    let literal = |number: u32, index| if value(index) { number as i32 } else { -(number as i32) };
    let unused = declared.map_or(0, |declared| declared.saturating_sub(variables.len()));
    if let Some(declared) = declared
        && unused <= MAX_UNUSED
    {
        let literals = (1..=declared as u32).map(|number| literal(number, variables.index(number))).collect();
        return Answer::Satisfiable { literals, left_out: 0 };
    }
    let literal = |(&number, index)| literal(number, Some(index));
    let mut literals: Vec<i32> = variables.numbers().iter().zip(0..).map(literal).collect();
    literals.sort_unstable_by_key(|literal| literal.unsigned_abs());
    Answer::Satisfiable { literals, left_out: unused }
}

impl Answer {
    /// Returns the exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Answer::Satisfiable { .. } => 10,
            Answer::Unsatisfiable(_) => 20,
            Answer::Unknown(_) => 0,
            Answer::Wrong => Verdict::InternalError.code(),
        }
    }

    /// Returns the verdict of the answer.
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            Answer::Satisfiable { .. } | Answer::Unsatisfiable(_) => Verdict::Ok,
            Answer::Unknown(_) => Verdict::Unknown,
            Answer::Wrong => Verdict::InternalError,
        }
    }

    /// Returns the answer for JSON.
    pub(super) fn json(&self, with_literals: bool) -> json::Answer {
        match self {
            Answer::Satisfiable { literals, left_out } => json::Answer {
                literals: with_literals.then(|| literals.clone()),
                left_out: (with_literals && *left_out > 0).then_some(*left_out),
                ..json::Answer::check(json::Decision::Satisfiable)
            },
            Answer::Unsatisfiable(core) => json::Answer {
                failed: core.clone().filter(|_| with_literals),
                ..json::Answer::check(json::Decision::Unsatisfiable)
            },
            Answer::Unknown(exhausted) => json::Answer {
                reason: Some(exhausted.to_string()),
                ..json::Answer::check(json::Decision::Unknown)
            },
            Answer::Wrong => {
                let reason = Some("internal error: the assignment found is none".to_owned());
                json::Answer { reason, ..json::Answer::check(json::Decision::Unknown) }
            }
        }
    }

    /// Writes the lines of the answer, with those of its literals if requested.
    pub(super) fn write(&self, out: &mut impl Write, with_literals: bool) -> io::Result<()> {
        match self {
            Answer::Satisfiable { literals, left_out } => {
                if *left_out > 0 && with_literals {
                    writeln!(out, "c {left_out} variables that occur nowhere have no literal below")?;
                }
                writeln!(out, "s SATISFIABLE")?;
                if with_literals { write_literals(out, 'v', literals) } else { Ok(()) }
            }
            Answer::Unsatisfiable(core) => {
                writeln!(out, "s UNSATISFIABLE")?;
                match core {
                    Some(core) if with_literals => write_literals(out, 'f', core),
                    _ => Ok(()),
                }
            }
            Answer::Unknown(exhausted) => writeln!(out, "c stopped: {exhausted}\ns UNKNOWN"),
            Answer::Wrong => writeln!(out, "c internal error: the assignment found is none\ns UNKNOWN"),
        }
    }
}

/// Writes lines of literals that begin with `kind`, and a final 0.
fn write_literals(out: &mut impl Write, kind: char, literals: &[i32]) -> io::Result<()> {
    let mut column = 0;
    for literal in literals.iter().chain([&0]) {
        let literal = literal.to_string();
        if column > 0 && column + 1 + literal.len() > WIDTH {
            writeln!(out)?;
            column = 0;
        }
        if column == 0 {
            write!(out, "{kind}")?;
            column = 1;
        }
        write!(out, " {literal}")?;
        column += 1 + literal.len();
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(answer: &Answer, with_literals: bool) -> String {
        let mut out = Vec::new();
        answer.write(&mut out, with_literals).expect("memory does not fail");
        String::from_utf8(out).expect("text")
    }

    fn satisfiable(literals: Vec<i32>) -> String {
        lines(&Answer::Satisfiable { literals, left_out: 0 }, true)
    }

    #[test]
    fn values_are_wrapped_and_end_in_zero() {
        assert_eq!(satisfiable(vec![]), "s SATISFIABLE\nv 0\n");
        assert_eq!(satisfiable(vec![1, -2]), "s SATISFIABLE\nv 1 -2 0\n");
        let text = satisfiable((1..=1000).map(|var| -var).collect());
        let values = || text.lines().skip(1);
        assert!(values().all(|line| line.len() <= WIDTH && line.starts_with("v -") || line.ends_with(" 0")));
        let back: Vec<i64> = values()
            .flat_map(str::split_ascii_whitespace)
            .filter(|word| *word != "v")
            .flat_map(str::parse)
            .collect();
        assert_eq!(back, (1..=1000).map(|var| -var).chain([0]).collect::<Vec<_>>());
    }

    #[test]
    fn codes_are_those_of_the_competition() {
        let sat = Answer::Satisfiable { literals: vec![], left_out: 0 };
        assert_eq!(sat.code(), 10);
        assert_eq!(Answer::Unsatisfiable(None).code(), 20);
        assert_eq!(Answer::Unknown(Exhausted::Work).code(), 0);
        assert_eq!(Answer::Wrong.code(), 4);
        let core = Answer::Unsatisfiable(Some(vec![-3, 1]));
        assert_eq!(lines(&core, true), "s UNSATISFIABLE\nf -3 1 0\n");
        assert_eq!(lines(&core, false), "s UNSATISFIABLE\n");
        assert_eq!(lines(&Answer::Unknown(Exhausted::Work), true), "c stopped: work budget\ns UNKNOWN\n");
    }

    #[test]
    fn variables_that_occur_nowhere_are_false() {
        let mut variables = Variables::new();
        variables.add(3);
        let all = |declared| model(declared, &variables, &|index| index == Some(0));
        assert_eq!(all(None), Answer::Satisfiable { literals: vec![3], left_out: 0 });
        assert_eq!(all(Some(4)), Answer::Satisfiable { literals: vec![-1, -2, 3, -4], left_out: 0 });
        let left_out = i32::MAX as usize - 1;
        assert_eq!(all(Some(left_out + 1)), Answer::Satisfiable { literals: vec![3], left_out });
        assert!(
            lines(&all(Some(left_out + 1)), true).starts_with("c 2147483646 variables that occur nowhere")
        );
    }
}
