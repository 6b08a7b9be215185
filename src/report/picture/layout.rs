//! Where the boxes of the elements stand: the same place in every state.

use super::classify::Shape;
use super::metric::{LINE, width};
use super::scene::Scene;
use crate::logic::SortId;

/// A rectangle in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// The middle.
    pub fn center(self) -> (i32, i32) {
        (self.x + self.w / 2, self.y + self.h / 2)
    }

    /// Whether the two have a point in common.
    pub fn meets(self, other: Rect) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}

/// The boxes of the nodes, by index, from (0, 0) on; wide enough for their text in any state. Sorts stand side by
/// side.
pub fn layout(scene: &Scene) -> Vec<Rect> {
    let Some(first) = scene.panels.first() else { return Vec::new() };
    let sizes: Vec<(i32, i32)> = (0..first.nodes.len())
        .map(|at| {
            let nodes = || scene.panels.iter().map(|panel| &panel.nodes[at]);
            let texts =
                || nodes().flat_map(|node| node.lines.iter().map(|line| &line.text).chain([&node.name]));
            let lines = nodes().map(|node| node.lines.len() as i32).max().unwrap_or(0);
            (texts().map(|text| width(text)).max().unwrap_or(0) + 20, (lines + 1) * LINE + 14)
        })
        .collect();
    let mut rects = Vec::new();
    let mut left = 0;
    while let Some(node) = first.nodes.get(rects.len()) {
        let start = rects.len();
        let count = first.nodes[start..].iter().take_while(|it| it.sort == node.sort).count();
        let here = &sizes[start..start + count];
        let placed = match scene.shapes[node.sort] {
            Shape::Ring(..) => ring(here, left),
            _ => column(here, left),
        };
        left = placed.iter().map(|rect| rect.x + rect.w).max().unwrap_or(left) + 90;
        rects.extend(placed);
    }
    rects
}

fn column(sizes: &[(i32, i32)], left: i32) -> Vec<Rect> {
    let widest = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let mut y = 0;
    sizes
        .iter()
        .map(|&(_, h)| {
            let rect = Rect { x: left, y, w: widest, h };
            y += h + 34;
            rect
        })
        .collect()
}

/// Clockwise from the top, on a circle so large that neighbours' diagonals do not touch.
fn ring(sizes: &[(i32, i32)], left: i32) -> Vec<Rect> {
    let w = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let h = sizes.iter().map(|&(_, h)| h).max().unwrap_or(0);
    let diagonal = f64::from(w * w + h * h).sqrt();
    let step = std::f64::consts::TAU / sizes.len() as f64;
    let radius = (diagonal + 56.0) / (2.0 * (step / 2.0).sin());
    let middle = (f64::from(left) + radius + f64::from(w) / 2.0, radius + f64::from(h) / 2.0);
    (0..sizes.len())
        .map(|at| {
            let angle = step * at as f64;
            let (x, y) = (middle.0 + radius * angle.sin(), middle.1 - radius * angle.cos());
            Rect { x: x.round() as i32 - w / 2, y: y.round() as i32 - h / 2, w, h }
        })
        .collect()
}

/// The place of a sort among those that are drawn, for its colour.
pub(super) fn rank(scene: &Scene, sort: SortId) -> usize {
    let mut seen: Vec<SortId> = Vec::new();
    for node in scene.panels.iter().take(1).flat_map(|panel| &panel.nodes) {
        if !seen.contains(&node.sort) {
            seen.push(node.sort);
        }
    }
    seen.iter().position(|&it| it == sort).unwrap_or(0)
}
