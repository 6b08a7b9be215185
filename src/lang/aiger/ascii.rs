//! The ASCII encoding: definitions in any order, renumbered here.

use super::binary::reset;
use super::circuit::{Circuit, Latch, Lit};
use super::reader::{Header, Reader, Stop};
use ramsey_core::base::hash::Map;

/// A gate as written.
struct Gate {
    own: Lit,
    operands: [(Lit, usize); 2],
}

/// What a variable of the text stands for.
#[derive(Clone, Copy)]
enum Definition {
    /// This literal of the circuit.
    Known(Lit),
    /// The gate with this position in the text, not ordered yet.
    Gate(usize),
    /// A gate whose operands are being ordered.
    Open,
}

/// Definitions by variable of the text.
type Definitions = Map<usize, Definition>;

/// Reads what is between the header and the symbol table.
pub(super) fn read(reader: &mut Reader<'_, '_>, header: &Header) -> Result<Circuit, Stop> {
    let mut known = Definitions::default();
    known.insert(0, Definition::Known(Lit::FALSE));
    for index in 0..header.inputs {
        let (lit, start) = reader.literal_line("the inputs", header)?;
        define(reader, &mut known, lit, start, Definition::Known(Lit::positive((1 + index) as usize)))?;
    }
    let mut latches = Vec::new();
    for index in 0..header.latches {
        let start = reader.at;
        let number = reader.number("the latches")?;
        let own = header.literal(reader, number, start)?;
        let place = reader.at;
        let next = reader.number("the latches")?;
        let next = header.literal(reader, next, place)?;
        let reset = reset(reader, own)?;
        reader.line_end()?;
        let var = (1 + header.inputs + index) as usize;
        define(reader, &mut known, own, start, Definition::Known(Lit::positive(var)))?;
        latches.push(((next, place), reset));
    }
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    let counts = [
        (header.outputs, "the outputs"),
        (header.bad, "the bad states"),
        (header.constraints, "the constraints"),
    ];
    for (lits, (count, part)) in parts.iter_mut().zip(counts) {
        for _ in 0..count {
            lits.push(reader.literal_line(part, header)?);
        }
    }
    let mut gates = Vec::new();
    for _ in 0..header.gates {
        let start = reader.at;
        let own = reader.number("the gates")?;
        let own = header.literal(reader, own, start)?;
        let mut operands = [(Lit::FALSE, 0); 2];
        for operand in &mut operands {
            let start = reader.at;
            let number = reader.number("the gates")?;
            *operand = (header.literal(reader, number, start)?, start);
        }
        reader.line_end()?;
        define(reader, &mut known, own, start, Definition::Gate(gates.len()))?;
        gates.push(Gate { own, operands });
    }
    let first = 1 + (header.inputs + header.latches) as usize;
    let mut order = Order { known, gates: &gates, first, ordered: Vec::new() };
    for gate in 0..gates.len() {
        order.gate(reader, gate)?;
    }
    let mut lits = |list: &[(Lit, usize)]| -> Result<Vec<Lit>, Stop> {
        list.iter().map(|&(lit, start)| order.literal(reader, lit, start)).collect()
    };
    let nexts: Vec<(Lit, usize)> = latches.iter().map(|latch| latch.0).collect();
    let nexts = lits(&nexts)?;
    let [outputs, bad, constraints] = parts;
    let (outputs, bad, constraints) = (lits(&outputs)?, lits(&bad)?, lits(&constraints)?);
    let resets = latches.iter().map(|latch| latch.1);
    Ok(Circuit {
        num_inputs: header.inputs as usize,
        latches: nexts.into_iter().zip(resets).map(|(next, reset)| Latch { next, reset }).collect(),
        gates: order.ordered,
        outputs,
        bad,
        constraints,
        ..Circuit::default()
    })
}

/// Defines the variable of `own`, which is at `start`.
fn define(
    reader: &Reader<'_, '_>,
    known: &mut Definitions,
    own: Lit,
    start: usize,
    definition: Definition,
) -> Result<(), Stop> {
    if own.is_negated() {
        let message = format!("literal {} is negated where a variable is defined", own.code());
        return Err(reader.error(start, &message, "a definition has an even number").into());
    }
    if known.insert(own.var(), definition).is_some() {
        let what = if own == Lit::FALSE { "the constant".into() } else { format!("literal {}", own.code()) };
        return Err(reader.error(start, &format!("{what} is defined already"), "").into());
    }
    Ok(())
}

/// Gates in an order in which operands come first.
struct Order<'a> {
    known: Definitions,
    gates: &'a [Gate],
    /// The variable of the first gate.
    first: usize,
    ordered: Vec<[Lit; 2]>,
}

impl Order<'_> {
    /// Returns the literal of the circuit for the literal of the text at `start`.
    fn literal(&mut self, reader: &Reader<'_, '_>, lit: Lit, start: usize) -> Result<Lit, Stop> {
        let known = match self.known.get(&lit.var()) {
            Some(&Definition::Gate(gate)) => self.gate(reader, gate)?,
            Some(&Definition::Known(known)) => known,
            Some(Definition::Open) | None => return Err(undefined(reader, lit, start)),
        };
        Ok(if lit.is_negated() { !known } else { known })
    }

    /// Puts a gate into the order, after its operands, and returns its literal. A stack takes the place of recursion.
    fn gate(&mut self, reader: &Reader<'_, '_>, gate: usize) -> Result<Lit, Stop> {
        let mut stack = vec![gate];
        let mut last = Lit::FALSE;
        'stack: while let Some(gate) = stack.last().and_then(|&index| self.gates.get(index)) {
            if let Some(&Definition::Known(known)) = self.known.get(&gate.own.var()) {
                last = known;
                stack.pop();
                continue;
            }
            self.known.insert(gate.own.var(), Definition::Open);
            let mut operands = [Lit::FALSE; 2];
            for (operand, &(lit, start)) in operands.iter_mut().zip(&gate.operands) {
                match self.known.get(&lit.var()) {
                    Some(&Definition::Known(known)) => {
                        *operand = if lit.is_negated() { !known } else { known }
                    }
                    Some(&Definition::Gate(inner)) => {
                        stack.push(inner);
                        continue 'stack;
                    }
                    Some(Definition::Open) => {
                        let hint = "a cycle of gates must go through a latch";
                        return Err(reader.error(start, "the gate depends on itself", hint).into());
                    }
                    None => return Err(undefined(reader, lit, start)),
                }
            }
            let [left, right] = operands;
            last = Lit::positive(self.first + self.ordered.len());
            self.ordered.push([left.max(right), left.min(right)]);
            self.known.insert(gate.own.var(), Definition::Known(last));
            stack.pop();
        }
        Ok(last)
    }
}

fn undefined(reader: &Reader<'_, '_>, lit: Lit, start: usize) -> Stop {
    reader.error(start, &format!("literal {} is not defined", lit.code()), "").into()
}
