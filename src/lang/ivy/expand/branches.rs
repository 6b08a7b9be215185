//! Statements with conditions: branches and loops.

use std::sync::Arc;

use super::commands::command;
use super::declarations::renamed;
use super::exprs::{binary, equal, not, reference};
use super::formulas::FIRST_WITH_ORDERS;
use super::state::{Expander, Local};
use super::statements::Frame;
use crate::ivy::ast::{Check, Condition, Expr, ExprKind, Extremum, Loop, LoopInvariant, SortedVar, Stmt};
use crate::program::ast::{BinaryOp, Command, CommandKind, for_each_command};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    pub(super) fn if_stmt(
        &mut self,
        condition: &'a Condition,
        then: &'a [Stmt],
        otherwise: &'a [Stmt],
        span: Span,
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) {
        let mut no = Vec::new();
        let (condition, yes) = self.branch(condition, then, span, frame, out, |_, _, _| {});
        self.stmts(otherwise, frame, &mut no);
        out.push(command(CommandKind::If { condition, then: yes, otherwise: no }, span));
    }

    /// Translates a condition, and the statements where it holds, with what `finish` adds to them. What the condition calls is
    /// added to the commands before.
    fn branch(
        &mut self,
        condition: &'a Condition,
        then: &'a [Stmt],
        span: Span,
        frame: &mut Frame,
        out: &mut Vec<Command>,
        finish: impl FnOnce(&mut Self, &mut Frame, &mut Vec<Command>),
    ) -> (Option<Expr>, Vec<Command>) {
        let mut yes = Vec::new();
        match condition {
            Condition::Any => {
                self.stmts(then, frame, &mut yes);
                finish(self, frame, &mut yes);
                (None, yes)
            }
            Condition::Formula(formula) => {
                let (formula, before) = self.condition(formula, &frame.context);
                out.extend(before);
                self.stmts(then, frame, &mut yes);
                finish(self, frame, &mut yes);
                (Some(formula), yes)
            }
            Condition::Some { vars, formula, extremum } => {
                let (names, locals) = (frame.context.locals.len(), self.locals.len());
                let changed = self.assigned(then, &frame.context);
                self.declare(vars, &changed, frame, span, &mut yes);
                // The condition stands below a quantifier, too, where nothing is called.
                frame.context.quantifiers += 1;
                let (witness, _) = self.open(formula, &frame.context);
                let extremum = extremum.as_ref().map(|(which, term)| {
                    let (term, _) = self.condition(term, &frame.context);
                    self.check_extremum(&term, locals);
                    self.extremum(*which, &term, &witness, locals)
                });
                frame.context.quantifiers -= 1;
                let bind = |local: &Local| SortedVar {
                    name: renamed(local.name.clone(), formula.span()),
                    sort: local.sort.clone(),
                };
                let kind = ExprKind::Quantifier {
                    universal: false,
                    vars: self.locals[locals..].iter().map(bind).collect(),
                    body: Box::new(witness.clone()),
                };
                yes.push(command(CommandKind::Assume(witness), formula.span()));
                yes.extend(extremum.map(|it| command(CommandKind::Assume(it), formula.span())));
                self.stmts(then, frame, &mut yes);
                finish(self, frame, &mut yes);
                frame.context.locals.truncate(names);
                self.locals.truncate(locals);
                (Some(Expr::new(kind, formula.span())), yes)
            }
        }
    }

    /// Returns whether a term is one of the variables from a position on.
    fn is_chosen(&self, term: &Expr, from: usize) -> bool {
        let ExprKind::Ref { name, args: None, .. } = &term.kind else { return false };
        self.locals[from..].iter().any(|local| local.name == name.name)
    }

    /// Reports a variable that is to be the least or greatest one, where nothing relates the order of variables to `<`.
    fn check_extremum(&mut self, term: &Expr, from: usize) {
        if self.version.minor < FIRST_WITH_ORDERS && self.is_chosen(term, from) {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    term.span(),
                    "up to version 1.5 a value is compared by `<=`, which nothing relates to `<`",
                )
                .label("least or greatest in an order of its own")
                .help(
                    "say it by `forall` and `<` in the condition, or give a later version in the first line",
                ),
            );
        }
    }

    /// Returns that no other values of the variables from a position on, of which a formula holds, have a lesser or greater value
    /// of a term. Where the term is one of them, the value itself is not compared, which an order may call less than itself.
    fn extremum(&self, which: Extremum, term: &Expr, formula: &Expr, from: usize) -> Expr {
        let span = term.span();
        let (mut others, mut bound) = ([term.clone(), formula.clone()], Vec::new());
        for local in &self.locals[from..] {
            let other: Arc<str> = format!("{}@other", local.name).into();
            let value = reference(other.clone(), Vec::new(), span);
            others = others.map(|it| with(&it, &local.name, &value));
            bound.push(SortedVar { name: renamed(other, span), sort: local.sort.clone() });
        }
        let [other, mut holds] = others;
        if self.is_chosen(term, from) {
            let others = not(equal(&other, term, span), span);
            holds = Expr::new(ExprKind::And(vec![holds, others]), span);
        }
        let (less, greater) = match which {
            Extremum::Least => (other, term.clone()),
            Extremum::Greatest => (term.clone(), other),
        };
        let less = binary(BinaryOp::Less, &less, &greater, span);
        let body = binary(BinaryOp::Implies, &holds, &not(less, span), span);
        Expr::new(ExprKind::Quantifier { universal: true, vars: bound, body: Box::new(body) }, span)
    }

    /// Translates a loop: what it changes has any values of which its invariants hold, where they held before; then there is one
    /// turn, after which they hold again and nothing else matters, or the condition is false.
    pub(super) fn while_stmt(&mut self, it: &'a Loop, span: Span, frame: &mut Frame, out: &mut Vec<Command>) {
        // Before an action, too, it is not the caller who owes them.
        self.loop_invariants(it, Check::Ensure, frame, out);
        let mut turn = Vec::new();
        let mut measured = Vec::new();
        let measure = it.decreases.as_ref().map(|term| {
            let (term, before) = self.open(term, &frame.context);
            let help = "assign the value to a variable before the loop and in it";
            self.check_calls("what decreases is a term, which calls no action", help, &before, term.span());
            measured.extend(before);
            self.measure(term, frame, &mut measured)
        });
        let (condition, mut body) =
            self.branch(&it.condition, &it.body, span, frame, &mut turn, |this, frame, out| {
                if let (Some(last), Some(term)) = (&measure, &it.decreases) {
                    let (now, before) = this.open(term, &frame.context);
                    out.extend(before);
                    let less = binary(BinaryOp::Less, &now, last, term.span());
                    this.check(Check::Ensure, less, term.span(), frame, out);
                }
                this.loop_invariants(it, Check::Ensure, frame, out);
                let never = Expr::new(ExprKind::Bool(false), span);
                out.push(command(CommandKind::Assume(never), span));
            });
        if let Condition::Formula(formula) = &it.condition {
            let help = "assign the value to a variable before the loop and at its end";
            self.check_calls("the condition of a loop calls no action", help, &turn, formula.span());
        }
        body.splice(0..0, measured);
        turn.push(command(CommandKind::If { condition, then: body, otherwise: Vec::new() }, span));
        self.forget_changed(&turn, span, out);
        self.loop_invariants(it, Check::Assume, frame, out);
        out.append(&mut turn);
    }

    /// Reports a part of a loop that calls actions, where it is not clear when they are called.
    fn check_calls(&mut self, message: &str, help: &str, before: &[Command], span: Span) {
        if before.iter().any(|it| !matches!(it.kind, CommandKind::Assume(_))) {
            let error = Diagnostic::error(Code::Program, span, message);
            self.report.push(error.label("an action is called here").help(help));
        }
    }

    fn loop_invariants(&mut self, it: &'a Loop, kind: Check, frame: &Frame, out: &mut Vec<Command>) {
        for LoopInvariant { formula, proof, .. } in &it.invariants {
            let span = formula.span();
            match proof {
                // What is not checked is not assumed.
                Some(proof) if kind == Check::Assume && proof.unread().is_some() => continue,
                // It is assumed where a turn begins, and not where it is shown, as in Ivy.
                Some(proof) if kind != Check::Assume && !proof.is_plain() => {
                    self.proved_check(kind, formula, proof, span, frame, out);
                    continue;
                }
                Some(proof) if kind != Check::Assume => {
                    self.check_plain_proof(formula, proof, span, &frame.context);
                }
                _ => {}
            }
            let (formula, before) = self.closed(formula, &frame.context);
            out.extend(before);
            self.check(kind, formula, span, frame, out);
        }
    }

    /// Claims that a term is not negative, and keeps its value. Returns that.
    fn measure(&mut self, term: Expr, frame: &Frame, out: &mut Vec<Command>) -> Expr {
        let span = term.span();
        let zero = Expr::new(ExprKind::Int("0".into()), span);
        let is_natural = not(binary(BinaryOp::Less, &term, &zero, span), span);
        self.check(Check::Ensure, is_natural, span, frame, out);
        let sort = self.sort_of(&term);
        let var = SortedVar { name: renamed("measure".into(), span), sort };
        let local = self.new_local(&var, true);
        let target = local.name.clone();
        let kept = reference(target.name.clone(), Vec::new(), span);
        out.push(command(CommandKind::Local(vec![local]), span));
        out.push(command(CommandKind::Assign { target, args: None, value: term }, span));
        kept
    }

    /// Gives any value to what commands change, other than their own variables.
    fn forget_changed(&mut self, commands: &[Command], span: Span, out: &mut Vec<Command>) {
        let (mut own, mut changed) = (Set::default(), Vec::new());
        for_each_command(commands, |command| {
            if let CommandKind::Local(vars) = &command.kind {
                own.extend(vars.iter().map(|var| var.name.name.clone()));
            }
            if let Some(target) = command.target()
                && !changed.contains(&target.name)
            {
                changed.push(target.name.clone());
            }
        });
        for name in changed.into_iter().filter(|name| !own.contains(name)) {
            if self.symbols.contains_key(&name) {
                self.forget(&name, span, out);
            } else {
                out.push(command(CommandKind::Havoc(renamed(name, span)), span));
            }
        }
    }
}

/// Returns an expression with a value in place of a variable.
fn with(expr: &Expr, name: &str, value: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Ref { name: known, args: None, .. } if *known.name == *name => value.clone(),
        _ => Expr::new(expr.map_children(|child| with(child, name, value)), expr.span()),
    }
}
