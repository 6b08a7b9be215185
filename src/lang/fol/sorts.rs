//! Inference of sorts by unification.

use crate::base::span::Span;
use crate::logic::SortId;

/// A sort that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lang) enum Ty {
    /// Formulas.
    Bool,
    /// Integers, which the logic does not have; sorts are checked all the same.
    Int,
    /// A declared sort.
    Sort(SortId),
    /// To be inferred: an index into [`Sorts`].
    Var(u32),
    /// Not known because of an error that has been reported; fits everything.
    Unknown,
}

#[derive(Clone, Copy)]
enum Entry {
    Free,
    Same(u32),
    Known(Ty, Span),
}

/// What is known of the sorts to be inferred.
#[derive(Default)]
pub(in crate::lang) struct Sorts {
    entries: Vec<Entry>,
}

impl Sorts {
    /// A new sort to be inferred.
    pub(in crate::lang) fn fresh(&mut self) -> Ty {
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

    /// What `ty` is known to be; a variable only where nothing is known.
    pub(in crate::lang) fn resolve(&mut self, ty: Ty) -> Ty {
        let Ty::Var(var) = ty else { return ty };
        let root = self.root(var);
        match self.entries[root as usize] {
            Entry::Known(known, _) => known,
            _ => Ty::Var(root),
        }
    }

    /// Where `ty` became known, if it was inferred.
    pub(in crate::lang) fn origin(&mut self, ty: Ty) -> Option<Span> {
        let Ty::Var(var) = ty else { return None };
        let root = self.root(var);
        match self.entries[root as usize] {
            Entry::Known(_, span) => Some(span),
            _ => None,
        }
    }

    /// Makes both equal because of what stands at `span`; false if that is impossible.
    pub(in crate::lang) fn unify(&mut self, a: Ty, b: Ty, span: Span) -> bool {
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
