//! Declared names of `.ivy` files.

use super::entry::{Entry, Kind};
use super::text::Text;
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::base::span::Span;
use crate::lang::ivy::ast::{
    Action, Condition, Decl, DeclKind, Expr, ExprKind, File, Ident, Place, Role, Schema, SortName, SortRef,
    SortedVar, Stmt, StmtKind, SymbolDecl, TypeBody,
};

/// Whether the budget lasted.
type Step = Result<(), Exhausted>;

/// Returns the entries of all files.
pub(super) fn entries(files: &[File], budget: &mut Budget) -> Result<Vec<Entry>, Exhausted> {
    let scopes = vec![Scope::default()];
    let mut index = Index { entries: Vec::new(), scopes, inside: Map::default(), bound: Vec::new(), budget };
    files.iter().try_for_each(|file| index.declare_all(&file.decls, 0))?;
    let mut visited = 1;
    files.iter().try_for_each(|file| index.decls(&file.decls, 0, &mut visited))?;
    Ok(index.entries)
}

/// The names that an object, a module or the program declares.
#[derive(Default)]
struct Scope<'a> {
    parent: Option<usize>,
    names: Map<&'a str, usize>,
}

/// The entries found so far. Scopes are numbered in the order of their text, so that both passes number them equally.
struct Index<'a, 'b> {
    entries: Vec<Entry>,
    scopes: Vec<Scope<'a>>,
    /// The scopes of objects and modules, and the modules of instances, by their entries.
    inside: Map<usize, Inside<'a>>,
    /// The variables in scope, innermost last.
    bound: Vec<(&'a str, usize)>,
    budget: &'b mut Budget,
}

/// What the parts of a name after an entry are looked up in.
#[derive(Clone, Copy)]
enum Inside<'a> {
    Scope(usize),
    /// The declarations of this module.
    Instance(&'a str),
}

impl<'a> Index<'a, '_> {
    fn add(&mut self, kind: Kind, name: &'a Ident, declaration: Span, text: Text) -> usize {
        let (shown, span) = (name.name.to_string(), name.span());
        let text = text.finish();
        self.entries.push(Entry { kind, name: shown, span, declaration, text, uses: Vec::new() });
        self.entries.len() - 1
    }

    fn declare(&mut self, scope: usize, kind: Kind, name: &'a Ident, declaration: Span, text: Text) -> usize {
        let entry = self.add(kind, name, declaration, text);
        self.scopes[scope].names.entry(&name.name).or_insert(entry);
        entry
    }

    fn scope(&mut self, parent: usize) -> usize {
        self.scopes.push(Scope { parent: Some(parent), names: Map::default() });
        self.scopes.len() - 1
    }

    fn declare_all(&mut self, decls: &'a [Decl], scope: usize) -> Step {
        decls.iter().try_for_each(|decl| self.declare_decl(decl, scope))
    }

    #[inline(never)]
    fn declare_decl(&mut self, decl: &'a Decl, scope: usize) -> Step {
        self.budget.spend(1)?;
        let span = decl.span();
        match &decl.kind {
            DeclKind::Type { name, body } => {
                let text = Text::new("type ").word(&name.name);
                if &*name.name != "this" {
                    self.declare(scope, Kind::Sort, name, span, text);
                }
                match body {
                    TypeBody::Uninterpreted | TypeBody::Range(..) => {}
                    TypeBody::Enumerated(values) => {
                        for value in values {
                            let text = Text::new("type ").word(&name.name).word(" = {.. ").word(&value.name);
                            self.declare(scope, Kind::Constant, value, span, text.word(" ..}"));
                        }
                    }
                    TypeBody::Struct(fields) => {
                        fields.iter().for_each(|field| self.symbol("destructor", field, span, scope));
                    }
                }
            }
            DeclKind::Symbols { keyword, symbols } => {
                symbols.iter().for_each(|symbol| self.symbol(keyword, symbol, span, scope));
            }
            DeclKind::Definition { keyword, name, params, body, .. } if !name.name.contains('.') => {
                let text = Text::new(keyword).word(" ").word(&name.name).word("(").vars(params);
                let text = text.word(") = ").formula(body);
                let is_new = !self.scopes[scope].names.contains_key(&*name.name);
                if is_new {
                    self.declare(scope, Kind::Definition, name, span, text);
                }
            }
            DeclKind::Schema(schema) => {
                if let Some(name) = &schema.name {
                    self.add(Kind::Axiom, name, span, Text::new("schema ").word(&name.name));
                }
            }
            DeclKind::Formula { role, keyword, label: Some(label), formula, .. } => {
                let kind = match role {
                    Role::Axiom => Kind::Axiom,
                    Role::Property => Kind::Theorem,
                    Role::Init => Kind::Init,
                    Role::Invariant => Kind::Invariant,
                    Role::Safety => Kind::Safety,
                };
                let text = Text::new(keyword).word(" [").word(&label.name).word("] ").formula(formula);
                self.add(kind, label, span, text);
            }
            DeclKind::Theorem(theorem) => {
                let text =
                    Text::new("theorem [").word(&theorem.name.name).word("] ").formula(&theorem.conclusion);
                self.add(Kind::Theorem, &theorem.name, span, text);
                let inner = self.scope(scope);
                self.declare_all(&theorem.decls, inner)?;
            }
            DeclKind::Object { keyword, name, params, decls, .. } => {
                let text = Text::new(keyword).word(" ").word(&name.name).word("(").vars(params).word(")");
                let entry = self.declare(scope, Kind::Prefix, name, span, text);
                let inner = self.scope(scope);
                self.inside.insert(entry, Inside::Scope(inner));
                self.declare_all(decls, inner)?;
            }
            DeclKind::Section { decls, .. } => self.declare_all(decls, scope)?,
            DeclKind::Module(module) => {
                let text = Text::new("module ").word(&module.name.name).names(&module.params);
                let entry = self.declare(scope, Kind::Module, &module.name, span, text);
                let inner = self.scope(scope);
                self.inside.insert(entry, Inside::Scope(inner));
                for param in &module.params {
                    self.declare(inner, Kind::Parameter, param, param.span(), Text::new(&param.name));
                }
                self.declare_all(&module.decls, inner)?;
            }
            DeclKind::Instance { keyword, name: Some(name), module, args, .. } => {
                let text = Text::new(keyword).word(" ").word(&name.name).word(" : ").word(&module.name);
                let entry = self.declare(scope, Kind::Prefix, name, span, text.names(args));
                self.inside.insert(entry, Inside::Instance(&module.name));
            }
            DeclKind::Macro { name, params, .. } => {
                let text = Text::new("macro ").word(&name.name).names(params);
                self.declare(scope, Kind::Macro, name, span, text);
            }
            DeclKind::Action(action) if !action.name.name.contains('.') => {
                let text = Text::new("action ").word(&action.name.name).word("(");
                let text = text.vars(action.params.as_deref().unwrap_or_default()).word(")");
                self.declare(scope, Kind::Action, &action.name, span, text);
            }
            DeclKind::Alias { name, sort } => {
                let text = Text::new("alias ").word(&name.name).word(" = ").sort(sort);
                self.declare(scope, Kind::Definition, name, span, text);
            }
            _ => {}
        }
        Ok(())
    }

    fn symbol(&mut self, keyword: &str, symbol: &'a SymbolDecl, span: Span, scope: usize) {
        let mut text = Text::new(keyword).word(" ").word(&symbol.name.name);
        if !symbol.params.is_empty() {
            text = text.word("(").vars(&symbol.params).word(")");
        }
        let kind = match &symbol.result {
            None => Kind::Relation,
            Some(_) if symbol.params.is_empty() => Kind::Constant,
            Some(_) => Kind::Function,
        };
        if let Some(result) = &symbol.result {
            text = text.word(": ").sort(result);
        }
        self.declare(scope, kind, &symbol.name, span, text);
    }

    /// Adds the uses in declarations. `visited` is the number of the next scope.
    fn decls(&mut self, decls: &'a [Decl], scope: usize, visited: &mut usize) -> Step {
        decls.iter().try_for_each(|decl| self.decl(decl, scope, visited))
    }

    #[inline(never)]
    fn decl(&mut self, decl: &'a Decl, scope: usize, visited: &mut usize) -> Step {
        self.budget.spend(1)?;
        let outside = self.bound.len();
        match &decl.kind {
            DeclKind::Type { body: TypeBody::Struct(symbols), .. } | DeclKind::Symbols { symbols, .. } => {
                for symbol in symbols {
                    self.bind_all(Kind::Parameter, &symbol.params, scope);
                    symbol.result.iter().for_each(|sort| self.sort(sort, scope));
                    symbol.definition.iter().try_for_each(|body| self.expr(body, scope))?;
                    self.bound.truncate(outside);
                }
            }
            DeclKind::Definition { name, params, body, .. } => {
                self.used(&name.name, name.place, scope);
                self.bind_all(Kind::Parameter, params, scope);
                self.expr(body, scope)?;
            }
            DeclKind::Schema(schema) => self.schema(schema, scope)?,
            DeclKind::Theorem(theorem) => {
                let inner = *visited;
                *visited += 1;
                self.decls(&theorem.decls, inner, visited)?;
                let premises = theorem.premises.iter().map(|(_, premise)| premise);
                premises.chain([&theorem.conclusion]).try_for_each(|formula| self.expr(formula, inner))?;
            }
            DeclKind::Interpret { name, .. } => self.used(&name.name, name.place, scope),
            DeclKind::Formula { formula, .. } => self.expr(formula, scope)?,
            DeclKind::Object { params, decls, .. } => {
                let inner = *visited;
                *visited += 1;
                self.bind_all(Kind::Parameter, params, scope);
                self.decls(decls, inner, visited)?;
            }
            DeclKind::Section { decls, .. } => self.decls(decls, scope, visited)?,
            DeclKind::Module(module) => {
                let inner = *visited;
                *visited += 1;
                self.decls(&module.decls, inner, visited)?;
            }
            DeclKind::Instance { params, module, args, .. } => {
                self.bind_all(Kind::Parameter, params, scope);
                self.used(&module.name, module.place, scope);
                args.iter().for_each(|arg| self.used(&arg.name, arg.place, scope));
            }
            DeclKind::Macro { params, body, .. } => {
                for param in params {
                    let entry = self.add(Kind::Parameter, param, param.span(), Text::new(&param.name));
                    self.bound.push((&param.name, entry));
                }
                self.stmts(body, scope)?;
            }
            DeclKind::Action(action) => self.action(action, scope)?,
            DeclKind::Monitor { action, .. } => {
                self.used(&action.name.name, action.name.place, scope);
                self.action(action, scope)?;
            }
            DeclKind::Init(body) => self.stmts(body, scope)?,
            DeclKind::Export(name) | DeclKind::Import(name) => self.used(&name.name, name.place, scope),
            DeclKind::Alias { sort, .. } => self.sort(sort, scope),
            _ => {}
        }
        self.bound.truncate(outside);
        Ok(())
    }

    fn schema(&mut self, schema: &'a Schema, scope: usize) -> Step {
        for sort in &schema.sorts {
            let entry = self.add(Kind::Parameter, sort, sort.span(), Text::new("type ").word(&sort.name));
            self.bound.push((&sort.name, entry));
        }
        for (keyword, symbol) in &schema.symbols {
            let sorts = symbol.params.iter().filter_map(|param| param.sort.as_ref());
            sorts.chain(&symbol.result).for_each(|sort| self.sort(sort, scope));
            let text = Text::new(keyword).word(" ").word(&symbol.name.name);
            let entry = self.add(Kind::Parameter, &symbol.name, symbol.name.span(), text);
            self.bound.push((&symbol.name.name, entry));
        }
        self.expr(&schema.formula, scope)?;
        let mut terms = schema.triggers.iter().flat_map(|trigger| &trigger.terms);
        terms.try_for_each(|term| self.expr(term, scope))
    }

    fn action(&mut self, action: &'a Action, scope: usize) -> Step {
        self.bind_all(Kind::Parameter, action.params.as_deref().unwrap_or_default(), scope);
        self.bind_all(Kind::Parameter, &action.returns, scope);
        action.body.iter().try_for_each(|body| self.stmts(body, scope))
    }

    fn bind_all(&mut self, kind: Kind, vars: &'a [SortedVar], scope: usize) {
        for var in vars {
            let name = &var.name;
            let declaration = var.sort.as_ref().map_or(name.span(), |sort| name.span().to(sort.place.0));
            let entry = self.add(kind, name, declaration, Text::new("").var(var));
            self.bound.push((&name.name, entry));
            var.sort.iter().for_each(|sort| self.sort(sort, scope));
        }
    }

    fn stmts(&mut self, stmts: &'a [Stmt], scope: usize) -> Step {
        let outside = self.bound.len();
        stmts.iter().try_for_each(|stmt| self.stmt(stmt, scope))?;
        self.bound.truncate(outside);
        Ok(())
    }

    #[inline(never)]
    fn stmt(&mut self, stmt: &'a Stmt, scope: usize) -> Step {
        self.budget.spend(1)?;
        let outside = self.bound.len();
        match &stmt.kind {
            StmtKind::Check { formula, .. } => self.expr(formula, scope),
            StmtKind::Assign { targets, value } => {
                targets.iter().chain(value).try_for_each(|expr| self.expr(expr, scope))
            }
            StmtKind::Call(call) => self.expr(call, scope),
            StmtKind::Var { var, params, value } => {
                self.bind_all(Kind::Parameter, params, scope);
                self.bound.truncate(outside);
                value.iter().try_for_each(|value| self.expr(value, scope))?;
                self.bind_all(Kind::Local, std::slice::from_ref(var), scope);
                Ok(())
            }
            StmtKind::Local { vars, body } => {
                self.bind_all(Kind::Local, vars, scope);
                self.stmts(body, scope)?;
                self.bound.truncate(outside);
                Ok(())
            }
            StmtKind::If { condition, then, otherwise } => {
                match condition {
                    Condition::Any => {}
                    Condition::Formula(formula) => self.expr(formula, scope)?,
                    Condition::Some { vars, formula } => {
                        self.bind_all(Kind::Local, vars, scope);
                        self.expr(formula, scope)?;
                    }
                }
                self.stmts(then, scope)?;
                self.bound.truncate(outside);
                self.stmts(otherwise, scope)
            }
            StmtKind::Instantiate { name, args } => {
                self.used(&name.name, name.place, scope);
                args.iter().try_for_each(|arg| self.expr(arg, scope))
            }
            StmtKind::Block(body) => self.stmts(body, scope),
            StmtKind::Rest | StmtKind::Broken => Ok(()),
        }
    }

    fn expr(&mut self, expr: &'a Expr, scope: usize) -> Step {
        self.budget.spend(1)?;
        let outside = self.bound.len();
        match &expr.kind {
            ExprKind::Ref { name, .. } => self.used(&name.name, name.place, scope),
            ExprKind::Quantifier { vars, .. } => self.bind_all(Kind::Bound, vars, scope),
            _ => {}
        }
        let mut result = Ok(());
        expr.for_each_child(|child| {
            if result.is_ok() {
                result = self.expr(child, scope);
            }
        });
        self.bound.truncate(outside);
        result
    }

    fn sort(&mut self, sort: &SortRef, scope: usize) {
        if let SortName::Named(name) = &sort.name {
            self.used(name, sort.place, scope);
        }
    }

    /// Adds the uses in a name with all its parts. Where arguments stand between the parts, only the first one counts.
    fn used(&mut self, name: &str, place: Place, scope: usize) {
        let span = place.0;
        let is_whole = (span.end - span.start) as usize == name.len();
        let skipped = if name.starts_with("old ") { "old ".len() } else { 0 };
        if !is_whole && (skipped > 0 || name.contains(':')) {
            return;
        }
        let (plain, sort) = name[skipped..].split_once(':').unwrap_or((&name[skipped..], ""));
        let start = span.start + skipped as u32;
        self.parts(plain, Span { start, ..span }, is_whole, scope);
        if !sort.is_empty() {
            let start = start + plain.len() as u32 + 1;
            self.parts(sort, Span { start, ..span }, true, scope);
        }
    }

    fn parts(&mut self, name: &str, span: Span, is_whole: bool, scope: usize) {
        let mut start = span.start;
        let mut inside: Option<Inside<'a>> = None;
        for (at, part) in name.split('.').enumerate() {
            let found = match (at, inside) {
                (0, _) => self.first(part, scope),
                (_, Some(Inside::Scope(inner))) => self.scopes[inner].names.get(part).copied(),
                (_, Some(Inside::Instance(module))) => {
                    let module = self.first(module, scope);
                    match module.and_then(|module| self.inside.get(&module)) {
                        Some(Inside::Scope(inner)) => self.scopes[*inner].names.get(part).copied(),
                        _ => None,
                    }
                }
                (_, None) => None,
            };
            let Some(entry) = found else { return };
            let used = Span { start, end: start + part.len() as u32, ..span };
            if used != self.entries[entry].span {
                self.entries[entry].uses.push(used);
            }
            if !is_whole {
                return;
            }
            inside = self.inside.get(&entry).copied();
            start += part.len() as u32 + 1;
        }
    }

    fn first(&self, name: &str, scope: usize) -> Option<usize> {
        if let Some((_, entry)) = self.bound.iter().rev().find(|(known, _)| *known == name) {
            return Some(*entry);
        }
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(&entry) = self.scopes[scope].names.get(name) {
                return Some(entry);
            }
            at = self.scopes[scope].parent;
        }
        None
    }
}
