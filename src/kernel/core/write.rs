//! Closed systems as text, as `spec/core.md` describes it.

use std::fmt::Write as _;

use super::{Core, Named, Node, NodeId, Pool, Symbol, Wanted};
use ramsey_core::base::digest::sha256;
use ramsey_core::base::hash::Map;
use ramsey_core::base::text::quoted;

/// The first line of every closed system.
const HEADER: &str = "ramsey-core 1";

/// Maximum number of terms and formulas in a text, each counted as often as it is written.
const MAX_NODES: u64 = 10_000_000;

/// Maximum depth of a formula with its terms in a text, which the checker has too. What is closed may be deeper than what was read.
const MAX_DEPTH: u32 = 2_000;

/// Returns whether a closed system is small enough to be written.
pub fn is_small(core: &Core) -> bool {
    let lists = [&core.axioms, &core.inits, &core.transitions, &core.invariants, &core.assertions];
    let claims = core.theorems.iter().map(|it| &it.claim);
    let assumed = core.hypotheses.iter().map(|(_, it)| it);
    let queries = core.queries.iter().map(|it| &it.goal);
    let all = lists.into_iter().flatten().chain(claims).chain(assumed).chain(queries);
    let mut known = Map::default();
    let (nodes, depth) = together(all.map(|it| size(&core.pool, it.formula, &mut known)), 0);
    nodes <= MAX_NODES && depth <= MAX_DEPTH
}

/// Returns the number of nodes of a formula as a tree, and its depth.
fn size(pool: &Pool, id: NodeId, known: &mut Map<NodeId, (u64, u32)>) -> (u64, u32) {
    if let Some(&known) = known.get(&id) {
        return known;
    }
    let (nodes, depth) =
        together(pool.node(id).children().into_iter().map(|part| size(pool, part, known)), 1);
    known.insert(id, (nodes, depth + 1));
    (nodes, depth + 1)
}

/// Returns the sum of numbers of nodes and `more`, and the largest depth.
fn together(sizes: impl Iterator<Item = (u64, u32)>, more: u64) -> (u64, u32) {
    sizes.fold((more, 0), |(nodes, depth), it| (nodes.saturating_add(it.0), depth.max(it.1)))
}

/// Writes a closed system. The same system gives the same text, and its last line is a digest of the lines before it.
pub fn document(core: &Core) -> String {
    let mut text = format!("{HEADER}\n");
    for (at, sort) in core.sorts.iter().enumerate() {
        let _ = writeln!(text, "sort {at} {}", quoted(sort));
    }
    for (at, (symbol, result)) in core.functions.iter().enumerate() {
        let _ = writeln!(text, "function {at} {} {result}", declaration(symbol));
    }
    for (at, symbol) in core.relations.iter().enumerate() {
        let _ = writeln!(text, "relation {at} {}", declaration(symbol));
    }
    let pool = &core.pool;
    for (at, axiom) in core.axioms.iter().enumerate() {
        let kind = if at < core.immutable { "rigid" } else { "state" };
        line(&mut text, pool, &format!("axiom {kind}"), axiom);
    }
    let lists = [
        ("init", &core.inits),
        ("transition", &core.transitions),
        ("invariant", &core.invariants),
        ("assertion", &core.assertions),
    ];
    for (word, list) in lists {
        list.iter().for_each(|named| line(&mut text, pool, word, named));
    }
    for theorem in &core.theorems {
        let word = if theorem.is_about_states { "theorem" } else { "initial" };
        line(&mut text, pool, &format!("{word} {}", theorem.states), &theorem.claim);
    }
    for (states, hypothesis) in &core.hypotheses {
        line(&mut text, pool, &format!("hypothesis {states}"), hypothesis);
    }
    for query in &core.queries {
        let wanted = match query.wanted {
            Wanted::Holds => "holds",
            Wanted::Fails => "fails",
            Wanted::Open => "open",
        };
        let _ = write!(text, "query {} {wanted} {}", query.states, quoted(&query.goal.name));
        let _ = write!(text, " {}", query.hypotheses.len());
        query.hypotheses.iter().for_each(|at| {
            let _ = write!(text, " {at}");
        });
        formula(&mut text, pool, query.goal.formula);
        text.push('\n');
    }
    let digest = sha256(&text);
    let _ = writeln!(text, "digest {digest}");
    text
}

/// Writes a formula of a closed system with what it is.
fn line(text: &mut String, pool: &Pool, word: &str, named: &Named) {
    let _ = write!(text, "{word} {}", quoted(&named.name));
    formula(text, pool, named.formula);
    text.push('\n');
}

/// Returns the name, the kind and the sorts of the arguments of a symbol.
fn declaration(symbol: &Symbol) -> String {
    let kind = if symbol.is_mutable { "mutable" } else { "rigid" };
    let mut text = format!("{} {kind} {}", quoted(&symbol.name), symbol.args.len());
    symbol.args.iter().for_each(|sort| {
        let _ = write!(text, " {sort}");
    });
    text
}

/// Writes a term or formula in prefix form, with a blank before each word.
pub(crate) fn formula(text: &mut String, pool: &Pool, id: NodeId) {
    let mut stack = vec![id];
    while let Some(next) = stack.pop() {
        let state = |state: Option<u16>| state.map_or(0, |state| usize::from(state) + 1);
        let head = |text: &mut String, word: char, numbers: &[usize]| {
            text.push(' ');
            text.push(word);
            for number in numbers {
                let _ = write!(text, " {number}");
            }
        };
        match pool.node(next) {
            Node::Var(at) => head(text, 'V', &[*at]),
            Node::App(at, function, args) => {
                head(text, 'A', &[state(*at), *function, args.len()]);
                stack.extend(args.iter().rev());
            }
            Node::Constant(sort, number) => head(text, 'K', &[*sort, *number]),
            Node::Rel(at, relation, args) => {
                head(text, 'R', &[state(*at), *relation, args.len()]);
                stack.extend(args.iter().rev());
            }
            Node::Eq(sort, a, b) => {
                head(text, 'E', &[*sort]);
                stack.extend([*b, *a]);
            }
            Node::Not(a) => {
                head(text, '~', &[]);
                stack.push(*a);
            }
            Node::And(items) => {
                head(text, '&', &[items.len()]);
                stack.extend(items.iter().rev());
            }
            Node::Or(items) => {
                head(text, '|', &[items.len()]);
                stack.extend(items.iter().rev());
            }
            Node::Implies(a, b) => {
                head(text, '>', &[]);
                stack.extend([*b, *a]);
            }
            Node::Iff(a, b) => {
                head(text, '=', &[]);
                stack.extend([*b, *a]);
            }
            Node::Forall(sort, body) => {
                head(text, '!', &[*sort]);
                stack.push(*body);
            }
            Node::Exists(sort, body) => {
                head(text, '?', &[*sort]);
                stack.push(*body);
            }
        }
    }
}
