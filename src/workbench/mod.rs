//! Work on a model with a state at hand: facts of the state are selected, and claims are added to the text of the model.
//! For the command line, pages and editors alike: there are no files here.

mod edit;
mod selection;

pub use edit::{Addition, add_claim};
pub use selection::{Items, Restriction, Selection, Selector, select};
