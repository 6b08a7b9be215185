//! Types and symbols, declared or implicit.

use super::cursor::{Parsed, Stop, shown};
use crate::shared::report::suggest;
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Signature, Sort, SortId, SymId, Symbol, SymbolKind, TermId, Terms};

/// Help for a formula in place of a term.
pub(super) const NO_FORMULAS: &str =
    "formulas as arguments, and equality of formulas, are not supported; equivalence is `<=>`";

/// A term or formula with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) term: TermId,
    pub(super) span: Span,
}

/// The expected kind of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Formula,
    Term,
    /// A formula or a term, depending on the operand.
    Either,
}

/// The meaning of a declared name.
#[derive(Clone, Copy, Debug)]
enum Declared {
    Sort(SortId),
    Symbol(SymId),
    /// The declaration has an error.
    Broken,
}

/// The types and symbols so far.
#[derive(Default)]
pub(super) struct Vocabulary<'a> {
    pub(super) sig: Signature,
    /// `$i`, once it is used.
    individual: Option<SortId>,
    declared: Map<&'a str, Declared>,
    /// Symbols used without a declaration. They are identified by name, whether they are a relation, and number of
    /// arguments.
    implicit: Map<(&'a str, bool, usize), SymId>,
    /// The first use of each name in `implicit`.
    used: Map<&'a str, Span>,
    /// The distinct objects: names in double quotes.
    pub(super) distinct_objects: Vec<SymId>,
}

impl<'a> Vocabulary<'a> {
    /// Returns the sort `$i`.
    pub(super) fn individual(&mut self) -> SortId {
        let sorts = &mut self.sig.sorts;
        *self.individual.get_or_insert_with(|| sorts.push(Sort::new("$i")))
    }

    /// Returns the name of a sort in TPTP.
    pub(super) fn sort_name(&self, sort: SortId) -> String {
        if sort == SortId::BOOL { "$o".to_owned() } else { shown(&self.sig.sorts[sort].name) }
    }

    /// Declares a type.
    pub(super) fn declare_sort(&mut self, name: &'a str, span: Span) -> Parsed<()> {
        match self.earlier(name, span)? {
            None => {
                let sort = self.sig.sorts.push(Sort { span: Some(span), ..Sort::new(name) });
                self.declared.insert(name, Declared::Sort(sort));
                Ok(())
            }
            Some(Declared::Sort(_)) => Ok(()),
            Some(Declared::Broken) => Err(Stop::Reported),
            Some(Declared::Symbol(sym)) => Err(duplicate(name, span, self.sig.symbols[sym].span)),
        }
    }

    /// Declares a symbol. Identical repetitions are ignored, as they occur in included files.
    pub(super) fn declare_symbol(
        &mut self,
        name: &'a str,
        args: Vec<SortId>,
        result: SortId,
        span: Span,
    ) -> Parsed<()> {
        match self.earlier(name, span)? {
            None => {
                let sym = self.add(name, args, result, Some(span));
                self.declared.insert(name, Declared::Symbol(sym));
                Ok(())
            }
            Some(Declared::Symbol(sym)) => {
                let symbol = &self.sig.symbols[sym];
                if symbol.args == args && symbol.result == result {
                    return Ok(());
                }
                Err(duplicate(name, span, symbol.span))
            }
            Some(Declared::Broken) => Err(Stop::Reported),
            Some(Declared::Sort(sort)) => Err(duplicate(name, span, self.sig.sorts[sort].span)),
        }
    }

    /// Declares a name with an error, so that its uses are not reported.
    pub(super) fn declare_broken(&mut self, name: &'a str) {
        self.declared.entry(name).or_insert(Declared::Broken);
    }

    /// Returns the declaration of `name`, if there is one. Returns an error if the name was used before.
    fn earlier(&self, name: &str, span: Span) -> Parsed<Option<Declared>> {
        if let Some(&used) = self.used.get(name) {
            let what = format!("`{}` is declared after it was used", shown(name));
            return Err(Diagnostic::error(Code::Duplicate, span, what)
                .label("declared here")
                .also(used, "without a type before that, so it was taken to be over `$i`")
                .help("move the declaration before the first use")
                .into());
        }
        Ok(self.declared.get(name).copied())
    }

    fn add(&mut self, name: &str, args: Vec<SortId>, result: SortId, span: Option<Span>) -> SymId {
        let kind = SymbolKind::Immutable;
        self.sig.symbols.push(Symbol { span, ..Symbol::new(name, args, result, kind) })
    }

    /// Returns the type declared as `name`.
    pub(super) fn sort(&self, name: &str, span: Span) -> Parsed<SortId> {
        match self.declared.get(name) {
            Some(&Declared::Sort(sort)) => Ok(sort),
            Some(Declared::Broken) => Err(Stop::Reported),
            Some(&Declared::Symbol(sym)) => {
                let what = format!("`{}` is not a type", shown(name));
                let mut error =
                    Diagnostic::error(Code::SortMismatch, span, what).label("a type is expected here");
                if let Some(place) = self.sig.symbols[sym].span {
                    error = error.also(place, "declared here");
                }
                Err(error.into())
            }
            None => {
                let what = format!("the type `{}` is not declared", shown(name));
                let error = Diagnostic::error(Code::Undeclared, span, what).label("unknown type");
                let known = self.sig.uninterpreted_sorts().map(|sort| self.sig.sorts[sort].name.as_str());
                Err(error
                    .help(match suggest(name, known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => {
                            format!("declare it before: `tff({0}_type, type, {0}: $tType).`", shown(name))
                        }
                    })
                    .into())
            }
        }
    }

    /// Returns the distinct object `name` as a term.
    pub(super) fn distinct_object(&mut self, terms: &mut Terms, name: &'a str) -> TermId {
        let sort = self.individual();
        let sym = self.implicit.get(&(name, false, 0)).copied().unwrap_or_else(|| {
            let sym = self.add(name, Vec::new(), sort, None);
            self.implicit.insert((name, false, 0), sym);
            self.distinct_objects.push(sym);
            sym
        });
        terms.app(&self.sig, sym, 0, &[])
    }

    /// Applies the symbol `name`. Without a declaration it is a relation or a function over `$i`.
    pub(super) fn apply(
        &mut self,
        terms: &mut Terms,
        name: &'a str,
        span: Span,
        args: &[Value],
        wanted: Wanted,
    ) -> Parsed<TermId> {
        let sym = match self.declared.get(name) {
            Some(&Declared::Symbol(sym)) => sym,
            Some(Declared::Broken) => return Err(Stop::Reported),
            Some(&Declared::Sort(sort)) => {
                let what = format!("`{}` is a type", shown(name));
                let mut error =
                    Diagnostic::error(Code::SortMismatch, span, what).label("not a function or relation");
                if let Some(place) = self.sig.sorts[sort].span {
                    error = error.also(place, "declared here");
                }
                return Err(error.into());
            }
            None => {
                let is_relation = wanted != Wanted::Term;
                let individual = (!is_relation || !args.is_empty()).then(|| self.individual());
                let known = self.implicit.get(&(name, is_relation, args.len())).copied();
                known.unwrap_or_else(|| {
                    self.used.entry(name).or_insert(span);
                    let sorts = individual.into_iter().cycle().take(args.len()).collect();
                    let result = individual.filter(|_| !is_relation).unwrap_or(SortId::BOOL);
                    let sym = self.add(name, sorts, result, None);
                    self.implicit.insert((name, is_relation, args.len()), sym);
                    sym
                })
            }
        };
        self.check_args(terms, sym, span, args)?;
        let symbol = &self.sig.symbols[sym];
        let told = |message: String, label: &str| {
            let error = Diagnostic::error(Code::SortMismatch, span, message).label(label);
            match symbol.span {
                Some(place) => error.also(place, "declared here"),
                None => error,
            }
        };
        match (wanted, symbol.is_relation()) {
            (Wanted::Term, true) => {
                let what = format!("`{}` is a relation", shown(name));
                return Err(told(what, "a term is expected here").help(NO_FORMULAS).into());
            }
            (Wanted::Formula, false) => {
                let what = format!("`{}` is of type `{}`", shown(name), self.sort_name(symbol.result));
                return Err(told(what, "a formula is expected here").into());
            }
            _ => {}
        }
        let args: Vec<TermId> = args.iter().map(|arg| arg.term).collect();
        Ok(terms.app(&self.sig, sym, 0, &args))
    }

    fn check_args(&self, terms: &Terms, sym: SymId, span: Span, args: &[Value]) -> Parsed<()> {
        let symbol = &self.sig.symbols[sym];
        let told = |error: Diagnostic| match symbol.span {
            Some(place) => error.also(place, "declared here"),
            None => error.note(format!(
                "`{}` is not declared, so it is over `$i`; declarations come before uses",
                shown(&symbol.name)
            )),
        };
        if symbol.args.len() != args.len() {
            let count = match symbol.args.len() {
                0 => "no arguments".to_owned(),
                1 => "1 argument".to_owned(),
                count => format!("{count} arguments"),
            };
            let what = format!("`{}` takes {count}, and there are {}", shown(&symbol.name), args.len());
            return Err(told(Diagnostic::error(Code::Arity, span, what).label("applied here")).into());
        }
        for (index, (arg, &sort)) in args.iter().zip(&symbol.args).enumerate() {
            let found = terms.sort(arg.term);
            if found != sort {
                let what = format!(
                    "argument {} of `{}` is of type `{}`, and `{}` is expected",
                    index + 1,
                    shown(&symbol.name),
                    self.sort_name(found),
                    self.sort_name(sort)
                );
                let label = format!("of type `{}`", self.sort_name(found));
                return Err(told(Diagnostic::error(Code::SortMismatch, arg.span, what).label(label)).into());
            }
        }
        Ok(())
    }
}

fn duplicate(name: &str, span: Span, first: Option<Span>) -> Stop {
    let what = format!("`{}` is declared twice, with different types", shown(name));
    let mut error = Diagnostic::error(Code::Duplicate, span, what).label("declared again here");
    if let Some(first) = first {
        error = error.also(first, "first declared here");
    }
    error.into()
}
