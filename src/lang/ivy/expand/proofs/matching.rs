//! What the types, symbols and variables of a rule stand for, so that what it claims is a goal.
//!
//! What is found here is a guess: whoever uses it compares the instance of the rule with the goal.

use std::sync::Arc;

use super::rules::{OwnSymbol, Rule};
use super::terms::{Lambda, Sort, Subst, Term, fresh};
use ramsey_core::base::hash::Set;

/// What names of bound variables begin with, while terms are compared.
const BOUND: char = '\u{a7}';

/// A search for what the names that a rule binds stand for.
#[derive(Clone)]
pub(super) struct Matcher {
    sorts: Set<Sort>,
    symbols: Vec<OwnSymbol>,
    vars: Set<Arc<str>>,
    /// What has been found.
    pub(super) found: Subst,
    bound: usize,
}

impl Matcher {
    /// Creates a search for what a rule binds.
    pub(super) fn new(rule: &Rule) -> Matcher {
        Matcher {
            sorts: rule.sorts.iter().map(|it| it.name.clone()).collect(),
            symbols: rule.symbols.clone(),
            vars: rule.vars.iter().map(|(name, _)| name.clone()).collect(),
            found: Subst::default(),
            bound: 0,
        }
    }

    /// Returns whether a sort is one that the rule binds.
    pub(super) fn is_sort(&self, sort: &Sort) -> bool {
        self.sorts.contains(sort)
    }

    /// Finds that a sort is another one.
    pub(super) fn sort(&mut self, pattern: &Sort, sort: &Sort) -> bool {
        if !self.sorts.contains(pattern) {
            return pattern == sort;
        }
        match self.found.sorts.get(pattern) {
            Some(known) => known == sort,
            None => {
                self.found.sorts.insert(pattern.clone(), sort.clone());
                true
            }
        }
    }

    /// Finds that patterns are terms, in any order. Returns whether nothing speaks against it.
    pub(super) fn all(&mut self, pairs: Vec<(Term, Term)>) -> bool {
        let mut open = pairs;
        loop {
            let before = open.len();
            let mut later = Vec::new();
            let mut has_changed = false;
            for (pattern, term) in open {
                if !self.found.fits(&pattern) {
                    return false;
                }
                let mut parts = Vec::new();
                match self.one(&pattern, &term, &mut parts) {
                    Step::Fails => return false,
                    Step::Done => {
                        has_changed = true;
                        later.extend(parts);
                    }
                    Step::Waits => later.push((pattern, term)),
                }
            }
            if later.is_empty() {
                return true;
            }
            if !has_changed && later.len() == before {
                return false;
            }
            open = later;
        }
    }

    fn one(&mut self, pattern: &Term, term: &Term, parts: &mut Vec<(Term, Term)>) -> Step {
        match (pattern, term) {
            (Term::Var(name, sort), _) if self.vars.contains(name) => {
                if let Some(known) = self.found.vars.get(name) {
                    return done(known.is_same(term));
                }
                let is_it = self.sort(sort, &term.sort()) && !mentions_bound(term);
                if is_it {
                    self.found.vars.insert(name.clone(), term.clone());
                }
                done(is_it)
            }
            (Term::App(name, args, sort), _) if self.symbols.iter().any(|it| it.name == *name) => {
                self.application(name, args, sort, term)
            }
            (Term::Var(a, of_a), Term::Var(b, of_b)) => done(a == b && self.sort(of_a, of_b)),
            (Term::App(a, left, of_a), Term::App(b, right, of_b)) => {
                let is_it = a == b && left.len() == right.len() && self.sort(of_a, of_b);
                parts.extend(left.iter().cloned().zip(right.iter().cloned()));
                done(is_it)
            }
            (Term::Op(a, left), Term::Op(b, right)) => {
                parts.extend(left.iter().cloned().zip(right.iter().cloned()));
                done(a == b && left.len() == right.len())
            }
            (
                Term::Bind { universal: a, var: x, sort: of_x, body: left },
                Term::Bind { universal: b, var: y, sort: of_y, body: right },
            ) => {
                if a != b || !self.sort(of_x, of_y) {
                    return Step::Fails;
                }
                self.bound += 1;
                let name: Arc<str> = format!("{BOUND}{}", self.bound).into();
                let var = Term::Var(name, of_y.clone());
                parts.push((
                    Subst::of_var(x.clone(), var.clone()).apply(left),
                    Subst::of_var(y.clone(), var).apply(right),
                ));
                Step::Done
            }
            _ => Step::Fails,
        }
    }

    /// Finds that a symbol of the rule with these arguments is a term.
    fn application(&mut self, name: &Arc<str>, args: &[Term], sort: &Sort, term: &Term) -> Step {
        if let Some(known) = self.found.symbols.get(name).cloned() {
            let args: Vec<Term> = args.iter().map(|arg| self.found.apply(arg)).collect();
            if args.iter().any(|arg| self.is_open(arg)) {
                return Step::Waits;
            }
            return done(known.params.len() == args.len() && known.applied(args).is_same(term));
        }
        let args: Vec<Term> = args.iter().map(|arg| self.found.apply(arg)).collect();
        if args.iter().any(|arg| self.is_open(arg)) {
            return Step::Waits;
        }
        let Some(own) = self.symbols.iter().find(|it| it.name == *name).cloned() else { return Step::Fails };
        if own.args.len() != args.len() || !self.sort(sort, &term.sort()) {
            return Step::Fails;
        }
        let free = term.free();
        let mut params: Vec<(Arc<str>, Sort)> = Vec::new();
        for (at, (arg, sort)) in args.iter().zip(&own.args).enumerate() {
            if !self.sort(sort, &arg.sort()) {
                return Step::Fails;
            }
            let is_taken = |name: &str| free.iter().chain(&params).any(|(known, _)| **known == *name);
            let param = fresh(&format!("V{at}"), is_taken);
            params.push((param, arg.sort()));
        }
        let body = abstracted(term, &args, &params);
        if mentions_bound(&body) {
            return Step::Fails;
        }
        self.found.symbols.insert(name.clone(), Lambda { params, body });
        Step::Done
    }

    /// Returns whether a term mentions what the rule binds.
    fn is_open(&self, term: &Term) -> bool {
        let here = match term {
            Term::Var(name, sort) => self.vars.contains(name) || self.sorts.contains(sort),
            Term::App(name, _, sort) => {
                self.symbols.iter().any(|it| it.name == *name) || self.sorts.contains(sort)
            }
            Term::Bind { sort, .. } => self.sorts.contains(sort),
            Term::Op(..) => false,
        };
        let mut found = here;
        term.for_each_child(|child| found = found || self.is_open(child));
        found
    }
}

/// What is known of a pattern and a term.
enum Step {
    /// The pattern is the term, if their parts are.
    Done,
    /// What the pattern depends on has not been found yet.
    Waits,
    /// The pattern is not the term.
    Fails,
}

fn done(is_it: bool) -> Step {
    if is_it { Step::Done } else { Step::Fails }
}

/// Returns whether a variable is free in a term that is bound around it.
fn mentions_bound(term: &Term) -> bool {
    term.free().iter().any(|(name, _)| name.starts_with(BOUND))
}

/// Returns a term with variables in the place of other terms.
fn abstracted(term: &Term, parts: &[Term], vars: &[(Arc<str>, Sort)]) -> Term {
    if let Some(at) = parts.iter().position(|part| part == term) {
        let (name, sort) = &vars[at];
        return Term::Var(name.clone(), sort.clone());
    }
    match term {
        Term::Var(..) => term.clone(),
        Term::App(name, args, sort) => {
            let args = args.iter().map(|arg| abstracted(arg, parts, vars)).collect();
            Term::App(name.clone(), args, sort.clone())
        }
        Term::Op(op, args) => Term::Op(*op, args.iter().map(|arg| abstracted(arg, parts, vars)).collect()),
        Term::Bind { universal, var, sort, body } => {
            // What the quantifier binds is no part of the others.
            let mentions = |part: &&Term| part.free().iter().any(|(name, _)| name == var);
            if parts.iter().any(|part| mentions(&part)) || vars.iter().any(|(name, _)| name == var) {
                return term.clone();
            }
            let body = Box::new(abstracted(body, parts, vars));
            Term::Bind { universal: *universal, var: var.clone(), sort: sort.clone(), body }
        }
    }
}
