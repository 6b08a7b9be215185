//! TPTP output of finite models: domains, then functions and predicates tuple by tuple.

use std::fmt::Write as _;

use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Elem, Problem, SortId, Structure, Symbol};

/// Returns a structure over the signature of a problem as annotated formulas with the roles `fi_domain`,
/// `fi_functors` and `fi_predicates`: `fof` if there is only one sort, otherwise `tff`.
pub fn model(problem: &Problem, structure: &Structure) -> String {
    let sig = &problem.sig;
    let is_typed = sig.uninterpreted_sorts().count() > 1
        || sig.uninterpreted_sorts().any(|sort| sig.sorts[sort].name != "$i");
    let language = if is_typed { "tff" } else { "fof" };
    let element =
        |sort: SortId, elem: Elem| format!("\"{}:{elem}\"", sig.sorts[sort].name.trim_matches('\''));
    let mut text = String::new();
    for sort in sig.uninterpreted_sorts() {
        let of = if is_typed { format!(": {}", sig.sorts[sort].name) } else { String::new() };
        let equations: Vec<String> =
            (0..structure.sizes[sort]).map(|elem| format!("X = {}", element(sort, elem))).collect();
        let name = if is_typed { format!("domain_{}", sort.index()) } else { "domain".to_owned() };
        let _ = writeln!(text, "{language}({name}, fi_domain, ! [X{of}] : ( {} )).", equations.join(" | "));
    }
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let interpretation = structure.interpretation(sig, sym, 0);
        let values: Vec<String> = structure
            .tuples(&symbol.args)
            .map(|tuple| {
                let value = interpretation.get(&tuple);
                let application = application(
                    symbol,
                    tuple.iter().zip(&symbol.args).map(|(&arg, &sort)| element(sort, arg)),
                );
                match (symbol.is_relation(), value) {
                    (true, 0) => format!("~ {application}"),
                    (true, _) => application,
                    (false, _) => format!("{application} = {}", element(symbol.result, value)),
                }
            })
            .collect();
        let role = if symbol.is_relation() { "fi_predicates" } else { "fi_functors" };
        let name = format!("symbol_{}", sym.index());
        let _ = writeln!(text, "{language}({name}, {role}, ( {} )).", values.join("\n    & "));
    }
    text
}

fn application(symbol: &Symbol, args: impl Iterator<Item = String>) -> String {
    let args: Vec<String> = args.collect();
    if args.is_empty() { symbol.name.clone() } else { format!("{}({})", symbol.name, args.join(", ")) }
}
