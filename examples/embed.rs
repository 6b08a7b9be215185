//! A lock that is handed over, checked with the library: what a tool does that embeds Ramsey.

use ramsey::base::budget::{Budget, Cancel};
use ramsey::solver::{Answer, Cause, Misuse, Solver};

/// Whether handing over keeps the lock exclusive, and which assertions that rests on.
pub(crate) fn check(cancel: &Cancel) -> Result<(Answer, Vec<Cause>), Misuse> {
    let mut solver = Solver::new();
    let node = solver.sort("node")?;
    let (before, after) = (solver.relation("before", &[node])?, solver.relation("after", &[node])?);
    let receiver = solver.constant("receiver", node)?;
    let receiver = solver.apply(receiver, &[])?;
    let (x, y) = (solver.variable("X", node)?, solver.variable("Y", node)?);
    let (vx, vy) = (solver.var(x)?, solver.var(y)?);

    // At most one node has the lock: as an assertion about the state before ..
    let exclusive = |solver: &mut Solver, holds| {
        let (one, other) = (solver.apply(holds, &[vx])?, solver.apply(holds, &[vy])?);
        let (both, same) = (solver.and(&[one, other])?, solver.eq(vx, vy)?);
        let claim = solver.implies(both, same)?;
        solver.forall(&[x, y], claim)
    };
    let invariant = exclusive(&mut solver, before)?;
    solver.assert_labelled(invariant)?;

    // .. the step: the receiver has it afterwards, and nobody else ..
    let (has, is_receiver) = (solver.apply(after, &[vx])?, solver.eq(vx, receiver)?);
    let update = solver.eq(has, is_receiver)?;
    let step = solver.forall(&[x], update)?;
    solver.assert_labelled(step)?;

    // .. and the negated claim about the state after it, in a scope of its own.
    solver.push();
    let claim = exclusive(&mut solver, after)?;
    let violation = solver.not(claim)?;
    solver.assert(violation)?;
    let answer = solver.check(&mut Budget::new(Some(1_000_000), Some(cancel.probe())));
    let core = solver.core().map(<[Cause]>::to_vec).unwrap_or_default();
    Ok((answer, core))
}

#[allow(clippy::print_stdout, reason = "an example says what it found")]
fn main() -> Result<(), Misuse> {
    let (answer, core) = check(&Cancel::new())?;
    println!("{answer:?}, by {} of 2 assertions", core.len());
    Ok(())
}
