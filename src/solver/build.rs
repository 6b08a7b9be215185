//! Declarations and formulas.

use super::{Last, Misuse, Solver};
use crate::base::hash::Set;
use crate::base::ids::Id as _;
use crate::logic::{self, Signature, SortId, SymId, SymbolKind, TermId, VarId};

/// A sort of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sort(pub(crate) SortId);

/// A relation, function or constant of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Symbol(pub(crate) SymId);

/// A variable of a solver, to be bound by quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Variable(pub(crate) VarId);

/// A term or formula of a solver; equal ones have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Term(pub(crate) TermId);

impl Sort {
    /// The sort of formulas.
    pub const BOOL: Sort = Sort(SortId::BOOL);

    /// The sort in [`Solver::signature`], for [`crate::epr::Measure`].
    pub fn id(self) -> SortId {
        self.0
    }
}

impl Symbol {
    /// The symbol in [`Solver::signature`], for [`crate::epr::Measure`].
    pub fn id(self) -> SymId {
        self.0
    }
}

impl Solver {
    /// How deep terms may be nested.
    pub const MAX_DEPTH: usize = 2_000;

    /// What has been declared.
    pub fn signature(&self) -> &Signature {
        self.engine.signature()
    }

    /// Declares an uninterpreted sort, which has at least one element.
    ///
    /// # Errors
    /// The name is that of another sort.
    pub fn sort(&mut self, name: &str) -> Result<Sort, Misuse> {
        if self.signature().sorts.iter().any(|sort| sort.name == name) {
            return Err(Misuse::Declared(name.to_owned()));
        }
        self.last = Last::Nothing;
        let (sig, _) = self.engine.language_mut();
        let sort = logic::Sort { name: name.to_owned(), annotations: Vec::new(), span: None };
        Ok(Sort(sig.sorts.push(sort)))
    }

    /// Declares a relation.
    ///
    /// # Errors
    /// The name is that of another symbol; an argument sort is that of formulas.
    pub fn relation(&mut self, name: &str, args: &[Sort]) -> Result<Symbol, Misuse> {
        self.function(name, args, Sort::BOOL)
    }

    /// Declares a constant, or a relation without arguments if the sort is that of formulas.
    ///
    /// # Errors
    /// The name is that of another symbol.
    pub fn constant(&mut self, name: &str, sort: Sort) -> Result<Symbol, Misuse> {
        self.function(name, &[], sort)
    }

    /// Declares a function.
    ///
    /// # Errors
    /// The name is that of another symbol; an argument sort is that of formulas.
    pub fn function(&mut self, name: &str, args: &[Sort], result: Sort) -> Result<Symbol, Misuse> {
        let sorts = self.signature().sorts.len();
        if args.iter().chain([&result]).any(|sort| sort.0.index() >= sorts) {
            return Err(Misuse::Foreign);
        }
        if args.contains(&Sort::BOOL) {
            return Err(Misuse::FormulaAsArgument);
        }
        if self.names.contains(name) {
            return Err(Misuse::Declared(name.to_owned()));
        }
        self.names.insert(name.to_owned());
        self.last = Last::Nothing;
        let (sig, _) = self.engine.language_mut();
        Ok(Symbol(sig.symbols.push(logic::Symbol {
            name: name.to_owned(),
            args: args.iter().map(|sort| sort.0).collect(),
            result: result.0,
            kind: SymbolKind::Immutable,
            annotations: Vec::new(),
            span: None,
        })))
    }

    /// A new variable.
    ///
    /// # Errors
    /// [`Misuse::Foreign`].
    pub fn variable(&mut self, name: &str, sort: Sort) -> Result<Variable, Misuse> {
        if sort.0.index() >= self.signature().sorts.len() {
            return Err(Misuse::Foreign);
        }
        let (_, terms) = self.engine.language_mut();
        Ok(Variable(terms.new_var(name, sort.0)))
    }

    /// The term that a variable is.
    ///
    /// # Errors
    /// [`Misuse::Foreign`].
    pub fn var(&mut self, variable: Variable) -> Result<Term, Misuse> {
        let terms = self.engine.terms_mut();
        if variable.0.index() >= terms.var_count() {
            return Err(Misuse::Foreign);
        }
        Ok(Term(terms.var(variable.0)))
    }

    /// The sort of a term.
    ///
    /// # Errors
    /// [`Misuse::Foreign`].
    pub fn sort_of(&self, term: Term) -> Result<Sort, Misuse> {
        self.known(term)?;
        Ok(Sort(self.engine.terms().sort(term.0)))
    }

    /// A symbol applied to arguments.
    ///
    /// # Errors
    /// Number or sorts of the arguments do not fit.
    pub fn apply(&mut self, symbol: Symbol, args: &[Term]) -> Result<Term, Misuse> {
        let declared = self.signature().symbols.get(symbol.0).ok_or(Misuse::Foreign)?;
        if declared.args.len() != args.len() {
            let (symbol, expected) = (declared.name.clone(), declared.args.len());
            return Err(Misuse::Arity { symbol, expected, found: args.len() });
        }
        for (&arg, &sort) in args.iter().zip(&declared.args) {
            self.expect(arg, sort)?;
        }
        let args: Vec<TermId> = args.iter().map(|arg| arg.0).collect();
        let (sig, terms) = self.engine.language_mut();
        let term = terms.app(sig, symbol.0, 0, &args);
        self.finished(term)
    }

    /// Equality; equivalence between formulas.
    ///
    /// # Errors
    /// The sorts differ.
    pub fn eq(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let sort = self.sort_of(a)?;
        self.expect(b, sort.0)?;
        let terms = self.engine.terms_mut();
        let term = if sort == Sort::BOOL { terms.iff(a.0, b.0) } else { terms.eq(a.0, b.0) };
        self.finished(term)
    }

    /// That all items differ, which are terms of one sort other than that of formulas.
    ///
    /// # Errors
    /// The sorts differ, or are that of formulas.
    pub fn distinct(&mut self, items: &[Term]) -> Result<Term, Misuse> {
        let items = match items {
            [] => return Ok(Term(self.engine.terms_mut().tru())),
            [first, ..] => {
                let sort = self.sort_of(*first)?;
                if sort == Sort::BOOL {
                    return Err(Misuse::FormulaAsArgument);
                }
                self.all(items, sort.0)?
            }
        };
        let term = self.engine.terms_mut().distinct(&items);
        self.finished(term)
    }

    /// Truth.
    pub fn tru(&mut self) -> Term {
        Term(self.engine.terms_mut().tru())
    }

    /// Falsity.
    pub fn fals(&mut self) -> Term {
        Term(self.engine.terms_mut().fals())
    }

    /// Negation.
    ///
    /// # Errors
    /// No formula.
    pub fn not(&mut self, a: Term) -> Result<Term, Misuse> {
        self.expect(a, SortId::BOOL)?;
        let term = self.engine.terms_mut().not(a.0);
        self.finished(term)
    }

    /// Conjunction.
    ///
    /// # Errors
    /// An item is no formula.
    pub fn and(&mut self, items: &[Term]) -> Result<Term, Misuse> {
        let items = self.all(items, SortId::BOOL)?;
        let term = self.engine.terms_mut().and(&items);
        self.finished(term)
    }

    /// Disjunction.
    ///
    /// # Errors
    /// An item is no formula.
    pub fn or(&mut self, items: &[Term]) -> Result<Term, Misuse> {
        let items = self.all(items, SortId::BOOL)?;
        let term = self.engine.terms_mut().or(&items);
        self.finished(term)
    }

    /// Implication.
    ///
    /// # Errors
    /// A side is no formula.
    pub fn implies(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        self.all(&[a, b], SortId::BOOL)?;
        let term = self.engine.terms_mut().implies(a.0, b.0);
        self.finished(term)
    }

    /// One of two terms of the same sort, or of two formulas.
    ///
    /// # Errors
    /// The condition is no formula, or the sorts differ.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Result<Term, Misuse> {
        self.expect(condition, SortId::BOOL)?;
        let sort = self.sort_of(a)?;
        self.expect(b, sort.0)?;
        let term = self.engine.terms_mut().ite(condition.0, a.0, b.0);
        self.finished(term)
    }

    /// Universal quantification.
    ///
    /// # Errors
    /// No formula; no variables, or one twice; a variable that the formula binds.
    pub fn forall(&mut self, variables: &[Variable], body: Term) -> Result<Term, Misuse> {
        let variables = self.binder(variables, body)?;
        let term = self.engine.terms_mut().forall(&variables, body.0);
        self.finished(term)
    }

    /// Existential quantification.
    ///
    /// # Errors
    /// No formula; no variables, or one twice; a variable that the formula binds.
    pub fn exists(&mut self, variables: &[Variable], body: Term) -> Result<Term, Misuse> {
        let variables = self.binder(variables, body)?;
        let term = self.engine.terms_mut().exists(&variables, body.0);
        self.finished(term)
    }

    fn binder(&self, variables: &[Variable], body: Term) -> Result<Vec<VarId>, Misuse> {
        self.expect(body, SortId::BOOL)?;
        let terms = self.engine.terms();
        let ids: Vec<VarId> = variables.iter().map(|variable| variable.0).collect();
        if ids.iter().any(|var| var.index() >= terms.var_count()) {
            return Err(Misuse::Foreign);
        }
        let unique: Set<VarId> = ids.iter().copied().collect();
        if unique.is_empty() || unique.len() != ids.len() {
            return Err(Misuse::Binder);
        }
        match terms.bound_below(body.0).into_iter().find(|var| unique.contains(var)) {
            Some(var) => Err(Misuse::Rebound(terms.var_info(var).name.clone())),
            None => Ok(ids),
        }
    }

    fn known(&self, term: Term) -> Result<(), Misuse> {
        if term.0.index() < self.engine.terms().len() { Ok(()) } else { Err(Misuse::Foreign) }
    }

    fn expect(&self, term: Term, sort: SortId) -> Result<(), Misuse> {
        let found = self.sort_of(term)?.0;
        if found == sort {
            return Ok(());
        }
        let name = |sort: SortId| self.signature().sorts[sort].name.clone();
        Err(Misuse::Sort { expected: name(sort), found: name(found) })
    }

    fn all(&self, items: &[Term], sort: SortId) -> Result<Vec<TermId>, Misuse> {
        items.iter().map(|&item| self.expect(item, sort).map(|()| item.0)).collect()
    }

    fn finished(&self, term: TermId) -> Result<Term, Misuse> {
        if self.engine.terms().depth(term) > Self::MAX_DEPTH { Err(Misuse::TooDeep) } else { Ok(Term(term)) }
    }

    pub(super) fn closed(&self, formula: Term) -> Result<TermId, Misuse> {
        self.expect(formula, SortId::BOOL)?;
        self.without_variables(formula)
    }

    pub(super) fn without_variables(&self, formula: Term) -> Result<TermId, Misuse> {
        self.known(formula)?;
        let terms = self.engine.terms();
        match terms.free_vars(formula.0).first() {
            Some(&var) => Err(Misuse::Free(terms.var_info(var).name.clone())),
            None => Ok(formula.0),
        }
    }
}
