//! The syntax tree of a file, before objects and modules are expanded. Formulas, names and sorts are those of
//! [`crate::fol::ast`]; in formulas, a dotted name is one name, `old r` is the name of what `r` was before, and
//! `X:s` and `0:s` are names with a sort.

use std::sync::Arc;

pub use super::proof::Proof;
pub use super::stmt::{
    Check, Condition, END_OF_LOOP, Extremum, FieldValue, Loop, LoopInvariant, Stmt, StmtKind,
};
pub use crate::fol::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::Unchecked;
use ramsey_core::system::Method;

/// The version of the language, `1.minor`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// The number after `1.`.
    pub minor: u32,
}

impl Version {
    /// The oldest version that is read.
    pub const OLDEST: Version = Version { minor: 1 };

    /// The newest version, which `#lang ivy` means.
    pub const NEWEST: Version = Version { minor: 8 };

    /// The version of texts without a line that gives one.
    pub const DEFAULT: Version = Version { minor: 7 };

    /// Returns the version that the first line of a text gives, or the default one.
    ///
    /// # Errors
    /// Returns what follows `#lang` in the first line, if it is no version that is read.
    pub fn given(text: &str) -> Result<Version, &str> {
        let text = text.trim_start_matches('\u{feff}');
        let line = text.lines().next().unwrap_or_default();
        let Some(given) =
            line.strip_prefix("#lang").filter(|it| !it.starts_with(|c: char| c.is_alphanumeric()))
        else {
            return Ok(Version::DEFAULT);
        };
        let given = given.trim();
        let number = given.strip_prefix("ivy").ok_or(given)?.trim_start();
        if number.is_empty() {
            return Ok(Version::NEWEST);
        }
        let minor = number.strip_prefix("1.").filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
        let version = Version { minor: minor.and_then(|it| it.parse().ok()).ok_or(given)? };
        if (Version::OLDEST..=Version::NEWEST).contains(&version) { Ok(version) } else { Err(given) }
    }

    /// Returns whether names have subscripts, types need not be given, `x.f := y` changes a relation, and `update` says how
    /// one symbol follows another.
    pub fn has_subscripts(self) -> bool {
        self.minor <= 2
    }

    /// Returns the version that a text is read in.
    pub fn of_text(text: &str) -> Version {
        Version::given(text).unwrap_or(Version::DEFAULT)
    }
}

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The version of the language.
    pub version: Version,
    /// Declarations in source order.
    pub decls: Vec<Decl>,
    /// The types with brackets that occur in it, in source order. There are none in versions in which brackets are subscripts.
    pub bracketed: Vec<Ident>,
    /// The file.
    pub file: FileId,
    /// Whether it is one of the library.
    pub is_built_in: bool,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decl {
    /// The kind of declaration, with its parts.
    pub kind: DeclKind,
    /// The position, from the first token to the last.
    pub place: Place,
}

/// The kinds of declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeclKind {
    /// `include name`.
    Include(Ident),
    /// `type name`, `type this`, or `variant name of type`.
    Type {
        /// The name; `this` for the type of the object around the declaration.
        name: Ident,
        /// The type of which it is a variant.
        of: Option<Ident>,
        /// What is known of its elements.
        body: TypeBody,
    },
    /// `relation`, `function`, `individual`, `constant`, `var`, `parameter` or `destructor`.
    Symbols {
        /// The keyword as written.
        keyword: Arc<str>,
        /// The declared symbols.
        symbols: Vec<SymbolDecl>,
    },
    /// `definition f(X) = ..`, `derived r(X) = ..`, or `macro r(X) = ..`.
    Definition {
        /// The keyword as written.
        keyword: Arc<str>,
        /// The name in brackets.
        label: Option<Ident>,
        /// The name of the symbol.
        name: Ident,
        /// The parameters.
        params: Vec<SortedVar>,
        /// The value.
        body: Expr,
        /// That it is by recursion, if it is.
        recursion: Option<Box<Recursion>>,
        /// Whether proofs that name it know it alone, and isolates that name it after `with`: `explicit definition`, or braces around it.
        is_explicit: bool,
    },
    /// `definition f(X) = some Y. formula in value else other`: the value for some `Y`, if there is one.
    Choice(Box<ChoiceDecl>),
    /// An assumption or a claim.
    Formula {
        /// The kind of formula.
        role: Role,
        /// The keyword as written.
        keyword: Arc<str>,
        /// The name in brackets.
        label: Option<Ident>,
        /// The formula.
        formula: Expr,
        /// The claims that help to show an invariant, after `with`.
        with: Option<Listed>,
        /// `named f(X)` after it: the function whose values are those that exist.
        named: Option<(Ident, Vec<SortedVar>)>,
        /// Its proof.
        proof: Option<Box<Proof>>,
    },
    /// `theorem name = { .. }`, or `theorem [name] ..`.
    Theorem(Box<Theorem>),
    /// `schema name = { .. }` or `axiom [name] { .. }` with premises: a rule that proofs use by its name, and nothing else.
    Rule(Box<Theorem>),
    /// `proof [name] ..`, which stands by itself.
    Proof(Box<Proof>),
    /// `object name(params) = { .. }`, or an isolate or extract with a block.
    Object {
        /// The keyword as written, with `trusted` if that stands before it.
        keyword: Arc<str>,
        /// The name.
        name: Ident,
        /// The parameters.
        params: Vec<SortedVar>,
        /// Whether the block begins with `...`: it adds to an object that is declared before.
        is_continued: bool,
        /// The declarations.
        decls: Vec<Decl>,
        /// What an isolate sees of the rest, after `with`.
        with: Option<Listed>,
    },
    /// `isolate name(params) = objects with others`, without a block.
    Isolate {
        /// Whether `trusted` stands before it.
        is_trusted: bool,
        /// The name.
        name: Ident,
        /// What it verifies: names of objects and declarations.
        verified: Vec<Ident>,
        /// What it sees of the rest.
        with: Vec<Ident>,
        /// The text.
        text: Skipped,
    },
    /// `specification { .. }`, `implementation { .. }` or `private { .. }`.
    Section {
        /// The keyword.
        keyword: Arc<str>,
        /// The declarations.
        decls: Vec<Decl>,
    },
    /// `module name(params) = { .. }`.
    Module(Module),
    /// `instance name(vars) : module(args)`, or `instantiate module(args)`.
    Instance {
        /// The keyword as written.
        keyword: Arc<str>,
        /// The name of the instance, if it has one.
        name: Option<Ident>,
        /// The parameters of the instance.
        params: Vec<SortedVar>,
        /// The module.
        module: Ident,
        /// The arguments: types and symbols.
        args: Vec<Ident>,
    },
    /// `autoinstance name[params] : module(args)`: wherever `name[x]` is mentioned, there is that instance.
    Autoinstance(Autoinstance),
    /// `macro name(params) = { .. }`: statements, which `instantiate` inserts into actions.
    Macro {
        /// The name.
        name: Ident,
        /// The parameters.
        params: Vec<Ident>,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// `action name(params) returns (results) = { .. }`.
    Action(Action),
    /// `implement`, `before`, `after` or `around` an action.
    Monitor {
        /// The part of the action.
        when: When,
        /// The action; its name, parameters, results and statements.
        action: Action,
    },
    /// `mixin name before action`, or `after`: the statements of one action are a monitor of another one.
    Mixin {
        /// The action that is the monitor.
        mixer: Ident,
        /// When it is executed.
        when: When,
        /// The other action.
        action: Ident,
    },
    /// `private names`, up to version 1.6: objects and declarations that are seen where they are listed alone.
    Private(Vec<Ident>),
    /// `delegate names`: what the statements of these actions assert, their callers owe.
    Delegate(Vec<Ident>),
    /// `after init { .. }`.
    Init {
        /// Parameters, for all whose values the statements are executed at once.
        params: Vec<SortedVar>,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// `export name`, or `export action ..`.
    Export(Ident),
    /// `import name`, or `import action ..`.
    Import(Ident),
    /// `alias name = type`.
    Alias {
        /// The new name.
        name: Ident,
        /// The type.
        sort: SortRef,
    },
    /// `schema name = { .. }`, or `axiom [name] { .. }`.
    Schema(Box<Schema>),
    /// `schema name(params) = formula`, up to version 1.2: an axiom of each `instantiate name(args)`.
    Scheme(Scheme),
    /// `update r from f ..`, up to version 1.2.
    Update(UpdateDecl),
    /// `interpret name -> meaning`.
    Interpret {
        /// The type or symbol.
        name: Ident,
        /// What it is.
        meaning: Interpretation,
        /// The text.
        text: Skipped,
    },
    /// A claim that is not checked: `temporal property ..`, which is about executions without end, or one whose proof is by a
    /// tactic that is not read.
    Unchecked {
        /// Why it is not.
        reason: Unchecked,
        /// The keyword as written.
        keyword: Arc<str>,
        /// The name in brackets.
        label: Option<Ident>,
        /// The formula, in which `globally` and `eventually` are names applied to formulas.
        formula: Expr,
        /// Its text.
        text: Skipped,
        /// The function whose values are those that the formula says to exist, with its arguments.
        named: Option<(Ident, Vec<SortedVar>)>,
        /// The text after it, from `with` or `proof` on.
        proof: Option<Skipped>,
    },
    /// Text in another language, or a definition by such text.
    Native {
        /// The symbol that it defines.
        of: Option<Ident>,
        /// The text.
        text: Skipped,
    },
    /// `attribute name = value`.
    Attribute {
        /// The name.
        name: Ident,
        /// What it says of how claims are decided.
        method: Option<Method>,
        /// The text.
        text: Skipped,
    },
    /// A declaration that is read and means nothing here, as `extract`.
    Ignored {
        /// The keyword.
        keyword: Arc<str>,
        /// The text.
        text: Skipped,
    },
    /// Text with a syntax error, with all names in it.
    Broken(Vec<Arc<str>>),
}

/// `proof { apply rec[t] }` after a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recursion {
    /// The schema, `rec[t]`.
    pub schema: Ident,
}

/// A part of the text that is not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its tokens, with one blank between them.
    pub text: Arc<str>,
    /// The position.
    pub place: Place,
}

/// Names of objects and declarations in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The names, without their arguments.
    pub names: Vec<Ident>,
    /// The text, from the keyword before the list on.
    pub text: Skipped,
}

/// What is known of the elements of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeBody {
    /// Nothing.
    Uninterpreted,
    /// These are all, and all different: `{ a, b }`.
    Enumerated(Vec<Ident>),
    /// They have fields: `struct { a : s, b : t }`.
    Struct(Vec<SymbolDecl>),
}

/// An end of a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A number, as written.
    Number(Ident),
    /// A constant, which the range declares.
    Name(Ident),
}

/// What the elements of an interpreted type are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Interpretation {
    /// `int`.
    Integers,
    /// `nat`.
    Naturals,
    /// `bv[n]`: the numbers of so many bits.
    Bits(u32),
    /// `bv[n]`, where `n` is a parameter of a module.
    Sized(Ident),
    /// `{ 0..3 }`.
    Range(Bound, Bound),
    /// `{ a, b }`.
    Enumerated(Vec<Ident>),
    /// `strlit`: texts.
    Texts,
    /// `implement type t with u`: another type, by which a program that runs has the values.
    By(Ident),
    /// Anything else, of which nothing is known here.
    Other,
}

/// A claim about types and symbols of its own, whatever they are; or a rule of this form that is assumed, or is a premise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theorem {
    /// The keyword as written; empty for a premise that is a block alone.
    pub keyword: Arc<str>,
    /// The name; empty for a premise without one.
    pub name: Ident,
    /// Whether the name is in brackets.
    pub is_label: bool,
    /// Its types and symbols.
    pub decls: Vec<Decl>,
    /// What is assumed.
    pub premises: Vec<Premise>,
    /// What is claimed. Free variables are those of the premises.
    pub conclusion: Expr,
    /// Its proof.
    pub proof: Option<Box<Proof>>,
}

/// A premise of a theorem or rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Premise {
    /// A formula, with its name in brackets.
    Formula(Option<Ident>, Expr),
    /// A rule.
    Rule(Box<Theorem>),
}

impl Theorem {
    /// Returns the formulas in it, those of its premises first.
    pub fn formulas(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        for premise in &self.premises {
            match premise {
                Premise::Formula(_, formula) => found.push(formula),
                Premise::Rule(rule) => found.extend(rule.formulas()),
            }
        }
        found.push(&self.conclusion);
        found
    }
}

/// Role of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// `axiom`.
    Axiom,
    /// `property`.
    Property,
    /// `init`.
    Init,
    /// `conjecture` or `invariant`.
    Invariant,
    /// `explicit invariant`: it is claimed of the initial states and where transitions end, and nothing assumes it.
    Explicit,
    /// `safety`.
    Safety,
    /// What is to be shown in the place of the claim before it. No text has it.
    Goal,
}

/// The declaration of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolDecl {
    /// The name.
    pub name: Ident,
    /// The parameters, variables with sorts.
    pub params: Vec<SortedVar>,
    /// The sort of the value; `None` for relations.
    pub result: Option<SortRef>,
    /// The value, if it is derived.
    pub definition: Option<Expr>,
    /// The value that a `parameter` has where a program that runs is given no other. It says nothing.
    pub default: Option<Expr>,
}

/// A symbol whose value is one of those that have a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceDecl {
    /// The keyword as written.
    pub keyword: Arc<str>,
    /// The name of the symbol.
    pub name: Ident,
    /// The parameters.
    pub params: Vec<SortedVar>,
    /// The sort of the value, if it is given; `None` for one that is declared elsewhere.
    pub result: Option<SortRef>,
    /// The variable, and what is true of it.
    pub chosen: (SortedVar, Expr),
    /// The value for it, and the one where there is none: `in value else other`.
    pub value: Option<(Expr, Expr)>,
}

/// Instances of a module for all types and symbols with which a name is mentioned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Autoinstance {
    /// The name, without brackets.
    pub name: Ident,
    /// The names in brackets.
    pub params: Vec<Ident>,
    /// The module.
    pub module: Ident,
    /// Its arguments.
    pub args: Vec<Ident>,
}

/// A module: declarations over types and symbols that its instances supply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The name.
    pub name: Ident,
    /// The parameters.
    pub params: Vec<Ident>,
    /// Whether each instance is an isolate: `module isolate name(params) = { .. }`.
    pub is_isolate: bool,
    /// The declarations.
    pub decls: Vec<Decl>,
    /// What each such isolate sees of the rest, after `with`.
    pub with: Option<Listed>,
}

/// An axiom with parameters, for which types and symbols of the program stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schema {
    /// Whether the keyword is `axiom`.
    pub is_axiom: bool,
    /// The name.
    pub name: Option<Ident>,
    /// The parameters that are types.
    pub sorts: Vec<Ident>,
    /// The parameters that are symbols, with their keywords as written.
    pub symbols: Vec<(Arc<str>, SymbolDecl)>,
    /// The keyword of the formula as written.
    pub keyword: Arc<str>,
    /// The formula.
    pub formula: Expr,
    /// The triggers: lists of terms and formulas.
    pub triggers: Vec<Trigger>,
    /// What its instances are.
    pub meaning: Meaning,
}

/// An axiom with parameters, for which names of the program stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scheme {
    /// The name.
    pub name: Ident,
    /// The parameters.
    pub params: Vec<Ident>,
    /// The formula.
    pub formula: Expr,
}

/// How symbols follow others, where a statement changes these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateDecl {
    /// The symbols that follow.
    pub defined: Vec<Ident>,
    /// The symbols that they follow.
    pub sources: Vec<Ident>,
    /// What holds after which statement. The first one that matches counts.
    pub patterns: Vec<UpdatePattern>,
}

/// `params v, w in v.f := w -> requires .. ensures ..`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdatePattern {
    /// The names that stand for names in the statement.
    pub params: Vec<Ident>,
    /// A statement of the kind [`StmtKind::Field`] whose expressions are names.
    pub stmt: Stmt,
    /// What holds before the statement, which is a claim.
    pub requires: Option<Expr>,
    /// What holds after it, where `old r` is what `r` was before.
    pub ensures: Expr,
}

/// `trigger t, u`: the terms whose occurrences together call for an instance of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trigger {
    /// The terms, at least one.
    pub terms: Vec<Expr>,
    /// The position, from the keyword on.
    pub place: Place,
}

/// What the instances of a schema are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Rules, which proofs use by their name.
    Rules,
    /// Axioms, over symbols that no action changes.
    Axioms,
    /// Formulas over any symbols, each with one trigger, for [`crate::prophecy`].
    Hints,
}

/// An action or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The name.
    pub name: Ident,
    /// The parameters; `None` in a monitor that takes those of the action.
    pub params: Option<Vec<SortedVar>>,
    /// The position among them of the one that is written `^x:t`: a value of which the action is called with a dot.
    pub receiver: Option<usize>,
    /// The results.
    pub returns: Vec<SortedVar>,
    /// The statements, if they stand here.
    pub body: Option<Vec<Stmt>>,
    /// The places of a scenario whose tokens the statements move. No parameter or result may have such a name.
    pub places: Vec<Ident>,
}

/// The part of an action that a monitor is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Its own statements.
    Implement,
    /// What comes before them.
    Before,
    /// What comes after them.
    After,
    /// Statements before `...` come before, the others after.
    Around,
}

impl When {
    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            When::Implement => "implement",
            When::Before => "before",
            When::After => "after",
            When::Around => "around",
        }
    }
}

impl Decl {
    /// Returns the position, from the first token to the last.
    pub fn span(&self) -> Span {
        self.place.0
    }
}
