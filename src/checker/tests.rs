//! Random proofs: every clause is true in every structure, once the constants of the proof are chosen.

use crate::core::Core;
use crate::formula::{Id, Node};
use crate::proof::Proof;
use crate::structure::Structure;
use crate::{Map, Session};

/// Sorts `t` and `u`, two constants of `t` and one of `u`, functions from `t` to `t` and to `u`, relations on `t`, on `t` and `u`, and
/// without arguments; and two obligations, whose hypotheses have quantifiers of both kinds.
const CORE: &str = "ramsey-core 1
sort 0 t
sort 1 u
function 0 a rigid 0 0
function 1 b mutable 0 0
function 2 d rigid 0 1
function 3 f rigid 1 0 0
function 4 g mutable 1 0 1
relation 0 p mutable 1 0
relation 1 q rigid 2 0 1
relation 2 z rigid 0
hypothesis 2 0 ! 0 ? 1 R 0 1 2 V 1 V 0
hypothesis 2 1 ? 0 ! 0 = R 1 0 1 V 0 E 0 V 1 V 0
hypothesis 2 2 > R 0 2 0 | 2 E 0 A 1 1 0 A 2 1 0 ~ E 1 A 1 4 1 A 0 0 0 A 0 2 0
hypothesis 1 3 & 2 R 0 2 0 ~ R 1 0 1 A 0 0 0
query 2 open x 2 0 1 ! 0 ! 1 > R 1 0 1 V 1 R 0 1 2 V 1 V 0
query 2 open y 2 1 2 ? 0 & 2 R 2 0 1 V 0 ~ E 0 V 0 A 0 3 1 V 0
query 1 open z 1 3 R 0 2 0
digest 0
";

/// The splitmix64 generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Returns a term in words, under so many binders of sort `t`.
fn term(random: &mut Random, binders: usize, terms: usize, depth: usize) -> String {
    match random.below(if depth == 0 { 4 } else { 6 }) {
        0 => "A 0 0 0".into(),
        1 => format!("A {} 1 0", 1 + random.below(2)),
        2 if binders > 0 => format!("V {}", random.below(binders)),
        3 if terms > 0 => random.below(terms).to_string(),
        2..=4 => format!("A 0 3 1 {}", term(random, binders, terms, depth.saturating_sub(1))),
        _ => "A 0 0 0".into(),
    }
}

/// Returns a formula in words.
fn formula(random: &mut Random, binders: usize, (terms, formulas): (usize, usize), depth: usize) -> String {
    let counts = (terms, formulas);
    let t = |random: &mut Random| term(random, binders, terms, 1);
    let u = |random: &mut Random| match random.below(2) {
        0 => "A 0 2 0".to_owned(),
        _ => format!("A {} 4 1 {}", 1 + random.below(2), term(random, binders, terms, 1)),
    };
    if depth == 0 || random.one_in(4) {
        return match random.below(6) {
            0 => format!("R {} 0 1 {}", 1 + random.below(2), t(random)),
            1 => format!("R 0 1 2 {} {}", t(random), u(random)),
            2 => "R 0 2 0".into(),
            3 => format!("E 1 {} {}", u(random), u(random)),
            4 if formulas > 0 => (1 + random.below(formulas)).to_string(),
            _ => format!("E 0 {} {}", t(random), t(random)),
        };
    }
    let inner = |random: &mut Random, binders| formula(random, binders, counts, depth - 1);
    match random.below(7) {
        0 => format!("~ {}", inner(random, binders)),
        1 => format!("& 2 {} {}", inner(random, binders), inner(random, binders)),
        2 => format!("| 2 {} {}", inner(random, binders), inner(random, binders)),
        3 => format!("> {} {}", inner(random, binders), inner(random, binders)),
        4 => format!("= {} {}", inner(random, binders), inner(random, binders)),
        5 => format!("! 0 {}", inner(random, binders + 1)),
        _ => format!("? 0 {}", inner(random, binders + 1)),
    }
}

/// The kinds of lines that make clauses.
const KINDS: [&str; 13] = ["a", "A", "o", "O", "p", "e", "u", "w", "x", "y", "f", "r", "c"];

/// Returns a line, mostly with numbers that exist.
fn line(random: &mut Random, proof: &Proof) -> String {
    let (terms, formulas, clauses) = (proof.terms.len(), proof.formulas.len(), proof.clauses.len());
    let number = |random: &mut Random| 1 + random.below(formulas + 1);
    // A formula of a shape, if there is one.
    let of = |random: &mut Random, is: &dyn Fn(&Node) -> bool| {
        let start = random.below(formulas.max(1));
        let all = (0..formulas).map(|at| (start + at) % formulas);
        let found = all.into_iter().find(|&at| is(proof.core.pool.node(proof.formulas[at])));
        found.map_or(1, |at| at + 1)
    };
    let is_equation = |node: &Node| matches!(node, Node::Eq(..));
    match random.below(18) {
        0 | 1 => format!("t {}", term(random, 0, terms, 2)),
        2 | 3 => format!("d {}", formula(random, 0, (terms, formulas), 3)),
        4 => format!("i {} {}", random.below(3), random.below(4)),
        5 => format!("a {} {}", of(random, &|it| matches!(it, Node::And(_))), random.below(3)),
        6 => format!("A {}", of(random, &|it| matches!(it, Node::And(_)))),
        7 => match random.below(2) {
            0 => format!("o {}", of(random, &|it| matches!(it, Node::Or(_)))),
            _ => format!("O {} {}", of(random, &|it| matches!(it, Node::Or(_))), random.below(3)),
        },
        8 => format!("p {} {}", of(random, &|it| matches!(it, Node::Implies(..))), random.below(4)),
        9 => format!("e {} {}", of(random, &|it| matches!(it, Node::Iff(..))), random.below(5)),
        10 | 11 => {
            let values: String =
                (0..=random.below(2)).map(|_| format!(" {}", random.below(terms + 1))).collect();
            let is_quantified = |it: &Node| matches!(it, Node::Forall(..) | Node::Exists(..));
            format!("u {}{values}", of(random, &is_quantified))
        }
        12 => {
            let is_quantified = |it: &Node| matches!(it, Node::Forall(..) | Node::Exists(..));
            format!("w {} {}", of(random, &is_quantified), 1 + random.below(2))
        }
        13 => format!("x {}", of(random, &|it| matches!(it, Node::Eq(_, a, b) if a == b))),
        14 => {
            let [a, b, c] = [0; 3].map(|_| of(random, &is_equation));
            format!("y {a} {b} {c}")
        }
        15 => {
            let is_pair = |it: &Node| match *it {
                Node::Eq(_, a, b) => {
                    let applied = |id: Id| matches!(proof.core.pool.node(id), Node::App(_, 3 | 4, _));
                    applied(a) && applied(b)
                }
                _ => false,
            };
            let with = if random.one_in(2) { 0 } else { of(random, &is_equation) };
            format!("f {} {with}", of(random, &is_pair))
        }
        16 => {
            let relation = random.below(2) as u32;
            let is_atom = |it: &Node| matches!(it, Node::Rel(_, found, _) if *found == relation);
            let equation = |random: &mut Random| match random.below(2) {
                0 => 0,
                _ => of(random, &is_equation),
            };
            let equations: String = (0..=relation).map(|_| format!(" {}", equation(random))).collect();
            format!("r {} {}{equations}", of(random, &is_atom), of(random, &is_atom))
        }
        _ => {
            // The resolvent of two clauses, or anything.
            let [first, second] = [0; 2].map(|_| random.below(clauses + 1));
            let literals_of = |clause: usize| {
                clause.checked_sub(1).and_then(|at| proof.clauses[at].clone()).unwrap_or_default()
            };
            let mut literals: Vec<u32> = [literals_of(first), literals_of(second)].concat();
            if !literals.is_empty() {
                let pivot = literals[random.below(literals.len())];
                literals.retain(|&literal| literal / 2 != pivot / 2);
            }
            if random.one_in(4) {
                literals.push(2 * number(random) as u32 + random.below(2) as u32);
            }
            let words: String = literals
                .iter()
                .map(|literal| format!(" {}{}", if literal % 2 == 1 { "-" } else { "" }, literal / 2))
                .collect();
            format!("c{words} 0 {first} {second}")
        }
    }
}

/// Returns the lines of a structure with one or two elements of each sort.
fn structure(random: &mut Random) -> Vec<String> {
    let sizes = [1 + random.below(2), 1 + random.below(2)];
    let mut lines = vec![format!("size 0 {}", sizes[0]), format!("size 1 {}", sizes[1])];
    lines.push(format!("value 0 0 {}", random.below(sizes[0])));
    lines.push(format!("value 0 2 {}", random.below(sizes[1])));
    for state in 1..=2 {
        lines.push(format!("value {state} 1 {}", random.below(sizes[0])));
    }
    for x in 0..sizes[0] {
        lines.push(format!("value 0 3 {x} {}", random.below(sizes[0])));
        for state in 1..=2 {
            lines.push(format!("value {state} 4 {x} {}", random.below(sizes[1])));
            if random.one_in(2) {
                lines.push(format!("true {state} 0 {x}"));
            }
        }
        for y in (0..sizes[1]).filter(|_| random.one_in(2)).collect::<Vec<_>>() {
            lines.push(format!("true 0 1 {x} {y}"));
        }
    }
    if random.one_in(2) {
        lines.push("true 0 2".into());
    }
    lines
}

/// Chooses the constants that lines `w` have introduced, in their order: so that the body is as the formula says, where it can be.
fn choose(structure: &mut Structure<'_>, witnesses: &[(Id, Vec<u32>)]) {
    for (formula, constants) in witnesses {
        let holds = structure.holds(*formula, &mut Vec::new()).expect("a closed formula");
        let (mut body, mut sorts) = (*formula, Vec::new());
        for _ in constants {
            match *structure.core.pool.node(body) {
                Node::Forall(sort, inner) | Node::Exists(sort, inner) => {
                    (body, _) = (inner, sorts.push(sort))
                }
                _ => panic!("a quantifier for each constant"),
            }
        }
        let is_universal = matches!(structure.core.pool.node(*formula), Node::Forall(..));
        let sizes: Vec<u32> = sorts.iter().map(|&sort| structure.sizes[sort as usize]).collect();
        let mut values = vec![0; sizes.len()];
        // The body is to be true for a true existential formula, and false for a false universal one.
        if holds != is_universal {
            let all = sizes.iter().product::<u32>();
            let found = (0..all).find(|&index| {
                let mut rest = index;
                for (value, size) in values.iter_mut().zip(&sizes) {
                    (*value, rest) = (rest % size, rest / size);
                }
                structure.holds(body, &mut values.clone()).expect("a formula") != is_universal
            });
            assert!(found.is_some(), "the values of the constants");
        }
        structure.constants.extend(constants.iter().copied().zip(values));
    }
}

#[test]
fn clauses_are_true_once_constants_are_chosen() {
    let mut made = [0; KINDS.len()];
    let (mut shown, mut judged) = (0, 0);
    for seed in 0..400 {
        let mut random = Random(seed);
        let mut proof = Proof::new(Core::read(CORE).expect("a closed form"));
        let (mut kinds, mut witnesses) = (Vec::new(), Vec::new());
        for _ in 0..250 {
            let line = line(&mut random, &proof);
            let (clauses, constants) = (proof.clauses.len(), proof.constants);
            let is_accepted = proof.step(&line).is_ok();
            if proof.clauses.len() > clauses {
                assert!(is_accepted, "{line}");
                let kind = line.split(' ').next().unwrap_or_default();
                kinds.push(line.clone());
                made[KINDS.iter().position(|&known| known == kind).expect("a kind that makes clauses")] += 1;
            }
            if is_accepted && proof.constants > constants {
                let number: usize = line.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a number");
                let new = (constants..proof.constants).collect();
                witnesses.push((proof.formulas[number - 1], new));
            }
        }
        let answered: Vec<usize> = (0..3)
            .filter(|&it| (0..=proof.clauses.len() as u32).any(|clause| proof.shows(it, clause).is_ok()))
            .collect();
        shown += answered.len();
        for _ in 0..20 {
            let mut structure_of = Structure::new(&proof.core, 0).expect("an obligation");
            for line in structure(&mut random) {
                structure_of.line(&line).expect("a line of a structure");
            }
            choose(&mut structure_of, &witnesses);
            for (clause, line) in proof.clauses.iter().zip(&kinds) {
                let is_true = clause.iter().flatten().any(|&literal| {
                    let formula = proof.formulas[literal as usize / 2 - 1];
                    let holds = structure_of.holds(formula, &mut Vec::new()).expect("a closed formula");
                    holds != (literal % 2 == 1)
                });
                assert!(is_true, "seed {seed}: {line}");
            }
            for &it in &answered {
                let obligation = &proof.core.obligations[it];
                let mut holds =
                    |formula| structure_of.holds(formula, &mut Vec::new()).expect("a closed formula");
                let is_assumed = obligation.hypotheses.iter().all(|&hypothesis| holds(hypothesis));
                assert!(!is_assumed || holds(obligation.goal), "seed {seed}: obligation {it}");
                judged += usize::from(is_assumed);
            }
        }
    }
    assert!(made.iter().all(|&count| count > 50), "every kind is made: {made:?}");
    assert!(shown > 20 && judged > 20, "{shown} obligations are shown, with {judged} structures");
}

/// Evaluation ends where it takes too long.
#[test]
fn evaluation_is_limited() {
    let core = CORE.replace("query 2 open x 2 0 1 ! 0", "query 2 open x 0 ! 0 ! 0");
    let core = Core::read(&core).expect("a closed form");
    let judge = |work| {
        let mut structure = Structure::new(&core, 0).expect("an obligation");
        for line in ["size 0 2", "size 1 2", "true 1 0 1"] {
            structure.line(line).expect("a line");
        }
        structure.work = work;
        structure.judge()
    };
    assert_eq!(judge(1_000), Ok(()));
    assert_eq!(judge(4), Err("the formulas take too long to evaluate"));
    assert_eq!(judge(0), Err("the formulas take too long to evaluate"));
}

/// The same text is the same formula, and a formula is what its parts are.
#[test]
fn formulas_are_interned() {
    let core = Core::read(CORE).expect("a closed form");
    let mut seen: Map<String, Id> = Map::new();
    for id in 0..core.pool.len() as Id {
        let text = format!("{:?}", core.pool.node(id));
        assert_eq!(seen.insert(text, id), None);
    }
}

#[test]
fn evidence_stands_alone() {
    let mut session = Session::new(Core::read(CORE).expect("a closed form"));
    let mut answer = |obligation: usize, evidence: &str| {
        let answer = session.answer(obligation, evidence.as_bytes());
        answer.map_err(|rejection| (rejection.line, rejection.reason))
    };
    let refused = |line: usize, reason: &str| Err((line, reason.to_owned()));
    let proof = "i 2 0\na 1 0\nq 2 1\n";
    assert_eq!(answer(2, proof), Ok(true));
    // Neither formulas nor clauses of earlier evidence are there.
    assert_eq!(answer(2, "a 1 0\nq 2 1\n"), refused(1, "no such formula"));
    assert_eq!(answer(2, "q 2 1\n"), refused(1, "no such clause"));
    assert_eq!(answer(2, proof), Ok(true));
    // Numbers of formulas, terms and constants begin anew.
    for _ in 0..2 {
        assert_eq!(
            answer(0, "i 0 1\nw 1 1\nd E 0 0 0\nx 3\n"),
            refused(4, "the text ends too early"),
            "the steps are right"
        );
    }
    assert_eq!(answer(2, "t 0\n"), refused(1, "no such term"));
    // One answer, to this obligation, at the end.
    assert_eq!(answer(1, proof), refused(3, "the answer to another obligation"));
    assert_eq!(answer(2, &format!("{proof}{proof}")), refused(4, "a line after the answer"));
    assert_eq!(answer(2, "i 2 0\na 1 0\nend\n"), refused(3, "the evidence ends without an answer"));
    assert_eq!(answer(9, proof), refused(3, "the answer to another obligation"));
    assert_eq!(answer(2, ""), refused(0, "the text ends too early"));
    // A structure is an answer as well: all hypotheses are true in it, and the goal is not.
    let mut session = Session::new(
        Core::read("ramsey-core 1\nrelation 0 p rigid 0\nquery 1 open x 0 R 0 0 0\ndigest 0\n")
            .expect("a closed form"),
    );
    assert_eq!(session.answer(0, "s 0\nend\n".as_bytes()), Ok(false));
    assert!(session.answer(0, "s 0\ntrue 0 0\nend\n".as_bytes()).is_err());
}

/// A short text may have steps for days.
#[test]
fn evidence_has_an_end() {
    let mut session = Session::new(Core::read(CORE).expect("a closed form"));
    let proof = "i 2 0\na 1 0\n";
    let long = format!("c -1 {}0 1\n", "2 ".repeat(2_000_000));
    let checked = session.answer(2, format!("{proof}{long}q 2 2\n").as_bytes());
    assert_eq!(checked, Ok(true), "a long clause is as good as a short one");
    // A clause with one literal that is not false, again and again.
    let hints = " 2".repeat(10_000);
    let endless = format!("{proof}{long}c -1 0{hints}\nq 2 1\n");
    let reason = session.answer(2, endless.as_bytes()).map_err(|rejection| rejection.reason);
    assert_eq!(reason, Err("the proof takes too long".to_owned()));
    // What was spent belongs to that evidence.
    assert_eq!(session.answer(2, format!("{proof}q 2 1\n").as_bytes()), Ok(true));
}
