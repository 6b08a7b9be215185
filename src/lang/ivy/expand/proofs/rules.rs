//! Rules of proofs: what follows from premises, for all types, symbols and variables that the rule binds.

use std::sync::Arc;

use super::terms::{BOOL, Failed, Lambda, Op, Read, Sort, Subst, Term, fresh};
use super::typed::{Vars, sort_name};
use crate::ivy::ast::{
    DeclKind, Expr, ExprKind, Ident, Place, Premise, Schema, SortName, SortRef, SymbolDecl, Theorem,
};
use crate::ivy::expand::formulas::{Context, Found};
use crate::ivy::expand::scopes::ScopeId;
use crate::ivy::expand::state::{Expander, Symbol};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;

/// A type that a rule binds.
#[derive(Clone, Debug)]
pub(super) struct OwnSort {
    /// The name by which steps call it.
    pub(super) user: Arc<str>,
    /// Its name in terms, which nothing else has.
    pub(super) name: Sort,
}

/// A symbol that a rule binds.
#[derive(Clone, Debug)]
pub(super) struct OwnSymbol {
    /// The name by which steps call it.
    pub(super) user: Arc<str>,
    /// Its name in terms, which nothing else has.
    pub(super) name: Arc<str>,
    pub(super) args: Vec<Sort>,
    pub(super) result: Sort,
}

/// A rule. A formula is one without premises.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The name by which steps call it; empty if it has none.
    pub(super) label: Arc<str>,
    pub(super) sorts: Vec<OwnSort>,
    pub(super) symbols: Vec<OwnSymbol>,
    /// The free variables that it binds. Others are those of what is around it.
    pub(super) vars: Vec<(Arc<str>, Sort)>,
    pub(super) premises: Vec<Rule>,
    pub(super) conclusion: Term,
    /// Whether it holds whatever the goal is that it is a premise of.
    pub(super) holds: bool,
    /// Whether it says what a symbol is defined as. Its name is that of the symbol, and as a premise it has none that others use.
    pub(super) is_definition: bool,
}

impl Rule {
    /// Returns a formula as a rule that binds nothing.
    pub(super) fn fact(label: Arc<str>, conclusion: Term) -> Rule {
        Rule {
            label,
            sorts: Vec::new(),
            symbols: Vec::new(),
            vars: Vec::new(),
            premises: Vec::new(),
            conclusion,
            holds: false,
            is_definition: false,
        }
    }

    /// Returns whether it is a formula, maybe with variables.
    pub(super) fn is_formula(&self) -> bool {
        self.premises.is_empty() && self.sorts.is_empty() && self.symbols.is_empty()
    }

    /// Adds the free variables of the formulas in it that it does not bind.
    pub(super) fn add_free(&self, found: &mut Vec<(Arc<str>, Sort)>) {
        let mut own = Vec::new();
        self.premises.iter().for_each(|premise| premise.add_free(&mut own));
        self.conclusion.add_free(&mut own);
        own.retain(|(name, _)| !self.vars.iter().any(|(known, _)| known == name));
        for var in own {
            if !found.iter().any(|(known, _)| *known == var.0) {
                found.push(var);
            }
        }
    }

    /// Binds all of its free variables.
    pub(super) fn generalized(mut self) -> Rule {
        let mut free = Vec::new();
        self.add_free(&mut free);
        self.vars.extend(free);
        self
    }

    /// Adds the symbols of its formulas.
    pub(super) fn add_symbols(&self, found: &mut Set<Arc<str>>) {
        self.premises.iter().for_each(|premise| premise.add_symbols(found));
        self.conclusion.add_symbols(found);
    }

    /// Adds the equality and the order of each type whose variables are sides of these in its formulas.
    pub(super) fn add_equated(&self, found: &mut Set<Arc<str>>) {
        self.premises.iter().for_each(|premise| premise.add_equated(found));
        self.conclusion.add_equated(found);
    }

    /// Returns the number of nodes, and the height of the highest formula.
    pub(super) fn size(&self) -> (usize, u32) {
        self.premises
            .iter()
            .map(Rule::size)
            .fold(self.conclusion.size(), |(nodes, height), (more, other)| (nodes + more, height.max(other)))
    }

    /// Returns whether the rule with what is substituted is not too large.
    pub(super) fn fits(&self, subst: &Subst) -> bool {
        subst.fits(&self.conclusion) && self.premises.iter().all(|premise| premise.fits(subst))
    }

    /// Returns the rule with what is substituted, which it no longer binds.
    pub(super) fn instance(&self, subst: &Subst) -> Rule {
        let mut own = subst.clone();
        let mut avoided = subst.avoided();
        // Variables of what is around the rule are not those that it binds.
        let mut outer = Vec::new();
        self.add_free(&mut outer);
        avoided.extend(outer.into_iter().map(|(name, _)| name));
        let mut vars = Vec::new();
        for (name, sort) in &self.vars {
            if subst.vars.contains_key(name) {
                continue;
            }
            let is_taken = |new: &str| {
                avoided.contains(new)
                    || *new != **name && self.vars.iter().any(|(known, _)| **known == *new)
                    || vars.iter().any(|(known, _): &(Arc<str>, Sort)| **known == *new)
            };
            let (new, sort) = (fresh(name, is_taken), subst.sort(sort));
            if new != *name {
                own.vars.insert(name.clone(), Term::Var(new.clone(), sort.clone()));
            }
            vars.push((new, sort));
        }
        let symbols = self.symbols.iter().filter(|it| !subst.symbols.contains_key(&it.name));
        let symbols = symbols.map(|it| OwnSymbol {
            args: it.args.iter().map(|sort| subst.sort(sort)).collect(),
            result: subst.sort(&it.result),
            ..it.clone()
        });
        Rule {
            label: self.label.clone(),
            sorts: self.sorts.iter().filter(|it| !subst.sorts.contains_key(&it.name)).cloned().collect(),
            symbols: symbols.collect(),
            vars,
            premises: self.premises.iter().map(|premise| premise.instance(&own)).collect(),
            conclusion: own.apply(&self.conclusion),
            holds: self.holds,
            is_definition: self.is_definition,
        }
    }

    /// Returns whether two rules are equal up to the names of bound variables. Rules that bind types or symbols are not compared.
    pub(super) fn is_same(&self, other: &Rule) -> bool {
        let binds = |rule: &Rule| !rule.sorts.is_empty() || !rule.symbols.is_empty() || !rule.vars.is_empty();
        !binds(self)
            && !binds(other)
            && self.premises.len() == other.premises.len()
            && self.premises.iter().zip(&other.premises).all(|(left, right)| left.is_same(right))
            && self.conclusion.is_same(&other.conclusion)
    }

    /// Returns what the rule says as a formula; `None` if it is none, because it is about all types, functions or relations.
    pub(super) fn formula(&self) -> Option<Term> {
        let is_element = |it: &OwnSymbol| it.args.is_empty() && *it.result != *BOOL;
        if !self.sorts.is_empty() || !self.symbols.iter().all(is_element) {
            return None;
        }
        let mut formula = self.conclusion.clone();
        for premise in self.premises.iter().rev() {
            formula = Term::op(Op::Implies, [premise.formula()?, formula]);
        }
        let mut subst = Subst::default();
        let mut vars = self.vars.clone();
        for symbol in &self.symbols {
            let mut free = Vec::new();
            self.add_free(&mut free);
            let is_taken = |name: &str| free.iter().chain(&vars).any(|(known, _)| **known == *name);
            let name = fresh(&symbol.user, is_taken);
            let body = Term::Var(name.clone(), symbol.result.clone());
            subst.symbols.insert(symbol.name.clone(), Lambda { params: Vec::new(), body });
            vars.push((name, symbol.result.clone()));
        }
        Some(subst.apply(&formula).closed(true, vars))
    }
}

impl<'a> Expander<'a, '_> {
    /// Translates expressions in a context and reads them, where variables of the same name are the same ones. Those that are
    /// known have these sorts.
    pub(super) fn read(
        &mut self,
        exprs: &[(&Expr, &Context, Option<Sort>)],
        known: &[(Arc<str>, Sort)],
    ) -> Read<Vec<Term>> {
        let errors = self.report.errors();
        let mut found = Found::default();
        // The parameters of objects have the same names in all of them.
        let all = exprs.iter().map(|(expr, ..)| (*expr).clone()).collect();
        let (mut names, mut params) = (Vec::new(), Vec::new());
        if let Some((expr, context, _)) = exprs.first() {
            let all = Expr::new(ExprKind::And(all), expr.span());
            let mut context = (*context).clone();
            let before = context.locals.len();
            params = self.scope_vars(&all, &mut context);
            names = context.locals.split_off(before);
        }
        let mut flat = Vec::new();
        let mut vars =
            Vars { known: known.iter().map(|(name, sort)| (name.clone(), Some(sort.clone()))).collect() };
        for (expr, context, _) in exprs {
            let mut context = (*context).clone();
            context.locals.splice(0..0, names.iter().cloned());
            flat.push(self.expr(expr, &mut context, &mut found));
            for (_, local) in &context.locals {
                let is_symbol =
                    self.symbols.contains_key(local) || self.locals.iter().any(|it| it.name == *local);
                if !is_symbol {
                    vars.add(local, None);
                }
            }
        }
        for var in params.iter().chain(&found.free) {
            vars.add(&var.name.name, var.sort.as_ref().map(sort_name));
        }
        if self.report.errors() > errors {
            return Err(Failed);
        }
        let exprs: Vec<(&Expr, Option<&Sort>)> =
            flat.iter().zip(exprs).map(|(expr, (_, _, sort))| (expr, sort.as_ref())).collect();
        self.typed_all(&exprs, &vars)
    }

    /// Declares types and symbols of a rule in a scope of their own.
    fn own_names(&mut self, scope: ScopeId, sorts: &[Ident], symbols: &[&SymbolDecl], rule: &mut Rule) {
        for sort in sorts {
            self.scopes.declare(scope, &sort.name);
            let name = self.scopes.full(scope, &sort.name);
            self.sorts.insert(name.clone());
            rule.sorts.push(OwnSort { user: sort.name.clone(), name });
        }
        for symbol in symbols {
            self.scopes.declare(scope, &symbol.name.name);
            let args = symbol.params.iter().filter_map(|it| it.sort.as_ref());
            let args: Vec<SortRef> = args.map(|it| self.scopes.sort(scope, it)).collect();
            if args.len() < symbol.params.len()
                && let Some(param) = symbol.params.iter().find(|it| it.sort.is_none())
            {
                self.report.push(crate::ivy::expand::declarations::untyped(param));
            }
            let result = symbol.result.as_ref().map(|it| self.scopes.sort(scope, it));
            self.check_own_sorts(args.iter().chain(&result), rule);
            let user = symbol.name.name.clone();
            let name = self.scopes.full(scope, &user);
            rule.symbols.push(OwnSymbol {
                user: user.clone(),
                name: name.clone(),
                args: args.iter().map(sort_name).collect(),
                result: result.as_ref().map_or_else(|| BOOL.into(), sort_name),
            });
            self.globals.insert(name.clone());
            self.symbols.insert(name, Symbol { args, result, source: Some(user) });
        }
    }

    /// Reports types that nothing declares.
    fn check_own_sorts<'s>(&mut self, sorts: impl Iterator<Item = &'s SortRef>, rule: &Rule) {
        for sort in sorts {
            let SortName::Named(name) = &sort.name else { continue };
            let is_own = rule.sorts.iter().any(|it| it.name == *name);
            if !is_own && !self.sorts.contains(name) {
                self.report.push(
                    ramsey_core::diag::Diagnostic::error(
                        ramsey_core::diag::Code::Undeclared,
                        sort.place.0,
                        format!("the sort `{name}` is not declared"),
                    )
                    .label("unknown sort"),
                );
            }
        }
    }

    /// Reads a theorem or rule, whose free variables it does not bind yet. `scope` is that around it, and `context` gives the names
    /// of what is around it.
    pub(super) fn rule_of(
        &mut self,
        theorem: &Theorem,
        context: &Context,
        known: &[(Arc<str>, Sort)],
    ) -> Read<Rule> {
        let errors = self.report.errors();
        let mut formulas = Vec::new();
        let mut rule = self.skeleton(theorem, context, &mut formulas);
        if self.report.errors() > errors {
            return Err(Failed);
        }
        self.fill(&mut rule, formulas, known)?;
        Ok(rule)
    }

    /// Returns a rule without its formulas, which are added to a list with their contexts.
    fn skeleton<'t>(
        &mut self,
        theorem: &'t Theorem,
        context: &Context,
        formulas: &mut Vec<(&'t Expr, Context)>,
    ) -> Rule {
        self.fresh += 1;
        let name: Arc<str> = format!("{}@{}", theorem.name.name, self.fresh).into();
        let scope = self.scopes.theorem(context.scope, &Ident { name, place: theorem.name.place });
        let mut rule = Rule::fact(theorem.name.name.clone(), Term::op(Op::True, []));
        for decl in &theorem.decls {
            match &decl.kind {
                DeclKind::Type { name, .. } => {
                    self.own_names(scope, std::slice::from_ref(name), &[], &mut rule);
                }
                DeclKind::Symbols { symbols, .. } => {
                    let symbols: Vec<&SymbolDecl> = symbols.iter().collect();
                    self.own_names(scope, &[], &symbols, &mut rule);
                }
                _ => {}
            }
        }
        self.formulas_of_rule(theorem, scope, context, &mut rule, formulas);
        rule
    }

    /// Reads a theorem whose types and symbols are declared in the scope of a context, and so does not bind them.
    pub(super) fn rule_in(&mut self, theorem: &Theorem, context: &Context) -> Read<Rule> {
        let errors = self.report.errors();
        let mut formulas = Vec::new();
        let mut rule = Rule::fact(theorem.name.name.clone(), Term::op(Op::True, []));
        self.formulas_of_rule(theorem, context.scope, context, &mut rule, &mut formulas);
        if self.report.errors() > errors {
            return Err(Failed);
        }
        self.fill(&mut rule, formulas, &[])?;
        Ok(rule)
    }

    /// Adds the premises of a rule, and its formulas to a list with their contexts. `scope` is that of what it declares.
    fn formulas_of_rule<'t>(
        &mut self,
        theorem: &'t Theorem,
        scope: ScopeId,
        context: &Context,
        rule: &mut Rule,
        formulas: &mut Vec<(&'t Expr, Context)>,
    ) {
        // What the rule declares hides what is around it.
        let mut inner = Context { scope, ..context.clone() };
        inner.locals.retain(|(name, _)| !rule.symbols.iter().any(|it| it.user == *name));
        for premise in &theorem.premises {
            match premise {
                Premise::Formula(label, formula) => {
                    let label = label.as_ref().map_or_else(|| "".into(), |label| label.name.clone());
                    rule.premises.push(Rule::fact(label, Term::op(Op::True, [])));
                    formulas.push((formula, inner.clone()));
                }
                Premise::Rule(premise) => {
                    let premise = self.skeleton(premise, &inner, formulas);
                    rule.premises.push(premise);
                }
            }
        }
        formulas.push((&theorem.conclusion, inner));
    }

    /// Reads the formulas of a rule, in which variables of the same name are the same ones.
    fn fill(
        &mut self,
        rule: &mut Rule,
        formulas: Vec<(&Expr, Context)>,
        known: &[(Arc<str>, Sort)],
    ) -> Read<()> {
        let formula: Sort = BOOL.into();
        let exprs: Vec<(&Expr, &Context, Option<Sort>)> =
            formulas.iter().map(|(expr, context)| (*expr, context, Some(formula.clone()))).collect();
        let mut terms = self.read(&exprs, known)?.into_iter();
        put(rule, &mut terms);
        Ok(())
    }

    /// Reads a schema with one formula.
    pub(super) fn rule_of_schema(&mut self, schema: &Schema, scope: ScopeId, span: Span) -> Read<Rule> {
        let errors = self.report.errors();
        self.fresh += 1;
        let label = schema.name.as_ref().map_or_else(|| "".into(), |name| name.name.clone());
        let name = Ident { name: format!("{label}@{}", self.fresh).into(), place: Place(span) };
        let inner = self.scopes.theorem(scope, &name);
        let mut rule = Rule::fact(label, Term::op(Op::True, []));
        let symbols: Vec<&SymbolDecl> = schema.symbols.iter().map(|(_, symbol)| symbol).collect();
        self.own_names(inner, &schema.sorts, &symbols, &mut rule);
        if self.report.errors() > errors {
            return Err(Failed);
        }
        self.fill(&mut rule, vec![(&schema.formula, Context::of(inner))], &[])?;
        Ok(rule)
    }

    /// Reads a formula as a rule.
    pub(super) fn rule_of_formula(
        &mut self,
        label: Arc<str>,
        formula: &Expr,
        context: &Context,
    ) -> Read<Rule> {
        let mut rule = Rule::fact(label, Term::op(Op::True, []));
        self.fill(&mut rule, vec![(formula, context.clone())], &[])?;
        Ok(rule)
    }
}

/// Puts formulas into a rule, in the order in which they were found.
fn put(rule: &mut Rule, formulas: &mut impl Iterator<Item = Term>) {
    rule.premises.iter_mut().for_each(|premise| put(premise, formulas));
    if let Some(formula) = formulas.next() {
        rule.conclusion = formula;
    }
}
