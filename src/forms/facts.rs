//! Facts of partial structures as text.

use super::Fact;
use crate::base::ids::IdVec;
use crate::logic::{Elem, Signature, SortId, SymId};

/// Names of the elements by sort and number.
pub type ElementNames = IdVec<SortId, Vec<String>>;

/// Cuts at commas that are not in parentheses, brackets or braces, which names of elements may have.
pub fn split_at_commas(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let parts = text.split(move |c: char| {
        depth = depth.saturating_add(i32::from("([{".contains(c)) - i32::from(")]}".contains(c)));
        c == ',' && depth <= 0
    });
    parts.map(str::trim).collect()
}

/// A fact as text: `le(id0,id1)`, `!pnd(id0,node1)`, `idn(node0) = id0`, `node0 != node1`.
pub fn fact_text(sig: &Signature, names: &ElementNames, fact: &Fact) -> String {
    let name = |(sort, elem): (SortId, Elem)| -> String {
        names.get(sort).and_then(|of_sort| of_sort.get(elem as usize)).map_or("?", String::as_str).to_owned()
    };
    let elements: Vec<String> = fact.elements(sig).into_iter().map(name).collect();
    let applied = |sym: SymId, args: &[String]| match args {
        [] => sig.symbols[sym].name.clone(),
        _ => format!("{}({})", sig.symbols[sym].name, args.join(",")),
    };
    match fact {
        Fact::Relation { sym, positive, .. } => {
            format!("{}{}", if *positive { "" } else { "!" }, applied(*sym, &elements))
        }
        Fact::Value { sym, args, positive, .. } => {
            let equals = if *positive { "=" } else { "!=" };
            format!("{} {equals} {}", applied(*sym, &elements[..args.len()]), elements[args.len()])
        }
        Fact::Distinct { .. } => format!("{} != {}", elements[0], elements[1]),
    }
}
