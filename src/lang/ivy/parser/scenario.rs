//! Parser of scenarios: places, each of which has a token or not, and transitions that move tokens where actions are called. They
//! become relations, an initializer and monitors.

use super::Parser;
use crate::fol::ast::{Expr, ExprKind, Ident, Place};
use crate::fol::parser::{Failed, MAX_DEPTH, Parsed};
use crate::fol::token::Token;
use crate::ivy::ast::{Action, Check, Condition, DeclKind, Stmt, StmtKind, SymbolDecl, When};
use ramsey_core::diag::{Code, Diagnostic};

/// A transition of a scenario.
struct Transition {
    /// The places that have tokens before it.
    from: Vec<Ident>,
    /// The places that have tokens after it.
    to: Vec<Ident>,
    /// Whether it is taken after the action.
    is_after: bool,
    /// The action, with the statements of the transition.
    action: Action,
}

fn stmt(kind: StmtKind, place: Place) -> Stmt {
    Stmt { kind, place }
}

fn has_token(name: &Ident) -> Expr {
    Expr::new(ExprKind::Ref { name: name.clone(), primes: 0, args: None }, name.span())
}

fn set(name: &Ident, value: bool, place: Place) -> Stmt {
    let value = Some(Expr::new(ExprKind::Bool(value), place.0));
    stmt(StmtKind::Assign { targets: vec![has_token(name)], value }, place)
}

impl Transition {
    /// Returns the statements that move the tokens, and those of the transition.
    fn moves(&self, place: Place) -> Vec<Stmt> {
        let taken = self.from.iter().map(|name| set(name, false, place));
        let put = self.to.iter().map(|name| set(name, true, place));
        let body = StmtKind::Block(self.action.body.clone().unwrap_or_default());
        taken.chain(put).chain([stmt(body, place)]).collect()
    }

    /// Returns the places that it moves tokens from or to.
    fn places(&self) -> Vec<Ident> {
        self.from.iter().chain(&self.to).cloned().collect()
    }

    /// Returns the statements of the monitor. What comes before an action happens only where there are tokens.
    fn body(&self) -> Vec<Stmt> {
        let place = self.action.name.place;
        let tokens = self.from.iter().map(has_token);
        if self.is_after {
            let condition = Condition::Formula(Expr::new(ExprKind::And(tokens.collect()), place.0));
            let (then, otherwise) = (self.moves(place), Vec::new());
            return vec![stmt(StmtKind::If { condition, then, otherwise }, place)];
        }
        let assume = |formula| {
            let kind = Check::Assume;
            stmt(StmtKind::Check { kind, label: None, formula, proof: None }, place)
        };
        tokens.map(assume).chain(self.moves(place)).collect()
    }
}

impl Parser<'_> {
    /// Parses `scenario { -> places; places -> places : before action(params) { .. } .. }`.
    pub(super) fn scenario(&mut self) -> Parsed<Vec<DeclKind>> {
        let place = Place(self.span());
        self.advance();
        let open = self.span();
        self.expect(Token::LeftBrace, "`{`")?;
        self.expect(Token::Implies, "`->` and the first places")?;
        let first = self.places()?;
        self.expect(Token::Semicolon, "`;` and the transitions")?;
        let mut transitions: Vec<Transition> = Vec::new();
        while !self.eat(Token::RightBrace) {
            if self.eat(Token::Semicolon) {
                continue;
            }
            if self.at(Token::End) {
                let error = self.expected("a transition or `}`").also(open, "to close this brace");
                return self.fail(error);
            }
            transitions.push(self.transition()?);
        }
        let mut known: Vec<Ident> = Vec::new();
        let all = transitions.iter().flat_map(|it| it.from.iter().chain(&it.to));
        for name in first.iter().chain(all) {
            if !known.iter().any(|it| it.name == name.name) {
                known.push(name.clone());
            }
        }
        let symbol = |name: &Ident| SymbolDecl {
            name: name.clone(),
            params: Vec::new(),
            result: None,
            definition: None,
            default: None,
        };
        let symbols = known.iter().map(symbol).collect();
        let initial = |name: &Ident| set(name, first.iter().any(|it| it.name == name.name), place);
        let body = known.iter().map(initial).collect();
        let mut kinds = vec![
            DeclKind::Symbols { keyword: self.intern("relation"), symbols },
            DeclKind::Init { params: Vec::new(), body },
        ];
        while !transitions.is_empty() {
            let action = transitions[0].action.name.name.clone();
            let (of_action, others) = transitions.into_iter().partition(|it| it.action.name.name == action);
            transitions = others;
            self.monitors_of(of_action, &mut kinds)?;
        }
        Ok(kinds)
    }

    /// Adds the monitors of an action. One of the transitions before it is taken, and all those after it that have tokens, one
    /// after the other.
    fn monitors_of(&mut self, transitions: Vec<Transition>, kinds: &mut Vec<DeclKind>) -> Parsed<()> {
        let (after, before): (Vec<_>, Vec<_>) = transitions.into_iter().partition(|it| it.is_after);
        if let (Some(one), Some(other)) = (before.first(), after.first()) {
            let error = Diagnostic::error(
                Code::Syntax,
                other.action.name.span(),
                format!("`{}` has transitions before it and after it", other.action.name.name),
            )
            .label("after the action")
            .also(one.action.name.span(), "before it")
            .help("write a monitor for one of them");
            return self.fail(error);
        }
        let mut choice: Option<Action> = None;
        for (nested, transition) in before.into_iter().rev().enumerate() {
            let (body, mut places) = (transition.body(), transition.places());
            let action = transition.action;
            choice = Some(match choice {
                None => Action { body: Some(body), places, ..action },
                Some(known) if known.params == action.params && known.returns == action.returns => {
                    if self.state.blocks as usize + nested >= MAX_DEPTH as usize / 4 {
                        return self.blocks_too_deep();
                    }
                    let place = action.name.place;
                    let otherwise = known.body.unwrap_or_default();
                    let kind = StmtKind::If { condition: Condition::Any, then: body, otherwise };
                    places.extend(known.places);
                    Action { body: Some(vec![stmt(kind, place)]), places, ..action }
                }
                Some(known) => {
                    let error = Diagnostic::error(
                        Code::Syntax,
                        action.name.span(),
                        format!("transitions before `{}` have other parameters", action.name.name),
                    )
                    .label("one of several transitions")
                    .also(known.name.span(), "another one")
                    .help("give the parameters the same names and types in all of them");
                    return self.fail(error);
                }
            });
        }
        kinds.extend(choice.map(|action| DeclKind::Monitor { when: When::Before, action }));
        for transition in after {
            let (body, places) = (Some(transition.body()), transition.places());
            let action = Action { body, places, ..transition.action };
            kinds.push(DeclKind::Monitor { when: When::After, action });
        }
        Ok(())
    }

    fn places(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = vec![self.ident("a place")?];
        while self.eat(Token::Comma) {
            names.push(self.ident("a place")?);
        }
        Ok(names)
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let from = self.places()?;
        let to = if self.eat(Token::Implies) { self.places()? } else { Vec::new() };
        self.expect(Token::Colon, "`:` and `before` or `after`")?;
        let is_after = self.at(Token::After);
        if !is_after && !self.at(Token::Before) {
            let error = self.expected("`before` or `after`, and an action");
            return self.fail(error);
        }
        match self.monitor(if is_after { When::After } else { When::Before })? {
            DeclKind::Monitor { action, .. } => Ok(Transition { from, to, is_after, action }),
            _ => Err(Failed),
        }
    }
}
