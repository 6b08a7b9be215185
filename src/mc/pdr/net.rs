//! The transition relation as clauses over one state: the next value of a latch is a literal of a gate.

use crate::base::ids::Id as _;
use crate::mc::cnf::{Encoder, Gate, TRUE, uses};
use crate::mc::system::System;
use crate::sat::{Lit, Var};

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
    /// The latches and the variables that constraints depend on, which belong to each scope.
    always: Vec<Var>,
    /// By variable: the value of `clock` when it was last visited.
    stamps: Vec<u32>,
    clock: u32,
    stack: Vec<Var>,
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
        let mut net = Net {
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
            match &encoder.gates()[var.index()] {
                Gate::Leaf => {}
                Gate::And(lits) => lits.iter().for_each(|&lit| push(stack, lit)),
                Gate::Choice(lits) => lits.iter().for_each(|&lit| push(stack, lit)),
            }
        }
    }

    /// Returns latches whose values make the roots true, together with the inputs; all values are those of `value`, which
    /// makes the roots true. A gate that is false needs one false operand, preferably one that is needed already or is an
    /// input.
    pub(super) fn justify(&mut self, roots: &[Lit], value: impl Fn(Lit) -> bool) -> Cube {
        self.clock += 1;
        let mut latches = Cube::new();
        let Net { encoder, stamps, clock, stack, num_latches, .. } = self;
        let gates = encoder.gates();
        let is_input = |lit: &Lit| lit.var().index() > *num_latches && gates[lit.var().index()] == Gate::Leaf;
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
            match &gates[var.index()] {
                Gate::Leaf if var != TRUE && var.index() <= *num_latches => latches.push(own),
                Gate::Leaf => {}
                Gate::And(lits) if !own.is_negative() => {
                    lits.iter().for_each(|&lit| push(stack, stamps, lit))
                }
                Gate::And(lits) => {
                    let mut reasons = lits.iter().copied().filter(|&lit| !value(lit));
                    let known = reasons.clone().find(|lit| stamps[lit.var().index()] == *clock);
                    let input = || reasons.clone().find(is_input);
                    if let Some(lit) = known.or_else(input).or_else(|| reasons.next()) {
                        push(stack, stamps, lit);
                    }
                }
                Gate::Choice([condition, yes, no]) => {
                    push(stack, stamps, *condition);
                    push(stack, stamps, if value(*condition) { *yes } else { *no });
                }
            }
        }
        latches.sort_unstable();
        latches
    }
}

/// Checks whether the first cube, in ascending order, is a subset of the second.
pub(super) fn is_subset(small: &[Lit], large: &[Lit]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|lit| rest.by_ref().find(|it| *it >= lit) == Some(lit))
}
