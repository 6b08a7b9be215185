//! Cores: what an unsatisfiable check rests on.

use super::{Answer, Asked, Cause, Last, Misuse, Solver};
use crate::base::budget::Budget;
use crate::base::hash::Set;

/// A core that was made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MinimalCore {
    /// What remains, in the order of the check.
    pub causes: Vec<Cause>,
    /// Whether nothing in it can be left out. If the budget ran out that is not known.
    pub is_minimal: bool,
}

impl Solver {
    /// After the answer [`Answer::Unsat`]: labels and assumptions that suffice for it, together with the assertions
    /// without labels, in the order of the check.
    ///
    /// # Errors
    /// [`Misuse::NoCore`].
    pub fn core(&self) -> Result<&[Cause], Misuse> {
        match &self.last {
            Last::Core(causes) => Ok(causes),
            _ => Err(Misuse::NoCore),
        }
    }

    /// After the answer [`Answer::Unsat`]: a core of which nothing can be left out. Each cause in turn is left out and
    /// the rest checked; what that check does not need goes too. `prefer` lists causes in the order in which to try to
    /// do without them; the others follow, the last one first.
    ///
    /// If the budget runs out, what has not been tried stays.
    ///
    /// # Errors
    /// [`Misuse::NoCore`].
    pub fn minimal_core(&mut self, prefer: &[Cause], budget: &mut Budget) -> Result<MinimalCore, Misuse> {
        let mut kept: Vec<Cause> = self.core()?.to_vec();
        let asked = self.asked.clone();
        let mut order: Vec<Cause> = prefer.iter().copied().filter(|cause| kept.contains(cause)).collect();
        let mut listed: Set<Cause> = order.iter().copied().collect();
        order.extend(kept.iter().rev().copied().filter(|&cause| listed.insert(cause)));
        let mut is_minimal = true;
        for cause in order {
            if !kept.contains(&cause) {
                continue;
            }
            if budget.check().is_err() {
                is_minimal = false;
                break;
            }
            let rest = |asked: &&Asked| asked.cause != cause && kept.contains(&asked.cause);
            self.asked = asked.iter().filter(rest).copied().collect();
            match self.answer(budget) {
                Answer::Unsat => kept = self.core()?.to_vec(),
                Answer::Sat => {}
                Answer::Unknown(_) | Answer::Defect => is_minimal = false,
            }
        }
        self.asked = asked;
        self.last = Last::Core(kept.clone());
        Ok(MinimalCore { causes: kept, is_minimal })
    }
}
