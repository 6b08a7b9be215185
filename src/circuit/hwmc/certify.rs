//! Certificates of answers: invariants with refutations of the kernel's questions, and executions.

use std::fmt;

use super::outcome::{Outcome, Proof, Witness};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::digest::sha256;
use ramsey_core::base::ids::Id as _;
use ramsey_kernel::check::circuit::clauses::{self, Clauses};
use ramsey_kernel::check::circuit::{END, HEADER};
use ramsey_lang::aiger::Circuit;
use ramsey_solver::sat::proof::{Encoding, Recorder};
use ramsey_solver::sat::{Answer, Config, Lit, Solver, Var};

/// The reason why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoCertificate {
    /// A budget ran out.
    Exhausted(Exhausted),
    /// A question of the kernel about this property could not be refuted, or not written.
    Defect(usize),
}

impl fmt::Display for NoCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCertificate::Exhausted(exhausted) => exhausted.fmt(f),
            NoCertificate::Defect(property) => {
                write!(f, "internal error: the proof of property {property} is none")
            }
        }
    }
}

impl From<Exhausted> for NoCertificate {
    fn from(exhausted: Exhausted) -> NoCertificate {
        NoCertificate::Exhausted(exhausted)
    }
}

/// Returns the text of a certificate of the answers, by property. `source` is the file of the circuit. Properties
/// without an answer are left out.
///
/// # Errors
/// Returns the reason why there is no certificate.
pub fn certificate(
    circuit: &Circuit,
    source: &[u8],
    outcomes: &[Outcome],
    budget: &mut Budget,
) -> Result<Vec<u8>, NoCertificate> {
    let mut text = format!("{HEADER}\nsource {}\n", sha256(source)).into_bytes();
    for (property, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Outcome::Safe(proof) => {
                write_proof(circuit, property, proof, &mut text, budget)?;
            }
            Outcome::Unsafe(witness) => write_witness(property, witness, &mut text),
            Outcome::Unknown { .. } | Outcome::Defect => {}
        }
    }
    Ok(text)
}

/// Returns the answer about the first property that the text of a certificate gives; `None` if there is none. The certificate is
/// not checked, only taken apart: [`ramsey_kernel::check::circuit::check`] does that.
pub fn answer_of(circuit: &Circuit, certificate: &str) -> Option<Outcome> {
    let mut lines = certificate.lines().skip(2);
    let bits = |text: &str| -> Option<Vec<bool>> {
        let bit = |byte| match byte {
            b'0' => Some(false),
            b'1' => Some(true),
            _ => None,
        };
        text.bytes().map(bit).collect()
    };
    match lines.next()? {
        "safe 0" => {
            let mut invariant = Vec::new();
            for line in lines {
                if let Some(steps) = line.strip_prefix("induction ") {
                    return Some(Outcome::Safe(Proof { invariant, induction: steps.parse().ok()? }));
                }
                let literals = line.strip_prefix("clause ")?.strip_suffix('0')?.split_ascii_whitespace();
                let latch = |text: &str| {
                    let literal: i64 = text.parse().ok()?;
                    let latch = usize::try_from(literal.unsigned_abs()).ok()?.checked_sub(1)?;
                    (latch < circuit.latches().len()).then_some((latch, literal > 0))
                };
                invariant.push(literals.map(latch).collect::<Option<Vec<_>>>()?);
            }
            None
        }
        "violated 0" => {
            let state = bits(lines.next()?.strip_prefix("state ")?)?;
            let inputs = lines.map_while(|line| line.strip_prefix("inputs ").map(bits));
            let inputs: Vec<Vec<bool>> = inputs.collect::<Option<_>>()?;
            let fits = state.len() == circuit.latches().len()
                && inputs.iter().all(|it| it.len() == circuit.num_inputs());
            (fits && !inputs.is_empty()).then_some(Outcome::Unsafe(Witness { state, inputs }))
        }
        _ => None,
    }
}

fn write_witness(property: usize, witness: &Witness, text: &mut Vec<u8>) {
    let mut line = |word: &str, values: &[bool]| {
        text.extend_from_slice(word.as_bytes());
        text.extend(values.iter().map(|&value| if value { b'1' } else { b'0' }));
        text.push(b'\n');
    };
    line(&format!("violated {property}"), &[]);
    line("state ", &witness.state);
    witness.inputs.iter().for_each(|inputs| line("inputs ", inputs));
    line(END, &[]);
}

fn write_proof(
    circuit: &Circuit,
    property: usize,
    proof: &Proof,
    text: &mut Vec<u8>,
    budget: &mut Budget,
) -> Result<(), NoCertificate> {
    let defect = || NoCertificate::Defect(property);
    let Proof { invariant, induction } = proof;
    let bad = *circuit.properties().get(property).ok_or_else(defect)?;
    text.extend_from_slice(format!("safe {property}\n").as_bytes());
    for clause in invariant {
        text.extend_from_slice(b"clause");
        for &(latch, value) in clause {
            text.extend_from_slice(format!(" {}{}", if value { "" } else { "-" }, latch + 1).as_bytes());
        }
        text.extend_from_slice(b" 0\n");
    }
    text.extend_from_slice(format!("induction {induction}\n").as_bytes());
    if !invariant.is_empty() {
        let clauses = clauses::consecution(circuit, invariant);
        let first = clauses.num_vars - invariant.len();
        refute("consecution", &clauses, first, text, budget)?.ok_or_else(defect)?;
    }
    if *induction > 0 {
        let clauses = clauses::base(circuit, bad, *induction).ok_or_else(defect)?;
        refute("base", &clauses, clauses.num_vars, text, budget)?.ok_or_else(defect)?;
    }
    let clauses = clauses::step(circuit, bad, *induction, invariant).ok_or_else(defect)?;
    refute("step", &clauses, clauses.num_vars, text, budget)?.ok_or_else(defect)
}

/// Writes a refutation of clauses; `None` if they have a model. The variables from `first` on are refuted one by one,
/// which is easier than all together.
fn refute(
    name: &str,
    clauses: &Clauses,
    first: usize,
    text: &mut Vec<u8>,
    budget: &mut Budget,
) -> Result<Option<()>, Exhausted> {
    let mut solver = Solver::with_config(Config::default(), Recorder::new());
    solver.new_vars(clauses.num_vars);
    let mut lits = Vec::new();
    for clause in clauses.iter() {
        lits.clear();
        lits.extend(clause.iter().copied().filter_map(Lit::from_dimacs));
        budget.spend(1 + lits.len() as u64)?;
        solver.add_clause(&lits);
    }
    for var in first..clauses.num_vars {
        if solver.solve(&[Var::new(var).positive()], budget)? == Answer::Sat {
            return Ok(None);
        }
    }
    if solver.solve(&[], budget)? == Answer::Sat {
        return Ok(None);
    }
    let Some(goal) = solver.core_clause() else { return Ok(None) };
    text.extend_from_slice(format!("{name}\n").as_bytes());
    let written = solver.into_observer().write_trimmed_lrat(goal, Encoding::Text, text);
    text.extend_from_slice(format!("{END}\n").as_bytes());
    Ok(written.ok())
}
