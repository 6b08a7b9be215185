//! The grammar.

use super::syntax::{Binder, Component, Decl, DeclKind, Expr, Kind, Name, Role, SortName, SymbolKind};
use super::tokens::Token;
use crate::refusal::{Refused, refuse};

/// How deep expressions may be nested, parentheses left out.
const MAX_HEIGHT: usize = 400;

/// How deep expressions and their parentheses may be nested while they are read, and proofs.
const MAX_NESTING: usize = 2 * MAX_HEIGHT + 2;

/// What binds at least as tightly as this is an operand of `!`.
const UNARY: u8 = 6;

/// The operators, from the loosest one: how tightly they bind, and how tightly their right operands have to.
fn operator(text: &str) -> Option<(u8, u8)> {
    Some(match text {
        "<->" => (1, 2),
        "->" => (2, 2),
        "|" => (3, 4),
        "&" => (4, 5),
        "=" | "!=" | "~=" => (5, 6),
        _ => return None,
    })
}

/// What is known of a text while it is read.
pub(super) struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    nesting: usize,
    /// The first `old(..)`.
    pub(super) old: Option<usize>,
    /// The first prime or `new(..)`.
    pub(super) new: Option<usize>,
}

impl<'t> Parser<'t> {
    /// Creates a parser of tokens, the last of which is the end.
    pub(super) fn new(tokens: Vec<Token<'t>>) -> Parser<'t> {
        Parser { tokens, next: 0, nesting: 0, old: None, new: None }
    }

    /// Returns a token; there is no end to the end.
    fn peek(&self, ahead: usize) -> Token<'t> {
        let last = self.tokens.len() - 1;
        self.tokens[last.min(self.next + ahead)]
    }

    fn at(&self) -> usize {
        self.peek(0).at
    }

    fn is(&self, text: &str) -> bool {
        self.peek(0).text == text
    }

    fn take(&mut self) -> Token<'t> {
        let token = self.peek(0);
        self.next += 1;
        token
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), Refused> {
        if self.eat(text) { Ok(()) } else { refuse(self.at(), format!("expected `{text}`")) }
    }

    fn name(&mut self) -> Result<Name<'t>, Refused> {
        let Token { text, at, is_name } = self.take();
        if is_name { Ok(Name { text, at }) } else { refuse(at, "expected a name") }
    }

    /// Reads one or more items with commas between them.
    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T, Refused>) -> Result<Vec<T>, Refused> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads items with commas between them up to a parenthesis, which may follow at once.
    fn rest<T>(&mut self, item: fn(&mut Self) -> Result<T, Refused>) -> Result<Vec<T>, Refused> {
        if self.eat(")") {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(")")?;
        Ok(items)
    }

    /// Reads all declarations.
    pub(super) fn program(&mut self) -> Result<Vec<Decl<'t>>, Refused> {
        let mut decls = Vec::new();
        while !self.is("") {
            decls.push(Decl { at: self.at(), kind: self.decl()? });
        }
        Ok(decls)
    }

    fn decl(&mut self) -> Result<DeclKind<'t>, Refused> {
        let Token { text, at, .. } = self.take();
        match text {
            "sort" => {
                let name = self.name()?;
                self.annotations()?;
                Ok(DeclKind::Sort(name))
            }
            "immutable" => self.symbol(SymbolKind::Immutable),
            "mutable" => self.symbol(SymbolKind::Mutable),
            "derived" => self.symbol(SymbolKind::Derived),
            "axiom" => self.formula(Role::Axiom),
            "init" => self.formula(Role::Init),
            "invariant" => self.formula(Role::Invariant),
            "safety" => self.formula(Role::Safety),
            "theorem" => self.formula(Role::Theorem(1)),
            "transition" => self.macro_(Role::Transition),
            "definition" => self.macro_(Role::Definition(1)),
            "zerostate" | "onestate" | "twostate" => {
                let states = ["zerostate", "onestate", "twostate"].iter().position(|word| *word == text);
                let states = states.unwrap_or_default();
                if self.eat("theorem") {
                    return self.formula(Role::Theorem(states));
                }
                self.expect("definition")?;
                self.macro_(Role::Definition(states))
            }
            "sat" | "unsat" => self.trace(),
            "fbii" => refuse(at, "closed systems have no proofs by forward and backward induction"),
            _ => refuse(at, "expected a declaration"),
        }
    }

    fn annotations(&mut self) -> Result<(), Refused> {
        while self.peek(0).text.get(..1) == Some("@") {
            self.take();
            if self.eat("(") {
                self.list(Self::name)?;
                self.expect(")")?;
            }
        }
        Ok(())
    }

    fn symbol(&mut self, kind: SymbolKind) -> Result<DeclKind<'t>, Refused> {
        let form = self.take();
        let is_known = matches!(form.text, "relation" | "constant" | "function");
        if !is_known || kind == SymbolKind::Derived && form.text != "relation" {
            return refuse(form.at, "expected `relation`, or `constant` or `function` that is not derived");
        }
        let name = self.name()?;
        let (mut args, mut result) = (Vec::new(), SortName::Bool);
        if form.text == "function" {
            self.expect("(")?;
            args = self.list(Self::sort)?;
            self.expect(")")?;
        } else if form.text == "relation" && self.eat("(") {
            args = self.rest(Self::sort)?;
        }
        if form.text != "relation" {
            self.expect(":")?;
            result = self.sort()?;
        }
        self.annotations()?;
        let mut meaning = None;
        if kind == SymbolKind::Derived {
            self.expect(":")?;
            meaning = Some(self.expr()?);
        }
        Ok(DeclKind::Symbol { kind, name, args, result, meaning })
    }

    fn sort(&mut self) -> Result<SortName<'t>, Refused> {
        if self.eat("bool") { Ok(SortName::Bool) } else { Ok(SortName::Named(self.name()?)) }
    }

    fn formula(&mut self, role: Role) -> Result<DeclKind<'t>, Refused> {
        let mut name = None;
        if self.eat("[") {
            name = Some(self.name()?);
            self.expect("]")?;
        }
        let formula = self.expr()?;
        if matches!(role, Role::Invariant | Role::Safety) && self.eat("proof") {
            if self.is("{") { self.naming_block()? } else { self.naming()? }
        }
        Ok(DeclKind::Formula { role, name, formula })
    }

    /// Reads over a part of a proof that gives terms names, from which nothing follows.
    fn naming(&mut self) -> Result<(), Refused> {
        if self.eat("let") {
            self.list(|parser| {
                parser.binder()?;
                parser.expect("=")?;
                parser.expr()
            })?;
            return Ok(());
        }
        self.expect("if")?;
        self.expr()?;
        self.naming_block()?;
        if self.eat("else") {
            return if self.is("if") { self.nested(Self::naming) } else { self.naming_block() };
        }
        Ok(())
    }

    fn naming_block(&mut self) -> Result<(), Refused> {
        self.expect("{")?;
        while !self.eat("}") {
            self.nested(Self::naming)?;
        }
        Ok(())
    }

    fn macro_(&mut self, role: Role) -> Result<DeclKind<'t>, Refused> {
        let name = self.name()?;
        self.expect("(")?;
        let params = self.rest(Self::binder)?;
        let modifies = if self.eat("modifies") { Some(self.list(Self::name)?) } else { None };
        if modifies.is_none() {
            self.expect("=")?;
        }
        Ok(DeclKind::Macro { role, name, params, modifies, body: self.expr()? })
    }

    fn trace(&mut self) -> Result<DeclKind<'t>, Refused> {
        self.expect("trace")?;
        self.expect("{")?;
        let mut components = Vec::new();
        while !self.eat("}") {
            if self.eat("assert") {
                if !self.eat("init") {
                    components.push(Component::Assert(self.expr()?));
                }
            } else if self.eat("any") {
                self.expect("transition")?;
            } else {
                components.push(self.call()?);
                while self.eat("|") {
                    components.push(self.call()?);
                }
            }
        }
        Ok(DeclKind::Trace(components))
    }

    fn call(&mut self) -> Result<Component<'t>, Refused> {
        let name = self.name()?;
        let arg = |parser: &mut Self| if parser.eat("*") { Ok(None) } else { parser.expr().map(Some) };
        let args = if self.eat("(") { Some(self.rest(arg)?) } else { None };
        Ok(Component::Call(name, args))
    }

    fn binder(&mut self) -> Result<Binder<'t>, Refused> {
        let name = self.name()?;
        let sort = if self.eat(":") { Some(self.sort()?) } else { None };
        Ok(Binder { name, sort })
    }

    fn expr(&mut self) -> Result<Expr<'t>, Refused> {
        self.binding(0)
    }

    /// Reads something below the current level.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T, Refused>) -> Result<T, Refused> {
        if self.nesting == MAX_NESTING {
            return refuse(self.at(), "nested too deep");
        }
        self.nesting += 1;
        let part = part(self)?;
        self.nesting -= 1;
        Ok(part)
    }

    /// Reads an expression whose operators bind at least as tightly as `least`.
    fn binding(&mut self, least: u8) -> Result<Expr<'t>, Refused> {
        self.nested(|parser| {
            let mut left = parser.operand()?;
            while let Some((level, of_right)) =
                operator(parser.peek(0).text).filter(|(level, _)| *level >= least)
            {
                let sign = parser.take();
                let right = parser.binding(of_right)?;
                left = joined(sign, left, right)?;
                if matches!(level, 1 | 5)
                    && operator(parser.peek(0).text).is_some_and(|(next, _)| next == level)
                {
                    return refuse(
                        parser.at(),
                        "this operator cannot follow the one before it without parentheses",
                    );
                }
            }
            Ok(left)
        })
    }

    /// Reads an expression up to its first operator between two operands.
    fn operand(&mut self) -> Result<Expr<'t>, Refused> {
        let Token { text, at, is_name } = self.peek(0);
        if is_name || text == "safety" {
            return self.reference();
        }
        self.take();
        let kind = match text {
            "true" | "false" => Kind::Truth(text == "true"),
            "&" => return self.binding(5),
            "|" => return self.binding(4),
            "!" | "~" => Kind::Not(Box::new(self.binding(UNARY)?)),
            "(" => {
                let inner = self.expr()?;
                self.expect(")")?;
                return Ok(inner);
            }
            "new" => {
                self.new = self.new.or(Some(at));
                self.expect("(")?;
                let inner = Box::new(self.expr()?);
                self.expect(")")?;
                Kind::New(inner)
            }
            "distinct" => {
                self.expect("(")?;
                let items = self.list(Self::expr)?;
                self.expect(")")?;
                Kind::Distinct(items)
            }
            "forall" | "exists" => {
                let vars = self.list(Self::binder)?;
                self.expect(".")?;
                Kind::Quantifier(text == "forall", vars, Box::new(self.expr()?))
            }
            "if" => {
                let condition = self.expr()?;
                self.expect("then")?;
                let then = self.expr()?;
                self.expect("else")?;
                Kind::If(Box::new([condition, then, self.expr()?]))
            }
            "let" => {
                let var = self.binder()?;
                self.expect("=")?;
                let value = self.expr()?;
                self.expect("in")?;
                Kind::Let(var, Box::new([value, self.expr()?]))
            }
            _ => return refuse(at, "expected an expression"),
        };
        high(at, kind)
    }

    /// Reads a name or `safety`, with what belongs to it.
    fn reference(&mut self) -> Result<Expr<'t>, Refused> {
        let Token { text, at, is_name } = self.take();
        let mut primes = 0;
        while self.eat("'") {
            primes += 1;
        }
        if primes > 0 {
            self.new = self.new.or(Some(at));
        }
        let args = if is_name && self.eat("(") { Some(self.rest(Self::expr)?) } else { None };
        if text == "old" && args.is_some() {
            self.old = self.old.or(Some(at));
        }
        high(at, Kind::Name(Name { text, at }, primes, args))
    }
}

/// Returns an expression, unless it has too many levels.
fn high(at: usize, kind: Kind<'_>) -> Result<Expr<'_>, Refused> {
    let height = 1 + kind.parts().iter().map(|part| part.height).max().unwrap_or(0);
    if height > MAX_HEIGHT { refuse(at, "nested too deep") } else { Ok(Expr { at, height, kind }) }
}

/// Returns two operands with the operator between them. A conjunction on the left of `&` is continued, and so is a
/// disjunction on the left of `|`.
fn joined<'t>(sign: Token<'t>, mut left: Expr<'t>, right: Expr<'t>) -> Result<Expr<'t>, Refused> {
    if let ("&", Kind::And(items)) | ("|", Kind::Or(items)) = (sign.text, &mut left.kind) {
        left.height = left.height.max(1 + right.height);
        items.push(right);
        return if left.height > MAX_HEIGHT { refuse(left.at, "nested too deep") } else { Ok(left) };
    }
    let at = left.at;
    let kind = match sign.text {
        "&" => Kind::And(vec![left, right]),
        "|" => Kind::Or(vec![left, right]),
        "->" => Kind::Implies(Box::new([left, right])),
        "<->" => Kind::Iff(Box::new([left, right])),
        "=" => Kind::Equal(Box::new([left, right])),
        _ => Kind::NotEqual(Box::new([left, right])),
    };
    high(at, kind)
}
