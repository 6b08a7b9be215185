//! Closed systems, read from their text, with what has to be shown of them.

use std::ops::Range;
use std::sync::Arc;

use crate::formula::{Id, Pool};
use crate::words::{Scope, Symbol, Vocabulary, Words};
use crate::{Checked, Map, Rejection};

/// The first line.
const HEADER: &str = "ramsey-core 1";

/// The words that lines begin with, in the order of the lines.
const WORDS: [&str; 13] = [
    "sort",
    "function",
    "relation",
    "axiom",
    "init",
    "transition",
    "invariant",
    "assertion",
    "theorem",
    "initial",
    "hypothesis",
    "query",
    "digest",
];

/// The places in [`WORDS`] of the lines of a model.
const MODEL: Range<usize> = 3..10;

/// The places in [`WORDS`] of queries and what they assume.
const QUERIES: Range<usize> = 10..12;

/// What is claimed of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The hypotheses imply the goal.
    Holds,
    /// They do not: some structure is an execution that is looked for.
    Fails,
    /// Either answer is right.
    Open,
}

/// An obligation: hypotheses and the goal that they are to imply, in all structures.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) label: String,
    pub(crate) hypotheses: Arc<[Id]>,
    pub(crate) goal: Id,
    pub(crate) wanted: Wanted,
    /// The number of states that it speaks of.
    pub(crate) states: u32,
}

/// A closed system or a list of queries, with its obligations.
#[derive(Clone, Debug)]
pub struct Core {
    pub(crate) pool: Pool,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) obligations: Vec<Obligation>,
    /// The number of states that its obligations speak of, at most.
    pub(crate) states: u32,
    /// The digest that the text ends with. It is a name and proves nothing.
    pub(crate) digest: String,
}

/// The lines of a text, by the word that they begin with.
#[derive(Default)]
struct Lists {
    rigid: Vec<Id>,
    axioms: Vec<Id>,
    inits: Vec<Id>,
    transitions: Vec<(String, Id)>,
    invariants: Vec<(String, Id)>,
    assertions: Vec<(String, Id)>,
    theorems: Vec<Theorem>,
    /// With the numbers of states that they are about.
    hypotheses: Vec<(Id, u32)>,
    queries: Vec<Obligation>,
}

/// A formula that is claimed of sequences of so many states.
struct Theorem {
    label: String,
    states: u32,
    /// Whether the axioms of states are assumed of each of them.
    is_about_states: bool,
    formula: Id,
}

impl Core {
    /// Reads the text of a closed system.
    ///
    /// # Errors
    /// The first line that is not as `spec/core.md` says.
    pub fn read(text: &str) -> Result<Core, Rejection> {
        let (mut pool, mut vocabulary, mut lists) =
            (Pool::default(), Vocabulary::default(), Lists::default());
        let (mut rank, mut digest, mut count) = (0, None, 0);
        for (at, line) in text.split_inclusive('\n').enumerate() {
            count = at + 1;
            let reject = |reason: &str| rejection(count, reason);
            let line = line.strip_suffix('\n').ok_or_else(|| reject("the last line has no end"))?;
            if at == 0 {
                if line != HEADER {
                    return Err(reject("the first line is not `ramsey-core 1`"));
                }
                continue;
            }
            let place = WORDS.iter().position(|&word| line.split(' ').next() == Some(word));
            let place = place.ok_or_else(|| reject("an unknown kind of line"))?;
            // Theorems and what holds before initial states are one list. Queries stand alone.
            let is_early = place < rank && !(WORDS[place] == "theorem" && WORDS[rank] == "initial");
            if digest.is_some() || is_early || MODEL.contains(&rank) && QUERIES.contains(&place) {
                return Err(reject("the line is not at its place"));
            }
            rank = place;
            if WORDS[place] == "digest" {
                digest = line.strip_prefix("digest ");
                continue;
            }
            lists.line(line, &mut pool, &mut vocabulary).map_err(reject)?;
        }
        let digest =
            digest.ok_or_else(|| rejection(count.max(1), "the text ends without a digest"))?.to_owned();
        let obligations = lists.obligations(&mut pool);
        let states = obligations.iter().map(|it| it.states).max().unwrap_or(0);
        Ok(Core { pool, vocabulary, obligations, states, digest })
    }

    /// Returns what its obligations are about, in the order of their numbers.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.obligations.iter().map(|it| it.label.as_str())
    }
}

impl Lists {
    fn line(&mut self, line: &str, pool: &mut Pool, vocabulary: &mut Vocabulary) -> Checked {
        let mut words = Words::new(line);
        let word = words.word()?;
        match word {
            "sort" => {
                next(words.number()?, vocabulary.sorts as usize)?;
                words.word()?;
                vocabulary.sorts += 1;
                return words.end();
            }
            "function" | "relation" => {
                let is_function = word == "function";
                let list = if is_function { &mut vocabulary.functions } else { &mut vocabulary.relations };
                next(words.number()?, list.len())?;
                words.word()?;
                let is_mutable = match words.word()? {
                    "mutable" => true,
                    "rigid" => false,
                    _ => return Err("neither `rigid` nor `mutable`"),
                };
                let count = words.number()? as usize;
                let mut sorts = words.numbers()?;
                if sorts.len() != count + usize::from(is_function) {
                    return Err("not a sort for each argument");
                }
                if sorts.iter().any(|&sort| sort >= vocabulary.sorts) {
                    return Err("no such sort");
                }
                let result = if is_function { sorts.pop() } else { None };
                list.push(Symbol { args: sorts, result, is_mutable });
                return Ok(());
            }
            _ => {}
        }
        let scope = |states| Scope { vocabulary, states, terms: &[], formulas: &[] };
        match word {
            "axiom" => {
                let (states, list) = match words.word()? {
                    "rigid" if self.axioms.is_empty() => (0, &mut self.rigid),
                    "state" => (1, &mut self.axioms),
                    _ => return Err("neither `rigid` nor `state`, or not at its place"),
                };
                words.word()?;
                list.push(words.formula(pool, scope(states))?);
            }
            "init" => {
                words.word()?;
                self.inits.push(words.formula(pool, scope(1))?);
            }
            "transition" | "invariant" | "assertion" => {
                let (states, list) = match word {
                    "transition" => (2, &mut self.transitions),
                    "invariant" => (1, &mut self.invariants),
                    _ => (1, &mut self.assertions),
                };
                let label = words.word()?.to_owned();
                list.push((label, words.formula(pool, scope(states))?));
            }
            "theorem" | "initial" => {
                let (states, label) = (words.number()?, words.word()?.to_owned());
                match (word, states) {
                    ("theorem", 0..=2) | ("initial", 1) => {}
                    ("theorem", _) => return Err("a theorem is about 0 to 2 states"),
                    _ => return Err("an initial formula is about 1 state"),
                }
                let formula = words.formula(pool, scope(states))?;
                self.theorems.push(Theorem { label, states, is_about_states: word == "theorem", formula });
            }
            "hypothesis" => {
                let (states, _) = (words.number()?, words.word()?);
                self.hypotheses.push((words.formula(pool, scope(states))?, states));
            }
            _ => {
                let (states, wanted) = (words.number()?, words.word()?);
                let wanted = match wanted {
                    "holds" => Wanted::Holds,
                    "fails" => Wanted::Fails,
                    "open" => Wanted::Open,
                    _ => return Err("neither `holds` nor `fails` nor `open`"),
                };
                let label = format!("query {}", words.word()?);
                let mut hypotheses = Vec::new();
                for _ in 0..words.number()? {
                    let known = self.hypotheses.get(words.number()? as usize).filter(|it| it.1 <= states);
                    hypotheses.push(known.ok_or("no such hypothesis about so many states")?.0);
                }
                let goal = words.formula(pool, scope(states))?;
                self.queries.push(Obligation { label, hypotheses: hypotheses.into(), goal, wanted, states });
            }
        }
        words.end()
    }

    /// Returns what has to be shown, in the order of `spec/core.md`.
    fn obligations(self, pool: &mut Pool) -> Vec<Obligation> {
        let mut moved = Map::new();
        let mut in_state = |formula: Id, state: u32| pool.in_state(formula, state, &mut moved);
        let (mut known, mut next) = (self.rigid.clone(), Vec::new());
        for &axiom in &self.axioms {
            known.push(axiom);
            next.push(in_state(axiom, 1));
        }
        let mut all = Vec::new();
        let mut add = |label: String, hypotheses: &Arc<[Id]>, goal: Id, states: u32| {
            let hypotheses = Arc::clone(hypotheses);
            all.push(Obligation { label, hypotheses, goal, wanted: Wanted::Holds, states });
        };
        let initial: Arc<[Id]> = known.iter().chain(&self.inits).copied().collect();
        for (name, invariant) in &self.invariants {
            add(format!("init {name}"), &initial, *invariant, 1);
        }
        let invariants = || self.invariants.iter().map(|(_, invariant)| *invariant);
        let preserved: Vec<Id> = invariants().map(|invariant| in_state(invariant, 1)).collect();
        for (transition, formula) in &self.transitions {
            let before = known.iter().chain(&next).copied().chain(invariants());
            let hypotheses: Arc<[Id]> = before.chain([*formula]).collect();
            for ((name, _), &goal) in self.invariants.iter().zip(&preserved) {
                add(format!("step {transition} {name}"), &hypotheses, goal, 2);
            }
        }
        let reached: Arc<[Id]> = known.iter().copied().chain(invariants()).collect();
        for (name, assertion) in &self.assertions {
            add(format!("assertion {name}"), &reached, *assertion, 1);
        }
        for Theorem { label, states, is_about_states, formula } in self.theorems {
            let states_with_axioms = if is_about_states { states } else { 0 };
            let each =
                (0..states_with_axioms).flat_map(|state| self.axioms.iter().map(move |&it| (it, state)));
            let each: Vec<Id> = each.map(|(axiom, state)| in_state(axiom, state)).collect();
            let hypotheses: Arc<[Id]> = self.rigid.iter().copied().chain(each).collect();
            let word = if is_about_states { "theorem" } else { "initial" };
            add(format!("{word} {label}"), &hypotheses, formula, states);
        }
        all.extend(self.queries);
        all
    }
}

fn rejection(line: usize, reason: &str) -> Rejection {
    Rejection { line, obligation: None, reason: reason.into(), is_unreadable: false }
}

/// Makes sure that a number is the next one.
fn next(number: u32, count: usize) -> Checked {
    if number as usize == count { Ok(()) } else { Err("not the next number") }
}
