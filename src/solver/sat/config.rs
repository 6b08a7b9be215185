//! Parameters and statistics of the solver, each defined by one table.

use std::fmt;

use crate::telemetry::counters;

/// Value of an option.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub enum OptionValue {
    /// A natural number.
    Natural(u64),
    /// A real number.
    Real(f64),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Natural(value) => write!(f, "{value}"),
            OptionValue::Real(value) => write!(f, "{value}"),
        }
    }
}

/// Row of the table of options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ConfigOption {
    /// The name of the field.
    pub name: &'static str,
    /// What it means.
    pub description: &'static str,
    /// The value in [`Config::default`].
    pub default: OptionValue,
    /// The least value that [`Config::set`] accepts.
    pub min: OptionValue,
    /// The greatest value that [`Config::set`] accepts.
    pub max: OptionValue,
}

impl fmt::Display for ConfigOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConfigOption { name, description, default, min, max } = self;
        write!(f, "{name} ({min} to {max}, default {default}): {description}")
    }
}

/// Error of [`Config::set`].
#[derive(Clone, PartialEq, Debug)]
pub enum ConfigError {
    /// There is no option of this name.
    UnknownOption(String),
    /// The text is no value of this option, or out of range.
    BadValue(ConfigOption, String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::UnknownOption(name) => {
                write!(f, "there is no option `{name}`; there are:")?;
                Config::options().iter().try_for_each(|option| write!(f, "\n  {option}"))
            }
            ConfigError::BadValue(ConfigOption { name, min, max, .. }, text) => {
                write!(f, "`{text}` is no value of `{name}`, which is from {min} to {max}")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

/// Type of an option.
trait OptionType: Copy + PartialOrd + std::str::FromStr {
    fn value(self) -> OptionValue;
}

impl OptionType for u64 {
    fn value(self) -> OptionValue {
        OptionValue::Natural(self)
    }
}

impl OptionType for u32 {
    fn value(self) -> OptionValue {
        OptionValue::Natural(self.into())
    }
}

impl OptionType for usize {
    fn value(self) -> OptionValue {
        OptionValue::Natural(self as u64)
    }
}

impl OptionType for f64 {
    fn value(self) -> OptionValue {
        OptionValue::Real(self)
    }
}

/// Reads a value in a range.
fn read<T: OptionType>(text: &str, min: T, max: T) -> Option<T> {
    text.parse().ok().filter(|value| min <= *value && *value <= max)
}

/// Defines the options. The doc comment of an option is its description; a type, a default value and a range follow.
macro_rules! options {
    (
        $(#[$meta:meta])*
        pub struct $Config:ident {
            $($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr, in $min:expr, $max:expr;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Config {
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        impl Default for $Config {
            fn default() -> Self {
                $Config { $($name: $default,)+ }
            }
        }

        impl $Config {
            /// Returns the table of all options.
            pub fn options() -> Vec<ConfigOption> {
                vec![$(ConfigOption {
                    name: stringify!($name),
                    description: concat!($($doc),+).trim_ascii(),
                    default: <$type as OptionType>::value($default),
                    min: <$type as OptionType>::value($min),
                    max: <$type as OptionType>::value($max),
                },)+]
            }

            /// Returns the value of an option; `None` if there is no option of this name.
            pub fn get(&self, name: &str) -> Option<OptionValue> {
                match name {
                    $(stringify!($name) => Some(self.$name.value()),)+
                    _ => None,
                }
            }

            /// Sets an option to the value that `text` denotes.
            ///
            /// # Errors
            /// Returns an error if there is no option of this name, or if `text` is no value of it or out of range. Then
            /// nothing is changed.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), ConfigError> {
                let done = match name {
                    $(stringify!($name) => read(text, $min, $max).map(|value| self.$name = value),)+
                    _ => return Err(ConfigError::UnknownOption(name.to_owned())),
                };
                let option = Config::options().into_iter().find(|option| option.name == name);
                match (done, option) {
                    (None, Some(option)) => Err(ConfigError::BadValue(option, text.to_owned())),
                    _ => Ok(()),
                }
            }
        }
    };
}

/// Greatest interval: in practice never. Products with the number of rounds do not overflow.
const NEVER: u64 = 1 << 40;
/// Greatest percentage of work.
const MAX_PERCENT: u64 = 100_000;

options! {
    /// Intervals and thresholds of the search. Only tests and experiments change them.
    ///
    /// ```
    /// let mut config = ramsey_solver::sat::Config::default();
    /// config.set("restart_interval", "10")?;
    /// assert_eq!(config.restart_interval, 10);
    /// assert!(config.set("reduce_percent", "101").is_err());
    /// # Ok::<(), ramsey_solver::sat::ConfigError>(())
    /// ```
    pub struct Config {
        /// Seed of the random phases.
        seed: u64 = 0, in 0, u64::MAX;
        /// Minimum number of conflicts between two restarts in focused mode.
        restart_interval: u64 = 2, in 0, NEVER;
        /// Restart in focused mode when the recent glue exceeds the average by this factor.
        restart_margin: f64 = 1.10, in 0.0, 1e6;
        /// Conflicts per unit of the Luby sequence in stable mode.
        reluctant_period: u64 = 1024, in 1, NEVER;
        /// Conflicts of the first focused phase. Later phases are limited by ticks.
        mode_interval: u64 = 1000, in 0, NEVER;
        /// Conflicts before the first change of phases; later intervals grow linearly.
        rephase_interval: u64 = 1000, in 1, NEVER;
        /// Conflicts before the first reduction; later intervals grow linearly.
        reduce_interval: u64 = 300, in 1, NEVER;
        /// Percentage of the candidates that a reduction removes.
        reduce_percent: usize = 85, in 0, 100;
        /// Learned clauses of at most this glue are kept forever.
        core_glue: u32 = 2, in 0, u32::MAX;
        /// Learned clauses of at most this glue are kept for two reductions after each use.
        tier2_glue: u32 = 6, in 0, u32::MAX;
        /// Conflicts between two vivifications; intervals grow linearly.
        vivify_interval: u64 = 2000, in 1, NEVER;
        /// Work of vivification in percent of the work of search.
        vivify_percent: u64 = 15, in 0, MAX_PERCENT;
        /// Conflicts between two subsumptions; intervals grow linearly.
        subsume_interval: u64 = 4000, in 1, NEVER;
        /// Work of subsumption in percent of the work of search.
        subsume_percent: u64 = 10, in 0, MAX_PERCENT;
    }
}

counters! {
    /// Statistics of a solver since its creation.
    pub struct Stats {
        /// Calls of `solve`.
        solves,
        /// Conflicts during search.
        conflicts => "conflicts",
        /// Decisions during search, assumptions included.
        decisions => "decisions",
        /// Literals propagated, in search and in inprocessing.
        propagations => "propagations",
        /// Work of propagation and inprocessing, about one unit per cache line touched.
        ticks,
        /// Restarts.
        restarts => "restarts",
        /// Clauses learned from conflicts, units included.
        learned,
        /// Literals in learned clauses, after minimization.
        learned_literals,
        /// Literals that minimization removed.
        minimized_literals,
        /// Changes between focused and stable mode.
        mode_switches,
        /// Changes of the saved phases.
        rephases,
        /// Reductions of the learned clauses.
        reductions,
        /// Learned clauses removed by reductions.
        reduced,
        /// Compactions of the clause arena.
        collections,
        /// Rounds of vivification.
        vivifications,
        /// Clauses that vivification tried.
        vivify_tried,
        /// Clauses that vivification shortened or removed.
        vivified,
        /// Rounds of subsumption.
        subsumptions,
        /// Clauses removed because another clause subsumes them.
        subsumed,
        /// Clauses from which another clause removed a literal.
        strengthened,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_table_and_in_range() {
        let config = Config::default();
        for option in Config::options() {
            let ConfigOption { name, description, default, min, max } = option;
            assert_eq!(config.get(name), Some(default), "{name}");
            assert!(min <= default && default <= max, "{name}");
            assert!(description.ends_with('.') && !description.starts_with(' '), "{name}");
        }
        assert_eq!(config.get("glue"), None);
    }

    #[test]
    fn every_option_can_be_set_to_the_ends_of_its_range() {
        for option in Config::options() {
            for value in [option.min, option.max, option.default] {
                let mut config = Config::default();
                assert_eq!(config.set(option.name, &value.to_string()), Ok(()), "{}", option.name);
                assert_eq!(config.get(option.name), Some(value));
            }
        }
    }

    #[test]
    fn unknown_options_and_values_out_of_range_are_refused() {
        let mut config = Config::default();
        let error = config.set("restarts", "1").map_err(|error| error.to_string());
        let error = error.expect_err("there is no such option");
        for option in Config::options() {
            assert!(error.contains(&format!("\n  {} (", option.name)), "{error}");
        }
        let bad = [("reduce_percent", "101"), ("core_glue", "-1"), ("restart_margin", "NaN"), ("seed", "")];
        for (name, text) in bad {
            let error = config.set(name, text).map_err(|error| error.to_string());
            let expected = format!("`{text}` is no value of `{name}`, which is from ");
            assert!(error.as_ref().is_err_and(|error| error.starts_with(&expected)), "{name}: {error:?}");
        }
        assert_eq!(config, Config::default());
    }

    #[test]
    fn the_table_of_statistics_says_what_is_printed() {
        let stats = Stats { conflicts: 1, decisions: 2, propagations: 3, restarts: 4, ..Stats::default() };
        let printed: Vec<_> = stats.printed().collect();
        assert_eq!(printed, [("conflicts", 1), ("decisions", 2), ("propagations", 3), ("restarts", 4)]);
        assert_eq!(stats.values().count(), Stats::TABLE.len());
        assert!(Stats::TABLE.iter().all(|counter| counter.description.ends_with('.')));
    }
}
