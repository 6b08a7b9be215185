//! Obligations in closed form.

use ramsey_kernel::core::NodeId;

/// What has to be shown, in closed form.
pub(super) struct Obligation {
    /// Its words, as in `spec/certificate.md`.
    pub(super) label: String,
    pub(super) hypotheses: Vec<NodeId>,
    pub(super) goal: NodeId,
}
