//! From a program (Ivy, PLDI 2016, Section 3.1) to a transition system: `init; while * do actions; final`.

pub mod compose;

use std::sync::Arc;

use crate::base::hash::Map;
use crate::base::span::Span;
use crate::logic::{Annotation, Signature, SortId, SymId, Symbol, SymbolKind, TermId, Terms, VarId};
use crate::system::command::{Assignment, Command};
use crate::system::model::{Assertion, Init, Site, System, Transition};
pub use compose::choice_bit;
use compose::{Composition, Names, TooLarge, compose, definition, substitute};

/// A command and its variables.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is called.
    pub name: String,
    /// Declared parameters, locals, and values of `havoc`, in this order.
    pub params: Vec<VarId>,
    /// What it does; free in `params`.
    pub command: Command,
    /// The declaration.
    pub span: Span,
}

/// A program. Its declarations are in the [`System`] already; its loop executes any of the actions, any
/// number of times.
#[derive(Clone, Debug)]
pub struct Program {
    /// What leads to the initial states, from any state that satisfies the axioms.
    pub init: Option<Part>,
    /// What the loop may do.
    pub actions: Vec<Part>,
    /// What comes after the loop.
    pub last: Option<Part>,
}

/// Adds what the program means to a system that has its signature, its axioms, and as [`System::derived`]
/// without symbol the axioms that speak of mutable symbols: transitions, initial conditions, and the
/// assertions. `label` names the assertion at a place; a number distinguishes assertions that would have one
/// name.
///
/// Assertions of several actions are one if place and formula are the same (but for the names of bound
/// variables), as in a command that all of them begin with.
///
/// # Errors
/// A formula grows too large.
pub fn build(system: &mut System, program: Program, label: impl Fn(Span) -> String) -> Result<(), TooLarge> {
    let axioms: Vec<TermId> =
        system.derived.iter().filter(|derived| derived.sym.is_none()).map(|derived| derived.axiom).collect();
    let mut claims = Claims { label: &label, found: Vec::new() };
    if let Some(part) = program.init {
        initial(system, &axioms, part, &mut claims)?;
    }
    // The initial part is followed by an action in one step, and shares no symbols with it.
    let mut names = Names::default();
    for part in program.actions {
        let composition = compose(&mut system.sig, &mut system.terms, &mut names, &axioms, &part.command)?;
        claims.add(&mut system.terms, Site::Transition(system.transitions.len()), &part, &composition);
        system.transitions.push(Transition {
            name: part.name,
            modifies: composition.modifies(),
            body: composition.body(&system.sig, &mut system.terms),
            params: part.params,
            command: Some(Arc::new(part.command)),
            span: part.span,
        });
    }
    if let Some(part) = program.last {
        let composition = compose(&mut system.sig, &mut system.terms, &mut names, &axioms, &part.command)?;
        claims.add(&mut system.terms, Site::Final, &part, &composition);
        system.final_command = Some(Arc::new(part.command));
    }
    system.assertions.extend(claims.found);
    Ok(())
}

/// The assertions found so far.
struct Claims<'a> {
    label: &'a dyn Fn(Span) -> String,
    found: Vec<Assertion>,
}

impl Claims<'_> {
    fn add(&mut self, terms: &mut Terms, site: Site, part: &Part, composition: &Composition) {
        for &(formula, span) in &composition.assertions {
            let free = terms.free_vars(formula);
            let params: Vec<VarId> =
                part.params.iter().copied().filter(|param| free.contains(param)).collect();
            let formula = terms.forall(&params, formula);
            self.claim(terms, site, formula, span);
        }
    }

    fn claim(&mut self, terms: &Terms, site: Site, formula: TermId, span: Span) {
        let is_action = |site| matches!(site, Site::Transition(_));
        let known = self.found.iter().any(|other| {
            other.span == span
                && (other.site == site || is_action(other.site) && is_action(site))
                && terms.alpha_equal(other.formula, formula)
        });
        if known {
            return;
        }
        let plain = (self.label)(span);
        let mut label = plain.clone();
        let mut count = 1;
        while self.found.iter().any(|other| other.label == label) {
            count += 1;
            label = format!("{plain}.{count}");
        }
        self.found.push(Assertion { label, site, formula, span });
    }
}

/// The initial part: formulas over the state after it. The value that a symbol has before it, and the values
/// of the part's variables, are immutable symbols.
fn initial(
    system: &mut System,
    axioms: &[TermId],
    part: Part,
    claims: &mut Claims<'_>,
) -> Result<(), TooLarge> {
    let System { sig, terms, .. } = system;
    let composition = compose(sig, terms, &mut Names::default(), axioms, &part.command)?;
    let mut constants = Map::default();
    for &param in &part.params {
        let info = terms.var_info(param);
        let (name, sort) = (format!("{}@init", info.name), info.sort);
        let constant = ghost(sig, part.span, name, Vec::new(), sort);
        system.init_params.push((param, constant));
        constants.insert(param, terms.app(sig, constant, 0, &[]));
    }
    // Which old values are spoken of decides which symbols there are.
    let changed = composition.modifies();
    let old_axioms: Vec<TermId> = axioms
        .iter()
        .copied()
        .filter(|&axiom| changed.iter().any(|sym| terms.symbols(axiom).contains(sym)))
        .collect();
    let mut spoken: Vec<TermId> = composition.assumptions.clone();
    spoken.extend(composition.updates.iter().map(|update| update.value));
    spoken.extend(composition.assertions.iter().map(|&(formula, _)| formula));
    spoken.extend(&old_axioms);
    let spoken = terms.and(&spoken);
    let spoken = terms.symbols(spoken);
    let mut ghosts = Vec::new();
    for &sym in changed.iter().filter(|sym| spoken.contains(sym)) {
        let symbol = &sig.symbols[sym];
        let (name, sorts, result) = (format!("{}@before", symbol.name), symbol.args.clone(), symbol.result);
        let before = ghost(sig, part.span, name, sorts.clone(), result);
        system.init_before.push((sym, before));
        let vars: Vec<VarId> = sorts.iter().map(|&sort| terms.new_var("X", sort)).collect();
        let args: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let value = terms.app(sig, before, 0, &args);
        ghosts.push(Assignment { sym, vars, value });
    }
    let before = |terms: &mut Terms, formula: TermId| {
        let formula = substitute(sig, terms, &ghosts, formula).ok_or(TooLarge { span: part.span })?;
        Ok(terms.substitute(formula, &constants))
    };
    let mut formulas = Vec::new();
    for &formula in old_axioms.iter().chain(&composition.assumptions) {
        formulas.push(before(terms, formula)?);
    }
    for update in &composition.updates {
        let value = before(terms, update.value)?;
        formulas.push(definition(sig, terms, &Assignment { value, ..update.clone() }, 0));
    }
    let inits = formulas.into_iter().map(|formula| Init { name: None, formula, span: part.span });
    system.inits.extend(inits);
    let mut axioms_before = Vec::new();
    for &axiom in axioms {
        axioms_before.push(before(terms, axiom)?);
    }
    for &(formula, span) in &composition.assertions {
        let claim = before(terms, formula)?;
        let claim = if axioms_before.is_empty() {
            claim
        } else {
            let assumed = terms.and(&axioms_before);
            terms.implies(assumed, claim)
        };
        claims.claim(terms, Site::Init, claim, span);
    }
    system.init_command = Some(Arc::new(part.command));
    Ok(())
}

/// An immutable symbol that is not declared and not printed, of a name like this that no other symbol has.
/// The names of symbols made here have an `@`, which no identifier has.
fn ghost(sig: &mut Signature, span: Span, plain: String, args: Vec<SortId>, result: SortId) -> SymId {
    let mut name = plain.clone();
    let mut count = 1;
    while sig.symbols.iter().any(|symbol| symbol.name == name) {
        count += 1;
        name = format!("{plain}.{count}");
    }
    let annotations = vec![Annotation { name: "no_print".into(), args: Vec::new(), span }];
    sig.symbols.push(Symbol { name, args, result, kind: SymbolKind::Immutable, annotations, span: None })
}
