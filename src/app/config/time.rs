//! Times, as options and configurations write them.

#[cfg(feature = "schemas")]
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

#[cfg(feature = "schemas")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// Reads a positive time: a number with a unit, or of seconds without one.
///
/// # Errors
/// Returns what is wrong with the text.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let units: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with_unit = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let (number, unit) = with_unit.unwrap_or((text, 1.0));
    // Words like `inf` are no numbers here.
    let number: Option<f64> =
        match number.trim_end().ends_with(|end: char| end.is_ascii_digit() || end == '.') {
            true => number.trim_end().parse().ok(),
            false => None,
        };
    let Some(number) = number else {
        return Err("not a number of seconds, or a time like 500ms, 30s, 2m or 1h".to_owned());
    };
    if number <= 0.0 {
        return Err("must be more than 0".to_owned());
    }
    Duration::try_from_secs_f64(number * unit).map_err(|_| "too long".to_owned())
}

/// A time in a configuration: a number of seconds, or a text like `30s`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Time(pub(super) String);

#[cfg(feature = "schemas")]
impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of seconds, or a time such as 500ms, 30s, 2m or 1h.",
            "anyOf": [{ "type": "number", "exclusiveMinimum": 0 }, { "type": "string" }],
        })
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfTime;
        impl Visitor<'_> for OfTime {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seconds, or a time such as \"30s\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Time, E> {
                seconds(text).map_err(E::custom)?;
                Ok(Time(text.to_owned()))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Time, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Time, E> {
                self.visit_str(&number.to_string())
            }
        }
        deserializer.deserialize_any(OfTime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive_and_finite() {
        let times = [("0.25", 250), ("500ms", 500), ("120s", 120_000), ("2m", 120_000), ("1.5h", 5_400_000)];
        for (text, milliseconds) in times {
            assert_eq!(seconds(text).map(|time| time.as_millis()), Ok(milliseconds), "{text}");
        }
        for bad in
            ["0", "-1", "NaN", "inf", "ten", "", "0s", "-2m", "infm", "s", "1 d", "2sm", "1m30s", "1e300h"]
        {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
