//! The relational form, part by part.

use super::cut::{Table, declare};
use super::excess::{Base, Excess, Orders, Rewriter};
use super::formulas::Encoder;
use crate::infer::choices::replace;
use crate::infer::engine::Goal;
use crate::infer::outcome::Candidate;
use crate::infer::prover::formula;
use crate::infer::state::Vocabulary;
use ramsey_circuit::transition::{Action, Update};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, Signature, SymId, Symbol, SymbolKind, SymbolOrigin, TermId, Terms, VarId};
use ramsey_core::system::{
    Assertion, Assignment, Axiom, Derived, Effect, Init, Invariant, System, Transition,
};

/// A relational form before it is brought into canonical form.
pub(super) struct Form {
    /// The symbols and terms of the system, and more.
    pub(super) system: System,
    pub(super) tables: Map<SymId, Table>,
    pub(super) excesses: Vec<Excess>,
    /// The candidates of the goal, what it knows, and what is true of all cuts and graphs.
    pub(super) candidates: Vec<Candidate>,
}

/// Returns the relational form of a system, where relations stand for these functions and for what exceeds a bound; `None` if it is
/// too large.
pub(super) fn build(goal: &Goal<'_>, functions: &[SymId], exceeding: Vec<Base>) -> Option<Form> {
    let original = goal.system;
    let mut system = System { axioms_after_changes: original.axioms_after_changes, ..System::new() };
    (system.sig, system.terms) = (original.sig.clone(), original.terms.clone());
    let tables = functions.iter().map(|&function| {
        let table = declare(original, &mut system.sig, function, goal.options.seed);
        (function, table)
    });
    let tables: Map<SymId, Table> = tables.collect();
    let excesses: Vec<Excess> = exceeding.into_iter().map(|base| base.declare(&mut system.sig)).collect();
    let encoder = Encoder::new(&tables, &system.terms);
    let rewriter = Rewriter::new(Orders::new(original, goal.options.seed), &excesses);
    let wider = system.sig.clone();
    let (tables_of, excesses_of) = (&tables, &excesses[..]);
    let mut builder =
        Builder { original, system, wider, tables: tables_of, excesses: excesses_of, encoder, rewriter };
    builder.conditions();
    builder.claims();
    for transition in &original.transitions {
        let transition = builder.transition(transition);
        builder.system.transitions.push(transition);
    }
    let candidates = goal.options.candidates.iter();
    let candidates = candidates.map(|it| Candidate { formula: builder.asserted(it.formula), ..it.clone() });
    let mut candidates: Vec<Candidate> = candidates.collect();
    let vocabulary = Vocabulary::new(original);
    for claim in goal.known {
        let known = formula(&vocabulary, &original.sig, claim, &mut builder.system.terms);
        candidates.push(Candidate { name: None, formula: builder.asserted(known) });
    }
    let known = builder.known(SymbolKind::Mutable).into_iter();
    candidates.extend(known.map(|formula| Candidate { name: None, formula }));
    let Builder { system, encoder, .. } = builder;
    let is_small = !encoder.is_exhausted(&system.terms);
    is_small.then_some(Form { system, tables, excesses, candidates })
}

struct Builder<'a> {
    original: &'a System,
    system: System,
    /// The signature of the system, with the constants that stood for parameters so far.
    wider: Signature,
    tables: &'a Map<SymId, Table>,
    excesses: &'a [Excess],
    encoder: Encoder<'a>,
    rewriter: Rewriter<'a>,
}

impl Builder<'_> {
    fn asserted(&mut self, formula: TermId) -> TermId {
        let formula = self.rewriter.formula(self.system.syntax_mut(), formula);
        self.encoder.asserted(self.system.syntax_mut(), formula)
    }

    /// Returns a formula that is so for all values of its free variables.
    fn for_all(&mut self, formula: TermId) -> TermId {
        let formula = self.rewriter.formula(self.system.syntax_mut(), formula);
        self.encoder.for_all(self.system.syntax_mut(), formula)
    }

    /// Returns what is true of the relations that stand for functions of a kind, in the order of the functions, and of
    /// excesses, which change.
    fn known(&mut self, kind: SymbolKind) -> Vec<TermId> {
        let mut functions: Vec<SymId> = self.tables.keys().copied().collect();
        functions.retain(|&function| self.system.sig.symbols[function].kind == kind);
        functions.sort_unstable();
        let syntax = &mut self.system;
        let of_functions = functions.into_iter().flat_map(|it| self.tables[&it].axioms(syntax.syntax_mut()));
        let mut known: Vec<TermId> = of_functions.collect();
        if kind == SymbolKind::Mutable {
            known.extend(self.excesses.iter().flat_map(|it| it.axioms(syntax.syntax_mut())));
        }
        known
    }

    /// Adds axioms and initial conditions.
    fn conditions(&mut self) {
        for axiom in &self.original.axioms {
            let formula = self.asserted(axiom.formula);
            self.system.axioms.push(Axiom { formula, ..axiom.clone() });
        }
        for derived in &self.original.derived {
            let axiom = self.asserted(derived.axiom);
            self.system.derived.push(Derived { axiom, ..derived.clone() });
        }
        for init in &self.original.inits {
            let formula = self.asserted(init.formula);
            self.system.inits.push(Init { formula, ..init.clone() });
            for excess in self.excesses {
                if let Some(formula) = excess.initially(self.system.syntax_mut(), init) {
                    let formula = self.asserted(formula);
                    self.system.inits.push(Init { formula, ..init.clone() });
                }
            }
        }
        // Of what stands for no text, a claim is the occasion.
        let invariants = self.original.invariants.iter().map(|it| it.span);
        let Some(span) = invariants.chain(self.original.assertions.iter().map(|it| it.span)).next() else {
            return;
        };
        let mut known = self.known(SymbolKind::Immutable);
        known.extend(self.values_of_constants());
        for formula in known {
            self.system.axioms.push(Axiom { name: None, formula, span });
        }
        for formula in self.known(SymbolKind::Mutable) {
            self.system.inits.push(Init { name: None, formula, span });
        }
    }

    /// Returns that functions which nothing changes have values for constants that stand for what axioms say exists.
    fn values_of_constants(&mut self) -> Vec<TermId> {
        let System { sig, terms, .. } = &mut self.system;
        let symbols = sig.symbols.iter_enumerated();
        let constants: Vec<(SymId, &Symbol)> =
            symbols.filter(|(_, it)| it.origin == SymbolOrigin::Witness).collect();
        let mut applications = Vec::new();
        let is_fixed = |it: &(&SymId, &Table)| sig.symbols[*it.0].kind == SymbolKind::Immutable;
        for (&function, table) in self.tables.iter().filter(is_fixed) {
            let own = constants.iter().filter(|(_, it)| sig.symbols[function].args == [it.result]);
            applications.extend(own.map(|&(constant, _)| (function, constant, table)));
        }
        applications.sort_unstable_by_key(|&(function, constant, _)| (function, constant));
        let value = |(_, constant, table): (SymId, SymId, &Table)| {
            let constant = terms.app(sig, constant, 0, &[]);
            table.is_defined(terms.over_mut(sig), &[constant])
        };
        applications.into_iter().map(value).collect()
    }

    /// Returns that functions which nothing changes have values where formulas apply them to terms without variables other than
    /// these. Of other ones this stays unsaid: the search would take several times as long for Paxos, and where
    /// values are missing in a state they are given afterwards.
    fn values(&mut self, params: &[VarId], formulas: &[TermId]) -> Vec<TermId> {
        let System { sig, terms, .. } = &mut self.system;
        let mut applications: Vec<(SymId, TermId)> = Vec::new();
        let (mut stack, mut seen) = (formulas.to_vec(), Set::default());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend(terms.children(term));
            let Node::App { sym, args, .. } = terms.node(term) else { continue };
            let is_ground = |&arg: &TermId| match terms.node(arg) {
                Node::Var(var) => params.contains(&var),
                Node::App { args, .. } => args.is_empty(),
                _ => false,
            };
            let is_fixed = sig.symbols[sym].kind == SymbolKind::Immutable;
            if is_fixed && self.tables.contains_key(&sym) && terms.args(args).iter().all(is_ground) {
                applications.push((sym, term));
            }
        }
        applications.sort_unstable();
        let value = |(sym, term): (SymId, TermId)| {
            let args: Vec<TermId> = terms.children(term).collect();
            self.tables[&sym].is_defined(terms.over_mut(sig), &args)
        };
        applications.into_iter().map(value).collect()
    }

    fn claims(&mut self) {
        for invariant in &self.original.invariants {
            let formula = self.asserted(invariant.formula);
            self.system.invariants.push(Invariant { formula, ..invariant.clone() });
        }
        for assertion in &self.original.assertions {
            let formula = self.asserted(assertion.formula);
            self.system.assertions.push(Assertion { formula, ..assertion.clone() });
        }
    }

    fn transition(&mut self, from: &Transition) -> Transition {
        let constants: Vec<TermId> = from.params.iter().map(|&var| self.constant(var)).collect();
        let Builder { system, wider, .. } = self;
        let action = Action::without_derived(self.original, system.terms.over_mut(wider), from, &constants);
        let params: Vec<TermId> = from.params.iter().map(|&var| self.system.terms.var(var)).collect();
        let plain = |terms: &mut Terms, term: TermId| {
            let pairs = constants.iter().zip(&params);
            pairs.fold(term, |term, (&from, &to)| replace(terms, term, from, to, &mut Map::default()))
        };
        let mut assumptions = Vec::new();
        let mut formulas = Vec::new();
        for &conjunct in action.guard.iter().chain(&action.residual) {
            let conjunct = plain(&mut self.system.terms, conjunct);
            formulas.push(conjunct);
            assumptions.push(self.asserted(conjunct));
        }
        let mut modifies = Vec::new();
        let mut updates = Vec::new();
        for &sym in &from.modifies {
            let update = action.update(sym);
            if matches!(update, Update::Unchanged) {
                continue;
            }
            let table = self.tables.get(&sym).copied();
            modifies.extend(table.map_or(vec![sym], Table::relations));
            match (update, table) {
                (Update::Definition { vars, value }, table) => {
                    let value = plain(&mut self.system.terms, *value);
                    formulas.push(value);
                    match self.updates(sym, vars, value, table) {
                        Ok(own) => updates.extend(own),
                        Err(condition) => assumptions.push(condition),
                    }
                }
                (_, Some(table)) => {
                    let known = table.axioms(self.system.syntax_mut());
                    let System { sig, terms, .. } = &mut self.system;
                    assumptions.extend(known.into_iter().map(|formula| terms.shift(sig, formula, 1)));
                }
                (_, None) => {}
            }
            for excess in self.excesses.iter().filter(|it| it.of() == sym) {
                modifies.push(excess.sym);
                let value = match update {
                    Update::Definition { vars, value } => {
                        let value = plain(&mut self.system.terms, *value);
                        excess.update(self.system.syntax_mut(), vars, value)
                    }
                    _ => None,
                };
                match value {
                    Some((vars, value)) => {
                        updates.push(Assignment { sym: excess.sym, vars, value: self.for_all(value) });
                    }
                    None => {
                        let known = excess.axioms(self.system.syntax_mut());
                        let System { sig, terms, .. } = &mut self.system;
                        assumptions.extend(known.into_iter().map(|formula| terms.shift(sig, formula, 1)));
                    }
                }
            }
        }
        assumptions.extend(self.values(&from.params, &formulas));
        modifies.sort_unstable();
        updates.sort_by_key(|update| update.sym);
        let mut conjuncts = assumptions.clone();
        conjuncts.extend(updates.iter().map(|update| self.equation(update)));
        let body = self.system.terms.and(&conjuncts);
        let (name, params, span) = (from.name.clone(), from.params.clone(), from.span);
        let effect = Some(Effect { assumptions, updates });
        Transition { name, params, modifies, body, command: None, effect, span }
    }

    /// Returns a constant that stands for a parameter in the normal form.
    fn constant(&mut self, var: VarId) -> TermId {
        let Builder { system, wider, .. } = self;
        let info = system.terms.var_info(var);
        let constant = wider.symbols.push(Symbol::parameter(&*info.name, info.sort));
        system.terms.app(wider, constant, 0, &[])
    }

    /// Returns the updates of the relations that stand for a symbol, or of the symbol itself.
    ///
    /// # Errors
    /// Returns a condition instead where the value of a function that stays one is none of a term without the others.
    fn updates(
        &mut self,
        sym: SymId,
        vars: &[VarId],
        value: TermId,
        table: Option<Table>,
    ) -> Result<Vec<Assignment>, TermId> {
        let System { sig, terms, .. } = &mut self.system;
        if let Some(table) = table {
            let other = terms.new_var("X", sig.symbols[sym].result);
            let other_term = terms.var(other);
            let said = table.said_of(terms.over_mut(sig), value, other_term);
            let vars: Vec<VarId> = vars.iter().copied().chain([other]).collect();
            let update = |(sym, said)| Assignment { sym, vars: vars.clone(), value: self.for_all(said) };
            return Ok(said.into_iter().map(update).collect());
        }
        if sig.symbols[sym].is_relation() {
            let value = self.for_all(value);
            return Ok(vec![Assignment { sym, vars: vars.to_vec(), value }]);
        }
        if !self.encoder.is_concerned(terms, value) {
            let value = self.rewriter.formula(self.system.syntax_mut(), value);
            return Ok(vec![Assignment { sym, vars: vars.to_vec(), value }]);
        }
        let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let after = terms.app(sig, sym, 1, &args);
        let defined = terms.eq(after, value);
        let defined = terms.forall(vars, defined);
        Err(self.asserted(defined))
    }

    /// Returns an update as a formula.
    fn equation(&mut self, update: &Assignment) -> TermId {
        let System { sig, terms, .. } = &mut self.system;
        let args: Vec<TermId> = update.vars.iter().map(|&var| terms.var(var)).collect();
        let after = terms.app(sig, update.sym, 1, &args);
        let is_relation = sig.symbols[update.sym].is_relation();
        let defined =
            if is_relation { terms.iff(after, update.value) } else { terms.eq(after, update.value) };
        terms.forall(&update.vars, defined)
    }
}
