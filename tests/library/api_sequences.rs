//! Random sequences of calls of the decision procedure: each answer is right whatever came before.

use crate::common::effort::cases;
use crate::common::formulas::{Generator, Vocabulary};
use ramsey::base::budget::{Budget, Exhausted};
use ramsey::base::rng::Rng;
use ramsey::epr::{Answer, Label, Measures, Solver};
use ramsey::logic::{Evaluator, Structure, SymbolKind, TermId, Terms};

/// Work budget that suffices for nearly all queries here.
const AMPLE: u64 = 2_000_000;

#[derive(Default, Debug)]
struct Tally {
    sat: usize,
    unsat: usize,
    /// Ample budgets that ran out: search may not terminate outside the fragment.
    unknown: usize,
    /// Small budgets that ran out as intended.
    interrupted: usize,
    /// Answers of checks that repeat an interrupted one.
    resumed: usize,
    minimized: usize,
    /// Cores that leave out a label.
    smaller_cores: usize,
    clones: usize,
    /// Maximum number of open scopes.
    deepest: usize,
}

/// A solver with its assertions.
#[derive(Clone)]
struct Subject {
    solver: Solver,
    permanent: Vec<TermId>,
    labelled: Vec<(Label, TermId)>,
    /// The open scopes, the outermost first.
    goals: Vec<Goal>,
}

#[derive(Clone, Default)]
struct Goal {
    formulas: Vec<TermId>,
    labelled: Vec<(Label, TermId)>,
}

struct Sequence<'a> {
    seed: u64,
    vocabulary: &'a Vocabulary,
    states: u16,
    rng: Rng,
    tally: &'a mut Tally,
    /// Record of all results, for comparison with a second run.
    log: String,
}

fn satisfies(vocabulary: &Vocabulary, terms: &Terms, structure: &Structure, formulas: &[TermId]) -> bool {
    let mut eval = Evaluator::new(terms.over(&vocabulary.sig), structure);
    formulas.iter().all(|&formula| eval.holds(formula))
}

impl Sequence<'_> {
    fn formula(&mut self, subject: &mut Subject) -> TermId {
        let depth = 1 + self.rng.below(3);
        let terms = subject.solver.terms_mut();
        Generator::new(self.vocabulary, terms, &mut self.rng).over_steps(self.states).formula(depth)
    }

    fn act(&mut self, subject: &mut Subject) {
        match self.rng.below(16) {
            0..3 => {
                let formula = self.formula(subject);
                // Permanent assertions have to stay satisfiable together for anything to happen after them.
                if subject.goals.is_empty() && !self.fits(subject, formula) {
                    return;
                }
                subject.solver.assert(formula);
                match subject.goals.last_mut() {
                    Some(goal) => goal.formulas.push(formula),
                    None => subject.permanent.push(formula),
                }
            }
            3 | 4 => {
                let formula = self.formula(subject);
                let label = subject.solver.assert_labelled(formula);
                match subject.goals.last_mut() {
                    Some(goal) => goal.labelled.push((label, formula)),
                    None => subject.labelled.push((label, formula)),
                }
            }
            5 | 6 => {
                // Beside the scopes that are open, or inside of them.
                let depth = self.rng.below(subject.goals.len() + 1).min(3);
                subject.solver.pop_to(depth);
                subject.goals.truncate(depth);
                subject.solver.push();
                let formula = self.formula(subject);
                subject.solver.assert(formula);
                subject.goals.push(Goal { formulas: vec![formula], labelled: Vec::new() });
                self.tally.deepest = self.tally.deepest.max(subject.solver.depth());
            }
            7 => {
                subject.solver.pop();
                subject.goals.pop();
            }
            _ => self.question(subject),
        }
    }

    fn fits(&mut self, subject: &Subject, formula: TermId) -> bool {
        let formulas = [subject.permanent.as_slice(), &[formula]].concat();
        self.fresh(subject, &formulas) == Ok(Answer::Sat)
    }

    /// Returns the answer of a fresh solver.
    fn fresh(&self, subject: &Subject, formulas: &[TermId]) -> Result<Answer, Exhausted> {
        let terms = subject.solver.terms().clone();
        let mut solver = Solver::new(self.vocabulary.sig.clone(), terms, self.seed + 1);
        for &formula in formulas {
            solver.assert(formula);
        }
        solver.check(&[], &mut Budget::new(Some(AMPLE), None))
    }

    fn question(&mut self, subject: &mut Subject) {
        let goal = subject.goals.iter().flat_map(|goal| &goal.labelled);
        let known: Vec<(Label, TermId)> = subject.labelled.iter().chain(goal).copied().collect();
        let mut chosen: Vec<(Label, TermId)> = known.into_iter().filter(|_| !self.rng.one_in(3)).collect();
        for index in (1..chosen.len()).rev() {
            chosen.swap(index, self.rng.below(index + 1));
        }
        // A label may be named twice.
        if self.rng.one_in(6) {
            chosen.extend(chosen.first().copied());
        }
        let labels: Vec<Label> = chosen.iter().map(|&(label, _)| label).collect();
        let mut interrupted = false;
        if self.rng.one_in(3) {
            let work = 1 + self.rng.below(30) as u64;
            match subject.solver.check(&labels, &mut Budget::new(Some(work), None)) {
                Ok(answer) => self.judge(subject, &chosen, answer),
                Err(exhausted) => {
                    assert_eq!(exhausted, Exhausted::Work, "seed {}", self.seed);
                    interrupted = true;
                    self.tally.interrupted += 1;
                }
            }
            // Sometimes the next thing is something else.
            if self.rng.one_in(2) {
                return;
            }
        }
        let mut budget = Budget::new(Some(AMPLE), None);
        match subject.solver.check(&labels, &mut budget) {
            Ok(answer) => {
                self.tally.resumed += usize::from(interrupted);
                self.judge(subject, &chosen, answer);
                if answer == Answer::Sat && self.rng.one_in(2) {
                    self.minimize(subject, &chosen);
                }
            }
            Err(exhausted) => {
                assert_eq!(exhausted, Exhausted::Work, "seed {}", self.seed);
                self.tally.unknown += 1;
                self.log.push('?');
            }
        }
    }

    /// Returns the formulas that a model has to satisfy under these labels.
    fn in_force(subject: &Subject, chosen: &[(Label, TermId)]) -> Vec<TermId> {
        let goal = subject.goals.iter().flat_map(|goal| &goal.formulas);
        let formulas = subject.permanent.iter().chain(goal).copied();
        formulas.chain(chosen.iter().map(|&(_, formula)| formula)).collect()
    }

    fn judge(&mut self, subject: &Subject, chosen: &[(Label, TermId)], answer: Answer) {
        let seed = self.seed;
        match answer {
            Answer::Sat => {
                self.tally.sat += 1;
                let formulas = Self::in_force(subject, chosen);
                let structure = subject.solver.structure(self.states);
                self.log += &format!("{structure:?}");
                assert!(
                    satisfies(self.vocabulary, subject.solver.terms(), &structure, &formulas),
                    "seed {seed}: {structure:?} is no model"
                );
                assert_ne!(
                    self.fresh(subject, &formulas),
                    Ok(Answer::Unsat),
                    "seed {seed}: there is a model"
                );
            }
            Answer::Unsat => {
                self.tally.unsat += 1;
                let core = subject.solver.core();
                self.log += &format!("{core:?}");
                assert!(
                    core.iter().all(|label| chosen.iter().any(|(known, _)| known == label)),
                    "seed {seed}"
                );
                let used: Vec<(Label, TermId)> =
                    chosen.iter().copied().filter(|(label, _)| core.contains(label)).collect();
                self.tally.smaller_cores += usize::from(used.len() < chosen.len());
                let formulas = Self::in_force(subject, &used);
                assert_ne!(self.fresh(subject, &formulas), Ok(Answer::Sat), "seed {seed}: no refutation");
            }
        }
    }

    fn minimize(&mut self, subject: &mut Subject, chosen: &[(Label, TermId)]) {
        let labels: Vec<Label> = chosen.iter().map(|&(label, _)| label).collect();
        let sig = &self.vocabulary.sig;
        let mut measures = Measures::default();
        for (sym, symbol) in sig.symbols.iter_enumerated().filter(|(_, symbol)| symbol.is_relation()) {
            let steps = if symbol.kind == SymbolKind::Immutable { 1 } else { self.states };
            measures.relations.extend((0..steps).filter(|_| self.rng.one_in(3)).map(|step| (sym, step)));
        }
        // A budget that runs out on the way leaves a model all the same.
        let work = if self.rng.one_in(3) { 1 + self.rng.below(500) as u64 } else { AMPLE };
        let before = subject.solver.structure(self.states);
        let mut budget = Budget::new(Some(work), None);
        let small = subject.solver.minimize(&labels, &measures, self.states, &mut budget);
        self.log += &format!("{small:?}");
        let formulas = Self::in_force(subject, chosen);
        assert!(
            satisfies(self.vocabulary, subject.solver.terms(), &small, &formulas),
            "seed {}: the minimal {small:?} is no model",
            self.seed
        );
        let size = |structure: &Structure| -> u32 {
            self.vocabulary.sorts.iter().map(|&sort| structure.sizes[sort]).sum()
        };
        assert!(size(&small) <= size(&before), "seed {}: larger than before", self.seed);
        self.tally.minimized += 1;
    }
}

/// Runs one sequence; returns the record of its results.
fn run(seed: u64, tally: &mut Tally) -> String {
    let mut rng = Rng::new(seed);
    let states = 1 + rng.below(2) as u16;
    let vocabulary = if states == 2 { Vocabulary::of_states(&mut rng) } else { Vocabulary::random(&mut rng) };
    let mut solver = Solver::new(vocabulary.sig.clone(), Terms::new(), seed);
    if seed % 2 == 1 {
        solver.focus_always();
    }
    let mut subjects =
        vec![Subject { solver, permanent: Vec::new(), labelled: Vec::new(), goals: Vec::new() }];
    let mut sequence = Sequence { seed, vocabulary: &vocabulary, states, rng, tally, log: String::new() };
    for _ in 0..40 {
        let index = sequence.rng.below(subjects.len());
        if sequence.rng.one_in(20) && subjects.len() < 3 {
            let copy = subjects[index].clone();
            subjects.push(copy);
            sequence.tally.clones += 1;
        }
        sequence.act(&mut subjects[index]);
    }
    sequence.log
}

#[test]
fn every_answer_of_every_sequence_is_right() {
    let mut tally = Tally::default();
    for seed in 0..cases(1_500) {
        run(seed, &mut tally);
    }
    assert!(tally.sat > 8_000 && tally.unsat > 8_000, "both answers occur often: {tally:?}");
    assert!(tally.interrupted > 500 && tally.resumed > 250, "tiny budgets run out: {tally:?}");
    assert!(tally.minimized > 3_000 && tally.smaller_cores > 3_000 && tally.clones > 1_000, "{tally:?}");
    assert_eq!(tally.deepest, 4, "{tally:?}");
    assert!(tally.unknown * 50 < tally.sat + tally.unsat, "ample budgets do not: {tally:?}");
}

/// The same calls with the same seed give the same models and cores, interruptions included.
#[test]
fn sequences_repeat() {
    for seed in 1_000..1_040 {
        let logs = [(); 2].map(|()| run(seed, &mut Tally::default()));
        assert_eq!(logs[0], logs[1], "seed {seed}");
    }
}
