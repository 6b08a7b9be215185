//! The table of input formats: their file names, their contents, and how they are read.

use std::borrow::Cow;
use std::sync::Arc;

use super::fol::lexer::{Starts, Syntax as _, Word};
use super::fol::lower::take_formulas;
use super::shared::report::unless_errors;
use super::shared::{FormulaKind, Includes, Inclusion, Unread, WithFormulas};
use super::{core, ivy, program, pyv, rml, smtlib, tptp};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::digest::sha256;
use ramsey_core::base::span::{FileId, Source, Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Problem;
use ramsey_core::system::System;

/// A format of input files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Models in the language of mypyvy, `.pyv`.
    Pyv,
    /// Programs in the relational modeling language, `.rml`.
    Rml,
    /// Programs in the language of Ivy, `.ivy`.
    Ivy,
    /// Closed forms of models and problems, `.core`.
    Core,
    /// SAT problems in DIMACS.
    Dimacs,
    /// SMT-LIB scripts.
    Smtlib,
    /// Problems of the TPTP library.
    Tptp,
    /// Circuits in AIGER format.
    Aiger,
}

/// The kind of input that a file contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// A transition system.
    System(ModelFormat),
    /// Entailment queries about formulas of first-order logic.
    Problem,
    /// Clauses of propositional logic.
    Sat,
    /// A circuit with latches.
    Circuit,
}

/// Properties of a format of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModelFormat {
    /// The language.
    pub language: Language,
    /// Whether models must be in the decidable fragment by default.
    pub is_strict: bool,
    /// The keyword of a claim about all reachable states.
    pub claim: &'static str,
    /// The contents of a file, as a sentence.
    pub contents: &'static str,
}

/// Properties of a format.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The format.
    pub format: Format,
    /// The name in options.
    pub name: &'static str,
    /// The name in messages.
    pub title: &'static str,
    /// File extensions, the usual one first.
    pub extensions: &'static [&'static str],
    /// The kind of input in a file.
    pub kind: InputKind,
    /// How files include others, if the format supports it.
    pub inclusion: Option<Inclusion>,
}

const PYV: ModelFormat = ModelFormat {
    language: Language::Pyv,
    is_strict: false,
    claim: "invariant",
    contents: "a model declares sorts, relations, `init`, transitions and invariants",
};

const RML: ModelFormat = ModelFormat {
    language: Language::Rml,
    is_strict: true,
    claim: "conjecture",
    contents: "a program declares sorts, relations and variables, and has commands, a loop `while * { .. }` and conjectures",
};

const IVY: ModelFormat = ModelFormat {
    language: Language::Ivy,
    is_strict: false,
    claim: "invariant",
    contents: "a program declares types, relations, actions with `export`, and invariants",
};

const CORE: ModelFormat = ModelFormat {
    language: Language::Core,
    is_strict: false,
    claim: "invariant",
    contents: "a closed form begins with `ramsey-core 1`; `ramsey core MODEL` writes it",
};

/// All formats.
static FORMATS: [Descriptor; 8] = [
    Descriptor {
        format: Format::Pyv,
        name: "pyv",
        title: ".pyv",
        extensions: &["pyv"],
        kind: InputKind::System(PYV),
        inclusion: None,
    },
    Descriptor {
        format: Format::Rml,
        name: "rml",
        title: ".rml",
        extensions: &["rml"],
        kind: InputKind::System(RML),
        inclusion: Some(rml::INCLUSION),
    },
    Descriptor {
        format: Format::Ivy,
        name: "ivy",
        title: ".ivy",
        extensions: &["ivy"],
        kind: InputKind::System(IVY),
        inclusion: Some(ivy::INCLUSION),
    },
    Descriptor {
        format: Format::Core,
        name: "core",
        title: "a closed form",
        extensions: &["core"],
        kind: InputKind::System(CORE),
        inclusion: None,
    },
    Descriptor {
        format: Format::Dimacs,
        name: "dimacs",
        title: "DIMACS",
        extensions: &["cnf", "dimacs", "icnf"],
        kind: InputKind::Sat,
        inclusion: None,
    },
    Descriptor {
        format: Format::Smtlib,
        name: "smtlib",
        title: "SMT-LIB",
        extensions: &["smt2"],
        kind: InputKind::Problem,
        inclusion: None,
    },
    Descriptor {
        format: Format::Tptp,
        name: "tptp",
        title: "TPTP",
        extensions: &["p", "ax", "tptp"],
        kind: InputKind::Problem,
        inclusion: Some(tptp::INCLUSION),
    },
    Descriptor {
        format: Format::Aiger,
        name: "aiger",
        title: "AIGER",
        extensions: &["aig", "aag"],
        kind: InputKind::Circuit,
        inclusion: None,
    },
];

impl Format {
    /// Returns all formats, models first.
    pub fn all() -> impl Iterator<Item = Format> {
        FORMATS.iter().map(|it| it.format)
    }

    /// Returns the properties of the format.
    pub fn descriptor(self) -> &'static Descriptor {
        // A position that the table does not have is an error of compilation.
        match self {
            Format::Pyv => &FORMATS[0],
            Format::Rml => &FORMATS[1],
            Format::Ivy => &FORMATS[2],
            Format::Core => &FORMATS[3],
            Format::Dimacs => &FORMATS[4],
            Format::Smtlib => &FORMATS[5],
            Format::Tptp => &FORMATS[6],
            Format::Aiger => &FORMATS[7],
        }
    }

    /// Returns the format of a file by its extension; `None` if the extension is unknown.
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        FORMATS.iter().find(|it| it.extensions.contains(&extension)).map(|it| it.format)
    }

    /// Returns the format with this name in options.
    pub fn of_option(name: &str) -> Option<Format> {
        FORMATS.iter().find(|it| it.name == name).map(|it| it.format)
    }

    /// Returns the usual extensions of the formats of this kind for messages, as in `.a, .b or .c`.
    pub fn extensions(is_wanted: impl Fn(InputKind) -> bool, conjunction: &str) -> String {
        let wanted = FORMATS.iter().filter(|it| is_wanted(it.kind));
        let mut names: Vec<String> = wanted.map(|it| format!(".{}", it.extensions[0])).collect();
        let Some(last) = names.pop() else { return String::new() };
        if names.is_empty() { last } else { format!("{} {conjunction} {last}", names.join(", ")) }
    }

    /// Returns the language, if files of this format are models.
    pub fn language(self) -> Option<Language> {
        match self.descriptor().kind {
            InputKind::System(model) => Some(model.language),
            InputKind::Problem | InputKind::Sat | InputKind::Circuit => None,
        }
    }

    /// Adds the files that `file` includes, transitively, to `sources`. `read` receives the name of the including file
    /// and the path as written; what a built-in file includes is looked for as if `file` included it. Files are identified
    /// by name, so a source that is already present is not added again. Files that cannot be read are reported when the
    /// file is loaded.
    pub fn gather(
        self,
        file: FileId,
        sources: &mut Sources,
        read: &mut dyn FnMut(&str, &str) -> Result<Source, Unread>,
    ) -> Includes {
        let mut includes = Includes::new();
        if let Some(inclusion) = &self.descriptor().inclusion {
            includes.gather(inclusion, file, sources, read);
        }
        includes
    }

    /// Returns the text that the digest of a certificate about `file` is computed from. If the file includes nothing,
    /// it is its text. Otherwise it is one line per file with its digest: `file` first, then the included files in
    /// depth-first order, each at its first mention.
    pub fn source_text<'s>(self, file: FileId, sources: &'s Sources, includes: &Includes) -> Cow<'s, str> {
        let files = match &self.descriptor().inclusion {
            Some(inclusion) => includes.files_of(file, sources, inclusion),
            None => vec![file],
        };
        match files.as_slice() {
            [_] => Cow::Borrowed(&sources[file].text),
            files => files.iter().map(|&file| sha256(&sources[file].text) + "\n").collect(),
        }
    }

    /// Parses and lowers a file about which certificates can be made. Returns a result if and only if there is no
    /// error.
    pub fn load(
        self,
        file: FileId,
        sources: &Sources,
        includes: &Includes,
    ) -> (Option<Loaded>, Vec<Diagnostic>) {
        match self {
            Format::Pyv => load_system(Language::Pyv, file, sources, includes),
            Format::Rml => load_system(Language::Rml, file, sources, includes),
            Format::Ivy => load_system(Language::Ivy, file, sources, includes),
            Format::Core => load_closed(file, &sources[file].text),
            Format::Smtlib => {
                let (problem, diagnostics) = smtlib::problem(file, &sources[file].text);
                (problem.map(Loaded::Problem), diagnostics)
            }
            Format::Tptp => {
                let (loaded, diagnostics) = tptp::load(file, sources, includes);
                (loaded.map(|it| Loaded::Problem(it.problem)), diagnostics)
            }
            Format::Aiger => {
                let what =
                    format!("`{}` is a circuit, which is neither a model nor a problem", sources[file].name);
                let error = Diagnostic::error_nowhere(Code::Unreadable, what);
                let help = "`ramsey solve` decides circuits, `ramsey check` checks their certificates";
                (None, vec![error.help(help)])
            }
            Format::Dimacs => {
                let what =
                    format!("`{}` is a SAT problem, which no certificate is about", sources[file].name);
                let error = Diagnostic::error_nowhere(Code::Unreadable, what);
                let help = "proofs of SAT problems are in LRAT or DRAT, for which there are checkers";
                (None, vec![error.help(help)])
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
    (system.map(Arc::new).map(Loaded::System), diagnostics)
}

/// Reads a closed form: a model, or a problem if it has queries.
fn load_closed(file: FileId, text: &str) -> (Option<Loaded>, Vec<Diagnostic>) {
    let budget = &mut Budget::unlimited();
    let loaded = core::parse_within(file, text, budget).and_then(|(lines, found)| {
        Ok(match lines.first_query() {
            Some(_) => {
                let (problem, more) = core::problem_within(&lines, text, budget)?;
                unless_errors(found, (problem.map(Loaded::Problem), more))
            }
            None => {
                let (system, more) = core::lower_within(&lines, text, budget)?;
                unless_errors(found, (system.map(Arc::new).map(Loaded::System), more))
            }
        })
    });
    // An unlimited budget is never exhausted.
    loaded.unwrap_or_default()
}

/// The contents of a loaded file.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// A model.
    System(Arc<System>),
    /// Entailment queries about formulas.
    Problem(Problem),
}

/// A language of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// The language of mypyvy, `.pyv`.
    Pyv,
    /// Programs in the relational modeling language, `.rml`.
    Rml,
    /// Programs in the language of Ivy, `.ivy`.
    Ivy,
    /// Closed forms of models, `.core`.
    Core,
}

impl Language {
    /// Returns all languages.
    pub fn all() -> impl Iterator<Item = Language> {
        Format::all().filter_map(Format::language)
    }

    /// Returns the format of the language.
    pub fn format(self) -> Format {
        match self {
            Language::Pyv => Format::Pyv,
            Language::Rml => Format::Rml,
            Language::Ivy => Format::Ivy,
            Language::Core => Format::Core,
        }
    }

    /// Returns the usual file extensions of all languages for messages, as in `.a, .b or .c`.
    pub fn extensions(conjunction: &str) -> String {
        Format::extensions(|kind| matches!(kind, InputKind::System(_)), conjunction)
    }

    /// Returns the usual file extension.
    pub fn extension(self) -> &'static str {
        self.format().descriptor().extensions[0]
    }

    /// Returns the language of a file by its extension; `.pyv` if the extension is unknown, as for standard input.
    pub fn of_name(name: &str) -> Language {
        Format::of_name(name).and_then(Format::language).unwrap_or(Language::Pyv)
    }

    /// Returns the keyword of a claim about all reachable states, in the version of the language that a text is in.
    pub fn claim_keyword(self, text: &str) -> &'static str {
        match self {
            Language::Ivy => ivy::claim_keyword(text),
            Language::Pyv | Language::Rml | Language::Core => self.model().claim,
        }
    }

    /// Returns the reserved words, and those that other tools for the language reserve, separated by blanks.
    fn words(self) -> (&'static [Word], &'static str) {
        match self {
            Language::Pyv => (pyv::lexer::Lexeme::WORDS, "old"),
            Language::Rml => (rml::lexer::Lexeme::WORDS, ""),
            Language::Ivy => (ivy::lexer::Lexeme::WORDS, ivy::lexer::WORDS_OF_IVY),
            // Names are words of any kind.
            Language::Core => (&[], ""),
        }
    }

    /// Returns the words that the language reserves, in some version.
    pub fn reserved_words(self) -> impl Iterator<Item = &'static str> {
        self.words().0.iter().map(|word| word.text)
    }

    /// Returns whether a word cannot be a name, in some version of the language or for another tool.
    pub(crate) fn reserves(self, word: &str) -> bool {
        let (words, others) = self.words();
        words.iter().any(|it| it.text == word) || others.split(' ').any(|it| it == word)
    }

    /// Returns whether a declaration or command may begin with this reserved word.
    pub fn begins_with(self, word: &str) -> bool {
        let (words, _) = self.words();
        words.iter().any(|it| it.text == word && (it.starts != Starts::Nothing || it.is_suggested))
    }

    /// Returns the properties of the language.
    pub fn model(self) -> ModelFormat {
        match self {
            Language::Pyv => PYV,
            Language::Rml => RML,
            Language::Ivy => IVY,
            Language::Core => CORE,
        }
    }
}

/// The syntax trees of a model, without the parts that could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trees {
    /// The tree of the file.
    Pyv(pyv::ast::Program),
    /// The trees of the file and of the files that it includes, each once. The first one is that of the file itself.
    Program(Vec<program::ast::Program>),
    /// The trees of the file and of the files that it includes, with what they mean together.
    Ivy(ivy::Model),
    /// The lines of a closed form.
    Core(core::Lines),
}

impl Trees {
    /// Returns the names of the parts of the model that are verified one by one, each with what it sees of the others; `None`
    /// if it is verified as a whole. Claims that none of them shows are errors.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub fn isolates(
        &self,
        includes: &Includes,
        budget: &mut Budget,
    ) -> Result<(ivy::Isolates, Vec<Diagnostic>), Exhausted> {
        match self {
            Trees::Ivy(model) => model.isolates(includes, budget),
            _ => Ok((None, Vec::new())),
        }
    }

    /// Returns what is left of the model in the isolate of this name, with errors about it.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub fn in_isolate(
        &self,
        name: &str,
        includes: &Includes,
        budget: &mut Budget,
    ) -> Result<(Trees, Vec<Diagnostic>), Exhausted> {
        match self {
            Trees::Ivy(model) => {
                let (model, found) = model.in_isolate(name, includes, budget)?;
                Ok((Trees::Ivy(model), found))
            }
            _ => Ok((self.clone(), vec![ivy::unknown_isolate(name, &[])])),
        }
    }
}

/// Parses a file, and the files that it includes, within a budget: each token costs one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
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
        Language::Ivy => {
            let (model, diagnostics) = ivy::parse_files_within(file, sources, includes, budget)?;
            (Trees::Ivy(model), diagnostics)
        }
        Language::Core => {
            let (lines, diagnostics) = core::parse_within(file, &sources[file].text, budget)?;
            (Trees::Core(lines), diagnostics)
        }
    })
}

/// Checks and lowers parsed files within a budget: each node of a formula costs one unit, including nodes of expanded
/// definitions. `diagnostics` are those of parsing. Returns a system if and only if there is no error.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_within(
    trees: &Trees,
    diagnostics: Vec<Diagnostic>,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    let lowered = match trees {
        Trees::Pyv(program) => pyv::lower_within(program, &sources[program.file].text, budget)?,
        Trees::Program(programs) => rml::lower_within(programs, sources, includes, budget)?,
        Trees::Ivy(model) => ivy::lower_within(model, sources, includes, budget)?,
        Trees::Core(lines) => core::lower_within(lines, &sources[lines.file].text, budget)?,
    };
    Ok(unless_errors(diagnostics, lowered))
}

/// Parses and lowers a file with the files that it includes. Returns a system if and only if there is no error.
pub fn load(
    language: Language,
    file: FileId,
    sources: &Sources,
    includes: &Includes,
) -> (Option<System>, Vec<Diagnostic>) {
    let budget = &mut Budget::unlimited();
    let loaded = parse_within(language, file, sources, includes, budget)
        .and_then(|(trees, found)| lower_within(&trees, found, sources, includes, budget));
    // An unlimited budget is never exhausted.
    loaded.unwrap_or_default()
}

/// Loads a file with a claim in its language beside it, which becomes the last invariant of the system
/// ([`System::with_claim`]).
pub fn load_with_claim(
    language: Language,
    file: FileId,
    claim: FileId,
    sources: &Sources,
    includes: &Includes,
) -> (Option<System>, Vec<Diagnostic>) {
    let budget = &mut Budget::unlimited();
    let asked = (&[claim][..], FormulaKind::Claim);
    let loaded = parse_within(language, file, sources, includes, budget)
        .and_then(|(trees, found)| lower_with_formulas(&trees, found, asked, sources, includes, budget));
    // An unlimited budget is never exhausted.
    let (loaded, found) = loaded.unwrap_or_default();
    let system = loaded.and_then(|(system, formulas)| {
        let text = &sources[claim].text;
        let span = Span { file: claim, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
        Some(system.with_claim(text, *formulas.first()?, span))
    });
    (system, found)
}

/// Lowers parsed files together with closed formulas in their language (with implicit quantifiers, as in an invariant),
/// each of which is a source. The system's claims are those of the files. The rest is as for [`lower_within`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_with_formulas(
    trees: &Trees,
    diagnostics: Vec<Diagnostic>,
    (formulas, kind): (&[FileId], FormulaKind<'_>),
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<WithFormulas, Exhausted> {
    let lowered = match trees {
        Trees::Pyv(program) => pyv::lower_with_formulas(program, formulas, kind, sources, budget)?,
        Trees::Program(programs) => {
            rml::lower_with_formulas(programs.clone(), formulas, kind, sources, includes, budget)?
        }
        Trees::Ivy(model) => {
            ivy::lower_with_formulas(model.clone(), formulas, kind, sources, includes, budget)?
        }
        Trees::Core(lines) => {
            let read = core::lower_with_formulas(lines, formulas, kind, sources, budget)?;
            return Ok(unless_errors(diagnostics, read));
        }
    };
    let (system, diagnostics) = unless_errors(diagnostics, lowered);
    Ok((system.and_then(|system| take_formulas(system, kind, formulas.len())), diagnostics))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_all_languages() {
        assert_eq!(Language::extensions("and"), ".pyv, .rml, .ivy and .core");
        assert_eq!(Format::extensions(|kind| kind == InputKind::Sat, "or"), ".cnf");
        let named = |language: Language| Language::extensions("or").contains(language.extension());
        assert!(Language::all().all(named));
    }

    #[test]
    fn rows_are_those_of_their_formats() {
        for row in &FORMATS {
            assert_eq!(row.format.descriptor().format, row.format);
            assert!(row.extensions.iter().all(|it| Format::of_name(&format!("a.{it}")) == Some(row.format)));
            if let InputKind::System(model) = row.kind {
                assert_eq!((model.language.format(), model.language.model()), (row.format, model));
            }
        }
    }
}
