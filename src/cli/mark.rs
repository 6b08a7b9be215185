//! The line by which models that a command wrote are recognized, so that a later run may replace them.

/// The line: a comment in every language of models.
const MARK: &str =
    "# Written by ramsey, which replaces this file when it is told to, as long as this line is here.";

/// Checks whether the beginning of a file is that of a model that a command wrote.
pub(super) fn is_written_here(beginning: &str) -> bool {
    let (_, rest) = beginning.split_at(place(beginning));
    rest.strip_prefix(MARK).is_some_and(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']))
}

/// Returns a model with the line.
pub(super) fn marked(text: &str) -> String {
    if is_written_here(text) {
        return text.to_owned();
    }
    let (head, rest) = text.split_at(place(text));
    let first = text.split_inclusive(['\r', '\n']).next().unwrap_or_default();
    let line_end = match first.chars().last() {
        Some('\r') if text[first.len()..].starts_with('\n') => "\r\n",
        Some('\r') => "\r",
        _ => "\n",
    };
    format!("{head}{MARK}{line_end}{rest}")
}

/// Returns the place of the line: the first one, but after a byte order mark, and after the line that tells the version of
/// the language.
fn place(text: &str) -> usize {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    if !text[start..].starts_with("#lang") {
        return start;
    }
    let Some(end) = text.find(['\r', '\n']) else { return start };
    end + if text[end..].starts_with("\r\n") { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_the_first_one_with_the_line_ends_of_the_text() {
        for (text, head, line_end) in [
            ("sort s\nsafety true\n", "", "\n"),
            ("\u{feff}sort s\r\nsafety true\r\n", "\u{feff}", "\r\n"),
            ("#lang ivy1.7\ntype t\n", "#lang ivy1.7\n", "\n"),
            ("#lang ivy1.7\r\ntype t\r\n", "#lang ivy1.7\r\n", "\r\n"),
            ("sort s\rsafety true\r", "", "\r"),
            ("", "", "\n"),
        ] {
            let with_line = marked(text);
            assert_eq!(with_line, format!("{head}{MARK}{line_end}{}", &text[head.len()..]));
            assert!(is_written_here(&with_line) && !is_written_here(text));
            assert_eq!(marked(&with_line), with_line, "once is enough");
        }
    }

    #[test]
    fn other_lines_are_not_the_line() {
        for text in [format!("\n{MARK}\n"), format!("{MARK} Or not.\n"), MARK[1..].to_owned()] {
            assert!(!is_written_here(&text), "{text}");
        }
        assert!(is_written_here(MARK));
    }
}
