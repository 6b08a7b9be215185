//! The closed system and the steps of its proof, as data.

use std::fmt::{Display, Write as _};

use ramsey_kernel::core::{Core, Named, Node, NodeId, Pool, Proof, Query, Step, Symbol};

/// Number of steps in one definition. Long lists take more than their share of time to read.
const CHUNK: usize = 500;

/// Writes the file about all that a system claims.
pub(super) fn text(proof: &Proof) -> String {
    let core = &proof.core;
    let mut text = head();
    system(&mut text, core);
    let _ = writeln!(text, "Definition invs : list form := {}.", formulas(&core.pool, &core.invariants));
    steps(&mut text, proof);
    // An invariant is among the hypotheses of what is claimed, so that no clause is needed for it.
    let (initially, preserved, asserted, shown_theorems) = proof.of_claims();
    let asserted: Vec<usize> = core.invariants.iter().map(|_| 0).chain(asserted).collect();
    let preserved: Vec<String> = preserved.iter().map(|clauses| positive(clauses)).collect();
    let _ = writeln!(
        text,
        "Definition C : certificate := {{| invariants := invs; steps := proof;\n at_init := {}%positive;\n at_step := [{}]%positive;\n at_safety := {}%positive |}}.",
        positive(&initially),
        preserved.join(";"),
        positive(&asserted),
    );
    text.push_str(
        "Lemma checked : check T C = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\
         Theorem system_is_safe : excluded_middle -> safe T.\nProof. exact (check_ok T C checked). Qed.\n",
    );
    if !core.theorems.is_empty() {
        theorems(&mut text, core);
        let _ = writeln!(
            text,
            "Lemma checked_theorems : check_queries S Q proof {}%positive = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\
             Theorem theorems_hold : excluded_middle -> forall q, In q Q -> entails S (fst q) (snd q).\n\
             Proof. exact (check_queries_ok S Q proof _ checked_theorems). Qed.",
            positive(&shown_theorems),
        );
    }
    text
}

/// Writes the file about executions of at most `depth` steps. The proof is about their queries, the closed system has what is claimed
/// of each of their states.
pub(super) fn text_within(closed: &Core, depth: u16, proof: &Proof) -> String {
    let mut text = head();
    text.push_str("Require Import Bounded.\n");
    system(&mut text, closed);
    steps(&mut text, proof);
    theorems(&mut text, closed);
    let clauses: Vec<usize> = proof.clauses.iter().map(|clause| clause.unwrap_or(0)).collect();
    let _ = writeln!(
        text,
        "Definition depth : nat := {depth}.\n\
         Lemma checked : check_queries S (Q ++ queries_within T depth) proof {}%positive = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\
         Definition queries_hold := check_queries_ok S _ proof _ checked.\n\
         Theorem theorems_hold : excluded_middle -> forall q, In q Q -> entails S (fst q) (snd q).\n\
         Proof. intros EM q H. apply (queries_hold EM). apply in_or_app. left. exact H. Qed.\n\
         Theorem system_is_safe_within : excluded_middle -> safe_within T depth.\n\
         Proof. intros EM. apply within_ok. intros q H. apply (queries_hold EM). apply in_or_app. right. exact H. Qed.",
        positive(&clauses),
    );
    text
}

/// Writes the file about queries, some of which are refuted.
pub(super) fn text_of_queries(proof: &Proof, refuted: &[usize]) -> String {
    let core = &proof.core;
    let mut text = head();
    signature(&mut text, core);
    for (at, (_, hypothesis)) in core.hypotheses.iter().enumerate() {
        let _ = writeln!(text, "Definition h{at} : form := {}.", formula(&core.pool, hypothesis.formula));
    }
    let shown =
        || core.queries.iter().zip(&proof.clauses).filter_map(|(query, clause)| Some((query, (*clause)?)));
    let query = |(query, _): (&Query, usize)| {
        let hypotheses = list(query.hypotheses.iter().map(|at| format!("h{at}")));
        format!("({hypotheses}, {})", formula(&core.pool, query.goal.formula))
    };
    let queries: Vec<String> = shown().map(query).collect();
    let _ = writeln!(text, "Definition Q : list (list form * form) := [\n{}].", queries.join(";\n"));
    steps(&mut text, proof);
    let clauses: Vec<usize> = shown().map(|(_, clause)| clause).collect();
    let _ = writeln!(
        text,
        "Lemma checked : check_queries S Q proof {}%positive = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\
         Theorem queries_hold : excluded_middle -> forall q, In q Q -> entails S (fst q) (snd q).\n\
         Proof. exact (check_queries_ok S Q proof _ checked). Qed.",
        positive(&clauses),
    );
    for &at in refuted {
        let query = &core.queries[at];
        let parts = query.hypotheses.iter().map(|at| format!("h{at}")).chain(denied(core, query));
        let _ = writeln!(text, "Definition R{at} : list form := {}.", list(parts));
    }
    text
}

/// Returns that the goal of a query is false; none if it always is.
fn denied(core: &Core, query: &Query) -> Option<String> {
    match core.pool.node(query.goal.formula) {
        Node::Or(items) if items.is_empty() => None,
        Node::Not(inner) => Some(formula(&core.pool, *inner)),
        _ => Some(format!("(Not {})", formula(&core.pool, query.goal.formula))),
    }
}

fn head() -> String {
    String::from(
        "(* A closed system, and the steps of its proof. Nothing here needs to be read: Theorem.v says what is proved. *)\n\
         Require Import List PArith. Require Import Core Check Sound Short. Import ListNotations.\n",
    )
}

/// Writes a closed system.
fn system(text: &mut String, core: &Core) {
    signature(text, core);
    let claims: Vec<&Named> = core.invariants.iter().chain(&core.assertions).collect();
    let _ = writeln!(
        text,
        "Definition T : system := {{| signature := S;\n axioms := {};\n inits := {};\n transitions := {};\n safety := {} |}}.\n\
         Lemma well_sorted : system_well_sorted T = true. Proof. reflexivity. Qed.",
        formulas(&core.pool, &core.axioms),
        formulas(&core.pool, &core.inits),
        formulas(&core.pool, &core.transitions),
        formulas(&core.pool, claims),
    );
}

/// Writes the steps of a proof.
fn steps(text: &mut String, proof: &Proof) {
    let mut parts = Vec::new();
    for (at, chunk) in proof.steps.chunks(CHUNK).enumerate() {
        let steps: Vec<String> = chunk.iter().map(|it| step(&proof.core.pool, it)).collect();
        let _ = writeln!(text, "Definition p{at} : list step := [\n{}].", steps.join(";\n"));
        parts.push(format!("p{at}"));
    }
    parts.push("[]".to_owned());
    let _ = writeln!(text, "Definition proof : list step := {}.", parts.join(" ++ "));
}

fn signature(text: &mut String, core: &Core) {
    let args = |symbols: &mut dyn Iterator<Item = &Symbol>| {
        let lists: Vec<String> = symbols.map(|symbol| list(&symbol.args)).collect();
        format!("[{}]", lists.join(";"))
    };
    let mutable = |symbols: &mut dyn Iterator<Item = &Symbol>| {
        let words: Vec<String> = symbols.map(|symbol| symbol.is_mutable.to_string()).collect();
        format!("[{}]", words.join(";"))
    };
    let results: Vec<usize> = core.functions.iter().map(|(_, result)| *result).collect();
    let functions = || core.functions.iter().map(|(symbol, _)| symbol);
    let _ = writeln!(
        text,
        "Definition S : sig := {{| fargs := fun f => nth f {} []; fres := fun f => nth f {} 0; rargs := fun r => nth r {} [];\n \
         fmut := fun f => nth f {} false; rmut := fun r => nth r {} false |}}.",
        args(&mut functions()),
        list(&results),
        args(&mut core.relations.iter()),
        mutable(&mut functions()),
        mutable(&mut core.relations.iter()),
    );
}

/// Writes the theorems with what is assumed of them.
fn theorems(text: &mut String, core: &Core) {
    let mut queries = Vec::new();
    for theorem in &core.theorems {
        let (rigid, states) = core.axioms.split_at(core.immutable);
        let mut hypotheses: Vec<String> = rigid.iter().map(|it| formula(&core.pool, it.formula)).collect();
        let about = if theorem.is_about_states { theorem.states } else { 0 };
        for state in 0..about {
            let at = |it: &Named| format!("(at_state {state} {})", formula(&core.pool, it.formula));
            hypotheses.extend(states.iter().map(at));
        }
        let goal = formula(&core.pool, theorem.claim.formula);
        queries.push(format!("([{}], {goal})", hypotheses.join("; ")));
    }
    let _ = writeln!(text, "Definition Q : list (list form * form) := [\n{}].", queries.join(";\n"));
}

/// Writes numbers of clauses, which are positive there. Where none is needed any will do.
fn positive(clauses: &[usize]) -> String {
    list(clauses.iter().map(|&clause| clause.max(1)))
}

fn formulas<'a>(pool: &Pool, list: impl IntoIterator<Item = &'a Named>) -> String {
    let formulas: Vec<String> = list.into_iter().map(|named| formula(pool, named.formula)).collect();
    format!("[{}]", formulas.join(";\n  "))
}

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(";"))
}

fn options(items: &[Option<u32>]) -> String {
    let word = |item: &Option<u32>| item.map_or_else(|| "None".to_owned(), |number| format!("Some {number}"));
    format!("{}%positive", list(items.iter().map(word)))
}

fn nodes(pool: &Pool, items: &[NodeId]) -> String {
    list(items.iter().map(|&item| formula(pool, item)))
}

/// Returns a term or formula.
fn formula(pool: &Pool, id: NodeId) -> String {
    match pool.node(id) {
        Node::Var(at) => format!("(V {at})"),
        Node::Constant(sort, number) => format!("(K {sort} {number})"),
        Node::App(at, function, args) => match *at {
            None if args.is_empty() => format!("(c {function})"),
            Some(at @ 0..=1) if args.is_empty() => format!("(c{at} {function})"),
            None => format!("(a {function} {})", nodes(pool, args)),
            Some(at @ 0..=1) => format!("(a{at} {function} {})", nodes(pool, args)),
            Some(at) => format!("(App (Some {at}) {function} {})", nodes(pool, args)),
        },
        Node::Rel(at, relation, args) => match *at {
            None => format!("(r {relation} {})", nodes(pool, args)),
            Some(at @ 0..=1) => format!("(r{at} {relation} {})", nodes(pool, args)),
            Some(at) => format!("(Rel (Some {at}) {relation} {})", nodes(pool, args)),
        },
        Node::Eq(sort, a, b) => format!("(E {sort} {} {})", formula(pool, *a), formula(pool, *b)),
        Node::Not(a) => format!("(Not {})", formula(pool, *a)),
        Node::And(items) => format!("(And {})", nodes(pool, items)),
        Node::Or(items) => format!("(Or {})", nodes(pool, items)),
        Node::Implies(a, b) => format!("(Imp {} {})", formula(pool, *a), formula(pool, *b)),
        Node::Iff(a, b) => format!("(Iff {} {})", formula(pool, *a), formula(pool, *b)),
        Node::Forall(sort, body) => format!("(All {sort} {})", formula(pool, *body)),
        Node::Exists(sort, body) => format!("(Ex {sort} {})", formula(pool, *body)),
    }
}

fn step(pool: &Pool, step: &Step) -> String {
    let positive = |items: &[u32]| format!("{}%positive", list(items));
    match step {
        Step::Define(n, node) => format!("Def {n} {}", formula(pool, *node)),
        Step::AndElim(n, at, l) => format!("AndE {n} {at} {l}"),
        Step::AndIntro(n, all) => format!("AndI {n} {}", positive(all)),
        Step::OrElim(n, all) => format!("OrE {n} {}", positive(all)),
        Step::OrIntro(n, at, l) => format!("OrI {n} {at} {l}"),
        Step::ImpliesElim(n, a, b) => format!("ImpE {n} {a} {b}"),
        Step::ImpliesIntro(n, a, b, by_premise) => format!("ImpI {n} {a} {b} {by_premise}"),
        Step::Iff(n, a, b, at) => format!("IffC {n} {a} {b} {at}"),
        Step::Instance(n, values, l) => format!("Inst {n} {} {l}", nodes(pool, values)),
        Step::Witness(n, _, count, l) => format!("Wit {n} {count} {l}"),
        Step::Reflexive(n) => format!("Refl {n}"),
        Step::Transitive(a, b, c) => format!("Trans {a} {b} {c}"),
        Step::Function(n, equations) => format!("CongF {n} {}", options(equations)),
        Step::Relation(a, b, equations) => format!("CongR {a} {b} {}", options(equations)),
        Step::Derived(clause, hints) => format!("Rup {} {}%positive", positive(clause), list(hints)),
    }
}
