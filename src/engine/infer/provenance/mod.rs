//! Lemmas that transitions suggest: what was so when a tuple came into a relation.
//!
//! A tuple is in a relation since the initial state, or a transition has put it there, whose guard was true then. What of the guard
//! cannot become false again is still true: a node has decided a value only if a quorum has voted for it in some round. Such
//! formulas have witnesses and quantifiers as the guard has them, which a search by languages would come to late. (Provenance
//! invariants: Zhang et al., OSDI 2025.) Where such a formula would leave the decidable fragment, one that follows from it may not:
//! a learner has heard of a vote from each node of a quorum, so that each of these has voted, whoever has heard it.
//!
//! Nothing here is proved. What is read from formulas is a guess where it is unclear, and whoever uses the formulas has to
//! show that they hold initially and are preserved.

mod edges;
mod forever;
mod pool;
mod reduce;
mod stable;
#[cfg(test)]
mod tests;

pub(super) use self::edges::within_edges;
pub(super) use self::pool::claims;
pub(super) use self::reduce::normal_form;
use self::reduce::{Reduce, conjunction, disjunction, implications, is_large};
use self::stable::Exception;
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, SortId, SymId, SymbolKind, TermId, Terms, VarId};
use ramsey_core::system::System;
use ramsey_solver::formulas::variable_name;

/// Maximum tree size of a formula.
const MAX_SIZE: u32 = 300;
/// Maximum number of ways in which a tuple comes into a relation.
const MAX_CHANGES: usize = 6;
/// Maximum number of formulas.
const MAX_FORMULAS: usize = 100;
/// Maximum number of guesses.
const MAX_GUESSES: usize = 200;
/// Maximum number of work units: a fraction of the first turn of a method. What is not read by then is left out.
const MAX_WORK: u64 = 3_000_000;

/// A formula that transitions suggest, and weaker ones for where that does not serve, each with the formulas that it follows from.
pub(super) type Alternatives = Vec<Vec<TermId>>;

/// What transitions suggest. All formulas are closed and over step 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Suggested {
    /// Formulas that are likely to be inductive together.
    pub(super) formulas: Vec<Alternatives>,
    /// Bolder guesses, which a search proposes where they exclude a state.
    pub(super) guesses: Vec<TermId>,
    /// Work units that reading the transitions has taken.
    pub(super) work: u64,
}

/// Returns such formulas of a system with these properties, added to `terms`, which has the terms of the system.
pub(super) fn provenance(system: &System, claims: &[TermId], terms: &mut Terms) -> Suggested {
    let mut reader = Reader::new(system, terms);
    let (mut formulas, mut guesses) = (Vec::new(), Vec::new());
    let relations = system.sig.symbols.iter_enumerated();
    let relations =
        relations.filter(|(_, symbol)| symbol.is_relation() && symbol.kind == SymbolKind::Mutable);
    let relations: Vec<SymId> =
        relations.filter(|(_, symbol)| symbol.is_declared()).map(|(relation, _)| relation).collect();
    for &relation in &relations {
        for is_added in [true, false] {
            formulas.extend(reader.formulas(relation, is_added));
        }
    }
    formulas.truncate(MAX_FORMULAS);
    guesses.extend(reader.forever(claims));
    for &relation in &relations {
        for is_added in [true, false] {
            guesses.extend(reader.universal(relation, is_added));
        }
    }
    let work = MAX_WORK - reader.left;
    let mut known: Set<TermId> = Set::default();
    guesses.retain(|&it| terms.tree_size(it) <= MAX_SIZE && known.insert(it));
    guesses.truncate(MAX_GUESSES);
    Suggested { formulas, guesses, work }
}

/// One way in which a tuple comes into a relation, or leaves it.
#[derive(Clone, Debug)]
struct Change {
    /// What is so before, in negation normal form, about the variables of the relation and `others`.
    conjuncts: Vec<TermId>,
    others: Vec<VarId>,
    /// What the transition makes true besides.
    effects: Vec<Effect>,
}

/// That all tuples with a condition are in a relation after a transition.
#[derive(Clone, Debug)]
struct Effect {
    relation: SymId,
    vars: Vec<VarId>,
    condition: TermId,
}

/// How tuples come into relations and leave them.
struct Reader<'a> {
    system: &'a System,
    terms: &'a mut Terms,
    /// Per transition, its parameters and its normal form, of which the guard is in negation normal form.
    actions: Vec<(Vec<VarId>, Action)>,
    /// The conjuncts of the initial conditions, likewise, by the symbols that they mention.
    inits: Map<SymId, Vec<TermId>>,
    /// Work units that are left: about one per node of a formula that is looked at.
    left: u64,
    /// The variables of each relation, one per argument.
    variables: Map<SymId, Vec<VarId>>,
    /// Per relation, and whether that is about tuples that come in, what is true of all tuples that may do so; `None` if all may.
    changing: Map<(SymId, bool), Option<Vec<Exception>>>,
    /// Likewise, what is still true of all tuples that have done so; `None` if nothing is known of them.
    following: Map<(SymId, bool), Option<TermId>>,
    /// What the transition makes true that is read, where that counts.
    effects: Vec<Effect>,
    /// Tuples that are taken to stay in their relations while others are shown to do so.
    assumed: Vec<TermId>,
    /// By the number of a transition, what it makes true.
    added: Map<usize, Vec<Effect>>,
    /// By relation, what has to be so before a tuple comes into it.
    required: Map<SymId, Vec<TermId>>,
    /// What [`Reader::changes`] and [`Reader::initially`] have found.
    changes: Map<(SymId, bool), Option<Vec<Change>>>,
    initially: Map<(SymId, bool), Option<Option<Change>>>,
}

impl<'a> Reader<'a> {
    fn new(system: &'a System, terms: &'a mut Terms) -> Reader<'a> {
        let actions = system.transitions.iter().map(|transition| {
            let params: Vec<TermId> = transition.params.iter().map(|&param| terms.var(param)).collect();
            let mut action = Action::of_transition(system, terms.over_mut(&system.sig), transition, &params);
            action.guard.iter_mut().for_each(|it| *it = Reduce::new(terms, &|_| None).of(*it, true));
            (transition.params.clone(), action)
        });
        let actions = actions.collect();
        let normal: Vec<TermId> =
            system.inits.iter().map(|init| Reduce::new(terms, &|_| None).of(init.formula, true)).collect();
        let mut inits: Map<SymId, Vec<TermId>> = Map::default();
        for conjunct in normal.into_iter().flat_map(|init| terms.conjuncts(init)) {
            terms.symbols(conjunct).into_iter().for_each(|sym| inits.entry(sym).or_default().push(conjunct));
        }
        let (variables, changing, following) = (Map::default(), Map::default(), Map::default());
        let (changes, initially) = (Map::default(), Map::default());
        let (added, required) = (Map::default(), Map::default());
        Reader {
            system,
            terms,
            actions,
            inits,
            left: MAX_WORK,
            variables,
            changing,
            following,
            effects: Vec::new(),
            assumed: Vec::new(),
            added,
            required,
            changes,
            initially,
        }
    }

    /// Counts work. Returns `false` once there has been too much of it.
    fn spend(&mut self, units: usize) -> bool {
        self.left = self.left.saturating_sub(units as u64);
        self.left > 0
    }

    /// Counts the work of a look at formulas, likewise.
    fn spend_on(&mut self, formulas: &[TermId]) -> bool {
        let nodes: u64 = formulas.iter().map(|&it| 1 + u64::from(self.terms.tree_size(it))).sum();
        self.spend(1 + nodes as usize)
    }

    /// Returns formulas about all tuples in a relation, or about all that are not in it.
    fn formulas(&mut self, relation: SymId, is_added: bool) -> Vec<Alternatives> {
        let mut formulas = Vec::new();
        for ways in self.parts(relation, is_added, false) {
            let first = self.formula(relation, is_added, &ways);
            let mut alternatives = vec![vec![first]];
            for (weaker, reasons) in self.weaker(&ways) {
                let weaker = self.formula(relation, is_added, &weaker);
                alternatives.push([vec![weaker], reasons].concat());
            }
            alternatives.retain(|it| self.terms.tree_size(it[0]) <= MAX_SIZE && self.has_witness(it[0]));
            formulas.extend((!alternatives.is_empty()).then_some(alternatives));
        }
        formulas
    }

    /// Returns clauses about all tuples in a relation, or about all that are not in it, that hold if the transitions which add or
    /// remove them make true what keeps them true.
    fn universal(&mut self, relation: SymId, is_added: bool) -> Vec<TermId> {
        let parts = self.parts(relation, is_added, true);
        let formulas: Vec<TermId> = parts.iter().map(|ways| self.formula(relation, is_added, ways)).collect();
        formulas.into_iter().filter(|&it| !self.has_witness(it)).collect()
    }

    /// Returns the ways of [`Reader::ways`]; of a single one, the parts that have nothing to do with each other.
    fn parts(&mut self, relation: SymId, is_added: bool, has_effects: bool) -> Vec<Vec<Change>> {
        match self.ways(relation, is_added, has_effects).map(<[Change; 1]>::try_from) {
            None => Vec::new(),
            Some(Ok([only])) => self.components(only).into_iter().map(|part| vec![part]).collect(),
            Some(Err(ways)) => vec![ways],
        }
    }

    /// Returns the ways in which tuples come into a relation, or leave it, with what of them stays so, perhaps since the same
    /// transition makes something true; `None` if that is unclear, if there are none, or if nothing of one of them stays so.
    fn ways(&mut self, relation: SymId, is_added: bool, has_effects: bool) -> Option<Vec<Change>> {
        let changes = self.changes(relation, is_added)?;
        let initially = self.initially(relation, is_added)?;
        let mut ways: Vec<Change> = Vec::new();
        for change in initially.into_iter().chain(changes) {
            if !self.spend_on(&change.conjuncts) {
                return None;
            }
            self.effects = if has_effects { change.effects } else { Vec::new() };
            let stable = self.stable_parts(&change.conjuncts, &[]);
            self.effects.clear();
            let others = self.mentioned(&change.others, &stable);
            if stable.is_empty() {
                return None;
            }
            ways.push(Change { conjuncts: stable, others, effects: Vec::new() });
        }
        (!ways.is_empty()).then_some(ways)
    }

    /// Returns weaker ways: for each relation, with what follows in place of its literals, and the formulas that say that it follows.
    /// They speak of fewer variables of the tuple, as then witnesses depend on fewer sorts: others lose what is of use.
    fn weaker(&mut self, ways: &[Change]) -> Vec<(Vec<Change>, Vec<TermId>)> {
        let conjuncts = ways.iter().flat_map(|way| &way.conjuncts);
        let mut symbols: Vec<SymId> = conjuncts.flat_map(|&it| self.terms.symbols(it)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let free = |reader: &Reader<'_>, ways: &[Change]| -> Set<VarId> {
            let free = ways.iter().flat_map(|way| {
                let free = way.conjuncts.iter().flat_map(|&it| reader.terms.free_vars(it));
                free.filter(|var| !way.others.contains(var)).collect::<Vec<VarId>>()
            });
            free.collect()
        };
        let most = free(self, ways).len();
        let mut all = Vec::new();
        for relation in symbols {
            let mut replaced = Vec::new();
            for Change { conjuncts, others, .. } in ways {
                let weak: Vec<TermId> = conjuncts.iter().map(|&it| self.weakened(it, relation)).collect();
                let others = self.mentioned(others, &weak);
                replaced.push(Change { conjuncts: weak, others, effects: Vec::new() });
            }
            if free(self, &replaced).len() < most {
                let mut reasons = Vec::new();
                for is_in in [true, false] {
                    if let Some(following) = self.following(relation, is_in) {
                        let way =
                            Change { conjuncts: vec![following], others: Vec::new(), effects: Vec::new() };
                        reasons.push(self.formula(relation, is_in, &[way]));
                    }
                }
                all.push((replaced, reasons));
            }
        }
        all
    }

    /// Returns a formula in negation normal form with what follows in place of the literals of a relation.
    fn weakened(&mut self, formula: TermId, relation: SymId) -> TermId {
        let (atom, is_positive) = match self.terms.node(formula) {
            Node::Not(atom) => (atom, false),
            _ => (formula, true),
        };
        if !self.spend_on(&[formula]) {
            return formula;
        }
        match self.terms.node(atom) {
            Node::App { sym, args, .. } if sym == relation => {
                let args: Vec<TermId> = self.terms.args(args).to_vec();
                let Some(following) = self.following(relation, is_positive) else { return formula };
                let map = self.own(relation).into_iter().zip(args).collect();
                self.terms.substitute(following, &map)
            }
            Node::And(_) | Node::Or(_) | Node::Forall(..) | Node::Exists(..) if is_positive => {
                let children: Vec<TermId> = self.terms.children(formula).collect();
                let children: Vec<TermId> =
                    children.into_iter().map(|child| self.weakened(child, relation)).collect();
                self.terms.rebuild(formula, &children)
            }
            _ => formula,
        }
    }

    /// Returns the literals that are true of all tuples in a relation, or of all that are not in it, if there is one way for them to
    /// come in, or to leave.
    fn following(&mut self, relation: SymId, is_added: bool) -> Option<TermId> {
        let key = (relation, is_added);
        if let Some(known) = self.following.get(&key) {
            return *known;
        }
        let symbol = &self.system.sig.symbols[relation];
        let is_state = symbol.is_relation() && symbol.kind == SymbolKind::Mutable && symbol.is_declared();
        let ways = if is_state { self.ways(relation, is_added, false) } else { None };
        let following = ways.and_then(|ways| <[Change; 1]>::try_from(ways).ok()).and_then(|[way]| {
            let is_literal = |&it: &TermId| {
                let atom = if let Node::Not(atom) = self.terms.node(it) { atom } else { it };
                matches!(self.terms.node(atom), Node::App { .. })
                    && !self.is_fixed(it)
                    && self.mentioned(&way.others, &[it]).is_empty()
            };
            let literals: Vec<TermId> = way.conjuncts.iter().copied().filter(is_literal).collect();
            (!literals.is_empty()).then(|| conjunction(self.terms, &literals))
        });
        self.following.insert(key, following);
        following
    }

    /// Returns that each tuple has come in, or has left, in one of these ways.
    fn formula(&mut self, relation: SymId, is_added: bool, ways: &[Change]) -> TermId {
        let system = self.system;
        let own = self.own(relation);
        let mut sorts: Vec<SortId> = system.sig.symbols[relation].args.clone();
        let others = ways.iter().flat_map(|way| &way.others);
        sorts.extend(others.map(|&var| self.terms.var_info(var).sort));
        let mut parts = Vec::new();
        let mut place = own.len();
        for way in ways {
            let mut map = Map::default();
            let mut witnesses = Vec::new();
            for &other in &way.others {
                let witness = self.terms.new_var(variable_name(&system.sig, &sorts, place), sorts[place]);
                place += 1;
                map.insert(other, self.terms.var(witness));
                witnesses.push(witness);
            }
            let body = conjunction(self.terms, &way.conjuncts);
            let body = self.terms.substitute(body, &map);
            parts.push(self.terms.exists(&witnesses, body));
        }
        let conclusion = disjunction(self.terms, &parts);
        let tuple = self.tuple(relation, &own);
        let premise = if is_added { tuple } else { self.terms.not(tuple) };
        let body = self.terms.implies(premise, conclusion);
        // Its variables are called as those of other lemmas.
        let mut map = Map::default();
        let mut outer = Vec::new();
        for (at, &var) in own.iter().enumerate() {
            let named = self.terms.new_var(variable_name(&system.sig, &sorts, at), sorts[at]);
            map.insert(var, self.terms.var(named));
            outer.push(named);
        }
        let body = self.terms.substitute(body, &map);
        let body = implications(self.terms, body);
        self.terms.forall(&outer, body)
    }

    /// Checks whether a formula says that something exists. A search has universal clauses soon enough by itself, and in a form that
    /// it evaluates faster.
    fn has_witness(&self, formula: TermId) -> bool {
        matches!(self.terms.node(formula), Node::Exists(..))
            || self.terms.children(formula).any(|child| self.has_witness(child))
    }

    /// Splits a way into parts that have no variables but those of the relation in common.
    fn components(&self, change: Change) -> Vec<Change> {
        let mut parts: Vec<Change> = Vec::new();
        for conjunct in change.conjuncts {
            let others = self.mentioned(&change.others, &[conjunct]);
            let mut joined = Change { conjuncts: vec![conjunct], others, effects: Vec::new() };
            let (met, rest): (Vec<Change>, Vec<Change>) =
                parts.into_iter().partition(|part| part.others.iter().any(|var| joined.others.contains(var)));
            for part in met {
                joined.conjuncts.splice(0..0, part.conjuncts);
                let new = part.others.into_iter().filter(|var| !joined.others.contains(var));
                joined.others = new.chain(joined.others.iter().copied()).collect();
            }
            parts = rest;
            parts.push(joined);
        }
        parts
    }

    /// Returns those of some variables that are free in a formula.
    fn mentioned(&self, vars: &[VarId], formulas: &[TermId]) -> Vec<VarId> {
        let free: Set<VarId> = formulas.iter().flat_map(|&it| self.terms.free_vars(it)).collect();
        vars.iter().copied().filter(|var| free.contains(var)).collect()
    }

    /// Returns the variables that stand for the arguments of a relation.
    fn own(&mut self, relation: SymId) -> Vec<VarId> {
        let Reader { system, terms, variables, .. } = self;
        let sorts = &system.sig.symbols[relation].args;
        let new = || sorts.iter().map(|&sort| terms.new_var("X", sort)).collect();
        variables.entry(relation).or_insert_with(new).clone()
    }

    fn tuple(&mut self, relation: SymId, vars: &[VarId]) -> TermId {
        let args: Vec<TermId> = vars.iter().map(|&var| self.terms.var(var)).collect();
        self.terms.app(&self.system.sig, relation, 0, &args)
    }

    /// Returns the ways in which a tuple comes into a relation, or leaves it; `None` if they are too many.
    fn changes(&mut self, relation: SymId, is_added: bool) -> Option<Vec<Change>> {
        if let Some(known) = self.changes.get(&(relation, is_added)) {
            return known.clone();
        }
        let changes = self.changes_anew(relation, is_added);
        self.changes.insert((relation, is_added), changes.clone());
        changes
    }

    fn changes_anew(&mut self, relation: SymId, is_added: bool) -> Option<Vec<Change>> {
        let own = self.own(relation);
        let tuple = self.tuple(relation, &own);
        let mut changes = Vec::new();
        for at in 0..self.actions.len() {
            let action = &self.actions[at].1;
            let mut conjuncts = match action.update(relation).clone() {
                Update::Unchanged => continue,
                Update::Definition { vars, value } => {
                    let renamed = vars.iter().zip(&own).map(|(&var, &own)| (var, self.terms.var(own)));
                    let renamed = renamed.collect();
                    let value = self.terms.substitute(value, &renamed);
                    let known = |atom| (atom == tuple).then_some(!is_added);
                    vec![Reduce::new(self.terms, &known).of(value, is_added)]
                }
                Update::Free => {
                    let residual = action.residual.clone();
                    residual.into_iter().filter_map(|it| self.read(it, relation, 1, is_added)).collect()
                }
            };
            let (params, action) = &self.actions[at];
            conjuncts.extend(&action.guard);
            let others = params.clone();
            let effects = self.added(at, relation);
            if !self.spend(effects.len()) {
                return None;
            }
            self.solve(Change { conjuncts, others, effects }, &mut changes);
            if changes.len() > MAX_CHANGES || self.left == 0 {
                return None;
            }
        }
        Some(changes)
    }

    /// Returns in which way a tuple is in a relation initially, if it may be; the outer option is `None` if all may.
    fn initially(&mut self, relation: SymId, is_added: bool) -> Option<Option<Change>> {
        if let Some(known) = self.initially.get(&(relation, is_added)) {
            return known.clone();
        }
        let initially = self.initially_anew(relation, is_added);
        self.initially.insert((relation, is_added), initially.clone());
        initially
    }

    fn initially_anew(&mut self, relation: SymId, is_added: bool) -> Option<Option<Change>> {
        let inits = self.inits.get(&relation).cloned().unwrap_or_default();
        let conjuncts = inits.into_iter().filter_map(|it| self.read(it, relation, 0, is_added));
        let conjuncts: Vec<TermId> = conjuncts.collect();
        let mut solved = Vec::new();
        let is_known = !conjuncts.is_empty();
        self.solve(Change { conjuncts, others: Vec::new(), effects: Vec::new() }, &mut solved);
        is_known.then(|| solved.pop())
    }

    /// Returns what a formula says about a tuple that is in a relation at a step, or that is not, and has not been so at an earlier
    /// one; `None` if that is not clear.
    fn read(&mut self, formula: TermId, relation: SymId, step: u16, is_in: bool) -> Option<TermId> {
        if is_large(self.terms, formula) || !self.spend_on(&[formula]) {
            return None;
        }
        let own = self.own(relation);
        let (vars, body) = match self.terms.node(formula) {
            Node::Forall(vars, body) => (self.terms.bound_vars(vars).collect(), body),
            _ => (Vec::new(), formula),
        };
        let mut tuples = Vec::new();
        self.collect(body, (relation, step), &mut tuples);
        let [tuple] = tuples[..] else { return None };
        let Node::App { args, .. } = self.terms.node(tuple) else { return None };
        let args: Vec<TermId> = self.terms.args(args).to_vec();
        let args: Option<Vec<VarId>> = args.iter().map(|&arg| self.terms.as_var(arg)).collect();
        let args = args.filter(|args| args.iter().all(|arg| vars.contains(arg)))?;
        if (1..args.len()).any(|at| args[..at].contains(&args[at])) {
            return None;
        }
        let before = self.tuple(relation, &args);
        let known = |atom| match () {
            () if atom == tuple => Some(is_in),
            () if atom == before => Some(!is_in),
            () => None,
        };
        let body = Reduce::new(self.terms, &known).of(body, true);
        if self.terms.max_step(body) > 0 {
            return None;
        }
        let map = args.iter().zip(&own).map(|(&arg, &own)| (arg, self.terms.var(own))).collect();
        let body = self.terms.substitute(body, &map);
        let rest: Vec<VarId> = vars.into_iter().filter(|var| !args.contains(var)).collect();
        let rest = self.mentioned(&rest, &[body]);
        Some(self.terms.forall(&rest, body))
    }

    /// Finds the different tuples of a relation at a step.
    fn collect(&self, term: TermId, wanted: (SymId, u16), found: &mut Vec<TermId>) {
        if matches!(self.terms.node(term), Node::App { sym, step, .. } if (sym, step) == wanted) {
            if !found.contains(&term) {
                found.push(term);
            }
            return;
        }
        self.terms.children(term).for_each(|child| self.collect(child, wanted, found));
    }

    /// Replaces variables that equations give values, and adds the ways that are left: none if the conjuncts contradict each other.
    fn solve(&mut self, change: Change, solved: &mut Vec<Change>) {
        if !self.spend_on(&change.conjuncts) {
            return;
        }
        let Change { conjuncts, mut others, mut effects } = change;
        let mut whole = conjunction(self.terms, &conjuncts);
        while let Some((var, value)) = self.equation(whole, &others) {
            others.retain(|&other| other != var);
            let map = Map::from_iter([(var, value)]);
            whole = self.terms.substitute(whole, &map);
            for effect in &mut effects {
                effect.condition = self.terms.substitute(effect.condition, &map);
            }
            whole = Reduce::new(self.terms, &|_| None).of(whole, true);
        }
        if matches!(self.terms.node(whole), Node::False) || solved.len() > MAX_CHANGES {
            return;
        }
        let conjuncts = self.terms.conjuncts(whole);
        // One of several tuples, each of which a transition names.
        let is_choice = |&it: &TermId| match self.terms.node(it) {
            Node::Or(args) => {
                self.terms.args(args).iter().all(|&branch| self.equation(branch, &others).is_some())
            }
            _ => false,
        };
        let Some(at) = conjuncts.iter().position(is_choice) else {
            solved.push(Change { conjuncts, others, effects });
            return;
        };
        let Node::Or(branches) = self.terms.node(conjuncts[at]) else { return };
        for branch in self.terms.args(branches).to_vec() {
            let mut conjuncts = conjuncts.clone();
            conjuncts[at] = branch;
            self.solve(Change { conjuncts, others: others.clone(), effects: effects.clone() }, solved);
        }
    }

    /// Returns one of some variables with its value, where a conjunct is such an equation.
    fn equation(&self, formula: TermId, vars: &[VarId]) -> Option<(VarId, TermId)> {
        self.terms.conjuncts(formula).into_iter().find_map(|conjunct| {
            let Node::Eq(a, b) = self.terms.node(conjunct) else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(var, value)| {
                let var = self.terms.as_var(var).filter(|var| vars.contains(var))?;
                (!self.terms.free_vars(value).contains(&var)).then_some((var, value))
            })
        })
    }
}
