//! The order in which properties are shown: what an object specifies follows what is shown of its implementation.

use std::sync::Arc;

use super::THIS;
use super::view::parent;
use crate::ivy::ast::{DeclKind, Role};
use crate::ivy::expand::flat::Flat;
use crate::ivy::expand::scopes::Scopes;
use crate::ivy::expand::turns::Turns;
use ramsey_core::base::hash::Map;

/// Returns, by declaration, its place in the order in which properties are shown.
pub(in crate::ivy::expand) fn turns(flat: &[Flat<'_>], scopes: &Scopes<'_>) -> Turns {
    let objects: Vec<Arc<str>> = flat.iter().map(|it| object_of(it, scopes)).collect();
    // The specifications that are not placed yet.
    let mut specified: Map<&str, Vec<usize>> = Map::default();
    for (flat, object) in flat.iter().zip(&objects).filter(|(flat, _)| is_fact(flat) && flat.is_specified) {
        specified.entry(object).or_default().push(flat.at);
    }
    let mut backwards: Vec<usize> = Vec::with_capacity(flat.len());
    for (flat, object) in flat.iter().zip(&objects).rev() {
        if !is_fact(flat) {
            backwards.push(flat.at);
            continue;
        }
        let mut after = Vec::new();
        let mut around: &str = object;
        loop {
            after.extend(specified.remove(around).unwrap_or_default());
            if around == THIS {
                break;
            }
            around = Some(parent(around)).filter(|it| !it.is_empty()).unwrap_or(THIS);
        }
        backwards.extend(after.into_iter().rev());
        if !flat.is_specified {
            backwards.push(flat.at);
        }
    }
    let mut turns = vec![0; flat.len()];
    for (turn, &at) in backwards.iter().rev().enumerate() {
        turns[at] = turn;
    }
    Turns::new(turns)
}

fn object_of(flat: &Flat<'_>, scopes: &Scopes<'_>) -> Arc<str> {
    let scope = match flat.decl.kind {
        DeclKind::Theorem(_) => scopes.around(flat.scope),
        _ => flat.scope,
    };
    scopes.full(scope, "this")
}

/// Returns whether a declaration has a place among properties: definitions do as well.
fn is_fact(flat: &Flat<'_>) -> bool {
    match &flat.decl.kind {
        DeclKind::Formula { role, .. } => *role == Role::Property,
        DeclKind::Symbols { symbols, .. } => symbols.iter().any(|it| it.definition.is_some()),
        DeclKind::Definition { .. }
        | DeclKind::Choice(_)
        | DeclKind::Theorem(_)
        | DeclKind::Unchecked { .. } => true,
        _ => false,
    }
}
