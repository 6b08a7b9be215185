//! `ramsey infer`

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};

use super::results::FormArgs;
use super::shared::{CacheArgs, PictureArgs, ReportArgs, SearchLimitArgs};
use ramsey_engine::infer::Method;

/// Reads a method by its name.
pub(super) fn methods() -> impl TypedValueParser<Value = Method> {
    let names = PossibleValuesParser::new(Method::all().map(Method::name));
    names.map(|name| Method::all().find(|method| method.name() == name).unwrap_or_default())
}

/// Returns a line for each method.
fn described() -> String {
    Method::all().map(|method| format!("  {:<10}  {}\n", method.name(), method.help())).collect()
}

/// `ramsey infer`
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("destination").args(["add", "out"]),
    after_help = format!("\
Examples:
  ramsey infer lock.pyv
  ramsey infer lock.pyv --out proved.pyv --certify proved.cert
  ramsey infer lock.pyv --use-invariants --hints ideas.pyv
  ramsey infer lock.pyv --method houdini --template client=2:2
  ramsey infer lock2.pyv --from lock.pyv --timeout 60 --output lock2.json

Looks for lemmas with which the safety properties and assertions are inductive. Other invariants of
the model are left out, unless --use-invariants makes them candidates. What is found is verified from
scratch before it is shown. A file of hints has declarations of invariants, in the language of the
model.

Methods:
{}
Exit code 0 if an invariant is found, 1 if an execution violates a property, or if there is no
universal invariant, 3 if a limit ended the search before, 4 for an internal error.", described())
)]
pub(crate) struct InferArgs {
    /// The model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// Let the model's invariants that are no safety properties be candidates
    #[arg(long, help_heading = "Candidates")]
    pub(crate) use_invariants: bool,

    /// Try the invariants that this file declares first
    #[arg(long, value_name = "FILE", help_heading = "Candidates")]
    pub(crate) hints: Option<PathBuf>,

    /// Try the lemmas of an earlier version first: a model, or a document of `infer`
    #[arg(long, value_name = "FILE", help_heading = "Candidates")]
    pub(crate) from: Option<PathBuf>,

    /// Keep the lemmas in this file, and begin with those that an interrupted run left there
    #[arg(long, value_name = "FILE", help_heading = "Candidates")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Add the lemmas to the model
    #[arg(long, help_heading = "Result")]
    pub(crate) add: bool,

    /// Write the model with the safety properties and the lemmas, without other invariants
    #[arg(long, value_name = "FILE", help_heading = "Result")]
    pub(crate) out: Option<PathBuf>,

    /// Write a certificate of the resulting model, which `ramsey check` and `ramsey-check` accept
    #[arg(long, value_name = "FILE", requires = "destination", help_heading = "Result")]
    pub(crate) certify: Option<PathBuf>,

    /// How to search
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = Method::default().name(), help_heading = "Search")]
    pub(crate) method: Method,

    /// What houdini tries, such as node=2,value=1:3: variables per sort, maximum number of literals;
    /// then the symbols, if not all are meant, as in node=2:3:holds,free
    #[arg(long, value_name = "SHAPE", help_heading = "Search")]
    pub(crate) template: Option<String>,

    /// Lemmas with witnesses have this prefix, such as "forall round round value exists node": for
    /// exists, and auto where that takes over (may be repeated)
    #[arg(long, value_name = "PREFIX", help_heading = "Search")]
    pub(crate) prefix: Vec<String>,

    /// Start the search elsewhere; other lemmas may be found
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) seed: u64,

    /// Threads [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// Write the answer as JSON to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write each lemma and why it was learned to this file, a JSON object per line
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) log_file: Option<PathBuf>,

    /// Tell what the answer cost
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,

    /// List where relations are false as well
    #[arg(long, help_heading = "Output")]
    pub(crate) print_negative_tuples: bool,

    #[command(flatten)]
    pub(crate) form: FormArgs,
}
