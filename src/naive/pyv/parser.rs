//! Tokens and the grammar.

use super::tree::{Binder, Component, Decl, Expr, Name};
use crate::refusal::{Result, refuse};

/// The words that are no names.
const RESERVED: &str = "any assert axiom bool by constant definition derived distinct else exists false fbii forall \
    function if immutable in init int invariant let modifies mutable new onestate prophecy relation safety sat sort \
    then theorem trace transition true twostate unsat zerostate";

/// The signs, longer ones before those that they begin with.
const SIGNS: &str = "<-> -> != ~= >= <= > < = ( ) [ ] { } . : ! ~ | + - * , ' &";

/// How deep expressions may be nested, operators and parentheses included.
const MAX_NESTING: usize = 250;

/// Returns the tokens of a text, and an empty one for its end.
fn tokens(text: &str) -> Result<Vec<Name<'_>>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let while_is = |is_part: &dyn Fn(char) -> bool| {
            let end = rest.char_indices().skip(1).find(|(_, c)| !is_part(*c));
            end.map_or(rest.len(), |(end, _)| end)
        };
        let len = match first {
            ' ' | '\t' | '\n' | '\r' | '\u{feff}' => first.len_utf8(),
            '#' => while_is(&|c| c != '\n' && c != '\r'),
            '@' => while_is(&|c| is_word(c) || c == '-'),
            '0'..='9' => while_is(&|c| c.is_ascii_digit()),
            c if is_word(c) => while_is(&is_word),
            _ => SIGNS.split(' ').find(|sign| rest.starts_with(sign)).map_or(0, str::len),
        };
        if len == 0 || &rest[..len] == "@" {
            return refuse(at, "a character that starts no token");
        }
        if !" \t\n\r\u{feff}#".contains(first) {
            tokens.push(Name { text: &rest[..len], at });
        }
        at += len;
    }
    tokens.push(Name { text: "", at });
    Ok(tokens)
}

/// The operators between two operands: how tightly they bind, and how tightly their right operands have to.
fn operator(text: &str) -> Option<(u8, u8)> {
    match text {
        "<->" => Some((1, 2)),
        "->" => Some((2, 2)),
        "|" => Some((3, 4)),
        "&" => Some((4, 5)),
        "=" | "!=" | "~=" => Some((5, 6)),
        _ => None,
    }
}

/// What is known of a text while it is read: the tokens and the next one, how deep this is, and the variables so far.
#[derive(Default)]
pub(super) struct Parser<'t> {
    pub(super) tokens: Vec<Name<'t>>,
    next: usize,
    nesting: usize,
    pub(super) variables: Vec<Binder<'t>>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Result<Parser<'t>> {
        Ok(Parser { tokens: tokens(text)?, ..Parser::default() })
    }

    fn peek(&self) -> Name<'t> {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn is(&self, text: &str) -> bool {
        self.peek().text == text
    }

    fn take(&mut self) -> Name<'t> {
        self.next += 1;
        self.tokens[(self.next - 1).min(self.tokens.len() - 1)]
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { refuse(self.peek().at, format!("expected `{text}`")) }
    }

    fn is_name(&self) -> bool {
        let Name { text, .. } = self.peek();
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        is_word && RESERVED.split(' ').all(|word| word != text)
    }

    fn name(&mut self) -> Result<Name<'t>> {
        if self.is_name() { Ok(self.take()) } else { refuse(self.peek().at, "expected a name") }
    }

    /// Reads one or more items with commas between them.
    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads items like [`Self::list`] in parentheses, or `()` if that `may_be_empty`.
    fn group<T>(&mut self, may_be_empty: bool, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect("(")?;
        let items = if may_be_empty && self.is(")") { Vec::new() } else { self.list(item)? };
        self.expect(")").map(|()| items)
    }

    /// Reads all declarations.
    pub(super) fn program(&mut self) -> Result<Vec<Decl<'t>>> {
        let mut decls = Vec::new();
        while !self.is("") {
            decls.push(self.decl()?);
        }
        Ok(decls)
    }

    fn decl(&mut self) -> Result<Decl<'t>> {
        let Name { text: mut word, at } = self.take();
        let states = match word {
            "axiom" | "zerostate" => 0,
            "transition" | "twostate" => 2,
            _ => 1,
        };
        if matches!(word, "zerostate" | "onestate" | "twostate") {
            word = self.take().text;
            if !matches!(word, "definition" | "theorem") {
                return refuse(at, "expected `definition` or `theorem` after the number of states");
            }
        }
        let mut decl = Decl { word, at, states, ..Decl::default() };
        match word {
            "sort" => {
                decl.name = Some(self.name()?);
                self.annotations()?;
            }
            "immutable" | "mutable" | "derived" => self.symbol(&mut decl)?,
            "axiom" | "init" | "invariant" | "safety" | "theorem" => {
                if self.eat("[") {
                    decl.name = Some(self.name()?);
                    self.expect("]")?;
                }
                decl.formula = Some(self.expr()?);
                if matches!(word, "invariant" | "safety") && self.eat("proof") {
                    let before = self.variables.len();
                    self.proof()?;
                    self.variables.truncate(before);
                }
            }
            "transition" | "definition" => {
                decl.name = Some(self.name()?);
                decl.params = self.group(true, Self::binder)?;
                if self.eat("modifies") {
                    decl.modifies = self.list(Self::name)?;
                } else {
                    self.expect("=")?;
                }
                decl.formula = Some(self.expr()?);
            }
            "sat" | "unsat" => {
                self.expect("trace")?;
                self.expect("{")?;
                while !self.eat("}") {
                    self.component(&mut decl.components)?;
                }
            }
            "fbii" => return refuse(at, "closed systems have no proofs by forward and backward induction"),
            _ => return refuse(at, "expected a declaration"),
        }
        Ok(decl)
    }

    fn annotations(&mut self) -> Result<()> {
        while self.peek().text.get(..1) == Some("@") {
            self.take();
            if self.is("(") {
                self.group(false, Self::name)?;
            }
        }
        Ok(())
    }

    fn symbol(&mut self, decl: &mut Decl<'t>) -> Result<()> {
        let form = self.take();
        let is_relation = form.text == "relation";
        if !is_relation && (decl.word == "derived" || !matches!(form.text, "constant" | "function")) {
            return refuse(form.at, "expected `relation`, or `constant` or `function` that is not derived");
        }
        decl.name = Some(self.name()?);
        if form.text == "function" || is_relation && self.is("(") {
            decl.sorts = self.group(is_relation, Self::name)?;
        }
        if is_relation {
            decl.sorts.push(Name { text: "bool", at: form.at });
        } else {
            self.expect(":")?;
            decl.sorts.push(self.sort()?);
        }
        self.annotations()?;
        if decl.word == "derived" {
            self.expect(":")?;
            decl.formula = Some(self.expr()?);
        }
        Ok(())
    }

    fn sort(&mut self) -> Result<Name<'t>> {
        if self.is("bool") { Ok(self.take()) } else { self.name() }
    }

    fn binder(&mut self) -> Result<Binder<'t>> {
        let name = self.name()?;
        let sort = if self.eat(":") { Some(self.sort()?) } else { None };
        self.variables.push(Binder { name, sort, number: self.variables.len() });
        Ok(self.variables[self.variables.len() - 1])
    }

    /// Reads over a proof that gives terms names, from which nothing follows.
    fn proof(&mut self) -> Result<()> {
        // By open brace, whether an `else` may follow what is in it.
        let mut open = Vec::new();
        if self.eat("{") {
            open.push(false);
        }
        loop {
            if self.eat("let") {
                self.list(|parser| parser.binder().and_then(|_| parser.after(&["="])))?;
            } else if open.is_empty() || !self.is("}") {
                self.expect("if")?;
                self.expr()?;
                self.expect("{")?;
                open.push(true);
            } else if self.eat("}") && open.pop() == Some(true) && self.eat("else") {
                if !self.is("if") {
                    self.expect("{")?;
                    open.push(false);
                }
                continue;
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Reads a component of a trace, or several transitions of which one is to happen.
    fn component(&mut self, found: &mut Vec<Component<'t>>) -> Result<()> {
        if self.eat("any") {
            return self.expect("transition");
        }
        let first = self.peek();
        if self.eat("assert") {
            if !self.eat("init") {
                found.push((first, Some(vec![self.expr()?])));
            }
            return Ok(());
        }
        let arg = |parser: &mut Self| {
            let star = Expr { root: parser.peek(), ..Expr::default() };
            if parser.eat("*") { Ok(star) } else { parser.expr() }
        };
        loop {
            let name = self.name()?;
            found.push((name, if self.is("(") { Some(self.group(true, arg)?) } else { None }));
            if !self.eat("|") {
                return Ok(());
            }
        }
    }

    fn expr(&mut self) -> Result<Expr<'t>> {
        self.binding(0)
    }

    /// Reads an expression whose operators bind at least as tightly as `least`.
    fn binding(&mut self, least: u8) -> Result<Expr<'t>> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return refuse(self.peek().at, "nested too deep");
        }
        let mut left = self.operand()?;
        while let Some((level, of_right)) = operator(self.peek().text).filter(|(level, _)| *level >= least) {
            let root = self.take();
            let right = self.binding(of_right)?;
            if matches!(root.text, "&" | "|") && left.root.text == root.text {
                // A conjunction on the left of `&` is continued.
                left.parts.push(right);
            } else {
                let root = Name { text: if root.text == "~=" { "!=" } else { root.text }, ..root };
                left = Expr { root, parts: vec![left, right], ..Expr::default() };
            }
            if matches!(level, 1 | 5) && operator(self.peek().text).is_some_and(|(next, _)| next == level) {
                return refuse(self.peek().at, "this cannot follow the operator before it");
            }
        }
        self.nesting -= 1;
        Ok(left)
    }

    /// Reads expressions, each after one of these words.
    fn after(&mut self, words: &[&str]) -> Result<Vec<Expr<'t>>> {
        words.iter().map(|word| self.expect(word).and_then(|()| self.expr())).collect()
    }

    /// Reads an expression up to its first operator between two operands.
    fn operand(&mut self) -> Result<Expr<'t>> {
        let mut expr = Expr { root: self.peek(), ..Expr::default() };
        let is_name = self.is_name();
        match self.take().text {
            "true" | "false" => {}
            "&" => return self.binding(5),
            "|" => return self.binding(4),
            "!" | "~" => {
                expr.root.text = "!";
                expr.parts.push(self.binding(6)?);
            }
            "(" => {
                let inner = self.expr()?;
                return self.expect(")").map(|()| inner);
            }
            "new" => {
                expr.parts = self.after(&["("])?;
                self.expect(")")?;
            }
            "distinct" => expr.parts = self.group(false, Self::expr)?,
            "forall" | "exists" => {
                expr.vars = self.list(Self::binder)?;
                expr.parts = self.after(&["."])?;
            }
            "if" => {
                expr.parts.push(self.expr()?);
                expr.parts.extend(self.after(&["then", "else"])?);
            }
            "let" => {
                expr.vars.push(self.binder()?);
                expr.parts = self.after(&["=", "in"])?;
            }
            text if is_name || text == "safety" => {
                while self.eat("'") {
                    expr.primes += 1;
                }
                if is_name && self.is("(") {
                    expr.parts = self.group(false, Self::expr)?;
                }
            }
            _ => return refuse(expr.root.at, "expected an expression"),
        }
        Ok(expr)
    }
}
