//! Proofs: what remains to be shown of a claim after the steps of its proof.
//!
//! A goal is a formula with premises; its free variables stand for all values. Each step puts goals in the place of the first
//! one, which follows from them. What is assumed in a goal is an instance of something that holds anyway: an axiom, a schema, a
//! property or theorem that stands before the claim, or what a step has shown. So the claim holds if all goals do that are left.

mod choice;
mod explicit;
mod facts;
mod goal;
mod lemmas;
mod matching;
mod mentions;
pub(super) mod recursion;
mod rules;
mod skolem;
mod steps;
pub(super) mod table;
mod terms;
mod typed;
mod uses;

use super::commands::command;
use super::formulas::Context;
use super::scopes::ScopeId;
use super::state::{Expander, Helper, Symbol};
use crate::ivy::ast::{Expr, Ident, Theorem};
use crate::ivy::proof::Step;
use crate::program::ast::{Command, CommandKind};
pub(super) use goal::{Claim, Place};
use goal::{Goal, Prover};
use ramsey_core::base::span::Span;
use rules::{OwnSymbol, Rule};
use table::Holding;
use terms::{BOOL, Lambda, Op, Read, Sort, Subst, Term, fresh};
use typed::{expression, sort_ref};

/// What a proof leaves of a claim.
#[derive(Clone)]
pub(super) struct Left {
    /// A closed formula of the flat program.
    pub(super) formula: Expr,
    /// The step that admits it, so that it is not shown.
    pub(super) admitted: Option<Span>,
}

impl<'a> Expander<'a, '_> {
    /// Returns what remains to be shown of a formula after its proof, as closed formulas of the flat program; `None` if there is an
    /// error, which has been reported.
    pub(super) fn goals_of_formula(
        &mut self,
        claim: Claim,
        formula: &Expr,
        context: &Context,
        steps: &[Step],
    ) -> Option<Vec<Left>> {
        let goal = self.goal_of_formula(&claim, formula, context).ok()?;
        self.goals(claim, goal, steps).ok()
    }

    fn goal_of_formula(&mut self, claim: &Claim, formula: &Expr, context: &Context) -> Read<Goal> {
        let mut context = context.clone();
        self.scope_vars(formula, &mut context);
        let sort: Sort = BOOL.into();
        let conclusion = self.read(&[(formula, &context, Some(sort))], &[])?.remove(0);
        let label = claim.name.clone();
        Ok(Goal { label, context, symbols: Vec::new(), premises: Vec::new(), conclusion })
    }

    /// Reports what is wrong with steps that change nothing of what is to be shown, and returns whether nothing is.
    pub(super) fn check_steps(
        &mut self,
        claim: Claim,
        formula: &Expr,
        context: &Context,
        steps: &[Step],
    ) -> bool {
        let goal = self.goal_of_formula(&claim, formula, context);
        self.are_right(claim, goal, steps)
    }

    /// Reports what is wrong with such steps in the proof of a theorem, and returns whether nothing is.
    pub(super) fn check_steps_of_theorem(
        &mut self,
        claim: Claim,
        theorem: &Theorem,
        context: &Context,
        steps: &[Step],
    ) -> bool {
        let goal = self.goal_of_theorem(&claim, theorem, context);
        self.are_right(claim, goal, steps)
    }

    fn are_right(&mut self, claim: Claim, goal: Read<Goal>, steps: &[Step]) -> bool {
        goal.and_then(|goal| Prover { expander: self, claim, admitted: Vec::new() }.run(vec![goal], steps))
            .is_ok()
    }

    /// Returns what remains to be shown of a theorem after its proof, as closed formulas of the flat program; `None` if there is an
    /// error, which has been reported. The scope of the context is that of what the theorem declares.
    pub(super) fn goals_of_theorem(
        &mut self,
        claim: Claim,
        theorem: &Theorem,
        context: &Context,
        steps: &[Step],
    ) -> Option<Vec<Left>> {
        let goal = self.goal_of_theorem(&claim, theorem, context).ok()?;
        self.goals(claim, goal, steps).ok()
    }

    fn goal_of_theorem(&mut self, claim: &Claim, theorem: &Theorem, context: &Context) -> Read<Goal> {
        let mut context = context.clone();
        let all = theorem.formulas().into_iter().cloned().collect();
        let all = Expr::new(crate::ivy::ast::ExprKind::And(all), claim.span);
        self.scope_vars(&all, &mut context);
        let Rule { premises, conclusion, .. } = self.rule_in(theorem, &context)?;
        Ok(Goal { label: claim.name.clone(), context, symbols: Vec::new(), premises, conclusion })
    }

    fn goals(&mut self, claim: Claim, goal: Goal, steps: &[Step]) -> Read<Vec<Left>> {
        let (span, place) = (claim.span, claim.place);
        let mut prover = Prover { expander: self, claim, admitted: Vec::new() };
        let goals = prover.run(vec![goal], steps)?;
        let admitted = prover.admitted.into_iter().map(|(goal, step)| (goal, Some(step)));
        let all: Vec<(Goal, Option<Span>)> =
            goals.into_iter().map(|goal| (goal, None)).chain(admitted).collect();
        let mut formulas = Vec::new();
        for (goal, admitted) in all {
            formulas.push(Left { formula: self.formula_of(&goal, span)?, admitted });
            if place == Place::Invariant && self.probe.is_none() {
                // Where the goals are assumed, the claim follows with what holds anyway.
                for premise in goal.premises.iter().filter(|premise| premise.holds) {
                    if let Some(conclusion) = premise.formula() {
                        let goal = Goal { premises: Vec::new(), conclusion, ..goal.clone() };
                        let formula = self.closed_term(&goal, span);
                        self.holding.push(Holding(formula));
                    }
                }
            }
        }
        Ok(formulas)
    }

    /// Assumes what holds in all states, at the beginning of a transition.
    pub(super) fn assume_holding(&mut self, span: Span, out: &mut Vec<Command>) {
        for Holding(formula) in self.holding.clone() {
            if let Ok(formula) = expression(self, &formula, span) {
                out.push(command(CommandKind::Assume(formula), span));
            }
        }
    }

    /// Reports what is wrong with a rule, whether a proof uses it or not.
    pub(super) fn check_rule(&mut self, scope: ScopeId, rule: &Theorem) {
        // What is wrong has been reported.
        let _ = self.rule_of(rule, &Context::of(scope), &[]);
    }

    /// Returns what a goal says, for all values of its variables and all symbols that stand for anything in it.
    fn formula_of(&mut self, goal: &Goal, span: Span) -> Read<Expr> {
        let formula = self.closed_term(goal, span);
        expression(self, &formula, span)
    }

    fn closed_term(&mut self, goal: &Goal, span: Span) -> Term {
        let mut formula = goal.conclusion.clone();
        for premise in goal.premises.iter().rev() {
            // Without a premise the goal says more.
            if let Some(premise) = premise.formula() {
                formula = Term::op(Op::Implies, [premise, formula]);
            }
        }
        let mut mentioned = ramsey_core::base::hash::Set::default();
        formula.add_symbols(&mut mentioned);
        let mut vars = formula.free();
        let mut subst = Subst::default();
        for symbol in goal.symbols.iter().filter(|it| mentioned.contains(&it.name)) {
            if symbol.args.is_empty() && *symbol.result != *BOOL {
                let name = fresh(&symbol.user, |name| vars.iter().any(|(known, _)| **known == *name));
                let body = Term::Var(name.clone(), symbol.result.clone());
                subst.symbols.insert(symbol.name.clone(), Lambda { params: Vec::new(), body });
                vars.push((name, symbol.result.clone()));
            } else {
                self.declare_helper(symbol, span);
            }
        }
        subst.apply(&formula).closed(true, vars)
    }

    /// Declares a symbol that stands for anything. Nothing assigns it, and nothing is known of it.
    fn declare_helper(&mut self, symbol: &OwnSymbol, span: Span) {
        if self.helpers.iter().any(|it| it.name.name == symbol.name) {
            return;
        }
        let place = crate::ivy::ast::Place(span);
        let name = Ident { name: symbol.name.clone(), place };
        let symbol = Symbol {
            args: symbol.args.iter().map(|sort| sort_ref(sort, place)).collect(),
            result: (*symbol.result != *BOOL).then(|| sort_ref(&symbol.result, place)),
            source: Some(symbol.user.clone()),
        };
        self.helpers.push(Helper { name, symbol, is_chosen: false });
    }
}
