//! Unsatisfiable cores.

use super::{Answer, Cause, CheckedFormula, LastResult, Misuse, Solver};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Set;

/// A core after minimization.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MinimalCore {
    /// The causes, in the order of the check.
    pub causes: Vec<Cause>,
    /// Whether no cause can be omitted. This is not known if the budget was exhausted.
    pub is_minimal: bool,
}

impl Solver {
    /// Returns, after the answer [`Answer::Unsat`], labels and assumptions that suffice for it together with the
    /// assertions without labels, in the order of the check.
    ///
    /// # Errors
    /// Returns [`Misuse::NoCore`].
    pub fn core(&self) -> Result<&[Cause], Misuse> {
        match &self.last {
            LastResult::Core(causes) => Ok(causes),
            _ => Err(Misuse::NoCore),
        }
    }

    /// Returns, after the answer [`Answer::Unsat`], a core of which no cause can be omitted. Each cause in turn is
    /// omitted and the rest is checked; causes not needed by that check are omitted too. `prefer` lists the causes to
    /// try first, in order; the others follow, the last one first.
    ///
    /// If the budget is exhausted, causes that have not been tried stay in the core.
    ///
    /// # Errors
    /// Returns [`Misuse::NoCore`].
    pub fn minimal_core(&mut self, prefer: &[Cause], budget: &mut Budget) -> Result<MinimalCore, Misuse> {
        let mut kept: Vec<Cause> = self.core()?.to_vec();
        let checked = self.checked.clone();
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
            let rest = |checked: &&CheckedFormula| checked.cause != cause && kept.contains(&checked.cause);
            self.checked = checked.iter().filter(rest).copied().collect();
            match self.answer(budget) {
                Answer::Unsat => kept = self.core()?.to_vec(),
                Answer::Sat => {}
                Answer::Unknown(_) | Answer::Defect => is_minimal = false,
            }
        }
        self.checked = checked;
        self.last = LastResult::Core(kept.clone());
        Ok(MinimalCore { causes: kept, is_minimal })
    }
}
