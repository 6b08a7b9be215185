//! Meaning of loop-free commands: assumptions, assertions, and the new value of each symbol.
//!
//! A command is executed symbolically. A symbolic state maps each changed symbol to a formula or term over the state
//! before the command (Ivy, PLDI 2016, Figure 13, read forwards). The branches of a choice start in the same state, and
//! their states are merged symbol by symbol afterwards, so that the meaning of a long command with many branches is
//! small as a graph. Commands read no derived symbols: front ends expand definitions.

use crate::base::hash::{Map, Set};
use crate::base::span::Span;
use crate::logic::{
    Node, Signature, SortId, SymId, Symbol, SymbolKind, SymbolOrigin, SyntaxMut, TermId, Terms, VarId,
};
use crate::system::command::{Assignment, Command, CommandKind};

/// Maximum depth of a formula, which makes recursion over formulas safe in later stages.
const MAX_DEPTH: usize = 1_000;

/// Maximum tree size of a condition that is inlined. A new symbol stands for a larger one.
const MAX_INLINE_SIZE: u32 = 20;

/// Number of common conjuncts of assertions above which they are joined into one formula.
const MAX_SEPARATE_CONJUNCTS: usize = 64;

/// Maximum tree size of a formula or term. Evaluation, which uses no sharing, has to traverse it.
const MAX_SIZE: u32 = 2_000_000;

/// Maximum number of terms created for one command.
const MAX_TERMS: usize = 500_000;

/// The meaning of a command. Formulas and terms are over step 0, the state before. Their free variables are parameters,
/// locals and values of `havoc`. Choices are symbols of kind [`crate::logic::SymbolKind::Choice`].
#[derive(Clone, Debug)]
pub struct Composition {
    /// The assumptions of an execution that terminates normally, in order. Assertions are treated as assumptions.
    pub assumptions: Vec<TermId>,
    /// The new values of the changed symbols, sorted by symbol.
    pub updates: Vec<Assignment>,
    /// One formula per assertion, in order: it holds if it is reached. The span is that of the assertion.
    pub assertions: Vec<(TermId, Span)>,
}

/// Error: the meaning of a command has too many terms, or they are nested too deeply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The statement at which the limit was reached.
    pub span: Span,
}

impl Composition {
    /// Returns the relation between the states before and after, without frame conditions: the assumptions, and for
    /// each changed symbol its definition in the state of step 1.
    pub fn body(&self, mut syntax: SyntaxMut<'_>) -> TermId {
        let mut parts = self.assumptions.clone();
        parts.extend(self.updates.iter().map(|update| definition(syntax.reborrow(), update, 1)));
        syntax.terms.and(&parts)
    }

    /// Returns the number of nodes of all formulas and terms, as trees.
    pub fn size(&self, terms: &Terms) -> usize {
        let updates = self.updates.iter().map(|update| update.value);
        let assertions = self.assertions.iter().map(|&(formula, _)| formula);
        let all = self.assumptions.iter().copied().chain(updates).chain(assertions);
        all.map(|term| terms.tree_size(term) as usize).fold(0, usize::saturating_add)
    }

    /// Returns the changed symbols.
    pub fn modifies(&self) -> Vec<SymId> {
        self.updates.iter().map(|update| update.sym).collect()
    }
}

/// Returns `forall vars. symbol(vars) = value`, with the symbol read at `step`.
pub fn definition(syntax: SyntaxMut<'_>, update: &Assignment, step: u16) -> TermId {
    let SyntaxMut { sig, terms } = syntax;
    let args: Vec<TermId> = update.vars.iter().map(|&var| terms.var(var)).collect();
    let head = terms.app(sig, update.sym, step, &args);
    let equal = terms.eq(head, update.value);
    terms.forall(&update.vars, equal)
}

/// Substitutes the values in `updates` (sorted by symbol) for the symbols in `term`. Returns `None` if the result
/// becomes too large.
pub fn substitute(syntax: SyntaxMut<'_>, updates: &[Assignment], term: TermId) -> Option<TermId> {
    let SyntaxMut { sig, terms } = syntax;
    let limit = terms.len().saturating_add(MAX_TERMS);
    let mut reader = Reader { terms, names: &mut Names::default(), state: updates.to_vec(), limit };
    reader.read(sig, term, &Map::default())
}

/// Adds a symbol for a choice between two branches, or between two values of `what`.
pub fn choice_bit(sig: &mut Signature, what: &str) -> SymId {
    let name = format!("{what}@{}", sig.symbols.len());
    let symbol = Symbol::new(name, Vec::new(), SortId::BOOL, SymbolKind::Choice);
    sig.symbols.push(Symbol { origin: SymbolOrigin::Internal, ..symbol })
}

/// Variables and symbols created by compositions. Commands that share them have syntactically equal meanings where they
/// agree. Sharing is sound unless both commands are executed in one step.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Variables of updates, by sort and position of the argument.
    heads: Map<(SortId, usize), VarId>,
    /// Copies of bound variables.
    copies: Map<VarId, Vec<VarId>>,
    /// The number of copies used by the current composition.
    used: Map<VarId, usize>,
    /// Symbols that stand for large conditions, in the order of their use in a composition.
    conditions: Vec<SymId>,
    /// The number of these used by the current composition.
    used_conditions: usize,
}

impl Names {
    /// Returns the variables over which values of `sym` are written.
    fn heads(&mut self, syntax: SyntaxMut<'_>, sym: SymId) -> Vec<VarId> {
        let SyntaxMut { sig, terms } = syntax;
        let args = sig.symbols[sym].args.iter().enumerate();
        args.map(|(at, &sort)| {
            *self.heads.entry((sort, at)).or_insert_with(|| terms.new_var(format!("X{at}"), sort))
        })
        .collect()
    }

    /// Returns a copy of a bound variable that the current composition has not used.
    fn copy(&mut self, terms: &mut Terms, var: VarId) -> VarId {
        let used = self.used.entry(var).or_insert(0);
        let copies = self.copies.entry(var).or_default();
        if *used == copies.len() {
            copies.push(terms.copy_var(var));
        }
        *used += 1;
        copies[*used - 1]
    }

    /// Returns a symbol for a condition that the current composition has not used.
    fn condition(&mut self, sig: &mut Signature) -> SymId {
        self.used_conditions += 1;
        if self.used_conditions > self.conditions.len() {
            self.conditions.push(choice_bit(sig, "choice"));
        }
        self.conditions[self.used_conditions - 1]
    }
}

/// Computes the meaning of `command`. `axioms` (closed, over step 0) are those of [`axioms_of_changes`](crate::system::System::axioms_of_changes): they hold
/// in the state before, and after each change of one of their symbols the execution blocks unless they hold again. Recursion
/// is as deep as commands are nested, which front ends limit.
///
/// # Errors
/// Returns an error if the meaning is too large.
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
    names.used_conditions = 0;
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

/// A symbolic state, in which terms are evaluated.
struct Reader<'a> {
    terms: &'a mut Terms,
    names: &'a mut Names,
    /// Changed symbols with their values, sorted by symbol.
    state: Vec<Assignment>,
    /// Maximum number of terms in the arena.
    limit: usize,
}

impl Reader<'_> {
    /// Rewrites `term` over the state before, with variables replaced by `map`. Returns `None` if it becomes too large.
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
                // Values may contain quantifiers. Fresh variables for each binder avoid shadowing.
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

    /// Returns the value of a symbol at arguments that are already rewritten.
    fn value(&mut self, sig: &Signature, sym: SymId, args: &[TermId]) -> Option<TermId> {
        let Ok(at) = self.state.binary_search_by_key(&sym, |update| update.sym) else {
            return Some(self.terms.app(sig, sym, 0, args));
        };
        let Assignment { vars, value, .. } = &self.state[at];
        // Checked before the substitution, which recurses to that depth.
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
    /// Assumptions: first those outside of all branches, then those of each enclosing branch, its condition first.
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

    /// Evaluates a condition here. A symbol stands for a large condition, which may occur in many places.
    fn condition(&mut self, formula: TermId) -> Option<TermId> {
        let formula = self.reader.read(self.sig, formula, &Map::default())?;
        if self.reader.terms.tree_size(formula) <= MAX_INLINE_SIZE {
            return Some(formula);
        }
        let Executor { sig, reader: Reader { terms, names, .. }, .. } = self;
        let symbol = names.condition(sig);
        let bit = terms.app(sig, symbol, 0, &[]);
        let definition = terms.iff(bit, formula);
        self.path.last_mut()?.push(definition);
        Some(bit)
    }

    /// Evaluates a formula here and assumes it.
    fn assume(&mut self, formula: TermId) -> Option<TermId> {
        let formula = self.reader.read(self.sig, formula, &Map::default())?;
        self.path.last_mut()?.push(formula);
        Some(formula)
    }

    fn assert(&mut self, formula: TermId, span: Span) -> Option<()> {
        let terms = &mut self.reader.terms;
        for assumed in &mut self.path {
            // The first assumption of a branch is its condition.
            if assumed.len() > MAX_SEPARATE_CONJUNCTS {
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
        let heads = names.heads(terms.over_mut(sig), *sym);
        let map = vars.iter().copied().zip(heads.iter().map(|&head| terms.var(head))).collect();
        let value = self.reader.read(self.sig, *value, &map)?;
        self.set(Assignment { sym: *sym, vars: heads, value })
    }

    /// Changes the state and assumes the axioms about the changed symbol again.
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

    /// Executes side `i` under the assumption that condition `i` is the first to hold, and the last side if none holds.
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
            if guard.len() > MAX_SEPARATE_CONJUNCTS {
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

    /// Merges two states: `a` if `condition` holds, `b` otherwise.
    fn merge(&mut self, condition: TermId, a: &[Assignment], b: &[Assignment]) -> Option<Vec<Assignment>> {
        let (sig, Reader { terms, names, .. }) = (&*self.sig, &mut self.reader);
        let mut changed: Vec<SymId> = a.iter().chain(b).map(|update| update.sym).collect();
        changed.sort_unstable();
        changed.dedup();
        let mut merged = Vec::new();
        for sym in changed {
            let vars = names.heads(terms.over_mut(sig), sym);
            let [a, b] = [a, b].map(|state| match state.binary_search_by_key(&sym, |update| update.sym) {
                Ok(at) => state[at].value,
                Err(_) => {
                    let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
                    terms.app(sig, sym, 0, &args)
                }
            });
            let value = conditional_value(terms, condition, a, b);
            if !fits(terms, value) {
                return None;
            }
            merged.push(Assignment { sym, vars, value });
        }
        Some(merged)
    }
}

/// Returns a value that is `a` if `condition` holds and `b` otherwise.
///
/// Sides often have the form `old | ..`, `old & ..` or `if .. then .. else old` with a common `old`. It is then written
/// once, which keeps a series of updates small as a tree too.
fn conditional_value(terms: &mut Terms, condition: TermId, a: TermId, b: TermId) -> TermId {
    let (spine_a, spine_b) = (spine(terms, a), spine(terms, b));
    // Equal values need not have the same bound variables.
    let is_same =
        |a: TermId, b: TermId| a == b || terms.tree_size(a) == terms.tree_size(b) && terms.alpha_equal(a, b);
    let position = |a: TermId| spine_b.iter().position(|&b| is_same(a, b));
    let common = spine_a.iter().enumerate().find_map(|(at, &value)| Some((at, position(value)?, value)));
    let negated = terms.not(condition);
    let Some((at_a, at_b, old)) = common else {
        if terms.sort(a) != SortId::BOOL {
            return terms.ite(condition, a, b);
        }
        let sides = [terms.and(&[condition, a]), terms.and(&[negated, b])];
        return terms.or(&sides);
    };
    let mut value = old;
    for (condition, layers) in [(negated, &spine_b[..at_b]), (condition, &spine_a[..at_a])] {
        for &layer in layers.iter().rev() {
            value = restrict(terms, condition, layer, value);
        }
    }
    value
}

/// Returns the chain of values from `value` down: each is the value that the previous one extends.
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

/// Returns `layer` with its base replaced by `old`, applied only if `condition` holds; `old` otherwise.
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
