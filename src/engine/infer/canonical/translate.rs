//! Terms and structures of one vocabulary in another one, whose ids are in another order.

use super::colors::Colors;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Node, Signature, SortId, Structure, SymId, TermId, Terms, VarId};

/// The ids of sorts and symbols in another vocabulary; `None` for those that it does not have.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) sorts: IdVec<SortId, Option<SortId>>,
    pub(super) symbols: IdVec<SymId, Option<SymId>>,
}

impl Names {
    /// Returns a structure over `from`, of this vocabulary, as one over `to`, of the other. What the other vocabulary has
    /// in addition gets one element, and the first value everywhere.
    pub(super) fn structure(&self, (from, to): (&Signature, &Signature), it: &Structure) -> Structure {
        let mut result = Structure::new(to, it.states());
        for (sort, &other) in self.sorts.iter_enumerated() {
            if let Some(other) = other {
                result.sizes[other] = it.sizes[sort];
            }
        }
        for (sym, &other) in self.symbols.iter_enumerated() {
            let Some(other) = other else { continue };
            let steps = if from.symbols[sym].kind.is_mutable() { it.states() } else { 1 };
            for step in 0..steps {
                *result.interpretation_mut(to, other, step) = it.interpretation(from, sym, step).clone();
            }
        }
        result
    }
}

/// The order of parts whose order means nothing.
#[derive(Clone, Copy)]
pub(super) enum Order<'a> {
    /// That of colours.
    Colors(&'a Colors),
    /// That in which the other vocabulary declares what they are about.
    Declared,
}

/// A translation of terms.
pub(super) struct Translator<'a> {
    from: &'a Terms,
    pub(super) names: &'a Names,
    /// The signature of the results.
    sig: &'a Signature,
    order: Order<'a>,
    /// The terms that stand for constants which the other vocabulary does not have.
    pub(super) values: Map<SymId, TermId>,
    vars: Map<VarId, VarId>,
    memo: Map<TermId, TermId>,
}

impl<'a> Translator<'a> {
    /// Creates a translation to a vocabulary with this signature.
    pub(super) fn new(
        from: &'a Terms,
        names: &'a Names,
        sig: &'a Signature,
        order: Order<'a>,
    ) -> Translator<'a> {
        Translator {
            from,
            names,
            sig,
            order,
            values: Map::default(),
            vars: Map::default(),
            memo: Map::default(),
        }
    }

    /// Returns the variable that stands for this one.
    pub(super) fn var(&mut self, to: &mut Terms, var: VarId) -> VarId {
        if let Some(&known) = self.vars.get(&var) {
            return known;
        }
        let info = self.from.var_info(var);
        // Every sort of a variable is in both vocabularies.
        let sort = self.names.sorts[info.sort].unwrap_or(SortId::BOOL);
        let new = to.new_var(info.name.clone(), sort);
        if let Some(span) = info.span {
            to.locate_var(new, span);
        }
        self.vars.insert(var, new);
        new
    }

    /// Returns the term in the other vocabulary.
    pub(super) fn term(&mut self, to: &mut Terms, term: TermId) -> TermId {
        if let Some(&done) = self.memo.get(&term) {
            return done;
        }
        let from = self.from;
        let result = match from.node(term) {
            Node::True => to.tru(),
            Node::False => to.fals(),
            Node::Var(var) => {
                let var = self.var(to, var);
                to.var(var)
            }
            Node::App { sym, step, args } => {
                let args = self.list(to, from.args(args).to_vec());
                match self.names.symbols[sym] {
                    Some(sym) => to.app(self.sig, sym, step, &args),
                    // Every other symbol of a term is in both vocabularies.
                    None => self.values.get(&sym).copied().unwrap_or_else(|| to.tru()),
                }
            }
            Node::Eq(a, b) | Node::Iff(a, b) => {
                let parts = self.unordered(to, vec![a, b]);
                to.eq(parts[0], parts[1])
            }
            Node::Distinct(args) => {
                let parts = self.unordered(to, from.args(args).to_vec());
                to.distinct(&parts)
            }
            Node::And(args) => {
                let parts = self.unordered(to, from.args(args).to_vec());
                to.and(&parts)
            }
            Node::Or(args) => {
                let parts = self.unordered(to, from.args(args).to_vec());
                to.or(&parts)
            }
            Node::Not(a) => {
                let a = self.term(to, a);
                to.not(a)
            }
            Node::Implies(a, b) => {
                let parts = self.list(to, vec![a, b]);
                to.implies(parts[0], parts[1])
            }
            Node::Ite(a, b, c) => {
                let parts = self.list(to, vec![a, b, c]);
                to.ite(parts[0], parts[1], parts[2])
            }
            Node::Forall(vars, body) => {
                let vars = self.binder(to, from.bound_vars(vars).collect());
                let body = self.term(to, body);
                to.forall(&vars, body)
            }
            Node::Exists(vars, body) => {
                let vars = self.binder(to, from.bound_vars(vars).collect());
                let body = self.term(to, body);
                to.exists(&vars, body)
            }
        };
        self.memo.insert(term, result);
        result
    }

    fn list(&mut self, to: &mut Terms, parts: Vec<TermId>) -> Vec<TermId> {
        parts.into_iter().map(|part| self.term(to, part)).collect()
    }

    /// Translates terms whose order means nothing.
    pub(super) fn unordered(&mut self, to: &mut Terms, mut parts: Vec<TermId>) -> Vec<TermId> {
        match self.order {
            Order::Colors(colors) => {
                parts.sort_by_key(|&part| colors.terms[part]);
                self.list(to, parts)
            }
            Order::Declared => {
                let mut parts = self.list(to, parts);
                parts.sort_by_key(|&part| declared(to, part));
                parts
            }
        }
    }

    /// Translates variables whose order means nothing.
    pub(super) fn binder(&mut self, to: &mut Terms, mut vars: Vec<VarId>) -> Vec<VarId> {
        match self.order {
            Order::Colors(colors) => vars.sort_by_key(|&var| colors.vars[var]),
            Order::Declared => {
                let names = self.names;
                vars.sort_by_key(|&var| names.sorts[self.from.var_info(var).sort]);
            }
        }
        vars.into_iter().map(|var| self.var(to, var)).collect()
    }
}

/// Returns the place of a part among others: relations and functions as they are declared, equations, and the rest.
fn declared(terms: &Terms, part: TermId) -> (usize, Vec<usize>) {
    let atom = match terms.node(part) {
        Node::Not(atom) => atom,
        _ => part,
    };
    let application = |term: TermId| match terms.node(term) {
        Node::App { sym, args, .. } => {
            let args = terms.args(args).iter().map(|&arg| terms.as_var(arg).map_or(0, |var| var.index()));
            Some(std::iter::once(sym.index()).chain(args).collect())
        }
        _ => None,
    };
    match terms.node(atom) {
        Node::App { .. } => (0, application(atom).unwrap_or_default()),
        Node::Eq(a, b) => match application(a).or_else(|| application(b)) {
            Some(applied) => (1, applied),
            None => (2, Vec::new()),
        },
        _ => (3, Vec::new()),
    }
}
