//! The files that are built in.

use super::ast::Version;
use crate::shared::BuiltIn;

/// A file that every program of some versions can include.
struct Entry {
    /// Its name without extension.
    name: &'static str,
    /// The first version that has it, and the last one.
    versions: (u32, u32),
    /// The name by which it is known, and its text.
    file: BuiltIn,
}

/// All versions: the first and the last one.
const ALL: (u32, u32) = (0, u32::MAX);

/// The files by name. No version has two of one name. Where versions differ, a text has parts that they have in common, below
/// the version that it is written in.
const LIBRARY: &[Entry] = &[
    Entry {
        name: "collections",
        versions: (0, 7),
        file: (
            "<collections.ivy>",
            concat!(include_str!("prelude/collections.ivy"), include_str!("prelude/collections_17.ivy")),
        ),
    },
    Entry {
        name: "collections",
        versions: (8, u32::MAX),
        file: (
            "<1.8/collections.ivy>",
            concat!(include_str!("prelude/collections.ivy"), include_str!("prelude/collections_18.ivy")),
        ),
    },
    Entry {
        name: "deduction",
        versions: ALL,
        file: ("<deduction.ivy>", include_str!("prelude/deduction.ivy")),
    },
    Entry {
        name: "deserializer",
        versions: ALL,
        file: ("<deserializer.ivy>", include_str!("prelude/deserializer.ivy")),
    },
    Entry { name: "ip", versions: ALL, file: ("<ip.ivy>", include_str!("prelude/ip.ivy")) },
    Entry {
        name: "mc_schemata",
        versions: ALL,
        file: ("<mc_schemata.ivy>", include_str!("prelude/mc_schemata.ivy")),
    },
    Entry {
        name: "network",
        versions: (8, u32::MAX),
        file: ("<network.ivy>", include_str!("prelude/network.ivy")),
    },
    Entry {
        name: "numbers",
        versions: (8, u32::MAX),
        file: ("<numbers.ivy>", include_str!("prelude/numbers.ivy")),
    },
    Entry {
        name: "order",
        versions: (0, 6),
        file: (
            "<1.6/order.ivy>",
            concat!(
                "#lang ivy1.7\n",
                include_str!("prelude/order.ivy"),
                include_str!("prelude/order_16.ivy"),
                include_str!("prelude/order_queue.ivy")
            ),
        ),
    },
    Entry {
        name: "order",
        versions: (7, 7),
        file: (
            "<order.ivy>",
            concat!(
                "#lang ivy1.7\n",
                include_str!("prelude/order.ivy"),
                include_str!("prelude/order_17.ivy"),
                include_str!("prelude/order_queue.ivy")
            ),
        ),
    },
    Entry {
        name: "order",
        versions: (8, u32::MAX),
        file: (
            "<1.8/order.ivy>",
            concat!(
                "#lang ivy1.8\n",
                include_str!("prelude/order.ivy"),
                include_str!("prelude/order_17.ivy"),
                include_str!("prelude/order_18.ivy")
            ),
        ),
    },
    Entry { name: "tcp", versions: (0, 6), file: ("<1.6/tcp.ivy>", include_str!("prelude/tcp.ivy")) },
    Entry {
        name: "tcp",
        versions: (7, u32::MAX),
        file: ("<tcp.ivy>", concat!(include_str!("prelude/tcp.ivy"), include_str!("prelude/tcp_17.ivy"))),
    },
    Entry { name: "timeout", versions: ALL, file: ("<timeout.ivy>", include_str!("prelude/timeout.ivy")) },
    Entry { name: "udp", versions: ALL, file: ("<udp.ivy>", include_str!("prelude/udp.ivy")) },
];

/// Returns the built-in file for the path of an included file in a program with this text.
pub(super) fn built_in(path: &str, program: &str) -> Option<BuiltIn> {
    let name = path.strip_suffix(".ivy")?;
    of_version(Version::of_text(program)).find(|it| it.name == name).map(|it| it.file)
}

/// Returns whether a file of this name is one of the library.
pub(super) fn is_built_in(name: &str) -> bool {
    LIBRARY.iter().any(|it| it.file.0 == name)
}

/// Returns the files that programs of a version can include.
fn of_version(version: Version) -> impl Iterator<Item = &'static Entry> {
    let has = move |(first, last): (u32, u32)| (first..=last).contains(&version.minor);
    LIBRARY.iter().filter(move |it| has(it.versions))
}

/// Returns the names that programs of a version can include.
pub(super) fn names(version: Version) -> impl Iterator<Item = &'static str> {
    of_version(version).map(|it| it.name)
}

/// Returns the path of an included file.
pub(super) fn include_path(name: &str) -> String {
    format!("{name}.ivy")
}
