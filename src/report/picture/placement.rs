//! Lines that show how elements are placed: arcs of rings, and ladders of orders.

use super::classify::Shape;
use super::layout::{AXIS, Rect, axis};
use super::metric::width;
use super::scene::Scene;
use ramsey_core::logic::{SortId, SymId};

/// Lines of the placement of a sort.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Placement {
    /// The symbol that the placement represents.
    pub(super) sym: SymId,
    pub(super) strokes: Vec<Stroke>,
    /// A caption with the left end of its base line.
    pub(super) caption: Option<(i32, i32, String)>,
}

/// A line of a placement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Stroke {
    /// A straight line.
    Line((i32, i32), (i32, i32)),
    /// Part of a circle with this radius, clockwise.
    Arc((i32, i32), (i32, i32), i32),
}

impl Placement {
    /// Returns rectangles that contain the lines and the caption.
    pub(super) fn bounds(&self) -> Vec<Rect> {
        let corners = |(ax, ay): (i32, i32), (bx, by): (i32, i32), more: i32| Rect {
            x: ax.min(bx) - more,
            y: ay.min(by) - more,
            w: (ax - bx).abs() + 2 * more,
            h: (ay - by).abs() + 2 * more,
        };
        let of_stroke = |stroke: &Stroke| match *stroke {
            Stroke::Line(a, b) => corners(a, b, 1),
            Stroke::Arc(a, b, radius) => {
                // The height of the arc above its chord.
                let half = f64::from(a.0 - b.0).hypot(f64::from(a.1 - b.1)) / 2.0;
                let radius = f64::from(radius);
                let height = radius - (radius * radius - half * half).max(0.0).sqrt();
                corners(a, b, height.ceil() as i32 + 5)
            }
        };
        let mut all: Vec<Rect> = self.strokes.iter().map(of_stroke).collect();
        if let Some((x, y, text)) = &self.caption {
            all.push(Rect { x: *x, y: y - 15, w: width(text), h: 20 });
        }
        all
    }
}

/// Returns the placements of all rings and orders.
pub(super) fn placements(scene: &Scene, rects: &[Rect]) -> Vec<Placement> {
    let Some(panel) = scene.panels.first() else { return Vec::new() };
    let mut placements = Vec::new();
    for (sort, shape) in scene.shapes.iter_enumerated() {
        let nodes = panel.nodes.iter().zip(rects).filter(|(node, _)| node.sort == sort);
        let here: Vec<Rect> = nodes.map(|(_, rect)| *rect).collect();
        let is_in_table = scene.tables.iter().any(|table| [table.rows, table.columns].contains(&sort));
        match shape {
            _ if here.is_empty() => {}
            Shape::Ring(..) if is_in_table => {}
            Shape::Column(sym, _) => placements.push(ladder(scene, sort, *sym, &here)),
            Shape::Ring(sym, _) => {
                placements.push(Placement { sym: *sym, strokes: arcs(&here), caption: None });
            }
            Shape::Ranks(..) | Shape::Matrix(..) | Shape::Plain => {}
        }
    }
    placements
}

/// Returns the lines between neighbours of an order, whose boxes go upwards.
fn ladder(scene: &Scene, sort: SortId, sym: SymId, here: &[Rect]) -> Placement {
    let step = |pair: &[Rect]| {
        let x = pair[0].x + pair[0].w / 2;
        Stroke::Line((x, pair[0].y), (x, pair[1].y + pair[1].h))
    };
    // In a table the rows show the order.
    let is_row = scene.tables.iter().any(|table| table.rows == sort);
    let is_column = scene.tables.iter().any(|table| table.columns == sort);
    let strokes = if is_row || is_column { Vec::new() } else { here.windows(2).map(step).collect() };
    let top = here.iter().map(|rect| rect.y).min().unwrap_or(0);
    let caption = (!is_column).then(|| (here[0].x, top - AXIS + 15, axis(scene, sym)));
    Placement { sym, strokes, caption }
}

/// Returns the arcs between neighbours on a ring, from border to border.
fn arcs(here: &[Rect]) -> Vec<Stroke> {
    const STEPS: i32 = 400;
    let count = here.len();
    if count < 2 {
        return Vec::new();
    }
    let centers: Vec<(f64, f64)> = here
        .iter()
        .map(|rect| {
            (f64::from(rect.x) + f64::from(rect.w) / 2.0, f64::from(rect.y) + f64::from(rect.h) / 2.0)
        })
        .collect();
    let middle = |part: fn(&(f64, f64)) -> f64| centers.iter().map(part).sum::<f64>() / count as f64;
    let (cx, cy) = (middle(|point| point.0), middle(|point| point.1));
    let radius = (centers[0].0 - cx).hypot(centers[0].1 - cy);
    let angle = std::f64::consts::TAU / count as f64;
    (0..count)
        .filter_map(|at| {
            let point = |t: i32| {
                let turn = angle * (at as f64 + f64::from(t) / f64::from(STEPS));
                ((cx + radius * turn.sin()).round() as i32, (cy - radius * turn.cos()).round() as i32)
            };
            let is_in = |rect: Rect, (x, y): (i32, i32)| {
                rect.x <= x && x <= rect.x + rect.w && rect.y <= y && y <= rect.y + rect.h
            };
            let next = here[(at + 1) % count];
            let start = (0..STEPS).map(point).find(|&it| !is_in(here[at], it))?;
            let end = (0..STEPS).rev().map(point).find(|&it| !is_in(next, it))?;
            Some(Stroke::Arc(start, end, radius.round() as i32))
        })
        .collect()
}
