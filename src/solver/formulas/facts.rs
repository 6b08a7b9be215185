//! Facts of partial structures as text.

use super::Fact;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, Signature, SortId, Symbol, SymbolOrigin};

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

/// Returns the name of a symbol applied to arguments: `vote(node0,value1)`, or `t0 < t1` for the order of a type.
pub fn applied<T: AsRef<str>>(symbol: &Symbol, args: &[T]) -> String {
    match args {
        [] => symbol.name.clone(),
        [left, right] if let Some(op) = symbol.operator() => {
            format!("{} {op} {}", left.as_ref(), right.as_ref())
        }
        _ => {
            let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
            format!("{}({})", symbol.name, args.join(","))
        }
    }
}

/// Returns the text of the negation of an atom of a symbol.
pub fn negated(symbol: &Symbol, text: &str) -> String {
    let is_between = matches!(symbol.origin, SymbolOrigin::Order | SymbolOrigin::Variant);
    if is_between { format!("!({text})") } else { format!("!{text}") }
}

/// A fact as text: `le(id0,id1)`, `!pnd(id0,node1)`, `idn(node0) = id0`, `node0 != node1`.
pub fn fact_text(sig: &Signature, names: &ElementNames, fact: &Fact) -> String {
    let name = |(sort, elem): (SortId, Elem)| -> String {
        names.get(sort).and_then(|of_sort| of_sort.get(elem as usize)).map_or("?", String::as_str).to_owned()
    };
    let elements: Vec<String> = fact.elements(sig).into_iter().map(name).collect();
    match fact {
        Fact::Relation { sym, positive, .. } => {
            let symbol = &sig.symbols[*sym];
            let text = applied(symbol, &elements);
            if *positive { text } else { negated(symbol, &text) }
        }
        Fact::Value { sym, args, positive, .. } => {
            let equals = if *positive { "=" } else { "!=" };
            format!(
                "{} {equals} {}",
                applied(&sig.symbols[*sym], &elements[..args.len()]),
                elements[args.len()]
            )
        }
        Fact::Distinct { .. } => format!("{} != {}", elements[0], elements[1]),
    }
}
