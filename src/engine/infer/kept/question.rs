//! What a search is about, as text: all that decides which answer it has.

use std::fmt::Write as _;

use super::nodes::Nodes;
use crate::infer::outcome::{Options, Template};
use ramsey_core::base::digest::sha256;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{Signature, SortId, SymbolKind, SymbolOrigin, Unchecked, Universe};
use ramsey_core::system::{Site, System};

/// The first line. Another version of the program may find other lemmas.
const VERSION: &str = concat!("ramsey-search 13 ", env!("CARGO_PKG_VERSION"));

/// Returns the digest of a search on a system in canonical form with these options.
pub(super) fn digest(system: &System, options: &Options) -> String {
    let mut text = format!("{VERSION}\n");
    write_options(options, &mut text);
    write_signature(&system.sig, &mut text);
    write_system(system, options, &mut text);
    sha256(text)
}

fn sorts(list: &[SortId]) -> String {
    list.iter().fold(String::new(), |mut text, sort| {
        let _ = write!(text, " {}", sort.index());
        text
    })
}

fn write_options(options: &Options, text: &mut String) {
    // Candidates have their place among the formulas, and no answer depends on a clock.
    let Options { method, candidates: _, template, prefixes, until_stopped, seed, clock: _ } = options;
    let _ = writeln!(text, "method {} seed {seed} until-stopped {until_stopped}", method.name());
    if let Some(Template { variables, literals, symbols }) = template {
        let _ = write!(text, "template {literals}");
        for (sort, count) in variables {
            let _ = write!(text, " {}={count}", sort.index());
        }
        if let Some(symbols) = symbols {
            text.push_str(" of");
            symbols.iter().for_each(|sym| {
                let _ = write!(text, " {}", sym.index());
            });
        }
        text.push('\n');
    }
    for prefix in prefixes {
        let [outer, witnesses, inner] = [&prefix.outer, &prefix.witnesses, &prefix.inner].map(|it| sorts(it));
        let _ = writeln!(text, "prefix{outer} exists{witnesses} forall{inner}");
    }
}

fn write_signature(sig: &Signature, text: &mut String) {
    // Small counterexamples need not have little of these.
    const LOOSE: &str = "no_minimize";
    for sort in sig.uninterpreted_sorts() {
        text.push_str(if sig.sorts[sort].annotation(LOOSE).is_some() { "sort any" } else { "sort" });
        match sig.sorts[sort].universe {
            None => {}
            Some(Universe::Naturals) => text.push_str(" naturals"),
            Some(Universe::Integers) => text.push_str(" integers"),
            Some(Universe::Range(least, greatest)) => {
                let _ = write!(text, " from {least} to {greatest}");
            }
            Some(Universe::Texts) => text.push_str(" texts"),
        }
        text.push('\n');
    }
    for symbol in sig.symbols.iter() {
        let kind = match symbol.kind {
            SymbolKind::Immutable => "immutable",
            SymbolKind::Mutable => "mutable",
            SymbolKind::Derived => "derived",
            SymbolKind::Parameter => "parameter",
            SymbolKind::Choice => "choice",
        };
        let origin = match symbol.origin {
            SymbolOrigin::Declared => "declared",
            SymbolOrigin::Order => "order",
            SymbolOrigin::Variant => "variant",
            SymbolOrigin::Operation(operator) | SymbolOrigin::Arithmetic(operator) => operator,
            SymbolOrigin::Recursive => "recursive",
            SymbolOrigin::Numeral(_) => "numeral",
            SymbolOrigin::Beyond => "beyond",
            SymbolOrigin::Unchecked(Unchecked::Temporal) => "temporal",
            SymbolOrigin::Unchecked(Unchecked::Tactic) => "tactic",
            SymbolOrigin::Witness => "witness",
            SymbolOrigin::Activity => "activity",
            SymbolOrigin::Local(_) => "local",
            SymbolOrigin::Internal => "internal",
        };
        if let SymbolOrigin::Numeral(value) = symbol.origin {
            let _ = writeln!(text, "numeral {value}");
        }
        let is_arithmetic = matches!(symbol.origin, SymbolOrigin::Arithmetic(_));
        let is_loose = symbol.has_annotation(LOOSE);
        let _ = write!(text, "symbol {kind} {origin} {is_arithmetic} {is_loose} {}", symbol.result.index());
        let _ = writeln!(text, "{}", sorts(&symbol.args));
    }
}

fn write_system(system: &System, options: &Options, text: &mut String) {
    let mut nodes = Nodes::new(&system.terms);
    let mut parts = format!("axioms-after-changes {}\n", system.axioms_after_changes);
    let list = |parts: &mut String, head: String, numbers: Vec<u32>| {
        parts.push_str(&head);
        numbers.into_iter().for_each(|number| {
            let _ = write!(parts, " {number}");
        });
        parts.push('\n');
    };
    for axiom in &system.axioms {
        list(&mut parts, "axiom".into(), vec![nodes.term(axiom.formula)]);
    }
    for derived in &system.derived {
        let sym = derived.sym.map_or(0, |sym| sym.index() as u32 + 1);
        list(&mut parts, format!("derived {sym}"), vec![nodes.term(derived.axiom)]);
    }
    for init in &system.inits {
        list(&mut parts, "init".into(), vec![nodes.term(init.formula)]);
    }
    for invariant in &system.invariants {
        list(&mut parts, "invariant".into(), vec![nodes.term(invariant.formula)]);
    }
    for assertion in &system.assertions {
        let site = match assertion.site {
            Site::Init => "init".to_owned(),
            Site::Transition(at) => format!("transition {at}"),
            Site::Final => "final".to_owned(),
        };
        list(&mut parts, format!("assertion {site}"), vec![nodes.term(assertion.formula)]);
    }
    for transition in &system.transitions {
        let params = transition.params.iter().map(|&var| nodes.var(var)).collect();
        list(&mut parts, "transition".into(), params);
        let modified = transition.modifies.iter().map(|sym| sym.index() as u32).collect();
        list(&mut parts, "modifies".into(), modified);
        list(&mut parts, "body".into(), vec![nodes.term(transition.body)]);
        let Some(effect) = &transition.effect else { continue };
        let assumed = effect.assumptions.iter().map(|&formula| nodes.term(formula)).collect();
        list(&mut parts, "assumes".into(), assumed);
        for update in &effect.updates {
            let mut numbers: Vec<u32> = update.vars.iter().map(|&var| nodes.var(var)).collect();
            numbers.push(nodes.term(update.value));
            list(&mut parts, format!("update {}", update.sym.index()), numbers);
        }
    }
    for (at, candidate) in options.candidates.iter().enumerate() {
        // Whatever the name is, an answer tells it of the first one that has it.
        let named = options.candidates.iter().position(|it| it.name == candidate.name).unwrap_or(at);
        let name = if candidate.name.is_some() { format!("named {named}") } else { "unnamed".to_owned() };
        list(&mut parts, format!("candidate {name}"), vec![nodes.term(candidate.formula)]);
    }
    text.push_str(&nodes.text);
    text.push_str(&parts);
}
