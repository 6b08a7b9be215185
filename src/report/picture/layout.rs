//! Positions of the boxes of elements, the same in every state.

use super::classify::Shape;
use super::metric::{LINE_HEIGHT, width};
use super::scene::{Line, Node, Panel, Scene, Table};
use ramsey_core::logic::{SortId, SymId};

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

/// Maximum width of the boxes of a state, where the contents of one sort or table allow it.
const MAX_WIDTH: i32 = 1_180;
/// The same for one of several states, so that two are side by side.
const MAX_WIDTH_OF_SEVERAL: i32 = 570;
/// Space above a column for the name of its order.
pub(super) const AXIS: i32 = 24;

/// Returns the boxes of the nodes, by index, starting at (0, 0). Each is wide enough for its text in any state. Sorts
/// and tables are placed side by side, and below each other where they would get too wide.
pub fn layout(scene: &Scene) -> Vec<Rect> {
    let Some(first) = scene.panels.first() else { return Vec::new() };
    let sizes: Vec<(i32, i32)> = (0..first.nodes.len()).map(|at| size(scene, at)).collect();
    let labels = scene.panels.iter().flat_map(|panel| panel.edges.iter().flat_map(|edge| &edge.labels));
    let room = Room { label: labels.map(|line| width(&line.drawn()) + 8).max() };
    let mut rects = vec![Rect { x: 0, y: 0, w: 0, h: 0 }; first.nodes.len()];
    let mut is_placed = vec![false; rects.len()];
    let limit = if scene.panels.len() > 1 { MAX_WIDTH_OF_SEVERAL } else { MAX_WIDTH };
    let (mut left, mut top, mut bottom) = (0, 0, 0);
    while let Some(start) = is_placed.iter().position(|done| !done) {
        let block = block(scene, start, &sizes, room);
        if left > 0 && left + block.w > limit {
            (left, top) = (0, bottom + room.between_rows() + 12);
        }
        for (at, rect) in block.rects {
            rects[at] = Rect { x: rect.x + left, y: rect.y + top, ..rect };
            is_placed[at] = true;
        }
        left += block.w + room.between_sorts();
        bottom = bottom.max(top + block.h);
    }
    rects
}

/// Returns the size of the box of a node, the same in all states.
fn size(scene: &Scene, at: usize) -> (i32, i32) {
    let nodes = || scene.panels.iter().filter_map(|panel| panel.nodes.get(at));
    let texts = nodes().flat_map(|node| node.lines.iter().map(Line::drawn).chain([node.name.clone()]));
    let wide = texts.map(|text| width(&text)).max().unwrap_or(0);
    let tags = nodes().map(tags_width).max().unwrap_or(0);
    let lines = nodes().map(|node| node.lines.len() as i32).max().unwrap_or(0);
    (wide.max(tags) + 22, (lines + 1) * LINE_HEIGHT + 10)
}

/// Returns the width of the tags of a node.
pub(super) fn tags_width(node: &Node) -> i32 {
    node.tags.iter().map(|tag| width(tag) + 12).sum()
}

/// Boxes that are placed together, from (0, 0), and the space that they take.
struct Block {
    /// With the indices of their nodes.
    rects: Vec<(usize, Rect)>,
    w: i32,
    h: i32,
}

impl Block {
    fn new(rects: Vec<(usize, Rect)>) -> Block {
        let w = rects.iter().map(|(_, rect)| rect.x + rect.w).max().unwrap_or(0);
        let h = rects.iter().map(|(_, rect)| rect.y + rect.h).max().unwrap_or(0);
        Block { rects, w, h }
    }
}

/// Places the elements of the sort of a node, with those of the other sort of its table.
fn block(scene: &Scene, start: usize, sizes: &[(i32, i32)], room: Room) -> Block {
    let nodes = scene.panels.first().map_or(&[][..], |panel| &panel.nodes);
    let members =
        |sort: SortId| -> Vec<usize> { (0..nodes.len()).filter(|&at| nodes[at].sort == sort).collect() };
    let sort = nodes[start].sort;
    if let Some(table) = scene.tables.iter().find(|it| [it.rows, it.columns].contains(&sort)) {
        return grid(scene, table, &members(table.rows), &members(table.columns), sizes);
    }
    let here = members(sort);
    let own: Vec<(i32, i32)> = here.iter().map(|&at| sizes[at]).collect();
    let joined = |rects: Vec<Rect>| Block::new(here.iter().copied().zip(rects).collect());
    match scene.shapes[sort] {
        Shape::Ring(..) => {
            let (rects, w, h) = ring(&own, room);
            Block { w, h, ..joined(rects) }
        }
        Shape::Ranks(_, ref rows) => joined(ranks(&own, room, rows.iter().map(Vec::len))),
        Shape::Matrix(..) => joined(matrix(scene, start, here.len())),
        Shape::Column(sym, _) => {
            let mut upwards = own;
            upwards.reverse();
            let mut rects = column(&upwards, room, AXIS);
            rects.reverse();
            let block = joined(rects);
            Block { w: block.w.max(width(&axis(scene, sym))), ..block }
        }
        Shape::Plain => joined(column(&own, room, 0)),
    }
}

/// Returns the caption of an order that goes upwards.
pub(super) fn axis(scene: &Scene, sym: SymId) -> String {
    format!("{} \u{2191} greatest", scene.symbols[sym])
}

/// Space required between boxes.
#[derive(Clone, Copy)]
struct Room {
    /// The width of the widest edge label; `None` if there are no edges.
    label: Option<i32>,
}

impl Room {
    fn between_sorts(self) -> i32 {
        self.label.map_or(40, |label| (label + 36).clamp(90, 160))
    }

    fn between_neighbours(self) -> i32 {
        self.label.map_or(40, |label| (label + 36).clamp(56, 140))
    }

    fn between_rows(self) -> i32 {
        if self.label.is_some() { 44 } else { 18 }
    }
}

fn column(sizes: &[(i32, i32)], room: Room, top: i32) -> Vec<Rect> {
    let widest = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let mut y = top;
    sizes
        .iter()
        .map(|&(_, h)| {
            let rect = Rect { x: 0, y, w: widest, h };
            y += h + room.between_rows();
            rect
        })
        .collect()
}

/// Places rows below each other, each centred.
fn ranks(sizes: &[(i32, i32)], room: Room, rows: impl Iterator<Item = usize> + Clone) -> Vec<Rect> {
    let gap = room.between_neighbours().min(72);
    let w = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let extent = |count: usize| count as i32 * (w + gap) - gap;
    let widest = rows.clone().map(extent).max().unwrap_or(0);
    let (mut y, mut rects) = (0, Vec::new());
    for count in rows {
        let here = sizes.iter().skip(rects.len()).take(count);
        let tall = here.clone().map(|&(_, h)| h).max().unwrap_or(0);
        let x = (widest - extent(count)) / 2;
        rects.extend(here.enumerate().map(|(at, &(_, h))| Rect { x: x + at as i32 * (w + gap), y, w, h }));
        y += tall + 60;
    }
    rects
}

/// Places rows below a line for the names of the columns.
fn matrix(scene: &Scene, start: usize, count: usize) -> Vec<Rect> {
    const HEIGHT: i32 = LINE_HEIGHT + 8;
    let label = (start..start + count).flat_map(|at| scene.panels.iter().map(move |panel| &panel.nodes[at]));
    let label = label.map(|node| {
        let lines = node.lines.iter().map(|line| width(&line.drawn()) + 12).sum::<i32>();
        lines + width(&node.name) + tags_width(node) + 26
    });
    let columns = scene.panels.first().map_or(0, |panel| panel.nodes[start].dots.len());
    let w = label.max().unwrap_or(0) + cell(scene, start) * columns as i32 + 8;
    (0..count as i32).map(|at| Rect { x: 0, y: LINE_HEIGHT + 4 + at * (HEIGHT + 6), w, h: HEIGHT }).collect()
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

/// Places the boxes of a table: the columns side by side on top, the rows below each other on the left.
fn grid(scene: &Scene, table: &Table, rows: &[usize], columns: &[usize], sizes: &[(i32, i32)]) -> Block {
    const GAP: i32 = 12;
    let lines = |row: usize, column: usize| {
        scene.panels.iter().map(move |panel| {
            let here = panel.cells.iter().filter(move |cell| (cell.row, cell.column) == (row, column));
            let texts: Vec<i32> = here.map(|cell| width(&cell.line.drawn()) + 20).collect();
            (texts.iter().copied().max().unwrap_or(0), texts.len() as i32 * LINE_HEIGHT + 10)
        })
    };
    let axis = match scene.shapes[table.rows] {
        Shape::Column(sym, _) => width(&axis(scene, sym)),
        _ => 0,
    };
    let side = rows.iter().map(|&at| sizes[at].0).max().unwrap_or(0).max(axis);
    let head = columns.iter().map(|&at| sizes[at].1).max().unwrap_or(0);
    let mut rects = Vec::new();
    let mut x = side + GAP;
    for &column in columns {
        let cells = rows.iter().flat_map(|&row| lines(row, column)).map(|(w, _)| w);
        let w = cells.max().unwrap_or(0).max(sizes[column].0);
        rects.push((column, Rect { x, y: 0, w, h: head }));
        x += w + GAP;
    }
    let mut y = head + GAP;
    for &row in rows.iter().rev() {
        let cells = columns.iter().flat_map(|&column| lines(row, column)).map(|(_, h)| h);
        let h = cells.max().unwrap_or(0).max(sizes[row].1);
        rects.push((row, Rect { x: 0, y, w: side, h }));
        y += h + GAP;
    }
    Block::new(rects)
}

/// Places boxes clockwise from the top, on a circle so large that the diagonals of neighbours do not touch. Returns the
/// boxes, and the width and height of all with the circle.
fn ring(sizes: &[(i32, i32)], room: Room) -> (Vec<Rect>, i32, i32) {
    let w = sizes.iter().map(|&(w, _)| w).max().unwrap_or(0);
    let h = sizes.iter().map(|&(_, h)| h).max().unwrap_or(0);
    let diagonal = f64::from(w * w + h * h).sqrt();
    let step = std::f64::consts::TAU / sizes.len() as f64;
    let radius = (diagonal + f64::from(room.between_neighbours())) / (2.0 * (step / 2.0).sin());
    let centers =
        || (0..sizes.len()).map(|at| (radius * (step * at as f64).sin(), -radius * (step * at as f64).cos()));
    // The arrow heads stand out a little from the circle.
    let half = centers().map(|(x, _)| x.abs() + f64::from(w) / 2.0).fold(radius + 6.0, f64::max).ceil();
    let middle = (half, radius + f64::from(h) / 2.0);
    let rects: Vec<Rect> = centers()
        .map(|(x, y)| {
            let (x, y) = (middle.0 + x, middle.1 + y);
            Rect { x: x.round() as i32 - w / 2, y: y.round() as i32 - h / 2, w, h }
        })
        .collect();
    let bottom = centers().map(|(_, y)| y + f64::from(h) / 2.0).fold(radius + 6.0, f64::max);
    (rects, 2 * half as i32, (middle.1 + bottom).ceil() as i32)
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
