//! Translation of a program (Ivy, PLDI 2016, Section 3.1) to a transition system: `init; while * do actions; final`.

mod capture;
pub mod compose;

use std::sync::Arc;

use crate::base::hash::Map;
use crate::base::span::Span;
use crate::logic::{
    Annotation, Signature, SortId, SymId, Symbol, SymbolKind, SymbolOrigin, TermId, Terms, VarId,
};
use crate::system::command::{Assignment, Command};
use crate::system::model::{Assertion, Effect, Init, Site, System, Transition};
use capture::captured;
pub use compose::choice_bit;
use compose::{Composition, Names, TooLarge, compose, definition, substitute};

/// The size of the formulas and terms of a part, as trees, above which it has names for what it reads.
const MAX_PLAIN_SIZE: usize = 20_000;

/// A command with its variables.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name of the part.
    pub name: String,
    /// Declared parameters, locals, and values of `havoc`, in this order.
    pub params: Vec<VarId>,
    /// The command; its free variables are `params`.
    pub command: Command,
    /// The declaration.
    pub span: Span,
}

/// A program, with its declarations already in the [`System`]. Its loop executes any of the actions, any number of
/// times.
#[derive(Clone, Debug)]
pub struct Program {
    /// The initial part, executed from any state that satisfies the axioms.
    pub init: Option<Part>,
    /// The actions of the loop.
    pub actions: Vec<Part>,
    /// The final part, after the loop.
    pub last: Option<Part>,
}

/// Adds the meaning of a program to a system: transitions, initial conditions, and assertions. The system must have the
/// signature, the axioms, and, as [`System::derived`] without symbol, the axioms about mutable symbols, and say whether
/// these hold after each change. `label` returns
/// the name of the assertion at a position; a number distinguishes assertions of equal name.
///
/// Assertions of several actions are merged if position and formula are equal (up to renaming of bound variables), as
/// in a command with which all of them begin.
///
/// # Errors
/// Returns an error if a formula becomes too large.
pub fn build(system: &mut System, program: Program, label: impl Fn(Span) -> String) -> Result<(), TooLarge> {
    let axioms = system.axioms_of_changes();
    let mut claims = Claims { label: &label, found: Vec::new() };
    if let Some(part) = program.init {
        initial(system, part, &mut claims)?;
    }
    // The initial part and an action can occur in one step, so they share no symbols.
    let mut names = Names::default();
    for part in program.actions {
        let (part, composition) = composed(&mut system.sig, &mut system.terms, &mut names, &axioms, part)?;
        claims.add(&mut system.terms, Site::Transition(system.transitions.len()), &part, &composition);
        system.transitions.push(Transition {
            name: part.name,
            modifies: composition.modifies(),
            body: composition.body(system.terms.over_mut(&system.sig)),
            params: part.params,
            command: Some(Arc::new(part.command)),
            effect: Some(Effect { assumptions: composition.assumptions, updates: composition.updates }),
            span: part.span,
        });
    }
    if let Some(part) = program.last {
        let (part, composition) = composed(&mut system.sig, &mut system.terms, &mut names, &axioms, part)?;
        claims.add(&mut system.terms, Site::Final, &part, &composition);
        system.final_command = Some(Arc::new(part.command));
    }
    system.assertions.extend(claims.found);
    Ok(())
}

/// Returns the meaning of a part. If it is large, the part gets names for what it reads where they make it smaller.
fn composed(
    sig: &mut Signature,
    terms: &mut Terms,
    names: &mut Names,
    axioms: &[TermId],
    part: Part,
) -> Result<(Part, Composition), TooLarge> {
    let plain = compose(sig, terms, names, axioms, &part.command);
    let size = plain.as_ref().map_or(usize::MAX, |it| it.size(terms));
    if size <= MAX_PLAIN_SIZE {
        return plain.map(|composition| (part, composition));
    }
    let named = captured(sig, terms, &part);
    match compose(sig, terms, names, axioms, &named.command) {
        Ok(composition) if composition.size(terms) < size => Ok((named, composition)),
        _ => plain.map(|composition| (part, composition)),
    }
}

/// The assertions collected so far.
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

/// Adds the initial part, as formulas over the state after it. Immutable symbols stand for the values that symbols have
/// before it and for the part's variables.
fn initial(system: &mut System, part: Part, claims: &mut Claims<'_>) -> Result<(), TooLarge> {
    let (axioms, of_changes) = (system.axioms_of_states(), system.axioms_of_changes());
    let System { sig, terms, .. } = system;
    let (part, composition) = composed(sig, terms, &mut Names::default(), &of_changes, part)?;
    let mut constants = Map::default();
    for &param in &part.params {
        let info = terms.var_info(param);
        let (name, sort) = (format!("{}@init", info.name), info.sort);
        let constant = ghost(sig, part.span, name, Vec::new(), sort);
        system.init_params.push((param, constant));
        constants.insert(param, terms.app(sig, constant, 0, &[]));
    }
    // The old values that are mentioned determine which symbols are added.
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
        let formula =
            substitute(terms.over_mut(sig), &ghosts, formula).ok_or(TooLarge { span: part.span })?;
        Ok(terms.substitute(formula, &constants))
    };
    let mut formulas = Vec::new();
    for &formula in old_axioms.iter().chain(&composition.assumptions) {
        formulas.push(before(terms, formula)?);
    }
    for update in &composition.updates {
        let value = before(terms, update.value)?;
        formulas.push(definition(terms.over_mut(sig), &Assignment { value, ..update.clone() }, 0));
    }
    let inits = formulas.into_iter().map(|formula| Init { name: None, formula, span: part.span });
    system.inits.extend(inits);
    let mut axioms_before = Vec::new();
    for &axiom in &axioms {
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

/// Adds an immutable symbol that is internal and not printed. Its name is `plain`, made unique if necessary.
fn ghost(sig: &mut Signature, span: Span, plain: String, args: Vec<SortId>, result: SortId) -> SymId {
    let mut name = plain.clone();
    let mut count = 1;
    while sig.symbols.iter().any(|symbol| symbol.name == name) {
        count += 1;
        name = format!("{plain}.{count}");
    }
    let annotations = vec![Annotation { name: "no_print".into(), args: Vec::new(), span }];
    let symbol = Symbol::new(name, args, result, SymbolKind::Immutable);
    sig.symbols.push(Symbol { origin: SymbolOrigin::Internal, annotations, ..symbol })
}
