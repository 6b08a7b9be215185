//! Closed forms of problems.

use super::formula::Reader;
use super::lines::{Kind, Line, Lines};
use super::vocabulary::Numbers;
use super::words::{Word, Words};
use crate::shared::Error;
use crate::shared::report::Report;
use ramsey_core::base::span::line_starts;
use ramsey_core::diag::Code;
use ramsey_core::logic::{Problem, Query, TermId, Wanted};
use ramsey_core::system::MAX_STEPS;

/// Reads the lines of queries.
pub(super) fn read(lines: &Lines, text: &str, report: &mut Report) -> Option<Problem> {
    let mut problem = Problem::default();
    let mut numbers = Numbers::default();
    let mut hypotheses: Vec<(TermId, u16)> = Vec::new();
    let starts: Vec<usize> = line_starts(text.as_bytes()).collect();
    for line in &lines.lines {
        let number = starts.partition_point(|&start| start <= line.span.start as usize) + 1;
        let read = match line.kind {
            Kind::Hypothesis => {
                hypothesis(&mut problem, &numbers, line, text, report).map(|formula| hypotheses.push(formula))
            }
            Kind::Query => query(&mut problem, &numbers, &hypotheses, (line, number), text, report)
                .map(|query| problem.queries.push(query)),
            _ => numbers.declare(&mut problem.sig, line, text),
        };
        if let Err(error) = read {
            // What follows may need it.
            report.push(error.diagnostic(lines.file, 0));
            return None;
        }
    }
    (!report.has_errors()).then_some(problem)
}

fn hypothesis(
    problem: &mut Problem,
    numbers: &Numbers,
    line: &Line,
    text: &str,
    report: &mut Report,
) -> Result<(TermId, u16), Error> {
    let mut words = Words::new(text, line.span.start as usize, line.span.end as usize);
    words.next("a hypothesis")?;
    let (states, _) = states(&mut words, 0)?;
    words.name()?;
    let mut reader = Reader::new(numbers, problem.terms.over_mut(&problem.sig), states, report);
    let formula = reader.formula(&mut words)?;
    words.end().map(|()| (formula, states))
}

fn query(
    problem: &mut Problem,
    numbers: &Numbers,
    hypotheses: &[(TermId, u16)],
    (line, number): (&Line, usize),
    text: &str,
    report: &mut Report,
) -> Result<Query, Error> {
    let mut words = Words::new(text, line.span.start as usize, line.span.end as usize);
    words.next("a query")?;
    let (states, of_states) = states(&mut words, 1)?;
    let word = words.next("`holds`, `fails` or `open`")?;
    let wanted = match word.text {
        "holds" => Wanted::Holds,
        "fails" => Wanted::Fails,
        "open" => Wanted::Open,
        other => {
            let message = format!("`{other}` is not what is claimed of a query");
            let hint = "a query `holds` or `fails`, or it is `open` if nothing is claimed";
            return Err(word.error(Code::Syntax, message, hint));
        }
    };
    let (name, _) = words.name()?;
    let (count, _) = words.number("the number of hypotheses")?;
    let mut assumed = Vec::new();
    for _ in 0..count {
        let known = words.number_below(hypotheses.len(), "the number of a hypothesis", "hypothesis")?;
        let (hypothesis, needed) = hypotheses[known];
        if needed > states {
            let message =
                format!("the query is about {states} states, and hypothesis {known} about {needed}");
            return Err(of_states.error(
                Code::State,
                message,
                "a query assumes nothing about further states",
            ));
        }
        assumed.push(hypothesis);
    }
    let mut reader = Reader::new(numbers, problem.terms.over_mut(&problem.sig), states, report);
    let goal = reader.formula(&mut words)?;
    words.end()?;
    Ok(Query { name: Some(name), states, wanted, ..Query::new(assumed, goal, number) })
}

/// Reads a number of states. Returns it with the word.
fn states<'t>(words: &mut Words<'t>, least: u32) -> Result<(u16, Word<'t>), Error> {
    let (states, word) = words.number("the number of states")?;
    let most = u32::from(MAX_STEPS) + 1;
    match u16::try_from(states) {
        Ok(found) if (least..=most).contains(&states) => Ok((found, word)),
        _ => {
            let message = format!("a formula about {states} states");
            Err(word.error(Code::State, message, &format!("{least} to {most} states are possible")))
        }
    }
}
