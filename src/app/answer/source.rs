//! The text of the model, and its names.

use super::context::Context;
use crate::models::{Database, Model};
use crate::reply::{Names, Source, SymbolName};
use ramsey_core::logic::{SortId, SymbolKind};
use ramsey_report::json::diagnostics::to_dto;

pub(super) fn answer(models: &Database, model: &Model) -> Source {
    let diagnostics = model.diagnostics.iter().map(|it| to_dto(it, &model.sources)).collect();
    Source { path: models.name().to_owned(), text: model.text().to_owned(), diagnostics }
}

/// Returns the symbols and sorts of the model.
pub(super) fn names(context: &Context<'_>) -> Names {
    let sig = &context.system.sig;
    let sort = |sort: SortId| sig.sorts[sort].name.clone();
    let symbols = sig
        .symbols
        .iter()
        .filter(|symbol| symbol.is_declared() && symbol.kind != SymbolKind::Parameter)
        .map(|symbol| SymbolName {
            name: symbol.name.clone(),
            args: symbol.args.iter().map(|&arg| sort(arg)).collect(),
            result: sort(symbol.result),
            immutable: symbol.kind == SymbolKind::Immutable,
        })
        .collect();
    Names { symbols, sorts: sig.uninterpreted_sorts().map(sort).collect() }
}
