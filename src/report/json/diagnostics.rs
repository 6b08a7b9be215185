//! Diagnostics as JSON.

use super::dto;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::{Diagnostic, Label, Severity};

/// Converts a diagnostic to JSON data.
pub fn to_dto(diagnostic: &Diagnostic, sources: &Sources) -> dto::Diagnostic {
    let label =
        |label: &Label| Some(dto::Label { place: span_dto(label.span, sources)?, text: label.text.clone() });
    dto::Diagnostic {
        code: diagnostic.code.text().into(),
        severity: match diagnostic.severity {
            Severity::Note => dto::Severity::Note,
            Severity::Warning => dto::Severity::Warning,
            Severity::Error => dto::Severity::Error,
        },
        message: diagnostic.message.clone(),
        primary: diagnostic.primary.as_ref().and_then(label),
        secondary: diagnostic.secondary.iter().filter_map(label).collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
    }
}

/// Converts a span to JSON data.
pub(crate) fn span_dto(span: Span, sources: &Sources) -> Option<dto::Place> {
    let source = sources.get(span.file)?;
    let (line, column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end);
    Some(dto::Place {
        file: source.name.clone(),
        line,
        column,
        end_line,
        end_column,
        start: span.start,
        end: span.end,
    })
}
