//! Functions and relations of the engine.
//!
//! A mutable symbol at each step is a separate symbol here. Skolem functions and the names of subformulas are added.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Signature, SortId, SymId};
use ramsey_core::typed_id;

typed_id! {
    /// A function or constant of the engine.
    pub(crate) struct Fun;
    /// A relation of the engine.
    pub(crate) struct Rel;
}

#[derive(Clone, Debug)]
pub(crate) struct FunData {
    /// Whether this is a Skolem function.
    pub(crate) is_skolem: bool,
    pub(crate) result: SortId,
}

/// Rank of a Skolem function in the pool: argument sorts and result sort.
type Rank = (Box<[SortId]>, SortId);

#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) funs: IdVec<Fun, FunData>,
    /// Number of relations.
    pub(crate) rels: usize,
    /// Relations without arguments that are decided before all other atoms, at each step.
    pub(crate) first: Set<SymId>,
    /// The relations of the engine for these.
    first_rels: Set<Rel>,
    fun_of: Map<(SymId, u16), Fun>,
    rel_of: Map<(SymId, u16), Rel>,
    /// Pool of Skolem functions shared by scopes. The functions of a closed scope are reused in the next one, so that
    /// instances over these constants are reused too.
    pool: Map<Rank, Vec<Fun>>,
    /// By number of open scopes, from 1: the number of pool functions of each rank in use.
    pool_used: Vec<Map<Rank, usize>>,
    /// A constant for each sort that would otherwise be empty.
    fillers: Map<SortId, Fun>,
}

impl Symbols {
    pub(crate) fn fun(&mut self, sig: &Signature, sym: SymId, step: u16) -> Fun {
        *self.fun_of.entry((sym, step)).or_insert_with(|| {
            let symbol = &sig.symbols[sym];
            self.funs.push(FunData { is_skolem: false, result: symbol.result })
        })
    }

    /// Returns whether atoms of the relation are decided before others.
    pub(crate) fn is_first(&self, rel: Rel) -> bool {
        !self.first_rels.is_empty() && self.first_rels.contains(&rel)
    }

    pub(crate) fn rel(&mut self, sym: SymId, step: u16) -> Rel {
        if let Some(&known) = self.rel_of.get(&(sym, step)) {
            return known;
        }
        let rel = self.fresh_name();
        self.rel_of.insert((sym, step), rel);
        if self.first.contains(&sym) {
            self.first_rels.insert(rel);
        }
        rel
    }

    /// Adds a relation that names a subformula.
    pub(crate) fn fresh_name(&mut self) -> Rel {
        self.rels += 1;
        Rel::new(self.rels - 1)
    }

    /// Returns a Skolem function: from the pool within scopes, a new one otherwise.
    pub(crate) fn skolem(&mut self, args: &[SortId], result: SortId) -> Fun {
        let Some(used) = self.pool_used.last_mut() else {
            return self.funs.push(FunData { is_skolem: true, result });
        };
        let rank: Rank = (args.into(), result);
        let used = used.entry(rank.clone()).or_insert(0);
        let drawn = *used;
        *used += 1;
        let of_rank = self.pool.entry(rank).or_default();
        if drawn == of_rank.len() {
            of_rank.push(self.funs.push(FunData { is_skolem: true, result }));
        }
        of_rank[drawn]
    }

    /// Opens a scope. It uses the pool functions of the outer scopes, and further ones.
    pub(crate) fn push(&mut self) {
        self.pool_used.push(self.pool_used.last().cloned().unwrap_or_default());
    }

    /// Closes the innermost scope. One must be open.
    pub(crate) fn pop(&mut self) {
        self.pool_used.pop();
    }

    /// Returns the constant that makes `sort` nonempty.
    pub(crate) fn filler(&mut self, sort: SortId) -> Fun {
        *self
            .fillers
            .entry(sort)
            .or_insert_with(|| self.funs.push(FunData { is_skolem: false, result: sort }))
    }

    /// Returns the sort of which `fun` is the filler, if it is one.
    pub(crate) fn filled_sort(&self, fun: Fun) -> Option<SortId> {
        self.fillers.iter().find(|&(_, &filler)| filler == fun).map(|(&sort, _)| sort)
    }

    /// Returns, by function, its symbol and step. Functions made by the engine have none.
    pub(crate) fn fun_origins(&self) -> Map<Fun, (SymId, u16)> {
        self.fun_of.iter().map(|(&origin, &fun)| (fun, origin)).collect()
    }

    /// Returns, by relation, its symbol and step. Relations made by the engine have none.
    pub(crate) fn rel_origins(&self) -> Map<Rel, (SymId, u16)> {
        self.rel_of.iter().map(|(&origin, &rel)| (rel, origin)).collect()
    }

    pub(crate) fn known_fun(&self, sym: SymId, step: u16) -> Option<Fun> {
        self.fun_of.get(&(sym, step)).copied()
    }

    pub(crate) fn known_rel(&self, sym: SymId, step: u16) -> Option<Rel> {
        self.rel_of.get(&(sym, step)).copied()
    }
}
