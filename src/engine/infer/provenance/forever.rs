//! Properties where something can happen no more: what was not decided in a round, and never will be.
//!
//! A property with two decisions is seldom inductive, as the second one may still come. It becomes so where one decision is
//! replaced by the reasons why it cannot come any more, the other one by what comes before it, and the rounds are in an order: where a value
//! is proposed in a round, no quorum can still decide another one in an earlier round.

use super::reduce::{Reduce, conjunction, disjunction, is_large};
use super::stable::Exception;
use super::{Change, Reader};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Node, SymId, SymbolKind, TermId, VarId};

/// Maximum number of atoms that stand in for one.
const MAX_SOURCES: usize = 6;
/// Maximum number of ways to replace the other premises, per premise that can become false for good.
const MAX_RESTS: usize = 36;
/// Maximum number of formulas.
const MAX_FORMULAS: usize = 100;
/// Maximum number of parts of a clause.
const MAX_PARTS: usize = 20;
/// Maximum number of reasons why a literal stays true.
const MAX_CHOICES: usize = 3;

impl Reader<'_> {
    /// Returns such formulas about properties that are clauses. All clauses, and all ways in which something can happen no more, have
    /// a share of them.
    pub(super) fn forever(&mut self, claims: &[TermId]) -> Vec<TermId> {
        let mut lists: Vec<Vec<TermId>> = Vec::new();
        for &claim in claims {
            let normal = Reduce::new(self.terms, &|_| None).of(claim, true);
            for part in self.terms.conjuncts(normal) {
                if lists.len() < MAX_FORMULAS {
                    lists.extend(self.forever_of(part));
                }
            }
        }
        let most = (1..=MAX_FORMULAS)
            .take_while(|&most| lists.iter().map(|it| it.len().min(most)).sum::<usize>() <= MAX_FORMULAS);
        let most = most.last().unwrap_or(1);
        lists.into_iter().flat_map(|it| it.into_iter().take(most)).take(MAX_FORMULAS).collect()
    }

    /// Returns such formulas about a clause, a list for each way in which something can happen no more.
    fn forever_of(&mut self, claim: TermId) -> Vec<Vec<TermId>> {
        let (vars, body): (Vec<VarId>, TermId) = match self.terms.node(claim) {
            Node::Forall(vars, body) => (self.terms.bound_vars(vars).collect(), body),
            _ => return Vec::new(),
        };
        let Node::Or(args) = self.terms.node(body) else { return Vec::new() };
        let parts: Vec<TermId> = self.terms.args(args).to_vec();
        if parts.len() > MAX_PARTS {
            return Vec::new();
        }
        let sources: Vec<Vec<TermId>> = parts.iter().map(|&part| self.sources(part)).collect();
        let mut lists = Vec::new();
        for (at, &part) in parts.iter().enumerate() {
            let nevers = self.nevers(part);
            if nevers.is_empty() {
                continue;
            }
            let mut rests: Vec<Vec<TermId>> = vec![Vec::new()];
            for (_, sources) in sources.iter().enumerate().filter(|(place, _)| *place != at) {
                if !self.spend(rests.len() * sources.len()) {
                    return lists;
                }
                let extended =
                    rests.iter().flat_map(|rest| sources.iter().map(move |&it| [&rest[..], &[it]].concat()));
                rests = extended.take(MAX_RESTS).collect();
            }
            for never in nevers {
                let (about, never) = self.opened(never);
                let others = self.with_orders(&about, &rests);
                let mut formulas = Vec::new();
                for others in others {
                    let parts = [others, vec![never]].concat();
                    if !self.spend_on(&parts) {
                        break;
                    }
                    let body = disjunction(self.terms, &parts);
                    formulas.push(self.closed(&vars, body));
                }
                lists.push(formulas);
            }
        }
        lists
    }

    /// Returns what a formula says of all values of its variables, and these variables, which are free in it.
    fn opened(&mut self, formula: TermId) -> (Vec<VarId>, TermId) {
        let body = match self.terms.node(formula) {
            Node::Forall(vars, body) => {
                let vars: Vec<VarId> = self.terms.bound_vars(vars).collect();
                self.fresh(body, &vars)
            }
            _ => formula,
        };
        let mut about = self.terms.free_vars(body).to_vec();
        about.sort_unstable();
        (about, body)
    }

    /// Returns other literals, each list of them with values in each order.
    fn with_orders(&mut self, about: &[VarId], rests: &[Vec<TermId>]) -> Vec<Vec<TermId>> {
        let mut others: Vec<Vec<TermId>> = Vec::new();
        for rest in rests {
            if others.len() >= MAX_FORMULAS || !self.spend_on(rest) {
                break;
            }
            for order in self.orders(about, rest) {
                others.push(rest.iter().copied().chain(order).collect());
            }
        }
        others.truncate(MAX_FORMULAS);
        others
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

    /// Returns what makes one of the parts of a property true for good, in several ways: that a tuple is not in a relation, or another
    /// formula.
    fn nevers(&mut self, part: TermId) -> Vec<TermId> {
        if self.is_fixed(part) {
            return Vec::new();
        }
        let Some((relation, args)) = self.premise(part) else {
            return if self.is_literal(part) { Vec::new() } else { self.strengthenings(part) };
        };
        let map = self.own(relation).into_iter().zip(args).collect();
        self.prevented(relation).into_iter().map(|never| self.terms.substitute(never, &map)).collect()
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
            if is_large(self.terms, premise) {
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
        if let Some(known) = self.required.get(&relation) {
            return known.clone();
        }
        let required = self.required_anew(relation);
        self.required.insert(relation, required.clone());
        required
    }

    fn required_anew(&mut self, relation: SymId) -> Vec<TermId> {
        let Some(ways) = self.ways(relation, true, false) else { return Vec::new() };
        let own = self.own(relation);
        let tuple = self.tuple(relation, &own);
        let mut all: Option<Vec<TermId>> = None;
        for way in ways {
            // Whoever is faulty may do so for no reason: others are meant.
            if way.conjuncts.iter().all(|&it| self.is_fixed(it)) {
                continue;
            }
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
            let is_strict = self.is_irreflexive(relation);
            let is_of_sort = |reader: &Reader<'_>, term: TermId| {
                reader.terms.as_var(term).is_some_and(|var| reader.terms.var_info(var).sort == of)
            };
            for &own in &args {
                for &other in &others {
                    if own == other || !is_of_sort(self, own) || !is_of_sort(self, other) {
                        continue;
                    }
                    for pair in [[own, other], [other, own]] {
                        let mut literal = self.terms.app(&system.sig, relation, 0, &pair);
                        if is_strict {
                            literal = self.terms.not(literal);
                        }
                        if orders.len() == MAX_FORMULAS {
                            return orders;
                        }
                        if !orders.contains(&Some(literal)) {
                            orders.push(Some(literal));
                        }
                    }
                }
            }
        }
        orders
    }

    /// Checks whether an axiom says that nothing is related to itself.
    fn is_irreflexive(&self, relation: SymId) -> bool {
        let says_so = |&formula: &TermId| {
            let body = match self.terms.node(formula) {
                Node::Forall(_, body) => body,
                _ => formula,
            };
            let Node::Not(atom) = self.terms.node(body) else { return false };
            let Node::App { sym, args, .. } = self.terms.node(atom) else { return false };
            sym == relation
                && matches!(self.terms.args(args), [a, b] if a == b && self.terms.as_var(*a).is_some())
        };
        let axioms = self.system.axioms.iter().flat_map(|axiom| self.terms.conjuncts(axiom.formula));
        axioms.into_iter().any(|it| says_so(&it))
    }

    /// Returns why a tuple cannot come into a relation any more, about the variables of the relation; nothing if there are several ways
    /// for it to come in, or nothing prevents it for good.
    fn prevented(&mut self, relation: SymId) -> Vec<TermId> {
        let Some(changes) = self.changes(relation, true) else { return Vec::new() };
        let [change] = &changes[..] else { return Vec::new() };
        let Change { conjuncts, others, .. } = change.clone();
        let (fixed, changing): (Vec<TermId>, Vec<TermId>) =
            conjuncts.into_iter().partition(|&it| self.is_fixed(it));
        let mut found = Vec::new();
        for conjunct in changing {
            let opposite = Reduce::new(self.terms, &|_| None).of(conjunct, false);
            for never in self.strengthenings(opposite) {
                // What the guard says about its other variables beside.
                let own = self.mentioned(&others, &[conjunct]);
                let mut parts = vec![never];
                for &it in &fixed {
                    if self.is_literal(it) && !self.mentioned(&own, &[it]).is_empty() {
                        parts.push(self.negated(it));
                    }
                }
                let never = disjunction(self.terms, &parts);
                let new = self.mentioned(&others, &[never]);
                found.push(self.fresh(never, &new));
            }
        }
        found
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

    /// Returns a formula in negation normal form with what has to be so in addition for it to stay true, in several ways.
    fn strengthenings(&mut self, formula: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        for choice in 0..MAX_CHOICES {
            match self.strengthened(formula, choice) {
                Some(it) if !found.contains(&it) => found.push(it),
                _ => break,
            }
        }
        found
    }

    /// Returns one of these. Of several reasons why a literal stays true, it has the one of this number, or the last one.
    fn strengthened(&mut self, formula: TermId, choice: usize) -> Option<TermId> {
        if is_large(self.terms, formula) || !self.spend_on(&[formula]) {
            return None;
        }
        match self.terms.node(formula) {
            Node::And(args) | Node::Or(args) => {
                let is_conjunction = matches!(self.terms.node(formula), Node::And(_));
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                let parts: Option<Vec<TermId>> =
                    args.into_iter().map(|it| self.strengthened(it, choice)).collect();
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
                let body = self.strengthened(body, choice)?;
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
                let mut open: Vec<Vec<TermId>> = Vec::new();
                for Exception { literals, .. } in exceptions {
                    if !self.spend_on(&literals) {
                        return None;
                    }
                    let opposites = literals.into_iter().map(|it| {
                        let it = self.negated(it);
                        self.terms.substitute(it, &map)
                    });
                    let opposites: Vec<TermId> = opposites.collect();
                    let (fixed, changing): (Vec<TermId>, Vec<TermId>) =
                        opposites.into_iter().partition(|&it| self.is_fixed(it));
                    let lasting: Vec<TermId> =
                        changing.iter().copied().filter(|&it| self.is_firm(it)).collect();
                    let reasons = if lasting.is_empty() { fixed } else { lasting };
                    match reasons.get(choice).or(reasons.last()) {
                        Some(&reason) => parts.push(reason),
                        None => open.push(changing),
                    }
                }
                // A reason may last since another one does: of nodes that are not faulty, what they have done.
                for reasons in open {
                    let lasting = |it: &&TermId| self.lasts(**it, &parts);
                    let reasons: Vec<TermId> = reasons.iter().filter(lasting).copied().collect();
                    parts.push(*reasons.get(choice).or(reasons.last())?);
                }
                Some(conjunction(self.terms, &parts))
            }
            _ => None,
        }
    }
}
