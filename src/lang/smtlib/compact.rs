//! Compaction: removal of everything not needed by live declarations, definitions and assertions.

use super::families::{Expr, Instance, Sorts};
use super::names::{Function, Names, Sort};
use super::state::{Declared, Frontend, Part};
use super::variables::Variables;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, Signature, SortId, SymId, TermId, Terms, VarId};

/// Copies live items from one signature and arena to others.
struct Copier<'a> {
    old_sig: &'a Signature,
    old_terms: &'a Terms,
    sig: Signature,
    terms: Terms,
    names: Names,
    variables: Variables,
    families: Sorts,
    sorts: Map<SortId, SortId>,
    symbols: Map<SymId, SymId>,
    vars: Map<VarId, VarId>,
    done: Map<TermId, TermId>,
}

impl Frontend {
    /// Rebuilds signature and arena with live items only: declarations, definitions and names in scope, and assertions.
    /// All ids change, including those in [`Self::assertions`] and similar tables.
    pub fn compact(&mut self, sig: &mut Signature, terms: &mut Terms) {
        let mut copier = Copier::new(sig, terms);
        if let Some(bools) = &mut self.bools {
            bools.sort = copier.sort(bools.sort);
            bools.tru = copier.symbol(bools.tru);
            bools.fals = copier.symbol(bools.fals);
        }
        self.copy_declared(&mut copier);
        self.copy_families(&mut copier);
        self.datatypes = std::mem::take(&mut self.datatypes)
            .into_iter()
            .map(|(sort, constructors)| {
                let constructors = constructors.into_iter().map(|sym| copier.symbol(sym)).collect();
                (copier.sort(sort), constructors)
            })
            .collect();
        for definition in &mut self.macros {
            for param in &mut definition.params {
                *param = copier.var(*param);
            }
            definition.body = copier.term(definition.body);
            definition.body_info = None;
        }
        self.copy_assertions(&mut copier);
        for declared in &mut self.declared {
            let (Declared::Sort(name) | Declared::Function(name) | Declared::Label(name)) = declared;
            *name = copier.names.intern(self.names.text(*name));
        }
        for &var in copier.vars.values() {
            copier.variables.release(var);
        }
        self.former_symbols.clear();
        self.names = copier.names;
        self.variables = copier.variables;
        self.sorts = copier.families;
        (*sig, *terms) = (copier.sig, copier.terms);
    }

    /// Copies the names in scope with what they mean.
    fn copy_declared(&self, copier: &mut Copier<'_>) {
        for declared in &self.declared {
            match *declared {
                Declared::Sort(name) => {
                    let sort = match self.names.entries[name].sort {
                        Sort::Plain(sort) => Sort::Plain(copier.sort(sort)),
                        Sort::Family(index) => Sort::Family(self.copy_family(index, copier)),
                        other @ (Sort::None | Sort::Definition(_)) => other,
                    };
                    let name = copier.names.intern(self.names.text(name));
                    let entry = &mut copier.names.entries[name];
                    entry.sort = sort;
                    if let Sort::Plain(sort) = sort {
                        entry.last_sort = Some(sort);
                    }
                }
                Declared::Function(name) | Declared::Label(name) => {
                    let (function, last_symbol) = match self.names.entries[name].function {
                        Function::Symbol(sym) => {
                            let sym = copier.symbol(sym);
                            (Function::Symbol(sym), Some(sym))
                        }
                        Function::Constructor(sym) => {
                            let sym = copier.symbol(sym);
                            (Function::Constructor(sym), Some(sym))
                        }
                        other => (other, None),
                    };
                    let name = copier.names.intern(self.names.text(name));
                    let entry = &mut copier.names.entries[name];
                    (entry.function, entry.last_symbol) = (function, last_symbol);
                }
            }
        }
    }

    /// Copies the live instances of sort symbols with arguments, and sort definitions.
    fn copy_families(&self, copier: &mut Copier<'_>) {
        let live: Set<SortId> = self.sorts().map(|live| live.sort).collect();
        for instance in &self.sorts.instances {
            if live.contains(&instance.sort) {
                let family = self.copy_family(instance.family, copier);
                let args = instance.args.iter().map(|&arg| copier.sort(arg)).collect();
                let sort = copier.sort(instance.sort);
                copier.families.add_instance(Instance { family, args, sort });
            }
        }
        for definition in &self.sorts.definitions {
            let mut definition = definition.clone();
            self.copy_sort(&mut definition.body, copier);
            copier.families.definitions.push(definition);
        }
    }

    /// Copies a sort symbol with arguments. Returns its new number.
    fn copy_family(&self, index: usize, copier: &mut Copier<'_>) -> usize {
        let (name, arity) = self.sorts.families[index];
        let name = copier.names.intern(self.names.text(name));
        copier.families.family(name, arity)
    }

    fn copy_sort(&self, expr: &mut Expr, copier: &mut Copier<'_>) {
        match expr {
            Expr::Sort(sort) => *sort = copier.sort(*sort),
            Expr::Param(_) => {}
            Expr::Family(index, args) => {
                *index = self.copy_family(*index, copier);
                args.iter_mut().for_each(|arg| self.copy_sort(arg, copier));
            }
            Expr::Definition(_, args) => args.iter_mut().for_each(|arg| self.copy_sort(arg, copier)),
        }
    }

    /// Copies assertions, omitting definitions of unused part names.
    fn copy_assertions(&mut self, copier: &mut Copier<'_>) {
        let old = std::mem::take(&mut self.parts).list;
        let definitions: Set<TermId> = old.iter().map(|part| part.definition).collect();
        for assertion in &mut self.assertions {
            if !definitions.contains(&assertion.formula) {
                copier.term(assertion.formula);
            }
        }
        // Nested parts were named before the enclosing ones.
        for part in old.iter().rev() {
            if copier.symbols.contains_key(&part.sym) {
                copier.term(part.definition);
            }
        }
        let before = self.assertions.len();
        self.assertions.retain_mut(|assertion| {
            let copy = copier.done.get(&assertion.formula).copied();
            assertion.formula = copy.unwrap_or(assertion.formula);
            copy.is_some()
        });
        // The removed assertions were below all levels.
        let dropped = before - self.assertions.len();
        for level in &mut self.levels {
            level.assertions -= dropped;
        }
        for part in old {
            if copier.symbols.contains_key(&part.sym) {
                self.parts.add(Part {
                    sym: copier.symbol(part.sym),
                    term: copier.term(part.term),
                    name: copier.term(part.name),
                    definition: copier.term(part.definition),
                });
            }
        }
    }
}

impl<'a> Copier<'a> {
    fn new(old_sig: &'a Signature, old_terms: &'a Terms) -> Self {
        Copier {
            old_sig,
            old_terms,
            sig: Signature::new(),
            terms: Terms::new(),
            names: Names::new(),
            variables: Variables::default(),
            families: Sorts::default(),
            sorts: Map::from_iter([(SortId::BOOL, SortId::BOOL)]),
            symbols: Map::default(),
            vars: Map::default(),
            done: Map::default(),
        }
    }

    fn sort(&mut self, sort: SortId) -> SortId {
        if let Some(&done) = self.sorts.get(&sort) {
            return done;
        }
        let copy = self.sig.sorts.push(self.old_sig.sorts[sort].clone());
        self.sorts.insert(sort, copy);
        copy
    }

    fn symbol(&mut self, sym: SymId) -> SymId {
        if let Some(&done) = self.symbols.get(&sym) {
            return done;
        }
        let mut symbol = self.old_sig.symbols[sym].clone();
        for arg in &mut symbol.args {
            *arg = self.sort(*arg);
        }
        symbol.result = self.sort(symbol.result);
        let copy = self.sig.symbols.push(symbol);
        self.symbols.insert(sym, copy);
        copy
    }

    fn var(&mut self, var: VarId) -> VarId {
        if let Some(&done) = self.vars.get(&var) {
            return done;
        }
        let info = self.old_terms.var_info(var);
        let sort = self.sort(info.sort);
        let name = self.names.intern(&info.name);
        let copy = self.variables.bind(&mut self.terms, name, &info.name, sort);
        self.vars.insert(var, copy);
        copy
    }

    fn term(&mut self, term: TermId) -> TermId {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        let old = self.old_terms;
        let copy = match old.node(term) {
            Node::Var(var) => {
                let var = self.var(var);
                self.terms.var(var)
            }
            Node::App { sym, args, .. } => {
                let sym = self.symbol(sym);
                let args: Vec<TermId> = old.args(args).iter().map(|&arg| self.term(arg)).collect();
                self.terms.app(&self.sig, sym, 0, &args)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let vars: Vec<VarId> = old.bound_vars(vars).map(|var| self.var(var)).collect();
                let body = self.term(body);
                match old.node(term) {
                    Node::Forall(..) => self.terms.forall(&vars, body),
                    _ => self.terms.exists(&vars, body),
                }
            }
            node => {
                let children: Vec<TermId> = old.children(term).map(|child| self.term(child)).collect();
                match (node, children.as_slice()) {
                    (Node::Eq(..) | Node::Iff(..), &[a, b]) => self.terms.eq(a, b),
                    (Node::Distinct(_), items) => self.terms.distinct(items),
                    (Node::Not(_), &[a]) => self.terms.not(a),
                    (Node::And(_), items) => self.terms.and(items),
                    (Node::Or(_), items) => self.terms.or(items),
                    (Node::Implies(..), &[a, b]) => self.terms.implies(a, b),
                    (Node::Ite(..), &[condition, a, b]) => self.terms.ite(condition, a, b),
                    (Node::True, _) => self.terms.tru(),
                    _ => self.terms.fals(),
                }
            }
        };
        self.done.insert(term, copy);
        copy
    }
}
