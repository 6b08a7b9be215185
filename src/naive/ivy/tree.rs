//! The syntax tree of a file. Names are as they are written; parts of a name are joined by dots.

use std::rc::Rc;

pub(super) use crate::program::tree::Name;

/// A variable with its type, if that is told.
#[derive(Clone)]
pub(super) struct Binder {
    pub(super) name: Name,
    pub(super) sort: Option<Rc<str>>,
}

/// A term or formula that begins at a place.
#[derive(Clone)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) parts: Vec<Expr>,
    pub(super) at: usize,
}

/// What an expression is. The parts of a name are its arguments.
#[derive(Clone)]
pub(super) enum Kind {
    /// A name, variable or numeral, with the type that is written behind it, and whether `old` stands before it.
    Name { text: Rc<str>, sort: Option<Rc<str>>, is_old: bool },
    /// An operator by its sign; `if` has the condition first, and `true` and `false` are `&` and `|` of nothing.
    Operator(&'static str),
    /// `!` or `?` over variables.
    Block(&'static str, Vec<Binder>),
}

/// A declaration that begins at a place.
pub(super) struct Decl {
    pub(super) at: usize,
    pub(super) kind: DeclKind,
}

/// The kinds of declarations.
pub(super) enum DeclKind {
    /// An included file by its number.
    Include(usize),
    Type(Name, TypeBody),
    /// Symbols, and whether they are fields of a type.
    Symbols(Vec<Symbol>, bool),
    /// `definition`, which is of something declared elsewhere, or `derived` and `macro`, which declare it.
    Definition {
        is_of_declared: bool,
        symbol: Symbol,
    },
    /// An axiom, claim or initial condition, with its keyword and its name.
    Formula(Name, Option<Name>, Expr),
    /// The name of a theorem, what it declares, and what it claims.
    Theorem(Name, Vec<Decl>, Expr),
    Object(Object),
    Section(Vec<Decl>),
    Module(Module),
    /// The name and parameters of an instance, if it has a name, its module, and arguments.
    Instance {
        name: Option<Name>,
        params: Vec<Binder>,
        module: Name,
        args: Vec<Name>,
    },
    /// A macro of statements.
    Macro(Macro),
    Action(Action),
    Monitor(When, Action),
    Init(Vec<Stmt>),
    Export(Name),
    Import(Name),
    Alias(Name, Rc<str>),
    Interpret(Name, Meaning),
    /// `isolate` without a block, with the names in it.
    Isolate(Vec<Name>),
    /// What means nothing.
    Ignored,
}

/// What is known of the elements of a type.
pub(super) enum TypeBody {
    Nothing,
    Enumeration(Vec<Name>),
    Range([Name; 2]),
    Structure(Vec<Symbol>),
}

/// What the elements of an interpreted type are: numbers from one to another, as far as there are ends, names, or anything.
pub(super) enum Meaning {
    Numbers([Option<Name>; 2]),
    Enumeration(Vec<Name>),
    /// Numbers of so many bits, which a parameter of a module tells.
    Sized(Name),
    Anything,
}

impl Meaning {
    /// Returns the names and numbers in it, by which two of the same are known.
    pub(super) fn texts(&self) -> (u8, Vec<Option<&str>>) {
        fn text(name: &Name) -> Option<&str> {
            Some(&name.text)
        }
        match self {
            Meaning::Numbers(ends) => (0, ends.iter().map(|end| end.as_ref().and_then(text)).collect()),
            Meaning::Enumeration(values) => (1, values.iter().map(text).collect()),
            Meaning::Sized(_) | Meaning::Anything => (2, Vec::new()),
        }
    }
}

/// A declared or defined symbol. Relations have no type of values.
pub(super) struct Symbol {
    pub(super) name: Name,
    pub(super) params: Vec<Binder>,
    pub(super) result: Option<Rc<str>>,
    pub(super) value: Option<Expr>,
}

/// An object or isolate with a block, which may continue an object.
pub(super) struct Object {
    pub(super) is_isolate: bool,
    pub(super) is_trusted: bool,
    pub(super) name: Name,
    pub(super) params: Vec<Binder>,
    pub(super) is_continued: bool,
    pub(super) decls: Vec<Decl>,
    /// The names after `with`.
    pub(super) with: Vec<Name>,
}

pub(super) struct Module {
    pub(super) is_isolate: bool,
    pub(super) name: Name,
    pub(super) params: Vec<Name>,
    pub(super) decls: Vec<Decl>,
    /// The names after `with`.
    pub(super) with: Vec<Name>,
}

pub(super) struct Macro {
    pub(super) name: Name,
    pub(super) params: Vec<Name>,
    pub(super) body: Vec<Stmt>,
}

/// An action or a part of one. A monitor may have no parameters of its own, and a declaration no statements.
pub(super) struct Action {
    pub(super) name: Name,
    pub(super) params: Option<Vec<Binder>>,
    pub(super) results: Vec<Binder>,
    pub(super) body: Option<Vec<Stmt>>,
}

/// The part of an action that a monitor is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Implement,
    Before,
    After,
    Around,
}

/// A statement that begins at a place.
pub(super) struct Stmt {
    pub(super) at: usize,
    pub(super) kind: StmtKind,
}

/// The kinds of statements.
pub(super) enum StmtKind {
    /// `assume`, `assert`, `require` or `ensure`.
    Check(&'static str, Expr),
    /// What changes, and the value, or `*`.
    Assign(Vec<Expr>, Option<Expr>),
    Call(Expr),
    /// A variable, or with parameters a relation or function; and its value.
    Var(Binder, Vec<Binder>, Option<Expr>),
    Local(Vec<Binder>, Vec<Stmt>),
    If(Condition, Vec<Stmt>, Vec<Stmt>),
    /// The statements of a macro.
    Instantiate(Name, Vec<Expr>),
    Block(Vec<Stmt>),
    /// `...` in `around`.
    Rest,
}

/// The condition of a statement.
pub(super) enum Condition {
    Any,
    Formula(Expr),
    /// `some x:t. φ`
    Some(Vec<Binder>, Expr),
}
