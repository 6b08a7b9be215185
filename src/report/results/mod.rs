//! Results of a run, one by one, for programs that read them: answers about claims, and messages about the input. Each format
//! of pipelines is a function of them.

pub mod baseline;
mod earlier;
mod entry;
mod flow;
mod github;
mod gitlab;
mod junit;
mod rules;
mod sarif;
#[cfg(test)]
mod tests;

use std::io;

pub use entry::{Comparison, Context, Entry, Level, Results, of_verification};
pub use flow::Flow;

/// A format of pipelines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Static Analysis Results Interchange Format, version 2.1.0.
    Sarif,
    /// The XML of JUnit, as continuous integration servers read it.
    Junit,
    /// Workflow commands of GitHub Actions.
    Github,
    /// The report on code quality that GitLab reads.
    Gitlab,
}

impl Form {
    /// Returns the results in this format.
    ///
    /// # Errors
    /// Returns an error if the writer of JSON or XML refuses the data, which it never does.
    pub fn text(self, results: &Results) -> io::Result<String> {
        match self {
            Form::Sarif => Ok(sarif::text(results)?),
            Form::Junit => junit::text(results),
            Form::Github => Ok(github::text(results)),
            Form::Gitlab => Ok(gitlab::text(results)?),
        }
    }
}
