//! Witness circuits: proofs that no bad state is reachable as circuits whose property is inductive, for the checker certifaiger.
//!
//! The witness has the inputs and latches of the circuit, with the same meaning, and its property says more. For induction over k
//! steps it remembers the last k states with their inputs; a further latch for each tells whether there was one.

use super::outcome::{Clause, Proof};
use ramsey_lang::aiger::{Circuit, Latch, Lit, Symbol, SymbolKind};

/// Maximum number of variables of the circuit, each counted once for every state that its witness speaks of.
const MAX_VARS: usize = 1 << 26;

/// Gates behind inputs and latches, the number of which is fixed.
struct Builder {
    /// The variable of the first gate.
    first: usize,
    gates: Vec<[Lit; 2]>,
}

/// A state with inputs, as variables of the witness.
struct Moment {
    latches: Vec<Lit>,
    /// By variable of the circuit, its value.
    values: Vec<Lit>,
}

/// Returns a circuit with one of the properties of `circuit` alone, for which [`witness_circuit`] is a witness. `None` if there is no
/// such property.
pub fn property_circuit(circuit: &Circuit, property: usize) -> Option<Circuit> {
    let bad = vec![*circuit.properties().get(property)?];
    let (latches, gates) = (circuit.latches().to_vec(), circuit.gates().to_vec());
    Circuit::new(circuit.num_inputs(), latches, gates, bad, circuit.constraints().to_vec(), Vec::new())
}

/// Returns a circuit whose property holds in its initial states and after each step, and implies that of `circuit`. In its symbol table the
/// inputs and latches that stand for those of the circuit are named after their literals: `= 2`. `None` if there is no such property,
/// or the circuit would be too large.
pub fn witness_circuit(circuit: &Circuit, property: usize, proof: &Proof) -> Option<Circuit> {
    let bad = *circuit.properties().get(property)?;
    let (inputs, latches) = (circuit.num_inputs(), circuit.latches().len());
    let size = circuit.num_vars().checked_mul(proof.induction.checked_add(1)?)?;
    if size > MAX_VARS {
        return None;
    }
    // Behind the latches of the circuit, for each state that is remembered: its latches, its inputs, and whether there was one.
    let block = latches + inputs + 1;
    let first_memory = circuit.first_gate();
    let memory = |ago: usize, at: usize| Lit::positive(first_memory + (ago - 1) * block + at);
    let count = proof.induction.checked_mul(block)?.checked_add(latches)?;
    let mut builder = Builder { first: 1 + inputs + count, gates: Vec::new() };
    let own_inputs: Vec<Lit> = (0..inputs).map(|at| Lit::positive(1 + at)).collect();
    let own_latches: Vec<Lit> = (0..latches).map(|at| Lit::positive(circuit.first_latch() + at)).collect();
    let now = builder.moment(circuit, own_inputs.clone(), own_latches.clone());
    let constraints: Vec<Lit> = circuit.constraints().iter().map(|&it| now.value(it)).collect();
    let mut all = vec![builder.invariant(&proof.invariant, &now), !now.value(bad)];
    let mut made: Vec<Latch> = Vec::with_capacity(count);
    made.extend(
        circuit.latches().iter().map(|latch| Latch { next: now.value(latch.next), reset: latch.reset }),
    );
    // That there was a state so many steps ago.
    let mut was = Lit::TRUE;
    let mut later = now;
    let mut before: Vec<Lit> = [own_latches, own_inputs, vec![was]].concat();
    for ago in 1..=proof.induction {
        let remembered: Vec<Lit> = (0..block).map(|at| memory(ago, at)).collect();
        made.extend(before.iter().map(|&next| Latch { next, reset: Some(false) }));
        let (values, has) = remembered.split_at(block - 1);
        let is_there = *has.first()?;
        let moment = builder.moment(circuit, values[latches..].to_vec(), values[..latches].to_vec());
        let mut good = vec![builder.invariant(&proof.invariant, &moment), !moment.value(bad)];
        good.extend(circuit.constraints().iter().map(|&constraint| moment.value(constraint)));
        for (latch, &reached) in circuit.latches().iter().zip(&later.latches) {
            good.push(builder.same(moment.value(latch.next), reached));
        }
        let good = builder.all(&good);
        all.push(builder.implies(is_there, good));
        all.push(builder.implies(is_there, was));
        // The first state that is remembered is an initial one.
        let is_first = builder.and(was, !is_there);
        let initial = builder.initial(circuit, &later);
        all.push(builder.implies(is_first, initial));
        (was, later, before) = (is_there, moment, remembered);
    }
    let holds = builder.all(&all);
    let name =
        |kind, index, var: usize| Symbol { kind, index, name: format!("= {}", Lit::positive(var).code()) };
    let mut symbols: Vec<Symbol> = (0..inputs).map(|at| name(SymbolKind::Input, at, 1 + at)).collect();
    symbols.extend((0..latches).map(|at| name(SymbolKind::Latch, at, circuit.first_latch() + at)));
    Circuit::new(inputs, made, builder.gates, vec![!holds], constraints, symbols)
}

impl Moment {
    /// Returns the value of a literal of the circuit.
    fn value(&self, lit: Lit) -> Lit {
        let value = self.values[lit.var()];
        if lit.is_negated() { !value } else { value }
    }
}

impl Builder {
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a.min(b), a.max(b)) {
            (Lit::FALSE, _) => Lit::FALSE,
            (Lit::TRUE, other) => other,
            (a, b) => {
                self.gates.push([a, b]);
                Lit::positive(self.first + self.gates.len() - 1)
            }
        }
    }

    fn all(&mut self, lits: &[Lit]) -> Lit {
        lits.iter().fold(Lit::TRUE, |all, &lit| self.and(all, lit))
    }

    fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    fn same(&mut self, a: Lit, b: Lit) -> Lit {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }

    /// Returns the values of the circuit's variables in a state with these inputs.
    fn moment(&mut self, circuit: &Circuit, inputs: Vec<Lit>, latches: Vec<Lit>) -> Moment {
        let values = [vec![Lit::FALSE], inputs, latches.clone()].concat();
        let mut moment = Moment { latches, values };
        for &[a, b] in circuit.gates() {
            let (a, b) = (moment.value(a), moment.value(b));
            let gate = self.and(a, b);
            moment.values.push(gate);
        }
        moment
    }

    /// Returns that all clauses hold in a state.
    fn invariant(&mut self, clauses: &[Clause], moment: &Moment) -> Lit {
        let mut all = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let no: Vec<Lit> = clause.iter().map(|&(latch, value)| state(moment, latch, !value)).collect();
            all.push(!self.all(&no));
        }
        self.all(&all)
    }

    /// Returns that a state is an initial one.
    fn initial(&mut self, circuit: &Circuit, moment: &Moment) -> Lit {
        let resets = circuit.latches().iter().enumerate();
        let all: Vec<Lit> = resets.filter_map(|(at, latch)| Some(state(moment, at, latch.reset?))).collect();
        self.all(&all)
    }
}

/// Returns that a latch has this value.
fn state(moment: &Moment, latch: usize, value: bool) -> Lit {
    if value { moment.latches[latch] } else { !moment.latches[latch] }
}
