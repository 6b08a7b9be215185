//! TPTP output of finite models: domains, then functions and predicates tuple by tuple.

use std::fmt::Write as _;

use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Elem, Problem, SortId, Structure, Symbol, Tuples};

/// The type of what has no declared type, and of distinct objects.
const INDIVIDUALS: &str = "$i";

/// Maximum number of values of symbols that are printed.
const MAX_VALUES: u64 = 1_000_000;

/// Returns a structure over the signature of a problem as annotated formulas with the roles `fi_domain`,
/// `fi_functors` and `fi_predicates`: `fof` if there is only one sort, otherwise `tff`. Elements of `$i` are distinct objects: those of
/// the problem, or new ones. Those of other sorts are constants, which are declared to be different.
///
/// # Errors
/// Returns the number of values that symbols have if there are too many to be printed.
pub fn model(problem: &Problem, structure: &Structure) -> Result<String, u64> {
    let sig = &problem.sig;
    let values = |symbol: &Symbol| {
        let sizes: Vec<u32> = symbol.args.iter().map(|&sort| structure.sizes[sort]).collect();
        Tuples::count_all(&sizes)
    };
    let count = sig.symbols.iter().map(values).fold(0, u64::saturating_add);
    if count > MAX_VALUES {
        return Err(count);
    }
    let is_typed = sig.uninterpreted_sorts().count() > 1
        || sig.uninterpreted_sorts().any(|sort| sig.sorts[sort].name != INDIVIDUALS);
    let language = if is_typed { "tff" } else { "fof" };
    let names = Names::new(problem, structure);
    let mut text = String::new();
    for sort in sig.uninterpreted_sorts() {
        let of = if is_typed { format!(": {}", sig.sorts[sort].name) } else { String::new() };
        let elements: Vec<String> =
            (0..structure.sizes[sort]).map(|elem| names.element(sort, elem)).collect();
        let equations: Vec<String> = elements.iter().map(|element| format!("X = {element}")).collect();
        let name = if is_typed { format!("domain_{}", sort.index()) } else { "domain".to_owned() };
        if sig.sorts[sort].name != INDIVIDUALS {
            let at = sort.index();
            for (elem, element) in elements.iter().enumerate() {
                let _ = writeln!(text, "tff(element_{at}_{elem}, type, {element}{of}).");
            }
            if elements.len() > 1 {
                let _ = writeln!(text, "tff(different_{at}, fi_domain, $distinct({})).", elements.join(", "));
            }
        }
        let _ = writeln!(text, "{language}({name}, fi_domain, ! [X{of}] : ( {} )).", equations.join(" | "));
    }
    for (sym, symbol) in sig.symbols.iter_enumerated().filter(|(_, symbol)| !is_object(symbol)) {
        let interpretation = structure.interpretation(sig, sym, 0);
        let values: Vec<String> = structure
            .tuples(&symbol.args)
            .map(|tuple| {
                let value = interpretation.get(&tuple);
                let args = tuple.iter().zip(&symbol.args).map(|(&arg, &sort)| names.element(sort, arg));
                let application = application(symbol, args);
                match (symbol.is_relation(), value) {
                    (true, 0) => format!("~ {application}"),
                    (true, _) => application,
                    (false, _) => format!("{application} = {}", names.element(symbol.result, value)),
                }
            })
            .collect();
        let role = if symbol.is_relation() { "fi_predicates" } else { "fi_functors" };
        let name = format!("symbol_{}", sym.index());
        let _ = writeln!(text, "{language}({name}, {role}, ( {} )).", values.join("\n    & "));
    }
    Ok(text)
}

fn is_object(symbol: &Symbol) -> bool {
    symbol.name.starts_with('"')
}

/// What stands for elements.
struct Names<'a> {
    /// The distinct objects of the problem.
    objects: Map<Elem, &'a str>,
    /// For each sort, what the names of other elements begin with, and the quotation mark at their end.
    stems: IdVec<SortId, (String, char)>,
}

impl<'a> Names<'a> {
    fn new(problem: &'a Problem, structure: &Structure) -> Names<'a> {
        let sig = &problem.sig;
        let objects = sig.symbols.iter_enumerated().filter(|(_, symbol)| is_object(symbol));
        let objects = objects
            .map(|(sym, symbol)| (structure.interpretation(sig, sym, 0).get(&[]), symbol.name.as_str()));
        let mut stems: IdVec<SortId, (String, char)> = IdVec::default();
        for sort in sig.sorts.iter() {
            let mark = if sort.name == INDIVIDUALS { '"' } else { '\'' };
            // What is escaped in a quoted type is so in a quoted constant.
            let quoted = sort.name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
            let mut stem = format!("{mark}{}:", quoted.unwrap_or(&sort.name));
            while sig.symbols.iter().any(|symbol| symbol.name.starts_with(&stem))
                || stems.iter().any(|(other, _)| *other == stem)
            {
                stem.push(':');
            }
            stems.push((stem, mark));
        }
        Names { objects: objects.collect(), stems }
    }

    fn element(&self, sort: SortId, elem: Elem) -> String {
        let (stem, mark) = &self.stems[sort];
        let object = self.objects.get(&elem).filter(|_| *mark == '"');
        object.map_or_else(|| format!("{stem}{elem}{mark}"), |&name| name.to_owned())
    }
}

fn application(symbol: &Symbol, args: impl Iterator<Item = String>) -> String {
    let args: Vec<String> = args.collect();
    if args.is_empty() { symbol.name.clone() } else { format!("{}({})", symbol.name, args.join(", ")) }
}
