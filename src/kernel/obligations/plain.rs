//! Plain obligations of a system.

use super::{
    Goal, Group, GroupKind, Hypothesis, HypothesisOrigin, Obligations, Origin, Question, Relaxed, Subject,
    executions, proofs,
};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{SymId, Symbol, SymbolKind, Syntax, SyntaxMut, TermId};
use ramsey_core::system::{Site, System, Transition};

impl Obligations {
    /// Returns the obligations that answer `question`; none if the question does not apply to `subject`.
    pub fn of_question<'a>(subject: impl Into<Subject<'a>>, question: &Question) -> Obligations {
        let system = match subject.into() {
            Subject::System(system) => system,
            Subject::Problem(problem) => {
                let queries = match question {
                    Question::Verify => (0..problem.queries.len()).collect(),
                    Question::Queries(queries) => queries.clone(),
                    Question::Theorems | Question::Bounded { .. } | Question::Traces(_) => Vec::new(),
                };
                return Obligations::of_queries(problem, &queries);
            }
        };
        match question {
            Question::Verify => Obligations::new(system),
            Question::Theorems => {
                let mut obligations = Obligations::new(system);
                obligations.groups.retain(|group| matches!(group.kind, GroupKind::Theorem(_)));
                obligations
            }
            Question::Bounded { depth, relaxed: false, properties } => {
                executions::bounded(system, *depth, properties)
            }
            Question::Bounded { depth, relaxed: true, properties } => {
                executions::bounded(&Relaxed::new(system).system, *depth, properties)
            }
            Question::Traces(traces) => executions::traces(system, traces),
            Question::Queries(_) => {
                let (sig, terms) = (system.sig.clone(), system.terms.clone());
                Obligations { sig, terms, params: Vec::new(), groups: Vec::new() }
            }
        }
    }

    /// Returns the vocabulary of the obligations of `system`, without any. Formulas about the steps of all transitions have more
    /// terms than all the rest.
    pub fn none(system: &System) -> Obligations {
        let Syntax { sig, terms } = system.widest_syntax();
        let (mut sig, terms) = (sig.clone(), terms.clone());
        let params = system
            .transitions
            .iter()
            .map(|transition| {
                let param = |&var| {
                    let info = terms.var_info(var);
                    sig.symbols.push(Symbol::parameter(&*info.name, info.sort))
                };
                transition.params.iter().map(param).collect()
            })
            .collect();
        Obligations { sig, terms, params, groups: Vec::new() }
    }

    /// Returns all obligations of `system` for [`Question::Verify`].
    pub fn new(system: &System) -> Obligations {
        let Obligations { sig, mut terms, params, mut groups } = Obligations::none(system);
        let mut next = Next::default();
        if !system.invariants.is_empty() {
            groups.push(initiation(system));
            next.claims = system.invariants.iter().map(|claim| terms.shift(&sig, claim.formula, 1)).collect();
        }
        groups.extend(assertions(system, Site::Init));
        for index in 0..system.transitions.len() {
            if !system.invariants.is_empty() {
                groups.push(consecution(system, terms.over_mut(&sig), &mut next, index));
            }
            groups.extend(assertions(system, Site::Transition(index)));
        }
        groups.extend(assertions(system, Site::Final));
        for index in 0..system.theorems.len() {
            groups.push(theorem(system, terms.over_mut(&sig), index));
        }
        groups.extend(proofs::groups(system, terms.over_mut(&sig)));
        Obligations { sig, terms, params, groups }
    }
}

/// Returns the groups of initial states and of each transition if nothing is claimed of them because the system has no
/// invariants. Assertions are vacuous if there are no such states or steps. The groups use the arena of `obligations`
/// and have no goals.
pub fn without_goals(system: &System, obligations: &mut Obligations) -> Vec<Group> {
    if !system.invariants.is_empty() {
        return Vec::new();
    }
    let mut next = Next::default();
    let transition = |index| consecution(system, obligations.syntax_mut(), &mut next, index);
    let transitions = (0..system.transitions.len()).map(transition);
    std::iter::once(initiation(system)).chain(transitions).collect()
}

pub(super) fn axioms(system: &System) -> Vec<Hypothesis> {
    let axiom = |(index, axiom): (usize, &ramsey_core::system::Axiom)| Hypothesis {
        formula: axiom.formula,
        origin: HypothesisOrigin::Axiom(index),
    };
    system.axioms.iter().enumerate().map(axiom).collect()
}

/// Returns the axioms of derived relations in the state of `step`.
pub(super) fn derived(system: &System, syntax: SyntaxMut<'_>, step: u16) -> Vec<Hypothesis> {
    let SyntaxMut { sig, terms } = syntax;
    let axiom = |(index, derived): (usize, &ramsey_core::system::Derived)| Hypothesis {
        formula: terms.shift(sig, derived.axiom, step),
        origin: HypothesisOrigin::Derived(index, step),
    };
    system.derived.iter().enumerate().map(axiom).collect()
}

/// Returns the axioms of derived relations in the first state.
pub(super) fn derived_now(system: &System) -> impl Iterator<Item = Hypothesis> {
    system.derived.iter().enumerate().map(|(index, derived)| Hypothesis {
        formula: derived.axiom,
        origin: HypothesisOrigin::Derived(index, 0),
    })
}

/// Returns the invariants in the first state.
fn invariants(system: &System) -> impl Iterator<Item = Hypothesis> {
    system.invariants.iter().enumerate().map(|(index, invariant)| Hypothesis {
        formula: invariant.formula,
        origin: HypothesisOrigin::Invariant(index),
    })
}

/// Returns the initial conditions.
pub(super) fn inits(system: &System) -> impl Iterator<Item = Hypothesis> {
    system
        .inits
        .iter()
        .enumerate()
        .map(|(index, init)| Hypothesis { formula: init.formula, origin: HypothesisOrigin::Init(index) })
}

fn initiation(system: &System) -> Group {
    let mut hypotheses = axioms(system);
    hypotheses.extend(derived_now(system));
    hypotheses.extend(inits(system));
    let goals = system
        .invariants
        .iter()
        .enumerate()
        .map(|(index, invariant)| Goal {
            origin: Origin::Initiation { invariant: index },
            formula: invariant.formula,
        })
        .collect();
    Group { kind: GroupKind::Init, states: 1, hypotheses, goals }
}

fn consecution(system: &System, mut syntax: SyntaxMut<'_>, next: &mut Next, index: usize) -> Group {
    let mut hypotheses = axioms(system);
    hypotheses.extend(derived(system, syntax.reborrow(), 0));
    hypotheses.extend(derived(system, syntax.reborrow(), 1));
    hypotheses.extend(invariants(system));
    hypotheses.push(Hypothesis {
        formula: next.transition(syntax, &system.transitions[index]),
        origin: HypothesisOrigin::Transition(index),
    });
    let goals = next
        .claims
        .iter()
        .enumerate()
        .map(|(invariant, &formula)| Goal {
            origin: Origin::Consecution { transition: index, invariant },
            formula,
        })
        .collect();
    Group { kind: GroupKind::Transition(index), states: 2, hypotheses, goals }
}

/// Returns the assertions of a part of a program, if it has any.
pub(super) fn assertions(system: &System, site: Site) -> Option<Group> {
    let of_site = system.assertions.iter().enumerate().filter(|(_, assertion)| assertion.site == site);
    let goals: Vec<Goal> = of_site
        .map(|(assertion, claim)| Goal { origin: Origin::Assertion { assertion }, formula: claim.formula })
        .collect();
    let mut hypotheses = axioms(system);
    if site != Site::Init {
        hypotheses.extend(derived_now(system));
        hypotheses.extend(invariants(system));
    }
    let group = Group { kind: GroupKind::Assertions(site), states: 1, hypotheses, goals };
    (!group.goals.is_empty()).then_some(group)
}

fn theorem(system: &System, mut syntax: SyntaxMut<'_>, index: usize) -> Group {
    let theorem = &system.theorems[index];
    let mut hypotheses = axioms(system);
    for step in 0..theorem.states {
        hypotheses.extend(derived(system, syntax.reborrow(), step));
    }
    let goal = Goal { origin: Origin::Theorem { theorem: index }, formula: theorem.formula };
    Group { kind: GroupKind::Theorem(index), states: theorem.states.max(1), hypotheses, goals: vec![goal] }
}

/// Returns `exists params. body & frame`.
pub fn transition_formula(syntax: SyntaxMut<'_>, transition: &Transition) -> TermId {
    Next::default().transition(syntax, transition)
}

/// Returns `body & frame`, free in the parameters.
pub fn step_formula(syntax: SyntaxMut<'_>, transition: &Transition) -> TermId {
    Next::default().step(syntax, transition)
}

/// Returns `forall X. r'(X) = r(X)` for each mutable, non-derived symbol that the transition does not modify.
pub fn frame(syntax: SyntaxMut<'_>, transition: &Transition) -> Vec<TermId> {
    Next::default().frame(syntax, transition)
}

/// Formulas about the next state that transitions have in common. If each had its own, there would be one for each pair of a
/// transition and a symbol.
#[derive(Default)]
struct Next {
    /// The invariants.
    claims: Vec<TermId>,
    /// By symbol, that it does not change.
    unchanged: Map<SymId, TermId>,
}

impl Next {
    /// See [`transition_formula`].
    fn transition(&mut self, mut syntax: SyntaxMut<'_>, transition: &Transition) -> TermId {
        let body = self.step(syntax.reborrow(), transition);
        syntax.terms.exists(&transition.params, body)
    }

    /// See [`step_formula`].
    fn step(&mut self, mut syntax: SyntaxMut<'_>, transition: &Transition) -> TermId {
        let mut conjuncts = vec![transition.body];
        conjuncts.extend(self.frame(syntax.reborrow(), transition));
        syntax.terms.and(&conjuncts)
    }

    /// See [`frame`].
    fn frame(&mut self, syntax: SyntaxMut<'_>, transition: &Transition) -> Vec<TermId> {
        let SyntaxMut { sig, terms } = syntax;
        let mut conjuncts = Vec::new();
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind != SymbolKind::Mutable || transition.modifies.contains(&sym) {
                continue;
            }
            conjuncts.push(*self.unchanged.entry(sym).or_insert_with(|| {
                let vars: Vec<_> = symbol
                    .args
                    .iter()
                    .enumerate()
                    .map(|(index, &sort)| terms.new_var(format!("X{index}"), sort))
                    .collect();
                let args: Vec<_> = vars.iter().map(|&var| terms.var(var)).collect();
                let (next, now) = (terms.app(sig, sym, 1, &args), terms.app(sig, sym, 0, &args));
                let equal = terms.eq(next, now);
                terms.forall(&vars, equal)
            }));
        }
        conjuncts
    }
}
