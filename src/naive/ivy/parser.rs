//! Tokens and names as they are read, proofs that are read over, and included files.

use std::ops::Range;
use std::path::Path;

use super::library::library;
use super::tokens::{check_covered, is_declaration, is_name, tokens, version};
use super::tree::{Binder, Decl, DeclKind, Name};
use crate::program::grammar::{Grammar, Tokens};
use crate::refusal::{Result, refuse, uncovered};
use crate::text::{File, Files, Find};

/// How deep files may be in each other.
const MAX_OPEN: usize = 200;

/// The folder of files that are built in.
const IN_LIBRARY: &str = "<library>";

/// What is known of a program while it is read.
pub(super) struct Parser<'f> {
    files: &'f mut Files,
    find: Find<'f>,
    /// By file, its declarations.
    pub(super) read: Vec<Vec<Decl>>,
    /// The file that this is in, and those that include it.
    open: Vec<usize>,
    tokens: Tokens,
    /// The number of the version of the file after `1.`.
    pub(super) version: u32,
}

/// Returns the places that are in files that are built in.
pub(super) fn library_in(files: &Files) -> Vec<Range<usize>> {
    let built_in = files.0.iter().filter(|file| file.path.starts_with(IN_LIBRARY));
    built_in.map(|file| file.base..file.base + file.text.len() + 1).collect()
}

/// Reads the first of the files, and those that it includes. Returns the version, and the declarations of all files.
pub(super) fn parse(files: &mut Files, find: Find<'_>) -> Result<(u32, Vec<Vec<Decl>>)> {
    let (read, open, tokens) = (vec![Vec::new()], Vec::new(), Tokens::default());
    let mut parser = Parser { files, find, read, open, tokens, version: 0 };
    parser.file(0)?;
    let read = std::mem::take(&mut parser.read);
    Ok((version(&parser.files.0[0].text)?, read))
}

impl Grammar for Parser<'_> {
    fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    fn tokens_mut(&mut self) -> &mut Tokens {
        &mut self.tokens
    }
}

impl Parser<'_> {
    pub(super) fn is_name(&self, text: &str) -> bool {
        is_name(text, self.version)
    }

    pub(super) fn word(&mut self) -> Result<Name> {
        let is_name = self.is_name(&self.peek().text);
        if is_name { Ok(self.take()) } else { refuse(self.peek().at, "expected a name") }
    }

    /// Reads a name or `this`.
    pub(super) fn word_or_this(&mut self) -> Result<Name> {
        if self.is("this") { Ok(self.take()) } else { self.word() }
    }

    /// Reads a name that may have several parts.
    pub(super) fn dotted(&mut self) -> Result<Name> {
        let mut name = self.word_or_this()?;
        while self.is(".") && self.is_name(&self.ahead(1).text) {
            self.take();
            name.text = format!("{}.{}", name.text, self.word()?.text).into();
        }
        Ok(name)
    }

    pub(super) fn param(&mut self) -> Result<Binder> {
        let name = self.word()?;
        let sort = if self.eat(":") { Some(self.sort()?) } else { None };
        Ok(Binder { name, sort })
    }

    pub(super) fn params(&mut self) -> Result<Vec<Binder>> {
        self.group(Self::param)
    }

    /// Reads parameters, of which there is at least one where there are parentheses.
    pub(super) fn some_params(&mut self) -> Result<Vec<Binder>> {
        if self.is("(") && self.ahead(1).text.as_ref() == ")" {
            return refuse(self.ahead(1).at, "expected a parameter");
        }
        self.params()
    }

    pub(super) fn dots(&mut self) -> Result<()> {
        (0..3).try_for_each(|_| self.expect("."))
    }

    /// Reads a name in brackets, which may have words and numbers in its parts.
    pub(super) fn label(&mut self) -> Result<Option<Name>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let label = self.take();
        if !label.text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return refuse(label.at, "expected a name");
        }
        self.expect("]").map(|()| Some(label))
    }

    /// Reads over a proof, if there is one: steps in braces, or a single step.
    pub(super) fn proof(&mut self) -> Result<()> {
        if !self.is("proof") || self.version < 5 {
            return Ok(());
        }
        // With the name of a claim it stands by itself.
        if *self.ahead(1).text == *"[" {
            return Ok(());
        }
        let at = self.take().at;
        if self.is("{") {
            return self.steps(at);
        }
        if self.eat("if") {
            self.formula()?;
            self.steps(at)?;
            return if self.eat("else") { self.steps(at) } else { Ok(()) };
        }
        if !self.is("let") && !self.is("showgoals") {
            return uncovered(at, "proofs");
        }
        self.take();
        loop {
            let next = self.peek().text;
            match &*next {
                "(" | "[" => self.brackets()?,
                "" | "}" | ";" => return Ok(()),
                _ if is_declaration(&next, self.version) => return Ok(()),
                _ => _ = self.take(),
            }
        }
    }

    /// Reads over steps in braces, which only name values, or print.
    fn steps(&mut self, at: usize) -> Result<()> {
        let is_known = matches!(&*self.ahead(1).text, "let" | "if" | "showgoals" | "{" | "}" | ";" | "");
        let mut open = 0_usize;
        for ahead in 0.. {
            match &*self.ahead(ahead).text {
                "{" => open += 1,
                "}" if open == 1 => break,
                "}" => open -= 1,
                "" => break,
                "apply" | "instantiate" | "instance" | "assume" | "property" | "theorem" | "function"
                | "unfold" | "forget" | "defergoal" | "spoil" | "tactic" | "proof" => {
                    return uncovered(at, "proofs");
                }
                _ => {}
            }
        }
        if is_known { self.brackets() } else { uncovered(at, "proofs") }
    }

    /// Reads over a bracket, up to the one that closes it.
    pub(super) fn brackets(&mut self) -> Result<()> {
        let mut open = 0_usize;
        loop {
            let next = self.take();
            match &*next.text {
                "{" | "(" | "[" => open += 1,
                "}" | ")" | "]" => open = open.saturating_sub(1),
                "" => return refuse(next.at, "a bracket is not closed"),
                _ => {}
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn file(&mut self, file: usize) -> Result<()> {
        let File { text, base, .. } = &self.files.0[file];
        let outer_version = self.version;
        self.version = version(text).map_err(|mut reason| {
            reason.at += base;
            reason
        })?;
        let all = tokens(text, *base)?;
        check_covered(&all, self.version)?;
        let outer = (std::mem::replace(&mut self.tokens.all, all), self.tokens.next);
        self.tokens.next = 0;
        self.open.push(file);
        self.read[file] = self.decls("")?;
        self.open.pop();
        (self.tokens.all, self.tokens.next) = outer;
        self.version = outer_version;
        Ok(())
    }

    pub(super) fn include(&mut self, name: &Name) -> Result<DeclKind> {
        let path = format!("{}.ivy", name.text);
        // What a file of the library includes is looked for as if the program included it.
        let includer = self.open.last().map(|file| &self.files.0[*file].path);
        let includer = includer.filter(|path| !path.starts_with(IN_LIBRARY));
        let found = (self.find)(includer.unwrap_or(&self.files.0[0].path), &path).or_else(|| {
            let text = library(&name.text, version(&self.files.0[0].text).ok()?)?;
            Some((Path::new(IN_LIBRARY).join(path), text.to_owned()))
        });
        let Some((path, text)) = found else { return refuse(name.at, "there is no such file") };
        if let Some(known) = self.files.0.iter().position(|other| other.path == path) {
            return Ok(DeclKind::Include(known));
        }
        if self.open.len() == MAX_OPEN {
            return refuse(name.at, "nested too deep");
        }
        let file = self.read.len();
        self.files.push(path, text);
        self.read.push(Vec::new());
        self.file(file)?;
        Ok(DeclKind::Include(file))
    }
}
