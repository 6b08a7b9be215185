//! Output in SVG: one file, without scripts, fonts and external links.

use std::fmt::Write as _;

use super::Picture;
use super::classify::Shape;
use super::layout::{Rect, cell, layout, rank};
use super::metric::{LINE_HEIGHT, width, wrap, xml};
use super::route::{Route, routes};
use super::scene::{Line, Mark, Panel, Scene, scene};
use crate::logic::SortId;

/// Pixels between the border and the contents.
const MARGIN: i32 = 20;
/// Number of states side by side.
const STATES_PER_ROW: usize = 3;

/// Colours for light and dark backgrounds; sorts cycle through the palette of Okabe and Ito.
const STYLE: &str = "\
.bg{fill:#fff}.t{font:13px sans-serif;fill:#1a1a1a}.b{font-weight:bold}.n{fill:#f7f7f7;stroke-width:2}
.panel{fill:none;stroke:#999}.dot{fill:#1a1a1a}.gap{fill:#999}.e{fill:none;stroke:#555;stroke-width:1.5}.l{paint-order:stroke;stroke:#fff;stroke-width:4}
.s0{stroke:#0072b2}.s1{stroke:#b35900}.s2{stroke:#007a5a}.s3{stroke:#a0467c}.s4{stroke:#666}
.add{fill:#006b3c;font-weight:bold}.del{fill:#b00020;text-decoration:line-through}.chg{fill:#8a4b00;font-weight:bold}
.eadd{stroke:#006b3c;stroke-width:2.5}.edel{stroke:#b00020;stroke-dasharray:5 4}.no{fill:#6a4c93}.eno{stroke:#6a4c93;stroke-dasharray:2 4}
@media (prefers-color-scheme:dark){.bg{fill:#14171a}.t{fill:#eee}.n{fill:#22272c}.panel{stroke:#777}.dot{fill:#eee}.gap{fill:#777}.e{stroke:#bbb}
.l{stroke:#14171a}.s0{stroke:#56b4e9}.s1{stroke:#e69f00}.s2{stroke:#2fc49a}.s3{stroke:#e0a0c8}.s4{stroke:#aaa}
.add{fill:#5fd68f}.del{fill:#ff8a8a}.chg{fill:#ffbf66}.eadd{stroke:#5fd68f}.edel{stroke:#ff8a8a}.no{fill:#c9a9f0}.eno{stroke:#c9a9f0}}
";

/// Writes the picture as an SVG document.
pub fn svg(picture: &Picture) -> String {
    let remark = match picture.violated {
        "" => String::new(),
        text => format!("violated: {text}"),
    };
    svg_of(&scene(picture), picture.title, &remark)
}

/// Writes a scene as an SVG document, with a remark below; an empty remark is omitted.
pub fn svg_of(scene: &Scene, title: &str, remark: &str) -> String {
    let rects = layout(scene);
    let routes: Vec<Vec<Route>> = scene.panels.iter().map(|panel| routes(scene, &rects, panel)).collect();
    let corners = || routes.iter().flatten().map(Route::bounds);
    let min_x = corners().map(|it| it.x).min().unwrap_or(0).min(0);
    let min_y = corners().map(|it| it.y).min().unwrap_or(0).min(0);
    let mut drawing =
        Drawing { scene, rects: &rects, min_x, min_y, body: String::new(), right: 0, titles: 0 };
    drawing.titles = drawing.title_lines();
    let mut y = MARGIN + LINE_HEIGHT;
    drawing.text(MARGIN, y, "t b", title);
    let (mut x, mut bottom) = (MARGIN, y);
    for (step, (panel, routes)) in scene.panels.iter().zip(&routes).enumerate() {
        if step.is_multiple_of(STATES_PER_ROW) {
            (x, y) = (MARGIN, bottom + 14);
        }
        let (w, h) = drawing.panel(panel, routes, x, y);
        x += w + 30;
        bottom = bottom.max(y + h);
    }
    let limit = drawing.right.max(560) - MARGIN;
    for line in wrap(remark, limit) {
        bottom += LINE_HEIGHT + 4;
        drawing.text(MARGIN, bottom, "t chg", &line);
    }
    for line in scene.captions.iter().flat_map(|caption| wrap(caption, limit)) {
        bottom += LINE_HEIGHT + 4;
        drawing.text(MARGIN, bottom, "t", &line);
    }
    let (w, h) = (drawing.right + MARGIN, bottom + MARGIN);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
         aria-labelledby=\"title desc\">\n<title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>",
        xml(title),
        xml(&description(scene, remark))
    );
    let _ = writeln!(out, "<style>\n{STYLE}</style>");
    for class in ["e", "eadd", "edel", "eno"] {
        let _ = writeln!(
            out,
            "<marker id=\"m{class}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"e {class}\" d=\"M1 1 L8 4 L1 7\" \
             style=\"stroke-dasharray:none\"/></marker>"
        );
    }
    let _ = writeln!(out, "<rect class=\"bg\" width=\"{w}\" height=\"{h}\"/>");
    out + &drawing.body + "</svg>\n"
}

/// Describes the contents of the picture in sentences.
fn description(scene: &Scene, remark: &str) -> String {
    let mut out = String::new();
    for panel in &scene.panels {
        let _ = write!(out, "{}: ", panel.title);
        for node in &panel.nodes {
            let mut lines: Vec<&str> = node.lines.iter().map(|line| line.text.as_str()).collect();
            let members = match scene.shapes[node.sort] {
                Shape::Matrix(_, members) => format!("members: {}", panel.members(node, members).join(", ")),
                _ => String::new(),
            };
            lines.extend(Some(members.as_str()).filter(|it| !it.is_empty()));
            let _ = write!(out, "{} ({}); ", node.name, lines.join(", "));
        }
        for edge in &panel.edges {
            let (from, to) = (&panel.nodes[edge.from].name, &panel.nodes[edge.to].name);
            let _ = write!(out, "{}({from}, {to}); ", edge.label.text);
        }
        for line in &panel.lines {
            let _ = write!(out, "{}; ", line.text);
        }
    }
    out.push_str(remark);
    out.trim_end_matches([' ', ';']).to_owned()
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "t",
        Mark::Added => "t add",
        Mark::Removed => "t del",
        Mark::Changed => "t chg",
        Mark::False => "t no",
    }
}

struct Drawing<'a> {
    scene: &'a Scene,
    rects: &'a [Rect],
    /// Minimum x coordinate of the edges in any state, at most 0, so that boxes have the same positions in all states.
    min_x: i32,
    /// Minimum y coordinate, like `min_x`.
    min_y: i32,
    body: String,
    /// The right end of the contents drawn so far.
    right: i32,
    /// Number of lines of the longest title of a state, so that boxes are level in all states.
    titles: i32,
}

impl Drawing<'_> {
    fn text(&mut self, x: i32, y: i32, class: &str, text: &str) {
        let _ = writeln!(self.body, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", xml(text));
        self.right = self.right.max(x + width(text));
    }

    fn title_width(&self) -> i32 {
        self.rects.iter().map(|rect| rect.x + rect.w).max().unwrap_or(0).max(260)
    }

    fn title_lines(&self) -> i32 {
        let limit = self.title_width();
        self.scene.panels.iter().map(|panel| wrap(&panel.title, limit).len() as i32).max().unwrap_or(1)
    }

    /// Draws a state; returns its width and height.
    fn panel(&mut self, panel: &Panel, routes: &[Route], left: i32, top: i32) -> (i32, i32) {
        let boxes = || self.rects.iter().copied().chain(routes.iter().map(Route::bounds));
        let (min_x, min_y) = (self.min_x, self.min_y);
        let wide = boxes().map(|it| it.x + it.w).max().unwrap_or(0) - min_x;
        let tall = boxes().map(|it| it.y + it.h).max().unwrap_or(0) - min_y;
        let titles = wrap(&panel.title, self.title_width());
        let lines: i32 = panel.lines.len() as i32;
        let texts = panel.lines.iter().map(|line| &line.text).chain(&titles);
        let w = texts.map(|text| width(text)).max().unwrap_or(0).max(wide) + 28;
        let head = self.titles * LINE_HEIGHT + 22;
        let h = head + tall + lines * LINE_HEIGHT + 26;
        let _ = writeln!(
            self.body,
            "<rect class=\"panel\" x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" rx=\"6\"/>"
        );
        self.right = self.right.max(left + w);
        for (at, title) in titles.iter().enumerate() {
            self.text(left + 14, top + (at as i32 + 1) * LINE_HEIGHT + 4, "t b", title);
        }
        let (dx, dy) = (left + 14 - min_x, top + head - min_y);
        for (edge, route) in panel.edges.iter().zip(routes) {
            let kind = match edge.label.mark {
                Mark::Added => "eadd",
                Mark::Removed => "edel",
                Mark::False => "eno",
                Mark::Same | Mark::Changed => "e",
            };
            let [a, b, c] = route.curve.map(|(x, y)| format!("{} {}", x + dx, y + dy));
            let _ = writeln!(
                self.body,
                "<path class=\"e {kind}\" d=\"M{a} Q{b} {c}\" marker-end=\"url(#m{kind})\"><title>{}</title></path>",
                xml(&edge.label.text)
            );
        }
        for (at, &rect) in self.rects.iter().enumerate().take(panel.nodes.len()) {
            self.node(panel, at, Rect { x: rect.x + dx, y: rect.y + dy, ..rect });
        }
        for (edge, route) in panel.edges.iter().zip(routes) {
            let class = format!("{} l", class(edge.label.mark));
            self.text(route.label.x + dx, route.label.y + dy + 13, &class, &edge.label.text);
        }
        for (at, line) in panel.lines.iter().enumerate() {
            let y = top + head + tall + (at as i32 + 1) * LINE_HEIGHT + 4;
            self.text(left + 14, y, class(line.mark), &line.text);
        }
        (w, h)
    }

    fn node(&mut self, panel: &Panel, at: usize, rect: Rect) {
        let node = &panel.nodes[at];
        let rank = rank(self.scene, node.sort);
        let Rect { x, y, w, h } = rect;
        let corner = if rank.is_multiple_of(2) { 12 } else { 0 };
        let _ = writeln!(
            self.body,
            "<g><title>{}</title><rect class=\"n s{}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{corner}\"/>",
            xml(&node.name),
            rank % 5
        );
        self.text(x + 10, y + LINE_HEIGHT, "t b", &node.name);
        if let Shape::Matrix(_, members) = self.scene.shapes[node.sort] {
            self.row(panel, at, rect, members);
            self.body.push_str("</g>\n");
            return;
        }
        for (at, Line { mark, text }) in node.lines.iter().enumerate() {
            self.text(x + 10, y + LINE_HEIGHT * (at as i32 + 2) + 2, class(*mark), text);
        }
        self.body.push_str("</g>\n");
    }
    /// Draws a row of a matrix: facts beside the name, then a dot below the name of each member.
    fn row(&mut self, panel: &Panel, at: usize, rect: Rect, members: SortId) {
        let node = &panel.nodes[at];
        let mut x = rect.x + 20 + width(&node.name);
        for Line { mark, text } in &node.lines {
            self.text(x, rect.y + LINE_HEIGHT, class(*mark), text);
            x += width(text) + 10;
        }
        let cell = cell(self.scene, at);
        let mut x = rect.x + rect.w - 8 - cell * node.dots.len() as i32 + cell / 2;
        let is_first = at == 0 || panel.nodes[at - 1].sort != node.sort;
        let columns = panel.nodes.iter().filter(|it| it.sort == members);
        for (column, &is_member) in columns.zip(&node.dots) {
            if is_first {
                self.text(x - width(&column.name) / 2, rect.y - 8, "t", &column.name);
            }
            let (y, class, radius) =
                if is_member { (rect.y + rect.h / 2, "dot", 5) } else { (rect.y + rect.h / 2, "gap", 2) };
            let _ = writeln!(self.body, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
            x += cell;
        }
    }
}
