//! Reasons for missing answers, and advice on them.

use ramsey_core::base::budget::Exhausted;
use ramsey_core::diag::Diagnostic;
use ramsey_engine::query::Outcome;

/// Returns the reasons why obligations have no answer, without duplicates.
pub fn reasons<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Vec<Exhausted> {
    let mut found = Vec::new();
    for outcome in outcomes {
        if let Outcome::Unknown(exhausted) = outcome
            && !found.contains(exhausted)
        {
            found.push(*exhausted);
        }
    }
    found
}

/// Returns an explanation of a reason for users who set no limit, with advice. `default` is the limit of queries
/// outside the fragment. `None` if the reason needs no explanation.
pub fn explanation(exhausted: Exhausted, default: u64) -> Option<String> {
    let text = match exhausted {
        Exhausted::DefaultWork => format!(
            "a query outside the decidable fragment may have no answer in any time, and ends after {} steps: \
             `--unlimited` lets it go on, `--work STEPS` or `--timeout SECONDS` sets another limit; \
             `ramsey fragment` shows what takes it out of the fragment",
            grouped(default)
        ),
        Exhausted::FormulaSize => {
            "a formula is too large in normal form, whatever the limits are: cut it in parts, or \
             give parts of it names (`derived relation`)"
                .to_owned()
        }
        Exhausted::Work => {
            "where no `--work` was given: a structure is too large to be evaluated, or to be searched at \
             its sizes"
                .to_owned()
        }
        Exhausted::Cancelled => {
            "the run was interrupted: what is open is unknown, the other answers stand".to_owned()
        }
        Exhausted::Arithmetic => {
            "of `+`, `-` and `*` on numbers only the order is known, of `x + 1`, `x - 1`, sums and differences with other numerals, and those of \
             natural numbers, where statements compute them, and a numeral beyond the numbers of its type is any of them: the claim fails if they are any functions, which says nothing of numbers; what is proved holds of them"
                .to_owned()
        }
        Exhausted::Numbers => {
            "a structure was found in which the claim fails, with fewer numbers than there are; of none with all numbers is it known that the claim fails in it: it may hold because there are so many. What is proved holds of them"
                .to_owned()
        }
        Exhausted::Temporal => {
            "a temporal property is about executions without end, and is not checked; `--safety-only` leaves it out".to_owned()
        }
        Exhausted::Tactic => {
            "a proof is by a tactic that is not read: the claim is not checked, and no other claim rests on it".to_owned()
        }
        Exhausted::Admitted => {
            "a proof admits a claim by `sorry`: it is not shown, and other claims may rest on it; `mc` and `bmc` ask about invariants and assertions all the same".to_owned()
        }
        Exhausted::QueryTime | Exhausted::RunTime | Exhausted::Memory => return None,
    };
    Some(text)
}

/// Returns the lines below a summary.
pub fn explanations_text(explanations: &[String]) -> String {
    let lines = explanations.iter().map(|text| wrapped(text));
    lines.collect()
}

/// Extends a warning about queries outside the fragment by their limit.
pub fn with_default_limit(warning: Diagnostic, units: Option<u64>) -> Diagnostic {
    match units {
        Some(units) => warning.note(format!(
            "each such query ends after {} steps, unless `--unlimited`, `--work` or `--timeout` says otherwise",
            grouped(units)
        )),
        None => warning,
    }
}

/// Formats a number with commas as thousands separators.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Width of a line, in columns.
const WIDTH: usize = 96;

/// Wraps text into lines and indents those after the first.
fn wrapped(text: &str) -> String {
    let (mut out, mut columns) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if columns > 0 && columns + 1 + length > WIDTH {
            out.push_str("\n  ");
            columns = 2;
        } else if columns > 0 {
            out.push(' ');
            columns += 1;
        }
        out.push_str(word);
        columns += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        assert_eq!([0, 12, 999, 1_000, 500_000_000].map(grouped), ["0", "12", "999", "1,000", "500,000,000"]);
    }

    #[test]
    fn explanations_fit_in_lines() {
        let all = [
            Exhausted::DefaultWork,
            Exhausted::FormulaSize,
            Exhausted::Work,
            Exhausted::Arithmetic,
            Exhausted::Numbers,
            Exhausted::Temporal,
            Exhausted::Tactic,
            Exhausted::Admitted,
        ];
        for exhausted in all {
            let text = wrapped(&explanation(exhausted, 1_000_000).expect("one is given"));
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }
}
