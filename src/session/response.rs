//! What a session answers, as data.

/// The answer to one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// Nothing is said.
    Silent,
    /// The command was carried out, and that is to be said (`:print-success`).
    Success,
    /// The command, or an argument of it, is none that is supported; the text says which.
    Unsupported(String),
    /// The command was not carried out; the text says where and why.
    Error(String),
    /// The assertions have a model.
    Sat,
    /// The assertions have no model.
    Unsat,
    /// A budget ran out.
    Unknown,
    /// The text of `echo`.
    Echo(String),
    /// A model.
    Model(Model),
    /// The value of one term.
    Value(String),
    /// Terms as they were entered, with their values.
    Values(Vec<(String, String)>),
    /// Names of formulas, quoted where necessary.
    Names(Vec<String>),
    /// Formulas as they were entered.
    Formulas(Vec<String>),
    /// Names of formulas, quoted where necessary, with their values.
    Assignment(Vec<(String, bool)>),
    /// Attributes with their values, both as SMT-LIB writes them.
    Info(Vec<(String, String)>),
    /// The value of an option, as SMT-LIB writes it.
    Setting(String),
    /// The session is over.
    Exit,
}

/// A model: universes, and definitions of all symbols that are declared. Texts are as SMT-LIB writes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// In the order of declaration; enumerations are left out, since their elements are known.
    pub universes: Vec<Universe>,
    /// In the order of declaration.
    pub definitions: Vec<Definition>,
}

/// The elements of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Universe {
    /// The sort.
    pub sort: String,
    /// Its elements, at least one.
    pub elements: Vec<String>,
}

/// The meaning of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The symbol.
    pub name: String,
    /// Its argument sorts.
    pub args: Vec<String>,
    /// Its result sort.
    pub result: String,
    /// The value at all arguments that `cases` does not list.
    pub default: String,
    /// Values at arguments, where they are not the default.
    pub cases: Vec<(Vec<String>, String)>,
}
