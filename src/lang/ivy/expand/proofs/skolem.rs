//! Names for what quantifiers of a goal stand for, and values for them.

use std::sync::Arc;

use super::goal::{Goal, Prover};
use super::rules::OwnSymbol;
use super::terms::{BOOL, Lambda, Op, Sort, Subst, Term};
use ramsey_core::base::hash::Set;

/// The replacement of quantifiers by values that steps give.
pub(super) struct Witness {
    /// By variable, the values.
    pub(super) values: Vec<(Arc<str>, Term)>,
    /// The variables whose quantifier has been found.
    pub(super) found: Set<Arc<str>>,
    /// The variable of a quantifier around one of these that a value would be captured by.
    pub(super) captured: Option<Arc<str>>,
    /// A variable that has another sort than its value.
    pub(super) mistyped: Option<Arc<str>>,
}

impl Witness {
    /// Creates the replacement by these values.
    pub(super) fn new(values: Vec<(Arc<str>, Term)>) -> Witness {
        Witness { values, found: Set::default(), captured: None, mistyped: None }
    }

    /// Returns a formula without the quantifiers that are universal or not, where the formula is not negated, and those of the
    /// other kind where it is.
    pub(super) fn apply(&mut self, term: &Term, universal: bool) -> Term {
        match term {
            Term::Bind { universal: kind, var, sort, body } => {
                if *kind == universal
                    && let Some((_, value)) = self.values.iter().find(|(name, _)| name == var).cloned()
                {
                    self.found.insert(var.clone());
                    if value.sort() != *sort {
                        self.mistyped = Some(var.clone());
                        return term.clone();
                    }
                    let body = self.apply(body, universal);
                    return Subst::of_var(var.clone(), value).apply(&body);
                }
                let is_free =
                    |(_, value): &(Arc<str>, Term)| value.free().iter().any(|(name, _)| name == var);
                let found = self.found.len();
                let inner = self.apply(body, universal);
                if self.found.len() > found && self.values.iter().any(is_free) {
                    self.captured = Some(var.clone());
                    return term.clone();
                }
                Term::Bind { universal: *kind, var: var.clone(), sort: sort.clone(), body: Box::new(inner) }
            }
            Term::Op(Op::Not, args) if args.len() == 1 => {
                Term::op(Op::Not, [self.apply(&args[0], !universal)])
            }
            Term::Op(Op::Implies, args) if args.len() == 2 => {
                Term::op(Op::Implies, [self.apply(&args[0], !universal), self.apply(&args[1], universal)])
            }
            Term::Op(op @ (Op::And | Op::Or), args) => {
                Term::Op(*op, args.iter().map(|arg| self.apply(arg, universal)).collect())
            }
            _ => term.clone(),
        }
    }
}

impl Prover<'_, '_, '_> {
    /// Gives names to what the goal is claimed of and what its premises say to exist. With `names_free`, the free variables get
    /// names as well.
    pub(super) fn skolemized(&mut self, goal: &Goal, names_free: bool) -> Goal {
        let mut goal = goal.clone();
        if names_free {
            let mut subst = Subst::default();
            for (name, sort) in goal.free() {
                let symbol = self.skolem(&mut goal, &name, Vec::new(), sort.clone());
                subst.vars.insert(name, Term::App(symbol, Vec::new(), sort));
            }
            goal.premises = goal.premises.iter().map(|premise| premise.instance(&subst)).collect();
            goal.conclusion = subst.apply(&goal.conclusion);
        }
        for at in 0..goal.premises.len() {
            if goal.premises[at].is_formula() {
                let (formula, mut outer) =
                    (goal.premises[at].conclusion.clone(), goal.premises[at].vars.clone());
                let named = self.named(&mut goal, &formula, false, &mut outer);
                // With names it is no longer what holds anyway.
                goal.premises[at].holds &= named == formula;
                goal.premises[at].conclusion = named;
            }
        }
        let conclusion = goal.conclusion.clone();
        goal.conclusion = self.named(&mut goal, &conclusion, true, &mut Vec::new());
        goal
    }

    /// Returns a formula with symbols in the place of the variables of universal quantifiers where it is shown, and of existential
    /// ones where it is assumed. `outer` are the variables around it that such a symbol depends on.
    fn named(
        &mut self,
        goal: &mut Goal,
        term: &Term,
        shown: bool,
        outer: &mut Vec<(Arc<str>, Sort)>,
    ) -> Term {
        match term {
            Term::Bind { universal, var, sort, body } if *universal == shown => {
                let free = term.free();
                let args: Vec<(Arc<str>, Sort)> =
                    outer.iter().filter(|it| free.iter().any(|(name, _)| *name == it.0)).cloned().collect();
                let symbol = self.skolem(goal, var, args.clone(), sort.clone());
                let args = args.into_iter().map(|(name, sort)| Term::Var(name, sort)).collect();
                let value = Term::App(symbol, args, sort.clone());
                let body = Subst::of_var(var.clone(), value).apply(body);
                self.named(goal, &body, shown, outer)
            }
            Term::Bind { universal, var, sort, body } => {
                // An inner variable of the same name hides the outer one.
                let hidden: Vec<(Arc<str>, Sort)> = outer.clone();
                outer.retain(|(name, _)| name != var);
                outer.push((var.clone(), sort.clone()));
                let body = Box::new(self.named(goal, body, shown, outer));
                *outer = hidden;
                Term::Bind { universal: *universal, var: var.clone(), sort: sort.clone(), body }
            }
            Term::Op(Op::Not, args) if args.len() == 1 => {
                Term::op(Op::Not, [self.named(goal, &args[0], !shown, outer)])
            }
            Term::Op(Op::Implies, args) if args.len() == 2 => {
                let left = self.named(goal, &args[0], !shown, outer);
                Term::op(Op::Implies, [left, self.named(goal, &args[1], shown, outer)])
            }
            Term::Op(op @ (Op::And | Op::Or), args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.named(goal, arg, shown, outer)).collect();
                Term::Op(*op, args)
            }
            _ => term.clone(),
        }
    }

    /// Adds a symbol to a goal whose name is that of a variable after `_`.
    fn skolem(&mut self, goal: &mut Goal, var: &str, args: Vec<(Arc<str>, Sort)>, result: Sort) -> Arc<str> {
        let is_taken = |name: &str| goal.context.local(name).is_some();
        let base = format!("_{var}");
        let mut user = base.clone();
        let mut letters = b'a'..=b'z';
        while is_taken(&user) {
            user = match letters.next() {
                Some(letter) => format!("{base}_{}", char::from(letter)),
                None => format!("{user}_"),
            };
        }
        let args = args.into_iter().map(|(_, sort)| sort).collect();
        self.new_symbol(goal, &user.into(), args, result)
    }

    /// Adds a symbol to a goal, which stands for anything there. Returns its name in terms.
    pub(super) fn new_symbol(
        &mut self,
        goal: &mut Goal,
        user: &Arc<str>,
        args: Vec<Sort>,
        result: Sort,
    ) -> Arc<str> {
        self.expander.fresh += 1;
        let name: Arc<str> = format!("{user}@{}", self.expander.fresh).into();
        let place = crate::ivy::ast::Place(self.claim.span);
        let symbol = crate::ivy::expand::state::Symbol {
            args: args.iter().map(|sort| super::typed::sort_ref(sort, place)).collect(),
            result: (*result != *BOOL).then(|| super::typed::sort_ref(&result, place)),
            source: Some(user.clone()),
        };
        self.expander.globals.insert(name.clone());
        self.expander.symbols.insert(name.clone(), symbol);
        goal.context.locals.push((user.clone(), name.clone()));
        goal.symbols.push(OwnSymbol { user: user.clone(), name: name.clone(), args, result });
        name
    }

    /// Returns that a symbol of a rule is a symbol of a goal.
    pub(super) fn renaming(from: &OwnSymbol, to: &Arc<str>) -> Lambda {
        let params: Vec<(Arc<str>, Sort)> =
            from.args.iter().enumerate().map(|(at, sort)| (format!("V{at}").into(), sort.clone())).collect();
        let args = params.iter().map(|(name, sort)| Term::Var(name.clone(), sort.clone())).collect();
        Lambda { params, body: Term::App(to.clone(), args, from.result.clone()) }
    }
}
