//! Universal clauses, compiled for the search for violated instances.

use super::atoms::Owner;
use super::bank::{Bank, Gt, Head};
use super::clausify::{Draft, DraftAtom};
use super::symbols::{Fun, Rel};
use crate::logic::SortId;

/// A place in a literal or function application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arg {
    /// The value of a variable.
    Slot(u32),
    /// The value of a function application, by index into [`Universal::compounds`].
    Compound(u32),
    /// The value of a ground term.
    Ground(Gt),
}

/// A function application with variables below.
#[derive(Clone, Debug)]
pub(crate) struct Compound {
    pub(crate) fun: Fun,
    pub(crate) args: Box<[Arg]>,
    /// Variables that have to be known before it can be computed.
    pub(crate) slots: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum LitKind {
    Rel(Rel, Box<[Arg]>),
    Eq(Arg, Arg),
}

#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub(crate) positive: bool,
    pub(crate) kind: LitKind,
    /// The variables that occur in it.
    pub(crate) slots: u64,
    /// The compounds that it reads, and those below them.
    pub(crate) compounds: u64,
}

/// `forall slots. l1 | .. | ln`.
#[derive(Clone, Debug)]
pub(crate) struct Universal {
    pub(crate) slots: Box<[SortId]>,
    pub(crate) literals: Box<[Literal]>,
    /// Inner applications come before outer ones.
    pub(crate) compounds: Box<[Compound]>,
    /// The clause over patterns, from which instances are made.
    pub(crate) draft: Draft,
    pub(crate) owner: Owner,
}

/// Sets of slots and compounds are single words.
pub(crate) const MAX_SLOTS: usize = 64;

impl Universal {
    /// Compiles a clause. `None` if it has more variables or function applications than fit a word.
    pub(crate) fn new(bank: &Bank, draft: Draft, owner: Owner) -> Option<Universal> {
        let mut slots: Vec<SortId> = Vec::new();
        let mut compounds: Vec<(Gt, Compound)> = Vec::new();
        let mut literals = Vec::new();
        for lit in &draft {
            let args: Vec<Arg> =
                lit.atom.args().iter().map(|&arg| place(bank, arg, &mut slots, &mut compounds)).collect();
            let mut slot_set = 0;
            let mut compound_set = 0;
            for &arg in &args {
                if compounds.len() > MAX_SLOTS || slots.len() > MAX_SLOTS {
                    return None;
                }
                slot_set |= slots_of(arg, &compounds);
                compound_set |= compounds_of(arg, &compounds);
            }
            let kind = match &lit.atom {
                DraftAtom::Rel(rel, _) => LitKind::Rel(*rel, args.into()),
                DraftAtom::Eq(..) => LitKind::Eq(args[0], args[1]),
            };
            literals.push(Literal { positive: lit.positive, kind, slots: slot_set, compounds: compound_set });
        }
        Some(Universal {
            slots: slots.into(),
            literals: literals.into(),
            compounds: compounds.into_iter().map(|(_, compound)| compound).collect(),
            draft,
            owner,
        })
    }
}

fn place(bank: &Bank, term: Gt, slots: &mut Vec<SortId>, compounds: &mut Vec<(Gt, Compound)>) -> Arg {
    if bank.is_ground(term) {
        return Arg::Ground(term);
    }
    match bank.head(term) {
        Head::Slot(slot) => {
            let index = slot as usize;
            if slots.len() <= index {
                slots.resize(index + 1, SortId::BOOL);
            }
            slots[index] = bank.sort(term);
            Arg::Slot(slot)
        }
        Head::Fun(fun) => {
            if let Some(index) = compounds.iter().position(|(known, _)| *known == term) {
                return Arg::Compound(index as u32);
            }
            let args: Vec<Arg> =
                bank.args(term).iter().map(|&arg| place(bank, arg, slots, compounds)).collect();
            let below = args.iter().fold(0, |set, &arg| set | slots_of(arg, compounds));
            compounds.push((term, Compound { fun, args: args.into(), slots: below }));
            Arg::Compound(compounds.len() as u32 - 1)
        }
    }
}

fn bit(index: u32) -> u64 {
    1u64.checked_shl(index).unwrap_or(0)
}

fn slots_of(arg: Arg, compounds: &[(Gt, Compound)]) -> u64 {
    match arg {
        Arg::Slot(slot) => bit(slot),
        Arg::Compound(index) => compounds[index as usize].1.slots,
        Arg::Ground(_) => 0,
    }
}

fn compounds_of(arg: Arg, compounds: &[(Gt, Compound)]) -> u64 {
    match arg {
        Arg::Compound(index) => compounds[index as usize]
            .1
            .args
            .iter()
            .fold(bit(index), |set, &arg| set | compounds_of(arg, compounds)),
        _ => 0,
    }
}
