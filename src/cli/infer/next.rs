//! Commands that go on where an inference ended without an invariant.

use std::path::Path;
use std::time::Duration;

use crate::args::{InferArgs, SearchLimitArgs};
use ramsey_core::base::budget::Exhausted;
use ramsey_engine::infer::{Answer, Inference, Method, Reason};
use ramsey_report::infer::open_prefixes;

/// By how much a limit is raised that ended a search.
const FACTOR: u32 = 4;
/// Maximum number of prefixes that a command has.
const MAX_PREFIXES: usize = 3;

/// Returns the commands that say most about where to go on, as they are typed in a shell: the same search with more of what it
/// lacked first. There are none for a model from standard input, which is gone.
pub(super) fn next(args: &InferArgs, inference: &Inference) -> Vec<String> {
    if args.path.as_os_str() == "-" {
        return Vec::new();
    }
    let again = |method: Method| Command::again(args, method).limits(&args.limits);
    let mut commands = match &inference.answer {
        Answer::Invariant(_) | Answer::Unsafe(..) | Answer::InternalError(_) => Vec::new(),
        Answer::NoUniversal(_) => match args.method.takes_prefixes() {
            // All languages with witnesses were tried.
            true => Vec::new(),
            false => vec![again(Method::EXISTS)],
        },
        Answer::Unknown { reason, lemmas, .. } => match reason {
            Reason::Exhausted(exhausted) => {
                let mut found: Vec<Command> = raised(args, *exhausted).into_iter().collect();
                if let (Some(first), Some(output)) = (found.first_mut(), &args.output)
                    && !lemmas.is_empty()
                    && args.from.is_none()
                {
                    first.file("--from", output);
                }
                let prefixes = open_prefixes(inference);
                let is_narrower = args.prefix.is_empty() && (1..=MAX_PREFIXES).contains(&prefixes.len());
                if is_narrower && *exhausted != Exhausted::Cancelled && args.method.takes_prefixes() {
                    let narrow = again(Method::EXISTS);
                    found.push(prefixes.iter().fold(narrow, |it, prefix| it.option("--prefix", prefix)));
                }
                found
            }
            Reason::NoSubset => vec![again(Method::AUTO)],
            Reason::NoInvariant if args.method.takes_prefixes() => Vec::new(),
            Reason::NoInvariant => vec![again(Method::AUTO)],
            Reason::Undecidable => vec![again(args.method).flag("--no-strict")],
        },
    };
    if matches!(&inference.answer, Answer::Unknown { open, .. } if !open.is_empty()) {
        commands.push(Command::about(args, "cti"));
    }
    commands.into_iter().map(|it| it.text).collect()
}

/// Returns the search with more of what ended it, if more of it can be given.
fn raised(args: &InferArgs, exhausted: Exhausted) -> Option<Command> {
    let mut more = args.limits;
    let limits = &mut more.limits;
    match exhausted {
        Exhausted::QueryTime | Exhausted::RunTime => {
            for limit in [&mut limits.timeout, &mut limits.run.run_timeout] {
                *limit = limit.map(|it| it.saturating_mul(FACTOR));
            }
        }
        Exhausted::Work | Exhausted::DefaultWork => match &mut limits.work {
            Some(work) => *work = work.saturating_mul(FACTOR.into()),
            None if more.unlimited => return None,
            None => more.unlimited = true,
        },
        Exhausted::Memory => limits.run.memory = Some(limits.run.memory?.saturating_mul(FACTOR.into())),
        // A checkpoint has what was found.
        Exhausted::Cancelled => {
            args.checkpoint.as_ref()?;
        }
        Exhausted::FormulaSize
        | Exhausted::Arithmetic
        | Exhausted::Numbers
        | Exhausted::Temporal
        | Exhausted::Tactic
        | Exhausted::Admitted => {
            return None;
        }
    }
    Some(Command::again(args, args.method).limits(&more))
}

/// A command as it is typed in a shell.
struct Command {
    text: String,
}

impl Command {
    /// Returns a command about the model, read as before.
    fn about(args: &InferArgs, name: &str) -> Command {
        let mut command = Command { text: format!("ramsey {name} {}", quoted(&file(&args.path))) };
        if let Some(isolate) = &args.form.language.isolate {
            command = command.option("--isolate", isolate);
        }
        args.form.language.folders.iter().for_each(|folder| command.file("-I", folder));
        if args.form.strictness.no_strict { command.flag("--no-strict") } else { command }
    }

    /// Returns the inference by a method with the same model, candidates and results.
    fn again(args: &InferArgs, method: Method) -> Command {
        let mut command = Command::about(args, "infer");
        for (flag, is_given) in [("--use-invariants", args.use_invariants), ("--add", args.add)] {
            if is_given {
                command = command.flag(flag);
            }
        }
        let is_same = method == args.method;
        let files = [
            ("--hints", args.hints.as_ref()),
            ("--from", args.from.as_ref()),
            // What it has is from one method.
            ("--checkpoint", args.checkpoint.as_ref().filter(|_| is_same)),
            ("--out", args.out.as_ref()),
            ("--certify", args.certify.as_ref()),
        ];
        for (name, path) in files {
            path.into_iter().for_each(|path| command.file(name, path));
        }
        if method != Method::default() {
            command = command.option("--method", method.name());
        }
        if is_same {
            let prefixes = args.prefix.iter().map(|prefix| ("--prefix", prefix));
            let templates = args.template.iter().map(|template| ("--template", template));
            command = templates.chain(prefixes).fold(command, |it, (name, value)| it.option(name, value));
        }
        if args.seed > 0 { command.option("--seed", &args.seed.to_string()) } else { command }
    }

    fn flag(mut self, name: &str) -> Command {
        self.text.push(' ');
        self.text.push_str(name);
        self
    }

    fn option(self, name: &str, value: &str) -> Command {
        self.flag(name).flag(&quoted(value))
    }

    fn file(&mut self, name: &str, path: &Path) {
        self.text.push_str(&format!(" {name} {}", quoted(&file(path))));
    }

    fn limits(self, args: &SearchLimitArgs) -> Command {
        let limits = &args.limits;
        let seconds = |it: Duration| it.as_secs_f64().to_string();
        let options = [
            ("--timeout", limits.timeout.map(seconds)),
            ("--run-timeout", limits.run.run_timeout.map(seconds)),
            ("--work", limits.work.map(|it| it.to_string())),
            ("--memory", limits.run.memory.map(|it| it.to_string())),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let command = given.fold(self, |it, (name, value)| it.option(name, &value));
        if args.unlimited { command.flag("--unlimited") } else { command }
    }
}

/// Returns the name of a file, which is no option even where it looks like one.
fn file(path: &Path) -> String {
    let path = path.display().to_string();
    if path.starts_with('-') { format!("./{path}") } else { path }
}

/// Quotes a word for a POSIX shell where it has to be.
fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "_-./:=,+@%".contains(it);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_apart() {
        for (word, wanted) in [
            ("a/b-c.pyv", "a/b-c.pyv"),
            ("two words", "'two words'"),
            ("", "''"),
            ("$HOME", "'$HOME'"),
            ("it's", "'it'\\''s'"),
            ("~/m.pyv", "'~/m.pyv'"),
        ] {
            assert_eq!(quoted(word), wanted);
        }
        assert_eq!(file(Path::new("-x.pyv")), "./-x.pyv");
    }
}
