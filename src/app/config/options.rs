//! Checks of a configuration, with the options of their commands.

#[cfg(feature = "schemas")]
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic};
#[cfg(feature = "schemas")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use toml::Spanned;

use super::expected::{Expected, is_sort, read};
use super::span;
use super::time::Time;

/// Command of a check.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CommandName {
    /// Inductive invariants.
    #[default]
    Verify,
    /// Theorems.
    Theorem,
    /// Bounded model checking.
    Bmc,
    /// Finite instances.
    Instance,
    /// Eager abstraction.
    Mc,
    /// Inference of inductive invariants.
    Infer,
    /// Trace blocks.
    Trace,
    /// Errors and warnings alone.
    Typecheck,
}

use CommandName::{Bmc, Infer, Instance, Mc, Theorem, Trace, Typecheck, Verify};

impl CommandName {
    /// All commands.
    pub const ALL: [CommandName; 8] = [Verify, Theorem, Bmc, Instance, Mc, Infer, Trace, Typecheck];

    /// Returns the name on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Verify => "verify",
            Theorem => "theorem",
            Bmc => "bmc",
            Instance => "instance",
            Mc => "mc",
            Infer => "infer",
            Trace => "trace",
            Typecheck => "typecheck",
        }
    }

    /// Returns the command of this name.
    pub fn of(word: &str) -> Option<CommandName> {
        CommandName::ALL.into_iter().find(|it| it.word() == word)
    }

    /// Returns whether the command takes any number of models at once.
    pub fn takes_several(self) -> bool {
        matches!(self, Verify | Theorem | Typecheck)
    }
}

/// Commands that search about a model with limits for queries outside the decidable fragment.
const SEARCHES: &[CommandName] = &[Verify, Theorem, Bmc, Infer, Trace];
/// Commands that search.
const LIMITED: &[CommandName] = &[Verify, Theorem, Bmc, Infer, Trace, Instance, Mc];

/// Limits of searches.
#[derive(Deserialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Stop a query after this time.
    pub timeout: Option<At<Time>>,
    /// Stop a check after this time.
    pub run_timeout: Option<At<Time>>,
    /// Stop a query after this many steps of search.
    pub work: Option<At<u64>>,
    /// Stop when the process needs more memory than this, in megabytes.
    pub memory: Option<At<u64>>,
}

/// Value with its place.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(transparent)]
pub struct At<T>(Spanned<T>);

#[cfg(feature = "schemas")]
impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T> At<T> {
    /// Returns the value.
    pub fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    /// Returns the range of bytes.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }
}

/// Value of an option, as arguments of a command line.
trait Argument {
    /// Adds the option with its value.
    fn add(&self, flag: &str, arguments: &mut Vec<String>);
}

impl Argument for bool {
    fn add(&self, flag: &str, arguments: &mut Vec<String>) {
        arguments.extend(self.then(|| flag.to_owned()));
    }
}

/// Has the option with a value: as one word, so that values may begin with a hyphen.
macro_rules! with_value {
    ($($of:ty),*) => {
        $(impl Argument for $of {
            fn add(&self, flag: &str, arguments: &mut Vec<String>) {
                arguments.extend([flag.to_owned(), self.to_string()]);
            }
        })*
    };
}

with_value!(u64, u16, String);

impl Argument for Time {
    fn add(&self, flag: &str, arguments: &mut Vec<String>) {
        self.0.add(flag, arguments);
    }
}

impl Argument for Vec<String> {
    fn add(&self, flag: &str, arguments: &mut Vec<String>) {
        self.iter().for_each(|it| it.add(flag, arguments));
    }
}

impl Argument for BTreeMap<String, u32> {
    fn add(&self, _: &str, arguments: &mut Vec<String>) {
        arguments.extend(self.iter().map(|(sort, size)| format!("{sort}={size}")));
    }
}

/// Lines of a model, which are arguments without an option.
impl Argument for Vec<u32> {
    fn add(&self, _: &str, arguments: &mut Vec<String>) {
        arguments.extend(self.iter().map(u32::to_string));
    }
}

/// Defines the type of checks: each option with the one of the command line, and the commands that have it.
macro_rules! checks {
    ($($(#[$meta:meta])* $field:ident $key:literal: $of:ty => $flag:literal, $commands:expr;)*) => {
        /// Models, and what is checked of them. The options are those of the command.
        #[derive(Deserialize, Debug)]
        #[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct Check {
            /// Files, folders (all models below are meant), and patterns such as `models/**/*.pyv`.
            #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
            pub models: Vec<At<String>>,
            /// Patterns of files that are left out.
            #[serde(default)]
            pub exclude: Vec<At<String>>,
            /// The command. Without it, models are checked for what their comments expect, or else verified.
            pub command: Option<At<CommandName>>,
            /// Expected outcome: `proved`, `fails`, `fails at depth 3`, `unknown`, `error`, `error R006`.
            pub expect: Option<At<String>>,
            $($(#[$meta])* pub $field: Option<At<$of>>,)*
        }

        impl Check {
            /// Returns the options of the command line, without limits.
            fn further(&self, arguments: &mut Vec<String>) {
                $(if let Some(value) = &self.$field {
                    value.get_ref().add($flag, arguments);
                })*
            }

            /// Returns the options that are there, each with its place and the commands that have it.
            fn options(&self, file: FileId) -> Vec<(&'static str, Span, &'static [CommandName])> {
                let mut found: Vec<(&'static str, Span, &'static [CommandName])> = Vec::new();
                $(if let Some(it) = &self.$field {
                    found.push(($key, span(file, it.span()), $commands));
                })*
                found
            }
        }
    };
}

checks! {
    /// Stop a query after this time.
    timeout "timeout": Time => "--timeout", LIMITED;
    /// Stop the check after this time.
    run_timeout "run-timeout": Time => "--run-timeout", LIMITED;
    /// Stop a query after this many steps of search.
    work "work": u64 => "--work", LIMITED;
    /// Stop when the process needs more memory than this, in megabytes.
    memory "memory": u64 => "--memory", LIMITED;
    /// Outside the decidable fragment, let a query go on for ever.
    unlimited "unlimited": bool => "--unlimited", SEARCHES;
    /// Start the search elsewhere.
    seed "seed": u64 => "--seed", LIMITED;
    /// Let programs leave the decidable fragment.
    no_strict "no-strict": bool => "--no-strict", &CommandName::ALL;
    /// Refuse models with obligations outside the decidable fragment, and models that claim nothing.
    strict "strict": bool => "--strict", &[Verify, Theorem, Trace];
    /// Only this isolate of a program.
    isolate "isolate": String => "--isolate", &CommandName::ALL;
    /// Go on after the first failing obligation of a transition.
    all "all": bool => "--all", &[Verify];
    /// Verify a program at once, and not isolate by isolate.
    whole "whole": bool => "--whole", &[Verify];
    /// Show that claims are inductive, however the model wants them to be decided.
    inductive "inductive": bool => "--inductive", &[Verify];
    /// Leave out temporal properties.
    safety_only "safety-only": bool => "--safety-only", &[Verify];
    /// Tell which invariants follow from the others.
    lint "lint": bool => "--lint", &[Verify];
    /// Check these transitions only.
    transitions "transitions": Vec<String> => "--check-transition", &[Verify];
    /// Check these invariants only.
    invariants "invariants": Vec<String> => "--check-invariant", &[Verify];
    /// Steps of the longest executions to look at.
    depth "depth": u16 => "--depth", &[Bmc];
    /// Let elements disappear between states.
    relax "relax": bool => "--relax", &[Bmc];
    /// Look for a state in which no transition can be taken.
    deadlock "deadlock": bool => "--deadlock", &[Bmc];
    /// Check these claims or formulas only.
    properties "properties": Vec<String> => "--property", &[Bmc, Instance, Mc];
    /// Number of elements of each sort.
    sizes "sizes": BTreeMap<String, u32> => "", &[Instance];
    /// Do not make a circuit of more nodes than this.
    max_nodes "max-nodes": u64 => "--max-nodes", &[Instance, Mc];
    /// Instantiate axioms for terms that occur so often.
    generations "generations": u64 => "--generations", &[Mc];
    /// Look for prophecy variables.
    auto_prophecy "auto-prophecy": bool => "--auto-prophecy", &[Mc];
    /// Method of inference.
    method "method": String => "--method", &[Infer];
    /// Let invariants that are no safety properties be candidates.
    use_invariants "use-invariants": bool => "--use-invariants", &[Infer];
    /// What houdini tries.
    template "template": String => "--template", &[Infer];
    /// Prefixes of lemmas with witnesses.
    prefix "prefix": Vec<String> => "--prefix", &[Infer];
    /// Lines of the trace blocks.
    lines "lines": Vec<u32> => "", &[Trace];
}

impl Check {
    /// Returns the command; `verify` if none is named.
    pub fn command(&self) -> CommandName {
        self.command.as_ref().map_or(Verify, |it| *it.get_ref())
    }

    /// Returns the options for the command line, with the limits of the file where the check has none.
    pub fn arguments(&self, limits: &Limits) -> Vec<String> {
        let mut arguments = Vec::new();
        if LIMITED.contains(&self.command()) {
            limits.arguments(self, &mut arguments);
        }
        self.further(&mut arguments);
        arguments
    }

    /// Returns whether an option is set, which is one of the command.
    pub fn has_options(&self, file: FileId) -> bool {
        self.options(file).iter().any(|(.., commands)| *commands != LIMITED)
    }

    /// Returns the command with its options, as a title.
    pub fn title(&self) -> String {
        let mut arguments = Vec::new();
        self.further(&mut arguments);
        let words = std::iter::once(self.command().word()).chain(arguments.iter().map(String::as_str));
        words.collect::<Vec<&str>>().join(" ")
    }

    /// Returns the expected outcome, if one is told. It has been validated.
    pub fn expected(&self) -> Option<Box<Expected>> {
        self.expect.as_ref().and_then(|it| Expected::parse(it.get_ref())).map(Box::new)
    }

    /// Adds an error for each option that the command does not have, and for what is missing.
    pub(super) fn validate(&self, file: FileId, errors: &mut Vec<Diagnostic>) {
        let command = self.command();
        let error = |place: Span, what: String| Diagnostic::error(Code::Configuration, place, what);
        for (key, place, commands) in self.options(file) {
            if !commands.contains(&command) {
                let words: Vec<String> = commands.iter().map(|it| format!("`{}`", it.word())).collect();
                let what = format!("`{key}` is no option of `{}`", command.word());
                errors.push(error(place, what).help(format!("it is one of {}", words.join(", "))));
            }
        }
        if let Some(expect) = &self.expect {
            errors.extend(read(expect.get_ref(), command, span(file, expect.span())).err());
        }
    }

    /// Adds an error, at the header of the check, for what has to be there and is not.
    pub(super) fn validate_whole(&self, place: Span, errors: &mut Vec<Diagnostic>) {
        let error = |what: &str, help: &str| Diagnostic::error(Code::Configuration, place, what).help(help);
        if self.models.is_empty() {
            errors.push(error("no model is named", "write `models = [\"FOLDER\"]`"));
        }
        let sorts = self.sizes.iter().flat_map(|it| it.get_ref().keys());
        for sort in sorts.filter(|sort| !is_sort(sort)) {
            errors.push(error(&format!("`{sort}` is no sort"), "write `sizes = { SORT = 3 }`"));
        }
        if self.command() == Instance && self.sizes.is_none() {
            errors.push(error("no sizes of sorts are told", "write `sizes = { SORT = 3 }`"));
        }
    }
}

impl Limits {
    /// Adds the limits that the check does not have itself.
    fn arguments(&self, check: &Check, arguments: &mut Vec<String>) {
        let missing =
            |is_own: bool, flag: &str, value: Option<&dyn Argument>, arguments: &mut Vec<String>| {
                if let Some(value) = value.filter(|_| !is_own) {
                    value.add(flag, arguments);
                }
            };
        let time = |it: &Option<At<Time>>| it.as_ref().map(|it| it.get_ref().clone());
        let number = |it: &Option<At<u64>>| it.as_ref().map(|it| *it.get_ref());
        for (is_own, flag, value) in [
            (check.timeout.is_some(), "--timeout", time(&self.timeout)),
            (check.run_timeout.is_some(), "--run-timeout", time(&self.run_timeout)),
        ] {
            missing(is_own, flag, value.as_ref().map(|it| it as &dyn Argument), arguments);
        }
        for (is_own, flag, value) in [
            (check.work.is_some(), "--work", number(&self.work)),
            (check.memory.is_some(), "--memory", number(&self.memory)),
        ] {
            missing(is_own, flag, value.as_ref().map(|it| it as &dyn Argument), arguments);
        }
    }
}
