//! `ramsey check`

use std::path::PathBuf;

use clap::Args;

use super::results::ResultArgs;
use super::shared::{ColorArgs, LanguageArgs, RunLimitArgs};

/// `ramsey check`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey verify lock.pyv --certify lock.cert
  ramsey check lock.pyv lock.cert
  ramsey check lock.pyv lock.cert --alethe proofs

Certificates may be compressed (gzip); `verify --certify lock.cert.gz` writes them so.
The obligations are derived anew from the model; each has to have an accepted proof. The program
`ramsey-check` does the same and contains nothing else.
Exit code 0 if the certificate is accepted, 1 if it is rejected, 2 if the model or the certificate
cannot be read, 3 if a limit is reached: a short certificate may take hours, or more memory than there
is.")]
pub(crate) struct CheckArgs {
    /// The model, the problem (.smt2, .p), or the circuit (.aig, .aag)
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// The certificate
    #[arg(value_name = "CERT")]
    pub(crate) certificate: PathBuf,

    /// Write each proof of an accepted certificate in the Alethe format, for other checkers: NAME.smt2, which is a problem without a
    /// model, and NAME.alethe
    #[arg(long, value_name = "DIR")]
    pub(crate) alethe: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) results: ResultArgs,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) limits: RunLimitArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
