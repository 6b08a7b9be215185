//! What a search knows: lemmas with their proofs, and states that every invariant allows.

mod lemmas;
mod states;

pub(super) use lemmas::{Lemma, Lemmas, Role};
pub(super) use states::{Origin, Place, StateId, States, Step};
