//! Entries as text: what an answer is, in canonical numbers. `spec/cache.md` describes them.

use std::fmt::Write as _;
use std::io::Read as _;

use super::canonical::Numbering;
use ramsey_core::base::compression;
use ramsey_core::logic::{Elem, Structure, SymbolKind, Tuples};
use ramsey_kernel::check::Closed;

/// The first line.
const HEADER: &str = "ramsey-cache 1";

/// Maximum number of bytes of an entry as it is stored.
pub const MAX_BYTES: usize = 16 << 20;

/// Number of bytes of a text up to which it is not compressed. A file takes as much in any case.
const SMALL: usize = 4096;

/// Maximum number of bytes of the text of an entry.
const MAX_TEXT: u64 = 64 << 20;

/// Maximum number of elements of a sort in a structure.
const MAX_SIZE: u32 = 256;

/// Maximum number of values that are written of a symbol in a state.
const MAX_TUPLES: u64 = 100_000;

/// What an entry says, which nobody has checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said<'a> {
    /// That the obligation holds, with the lines of a proof.
    Proof(&'a str),
    /// That it does not, with the lines of a structure.
    Structure(&'a str),
}

/// Returns an entry as it is stored; `None` if it is too large.
pub(super) fn stored(digest: &str, said: &Said<'_>) -> Option<Vec<u8>> {
    let (kind, lines) = match said {
        Said::Proof(lines) => ("proof", lines),
        Said::Structure(lines) => ("structure", lines),
    };
    let text = format!("{HEADER}\nobligation {digest}\n{kind}\n{lines}end\n");
    let bytes = match text.len() {
        0..=SMALL => text.into_bytes(),
        length if length as u64 <= MAX_TEXT => compression::compress(&text),
        _ => return None,
    };
    (bytes.len() <= MAX_BYTES).then_some(bytes)
}

/// Returns the text of an entry.
///
/// # Errors
/// It is no text, too large, or damaged.
pub(super) fn text(bytes: &[u8]) -> Result<String, String> {
    let too_large = || "it is too large".to_owned();
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let mut text = Vec::new();
    let read = compression::open(bytes).and_then(|input| input.take(MAX_TEXT + 1).read_to_end(&mut text));
    read.map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_TEXT {
        return Err(too_large());
    }
    String::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())
}

/// Reads the text of an entry, which should be about the obligation with this digest.
///
/// # Errors
/// It is none, or is about another one.
pub(super) fn said<'a>(text: &'a str, digest: &str) -> Result<Said<'a>, String> {
    let rest = text.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\n'));
    let rest = rest.ok_or_else(|| format!("its first line is not `{HEADER}`"))?;
    let (about, rest) = rest.split_once('\n').ok_or("it ends too early")?;
    if about.strip_prefix("obligation ") != Some(digest) {
        return Err("it is about another obligation".to_owned());
    }
    let (kind, rest) = rest.split_once('\n').ok_or("it ends too early")?;
    let lines = rest.strip_suffix("end\n").filter(|lines| lines.is_empty() || lines.ends_with('\n'));
    let lines = lines.ok_or("it has no end")?;
    match kind {
        "proof" => Ok(Said::Proof(lines)),
        "structure" => Ok(Said::Structure(lines)),
        _ => Err("it is neither a proof nor a structure".to_owned()),
    }
}

/// What a number in a proof is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Sort,
    Function,
    Relation,
    Obligation,
    /// A place among the hypotheses of the obligation and, behind them, its goal.
    Hypothesis,
}

/// Returns the lines of a proof with other numbers; `None` if they are no such lines or a number has no other.
pub(super) fn renumbered(lines: &str, number: &dyn Fn(Kind, u32) -> Option<u32>) -> Option<String> {
    let mut text = String::with_capacity(lines.len());
    for line in lines.split_terminator('\n') {
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        match head {
            "t" | "d" => {
                text.push_str(head);
                formula(rest, &mut text, number)?;
            }
            "i" => {
                let (obligation, place) = rest.split_once(' ')?;
                let obligation = number(Kind::Obligation, obligation.parse().ok()?)?;
                let _ = write!(text, "i {obligation} {}", number(Kind::Hypothesis, place.parse().ok()?)?);
            }
            "q" => {
                let (obligation, clause) = rest.split_once(' ')?;
                let _ = write!(text, "q {} {clause}", number(Kind::Obligation, obligation.parse().ok()?)?);
            }
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    Some(text)
}

/// Adds the words of a term or a formula with other numbers of sorts and symbols. Whether it is one is left to its reader.
fn formula(words: &str, text: &mut String, number: &dyn Fn(Kind, u32) -> Option<u32>) -> Option<()> {
    let mut words = words.split(' ');
    while let Some(word) = words.next() {
        text.push(' ');
        text.push_str(word);
        let (copied, kind) = match word {
            "A" => (1, Kind::Function),
            "R" => (1, Kind::Relation),
            "E" | "!" | "?" => (0, Kind::Sort),
            _ => continue,
        };
        for _ in 0..copied {
            let _ = write!(text, " {}", words.next()?);
        }
        let _ = write!(text, " {}", number(kind, words.next()?.parse().ok()?)?);
    }
    Some(())
}

/// Writes a structure for the symbols that the obligation has, and the values of the parameters of its transition; `None` if it
/// is too large.
pub(super) fn written(
    closed: &Closed,
    numbering: &Numbering,
    structure: &Structure,
    params: &[Elem],
) -> Option<String> {
    let sig = &closed.obligations.sig;
    let sorts: Vec<_> = sig.uninterpreted_sorts().collect();
    let mut text = String::new();
    for &sort in &numbering.sorts.original {
        let size = structure.sizes[*sorts.get(sort)?];
        if size > MAX_SIZE {
            return None;
        }
        let _ = writeln!(text, "size {size}");
    }
    if !params.is_empty() {
        text.push_str("call");
        params.iter().for_each(|value| {
            let _ = write!(text, " {value}");
        });
        text.push('\n');
    }
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let Some(number) = closed.lowering.number(sym).filter(|_| symbol.kind != SymbolKind::Parameter)
        else {
            continue;
        };
        let numbers = if symbol.is_relation() { &numbering.relations } else { &numbering.functions };
        let Some(number) = numbers.canonical(number) else { continue };
        let word = if symbol.is_relation() { "true" } else { "value" };
        let steps = if symbol.kind.is_mutable() { structure.states() } else { 1 };
        for step in 0..steps {
            let interpretation = structure.interpretation(sig, sym, step);
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
    }
    Some(text)
}

/// Reads a structure with so many states, and the values of parameters, for an obligation of this closed form. Sorts and symbols
/// that the obligation does not have get one element, and the first value everywhere.
///
/// # Errors
/// The lines are none.
pub(super) fn structure(
    closed: &Closed,
    numbering: &Numbering,
    states: u16,
    lines: &str,
) -> Result<(Structure, Vec<Elem>), String> {
    let sig = &closed.obligations.sig;
    let wrong = |at: usize, what: &str| format!("line {}: {what}", at + 4);
    let sorts: Vec<_> = sig.uninterpreted_sorts().collect();
    let (mut functions, mut relations) = (Vec::new(), Vec::new());
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        if let Some(number) = closed.lowering.number(sym).filter(|_| symbol.kind != SymbolKind::Parameter) {
            let list = if symbol.is_relation() { &mut relations } else { &mut functions };
            list.push((number, sym));
        }
    }
    let find = |list: &[(usize, _)], number: Option<u32>| {
        let number = number? as usize;
        list.get(list.binary_search_by_key(&number, |it| it.0).ok()?).map(|it| it.1)
    };
    let mut structure = Structure::new(sig, usize::from(states));
    let (mut params, mut sized) = (Vec::new(), 0);
    for (at, line) in lines.split_terminator('\n').enumerate() {
        let (head, rest) = line.split_once(' ').ok_or_else(|| wrong(at, "the line lacks a word"))?;
        let numbers: Option<Vec<u32>> = rest.split(' ').map(|word| word.parse().ok()).collect();
        let numbers = numbers.ok_or_else(|| wrong(at, "not a number where one is expected"))?;
        match (head, numbers.as_slice()) {
            ("size", &[size @ 1..=MAX_SIZE]) => {
                let sort = numbering.sorts.original(sized).and_then(|sort| sorts.get(sort as usize));
                structure.sizes[*sort.ok_or_else(|| wrong(at, "no such sort"))?] = size;
                sized += 1;
            }
            ("call", values) if params.is_empty() => params = values.to_vec(),
            ("true" | "value", [step, symbol, elems @ ..]) => {
                let is_relation = head == "true";
                let sym = if is_relation {
                    find(&relations, numbering.relations.original(*symbol))
                } else {
                    find(&functions, numbering.functions.original(*symbol))
                };
                let sym = sym.ok_or_else(|| wrong(at, "no such symbol"))?;
                let symbol = &sig.symbols[sym];
                let last = if symbol.kind.is_mutable() { u32::from(states) } else { 1 };
                let mut of = symbol.args.clone();
                of.extend((!is_relation).then_some(symbol.result));
                let fits = of.len() == elems.len()
                    && of.iter().zip(elems).all(|(&sort, &elem)| elem < structure.sizes[sort]);
                if *step >= last || !fits {
                    return Err(wrong(at, "no value of the symbol"));
                }
                let (args, value) = if is_relation {
                    (elems, 1)
                } else {
                    (&elems[..elems.len() - 1], elems[elems.len() - 1])
                };
                structure.interpretation_mut(sig, sym, *step as usize).set(args, value);
            }
            _ => return Err(wrong(at, "an unknown kind of line")),
        }
    }
    if sized as usize != numbering.sorts.original.len() {
        return Err("a sort has no size".to_owned());
    }
    Ok((structure, params))
}
