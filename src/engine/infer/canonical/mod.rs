//! The canonical form of a system, which does not depend on what means nothing.
//!
//! A search decides between choices that are equally good by the order of ids. Where sorts, symbols, transitions and
//! claims are declared in another order, where a symbol is declared and never used, where copies of a formula have the same
//! bound variables or others, where the quantifiers of a claim stand in front of it or inside: all of that would be
//! another search, with more or less luck. So a search runs on the canonical form, and what it finds is
//! translated back (`back`). Ids are in the order of colours there (`colors`), which follow from the formulas alone.

mod back;
mod colors;
mod levels;
#[cfg(test)]
mod tests;
mod translate;
mod witnesses;

use std::sync::Arc;

pub(super) use self::back::Retold;
use self::colors::{Colors, Root};
use self::levels::Levels;
use self::translate::{Names, Order, Translator};
use self::witnesses::{Witnesses, named};
use super::outcome::{Candidate, Options, QuantifierPrefix, Template};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::term::LARGE_TREE;
use ramsey_core::logic::{Node, Signature, SortId, SymId, TermId, Terms, VarId};
use ramsey_core::system::{
    Assertion, Assignment, Axiom, Derived, Effect, Init, Invariant, Site, System, Transition,
};
use ramsey_kernel::obligations::Property;
use ramsey_solver::formulas::Normalizer;

/// What a formula is there for.
mod role {
    pub(super) const AXIOM: u64 = 1;
    pub(super) const DERIVED: u64 = 2;
    pub(super) const INIT: u64 = 3;
    pub(super) const INVARIANT: u64 = 4;
    pub(super) const ASSERTION: u64 = 5;
    pub(super) const BODY: u64 = 6;
    pub(super) const MODIFIED: u64 = 7;
    pub(super) const ASSUMPTION: u64 = 8;
    pub(super) const UPDATE: u64 = 9;
    pub(super) const CANDIDATE: u64 = 10;
}

/// Work units for the normal form of a claim. One that takes more stays as it is.
const NORMAL_FORM: u64 = 1_000_000;

/// A system in canonical form, with the way back.
#[derive(Debug)]
pub(super) struct Canonical {
    /// The canonical form. Its safety properties are those of the search.
    pub(super) system: Arc<System>,
    /// The options in terms of the canonical form.
    pub(super) options: Options,
    /// The system as it was given, with the claims among its terms.
    original: Arc<System>,
    /// From canonical ids to those of the original, which has no constants for what axioms say exists.
    names: Names,
    witnesses: Vec<Witnesses>,
    /// By canonical number, the original one and the original places of its parameters.
    transitions: Vec<(usize, Vec<usize>)>,
    /// By canonical number, the number of the property in the original order.
    numbers: Vec<usize>,
    /// The properties in the original order.
    properties: Vec<Property>,
    /// By the formula of a candidate, that of the original.
    candidates: Map<TermId, TermId>,
}

impl Canonical {
    /// Brings a system with these properties into canonical form, where `claims` are the formulas of the properties for all
    /// values of their choices. None of the properties is about the part before the initial states.
    pub(super) fn new(
        original: &Arc<System>,
        properties: &[Property],
        claims: &[TermId],
        options: &Options,
    ) -> Canonical {
        let (given, mut witnesses) = named(original);
        let mut parts = Parts::of(&given, properties, claims, options);
        let colors = Colors::new(&given.sig, &parts.terms, &parts.roots());
        let used = Used::new(&given, &parts, &colors, options);
        let levels = Levels::new(&given.sig, &parts);
        let (sorts, symbols) = (used.sorts(&colors), used.symbols(&colors, &levels));
        let forth = Names {
            sorts: inverse(&sorts, given.sig.sorts.len()),
            symbols: inverse(&symbols, given.sig.symbols.len()),
        };
        let sig = signature(&given.sig, &forth, &sorts, &symbols);
        witnesses.iter_mut().for_each(|it| it.settle(&forth));
        let is_original = |sym: &SymId| sym.index() < original.sig.symbols.len();
        let names = Names {
            sorts: sorts.iter().copied().map(Some).collect(),
            symbols: symbols.iter().map(|&sym| Some(sym).filter(is_original)).collect(),
        };
        parts.sort(&colors, &levels);
        let mut builder = Builder {
            parts: &parts,
            colors: &colors,
            translator: Translator::new(&parts.terms, &forth, &sig, Order::Colors(&colors)),
            terms: Terms::new(),
        };
        let (mut system, transitions) = builder.system(&given);
        let tried = builder.candidates(options);
        let candidates = tried.iter().zip(&options.candidates);
        let candidates = candidates.map(|(it, from)| (it.formula, from.formula)).collect();
        system.terms = builder.terms;
        system.sig = sig;
        system.axioms_after_changes = original.axioms_after_changes;
        let options = Options {
            candidates: tried,
            template: options.template.as_ref().map(|it| template(it, &forth)),
            prefixes: options.prefixes.iter().map(|it| prefix(it, &forth)).collect(),
            ..options.clone()
        };
        let numbers = parts.claims.iter().map(|claim| claim.number).collect();
        let (system, original) = (Arc::new(system), Arc::clone(original));
        let properties = properties.to_vec();
        Canonical {
            system,
            options,
            original,
            names,
            witnesses,
            transitions,
            numbers,
            properties,
            candidates,
        }
    }
}

/// Returns the new id of each old one.
fn inverse<I: ramsey_core::base::ids::Id>(order: &[I], len: usize) -> IdVec<I, Option<I>> {
    let mut places = IdVec::filled(len, None);
    order.iter().enumerate().for_each(|(place, &id)| places[id] = Some(I::new(place)));
    places
}

fn signature(sig: &Signature, forth: &Names, sorts: &[SortId], symbols: &[SymId]) -> Signature {
    let mut result = Signature { sorts: IdVec::new(), symbols: IdVec::new(), notation: sig.notation };
    for &sort in sorts {
        result.sorts.push(sig.sorts[sort].clone());
    }
    for &sym in symbols {
        let mut symbol = sig.symbols[sym].clone();
        // The sorts of a symbol that is used are used.
        let sort = |sort: SortId| forth.sorts[sort].unwrap_or(SortId::BOOL);
        symbol.args.iter_mut().for_each(|arg| *arg = sort(*arg));
        symbol.result = sort(symbol.result);
        result.symbols.push(symbol);
    }
    result
}

fn template(template: &Template, forth: &Names) -> Template {
    let variables = template.variables.iter().filter_map(|&(sort, count)| Some((forth.sorts[sort]?, count)));
    let symbols = template.symbols.as_ref();
    let symbols = symbols.map(|symbols| symbols.iter().filter_map(|&sym| forth.symbols[sym]).collect());
    Template { variables: variables.collect(), literals: template.literals, symbols }
}

fn prefix(prefix: &QuantifierPrefix, forth: &Names) -> QuantifierPrefix {
    let of = |sorts: &[SortId]| sorts.iter().filter_map(|&sort| forth.sorts[sort]).collect();
    QuantifierPrefix { outer: of(&prefix.outer), witnesses: of(&prefix.witnesses), inner: of(&prefix.inner) }
}

/// The claim of a property.
#[derive(Clone, Copy, Debug)]
struct Claimed {
    property: Property,
    /// The number of the property in the original order.
    number: usize,
    formula: TermId,
}

/// A transition whose formulas have variables of their own.
#[derive(Clone, Debug)]
struct Step {
    /// The number of the transition.
    number: usize,
    params: Vec<VarId>,
    modifies: Vec<SymId>,
    body: TermId,
    effect: Option<Effect>,
}

/// The formulas of a system. Each has its own bound variables, and one for each quantifier.
struct Parts {
    terms: Terms,
    axioms: Vec<(usize, TermId)>,
    derived: Vec<(usize, TermId)>,
    inits: Vec<(usize, TermId)>,
    claims: Vec<Claimed>,
    steps: Vec<Step>,
    candidates: Vec<TermId>,
}

impl Parts {
    fn of(system: &System, properties: &[Property], claims: &[TermId], options: &Options) -> Parts {
        let mut terms = system.terms.clone();
        let mut normalizer = Normalizer::default();
        let mut normal = |terms: &mut Terms, formula: TermId| {
            let mut budget = Budget::new(Some(NORMAL_FORM), None);
            let normal = normalizer.within(terms, formula, true, &mut budget).unwrap_or(formula);
            apart(terms, normal)
        };
        let claims = properties.iter().zip(claims).enumerate().map(|(number, (&property, &claim))| {
            let formula = normal(&mut terms, claim);
            Claimed { property, number, formula }
        });
        let claims = claims.collect();
        let mut list = |formulas: &mut dyn Iterator<Item = TermId>| -> Vec<(usize, TermId)> {
            formulas.map(|formula| apart(&mut terms, formula)).enumerate().collect()
        };
        let axioms = list(&mut system.axioms.iter().map(|it| it.formula));
        let derived = list(&mut system.derived.iter().map(|it| it.axiom));
        let inits = list(&mut system.inits.iter().map(|it| it.formula));
        let candidates = list(&mut options.candidates.iter().map(|it| it.formula));
        let candidates = candidates.into_iter().map(|(_, formula)| formula).collect();
        let steps = system.transitions.iter().enumerate();
        let steps = steps.map(|(number, transition)| step(&mut terms, number, transition)).collect();
        Parts { terms, axioms, derived, inits, claims, steps, candidates }
    }

    /// Returns all formulas with what they are there for.
    fn roots(&self) -> Vec<Root> {
        let plain = |term, role| Root { term, role, sym: None, vars: Vec::new(), params: Vec::new() };
        let mut roots: Vec<Root> = Vec::new();
        roots.extend(self.axioms.iter().map(|it| plain(it.1, role::AXIOM)));
        roots.extend(self.derived.iter().map(|it| plain(it.1, role::DERIVED)));
        roots.extend(self.inits.iter().map(|it| plain(it.1, role::INIT)));
        roots.extend(self.claims.iter().map(|it| match it.property {
            Property::Invariant(_) => plain(it.formula, role::INVARIANT),
            Property::Assertion(_) => plain(it.formula, role::ASSERTION),
        }));
        for step in &self.steps {
            roots.push(Root { params: step.params.clone(), ..plain(step.body, role::BODY) });
            let modified = |&sym: &SymId| Root { sym: Some(sym), ..plain(step.body, role::MODIFIED) };
            roots.extend(step.modifies.iter().map(modified));
            if let Some(effect) = &step.effect {
                roots.extend(effect.assumptions.iter().map(|&it| plain(it, role::ASSUMPTION)));
                roots.extend(effect.updates.iter().map(|it| {
                    let (sym, vars) = (Some(it.sym), it.vars.clone());
                    Root { sym, vars, ..plain(it.value, role::UPDATE) }
                }));
            }
        }
        roots.extend(self.candidates.iter().map(|&it| plain(it, role::CANDIDATE)));
        roots
    }

    /// Brings lists whose order means nothing into that of colours.
    fn sort(&mut self, colors: &Colors, levels: &Levels) {
        let color = |it: &(usize, TermId)| colors.terms[it.1];
        self.axioms.sort_by_key(color);
        self.derived.sort_by_key(color);
        self.inits.sort_by_key(color);
        // Invariants come before assertions, as everywhere.
        self.claims
            .sort_by_key(|it| (matches!(it.property, Property::Assertion(_)), colors.terms[it.formula]));
        self.steps.sort_by_key(|step| (levels.steps[step.number], colors.terms[step.body]));
    }
}

/// Returns a transition whose formulas have variables of their own.
fn step(terms: &mut Terms, number: usize, transition: &Transition) -> Step {
    let body = apart(terms, transition.body);
    let effect = transition.effect.as_ref().map(|effect| Effect {
        assumptions: effect.assumptions.iter().map(|&it| apart(terms, it)).collect(),
        updates: effect.updates.iter().map(|it| own(terms, it)).collect(),
    });
    let (params, modifies) = (transition.params.clone(), transition.modifies.clone());
    Step { number, params, modifies, body, effect }
}

/// Returns an update with variables of its own.
fn own(terms: &mut Terms, update: &Assignment) -> Assignment {
    let vars: Vec<VarId> = update.vars.iter().map(|&var| terms.copy_var(var)).collect();
    let copies: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
    let map = update.vars.iter().copied().zip(copies).collect();
    let value = terms.substitute(update.value, &map);
    Assignment { sym: update.sym, vars, value: apart(terms, value) }
}

/// Returns a formula in which each quantifier has variables of its own. Equal parts of the same scope stay equal. A large
/// formula stays as it is: it may share parts, and as a tree have far more quantifiers.
fn apart(terms: &mut Terms, formula: TermId) -> TermId {
    if terms.tree_size(formula) > LARGE_TREE {
        return formula;
    }
    apart_in(terms, formula, &mut Map::default(), &mut Map::default())
}

/// Returns a term with variables for those in scope, and new ones for others. `done` has the results of this scope.
fn apart_in(
    terms: &mut Terms,
    term: TermId,
    renamed: &mut Map<VarId, TermId>,
    done: &mut Map<TermId, TermId>,
) -> TermId {
    if !terms.has_vars(term) {
        return term;
    }
    let node = terms.node(term);
    if let Node::Var(var) = node {
        return renamed.get(&var).copied().unwrap_or(term);
    }
    if let Some(&known) = done.get(&term) {
        return known;
    }
    let children: Vec<TermId> = terms.children(term).collect();
    let result = if let Node::Forall(vars, _) | Node::Exists(vars, _) = node {
        let mut hidden = Vec::new();
        for var in terms.bound_vars(vars).collect::<Vec<VarId>>() {
            let copy = terms.copy_var(var);
            let copy = terms.var(copy);
            hidden.push((var, renamed.insert(var, copy)));
        }
        let mut within = Map::default();
        let children: Vec<TermId> =
            children.into_iter().map(|child| apart_in(terms, child, renamed, &mut within)).collect();
        for (var, before) in hidden.into_iter().rev() {
            match before {
                Some(before) => renamed.insert(var, before),
                None => renamed.remove(&var),
            };
        }
        terms.rebuild(term, &children)
    } else {
        let children: Vec<TermId> =
            children.into_iter().map(|child| apart_in(terms, child, renamed, done)).collect();
        terms.rebuild(term, &children)
    };
    done.insert(term, result);
    result
}

/// What a system uses. What is declared and occurs nowhere makes no difference to any claim.
struct Used {
    sorts: IdVec<SortId, bool>,
    symbols: IdVec<SymId, bool>,
}

impl Used {
    fn new(system: &System, parts: &Parts, colors: &Colors, options: &Options) -> Used {
        let sig = &system.sig;
        let mut symbols = colors.is_used.clone();
        let mut sorts = IdVec::filled(sig.sorts.len(), false);
        sorts[SortId::BOOL] = true;
        for root in parts.roots() {
            let bound = parts.terms.bound_below(root.term);
            let vars = bound.iter().chain(&root.vars);
            vars.for_each(|&var| sorts[parts.terms.var_info(var).sort] = true);
        }
        let params = parts.steps.iter().flat_map(|step| &step.params);
        params.for_each(|&var| sorts[parts.terms.var_info(var).sort] = true);
        if let Some(template) = &options.template {
            template.variables.iter().for_each(|&(sort, _)| sorts[sort] = true);
            template.symbols.iter().flatten().for_each(|&sym| symbols[sym] = true);
        }
        for QuantifierPrefix { outer, witnesses, inner } in &options.prefixes {
            outer.iter().chain(witnesses).chain(inner).for_each(|&sort| sorts[sort] = true);
        }
        for (_, symbol) in sig.symbols.iter_enumerated().filter(|&(sym, _)| symbols[sym]) {
            symbol.args.iter().chain([&symbol.result]).for_each(|&sort| sorts[sort] = true);
        }
        Used { sorts, symbols }
    }

    /// Returns the sorts in canonical order.
    fn sorts(&self, colors: &Colors) -> Vec<SortId> {
        let mut sorts: Vec<SortId> = self.sorts.ids().filter(|&sort| self.sorts[sort]).collect();
        sorts.sort_by_key(|&sort| (sort != SortId::BOOL, colors.sorts[sort]));
        sorts
    }

    /// Returns the symbols in canonical order.
    fn symbols(&self, colors: &Colors, levels: &Levels) -> Vec<SymId> {
        let mut symbols: Vec<SymId> = self.symbols.ids().filter(|&sym| self.symbols[sym]).collect();
        symbols.sort_by_key(|&sym| (levels.symbols[sym], colors.symbols[sym]));
        symbols
    }
}

/// Builds the system.
struct Builder<'a> {
    parts: &'a Parts,
    colors: &'a Colors,
    translator: Translator<'a>,
    terms: Terms,
}

impl Builder<'_> {
    fn term(&mut self, term: TermId) -> TermId {
        self.translator.term(&mut self.terms, term)
    }

    fn symbol(&self, sym: SymId) -> Option<SymId> {
        self.translator.names.symbols[sym]
    }

    /// Returns the system without signature and terms, and for each transition its number and the places of its
    /// parameters in the original.
    fn system(&mut self, original: &System) -> (System, Vec<(usize, Vec<usize>)>) {
        let Parts { axioms, derived, inits, claims, steps, .. } = self.parts;
        let mut system = System::new();
        for &(at, formula) in axioms {
            let axiom = Axiom { formula: self.term(formula), ..original.axioms[at].clone() };
            system.axioms.push(axiom);
        }
        for &(at, axiom) in derived {
            let from = &original.derived[at];
            let sym = from.sym.and_then(|sym| self.symbol(sym));
            system.derived.push(Derived { sym, axiom: self.term(axiom), ..from.clone() });
        }
        for &(at, formula) in inits {
            let init = Init { formula: self.term(formula), ..original.inits[at].clone() };
            system.inits.push(init);
        }
        let transitions: Vec<(usize, Vec<usize>)> =
            steps.iter().map(|step| (step.number, self.places(step))).collect();
        let number = |of: usize| steps.iter().position(|step| step.number == of).unwrap_or(of);
        for claim in claims {
            let formula = self.term(claim.formula);
            match claim.property {
                Property::Invariant(at) => {
                    let invariant = Invariant { formula, ..original.invariants[at].clone() };
                    system.invariants.push(invariant);
                }
                Property::Assertion(at) => {
                    let from = &original.assertions[at];
                    let site = match from.site {
                        Site::Transition(of) => Site::Transition(number(of)),
                        site => site,
                    };
                    system.assertions.push(Assertion { formula, site, ..from.clone() });
                }
            }
        }
        for (step, (_, places)) in steps.iter().zip(&transitions) {
            let transition = self.transition(step, places, &original.transitions[step.number]);
            system.transitions.push(transition);
        }
        (system, transitions)
    }

    /// Returns the original places of the parameters of a transition, in canonical order.
    fn places(&self, step: &Step) -> Vec<usize> {
        let mut places: Vec<usize> = (0..step.params.len()).collect();
        places.sort_by_key(|&place| self.colors.vars[step.params[place]]);
        places
    }

    fn transition(&mut self, step: &Step, places: &[usize], from: &Transition) -> Transition {
        let params = places.iter().map(|&place| self.translator.var(&mut self.terms, step.params[place]));
        let params = params.collect();
        let mut modifies: Vec<SymId> = step.modifies.iter().filter_map(|&sym| self.symbol(sym)).collect();
        modifies.sort_unstable();
        let body = self.term(step.body);
        let effect = step.effect.as_ref().map(|effect| {
            let assumptions = self.translator.unordered(&mut self.terms, effect.assumptions.clone());
            let mut updates: Vec<Assignment> = Vec::new();
            for Assignment { sym, vars, value } in &effect.updates {
                let Some(sym) = self.symbol(*sym) else { continue };
                let vars = vars.iter().map(|&var| self.translator.var(&mut self.terms, var)).collect();
                updates.push(Assignment { sym, vars, value: self.term(*value) });
            }
            updates.sort_by_key(|update| update.sym);
            Effect { assumptions, updates }
        });
        let (name, span) = (from.name.clone(), from.span);
        Transition { name, params, modifies, body, command: None, effect, span }
    }

    /// Returns candidates, in their order, which says what is tried first.
    fn candidates(&mut self, options: &Options) -> Vec<Candidate> {
        let formulas = self.parts.candidates.iter().zip(&options.candidates);
        formulas
            .map(|(&formula, it)| Candidate { name: it.name.clone(), formula: self.term(formula) })
            .collect()
    }
}
