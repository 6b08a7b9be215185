//! What latches and inputs stand for.

use std::fmt;

use ramsey_core::logic::{Elem, Signature, SortId, SymId, element_name};

/// What a latch stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LatchKind {
    /// A bit of the state.
    Bit(usize),
    /// The first state was reached.
    Started,
}

/// What an input stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A bit of the number of the transition, from 1; 0 for none.
    Selector(u32),
    /// A bit of the parameter with this number among those of its sort.
    Parameter(SortId, usize, u32),
    /// A bit of a choice of a command, at a tuple.
    Choice(SymId, Box<[Elem]>, u32),
    /// A bit of a value of the next state that the transition leaves open.
    Next(SymId, Box<[Elem]>, u32),
}

impl Input {
    /// Returns the input as text.
    pub fn display<'a>(&'a self, sig: &'a Signature) -> impl fmt::Display + 'a {
        DisplayInput { input: self, sig }
    }
}

struct DisplayInput<'a> {
    input: &'a Input,
    sig: &'a Signature,
}

impl fmt::Display for DisplayInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sig = self.sig;
        let tuple = |f: &mut fmt::Formatter<'_>, sym: SymId, args: &[Elem]| {
            let symbol = &sig.symbols[sym];
            f.write_str(&symbol.name)?;
            for (at, (&arg, &sort)) in args.iter().zip(&symbol.args).enumerate() {
                write!(f, "{}{}", if at == 0 { "(" } else { "," }, element_name(sig, sort, arg))?;
            }
            f.write_str(if args.is_empty() { "" } else { ")" })
        };
        match self.input {
            Input::Selector(bit) => write!(f, "@transition[{bit}]"),
            Input::Parameter(sort, place, bit) => {
                write!(f, "@{}.{place}[{bit}]", sig.sorts[*sort].name)
            }
            Input::Choice(sym, args, _) if sig.symbols[*sym].is_relation() => tuple(f, *sym, args),
            Input::Choice(sym, args, bit) => {
                tuple(f, *sym, args)?;
                write!(f, "[{bit}]")
            }
            Input::Next(sym, args, bit) => {
                f.write_str("new(")?;
                tuple(f, *sym, args)?;
                write!(f, ")[{bit}]")
            }
        }
    }
}
