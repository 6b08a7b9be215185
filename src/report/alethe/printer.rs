//! Terms and formulas as text of SMT-LIB.
//!
//! A variable is called after the number of quantifiers from its own inward, so that a formula has the same text wherever it is a
//! part, also of an instance; and no variable is called like one that is bound around it.

use std::fmt::Write as _;

use ramsey_core::base::hash::Map;
use ramsey_kernel::core::{Node, NodeId, Pool};

use super::names::Names;
use super::obligation::Obligation;

/// Writes terms and formulas.
pub(super) struct Printer<'a> {
    names: &'a Names,
    /// Names that stand for closed terms and formulas.
    pub(super) defined: Map<NodeId, String>,
    /// By term or formula, the largest number of quantifiers in each other.
    heights: Map<NodeId, usize>,
}

/// Returns the problem of an obligation: its hypotheses and its negated goal have no model.
pub(super) fn problem(pool: &Pool, names: &Names, declarations: &str, obligation: &Obligation) -> String {
    let Obligation { label, hypotheses, goal } = obligation;
    let mut printer = Printer::new(names);
    let label: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut text = format!("; obligation {label}\n(set-logic UF)\n{declarations}");
    for &hypothesis in hypotheses {
        let _ = writeln!(text, "(assert {})", printer.text(pool, hypothesis));
    }
    let _ = writeln!(text, "(assert (not {}))\n(check-sat)", printer.text(pool, *goal));
    text
}

impl<'a> Printer<'a> {
    /// Creates a printer without names for terms and formulas.
    pub(super) fn new(names: &'a Names) -> Self {
        Printer { names, defined: Map::default(), heights: Map::default() }
    }

    /// Returns the text of a closed term or formula.
    pub(super) fn text(&mut self, pool: &Pool, id: NodeId) -> String {
        let mut text = String::new();
        self.write(pool, id, &mut Vec::new(), &mut text);
        text
    }

    /// Returns the text of the body of a quantified formula, with its variable free.
    pub(super) fn body(&mut self, pool: &Pool, quantified: NodeId, body: NodeId) -> String {
        let mut text = String::new();
        let height = self.height(pool, quantified);
        self.write(pool, body, &mut vec![height], &mut text);
        text
    }

    /// Returns the variable of a quantified formula.
    pub(super) fn variable(&mut self, pool: &Pool, quantified: NodeId) -> String {
        format!("x{}", self.height(pool, quantified))
    }

    /// Returns the name of a sort.
    pub(super) fn sort(&self, sort: usize) -> &'a str {
        self.names.sort(sort)
    }

    /// `binders` are the heights of the quantifiers around the node, the innermost last.
    fn write(&mut self, pool: &Pool, id: NodeId, binders: &mut Vec<usize>, text: &mut String) {
        if let Some(name) = self.defined.get(&id) {
            text.push_str(name);
            return;
        }
        match pool.node(id) {
            Node::Var(at) => {
                let height = binders.iter().rev().nth(*at).copied().unwrap_or_default();
                let _ = write!(text, "x{height}");
            }
            // A constant has a name before it is written.
            Node::Constant(_, number) => {
                let _ = write!(text, "c{number}");
            }
            Node::App(state, function, args) => {
                self.applied(pool, &self.names.function(*state, *function), args, binders, text);
            }
            Node::Rel(state, relation, args) => {
                self.applied(pool, &self.names.relation(*state, *relation), args, binders, text);
            }
            Node::And(items) if items.is_empty() => text.push_str("true"),
            Node::Or(items) if items.is_empty() => text.push_str("false"),
            Node::And(items) => self.applied(pool, "and", items, binders, text),
            Node::Or(items) => self.applied(pool, "or", items, binders, text),
            &Node::Eq(_, a, b) | &Node::Iff(a, b) => self.applied(pool, "=", &[a, b], binders, text),
            &Node::Implies(a, b) => self.applied(pool, "=>", &[a, b], binders, text),
            &Node::Not(a) => self.applied(pool, "not", &[a], binders, text),
            &Node::Forall(sort, body) | &Node::Exists(sort, body) => {
                let word = if matches!(pool.node(id), Node::Forall(..)) { "forall" } else { "exists" };
                let height = self.height(pool, id);
                let _ = write!(text, "({word} ((x{height} {})) ", self.sort(sort));
                binders.push(height);
                self.write(pool, body, binders, text);
                binders.pop();
                text.push(')');
            }
        }
    }

    fn applied(
        &mut self,
        pool: &Pool,
        word: &str,
        args: &[NodeId],
        binders: &mut Vec<usize>,
        text: &mut String,
    ) {
        if args.is_empty() {
            text.push_str(word);
            return;
        }
        text.push('(');
        text.push_str(word);
        for &arg in args {
            text.push(' ');
            self.write(pool, arg, binders, text);
        }
        text.push(')');
    }

    fn height(&mut self, pool: &Pool, id: NodeId) -> usize {
        if let Some(&known) = self.heights.get(&id) {
            return known;
        }
        let node = pool.node(id);
        let inner = node.children().into_iter().map(|child| self.height(pool, child)).max().unwrap_or(0);
        let height = inner + usize::from(matches!(node, Node::Forall(..) | Node::Exists(..)));
        self.heights.insert(id, height);
        height
    }
}
