//! Parameters and statistics of the solver.

/// Intervals and thresholds of the search. Only tests and experiments change them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Seed of the random phases.
    pub seed: u64,
    /// Minimum number of conflicts between two restarts in focused mode.
    pub restart_interval: u64,
    /// Restart in focused mode when the recent glue exceeds the average by this factor.
    pub restart_margin: f64,
    /// Conflicts per unit of the Luby sequence in stable mode.
    pub reluctant_period: u64,
    /// Conflicts of the first focused phase. Later phases are limited by ticks.
    pub mode_interval: u64,
    /// Conflicts before the first change of phases; later intervals grow linearly.
    pub rephase_interval: u64,
    /// Conflicts before the first reduction; later intervals grow linearly.
    pub reduce_interval: u64,
    /// Percentage of the candidates that a reduction removes.
    pub reduce_percent: usize,
    /// Learned clauses of at most this glue are kept forever.
    pub core_glue: u32,
    /// Learned clauses of at most this glue are kept for two reductions after each use.
    pub tier2_glue: u32,
    /// Conflicts between two vivifications; intervals grow linearly.
    pub vivify_interval: u64,
    /// Work of vivification in percent of the work of search.
    pub vivify_percent: u64,
    /// Conflicts between two subsumptions; intervals grow linearly.
    pub subsume_interval: u64,
    /// Work of subsumption in percent of the work of search.
    pub subsume_percent: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            seed: 0,
            restart_interval: 2,
            restart_margin: 1.10,
            reluctant_period: 1024,
            mode_interval: 1000,
            rephase_interval: 1000,
            reduce_interval: 300,
            reduce_percent: 85,
            core_glue: 2,
            tier2_glue: 6,
            vivify_interval: 2000,
            vivify_percent: 15,
            subsume_interval: 4000,
            subsume_percent: 10,
        }
    }
}

/// Statistics of a solver since its creation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Calls of `solve`.
    pub solves: u64,
    /// Conflicts during search.
    pub conflicts: u64,
    /// Decisions during search, assumptions included.
    pub decisions: u64,
    /// Literals propagated, in search and in inprocessing.
    pub propagations: u64,
    /// Work of propagation and inprocessing, about one unit per cache line touched.
    pub ticks: u64,
    /// Restarts.
    pub restarts: u64,
    /// Clauses learned from conflicts, units included.
    pub learned: u64,
    /// Literals in learned clauses, after minimization.
    pub learned_literals: u64,
    /// Literals that minimization removed.
    pub minimized_literals: u64,
    /// Changes between focused and stable mode.
    pub mode_switches: u64,
    /// Changes of the saved phases.
    pub rephases: u64,
    /// Reductions of the learned clauses.
    pub reductions: u64,
    /// Learned clauses removed by reductions.
    pub reduced: u64,
    /// Compactions of the clause arena.
    pub collections: u64,
    /// Rounds of vivification.
    pub vivifications: u64,
    /// Clauses that vivification tried.
    pub vivify_tried: u64,
    /// Clauses that vivification shortened or removed.
    pub vivified: u64,
    /// Rounds of subsumption.
    pub subsumptions: u64,
    /// Clauses removed because another clause subsumes them.
    pub subsumed: u64,
    /// Clauses from which another clause removed a literal.
    pub strengthened: u64,
}
