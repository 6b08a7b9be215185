//! Programs in the language of Ivy: variables of formulas begin with a capital letter, and every action is exported.

use super::claims::{AssertionNames, fresh, has_assertions};
use super::execute::{TooLarge, execute, for_all, variable_of};
use super::exprs::{
    Name, and, apply, binary, constant, distributed, ident, not, or, outermost, plain, rewrite, truth,
    without_lets,
};
use super::infer::{with_following_sorts, with_sorts};
use super::names::{action_name, all_names, numbered};
use super::problems::Problems;
use super::table::Table;
use super::updates::initial_values;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Place, SortRef, SortedVar};
use crate::ivy::ast::{
    Action, Check, Condition, Decl, DeclKind, File, Role, Stmt, StmtKind, SymbolDecl, TypeBody, Version,
};
use crate::program::actions::{self, Parts};
use crate::program::ast::{self as program, Branch, Command, CommandKind, Item, ItemKind};
use crate::shared::report::Report;
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::FileId;

/// Translates a program without modules, whose names Ivy accepts.
pub(super) fn to_ivy(items: &[Item], file: FileId, problems: &mut Problems) -> File {
    let table = Table::of(items);
    let parts = actions::parts(items, &mut Report::default());
    let formulas = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Formula { name: Some(name), .. } => Some(name.name.clone()),
        _ => None,
    });
    let named = formulas.collect();
    let mut taken = all_names(items);
    taken.extend(items.iter().filter_map(|item| match &item.kind {
        ItemKind::Sort { name, .. } => Some(name.name.clone()),
        _ => None,
    }));
    let last = last_claims(&table, &parts, &mut taken, problems);
    let marks = Marks::of(items, &last);
    let mut translator = Translator { table: &table, named, taken, marks, decls: Vec::new(), problems };
    translator.program(items, &parts, last);
    File {
        version: Version::DEFAULT,
        decls: translator.decls,
        bracketed: Vec::new(),
        file,
        is_built_in: false,
    }
}

/// Ivy has no commands after the loop. What they assert is a claim about the states in which they may begin. Returns
/// these claims with their names.
fn last_claims(
    table: &Table,
    parts: &Parts<'_>,
    taken: &mut Set<Name>,
    problems: &mut Problems,
) -> Vec<(Ident, Expr)> {
    match execute(table, &[], taken, &[], &parts.last) {
        Ok(effect) => {
            let mut names = AssertionNames::default();
            let claim = |(formula, span)| (ident(&names.next(taken), span), for_all(&effect.params, formula));
            effect.assertions.into_iter().map(claim).collect()
        }
        Err(TooLarge(span)) => {
            problems.too_large(span);
            Vec::new()
        }
    }
}

/// How the file tells safety properties from other claims.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// By Ivy's conventions about names.
    Names,
    /// By the keyword `safety`.
    Keyword,
    /// By the keyword in front of `true`: there are only assertions to be shown, and claims that help.
    Nothing,
}

impl Marks {
    fn of(items: &[Item], last: &[(Ident, Expr)]) -> Marks {
        let claims = || {
            let declared = items.iter().filter_map(|item| match &item.kind {
                ItemKind::Formula { role: program::Role::Safety, name, .. } => Some((true, name.as_ref())),
                ItemKind::Formula { role: program::Role::Conjecture, name, .. } => {
                    Some((false, name.as_ref()))
                }
                _ => None,
            });
            declared.chain(last.iter().map(|(name, _)| (true, Some(name))))
        };
        let is_marked = |name: Option<&Ident>| name.is_some_and(|name| is_mark(&name.name));
        let has_marked = claims().any(|(_, name)| is_marked(name));
        let has_unnamed = claims().any(|(_, name)| name.is_none());
        let is_conventional = claims().all(|(is_safety, name)| {
            is_safety == if has_marked { is_marked(name) } else { !has_unnamed || name.is_none() }
        });
        if is_conventional {
            Marks::Names
        } else if claims().any(|(is_safety, _)| is_safety) {
            Marks::Keyword
        } else if has_assertions(items) {
            Marks::Nothing
        } else {
            // Nothing is to be shown, and all claims are alike.
            Marks::Names
        }
    }
}

/// Returns whether the name of a claim tells that it is a safety property.
fn is_mark(name: &str) -> bool {
    name.starts_with("safety")
}

struct Translator<'a> {
    table: &'a Table,
    /// The names of formulas, which are not names in Ivy.
    named: Set<Name>,
    /// All names.
    taken: Set<Name>,
    marks: Marks,
    decls: Vec<Decl>,
    problems: &'a mut Problems,
}

impl Translator<'_> {
    fn push(&mut self, kind: DeclKind, place: Place) {
        self.decls.push(Decl { kind, place });
    }

    fn program(&mut self, items: &[Item], parts: &Parts<'_>, last: Vec<(Ident, Expr)>) {
        let mut has_init = false;
        for item in items {
            let place = item.place;
            match &item.kind {
                ItemKind::Sort { name, .. } => {
                    let (name, body) = (name.clone(), TypeBody::Uninterpreted);
                    self.push(DeclKind::Type { name, of: None, body }, place);
                }
                ItemKind::Symbol(symbol) => self.symbols(symbol, place),
                ItemKind::Macro { name, params, body } => self.definition(name, params, body, place),
                ItemKind::Formula { role, name, formula, .. } => {
                    let formula = self.formula(formula);
                    self.claim(*role, name.clone(), formula, place);
                }
                ItemKind::Trace { .. } => {
                    self.problems.leave_out(
                        item.span(),
                        "Ivy has no traces, so this one is left out",
                        "`ramsey bmc` checks it in this file",
                    );
                }
                ItemKind::Command(_) if !std::mem::replace(&mut has_init, true) => self.init(parts, place),
                ItemKind::While(_) => self.actions(parts),
                _ => {}
            }
        }
        for (name, formula) in last {
            let formula = self.formula(&formula);
            let place = name.place;
            self.claim(program::Role::Safety, Some(name), formula, place);
        }
        if let (Marks::Nothing, Some(end)) = (self.marks, items.last()) {
            self.claim(program::Role::Safety, None, truth(true, end.span()), end.place);
        }
    }

    fn symbols(&mut self, symbol: &program::SymbolDecl, place: Place) {
        let (keyword, sorts) = match symbol.form {
            program::SymbolForm::Relation => ("relation", None),
            program::SymbolForm::Function => ("function", symbol.result.clone()),
            program::SymbolForm::Variable => ("individual", symbol.result.clone()),
        };
        for name in &symbol.names {
            let decl = SymbolDecl {
                name: name.clone(),
                params: self.params_of(&name.name, &symbol.args),
                result: sorts.clone(),
                definition: None,
                default: None,
            };
            let kind = DeclKind::Symbols { keyword: keyword.into(), symbols: vec![decl] };
            self.push(kind, place);
        }
    }

    fn params_of(&self, name: &Name, args: &[SortRef]) -> Vec<SortedVar> {
        let sorts = self.table.symbols.get(name);
        let mut used: Vec<Name> = Vec::new();
        for at in 0..args.len() {
            let var = variable_of(sorts, at, &|name| used.contains(name));
            used.push(var);
        }
        let params = used.iter().zip(args);
        params
            .map(|(name, sort)| SortedVar { name: ident(name, sort.place.0), sort: Some(sort.clone()) })
            .collect()
    }

    fn definition(&mut self, name: &Ident, params: &[SortedVar], body: &Expr, place: Place) {
        let closed = self.table.closed(body, params);
        let params = with_sorts(self.table, params, &closed);
        let mut map: Vec<(Name, Name)> = Vec::new();
        let mut used: Set<Name> = super::exprs::free(&closed);
        used.extend(params.iter().map(|param| param.name.name.clone()));
        for param in &params {
            let new =
                capital(&param.name.name, &|name| used.contains(name) || super::exprs::binds(&closed, name));
            used.insert(new.clone());
            map.push((param.name.name.clone(), new));
        }
        let body = self.expr(&closed, &map);
        let vars = params.iter().zip(&map).map(|(param, (_, new))| SortedVar {
            name: ident(new, param.name.span()),
            sort: param.sort.clone(),
        });
        let symbol = SymbolDecl {
            name: name.clone(),
            params: vars.collect(),
            result: None,
            definition: Some(body),
            default: None,
        };
        self.push(DeclKind::Symbols { keyword: "relation".into(), symbols: vec![symbol] }, place);
    }

    fn claim(&mut self, role: program::Role, label: Option<Ident>, formula: Expr, place: Place) {
        let (role, keyword) = match role {
            program::Role::Axiom => (Role::Axiom, "axiom"),
            program::Role::Theorem | program::Role::Instance(_) => (Role::Property, "property"),
            program::Role::Conjecture | program::Role::Goal => (Role::Invariant, "invariant"),
            program::Role::Safety if self.marks == Marks::Names => (Role::Invariant, "invariant"),
            program::Role::Safety => (Role::Safety, "safety"),
        };
        let is_misleading = |name: &Ident| role == Role::Invariant && is_mark(&name.name);
        let label = label.map(|name| match self.marks != Marks::Names && is_misleading(&name) {
            true => ident(&fresh(&format!("invariant_{}", name.name), &mut self.taken), name.span()),
            false => name,
        });
        let (keyword, named, proof) = (keyword.into(), None, None);
        let kind = DeclKind::Formula { role, keyword, label, formula, with: None, named, proof };
        self.push(kind, place);
    }

    fn init(&mut self, parts: &Parts<'_>, place: Place) {
        let mut commands: Vec<Command> = parts.init.iter().map(|&command| command.clone()).collect();
        if commands.iter().all(|command| matches!(command.kind, CommandKind::Assume(_))) {
            commands = self.initial(&commands);
        }
        let body = self.stmts(&commands, false, &mut Vec::new());
        self.push(DeclKind::Init { params: Vec::new(), body }, place);
    }

    /// Turns assumptions that define a symbol into assignments.
    fn initial(&self, commands: &[Command]) -> Vec<Command> {
        let formulas = commands.iter().filter_map(|command| match &command.kind {
            CommandKind::Assume(formula) => Some(self.table.closed(formula, &[])),
            _ => None,
        });
        let formulas = formulas.flat_map(|formula| distributed(&formula));
        let (assignments, rest) = initial_values(self.table, formulas.collect());
        let mut commands = Vec::new();
        for (name, value) in assignments {
            let span = value.body.span();
            let args = Some(value.args()).filter(|args| !args.is_empty());
            let kind = CommandKind::Assign { target: ident(&name, span), args, value: value.body };
            commands.push(Command { kind, place: Place(span) });
        }
        commands.extend(rest.into_iter().map(|formula| {
            let place = formula.place;
            Command { kind: CommandKind::Assume(formula), place }
        }));
        commands
    }

    fn actions(&mut self, parts: &Parts<'_>) {
        let mut names: Vec<(Ident, Place)> = Vec::new();
        for action in &parts.actions {
            let commands: Vec<Command> =
                action.before.iter().chain(action.body).chain(action.after).cloned().collect();
            let mut locals = action.params.iter().map(|param| param.name.name.clone()).collect();
            let body = self.stmts(&commands, true, &mut locals);
            let params = with_following_sorts(action.params);
            let name = action_name(action, &self.taken);
            names.push((name.clone(), Place(action.span)));
            let decl = Action {
                name,
                params: Some(params),
                receiver: None,
                returns: Vec::new(),
                body: Some(body),
                places: Vec::new(),
            };
            self.push(DeclKind::Action(decl), Place(action.span));
        }
        for (name, place) in names {
            self.push(DeclKind::Export(name), place);
        }
    }

    /// Translates a formula with implicit quantifiers.
    fn formula(&self, formula: &Expr) -> Expr {
        let closed = self.expr(&self.table.closed(formula, &[]), &[]);
        let (vars, body) = outermost(&closed);
        if vars.iter().all(|var| var.sort.is_none()) { body.clone() } else { closed }
    }

    /// Translates an expression, with these new names of variables.
    fn expr(&self, expr: &Expr, vars: &[(Name, Name)]) -> Expr {
        let expr = without_distinct(&without_lets(&self.without_names(expr)));
        capitalized(&expr, &mut vars.to_vec())
    }

    /// Replaces names of formulas by the formulas.
    fn without_names(&self, expr: &Expr) -> Expr {
        rewrite(expr, &Set::default(), &mut |leaf| match self.table.definitions.get(&leaf.name.name) {
            Some(definition) if self.named.contains(&leaf.name.name) => self.without_names(&definition.body),
            _ => leaf.unchanged(),
        })
    }

    /// Translates commands in a scope of their own. `locals` are the variables around them.
    fn stmts(&self, commands: &[Command], is_action: bool, locals: &mut Vec<Name>) -> Vec<Stmt> {
        let outside = locals.len();
        let mut stmts = Vec::new();
        let mut is_start = is_action;
        for command in commands {
            is_start &= matches!(command.kind, CommandKind::Assume(_) | CommandKind::Local(_));
            self.command(command, is_start, locals, &mut stmts);
        }
        locals.truncate(outside);
        stmts
    }

    #[inline(never)]
    fn command(&self, command: &Command, is_start: bool, locals: &mut Vec<Name>, stmts: &mut Vec<Stmt>) {
        let span = command.span();
        let check = |kind, formula| StmtKind::Check { kind, label: None, formula, proof: None };
        let kind = match &command.kind {
            CommandKind::Skip | CommandKind::Broken => return,
            CommandKind::Abort => check(Check::Assert, truth(false, span)),
            CommandKind::Assume(formula) => {
                let kind = if is_start { Check::Require } else { Check::Assume };
                check(kind, self.formula(formula))
            }
            CommandKind::Assert { formula, .. } => check(Check::Assert, self.formula(formula)),
            CommandKind::Local(vars) => {
                for var in with_following_sorts(vars) {
                    locals.push(var.name.name.clone());
                    let kind = StmtKind::Var { var, params: Vec::new(), value: None };
                    stmts.push(Stmt { kind, place: command.place });
                }
                return;
            }
            CommandKind::Havoc(target) => {
                StmtKind::Assign { targets: vec![constant(&target.name, target.span())], value: None }
            }
            CommandKind::Assign { target, args, value } => {
                let args = args.as_deref().unwrap_or_default();
                let vars = self.logical(locals, args, &[value]);
                let args = args.iter().map(|arg| self.expr(arg, &vars)).collect();
                let value = Some(self.expr(value, &vars));
                StmtKind::Assign { targets: vec![apply(&target.name, 0, args, target.span())], value }
            }
            CommandKind::Update { target, insert, args, condition } => {
                let conditions: Vec<&Expr> = condition.iter().collect();
                let vars = self.logical(locals, args, &conditions);
                let args = args.iter().map(|arg| self.expr(arg, &vars)).collect();
                let target = apply(&target.name, 0, args, target.span());
                let value = match condition {
                    None => truth(*insert, span),
                    Some(condition) => {
                        let condition = self.expr(condition, &vars);
                        if *insert {
                            or(vec![target.clone(), condition], span)
                        } else {
                            and(vec![target.clone(), not(condition)], span)
                        }
                    }
                };
                StmtKind::Assign { targets: vec![target], value: Some(value) }
            }
            CommandKind::If { condition, then, otherwise } => StmtKind::If {
                condition: match condition {
                    // A condition binds its variables.
                    Some(condition) => Condition::Formula(self.expr(&self.table.closed(condition, &[]), &[])),
                    None => Condition::Any,
                },
                then: self.stmts(then, false, locals),
                otherwise: self.stmts(otherwise, false, locals),
            },
            CommandKind::Choice(branches) => match self.choice(branches, command.place, locals) {
                Some(kind) => kind,
                None => return,
            },
        };
        stmts.push(Stmt { kind, place: command.place });
    }

    /// Translates a choice to `if *`.
    fn choice(&self, branches: &[Branch], place: Place, locals: &mut Vec<Name>) -> Option<StmtKind> {
        let (last, others) = branches.split_last()?;
        let mut rest = self.stmts(&last.body, false, locals);
        for (at, branch) in others.iter().enumerate().rev() {
            let then = self.stmts(&branch.body, false, locals);
            let kind = StmtKind::If { condition: Condition::Any, then, otherwise: rest };
            if at == 0 {
                return Some(kind);
            }
            rest = vec![Stmt { kind, place }];
        }
        Some(StmtKind::Block(rest))
    }

    /// Returns the new names of the logical variables of an update.
    fn logical(&self, locals: &[Name], args: &[Expr], values: &[&Expr]) -> Vec<(Name, Name)> {
        let mut used: Set<Name> =
            args.iter().chain(values.iter().copied()).flat_map(super::exprs::free).collect();
        let mut vars = Vec::new();
        for arg in args {
            let Some(name) = plain(arg) else { continue };
            if self.table.symbols.contains_key(name) || locals.contains(name) {
                continue;
            }
            let new = capital(name, &|other| {
                other != name && used.contains(other)
                    || values.iter().any(|value| super::exprs::binds(value, other))
            });
            used.insert(new.clone());
            vars.push((name.clone(), new));
        }
        vars
    }
}

/// Returns the name with a capital letter in front that is not taken.
fn capital(name: &Name, is_taken: &dyn Fn(&Name) -> bool) -> Name {
    let start = name.trim_start_matches('_');
    let mut letters = start.chars();
    let new: Name = match letters.next() {
        Some(first) if first.is_ascii_alphabetic() => {
            format!("{}{}", first.to_ascii_uppercase(), letters.as_str()).into()
        }
        _ => format!("X{start}").into(),
    };
    if new == *name { new } else { numbered(&new, is_taken) }
}

/// Gives bound variables names that begin with a capital letter.
fn capitalized(expr: &Expr, vars: &mut Vec<(Name, Name)>) -> Expr {
    let outside = vars.len();
    if let ExprKind::Quantifier { vars: bound, body, .. } = &expr.kind {
        let free = super::exprs::free(body);
        for var in bound {
            let is_taken = |name: &Name| {
                *name != var.name.name
                    && (free.contains(name)
                        || super::exprs::binds(body, name)
                        || vars.iter().any(|(_, new)| new == name))
            };
            let mut new = capital(&var.name.name, &is_taken);
            // Ivy reads quantifiers in each other as one.
            if vars.iter().any(|(_, outer)| *outer == new) {
                new = numbered(&new, &|name| *name == new || is_taken(name));
            }
            vars.push((var.name.name.clone(), new));
        }
    }
    let new = |name: &Ident, vars: &[(Name, Name)]| {
        let found = vars.iter().rev().find(|(old, _)| *old == name.name);
        found.map_or_else(|| name.clone(), |(_, new)| ident(new, name.span()))
    };
    let mut kind = expr.map_children(|child| capitalized(child, vars));
    match &mut kind {
        ExprKind::Ref { name, args: None, .. } => *name = new(name, vars),
        ExprKind::Quantifier { vars: bound, .. } => {
            bound.iter_mut().for_each(|var| var.name = new(&var.name, vars));
        }
        _ => {}
    }
    vars.truncate(outside);
    Expr::new(kind, expr.span())
}

/// Writes `distinct(..)` as inequalities.
fn without_distinct(expr: &Expr) -> Expr {
    let span = expr.span();
    match expr.map_children(without_distinct) {
        ExprKind::Distinct(items) => {
            let mut pairs = Vec::new();
            for (at, one) in items.iter().enumerate() {
                for other in items.iter().skip(at + 1) {
                    pairs.push(binary(BinaryOp::NotEqual, [one.clone(), other.clone()], span));
                }
            }
            and(pairs, span)
        }
        kind => Expr::new(kind, span),
    }
}
