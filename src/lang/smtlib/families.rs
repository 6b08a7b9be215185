//! Tables of sort symbols with arguments, their instances, and sort definitions.

use super::names::{Name, Names, Sort};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::SortId;

/// Sort symbols with arguments, their instances, and definitions.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorts {
    /// Name and arity. Symbols out of scope are kept, so that their instances can be reused.
    pub(super) families: Vec<(Name, usize)>,
    pub(super) family_of: Map<(Name, usize), usize>,
    /// Instances in order of creation.
    pub(super) instances: Vec<Instance>,
    pub(super) known: Map<(usize, Vec<SortId>), SortId>,
    pub(super) instance_sorts: Set<SortId>,
    pub(super) definitions: Vec<Definition>,
}

/// A sort symbol applied to sorts.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) family: usize,
    pub(super) args: Vec<SortId>,
    pub(super) sort: SortId,
}

/// A definition by `define-sort`.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) arity: usize,
    pub(super) body: Expr,
    /// Nesting depth of definitions in the body.
    pub(super) depth: usize,
}

/// A sort expression with parameters.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Sort(SortId),
    Param(usize),
    Family(usize, Vec<Expr>),
    Definition(usize, Vec<Expr>),
}

impl Sorts {
    /// Returns the number of the sort symbol with this name and arity.
    pub(super) fn family(&mut self, name: Name, arity: usize) -> usize {
        *self.family_of.entry((name, arity)).or_insert_with(|| {
            self.families.push((name, arity));
            self.families.len() - 1
        })
    }

    /// Adds an instance.
    pub(super) fn add_instance(&mut self, instance: Instance) {
        self.instance_sorts.insert(instance.sort);
        self.known.insert((instance.family, instance.args.clone()), instance.sort);
        self.instances.push(instance);
    }

    /// Returns whether the sort is an instance of a sort symbol with arguments.
    pub(super) fn is_instance(&self, sort: SortId) -> bool {
        self.instance_sorts.contains(&sort)
    }

    /// Returns the instances of live sort symbols at live sorts. `plain` contains the live sorts without arguments.
    pub(super) fn live_instances(&self, names: &Names, plain: &[SortId]) -> Vec<SortId> {
        let mut live: Set<SortId> = plain.iter().copied().collect();
        live.insert(SortId::BOOL);
        let mut found = Vec::new();
        for instance in &self.instances {
            let (name, _) = self.families[instance.family];
            if names.entries[name].sort == Sort::Family(instance.family)
                && instance.args.iter().all(|arg| live.contains(arg))
            {
                live.insert(instance.sort);
                found.push(instance.sort);
            }
        }
        found
    }

    /// Removes the definitions from number `first` on.
    pub(super) fn truncate_definitions(&mut self, first: usize) {
        self.definitions.truncate(first);
    }

    pub(super) fn depth(&self, expr: &Expr) -> usize {
        match expr {
            Expr::Sort(_) | Expr::Param(_) => 0,
            Expr::Family(_, args) => args.iter().map(|arg| self.depth(arg)).max().unwrap_or(0),
            Expr::Definition(index, args) => {
                let args = args.iter().map(|arg| self.depth(arg)).max().unwrap_or(0);
                args.max(self.definitions[*index].depth + 1)
            }
        }
    }
}
