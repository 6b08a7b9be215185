//! Loading of models in either language.

use ramsey::base::span::{Source, Sources};
use ramsey::diag::Diagnostic;
use ramsey::lang::{self, Language, Unread};
use ramsey::system::System;

/// Loads a model, in the language of its name's extension. It may include only files of the prelude.
pub fn load(name: &str, text: &str) -> (Option<System>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new(name.to_owned(), text.to_owned()));
    let language = Language::of_name(name);
    let includes = language
        .format()
        .gather(file, &mut sources, &mut |_, path| Err(Unread::missing(format!("no file `{path}` here"))));
    lang::load(language, file, &sources, &includes)
}

/// Loads a model without errors.
#[track_caller]
pub fn system(name: &str, text: &str) -> System {
    let (system, diagnostics) = load(name, text);
    system.unwrap_or_else(|| panic!("{name}: {diagnostics:#?}\n{text}"))
}

/// Returns the text of a model without the conjectures in it. Each stands on a line that it begins, and on lines below that
/// are indented.
pub fn without_conjectures(text: &str) -> String {
    let mut is_conjecture = false;
    let stays = |line: &&str| {
        is_conjecture = line.starts_with("conjecture") || is_conjecture && line.starts_with(' ');
        !is_conjecture
    };
    text.lines().filter(stays).flat_map(|line| [line, "\n"]).collect()
}

/// What is taken is marked. Nothing is tracked of `next(x)` but what the axiom says.
pub const INVERSE: &str = "\
#lang ivy1.7
type t
type u
function f(X:t) : u
function g(X:u) : t
function next(X:t) : t
relation r(X:t)
relation s(X:t)
schema inverse = { type a  type b  function to(X:a) : b  function back(X:b) : a  property back(to(X)) = X }
after init { r(X) := false; s(X) := false }
action take(x:t) = { r(g(f(next(x)))) := true; s(next(x)) := true }
export take
invariant r(X) -> s(X)
";

/// What `b` is before it becomes `a` is not tracked.
pub const LOSSY: &str = "\
#lang ivy1.7
type node
relation r(N:node)
var a : node
var b : node
after init { r(N) := true }
action move = { a := b }
action drop(n:node) = { require n ~= a & n ~= b; r(n) := false }
export move
export drop
invariant r(a)
";

/// A model whose invariant says that a node exists: it has no universal one.
pub const NO_UNIVERSAL: &str = "\
sort node
mutable relation a(node)
mutable relation b(node)
init exists X. forall N. a(N) <-> N = X
init forall N. !b(N)
transition copy(n: node)
    modifies b
    (forall X. !a(X)) & (forall N. new(b(N)) <-> b(N) | N = n)
safety forall N. !b(N)
";
