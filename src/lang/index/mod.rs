//! Indexes of models: the declared names with their places and uses, also of files with errors. They are what editors
//! and interactive pages work with.
//!
//! An index is computed from the syntax trees alone. Declarations with syntax errors contribute nothing, and neither
//! sort errors nor undeclared names prevent it. Neither answers nor certificates depend on this module.

mod entry;
mod formulas;
mod ivy;
mod names;
mod program;
mod pyv;
mod text;

pub use entry::{Entry, Kind};

use crate::base::budget::{Budget, Exhausted};
use crate::base::span::{FileId, Sources, Span};
use crate::lang::{self, Includes, Language, Trees};

/// The declared names of a model, with their uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// In the order of their places.
    entries: Vec<Entry>,
    /// All occurrences in the order of their places, each with the number of its entry.
    occurrences: Vec<(Span, usize)>,
}

/// Parses a file, with the files that it includes, and returns its index. Each token and each node of the trees costs
/// one unit of the budget.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn index(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<Index, Exhausted> {
    let (trees, _) = lang::parse_within(language, file, sources, includes, budget)?;
    of_trees(&trees, includes, budget)
}

/// Returns the index of parsed files. Each node of the trees costs one unit of the budget.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn of_trees(trees: &Trees, includes: &Includes, budget: &mut Budget) -> Result<Index, Exhausted> {
    let entries = match trees {
        Trees::Pyv(model) => pyv::entries(model, budget)?,
        Trees::Ivy(model) => ivy::entries(&model.files, budget)?,
        Trees::Program(programs) => program::entries(programs, includes, budget)?,
    };
    Ok(Index::new(entries))
}

impl Index {
    fn new(mut entries: Vec<Entry>) -> Index {
        entries.sort_by_key(|entry| entry.span);
        let mut occurrences = Vec::new();
        for (number, entry) in entries.iter_mut().enumerate() {
            entry.uses.sort_unstable();
            entry.uses.dedup();
            occurrences.push((entry.span, number));
            occurrences.extend(entry.uses.iter().map(|&span| (span, number)));
        }
        occurrences.sort_unstable();
        Index { entries, occurrences }
    }

    /// Returns all entries in the order of the places of their names.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the entry with an occurrence (its declared name or a use) that covers a byte of a file. The offset just
    /// after a name counts too, unless another one begins there.
    pub fn at(&self, file: FileId, offset: u32) -> Option<&Entry> {
        let after = self.occurrences.partition_point(|(span, _)| (span.file, span.start) <= (file, offset));
        let &(span, number) = self.occurrences.get(after.checked_sub(1)?)?;
        (span.file == file && offset <= span.end).then(|| &self.entries[number])
    }
}
