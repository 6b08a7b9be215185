//! The transition relation as clauses over one state: the next value of a latch is a literal of a gate.

use super::preserved::{self, preserved};
use crate::hwmc::cnf::{Encoder, TRUE, uses};
use crate::hwmc::gates::Gate;
use crate::hwmc::system::System;
use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::{Lit, Var};

/// A set of literals of latches, in ascending order: the states in which all of them are true.
pub(super) type Cube = Vec<Lit>;

/// A system as clauses. The variables of latches come first, then those of inputs.
pub(super) struct Net {
    pub(super) encoder: Encoder,
    pub(super) num_latches: usize,
    pub(super) num_inputs: usize,
    /// By latch: the literal that is its next value.
    pub(super) next: Vec<Lit>,
    /// By latch: its initial value.
    pub(super) reset: Vec<Option<bool>>,
    pub(super) bad: Lit,
    pub(super) constraints: Vec<Lit>,
    /// The constraints that may be false in a state that a step leads to.
    pub(super) fragile: Vec<Lit>,
    /// The latches and the variables that constraints depend on, which belong to each scope.
    always: Vec<Var>,
    /// By variable: the value of `clock` when it was last visited.
    stamps: Vec<u32>,
    clock: u32,
    stack: Vec<Var>,
    /// By variable: its value in the state that is lifted.
    values: Vec<bool>,
    /// By variable: about how many latches its value takes.
    costs: Vec<u32>,
}

impl Net {
    pub(super) fn new(system: &System) -> Net {
        let System { graph, latches, inputs, bad, constraints, .. } = system;
        let roots: Vec<_> =
            latches.iter().map(|it| it.next).chain(constraints.iter().copied()).chain([*bad]).collect();
        let uses = uses(graph, roots.iter().copied());
        let mut encoder = Encoder::new();
        encoder.encode(graph, &uses, latches.iter().map(|it| it.leaf).chain(inputs.iter().map(|it| it.leaf)));
        encoder.encode(graph, &uses, roots);
        let lit = |edge| encoder.known(edge).unwrap_or(TRUE.positive());
        let is_preserved = preserved(system, preserved::WORK);
        let fragile = constraints.iter().zip(is_preserved).filter(|(_, is_preserved)| !is_preserved);
        let fragile = fragile.map(|(&edge, _)| lit(edge)).collect();
        let mut net = Net {
            fragile,
            num_latches: latches.len(),
            num_inputs: inputs.len(),
            next: latches.iter().map(|latch| lit(latch.next)).collect(),
            reset: latches.iter().map(|latch| latch.reset).collect(),
            bad: lit(*bad),
            constraints: constraints.iter().map(|&edge| lit(edge)).collect(),
            always: Vec::new(),
            stamps: vec![0; encoder.gates().len()],
            clock: 0,
            stack: Vec::new(),
            values: Vec::new(),
            costs: Vec::new(),
            encoder,
        };
        let mut always = vec![TRUE];
        always.extend((0..net.num_latches).map(Net::latch));
        net.clock += 1;
        for var in &always {
            net.stamps[var.index()] = net.clock;
        }
        let constraints = net.constraints.clone();
        net.visit(&constraints, &mut always);
        net.always = always;
        net
    }

    /// Returns the variable of a latch.
    pub(super) fn latch(index: usize) -> Var {
        Var::new(1 + index)
    }

    /// Returns the variable of an input.
    pub(super) fn input(&self, index: usize) -> Var {
        Var::new(1 + self.num_latches + index)
    }

    /// Returns the number of variables.
    pub(super) fn num_vars(&self) -> usize {
        self.encoder.gates().len()
    }

    /// Returns the literal that has the value of a latch's literal in the next state.
    pub(super) fn primed(&self, lit: Lit) -> Lit {
        let next = self.next.get(lit.var().index().wrapping_sub(1)).copied().unwrap_or(TRUE.positive());
        if lit.is_negative() { !next } else { next }
    }

    /// Returns the initial value of a latch's literal.
    pub(super) fn initial(&self, lit: Lit) -> Option<bool> {
        let reset = self.reset.get(lit.var().index().wrapping_sub(1)).copied().flatten()?;
        Some(reset != lit.is_negative())
    }

    /// Checks whether some initial state is in the cube.
    pub(super) fn meets_init(&self, cube: &[Lit]) -> bool {
        cube.iter().all(|&lit| self.initial(lit) != Some(false))
    }

    /// Replaces `scope` by the variables that a question about these literals, the latches and the constraints depends
    /// on.
    pub(super) fn scope(&mut self, roots: &[Lit], scope: &mut Vec<Var>) {
        self.clock += 1;
        scope.clear();
        scope.extend_from_slice(&self.always);
        for var in scope.iter() {
            self.stamps[var.index()] = self.clock;
        }
        self.visit(roots, scope);
    }

    /// Appends the variables below the roots that are not stamped yet.
    fn visit(&mut self, roots: &[Lit], out: &mut Vec<Var>) {
        let Net { encoder, stamps, clock, stack, .. } = self;
        let mut push = |stack: &mut Vec<Var>, lit: Lit| {
            let stamp = &mut stamps[lit.var().index()];
            if *stamp != *clock {
                *stamp = *clock;
                stack.push(lit.var());
            }
        };
        roots.iter().for_each(|&root| push(stack, root));
        while let Some(var) = stack.pop() {
            out.push(var);
            encoder.gates().operands(var).iter().for_each(|&lit| push(stack, lit));
        }
    }

    /// Returns latches whose values make the roots true, together with the inputs. The values of latches and inputs are
    /// those of `value`, and make the roots true. A gate that is false needs one false operand, preferably one that is
    /// needed already, or else one that takes the fewest latches as far as these are not shared.
    pub(super) fn justify(&mut self, roots: &[Lit], value: impl Fn(Lit) -> bool) -> Cube {
        self.evaluate(value);
        self.clock += 1;
        let mut latches = Cube::new();
        let Net { encoder, stamps, clock, stack, num_latches, values, costs, .. } = self;
        let value = |lit: Lit| values[lit.var().index()] != lit.is_negative();
        let cost = |lit: &&Lit| costs[lit.var().index()];
        let push = |stack: &mut Vec<Var>, stamps: &mut [u32], lit: Lit| {
            let stamp = &mut stamps[lit.var().index()];
            if *stamp != *clock {
                *stamp = *clock;
                stack.push(lit.var());
            }
        };
        roots.iter().for_each(|&root| push(stack, stamps, root));
        while let Some(var) = stack.pop() {
            let own = var.literal(value(var.positive()));
            match encoder.gates().get(var) {
                Gate::Leaf if var != TRUE && var.index() <= *num_latches => latches.push(own),
                Gate::Leaf => {}
                Gate::And(lits) if !own.is_negative() => {
                    lits.iter().for_each(|&lit| push(stack, stamps, lit))
                }
                Gate::And(lits) => {
                    let mut reasons = lits.iter().filter(|&&lit| !value(lit));
                    let known = reasons.clone().find(|lit| stamps[lit.var().index()] == *clock);
                    if known.is_none()
                        && let Some(&lit) = reasons.by_ref().min_by_key(cost)
                    {
                        push(stack, stamps, lit);
                    }
                }
                Gate::Choice([condition, yes, no]) => {
                    let [of_condition, of_yes, of_no] = [condition, yes, no].map(|lit| cost(&&lit));
                    let chosen = if value(condition) { (yes, of_yes) } else { (no, of_no) };
                    if value(yes) == value(no)
                        && of_yes.saturating_add(of_no) < of_condition.saturating_add(chosen.1)
                    {
                        push(stack, stamps, yes);
                        push(stack, stamps, no);
                    } else {
                        push(stack, stamps, condition);
                        push(stack, stamps, chosen.0);
                    }
                }
            }
        }
        latches.sort_unstable();
        latches
    }

    /// Computes values of all variables from those of latches and inputs, and how many latches they take. Variables stand
    /// for larger gates than those of the graph, and what is cheapest depends on the values, so both are computed here.
    fn evaluate(&mut self, leaf: impl Fn(Lit) -> bool) {
        let Net { encoder, num_latches, values, costs, .. } = self;
        values.clear();
        costs.clear();
        for (var, gate) in encoder.gates().iter() {
            let value = |lit: Lit| values[lit.var().index()] != lit.is_negative();
            let cost = |lit: Lit| costs[lit.var().index()];
            let (own, own_cost) = match gate {
                Gate::Leaf if var == TRUE => (true, 0),
                Gate::Leaf => (leaf(var.positive()), u32::from(var.index() <= *num_latches)),
                Gate::And(lits) => {
                    match lits.iter().filter(|&&lit| !value(lit)).map(|&lit| cost(lit)).min() {
                        Some(least) => (false, least),
                        None => (true, lits.iter().fold(0, |sum: u32, &lit| sum.saturating_add(cost(lit)))),
                    }
                }
                Gate::Choice([condition, yes, no]) => {
                    let chosen = if value(condition) { yes } else { no };
                    let usual = cost(condition).saturating_add(cost(chosen));
                    let both = cost(yes).saturating_add(cost(no));
                    (value(chosen), if value(yes) == value(no) { usual.min(both) } else { usual })
                }
            };
            values.push(own);
            costs.push(own_cost);
        }
    }
}

/// Checks whether the first cube, in ascending order, is a subset of the second.
pub(super) fn is_subset(small: &[Lit], large: &[Lit]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|lit| rest.by_ref().find(|it| *it >= lit) == Some(lit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hwmc::graph::{Edge, Graph};
    use crate::hwmc::system::{Input, Latch};

    /// Of two reasons the one that takes fewer latches is chosen, though it comes later.
    #[test]
    fn lifting_prefers_the_reason_of_fewer_latches() {
        let mut graph = Graph::new();
        let leaves: [Edge; 4] = std::array::from_fn(|_| graph.leaf());
        let [a, b, c, input] = leaves;
        let (costly, cheap) = (graph.and(a, b), graph.and(c, input));
        let bad = graph.or(costly, cheap);
        let latch = |(origin, leaf)| Latch { leaf, next: leaf, reset: Some(false), origin };
        let system = System {
            graph,
            latches: [a, b, c].into_iter().enumerate().map(latch).collect(),
            inputs: vec![Input { leaf: input, origin: 0 }],
            bad,
            constraints: Vec::new(),
            constants: Vec::new(),
            decided: Vec::new(),
        };
        let mut net = Net::new(&system);
        let bad = net.bad;
        let cube = net.justify(&[bad], |lit| !lit.is_negative());
        assert_eq!(cube, [Net::latch(2).positive()]);
    }
}
