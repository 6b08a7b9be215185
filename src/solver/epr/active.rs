//! The active universal clauses.

use std::ops::Range;

use super::symbols::Rel;
use super::universal::UniversalId;
use ramsey_core::base::ids::{Id as _, IdVec};

/// A list of clauses. Each needs true tuples of some relations to be violated. Neighbours that need the same proposition form a
/// run, which is skipped as a whole where it is false: of the parts of a disjunction that have names, a candidate satisfies few.
#[derive(Clone, Debug, Default)]
pub(super) struct Active {
    clauses: Vec<UniversalId>,
    /// The relations of the negative literals of all clauses, in order.
    relations: Vec<Rel>,
    /// By clause, the end of its part of `relations`.
    ends: Vec<u32>,
    /// The runs, which have all clauses that need a proposition.
    runs: Vec<Run>,
    /// By relation, in how many negative literals it is.
    negated: IdVec<Rel, u32>,
    /// By relation, whether it is or was in a positive literal.
    asserted: IdVec<Rel, bool>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    proposition: Rel,
    start: usize,
    end: usize,
}

impl Active {
    /// Adds a clause whose negative literals are `proposition`, if there is one, and others of `relations`.
    pub(super) fn push(
        &mut self,
        clause: UniversalId,
        proposition: Option<Rel>,
        relations: impl IntoIterator<Item = Rel>,
    ) {
        let at = self.clauses.len();
        self.clauses.push(clause);
        let start = self.relations.len();
        self.relations.extend(relations);
        for &relation in &self.relations[start..] {
            self.negated.grow_to(relation.index() + 1, || 0);
            self.negated[relation] += 1;
        }
        self.ends.push(self.relations.len() as u32);
        let Some(proposition) = proposition else { return };
        match self.runs.last_mut() {
            Some(run) if run.proposition == proposition && run.end == at => run.end += 1,
            _ => self.runs.push(Run { proposition, start: at, end: at + 1 }),
        }
    }

    /// Notes that the last clause has a relation in a positive literal.
    pub(super) fn assert(&mut self, relation: Rel) {
        self.asserted.grow_to(relation.index() + 1, || false);
        self.asserted[relation] = true;
    }

    /// Iterates over the relations in positive literals alone. That they are true violates no clause.
    pub(super) fn positive(&self) -> impl Iterator<Item = Rel> {
        let is_negated = |relation: Rel| self.negated.get(relation).is_some_and(|&count| count > 0);
        let asserted = self.asserted.iter_enumerated().filter(|&(_, &is_asserted)| is_asserted);
        asserted.map(|(relation, _)| relation).filter(move |&relation| !is_negated(relation))
    }

    /// Removes all clauses but the first `len`.
    pub(super) fn truncate(&mut self, len: usize) {
        self.clauses.truncate(len);
        self.ends.truncate(len);
        let end = self.end_of(len);
        for relation in self.relations.drain(end..) {
            self.negated[relation] -= 1;
        }
        while let Some(run) = self.runs.last_mut()
            && run.end > len
        {
            run.end = len;
            if run.start >= len {
                self.runs.pop();
            }
        }
    }

    /// Returns where the relations of the first `count` clauses end.
    fn end_of(&self, count: usize) -> usize {
        count.checked_sub(1).map_or(0, |last| self.ends[last] as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.clauses.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = UniversalId> {
        self.clauses.iter().copied()
    }

    /// Iterates over the clauses that need a proposition, in order.
    pub(super) fn named(&self, proposition: Rel) -> impl Iterator<Item = UniversalId> {
        let runs = self.runs.iter().filter(move |run| run.proposition == proposition);
        runs.flat_map(|run| &self.clauses[run.start..run.end]).copied()
    }

    /// Appends the clauses all of whose relations have tuples to `found`, in order.
    pub(super) fn supported(&self, has_tuples: impl Fn(Rel) -> bool, found: &mut Vec<UniversalId>) {
        let mut at = 0;
        for run in &self.runs {
            self.supported_among(at..run.start, &has_tuples, found);
            if has_tuples(run.proposition) {
                self.supported_among(run.start..run.end, &has_tuples, found);
            }
            at = run.end;
        }
        self.supported_among(at..self.clauses.len(), &has_tuples, found);
    }

    fn supported_among(
        &self,
        clauses: Range<usize>,
        has_tuples: &impl Fn(Rel) -> bool,
        found: &mut Vec<UniversalId>,
    ) {
        let mut start = self.end_of(clauses.start);
        for at in clauses {
            let end = self.ends[at] as usize;
            if self.relations[start..end].iter().all(|&relation| has_tuples(relation)) {
                found.push(self.clauses[at]);
            }
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Active, Rel, UniversalId};
    use ramsey_core::base::ids::Id as _;

    #[test]
    fn clauses_that_cannot_be_violated_are_skipped() {
        let mut active = Active::default();
        for (at, proposition) in
            [None, Some(1), Some(1), None, Some(2), Some(1), Some(1)].into_iter().enumerate()
        {
            active.push(UniversalId::new(at), proposition.map(Rel::new), []);
        }
        let supported = |active: &Active, truth: usize| {
            let mut found = Vec::new();
            active.supported(|rel| rel.index() == truth, &mut found);
            found.into_iter().map(|id| id.index()).collect::<Vec<_>>()
        };
        assert_eq!(supported(&active, 1), [0, 1, 2, 3, 5, 6]);
        assert_eq!(supported(&active, 2), [0, 3, 4]);
        active.truncate(6);
        assert_eq!(supported(&active, 1), [0, 1, 2, 3, 5]);
        active.push(UniversalId::new(9), Some(Rel::new(1)), [Rel::new(1)]);
        active.push(UniversalId::new(9), Some(Rel::new(1)), [Rel::new(1), Rel::new(2)]);
        assert_eq!(supported(&active, 1), [0, 1, 2, 3, 5, 9]);
        active.assert(Rel::new(1));
        active.assert(Rel::new(3));
        assert_eq!(active.positive().collect::<Vec<_>>(), [Rel::new(3)]);
        active.truncate(2);
        assert_eq!(active.positive().collect::<Vec<_>>(), [Rel::new(1), Rel::new(3)]);
        assert_eq!(supported(&active, 1), [0, 1]);
        assert_eq!((supported(&active, 2), active.len()), (vec![0], 2));
    }
}
