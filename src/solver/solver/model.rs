//! Models: finite structures that satisfy the assertions.

use super::{LastResult, Misuse, Solver, Sort, Symbol, Term};
use ramsey_core::logic::{Elem, Evaluator, Structure};

/// A structure that satisfies the formulas of the last check. Elements of a sort are numbered from 0; for formulas, 0
/// is false and 1 is true.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    solver: &'a Solver,
    structure: &'a Structure,
}

impl Solver {
    /// Returns the model after the answer [`Answer::Sat`](super::Answer::Sat).
    ///
    /// # Errors
    /// Returns [`Misuse::NoModel`].
    pub fn model(&self) -> Result<Model<'_>, Misuse> {
        match (&self.last, self.kept.structure()) {
            (LastResult::Model, Some(structure)) => Ok(Model { solver: self, structure }),
            _ => Err(Misuse::NoModel),
        }
    }
}

impl<'a> Model<'a> {
    /// Returns the structure over [`Solver::signature`].
    pub fn structure(&self) -> &'a Structure {
        self.structure
    }

    /// Returns the number of elements of a sort.
    ///
    /// # Errors
    /// Returns [`Misuse::Foreign`] if the sort is none that this solver has given.
    pub fn size(&self, sort: Sort) -> Result<u32, Misuse> {
        if sort == Sort::BOOL {
            return Ok(2);
        }
        self.structure.sizes.get(sort.0).copied().ok_or(Misuse::Foreign)
    }

    /// Returns the value of a symbol at a tuple of elements.
    ///
    /// # Errors
    /// Returns an error if the symbol is none that this solver has given, or if the tuple does not consist of elements of its
    /// argument sorts.
    pub fn value(&self, symbol: Symbol, args: &[Elem]) -> Result<Elem, Misuse> {
        let sig = self.solver.signature();
        let declared = sig.symbols.get(symbol.0).ok_or(Misuse::Foreign)?;
        if declared.args.len() != args.len() {
            let (symbol, expected) = (declared.name.clone(), declared.args.len());
            return Err(Misuse::Arity { symbol, expected, found: args.len() });
        }
        if declared.args.iter().zip(args).any(|(&sort, &arg)| arg >= self.structure.sizes[sort]) {
            return Err(Misuse::Foreign);
        }
        Ok(self.structure.interpretation(sig, symbol.0, 0).get(args))
    }

    /// Returns the value of a term without free variables.
    ///
    /// # Errors
    /// Returns an error if the term is none that this solver has given or has a free variable.
    pub fn eval(&self, term: Term) -> Result<Elem, Misuse> {
        let term = self.solver.without_variables(term)?;
        Ok(Evaluator::new(self.solver.engine.syntax(), self.structure).eval(term))
    }

    /// Evaluates a closed formula.
    ///
    /// # Errors
    /// Returns an error if it is not a closed formula of the solver.
    pub fn holds(&self, formula: Term) -> Result<bool, Misuse> {
        self.solver.closed(formula)?;
        Ok(self.eval(formula)? != 0)
    }
}
