//! The use of a rule: new names, what it is used with, and schemata of numbers.

use std::sync::Arc;

use super::goal::{Goal, Prover};
use super::matching::Matcher;
use super::rules::{OwnSymbol, Rule};
use super::terms::{BOOL, Failed, Lambda, Op, Read, Sort, Subst, Term, as_name};
use super::typed::shown;
use crate::ivy::ast::{Ident, Interpretation, SortName, SortRef};
use crate::ivy::expand::formulas::is_variable;
use crate::ivy::expand::state::{Expander, Symbol};
use crate::ivy::proof::{Given, Use};
use crate::program::ast::BinaryOp;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// A rule that is being used, whose variables have names that nothing else has.
pub(super) struct Used {
    pub(super) rule: Rule,
    /// The position among the premises of the goal, if it is one of them.
    pub(super) premise: Option<usize>,
    /// By variable, the name by which steps call it.
    vars: Vec<(Arc<str>, Arc<str>)>,
}

/// What a rule is used with.
pub(super) struct With {
    pub(super) matcher: Matcher,
    /// Premises of the rule with what they are.
    pub(super) premises: Vec<(Arc<str>, Rule)>,
    /// Values of other variables.
    pub(super) witness: Vec<(Arc<str>, Term)>,
}

impl Prover<'_, '_, '_> {
    /// Reports what is wrong with a step.
    pub(super) fn fail(&mut self, span: Span, message: String, label: &str, help: &str) -> Failed {
        let error = Diagnostic::error(Code::Program, span, message).label(label);
        self.expander.report.push(if help.is_empty() { error } else { error.help(help) });
        Failed
    }

    /// Returns the rule that a step names. Premises of the goal come first, if `local_first`.
    pub(super) fn used(&mut self, goal: &Goal, used: &Use, local_first: bool) -> Read<Used> {
        let name = &used.name;
        let is_named = |it: &Rule| it.label == name.name && !it.label.is_empty() && !it.is_definition;
        let premise = goal.premises.iter().rposition(is_named);
        let found = match premise.filter(|_| local_first) {
            Some(at) => (goal.premises[at].clone(), Some(at)),
            None => match (self.global_rule(name, goal.context.scope)?, premise) {
                (Some(rule), _) => (rule, None),
                (None, Some(at)) => (goal.premises[at].clone(), Some(at)),
                (None, None) => {
                    let local: Vec<Arc<str>> = goal.premises.iter().map(|it| it.label.clone()).collect();
                    return Err(self.unknown_rule(name, &local));
                }
            },
        };
        let (rule, premise) = found;
        let mut rule = rule;
        self.rename(&mut rule, name, &used.renaming)?;
        self.expander.fresh += 1;
        let stamp = self.expander.fresh;
        let mut subst = Subst::default();
        let mut vars = Vec::new();
        for (user, sort) in std::mem::take(&mut rule.vars) {
            let name: Arc<str> = format!("{user}@{stamp}").into();
            subst.vars.insert(user.clone(), Term::Var(name.clone(), sort.clone()));
            vars.push((name.clone(), user));
            rule.vars.push((name, sort));
        }
        let own = rule.vars.clone();
        let rule = Rule { vars: own, ..Rule { vars: Vec::new(), ..rule }.instance(&subst) };
        Ok(Used { rule, premise, vars })
    }

    /// Gives the variables that are left of a rule the names by which steps call them, as far as nothing else in the goal has them.
    pub(super) fn restored(&self, goal: &Goal, used: &Used, rule: Rule) -> Rule {
        let mut taken: Vec<Arc<str>> = goal.free().into_iter().map(|(name, _)| name).collect();
        let mut free = Vec::new();
        rule.add_free(&mut free);
        taken.extend(free.into_iter().map(|(name, _)| name));
        let mut subst = Subst::default();
        let mut vars = Vec::new();
        for (name, sort) in &rule.vars {
            let user = used.vars.iter().find(|(known, _)| known == name).map_or(name, |(_, user)| user);
            let new = super::terms::fresh(user, |name| taken.iter().any(|known| **known == *name));
            taken.push(new.clone());
            subst.vars.insert(name.clone(), Term::Var(new.clone(), sort.clone()));
            vars.push((new, sort.clone()));
        }
        Rule { vars, ..Rule { vars: Vec::new(), ..rule }.instance(&subst) }
    }

    /// Returns the name by which steps call a variable of a rule.
    pub(super) fn user_name(used: &Used, name: &Arc<str>) -> Arc<str> {
        used.vars
            .iter()
            .find(|(known, _)| known == name)
            .map_or_else(|| name.clone(), |(_, user)| user.clone())
    }

    /// Reads what a rule is used with.
    pub(super) fn with(&mut self, goal: &Goal, used: &Used, given: &[Given]) -> Read<With> {
        let matcher = Matcher::new(&used.rule);
        let mut with = With { matcher, premises: Vec::new(), witness: Vec::new() };
        for given in given {
            self.with_one(goal, used, given, &mut with)?;
        }
        let mut pairs = Vec::new();
        for (label, fact) in &with.premises {
            if let Some(premise) = used.rule.premises.iter().find(|it| it.label == *label)
                && premise.premises.is_empty()
            {
                pairs.push((premise.conclusion.clone(), fact.conclusion.clone()));
            }
        }
        if !with.matcher.all(pairs) {
            let span = given.first().map_or(self.claim.span, |it| it.name.span());
            let message = "a premise of the rule is not what is given for it".to_owned();
            return Err(self.fail(span, message, "does not fit", ""));
        }
        Ok(with)
    }

    fn with_one(&mut self, goal: &Goal, used: &Used, given: &Given, with: &mut With) -> Read<()> {
        let (rule, name) = (&used.rule, &given.name);
        let span = given.value.span();
        let premise = rule.premises.iter().find(|it| !it.label.is_empty() && it.label == name.name);
        if let Some(premise) = premise
            && given.params.is_empty()
            && let Some(fact) = as_name(&given.value)
        {
            let found = goal.premises.iter().rfind(|it| it.label == fact.name).cloned();
            let found = match found {
                Some(found) => found,
                None => match self.global_rule(fact, goal.context.scope)? {
                    Some(found) => found,
                    None => return Err(self.unknown_rule(fact, &[])),
                },
            };
            with.premises.push((premise.label.clone(), found));
            return Ok(());
        }
        if let Some(sort) = rule.sorts.iter().find(|it| it.user == name.name)
            && given.params.is_empty()
            && let Some(of) = as_name(&given.value)
        {
            let given = SortRef { name: SortName::Named(of.name.clone()), place: of.place };
            let found = self.expander.scopes.sort(goal.context.scope, &given);
            let found = super::typed::sort_name(&found);
            if !self.expander.sorts.contains(&found) {
                let message = format!("`{}` is no type", of.name);
                return Err(self.fail(span, message, "stands for a type of the rule", ""));
            }
            return self.matches(with.matcher.sort(&sort.name, &found), span, &name.name);
        }
        if let Some(symbol) = rule.symbols.iter().find(|it| it.user == name.name).cloned() {
            return self.with_symbol(goal, given, &symbol, with);
        }
        let known = goal.free();
        let value = self.expander.read(&[(&given.value, &goal.context, None)], &known)?.remove(0);
        let var = rule.vars.iter().find(|(it, _)| *Self::user_name(used, it) == *name.name).cloned();
        if !given.params.is_empty() {
            let message = format!("`{}` is no symbol of the rule", name.name);
            return Err(self.fail(name.span(), message, "not a name of the rule", ""));
        }
        match var {
            Some((var, sort)) => {
                self.matches(with.matcher.sort(&sort, &value.sort()), span, &name.name)?;
                with.matcher.found.vars.insert(var, value);
            }
            None => with.witness.push((name.name.clone(), value)),
        }
        Ok(())
    }

    fn matches(&mut self, fits: bool, span: Span, name: &str) -> Read<()> {
        if fits {
            return Ok(());
        }
        let message = format!("this does not fit `{name}` of the rule");
        Err(self.fail(span, message, "another type", ""))
    }

    /// Reads what a symbol of a rule stands for.
    fn with_symbol(&mut self, goal: &Goal, given: &Given, symbol: &OwnSymbol, with: &mut With) -> Read<()> {
        let span = given.value.span();
        let mut params: Vec<(Arc<str>, Option<Sort>)> = Vec::new();
        if given.params.is_empty() && !symbol.args.is_empty() {
            let message = format!("`{}` has {} arguments", symbol.user, symbol.args.len());
            return Err(self.fail(span, message, "for which ones?", "write `p(X) = ..`"));
        }
        for param in &given.params {
            let sort = param
                .sort
                .as_ref()
                .map(|sort| super::typed::sort_name(&self.expander.scopes.sort(goal.context.scope, sort)));
            // A type of the rule is found with the value.
            let is_known = |sort: &Sort| self.expander.sorts.contains(sort) || **sort == *BOOL;
            params.push((param.name.name.clone(), sort.filter(is_known)));
        }
        if params.len() != symbol.args.len() {
            let message = format!("`{}` has {} arguments", symbol.user, symbol.args.len());
            return Err(self.fail(given.name.span(), message, "another number of arguments", ""));
        }
        for (at, (name, _)) in params.iter().enumerate() {
            if params[..at].iter().any(|(known, _)| known == name) || !is_variable(name) {
                let message = format!("the arguments of `{}` are different variables", symbol.user);
                return Err(self.fail(given.name.span(), message, "no variables, or the same one twice", ""));
            }
        }
        let mut known: Vec<(Arc<str>, Sort)> = goal.free();
        known.retain(|(name, _)| !params.iter().any(|(param, _)| param == name));
        for ((name, sort), own) in params.iter_mut().zip(&symbol.args) {
            if sort.is_none() {
                let found = with.matcher.found.sorts.get(own).cloned();
                *sort = found.or_else(|| (!with.matcher.is_sort(own)).then(|| own.clone()));
            }
            if let Some(sort) = sort {
                known.push((name.clone(), sort.clone()));
            }
        }
        let body = self.expander.read(&[(&given.value, &goal.context, None)], &known)?.remove(0);
        let free = body.free();
        let mut lambda = Vec::new();
        for ((name, sort), own) in params.into_iter().zip(&symbol.args) {
            let inferred = free.iter().find(|(known, _)| *known == name).map(|(_, sort)| sort.clone());
            let Some(sort) = sort.or(inferred) else {
                // It does not occur in the value, so what it is follows from the rest.
                let message = format!("the type of `{name}` does not follow from this");
                return Err(self.fail(given.name.span(), message, "of which type?", "write `p(X:t) = ..`"));
            };
            self.matches(with.matcher.sort(own, &sort), span, &symbol.user)?;
            lambda.push((name, sort));
        }
        if !with.matcher.sort(&symbol.result, &body.sort()) {
            let message =
                format!("`{}` is of type `{}`, and this is not", symbol.user, shown(&symbol.result));
            return Err(self.fail(span, message, "another type", ""));
        }
        with.matcher.found.symbols.insert(symbol.name.clone(), Lambda { params: lambda, body });
        Ok(())
    }

    /// Gives what a rule binds new names, each with the old one.
    pub(super) fn rename(&mut self, rule: &mut Rule, name: &Ident, renaming: &[(Ident, Ident)]) -> Read<()> {
        for (new, old) in renaming {
            if !rename(rule, &old.name, &new.name) {
                let message = format!("`{}` has no `{}`", name.name, old.name);
                return Err(self.fail(
                    old.span(),
                    message,
                    "nothing to rename",
                    "write `<new/old>`, with names of symbols, variables and premises of the rule",
                ));
            }
        }
        Ok(())
    }
}

/// Gives symbols, variables and premises of a rule another name by which steps call them. Returns whether there are any.
fn rename(rule: &mut Rule, old: &Arc<str>, new: &Arc<str>) -> bool {
    let mut found = false;
    for symbol in rule.symbols.iter_mut().filter(|it| it.user == *old) {
        symbol.user = new.clone();
        found = true;
    }
    for sort in rule.sorts.iter_mut().filter(|it| it.user == *old) {
        sort.user = new.clone();
        found = true;
    }
    if rule.label == *old {
        rule.label = new.clone();
        found = true;
    }
    // The new name is none of a variable around the rule.
    let mut outer = Vec::new();
    rule.add_free(&mut outer);
    if let Some(at) = rule.vars.iter().position(|(name, _)| name == old)
        && !rule.vars.iter().chain(&outer).any(|(name, _)| name == new)
    {
        let (_, sort) = rule.vars[at].clone();
        let subst = Subst::of_var(old.clone(), Term::Var(new.clone(), sort.clone()));
        let mut vars = std::mem::take(&mut rule.vars);
        vars[at] = (new.clone(), sort);
        let label = rule.label.clone();
        *rule = Rule { vars, label, ..rule.instance(&subst) };
        found = true;
    }
    if rename_bound(&mut rule.conclusion, old, new) {
        found = true;
    }
    for premise in &mut rule.premises {
        found |= rename(premise, old, new);
    }
    found
}

/// Gives bound variables of a formula another name, unless it is that of a variable in the body.
fn rename_bound(term: &mut Term, old: &Arc<str>, new: &Arc<str>) -> bool {
    match term {
        Term::Var(..) => false,
        Term::App(_, args, _) | Term::Op(_, args) => {
            let mut found = false;
            for arg in args {
                found |= rename_bound(arg, old, new);
            }
            found
        }
        Term::Bind { var, sort, body, .. } => {
            let mut found = rename_bound(body, old, new);
            if var == old && !body.free().iter().any(|(name, _)| name == new) {
                let subst = Subst::of_var(old.clone(), Term::Var(new.clone(), sort.clone()));
                **body = subst.apply(body);
                *var = new.clone();
                found = true;
            }
            found
        }
    }
}

/// Returns a schema of a type that is interpreted as these numbers: `ind` and `lep`.
pub(super) fn of_numbers(
    schema: &str,
    sort: &Sort,
    meaning: Option<&Interpretation>,
    span: Span,
    expander: &mut Expander<'_, '_>,
) -> Option<Rule> {
    if !matches!(meaning, Some(Interpretation::Integers | Interpretation::Naturals)) {
        return None;
    }
    expander.fresh += 1;
    let stamp = expander.fresh;
    let mut own = |user: &str, args: Vec<Sort>, result: Sort| {
        let symbol = OwnSymbol { user: user.into(), name: format!("{user}@{stamp}").into(), args, result };
        expander.globals.insert(symbol.name.clone());
        symbol
    };
    let zero = Term::App("0".into(), Vec::new(), sort.clone());
    let order = |op, left: &Term, right: &Term| Term::op(Op::Order(op), [left.clone(), right.clone()]);
    let var = |name: &str| Term::Var(name.into(), sort.clone());
    let p = own("p", vec![sort.clone()], BOOL.into());
    let holds = |term: Term| Term::App(p.name.clone(), vec![term], BOOL.into());
    match schema {
        "ind" => {
            let one = Term::App("1".into(), Vec::new(), sort.clone());
            let mut part = |label: &str, name: &str, formula: &dyn Fn(&Term) -> Term| {
                let x = own(name, Vec::new(), sort.clone());
                let x = OwnSymbol { user: "x".into(), ..x };
                let formula = formula(&Term::App(x.name.clone(), Vec::new(), sort.clone()));
                Rule { symbols: vec![x], ..Rule::fact(label.into(), formula) }
            };
            let base = part("base", "x.base", &|x| {
                Term::op(Op::Implies, [order(BinaryOp::LessEqual, x, &zero), holds(x.clone())])
            });
            let step = part("step", "x.step", &|x| {
                let next = Term::op(Op::Number(BinaryOp::Plus), [x.clone(), one.clone()]);
                Term::op(Op::Implies, [holds(x.clone()), holds(next)])
            });
            let vars = vec![("X".into(), sort.clone())];
            let rule = Rule { vars, ..Rule::fact("".into(), holds(var("X"))) };
            declare(expander, &p, span);
            for premise in [&base, &step] {
                premise.symbols.iter().for_each(|symbol| declare(expander, symbol, span));
            }
            Some(Rule { symbols: vec![p], premises: vec![base, step], ..rule })
        }
        "lep" => {
            let n = own("n", Vec::new(), sort.clone());
            let from = Term::App(n.name.clone(), Vec::new(), sort.clone());
            let (least, other) = (var("L"), var("B"));
            let premise =
                Term::op(Op::And, [order(BinaryOp::GreaterEqual, &other, &from), holds(other.clone())]);
            let claim = Term::op(Op::And, [holds(least.clone()), order(BinaryOp::LessEqual, &least, &other)]);
            let all = Term::op(Op::Implies, [premise, claim]).closed(true, [("B".into(), sort.clone())]);
            let body = Term::op(Op::And, [order(BinaryOp::GreaterEqual, &least, &from), all]);
            let conclusion = body.closed(false, [("L".into(), sort.clone())]);
            declare(expander, &p, span);
            declare(expander, &n, span);
            Some(Rule { symbols: vec![n, p], ..Rule::fact("".into(), conclusion) })
        }
        _ => None,
    }
}

fn declare(expander: &mut Expander<'_, '_>, symbol: &OwnSymbol, span: Span) {
    let place = crate::ivy::ast::Place(span);
    let known = Symbol {
        args: symbol.args.iter().map(|sort| super::typed::sort_ref(sort, place)).collect(),
        result: (*symbol.result != *BOOL).then(|| super::typed::sort_ref(&symbol.result, place)),
        source: Some(symbol.user.clone()),
    };
    expander.symbols.insert(symbol.name.clone(), known);
}

/// Returns the name of something that a step gives a value.
pub(super) fn as_variable(given: &Given) -> Option<&Ident> {
    let is_it = given.params.is_empty() && is_variable(&given.name.name);
    is_it.then_some(&given.name)
}
