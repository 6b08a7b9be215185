//! Sequences of calls of the decision procedure: models are evaluated, cores solved again by a fresh solver.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ramsey::base::budget::{Budget, Exhausted};
use ramsey::epr::{Answer, Label, Measures, Solver};
use ramsey::logic::{
    Evaluator, Signature, Sort, SortId, Structure, Symbol, SymbolKind, TermId, Terms, VarId,
};
use ramsey_fuzz::Choices;

/// Few enough steps that inputs outside the decidable fragment do not stop the fuzzer.
const AMPLE: u64 = 200_000;

fn signature() -> (Signature, [SortId; 2]) {
    let mut sig = Signature::new();
    let [a, b] = ["a", "b"].map(|name| sig.sorts.push(Sort::new(name)));
    let symbols: [(&str, &[SortId], SortId, SymbolKind); 8] = [
        ("p", &[a], SortId::BOOL, SymbolKind::Mutable),
        ("q", &[a, b], SortId::BOOL, SymbolKind::Immutable),
        ("r", &[b, b], SortId::BOOL, SymbolKind::Immutable),
        ("z", &[], SortId::BOOL, SymbolKind::Mutable),
        ("c", &[], a, SymbolKind::Immutable),
        ("d", &[], b, SymbolKind::Mutable),
        ("f", &[a], b, SymbolKind::Immutable),
        ("g", &[a, a], b, SymbolKind::Mutable),
    ];
    for (name, args, result, kind) in symbols {
        sig.symbols.push(Symbol::new(name, args.to_vec(), result, kind));
    }
    (sig, [a, b])
}

/// Makes formulas by the fuzzer's choices.
struct Maker<'a, 'b> {
    sig: &'a Signature,
    sorts: [SortId; 2],
    terms: &'a mut Terms,
    choices: &'a mut Choices<'b>,
    scope: Vec<VarId>,
}

impl Maker<'_, '_> {
    fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.atom();
        }
        match self.choices.below(9) {
            0 => self.atom(),
            1 => {
                let inner = self.formula(depth - 1);
                self.terms.not(inner)
            }
            2 => {
                let parts = [self.formula(depth - 1), self.formula(depth - 1)];
                self.terms.and(&parts)
            }
            3 => {
                let parts = [self.formula(depth - 1), self.formula(depth - 1)];
                self.terms.or(&parts)
            }
            4 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.terms.implies(a, b)
            }
            5 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.terms.iff(a, b)
            }
            6 => {
                let condition = self.formula(depth - 1);
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.terms.ite(condition, a, b)
            }
            choice => {
                let sort = [SortId::BOOL, self.sorts[0], self.sorts[0], self.sorts[1]][self.choices.below(4)];
                let var = self.terms.new_var(format!("x{}", self.scope.len()), sort);
                self.scope.push(var);
                let body = self.formula(depth - 1);
                self.scope.pop();
                if choice == 7 { self.terms.forall(&[var], body) } else { self.terms.exists(&[var], body) }
            }
        }
    }

    fn atom(&mut self) -> TermId {
        match self.choices.below(4) {
            0 => {
                let sort = self.sorts[self.choices.below(2)];
                let (a, b) = (self.term(sort, 2), self.term(sort, 2));
                self.terms.eq(a, b)
            }
            1 => {
                let sort = self.sorts[self.choices.below(2)];
                let items = [self.term(sort, 1), self.term(sort, 1), self.term(sort, 1)];
                self.terms.distinct(&items)
            }
            _ => self.term(SortId::BOOL, 2),
        }
    }

    fn term(&mut self, sort: SortId, depth: usize) -> TermId {
        let vars: Vec<VarId> =
            self.scope.iter().copied().filter(|&var| self.terms.var_info(var).sort == sort).collect();
        let symbols: Vec<_> = self
            .sig
            .symbols
            .iter_enumerated()
            .filter(|(_, symbol)| symbol.result == sort && (depth > 0 || symbol.args.is_empty()))
            .map(|(sym, _)| sym)
            .collect();
        let extra = usize::from(depth > 0 && sort != SortId::BOOL);
        let choice = self.choices.below(vars.len() + symbols.len() + extra);
        if let Some(&var) = vars.get(choice) {
            return self.terms.var(var);
        }
        let Some(&sym) = symbols.get(choice - vars.len()) else {
            let condition = self.term(SortId::BOOL, 0);
            let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
            return self.terms.ite(condition, a, b);
        };
        let step = self.choices.below(2) as u16;
        let args: Vec<TermId> =
            self.sig.symbols[sym].args.iter().map(|&sort| self.term(sort, depth - 1)).collect();
        self.terms.app(self.sig, sym, step, &args)
    }
}

type Labelled = Vec<(Label, TermId)>;

#[derive(Clone)]
struct Subject {
    solver: Solver,
    permanent: Vec<TermId>,
    labelled: Labelled,
    /// Formulas and labelled formulas of the open goal.
    goal: Option<(Vec<TermId>, Labelled)>,
}

impl Subject {
    fn in_force(&self, chosen: &[(Label, TermId)]) -> Vec<TermId> {
        let goal = self.goal.iter().flat_map(|(formulas, _)| formulas);
        let labelled = chosen.iter().map(|&(_, formula)| formula);
        self.permanent.iter().chain(goal).copied().chain(labelled).collect()
    }

    fn check_model(&self, sig: &Signature, structure: &Structure, chosen: &[(Label, TermId)]) {
        let mut eval = Evaluator::new(self.solver.terms().over(sig), structure);
        assert!(self.in_force(chosen).into_iter().all(|formula| eval.holds(formula)), "{structure:?}");
    }

    fn question(&mut self, sig: &Signature, choices: &mut Choices<'_>) {
        let goal = self.goal.iter().flat_map(|(_, labelled)| labelled);
        let known: Labelled = self.labelled.iter().chain(goal).copied().collect();
        let chosen: Labelled = known.into_iter().filter(|_| choices.flag()).collect();
        let labels: Vec<Label> = chosen.iter().map(|&(label, _)| label).collect();
        let work = if choices.below(4) == 3 { 1 + choices.below(64) as u64 } else { AMPLE };
        let mut budget = Budget::new(Some(work), None);
        match self.solver.check(&labels, &mut budget) {
            Ok(Answer::Sat) => {
                self.check_model(sig, &self.solver.structure(2), &chosen);
                if choices.flag() {
                    let relations = sig.symbols.iter_enumerated().filter(|(_, symbol)| symbol.is_relation());
                    let relations = relations.map(|(sym, _)| (sym, 0)).filter(|_| choices.flag()).collect();
                    let measures = Measures { relations };
                    let small = self.solver.minimize(&labels, &measures, 2, &mut budget);
                    self.check_model(sig, &small, &chosen);
                }
            }
            Ok(Answer::Unsat) => {
                let core: Labelled =
                    chosen.into_iter().filter(|(label, _)| self.solver.core().contains(label)).collect();
                let mut fresh = Solver::new(sig.clone(), self.solver.terms().clone(), 1);
                for formula in self.in_force(&core) {
                    fresh.assert(formula);
                }
                let answer = fresh.check(&[], &mut Budget::new(Some(AMPLE), None));
                assert_ne!(answer, Ok(Answer::Sat), "the core is no core");
            }
            Err(exhausted) => assert_eq!(exhausted, Exhausted::Work),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (sig, sorts) = signature();
    let mut choices = Choices::new(bytes);
    let solver = Solver::new(sig.clone(), Terms::new(), 0);
    let mut subjects = vec![Subject { solver, permanent: Vec::new(), labelled: Vec::new(), goal: None }];
    // Long inputs only get slow.
    for _ in 0..40 {
        if choices.is_empty() {
            break;
        }
        let index = choices.below(subjects.len());
        let operation = choices.below(8);
        let room = subjects.len() < 3;
        let subject = &mut subjects[index];
        if operation <= 1 {
            let terms = subject.solver.terms_mut();
            let formula =
                Maker { sig: &sig, sorts, terms, choices: &mut choices, scope: Vec::new() }.formula(4);
            match (operation, &mut subject.goal) {
                (0, None) => {
                    subject.solver.assert(formula);
                    subject.permanent.push(formula);
                }
                (0, Some((formulas, _))) => {
                    subject.solver.assert(formula);
                    formulas.push(formula);
                }
                (_, goal) => {
                    let label = subject.solver.assert_labelled(formula);
                    let labelled = goal.as_mut().map_or(&mut subject.labelled, |(_, labelled)| labelled);
                    labelled.push((label, formula));
                }
            }
            continue;
        }
        match operation {
            2 => {
                subject.solver.pop_to(0);
                subject.solver.push();
                subject.goal = Some((Vec::new(), Vec::new()));
            }
            3 => {
                subject.solver.pop_to(0);
                subject.goal = None;
            }
            4 if room => {
                let copy = subject.clone();
                subjects.push(copy);
            }
            _ => subject.question(&sig, &mut choices),
        }
    }
});
