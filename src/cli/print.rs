//! `ramsey print`: models in canonical form.

use std::io::{self, Write as _};

use super::args::PrintArgs;
use super::output::{print_diagnostics, stderr_palette, stdout};
use super::sources::read_one_model;
use crate::base::span::Sources;
use crate::lang;
use crate::report::Verdict;

/// Prints the model, or the errors that prevent reading it.
pub(super) fn run(args: &PrintArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let input = read_one_model(&args.path, args.language, &mut sources);
    let (text, found) = match input.file {
        Ok(file) => {
            let (text, found) = lang::print::format(input.language, file, &sources[file].text);
            (Some(text), found)
        }
        Err(error) => (None, vec![error]),
    };
    print_diagnostics(&found, &sources, stderr_palette(args.color));
    let verdict = Verdict::of_diagnostics(&found);
    if let (Verdict::Ok, Some(text)) = (verdict, text) {
        let mut out = stdout();
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    Ok(verdict)
}
