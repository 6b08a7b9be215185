//! Names in formulas, traces and annotations.

use super::names::{Builder, Space, Step};
use super::text::Text;
use crate::base::hash::Map;
use crate::lang::fol::ast::{
    Annotation, Expr, ExprKind, Ident, Proof, ProofStep, SortName, SortRef, SortedVar, TraceStep,
};
use crate::lang::fol::is_capital;
use crate::lang::fol::proof::outermost;
use crate::lang::index::entry::Kind;

impl<'a> Builder<'a, '_> {
    /// Reads a formula whose free names in capital letters are quantified implicitly.
    pub(super) fn closed(&mut self, formula: &'a Expr) -> Step {
        self.implicit = Some(Map::default());
        self.expr(formula)
    }

    /// Reads a claim and its proof, which may speak of the claim's outermost universal variables.
    pub(super) fn claim(&mut self, formula: &'a Expr, proof: Option<&'a Proof>) -> Step {
        let Some(proof) = proof else { return self.closed(formula) };
        self.implicit = Some(Map::default());
        let (outer, body) = outermost(formula);
        let outside = self.enter();
        outer.into_iter().try_for_each(|vars| self.bind_all(Kind::Bound, "forall ", vars))?;
        self.expr(body)?;
        self.proof_steps(&proof.steps)?;
        self.leave(outside);
        Ok(())
    }

    fn proof_steps(&mut self, steps: &'a [ProofStep]) -> Step {
        for step in steps {
            self.spend(1)?;
            match step {
                ProofStep::Let { var, term } => {
                    self.expr(term)?;
                    self.bind_all(Kind::Bound, "let ", std::slice::from_ref(var))?;
                }
                ProofStep::If { condition, then, otherwise } => {
                    self.expr(condition)?;
                    for branch in [then, otherwise] {
                        let outside = self.enter();
                        self.proof_steps(branch)?;
                        self.leave(outside);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads a formula or term without implicit quantifiers.
    pub(super) fn open(&mut self, expr: &'a Expr) -> Step {
        self.implicit = None;
        self.expr(expr)
    }

    #[inline(never)]
    fn expr(&mut self, expr: &'a Expr) -> Step {
        self.spend(1)?;
        match &expr.kind {
            ExprKind::Ref { name, args, .. } => {
                self.name(name, args.is_some())?;
                args.iter().flatten().try_for_each(|arg| self.expr(arg))
            }
            ExprKind::Quantifier { universal, vars, body } => {
                let outside = self.enter();
                self.bind_all(Kind::Bound, if *universal { "forall " } else { "exists " }, vars)?;
                self.expr(body)?;
                self.leave(outside);
                Ok(())
            }
            ExprKind::Let { var, parts } => {
                self.expr(&parts[0])?;
                let outside = self.enter();
                self.bind_all(Kind::Bound, "let ", std::slice::from_ref(var))?;
                self.expr(&parts[1])?;
                self.leave(outside);
                Ok(())
            }
            _ => {
                let mut result = Ok(());
                expr.for_each_child(|child| {
                    if result.is_ok() {
                        result = self.expr(child);
                    }
                });
                result
            }
        }
    }

    /// Reads a name in a formula.
    #[inline(never)]
    fn name(&mut self, name: &'a Ident, is_applied: bool) -> Step {
        if self.refer(Space::Names, &name.name, name.span())? {
            return Ok(());
        }
        let Some(implicit) = &self.implicit else { return Ok(()) };
        if let Some(&entry) = implicit.get(&*name.name) {
            self.used(entry, name.span());
        } else if !is_applied && is_capital(&name.name) {
            let text = Text::new("forall ").word(&name.name);
            let entry = self.add(Kind::Implicit, name, name.span(), text);
            self.implicit.iter_mut().for_each(|implicit| {
                implicit.insert(&name.name, entry);
            });
        }
        Ok(())
    }

    pub(super) fn sort(&mut self, sort: &'a SortRef) -> Step {
        if let SortName::Named(name) = &sort.name {
            self.refer(Space::Sorts, name, sort.place.0)?;
        }
        Ok(())
    }

    /// Brings variables into scope. Their texts begin with `keyword`.
    pub(super) fn bind_all(&mut self, kind: Kind, keyword: &str, vars: &'a [SortedVar]) -> Step {
        for (at, var) in vars.iter().enumerate() {
            self.spend(1)?;
            let place = |var: &'a SortedVar| Some(var.sort.as_ref()?.place.0);
            // A sort may be given once for several variables, at the last of them.
            let is_shared = place(var).is_some() && vars.get(at + 1).and_then(place) == place(var);
            let mut declaration = var.name.span();
            if let Some(sort) = &var.sort
                && !is_shared
            {
                self.sort(sort)?;
                declaration = declaration.to(sort.place.0);
            }
            self.bind(kind, &var.name, declaration, Text::new(keyword).var(var));
        }
        Ok(())
    }

    /// Reads the symbols in annotations of sorts.
    pub(super) fn annotations(&mut self, annotations: &'a [Annotation]) -> Step {
        for annotation in annotations {
            self.spend(1)?;
            if &*annotation.name == "printed_by" {
                for symbol in annotation.args.iter().skip(1) {
                    self.refer(Space::Names, &symbol.name, symbol.span())?;
                }
            }
        }
        Ok(())
    }

    /// Reads a trace, outside of any scope.
    pub(super) fn trace(&mut self, steps: &'a [TraceStep]) -> Step {
        for step in steps {
            self.spend(1)?;
            match step {
                TraceStep::AssertInit | TraceStep::AnyTransition(_) => {}
                TraceStep::Assert(formula) => self.closed(formula)?,
                TraceStep::Calls(calls) => {
                    for call in calls {
                        self.refer(Space::Names, &call.name.name, call.name.span())?;
                        call.args.iter().flatten().flatten().try_for_each(|arg| self.open(arg))?;
                    }
                }
            }
        }
        Ok(())
    }
}
