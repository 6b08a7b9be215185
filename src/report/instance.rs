//! Text output of `ramsey instance`, and the graph of its states.

use std::fmt::Write as _;

use super::Palette;
use super::picture::escape;
use ramsey_core::logic::{Structure, SymbolKind, element_name};
use ramsey_core::system::System;
use ramsey_engine::query::instance::{Graph, Outcome};

/// Returns the line of the answer.
pub fn outcome_text(outcome: &Outcome, invariant: Option<(usize, usize)>, palette: Palette) -> String {
    match outcome {
        Outcome::Safe => {
            let why = match invariant {
                Some((clauses, 0)) => format!(" (an invariant of {clauses} clauses)"),
                Some((_, steps)) => format!(" (by induction over {steps} steps)"),
                None => String::new(),
            };
            format!("  {}{why}\n", palette.good("safe"))
        }
        Outcome::Violated(violation, true) => {
            debug_assert!(violation.counterexample.calls.is_empty(), "no step leads there");
            format!("  {} before the initial states\n", palette.bad("VIOLATED"))
        }
        Outcome::Violated(violation, false) => {
            let steps = violation.counterexample.calls.len();
            let noun = if steps == 1 { "step" } else { "steps" };
            format!("  {} after {steps} {noun}\n", palette.bad("VIOLATED"))
        }
        Outcome::Unknown { exhausted, bound } => {
            let known = match bound {
                Some(bound) => format!("; no execution of at most {bound} steps violates the property"),
                None => String::new(),
            };
            format!("  {}{known}\n", palette.caution(&format!("unknown ({exhausted})")))
        }
        Outcome::InternalError(_) => format!("  {}\n", palette.bad("INTERNAL ERROR")),
    }
}

/// Returns a clause: one of the facts has its value.
pub fn clause_text<'a>(clause: impl IntoIterator<Item = (&'a str, bool)>) -> String {
    let literal = |(fact, value): (&str, bool)| match (value, fact.split_once('=')) {
        (true, _) => fact.to_owned(),
        (false, Some((term, value))) => format!("{term}!={value}"),
        (false, None) => format!("!{fact}"),
    };
    let literals: Vec<String> = clause.into_iter().map(literal).collect();
    // A circuit without states has the empty clause.
    if literals.is_empty() { "false".to_owned() } else { literals.join(" | ") }
}

/// Returns the lines about reachable states.
pub fn states_text(graph: &Graph, is_complete: bool, up_to_isomorphism: bool) -> String {
    let mut text = String::new();
    let count = graph.states.len();
    let how = if up_to_isomorphism { " up to isomorphism" } else { "" };
    if !is_complete {
        let _ = writeln!(text, "  more than {count} reachable states{how}");
        return text;
    }
    let _ = writeln!(
        text,
        "  {count} reachable states{how}: {} initial, {} without a successor, {} that violate the property",
        graph.initial(),
        graph.stuck(),
        graph.bad()
    );
    let _ = writeln!(text, "  {} steps, at most {} to a state", graph.steps.len(), graph.diameter());
    text
}

/// Writes the reachable states and the steps between them as a graph in DOT.
pub fn graph_dot(title: &str, system: &System, graph: &Graph) -> String {
    let mut out = format!(
        "digraph states {{\n  graph [fontname=\"sans-serif\", labelloc=t, label=\"{}\"];\n  node \
         [fontname=\"sans-serif\", shape=box];\n  edge [fontname=\"sans-serif\"];\n",
        escape(title)
    );
    for (at, state) in graph.states.iter().enumerate() {
        let style = match (state.depth, state.is_bad) {
            (_, true) => ", color=\"#c00000\", penwidth=2",
            (0, false) => ", style=filled, fillcolor=\"#f0f0f0\"",
            _ => "",
        };
        let facts: Vec<String> = facts(system, &state.structure).iter().map(|it| escape(it)).collect();
        let label = facts.join("\\n");
        let _ = writeln!(out, "  s{at} [label=\"{label}\"{style}];");
    }
    for &(from, transition, to) in &graph.steps {
        let name = system.transitions.get(transition).map_or("", |it| it.name.as_str());
        let _ = writeln!(out, "  s{from} -> s{to} [label=\"{}\"];", escape(name));
    }
    out.push_str("}\n");
    out
}

/// Returns what is true in a state of the symbols that change.
fn facts(system: &System, structure: &Structure) -> Vec<String> {
    let sig = &system.sig;
    let mut facts = Vec::new();
    let changing = sig.symbols.iter_enumerated();
    let changing = changing.filter(|(_, it)| it.kind == SymbolKind::Mutable && it.is_declared());
    for (sym, symbol) in changing {
        for args in structure.tuples(&symbol.args) {
            let value = structure.interpretation(sig, sym, 0).get(&args);
            if symbol.is_relation() && value == 0 {
                continue;
            }
            let names: Vec<String> =
                symbol.args.iter().zip(&args).map(|(&sort, &arg)| element_name(sig, sort, arg)).collect();
            let args = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            let value = match symbol.is_relation() {
                true => String::new(),
                false => format!(" = {}", element_name(sig, symbol.result, value)),
            };
            facts.push(format!("{}{args}{value}", symbol.name));
        }
    }
    facts
}
