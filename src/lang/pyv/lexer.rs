//! Tokens of `.pyv`, and those of `.rml`, which has a lexer of its own.

use logos::Logos;

/// One token; identifiers, numbers and annotations carry their text in the source.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip(r"[ \t\r\n\u{feff}]+"))]
#[logos(skip(r"#[^\r\n]*", allow_greedy = true))]
pub(in crate::lang) enum Token {
    #[token("modifies")]
    Modifies,
    #[token("sort")]
    Sort,
    #[token("mutable")]
    Mutable,
    #[token("immutable")]
    Immutable,
    #[token("derived")]
    Derived,
    #[token("relation")]
    Relation,
    #[token("constant")]
    Constant,
    #[token("function")]
    Function,
    #[token("init")]
    Init,
    #[token("transition")]
    Transition,
    #[token("invariant")]
    Invariant,
    #[token("axiom")]
    Axiom,
    #[token("new")]
    New,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("zerostate")]
    Zerostate,
    #[token("onestate")]
    Onestate,
    #[token("twostate")]
    Twostate,
    #[token("theorem")]
    Theorem,
    #[token("definition")]
    Definition,
    #[token("assert")]
    Assert,
    #[token("safety")]
    Safety,
    #[token("any")]
    Any,
    #[token("trace")]
    Trace,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("let")]
    Let,
    #[token("in")]
    In,
    #[token("sat")]
    Sat,
    #[token("unsat")]
    Unsat,
    #[token("distinct")]
    Distinct,
    #[token("bool")]
    Bool,
    #[token("int")]
    Int,
    #[token("fbii")]
    Fbii,
    #[token("prophecy")]
    Prophecy,
    #[token("by")]
    By,
    // Reserved words of `.rml` alone: here they are names.
    Variable,
    Macro,
    Conjecture,
    Include,
    Module,
    Use,
    While,
    Do,
    Skip,
    Abort,
    Assume,
    Action,
    Local,
    #[regex("[a-zA-Z_][a-zA-Z_0-9]*")]
    Ident,
    #[regex("[0-9]+")]
    Number,
    #[regex("@[-a-zA-Z_0-9]+")]
    Annotation,
    #[token("<->")]
    Iff,
    #[token("->")]
    Implies,
    #[token("!=")]
    #[token("~=")]
    NotEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token("<")]
    Less,
    #[token("=")]
    Equal,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    #[token("!")]
    #[token("~")]
    Not,
    #[token("|")]
    Or,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token(",")]
    Comma,
    #[token("'")]
    Prime,
    #[token("&")]
    And,
    /// `:=`, of `.rml` alone.
    Assign,
    /// `;`, of `.rml` alone.
    Semicolon,
    /// A string in double quotes, of `.rml` alone.
    Text,
    /// The end of the text; never produced by the lexer itself.
    End,
}

impl Token {
    /// Whether a declaration may start with this token.
    pub(in crate::lang) fn starts_declaration(self) -> bool {
        self.starts_declaration_only()
            || matches!(self, Token::Init | Token::Invariant | Token::Safety | Token::Axiom)
    }

    /// Whether this token can do nothing else than start a declaration.
    pub(in crate::lang) fn starts_declaration_only(self) -> bool {
        matches!(
            self,
            Token::Sort
                | Token::Mutable
                | Token::Immutable
                | Token::Derived
                | Token::Axiom
                | Token::Transition
                | Token::Zerostate
                | Token::Onestate
                | Token::Twostate
                | Token::Theorem
                | Token::Definition
                | Token::Sat
                | Token::Unsat
                | Token::Fbii
        )
    }

    /// Whether the token is a reserved word, so that it cannot be a name.
    pub(in crate::lang) fn is_reserved_word(self) -> bool {
        (self as u8) < (Token::Ident as u8)
    }
}
