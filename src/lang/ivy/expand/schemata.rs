//! Schemata: axioms with parameters. Their instances have types and symbols of the program for the parameters.
//!
//! A parameter that is a constant is a variable of each instance. What an instance says of all values of the constant
//! is what the schema says of all constants.

use std::sync::Arc;

use super::declarations::{is_bool, untyped};
use super::exprs::{binary, equal, mentions, reference};
use super::flat::Flat;
use super::formulas::{Context, Found};
use super::scopes::ScopeId;
use super::state::{Expander, MAX_NODES};
use crate::ivy::ast::{
    DeclKind, Expr, ExprKind, Ident, Meaning, Place, Schema, SortName, SortRef, SortedVar, SymbolDecl,
    Trigger,
};
use crate::program::ast as program;
use crate::program::ast::{BinaryOp, Item, ItemKind, assigned};
use crate::shared::report::suggest;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::InstanceParts;

/// Maximum number of instances of a schema.
const MAX_INSTANCES: usize = 1_000;

/// A type or symbol of the program.
struct Candidate {
    name: Arc<str>,
    args: Vec<SortName>,
    /// `None` for relations.
    result: Option<SortName>,
    is_assigned: bool,
}

/// What there is for parameters to stand for.
struct Candidates {
    sorts: Vec<Arc<str>>,
    symbols: Vec<Candidate>,
}

/// New names of sorts and symbols.
#[derive(Clone, Default)]
struct Names {
    sorts: Map<Arc<str>, Arc<str>>,
    symbols: Map<Arc<str>, Arc<str>>,
}

impl Names {
    fn sort_name(&self, sort: &SortName) -> SortName {
        match sort {
            SortName::Named(name) => {
                SortName::Named(self.sorts.get(name).cloned().unwrap_or_else(|| name.clone()))
            }
            other => other.clone(),
        }
    }

    fn sort(&self, sort: &SortRef) -> SortRef {
        SortRef { name: self.sort_name(&sort.name), place: sort.place }
    }

    fn var(&self, var: &SortedVar) -> SortedVar {
        SortedVar { name: var.name.clone(), sort: var.sort.as_ref().map(|sort| self.sort(sort)) }
    }

    fn name(&self, name: &str) -> Arc<str> {
        let (plain, sort) = name.split_once(':').map_or((name, None), |(plain, sort)| (plain, Some(sort)));
        let plain = self.symbols.get(plain).map_or(plain, |new| &**new);
        match sort {
            Some(sort) => format!("{plain}:{}", self.sorts.get(sort).map_or(sort, |new| &**new)).into(),
            None => plain.into(),
        }
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let mut kind = expr.map_children(|child| self.expr(child));
        match &mut kind {
            ExprKind::Ref { name, .. } => name.name = self.name(&name.name),
            ExprKind::Quantifier { vars, .. } => *vars = vars.iter().map(|var| self.var(var)).collect(),
            ExprKind::Let { var, .. } => **var = self.var(var),
            _ => {}
        }
        Expr::new(kind, expr.span())
    }
}

/// A schema whose names are those of the flat program, but for parameters, which have names of their own.
struct Template<'s> {
    schema: &'s Schema,
    /// The parameters that are types.
    sorts: Vec<Arc<str>>,
    /// The parameters that are functions and relations.
    symbols: Vec<Candidate>,
    /// The variables of each instance. First come those that stand for constants.
    vars: Vec<SortedVar>,
    constants: usize,
    body: Expr,
    triggers: Vec<Vec<Condition>>,
}

/// A part of a trigger.
struct Condition {
    formula: Expr,
    /// The variable that it equates a term with.
    value: Option<Ident>,
}

/// Returns the name that stands for a parameter. It is no name of a declaration.
fn parameter(name: &str) -> Arc<str> {
    format!("@{name}").into()
}

/// Returns whether a parameter is a constant with a value that is not `bool`.
fn is_constant(symbol: &SymbolDecl) -> bool {
    symbol.params.is_empty() && !is_bool(symbol.result.as_ref())
}

fn size(expr: &Expr) -> usize {
    let mut size = 1;
    expr.for_each_child(|child| size += self::size(child));
    size
}

impl<'a> Expander<'a, '_> {
    /// Adds the instances of all schemata to the items of the program, before the first command.
    pub(super) fn schemata(&mut self, flat: &[Flat<'a>], items: &mut Vec<Item>) {
        let is_schema = |flat: &&Flat<'_>| matches!(flat.decl.kind, DeclKind::Schema(_));
        if !flat.iter().any(|it| is_schema(&it)) {
            return;
        }
        let mut candidates = candidates(items);
        // What an isolate does not see may change as well.
        if let Some(cut) = &self.cut {
            for symbol in &mut candidates.symbols {
                symbol.is_assigned |= cut.changing.contains(&symbol.name);
            }
        }
        let mut instances = Vec::new();
        for flat in flat {
            if let DeclKind::Schema(schema) = &flat.decl.kind {
                self.schema(flat.scope, schema, flat.decl.place, &candidates, &mut instances);
            }
        }
        let is_command = |item: &Item| matches!(item.kind, ItemKind::Command(_) | ItemKind::While(_));
        let at = items.iter().position(is_command).unwrap_or(items.len());
        items.splice(at..at, instances);
    }

    fn schema(
        &mut self,
        scope: ScopeId,
        schema: &'a Schema,
        place: Place,
        candidates: &Candidates,
        items: &mut Vec<Item>,
    ) {
        // Where there are errors, hints are of no use, and schemata with errors have been told.
        if schema.meaning == Meaning::Hints && self.report.has_errors() {
            return;
        }
        let errors = self.report.errors();
        let template = self.template(scope, schema, candidates);
        if self.report.errors() > errors || schema.meaning == Meaning::Rules {
            return;
        }
        let mut bindings = Vec::new();
        let room = (MAX_NODES / size(&template.body)).min(MAX_INSTANCES);
        template.bind(candidates, 0, Names::default(), room, &mut bindings);
        let name =
            schema.name.as_ref().map_or_else(|| "without a name".into(), |name| format!("`{}`", name.name));
        if bindings.len() > room {
            self.report.push(
                Diagnostic::error(
                    Code::TooDeep,
                    place.0,
                    format!("the schema {name} has too many instances"),
                )
                .label(format!("more than {room} combinations of types and symbols fit its parameters"))
                .help("give its parameters types of the program"),
            );
            return;
        }
        if bindings.is_empty() && schema.meaning == Meaning::Axioms {
            self.report.push(
                Diagnostic::warning(
                    Code::Unchecked,
                    place.0,
                    format!("nothing follows from the schema {name}"),
                )
                .label("no types and symbols of the program fit its parameters")
                .help(
                    "its functions and relations stand for declared ones with the same number of arguments",
                ),
            );
        }
        for names in bindings {
            if !self.report.spend(1) {
                return;
            }
            match schema.meaning {
                Meaning::Axioms if template.is_immutable(candidates, &names) => {
                    let formula = template.instance(&names, &[]);
                    let (role, name) = (program::Role::Axiom, None);
                    items.push(Item { kind: ItemKind::Formula { role, name, formula, proof: None }, place });
                }
                Meaning::Axioms | Meaning::Rules => {}
                Meaning::Hints => {
                    let none = Vec::new();
                    let all = if template.triggers.is_empty() {
                        std::slice::from_ref(&none)
                    } else {
                        &template.triggers
                    };
                    for trigger in all {
                        let formula = template.instance(&names, trigger);
                        let role = program::Role::Instance(InstanceParts {
                            constants: template.constants,
                            values: trigger.iter().filter(|part| part.value.is_some()).count(),
                            conditions: trigger.len(),
                        });
                        let kind = ItemKind::Formula { role, name: None, formula, proof: None };
                        items.push(Item { kind, place });
                    }
                }
            }
        }
    }

    /// Translates the parts of a schema and checks its parameters and triggers.
    fn template<'s>(&mut self, scope: ScopeId, schema: &'s Schema, candidates: &Candidates) -> Template<'s> {
        let errors = self.report.errors();
        let mut own = Names::default();
        let mut declared: Map<&str, &Ident> = Map::default();
        let idents = schema.sorts.iter().chain(schema.symbols.iter().map(|(_, symbol)| &symbol.name));
        for ident in idents {
            if let Some(first) = declared.insert(&ident.name, ident) {
                self.report.push(
                    Diagnostic::error(
                        Code::Duplicate,
                        ident.span(),
                        format!("the parameter `{}` is declared twice", ident.name),
                    )
                    .label("declared again here")
                    .also(first.span(), "first declared here"),
                );
            }
        }
        for sort in &schema.sorts {
            own.sorts.insert(sort.name.clone(), parameter(&sort.name));
        }
        let mut context = Context::of(scope);
        let mut vars = Vec::new();
        let mut symbols = Vec::new();
        for (_, symbol) in &schema.symbols {
            let sorts = self.parameter_sorts(scope, symbol, &own, candidates);
            let Some((args, result)) = sorts else { continue };
            if is_constant(symbol) {
                let name = self.name_of_constant(&symbol.name, candidates);
                context.locals.push((symbol.name.name.clone(), name.name.clone()));
                vars.push(SortedVar { name, sort: result });
                continue;
            }
            let name = parameter(&symbol.name.name);
            own.symbols.insert(symbol.name.name.clone(), name.clone());
            let args = args.into_iter().map(|sort| sort.name).collect();
            let result = result.map(|sort| sort.name).filter(|sort| *sort != SortName::Bool);
            symbols.push(Candidate { name, args, result, is_assigned: false });
        }
        let constants = vars.len();
        let renamed = own.expr(&schema.formula);
        // Variables of an outermost quantifier count as free ones.
        let (bound, renamed) = match renamed.kind {
            ExprKind::Quantifier { universal: true, vars, body } => (vars, *body),
            _ => (Vec::new(), renamed),
        };
        vars.extend(self.scope_vars(&renamed, &mut context));
        for var in bound {
            context.locals.push((var.name.name.clone(), var.name.name.clone()));
            let sort = var.sort.as_ref().map(|sort| self.scopes.sort(scope, sort));
            vars.push(SortedVar { name: var.name, sort });
        }
        let mut found = Found::default();
        let body = self.expr(&renamed, &mut context, &mut found);
        vars.append(&mut found.free);
        if self.report.errors() == errors && schema.meaning != Meaning::Rules {
            self.unmentioned(schema, &body, &context);
        }
        for var in &vars {
            context.locals.push((var.name.name.clone(), var.name.name.clone()));
        }
        let mut triggers = Vec::new();
        for trigger in &schema.triggers {
            let mut found = Found::default();
            let terms: Vec<Expr> = trigger.terms.iter().map(|term| own.expr(term)).collect();
            let terms: Vec<Expr> =
                terms.iter().map(|term| self.expr(term, &mut context, &mut found)).collect();
            self.uncovered(trigger, &terms, &vars[constants..], &found.free);
            triggers.push(terms.into_iter().map(|term| self.as_condition(term, &symbols)).collect());
        }
        let sorts = schema.sorts.iter().map(|sort| parameter(&sort.name)).collect();
        Template { schema, sorts, symbols, vars, constants, body, triggers }
    }

    /// Returns the name of the variable for a constant. Variables do not have the names of declarations.
    fn name_of_constant(&self, constant: &Ident, candidates: &Candidates) -> Ident {
        let mut name = constant.name.clone();
        while self.globals.contains(&name)
            || self.actions.contains_key(&name)
            || candidates.sorts.contains(&name)
        {
            name = format!("{name}_").into();
        }
        Ident { name, place: constant.place }
    }

    /// Returns the sorts of the arguments and of the value of a parameter, or reports what is wrong with them.
    fn parameter_sorts(
        &mut self,
        scope: ScopeId,
        symbol: &SymbolDecl,
        own: &Names,
        candidates: &Candidates,
    ) -> Option<(Vec<SortRef>, Option<SortRef>)> {
        let mut sorts = Vec::new();
        for param in &symbol.params {
            let Some(sort) = &param.sort else {
                self.report.push(untyped(param));
                return None;
            };
            sorts.push(sort);
        }
        let mut resolve = |sort: &SortRef| {
            let sort = self.scopes.sort(scope, &own.sort(sort));
            if let SortName::Named(name) = &sort.name
                && !own.sorts.values().any(|own| own == name)
                && !candidates.sorts.contains(name)
            {
                let error = Diagnostic::error(
                    Code::Undeclared,
                    sort.place.0,
                    format!("the sort `{name}` is not declared"),
                )
                .label("unknown sort");
                let known = own.sorts.keys().chain(&candidates.sorts).map(|known| &**known);
                self.report.push(match suggest(name, known) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(format!("make it a parameter of the schema: `type {name}`")),
                });
                return None;
            }
            Some(sort)
        };
        let args = sorts.into_iter().map(&mut resolve).collect::<Option<Vec<SortRef>>>()?;
        let result = match &symbol.result {
            Some(sort) => Some(resolve(sort)?),
            None => None,
        };
        Some((args, result))
    }

    /// Reports the parameters that a formula says nothing of.
    fn unmentioned(&mut self, schema: &Schema, body: &Expr, context: &Context) {
        let mut unused = Vec::new();
        for (_, symbol) in &schema.symbols {
            let name = &symbol.name;
            let known = context.local(&name.name).filter(|_| is_constant(symbol));
            if !mentions(body, &known.cloned().unwrap_or_else(|| parameter(&name.name))) {
                unused.push(name);
            }
        }
        for sort in &schema.sorts {
            let is_it = |given: &SortRef| given.name == SortName::Named(sort.name.clone());
            let of_symbol = |symbol: &SymbolDecl| {
                let params = symbol.params.iter().filter_map(|param| param.sort.as_ref());
                params.chain(&symbol.result).any(is_it)
            };
            let is_used = schema.symbols.iter().any(|(_, symbol)| of_symbol(symbol))
                || names_sort(&schema.formula, &sort.name);
            if !is_used {
                unused.push(sort);
            }
        }
        for name in unused {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    name.span(),
                    format!("the formula of the schema does not mention its parameter `{}`", name.name),
                )
                .label("nothing depends on this parameter")
                .help("remove it"),
            );
        }
    }

    /// Reports variables of the formula that a trigger does not mention, and those that only the trigger mentions.
    fn uncovered(&mut self, trigger: &Trigger, terms: &[Expr], vars: &[SortedVar], other: &[SortedVar]) {
        if let Some(var) = other.first() {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    var.name.span(),
                    format!("the formula of the schema does not mention the variable `{}`", var.name.name),
                )
                .label("only the trigger mentions it")
                .help("a trigger consists of terms over variables of the formula"),
            );
        }
        let is_missing = |var: &&SortedVar| !terms.iter().any(|term| mentions(term, &var.name.name));
        if let Some(var) = vars.iter().find(is_missing) {
            self.report.push(
                Diagnostic::error(
                    Code::Program,
                    trigger.place.0,
                    format!("the trigger does not mention the variable `{}`", var.name.name),
                )
                .label("no value of the variable follows from this")
                .also(var.name.span(), "the variable")
                .help("add a term with this variable, after a `,`"),
            );
        }
    }

    /// Returns a part of a trigger as a formula: a term is equated with a variable of its own.
    fn as_condition(&mut self, part: Expr, params: &[Candidate]) -> Condition {
        let is_formula = match &part.kind {
            ExprKind::Ref { name, .. } => match params.iter().find(|param| param.name == name.name) {
                Some(param) => param.result.is_none(),
                None => self.symbols.get(&name.name).is_some_and(|it| is_bool(it.result.as_ref())),
            },
            ExprKind::Int(_) | ExprKind::New(_) | ExprKind::Ite(_) | ExprKind::Let { .. } => false,
            ExprKind::Binary { op, .. } => !op.is_operation(),
            _ => true,
        };
        if is_formula {
            return Condition { formula: part, value: None };
        }
        self.fresh += 1;
        let span = part.span();
        let value = Ident { name: format!("V@{}", self.fresh).into(), place: Place(span) };
        let formula = equal(&part, &reference(value.name.clone(), Vec::new(), span), span);
        Condition { formula, value: Some(value) }
    }
}

/// Returns whether an expression gives a variable or numeral this sort.
fn names_sort(expr: &Expr, sort: &str) -> bool {
    let given = |it: &SortedVar| it.sort.as_ref().is_some_and(|it| it.name == SortName::Named(sort.into()));
    let here = match &expr.kind {
        ExprKind::Ref { name, .. } => name.name.split_once(':').is_some_and(|(_, given)| given == sort),
        ExprKind::Quantifier { vars, .. } => vars.iter().any(given),
        ExprKind::Let { var, .. } => given(var),
        _ => false,
    };
    let mut found = here;
    expr.for_each_child(|child| found = found || names_sort(child, sort));
    found
}

impl Template<'_> {
    /// Lists what parameters from `at` on may stand for, one more than `room` at most.
    fn bind(&self, candidates: &Candidates, at: usize, names: Names, room: usize, found: &mut Vec<Names>) {
        if found.len() > room {
            return;
        }
        if let Some(param) = self.symbols.get(at) {
            for candidate in &candidates.symbols {
                let fits = candidate.args.len() == param.args.len()
                    && candidate.result.is_some() == param.result.is_some();
                if !fits {
                    continue;
                }
                let mut names = names.clone();
                let wanted = param.args.iter().chain(&param.result);
                let given = candidate.args.iter().chain(&candidate.result);
                if wanted.zip(given).all(|(wanted, given)| unify(&self.sorts, wanted, given, &mut names)) {
                    names.symbols.insert(param.name.clone(), candidate.name.clone());
                    self.bind(candidates, at + 1, names, room, found);
                }
            }
            return;
        }
        match self.sorts.iter().find(|&sort| !names.sorts.contains_key(sort)) {
            Some(open) => {
                for sort in &candidates.sorts {
                    let mut names = names.clone();
                    names.sorts.insert(open.clone(), sort.clone());
                    self.bind(candidates, at, names, room, found);
                }
            }
            None => found.push(names),
        }
    }

    /// Returns whether no action changes the symbols that parameters stand for.
    fn is_immutable(&self, candidates: &Candidates, names: &Names) -> bool {
        let used: Set<&Arc<str>> = names.symbols.values().collect();
        !candidates.symbols.iter().any(|it| it.is_assigned && used.contains(&it.name))
    }

    /// Returns an instance, whose first conditions are the parts of a trigger.
    fn instance(&self, names: &Names, trigger: &[Condition]) -> Expr {
        let span = self.schema.formula.span();
        let mut vars: Vec<SortedVar> = self.vars.iter().map(|var| names.var(var)).collect();
        let mut body = names.expr(&self.body);
        for part in trigger.iter().rev() {
            vars.extend(part.value.iter().map(|name| SortedVar { name: name.clone(), sort: None }));
            body = binary(BinaryOp::Implies, &names.expr(&part.formula), &body, span);
        }
        if vars.is_empty() {
            return body;
        }
        Expr::new(ExprKind::Quantifier { universal: true, vars, body: Box::new(body) }, span)
    }
}

/// Returns whether a sort fits that of a parameter, whose types `params` stand for sorts from then on.
fn unify(params: &[Arc<str>], wanted: &SortName, given: &SortName, names: &mut Names) -> bool {
    let SortName::Named(name) = wanted else { return wanted == given };
    if !params.contains(name) {
        return wanted == given;
    }
    let SortName::Named(given) = given else { return false };
    match names.sorts.get(name) {
        Some(known) => known == given,
        None => {
            names.sorts.insert(name.clone(), given.clone());
            true
        }
    }
}

/// Returns the types and symbols of a program.
fn candidates(items: &[Item]) -> Candidates {
    let assigned = assigned(items);
    let mut found = Candidates { sorts: Vec::new(), symbols: Vec::new() };
    for item in items {
        match &item.kind {
            ItemKind::Sort { name, .. } => found.sorts.push(name.name.clone()),
            ItemKind::Symbol(decl) => {
                let args: Vec<SortName> = decl.args.iter().map(|sort| sort.name.clone()).collect();
                let result = decl.result.as_ref().map(|sort| sort.name.clone());
                for name in &decl.names {
                    let is_assigned = assigned.contains(&name.name);
                    let (name, args, result) = (name.name.clone(), args.clone(), result.clone());
                    found.symbols.push(Candidate { name, args, result, is_assigned });
                }
            }
            _ => {}
        }
    }
    found
}
