//! Output in DOT, the language of Graphviz, with a cluster per state.

use std::fmt::Write as _;

use super::Picture;
use super::build::scene;
use super::classify::Shape;
use super::layout::rank;
use super::metric::{dot as escape, xml};
use super::scene::{Line, Mark, Panel, Scene};
use ramsey_core::logic::Signature;

/// Colours of sorts on light backgrounds, as in SVG.
const COLORS: [&str; 5] = ["#0072b2", "#b35900", "#007a5a", "#a0467c", "#666666"];
/// Fill colour of boxes, as in SVG.
const FILL: &str = "#f7f7f7";

/// Writes the picture as a graph in DOT.
pub fn dot(picture: &Picture) -> String {
    let remark = match picture.violated {
        "" => String::new(),
        text => format!("violated: {text}"),
    };
    dot_of(picture.sig, &scene(picture), picture.title, &remark)
}

/// Writes a scene as a graph in DOT, with a remark above; an empty remark is omitted.
pub fn dot_of(sig: &Signature, scene: &Scene, title: &str, remark: &str) -> String {
    let mut label = format!("<b>{}</b>", xml(title));
    if !remark.is_empty() {
        let _ = write!(label, "<br/><font color=\"{}\">{}</font>", color(Mark::Changed), xml(remark));
    }
    for caption in &scene.captions {
        let _ = write!(label, "<br/>{}", xml(caption));
    }
    let mut out = format!(
        "digraph states {{\n  graph [fontname=\"sans-serif\", labelloc=t, label=<{label}>];\n  \
         node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n"
    );
    for (step, panel) in scene.panels.iter().enumerate() {
        let _ = writeln!(
            out,
            "  subgraph cluster_{step} {{\n    color=\"#999999\";\n    label=<<b>{}</b>>;",
            xml(&panel.title)
        );
        nodes(&mut out, sig, scene, panel, step);
        placement(&mut out, scene, panel, step);
        for edge in &panel.edges {
            let (color, text) = (color(edge.mark()), escape(&edge.shown()));
            let style = match edge.mark() {
                Mark::Same | Mark::Changed => "solid",
                Mark::Added => "bold",
                Mark::Removed => "dashed",
                Mark::False => "dotted",
            };
            // Graphviz fails on some graphs with labelled edges between sorts if the edges are excluded from ranking.
            let is_inside = panel.nodes[edge.from].sort == panel.nodes[edge.to].sort;
            let constraint = if is_inside { ", constraint=false" } else { "" };
            let _ = writeln!(
                out,
                "    n{step}_{} -> n{step}_{} [style={style}, color=\"{color}\", fontcolor=\"{color}\", \
                 label=\"{text}\"{constraint}];",
                edge.from, edge.to
            );
        }
        if !panel.lines.is_empty() {
            let lines: String = panel.lines.iter().map(|it| line(it) + "<br align=\"left\"/>").collect();
            let _ = writeln!(out, "    facts{step} [shape=plaintext, label=<{lines}>];");
        } else if panel.nodes.is_empty() {
            let _ = writeln!(out, "    facts{step} [shape=plaintext, label=\"(no facts)\"];");
        }
        out.push_str("  }\n");
    }
    out + "}\n"
}

/// Returns the colour of text and edges on light backgrounds, as in SVG.
fn color(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "#1a1a1a",
        Mark::Added => "#006b3c",
        Mark::Removed => "#b00020",
        Mark::Changed => "#8a4b00",
        Mark::False => "#6a4c93",
    }
}

/// Formats a line in the colour of its mark, as an HTML-like label.
fn line(line: &Line) -> String {
    let Line { mark, .. } = line;
    let text = xml(&line.shown());
    let text = match mark {
        Mark::Same => return text,
        Mark::Added | Mark::Changed => format!("<b>{text}</b>"),
        Mark::Removed => format!("<s>{text}</s>"),
        Mark::False => text,
    };
    format!("<font color=\"{}\">{text}</font>", color(*mark))
}

fn nodes(out: &mut String, sig: &Signature, scene: &Scene, panel: &Panel, step: usize) {
    for (at, node) in panel.nodes.iter().enumerate() {
        let mut label = format!("<b>{}</b>", xml(&node.name));
        if !node.tags.is_empty() {
            let _ = write!(label, " [{}]", xml(&node.tags.join(", ")));
        }
        for it in &node.lines {
            let _ = write!(label, "<br/>{}", line(it));
        }
        for cell in panel.cells.iter().filter(|cell| cell.row == at) {
            let column = xml(&panel.nodes[cell.column].name);
            let _ = write!(label, "<br/>{column}: {}", line(&cell.line));
        }
        if let Shape::Matrix(sym, members) = scene.shapes[node.sort] {
            let members = panel.members(node, members).join(", ");
            let _ = write!(label, "<br/>{}: {}", xml(&sig.symbols[sym].name), xml(&members));
        }
        let rank = rank(scene, node.sort);
        let style = match (node.is_gone, rank.is_multiple_of(2)) {
            (true, _) => "\"dashed,filled\"",
            (false, true) => "\"rounded,filled\"",
            (false, false) => "filled",
        };
        let color = COLORS[rank % COLORS.len()];
        let _ = writeln!(
            out,
            "    n{step}_{at} [shape=box, style={style}, fillcolor=\"{FILL}\", color=\"{color}\", label=<{label}>];"
        );
    }
}

/// Writes the constraints that keep columns, rings and rows together.
fn placement(out: &mut String, scene: &Scene, panel: &Panel, step: usize) {
    for (at, pair) in panel.nodes.windows(2).enumerate() {
        if pair[0].sort == pair[1].sort && matches!(scene.shapes[pair[0].sort], Shape::Column(..)) {
            let _ = writeln!(out, "    n{step}_{at} -> n{step}_{} [style=invis];", at + 1);
        }
    }
    for (sort, _) in scene.shapes.iter_enumerated().filter(|(_, shape)| matches!(shape, Shape::Ring(..))) {
        let members: Vec<usize> = (0..panel.nodes.len()).filter(|&at| panel.nodes[at].sort == sort).collect();
        for (at, from) in members.iter().enumerate() {
            let to = members[(at + 1) % members.len()];
            let _ = writeln!(out, "    n{step}_{from} -> n{step}_{to} [style=dotted];");
        }
    }
    ranks(out, scene, panel, step);
}

/// Writes the rows of a partial order, kept together by invisible edges.
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
