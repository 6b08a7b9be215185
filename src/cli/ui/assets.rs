//! Files of the page, which are part of the binary.

/// A file of the page.
#[derive(Debug)]
pub(super) struct Asset {
    /// Path in a request.
    pub(super) path: &'static str,
    pub(super) media_type: &'static str,
    pub(super) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page.
pub(super) const ASSETS: &[Asset] = &[
    Asset { path: "/", media_type: HTML, text: include_str!("page/index.html") },
    Asset { path: "/app.css", media_type: CSS, text: include_str!("page/app.css") },
    Asset { path: "/app.js", media_type: SCRIPT, text: include_str!("page/app.js") },
];

/// Returns the file for a path, compared as it stands: nothing is decoded or resolved.
pub(super) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
