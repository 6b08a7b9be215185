//! Goals of claims in programs.

use super::goal::goal;
use crate::fol::ast::{Expr, ExprKind, Place};
use crate::program::ast::{Branch, Command, CommandKind, Item, ItemKind, Program, Role};
use ramsey_core::base::span::Span;
use ramsey_core::diag::Diagnostic;

/// Returns programs with goals after the claims that have proofs, and in the place of assertions that have.
pub(super) fn with_goals(programs: Vec<Program>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Program> {
    let mut transform = Transform { diagnostics };
    let program = |program: Program| Program { items: transform.items(program.items), ..program };
    programs.into_iter().map(program).collect()
}

/// The change of syntax trees.
struct Transform<'d> {
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Transform<'_> {
    fn items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut changed = Vec::new();
        for Item { kind, place } in items {
            let mut after = None;
            let kind = match kind {
                ItemKind::Formula { role, name, formula, proof } => {
                    let goal = proof.and_then(|proof| goal(&formula, &proof, self.diagnostics));
                    after = goal.map(|formula| {
                        let kind = ItemKind::Formula { role: Role::Goal, name: None, formula, proof: None };
                        Item { kind, place }
                    });
                    ItemKind::Formula { role, name, formula, proof: None }
                }
                ItemKind::Module(mut module) => {
                    module.items = self.items(module.items);
                    ItemKind::Module(module)
                }
                ItemKind::Command(command) => ItemKind::Command(self.command(command)),
                ItemKind::While(body) => ItemKind::While(self.commands(body)),
                kind => kind,
            };
            changed.push(Item { kind, place });
            changed.extend(after);
        }
        changed
    }

    fn commands(&mut self, commands: Vec<Command>) -> Vec<Command> {
        commands.into_iter().map(|command| self.command(command)).collect()
    }

    fn command(&mut self, command: Command) -> Command {
        let place = command.place;
        let kind = match command.kind {
            CommandKind::Assert { formula, proof: Some(proof) } => {
                match goal(&formula, &proof, self.diagnostics) {
                    Some(goal) => branches(formula, goal, place.0),
                    None => CommandKind::Assert { formula, proof: None },
                }
            }
            CommandKind::If { condition, then, otherwise } => {
                CommandKind::If { condition, then: self.commands(then), otherwise: self.commands(otherwise) }
            }
            CommandKind::Choice(branches) => {
                let branch = |branch: Branch| Branch { body: self.commands(branch.body), ..branch };
                CommandKind::Choice(branches.into_iter().map(branch).collect())
            }
            kind => kind,
        };
        Command { kind, place }
    }
}

/// Returns the command that asserts the goal of a formula where an execution may end, and assumes the formula
/// elsewhere.
fn branches(formula: Expr, goal: Expr, span: Span) -> CommandKind {
    let command = |kind| Command { kind, place: Place(span) };
    let never = Expr::new(ExprKind::Bool(false), span);
    let goal = command(CommandKind::Assert { formula: goal, proof: None });
    CommandKind::If {
        condition: None,
        then: vec![goal, command(CommandKind::Assume(never))],
        otherwise: vec![command(CommandKind::Assume(formula))],
    }
}
