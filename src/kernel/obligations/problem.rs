//! Plain obligations of a problem, one group per query.

use super::{Goal, Group, GroupKind, Hypothesis, HypothesisOrigin, Obligations, Origin};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Problem, Signature};

impl Obligations {
    /// Returns the obligations of these queries of `problem`, in this order. Indices out of range are ignored.
    ///
    /// The signature is the problem's with names suitable for certificates, which those of a closed form are. A name that is plain and unique among names
    /// of its kind is kept; otherwise it is replaced by `@` and the number of the sort or symbol, from 0. No plain name
    /// begins with `@`, so sorts have distinct names, and so have symbols.
    pub fn of_queries(problem: &Problem, queries: &[usize]) -> Obligations {
        Obligations {
            sig: if problem.is_closed() { problem.sig.clone() } else { renamed(problem.sig.clone()) },
            terms: problem.terms.clone(),
            params: Vec::new(),
            groups: queries.iter().filter_map(|&query| group(problem, query)).collect(),
        }
    }
}

/// Returns the obligation of the query with this index; `None` if there is no such query.
pub fn group(problem: &Problem, query: usize) -> Option<Group> {
    let asked = problem.queries.get(query)?;
    let assertion = |(index, &formula)| Hypothesis { formula, origin: HypothesisOrigin::Assertion(index) };
    let origin = Origin::Query { query, line: asked.line };
    Some(Group {
        kind: GroupKind::Query(query),
        states: asked.states,
        hypotheses: asked.hypotheses.iter().enumerate().map(assertion).collect(),
        goals: vec![Goal { origin, formula: asked.goal }],
    })
}

fn renamed(mut sig: Signature) -> Signature {
    let mut sorts: Vec<&mut String> = sig.sorts.iter_mut().map(|sort| &mut sort.name).collect();
    rename(&mut sorts);
    let mut symbols: Vec<&mut String> = sig.symbols.iter_mut().map(|symbol| &mut symbol.name).collect();
    rename(&mut symbols);
    sig
}

/// Makes names distinct.
fn rename(names: &mut [&mut String]) {
    let mut count: Map<String, usize> = Map::default();
    for name in names.iter() {
        *count.entry(name.to_string()).or_default() += 1;
    }
    for (index, name) in names.iter_mut().enumerate() {
        if !is_plain(name) || count.get(name.as_str()) != Some(&1) {
            **name = format!("@{index}");
        }
    }
}

/// Returns whether a name can be written in a certificate as it is: it consists of visible ASCII characters, does not
/// begin with `@`, and contains none of the characters that count states or quote names.
fn is_plain(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'\'' | b'"' | b'|' | b'\\');
    !name.is_empty() && !name.starts_with('@') && name.bytes().all(is_allowed)
}
