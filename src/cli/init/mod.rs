//! `ramsey init`: a first model, the configuration and a pipeline.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::{InitArgs, Service};
use super::files::{make_folder, replace};
use super::output::{print_diagnostics, print_part, stderr_palette};
use super::sources::display;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_report::Verdict;

/// Files of every project.
const FILES: [(&str, &str); 2] =
    [("models/lock.pyv", include_str!("lock.pyv")), ("ramsey.toml", include_str!("ramsey.toml"))];

impl Service {
    /// Returns the name and the text of the pipeline.
    fn pipeline(self) -> (&'static str, &'static str) {
        match self {
            Service::Github => (".github/workflows/ramsey.yml", include_str!("github.yml")),
            Service::Gitlab => (".gitlab-ci.yml", include_str!("gitlab.yml")),
            Service::Azure => ("azure-pipelines.yml", include_str!("azure.yml")),
            Service::Circleci => (".circleci/config.yml", include_str!("circleci.yml")),
            Service::Jenkins => ("Jenkinsfile", include_str!("Jenkinsfile")),
        }
    }
}

/// Writes the files, all of them or none.
pub(super) fn run(args: &InitArgs) -> io::Result<Verdict> {
    let files = FILES.into_iter().chain(args.ci.map(Service::pipeline));
    let files: Vec<(PathBuf, &str)> = files.map(|(name, text)| (args.folder.join(name), text)).collect();
    let there: Vec<Diagnostic> = files.iter().filter_map(|(path, _)| kept(path)).collect();
    let written = if there.is_empty() { write(&args.folder, &files) } else { Err(there) };
    match written {
        Ok(()) => {
            for (path, _) in &files {
                print_part(&format!("written: {}\n", display(path)))?;
            }
            let is_here = args.folder.as_os_str() == ".";
            let folder = if is_here { String::new() } else { format!("cd {}; ", display(&args.folder)) };
            print_part(&format!("next: {folder}ramsey verify\n"))?;
            if args.ci.is_some() {
                print_part(
                    "the pipeline wants to know where the program is: RAMSEY_URL and RAMSEY_SHA256 (docs/ci.md)\n",
                )?;
            }
            Ok(Verdict::Ok)
        }
        Err(errors) => {
            print_diagnostics(&errors, &Sources::new(), stderr_palette(args.color));
            Ok(Verdict::BadInput)
        }
    }
}

/// Returns the error about a file that is there already.
fn kept(path: &Path) -> Option<Diagnostic> {
    fs::symlink_metadata(path).ok()?;
    let what = format!("`{}` is there already, and nothing was written", display(path));
    Some(Diagnostic::error_nowhere(Code::Usage, what).help("name another folder, or move the file away"))
}

fn write(folder: &Path, files: &[(PathBuf, &str)]) -> Result<(), Vec<Diagnostic>> {
    let one = |error| vec![error];
    if folder.as_os_str() != "." {
        make_folder(folder).map_err(one)?;
    }
    for (path, text) in files {
        let parents: Vec<&Path> = path.ancestors().skip(1).take_while(|it| *it != folder).collect();
        for parent in parents.into_iter().rev() {
            make_folder(parent).map_err(one)?;
        }
        replace(path, text.as_bytes()).map_err(one)?;
    }
    Ok(())
}
