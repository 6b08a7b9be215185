//! Workflow commands of GitHub Actions: annotations at lines of files.

use super::entry::{Entry, Level, Results};

/// Maximum length of a message, in characters. GitHub shows less than twice as much.
const MAX_MESSAGE: usize = 3_000;

/// Returns a command per entry that is not as it should be, the worst first since GitHub shows the first ten of each kind.
pub(super) fn text(results: &Results) -> String {
    let mut entries: Vec<&Entry> = results.entries.iter().filter(|it| it.level() != Level::Pass).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.level()));
    let mut text: String = entries.into_iter().map(command).collect();
    let remarks = results.explanations.iter().chain(results.comparison.iter().flat_map(|it| &it.absent));
    remarks.for_each(|remark| text.push_str(&format!("::notice::{}\n", escaped(remark))));
    text
}

fn command(entry: &Entry) -> String {
    let word = match entry.level() {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note | Level::Pass => "notice",
    };
    let mut properties = Vec::new();
    if let Some(spot) = entry.place() {
        properties.push(format!("file={}", property(spot.file)));
        properties.push(format!("line={}", spot.line()));
        if let Some(place) = spot.place {
            if place.end_line == place.line {
                // Columns count for annotations of one line alone, and the last one belongs to the annotation.
                let last = place.end_column.saturating_sub(1).max(place.column);
                properties.push(format!("col={},endColumn={last}", place.column));
            } else {
                properties.push(format!("endLine={}", place.end_line));
            }
        }
    }
    let title = match entry.status {
        Some(_) => format!("{}: {}", entry.model(), entry.title),
        None => format!("{}: {}", entry.rule.word(), entry.model()),
    };
    properties.push(format!("title={}", property(&title)));
    let full = entry.full_text();
    let cut = match full.char_indices().nth(MAX_MESSAGE) {
        Some((at, _)) => format!("{} ...", &full[..at]),
        None => full,
    };
    format!("::{word} {}::{}\n", properties.join(","), escaped(&cut))
}

/// Escapes the text after the command.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
