//! Claims with proofs in the flat program: what is left to be shown stands for the claim.

use std::sync::Arc;

use super::commands::command;
use super::elements::symbols_in;
use super::exprs::binary;
use super::flat::Flat;
use super::formulas::Context;
use super::isolates::Presence;
use super::proofs::{Claim, Left, Place as Of};
use super::scopes::ScopeId;
use super::state::{Expander, Explicit};
use super::statements::Frame;
use crate::ivy::ast::{Check, DeclKind, Expr, ExprKind, Ident, Place, Proof, Role, Theorem};
use crate::ivy::proof::Step;
use crate::program::ast as program;
use crate::program::ast::{BinaryOp, Command, CommandKind, Item, ItemKind, commands_of, for_each_command};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Unchecked;

/// The first minor version in which axioms are about what never changes.
pub(super) const FIRST_WITH_RIGID_AXIOMS: u32 = 7;

impl<'a> Expander<'a, '_> {
    /// Returns the proof of a claim.
    pub(super) fn written_proof(&self, flat: Flat<'a>) -> Option<&'a Proof> {
        let (own, name) = match &flat.decl.kind {
            DeclKind::Formula { label, proof, .. } => {
                (proof.as_deref(), label.as_ref().map(|label| self.scopes.full(flat.scope, &label.name)))
            }
            DeclKind::Theorem(theorem) => {
                let outer = self.scopes.around(flat.scope);
                (theorem.proof.as_deref(), Some(self.scopes.full(outer, &theorem.name.name)))
            }
            _ => return None,
        };
        own.or_else(|| self.proofs.get(&name?).copied())
    }

    /// Returns the proof of a claim, unless what it leaves to be shown is the claim itself.
    pub(super) fn proof_of(&mut self, flat: Flat<'a>) -> Option<&'a Proof> {
        let proof = self.written_proof(flat)?;
        if proof.is_plain() {
            if self.is_right(flat, proof) {
                self.report.ignore_proof(proof.span());
            }
            return None;
        }
        Some(proof)
    }

    /// Reports what is wrong with a proof that changes nothing of what is to be shown, and returns whether nothing is.
    fn is_right(&mut self, flat: Flat<'a>, proof: &Proof) -> bool {
        let context = Context::of(flat.scope);
        match &flat.decl.kind {
            DeclKind::Formula { role, formula, .. } => {
                let claim = self.claim_of(flat, None, *role == Role::Property);
                self.check_steps(claim, formula, &context, &proof.steps)
            }
            DeclKind::Theorem(theorem) => {
                let claim = self.claim_of(flat, None, true);
                self.check_steps_of_theorem(claim, theorem, &context, &proof.steps)
            }
            _ => true,
        }
    }

    /// Reports what is wrong with such a proof of a claim in statements.
    pub(super) fn check_plain_proof(&mut self, formula: &Expr, proof: &Proof, span: Span, context: &Context) {
        let context = Context { calls: false, ..context.clone() };
        let claim = Claim { name: "".into(), place: Of::Statement, span };
        if self.check_steps(claim, formula, &context, &proof.steps) {
            self.report.ignore_proof(proof.span());
        }
    }

    /// Adds what the proof of a formula leaves to be shown.
    pub(super) fn proved(
        &mut self,
        flat: Flat<'a>,
        formula: &Expr,
        (role, name): (program::Role, Option<Ident>),
        steps: &[Step],
        items: &mut Vec<Item>,
    ) {
        let claim = self.claim_of(flat, name.as_ref(), role == program::Role::Theorem);
        let goals = self.goals_of_formula(claim, formula, &Context::of(flat.scope), steps);
        self.goal_items(flat, goals, role, name, items);
    }

    fn claim_of(&self, flat: Flat<'a>, name: Option<&Ident>, is_property: bool) -> Claim {
        let place = if is_property { Of::Property(flat.at) } else { Of::Invariant };
        Claim { name: name.map_or_else(|| "".into(), |it| it.name.clone()), place, span: flat.decl.span() }
    }

    fn goal_items(
        &mut self,
        flat: Flat<'a>,
        goals: Option<Vec<Left>>,
        role: program::Role,
        name: Option<Ident>,
        items: &mut Vec<Item>,
    ) {
        let place = flat.decl.place;
        let Some(mut goals) = goals else {
            let names = name.map(|name| name.name).into_iter().collect();
            return items.push(Item { kind: ItemKind::Broken(names), place });
        };
        if goals.is_empty() {
            // The proof shows it all, and the claim is listed nevertheless.
            goals.push(Left { formula: Expr::new(ExprKind::Bool(true), place.0), admitted: None });
        }
        let is_one = goals.len() == 1;
        for (at, Left { mut formula, admitted }) in goals.into_iter().enumerate() {
            let place = self.place_of(admitted, place);
            if role == program::Role::Theorem {
                formula = self.after_lemmas(flat.at, formula);
            }
            let name = name.as_ref().map(|name| match is_one {
                true => name.clone(),
                false => Ident { name: format!("{}.{}", name.name, at + 1).into(), place: name.place },
            });
            items.push(Item { kind: ItemKind::Formula { role, name, formula, proof: None }, place });
        }
    }

    /// Returns the place of what a proof leaves of a claim: that of the step which admits it, by which it is known, or else that of
    /// the claim.
    fn place_of(&mut self, admitted: Option<Span>, claim: Place) -> Place {
        let Some(step) = admitted else { return claim };
        if !self.admitted.contains(&step) {
            self.admitted.push(step);
        }
        Place(step)
    }

    /// Adds a theorem: what its premises imply, or what its proof leaves to be shown.
    pub(super) fn theorem(&mut self, flat: Flat<'a>, theorem: &'a Theorem, items: &mut Vec<Item>) {
        let (scope, place) = (flat.scope, flat.decl.place);
        let role = match flat.presence {
            Presence::Verified => program::Role::Theorem,
            // Other claims do not follow from a theorem unless a proof says how.
            _ if self.cut.is_some() => return,
            _ => program::Role::Axiom,
        };
        let name = Some(self.full(self.scopes.around(scope), &theorem.name));
        let is_unread = self.written_proof(flat).is_some_and(|proof| proof.unread().is_some());
        if is_unread && role == program::Role::Axiom {
            return;
        }
        let proof = self.proof_of(flat).filter(|_| role == program::Role::Theorem);
        let is_simple = theorem.premises.len() + 1 == theorem.formulas().len();
        if proof.is_some() || !is_simple {
            if role == program::Role::Axiom {
                // Proofs use it by its name.
                return;
            }
            let claim = self.claim_of(flat, name.as_ref(), true);
            if let Some(proof) = proof.filter(|_| is_unread) {
                return self.unread_theorem(claim, theorem, (scope, name), proof, items);
            }
            let steps = proof.map_or(&[][..], |proof| &proof.steps);
            let goals = self.goals_of_theorem(claim, theorem, &Context::of(scope), steps);
            return self.goal_items(flat, goals, role, name, items);
        }
        let mut premises: Vec<Expr> = theorem.formulas().into_iter().cloned().collect();
        let Some(conclusion) = premises.pop() else { return };
        let span = conclusion.span();
        let premise = match premises.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            _ => Some(Expr::new(ExprKind::And(premises), span)),
        };
        let formula = match premise {
            None => conclusion,
            Some(premise) => binary(BinaryOp::Implies, &premise, &conclusion, span),
        };
        let (formula, _) = self.closed(&formula, &Context::of(scope));
        if role == program::Role::Axiom {
            self.keep_assumed(flat.decl.span(), self.assumed_by(&formula));
        }
        let formula = self.after_lemmas(flat.at, formula);
        items.push(Item { kind: ItemKind::Formula { role, name, formula, proof: None }, place });
    }

    /// Adds a theorem whose proof is by a tactic that is not read. What it is about is checked.
    fn unread_theorem(
        &mut self,
        claim: Claim,
        theorem: &Theorem,
        (scope, name): (ScopeId, Option<Ident>),
        proof: &Proof,
        items: &mut Vec<Item>,
    ) {
        let place = Place(claim.span);
        let text = format!("theorem {}", claim.name);
        if self.goals_of_theorem(claim, theorem, &Context::of(scope), &[]).is_none() {
            let names = name.map(|name| name.name).into_iter().collect();
            return items.push(Item { kind: ItemKind::Broken(names), place });
        }
        self.ignore_tactic(proof.span());
        let kinds = self.unknown_claim(Unchecked::Tactic, name, &text, place.0);
        items.extend(kinds.map(|kind| Item { kind, place }));
    }

    /// Checks an axiom that proofs alone assume.
    pub(super) fn explicit_axiom(&mut self, flat: Flat<'a>, formula: &Expr) {
        let (formula, _) = self.closed(formula, &Context::of(flat.scope));
        let names = symbols_in(&formula);
        self.keep_assumed(flat.decl.span(), self.assumed_by(&formula));
        self.rigid.push((flat.decl.span(), names));
    }

    /// Asserts the explicit invariants, or what their proofs leave to be shown, where an execution ends.
    pub(super) fn explicit_invariants(&mut self, out: &mut Vec<Command>) {
        for Explicit { scope, formula, proof, place } in self.explicit.clone() {
            let context = Context::of(scope);
            let left = match proof {
                None => {
                    let (formula, _) = self.of_state(|it| it.closed(formula, &context));
                    vec![Left { formula, admitted: None }]
                }
                Some(proof) => {
                    let claim = Claim { name: "".into(), place: Of::Invariant, span: place.0 };
                    let holding = self.holding.len();
                    let goals =
                        self.of_state(|it| it.goals_of_formula(claim, formula, &context, &proof.steps));
                    self.holding.truncate(holding);
                    let Some(goals) = goals else {
                        out.push(command(CommandKind::Broken, place.0));
                        continue;
                    };
                    goals
                }
            };
            for Left { formula, admitted } in left {
                let place = self.place_of(admitted, place);
                out.push(command(CommandKind::Assert { formula, proof: None }, place.0));
            }
        }
    }

    /// Adds a claim with a proof to statements, or the assumption that it is. What the proof leaves to be shown is asserted, and
    /// the claim follows from that. Returns the claim then.
    pub(super) fn proved_check(
        &mut self,
        kind: Check,
        formula: &Expr,
        proof: &Proof,
        span: Span,
        frame: &Frame,
        out: &mut Vec<Command>,
    ) -> Option<Expr> {
        let context = Context { calls: false, ..frame.context.clone() };
        let (whole, _) = self.closed(formula, &context);
        let mut assumed = Vec::new();
        self.check(kind, whole.clone(), span, frame, &mut assumed);
        let is_shown = matches!(assumed.first().map(|it| &it.kind), Some(CommandKind::Assert { .. }));
        // What is required of callers, or assumed, is no claim of the statement.
        let is_claimed = kind == Check::Ensure || kind == Check::Assert && !frame.is_before;
        if proof.unread().is_some() && is_claimed {
            self.unchecked_assertion(proof, whole, span, is_shown, out);
            return None;
        }
        if !is_shown && self.probe.is_none() {
            out.append(&mut assumed);
            return None;
        }
        let is_told = self.probe.is_none();
        if is_told && self.wrong_proofs.contains(&span) {
            out.push(command(CommandKind::Broken, span));
            return None;
        }
        let claim = Claim { name: "".into(), place: Of::Statement, span };
        let errors = self.report.errors();
        let goals = self.goals_of_formula(claim, formula, &context, &proof.steps);
        if is_told && self.report.errors() > errors {
            self.wrong_proofs.insert(span);
        }
        let Some(goals) = goals else {
            out.push(command(CommandKind::Broken, span));
            return None;
        };
        for Left { formula, admitted } in goals {
            let place = self.place_of(admitted, Place(span));
            out.push(command(CommandKind::Assert { formula, proof: None }, place.0));
        }
        Some(whole)
    }

    /// Returns what the proof of a claim about states leaves to be shown, for the names that occur there.
    pub(super) fn mentioned_in_proof(&mut self, flat: Flat<'a>) -> Vec<Expr> {
        let DeclKind::Formula { role: Role::Invariant | Role::Explicit | Role::Safety, formula, .. } =
            &flat.decl.kind
        else {
            return Vec::new();
        };
        let Some(proof) = self.proof_of(flat) else { return Vec::new() };
        let claim = self.claim_of(flat, None, false);
        let goals = self.goals_of_formula(claim, formula, &Context::of(flat.scope), &proof.steps);
        goals.unwrap_or_default().into_iter().map(|goal| goal.formula).collect()
    }

    /// Reports what proofs assume about symbols that actions change: it would not hold in all states.
    pub(super) fn check_rigid(&mut self, items: &[Item]) {
        if self.rigid.is_empty() || self.version.minor < FIRST_WITH_RIGID_AXIOMS {
            return;
        }
        let mut changing: Set<Arc<str>> =
            self.cut.iter().flat_map(|cut| cut.changing.iter().cloned()).collect();
        let unused = items.iter().filter_map(|item| match &item.kind {
            ItemKind::Unused(command) => Some(command),
            _ => None,
        });
        for_each_command(commands_of(items).chain(unused), |command| {
            changing.extend(command.target().map(|target| target.name.clone()));
        });
        let mut found = Vec::new();
        for (span, names) in &self.rigid {
            let mut open: Vec<Arc<str>> = names.iter().cloned().collect();
            let mut seen = names.clone();
            while let Some(name) = open.pop() {
                if changing.contains(&name) {
                    found.push((*span, name));
                    break;
                }
                // An order may be one that a definition gives.
                let orders = self.operators.keys().filter(|_| *name == *BinaryOp::Less.text());
                let macros = items.iter().filter_map(|item| match &item.kind {
                    ItemKind::Macro { name: defined, body, .. } if defined.name == name => Some(body),
                    _ => None,
                });
                let inside = orders.cloned().chain(macros.flat_map(symbols_in));
                open.extend(inside.filter(|name| seen.insert(name.clone())));
            }
        }
        found.sort();
        found.dedup_by_key(|(span, _)| *span);
        for (span, name) in found {
            self.report.push(
                Diagnostic::error(
                    Code::Assignment,
                    span,
                    format!("what proofs assume here is about `{name}`, which actions assign"),
                )
                .label("axioms and schemata are about what never changes")
                .help("make it a `property` or an `invariant`, which is shown"),
            );
        }
    }
}
