//! Resolution of names in formulas: their meaning, number of arguments, and the states in which they may occur.

use super::expr::Reason;
use super::{Callee, Checker, LocalName};
use crate::fol::ast::{self, Ident};
use crate::fol::closure;
use crate::fol::names::{Global, UnitKind};
use crate::fol::sorts::Ty;
use crate::fol::typed::{Expr, Kind, LocalId, UnitId};
use crate::shared::report::suggest;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::SymId;

/// Returns the error that `name` takes a different number of arguments.
pub(crate) fn wrong_count(name: &Ident, at: Span, found: usize, wanted: usize, decl: Span) -> Diagnostic {
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!("`{}` takes {wanted} argument{plural}, but {found} are given", name.name);
    Diagnostic::error(Code::Arity, at, message)
        .label(format!("expected {wanted} argument{plural}"))
        .also(decl, "declared here")
}

/// The syntactic context of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NamePosition {
    /// In a formula, without arguments.
    Term,
    /// In a formula, with arguments.
    Applied,
    /// Outside of formulas, where a declared symbol is required.
    Symbol,
}

impl Checker<'_, '_> {
    /// Checks a name with its primes and arguments.
    #[inline(never)]
    pub(crate) fn reference(
        &mut self,
        name: &Ident,
        primes: u32,
        args: Option<&[ast::Expr]>,
        span: Span,
    ) -> (Kind, Ty) {
        if let Some(&local) = self.scope.get(&name.name).and_then(|stack| stack.last()) {
            return self.variable(local, name, primes, args);
        }
        if let Some((_, meaning)) = self.local_names.iter().find(|(known, _)| *known == &*name.name) {
            return match meaning.clone() {
                LocalName::Symbol(sym) => self.symbol(sym, name, primes, args, span),
                LocalName::Formula(callee) => self.call(&callee, name, primes, args, span),
            };
        }
        match self.globals.get(&name.name) {
            Some((Global::Symbol(sym), _)) => self.symbol(sym, name, primes, args, span),
            Some((Global::Unit(unit), _)) => {
                let info = &self.globals.units[unit];
                let (states, decl) = (info.states, info.name_span());
                let callee = Callee { unit, states, sorts: self.param_sorts[unit].clone(), decl };
                self.call(&callee, name, primes, args, span)
            }
            None => {
                let (plain, sort) = match name.name.split_once(':') {
                    Some((plain, sort)) => (plain, Some(sort)),
                    None => (&*name.name, None),
                };
                if let (true, Some([arg])) = (self.globals.overloads && is_extraction(plain), args) {
                    return self.extraction(plain, sort, arg);
                }
                if let Some(sym) = self.numeral_of_sort(name) {
                    return self.symbol(sym, name, primes, args, span);
                }
                self.undeclared(
                    name,
                    if args.is_some() { NamePosition::Applied } else { NamePosition::Term },
                );
                self.check_only(args.unwrap_or_default());
                (Kind::Error, Ty::Unknown)
            }
        }
    }

    /// Checks arguments without expected sorts.
    #[inline(never)]
    fn check_only(&mut self, args: &[ast::Expr]) {
        for arg in args {
            // Their variables need no sort, so that one error does not cause further reports.
            let (checked, ty) = self.expr(arg, None);
            self.sorts.unify(ty, Ty::Unknown, checked.span);
        }
    }

    #[inline(never)]
    fn variable(
        &mut self,
        local: LocalId,
        name: &Ident,
        primes: u32,
        args: Option<&[ast::Expr]>,
    ) -> (Kind, Ty) {
        let bound = self.body.locals[local].span;
        if primes > 0 {
            self.report.push(
                Diagnostic::error(
                    Code::State,
                    name.span(),
                    format!("the variable `{}` is primed", name.name),
                )
                .label("variables are the same in all states")
                .also(bound, "bound here"),
            );
        }
        if let Some(args) = args {
            self.report.push(
                Diagnostic::error(
                    Code::Arity,
                    name.span(),
                    format!("the variable `{}` is applied to arguments", name.name),
                )
                .label("not a relation, function or definition")
                .also(bound, "bound here"),
            );
            self.check_only(args);
            return (Kind::Error, Ty::Unknown);
        }
        (Kind::Local(local), self.body.locals[local].ty)
    }

    #[inline(never)]
    fn symbol(
        &mut self,
        sym: SymId,
        name: &Ident,
        primes: u32,
        args: Option<&[ast::Expr]>,
        span: Span,
    ) -> (Kind, Ty) {
        let symbol = &self.globals.sig.symbols[sym];
        let is_mutable = symbol.kind.is_mutable();
        let decl = symbol.span.unwrap_or(span);
        let state = u64::from(self.state) + u64::from(primes);
        if is_mutable && self.context.states == 0 {
            self.report.push(
                Diagnostic::error(
                    Code::State,
                    name.span(),
                    format!("`{}` is mutable and cannot be used here", name.name),
                )
                .label("only immutable symbols here")
                .also(decl, "declared mutable here")
                .note(self.states_of_context()),
            );
        } else if primes > 0 && !is_mutable {
            self.report.push(
                Diagnostic::error(
                    Code::State,
                    name.span(),
                    format!("`{}` is immutable and cannot be primed", name.name),
                )
                .label("the same in all states")
                .also(decl, "declared immutable here")
                .help(format!("write `{}` without a prime", name.name)),
            );
        } else if is_mutable && state >= u64::from(self.context.states) {
            self.too_many_primes(name, primes);
        }
        let state = if is_mutable { state.min(u64::from(self.context.states)) as u16 } else { 0 };
        let sorts = self.globals.symbols[sym].args.clone();
        let result = self.globals.symbols[sym].result;
        match self.arguments(name, args, &sorts, decl, span) {
            Some(args) => (Kind::App { sym, state, args }, result),
            None => (Kind::Error, result),
        }
    }

    #[inline(never)]
    fn too_many_primes(&mut self, name: &Ident, primes: u32) {
        let shown = format!("{}{}", name.name, "'".repeat(primes.min(3) as usize));
        let mut error =
            Diagnostic::error(Code::State, name.span(), format!("`{shown}` is read beyond the last state"))
                .label("there is no such state here")
                .note(self.states_of_context());
        if self.state > 0 {
            error = error.note("inside `new`, symbols are read in the next state already");
        }
        self.report.push(error);
    }

    #[inline(never)]
    fn call(
        &mut self,
        &Callee { unit, states, ref sorts, decl }: &Callee,
        name: &Ident,
        primes: u32,
        args: Option<&[ast::Expr]>,
        span: Span,
    ) -> (Kind, Ty) {
        let state = self.call_state(states, primes, name.span(), decl, &name.name);
        match self.arguments(name, args, sorts, decl, span) {
            Some(args) => (Kind::Call { unit, state, args }, Ty::Bool),
            None => (Kind::Error, Ty::Bool),
        }
    }

    /// Returns the state in which a formula over `states` states is called, and reports an error if its last state does
    /// not exist.
    #[inline(never)]
    fn call_state(&mut self, states: u16, primes: u32, at: Span, decl: Span, name: &str) -> u16 {
        let state = u64::from(self.state) + u64::from(primes);
        let available = u64::from(self.context.states);
        // A formula over no states may be called everywhere, but priming it beyond the last state is an error.
        let fits = state + u64::from(states) <= available || (states == 0 && state == 0);
        let beyond = states == 0 && state > 0 && state >= available;
        if !fits || beyond {
            let plural = if states == 1 { "" } else { "s" };
            let primed = if primes > 0 { " primed" } else { "" };
            let mut error =
                Diagnostic::error(Code::State, at, format!("`{name}` cannot be used{primed} here"))
                    .label(format!("this reads {states} state{plural} from here on"))
                    .also(decl, "declared here")
                    .note(self.states_of_context());
            if self.state > 0 {
                error = error.note("inside `new`, formulas are read from the next state on");
            }
            self.report.push(error);
        }
        state.min(available) as u16
    }

    /// Checks `safety`, the conjunction of all safety properties.
    pub(crate) fn safety(&mut self, primes: u32, span: Span) -> Kind {
        Kind::Safety { state: self.call_state(1, primes, span, span, "safety") }
    }

    /// Checks arguments against the declared sorts. Returns `None` if their number is wrong.
    #[inline(never)]
    fn arguments(
        &mut self,
        name: &Ident,
        args: Option<&[ast::Expr]>,
        sorts: &[Ty],
        decl: Span,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let given = args.unwrap_or_default();
        let error = match (args, sorts.len()) {
            (None, 0) => return Some(Vec::new()),
            (Some([]), 0) => {
                Diagnostic::error(Code::Arity, span, format!("`{}` takes no arguments", name.name))
                    .label("no parentheses here")
                    .also(decl, "declared here")
                    .help(format!("write `{}`", name.name))
            }
            (None, _) => wrong_count(name, span, 0, sorts.len(), decl),
            (Some(_), count) if given.len() != count => wrong_count(name, span, given.len(), count, decl),
            _ => {
                let check = |(arg, &ty)| self.expr(arg, Some((ty, Reason::Argument(decl)))).0;
                return Some(given.iter().zip(sorts).map(check).collect());
            }
        };
        self.report.push(error);
        self.check_only(given);
        None
    }

    /// Returns the transition of this name, for a trace.
    pub(crate) fn transition(&mut self, name: &Ident) -> Option<UnitId> {
        let (what, noun) = (self.globals.terminology.a_transition(), self.globals.terminology.transition);
        match self.globals.get(&name.name) {
            Some((Global::Unit(unit), _)) if self.globals.units[unit].kind == UnitKind::Transition => {
                return Some(unit);
            }
            Some((global, span)) => self.report.push(
                Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("`{}` is {}, not {what}", name.name, self.globals.describe(global)),
                )
                .label(format!("expected {what}"))
                .also(span, "declared here"),
            ),
            None if self.globals.is_broken(&name.name) || self.report.is_full() => {}
            None => {
                let transitions = self.globals.units.iter().filter(|unit| unit.kind == UnitKind::Transition);
                let names = transitions.filter_map(|unit| unit.name).map(|name| &*name.name);
                let near = suggest(&name.name, names).map(str::to_owned);
                let mut error = Diagnostic::error(
                    Code::Undeclared,
                    name.span(),
                    format!("the {noun} `{}` is not declared", name.name),
                )
                .label(format!("unknown {noun}"));
                if let Some(near) = near {
                    error = error.help(format!("did you mean `{near}`?"));
                }
                self.report.push(error);
            }
        }
        None
    }

    /// Reports an undeclared name.
    #[inline(never)]
    pub(crate) fn undeclared(&mut self, name: &Ident, place: NamePosition) {
        if self.globals.is_broken(&name.name) || self.report.is_full() {
            return;
        }
        let mut candidates: Vec<&str> = self.globals.names().collect();
        if place == NamePosition::Term {
            let in_scope = self.scope.iter().filter(|(_, stack)| !stack.is_empty());
            candidates.extend(in_scope.map(|(name, _)| &**name));
        }
        let error =
            Diagnostic::error(Code::Undeclared, name.span(), format!("`{}` is not declared", name.name))
                .label("unknown name");
        let foreign = (self.globals.terminology.foreign)(&name.name);
        let error = match (suggest(&name.name, candidates), foreign) {
            (Some(near), None) => error.help(format!("did you mean `{near}`?")),
            (_, Some(help)) => error.help(help),
            (None, None) if closure::is_capital(&name.name) => {
                self.explain_no_variable(error, &name.name, place)
            }
            (None, None)
                if place == NamePosition::Term
                    && name.name.bytes().any(|byte| byte.is_ascii_alphabetic()) =>
            {
                let closed = match self.context.unclosed {
                    Some(_) => String::new(),
                    None => format!(
                        ", or implicitly where they are in capital letters: `{}`",
                        name.name.to_uppercase()
                    ),
                };
                let single = if self.context.is_of_command {
                    let local = self.globals.terminology.local;
                    format!("; one element is a parameter of the action, or declared by {local}")
                } else {
                    String::new()
                };
                error.help(format!("variables are bound by `forall` or `exists`{closed}{single}"))
            }
            (None, None) => error,
        };
        self.report.push(error);
    }

    /// Adds a note why a name in capital letters is not a variable here.
    fn explain_no_variable(&self, error: Diagnostic, name: &str, place: NamePosition) -> Diagnostic {
        match (place, self.context.unclosed) {
            (NamePosition::Symbol, _) => error.note("capital letters are variables in formulas, not here"),
            (NamePosition::Term, Some(why)) => error.note(format!("capital letters are no variables here: {why}")),
            _ => error
                .note("capital letters without arguments are variables; with arguments, they are names like others")
                .help(format!("declare `{name}` as a relation or function")),
        }
    }
}

/// Returns a numeral, or a text in quotes, without its sort, and the sort, if it is given: `2:t`. Other names are none.
pub(crate) fn literal(name: &str) -> Option<(&str, Option<&str>)> {
    let end = match name.strip_prefix('"') {
        Some(rest) => rest.find('"')? + 2,
        None => name.bytes().take_while(u8::is_ascii_digit).count(),
    };
    let (literal, rest) = name.split_at_checked(end).filter(|(literal, _)| !literal.is_empty())?;
    match rest {
        "" => Some((literal, None)),
        _ => Some((literal, Some(rest.strip_prefix(':')?))),
    }
}

/// Returns whether a name stands for some of the bits of a number: `bfe[0][3]`.
pub(crate) fn is_extraction(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let ends =
        name.strip_prefix("bfe[").and_then(|it| it.strip_suffix(']')).and_then(|it| it.split_once("]["));
    ends.is_some_and(|(low, high)| is_number(low) && is_number(high))
}
