//! Parser of formulas and terms. Incomplete parts (parentheses, quantifiers, chains of `&`, arguments) are on an
//! explicit stack.

use super::cursor::{Parsed, Stop, shown};
use super::lexer::Token;
use super::reader::{Language, Reader};
use super::types::outside_logic;
use super::variables::{Bound, Scope};
use super::vocabulary::{NO_FORMULAS, Value, Wanted};
use crate::shared::report::suggest;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{SortId, TermId, VarId};

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
    /// A quantifier.
    Quantifier {
        universal: bool,
        vars: Vec<Bound<'a>>,
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
        while !self.shift(stack, value, language)? {
            let Some((frame, start)) = stack.pop() else {
                self.need_formula(value)?;
                return Ok(Some(value));
            };
            value = self.complete(frame, value, start)?;
        }
        Ok(None)
    }

    /// Reads the sign between `value` and a next operand, and leaves `value` on the stack as an operand of the
    /// innermost frame or of a new one. Returns `false` if the innermost frame ends after `value`.
    fn shift(&mut self, stack: &mut Stack<'a>, value: Value, language: Language) -> Parsed<bool> {
        let (token, is_formula) = (self.cursor.token, self.is_formula(value));
        let is_side = matches!(token, Token::Equal | Token::NotEqual) && !is_formula;
        if is_side && self.wanted(stack) != Wanted::Term {
            self.cursor.advance();
            let frame = Frame::Equation { left: value, negated: token == Token::NotEqual };
            stack.push((frame, value.span.start));
            return Ok(true);
        }
        match stack.last_mut() {
            None | Some((Frame::Paren, _)) if is_connective(token) => {
                self.need_formula(value)?;
                self.connect(stack, value, language)?;
            }
            Some((Frame::Apply { head: Head::Ite, .. }, _)) if is_formula && is_connective(token) => {
                self.connect(stack, value, language)?;
            }
            Some((Frame::Connective { connective, operands }, _)) if is_connective(token) => {
                self.need_formula(value)?;
                if token != *connective || !matches!(token, Token::And | Token::Or) {
                    return Err(self.ambiguous(*connective));
                }
                self.cursor.advance();
                operands.push(value.term);
            }
            Some((Frame::Apply { head, args, .. }, _)) => {
                let is_ite = matches!(head, Head::Ite);
                if is_ite && args.is_empty() {
                    self.need_formula(value)?;
                }
                let is_full = is_ite && args.len() == 2;
                if is_full || !self.cursor.eat(Token::Comma) {
                    return Ok(false);
                }
                args.push(value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Completes a frame that starts at `start` and ends after `value`, its last operand.
    fn complete(&mut self, frame: Frame<'a>, value: Value, start: u32) -> Parsed<Value> {
        let term = match frame {
            Frame::Equation { left, negated } => self.equation(left, value, negated)?,
            Frame::Not => {
                self.need_formula(value)?;
                self.terms.not(value.term)
            }
            Frame::Quantifier { universal, vars } => {
                self.need_formula(value)?;
                let bound: Vec<VarId> = vars.iter().map(|bound| bound.var).collect();
                self.unbind(vars, self.cursor.span_from(start));
                let body = value.term;
                if universal { self.terms.forall(&bound, body) } else { self.terms.exists(&bound, body) }
            }
            Frame::Connective { connective, mut operands } => {
                self.need_formula(value)?;
                operands.push(value.term);
                self.connected(connective, &operands)
            }
            Frame::Paren => {
                self.need_formula(value)?;
                if !self.cursor.eat(Token::RightParen) {
                    let open = Span { file: self.cursor.file, start, end: start + 1 };
                    let error = self.cursor.expected("a connective or `)`");
                    return Err(error.also(open, "opened here").into());
                }
                value.term
            }
            Frame::Apply { head, name, mut args, wanted } => {
                args.push(value);
                self.end_of_arguments(head, args.len())?;
                match head {
                    Head::Symbol(symbol) => return self.symbol(symbol, name, &args, wanted, start),
                    Head::Distinct => self.distinct(&args)?,
                    Head::Ite => self.ite(&args)?,
                }
            }
        };
        self.checked_value(term, start)
    }

    /// Reads the `)` after `count` arguments.
    fn end_of_arguments(&mut self, head: Head<'_>, count: usize) -> Parsed<()> {
        let expected = match head {
            Head::Symbol(_) | Head::Distinct => "`,` or `)`",
            Head::Ite if count < 3 => {
                return Err(self.cursor.expected("`,`: a condition and two values").into());
            }
            Head::Ite => "`)`",
        };
        if self.cursor.eat(Token::RightParen) {
            return Ok(());
        }
        let error = self.cursor.expected(expected);
        let token = self.cursor.token;
        let is_formula = is_connective(token) || matches!(token, Token::Equal | Token::NotEqual);
        Err(if is_formula { error.help(NO_FORMULAS).into() } else { error.into() })
    }

    /// Reads a connective after the first operand.
    fn connect(&mut self, stack: &mut Stack<'a>, left: Value, language: Language) -> Parsed<()> {
        let connective = self.cursor.token;
        if language.is_clause() && connective != Token::Or {
            return Err(not_a_clause(
                self.cursor.span(),
                "a clause is a disjunction `|` of atoms and negated atoms",
            ));
        }
        self.cursor.advance();
        stack.push((Frame::Connective { connective, operands: vec![left.term] }, left.span.start));
        Ok(())
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
