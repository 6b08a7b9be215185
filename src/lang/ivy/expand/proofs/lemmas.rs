//! Steps that show or define something for what follows: `property`, `theorem`, `function`, `let` and `unfold`.

use std::sync::Arc;

use super::goal::{Goal, Prover};
use super::rules::Rule;
use super::terms::{BOOL, Lambda, Op, Read, Sort, Subst, Term};
use super::typed::sort_name;
use super::uses::as_variable;
use crate::fol::statics::names::literal;
use crate::ivy::ast::{Expr, Ident, SortedVar, Theorem};
use crate::ivy::proof::{Given, Step, Unfolded};
use ramsey_core::base::span::Span;

impl Prover<'_, '_, '_> {
    /// Returns the goal with a formula that it may assume, and the goals that are to be shown for that.
    pub(super) fn property(
        &mut self,
        mut goal: Goal,
        label: Option<&Ident>,
        formula: &Expr,
        named: Option<&(Ident, Vec<SortedVar>)>,
        proof: &[Step],
    ) -> Read<(Goal, Vec<Goal>)> {
        let known = goal.free();
        let sort: Sort = BOOL.into();
        let shown = self.expander.read(&[(formula, &goal.context, Some(sort))], &known)?.remove(0);
        let name: Arc<str> = label.map_or_else(|| "".into(), |label| label.name.clone());
        let subgoal = Goal { label: name.clone(), conclusion: shown.clone(), ..goal.clone() };
        let shown = match named {
            Some((function, params)) => self.chosen(&mut goal, shown, function, params)?,
            None => shown,
        };
        let mut rule = Rule::fact(name, shown).generalized();
        // Variables of the goal are those of the goal.
        rule.vars.retain(|(name, _)| !known.iter().any(|(known, _)| known == name));
        goal.premises.push(rule);
        let goals = if subgoal.is_trivial() { Vec::new() } else { vec![subgoal] };
        Ok((goal, self.run(goals, proof)?))
    }

    /// Returns what holds of the values of a new function, where a formula says that there are such values.
    fn chosen(
        &mut self,
        goal: &mut Goal,
        formula: Term,
        function: &Ident,
        params: &[SortedVar],
    ) -> Read<Term> {
        let mut body = formula;
        while let Term::Bind { universal: true, body: inner, .. } = body {
            body = *inner;
        }
        let free = body.free();
        let Term::Bind { universal: false, var, sort, body } = body else {
            let message = "what gets a name is not said to exist".to_owned();
            return Err(self.fail(function.span(), message, "names a value", "write `exists X. .. named x`"));
        };
        let mut args = Vec::new();
        for param in params {
            let found = free.iter().find(|(name, _)| *name == param.name.name);
            let Some(found) = found.filter(|it| !args.contains(*it)) else {
                let message = format!("`{}` is no variable of the formula, or occurs twice", param.name.name);
                return Err(self.fail(param.name.span(), message, "not an argument", ""));
            };
            args.push(found.clone());
        }
        if let Some((missing, _)) = free.iter().find(|it| !args.contains(*it)) {
            let message = format!("the value depends on `{missing}`");
            let help = format!("make it an argument: `named {}({missing})`", function.name);
            return Err(self.fail(function.span(), message, "an argument is missing", &help));
        }
        if goal.context.local(&function.name).is_some()
            || self.expander.globals.contains(&self.expander.scopes.full(goal.context.scope, &function.name))
        {
            let message = format!("`{}` is something else already", function.name);
            return Err(self.fail(function.span(), message, "not a new name", ""));
        }
        let sorts = args.iter().map(|(_, sort)| sort.clone()).collect();
        let name = self.new_symbol(goal, &function.name, sorts, sort.clone());
        let args = args.into_iter().map(|(name, sort)| Term::Var(name, sort)).collect();
        Ok(Subst::of_var(var, Term::App(name, args, sort)).apply(&body))
    }

    pub(super) fn theorem(
        &mut self,
        mut goal: Goal,
        theorem: &Theorem,
        span: Span,
    ) -> Read<(Goal, Vec<Goal>)> {
        let known = goal.free();
        let mut rule = self.expander.rule_of(theorem, &goal.context, &known)?;
        let subgoal = self.goal_of_rule(&goal, &rule, span)?;
        let label = rule.label.clone();
        rule = Rule { label, ..rule.generalized() };
        rule.vars.retain(|(name, _)| !known.iter().any(|(known, _)| known == name));
        goal.premises.push(rule);
        let goals = if subgoal.is_trivial() { Vec::new() } else { vec![subgoal] };
        let steps = theorem.proof.as_ref().map_or(&[][..], |proof| &proof.steps);
        Ok((goal, self.run(goals, steps)?))
    }

    /// Adds functions that are abbreviations.
    pub(super) fn function(&mut self, mut goal: Goal, given: &[Given]) -> Read<Goal> {
        for given in given {
            let span = given.name.span();
            let full = self.expander.scopes.full(goal.context.scope, &given.name.name);
            if goal.context.local(&given.name.name).is_some() || self.expander.globals.contains(&full) {
                let message = format!("`{}` is something else already", given.name.name);
                return Err(self.fail(span, message, "not a new name", ""));
            }
            let mut params: Vec<(Arc<str>, Sort)> = Vec::new();
            for param in &given.params {
                let Some(sort) = &param.sort else {
                    self.expander.report.push(crate::ivy::expand::declarations::untyped(param));
                    return Err(super::terms::Failed);
                };
                let sort = sort_name(&self.expander.scopes.sort(goal.context.scope, sort));
                if params.iter().any(|(name, _)| *name == param.name.name) {
                    let message = format!("`{}` occurs twice", param.name.name);
                    return Err(self.fail(param.name.span(), message, "the same variable", ""));
                }
                params.push((param.name.name.clone(), sort));
            }
            let mut known = goal.free();
            known.retain(|(name, _)| !params.iter().any(|(param, _)| param == name));
            known.extend(params.iter().cloned());
            let result = given.result.as_ref();
            let result = result.map(|sort| sort_name(&self.expander.scopes.sort(goal.context.scope, sort)));
            let value = self.expander.read(&[(&given.value, &goal.context, result)], &known)?.remove(0);
            let free = value.free();
            if let Some((name, _)) = free.iter().find(|it| !params.contains(it)) {
                let message = format!("`{name}` occurs on the right side alone");
                return Err(self.fail(given.value.span(), message, "for which value?", ""));
            }
            let sorts = params.iter().map(|(_, sort)| sort.clone()).collect();
            let name = self.new_symbol(&mut goal, &given.name.name, sorts, value.sort());
            let args = params.iter().map(|(name, sort)| Term::Var(name.clone(), sort.clone())).collect();
            let op = if *value.sort() == *BOOL { Op::Iff } else { Op::Equal };
            let defined = Term::App(name, args, value.sort());
            let equation = Term::op(op, [defined, value]).closed(true, params);
            goal.premises.push(Rule::fact(given.name.name.clone(), equation));
        }
        Ok(goal)
    }

    pub(super) fn let_(&mut self, mut goal: Goal, given: &[Given]) -> Read<Goal> {
        for given in given {
            let known = goal.free();
            let span = given.name.span();
            let is_new = as_variable(given).is_some_and(|it| !known.iter().any(|(name, _)| *name == it.name));
            if !is_new {
                let message = format!("`{}` is no new variable", given.name.name);
                return Err(self.fail(span, message, "names the value of a term", "write `let X = ..`"));
            }
            let value = self.expander.read(&[(&given.value, &goal.context, None)], &known)?.remove(0);
            if value.free().iter().any(|(name, _)| *name == given.name.name) {
                let message = format!("the value of `{0}` depends on `{0}`", given.name.name);
                return Err(self.fail(span, message, "mentions itself", ""));
            }
            let var = Term::Var(given.name.name.clone(), value.sort());
            let op = if *value.sort() == *BOOL { Op::Iff } else { Op::Equal };
            goal.conclusion = Term::op(Op::Implies, [Term::op(op, [var, value]), goal.conclusion]);
        }
        Ok(goal)
    }

    pub(super) fn unfold(
        &mut self,
        mut goal: Goal,
        premise: Option<&Ident>,
        definitions: &[Unfolded],
    ) -> Read<Goal> {
        for Unfolded { name, renaming } in definitions {
            let local = goal.premises.iter().rfind(|it| it.label == name.name).cloned();
            let rule = match self.global_rule(name, goal.context.scope)? {
                Some(rule) => rule,
                None => match local {
                    Some(rule) => rule,
                    None => return Err(self.unknown_rule(name, &[])),
                },
            };
            // What is expanded where it is mentioned is unfolded already.
            if let Term::Op(Op::Equal | Op::Iff, sides) = &rule.conclusion
                && sides[0].is_same(&sides[1])
            {
                continue;
            }
            let Some((symbol, lambda)) = definition(&rule) else {
                let message = format!("`{}` is no definition", name.name);
                let help = "a definition is an equation `f(X) = ..` for all values of its variables";
                return Err(self.fail(name.span(), message, "nothing to unfold", help));
            };
            let mut subst = Subst::default();
            // At the first places variables have names of their own.
            let mut places: Vec<Arc<str>> = Vec::new();
            for renaming in renaming {
                let mut rule = rule.clone();
                self.rename(&mut rule, name, renaming)?;
                self.expander.fresh += 1;
                let place: Arc<str> = format!("{symbol}@{}", self.expander.fresh).into();
                subst.symbols.extend(definition(&rule).map(|(_, lambda)| (place.clone(), lambda)));
                places.push(place);
            }
            places.reverse();
            subst.symbols.insert(symbol.clone(), lambda);
            match premise {
                None => set_apart(&mut goal.conclusion, &symbol, &mut places),
                Some(premise) => {
                    let at = goal.premises.iter().rposition(|it| it.label == premise.name);
                    at.into_iter().for_each(|at| set_apart_in(&mut goal.premises[at], &symbol, &mut places));
                }
            }
            let whole =
                Rule { premises: goal.premises.clone(), ..Rule::fact("".into(), goal.conclusion.clone()) };
            self.check_fits(&whole, &subst, name.span())?;
            match premise {
                None => goal.conclusion = subst.apply(&goal.conclusion),
                Some(premise) => {
                    let Some(at) = goal.premises.iter().rposition(|it| it.label == premise.name) else {
                        let message = format!("the goal has no premise `{}`", premise.name);
                        return Err(self.fail(premise.span(), message, "not known", ""));
                    };
                    let holds = goal.premises[at].holds && rule.holds;
                    goal.premises[at] = Rule { holds, ..goal.premises[at].instance(&subst) };
                }
            }
        }
        Ok(goal)
    }
}

/// Gives a symbol other names, the last one at the first place where it occurs, and so on; a term comes after its arguments.
fn set_apart(term: &mut Term, symbol: &Arc<str>, names: &mut Vec<Arc<str>>) {
    match term {
        Term::Var(..) => {}
        Term::Op(_, args) => args.iter_mut().for_each(|arg| set_apart(arg, symbol, names)),
        Term::App(name, args, _) => {
            args.iter_mut().for_each(|arg| set_apart(arg, symbol, names));
            if name == symbol
                && let Some(new) = names.pop()
            {
                *name = new;
            }
        }
        Term::Bind { body, .. } => set_apart(body, symbol, names),
    }
}

fn set_apart_in(rule: &mut Rule, symbol: &Arc<str>, names: &mut Vec<Arc<str>>) {
    rule.premises.iter_mut().for_each(|premise| set_apart_in(premise, symbol, names));
    set_apart(&mut rule.conclusion, symbol, names);
}

/// Returns what a rule defines, if it is a definition: an equation for all values of its variables.
fn definition(rule: &Rule) -> Option<(Arc<str>, Lambda)> {
    if !rule.is_formula() {
        return None;
    }
    let mut bound = rule.vars.clone();
    let mut body = &rule.conclusion;
    while let Term::Bind { universal: true, var, sort, body: inner } = body {
        bound.retain(|(name, _)| name != var);
        bound.push((var.clone(), sort.clone()));
        body = inner;
    }
    let Term::Op(Op::Equal | Op::Iff, sides) = body else { return None };
    let [Term::App(symbol, args, _), value] = sides.as_slice() else { return None };
    let mut params: Vec<(Arc<str>, Sort)> = Vec::new();
    for arg in args {
        let Term::Var(name, sort) = arg else { return None };
        let is_new = !params.iter().any(|(known, _)| known == name);
        if !is_new || !bound.iter().any(|(known, _)| known == name) {
            return None;
        }
        params.push((name.clone(), sort.clone()));
    }
    // What is defined does not depend on other variables.
    let free = value.free();
    let is_closed = free.iter().all(|it| params.contains(it) || !bound.iter().any(|(name, _)| *name == it.0));
    (is_closed && literal(symbol).is_none()).then(|| (symbol.clone(), Lambda { params, body: value.clone() }))
}
