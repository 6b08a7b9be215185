//! Diagnostics about what the target cannot say.

use crate::fol::ast::Proof;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic, Severity};

/// What the target cannot say.
#[derive(Default)]
pub(super) struct Problems {
    pub(super) found: Vec<Diagnostic>,
}

impl Problems {
    /// Tells why there is no translation.
    pub(super) fn refuse(&mut self, span: Span, what: &str, label: &str, help: &str) {
        let error = Diagnostic::error(Code::Translation, span, what).label(label);
        self.found.push(error.help(help));
    }

    /// Tells of a question about the model that is not in the translation. The model itself is.
    pub(super) fn leave_out(&mut self, span: Span, what: &str, help: &str) {
        let warning = Diagnostic::warning(Code::Translation, span, what).label("not in the translation");
        self.found.push(warning.help(help));
    }

    /// Tells of a proof that is not in the translation, if there is one.
    pub(super) fn leave_out_proof(&mut self, proof: Option<&Proof>) {
        if let Some(proof) = proof {
            let what = "a proof by prophecy variables is left out";
            self.leave_out(proof.place.0, what, "`ramsey mc` reads it in this file");
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.found.iter().any(|it| it.severity == Severity::Error)
    }

    /// Tells that definitions in definitions, down from this one, make too large a formula.
    pub(super) fn too_high(&mut self, span: Span) {
        self.refuse(
            span,
            "definitions are nested too deeply to be expanded",
            "with those that it uses",
            "use fewer definitions inside of each other",
        );
    }

    /// Tells that the formulas of commands, up to this one, grow too large.
    pub(super) fn too_large(&mut self, span: Span) {
        self.refuse(
            span,
            "the meaning of the commands grows too large to be written",
            "up to this command",
            "split the action",
        );
    }
}
