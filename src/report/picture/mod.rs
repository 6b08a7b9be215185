//! Pictures of states and of the transitions between them: SVG for people, DOT for those who have Graphviz.
//!
//! What is drawn how is described in `spec/pictures.md`.

mod classify;
mod dot;
mod layout;
mod metric;
mod partial;
mod route;
mod scene;
mod svg;
mod theme;

pub use classify::{Shape, shape};
pub use dot::{dot, dot_of};
pub use layout::{Rect, layout};
pub use metric::{width, xml};
pub use partial::partial_scene;
pub use route::{Curve, Route, routes};
pub use scene::{Edge, Line, Mark, Node, Panel, Scene, scene};
pub use svg::{svg, svg_of};
pub use theme::{Projection, Theme};

use crate::logic::{Signature, SortId, Structure};
use crate::query::Call;
use crate::system::System;

/// Most elements of a sort that are drawn.
const MOST_ELEMENTS: u32 = 12;
/// Most elements that are drawn.
const MOST_NODES: u64 = 60;
/// Most edges of a state that are drawn.
const MOST_EDGES: usize = 40;
/// Most tuples of a relation of three elements in a state that are drawn as edges.
const MOST_TRIPLES: usize = 10;

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The transitions' names.
    pub system: &'a System,
    /// The signature of the structure.
    pub sig: &'a Signature,
    /// All states.
    pub structure: &'a Structure,
    /// The transitions from each state to the next, or none.
    pub calls: &'a [Call],
    /// The heading.
    pub title: &'a str,
    /// What is false: `leader(N) & leader(M) -> N = M for N = node0, M = node1`; empty if nothing is to be said.
    pub violated: &'a str,
    /// What is to be shown otherwise than by default.
    pub theme: &'a Theme,
}

impl Picture<'_> {
    /// How many states are drawn: one at least.
    fn steps(&self) -> usize {
        self.structure.states().max(1)
    }

    fn is_shown(&self, sort: SortId) -> bool {
        self.sig.sorts[sort].annotation("no_print").is_none()
    }

    /// The sorts whose elements are drawn.
    fn sorts(&self) -> impl Iterator<Item = SortId> {
        self.sig.uninterpreted_sorts().filter(|&sort| self.is_shown(sort))
    }
}
