//! The binary `ramsey-check-core CORE CERTIFICATE`: checks a certificate of what is claimed of a closed form, as `ramsey core`
//! or `ramsey-close` print it. Exit code 0: accepted; 1: rejected; 2: the arguments or the files are not usable.

use std::fs::{File, read_to_string};
use std::io::{BufReader, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use ramsey_checker::{Core, Rejection, check};

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (code, text) = match arguments.as_slice() {
        [core, certificate] => run(core, certificate).unwrap_or_else(|reason| (2, reason)),
        _ => (2, "usage: ramsey-check-core CORE CERTIFICATE".to_owned()),
    };
    // Failures to write are ignored; the exit code gives the verdict.
    let _ = writeln!(std::io::stdout(), "{text}");
    ExitCode::from(code)
}

/// Returns the exit code with what is said; the reason if a file cannot be used.
fn run(core: &PathBuf, certificate: &PathBuf) -> Result<(u8, String), String> {
    let of_core = |reason: &dyn std::fmt::Display| format!("{}: {reason}", core.display());
    let text = read_to_string(core).map_err(|error| of_core(&error))?;
    let system = Core::read(&text).map_err(|rejection| of_core(&rejection))?;
    let file = File::open(certificate).map_err(|error| format!("{}: {error}", certificate.display()))?;
    let said = |rejection: &Rejection| format!("rejected: {}: {rejection}", certificate.display());
    match check(system, BufReader::new(file)) {
        Ok(summary) => {
            let how = if summary.is_as_claimed { "all is as claimed" } else { "not all is as claimed" };
            let other =
                if summary.is_made_for { "" } else { "\nmade for another closed form; true of this one too" };
            Ok((0, format!("accepted, {how}: {summary}{other}")))
        }
        Err(rejection) if rejection.is_unreadable => Err(said(&rejection)),
        Err(rejection) => Ok((1, said(&rejection))),
    }
}
