//! The questions of a proof as clauses.
//!
//! A variable of the circuit has one number for each step, from 1. Nothing is simplified: every gate has its three
//! clauses, so what a number stands for is plain.

use ramsey_lang::aiger::{Circuit, Lit};

/// A clause over latches: one of these latches, by position, has this value.
pub type LatchClause = Vec<(usize, bool)>;

/// Maximum number of variables of a question about more than one step.
const MAX_VARS: usize = 1 << 23;

/// Clauses with literals as in DIMACS.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// The largest variable.
    pub num_vars: usize,
    lits: Vec<i32>,
    ends: Vec<usize>,
}

impl Clauses {
    /// Iterates over the clauses, which are numbered from 1 in this order.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.lits[start..end];
            start = end;
            clause
        })
    }

    fn push(&mut self, clause: impl IntoIterator<Item = i32>) {
        self.lits.extend(clause);
        self.ends.push(self.lits.len());
    }

    /// Adds the gates and the constraints of a step.
    fn step(&mut self, circuit: &Circuit, step: usize) {
        self.gates(circuit, step);
        for &lit in circuit.constraints() {
            self.push([number(circuit, step, lit)]);
        }
    }

    /// Adds the gates of a step.
    fn gates(&mut self, circuit: &Circuit, step: usize) {
        let number = |lit| number(circuit, step, lit);
        self.num_vars = self.num_vars.max((step + 1) * circuit.num_vars());
        self.push([number(!Lit::FALSE)]);
        for (gate, &[left, right]) in circuit.gates().iter().enumerate() {
            let own = number(Lit::positive(circuit.first_gate() + gate));
            self.push([-own, number(left)]);
            self.push([-own, number(right)]);
            self.push([own, -number(left), -number(right)]);
        }
    }

    /// Adds that the latches of a step have the next values of the step before.
    fn transition(&mut self, circuit: &Circuit, step: usize) {
        for (latch, it) in circuit.latches().iter().enumerate() {
            let own = number(circuit, step, Lit::positive(circuit.first_latch() + latch));
            let next = number(circuit, step - 1, it.next);
            self.push([-own, next]);
            self.push([own, -next]);
        }
    }

    /// Adds the clauses of an invariant in a step.
    fn invariant(&mut self, circuit: &Circuit, step: usize, invariant: &[LatchClause]) {
        for clause in invariant {
            self.push(clause.iter().map(|&it| number(circuit, step, latch(circuit, it))));
        }
    }
}

/// Returns the number of a literal in a step.
fn number(circuit: &Circuit, step: usize, lit: Lit) -> i32 {
    let var = (step * circuit.num_vars() + lit.var() + 1) as i32;
    if lit.is_negated() { -var } else { var }
}

/// Returns the literal that is true if a latch has a value.
fn latch(circuit: &Circuit, (latch, value): (usize, bool)) -> Lit {
    let lit = Lit::positive(circuit.first_latch() + latch);
    if value { lit } else { !lit }
}

/// Returns clauses that are unsatisfiable if and only if the invariant holds after each step from a state in which it
/// and the constraints hold. Behind the variables of the step there is one for each clause: it is false after the step.
pub fn consecution(circuit: &Circuit, invariant: &[LatchClause]) -> Clauses {
    let mut clauses = Clauses::default();
    clauses.step(circuit, 0);
    clauses.invariant(circuit, 0, invariant);
    let first = clauses.num_vars as i32 + 1;
    clauses.num_vars += invariant.len();
    for (selector, clause) in (first..).zip(invariant) {
        for &(latch, value) in clause {
            let next = number(circuit, 0, circuit.latches()[latch].next);
            clauses.push([-selector, if value { -next } else { next }]);
        }
    }
    clauses.push((first..).take(invariant.len()));
    clauses
}

/// Returns clauses that are unsatisfiable if and only if the first `induction` states of no execution are bad. Constraints hold up to the
/// bad state alone: an execution that cannot go on under them counts as well. Behind the variables of the steps there is one for each
/// step, which says that the execution gets there. `None` if they are too many.
pub fn base(circuit: &Circuit, bad: Lit, induction: usize) -> Option<Clauses> {
    let mut clauses = Clauses::default();
    check_size(circuit, induction)?;
    for step in 0..induction {
        clauses.gates(circuit, step);
        if step > 0 {
            clauses.transition(circuit, step);
        }
    }
    let first = clauses.num_vars as i32 + 1;
    clauses.num_vars += induction;
    for (step, reached) in (0..induction).zip(first..) {
        for &lit in circuit.constraints() {
            clauses.push([-reached, number(circuit, step, lit)]);
        }
        let next = (step + 1 < induction).then_some(reached + 1);
        clauses.push([-reached, number(circuit, step, bad)].into_iter().chain(next));
    }
    for (index, it) in circuit.latches().iter().enumerate() {
        if let Some(value) = it.reset {
            clauses.push([number(circuit, 0, latch(circuit, (index, value)))]);
        }
    }
    clauses.push([first]);
    Some(clauses)
}

/// Returns clauses that are unsatisfiable if and only if no bad state follows on `induction` states that are not bad,
/// where the invariant and the constraints hold in all of them. `None` if they are too many.
pub fn step(circuit: &Circuit, bad: Lit, induction: usize, invariant: &[LatchClause]) -> Option<Clauses> {
    let mut clauses = Clauses::default();
    check_size(circuit, induction.checked_add(1)?)?;
    for step in 0..=induction {
        clauses.step(circuit, step);
        clauses.invariant(circuit, step, invariant);
        if step > 0 {
            clauses.transition(circuit, step);
        }
        clauses.push([number(circuit, step, if step < induction { !bad } else { bad })]);
    }
    Some(clauses)
}

fn check_size(circuit: &Circuit, steps: usize) -> Option<()> {
    let vars = circuit.num_vars().checked_mul(steps)?;
    (steps <= 1 || vars <= MAX_VARS).then_some(())
}
