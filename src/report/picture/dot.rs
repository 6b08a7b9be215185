//! DOT, the language of Graphviz: a cluster per state.

use std::fmt::Write as _;

use super::Picture;
use super::classify::Shape;
use super::layout::rank;
use super::metric::dot as escape;
use super::scene::{Mark, Panel, Scene, scene};

/// Colours of sorts on light backgrounds, as in SVG.
const COLORS: [&str; 5] = ["#0072b2", "#b35900", "#007a5a", "#a0467c", "#666666"];

/// The picture as a graph in DOT.
pub fn dot(picture: &Picture) -> String {
    let scene = scene(picture);
    let mut label = picture.title.to_owned();
    if !picture.violated.is_empty() {
        let _ = write!(label, "\nviolated: {}", picture.violated);
    }
    for caption in &scene.captions {
        let _ = write!(label, "\n{caption}");
    }
    let label: Vec<String> = label.split('\n').map(escape).collect();
    let mut out = format!(
        "digraph states {{\n  graph [fontname=\"sans-serif\", labelloc=t, label=\"{}\"];\n  node [fontname=\"sans-serif\"];\n  \
         edge [fontname=\"sans-serif\"];\n",
        label.join("\\n")
    );
    for (step, panel) in scene.panels.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{step} {{\n    label=\"{}\";", escape(&panel.title));
        for (at, node) in panel.nodes.iter().enumerate() {
            let mut label = escape(&node.name);
            for line in &node.lines {
                let _ = write!(label, "\\n{}", escape(&line.text));
            }
            if let Shape::Matrix(sym, members) = scene.shapes[node.sort] {
                let members = panel.members(node, members).join(", ");
                let _ = write!(label, "\\n{}: {}", escape(&picture.sig.symbols[sym].name), escape(&members));
            }
            let rank = rank(&scene, node.sort);
            let style = if rank.is_multiple_of(2) { "rounded" } else { "solid" };
            let color = COLORS[rank % COLORS.len()];
            let _ = writeln!(
                out,
                "    n{step}_{at} [shape=box, style={style}, color=\"{color}\", label=\"{label}\"];"
            );
        }
        for (at, pair) in panel.nodes.windows(2).enumerate() {
            if pair[0].sort == pair[1].sort && matches!(scene.shapes[pair[0].sort], Shape::Column(..)) {
                let _ = writeln!(out, "    n{step}_{at} -> n{step}_{} [style=invis];", at + 1);
            }
        }
        for sort in picture.sorts().filter(|&sort| matches!(scene.shapes[sort], Shape::Ring(..))) {
            let members: Vec<usize> =
                (0..panel.nodes.len()).filter(|&at| panel.nodes[at].sort == sort).collect();
            for (at, from) in members.iter().enumerate() {
                let to = members[(at + 1) % members.len()];
                let _ = writeln!(out, "    n{step}_{from} -> n{step}_{to} [style=dotted];");
            }
        }
        ranks(&mut out, &scene, panel, step);
        for edge in &panel.edges {
            let color = match edge.label.mark {
                Mark::Added => "#006b3c",
                Mark::Removed => "#b00020",
                Mark::Same | Mark::Changed => "#555555",
            };
            let (from, to, text) = (edge.from, edge.to, escape(&edge.label.text));
            let _ = writeln!(
                out,
                "    n{step}_{from} -> n{step}_{to} [color=\"{color}\", label=\"{text}\", constraint=false];"
            );
        }
        if !panel.lines.is_empty() {
            let lines: Vec<String> = panel.lines.iter().map(|line| escape(&line.text)).collect();
            let _ = writeln!(out, "    facts{step} [shape=plaintext, label=\"{}\\l\"];", lines.join("\\l"));
        } else if panel.nodes.is_empty() {
            let _ = writeln!(out, "    facts{step} [shape=plaintext, label=\"(no facts)\"];");
        }
        out.push_str("  }\n");
    }
    out + "}\n"
}

/// Rows of a partial order, held together by invisible edges.
fn ranks(out: &mut String, scene: &Scene, panel: &Panel, step: usize) {
    for (sort, shape) in scene.shapes.iter_enumerated() {
        let (Shape::Ranks(_, rows), Some(mut at)) =
            (shape, panel.nodes.iter().position(|it| it.sort == sort))
        else {
            continue;
        };
        for (index, row) in rows.iter().enumerate() {
            let names: Vec<String> = (at..at + row.len()).map(|at| format!("n{step}_{at}")).collect();
            let _ = writeln!(out, "    {{ rank=same; {} }}", names.join("; "));
            if index + 1 < rows.len() {
                let _ = writeln!(out, "    n{step}_{at} -> n{step}_{} [style=invis];", at + row.len());
            }
            at += row.len();
        }
    }
}
