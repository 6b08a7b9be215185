//! The files that are built in.

use crate::shared::BuiltIn;

/// Files that every program can include, by their paths there.
const LIBRARY: &[(&str, BuiltIn)] = &[
    ("collections", ("<collections.ivy>", include_str!("prelude/collections.ivy"))),
    ("mc_schemata", ("<mc_schemata.ivy>", include_str!("prelude/mc_schemata.ivy"))),
    ("order", ("<order.ivy>", include_str!("prelude/order.ivy"))),
];

/// Returns the built-in file for the path of an included file.
pub(super) fn built_in(path: &str, _: &str) -> Option<BuiltIn> {
    let name = path.strip_suffix(".ivy")?;
    LIBRARY.iter().find(|(known, _)| *known == name).map(|(_, file)| *file)
}

/// Returns the names that programs can include.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|(name, _)| *name)
}

/// Returns the path of an included file.
pub(super) fn include_path(name: &str) -> String {
    format!("{name}.ivy")
}
