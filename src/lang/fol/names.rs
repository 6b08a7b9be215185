//! The names that a model declares, known before any formula is checked.

use std::sync::Arc;

use super::ast::{self, Ident, Role, SortName, SortRef};
use super::sorts::Ty;
use super::typed::UnitId;
use crate::base::hash::{Map, Set};
use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
use crate::lang::shared::report::{Report, suggest};
use crate::logic::{Annotation, Signature, Sort, SortId, SymId, Symbol, SymbolKind};

/// What a name stands for outside of sorts.
#[derive(Clone, Copy)]
pub(in crate::lang) enum Global {
    Symbol(SymId),
    Unit(UnitId),
}

/// The sorts of a symbol as they are declared; the signature cannot express all of them.
pub(in crate::lang) struct SymbolSorts {
    pub(in crate::lang) args: Vec<Ty>,
    pub(in crate::lang) result: Ty,
}

/// What a unit is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lang) enum UnitKind {
    Formula(Role),
    Theorem,
    /// Leads from one state to the next.
    Transition,
    Definition,
    Derived(SymId),
}

/// A declaration with a formula.
pub(in crate::lang) struct Unit<'a> {
    pub(in crate::lang) kind: UnitKind,
    /// What its declaration is called, with an article, for messages.
    pub(in crate::lang) what: &'static str,
    /// How many states the formula speaks of.
    pub(in crate::lang) states: u16,
    pub(in crate::lang) name: Option<&'a Ident>,
    pub(in crate::lang) params: &'a [ast::SortedVar],
    /// The symbols that it says it changes, if it says so.
    pub(in crate::lang) modifies: Option<&'a [Ident]>,
    pub(in crate::lang) formula: &'a ast::Expr,
    /// The declaration.
    pub(in crate::lang) span: Span,
}

impl Unit<'_> {
    /// The name, or the kind where there is no name.
    pub(in crate::lang) fn shown(&self) -> String {
        match self.name {
            Some(name) => format!("`{}`", name.name),
            None => format!("this {}", self.what.split_once(' ').map_or("", |(_, noun)| noun)),
        }
    }

    /// The name, or the whole declaration where there is no name.
    pub(in crate::lang) fn name_span(&self) -> Span {
        self.name.map_or(self.span, Ident::span)
    }
}

/// What a language calls things, for messages.
#[derive(Clone, Copy)]
pub(in crate::lang) struct Words {
    /// A function without arguments, with an article.
    pub(in crate::lang) constant: &'static str,
    /// What leads from one state to the next, without an article.
    pub(in crate::lang) transition: &'static str,
    /// What is written here for a name that is declared nowhere and means something in other languages.
    pub(in crate::lang) foreign: fn(&str) -> Option<&'static str>,
}

impl Words {
    /// [`Self::transition`] with its article.
    pub(in crate::lang) fn a_transition(&self) -> String {
        let article = if self.transition.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", self.transition)
    }
}

/// The declaration of a symbol.
pub(in crate::lang) struct NewSymbol<'s> {
    pub(in crate::lang) name: &'s Ident,
    /// What it is called, without an article, for messages.
    pub(in crate::lang) noun: &'static str,
    pub(in crate::lang) kind: SymbolKind,
    pub(in crate::lang) args: &'s [SortRef],
    /// The result sort; `None` for relations.
    pub(in crate::lang) result: Option<&'s SortRef>,
    pub(in crate::lang) annotations: &'s [ast::Annotation],
}

/// All declared names.
pub(in crate::lang) struct Globals<'a> {
    pub(in crate::lang) sig: Signature,
    pub(in crate::lang) symbols: IdVec<SymId, SymbolSorts>,
    pub(in crate::lang) units: IdVec<UnitId, Unit<'a>>,
    /// The safety properties.
    pub(in crate::lang) safeties: Vec<UnitId>,
    pub(in crate::lang) sorts: Map<Arc<str>, SortId>,
    names: Map<Arc<str>, (Global, Span)>,
    /// Names in text that could not be parsed: they may be declared.
    pub(in crate::lang) broken: Set<Arc<str>>,
    /// What things are called.
    pub(in crate::lang) words: Words,
    /// Where the sort `int` is written.
    pub(in crate::lang) arithmetic: Vec<Span>,
}

fn annotations(list: &[ast::Annotation]) -> Vec<Annotation> {
    let convert = |annotation: &ast::Annotation| Annotation {
        name: annotation.name.to_string(),
        args: annotation.args.iter().map(|arg| arg.name.to_string()).collect(),
        span: annotation.place.0,
    };
    list.iter().map(convert).collect()
}

impl<'a> Globals<'a> {
    /// No names.
    pub(in crate::lang) fn new(words: Words) -> Globals<'a> {
        Globals {
            sig: Signature::new(),
            symbols: IdVec::new(),
            units: IdVec::new(),
            safeties: Vec::new(),
            sorts: Map::default(),
            names: Map::default(),
            broken: Set::default(),
            words,
            arithmetic: Vec::new(),
        }
    }

    /// What `name` stands for, and where it is declared.
    pub(in crate::lang) fn get(&self, name: &str) -> Option<(Global, Span)> {
        self.names.get(name).copied()
    }

    /// The sort of this name.
    pub(in crate::lang) fn sort_id(&self, name: &str) -> Option<SortId> {
        self.sorts.get(name).copied()
    }

    /// Whether `name` occurs in text that could not be parsed.
    pub(in crate::lang) fn is_broken(&self, name: &str) -> bool {
        self.broken.contains(name)
    }

    /// All names outside of sorts, for suggestions.
    pub(in crate::lang) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// What the global is, in words.
    pub(in crate::lang) fn describe(&self, global: Global) -> &'static str {
        match global {
            Global::Symbol(sym) => {
                let sorts = &self.symbols[sym];
                match (sorts.args.is_empty(), sorts.result) {
                    (_, Ty::Bool) => "a relation",
                    (true, _) => self.words.constant,
                    (false, _) => "a function",
                }
            }
            Global::Unit(unit) => self.units[unit].what,
        }
    }

    pub(in crate::lang) fn add_sort(&mut self, name: &Ident, notes: &[ast::Annotation], report: &mut Report) {
        if let Some(&other) = self.sorts.get(&name.name) {
            let mut error = Diagnostic::error(
                Code::Duplicate,
                name.span(),
                format!("the sort `{}` is declared twice", name.name),
            )
            .label("declared again here");
            if let Some(span) = self.sig.sorts[other].span {
                error = error.also(span, "first declared here");
            }
            report.push(error);
            return;
        }
        let sort =
            Sort { name: name.name.to_string(), annotations: annotations(notes), span: Some(name.span()) };
        let id = self.sig.sorts.push(sort);
        self.sorts.insert(name.name.clone(), id);
    }

    pub(in crate::lang) fn add_name(&mut self, name: &Ident, global: Global, report: &mut Report) {
        if let Some(&(other, span)) = self.names.get(&name.name) {
            report.push(
                Diagnostic::error(
                    Code::Duplicate,
                    name.span(),
                    format!("the name `{}` is declared twice", name.name),
                )
                .label("declared again here")
                .also(span, format!("first declared here, as {}", self.describe(other))),
            );
        } else {
            self.names.insert(name.name.clone(), (global, name.span()));
        }
    }

    pub(in crate::lang) fn add_symbol(&mut self, decl: &NewSymbol<'_>, report: &mut Report) {
        let mut args = Vec::new();
        for sort in decl.args {
            args.push(match self.sort(sort, report) {
                Ty::Bool => {
                    report.push(argument_sort(sort.place.0, "bool", decl.noun));
                    Ty::Unknown
                }
                Ty::Int => {
                    report.push(argument_sort(sort.place.0, "int", decl.noun));
                    Ty::Unknown
                }
                other => other,
            });
        }
        let result = decl.result.map_or(Ty::Bool, |sort| self.sort(sort, report));
        // Where a sort is not expressible, an error has been reported or will be, and the signature is not used.
        let plain = |ty: &Ty| if let Ty::Sort(sort) = *ty { sort } else { SortId::BOOL };
        let sym = self.sig.symbols.push(Symbol {
            name: decl.name.name.to_string(),
            args: args.iter().map(plain).collect(),
            result: plain(&result),
            kind: decl.kind,
            annotations: annotations(decl.annotations),
            span: Some(decl.name.span()),
        });
        self.symbols.push(SymbolSorts { args, result });
        self.add_name(decl.name, Global::Symbol(sym), report);
    }

    /// Adds a declaration with a formula, and its name where others may use it.
    pub(in crate::lang) fn add_unit(&mut self, unit: Unit<'a>, report: &mut Report) -> UnitId {
        let id = self.units.next_id();
        if unit.kind == UnitKind::Formula(Role::Safety) {
            self.safeties.push(id);
        }
        let name = unit.name.filter(|_| !matches!(unit.kind, UnitKind::Derived(_)));
        self.units.push(unit);
        if let Some(name) = name {
            self.add_name(name, Global::Unit(id), report);
        }
        id
    }

    /// The sort that is written; errors give [`Ty::Unknown`].
    pub(in crate::lang) fn sort(&mut self, sort: &SortRef, report: &mut Report) -> Ty {
        let name = match &sort.name {
            SortName::Bool => return Ty::Bool,
            SortName::Int => {
                self.arithmetic.push(sort.place.0);
                return Ty::Int;
            }
            SortName::Named(name) => name,
        };
        if let Some(&id) = self.sorts.get(name) {
            return Ty::Sort(id);
        }
        if !self.broken.contains(name) && !report.is_full() {
            let mut error = Diagnostic::error(
                Code::Undeclared,
                sort.place.0,
                format!("the sort `{name}` is not declared"),
            )
            .label("unknown sort");
            error = match suggest(name, self.sorts.keys().map(|name| &**name)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None if self.names.contains_key(name) => {
                    error.note(format!("`{name}` is declared, but not as a sort"))
                }
                None => error.help(format!("declare it: `sort {name}`")),
            };
            report.push(error);
        }
        Ty::Unknown
    }

    /// The sort's name.
    pub(in crate::lang) fn sort_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Bool => "bool".into(),
            Ty::Int => "int".into(),
            Ty::Sort(sort) => self.sig.sorts[sort].name.clone(),
            Ty::Var(_) | Ty::Unknown => "?".into(),
        }
    }
}

fn argument_sort(span: Span, sort: &str, noun: &str) -> Diagnostic {
    let message = format!("`{sort}` cannot be the sort of an argument");
    Diagnostic::error(Code::SortMismatch, span, message)
        .label(format!("arguments of a {} are of declared sorts", noun))
        .help("declare an uninterpreted sort for it")
}
