//! Minimization of an inductive set of lemmas: no lemma and no literal is redundant.

use super::claim::{Claim, LemmaId};
use super::prover::Consecution;
use super::search::Search;
use super::state::Literal;
use super::store::Role;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Set;
use ramsey_solver::ask::Failure;

/// Minimizes a set of lemmas that is inductive and contains all properties. Lemmas that many proofs use are tried last.
///
/// # Errors
/// Returns an error if the budget runs out; the set is then inductive all the same, but not minimal.
pub(super) fn minimize(
    search: &mut Search,
    lemmas: &mut Vec<LemmaId>,
    budget: &mut Budget,
) -> Result<(), Failure> {
    drop_lemmas(search, lemmas, budget)?;
    drop_literals(search, lemmas, budget)?;
    drop_lemmas(search, lemmas, budget)
}

/// Drops lemmas while the others stay inductive.
fn drop_lemmas(search: &mut Search, lemmas: &mut Vec<LemmaId>, budget: &mut Budget) -> Result<(), Failure> {
    let mut order: Vec<LemmaId> =
        lemmas.iter().copied().filter(|&id| !search.lemmas[id].is_property()).collect();
    order.sort_by_key(|&id| (uses(search, lemmas, id), std::cmp::Reverse(id)));
    for id in order {
        if !lemmas.contains(&id) {
            continue;
        }
        let rest: Vec<LemmaId> = lemmas.iter().copied().filter(|&other| other != id).collect();
        if let Some((kept, proofs)) = closed(search, &rest, budget)? {
            *lemmas = kept;
            for (lemma, transition, core) in proofs {
                search.lemmas.prove(lemma, transition, core);
            }
        }
    }
    Ok(())
}

/// Returns the number of proofs of other lemmas that use a lemma.
fn uses(search: &Search, lemmas: &[LemmaId], id: LemmaId) -> usize {
    let proofs = lemmas.iter().filter(|&&other| other != id).flat_map(|&other| &search.lemmas[other].proofs);
    proofs.flatten().filter(|core| core.contains(&id)).count()
}

/// A proof of consecution: the lemma, the transition, and the lemmas that the proof uses.
type Proof = (LemmaId, usize, Vec<LemmaId>);

/// The lemmas that the properties need, and the proofs that are new.
type Closed = (Vec<LemmaId>, Vec<Proof>);

/// Checks whether these lemmas are inductive. Returns those of them that the properties need, and the new proofs.
pub(super) fn closed(
    search: &mut Search,
    lemmas: &[LemmaId],
    budget: &mut Budget,
) -> Result<Option<Closed>, Failure> {
    let is_there: Set<LemmaId> = lemmas.iter().copied().collect();
    let mut needed: Vec<LemmaId> =
        lemmas.iter().copied().filter(|&id| search.lemmas[id].is_property()).collect();
    let mut seen: Set<LemmaId> = needed.iter().copied().collect();
    let mut proofs: Vec<Proof> = Vec::new();
    let mut next = 0;
    while let Some(&lemma) = needed.get(next) {
        next += 1;
        for transition in 0..search.prover.transitions() {
            let known = search.lemmas[lemma].proofs[transition].as_ref();
            let core = match known.filter(|core| core.iter().all(|other| is_there.contains(other))) {
                Some(core) => core.clone(),
                None => {
                    match search.prover.consecution(&search.lemmas, (lemma, transition), lemmas, budget)? {
                        Consecution::Preserved(core) => {
                            proofs.push((lemma, transition, core.clone()));
                            core
                        }
                        Consecution::Violated(_) => return Ok(None),
                    }
                }
            };
            needed.extend(core.into_iter().filter(|&other| seen.insert(other)));
        }
    }
    needed.sort_unstable();
    Ok(Some((needed, proofs)))
}

/// Drops literals of clauses, and cubes, while the lemmas stay inductive. A lemma without one of these is stronger, so that
/// only it has to be proved again.
fn drop_literals(search: &mut Search, lemmas: &mut [LemmaId], budget: &mut Budget) -> Result<(), Failure> {
    for at in 0..lemmas.len() {
        let mut tried = 0;
        while let Some(smaller) = without(&search.lemmas[lemmas[at]].claim, tried) {
            match strengthened(search, lemmas, at, smaller, budget)? {
                Some(stronger) => {
                    let weaker = std::mem::replace(&mut lemmas[at], stronger);
                    search.lemmas.strengthen(lemmas, weaker, stronger);
                    tried = 0;
                }
                None => tried += 1,
            }
        }
    }
    Ok(())
}

/// Returns a claim without the part of this number; `None` if there is no such part, or no other. Cubes are the first part,
/// and equalities and negative facts come before others: what remains is easier to read.
fn without(claim: &Claim, part: usize) -> Option<Claim> {
    let in_order = |literals: &[Literal], is_late: fn(&Literal) -> bool| {
        let mut order: Vec<usize> = (0..literals.len()).collect();
        order.sort_by_key(|&at| is_late(&literals[at]));
        order
    };
    match claim {
        Claim::Formula(_) => None,
        Claim::Excludes(pattern) => {
            let order = in_order(&pattern.literals, |it| it.positive);
            let at = *order.get(part).filter(|_| order.len() > 1)?;
            let mut smaller = pattern.clone();
            smaller.literals.remove(at);
            Some(Claim::Excludes(smaller.normalized()))
        }
        Claim::Alternates(formula) => {
            let order = in_order(&formula.clause, |it| !it.positive);
            let mut smaller = formula.clone();
            let cubes = usize::from(!formula.cube.is_empty());
            if order.len() + cubes <= 1 {
                return None;
            }
            match part.checked_sub(cubes) {
                None => smaller.cube.clear(),
                Some(part) => {
                    smaller.clause.remove(*order.get(part)?);
                }
            }
            Some(Claim::Alternates(smaller.normalized()))
        }
    }
}

/// Checks whether the lemmas stay inductive if one is replaced by a stronger claim. Returns the number of the latter.
fn strengthened(
    search: &mut Search,
    lemmas: &[LemmaId],
    at: usize,
    claim: Claim,
    budget: &mut Budget,
) -> Result<Option<LemmaId>, Failure> {
    if !search.states.satisfy(&claim, budget)? || search.prover.initiation(&claim, budget)?.is_some() {
        return Ok(None);
    }
    let id = search.lemmas.add(claim, None, Role::Lemma);
    let mut assumed: Vec<LemmaId> = lemmas.to_vec();
    assumed[at] = id;
    for transition in 0..search.prover.transitions() {
        match search.prover.consecution(&search.lemmas, (id, transition), &assumed, budget)? {
            Consecution::Preserved(core) => search.lemmas.prove(id, transition, core),
            Consecution::Violated(_) => {
                search.drop(id);
                return Ok(None);
            }
        }
    }
    Ok(Some(id))
}
