//! Writes the contents of a state as SVG elements.
//!
//! Colours are presentation attributes, which the rules of [`super::page_css`] override.

use std::fmt::Write as _;

use super::classify::Shape;
use super::css::color;
use super::layout::{Rect, cell, rank, tags_width};
use super::metric::{LINE_HEIGHT, width, xml};
use super::placement::{Placement, Stroke};
use super::route::Route;
use super::scene::{Edge, Line, Mark, Node, Panel, Scene};

/// The height of the background of a fact.
const CHIP: i32 = LINE_HEIGHT - 2;

/// The marks that edges can have.
const MARKS: [Mark; 5] = [Mark::Same, Mark::Added, Mark::Removed, Mark::Changed, Mark::False];

/// An SVG document in the making.
pub(super) struct Canvas<'a> {
    pub(super) scene: &'a Scene,
    /// The boxes of the nodes.
    pub(super) rects: &'a [Rect],
    pub(super) placements: &'a [Placement],
    /// The beginning of all ids.
    pub(super) prefix: &'a str,
    /// Whether facts and names are buttons.
    pub(super) is_interactive: bool,
    pub(super) out: String,
}

impl Canvas<'_> {
    /// Writes the arrow heads.
    pub(super) fn markers(&mut self) {
        let heads = MARKS.map(|mark| (mark.word(), edge_color(mark)));
        for (word, color) in heads.into_iter().chain([("ring", color("line"))]) {
            let _ = writeln!(
                self.out,
                "<marker id=\"{}-{word}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"9\" \
                 markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"arrow {word}\" \
                 d=\"M1 1 L8 4 L1 7\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/></marker>",
                self.prefix
            );
        }
    }

    /// Writes text with these further attributes.
    pub(super) fn text(&mut self, x: i32, y: i32, attributes: &str, text: &str) {
        let _ = writeln!(self.out, "<text x=\"{x}\" y=\"{y}\"{attributes}>{}</text>", xml(text));
    }

    /// Writes the contents of a state, moved by `(dx, dy)`. Facts that are listed begin at the height `below`.
    pub(super) fn panel(&mut self, panel: &Panel, routes: &[Route], (dx, dy): (i32, i32), below: i32) {
        for (at, &rect) in self.rects.iter().enumerate().take(panel.nodes.len()) {
            self.node(panel, at, moved(rect, dx, dy));
        }
        for placement in self.placements {
            self.placement(placement, dx, dy);
        }
        self.cells(panel, dx, dy);
        for (edge, route) in panel.edges.iter().zip(routes) {
            self.edge(edge, route, dx, dy);
        }
        for (at, line) in panel.lines.iter().enumerate() {
            self.fact(line, dx, dy + below + at as i32 * LINE_HEIGHT, "");
        }
    }

    /// Opens the group of a fact.
    fn open(&mut self, line: &Line) {
        let class = if line.fact.is_some() { "fact" } else { "note" };
        let _ = write!(self.out, "<g class=\"{class} mark-{}\"", line.mark.word());
        if let Some(fact) = &line.fact {
            let _ = write!(self.out, " data-fact=\"{}\"", xml(fact));
            if let Some(name) = line.symbol.and_then(|sym| self.scene.symbols.get(sym)) {
                let _ = write!(self.out, " data-symbol=\"{}\"", xml(name));
            }
            self.button(fact, " aria-pressed=\"false\"");
        }
        self.out.push_str(">\n");
    }

    /// Writes the attributes of a button, if there are any.
    fn button(&mut self, label: &str, more: &str) {
        if self.is_interactive {
            let _ = write!(self.out, " tabindex=\"0\" role=\"button\"{more} aria-label=\"{}\"", xml(label));
        }
    }

    /// Writes a fact with its background, and `inner` before that.
    pub(super) fn fact(&mut self, line: &Line, x: i32, y: i32, inner: &str) {
        self.open(line);
        self.out.push_str(inner);
        self.label(line, x, y);
        self.out.push_str("</g>\n");
    }

    fn label(&mut self, line: &Line, x: i32, y: i32) {
        let text = line.drawn();
        let (fill, stroke, ink) = match line.mark {
            Mark::Same => ("chip", "chip-line", "ink"),
            Mark::Added => ("added-soft", "added", "added"),
            Mark::Removed => ("removed-soft", "removed", "removed"),
            Mark::Changed => ("changed-soft", "changed", "changed"),
            Mark::False => ("false-soft", "false", "false"),
        };
        let dash = match line.mark {
            Mark::Removed => " stroke-dasharray=\"4 2\"",
            Mark::False => " stroke-dasharray=\"2 3\"",
            _ => "",
        };
        let _ = writeln!(
            self.out,
            "<rect class=\"chip\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{CHIP}\" rx=\"4\" fill=\"{}\" \
             stroke=\"{}\"{dash}/>",
            width(&text) + 8,
            color(fill),
            color(stroke)
        );
        let weight = match line.mark {
            Mark::Added | Mark::Changed => " font-weight=\"bold\"",
            _ => "",
        };
        self.text(x + 4, y + 13, &format!(" fill=\"{}\"{weight}", color(ink)), &text);
    }

    fn node(&mut self, panel: &Panel, at: usize, rect: Rect) {
        let node = &panel.nodes[at];
        let rank = rank(self.scene, node.sort);
        let Rect { x, y, w, h } = rect;
        let corner = if rank.is_multiple_of(2) { 10 } else { 2 };
        let gone = if node.is_gone { " gone" } else { "" };
        let witness = if node.tags.is_empty() { "" } else { " witness" };
        let sort = color(["sort-0", "sort-1", "sort-2", "sort-3", "sort-4"][rank % 5]);
        let stroke = if node.tags.is_empty() { sort } else { color("tag") };
        let (element, sort_name) = (xml(&node.id), xml(&self.scene.sorts[node.sort]));
        let _ = writeln!(
            self.out,
            "<g class=\"box sort-{}{gone}{witness}\" data-element=\"{element}\" data-sort=\"{sort_name}\">\n\
             <rect class=\"frame\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{corner}\" fill=\"{}\" \
             stroke=\"{stroke}\" stroke-width=\"2\"/>",
            rank % 5,
            color("box")
        );
        if node.is_gone {
            let (right, bottom) = (x + w, y + h);
            let _ = writeln!(
                self.out,
                "<path class=\"cross\" d=\"M{x} {y} L{right} {bottom} M{x} {bottom} L{right} {y}\" stroke=\"{}\"/>",
                color("line")
            );
        }
        self.name(node, x + 6, y + 4);
        self.tags(node, x + w - tags_width(node) - 6, y - 10);
        if let Shape::Matrix(..) = self.scene.shapes[node.sort] {
            self.row(panel, at, rect);
        } else {
            for (at, line) in node.lines.iter().enumerate() {
                self.fact(line, x + 6, y + LINE_HEIGHT * (at as i32 + 1) + 5, "");
            }
        }
        self.out.push_str("</g>\n");
    }

    /// Writes the name of an element.
    pub(super) fn name(&mut self, node: &Node, x: i32, y: i32) {
        let _ = write!(self.out, "<g class=\"name\" data-element=\"{}\"", xml(&node.id));
        self.button(&node.name, "");
        let _ = writeln!(
            self.out,
            "><rect class=\"chip\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{CHIP}\" rx=\"4\" fill=\"transparent\"/>",
            width(&node.name) + 8
        );
        let ink = if node.is_gone { "muted" } else { "ink" };
        let style = format!(" fill=\"{}\" font-weight=\"bold\"", color(ink));
        self.text(x + 4, y + 13, &style, &node.name);
        self.out.push_str("</g>\n");
    }

    /// Writes the variables of the violated claim with this value.
    pub(super) fn tags(&mut self, node: &Node, mut x: i32, y: i32) {
        for tag in &node.tags {
            let w = width(tag) + 8;
            let _ = writeln!(
                self.out,
                "<g class=\"tag\"><rect x=\"{x}\" y=\"{}\" width=\"{w}\" height=\"16\" rx=\"4\" fill=\"{}\"/>",
                y,
                color("tag")
            );
            let style = format!(" fill=\"{}\" font-size=\"12\" font-weight=\"bold\"", color("tag-ink"));
            self.text(x + 4, y + 12, &style, tag);
            self.out.push_str("</g>\n");
            x += w + 4;
        }
    }

    /// Writes a row of a matrix: facts beside the name, then a dot below the name of each member.
    fn row(&mut self, panel: &Panel, at: usize, rect: Rect) {
        let node = &panel.nodes[at];
        let Shape::Matrix(_, members) = self.scene.shapes[node.sort] else { return };
        let mut x = rect.x + 18 + width(&node.name);
        for line in &node.lines {
            self.fact(line, x, rect.y + 5, "");
            x += width(&line.drawn()) + 12;
        }
        let cell = cell(self.scene, at);
        let mut x = rect.x + rect.w - 8 - cell * node.dots.len() as i32 + cell / 2;
        let y = rect.y + rect.h / 2;
        let is_first = at == 0 || panel.nodes[at - 1].sort != node.sort;
        let columns = panel.nodes.iter().filter(|it| it.sort == members);
        for (column, dot) in columns.zip(&node.dots) {
            if is_first {
                let style = format!(" class=\"muted\" fill=\"{}\"", color("muted"));
                self.text(x - width(&column.name) / 2, rect.y - 8, &style, &column.name);
            }
            self.open(&dot.fact);
            let (class, ink, radius) = if dot.is_member { ("dot", "ink", 5) } else { ("gap", "line", 2) };
            let _ = writeln!(
                self.out,
                "<rect class=\"chip\" x=\"{}\" y=\"{}\" width=\"{CHIP}\" height=\"{CHIP}\" rx=\"4\" fill=\"{}\" \
                 stroke=\"{}\"/>\n<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\"/>\n</g>",
                x - CHIP / 2,
                y - CHIP / 2,
                color("chip"),
                color("chip-line"),
                color(ink)
            );
            x += cell;
        }
    }

    fn placement(&mut self, placement: &Placement, dx: i32, dy: i32) {
        let name = self.scene.symbols.get(placement.sym).map_or("", String::as_str);
        let _ = write!(self.out, "<g class=\"placement\" data-symbol=\"{}\"", xml(name));
        self.button(name, " aria-pressed=\"false\"");
        self.out.push_str(">\n");
        let ink = color("line");
        for stroke in &placement.strokes {
            let _ = match *stroke {
                Stroke::Line((ax, ay), (bx, by)) => writeln!(
                    self.out,
                    "<path d=\"M{} {} L{} {}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"/>",
                    ax + dx,
                    ay + dy,
                    bx + dx,
                    by + dy
                ),
                Stroke::Arc((ax, ay), (bx, by), radius) => writeln!(
                    self.out,
                    "<path d=\"M{} {} A{radius} {radius} 0 0 1 {} {}\" fill=\"none\" stroke=\"{ink}\" \
                     stroke-width=\"1.5\" stroke-dasharray=\"2 3\" marker-end=\"url(#{}-ring)\"/>",
                    ax + dx,
                    ay + dy,
                    bx + dx,
                    by + dy,
                    self.prefix
                ),
            };
        }
        if let Some((x, y, text)) = &placement.caption {
            let style = format!(" fill=\"{}\"", color("muted"));
            self.text(x + dx, y + dy, &style, text);
        }
        self.out.push_str("</g>\n");
    }

    /// Writes the grids of the tables, and the facts in their cells.
    fn cells(&mut self, panel: &Panel, dx: i32, dy: i32) {
        for table in &self.scene.tables {
            let of_sort = |sort| {
                let nodes = panel.nodes.iter().zip(self.rects);
                nodes.filter(move |(node, _)| node.sort == sort).map(move |(_, &rect)| moved(rect, dx, dy))
            };
            for row in of_sort(table.rows) {
                for column in of_sort(table.columns) {
                    let _ = writeln!(
                        self.out,
                        "<rect class=\"grid\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" \
                         stroke=\"{}\"/>",
                        column.x,
                        row.y,
                        column.w,
                        row.h,
                        color("chip-line")
                    );
                }
            }
        }
        let mut filled: Vec<(usize, usize)> = Vec::new();
        for cell in &panel.cells {
            let before = filled.iter().filter(|it| **it == (cell.row, cell.column)).count() as i32;
            filled.push((cell.row, cell.column));
            let (row, column) = (self.rects[cell.row], self.rects[cell.column]);
            self.fact(&cell.line, column.x + dx + 6, row.y + dy + 6 + before * LINE_HEIGHT, "");
        }
    }

    fn edge(&mut self, edge: &Edge, route: &Route, dx: i32, dy: i32) {
        let mark = edge.mark();
        let dash = match mark {
            Mark::Removed => " stroke-dasharray=\"5 4\"",
            Mark::False => " stroke-dasharray=\"2 4\"",
            _ => "",
        };
        let stroke = if mark == Mark::Added { "2.5" } else { "1.5" };
        let [a, b, c] = route.curve.map(|(x, y)| format!("{} {}", x + dx, y + dy));
        let path = format!(
            "<path class=\"edge\" d=\"M{a} Q{b} {c}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{stroke}\"{dash} \
             marker-end=\"url(#{}-{})\"><title>{}</title></path>\n",
            edge_color(mark),
            self.prefix,
            mark.word(),
            xml(&edge.shown())
        );
        for (at, line) in edge.labels.iter().enumerate() {
            let y = route.label.y + dy + at as i32 * LINE_HEIGHT;
            self.fact(line, route.label.x + dx, y, if at == 0 { &path } else { "" });
        }
    }
}

fn moved(rect: Rect, dx: i32, dy: i32) -> Rect {
    Rect { x: rect.x + dx, y: rect.y + dy, ..rect }
}

fn edge_color(mark: Mark) -> &'static str {
    color(match mark {
        Mark::Same => "edge",
        other => other.word(),
    })
}
