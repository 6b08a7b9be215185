//! Tests of contexts against evaluation: judged answers, retired hypotheses, memory.

use super::{Context, Failure, Found, Judged, Question, Size, judge};
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::{Signature, Sort, SortId, SymId, Symbol, SymbolKind, TermId, Terms};

/// Creates a sort, relations without arguments `p0`, `p1`, .., and an atom for each of them.
fn language(count: usize) -> (Signature, Terms, Vec<TermId>) {
    let (mut sig, mut terms) = (Signature::new(), Terms::new());
    sig.sorts.push(Sort::new("s"));
    let atoms = (0..count)
        .map(|at| {
            let symbol = Symbol::new(format!("p{at}"), Vec::new(), SortId::BOOL, SymbolKind::Immutable);
            let sym = sig.symbols.push(symbol);
            terms.app(&sig, sym, 0, &[])
        })
        .collect();
    (sig, terms, atoms)
}

fn question<'q>(hypotheses: &'q [super::HypothesisId], negated: &'q [TermId]) -> Question<'q> {
    Question { hypotheses, negated, states: 1, size: Size::AsFound }
}

#[test]
fn proofs_name_the_hypotheses_that_they_need() {
    let (sig, mut terms, p) = language(4);
    let implications: Vec<TermId> = (0..3).map(|at| terms.implies(p[at], p[at + 1])).collect();
    let negated = [terms.not(p[2])];
    let mut budget = Budget::unlimited();
    let mut context = Context::new(sig.clone(), terms, 0, None);
    context.assume(p[0], &mut budget);
    let ids: Vec<_> = implications.iter().map(|&formula| context.add(formula, &mut budget)).collect();
    let answer = context.ask(&question(&ids, &negated), &mut budget, |_| Ok(()));
    assert_eq!(answer, Ok(Judged::Proved(ids[..2].to_vec())));
    // A retired hypothesis is ignored, even if a question names it.
    context.retire(ids[1]);
    let assumed = [p[0], implications[0], implications[2]];
    let answer = context.ask(&question(&ids, &negated), &mut budget, |found: Found<'_>| {
        let Found { structure, terms, mut budget, .. } = found;
        judge(terms.over(&sig), &structure, assumed, p[2], &mut budget, |at| format!("formula {at}"))
    });
    assert_eq!(answer, Ok(Judged::Refuted(())));
    assert_eq!(context.len(), 2);
}

#[test]
fn judges_refuse_what_is_no_counterexample() {
    let (sig, terms, p) = language(2);
    let mut context = Context::new(sig.clone(), terms, 0, None);
    let answer = context.ask(&question(&[], &[p[0]]), &mut Budget::unlimited(), |found| {
        judge(found.terms.over(&sig), &found.structure, [], p[0], &mut Budget::unlimited(), |_| String::new())
    });
    assert!(matches!(answer, Err(Failure::Internal(_))), "{answer:?}");
}

/// Exactly one of two relations is true. The one that is decided first has the value with which decisions begin.
#[test]
fn relations_are_decided_first_that_are_to_be() {
    let values = [0, 1].map(|first| {
        let (sig, mut terms, p) = language(2);
        let differ = terms.iff(p[0], p[1]);
        let differ = terms.not(differ);
        let name = format!("p{first}");
        let first: SymId = sig.symbols.ids().find(|&sym| *sig.symbols[sym].name == *name).expect("a symbol");
        let mut context = Context::new(sig.clone(), terms, 0, None);
        context.decide_first(&[first]);
        let answer = context.ask(&question(&[], &[differ]), &mut Budget::unlimited(), |found| {
            Ok(found.structure.interpretation(&sig, first, 0).get(&[]))
        });
        let Ok(Judged::Refuted(value)) = answer else { panic!("{answer:?}") };
        value
    });
    assert_eq!(values[0], values[1]);
}

#[test]
fn budgets_end_questions() {
    let (sig, terms, p) = language(1);
    let mut context = Context::new(sig, terms, 0, None);
    let answer = context.ask(&question(&[], &[p[0]]), &mut Budget::new(Some(0), None), |_| Ok(()));
    assert!(matches!(answer, Err(Failure::Exhausted(_))), "{answer:?}");
}

/// A question with the formulas of the last one, which is still open, has the answer of a new one: with other hypotheses, after one that a
/// limit ended, and after a formula that was added.
#[test]
fn questions_with_the_same_formulas_have_answers_of_their_own() {
    let (sig, mut terms, p) = language(3);
    let implications = [terms.implies(p[0], p[1]), terms.implies(p[1], p[2])];
    let not_last = terms.not(p[2]);
    let negated = [terms.and(&[p[0], not_last])];
    let mut budget = Budget::unlimited();
    let mut context = Context::new(sig, terms, 0, None);
    let ids = implications.map(|formula| context.add(formula, &mut budget));
    let mut ask = |context: &mut Context, hypotheses: &[super::HypothesisId]| {
        context.ask(&question(hypotheses, &negated), &mut budget, |_| Ok(()))
    };
    assert_eq!(ask(&mut context, &ids[..1]), Ok(Judged::Refuted(())));
    assert_eq!(ask(&mut context, &ids), Ok(Judged::Proved(ids.to_vec())));
    assert_eq!(ask(&mut context, &ids[1..]), Ok(Judged::Refuted(())));
    context.pose(&[p[1]], &mut Budget::unlimited());
    context.pose(&negated, &mut Budget::new(Some(0), None));
    assert_eq!(ask(&mut context, &ids), Ok(Judged::Proved(ids.to_vec())));
    context.assume(p[1], &mut Budget::unlimited());
    assert_eq!(ask(&mut context, &ids[1..]), Ok(Judged::Proved(ids[1..].to_vec())));
}

/// Repeating a question leaves nothing in the solver, and the memory of retired hypotheses is reclaimed.
#[test]
fn memory_is_in_proportion_to_what_counts() {
    let (mut sig, mut terms, _) = language(0);
    let sort = SortId::BOOL;
    let s = sig.uninterpreted_sorts().next().expect("a sort");
    let symbol =
        |name: &str, args: Vec<SortId>, result| Symbol::new(name, args, result, SymbolKind::Immutable);
    let r = sig.symbols.push(symbol("r", vec![s, s], sort));
    let constants: Vec<TermId> = (0..30)
        .map(|at| {
            let sym = sig.symbols.push(symbol(&format!("c{at}"), Vec::new(), s));
            terms.app(&sig, sym, 0, &[])
        })
        .collect();
    let vars = [terms.new_var("X", s), terms.new_var("Y", s), terms.new_var("Z", s)];
    let [x, y, z] = vars.map(|var| terms.var(var));
    let mut atom = |a, b| terms.app(&sig, r, 0, &[a, b]);
    let (xy, yz, xz) = (atom(x, y), atom(y, z), atom(x, z));
    let chain: Vec<TermId> = constants.windows(2).map(|pair| atom(pair[0], pair[1])).collect();
    let ends = atom(constants[0], constants[29]);
    let both = terms.and(&[xy, yz]);
    let step = terms.implies(both, xz);
    let transitive = terms.forall(&vars, step);
    let not_ends = terms.not(ends);
    let mut budget = Budget::unlimited();
    let mut context = Context::new(sig, terms, 0, None);
    chain.iter().for_each(|&formula| context.assume(formula, &mut budget));
    let goal = context.add(not_ends, &mut budget);
    let kept = context.add(transitive, &mut budget);
    let first = context.ask(&question(&[goal, kept], &[]), &mut budget, |_| Ok(()));
    assert_eq!(first, Ok(Judged::Proved(vec![goal, kept])));
    let size = context.size();
    for _ in 0..1_000 {
        let again = context.ask(&question(&[goal, kept], &[]), &mut budget, |_| Ok(()));
        assert_eq!(again, first);
    }
    assert_eq!(context.size(), size, "a repeated question leaves nothing behind");
    let (mut largest, mut before) = (0, context.statistics());
    for _ in 0..200 {
        let id = context.add(transitive, &mut budget);
        let answer = context.ask(&question(&[goal, id], &[]), &mut budget, |_| Ok(()));
        assert_eq!(answer, Ok(Judged::Proved(vec![goal, id])));
        context.retire(id);
        largest = largest.max(context.size());
        let now = context.statistics();
        assert!(now.terms >= before.terms && now.queries > before.queries, "a new solver goes on counting");
        before = now;
    }
    assert!(
        largest <= 2 * super::context::MIN_REBUILD_SIZE,
        "the memory of retired hypotheses comes back: {largest}"
    );
}
