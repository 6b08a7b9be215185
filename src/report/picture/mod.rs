//! Pictures of states and of the transitions between them, as SVG and as DOT for Graphviz.
//!
//! The notation is described in `spec/pictures.md`.

mod build;
mod classify;
mod css;
mod displays;
mod dot;
mod draw;
mod layout;
mod metric;
mod partial;
mod placement;
mod plan;
mod route;
mod scene;
mod svg;
mod theme;
mod timeline;

pub use build::scene;
pub use classify::{Shape, shape};
pub use css::page_css;
pub use dot::{dot, dot_of};
pub use layout::{Rect, layout};
#[cfg(feature = "cli")]
pub(super) use metric::dot as escape;
pub use metric::{width, xml};
pub use partial::partial_scene;
pub use route::{Curve, Route, routes};
pub use scene::{Action, Cell, Dot, Edge, Line, Mark, Node, Panel, Scene, Table};
pub use svg::{svg, svg_of, svg_panel};
pub use theme::{Misfit, Projection, Theme};

use ramsey_core::logic::{Elem, Signature, SortId, Structure};
use ramsey_core::system::System;
use ramsey_engine::query::Call;

/// Maximum number of elements of a sort that are drawn.
const MAX_ELEMENTS: u32 = 12;
/// Maximum number of elements that are drawn in total.
const MAX_NODES: usize = 60;
/// Maximum number of edges of a state that are drawn.
const MAX_EDGES: usize = 40;
/// Maximum number of tuples of a ternary relation in a state that are drawn as edges.
const MAX_TRIPLES: usize = 10;

/// Contents of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The system, for the names of transitions.
    pub system: &'a System,
    /// The signature of the structure.
    pub sig: &'a Signature,
    /// The states.
    pub structure: &'a Structure,
    /// The transitions between consecutive states, or none.
    pub calls: &'a [Call],
    /// Heading of the picture.
    pub title: &'a str,
    /// The violated claim, such as `leader(N) & leader(M) -> N = M for N = node0, M = node1`; empty if there is none.
    pub violated: &'a str,
    /// Variables of the violated claim, with their values.
    pub witnesses: &'a [(String, SortId, Elem)],
    /// Deviations from the default display.
    pub theme: &'a Theme,
}

impl Picture<'_> {
    /// Returns the number of states drawn, at least one.
    fn steps(&self) -> usize {
        self.structure.states().max(1)
    }

    fn is_shown(&self, sort: SortId) -> bool {
        self.sig.sorts[sort].annotation("no_print").is_none()
    }

    /// Returns the sorts whose elements are drawn.
    fn sorts(&self) -> impl Iterator<Item = SortId> {
        self.sig.uninterpreted_sorts().filter(|&sort| self.is_shown(sort))
    }
}
