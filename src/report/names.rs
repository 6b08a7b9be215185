//! Names of elements in a state of a structure.

use super::printers;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind, element_name};
use ramsey_core::system::System;
use ramsey_engine::query::orders::{self, Order, enumeration, least_constant};

/// Names of all elements in one state, and their order in listings.
#[derive(Clone, Debug)]
pub struct Names {
    sorts: IdVec<SortId, SortNames>,
}

#[derive(Clone, Debug)]
struct SortNames {
    /// Names by element.
    names: Vec<String>,
    /// Position in the listing of the sort, by element.
    rank: Vec<u32>,
    /// Whether `rank` is the position in a total order.
    is_ordered: bool,
}

/// Output of a printer for a sort: a name per element, and the ranks if the printer orders the elements.
pub(super) struct Printed {
    pub(super) names: Vec<Option<String>>,
    pub(super) rank: Option<Vec<u32>>,
}

impl Names {
    /// Computes the names in state `step` by `@printed_by`, or plain names if the annotation does not fit the
    /// structure. Without the annotation, elements of a totally ordered sort are numbered by their positions, and
    /// elements each of which is the value of one immutable constant have the names of these.
    pub fn new(system: &System, sig: &Signature, structure: &Structure, step: usize) -> Self {
        let done = IdVec::filled(sig.sorts.len(), Progress::NotStarted);
        let mut namer = Namer { system, sig, structure, step, done };
        let sorts = sig.sorts.ids().map(|sort| namer.sort_names(sort).clone()).collect();
        Names { sorts }
    }

    /// Computes plain names: the sort's name with a number.
    pub fn plain(sig: &Signature, structure: &Structure) -> Self {
        Names { sorts: sig.sorts.ids().map(|sort| plain(sig, structure, sort)).collect() }
    }

    /// Calls an element by another name.
    pub(super) fn rename(&mut self, sort: SortId, elem: Elem, name: &str) {
        if let Some(known) = self.sorts[sort].names.get_mut(elem as usize) {
            name.clone_into(known);
        }
    }

    /// Returns the name of an element.
    pub fn name(&self, sort: SortId, elem: Elem) -> &str {
        self.sorts[sort].names.get(elem as usize).map_or("?", String::as_str)
    }

    /// Returns the position of an element in the listing of its sort.
    pub fn rank(&self, sort: SortId, elem: Elem) -> u32 {
        self.sorts[sort].rank.get(elem as usize).copied().unwrap_or(elem)
    }

    /// Checks whether the elements of a sort are listed in the order of a total relation.
    pub fn is_ordered(&self, sort: SortId) -> bool {
        self.sorts[sort].is_ordered
    }

    /// Returns all elements of a sort in listing order.
    pub fn elements(&self, sort: SortId) -> Vec<Elem> {
        let mut elements: Vec<Elem> = (0..self.sorts[sort].names.len() as Elem).collect();
        elements.sort_by_key(|&elem| self.rank(sort, elem));
        elements
    }
}

fn plain(sig: &Signature, structure: &Structure, sort: SortId) -> SortNames {
    let size = structure.sizes[sort];
    SortNames {
        names: (0..size).map(|elem| element_name(sig, sort, elem)).collect(),
        rank: (0..size).collect(),
        is_ordered: false,
    }
}

#[derive(Clone, Debug)]
enum Progress {
    NotStarted,
    /// Names are being computed. A printer that needs them meanwhile gets plain names.
    Started,
    Done(SortNames),
}

/// Computes names sort by sort, in the order in which printers need them.
pub(super) struct Namer<'a> {
    system: &'a System,
    pub(super) sig: &'a Signature,
    pub(super) structure: &'a Structure,
    pub(super) step: usize,
    done: IdVec<SortId, Progress>,
}

impl Namer<'_> {
    /// Returns the value of `sym` in the state.
    pub(super) fn value(&self, sym: SymId, args: &[Elem]) -> Elem {
        self.structure.interpretation(self.sig, sym, self.step).get(args)
    }

    /// Returns the size of a sort's universe.
    pub(super) fn size(&self, sort: SortId) -> u32 {
        self.structure.sizes[sort]
    }

    /// Returns the declared symbol of this name.
    pub(super) fn symbol(&self, name: &str) -> Option<SymId> {
        self.sig.symbols.ids().find(|&sym| {
            let symbol = &self.sig.symbols[sym];
            symbol.name == name && symbol.kind != SymbolKind::Parameter
        })
    }

    /// Returns the name of an element.
    pub(super) fn name(&mut self, sort: SortId, elem: Elem) -> String {
        if matches!(self.done[sort], Progress::Started) {
            return element_name(self.sig, sort, elem);
        }
        self.sort_names(sort).names[elem as usize].clone()
    }

    /// Returns the position of an element.
    pub(super) fn rank(&mut self, sort: SortId, elem: Elem) -> u32 {
        if matches!(self.done[sort], Progress::Started) {
            return elem;
        }
        self.sort_names(sort).rank[elem as usize]
    }

    fn sort_names(&mut self, sort: SortId) -> &SortNames {
        if matches!(self.done[sort], Progress::NotStarted) {
            self.done[sort] = Progress::Started;
            let names = self.make(sort);
            self.done[sort] = Progress::Done(names);
        }
        match &self.done[sort] {
            Progress::Done(names) => names,
            Progress::NotStarted | Progress::Started => unreachable!("a sort in progress is not asked for"),
        }
    }

    fn make(&mut self, sort: SortId) -> SortNames {
        let mut made = plain(self.sig, self.structure, sort);
        if sort.index() == SortId::BOOL.index() {
            return made;
        }
        let printed = match self.sig.sorts[sort].annotation("printed_by") {
            Some(annotation) => printers::apply(self, sort, &annotation.args),
            None => self.by_order(sort).or_else(|| self.by_constants(sort)),
        };
        let Some(printed) = printed else { return made };
        let plain_names = made.names.clone();
        for (name, printed) in made.names.iter_mut().zip(&printed.names) {
            if let Some(printed) = printed {
                name.clone_from(printed);
            }
        }
        // Two elements with the same name would make the state ambiguous: both get their plain names, and if these
        // are taken, all elements of the sort do.
        let shared: Vec<bool> = made
            .names
            .iter()
            .map(|name| made.names.iter().filter(|&other| other == name).count() > 1)
            .collect();
        for (elem, _) in shared.iter().enumerate().filter(|&(_, &shared)| shared) {
            made.names[elem].clone_from(&plain_names[elem]);
        }
        let mut sorted = made.names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < made.names.len() {
            made.names = plain_names;
        }
        if let Some(rank) = printed.rank {
            (made.rank, made.is_ordered) = (rank, true);
        }
        made
    }

    /// Names elements by the immutable constants that denote them, if each has one and no other.
    fn by_constants(&self, sort: SortId) -> Option<Printed> {
        let constants = enumeration(self.sig, self.structure, sort)?;
        let name = |sym: SymId| Some(self.sig.symbols[sym].name.clone());
        Some(Printed { names: constants.into_iter().map(name).collect(), rank: None })
    }

    /// Names elements by their positions in a total order, and the least element by the constant that denotes it.
    fn by_order(&self, sort: SortId) -> Option<Printed> {
        let Namer { system, sig, structure, .. } = *self;
        let order = orders::total_order(system, sig, structure, sort)?;
        let names = names(system, sig, structure, &order).into_iter().map(Some).collect();
        let mut rank = vec![0; order.elements.len()];
        for (place, &elem) in order.elements.iter().enumerate() {
            rank[elem as usize] = place as u32;
        }
        Some(Printed { names, rank: Some(rank) })
    }
}

/// Returns the names of the elements of an ordered sort: by position, and for the least one the constant that the
/// axioms force to denote it.
fn names(system: &System, sig: &Signature, structure: &Structure, order: &Order) -> Vec<String> {
    let sort = sig.symbols[order.sym].args[0];
    let mut names = vec![String::new(); order.elements.len()];
    for (place, &elem) in order.elements.iter().enumerate() {
        names[elem as usize] = element_name(sig, sort, place as Elem);
    }
    if let Some(constant) = least_constant(system, sig, order.sym) {
        let value = structure.interpretation(sig, constant, 0).get(&[]);
        if value == order.elements[0] {
            names[value as usize].clone_from(&sig.symbols[constant].name);
        }
    }
    names
}
