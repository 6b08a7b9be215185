//! Options shared by several commands, and parsers of their values.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::results::FormArgs;
use crate::opened::Opened;
use ramsey_app::config::{bytes, seconds};
use ramsey_core::diag::{CODES, Code, nearest};
use ramsey_lang::{Format, Language};

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  everything is proved (or: as expected)
  1  a counterexample was found
  2  bad input or usage
  3  a budget (time, work, memory) ran out before the answer
  4  internal error
Where several apply, the first of 4, 2, 1, 3, 0 counts.";

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

/// Colours, for every command that prints diagnostics.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ColorArgs {
    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) color: ColorChoice,
}

/// How the text of a model is read, and which part of it.
#[derive(Args, Clone, Debug)]
pub(crate) struct LanguageArgs {
    /// The language of a model from standard input
    #[arg(long, value_name = "LANGUAGE", default_value = "pyv", value_parser = languages())]
    pub(crate) language: Language,

    /// Only this isolate of a program in .ivy, with what it sees of the others
    #[arg(long, value_name = "NAME")]
    pub(crate) isolate: Option<String>,

    /// Look for included files in this folder too, after that of the including file; may be repeated
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
}

/// Whether programs have to stay in the decidable fragment. Models in `.pyv` never have to.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct StrictArgs {
    /// Let programs (.rml) leave the decidable fragment: R015, R020 and R021 are warnings, as for .pyv
    #[arg(long)]
    pub(crate) no_strict: bool,
}

/// When to stop.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// Stop a query after this time; fractions are fine, and so are units: 500ms, 30s, 2m, 1h
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub(crate) timeout: Option<Duration>,

    /// Stop a query after this many steps of search; unlike time, the same on every machine
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) work: Option<u64>,

    #[command(flatten)]
    pub(crate) run: RunLimitArgs,
}

/// When to stop a run as a whole.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct RunLimitArgs {
    /// Stop everything after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub(crate) run_timeout: Option<Duration>,

    /// Stop when the process needs more memory than this
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) memory: Option<u64>,
}

/// When to stop searches about a model.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SearchLimitArgs {
    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Outside the decidable fragment, let a query go on for ever; without it it ends after 500,000,000 steps
    /// if there is no --work or --timeout
    #[arg(long, help_heading = "Limits")]
    pub(crate) unlimited: bool,
}

/// Where answers are kept for later runs.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CacheArgs {
    /// Keep proofs and counterexamples in this folder, or on a server, and check them in later runs in place of a search
    /// [environment: RAMSEY_CACHE]
    #[arg(long, value_name = "DIR|URL", help_heading = "Cache")]
    pub(crate) cache: Option<PathBuf>,

    /// Delete what was not used for the longest time when the folder has more than this: 500M, 2G [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = bytes, help_heading = "Cache")]
    pub(crate) cache_size: Option<u64>,

    /// Use no cache, whatever the environment or the configuration names
    #[arg(long, conflicts_with_all = ["cache", "cache_size"], help_heading = "Cache")]
    pub(crate) no_cache: bool,

    /// The cache of a run of several commands.
    #[arg(skip)]
    pub(crate) opened: Option<Opened>,
}

/// How to search, and what to tell.
#[derive(Args, Clone, Debug)]
pub(crate) struct AnswerArgs {
    /// Write a certificate that `ramsey check` and `ramsey-check` accept
    #[arg(long, value_name = "FILE", help_heading = "Certificates")]
    pub(crate) certify: Option<PathBuf>,

    /// Write the answers as theorems of the proof assistant Rocq, with the proof: a folder, in which `make` checks it
    #[arg(long, value_name = "DIR", help_heading = "Certificates")]
    pub(crate) rocq: Option<PathBuf>,

    /// Start the search elsewhere; answers stay the same, executions may differ
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) seed: u64,

    /// Show the first execution found, not a smallest one
    #[arg(long, help_heading = "Search")]
    pub(crate) no_minimize: bool,

    /// Tell what the answers cost
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,

    /// In executions, list where relations are false as well
    #[arg(long, help_heading = "Output")]
    pub(crate) print_negative_tuples: bool,

    /// Tell only what is not as it should be
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) form: FormArgs,
}

/// A report with all views of the page of `ramsey ui`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ReportArgs {
    /// Write a page with all that is known into one file, for a browser without ramsey
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
}

/// Where pictures go, and what is in them.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PictureArgs {
    /// Draw what is found as SVG; further pictures get a number: FILE-2.svg
    #[arg(long, value_name = "FILE", help_heading = "Pictures")]
    pub(crate) svg: Option<PathBuf>,

    /// Draw what is found as a graph for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Pictures")]
    pub(crate) dot: Option<PathBuf>,

    /// Show a relation with elements at some places, `btw(node0,_,_)`: two places that are left
    /// open become edges, a single one a line in the box (may be repeated)
    #[arg(long, value_name = "R(X,_,_)", help_heading = "Pictures")]
    pub(crate) project: Vec<String>,

    /// Draw these as edges: binary relations, unary functions, relations of three elements,
    /// definitions and macros with two parameters
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', help_heading = "Pictures")]
    pub(crate) edges: Vec<String>,

    /// Do not show these relations, functions or constants
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', help_heading = "Pictures")]
    pub(crate) hide: Vec<String>,
}

/// Reads the name of a language of models.
pub(super) fn languages() -> impl TypedValueParser<Value = Language> {
    let names = Format::all().filter(|format| format.language().is_some()).map(|it| it.descriptor().name);
    PossibleValuesParser::new(names)
        .try_map(|name| Format::of_option(&name).and_then(Format::language).ok_or("no such language"))
}

/// Reads the name of a format of problems without a model.
pub(super) fn problem_formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::all().filter(|format| format.language().is_none()).map(|it| it.descriptor().name);
    PossibleValuesParser::new(names).try_map(|name| Format::of_option(&name).ok_or("no such format"))
}

/// The code of diagnostics that can be silenced.
pub(crate) fn warning_code(text: &str) -> Result<Code, String> {
    let found = CODES.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(text));
    match found {
        Some(&(code, ..)) if code.can_be_warning() => Ok(code),
        Some((_, known, _)) => Err(format!("{known} is always an error, and errors cannot be allowed")),
        None => {
            let texts = CODES.iter().filter(|(code, ..)| code.can_be_warning()).map(|&(_, text, _)| text);
            Err(match nearest(text, texts) {
                Some(near) => format!("there is no such code; did you mean {near}?"),
                None => "there is no such code; spec/diagnostics.md lists them".to_owned(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_warnings_can_be_allowed() {
        assert_eq!(warning_code("r044"), Ok(Code::Unused));
        assert!(warning_code("R006").is_err_and(|error| error.contains("errors cannot be allowed")));
        assert!(warning_code("R44").is_err_and(|error| error.contains("did you mean R04")));
        assert!(warning_code("unused").is_err_and(|error| error.contains("no such code")));
    }
}
