//! Routing of edges around boxes, and placement of their labels.

use super::classify::Shape;
use super::layout::Rect;
use super::metric::{LINE_HEIGHT, width};
use super::scene::{Edge, Panel, Scene};

/// A quadratic Bezier curve: start, control point, end.
pub type Curve = [(i32, i32); 3];

/// Course of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Route {
    /// The curve.
    pub curve: Curve,
    /// Bounding box of the labels, which stand below each other.
    pub label: Rect,
}

impl Route {
    /// Returns the smallest rectangle that contains the curve and the label.
    pub fn bounds(&self) -> Rect {
        let label = self.label;
        let xs = self.curve.iter().map(|point| point.0).chain([label.x, label.x + label.w]);
        let ys = self.curve.iter().map(|point| point.1).chain([label.y, label.y + label.h]);
        let (x, y) = (xs.clone().min().unwrap_or(0), ys.clone().min().unwrap_or(0));
        Rect { x, y, w: xs.max().unwrap_or(0) - x, h: ys.max().unwrap_or(0) - y }
    }
}

/// Returns the places of the cells of tables in which something stands.
fn cells(rects: &[Rect], panel: &Panel) -> Vec<Rect> {
    let place = |row: Rect, column: Rect| Rect { x: column.x, y: row.y, w: column.w, h: row.h };
    panel.cells.iter().map(|cell| place(rects[cell.row], rects[cell.column])).collect()
}

/// Routes the edges of a state around the boxes `rects`. Each edge takes the candidate curve that meets the fewest
/// boxes, cells of tables and labels.
pub fn routes(scene: &Scene, rects: &[Rect], panel: &Panel) -> Vec<Route> {
    let cells = cells(rects, panel);
    let filled: Vec<Rect> = rects.iter().chain(&cells).copied().collect();
    let mut labels: Vec<Rect> = Vec::new();
    let mut routes: Vec<Route> = Vec::new();
    for (at, edge) in panel.edges.iter().enumerate() {
        let pair = |it: &&Edge| [it.from.min(it.to), it.from.max(it.to)];
        let parallel = panel.edges[..at].iter().filter(|it| pair(it) == pair(&edge)).count() as i32;
        let sort = panel.nodes[edge.from].sort;
        let is_column = matches!(scene.shapes[sort], Shape::Column(..) | Shape::Plain | Shape::Matrix(..))
            && sort == panel.nodes[edge.to].sort;
        let cost = |curve: &Curve| {
            let others = rects.iter().enumerate().filter(|(it, _)| ![edge.from, edge.to].contains(it));
            let boxes = others.filter(|(_, rect)| crosses(curve, **rect)).count();
            let texts = labels.iter().chain(&cells).filter(|rect| crosses(curve, **rect)).count();
            let same = routes.iter().filter(|it| it.curve == *curve).count();
            boxes * 4 + texts + same * 8
        };
        let curves = curves(rects, edge, parallel, is_column);
        let Some(curve) = curves.into_iter().min_by_key(cost) else { continue };
        let label = label(curve, edge, &filled, &labels);
        labels.push(label);
        routes.push(Route { curve, label });
    }
    routes
}

/// Returns the candidate curves, best first.
fn curves(rects: &[Rect], edge: &Edge, parallel: i32, is_column: bool) -> Vec<Curve> {
    let (from, to) = (rects[edge.from], rects[edge.to]);
    if edge.from == edge.to {
        let out = 40 + 24 * parallel;
        let (top, middle, bottom) = (from.y + 8, from.y + from.h / 2, from.y + from.h - 8);
        let (left, right) = (from.x, from.x + from.w);
        return vec![
            [(right, top), (right + out, middle), (right, bottom)],
            [(left, top), (left - out, middle), (left, bottom)],
        ];
    }
    let straight = |bend: i32| {
        let (a, b) = (from.center(), to.center());
        let (dx, dy) = (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
        let length = dx.hypot(dy).max(1.0);
        let bend = f64::from(bend);
        let control = (
            (f64::from(a.0 + b.0) / 2.0 - dy / length * bend).round() as i32,
            (f64::from(a.1 + b.1) / 2.0 + dx / length * bend).round() as i32,
        );
        [border(from, control), control, border(to, control)]
    };
    let wide = [0, 1, 2, 3].map(|turn| 18 + 26 * parallel + turn * 55);
    let mut curves: Vec<Curve> = Vec::new();
    if is_column {
        // Curves around the boxes in between, on either side.
        let (a, b) = (from.center().1 + 5, to.center().1 - 5);
        let out = 40 + (a - b).abs() / 5 + 24 * parallel;
        for more in [0, 60, 120] {
            let (right, left) = (from.x + from.w, from.x);
            curves.push([(right, a), (right + out + more, (a + b) / 2), (to.x + to.w, b)]);
            curves.push([(left, a), (left - out - more, (a + b) / 2), (to.x, b)]);
        }
    } else {
        curves.extend(wide.iter().flat_map(|&bend| [straight(bend), straight(-bend)]));
    }
    curves
}

/// Returns the point where the line from the centre of a box to an outside point leaves the box.
fn border(rect: Rect, towards: (i32, i32)) -> (i32, i32) {
    let (cx, cy) = rect.center();
    let (dx, dy) = (f64::from(towards.0 - cx), f64::from(towards.1 - cy));
    let scale =
        (f64::from(rect.w) / 2.0 / dx.abs().max(0.01)).min(f64::from(rect.h) / 2.0 / dy.abs().max(0.01));
    (cx + (dx * scale.min(1.0)).round() as i32, cy + (dy * scale.min(1.0)).round() as i32)
}

/// Returns the point of a curve at `t` hundredths.
fn point(curve: &Curve, t: i32) -> (i32, i32) {
    let mix = |a: i32, b: i32, c: i32| {
        let s = 100 - t;
        (s * s * a + 2 * s * t * b + t * t * c) / 10_000
    };
    let [a, b, c] = *curve;
    (mix(a.0, b.0, c.0), mix(a.1, b.1, c.1))
}

fn crosses(curve: &Curve, rect: Rect) -> bool {
    const NEAR: i32 = 3;
    (0..=25).map(|step| point(curve, 4 * step)).any(|(x, y)| {
        rect.x - NEAR < x && x < rect.x + rect.w + NEAR && rect.y - NEAR < y && y < rect.y + rect.h + NEAR
    })
}

/// Returns a position for the label near the curve: the nearest one without intersections, or else one with the
/// fewest.
fn label(curve: Curve, edge: &Edge, rects: &[Rect], labels: &[Rect]) -> Rect {
    let widest = edge.labels.iter().map(|line| width(&line.drawn())).max().unwrap_or(0);
    let (w, h) = (widest + 8, LINE_HEIGHT * edge.labels.len() as i32);
    let mut places = Vec::new();
    for t in [50, 42, 58, 34, 66, 26, 74, 18, 82] {
        let (x, y) = point(&curve, t);
        let (left, right) = (-w / 2 - 6, w / 2 + 6);
        for (dx, dy) in
            [(0, 0), (right, 0), (left, 0), (0, h), (0, -h), (right, h), (left, h), (right, -h), (left, -h)]
                .into_iter()
                .chain(
                    (2..=5).flat_map(|far| [(far * right, 0), (far * left, 0), (0, far * h), (0, -far * h)]),
                )
        {
            let distance = (50 - t).abs() + 2 * (dx.abs() + 2 * dy.abs());
            places.push((distance, Rect { x: x - w / 2 + dx, y: y - h / 2 + dy, w, h }));
        }
    }
    places.sort_by_key(|(distance, _)| *distance);
    let met = |place: &Rect| rects.iter().chain(labels).filter(|it| it.meets(*place)).count();
    let best = places.into_iter().map(|(_, place)| place).min_by_key(met);
    best.unwrap_or(Rect { x: curve[1].0, y: curve[1].1, w, h })
}
