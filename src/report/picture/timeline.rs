//! Long executions as tables: a row for each element, a column for each state.

use std::fmt::Write as _;

use super::css::color;
use super::draw::Canvas;
use super::metric::{LINE_HEIGHT, width};
use super::scene::{Line, Panel, Scene};
use ramsey_core::logic::SortId;

/// Minimum number of states of a timeline.
const MIN_STATES: usize = 5;
/// Maximum number of sorts.
const MAX_SORTS: usize = 2;
/// Pixels between the border of a cell and its text.
const PADDING: i32 = 6;
/// Pixels between parts of the table that stand below each other.
const GAP: i32 = 24;

/// Checks whether a scene is drawn as a timeline: it is long, and its facts are about single elements of at most two
/// sorts, none of which is placed in another way than as a column.
pub(super) fn is_timeline(scene: &Scene) -> bool {
    let Some(first) = scene.panels.first() else { return false };
    let mut sorts: Vec<SortId> = first.nodes.iter().map(|node| node.sort).collect();
    sorts.dedup();
    let is_simple = |panel: &Panel| {
        panel.edges.is_empty()
            && panel.cells.is_empty()
            && panel.nodes.iter().all(|node| node.dots.is_empty())
    };
    scene.panels.len() >= MIN_STATES
        && (1..=MAX_SORTS).contains(&sorts.len())
        && sorts.iter().all(|&sort| scene.shapes[sort].symbol().is_none())
        && scene.panels.iter().all(is_simple)
}

/// Returns the line without the value before, which stands beside it.
fn brief(line: &Line) -> Line {
    Line { before: None, ..line.clone() }
}

/// A row: the head of each state, an element, or the facts about no element.
#[derive(Clone, Copy)]
enum Row {
    Head,
    Node(usize),
    Rest,
}

/// Positions in a timeline.
pub(super) struct Timeline<'a> {
    scene: &'a Scene,
    rows: Vec<Row>,
    /// The width of the names on the left.
    side: i32,
    /// The width of a state.
    column: i32,
    /// By row.
    heights: Vec<i32>,
}

impl<'a> Timeline<'a> {
    pub(super) fn new(scene: &'a Scene) -> Timeline<'a> {
        let nodes = scene.panels.first().map_or(0, |panel| panel.nodes.len());
        let mut rows: Vec<Row> = [Row::Head].into_iter().chain((0..nodes).map(Row::Node)).collect();
        if scene.panels.iter().any(|panel| !panel.lines.is_empty()) {
            rows.push(Row::Rest);
        }
        let mut timeline = Timeline { scene, rows, side: 0, column: 0, heights: Vec::new() };
        for &row in &timeline.rows {
            let texts = scene.panels.iter().enumerate().map(|(step, panel)| timeline.texts(row, step, panel));
            let texts: Vec<Vec<String>> = texts.collect();
            let lines = texts.iter().map(Vec::len).max().unwrap_or(0) as i32;
            let wide = texts.iter().flatten().map(|text| width(text)).max().unwrap_or(0);
            timeline.heights.push(lines.max(1) * LINE_HEIGHT + 2 * PADDING);
            timeline.column = timeline.column.max(wide + 2 * PADDING + 8);
        }
        let heads = scene.panels.iter().flat_map(|panel| &panel.nodes);
        let head =
            |node: &super::Node| width(&node.name) + super::layout::tags_width(node) + 2 * PADDING + 12;
        timeline.side = heads.map(head).max().unwrap_or(0);
        timeline
    }

    /// Returns the texts of a cell.
    fn texts(&self, row: Row, step: usize, panel: &Panel) -> Vec<String> {
        match row {
            Row::Head => {
                let mut texts = vec![format!("state {step}")];
                if let Some(action) = &panel.action {
                    texts.push(action.name.clone());
                    texts.extend(action.parameters.iter().map(|(name, value)| format!("{name} = {value}")));
                }
                texts
            }
            Row::Node(at) => panel.nodes[at].lines.iter().map(|it| brief(it).drawn()).collect(),
            Row::Rest => panel.lines.iter().map(|it| brief(it).drawn()).collect(),
        }
    }

    /// Returns the number of states beside each other in this width.
    fn per_part(&self, limit: i32) -> usize {
        ((limit - self.side) / self.column).max(1) as usize
    }

    /// Draws the table from a corner on; returns its right and bottom ends.
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, (left, top): (i32, i32), limit: i32) -> (i32, i32) {
        let states: Vec<(usize, &Panel)> = self.scene.panels.iter().enumerate().collect();
        let (mut y, mut right) = (top, left);
        for part in states.chunks(self.per_part(limit)) {
            for (&row, &height) in self.rows.iter().zip(&self.heights) {
                self.side(canvas, row, left, y);
                let mut x = left + self.side;
                for &(step, panel) in part {
                    self.cell(canvas, row, (step, panel), (x, y, height));
                    x += self.column;
                }
                right = right.max(x);
                y += height;
            }
            y += GAP;
        }
        (right, y - GAP)
    }

    /// Writes the name of a row.
    fn side(&self, canvas: &mut Canvas<'_>, row: Row, x: i32, y: i32) {
        let Row::Node(at) = row else { return };
        let Some(node) = self.scene.panels.first().and_then(|panel| panel.nodes.get(at)) else { return };
        canvas.name(node, x, y + PADDING - 4);
        canvas.tags(node, x + width(&node.name) + 18, y + PADDING);
    }

    fn cell(
        &self,
        canvas: &mut Canvas<'_>,
        row: Row,
        (step, panel): (usize, &Panel),
        (x, y, height): (i32, i32, i32),
    ) {
        if !matches!(row, Row::Head) {
            let _ = writeln!(
                canvas.out,
                "<rect class=\"grid\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{height}\" fill=\"none\" \
                 stroke=\"{}\"/>",
                self.column,
                color("chip-line")
            );
        }
        let lines = match row {
            Row::Head => {
                for (at, text) in self.texts(row, step, panel).iter().enumerate() {
                    let weight = if at < 2 { " font-weight=\"bold\"" } else { "" };
                    let style = format!(" fill=\"{}\"{weight}", color("ink"));
                    canvas.text(x + PADDING, y + PADDING + 14 + at as i32 * LINE_HEIGHT, &style, text);
                }
                return;
            }
            Row::Node(at) => &panel.nodes[at].lines,
            Row::Rest => &panel.lines,
        };
        for (at, line) in lines.iter().enumerate() {
            canvas.fact(&brief(line), x + PADDING, y + PADDING + at as i32 * LINE_HEIGHT, "");
        }
    }
}
