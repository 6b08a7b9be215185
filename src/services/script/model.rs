//! Structures in SMT-LIB syntax.

use std::cell::OnceCell;

use super::response::{Definition, Model, Universe};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Elem, Signature, SortId, Structure, Tuples};
use ramsey_lang::smtlib::{Frontend, quote};

/// What stands between the name of a sort and the number of an element.
const ELEMENT: &str = "!val!";

/// Names of the elements of a structure.
pub(super) struct Names<'a> {
    frontend: &'a Frontend,
    sig: &'a Signature,
    structure: &'a Structure,
    /// Names by which a script can refer to elements.
    known: Map<(SortId, Elem), String>,
    /// For each sort what the names of its other elements begin with, once one is needed. None of them is declared, and
    /// no two sorts have one.
    stems: OnceCell<Map<SortId, String>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(frontend: &'a Frontend, sig: &'a Signature, structure: &'a Structure) -> Self {
        let mut known = Map::default();
        let constant = |sym| structure.interpretation(sig, sym, 0).get(&[]);
        for sort in frontend.sorts() {
            for &constructor in sort.constructors {
                known.insert(
                    (sort.sort, constant(constructor)),
                    quote(&sig.symbols[constructor].name).into_owned(),
                );
            }
        }
        if let Some(bools) = frontend.bool_elements() {
            known.insert((bools.sort, constant(bools.tru)), "true".to_owned());
            known.insert((bools.sort, constant(bools.fals)), "false".to_owned());
        }
        for (value, name) in [(0, "false"), (1, "true")] {
            known.insert((SortId::BOOL, value), name.to_owned());
        }
        Names { frontend, sig, structure, known, stems: OnceCell::new() }
    }

    fn stems(&self) -> Map<SortId, String> {
        let declared = self.frontend.names();
        let mut taken: Set<String> =
            declared.filter_map(|name| Some(name.rsplit_once(ELEMENT)?.0.to_owned())).collect();
        let mut stems = Map::default();
        for sort in self.frontend.sorts() {
            // Symbols cannot have these, though the names of sorts with arguments do.
            let mut stem = self.sig.sorts[sort.sort].name.replace(['|', '\\'], "");
            while !taken.insert(stem.clone()) {
                stem.push('!');
            }
            stems.insert(sort.sort, stem);
        }
        stems
    }

    /// Returns an element as a script writes it, or in the style of Z3 if no constant of the script denotes it.
    pub(super) fn element(&self, sort: SortId, elem: Elem) -> String {
        match self.known.get(&(sort, elem)) {
            Some(name) => name.clone(),
            None => {
                let stems = self.stems.get_or_init(|| self.stems());
                let stem = stems.get(&sort).map_or(self.sig.sorts[sort].name.as_str(), String::as_str);
                quote(&format!("{stem}{ELEMENT}{elem}")).into_owned()
            }
        }
    }

    /// Returns the whole structure.
    pub(super) fn model(&self) -> Model {
        let mut model = Model::default();
        let spelling = |sort| self.frontend.spelling(self.sig, sort).into_owned();
        for sort in self.frontend.sorts().filter(|sort| sort.constructors.is_empty()) {
            let elements = (0..self.structure.sizes[sort.sort]).map(|elem| self.element(sort.sort, elem));
            model.universes.push(Universe { sort: spelling(sort.sort), elements: elements.collect() });
        }
        for live in self.frontend.symbols() {
            let symbol = &self.sig.symbols[live.sym];
            let interpretation = self.structure.interpretation(self.sig, live.sym, 0);
            // A relation that is true of few tuples is printed by these; functions default to their most frequent
            // value.
            let mut default = interpretation.default;
            let sizes: Vec<u32> = symbol.args.iter().map(|&sort| self.structure.sizes[sort]).collect();
            if symbol.args.is_empty() {
                default = interpretation.get(&[]);
            } else if interpretation.entries.len() as u64 == Tuples::count_all(&sizes)
                && !symbol.is_relation()
            {
                default = most_frequent(interpretation.entries.values());
            }
            let cases = interpretation
                .entries
                .iter()
                .filter(|&(_, &value)| value != default && !symbol.args.is_empty());
            let cases = cases.map(|(args, &value)| {
                let args = args.iter().zip(&symbol.args).map(|(&arg, &sort)| self.element(sort, arg));
                (args.collect(), self.element(symbol.result, value))
            });
            model.definitions.push(Definition {
                name: quote(live.name).into_owned(),
                args: symbol.args.iter().map(|&sort| spelling(sort)).collect(),
                result: spelling(symbol.result),
                default: self.element(symbol.result, default),
                cases: cases.collect(),
            });
        }
        model
    }
}

/// Returns the most frequent value, the least of several.
fn most_frequent<'a>(values: impl Iterator<Item = &'a Elem>) -> Elem {
    let mut counts: Map<Elem, u32> = Map::default();
    for &value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    let most = counts.into_iter().max_by_key(|&(value, count)| (count, std::cmp::Reverse(value)));
    most.map_or(0, |(value, _)| value)
}
