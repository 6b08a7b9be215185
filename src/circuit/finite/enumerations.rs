//! Sorts whose elements are all named: the axioms say how many there are.

use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Node, SortId, SymId, SymbolKind, TermId, VarId};
use ramsey_core::system::System;

/// A sort of which the axioms say that its elements are these constants, all different.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumeration {
    /// The sort.
    pub sort: SortId,
    /// The constants: one for each element.
    pub constants: Vec<SymId>,
}

/// Returns the sorts whose elements the axioms name one by one, in order. Recognized are axioms, or conjuncts of them, of the forms
/// `forall X. X = a | X = b`, `distinct(a, b)` and `a != b`, about immutable constants.
pub fn enumerations(system: &System) -> Vec<Enumeration> {
    let mut axioms: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
    let mut found: Vec<Enumeration> = Vec::new();
    let mut different: Set<(SymId, SymId)> = Set::default();
    while let Some(formula) = axioms.pop() {
        match system.terms.node(formula) {
            Node::And(parts) => axioms.extend(system.terms.args(parts)),
            Node::Distinct(args) => {
                let constants: Vec<Option<SymId>> =
                    system.terms.args(args).iter().map(|&arg| constant(system, arg)).collect();
                for (at, &left) in constants.iter().enumerate() {
                    different.extend(constants[..at].iter().filter_map(|&right| pair(left?, right?)));
                }
            }
            Node::Not(inner) => {
                if let Node::Eq(left, right) = system.terms.node(inner)
                    && let (Some(left), Some(right)) = (constant(system, left), constant(system, right))
                {
                    different.extend(pair(left, right));
                }
            }
            Node::Forall(vars, body) => found.extend(covering(system, system.terms.args(vars), body)),
            _ => {}
        }
    }
    found.retain(|it| {
        let others = |at: usize| it.constants[..at].iter().copied();
        let is_new = |at: usize, it: SymId| {
            others(at).all(|other| pair(it, other).is_some_and(|pair| different.contains(&pair)))
        };
        it.constants.iter().enumerate().all(|(at, &constant)| is_new(at, constant))
    });
    found.sort_by_key(|it| it.sort);
    found.dedup_by_key(|it| it.sort);
    found
}

/// Returns two different symbols in ascending order.
fn pair(left: SymId, right: SymId) -> Option<(SymId, SymId)> {
    (left != right).then(|| (left.min(right), left.max(right)))
}

/// Returns the immutable constant that a term is.
fn constant(system: &System, term: TermId) -> Option<SymId> {
    let Node::App { sym, args, .. } = system.terms.node(term) else { return None };
    (args.is_empty() && system.sig.symbols[sym].kind == SymbolKind::Immutable).then_some(sym)
}

/// Returns the constants of `forall X. X = a | X = b`, each once.
fn covering(system: &System, vars: &[TermId], body: TermId) -> Option<Enumeration> {
    let &[var] = vars else { return None };
    let Node::Var(var) = system.terms.node(var) else { return None };
    let parts = match system.terms.node(body) {
        Node::Or(parts) => system.terms.args(parts).to_vec(),
        _ => vec![body],
    };
    let mut constants: Vec<SymId> = Vec::new();
    for part in parts {
        let Node::Eq(left, right) = system.terms.node(part) else { return None };
        let is_var = |term: TermId, var: VarId| matches!(system.terms.node(term), Node::Var(it) if it == var);
        let other = match (is_var(left, var), is_var(right, var)) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        let constant = constant(system, other)?;
        if !constants.contains(&constant) {
            constants.push(constant);
        }
    }
    Some(Enumeration { sort: system.terms.var_info(var).sort, constants })
}
