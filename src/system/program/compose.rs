//! The meaning of a loop-free command: what it assumes, what it asserts, what becomes of each symbol.
//!
//! A command is executed on symbolic states, which give each symbol that has changed by a formula or term
//! over the state before the command (Ivy, PLDI 2016, Figure 13, read forwards). Both sides of a branch begin
//! with the same state, and afterwards their states are merged symbol by symbol, so that a long command with
//! many branches has a small meaning, as a graph. Commands read no derived symbols: front ends expand
//! definitions.

use crate::base::hash::{Map, Set};
use crate::base::span::Span;
use crate::logic::{Node, Signature, SortId, SymId, Symbol, SymbolKind, TermId, Terms, VarId};
use crate::system::command::{Assignment, Command, CommandKind};

/// How deep a formula may become, so that code behind this may recurse over it.
const MAX_DEPTH: usize = 1_000;

/// Nodes of a condition, as a tree, above which a symbol stands for it.
const SMALL: u32 = 20;

/// Conjuncts that many assertions may have in common, before they are put together.
const MANY: usize = 64;

/// How large a formula or term may become, written as a tree: evaluation, which shares nothing, has to go
/// through it.
const MAX_SIZE: u32 = 2_000_000;

/// How many terms the meaning of a command may have.
const MAX_TERMS: usize = 500_000;

/// The meaning of a command. Formulas and terms are over step 0, the state before; free in them are
/// parameters, locals and values of `havoc`; the choices made are the symbols of kind
/// [`crate::logic::SymbolKind::Choice`].
#[derive(Clone, Debug)]
pub struct Composition {
    /// What an execution that comes through has assumed, in order. What was asserted counts as assumed.
    pub assumptions: Vec<TermId>,
    /// The values of the symbols that change, sorted by symbol.
    pub updates: Vec<Assignment>,
    /// Per assertion, in order: it holds if it is reached. The place is that of the assertion.
    pub assertions: Vec<(TermId, Span)>,
}

/// The meaning of a command has too many terms, or they are nested too deep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The statement at which the limit was reached.
    pub span: Span,
}

impl Composition {
    /// The weakest precondition of `post` (Figure 13): all executions from a state with it assert nothing
    /// false and end in states with `post`, if they end. The choices are free symbols here where the figure
    /// has a conjunction over them, and states are understood to satisfy the axioms. `None` where it grows
    /// too large.
    pub fn wp(&self, sig: &Signature, terms: &mut Terms, params: &[VarId], post: TermId) -> Option<TermId> {
        let post = substitute(sig, terms, &self.updates, post)?;
        let assumed = terms.and(&self.assumptions);
        let mut parts: Vec<TermId> = self.assertions.iter().map(|&(formula, _)| formula).collect();
        parts.push(terms.implies(assumed, post));
        let all = terms.and(&parts);
        Some(terms.forall(params, all))
    }

    /// The relation between the states before and after, without frame conditions: what is assumed, and for
    /// each symbol that changes its definition in the state of step 1.
    pub fn body(&self, sig: &Signature, terms: &mut Terms) -> TermId {
        let mut parts = self.assumptions.clone();
        parts.extend(self.updates.iter().map(|update| definition(sig, terms, update, 1)));
        terms.and(&parts)
    }

    /// The symbols that change.
    pub fn modifies(&self) -> Vec<SymId> {
        self.updates.iter().map(|update| update.sym).collect()
    }
}

/// `forall vars. symbol(vars) = value`, the symbol read at `step`.
pub fn definition(sig: &Signature, terms: &mut Terms, update: &Assignment, step: u16) -> TermId {
    let args: Vec<TermId> = update.vars.iter().map(|&var| terms.var(var)).collect();
    let head = terms.app(sig, update.sym, step, &args);
    let equal = terms.eq(head, update.value);
    terms.forall(&update.vars, equal)
}

/// `term` with the symbols that `updates` (sorted by symbol) lists read as their values. `None` where it
/// grows too large.
pub fn substitute(
    sig: &Signature,
    terms: &mut Terms,
    updates: &[Assignment],
    term: TermId,
) -> Option<TermId> {
    let limit = terms.len().saturating_add(MAX_TERMS);
    let mut reader = Reader { terms, names: &mut Names::default(), state: updates.to_vec(), limit };
    reader.read(sig, term, &Map::default())
}

/// A new symbol for a choice between two branches.
pub fn choice_bit(sig: &mut Signature) -> SymId {
    sig.symbols.push(Symbol {
        name: format!("choice@{}", sig.symbols.len()),
        args: Vec::new(),
        result: SortId::BOOL,
        kind: SymbolKind::Choice,
        annotations: Vec::new(),
        span: None,
    })
}

/// Variables and symbols that compositions make. Commands that share them have one meaning where they agree;
/// they may, unless both are executed in one step.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Of updates, by sort and position of the argument.
    heads: Map<(SortId, usize), VarId>,
    /// Copies of bound variables.
    copies: Map<VarId, Vec<VarId>>,
    /// How many copies the composition at hand has used.
    used: Map<VarId, usize>,
    /// Symbols that stand for large conditions.
    conditions: Map<TermId, SymId>,
}

impl Names {
    /// The variables over which the values of `sym` are written.
    fn heads(&mut self, sig: &Signature, terms: &mut Terms, sym: SymId) -> Vec<VarId> {
        let args = sig.symbols[sym].args.iter().enumerate();
        args.map(|(at, &sort)| {
            *self.heads.entry((sort, at)).or_insert_with(|| terms.new_var(format!("X{at}"), sort))
        })
        .collect()
    }

    /// A copy of a bound variable that this composition has not used.
    fn copy(&mut self, terms: &mut Terms, var: VarId) -> VarId {
        let used = self.used.entry(var).or_insert(0);
        let copies = self.copies.entry(var).or_default();
        if *used == copies.len() {
            copies.push(terms.copy_var(var));
        }
        *used += 1;
        copies[*used - 1]
    }
}

/// The meaning of `command`. `axioms` (closed, over step 0) are those that speak of mutable symbols: they
/// hold in the state before, and after each change of one of their symbols the execution goes on only where
/// they hold again. Recursion is as deep as commands are nested, which front ends limit.
///
/// # Errors
/// The meaning is too large.
pub fn compose(
    sig: &mut Signature,
    terms: &mut Terms,
    names: &mut Names,
    axioms: &[TermId],
    command: &Command,
) -> Result<Composition, TooLarge> {
    let axioms = axioms.iter().map(|&axiom| (axiom, terms.symbols(axiom))).collect();
    let limit = terms.len().saturating_add(MAX_TERMS);
    names.used.clear();
    let reader = Reader { terms, names, state: Vec::new(), limit };
    let mut executor = Executor { sig, reader, axioms, path: vec![Vec::new()], assertions: Vec::new() };
    executor.command(command)?;
    let Executor { sig, reader, path, assertions, .. } = executor;
    let assumptions = path.into_iter().flatten().collect();
    let Reader { terms, state, .. } = reader;
    let is_change = |update: &Assignment| {
        let args: Vec<TermId> = update.vars.iter().map(|&var| terms.var(var)).collect();
        update.value != terms.app(sig, update.sym, 0, &args)
    };
    let updates = state.into_iter().filter(is_change).collect();
    Ok(Composition { assumptions, updates, assertions })
}

fn fits(terms: &Terms, term: TermId) -> bool {
    terms.depth(term) <= MAX_DEPTH && terms.tree_size(term) <= MAX_SIZE
}

/// A symbolic state, in which terms are read.
struct Reader<'a> {
    terms: &'a mut Terms,
    names: &'a mut Names,
    /// What has changed, sorted by symbol.
    state: Vec<Assignment>,
    /// How many terms there may be.
    limit: usize,
}

impl Reader<'_> {
    /// `term` over the state before, variables replaced by `map`. `None` where it grows too large.
    fn read(&mut self, sig: &Signature, term: TermId, map: &Map<VarId, TermId>) -> Option<TermId> {
        self.read_in(sig, term, map, &mut Map::default())
    }

    fn read_in(
        &mut self,
        sig: &Signature,
        term: TermId,
        map: &Map<VarId, TermId>,
        memo: &mut Map<TermId, TermId>,
    ) -> Option<TermId> {
        if let Some(&done) = memo.get(&term) {
            return Some(done);
        }
        let result = match self.terms.node(term) {
            Node::Var(var) => map.get(&var).copied().unwrap_or(term),
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let symbols = self.terms.symbols(body);
                if !self.state.iter().any(|update| symbols.contains(&update.sym)) {
                    return Some(self.terms.substitute(term, map));
                }
                // Values may have quantifiers of their own: with a variable of its own for each, none hides
                // another.
                let mut inner = map.clone();
                let mut copies = Vec::new();
                for var in self.terms.bound_vars(vars).collect::<Vec<_>>() {
                    let copy = self.names.copy(self.terms, var);
                    inner.insert(var, self.terms.var(copy));
                    copies.push(copy);
                }
                let body = self.read(sig, body, &inner)?;
                match self.terms.node(term) {
                    Node::Forall(..) => self.terms.forall(&copies, body),
                    _ => self.terms.exists(&copies, body),
                }
            }
            node => {
                let children: Vec<TermId> = self.terms.children(term).collect();
                let children: Vec<TermId> = children
                    .into_iter()
                    .map(|child| self.read_in(sig, child, map, memo))
                    .collect::<Option<_>>()?;
                match node {
                    Node::App { sym, .. } => self.value(sig, sym, &children)?,
                    _ => self.terms.rebuild(term, &children),
                }
            }
        };
        memo.insert(term, result);
        (fits(self.terms, result) && self.terms.len() <= self.limit).then_some(result)
    }

    /// The value of a symbol at arguments that have been read.
    fn value(&mut self, sig: &Signature, sym: SymId, args: &[TermId]) -> Option<TermId> {
        let Ok(at) = self.state.binary_search_by_key(&sym, |update| update.sym) else {
            return Some(self.terms.app(sig, sym, 0, args));
        };
        let Assignment { vars, value, .. } = &self.state[at];
        // Refused before the substitution, which would descend that deep.
        let below = args.iter().map(|&arg| self.terms.depth(arg)).max().unwrap_or(0);
        if self.terms.depth(*value) + below > MAX_DEPTH + 1 {
            return None;
        }
        let map: Map<VarId, TermId> = vars.iter().copied().zip(args.iter().copied()).collect();
        Some(self.terms.substitute(*value, &map))
    }
}

struct Executor<'a> {
    sig: &'a mut Signature,
    reader: Reader<'a>,
    axioms: Vec<(TermId, Set<SymId>)>,
    /// What has been assumed: outside of all branches, then in each branch that is open, its condition first.
    path: Vec<Vec<TermId>>,
    assertions: Vec<(TermId, Span)>,
}

impl Executor<'_> {
    fn command(&mut self, command: &Command) -> Result<(), TooLarge> {
        let done = match &command.kind {
            CommandKind::Skip => Some(()),
            CommandKind::Assume(formula) => self.assume(*formula).map(|_| ()),
            CommandKind::Assert(formula) => self.assert(*formula, command.span),
            CommandKind::Assign(assignment) => self.assign(assignment),
            CommandKind::Havoc(havoc) => {
                let value = self.reader.terms.var(havoc.value);
                self.set(Assignment { sym: havoc.sym, vars: Vec::new(), value })
            }
            CommandKind::Seq(commands) => {
                return commands.iter().try_for_each(|command| self.command(command));
            }
            CommandKind::If(condition, a, b) => {
                let condition = self.condition(*condition).ok_or(TooLarge { span: command.span })?;
                return self.branches(&[condition], &[a, b], command.span);
            }
            CommandKind::Choice(choice) => {
                let bit = |&bit| self.reader.terms.app(self.sig, bit, 0, &[]);
                let bits: Vec<TermId> = choice.bits.iter().map(bit).collect();
                let sides: Vec<&Command> = choice.branches.iter().map(|branch| &branch.command).collect();
                return self.branches(&bits, &sides, command.span);
            }
        };
        done.ok_or(TooLarge { span: command.span })
    }

    /// Reads a condition here. It may occur in many places, so a symbol stands for it where it is large.
    fn condition(&mut self, formula: TermId) -> Option<TermId> {
        let formula = self.reader.read(self.sig, formula, &Map::default())?;
        if self.reader.terms.tree_size(formula) <= SMALL {
            return Some(formula);
        }
        let Executor { sig, reader: Reader { terms, names, .. }, .. } = self;
        let symbol = *names.conditions.entry(formula).or_insert_with(|| choice_bit(sig));
        let bit = terms.app(sig, symbol, 0, &[]);
        let definition = terms.iff(bit, formula);
        self.path.last_mut()?.push(definition);
        Some(bit)
    }

    /// Reads a formula here and goes on only where it holds.
    fn assume(&mut self, formula: TermId) -> Option<TermId> {
        let formula = self.reader.read(self.sig, formula, &Map::default())?;
        self.path.last_mut()?.push(formula);
        Some(formula)
    }

    fn assert(&mut self, formula: TermId, span: Span) -> Option<()> {
        let terms = &mut self.reader.terms;
        for assumed in &mut self.path {
            // The first one of a branch is its condition.
            if assumed.len() > MANY {
                let rest = terms.and(&assumed[1..]);
                assumed.truncate(1);
                assumed.push(rest);
            }
        }
        let reached: Vec<TermId> = self.path.iter().flatten().copied().collect();
        let formula = self.assume(formula)?;
        let terms = &mut self.reader.terms;
        let claim = if reached.is_empty() {
            formula
        } else {
            let reached = terms.and(&reached);
            terms.implies(reached, formula)
        };
        self.assertions.push((claim, span));
        fits(terms, claim).then_some(())
    }

    fn assign(&mut self, Assignment { sym, vars, value }: &Assignment) -> Option<()> {
        let (sig, Reader { terms, names, .. }) = (&*self.sig, &mut self.reader);
        let heads = names.heads(sig, terms, *sym);
        let map = vars.iter().copied().zip(heads.iter().map(|&head| terms.var(head))).collect();
        let value = self.reader.read(self.sig, *value, &map)?;
        self.set(Assignment { sym: *sym, vars: heads, value })
    }

    /// Changes the state, after which the axioms hold again.
    fn set(&mut self, update: Assignment) -> Option<()> {
        let sym = update.sym;
        let state = &mut self.reader.state;
        match state.binary_search_by_key(&sym, |update| update.sym) {
            Ok(at) => state[at] = update,
            Err(at) => state.insert(at, update),
        }
        for index in 0..self.axioms.len() {
            let (axiom, symbols) = &self.axioms[index];
            if symbols.contains(&sym) {
                self.assume(*axiom)?;
            }
        }
        Some(())
    }

    /// Executes side `i` where condition `i` is the first that holds, the last side where none does.
    fn branches(&mut self, conditions: &[TermId], sides: &[&Command], span: Span) -> Result<(), TooLarge> {
        if let [only] = sides {
            return self.command(only);
        }
        let before = self.reader.state.clone();
        let mut ends = Vec::new();
        let mut guard = Vec::new();
        for (index, side) in sides.iter().enumerate() {
            let mut taken = guard.clone();
            taken.extend(conditions.get(index));
            let taken = self.reader.terms.and(&taken);
            if !fits(self.reader.terms, taken) {
                return Err(TooLarge { span });
            }
            self.path.push(vec![taken]);
            self.command(side)?;
            let assumed = self.path.pop().unwrap_or_default();
            ends.push((taken, assumed, std::mem::replace(&mut self.reader.state, before.clone())));
            guard.extend(conditions.get(index).map(|&condition| self.reader.terms.not(condition)));
            if guard.len() > MANY {
                guard = vec![self.reader.terms.and(&guard)];
            }
        }
        let mut merged: Option<Vec<Assignment>> = None;
        for (index, (taken, assumed, state)) in ends.into_iter().enumerate().rev() {
            if let [_, assumed @ ..] = assumed.as_slice()
                && !assumed.is_empty()
            {
                let assumed = self.reader.terms.and(assumed);
                let assumed = self.reader.terms.implies(taken, assumed);
                self.path.last_mut().into_iter().for_each(|path| path.push(assumed));
            }
            merged = Some(match (conditions.get(index), merged) {
                (Some(&condition), Some(other)) => {
                    self.merge(condition, &state, &other).ok_or(TooLarge { span })?
                }
                _ => state,
            });
        }
        self.reader.state = merged.unwrap_or(before);
        Ok(())
    }

    /// The state that is `a` where `condition` holds and `b` where it does not.
    fn merge(&mut self, condition: TermId, a: &[Assignment], b: &[Assignment]) -> Option<Vec<Assignment>> {
        let (sig, Reader { terms, names, .. }) = (&*self.sig, &mut self.reader);
        let mut changed: Vec<SymId> = a.iter().chain(b).map(|update| update.sym).collect();
        changed.sort_unstable();
        changed.dedup();
        let mut merged = Vec::new();
        for sym in changed {
            let vars = names.heads(sig, terms, sym);
            let [a, b] = [a, b].map(|state| match state.binary_search_by_key(&sym, |update| update.sym) {
                Ok(at) => state[at].value,
                Err(_) => {
                    let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
                    terms.app(sig, sym, 0, &args)
                }
            });
            let value = choose(terms, condition, a, b);
            if !fits(terms, value) {
                return None;
            }
            merged.push(Assignment { sym, vars, value });
        }
        Some(merged)
    }
}

/// A value that is `a` where `condition` holds and `b` where it does not.
///
/// Sides are often of the form `old | ..`, `old & ..` or `if .. then .. else old` with a common `old`: then
/// it is written once, so that a series of updates stays small as a tree too.
fn choose(terms: &mut Terms, condition: TermId, a: TermId, b: TermId) -> TermId {
    let (spine_a, spine_b) = (spine(terms, a), spine(terms, b));
    let in_b: Map<TermId, usize> = spine_b.iter().enumerate().map(|(at, &value)| (value, at)).collect();
    let negated = terms.not(condition);
    let Some((at, old)) = spine_a.iter().enumerate().find(|(_, value)| in_b.contains_key(value)) else {
        if terms.sort(a) != SortId::BOOL {
            return terms.ite(condition, a, b);
        }
        let sides = [terms.and(&[condition, a]), terms.and(&[negated, b])];
        return terms.or(&sides);
    };
    let mut value = *old;
    for (condition, layers) in [(negated, &spine_b[..in_b[old]]), (condition, &spine_a[..at])] {
        for &layer in layers.iter().rev() {
            value = restrict(terms, condition, layer, value);
        }
    }
    value
}

/// A value, what it is built on, what that is built on, and so on.
fn spine(terms: &Terms, value: TermId) -> Vec<TermId> {
    let mut spine = vec![value];
    loop {
        let next = match spine.last().map(|&last| terms.node(last)) {
            Some(Node::Or(items) | Node::And(items)) => terms.args(items).first().copied(),
            Some(Node::Ite(_, _, old)) => Some(old),
            _ => None,
        };
        match next {
            Some(next) => spine.push(next),
            None => return spine,
        }
    }
}

/// What `layer` makes of `old` in place of what it is built on, where `condition` holds; `old` elsewhere.
fn restrict(terms: &mut Terms, condition: TermId, layer: TermId, old: TermId) -> TermId {
    match terms.node(layer) {
        Node::Or(items) => {
            let mut rest = vec![condition];
            let more = terms.args(items)[1..].to_vec();
            rest.push(terms.or(&more));
            let rest = terms.and(&rest);
            terms.or(&[old, rest])
        }
        Node::And(items) => {
            let more = terms.args(items)[1..].to_vec();
            let rest = terms.and(&more);
            let rest = terms.implies(condition, rest);
            terms.and(&[old, rest])
        }
        Node::Ite(inner, then, _) => {
            let both = terms.and(&[condition, inner]);
            terms.ite(both, then, old)
        }
        _ => old,
    }
}
