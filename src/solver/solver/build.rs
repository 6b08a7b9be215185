//! Declarations and formulas.

use super::{LastResult, Misuse, Solver};
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{self, Signature, SortId, SymId, SymbolKind, TermId, VarId};

/// Handle of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sort(pub(crate) SortId);

/// Handle of a relation, function or constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Symbol(pub(crate) SymId);

/// Handle of a variable, to be bound by quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Variable(pub(crate) VarId);

/// Handle of a term or formula. Equal terms have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Term(#[doc(hidden)] pub TermId);

impl Sort {
    /// The sort of formulas.
    pub const BOOL: Sort = Sort(SortId::BOOL);

    /// Returns the sort in [`Solver::signature`], for [`crate::epr::Measure`].
    pub fn id(self) -> SortId {
        self.0
    }
}

impl Symbol {
    /// Returns the symbol in [`Solver::signature`], for [`crate::epr::Measure`].
    pub fn id(self) -> SymId {
        self.0
    }
}

impl Solver {
    /// Maximum nesting depth of terms. A stack of 2 MB, which threads of `std::thread` have, is enough for that in all builds.
    pub const MAX_DEPTH: usize = 250;

    /// Returns the declarations.
    pub fn signature(&self) -> &Signature {
        self.engine.signature()
    }

    /// Declares an uninterpreted sort. It has at least one element.
    ///
    /// # Errors
    /// Returns an error if a sort of this name is declared.
    pub fn sort(&mut self, name: &str) -> Result<Sort, Misuse> {
        if self.signature().sorts.iter().any(|sort| sort.name == name) {
            return Err(Misuse::Declared(name.to_owned()));
        }
        self.last = LastResult::Nothing;
        let (sig, _) = self.engine.language_mut();
        let sort = logic::Sort::new(name);
        Ok(Sort(sig.sorts.push(sort)))
    }

    /// Declares a relation.
    ///
    /// # Errors
    /// Returns an error if a symbol of this name is declared, or if an argument sort is the sort of formulas.
    pub fn relation(&mut self, name: &str, args: &[Sort]) -> Result<Symbol, Misuse> {
        self.function(name, args, Sort::BOOL)
    }

    /// Declares a constant, or a relation without arguments if the sort is that of formulas.
    ///
    /// # Errors
    /// Returns an error if a symbol of this name is declared.
    pub fn constant(&mut self, name: &str, sort: Sort) -> Result<Symbol, Misuse> {
        self.function(name, &[], sort)
    }

    /// Declares a function.
    ///
    /// # Errors
    /// Returns an error if a symbol of this name is declared, or if an argument sort is the sort of formulas.
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
        self.last = LastResult::Nothing;
        let (sig, _) = self.engine.language_mut();
        let args = args.iter().map(|sort| sort.0).collect();
        Ok(Symbol(sig.symbols.push(logic::Symbol::new(name, args, result.0, SymbolKind::Immutable))))
    }

    /// Creates a variable.
    ///
    /// # Errors
    /// Returns [`Misuse::Foreign`] if the sort is none that this solver has given.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Result<Variable, Misuse> {
        if sort.0.index() >= self.signature().sorts.len() {
            return Err(Misuse::Foreign);
        }
        let (_, terms) = self.engine.language_mut();
        Ok(Variable(terms.new_var(name, sort.0)))
    }

    /// Returns the term that consists of a variable.
    ///
    /// # Errors
    /// Returns [`Misuse::Foreign`] if the variable is none that this solver has given.
    pub fn var(&mut self, variable: Variable) -> Result<Term, Misuse> {
        let terms = self.engine.terms_mut();
        if variable.0.index() >= terms.var_count() {
            return Err(Misuse::Foreign);
        }
        Ok(Term(terms.var(variable.0)))
    }

    /// Returns the sort of a term.
    ///
    /// # Errors
    /// Returns [`Misuse::Foreign`] if the term is none that this solver has given.
    pub fn sort_of(&self, term: Term) -> Result<Sort, Misuse> {
        self.known(term)?;
        Ok(Sort(self.engine.terms().sort(term.0)))
    }

    /// Applies a symbol to arguments.
    ///
    /// # Errors
    /// Returns an error if the number or the sorts of the arguments do not fit.
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
        self.checked_depth(term)
    }

    /// Builds an equality, or an equivalence between formulas.
    ///
    /// # Errors
    /// Returns an error if the sorts differ.
    pub fn eq(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        let sort = self.sort_of(a)?;
        self.expect(b, sort.0)?;
        let terms = self.engine.terms_mut();
        let term = if sort == Sort::BOOL { terms.iff(a.0, b.0) } else { terms.eq(a.0, b.0) };
        self.checked_depth(term)
    }

    /// Builds the formula that all items differ. They must be terms of one sort other than that of formulas.
    ///
    /// # Errors
    /// Returns an error if the sorts differ or are that of formulas.
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
        self.checked_depth(term)
    }

    /// Builds the formula `true`.
    pub fn tru(&mut self) -> Term {
        Term(self.engine.terms_mut().tru())
    }

    /// Builds the formula `false`.
    pub fn fals(&mut self) -> Term {
        Term(self.engine.terms_mut().fals())
    }

    /// Builds a negation.
    ///
    /// # Errors
    /// Returns an error if `a` is not a formula.
    pub fn not(&mut self, a: Term) -> Result<Term, Misuse> {
        self.expect(a, SortId::BOOL)?;
        let term = self.engine.terms_mut().not(a.0);
        self.checked_depth(term)
    }

    /// Builds a conjunction.
    ///
    /// # Errors
    /// Returns an error if an item is not a formula.
    pub fn and(&mut self, items: &[Term]) -> Result<Term, Misuse> {
        let items = self.all(items, SortId::BOOL)?;
        let term = self.engine.terms_mut().and(&items);
        self.checked_depth(term)
    }

    /// Builds a disjunction.
    ///
    /// # Errors
    /// Returns an error if an item is not a formula.
    pub fn or(&mut self, items: &[Term]) -> Result<Term, Misuse> {
        let items = self.all(items, SortId::BOOL)?;
        let term = self.engine.terms_mut().or(&items);
        self.checked_depth(term)
    }

    /// Builds an implication.
    ///
    /// # Errors
    /// Returns an error if a side is not a formula.
    pub fn implies(&mut self, a: Term, b: Term) -> Result<Term, Misuse> {
        self.all(&[a, b], SortId::BOOL)?;
        let term = self.engine.terms_mut().implies(a.0, b.0);
        self.checked_depth(term)
    }

    /// Builds a conditional of two terms of the same sort, or of two formulas.
    ///
    /// # Errors
    /// Returns an error if the condition is not a formula, or if the sorts differ.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Result<Term, Misuse> {
        self.expect(condition, SortId::BOOL)?;
        let sort = self.sort_of(a)?;
        self.expect(b, sort.0)?;
        let term = self.engine.terms_mut().ite(condition.0, a.0, b.0);
        self.checked_depth(term)
    }

    /// Builds a universal quantification.
    ///
    /// # Errors
    /// Returns an error if the body is not a formula, if there are no variables or repeated ones, or if the body binds
    /// one of the variables.
    pub fn forall(&mut self, variables: &[Variable], body: Term) -> Result<Term, Misuse> {
        let variables = self.binder(variables, body)?;
        let term = self.engine.terms_mut().forall(&variables, body.0);
        self.checked_depth(term)
    }

    /// Builds an existential quantification.
    ///
    /// # Errors
    /// Returns an error if the body is not a formula, if there are no variables or repeated ones, or if the body binds
    /// one of the variables.
    pub fn exists(&mut self, variables: &[Variable], body: Term) -> Result<Term, Misuse> {
        let variables = self.binder(variables, body)?;
        let term = self.engine.terms_mut().exists(&variables, body.0);
        self.checked_depth(term)
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
            Some(var) => Err(Misuse::Rebound(terms.var_info(var).name.to_string())),
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

    fn checked_depth(&self, term: TermId) -> Result<Term, Misuse> {
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
            Some(&var) => Err(Misuse::Free(terms.var_info(var).name.to_string())),
            None => Ok(formula.0),
        }
    }
}
