//! Types of which there have to be further values.
//!
//! Assignments of fields and of values of variants, and actions of the library, assume that there are the values that they make.
//! So nothing else tells how many elements such a type has.

use std::sync::Arc;

use super::flat::Flat;
use super::formulas::as_variable;
use super::isolates::Presence;
use super::state::{Expander, Made};
use crate::ivy::ast::{
    DeclKind, Expr, ExprKind, Ident, Interpretation, SortName, SortRef, SortedVar, TypeBody,
};
use crate::program::ast::{BinaryOp, Item, ItemKind};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

impl<'a> Expander<'a, '_> {
    /// Returns whether a place is one in the library.
    pub(super) fn is_of_library(&self, span: Span) -> bool {
        self.library.contains(&span.file)
    }

    /// Reports what limits the elements of types of which there have to be further ones.
    pub(super) fn check_elements(&mut self, flat: &[Flat<'a>]) {
        let mut declared: Map<Arc<str>, (Span, bool)> = Map::default();
        for flat in flat {
            if let DeclKind::Type { name, body, .. } = &flat.decl.kind
                && let SortName::Named(full) = self.sort_named(flat.scope, name).name
            {
                let is_told = matches!(body, TypeBody::Enumerated(_));
                if self.is_of_library(name.span()) {
                    self.of_library.insert(full.clone());
                }
                declared.entry(full).or_insert((name.span(), is_told));
            }
        }
        for flat in flat {
            match &flat.decl.kind {
                DeclKind::Type { of: Some(of), .. } => {
                    let sort = SortRef { name: SortName::Named(of.name.clone()), place: of.place };
                    let sort = self.scopes.sort(flat.scope, &sort);
                    let known = named(&sort.name).and_then(|of| declared.get(of));
                    if let Some(&(place, true)) = known {
                        self.report.push(told(of.place.0, "has no variants", place));
                    }
                }
                DeclKind::Symbols { keyword, symbols } if **keyword == *"destructor" => {
                    for symbol in symbols {
                        let full = self.scopes.full(flat.scope, &symbol.name.name);
                        let of = self.symbols.get(&full).and_then(|it| it.args.first());
                        let known =
                            of.and_then(|of| named(&of.name)).and_then(|of| declared.get(of)).copied();
                        match known {
                            Some((place, true)) => {
                                self.report.push(told(symbol.name.span(), "has no fields", place));
                            }
                            Some((place, false)) if self.is_foreign(symbol.name.span(), place) => {
                                self.report.push(of_library(&symbol.name, place, "has no other fields"));
                            }
                            _ => {}
                        }
                    }
                }
                DeclKind::Definition { name, .. } => {
                    let full = self.scopes.resolve(flat.scope, &name.name).name;
                    self.check_kept(&full, name.span());
                }
                DeclKind::Choice(choice) => {
                    let full = self.scopes.resolve(flat.scope, &choice.name.name).name;
                    self.check_kept(&full, choice.name.span());
                }
                DeclKind::Interpret { meaning: Interpretation::Other | Interpretation::By(_), .. } => {}
                DeclKind::Interpret { name, meaning, .. }
                    if !(flat.is_of_impl && flat.presence == Presence::Absent) =>
                {
                    let sort = SortRef { name: SortName::Named(name.name.clone()), place: name.place };
                    let sort = self.scopes.sort(flat.scope, &sort);
                    let Some(full) = named(&sort.name).cloned() else { continue };
                    let is_endless = matches!(
                        meaning,
                        Interpretation::Integers | Interpretation::Naturals | Interpretation::Texts
                    );
                    if !is_endless {
                        self.limited.insert(full.clone());
                    }
                    if self.variants.contains_key(&full) {
                        self.report.push(
                            Diagnostic::error(
                                Code::Duplicate,
                                name.span(),
                                format!("the type `{}` has variants", name.name),
                            )
                            .label("it has no interpretation: there are values for those of its variants"),
                        );
                    }
                    if let Some(&(place, _)) = declared.get(&full)
                        && self.is_foreign(name.span(), place)
                    {
                        self.report.push(of_library(name, place, "has no other interpretation"));
                    }
                }
                _ => {}
            }
        }
        self.limited.extend(declared.into_iter().filter(|(_, (_, is_told))| *is_told).map(|(name, _)| name));
    }

    /// Returns the symbols that an assumption mentions, with the equality and the order of each type whose variables are sides of
    /// these.
    pub(super) fn assumed_by(&self, formula: &Expr) -> Set<Arc<str>> {
        self.assumed_of(&[], formula)
    }

    /// The same of a formula with these parameters.
    fn assumed_of(&self, params: &[SortedVar], formula: &Expr) -> Set<Arc<str>> {
        let mut found = symbols_in(formula);
        let given = params.iter().filter_map(|var| Some((&*var.name.name, var.sort.as_ref()?)));
        let mut sorts: Map<&str, &SortRef> = given.collect();
        for node in formula.nodes() {
            match &node.kind {
                ExprKind::Quantifier { vars, .. } => {
                    let given = vars.iter().filter_map(|var| Some((&*var.name.name, var.sort.as_ref()?)));
                    sorts.extend(given);
                }
                // A symbol tells the type of a variable that is an argument of it.
                ExprKind::Ref { name, args: Some(args), .. } => {
                    let Some(symbol) = self.symbols.get(&name.name) else { continue };
                    for (arg, sort) in args.iter().zip(&symbol.args) {
                        if let Some(var) = as_variable(arg) {
                            sorts.insert(&var.name, sort);
                        }
                    }
                }
                _ => {}
            }
        }
        for node in formula.nodes() {
            let ExprKind::Binary { op, sides, .. } = &node.kind else { continue };
            // What is not greater may be equal.
            let relations: &[BinaryOp] = match op {
                BinaryOp::Equal | BinaryOp::NotEqual => &[BinaryOp::Equal],
                BinaryOp::LessEqual | BinaryOp::GreaterEqual => &[BinaryOp::Equal, BinaryOp::Less],
                _ if op.is_order() => &[BinaryOp::Less],
                _ => continue,
            };
            if sides.iter().all(|side| as_variable(side).is_none()) {
                continue;
            }
            for side in sides.iter() {
                let of = match as_variable(side) {
                    Some(var) => sorts.get(&*var.name).copied().cloned(),
                    None => self.sort_of(side),
                };
                let of = of.as_ref().and_then(|of| named(&of.name));
                found.extend(of.into_iter().flat_map(|of| relations.iter().map(move |it| it.on(of))));
            }
        }
        found
    }

    /// Adds a type to those of which statements make values. What nothing executes makes none.
    pub(super) fn makes(&mut self, of: &Arc<str>, place: Span, is_within: bool) {
        if self.is_unused || self.probe.is_some() {
            return;
        }
        let made = self.made.entry(of.clone()).or_insert(Made { place, is_within });
        if made.is_within && !is_within {
            *made = Made { place, is_within };
        }
    }

    /// Adds the symbols of what the program itself assumes. The library relies on what it assumes.
    pub(super) fn keep_assumed(&mut self, span: Span, symbols: Set<Arc<str>>) {
        if !self.is_of_library(span) {
            self.assumed.push((span, symbols));
        }
    }

    /// Reports assumptions about fields, and about values of variants, of types of which statements make values: there may be no
    /// such values then.
    pub(super) fn check_made(&mut self, items: &[Item]) {
        // In an isolate, what others show is assumed. What the program itself assumes is that of the whole.
        if self.made.is_empty() || self.cut.is_some() {
            return;
        }
        let mut made: Map<Arc<str>, Span> = Map::default();
        for (of, how) in &self.made {
            let mut add = |name| _ = made.insert(name, how.place);
            if !how.is_within {
                add(BinaryOp::Equal.on(of));
            }
            self.fields.get(of).into_iter().flatten().for_each(|field| add(field.function.clone()));
            if self.variants.contains_key(of) {
                add(BinaryOp::PointsTo.text().into());
            }
            if self.of_library.contains(of) {
                if !how.is_within {
                    add(BinaryOp::Less.on(of));
                }
                let is_of = |name: &&Arc<str>| {
                    let first = self.symbols.get(*name).and_then(|it| it.args.first());
                    first.and_then(|first| named(&first.name)) == Some(of)
                };
                self.kept.iter().filter(is_of).cloned().for_each(add);
            }
        }
        let mut definitions: Map<&str, Set<Arc<str>>> = Map::default();
        for item in items {
            if let ItemKind::Macro { name, params, body } = &item.kind {
                definitions.entry(&name.name).or_default().extend(self.assumed_of(params, body));
            }
        }
        let mut found = Vec::new();
        for (span, symbols) in &self.assumed {
            let mut open: Vec<Arc<str>> = symbols.iter().cloned().collect();
            let mut seen: Set<Arc<str>> = symbols.clone();
            while let Some(name) = open.pop() {
                if let Some(&place) = made.get(&name) {
                    found.push((*span, name, place));
                    break;
                }
                let further = definitions.get(&*name).into_iter().flatten();
                open.extend(further.filter(|it| seen.insert((*it).clone())).cloned());
            }
        }
        found.sort();
        found.dedup();
        for (span, name, place) in found {
            let relations = [BinaryOp::Equal.on(""), BinaryOp::Less.on("")];
            let what = match relations.iter().find_map(|it| name.strip_prefix(&**it)) {
                Some(sort) => format!("this is assumed of all values of `{sort}`"),
                None => format!("this is assumed about `{name}` of all values"),
            };
            self.report.push(
                Diagnostic::error(Code::Assignment, span, what)
                    .label("statements make further values, and there may be none of which it holds")
                    .also(place, "this makes one")
                    .help("make it an invariant about the values that occur"),
            );
        }
    }

    /// Returns whether a declaration of the program itself says something of what the library declares.
    fn is_foreign(&self, here: Span, declared: Span) -> bool {
        !self.is_of_library(here) && self.is_of_library(declared)
    }
}

/// Returns the symbols that an expression of the flat program mentions, with the relation between values and those of variants.
pub(super) fn symbols_in(expr: &Expr) -> Set<Arc<str>> {
    let names = expr.nodes().filter_map(|node| match &node.kind {
        ExprKind::Ref { name, .. } => Some(name.name.clone()),
        ExprKind::Binary { op: BinaryOp::PointsTo, .. } => Some(BinaryOp::PointsTo.text().into()),
        ExprKind::Binary { op, .. } if op.is_order() => Some(BinaryOp::Less.text().into()),
        _ => None,
    });
    names.collect()
}

/// Returns the name of a type, if it is one that a program declares.
pub(super) fn named(sort: &SortName) -> Option<&Arc<str>> {
    match sort {
        SortName::Named(name) => Some(name),
        _ => None,
    }
}

fn told(span: Span, label: &str, declared: Span) -> Diagnostic {
    Diagnostic::error(Code::Duplicate, span, "the elements of the type are known from its declaration")
        .label(format!("it {label}: there may be no value for them"))
        .also(declared, "declared here")
        .help("declare a type without values")
}

fn of_library(name: &Ident, declared: Span, label: &str) -> Diagnostic {
    Diagnostic::error(Code::Duplicate, name.span(), "the type is one of the library")
        .label(format!("it {label}: the library tells what its elements are"))
        .also(declared, "declared here")
        .help("declare a type of your own")
}
