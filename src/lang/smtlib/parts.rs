//! Names for parts of terms that would be too deep, or too large in closed form.
//!
//! The depth of terms is bounded, so that other modules can recurse over them. A term that reaches the bound is
//! replaced by a new symbol, applied to its free variables. The definition of the symbol is an implicit assertion; it
//! is a conservative extension. Terms that are deep because of shared definitions can thus have arbitrary depth. The
//! closed form of `if` has its condition twice, so a formula without variables in which four of them are each in the
//! condition of the one before is replaced, too.

use super::failure::{MAX_DEPTH, Result};
use super::lexer::Place;
use super::script::Script;
use super::stack::Value;
use super::state::Frontend;
use super::state::Part;
use ramsey_core::base::hash::Set;
use ramsey_core::diag::Code;
use ramsey_core::logic::{Node, SortId, Symbol, SymbolKind, SymbolOrigin, TermId, VarId};

/// Depth from which terms are named. Two terms below it that a definition combines stay below [`MAX_DEPTH`].
const NAMING_DEPTH: usize = MAX_DEPTH / 2;

/// The number of `if`s, each in the condition of the one before, from which formulas without variables are named: the same formula may have
/// other variables where a definition is used.
const NAMING_CHOICES: u8 = 4;

/// Maximum number of free variables of a named term.
const MAX_VARS: usize = 32;

impl Script<'_> {
    /// Returns the value, replaced by a name if it is deep, or a formula with `if`s in conditions of `if`s.
    pub(super) fn limit_depth(&mut self, value: Value) -> Result<Value> {
        let is_formula = self.terms.sort(value.term) == SortId::BOOL;
        let may_split = is_formula && !self.is_evaluated && !self.terms.has_vars(value.term);
        let choices = self.terms.choices(value.term).filter(|_| may_split);
        let is_split = choices.is_some_and(|choices| choices >= NAMING_CHOICES);
        if !is_split && self.terms.depth(value.term) < NAMING_DEPTH {
            return Ok(value);
        }
        if let Some(&index) = self.front.parts.known.get(&value.term) {
            return Ok(Value { term: self.front.parts.list[index].name, ..value });
        }
        if let Some(vars) = self.variables_for_name(value.term, value.place)? {
            let name = self.name_part(value.term, &vars);
            return Ok(Value { term: name, ..value });
        }
        if self.terms.depth(value.term) <= MAX_DEPTH {
            return Ok(value);
        }
        let message = format!("this term is nested too deep: more than {MAX_DEPTH} levels");
        let hint = "declare a constant or a function for a part of it, and assert what it is";
        Err(value.place.error(Code::TooDeep, message, hint))
    }

    /// Returns the free variables of a term, if a name can be applied to them.
    fn variables_for_name(&mut self, term: TermId, place: Place) -> Result<Option<Vec<VarId>>> {
        // No variable is bound twice on a path, so a variable bound anywhere inside is not free anywhere inside.
        let (mut seen, mut bound) = (Set::default(), Set::default());
        let mut vars = Vec::new();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !self.terms.has_vars(term) || !seen.insert(term) {
                continue;
            }
            match self.terms.node(term) {
                Node::Var(var) => vars.push(var),
                Node::Forall(list, body) | Node::Exists(list, body) => {
                    bound.extend(self.terms.bound_vars(list));
                    stack.push(body);
                }
                _ => stack.extend(self.terms.children(term)),
            }
        }
        self.work(seen.len(), place)?;
        vars.retain(|var| !bound.contains(var));
        vars.sort_unstable();
        let fits =
            vars.len() <= MAX_VARS && vars.iter().all(|&var| self.terms.var_info(var).sort != SortId::BOOL);
        Ok(fits.then_some(vars))
    }

    fn name_part(&mut self, term: TermId, vars: &[VarId]) -> TermId {
        // The standard reserves names that begin with `@` for solvers.
        let plain = format!("@part{}", self.front.parts.list.len() + 1);
        let sorts = vars.iter().map(|&var| self.terms.var_info(var).sort).collect();
        let symbol = Symbol::new(plain, sorts, self.terms.sort(term), SymbolKind::Immutable);
        let sym = self.sig.symbols.push(Symbol { origin: SymbolOrigin::Internal, ..symbol });
        let args: Vec<TermId> = vars.iter().map(|&var| self.terms.var(var)).collect();
        let name = self.terms.app(self.sig, sym, 0, &args);
        let equal = self.terms.eq(name, term);
        let definition = self.terms.forall(vars, equal);
        self.front.parts.add(Part { sym, term, name, definition });
        name
    }
}

impl Frontend {
    /// Asserts the definitions of all parts but the first `count`, below all levels.
    pub(super) fn assert_parts(&mut self, count: usize) {
        for index in count..self.parts.list.len() {
            self.assert_implicitly(self.parts.list[index].definition, true);
        }
    }
}
