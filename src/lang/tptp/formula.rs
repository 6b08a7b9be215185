//! Parser of formulas and terms. Incomplete parts (parentheses, quantifiers, chains of `&`, arguments) are on an
//! explicit stack.

use super::cursor::{Parsed, Stop, shown};
use super::lexer::Token;
use super::reader::{Language, Reader};
use super::types::outside_logic;
use super::vocabulary::{NO_FORMULAS, Value, Wanted};
use crate::base::hash::Map;
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
use crate::lang::shared::report::suggest;
use crate::logic::{SortId, TermId, VarId};

/// Maximum nesting depth of formulas, not counting parentheses. The conjunction of all conjectures is one level deeper,
/// and the kernel reads 2,000 levels.
pub(super) const MAX_DEPTH: usize = 1_999;

/// Supported defined words in formulas.
const DEFINED: &[&str] = &["$true", "$false", "$distinct", "$ite"];

/// Defined words of arithmetic.
const ARITHMETIC: &[&str] = &[
    "$less",
    "$lesseq",
    "$greater",
    "$greatereq",
    "$is_int",
    "$is_rat",
    "$is_real",
    "$uminus",
    "$sum",
    "$difference",
    "$product",
    "$quotient",
    "$quotient_e",
    "$quotient_t",
    "$quotient_f",
    "$remainder_e",
    "$remainder_t",
    "$remainder_f",
    "$floor",
    "$ceiling",
    "$truncate",
    "$round",
    "$to_int",
    "$to_rat",
    "$to_real",
    "$abs",
];

/// The head of an application.
#[derive(Clone, Copy)]
enum Head<'a> {
    Symbol(&'a str),
    Distinct,
    Ite,
}

/// An incomplete part, which expects an operand.
enum Frame<'a> {
    Paren,
    Not,
    /// A quantifier, with the previous meanings of its variables' names.
    Quantifier {
        universal: bool,
        vars: Vec<(&'a str, VarId, Option<VarId>)>,
    },
    /// A connective, with the operands so far.
    Connective {
        connective: Token,
        operands: Vec<TermId>,
    },
    /// `=` or `!=`, with the left side.
    Equation {
        left: Value,
        negated: bool,
    },
    /// An application of the name at `name`, with the arguments so far.
    Apply {
        head: Head<'a>,
        name: Span,
        args: Vec<Value>,
        wanted: Wanted,
    },
}

/// The stack of frames with their starts.
type Stack<'a> = Vec<(Frame<'a>, u32)>;

/// The variables in scope.
#[derive(Default)]
pub(super) struct Scope<'a> {
    vars: Map<&'a str, VarId>,
    /// Whether anything other than parentheses and `!` has been read.
    behind_head: bool,
    /// Variables bound implicitly by the whole clause.
    implicit: Vec<(&'a str, VarId)>,
    /// Variables of completed quantifiers, and their ends.
    closed: Vec<(&'a str, Span)>,
    /// Whether the `$ite` at a position is a side of an equation, as far as looked up.
    sides: Map<u32, bool>,
}

impl<'a> Reader<'a> {
    /// Reads a formula of `language`. The result is closed.
    pub(super) fn formula(&mut self, language: Language) -> Parsed<TermId> {
        self.scope = Scope::default();
        let start = self.cursor.start;
        let mut stack = Vec::new();
        let value = loop {
            if let Some(value) = self.operand(&mut stack, language)?
                && let Some(done) = self.reduce(&mut stack, value, language)?
            {
                break done;
            }
        };
        if !matches!(self.cursor.token, Token::Comma | Token::RightParen) {
            return Err(self.cursor.expected("a connective or `)`").into());
        }
        let vars: Vec<VarId> = self.scope.implicit.iter().map(|&(_, var)| var).collect();
        let closed = self.terms.forall(&vars, value.term);
        Ok(self.checked_value(closed, start)?.term)
    }

    /// Reads up to the end of an operand of the innermost frame, or pushes a frame.
    fn operand(&mut self, stack: &mut Stack<'a>, language: Language) -> Parsed<Option<Value>> {
        self.budget.spend(1).map_err(Stop::Exhausted)?;
        let wanted = self.wanted(stack);
        let (token, start, span) = (self.cursor.token, self.cursor.start, self.cursor.span());
        let expected = if wanted == Wanted::Term { "a term" } else { "a formula" };
        self.scope.behind_head |= !matches!(token, Token::LeftParen | Token::Forall);
        match token {
            Token::LowerWord | Token::SingleQuoted => {
                let name = self.cursor.name();
                self.cursor.advance();
                if self.cursor.eat(Token::LeftParen) {
                    let frame =
                        Frame::Apply { head: Head::Symbol(name), name: span, args: Vec::new(), wanted };
                    stack.push((frame, start));
                    return Ok(None);
                }
                self.symbol(name, span, &[], wanted, start).map(Some)
            }
            Token::UpperWord => {
                let term = self.variable(language)?;
                self.checked_value(term, start).map(Some)
            }
            Token::DistinctObject => {
                let term = self.vocabulary.distinct_object(&mut self.terms, self.cursor.slice());
                self.cursor.advance();
                self.checked_value(term, start).map(Some)
            }
            Token::DollarWord => self.defined(stack, language, wanted),
            Token::Number => Err(Stop::Arithmetic(span)),
            Token::Not | Token::Forall | Token::Exists | Token::LeftParen if wanted == Wanted::Term => {
                Err(self.cursor.expected(expected).help(NO_FORMULAS).into())
            }
            Token::Not => {
                self.cursor.advance();
                stack.push((Frame::Not, start));
                Ok(None)
            }
            Token::LeftParen => {
                self.cursor.advance();
                stack.push((Frame::Paren, start));
                Ok(None)
            }
            Token::Forall | Token::Exists => {
                if language == Language::Cnf {
                    return Err(not_a_clause(
                        span,
                        "a clause is about all of its variables; there are no quantifiers",
                    ));
                }
                if language == Language::Tcf && self.scope.behind_head {
                    return Err(not_a_clause(
                        span,
                        "the only quantifiers of a clause are `!` in front of it",
                    ));
                }
                self.cursor.advance();
                let vars = self.bound(language)?;
                stack.push((Frame::Quantifier { universal: token == Token::Forall, vars }, start));
                Ok(None)
            }
            Token::ForallTypes => Err(outside_logic("polymorphic types are not supported", span)),
            Token::LeftBracket if language.is_typed() => Err(outside_logic("tuples are not supported", span)),
            _ => Err(self.cursor.expected(expected).into()),
        }
    }

    /// Returns what the innermost frame expects.
    fn wanted(&self, stack: &Stack<'a>) -> Wanted {
        match stack.last() {
            Some((Frame::Equation { .. }, _)) => Wanted::Term,
            Some((Frame::Apply { head: Head::Ite, args, wanted, .. }, _)) => match args[..] {
                [] => Wanted::Formula,
                [_, first, ..] if self.is_formula(first) => Wanted::Formula,
                [_, _, ..] => Wanted::Term,
                [_] if *wanted == Wanted::Term => Wanted::Term,
                [_] => Wanted::Either,
            },
            Some((Frame::Apply { .. }, _)) => Wanted::Term,
            _ => Wanted::Formula,
        }
    }

    fn is_formula(&self, value: Value) -> bool {
        self.terms.sort(value.term) == SortId::BOOL
    }

    /// Completes all frames that end after an operand. Returns the value of the whole formula, or `None` if another
    /// operand follows.
    fn reduce(
        &mut self,
        stack: &mut Stack<'a>,
        mut value: Value,
        language: Language,
    ) -> Parsed<Option<Value>> {
        loop {
            let token = self.cursor.token;
            if matches!(token, Token::Equal | Token::NotEqual)
                && !self.is_formula(value)
                && self.wanted(stack) != Wanted::Term
            {
                self.cursor.advance();
                let frame = Frame::Equation { left: value, negated: token == Token::NotEqual };
                stack.push((frame, value.span.start));
                return Ok(None);
            }
            let Some((frame, start)) = stack.pop() else {
                self.need_formula(value)?;
                if !is_connective(token) {
                    return Ok(Some(value));
                }
                return self.connect(stack, value, language);
            };
            let term = match frame {
                Frame::Equation { left, negated } => self.equation(left, value, negated)?,
                Frame::Not => {
                    self.need_formula(value)?;
                    self.terms.not(value.term)
                }
                Frame::Quantifier { universal, vars } => {
                    self.need_formula(value)?;
                    let bound: Vec<VarId> = vars.iter().map(|&(_, var, _)| var).collect();
                    self.unbind(vars, self.cursor.span_from(start));
                    let body = value.term;
                    if universal { self.terms.forall(&bound, body) } else { self.terms.exists(&bound, body) }
                }
                Frame::Connective { connective, mut operands } => {
                    self.need_formula(value)?;
                    operands.push(value.term);
                    if is_connective(token) {
                        if token != connective || !matches!(token, Token::And | Token::Or) {
                            return Err(self.ambiguous(connective));
                        }
                        self.cursor.advance();
                        stack.push((Frame::Connective { connective, operands }, start));
                        return Ok(None);
                    }
                    self.connected(connective, &operands)
                }
                Frame::Paren => {
                    self.need_formula(value)?;
                    if is_connective(token) {
                        stack.push((Frame::Paren, start));
                        return self.connect(stack, value, language);
                    }
                    if !self.cursor.eat(Token::RightParen) {
                        let open = Span { file: self.cursor.file, start, end: start + 1 };
                        let error = self.cursor.expected("a connective or `)`");
                        return Err(error.also(open, "opened here").into());
                    }
                    value.term
                }
                Frame::Apply { head, name, mut args, wanted } => {
                    let is_ite = matches!(head, Head::Ite);
                    if is_ite && self.is_formula(value) && is_connective(token) {
                        stack.push((Frame::Apply { head, name, args, wanted }, start));
                        return self.connect(stack, value, language);
                    }
                    if is_ite && args.is_empty() {
                        self.need_formula(value)?;
                    }
                    args.push(value);
                    let is_full = is_ite && args.len() == 3;
                    if !is_full && self.cursor.eat(Token::Comma) {
                        stack.push((Frame::Apply { head, name, args, wanted }, start));
                        return Ok(None);
                    }
                    let end = match (is_ite, is_full) {
                        (false, _) => "`,` or `)`",
                        (true, false) => "`,`: a condition and two values",
                        (true, true) => "`)`",
                    };
                    if is_ite && !is_full {
                        return Err(self.cursor.expected(end).into());
                    }
                    if !self.cursor.eat(Token::RightParen) {
                        let error = self.cursor.expected(end);
                        let is_formula =
                            is_connective(token) || matches!(token, Token::Equal | Token::NotEqual);
                        return Err(if is_formula { error.help(NO_FORMULAS).into() } else { error.into() });
                    }
                    match head {
                        Head::Symbol(symbol) => {
                            value = self.symbol(symbol, name, &args, wanted, start)?;
                            continue;
                        }
                        Head::Distinct => self.distinct(&args)?,
                        Head::Ite => self.ite(&args)?,
                    }
                }
            };
            value = self.checked_value(term, start)?;
        }
    }

    /// Continues after a connective.
    fn connect(&mut self, stack: &mut Stack<'a>, left: Value, language: Language) -> Parsed<Option<Value>> {
        let connective = self.cursor.token;
        if language.is_clause() && connective != Token::Or {
            return Err(not_a_clause(
                self.cursor.span(),
                "a clause is a disjunction `|` of atoms and negated atoms",
            ));
        }
        self.cursor.advance();
        stack.push((Frame::Connective { connective, operands: vec![left.term] }, left.span.start));
        Ok(None)
    }

    fn connected(&mut self, connective: Token, operands: &[TermId]) -> TermId {
        let terms = &mut self.terms;
        match (connective, operands) {
            (Token::And, _) => terms.and(operands),
            (Token::Implies, &[a, b]) | (Token::ImpliedBy, &[b, a]) => terms.implies(a, b),
            (Token::Iff, &[a, b]) => terms.iff(a, b),
            (Token::Xor, &[a, b]) => {
                let iff = terms.iff(a, b);
                terms.not(iff)
            }
            (Token::Nand, _) => {
                let and = terms.and(operands);
                terms.not(and)
            }
            (Token::Nor, _) => {
                let or = terms.or(operands);
                terms.not(or)
            }
            _ => terms.or(operands),
        }
    }

    /// Returns the error about two adjacent connectives without parentheses.
    fn ambiguous(&self, before: Token) -> Stop {
        let sign = self.cursor.slice();
        let what = if before == self.cursor.token {
            format!("`{sign}` takes two formulas, so parentheses are needed here")
        } else {
            format!("parentheses are needed where `{sign}` follows another connective")
        };
        Diagnostic::error(Code::Syntax, self.cursor.span(), what)
            .label("which one is inside is not clear")
            .help("only `&` with `&` and `|` with `|` go without: `(a & b) => c`")
            .into()
    }

    /// Applies a symbol that starts at `start`. Whether it is a relation may depend on the following tokens.
    fn symbol(
        &mut self,
        symbol: &'a str,
        span: Span,
        args: &[Value],
        wanted: Wanted,
        start: u32,
    ) -> Parsed<Value> {
        let is_side = matches!(self.cursor.token, Token::Equal | Token::NotEqual);
        let wanted = if is_side { Wanted::Term } else { wanted };
        let term = self.vocabulary.apply(&mut self.terms, symbol, span, args, wanted)?;
        self.checked_value(term, start)
    }

    fn defined(
        &mut self,
        stack: &mut Stack<'a>,
        language: Language,
        wanted: Wanted,
    ) -> Parsed<Option<Value>> {
        let (word, start, span) = (self.cursor.slice(), self.cursor.start, self.cursor.span());
        let head = match word {
            "$true" | "$false" if wanted != Wanted::Term => {
                self.cursor.advance();
                let term = if word == "$true" { self.terms.tru() } else { self.terms.fals() };
                return self.checked_value(term, start).map(Some);
            }
            "$distinct" if wanted != Wanted::Term => Head::Distinct,
            "$ite" if language.is_typed() => Head::Ite,
            "$true" | "$false" | "$distinct" => {
                return Err(self.cursor.expected("a term").help(NO_FORMULAS).into());
            }
            "$ite" => {
                return Err(self.cursor.expected("a formula").help("`$ite` belongs to `tff`").into());
            }
            "$let" | "$let_tt" | "$let_tf" | "$let_ft" | "$let_ff" => {
                return Err(outside_logic("`$let` is not supported", span));
            }
            _ if ARITHMETIC.contains(&word) => return Err(Stop::Arithmetic(span)),
            _ if word.starts_with("$$") => {
                return Err(outside_logic("words that begin with `$$` belong to other systems", span));
            }
            _ => {
                let what = format!("`{}` is not a word of TPTP that is known here", shown(word));
                let error = Diagnostic::error(Code::Undeclared, span, what).label("unknown");
                return Err(match suggest(word, DEFINED.iter().copied()) {
                    Some(near) => error.help(format!("did you mean `{near}`?")).into(),
                    None => error.into(),
                });
            }
        };
        let wanted = if matches!(head, Head::Ite) && self.is_side(start) { Wanted::Term } else { wanted };
        self.cursor.advance();
        self.cursor.expect(Token::LeftParen, "`(`")?;
        stack.push((Frame::Apply { head, name: span, args: Vec::new(), wanted }, start));
        Ok(None)
    }

    /// Returns whether the `$ite` at the current token, at position `start`, is a side of an equation.
    fn is_side(&mut self, start: u32) -> bool {
        if !self.scope.sides.contains_key(&start) {
            self.scope.sides.extend(self.cursor.sides());
        }
        self.scope.sides.get(&start).copied().unwrap_or(false)
    }

    fn equation(&mut self, left: Value, right: Value, negated: bool) -> Parsed<TermId> {
        self.need_same(left, right, "both sides of an equation are of one type")?;
        let equal = self.terms.eq(left.term, right.term);
        Ok(if negated { self.terms.not(equal) } else { equal })
    }

    fn distinct(&mut self, args: &[Value]) -> Parsed<TermId> {
        for &arg in &args[1..] {
            self.need_same(args[0], arg, "what `$distinct` compares is of one type")?;
        }
        let args: Vec<TermId> = args.iter().map(|arg| arg.term).collect();
        Ok(self.terms.distinct(&args))
    }

    fn ite(&mut self, args: &[Value]) -> Parsed<TermId> {
        let &[condition, positive, negative] = args else { return Err(self.cursor.expected("`)`").into()) };
        self.need_same(positive, negative, "both values of `$ite` are of one type")?;
        Ok(self.terms.ite(condition.term, positive.term, negative.term))
    }

    /// Reads a variable. It must be bound, except in a clause, which binds it implicitly.
    fn variable(&mut self, language: Language) -> Parsed<TermId> {
        let (name, span) = (self.cursor.slice(), self.cursor.span());
        self.cursor.advance();
        if self.cursor.token == Token::LeftParen {
            let what = format!("`{}` is a variable and takes no arguments", shown(name));
            return Err(Diagnostic::error(Code::Syntax, span, what)
                .label("a variable, by its capital letter")
                .help("names of functions and relations begin with a lower-case letter, or are in single quotes")
                .into());
        }
        if let Some(&var) = self.scope.vars.get(name) {
            return Ok(self.terms.var(var));
        }
        if language.is_clause() {
            let sort = self.vocabulary.individual();
            let var = self.new_var(name, sort, span);
            self.scope.vars.insert(name, var);
            self.scope.implicit.push((name, var));
            return Ok(self.terms.var(var));
        }
        let what = format!("the variable `{}` is not bound here", shown(name));
        let error = Diagnostic::error(Code::Undeclared, span, what).label("no quantifier binds it");
        let name = shown(name);
        Err(match self.scope.closed.iter().rev().find(|(closed, _)| *closed == self.text_of(span)) {
            Some(&(_, closed)) => error
                .also(closed, "a quantifier reaches over the next formula only: this is all of it")
                .help(format!("put parentheses around what it is about: `! [{name}] : ( .. )`")),
            None => error.help(format!(
                "formulas are closed: `! [{name}] : ( .. )` is about all `{name}`, `? [{name}] : ( .. )` about some"
            )),
        }
        .into())
    }

    fn new_var(&mut self, name: &str, sort: SortId, span: Span) -> VarId {
        let var = self.terms.new_var(name, sort);
        self.terms.locate_var(var, span);
        var
    }

    /// Reads `[X, Y: t] :` and binds the variables.
    fn bound(&mut self, language: Language) -> Parsed<Vec<(&'a str, VarId, Option<VarId>)>> {
        self.cursor.expect(Token::LeftBracket, "`[` and variables")?;
        let mut read: Vec<(&'a str, Span, SortId)> = Vec::new();
        loop {
            let (name, span) = (self.cursor.slice(), self.cursor.span());
            if !matches!(self.cursor.token, Token::UpperWord) {
                let error = self.cursor.expected("a variable");
                return Err(if self.cursor.at_name() {
                    error.help("variables begin with a capital letter").into()
                } else {
                    error.into()
                });
            }
            self.cursor.advance();
            let is_typed = self.cursor.token == Token::Colon;
            if is_typed && !language.is_typed() {
                return Err(self
                    .cursor
                    .expected("`,` or `]`")
                    .help("variables have types in `tff` only")
                    .into());
            }
            let sort = if is_typed {
                self.cursor.advance();
                self.variable_type()?
            } else {
                self.vocabulary.individual()
            };
            read.push((name, span, sort));
            if !self.cursor.eat(Token::Comma) {
                break;
            }
        }
        self.cursor.expect(Token::RightBracket, "`,` or `]`")?;
        self.cursor.expect(Token::Colon, "`:`")?;
        let mut vars = Vec::with_capacity(read.len());
        for (name, span, sort) in read {
            let var = self.new_var(name, sort, span);
            vars.push((name, var, self.scope.vars.insert(name, var)));
        }
        Ok(vars)
    }

    /// Leaves the scope of the quantifier at `span`.
    fn unbind(&mut self, vars: Vec<(&'a str, VarId, Option<VarId>)>, span: Span) {
        for (name, _, outside) in vars.into_iter().rev() {
            match outside {
                Some(var) => self.scope.vars.insert(name, var),
                None => self.scope.vars.remove(name),
            };
            self.scope.closed.push((name, span));
        }
    }

    fn need_formula(&self, value: Value) -> Parsed<()> {
        if self.is_formula(value) {
            return Ok(());
        }
        let what = format!("a term of type `{}` where a formula is expected", self.sort_of(value));
        Err(Diagnostic::error(Code::SortMismatch, value.span, what).label("not a formula").into())
    }

    fn need_same(&self, first: Value, second: Value, rule: &str) -> Parsed<()> {
        if self.terms.sort(first.term) == self.terms.sort(second.term) {
            return Ok(());
        }
        let (a, b) = (self.sort_of(first), self.sort_of(second));
        Err(Diagnostic::error(
            Code::SortMismatch,
            second.span,
            format!("`{a}` is expected, and this is of type `{b}`"),
        )
        .label(format!("of type `{b}`"))
        .also(first.span, format!("of type `{a}`"))
        .note(rule)
        .into())
    }

    fn sort_of(&self, value: Value) -> String {
        self.vocabulary.sort_name(self.terms.sort(value.term))
    }

    /// Returns a value for the text from `start` on, and checks its depth.
    fn checked_value(&self, term: TermId, start: u32) -> Parsed<Value> {
        let span = self.cursor.span_from(start);
        if self.terms.depth(term) > MAX_DEPTH {
            let what = format!("the formula is nested more than {MAX_DEPTH} levels deep");
            return Err(Diagnostic::error(Code::TooDeep, span, what).label("too deep").into());
        }
        Ok(Value { term, span })
    }
}

fn is_connective(token: Token) -> bool {
    use Token::{And, Iff, ImpliedBy, Implies, Nand, Nor, Or, Xor};
    matches!(token, And | Or | Implies | ImpliedBy | Iff | Xor | Nor | Nand)
}

fn not_a_clause(span: Span, rule: &str) -> Stop {
    Diagnostic::error(Code::Syntax, span, "this is not a clause")
        .label("not in a clause")
        .note(rule)
        .help("formulas are written `fof(name, role, ..)`")
        .into()
}
