//! Structures as lines of an entry, whose sorts and symbols have numbers of their own.

use std::fmt::Write as _;

use super::canonical::Numbering;
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind, Tuples};
use ramsey_kernel::check::Closed;

/// Maximum number of elements of a sort in a structure.
const MAX_SIZE: u32 = 256;

/// Maximum number of values that are written of a symbol in a state.
const MAX_TUPLES: u64 = 100_000;

/// Which numbers sorts and symbols have in an entry. Sorts and symbols of the signature without a number are not written.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    sig: &'a Signature,
    /// By number.
    sorts: Vec<SortId>,
    /// By number; `None` for a number that stands for no symbol.
    functions: Vec<Option<SymId>>,
    /// By number; `None` for a number that stands for no symbol.
    relations: Vec<Option<SymId>>,
}

impl<'a> Table<'a> {
    /// Returns the numbers of an obligation of this closed form.
    pub(super) fn of_obligation(closed: &'a Closed, numbering: &Numbering) -> Table<'a> {
        let sig = &closed.obligations.sig;
        let sorts: Vec<SortId> = sig.uninterpreted_sorts().collect();
        let sorts = numbering.sorts.original.iter().filter_map(|&sort| sorts.get(sort).copied()).collect();
        let mut functions = vec![None; numbering.functions.original.len()];
        let mut relations = vec![None; numbering.relations.original.len()];
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            let number = closed.lowering.number(sym).filter(|_| symbol.kind != SymbolKind::Parameter);
            let Some(number) = number else { continue };
            let (numbers, list) = if symbol.is_relation() {
                (&numbering.relations, &mut relations)
            } else {
                (&numbering.functions, &mut functions)
            };
            if let Some(place) = numbers.canonical(number).and_then(|number| list.get_mut(number as usize)) {
                *place = Some(sym);
            }
        }
        Table { sig, sorts, functions, relations }
    }

    /// Returns the numbers that sorts and symbols have in a signature.
    pub(crate) fn of_signature(sig: &'a Signature) -> Table<'a> {
        let of = |is_relation: bool| {
            let symbols = sig.symbols.iter_enumerated();
            symbols.map(|(sym, it)| (it.is_relation() == is_relation).then_some(sym)).collect()
        };
        let sorts = sig.uninterpreted_sorts().collect();
        Table { sig, sorts, functions: of(false), relations: of(true) }
    }

    /// Adds the lines of a structure; `None` if it is too large.
    pub(crate) fn write(&self, structure: &Structure, text: &mut String) -> Option<()> {
        for &sort in &self.sorts {
            let size = structure.sizes[sort];
            if size > MAX_SIZE {
                return None;
            }
            let _ = writeln!(text, "size {size}");
        }
        for (word, list) in [("value", &self.functions), ("true", &self.relations)] {
            let symbols = list.iter().enumerate();
            for (number, sym) in symbols.filter_map(|(number, sym)| Some((number, (*sym)?))) {
                self.write_symbol(structure, (word, number, sym), text)?;
            }
        }
        Some(())
    }

    fn write_symbol(
        &self,
        structure: &Structure,
        (word, number, sym): (&str, usize, SymId),
        text: &mut String,
    ) -> Option<()> {
        let symbol = &self.sig.symbols[sym];
        let steps = if symbol.kind.is_mutable() { structure.states() } else { 1 };
        for step in 0..steps {
            let interpretation = structure.interpretation(self.sig, sym, step);
            let mut line = |args: &[Elem], value: Elem| {
                let _ = write!(text, "{word} {step} {number}");
                let value = (!symbol.is_relation()).then_some(&value);
                args.iter().chain(value).for_each(|elem| {
                    let _ = write!(text, " {elem}");
                });
                text.push('\n');
            };
            if interpretation.default == 0 {
                let entries = interpretation.entries.iter().filter(|(_, value)| **value != 0);
                entries.for_each(|(args, &value)| line(args, value));
                continue;
            }
            let sizes: Vec<u32> = symbol.args.iter().map(|&sort| structure.sizes[sort]).collect();
            if Tuples::count_all(&sizes) > MAX_TUPLES {
                return None;
            }
            for args in structure.tuples(&symbol.args) {
                let value = interpretation.get(&args);
                if value != 0 {
                    line(&args, value);
                }
            }
        }
        Some(())
    }

    /// Reads a structure with so many states from lines, each with its number in the entry. Sorts and symbols without a number get
    /// one element, and the first value everywhere.
    ///
    /// # Errors
    /// The lines are none.
    pub(crate) fn read<'l>(
        &self,
        states: u16,
        lines: impl Iterator<Item = (usize, &'l str)>,
    ) -> Result<Structure, String> {
        let mut structure = Structure::new(self.sig, usize::from(states));
        let mut sized = 0;
        for (at, line) in lines {
            let wrong = |what: &str| format!("line {at}: {what}");
            let (head, numbers) = numbers(line).map_err(|what| wrong(&what))?;
            match (head, numbers.as_slice()) {
                ("size", &[size @ 1..=MAX_SIZE]) => {
                    let sort = *self.sorts.get(sized).ok_or_else(|| wrong("no such sort"))?;
                    structure.sizes[sort] = size;
                    sized += 1;
                }
                ("true" | "value", [step, number, elems @ ..]) => {
                    let is_relation = head == "true";
                    let list = if is_relation { &self.relations } else { &self.functions };
                    let sym = list.get(*number as usize).copied().flatten();
                    let sym = sym.ok_or_else(|| wrong("no such symbol"))?;
                    let symbol = &self.sig.symbols[sym];
                    let last = if symbol.kind.is_mutable() { u32::from(states) } else { 1 };
                    let mut of = symbol.args.clone();
                    of.extend((!is_relation).then_some(symbol.result));
                    let fits = of.len() == elems.len()
                        && of.iter().zip(elems).all(|(&sort, &elem)| elem < structure.sizes[sort]);
                    if *step >= last || !fits {
                        return Err(wrong("no value of the symbol"));
                    }
                    let (args, value) = match elems.split_last() {
                        Some((&value, args)) if !is_relation => (args, value),
                        _ => (elems, 1),
                    };
                    structure.interpretation_mut(self.sig, sym, *step as usize).set(args, value);
                }
                _ => return Err(wrong("an unknown kind of line")),
            }
        }
        if sized != self.sorts.len() {
            return Err("a sort has no size".to_owned());
        }
        Ok(structure)
    }
}

/// Returns the first word of a line, and the numbers behind it.
///
/// # Errors
/// There are none, or something else is there.
pub(crate) fn numbers(line: &str) -> Result<(&str, Vec<u32>), String> {
    let (head, rest) = line.split_once(' ').ok_or("the line lacks a word")?;
    let numbers: Option<Vec<u32>> = rest.split(' ').map(|word| word.parse().ok()).collect();
    Ok((head, numbers.ok_or("not a number where one is expected")?))
}

/// Writes a structure for the symbols that the obligation has, and the values of the parameters of its transition; `None` if it
/// is too large.
pub(super) fn written(
    closed: &Closed,
    numbering: &Numbering,
    structure: &Structure,
    params: &[Elem],
) -> Option<String> {
    let mut text = String::new();
    if !params.is_empty() {
        text.push_str("call");
        params.iter().for_each(|value| {
            let _ = write!(text, " {value}");
        });
        text.push('\n');
    }
    Table::of_obligation(closed, numbering).write(structure, &mut text)?;
    Some(text)
}

/// Reads a structure with so many states, and the values of parameters, for an obligation of this closed form.
///
/// # Errors
/// The lines are none.
pub(super) fn structure(
    closed: &Closed,
    numbering: &Numbering,
    states: u16,
    lines: &str,
) -> Result<(Structure, Vec<Elem>), String> {
    let mut params = None;
    let mut rest = Vec::new();
    for (at, line) in (4..).zip(lines.split_terminator('\n')) {
        if params.is_none() && line.starts_with("call ") {
            params = Some(numbers(line).map_err(|what| format!("line {at}: {what}"))?.1);
        } else {
            rest.push((at, line));
        }
    }
    let structure = Table::of_obligation(closed, numbering).read(states, rest.into_iter())?;
    Ok((structure, params.unwrap_or_default()))
}
