//! Derived clauses that one other needs, and no obligation: where unit propagation gets along without them, their hints stand in the
//! place of theirs, and the clause is none of the proof.

use ramsey_kernel::core::{Literal, Step, negated};

use super::emitter::Emitter;
use super::proof::Shown;

/// Maximum number of hints of a clause that is left out, and of one that gets the hints of others.
const MAX_HINTS: [usize; 2] = [32, 128];

/// Maximum number of literals in the hints of a clause that is left out.
const MAX_LITERALS: usize = 512;

/// Leaves out derived clauses.
pub(super) fn merge(emitter: &mut Emitter, shown: &[Shown]) {
    let mut uses = vec![0_u32; emitter.made.len()];
    for it in shown {
        if let Shown::By(at) = *it {
            // An answer needs the clause itself.
            uses[at] = u32::MAX / 2;
        }
    }
    for (at, made) in emitter.made.iter().enumerate().rev() {
        if let (Step::Derived(_, hints), 1..) = (&made.step, uses[at]) {
            hints.iter().for_each(|&hint| uses[hint] += 1);
        }
    }
    let mut values = Values { is_false: vec![false; 2 * emitter.formulas.len() + 2], trail: Vec::new() };
    for at in 0..emitter.made.len() {
        if uses[at] == 0 {
            continue;
        }
        let Step::Derived(clause, hints) = &emitter.made[at].step else { continue };
        let is_single =
            |hint: &usize| uses[*hint] == 1 && matches!(emitter.made[*hint].step, Step::Derived(..));
        if !hints.iter().any(is_single) {
            continue;
        }
        values.clear();
        clause.iter().for_each(|&literal| values.refute(literal));
        let Some(merged) = values.replay(emitter, hints, &is_single) else { continue };
        let (clause, hints) = (clause.clone(), hints.clone());
        for &hint in hints.iter().filter(|hint| !merged.contains(hint)) {
            uses[hint] -= 1;
            if uses[hint] == 0
                && let Some(inner) = derivation(emitter, hint)
            {
                inner.iter().for_each(|&inner| uses[inner] -= 1);
            }
        }
        merged.iter().filter(|hint| !hints.contains(hint)).for_each(|&hint| uses[hint] += 1);
        emitter.made[at].step = Step::Derived(clause, merged);
    }
}

/// Returns the hints of a derived clause, if they are few and short.
fn derivation(emitter: &Emitter, at: usize) -> Option<&[usize]> {
    let Step::Derived(_, hints) = &emitter.made[at].step else { return None };
    let literals = || hints.iter().map(|&hint| emitter.made[hint].clause.len()).sum::<usize>();
    (hints.len() <= MAX_HINTS[0] && literals() <= MAX_LITERALS).then_some(hints)
}

/// What unit propagation knows.
struct Values {
    /// By literal, whether it is false.
    is_false: Vec<bool>,
    trail: Vec<Literal>,
}

/// What a clause says where some literals are false.
enum State {
    /// All of its literals are false.
    Conflict,
    /// This one is true, or has to be.
    Unit(Literal),
    Open,
}

impl Values {
    fn refute(&mut self, literal: Literal) {
        if !std::mem::replace(&mut self.is_false[literal as usize], true) {
            self.trail.push(literal);
        }
    }

    fn undo(&mut self, length: usize) {
        for literal in self.trail.drain(length..) {
            self.is_false[literal as usize] = false;
        }
    }

    fn clear(&mut self) {
        self.undo(0);
    }

    fn state(&self, clause: &[Literal]) -> State {
        let mut open = clause.iter().copied().filter(|&literal| !self.is_false[literal as usize]);
        match (open.next(), open.next()) {
            (None, _) => State::Conflict,
            (Some(literal), None) => State::Unit(literal),
            _ => State::Open,
        }
    }

    fn is_true(&self, literal: Literal) -> bool {
        self.is_false[negated(literal) as usize]
    }

    /// Returns hints with those of single ones in their place, where this is possible, up to the one that ends in a conflict. `None` if
    /// none does, or if nothing changes.
    fn replay(
        &mut self,
        emitter: &Emitter,
        hints: &[usize],
        is_single: &dyn Fn(&usize) -> bool,
    ) -> Option<Vec<usize>> {
        let mut merged = Vec::new();
        let mut has_changed = false;
        for hint in hints {
            let state = self.state(&emitter.made[*hint].clause);
            let wanted = match state {
                State::Conflict => None,
                State::Unit(literal) if self.is_true(literal) => continue,
                State::Unit(literal) => Some(literal),
                State::Open => return None,
            };
            let inner = derivation(emitter, *hint)
                .filter(|inner| is_single(hint) && merged.len() + inner.len() <= MAX_HINTS[1]);
            if let Some(found) = inner.and_then(|inner| self.without(emitter, inner, wanted)) {
                merged.extend(found);
                has_changed = true;
            } else {
                merged.push(*hint);
                if let Some(literal) = wanted {
                    self.refute(negated(literal));
                }
            }
            if wanted.is_none() {
                return has_changed.then_some(merged);
            }
            if merged
                .last()
                .is_some_and(|&last| matches!(self.state(&emitter.made[last].clause), State::Conflict))
            {
                return has_changed.then_some(merged);
            }
        }
        None
    }

    /// Propagates along these hints, in whatever order, until a literal is true, or to a conflict. Returns the hints that were used; `None`,
    /// with nothing learned, if neither comes about.
    fn without(&mut self, emitter: &Emitter, hints: &[usize], wanted: Option<Literal>) -> Option<Vec<usize>> {
        let before = self.trail.len();
        let mut used: Vec<usize> = Vec::new();
        loop {
            let known = used.len();
            for &hint in hints {
                match self.state(&emitter.made[hint].clause) {
                    State::Conflict => {
                        used.push(hint);
                        return Some(used);
                    }
                    State::Unit(literal) if !self.is_true(literal) => {
                        used.push(hint);
                        self.refute(negated(literal));
                        if Some(literal) == wanted {
                            return Some(used);
                        }
                    }
                    State::Unit(_) | State::Open => {}
                }
            }
            if used.len() == known {
                self.undo(before);
                return None;
            }
        }
    }
}
