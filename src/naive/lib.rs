//! A second reading of models, which shares no code with the first one.
//!
//! It makes of the text of a model the text of its closed system, as `spec/pyv.md` and `spec/core.md` say and as plainly as
//! they say it. Where both readings make the same text, whoever believes these lines need not believe those of the first.
//! What is not understood is a [`Refusal`], and nothing is passed over in silence.
//!
//! ```
//! let text = "
//!     sort node
//!     mutable relation up(node)
//!     transition fail(n: node)
//!       modifies up
//!       & (up'(N) <-> up(N) & N != n)
//!     safety up(A) | up(B) | true
//! ";
//! let closed = ramsey_naive::pyv::core(text).expect("it is understood");
//! let lines: Vec<&str> = closed.lines().collect();
//! assert_eq!(lines[3], "transition fail ? 0 ! 0 = R 2 0 1 V 0 & 2 R 1 0 1 V 0 ~ E 0 V 0 V 1");
//! assert_eq!(lines[4], "invariant L7 ! 0 ! 0 | 3 R 1 0 1 V 1 R 1 0 1 V 0 & 0");
//!
//! let refusal = ramsey_naive::pyv::core("sort node\naxiom p(X)").expect_err("`p` is not declared");
//! assert_eq!((refusal.line, refusal.column), (2, 7));
//! ```

mod closed;
mod digest;
pub mod ivy;
mod problem;
mod program;
pub mod pyv;
mod refusal;
pub mod rml;
pub mod smtlib;
mod text;
pub mod tptp;

pub use refusal::Refusal;
pub use text::{Find, decoded};

use std::path::{Path, PathBuf};

/// Returns the name of the language of a file, which the ending of its name tells; `None` if it is not read here.
pub fn language(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "pyv" => Some("pyv"),
        "rml" => Some("rml"),
        "ivy" => Some("ivy"),
        "smt2" => Some("smtlib"),
        "p" | "ax" | "tptp" => Some("tptp"),
        _ => None,
    }
}

/// Returns the text of the closed system of a file with this text, as `spec/core.md` describes it; `None` if files in the
/// language with this name are not read here. Files that programs include are also looked for in `folders`.
pub fn core(language: &str, path: &Path, text: &str, folders: &[PathBuf]) -> Option<Result<String, Refusal>> {
    let find = |includer: &Path, name: &str| text::find(includer, name, folders);
    match language {
        "pyv" => Some(pyv::core(text)),
        "rml" => Some(rml::core(path, text, &find)),
        "ivy" => Some(ivy::core(path, text, &find)),
        "smtlib" => Some(smtlib::core(text)),
        "tptp" => Some(tptp::core(path, text, &tptp::find)),
        _ => None,
    }
}
