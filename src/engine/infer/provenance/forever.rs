//! Properties where something can happen no more: what was not decided in a round, and never will be.
//!
//! A property with two decisions is seldom inductive, as the second one may still come. It becomes so where one decision is
//! replaced by the reasons why it cannot come any more, the other one by what comes before it, and the rounds are in an order: where a value
//! is proposed in a round, no quorum can still decide another one in an earlier round.

use super::Reader;
use super::reduce::{MAX_DEPTH, Reduce, conjunction, disjunction};
use super::stable::Exception;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, SymId, SymbolKind, TermId, VarId};

/// Maximum number of atoms that stand in for one.
const MAX_SOURCES: usize = 6;
/// Maximum number of ways to replace the other premises, per premise that can become false for good.
const MAX_RESTS: usize = 36;
/// Maximum number of formulas.
const MAX_FORMULAS: usize = 100;

impl Reader<'_> {
    /// Returns such formulas about properties that are clauses.
    pub(super) fn forever(&mut self, claims: &[TermId]) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for &claim in claims {
            let normal = Reduce::new(self.terms, &|_| None).of(claim, true);
            for part in self.terms.conjuncts(normal) {
                formulas.extend(self.forever_of(part));
            }
        }
        formulas
    }

    fn forever_of(&mut self, claim: TermId) -> Vec<TermId> {
        let (vars, body): (Vec<VarId>, TermId) = match self.terms.node(claim) {
            Node::Forall(vars, body) => (self.terms.bound_vars(vars).collect(), body),
            _ => return Vec::new(),
        };
        let Node::Or(args) = self.terms.node(body) else { return Vec::new() };
        let parts: Vec<TermId> = self.terms.args(args).to_vec();
        let mut formulas = Vec::new();
        for (at, &part) in parts.iter().enumerate() {
            let Some(never) = self.never(part) else { continue };
            let about: Vec<VarId> = vars.iter().copied().filter(|&it| self.is_free(it, part)).collect();
            let mut rests: Vec<Vec<TermId>> = vec![Vec::new()];
            for (_, &other) in parts.iter().enumerate().filter(|(place, _)| *place != at) {
                let sources = self.sources(other);
                let extended =
                    rests.iter().flat_map(|rest| sources.iter().map(move |&it| [&rest[..], &[it]].concat()));
                rests = extended.take(MAX_RESTS).collect();
            }
            for rest in rests {
                for order in self.orders(&about, &rest) {
                    let mut parts = rest.clone();
                    parts.extend(order);
                    parts.push(never);
                    let body = disjunction(self.terms, &parts);
                    formulas.push(self.closed(&vars, body));
                }
            }
        }
        formulas.truncate(MAX_FORMULAS);
        formulas
    }

    fn is_free(&self, var: VarId, formula: TermId) -> bool {
        self.terms.free_vars(formula).contains(&var)
    }

    /// Quantifies the free variables, some in this order.
    fn closed(&mut self, vars: &[VarId], formula: TermId) -> TermId {
        let mut outer: Vec<VarId> = self.mentioned(vars, &[formula]);
        let free = self.terms.free_vars(formula);
        let mut others: Vec<VarId> = free.iter().copied().filter(|it| !outer.contains(it)).collect();
        others.sort_unstable();
        outer.extend(others);
        self.terms.forall(&outer, formula)
    }

    /// Returns what makes one of the parts of a property true for good: that a tuple is not in a relation, or another formula.
    fn never(&mut self, part: TermId) -> Option<TermId> {
        if self.is_fixed(part) {
            return None;
        }
        let Some((relation, args)) = self.premise(part) else {
            return if self.is_literal(part) { None } else { self.strengthened(part) };
        };
        let never = self.prevented(relation)?;
        let map = self.own(relation).into_iter().zip(args).collect();
        Some(self.terms.substitute(never, &map))
    }

    /// Returns the relation and the arguments of a negated atom of a relation of the state.
    fn premise(&self, literal: TermId) -> Option<(SymId, Vec<TermId>)> {
        let Node::Not(atom) = self.terms.node(literal) else { return None };
        let Node::App { sym, args, .. } = self.terms.node(atom) else { return None };
        let symbol = &self.system.sig.symbols[sym];
        let is_state = symbol.is_relation() && symbol.kind == SymbolKind::Mutable && symbol.is_declared();
        is_state.then(|| (sym, self.terms.args(args).to_vec()))
    }

    /// Returns formulas one of which may stand in the place of a part of a property: for the premise that a tuple is in a relation, what
    /// has to be so before. What comes first is first.
    fn sources(&mut self, part: TermId) -> Vec<TermId> {
        let mut found = vec![part];
        if !self.is_literal(part) {
            let premise = Reduce::new(self.terms, &|_| None).of(part, false);
            if self.terms.depth(premise) > MAX_DEPTH {
                return found;
            }
            let mut atoms = Vec::new();
            self.positive_atoms(premise, &mut atoms);
            for atom in atoms {
                let new = self.new_variables(atom, part);
                let atom = self.fresh(atom, &new);
                found.push(self.negated(atom));
            }
        }
        let mut at = 0;
        while at < found.len() && found.len() < MAX_SOURCES {
            if let Some((sym, args)) = self.premise(found[at]) {
                for atom in self.required(sym) {
                    let map = self.own(sym).into_iter().zip(args.iter().copied()).collect();
                    let atom = self.terms.substitute(atom, &map);
                    let new = self.new_variables(atom, found[at]);
                    let atom = self.fresh(atom, &new);
                    let negated = self.negated(atom);
                    let is_same = |&known: &TermId| match (self.premise(known), self.premise(negated)) {
                        (Some((a, _)), Some((b, _))) => a == b,
                        _ => false,
                    };
                    if !found.iter().any(is_same) {
                        found.push(negated);
                    }
                }
            }
            at += 1;
        }
        // What comes first says the most.
        found.reverse();
        found
    }

    /// Returns the variables that are free in a formula, and not in another one.
    fn new_variables(&self, formula: TermId, other: TermId) -> Vec<VarId> {
        let known = self.terms.free_vars(other);
        let free = self.terms.free_vars(formula);
        let mut new: Vec<VarId> = free.iter().copied().filter(|var| !known.contains(var)).collect();
        new.sort_unstable();
        new
    }

    /// Returns the tuples that have to be in relations before one comes into a relation, in all ways. Bound variables are free in them.
    fn required(&mut self, relation: SymId) -> Vec<TermId> {
        let Some(ways) = self.ways(relation, true, false) else { return Vec::new() };
        let own = self.own(relation);
        let tuple = self.tuple(relation, &own);
        let mut all: Option<Vec<TermId>> = None;
        for way in ways {
            let mut atoms = Vec::new();
            way.conjuncts.iter().for_each(|&it| self.positive_atoms(it, &mut atoms));
            atoms.retain(|&it| it != tuple && self.terms.free_vars(it).iter().any(|var| own.contains(var)));
            let is_in = |atoms: &[TermId], it: &TermId| atoms.contains(it);
            all = Some(match all {
                None => atoms,
                Some(known) => known.into_iter().filter(|it| is_in(&atoms, it)).collect(),
            });
        }
        all.unwrap_or_default()
    }

    /// Collects the atoms of the state that occur positively.
    fn positive_atoms(&self, formula: TermId, found: &mut Vec<TermId>) {
        match self.terms.node(formula) {
            Node::App { sym, .. } => {
                let symbol = &self.system.sig.symbols[sym];
                let is_state = symbol.is_relation() && symbol.kind == SymbolKind::Mutable;
                if is_state && symbol.is_declared() && !found.contains(&formula) {
                    found.push(formula);
                }
            }
            Node::And(_) | Node::Or(_) | Node::Forall(..) | Node::Exists(..) => {
                self.terms.children(formula).for_each(|child| self.positive_atoms(child, found));
            }
            _ => {}
        }
    }

    /// Returns that two values of one sort are in an order, one in the tuple and one in the other literals: nothing, or one literal.
    fn orders(&mut self, about: &[VarId], rest: &[TermId]) -> Vec<Option<TermId>> {
        let args: Vec<TermId> = about.iter().map(|&var| self.terms.var(var)).collect();
        let mut orders = vec![None];
        let others: Vec<TermId> = {
            let premises: Vec<Vec<TermId>> =
                rest.iter().filter_map(|&it| Some(self.premise(it)?.1)).collect();
            premises.concat()
        };
        let system = self.system;
        let relations: Vec<SymId> = system
            .sig
            .symbols
            .iter_enumerated()
            .filter(|(_, it)| it.is_relation() && it.kind == SymbolKind::Immutable && it.is_declared())
            .filter(|(_, it)| matches!(it.args[..], [a, b] if a == b))
            .map(|(sym, _)| sym)
            .collect();
        for relation in relations {
            let of = system.sig.symbols[relation].args[0];
            let is_of_sort = |reader: &Reader<'_>, term: TermId| {
                reader.terms.as_var(term).is_some_and(|var| reader.terms.var_info(var).sort == of)
            };
            for &own in &args {
                for &other in &others {
                    if own == other || !is_of_sort(self, own) || !is_of_sort(self, other) {
                        continue;
                    }
                    for pair in [[own, other], [other, own]] {
                        let atom = self.terms.app(&system.sig, relation, 0, &pair);
                        if !orders.contains(&Some(atom)) {
                            orders.push(Some(atom));
                        }
                    }
                }
            }
        }
        orders
    }

    /// Returns why a tuple cannot come into a relation any more, about the variables of the relation; `None` if there are several ways
    /// for it to come in, or nothing prevents it for good.
    fn prevented(&mut self, relation: SymId) -> Option<TermId> {
        let changes = self.changes(relation, true)?;
        let [change] = &changes[..] else { return None };
        let change = change.clone();
        let is_fixed: Vec<bool> = change.conjuncts.iter().map(|&it| self.is_fixed(it)).collect();
        for (&conjunct, _) in change.conjuncts.iter().zip(&is_fixed).filter(|(_, fixed)| !**fixed) {
            let opposite = Reduce::new(self.terms, &|_| None).of(conjunct, false);
            let Some(never) = self.strengthened(opposite) else { continue };
            let others = self.mentioned(&change.others, &[conjunct]);
            let mut parts = vec![never];
            for (&it, _) in change.conjuncts.iter().zip(&is_fixed).filter(|(_, fixed)| **fixed) {
                if self.is_literal(it) && !self.mentioned(&others, &[it]).is_empty() {
                    let it = self.negated(it);
                    parts.push(it);
                }
            }
            return Some(disjunction(self.terms, &parts)).map(|it| self.fresh(it, &others));
        }
        None
    }

    /// Replaces variables by new ones.
    fn fresh(&mut self, formula: TermId, vars: &[VarId]) -> TermId {
        let mut map = Map::default();
        for &var in vars {
            let info = self.terms.var_info(var).clone();
            let new = self.terms.new_var(info.name, info.sort);
            map.insert(var, self.terms.var(new));
        }
        self.terms.substitute(formula, &map)
    }

    /// Returns a formula in negation normal form with what has to be so in addition for it to stay true.
    fn strengthened(&mut self, formula: TermId) -> Option<TermId> {
        if self.terms.depth(formula) > MAX_DEPTH {
            return None;
        }
        match self.terms.node(formula) {
            Node::And(args) | Node::Or(args) => {
                let is_conjunction = matches!(self.terms.node(formula), Node::And(_));
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                let parts: Option<Vec<TermId>> = args.into_iter().map(|it| self.strengthened(it)).collect();
                let parts = parts?;
                Some(if is_conjunction {
                    conjunction(self.terms, &parts)
                } else {
                    disjunction(self.terms, &parts)
                })
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let is_universal = matches!(self.terms.node(formula), Node::Forall(..));
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                let body = self.strengthened(body)?;
                Some(if is_universal {
                    self.terms.forall(&vars, body)
                } else {
                    self.terms.exists(&vars, body)
                })
            }
            _ if self.is_fixed(formula) || self.is_firm(formula) => Some(formula),
            Node::Not(atom) => {
                let Node::App { sym, args, .. } = self.terms.node(atom) else { return None };
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                let exceptions = self.exceptions(sym, true)?;
                let map: Map<VarId, TermId> = self.own(sym).into_iter().zip(args).collect();
                let mut parts = vec![formula];
                for Exception { literals, .. } in exceptions {
                    let opposites = literals.into_iter().map(|it| {
                        let it = self.negated(it);
                        self.terms.substitute(it, &map)
                    });
                    let opposites: Vec<TermId> = opposites.collect();
                    let lasting =
                        opposites.iter().copied().find(|&it| !self.is_fixed(it) && self.is_firm(it));
                    let fixed = opposites.iter().copied().find(|&it| self.is_fixed(it));
                    parts.push(lasting.or(fixed)?);
                }
                Some(conjunction(self.terms, &parts))
            }
            _ => None,
        }
    }
}
