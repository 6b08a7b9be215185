//! What stays true, whatever transitions do.

use super::reduce::{Reduce, conjunction, disjunction, is_large};
use super::{Change, Effect, Reader};
use ramsey_circuit::transition::Update;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SymId, SymbolKind, TermId, VarId};

/// Maximum number of tuples that are taken to stay in relations while others are shown to do so.
const MAX_ASSUMED: usize = 4;

/// What is true, before a transition, of a tuple that comes into a relation with it, or leaves it.
#[derive(Clone, Debug)]
pub(super) struct Exception {
    /// Literals about the tuple alone.
    pub(super) literals: Vec<TermId>,
    /// What nothing changes; `None` if that may be true of any tuple.
    fixed: Option<TermId>,
}

impl Reader<'_> {
    /// Returns what of a formula in negation normal form stays true as long as `lasting` literals do.
    pub(super) fn stable(&mut self, formula: TermId, lasting: &[TermId]) -> Option<TermId> {
        if is_large(self.terms, formula) || !self.spend(1 + lasting.len()) {
            return None;
        }
        match self.terms.node(formula) {
            Node::And(args) => {
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                let kept = self.stable_parts(&args, lasting);
                (!kept.is_empty()).then(|| conjunction(self.terms, &kept))
            }
            Node::Or(args) => {
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                // Where one of them is true that nothing changes, the others do not matter.
                let fixed: Vec<TermId> = args.iter().copied().filter(|&arg| self.is_fixed(arg)).collect();
                let mut lasting = lasting.to_vec();
                lasting.extend(fixed.into_iter().map(|it| self.negated(it)));
                let kept: Option<Vec<TermId>> =
                    args.into_iter().map(|arg| self.stable(arg, &lasting)).collect();
                kept.map(|kept| disjunction(self.terms, &kept))
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let is_universal = matches!(self.terms.node(formula), Node::Forall(..));
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                let body = self.stable(body, lasting)?;
                let vars = self.mentioned(&vars, &[body]);
                Some(if is_universal {
                    self.terms.forall(&vars, body)
                } else {
                    self.terms.exists(&vars, body)
                })
            }
            Node::Not(atom) => self.literal(formula, atom, false, lasting),
            _ => self.literal(formula, formula, true, lasting),
        }
    }

    /// Returns what of some conjuncts stays true. A literal may do so since another one does: who has left a round votes no more in it.
    pub(super) fn stable_parts(&mut self, conjuncts: &[TermId], lasting: &[TermId]) -> Vec<TermId> {
        let mut firm = lasting.to_vec();
        for &conjunct in conjuncts {
            if self.is_literal(conjunct) && self.stable(conjunct, lasting) == Some(conjunct) {
                firm.push(conjunct);
            }
        }
        let mut kept: Vec<TermId> =
            conjuncts.iter().filter_map(|&conjunct| self.stable(conjunct, &firm)).collect();
        kept.retain(|&it| !matches!(self.terms.node(it), Node::True));
        kept
    }

    pub(super) fn is_literal(&self, formula: TermId) -> bool {
        let atom = if let Node::Not(atom) = self.terms.node(formula) { atom } else { formula };
        matches!(self.terms.node(atom), Node::App { .. } | Node::Eq(..))
    }

    pub(super) fn negated(&mut self, literal: TermId) -> TermId {
        if let Node::Not(atom) = self.terms.node(literal) { atom } else { self.terms.not(literal) }
    }

    /// Returns a literal with what is so where it becomes false.
    fn literal(
        &mut self,
        literal: TermId,
        atom: TermId,
        is_positive: bool,
        lasting: &[TermId],
    ) -> Option<TermId> {
        if self.is_fixed(atom) {
            return Some(literal);
        }
        let Node::App { sym, args, .. } = self.terms.node(atom) else { return None };
        let args: Vec<TermId> = self.terms.args(args).to_vec();
        let is_relation = self.system.sig.symbols[sym].is_relation();
        if !is_relation || !args.iter().all(|&arg| self.is_fixed(arg)) {
            return None;
        }
        let exceptions = self.exceptions(sym, !is_positive)?;
        let own = self.own(sym);
        let map: Map<VarId, TermId> = own.into_iter().zip(args).collect();
        let mut parts = vec![literal];
        if !self.spend(exceptions.iter().map(|it| it.literals.len()).sum()) {
            return None;
        }
        for Exception { literals, fixed } in exceptions {
            let is_ruled_out = literals.into_iter().any(|it| {
                let it = self.terms.substitute(it, &map);
                let opposite = self.negated(it);
                lasting.contains(&opposite) || self.is_made_true(opposite, lasting)
            });
            if !is_ruled_out {
                let fixed = self.terms.substitute(fixed?, &map);
                // Then it may become false wherever it matters, so that nothing is known of it.
                if self.terms.conjuncts(fixed).iter().all(|it| lasting.contains(it)) {
                    return Some(self.terms.tru());
                }
                parts.push(fixed);
            }
        }
        Some(disjunction(self.terms, &parts))
    }

    /// Checks whether the transition that is read may put a tuple into a relation for good. It is taken to do so for the tuples in
    /// question where that depends on immutable relations: a guess.
    fn is_made_true(&mut self, tuple: TermId, lasting: &[TermId]) -> bool {
        let Node::App { sym, args, .. } = self.terms.node(tuple) else { return false };
        // Tuples that keep each other in their relations all stay there.
        if self.assumed.contains(&tuple) {
            return true;
        }
        if self.assumed.len() == MAX_ASSUMED || !self.spend(1 + self.effects.len() + lasting.len()) {
            return false;
        }
        let args: Vec<TermId> = self.terms.args(args).to_vec();
        let effects: Vec<Effect> = self.effects.iter().filter(|it| it.relation == sym).cloned().collect();
        let is_made = effects.into_iter().any(|Effect { vars, condition, .. }| {
            if !self.spend_on(&[condition]) {
                return false;
            }
            let map = vars.into_iter().zip(args.iter().copied()).collect();
            let condition = self.terms.substitute(condition, &map);
            let conjuncts = self.terms.conjuncts(condition);
            conjuncts.into_iter().all(|it| match self.terms.node(it) {
                Node::True => true,
                Node::Eq(a, b) => a == b || lasting.contains(&it),
                _ => lasting.contains(&it) || self.is_literal(it) && self.is_fixed(it),
            })
        });
        if !is_made {
            return false;
        }
        self.assumed.push(tuple);
        let is_firm = self.is_firm(tuple);
        self.assumed.pop();
        is_firm
    }

    /// Returns what a transition, by its number, adds to relations but this one.
    pub(super) fn added(&mut self, at: usize, except: SymId) -> Vec<Effect> {
        if !self.added.contains_key(&at) {
            let added = self.added_anew(at);
            self.added.insert(at, added);
        }
        let known = self.added.get(&at).into_iter().flatten();
        known.filter(|it| it.relation != except).cloned().collect()
    }

    fn added_anew(&mut self, at: usize) -> Vec<Effect> {
        let action = &self.actions[at].1;
        let relations = self.system.sig.symbols.iter_enumerated();
        let relations = relations.filter(|(_, symbol)| {
            symbol.is_relation() && symbol.kind == SymbolKind::Mutable && symbol.is_declared()
        });
        let updates = relations.filter_map(|(relation, _)| match action.update(relation) {
            Update::Definition { vars, value } => Some((relation, vars.clone(), *value)),
            Update::Unchanged | Update::Free => None,
        });
        let mut effects = Vec::new();
        for (relation, vars, value) in updates.collect::<Vec<_>>() {
            if !self.spend_on(&[value]) {
                break;
            }
            let tuple = self.tuple(relation, &vars);
            let known = |atom| (atom == tuple).then_some(false);
            let condition = Reduce::new(self.terms, &known).of(value, true);
            let ways = match self.terms.node(condition) {
                Node::False => Vec::new(),
                Node::Or(args) => self.terms.args(args).to_vec(),
                _ => vec![condition],
            };
            let effect = |condition| Effect { relation, vars: vars.clone(), condition };
            effects.extend(ways.into_iter().map(effect));
        }
        effects
    }

    /// Checks whether a literal that is true stays so.
    pub(super) fn is_firm(&mut self, literal: TermId) -> bool {
        self.lasts(literal, &[])
    }

    /// Checks whether a literal that is true stays so as long as other ones do.
    pub(super) fn lasts(&mut self, literal: TermId, lasting: &[TermId]) -> bool {
        self.is_literal(literal) && self.stable(literal, lasting) == Some(literal)
    }

    /// Checks whether no transition changes what a term stands for.
    pub(super) fn is_fixed(&self, term: TermId) -> bool {
        let sig = &self.system.sig;
        !self.terms.symbols(term).into_iter().any(|sym| sig.symbols[sym].kind != SymbolKind::Immutable)
    }

    /// Returns what is true of all tuples that come into a relation, or leave it, one for each way; `None` if they are too many, or unclear.
    pub(super) fn exceptions(&mut self, relation: SymId, is_added: bool) -> Option<Vec<Exception>> {
        let key = (relation, is_added);
        if let Some(known) = self.changing.get(&key) {
            return known.clone();
        }
        let own: Set<VarId> = self.own(relation).into_iter().collect();
        let is_derived = !self.system.sig.symbols[relation].is_declared();
        let changes = if is_derived { None } else { self.changes(relation, is_added) };
        let exceptions = changes.map(|changes| {
            let of = |change: Change| {
                let is_about_tuple =
                    |&it: &TermId| self.terms.free_vars(it).iter().all(|var| own.contains(var));
                let about: Vec<TermId> = change.conjuncts.into_iter().filter(is_about_tuple).collect();
                let literals = about.iter().copied().filter(|&it| self.is_literal(it)).collect();
                let fixed: Vec<TermId> = about.into_iter().filter(|&it| self.is_fixed(it)).collect();
                let fixed = (!fixed.is_empty()).then(|| conjunction(self.terms, &fixed));
                Exception { literals, fixed }
            };
            changes.into_iter().map(of).collect::<Vec<Exception>>()
        });
        self.changing.insert(key, exceptions.clone());
        exceptions
    }
}
