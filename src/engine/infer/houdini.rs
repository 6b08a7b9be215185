//! Houdini (Flanagan and Leino, FME 2001) over candidates and over all clauses of a template.
//!
//! The strongest clauses of the template that are true in all states seen are candidates, besides the given formulas. A
//! counterexample to induction that no candidate excludes refutes all candidates that are false after it; weaker clauses
//! then take their place. Only candidates that the proof of safety uses have to be proved.

use super::claim::Claim;
use super::directed::Directed;
use super::engine::{Engine, Goal};
use super::outcome::{Observer, Template};
use super::search::{Search, Verdict};
use super::table::Table;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{SortId, Symbol};
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;

/// Maximum number of clauses of a template that are candidates at a time.
const MAX_CLAUSES: usize = 5_000;

/// State of the search.
#[derive(Debug)]
pub(super) struct Houdini {
    directed: Directed,
    template: Template,
    table: Option<Table>,
    /// Number of states whose types are in the table.
    seen: usize,
    is_complete: bool,
}

impl Engine for Houdini {
    fn search(&mut self) -> &mut Search {
        self.directed.search()
    }

    fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Verdict, Failure> {
        if let Some(violation) = self.search().sampled_once(observer, budget)? {
            return Ok(violation.into());
        }
        loop {
            let before = self.search().counts.refuted;
            self.propose(observer, budget)?;
            match self.directed.advance(observer, budget)? {
                // Candidates were refuted, so that weaker ones may be true.
                Verdict::Stuck(_) if self.search().counts.refuted > before => {}
                Verdict::Stuck(_) if !self.is_complete => {
                    return Err(Failure::Exhausted(Exhausted::FormulaSize));
                }
                verdict => return Ok(verdict),
            }
        }
    }
}

impl Houdini {
    /// Starts a search. Lemmas that are given are candidates.
    pub(super) fn begin(goal: &Goal<'_>) -> Box<dyn Engine> {
        let template = goal.options.template.clone().unwrap_or_else(|| default_template(goal.system));
        let directed = Directed::closed(goal.search());
        Box::new(Houdini { directed, template, table: None, seen: 0, is_complete: true })
    }

    /// Adds the strongest clauses of the template that are true in all states seen.
    fn propose(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<(), Failure> {
        let vocabulary = self.directed.search().prover.vocabulary();
        let mut sizes = vec![0; vocabulary.sorts()];
        for &(sort, count) in &self.template.variables {
            sizes[sort.index()] = count;
        }
        let table = match &mut self.table {
            Some(table) => table,
            none => {
                let mut table =
                    Table::new(vocabulary, &sizes).ok_or(Failure::Exhausted(Exhausted::FormulaSize))?;
                self.template.symbols.iter().for_each(|symbols| table.restrict(vocabulary, symbols));
                none.insert(table)
            }
        };
        let states = self.directed.seen_states();
        for state in &states[self.seen.min(states.len())..] {
            table.add(state, budget)?;
        }
        self.seen = states.len();
        let (patterns, is_complete) = table.strongest(self.template.literals, MAX_CLAUSES, budget)?;
        self.is_complete = is_complete;
        let search = self.directed.search();
        for pattern in patterns {
            if !search.lemmas.is_known(&pattern) {
                search.propose(Claim::Excludes(pattern), observer);
            }
        }
        Ok(())
    }
}

/// Returns the template that is tried if none is given: two variables per sort and three literals, or fewer where that
/// makes too many atoms.
pub(super) fn default_template(system: &System) -> Template {
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let atoms = |variables: u32| -> u64 {
        let count = |symbol: &Symbol| {
            u64::from(variables).saturating_pow(symbol.args.len() as u32 + u32::from(!symbol.is_relation()))
        };
        system.sig.symbols.iter().filter(|symbol| symbol.is_declared()).map(count).sum()
    };
    let variables = if atoms(2) > 200 { 1 } else { 2 };
    let literals = if atoms(variables) > 60 { 2 } else { 3 };
    let variables = sorts.into_iter().map(|sort| (sort, variables)).collect();
    Template { variables, literals, symbols: None }
}
