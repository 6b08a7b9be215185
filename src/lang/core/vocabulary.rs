//! Sorts and symbols by their numbers.

use super::lines::{Kind, Line};
use super::words::Words;
use crate::shared::Error;
use ramsey_core::base::hash::Set;
use ramsey_core::diag::Code;
use ramsey_core::logic::{Signature, Sort, SortId, SymId, Symbol, SymbolKind};

/// Sorts and symbols by their numbers in a closed form.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) sorts: Vec<SortId>,
    pub(super) functions: Vec<SymId>,
    pub(super) relations: Vec<SymId>,
    /// The names of symbols, which no variable gets.
    pub(super) names: Set<String>,
}

impl Numbers {
    /// Returns the numbers of the sorts and symbols of a signature.
    pub(super) fn of(sig: &Signature) -> Numbers {
        let mut numbers = Numbers { sorts: sig.uninterpreted_sorts().collect(), ..Numbers::default() };
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            let list = if symbol.is_relation() { &mut numbers.relations } else { &mut numbers.functions };
            list.push(sym);
            numbers.names.insert(symbol.name.clone());
        }
        numbers
    }

    /// Reads the declaration of a sort or symbol into a signature.
    pub(super) fn declare(&mut self, sig: &mut Signature, line: &Line, text: &str) -> Result<(), Error> {
        let mut words = Words::new(text, line.span.start as usize, line.span.end as usize);
        words.next("a declaration")?;
        if line.kind == Kind::Sort {
            words.place(self.sorts.len(), "sort")?;
            // Names mean nothing, and may be equal.
            let (name, _) = words.name()?;
            let sort = Sort { span: Some(line.span), ..Sort::new(name) };
            self.sorts.push(sig.sorts.push(sort));
            return words.end();
        }
        let is_function = line.kind == Kind::Function;
        let list = if is_function { &mut self.functions } else { &mut self.relations };
        words.place(list.len(), line.kind.word())?;
        let (name, _) = words.name()?;
        self.names.insert(name.clone());
        let word = words.next("`rigid` or `mutable`")?;
        let kind = match word.text {
            "rigid" => SymbolKind::Immutable,
            "mutable" => SymbolKind::Mutable,
            other => {
                let message = format!("`{other}` is neither `rigid` nor `mutable`");
                let hint = "a symbol is `rigid` if it is the same in all states, and otherwise `mutable`";
                return Err(word.error(Code::Syntax, message, hint));
            }
        };
        let (count, _) = words.number("the number of arguments")?;
        let mut sort = |expected: &str| {
            words.number_below(self.sorts.len(), expected, "sort").map(|number| self.sorts[number])
        };
        let args = (0..count).map(|_| sort("the sort of an argument")).collect::<Result<Vec<_>, _>>()?;
        let result = if is_function { sort("the sort of the values")? } else { SortId::BOOL };
        words.end()?;
        let symbol = Symbol { span: Some(line.span), ..Symbol::new(name, args, result, kind) };
        list.push(sig.symbols.push(symbol));
        Ok(())
    }
}
