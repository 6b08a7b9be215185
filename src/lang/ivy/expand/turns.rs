//! The order in which properties are shown, each from those before it.

/// By declaration, its place in the order in which properties are shown: that of the text, but that what an object specifies
/// follows all else that is shown in the object, which is about how it is implemented.
#[derive(Clone, Default)]
pub(super) struct Turns(Vec<usize>);

impl Turns {
    /// Returns whether the property at a position among the declarations is shown before that at another one.
    pub(super) fn before(&self, at: usize, other: usize) -> bool {
        self.0.get(at) < self.0.get(other)
    }

    /// Creates the order from the places of declarations.
    pub(super) fn new(places: Vec<usize>) -> Turns {
        Turns(places)
    }
}
