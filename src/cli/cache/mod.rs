//! The cache of a run: where its entries lie, and what is told of them.

mod eviction;
mod folder;
mod http;
mod temporaries;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::CacheArgs;
use super::clock::clock;
use super::opened::{Opened, Place};
use folder::Folder;
use http::Server;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::cache::{Cache, Rejected, Store};

/// Environment variable that names a cache where no option and no configuration does.
const VARIABLE: &str = "RAMSEY_CACHE";

/// Maximum number of bytes of entries in a folder, unless another one is given.
const DEFAULT_SIZE: u64 = 1 << 30;

/// Opens the cache that options name, or else `configured`, which a configuration names, or else the environment. Returns `None` if none
/// does.
///
/// # Errors
/// There cannot be one at this place.
pub(super) fn open(args: &CacheArgs, configured: Option<&Path>) -> Result<Option<Opened>, Diagnostic> {
    if args.no_cache {
        return Ok(None);
    }
    if let Some(opened) = &args.opened {
        return Ok(Some(opened.clone()));
    }
    let variable = || std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let (path, named) = match (&args.cache, configured) {
        (Some(path), _) => (path.clone(), "--cache"),
        (None, Some(path)) => (path.to_owned(), "`cache`"),
        (None, None) => match variable() {
            Some(path) => (path, VARIABLE),
            None => return Ok(None),
        },
    };
    let error = |what: String, help: &str| {
        Diagnostic::error_nowhere(Code::Usage, format!("{named}: {what}")).help(help)
    };
    let place: Arc<dyn Place> = match path.to_str().filter(|text| text.contains("://")) {
        Some(url) => Arc::new(Server::new(url).map_err(|(what, help)| error(what, help))?),
        None if path.starts_with("~") => {
            let what = format!("`{}` begins with `~`, which stands for no folder here", path.display());
            return Err(error(what, "write the whole path; a shell replaces `~` where it is not in quotes"));
        }
        None => {
            let size = args.cache_size.unwrap_or(DEFAULT_SIZE);
            Arc::new(Folder::open(&path, size).map_err(|failure| {
                let what = format!("`{}` cannot be the folder of a cache: {failure}", path.display());
                error(what, "name a folder that you may write into; it is made if it is not there")
            })?)
        }
    };
    let store: Arc<dyn Store> = Arc::clone(&place) as Arc<dyn Store>;
    Ok(Some(Opened { cache: Arc::new(Cache::new(store, Some(clock))), place }))
}

/// Returns the warnings about entries that are not valid.
pub(super) fn rejected(entries: &[Rejected]) -> Vec<Diagnostic> {
    let warning = |entry: &Rejected| {
        let what = format!("the entry `{}` of the cache is not valid: {}", entry.place, entry.reason);
        let help = "the question is answered by search, and what is found replaces the entry";
        Diagnostic::warning_nowhere(Code::Cache, what).help(help)
    };
    entries.iter().map(warning).collect()
}
