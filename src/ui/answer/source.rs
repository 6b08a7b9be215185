//! The text of the model, and its names.

use serde_json::{Value, json};

use super::context::{Context, Failed};
use crate::logic::{SortId, SymbolKind};
use crate::report::json::diagnostics::to_dto;
use crate::report::json::dto::Diagnostic;
use crate::ui::loader::{Loader, Model};

pub(super) fn answer(loader: &Loader, model: &Model) -> Result<Value, Failed> {
    let diagnostics: Vec<Diagnostic> =
        model.diagnostics.iter().map(|it| to_dto(it, &model.sources)).collect();
    Ok(json!({ "path": loader.name(), "text": model.text, "diagnostics": diagnostics }))
}

/// Returns the symbols and sorts of the model.
pub(super) fn names(context: &Context<'_>) -> Result<Value, Failed> {
    let sig = &context.system.sig;
    let sort = |sort: SortId| sig.sorts[sort].name.clone();
    let symbols: Vec<Value> = sig
        .symbols
        .iter()
        .filter(|symbol| symbol.is_declared() && symbol.kind != SymbolKind::Parameter)
        .map(|symbol| {
            json!({
                "name": symbol.name,
                "args": symbol.args.iter().map(|&arg| sort(arg)).collect::<Vec<_>>(),
                "result": sort(symbol.result),
                "immutable": symbol.kind == SymbolKind::Immutable,
            })
        })
        .collect();
    let sorts: Vec<String> = sig.uninterpreted_sorts().map(sort).collect();
    Ok(json!({ "symbols": symbols, "sorts": sorts }))
}
