//! Definitions by recursion over numbers: `definition { f(X) = base if X <= 0 else step(f(X - 1)) } proof { apply rec[t] }`. There
//! is one such function, whatever the rest of the program says, and proofs use its equation.

use std::sync::Arc;

use super::mentions::Mentions;
use super::rules::Rule;
use super::table::FactKind;
use super::terms::{Op, Sort, Term};
use crate::ivy::ast::{DeclKind, Ident, Interpretation, Recursion, SortedVar};
use crate::ivy::expand::declarations::renamed;
use crate::ivy::expand::flat::Flat;
use crate::ivy::expand::isolates::Presence;
use crate::ivy::expand::state::Expander;
use crate::program::ast::{BinaryOp, Item};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The first minor version in which what proofs assume never changes, as the numbers that a definition by recursion gives.
pub(in crate::ivy) const FIRST_WITH_RECURSION: u32 = 7;

/// The keywords of declarations that say nothing else of a symbol.
const PLAIN: &[&str] = &["function", "relation"];

/// What is said of a definition that does not fit.
const FORM: &str =
    "write `definition { f(X) = base if X <= 0 else step }`, where `f` occurs in `step` alone, as `f(X - 1)`";

impl<'a> Expander<'a, '_> {
    /// Reports definitions by recursion of which it is not known that there is one such function.
    pub(in crate::ivy::expand) fn check_recursion(&mut self, flat: &[Flat<'a>], items: &[Item]) {
        if self.recursive.is_empty() {
            return;
        }
        // By symbol, those that its definition mentions.
        let mut uses: Map<Arc<str>, Set<Arc<str>>> = Map::default();
        let mut found: Vec<(Arc<str>, Span)> = Vec::new();
        for &flat in flat.iter().filter(|it| it.presence != Presence::Absent) {
            let DeclKind::Definition { name, recursion: Some(recursion), .. } = &flat.decl.kind else {
                continue;
            };
            let full = self.scopes.resolve(flat.scope, &name.name).name;
            let Some(rule) = self.recursive_rule(flat, &full, name, recursion) else { continue };
            self.keep_rigid(&rule, flat.decl.span());
            let mut names = Set::default();
            rule.add_symbols(&mut names);
            names.remove(&full);
            uses.insert(full.clone(), names);
            found.push((full, name.span()));
        }
        let recursive: Set<Arc<str>> = uses.keys().cloned().collect();
        let mentions = Mentions::of(self, uses, items);
        for (symbol, span) in found {
            let seen = mentions.behind(&symbol);
            if seen.contains(&symbol) {
                let through = seen.iter().find(|it| **it != &symbol && recursive.contains(**it));
                let message = format!("`{symbol}` depends on itself");
                let error = Diagnostic::error(Code::Recursive, span, message);
                self.report.push(match through {
                    Some(other) => error.label(format!("by the definition of `{other}` as well")).help(FORM),
                    None => error.label("by other definitions as well").help(FORM),
                });
            }
        }
    }

    /// Returns the equation of a definition by recursion; `None` if it has another form, which is reported.
    fn recursive_rule(
        &mut self,
        flat: Flat<'a>,
        full: &Arc<str>,
        name: &Ident,
        recursion: &Recursion,
    ) -> Option<Rule> {
        let error = |code, span, message: String| Some(Diagnostic::error(code, span, message));
        let fact = self.facts.get(full).copied();
        let FactKind::Definition(symbol, params, body) = fact?.kind else { return None };
        self.check_distinct(params);
        let of = recursion.schema.name.strip_prefix("rec[").and_then(|it| it.strip_suffix(']'));
        let sort = self.scopes.resolve(flat.scope, of.unwrap_or_default()).name;
        let has_least = |ends: &[Arc<str>; 2]| *ends[0] == *"0";
        let is_number = match self.interpreted.get(&sort).map(|(meaning, _)| meaning) {
            Some(Interpretation::Range(..)) => self.range_ends.get(&sort).is_some_and(has_least),
            _ => self.numbers.contains_key(&sort),
        };
        let problem = if !self.is_plain(full) {
            let message = format!("`{full}` has a meaning without this definition");
            error(Code::Duplicate, name.span(), message).map(|it| {
                it.label("defined by recursion here")
                    .help("a symbol that is defined by recursion is declared by `function` or `relation`, and defined once")
            })
        } else if !is_number {
            let message = format!("there is no schema `{}` here", recursion.schema.name);
            error(Code::Program, recursion.schema.span(), message).map(|it| {
                it.label("not known").help(
                    "`rec[t]` is a schema of a type `t` that is interpreted as `int`, `nat`, `bv[n]` or `{0..n}`",
                )
            })
        } else {
            None
        };
        if let Some(problem) = problem {
            self.report.push(problem);
            return None;
        }
        let rule = self.equation(name.name.clone(), symbol, params, body, flat.scope).ok()?;
        // For all values of a further variable, the value would be several ones.
        let given: Vec<Arc<str>> = rule.vars.iter().map(|(name, _)| name.clone()).collect();
        let free = rule
            .conclusion
            .free()
            .into_iter()
            .map(|(name, _)| SortedVar { name: renamed(name, body.span()), sort: None });
        self.check_bound(&free.collect::<Vec<_>>(), &given);
        if !is_recursion(&rule, full, &sort) {
            let message = format!("`{full}` depends on itself, and not as `{}` says", recursion.schema.name);
            self.report.push(
                Diagnostic::error(Code::Recursive, body.span(), message)
                    .label("there may be no such function, or several")
                    .help(FORM),
            );
            return None;
        }
        Some(rule)
    }

    /// Returns whether nothing but one definition by recursion says what a symbol is.
    fn is_plain(&self, full: &Arc<str>) -> bool {
        self.plain.get(full).is_some_and(|count| *count == 1) && !self.is_defined(full)
    }

    /// Counts the declarations and definitions of a symbol that may be defined by recursion.
    pub(in crate::ivy::expand) fn count_meanings(&mut self, flat: &[Flat<'a>]) {
        if self.recursive.is_empty() {
            return;
        }
        let mut count = |name: Arc<str>, by: usize| *self.plain.entry(name).or_default() += by;
        // What is declared in another way, or defined otherwise as well, counts twice. Instances of a module have one declaration.
        for flat in flat {
            match &flat.decl.kind {
                DeclKind::Symbols { keyword, symbols } => {
                    for symbol in symbols {
                        let is_plain = PLAIN.contains(&&**keyword) && symbol.definition.is_none();
                        count(self.scopes.full(flat.scope, &symbol.name.name), if is_plain { 1 } else { 2 });
                    }
                }
                DeclKind::Definition { name, recursion, .. } => {
                    let known = self.scopes.resolve(flat.scope, &name.name).name;
                    let is_first =
                        recursion.is_some() && self.facts.get(&known).is_some_and(|fact| fact.at == flat.at);
                    count(known, if is_first { 0 } else { 2 });
                }
                DeclKind::Choice(choice) => count(self.scopes.resolve(flat.scope, &choice.name.name).name, 2),
                DeclKind::Native { of: Some(name), .. } => {
                    count(self.scopes.resolve(flat.scope, &name.name).name, 2);
                }
                DeclKind::Formula { named: Some((name, _)), .. }
                | DeclKind::Unchecked { named: Some((name, _)), .. } => {
                    count(self.scopes.full(flat.scope, &name.name), 2);
                }
                _ => {}
            }
        }
    }
}

/// Returns whether an equation is `f(.., X, ..) = base if X <= 0 else step`, where `X` is of the sort, and `f` occurs in `step` alone,
/// as `f(.., X - 1, ..)`.
fn is_recursion(rule: &Rule, symbol: &Arc<str>, sort: &Sort) -> bool {
    let Term::Op(Op::Equal | Op::Iff, sides) = &rule.conclusion else { return false };
    let [Term::App(_, params, _), Term::Op(Op::If, parts)] = sides.as_slice() else { return false };
    let [condition, base, step] = parts.as_slice() else { return false };
    let Term::Op(Op::Order(BinaryOp::LessEqual), compared) = condition else { return false };
    let [var @ Term::Var(_, of), zero] = compared.as_slice() else { return false };
    let mut used = Set::default();
    base.add_symbols(&mut used);
    let places = params.iter().filter(|&param| param == var).count();
    let step_is_less = |args: &[Term]| {
        args.len() == params.len() && args.iter().zip(params).all(|(arg, param)| match arg {
            Term::Op(Op::Number(BinaryOp::Minus), sides) => {
                matches!(sides.as_slice(), [left, one] if left == var && param == var && is_numeral(one, "1"))
            }
            _ => arg == param && param != var,
        })
    };
    of == sort
        && places == 1
        && is_numeral(zero, "0")
        && !used.contains(symbol)
        && calls(step, &mut |term| match term {
            Term::App(name, args, _) => name != symbol || step_is_less(args),
            // What a quantifier binds is another variable.
            Term::Bind { var, .. } => {
                !params.iter().any(|it| matches!(it, Term::Var(name, _) if name == var))
            }
            _ => true,
        })
}

fn is_numeral(term: &Term, text: &str) -> bool {
    matches!(term, Term::App(name, args, _) if args.is_empty() && name.split(':').next() == Some(text))
}

/// Returns whether a condition holds of all parts of a term.
fn calls(term: &Term, holds: &mut impl FnMut(&Term) -> bool) -> bool {
    let mut all = holds(term);
    term.for_each_child(|child| all = all && calls(child, holds));
    all
}
