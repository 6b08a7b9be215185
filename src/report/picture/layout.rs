//! Positions of the boxes of elements, the same in every state.

use super::classify::Shape;
use super::metric::{LINE_HEIGHT, width};
use super::scene::{Panel, Scene};
use crate::logic::SortId;

/// A rectangle in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// Returns the centre.
    pub fn center(self) -> (i32, i32) {
        (self.x + self.w / 2, self.y + self.h / 2)
    }

    /// Checks whether the rectangles intersect.
    pub fn meets(self, other: Rect) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}

/// Returns the boxes of the nodes, by index, starting at (0, 0). Each is wide enough for its text in any state. Sorts
/// are placed side by side.
pub fn layout(scene: &Scene) -> Vec<Rect> {
    let Some(first) = scene.panels.first() else { return Vec::new() };
    let sizes: Vec<(i32, i32)> = (0..first.nodes.len())
        .map(|at| {
            let nodes = || scene.panels.iter().map(|panel| &panel.nodes[at]);
            let texts =
                || nodes().flat_map(|node| node.lines.iter().map(|line| &line.text).chain([&node.name]));
            let lines = nodes().map(|node| node.lines.len() as i32).max().unwrap_or(0);
            (texts().map(|text| width(text)).max().unwrap_or(0) + 20, (lines + 1) * LINE_HEIGHT + 14)
        })
        .collect();
    let mut rects = Vec::new();
    let mut left = 0;
    let labels = scene.panels.iter().flat_map(|panel| panel.edges.iter().map(|edge| width(&edge.label.text)));
    let room = Room { label: labels.max() };
    while let Some(node) = first.nodes.get(rects.len()) {
        let start = rects.len();
        let count = first.nodes[start..].iter().take_while(|it| it.sort == node.sort).count();
        let here = &sizes[start..start + count];
        let placed = match scene.shapes[node.sort] {
            Shape::Ring(..) => ring(here, left, room),
            Shape::Ranks(_, ref rows) => ranks(here, left, room, rows.iter().map(Vec::len)),
            Shape::Matrix(..) => matrix(scene, start, count, left),
            Shape::Column(..) | Shape::Plain => column(here, left, room),
        };
        left = placed.iter().map(|rect| rect.x + rect.w).max().unwrap_or(left) + room.between_sorts();
        rects.extend(placed);
    }
    rects
}

/// Space required between boxes.
#[derive(Clone, Copy)]
struct Room {
    /// The width of the widest edge label; `None` if there are no edges.
    label: Option<i32>,
}

impl Room {
    fn between_sorts(self) -> i32 {
        self.label.map_or(48, |label| (label + 36).clamp(90, 160))
    }

    fn between_neighbours(self) -> i32 {
        self.label.map_or(40, |label| (label + 36).clamp(56, 140))
    }

    fn between_rows(self) -> i32 {
        if self.label.is_some() { 36 } else { 18 }
    }
}

fn column(sizes: &[(i32, i32)], left: i32, room: Room) -> Vec<Rect> {
    let widest = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let mut y = 0;
    sizes
        .iter()
        .map(|&(_, h)| {
            let rect = Rect { x: left, y, w: widest, h };
            y += h + room.between_rows();
            rect
        })
        .collect()
}

/// Places rows below each other, each centred.
fn ranks(
    sizes: &[(i32, i32)],
    left: i32,
    room: Room,
    rows: impl Iterator<Item = usize> + Clone,
) -> Vec<Rect> {
    let gap = room.between_neighbours().min(72);
    let w = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let extent = |count: usize| count as i32 * (w + gap) - gap;
    let widest = rows.clone().map(extent).max().unwrap_or(0);
    let (mut y, mut rects) = (0, Vec::new());
    for count in rows {
        let here = sizes.iter().skip(rects.len()).take(count);
        let tall = here.clone().map(|&(_, h)| h).max().unwrap_or(0);
        let x = left + (widest - extent(count)) / 2;
        rects.extend(here.enumerate().map(|(at, &(_, h))| Rect { x: x + at as i32 * (w + gap), y, w, h }));
        y += tall + 60;
    }
    rects
}

/// Places rows below a line for the names of the columns.
fn matrix(scene: &Scene, start: usize, count: usize, left: i32) -> Vec<Rect> {
    const HEIGHT: i32 = LINE_HEIGHT + 8;
    let label = (start..start + count).flat_map(|at| scene.panels.iter().map(move |panel| &panel.nodes[at]));
    let label = label.map(|node| {
        node.lines.iter().map(|line| width(&line.text) + 10).sum::<i32>() + width(&node.name) + 20
    });
    let columns = scene.panels.first().map_or(0, |panel| panel.nodes[start].dots.len());
    let w = label.max().unwrap_or(0) + cell(scene, start) * columns as i32 + 8;
    (0..count as i32)
        .map(|at| Rect { x: left, y: LINE_HEIGHT + 4 + at * (HEIGHT + 6), w, h: HEIGHT })
        .collect()
}

/// Returns the width of a column of the matrix that has this node as a row.
pub(super) fn cell(scene: &Scene, row: usize) -> i32 {
    let of_panel = |panel: &Panel| {
        let Shape::Matrix(_, members) = scene.shapes[panel.nodes[row].sort] else { return 0 };
        let names = panel.nodes.iter().filter(|node| node.sort == members).map(|node| width(&node.name));
        names.max().unwrap_or(0)
    };
    scene.panels.iter().map(of_panel).max().unwrap_or(0) + 12
}

/// Places boxes clockwise from the top, on a circle so large that the diagonals of neighbours do not touch.
fn ring(sizes: &[(i32, i32)], left: i32, room: Room) -> Vec<Rect> {
    let w = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let h = sizes.iter().map(|&(_, h)| h).max().unwrap_or(0);
    let diagonal = f64::from(w * w + h * h).sqrt();
    let step = std::f64::consts::TAU / sizes.len() as f64;
    let radius = (diagonal + f64::from(room.between_neighbours())) / (2.0 * (step / 2.0).sin());
    let middle = (f64::from(left) + radius + f64::from(w) / 2.0, radius + f64::from(h) / 2.0);
    (0..sizes.len())
        .map(|at| {
            let angle = step * at as f64;
            let (x, y) = (middle.0 + radius * angle.sin(), middle.1 - radius * angle.cos());
            Rect { x: x.round() as i32 - w / 2, y: y.round() as i32 - h / 2, w, h }
        })
        .collect()
}

/// Returns the index of a sort among the drawn ones, for its colour.
pub(super) fn rank(scene: &Scene, sort: SortId) -> usize {
    let mut seen: Vec<SortId> = Vec::new();
    for node in scene.panels.iter().take(1).flat_map(|panel| &panel.nodes) {
        if !seen.contains(&node.sort) {
            seen.push(node.sort);
        }
    }
    seen.iter().position(|&it| it == sort).unwrap_or(0)
}
