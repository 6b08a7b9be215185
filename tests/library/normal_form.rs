//! Rewriting of formulas and transitions against their semantics on small structures.

use std::sync::Arc;

use crate::common::effort::{Seen, cases};
use crate::common::formulas::{Generator, Structures, Vocabulary};
use ramsey::base::budget::Budget;
use ramsey::base::hash::Map;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::{FileId, Span};
use ramsey::formulas::{Miniscope, Nnf, Pretty};
use ramsey::lang::pyv;
use ramsey::logic::{
    Evaluator, Node, Signature, SortId, Structure, SymId, SymbolKind, Syntax, TermId, Terms, VarId,
};
use ramsey::obligations::plain::frame;
use ramsey::obligations::{Group, GroupKind, Obligations, Origin};
use ramsey::prove::normal::normalize;
use ramsey::query::{Limits, Options, Outcome, Plan};
use ramsey::system::{Axiom, Derived, Init, Invariant, System, Transition};
use ramsey::transition::Reduced;
use ramsey::transition::{Action, Update};

/// Returns universes of at most two elements, mostly of two.
fn sizes(vocabulary: &Vocabulary, rng: &mut Rng) -> [(SortId, u32); 2] {
    vocabulary.sorts.map(|sort| (sort, if rng.one_in(4) { 1 } else { 2 }))
}

/// Returns all structures if there are few, and many random ones otherwise.
fn some_structures(all: Structures<'_>, rng: &mut Rng) -> Vec<Structure> {
    if all.count_all() <= 256 { all.collect() } else { (0..128).map(|_| all.random(rng)).collect() }
}

fn holds(syntax: Syntax<'_>, structure: &Structure, formula: TermId) -> bool {
    Evaluator::new(syntax, structure).holds(formula)
}

#[test]
fn normal_forms_keep_the_value() {
    let mut seen = Seen::default();
    for seed in 0..cases(300) {
        let mut rng = Rng::new(seed);
        let vocabulary =
            if rng.one_in(2) { Vocabulary::of_states(&mut rng) } else { Vocabulary::random(&mut rng) };
        let sig = &vocabulary.sig;
        let mut terms = Terms::new();
        let formula = Generator::new(&vocabulary, &mut terms, &mut rng).over_steps(2).formula(4);
        let (mut nnf, mut miniscope) = (Nnf::default(), Miniscope::default());
        let forms = [true, false].map(|positive| {
            let normal = nnf.of(&mut terms, formula, positive);
            let narrow = miniscope.of(&mut terms, normal);
            assert!(is_nnf(&terms, normal) && is_nnf(&terms, narrow), "seed {seed}");
            (positive, normal, narrow)
        });
        let sizes = sizes(&vocabulary, &mut rng);
        let syntax = terms.over(sig);
        for structure in some_structures(Structures::with_states(sig, &sizes, 2), &mut rng) {
            let value = seen.note(holds(syntax, &structure, formula));
            for (positive, normal, narrow) in forms {
                let expected = value == positive;
                assert_eq!(holds(syntax, &structure, normal), expected, "seed {seed}, {positive}: nnf");
                assert_eq!(holds(syntax, &structure, narrow), expected, "seed {seed}, {positive}: scopes");
            }
        }
    }
    seen.assert_both(10_000);
}

#[test]
fn an_if_term_in_a_quantified_condition_stays_below_its_quantifier() {
    let text = "sort node\nimmutable constant a: node\nimmutable constant b: node\n\
                immutable relation p(node)\nimmutable relation q(node)\n\
                theorem [t] p(if (forall X. p(if q(X) then X else a)) then a else b)\n";
    let (system, diagnostics) = pyv::load(FileId::new(0), text);
    let mut system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let formula = system.theorems[0].formula;
    let terms = &mut system.terms;
    let normal = Nnf::default().of(terms, formula, true);
    let forms = [
        normal,
        Miniscope::default().of(terms, normal),
        normalize(terms, formula, true).expect("a small formula"),
    ];
    let node = system.sig.uninterpreted_sorts().next().expect("a sort");
    let mut seen = Seen::default();
    for structure in Structures::new(&system.sig, &[(node, 3)]) {
        let value = seen.note(holds(system.syntax(), &structure, formula));
        for form in forms {
            assert_eq!(holds(system.syntax(), &structure, form), value);
        }
    }
    seen.assert_both(100);
}

/// Many parts of a disjunction below `exists` share its witness if they depend on nothing else; few have witnesses of their own.
#[test]
fn many_parts_share_a_witness_unless_they_depend_on_other_variables() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let declared = names.map(|name| format!("immutable relation {name}(node)\n")).concat();
    let parts = |count: usize| names[..count].iter().map(|name| format!("{name}(X) & !{name}(c0)"));
    let any = |count: usize| parts(count).collect::<Vec<_>>().join(" | ");
    let dependent = parts(6).map(|part| format!("({part} & r(X, Y))")).collect::<Vec<_>>().join(" | ");
    for (formula, blocks) in [
        (format!("exists X. {} | a(c0)", any(6)), 1),
        (format!("exists X. {}", any(4)), 4),
        (format!("forall Y. exists X. {dependent}"), 6),
    ] {
        let text = format!(
            "sort node\nimmutable constant c0: node\nimmutable relation r(node, node)\n{declared}theorem [t] {formula}\n"
        );
        let (system, diagnostics) = pyv::load(FileId::new(0), &text);
        let mut system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let formula = system.theorems[0].formula;
        let normal = Nnf::default().of(&mut system.terms, formula, true);
        let narrow = Miniscope::default().of(&mut system.terms, normal);
        let (mut open, mut found) = (vec![narrow], 0);
        while let Some(term) = open.pop() {
            found += usize::from(matches!(system.terms.node(term), Node::Exists(..)));
            open.extend(system.terms.children(term));
        }
        assert_eq!(found, blocks, "{text}");
        let node = system.sig.uninterpreted_sorts().next().expect("a sort");
        let mut rng = Rng::new(blocks as u64);
        let mut seen = Seen::default();
        let all = Structures::new(&system.sig, &[(node, 2)]);
        for structure in (0..400).map(|_| all.random(&mut rng)) {
            let value = seen.note(holds(system.syntax(), &structure, formula));
            assert_eq!(holds(system.syntax(), &structure, narrow), value);
        }
        seen.assert_both(10);
    }
}

/// Checks negation normal form: literals without `if`, conjunctions, disjunctions, and quantifiers over uninterpreted
/// sorts.
fn is_nnf(terms: &Terms, formula: TermId) -> bool {
    match terms.node(formula) {
        Node::True | Node::False => true,
        Node::And(items) | Node::Or(items) => terms.args(items).iter().all(|&item| is_nnf(terms, item)),
        Node::Forall(vars, body) | Node::Exists(vars, body) => {
            terms.bound_vars(vars).all(|var| terms.var_info(var).sort != SortId::BOOL) && is_nnf(terms, body)
        }
        Node::Not(atom) => is_atom(terms, atom),
        _ => is_atom(terms, formula),
    }
}

fn is_atom(terms: &Terms, atom: TermId) -> bool {
    fn no_if(terms: &Terms, term: TermId) -> bool {
        !matches!(terms.node(term), Node::Ite(..)) && terms.children(term).all(|child| no_if(terms, child))
    }
    matches!(terms.node(atom), Node::App { .. } | Node::Eq(..)) && no_if(terms, atom)
}

/// A random transition system: one transition, with all patterns that its normal form recognizes and many that only
/// resemble them.
struct Model<'a> {
    vocabulary: &'a Vocabulary,
    rng: &'a mut Rng,
    terms: Terms,
    params: Vec<VarId>,
}

fn span() -> Span {
    Span { file: FileId::new(0), start: 0, end: 0 }
}

impl Model<'_> {
    fn generator(&mut self, vars: &[VarId], steps: u16) -> Generator<'_> {
        let Model { vocabulary, rng, terms, params } = self;
        Generator::new(vocabulary, terms, rng).over_steps(steps).in_scope(params).in_scope(vars)
    }

    /// Returns a formula over the old state, occasionally over both.
    fn formula(&mut self, vars: &[VarId], depth: usize) -> TermId {
        let steps = if self.rng.one_in(12) { 2 } else { 1 };
        self.generator(vars, steps).formula(depth)
    }

    fn vars_for(&mut self, sym: SymId) -> Vec<VarId> {
        let sorts = self.vocabulary.sig.symbols[sym].args.clone();
        sorts.into_iter().map(|sort| self.terms.new_var("X", sort)).collect()
    }

    fn mutable(&mut self) -> SymId {
        let mut all = self.vocabulary.of_kind(SymbolKind::Mutable);
        all.extend(self.vocabulary.of_kind(SymbolKind::Derived));
        all[self.rng.below(all.len())]
    }

    /// Returns the symbol applied to variables, in the next state.
    fn head(&mut self, sym: SymId, vars: &[VarId]) -> TermId {
        let args: Vec<TermId> = vars.iter().map(|&var| self.terms.var(var)).collect();
        self.terms.app(&self.vocabulary.sig, sym, 1, &args)
    }

    /// Returns a new value of the symbol at these arguments, which have these variables.
    fn value(&mut self, sym: SymId, args: &[TermId], vars: &[VarId]) -> TermId {
        let result = self.vocabulary.sig.symbols[sym].result;
        let steps = if self.rng.one_in(12) { 2 } else { 1 };
        let old = self.terms.app(&self.vocabulary.sig, sym, 0, args);
        if self.rng.one_in(4) {
            return old;
        }
        self.generator(vars, steps).value(result, 2).unwrap_or(old)
    }

    /// Returns `sym'(vars) = value`, in either orientation.
    fn equation(&mut self, sym: SymId, vars: &[VarId]) -> TermId {
        self.equation_over(sym, vars, vars)
    }

    /// Like `equation`, but the value has the variables `scope`.
    fn equation_over(&mut self, sym: SymId, vars: &[VarId], scope: &[VarId]) -> TermId {
        let args: Vec<TermId> = vars.iter().map(|&var| self.terms.var(var)).collect();
        let (head, value) = (self.head(sym, vars), self.value(sym, &args, scope));
        if self.rng.one_in(3) { self.terms.eq(value, head) } else { self.terms.eq(head, value) }
    }

    fn definition(&mut self, sym: SymId) -> TermId {
        let mut vars = self.vars_for(sym);
        let head_vars = vars.clone();
        // One variable too many: no definition, but a constraint.
        if self.rng.one_in(8) {
            vars.push(self.terms.new_var("Y", self.vocabulary.sorts[0]));
        }
        let body = match (self.vocabulary.sig.symbols[sym].result, self.rng.below(6)) {
            (SortId::BOOL, 0) => self.head(sym, &head_vars),
            (SortId::BOOL, 1) => {
                let head = self.head(sym, &head_vars);
                self.terms.not(head)
            }
            _ => self.equation_over(sym, &head_vars, &vars),
        };
        if self.rng.one_in(2) {
            vars.reverse();
        }
        self.terms.forall(&vars, body)
    }

    /// Returns an equation with the same variable at all places of one sort: a partial definition.
    fn diagonal(&mut self, sym: SymId) -> TermId {
        let sorts = self.vocabulary.sig.symbols[sym].args.clone();
        let pair = self.vocabulary.sorts.map(|sort| self.terms.new_var("D", sort));
        let vars: Vec<VarId> =
            sorts.iter().map(|&sort| pair[usize::from(sort != self.vocabulary.sorts[0])]).collect();
        let body = self.equation(sym, &vars);
        self.terms.forall(&pair, body)
    }

    /// Returns `c -> A` and `!c -> B`, or `if c then A else B`.
    fn branches(&mut self, sym: SymId) -> Vec<TermId> {
        let condition = self.formula(&[], 2);
        let then = self.definition(sym);
        let other = if self.rng.one_in(6) { self.mutable() } else { sym };
        let otherwise = self.definition(other);
        if self.rng.one_in(2) {
            return vec![self.terms.ite(condition, then, otherwise)];
        }
        let negated = self.terms.not(condition);
        let mut pair = vec![self.terms.implies(condition, then), self.terms.implies(negated, otherwise)];
        if self.rng.one_in(2) {
            pair.reverse();
        }
        if self.rng.one_in(8) {
            pair.pop();
        }
        pair
    }

    /// Returns `forall X. c -> sym'(X) = v` and `forall X. !c -> sym'(X) = w`.
    fn complements(&mut self, sym: SymId) -> Vec<TermId> {
        let vars = self.vars_for(sym);
        let condition = self.formula(&vars, 2);
        let negated = if self.rng.one_in(8) { self.formula(&vars, 1) } else { self.terms.not(condition) };
        let mut parts: Vec<TermId> = [condition, negated]
            .map(|condition| {
                let fresh = self.vars_for(sym);
                let map: Map<VarId, TermId> =
                    vars.iter().zip(&fresh).map(|(&from, &to)| (from, self.terms.var(to))).collect();
                let equation = self.equation(sym, &vars);
                let body = self.terms.implies(condition, equation);
                let body = self.terms.substitute(body, &map);
                self.terms.forall(&fresh, body)
            })
            .to_vec();
        if self.rng.one_in(2) {
            parts.reverse();
        }
        parts
    }

    /// Returns `sym'(at) = v` and `forall X. X != at -> sym'(X) = w`.
    fn point(&mut self, sym: SymId) -> Vec<TermId> {
        let sig = &self.vocabulary.sig;
        let sorts = sig.symbols[sym].args.clone();
        let at: Option<Vec<TermId>> =
            sorts.iter().map(|&sort| self.generator(&[], 1).value(sort, 1)).collect();
        let (Some(at), false) = (at, sorts.is_empty()) else { return vec![self.definition(sym)] };
        let vars = self.vars_for(sym);
        let mut equations: Vec<TermId> = vars
            .iter()
            .zip(&at)
            .map(|(&var, &value)| {
                let var = self.terms.var(var);
                if self.rng.one_in(2) { self.terms.eq(var, value) } else { self.terms.eq(value, var) }
            })
            .collect();
        if self.rng.one_in(2) {
            equations.reverse();
        }
        let elsewhere = if self.rng.one_in(2) {
            let here = self.terms.and(&equations);
            self.terms.not(here)
        } else {
            let differences: Vec<TermId> =
                equations.iter().map(|&equation| self.terms.not(equation)).collect();
            // "And" instead of "or" is the slip of a modeller, and not the complement of a point.
            if self.rng.one_in(8) { self.terms.and(&differences) } else { self.terms.or(&differences) }
        };
        let equation = self.equation(sym, &vars);
        let body = self.terms.implies(elsewhere, equation);
        let general = self.terms.forall(&vars, body);
        let there = if self.rng.one_in(8) {
            let other = sorts.iter().map(|&sort| self.generator(&[], 1).value(sort, 1));
            other.collect::<Option<Vec<TermId>>>().unwrap_or(at)
        } else {
            at
        };
        let head = self.terms.app(&self.vocabulary.sig, sym, 1, &there);
        let value = self.value(sym, &there, &[]);
        let point = self.terms.eq(head, value);
        if self.rng.one_in(2) { vec![point, general] } else { vec![general, point] }
    }

    fn transition(&mut self) -> Transition {
        let mutable = self.vocabulary.of_kind(SymbolKind::Mutable);
        let modifies: Vec<SymId> = mutable.into_iter().filter(|_| !self.rng.one_in(3)).collect();
        let mut conjuncts = Vec::new();
        // Each symbol is defined about once, as in a model that somebody wrote.
        for &sym in &modifies {
            match self.rng.below(10) {
                0..3 => conjuncts.push(self.definition(sym)),
                3 | 4 => conjuncts.extend(self.branches(sym)),
                5 | 6 => conjuncts.extend(self.complements(sym)),
                7 | 8 => conjuncts.extend(self.point(sym)),
                _ => conjuncts.push(self.diagonal(sym)),
            }
        }
        for _ in 0..self.rng.below(2) {
            let sym = self.mutable();
            conjuncts.push(self.definition(sym));
        }
        for _ in 0..self.rng.below(3) {
            let steps = 1 + self.rng.below(2) as u16;
            conjuncts.push(self.generator(&[], steps).formula(2));
        }
        // In any order, nested anyhow.
        for index in (1..conjuncts.len()).rev() {
            conjuncts.swap(index, self.rng.below(index + 1));
        }
        if conjuncts.len() > 2 {
            let inner = self.terms.and(&conjuncts.split_off(1));
            conjuncts.push(inner);
        }
        let body = self.terms.and(&conjuncts);
        Transition {
            name: "t".into(),
            params: self.params.clone(),
            modifies,
            body,
            command: None,
            effect: None,
            span: span(),
        }
    }
}

pub(crate) fn random_system(vocabulary: &Vocabulary, rng: &mut Rng) -> System {
    let mut terms = Terms::new();
    let params: Vec<VarId> =
        (0..rng.below(3)).map(|index| terms.new_var("n", vocabulary.sorts[index])).collect();
    let mut model = Model { vocabulary, rng, terms, params };
    let transition = model.transition();
    model.params.clear();
    let mut derived = Vec::new();
    for sym in vocabulary.of_kind(SymbolKind::Derived) {
        let vars = model.vars_for(sym);
        let args: Vec<TermId> = vars.iter().map(|&var| model.terms.var(var)).collect();
        let head = model.terms.app(&vocabulary.sig, sym, 0, &args);
        // The value may mention the relation itself: then nothing is defined.
        let value = model.generator(&vars, 1).formula(2);
        let body = model.terms.iff(head, value);
        let axiom = model.terms.forall(&vars, body);
        derived.push(Derived { sym: Some(sym), label: "derived".into(), axiom, span: span() });
    }
    let invariants = (0..2)
        .map(|index| Invariant {
            name: None,
            label: format!("i{index}"),
            formula: model.generator(&[], 1).formula(3),
            is_safety: false,
            span: span(),
        })
        .collect();
    let inits = vec![Init { name: None, formula: model.generator(&[], 1).formula(2), span: span() }];
    let immutable = {
        let sig = &vocabulary.sig;
        let formula = model.generator(&[], 1).formula(2);
        let mut stack = vec![formula];
        let mut is_immutable = true;
        while let Some(next) = stack.pop() {
            if let Node::App { sym, .. } = model.terms.node(next) {
                is_immutable &= !sig.symbols[sym].kind.is_mutable();
            }
            stack.extend(model.terms.children(next));
        }
        is_immutable.then_some(formula)
    };
    let axioms = immutable.into_iter().map(|formula| Axiom { name: None, formula, span: span() }).collect();
    System {
        sig: vocabulary.sig.clone(),
        terms: model.terms,
        axioms,
        derived,
        inits,
        invariants,
        transitions: vec![transition],
        ..System::new()
    }
}

/// Copies the symbols that the transition does not modify to the next state.
fn keep_unmodified(sig: &Signature, transition: &Transition, structure: &mut Structure) {
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        if symbol.kind == SymbolKind::Mutable && !transition.modifies.contains(&sym) {
            let now = structure.interpretation(sig, sym, 0).clone();
            *structure.interpretation_mut(sig, sym, 1) = now;
        }
    }
}

/// Returns structures with two states: all of them or random ones, and random ones that are steps of the action as far
/// as it has definitions, or nearly so.
fn two_states(
    syntax: Syntax<'_>,
    transition: &Transition,
    reduced: &Reduced,
    sizes: &[(SortId, u32)],
    rng: &mut Rng,
) -> Vec<Structure> {
    let sig = syntax.sig;
    let all = Structures::with_states(sig, sizes, 2);
    let mut structures = Vec::new();
    for index in 0..96 {
        let mut structure = all.random(rng);
        match index % 4 {
            0 => keep_unmodified(sig, transition, &mut structure),
            1 | 2 => reduced.complete(syntax, &mut structure, &mut Budget::unlimited()).expect("no limit"),
            _ => {
                reduced.complete(syntax, &mut structure, &mut Budget::unlimited()).expect("no limit");
                all.disturb(&mut structure, rng);
            }
        }
        structures.push(structure);
    }
    structures.extend(some_structures(all, rng));
    structures
}

#[test]
fn actions_mean_what_their_transitions_mean() {
    let mut seen = Seen::default();
    let mut updates = [0; 3];
    for seed in 0..cases(750) {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::of_states(&mut rng);
        let system = random_system(&vocabulary, &mut rng);
        let transition = &system.transitions[0];
        let obligations = Obligations::new(&system);
        let (sig, mut terms) = (&obligations.sig, obligations.terms.clone());
        let reduced = Reduced::new(&system, &obligations, &mut terms, &obligations.groups[1]);
        let params: Vec<TermId> =
            obligations.params[0].iter().map(|&param| terms.app(sig, param, 0, &[])).collect();
        let action = Action::of_transition(&system, terms.over_mut(sig), transition, &params);
        for &formula in &action.guard {
            assert_eq!(terms.max_step(formula), 0, "seed {seed}: the guard is over the old state");
        }

        let map: Map<VarId, TermId> = transition.params.iter().copied().zip(params).collect();
        let mut plain = vec![terms.substitute(transition.body, &map)];
        plain.extend(frame(terms.over_mut(sig), transition));
        plain.extend(system.derived.iter().map(|derived| terms.shift(sig, derived.axiom, 1)));

        let mut normal = [action.guard.clone(), action.residual.clone()].concat();
        for sym in sig.symbols.ids().filter(|&sym| sig.symbols[sym].kind.is_mutable()) {
            let sorts = sig.symbols[sym].args.clone();
            let (vars, value) = match action.update(sym) {
                Update::Free => {
                    updates[0] += 1;
                    continue;
                }
                Update::Unchanged => {
                    updates[1] += 1;
                    let vars: Vec<VarId> = sorts.iter().map(|&sort| terms.new_var("U", sort)).collect();
                    let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
                    (vars, terms.app(sig, sym, 0, &args))
                }
                Update::Definition { vars, value } => {
                    updates[2] += 1;
                    assert_eq!(terms.max_step(*value), 0, "seed {seed}: values are over the old state");
                    (vars.clone(), *value)
                }
            };
            let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
            let head = terms.app(sig, sym, 1, &args);
            let equation = terms.eq(head, value);
            normal.push(terms.forall(&vars, equation));
        }
        let (plain, normal) = (terms.and(&plain), terms.and(&normal));
        let sizes = sizes(&vocabulary, &mut rng);
        let syntax = terms.over(sig);
        for structure in two_states(syntax, transition, &reduced, &sizes, &mut rng) {
            let expected = seen.note(holds(syntax, &structure, plain));
            assert_eq!(
                holds(syntax, &structure, normal),
                expected,
                "seed {seed}, on {structure:?}:\n  {}\nis not\n  {}",
                Pretty::new(syntax, plain),
                Pretty::new(syntax, normal)
            );
        }
    }
    assert!(updates.iter().all(|&count| count > 500), "all kinds of updates occur often: {updates:?}");
    seen.assert_both(10_000);
}

/// Checks whether the transition leads from state 0 to state 1, without a formula for it: some parameters satisfy the
/// body, and the symbols that it does not modify are unchanged.
fn is_step(syntax: Syntax<'_>, transition: &Transition, structure: &Structure) -> bool {
    let Syntax { sig, terms } = syntax;
    let kept = sig.symbols.iter_enumerated().all(|(sym, symbol)| {
        symbol.kind != SymbolKind::Mutable
            || transition.modifies.contains(&sym)
            || structure.tuples(&symbol.args).all(|args| {
                let value = |step| structure.interpretation(sig, sym, step).get(&args);
                value(0) == value(1)
            })
    });
    let sorts: Vec<SortId> = transition.params.iter().map(|&param| terms.var_info(param).sort).collect();
    kept && structure.tuples(&sorts).any(|values| {
        let mut eval = Evaluator::new(syntax, structure);
        eval.env.extend(transition.params.iter().copied().zip(values));
        eval.holds(transition.body)
    })
}

fn hypotheses_hold(obligations: &Obligations, group: &Group, structure: &Structure) -> bool {
    let mut eval = Evaluator::new(obligations.syntax(), structure);
    group.hypotheses.iter().all(|hypothesis| eval.holds(hypothesis.formula))
}

#[test]
fn obligations_mean_steps_between_states() {
    let (mut initial, mut steps, mut claims) = (Seen::default(), Seen::default(), Seen::default());
    let mut refuted = Seen::default();
    for seed in 0..cases(750) {
        let mut rng = Rng::new(2_000_000 + seed);
        let vocabulary = Vocabulary::of_states(&mut rng);
        let mut system = random_system(&vocabulary, &mut rng);
        // Invariants that seldom hold would hide everything else.
        if rng.one_in(2) {
            system.invariants[0].formula = system.terms.tru();
        }
        let obligations = Obligations::new(&system);
        let sig = &obligations.sig;
        let [init, transition] = obligations.groups.as_slice() else { panic!("two groups") };
        assert!(matches!((init.kind, transition.kind), (GroupKind::Init, GroupKind::Transition(0))));
        let mut terms = obligations.terms.clone();
        let reduced = Reduced::new(&system, &obligations, &mut terms, transition);
        let sizes = sizes(&vocabulary, &mut rng);
        for structure in two_states(terms.over(sig), &system.transitions[0], &reduced, &sizes, &mut rng) {
            let states = [0, 1].map(|step| structure.state(sig, step));
            let all_hold = |state: &Structure, formulas: &[TermId]| {
                let mut eval = Evaluator::new(system.terms.over(sig), state);
                formulas.iter().all(|&formula| eval.holds(formula))
            };
            let axioms: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
            let derived: Vec<TermId> = system.derived.iter().map(|derived| derived.axiom).collect();
            let inits: Vec<TermId> = system.inits.iter().map(|init| init.formula).collect();
            let invariants: Vec<TermId> = system.invariants.iter().map(|claim| claim.formula).collect();

            let is_initial = all_hold(&states[0], &[axioms.clone(), derived.clone(), inits].concat());
            initial.note(is_initial);
            assert_eq!(hypotheses_hold(&obligations, init, &states[0]), is_initial, "seed {seed}");

            let before = all_hold(&states[0], &[axioms, derived.clone(), invariants.clone()].concat());
            let is_legal = before
                && all_hold(&states[1], &derived)
                && is_step(system.terms.over(sig), &system.transitions[0], &structure);
            steps.note(is_legal);
            assert_eq!(hypotheses_hold(&obligations, transition, &structure), is_legal, "seed {seed}");

            for (index, &claim) in invariants.iter().enumerate() {
                for (group, state, whole) in
                    [(init, &states[0], &states[0]), (transition, &states[1], &structure)]
                {
                    let expected = claims.note(all_hold(state, &[claim]));
                    let goal = group.goals[index].formula;
                    assert_eq!(holds(obligations.syntax(), whole, goal), expected, "seed {seed}");
                }
                let breaks = is_legal && !all_hold(&states[1], &[claim]);
                lean_agrees(&obligations, &terms, &reduced, index, &structure, breaks, &mut refuted);
            }
        }
    }
    initial.assert_both(5_000);
    steps.assert_both(2_000);
    claims.assert_both(20_000);
    refuted.assert_both(1_000);
}

/// Checks that a counterexample to a goal in the plain form is one in the reduced form, with suitable parameters, and that
/// the converse holds once the next state is computed.
fn lean_agrees(
    obligations: &Obligations,
    terms: &Terms,
    reduced: &Reduced,
    goal: usize,
    structure: &Structure,
    breaks: bool,
    refuted: &mut Seen,
) {
    let sig = &obligations.sig;
    let group = &obligations.groups[1];
    let refutes = |structure: &Structure| {
        let mut eval = Evaluator::new(terms.over(sig), structure);
        reduced.hypotheses.iter().all(|&(formula, _)| eval.holds(formula)) && !eval.holds(reduced.goals[goal])
    };
    if refuted.note(refutes(structure)) {
        let mut completed = structure.clone();
        reduced.complete(terms.over(sig), &mut completed, &mut Budget::unlimited()).expect("no limit");
        assert!(hypotheses_hold(obligations, group, &completed), "no model of the plain form: {completed:?}");
        assert!(!holds(obligations.syntax(), &completed, group.goals[goal].formula));
    }
    if breaks {
        let params = &obligations.params[0];
        let sorts: Vec<SortId> = params.iter().map(|&param| sig.symbols[param].result).collect();
        let found = structure.tuples(&sorts).any(|values| {
            let mut named = structure.clone();
            for (&param, value) in params.iter().zip(values) {
                named.interpretation_mut(sig, param, 0).set(&[], value);
            }
            refutes(&named)
        });
        assert!(found, "the reduced form misses {structure:?}");
    }
}

/// `!z -> A` and `!!z -> B` are complements too, and it is `A` that goes with `!z`.
#[test]
fn branches_with_negated_conditions_keep_their_sides() {
    let text = "mutable relation z\n mutable relation p\n init z & !p\n safety [s] !p\n invariant [i] z\n
        transition t() modifies p (!z -> !new(p)) & (!!z -> new(p))";
    let (system, _) = pyv::load(FileId::new(0), text);
    let system = Arc::new(system.expect("a system"));
    let verification = Plan::new(system, Options::default()).run(&Limits::default());
    let result = verification
        .results
        .iter()
        .find(|result| result.origin == Origin::Consecution { transition: 0, invariant: 0 });
    assert!(matches!(result.expect("an answer").outcome, Outcome::Fails(_)), "t makes p true");
}

/// Two conditions that are complements up to the order of conjuncts make one definition.
#[test]
fn complements_may_have_their_conjuncts_in_any_order() {
    let text = "sort s\n mutable relation p(s)\n mutable relation q(s)\n mutable relation r(s)\n
        transition t() modifies r
          (forall X. (p(X) & q(X)) -> (new(r(X)) <-> p(X))) &
          (forall X. !(q(X) & p(X)) -> (new(r(X)) <-> q(X)))";
    let (system, diagnostics) = pyv::load(FileId::new(0), text);
    let system = system.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let mut terms = system.terms.clone();
    let action = Action::of_transition(&system, terms.over_mut(&system.sig), &system.transitions[0], &[]);
    let r = system.transitions[0].modifies[0];
    assert!(matches!(action.update(r), Update::Definition { .. }), "{:?}", action.update(r));
    assert!(action.residual.is_empty());
}
