//! Upper bounds: which facts of the state a suggestion may be about.

use ramsey_core::base::hash::Set;
use ramsey_core::logic::SymId;
use ramsey_core::system::System;
use ramsey_solver::formulas::{Fact, Partial};

/// Maximum number of upper bounds that leave out few relations, and of those that have few.
const MAX_UPPER: usize = 40;

/// Returns the upper bounds, as indices of facts: all facts, those that are not about one or
/// two of the relations, and those that are about one or two of the relations that change.
pub(super) fn subsets(upper: &Partial, kept: &[usize], system: &System) -> Vec<Vec<usize>> {
    let is_kept = |sym: SymId| kept.iter().any(|&at| upper.facts[at].symbol() == Some(sym));
    let mut symbols: Vec<SymId> = Vec::new();
    for fact in &upper.facts {
        if let Some(sym) = fact.symbol()
            && !symbols.contains(&sym)
            && !is_kept(sym)
        {
            symbols.push(sym);
        }
    }
    // Relations that change distinguish states, so the first to be left out are these.
    symbols.sort_by_key(|&sym| !system.sig.symbols[sym].kind.is_mutable());
    let mut left_out: Vec<Vec<SymId>> = vec![Vec::new()];
    left_out.extend(symbols.iter().map(|&sym| vec![sym]));
    for (at, &a) in symbols.iter().enumerate() {
        left_out.extend(symbols[at + 1..].iter().map(|&b| vec![a, b]));
    }
    let stays = |fact: &Fact, out: &[SymId]| fact.symbol().is_none_or(|sym| !out.contains(&sym));
    // What is wrong may be about one or two of the relations that change.
    let changing: Vec<SymId> =
        symbols.iter().copied().filter(|&sym| system.sig.symbols[sym].kind.is_mutable()).collect();
    let but = |few: &[SymId]| changing.iter().copied().filter(|sym| !few.contains(sym)).collect::<Vec<_>>();
    let mut few: Vec<Vec<SymId>> = changing.iter().map(|&sym| but(&[sym])).collect();
    for (at, &a) in changing.iter().enumerate() {
        few.extend(changing[at + 1..].iter().map(|&b| but(&[a, b])));
    }
    left_out.truncate(MAX_UPPER);
    few.truncate(MAX_UPPER);
    left_out.extend(few);
    let remaining = |out: Vec<SymId>| {
        let facts = upper.facts.iter().filter(|fact| stays(fact, &out)).cloned().collect();
        let rest = Partial { facts }.without_strays(&system.sig);
        (0..upper.facts.len()).filter(|&at| rest.facts.contains(&upper.facts[at])).collect()
    };
    let mut subsets: Vec<Vec<usize>> = left_out.into_iter().map(remaining).collect();
    let mut seen: Set<Vec<usize>> = Set::default();
    subsets.retain(|subset| seen.insert(subset.clone()));
    subsets
}
