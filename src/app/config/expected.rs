//! Expected outcomes, in configurations and in comments of models.

use std::fmt;

use super::options::CommandName;
use ramsey_core::base::span::{BYTE_ORDER_MARK, FileId, Span};
use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_report::Verdict;

/// Expected outcome of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Expected {
    /// Every answer is as it should be.
    #[default]
    Proved,
    /// A claim is violated; by an execution of this many steps, if it is told.
    Fails(Option<usize>),
    /// Nothing is violated, and something has no answer.
    Unknown,
    /// The model has an error, with this code if it is told.
    Error(Option<String>),
}

/// Outcome of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Number of steps of the shortest execution that violates a claim, if there is one.
    pub depth: Option<usize>,
    /// Codes of errors in the model.
    pub codes: Vec<String>,
    /// Whether no claim was shown.
    pub is_empty: bool,
}

impl Expected {
    /// Reads an outcome: `proved`, `fails`, `fails at depth 3`, `unknown`, `error`, `error R006`.
    pub fn parse(text: &str) -> Option<Expected> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["proved"] => Some(Expected::Proved),
            ["fails"] => Some(Expected::Fails(None)),
            ["fails", "at", "depth", number] => Some(Expected::Fails(Some(number.parse().ok()?))),
            ["unknown"] => Some(Expected::Unknown),
            ["error"] => Some(Expected::Error(None)),
            ["error", code] => Some(Expected::Error(Some(code.to_owned()))),
            _ => None,
        }
    }

    /// Returns whether an outcome is as expected.
    pub fn fits(&self, outcome: &Outcome) -> bool {
        match self {
            // Where nothing is claimed, nothing is proved.
            Expected::Proved => outcome.verdict == Verdict::Ok && !outcome.is_empty,
            Expected::Fails(depth) => {
                outcome.verdict == Verdict::Counterexample && (depth.is_none() || *depth == outcome.depth)
            }
            Expected::Unknown => outcome.verdict == Verdict::Unknown,
            Expected::Error(code) => {
                outcome.verdict == Verdict::BadInput
                    && code.as_ref().is_none_or(|code| outcome.codes.contains(code))
            }
        }
    }

    /// Returns the error for an outcome that a command does not have, at the place where it is expected.
    fn misfit(&self, command: CommandName, place: Span) -> Option<Diagnostic> {
        let has_depth = matches!(
            command,
            CommandName::Bmc | CommandName::Instance | CommandName::Mc | CommandName::Infer
        );
        match self {
            Expected::Fails(Some(_)) if !has_depth => {
                let what = format!("what fails of `{}` has no depth", command.word());
                Some(Diagnostic::error(Code::Configuration, place, what).help("write `fails`"))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Proved => f.write_str("proved"),
            Expected::Fails(None) => f.write_str("fails"),
            Expected::Fails(Some(depth)) => write!(f, "fails at depth {depth}"),
            Expected::Unknown => f.write_str("unknown"),
            Expected::Error(None) => f.write_str("error"),
            Expected::Error(Some(code)) => write!(f, "error {code}"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.verdict, self.depth) {
            (Verdict::Ok, _) if self.is_empty => f.write_str("nothing to check"),
            (Verdict::Ok, _) => f.write_str("proved"),
            (Verdict::Counterexample, Some(depth)) => write!(f, "fails at depth {depth}"),
            (Verdict::Counterexample, None) => f.write_str("fails"),
            (Verdict::Unknown, _) => f.write_str("unknown"),
            (Verdict::BadInput, _) if self.codes.is_empty() => f.write_str("error"),
            (Verdict::BadInput, _) => write!(f, "error {}", self.codes.join(", ")),
            (Verdict::InternalError, _) => f.write_str("internal error"),
        }
    }
}

/// Reads an expected outcome of a command.
///
/// # Errors
/// Returns an error at the place if the text is no outcome, or the command does not have it.
pub(super) fn read(text: &str, command: CommandName, place: Span) -> Result<Expected, Diagnostic> {
    let Some(expected) = Expected::parse(text) else {
        let error = Diagnostic::error(Code::Configuration, place, format!("`{text}` is no outcome"));
        let words = ["proved", "fails", "unknown", "error"];
        let first = text.split_whitespace().next().unwrap_or_default();
        return Err(match nearest(first, words).filter(|near| *near != first) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(
                "outcomes are `proved`, `fails`, `fails at depth 3`, `unknown`, `error` and `error R006`",
            ),
        });
    };
    match expected.misfit(command, place) {
        Some(error) => Err(error),
        None => Ok(expected),
    }
}

/// What a comment of a model expects: `# ramsey: bmc depth=5 => fails at depth 3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The command.
    pub command: CommandName,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The command with its arguments, as written.
    pub title: String,
    /// The outcome.
    pub expected: Expected,
    /// Place of the comment.
    pub span: Span,
}

/// What comments with expectations begin with.
const MARK: &str = "ramsey:";

/// Reads the expectations in the comments of a model, each of which has a line of its own.
///
/// # Errors
/// Returns what is wrong with them, each with its place.
pub fn declared(text: &str, file: FileId) -> Result<Vec<Declared>, Vec<Diagnostic>> {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    let lines = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut start = text.len() - lines.len();
    for line in lines.split_inclusive(['\n', '\r']) {
        let comment = line.trim_start().strip_prefix('#').map(str::trim);
        if let Some(told) = comment.and_then(|it| it.strip_prefix(MARK)) {
            let at = start + (line.len() - line.trim_start().len());
            let place = super::span(file, at..start + line.trim_end().len());
            match one(told.trim(), place) {
                Ok(expectation) => found.push(expectation),
                Err(error) => errors.push(error),
            }
        }
        start += line.len();
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// Returns whether this may be the name of a sort, and is no option.
pub(super) fn is_sort(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-')
}

fn one(told: &str, place: Span) -> Result<Declared, Diagnostic> {
    let error = |what: String| Diagnostic::error(Code::Configuration, place, what);
    let Some((call, outcome)) = told.split_once("=>") else {
        let error = error("an outcome is expected here".to_owned());
        return Err(
            error.help("write `# ramsey: verify => proved`, or `# ramsey: bmc depth=5 => fails at depth 3`")
        );
    };
    let title = call.split_whitespace().collect::<Vec<&str>>().join(" ");
    let mut words = call.split_whitespace();
    let name = words.next().unwrap_or("verify");
    let Some(command) = CommandName::of(name) else {
        let error = error(format!("`{name}` is no command that a comment may name"));
        let words = CommandName::ALL.map(CommandName::word);
        return Err(match nearest(name, words) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(format!("commands are {}", words.join(", "))),
        });
    };
    let mut arguments = Vec::new();
    for word in words {
        match (command, word.split_once('=')) {
            (CommandName::Bmc, Some(("depth", depth))) if depth.parse::<u16>().is_ok() => {
                arguments.extend(["--depth".to_owned(), depth.to_owned()]);
            }
            (CommandName::Instance, Some((sort, size))) if is_sort(sort) && size.parse::<u32>().is_ok() => {
                arguments.push(word.to_owned())
            }
            _ => {
                let error = error(format!("`{word}` is no option of `{name}` in a comment"));
                return Err(error.help(
                    "there are `depth=N` for `bmc` and `SORT=N` for `instance`; ramsey.toml has the others",
                ));
            }
        }
    }
    let expected = read(outcome.trim(), command, place)?;
    let title = if title.is_empty() { name.to_owned() } else { title };
    Ok(Declared { command, arguments, title, expected, span: place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::ids::Id as _;

    #[test]
    fn comments_expect() {
        let text =
            "# a\r\n  # ramsey: bmc  depth=5 => fails at depth 3\nsort node # ramsey: x\n#ramsey:=>proved\n";
        let found = declared(text, FileId::new(0)).expect("expectations");
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].title.as_str(), &found[0].expected), ("bmc depth=5", &Expected::Fails(Some(3))));
        assert_eq!(found[0].arguments, ["--depth", "5"]);
        let Span { start, end, .. } = found[0].span;
        assert_eq!(&text[start as usize..end as usize], "# ramsey: bmc  depth=5 => fails at depth 3");
        assert_eq!((found[1].command, found[1].title.as_str()), (CommandName::Verify, "verify"));
    }

    #[test]
    fn what_is_no_expectation_is_an_error() {
        for (text, help) in [
            ("# ramsey: verify", "=> proved"),
            ("# ramsey: verfy => proved", "`verify`"),
            ("# ramsey: bmc dept=3 => proved", "depth=N"),
            ("# ramsey: bmc depth=x => proved", "depth=N"),
            ("# ramsey: verify => fail", "`fails`"),
            ("# ramsey: verify => fails at depth 2", "`fails`"),
        ] {
            let errors = declared(text, FileId::new(0)).expect_err(text);
            assert!(errors[0].help.as_ref().is_some_and(|it| it.contains(help)), "{text}: {errors:?}");
        }
    }

    #[test]
    fn outcomes_are_compared() {
        let outcome =
            |verdict, depth| Outcome { verdict, depth, codes: vec!["R006".to_owned()], is_empty: false };
        let fails = outcome(Verdict::Counterexample, Some(3));
        assert!(Expected::Fails(None).fits(&fails) && Expected::Fails(Some(3)).fits(&fails));
        assert!(!Expected::Fails(Some(2)).fits(&fails) && !Expected::Proved.fits(&fails));
        let proved = outcome(Verdict::Ok, None);
        assert!(Expected::Proved.fits(&proved));
        assert!(!Expected::Proved.fits(&Outcome { is_empty: true, ..proved }));
        assert!(!Expected::Fails(None).fits(&outcome(Verdict::InternalError, Some(3))));
        let error = outcome(Verdict::BadInput, None);
        let code = |code: &str| Expected::Error(Some(code.to_owned()));
        assert!(
            Expected::Error(None).fits(&error) && code("R006").fits(&error) && !code("R007").fits(&error)
        );
    }
}
