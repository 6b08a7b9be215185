//! Programs as transition systems whose transitions are formulas over two states.

use super::claims::{AssertionNames, fresh};
use super::execute::{Effect, TooLarge, Value, execute, for_all, variable_of};
use super::exprs::{
    Name, and, apply, binary, constant, constants, free, ident, implies, not, opened, or, plain, quantified,
    rewrite, same, substitute, truth, unsorted,
};
use super::names::{action_name, underscored};
use super::problems::Problems;
use super::table::{Definition, Table};
use crate::fol::ast::{BinaryOp, Expr, ExprKind, Ident, Place, Role, SortedVar, TraceCall, TraceStep};
use crate::program::actions::{Action, Parts};
use crate::program::ast::{self as program, CommandKind, Item, ItemKind, for_each_command};
use crate::pyv::ast::{
    Decl, DeclKind, DefinitionDecl, DefinitionKind, Dialect, Mutability, Program, States, SymbolDecl,
    SymbolForm,
};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{FileId, Span};

/// Translates a program without modules. `taken` are the names that occur in it. `after_changes` tells whether axioms hold
/// after each change as well.
pub(super) fn to_pyv(
    items: &[Item],
    parts: &Parts<'_>,
    taken: &Set<Name>,
    file: FileId,
    after_changes: bool,
    problems: &mut Problems,
) -> Program {
    let mut table = Table::of(items);
    keep_mutable(items, parts, &mut table);
    let axioms = table.axioms_of_states(items);
    let mut translator = Translator {
        table: &table,
        axioms,
        after_changes,
        taken: taken.clone(),
        declared: table.declared(),
        decls: Vec::new(),
        extra_params: Map::default(),
        names: AssertionNames::default(),
        problems,
    };
    translator.program(items, parts);
    let mut decls = std::mem::take(&mut translator.decls);
    let extra_params = translator.extra_params;
    for decl in &mut decls {
        if let DeclKind::Trace { steps, .. } = &mut decl.kind {
            pad(steps, &extra_params);
        }
    }
    Program { decls, file, dialect: Dialect::Newer }
}

/// Adds to the symbols that change those of claims about nothing that changes, as far as axioms do not speak of them:
/// invariants need a mutable symbol.
fn keep_mutable(items: &[Item], parts: &Parts<'_>, table: &mut Table) {
    let mut in_axioms: Set<Name> = Set::default();
    let mut claims: Vec<Expr> = Vec::new();
    for item in items {
        match &item.kind {
            ItemKind::Formula { role: program::Role::Axiom, formula, .. } => {
                in_axioms.extend(table.reads(formula));
            }
            ItemKind::Formula {
                role: program::Role::Conjecture | program::Role::Safety, formula, ..
            } => claims.push(formula.clone()),
            _ => {}
        }
    }
    // What is asserted before the loop is claimed of nothing else.
    let in_actions = parts.actions.iter().flat_map(|it| it.before.iter().chain(it.body).chain(it.after));
    for_each_command(in_actions.chain(parts.last.iter().copied()), |command| match &command.kind {
        CommandKind::Assert { formula, .. } => claims.push(formula.clone()),
        CommandKind::Abort => claims.push(truth(false, command.span())),
        _ => {}
    });
    for claim in &claims {
        if !table.changes(claim) {
            let more: Vec<Name> =
                table.reads(claim).into_iter().filter(|name| !in_axioms.contains(name)).collect();
            table.changed.extend(more);
        }
    }
    if table.changed.is_empty() && !claims.is_empty() {
        table.changed.extend(table.order.iter().find(|name| !in_axioms.contains(*name)).cloned());
    }
}

/// Returns a formula that is false in every state and mentions a symbol that changes, if there is one.
fn never(table: &Table, span: Span) -> Option<Expr> {
    let is_changing = |name: &&Name| table.changed.contains(*name) && !table.copies.contains_key(*name);
    let arity = |name: &&Name| table.symbols.get(*name).map_or(0, |sorts| sorts.args.len());
    let name = table.order.iter().filter(is_changing).min_by_key(arity)?;
    let sorts = table.symbols.get(name);
    let mut vars: Vec<Name> = Vec::new();
    for at in 0..arity(&name) {
        vars.push(variable_of(sorts, at, &|var| vars.contains(var) || table.declared().contains(var)));
    }
    let value = apply(name, 0, constants(&vars, span), span);
    let body = if table.is_formula(name) {
        and(vec![value.clone(), not(value)], span)
    } else {
        binary(BinaryOp::NotEqual, [value.clone(), value], span)
    };
    Some(quantified(false, vars.iter().map(|var| unsorted(var, span)).collect(), body))
}

/// Leaves the parameters open that an action has further in the translation.
fn pad(steps: &mut [TraceStep], extra: &Map<Name, usize>) {
    for step in steps {
        let TraceStep::Calls(calls) = step else { continue };
        for TraceCall { name, args, .. } in calls {
            if let Some(args) = args {
                let count = args.len() + extra.get(&name.name).copied().unwrap_or(0);
                args.resize(count, None);
            }
        }
    }
}

struct Translator<'a> {
    table: &'a Table,
    /// The axioms about what changes.
    axioms: Vec<Expr>,
    /// Whether they hold after each change.
    after_changes: bool,
    taken: Set<Name>,
    /// The names of symbols and definitions.
    declared: Set<Name>,
    decls: Vec<Decl>,
    /// The number of parameters of a transition after those of its action.
    extra_params: Map<Name, usize>,
    names: AssertionNames,
    problems: &'a mut Problems,
}

impl Translator<'_> {
    fn push(&mut self, kind: DeclKind, place: Place) {
        self.decls.push(Decl { kind, place });
    }

    fn program(&mut self, items: &[Item], parts: &Parts<'_>) {
        let mut has_init = parts.init.is_empty() && self.axioms.is_empty();
        for item in items {
            let place = item.place;
            match &item.kind {
                ItemKind::Sort { name, annotations } => {
                    let annotations = annotations.clone();
                    self.push(DeclKind::Sort { name: name.clone(), annotations }, place);
                }
                ItemKind::Symbol(symbol) => self.symbols(symbol, place),
                ItemKind::Formula { role, name, formula, .. } => self.formula(*role, name, formula, item),
                ItemKind::Macro { name, params, body } => {
                    let states = if self.table.changes(body) { None } else { Some(States::Zero) };
                    let definition = DefinitionDecl {
                        kind: DefinitionKind::Definition(states),
                        name: name.clone(),
                        params: params.clone(),
                        modifies: None,
                        body: body.clone(),
                    };
                    self.push(DeclKind::Definition(definition), place);
                }
                ItemKind::Trace { expect_sat, steps } => {
                    let (expect_sat, steps) = (*expect_sat, steps.clone());
                    self.push(DeclKind::Trace { expect_sat, steps }, place);
                }
                ItemKind::Command(_) if !has_init => {
                    has_init = true;
                    self.init(parts, place);
                }
                ItemKind::While(_) => {
                    if !std::mem::replace(&mut has_init, true) {
                        self.init(parts, place);
                    }
                    for action in &parts.actions {
                        self.action(action);
                    }
                }
                _ => {}
            }
        }
        self.last(parts);
    }

    fn symbols(&mut self, symbol: &program::SymbolDecl, place: Place) {
        for name in symbol.names.iter().filter(|name| !self.table.copies.contains_key(&name.name)) {
            let is_mutable = self.table.changed.contains(&name.name);
            let form = match symbol.form {
                program::SymbolForm::Relation => SymbolForm::Relation,
                program::SymbolForm::Function => SymbolForm::Function,
                program::SymbolForm::Variable => SymbolForm::Constant,
            };
            let decl = SymbolDecl {
                mutability: if is_mutable { Mutability::Mutable } else { Mutability::Immutable },
                form,
                name: name.clone(),
                args: symbol.args.clone(),
                result: symbol.result.clone(),
                annotations: symbol.annotations.clone(),
                axiom: None,
            };
            self.push(DeclKind::Symbol(decl), place);
        }
    }

    fn formula(&mut self, role: program::Role, name: &Option<Ident>, formula: &Expr, item: &Item) {
        let changes = self.table.changes(formula);
        let (name, formula) = (name.clone(), formula.clone());
        let kind = match role {
            program::Role::Axiom if changes => {
                // It holds in all states that an execution reaches, since transitions assume it.
                let name = name.or_else(|| Some(ident(&fresh("assumed", &mut self.taken), item.span())));
                DeclKind::Formula { role: Role::Invariant, name, formula, proof: None }
            }
            program::Role::Axiom => DeclKind::Formula { role: Role::Axiom, name, formula, proof: None },
            program::Role::Theorem | program::Role::Instance(_) => {
                let mut formula = formula;
                if changes && !self.axioms.is_empty() {
                    let assumed = and(self.axioms.clone(), formula.span());
                    formula = implies(assumed, self.table.closed(&formula, &[]));
                }
                let states = if changes { None } else { Some(States::Zero) };
                DeclKind::Theorem { states, name, formula }
            }
            program::Role::Conjecture | program::Role::Safety | program::Role::Goal => {
                let Some(formula) = self.about_states(formula) else {
                    self.problems.refuse(
                        item.span(),
                        "a claim about all states speaks of nothing that changes",
                        "the same in all states",
                        "declare it as a `theorem`, or as an `axiom` if it is an assumption",
                    );
                    return;
                };
                let is_safety = role == program::Role::Safety;
                let role = if is_safety { Role::Safety } else { Role::Invariant };
                DeclKind::Formula { role, name, formula, proof: None }
            }
        };
        self.push(kind, item.place);
    }

    fn execute(&mut self, params: &[SortedVar], commands: &[&program::Command]) -> Option<Effect> {
        let axioms = if self.after_changes { &*self.axioms } else { &[] };
        match execute(self.table, axioms, &self.taken, params, commands) {
            Ok(effect) => Some(effect),
            Err(TooLarge(span)) => {
                self.problems.too_large(span);
                None
            }
        }
    }

    /// The initial states are those after the commands before the loop. Symbols for the values before are declared where
    /// they are mentioned.
    fn init(&mut self, parts: &Parts<'_>, place: Place) {
        let Some(mut effect) = self.execute(&[], &parts.init) else { return };
        for (formula, span) in effect.assertions.split_off(0) {
            // It holds in every state in which the execution may begin.
            let formula = for_all(&effect.params, formula);
            let formula = if self.axioms.is_empty() {
                formula
            } else {
                implies(and(self.axioms.clone(), span), formula)
            };
            let states = if self.table.changes(&formula) { None } else { Some(States::Zero) };
            let name = Some(ident(&self.names.next(&mut self.taken), span));
            self.push(DeclKind::Theorem { states, name, formula }, Place(span));
        }
        effect.assumptions.splice(0..0, self.axioms.clone());
        self.expand(&mut effect);
        one_point(&mut effect);
        let before = self.values_before(&effect, place.0);
        let avoid = Set::default();
        let rename = |formula: &Expr| {
            rewrite(formula, &avoid, &mut |leaf| match before.get(&leaf.name.name) {
                Some(name) => apply(name, 0, leaf.args.unwrap_or_default(), leaf.span),
                None => leaf.unchanged(),
            })
        };
        let mut formulas: Vec<Expr> = effect.assumptions.iter().map(&rename).collect();
        for (name, value) in &effect.updates {
            let value = Value { heads: value.heads.clone(), body: rename(&value.body) };
            formulas.push(self.definition(name, 0, &value));
        }
        let is_open = |formula: &Expr| {
            let free = free(formula);
            effect.params.iter().any(|param| free.contains(&param.name.name))
        };
        let (open, closed): (Vec<Expr>, Vec<Expr>) = formulas.into_iter().partition(is_open);
        let mut all = closed;
        if !open.is_empty() {
            let span = place.0;
            all.push(quantified(false, effect.params.clone(), and(open, span)));
        }
        for formula in all {
            let formula = self.opened(formula);
            let place = Place(formula.span());
            self.push(DeclKind::Formula { role: Role::Init, name: None, formula, proof: None }, place);
        }
    }

    /// Expands definitions that read what the effect changes: they are about the state after in what is written.
    fn expand(&self, effect: &mut Effect) {
        let changed: Set<Name> = effect.updates.iter().map(|(name, _)| name.clone()).collect();
        let values = effect.updates.iter_mut().map(|(_, value)| &mut value.body);
        for formula in effect.assumptions.iter_mut().chain(values) {
            *formula = self.expanded(formula, &changed);
        }
    }

    fn expanded(&self, formula: &Expr, changed: &Set<Name>) -> Expr {
        rewrite(formula, &Set::default(), &mut |leaf| match self.table.definitions.get(&leaf.name.name) {
            Some(Definition { params, body })
                if self.table.reads(body).iter().any(|name| changed.contains(name)) =>
            {
                let params = params.iter().map(|param| param.name.name.clone());
                let map = params.zip(leaf.args.unwrap_or_default()).collect();
                substitute(&self.expanded(body, changed), &map)
            }
            _ => leaf.unchanged(),
        })
    }

    /// Declares a symbol for the value before of each changed symbol that an effect reads. Returns their names.
    fn values_before(&mut self, effect: &Effect, span: Span) -> Map<Name, Name> {
        let mut read: Set<Name> = Set::default();
        for formula in effect.assumptions.iter().chain(effect.updates.iter().map(|(_, value)| &value.body)) {
            read.extend(free(formula));
        }
        let mut before = Map::default();
        let changed = effect.updates.iter().map(|(name, _)| name);
        for name in changed.filter(|name| read.contains(*name)) {
            let Some(sorts) = self.table.symbols.get(name) else { continue };
            let new = underscored(&format!("{name}_before"), |name| self.taken.contains(name));
            self.taken.insert(new.clone());
            let form = match (&sorts.result, sorts.args.is_empty()) {
                (None, _) => SymbolForm::Relation,
                (Some(_), true) => SymbolForm::Constant,
                (Some(_), false) => SymbolForm::Function,
            };
            let decl = SymbolDecl {
                mutability: Mutability::Immutable,
                form,
                name: ident(&new, span),
                args: sorts.args.clone(),
                result: sorts.result.clone(),
                annotations: Vec::new(),
                axiom: None,
            };
            self.push(DeclKind::Symbol(decl), Place(span));
            before.insert(name.clone(), new);
        }
        before
    }

    /// Returns `forall heads. symbol(heads) <-> value`, with the symbol read after `primes` transitions.
    fn definition(&self, name: &Name, primes: u32, value: &Value) -> Expr {
        let span = value.body.span();
        let symbol = apply(name, primes, value.args(), span);
        let equation = same(symbol, value.body.clone(), self.table.is_formula(name));
        quantified(true, value.heads.iter().map(|head| unsorted(head, span)).collect(), equation)
    }

    /// Leaves out the outermost quantifier where it is implicit.
    fn opened(&self, formula: Expr) -> Expr {
        opened(formula, &|name| self.table.symbols.contains_key(name))
    }

    fn action(&mut self, action: &Action<'_>) {
        let commands: Vec<&program::Command> =
            action.before.iter().chain(action.body).chain(action.after).collect();
        let Some(effect) = self.execute(action.params, &commands) else { return };
        let place = Place(action.span);
        for (formula, span) in &effect.assertions {
            self.assertion(&effect.params, formula, *span);
        }
        let extra = effect.params.len() - action.params.len().min(effect.params.len());
        let name = action_name(action, &self.declared);
        self.extra_params.insert(name.name.clone(), extra);
        let mut body = effect.assumptions;
        body.extend(effect.updates.iter().map(|(name, value)| self.definition(name, 1, value)));
        let body = and(body, action.span);
        // `modifies` lists symbols that the formula reads in the new state. One that is false reads none.
        let is_false = matches!(body.kind, ExprKind::Bool(false));
        let changed = effect.updates.iter().filter(|_| !is_false);
        let modifies: Vec<Ident> = changed.map(|(name, value)| ident(name, value.body.span())).collect();
        let definition = DefinitionDecl {
            kind: DefinitionKind::Transition,
            name,
            params: effect.params,
            modifies: if modifies.is_empty() { None } else { Some(modifies) },
            body,
        };
        self.push(DeclKind::Definition(definition), place);
    }

    /// What an action or the end of the program asserts is a safety property of the states in which it begins.
    fn assertion(&mut self, params: &[SortedVar], formula: &Expr, span: Span) {
        let closed = for_all(params, formula.clone());
        if !self.names.is_new(&closed, span) {
            return;
        }
        let Some(formula) = self.about_states(closed) else {
            self.problems.refuse(
                span,
                "an assertion of a model in which nothing changes cannot be translated",
                "the same in all states",
                "assert it before the loop",
            );
            return;
        };
        let name = Some(ident(&self.names.next(&mut self.taken), span));
        let formula = self.opened(formula);
        self.push(DeclKind::Formula { role: Role::Safety, name, formula, proof: None }, Place(span));
    }

    /// Returns a claim that mentions something that changes, as those of `.pyv` do, if anything changes.
    fn about_states(&self, formula: Expr) -> Option<Expr> {
        if self.table.changes(&formula) {
            return Some(formula);
        }
        let span = formula.span();
        let never = never(self.table, span)?;
        let claim = or(vec![self.table.closed(&formula, &[]), never.clone()], span);
        Some(if claim == truth(true, span) { not(never) } else { claim })
    }

    /// What is changed after the loop is read by assertions alone.
    fn last(&mut self, parts: &Parts<'_>) {
        let Some(effect) = self.execute(&[], &parts.last) else { return };
        for (formula, span) in &effect.assertions {
            self.assertion(&effect.params, formula, *span);
        }
    }
}

/// Replaces a parameter that is the new value of a constant by that constant.
fn one_point(effect: &mut Effect) {
    let constants: Vec<(Name, Name, Span)> = effect
        .updates
        .iter()
        .filter(|(_, value)| value.heads.is_empty())
        .filter_map(|(name, value)| Some((name.clone(), plain(&value.body)?.clone(), value.body.span())))
        .filter(|(_, value, _)| effect.params.iter().any(|param| param.name.name == *value))
        .collect();
    let mut known: Map<Name, Expr> = Map::default();
    let mut dropped: Set<Name> = Set::default();
    for (name, value, span) in constants {
        let mentioned = |formula: &Expr| free(formula).contains(&name);
        // The name stands for the value after, so nothing may read the one before.
        let reads_before = effect.assumptions.iter().any(&mentioned)
            || effect.updates.iter().any(|(_, value)| mentioned(&value.body));
        if !reads_before && !known.contains_key(&value) {
            known.insert(value, constant(&name, span));
            dropped.insert(name);
        }
    }
    effect.updates.retain(|(name, _)| !dropped.contains(name));
    for formula in
        effect.assumptions.iter_mut().chain(effect.updates.iter_mut().map(|(_, value)| &mut value.body))
    {
        *formula = substitute(formula, &known);
    }
    effect.params.retain(|param| !known.contains_key(&param.name.name));
}
