//! Printer of loops of `.ivy`.

use super::formulas::Printer;
use crate::fol::ast::{ExprKind, Level};
use crate::ivy::ast::{END_OF_LOOP, Loop, Stmt, StmtKind};

impl Printer {
    /// Prints a block as the loop over a container that it is. Returns `false` for other blocks, of which nothing is printed.
    pub(super) fn loop_over_container(&mut self, block: &[Stmt], indent: usize) -> bool {
        let [first, last, Stmt { kind: StmtKind::While(it), .. }] = block else { return false };
        let StmtKind::Var { var: index, value: Some(begin), .. } = &first.kind else { return false };
        let StmtKind::Var { var: end, .. } = &last.kind else { return false };
        // The element comes first, and the step to the next position last.
        let [Stmt { kind: StmtKind::Var { var: element, .. }, .. }, body @ .., _] = it.body.as_slice() else {
            return false;
        };
        let ExprKind::Ref { name, args, .. } = &begin.kind else { return false };
        let container = name.name.strip_suffix(".begin").filter(|_| end.name.name.ends_with(END_OF_LOOP));
        let Some(container) = container else { return false };
        self.word("for ");
        self.separated(&[index, element], |printer, var| printer.ivy_var(var));
        self.word(" in ");
        self.word(container);
        self.exprs(args.as_deref().unwrap_or_default());
        self.rest_of_loop(it, body, indent);
        true
    }

    /// Prints what follows on the condition of a loop.
    pub(super) fn rest_of_loop(&mut self, it: &Loop, body: &[Stmt], indent: usize) {
        for invariant in &it.invariants {
            self.newline(indent + 4);
            self.word("invariant");
            self.opt_name(&invariant.label);
            self.hanging(&invariant.formula, indent + 8);
            self.skipped(invariant.proof.as_ref().map(|it| &it.text), indent + 4);
        }
        if let Some(term) = &it.decreases {
            self.newline(indent + 4);
            self.word("decreases ");
            self.flat(term, Level::Open);
        }
        if it.invariants.is_empty() && it.decreases.is_none() {
            self.word(" ");
        } else {
            self.newline(indent);
        }
        self.stmt_block(body, indent);
    }
}
