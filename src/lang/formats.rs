//! The table of formats: what a file of each is called, what it is about, and how it is read.

use std::borrow::Cow;

use super::shared::{FormulaKind, Includes, Inclusion, WithFormula};
use super::{program, pyv, rml, smtlib, tptp};
use crate::base::budget::{Budget, Exhausted};
use crate::base::digest::sha256;
use crate::base::span::{FileId, Source, Sources};
use crate::diag::{Code, Diagnostic, Severity};
use crate::logic::Problem;
use crate::system::System;

/// A format of input files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Models in mypyvy's `.pyv`.
    Pyv,
    /// Programs in the relational modeling language, `.rml`.
    Rml,
    /// SAT problems in DIMACS.
    Dimacs,
    /// SMT-LIB scripts.
    Smtlib,
    /// Problems of the TPTP library.
    Tptp,
}

/// What a file is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// A transition system, in this language.
    System(Language),
    /// Questions about formulas of first-order logic.
    Problem,
    /// Clauses of propositional logic.
    Sat,
}

/// What there is to know of a format.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The format.
    pub format: Format,
    /// What options call it.
    pub name: &'static str,
    /// What messages call it.
    pub title: &'static str,
    /// The extensions of its files, the usual one first.
    pub extensions: &'static [&'static str],
    /// What a file is about.
    pub about: About,
    /// How files include others, if they can.
    pub inclusion: Option<Inclusion>,
}

/// All formats.
static FORMATS: [Descriptor; 5] = [
    Descriptor {
        format: Format::Pyv,
        name: "pyv",
        title: ".pyv",
        extensions: &["pyv"],
        about: About::System(Language::Pyv),
        inclusion: None,
    },
    Descriptor {
        format: Format::Rml,
        name: "rml",
        title: ".rml",
        extensions: &["rml"],
        about: About::System(Language::Rml),
        inclusion: Some(rml::INCLUSION),
    },
    Descriptor {
        format: Format::Dimacs,
        name: "dimacs",
        title: "DIMACS",
        extensions: &["cnf", "dimacs", "icnf"],
        about: About::Sat,
        inclusion: None,
    },
    Descriptor {
        format: Format::Smtlib,
        name: "smtlib",
        title: "SMT-LIB",
        extensions: &["smt2"],
        about: About::Problem,
        inclusion: None,
    },
    Descriptor {
        format: Format::Tptp,
        name: "tptp",
        title: "TPTP",
        extensions: &["p", "ax", "tptp"],
        about: About::Problem,
        inclusion: Some(tptp::INCLUSION),
    },
];

impl Format {
    /// All of them, models first.
    pub fn all() -> impl Iterator<Item = Format> {
        FORMATS.iter().map(|it| it.format)
    }

    /// What there is to know of it.
    pub fn descriptor(self) -> &'static Descriptor {
        FORMATS.iter().find(|it| it.format == self).unwrap_or(&FORMATS[0])
    }

    /// The format of a file of this name, by its extension; `None` where that tells nothing.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        FORMATS.iter().find(|it| it.extensions.contains(&extension)).map(|it| it.format)
    }

    /// The format that options call this.
    pub fn of_option(name: &str) -> Option<Format> {
        FORMATS.iter().find(|it| it.name == name).map(|it| it.format)
    }

    /// The language, if a file is a model.
    pub fn language(self) -> Option<Language> {
        match self.descriptor().about {
            About::System(language) => Some(language),
            About::Problem | About::Sat => None,
        }
    }

    /// Adds what `file` includes, and what that includes, to `sources`. `read` is given the name of the including file and
    /// the path that is written there; files of the prelude are not asked for. Files are told apart by their names: a
    /// source that is there already is not added again. What cannot be read is reported when the file is loaded.
    pub fn gather(
        self,
        file: FileId,
        sources: &mut Sources,
        read: &mut dyn FnMut(&str, &str) -> Result<Source, String>,
    ) -> Includes {
        let mut includes = Includes::new();
        if let Some(inclusion) = &self.descriptor().inclusion {
            includes.gather(inclusion, file, sources, read);
        }
        includes
    }

    /// What the digest of a certificate about `file` is made from: its text, if it includes nothing. Otherwise a line with the
    /// digest of each file: `file`, then those that it includes, each at its first mention, and behind each of them what that
    /// includes.
    pub fn source_text<'s>(self, file: FileId, sources: &'s Sources, includes: &Includes) -> Cow<'s, str> {
        let files = match &self.descriptor().inclusion {
            Some(inclusion) => includes.whole(file, sources, inclusion),
            None => vec![file],
        };
        match files.as_slice() {
            [_] => Cow::Borrowed(&sources[file].text),
            files => files.iter().map(|&file| sha256(&sources[file].text) + "\n").collect(),
        }
    }

    /// Parses and lowers a file that certificates can be about. There is something if and only if there is no error.
    pub fn load(
        self,
        file: FileId,
        sources: &Sources,
        includes: &Includes,
    ) -> (Option<Loaded>, Vec<Diagnostic>) {
        match self {
            Format::Pyv => load_system(Language::Pyv, file, sources, includes),
            Format::Rml => load_system(Language::Rml, file, sources, includes),
            Format::Smtlib => {
                let (problem, diagnostics) = smtlib::problem(file, &sources[file].text);
                (problem.map(Loaded::Problem), diagnostics)
            }
            Format::Tptp => {
                let (loaded, diagnostics) = tptp::load(file, sources, includes);
                (loaded.map(|it| Loaded::Problem(it.problem)), diagnostics)
            }
            Format::Dimacs => {
                let what =
                    format!("`{}` is a SAT problem, which no certificate is about", sources[file].name);
                let error = Diagnostic::error_nowhere(Code::Unreadable, what);
                (
                    None,
                    vec![
                        error
                            .help("proofs of SAT problems are in LRAT or DRAT, for which there are checkers"),
                    ],
                )
            }
        }
    }
}

fn load_system(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
) -> (Option<Loaded>, Vec<Diagnostic>) {
    let (system, diagnostics) = load(language, file, sources, includes);
    (system.map(Box::new).map(Loaded::System), diagnostics)
}

/// What a file says.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// A model.
    System(Box<System>),
    /// Questions about formulas.
    Problem(Problem),
}

/// A language that models are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// mypyvy's `.pyv`.
    Pyv,
    /// Programs in the relational modeling language, `.rml`.
    Rml,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::Pyv, Language::Rml];

    /// Its format.
    pub fn format(self) -> Format {
        match self {
            Language::Pyv => Format::Pyv,
            Language::Rml => Format::Rml,
        }
    }

    /// The usual extension of its files.
    pub fn extension(self) -> &'static str {
        self.format().descriptor().extensions[0]
    }

    /// The language of a file of this name, by its extension; `.pyv` where that tells nothing, as for standard input.
    pub fn of_name(name: &str) -> Language {
        Format::of_name(name).and_then(Format::language).unwrap_or(Language::Pyv)
    }

    /// Whether its models have to stay in the decidable fragment, if nobody says otherwise.
    pub fn is_strict(self) -> bool {
        match self {
            Language::Pyv => false,
            Language::Rml => true,
        }
    }

    /// The keyword of a claim about all reachable states.
    pub fn claim(self) -> &'static str {
        match self {
            Language::Pyv => "invariant",
            Language::Rml => "conjecture",
        }
    }

    /// What a file has in it, as a sentence.
    pub fn contents(self) -> &'static str {
        match self {
            Language::Pyv => "a model declares sorts, relations, `init`, transitions and invariants",
            Language::Rml => {
                "a program declares sorts, relations and variables, and has commands, a loop `while * { .. }` and conjectures"
            }
        }
    }
}

/// The syntax trees of a model. They hold what could be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trees {
    /// The tree of the file.
    Pyv(pyv::ast::Program),
    /// Those of the file and of the files that it includes, each once; that of the file itself is the first.
    Program(Vec<program::ast::Program>),
}

/// Parses a file, and the files that it includes, within a budget, of which a token takes a unit.
///
/// # Errors
/// The budget that ran out.
pub fn parse_within(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Trees, Vec<Diagnostic>), Exhausted> {
    Ok(match language {
        Language::Pyv => {
            let (program, diagnostics) = pyv::parse_within(file, &sources[file].text, budget)?;
            (Trees::Pyv(program), diagnostics)
        }
        Language::Rml => {
            let (programs, diagnostics) = rml::parse_files_within(file, sources, includes, budget)?;
            (Trees::Program(programs), diagnostics)
        }
    })
}

/// Checks parsed files, and lowers them, within a budget, of which a node of a formula takes a unit, and one of an expanded
/// definition. `diagnostics` are those of parsing. There is a system if and only if there is no error.
///
/// # Errors
/// The budget that ran out.
pub fn lower_within(
    trees: &Trees,
    mut diagnostics: Vec<Diagnostic>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let (system, more) = match trees {
        Trees::Pyv(program) => pyv::lower_within(program, &sources[program.file].text, budget)?,
        Trees::Program(programs) => rml::lower_within(programs, sources, includes, budget)?,
    };
    diagnostics.extend(more);
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Ok((system.filter(|_| !has_errors), diagnostics))
}

/// Parses and lowers a file, with the files that it includes. There is a system if and only if there is no error.
pub fn load(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
) -> (Option<System>, Vec<Diagnostic>) {
    // There is no limit to run out of.
    load_within(language, file, sources, includes, &mut Budget::unlimited()).unwrap_or_default()
}

/// The same within a budget, which parsing and lowering share.
///
/// # Errors
/// The budget that ran out.
pub fn load_within(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let (trees, diagnostics) = parse_within(language, file, sources, includes, budget)?;
    lower_within(&trees, diagnostics, sources, includes, budget)
}

/// Loads a file together with a formula in its language: closed (capital letters as in an invariant).
/// The system's claims are those of the file. Errors in the formula point into its own text, `formula`. The budget is that of
/// [`load_within`].
///
/// # Errors
/// The budget that ran out.
pub fn load_with_formula(
    language: Language,
    file: FileId,
    formula: FileId,
    kind: FormulaKind<'_>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<WithFormula, Exhausted> {
    match language {
        Language::Pyv => {
            pyv::load_with_formula(file, &sources[file].text, formula, &sources[formula].text, kind, budget)
        }
        Language::Rml => rml::load_with_formula(file, formula, kind, sources, includes, budget),
    }
}
