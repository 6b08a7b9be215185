//! What commands mean: formulas about the state before them, and the values of symbols after them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::check::{Kind, Meaning, Model, Symbol};
use super::commands::{Action, Parts};
use super::execution::Outcome;
use super::term::{Term, Values, What, applied, block, is_same, joined, node, not, operator, variable};
use super::tree::{Axioms, Item};
use crate::refusal::{Result, refuse};

/// How many definitions may use each other in a row.
const MAX_USES: usize = 300;

/// How many nodes may be made for a program.
const MAX_NODES: usize = 50_000_000;

/// A closed assertion.
pub(crate) struct Assertion {
    pub(crate) label: String,
    pub(crate) is_initial: bool,
    pub(crate) claim: Term,
    pub(crate) at: usize,
}

/// A program as a transition system.
pub(crate) struct System<'m> {
    pub(crate) model: Model<'m>,
    /// By symbol, its own variables: one for each argument.
    pub(crate) heads: Vec<Vec<usize>>,
    /// By variable, its sort, or none for a truth value.
    pub(crate) sorts: Vec<Option<usize>>,
    /// By formula, what it is with definitions expanded.
    pub(crate) bodies: BTreeMap<usize, Term>,
    pub(crate) inits: Vec<Term>,
    pub(crate) actions: Vec<Outcome>,
    pub(crate) assertions: Vec<Assertion>,
    /// The formulas that are being expanded.
    open: Vec<usize>,
    /// By variable of a slot that is assigned, the symbol of its value.
    pub(crate) stores: BTreeMap<usize, usize>,
    /// By variable of an order or numeral, the symbol that it is.
    pub(crate) overloads: BTreeMap<usize, usize>,
    /// Where axioms hold.
    pub(crate) axioms: Axioms,
    pub(crate) nodes: usize,
    pub(crate) at: usize,
}

impl<'m> System<'m> {
    /// Makes a checked program a system. `line` returns the line of a place.
    pub(crate) fn new(
        mut model: Model<'m>,
        items: &[Item],
        parts: &Parts<'_>,
        axioms: Axioms,
        line: &dyn Fn(usize) -> usize,
    ) -> Result<Self> {
        let (sorts, symbols) = (model.settled()?, std::mem::take(&mut model.symbols));
        let mut system = System {
            model,
            heads: Vec::new(),
            sorts,
            bodies: BTreeMap::new(),
            inits: Vec::new(),
            actions: Vec::new(),
            assertions: Vec::new(),
            open: Vec::new(),
            stores: BTreeMap::new(),
            overloads: BTreeMap::new(),
            axioms,
            nodes: 0,
            at: 0,
        };
        for Symbol { name, args, result, kind } in symbols {
            system.add(name, args, result, kind);
        }
        system.declare_overloads(items)?;
        for formula in 0..system.model.formulas.len() {
            system.body(formula)?;
        }
        system.check_axioms()?;
        let mut init = system.section(&[], &[&parts.init])?;
        let mut sections = Vec::new();
        for Action { params, body, .. } in &parts.actions {
            let [before, own, after] =
                [parts.before, body, parts.after].map(|list| list.iter().collect::<Vec<_>>());
            sections.push(system.section(params, &[&before, &own, &after])?);
        }
        let mut last = system.section(&[], &[&parts.last])?;
        if !parts.init.is_empty() {
            let outcome = system.outcome(&mut init, &mut Vec::new())?;
            system.initial(&outcome, &init.names, line)?;
        }
        let mut conditions = Vec::new();
        for mut section in sections {
            let outcome = system.outcome(&mut section, &mut conditions)?;
            system.claims(&outcome, line);
            system.actions.push(outcome);
        }
        let outcome = system.outcome(&mut last, &mut conditions)?;
        system.claims(&outcome, line);
        Ok(system)
    }

    /// Returns whether a formula speaks of something that changes.
    pub(crate) fn is_about_states(&self, formula: &Term) -> bool {
        formula.has(
            &|what| matches!(what, What::Symbol(symbol) if self.model.symbols[*symbol].kind != Kind::Rigid),
        )
    }

    /// Refuses axioms about what commands change, also those that nothing executes, in languages that have none.
    fn check_axioms(&self) -> Result<()> {
        let changes = |what: &What| {
            let What::Symbol(symbol) = what else { return false };
            self.model.changing.contains(&*self.model.symbols[*symbol].name)
        };
        for (it, body) in self.model.formulas.iter().zip(self.bodies.values()) {
            if self.axioms == Axioms::Rigid && *it.word.text == *"axiom" && body.has(&changes) {
                return refuse(it.word.at, "this axiom is about something that commands change");
            }
        }
        Ok(())
    }

    /// Returns the axioms about something that changes.
    pub(crate) fn state_axioms(&self) -> Vec<Term> {
        let axioms =
            self.model.formulas.iter().zip(self.bodies.values()).filter(|(it, _)| *it.word.text == *"axiom");
        axioms.map(|(_, body)| Rc::clone(body)).filter(|it| self.is_about_states(it)).collect()
    }

    /// Returns a term with values for variables and for what symbols have become, all at once. All bound variables are new
    /// ones, so that none binds a variable of a value.
    pub(crate) fn rewritten(&mut self, term: &Term, values: &Values, state: &Values) -> Result<Term> {
        if values.is_empty() && state.is_empty() {
            return Ok(Rc::clone(term));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return refuse(self.at, "the program is too large");
        }
        let (mut inner, mut what) = (Cow::Borrowed(values), term.what.clone());
        match &mut what {
            What::Variable(number) => return Ok(values.get(number).unwrap_or(term).clone()),
            What::Block(_, vars) => {
                for var in vars {
                    inner.to_mut().insert(*var, variable(self.sorts.len()));
                    self.sorts.push(self.sorts[*var]);
                    *var = self.sorts.len() - 1;
                }
            }
            _ => {}
        }
        let parts: Result<Vec<Term>> =
            term.parts.iter().map(|it| self.rewritten(it, &inner, state)).collect();
        let rewritten = node(what, parts?);
        let value = if let What::Symbol(symbol) = rewritten.what { state.get(&symbol) } else { None };
        let (What::Symbol(symbol), Some(value)) = (&rewritten.what, value) else {
            return rewritten.sized(self.at);
        };
        if is_same(&rewritten, &self.read(*symbol), &mut Vec::new()) {
            return Ok(Rc::clone(value));
        }
        let args = self.heads[*symbol].iter().copied().zip(rewritten.parts.iter().cloned()).collect();
        self.rewritten(value, &args, &Values::new())
    }

    pub(crate) fn add(&mut self, name: String, args: Vec<usize>, result: Option<usize>, kind: Kind) -> usize {
        self.heads.push((self.sorts.len()..self.sorts.len() + args.len()).collect());
        self.sorts.extend(args.iter().copied().map(Some));
        self.model.symbols.push(Symbol { name, args, result, kind });
        self.model.symbols.len() - 1
    }

    /// Adds a symbol for a truth value that is not told.
    pub(crate) fn bit(&mut self, name: &str) -> usize {
        self.add(format!("{name}@{}", self.model.symbols.len()), Vec::new(), None, Kind::Free)
    }

    /// Returns a symbol at its own variables.
    pub(crate) fn read(&self, symbol: usize) -> Term {
        applied(symbol, self.heads[symbol].iter().copied().map(variable).collect())
    }

    /// Returns a formula that is declared with definitions expanded.
    fn body(&mut self, formula: usize) -> Result<Term> {
        if let Some(known) = self.bodies.get(&formula) {
            return Ok(Rc::clone(known));
        }
        let declared = self.model.formulas[formula];
        self.at = declared.word.at;
        if self.open.contains(&formula) || self.open.len() == MAX_USES {
            return refuse(self.at, "the formula uses itself, or uses are nested too deep");
        }
        self.open.push(formula);
        let body = self.expanded(&declared.body)?;
        self.open.pop();
        self.bodies.insert(formula, Rc::clone(&body));
        Ok(body)
    }

    pub(crate) fn expanded(&mut self, term: &Term) -> Result<Term> {
        let mut parts = Vec::new();
        for part in &term.parts {
            parts.push(self.expanded(part)?);
        }
        match (&term.what, self.model.meaning(&term.what)) {
            (_, Some(Meaning::Symbol(symbol))) => applied(symbol, parts).sized(self.at),
            (_, Some(Meaning::Formula(formula))) => {
                let body = self.body(formula)?;
                let params = self.model.formulas[formula].params.iter().copied();
                self.rewritten(&body, &params.zip(parts).collect(), &Values::new())
            }
            (What::Name(_), _) => {
                let formulas = self.model.formulas.iter().enumerate();
                let safeties = formulas.filter(|(_, it)| *it.word.text == *"safety").map(|(index, _)| index);
                let safeties: Vec<usize> = safeties.collect();
                let bodies: Result<Vec<Term>> = safeties.into_iter().map(|it| self.body(it)).collect();
                joined("&", bodies?).sized(self.at)
            }
            (What::Overload(var), _) => match self.overloads.get(var) {
                Some(symbol) => applied(*symbol, parts).sized(self.at),
                None => refuse(self.at, "an order or numeral has no symbol"),
            },
            (What::Let(var), _) => {
                let values = [(*var, Rc::clone(&parts[0]))].into();
                self.rewritten(&parts[1], &values, &Values::new())
            }
            (What::Operator("distinct"), _) if parts.len() < 3 || self.is_formula(&parts[0]) => {
                let mut pairs = Vec::new();
                for (at, a) in parts.iter().enumerate() {
                    for b in &parts[at + 1..] {
                        pairs.push(not(&operator("=", vec![Rc::clone(a), Rc::clone(b)])));
                    }
                }
                joined("&", pairs).sized(self.at)
            }
            (What::Operator("<->"), _) => operator("=", parts).sized(self.at),
            (what, _) => node(what.clone(), parts).sized(self.at),
        }
    }

    pub(crate) fn is_formula(&self, term: &Term) -> bool {
        match &term.what {
            What::Variable(var) => self.sorts[*var].is_none(),
            What::Symbol(symbol) => self.model.symbols[*symbol].result.is_none(),
            What::Operator("if") => self.is_formula(&term.parts[1]),
            _ => true,
        }
    }

    /// Adds the assertions of an action, or of the final part.
    fn claims(&mut self, outcome: &Outcome, line: &dyn Fn(usize) -> usize) {
        for (claim, at) in &outcome.assertions {
            let occurs = |param: &usize| claim.has(&|what| *what == What::Variable(*param));
            let params = outcome.params.iter().copied().filter(occurs).collect();
            self.claim(block("!", params, Rc::clone(claim)), *at, false, line);
        }
    }

    /// Adds an assertion, unless it is there.
    fn claim(&mut self, claim: Term, at: usize, is_initial: bool, line: &dyn Fn(usize) -> usize) {
        let is_it = |other: &Assertion| {
            (other.at, other.is_initial) == (at, is_initial) && is_same(&other.claim, &claim, &mut Vec::new())
        };
        if self.assertions.iter().any(is_it) {
            return;
        }
        let plain = format!("L{}", line(at));
        let number = |count: usize| if count == 1 { plain.clone() } else { format!("{plain}.{count}") };
        let is_new = |label: &String| self.assertions.iter().all(|other| other.label != *label);
        let label = (1..).map(number).find(is_new).unwrap_or_default();
        self.assertions.push(Assertion { label, is_initial, claim, at });
    }

    /// Adds the initial part, about the state after it. Constants stand for its variables, and other symbols for what
    /// symbols were before it.
    fn initial(&mut self, outcome: &Outcome, names: &[String], line: &dyn Fn(usize) -> usize) -> Result<()> {
        let mut constants = Values::new();
        for (param, name) in outcome.params.iter().zip(names) {
            let symbol = self.add(format!("{name}@init"), Vec::new(), self.sorts[*param], Kind::Rigid);
            constants.insert(*param, applied(symbol, Vec::new()));
        }
        let axioms = self.state_axioms();
        let is_changed = |what: &What| matches!(what, What::Symbol(it) if outcome.updates.contains_key(it));
        let old: Vec<&Term> = axioms.iter().filter(|axiom| axiom.has(&is_changed)).collect();
        let assertions = outcome.assertions.iter().map(|(claim, _)| claim);
        let assumed = old.iter().copied().chain(&outcome.assumptions);
        let read: Vec<&Term> = assumed.chain(outcome.updates.values()).chain(assertions).collect();
        let mut before = Values::new();
        for symbol in outcome.updates.keys() {
            if read.iter().any(|it| it.has(&|what| *what == What::Symbol(*symbol))) {
                let Symbol { name, args, result, .. } = &self.model.symbols[*symbol];
                let (name, args, result) = (format!("{name}@before"), args.clone(), *result);
                let added = self.add(name, args, result, Kind::Rigid);
                let args = self.heads[*symbol].iter().copied().map(variable).collect();
                before.insert(*symbol, applied(added, args));
            }
        }
        for formula in old.into_iter().chain(&outcome.assumptions) {
            let formula = self.rewritten(formula, &constants, &before)?;
            self.inits.push(formula);
        }
        for (symbol, value) in &outcome.updates {
            let value = self.rewritten(value, &constants, &before)?;
            let equal = operator("=", vec![self.read(*symbol), value]);
            self.inits.push(block("!", self.heads[*symbol].clone(), equal));
        }
        let mut assumed = Vec::new();
        for axiom in &axioms {
            assumed.push(self.rewritten(axiom, &constants, &before)?);
        }
        for (claim, at) in &outcome.assertions {
            let claim = self.rewritten(claim, &constants, &before)?;
            let claim = match &assumed[..] {
                [] => claim,
                _ => operator(">", vec![joined("&", assumed.clone()), claim]),
            };
            self.claim(claim, *at, true, line);
        }
        Ok(())
    }
}
