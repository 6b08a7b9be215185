//! Names and formulas in the language of Rocq.

use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Args, Node, Signature, SortId, SymId, SymbolKind, TermId, Terms, VarId};
use ramsey_kernel::core::lifted;
use ramsey_kernel::core::{both_branches, distinct_pairs};

/// Words that are no names there, or that the page uses itself.
const RESERVED: &[&str] = &[
    "Axiom",
    "Axioms",
    "Bounded",
    "Build_state",
    "Check",
    "CoFixpoint",
    "CoInductive",
    "Conjecture",
    "Core",
    "D",
    "Definition",
    "End",
    "Eval",
    "Example",
    "Fact",
    "False",
    "Finite",
    "Fixpoint",
    "Hypotheses",
    "Hypothesis",
    "I",
    "Import",
    "Inductive",
    "Inline",
    "Lemma",
    "Let",
    "List",
    "Module",
    "Notation",
    "Parameter",
    "Parameters",
    "Print",
    "Proof",
    "Prop",
    "Protocol",
    "Protocol_means",
    "Qed",
    "Record",
    "Require",
    "S",
    "SProp",
    "Section",
    "Set",
    "Sound",
    "T",
    "Theorem",
    "True",
    "Type",
    "Variable",
    "Variables",
    "any",
    "as",
    "at",
    "axioms",
    "axioms_hold",
    "bool",
    "by",
    "cofix",
    "else",
    "enc",
    "encodes",
    "end",
    "eq_refl",
    "exists",
    "exists2",
    "false",
    "fix",
    "for",
    "forall",
    "fun",
    "if",
    "in",
    "inhabited",
    "init",
    "is",
    "k",
    "l",
    "let",
    "list",
    "match",
    "mod",
    "nat",
    "of",
    "q",
    "reach",
    "reach_in",
    "reach_in_ind",
    "reach_in_rec",
    "reach_in_rect",
    "reach_in_sind",
    "reach_ind",
    "reach_rec",
    "reach_rect",
    "reach_sind",
    "return",
    "rr",
    "s",
    "some_state",
    "start",
    "state",
    "state_ind",
    "state_rec",
    "state_rect",
    "state_sind",
    "then",
    "true",
    "tt",
    "unit",
    "using",
    "where",
    "with",
];

/// A definition of the page, applied to states.
#[derive(Clone, Debug)]
pub(super) struct Applied {
    /// Its name.
    pub(super) name: String,
    /// The number of the first state.
    pub(super) first: u16,
    /// The number of states.
    pub(super) count: u16,
}

/// Names of the page. Each thing has one of its own.
pub(super) struct Words {
    taken: Set<String>,
    /// The names of states, in the order of their numbers.
    pub(super) states: Vec<String>,
    /// The number of the first of these states.
    pub(super) first: u16,
    /// Closed formulas that stand as definitions where they occur.
    pub(super) known: Map<TermId, Applied>,
    pub(super) sorts: Map<SortId, String>,
    /// The elements of each sort, on a page about one finite structure.
    pub(super) elements: Map<SortId, Vec<String>>,
    pub(super) symbols: Map<SymId, String>,
}

impl Words {
    /// Chooses names for sorts and symbols: their own, as far as that is possible.
    pub(super) fn new(sig: &Signature) -> Words {
        let taken = RESERVED.iter().map(|&word| word.to_owned()).collect();
        let mut words = Words {
            taken,
            states: vec!["s".to_owned(), "s'".to_owned()],
            first: 0,
            known: Map::default(),
            sorts: Map::default(),
            elements: Map::default(),
            symbols: Map::default(),
        };
        for sort in sig.uninterpreted_sorts() {
            let name = words.inductive(&sig.sorts[sort].name);
            words.sorts.insert(sort, name);
        }
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind != SymbolKind::Parameter {
                let name = words.fresh(&symbol.name);
                words.symbols.insert(sym, name);
            }
        }
        words
    }

    /// Returns a name like this one for a type whose elements may be listed, so that the names of its principles of
    /// induction are free as well.
    fn inductive(&mut self, name: &str) -> String {
        let principles = |name: &str| ["ind", "rec", "rect", "sind"].map(|end| format!("{name}_{end}"));
        let mut found = self.fresh(name);
        while principles(&found).iter().any(|it| self.taken.contains(it)) {
            found = self.fresh(&found);
        }
        self.taken.extend(principles(&found));
        found
    }

    /// Returns a name like this one that nothing else has.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let name = self.free(name, &[]);
        self.taken.insert(name.clone());
        name
    }

    /// Returns a name like this one that neither the page has nor these variables.
    pub(super) fn free(&self, name: &str, bound: &[(VarId, String)]) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut free: String = name.chars().map(plain).collect();
        // Names of proofs begin so.
        if !free.starts_with(|c: char| c.is_ascii_alphabetic()) || free.starts_with("pf_") {
            free.insert(0, 'x');
        }
        while self.taken.contains(&free) || bound.iter().any(|(_, other)| *other == free) {
            free.push('_');
        }
        free
    }

    /// Returns a sort as a type; `Prop` for `bool`.
    pub(super) fn sort(&self, sort: SortId) -> &str {
        self.sorts.get(&sort).map_or("Prop", String::as_str)
    }

    /// Returns the type of a symbol.
    pub(super) fn kind(&self, sig: &Signature, sym: SymId) -> String {
        let symbol = &sig.symbols[sym];
        let sorts = symbol.args.iter().chain([&symbol.result]);
        sorts.map(|&sort| self.sort(sort)).collect::<Vec<_>>().join(" -> ")
    }

    /// Returns a closed formula without quantifiers over `bool`.
    pub(super) fn formula(&self, sig: &Signature, terms: &mut Terms, formula: TermId) -> String {
        self.outermost(sig, terms, formula, &mut Vec::new())
    }

    /// Returns a closed formula as part of another one.
    pub(super) fn part(&self, sig: &Signature, terms: &mut Terms, formula: TermId) -> String {
        self.term(sig, terms, formula, &mut Vec::new(), true)
    }

    /// Returns the name of a state, after a blank.
    fn state(&self, number: u16) -> String {
        let name = number.checked_sub(self.first).and_then(|at| self.states.get(usize::from(at)));
        name.map_or_else(|| " _".to_owned(), |name| format!(" {name}"))
    }

    /// Returns the definition of a formula. One over more states than have names here is none: it may read fewer than it
    /// is over, as a transition does that says nothing of the old state.
    pub(super) fn definition(&self, formula: TermId) -> Option<&Applied> {
        let has_names = |it: &&Applied| {
            let end = usize::from(self.first) + self.states.len();
            it.count == 0 || it.first >= self.first && usize::from(it.first + it.count) <= end
        };
        self.known.get(&formula).filter(has_names)
    }

    /// Returns a definition applied to states.
    pub(super) fn applied(&self, Applied { name, first, count }: &Applied) -> String {
        (0..*count).fold(name.clone(), |text, at| text + &self.state(first + at))
    }

    /// Returns a formula with a line for each conjunct.
    fn outermost(
        &self,
        sig: &Signature,
        terms: &mut Terms,
        formula: TermId,
        bound: &mut Vec<(VarId, String)>,
    ) -> String {
        if self.definition(formula).is_some() {
            return self.term(sig, terms, formula, bound, false);
        }
        match terms.node(formula) {
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let block = self.block(terms, formula, vars, bound);
                format!("{block},\n  {}", self.outermost(sig, terms, body, bound))
            }
            Node::And(items) => {
                let items = terms.args(items).to_vec();
                let items: Vec<String> =
                    items.into_iter().map(|item| self.term(sig, terms, item, bound, true)).collect();
                items.join(" /\\\n  ")
            }
            _ => self.term(sig, terms, formula, bound, false),
        }
    }

    /// Returns a quantifier with its variables, which are bound from then on.
    fn block(&self, terms: &Terms, formula: TermId, vars: Args, bound: &mut Vec<(VarId, String)>) -> String {
        let is_universal = matches!(terms.node(formula), Node::Forall(..));
        let mut text = String::from(if is_universal { "forall" } else { "exists" });
        for var in terms.bound_vars(vars) {
            let info = terms.var_info(var);
            let name = self.free(&info.name, bound);
            text.push_str(&format!(" ({name} : {})", self.sort(info.sort)));
            bound.push((var, name));
        }
        text
    }

    fn term(
        &self,
        sig: &Signature,
        terms: &mut Terms,
        term: TermId,
        bound: &mut Vec<(VarId, String)>,
        in_parentheses: bool,
    ) -> String {
        if let Some(choice) = lifted(terms, term) {
            return self.term(sig, terms, choice, bound, in_parentheses);
        }
        let wrapped = |text: String| if in_parentheses { format!("({text})") } else { text };
        if let Some(known) = self.definition(term) {
            let text = self.applied(known);
            return if known.count == 0 { text } else { wrapped(text) };
        }
        let mut joined = |words: &Words, terms: &mut Terms, items: &[TermId], sign: &str| {
            let items: Vec<String> =
                items.iter().map(|&item| words.term(sig, terms, item, bound, true)).collect();
            items.join(sign)
        };
        match terms.node(term) {
            Node::True => "True".to_owned(),
            Node::False => "False".to_owned(),
            Node::Var(var) => {
                let known = bound.iter().rev().find(|(other, _)| *other == var);
                known.map_or_else(|| "_".to_owned(), |(_, name)| name.clone())
            }
            Node::App { sym, step, args } => {
                let mut text = self.symbols.get(&sym).cloned().unwrap_or_default();
                if sig.symbols[sym].kind.is_mutable() {
                    text.push_str(&self.state(step));
                }
                let args = terms.args(args).to_vec();
                if !args.is_empty() {
                    text.push(' ');
                    text.push_str(&joined(self, terms, &args, " "));
                }
                if text.contains(' ') { wrapped(text) } else { text }
            }
            Node::Eq(a, b) => wrapped(joined(self, terms, &[a, b], " = ")),
            Node::Not(a) => wrapped(format!("~ {}", self.term(sig, terms, a, bound, true))),
            Node::And(items) => {
                let items = terms.args(items).to_vec();
                wrapped(joined(self, terms, &items, " /\\ "))
            }
            Node::Or(items) => {
                let items = terms.args(items).to_vec();
                wrapped(joined(self, terms, &items, " \\/ "))
            }
            Node::Implies(a, b) => wrapped(joined(self, terms, &[a, b], " -> ")),
            Node::Iff(a, b) => wrapped(joined(self, terms, &[a, b], " <-> ")),
            Node::Distinct(items) => {
                let items = terms.args(items).to_vec();
                let pairs = distinct_pairs(terms, &items);
                self.term(sig, terms, pairs, bound, in_parentheses)
            }
            Node::Ite(condition, a, b) => {
                let both = both_branches(terms, condition, a, b);
                self.term(sig, terms, both, bound, in_parentheses)
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                let depth = bound.len();
                let block = self.block(terms, term, vars, bound);
                let text = format!("{block}, {}", self.term(sig, terms, body, bound, false));
                bound.truncate(depth);
                wrapped(text)
            }
        }
    }
}
