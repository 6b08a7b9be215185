//! `ramsey show`: counterexamples of documents as text and pictures.

use super::args::ShowArgs;
use super::limits;
use std::io;

use super::files::{check_parents, write_whole};
use super::output::{print_diagnostics, print_part, stderr_palette};
use super::sources::{display, in_document, read_one_model, read_text};
use ramsey_app::models::Policy;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Signature, SortId, Structure};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Relaxed;
use ramsey_report::Names;
use ramsey_report::Verdict;
use ramsey_report::json::partial::Known;
use ramsey_report::json::{States, View, is_relaxed, itf, read_nth_counterexample, read_partial};
use ramsey_report::picture::{Picture, Scene, Shape, partial_scene, scene};

/// Shows a counterexample of a document.
pub(super) fn run(args: &ShowArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let palette = stderr_palette(args.color);
    let input = read_one_model(&args.model, &args.language, &mut sources);
    let (system, found) = input.read(&Policy::LENIENT, &sources, &mut limits::reading());
    print_diagnostics(&found, &sources, palette);
    let Some(system) = system else { return Ok(Verdict::of_diagnostics(&found)) };
    match show(args, &system) {
        Ok(text) => print_part(&text).map(|()| Verdict::Ok),
        Err(errors) => {
            print_diagnostics(&errors, &sources, palette);
            Ok(Verdict::BadInput)
        }
    }
}

fn show(args: &ShowArgs, system: &System) -> Result<String, Vec<Diagnostic>> {
    let errors = check_parents([&args.itf]);
    if !errors.is_empty() {
        return Err(errors);
    }
    let json = read_text(&args.document).map_err(|error| vec![error])?;
    let relaxed = is_relaxed(&json).then(|| Relaxed::new(system).system);
    let system = relaxed.as_ref().unwrap_or(system);
    let theme = args.pictures.theme(system, &args.model)?;
    if let Some(known) = read_partial(&system.sig, &json) {
        return show_partial(args, system, &known.map_err(|error| vec![in_document(&args.document, error)])?);
    }
    let states = read_nth_counterexample(system, &json, args.number)
        .map_err(|error| vec![in_document(&args.document, error)])?;
    let missing: Vec<Diagnostic> = theme
        .missing(system, &system.sig, &states.structure)
        .into_iter()
        .map(|(sort, name)| no_element(system, &states.structure, sort, name))
        .collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let model = display(&args.model);
    let title = match &states.claim {
        Some(claim) => format!("{model}: {claim}"),
        None => model,
    };
    let violated = violated(system, &states);
    let witnesses = states.violated.as_ref().map_or(&[][..], |violated| &violated.bindings);
    let picture = Picture {
        system,
        sig: &system.sig,
        structure: &states.structure,
        calls: &states.calls,
        title: &title,
        violated: &violated,
        witnesses,
        theme: &theme,
    };
    args.pictures.write(&picture, 1).map_err(|error| vec![error])?;
    if let Some(path) = &args.itf {
        let sources = Sources::new();
        let view = View {
            system,
            sig: &system.sig,
            sources: &sources,
            prophecy: &[],
            negative: false,
            is_initial: false,
        };
        let execution = view.execution(&states.structure, &states.calls);
        let text = itf::text(&execution, &itf::declared(system), &display(&args.model), &title);
        let text = text.map_err(|error| {
            vec![Diagnostic::error_nowhere(
                Code::Document,
                format!("--itf: no trace can be written: {error}"),
            )]
        })?;
        write_whole(path, text.as_bytes()).map_err(|error| vec![error])?;
    }
    let wanted = args.text || !(args.pictures.is_some() || args.itf.is_some());
    let remark = match violated.as_str() {
        "" => String::new(),
        text => format!("violated: {text}"),
    };
    Ok(if wanted { text(&system.sig, &scene(&picture), &title, &remark) } else { String::new() })
}

/// Shows a document of `diagram` or `generalize`.
fn show_partial(args: &ShowArgs, system: &System, known: &Known) -> Result<String, Vec<Diagnostic>> {
    let title = display(&args.model);
    let scene = partial_scene(system, &known.names, &known.partial);
    let written = args.pictures.write_partial(&title, system, &scene, &known.conjecture);
    written.map_err(|error| vec![error])?;
    let wanted = args.text || !args.pictures.is_some();
    let remark = format!("excluded by: {}", known.conjecture);
    Ok(if wanted { text(&system.sig, &scene, &title, &remark) } else { String::new() })
}

fn no_element(system: &System, structure: &Structure, sort: SortId, name: &str) -> Diagnostic {
    let sig = &system.sig;
    let what = format!("--project: there is no element `{name}` of sort `{}`", sig.sorts[sort].name);
    let names = Names::new(system, sig, structure, 0);
    let mut known: Vec<&str> =
        (0..structure.sizes[sort].min(12)).map(|elem| names.name(sort, elem)).collect();
    if structure.sizes[sort] > 12 {
        known.push("..");
    }
    Diagnostic::error_nowhere(Code::Usage, what).help(format!("its elements are: {}", known.join(", ")))
}

fn violated(system: &System, states: &States) -> String {
    let Some(violated) = &states.violated else { return String::new() };
    let names = Names::new(system, &system.sig, &states.structure, violated.state);
    let values: Vec<String> = violated
        .bindings
        .iter()
        .map(|(name, sort, elem)| format!("{name} = {}", names.name(*sort, *elem)))
        .collect();
    let values = if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) };
    format!("{}{values}", violated.formula)
}

/// Returns the contents of a picture as text.
fn text(sig: &Signature, scene: &Scene, title: &str, remark: &str) -> String {
    let mut out = format!("{title}\n");
    for panel in &scene.panels {
        out.push_str(&format!("  {}:\n", panel.title));
        for node in &panel.nodes {
            let gone = if node.is_gone { " (gone)" } else { "" };
            out.push_str(&format!("    {}{gone}\n", node.name));
            for line in &node.lines {
                out.push_str(&format!("      {}\n", line.shown()));
            }
            if let Shape::Matrix(sym, members) = scene.shapes[node.sort] {
                let members = panel.members(node, members).join(", ");
                out.push_str(&format!("      {}: {members}\n", sig.symbols[sym].name));
            }
        }
        for edge in &panel.edges {
            let (from, to) = (&panel.nodes[edge.from].name, &panel.nodes[edge.to].name);
            out.push_str(&format!("    {}: {from} -> {to}\n", edge.shown()));
        }
        for cell in &panel.cells {
            let (row, column) = (&panel.nodes[cell.row].name, &panel.nodes[cell.column].name);
            out.push_str(&format!("    {row}, {column}: {}\n", cell.line.shown()));
        }
        for line in &panel.lines {
            out.push_str(&format!("    {}\n", line.shown()));
        }
    }
    for caption in &scene.captions {
        out.push_str(&format!("  ({caption})\n"));
    }
    if !remark.is_empty() {
        out.push_str(&format!("  {remark}\n"));
    }
    out
}
