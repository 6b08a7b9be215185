//! Ingredients of a refutation: the instances of assertions and the equality lemmas that it uses.
//!
//! After the answer `Unsat` the ground clauses are refuted again by a SAT solver that records its derivation, and the
//! original clauses needed by the derivation are traced back to the assertions. The search is not trusted: users of a
//! refutation must check it.

use super::atoms::{AtomKind, GroundId};
use super::bank::{Head, Pattern};
use super::clause::Bindings;
use super::clausify::{Origins, SkolemOrigin};
use super::solver::{Label, Solver};
use super::symbols::{Fun, Rel};
use super::universal::UniversalId;
use crate::sat::{Lit, RefutationStep, Var, refute};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{SortId, SymId, TermId, VarId};

/// A ground term of a refutation. Numbers are indices into [`Refutation::terms`] that are smaller than that of the term
/// itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundTerm {
    /// A function or constant of the signature at a step.
    App {
        /// The symbol.
        sym: SymId,
        /// The step.
        step: u16,
        /// The arguments.
        args: Vec<usize>,
    },
    /// The witness of an existential subformula of an assertion.
    Witness {
        /// Index of the assertion.
        assertion: usize,
        /// The existential formula, a subformula of that assertion.
        formula: TermId,
        /// Index of the variable among those bound by the formula.
        index: usize,
        /// Values of the free variables of the formula.
        env: Vec<(VarId, usize)>,
    },
    /// An arbitrary element of this sort, always the same one.
    Any(SortId),
}

/// Values of universal variables of an assertion. A variable may have several values if it is bound at several
/// positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// Index of the assertion.
    pub assertion: usize,
    /// Variables with their values.
    pub bindings: Vec<(VarId, usize)>,
}

/// A literal of an equality lemma: whether it is positive, and its atom over [`Refutation::terms`].
pub type LemmaLiteral = (bool, LemmaAtom);

/// An atom of an equality lemma.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LemmaAtom {
    /// A relation at a step.
    Rel(SymId, u16, Vec<usize>),
    /// An equality.
    Eq(usize, usize),
}

/// The ingredients of a refutation. Together with the equality lemmas of their atoms they are unsatisfiable. The field
/// `lemmas` contains all of these lemmas, unless [`Self::lacks_lemmas`].
#[derive(Clone, Debug, Default)]
pub struct Refutation {
    /// Terms; arguments precede applications.
    pub terms: Vec<GroundTerm>,
    /// Instances of assertions.
    pub instances: Vec<Instance>,
    /// Valid clauses of the theory of equality.
    pub lemmas: Vec<Vec<LemmaLiteral>>,
    /// Whether further equality lemmas must be found. In this case the search used lemmas about names of subformulas
    /// instead, which cannot be expressed.
    pub lacks_lemmas: bool,
}

/// Origin of a ground clause.
#[derive(Clone, Debug)]
enum Origin {
    /// A clause of this assertion.
    Clause(usize, Bindings),
    /// An instance of a universal clause with these terms.
    Instance(UniversalId, Vec<Pattern>),
}

/// Origins of clauses and symbols.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// By Skolem function, its meaning in the assertion for which it was last created.
    skolems: Map<Fun, SkolemOrigin>,
    /// By name of a subformula, the universal variables whose values are its arguments.
    names: Map<Rel, Vec<VarId>>,
    /// Number of assertions.
    assertions: usize,
    /// By ground clause, its origin.
    ground: Map<GroundId, Origin>,
    /// By universal clause, its assertion and bindings.
    universals: IdVec<UniversalId, (usize, Bindings)>,
    pub(super) lemmas: Vec<Vec<Lit>>,
}

impl Record {
    /// Starts the next assertion.
    pub(super) fn start_assertion(&mut self) -> Origins<'_> {
        self.assertions += 1;
        let Record { skolems, names, assertions, .. } = self;
        Origins { assertion: *assertions - 1, skolems, names }
    }

    pub(super) fn ground_clause(&mut self, clause: GroundId, bindings: Bindings) {
        self.ground.insert(clause, Origin::Clause(self.assertions - 1, bindings));
    }

    pub(super) fn universal(&mut self, bindings: Bindings) {
        self.universals.push((self.assertions - 1, bindings));
    }

    pub(super) fn instance(&mut self, clause: GroundId, universal: UniversalId, map: &[Pattern]) {
        self.ground.insert(clause, Origin::Instance(universal, map.to_vec()));
    }
}

impl Solver {
    /// Returns the ingredients of the refutation after the answer `Unsat` under `labels`. Returns `None` if no record
    /// is kept or if the last answer was another.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub fn refutation(
        &mut self,
        labels: &[Label],
        budget: &mut Budget,
    ) -> Result<Option<Refutation>, Exhausted> {
        let Some(record) = self.record.take() else { return Ok(None) };
        let result = self.explain(&record, labels, budget);
        self.record = Some(record);
        result
    }

    fn explain(
        &mut self,
        record: &Record,
        labels: &[Label],
        budget: &mut Budget,
    ) -> Result<Option<Refutation>, Exhausted> {
        let lemmas: Vec<&[Lit]> = record.lemmas.iter().map(Vec::as_slice).collect();
        if let Some(live) = self.focus.clauses() {
            let atoms: Set<Var> =
                live.iter().flat_map(|&it| self.ground.lits(it)).map(|lit| lit.var()).collect();
            let about =
                lemmas.iter().copied().filter(|lemma| lemma.iter().all(|lit| atoms.contains(&lit.var())));
            let (live, about) = (live.to_vec(), about.collect());
            let found = self.explain_by(record, live, about, labels, budget)?;
            // Otherwise clauses were learned from others in earlier queries.
            if found.is_some() {
                return Ok(found);
            }
        }
        let mut clauses = self.ground.base.clone();
        clauses.extend(self.dormant.all());
        for scope in &self.scopes {
            clauses.extend(scope.clauses.iter().chain(&scope.instances));
        }
        self.explain_by(record, clauses, lemmas, labels, budget)
    }

    /// Returns the ingredients of a refutation by some ground clauses and lemmas, if there is one.
    fn explain_by(
        &mut self,
        record: &Record,
        clauses: Vec<GroundId>,
        lemmas: Vec<&[Lit]>,
        labels: &[Label],
        budget: &mut Budget,
    ) -> Result<Option<Refutation>, Exhausted> {
        let kept: Vec<GroundId> =
            clauses.into_iter().filter(|&clause| !self.ground.is_true(clause)).collect();
        let assumptions = self.assumptions(labels);
        let mut given: Vec<&[Lit]> = kept.iter().map(|&clause| self.ground.lits(clause)).collect();
        given.extend(&lemmas);
        given.extend(assumptions.chunks(1));
        let Some(steps) = refute(&given, budget)? else { return Ok(None) };
        let mut used: Vec<GroundId> = Vec::new();
        let mut used_lemmas: Vec<&[Lit]> = Vec::new();
        for step in steps {
            let RefutationStep::Given(index) = step else { continue };
            match kept.get(index) {
                Some(&clause) => used.push(clause),
                None => used_lemmas.extend(lemmas.get(index - kept.len())),
            }
        }
        // An atom that occurs only in lemmas needs an additional clause from which it originates.
        let mut covered: Set<Var> = Set::default();
        for &clause in &used {
            covered.extend(self.ground.lits(clause).iter().map(|lit| lit.var()));
        }
        for var in used_lemmas.iter().flat_map(|lemma| lemma.iter().map(|lit| lit.var())) {
            if covered.insert(var) {
                let source =
                    kept.iter().find(|&&clause| self.ground.lits(clause).iter().any(|lit| lit.var() == var));
                used.extend(source);
            }
        }
        let mut converter = Converter::new(self, record);
        used.into_iter().for_each(|clause| converter.clause(clause));
        used_lemmas.into_iter().for_each(|lemma| converter.lemma(lemma));
        converter.replace_name_lemmas();
        Ok(Some(converter.refutation))
    }
}

/// Conversion of the engine's terms and clauses into those of a refutation.
struct Converter<'a> {
    solver: &'a mut Solver,
    record: &'a Record,
    funs: Map<Fun, (SymId, u16)>,
    rels: Map<Rel, (SymId, u16)>,
    known: Map<Pattern, usize>,
    /// Lemmas about names of subformulas.
    name_lemmas: Vec<NameLemma>,
    refutation: Refutation,
}

/// An equality lemma about the name of a subformula: from the subformula under some values of its variables it
/// concludes the subformula under equal values.
struct NameLemma {
    vars: Vec<VarId>,
    /// The values in the conclusion.
    conclusion: Vec<usize>,
    /// The values in the premise.
    premise: Vec<usize>,
}

/// Maximum number of instances derived from other instances.
const MAX_DERIVED_INSTANCES: usize = 10_000;

impl<'a> Converter<'a> {
    fn new(solver: &'a mut Solver, record: &'a Record) -> Self {
        let (funs, rels) = (solver.symbols.fun_origins(), solver.symbols.rel_origins());
        Converter {
            solver,
            record,
            funs,
            rels,
            known: Map::default(),
            name_lemmas: Vec::new(),
            refutation: Refutation::default(),
        }
    }

    fn clause(&mut self, clause: GroundId) {
        let record = self.record;
        let (assertion, bindings) = match record.ground.get(&clause) {
            Some(Origin::Clause(assertion, bindings)) => (*assertion, bindings.clone()),
            Some(Origin::Instance(universal, map)) => {
                let (assertion, patterns) = &record.universals[*universal];
                let bindings = patterns
                    .iter()
                    .map(|&(var, pattern)| {
                        (var, self.solver.bank.instantiate(&self.solver.symbols, pattern, map))
                    })
                    .collect();
                (*assertion, bindings)
            }
            None => return,
        };
        let bindings = bindings.into_iter().map(|(var, term)| (var, self.term(term))).collect();
        let instance = Instance { assertion, bindings };
        if !self.refutation.instances.contains(&instance) {
            self.refutation.instances.push(instance);
        }
    }

    fn lemma(&mut self, lits: &[Lit]) {
        let named = lits.iter().filter_map(|&lit| Some((lit, self.vars_of_name(lit.var())?)));
        let named: Vec<(Lit, &'a [VarId])> = named.collect();
        let [(first, vars), (second, _)] = named[..] else {
            let lits: Option<Vec<LemmaLiteral>> =
                lits.iter().map(|&lit| Some((!lit.is_negative(), self.atom(lit.var())?))).collect();
            self.refutation.lemmas.extend(lits);
            return;
        };
        let (known, follows) = if first.is_negative() { (first, second) } else { (second, first) };
        let [premise, conclusion] = [known, follows].map(|lit| {
            let args = self.solver.atoms.args(lit.var()).to_vec();
            args.into_iter().map(|arg| self.term(arg)).collect()
        });
        self.name_lemmas.push(NameLemma { vars: vars.to_vec(), conclusion, premise });
    }

    /// Returns the variables whose values are the arguments of an atom, if the atom is the name of a subformula.
    fn vars_of_name(&self, var: Var) -> Option<&'a [VarId]> {
        let AtomKind::Rel(rel) = self.solver.atoms.kind(var) else { return None };
        self.record.names.get(&rel).map(Vec::as_slice)
    }

    /// Replaces lemmas about names by instances. The clauses that define a subformula under the values of the
    /// conclusion are instantiated with the values of the premise, and equality lemmas about their atoms do the rest.
    fn replace_name_lemmas(&mut self) {
        let Refutation { instances, lacks_lemmas, .. } = &mut self.refutation;
        *lacks_lemmas = !self.name_lemmas.is_empty();
        let most = instances.len() + MAX_DERIVED_INSTANCES;
        let mut at = 0;
        while at < instances.len() && instances.len() < most {
            for NameLemma { vars, conclusion, premise } in &self.name_lemmas {
                let Instance { assertion, bindings } = &instances[at];
                let has = |(&var, &value): (&VarId, &usize)| bindings.contains(&(var, value));
                if !vars.iter().zip(conclusion).all(has) {
                    continue;
                }
                let exchanged = |&(var, value): &(VarId, usize)| {
                    let place =
                        vars.iter().zip(conclusion).position(|(&this, &old)| (this, old) == (var, value));
                    (var, place.map_or(value, |place| premise[place]))
                };
                let bindings = bindings.iter().map(exchanged).collect();
                let instance = Instance { assertion: *assertion, bindings };
                if !instances.contains(&instance) {
                    instances.push(instance);
                }
            }
            at += 1;
        }
    }

    fn atom(&mut self, var: Var) -> Option<LemmaAtom> {
        let args = self.solver.atoms.args(var).to_vec();
        let args: Vec<usize> = args.into_iter().map(|arg| self.term(arg)).collect();
        match self.solver.atoms.kind(var) {
            AtomKind::Eq => Some(LemmaAtom::Eq(args[0], args[1])),
            AtomKind::Rel(rel) => {
                let &(sym, step) = self.rels.get(&rel)?;
                Some(LemmaAtom::Rel(sym, step, args))
            }
        }
    }

    fn term(&mut self, term: Pattern) -> usize {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let sort = self.solver.bank.sort(term);
        let result = match self.solver.bank.head(term) {
            Head::Fun(fun) => {
                let args = self.solver.bank.args(term).to_vec();
                if let Some(&(sym, step)) = self.funs.get(&fun) {
                    let args = args.into_iter().map(|arg| self.term(arg)).collect();
                    GroundTerm::App { sym, step, args }
                } else if let Some(origin) = self.record.skolems.get(&fun) {
                    self.witness(origin, &args)
                } else {
                    GroundTerm::Any(self.solver.symbols.filled_sort(fun).unwrap_or(sort))
                }
            }
            Head::Slot(_) => GroundTerm::Any(sort),
        };
        self.refutation.terms.push(result);
        let number = self.refutation.terms.len() - 1;
        self.known.insert(term, number);
        number
    }

    fn witness(&mut self, origin: &SkolemOrigin, args: &[Pattern]) -> GroundTerm {
        // Slots are numbered within the assertion; only those that are arguments of the function matter.
        let size = origin.slots.iter().max().map_or(0, |slot| slot.index() + 1);
        let mut map = vec![Pattern::new(0); size];
        for (&slot, &arg) in origin.slots.iter().zip(args) {
            map[slot.index()] = arg;
        }
        let env = origin
            .env
            .iter()
            .map(|&(var, pattern)| {
                let value = self.solver.bank.instantiate(&self.solver.symbols, pattern, &map);
                (var, self.term(value))
            })
            .collect();
        GroundTerm::Witness { assertion: origin.assertion, formula: origin.formula, index: origin.index, env }
    }
}
