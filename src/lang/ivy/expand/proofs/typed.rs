//! Expressions of the flat program as terms, whose sorts are inferred, and terms as expressions.

use std::sync::Arc;

use super::terms::{BOOL, Failed, Op, Read, Sort, Subst, Term, fresh, operator};
use crate::fol::statics::names::literal;
use crate::ivy::ast::{Expr, ExprKind, Ident, Place, SortName, SortRef, SortedVar};
use crate::ivy::expand::exprs::reference;
use crate::ivy::expand::formulas::is_variable;
use crate::ivy::expand::state::{Expander, MAX_HEIGHT, MAX_NODES, UNKNOWN};
use crate::program::ast::BinaryOp;
use crate::shared::report::suggest;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// Sorts that are being inferred. A name that begins with `?` stands for a sort that is not known yet.
#[derive(Default)]
struct Inference {
    known: Map<Sort, Sort>,
    count: usize,
}

impl Inference {
    fn open(&mut self) -> Sort {
        self.count += 1;
        format!("?{}", self.count).into()
    }

    fn resolve(&self, sort: &Sort) -> Sort {
        let mut sort = sort;
        while let Some(next) = self.known.get(sort) {
            sort = next;
        }
        sort.clone()
    }

    fn unify(&mut self, left: &Sort, right: &Sort) -> bool {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if left == right {
            return true;
        }
        if is_open(&left) {
            self.known.insert(left, right);
        } else if is_open(&right) {
            self.known.insert(right, left);
        } else {
            return false;
        }
        true
    }
}

fn is_open(sort: &str) -> bool {
    sort.starts_with('?')
}

/// Returns the name of a sort.
pub(super) fn sort_name(sort: &SortRef) -> Sort {
    match &sort.name {
        SortName::Bool => BOOL.into(),
        SortName::Int => "int".into(),
        SortName::Named(name) => name.clone(),
    }
}

/// Returns the sort of this name.
pub(super) fn sort_ref(sort: &str, place: Place) -> SortRef {
    let name = match sort {
        BOOL => SortName::Bool,
        "int" => SortName::Int,
        _ => SortName::Named(sort.into()),
    };
    SortRef { name, place }
}

/// The variables that an expression may mention.
#[derive(Clone, Default)]
pub(super) struct Vars {
    /// Their names and sorts; a sort that is not known is to be inferred.
    pub(super) known: Vec<(Arc<str>, Option<Sort>)>,
}

impl Vars {
    /// Adds a variable, unless it is known.
    pub(super) fn add(&mut self, name: &Arc<str>, sort: Option<Sort>) {
        match self.known.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = known.take().or(sort),
            None => self.known.push((name.clone(), sort)),
        }
    }
}

struct Reader<'e, 'a, 'r> {
    expander: &'e mut Expander<'a, 'r>,
    sorts: Inference,
    free: Vec<(Arc<str>, Sort)>,
    bound: Vec<(Arc<str>, Sort)>,
}

impl<'a> Expander<'a, '_> {
    /// Reads expressions of the flat program as terms of a sort, if one is expected. Variables that are not known are free, and those
    /// of the same name are the same ones.
    pub(super) fn typed_all(&mut self, exprs: &[(&Expr, Option<&Sort>)], vars: &Vars) -> Read<Vec<Term>> {
        let mut sorts = Inference::default();
        let free = vars
            .known
            .iter()
            .map(|(name, sort)| (name.clone(), sort.clone().unwrap_or_else(|| sorts.open())));
        let free: Vec<(Arc<str>, Sort)> = free.collect();
        let mut reader = Reader { expander: self, sorts, free, bound: Vec::new() };
        let mut terms = Vec::new();
        for (expr, expected) in exprs {
            let term = reader.term(expr)?;
            if let Some(expected) = expected {
                reader.same(&term.sort(), expected, expr.span())?;
            }
            terms.push(term);
        }
        let Reader { sorts, .. } = reader;
        let keys: Vec<Sort> = sorts.known.keys().cloned().collect();
        let mut subst = Subst::default();
        for sort in keys {
            let known = sorts.resolve(&sort);
            subst.sorts.insert(sort, known);
        }
        let terms: Vec<Term> = terms.iter().map(|term| subst.apply(term)).collect();
        for (term, (expr, _)) in terms.iter().zip(exprs) {
            if let Some(name) = open_name(term) {
                self.report.push(
                    Diagnostic::error(
                        Code::SortUnknown,
                        expr.span(),
                        format!("the type of `{name}` does not follow from this"),
                    )
                    .label("in this formula or term of a proof")
                    .help("give the type where the variable or numeral occurs: `X:t`, `0:t`"),
                );
                return Err(Failed);
            }
        }
        Ok(terms)
    }
}

/// Returns the name of a part whose sort is not known.
fn open_name(term: &Term) -> Option<Arc<str>> {
    match term {
        Term::Var(name, sort) | Term::App(name, _, sort) | Term::Bind { var: name, sort, .. }
            if is_open(sort) =>
        {
            return Some(name.clone());
        }
        _ => {}
    }
    let mut found = None;
    term.for_each_child(|child| found = found.take().or_else(|| open_name(child)));
    found
}

impl Reader<'_, '_, '_> {
    fn same(&mut self, found: &Sort, wanted: &Sort, span: Span) -> Read<()> {
        if self.sorts.unify(found, wanted) {
            return Ok(());
        }
        let (found, wanted) = (self.sorts.resolve(found), self.sorts.resolve(wanted));
        self.expander.report.push(
            Diagnostic::error(
                Code::SortMismatch,
                span,
                format!("this is of type `{}`, not of type `{}`", shown(&found), shown(&wanted)),
            )
            .label("another type"),
        );
        Err(Failed)
    }

    fn formula(&mut self, expr: &Expr) -> Read<Term> {
        let term = self.term(expr)?;
        self.same(&term.sort(), &BOOL.into(), expr.span())?;
        Ok(term)
    }

    fn fold(&mut self, op: Op, items: &[Expr], empty: Op) -> Read<Term> {
        let mut folded = None;
        for item in items {
            let item = self.formula(item)?;
            folded = Some(match folded {
                Some(before) => Term::op(op, [before, item]),
                None => item,
            });
        }
        Ok(folded.unwrap_or_else(|| Term::op(empty, [])))
    }

    #[inline(never)]
    fn term(&mut self, expr: &Expr) -> Read<Term> {
        let span = expr.span();
        if !self.expander.report.spend(1) {
            return Err(Failed);
        }
        Ok(match &expr.kind {
            ExprKind::Bool(true) => Term::op(Op::True, []),
            ExprKind::Bool(false) => Term::op(Op::False, []),
            ExprKind::Int(number) => Term::App(number.clone(), Vec::new(), self.sorts.open()),
            ExprKind::Ref { name, args, .. } => {
                return self.reference(expr, name, args.as_deref().unwrap_or_default());
            }
            ExprKind::Not(inner) => Term::op(Op::Not, [self.formula(inner)?]),
            ExprKind::And(items) => self.fold(Op::And, items, Op::True)?,
            ExprKind::Or(items) => self.fold(Op::Or, items, Op::False)?,
            ExprKind::Binary { op: op @ (BinaryOp::Iff | BinaryOp::Implies), sides, .. } => {
                Term::op(operator(*op), [self.formula(&sides[0])?, self.formula(&sides[1])?])
            }
            ExprKind::Binary { op, sides, .. } => {
                let (left, right) = (self.term(&sides[0])?, self.term(&sides[1])?);
                self.same(&right.sort(), &left.sort(), sides[1].span())?;
                let is_formula = *self.sorts.resolve(&left.sort()) == *BOOL;
                // Formulas are equivalent rather than equal.
                let whole = match operator(*op) {
                    Op::Equal if is_formula => Op::Iff,
                    other => other,
                };
                let whole = Term::op(whole, [left, right]);
                if *op == BinaryOp::NotEqual { Term::op(Op::Not, [whole]) } else { whole }
            }
            ExprKind::Ite(parts) => {
                let condition = self.formula(&parts[0])?;
                let (then, otherwise) = (self.term(&parts[1])?, self.term(&parts[2])?);
                self.same(&otherwise.sort(), &then.sort(), parts[2].span())?;
                Term::op(Op::If, [condition, then, otherwise])
            }
            ExprKind::Distinct(items) => {
                let items = items.iter().map(|item| self.term(item)).collect::<Read<Vec<Term>>>()?;
                let mut all = Term::op(Op::True, []);
                for (at, left) in items.iter().enumerate() {
                    for right in &items[at + 1..] {
                        self.same(&right.sort(), &left.sort(), span)?;
                        let equal = Term::op(Op::Equal, [left.clone(), right.clone()]);
                        all = Term::op(Op::And, [all, Term::op(Op::Not, [equal])]);
                    }
                }
                all
            }
            ExprKind::Quantifier { universal, vars, body } => {
                let outside = self.bound.len();
                let mut own = Vec::new();
                for var in vars {
                    let sort = var.sort.as_ref().map_or_else(|| self.sorts.open(), sort_name);
                    own.push((var.name.name.clone(), sort));
                }
                self.bound.extend(own.iter().cloned());
                let body = self.formula(body)?;
                self.bound.truncate(outside);
                body.closed(*universal, own)
            }
            ExprKind::Let { var, parts } => {
                let value = self.term(&parts[0])?;
                if let Some(sort) = &var.sort {
                    self.same(&value.sort(), &sort_name(sort), parts[0].span())?;
                }
                self.bound.push((var.name.name.clone(), value.sort()));
                let body = self.term(&parts[1])?;
                self.bound.pop();
                let subst = Subst::of_var(var.name.name.clone(), value);
                if !subst.fits(&body) {
                    self.expander.report.push(
                        Diagnostic::error(Code::TooDeep, span, "the formula grows too large in the proof")
                            .label(format!("more than {MAX_HEIGHT} levels, or {MAX_NODES} nodes")),
                    );
                    return Err(Failed);
                }
                subst.apply(&body)
            }
            ExprKind::New(_) | ExprKind::Safety { .. } => return Err(self.unknown(span, "this expression")),
        })
    }

    fn unknown(&mut self, span: Span, name: &str) -> Failed {
        let known = self.expander.symbols.keys().map(|known| &**known);
        let near = suggest(name, known).map(str::to_owned);
        let error = Diagnostic::error(Code::Undeclared, span, format!("`{name}` is not declared"))
            .label("in a formula or term of a proof");
        self.expander.report.push(match near {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        });
        Failed
    }

    fn reference(&mut self, expr: &Expr, name: &Ident, args: &[Expr]) -> Read<Term> {
        let plain = name.name.clone();
        if *plain == *UNKNOWN {
            // An error has been reported.
            return Err(Failed);
        }
        if let Some((number, Some(sort))) = literal(&plain) {
            return Ok(Term::App(number.into(), Vec::new(), sort.into()));
        }
        if args.is_empty() {
            let variable = self.bound.iter().rev().chain(&self.free).find(|(known, _)| *known == plain);
            if let Some((name, sort)) = variable {
                return Ok(Term::Var(name.clone(), sort.clone()));
            }
        }
        let known = self.expander.symbols.get(&plain).cloned();
        if known.is_none() && args.is_empty() && is_variable(&plain) {
            let sort = self.sorts.open();
            self.free.push((plain.clone(), sort.clone()));
            return Ok(Term::Var(plain, sort));
        }
        let terms = args.iter().map(|arg| self.term(arg)).collect::<Read<Vec<Term>>>()?;
        let is_derived = self.expander.defined.contains(&plain);
        let is_typed = known.as_ref().map_or(!is_derived, |symbol| symbol.args.len() == args.len());
        if !is_typed
            && let Some(sorts) = self.expander.arguments_of(&plain).filter(|it| it.len() == args.len())
        {
            for ((term, sort), arg) in terms.iter().zip(&sorts).zip(args) {
                self.same(&term.sort(), sort, arg.span())?;
            }
            let result = known.as_ref().and_then(|symbol| symbol.result.as_ref());
            return Ok(Term::App(plain, terms, result.map_or_else(|| BOOL.into(), sort_name)));
        }
        if let Some(symbol) = known {
            if symbol.args.len() == args.len() {
                for ((term, sort), arg) in terms.iter().zip(&symbol.args).zip(args) {
                    self.same(&term.sort(), &sort_name(sort), arg.span())?;
                }
            } else if !is_derived {
                let (name, span) = (Ident { name: plain, place: name.place }, name.span());
                let error =
                    crate::fol::statics::names::wrong_count(&name, span, args.len(), symbol.args.len(), span);
                self.expander.report.push(error);
                return Err(Failed);
            }
            let sort = symbol.result.as_ref().map_or_else(|| BOOL.into(), sort_name);
            return Ok(Term::App(plain, terms, sort));
        }
        let local = self.expander.locals.iter().find(|local| local.name == plain);
        if let Some(local) = local {
            let sort = local.sort.as_ref().map(sort_name);
            let sort = sort.unwrap_or_else(|| self.sorts.open());
            return Ok(Term::App(plain, terms, sort));
        }
        if let Some(sort) = self.expander.sort_of(expr) {
            return Ok(Term::App(plain, terms, sort_name(&sort)));
        }
        if self.expander.defined.contains(&plain) {
            return Ok(Term::App(plain, terms, BOOL.into()));
        }
        Err(self.unknown(name.span(), &plain))
    }
}

/// Returns a sort as the source names it.
pub(super) fn shown(sort: &str) -> &str {
    if is_open(sort) { "unknown" } else { sort }
}

/// Returns a term as an expression of the flat program, in which bound variables have names that nothing else has.
pub(super) fn expression(expander: &mut Expander<'_, '_>, term: &Term, span: Span) -> Read<Expr> {
    let (nodes, height) = term.size();
    expander.nodes += nodes;
    if height > MAX_HEIGHT || expander.nodes >= MAX_NODES || !expander.report.spend(nodes as u64) {
        expander.report.push(
            Diagnostic::error(Code::TooDeep, span, "what the proof leaves to be shown is too large")
                .label(format!("more than {MAX_HEIGHT} levels, or {} nodes", MAX_NODES)),
        );
        return Err(Failed);
    }
    let mut taken = expander.globals.clone();
    taken.extend(expander.locals.iter().map(|local| local.name.clone()));
    Ok(Writer { expander, taken, span }.expr(term, &mut Vec::new()))
}

struct Writer<'e, 'a, 'r> {
    expander: &'e Expander<'a, 'r>,
    taken: Set<Arc<str>>,
    span: Span,
}

impl Writer<'_, '_, '_> {
    fn expr(&self, term: &Term, bound: &mut Vec<(Arc<str>, Arc<str>)>) -> Expr {
        let (span, place) = (self.span, Place(self.span));
        let kind = match term {
            Term::Var(name, _) => {
                let here = bound.iter().rev().find(|(old, _)| old == name);
                let name = here.map_or_else(|| name.clone(), |(_, new)| new.clone());
                return reference(name, Vec::new(), span);
            }
            Term::App(name, args, sort) => {
                let is_literal = literal(name).is_some() && args.is_empty();
                let name = if is_literal { format!("{name}:{sort}").into() } else { name.clone() };
                return reference(name, args.iter().map(|arg| self.expr(arg, bound)).collect(), span);
            }
            Term::Op(op, args) => {
                let mut args: Vec<Expr> = args.iter().map(|arg| self.expr(arg, bound)).collect();
                let binary = |op, mut args: Vec<Expr>| match (args.pop(), args.pop()) {
                    (Some(right), Some(left)) => {
                        ExprKind::Binary { op, op_place: place, sides: Box::new([left, right]) }
                    }
                    _ => ExprKind::Bool(true),
                };
                match (op, args.len()) {
                    (Op::Not, 1) => ExprKind::Not(Box::new(args.remove(0))),
                    (Op::And, _) => ExprKind::And(args),
                    (Op::Or, _) => ExprKind::Or(args),
                    (Op::Implies, 2) => binary(BinaryOp::Implies, args),
                    (Op::Iff, 2) => binary(BinaryOp::Iff, args),
                    (Op::Equal, 2) => binary(BinaryOp::Equal, args),
                    (Op::Order(op), 2) => binary(*op, args),
                    (Op::Number(op), 2) => {
                        let kind = binary(*op, args);
                        match self.expander.computed(&kind, span) {
                            Some(value) => return value,
                            None => kind,
                        }
                    }
                    (Op::If, 3) => {
                        let (otherwise, then) = (args.remove(2), args.remove(1));
                        ExprKind::Ite(Box::new([args.remove(0), then, otherwise]))
                    }
                    (op, _) => ExprKind::Bool(*op == Op::True),
                }
            }
            Term::Bind { universal, .. } => {
                // Quantifiers of one kind are one.
                let outside = bound.len();
                let (mut vars, mut inner) = (Vec::new(), term);
                while let Term::Bind { universal: same, var, sort, body } = inner
                    && same == universal
                {
                    let in_body = body.free();
                    let is_taken = |name: &str| {
                        self.taken.contains(name)
                            || *name != **var && in_body.iter().any(|(known, _)| **known == *name)
                            || bound
                                .iter()
                                .any(|(old, new)| **new == *name || **old == *name && **old != **var)
                    };
                    let new = fresh(var, is_taken);
                    let name = Ident { name: new.clone(), place };
                    vars.push(SortedVar { name, sort: Some(sort_ref(sort, place)) });
                    bound.push((var.clone(), new));
                    inner = body;
                }
                let body = Box::new(self.expr(inner, bound));
                bound.truncate(outside);
                ExprKind::Quantifier { universal: *universal, vars, body }
            }
        };
        Expr::new(kind, span)
    }
}
