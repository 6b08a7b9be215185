//! The canonical form of random systems and of systems that differ from them by what means nothing.

use std::sync::Arc;

use super::Canonical;
use crate::infer::outcome::{Answer, Event, Inference, Observer, Options};
use crate::infer::{Counts, infer};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::rng::Rng;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{
    Node, Signature, Sort, SortId, SymId, Symbol, SymbolKind, Syntax, TermId, Terms, VarId,
};
use ramsey_core::system::{Axiom, Init, Invariant, System, Transition};
use ramsey_kernel::obligations::Property;

const SPAN: fn() -> Span = || Span { file: FileId::new(0), start: 0, end: 0 };

/// Makes the same system with its parts in an order that the random numbers choose.
struct Maker<'a> {
    rng: &'a mut Rng,
    system: System,
    /// Whether bound variables of equal formulas are the same ones.
    is_shared: bool,
    /// Whether there is a symbol and a sort that nothing uses.
    is_larger: bool,
}

/// A locked resource: `holds(N, L)` where `free(L)` was true before; a grant at a time, in order of epochs.
impl Maker<'_> {
    fn sort(&mut self, name: &str) -> SortId {
        self.system.sig.sorts.push(Sort::new(name))
    }

    fn symbol(&mut self, name: &str, args: &[SortId], kind: SymbolKind) -> SymId {
        self.system.sig.symbols.push(Symbol::new(name, args.to_vec(), SortId::BOOL, kind))
    }

    fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for at in (1..items.len()).rev() {
            items.swap(at, self.rng.below(at + 1));
        }
        items
    }

    fn var(&mut self, sort: SortId) -> (VarId, TermId) {
        let var = self.system.terms.new_var("X", sort);
        (var, self.system.terms.var(var))
    }

    fn app(&mut self, sym: SymId, step: u16, args: &[TermId]) -> TermId {
        self.system.terms.app(&self.system.sig, sym, step, args)
    }

    fn and(&mut self, parts: Vec<TermId>) -> TermId {
        let parts = self.shuffled(parts);
        self.system.terms.and(&parts)
    }

    fn make(mut self) -> System {
        let mut sorts = [None, None];
        for at in self.shuffled(vec![0, 1]) {
            sorts[at] = Some(self.sort(["node", "lock"][at]));
        }
        let [Some(node), Some(lock)] = sorts else { return self.system };
        if self.is_larger {
            let other = self.sort("other");
            self.symbol("idle", &[other, node], SymbolKind::Immutable);
        }
        let (mutable, immutable) = (SymbolKind::Mutable, SymbolKind::Immutable);
        let mut symbols = [None; 4];
        for at in self.shuffled(vec![0, 1, 2, 3]) {
            let (name, args, kind): (&str, &[SortId], SymbolKind) = match at {
                0 => ("free", &[lock], mutable),
                1 => ("holds", &[node, lock], mutable),
                2 => ("asked", &[node, lock], mutable),
                _ => ("trusted", &[node], immutable),
            };
            symbols[at] = Some(self.symbol(name, args, kind));
        }
        let [Some(free), Some(holds), Some(asked), Some(trusted)] = symbols else { return self.system };
        let (x, vx) = self.var(node);
        let some = self.app(trusted, 0, &[vx]);
        let formula = self.system.terms.exists(&[x], some);
        self.system.axioms.push(Axiom { name: None, formula, span: SPAN() });
        for at in self.shuffled(vec![0, 1, 2]) {
            let ((x, vx), (l, vl)) = (self.var(node), self.var(lock));
            let formula = match at {
                0 => {
                    let is_free = self.app(free, 0, &[vl]);
                    self.system.terms.forall(&[l], is_free)
                }
                at => {
                    let it = self.app([holds, asked][at - 1], 0, &[vx, vl]);
                    let not = self.system.terms.not(it);
                    self.system.terms.forall(&[x, l], not)
                }
            };
            self.system.inits.push(Init { name: None, formula, span: SPAN() });
        }
        for at in self.shuffled(vec![0, 1, 2]) {
            let transition = self.transition(at, (node, lock), [free, holds, asked, trusted]);
            self.system.transitions.push(transition);
        }
        // Two holders of a lock are one.
        let pairs = self.shuffled(vec![0, 1]);
        let (l, vl) = self.var(lock);
        let mut vars = [self.var(node), self.var(node)];
        if pairs[0] == 1 {
            vars.swap(0, 1);
        }
        let held: Vec<TermId> = vars.iter().map(|&(_, var)| self.app(holds, 0, &[var, vl])).collect();
        let both = self.and(held);
        let same = self.system.terms.eq(vars[0].1, vars[1].1);
        let body = self.system.terms.implies(both, same);
        let formula = self.system.terms.forall(&[vars[1].0, l, vars[0].0], body);
        self.system.invariants.push(Invariant {
            name: None,
            label: "safe".into(),
            formula,
            is_safety: true,
            span: SPAN(),
        });
        self.system
    }

    /// `ask`, `grant` or `release`.
    fn transition(
        &mut self,
        at: usize,
        (node, lock): (SortId, SortId),
        [free, holds, asked, trusted]: [SymId; 4],
    ) -> Transition {
        let mut params = [None, None];
        for at in self.shuffled(vec![0, 1]) {
            params[at] = Some(self.var([node, lock][at]));
        }
        let [Some((n, vn)), Some((m, vm))] = params else { unreachable!("both are set") };
        let guard = match at {
            0 => vec![self.app(trusted, 0, &[vn])],
            1 => vec![self.app(asked, 0, &[vn, vm]), self.app(free, 0, &[vm])],
            _ => vec![self.app(holds, 0, &[vn, vm])],
        };
        let updates: &[(SymId, bool)] = match at {
            0 => &[(asked, true)],
            1 => &[(free, false), (holds, true)],
            _ => &[(free, true), (holds, false)],
        };
        let mut parts = guard;
        let mut known: Option<((VarId, TermId), (VarId, TermId))> = None;
        for &(sym, value) in updates {
            let own = (self.var(node), self.var(lock));
            let ((x, vx), (l, vl)) = if self.is_shared { *known.get_or_insert(own) } else { own };
            let (vars, args, here) = if sym == free {
                let here = self.system.terms.eq(vl, vm);
                (vec![l], vec![vl], here)
            } else {
                let here = vec![self.system.terms.eq(vx, vn), self.system.terms.eq(vl, vm)];
                (vec![x, l], vec![vx, vl], self.and(here))
            };
            let (before, after) = (self.app(sym, 0, &args), self.app(sym, 1, &args));
            let terms = &mut self.system.terms;
            let changed = if value {
                terms.or(&[before, here])
            } else {
                let elsewhere = terms.not(here);
                terms.and(&[before, elsewhere])
            };
            let defined = terms.iff(after, changed);
            parts.push(self.system.terms.forall(&vars, defined));
        }
        let body = self.and(parts);
        let mut modifies: Vec<SymId> = updates.iter().map(|update| update.0).collect();
        modifies.sort_unstable();
        let name = ["ask", "grant", "release"][at].to_owned();
        let params = if n < m { vec![n, m] } else { vec![m, n] };
        Transition { name, params, modifies, body, command: None, effect: None, span: SPAN() }
    }
}

fn system(rng: &mut Rng, is_shared: bool, is_larger: bool) -> Arc<System> {
    Arc::new(Maker { rng, system: System::new(), is_shared, is_larger }.make())
}

fn canonical(system: &Arc<System>) -> Canonical {
    let properties = Property::safety(system);
    let claims: Vec<TermId> = properties.iter().map(|property| property.formula(system)).collect();
    Canonical::new(system, &properties, &claims, &Options::default())
}

/// Writes a term by ids alone.
fn shape(terms: &Terms, term: TermId) -> String {
    let parts: Vec<String> = terms.children(term).map(|part| shape(terms, part)).collect();
    let head = match terms.node(term) {
        Node::App { sym, step, .. } => format!("{sym:?}@{step}"),
        Node::Var(var) => format!("{var:?}"),
        node => format!("{:?}", std::mem::discriminant(&node)),
    };
    format!("{head}({})", parts.join(","))
}

fn described(system: &System) -> Vec<String> {
    let signature = |sig: &Signature| {
        format!("{:?}", sig.symbols.iter().map(|it| (&it.name, &it.args)).collect::<Vec<_>>())
    };
    let mut lines = vec![signature(&system.sig)];
    lines.extend(system.axioms.iter().map(|it| shape(&system.terms, it.formula)));
    lines.extend(system.inits.iter().map(|it| shape(&system.terms, it.formula)));
    lines.extend(system.invariants.iter().map(|it| shape(&system.terms, it.formula)));
    let transition =
        |it: &Transition| format!("{} {:?} {}", it.name, it.params, shape(&system.terms, it.body));
    lines.extend(system.transitions.iter().map(transition));
    lines
}

/// Notes the events of a search.
#[derive(Default)]
struct Notes(Vec<String>);

impl Observer for Notes {
    fn event(&mut self, _: Syntax<'_>, event: &Event, counts: &Counts) {
        let name = match event {
            Event::Proposed { .. } => "proposed",
            Event::Refuted { .. } => "refuted",
            Event::Preserved { .. } => "preserved",
            _ => "other",
        };
        self.0.push(format!("{name} after {} questions", counts.questions));
    }
}

fn inferred(system: &Arc<System>) -> (Inference, Vec<String>) {
    let mut notes = Notes::default();
    let found = infer(system, &Options::default(), &mut Budget::unlimited(), &mut notes);
    (found, notes.0)
}

#[test]
fn order_and_unused_declarations_make_no_difference() {
    let mut rng = Rng::new(3);
    let first = system(&mut rng, false, false);
    let form = described(&canonical(&first).system);
    let mut orders = std::collections::BTreeSet::new();
    for round in 0..60 {
        let other = system(&mut rng, round % 2 == 0, round % 3 == 0);
        orders.insert(described(&other));
        assert_eq!(described(&canonical(&other).system), form, "round {round}");
    }
    assert!(orders.len() > 50, "the systems themselves differ");
}

#[test]
fn what_can_happen_early_comes_first() {
    let mut rng = Rng::new(9);
    for _ in 0..10 {
        let form = canonical(&system(&mut rng, false, false)).system;
        let symbols: Vec<&str> = form.sig.symbols.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(symbols, ["trusted", "free", "asked", "holds"]);
        let transitions: Vec<&str> = form.transitions.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(transitions, ["ask", "grant", "release"]);
    }
}

#[test]
fn different_systems_have_different_forms() {
    let mut rng = Rng::new(4);
    let form = described(&canonical(&system(&mut rng, false, false)).system);
    let mut other = (*system(&mut rng, false, false)).clone();
    other.inits.pop();
    assert_ne!(described(&canonical(&Arc::new(other)).system), form);
}

#[test]
fn searches_of_variants_are_the_same() {
    let mut rng = Rng::new(5);
    let (first, notes) = inferred(&system(&mut rng, false, false));
    let Answer::Invariant(lemmas) = &first.answer else { panic!("{:?}", first.answer) };
    assert!(!lemmas.is_empty() && !notes.is_empty());
    for _ in 0..8 {
        let other = system(&mut rng, true, true);
        let (found, same) = inferred(&other);
        assert_eq!(same, notes);
        let Answer::Invariant(others) = &found.answer else { panic!("{:?}", found.answer) };
        assert_eq!(others.len(), lemmas.len());
        // Lemmas are about the symbols of the system as it was given.
        for lemma in others {
            let symbols = found.system.terms.symbols(lemma.formula);
            assert!(symbols.iter().all(|&sym| found.system.sig.symbols[sym].name != "idle"));
            assert_eq!(found.system.sig, other.sig);
        }
    }
}

#[test]
fn executions_come_back_in_terms_of_the_system() {
    let mut rng = Rng::new(6);
    for round in 0..8 {
        let mut unsafe_one = (*system(&mut rng, false, round % 2 == 0)).clone();
        // Without its guard, a grant goes to anybody.
        let grant = unsafe_one.transitions.iter().position(|it| it.name == "grant").unwrap();
        let conjuncts = unsafe_one.terms.conjuncts(unsafe_one.transitions[grant].body);
        let changes: Vec<TermId> =
            conjuncts.into_iter().filter(|&it| unsafe_one.terms.max_step(it) == 1).collect();
        unsafe_one.transitions[grant].body = unsafe_one.terms.and(&changes);
        let unsafe_one = Arc::new(unsafe_one);
        let (found, _) = inferred(&unsafe_one);
        let Answer::Unsafe(property, execution) = &found.answer else { panic!("{:?}", found.answer) };
        assert_eq!(property.label(&unsafe_one), "safe");
        let names: Vec<&str> = execution
            .calls
            .iter()
            .map(|call| unsafe_one.transitions[call.transition].name.as_str())
            .collect();
        assert_eq!(names, ["grant", "grant"]);
    }
}
