//! Files of the page, which are part of the binary.

use ramsey_report::picture::page_css;

/// A file of the page.
#[derive(Debug)]
pub(super) struct Asset {
    /// Path in a request.
    pub(super) path: &'static str,
    pub(super) media_type: &'static str,
    /// Returns the contents.
    pub(super) text: fn() -> &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page.
pub(super) const ASSETS: &[Asset] = &[
    Asset { path: "/", media_type: HTML, text: || include_str!("page/index.html") },
    Asset { path: "/app.css", media_type: CSS, text: || include_str!("page/app.css") },
    Asset { path: "/picture.css", media_type: CSS, text: page_css },
    Asset { path: "/acts.js", media_type: SCRIPT, text: || include_str!("page/acts.js") },
    Asset { path: "/app.js", media_type: SCRIPT, text: || include_str!("page/app.js") },
    Asset { path: "/canned.js", media_type: SCRIPT, text: || include_str!("page/canned.js") },
    Asset { path: "/claims.js", media_type: SCRIPT, text: || include_str!("page/claims.js") },
    Asset { path: "/completion.js", media_type: SCRIPT, text: || include_str!("page/completion.js") },
    Asset { path: "/conjectures.js", media_type: SCRIPT, text: || include_str!("page/conjectures.js") },
    Asset { path: "/dialog.js", media_type: SCRIPT, text: || include_str!("page/dialog.js") },
    Asset { path: "/dialogs.js", media_type: SCRIPT, text: || include_str!("page/dialogs.js") },
    Asset { path: "/dom.js", media_type: SCRIPT, text: || include_str!("page/dom.js") },
    Asset { path: "/drag.js", media_type: SCRIPT, text: || include_str!("page/drag.js") },
    Asset { path: "/engine.js", media_type: SCRIPT, text: || include_str!("page/engine.js") },
    Asset { path: "/executions.js", media_type: SCRIPT, text: || include_str!("page/executions.js") },
    Asset { path: "/formula.js", media_type: SCRIPT, text: || include_str!("page/formula.js") },
    Asset { path: "/induction.js", media_type: SCRIPT, text: || include_str!("page/induction.js") },
    Asset { path: "/keys.js", media_type: SCRIPT, text: || include_str!("page/keys.js") },
    Asset { path: "/model.js", media_type: SCRIPT, text: || include_str!("page/model.js") },
    Asset { path: "/parts.js", media_type: SCRIPT, text: || include_str!("page/parts.js") },
    Asset { path: "/proof.js", media_type: SCRIPT, text: || include_str!("page/proof.js") },
    Asset { path: "/simulate.js", media_type: SCRIPT, text: || include_str!("page/simulate.js") },
    Asset { path: "/store.js", media_type: SCRIPT, text: || include_str!("page/store.js") },
];

/// Returns the file for a path, compared as it stands: nothing is decoded or resolved.
pub(super) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}
