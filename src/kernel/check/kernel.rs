//! State of a proof and its rules. Every clause made here is true in every structure that satisfies the inputs, once
//! witnesses are chosen. `spec/certificate.md` has the argument rule by rule.

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

use super::congruence;
use super::format::{Step, excerpt};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Args, Node, Signature, SortId, SymId, Symbol, SymbolKind, TermId, Terms};

/// Maximum number of terms. It exceeds any memory, and is far below the number at which ids would wrap.
const MAX_TERMS: usize = 1 << 30;

/// Declared sorts and symbols by name.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) sorts: Map<String, SortId>,
    symbols: Map<String, SymId>,
}

impl Names {
    pub(super) fn new(sig: &Signature) -> Self {
        let sorts = sig.uninterpreted_sorts().map(|sort| (sig.sorts[sort].name.clone(), sort)).collect();
        // The constants that stand for parameters do not occur in inputs.
        let declared = sig.symbols.iter_enumerated().filter(|(_, it)| it.kind != SymbolKind::Parameter);
        Names { sorts, symbols: declared.map(|(id, symbol)| (symbol.name.clone(), id)).collect() }
    }

    /// Returns the declared symbol of a name with primes, and its step, which must be less than `states`.
    pub(super) fn symbol(&self, sig: &Signature, field: &str, states: u16) -> Result<(SymId, u16), String> {
        let name = field.trim_end_matches('\'');
        let sym = *self.symbols.get(name).ok_or_else(|| format!("no symbol `{}`", excerpt(name)))?;
        let steps = if sig.symbols[sym].kind.is_mutable() { states.max(1) } else { 1 };
        match u16::try_from(field.len() - name.len()) {
            Ok(step) if step < steps => Ok((sym, step)),
            _ => Err(format!("`{name}` has too many primes: it is read in {steps} state(s)")),
        }
    }
}

/// A proof under construction.
#[derive(Debug)]
pub(super) struct Proof<'a> {
    names: &'a Names,
    states: u16,
    inputs: &'a [TermId],
    /// Signature of the inputs, extended by the constants made by the proof.
    sig: &'a mut Signature,
    terms: &'a mut Terms,
    /// The named terms, all without variables.
    named: Vec<TermId>,
    /// The formulas, all closed. The first one has number 1.
    formulas: Vec<TermId>,
    numbers: Map<TermId, i32>,
    /// By existential formula: a constant per variable.
    witnesses: Map<TermId, Vec<TermId>>,
    defaults: Map<SortId, TermId>,
    /// The literals of all clauses, stored contiguously, and the end of each clause.
    literals: Vec<i32>,
    ends: Vec<usize>,
    /// By formula, its value under the assignment with this stamp.
    values: Vec<(u64, bool)>,
    stamp: u64,
    is_complete: bool,
}

impl<'a> Proof<'a> {
    /// Creates an empty proof. The inputs must be normal and closed formulas over `sig`.
    pub(super) fn new(
        names: &'a Names,
        sig: &'a mut Signature,
        states: u16,
        terms: &'a mut Terms,
        inputs: &'a [TermId],
    ) -> Self {
        Proof {
            names,
            states,
            inputs,
            sig,
            terms,
            named: Vec::new(),
            formulas: Vec::new(),
            numbers: Map::default(),
            witnesses: Map::default(),
            defaults: Map::default(),
            literals: Vec::new(),
            ends: Vec::new(),
            values: Vec::new(),
            stamp: 0,
            is_complete: false,
        }
    }

    /// Checks whether the empty clause has been derived.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Processes one line.
    pub(super) fn step(&mut self, step: Step) -> Result<(), String> {
        if self.is_complete {
            return Err("a line after the empty clause".into());
        }
        if self.terms.len() > MAX_TERMS || self.formulas.len() > MAX_TERMS {
            return Err("too many terms".into());
        }
        match step {
            Step::Term { symbol, args } => {
                let (sym, at) = self.names.symbol(self.sig, &symbol, self.states)?;
                let args: Vec<TermId> =
                    args.into_iter().map(|arg| self.named(arg)).collect::<Result<_, _>>()?;
                let declared = &self.sig.symbols[sym];
                if declared.is_relation() {
                    return Err(format!("`{symbol}` is a relation, not a function"));
                }
                self.sorts_agree(&declared.args, &args)?;
                let term = self.terms.app(self.sig, sym, at, &args);
                self.named.push(term);
            }
            Step::Witness { formula, index } => {
                let exists = self.formula(formula)?;
                let (vars, _) = self.existential(exists)?;
                let witnesses = self.witnesses(exists, vars);
                let witness = witnesses.get(index as usize).ok_or("the formula has fewer variables")?;
                self.named.push(*witness);
            }
            Step::Default { sort } => {
                let id = self.names.sorts.get(sort.as_str());
                let id = *id.ok_or_else(|| format!("no sort `{}`", excerpt(&sort)))?;
                let term = match self.defaults.get(&id) {
                    Some(&term) => term,
                    None => {
                        let term = self.constant(format!("some {sort}"), id);
                        self.defaults.insert(id, term);
                        term
                    }
                };
                self.named.push(term);
            }
            Step::Input { index } => {
                let input = *self.inputs.get(index as usize).ok_or("there are fewer inputs")?;
                let clause = vec![self.literal(input)];
                self.add(clause);
            }
            Step::And { formula, child } => {
                let Node::And(items) = self.terms.node(self.formula(formula)?) else {
                    return Err(format!("formula {formula} is not a conjunction"));
                };
                let items = self.terms.args(items);
                let child = *items.get(child as usize).ok_or("the conjunction has fewer children")?;
                self.consequence(formula, &[child])?;
            }
            Step::Or { formula } => {
                let items = match self.terms.node(self.formula(formula)?) {
                    Node::Or(items) => self.terms.args(items).to_vec(),
                    Node::False => Vec::new(),
                    _ => return Err(format!("formula {formula} is not a disjunction")),
                };
                self.consequence(formula, &items)?;
            }
            Step::Forall { formula, terms } => {
                let Node::Forall(vars, body) = self.terms.node(self.formula(formula)?) else {
                    return Err(format!("formula {formula} is not universal"));
                };
                let with: Vec<TermId> =
                    terms.into_iter().map(|term| self.named(term)).collect::<Result<_, _>>()?;
                let instance = self.instance(vars, body, &with)?;
                self.consequence(formula, &[instance])?;
            }
            Step::Exists { formula } => {
                let exists = self.formula(formula)?;
                let (vars, body) = self.existential(exists)?;
                let with = self.witnesses(exists, vars);
                let instance = self.instance(vars, body, &with)?;
                self.consequence(formula, &[instance])?;
            }
            Step::Equality { literals } => {
                // The lemma is valid if its negation is contradictory.
                let mut atoms = Vec::with_capacity(literals.len());
                for &literal in &literals {
                    atoms.push((self.formula(literal.unsigned_abs())?, literal < 0));
                }
                if !congruence::contradicts(self.terms, &atoms)? {
                    return Err("the clause does not follow from the laws of equality".into());
                }
                self.add(literals);
            }
            Step::Derived { literals, hints } => self.derive(literals, &hints)?,
        }
        Ok(())
    }

    /// Returns a formula by its number.
    fn formula(&self, number: u32) -> Result<TermId, String> {
        let index = (number as usize).checked_sub(1);
        let found = index.and_then(|index| self.formulas.get(index)).copied();
        found.ok_or_else(|| format!("no formula {number} yet"))
    }

    /// Returns a term by its number.
    fn named(&self, number: u32) -> Result<TermId, String> {
        self.named.get(number as usize).copied().ok_or_else(|| format!("no term {number} yet"))
    }

    /// Returns the literal of a closed normal formula, and numbers the formula if necessary.
    fn literal(&mut self, formula: TermId) -> i32 {
        if let Node::Not(atom) = self.terms.node(formula) {
            return -self.literal(atom);
        }
        // An equality and its mirror image are one proposition.
        let formula = match self.terms.node(formula) {
            Node::Eq(a, b) if b < a => self.terms.eq(b, a),
            _ => formula,
        };
        if let Some(&number) = self.numbers.get(&formula) {
            return number;
        }
        self.formulas.push(formula);
        self.values.push((0, false));
        let number = self.formulas.len() as i32;
        self.numbers.insert(formula, number);
        number
    }

    /// Adds a clause over existing formulas. Repetitions are removed, except those between a literal and its negation.
    fn add(&mut self, clause: Vec<i32>) {
        self.stamp += 1;
        for literal in clause {
            if self.value(literal) != Some(true) {
                self.assume(literal);
                self.literals.push(literal);
            }
        }
        self.ends.push(self.literals.len());
    }

    /// Adds the clause that consists of the negation of `formula` and of `items`.
    fn consequence(&mut self, formula: u32, items: &[TermId]) -> Result<(), String> {
        let mut clause = vec![-self.literal(self.formula(formula)?)];
        for &item in items {
            clause.push(self.literal(item));
        }
        self.add(clause);
        Ok(())
    }

    fn existential(&self, formula: TermId) -> Result<(Args, TermId), String> {
        match self.terms.node(formula) {
            Node::Exists(vars, body) => Ok((vars, body)),
            _ => Err("the formula is not existential".into()),
        }
    }

    /// Returns the witness constants of an existential formula, which are created at the first request.
    fn witnesses(&mut self, formula: TermId, vars: Args) -> Vec<TermId> {
        if let Some(known) = self.witnesses.get(&formula) {
            return known.clone();
        }
        let sorts: Vec<SortId> = self.terms.args(vars).iter().map(|&var| self.terms.sort(var)).collect();
        let fresh: Vec<TermId> =
            sorts.into_iter().map(|sort| self.constant("witness".into(), sort)).collect();
        self.witnesses.insert(formula, fresh.clone());
        fresh
    }

    /// Creates an unconstrained constant. Its name is for messages only: certificates cannot refer to it.
    fn constant(&mut self, name: String, sort: SortId) -> TermId {
        let sym = self.sig.symbols.push(Symbol::parameter(name, sort));
        self.terms.app(self.sig, sym, 0, &[])
    }

    /// Substitutes terms for the variables of a block in its body.
    fn instance(&mut self, vars: Args, body: TermId, with: &[TermId]) -> Result<TermId, String> {
        let sorts: Vec<SortId> = self.terms.args(vars).iter().map(|&var| self.terms.sort(var)).collect();
        self.sorts_agree(&sorts, with)?;
        let map: Map<_, _> = self.terms.bound_vars(vars).zip(with.iter().copied()).collect();
        Ok(self.terms.substitute(body, &map))
    }

    fn sorts_agree(&self, sorts: &[SortId], terms: &[TermId]) -> Result<(), String> {
        if sorts.len() != terms.len() {
            return Err(format!("{} term(s) where {} belong", terms.len(), sorts.len()));
        }
        match sorts.iter().zip(terms).position(|(&sort, &term)| self.terms.sort(term) != sort) {
            None => Ok(()),
            Some(at) => Err(format!("term {at} of the list has another sort than its place")),
        }
    }

    /// Adds a clause that follows by unit propagation along the hints.
    fn derive(&mut self, literals: Vec<i32>, hints: &[u32]) -> Result<(), String> {
        self.stamp += 1;
        for &literal in &literals {
            self.formula(literal.unsigned_abs())?;
            if self.value(literal) == Some(true) {
                return Err("the clause has a literal and its negation".into());
            }
            self.assume(-literal);
        }
        let (&last, others) = hints.split_last().ok_or("a derived clause without hints")?;
        for &hint in others {
            match self.unit(hint)? {
                Some(literal) => self.assume(literal),
                None => return Err(format!("clause {hint} is falsified before the last hint")),
            }
        }
        if self.unit(last)?.is_some() {
            return Err(format!("the last hint, clause {last}, is not falsified"));
        }
        self.is_complete = literals.is_empty();
        self.add(literals);
        Ok(())
    }

    /// Returns the only literal of a clause that is not false, or `None` if all are false.
    fn unit(&self, number: u32) -> Result<Option<i32>, String> {
        let index = (number as usize).checked_sub(1).filter(|&index| index < self.ends.len());
        let index = index.ok_or_else(|| format!("no clause {number} yet"))?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut open = None;
        for &literal in &self.literals[start..self.ends[index]] {
            match self.value(literal) {
                Some(false) => {}
                Some(true) => return Err(format!("hint {number} is a clause that is satisfied")),
                None if open.is_some() => return Err(format!("hint {number} is a clause that is not unit")),
                None => open = Some(literal),
            }
        }
        Ok(open)
    }

    /// Returns the value of a literal whose formula exists.
    fn value(&self, literal: i32) -> Option<bool> {
        let (stamp, value) = self.values[literal.unsigned_abs() as usize - 1];
        (stamp == self.stamp).then_some(value == (literal > 0))
    }

    fn assume(&mut self, literal: i32) {
        self.values[literal.unsigned_abs() as usize - 1] = (self.stamp, literal > 0);
    }
}
