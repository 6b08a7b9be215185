//! Proofs in the Alethe format: for each obligation that a certificate proves, a problem in SMT-LIB, which has no model, and its
//! refutation.
//!
//! The steps are those of the certificate, each written with the rules of the format. Constants of witness steps are choice
//! terms. Whoever checks these files reads neither the certificate nor the closed form, and trusts no line of this program.

mod clauses;
mod failure;
mod names;
mod obligation;
mod printer;
mod proof;
mod reading;

use ramsey_core::base::hash::Map;
use ramsey_kernel::check::{Closed, format};
use ramsey_kernel::obligations::{Origin, Subject};

pub use failure::Failure;
use names::Names;
use obligation::Obligation;
use reading::Reading;

/// A problem with its refutation.
#[derive(Clone, Debug)]
pub struct File {
    /// The name of both files, without extension: the number of the obligation, and its words.
    pub name: String,
    /// The hypotheses and the negated goal, in SMT-LIB.
    pub problem: String,
    /// The refutation.
    pub proof: String,
}

/// Returns the files for the obligations that a certificate, which the checker has accepted, proves. `text` is that of the
/// certificate, and `closed` the question that it is about.
///
/// # Errors
/// A formula has no closed form, or the text is no certificate of this question.
pub fn files(subject: Subject<'_>, closed: Closed, text: &str) -> Result<Vec<File>, Failure> {
    let Closed { mut lowering, mut obligations, origins, .. } = closed;
    let numbers: Map<Origin, usize> =
        origins.iter().enumerate().map(|(number, &origin)| (origin, number)).collect();
    let mut listed: Vec<Option<Obligation>> = origins.iter().map(|_| None).collect();
    for group in &obligations.groups {
        let terms = &mut obligations.terms;
        let mut hypotheses = Vec::with_capacity(group.hypotheses.len());
        for hypothesis in &group.hypotheses {
            hypotheses.push(lowering.formula(terms, hypothesis.formula)?);
        }
        for goal in &group.goals {
            let label = format::obligation(subject, goal.origin);
            let label = label.strip_prefix("obligation ").unwrap_or(&label).to_owned();
            let obligation = Obligation {
                label,
                hypotheses: hypotheses.clone(),
                goal: lowering.formula(terms, goal.formula)?,
            };
            if let Some(place) = numbers.get(&goal.origin).and_then(|&number| listed.get_mut(number)) {
                *place = Some(obligation);
            }
        }
    }
    let names = Names::new(&lowering.core);
    let mut reading = Reading::new(lowering.core);
    reading.read(text, &listed)?;
    let declarations = names.declarations(&reading, listed.iter().flatten());
    let mut files = Vec::new();
    for (number, clause) in reading.answers.clone() {
        let Some(obligation) = listed.get(number).and_then(Option::as_ref) else { continue };
        let problem = printer::problem(&reading.core.pool, &names, &declarations, obligation);
        let proof = proof::text(&mut reading, &names, obligation, clause);
        let proof = proof.ok_or_else(|| Failure::Clause(obligation.label.clone()))?;
        files.push(File { name: file_name(number, &obligation.label), problem, proof });
    }
    Ok(files)
}

/// Returns a name for files of an obligation. It has letters, digits, `-`, `_` and `.`, and begins with the number.
fn file_name(number: usize, label: &str) -> String {
    let word = |c: char| match c {
        ' ' => '-',
        c if c.is_ascii_alphanumeric() || "-_.".contains(c) => c,
        _ => '_',
    };
    let words: String = label.chars().map(word).take(100).collect();
    format!("{number}-{words}")
}
