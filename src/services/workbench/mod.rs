//! Operations on a model with a given state: selection of facts of the state, and changes of the claims in the
//! model's text. Serves the command line, web pages and editors; performs no file access.

mod edit;
mod selection;

pub use edit::{
    Addition, Changes, Removal, Replacement, Revision, add_claim, remove_claims, replace_claim, revise,
};
pub use selection::{Items, Restriction, Selection, Selector, select};
