//! The files that are built in.

/// Files that every file can include, by name.
pub(super) const PRELUDE: &[(&str, &str)] = &[
    ("collections", include_str!("prelude/collections.ivy")),
    ("mc_schemata", include_str!("prelude/mc_schemata.ivy")),
    ("order", include_str!("prelude/order.ivy")),
];

/// Returns the path of an included file.
pub(super) fn include_path(name: &str) -> String {
    let is_built_in = PRELUDE.iter().any(|(known, _)| *known == name);
    if is_built_in { name.to_owned() } else { format!("{name}.ivy") }
}
