//! Statements, translated to commands.

use std::sync::Arc;

use super::calls::Results;
use super::commands::{block, command};
use super::declarations::{renamed, untyped};
use super::exprs::{equal, mentions, reference, variables};
use super::flat::Flat;
use super::formulas::{Context, Found, is_variable, parameter};
use super::isolates::Presence;
use super::members::Member;
use super::state::{Expander, Helper, MAX_COMMANDS, Symbol};
use crate::fol::statics::names::literal;
use crate::ivy::ast::{
    Check, DeclKind, Expr, ExprKind, Ident, Role, Skipped, SortName, SortRef, SortedVar, Stmt, StmtKind,
};
use crate::program::ast::{Command, CommandKind, Item, ItemKind};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Who calls an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// The environment, which keeps to what the action requires.
    Environment,
    /// An initializer, of which Ivy asks nothing: what the action requires is neither assumed nor shown, unless the action is trusted
    /// or of the library.
    Initializer,
    /// Another action, which has to satisfy what the action requires.
    Program,
    /// An action of a trusted isolate, which is trusted to satisfy it.
    Trusted,
}

/// The place of statements.
pub(super) struct Frame {
    pub(super) context: Context,
    pub(super) caller: Caller,
    /// Whether they come before the statements of the action.
    pub(super) is_before: bool,
    /// Whether what the action owes is shown.
    pub(super) is_shown: bool,
}

/// Returns whether a name occurs in an assignment without arguments, or at a quantifier.
fn assignment_mentions(stmt: &Stmt, name: &str) -> bool {
    let StmtKind::Assign { targets, value } = &stmt.kind else { return false };
    targets.iter().chain(value).any(|expr| mentions(expr, name))
}

/// The first minor version in which conditions bind their variables. Before it, they hold for all values of free ones.
const FIRST_WITH_BOUND_CONDITIONS: u32 = 5;

impl<'a> Expander<'a, '_> {
    /// Adds the commands that lead to the initial states: what is assumed of them, then what initializers do.
    pub(super) fn init(&mut self, flat: &[Flat<'a>], items: &mut Vec<Item>) {
        self.assume_lemmas(items);
        let present = flat.iter().filter(|flat| flat.presence != Presence::Absent);
        for &Flat { decl, scope, .. } in present.clone() {
            if let DeclKind::Formula { role: Role::Init, formula, .. } = &decl.kind {
                if self.version.minor >= 7 {
                    self.report.push(
                        Diagnostic::error(
                            Code::Program,
                            decl.span(),
                            "formulas about initial states are of versions up to 1.6",
                        )
                        .label("not possible in this version")
                        .help("write `after init { .. }` with assignments or `assume`"),
                    );
                }
                let (formula, _) = self.closed(formula, &Context::of(scope));
                let kind = ItemKind::Command(command(CommandKind::Assume(formula), decl.span()));
                items.push(Item { kind, place: decl.place });
            }
        }
        for &Flat { decl, scope, presence, .. } in present {
            let DeclKind::Init { params: own, body: stmts } = &decl.kind else { continue };
            self.locals.clear();
            let mut context = Context::of(scope);
            context.calls = true;
            context.is_trusted = presence != Presence::Verified;
            // The parameters of objects are variables of each update, and so are those of the initializer.
            let outer = self.scopes.params(scope);
            let mut taken: Vec<Arc<str>> = Vec::new();
            let params: Vec<SortedVar> = outer.iter().chain(own).cloned().collect();
            for (at, param) in params.iter().enumerate() {
                let mut name = param.name.name.to_uppercase();
                if !is_variable(&name) {
                    name.insert(0, 'X');
                }
                let is_taken = |name: &str| taken.iter().any(|it| **it == *name);
                while is_taken(&name) || stmts.iter().any(|stmt| assignment_mentions(stmt, &name)) {
                    name.push('_');
                }
                let name: Arc<str> = name.into();
                taken.push(name.clone());
                if at < outer.len() {
                    context.locals.push((parameter(at), name.clone()));
                }
                if at >= outer.len() || !is_variable(&param.name.name) {
                    context.locals.push((param.name.name.clone(), name));
                }
            }
            let is_assignment = |it: &&Stmt| matches!(it.kind, StmtKind::Assign { .. });
            // A formula binds the parameters of the objects by itself.
            let is_formula = |it: &&Stmt| own.is_empty() && matches!(it.kind, StmtKind::Check { .. });
            if !params.is_empty()
                && let Some(other) = stmts.iter().find(|it| !is_assignment(it) && !is_formula(it))
            {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        other.span(),
                        "this statement is not supported in an initializer of an object with parameters",
                    )
                    .label("neither an assignment nor a formula")
                    .help("assign all values by formulas, as in `r(X) := ..`"),
                );
                continue;
            }
            // What an initializer requires is an assumption about initial states.
            let is_shown = !context.is_trusted;
            let mut frame = Frame { context, caller: Caller::Environment, is_before: false, is_shown };
            let mut commands = Vec::new();
            if params.is_empty() {
                self.stmts(stmts, &mut frame, &mut commands);
            } else {
                let closed = Context { locals: Vec::new(), ..frame.context.clone() };
                let mut of_formulas = Frame { context: closed, ..frame };
                for stmt in stmts {
                    let frame = if is_formula(&stmt) { &mut of_formulas } else { &mut frame };
                    self.stmts(std::slice::from_ref(stmt), frame, &mut commands);
                }
            }
            let commands = block(commands, decl.span());
            items.push(Item { kind: ItemKind::Command(commands), place: decl.place });
        }
        let mut claims = Vec::new();
        self.explicit_invariants(&mut claims);
        items.extend(
            claims.into_iter().map(|claim| Item { place: claim.place, kind: ItemKind::Command(claim) }),
        );
    }

    /// Translates statements in a scope of their own.
    pub(super) fn stmts(&mut self, stmts: &'a [Stmt], frame: &mut Frame, out: &mut Vec<Command>) {
        let (names, locals) = (frame.context.locals.len(), self.locals.len());
        let changed = self.assigned(stmts, &frame.context);
        let mut commands = Vec::new();
        for stmt in stmts {
            self.count += 1;
            if self.count > MAX_COMMANDS || !self.report.spend(1) {
                if self.count == MAX_COMMANDS + 1 {
                    self.report.push(
                        Diagnostic::error(Code::TooDeep, stmt.span(), "the program is too large")
                            .label(format!("more than {MAX_COMMANDS} statements, with those of calls"))
                            .help("calls are inlined: call long actions in few places"),
                    );
                }
                break;
            }
            self.stmt(stmt, &changed, frame, &mut commands);
        }
        let declares = self.locals.len() > locals;
        frame.context.locals.truncate(names);
        self.locals.truncate(locals);
        match stmts.first().zip(stmts.last()) {
            Some((first, last)) if declares => out.push(block(commands, first.span().to(last.span()))),
            _ => out.append(&mut commands),
        }
    }

    #[inline(never)]
    fn stmt(&mut self, stmt: &'a Stmt, changed: &Set<Arc<str>>, frame: &mut Frame, out: &mut Vec<Command>) {
        let span = stmt.span();
        match &stmt.kind {
            StmtKind::Check { kind, formula, proof: Some(proof), .. } if !proof.is_plain() => {
                if let Some(shown) = self.proved_check(*kind, formula, proof, span, frame, out) {
                    out.push(command(CommandKind::Assume(shown), span));
                }
            }
            StmtKind::Check { kind, formula, proof, .. } => {
                if let Some(proof) = proof {
                    self.check_plain_proof(formula, proof, span, &frame.context);
                }
                let (formula, before) = self.closed(formula, &frame.context);
                out.extend(before);
                self.check(*kind, formula, span, frame, out);
            }
            StmtKind::Assign { .. } | StmtKind::Field { .. } if !self.updates.is_empty() => {
                self.followed(stmt, frame, out);
            }
            StmtKind::Assign { .. } | StmtKind::Field { .. } => self.assignment(stmt, frame, out),
            StmtKind::Call(call) => self.call_stmt(call, &[], span, frame, out),
            StmtKind::Var { var, params, value } if params.is_empty() => {
                self.var(var, value.as_ref(), span, changed, frame, out);
            }
            StmtKind::Var { var, params, value } => {
                if let Some(value) = value {
                    self.report.push(
                        Diagnostic::error(
                            Code::Program,
                            value.span(),
                            "a local relation or function has no first value",
                        )
                        .label("not possible here")
                        .help(format!("assign it in a statement of its own: `{}(X) := ..`", var.name.name)),
                    );
                }
                self.local_symbol(var, params, span, frame, out);
            }
            StmtKind::Local { vars, body } => {
                let (names, locals) = (frame.context.locals.len(), self.locals.len());
                let mut commands = Vec::new();
                let changed = self.assigned(body, &frame.context);
                self.declare(vars, &changed, frame, span, &mut commands);
                self.stmts(body, frame, &mut commands);
                frame.context.locals.truncate(names);
                self.locals.truncate(locals);
                out.push(block(commands, span));
            }
            StmtKind::Block(body) => self.stmts(body, frame, out),
            StmtKind::If { condition, then, otherwise } => {
                self.if_stmt(condition, then, otherwise, span, frame, out);
            }
            StmtKind::While(it) => self.while_stmt(it, span, frame, out),
            StmtKind::Instantiate { name, args } => self.instantiate(name, args, span, frame, out),
            StmtKind::Rest => self.report.push(
                Diagnostic::error(
                    Code::Program,
                    span,
                    "`...` stands for the statements of the action in `around`",
                )
                .label("not possible here"),
            ),
            StmtKind::Ignored(text) => self.ignored(text),
            StmtKind::Debug(text, values) => self.debug(text, values, frame, out),
            StmtKind::Crash => self.crash(span, frame, out),
            // Where it is trusted, nothing is known but that results have any values.
            StmtKind::Native(_) if frame.context.is_trusted && self.cut.is_none() => {}
            // What nothing executes, or is only looked at, is no statement of an isolate.
            StmtKind::Native(_) if self.is_unused || self.probe.is_some() => {}
            StmtKind::Native(_) => self.report.push(
                Diagnostic::error(Code::Program, span, "statements in another language are not verified")
                    .label("executed here")
                    .help("they stand in a trusted isolate, in a section that others do not see"),
            ),
            StmtKind::Broken => out.push(command(CommandKind::Broken, span)),
        }
    }

    /// Translates the values that an execution prints. Nothing follows from them but what the actions do that they call.
    fn debug(&mut self, text: &Skipped, values: &[Expr], frame: &Frame, out: &mut Vec<Command>) {
        let length = out.len();
        for value in values {
            // Says nothing, so that names and sorts are those of any formula.
            let name = renamed("value".into(), value.span());
            let itself = reference(name.name.clone(), Vec::new(), value.span());
            let parts = Box::new([value.clone(), equal(&itself, &itself, value.span())]);
            let var = Box::new(SortedVar { name, sort: None });
            let formula = Expr::new(ExprKind::Let { var, parts }, value.span());
            let (formula, before) = self.closed(&formula, &frame.context);
            out.extend(before);
            out.push(command(CommandKind::Assume(formula), text.place.0));
        }
        if out.len() == length + values.len() {
            self.ignored(text);
        }
    }

    /// Adds a claim or an assumption in statements.
    pub(super) fn check(
        &mut self,
        kind: Check,
        formula: Expr,
        span: Span,
        frame: &Frame,
        out: &mut Vec<Command>,
    ) {
        // What the caller owes: an assertion in `before` is such a requirement.
        let is_required = kind == Check::Require || kind == Check::Assert && frame.is_before;
        if let Some(probe) = self.probe.as_mut().filter(|_| kind != Check::Assume) {
            let claim = if is_required { &mut probe.required } else { &mut probe.ensured };
            claim.get_or_insert(span);
        }
        // Where an action is trusted, what it does without that is not known.
        let is_owed = frame.caller == Caller::Initializer && (!frame.is_shown || self.is_of_library(span));
        if is_required && frame.caller == Caller::Initializer && !is_owed {
            let note = "an initializer calls the action, and owes nothing";
            return self.report.ignore(kind.keyword(), span, note);
        }
        let is_assumed = match kind {
            Check::Assume => true,
            _ if is_required => frame.caller != Caller::Program && !is_owed,
            _ => !frame.is_shown,
        };
        let kind = if is_assumed {
            CommandKind::Assume(formula)
        } else {
            CommandKind::Assert { formula, proof: None }
        };
        out.push(command(kind, span));
    }

    /// Declares local variables. A sort is that of the variables before it which have none.
    pub(super) fn declare(
        &mut self,
        vars: &[SortedVar],
        changed: &Set<Arc<str>>,
        frame: &mut Frame,
        span: Span,
        out: &mut Vec<Command>,
    ) {
        let mut declared = Vec::new();
        for (at, var) in vars.iter().enumerate() {
            let sort = vars[at..].iter().find_map(|var| var.sort.as_ref());
            let sort = sort.map(|sort| self.scopes.sort(frame.context.scope, sort));
            let var = SortedVar { name: var.name.clone(), sort };
            self.check_argument(&var.name, &frame.context);
            let local = self.new_local(&var, changed.contains(&var.name.name));
            frame.context.locals.push((var.name.name.clone(), local.name.name.clone()));
            declared.push(local);
        }
        out.push(command(CommandKind::Local(declared), span));
    }

    fn var(
        &mut self,
        var: &SortedVar,
        value: Option<&Expr>,
        span: Span,
        changed: &Set<Arc<str>>,
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) {
        let declared = value.and_then(|value| self.declared_sort(value, &frame.context));
        let value = value.map(|value| {
            let (value, before) = self.open(value, &frame.context);
            out.extend(before);
            self.check_hidden(var, &value, &frame.context);
            value
        });
        let given = var.sort.as_ref().map(|sort| self.scopes.sort(frame.context.scope, sort));
        let value = value.map(|value| self.as_variant(given.as_ref(), value, span, out));
        let sort = given.or_else(|| self.sort_of(value.as_ref()?)).or(declared);
        let var = SortedVar { name: var.name.clone(), sort };
        let is_assigned = value.is_some() || changed.contains(&var.name.name);
        self.check_argument(&var.name, &frame.context);
        let local = self.new_local(&var, is_assigned);
        frame.context.locals.push((var.name.name.clone(), local.name.name.clone()));
        let target = local.name.clone();
        out.push(command(CommandKind::Local(vec![local]), span));
        if let Some(value) = value {
            out.push(command(CommandKind::Assign { target, args: None, value }, span));
        }
    }

    /// The first value of a local variable must not mention the local variable that it hides: Ivy takes both for one, whose value is then
    /// any. Parameters and results are other variables, also for Ivy.
    fn check_hidden(&mut self, var: &SortedVar, value: &Expr, context: &Context) {
        let source = &var.name.name;
        let Some((_, hidden)) = context.locals.iter().rfind(|(name, _)| name == source) else { return };
        let is_param = self.is_of_action(hidden);
        let at = value.nodes().find_map(|expr| match &expr.kind {
            ExprKind::Ref { name, .. } if name.name == *hidden => Some(name.span()),
            _ => None,
        });
        if let Some(span) = at.filter(|_| !is_param) {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    span,
                    format!("the first value of `{source}` mentions the variable `{source}` that it hides"),
                )
                .label("Ivy takes both for one variable here, which has any value")
                .help(format!("give the new variable another name than `{source}`")),
            );
        }
    }

    /// A variable that a macro declares must not have the name of a variable that is an argument of the macro, for the same reason.
    fn check_argument(&mut self, var: &Ident, context: &Context) {
        let source_of = |name: &Arc<str>| match self.locals.iter().find(|local| local.name == *name) {
            Some(local) => Some(&local.source),
            None => self.symbols.get(name)?.source.as_ref(),
        };
        let is_hidden = |(known, name): &(Arc<str>, Arc<str>)| {
            *known != var.name && source_of(name) == Some(&var.name) && !self.is_of_action(name)
        };
        if !self.expanding.is_empty() && context.locals.iter().any(is_hidden) {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    var.span(),
                    format!("the macro declares `{0}`, and its argument is another variable `{0}`", var.name),
                )
                .label("Ivy takes both for one variable here")
                .help(format!("give one of them another name than `{}`", var.name)),
            );
        }
    }

    /// Returns whether a variable is a parameter or result of the action whose statements are being translated.
    fn is_of_action(&self, local: &Arc<str>) -> bool {
        self.calling.last().is_some_and(|call| call.params.contains(local))
    }

    /// Returns the sort of an expression of the flat program, if its outermost name tells it.
    pub(super) fn sort_of(&self, expr: &Expr) -> Option<SortRef> {
        let boolean = || SortRef { name: SortName::Bool, place: expr.place };
        match &expr.kind {
            ExprKind::Ref { name, .. } => {
                if let Some(local) = self.locals.iter().find(|local| local.name == name.name) {
                    return local.sort.clone();
                }
                // What a parameter was before has its sort.
                let before = self.calling.last().and_then(|call| {
                    let (param, _) = call.old.iter().find(|(_, copy)| *copy == name.name)?;
                    self.locals.iter().find(|local| local.name == *param)
                });
                if let Some(local) = before {
                    return local.sort.clone();
                }
                if let Some(given) = self.given.iter().find(|given| given.name.name == name.name) {
                    return given.sort.clone();
                }
                if let Some((_, Some(sort))) = literal(&name.name) {
                    return Some(SortRef { name: SortName::Named(sort.into()), place: expr.place });
                }
                Some(self.symbols.get(&name.name)?.result.clone().unwrap_or_else(boolean))
            }
            ExprKind::Ite(parts) => self.sort_of(&parts[1]).or_else(|| self.sort_of(&parts[2])),
            ExprKind::Let { parts, .. } => self.sort_of(&parts[1]),
            ExprKind::Binary { op, sides, .. } if op.is_operation() => {
                self.sort_of(&sides[0]).or_else(|| self.sort_of(&sides[1]))
            }
            ExprKind::Int(_) => None,
            _ => Some(boolean()),
        }
    }

    /// Returns the sort that declarations give the value of a name or of what is applied to it with a dot. What it is defined as may
    /// be a numeral, which has none.
    fn declared_sort(&self, expr: &Expr, context: &Context) -> Option<SortRef> {
        let ExprKind::Ref { name, args, .. } = &expr.kind else { return None };
        let (full, _) = self.global(&name.name, name.span(), context);
        if let Some(symbol) = self.symbols.get(&full) {
            return symbol.result.clone();
        }
        let chain = self.chain(&name.name, args.as_deref().unwrap_or_default(), name.span(), context)?;
        match chain.members.last()? {
            (Member::Function(name), _) => self.symbols.get(name)?.result.clone(),
            (Member::Action(_), _) => None,
        }
    }

    /// Translates a condition. It is no claim about all values of a variable, so no variable is free in it.
    pub(super) fn condition(&mut self, formula: &Expr, context: &Context) -> (Expr, Vec<Command>) {
        if self.version.minor < FIRST_WITH_BOUND_CONDITIONS {
            return self.closed(formula, context);
        }
        let mut found = Found::default();
        let condition = self.expr(formula, &mut context.clone(), &mut found);
        if let Some(var) = found.free.first() {
            self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    var.name.span(),
                    format!("the variable `{}` is not bound in this condition", var.name.name),
                )
                .label("for which value?")
                .help("bind it by `forall` or `exists`"),
            );
        }
        (condition, found.before)
    }

    /// Declares a local relation or function: a symbol that has any value here.
    fn local_symbol(
        &mut self,
        var: &SortedVar,
        params: &[SortedVar],
        span: Span,
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) {
        self.check_argument(&var.name, &frame.context);
        let scope = frame.context.scope;
        let mut args = Vec::new();
        for param in params {
            match &param.sort {
                Some(sort) => args.push(self.scopes.sort(scope, sort)),
                None => return self.report.push(untyped(param)),
            }
        }
        let result = var.sort.as_ref().map(|sort| self.scopes.sort(scope, sort));
        let symbol = Symbol::new(args, result);
        let any = self.helper(&var.name, symbol.clone(), true);
        let name = self.helper(&var.name, symbol, false);
        let vars = variables(params.len(), span);
        let value = reference(any, vars.clone(), span);
        frame.context.locals.push((var.name.name.clone(), name.clone()));
        let target = renamed(name, span);
        out.push(command(CommandKind::Assign { target, args: Some(vars), value }, span));
    }

    /// Creates a symbol that stands for a part of a statement. Returns its name.
    pub(super) fn helper(&mut self, source: &Ident, symbol: Symbol, is_chosen: bool) -> Arc<str> {
        let known = self.symbols.get(&source.name).and_then(|it| it.source.as_ref());
        let plain = known.unwrap_or(&source.name).clone();
        let name: Arc<str> = format!("{plain}@{}", self.helpers.len() + 1).into();
        let symbol = Symbol { source: Some(plain), ..symbol };
        self.globals.insert(name.clone());
        self.symbols.insert(name.clone(), symbol.clone());
        self.helpers.push(Helper {
            name: Ident { name: name.clone(), place: source.place },
            symbol,
            is_chosen,
        });
        name
    }

    /// Translates a call with these targets of its results.
    pub(super) fn call_stmt(
        &mut self,
        call: &'a Expr,
        targets: &'a [Expr],
        span: Span,
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) {
        let ExprKind::Ref { name, args, .. } = &call.kind else {
            self.report.push(
                Diagnostic::error(Code::Program, call.span(), "several values are assigned by a call alone")
                    .label("expected the call of an action"),
            );
            return;
        };
        let (mut full, mut all) = self.global(&name.name, name.span(), &frame.context);
        self.check_ambiguous(&name.name, &full, name.span(), &frame.context);
        let (mut given, mut overrides) = (Vec::new(), Vec::new());
        for arg in args.iter().flatten() {
            let (arg, before) = self.open(arg, &frame.context);
            out.extend(before);
            given.push(arg);
        }
        if !self.globals.contains(&full)
            && let Some(mut chain) = self.chain(&name.name, &given, name.span(), &frame.context)
            && let Some((Member::Action(action), rest)) = chain.members.pop()
        {
            overrides = self.overrides(&action, span);
            let mut found = Found::default();
            let value = self.apply_chain(chain, None, span, &mut frame.context.clone(), &mut found);
            out.append(&mut found.before);
            given = self.with_receiver(&action, value, rest);
            full = action;
        }
        if !self.actions.contains_key(&full) {
            self.report.push(
                Diagnostic::error(Code::Undeclared, name.span(), format!("`{}` is not an action", name.name))
                    .label("called here")
                    .help(format!("declare it: `action {} = {{ .. }}`", name.name)),
            );
            return;
        }
        all.append(&mut given);
        let mut resolved = Vec::new();
        for target in targets {
            let Some(target) = self.target(target, frame, out) else { return };
            resolved.push(target);
        }
        let (called, wanted) = ((&full, overrides.as_slice()), Results::Targets(resolved));
        self.call_of_value(called, all, wanted, span, &frame.context, out);
    }

    /// Inserts the statements of a macro, which may assign to its arguments.
    fn instantiate(
        &mut self,
        name: &'a Ident,
        args: &'a [Expr],
        span: Span,
        frame: &mut Frame,
        out: &mut Vec<Command>,
    ) {
        let full = self.scopes.resolve(frame.context.scope, &name.name).name;
        let Some(found) = self.macros.get(&full).copied() else {
            if let Some(scheme) = self.scopes.scheme(frame.context.scope, &name.name) {
                return self.assume_scheme(scheme, name, args, span, frame, out);
            }
            self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("the macro `{}` is not declared", name.name),
                )
                .label("unknown macro"),
            );
            return;
        };
        if found.params.len() != args.len() {
            self.report.push(crate::fol::statics::names::wrong_count(
                name,
                span,
                args.len(),
                found.params.len(),
                found.place,
            ));
            return;
        }
        if self.expanding.contains(&full) {
            self.report.push(
                Diagnostic::error(
                    Code::Recursive,
                    name.span(),
                    format!("the macro `{}` uses itself", name.name),
                )
                .label("macros are expanded, so they cannot be recursive"),
            );
            return;
        }
        let mut inside = Context { scope: found.scope, locals: Vec::new(), ..frame.context.clone() };
        let outer = self.scopes.params(found.scope).len();
        let around = (0..outer).map(parameter);
        let around = around.filter_map(|it| Some((it.clone(), frame.context.local(&it)?.clone())));
        inside.locals.extend(around);
        for (param, arg) in found.params.iter().zip(args) {
            let Some((arg, None)) = self.symbol_target(arg, frame, &mut Vec::new(), out) else {
                self.report.push(
                    Diagnostic::error(
                        Code::Program,
                        arg.span(),
                        "arguments of macros are names without arguments",
                    )
                    .label("expected a name")
                    .help("assign the value to a variable first: `var x := ..`"),
                );
                return;
            };
            inside.locals.push((param.name.clone(), arg.name));
        }
        let Frame { caller, is_before, is_shown, .. } = *frame;
        self.expanding.push(full);
        let mut frame = Frame { context: inside, caller, is_before, is_shown };
        self.stmts(found.body, &mut frame, out);
        self.expanding.pop();
    }
}
