//! The contents of pictures as data: what is drawn of each state, and where.

use super::classify::Shape;
use crate::words::words;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, SortId, SymId};

words! {
    /// Change of a fact relative to the previous state.
    #[derive(PartialOrd, Ord)]
    pub enum Mark {
        /// Unchanged, or there is no previous state.
        Same = "same",
        /// Became true.
        Added = "added",
        /// Became false.
        Removed = "removed",
        /// Has a new value.
        Changed = "changed",
        /// Known to be false, in a partial structure.
        False = "false",
    }
}

impl Mark {
    /// Returns the sign before the text, followed by a blank.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Same => "",
            Mark::Added => "+ ",
            Mark::Removed => "- ",
            Mark::Changed => "~ ",
            Mark::False => "!",
        }
    }
}

/// A fact as text, with its mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Change relative to the previous state.
    pub mark: Mark,
    /// The text, without the sign.
    pub text: String,
    /// The value before, if the fact has another one.
    pub before: Option<String>,
    /// The fact shown, with canonical names: `pnd(id0,node0)`, `!leader(node1)`, `id(node0) = id1`. For a fact that
    /// became false, the one that was true. `None` if the line is not a fact about a symbol.
    pub fact: Option<String>,
    /// The symbol of the fact.
    pub symbol: Option<SymId>,
}

impl Line {
    /// Creates a line that is not a fact about a symbol.
    pub fn remark(mark: Mark, text: impl Into<String>) -> Line {
        Line { mark, text: text.into(), before: None, fact: None, symbol: None }
    }

    /// Returns the text with its sign, and the value before.
    pub fn shown(&self) -> String {
        let before = self.before.as_ref().map_or(String::new(), |before| format!(" (was {before})"));
        format!("{}{}{before}", self.mark.sign(), self.text)
    }

    /// Returns the text with its sign as drawn: with a minus as wide as a plus.
    pub fn drawn(&self) -> String {
        match self.mark {
            Mark::Removed => format!("\u{2212} {}", self.text),
            _ => self.shown(),
        }
    }
}

/// A drawn element.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its sort.
    pub sort: SortId,
    /// The element within the sort.
    pub elem: Elem,
    /// Its canonical name: that of its sort with a number.
    pub id: String,
    /// Its name in this state.
    pub name: String,
    /// Variables of the violated claim that have it as their value.
    pub tags: Vec<String>,
    /// Whether the element has disappeared, in a relaxed execution.
    pub is_gone: bool,
    /// Facts about it.
    pub lines: Vec<Line>,
    /// For a row of a matrix: membership of each node of the other sort, in order.
    pub dots: Vec<Dot>,
}

/// A cell of a matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dot {
    /// Whether the element of the column is a member of the set.
    pub is_member: bool,
    /// The membership as a fact; for an element that is no member, the negative one.
    pub fact: Line,
}

/// Tuples of a relation with the same ends, drawn as an edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Index of the source node.
    pub from: usize,
    /// Index of the target node.
    pub to: usize,
    /// The facts; at least one, all with the same mark.
    pub labels: Vec<Line>,
}

impl Edge {
    /// Creates an edge for one fact.
    pub fn new(from: usize, to: usize, label: Line) -> Edge {
        Edge { from, to, labels: vec![label] }
    }

    /// Returns the common mark of the facts.
    pub fn mark(&self) -> Mark {
        self.labels.first().map_or(Mark::Same, |line| line.mark)
    }

    /// Returns the labels as one text, with the sign.
    pub fn shown(&self) -> String {
        let texts: Vec<&str> = self.labels.iter().map(|line| line.text.as_str()).collect();
        format!("{}{}", self.mark().sign(), texts.join(", "))
    }
}

/// A fact in a cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index of the node that heads the row.
    pub row: usize,
    /// Index of the node that heads the column.
    pub column: usize,
    /// The fact.
    pub line: Line,
}

/// The transition that led to a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// The parameters that it chose, with their values.
    pub parameters: Vec<(String, String)>,
    /// The elements that disappear in it, in a relaxed execution.
    pub without: Vec<String>,
}

/// Picture of a state.
#[derive(Clone, Debug)]
pub struct Panel {
    /// `state 1`, with the transition that led to it.
    pub title: String,
    /// The transition that led to it.
    pub action: Option<Action>,
    /// Nodes, the same in all states; empty if states are shown as tables.
    pub nodes: Vec<Node>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Contents of tables.
    pub cells: Vec<Cell>,
    /// Facts listed below the picture.
    pub lines: Vec<Line>,
}

impl Panel {
    /// Creates an empty picture.
    pub fn new(title: impl Into<String>) -> Panel {
        Panel {
            title: title.into(),
            action: None,
            nodes: Vec::new(),
            edges: Vec::new(),
            cells: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Returns the names of the members of a set, for a node that is a row of a matrix with members of this sort.
    pub fn members(&self, node: &Node, sort: SortId) -> Vec<&str> {
        let columns = self.nodes.iter().filter(|it| it.sort == sort);
        columns.zip(&node.dots).filter(|(_, dot)| dot.is_member).map(|(it, _)| it.name.as_str()).collect()
    }
}

/// A table of facts about elements of two sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// The sort of the rows; if it is ordered, the greatest element is on top.
    pub rows: SortId,
    /// The sort of the columns.
    pub columns: SortId,
}

/// Pictures of all states, with the placement of elements common to all.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Names of the sorts.
    pub sorts: IdVec<SortId, String>,
    /// Names of the symbols.
    pub symbols: IdVec<SymId, String>,
    /// Per sort, the placement of its elements.
    pub shapes: IdVec<SortId, Shape>,
    /// Sorts whose elements are not drawn because nothing else is to be said of them.
    pub folded: Vec<SortId>,
    /// Tables; no sort is in two of them.
    pub tables: Vec<Table>,
    /// Per state, its picture.
    pub panels: Vec<Panel>,
    /// Explanations of the placement, and of omissions.
    pub captions: Vec<String>,
}
