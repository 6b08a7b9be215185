//! Expansion of files to a program of [`crate::program`]: objects and modules become dotted names, monitors and
//! calls are inlined, and exported actions are the actions of the loop.

mod actions;
mod assignments;
mod before;
mod branches;
mod calls;
mod commands;
mod crash;
mod declarations;
mod early;
mod elements;
mod exprs;
mod fields;
mod flat;
mod formulas;
mod instances;
mod interpret;
mod isolates;
mod kept;
mod labels;
mod members;
mod methods;
mod monitors;
mod named;
mod names;
mod numbers;
mod operators;
mod others;
mod proofs;
mod proved;
mod register;
mod schemata;
mod scopes;
mod selections;
mod state;
mod statements;
mod taken;
mod temporal;
mod turns;
mod types;
mod updates;
mod variants;
mod wires;

use super::ast::{Decl, DeclKind, Expr, File, Ident, Role};
use crate::program::ast::{Item, ItemKind};
use crate::shared::Includes;
use crate::shared::report::Report;
use flat::{Flat, Flattener};
pub use formulas::is_variable;
use isolates::IMPLEMENTATION;
pub(crate) use isolates::unknown_isolate;
use isolates::{Analysis, Cut, FIRST_WITH_THIS, Isolate, Presence};
use ramsey_core::base::span::Span;
use ramsey_core::diag::Severity;
use ramsey_core::system::Method;
use state::{Expander, Explicit, MAX_NODES, UNKNOWN};
use std::sync::Arc;

/// What files mean together.
#[derive(Default)]
pub(super) struct Expanded {
    /// The items of the program.
    pub(super) items: Vec<Item>,
    /// The places of the claims in them that proofs admit.
    pub(super) admitted: Vec<Span>,
    /// The places of the properties that proofs show by more than the axioms.
    pub(super) lemmas: Vec<Span>,
    /// A place where what an isolate does not see may call it in the middle of an action.
    pub(super) called_back: Option<Span>,
    /// How claims are decided, with the place where it is told.
    pub(super) method: Option<(Method, Span)>,
}

pub(super) use proofs::recursion::FIRST_WITH_RECURSION;

/// Expands a file, the first one, with those that it includes: the whole program, or what is left of it in an isolate.
pub(super) fn expand(
    files: &[File],
    isolate: Option<&str>,
    includes: &Includes,
    report: &mut Report,
) -> Expanded {
    let Some(main) = files.first() else { return Expanded::default() };
    let cut = isolate.and_then(|name| cut(files, main, name, includes, report));
    let Flattener { scopes, mut flat, isolates, .. } = Flattener::expand(files, includes, report);
    for (flat, &presence) in flat.iter_mut().zip(cut.iter().flat_map(|cut| &cut.presence)) {
        flat.presence = presence;
    }
    let mut expander = Expander::new(files, main.version, scopes, report);
    expander.cut = cut;
    expander.isolates = isolates.iter().map(|it| it.name.clone()).collect();
    expander.read_method(&flat, &isolates, isolate);
    let items = expander.program(&flat, &isolates, main);
    let Expander { admitted, lemmas, called_back, method, .. } = expander;
    let lemmas = lemmas.into_iter().map(|(_, span)| span).collect();
    Expanded { items, admitted, lemmas, called_back, method }
}

/// Returns the names of the isolates that are verified one by one, in alphabetical order; `None` if a program has none. Reports
/// claims that none of them shows.
pub(super) fn isolates(files: &[File], includes: &Includes, report: &mut Report) -> Option<Vec<Arc<str>>> {
    let main = files.first()?;
    // Most programs have none, and need no analysis.
    if !files.iter().any(|file| has_isolates(&file.decls)) {
        return None;
    }
    let analysis = analyse(files, main, includes, report)?;
    let names = analysis.verified()?;
    analysis.coverage(report);
    Some(names)
}

/// Returns whether objects of this name are the implementation of the one around them.
fn is_hidden(object: &Ident) -> bool {
    *object.name == *IMPLEMENTATION
}

/// Returns whether declarations are, or may become, isolates, or objects that those around them do not see.
fn has_isolates(decls: &[Decl]) -> bool {
    decls.iter().any(|decl| match &decl.kind {
        DeclKind::Isolate { .. } => true,
        DeclKind::Object { keyword, name, decls, .. } => {
            keyword.ends_with("isolate") || is_hidden(name) && !decls.is_empty() || has_isolates(decls)
        }
        DeclKind::Instance { name: Some(name), .. } if is_hidden(name) => true,
        DeclKind::Section { decls, .. } => has_isolates(decls),
        DeclKind::Module(module) => module.is_isolate || has_isolates(&module.decls),
        _ => false,
    })
}

fn cut(files: &[File], main: &File, name: &str, includes: &Includes, report: &mut Report) -> Option<Cut> {
    let analysis = analyse(files, main, includes, report)?;
    match analysis.position(name) {
        Some(isolate) => Some(analysis.cut(isolate, report)),
        None => {
            report.push(analysis.unknown(name));
            None
        }
    }
}

/// Analyses a program for its isolates; `None` where it has errors, which are reported.
fn analyse<'a>(
    files: &'a [File],
    main: &File,
    includes: &Includes,
    report: &mut Report,
) -> Option<Analysis<'a>> {
    let mut own = Report::within(report.budget());
    let Flattener { scopes, flat, isolates, objects, globals, .. } =
        Flattener::expand(files, includes, &mut own);
    let mut expander = Expander::new(files, main.version, scopes, &mut own);
    expander.isolates = isolates.iter().map(|it| it.name.clone()).collect();
    expander.tables(&flat);
    let analysis = Analysis::new((flat, isolates, objects), globals, &mut expander);
    let has_errors = own.has_errors();
    let mut rest = report.budget();
    match own.finish_within(&mut rest) {
        Ok(found) => {
            let errors = found.into_iter().filter(|it| it.severity == Severity::Error);
            errors.for_each(|error| report.push(error));
            report.absorb(&rest);
        }
        Err(exhausted) => report.exhaust(exhausted),
    }
    (!has_errors).then_some(analysis)
}

impl<'a> Expander<'a, '_> {
    /// Fills the tables of what the program declares.
    fn tables(&mut self, flat: &[Flat<'a>]) {
        self.register_explicit(flat);
        for &flat in flat {
            self.register(flat);
            self.keep_of_library(flat);
        }
        self.find_varied(flat);
        self.check_orders(flat);
        self.check_elements(flat);
        self.check_nesting();
        self.check_order(flat);
        for &flat in flat {
            self.declare_action(flat);
        }
        for &flat in flat {
            self.attach(flat);
        }
        self.check_names(flat);
        self.check_labels(flat);
        self.check_interpreted(flat);
        self.turns = isolates::turns(flat, &self.scopes);
        self.facts_of(flat);
        self.count_meanings(flat);
        self.register_named(flat);
        self.check_functions();
        self.check_updates();
    }

    fn program(&mut self, flat: &[Flat<'a>], isolates: &[Isolate<'a>], main: &File) -> Vec<Item> {
        self.tables(flat);
        self.check_isolates(isolates);
        if isolates.is_empty() && main.version.minor < FIRST_WITH_THIS {
            // Only isolates have callers that owe something in the place of the action.
            self.delegated.clear();
        }
        self.check_delegated();
        let claims = flat.iter().filter_map(|flat| match &flat.decl.kind {
            DeclKind::Formula { formula, .. } => Some((flat.at, (flat.scope, formula))),
            _ => None,
        });
        self.claims = claims.collect();
        for &flat in flat.iter().filter(|flat| flat.presence == Presence::Verified) {
            match &flat.decl.kind {
                // What is explicit is assumed by the proofs that name it alone.
                DeclKind::Formula { keyword, role: Role::Property, .. }
                    if !keyword.starts_with(declarations::EXPLICIT)
                        && self
                            .written_proof(flat)
                            .is_some_and(|it| it.uses_rules() && it.unread().is_none()) =>
                {
                    self.lemmas.push((flat.at, flat.decl.span()));
                }
                DeclKind::Formula { role, formula, .. }
                    if *role == Role::Explicit || self.is_unfolded(flat) =>
                {
                    if *role != Role::Explicit {
                        self.unfolded.push(flat.at);
                    }
                    let (scope, place, proof) = (flat.scope, flat.decl.place, self.proof_of(flat));
                    self.explicit.push(Explicit { scope, formula, proof, place });
                }
                _ => {}
            }
        }
        let is_whole = self.cut.is_none();
        let counts = |flat: &&Flat<'_>| is_whole || flat.presence == Presence::Verified;
        self.wanted = declarations::wanted(flat.iter().filter(counts));
        let mut items = Vec::new();
        self.default_sort(main, &mut items);
        for &flat in flat {
            self.items(flat, &mut items);
        }
        self.init(flat, &mut items);
        let is_init = |flat: &Flat<'_>| matches!(flat.decl.kind, DeclKind::Init { .. });
        let is_closed = !isolates.is_empty() || flat.iter().any(is_init);
        self.transitions(main, is_closed, &mut items);
        items.append(&mut self.unread);
        self.schemata(flat, &mut items);
        self.check_recursion(flat, &items);
        self.follow_changes(&mut items);
        self.check_named_values(&items);
        self.check_selections(&items);
        self.check_rigid(&items);
        self.check_made(&items);
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
    let Flattener { scopes, flat, .. } = Flattener::expand(files, includes, &mut unused);
    let mut expander = Expander::new(files, main.version, scopes, report);
    for &flat in &flat {
        expander.register(flat);
    }
    let root = expander.scopes.root();
    expander.closed(formula, &formulas::Context::of(root)).0
}
