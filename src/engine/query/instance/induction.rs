//! A safe instance as a proof by induction: about the structures of its sizes, whose elements have names.

use std::sync::Arc;

use super::Instances;
use crate::elaborate::{Certificate, assemble};
use crate::query::outcome::{ObligationResult, Outcome};
use crate::query::verify::{Limits, Options, Plan};
use ramsey_circuit::finite::{Atom, Instance, Meaning, Sizes, enumerations, is_immutable};
use ramsey_circuit::hwmc::{self, Method, Proof};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::logic::{
    Elem, Signature, SortId, SymId, Symbol, SymbolKind, SymbolOrigin, TermId, element_name,
};
use ramsey_core::system::{Axiom, Invariant, System};
use ramsey_kernel::check::format::Claim;
use ramsey_kernel::obligations::{Origin, Property, Question};

/// Maximum number of elements of a sort that have names: the axiom that they are different has a part for each pair.
const MAX_NAMED: u32 = 100;

/// A proof that a system is safe in structures of some sizes.
#[derive(Debug)]
pub struct Induction {
    /// The system with constants for the elements of each sort, the axioms that there are these and no others, and an
    /// inductive invariant in place of all that was not asked about.
    pub system: System,
    /// The answers to its obligations, all of which hold, with their certificates.
    pub results: Vec<ObligationResult>,
}

/// Why there is no such proof.
#[derive(Debug)]
pub enum NoInduction {
    /// A budget ran out.
    Exhausted(Exhausted),
    /// A sort has too many elements.
    TooLarge(SortId),
    /// Internal inconsistency of the tool.
    Internal(String),
}

impl From<Exhausted> for NoInduction {
    fn from(exhausted: Exhausted) -> NoInduction {
        NoInduction::Exhausted(exhausted)
    }
}

impl Instances {
    /// Shows again, by induction, that the instance is safe: `system` is that of the instance, and has all of these properties. The
    /// circuits must have been prepared for it, and be about all structures of these sizes, not about some up to isomorphism.
    ///
    /// # Errors
    /// Returns why there is no proof.
    pub fn induction(
        &self,
        system: &System,
        properties: &[Property],
        proof: &Proof,
        limits: &Limits,
    ) -> Result<Induction, NoInduction> {
        let again;
        let proof = if proof.induction > 1 {
            // The obligations are about one step.
            again = self.by_reachability(limits)?;
            &again
        } else {
            proof
        };
        let system = Arc::new(named(system, &self.main, properties, proof)?);
        let options = Options { certify: true, all: true, seed: self.seed, ..Options::default() };
        let plan = Plan::new(Arc::clone(&system), options);
        let mut results = Vec::new();
        for group in 0..plan.groups() {
            for result in plan.run_group(group, limits).results {
                match &result.outcome {
                    Outcome::Holds { .. } => results.push(result),
                    Outcome::Unknown(exhausted) => return Err(NoInduction::Exhausted(*exhausted)),
                    Outcome::InternalError(what) => return Err(NoInduction::Internal(what.clone())),
                    Outcome::Fails(_) | Outcome::Skipped => {
                        return Err(NoInduction::Internal("the invariant of the circuit is none".into()));
                    }
                }
            }
        }
        drop(plan);
        let mut system = Arc::unwrap_or_clone(system);
        // Nobody reads this certificate: the model has no such invariants. But the checker tells whether the proofs are right.
        let beside = system.beside.take();
        let claim = Claim { question: Question::Verify, beside: None, proved: true };
        let blocks: Vec<(Origin, &Certificate)> =
            results.iter().filter_map(|it| Some((it.origin, it.certificate.as_ref()?))).collect();
        assemble(&system, "", &claim, &blocks, false)
            .map_err(|rejected| NoInduction::Internal(rejected.message))?;
        system.beside = beside;
        Ok(Induction { system, results })
    }

    /// Searches for an invariant that implies the property.
    fn by_reachability(&self, limits: &Limits) -> Result<Proof, NoInduction> {
        let options = hwmc::Options { method: Method::Reachability, seed: self.seed };
        match hwmc::check(self.main.circuit(), 0, &options, &mut limits.budget()) {
            Some((hwmc::Outcome::Safe(proof), _)) => Ok(proof),
            Some((hwmc::Outcome::Unknown { exhausted, .. }, _)) => Err(NoInduction::Exhausted(exhausted)),
            _ => Err(NoInduction::Internal("two searches disagree about the circuit".into())),
        }
    }
}

/// Returns the system with names for the elements of an instance, and what is claimed of it: the properties, and what the proof
/// needs.
fn named(
    system: &System,
    instance: &Instance,
    properties: &[Property],
    proof: &Proof,
) -> Result<System, NoInduction> {
    let mut named = system.without_proofs();
    named.theorems.clear();
    named.traces.clear();
    named.goals.clear();
    named.instances.clear();
    // What is asked about is shown, however the source wants it to be.
    named.admitted.clear();
    (named.method, named.called_back) = (None, None);
    let has = |property: Property| properties.contains(&property);
    let is_beside = named.invariants.len().checked_sub(1).is_some_and(|last| has(Property::Invariant(last)));
    named.beside.take_if(|_| !is_beside);
    let mut at = 0..;
    named.assertions.retain(|_| at.next().is_some_and(|at| has(Property::Assertion(at))));
    let mut at = 0..;
    named.invariants.retain(|_| at.next().is_some_and(|at| has(Property::Invariant(at))));
    named.invariants.iter_mut().for_each(|it| it.is_safety = true);
    let elements = elements(&mut named, instance.sizes())?;
    let mut invariants = Vec::new();
    let mut facts: Vec<TermId> = Vec::new();
    for (atom, value) in instance.facts() {
        let is_named = elements.iter().flatten().any(|it| it.sym == atom.sym);
        if !is_named {
            facts.push(literal(&mut named, &elements, atom, value)?);
        }
    }
    if instance.is_empty() {
        // Initial conditions contradict each other.
        facts = vec![named.terms.fals()];
    }
    if !facts.is_empty() {
        let facts = named.terms.and(&facts);
        invariants.push(invariant("facts".to_owned(), facts));
    }
    let initial: Vec<TermId> = named.inits.iter().map(|it| it.formula).collect();
    let about_all_states = initial.into_iter().filter(|&it| is_immutable(&named, it));
    for (at, formula) in about_all_states.enumerate() {
        invariants.push(invariant(format!("initial_{}", at + 1), formula));
    }
    let clauses = proof.invariant.iter().filter_map(|clause| instance.clause(clause));
    for (at, clause) in clauses.enumerate() {
        let literals: Result<Vec<TermId>, NoInduction> =
            clause.iter().map(|(atom, value)| literal(&mut named, &elements, atom, *value)).collect();
        let clause = named.terms.or(&literals?);
        invariants.push(invariant(format!("clause_{}", at + 1), clause));
    }
    // What is claimed beside the source stays the last one.
    invariants.append(&mut named.invariants);
    named.invariants = invariants;
    Ok(named)
}

/// Returns an invariant that no source has.
fn invariant(label: String, formula: TermId) -> Invariant {
    Invariant { name: None, label, formula, is_safety: false, span: nowhere() }
}

fn nowhere() -> Span {
    Span { file: FileId::new(0), start: 0, end: 0 }
}

/// An element with its name.
struct Named {
    sym: SymId,
    term: TermId,
}

/// The elements of each sort.
type Elements = IdVec<SortId, Vec<Named>>;

/// Names the elements of all sorts, by constants for which there are axioms, unless the axioms name them already.
fn elements(system: &mut System, sizes: &Sizes) -> Result<Elements, NoInduction> {
    let mut elements: Elements = IdVec::new();
    system.sig.sorts.ids().for_each(|_| {
        elements.push(Vec::new());
    });
    for known in enumerations(system) {
        for sym in known.constants {
            let term = system.terms.app(&system.sig, sym, 0, &[]);
            elements[known.sort].push(Named { sym, term });
        }
    }
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    for sort in sorts {
        if !elements[sort].is_empty() {
            continue;
        }
        if sizes[sort] > MAX_NAMED {
            return Err(NoInduction::TooLarge(sort));
        }
        for element in 0..sizes[sort] {
            let name = unused(&system.sig, element_name(&system.sig, sort, element));
            let constant = Symbol::new(name, Vec::new(), sort, SymbolKind::Immutable);
            let sym = system.sig.symbols.push(Symbol { origin: SymbolOrigin::Internal, ..constant });
            let term = system.terms.app(&system.sig, sym, 0, &[]);
            elements[sort].push(Named { sym, term });
        }
        let terms = &mut system.terms;
        let names: Vec<TermId> = elements[sort].iter().map(|it| it.term).collect();
        let variable = terms.new_var("X", sort);
        let value = terms.var(variable);
        let cases: Vec<TermId> = names.iter().map(|&name| terms.eq(value, name)).collect();
        let one_of_them = terms.or(&cases);
        let no_others = terms.forall(&[variable], one_of_them);
        let different = terms.distinct(&names);
        let formula = if names.len() > 1 { terms.and(&[no_others, different]) } else { no_others };
        let declared = &system.sig.sorts[sort];
        let name = Some(format!("elements_{}", declared.name));
        system.axioms.push(Axiom { name, formula, span: declared.span.unwrap_or(nowhere()) });
    }
    Ok(elements)
}

/// Returns a name that no symbol has.
fn unused(sig: &Signature, mut name: String) -> String {
    while sig.symbols.iter().any(|symbol| symbol.name == name) {
        name.push('_');
    }
    name
}

/// Returns the formula that an atom has this value.
fn literal(
    system: &mut System,
    elements: &Elements,
    atom: &Atom,
    value: bool,
) -> Result<TermId, NoInduction> {
    let unnamed = || NoInduction::Internal("an element of the circuit has no name".into());
    let of = |sort: SortId, element: Elem| {
        elements[sort].get(element as usize).map(|it| it.term).ok_or_else(unnamed)
    };
    let System { sig, terms, .. } = system;
    let symbol = &sig.symbols[atom.sym];
    let args: Result<Vec<TermId>, NoInduction> =
        symbol.args.iter().zip(&atom.args).map(|(&sort, &element)| of(sort, element)).collect();
    let term = terms.app(sig, atom.sym, 0, &args?);
    let formula = match atom.meaning {
        Meaning::Holds => term,
        Meaning::Is(element) => terms.eq(term, of(symbol.result, element)?),
        Meaning::Bit(bit) => {
            let with_bit = elements[symbol.result].iter().enumerate().filter(|(at, _)| at >> bit & 1 == 1);
            let cases: Vec<TermId> = with_bit.map(|(_, it)| terms.eq(term, it.term)).collect();
            terms.or(&cases)
        }
    };
    Ok(if value { formula } else { terms.not(formula) })
}
