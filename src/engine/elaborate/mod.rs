//! Certificates in a calculus without normal forms: the one whose checker is proved right in `spec/rocq`.
//!
//! A certificate that the kernel has accepted is read again. Its steps are about normal forms; here each becomes steps about
//! formulas as they stand, and the way from each hypothesis to its normal form is proved as well. Nothing here is trusted.

mod emitter;
mod equality;
mod failure;
mod normal;
mod proof;
mod replay;

pub use failure::Failure;

use ramsey_core::base::hash::Map;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_kernel::check::format::obligation;
use ramsey_kernel::core::calculus;
use ramsey_kernel::core::{Lowering, Proof, spelled_out};
use ramsey_kernel::obligations::{Obligations, Origin};

use emitter::Emitter;
use proof::Goals;
use replay::{Names, Replay};

/// Makes a proof of the closed system from a certificate that the kernel accepts: one without compression, which claims that
/// everything is proved. The proof has been checked.
///
/// # Errors
/// The model has no closed form, or the certificate no such proof.
pub fn elaborate(system: &System, certificate: &str) -> Result<Proof, Failure> {
    let mut obligations = Obligations::new(system);
    let lowering = Lowering::new(system, obligations.syntax_mut())?;
    let Obligations { sig, mut terms, groups, .. } = obligations;
    let mut spelled: Map<TermId, TermId> = Map::default();
    let mut plain = |formula| *spelled.entry(formula).or_insert_with(|| spelled_out(&mut terms, formula));
    let mut wanted: Map<String, (Origin, Vec<TermId>)> = Map::default();
    for group in &groups {
        for goal in &group.goals {
            let mut formulas: Vec<TermId> = group.hypotheses.iter().map(|each| plain(each.formula)).collect();
            formulas.push(plain(goal.formula));
            wanted.insert(obligation(system, goal.origin), (goal.origin, formulas));
        }
    }
    let mut emitter = Emitter::new(sig, terms, lowering)?;
    let names = Names::new(&emitter);
    let mut proved: Map<Origin, usize> = Map::default();
    for (title, lines) in replay::proofs(certificate) {
        let (origin, formulas) = wanted.get(title).ok_or(Failure::Certificate)?;
        if emitter.is_assumed(formulas)? {
            proved.insert(*origin, Emitter::ANY);
            continue;
        }
        let mut replay = Replay::new(&mut emitter, &names, formulas)?;
        for line in lines {
            if let Some(clause) = replay.line(line)? {
                proved.insert(*origin, clause);
            }
        }
    }
    let goals = goals(system, |origin| proved.get(&origin).copied().ok_or(Failure::Certificate))?;
    let proof = goals.proof(emitter)?;
    calculus::check(&proof).map_err(Failure::Rejected)?;
    Ok(proof)
}

/// Returns the clauses for all claims of the system.
fn goals(
    system: &System,
    mut clause: impl FnMut(Origin) -> Result<usize, Failure>,
) -> Result<Goals, Failure> {
    use ramsey_core::system::Site;
    let mut goals = Goals::default();
    for invariant in 0..system.invariants.len() {
        goals.initially.push(clause(Origin::Initiation { invariant })?);
    }
    for transition in 0..system.transitions.len() {
        let each = |invariant| clause(Origin::Consecution { transition, invariant });
        goals.preserved.push((0..system.invariants.len()).map(each).collect::<Result<_, _>>()?);
    }
    for theorem in 0..system.theorems.len() {
        goals.theorems.push(clause(Origin::Theorem { theorem })?);
    }
    for (assertion, it) in system.assertions.iter().enumerate() {
        let list = if it.site == Site::Init { &mut goals.theorems } else { &mut goals.asserted };
        list.push(clause(Origin::Assertion { assertion })?);
    }
    Ok(goals)
}
