//! Answers of a session, as data.

/// The answer to one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// No output.
    Silent,
    /// The command was executed, and this is to be reported (`:print-success`).
    Success,
    /// The command, or an argument of it, is not supported; the text names it.
    Unsupported(String),
    /// The command was not executed; the text gives the position and the reason.
    Error(String),
    /// The assertions have a model.
    Sat,
    /// The assertions have no model.
    Unsat,
    /// A budget was exhausted.
    Unknown,
    /// The text of `echo`.
    Echo(String),
    /// A model.
    Model(Model),
    /// The value of one term.
    Value(String),
    /// Terms as entered, with their values.
    Values(Vec<(String, String)>),
    /// Names of formulas, quoted if necessary.
    Names(Vec<String>),
    /// Formulas as entered.
    Formulas(Vec<String>),
    /// Names of formulas, quoted if necessary, with their values.
    Assignment(Vec<(String, bool)>),
    /// Attributes with their values, both in SMT-LIB syntax.
    Info(Vec<(String, String)>),
    /// The value of an option, in SMT-LIB syntax.
    Setting(String),
    /// The session has ended.
    Exit,
}

/// A model: universes, and definitions of all declared symbols. Texts are in SMT-LIB syntax.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// In declaration order, without enumerations, whose elements are known.
    pub universes: Vec<Universe>,
    /// In declaration order.
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
    /// The value at all arguments not listed in `cases`.
    pub default: String,
    /// Values at arguments where they differ from the default.
    pub cases: Vec<(Vec<String>, String)>,
}
