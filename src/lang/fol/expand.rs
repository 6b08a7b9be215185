//! Translation of checked formulas to terms. Definitions and `let` are expanded.

use super::names::Globals;
use super::sorts::Ty;
use super::statics::trace as check;
use super::typed::{Body, Expr, Kind, LocalId, UnitId};
use crate::shared::report::Report;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Node, Signature, SortId, SymId, TermId, Terms, VarId};
use ramsey_core::system::{Trace, TraceCall, TraceStep};

/// Maximum depth of a formula after expansion.
const MAX_DEPTH: usize = 1_000;

/// Maximum tree size of a formula after expansion.
const MAX_SIZE: u32 = 2_000_000;

/// Reason why a formula cannot be translated.
#[derive(Debug)]
enum LoweringError {
    /// The formula is too deep or too large after expansion.
    TooLarge,
    /// A budget was exhausted.
    Exhausted(Exhausted),
}

impl LoweringError {
    /// Reports the error for the formula at `span`.
    fn report_at(self, span: Span, report: &mut Report) {
        match self {
            LoweringError::TooLarge => report.push(too_large(span)),
            LoweringError::Exhausted(exhausted) => report.exhaust(exhausted),
        }
    }
}

impl From<Exhausted> for LoweringError {
    fn from(exhausted: Exhausted) -> LoweringError {
        LoweringError::Exhausted(exhausted)
    }
}

/// The term of a unit, with its parameters.
pub(crate) struct Template {
    pub(crate) params: Vec<VarId>,
    pub(crate) term: TermId,
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(Code::TooDeep, span, "the formula grows too large when its definitions are expanded")
        .label(format!("more than {MAX_DEPTH} levels deep, or more than {MAX_SIZE} nodes"))
}

/// Translates checked formulas to terms.
pub(crate) struct Lowerer<'a> {
    sig: &'a Signature,
    /// Costs one unit per node, including each node of an expanded definition.
    pub(crate) budget: Budget,
    pub(crate) terms: Terms,
    safeties: &'a [UnitId],
    pub(crate) templates: IdVec<UnitId, Option<Template>>,
    /// What definitions that are relations say of these.
    pub(crate) axioms: Map<UnitId, TermId>,
    /// The values of the variables of the current body, once they are bound.
    env: Vec<Option<TermId>>,
}

impl<'a> Lowerer<'a> {
    /// Creates a lowerer without templates.
    pub(crate) fn new(globals: &'a Globals<'_>, budget: Budget) -> Lowerer<'a> {
        let mut templates = IdVec::new();
        templates.grow_to(globals.units.len(), || None);
        Lowerer {
            sig: &globals.sig,
            budget,
            terms: Terms::new(),
            safeties: &globals.safeties,
            templates,
            axioms: Map::default(),
            env: Vec::new(),
        }
    }
}

impl<'a> Lowerer<'a> {
    /// Returns the lowerer with a larger signature.
    pub(crate) fn over<'b>(self, sig: &'b Signature) -> Lowerer<'b>
    where
        'a: 'b,
    {
        Lowerer { sig, ..self }
    }

    /// Returns the signature.
    pub(crate) fn sig(&self) -> &'a Signature {
        self.sig
    }
}

impl Lowerer<'_> {
    /// Translates the bodies of the units and keeps them as templates. `order` lists all units, callees first. Reports
    /// a body that cannot be translated.
    pub(crate) fn units(
        &mut self,
        globals: &Globals<'_>,
        bodies: &IdVec<UnitId, Body>,
        order: &[UnitId],
        report: &mut Report,
    ) -> Option<()> {
        for &unit in order {
            let mut template = self.formula(&bodies[unit], globals.units[unit].span, report)?;
            if let Some(&sym) = globals.relations.get(&unit) {
                let axiom = self.named(sym, &mut template);
                self.axioms.insert(unit, axiom);
            }
            self.templates[unit] = Some(template);
        }
        Some(())
    }

    /// Puts a relation in the place of a formula about its arguments. Returns that it has this meaning.
    fn named(&mut self, sym: SymId, template: &mut Template) -> TermId {
        let args: Vec<TermId> = template.params.iter().map(|&param| self.terms.var(param)).collect();
        let atom = self.terms.app(self.sig, sym, 0, &args);
        let meaning = self.terms.eq(atom, template.term);
        template.term = atom;
        self.terms.forall(&template.params, meaning)
    }

    /// Translates the body of the formula at `span`. Reports a body that cannot be translated.
    pub(crate) fn formula(&mut self, body: &Body, span: Span, report: &mut Report) -> Option<Template> {
        self.body(body).map_err(|error| error.report_at(span, report)).ok()
    }

    /// Translates traces; `transitions` has the index of each transition. Reports a trace that cannot be translated.
    pub(crate) fn traces(
        &mut self,
        traces: &[check::Trace],
        transitions: &IdVec<UnitId, usize>,
        report: &mut Report,
    ) -> Option<Vec<Trace>> {
        let lowered = traces.iter().map(|trace| {
            self.trace(trace, transitions).map_err(|error| error.report_at(trace.span, report)).ok()
        });
        lowered.collect()
    }

    fn body(&mut self, body: &Body) -> Result<Template, LoweringError> {
        self.env.clear();
        self.env.resize(body.locals.len(), None);
        let params = self.bind(body, &body.params);
        let closure = self.bind(body, &body.closure);
        let term = match &body.expr {
            Some(expr) => self.expr(body, expr)?,
            None => self.terms.tru(),
        };
        let term = self.terms.forall(&closure, term);
        Ok(Template { params, term: self.sized(term)? })
    }

    /// Creates a variable for each of `locals`.
    fn bind(&mut self, body: &Body, locals: &[LocalId]) -> Vec<VarId> {
        let mut vars = Vec::with_capacity(locals.len());
        for &local in locals {
            let info = &body.locals[local];
            let sort = if let Ty::Sort(sort) = info.ty { sort } else { SortId::BOOL };
            let var = self.terms.new_var(&*info.name, sort);
            self.terms.locate_var(var, info.span);
            self.env[local.index()] = Some(self.terms.var(var));
            vars.push(var);
        }
        vars
    }

    fn sized(&self, term: TermId) -> Result<TermId, LoweringError> {
        let fits = self.terms.depth(term) <= MAX_DEPTH && self.terms.tree_size(term) <= MAX_SIZE;
        if fits { Ok(term) } else { Err(LoweringError::TooLarge) }
    }

    fn list(&mut self, body: &Body, items: &[Expr]) -> Result<Vec<TermId>, LoweringError> {
        items.iter().map(|item| self.expr(body, item)).collect()
    }

    fn pair(&mut self, body: &Body, sides: &[Expr; 2]) -> Result<(TermId, TermId), LoweringError> {
        Ok((self.expr(body, &sides[0])?, self.expr(body, &sides[1])?))
    }

    fn expr(&mut self, body: &Body, expr: &Expr) -> Result<TermId, LoweringError> {
        self.budget.spend(1)?;
        let term = match &expr.kind {
            // Overloads have been settled, unless there is an error.
            Kind::Bool(true) | Kind::Overloaded { .. } => self.terms.tru(),
            Kind::Bool(false) => self.terms.fals(),
            Kind::Local(local) => self.env[local.index()].expect("variables are bound before they are used"),
            Kind::App { sym, state, args } => {
                let args = self.list(body, args)?;
                self.terms.app(self.sig, *sym, *state, &args)
            }
            Kind::Call { unit, state, args } => {
                let args = self.list(body, args)?;
                self.call(*unit, *state, &args)?
            }
            Kind::Safety { state } => {
                let parts: Result<Vec<_>, _> =
                    self.safeties.iter().map(|&unit| self.call(unit, *state, &[])).collect();
                self.terms.and(&parts?)
            }
            Kind::Not(inner) => {
                let inner = self.expr(body, inner)?;
                self.terms.not(inner)
            }
            Kind::And(items) => {
                let items = self.list(body, items)?;
                self.terms.and(&items)
            }
            Kind::Or(items) => {
                let items = self.list(body, items)?;
                self.terms.or(&items)
            }
            Kind::Distinct(items) => {
                let items = self.list(body, items)?;
                self.terms.distinct(&items)
            }
            Kind::Implies(sides) => {
                let (a, b) = self.pair(body, sides)?;
                self.terms.implies(a, b)
            }
            Kind::Equal(sides) => {
                let (a, b) = self.pair(body, sides)?;
                self.terms.eq(a, b)
            }
            Kind::NotEqual(sides) => {
                let (a, b) = self.pair(body, sides)?;
                let equal = self.terms.eq(a, b);
                self.terms.not(equal)
            }
            Kind::Quantifier { universal, vars, body: inner } => {
                let vars = self.bind(body, vars);
                let inner = self.expr(body, inner)?;
                if *universal { self.terms.forall(&vars, inner) } else { self.terms.exists(&vars, inner) }
            }
            Kind::Ite(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = self.expr(body, condition)?;
                let then = self.expr(body, then)?;
                let otherwise = self.expr(body, otherwise)?;
                self.terms.ite(condition, then, otherwise)
            }
            Kind::Let { var, parts } => {
                // Binders are distinct, so the value can be substituted without capture.
                let value = self.expr(body, &parts[0])?;
                self.env[var.index()] = Some(value);
                self.expr(body, &parts[1])?
            }
            Kind::Arithmetic(_) | Kind::Error => unreachable!("programs with errors are not lowered"),
        };
        self.sized(term)
    }

    /// Returns a unit's formula for these arguments, evaluated from `state` on.
    fn call(&mut self, unit: UnitId, state: u16, args: &[TermId]) -> Result<TermId, LoweringError> {
        let Some(Template { params, term }) = &self.templates[unit] else {
            unreachable!("callees are lowered before their callers");
        };
        let map: Map<VarId, TermId> = params.iter().copied().zip(args.iter().copied()).collect();
        let term = *term;
        self.budget.spend(self.terms.tree_size(term).into())?;
        // Checked before the substitution, which recurses to that depth.
        let below = args.iter().map(|&arg| self.terms.depth(arg)).max().unwrap_or(0);
        if self.terms.depth(term) + below > MAX_DEPTH + 1 {
            return Err(LoweringError::TooLarge);
        }
        let term = self.terms.shift(self.sig, term, state);
        // A formula among the arguments may contain binders of an earlier expansion of the same unit.
        let has_binders =
            args.iter().any(|&arg| self.terms.sort(arg) == SortId::BOOL && self.terms.has_vars(arg));
        let term = if has_binders { freshen(&mut self.terms, term) } else { term };
        let term = self.terms.substitute(term, &map);
        self.sized(term)
    }

    fn trace(
        &mut self,
        trace: &check::Trace,
        transitions: &IdVec<UnitId, usize>,
    ) -> Result<Trace, LoweringError> {
        let mut steps = Vec::new();
        if !matches!(trace.steps.first(), Some(check::TraceStep::Assert(_) | check::TraceStep::AssertInit)) {
            steps.push(TraceStep::AssertInit);
        }
        for step in &trace.steps {
            steps.push(match step {
                check::TraceStep::AssertInit => TraceStep::AssertInit,
                check::TraceStep::AnyTransition => TraceStep::AnyTransition,
                check::TraceStep::Assert(body) => TraceStep::Assert(self.body(body)?.term),
                check::TraceStep::Calls(calls) => {
                    let mut lowered = Vec::new();
                    for (unit, args) in calls {
                        let mut terms = Vec::new();
                        for arg in args {
                            terms.push(match arg {
                                Some(body) => Some(self.body(body)?.term),
                                None => None,
                            });
                        }
                        lowered.push(TraceCall { transition: transitions[*unit], args: terms });
                    }
                    TraceStep::Transitions(lowered)
                }
            });
        }
        Ok(Trace { expect_sat: trace.expect_sat, steps, span: trace.span })
    }
}

/// Returns the formula with fresh variables at all quantifiers.
fn freshen(terms: &mut Terms, term: TermId) -> TermId {
    fn copy(
        terms: &mut Terms,
        term: TermId,
        map: &mut Map<VarId, TermId>,
        memo: &mut Map<TermId, TermId>,
    ) -> TermId {
        if !terms.has_vars(term) {
            return term;
        }
        if let Some(&done) = memo.get(&term) {
            return done;
        }
        if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term) {
            let vars: Vec<VarId> = terms.bound_vars(vars).collect();
            for var in vars {
                // A variable may be bound at several places; all of them get the same fresh variable.
                map.entry(var).or_insert_with(|| {
                    let fresh = terms.copy_var(var);
                    terms.var(fresh)
                });
            }
        }
        let result = match terms.as_var(term) {
            Some(var) => map.get(&var).copied().unwrap_or(term),
            None => {
                let children: Vec<TermId> = terms.children(term).collect();
                let children: Vec<TermId> =
                    children.into_iter().map(|child| copy(terms, child, map, memo)).collect();
                terms.rebuild(term, &children)
            }
        };
        memo.insert(term, result);
        result
    }
    copy(terms, term, &mut Map::default(), &mut Map::default())
}
