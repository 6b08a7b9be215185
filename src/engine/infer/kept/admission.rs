//! Which answers a search can have found. Whoever writes entries decides among these, and adds no other kind.

use std::sync::Arc;

use super::nodes::Nodes;
use super::profile::profile;
use crate::infer::canonical::Canonical;
use crate::infer::engine::{Question, Refutes};
use crate::infer::exists::{Grammar, Profile};
use crate::infer::houdini::default_template;
use crate::infer::outcome::{Lemma, Method, Options, Template};
use crate::infer::prover::Prover;
use crate::infer::relational::Relational;
use crate::infer::state::{Pattern, Vocabulary};
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::Id as _;
use ramsey_core::logic::{SymId, TermId, Terms};
use ramsey_core::system::System;

/// Checks whether searches with these options answer with executions that this method finds.
pub(super) fn has_executions(method: Method) -> bool {
    method.refutes() >= Refutes::Executions
}

/// Checks whether searches with these options end where there is no universal invariant, as this method shows. Any other one may find an
/// invariant with witnesses then, of which a relaxed execution says nothing.
pub(super) fn ends_with_universal(options: &Options, method: Method) -> bool {
    let is_end = options.method.refutes() == Refutes::RelaxedExecutions && options.candidates.is_empty();
    is_end && method.refutes() == Refutes::RelaxedExecutions
}

/// The lemmas that a method finds.
pub(super) struct Admission<'a> {
    canonical: &'a Canonical,
    method: Method,
    vocabulary: Vocabulary,
    question: Question,
    /// What is looked for with witnesses, if the method does that.
    witnesses: Option<Witnesses>,
    /// The formulas that transitions suggest to this method, as text: these terms are of another arena than lemmas.
    suggested: Set<String>,
}

fn text(terms: &Terms, formula: TermId) -> String {
    let mut nodes = Nodes::new(terms);
    nodes.term(formula);
    nodes.text
}

/// The formulas of a search for lemmas with witnesses.
struct Witnesses {
    grammar: Grammar,
    /// Its relational form, if it runs on one.
    relational: Option<Arc<Relational>>,
}

impl Witnesses {
    fn new(question: &Question, options: &Options) -> Witnesses {
        let goal = question.goal(options);
        let prover = Prover::new(goal.system, options.seed, None);
        let relational = Relational::new(&goal, &prover.sort_edges(goal.claims));
        let grammar = match &relational {
            Some(relational) => relational.grammar(),
            None => Grammar::new(&prover, goal.claims, &options.prefixes),
        };
        Witnesses { grammar, relational }
    }
}

impl<'a> Admission<'a> {
    /// Returns the lemmas that one of the methods of a search finds.
    pub(super) fn new(canonical: &'a Canonical, method: Method) -> Admission<'a> {
        let vocabulary = Vocabulary::new(&canonical.system);
        let question = Question::new(&canonical.system);
        let witnesses = method.takes_prefixes().then(|| Witnesses::new(&question, &canonical.options));
        let suggested = match &witnesses {
            Some(_) if !canonical.options.prefixes.is_empty() => Set::default(),
            None => Set::default(),
            Some(Witnesses { relational: Some(relational), .. }) => {
                let (system, formulas) = relational.suggested();
                formulas.into_iter().map(|formula| text(&system.terms, formula)).collect()
            }
            Some(_) => {
                let formulas = question.suggested.formulas.iter().flatten().flatten();
                formulas.map(|&formula| text(&question.system.terms, formula)).collect()
            }
        };
        Admission { canonical, method, vocabulary, question, witnesses, suggested }
    }

    /// Checks whether a lemma, in the terms of an extension of the canonical form, is one that the search can find.
    pub(super) fn admits(&self, system: &System, lemma: &Lemma) -> bool {
        let given = |formula: TermId| {
            let candidates = self.canonical.options.candidates.iter().map(|it| it.formula);
            let given = candidates.chain(self.question.claims.iter().copied());
            let mut given = given.flat_map(|it| [vec![it], system.terms.conjuncts(it)].concat());
            let is_given = given.any(|it| it == formula || system.terms.alpha_equal(it, formula));
            is_given || self.suggested.contains(&text(&system.terms, formula))
        };
        if given(lemma.formula) {
            return true;
        }
        let symbols = system.terms.symbols(lemma.formula);
        if !symbols.iter().all(|&sym| self.vocabulary.symbols.iter().any(|it| it.sym == sym)) {
            return false;
        }
        if let Some(partial) = &lemma.excluded {
            let pattern = Pattern::of_facts(partial, &system.sig, &self.vocabulary);
            return pattern.is_some_and(|pattern| {
                let mut outer = vec![0; system.sig.sorts.len()];
                pattern.sorts.iter().for_each(|sort| outer[sort.index()] += 1);
                self.has(&Profile::universal(outer, pattern.literals.len()), &symbols)
            });
        }
        // Claims about immutable symbols alone are joined to another lemma.
        let conjuncts = system.terms.conjuncts(lemma.formula);
        let conjuncts: Vec<TermId> = conjuncts.into_iter().filter(|&it| !given(it)).collect();
        conjuncts.into_iter().all(|it| {
            let replaced = |sym: SymId| {
                let relational = self.witnesses.as_ref().and_then(|it| it.relational.as_ref());
                relational.is_some_and(|relational| relational.replaces(sym))
            };
            profile(system, it, &replaced).is_some_and(|it| self.has(&it, &symbols))
        })
    }

    fn has(&self, profile: &Profile, symbols: &Set<SymId>) -> bool {
        let Admission { canonical: Canonical { options, system, .. }, method, .. } = self;
        if method.takes_template() {
            let default = || default_template(system);
            let Template { variables, literals, symbols: usable } =
                options.template.clone().unwrap_or_else(default);
            let is_within = |(at, &count): (usize, &u32)| {
                let most = variables.iter().find(|(sort, _)| sort.index() == at).map_or(0, |it| it.1);
                count <= most
            };
            let is_usable = |sym: &SymId| usable.as_ref().is_none_or(|usable| usable.contains(sym));
            return profile.is_universal()
                && profile.outer.iter().enumerate().all(is_within)
                && profile.outside <= literals
                && symbols.iter().all(is_usable);
        }
        match &self.witnesses {
            None => profile.is_universal(),
            // Beside other methods, it has what they have proved.
            Some(_) if profile.is_universal() && options.method != *method => true,
            Some(witnesses) => witnesses.grammar.has(profile),
        }
    }
}
