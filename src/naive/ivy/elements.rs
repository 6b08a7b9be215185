//! What a program must not say of types of which there have to be further values, and of what the library declares.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::scopes::Flat;
use super::state::{Parts, Program};
use super::tree::{DeclKind, Meaning, TypeBody};
use crate::refusal::{Result, refuse};

impl<'d> Program<'d> {
    pub(super) fn is_of_library(&self, at: usize) -> bool {
        self.library.iter().any(|file| file.contains(&at))
    }

    /// Refuses fields of types with known elements, and what the program itself says of types and symbols of the library.
    pub(super) fn check_elements(&mut self, flat: &[Flat<'d>]) -> Result<()> {
        // By type, whether its declaration tells its elements, and whether it is of the library.
        let mut types: BTreeMap<Rc<str>, (bool, bool)> = BTreeMap::new();
        for Flat { decl, scope, .. } in flat {
            let in_library = self.is_of_library(decl.at);
            match &decl.kind {
                DeclKind::Type(name, body) => {
                    let full = self.scopes.full(*scope, &name.text);
                    let is_told = matches!(body, TypeBody::Enumeration(_) | TypeBody::Range(_));
                    if is_told {
                        self.limited.insert(full.clone());
                    }
                    types.entry(full).or_insert((is_told, in_library));
                }
                DeclKind::Symbols(symbols, _) if in_library => {
                    let names = symbols.iter().map(|symbol| self.scopes.full(*scope, &symbol.name.text));
                    let names: Vec<Rc<str>> = names.collect();
                    self.kept.extend(names);
                }
                _ => {}
            }
        }
        for Flat { decl, scope, .. } in flat {
            let in_library = self.is_of_library(decl.at);
            match &decl.kind {
                DeclKind::Symbols(symbols, true) => {
                    for symbol in symbols {
                        let full = self.scopes.full(*scope, &symbol.name.text);
                        let of = self.symbols[&full].args.first();
                        let known = of.and_then(|of| types.get(of));
                        if known.is_some_and(|&(is_told, other)| is_told || other && !in_library) {
                            return refuse(symbol.name.at, "the type has no such fields");
                        }
                    }
                }
                DeclKind::Definition { symbol, .. } => {
                    let full = self.scopes.resolve(*scope, &symbol.name.text).0;
                    self.check_kept(&full, symbol.name.at)?;
                }
                DeclKind::Interpret(_, Meaning::Anything) => {}
                DeclKind::Interpret(name, _) if self.is_of_impl(*scope, name.at) => {}
                DeclKind::Interpret(name, meaning) => {
                    let sort = self.scopes.sort(*scope, &name.text);
                    if types.get(&sort).is_some_and(|&(_, other)| other && !in_library) {
                        return refuse(name.at, "the type is one of the library");
                    }
                    if !matches!(meaning, Meaning::Numbers([_, None])) {
                        self.limited.insert(sort);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns whether a declaration is what the library tells of an implementation, which the whole program does not know.
    pub(super) fn is_of_impl(&self, scope: usize, at: usize) -> bool {
        self.is_of_library(at) && self.scopes.full(scope, "t").ends_with("impl.t")
    }

    /// Refuses the change of a symbol that the library declares, by the program itself.
    pub(super) fn check_kept(&self, full: &Rc<str>, at: usize) -> Result<()> {
        match self.kept.contains(full) && !self.is_of_library(at) {
            true => refuse(at, format!("`{full}` is of the library")),
            false => Ok(()),
        }
    }

    /// Refuses an action of the library whose result has a place more, where places may come to an end.
    pub(super) fn check_growth(&self, full: &Rc<str>, parts: &Parts<'d>) -> Result<()> {
        let at = parts.declared.action.name.at;
        let Some((object, "append" | "append_pair")) = full.rsplit_once('.') else { return Ok(()) };
        let is_guarded = parts.before.iter().any(|part| self.is_of_library(part.action.name.at));
        let of = self.symbols.get(&*format!("{object}.end")).and_then(|end| end.result.clone());
        let Some(of) = of.filter(|_| self.is_of_library(at) && !is_guarded) else { return Ok(()) };
        match self.limited.contains(&of) || self.actions.contains_key(&*format!("{of}.is_max")) {
            true => refuse(at, format!("`{of}` may have no further place")),
            false => Ok(()),
        }
    }
}
