//! Decision heap of stable mode: a binary heap of variables ordered by activity.

use super::lit::Var;
use ramsey_core::base::ids::Id;

const ABSENT: u32 = u32::MAX;
/// Score above which all scores are scaled down, to stay in the range of a float.
const RESCALE_ABOVE: f64 = 1e150;

/// A max-heap of variables by score. Ties are broken in favor of the smaller variable, so the order is total.
#[derive(Clone, Debug)]
pub(super) struct Heap {
    /// `heap[0]` has the highest score; no entry precedes its parent.
    heap: Vec<Var>,
    /// By variable: its position in `heap`, or `ABSENT`.
    position: Vec<u32>,
    score: Vec<f64>,
    /// Increment of the next bump. It grows, which replaces a decay of all scores.
    increment: f64,
}

impl Default for Heap {
    fn default() -> Self {
        Heap { heap: Vec::new(), position: Vec::new(), score: Vec::new(), increment: 1.0 }
    }
}

impl Heap {
    /// Makes room for one more variable, which is not inserted.
    pub(super) fn grow(&mut self) {
        self.position.push(ABSENT);
        self.score.push(0.0);
    }

    /// Reserves capacity for `vars` more variables.
    pub(super) fn reserve(&mut self, vars: usize) {
        self.position.reserve(vars);
        self.score.reserve(vars);
    }

    #[inline]
    fn better(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.score[a.index()], self.score[b.index()]);
        x > y || (x == y && a < b)
    }

    #[inline]
    pub(super) fn contains(&self, var: Var) -> bool {
        self.position[var.index()] != ABSENT
    }

    /// Returns the variable with the highest score.
    pub(super) fn first(&self) -> Option<Var> {
        self.heap.first().copied()
    }

    /// Checks whether `a` precedes `b` in the decision order.
    pub(super) fn precedes(&self, a: Var, b: Var) -> bool {
        self.better(a, b)
    }

    pub(super) fn insert(&mut self, var: Var) {
        if !self.contains(var) {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// Removes the variable with the highest score.
    pub(super) fn pop(&mut self) {
        if let Some(&first) = self.heap.first() {
            self.heap.swap_remove(0);
            self.position[first.index()] = ABSENT;
            if !self.heap.is_empty() {
                self.position[self.heap[0].index()] = 0;
                self.down(0);
            }
        }
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.better(var, self.heap[parent]) {
                break;
            }
            self.heap[at] = self.heap[parent];
            self.position[self.heap[at].index()] = at as u32;
            at = parent;
        }
        self.heap[at] = var;
        self.position[var.index()] = at as u32;
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.better(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.better(self.heap[child], var) {
                break;
            }
            self.heap[at] = self.heap[child];
            self.position[self.heap[at].index()] = at as u32;
            at = child;
        }
        self.heap[at] = var;
        self.position[var.index()] = at as u32;
    }

    /// Raises the score of `var`.
    pub(super) fn bump(&mut self, var: Var) {
        self.score[var.index()] += self.increment;
        if self.score[var.index()] > RESCALE_ABOVE {
            for score in &mut self.score {
                *score /= RESCALE_ABOVE;
            }
            self.increment /= RESCALE_ABOVE;
        }
        let position = self.position[var.index()];
        if position != ABSENT {
            self.up(position as usize);
        }
    }

    /// Decreases the weight of earlier bumps by the factor `decay`, which is below one.
    pub(super) fn decay(&mut self, decay: f64) {
        self.increment /= decay;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_leave_by_score() {
        let mut heap = Heap::default();
        for index in 0..50 {
            heap.grow();
            heap.insert(Var::new(index));
        }
        for round in 0..2000 {
            heap.bump(Var::new(round * 7 % 50));
            heap.decay(0.5);
        }
        let mut last: Option<Var> = None;
        while let Some(var) = heap.first() {
            assert!(last.is_none_or(|before| heap.precedes(before, var)));
            heap.pop();
            assert!(!heap.contains(var));
            last = Some(var);
        }
    }
}
