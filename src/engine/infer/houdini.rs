//! Houdini (Flanagan and Leino, FME 2001) over candidates and over all clauses of a template.
//!
//! The strongest clauses of the template that are true in all states seen are candidates, besides the given formulas. A
//! counterexample to induction that no candidate excludes refutes all candidates that are false after it; weaker clauses
//! then take their place. Only candidates that the proof of safety uses have to be proved.

use super::oracle::Claim;
use super::outcome::{Observer, Template};
use super::search::{Search, Verdict};
use super::table::Table;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_solver::ask::Failure;

/// Maximum number of clauses of a template that are candidates at a time.
const MAX_CLAUSES: usize = 5_000;

/// State of the search.
#[derive(Debug)]
pub(super) struct Houdini {
    pub(super) search: Search,
    template: Template,
    table: Option<Table>,
    /// Number of states whose types are in the table.
    seen: usize,
    is_complete: bool,
}

impl Houdini {
    /// Starts a search. Lemmas of `search` that are no properties are candidates.
    pub(super) fn new(mut search: Search, template: Template) -> Houdini {
        search.is_closed = true;
        Houdini { search, template, table: None, seen: 0, is_complete: true }
    }

    /// Continues until the answer is known; `None` if no subset of the candidates implies safety.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; progress is kept.
    pub(super) fn advance(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Verdict>, Failure> {
        if self.search.counts.reachable == 0
            && let Some((property, state)) = self.search.sampled(observer, budget)?
        {
            return Ok(Some(Verdict::Violated(property, state)));
        }
        loop {
            let before = self.search.counts.refuted;
            self.propose(observer, budget)?;
            match self.search.advance(observer, budget)? {
                // Candidates were refuted, so that weaker ones may be true.
                Verdict::Stuck if self.search.counts.refuted > before => {}
                Verdict::Stuck if !self.is_complete => {
                    return Err(Failure::Exhausted(Exhausted::FormulaSize));
                }
                Verdict::Stuck => return Ok(None),
                verdict => return Ok(Some(verdict)),
            }
        }
    }

    /// Adds the strongest clauses of the template that are true in all states seen.
    fn propose(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<(), Failure> {
        let mut sizes = vec![0; self.search.oracle.vocabulary.sorts()];
        for &(sort, count) in &self.template.variables {
            sizes[ramsey_core::base::ids::Id::index(sort)] = count;
        }
        let vocabulary = &self.search.oracle.vocabulary;
        let table = match &mut self.table {
            Some(table) => table,
            none => {
                let mut table =
                    Table::new(vocabulary, &sizes).ok_or(Failure::Exhausted(Exhausted::FormulaSize))?;
                self.template.symbols.iter().for_each(|symbols| table.restrict(vocabulary, symbols));
                none.insert(table)
            }
        };
        let states = self.search.seen_states();
        for state in &states[self.seen.min(states.len())..] {
            table.add(state, budget)?;
        }
        self.seen = states.len();
        let (patterns, is_complete) = table.strongest(self.template.literals, MAX_CLAUSES, budget)?;
        self.is_complete = is_complete;
        for pattern in patterns {
            if self.search.is_known(&pattern) {
                continue;
            }
            let id = self.search.add(Claim::Excludes(pattern), None, false);
            self.search.proposed(id, None, observer);
        }
        Ok(())
    }
}
