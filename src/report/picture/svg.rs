//! Output in SVG: pictures of all states in one file, without scripts, fonts and external links, and pictures of single
//! states to be embedded in pages.

use std::fmt::Write as _;

use super::Picture;
use super::build::scene;
use super::classify::Shape;
use super::css::{color, page_css};
use super::draw::Canvas;
use super::layout::{Rect, layout};
use super::metric::{LINE_HEIGHT, width, wrap, xml};
use super::placement::{Placement, placements};
use super::route::{Route, routes};
use super::scene::{Panel, Scene};
use super::timeline::{Timeline, is_timeline};
use ramsey_core::base::digest::sha256;

/// Pixels between the border and the contents.
const MARGIN: i32 = 20;
/// Pixels between the frame of a state and its contents.
const PADDING: i32 = 14;
/// Pixels between states.
const GAP: i32 = 24;
/// Maximum number of states side by side.
const STATES_PER_ROW: i32 = 3;
/// Maximum width of a file in pixels, if one state is not wider.
const MAX_WIDTH: i32 = 1_280;

/// Writes the picture as an SVG document.
pub fn svg(picture: &Picture) -> String {
    let remark = match picture.violated {
        "" => String::new(),
        text => format!("violated: {text}"),
    };
    svg_of(&scene(picture), picture.title, &remark)
}

/// Writes a scene as an SVG document, with a remark below; an empty remark is omitted. Its ids depend on the contents,
/// so that different documents can be embedded in one page.
pub fn svg_of(scene: &Scene, title: &str, remark: &str) -> String {
    let geometry = Geometry::new(scene);
    let draft = document(scene, &geometry, title, remark, "s");
    let digest: String = sha256(&draft).chars().take(8).collect();
    document(scene, &geometry, title, remark, &format!("s{digest}"))
}

/// Writes one state as an `<svg>` element to be embedded in a page that has the rules of [`super::page_css`]. It has
/// neither `style` elements nor `style` attributes. Its ids begin with `prefix`. All states of a scene have the same
/// size. Facts, names and placements are buttons. Returns an empty text if there is no such state.
pub fn svg_panel(scene: &Scene, state_index: usize, prefix: &str) -> String {
    let geometry = Geometry::new(scene);
    let (Some(panel), Some(routes)) = (scene.panels.get(state_index), geometry.routes.get(state_index))
    else {
        return String::new();
    };
    let (w, h) = (geometry.wide + 2 * PADDING, geometry.tall + geometry.listed + 2 * PADDING);
    let prefix = xml(prefix);
    let mut canvas = geometry.canvas(scene, &prefix, true);
    canvas.panel(panel, routes, (PADDING - geometry.min_x, PADDING - geometry.min_y), geometry.below());
    let body = std::mem::take(&mut canvas.out);
    canvas.markers();
    let head = head(&prefix, "group", (w, h), &panel.title, &sentence(scene, panel));
    format!("{head}{}{body}</svg>\n", canvas.out)
}

/// Writes the beginning of an `<svg>` element.
fn head(prefix: &str, role: &str, (w, h): (i32, i32), title: &str, description: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
         height=\"{h}\" role=\"{role}\" aria-labelledby=\"{prefix}-title {prefix}-desc\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<title id=\"{prefix}-title\">{}</title>\n<desc id=\"{prefix}-desc\">{}</desc>\n",
        xml(title),
        xml(description)
    )
}

/// Positions of everything, common to all states.
struct Geometry {
    rects: Vec<Rect>,
    placements: Vec<Placement>,
    /// Per state, the courses of its edges.
    routes: Vec<Vec<Route>>,
    /// Minimum x coordinate of the boxes and edges in any state.
    min_x: i32,
    /// Minimum y coordinate, like `min_x`.
    min_y: i32,
    /// Width of the contents of the widest state.
    wide: i32,
    /// Height of the boxes and edges of the highest state.
    tall: i32,
    /// Height of the longest list of facts.
    listed: i32,
}

impl Geometry {
    fn new(scene: &Scene) -> Geometry {
        let rects = layout(scene);
        let routes: Vec<Vec<Route>> = scene.panels.iter().map(|panel| routes(scene, &rects, panel)).collect();
        let placements = placements(scene, &rects);
        // Tags stand out at the top, and arcs at the sides.
        let with_room =
            rects.iter().map(|rect| Rect { y: rect.y - 10, h: rect.h + 12, x: rect.x - 1, w: rect.w + 2 });
        let strokes = placements.iter().flat_map(Placement::bounds);
        let all: Vec<Rect> =
            routes.iter().flatten().map(Route::bounds).chain(with_room).chain(strokes).collect();
        let min_x = all.iter().map(|it| it.x).min().unwrap_or(0).min(0);
        let min_y = all.iter().map(|it| it.y).min().unwrap_or(0).min(0);
        let right = all.iter().map(|it| it.x + it.w).max().unwrap_or(0);
        let bottom = all.iter().map(|it| it.y + it.h).max().unwrap_or(0);
        let lines = scene.panels.iter().flat_map(|panel| &panel.lines);
        let longest = lines.map(|line| width(&line.drawn()) + 8).max().unwrap_or(0);
        let count = scene.panels.iter().map(|panel| panel.lines.len() as i32).max().unwrap_or(0);
        let listed = if count > 0 { count * LINE_HEIGHT + 6 } else { 0 };
        let (wide, tall) = ((right - min_x).max(longest), bottom - min_y);
        Geometry { rects, placements, routes, min_x, min_y, wide, tall, listed }
    }

    /// Returns the height at which the facts begin that are listed.
    fn below(&self) -> i32 {
        self.tall + self.min_y + 6
    }

    fn canvas<'a>(&'a self, scene: &'a Scene, prefix: &'a str, is_interactive: bool) -> Canvas<'a> {
        let (rects, placements) = (&self.rects[..], &self.placements[..]);
        Canvas { scene, rects, placements, prefix, is_interactive, out: String::new() }
    }
}

/// Writes all states with the given prefix of ids.
fn document(scene: &Scene, geometry: &Geometry, title: &str, remark: &str, prefix: &str) -> String {
    let mut canvas = geometry.canvas(scene, prefix, false);
    let limit = geometry.wide.max(260);
    let titles: Vec<Vec<String>> = scene.panels.iter().map(|panel| title_lines(panel, limit)).collect();
    let title_rows = titles.iter().map(Vec::len).max().unwrap_or(0) as i32;
    let widest = titles.iter().flatten().map(|line| width(line)).max().unwrap_or(0);
    let head_height = title_rows * LINE_HEIGHT + 10;
    let w = geometry.wide.max(widest) + 2 * PADDING;
    let h = head_height + geometry.tall + geometry.listed + 2 * PADDING;
    let fitting = (MAX_WIDTH - 2 * MARGIN + GAP) / (w + GAP);
    let per_row = fitting.clamp(1, STATES_PER_ROW) as usize;
    let mut y = MARGIN + LINE_HEIGHT;
    canvas.text(MARGIN, y, &bold(), title);
    let mut right = MARGIN + width(title);
    y += 14;
    let rows = scene.panels.len().div_ceil(per_row) as i32;
    let mut bottom = y + rows * (h + GAP) - GAP;
    let is_timeline = is_timeline(scene);
    if is_timeline {
        let (table_right, table_bottom) =
            Timeline::new(scene).draw(&mut canvas, (MARGIN, y), MAX_WIDTH - 2 * MARGIN);
        (right, bottom) = (right.max(table_right), table_bottom);
    }
    let panels = scene.panels.iter().zip(&geometry.routes).enumerate();
    for (step, (panel, routes)) in panels.filter(|_| !is_timeline) {
        let left = MARGIN + (step % per_row) as i32 * (w + GAP);
        let top = y + (step / per_row) as i32 * (h + GAP);
        let _ = writeln!(
            canvas.out,
            "<rect class=\"panel\" x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"none\" \
             stroke=\"{}\"/>",
            color("line")
        );
        for (at, line) in titles[step].iter().enumerate() {
            canvas.text(left + PADDING, top + (at as i32 + 1) * LINE_HEIGHT + 2, &bold(), line);
        }
        let at = (left + PADDING - geometry.min_x, top + head_height + PADDING - geometry.min_y);
        canvas.panel(panel, routes, at, geometry.below());
        right = right.max(left + w);
    }
    let limit = right.max(560) - MARGIN;
    let remarks = wrap(remark, limit).into_iter().map(|line| (line, "remark", "changed"));
    let captions = scene.captions.iter().flat_map(|caption| wrap(caption, limit));
    for (line, class, ink) in remarks.chain(captions.map(|line| (line, "caption", "ink"))) {
        bottom += LINE_HEIGHT + 2;
        canvas.text(MARGIN, bottom, &format!(" class=\"{class}\" fill=\"{}\"", color(ink)), &line);
        right = right.max(MARGIN + width(&line));
    }
    let (w, h) = (right + MARGIN, bottom + MARGIN);
    let body = std::mem::take(&mut canvas.out);
    canvas.markers();
    let description: Vec<String> = scene.panels.iter().map(|panel| sentence(scene, panel)).collect();
    let description = format!("{} {remark}", description.join(" "));
    let head = head(prefix, "img", (w, h), title, description.trim());
    format!(
        "{head}<style>\n{}</style>\n{}<rect class=\"paper\" width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n{body}</svg>\n",
        page_css(),
        canvas.out,
        color("paper")
    )
}

fn bold() -> String {
    format!(" font-weight=\"bold\" fill=\"{}\"", color("ink"))
}

/// Breaks the title of a state, between parameters only.
fn title_lines(panel: &Panel, limit: i32) -> Vec<String> {
    let Some(action) = &panel.action else { return wrap(&panel.title, limit) };
    if width(&panel.title) <= limit {
        return vec![panel.title.clone()];
    }
    let Some(start) = panel.title.find('(') else { return vec![panel.title.clone()] };
    let mut lines = vec![panel.title[..=start].to_owned()];
    let count = action.parameters.len();
    for (at, (name, value)) in action.parameters.iter().enumerate() {
        let part = format!("{name} = {value}{}", if at + 1 < count { "," } else { ")" });
        match lines.last_mut() {
            Some(line) if at > 0 && width(line) + width(" ") + width(&part) <= limit => {
                line.push(' ');
                line.push_str(&part);
            }
            Some(line) if at == 0 && width(line) + width(&part) <= limit => line.push_str(&part),
            _ => lines.push(part),
        }
    }
    lines
}

/// Describes the contents of a state in a sentence.
fn sentence(scene: &Scene, panel: &Panel) -> String {
    let mut parts: Vec<String> = Vec::new();
    for node in &panel.nodes {
        let mut lines: Vec<String> = node.lines.iter().map(super::Line::shown).collect();
        if let Shape::Matrix(_, members) = scene.shapes[node.sort] {
            lines.push(format!("members: {}", panel.members(node, members).join(", ")));
        }
        parts.push(format!("{} ({})", node.name, lines.join(", ")));
    }
    for edge in &panel.edges {
        let (from, to) = (&panel.nodes[edge.from].name, &panel.nodes[edge.to].name);
        parts.push(format!("{}({from}, {to})", edge.shown()));
    }
    for cell in &panel.cells {
        let (row, column) = (&panel.nodes[cell.row].name, &panel.nodes[cell.column].name);
        parts.push(format!("{} ({row}, {column})", cell.line.shown()));
    }
    parts.extend(panel.lines.iter().map(super::Line::shown));
    format!("{}: {}.", panel.title, parts.join("; "))
}
