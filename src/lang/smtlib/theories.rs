//! The functions of the core theory, and names of other theories.

/// A function of the core theory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
}

impl Builtin {
    /// All functions with their names.
    pub(super) const ALL: &[(&str, Builtin)] = &[
        ("true", Builtin::True),
        ("false", Builtin::False),
        ("not", Builtin::Not),
        ("and", Builtin::And),
        ("or", Builtin::Or),
        ("xor", Builtin::Xor),
        ("=>", Builtin::Implies),
        ("=", Builtin::Equal),
        ("distinct", Builtin::Distinct),
        ("ite", Builtin::Ite),
    ];
}

const FUNCTIONS: &[(&str, &[&str])] = &[
    (
        "arithmetic",
        &[
            "+",
            "-",
            "*",
            "/",
            "^",
            "div",
            "mod",
            "rem",
            "abs",
            "<",
            "<=",
            ">",
            ">=",
            "to_real",
            "to_int",
            "is_int",
            "divisible",
        ],
    ),
    ("arrays", &["select", "store"]),
    ("bit vectors", &["concat", "extract", "zero_extend", "sign_extend", "rotate_left", "rotate_right"]),
    ("floating point", &["RNE", "RNA", "RTP", "RTN", "RTZ"]),
];

/// Functions whose names have a common prefix.
const PREFIXES: &[(&str, &[&str])] = &[
    ("bit vectors", &["bv", "ubv_", "sbv_"]),
    ("strings", &["str.", "re."]),
    ("sequences", &["seq."]),
    ("floating point", &["fp."]),
    ("sets", &["set."]),
];

const SORTS: &[(&str, &[&str])] = &[
    ("arithmetic", &["Int", "Real"]),
    ("arrays", &["Array"]),
    ("bit vectors", &["BitVec"]),
    ("strings", &["String", "RegLan"]),
    ("sequences", &["Seq"]),
    ("floating point", &["FloatingPoint", "Float16", "Float32", "Float64", "Float128", "RoundingMode"]),
];

/// Returns the theory with a function of this name.
pub(super) fn theory_of_function(name: &str) -> Option<&'static str> {
    find(FUNCTIONS, |known| known == name).or_else(|| find(PREFIXES, |prefix| name.starts_with(prefix)))
}

/// Returns the theory with a sort of this name.
pub(super) fn theory_of_sort(name: &str) -> Option<&'static str> {
    find(SORTS, |known| known == name)
}

fn find(table: &[(&'static str, &[&str])], fits: impl Fn(&str) -> bool) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.iter().any(|name| fits(name))).map(|&(theory, _)| theory)
}

/// Returns whether `logic` has uninterpreted functions or enumerations. Clients set such logics even if they use none
/// of their theories; uses of a theory are reported separately.
pub(super) fn is_supported(logic: &str) -> bool {
    let base = logic.strip_prefix("QF_").unwrap_or(logic);
    base.contains("UF") || matches!(base, "DT" | "ALL" | "ALL_SUPPORTED" | "EPR")
}
