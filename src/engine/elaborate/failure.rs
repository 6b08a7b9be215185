//! Why there is no proof.

use std::fmt;

use ramsey_kernel::core::Unsupported;

/// Why a certificate has no proof in the calculus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The model has no closed form.
    Model(Unsupported),
    /// The certificate is none that the kernel accepts, or not one that everything is proved.
    Certificate,
    /// A clause was not derived.
    NoDerivation,
    /// A formula has another form than expected.
    Shape,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Model(unsupported) => unsupported.fmt(f),
            Failure::Certificate => f.write_str("the certificate does not prove all that the model claims"),
            Failure::NoDerivation => f.write_str("a step of the certificate has no derivation"),
            Failure::Shape => f.write_str("a formula of the certificate has an unexpected form"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Unsupported> for Failure {
    fn from(unsupported: Unsupported) -> Failure {
        Failure::Model(unsupported)
    }
}
