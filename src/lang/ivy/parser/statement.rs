//! Parser of statements.

use super::Parser;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Level, Place, SortName, SortRef, SortedVar};
use crate::fol::lexer::{Starts, Syntax};
use crate::fol::parser::{Failed, MAX_DEPTH, Parsed};
use crate::fol::token::Token;
use crate::ivy::ast::{
    Check, Condition, END_OF_LOOP, Extremum, Loop, LoopInvariant, Proof, Stmt, StmtKind, Version,
};
use crate::ivy::hints;
use crate::ivy::lexer::Lexeme;
use crate::shared::report::suggest;
use ramsey_core::diag::{Code, Diagnostic};

/// The last minor version in which `ensures` begins a claim in statements.
const LAST_WITH_ENSURES: u32 = 6;

/// The first minor version in which statements declare variables by `var`.
const FIRST_WITH_VARIABLES: u32 = 6;

/// Words that begin statements in the newest version alone.
const LATE_STATEMENTS: &[&str] = &["debug", "for", "unprovable"];

impl Parser<'_> {
    /// Parses the block of an action, of a monitor after one or of an initializer, which may be text of another language.
    pub(super) fn own_block(&mut self) -> Parsed<Vec<Stmt>> {
        let is_native = self.ahead().take(2).eq([Token::Native, Token::RightBrace]);
        if !self.at(Token::LeftBrace) || !is_native {
            return self.block();
        }
        self.advance();
        let start = self.start;
        self.advance();
        let text = self.passed(start);
        self.advance();
        let place = text.place;
        Ok(vec![Stmt { kind: StmtKind::Native(text), place }])
    }

    /// Parses statements in braces, separated by `;`.
    pub(super) fn block(&mut self) -> Parsed<Vec<Stmt>> {
        let open = self.span();
        self.expect(Token::LeftBrace, "`{`")?;
        if self.state.blocks >= MAX_DEPTH / 4 {
            return self.blocks_too_deep();
        }
        self.state.blocks += 1;
        let mut stmts = Vec::new();
        let mut needs_separator = false;
        while !self.at(Token::RightBrace) {
            if self.eat(Token::Semicolon) {
                needs_separator = false;
                continue;
            }
            if self.at(Token::End) || (self.starts_declaration() && self.is_first_on_line()) {
                let error = self.expected("a statement or `}`").also(open, "to close this brace");
                return self.fail(error);
            }
            let (start, depth, blocks) = (self.start, self.depth, self.state.blocks);
            self.bad_character = false;
            // What `...` stands for is set apart already.
            let is_missing = needs_separator && !self.at(Token::Dot);
            let parsed = if is_missing { self.missing_separator() } else { self.stmt() };
            match parsed {
                Ok(stmt) => {
                    needs_separator = !ends_with_block(&stmt);
                    stmts.push(stmt);
                }
                Err(Failed) => {
                    (self.depth, self.state.blocks, self.state.steps) = (depth, blocks, 0);
                    self.skip_stmt(start);
                    needs_separator = false;
                    stmts.push(Stmt { kind: StmtKind::Broken, place: Place(self.span_from(start)) });
                }
            }
        }
        self.advance();
        self.state.blocks -= 1;
        Ok(stmts)
    }

    fn missing_separator(&mut self) -> Parsed<Stmt> {
        if let Some(error) = self.foreign_operator() {
            return self.fail(error);
        }
        let error = self.expected("`;` or `}`");
        let error = match self.token {
            Token::Equal => error.help("an assignment is written `:=`"),
            _ if self.is_first_on_line() => error.help("statements are separated by `;`"),
            _ => self.hint_operator(error),
        };
        self.fail(error)
    }

    /// Skips to a position where the next statement may start, or to the end of the block.
    fn skip_stmt(&mut self, start: u32) {
        let mut open = 0_u32;
        let mut first = self.start == start;
        while !self.at(Token::End) {
            match self.token {
                Token::LeftBrace => open += 1,
                Token::RightBrace if open == 0 => return,
                Token::RightBrace => open -= 1,
                Token::Semicolon if open == 0 => return,
                _ if !first && self.is_first_on_line() && self.starts_declaration() => return,
                _ => {}
            }
            first = false;
            self.advance();
        }
    }

    #[inline(never)]
    fn stmt(&mut self) -> Parsed<Stmt> {
        let start = self.start;
        let kind = match self.token {
            Token::Assume => self.check(Check::Assume)?,
            Token::Assert => self.check(Check::Assert)?,
            Token::Require => self.check(Check::Require)?,
            Token::Ensure => self.check(Check::Ensure)?,
            Token::Variable => self.var()?,
            Token::Local => {
                self.advance();
                let mut vars = self.vars_with_sorts()?;
                self.complete_sorts(&mut vars);
                StmtKind::Local { vars, body: self.block()? }
            }
            Token::If => self.if_stmt()?,
            Token::Call => {
                self.advance();
                self.assignment_or_call(true)?
            }
            Token::Instantiate => {
                self.advance();
                let name = self.dotted_name("the name of a macro")?;
                let mut args = Vec::new();
                if self.at(Token::LeftParen) {
                    let open = self.span();
                    self.advance();
                    args = self.list()?;
                    self.close(open)?;
                }
                StmtKind::Instantiate { name, args }
            }
            Token::LeftBrace => StmtKind::Block(self.block()?),
            Token::Dot => {
                self.dots()?;
                if self.at(Token::Semicolon) {
                    let error = self.expected("a statement");
                    self.report(error.help("no `;` stands behind `...`"));
                }
                StmtKind::Rest
            }
            Token::Ident if self.word_begins_statement() => self.worded()?,
            Token::Ident
                if let Some(help) = hints::word(self.slice())
                    && Lexeme::is_taken(self.slice(), self.text) =>
            {
                let error = self.expected("a statement");
                return self.fail(error.help(help));
            }
            Token::Ident | Token::This | Token::LeftParen => self.assignment_or_call(false)?,
            Token::While => self.while_stmt()?,
            Token::Native => {
                let error = self.expected("a statement or `}`");
                return self.fail(error.help("text of another language is alone in the block of an action"));
            }
            Token::Let => return self.unsupported("write `var x := value`"),
            Token::Unsupported => return self.unsupported("use assignments, `if`, calls and `assert`"),
            _ => {
                let error = self.expected("a statement or `}`");
                return self.fail(error);
            }
        };
        Ok(Stmt { kind, place: Place(self.span_from(start)) })
    }

    /// Returns whether a word that is not reserved in all versions begins a statement here.
    fn word_begins_statement(&self) -> bool {
        let is_name = matches!(self.peek(), Token::Assign | Token::Dot | Token::Comma | Token::Semicolon);
        let minor = Version::of_text(self.text).minor;
        let is_late = LATE_STATEMENTS.contains(&self.slice()) && self.is_latest();
        let is_claim = self.slice() == "ensures" && minor <= LAST_WITH_ENSURES;
        (is_late || is_claim) && !is_name && self.peek() != Token::LeftParen
    }

    /// Returns whether the text is in the newest version of the language.
    pub(super) fn is_latest(&self) -> bool {
        Version::of_text(self.text) == Version::NEWEST
    }

    /// Parses a statement that begins with such a word.
    fn worded(&mut self) -> Parsed<StmtKind> {
        let start = self.start;
        match self.slice() {
            "ensures" => self.check(Check::Ensure),
            "for" => self.for_stmt(),
            "unprovable" => {
                self.advance();
                if !matches!(self.token, Token::Assume | Token::Assert | Token::Require | Token::Ensure) {
                    let error = self.expected("`require`, `ensure` or `assert`");
                    return self.fail(error);
                }
                self.check(Check::Assert)?;
                Ok(StmtKind::Ignored(self.passed(start)))
            }
            // `debug "text" with x = e, ..`.
            _ => {
                self.advance();
                if !self.eat(Token::Text) {
                    let error = self.expected("a text in quotes");
                    return self.fail(error);
                }
                let mut values = Vec::new();
                let mut goes_on = self.eat(Token::With);
                while goes_on {
                    self.ident("a name for a value")?;
                    self.expect(Token::Equal, "`=` and a value")?;
                    values.push(self.formula()?);
                    goes_on = self.eat(Token::Comma);
                }
                Ok(StmtKind::Debug(self.passed(start), values))
            }
        }
    }

    /// Parses `for i, x in container invariant .. { .. }`, which is a loop from the first position of a container to its end.
    fn for_stmt(&mut self) -> Parsed<StmtKind> {
        let place = Place(self.span());
        self.advance();
        let (index, of_index) = self.name_of_loop("the name of a position")?;
        self.expect(Token::Comma, "`,` and the name of an element")?;
        let (element, of_element) = self.name_of_loop("the name of an element")?;
        if self.slice() != "in" {
            let error = self.expected("`in` and a container");
            return self.fail(error);
        }
        self.advance();
        let container = self.expr(Level::Unary)?;
        let ExprKind::Ref { name, args, .. } = &container.kind else {
            let error = self.expected("the name of a container");
            return self.fail(error);
        };
        let apply = |name: String, args: Option<Vec<Expr>>| {
            let name = Ident { name: name.into(), place };
            Expr::new(ExprKind::Ref { name, primes: 0, args }, place.0)
        };
        let of_container = |member: &str, more: Option<Expr>| {
            let args: Vec<Expr> = args.iter().flatten().cloned().chain(more).collect();
            apply(format!("{}.{member}", name.name), (!args.is_empty()).then_some(args))
        };
        let stmt = |kind| Stmt { kind, place };
        let var = |name: &Ident, sort: &Option<SortRef>, value: Expr| {
            let var = SortedVar { name: name.clone(), sort: sort.clone() };
            stmt(StmtKind::Var { var, params: Vec::new(), value: Some(value) })
        };
        let at = || apply(index.name.to_string(), None);
        let end = Ident { name: format!("{}{END_OF_LOOP}", index.name).into(), place };
        let mut it = self.rest_of_loop(Condition::Formula(Expr::new(
            ExprKind::Binary {
                op: BinaryOp::Less,
                op_place: place,
                sides: Box::new([at(), apply(end.name.to_string(), None)]),
            },
            place.0,
        )))?;
        it.body.insert(0, var(&element, &of_element, of_container("value", Some(at()))));
        let next = apply(format!("{}.next", index.name), None);
        it.body.push(stmt(StmtKind::Assign { targets: vec![at()], value: Some(next) }));
        let first = var(&index, &of_index, of_container("begin", None));
        let last = var(&end, &None, of_container("end", None));
        Ok(StmtKind::Block(vec![first, last, stmt(StmtKind::While(Box::new(it)))]))
    }

    /// Parses a name with its type, if that is given.
    fn name_of_loop(&mut self, what: &str) -> Parsed<(Ident, Option<SortRef>)> {
        let name = self.ident(what)?;
        let sort = if self.eat(Token::Colon) { Some(self.sort_with_dots()?) } else { None };
        Ok((name, sort))
    }

    fn unsupported<T>(&mut self, help: &str) -> Parsed<T> {
        let error = Diagnostic::error(
            Code::Syntax,
            self.span(),
            format!("`{}` is not supported in actions", self.slice()),
        )
        .label("this kind of statement is not read")
        .help(help);
        self.fail(error)
    }

    fn check(&mut self, kind: Check) -> Parsed<StmtKind> {
        self.advance();
        let label = self.label()?;
        let formula = self.formula()?;
        let proof = self.proof_in_statements(&formula)?;
        Ok(StmtKind::Check { kind, label, formula, proof })
    }

    fn loop_invariant(&mut self) -> Parsed<LoopInvariant> {
        let label = self.label()?;
        let formula = self.formula()?;
        let proof = self.proof_in_statements(&formula)?;
        Ok(LoopInvariant { label, formula, proof })
    }

    /// Parses the proof of a claim in statements, if there is one.
    fn proof_in_statements(&mut self, formula: &Expr) -> Parsed<Option<Box<Proof>>> {
        let mut proof = self.proof()?;
        if let Some(proof) = &mut proof {
            proof.claim = self.passed_formula(formula).text;
        }
        Ok(proof)
    }

    fn var(&mut self) -> Parsed<StmtKind> {
        if Version::of_text(self.text).minor < FIRST_WITH_VARIABLES {
            let error = self
                .expected("a statement")
                .help("`var` stands in actions from version 1.6 on: write `local x:t { .. }`");
            return self.fail(error);
        }
        self.advance();
        let name = self.ident("the name of the variable")?;
        let params = if self.at(Token::LeftParen) { self.params()? } else { Vec::new() };
        let sort = if self.eat(Token::Colon) { Some(self.sort_with_dots()?) } else { None };
        let mut value = None;
        if self.eat(Token::Assign) && !self.eat(Token::Star) {
            value = Some(self.formula()?);
        }
        let var = SortedVar { name, sort };
        Ok(StmtKind::Var { var, params, value })
    }

    #[inline(never)]
    fn if_stmt(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.condition()?;
        if self.at(Token::Ident) && self.slice() == "then" {
            let error = self.expected("`{`").help("the block follows the condition: `if c { .. }`");
            return self.fail(error);
        }
        let then = self.block()?;
        let mut otherwise = Vec::new();
        if condition == Condition::Any && !self.at(Token::Else) {
            let error = self.expected("`else`").help("`if *` has two branches, of which one may be empty");
            return self.fail(error);
        }
        if self.eat(Token::Else) {
            if self.at(Token::If) {
                // A chain counts as nesting, because it is nested in the tree.
                if self.state.blocks >= MAX_DEPTH / 4 {
                    return self.blocks_too_deep();
                }
                self.state.blocks += 1;
                let start = self.start;
                let kind = self.if_stmt()?;
                self.state.blocks -= 1;
                otherwise.push(Stmt { kind, place: Place(self.span_from(start)) });
            } else {
                otherwise = self.branch()?;
            }
        }
        Ok(StmtKind::If { condition, then, otherwise })
    }

    /// Parses a block, or a single statement after `else`, which declares nothing.
    fn branch(&mut self) -> Parsed<Vec<Stmt>> {
        let is_single = matches!(
            self.token,
            Token::Ident
                | Token::Assume
                | Token::Assert
                | Token::Require
                | Token::Ensure
                | Token::Call
                | Token::Local
                | Token::While
        );
        if is_single { Ok(vec![self.stmt()?]) } else { self.block() }
    }

    fn condition(&mut self) -> Parsed<Condition> {
        if self.eat(Token::Star) {
            return Ok(Condition::Any);
        }
        if !self.at(Token::Some) {
            let start = self.start;
            let formula = self.formula()?;
            return match formula.kind {
                ExprKind::Ref { name, args: None, .. } if self.at(Token::Assign) => self.cast(&name, start),
                _ => Ok(Condition::Formula(formula)),
            };
        }
        self.advance();
        let vars = if self.at(Token::LeftParen) {
            self.some_params()?
        } else {
            let vars = self.sorted_vars()?;
            self.expect(Token::Dot, "`,` or `.` and the formula")?;
            vars
        };
        let formula = self.formula()?;
        let wanted = [Extremum::Least, Extremum::Greatest].into_iter();
        let mut extremum = None;
        if let Some(found) = wanted.clone().find(|it| self.at(Token::Ident) && self.slice() == it.keyword()) {
            self.advance();
            extremum = Some((found, self.formula()?));
        }
        Ok(Condition::Some { vars, formula, extremum })
    }

    /// Parses what follows `y:v` in `y:v := x`: whether the value is one of a variant, for which the variable stands.
    fn cast(&mut self, of: &Ident, start: u32) -> Parsed<Condition> {
        let op_place = Place(self.span());
        let Some((name, sort)) = of.name.split_once(':') else {
            let error = self
                .expected("`{`")
                .help("a value is assigned where a condition is `y:v := x`, for a variant `v`");
            return self.fail(error);
        };
        let name = Ident { name: name.into(), place: of.place };
        let sort = SortRef { name: SortName::Named(sort.into()), place: of.place };
        self.advance();
        let value = self.formula()?;
        let span = self.span_from(start);
        let own = Expr::new(ExprKind::Ref { name: name.clone(), primes: 0, args: None }, name.span());
        let sides = Box::new([value, own]);
        let formula = Expr::new(ExprKind::Binary { op: BinaryOp::PointsTo, op_place, sides }, span);
        Ok(Condition::Some { vars: vec![SortedVar { name, sort: Some(sort) }], formula, extremum: None })
    }

    #[inline(never)]
    fn while_stmt(&mut self) -> Parsed<StmtKind> {
        self.advance();
        if self.at(Token::Star) {
            let error =
                self.expected("a condition").help("assign `*` to a variable before the loop and in it");
            return self.fail(error);
        }
        let condition = self.condition()?;
        Ok(StmtKind::While(Box::new(self.rest_of_loop(condition)?)))
    }

    /// Parses what follows the condition of a loop.
    fn rest_of_loop(&mut self, condition: Condition) -> Parsed<Loop> {
        let (mut invariants, mut decreases) = (Vec::new(), None);
        loop {
            if self.eat(Token::Invariant) {
                invariants.push(self.loop_invariant()?);
            } else if decreases.is_none() && self.at(Token::Ident) && self.slice() == "decreases" {
                self.advance();
                decreases = Some(self.formula()?);
            } else {
                break;
            }
        }
        let body = self.block()?;
        Ok(Loop { condition, invariants, decreases, body })
    }

    /// Parses a statement that starts with a name: assignments and calls. Before the results of a call that begins with `call` there
    /// are no parentheses.
    fn assignment_or_call(&mut self, is_call: bool) -> Parsed<StmtKind> {
        let (word, is_name) = (self.slice(), self.at(Token::Ident));
        let is_list = !is_call && self.at(Token::LeftParen);
        let mut targets = Vec::new();
        if is_list {
            let open = self.span();
            self.advance();
            targets = self.list()?;
            self.close(open)?;
        } else {
            targets.push(self.target()?);
            while is_call && self.eat(Token::Comma) {
                targets.push(self.target()?);
            }
        }
        if self.has_subscripts()
            && self.at(Token::Dot)
            && let [_] = targets.as_slice()
            && let Some(object) = targets.pop()
        {
            return self.field_assignment(object);
        }
        if self.eat(Token::Assign) {
            let value = if self.eat(Token::Star) { None } else { Some(self.formula()?) };
            return Ok(StmtKind::Assign { targets, value });
        }
        if let [Expr { kind: ExprKind::Ref { .. }, .. }] = targets.as_slice()
            && !is_list
            && matches!(self.token, Token::Semicolon | Token::RightBrace)
            && let Some(call) = targets.pop()
        {
            return Ok(StmtKind::Call(call));
        }
        let error = self.expected("`:=` or `;`");
        let starters = Lexeme::suggestions(&[Starts::Item]).chain(["if", "var", "instantiate"]);
        let error = match self.token {
            Token::Equal => error.help("an assignment is written `:=`"),
            Token::Comma => {
                error.help("several results are assigned by `(x, y) := f(z)`, or `call x, y := f(z)`")
            }
            _ => match (hints::word(word), suggest(word, starters)) {
                (Some(help), _) => error.help(help),
                (None, Some(near)) if is_name => error.help(format!("did you mean `{near}`?")),
                _ => error.note(format!("`{word}` starts an assignment or a call of an action")),
            },
        };
        self.fail(error)
    }

    /// Parses the left side of an assignment, or a call.
    pub(super) fn target(&mut self) -> Parsed<Expr> {
        if !matches!(self.token, Token::Ident | Token::This) {
            let error = self.expected("the name of what changes");
            return self.fail(error);
        }
        self.expr(Level::Unary)
    }
}

fn ends_with_block(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::If { .. }
            | StmtKind::While(_)
            | StmtKind::Local { .. }
            | StmtKind::Block(_)
            | StmtKind::Rest
    )
}
