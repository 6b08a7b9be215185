//! R041: transitions that leave a symbol arbitrary for all but some tuples. R046: variables on the left of `:=` where one
//! element was probably intended.

use super::formulas::{Update, is_capital, is_transition, mentions};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::{Code, Diagnostic, nearest};
use ramsey_lang::fol::ast::{BinaryOp, Expr, ExprKind, Ident};
use ramsey_lang::pyv::ast::{
    self, DeclKind, DefinitionDecl, DefinitionKind, Dialect, Mutability, States, SymbolDecl, SymbolForm,
};

/// Checks the transitions of a `.pyv` file for R041.
pub(super) fn pointwise(program: &ast::Program, found: &mut Vec<Diagnostic>) {
    let mut symbols: Map<&str, &SymbolDecl> = Map::default();
    let mut definitions: Map<&str, &DefinitionDecl> = Map::default();
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Symbol(symbol) if !symbol.args.is_empty() => {
                symbols.insert(&symbol.name.name, symbol);
            }
            DeclKind::Definition(definition) => {
                definitions.insert(&definition.name.name, definition);
            }
            _ => {}
        }
    }
    for decl in &program.decls {
        let DeclKind::Definition(transition) = &decl.kind else { continue };
        if !is_transition(transition) {
            continue;
        }
        let mut reads = Reads {
            definitions: &definitions,
            scope: Vec::new(),
            found: Vec::new(),
            kept: Set::default(),
            opaque: false,
        };
        reads.scope.extend(transition.params.iter().map(|param| (&*param.name.name, false)));
        reads.expr(&transition.body, 0);
        if reads.opaque {
            continue;
        }
        for name in transition.modifies.iter().flatten() {
            let Some(symbol) = symbols.get(&*name.name) else { continue };
            let here: Vec<&Read<'_>> =
                reads.found.iter().filter(|read| *read.name.name == *name.name).collect();
            if !here.is_empty() && !reads.kept.contains(&*name.name) && here.iter().all(|read| read.is_point)
            {
                found.push(warning(name, symbol, &here, program));
            }
        }
    }
}

/// An occurrence of a symbol in the new state.
struct Read<'a> {
    name: &'a Ident,
    expr: &'a Expr,
    /// Whether no argument is a variable that ranges over many elements.
    is_point: bool,
}

struct Reads<'a, 'd> {
    definitions: &'d Map<&'a str, &'a DefinitionDecl>,
    /// Names in scope, and whether they range over many elements.
    scope: Vec<(&'a str, bool)>,
    found: Vec<Read<'a>>,
    /// Symbols with a formula stating that they are unchanged somewhere. Their updates at single points are then
    /// intentional, in a sort with few elements.
    kept: Set<&'a str>,
    /// Whether another formula mentions the new state.
    opaque: bool,
}

impl<'a> Reads<'a, '_> {
    fn expr(&mut self, expr: &'a Expr, state: u32) {
        match &expr.kind {
            ExprKind::Ref { name, primes, args } => {
                let definition = self.definitions.get(&*name.name);
                self.opaque |= definition.is_some_and(|it| {
                    state + primes > 0
                        || it.kind == DefinitionKind::Transition
                        || it.kind == DefinitionKind::Definition(Some(States::Two))
                });
                if state + primes > 0 {
                    let is_point = !args.iter().flatten().any(|arg| self.is_general(arg));
                    self.found.push(Read { name, expr, is_point });
                }
                args.iter().flatten().for_each(|arg| self.expr(arg, state));
            }
            ExprKind::New(inner) => self.expr(inner, state + 1),
            ExprKind::Binary { op: BinaryOp::Equal | BinaryOp::Iff, sides, .. } => {
                if let (Some((a, new)), Some((b, old))) = (read(&sides[0]), read(&sides[1]))
                    && a.0 == b.0
                    && a.1 == b.1
                    && new != old
                {
                    self.kept.insert(a.0);
                }
                sides.iter().for_each(|side| self.expr(side, state));
            }
            ExprKind::Safety { .. } => self.opaque = true,
            ExprKind::Quantifier { vars, body, universal } => {
                let outside = self.scope.len();
                self.scope.extend(vars.iter().map(|var| (&*var.name.name, *universal)));
                self.expr(body, state);
                self.scope.truncate(outside);
            }
            ExprKind::Let { var, parts } => {
                self.expr(&parts[0], state);
                let general = self.is_general(&parts[0]);
                self.scope.push((&*var.name.name, general));
                self.expr(&parts[1], state);
                self.scope.pop();
            }
            _ => expr.for_each_child(|child| self.expr(child, state)),
        }
    }

    /// Returns whether a term depends on a variable that ranges over many elements.
    fn is_general(&self, expr: &Expr) -> bool {
        if let ExprKind::Ref { name, args: None, .. } = &expr.kind {
            let bound = self.scope.iter().rev().find(|(known, _)| **known == *name.name);
            // Under `!`, `exists` may mean `forall`, so variables bound by it are treated as points.
            return match bound {
                Some(&(_, general)) => general,
                None => is_capital(&name.name),
            };
        }
        let mut any = false;
        expr.for_each_child(|child| any |= self.is_general(child));
        any
    }
}

/// Returns a name with its arguments, and whether it is evaluated in the new state.
fn read(expr: &Expr) -> Option<((&str, &[Expr]), bool)> {
    match &expr.kind {
        ExprKind::Ref { name, primes, args: Some(args) } => Some(((&*name.name, args), *primes > 0)),
        ExprKind::New(inner) => read(inner).map(|(what, _)| (what, true)),
        _ => None,
    }
}

fn warning(name: &Ident, symbol: &SymbolDecl, reads: &[&Read<'_>], program: &ast::Program) -> Diagnostic {
    let what = match symbol.form {
        SymbolForm::Relation => "tuples",
        _ => "arguments",
    };
    let mut diagnostic = Diagnostic::warning(
        Code::Pointwise,
        name.span(),
        format!("`{}` becomes arbitrary for all {what} but those that are mentioned", name.name),
    )
    .label("everything else of it may change");
    for read in reads.iter().take(3) {
        diagnostic = diagnostic.also(read.expr.span(), "only this is said of the next state");
    }
    let help = match frame(name, symbol, reads, program) {
        Some(frame) => format!("if the rest stays as it is, add `{frame}`"),
        None => "say what it becomes for all arguments, by `forall`".to_owned(),
    };
    diagnostic.help(help)
}

/// Returns a formula stating that only the mentioned tuples change.
fn frame(name: &Ident, symbol: &SymbolDecl, reads: &[&Read<'_>], program: &ast::Program) -> Option<String> {
    let is_declared = |candidate: &str| {
        program.decls.iter().any(|decl| match &decl.kind {
            DeclKind::Symbol(symbol) => *symbol.name.name == *candidate,
            DeclKind::Definition(definition) => *definition.name.name == *candidate,
            DeclKind::Formula { name, .. } | DeclKind::Theorem { name, .. } => {
                name.as_ref().is_some_and(|name| *name.name == *candidate)
            }
            _ => false,
        })
    };
    let vars: Vec<String> = ["X", "Y", "Z"]
        .iter()
        .map(|&var| var.to_owned())
        .chain((1..).map(|number| format!("X{number}")))
        .filter(|var| !is_declared(var))
        .take(symbol.args.len())
        .collect();
    let mut points: Vec<String> = Vec::new();
    for read in reads {
        let ExprKind::Ref { args: Some(args), .. } = &read.expr.kind else { return None };
        let mut differs = Vec::new();
        for (var, arg) in vars.iter().zip(args) {
            let ExprKind::Ref { name, primes: 0, args: None } = &arg.kind else { return None };
            let is_marked = program.dialect != Dialect::Newer && is_mutable(&name.name, program);
            differs.push(match is_marked {
                true => format!("{var} != old({})", name.name),
                false => format!("{var} != {}", name.name),
            });
        }
        let point = differs.join(" | ");
        if !points.contains(&point) {
            points.push(point);
        }
    }
    let condition = match points.as_slice() {
        [point] => point.clone(),
        many => many.iter().map(|point| format!("({point})")).collect::<Vec<_>>().join(" & "),
    };
    let list = vars.join(", ");
    let equal = if symbol.result.is_none() { "<->" } else { "=" };
    let is_bound = reads.iter().any(|read| bound_below(read, program));
    let kept = match program.dialect {
        Dialect::Newer => format!("{0}'({list}) {equal} {0}({list})", name.name),
        Dialect::Older(_) => format!("{0}({list}) {equal} old({0}({list}))", name.name),
    };
    (!is_bound && points.len() <= 3).then(|| format!("(forall {list}. {condition} -> ({kept}))"))
}

/// Returns whether `name` is declared as a symbol that can change.
fn is_mutable(name: &str, program: &ast::Program) -> bool {
    program.decls.iter().any(|decl| match &decl.kind {
        DeclKind::Symbol(symbol) => *symbol.name.name == *name && symbol.mutability != Mutability::Immutable,
        _ => false,
    })
}

/// Returns whether an argument is bound by a quantifier and so cannot be used elsewhere, unlike a parameter or
/// constant.
fn bound_below(read: &Read<'_>, program: &ast::Program) -> bool {
    let ExprKind::Ref { args: Some(args), .. } = &read.expr.kind else { return true };
    let is_known = |name: &str| {
        program.decls.iter().any(|decl| match &decl.kind {
            DeclKind::Symbol(symbol) => *symbol.name.name == *name,
            DeclKind::Definition(it) if mentions_at(&it.body, read.expr) => {
                it.params.iter().any(|param| *param.name.name == *name)
            }
            _ => false,
        })
    };
    args.iter().any(|arg| match &arg.kind {
        ExprKind::Ref { name, .. } => !is_known(&name.name),
        _ => true,
    })
}

/// Returns whether `part` lies inside `whole`.
fn mentions_at(whole: &Expr, part: &Expr) -> bool {
    let (whole, part) = (whole.span(), part.span());
    whole.file == part.file && whole.start <= part.start && part.end <= whole.end
}

/// Checks an update for R046: a variable among its arguments that was probably not intended as one, because a name that is
/// declared is nearly the same in small letters, and the value does not mention the variable. `declared` contains all
/// names except sorts.
pub(super) fn logical(update: &Update<'_>, declared: &Set<&str>, found: &mut Vec<Diagnostic>) {
    let (scope, value) = (&update.scope, &*update.value);
    for arg in &update.args {
        let ExprKind::Ref { name, primes: 0, args: None } = &arg.kind else { continue };
        let text = &*name.name;
        let is_term = !(update.is_variable)(text) || declared.contains(text) || scope.contains(&text);
        // One-letter names are always similar, and `N` beside `n` is usual.
        if is_term || text.len() < 2 || mentions(value, text) {
            continue;
        }
        let small = text.to_lowercase();
        let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
        let candidates: Vec<&str> = scope
            .iter()
            .chain(declared)
            .copied()
            .filter(|other| other.len() >= 2 && !update.args.iter().any(|arg| mentions(arg, other)))
            .collect();
        let same = candidates.iter().copied().find(|other| *other == small);
        let different = candidates.iter().copied().filter(|other| stem(other) != stem(text));
        let Some(near) = same.or_else(|| nearest(&small, different)) else { continue };
        found.push(
            Diagnostic::warning(
                Code::LogicalVariable,
                name.span(),
                format!("`{text}` stands for every element here, and `{near}` is declared"),
            )
            .label("a variable of the update, used once")
            .help(format!("did you mean `{near}`? if every element is meant, a single letter says so")),
        );
    }
}
