//! The steps of a proof.

use std::sync::Arc;

use super::goal::{Goal, MAX_GOALS, Prover};
use super::matching::Matcher;
use super::rules::{OwnSymbol, Rule};
use super::skolem::Witness;
use super::terms::{BOOL, Op, Read, Sort, Subst, Term};
use super::typed::sort_name;
use super::uses::{Used, as_variable};
use crate::ivy::ast::{Ident, Place, SortName, SortRef};
use crate::ivy::expand::state::{MAX_HEIGHT, MAX_NODES};
use crate::ivy::proof::{Given, Step, StepKind, Use};
use ramsey_core::base::hash::Set;
use ramsey_core::base::span::Span;

impl Prover<'_, '_, '_> {
    /// Returns the goals that are left after steps.
    pub(super) fn run(&mut self, mut goals: Vec<Goal>, steps: &[Step]) -> Read<Vec<Goal>> {
        for step in steps {
            if goals.is_empty() {
                break;
            }
            goals = self.step(goals, step)?;
            self.check_size(&goals, step.place.0)?;
        }
        Ok(goals)
    }

    fn check_size(&mut self, goals: &[Goal], span: Span) -> Read<()> {
        let sizes = goals
            .iter()
            .flat_map(|goal| goal.premises.iter().map(Rule::size).chain([goal.conclusion.size()]));
        let (nodes, height) =
            sizes.fold((0, 0), |(nodes, height), (more, other)| (nodes + more, height.max(other)));
        let fits = nodes < MAX_NODES && height <= MAX_HEIGHT && goals.len() <= MAX_GOALS;
        if fits && self.expander.report.spend(nodes as u64 + 1) {
            return Ok(());
        }
        Err(self.fail(span, "the goals of the proof become too large".to_owned(), "in this step", ""))
    }

    #[inline(never)]
    fn step(&mut self, mut goals: Vec<Goal>, step: &Step) -> Read<Vec<Goal>> {
        let span = step.place.0;
        if let StepKind::Goal { name, steps } = &step.kind {
            let Some(at) = goals.iter().position(|goal| goal.label == name.name) else {
                let message = format!("there is no goal `{}`", name.name);
                return Err(self.fail(name.span(), message, "not left to be shown here", ""));
            };
            let goal = goals.remove(at);
            goals.extend(self.run(vec![goal], steps)?);
            return Ok(goals);
        }
        if goals.is_empty() {
            return Ok(goals);
        }
        let mut rest = goals.split_off(1);
        let Some(goal) = goals.pop() else { return Ok(rest) };
        let mut found = match &step.kind {
            StepKind::Goal { .. } => vec![goal],
            StepKind::Apply(rule) => self.apply(&goal, rule, span)?,
            StepKind::Instantiate { is_global, label, rule } => {
                vec![self.instantiate(goal, *is_global, label.as_ref(), rule, span)?]
            }
            StepKind::Witness(given) => vec![self.witness(goal, given)?],
            StepKind::Property { label, formula, named, proof } => {
                let (goal, shown) = self.property(goal, label.as_ref(), formula, named.as_ref(), proof)?;
                rest.extend(shown);
                vec![goal]
            }
            StepKind::Theorem(theorem) => {
                let (goal, shown) = self.theorem(goal, theorem, span)?;
                rest.extend(shown);
                vec![goal]
            }
            StepKind::Function(given) => vec![self.function(goal, given)?],
            StepKind::Let(given) => vec![self.let_(goal, given)?],
            StepKind::If { condition, then, otherwise } => {
                let sort: Sort = BOOL.into();
                let known = goal.free();
                let condition =
                    self.expander.read(&[(condition, &goal.context, Some(sort))], &known)?.remove(0);
                let given = |condition: Term| {
                    let conclusion = Term::op(Op::Implies, [condition, goal.conclusion.clone()]);
                    Goal { conclusion, ..goal.clone() }
                };
                let (holds, fails) = (given(condition.clone()), given(Term::op(Op::Not, [condition])));
                let mut found = self.run(vec![holds], then)?;
                found.extend(self.run(vec![fails], otherwise)?);
                found
            }
            StepKind::Unfold { premise, definitions } => {
                vec![self.unfold(goal, premise.as_ref(), definitions)?]
            }
            StepKind::Forget(names) => {
                let mut goal = goal;
                for name in names {
                    if !goal.premises.iter().any(|premise| premise.label == name.name) {
                        let message = format!("the goal has no premise `{}`", name.name);
                        return Err(self.fail(name.span(), message, "nothing to forget", ""));
                    }
                }
                goal.premises.retain(|premise| !names.iter().any(|name| name.name == premise.label));
                vec![goal]
            }
            StepKind::ShowGoals => vec![goal],
            StepKind::DeferGoal => {
                rest.push(goal);
                Vec::new()
            }
            StepKind::Tactic(name) => self.tactic(goal, name)?,
            StepKind::Block(steps) => {
                let mut all = vec![goal];
                all.append(&mut rest);
                return self.run(all, steps);
            }
        };
        found.append(&mut rest);
        Ok(found)
    }

    /// Reports an instance of a rule that is too large.
    pub(super) fn check_fits(&mut self, rule: &Rule, subst: &Subst, span: Span) -> Read<()> {
        if rule.fits(subst) {
            return Ok(());
        }
        Err(self.fail(span, "the goals of the proof become too large".to_owned(), "in this step", ""))
    }

    fn tactic(&mut self, goal: Goal, name: &Ident) -> Read<Vec<Goal>> {
        match &*name.name {
            "skolemize" => Ok(vec![self.skolemized(&goal, false)]),
            "skolemizenp" => Ok(vec![self.skolemized(&goal, true)]),
            "sorry" => {
                self.admitted.push((goal, name.span()));
                Ok(Vec::new())
            }
            other => {
                let message = format!("the tactic `{other}` is not supported");
                let help = "supported are `skolemize`, `skolemizenp` and `sorry`";
                Err(self.fail(name.span(), message, "not known here", help))
            }
        }
    }

    fn apply(&mut self, goal: &Goal, rule: &Use, span: Span) -> Read<Vec<Goal>> {
        let used = self.used(goal, rule, false)?;
        let mut with = self.with(goal, &used, &rule.with)?;
        if let Some((name, _)) = with.witness.first() {
            let message = format!("`{}` binds no `{name}`", rule.name.name);
            return Err(self.fail(span, message, "not a name of the rule", ""));
        }
        self.check_fits(&used.rule, &with.matcher.found, span)?;
        let pair = (with.matcher.found.apply(&used.rule.conclusion), goal.conclusion.clone());
        let given = with.matcher.clone();
        let mut fits = with.matcher.all(vec![pair.clone()]);
        if !fits {
            // A variable that nothing is given for may be the one of the same name in the goal.
            with.matcher = given;
            self.same_variables(goal, &used, &mut with.matcher);
            fits = with.matcher.all(vec![pair]);
        }
        self.check_fits(&used.rule, &with.matcher.found, span)?;
        let instance = used.rule.instance(&with.matcher.found);
        if !fits || !instance.conclusion.is_same(&goal.conclusion) {
            let message = format!("what `{}` claims is not the goal", rule.name.name);
            let help = "give what its symbols and variables stand for: `apply rule with p(X) = .., X = ..`";
            return Err(self.fail(span, message, "the goal is not of this form", help));
        }
        let mut base = goal.clone();
        // What nothing is given for, and the goal does not tell, stands for what has the same name in the goal, or for anything.
        let instance = self.any_symbols(&mut base, &instance, &with.matcher.found, span)?;
        let mut found = Vec::new();
        for premise in &instance.premises {
            let given = with.premises.iter().find(|(label, _)| *label == premise.label);
            let is_given = given.is_some_and(|(_, fact)| {
                fact.is_formula() && premise.is_formula() && fact.conclusion.is_same(&premise.conclusion)
            });
            if is_given || goal.premises.iter().any(|it| it.is_same(premise)) {
                continue;
            }
            let subgoal = self.goal_of_rule(&base, premise, span)?;
            if !subgoal.is_trivial() {
                found.push(subgoal);
            }
        }
        // Variables that only premises mention stand for anything as well.
        for subgoal in &mut found {
            self.name_variables(goal, subgoal, &used, &instance, span)?;
        }
        Ok(found)
    }

    fn same_variables(&mut self, goal: &Goal, used: &Used, matcher: &mut Matcher) {
        let free = goal.conclusion.free();
        for (var, sort) in &used.rule.vars {
            let user = Self::user_name(used, var);
            let Some((name, of)) = free.iter().find(|(name, _)| *name == user) else { continue };
            if !matcher.found.vars.contains_key(var) && matcher.sort(sort, of) {
                matcher.found.vars.insert(var.clone(), Term::Var(name.clone(), of.clone()));
            }
        }
    }

    /// Makes the symbols of a rule that are left symbols of the goal, which stand for anything there.
    fn any_symbols(&mut self, goal: &mut Goal, rule: &Rule, given: &Subst, span: Span) -> Read<Rule> {
        let mut subst = Subst::default();
        for own in &rule.sorts {
            let name = SortRef { name: SortName::Named(own.user.clone()), place: Place(span) };
            let found = sort_name(&self.expander.scopes.sort(goal.context.scope, &name));
            if self.expander.sorts.contains(&found) {
                subst.sorts.insert(own.name.clone(), found);
            }
        }
        let rule = &rule.instance(&subst);
        let mut mentioned: Set<Arc<str>> = Set::default();
        rule.add_symbols(&mut mentioned);
        let mut subst = Subst::default();
        for own in &rule.symbols {
            let is_open = |sort: &Sort| rule.sorts.iter().any(|it| it.name == *sort);
            if !mentioned.contains(&own.name) && own.args.iter().chain([&own.result]).any(is_open) {
                continue;
            }
            let sorts = own.args.iter().chain([&own.result]);
            self.known_sorts(rule, sorts, span)?;
            let new = match self.symbol_of_goal(goal, own) {
                Some(known) if given.mentions(&known) => {
                    let message =
                        format!("`{}` of the rule is not the one of the goal that is given", own.user);
                    let help = format!(
                        "give it another name: `rule<new/{0}>`, or say what it is: `with {0} = ..`",
                        own.user
                    );
                    return Err(self.fail(span, message, "two different ones of the same name", &help));
                }
                Some(known) => known,
                None => self.any_symbol(goal, own, span)?,
            };
            subst.symbols.insert(own.name.clone(), Self::renaming(own, &new));
        }
        for (_, sort) in &rule.vars {
            self.known_sorts(rule, [sort].into_iter(), span)?;
        }
        Ok(rule.instance(&subst))
    }

    /// Returns the symbol of the goal that has the name and the type of one of a rule.
    fn symbol_of_goal(&self, goal: &Goal, own: &OwnSymbol) -> Option<Arc<str>> {
        let name = match goal.context.local(&own.user) {
            Some(name) => name.clone(),
            None => self.of_theorem(goal, &own.user)?,
        };
        let symbol = self.expander.symbols.get(&name)?;
        let result = symbol.result.as_ref().map_or_else(|| BOOL.into(), sort_name);
        let args = symbol.args.iter().map(sort_name);
        (result == own.result && args.eq(own.args.iter().cloned())).then_some(name)
    }

    /// Returns the symbol that the theorem declares under a name.
    fn of_theorem(&self, goal: &Goal, user: &str) -> Option<Arc<str>> {
        let scope = goal.context.scope;
        let full = self.expander.scopes.full(scope, user);
        let is_declared = self.expander.scopes.is_theorem(scope) && self.expander.symbols.contains_key(&full);
        is_declared.then_some(full)
    }

    fn any_symbol(&mut self, goal: &mut Goal, own: &OwnSymbol, span: Span) -> Read<Arc<str>> {
        if self.of_theorem(goal, &own.user).is_some() || goal.context.local(&own.user).is_some() {
            let message = format!("the goal has another `{}` than the rule", own.user);
            let help = format!("give it another name: `rule<new/{}>`", own.user);
            return Err(self.fail(span, message, "two different ones of the same name", &help));
        }
        Ok(self.new_symbol(goal, &own.user, own.args.clone(), own.result.clone()))
    }

    fn known_sorts<'s>(
        &mut self,
        rule: &Rule,
        sorts: impl Iterator<Item = &'s Sort>,
        span: Span,
    ) -> Read<()> {
        for sort in sorts {
            if let Some(open) = rule.sorts.iter().find(|it| it.name == *sort) {
                let message = format!("nothing tells what the type `{}` of the rule stands for", open.user);
                return Err(self.fail(span, message, "in this step", "write `with` and the type"));
            }
        }
        Ok(())
    }

    /// Gives the variables of a rule that a goal has from it the names by which steps call them.
    fn name_variables(
        &mut self,
        outer: &Goal,
        goal: &mut Goal,
        used: &Used,
        rule: &Rule,
        span: Span,
    ) -> Read<()> {
        let before = outer.free();
        let mut subst = Subst::default();
        for (name, sort) in goal.free() {
            if !rule.vars.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let user = Self::user_name(used, &name);
            // The one of the goal is as good as any.
            if before.iter().any(|(known, of)| *known == user && *of != sort) {
                let message = format!("the goal has another `{user}` than the rule");
                let help = format!("say what it stands for: `with {user} = ..`");
                return Err(self.fail(span, message, "two different ones of the same name", &help));
            }
            subst.vars.insert(name, Term::Var(user, sort));
        }
        goal.premises = goal.premises.iter().map(|premise| premise.instance(&subst)).collect();
        goal.conclusion = subst.apply(&goal.conclusion);
        Ok(())
    }

    /// Returns the goal that a rule is, with what the outer goal assumes.
    pub(super) fn goal_of_rule(&mut self, outer: &Goal, rule: &Rule, span: Span) -> Read<Goal> {
        let mut goal = outer.clone();
        if let Some(sort) = rule.sorts.first() {
            let message = format!("a goal about all types `{}` is not supported here", sort.user);
            return Err(self.fail(span, message, "binds a type", "declare the type outside of the proof"));
        }
        let mut subst = Subst::default();
        for own in &rule.symbols {
            let new = self.any_symbol(&mut goal, own, span)?;
            subst.symbols.insert(own.name.clone(), Self::renaming(own, &new));
        }
        let rule = rule.instance(&subst);
        goal.label = rule.label.clone();
        goal.premises.extend(rule.premises);
        goal.conclusion = rule.conclusion;
        Ok(goal)
    }

    fn instantiate(
        &mut self,
        mut goal: Goal,
        is_global: bool,
        label: Option<&Ident>,
        rule: &Use,
        span: Span,
    ) -> Read<Goal> {
        let used = self.used(&goal, rule, !is_global)?;
        let with = self.with(&goal, &used, &rule.with)?;
        self.check_fits(&used.rule, &with.matcher.found, span)?;
        let mut instance = used.rule.instance(&with.matcher.found);
        // Premises that are there are not repeated.
        let is_given = |premise: &Rule| {
            with.premises.iter().any(|(label, fact)| {
                *label == premise.label
                    && fact.is_formula()
                    && premise.is_formula()
                    && fact.conclusion.is_same(&premise.conclusion)
            })
        };
        for (name, _) in &with.premises {
            if !instance.premises.iter().any(|premise| premise.label == *name && is_given(premise)) {
                let message = format!("what is given for the premise `{name}` is another formula");
                return Err(self.fail(span, message, "does not fit", ""));
            }
        }
        // With a premise of the goal it holds there alone.
        let depends = with.premises.iter().any(|(_, fact)| !fact.holds);
        instance.holds &= !depends;
        instance.premises.retain(|premise| !is_given(premise));
        let mut values = Witness::new(with.witness);
        let conclusion = values.apply(&instance.conclusion, true);
        self.check_witness(&values, span)?;
        instance.conclusion = conclusion;
        let mut instance = self.restored(&goal, &used, instance);
        if let Some(at) = used.premise.filter(|_| label.is_none()) {
            goal.premises.remove(at);
        }
        if let Some(label) = label {
            (instance.label, instance.is_definition) = (label.name.clone(), false);
        }
        if !is_global && goal.premises.iter().any(|it| it.label == instance.label) {
            let message = format!("the goal has another premise `{}`", instance.label);
            let help = "give the instance a name: `instantiate [name] rule with ..`";
            return Err(self.fail(span, message, "two premises of the same name", help));
        }
        goal.premises.push(instance);
        Ok(goal)
    }

    fn check_witness(&mut self, values: &Witness, span: Span) -> Read<()> {
        if let Some(var) = &values.captured {
            let message = format!("the value would be captured by the quantifier of `{var}`");
            return Err(self.fail(span, message, "another variable of the same name", ""));
        }
        if let Some(var) = &values.mistyped {
            let message = format!("the value of `{var}` is of another type");
            return Err(self.fail(span, message, "another type", ""));
        }
        if let Some((var, _)) = values.values.iter().find(|(var, _)| !values.found.contains(var)) {
            let message = format!("there is no quantifier of `{var}` to give a value for");
            return Err(self.fail(span, message, "no such variable", ""));
        }
        Ok(())
    }

    fn witness(&mut self, mut goal: Goal, given: &[Given]) -> Read<Goal> {
        let mut values = Vec::new();
        let known = goal.free();
        let mut span = self.claim.span;
        for given in given {
            span = given.name.span();
            if as_variable(given).is_none() {
                let message = format!("`{}` is no variable", given.name.name);
                return Err(self.fail(span, message, "only variables have values here", ""));
            }
            let value = self.expander.read(&[(&given.value, &goal.context, None)], &known)?.remove(0);
            values.push((given.name.name.clone(), value));
        }
        let mut values = Witness::new(values);
        goal.conclusion = values.apply(&goal.conclusion, false);
        self.check_witness(&values, span)?;
        Ok(goal)
    }
}
