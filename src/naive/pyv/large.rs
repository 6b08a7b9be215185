//! Definitions that are relations, because formulas with what they mean in their places would be too large.

use std::collections::BTreeMap;

use super::check::{Meaning, Model};
use super::tree::{Decl, Expr};

/// How many formulas may take the places of their names in a definition that is no relation.
const MAX_USES: usize = 12;

/// The definitions that are relations, by their declarations: the number of each, and whether it changes.
pub(super) type Relations = BTreeMap<usize, (usize, bool)>;

/// What a formula uses.
#[derive(Clone, Default)]
struct Uses {
    /// The declarations it names, as often as it does.
    declared: Vec<usize>,
    /// How many formulas take the places of names in it.
    count: usize,
    is_mutable: bool,
    /// Whether what uses this is no relation: there is a quantifier in it, or it uses itself, which would be an axiom about nothing.
    is_expanded: bool,
    is_relation: bool,
}

/// Returns the definitions of a model that are relations. `declared` is the number of declared relations.
pub(super) fn relations(model: &Model<'_, '_>, declared: usize) -> Relations {
    let mut uses: Vec<Uses> = (0..model.decls.len()).map(|index| direct(model, index)).collect();
    let mut is_known = vec![false; uses.len()];
    let mut is_begun = is_known.clone();
    for index in 0..uses.len() {
        // Those that a formula names come first. One that uses itself is refused when it is closed.
        let mut begun = vec![index];
        while let Some(&top) = begun.last() {
            is_begun[top] = true;
            match uses[top].declared.iter().find(|used| !is_known[**used] && !is_begun[**used]) {
                Some(next) => begun.push(*next),
                None => {
                    if !is_known[top] {
                        uses[top].is_expanded |= uses[top].declared.iter().any(|used| !is_known[*used]);
                        count(&mut uses, &model.decls[top], top, model);
                    }
                    is_known[top] = true;
                    begun.pop();
                }
            }
        }
    }
    let relations = uses.iter().enumerate().filter(|(_, uses)| uses.is_relation);
    relations.zip(declared..).map(|((index, uses), number)| (index, (number, uses.is_mutable))).collect()
}

/// Adds to what a declaration uses what that uses in turn.
fn count(uses: &mut [Uses], decl: &Decl<'_>, index: usize, model: &Model<'_, '_>) {
    let mut all = uses[index].clone();
    for used in &uses[index].declared {
        let inner = &uses[*used];
        let takes_place = model.decls[*used].sorts.is_empty() && !inner.is_relation;
        all.count = all.count.saturating_add(inner.count).saturating_add(usize::from(takes_place));
        all.is_mutable |= inner.is_mutable;
        all.is_expanded |= inner.is_expanded;
    }
    let has_sorts = decl.params.iter().all(|param| model.numbers[param.number].is_some());
    let is_plain = decl.word == "definition" && decl.states < 2 && has_sorts;
    if all.count > MAX_USES && is_plain && !all.is_expanded {
        all.count = 0;
        all.is_relation = true;
    }
    uses[index] = all;
}

/// Returns what the formula of a declaration uses, as it is written. The axiom of a derived relation takes no place.
fn direct(model: &Model<'_, '_>, index: usize) -> Uses {
    let decl = &model.decls[index];
    let mut uses = Uses { is_mutable: matches!(decl.word, "mutable" | "derived"), ..Uses::default() };
    if let (true, Some(formula)) = (decl.sorts.is_empty(), &decl.formula) {
        uses.is_expanded = !model.closures[index].is_empty();
        expr(model, formula, &mut uses);
    }
    uses
}

fn expr(model: &Model<'_, '_>, formula: &Expr<'_>, uses: &mut Uses) {
    match model.meanings.get(&formula.root.at) {
        Some(Meaning::Declared(index, _)) => uses.declared.push(*index),
        Some(Meaning::Safety(_)) => {
            let safeties = 0..model.decls.len();
            uses.declared.extend(safeties.filter(|index| model.decls[*index].word == "safety"));
        }
        _ => {}
    }
    uses.is_expanded |= matches!(formula.root.text, "forall" | "exists");
    formula.parts.iter().for_each(|part| expr(model, part, uses));
}
