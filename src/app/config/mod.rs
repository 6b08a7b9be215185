//! What a folder of models is to be checked for: the file `ramsey.toml`, and expectations in models.
//!
//! Texts come in and checks come out, with a diagnostic for whatever is not understood. There are no files here.

mod expected;
mod options;
mod size;
mod time;

use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic, nearest};
use serde::Deserialize;

pub use expected::{Declared, Expected, Outcome, declared};
pub use options::{At, Check, CommandName, Limits};
pub use size::bytes;
pub use time::seconds;

/// Name of the file.
pub const FILE: &str = "ramsey.toml";

/// What a folder of models is to be checked for.
#[derive(Deserialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Folders in which included files are looked for, after that of the including file.
    #[serde(default)]
    pub include: Vec<At<String>>,
    /// Folder or server in which `verify` and `theorem` keep answers.
    pub cache: Option<At<String>>,
    /// Size of that folder, from which on what was not used for the longest time is deleted: `"500M"`, `"2G"`.
    pub cache_size: Option<At<String>>,
    /// Limits of every check that does not set them itself.
    #[serde(default)]
    pub limits: Limits,
    /// What is run, in this order.
    #[serde(default)]
    pub check: Vec<At<Check>>,
}

/// Reads the text of a file `ramsey.toml`, which is the source `file`.
///
/// # Errors
/// Returns what is wrong, each with its place.
pub fn read(text: &str, file: FileId) -> Result<Config, Vec<Diagnostic>> {
    let config: Config = toml::from_str(text).map_err(|error| vec![misread(&error, text, file)])?;
    let mut errors = Vec::new();
    for check in &config.check {
        check.get_ref().validate(file, &mut errors);
        check.get_ref().validate_whole(header(text, check.span(), file), &mut errors);
    }
    if let Some(size) = &config.cache_size
        && let Err(reason) = bytes(size.get_ref())
    {
        let what = format!("`{}` is no size: {reason}", size.get_ref());
        let error = Diagnostic::error(Code::Configuration, span(file, size.span()), what);
        errors.push(error.help("write `cache-size = \"500M\"`"));
    }
    if config.check.is_empty() {
        let error =
            Diagnostic::error(Code::Configuration, Span { file, start: 0, end: 0 }, "there is no check");
        errors
            .push(error.help("`[[check]]` with `models = [\"FOLDER\"]` verifies all models below a folder"));
    }
    if errors.is_empty() { Ok(config) } else { Err(errors) }
}

/// Returns the span of a range of bytes.
fn span(file: FileId, range: std::ops::Range<usize>) -> Span {
    Span { file, start: range.start as u32, end: range.end as u32 }
}

/// Returns the first line of a range: the header of a table, which a reader looks for.
fn header(text: &str, range: std::ops::Range<usize>, file: FileId) -> Span {
    let line = text.get(range.clone()).map_or(0, |text| text.find(['\n', '\r']).unwrap_or(text.len()));
    span(file, range.start..range.start + line)
}

/// Returns the diagnostic for text that is no TOML, or has other fields or values than a configuration.
fn misread(error: &toml::de::Error, text: &str, file: FileId) -> Diagnostic {
    let range = error.span().unwrap_or(0..0);
    let message = error.message();
    let place = header(text, range, file);
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((wrong, known))
            if message.starts_with("unknown field") || message.starts_with("unknown variant") =>
        {
            let what = if message.starts_with("unknown field") { "key" } else { "value" };
            let error =
                Diagnostic::error(Code::Configuration, place, format!("there is no {what} `{wrong}` here"));
            match nearest(wrong, known.iter().copied()) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help(format!("there are {}", known.join(", "))),
            }
        }
        _ => {
            let error = Diagnostic::error(Code::Configuration, place, message.trim_end().replace('\n', ": "));
            error.help("spec/config.md has all keys and their values")
        }
    }
}

/// Returns the JSON schema of the file, for editors.
#[cfg(feature = "schemas")]
pub fn schema() -> serde_json::Value {
    let mut schema = serde_json::Value::from(schemars::schema_for!(Config));
    schema["$id"] = "ramsey/config/1".into();
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::ids::Id as _;

    fn errors(text: &str) -> Vec<Diagnostic> {
        read(text, FileId::new(0)).err().unwrap_or_default()
    }

    #[test]
    fn a_whole_file_is_read() {
        let text = "\
include = [\"lib\"]
[limits]
timeout = \"1.5s\"
[[check]]
models = [\"models/**/*.pyv\"]
exclude = [\"models/old/*\"]
[[check]]
models = [\"bad.pyv\"]
command = \"bmc\"
depth = 7
properties = [\"mutex\"]
expect = \"fails at depth 3\"
timeout = 20
[[check]]
models = [\"lock.pyv\"]
command = \"instance\"
sizes = { node = 3, value = 2 }
";
        let config = read(text, FileId::new(0)).expect("a configuration");
        let arguments: Vec<Vec<String>> =
            config.check.iter().map(|it| it.get_ref().arguments(&config.limits)).collect();
        assert_eq!(arguments[0], ["--timeout", "1.5s"]);
        assert_eq!(arguments[1], ["--timeout", "20", "--depth", "7", "--property", "mutex"]);
        assert_eq!(arguments[2], ["--timeout", "1.5s", "node=3", "value=2"]);
        let expected = config.check[1].get_ref().expected().expect("an expectation");
        assert_eq!(*expected, Expected::Fails(Some(3)));
    }

    #[test]
    fn what_is_wrong_has_a_place_and_a_hint() {
        let check = "[[check]]\nmodels = [\"a.pyv\"]\n";
        for (text, message, help, excerpt) in [
            (format!("{check}dpeth = 3\n"), "no key `dpeth`", "did you mean `depth`?", "dpeth"),
            (format!("{check}command = \"bcm\"\n"), "no value `bcm`", "did you mean `bmc`?", "\"bcm\""),
            (format!("{check}command = \"bmc\"\ndepth = \"x\"\n"), "invalid type", "spec/config.md", "\"x\""),
            (format!("{check}depth = 3\n"), "`depth` is no option of `verify`", "`bmc`", "3"),
            (format!("{check}timeout = \"0s\"\n"), "must be more than 0", "spec/config.md", "\"0s\""),
            (format!("{check}expect = \"prooved\"\n"), "`prooved` is no outcome", "`proved`", "\"prooved\""),
            (
                format!("{check}expect = \"fails at depth x\"\n"),
                "is no outcome",
                "fails at depth 3",
                "\"fails",
            ),
            (
                format!("{check}expect = \"fails at depth 3\"\n"),
                "`verify` has no depth",
                "`fails`",
                "\"fails",
            ),
            (
                "[[check]]\ncommand = \"bmc\"\n".to_owned(),
                "missing field `models`",
                "spec/config.md",
                "[[check]]",
            ),
            ("[[check]]\nmodels = []\n".to_owned(), "no model", "models = ", "[[check]]"),
            (format!("{check}command = \"instance\"\n"), "no sizes", "sizes = ", "[[check]]"),
            ("x = \n".to_owned(), "", "spec/config.md", ""),
            (String::new(), "there is no check", "[[check]]", ""),
        ] {
            let found = errors(&text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].message.contains(message), "{text}: {}", found[0].message);
            assert!(
                found[0].help.as_ref().is_some_and(|it| it.contains(help)),
                "{text}: {:?}",
                found[0].help
            );
            let span = found[0].primary.as_ref().expect("a place").span;
            let place = &text[span.start as usize..span.end as usize];
            assert!(place.starts_with(excerpt), "{text}: {place:?}");
        }
    }

    #[test]
    fn several_errors_are_told_at_once() {
        let text =
            "[[check]]\nmodels = [\"a\"]\ndepth = 1\nsizes = {}\n[[check]]\nmodels = [\"b\"]\nlines = [1]\n";
        assert_eq!(errors(text).len(), 3);
    }
}
