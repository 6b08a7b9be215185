//! Pictures of states as JSON data, for who draws them anew.

use serde::Serialize;

use super::dto::Binding;
use crate::picture::{Edge, Line, Mark, Node, Panel, Scene, Shape, Table};
use crate::words::words;

/// Contents of a picture. Elements and facts have canonical names; `name` and `text` are for readers.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Scene"))]
pub struct SceneDto {
    /// All sorts with elements.
    pub sorts: Vec<SortDto>,
    /// All states, with the same boxes.
    pub states: Vec<StateDto>,
    /// Explanations of the placement, and of omissions.
    pub captions: Vec<String>,
}

/// Placement of the elements of a sort.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneSort"))]
pub struct SortDto {
    /// Name of the sort.
    pub name: String,
    /// How the elements are placed.
    pub layout: Layout,
    /// The symbol that the placement represents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The elements in the order of the placement; none of a folded sort.
    pub elements: Vec<String>,
    /// For ranks: the number of elements of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<usize>,
    /// For a matrix: the sort of the members.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<String>,
}

words! {
    /// How the elements of a sort are placed.
    pub enum Layout {
        /// In no particular order.
        Plain = "plain",
        /// In a column, the least element first.
        Ladder = "ladder",
        /// In a circle, clockwise.
        Ring = "ring",
        /// In rows, the least elements first.
        Ranks = "ranks",
        /// As rows of a matrix: sets.
        Matrix = "matrix",
        /// Not drawn.
        Folded = "folded",
    }
}

/// Picture of a state.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneState"))]
pub struct StateDto {
    /// `state 1`, with the transition that led to it.
    pub title: String,
    /// The transition that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<ActionDto>,
    /// The elements.
    pub boxes: Vec<BoxDto>,
    /// Facts drawn as edges.
    pub edges: Vec<EdgeDto>,
    /// Facts drawn in tables.
    pub tables: Vec<TableDto>,
    /// All other facts.
    pub lines: Vec<LineDto>,
}

/// A transition.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneAction"))]
pub struct ActionDto {
    /// Its name.
    pub name: String,
    /// The parameters that it chose, with their values.
    pub parameters: Vec<Binding>,
    /// The elements that disappear in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

/// An element.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneBox"))]
pub struct BoxDto {
    /// Canonical name.
    pub element: String,
    /// Name of the sort.
    pub sort: String,
    /// Name in this state.
    pub name: String,
    /// Variables of the violated claim that have it as their value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<String>,
    /// Whether the element has disappeared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// Facts about it.
    pub lines: Vec<LineDto>,
    /// For a set: the membership of each element of the other sort, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberDto>,
}

/// Membership of an element in a set.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneMember"))]
pub struct MemberDto {
    /// Whether it is a member.
    pub member: bool,
    /// The membership as a fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
}

/// A fact as text.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneLine"))]
pub struct LineDto {
    /// The fact; of one that became false, what was true. `None` for a line that is no fact about a symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
    /// The symbol of the fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The text beside the element, without a sign.
    pub text: String,
    /// The value before, if the fact has another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Change relative to the previous state.
    pub mark: Mark,
}

/// Facts with the same ends.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneEdge"))]
pub struct EdgeDto {
    /// The element at the start.
    pub from: String,
    /// The element at the end.
    pub to: String,
    /// The facts, all with the same mark.
    pub labels: Vec<LineDto>,
}

/// A table.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneTable"))]
pub struct TableDto {
    /// The sort of the rows.
    pub rows: String,
    /// The sort of the columns.
    pub columns: String,
    /// Cells that are not empty.
    pub cells: Vec<CellDto>,
}

/// A fact in a cell.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "SceneCell"))]
pub struct CellDto {
    /// The element of the row.
    pub row: String,
    /// The element of the column.
    pub column: String,
    /// The fact.
    #[serde(flatten)]
    pub line: LineDto,
}

/// Converts a scene.
pub fn scene_dto(scene: &Scene) -> SceneDto {
    SceneDto {
        sorts: sorts(scene),
        states: scene.panels.iter().map(|panel| state(scene, panel)).collect(),
        captions: scene.captions.clone(),
    }
}

fn sorts(scene: &Scene) -> Vec<SortDto> {
    let nodes = scene.panels.first().map_or(&[][..], |panel| &panel.nodes);
    let mut sorts = Vec::new();
    for (sort, name) in scene.sorts.iter_enumerated() {
        let elements: Vec<String> =
            nodes.iter().filter(|node| node.sort == sort).map(|node| node.id.clone()).collect();
        let is_folded = scene.folded.contains(&sort);
        if elements.is_empty() && !is_folded {
            continue;
        }
        let shape = &scene.shapes[sort];
        let (layout, symbol) = match shape {
            _ if is_folded => (Layout::Folded, shape.symbol()),
            Shape::Column(sym, _) => (Layout::Ladder, Some(*sym)),
            Shape::Ring(sym, _) => (Layout::Ring, Some(*sym)),
            Shape::Ranks(sym, _) => (Layout::Ranks, Some(*sym)),
            Shape::Matrix(sym, _) => (Layout::Matrix, Some(*sym)),
            Shape::Plain => (Layout::Plain, None),
        };
        sorts.push(SortDto {
            name: name.clone(),
            layout,
            symbol: symbol.and_then(|sym| scene.symbols.get(sym)).cloned(),
            elements,
            ranks: match shape {
                Shape::Ranks(_, rows) => rows.iter().map(Vec::len).collect(),
                _ => Vec::new(),
            },
            members: match shape {
                Shape::Matrix(_, members) => Some(scene.sorts[*members].clone()),
                _ => None,
            },
        });
    }
    sorts
}

fn state(scene: &Scene, panel: &Panel) -> StateDto {
    StateDto {
        title: panel.title.clone(),
        action: panel.action.as_ref().map(|action| ActionDto {
            name: action.name.clone(),
            parameters: super::bindings_dto(action.parameters.clone()),
            without: action.without.clone(),
        }),
        boxes: panel.nodes.iter().map(|node| element(scene, node)).collect(),
        edges: panel.edges.iter().map(|it| edge(scene, panel, it)).collect(),
        tables: scene.tables.iter().map(|it| table(scene, panel, it)).collect(),
        lines: lines(scene, &panel.lines),
    }
}

fn element(scene: &Scene, node: &Node) -> BoxDto {
    let members =
        node.dots.iter().map(|dot| MemberDto { member: dot.is_member, fact: dot.fact.fact.clone() });
    BoxDto {
        element: node.id.clone(),
        sort: scene.sorts[node.sort].clone(),
        name: node.name.clone(),
        witnesses: node.tags.clone(),
        gone: node.is_gone,
        lines: lines(scene, &node.lines),
        members: members.collect(),
    }
}

fn edge(scene: &Scene, panel: &Panel, edge: &Edge) -> EdgeDto {
    let end = |at: usize| panel.nodes[at].id.clone();
    EdgeDto { from: end(edge.from), to: end(edge.to), labels: lines(scene, &edge.labels) }
}

fn table(scene: &Scene, panel: &Panel, table: &Table) -> TableDto {
    let is_here = |at: usize| panel.nodes[at].sort == table.rows;
    let end = |at: usize| panel.nodes[at].id.clone();
    let cells = panel.cells.iter().filter(|cell| is_here(cell.row)).map(|cell| CellDto {
        row: end(cell.row),
        column: end(cell.column),
        line: line(scene, &cell.line),
    });
    TableDto {
        rows: scene.sorts[table.rows].clone(),
        columns: scene.sorts[table.columns].clone(),
        cells: cells.collect(),
    }
}

fn lines(scene: &Scene, all: &[Line]) -> Vec<LineDto> {
    all.iter().map(|it| line(scene, it)).collect()
}

fn line(scene: &Scene, line: &Line) -> LineDto {
    LineDto {
        fact: line.fact.clone(),
        symbol: line.symbol.and_then(|sym| scene.symbols.get(sym)).cloned(),
        text: line.text.clone(),
        before: line.before.clone(),
        mark: line.mark,
    }
}
