//! Random sequences of calls of the library's solver, and the same sequences as commands of a session: answers, models
//! and cores against enumerated structures, with an independent evaluator.

use crate::common::effort::cases;
use ramsey::base::budget::Budget;
use ramsey::base::rng::Rng;
use ramsey::epr::Measure;
use ramsey::script::{Environment, Response, Session};
use ramsey::solver::{Answer, Cause, Label, Model, Solver, Sort, Symbol, Term, Variable};

/// Work budget that suffices for nearly all queries here.
const AMPLE: u64 = 2_000_000;

/// A term: a variable or a constant.
#[derive(Clone, Copy, Debug)]
enum Value {
    Variable(usize),
    Constant(usize),
}

#[derive(Clone, Debug)]
enum Formula {
    P(Value),
    R(Value, Value),
    Equal(Value, Value),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    /// A quantifier over the variable of this number.
    Quantified {
        universal: bool,
        variable: usize,
        body: Box<Formula>,
    },
}

/// A structure with one sort, the relations `p` and `r`, and constants.
#[derive(Clone, PartialEq, Eq, Debug)]
struct World {
    size: usize,
    p: Vec<bool>,
    /// Indexed by `a * size + b`.
    r: Vec<bool>,
    constants: [usize; 2],
}

impl World {
    /// Enumerates all structures with this number of elements.
    fn all(size: usize) -> impl Iterator<Item = World> {
        let bits = |number: u32, count: usize| (0..count).map(|at| number >> at & 1 == 1).collect();
        let (ps, rs) = (1u32 << size, 1u32 << (size * size));
        let places = (0..ps).flat_map(move |p| (0..rs).map(move |r| (p, r)));
        places.flat_map(move |(p, r)| {
            (0..size * size).map(move |at| World {
                size,
                p: bits(p, size),
                r: bits(r, size * size),
                constants: [at / size, at % size],
            })
        })
    }

    fn holds(&self, formula: &Formula, variables: &mut Vec<usize>) -> bool {
        let value = |value: Value, variables: &[usize]| match value {
            Value::Variable(index) => variables[index],
            Value::Constant(index) => self.constants[index],
        };
        match formula {
            Formula::P(a) => self.p[value(*a, variables)],
            Formula::R(a, b) => self.r[value(*a, variables) * self.size + value(*b, variables)],
            Formula::Equal(a, b) => value(*a, variables) == value(*b, variables),
            Formula::Not(a) => !self.holds(a, variables),
            Formula::And(items) => items.iter().all(|item| self.holds(item, variables)),
            Formula::Or(items) => items.iter().any(|item| self.holds(item, variables)),
            Formula::Quantified { universal, variable, body } => {
                assert_eq!(variables.len(), *variable);
                let found = (0..self.size).any(|elem| {
                    variables.push(elem);
                    let holds = self.holds(body, variables);
                    variables.pop();
                    holds != *universal
                });
                found != *universal
            }
        }
    }

    fn satisfies(&self, formulas: &[Formula]) -> bool {
        formulas.iter().all(|formula| self.holds(formula, &mut Vec::new()))
    }

    /// Returns the number of elements, then the numbers of true tuples of both relations.
    fn measures(&self) -> (usize, usize, usize) {
        let count = |places: &[bool]| places.iter().filter(|&&place| place).count();
        (self.size, count(&self.p), count(&self.r))
    }
}

fn random(rng: &mut Rng, scope: usize, depth: usize) -> Formula {
    let value = |rng: &mut Rng| match rng.below(scope + 1) {
        index if index < scope => Value::Variable(index),
        _ => Value::Constant(rng.below(2)),
    };
    if depth == 0 {
        return match rng.below(4) {
            0 => Formula::P(value(rng)),
            1 => Formula::Equal(value(rng), value(rng)),
            _ => Formula::R(value(rng), value(rng)),
        };
    }
    match rng.below(7) {
        0 => Formula::Not(Box::new(random(rng, scope, depth - 1))),
        1 => Formula::And((0..2).map(|_| random(rng, scope, depth - 1)).collect()),
        2 => Formula::Or((0..2).map(|_| random(rng, scope, depth - 1)).collect()),
        _ => {
            // Mostly universal: existential quantifiers below universal ones may have no end.
            let universal = !rng.one_in(3);
            let body = Box::new(random(rng, scope + 1, depth - 1));
            Formula::Quantified { universal, variable: scope, body }
        }
    }
}

/// Returns the formula in SMT-LIB syntax.
fn text(formula: &Formula) -> String {
    let value = |value: &Value| match value {
        Value::Variable(index) => format!("x{index}"),
        Value::Constant(index) => format!("c{index}"),
    };
    let list = |items: &[Formula]| items.iter().map(text).collect::<Vec<_>>().join(" ");
    match formula {
        Formula::P(a) => format!("(p {})", value(a)),
        Formula::R(a, b) => format!("(r {} {})", value(a), value(b)),
        Formula::Equal(a, b) => format!("(= {} {})", value(a), value(b)),
        Formula::Not(a) => format!("(not {})", text(a)),
        Formula::And(items) => format!("(and {})", list(items)),
        Formula::Or(items) => format!("(or {})", list(items)),
        Formula::Quantified { universal, variable, body } => {
            format!("({} ((x{variable} S)) {})", if *universal { "forall" } else { "exists" }, text(body))
        }
    }
}

/// A solver with its declarations.
#[derive(Clone)]
struct Subject {
    solver: Solver,
    sort: Sort,
    p: Symbol,
    r: Symbol,
    constants: [Symbol; 2],
    variables: Vec<Variable>,
}

impl Subject {
    fn new(seed: u64) -> Subject {
        let mut solver = Solver::with_seed(seed);
        let sort = solver.sort("S").expect("a new name");
        let p = solver.relation("p", &[sort]).expect("a new name");
        let r = solver.relation("r", &[sort, sort]).expect("a new name");
        let constants = ["c0", "c1"].map(|name| solver.constant(name, sort).expect("a new name"));
        let variables =
            (0..6).map(|index| solver.variable(&format!("x{index}"), sort).expect("a sort")).collect();
        Subject { solver, sort, p, r, constants, variables }
    }

    fn value(&mut self, value: Value) -> Term {
        match value {
            Value::Variable(index) => self.solver.var(self.variables[index]).expect("a variable"),
            Value::Constant(index) => self.solver.apply(self.constants[index], &[]).expect("a constant"),
        }
    }

    fn term(&mut self, formula: &Formula) -> Term {
        let term = match formula {
            Formula::P(a) => {
                let args = [self.value(*a)];
                self.solver.apply(self.p, &args)
            }
            Formula::R(a, b) => {
                let args = [*a, *b].map(|value| self.value(value));
                self.solver.apply(self.r, &args)
            }
            Formula::Equal(a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                self.solver.eq(a, b)
            }
            Formula::Not(a) => {
                let a = self.term(a);
                self.solver.not(a)
            }
            Formula::And(items) | Formula::Or(items) => {
                let terms: Vec<Term> = items.iter().map(|item| self.term(item)).collect();
                if matches!(formula, Formula::And(_)) {
                    self.solver.and(&terms)
                } else {
                    self.solver.or(&terms)
                }
            }
            Formula::Quantified { universal, variable, body } => {
                let (body, variables) = (self.term(body), [self.variables[*variable]]);
                if *universal {
                    self.solver.forall(&variables, body)
                } else {
                    self.solver.exists(&variables, body)
                }
            }
        };
        term.expect("a term")
    }

    fn world(&self, model: Model<'_>) -> World {
        let size = model.size(self.sort).expect("a sort");
        let value = |symbol, args: &[u32]| model.value(symbol, args).expect("a value");
        let p = (0..size).map(|a| value(self.p, &[a]) == 1).collect();
        let pairs = (0..size).flat_map(|a| (0..size).map(move |b| [a, b]));
        let r = pairs.map(|pair| value(self.r, &pair) == 1).collect();
        let constants = self.constants.map(|constant| value(constant, &[]) as usize);
        World { size: size as usize, p, r, constants }
    }
}

#[derive(Default, Debug)]
struct Tally {
    sat: usize,
    unsat: usize,
    unknown: usize,
    interrupted: usize,
    minimal_models: usize,
    minimal_cores: usize,
    /// Total number of members of minimal cores.
    members: usize,
    deepest: usize,
}

/// A random sequence: a solver and a session side by side, with the assertions of both.
struct Sequence<'a> {
    seed: u64,
    rng: Rng,
    subject: Subject,
    session: Session,
    /// Assertions by scope, each with its label if it has one.
    told: Vec<Vec<(Formula, Option<Label>)>>,
    names: usize,
    tally: &'a mut Tally,
}

impl Sequence<'_> {
    fn act(&mut self) {
        match self.rng.below(12) {
            0..3 => {
                let depth = 1 + self.rng.below(3);
                let formula = random(&mut self.rng, 0, depth);
                let term = self.subject.term(&formula);
                let label = if self.rng.one_in(2) {
                    self.names += 1;
                    self.tell(&format!("(assert (! {} :named n{}))", text(&formula), self.names));
                    Some(self.subject.solver.assert_labelled(term).expect("a formula"))
                } else {
                    self.tell(&format!("(assert {})", text(&formula)));
                    self.subject.solver.assert(term).expect("a formula");
                    None
                };
                self.told.last_mut().expect("the outermost").push((formula, label));
            }
            3 | 4 if self.told.len() < 6 => {
                self.tell("(push)");
                self.subject.solver.push();
                self.told.push(Vec::new());
                self.tally.deepest = self.tally.deepest.max(self.subject.solver.depth());
            }
            5 | 6 if self.told.len() > 1 => {
                self.tell("(pop)");
                self.subject.solver.pop().expect("a scope");
                self.told.pop();
            }
            _ => self.question(),
        }
        assert_eq!(self.subject.solver.depth() + 1, self.told.len());
    }

    /// Executes a command of the session.
    fn tell(&mut self, command: &str) -> Response {
        let answers = self.session.run(command);
        assert_eq!(answers.len(), 1, "seed {}: {command}", self.seed);
        let answer = answers.into_iter().next().expect("an answer");
        assert!(!matches!(answer, Response::Error(_)), "seed {}: {command}: {answer:?}", self.seed);
        answer
    }

    fn question(&mut self) {
        let assumptions: Vec<Formula> = (0..self.rng.below(3)).map(|_| random(&mut self.rng, 0, 1)).collect();
        let terms: Vec<Term> = assumptions.iter().map(|formula| self.subject.term(formula)).collect();
        if self.rng.one_in(4) {
            // What an interrupted check leaves behind must not matter.
            let mut little = Budget::new(Some(1 + self.rng.below(40) as u64), None);
            let answer = self.subject.solver.check_assuming(&terms, &mut little).expect("formulas");
            self.tally.interrupted += usize::from(matches!(answer, Answer::Unknown(_)));
        }
        let mut budget = Budget::new(Some(AMPLE), None);
        let answer = self.subject.solver.check_assuming(&terms, &mut budget).expect("formulas");
        let texts: Vec<String> = assumptions.iter().map(text).collect();
        let response = self.tell(&format!("(check-sat-assuming ({}))", texts.join(" ")));
        let in_force: Vec<Formula> =
            self.told.iter().flatten().map(|(formula, _)| formula).chain(&assumptions).cloned().collect();
        match answer {
            Answer::Sat => {
                assert_ne!(response, Response::Unsat, "seed {}", self.seed);
                self.tally.sat += 1;
                self.judge_model(&in_force);
            }
            Answer::Unsat => {
                assert_ne!(response, Response::Sat, "seed {}", self.seed);
                self.tally.unsat += 1;
                let model = (1..=2).flat_map(World::all).find(|world| world.satisfies(&in_force));
                assert_eq!(model, None, "seed {}", self.seed);
                self.judge_core(&assumptions);
            }
            Answer::Unknown(_) => self.tally.unknown += 1,
            Answer::Defect => panic!("seed {}: a defect", self.seed),
        }
    }

    fn judge_model(&mut self, in_force: &[Formula]) {
        let seed = self.seed;
        let model = self.subject.solver.model().expect("a model");
        let world = self.subject.world(model);
        assert!(world.satisfies(in_force), "seed {seed}: {world:?}");
        if !self.rng.one_in(3) {
            return;
        }
        let measures = [
            Measure::Elements,
            Measure::Positive(self.subject.p.id(), 0),
            Measure::Positive(self.subject.r.id(), 0),
        ];
        let mut budget = Budget::new(Some(AMPLE), None);
        let minimum = self.subject.solver.minimal_model(&measures, &mut budget).expect("a model");
        let small = self.subject.world(self.subject.solver.model().expect("a model"));
        assert!(small.satisfies(in_force), "seed {seed}: {small:?}");
        assert!(small.size <= world.size, "seed {seed}: {small:?}");
        if minimum.proved == measures.len() {
            let least = (1..=2)
                .flat_map(World::all)
                .filter(|world| world.satisfies(in_force))
                .map(|world| world.measures())
                .min();
            match least {
                Some(least) => assert_eq!(small.measures(), least, "seed {seed}: {small:?}"),
                None => assert!(small.size > 2, "seed {seed}: {small:?}"),
            }
            self.tally.minimal_models += 1;
        }
    }

    fn judge_core(&mut self, assumptions: &[Formula]) {
        let seed = self.seed;
        let core = self.subject.solver.core().expect("a core").to_vec();
        assert_ne!(self.answer_to(&core, assumptions), Some(true), "seed {seed}: {core:?} is none");
        let mut budget = Budget::new(Some(AMPLE), None);
        let minimal = self.subject.solver.minimal_core(&[], &mut budget).expect("a core");
        assert!(minimal.causes.iter().all(|cause| core.contains(cause)), "seed {seed}");
        assert_ne!(
            self.answer_to(&minimal.causes, assumptions),
            Some(true),
            "seed {seed}: {minimal:?} is none"
        );
        if minimal.is_minimal {
            self.tally.minimal_cores += 1;
            for left_out in &minimal.causes {
                let rest: Vec<Cause> =
                    minimal.causes.iter().copied().filter(|cause| cause != left_out).collect();
                assert_ne!(self.answer_to(&rest, assumptions), Some(false), "seed {seed}: {left_out:?}");
                self.tally.members += 1;
            }
        }
    }

    /// Checks with a fresh solver whether the unlabelled assertions are satisfiable together with these causes.
    fn answer_to(&self, causes: &[Cause], assumptions: &[Formula]) -> Option<bool> {
        let mut fresh = Subject::new(self.seed + 1);
        let asserted = self
            .told
            .iter()
            .flatten()
            .filter(|(_, label)| label.is_none_or(|label| causes.contains(&Cause::Label(label))));
        let assumed =
            assumptions.iter().enumerate().filter(|&(at, _)| causes.contains(&Cause::Assumption(at)));
        let formulas: Vec<Formula> = asserted
            .map(|(formula, _)| formula)
            .chain(assumed.map(|(_, formula)| formula))
            .cloned()
            .collect();
        for formula in &formulas {
            let term = fresh.term(formula);
            fresh.solver.assert(term).expect("a formula");
        }
        match fresh.solver.check(&mut Budget::new(Some(AMPLE), None)) {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            _ => None,
        }
    }
}

#[test]
fn answers_models_and_cores_of_random_sequences_are_right() {
    let mut tally = Tally::default();
    for seed in 0..cases(100) {
        let mut session = Session::new(Environment { work: Some(AMPLE), seed, ..Environment::default() });
        let declarations = "(set-option :produce-unsat-cores true)(declare-sort S 0)(declare-fun p (S) Bool)
            (declare-fun r (S S) Bool)(declare-const c0 S)(declare-const c1 S)";
        assert!(session.run(declarations).iter().all(|answer| *answer == Response::Silent));
        let (rng, subject, told) = (Rng::new(seed), Subject::new(seed), vec![Vec::new()]);
        let mut sequence = Sequence { seed, rng, subject, session, told, names: 0, tally: &mut tally };
        for _ in 0..40 {
            sequence.act();
        }
    }
    assert!(tally.sat > 500 && tally.unsat > 500, "both answers occur often: {tally:?}");
    assert!(tally.minimal_models > 100 && tally.minimal_cores > 500 && tally.members > 300, "{tally:?}");
    assert!(tally.interrupted > 20 && tally.deepest == 5, "{tally:?}");
    assert!(tally.unknown * 20 < tally.sat + tally.unsat, "{tally:?}");
}

/// Returns the answers of a session to a script.
fn answers(script: &str) -> Vec<Response> {
    let mut session = Session::new(Environment::default());
    session.run(script).into_iter().filter(|answer| *answer != Response::Silent).collect()
}

#[test]
fn a_formula_that_is_asserted_by_name_and_assumed_is_listed_once() {
    let script = "(set-option :produce-unsat-cores true)(declare-const q Bool)
        (assert (! q :named n))(assert (not n))(check-sat-assuming (n n))(get-unsat-core)";
    assert_eq!(answers(script), [Response::Unsat, Response::Names(vec!["n".into()])]);
}

#[test]
fn there_is_no_core_of_a_check_before_cores_were_enabled() {
    let script = "(declare-const q Bool)(assert (! q :named n))(assert (! (not q) :named m))(check-sat)
        (set-option :produce-unsat-cores true)(get-unsat-core)(check-sat)(get-unsat-core)";
    let found = answers(script);
    assert!(
        matches!(&found[1], Response::Error(message) if message.contains("there is no core")),
        "{found:?}"
    );
    assert_eq!(found[2..], [Response::Unsat, Response::Names(vec!["n".into(), "m".into()])]);
}

#[test]
fn what_clients_of_other_solvers_set_is_accepted() {
    let script = "(set-option :print-success true)(set-option :diagnostic-output-channel \"stdout\")
        (set-option :smt.mbqi true)(set-option :auto_config false)(set-option :model.completion true)
        (set-logic AUFLIA)(declare-const q Bool)(set-option :nonsense 1)(check-sat q (not q))(check-sat-using smt)";
    let mut expected = vec![Response::Success; 7];
    expected.extend([Response::Unsupported(":nonsense".into()), Response::Unsat, Response::Sat]);
    assert_eq!(answers(script), expected);
}
