//! The older dialect, and its translation to the newer one.
//!
//! In the older dialect, `old(..)` marks the old state in formulas over two states, and what is not marked is read in the
//! new state. In the translation, a prime follows each name outside of `old(..)` that depends on the state, and `old(..)`
//! itself is gone. A prime concerns the name before it and not its arguments, so nothing else changes, and all
//! positions stay. Everything after the translation knows the newer dialect only.

use std::borrow::Cow;
use std::sync::Arc;

use super::ast::{
    Decl, DeclKind, DefinitionDecl, DefinitionKind, Dialect, FbiiInvariant, FbiiItem, FbiiStep, Mutability,
    Program, SymbolDecl,
};
use crate::fol::ast::{Expr, ExprKind, Ident, Place, SortedVar, TraceCall, TraceStep};
use crate::fol::statics::expr::states_note;
use crate::shared::report::Report;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The word that marks the old state.
const MARK: &str = "old";

/// Returns the word and the expressions in parentheses of `old(..)`.
fn marked(expr: &Expr) -> Option<(&Ident, &[Expr])> {
    match &expr.kind {
        ExprKind::Ref { name, args: Some(args), .. } if &*name.name == MARK => Some((name, args)),
        _ => None,
    }
}

/// Returns the dialect of these declarations. Where `old` is declared, `old(..)` applies what it names.
pub(super) fn of(decls: &[Decl]) -> Dialect {
    match first(decls, |expr| marked(expr).map(|(word, _)| word.span())) {
        Some(mark) if !decls.iter().filter_map(Decl::name).any(|name| &*name.name == MARK) => {
            Dialect::Older(Place(mark))
        }
        _ => Dialect::Newer,
    }
}

/// Returns the first place that `find` returns for a subexpression of the declarations.
fn first(decls: &[Decl], find: impl Fn(&Expr) -> Option<Span>) -> Option<Span> {
    fn within(expr: &Expr, find: &impl Fn(&Expr) -> Option<Span>) -> Option<Span> {
        let mut found = find(expr);
        expr.for_each_child(|child| found = found.or_else(|| within(child, find)));
        found
    }
    let mut found = None;
    for decl in decls {
        decl.for_each_formula(|formula| found = found.or_else(|| within(formula, &find)));
        if found.is_some() {
            break;
        }
    }
    found
}

/// Returns the place of a mark of the newer dialect.
fn new_mark(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::New(_) => Some(expr.span()),
        ExprKind::Ref { name, primes: 1.., .. } => Some(name.span()),
        ExprKind::Safety { primes: 1.. } => Some(expr.span()),
        _ => None,
    }
}

/// The declared names, with what their states depend on.
pub(super) struct Names(Map<Arc<str>, Meaning>);

#[derive(Clone, Copy)]
enum Meaning {
    Symbol(Mutability),
    /// A formula over this number of states.
    Formula(u16),
}

impl Names {
    /// Collects the names. The first declaration of a name counts.
    pub(super) fn of(decls: &[Decl]) -> Names {
        let mut names = Map::default();
        for decl in decls {
            let Some(name) = decl.name() else { continue };
            let meaning = match &decl.kind {
                DeclKind::Symbol(symbol) => Meaning::Symbol(symbol.mutability),
                _ => Meaning::Formula(decl.kind.states().0),
            };
            names.entry(name.name.clone()).or_insert(meaning);
        }
        Names(names)
    }
}

/// Returns the program in the newer dialect, and reports that it is in the older one.
pub(super) fn translated<'p>(program: &'p Program, report: &mut Report) -> Cow<'p, Program> {
    let Dialect::Older(Place(mark)) = program.dialect else { return Cow::Borrowed(program) };
    match first(&program.decls, new_mark) {
        Some(new) => report.push(both(mark, new)),
        None => report.push(
            Diagnostic::remark(
                Code::Dialect,
                mark,
                "the model is in the older dialect, which marks the old state",
            )
            .label("the old state; what is not marked is read in the new one")
            .note("the newer dialect marks the new state, by a prime or `new(..)`"),
        ),
    }
    let names = Names::of(&program.decls);
    let decls = program.decls.iter().map(|decl| translated_decl(decl, &names, report)).collect();
    Cow::Owned(Program { decls, ..*program })
}

/// Returns a declaration of a separate formula in the newer dialect, which it may be written in. `names` are those of its
/// model.
pub(super) fn translated_formula(decl: Decl, names: &Names, report: &mut Report) -> Decl {
    let decls = std::slice::from_ref(&decl);
    let Dialect::Older(Place(mark)) = of(decls) else { return decl };
    if names.0.contains_key(MARK) {
        return decl;
    }
    if let Some(new) = first(decls, new_mark) {
        report.push(both(mark, new));
    }
    translated_decl(&decl, names, report)
}

/// Returns the error that both dialects are used.
fn both(mark: Span, new: Span) -> Diagnostic {
    Diagnostic::error(Code::Dialect, new, "the new state is marked, and elsewhere the old state")
        .label("marks the new state, so that a symbol without prime or `new` is read in the old one")
        .also(mark, "marks the old state, so that what is not marked is read in the new one")
        .help("mark the same state everywhere: write `p'(x) & p(x)`, or `p(x) & old(p(x))`")
}

fn translated_decl(decl: &Decl, names: &Names, report: &mut Report) -> Decl {
    let (states, what) = decl.kind.states();
    let mut translator = Translator {
        names,
        report,
        states,
        what,
        reading: if states == 2 { Reading::New } else { Reading::AsWritten },
        modified: None,
        kept: Set::default(),
        rejected: false,
        bound: Map::default(),
    };
    Decl { kind: translator.decl(&decl.kind), place: decl.place }
}

/// Replaces the first operand by its own operands, if it has the same operator. This is how `(a & b) & c` is parsed, which
/// is the translation of `old(a & b) & old(c)`.
fn flattened(mut items: Vec<Expr>, operands: fn(&mut ExprKind) -> Option<&mut Vec<Expr>>) -> Vec<Expr> {
    if let Some(parts) = items.first_mut().and_then(|first| operands(&mut first.kind)) {
        let parts = std::mem::take(parts);
        items.splice(..1, parts);
    }
    items
}

/// How unmarked names are read.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// In the new state.
    New,
    /// In the old state, inside of `old(..)`.
    Old,
    /// As in the newer dialect.
    AsWritten,
}

/// Translates the formulas of one declaration.
struct Translator<'a, 'r> {
    names: &'a Names,
    report: &'r mut Report,
    /// The number of states of the formulas.
    states: u16,
    /// The kind of declaration, with its article.
    what: &'static str,
    reading: Reading,
    /// The symbols that a transition modifies; `None` in other declarations.
    modified: Option<Set<&'a str>>,
    /// The symbols that are read outside of `old(..)` and not modified, and were reported.
    kept: Set<&'a str>,
    /// Whether this is inside of a rejected `old(..)`.
    rejected: bool,
    /// The number of binders of each name around this place.
    bound: Map<&'a str, u32>,
}

impl<'a> Translator<'a, '_> {
    fn decl(&mut self, decl: &'a DeclKind) -> DeclKind {
        match decl {
            DeclKind::Symbol(symbol) => DeclKind::Symbol(SymbolDecl {
                axiom: symbol.axiom.as_ref().map(|axiom| self.expr(axiom)),
                ..symbol.clone()
            }),
            DeclKind::Formula { role, name, formula, proof } => DeclKind::Formula {
                role: *role,
                name: name.clone(),
                formula: self.expr(formula),
                proof: proof.clone(),
            },
            DeclKind::Theorem { states, name, formula } => {
                DeclKind::Theorem { states: *states, name: name.clone(), formula: self.expr(formula) }
            }
            DeclKind::Definition(definition) => {
                if definition.kind == DefinitionKind::Transition {
                    let names = definition.modifies.iter().flatten();
                    self.modified = Some(names.map(|name| &*name.name).collect());
                }
                definition.params.iter().for_each(|param| self.bind(param));
                DeclKind::Definition(DefinitionDecl {
                    body: self.expr(&definition.body),
                    kind: definition.kind,
                    name: definition.name.clone(),
                    params: definition.params.clone(),
                    modifies: definition.modifies.clone(),
                })
            }
            DeclKind::Trace { expect_sat, steps } => DeclKind::Trace {
                expect_sat: *expect_sat,
                steps: steps.iter().map(|step| self.trace_step(step)).collect(),
            },
            DeclKind::Fbii(steps) => DeclKind::Fbii(steps.iter().map(|step| self.fbii_step(step)).collect()),
            DeclKind::Sort { .. } | DeclKind::Broken(_) => decl.clone(),
        }
    }

    fn trace_step(&mut self, step: &'a TraceStep) -> TraceStep {
        match step {
            TraceStep::Assert(formula) => TraceStep::Assert(self.expr(formula)),
            TraceStep::Calls(calls) => TraceStep::Calls(
                calls
                    .iter()
                    .map(|call| TraceCall {
                        name: call.name.clone(),
                        args: call.args.as_ref().map(|args| {
                            args.iter().map(|arg| arg.as_ref().map(|arg| self.expr(arg))).collect()
                        }),
                        place: call.place,
                    })
                    .collect(),
            ),
            TraceStep::AssertInit | TraceStep::AnyTransition(_) => step.clone(),
        }
    }

    fn fbii_step(&mut self, step: &'a FbiiStep) -> FbiiStep {
        let mut item = |item: &'a FbiiItem| match item {
            FbiiItem::Invariant(invariant) => FbiiItem::Invariant(self.fbii_invariant(invariant)),
            FbiiItem::Select(formula) => FbiiItem::Select(self.expr(formula)),
            FbiiItem::Default(place) => FbiiItem::Default(*place),
        };
        let by = step.by.as_ref().map(|items| items.iter().map(&mut item).collect());
        FbiiStep {
            forward: step.forward,
            name: step.name.clone(),
            prophecy: step.prophecy.clone(),
            place: step.place,
            invariants: step.invariants.iter().map(|invariant| self.fbii_invariant(invariant)).collect(),
            by,
        }
    }

    fn fbii_invariant(&mut self, invariant: &'a FbiiInvariant) -> FbiiInvariant {
        FbiiInvariant { formula: self.expr(&invariant.formula), ..invariant.clone() }
    }

    fn bind(&mut self, var: &'a SortedVar) {
        *self.bound.entry(&*var.name.name).or_insert(0) += 1;
    }

    fn release(&mut self, var: &'a SortedVar) {
        if let Some(count) = self.bound.get_mut(&*var.name.name) {
            *count -= 1;
        }
    }

    fn expr(&mut self, expr: &'a Expr) -> Expr {
        // Once the budget is exhausted, nothing depends on the result.
        if !self.report.spend(1) {
            return Expr::new(ExprKind::Bool(true), expr.span());
        }
        if let Some((word, args)) = marked(expr) {
            return self.old(word, args, expr.span());
        }
        let kind = match &expr.kind {
            ExprKind::Ref { name, primes, args } => ExprKind::Ref {
                name: name.clone(),
                primes: if *primes == 0 && self.is_new(name) { 1 } else { *primes },
                args: args.as_ref().map(|args| self.list(args)),
            },
            ExprKind::Safety { primes } => ExprKind::Safety {
                primes: if self.reading == Reading::New { (*primes).max(1) } else { *primes },
            },
            ExprKind::New(inner) => ExprKind::New(self.read(inner, Reading::AsWritten)),
            ExprKind::And(items) => ExprKind::And(flattened(self.list(items), |first| match first {
                ExprKind::And(items) => Some(items),
                _ => None,
            })),
            ExprKind::Or(items) => ExprKind::Or(flattened(self.list(items), |first| match first {
                ExprKind::Or(items) => Some(items),
                _ => None,
            })),
            ExprKind::Quantifier { universal, vars, body } => {
                vars.iter().for_each(|var| self.bind(var));
                let body = Box::new(self.expr(body));
                vars.iter().for_each(|var| self.release(var));
                ExprKind::Quantifier { universal: *universal, vars: vars.clone(), body }
            }
            ExprKind::Let { var, parts } => {
                let value = self.expr(&parts[0]);
                self.bind(var);
                let body = self.expr(&parts[1]);
                self.release(var);
                ExprKind::Let { var: var.clone(), parts: Box::new([value, body]) }
            }
            _ => expr.map_children(|child| self.expr(child)),
        };
        Expr::new(kind, expr.span())
    }

    #[inline(never)]
    fn list(&mut self, items: &'a [Expr]) -> Vec<Expr> {
        let mut translated = Vec::with_capacity(items.len());
        for item in items {
            translated.push(self.expr(item));
        }
        translated
    }

    /// Translates an expression whose unmarked names are read like this.
    #[inline(never)]
    fn read(&mut self, expr: &'a Expr, reading: Reading) -> Box<Expr> {
        let outside = std::mem::replace(&mut self.reading, reading);
        let translated = Box::new(self.expr(expr));
        self.reading = outside;
        translated
    }

    /// Translates `old(..)`.
    #[inline(never)]
    fn old(&mut self, word: &Ident, args: &'a [Expr], span: Span) -> Expr {
        let outside = self.rejected;
        if !self.rejected {
            self.rejected = self.rejects(word, args, span);
        }
        let reading = if self.states == 2 { Reading::Old } else { Reading::AsWritten };
        let translated = match args.first() {
            Some(arg) => *self.read(arg, reading),
            None => Expr::new(ExprKind::Bool(true), span),
        };
        self.rejected = outside;
        translated
    }

    /// Reports that `old(..)` is not possible here.
    #[inline(never)]
    fn rejects(&mut self, word: &Ident, args: &[Expr], span: Span) -> bool {
        let error = if self.states < 2 {
            Diagnostic::error(Code::State, word.span(), "there is no old state here")
                .label("`old` marks the state before a step")
                .note(states_note(self.what, self.states))
                .help("leave `old` out; transitions speak of two states, and definitions and theorems that are `twostate`")
        } else if self.reading == Reading::Old {
            Diagnostic::error(Code::State, word.span(), "`old` inside of `old`")
                .label("everything here is read in the old state already")
                .help("leave the inner `old` out")
        } else if args.len() != 1 {
            Diagnostic::error(
                Code::Arity,
                span,
                format!("`old` takes 1 expression, but {} are given", args.len()),
            )
            .label("expected one formula or term")
            .help("write `old(p(x))`")
        } else {
            return false;
        };
        self.report.push(error);
        true
    }

    /// Returns whether an unmarked name is read in the new state.
    #[inline(never)]
    fn is_new(&mut self, name: &'a Ident) -> bool {
        if self.bound.get(&*name.name).is_some_and(|&count| count > 0) {
            return false;
        }
        match (self.names.0.get(&name.name), self.reading) {
            (Some(Meaning::Symbol(Mutability::Mutable)), Reading::New) => self.is_modified(name),
            (Some(Meaning::Symbol(Mutability::Derived) | Meaning::Formula(1)), Reading::New) => true,
            (Some(Meaning::Formula(2)), Reading::Old) => {
                self.report.push(
                    Diagnostic::error(
                        Code::State,
                        name.span(),
                        format!("`{}` cannot be used inside of `old`", name.name),
                    )
                    .label("this reads both states")
                    .help("`old` marks what is read in the old state alone"),
                );
                false
            }
            _ => false,
        }
    }

    /// Returns whether a mutable symbol may change here. What a transition does not modify is the same in both states, so
    /// it is read in the old one.
    fn is_modified(&mut self, name: &'a Ident) -> bool {
        if self.modified.as_ref().is_none_or(|modified| modified.contains(&*name.name)) {
            return true;
        }
        if self.kept.insert(&name.name) {
            self.report.push(
                Diagnostic::warning(
                    Code::Modifies,
                    name.span(),
                    format!("`{}` is read outside of `old`, but is not in `modifies`", name.name),
                )
                .label("the same in both states")
                .help(format!(
                    "add `{}` to `modifies` if it changes, or put it inside of `old(..)`",
                    name.name
                )),
            );
        }
        false
    }
}
