//! Orders and numerals that every type of `.ivy` has, as declared symbols.

use super::exprs::{Name, apply, binary, constant, ident, or};
use super::infer::Scope;
use super::items::Change as _;
use super::names::{NewNames, underscored};
use super::table::Table;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, SortName, SortRef, SortedVar};
use crate::program::ast::{Branch, Command, CommandKind, Item, ItemKind, SymbolDecl, SymbolForm};
use crate::program::interpreted::{has_interpreted, with_axioms};
use ramsey_core::base::hash::Set;

/// Replaces orders and numerals by symbols, which are declared after their sorts.
pub(super) fn with_symbols(items: &[Item]) -> Vec<Item> {
    let items: Vec<Item> =
        items.iter().filter(|item| !matches!(item.kind, ItemKind::Unused(_))).cloned().collect();
    let items = if has_interpreted(&items) {
        let table = Table::of(&items);
        let mut pass = Pass { table: &table, used: Vec::new() };
        items.iter().for_each(|item| drop(pass.item(item)));
        let of_sort = |sort: &str| {
            let symbols = pass.used.iter().filter(|symbol| *symbol.sort == *sort);
            let mut found: Vec<Name> = symbols.map(|symbol| symbol.text.clone()).collect();
            found.sort_unstable();
            found
        };
        with_axioms(&items, of_sort)
    } else {
        items
    };
    let items = items.as_slice();
    let table = Table::of(items);
    let mut pass = Pass { table: &table, used: Vec::new() };
    let translated: Vec<Item> = items.iter().map(|item| pass.item(item)).collect();
    let used = pass.used;
    let names = Names::of(&used, items);
    let mut result = Vec::new();
    for item in translated {
        let sort = match &item.kind {
            ItemKind::Sort { name, .. } => Some(name.name.clone()),
            _ => None,
        };
        let place = item.place;
        result.push(names.apply(item));
        for symbol in used.iter().filter(|symbol| Some(&symbol.sort) == sort.as_ref()) {
            let of_sort = SortRef { name: SortName::Named(symbol.sort.clone()), place };
            let decl = SymbolDecl {
                form: if symbol.is_order { SymbolForm::Relation } else { SymbolForm::Variable },
                names: vec![ident(&names.of_symbol(symbol), place.0)],
                args: if symbol.is_order { vec![of_sort.clone(), of_sort.clone()] } else { Vec::new() },
                result: if symbol.is_order { None } else { Some(of_sort) },
                annotations: Vec::new(),
                is_chosen: false,
            };
            result.push(Item { kind: ItemKind::Symbol(decl), place });
        }
    }
    result
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

/// The names of orders and numerals.
struct Names {
    names: Vec<(Name, Name)>,
}

impl Names {
    fn of(used: &[Symbol], items: &[Item]) -> Names {
        let mut taken = super::names::all_names(items);
        let mut names = Vec::new();
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
            names.push((symbol.marked(), name));
        }
        Names { names }
    }

    fn new_name(&self, name: &Name) -> Name {
        self.names.iter().find(|(marked, _)| marked == name).map_or(name, |(_, new)| new).clone()
    }

    fn of_symbol(&self, symbol: &Symbol) -> Name {
        self.new_name(&symbol.marked())
    }

    fn apply(&self, item: Item) -> Item {
        let values = self.names.iter().cloned().collect();
        NewNames { values, ..NewNames::default() }.item(&item)
    }
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

    fn item(&mut self, item: &Item) -> Item {
        let scope = Scope::default();
        let kind = match &item.kind {
            ItemKind::Formula { role, name, formula, .. } => ItemKind::Formula {
                role: *role,
                name: name.clone(),
                formula: self.closed(formula, &scope),
                proof: None,
            },
            ItemKind::Macro { name, params, body } => {
                let mut scope = scope;
                scope.bind(self.table, params, &[body]);
                let body = self.closed(body, &scope);
                ItemKind::Macro { name: name.clone(), params: params.clone(), body }
            }
            ItemKind::Command(command) => ItemKind::Command(self.command(command, &mut scope.clone())),
            ItemKind::While(body) => ItemKind::While(self.commands(body, &scope)),
            other => other.clone(),
        };
        Item { kind, place: item.place }
    }

    /// Translates a formula with implicit quantifiers.
    fn closed(&mut self, formula: &Expr, scope: &Scope) -> Expr {
        let mut scope = scope.clone();
        let table = self.table;
        let is_known = |name: &str| table.symbols.contains_key(name) || scope.of(&name.into()).is_some();
        let vars = super::exprs::implicit(formula, &is_known);
        scope.bind(table, &vars, &[formula]);
        self.expr(formula, &scope, None)
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

    fn commands(&mut self, commands: &[Command], scope: &Scope) -> Vec<Command> {
        let mut scope = scope.clone();
        commands.iter().map(|command| self.command(command, &mut scope)).collect()
    }

    /// Translates the values or the condition of an update, with its arguments.
    fn update(
        &mut self,
        target: &Name,
        args: &[Expr],
        value: Option<&Expr>,
        scope: &Scope,
    ) -> (Vec<Expr>, Option<Expr>) {
        let table = self.table;
        let mut inner = scope.clone();
        let sorts = table.symbols.get(target);
        for (at, arg) in args.iter().enumerate() {
            if let Some(name) = super::exprs::plain(arg)
                && scope.of(name).is_none()
                && !table.symbols.contains_key(name)
            {
                inner.insert(name, sorts.and_then(|it| it.args.get(at)).map(|sort| sort.name.clone()));
            }
        }
        let args = args
            .iter()
            .enumerate()
            .map(|(at, arg)| {
                self.expr(arg, &inner, sorts.and_then(|it| it.args.get(at)).map(|sort| sort.name.clone()))
            })
            .collect();
        let result = match sorts {
            Some(sorts) => sorts.result.as_ref().map(|sort| sort.name.clone()),
            None => scope.of(target),
        };
        let value = value.map(|value| self.expr(value, &inner, result));
        (args, value)
    }

    #[inline(never)]
    fn command(&mut self, command: &Command, scope: &mut Scope) -> Command {
        let kind = match &command.kind {
            CommandKind::Assume(formula) => CommandKind::Assume(self.closed(formula, scope)),
            CommandKind::Assert { formula, .. } => {
                CommandKind::Assert { formula: self.closed(formula, scope), proof: None }
            }
            CommandKind::Local(vars) => {
                declare(vars, scope);
                command.kind.clone()
            }
            CommandKind::Assign { target, args, value } => {
                let given = args.as_deref().unwrap_or_default();
                let (new, value) = self.update(&target.name, given, Some(value), scope);
                let args = args.as_ref().map(|_| new);
                let value = value.unwrap_or_else(|| Expr::new(ExprKind::Bool(true), command.span()));
                CommandKind::Assign { target: target.clone(), args, value }
            }
            CommandKind::Update { target, insert, args, condition } => {
                let (args, condition) = self.update(&target.name, args, condition.as_ref(), scope);
                CommandKind::Update { target: target.clone(), insert: *insert, args, condition }
            }
            CommandKind::If { condition, then, otherwise } => CommandKind::If {
                condition: condition.as_ref().map(|condition| self.closed(condition, scope)),
                then: self.commands(then, scope),
                otherwise: self.commands(otherwise, scope),
            },
            CommandKind::Choice(branches) => {
                let branches = branches.iter().map(|branch| {
                    let mut scope = scope.clone();
                    declare(&branch.params, &mut scope);
                    Branch { body: self.commands(&branch.body, &scope), ..branch.clone() }
                });
                CommandKind::Choice(branches.collect())
            }
            other => other.clone(),
        };
        Command { kind, place: command.place }
    }
}

fn declare(vars: &[SortedVar], scope: &mut Scope) {
    for (at, var) in vars.iter().enumerate() {
        let sort = vars[at..].iter().find_map(|var| var.sort.as_ref());
        scope.insert(&var.name.name, sort.map(|sort| sort.name.clone()));
    }
}
