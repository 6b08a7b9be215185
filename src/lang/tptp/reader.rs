//! Parser of statements: formulas with names and roles, declarations, and includes.

use super::cursor::{Cursor, Parsed, STATEMENTS, Stop, shown};

use super::lexer::{self, Token};
use super::problem::{Loaded, Role, Statement};
use super::types::outside_logic;
use super::variables::Scope;
use super::vocabulary::Vocabulary;
use crate::shared::Includes;
use crate::shared::report::{Report, suggest};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::{FileId, Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Problem, Query, TermId, Terms};

/// Maximum nesting depth of includes.
const MAX_DEPTH: usize = 100;

/// Maximum number of files read; a file read twice counts twice.
const MAX_FILES: usize = 1_000;

/// The dialect of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    Cnf,
    Fof,
    Tcf,
    Tff,
}

impl Language {
    /// Returns whether the dialect is typed.
    pub(super) fn is_typed(self) -> bool {
        matches!(self, Language::Tcf | Language::Tff)
    }

    /// Returns whether formulas are clauses.
    pub(super) fn is_clause(self) -> bool {
        matches!(self, Language::Cnf | Language::Tcf)
    }
}

/// Treatment of a formula according to its role.
#[derive(Clone, Copy)]
enum RoleUse {
    Formula(Role),
    Declaration,
    /// Formulas of this role are not supported.
    Nothing,
}

const ROLES: &[(&str, RoleUse)] = &[
    ("axiom", RoleUse::Formula(Role::Axiom)),
    ("hypothesis", RoleUse::Formula(Role::Axiom)),
    ("definition", RoleUse::Formula(Role::Axiom)),
    ("assumption", RoleUse::Formula(Role::Axiom)),
    ("lemma", RoleUse::Formula(Role::Axiom)),
    ("theorem", RoleUse::Formula(Role::Axiom)),
    ("corollary", RoleUse::Formula(Role::Axiom)),
    ("plain", RoleUse::Formula(Role::Axiom)),
    ("interpretation", RoleUse::Formula(Role::Axiom)),
    ("fi_domain", RoleUse::Formula(Role::Axiom)),
    ("fi_functors", RoleUse::Formula(Role::Axiom)),
    ("fi_predicates", RoleUse::Formula(Role::Axiom)),
    ("negated_conjecture", RoleUse::Formula(Role::NegatedConjecture)),
    ("conjecture", RoleUse::Formula(Role::Conjecture)),
    ("type", RoleUse::Declaration),
    ("logic", RoleUse::Nothing),
    ("unknown", RoleUse::Nothing),
];

/// The selection of formulas of an `include`.
struct Selection<'a> {
    names: Vec<(&'a str, Span)>,
    wanted: Set<&'a str>,
    found: Set<&'a str>,
}

/// Reader of the files of a problem.
pub(super) struct Reader<'a> {
    sources: &'a Sources,
    includes: &'a Includes,
    pub(super) cursor: Cursor<'a>,
    pub(super) vocabulary: Vocabulary<'a>,
    pub(super) terms: Terms,
    pub(super) scope: Scope<'a>,
    /// The files being read; each includes the next.
    open: Vec<FileId>,
    /// Files read without a selection, all of whose formulas are present.
    complete: Set<FileId>,
    /// The number of times that a file was read.
    files: usize,
    selections: Vec<Selection<'a>>,
    formulas: Vec<TermId>,
    hypotheses: Vec<Statement>,
    goals: Vec<TermId>,
    conjectures: Vec<Statement>,
    arithmetic: Vec<Span>,
    report: Report,
    pub(super) budget: &'a mut Budget,
    /// The exhausted budget.
    exhausted: Option<Exhausted>,
}

/// Loads a problem with the files that it includes. Returns a problem if and only if there is no error.
pub(super) fn load(
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<Loaded>, Vec<Diagnostic>), Exhausted> {
    let mut reader = Reader {
        sources,
        includes,
        cursor: Cursor::new(file, ""),
        vocabulary: Vocabulary::default(),
        terms: Terms::new(),
        scope: Scope::default(),
        open: Vec::new(),
        complete: Set::default(),
        files: 0,
        selections: Vec::new(),
        formulas: Vec::new(),
        hypotheses: Vec::new(),
        goals: Vec::new(),
        conjectures: Vec::new(),
        arithmetic: Vec::new(),
        report: Report::default(),
        budget,
        exhausted: None,
    };
    reader.file(file);
    match reader.exhausted {
        Some(exhausted) => Err(exhausted),
        None => Ok(reader.finish()),
    }
}

impl<'a> Reader<'a> {
    /// Reads a file with its includes.
    fn file(&mut self, file: FileId) {
        let text: &'a str = &self.sources[file].text;
        if u32::try_from(text.len()).is_err() {
            let what = format!("`{}` is larger than 4 GiB", self.sources[file].name);
            self.report.push(Diagnostic::error_nowhere(Code::Unreadable, what));
            return;
        }
        let outer = std::mem::replace(&mut self.cursor, Cursor::new(file, text));
        self.open.push(file);
        self.files += 1;
        while self.cursor.token != Token::End && !self.report.is_full() && self.exhausted.is_none() {
            match self.statement() {
                Ok(()) => continue,
                Err(Stop::Error(error)) => self.report.push(*error),
                Err(Stop::Arithmetic(span)) => self.arithmetic.push(span),
                Err(Stop::Exhausted(exhausted)) => self.exhausted = Some(exhausted),
                Err(Stop::Reported) => {}
            }
            self.cursor.recover();
        }
        self.open.pop();
        self.cursor = outer;
    }

    fn finish(mut self) -> (Option<Loaded>, Vec<Diagnostic>) {
        self.report.refuse_arithmetic(&self.arithmetic);
        if self.report.has_errors() {
            return (None, self.report.finish());
        }
        let sig = &self.vocabulary.sig;
        let objects: Vec<TermId> =
            self.vocabulary.distinct_objects.iter().map(|&sym| self.terms.app(sig, sym, 0, &[])).collect();
        if objects.len() > 1 {
            let differ = self.terms.distinct(&objects);
            self.formulas.push(differ);
        }
        let goal = if self.goals.is_empty() { self.terms.fals() } else { self.terms.and(&self.goals) };
        let line_of =
            |statement: &Statement| self.sources[statement.span.file].line_column(statement.span.start).0;
        let line = self.conjectures.first().map_or(1, line_of);
        let problem = Problem {
            sig: self.vocabulary.sig,
            terms: self.terms,
            queries: vec![Query::new(self.formulas, goal, line)],
        };
        let loaded = Loaded { problem, hypotheses: self.hypotheses, conjectures: self.conjectures };
        (Some(loaded), self.report.finish())
    }

    /// Returns the text at `span`.
    pub(super) fn text_of(&self, span: Span) -> &'a str {
        &self.sources[span.file].text[span.start as usize..span.end as usize]
    }

    fn statement(&mut self) -> Parsed<()> {
        let (word, span) = (self.cursor.slice(), self.cursor.span());
        if self.cursor.token != Token::LowerWord {
            return Err(self
                .cursor
                .expected("a statement: `cnf(`, `fof(`, `tff(`, `tcf(` or `include(`")
                .into());
        }
        let language = match word {
            "cnf" => Language::Cnf,
            "fof" => Language::Fof,
            "tcf" => Language::Tcf,
            "tff" => Language::Tff,
            "include" => return self.include(),
            "thf" => {
                self.cursor.advance();
                return Err(outside_logic("higher-order formulas (`thf`) are not supported", span));
            }
            _ => {
                let what = format!("expected a statement, found `{}`", shown(word));
                let error =
                    Diagnostic::error(Code::Syntax, span, what).label("no statement begins like this");
                return Err(match suggest(word, STATEMENTS.iter().copied()) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help("statements are `cnf`, `fof`, `tff` and `tcf` with a name, a role and a formula, and `include`"),
                }
                .into());
            }
        };
        self.cursor.advance();
        self.annotated(language, span)
    }

    /// Reads `(name, role, formula, annotations).`
    fn annotated(&mut self, language: Language, start: Span) -> Parsed<()> {
        self.cursor.expect(Token::LeftParen, "`(`")?;
        if !self.cursor.at_name() && !self.at_integer() {
            return Err(self.cursor.expected("a name of the formula").into());
        }
        let name = self.cursor.name();
        self.cursor.advance();
        self.cursor.expect(Token::Comma, "`,` and a role")?;
        let (used_as, role_span) = self.role()?;
        self.cursor.expect(Token::Comma, "`,` and a formula")?;
        // Selections also apply to the formulas that the file includes.
        for selection in self.selections.iter_mut().rev() {
            if !selection.wanted.contains(name) {
                // Its end has to be found, or what comes next would go with it.
                self.skip_parenthesis()?;
                return self.cursor.expect(Token::Dot, "`.` at the end of the statement");
            }
            selection.found.insert(name);
        }
        match used_as {
            RoleUse::Formula(role) => {
                if role == Role::Conjecture && language.is_clause() {
                    let what = "a clause cannot be a conjecture";
                    return Err(Diagnostic::error(Code::Syntax, role_span, what)
                        .label("not the role of a clause")
                        .help("clauses of the negated conjecture have the role `negated_conjecture`; conjectures are written in `fof` or `tff`")
                        .into());
                }
                let formula = self.formula(language)?;
                self.end()?;
                let span = self.cursor.span_from(start.start);
                let statement = Statement { name: name.to_owned(), role, span };
                if role == Role::Conjecture {
                    self.goals.push(formula);
                    self.conjectures.push(statement);
                } else {
                    self.formulas.push(formula);
                    self.hypotheses.push(statement);
                }
                Ok(())
            }
            RoleUse::Declaration if !language.is_typed() => {
                Err(Diagnostic::error(Code::Syntax, role_span, "types are declared in `tff` only")
                    .label("not the role of a formula without types")
                    .help("write `tff(name, type, symbol: type).`")
                    .into())
            }
            RoleUse::Declaration => {
                self.declaration()?;
                self.end()
            }
            RoleUse::Nothing => Err(Diagnostic::error(
                Code::Syntax,
                role_span,
                format!("formulas of the role `{}` have no meaning", self.text_of(role_span)),
            )
            .label("neither taken as true nor to be proved")
            .into()),
        }
    }

    fn role(&mut self) -> Parsed<(RoleUse, Span)> {
        let (word, span) = (self.cursor.slice(), self.cursor.span());
        if self.cursor.token != Token::LowerWord {
            return Err(self.cursor.expected("a role").into());
        }
        let Some(&(_, found)) = ROLES.iter().find(|(role, _)| *role == word) else {
            let what = format!("`{}` is not a role", shown(word));
            let error = Diagnostic::error(Code::Syntax, span, what).label("unknown role");
            return Err(match suggest(word, ROLES.iter().map(|(role, _)| *role)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help(
                    "formulas are `axiom`, `hypothesis`, `conjecture`, `negated_conjecture` and the like",
                ),
            }
            .into());
        };
        self.cursor.advance();
        Ok((found, span))
    }

    fn at_integer(&self) -> bool {
        self.cursor.token == Token::Number && self.cursor.slice().bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Reads annotations, which are ignored, and the end of a statement.
    fn end(&mut self) -> Parsed<()> {
        // A source, and a list of useful information.
        for _ in 0..2 {
            if self.cursor.eat(Token::Comma) {
                self.annotation()?;
            }
        }
        self.cursor.expect(Token::RightParen, "`)`")?;
        self.cursor.expect(Token::Dot, "`.` at the end of the statement")
    }

    /// Reads a general term: words, variables and numbers, applied, in lists, or joined by `:`.
    fn annotation(&mut self) -> Parsed<()> {
        // The closing delimiters of open parentheses and brackets.
        let mut closing = Vec::new();
        loop {
            match self.cursor.token {
                Token::LowerWord | Token::SingleQuoted => {
                    self.cursor.advance();
                    if self.cursor.eat(Token::LeftParen) {
                        closing.push(Token::RightParen);
                        continue;
                    }
                }
                Token::UpperWord | Token::Number | Token::DistinctObject => self.cursor.advance(),
                Token::DollarWord => {
                    // `$fof( .. )` contains a formula.
                    self.cursor.advance();
                    if self.cursor.eat(Token::LeftParen) {
                        self.skip_parenthesis()?;
                    }
                }
                Token::LeftBracket => {
                    self.cursor.advance();
                    if !self.cursor.eat(Token::RightBracket) {
                        closing.push(Token::RightBracket);
                        continue;
                    }
                }
                _ => return Err(self.cursor.expected("an annotation").into()),
            }
            loop {
                let Some(&close) = closing.last() else {
                    if self.cursor.eat(Token::Colon) {
                        break;
                    }
                    return Ok(());
                };
                if self.cursor.eat(close) {
                    closing.pop();
                } else if self.cursor.eat(Token::Comma) || self.cursor.eat(Token::Colon) {
                    break;
                } else {
                    let what = if close == Token::RightParen { "`,` or `)`" } else { "`,` or `]`" };
                    return Err(self.cursor.expected(what).into());
                }
            }
        }
    }

    /// Skips to after the parenthesis that closes the one before the current token.
    fn skip_parenthesis(&mut self) -> Parsed<()> {
        let mut open = 1;
        while open > 0 {
            match self.cursor.token {
                Token::LeftParen => open += 1,
                Token::RightParen => open -= 1,
                Token::End | Token::Dot | Token::Bad(_) => return Err(self.cursor.expected("`)`").into()),
                _ => {}
            }
            self.cursor.advance();
        }
        Ok(())
    }

    /// Reads `include('file')` or `include('file', [names])`, and then that file.
    fn include(&mut self) -> Parsed<()> {
        self.cursor.advance();
        self.cursor.expect(Token::LeftParen, "`(`")?;
        let (text, span) = (self.cursor.slice(), self.cursor.span());
        self.cursor.expect(Token::SingleQuoted, "the name of a file in single quotes")?;
        let names = if self.cursor.eat(Token::Comma) && !self.cursor.eat(Token::Star) {
            Some(self.selected()?)
        } else {
            None
        };
        self.cursor.expect(Token::RightParen, "`)`")?;
        self.cursor.expect(Token::Dot, "`.` at the end of the statement")?;
        let path = lexer::unquoted(text);
        // The statement is complete, so the following text must not be skipped because of later errors.
        if let Err(error) = self.include_file(&path, span, names) {
            self.report.push(error);
        }
        Ok(())
    }

    fn include_file(
        &mut self,
        path: &str,
        span: Span,
        names: Option<Vec<(&'a str, Span)>>,
    ) -> Result<(), Diagnostic> {
        let refuse = |code: Code, why: String| {
            let what = format!("the file `{}` cannot be included: {why}", shown(path));
            Diagnostic::error(code, span, what).label("included here")
        };
        let file = self.includes.resolve(self.cursor.file, path).map_err(|why| refuse(Code::Module, why))?;
        if self.open.contains(&file) {
            return Err(refuse(Code::Module, "it includes this one".into()));
        }
        if self.open.len() >= MAX_DEPTH {
            let why = format!("files include each other more than {MAX_DEPTH} levels deep");
            return Err(refuse(Code::TooDeep, why));
        }
        if self.files >= MAX_FILES {
            return Err(refuse(Code::TooDeep, format!("more than {MAX_FILES} files are read")));
        }
        match names {
            Some(names) => {
                let wanted = names.iter().map(|&(name, _)| name).collect();
                self.selections.push(Selection { names, wanted, found: Set::default() });
                self.file(file);
                let Some(selection) = self.selections.pop() else { return Ok(()) };
                let missing = selection.names.iter().find(|(name, _)| !selection.found.contains(name));
                missing.map_or(Ok(()), |&(name, place)| {
                    let what = format!("`{}` has no formula `{}`", shown(path), shown(name));
                    Err(Diagnostic::error(Code::Undeclared, place, what).label("selected here"))
                })
            }
            None => {
                // Reading the file again would only repeat its formulas.
                if !self.selections.is_empty() || self.complete.insert(file) {
                    self.file(file);
                }
                Ok(())
            }
        }
    }

    /// Reads a list of names.
    fn selected(&mut self) -> Parsed<Vec<(&'a str, Span)>> {
        self.cursor.expect(Token::LeftBracket, "`[` and names of formulas")?;
        let mut names = Vec::new();
        loop {
            if !self.cursor.at_name() && !self.at_integer() {
                return Err(self.cursor.expected("a name of a formula").into());
            }
            names.push((self.cursor.name(), self.cursor.span()));
            self.cursor.advance();
            if !self.cursor.eat(Token::Comma) {
                break;
            }
        }
        self.cursor.expect(Token::RightBracket, "`,` or `]`")?;
        Ok(names)
    }
}
