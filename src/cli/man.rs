//! `ramsey man`: pages of the manual, one for the program and one for each command, and for those below it.

use std::io;

use clap_mangen::Man;

use super::args::ManArgs;
use super::command;
use super::files::{make_folder, replace};
use super::output::{print_diagnostics, print_part, stderr_palette};
use super::sources::display;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Diagnostic;
use ramsey_report::Verdict;

/// Writes the pages.
pub(super) fn run(args: &ManArgs) -> io::Result<Verdict> {
    match write(args)? {
        Ok(count) => {
            print_part(&format!("{count} pages in {}\n", display(&args.folder)))?;
            Ok(Verdict::Ok)
        }
        Err(error) => {
            print_diagnostics(&[error], &Sources::new(), stderr_palette(args.color));
            Ok(Verdict::BadInput)
        }
    }
}

fn write(args: &ManArgs) -> io::Result<Result<usize, Diagnostic>> {
    let mut program = command::command();
    program.build();
    let mut pages = vec![("ramsey".to_owned(), program.clone())];
    let mut at = 0;
    while let Some((above, command)) = pages.get(at).cloned() {
        for command in command.get_subcommands().filter(|it| it.get_name() != "help") {
            let name = format!("{above}-{}", command.get_name());
            pages.push((name.clone(), command.clone().display_name(name)));
        }
        at += 1;
    }
    if let Err(error) = make_folder(&args.folder) {
        return Ok(Err(error));
    }
    for (name, command) in &pages {
        let mut page = Vec::new();
        Man::new(command.clone()).title(name.to_uppercase()).render(&mut page)?;
        if let Err(error) = replace(&args.folder.join(format!("{name}.1")), &page) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(pages.len()))
}
