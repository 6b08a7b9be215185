//! Circuits in VMT format (A. Cimatti, A. Griggio, S. Tonetta: The VMT-LIB Language and Tools, SMT 2021): SMT-LIB with
//! annotations that say what belongs to a transition system.

use std::io::{self, Write};

use super::instance::Instance;
use crate::hwmc::graph::Edge;

/// Writes the circuit of an instance. Variables have the names of the facts that they stand for. Inputs are state
/// variables without a next value, so that constraints and properties may depend on them; constraints are conditions of
/// the initial states and of steps, and a property is claimed of states in which they hold.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_vmt(instance: &Instance, out: &mut impl Write) -> io::Result<()> {
    let circuit = instance.circuit();
    // Inputs come first, then latches, all of them.
    let names = instance.input_names().chain(instance.latch_names());
    let names: Vec<String> = names.map(|name| name.replace(['|', '\\'], "_")).collect();
    writeln!(out, "(set-logic QF_UF)")?;
    for (at, name) in names.iter().enumerate() {
        writeln!(out, "(declare-fun |{name}| () Bool)\n(declare-fun |{name}'| () Bool)")?;
        writeln!(out, "(define-fun .v{} () Bool (! |{name}| :next |{name}'|))", at + 1)?;
    }
    let positive = |node: usize| match names.get(node.wrapping_sub(1)) {
        Some(name) => format!("|{name}|"),
        None if node == 0 => "false".to_owned(),
        None => format!(".g{node}"),
    };
    let text = |edge: Edge| {
        let positive = positive(edge.node());
        if edge.is_negated() { format!("(not {positive})") } else { positive }
    };
    for (node, [left, right]) in circuit.graph().gates() {
        writeln!(out, "(define-fun .g{node} () Bool (and {} {}))", text(left), text(right))?;
    }
    let all = |parts: Vec<String>| match parts.len() {
        0 => "true".to_owned(),
        _ => format!("(and true {})", parts.join(" ")),
    };
    let constraints = all(circuit.constraints().iter().map(|&edge| text(edge)).collect());
    writeln!(out, "(define-fun .constraints () Bool {constraints})")?;
    let latch = |at: usize| names.get(circuit.num_inputs() + at).map(String::as_str).unwrap_or_default();
    let resets = circuit.latches().iter().enumerate().filter_map(|(at, it)| {
        let name = latch(at);
        Some(if it.reset? { format!("|{name}|") } else { format!("(not |{name}|)") })
    });
    let resets = all(resets.collect());
    writeln!(out, "(define-fun .init () Bool (! (and .constraints {resets}) :init true))")?;
    let nexts = circuit.latches().iter().enumerate();
    let nexts = all(nexts.map(|(at, it)| format!("(= |{}'| {})", latch(at), text(it.next))).collect());
    writeln!(out, "(define-fun .trans () Bool (! (and .constraints {nexts}) :trans true))")?;
    for (at, &bad) in circuit.bad().iter().enumerate() {
        let bad = text(bad);
        let property = format!("(! (=> .constraints (not {bad})) :invar-property {at})");
        writeln!(out, "(define-fun .property{at} () Bool {property})")?;
    }
    // Tools of the format expect an assertion at the end.
    writeln!(out, "(assert true)")
}
