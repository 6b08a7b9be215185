//! Parser of proofs.

use super::Parser;
use crate::fol::ast::{Ident, Place};
use crate::fol::parser::{Failed, MAX_DEPTH, Parsed};
use crate::fol::token::Token;
use crate::ivy::ast::{DeclKind, Expr, ExprKind, Recursion, Version};
use crate::ivy::expand::FIRST_WITH_RECURSION;
use crate::ivy::proof::{Given, Proof, Step, StepKind, Unfolded, Use};
use ramsey_core::diag::{Code, Diagnostic};

/// What a step of a proof may be.
const STEPS: &str = "steps are `apply`, `instantiate`, `assume`, `property`, `theorem`, `function`, `let`, `if`, `unfold`, \
    `forget`, `showgoals`, `defergoal`, `tactic` and `proof [goal]`";

impl Parser<'_> {
    /// Parses `proof ..` after a claim, if present: steps in braces, or a single step. A proof with the name of a claim stands by
    /// itself.
    pub(super) fn proof(&mut self) -> Parsed<Option<Box<Proof>>> {
        if !self.at(Token::Proof) || self.peek() == Token::LeftBracket {
            return Ok(None);
        }
        Ok(Some(Box::new(self.steps_of_proof()?)))
    }

    /// Makes a definition one by recursion if it mentions what it defines, and its proof says so.
    pub(super) fn is_recursion(&self, definition: &mut DeclKind, proof: &Proof) -> bool {
        let DeclKind::Definition { name, body, recursion, .. } = definition else { return false };
        let [Step { kind: StepKind::Apply(rule), .. }] = proof.steps.as_slice() else { return false };
        let is_own =
            |node: &Expr| matches!(&node.kind, ExprKind::Ref { name: other, .. } if other.name == name.name);
        let is_recursive = rule.name.name.starts_with("rec[")
            && Version::of_text(self.text).minor >= FIRST_WITH_RECURSION
            && body.nodes().any(is_own);
        if is_recursive {
            *recursion = Some(Box::new(Recursion { schema: rule.name.clone() }));
        }
        is_recursive
    }

    fn steps_of_proof(&mut self) -> Parsed<Proof> {
        let start = self.start;
        self.advance();
        let label = self.label()?;
        if self.state.blocks >= MAX_DEPTH / 4 {
            return self.blocks_too_deep();
        }
        self.state.blocks += 1;
        let steps = if self.at(Token::LeftBrace) { self.steps()? } else { vec![self.step()?] };
        self.state.blocks -= 1;
        Ok(Proof { label, steps, text: self.passed(start), claim: "".into() })
    }

    /// Parses `proof [name] ..` that stands by itself.
    pub(super) fn proof_of(&mut self) -> Parsed<DeclKind> {
        let span = self.span();
        let proof = self.steps_of_proof()?;
        match proof.label.is_some() {
            true => Ok(DeclKind::Proof(Box::new(proof))),
            false => {
                let error = Diagnostic::error(Code::Syntax, span, "a proof of what?")
                    .label("follows no claim")
                    .help("write the proof after the claim, or `proof [name] { .. }` with the name of the claim");
                self.fail(error)
            }
        }
    }

    /// Parses steps in braces.
    fn steps(&mut self) -> Parsed<Vec<Step>> {
        let open = self.span();
        if !self.at(Token::LeftBrace) {
            let error = self.expected("`{` and the steps of the proof");
            return self.fail(error);
        }
        if self.state.blocks >= MAX_DEPTH / 4 {
            return self.blocks_too_deep();
        }
        self.state.blocks += 1;
        self.state.steps += 1;
        self.advance();
        let mut steps = Vec::new();
        while !self.at(Token::RightBrace) {
            if self.eat(Token::Semicolon) {
                continue;
            }
            if self.at(Token::End) {
                let error = self.expected("a step of a proof or `}`").also(open, "to close this brace");
                return self.fail(error);
            }
            steps.push(self.step()?);
        }
        self.advance();
        self.state.blocks -= 1;
        self.state.steps -= 1;
        Ok(steps)
    }

    /// Parses `proof { .. }` in a step, if present.
    fn own_steps(&mut self) -> Parsed<Vec<Step>> {
        if self.at(Token::Proof) && self.peek() == Token::LeftBrace {
            self.advance();
            return self.steps();
        }
        Ok(Vec::new())
    }

    #[inline(never)]
    fn step(&mut self) -> Parsed<Step> {
        let start = self.start;
        let kind = match self.token {
            Token::LeftBrace => StepKind::Block(self.steps()?),
            Token::Assume => {
                self.advance();
                StepKind::Instantiate { is_global: true, label: None, rule: self.rule()? }
            }
            Token::Instantiate => {
                self.advance();
                if self.eat(Token::With) {
                    StepKind::Witness(self.given()?)
                } else {
                    let label = self.label()?;
                    StepKind::Instantiate { is_global: false, label, rule: self.rule()? }
                }
            }
            Token::Property => {
                self.advance();
                let (label, formula) = (self.label()?, self.formula()?);
                let named = if self.named_follows() { Some(self.named()?) } else { None };
                StepKind::Property { label, formula, named, proof: self.own_steps()? }
            }
            Token::Theorem => match self.theorem()? {
                DeclKind::Theorem(theorem) => StepKind::Theorem(theorem),
                _ => return Err(Failed),
            },
            Token::Function => {
                self.advance();
                StepKind::Function(self.given()?)
            }
            Token::Let => {
                self.advance();
                StepKind::Let(self.given()?)
            }
            Token::If => {
                self.advance();
                let (condition, then) = (self.formula()?, self.steps()?);
                let mut otherwise = Vec::new();
                if self.eat(Token::Else) {
                    if self.at(Token::If) {
                        if self.state.blocks >= MAX_DEPTH / 4 {
                            return self.blocks_too_deep();
                        }
                        self.state.blocks += 1;
                        otherwise.push(self.step()?);
                        self.state.blocks -= 1;
                    } else {
                        otherwise = self.steps()?;
                    }
                }
                StepKind::If { condition, then, otherwise }
            }
            Token::Proof => {
                self.advance();
                let Some(name) = self.label()? else {
                    let error = self.expected("`[` and the name of a goal");
                    return self.fail(error);
                };
                StepKind::Goal { name, steps: self.steps()? }
            }
            _ => self.step_by_word()?,
        };
        Ok(Step { kind, place: Place(self.span_from(start)) })
    }

    /// Parses a step that begins with a word that is not reserved here.
    fn step_by_word(&mut self) -> Parsed<StepKind> {
        let word = self.slice();
        // Before version 1.7 the use of a rule begins with its name.
        let is_rule = self.at(Token::Ident) && self.has_implications_to_the_right();
        match word {
            "apply" => {
                self.advance();
                Ok(StepKind::Apply(self.rule()?))
            }
            "showgoals" => {
                self.advance();
                Ok(StepKind::ShowGoals)
            }
            "defergoal" => {
                self.advance();
                Ok(StepKind::DeferGoal)
            }
            "forget" => {
                self.advance();
                let mut names = vec![self.dotted_name("the name of a premise")?];
                while self.eat(Token::Comma) {
                    names.push(self.dotted_name("the name of a premise")?);
                }
                Ok(StepKind::Forget(names))
            }
            "unfold" => {
                self.advance();
                let premise = if self.at(Token::With) {
                    None
                } else {
                    Some(self.dotted_name("the name of a premise")?)
                };
                self.expect(Token::With, "`with` and the definitions")?;
                let mut definitions = Vec::new();
                loop {
                    let name = self.dotted_name("the name of a definition")?;
                    let mut renaming = Vec::new();
                    while self.at(Token::Less) {
                        renaming.push(self.renaming()?);
                    }
                    definitions.push(Unfolded { name, renaming });
                    if !self.eat(Token::Comma) {
                        break;
                    }
                }
                Ok(StepKind::Unfold { premise, definitions })
            }
            "tactic" => {
                self.advance();
                let name = self.ident("the name of a tactic")?;
                if self.at(Token::With) && self.state.steps > 0 {
                    self.pass_arguments()?;
                } else if self.at(Token::With) {
                    // Where it ends is not clear: what it is used with may look like declarations.
                    let error = Diagnostic::error(
                        Code::Syntax,
                        name.span(),
                        format!("the tactic `{}` is not supported", name.name),
                    )
                    .label("it is used with arguments here, which end nowhere");
                    return self.fail(error.help("write the proof in braces: `proof { tactic .. with .. }`"));
                }
                Ok(StepKind::Tactic(name))
            }
            _ if is_rule => Ok(StepKind::Apply(self.rule()?)),
            _ if self.at(Token::Ident) || self.token.is_reserved_word() => {
                let error = Diagnostic::error(
                    Code::Syntax,
                    self.span(),
                    format!("`{word}` is no step of a proof that is supported"),
                )
                .label("this step is not read");
                self.fail(error.help(STEPS))
            }
            _ => {
                let error = self.expected("a step of a proof").help(STEPS);
                self.fail(error)
            }
        }
    }

    /// Passes over what a tactic is used with, up to the end of the step.
    fn pass_arguments(&mut self) -> Parsed<()> {
        while !matches!(self.token, Token::End | Token::RightBrace | Token::Semicolon) {
            match self.token {
                Token::LeftBrace | Token::LeftParen | Token::LeftBracket => self.balanced()?,
                _ => self.advance(),
            }
        }
        Ok(())
    }

    /// Parses the rule of a step: its name, new names, and what it is used with.
    fn rule(&mut self) -> Parsed<Use> {
        let name = self.rule_name()?;
        let renaming = if self.at(Token::Less) { self.renaming()? } else { Vec::new() };
        let with = if self.eat(Token::With) { self.given()? } else { Vec::new() };
        Ok(Use { name, renaming, with })
    }

    /// Parses new names, each with the old one.
    fn renaming(&mut self) -> Parsed<Vec<(Ident, Ident)>> {
        self.expect(Token::Less, "`<`")?;
        let mut renaming = Vec::new();
        loop {
            let new = self.ident("a new name")?;
            self.expect(Token::Slash, "`/` and the old name")?;
            let old = self.ident("the old name")?;
            renaming.push((new, old));
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::Greater, "`>`")?;
        Ok(renaming)
    }

    /// Parses the name of a rule, in which the last part may have a name in brackets: `ind[t]`.
    fn rule_name(&mut self) -> Parsed<Ident> {
        let start = self.start;
        let mut name = self.dotted_name("the name of a schema, theorem or formula")?;
        if self.eat(Token::LeftBracket) {
            let of = self.dotted_name("a type")?;
            self.expect(Token::RightBracket, "`]`")?;
            name.name = format!("{}[{}]", name.name, of.name).into();
        }
        name.place = Place(self.span_from(start));
        Ok(name)
    }

    /// Returns whether `named f` begins here.
    pub(super) fn named_follows(&self) -> bool {
        self.at(Token::Ident) && self.slice() == "named"
    }

    /// Parses `named f(X, Y)`.
    pub(super) fn named(&mut self) -> Parsed<(Ident, Vec<crate::fol::ast::SortedVar>)> {
        self.advance();
        let name = self.ident("the name of a function")?;
        let params = if self.at(Token::LeftParen) { self.params()? } else { Vec::new() };
        Ok((name, params))
    }

    /// Parses `name(params) = value` one or several times.
    fn given(&mut self) -> Parsed<Vec<Given>> {
        let mut all = Vec::new();
        loop {
            let name = self.dotted_name("a name of the rule")?;
            let params = if self.at(Token::LeftParen) { self.params()? } else { Vec::new() };
            let result = if self.eat(Token::Colon) { Some(self.sort_with_dots()?) } else { None };
            self.expect(Token::Equal, "`=` and a value")?;
            let value = self.formula()?;
            all.push(Given { name, params, result, value });
            if !self.eat(Token::Comma) {
                return Ok(all);
            }
        }
    }
}
