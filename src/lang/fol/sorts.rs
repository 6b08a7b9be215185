//! Sort inference by unification.

use ramsey_core::base::span::Span;
use ramsey_core::logic::SortId;

/// A sort during inference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// Formulas.
    Bool,
    /// Integers, which are not supported but sort-checked.
    Int,
    /// A declared sort.
    Sort(SortId),
    /// A sort variable: an index into [`Sorts`].
    Var(u32),
    /// Unknown because of a reported error; unifies with every sort.
    Unknown,
}

#[derive(Clone, Copy)]
enum Entry {
    Free,
    Same(u32),
    Known(Ty, Span),
}

/// The state of sort variables.
#[derive(Default)]
pub(crate) struct Sorts {
    entries: Vec<Entry>,
}

impl Sorts {
    /// Creates a sort variable.
    pub(crate) fn fresh(&mut self) -> Ty {
        self.entries.push(Entry::Free);
        Ty::Var(self.entries.len() as u32 - 1)
    }

    fn root(&mut self, mut var: u32) -> u32 {
        while let Entry::Same(next) = self.entries[var as usize] {
            if let Entry::Same(after) = self.entries[next as usize] {
                self.entries[var as usize] = Entry::Same(after);
            }
            var = next;
        }
        var
    }

    /// Returns the sort that `ty` is known to be, or a variable if it is unknown.
    pub(crate) fn resolve(&mut self, ty: Ty) -> Ty {
        let Ty::Var(var) = ty else { return ty };
        let root = self.root(var);
        match self.entries[root as usize] {
            Entry::Known(known, _) => known,
            _ => Ty::Var(root),
        }
    }

    /// Returns the position at which `ty` became known, if it was inferred.
    pub(crate) fn origin(&mut self, ty: Ty) -> Option<Span> {
        let Ty::Var(var) = ty else { return None };
        let root = self.root(var);
        match self.entries[root as usize] {
            Entry::Known(_, span) => Some(span),
            _ => None,
        }
    }

    /// Unifies the sorts because of the construct at `span`. Returns false if that is impossible.
    pub(crate) fn unify(&mut self, a: Ty, b: Ty, span: Span) -> bool {
        match (self.resolve(a), self.resolve(b)) {
            (Ty::Var(x), Ty::Var(y)) => {
                if x != y {
                    self.entries[x as usize] = Entry::Same(y);
                }
                true
            }
            (Ty::Var(var), known) | (known, Ty::Var(var)) => {
                self.entries[var as usize] = Entry::Known(known, span);
                true
            }
            (Ty::Unknown, _) | (_, Ty::Unknown) => true,
            (a, b) => a == b,
        }
    }
}
