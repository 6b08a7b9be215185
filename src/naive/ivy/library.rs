//! What every program can include. The texts are those of `spec/ivy-library.md`.

macro_rules! texts {
    ($($name:literal),+) => { concat!($(include_str!(concat!("library/", $name, ".ivy"))),+) };
}

/// Returns the file of the library that a program of this version includes by this name.
pub(super) fn library(name: &str, version: u32) -> Option<&'static str> {
    let text = match (name, version) {
        ("collections", ..=7) => texts!("collections", "collections_17"),
        ("collections", _) => texts!("collections", "collections_18"),
        ("deduction", _) => texts!("deduction"),
        ("deserializer", _) => texts!("deserializer"),
        ("ip", _) => texts!("ip"),
        ("mc_schemata", _) => texts!("mc_schemata"),
        ("network", 8..) => texts!("network"),
        ("numbers", 8..) => texts!("numbers"),
        ("order", ..=6) => concat!("#lang ivy1.7\n", texts!("order", "order_16", "order_queue")),
        ("order", 7) => concat!("#lang ivy1.7\n", texts!("order", "order_17", "order_queue")),
        ("order", _) => concat!("#lang ivy1.8\n", texts!("order", "order_17", "order_18")),
        ("tcp", ..=6) => texts!("tcp"),
        ("tcp", _) => texts!("tcp", "tcp_17"),
        ("timeout", _) => texts!("timeout"),
        ("udp", _) => texts!("udp"),
        _ => return None,
    };
    Some(text)
}
