//! Applications of functions to arguments on the stack, and constants.

use super::failure::{Failure, Result};
use super::lexer::Place;
use super::names::{Function, Name, quote};
use super::script::Script;
use super::sorts::count;
use super::stack::{Frame, Head, Value};
use super::theories::Builtin;
use ramsey_core::diag::Code;
use ramsey_core::logic::{SortId, SymId, TermId};

impl<'a> Script<'a> {
    /// Completes the innermost application.
    pub(super) fn application(&mut self) -> Result<Value> {
        let Some(&Frame::Application { head, start, first, mark }) = self.stack.frames.last() else {
            return Err(self.expected("a term", ""));
        };
        let place = start.to(self.lexer.place());
        let term = match head {
            Head::Builtin(builtin, name) => self.builtin(builtin, name, first, place)?,
            Head::Symbol(sym) => self.apply(sym, first, place)?,
            Head::Macro(index, name) => {
                self.front.variables.hold();
                if self.stack.values.len() == first {
                    let arity = self.front.macros[index].params.len();
                    return Err(self.wrong_arity(self.front.names.text(name), arity, 0, place));
                }
                let term = self.expand(index, name, first, place)?;
                self.front.variables.leave(mark);
                term
            }
            Head::Tester(sym) => self.test(sym, first, place)?,
        };
        self.stack.frames.pop();
        self.stack.values.truncate(first);
        self.stack.places.truncate(first);
        self.limit_depth(Value { term, place })
    }

    fn apply(&mut self, sym: SymId, first: usize, place: Place) -> Result<TermId> {
        let given = self.stack.values.len() - first;
        let arity = self.sig.symbols[sym].args.len();
        if arity != given || given == 0 {
            return Err(self.wrong_arity(&self.sig.symbols[sym].name, arity, given, place));
        }
        let bools = self.front.bools;
        for index in 0..given {
            let (term, wanted) = (self.stack.values[first + index], self.sig.symbols[sym].args[index]);
            if self.terms.sort(term) == wanted {
                continue;
            }
            let place = self.stack.places[first + index];
            match bools {
                Some(bools) if bools.sort == wanted => {
                    self.check_sort(term, SortId::BOOL, place)?;
                    let [tru, fals] =
                        [bools.tru, bools.fals].map(|sym| self.terms.app(self.sig, sym, 0, &[]));
                    self.stack.values[first + index] = self.terms.ite(term, tru, fals);
                }
                _ => self.check_sort(term, wanted, place)?,
            }
        }
        Ok(self.terms.app(self.sig, sym, 0, &self.stack.values[first..]))
    }

    fn builtin(&mut self, builtin: Builtin, name: Name, first: usize, place: Place) -> Result<TermId> {
        let given = self.stack.values.len() - first;
        let (least, most) = match builtin {
            Builtin::True | Builtin::False => (0, 0),
            Builtin::Not => (1, 1),
            Builtin::And | Builtin::Or | Builtin::Distinct => (1, usize::MAX),
            Builtin::Xor | Builtin::Implies | Builtin::Equal => (2, usize::MAX),
            Builtin::Ite => (3, 3),
        };
        if given < least || given > most || most == 0 {
            let text = self.front.names.text(name);
            if least == most {
                return Err(self.wrong_arity(text, least, given, place));
            }
            let message = format!("`{text}` takes at least {}, not {given}", count(least));
            return Err(place.error(Code::Arity, message, ""));
        }
        let formulas = match builtin {
            Builtin::Equal | Builtin::Distinct => 0,
            Builtin::Ite => 1,
            _ => given,
        };
        for index in first..first + formulas {
            self.check_sort(self.stack.values[index], SortId::BOOL, self.stack.places[index])?;
        }
        // All other arguments have the sort of the first of them.
        if formulas < given {
            let sort = self.terms.sort(self.stack.values[first + formulas]);
            for index in first + formulas + 1..first + given {
                self.check_sort(self.stack.values[index], sort, self.stack.places[index])?;
            }
        }
        if builtin == Builtin::Xor {
            return self.xor(first, place);
        }
        let args = &self.stack.values[first..];
        let terms = &mut *self.terms;
        Ok(match (builtin, args) {
            (Builtin::And, _) => terms.and(args),
            (Builtin::Or, _) => terms.or(args),
            (Builtin::Not, &[a]) => terms.not(a),
            (Builtin::Implies, &[a, b]) => terms.implies(a, b),
            // `a => (b => c)` is represented as `a & b => c`, which is less deep.
            (Builtin::Implies, [premises @ .., conclusion]) => {
                let premise = terms.and(premises);
                terms.implies(premise, *conclusion)
            }
            (Builtin::Equal, &[a, b]) => terms.eq(a, b),
            (Builtin::Equal, _) => {
                let pairs: Vec<TermId> = args.windows(2).map(|pair| terms.eq(pair[0], pair[1])).collect();
                terms.and(&pairs)
            }
            // There are only two truth values.
            (Builtin::Distinct, &[a, _, _, ..]) if terms.sort(a) == SortId::BOOL => terms.fals(),
            (Builtin::Distinct, _) => terms.distinct(args),
            (Builtin::Ite, &[condition, a, b]) => terms.ite(condition, a, b),
            (Builtin::True, _) => terms.tru(),
            (_, _) => terms.fals(),
        })
    }

    /// Returns `xor` of the arguments from `first` on, left-associative.
    fn xor(&mut self, first: usize, place: Place) -> Result<TermId> {
        let mut term = self.stack.values[first];
        for index in first + 1..self.stack.values.len() {
            let equal = self.terms.iff(term, self.stack.values[index]);
            term = self.terms.not(equal);
            term = self.limit_depth(Value { term, place })?.term;
        }
        Ok(term)
    }

    /// Returns the constant, variable or definition without parameters of this name.
    pub(super) fn constant(&mut self, text: &'a str, is_plain: bool) -> Result<Value> {
        let name = self.front.names.intern(text);
        let place = self.lexer.place();
        let entry = &self.front.names.entries[name];
        if is_plain && entry.reserved.is_some() {
            let hint = format!("`{text}` is a reserved word; with bars it is a symbol: `|{text}|`");
            return Err(self.expected("a term", hint));
        }
        if let Some(local) = entry.local {
            return Ok(Value { term: local.term, place });
        }
        self.named_constant(name, place, place)
    }

    /// Returns the constant of this name, which was read at `at`.
    pub(super) fn named_constant(&mut self, name: Name, place: Place, at: Place) -> Result<Value> {
        let arity = |count: usize| (count > 0).then_some(count);
        let (term, arity) = match self.front.names.entries[name].function {
            Function::Symbol(sym) | Function::Constructor(sym) => {
                match arity(self.sig.symbols[sym].args.len()) {
                    None => (Some(self.terms.app(self.sig, sym, 0, &[])), None),
                    wrong => (None, wrong),
                }
            }
            Function::Macro(index) => match arity(self.front.macros[index].params.len()) {
                None => {
                    let first = self.stack.values.len();
                    (Some(self.expand(index, name, first, place)?), None)
                }
                wrong => (None, wrong),
            },
            Function::Builtin(Builtin::True) => (Some(self.terms.tru()), None),
            Function::Builtin(Builtin::False) => (Some(self.terms.fals()), None),
            Function::Builtin(_) => (None, Some(usize::MAX)),
            Function::None => return Err(self.undeclared(name, at)),
        };
        if let Some(term) = term {
            // What was named to be evaluated has no name for its size.
            return self.limit_depth(Value { term, place });
        }
        let shown = quote(self.front.names.text(name));
        let wanted = match arity {
            Some(arity) if arity < usize::MAX => count(arity),
            _ => "arguments".to_owned(),
        };
        let hint = format!("an application looks like `({shown} ..)`");
        Err(at.error(Code::Arity, format!("`{shown}` takes {wanted}, and here it has none"), hint))
    }

    pub(super) fn wrong_arity(&self, name: &str, arity: usize, given: usize, place: Place) -> Failure {
        let shown = quote(name);
        if arity == 0 {
            let message = format!("`{shown}` takes no arguments");
            return place.error(Code::Arity, message, format!("write `{shown}` without parentheses"));
        }
        place.error(Code::Arity, format!("`{shown}` takes {}, not {given}", count(arity)), "")
    }
}
