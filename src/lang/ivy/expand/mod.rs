//! Expansion of files to a program of [`crate::program`]: objects and modules become dotted names, monitors and
//! calls are inlined, and exported actions are the actions of the loop.

mod actions;
mod assignments;
mod declarations;
mod fields;
mod flat;
mod formulas;
mod interpret;
mod schemata;
mod scopes;
mod state;
mod statements;
mod updates;

use super::ast::{DeclKind, Expr, File};
use crate::program::ast::{Item, ItemKind, Program};
use crate::shared::Includes;
use crate::shared::report::Report;
use flat::{Flat, Flattener};
pub use formulas::is_variable;
use state::{Expander, MAX_NODES, UNKNOWN};

/// Expands a file, the first one, with those that it includes.
pub(super) fn expand(files: &[File], includes: &Includes, report: &mut Report) -> Program {
    let Some(main) = files.first() else {
        return Program { items: Vec::new(), file: ramsey_core::base::ids::Id::new(0) };
    };
    let flattened = Flattener::expand(files, includes, report);
    let (scopes, flat) = (flattened.scopes, flattened.flat);
    let mut expander = Expander::new(main.version, scopes, report);
    Program { items: expander.program(&flat, main), file: main.file }
}

impl<'a> Expander<'a, '_> {
    fn program(&mut self, flat: &[Flat<'a>], main: &File) -> Vec<Item> {
        for &flat in flat {
            self.register(flat);
        }
        for &flat in flat {
            self.declare_action(flat);
        }
        for &flat in flat {
            self.attach(flat);
        }
        self.check_functions();
        self.check_updates();
        self.wanted = declarations::wanted(flat);
        let mut items = Vec::new();
        self.default_sort(main, &mut items);
        for &flat in flat {
            self.items(flat, &mut items);
        }
        self.init(flat, &mut items);
        let closes = |flat: &Flat<'_>| match &flat.decl.kind {
            DeclKind::Object { keyword, .. } => keyword.ends_with("isolate"),
            DeclKind::Ignored { keyword, .. } => &**keyword == "isolate",
            DeclKind::Init(_) => true,
            _ => false,
        };
        let is_closed = flat.iter().any(closes);
        self.transitions(main, is_closed, &mut items);
        self.schemata(flat, &mut items);
        let copies = self.copies();
        items.splice(0..0, copies);
        if let Some(place) = items.first().map(|item| item.place)
            && self.report.has_errors()
        {
            if self.nodes >= MAX_NODES {
                // What is cut off is not checked.
                items.clear();
            }
            let kind = ItemKind::Broken(vec![UNKNOWN.into()]);
            items.push(Item { kind, place });
        }
        items
    }
}

/// Translates a formula in the scope of the program.
pub(super) fn formula(files: &[File], includes: &Includes, formula: &Expr, report: &mut Report) -> Expr {
    // What the files themselves are told about has been told.
    let mut unused = Report::within(report.budget());
    let Some(main) = files.first() else { return formula.clone() };
    let flattened = Flattener::expand(files, includes, &mut unused);
    let (scopes, flat) = (flattened.scopes, flattened.flat);
    let mut expander = Expander::new(main.version, scopes, report);
    for &flat in &flat {
        expander.register(flat);
    }
    let root = expander.scopes.root();
    expander.closed(formula, &formulas::Context::of(root)).0
}
