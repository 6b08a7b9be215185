//! Circuits for tools that read AIGER 1.0: no constraints, no bad states but outputs, and every latch false at reset.

use ramsey_lang::aiger::{Circuit, Latch, Lit, Symbol, SymbolKind};

/// Gates with a place in the new circuit, made one after the other.
struct Gates {
    first: usize,
    gates: Vec<[Lit; 2]>,
}

impl Gates {
    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        // The order of the binary encoding.
        self.gates.push([left.max(right), left.min(right)]);
        Lit::positive(self.first + self.gates.len() - 1)
    }

    fn or(&mut self, left: Lit, right: Lit) -> Lit {
        !self.and(!left, !right)
    }
}

/// Returns a circuit with an output for each property, which is true at the end of an execution if and only if the property
/// is violated there, and all constraints hold in all steps of the execution. Its executions have as many steps.
///
/// - A latch with reset value 1 is stored negated; its name begins with `!`.
/// - A latch with an arbitrary reset value has the value of a new input in the first step, which a latch `@later` tells.
/// - A latch `@broken` says that a constraint did not hold in a step before.
///
/// Returns `None` if there are too many variables.
pub fn plain(circuit: &Circuit) -> Option<Circuit> {
    let (num_inputs, old_latches) = (circuit.num_inputs(), circuit.latches());
    let open: Vec<usize> = (0..old_latches.len()).filter(|&at| old_latches[at].reset.is_none()).collect();
    let has_constraints = !circuit.constraints().is_empty();
    let first_latch = 1 + num_inputs + open.len();
    let later = (!open.is_empty()).then_some(old_latches.len());
    let broken = has_constraints.then_some(old_latches.len() + usize::from(later.is_some()));
    let num_latches = old_latches.len() + usize::from(later.is_some()) + usize::from(has_constraints);
    let mut gates = Gates { first: first_latch + num_latches, gates: Vec::new() };
    let latch = |at: usize| Lit::positive(first_latch + at);
    // By variable of the circuit.
    let mut lits: Vec<Lit> = vec![Lit::FALSE];
    lits.extend((0..num_inputs).map(|at| Lit::positive(1 + at)));
    for (at, old) in old_latches.iter().enumerate() {
        lits.push(match (old.reset, later) {
            (None, Some(later)) => {
                let input = open.partition_point(|&other| other < at);
                let chosen = gates.and(Lit::positive(1 + num_inputs + input), !latch(later));
                let stored = gates.and(latch(at), latch(later));
                gates.or(chosen, stored)
            }
            (Some(true), _) => !latch(at),
            (Some(false) | None, _) => latch(at),
        });
    }
    let image = |lits: &[Lit], lit: Lit| if lit.is_negated() { !lits[lit.var()] } else { lits[lit.var()] };
    for &[left, right] in circuit.gates() {
        let gate = gates.and(image(&lits, left), image(&lits, right));
        lits.push(gate);
    }
    let mut latches: Vec<Latch> = Vec::new();
    for old in old_latches {
        let next = image(&lits, old.next);
        let next = if old.reset == Some(true) { !next } else { next };
        latches.push(Latch { next, reset: Some(false) });
    }
    if later.is_some() {
        latches.push(Latch { next: !Lit::FALSE, reset: Some(false) });
    }
    let mut holds = !Lit::FALSE;
    if let Some(broken) = broken {
        holds = !latch(broken);
        for &constraint in circuit.constraints() {
            holds = gates.and(holds, image(&lits, constraint));
        }
        latches.push(Latch { next: !holds, reset: Some(false) });
    }
    let mut outputs = Vec::new();
    for &bad in circuit.properties() {
        let bad = image(&lits, bad);
        outputs.push(if has_constraints { gates.and(holds, bad) } else { bad });
    }
    let symbols = symbols(circuit, &open, later, broken);
    let plain = Circuit::new(num_inputs + open.len(), latches, gates.gates, Vec::new(), Vec::new(), symbols)?;
    plain.with_outputs(outputs)
}

/// Returns the names of what the circuit has, and of what it did not have.
fn symbols(circuit: &Circuit, open: &[usize], later: Option<usize>, broken: Option<usize>) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut add = |kind: SymbolKind, index: usize, name: String| symbols.push(Symbol { kind, index, name });
    let property = if circuit.bad().is_empty() { SymbolKind::Output } else { SymbolKind::Bad };
    for Symbol { kind, index, name } in circuit.symbols() {
        match kind {
            SymbolKind::Input => add(SymbolKind::Input, *index, name.clone()),
            SymbolKind::Latch => {
                let is_negated = circuit.latches().get(*index).is_some_and(|it| it.reset == Some(true));
                add(SymbolKind::Latch, *index, format!("{}{name}", if is_negated { "!" } else { "" }));
                if let Ok(at) = open.binary_search(index) {
                    add(SymbolKind::Input, circuit.num_inputs() + at, format!("@first.{name}"));
                }
            }
            kind if *kind == property => add(SymbolKind::Output, *index, name.clone()),
            SymbolKind::Output | SymbolKind::Bad | SymbolKind::Constraint => {}
        }
    }
    let own = [(later, "@later"), (broken, "@broken")];
    for (index, name) in own.into_iter().filter_map(|(index, name)| Some((index?, name))) {
        add(SymbolKind::Latch, index, name.to_owned());
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mc::{self, Options, Outcome};
    use ramsey_core::base::budget::Budget;
    use ramsey_core::base::rng::Rng;
    use ramsey_lang::aiger::{parse, write_ascii, write_binary};

    /// Returns a random circuit with all kinds of reset values, and constraints.
    fn random(rng: &mut Rng) -> Circuit {
        let (inputs, count, gates) = (rng.below(3), 1 + rng.below(4), rng.below(12));
        let first = 1 + inputs + count;
        let mut lit = |bound: usize| {
            let lit = Lit::positive(rng.below(bound));
            if rng.below(2) == 0 { lit } else { !lit }
        };
        let gates: Vec<[Lit; 2]> = (0..gates).map(|at| [lit(first + at), lit(first + at)]).collect();
        let all = first + gates.len();
        let nexts: Vec<Lit> = (0..count).map(|_| lit(all)).collect();
        let (bad, constraints) = (vec![lit(all)], vec![lit(all), lit(all)]);
        let resets = [None, Some(false), Some(true)];
        let latches = nexts.into_iter().map(|next| Latch { next, reset: resets[rng.below(3)] }).collect();
        let symbols = vec![Symbol { kind: SymbolKind::Latch, index: 0, name: "a".into() }];
        let constraints = if rng.below(3) == 0 { Vec::new() } else { constraints };
        Circuit::new(inputs, latches, gates, bad, constraints, symbols).expect("a circuit")
    }

    /// Returns the number of steps of a shortest violation.
    fn violated(circuit: &Circuit) -> Option<usize> {
        let options = Options { method: mc::Method::All, seed: 0 };
        match mc::check(&circuit.into(), 0, &options, &mut Budget::unlimited()).expect("a property").0 {
            Outcome::Safe(_) => None,
            Outcome::Unsafe(witness) => Some(witness.inputs.len()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn plain_circuits_have_the_answers_of_the_others() {
        let mut rng = Rng::new(1);
        let (mut safe, mut unsafe_) = (0, 0);
        for _ in 0..400 {
            let circuit = random(&mut rng);
            let plain = plain(&circuit).expect("few variables");
            assert!(plain.constraints().is_empty() && plain.bad().is_empty());
            assert!(plain.latches().iter().all(|latch| latch.reset == Some(false)));
            let found = violated(&circuit);
            assert_eq!(found.is_some(), violated(&plain).is_some());
            *if found.is_none() { &mut safe } else { &mut unsafe_ } += 1;
            let (mut ascii, mut binary) = (Vec::new(), Vec::new());
            write_ascii(&plain, &mut ascii).expect("memory");
            write_binary(&plain, &mut binary).expect("memory");
            for bytes in [ascii, binary] {
                assert_eq!(violated(&parse(&bytes).expect("AIGER")).is_some(), found.is_some());
            }
        }
        assert!(safe > 50 && unsafe_ > 50, "{safe} safe, {unsafe_} not");
    }
}
