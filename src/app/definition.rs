//! Relations that a person defines, to be drawn beside those of the model.

use std::collections::BTreeSet;

use super::models::Model;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Signature, SortId, Structure, SymId, Symbol, SymbolKind};
use ramsey_core::system::System;
use ramsey_engine::query::evaluate::evaluate;
use ramsey_lang::FormulaKind;

/// Maximum number of parameters: pictures draw relations of at most three elements.
const MAX_PARAMS: usize = 3;
/// Maximum number of tuples that a definition is evaluated for in a state.
const MAX_TUPLES: u64 = 2_000;

/// A definition: `behind(x: node, y: node) = exists z. btw(x, z, y)`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Definition<'a> {
    name: &'a str,
    /// Names of the parameters and of their sorts.
    params: Vec<(String, String)>,
    formula: &'a str,
    /// Number of characters before the formula.
    before: usize,
}

/// The form of a definition, for messages.
const FORM: &str = "a definition has the form `name(x: sort, y: sort) = formula`";

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

impl Definition<'_> {
    fn read(text: &str) -> Result<Definition<'_>, String> {
        let (head, formula) = text.split_once('=').ok_or(FORM)?;
        let (name, params) = head.trim().strip_suffix(')').and_then(|it| it.split_once('(')).ok_or(FORM)?;
        let before = text[..text.len() - formula.trim_start().len()].chars().count();
        let (name, formula) = (name.trim(), formula.trim());
        let param = |param: &str| {
            let (name, sort) = param.split_once(':').ok_or(FORM)?;
            let (name, sort) = (name.trim().to_owned(), sort.trim().to_owned());
            if is_name(&name) { Ok((name, sort)) } else { Err(FORM) }
        };
        let params = params.split(',').map(param).collect::<Result<Vec<_>, _>>()?;
        if !is_name(name) {
            return Err(FORM.to_owned());
        }
        let names: BTreeSet<&String> = params.iter().map(|(name, _)| name).collect();
        if names.len() < params.len() {
            return Err("the parameters of a definition have different names".to_owned());
        }
        if params.len() > MAX_PARAMS {
            return Err(format!("a definition has at most {MAX_PARAMS} parameters"));
        }
        Ok(Definition { name, params, formula, before })
    }
}

/// A formula whose parameters have names that nothing in the model has, so that no variable of the model shadows them.
struct Renamed {
    formula: String,
    /// The new names of the parameters, with those of their sorts.
    params: Vec<(String, String)>,
    /// Columns at which the new and the old formula go on together.
    columns: Vec<(usize, usize)>,
}

impl Renamed {
    fn new(definition: &Definition<'_>, text: &str) -> Renamed {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words = text.split(|c| !is_word(c)).chain(definition.formula.split(|c| !is_word(c)));
        let mut used: BTreeSet<String> = words.map(str::to_owned).collect();
        let mut params: Vec<(String, String)> = Vec::new();
        for (name, sort) in &definition.params {
            // Files that the model includes may have the plain name.
            let mut fresh = format!("{name}__");
            while !used.insert(fresh.clone()) {
                fresh.push('_');
            }
            params.push((fresh, sort.clone()));
        }
        let (mut formula, mut columns) = (String::new(), vec![(1, 1)]);
        let (mut column, mut old_column) = (1, 1);
        let mut rest = definition.formula;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            let param = definition.params.iter().position(|(name, _)| name == word);
            let new = param.map_or(word, |at| params[at].0.as_str());
            column += new.chars().count();
            old_column += word.chars().count();
            formula.push_str(new);
            columns.push((column, old_column));
        }
        Renamed { formula, params, columns }
    }

    /// Returns the column in the formula as it was.
    fn column(&self, column: usize) -> usize {
        let at = self.columns.partition_point(|&(new, _)| new <= column).saturating_sub(1);
        let (new, old) = self.columns[at];
        old + (column - new)
    }

    /// Returns a message with the parameters as they were called.
    fn message(&self, mut message: String, params: &[(String, String)]) -> String {
        for ((new, _), (old, _)) in self.params.iter().zip(params) {
            message = message.replace(&format!("`{new}`"), &format!("`{old}`"));
        }
        message
    }
}

/// Checks a definition.
///
/// # Errors
/// Returns the reason why it does not fit the model.
pub(super) fn check(definition: &str, model: &Model, system: &System) -> Result<(), String> {
    let definition = Definition::read(definition)?;
    let Definition { name, params, .. } = &definition;
    if system.sig.symbols.iter().any(|symbol| symbol.name == *name) {
        return Err(format!("the model has a symbol `{name}`"));
    }
    if let Some((_, sort)) = params.iter().find(|(_, sort)| sort_of(&system.sig, sort).is_none()) {
        return Err(format!("there is no sort `{sort}`"));
    }
    let renamed = Renamed::new(&definition, model.text());
    let kind = FormulaKind::Question { states: 1, constants: &renamed.params };
    model.with_formula(&renamed.formula, kind).map(|_| ()).map_err(|error| {
        renamed.message(error.text_at(|column| definition.before + renamed.column(column)), params)
    })
}

fn sort_of(sig: &Signature, name: &str) -> Option<SortId> {
    sig.uninterpreted_sorts().find(|&sort| sig.sorts[sort].name == name)
}

/// Adds the defined relations to a structure over an extension of the model's signature. Definitions that do not fit the
/// model, and those about too many tuples, are left out. Returns the symbols.
///
/// # Errors
/// Returns an error if the budget runs out.
pub(super) fn extend(
    definitions: &[String],
    model: &Model,
    (sig, structure): (&mut Signature, &mut Structure),
    budget: &Budget,
) -> Result<Vec<SymId>, Exhausted> {
    let mut added = Vec::new();
    for definition in definitions {
        let Ok(definition) = Definition::read(definition) else { continue };
        let name = definition.name;
        let Renamed { formula, params, .. } = Renamed::new(&definition, model.text());
        let kind = FormulaKind::Question { states: 1, constants: &params };
        let Ok((system, formula)) = model.with_formula(&formula, kind) else { continue };
        let Some(args) = params.iter().map(|(_, sort)| sort_of(sig, sort)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let tuples = args.iter().map(|&sort| u64::from(structure.sizes[sort])).product::<u64>();
        if tuples > MAX_TUPLES || sig.symbols.iter().any(|symbol| symbol.name == name) {
            continue;
        }
        let constant = |name: &String| {
            let symbols = system.sig.symbols.iter_enumerated();
            symbols
                .filter(|(_, symbol)| symbol.name == *name && symbol.args.is_empty())
                .map(|(sym, _)| sym)
                .next_back()
        };
        // A parameter that the formula does not mention has no symbol.
        let constants: Vec<Option<SymId>> = params.iter().map(|(name, _)| constant(name)).collect();
        let sym = sig.symbols.push(Symbol::new(name, args.clone(), SortId::BOOL, SymbolKind::Mutable));
        added.push(sym);
        structure.grow_to(sig);
        for step in 0..structure.states() {
            // The formula's signature has the model's symbols first, in the same order.
            let mut state = Structure::new(&system.sig, 1);
            state.sizes.clone_from(&structure.sizes);
            for known in system.sig.symbols.ids().filter(|&known| known < sym) {
                if sig.symbols.get(known).is_some_and(|it| it.name == system.sig.symbols[known].name) {
                    *state.interpretation_mut(&system.sig, known, 0) =
                        structure.interpretation(sig, known, step).clone();
                }
            }
            for tuple in structure.tuples(&args) {
                for (&constant, &elem) in constants.iter().zip(&tuple) {
                    if let Some(constant) = constant {
                        state.interpretation_mut(&system.sig, constant, 0).set(&[], elem);
                    }
                }
                let value = evaluate(system.syntax(), &state, formula, budget.part(u64::MAX))?.value;
                structure.interpretation_mut(sig, sym, step).set(&tuple, value.into());
            }
        }
    }
    Ok(added)
}
