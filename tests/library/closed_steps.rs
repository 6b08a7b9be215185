//! The rules of the calculus about closed systems, one by one: each accepts a right step, and refuses wrong ones for the right
//! reason.

use ramsey::core::calculus::{Rejected, check};
use ramsey::core::{Core, Node, NodeId, Proof, Step, Symbol};

/// A sort `t` and a sort `u`, constants `a`, `b`, `c` of `t` and `d` of `u`, a function `f` on `t`, and relations `p`, `q` on `t`.
struct Small {
    core: Core,
    steps: Vec<Step>,
}

impl Small {
    fn new() -> Small {
        let symbol = |name: &str, args: &[usize]| Symbol {
            name: name.to_owned(),
            args: args.to_vec(),
            is_mutable: false,
        };
        let core = Core {
            sorts: vec!["t".into(), "u".into()],
            functions: vec![
                (symbol("a", &[]), 0),
                (symbol("b", &[]), 0),
                (symbol("c", &[]), 0),
                (symbol("d", &[]), 1),
                (symbol("f", &[0]), 0),
            ],
            relations: vec![symbol("p", &[0]), symbol("q", &[0])],
            ..Core::default()
        };
        Small { core, steps: Vec::new() }
    }

    fn node(&mut self, node: Node) -> NodeId {
        self.core.pool.intern(node)
    }

    /// A constant: 0 to 2 for `a` to `c`, 3 for `d`.
    fn constant(&mut self, at: usize) -> NodeId {
        self.node(Node::App(None, at, Box::default()))
    }

    fn apply(&mut self, to: NodeId) -> NodeId {
        self.node(Node::App(None, 4, [to].into()))
    }

    /// `p` (0) or `q` (1) of a term.
    fn atom(&mut self, relation: usize, to: NodeId) -> NodeId {
        self.node(Node::Rel(None, relation, [to].into()))
    }

    fn equal(&mut self, a: usize, b: usize) -> NodeId {
        let (a, b) = (self.constant(a), self.constant(b));
        self.node(Node::Eq(0, a, b))
    }

    fn define(&mut self, number: u32, formula: NodeId) {
        self.steps.push(Step::Define(number, formula));
    }

    /// Checks the steps so far with one more.
    fn with(&self, step: Step) -> Result<(), Rejected> {
        let steps = self.steps.iter().cloned().chain([step]).collect();
        let (initially, preserved, asserted, theorems) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        check(&Proof { core: self.core.clone(), steps, initially, preserved, asserted, theorems })
    }

    #[track_caller]
    fn accepts(&self, step: Step) {
        assert_eq!(self.with(step), Ok(()));
    }

    #[track_caller]
    fn refuses(&self, step: Step, reason: &str) {
        let rejected = self.with(step).expect_err("a wrong step");
        assert_eq!((rejected.step, rejected.reason), (self.steps.len() + 1, reason));
    }
}

/// Formula 1 is `p(a)`, 2 is `q(a)`, and 3 is what `make` says of them.
fn over_two(make: fn(NodeId, NodeId) -> Node) -> Small {
    let mut small = Small::new();
    let a = small.constant(0);
    let (p, q) = (small.atom(0, a), small.atom(1, a));
    small.define(1, p);
    small.define(2, q);
    let whole = small.node(make(p, q));
    small.define(3, whole);
    small
}

#[test]
fn formulas_have_one_number() {
    let mut small = over_two(|p, _| Node::Not(p));
    let (ab, ba, ac) = (small.equal(0, 1), small.equal(1, 0), small.equal(0, 2));
    small.define(4, ab);
    small.accepts(Step::Define(4, ba));
    small.refuses(Step::Define(4, ac), "the number is that of another formula");
    small.refuses(Step::Define(0, ac), "formulas are counted from 1");
    let early = small.node(Node::Constant(0, 1));
    let about = small.atom(0, early);
    small.refuses(Step::Define(5, about), "a constant that is not introduced yet");
}

#[test]
fn conjunctions_and_disjunctions_are_taken_apart() {
    let small = over_two(|p, q| Node::And([p, q].into()));
    small.accepts(Step::AndElim(3, 1, 4));
    small.refuses(Step::AndElim(3, 1, 5), "the literal has the wrong sign");
    small.refuses(Step::AndElim(3, 1, 2), "the number is that of another formula");
    small.refuses(Step::AndElim(3, 2, 4), "the conjunction has fewer parts");
    small.refuses(Step::AndElim(1, 0, 2), "not a conjunction");
    small.refuses(Step::AndElim(9, 0, 2), "no such formula");
    small.accepts(Step::AndIntro(3, vec![2, 4]));
    small.refuses(Step::AndIntro(3, vec![2]), "not a literal for each part");
    small.refuses(Step::AndIntro(3, vec![4, 2]), "the number is that of another formula");
    small.refuses(Step::OrElim(3, vec![2, 4]), "not a disjunction");
    let small = over_two(|p, q| Node::Or([p, q].into()));
    small.accepts(Step::OrIntro(3, 0, 2));
    small.refuses(Step::OrIntro(3, 0, 3), "the literal has the wrong sign");
    small.refuses(Step::OrIntro(3, 2, 2), "the disjunction has fewer parts");
    small.refuses(Step::OrIntro(1, 0, 2), "not a disjunction");
    small.accepts(Step::OrElim(3, vec![2, 4]));
    small.refuses(Step::OrElim(3, vec![2, 5]), "the literal has the wrong sign");
    small.refuses(Step::AndIntro(3, vec![2, 4]), "not a conjunction");
}

#[test]
fn implications_and_equivalences_have_their_parts() {
    let small = over_two(Node::Implies);
    for step in
        [Step::ImpliesElim(3, 2, 4), Step::ImpliesIntro(3, 2, 4, true), Step::ImpliesIntro(3, 2, 4, false)]
    {
        small.accepts(step);
    }
    small.refuses(Step::ImpliesElim(3, 4, 2), "the number is that of another formula");
    small.refuses(Step::ImpliesIntro(3, 3, 4, true), "the literal has the wrong sign");
    small.refuses(Step::ImpliesElim(1, 2, 4), "not an implication");
    small.refuses(Step::Iff(3, 2, 4, 0), "not an equivalence");
    let small = over_two(Node::Iff);
    (0..4).for_each(|at| small.accepts(Step::Iff(3, 2, 4, at)));
    small.refuses(Step::Iff(3, 2, 5, 0), "the literal has the wrong sign");
    small.refuses(Step::ImpliesElim(3, 2, 4), "not an implication");
}

#[test]
fn quantified_formulas_have_instances_and_witnesses() {
    let mut small = Small::new();
    // `forall X, Y. p(X) & q(Y)`.
    let [outer, inner] = [1, 0].map(|at| small.node(Node::Var(at)));
    let (p, q) = (small.atom(0, outer), small.atom(1, inner));
    let body = small.node(Node::And([p, q].into()));
    let one = small.node(Node::Forall(0, body));
    let all = small.node(Node::Forall(0, one));
    let some = small.node(Node::Exists(0, one));
    let [a, b, _, d] = [0, 1, 2, 3].map(|at| small.constant(at));
    small.define(1, all);
    small.define(2, some);
    let wanted = |small: &mut Small, x: NodeId, y: NodeId| {
        let parts = [small.atom(0, x), small.atom(1, y)];
        small.node(Node::And(parts.into()))
    };
    // The first value is that of the outer variable.
    let (ab, ba) = (wanted(&mut small, a, b), wanted(&mut small, b, a));
    small.define(3, ab);
    small.define(4, ba);
    small.accepts(Step::Instance(1, vec![a, b], 6));
    small.refuses(Step::Instance(1, vec![a, b], 8), "the number is that of another formula");
    small.refuses(Step::Instance(1, vec![a, b], 7), "the literal has the wrong sign");
    small.refuses(Step::Instance(1, vec![a, d], 6), "a value of another sort");
    small.refuses(Step::Instance(1, vec![a, inner], 6), "a value has variables");
    small.refuses(Step::Instance(1, vec![a, b, a], 6), "the formula has fewer variables");
    small.refuses(Step::Instance(3, vec![a], 6), "not a quantified formula");
    // A block of quantifiers is of one kind.
    small.refuses(Step::Instance(2, vec![a, b], 6), "the formula has fewer variables");
    small.accepts(Step::Witness(1, 1, 2, 10));
    small.refuses(Step::Witness(1, 2, 2, 10), "constants are not the next ones");
    small.refuses(Step::Witness(1, 1, 3, 10), "the formula has fewer variables");
    small.refuses(Step::Witness(2, 1, 2, 10), "the formula has fewer variables");
    small.refuses(Step::Witness(1, 1, 2, 6), "the number is that of another formula");
    small.refuses(Step::Witness(3, 1, 1, 10), "the formula has fewer variables");
    // Witnesses are new each time.
    small.steps.push(Step::Witness(1, 1, 2, 10));
    small.refuses(Step::Witness(2, 1, 1, 12), "constants are not the next ones");
    small.accepts(Step::Witness(2, 3, 1, 12));
}

#[test]
fn variables_of_inner_binders_stay() {
    // `forall X. exists Y. X = Y` has the instance `exists Y. a = Y`, and not `exists Y. a = a`.
    let mut small = Small::new();
    let [outer, inner] = [1, 0].map(|at| small.node(Node::Var(at)));
    let a = small.constant(0);
    let mut below = |x, y| {
        let equal = small.node(Node::Eq(0, x, y));
        small.node(Node::Exists(0, equal))
    };
    let (open, right, wrong) = (below(outer, inner), below(a, inner), below(a, a));
    let all = small.node(Node::Forall(0, open));
    small.define(1, all);
    small.define(2, right);
    small.define(3, wrong);
    small.accepts(Step::Instance(1, vec![a], 4));
    small.refuses(Step::Instance(1, vec![a], 6), "the number is that of another formula");
}

#[test]
fn equality_has_its_laws() {
    let mut small = Small::new();
    let [a, b] = [0, 1].map(|at| small.constant(at));
    let (fa, fb) = (small.apply(a), small.apply(b));
    let (pa, pb, qb) = (small.atom(0, a), small.atom(0, b), small.atom(1, b));
    let of_functions = small.node(Node::Eq(0, fa, fb));
    let mixed = small.node(Node::Eq(0, fa, b));
    let formulas = [
        small.equal(0, 0),
        small.equal(0, 1),
        small.equal(1, 2),
        small.equal(0, 2),
        of_functions,
        pa,
        pb,
        qb,
        mixed,
    ];
    for (at, formula) in formulas.into_iter().enumerate() {
        small.define(at as u32 + 1, formula);
    }
    let (aa, ab, bc, ac, ff, pa, pb, qb, mixed) = (1, 2, 3, 4, 5, 6, 7, 8, 9);
    small.accepts(Step::Reflexive(aa));
    small.refuses(Step::Reflexive(ab), "not an equation of a term with itself");
    small.refuses(Step::Reflexive(pa), "not an equation of a term with itself");
    small.accepts(Step::Transitive(ab, bc, ac));
    small.accepts(Step::Transitive(ac, bc, ab));
    small.refuses(Step::Transitive(ab, ab, ac), "the equations make no chain");
    small.refuses(Step::Transitive(ab, ac, ff), "the equations make no chain");
    small.refuses(Step::Transitive(ab, pa, ac), "the equations make no chain");
    small.refuses(Step::Transitive(pa, ab, ac), "not an equation");
    small.accepts(Step::Function(ff, vec![Some(ab)]));
    small.refuses(Step::Function(ff, vec![None]), "arguments are not the same");
    small.refuses(Step::Function(ff, vec![Some(ac)]), "an equation of other terms");
    small.refuses(Step::Function(ff, vec![Some(pa)]), "an equation of other terms");
    small.refuses(Step::Function(ff, vec![]), "not an equation for each argument");
    small.refuses(Step::Function(mixed, vec![Some(ab)]), "two functions");
    small.refuses(Step::Function(pa, vec![Some(ab)]), "not an equation");
    small.accepts(Step::Relation(pa, pb, vec![Some(ab)]));
    small.refuses(Step::Relation(pa, pb, vec![None]), "arguments are not the same");
    small.refuses(Step::Relation(pa, qb, vec![Some(ab)]), "two relations");
    small.refuses(Step::Relation(pa, ab, vec![Some(ab)]), "not an atom of a relation");
}

#[test]
fn clauses_follow_by_unit_propagation() {
    let mut small = over_two(|p, q| Node::And([p, q].into()));
    // Clause 1 is -3, 1; clause 2 is -3, 2; clause 3 is 3, -1, -2.
    small.steps.extend([Step::AndElim(3, 0, 2), Step::AndElim(3, 1, 4), Step::AndIntro(3, vec![2, 4])]);
    small.accepts(Step::Derived(vec![7, 2], vec![1]));
    small.refuses(Step::Derived(vec![6, 2], vec![1]), "the hints lead to no contradiction");
    small.refuses(Step::Derived(vec![7], vec![1, 2]), "the hints lead to no contradiction");
    small.refuses(Step::Derived(vec![7, 2], vec![]), "the hints lead to no contradiction");
    small.refuses(Step::Derived(vec![6], vec![3]), "a hint has two literals that are not false");
    small.refuses(Step::Derived(vec![7, 2], vec![4]), "no such clause");
    small.refuses(Step::Derived(vec![7, 2], vec![0]), "no such clause");
    small.refuses(Step::Derived(vec![], vec![1, 2, 3]), "a hint has two literals that are not false");
}
