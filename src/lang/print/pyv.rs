//! Printer of `.pyv` models.

use super::comments::Comments;
use super::formulas::Printer;
use crate::fol::ast::{Ident, Level};
use crate::pyv::ast::{Decl, DeclKind, DefinitionKind, FbiiInvariant, FbiiItem, FbiiStep, Program};

/// Prints a model. Declarations with syntax errors are omitted.
pub fn pyv(program: &Program) -> String {
    pyv_with(program, None)
}

/// Prints a model with comments.
pub(crate) fn pyv_with(program: &Program, comments: Option<Comments>) -> String {
    let mut printer = Printer::new();
    printer.comments = comments;
    printer.header();
    let mut last = None;
    for decl in &program.decls {
        if matches!(decl.kind, DeclKind::Broken(_)) {
            continue;
        }
        let group = group(decl);
        if last.is_some_and(|last| last != group) || (last.is_some() && group >= 4) {
            printer.word("\n");
        }
        last = Some(group);
        printer.comment(decl.place, 0);
        printer.decl(decl);
        printer.word("\n");
    }
    printer.out
}

/// Returns the group of a declaration. Adjacent declarations of the same group below 4 are printed without empty lines
/// between them.
fn group(decl: &Decl) -> u8 {
    match &decl.kind {
        DeclKind::Sort { .. } => 0,
        DeclKind::Symbol(symbol) if symbol.axiom.is_none() => 1,
        DeclKind::Formula { role, .. } if *role as u8 <= 1 => 2,
        DeclKind::Formula { .. } | DeclKind::Theorem { .. } => 3,
        _ => 4,
    }
}

impl Printer {
    fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Sort { name, annotations } => {
                self.word("sort ");
                self.word(&name.name);
                self.annotations(annotations);
            }
            DeclKind::Symbol(symbol) => {
                self.word(symbol.mutability.keyword());
                self.word(" ");
                self.word(symbol.form.keyword());
                self.word(" ");
                self.word(&symbol.name.name);
                if !symbol.args.is_empty() {
                    self.word("(");
                    self.separated(&symbol.args, Self::sort);
                    self.word(")");
                }
                if let Some(result) = &symbol.result {
                    self.word(": ");
                    self.sort(result);
                }
                self.annotations(&symbol.annotations);
                if let Some(axiom) = &symbol.axiom {
                    self.word(":");
                    self.hanging(axiom, 2);
                }
            }
            DeclKind::Formula { role, name, formula, proof } => {
                self.named(role.keyword(), name, formula, 0);
                self.opt_proof(proof.as_ref(), 2);
            }
            DeclKind::Theorem { states, name, formula } => {
                if let Some(states) = states {
                    self.word(states.keyword());
                    self.word(" ");
                }
                self.named("theorem", name, formula, 0);
            }
            DeclKind::Definition(definition) => {
                match definition.kind {
                    DefinitionKind::Transition => self.word("transition "),
                    DefinitionKind::Definition(states) => {
                        if let Some(states) = states {
                            self.word(states.keyword());
                            self.word(" ");
                        }
                        self.word("definition ");
                    }
                }
                self.word(&definition.name.name);
                self.word("(");
                self.separated(&definition.params, Self::sorted_var);
                self.word(")");
                if let Some(modifies) = &definition.modifies {
                    self.newline(2);
                    self.word("modifies ");
                    self.separated(modifies, |printer, name: &Ident| printer.word(&name.name));
                    self.newline(2);
                    self.block(&definition.body, 2, Level::Open);
                } else {
                    self.word(" =");
                    self.hanging(&definition.body, 2);
                }
            }
            DeclKind::Trace { expect_sat, steps } => self.trace(*expect_sat, steps),
            DeclKind::Fbii(steps) => {
                self.word("fbii {");
                for step in steps {
                    self.fbii_step(step);
                }
                self.newline(0);
                self.word("}");
            }
            DeclKind::Broken(_) => {}
        }
    }

    fn fbii_step(&mut self, step: &FbiiStep) {
        self.newline(2);
        self.word(if step.forward { "forward" } else { "backward" });
        self.opt_name(&step.name);
        if let Some(vars) = &step.prophecy {
            self.word(" prophecy");
            if !vars.is_empty() {
                self.word(" ");
                self.separated(vars, Self::sorted_var);
            }
        }
        self.word(" {");
        for invariant in &step.invariants {
            self.fbii_invariant(invariant);
        }
        self.newline(2);
        self.word("}");
        let Some(items) = &step.by else { return };
        self.word(" by {");
        for item in items {
            match item {
                FbiiItem::Invariant(invariant) => self.fbii_invariant(invariant),
                FbiiItem::Select(formula) => {
                    self.newline(4);
                    self.word("proph_select");
                    self.hanging(formula, 6);
                }
                FbiiItem::Default(_) => {
                    self.newline(4);
                    self.word("proph_default");
                }
            }
        }
        self.newline(2);
        self.word("}");
    }

    fn fbii_invariant(&mut self, invariant: &FbiiInvariant) {
        self.newline(4);
        let keyword = if invariant.is_safety { "safety" } else { "invariant" };
        self.named(keyword, &invariant.name, &invariant.formula, 4);
    }
}
