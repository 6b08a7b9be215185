//! Bits of a state: which symbol is stored where.

use std::fmt;
use std::rc::Rc;

use super::options::Encoding;
use super::refusal::Stop;
use crate::hwmc::graph::{Edge, Graph};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, Signature, SortId, SymId, SymbolKind, Tuples, element_name};

/// The number of elements of each sort; 2 for `bool`.
pub type Sizes = IdVec<SortId, u32>;

/// What a bit says of a symbol at a tuple.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Meaning {
    /// The relation is true there.
    Holds,
    /// The value there is this element.
    Is(Elem),
    /// This bit of the number of the value is set.
    Bit(u32),
}

impl Meaning {
    /// Returns the bit of a value.
    pub(super) fn is_true_of(self, value: Elem) -> bool {
        match self {
            Meaning::Holds => value != 0,
            Meaning::Is(other) => value == other,
            Meaning::Bit(bit) => value >> bit & 1 == 1,
        }
    }
}

/// A fact that a bit stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// The symbol, of the system's signature.
    pub sym: SymId,
    /// The arguments.
    pub args: Box<[Elem]>,
    /// What is said of it.
    pub meaning: Meaning,
}

impl Atom {
    /// Returns the atom as text, such as `holds(node0)` or `owner(node1)=node0`.
    pub fn display<'a>(&'a self, sig: &'a Signature) -> impl fmt::Display + 'a {
        DisplayAtom { atom: self, sig }
    }
}

struct DisplayAtom<'a> {
    atom: &'a Atom,
    sig: &'a Signature,
}

impl fmt::Display for DisplayAtom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symbol = &self.sig.symbols[self.atom.sym];
        f.write_str(&symbol.name)?;
        for (at, (&arg, &sort)) in self.atom.args.iter().zip(&symbol.args).enumerate() {
            write!(f, "{}{}", if at == 0 { "(" } else { "," }, element_name(self.sig, sort, arg))?;
        }
        if !self.atom.args.is_empty() {
            f.write_str(")")?;
        }
        match self.atom.meaning {
            Meaning::Holds => Ok(()),
            Meaning::Is(value) => write!(f, "={}", element_name(self.sig, symbol.result, value)),
            Meaning::Bit(bit) => write!(f, "[{bit}]"),
        }
    }
}

/// The value of a formula or a term: an edge, or for each element an edge that says whether it is the value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Formula(Edge),
    Term(Rc<[Edge]>),
}

/// Values of a symbol by the rank of the tuple.
pub(super) type Table = Rc<[Value]>;

/// The bits of all symbols that have a place in the state.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) sizes: Sizes,
    pub(super) encoding: Encoding,
    /// By bit.
    pub(super) atoms: Vec<Atom>,
    /// The first bit of each symbol that is stored.
    first: IdVec<SymId, Option<usize>>,
}

/// Maximum number of bits of a state.
const MAX_BITS: u64 = 1 << 22;

/// Returns the number of bits for numbers below `size`.
pub(super) fn bits_for(size: u32) -> u32 {
    u32::BITS - size.saturating_sub(1).leading_zeros()
}

/// Returns the rank of a tuple among all tuples over these sorts, in lexicographic order.
pub(super) fn rank(sizes: &Sizes, sorts: &[SortId], args: &[Elem]) -> usize {
    let digits = sorts.iter().zip(args);
    digits.fold(0, |rank, (&sort, &arg)| rank * sizes[sort] as usize + arg as usize)
}

/// Returns all tuples over these sorts.
pub(super) fn tuples(sizes: &Sizes, sorts: &[SortId]) -> Tuples {
    Tuples::new(sorts.iter().map(|&sort| sizes[sort]).collect())
}

impl Layout {
    /// Gives each of the symbols its bits.
    ///
    /// # Errors
    /// Returns the symbol that has too many.
    pub(super) fn new(
        sig: &Signature,
        sizes: &Sizes,
        encoding: Encoding,
        is_stored: impl Fn(SymId) -> bool,
    ) -> Result<Layout, SymId> {
        let mut first = IdVec::filled(sig.symbols.len(), None);
        let mut layout = Layout { sizes: sizes.clone(), encoding, atoms: Vec::new(), first: IdVec::new() };
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            let of_args: Vec<u32> = symbol.args.iter().map(|&sort| sizes[sort]).collect();
            let width = layout.width(sig, sym) as u64;
            // The tuples of other symbols are enumerated too.
            let count = Tuples::count_all(&of_args).saturating_mul(width.max(1));
            if count.saturating_add(layout.atoms.len() as u64) > MAX_BITS {
                return Err(sym);
            }
            if !is_stored(sym) || symbol.kind == SymbolKind::Parameter {
                continue;
            }
            first[sym] = Some(layout.atoms.len());
            for args in tuples(sizes, &symbol.args) {
                for at in 0..width as u32 {
                    let meaning = match (symbol.is_relation(), encoding) {
                        (true, _) => Meaning::Holds,
                        (false, Encoding::OneHot) => Meaning::Is(at),
                        (false, Encoding::Binary) => Meaning::Bit(at),
                    };
                    layout.atoms.push(Atom { sym, args: args.as_slice().into(), meaning });
                }
            }
        }
        layout.first = first;
        Ok(layout)
    }

    /// Returns the number of bits of a symbol at a tuple.
    pub(super) fn width(&self, sig: &Signature, sym: SymId) -> usize {
        let symbol = &sig.symbols[sym];
        if symbol.is_relation() {
            return 1;
        }
        let size = self.sizes[symbol.result];
        match self.encoding {
            _ if size <= 1 => 0,
            Encoding::OneHot => size as usize,
            Encoding::Binary => bits_for(size) as usize,
        }
    }

    /// Returns the first bit of a symbol, if it is stored.
    pub(super) fn start(&self, sym: SymId) -> Option<usize> {
        self.first.get(sym).copied().flatten()
    }

    /// Returns the place of an atom, if it has one.
    pub(super) fn place(&self, sig: &Signature, atom: &Atom) -> Option<usize> {
        let symbol = sig.symbols.get(atom.sym)?;
        let is_tuple = atom.args.len() == symbol.args.len()
            && atom.args.iter().zip(&symbol.args).all(|(&arg, &sort)| arg < self.sizes[sort]);
        let within = match atom.meaning {
            Meaning::Holds => 0,
            Meaning::Is(at) | Meaning::Bit(at) => at as usize,
        };
        let width = self.width(sig, atom.sym);
        let start = self.start(atom.sym)?;
        let place = start + rank(&self.sizes, &symbol.args, &atom.args) * width + within;
        (is_tuple && within < width && self.atoms.get(place) == Some(atom)).then_some(place)
    }

    /// Returns the values of a stored symbol from its bits.
    pub(super) fn table(&self, sig: &Signature, graph: &mut Graph, sym: SymId, bits: &[Edge]) -> Table {
        let symbol = &sig.symbols[sym];
        let width = self.width(sig, sym);
        let size = self.sizes[symbol.result];
        let count = tuples(&self.sizes, &symbol.args).count();
        let start = self.start(sym).unwrap_or(0);
        let mut values = Vec::with_capacity(count);
        for at in 0..count {
            let own = bits.get(start + at * width..start + (at + 1) * width).unwrap_or(&[]);
            values.push(match self.encoding {
                _ if symbol.is_relation() => Value::Formula(own.first().copied().unwrap_or(Edge::FALSE)),
                _ if size <= 1 => Value::Term([Edge::TRUE].into()),
                Encoding::OneHot => Value::Term(own.into()),
                Encoding::Binary => Value::Term((0..size).map(|value| matches(graph, own, value)).collect()),
            });
        }
        values.into()
    }

    /// Returns the bits that store a value.
    pub(super) fn bits(&self, graph: &mut Graph, value: &Value) -> Vec<Edge> {
        match value {
            Value::Formula(edge) => vec![*edge],
            Value::Term(row) if row.len() <= 1 => Vec::new(),
            Value::Term(row) if self.encoding == Encoding::OneHot => row.to_vec(),
            Value::Term(row) => (0..bits_for(row.len() as u32))
                .map(|bit| {
                    let set = row.iter().enumerate().filter(|(value, _)| value >> bit & 1 == 1);
                    any(graph, set.map(|(_, &edge)| edge))
                })
                .collect(),
        }
    }
}

/// Returns the disjunction of the edges.
pub(super) fn any(graph: &mut Graph, edges: impl IntoIterator<Item = Edge>) -> Edge {
    edges.into_iter().fold(Edge::FALSE, |all, edge| graph.or(all, edge))
}

/// Returns whether the bits are those of a number.
pub(super) fn matches(graph: &mut Graph, bits: &[Edge], number: u32) -> Edge {
    let bits = bits.iter().enumerate();
    graph.all(bits.map(|(at, &bit)| bit.negated_if(number >> at & 1 == 0)))
}

/// Returns a row of `size` elements of which exactly one is true, whatever the bits are: too large numbers stand for the
/// last element.
pub(super) fn row_of(graph: &mut Graph, bits: &[Edge], size: u32) -> Rc<[Edge]> {
    let mut row: Vec<Edge> = (0..size.saturating_sub(1)).map(|value| matches(graph, bits, value)).collect();
    let others = any(graph, row.iter().copied());
    row.push(!others);
    row.into()
}

/// Returns whether exactly one edge of a row is true.
pub(super) fn exactly_one(graph: &mut Graph, row: &[Edge]) -> Edge {
    let mut none = Edge::TRUE;
    let mut one = Edge::FALSE;
    for &edge in row {
        let still = graph.and(one, !edge);
        let first = graph.and(none, edge);
        one = graph.or(still, first);
        none = graph.and(none, !edge);
    }
    one
}

/// Checks that the graph has not grown beyond the limit.
pub(super) fn check_size(graph: &Graph, max_nodes: usize) -> Result<(), Stop> {
    if graph.len() > max_nodes { Err(Stop::TooLarge) } else { Ok(()) }
}
