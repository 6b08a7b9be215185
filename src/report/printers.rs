//! The five printers of `@printed_by`. Each returns `None` for a sort that it does not apply to.

use super::names::{Namer, Printed};
use ramsey_core::logic::{Elem, SortId, SymId, SymbolKind};
use ramsey_engine::query::orders;

/// Applies the printer `args[0]` to a sort.
pub(super) fn apply(namer: &mut Namer<'_>, sort: SortId, args: &[String]) -> Option<Printed> {
    let (printer, args) = args.split_first()?;
    match (printer.as_str(), args) {
        ("ordered_by_printer", [order]) => ordered_by(namer, sort, order),
        ("set_printer", [member]) => set(namer, sort, member),
        ("const_printer", []) => constant(namer, sort),
        ("option_printer", [is_none, value]) => option(namer, sort, is_none, value),
        ("log_printer", [order, used, values @ ..]) => log(namer, sort, order, used, values),
        _ => None,
    }
}

/// Returns the relation `name` with these argument sorts.
fn relation(namer: &Namer<'_>, name: &str, args: &[SortId]) -> Option<SymId> {
    let sym = namer.symbol(name)?;
    let symbol = &namer.sig.symbols[sym];
    (symbol.is_relation() && symbol.args == args).then_some(sym)
}

/// Returns the position of each element in a total order (strict or not); `None` if the relation is not total.
fn positions(namer: &Namer<'_>, sort: SortId, order: &str) -> Option<Vec<u32>> {
    let order = relation(namer, order, &[sort, sort])?;
    let size = namer.size(sort);
    orders::positions(size, |a, b| namer.value(order, &[a, b]) != 0)
}

/// Names elements by their positions in a total order.
fn ordered_by(namer: &Namer<'_>, sort: SortId, order: &str) -> Option<Printed> {
    let rank = positions(namer, sort, order)?;
    let names = rank.iter().map(|&at| Some(ramsey_core::logic::element_name(namer.sig, sort, at))).collect();
    Some(Printed { names, rank: Some(rank) })
}

/// Names elements by the sets of their members.
fn set(namer: &mut Namer<'_>, sort: SortId, member: &str) -> Option<Printed> {
    let sym = namer.symbol(member)?;
    let item = *namer.sig.symbols[sym].args.first()?;
    let member = relation(namer, member, &[item, sort])?;
    let mut names = Vec::new();
    for elem in 0..namer.size(sort) {
        let mut items: Vec<Elem> =
            (0..namer.size(item)).filter(|&item| namer.value(member, &[item, elem]) != 0).collect();
        items.sort_by_key(|&elem| namer.rank(item, elem));
        let items: Vec<String> = items.into_iter().map(|elem| namer.name(item, elem)).collect();
        names.push(Some(format!("{{{}}}", items.join(", "))));
    }
    Some(Printed { names, rank: None })
}

/// Names elements by the first constant equal to them, immutable constants first.
fn constant(namer: &Namer<'_>, sort: SortId) -> Option<Printed> {
    let sig = namer.sig;
    let mut names: Vec<Option<String>> = vec![None; namer.size(sort) as usize];
    for wanted in [SymbolKind::Immutable, SymbolKind::Mutable] {
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind == wanted && symbol.args.is_empty() && symbol.result == sort {
                let name = names.get_mut(namer.value(sym, &[]) as usize)?;
                name.get_or_insert_with(|| symbol.name.clone());
            }
        }
    }
    Some(Printed { names, rank: None })
}

/// Names elements `None` or `Some(value)`.
fn option(namer: &mut Namer<'_>, sort: SortId, is_none: &str, value: &str) -> Option<Printed> {
    let is_none = relation(namer, is_none, &[sort])?;
    let value = namer.symbol(value)?;
    let symbol = &namer.sig.symbols[value];
    let content = symbol.result;
    if symbol.args != [sort] || content == SortId::BOOL {
        return None;
    }
    let mut names = Vec::new();
    for elem in 0..namer.size(sort) {
        names.push(Some(if namer.value(is_none, &[elem]) != 0 {
            "None".to_owned()
        } else {
            let inside = namer.value(value, &[elem]);
            format!("Some({})", namer.name(content, inside))
        }));
    }
    Some(Printed { names, rank: None })
}

/// Names elements by the sequences they represent: the used indices and their values. If the used indices have no
/// gaps and each field has one value, entries are listed by position; otherwise each entry names its index.
fn log(namer: &mut Namer<'_>, sort: SortId, order: &str, used: &str, values: &[String]) -> Option<Printed> {
    let order_sym = namer.symbol(order)?;
    let index = *namer.sig.symbols[order_sym].args.first()?;
    let position = positions(namer, index, order)?;
    let used = relation(namer, used, &[sort, index])?;
    let fields = values
        .iter()
        .map(|name| {
            let sym = namer.symbol(name)?;
            let symbol = &namer.sig.symbols[sym];
            match symbol.args[..] {
                [log, at, content] if symbol.is_relation() && (log, at) == (sort, index) => {
                    Some((sym, content, true))
                }
                [log, at] if !symbol.is_relation() && (log, at) == (sort, index) => {
                    Some((sym, symbol.result, false))
                }
                _ => None,
            }
        })
        .collect::<Option<Vec<_>>>()?;
    let mut order: Vec<Elem> = (0..namer.size(index)).collect();
    order.sort_by_key(|&at| position[at as usize]);

    let mut names = Vec::new();
    for elem in 0..namer.size(sort) {
        let mut entries: Vec<(Elem, Vec<Vec<Elem>>)> = Vec::new();
        for &at in &order {
            let contents: Vec<Vec<Elem>> = fields
                .iter()
                .map(|&(sym, content, is_relation)| {
                    if is_relation {
                        let holds = |&value: &Elem| namer.value(sym, &[elem, at, value]) != 0;
                        (0..namer.size(content)).filter(holds).collect()
                    } else {
                        vec![namer.value(sym, &[elem, at])]
                    }
                })
                .collect();
            if namer.value(used, &[elem, at]) != 0 {
                entries.push((at, contents));
            }
        }
        let without_gaps =
            entries.iter().enumerate().all(|(count, &(at, _))| position[at as usize] as usize == count);
        let well_formed =
            without_gaps && entries.iter().all(|(_, contents)| contents.iter().all(|field| field.len() == 1));
        let mut shown = Vec::new();
        for (at, contents) in entries {
            let mut parts = Vec::new();
            if !well_formed {
                parts.push(format!("index |-> {}", namer.name(index, at)));
            }
            for (&(_, content, _), values) in fields.iter().zip(contents) {
                let field = namer.sig.sorts[content].name.clone();
                let values: Vec<String> =
                    values.into_iter().map(|value| namer.name(content, value)).collect();
                parts.push(match &values[..] {
                    [value] => format!("{field} |-> {value}"),
                    _ => format!("{field} |-> [{}]", values.join(", ")),
                });
            }
            shown.push(format!("[{}]", parts.join(", ")));
        }
        names.push(Some(format!("<<{}>>", shown.join(", "))));
    }
    Some(Printed { names, rank: None })
}
