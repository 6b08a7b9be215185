//! The names that a file declares, collected before any formula is read.

use std::sync::Arc;

use super::ast::{self, Decl, DeclKind, DefinitionKind, Ident, Mutability, Role, SortName, SortRef};
use super::report::{Report, suggest};
use super::sorts::Ty;
use super::typed::UnitId;
use crate::base::hash::{Map, Set};
use crate::base::ids::IdVec;
use crate::base::span::Span;
use crate::diag::{Code, Diagnostic};
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
    Transition,
    /// A transition of a program, whose body is commands.
    Action,
    /// A definition of a program.
    Macro,
    Definition,
    Derived(SymId),
}

impl UnitKind {
    /// Whether it leads from one state to the next.
    pub(in crate::lang) fn is_transition(self) -> bool {
        matches!(self, UnitKind::Transition | UnitKind::Action)
    }
}

/// A declaration with a formula.
pub(in crate::lang) struct Unit<'a> {
    pub(in crate::lang) kind: UnitKind,
    /// How many states the formula speaks of.
    pub(in crate::lang) states: u16,
    pub(in crate::lang) name: Option<&'a Ident>,
    pub(in crate::lang) params: &'a [ast::SortedVar],
    pub(in crate::lang) modifies: Option<&'a [Ident]>,
    pub(in crate::lang) formula: &'a ast::Expr,
    /// The declaration.
    pub(in crate::lang) span: Span,
}

impl Unit<'_> {
    /// The declaration's kind with its article, for messages.
    pub(in crate::lang) fn what(&self) -> &'static str {
        match self.kind {
            UnitKind::Formula(Role::Axiom) => "an axiom",
            UnitKind::Formula(Role::Init) => "an init",
            UnitKind::Formula(Role::Invariant) => "an invariant",
            UnitKind::Formula(Role::Safety) => "a safety property",
            UnitKind::Theorem => "a theorem",
            UnitKind::Transition => "a transition",
            UnitKind::Action => "an action",
            UnitKind::Macro => "a macro",
            UnitKind::Definition => "a definition",
            UnitKind::Derived(_) => "a derived relation",
        }
    }

    /// The name, or the kind where there is no name.
    pub(in crate::lang) fn shown(&self) -> String {
        match self.name {
            Some(name) => format!("`{}`", name.name),
            None => format!("this {}", self.what().split_once(' ').map_or("", |(_, noun)| noun)),
        }
    }

    /// The name, or the whole declaration where there is no name.
    pub(in crate::lang) fn name_span(&self) -> Span {
        self.name.map_or(self.span, Ident::span)
    }
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
    /// Whether this is a program, where constants are called variables and transitions actions.
    pub(in crate::lang) is_program: bool,
    /// Where the sort `int` is written.
    pub(in crate::lang) arithmetic: Vec<Span>,
}

/// Collects all declarations.
pub(in crate::lang) fn collect<'a>(program: &'a ast::Program, report: &mut Report) -> Globals<'a> {
    let mut globals = Globals::new();
    for decl in &program.decls {
        match &decl.kind {
            DeclKind::Sort { name, annotations } => globals.add_sort(name, annotations, report),
            DeclKind::Broken(names) => globals.broken.extend(names.iter().cloned()),
            _ => {}
        }
    }
    for decl in &program.decls {
        if !report.spend(1) {
            break;
        }
        if let DeclKind::Symbol(symbol) = &decl.kind {
            globals.add_symbol(symbol, report);
        }
    }
    for decl in &program.decls {
        if !report.spend(1) {
            break;
        }
        globals.add_unit(decl, report);
    }
    globals
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
    pub(in crate::lang) fn new() -> Globals<'a> {
        Globals {
            sig: Signature::new(),
            symbols: IdVec::new(),
            units: IdVec::new(),
            safeties: Vec::new(),
            sorts: Map::default(),
            names: Map::default(),
            broken: Set::default(),
            is_program: false,
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
                    (true, _) if self.is_program => "a variable",
                    (true, _) => "a constant",
                    (false, _) => "a function",
                }
            }
            Global::Unit(unit) => self.units[unit].what(),
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

    pub(in crate::lang) fn add_symbol(&mut self, decl: &ast::SymbolDecl, report: &mut Report) {
        let mut args = Vec::new();
        for sort in &decl.args {
            args.push(match self.sort(sort, report) {
                Ty::Bool => {
                    report.push(argument_sort(sort.place.0, "bool", decl.form));
                    Ty::Unknown
                }
                Ty::Int => {
                    report.push(argument_sort(sort.place.0, "int", decl.form));
                    Ty::Unknown
                }
                other => other,
            });
        }
        let result = decl.result.as_ref().map_or(Ty::Bool, |sort| self.sort(sort, report));
        let kind = match decl.mutability {
            Mutability::Immutable => SymbolKind::Immutable,
            Mutability::Mutable => SymbolKind::Mutable,
            Mutability::Derived => SymbolKind::Derived,
        };
        // Where a sort is not expressible, an error has been reported or will be, and the signature is not used.
        let plain = |ty: &Ty| if let Ty::Sort(sort) = *ty { sort } else { SortId::BOOL };
        let sym = self.sig.symbols.push(Symbol {
            name: decl.name.name.to_string(),
            args: args.iter().map(plain).collect(),
            result: plain(&result),
            kind,
            annotations: annotations(&decl.annotations),
            span: Some(decl.name.span()),
        });
        self.symbols.push(SymbolSorts { args, result });
        self.add_name(&decl.name, Global::Symbol(sym), report);
    }

    fn add_unit(&mut self, decl: &'a Decl, report: &mut Report) {
        let plain = |kind, states, name: &'a Option<Ident>, formula| Unit {
            kind,
            states,
            name: name.as_ref(),
            params: &[],
            modifies: None,
            formula,
            span: decl.span(),
        };
        let unit = match &decl.kind {
            DeclKind::Formula { role, name, formula } => {
                plain(UnitKind::Formula(*role), u16::from(*role != Role::Axiom), name, formula)
            }
            DeclKind::Theorem { states, name, formula } => {
                plain(UnitKind::Theorem, states.map_or(1, ast::States::count), name, formula)
            }
            DeclKind::Definition(definition) => {
                let (kind, states) = match definition.kind {
                    DefinitionKind::Transition => (UnitKind::Transition, 2),
                    DefinitionKind::Definition(states) => {
                        (UnitKind::Definition, states.map_or(1, ast::States::count))
                    }
                };
                Unit {
                    kind,
                    states,
                    name: Some(&definition.name),
                    params: &definition.params,
                    modifies: definition.modifies.as_deref(),
                    formula: &definition.body,
                    span: decl.span(),
                }
            }
            DeclKind::Symbol(ast::SymbolDecl { axiom: Some(formula), name, .. }) => {
                let Some((Global::Symbol(sym), _)) = self.get(&name.name) else { return };
                let mut unit = plain(UnitKind::Derived(sym), 1, &None, formula);
                unit.name = Some(name);
                unit
            }
            _ => return,
        };
        let id = self.units.next_id();
        if unit.kind == UnitKind::Formula(Role::Safety) {
            self.safeties.push(id);
        }
        let name = unit.name.filter(|_| !matches!(unit.kind, UnitKind::Derived(_)));
        self.units.push(unit);
        if let Some(name) = name {
            self.add_name(name, Global::Unit(id), report);
        }
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

fn argument_sort(span: Span, sort: &str, form: ast::SymbolForm) -> Diagnostic {
    let message = format!("`{sort}` cannot be the sort of an argument");
    Diagnostic::error(Code::SortMismatch, span, message)
        .label(format!("arguments of a {} are of declared sorts", form.keyword()))
        .help("declare an uninterpreted sort for it")
}
