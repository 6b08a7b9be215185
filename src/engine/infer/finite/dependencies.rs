//! What the clauses of an instance's invariant need of the facts that the instance fixes.
//!
//! An instance fixes immutable symbols up to isomorphism. Without that, the same clauses are preserved under the assumption
//! of these facts, and an unsatisfiable core tells which of them a proof uses. A clause is true wherever its own facts and
//! those of the clauses that its proof uses are (Ma et al., I4, SOSP 2019, algorithm 2).

use ramsey_circuit::finite::{Atom, Instance, Place};
use ramsey_circuit::hwmc::Clause;
use ramsey_circuit::hwmc::cnf;
use ramsey_circuit::hwmc::graph::Edge;
use ramsey_circuit::hwmc::questions::Questions;
use ramsey_circuit::hwmc::system::System;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_solver::sat::{Answer, Config, Lit, Solver};

/// Number of facts of a core beyond which they are not dropped one by one.
const MAX_FACTS: usize = 64;

/// A literal of a clause: its value now and in the next state.
type Literal = (Lit, Lit);

/// An instance in which immutable symbols are not fixed, with an invariant of one in which they are.
struct Proofs {
    solver: Solver,
    /// By clause: the literal that switches it on, and its literals; `None` if it is true in all states.
    clauses: Vec<Option<(Lit, Vec<Literal>)>>,
    facts: Vec<Option<Lit>>,
}

/// What a proof uses: clauses and facts, by number.
#[derive(Clone, Debug, Default)]
struct Core {
    clauses: Vec<usize>,
    facts: Vec<usize>,
}

/// Returns for each clause of an invariant of `fixed` the numbers of those of `facts` under which it is an invariant. The
/// facts are what `fixed` has fixed; `plain` is an instance of the same sizes that has fixed less. `None` if the proofs
/// cannot be repeated there.
///
/// # Errors
/// Returns the budget that was exhausted.
pub(super) fn needs(
    plain: &Instance,
    fixed: &Instance,
    facts: &[(Atom, bool)],
    invariant: &[Clause],
    seed: u64,
    budget: &mut Budget,
) -> Result<Option<Vec<Vec<usize>>>, Exhausted> {
    let Some(mut proofs) = Proofs::new(plain, fixed, facts, invariant, seed) else { return Ok(None) };
    let mut cores = Vec::new();
    for clause in 0..invariant.len() {
        let Some(goal) = proofs.negated(clause) else {
            cores.push(Core::default());
            continue;
        };
        let Some(core) = proofs.refute(&goal, budget)? else { return Ok(None) };
        cores.push(core);
    }
    let needs = (0..invariant.len()).map(|clause| {
        let mut facts: Set<usize> = Set::default();
        let mut seen: Set<usize> = Set::default();
        let mut open = vec![clause];
        while let Some(clause) = open.pop() {
            if seen.insert(clause) {
                facts.extend(&cores[clause].facts);
                open.extend(&cores[clause].clauses);
            }
        }
        let mut facts: Vec<usize> = facts.into_iter().collect();
        facts.sort_unstable();
        facts
    });
    Ok(Some(needs.collect()))
}

impl Proofs {
    /// Loads the transition relation and the clauses. `None` if a latch has no counterpart.
    fn new(
        plain: &Instance,
        fixed: &Instance,
        facts: &[(Atom, bool)],
        invariant: &[Clause],
        seed: u64,
    ) -> Option<Proofs> {
        let system = System::new(plain.circuit(), 0)?;
        let nexts = system.latches.iter().map(|latch| latch.next);
        let roots: Vec<Edge> = nexts.chain(system.constraints.iter().copied()).collect();
        let uses = cnf::uses(&system.graph, roots.iter().copied());
        let mut questions = Questions::new(Config { seed, ..Config::default() });
        questions.load(&system.graph, &uses, system.latches.iter().map(|latch| latch.leaf).chain(roots));
        system.constraints.iter().for_each(|&edge| questions.require(edge));
        let lit = |edge: Edge| questions.known(edge);
        let always = |value: bool| if value { cnf::TRUE.positive() } else { cnf::TRUE.negative() };
        let mut latches: Map<usize, Literal> = Map::default();
        for latch in &system.latches {
            latches.insert(latch.origin, (lit(latch.leaf)?, lit(latch.next)?));
        }
        latches
            .extend(system.constants.iter().map(|&(latch, value)| (latch, (always(value), always(value)))));
        let atoms: Map<&Atom, usize> = (0..plain.circuit().latches().len())
            .filter_map(|latch| Some((plain.atom(latch)?, latch)))
            .collect();
        let literal = |atom: &Atom| match atoms.get(atom) {
            Some(latch) => latches.get(latch).copied(),
            None => match plain.place(atom)? {
                Place::Known(value) => Some((always(value), always(value))),
                Place::Latch(_) => None,
            },
        };
        let started = match plain.started() {
            Some(latch) => Some(*latches.get(&latch)?),
            None => None,
        };
        let signed = |(now, next): Literal, value: bool| if value { (now, next) } else { (!now, !next) };
        let facts: Vec<Option<Lit>> = facts
            .iter()
            .map(|(atom, value)| {
                let lit = signed(literal(atom)?, *value).0;
                (lit.var() != cnf::TRUE).then_some(lit)
            })
            .collect();
        let mut clauses = Vec::new();
        for clause in invariant {
            let mut literals: Vec<Literal> = Vec::new();
            let mut is_after = fixed.started().is_none();
            for &(latch, value) in clause {
                literals.push(if fixed.started() == Some(latch) {
                    is_after |= !value;
                    signed(started.unwrap_or((always(true), always(true))), value)
                } else {
                    signed(literal(fixed.atom(latch)?)?, value)
                });
            }
            if let (true, Some(started)) = (is_after, started) {
                literals.push(signed(started, false));
            }
            if literals.iter().any(|&(now, next)| (now, next) == (always(true), always(true))) {
                clauses.push(None);
                continue;
            }
            let switch = questions.solver.new_var().positive();
            let whole: Vec<Lit> = literals.iter().map(|&(now, _)| now).chain([!switch]).collect();
            questions.solver.add_clause(&whole);
            clauses.push(Some((switch, literals)));
        }
        Some(Proofs { solver: questions.solver, clauses, facts })
    }

    /// Returns literals that are true after steps to states in which a clause is false.
    fn negated(&self, clause: usize) -> Option<Vec<Lit>> {
        let (_, literals) = self.clauses.get(clause)?.as_ref()?;
        Some(literals.iter().map(|&(_, next)| !next).collect())
    }

    /// Refutes literals from clauses and facts; `None` if they are consistent with all of them.
    fn refute(&mut self, goal: &[Lit], budget: &mut Budget) -> Result<Option<Core>, Exhausted> {
        let all = Core { clauses: (0..self.clauses.len()).collect(), facts: (0..self.facts.len()).collect() };
        let Some(mut core) = self.refute_from(goal, &all, budget)? else { return Ok(None) };
        if core.facts.len() > MAX_FACTS {
            return Ok(Some(core));
        }
        // What does not hold says less than what does.
        let mut open = core.facts.clone();
        while let Some(fact) = open.pop() {
            if !core.facts.contains(&fact) {
                continue;
            }
            let facts = core.facts.iter().copied().filter(|&other| other != fact).collect();
            let fewer = Core { clauses: core.clauses.clone(), facts };
            if let Some(smaller) = self.refute_from(goal, &fewer, budget)? {
                core = smaller;
            }
        }
        Ok(Some(core))
    }

    fn refute_from(
        &mut self,
        goal: &[Lit],
        from: &Core,
        budget: &mut Budget,
    ) -> Result<Option<Core>, Exhausted> {
        let mut assumed = goal.to_vec();
        let switch = |clause: &usize| Some(self.clauses.get(*clause)?.as_ref()?.0);
        assumed.extend(from.clauses.iter().filter_map(switch));
        assumed.extend(from.facts.iter().filter_map(|&fact| *self.facts.get(fact)?));
        if self.solver.solve(&assumed, budget)? == Answer::Sat {
            return Ok(None);
        }
        let used: Set<Lit> = self.solver.core().iter().copied().collect();
        let is_used = |lit: Option<Lit>| lit.is_some_and(|lit| used.contains(&lit));
        let clauses = from.clauses.iter().copied().filter(|at| is_used(switch(at))).collect();
        let facts = from.facts.iter().copied().filter(|&at| is_used(self.facts[at])).collect();
        Ok(Some(Core { clauses, facts }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ramsey_circuit::finite::Options;
    use ramsey_circuit::hwmc;
    use ramsey_core::base::ids::{Id as _, IdVec};
    use ramsey_core::base::span::{FileId, Span};
    use ramsey_core::logic::{Interpretation, Sort, SortId, Symbol, SymbolKind};
    use ramsey_core::system::{Init, System as Model, Transition};

    /// In each step, what is good is reached. Some things are bad.
    fn model() -> (Model, Options) {
        let span = Span { file: FileId::new(0), start: 0, end: 0 };
        let mut model = Model::new();
        let sort = model.sig.sorts.push(Sort::new("s"));
        let mut relation = |name: &str, kind: SymbolKind| {
            model.sig.symbols.push(Symbol::new(name, vec![sort], SortId::BOOL, kind))
        };
        let good = relation("good", SymbolKind::Immutable);
        let bad = relation("bad", SymbolKind::Immutable);
        let reached = relation("reached", SymbolKind::Mutable);
        let Model { sig, terms, .. } = &mut model;
        let var = terms.new_var("X", sort);
        let arg = [terms.var(var)];
        let [is_good, is_bad, now, next] = [(good, 0), (bad, 0), (reached, 0), (reached, 1)]
            .map(|(sym, step)| terms.app(sig, sym, step, &arg));
        let none = terms.not(now);
        let init = terms.forall(&[var], none);
        let either = terms.or(&[now, is_good]);
        let body = terms.iff(next, either);
        let body = terms.forall(&[var], body);
        // Whether anything is bad makes no difference.
        let harmless = terms.or(&[is_good, is_bad]);
        let claim = terms.implies(now, is_good);
        let claim = terms.implies(harmless, claim);
        let rest = terms.implies(now, is_good);
        let claim = terms.and(&[claim, rest]);
        let claim = terms.forall(&[var], claim);
        model.inits.push(Init { name: None, formula: init, span });
        model.transitions.push(Transition {
            name: "step".into(),
            params: vec![],
            modifies: vec![reached],
            body,
            command: None,
            effect: None,
            span,
        });
        let mut first = Interpretation::default();
        first.set(&[0], 1);
        let fixed = vec![(good, first.clone()), (bad, first)];
        let targets = vec![("p".to_owned(), claim)];
        (model, Options { targets, fixed, ..Options::default() })
    }

    #[test]
    fn facts_that_no_proof_uses_are_not_needed() {
        let (model, options) = model();
        let model = Arc::new(model);
        let mut sizes = IdVec::filled(model.sig.sorts.len(), 2);
        sizes[SortId::BOOL] = 2;
        let budget = &mut Budget::unlimited();
        let fixed = Instance::new(Arc::clone(&model), &sizes, &options, budget).expect("an instance");
        let plain = Options { fixed: Vec::new(), break_symmetry: false, ..options };
        let plain = Instance::new(Arc::clone(&model), &sizes, &plain, budget).expect("an instance");
        let search = hwmc::Options { method: hwmc::Method::Reachability, seed: 0 };
        let (outcome, _) = hwmc::check(fixed.circuit(), 0, &search, budget).expect("a property");
        let hwmc::Outcome::Safe(proof) = outcome else { panic!("{outcome:?}") };
        let facts: Vec<(Atom, bool)> = fixed.facts().map(|(atom, value)| (atom.clone(), value)).collect();
        assert_eq!(facts.len(), 4, "two relations, two elements");
        let needs = needs(&plain, &fixed, &facts, &proof.invariant, 0, budget).expect("a budget");
        let needs = needs.expect("proofs");
        let is_about = |clause: &Clause| {
            let atoms = fixed.clause(clause);
            atoms.is_some_and(|atoms| atoms.iter().any(|(atom, value)| *atom.args == [1] && !value))
        };
        let at = proof.invariant.iter().position(is_about).expect("a clause about the second element");
        let name = |&fact: &usize| {
            let (atom, value): &(Atom, bool) = &facts[fact];
            (model.sig.symbols[atom.sym].name.as_str(), atom.args[0], *value)
        };
        assert_eq!(needs[at].iter().map(name).collect::<Vec<_>>(), [("good", 1, false)]);
    }
}
