//! Files that certificates are about: models, and problems.

use std::borrow::Cow;

use super::{Includes, Language, rml, smtlib, tptp};
use crate::base::digest::sha256;
use crate::base::span::{FileId, Source, Sources};
use crate::diag::Diagnostic;
use crate::logic::Problem;
use crate::system::System;

/// What kind of file one is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A model in this language.
    Model(Language),
    /// An SMT-LIB script.
    Smtlib,
    /// A problem of the TPTP library.
    Tptp,
}

/// What a file says.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// A model.
    System(Box<System>),
    /// Questions about formulas.
    Problem(Problem),
}

impl Kind {
    /// The kind of a file of this name, by its extension; a model where that tells nothing.
    pub fn of_name(name: &str) -> Kind {
        if name.ends_with(".smt2") {
            Kind::Smtlib
        } else if name.ends_with(".p") {
            Kind::Tptp
        } else {
            Kind::Model(Language::of_name(name))
        }
    }

    /// Adds what `file` includes to `sources`; see [`Includes::gather`] and [`Includes::gather_tptp`].
    pub fn gather(
        self,
        file: FileId,
        sources: &mut Sources,
        read: &mut dyn FnMut(&str, &str) -> Result<Source, String>,
    ) -> Includes {
        let mut includes = Includes::new();
        match self {
            Kind::Model(language) => includes.gather(language, file, sources, read),
            Kind::Smtlib => {}
            Kind::Tptp => includes.gather_tptp(file, sources, read),
        }
        includes
    }

    /// What the digest of a certificate about `file` is made from: its text, if it includes nothing. Otherwise a line with the
    /// digest of each file: `file`, then those that it includes, each at its first mention, and behind each of them what that
    /// includes.
    pub fn source_text<'s>(self, file: FileId, sources: &'s Sources, includes: &Includes) -> Cow<'s, str> {
        let included: fn(&str) -> Vec<String> = match self {
            Kind::Model(Language::Rml) => rml::included,
            Kind::Tptp => tptp::included,
            Kind::Model(Language::Pyv) | Kind::Smtlib => return Cow::Borrowed(&sources[file].text),
        };
        match includes.whole(file, sources, included).as_slice() {
            [_] => Cow::Borrowed(&sources[file].text),
            files => files.iter().map(|&file| sha256(&sources[file].text) + "\n").collect(),
        }
    }

    /// Parses and lowers a file. There is something if and only if there is no error.
    pub fn load(
        self,
        file: FileId,
        sources: &Sources,
        includes: &Includes,
    ) -> (Option<Loaded>, Vec<Diagnostic>) {
        match self {
            Kind::Model(language) => {
                let (system, diagnostics) = super::load(language, file, sources, includes);
                (system.map(Box::new).map(Loaded::System), diagnostics)
            }
            Kind::Smtlib => {
                let (problem, diagnostics) = smtlib::problem(file, &sources[file].text);
                (problem.map(Loaded::Problem), diagnostics)
            }
            Kind::Tptp => {
                let (loaded, diagnostics) = tptp::load(file, sources, includes);
                (loaded.map(|it| Loaded::Problem(it.problem)), diagnostics)
            }
        }
    }
}
