//! Global names: the declarations of a model, collected before formulas are checked.

use std::sync::Arc;

use super::ast::{self, Ident, Role, SortName, SortRef};
use super::expr::BinaryOp;
use super::sorts::Ty;
use super::typed::UnitId;
use crate::shared::report::{Report, suggest};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{
    Annotation, Signature, Sort, SortId, SymId, Symbol, SymbolKind, SymbolOrigin, Unchecked, Universe,
};
use ramsey_core::system::InstanceParts;

/// Meaning of a global name other than a sort.
#[derive(Clone, Copy)]
pub(crate) enum Global {
    Symbol(SymId),
    Unit(UnitId),
}

/// The declared sorts of a symbol, not all of which the signature can express.
pub(crate) struct SymbolSorts {
    pub(crate) args: Vec<Ty>,
    pub(crate) result: Ty,
}

/// Kind of a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitKind {
    Formula(Role),
    Theorem,
    /// An instance of a schema.
    Instance(InstanceParts),
    /// A relation between a state and its successor.
    Transition,
    Definition,
    Derived(SymId),
}

/// A declaration that contains a formula.
pub(crate) struct Unit<'a> {
    pub(crate) kind: UnitKind,
    /// The kind of declaration with an article, for messages.
    pub(crate) what: &'static str,
    /// The number of states that the formula may mention.
    pub(crate) states: u16,
    pub(crate) name: Option<&'a Ident>,
    pub(crate) params: &'a [ast::SortedVar],
    /// The symbols in its `modifies` clause, if it has one.
    pub(crate) modifies: Option<&'a [Ident]>,
    pub(crate) formula: &'a ast::Expr,
    /// The position of the declaration.
    pub(crate) span: Span,
}

impl Unit<'_> {
    /// Returns the quoted name, or the kind if there is no name, for messages.
    pub(crate) fn shown(&self) -> String {
        match self.name {
            Some(name) => format!("`{}`", name.name),
            None => format!("this {}", self.what.split_once(' ').map_or("", |(_, noun)| noun)),
        }
    }

    /// Returns the position of the name, or of the declaration if there is no name.
    pub(crate) fn name_span(&self) -> Span {
        self.name.map_or(self.span, Ident::span)
    }
}

/// Terminology of a language, for messages.
#[derive(Clone, Copy)]
pub(crate) struct Terminology {
    /// The keyword of the declaration of a sort.
    pub(crate) sort: &'static str,
    /// The noun for a function without arguments, with an article.
    pub(crate) constant: &'static str,
    /// The noun for a transition, without an article.
    pub(crate) transition: &'static str,
    /// How a variable of commands is declared.
    pub(crate) local: &'static str,
    /// Suggests a replacement for an undeclared name that is part of other languages.
    pub(crate) foreign: fn(&str) -> Option<&'static str>,
}

impl Terminology {
    /// Returns [`Self::transition`] with its article.
    pub(crate) fn a_transition(&self) -> String {
        let article = if self.transition.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", self.transition)
    }
}

/// A declaration of a symbol.
pub(crate) struct NewSymbol<'s> {
    pub(crate) name: &'s Ident,
    /// The kind of symbol without an article, for messages.
    pub(crate) noun: &'static str,
    /// The name in the source of what it stands for, if the source does not declare it.
    pub(crate) source: Option<&'s Arc<str>>,
    /// Why the claim that it stands for is not checked, if it is one.
    pub(crate) unchecked: Option<Unchecked>,
    /// Whether it is defined by recursion over numbers.
    pub(crate) is_recursive: bool,
    pub(crate) kind: SymbolKind,
    pub(crate) args: &'s [SortRef],
    /// The result sort; `None` for relations.
    pub(crate) result: Option<&'s SortRef>,
    pub(crate) annotations: &'s [ast::Annotation],
}

/// All declared names.
pub(crate) struct Globals<'a> {
    pub(crate) sig: Signature,
    pub(crate) symbols: IdVec<SymId, SymbolSorts>,
    pub(crate) units: IdVec<UnitId, Unit<'a>>,
    /// The safety properties.
    pub(crate) safeties: Vec<UnitId>,
    /// The definitions that are relations.
    pub(crate) relations: Map<UnitId, SymId>,
    pub(crate) sorts: Map<Arc<str>, SortId>,
    names: Map<Arc<str>, (Global, Span)>,
    /// Names in text that could not be parsed, and which may be declared there.
    pub(crate) broken: Set<Arc<str>>,
    /// The terminology of the language.
    pub(crate) terminology: Terminology,
    /// Occurrences of the sort `int`.
    pub(crate) arithmetic: Vec<Span>,
    /// Whether orders and numerals are symbols of every sort that they are used with.
    pub(crate) overloads: bool,
    /// The orders and numerals that are symbols, with their sorts.
    pub(crate) overloaded: Vec<(Arc<str>, SortId)>,
    /// The sorts whose elements are numbers, with the least and the greatest one, where these are known.
    numbers: Map<Arc<str>, [Option<u64>; 2]>,
    /// The sorts of numbers of which axioms tell all sums, differences and products.
    computed: Set<Arc<str>>,
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
    /// Creates an empty table.
    pub(crate) fn new(terminology: Terminology) -> Globals<'a> {
        Globals {
            sig: Signature::new(),
            symbols: IdVec::new(),
            units: IdVec::new(),
            safeties: Vec::new(),
            relations: Map::default(),
            sorts: Map::default(),
            names: Map::default(),
            broken: Set::default(),
            terminology,
            arithmetic: Vec::new(),
            overloads: false,
            overloaded: Vec::new(),
            numbers: Map::default(),
            computed: Set::default(),
        }
    }

    /// Says what the elements of sorts are: these numbers, with operations that are all told or not, and whole sets.
    pub(crate) fn interpret(
        &mut self,
        numbers: &Map<Arc<str>, [Option<u64>; 2]>,
        computed: &Set<Arc<str>>,
        universes: &Map<Arc<str>, Universe>,
    ) {
        self.numbers.clone_from(numbers);
        self.computed.clone_from(computed);
        for (name, universe) in universes {
            if let Some(&sort) = self.sorts.get(name) {
                self.sig.sorts[sort].universe = Some(*universe);
            }
        }
    }

    /// Returns the order, operation or numeral `name` of a sort, with `args` arguments of that sort. Its first use declares it.
    pub(crate) fn overload(&mut self, name: &str, sort: SortId, args: usize, span: Span) -> SymId {
        let full: Arc<str> = format!("{name}:{}", self.sig.sorts[sort].name).into();
        if let Some((Global::Symbol(sym), _)) = self.names.get(&full) {
            return *sym;
        }
        let is_order = name == "<";
        let result = if is_order { SortId::BOOL } else { sort };
        let origin = match args {
            0 if self.is_beyond(name, sort) => SymbolOrigin::Beyond,
            0 => self.numeral(name, sort).map_or(SymbolOrigin::Declared, SymbolOrigin::Numeral),
            _ if is_order => SymbolOrigin::Order,
            _ => {
                let op = ["+", "-", "*", "/"].into_iter().find(|op| *op == name).unwrap_or("+");
                let name = &*self.sig.sorts[sort].name;
                let is_told = op != "/" && self.computed.contains(name);
                let is_open = self.numbers.contains_key(name) && !is_told;
                if is_open { SymbolOrigin::Arithmetic(op) } else { SymbolOrigin::Operation(op) }
            }
        };
        let symbol = Symbol::new(&*full, vec![sort; args], result, SymbolKind::Immutable);
        let sym = self.sig.symbols.push(Symbol { origin, span: Some(span), ..symbol });
        let ty = if is_order { Ty::Bool } else { Ty::Sort(sort) };
        self.symbols.push(SymbolSorts { args: vec![Ty::Sort(sort); args], result: ty });
        self.names.insert(full, (Global::Symbol(sym), span));
        self.overloaded.push((name.into(), sort));
        sym
    }

    /// Returns the value of a numeral of a sort whose elements are all numbers of a set.
    fn numeral(&self, numeral: &str, sort: SortId) -> Option<u64> {
        let is_of_numbers = matches!(
            self.sig.sorts[sort].universe,
            Some(Universe::Naturals | Universe::Integers | Universe::Range(..))
        );
        numeral.parse().ok().filter(|_| is_of_numbers)
    }

    /// Returns whether a numeral is none of the numbers that a sort has, as far as it is known which number it is: `0x10` and
    /// numbers beyond 64 bits are not.
    fn is_beyond(&self, numeral: &str, sort: SortId) -> bool {
        let Some([least, greatest]) = self.numbers.get(&*self.sig.sorts[sort].name) else { return false };
        match numeral.parse::<u64>() {
            Ok(number) => {
                least.is_some_and(|least| number < least)
                    || greatest.is_some_and(|greatest| number > greatest)
            }
            Err(_) => true,
        }
    }

    /// Returns the function `name` from one sort to another. Its first use declares it.
    pub(crate) fn conversion(&mut self, name: &str, from: SortId, to: SortId, span: Span) -> SymId {
        let [one, other] = [from, to].map(|sort| &self.sig.sorts[sort].name);
        let full: Arc<str> = format!("{name}:{one}:{other}").into();
        if let Some((Global::Symbol(sym), _)) = self.names.get(&full) {
            return *sym;
        }
        let is_number = self.numbers.contains_key(&**one) || self.numbers.contains_key(&**other);
        let origin = if is_number { SymbolOrigin::Arithmetic("bfe") } else { SymbolOrigin::Declared };
        let symbol = Symbol::new(&*full, vec![from], to, SymbolKind::Immutable);
        let sym = self.sig.symbols.push(Symbol { origin, span: Some(span), ..symbol });
        self.symbols.push(SymbolSorts { args: vec![Ty::Sort(from)], result: Ty::Sort(to) });
        self.names.insert(full, (Global::Symbol(sym), span));
        sym
    }

    /// Returns what the program declares as the order, operation or relation `name` of a sort.
    pub(crate) fn overloading(&self, name: &str, sort: SortId) -> Option<Global> {
        let full = format!("{name}:{}", self.sig.sorts[sort].name);
        self.names.get(&*full).map(|&(global, _)| global)
    }

    /// Returns the meaning and the declaration of `name`.
    pub(crate) fn get(&self, name: &str) -> Option<(Global, Span)> {
        self.names.get(name).copied()
    }

    /// Returns the sort of this name.
    pub(crate) fn sort_id(&self, name: &str) -> Option<SortId> {
        self.sorts.get(name).copied()
    }

    /// Returns whether `name` occurs in text that could not be parsed.
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        self.broken.contains(name)
    }

    /// Returns all names other than sorts, for suggestions.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    /// Describes a global, for messages.
    pub(crate) fn describe(&self, global: Global) -> &'static str {
        match global {
            Global::Symbol(sym) => {
                let sorts = &self.symbols[sym];
                match (sorts.args.is_empty(), sorts.result) {
                    (_, Ty::Bool) => "a relation",
                    (true, _) => self.terminology.constant,
                    (false, _) => "a function",
                }
            }
            Global::Unit(unit) => self.units[unit].what,
        }
    }

    pub(crate) fn add_sort(&mut self, name: &Ident, notes: &[ast::Annotation], report: &mut Report) {
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
        let annotations = annotations(notes);
        let sort = Sort { annotations, span: Some(name.span()), ..Sort::new(&*name.name) };
        let id = self.sig.sorts.push(sort);
        self.sorts.insert(name.name.clone(), id);
    }

    pub(crate) fn add_name(&mut self, name: &Ident, global: Global, report: &mut Report) {
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

    pub(crate) fn add_symbol(&mut self, decl: &NewSymbol<'_>, report: &mut Report) {
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
        // If a sort is not expressible, an error is reported here or later, and the signature is not used.
        let plain = |ty: &Ty| if let Ty::Sort(sort) = *ty { sort } else { SortId::BOOL };
        let sym = self.sig.symbols.push(Symbol {
            name: decl.name.name.to_string(),
            origin: match (decl.unchecked, decl.source) {
                (Some(reason), _) => SymbolOrigin::Unchecked(reason),
                (None, None) if decl.is_recursive => SymbolOrigin::Recursive,
                (None, Some(name)) => SymbolOrigin::Local(name.clone()),
                // The name of a relation that a text declares has no operator in it.
                (None, None) if decl.name.name.starts_with(BinaryOp::PointsTo.text()) => {
                    SymbolOrigin::Variant
                }
                (None, None) => SymbolOrigin::Declared,
            },
            args: args.iter().map(plain).collect(),
            result: plain(&result),
            kind: decl.kind,
            annotations: annotations(decl.annotations),
            span: Some(decl.name.span()),
        });
        self.symbols.push(SymbolSorts { args, result });
        self.add_name(decl.name, Global::Symbol(sym), report);
    }

    /// Adds a declaration with a formula, and its name if the declaration can be referred to.
    pub(crate) fn add_unit(&mut self, unit: Unit<'a>, report: &mut Report) -> UnitId {
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

    /// Resolves a sort. Errors are reported and result in [`Ty::Unknown`].
    pub(crate) fn sort(&mut self, sort: &SortRef, report: &mut Report) -> Ty {
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
            let inner = self
                .sorts
                .keys()
                .filter(|sort| sort.strip_prefix(&**name).is_some_and(|rest| rest.starts_with('.')));
            let inner = inner.min_by_key(|sort| (sort.len(), Arc::clone(sort)));
            error = match (inner, suggest(name, self.sorts.keys().map(|name| &**name))) {
                (Some(sort), _) => error.help(format!(
                    "the first `.` ends the variables; give the sort where the variable occurs: `X:{sort}`"
                )),
                (None, Some(near)) => error.help(format!("did you mean `{near}`?")),
                _ if self.names.contains_key(name) => {
                    error.note(format!("`{name}` is declared, but not as a sort"))
                }
                _ => error.help(format!("declare it: `{} {name}`", self.terminology.sort)),
            };
            report.push(error);
        }
        Ty::Unknown
    }

    /// Returns the name of a sort.
    pub(crate) fn sort_name(&self, ty: Ty) -> String {
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
