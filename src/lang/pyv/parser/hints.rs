//! What a newcomer probably meant.

use super::super::ast::SortedVar;
use super::super::lexer::Token;
use super::super::report::suggest;
use super::Parser;
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};

/// Words that start a declaration, for suggestions.
const DECLARATION_WORDS: &[&str] = &[
    "sort",
    "mutable",
    "immutable",
    "derived",
    "axiom",
    "init",
    "invariant",
    "safety",
    "transition",
    "definition",
    "theorem",
    "zerostate",
    "onestate",
    "twostate",
    "sat",
    "unsat",
    "fbii",
];

/// Help for characters that no token starts with.
pub(in crate::lang) fn for_characters(text: &str) -> Option<&'static str> {
    let first = text.chars().next()?;
    Some(match first {
        ';' => "declarations and formulas are not terminated by `;`",
        '/' | '\\' if text.starts_with("//") => "comments start with `#`",
        '/' | '\\' => "conjunction is written `&`, disjunction `|`, comments start with `#`",
        '∧' => "conjunction is written `&`",
        '∨' => "disjunction is written `|`",
        '¬' => "negation is written `!`",
        '∀' => "universal quantification is written `forall x. ..`",
        '∃' => "existential quantification is written `exists x. ..`",
        '→' | '⇒' => "implication is written `->`",
        '↔' | '⇔' => "equivalence is written `<->`",
        '≠' => "inequality is written `!=`",
        '≤' => "less or equal is written `<=`",
        '≥' => "greater or equal is written `>=`",
        '’' | '‘' | '′' => "a prime is the plain apostrophe `'`",
        '"' => "there are no strings in this language",
        '%' | '^' | '?' | '$' | '`' => return None,
        _ if first.is_alphanumeric() => "names consist of the letters a to z and A to Z, digits and `_`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// Adds a suggestion where the current name is nearly one of `words`.
    pub(in crate::lang) fn hint_keyword(&self, error: Diagnostic, words: &[&'static str]) -> Diagnostic {
        if !self.at(Token::Ident) {
            return error;
        }
        match suggest(self.slice(), words.iter().copied()) {
            Some(word) => error.help(format!("did you mean `{word}`?")),
            None => error,
        }
    }

    pub(in crate::lang) fn hint_declaration(&self, error: Diagnostic) -> Diagnostic {
        match self.token {
            Token::Relation | Token::Constant | Token::Function => {
                let word = self.slice();
                error.help(format!("say whether it may change: `mutable {word}` or `immutable {word}`"))
            }
            Token::Trace => error.help("say what is expected of the trace: `sat trace` or `unsat trace`"),
            Token::Ident => match self.slice() {
                "type" => error.help("a sort is declared by `sort name`"),
                "property" | "conjecture" => {
                    error.help("a claim about all states is declared by `invariant` or `safety`")
                }
                "action" => error.help("a step of the system is declared by `transition name(parameters)`"),
                "individual" | "var" => error.help("use `mutable constant name: sort`"),
                _ => self.hint_keyword(error, DECLARATION_WORDS),
            },
            _ => error,
        }
    }

    /// For a place where an expression could have gone on.
    pub(in crate::lang) fn hint_operator(&self, error: Diagnostic) -> Diagnostic {
        match self.token {
            Token::Not => error.help("`!` negates what follows it; inequality is written `!=`"),
            Token::Dot => error.help("only the variables of a quantifier are followed by `.`"),
            Token::Ident | Token::LeftParen | Token::Forall | Token::Exists | Token::New => {
                error.help("is an operator such as `&` missing before this?")
            }
            Token::Colon => error.help("sorts of variables are given where they are bound: `forall x:s. ..`"),
            _ => error,
        }
    }

    /// For a place where an expression should start.
    pub(in crate::lang) fn hint_expression(&self, error: Diagnostic) -> Diagnostic {
        match self.token {
            Token::Minus => error.help("there is no unary minus"),
            Token::LeftBracket => {
                error.help("use parentheses to group; brackets enclose the name of a declaration")
            }
            Token::LeftBrace => error.help("use parentheses to group"),
            _ => error,
        }
    }

    /// For a quantifier whose variables are not followed by `.`.
    pub(in crate::lang) fn hint_quantifier(
        &self,
        error: Diagnostic,
        universal: bool,
        vars: &[SortedVar],
    ) -> Diagnostic {
        let word = if universal { "forall" } else { "exists" };
        let list: Vec<&str> = vars.iter().take(3).map(|var| &*var.name.name).collect();
        let shown = list.join(", ");
        match self.token {
            Token::Ident
                if matches!(self.peek(), Token::Dot | Token::Ident | Token::Comma | Token::Colon) =>
            {
                error.help(format!("separate variables by commas: `{word} {shown}, {}. ..`", self.slice()))
            }
            _ => error.help(format!("a `.` ends the variables: `{word} {shown}. ..`")),
        }
    }

    /// Looks at the operand after an operator: two operators in a row have likely explanations.
    pub(in crate::lang) fn check_operand(&mut self, operator: Span) -> super::Parsed<()> {
        let before = &self.text[operator.start as usize..operator.end as usize];
        let adjacent = operator.end == self.start;
        match (before, self.token) {
            ("=", Token::Equal) if adjacent => {
                let error =
                    Diagnostic::error(Code::Syntax, operator.to(self.span()), "there is no operator `==`")
                        .label("unknown operator")
                        .help("equality is written `=`");
                self.fail(error)
            }
            ("=", Token::Greater) if adjacent => {
                let error =
                    Diagnostic::error(Code::Syntax, operator.to(self.span()), "there is no operator `=>`")
                        .label("unknown operator")
                        .help("implication is written `->`, greater or equal `>=`");
                self.fail(error)
            }
            ("&", Token::And) | ("|", Token::Or) if adjacent && !self.doubled_reported => {
                self.doubled_reported = true;
                // Accepted: the second character is a bullet that says nothing.
                self.diagnostics.push(
                    Diagnostic::warning(
                        Code::Syntax,
                        operator.to(self.span()),
                        format!("`{before}{before}` means the same as `{before}`"),
                    )
                    .label("doubled operator")
                    .help(format!("write `{before}`")),
                );
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reports that something follows a complete declaration.
    pub(in crate::lang) fn after_declaration(&mut self) {
        let error = self.expected("an operator or the next declaration");
        let error = match self.token {
            Token::Relation | Token::Constant | Token::Function | Token::Trace => {
                self.hint_declaration(error)
            }
            Token::Ident => {
                let hinted = self.hint_declaration(error);
                if hinted.help.is_some() { hinted } else { self.hint_operator(hinted) }
            }
            Token::RightParen => error.help("there is no parenthesis open here"),
            _ => self.hint_operator(error),
        };
        self.report(error);
    }
}
