//! Circuits for tools that read AIGER 1.0: no constraints, no bad states but outputs, and every latch false at reset.

use std::ops::Not;

use crate::hwmc::graph::{Edge, Graph};
use crate::hwmc::{Circuit, Latch};
use ramsey_lang::aiger::{self, Symbol, SymbolKind};

/// Returns a circuit with an output for each property, which is true at the end of an execution if and only if the property
/// is violated there, and all constraints hold in all steps of the execution. Its executions have as many steps. `symbols`
/// are the names of inputs, latches and properties of the circuit.
///
/// - A latch with reset value 1 is stored negated; its name begins with `!`.
/// - A latch with an arbitrary reset value has the value of a new input in the first step, which a latch `@later` tells.
/// - A latch `@broken` says that a constraint did not hold in a step before.
///
/// Returns `None` if there are too many variables.
pub(super) fn plain(circuit: &Circuit, symbols: &[Symbol]) -> Option<aiger::Circuit> {
    let mut graph = Graph::new();
    let inputs: Vec<Edge> = (0..circuit.num_inputs()).map(|_| graph.leaf()).collect();
    let open: Vec<usize> =
        (0..circuit.latches().len()).filter(|&at| circuit.latches()[at].reset.is_none()).collect();
    let mut choices = open.iter().map(|_| graph.leaf()).collect::<Vec<_>>().into_iter();
    let all_inputs: Vec<Edge> = inputs.iter().copied().chain(choices.clone()).collect();
    let latches: Vec<Edge> = circuit.latches().iter().map(|_| graph.leaf()).collect();
    let later = (!open.is_empty()).then(|| graph.leaf());
    let broken = (!circuit.constraints().is_empty()).then(|| graph.leaf());
    // By node of the circuit: its edge.
    let mut edges = vec![Edge::FALSE];
    edges.extend(inputs);
    for (&latch, old) in latches.iter().zip(circuit.latches()) {
        edges.push(match (old.reset, later) {
            (None, Some(later)) => graph.mux(later, latch, choices.next()?),
            _ => latch.negated_if(old.reset == Some(true)),
        });
    }
    circuit.graph().evaluate(&mut edges, |left, right| graph.and(left, right));
    let holds = graph.all(circuit.constraints().iter().map(|it| it.of(&edges)).chain(broken.map(Not::not)));
    let bad: Vec<Edge> = circuit.bad().iter().map(|it| graph.and(holds, it.of(&edges))).collect();
    let stored = circuit.latches().iter().map(|old| old.next.of(&edges).negated_if(old.reset == Some(true)));
    let leaves = latches.iter().copied().chain(later).chain(broken);
    let nexts = stored.chain(later.map(|_| Edge::TRUE)).chain(broken.map(|_| !holds));
    let latches: Vec<(Edge, Latch)> =
        leaves.zip(nexts).map(|(leaf, next)| (leaf, Latch { next, reset: Some(false) })).collect();
    let plain = Circuit::new(&graph, all_inputs, &latches, &bad, &[])?;
    let own = [later.map(|_| "@later"), broken.map(|_| "@broken")];
    let symbols = all_symbols(circuit, symbols, &open, own.into_iter().flatten());
    plain.to_aiger(symbols).map(aiger::Circuit::with_bad_as_outputs)
}

/// Returns the names of what the circuit has, and of what it did not have: inputs for the latches in `open`, and latches
/// after the others.
fn all_symbols<'a>(
    circuit: &Circuit,
    symbols: &[Symbol],
    open: &[usize],
    own: impl Iterator<Item = &'a str>,
) -> Vec<Symbol> {
    let mut all = Vec::new();
    let mut add = |kind: SymbolKind, index: usize, name: String| all.push(Symbol { kind, index, name });
    for Symbol { kind, index, name } in symbols {
        match kind {
            SymbolKind::Latch => {
                let is_negated = circuit.latches().get(*index).is_some_and(|it| it.reset == Some(true));
                add(SymbolKind::Latch, *index, format!("{}{name}", if is_negated { "!" } else { "" }));
                if let Ok(at) = open.binary_search(index) {
                    add(SymbolKind::Input, circuit.num_inputs() + at, format!("@first.{name}"));
                }
            }
            SymbolKind::Bad => add(SymbolKind::Output, *index, name.clone()),
            kind => add(*kind, *index, name.clone()),
        }
    }
    for (at, name) in own.enumerate() {
        add(SymbolKind::Latch, circuit.latches().len() + at, name.to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::plain;
    use crate::hwmc::{self, Options, Outcome};
    use ramsey_core::base::budget::Budget;
    use ramsey_core::base::rng::Rng;
    use ramsey_lang::aiger::{Circuit, Latch, Lit, Symbol, SymbolKind, parse, write_ascii, write_binary};

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
        let options = Options { method: hwmc::Method::All, seed: 0 };
        match hwmc::check(&circuit.into(), 0, &options, &mut Budget::unlimited()).expect("a property").0 {
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
            let plain = plain(&(&circuit).into(), circuit.symbols()).expect("few variables");
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
