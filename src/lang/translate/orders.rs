//! Orders and numerals that every type of `.ivy` has, as declared symbols.

use super::exprs::{Name, apply, binary, constant, ident, or};
use super::infer::Scope;
use super::items::Change as _;
use super::names::{NewNames, underscored};
use super::table::Table;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, SortName, SortRef};
use crate::program::ast::{Command, CommandKind, Item, ItemKind, SymbolDecl, SymbolForm};
use crate::program::interpreted::{has_interpreted, with_axioms};
use ramsey_core::base::hash::{Map, Set};

/// Replaces orders and numerals by symbols, which are declared after their sorts.
pub(super) fn with_symbols(items: &[Item]) -> Vec<Item> {
    let mut items: Vec<Item> =
        items.iter().filter(|item| !matches!(item.kind, ItemKind::Unused(_))).cloned().collect();
    if has_interpreted(&items) {
        let used = marked(&mut items.clone());
        items = with_axioms(&items, |sort: &str| {
            let symbols = used.iter().filter(|symbol| *symbol.sort == *sort);
            let mut found: Vec<Name> = symbols.map(|symbol| symbol.text.clone()).collect();
            found.sort_unstable();
            found
        });
    }
    let used = marked(&mut items);
    let mut names = NewNames { values: names_of(&used, &items), ..NewNames::default() };
    let mut result = Vec::new();
    for mut item in items {
        let sort = match &item.kind {
            ItemKind::Sort { name, .. } => Some(name.name.clone()),
            _ => None,
        };
        let place = item.place;
        names.item(&mut item);
        result.push(item);
        for symbol in used.iter().filter(|symbol| Some(&symbol.sort) == sort.as_ref()) {
            let of_sort = SortRef { name: SortName::Named(symbol.sort.clone()), place };
            let mut name = symbol.marked();
            names.value(&mut name);
            let decl = SymbolDecl {
                form: if symbol.is_order { SymbolForm::Relation } else { SymbolForm::Variable },
                names: vec![ident(&name, place.0)],
                args: if symbol.is_order { vec![of_sort.clone(), of_sort.clone()] } else { Vec::new() },
                result: if symbol.is_order { None } else { Some(of_sort) },
                annotations: Vec::new(),
                source: None,
                is_chosen: false,
                is_recursive: false,
                unchecked: None,
            };
            result.push(Item { kind: ItemKind::Symbol(decl), place });
        }
    }
    result
}

/// Gives orders and numerals the names of [`Symbol::marked`], and returns them.
fn marked(items: &mut [Item]) -> Vec<Symbol> {
    let table = Table::of(items);
    let mut pass = Pass { table: &table, used: Vec::new() };
    items.iter_mut().for_each(|item| pass.item(item));
    pass.used
}

/// An order or numeral of a sort.
#[derive(Clone, PartialEq, Eq)]
struct Symbol {
    text: Name,
    sort: Name,
    is_order: bool,
}

impl Symbol {
    /// The name before it is known which sorts have such a symbol.
    fn marked(&self) -> Name {
        format!("{}:{}", self.text, self.sort).into()
    }
}

/// Returns names for orders and numerals, by those of [`Symbol::marked`].
fn names_of(used: &[Symbol], items: &[Item]) -> Map<Name, Name> {
    let mut taken = super::names::all_names(items);
    let mut names = Map::default();
    for symbol in used {
        let plain = match &*symbol.text {
            "<" => "lt".to_owned(),
            "0" => "zero".to_owned(),
            text => format!("n{text}"),
        };
        let is_alone = used.iter().filter(|other| other.text == symbol.text).count() == 1;
        let name = if is_alone { plain } else { format!("{}_{plain}", symbol.sort) };
        let name = underscored(&name, |name| taken.contains(name));
        taken.insert(name.clone());
        names.insert(symbol.marked(), name);
    }
    names
}

struct Pass<'a> {
    table: &'a Table,
    used: Vec<Symbol>,
}

impl Pass<'_> {
    fn symbol(&mut self, text: &str, sort: Option<SortName>, is_order: bool) -> Name {
        let sort = match sort {
            Some(SortName::Named(sort)) => sort,
            _ => Name::from("bool"),
        };
        let symbol = Symbol { text: text.into(), sort, is_order };
        let marked = symbol.marked();
        if !self.used.contains(&symbol) {
            self.used.push(symbol);
        }
        marked
    }

    fn item(&mut self, item: &mut Item) {
        let mut scope = Scope::default();
        match &mut item.kind {
            ItemKind::Formula { formula, proof, .. } => {
                self.closed(formula, &scope);
                *proof = None;
            }
            ItemKind::Macro { params, body, .. } => {
                scope.bind(self.table, params, &[body]);
                self.closed(body, &scope);
            }
            ItemKind::Command(command) => self.command(command, &mut scope),
            ItemKind::While(body) => self.commands(body, &scope),
            _ => {}
        }
    }

    /// Translates a formula with implicit quantifiers.
    fn closed(&mut self, formula: &mut Expr, scope: &Scope) {
        let mut scope = scope.clone();
        let table = self.table;
        let is_known = |name: &str| table.symbols.contains_key(name) || scope.of(&name.into()).is_some();
        let vars = super::exprs::implicit(formula, &is_known);
        scope.bind(table, &vars, &[formula]);
        *formula = self.expr(formula, &scope, None);
    }

    /// Translates an expression, whose sort is known if `expected` is.
    #[inline(never)]
    fn expr(&mut self, expr: &Expr, scope: &Scope, expected: Option<SortName>) -> Expr {
        let span = expr.span();
        match &expr.kind {
            ExprKind::Int(text) => {
                let name = self.symbol(text, expected, false);
                constant(&name, span)
            }
            ExprKind::Ref { name, args: None, .. } if name.name.contains(':') => {
                let (text, sort) = name.name.split_once(':').unwrap_or((&name.name, ""));
                let marked = self.symbol(text, Some(SortName::Named(sort.into())), false);
                constant(&marked, span)
            }
            ExprKind::Ref { name, primes, args: Some(args) } => {
                let sorts = self.table.symbols.get(&name.name).map(|it| it.args.clone()).unwrap_or_default();
                let args = args
                    .iter()
                    .enumerate()
                    .map(|(at, arg)| self.expr(arg, scope, sorts.get(at).map(|sort| sort.name.clone())));
                let args = args.collect();
                apply(&name.name, *primes, args, span)
            }
            ExprKind::Binary { op, sides, .. } if !matches!(op, BinaryOp::Iff | BinaryOp::Implies) => {
                let sort = scope.sort_of(self.table, &sides[0]);
                let sort =
                    sort.or_else(|| scope.sort_of(self.table, &sides[1])).or_else(|| self.only_order());
                let [a, b] = [&sides[0], &sides[1]].map(|side| self.expr(side, scope, sort.clone()));
                let mut less = |a: &Expr, b: &Expr| {
                    let name = self.symbol("<", sort.clone(), true);
                    apply(&name, 0, vec![a.clone(), b.clone()], span)
                };
                match op {
                    BinaryOp::Less => less(&a, &b),
                    BinaryOp::Greater => less(&b, &a),
                    BinaryOp::LessEqual => {
                        let less = less(&a, &b);
                        or(vec![less, binary(BinaryOp::Equal, [a, b], span)], span)
                    }
                    BinaryOp::GreaterEqual => {
                        let less = less(&b, &a);
                        or(vec![less, binary(BinaryOp::Equal, [a, b], span)], span)
                    }
                    op => binary(*op, [a, b], span),
                }
            }
            ExprKind::Quantifier { vars, body, .. } => {
                let mut inner = scope.clone();
                inner.bind(self.table, vars, &[body]);
                Expr::new(expr.map_children(|child| self.expr(child, &inner, None)), span)
            }
            ExprKind::Let { var, parts } => {
                let sort = var.sort.as_ref().map(|sort| sort.name.clone());
                let sort = sort.or_else(|| scope.sort_of(self.table, &parts[0]));
                let mut inner = scope.clone();
                inner.insert(&var.name.name, sort.clone());
                let value = self.expr(&parts[0], scope, sort);
                let body = self.expr(&parts[1], &inner, expected);
                Expr::new(ExprKind::Let { var: var.clone(), parts: Box::new([value, body]) }, span)
            }
            ExprKind::Ite(parts) => {
                let sort = expected.or_else(|| scope.sort_of(self.table, expr));
                let condition = self.expr(&parts[0], scope, None);
                let then = self.expr(&parts[1], scope, sort.clone());
                let otherwise = self.expr(&parts[2], scope, sort);
                Expr::new(ExprKind::Ite(Box::new([condition, then, otherwise])), span)
            }
            _ => Expr::new(expr.map_children(|child| self.expr(child, scope, None)), span),
        }
    }

    /// Returns the sort with an order, if it is the only one so far.
    fn only_order(&self) -> Option<SortName> {
        let sorts: Set<&Name> = self.used.iter().filter(|it| it.is_order).map(|it| &it.sort).collect();
        let mut sorts = sorts.into_iter();
        let only = sorts.next()?;
        if sorts.next().is_some() { None } else { Some(SortName::Named(only.clone())) }
    }

    fn commands(&mut self, commands: &mut [Command], scope: &Scope) {
        let mut scope = scope.clone();
        commands.iter_mut().for_each(|command| self.command(command, &mut scope));
    }

    /// Translates the arguments of an update, and its value or condition.
    fn update(&mut self, target: &Name, args: &mut [Expr], value: Option<&mut Expr>, scope: &Scope) {
        let table = self.table;
        let sorts = table.symbols.get(target);
        let sort_at = |at: usize| sorts.and_then(|it| it.args.get(at)).map(|sort| sort.name.clone());
        let mut inner = scope.clone();
        for (at, arg) in args.iter().enumerate() {
            if let Some(name) = super::exprs::plain(arg)
                && scope.of(name).is_none()
                && !table.symbols.contains_key(name)
            {
                inner.insert(name, sort_at(at));
            }
        }
        for (at, arg) in args.iter_mut().enumerate() {
            *arg = self.expr(arg, &inner, sort_at(at));
        }
        if let Some(value) = value {
            let result = match sorts {
                Some(sorts) => sorts.result.as_ref().map(|sort| sort.name.clone()),
                None => scope.of(target),
            };
            *value = self.expr(value, &inner, result);
        }
    }

    #[inline(never)]
    fn command(&mut self, command: &mut Command, scope: &mut Scope) {
        match &mut command.kind {
            CommandKind::Assume(formula) => self.closed(formula, scope),
            CommandKind::Assert { formula, proof } => {
                self.closed(formula, scope);
                *proof = None;
            }
            CommandKind::Local(vars) => scope.declare(vars),
            CommandKind::Assign { target, args, value } => {
                let args = args.as_deref_mut().unwrap_or_default();
                self.update(&target.name, args, Some(value), scope);
            }
            CommandKind::Update { target, args, condition, .. } => {
                self.update(&target.name, args, condition.as_mut(), scope);
            }
            CommandKind::If { condition, then, otherwise } => {
                condition.iter_mut().for_each(|condition| self.closed(condition, scope));
                self.commands(then, scope);
                self.commands(otherwise, scope);
            }
            CommandKind::Choice(branches) => {
                for branch in branches {
                    let mut scope = scope.clone();
                    scope.declare(&branch.params);
                    self.commands(&mut branch.body, &scope);
                }
            }
            CommandKind::Skip | CommandKind::Abort | CommandKind::Havoc(_) | CommandKind::Broken => {}
        }
    }
}
