//! The arguments as clap reads them. Help texts are written to be read from top to bottom.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::diag::Code;
use crate::diag::{Diagnostic, Severity};
use crate::lang::{Format, Language};

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  everything is proved (or: as expected)
  1  a counterexample was found
  2  bad input or usage
  3  a budget (time, work, memory) ran out before the answer
  4  internal error
Where several apply, the first of 4, 2, 1, 3, 0 counts.";

const TOP_EXAMPLES: &str = "\
Examples, in the order in which a new model needs them:
  ramsey typecheck lock.pyv         only read and check names, sorts, states
  ramsey simulate lock.pyv          does the model do what it should?
  ramsey bmc lock.pyv               is there a bug within a few steps?
  ramsey verify lock.pyv            is the invariant inductive? if not, show why
  ramsey verify -j 4 models/        every .pyv and .rml file below a directory
  ramsey solve problem.smt2         a question without a model

docs/tutorial.md leads from an idea to a certified invariant.

`ramsey help COMMAND` tells more about one command.

Exit codes:
  0  everything is proved (or: as expected)
  1  a counterexample was found
  2  bad input or usage
  3  a budget (time, work, memory) ran out before the answer
  4  internal error";

/// Verifies safety of distributed protocols, with no external solver.
#[derive(Parser, Debug)]
#[command(name = "ramsey", version, after_help = TOP_EXAMPLES, max_term_width = 100)]
pub(super) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,

    /// Of all commands.
    #[command(flatten)]
    pub(super) common: CommonArgs,
}

/// Options of all commands.
#[derive(Args, Debug)]
pub(super) struct CommonArgs {
    /// Do not tell warnings with this code (may be repeated)
    #[arg(long, value_name = "CODE", global = true, value_parser = super::command::warning_code)]
    pub(super) allow: Vec<Code>,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Check that the invariants hold initially and that every transition preserves them
    Verify(VerifyArgs),
    /// Check that no execution of at most so many steps violates the property
    Bmc(super::bmc::BmcArgs),
    /// Show the first counterexample to induction, as small as can be
    Cti(super::cti::CtiArgs),
    /// Turn a state that cannot be reached into a conjecture that excludes it and more
    Generalize(super::generalize::GeneralizeArgs),
    /// Print the diagram of a state: the formula of all states that contain it
    Diagram(super::diagram::DiagramArgs),
    /// Tell the value of a formula in a state
    Eval(super::eval::EvalArgs),
    /// Check the model's trace blocks: is there an execution of this shape?
    Trace(super::trace::TraceArgs),
    /// Check that the theorems are valid
    Theorem(super::theorem::TheoremArgs),
    /// Read models and report errors and warnings, without proving anything
    Typecheck(TypecheckArgs),
    /// Tell which obligations lie in the decidable fragment, and show the cycle if not
    Fragment(FragmentArgs),
    /// Walk through a model at random or as told, and show the states
    Simulate(super::simulate::SimulateArgs),
    /// Check a certificate against its model, trusting nothing else
    Check(CheckArgs),
    /// Print a model in canonical form
    Print(PrintArgs),
    /// Draw or tell a counterexample that is in a JSON document
    Show(super::show::ShowArgs),
    /// Answer questions without a model: SMT-LIB scripts and sessions, TPTP problems, DIMACS
    Solve(SolveArgs),
    /// Write a completion script for a shell to standard output
    Completions(CompletionsArgs),
}

/// The form of the answers. (Doc comments on the values would make every help text three times as long.)
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum OutputFormat {
    #[default]
    Text,
    Json,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

/// Colours, for every command that prints diagnostics.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct ColorArgs {
    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(super) color: ColorChoice,
}

/// The language of a model that comes from standard input; files tell by their extension.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct LanguageArgs {
    /// The language of a model from standard input
    #[arg(long, value_name = "LANGUAGE", default_value = "pyv", value_parser = languages())]
    pub(super) language: Language,
}

impl LanguageArgs {
    /// The language of the model at `path`.
    pub(super) fn of(self, path: &Path) -> Language {
        if path.as_os_str() == "-" { self.language } else { Language::of_name(&path.to_string_lossy()) }
    }
}

/// Reads the name of a language of models.
fn languages() -> impl TypedValueParser<Value = Language> {
    let names = Format::all().filter(|format| format.language().is_some()).map(|it| it.descriptor().name);
    PossibleValuesParser::new(names)
        .try_map(|name| Format::of_option(&name).and_then(Format::language).ok_or("no such language"))
}

/// Reads the name of a format of problems without a model.
fn problem_formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::all().filter(|format| format.language().is_none()).map(|it| it.descriptor().name);
    PossibleValuesParser::new(names).try_map(|name| Format::of_option(&name).ok_or("no such format"))
}

/// Whether programs have to stay in the decidable fragment. Models in `.pyv` never have to.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct StrictArgs {
    /// Let programs (.rml) leave the decidable fragment: R015, R020 and R021 are warnings, as for .pyv
    #[arg(long)]
    pub(super) no_strict: bool,
}

impl StrictArgs {
    /// For commands that search nothing.
    pub(super) const LENIENT: StrictArgs = StrictArgs { no_strict: true };

    /// Makes errors of the warnings about decidability in a model of this language, where it has to be decidable. A model
    /// with errors is none.
    pub(super) fn enforce<T>(
        self,
        language: Language,
        model: Option<T>,
        diagnostics: Vec<Diagnostic>,
    ) -> (Option<T>, Vec<Diagnostic>) {
        if self.no_strict || !language.is_strict() {
            return (model, diagnostics);
        }
        let enforce = |diagnostic: Diagnostic| {
            if diagnostic.code.is_of_decidability() {
                diagnostic.insist().note("with `--no-strict` this is a warning, and an answer may not come")
            } else {
                diagnostic
            }
        };
        let diagnostics: Vec<Diagnostic> = diagnostics.into_iter().map(enforce).collect();
        let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
        (model.filter(|_| !has_errors), diagnostics)
    }
}

/// `ramsey verify`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Examples:
  ramsey verify lock.pyv
  ramsey verify --all lock.pyv               every failing obligation, not only the first
  ramsey verify --check-transition acquire --check-invariant mutex lock.pyv
  ramsey verify --timeout 10 --format json models/ > result.json

Each transition is checked with all invariants assumed before it. A failing obligation is shown
with a counterexample: a state (or two, with the transition between them) in which all that may
be assumed is true and the invariant is false. In the second state, `+` marks what became true,
`-` what ceased to be true, `~` what changed its value.

{EXIT_CODES}")
)]
pub(super) struct VerifyArgs {
    /// Models, directories (every .pyv and .rml file below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(super) paths: Vec<PathBuf>,

    /// Transitions to work on at once [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) jobs: Option<u16>,

    /// Check this transition only (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub(super) check_transition: Vec<String>,

    /// Check this invariant only: its name, or L and its line (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub(super) check_invariant: Vec<String>,

    /// Go on after the first failing obligation of a transition
    #[arg(long, help_heading = "What to check")]
    pub(super) all: bool,

    /// Refuse models with obligations outside the decidable fragment, and models that claim nothing
    #[arg(long, help_heading = "What to check", conflicts_with = "no_strict")]
    pub(super) strict: bool,

    /// Tell which invariants follow from the others (R043), by a small query for each
    #[arg(long, help_heading = "What to check")]
    pub(super) lint: bool,

    /// Write a certificate that `ramsey check` and `ramsey-check` accept: a file, or a directory for several models
    #[arg(
        long,
        value_name = "PATH",
        help_heading = "Certificates",
        conflicts_with_all = ["check_transition", "check_invariant"]
    )]
    pub(super) certify: Option<PathBuf>,

    /// Compress certificates (gzip); without this option too, if PATH is a file that ends in .gz
    #[arg(long, requires = "certify", help_heading = "Certificates")]
    pub(super) compress: bool,

    /// Write the proofs for other checkers too: instances as SMT-LIB (QF_UF), clauses as DIMACS with LRAT
    #[arg(long, value_name = "DIR", help_heading = "Certificates")]
    pub(super) export: Option<PathBuf>,

    /// Limits.
    #[command(flatten)]
    pub(super) limits: super::shared::LimitArgs,

    /// Start the search elsewhere; answers stay the same, counterexamples may differ
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(super) seed: u64,

    /// Show the first counterexample found, not a smallest one
    #[arg(long, help_heading = "Search")]
    pub(super) no_minimize: bool,

    /// The form of the answers; json: one document (spec/verify.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, help_heading = "Output")]
    pub(super) format: OutputFormat,

    /// Tell what the answers cost
    #[arg(long, help_heading = "Output")]
    pub(super) stats: bool,

    /// For what is proved, tell which hypotheses suffice (takes a little longer)
    #[arg(long, help_heading = "Output")]
    pub(super) cores: bool,

    /// In counterexamples, list where relations are false as well
    #[arg(long, help_heading = "Output")]
    pub(super) print_negative_tuples: bool,

    /// A line for each obligation, however many there are
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub(super) verbose: bool,

    /// Tell failures only
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,

    /// Pictures.
    #[command(flatten)]
    pub(super) pictures: super::picture::PictureArgs,

    /// Let programs leave the fragment.
    #[command(flatten)]
    pub(super) strictness: StrictArgs,

    /// The language of standard input.
    #[command(flatten)]
    pub(super) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// `ramsey typecheck`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey typecheck lock.pyv raft.pyv

Errors and warnings go to standard error; exit code 2 if there is an error.")]
pub(super) struct TypecheckArgs {
    /// Models, directories (every .pyv and .rml file below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(super) paths: Vec<PathBuf>,

    /// The form of the diagnostics; json: one document (spec/typecheck.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(super) format: OutputFormat,

    /// Let programs leave the fragment.
    #[command(flatten)]
    pub(super) strictness: StrictArgs,

    /// The language of standard input.
    #[command(flatten)]
    pub(super) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// `ramsey fragment`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey fragment lock.pyv

In stratified EPR, functions and `forall .. exists` lead from sort to sort without a cycle; then every
question has an answer in finite time. For each obligation outside, the cycle is shown with its places.
Exit code 0 if all obligations are inside, 1 if some are not.")]
pub(super) struct FragmentArgs {
    /// Models, directories (every .pyv and .rml file below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(super) paths: Vec<PathBuf>,

    /// The form of the answer; json: one document (spec/fragment.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(super) format: OutputFormat,

    /// Let programs leave the fragment.
    #[command(flatten)]
    pub(super) strictness: StrictArgs,

    /// The language of standard input.
    #[command(flatten)]
    pub(super) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// `ramsey check`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey verify lock.pyv --certify lock.cert
  ramsey check lock.pyv lock.cert

Certificates may be compressed (gzip); `verify --certify lock.cert.gz` writes them so.
The obligations are derived anew from the model; each has to have an accepted proof. The program
`ramsey-check` does the same and contains nothing else.
Exit code 0 if the certificate is accepted, 1 if it is rejected, 2 if the model or the certificate
cannot be read.")]
pub(super) struct CheckArgs {
    /// The model, or the problem (.smt2, .p)
    #[arg(value_name = "MODEL")]
    pub(super) model: PathBuf,

    /// The certificate
    #[arg(value_name = "CERT")]
    pub(super) certificate: PathBuf,

    /// The form of the answer; json: one document (spec/check.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(super) format: OutputFormat,

    /// The language of standard input.
    #[command(flatten)]
    pub(super) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// `ramsey print`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey print lock.pyv > lock-canonical.pyv

The output means the same model. Comments are not kept. Syntax is checked, names and sorts are not: `ramsey typecheck` does that.")]
pub(super) struct PrintArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(super) path: PathBuf,

    /// The language of standard input.
    #[command(flatten)]
    pub(super) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// The formats of propositional proofs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ProofFormat {
    #[default]
    Lrat,
    Drat,
}

/// `ramsey solve`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey solve queries.smt2
  ramsey solve --interactive                      where a program expects `z3 -in`
  ramsey solve --certify a.cert queries.smt2; ramsey-check queries.smt2 a.cert
  ramsey solve problem.p
  xz -dc big.cnf.xz | ramsey solve -
  ramsey solve --proof problem.lrat problem.cnf; cake_lpr problem.cnf problem.lrat

Exit codes: DIMACS 10 satisfiable, 20 unsatisfiable, 0 unknown; TPTP 0 proved or decided,
1 counterexample, 3 unknown; SMT-LIB 0 whatever the answers; 2 bad input, also where an
error was answered; 4 internal error.")]
pub(super) struct SolveArgs {
    /// A problem, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "interactive")]
    pub(super) path: Option<PathBuf>,

    /// Carry out SMT-LIB commands from standard input as they come
    #[arg(long, conflicts_with_all = ["path", "input", "proof"])]
    pub(super) interactive: bool,

    /// The format of the problem; without it the name of the file tells, or else how the text begins
    #[arg(long, value_name = "FORMAT", value_parser = problem_formats())]
    pub(super) input: Option<Format>,

    /// Stop after this time; fractions are fine
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<std::time::Duration>,

    /// Stop after this many steps
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) work: Option<u64>,

    /// Stop when the process needs more memory than this
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) memory: Option<u64>,

    /// Start the search elsewhere
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,

    /// Where the answer is UNSATISFIABLE, write a proof of it to this file
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,

    /// The format of the proof: lrat is trimmed, and kept in memory until the end; drat is written during the search
    #[arg(long, value_enum, value_name = "FORMAT", requires = "proof", default_value_t)]
    pub(super) proof_format: ProofFormat,

    /// Write the proof in the binary encoding
    #[arg(long, requires = "proof")]
    pub(super) binary_proof: bool,

    /// SMT-LIB, TPTP: write a certificate of the answers, which `ramsey-check FILE CERTIFICATE` accepts
    #[arg(long, value_name = "CERTIFICATE", conflicts_with_all = ["interactive", "proof"])]
    pub(super) certify: Option<PathBuf>,

    /// SMT-LIB, TPTP: write each proof for other checkers to this folder (QF_UF, DIMACS and LRAT)
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["interactive", "proof"])]
    pub(super) export: Option<PathBuf>,

    /// SMT-LIB: give models with few elements and few true tuples (`:minimize-models`)
    #[arg(long)]
    pub(super) minimize: bool,

    /// The form of the answers; json: one document at the end (spec/solve.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, conflicts_with = "interactive")]
    pub(super) format: OutputFormat,

    /// Do not print the satisfying assignment
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Tell what the answer cost, as comment lines
    #[arg(long)]
    pub(super) stats: bool,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// `ramsey completions`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey completions bash > ~/.local/share/bash-completion/completions/ramsey
  ramsey completions zsh > ~/.zfunc/_ramsey
  ramsey completions fish > ~/.config/fish/completions/ramsey.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(super) shell: Shell,
}

/// A positive number of seconds.
pub(super) fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("must be more than 0".to_owned());
    }
    std::time::Duration::try_from_secs_f64(seconds).map_err(|_| "too many seconds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn seconds_are_positive_and_finite() {
        assert_eq!(seconds("0.25").map(|time| time.as_millis()), Ok(250));
        for bad in ["0", "-1", "NaN", "inf", "ten", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
