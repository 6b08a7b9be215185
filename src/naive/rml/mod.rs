//! The language `.rml`, as `spec/rml.md` describes it.

mod check;
mod close;
mod commands;
mod execution;
mod expr;
mod files;
mod library;
mod meaning;
mod parser;
mod steps;
mod term;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;

pub use files::find;

use std::path::Path;

use crate::closed::signed;
use crate::refusal::{Refusal, Result, line};
use crate::text::Find;
use check::Model;
use commands::Parts;
use files::File;
use meaning::System;
use parser::Parser;

/// Returns the text of the closed system of a program, as `spec/core.md` describes it.
///
/// # Errors
/// The text, or one that it includes, is refused: it is no program, or one without a closed form, or too large.
pub fn core(path: &Path, text: &str, find: Find<'_>) -> std::result::Result<String, Refusal> {
    let mut files = vec![File { path: path.to_owned(), text: text.to_owned(), base: 0 }];
    closed(&mut files, find).map_err(|(at, what)| {
        let File { path, text, base } = file_of(&files, at);
        let what = if *base == 0 { what } else { format!("{what} (in `{}`)", path.display()) };
        Refusal::new(text, (at - base, what))
    })
}

/// Returns the file that a place is in.
fn file_of(files: &[File], at: usize) -> &File {
    let found = files.iter().rev().find(|file| file.base <= at);
    found.unwrap_or(&files[0])
}

fn closed(files: &mut Vec<File>, find: Find<'_>) -> Result<String> {
    let Parser { files, items, variables, .. } = Parser::new(files, find)?;
    let line_of = |at: usize| {
        let file = file_of(files, at);
        line(&file.text, at - file.base)
    };
    let parts = Parts::new(&items)?;
    let model = Model::new(&items, &variables, &parts)?;
    let system = System::new(model, &parts, &line_of)?;
    close::document(&system, parts.actions.iter().map(|it| &it.name), &line_of).map(|lines| signed(&lines))
}
