//! Tables of declared names, and resolution of names.

use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::base::ids::{Id as _, IdVec};
use crate::base::span::Span;
use crate::lang::fol::ast::Ident;
use crate::lang::index::entry::{Entry, Kind};
use crate::lang::index::text::Text;
use crate::typed_id;

typed_id! {
    /// An entry of the index.
    pub(super) struct EntryId;
    /// A module.
    pub(super) struct ModuleId;
}

/// Whether the budget lasted.
pub(super) type Step = Result<(), Exhausted>;

/// The namespaces of declarations, apart from modules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// Sorts.
    Sorts,
    /// Everything else.
    Names,
}

/// Declarations by name. The first one of a name counts.
#[derive(Default)]
pub(super) struct Table<'a> {
    sorts: Map<&'a str, EntryId>,
    names: Map<&'a str, EntryId>,
}

impl<'a> Table<'a> {
    fn get(&self, space: Space, name: &str) -> Option<EntryId> {
        match space {
            Space::Sorts => self.sorts.get(name).copied(),
            Space::Names => self.names.get(name).copied(),
        }
    }

    fn add(&mut self, space: Space, name: &'a str, entry: EntryId) {
        let names = match space {
            Space::Sorts => &mut self.sorts,
            Space::Names => &mut self.names,
        };
        names.entry(name).or_insert(entry);
    }

    /// Adds the declarations of another table.
    fn extend(&mut self, other: &Table<'a>) {
        for (space, names) in [(Space::Sorts, &other.sorts), (Space::Names, &other.names)] {
            names.iter().for_each(|(name, &entry)| self.add(space, name, entry));
        }
    }
}

/// The names of a module.
#[derive(Default)]
pub(super) struct Scope<'a> {
    /// The declaration of the module.
    pub(super) entry: Option<EntryId>,
    /// The parameters, which stand for sorts or symbols.
    pub(super) params: Vec<EntryId>,
    by_name: Map<&'a str, EntryId>,
    declared: Table<'a>,
}

/// The meaning of a name.
struct Found {
    entry: EntryId,
    /// The prefix that the name begins with, and its length.
    prefix: Option<(EntryId, usize)>,
}

/// Collects the entries of an index.
pub(super) struct Builder<'a, 'b> {
    entries: Vec<Entry>,
    budget: &'b mut Budget,
    global: Table<'a>,
    pub(super) modules: IdVec<ModuleId, Scope<'a>>,
    /// The module that is being read.
    pub(super) module: Option<ModuleId>,
    /// The modules used with each prefix.
    prefixes: Map<&'a str, Vec<(EntryId, ModuleId)>>,
    /// The lengths of all prefixes.
    prefix_lengths: Set<usize>,
    /// Names in text that could not be parsed, and which may be declared there.
    pub(super) broken: Set<&'a str>,
    /// The variables in scope, innermost last.
    scope: Map<&'a str, Vec<EntryId>>,
    /// Their names, in the order in which they were bound.
    bound: Vec<&'a str>,
    /// The names quantified implicitly in the current formula; `None` if it has no implicit quantifiers.
    pub(super) implicit: Option<Map<&'a str, EntryId>>,
    /// Parameters of modules that stand for sorts. Sorts are among them too.
    pub(super) as_sorts: Set<EntryId>,
}

impl<'a, 'b> Builder<'a, 'b> {
    pub(super) fn new(budget: &'b mut Budget) -> Builder<'a, 'b> {
        Builder {
            entries: Vec::new(),
            budget,
            global: Table::default(),
            modules: IdVec::new(),
            module: None,
            prefixes: Map::default(),
            prefix_lengths: Set::default(),
            broken: Set::default(),
            scope: Map::default(),
            bound: Vec::new(),
            implicit: None,
            as_sorts: Set::default(),
        }
    }

    pub(super) fn finish(self) -> Vec<Entry> {
        self.entries
    }

    pub(super) fn spend(&mut self, units: usize) -> Step {
        self.budget.spend(units as u64)
    }

    /// Adds an entry that no name leads to yet.
    pub(super) fn add(&mut self, kind: Kind, name: &Ident, declaration: Span, text: Text) -> EntryId {
        let id = EntryId::new(self.entries.len());
        self.entries.push(Entry {
            kind,
            name: name.name.to_string(),
            span: name.span(),
            declaration,
            text: text.finish(),
            uses: Vec::new(),
        });
        id
    }

    /// Adds a declaration of the module that is being read, or of the model.
    pub(super) fn declare(&mut self, kind: Kind, name: &'a Ident, declaration: Span, text: Text) {
        let space = if kind == Kind::Sort { Space::Sorts } else { Space::Names };
        let entry = self.add(kind, name, declaration, text);
        let table = match self.module {
            Some(module) => &mut self.modules[module].declared,
            None => &mut self.global,
        };
        table.add(space, &name.name, entry);
    }

    /// Adds a parameter of a module.
    pub(super) fn declare_param(&mut self, module: ModuleId, name: &'a Ident) {
        let entry = self.add(Kind::Parameter, name, name.span(), Text::new(&name.name));
        let scope = &mut self.modules[module];
        scope.params.push(entry);
        scope.by_name.entry(&name.name).or_insert(entry);
    }

    /// Makes the declarations of a module known without a prefix.
    pub(super) fn instantiate(&mut self, module: ModuleId) {
        self.global.extend(&self.modules[module].declared);
    }

    /// Makes the declarations of a module known with a prefix.
    pub(super) fn instantiate_as(&mut self, module: ModuleId, prefix: &'a str, entry: EntryId) {
        self.prefixes.entry(prefix).or_default().push((entry, module));
        self.prefix_lengths.insert(prefix.len());
    }

    /// Returns a mark for [`Self::leave`].
    pub(super) fn enter(&self) -> usize {
        self.bound.len()
    }

    /// Removes from scope the variables bound since `outside`.
    pub(super) fn leave(&mut self, outside: usize) {
        for name in self.bound.drain(outside..) {
            if let Some(stack) = self.scope.get_mut(name) {
                stack.pop();
            }
        }
    }

    /// Brings a variable into scope.
    pub(super) fn bind(&mut self, kind: Kind, name: &'a Ident, declaration: Span, text: Text) {
        let entry = self.add(kind, name, declaration, text);
        self.scope.entry(&name.name).or_default().push(entry);
        self.bound.push(&name.name);
    }

    fn find(&mut self, space: Space, name: &str) -> Result<Option<Found>, Exhausted> {
        let plain = |entry| Ok(Some(Found { entry, prefix: None }));
        self.spend(1)?;
        if space == Space::Names
            && let Some(&entry) = self.scope.get(name).and_then(|stack| stack.last())
        {
            return plain(entry);
        }
        if let Some(module) = self.module {
            let scope = &self.modules[module];
            if let Some(entry) = scope.by_name.get(name).copied().or(scope.declared.get(space, name)) {
                return plain(entry);
            }
        }
        if let Some(entry) = self.global.get(space, name) {
            return plain(entry);
        }
        for (at, _) in name.match_indices('_').filter(|(at, _)| self.prefix_lengths.contains(at)) {
            let (prefix, rest) = (&name[..at], &name[at + 1..]);
            for &(prefix, module) in self.prefixes.get(prefix).into_iter().flatten() {
                self.budget.spend(1)?;
                if let Some(entry) = self.modules[module].declared.get(space, rest) {
                    return Ok(Some(Found { entry, prefix: Some((prefix, at)) }));
                }
            }
        }
        Ok(None)
    }

    /// Returns whether a name that is not a sort is declared or bound.
    pub(super) fn is_known(&mut self, name: &str) -> Result<bool, Exhausted> {
        Ok(self.find(Space::Names, name)?.is_some())
    }

    /// Returns the parameter of the module that is being read.
    pub(super) fn param(&self, name: &str) -> Option<EntryId> {
        self.modules[self.module?].by_name.get(name).copied()
    }

    /// Adds a use of an entry.
    pub(super) fn used(&mut self, entry: EntryId, span: Span) {
        self.entries[entry.index()].uses.push(span);
    }

    /// Adds a use of what `name` stands for, if it is declared or bound. In a name with a prefix, both parts are uses.
    /// Returns whether there is a declaration.
    pub(super) fn refer(&mut self, space: Space, name: &str, span: Span) -> Result<bool, Exhausted> {
        let Some(found) = self.find(space, name)? else { return Ok(false) };
        let mut start = span.start;
        if let Some((prefix, length)) = found.prefix {
            self.used(prefix, Span { end: start + length as u32, ..span });
            start += length as u32 + 1;
        }
        self.used(found.entry, Span { start, ..span });
        if space == Space::Sorts {
            self.as_sorts.insert(found.entry);
        }
        Ok(true)
    }
}
