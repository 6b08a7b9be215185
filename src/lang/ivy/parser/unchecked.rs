//! Claims with proofs by tactics that are not read, and declarations about executions without end.

use super::Parser;
use crate::fol::ast::Ident;
use crate::fol::parser::Parsed;
use crate::fol::token::Token;
use crate::ivy::ast::{Decl, DeclKind, Proof, Role, Skipped};
use ramsey_core::logic::Unchecked;

/// Returns whether a claim with this role may be told as not checked.
fn is_claim(role: Role) -> bool {
    matches!(role, Role::Property | Role::Invariant | Role::Explicit | Role::Safety)
}

impl Parser<'_> {
    /// Makes claims of a block that are not checked of those whose proofs are by tactics which are not read.
    pub(super) fn set_apart(&self, decls: &mut [Decl]) {
        let of_itself = |proof: &Proof| proof.unread().is_some().then(|| proof.text.clone());
        let later: Vec<Ident> = decls
            .iter()
            .filter_map(|decl| match &decl.kind {
                DeclKind::Proof(proof) => of_itself(proof).and_then(|_| proof.label.clone()),
                _ => None,
            })
            .collect();
        for decl in decls.iter_mut() {
            let DeclKind::Formula { role, keyword, label, formula, with, named, proof } = &decl.kind else {
                continue;
            };
            if !is_claim(*role) {
                continue;
            }
            let is_later =
                || label.as_ref().is_some_and(|label| later.iter().any(|name| name.name == label.name));
            let own = proof.as_deref().and_then(of_itself);
            if own.is_none() && !(proof.is_none() && is_later()) {
                continue;
            }
            let with = with.as_ref().map(|with| with.text.clone());
            let proof = match (with, own) {
                (Some(with), Some(own)) => {
                    Some(Skipped { text: format!("{} {}", with.text, own.text).into(), ..own })
                }
                (with, own) => own.or(with),
            };
            decl.kind = DeclKind::Unchecked {
                reason: Unchecked::Tactic,
                keyword: keyword.clone(),
                label: label.clone(),
                formula: formula.clone(),
                text: self.passed_formula(formula),
                named: named.clone(),
                proof,
            };
        }
        let labels: Vec<Ident> = decls
            .iter()
            .filter_map(|decl| match &decl.kind {
                DeclKind::Unchecked { label, .. } => label.clone(),
                _ => None,
            })
            .collect();
        // The proof of such a claim stands with it.
        for decl in decls.iter_mut() {
            if let DeclKind::Proof(proof) = &decl.kind
                && let Some(label) = &proof.label
                && labels.iter().any(|known| known.name == label.name)
            {
                let text = proof.text.clone();
                decl.kind = DeclKind::Ignored { keyword: "proof".into(), text };
            }
        }
    }

    /// Parses `progress name(params) = formula, ..`, each of which is about executions without end.
    pub(super) fn progress(&mut self) -> Parsed<Vec<DeclKind>> {
        self.advance();
        let mut kinds = Vec::new();
        loop {
            let label = Some(self.dotted_name("a name")?);
            if self.at(Token::LeftParen) {
                self.params()?;
            }
            self.expect(Token::Equal, "`=` and a formula")?;
            let start = self.start;
            let formula = self.formula()?;
            let (keyword, text) = (self.intern("temporal property"), self.passed(start));
            let (reason, proof) = (Unchecked::Temporal, None);
            kinds.push(DeclKind::Unchecked { reason, keyword, label, formula, text, named: None, proof });
            if !self.eat(Token::Comma) {
                return Ok(kinds);
            }
        }
    }

    /// Parses `rely formula`, which says on what a `progress` depends.
    pub(super) fn rely(&mut self) -> Parsed<DeclKind> {
        let (keyword, start) = (self.keyword(), self.start);
        self.advance();
        self.formula()?;
        Ok(DeclKind::Ignored { keyword, text: self.passed(start) })
    }
}
