//! Models whose transitions are formulas, as programs.

use super::actions_of::{Actions, Wild};
use super::claims::fresh;
use super::exprs::{Leaf, Name, and, apply, ident, implies, rewrite, substitute};
use super::infer::with_sorts;
use super::problems::Problems;
use super::table::{Definition, Table};
use super::tidy::add_loop;
use super::updates::definition;
use crate::fol::ast::{Expr, ExprKind, Place, Role, SortName, SortRef, SortedVar, TraceStep};
use crate::program::ast::{self as program, Branch, Command, CommandKind, Item, ItemKind};
use crate::pyv::ast::{
    Decl, DeclKind, DefinitionDecl, DefinitionKind, Mutability, Program, States, SymbolDecl, SymbolForm,
};
use ramsey_core::base::hash::{Map, Set};

/// Translates a model in the newer dialect.
pub(super) fn from_pyv(program: &Program, problems: &mut Problems) -> Vec<Item> {
    let model = Model::of(program);
    let over_two_states = model.two_states.iter().map(|(name, definition)| (name, &definition.body));
    if let Some(body) = model.table.too_high(over_two_states) {
        problems.too_high(body.span());
        return Vec::new();
    }
    let mut items = Vec::new();
    // What stands after the loop is not about initial states.
    let is_before = |decl: &Decl| {
        is_transition(decl)
            || matches!(&decl.kind, DeclKind::Formula { role: Role::Init, .. } | DeclKind::Symbol(_))
    };
    let has_transitions = program.decls.iter().any(is_transition);
    let last_transition = program.decls.iter().rposition(is_before).filter(|_| has_transitions);
    let mut wild = Wild::default();
    for (at, decl) in program.decls.iter().enumerate() {
        model.decl(decl, &mut items, problems);
        if Some(at) == last_transition {
            model.transitions(program, decl.place, &mut wild, &mut items);
        }
    }
    add_loop(&mut items);
    let first = items.iter().position(|item| {
        matches!(item.kind, ItemKind::While(_) | ItemKind::Command(_) | ItemKind::Formula { .. })
    });
    let at = first.unwrap_or(items.len());
    items.splice(at..at, wild.declarations(&model.table));
    items
}

fn is_transition(decl: &Decl) -> bool {
    matches!(&decl.kind, DeclKind::Definition(it) if it.kind == DefinitionKind::Transition)
}

/// The declarations of a model.
struct Model<'a> {
    /// Symbols, and what is defined over at most one state.
    table: Table,
    /// Definitions over two states, and transitions.
    two_states: Map<Name, &'a DefinitionDecl>,
    /// Derived relations that no definition gives, with their axioms.
    derived: Vec<(Name, Expr)>,
    /// The safety properties, closed.
    safety: Vec<Expr>,
    /// Names of formulas about initial states.
    inits: Set<Name>,
    /// All names.
    taken: Set<Name>,
}

impl<'a> Model<'a> {
    fn of(program: &'a Program) -> Model<'a> {
        let mut table = Table::of(&[]);
        let mut two_states = Map::default();
        for decl in &program.decls {
            if let DeclKind::Symbol(symbol) = &decl.kind {
                table.declare(&symbol.name.name, &symbol.args, symbol.result.as_ref());
                if symbol.mutability != Mutability::Immutable {
                    table.changed.insert(symbol.name.name.clone());
                }
            }
        }
        let mut derived = Vec::new();
        for decl in &program.decls {
            match &decl.kind {
                DeclKind::Symbol(symbol) => {
                    let Some(axiom) = &symbol.axiom else { continue };
                    let axiom = table.closed(axiom, &[]);
                    match defined(&table, symbol, &axiom) {
                        Some(definition) => {
                            table.changed.remove(&symbol.name.name);
                            table.define(&symbol.name.name, definition);
                        }
                        None => derived.push((symbol.name.name.clone(), axiom)),
                    }
                }
                DeclKind::Formula { name: Some(name), formula, .. }
                | DeclKind::Theorem { name: Some(name), formula, .. } => {
                    let body = table.closed(formula, &[]);
                    table.define(&name.name, Definition { params: Vec::new(), body });
                }
                DeclKind::Definition(definition) => {
                    if states(definition) == 2 {
                        two_states.insert(definition.name.name.clone(), definition);
                    } else {
                        let body = table.closed(&definition.body, &definition.params);
                        let params = definition.params.clone();
                        table.define(&definition.name.name, Definition { params, body });
                    }
                }
                _ => {}
            }
        }
        let safety = program.decls.iter().filter_map(|decl| match &decl.kind {
            DeclKind::Formula { role: Role::Safety, name, formula, .. } => Some(match name {
                Some(name) => apply(&name.name, 0, Vec::new(), formula.span()),
                None => table.closed(formula, &[]),
            }),
            _ => None,
        });
        let safety = safety.collect();
        let inits = program.decls.iter().filter_map(|decl| match &decl.kind {
            DeclKind::Formula { role: Role::Init, name: Some(name), .. } => Some(name.name.clone()),
            _ => None,
        });
        let inits = inits.collect();
        let mut model = Model { table, two_states, derived, safety, inits, taken: Set::default() };
        let mut all = Vec::new();
        for decl in &program.decls {
            model.decl(decl, &mut all, &mut Problems::default());
        }
        model.taken = super::names::all_names(&all);
        for definition in model.two_states.values() {
            model.taken.insert(definition.name.name.clone());
            model.taken.extend(definition.params.iter().map(|param| param.name.name.clone()));
            model.taken.extend(super::exprs::free(&definition.body));
        }
        model
    }

    fn decl(&self, decl: &Decl, items: &mut Vec<Item>, problems: &mut Problems) {
        let kind = match &decl.kind {
            DeclKind::Sort { name, annotations } => {
                ItemKind::Sort { name: name.clone(), annotations: annotations.clone() }
            }
            DeclKind::Symbol(symbol) => match self.table.definitions.get(&symbol.name.name) {
                Some(Definition { params, body }) => ItemKind::Macro {
                    name: symbol.name.clone(),
                    params: params.clone(),
                    body: self.formula(body),
                },
                None => ItemKind::Symbol(program::SymbolDecl {
                    form: match symbol.form {
                        SymbolForm::Relation => program::SymbolForm::Relation,
                        SymbolForm::Function => program::SymbolForm::Function,
                        SymbolForm::Constant => program::SymbolForm::Variable,
                    },
                    names: vec![symbol.name.clone()],
                    args: symbol.args.clone(),
                    result: symbol.result.clone(),
                    annotations: symbol.annotations.clone(),
                    source: None,
                    is_chosen: false,
                    is_recursive: false,
                    unchecked: None,
                }),
            },
            DeclKind::Formula { role: Role::Init, formula, .. } => {
                let formula = self.formula(formula);
                ItemKind::Command(Command { kind: CommandKind::Assume(formula), place: decl.place })
            }
            DeclKind::Formula { role, name, formula, proof } => ItemKind::Formula {
                role: match role {
                    Role::Axiom => program::Role::Axiom,
                    Role::Safety => program::Role::Safety,
                    Role::Invariant | Role::Goal | Role::Init => program::Role::Conjecture,
                },
                name: name.clone(),
                formula: self.formula(formula),
                proof: proof.clone(),
            },
            DeclKind::Theorem { states: Some(States::Two), .. } => {
                problems.leave_out(
                    decl.span(),
                    "programs have no theorems about two states, so this one is left out",
                    "`ramsey verify` shows it in this file",
                );
                return;
            }
            DeclKind::Theorem { states, name, formula } => ItemKind::Formula {
                role: program::Role::Theorem,
                name: name.clone(),
                formula: match states {
                    Some(States::Zero) => self.formula(formula),
                    _ => self.of_states(formula),
                },
                proof: None,
            },
            DeclKind::Definition(definition) if states(definition) < 2 => ItemKind::Macro {
                name: definition.name.clone(),
                params: definition.params.clone(),
                body: self.formula(&definition.body),
            },
            DeclKind::Trace { expect_sat, steps } => {
                let steps = steps.iter().map(|step| match step {
                    TraceStep::Assert(formula) => TraceStep::Assert(self.formula(formula)),
                    other => other.clone(),
                });
                ItemKind::Trace { expect_sat: *expect_sat, steps: steps.collect() }
            }
            DeclKind::Fbii(_) => {
                problems.leave_out(
                    decl.span(),
                    "programs have no proofs by forward and backward induction, so this one is left out",
                    "`ramsey verify` checks it in this file",
                );
                return;
            }
            DeclKind::Definition(_) | DeclKind::Broken(_) => return,
        };
        items.push(Item { kind, place: decl.place });
        if let DeclKind::Symbol(symbol) = &decl.kind
            && let Some((_, axiom)) = self.derived.iter().find(|(name, _)| *name == symbol.name.name)
        {
            // It holds in all states that an execution reaches, since actions assume it.
            let assume = CommandKind::Assume(axiom.clone());
            let command = ItemKind::Command(Command { kind: assume, place: decl.place });
            items.push(Item { kind: command, place: decl.place });
            let role = program::Role::Conjecture;
            let name = fresh(&format!("{}_is_derived", symbol.name.name), &mut self.taken.clone());
            let name = Some(ident(&name, decl.span()));
            let kind = ItemKind::Formula { role, name, formula: axiom.clone(), proof: None };
            items.push(Item { kind, place: decl.place });
        }
    }

    /// Returns that a formula is true of states as they can be, with what is said of derived relations.
    fn of_states(&self, formula: &Expr) -> Expr {
        if self.derived.is_empty() {
            return self.formula(formula);
        }
        let axioms = self.derived.iter().map(|(_, axiom)| self.formula(axiom)).collect();
        implies(and(axioms, formula.span()), self.formula(formula))
    }

    /// Returns a formula over one state without `safety` and names of formulas about initial states, which programs do not
    /// have.
    fn formula(&self, formula: &Expr) -> Expr {
        let span = formula.span();
        match formula.map_children(|child| self.formula(child)) {
            ExprKind::Safety { .. } => and(self.safety.clone(), span),
            ExprKind::Ref { name, .. } if self.inits.contains(&name.name) => {
                let init = self.table.definitions.get(&name.name);
                init.map_or(formula, |it| &it.body).clone()
            }
            kind => Expr::new(kind, span),
        }
    }

    fn transitions(&self, program: &Program, place: Place, wild: &mut Wild, items: &mut Vec<Item>) {
        let mut branches = Vec::new();
        for decl in &program.decls {
            let DeclKind::Definition(definition) = &decl.kind else { continue };
            if definition.kind != DefinitionKind::Transition {
                continue;
            }
            let body = self.table.closed(&definition.body, &definition.params);
            let mut conjuncts = vec![self.over_states(&body, 0)];
            let mut symbols: Vec<Name> =
                definition.modifies.iter().flatten().map(|name| name.name.clone()).collect();
            for (name, axiom) in &self.derived {
                conjuncts.push(self.over_states(axiom, 1));
                symbols.push(name.clone());
            }
            let span = decl.span();
            // On the left of an assignment parameters and constants are no variables, whose new names are others as well.
            let params = definition.params.iter().map(|param| param.name.name.clone());
            let declared = self.table.symbols.keys().chain(self.table.definitions.keys()).cloned();
            let body = kept(&and(conjuncts, span), &symbols, &params.chain(declared).collect());
            let params = with_sorts(&self.table, &definition.params, &body);
            let mut actions = Actions::new(&self.table, &self.taken, wild);
            let commands = actions.action(&body, &params, symbols, span);
            branches.push(Branch {
                name: Some(definition.name.clone()),
                params,
                body: commands,
                place: decl.place,
            });
        }
        let choice = Command { kind: CommandKind::Choice(branches), place };
        items.push(Item { kind: ItemKind::While(vec![choice]), place });
    }

    /// Returns a formula in which each symbol has as many primes as states lie before the one that it is read in, and
    /// definitions without primes alone are left.
    fn over_states(&self, expr: &Expr, by: u32) -> Expr {
        let span = expr.span();
        match &expr.kind {
            ExprKind::New(inner) => self.over_states(inner, by + 1),
            ExprKind::Safety { primes } => self.over_states(&and(self.safety.clone(), span), by + primes),
            ExprKind::Ref { name, primes, args } => {
                let given: Vec<Expr> = args.iter().flatten().map(|arg| self.over_states(arg, by)).collect();
                let total = primes + by;
                let name = &name.name;
                let (params, body) = if let Some(definition) = self.two_states.get(name) {
                    (&definition.params, self.table.closed(&definition.body, &definition.params))
                } else if let Some(definition) = self.table.definitions.get(name) {
                    let changes = self.table.changes(&definition.body);
                    // Names of formulas about initial states are none of programs.
                    if (total == 0 || !changes) && !self.inits.contains(name) {
                        let args = args.as_ref().map(|_| given);
                        return Expr::new(ExprKind::Ref { name: ident(name, span), primes: 0, args }, span);
                    }
                    (&definition.params, definition.body.clone())
                } else {
                    let total = if self.table.changed.contains(name) { total } else { 0 };
                    let args = args.as_ref().map(|_| given);
                    return Expr::new(ExprKind::Ref { name: ident(name, span), primes: total, args }, span);
                };
                let body = self.over_states(&body, total);
                let map = params.iter().map(|param| param.name.name.clone()).zip(given).collect();
                substitute(&body, &map)
            }
            _ => Expr::new(expr.map_children(|child| self.over_states(child, by)), expr.span()),
        }
    }
}

/// Returns a formula over two states of which only `symbols` differ. Definitions that it uses may read others in the new
/// state. No bound variable has a name in `avoid`.
fn kept(formula: &Expr, symbols: &[Name], avoid: &Set<Name>) -> Expr {
    rewrite(formula, avoid, &mut |leaf| match symbols.contains(&leaf.name.name) {
        true => leaf.unchanged(),
        false => Leaf { primes: 0, ..leaf }.unchanged(),
    })
}

/// Returns the number of states of a definition.
fn states(definition: &DefinitionDecl) -> u16 {
    match definition.kind {
        DefinitionKind::Transition => 2,
        DefinitionKind::Definition(states) => states.map_or(1, States::count),
    }
}

/// Returns the definition of a derived relation if its axiom is one.
fn defined(table: &Table, symbol: &SymbolDecl, axiom: &Expr) -> Option<Definition> {
    let (name, value) = definition(table, axiom, 0)?;
    if name != symbol.name.name || table.reads(&value.body).contains(&name) {
        return None;
    }
    let params = value.heads.iter().zip(&symbol.args);
    let params = params
        .map(|(head, sort)| SortedVar { name: ident(head, axiom.span()), sort: Some(sort.clone()) })
        .collect();
    Some(Definition { params, body: value.body })
}

impl Wild {
    /// Returns the declarations of symbols for arbitrary values.
    fn declarations(&self, table: &Table) -> Vec<Item> {
        let mut items = Vec::new();
        for (symbol, choice) in &self.known {
            let Some(sorts) = table.symbols.get(symbol) else { continue };
            let place = choice.place;
            let sort = SortRef { name: SortName::Named(choice.sort.clone()), place };
            let kind = ItemKind::Sort { name: ident(&choice.sort, place.0), annotations: Vec::new() };
            items.push(Item { kind, place });
            let mut args = vec![sort];
            args.extend(sorts.args.iter().cloned());
            let is_relation = sorts.is_formula();
            let decl = program::SymbolDecl {
                form: if is_relation { program::SymbolForm::Relation } else { program::SymbolForm::Function },
                names: vec![ident(&choice.symbol, place.0)],
                args,
                result: if is_relation { None } else { sorts.result.clone() },
                annotations: Vec::new(),
                source: None,
                is_chosen: false,
                is_recursive: false,
                unchecked: None,
            };
            items.push(Item { kind: ItemKind::Symbol(decl), place });
        }
        items
    }
}
