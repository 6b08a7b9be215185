//! What commands for a single model have in common.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::args::seconds;
use super::limits::Limits;
use super::output::Status;
use super::sources::read_one_model;
use crate::base::span::{FileId, Sources};
use crate::diag::Diagnostic;
use crate::lang::pyv;
use crate::query::verify::Limits as QueryLimits;
use crate::system::System;

/// Limits of the queries.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct LimitArgs {
    /// Stop a query after this time; fractions are fine
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    timeout: Option<std::time::Duration>,

    /// Stop a query after this many steps; unlike time, the same on every machine
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    work: Option<u64>,

    /// Stop when the process needs more memory than this
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    memory: Option<u64>,
}

impl LimitArgs {
    /// The same for the library.
    pub(super) fn query_limits(&self) -> QueryLimits {
        let memory = self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20));
        let limits = Limits { query: self.timeout, deadline: None, memory };
        QueryLimits { work: self.work, probe: limits.factory() }
    }
}

/// A model with what is to be said of it.
pub(super) struct Loaded {
    /// The path as diagnostics show it.
    pub(super) name: String,
    /// The text among the sources, if it could be read.
    pub(super) file: Option<FileId>,
    /// Nothing if there is an error.
    pub(super) system: Option<Arc<System>>,
    /// Errors and warnings.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Reads a model.
pub(super) fn load_one_model(path: &Path, sources: &mut Sources) -> Loaded {
    let input = read_one_model(path, sources);
    match input.file {
        Ok(file) => {
            let (system, diagnostics) = pyv::load(file, &sources[file].text);
            let is_good = Status::of_diagnostics(&diagnostics) == Status::Ok;
            let system = system.filter(|_| is_good).map(Arc::new);
            Loaded { name: input.name, file: Some(file), system, diagnostics }
        }
        Err(error) => Loaded { name: input.name, file: None, system: None, diagnostics: vec![error] },
    }
}
