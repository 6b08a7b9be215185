//! Description of the command line for clap, and parsing by it.

use std::ffi::OsString;
use std::mem;

use clap::error::ErrorKind;
use clap::{Args as _, CommandFactory as _, FromArgMatches as _};

use super::args::{
    BmcArgs, CheckArgs, Cli, CommonArgs, CompletionsArgs, CoreArgs, CtiArgs, DiagramArgs, EvalArgs,
    ExplainArgs, FragmentArgs, GeneralizeArgs, InferArgs, InitArgs, InstanceArgs, LONG_VERSION, ManArgs,
    McArgs, PrintArgs, ShowArgs, SimulateArgs, SolveArgs, TaskArgs, TheoremArgs, TraceArgs, TypecheckArgs,
    UiArgs, VerifyArgs,
};

/// Adds the arguments of a command to its description.
type Describe = fn(clap::Command) -> clap::Command;

/// The commands, by name.
const COMMANDS: [(&str, Describe); 25] = [
    ("verify", VerifyArgs::augment_args),
    ("bmc", BmcArgs::augment_args),
    ("instance", InstanceArgs::augment_args),
    ("mc", McArgs::augment_args),
    ("cti", CtiArgs::augment_args),
    ("generalize", GeneralizeArgs::augment_args),
    ("infer", InferArgs::augment_args),
    ("explain", ExplainArgs::augment_args),
    ("diagram", DiagramArgs::augment_args),
    ("eval", EvalArgs::augment_args),
    ("trace", TraceArgs::augment_args),
    ("theorem", TheoremArgs::augment_args),
    ("typecheck", TypecheckArgs::augment_args),
    ("fragment", FragmentArgs::augment_args),
    ("simulate", SimulateArgs::augment_args),
    ("check", CheckArgs::augment_args),
    ("print", PrintArgs::augment_args),
    ("core", CoreArgs::augment_args),
    ("show", ShowArgs::augment_args),
    ("solve", SolveArgs::augment_args),
    ("ui", UiArgs::augment_args),
    ("task", TaskArgs::augment_args),
    ("init", InitArgs::augment_args),
    ("completions", CompletionsArgs::augment_args),
    ("man", ManArgs::augment_args),
];

/// Parses arguments, the first of which is the name of the program.
pub(super) fn parse(args: &[OsString]) -> clap::error::Result<Cli> {
    // Building the description of all commands costs as much as a small run, and is needed only if parsing fails.
    if let Some(mut alone) = alone(args) {
        let parsed = parse_by(&mut alone, args);
        // The process ends soon after its last use, and dropping it would take time.
        mem::forget(alone);
        match &parsed {
            Err(error) if error.kind() != ErrorKind::DisplayVersion => {}
            _ => return parsed,
        }
    }
    parse_by(&mut command(), args)
}

/// Returns the description of only the command that the arguments begin with, or of what tells the version.
fn alone(args: &[OsString]) -> Option<clap::Command> {
    let name = args.get(1)?.to_str()?;
    if matches!(name, "-V" | "--version") {
        let program = clap::Command::new("ramsey").version(env!("CARGO_PKG_VERSION"));
        return Some(program.long_version(LONG_VERSION.as_str()));
    }
    let &(name, describe) = COMMANDS.iter().find(|(known, _)| *known == name)?;
    let program = CommonArgs::augment_args(clap::Command::new("ramsey"));
    Some(program.subcommand(describe(clap::Command::new(name))))
}

fn parse_by(command: &mut clap::Command, args: &[OsString]) -> clap::error::Result<Cli> {
    let mut found = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches_mut(&mut found).map_err(|error| error.format(command))
}

/// Returns the description of all commands. In help texts each paragraph of prose is one line, wrapped to the width of
/// the terminal. Values may begin with `-` followed by digits, so that errors in them are reported as such.
pub(super) fn command() -> clap::Command {
    finished(Cli::command())
}

/// Prepares a command, and those below it.
fn finished(command: clap::Command) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    names.iter().fold(unwrapped(command), |command, name| {
        command.mut_subcommand(name, |it| {
            finished(it).mut_args(|arg| {
                let takes_values = arg.get_action().takes_values();
                arg.allow_negative_numbers(takes_values)
            })
        })
    })
}

/// Joins the lines of each paragraph of prose in the command's closing help text. Indented lines are unchanged.
fn unwrapped(command: clap::Command) -> clap::Command {
    let Some(text) = command.get_after_help().map(ToString::to_string) else { return command };
    let mut joined = String::new();
    let mut in_prose = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !joined.is_empty() {
            joined.push(if is_prose && in_prose { ' ' } else { '\n' });
        }
        joined.push_str(line);
        in_prose = is_prose;
    }
    command.after_help(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a command with those below it.
    fn all(command: &clap::Command) -> Vec<clap::Command> {
        let below = command.get_subcommands().flat_map(all);
        [command.clone()].into_iter().chain(below).collect()
    }

    fn arguments(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn every_command_is_known_by_name() {
        let all = command();
        let names = all.get_subcommands().map(clap::Command::get_name);
        assert!(names.eq(COMMANDS.map(|(name, _)| name)));
    }

    /// What is parsed without the descriptions of other commands is what is parsed with them.
    #[test]
    fn the_version_is_told_without_the_commands() {
        for line in ["ramsey -V", "ramsey --version", "ramsey --version verify"] {
            let args = arguments(line);
            let [alone, whole] = [parse(&args), parse_by(&mut command(), &args)];
            let [alone, whole] = [alone, whole].map(|it| it.expect_err("it is no run").to_string());
            assert_eq!(alone, whole, "{line}");
        }
    }

    #[test]
    fn prose_is_wrapped_once() {
        for width in [60, 80, 100] {
            let mut command = command().term_width(width);
            command.build();
            for command in all(&command) {
                let help = command.clone().term_width(width).render_help().to_string();
                // `ramsey help` itself has no options.
                let Some((_, after)) = help.rsplit_once("Print help") else { continue };
                let lines: Vec<&str> = after.lines().collect();
                for pair in lines.windows(2) {
                    let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
                    if !is_prose(pair[0]) || !is_prose(pair[1]) || pair[0].ends_with(':') {
                        continue;
                    }
                    let word = pair[1].split(' ').next().unwrap_or_default();
                    let length = pair[0].chars().count() + 1 + word.chars().count();
                    assert!(length > width, "{width}: {}\n{}\n{help}", pair[0], pair[1]);
                }
            }
        }
    }

    #[test]
    fn help_fits_a_terminal() {
        let mut command = command();
        command.build();
        for command in all(&command) {
            let help = command.clone().render_help().to_string();
            assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        }
    }
}
