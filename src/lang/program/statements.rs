//! Static checks of commands: names and sorts. Their formulas are checked by [`crate::fol::statics`].

use std::sync::Arc;

use super::actions::Action;
use super::ast::{self, Command, CommandKind, Expr, ExprKind, Ident, SortedVar};
use super::errors;
use super::typed::{Arg, Cmd, CmdKind, Commands, Part, PartId, PartRole, Section, Slot, SlotId, Target};
use crate::fol::names::Global;
use crate::fol::sorts::Ty;
use crate::fol::statics::expr::Reason;
use crate::fol::statics::names::{NamePosition, literal, wrong_count};
use crate::fol::statics::{Checker, Context};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SymId;

/// Checks commands and stores their formulas in `commands`.
pub(super) struct CommandChecker<'k, 'c, 'a> {
    pub(super) checker: &'k mut Checker<'c, 'a>,
    pub(super) commands: Commands,
    /// Parameters and local variables in scope.
    scope: Map<Arc<str>, SlotId>,
    /// The names in scope, in the order of their declaration.
    names: Vec<Arc<str>>,
    /// Whether a name left of `:=` that is not declared stands for all elements.
    is_variable: fn(&str) -> bool,
}

impl<'k, 'c, 'a> CommandChecker<'k, 'c, 'a> {
    pub(super) fn new(checker: &'k mut Checker<'c, 'a>, is_variable: fn(&str) -> bool) -> Self {
        let commands = Commands::default();
        CommandChecker { checker, commands, scope: Map::default(), names: Vec::new(), is_variable }
    }

    /// Checks the loop: the commands with which all actions begin, each action, and the commands with which all actions
    /// end.
    pub(super) fn actions(&mut self, actions: &[Action<'_>]) -> (Vec<Cmd>, Vec<Section>, Vec<Cmd>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let Some(first) = actions.first() else { return (before, Vec::new(), after) };
        self.list(first.before, &mut before);
        let outside = self.names.len();
        let mut sections = Vec::new();
        for action in actions {
            let params = action.params.iter().map(|param| self.declare(param)).collect();
            let mut commands = Vec::new();
            self.list(action.body, &mut commands);
            self.leave(outside);
            sections.push(Section { params, commands });
        }
        self.list(first.after, &mut after);
        self.leave(0);
        (before, sections, after)
    }

    /// Checks the commands before or after the loop.
    pub(super) fn outside(&mut self, commands: &[&Command]) -> Vec<Cmd> {
        let mut checked = Vec::new();
        for command in commands {
            self.list(std::slice::from_ref(*command), &mut checked);
        }
        self.leave(0);
        checked
    }

    fn list(&mut self, commands: &[Command], checked: &mut Vec<Cmd>) {
        for command in commands {
            if self.checker.report.is_full() {
                return;
            }
            if let Some(kind) = self.command(command) {
                checked.push(Cmd { kind, span: command.span() });
            }
        }
    }

    fn block(&mut self, commands: &[Command]) -> Vec<Cmd> {
        let outside = self.names.len();
        let mut checked = Vec::new();
        self.list(commands, &mut checked);
        self.leave(outside);
        checked
    }

    /// Removes all names but the first `count` from scope.
    fn leave(&mut self, count: usize) {
        for name in self.names.drain(count..) {
            self.scope.remove(&name);
        }
    }

    /// Brings a parameter or local variable into scope.
    fn declare(&mut self, var: &SortedVar) -> SlotId {
        let ty = self.checker.declared_sort(var);
        let (name, span) = (&var.name.name, var.name.span());
        let other = match (self.checker.globals.get(name), self.scope.get(name)) {
            (Some((global, span)), _) => {
                Some((span, format!("declared here, as {}", self.checker.globals.describe(global))))
            }
            (None, Some(&slot)) => Some((self.commands.slots[slot].span, "declared here".to_owned())),
            (None, None) => None,
        };
        if let Some((place, text)) = other {
            self.checker.report.push(
                Diagnostic::error(Code::Duplicate, span, format!("the name `{name}` is in use already"))
                    .label("variables of commands need names of their own")
                    .also(place, text),
            );
        }
        let slot = self.commands.slots.push(Slot { name: name.clone(), ty, span, assigned: false });
        if self.scope.insert(name.clone(), slot).is_none() {
            self.names.push(name.clone());
        }
        slot
    }

    #[inline(never)]
    fn command(&mut self, command: &Command) -> Option<CmdKind> {
        Some(match &command.kind {
            CommandKind::Skip => CmdKind::Skip,
            CommandKind::Abort => CmdKind::Abort,
            CommandKind::Assume(formula) => {
                let why = Reason::Formula("an assumption");
                CmdKind::Assume(self.closed(formula, PartRole::Assumption, why, "an assumption"))
            }
            CommandKind::Assert { formula, proof } => {
                proof.iter().for_each(|proof| self.checker.report.ignore_proof(proof.place.0));
                let why = Reason::Formula("an assertion");
                CmdKind::Assert(self.closed(formula, PartRole::Assertion, why, "an assertion"))
            }
            CommandKind::Local(vars) => CmdKind::Local(vars.iter().map(|var| self.declare(var)).collect()),
            CommandKind::Havoc(target) => return self.havoc(target),
            CommandKind::Assign { target, args, value } => {
                return self.assign(target, args.as_deref(), value, command.span());
            }
            CommandKind::Update { target, insert, args, condition } => {
                return self.update(target, *insert, args, condition.as_ref(), command.span());
            }
            CommandKind::If { condition, then, otherwise } => {
                let condition = condition.as_ref().map(|condition| {
                    let expected = (Ty::Bool, Reason::Formula("a condition"));
                    self.part(condition, PartRole::Condition, &[], expected)
                });
                CmdKind::If { condition, then: self.block(then), otherwise: self.block(otherwise) }
            }
            CommandKind::Choice(branches) => {
                let branch = |branch: &ast::Branch| {
                    // Parameters of an action in a wrong position, which has been reported.
                    let outside = self.names.len();
                    let params: Vec<SlotId> = branch.params.iter().map(|param| self.declare(param)).collect();
                    let mut commands = vec![Cmd { kind: CmdKind::Local(params), span: branch.place.0 }];
                    self.list(&branch.body, &mut commands);
                    self.leave(outside);
                    commands
                };
                CmdKind::Choice(branches.iter().map(branch).collect())
            }
            CommandKind::Broken => return None,
        })
    }

    /// Checks a formula whose free capital letters are bound by an outermost `forall`.
    fn closed(&mut self, formula: &Expr, role: PartRole, why: Reason, what: &'static str) -> PartId {
        self.checker.enter(Context { is_of_command: true, ..Context::closed(1, what) });
        let slots = self.bind_slots(formula);
        let mut body = self.checker.closed(formula, &[], why);
        body.params = slots.iter().map(|&(_, local)| local).collect();
        let slots = slots.into_iter().map(|(slot, _)| slot).collect();
        self.commands.parts.push(Part { body, slots, role, span: formula.span() })
    }

    /// Checks a formula or term over logical variables of these names and sorts.
    fn part(
        &mut self,
        expr: &Expr,
        role: PartRole,
        logical: &[(Ident, Ty)],
        expected: (Ty, Reason),
    ) -> PartId {
        let unclosed = Some(match role {
            PartRole::Condition => {
                "a condition is not a claim about all values; bind them by `forall` or `exists`"
            }
            _ if logical.is_empty() => {
                "nothing left of `:=` is a variable; bind them by `forall` or `exists`"
            }
            _ => "only those are that are arguments left of `:=`; bind others by `forall` or `exists`",
        });
        self.checker.enter(Context { states: 1, what: "a command", unclosed, is_of_command: true });
        let mut params = Vec::new();
        for (name, ty) in logical {
            params.push(self.checker.new_local(name, *ty));
        }
        let slots = self.bind_slots(expr);
        params.extend(slots.iter().map(|&(_, local)| local));
        let (checked, _) = self.checker.expr(expr, Some(expected));
        let mut body = std::mem::take(&mut self.checker.body);
        body.expr = Some(checked);
        body.params = params;
        let slots = slots.into_iter().map(|(slot, _)| slot).collect();
        self.commands.parts.push(Part { body, slots, role, span: expr.span() })
    }

    /// Brings the variables of commands whose names occur in `expr` into the scope of the checker, also where they stand for other
    /// variables alone: closed forms tell so whether a variable has a value before its first assignment (`spec/core.md`).
    fn bind_slots(&mut self, expr: &Expr) -> Vec<(SlotId, crate::fol::typed::LocalId)> {
        let mut found = Vec::new();
        if self.scope.is_empty() {
            return found;
        }
        let mut seen: Set<Arc<str>> = Set::default();
        let mut occurs = |name: &Ident| {
            if let Some(&slot) = self.scope.get(&name.name)
                && seen.insert(name.name.clone())
            {
                let Slot { name, ty, span, .. } = &self.commands.slots[slot];
                let ident = Ident { name: name.clone(), place: ast::Place(*span) };
                found.push((slot, self.checker.new_local(&ident, *ty)));
            }
        };
        for expr in expr.nodes() {
            match &expr.kind {
                ExprKind::Ref { name, .. } => occurs(name),
                ExprKind::Quantifier { vars, .. } => vars.iter().for_each(|var| occurs(&var.name)),
                ExprKind::Let { var, .. } => occurs(&var.name),
                _ => {}
            }
        }
        found
    }

    /// Resolves the target of a command. Returns it with its declaration.
    fn target(&mut self, name: &Ident) -> Option<(Target, Span)> {
        if let Some(&slot) = self.scope.get(&name.name) {
            self.commands.slots[slot].assigned = true;
            return Some((Target::Slot(slot), self.commands.slots[slot].span));
        }
        let globals = &*self.checker.globals;
        let what = match globals.get(&name.name) {
            Some((Global::Symbol(sym), span)) => return Some((Target::Symbol(sym), span)),
            Some((global, span)) => Some((globals.describe(global), Some(span))),
            None => globals.sort_id(&name.name).map(|sort| ("a sort", globals.sig.sorts[sort].span)),
        };
        match what {
            Some((what, span)) => {
                let mut error = Diagnostic::error(
                    Code::Assignment,
                    name.span(),
                    format!("`{}` is {what} and cannot be changed", name.name),
                )
                .label("commands change relations, functions and variables");
                if let Some(span) = span {
                    error = error.also(span, "declared here");
                }
                self.checker.report.push(error);
            }
            None => self.undeclared(name),
        }
        None
    }

    fn undeclared(&mut self, name: &Ident) {
        let near = crate::shared::report::suggest(&name.name, self.names.iter().map(|name| &**name));
        match near.map(str::to_owned) {
            Some(near) => self.checker.report.push(
                Diagnostic::error(Code::Undeclared, name.span(), format!("`{}` is not declared", name.name))
                    .label("unknown name")
                    .help(format!("did you mean `{near}`?")),
            ),
            None => self.checker.undeclared(name, NamePosition::Symbol),
        }
    }

    fn havoc(&mut self, name: &Ident) -> Option<CmdKind> {
        let (target, decl) = self.target(name)?;
        if let Target::Symbol(sym) = target {
            let count = self.checker.globals.symbols[sym].args.len();
            if count > 0 {
                self.checker.report.push(
                    wrong_count(name, name.span(), 0, count, decl)
                        .help("only variables can take any value, as in `v := *`"),
                );
                return None;
            }
        }
        Some(CmdKind::Havoc(target))
    }

    /// Returns the argument sorts and the result sort of `target`.
    fn sorts(&self, target: Target) -> (Vec<Ty>, Ty) {
        match target {
            Target::Symbol(sym) => {
                let sorts = &self.checker.globals.symbols[sym];
                (sorts.args.clone(), sorts.result)
            }
            Target::Slot(slot) => (Vec::new(), self.commands.slots[slot].ty),
        }
    }

    /// Checks the arguments of an update. If `open`, undeclared variables are logical variables. All other arguments
    /// are terms.
    fn args(&mut self, given: &[Expr], sorts: &[Ty], decl: Span, open: bool) -> (Vec<Arg>, Vec<(Ident, Ty)>) {
        let mut logical: Vec<(Ident, Ty)> = Vec::new();
        let mut args = Vec::new();
        for (arg, &ty) in given.iter().zip(sorts) {
            let name = match &arg.kind {
                ExprKind::Ref { name, primes: 0, args: None } if open && self.is_free(name) => name,
                _ => {
                    args.push(Arg::Term(self.part(arg, PartRole::Update, &[], (ty, Reason::Argument(decl)))));
                    continue;
                }
            };
            if let Some((first, _)) = logical.iter().find(|(other, _)| other.name == name.name) {
                self.checker.report.push(errors::repeated_variable(name, first));
            }
            // A misspelt name must not stand for all elements. What follows takes it for a variable all the same, so that
            // it is reported once.
            if !(self.is_variable)(&name.name) {
                self.undeclared_argument(name);
            }
            args.push(Arg::Logical(name.name.clone()));
            logical.push((name.clone(), ty));
        }
        (args, logical)
    }

    /// Reports a name left of `:=` that is neither declared nor a variable.
    fn undeclared_argument(&mut self, name: &Ident) {
        let text = &*name.name;
        let globals = &*self.checker.globals;
        let candidates = self.names.iter().map(|name| &**name).chain(globals.names());
        let near = crate::shared::report::suggest(text, candidates);
        let all = format!("for all elements, write a capital letter: `{}`", text.to_uppercase());
        let help = match near {
            Some(near) => format!("did you mean `{near}`? {all}"),
            None => format!(
                "{all}; one element is a parameter of the action, or declared by {}",
                globals.terminology.local
            ),
        };
        self.checker.report.push(
            Diagnostic::error(Code::Undeclared, name.span(), format!("`{text}` is not declared"))
                .label("unknown name")
                .help(help),
        );
    }

    fn is_free(&self, name: &Ident) -> bool {
        literal(&name.name).is_none()
            && !self.scope.contains_key(&name.name)
            && self.checker.globals.get(&name.name).is_none()
            && !self.checker.globals.is_broken(&name.name)
    }

    fn assign(&mut self, name: &Ident, given: Option<&[Expr]>, value: &Expr, span: Span) -> Option<CmdKind> {
        let (target, decl) = self.target(name)?;
        let (sorts, result) = self.sorts(target);
        let count = given.map_or(0, <[Expr]>::len);
        if count != sorts.len() {
            let error = wrong_count(name, span, count, sorts.len(), decl);
            self.checker.report.push(if count == 0 {
                let vars: Vec<String> = (1..=sorts.len()).map(|at| format!("X{at}")).collect();
                error.help(format!(
                    "to change it for all arguments, name them: `{}({}) := ..`",
                    name.name,
                    vars.join(", ")
                ))
            } else {
                error
            });
            return None;
        }
        let (args, logical) = self.args(given.unwrap_or_default(), &sorts, decl, true);
        let value = self.part(value, PartRole::Update, &logical, (result, Reason::SameAs(name.span())));
        Some(CmdKind::Assign { target, args, value })
    }

    fn update(
        &mut self,
        name: &Ident,
        insert: bool,
        given: &[Expr],
        condition: Option<&Expr>,
        span: Span,
    ) -> Option<CmdKind> {
        let (target, decl) = self.target(name)?;
        let sym: SymId = match target {
            Target::Symbol(sym) if self.checker.globals.symbols[sym].result == Ty::Bool => sym,
            _ => {
                self.checker.report.push(
                    Diagnostic::error(
                        Code::Assignment,
                        name.span(),
                        format!("`{}` is not a relation", name.name),
                    )
                    .label("tuples are inserted into relations, and removed from them")
                    .also(decl, "declared here")
                    .help("a function or variable is changed by `:=`"),
                );
                return None;
            }
        };
        let sorts = self.checker.globals.symbols[sym].args.clone();
        if given.len() != sorts.len() {
            self.checker.report.push(wrong_count(name, span, given.len(), sorts.len(), decl));
            return None;
        }
        let (args, logical) = self.args(given, &sorts, decl, condition.is_some());
        let condition = condition.map(|condition| {
            let expected = (Ty::Bool, Reason::Formula("the condition of an update"));
            self.part(condition, PartRole::Update, &logical, expected)
        });
        Some(CmdKind::Update { target: sym, insert, args, condition })
    }
}
