//! What the answers of all commands have in common: text, data of the document and verdict are made of each.

use super::json::Content;
#[cfg(feature = "cli")]
use super::results::Entry;
use super::trace::TraceStyle;
use super::{Palette, Verdict};
use ramsey_core::base::budget::Exhausted;

/// How an answer is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// Only what is not as it should be.
    pub quiet: bool,
    /// With the cost.
    pub stats: bool,
    /// With tuples at which relations are false.
    pub negative: bool,
    /// Colors.
    pub palette: Palette,
    /// The time of the run in seconds, if it is told.
    pub seconds: Option<f64>,
}

impl Shown {
    /// Returns the time for the last line of a text.
    pub fn time_text(self) -> String {
        self.seconds.map_or(String::new(), |seconds| format!(" ({seconds:.3} s)"))
    }
}

impl From<Shown> for TraceStyle<'_> {
    fn from(Shown { palette, negative, .. }: Shown) -> Self {
        TraceStyle { palette, negative, sources: None }
    }
}

/// The answer of a command, which is computed once.
pub trait Render {
    /// Content of the document.
    type Content: Content;

    /// Returns the verdict; `None` if nothing was asked.
    fn verdict(&self) -> Option<Verdict>;

    /// Returns the limits that questions have reached.
    fn exhausted(&self) -> Vec<Exhausted> {
        Vec::new()
    }

    /// Returns the text, without what is printed during the search. It is empty if nothing was asked.
    fn text(&self, shown: Shown) -> String;

    /// Returns the answers about claims one by one, with what supports each; none if the command judges no claims.
    #[cfg(feature = "cli")]
    fn entries(&self, _shown: Shown) -> Vec<Entry> {
        Vec::new()
    }

    /// Returns the content of the document.
    fn content(&self, shown: Shown) -> Self::Content;
}
