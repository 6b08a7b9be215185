//! Conjecture of a partial structure (Ivy, PLDI 2016, Definition 5), in a readable form.
//!
//! The conjecture is equivalent to the negation of the diagram, with these changes: an element that is the value of a
//! function is replaced by the term of the function, repeated literals are dropped, and negative literals move to the
//! right of an implication.

use super::partial::Partial;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::SyntaxMut;
use ramsey_core::logic::sig::{Signature, SortId, SymbolKind};
use ramsey_core::logic::structure::element_name;
use ramsey_core::logic::term::{Node, TermId, Terms, VarId};

impl Partial {
    /// Returns the universal formula over step 0 that is false in exactly the states that contain the partial
    /// structure.
    pub fn conjecture(&self, syntax: SyntaxMut<'_>) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        let (mut vars, mut literals) =
            self.matrix(terms.over_mut(sig), |sort, elem| element_name(sig, sort, elem).to_uppercase());
        while let Some((at, var, value)) = definition(terms, &literals, &vars) {
            literals.remove(at);
            let map: Map<VarId, TermId> = std::iter::once((var, value)).collect();
            for literal in &mut literals {
                *literal = terms.substitute(*literal, &map);
            }
            vars.retain(|&other| other != var);
        }
        let mut kept: Vec<TermId> = Vec::new();
        for literal in literals {
            let is_trivial = matches!(terms.node(literal), Node::Eq(a, b) if a == b);
            if !is_trivial && !kept.contains(&literal) && !kept.contains(&mirrored(terms, literal)) {
                kept.push(literal);
            }
        }
        close(terms.over_mut(sig), &vars, &kept)
    }
}

/// Finds a literal `f(..) = x` where the variable does not occur in the term. Returns its index, the variable and the
/// term.
fn definition(terms: &Terms, literals: &[TermId], vars: &[VarId]) -> Option<(usize, VarId, TermId)> {
    literals.iter().enumerate().find_map(|(at, &literal)| {
        let Node::Eq(a, b) = terms.node(literal) else { return None };
        // The application is on the left, unless a substitution has put another one on the right.
        let (var, value) = match (terms.as_var(a), terms.as_var(b)) {
            (_, Some(var)) => (var, a),
            (Some(var), None) => (var, b),
            (None, None) => return None,
        };
        (vars.contains(&var) && !mentions(terms, value, var)).then_some((at, var, value))
    })
}

/// Swaps the sides of an equation or disequation; returns other literals unchanged.
fn mirrored(terms: &mut Terms, literal: TermId) -> TermId {
    match terms.node(literal) {
        Node::Eq(a, b) => terms.eq(b, a),
        Node::Not(inner) => match terms.node(inner) {
            Node::Eq(a, b) => {
                let equal = terms.eq(b, a);
                terms.not(equal)
            }
            _ => literal,
        },
        _ => literal,
    }
}

fn mentions(terms: &Terms, term: TermId, var: VarId) -> bool {
    let mut stack = vec![term];
    while let Some(next) = stack.pop() {
        if terms.as_var(next) == Some(var) {
            return true;
        }
        stack.extend(terms.children(next));
    }
    false
}

/// Closes the negation of the conjunction of literals. The variables are named after their sorts, in the order in which
/// they occur.
fn close(syntax: SyntaxMut<'_>, vars: &[VarId], literals: &[TermId]) -> TermId {
    let SyntaxMut { sig, terms } = syntax;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for &literal in literals {
        match terms.node(literal) {
            Node::Not(atom) => right.push(atom),
            _ => left.push(literal),
        }
    }
    let mut used: Vec<VarId> = Vec::new();
    for &atom in left.iter().chain(&right) {
        let mut stack = vec![atom];
        while let Some(next) = stack.pop() {
            used.extend(terms.as_var(next).filter(|var| vars.contains(var) && !used.contains(var)));
            let children: Vec<TermId> = terms.children(next).collect();
            stack.extend(children.into_iter().rev());
        }
    }
    let sorts: Vec<SortId> = used.iter().map(|&var| terms.var_info(var).sort).collect();
    let mut map: Map<VarId, TermId> = Map::default();
    let mut fresh = Vec::new();
    for (at, (&var, &sort)) in used.iter().zip(&sorts).enumerate() {
        let new = terms.new_var(variable_name(sig, &sorts, at), sort);
        map.insert(var, terms.var(new));
        fresh.push(new);
    }
    // Variables are declared sort by sort.
    fresh.sort_by_key(|&var| terms.var_info(var).sort);
    for atom in left.iter_mut().chain(&mut right) {
        // Of two variables, the one that occurs first is on the left.
        let place = |terms: &Terms, term| used.iter().position(|&var| terms.as_var(term) == Some(var));
        if let Node::Eq(a, b) = terms.node(*atom)
            && place(terms, b).is_some_and(|second| place(terms, a).is_some_and(|first| second < first))
        {
            *atom = terms.eq(b, a);
        }
        *atom = terms.substitute(*atom, &map);
    }
    let body = match (left.is_empty(), right.is_empty()) {
        (true, true) => terms.fals(),
        (true, false) => terms.or(&right),
        (false, true) => {
            let all = terms.and(&left);
            terms.not(all)
        }
        (false, false) => {
            let (all, some) = (terms.and(&left), terms.or(&right));
            terms.implies(all, some)
        }
    };
    terms.forall(&fresh, body)
}

/// Returns the shortest prefix of the sort's name that no other of these sorts has, in capitals, and numbered if there
/// are several variables of the sort. It differs from all names of symbols and sorts.
pub fn variable_name(sig: &Signature, sorts: &[SortId], at: usize) -> String {
    let word = |sort: SortId| -> String {
        let name = sig.sorts[sort].name.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        name.chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect::<String>()
            .to_ascii_uppercase()
    };
    let sort = sorts[at];
    let others: Vec<String> =
        sorts.iter().filter(|&&other| other != sort).map(|&other| word(other)).collect();
    let count = sorts.iter().filter(|&&other| other == sort).count();
    let is_taken = |name: &str| {
        sig.sorts.iter().any(|sort| sort.name == name)
            || sig.symbols.iter().any(|symbol| symbol.kind != SymbolKind::Parameter && symbol.name == name)
            || others.iter().any(|other| other == name)
    };
    let name = |base: &str, number: usize| {
        if count > 1 { format!("{base}{number}") } else { base.to_owned() }
    };
    let is_free = |base: &str| !(1..=count).any(|number| is_taken(&name(base, number)));
    let own = match word(sort) {
        own if own.is_empty() => "X".to_owned(),
        own => own,
    };
    let is_own = |base: &&str| !others.iter().any(|other| other.starts_with(base));
    let beginnings = || (1..=own.len()).map(|end| &own[..end]);
    let found = beginnings().filter(is_own).chain([own.as_str()]).find(|base| is_free(base));
    let mut base = found.map_or_else(|| format!("{own}_"), str::to_owned);
    while !is_free(&base) {
        base.push('_');
    }
    name(&base, sorts[..=at].iter().filter(|&&other| other == sort).count())
}
