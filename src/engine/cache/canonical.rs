//! What obligations say, whatever the model calls it: symbols are numbered as they occur, and hypotheses have an order of their own.

use std::sync::Arc;

use ramsey_core::base::digest::sha256;
use ramsey_core::base::hash::Map;
use ramsey_kernel::core::{Core, Node, NodeId};

/// A number of a formula, or a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    /// The same in every numbering.
    Word(u32),
    Sort(usize),
    Function(usize),
    Relation(usize),
}

/// Numbers of one kind: those of a closed form, and the canonical ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// By number in the closed form.
    canonical: Map<usize, u32>,
    /// By canonical number.
    pub(super) original: Vec<usize>,
}

impl Numbers {
    /// Returns the canonical number, the next one if there is none.
    fn number(&mut self, original: usize) -> u32 {
        *self.canonical.entry(original).or_insert_with(|| {
            self.original.push(original);
            self.original.len() as u32 - 1
        })
    }

    /// Returns the canonical number.
    pub(super) fn canonical(&self, original: usize) -> Option<u32> {
        self.canonical.get(&original).copied()
    }

    /// Returns the number in the closed form.
    pub(super) fn original(&self, canonical: u32) -> Option<u32> {
        self.original.get(canonical as usize).map(|&original| original as u32)
    }
}

/// Numbers of sorts and symbols.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    pub(super) sorts: Numbers,
    pub(super) functions: Numbers,
    pub(super) relations: Numbers,
}

/// What structures may have more of than they need, by numbers in the closed form: it decides which one is the smallest.
#[derive(Clone, Debug, Default)]
pub(super) struct Loose {
    /// By sort, whether the number of elements does not count.
    pub(super) sorts: Vec<bool>,
    /// By relation, whether the number of tuples does not count.
    pub(super) relations: Vec<bool>,
}

/// The order of hypotheses.
#[derive(Debug)]
pub(super) struct Order {
    /// The places of the hypotheses in their canonical order. One that stands there twice has the first place.
    pub(super) order: Vec<usize>,
    /// By place, the canonical one.
    pub(super) places: Vec<u32>,
}

/// Hypotheses in canonical form.
#[derive(Debug)]
struct Ordered {
    order: Arc<Order>,
    numbering: Numbering,
    digest: String,
}

/// Hypotheses, which goals continue.
#[derive(Debug)]
pub(super) struct Canonical<'a> {
    core: &'a Core,
    loose: &'a Loose,
    head: &'a str,
    /// By number in the closed form, the words of a hypothesis.
    words: &'a [Words],
    /// The hypotheses, by their numbers in the closed form.
    hypotheses: &'a [usize],
    /// Their canonical form; `None` if some cannot be told apart without the goal, and are few.
    ordered: Option<Ordered>,
}

/// A goal in canonical form, with its hypotheses.
#[derive(Debug)]
pub(super) struct CanonicalGoal {
    pub(super) order: Arc<Order>,
    pub(super) numbering: Numbering,
    /// The digest of all that the obligation says.
    pub(super) digest: String,
}

/// The first line of what is digested.
const VERSION: &str = "ramsey-obligation 1";

/// Rounds in which symbols are told apart by what is said of them.
const ROUNDS: usize = 2;

/// Maximum number of hypotheses that each goal has in an order of its own, where they cannot be told apart without it. More keep the order
/// in which they stand, which costs hits and nothing else.
const MAX_TOLD_APART: usize = 256;

impl<'a> Canonical<'a> {
    /// Puts hypotheses into canonical form. `head` stands in front of them.
    pub(super) fn new(
        core: &'a Core,
        loose: &'a Loose,
        head: &'a str,
        words: &'a [Words],
        hypotheses: &'a [usize],
    ) -> Canonical<'a> {
        let mut canonical = Canonical { core, loose, head, words, hypotheses, ordered: None };
        let (order, is_total) = canonical.order(None);
        let is_fixed = is_total || hypotheses.len() > MAX_TOLD_APART;
        canonical.ordered = is_fixed.then(|| canonical.ordered(&order));
        canonical
    }

    /// Returns a goal about so many states; without a formula it is that the hypotheses contradict each other.
    pub(super) fn goal(&self, states: u16, goal: Option<NodeId>) -> CanonicalGoal {
        let goal = goal.map(|formula| Words::new(self.core, formula));
        let own;
        let ordered = match &self.ordered {
            Some(ordered) => ordered,
            None => {
                own = self.ordered(&self.order(goal.as_ref()).0);
                &own
            }
        };
        let mut numbering = ordered.numbering.clone();
        let mut text = format!("{}\ngoal {states}", ordered.digest);
        match goal {
            Some(formula) => write(&formula, &mut numbering, &mut text),
            None => text.push_str(" | 0\n"),
        }
        self.declarations(&ordered.numbering, &mut numbering, &mut text);
        CanonicalGoal { order: Arc::clone(&ordered.order), numbering, digest: sha256(text) }
    }

    /// Writes the hypotheses in this order, each once.
    fn ordered(&self, order: &[usize]) -> Ordered {
        let mut kept = Order { order: Vec::new(), places: vec![0; self.hypotheses.len()] };
        let mut known: Map<usize, u32> = Map::default();
        let mut numbering = Numbering::default();
        let mut text = format!("{VERSION}\n{}\n", self.head);
        for &place in order {
            let next = kept.order.len() as u32;
            let at = *known.entry(self.hypotheses[place]).or_insert(next);
            kept.places[place] = at;
            if at == next {
                kept.order.push(place);
                text.push_str("hypothesis");
                write(&self.words[self.hypotheses[place]], &mut numbering, &mut text);
            }
        }
        self.declarations(&Numbering::default(), &mut numbering, &mut text);
        Ordered { order: Arc::new(kept), numbering, digest: sha256(text) }
    }

    /// Declares the symbols that `known` has not.
    fn declarations(&self, known: &Numbering, numbering: &mut Numbering, text: &mut String) {
        let functions = numbering.functions.original[known.functions.original.len()..].to_vec();
        for function in functions {
            let (symbol, result) = &self.core.functions[function];
            text.push_str("function");
            text.push_str(if symbol.is_mutable { " mutable" } else { " rigid" });
            symbol.args.iter().chain([result]).for_each(|&sort| push(text, numbering.sorts.number(sort)));
            text.push('\n');
        }
        let relations = numbering.relations.original[known.relations.original.len()..].to_vec();
        for relation in relations {
            let symbol = &self.core.relations[relation];
            text.push_str("relation");
            text.push_str(if symbol.is_mutable { " mutable" } else { " rigid" });
            if self.loose.relations.get(relation) == Some(&true) {
                text.push_str(" any");
            }
            symbol.args.iter().for_each(|&sort| push(text, numbering.sorts.number(sort)));
            text.push('\n');
        }
        for &sort in &numbering.sorts.original[known.sorts.original.len()..] {
            let is_loose = self.loose.sorts.get(sort) == Some(&true);
            text.push_str(if is_loose { "sort any\n" } else { "sort\n" });
        }
    }

    /// Returns the places of the hypotheses in an order that does not depend on the numbers of symbols, nor on that in which they stand,
    /// as far as they can be told apart; and whether all can. A goal helps with that.
    fn order(&self, goal: Option<&Words>) -> (Vec<usize>, bool) {
        let Core { functions, relations, .. } = self.core;
        let color = |args: usize, is_mutable: bool| 2 * args as u64 + u64::from(is_mutable);
        // Functions come first, then relations.
        let symbols = functions.iter().map(|(it, _)| it).chain(relations);
        let mut colors: Vec<u64> = symbols.map(|it| color(it.args.len(), it.is_mutable)).collect();
        let mut hashes = vec![0; self.hypotheses.len()];
        for round in 0..=ROUNDS {
            let mut said: Vec<Vec<u64>> = vec![Vec::new(); colors.len()];
            let texts = self.hypotheses.iter().map(|&number| &self.words[number]);
            for (at, text) in texts.chain(goal).enumerate() {
                let mut sum = Hash::default();
                sum.add(u64::from(at == hashes.len()));
                for &(token, local) in &text.tokens {
                    sum.add(match token {
                        Token::Word(word) => u64::from(word),
                        Token::Sort(_) => u64::from(local),
                        Token::Function(at) => u64::from(local) ^ colors[at].rotate_left(32),
                        Token::Relation(at) => {
                            u64::from(local) ^ colors[functions.len() + at].rotate_left(32)
                        }
                    });
                }
                if let Some(hash) = hashes.get_mut(at) {
                    *hash = sum.0;
                }
                if round < ROUNDS {
                    let of_functions = text.functions.iter().copied();
                    let of_relations = text.relations.iter().map(|relation| functions.len() + relation);
                    for (place, symbol) in (0..).zip(of_functions).chain((0..).zip(of_relations)) {
                        let mut at = Hash(sum.0);
                        at.add(place);
                        said[symbol].push(at.0);
                    }
                }
            }
            for (color, mut said) in colors.iter_mut().zip(said) {
                said.sort_unstable();
                let mut sum = Hash(*color);
                said.into_iter().for_each(|it| sum.add(it));
                *color = sum.0;
            }
        }
        let mut order: Vec<usize> = (0..self.hypotheses.len()).collect();
        order.sort_by_key(|&place| hashes[place]);
        let is_apart = |pair: &[usize]| {
            hashes[pair[0]] != hashes[pair[1]] || self.hypotheses[pair[0]] == self.hypotheses[pair[1]]
        };
        let is_total = order.windows(2).all(is_apart);
        (order, is_total)
    }
}

/// Writes a formula as a closed form has it, with canonical numbers.
fn write(formula: &Words, numbering: &mut Numbering, text: &mut String) {
    for &(token, _) in &formula.tokens {
        match token {
            Token::Word(word) if word & LETTER != 0 => {
                text.push(' ');
                text.push(char::from((word & 0xff) as u8));
            }
            Token::Word(number) => push(text, number),
            Token::Sort(sort) => push(text, numbering.sorts.number(sort)),
            Token::Function(function) => push(text, numbering.functions.number(function)),
            Token::Relation(relation) => push(text, numbering.relations.number(relation)),
        }
    }
    text.push('\n');
}

/// Marks words that are letters.
const LETTER: u32 = 1 << 31;

fn push(text: &mut String, number: u32) {
    let mut digits = [0_u8; 10];
    let (mut at, mut rest) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.push(' ');
    digits[at..].iter().for_each(|&digit| text.push(char::from(digit)));
}

/// A formula as words.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// The words. A number of a sort or symbol has beside it the place of that among those of its kind, in the order of their occurrence.
    tokens: Vec<(Token, u32)>,
    /// The functions that occur, in this order.
    functions: Vec<usize>,
    /// The relations that occur, in this order.
    relations: Vec<usize>,
}

impl Words {
    /// Returns the words of a formula.
    pub(super) fn new(core: &Core, formula: NodeId) -> Words {
        let mut local = Numbering::default();
        let place = |token: Token, local: &mut Numbering| match token {
            Token::Word(_) => 0,
            Token::Sort(sort) => local.sorts.number(sort),
            Token::Function(function) => local.functions.number(function),
            Token::Relation(relation) => local.relations.number(relation),
        };
        let tokens =
            tokens(core, formula).into_iter().map(|token| (token, place(token, &mut local))).collect();
        Words { tokens, functions: local.functions.original, relations: local.relations.original }
    }
}

/// Returns the words of a formula, in prefix form.
fn tokens(core: &Core, formula: NodeId) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut stack = vec![formula];
    let letter = |letter: u8| Token::Word(LETTER | u32::from(letter));
    let number = |number: usize| Token::Word(number as u32);
    let state = |state: Option<u16>| Token::Word(state.map_or(0, |state| u32::from(state) + 1));
    while let Some(id) = stack.pop() {
        match core.pool.node(id) {
            Node::Var(at) => tokens.extend([letter(b'V'), number(*at)]),
            Node::App(at, function, args) => {
                tokens.extend([letter(b'A'), state(*at), Token::Function(*function)]);
                stack.extend(args.iter().rev());
            }
            // Formulas of obligations have none.
            Node::Constant(sort, at) => tokens.extend([letter(b'K'), Token::Sort(*sort), number(*at)]),
            Node::Rel(at, relation, args) => {
                tokens.extend([letter(b'R'), state(*at), Token::Relation(*relation)]);
                stack.extend(args.iter().rev());
            }
            Node::Eq(sort, a, b) => {
                tokens.extend([letter(b'E'), Token::Sort(*sort)]);
                stack.extend([*b, *a]);
            }
            Node::Not(a) => {
                tokens.push(letter(b'~'));
                stack.push(*a);
            }
            Node::And(items) => {
                tokens.extend([letter(b'&'), number(items.len())]);
                stack.extend(items.iter().rev());
            }
            Node::Or(items) => {
                tokens.extend([letter(b'|'), number(items.len())]);
                stack.extend(items.iter().rev());
            }
            Node::Implies(a, b) => {
                tokens.push(letter(b'>'));
                stack.extend([*b, *a]);
            }
            Node::Iff(a, b) => {
                tokens.push(letter(b'='));
                stack.extend([*b, *a]);
            }
            Node::Forall(sort, body) => {
                tokens.extend([letter(b'!'), Token::Sort(*sort)]);
                stack.push(*body);
            }
            Node::Exists(sort, body) => {
                tokens.extend([letter(b'?'), Token::Sort(*sort)]);
                stack.push(*body);
            }
        }
    }
    tokens
}

/// A sum of numbers. Formulas that it does not tell apart keep their order, which costs hits and nothing else.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
