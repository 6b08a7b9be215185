//! Events of a search.

/// Reports an event with a level of the crate `log`, a target and the arguments of `format!`.
///
/// The arguments are evaluated only if a logger wants the event. `Info` is for questions and answers, `Debug` for rounds and
/// for what happens less often than conflicts, `Trace` for conflicts and instances. Without the feature `log` there is no
/// code.
#[cfg(feature = "log")]
#[macro_export]
macro_rules! event {
    ($level:ident, $target:expr, $($text:tt)+) => {
        $crate::telemetry::log::log!(target: $target, $crate::telemetry::log::Level::$level, $($text)+)
    };
}

/// Reports nothing, since the feature `log` is off.
#[cfg(not(feature = "log"))]
#[macro_export]
macro_rules! event {
    ($level:ident, $target:expr, $($text:tt)+) => {
        if false {
            let _ = ($target, format_args!($($text)+));
        }
    };
}
