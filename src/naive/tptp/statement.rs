//! Statements, types and included files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::lexer::{Kind, Token, tokens};
use crate::closed::{Budget, Closed, joined, truth};
use crate::problem::{Problem, deeper};
use crate::refusal::{Reason, Refusal, Result, line, refuse};
use crate::text::Find;

/// How many files may be open at a time, and how many may be read.
const MAX_OPEN: usize = 100;
const MAX_FILES: usize = 1_000;

/// The roles of what is taken as true.
const ASSUMED: &str = "axiom hypothesis definition assumption lemma theorem corollary plain interpretation fi_domain \
    fi_functors fi_predicates negated_conjecture";

/// A type: `$tType`, `$o`, or a sort by its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basic {
    Kind,
    Truth,
    Sort(usize),
}

/// Types with `*` between them, and the one behind `>`.
type Mapping = (Vec<Basic>, Option<Basic>);

/// What is known of a problem.
pub(super) struct Reader<'f> {
    find: Find<'f>,
    pub(super) problem: Problem,
    /// Declared names: types by their numbers, symbols by their places.
    pub(super) types: BTreeMap<String, usize>,
    pub(super) declared: BTreeMap<String, usize>,
    /// Symbols that are not declared: their names, numbers of arguments, and whether they are functions.
    pub(super) used: BTreeMap<(String, usize, bool), usize>,
    pub(super) objects: BTreeMap<String, usize>,
    /// The sort `$i`.
    individuals: Option<usize>,
    hypotheses: Vec<usize>,
    goals: Vec<Closed>,
    /// The line of the first conjecture.
    line: usize,
    /// The files that are open, and those that were read, with those that were included whole.
    open: Vec<PathBuf>,
    files: usize,
    whole: BTreeSet<PathBuf>,
    /// The names that are wanted of the files that are open, and whether there are such formulas.
    wanted: Vec<BTreeMap<String, bool>>,
}

/// A file, and where in it the next token is.
pub(super) struct Parser<'r, 'f, 't> {
    pub(super) reader: &'r mut Reader<'f>,
    pub(super) tokens: Vec<Token<'t>>,
    pub(super) next: usize,
    pub(super) nesting: usize,
    /// `cnf`, `fof`, `tff` or `tcf`.
    pub(super) language: &'t str,
    /// Where a clause may have a quantifier: the next token, as long as it is in front of the clause.
    pub(super) front: usize,
    /// Variables, the innermost one last, with their sorts. So many of them, the first ones, are those of a clause.
    pub(super) scope: Vec<(&'t str, usize)>,
    pub(super) implicit: usize,
    pub(super) budget: Budget,
}

pub(super) fn core(path: &Path, text: &str, find: Find<'_>) -> std::result::Result<String, Refusal> {
    let mut reader = Reader {
        find,
        problem: Problem::default(),
        types: BTreeMap::new(),
        declared: BTreeMap::new(),
        used: BTreeMap::new(),
        objects: BTreeMap::new(),
        individuals: None,
        hypotheses: Vec::new(),
        goals: Vec::new(),
        line: 1,
        open: vec![path.canonicalize().unwrap_or_else(|_| path.to_owned())],
        files: 1,
        whole: BTreeSet::new(),
        wanted: Vec::new(),
    };
    reader.file(text)?;
    reader.finish().map_err(|reason| Refusal::new(text, reason))
}

impl Reader<'_> {
    /// Reads the statements of a file.
    fn file(&mut self, text: &str) -> std::result::Result<(), Refusal> {
        let read = |reader: &mut Self| {
            let tokens = tokens(text)?;
            let mut parser = Parser {
                reader,
                tokens,
                next: 0,
                nesting: 0,
                language: "",
                front: 0,
                scope: Vec::new(),
                implicit: 0,
                budget: Budget::of_problem(0),
            };
            while parser.next + 1 < parser.tokens.len() {
                parser.statement(text)?;
            }
            Ok(())
        };
        read(self).map_err(|reason| Refusal::new(text, reason))
    }

    /// Asks the question of the problem.
    fn finish(mut self) -> Result<String> {
        if self.objects.len() > 1 {
            let mut objects: Vec<usize> = self.objects.into_values().collect();
            objects.sort_unstable();
            let objects = objects.into_iter().map(|object| self.problem.applied(object, Vec::new()));
            let distinct = Budget::of_problem(0).distinct(&objects.collect::<Vec<_>>())?;
            self.hypotheses.push(self.problem.hypothesis(&distinct));
        }
        let goal = if self.goals.is_empty() { truth(false) } else { joined("&", self.goals) };
        self.problem.query(self.line, &self.hypotheses, &goal);
        Ok(self.problem.text())
    }

    /// Returns the sort `$i`.
    pub(super) fn individuals(&mut self) -> usize {
        *self.individuals.get_or_insert_with(|| self.problem.sort("$i"))
    }

    /// Returns whether a formula of this name is wanted of the files that are open.
    fn takes(&mut self, name: &str) -> bool {
        self.wanted.iter_mut().rev().all(|names| match names.get_mut(name) {
            Some(found) => {
                *found = true;
                true
            }
            None => false,
        })
    }
}

impl<'t> Parser<'_, '_, 't> {
    pub(super) fn peek(&self) -> Token<'t> {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.peek().text == text
    }

    pub(super) fn take(&mut self) -> Token<'t> {
        self.next += 1;
        self.tokens[(self.next - 1).min(self.tokens.len() - 1)]
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { refuse(self.peek().at, format!("expected `{text}`")) }
    }

    /// Counts a level of nesting.
    pub(super) fn deeper(&mut self) -> Result<()> {
        let at = self.peek().at;
        deeper(&mut self.nesting, at)
    }

    /// Reads items with commas between them, in parentheses.
    pub(super) fn group<T>(&mut self, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect("(")?;
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        self.expect(")").map(|()| items)
    }

    /// Reads a name, or digits if they `may_be` there. Quotes that it does not need are no part of it.
    pub(super) fn name(&mut self, digits_may_be: bool) -> Result<String> {
        let Token { kind, text, at } = self.take();
        match kind {
            Kind::Word => Ok(text.to_owned()),
            Kind::Digits if digits_may_be => Ok(text.to_owned()),
            Kind::Quoted => {
                let inner = &text[1..text.len() - 1];
                let is_word = inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                let is_word = is_word && inner.starts_with(|c: char| c.is_ascii_lowercase());
                Ok(if is_word { inner } else { text }.to_owned())
            }
            _ => refuse(at, "expected a name"),
        }
    }

    fn statement(&mut self, text: &str) -> Result<()> {
        let language = self.take();
        self.language = language.text;
        match language.text {
            "include" => self.include(),
            "cnf" | "fof" | "tff" | "tcf" => self.annotated(language.at, text),
            _ => refuse(language.at, "expected `cnf`, `fof`, `tff`, `tcf` or `include`"),
        }
    }

    fn end(&mut self) -> Result<()> {
        self.expect(")").and_then(|()| self.expect("."))
    }

    fn include(&mut self) -> Result<()> {
        self.expect("(")?;
        let Token { kind, text, at } = self.take();
        if kind != Kind::Quoted {
            return refuse(at, "expected the name of a file in single quotes");
        }
        let parts = text[1..text.len() - 1].split("\\\\");
        let name = parts.map(|part| part.replace("\\'", "'")).collect::<Vec<_>>().join("\\");
        let mut wanted = None;
        if self.eat(",") && !self.eat("*") {
            self.expect("[")?;
            let mut names = vec![self.name(true)?];
            while self.eat(",") {
                names.push(self.name(true)?);
            }
            self.expect("]")?;
            wanted = Some(names);
        }
        self.end()?;
        let reader = &mut *self.reader;
        let includer = reader.open.last().cloned().unwrap_or_default();
        let Some((path, included)) = (reader.find)(&includer, &name) else {
            return refuse(at, format!("there is no file `{name}`"));
        };
        let is_whole = wanted.is_none() && reader.wanted.is_empty();
        if is_whole && reader.whole.contains(&path) {
            return Ok(());
        }
        reader.files += 1;
        if reader.open.contains(&path) || reader.open.len() > MAX_OPEN || reader.files > MAX_FILES {
            return refuse(at, format!("`{name}` includes itself, or too many files are included"));
        }
        let is_selected = wanted.is_some();
        reader.wanted.extend(wanted.map(|names| names.into_iter().map(|name| (name, false)).collect()));
        reader.open.push(path.clone());
        let there = |it: Refusal| {
            Reason::new(at, format!("{}:{}:{}: {}", path.display(), it.line, it.column, it.what))
        };
        reader.file(&included).map_err(there)?;
        reader.open.pop();
        if is_whole {
            reader.whole.insert(path);
        }
        let wanted = if is_selected { reader.wanted.pop() } else { None };
        match wanted.iter().flatten().find(|(_, is_found)| !**is_found) {
            Some((missing, _)) => refuse(at, format!("`{name}` has no formula `{missing}`")),
            None => Ok(()),
        }
    }

    /// Reads a formula or a declaration with its name and role.
    fn annotated(&mut self, at: usize, text: &str) -> Result<()> {
        self.expect("(")?;
        let name = self.name(true)?;
        self.expect(",")?;
        let role = self.take();
        self.expect(",")?;
        let is_typed = matches!(self.language, "tff" | "tcf");
        let is_clause = matches!(self.language, "cnf" | "tcf");
        let is_role = match role.text {
            "type" => is_typed,
            "conjecture" => !is_clause,
            text => ASSUMED.split(' ').any(|role| role == text),
        };
        if role.kind != Kind::Word {
            return refuse(role.at, "expected a role");
        }
        if !self.reader.takes(&name) {
            return self.over().and_then(|()| self.expect("."));
        }
        if !is_role {
            return refuse(role.at, "expected a role that has a meaning here");
        }
        if role.text == "type" {
            self.declared()?;
        } else {
            self.budget = Budget::of_problem(at);
            let closed = if is_clause { self.clause()? } else { self.formula()? };
            if role.text == "conjecture" {
                if self.reader.goals.is_empty() {
                    self.reader.line = line(text, at);
                }
                self.reader.goals.push(closed);
            } else {
                let hypothesis = self.reader.problem.hypothesis(&closed);
                self.reader.hypotheses.push(hypothesis);
            }
        }
        if self.eat(",") {
            self.general()?;
            if self.eat(",") {
                self.general()?;
            }
        }
        self.end()
    }

    /// Reads over what is up to the end of this pair of parentheses.
    fn over(&mut self) -> Result<()> {
        let mut open = 1;
        while open > 0 {
            let token = self.take();
            match token.text {
                "(" => open += 1,
                ")" => open -= 1,
                "" => return refuse(token.at, "the formula has no end"),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads over a general term.
    fn general(&mut self) -> Result<()> {
        self.deeper()?;
        let token = self.take();
        match token.kind {
            Kind::Word | Kind::Quoted if self.is("(") => {
                self.group(Self::general)?;
            }
            Kind::Dollar if self.eat("(") => {
                self.over()?;
            }
            Kind::Sign if token.text == "[" => {
                if !self.is("]") {
                    self.general()?;
                    while self.eat(",") {
                        self.general()?;
                    }
                }
                self.expect("]")?;
            }
            Kind::Sign => return refuse(token.at, "expected an annotation"),
            _ => {}
        }
        if self.eat(":") {
            self.general()?;
        }
        self.nesting -= 1;
        Ok(())
    }

    /// Reads a declaration.
    fn declared(&mut self) -> Result<()> {
        if self.eat("(") {
            self.deeper()?;
            self.declared()?;
            self.nesting -= 1;
            return self.expect(")");
        }
        let at = self.peek().at;
        let name = self.name(false)?;
        self.expect(":")?;
        let mapping = self.mapping()?;
        let reader = &mut *self.reader;
        let is_used = reader.used.keys().any(|(used, ..)| *used == name);
        let (known_type, known) = (reader.types.get(&name), reader.declared.get(&name));
        let sorts = |types: &[Basic]| {
            let sort = |it: &Basic| if let Basic::Sort(sort) = it { Some(*sort) } else { None };
            types.iter().map(sort).collect::<Option<Vec<usize>>>()
        };
        let (args, result) = match &mapping {
            (types, None) if types[..] == [Basic::Kind] => {
                if is_used || known.is_some() {
                    return refuse(at, format!("`{name}` is no type already"));
                }
                if known_type.is_none() {
                    let sort = reader.problem.sort(&name);
                    reader.types.insert(name, sort);
                }
                return Ok(());
            }
            (types, None) if types.len() == 1 => (Some(Vec::new()), types[0]),
            (types, Some(result)) => (sorts(types), *result),
            _ => (None, Basic::Kind),
        };
        let (Some(args), false) = (args, result == Basic::Kind) else {
            return refuse(at, "this is no type of functions or relations");
        };
        let result = if let Basic::Sort(sort) = result { Some(sort) } else { None };
        let is_same = known.is_none_or(|known| {
            let known = &reader.problem.symbols[*known];
            known.args == args && known.result == result
        });
        if is_used || known_type.is_some() || !is_same {
            return refuse(at, format!("`{name}` has another meaning already"));
        }
        if known.is_none() {
            let symbol = reader.problem.symbol(&name, args, result);
            reader.declared.insert(name, symbol);
        }
        Ok(())
    }

    /// Reads a type, perhaps with arguments.
    fn mapping(&mut self) -> Result<Mapping> {
        let at = self.peek().at;
        let left = self.product()?;
        if !self.eat(">") {
            return Ok(left);
        }
        match (left, self.product()?) {
            ((args, None), (result, None)) if result.len() == 1 => Ok((args, Some(result[0]))),
            _ => refuse(at, "functions of functions have no closed form"),
        }
    }

    fn product(&mut self) -> Result<Mapping> {
        let at = self.peek().at;
        if !self.eat("(") {
            return Ok((vec![self.basic()?], None));
        }
        self.deeper()?;
        let mut inner = self.mapping()?;
        while self.eat("*") {
            match (&mut inner, self.mapping()?) {
                ((types, None), (more, None)) if more.len() == 1 => types.extend(more),
                _ => return refuse(at, "expected types with `*` between them"),
            }
        }
        self.nesting -= 1;
        self.expect(")").map(|()| inner)
    }

    fn basic(&mut self) -> Result<Basic> {
        let token = self.peek();
        match token.text {
            "$tType" | "$o" | "$i" => self.next += 1,
            _ => {
                let name = self.name(false)?;
                let sort = self.reader.types.get(&name).copied();
                let undeclared = || Reason::new(token.at, format!("the type `{name}` is not declared"));
                return sort.map(Basic::Sort).ok_or_else(undeclared);
            }
        }
        match token.text {
            "$tType" => Ok(Basic::Kind),
            "$o" => Ok(Basic::Truth),
            _ => Ok(Basic::Sort(self.reader.individuals())),
        }
    }

    /// Reads the sort of a variable.
    pub(super) fn sort(&mut self) -> Result<usize> {
        let at = self.peek().at;
        match self.product()? {
            (types, None) => match types[..] {
                [Basic::Sort(sort)] => Ok(sort),
                _ => refuse(at, "variables are elements of a type"),
            },
            _ => refuse(at, "variables are elements of a type"),
        }
    }
}
