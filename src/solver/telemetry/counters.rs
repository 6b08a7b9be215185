//! Structs of counters.

/// Row of a table of counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    /// The name of the field.
    pub name: &'static str,
    /// What is counted.
    pub description: &'static str,
    /// The name under which `--stats` prints it; `None` if it is not printed.
    pub label: Option<&'static str>,
}

impl Counter {
    /// Checks whether this is a time in nanoseconds.
    pub fn is_time(&self) -> bool {
        self.name.ends_with("_ns")
    }
}

/// Defines a struct of counters. The doc comment of a counter is its description. A counter with a label after `=>` is printed
/// by `--stats`, in the order of the table. The name of a time in nanoseconds ends in `_ns`.
#[macro_export]
macro_rules! counters {
    (@label) => { None };
    (@label $label:literal) => { Some($label) };
    (
        $(#[$meta:meta])*
        $vis:vis struct $Stats:ident {
            $($(#[doc = $doc:literal])+ $name:ident $(=> $label:literal)?,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
        $vis struct $Stats {
            $($(#[doc = $doc])+ $vis $name: u64,)+
        }

        impl $Stats {
            /// The counters, in the order of [`Self::values`].
            $vis const TABLE: &'static [$crate::telemetry::Counter] = &[
                $($crate::telemetry::Counter {
                    name: stringify!($name),
                    description: concat!($($doc),+).trim_ascii(),
                    label: $crate::counters!(@label $($label)?),
                },)+
            ];

            /// Iterates over the counters with their values.
            $vis fn values(&self) -> impl Iterator<Item = (&'static $crate::telemetry::Counter, u64)> + use<> {
                Self::TABLE.iter().zip([$(self.$name),+])
            }

            /// Iterates over the counters that `--stats` prints, each with its label and value.
            $vis fn printed(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
                self.values().filter_map(|(counter, value)| Some((counter.label?, value)))
            }

            /// Adds the counts of another one.
            $vis fn add(&mut self, other: &$Stats) {
                $(self.$name += other.$name;)+
            }

            /// Returns what has been counted since `earlier`.
            $vis fn since(&self, earlier: &$Stats) -> $Stats {
                $Stats { $($name: self.$name - earlier.$name,)+ }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    counters! {
        /// Counters of a test.
        struct Stats {
            /// Things.
            things => "things",
            /// Steps of a description
            /// on two lines.
            steps,
            /// Nanoseconds.
            total_ns => "total",
        }
    }

    #[test]
    fn tables_have_names_descriptions_and_labels() {
        let names: Vec<&str> = Stats::TABLE.iter().map(|counter| counter.name).collect();
        assert_eq!(names, ["things", "steps", "total_ns"]);
        assert_eq!(Stats::TABLE[1].description, "Steps of a description on two lines.");
        assert_eq!(Stats::TABLE[2].label, Some("total"));
        assert!(Stats::TABLE[2].is_time() && !Stats::TABLE[0].is_time());
    }

    #[test]
    fn counters_are_added_and_subtracted_one_by_one() {
        let first = Stats { things: 1, steps: 20, total_ns: 300 };
        let mut sum = first;
        sum.add(&Stats { things: 4, steps: 50, total_ns: 600 });
        assert_eq!(sum, Stats { things: 5, steps: 70, total_ns: 900 });
        assert_eq!(sum.since(&first), Stats { things: 4, steps: 50, total_ns: 600 });
        assert_eq!(sum.printed().collect::<Vec<_>>(), [("things", 5), ("total", 900)]);
    }
}
