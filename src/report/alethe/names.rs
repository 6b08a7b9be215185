//! Names of sorts and symbols in SMT-LIB, and their declarations.

use std::fmt::Write as _;

use ramsey_core::base::hash::Set;
use ramsey_kernel::core::{Core, Node, NodeId};

use super::obligation::Obligation;
use super::reading::Reading;

/// The names. A full stop is in each of them, so that none is a word of SMT-LIB, a variable or a name that a proof defines.
pub(super) struct Names {
    sorts: Vec<String>,
    functions: Vec<String>,
    relations: Vec<String>,
}

impl Names {
    /// Names the sorts and symbols of a closed form after those of the model.
    pub(super) fn new(core: &Core) -> Names {
        let mut taken = Set::default();
        let sorts = core.sorts.iter().map(|sort| format!("{}.s", unique(sort, &mut taken))).collect();
        let mut taken = Set::default();
        let functions = core.functions.iter().map(|(symbol, _)| unique(&symbol.name, &mut taken)).collect();
        let relations = core.relations.iter().map(|symbol| unique(&symbol.name, &mut taken)).collect();
        Names { sorts, functions, relations }
    }

    /// Returns the name of a sort.
    pub(super) fn sort(&self, sort: usize) -> &str {
        self.sorts.get(sort).map_or("", String::as_str)
    }

    /// Returns the name of a function in a state; `None` for one that is the same in all states.
    pub(super) fn function(&self, state: Option<u16>, function: usize) -> String {
        in_state(self.functions.get(function), state)
    }

    /// Returns the name of a relation in a state, like [`Self::function`].
    pub(super) fn relation(&self, state: Option<u16>, relation: usize) -> String {
        in_state(self.relations.get(relation), state)
    }

    /// Returns the declarations of all sorts and symbols, for all states that the obligations and their proofs speak of.
    pub(super) fn declarations<'a>(
        &self,
        reading: &Reading,
        obligations: impl Iterator<Item = &'a Obligation>,
    ) -> String {
        let core = &reading.core;
        let mut open = reading.formulas.clone();
        for obligation in obligations {
            open.extend(&obligation.hypotheses);
            open.push(obligation.goal);
        }
        let states = states(reading, open);
        let mut text = String::new();
        for sort in &self.sorts {
            let _ = writeln!(text, "(declare-sort {sort} 0)");
        }
        let mut declare =
            |names: &dyn Fn(Option<u16>) -> String, args: &[usize], is_mutable, result: &str| {
                let args: Vec<&str> = args.iter().map(|&sort| self.sort(sort)).collect();
                let states: Vec<Option<u16>> =
                    if is_mutable { (0..states).map(Some).collect() } else { vec![None] };
                for state in states {
                    let _ = writeln!(text, "(declare-fun {} ({}) {result})", names(state), args.join(" "));
                }
            };
        for (at, (symbol, result)) in core.functions.iter().enumerate() {
            declare(&|state| self.function(state, at), &symbol.args, symbol.is_mutable, self.sort(*result));
        }
        for (at, symbol) in core.relations.iter().enumerate() {
            declare(&|state| self.relation(state, at), &symbol.args, symbol.is_mutable, "Bool");
        }
        text
    }
}

fn in_state(name: Option<&String>, state: Option<u16>) -> String {
    let name = name.map_or("", String::as_str);
    match state {
        Some(state) => format!("{name}.{state}"),
        None => format!("{name}.r"),
    }
}

/// Returns a name of ASCII letters, digits and underscores that is not taken.
fn unique(name: &str, taken: &mut Set<String>) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let plain =
        if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("_{plain}") };
    let mut name = plain.clone();
    let mut count = 1;
    while !taken.insert(name.clone()) {
        count += 1;
        name = format!("{plain}_{count}");
    }
    name
}

/// Returns the number of states that formulas speak of.
fn states(reading: &Reading, mut open: Vec<NodeId>) -> u16 {
    let mut seen = Set::default();
    let mut states = 0;
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = reading.core.pool.node(id);
        if let Node::App(Some(state), ..) | Node::Rel(Some(state), ..) = node {
            states = states.max(state + 1);
        }
        open.extend(node.children());
    }
    states
}
