//! Lines of proofs in normal form, which search finds and `elaborate` reads again.

use std::fmt::{self, Display};

use ramsey_kernel::check::format::number;

/// A line of a proof.
///
/// Clauses and formulas are numbered from 1, formulas in the order of their first appearance in a clause. Terms and
/// lists of inputs, of children and of witnesses are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// `t NAME[']* T*`: the next term is a function or constant applied to terms.
    Term {
        /// A declared symbol with a prime for each state behind the first.
        symbol: String,
        /// One term per argument.
        args: Vec<u32>,
    },
    /// `w F K`: the next term is a witness constant of an existential formula.
    Witness {
        /// The formula.
        formula: u32,
        /// Index of the variable in its block.
        index: u32,
    },
    /// `d SORT`: the next term is the default constant of the sort, which exists because no sort is empty.
    Default {
        /// The name of a declared sort.
        sort: String,
    },
    /// `i K`: the unit clause of the input.
    Input {
        /// Hypotheses in the order of the group, then the negated goal.
        index: u32,
    },
    /// `a F K`: the negated conjunction, or its child.
    And {
        /// The conjunction.
        formula: u32,
        /// Index of the child.
        child: u32,
    },
    /// `o F`: the negated disjunction, or one of its children.
    Or {
        /// The disjunction.
        formula: u32,
    },
    /// `u F T*`: the negated universal formula, or its body for these terms.
    Forall {
        /// The universal formula.
        formula: u32,
        /// One term per variable of the block.
        terms: Vec<u32>,
    },
    /// `e F`: the negated existential formula, or its body for its witnesses.
    Exists {
        /// The existential formula.
        formula: u32,
    },
    /// `q L*`: a clause of atoms that is valid by the laws of equality.
    Equality {
        /// Formula numbers, negative if negated.
        literals: Vec<i32>,
    },
    /// `r L* 0 H*`: a clause that follows by unit propagation along the hints.
    Derived {
        /// Formula numbers, negative if negated.
        literals: Vec<i32>,
        /// Clause numbers.
        hints: Vec<u32>,
    },
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Term { symbol, args } => list(f, format_args!("t {symbol}"), args),
            Step::Witness { formula, index } => write!(f, "w {formula} {index}"),
            Step::Default { sort } => write!(f, "d {sort}"),
            Step::Input { index } => write!(f, "i {index}"),
            Step::And { formula, child } => write!(f, "a {formula} {child}"),
            Step::Or { formula } => write!(f, "o {formula}"),
            Step::Forall { formula, terms } => list(f, format_args!("u {formula}"), terms),
            Step::Exists { formula } => write!(f, "e {formula}"),
            Step::Equality { literals } => list(f, format_args!("q"), literals),
            Step::Derived { literals, hints } => {
                list(f, format_args!("r"), literals)?;
                list(f, format_args!(" 0"), hints)
            }
        }
    }
}

fn list<T: Display>(f: &mut fmt::Formatter<'_>, head: fmt::Arguments<'_>, items: &[T]) -> fmt::Result {
    f.write_fmt(head)?;
    items.iter().try_for_each(|item| write!(f, " {item}"))
}

impl Step {
    /// Parses a line.
    pub(crate) fn parse(line: &str) -> Result<Step, String> {
        let mut fields = line.split(' ');
        let step = match fields.next() {
            Some("t") => Step::Term { symbol: next(&mut fields)?.to_owned(), args: numbers(&mut fields)? },
            Some("w") => {
                Step::Witness { formula: next_number(&mut fields)?, index: next_number(&mut fields)? }
            }
            Some("d") => Step::Default { sort: next(&mut fields)?.to_owned() },
            Some("i") => Step::Input { index: next_number(&mut fields)? },
            Some("a") => Step::And { formula: next_number(&mut fields)?, child: next_number(&mut fields)? },
            Some("o") => Step::Or { formula: next_number(&mut fields)? },
            Some("u") => Step::Forall { formula: next_number(&mut fields)?, terms: numbers(&mut fields)? },
            Some("e") => Step::Exists { formula: next_number(&mut fields)? },
            Some("q") => Step::Equality { literals: fields.by_ref().map(literal).collect::<Result<_, _>>()? },
            Some("r") => {
                let clause = fields.by_ref().take_while(|&field| field != "0");
                let literals = clause.map(literal).collect::<Result<_, _>>()?;
                Step::Derived { literals, hints: numbers(&mut fields)? }
            }
            _ => return Err("unknown kind of line".into()),
        };
        match fields.next() {
            None => Ok(step),
            Some(_) => Err("the line has more fields than its kind".into()),
        }
    }
}

fn next<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<&'a str, String> {
    fields.next().ok_or_else(|| "the line has fewer fields than its kind".into())
}

fn next_number<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<u32, String> {
    number(next(fields)?)
}

fn numbers<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Vec<u32>, String> {
    fields.map(number).collect()
}

/// Parses a number other than 0, possibly negative.
fn literal(field: &str) -> Result<i32, String> {
    let (digits, sign) = match field.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (field, 1),
    };
    match i32::try_from(number(digits)?) {
        Ok(value) if value != 0 => Ok(sign * value),
        _ => Err(format!("`{field}` is not a literal")),
    }
}

#[cfg(test)]
mod tests {
    use super::Step;

    #[test]
    fn steps_are_written_as_they_are_read() {
        let lines =
            "t f' 0 12|t a|w 3 0|d node|i 0|a 1 2|o 7|u 3|u 3 1 2|e 4|q|q -1 2|r 0|r 1 -2 0 3 4|r 0 1";
        for line in lines.split('|') {
            assert_eq!(Step::parse(line).map(|step| step.to_string()), Ok(line.to_owned()));
        }
        for line in [
            "", "t", "w 1", "w 1 2 3", "i", "a 1", "o", "o x", "u", "e", "q 0", "q x", "r 1 0 -1", "end",
            "tt a",
        ] {
            assert!(Step::parse(line).is_err(), "{line}");
        }
    }
}
