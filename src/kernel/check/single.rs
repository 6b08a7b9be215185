//! Obligations that are judged one by one, each by evidence of its own.

use super::Closed;
use crate::core::document;
use ramsey_checker::{Core, Rejection, Session};

/// The checker of evidence for the obligations of a closed form.
///
/// What counts as evidence are the lines of a certificate (`spec/certificate.md`) between its claim and its end, with one answer.
#[derive(Debug)]
pub struct ObligationChecker {
    session: Session,
}

impl ObligationChecker {
    /// Writes a closed form as text, for which evidence is to come.
    ///
    /// # Errors
    /// The text is not accepted as a closed form.
    pub fn new(closed: &Closed) -> Result<ObligationChecker, Rejection> {
        let core = Core::read(&document(&closed.lowering.core))?;
        Ok(ObligationChecker { session: Session::new(core) })
    }

    /// Checks that evidence shows that the goal of the obligation with this number follows from its hypotheses.
    ///
    /// # Errors
    /// The first line that is wrong, or that the evidence shows something else.
    pub fn proves(&mut self, obligation: usize, evidence: &[u8]) -> Result<(), Rejection> {
        match self.session.answer(obligation, evidence)? {
            true => Ok(()),
            false => Err(Rejection {
                line: 0,
                obligation: None,
                reason: "a structure in the place of a proof".into(),
                is_unreadable: false,
            }),
        }
    }
}
