//! Findings as text in the style of rustc.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Renderer, Snippet};

use super::Palette;
use super::excerpt::{Excerpt, excerpt, shown};
use super::finding::{Finding, Rule};
use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::{Diagnostic, Label, Severity};

/// Maximum width of a rendered source line, in columns.
const WIDTH: usize = 140;
/// Labels further apart than this, in bytes of source, get separate excerpts.
const MAX_DISTANCE: usize = 1 << 16;

/// Renders a diagnostic as text that ends with a line break.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, palette: Palette) -> String {
    render_finding(&diagnostic.into(), sources, palette)
}

/// Renders a finding as text that ends with a line break, without its evidence.
pub fn render_finding(finding: &Finding<'_>, sources: &Sources, palette: Palette) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(finding.message.as_str());
    let title = match finding.rule {
        Rule::Code(code) => title.id(code.text()),
        Rule::Question(_) | Rule::Certificate | Rule::Consistency => title,
    };
    let labels: Vec<(&Label, AnnotationKind)> = finding
        .primary
        .iter()
        .map(|label| (label, AnnotationKind::Primary))
        .chain(finding.secondary.iter().map(|label| (label, AnnotationKind::Context)))
        .collect();
    let mut group = Group::with_title(title);
    let mut moved = Vec::new();
    for element in snippets(&labels, sources, &mut moved) {
        group = group.element(element);
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if palette.is_colored() { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(WIDTH);
    let mut text = renderer.render(&[group]);
    // The renderer counts columns from the start of its input, which for a cut line is not the start of the line.
    for (wrong, right) in moved {
        text = text.replacen(&wrong, &right, 1);
    }
    text.push('\n');
    text
}

/// Builds the source excerpts. Nearby labels of one file share an excerpt. For each excerpt of a cut line, adds to
/// `moved` its heading as rendered and the correct heading.
fn snippets<'a>(
    labels: &[(&'a Label, AnnotationKind)],
    sources: &'a Sources,
    moved: &mut Vec<(String, String)>,
) -> Vec<Element<'a>> {
    let mut elements = Vec::new();
    let mut rest: Vec<(&'a Label, AnnotationKind, Excerpt, &'a Source)> = labels
        .iter()
        .filter_map(|&(label, kind)| {
            let source = sources.get(label.span.file)?;
            let cut = excerpt(&source.text, label.span.start as usize, label.span.end as usize);
            Some((label, kind, cut, source))
        })
        .collect();
    while !rest.is_empty() {
        let (label, kind, cut, source) = rest.remove(0);
        if let Some(column) = cut.column {
            let shown = cut.text[..cut.place.start].chars().count() + 1;
            let heading = |column| format!("{}:{}:{column}", source.name, cut.line);
            moved.push((heading(shown), heading(column)));
            let place = annotation(kind, cut.place.clone(), &label.text);
            let snippet = Snippet::source(cut.text).line_start(cut.line).path(source.name.as_str());
            elements.push(snippet.annotation(place).into());
            continue;
        }
        let (mut range, mut line) = (cut.range.clone(), cut.line);
        let mut shared = vec![(label, kind, cut)];
        rest.retain(|(other, kind, cut, _)| {
            let start = range.start.min(cut.range.start);
            let end = range.end.max(cut.range.end);
            let near =
                other.span.file == label.span.file && cut.column.is_none() && end - start <= MAX_DISTANCE;
            if near {
                range = start..end;
                line = line.min(cut.line);
                shared.push((other, *kind, cut.clone()));
            }
            !near
        });
        let offset = range.start;
        let annotations = shared.into_iter().map(|(label, kind, cut)| {
            let shift = cut.range.start - offset;
            annotation(kind, cut.place.start + shift..cut.place.end + shift, &label.text)
        });
        elements.push(
            Snippet::source(shown(&source.text[range]))
                .line_start(line)
                .path(source.name.as_str())
                .annotations(annotations.collect::<Vec<_>>())
                .into(),
        );
    }
    elements
}

fn annotation<'a>(kind: AnnotationKind, place: std::ops::Range<usize>, text: &'a str) -> Annotation<'a> {
    let annotation = kind.span(place);
    if text.is_empty() { annotation } else { annotation.label(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::diagnostics::to_dto;
    use ramsey_core::base::ids::IdVec;
    use ramsey_core::base::span::{FileId, Span};
    use ramsey_core::diag::Code;

    fn sources(text: &str) -> (Sources, FileId) {
        let mut sources = IdVec::new();
        let file = sources.push(Source::new("lock.pyv".into(), text.into()));
        (sources, file)
    }

    #[test]
    fn looks_like_rustc() {
        let (sources, file) = sources("sort node\n\ninit forall N. !hld(N)\n\nmutable relation held(node)\n");
        let diagnostic =
            Diagnostic::error(Code::Undeclared, Span { file, start: 27, end: 30 }, "`hld` is not declared")
                .label("not found")
                .also(Span { file, start: 52, end: 56 }, "a relation with a similar name")
                .note("names are case sensitive")
                .help("did you mean `held`?");
        insta::assert_snapshot!(render(&diagnostic, &sources, Palette::PLAIN), @r"
        error[R006]: `hld` is not declared
         --> lock.pyv:3:17
          |
        3 | init forall N. !hld(N)
          |                 ^^^ not found
        4 |
        5 | mutable relation held(node)
          |                  ---- a relation with a similar name
          |
          = note: names are case sensitive
          = help: did you mean `held`?
        ");
    }

    #[test]
    fn long_lines_are_cut_and_keep_their_column() {
        let text = format!("sort node\ninit {}$\n", "x ".repeat(5_000_000));
        let at = text.len() as u32 - 2;
        let (sources, file) = sources(&text);
        let place = Span { file, start: at, end: at + 1 };
        let diagnostic = Diagnostic::error(Code::UnexpectedCharacter, place, "unexpected character `$`");
        insta::assert_snapshot!(render(&diagnostic, &sources, Palette::PLAIN), @r"
        error[R002]: unexpected character `$`
         --> lock.pyv:2:10000006
          |
        2 | ...x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x $
          |                                                                ^
        ");
        let json = serde_json::to_value(to_dto(&diagnostic, &sources)).unwrap_or_default();
        assert_eq!(json["primary"]["column"], 10_000_006);
    }

    #[test]
    fn places_far_apart_get_excerpts_of_their_own() {
        let text = format!("sort a\n{}sort a\n", "# comment\n".repeat(20_000));
        let (sources, file) = sources(&text);
        let end = text.len() as u32 - 1;
        let diagnostic = Diagnostic::error(Code::Duplicate, Span { file, start: end - 1, end }, "`a` again")
            .also(Span { file, start: 5, end: 6 }, "first here");
        insta::assert_snapshot!(render(&diagnostic, &sources, Palette::PLAIN), @r"
        error[R005]: `a` again
             --> lock.pyv:20002:6
              |
        20002 | sort a
              |      ^
              |
             ::: lock.pyv:1:6
              |
            1 | sort a
              |      - first here
        ");
    }

    #[test]
    fn no_place_is_needed() {
        let (sources, _) = sources("");
        let diagnostic =
            Diagnostic::error_nowhere(Code::Unreadable, "cannot read `x.pyv`").help("is it there?");
        insta::assert_snapshot!(render(&diagnostic, &sources, Palette::PLAIN), @r"
        error[R001]: cannot read `x.pyv`
         |
         = help: is it there?
        ");
    }
}
