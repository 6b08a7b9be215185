//! Certificates, read as steps with their formulas. The checker has accepted them before, so that nothing is judged here.

use std::str::Split;

use ramsey_core::base::hash::{Map, Set};
use ramsey_kernel::core::{Core, Literal, Node, NodeId, Step};

use super::failure::Failure;
use super::obligation::Obligation;

/// The number of lines before the steps: header, source, core, claim.
const HEAD: usize = 4;

/// A certificate with its formulas.
pub(super) struct Reading {
    /// The closed form. Its arena has the formulas of the steps as well.
    pub(super) core: Core,
    /// The formulas by their numbers. The first has number 1.
    pub(super) formulas: Vec<NodeId>,
    /// The same formulas.
    pub(super) numbered: Set<NodeId>,
    /// By formula, its number. An equation has that of its mirror image.
    numbers: Map<NodeId, u32>,
    /// Closed terms. The first has number 0.
    terms: Vec<NodeId>,
    /// By constant, the quantified formula that it is a witness of. The first has number 1.
    pub(super) witnesses: Vec<NodeId>,
    /// The steps, each of which makes a clause. The first clause has number 1.
    pub(super) steps: Vec<Step>,
    /// Obligations that are proved, with the clause that shows it; 0 where the goal is a hypothesis.
    pub(super) answers: Vec<(usize, usize)>,
    /// By term or formula, how many binders have to be around it for all of its variables to be bound.
    open: Map<NodeId, usize>,
}

/// The words of a line that are not read yet.
struct Words<'a>(Split<'a, char>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    fn numbers<T: std::str::FromStr>(&mut self) -> Option<Vec<T>> {
        self.0.by_ref().map(|word| word.parse().ok()).collect()
    }
}

impl Reading {
    /// Begins to read.
    pub(super) fn new(core: Core) -> Reading {
        Reading {
            core,
            formulas: Vec::new(),
            numbered: Set::default(),
            numbers: Map::default(),
            terms: Vec::new(),
            witnesses: Vec::new(),
            steps: Vec::new(),
            answers: Vec::new(),
            open: Map::default(),
        }
    }

    /// Reads a certificate of these obligations.
    ///
    /// # Errors
    /// A line is not one of a certificate that the checker accepts.
    pub(super) fn read(&mut self, text: &str, obligations: &[Option<Obligation>]) -> Result<(), Failure> {
        let mut lines = text.lines().enumerate().skip(HEAD);
        while let Some((at, line)) = lines.next() {
            match line {
                "end" => return Ok(()),
                // A counterexample has nothing that could be refuted.
                line if line.starts_with("s ") => {
                    lines.find(|(_, line)| *line == "end").ok_or(Failure::Line(at + 1))?;
                }
                line => self.line(line, obligations).ok_or(Failure::Line(at + 1))?,
            }
        }
        Err(Failure::Line(text.lines().count()))
    }

    /// Reads the line of a step or of an answer, as the table of `spec/certificate.md` says.
    fn line(&mut self, line: &str, obligations: &[Option<Obligation>]) -> Option<()> {
        let mut words = Words(line.split(' '));
        let word = words.word()?;
        let step = match word {
            "t" => {
                let term = self.node(&mut words, true)?;
                self.terms.push(term);
                return Some(());
            }
            "d" => {
                let formula = self.node(&mut words, false)?;
                self.literal(formula);
                return Some(());
            }
            "i" => {
                let obligation = obligations.get(words.number::<usize>()?)?.as_ref()?;
                let at: usize = words.number()?;
                let formula = *obligation.hypotheses.get(at).unwrap_or(&obligation.goal);
                self.literal(formula);
                return Some(());
            }
            // Deleted clauses keep their numbers.
            "-" => return Some(()),
            "q" => {
                self.answers.push((words.number()?, words.number()?));
                return Some(());
            }
            "a" | "O" => {
                let (n, at) = (words.number()?, words.number()?);
                let part = *self.items(n)?.get(at)?;
                let literal = self.literal(part);
                if word == "a" { Step::AndElim(n, at, literal) } else { Step::OrIntro(n, at, literal) }
            }
            "A" | "o" => {
                let n = words.number()?;
                let items = self.items(n)?;
                let literals = items.into_iter().map(|item| self.literal(item)).collect();
                if word == "A" { Step::AndIntro(n, literals) } else { Step::OrElim(n, literals) }
            }
            "p" | "e" => {
                let (n, kind): (u32, usize) = (words.number()?, words.number()?);
                let [a, b] = *self.core.pool.node(self.formula(n)?).children() else { return None };
                let (a, b) = (self.literal(a), self.literal(b));
                match (word, kind) {
                    ("e", kind) => Step::Iff(n, a, b, kind),
                    (_, 0) => Step::ImpliesElim(n, a, b),
                    (_, kind) => Step::ImpliesIntro(n, a, b, kind == 1),
                }
            }
            "u" => {
                let (n, numbers): (u32, Vec<usize>) = (words.number()?, words.numbers()?);
                let values: Option<Vec<NodeId>> =
                    numbers.into_iter().map(|term| self.terms.get(term).copied()).collect();
                let values = values?;
                let mut instance = self.formula(n)?;
                for &value in &values {
                    let (_, body, _) = self.quantifier(instance)?;
                    instance = self.instance(body, value);
                }
                let literal = self.literal(instance);
                Step::Instance(n, values, literal)
            }
            "w" => {
                let (n, count): (u32, usize) = (words.number()?, words.number()?);
                let first = self.witnesses.len() + 1;
                let mut instance = self.formula(n)?;
                for _ in 0..count {
                    let (sort, body, _) = self.quantifier(instance)?;
                    self.witnesses.push(instance);
                    let constant = self.core.pool.intern(Node::Constant(sort, self.witnesses.len()));
                    self.terms.push(constant);
                    instance = self.instance(body, constant);
                }
                let literal = self.literal(instance);
                Step::Witness(n, first, count, literal)
            }
            "x" => Step::Reflexive(words.number()?),
            "y" => Step::Transitive(words.number()?, words.number()?, words.number()?),
            "f" => Step::Function(words.number()?, equations(&words.numbers()?)),
            "r" => Step::Relation(words.number()?, words.number()?, equations(&words.numbers()?)),
            "c" => {
                let mut clause = Vec::new();
                loop {
                    match words.number::<i64>()? {
                        0 => break,
                        number => clause
                            .push(2 * u32::try_from(number.unsigned_abs()).ok()? + u32::from(number < 0)),
                    }
                }
                Step::Derived(clause, words.numbers()?)
            }
            _ => return None,
        };
        self.steps.push(step);
        Some(())
    }

    /// Returns the formula with this number.
    pub(super) fn formula(&self, number: u32) -> Option<NodeId> {
        self.formulas.get((number as usize).checked_sub(1)?).copied()
    }

    /// Returns the parts of the conjunction or disjunction with this number.
    fn items(&self, number: u32) -> Option<Vec<NodeId>> {
        Some(self.core.pool.node(self.formula(number)?).children())
    }

    /// Returns the sort of the first variable of a quantified formula, its body, and whether it is universal.
    pub(super) fn quantifier(&self, formula: NodeId) -> Option<(usize, NodeId, bool)> {
        match *self.core.pool.node(formula) {
            Node::Forall(sort, body) => Some((sort, body, true)),
            Node::Exists(sort, body) => Some((sort, body, false)),
            _ => None,
        }
    }

    /// Returns a formula without the negations in front of it, and their number.
    pub(super) fn unsigned(&self, mut formula: NodeId) -> (NodeId, usize) {
        let mut negations = 0;
        while let &Node::Not(inner) = self.core.pool.node(formula) {
            (formula, negations) = (inner, negations + 1);
        }
        (formula, negations)
    }

    /// Returns the formula that stands for one without negations in front of it: of an equation and its mirror image, the one that
    /// has the number.
    pub(super) fn standing(&mut self, formula: NodeId) -> NodeId {
        let proposition = self.proposition(formula);
        self.numbers.get(&proposition).and_then(|&number| self.formula(number)).unwrap_or(formula)
    }

    /// Returns the same formula for an equation and its mirror image, and any other formula itself.
    fn proposition(&mut self, formula: NodeId) -> NodeId {
        match *self.core.pool.node(formula) {
            Node::Eq(sort, a, b) if b < a => self.core.pool.intern(Node::Eq(sort, b, a)),
            _ => formula,
        }
    }

    /// Returns the literal of a closed formula, which gets the next number if it has none.
    fn literal(&mut self, formula: NodeId) -> Literal {
        let (formula, negations) = self.unsigned(formula);
        let proposition = self.proposition(formula);
        let next = self.formulas.len() as u32 + 1;
        let number = *self.numbers.entry(proposition).or_insert(next);
        if number == next {
            self.formulas.push(formula);
            self.numbered.insert(formula);
        }
        2 * number + (negations % 2) as u32
    }

    /// Reads a term or formula in prefix form.
    fn node(&mut self, words: &mut Words<'_>, is_term: bool) -> Option<NodeId> {
        let state = |state: u16| state.checked_sub(1);
        let word = words.word()?;
        let node = match word {
            "V" => Node::Var(words.number()?),
            "A" | "R" => {
                let (at, symbol, count) = (state(words.number()?), words.number()?, words.number::<usize>()?);
                let args = (0..count).map(|_| self.node(words, true)).collect::<Option<_>>()?;
                if word == "A" { Node::App(at, symbol, args) } else { Node::Rel(at, symbol, args) }
            }
            "E" => Node::Eq(words.number()?, self.node(words, true)?, self.node(words, true)?),
            "~" => Node::Not(self.node(words, false)?),
            "&" | "|" => {
                let count: usize = words.number()?;
                let items = (0..count).map(|_| self.node(words, false)).collect::<Option<_>>()?;
                if word == "&" { Node::And(items) } else { Node::Or(items) }
            }
            ">" => Node::Implies(self.node(words, false)?, self.node(words, false)?),
            "=" => Node::Iff(self.node(words, false)?, self.node(words, false)?),
            "!" => Node::Forall(words.number()?, self.node(words, false)?),
            "?" => Node::Exists(words.number()?, self.node(words, false)?),
            known if is_term => return self.terms.get(known.parse::<usize>().ok()?).copied(),
            known => return self.formula(known.parse().ok()?),
        };
        Some(self.core.pool.intern(node))
    }

    /// Returns the body of a quantifier with a closed term for its variable.
    pub(super) fn instance(&mut self, body: NodeId, value: NodeId) -> NodeId {
        self.replaced(body, 0, value, &mut Map::default())
    }

    /// `depth` is the number of binders around the node in the body.
    fn replaced(
        &mut self,
        id: NodeId,
        depth: usize,
        value: NodeId,
        done: &mut Map<(NodeId, usize), NodeId>,
    ) -> NodeId {
        if self.open(id) <= depth {
            return id;
        }
        if let Some(&known) = done.get(&(id, depth)) {
            return known;
        }
        let mut node = self.core.pool.node(id).clone();
        let below = depth + usize::from(matches!(node, Node::Forall(..) | Node::Exists(..)));
        let mut part = |id: &mut NodeId| *id = self.replaced(*id, below, value, done);
        match &mut node {
            // It is the only variable that no binder of the body binds.
            Node::Var(_) => return value,
            Node::Constant(..) => {}
            Node::App(_, _, items) | Node::Rel(_, _, items) | Node::And(items) | Node::Or(items) => {
                items.iter_mut().for_each(part);
            }
            Node::Eq(_, a, b) | Node::Implies(a, b) | Node::Iff(a, b) => {
                part(a);
                part(b);
            }
            Node::Not(a) | Node::Forall(_, a) | Node::Exists(_, a) => part(a),
        }
        let new = self.core.pool.intern(node);
        done.insert((id, depth), new);
        new
    }

    /// Returns how many binders have to be around a node for all of its variables to be bound.
    fn open(&mut self, id: NodeId) -> usize {
        if let Some(&known) = self.open.get(&id) {
            return known;
        }
        let node = self.core.pool.node(id);
        let (children, binds) = (node.children(), matches!(node, Node::Forall(..) | Node::Exists(..)));
        let open = match *node {
            Node::Var(at) => at + 1,
            _ => children.into_iter().map(|child| self.open(child)).max().unwrap_or(0),
        };
        let open = open.saturating_sub(usize::from(binds));
        self.open.insert(id, open);
        open
    }
}

/// Returns the numbers of equations; none where arguments are the same.
fn equations(numbers: &[u32]) -> Vec<Option<u32>> {
    numbers.iter().map(|&number| (number != 0).then_some(number)).collect()
}
