//! SVG: one file, no script, no font, no link to anything outside.

use std::fmt::Write as _;

use super::layout::{Rect, layout, rank};
use super::metric::{LINE, width, wrap, xml};
use super::scene::{Edge, Line, Mark, Panel, Scene, scene};
use super::{Picture, classify::Shape};

/// Pixels between the border and what is drawn.
const MARGIN: i32 = 20;
/// States side by side.
const ACROSS: usize = 3;

/// Colours for light and for dark backgrounds; sorts take the palette of Okabe and Ito in turn.
const STYLE: &str = "\
.bg{fill:#fff}.t{font:13px sans-serif;fill:#1a1a1a}.b{font-weight:bold}.n{fill:#f7f7f7;stroke-width:2}
.panel{fill:none;stroke:#999}.e{fill:none;stroke:#555;stroke-width:1.5}.l{paint-order:stroke;stroke:#fff;stroke-width:4}
.s0{stroke:#0072b2}.s1{stroke:#b35900}.s2{stroke:#007a5a}.s3{stroke:#a0467c}.s4{stroke:#666}
.add{fill:#006b3c;font-weight:bold}.del{fill:#b00020;text-decoration:line-through}.chg{fill:#8a4b00;font-weight:bold}
.eadd{stroke:#006b3c;stroke-width:2.5}.edel{stroke:#b00020;stroke-dasharray:5 4}
@media (prefers-color-scheme:dark){.bg{fill:#14171a}.t{fill:#eee}.n{fill:#22272c}.panel{stroke:#777}.e{stroke:#bbb}
.l{stroke:#14171a}.s0{stroke:#56b4e9}.s1{stroke:#e69f00}.s2{stroke:#2fc49a}.s3{stroke:#e0a0c8}.s4{stroke:#aaa}
.add{fill:#5fd68f}.del{fill:#ff8a8a}.chg{fill:#ffbf66}.eadd{stroke:#5fd68f}.edel{stroke:#ff8a8a}}
";

/// The picture as an SVG document.
pub fn svg(picture: &Picture) -> String {
    let scene = scene(picture);
    let rects = layout(&scene);
    let mut drawing = Drawing { scene: &scene, rects: &rects, body: String::new(), right: 0, titles: 0 };
    drawing.titles = drawing.title_lines();
    let mut y = MARGIN + LINE;
    drawing.text(MARGIN, y, "t b", picture.title);
    let (mut x, mut bottom) = (MARGIN, y);
    for (step, panel) in scene.panels.iter().enumerate() {
        if step.is_multiple_of(ACROSS) {
            (x, y) = (MARGIN, bottom + 14);
        }
        let (w, h) = drawing.panel(panel, x, y);
        x += w + 30;
        bottom = bottom.max(y + h);
    }
    let limit = drawing.right.max(560) - MARGIN;
    let violated = match picture.violated {
        "" => Vec::new(),
        text => wrap(&format!("violated: {text}"), limit),
    };
    for line in violated {
        bottom += LINE + 4;
        drawing.text(MARGIN, bottom, "t chg", &line);
    }
    for line in scene.captions.iter().flat_map(|caption| wrap(caption, limit)) {
        bottom += LINE + 4;
        drawing.text(MARGIN, bottom, "t", &line);
    }
    let (w, h) = (drawing.right + MARGIN, bottom + MARGIN);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
         aria-labelledby=\"title desc\">\n<title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>",
        xml(picture.title),
        xml(&description(&scene, picture.violated))
    );
    let _ = writeln!(out, "<style>\n{STYLE}</style>");
    for class in ["e", "eadd", "edel"] {
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

/// All that the picture shows, as sentences.
fn description(scene: &Scene, violated: &str) -> String {
    let mut out = String::new();
    for panel in &scene.panels {
        let _ = write!(out, "{}: ", panel.title);
        for node in &panel.nodes {
            let lines: Vec<&str> = node.lines.iter().map(|line| line.text.as_str()).collect();
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
    if !violated.is_empty() {
        let _ = write!(out, "violated: {violated}");
    }
    out.trim_end_matches([' ', ';']).to_owned()
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "t",
        Mark::Added => "t add",
        Mark::Removed => "t del",
        Mark::Changed => "t chg",
    }
}

struct Drawing<'a> {
    scene: &'a Scene,
    rects: &'a [Rect],
    body: String,
    /// The right end of what was drawn.
    right: i32,
    /// Lines of the longest title of a state: boxes stand level in all states.
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

    /// Draws a state; its width and height.
    fn panel(&mut self, panel: &Panel, left: i32, top: i32) -> (i32, i32) {
        let routes: Vec<Route> = self.routes(panel);
        let boxes = || self.rects.iter().copied().chain(routes.iter().map(|route| route.bounds));
        let low = boxes().map(|it| it.x.min(0)).min().unwrap_or(0);
        let high = boxes().map(|it| it.y.min(0)).min().unwrap_or(0);
        let wide = boxes().map(|it| it.x + it.w).max().unwrap_or(0) - low;
        let tall = boxes().map(|it| it.y + it.h).max().unwrap_or(0) - high;
        let titles = wrap(&panel.title, self.title_width());
        let lines: i32 = panel.lines.len() as i32;
        let texts = panel.lines.iter().map(|line| &line.text).chain(&titles);
        let w = texts.map(|text| width(text)).max().unwrap_or(0).max(wide) + 28;
        let head = self.titles * LINE + 22;
        let h = head + tall + lines * LINE + 26;
        let _ = writeln!(
            self.body,
            "<rect class=\"panel\" x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" rx=\"6\"/>"
        );
        self.right = self.right.max(left + w);
        for (at, title) in titles.iter().enumerate() {
            self.text(left + 14, top + (at as i32 + 1) * LINE + 4, "t b", title);
        }
        let (dx, dy) = (left + 14 - low, top + head - high);
        for (edge, route) in panel.edges.iter().zip(&routes) {
            let kind = match edge.label.mark {
                Mark::Added => "eadd",
                Mark::Removed => "edel",
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
        for (edge, route) in panel.edges.iter().zip(&routes) {
            let class = format!("{} l", class(edge.label.mark));
            self.text(route.label.x + dx, route.label.y + dy + 13, &class, &edge.label.text);
        }
        for (at, line) in panel.lines.iter().enumerate() {
            let y = top + head + tall + (at as i32 + 1) * LINE + 4;
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
        self.text(x + 10, y + LINE, "t b", &node.name);
        for (at, Line { mark, text }) in node.lines.iter().enumerate() {
            self.text(x + 10, y + LINE * (at as i32 + 2) + 2, class(*mark), text);
        }
        self.body.push_str("</g>\n");
    }

    fn routes(&self, panel: &Panel) -> Vec<Route> {
        let mut taken: Vec<Rect> = self.rects.to_vec();
        let mut routes = Vec::new();
        for (at, edge) in panel.edges.iter().enumerate() {
            let parallel = panel.edges[..at]
                .iter()
                .filter(|it| {
                    (it.from, it.to) == (edge.from, edge.to) || (it.to, it.from) == (edge.from, edge.to)
                })
                .count() as i32;
            let straight = matches!(self.scene.shapes[panel.nodes[edge.from].sort], Shape::Ring(..))
                || panel.nodes[edge.from].sort != panel.nodes[edge.to].sort;
            let curve = curve(self.rects, edge, parallel, straight);
            let label = label(curve, &edge.label.text, &taken);
            taken.push(label);
            routes.push(Route { curve, label, bounds: bounds(curve, label) });
        }
        routes
    }
}

/// A quadratic curve: begin, control point, end.
type Curve = [(i32, i32); 3];

struct Route {
    curve: Curve,
    label: Rect,
    bounds: Rect,
}

fn curve(rects: &[Rect], edge: &Edge, parallel: i32, straight: bool) -> Curve {
    let (from, to) = (rects[edge.from], rects[edge.to]);
    let right = from.x + from.w;
    if edge.from == edge.to {
        let out = right + 40 + 24 * parallel;
        return [(right, from.y + 8), (out, from.y + from.h / 2), (right, from.y + from.h - 8)];
    }
    if !straight {
        // In a column: around whatever stands between, on the right.
        let (a, b) = ((right, from.center().1 + 5), (to.x + to.w, to.center().1 - 5));
        let out = right.max(b.0) + 40 + (a.1 - b.1).abs() / 5 + 24 * parallel;
        return [a, (out, (a.1 + b.1) / 2), b];
    }
    let (a, b) = (from.center(), to.center());
    let (dx, dy) = (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
    let length = dx.hypot(dy).max(1.0);
    let bend = f64::from(18 + 26 * parallel);
    let control = (
        ((f64::from(a.0 + b.0)) / 2.0 - dy / length * bend).round() as i32,
        ((f64::from(a.1 + b.1)) / 2.0 + dx / length * bend).round() as i32,
    );
    [border(from, control), control, border(to, control)]
}

/// Where the line from the middle of a box to a point outside leaves the box.
fn border(rect: Rect, towards: (i32, i32)) -> (i32, i32) {
    let (cx, cy) = rect.center();
    let (dx, dy) = (f64::from(towards.0 - cx), f64::from(towards.1 - cy));
    let scale =
        (f64::from(rect.w) / 2.0 / dx.abs().max(0.01)).min(f64::from(rect.h) / 2.0 / dy.abs().max(0.01));
    (cx + (dx * scale.min(1.0)).round() as i32, cy + (dy * scale.min(1.0)).round() as i32)
}

/// The first of some places along the curve where the label meets nothing else; the last one if there is none.
fn label(curve: Curve, text: &str, taken: &[Rect]) -> Rect {
    let (w, h) = (width(text), LINE);
    let at = |t: i32, shift: i32| {
        let mix = |a: i32, b: i32, c: i32| {
            let s = 100 - t;
            (s * s * a + 2 * s * t * b + t * t * c) / 10_000
        };
        let [a, b, c] = curve;
        Rect { x: mix(a.0, b.0, c.0) - w / 2 + shift, y: mix(a.1, b.1, c.1) - h / 2, w, h }
    };
    let shifts = [0, w / 2 + 6, -w / 2 - 6, w + 12];
    let places = || shifts.iter().flat_map(|&shift| [50, 35, 65, 25, 75].map(|t| at(t, shift)));
    places().find(|&place| taken.iter().all(|&it| !it.meets(place))).unwrap_or_else(|| at(50, 0))
}

fn bounds(curve: Curve, label: Rect) -> Rect {
    let xs = curve.iter().map(|point| point.0).chain([label.x, label.x + label.w]);
    let ys = curve.iter().map(|point| point.1).chain([label.y, label.y + label.h]);
    let (x, y) = (xs.clone().min().unwrap_or(0), ys.clone().min().unwrap_or(0));
    Rect { x, y, w: xs.max().unwrap_or(0) - x, h: ys.max().unwrap_or(0) - y }
}
