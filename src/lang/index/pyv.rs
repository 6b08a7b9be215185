//! Declared names of `.pyv` models.

use super::names::{Builder, Space, Step};
use super::text::Text;
use crate::base::budget::{Budget, Exhausted};
use crate::lang::fol::ast::Role;
use crate::lang::index::entry::{Entry, Kind};
use crate::lang::pyv::ast::{
    Decl, DeclKind, DefinitionDecl, DefinitionKind, FbiiInvariant, FbiiItem, FbiiStep, Program, SymbolDecl,
    SymbolForm,
};

/// Returns the entries of a model.
pub(super) fn entries(model: &Program, budget: &mut Budget) -> Result<Vec<Entry>, Exhausted> {
    let mut builder = Builder::new(budget);
    model.decls.iter().try_for_each(|decl| builder.declare_decl(decl))?;
    model.decls.iter().try_for_each(|decl| builder.decl(decl))?;
    Ok(builder.finish())
}

fn symbol_text(symbol: &SymbolDecl) -> Text {
    let mut text = Text::new(symbol.mutability.keyword())
        .word(" ")
        .word(symbol.form.keyword())
        .word(" ")
        .word(&symbol.name.name);
    if !symbol.args.is_empty() {
        text = text.word("(").sorts(&symbol.args).word(")");
    }
    if let Some(result) = &symbol.result {
        text = text.word(": ").sort(result);
    }
    match &symbol.axiom {
        Some(axiom) => text.word(": ").formula(axiom),
        None => text,
    }
}

fn definition_text(definition: &DefinitionDecl) -> Text {
    let text = match definition.kind {
        DefinitionKind::Transition => Text::new("transition "),
        DefinitionKind::Definition(None) => Text::new("definition "),
        DefinitionKind::Definition(Some(states)) => Text::new(states.keyword()).word(" definition "),
    };
    let text = text.word(&definition.name.name).word("(").vars(&definition.params).word(")");
    match (definition.kind, &definition.modifies) {
        (DefinitionKind::Definition(_), None) => text.word(" = ").formula(&definition.body),
        _ => text,
    }
}

impl<'a> Builder<'a, '_> {
    /// Adds the global names of a declaration.
    fn declare_decl(&mut self, decl: &'a Decl) -> Step {
        self.spend(1)?;
        let span = decl.span();
        match &decl.kind {
            DeclKind::Sort { name, .. } => {
                self.declare(Kind::Sort, name, span, Text::new("sort ").word(&name.name));
            }
            DeclKind::Symbol(symbol) => {
                let kind = match symbol.form {
                    SymbolForm::Relation => Kind::Relation,
                    SymbolForm::Constant => Kind::Constant,
                    SymbolForm::Function => Kind::Function,
                };
                self.declare(kind, &symbol.name, span, symbol_text(symbol));
            }
            DeclKind::Formula { role, name: Some(name), formula, .. } => {
                let kind = match role {
                    Role::Axiom => Kind::Axiom,
                    Role::Init => Kind::Init,
                    Role::Invariant => Kind::Invariant,
                    Role::Safety => Kind::Safety,
                };
                let text = Text::new(role.keyword()).word(" [").word(&name.name).word("] ").formula(formula);
                self.declare(kind, name, span, text);
            }
            DeclKind::Theorem { states, name: Some(name), formula } => {
                let text = match states {
                    Some(states) => Text::new(states.keyword()).word(" theorem"),
                    None => Text::new("theorem"),
                };
                let text = text.word(" [").word(&name.name).word("] ").formula(formula);
                self.declare(Kind::Theorem, name, span, text);
            }
            DeclKind::Definition(definition) => {
                let kind = match definition.kind {
                    DefinitionKind::Transition => Kind::Transition,
                    DefinitionKind::Definition(_) => Kind::Definition,
                };
                self.declare(kind, &definition.name, span, definition_text(definition));
            }
            DeclKind::Formula { name: None, .. }
            | DeclKind::Theorem { name: None, .. }
            | DeclKind::Trace { .. }
            | DeclKind::Fbii(_)
            | DeclKind::Broken(_) => {}
        }
        Ok(())
    }

    /// Reads the names in a declaration.
    fn decl(&mut self, decl: &'a Decl) -> Step {
        self.spend(1)?;
        match &decl.kind {
            DeclKind::Sort { annotations, .. } => self.annotations(annotations),
            DeclKind::Symbol(symbol) => {
                symbol.args.iter().chain(&symbol.result).try_for_each(|sort| self.sort(sort))?;
                symbol.axiom.iter().try_for_each(|axiom| self.closed(axiom))
            }
            DeclKind::Formula { formula, proof, .. } => self.claim(formula, proof.as_ref()),
            DeclKind::Theorem { formula, .. } => self.closed(formula),
            DeclKind::Definition(definition) => {
                for name in definition.modifies.iter().flatten() {
                    self.refer(Space::Names, &name.name, name.span())?;
                }
                let outside = self.enter();
                self.bind_all(Kind::Parameter, "", &definition.params)?;
                self.closed(&definition.body)?;
                self.leave(outside);
                Ok(())
            }
            DeclKind::Trace { steps, .. } => self.trace(steps),
            DeclKind::Fbii(steps) => {
                let outside = self.enter();
                steps.iter().try_for_each(|step| self.fbii_step(step))?;
                self.leave(outside);
                Ok(())
            }
            DeclKind::Broken(_) => Ok(()),
        }
    }

    /// Reads a step of a proof. The variables after `prophecy` stay in scope.
    fn fbii_step(&mut self, step: &'a FbiiStep) -> Step {
        self.spend(1)?;
        if let Some(name) = &step.name {
            let text = Text::new(if step.forward { "forward [" } else { "backward [" });
            self.add(Kind::Step, name, name.span(), text.word(&name.name).word("]"));
        }
        if let Some(vars) = &step.prophecy {
            self.bind_all(Kind::Bound, "prophecy ", vars)?;
        }
        step.invariants.iter().try_for_each(|invariant| self.fbii_invariant(invariant))?;
        for item in step.by.iter().flatten() {
            match item {
                FbiiItem::Invariant(invariant) => self.fbii_invariant(invariant)?,
                FbiiItem::Select(formula) => self.closed(formula)?,
                FbiiItem::Default(_) => {}
            }
        }
        Ok(())
    }

    fn fbii_invariant(&mut self, invariant: &'a FbiiInvariant) -> Step {
        self.spend(1)?;
        if let Some(name) = &invariant.name {
            let (kind, keyword) = match invariant.is_safety {
                true => (Kind::Safety, "safety ["),
                false => (Kind::Invariant, "invariant ["),
            };
            let text = Text::new(keyword).word(&name.name).word("] ").formula(&invariant.formula);
            self.add(kind, name, name.span().to(invariant.formula.span()), text);
        }
        self.closed(&invariant.formula)
    }
}
