//! Files with pictures, for every command that finds states.

use std::path::{Path, PathBuf};

use clap::Args;

use super::certify::write_whole;
use crate::diag::Diagnostic;
use crate::report::picture::{Picture, dot, svg};

/// Where pictures go.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct PictureArgs {
    /// Draw what is found as SVG; further pictures get a number: FILE-2.svg
    #[arg(long, value_name = "FILE", help_heading = "Pictures")]
    pub(super) svg: Option<PathBuf>,

    /// Draw what is found as a graph for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Pictures")]
    pub(super) dot: Option<PathBuf>,
}

impl PictureArgs {
    /// Whether a picture is wanted.
    pub(super) fn is_some(&self) -> bool {
        self.svg.is_some() || self.dot.is_some()
    }

    /// Writes the picture with this number, from 1. The first has the name that was given.
    pub(super) fn write(&self, picture: &Picture, number: usize) -> Result<(), Diagnostic> {
        if let Some(path) = &self.svg {
            write_whole(&numbered(path, number), svg(picture).as_bytes())?;
        }
        if let Some(path) = &self.dot {
            write_whole(&numbered(path, number), dot(picture).as_bytes())?;
        }
        Ok(())
    }
}

/// `a/b.svg` as `a/b-2.svg` for the second.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number <= 1 {
        return path.to_owned();
    }
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = (part(path.file_stem()), part(path.extension()));
    let dot = if extension.is_empty() { "" } else { "." };
    path.with_file_name(format!("{stem}-{number}{dot}{extension}"))
}
