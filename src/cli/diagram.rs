//! `ramsey diagram`, and the selection of facts that it shares with `ramsey generalize`.

use super::args::{DiagramArgs, How, StateArgs};
use super::limits;
use std::io;

use super::args::ItemList;
use super::shared::Model;
use super::sources::{display, in_document, read_bytes};
use ramsey_app::models::Policy;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_report::Verdict;
use ramsey_report::generalize::DiagramReport;
use ramsey_report::json::{States, read_nth_counterexample};
use ramsey_report::render::Shown;
use ramsey_services::workbench::{Items, Selection, select};

/// A state of a model, with the selected facts.
pub(super) struct Scene {
    pub(super) states: States,
    pub(super) facts: Selection,
}

/// Reads a state and selects facts.
pub(super) fn read_state(args: &StateArgs, system: &System) -> Result<Scene, Vec<Diagnostic>> {
    let bytes = read_bytes(&args.document).map_err(|error| vec![error])?;
    let text = String::from_utf8(bytes).map_err(|_| {
        let what = format!("`{}` is not UTF-8 text", display(&args.document));
        vec![Diagnostic::error_nowhere(Code::Unreadable, what)]
    })?;
    let states = read_nth_counterexample(system, &text, args.number)
        .map_err(|error| vec![in_document(&args.document, error)])?;
    let list = |lists: &[ItemList]| lists.iter().flat_map(|list| list.0.iter().cloned()).collect();
    let items = Items { only: list(&args.keep_only), drop: list(&args.drop), keep: list(&args.keep) };
    let options = ["--keep-only", "--drop", "--keep"];
    let facts = select(system, &states.structure, &states.names, args.state, &items, options)?;
    Ok(Scene { states, facts })
}

/// Prints the diagram of a state.
pub(super) fn run(args: &DiagramArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let reading = limits::reading();
    let mut model = Model::read(
        &args.state.model,
        (&args.language, Policy::LENIENT),
        How::plain(args.format, args.color),
        &mut sources,
        reading,
    );
    let mut scene = None;
    if let Some(system) = &model.system {
        match read_state(&args.state, system) {
            Ok(found) => scene = Some(found),
            Err(errors) => model.diagnostics.extend(errors),
        }
    }
    let system = model.system.take();
    let found = system.as_ref().zip(scene.as_ref());
    let found = found.map(|(system, scene)| (&**system, &scene.states.names, &scene.facts.upper));
    let report = DiagramReport { path: &model.name.clone(), state: args.state.state, found };
    model.answer(&report, (Shown::default(), Vec::new(), None), &sources)
}
